/* How each column is written to an SPSS, Stata or SAS file: its type there, its codes, its format, and what says missing. */
#include "io/stat/column_layout.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "io/csv/private.h"

bool stat_tags(StatKind kind) { return kind == STAT_DTA || kind == STAT_XPT || kind == STAT_SAS; }
static bool is_spss(StatKind kind) { return kind == STAT_SAV || kind == STAT_POR; }
bool stat_is_text(const StatLayout *plan) { return plan->type == READSTAT_TYPE_STRING || plan->type == READSTAT_TYPE_STRING_REF; }

/* ---- missing ---- */

/* .a is the first letter, .z the 26th; SAS's ._ comes after them. */
static int letter_place(char letter) { return isalpha((unsigned char)letter) ? tolower((unsigned char)letter) - 'a' + 1 : 27; }

CodeValue stat_target(const StatLayout *plan, CodeValue code) {
    const ColumnMetadata *about = plan->column->about;
    if (code.letter && is_spss(plan->kind))
        return (CodeValue){ .value = plan->below > 0 ? -plan->below - letter_place(code.letter) : NAN }; /* NAN: plainly missing */
    for (int32_t i = 0; plan->target && about && i < about->missing; i++)
        if (!code_order(about->missing_of[i], code)) return plan->target[i];
    if (code.letter)
        code.letter = plan->kind == STAT_DTA ? (char)tolower((unsigned char)code.letter) : (char)toupper((unsigned char)code.letter);
    return code;
}

/* Values that an SPSS file declares as missing become letters of their own: the first .a, the next .b. Past .z they are plainly missing, as
 * texts are, which have no letters. */
static Status plan_letters(Work *work, StatLayout *plan) {
    Status status = OK;
    const ColumnMetadata *about = plan->column->about;
    bool taken[28] = { false };
    int next = 1;
    NEW(work, plan->target, about->missing + 1);
    for (int32_t i = 0; i < about->missing; i++)
        if (about->missing_of[i].letter) taken[letter_place(about->missing_of[i].letter)] = true;
    for (int32_t i = 0; i < about->missing; i++) {
        CodeValue code = about->missing_of[i];
        char first = plan->kind == STAT_DTA ? 'a' : 'A';
        if (code.letter == '_' && plan->kind == STAT_DTA) code.letter = 0, code.value = NAN;
        else if (code.letter) code.letter = (char)(letter_place(code.letter) == 27 ? '_' : first + letter_place(code.letter) - 1);
        else {
            while (next < 27 && taken[next]) next++;
            code = next < 27 && !code.text ? (CodeValue){ .letter = (char)(first + next++ - 1) } : (CodeValue){ .value = NAN };
        }
        plan->target[i] = code;
    }
done:
    return status;
}

/* Numbers below all values stand for letters: −101 … −127, or −1001 … where there are values so low. */
static void plan_numbers(StatLayout *plan) {
    const Column *column = plan->column;
    const ColumnMetadata *about = column->about;
    double least = 0;
    int low = 28, high = 0;
    for (int64_t i = 0; i < column->rows; i++) {
        double value = column->type == CATEGORY_TYPE || column_missing(column, i) ? 0 : column_number(column, i);
        if (value < least) least = value;
    }
    for (plan->below = 100; least <= -plan->below; plan->below *= 10) continue;
    for (int32_t i = 0; i < about->missing + about->labels; i++) {
        char letter = i < about->missing ? about->missing_of[i].letter : about->label_of[i - about->missing].of.letter;
        if (!letter) continue;
        if (letter_place(letter) < low) low = letter_place(letter);
        if (letter_place(letter) > high) high = letter_place(letter);
    }
    if (high) plan->range[plan->ranges++] = (MissingRange){ { .value = -plan->below - high }, { .value = -plan->below - low } };
}

static Status plan_missing(Work *work, StatLayout *plan) {
    const ColumnMetadata *about = plan->column->about;
    bool text = stat_is_text(plan);
    if (!about) return OK;
    if (!is_spss(plan->kind)) return about->missing ? plan_letters(work, plan) : OK;
    for (int32_t i = 0; i < about->ranges && plan->ranges < 3; i++)
        if (!about->range[i].low.text == !text) plan->range[plan->ranges++] = about->range[i];
    if (!text && plan->ranges < 3) plan_numbers(plan);
    return OK;
}

/* ---- types ---- */

static Status out_of_bounds(Work *work, const StatLayout *plan, int64_t row, const char *what) {
    fail(work->error, BAD, "a %s file does not hold %s", stat_name(plan->kind), what);
    error_column(work->error, plan->column->name);
    return error_row(work->error, row);
}

/* SAS transport files count in sixteens: numbers up to 16^63, and none nearer to zero than 16^−65. */
static Status check_reals(Work *work, const StatLayout *plan) {
    const Column *column = plan->column;
    double most = plan->kind == STAT_XPT   ? 0x1p252
                  : plan->kind == STAT_DTA ? 0x1p1023
                                           : INFINITY,
           least = plan->kind == STAT_XPT ? 0x1p-260 : 0;
    for (int64_t i = 0; i < column->rows; i++) {
        if (column_missing(column, i) || column->real[i] == 0) continue;
        double size = fabs(column->real[i]);
        if (isinf(size)) return out_of_bounds(work, plan, i, "infinite numbers");
        if (size >= most || size < least) return out_of_bounds(work, plan, i, "numbers as large, or as near to zero, as one here");
    }
    return OK;
}

/* Stata's byte, int and long end before their highest numbers, which mean missing. */
static readstat_type_t whole_type(StatKind kind, double least, double most) {
    if (kind != STAT_DTA) return READSTAT_TYPE_DOUBLE;
    if (least >= -127 && most <= 100) return READSTAT_TYPE_INT8;
    if (least >= -32767 && most <= 32740) return READSTAT_TYPE_INT16;
    return least >= -2147483647.0 && most <= 2147483620.0 ? READSTAT_TYPE_INT32 : READSTAT_TYPE_DOUBLE;
}

static size_t longest_text(const StatLayout *plan) {
    char number[33];
    size_t longest = 1;
    for (int64_t i = 0; plan->text && i < plan->column->words->count; i++) {
        size_t length = strlen(plan->text[i]);
        if (length > longest) longest = length;
    }
    for (int64_t i = 0; !plan->text && i < plan->column->rows; i++) {
        size_t length = column_missing(plan->column, i) ? 0 : strlen(stat_text(plan, i, number));
        if (length > longest) longest = length;
    }
    return longest;
}

static Status plan_string(Work *work, StatLayout *plan) {
    const ColumnMetadata *about = plan->column->about;
    plan->type = READSTAT_TYPE_STRING;
    plan->width = longest_text(plan);
    if (about && (size_t)about->width > plan->width && about->width <= (plan->kind == STAT_DTA ? 2045 : 32767))
        plan->width = (size_t)about->width;
    if (plan->kind == STAT_DTA && plan->width > 2045) plan->type = READSTAT_TYPE_STRING_REF;
    else if (plan->width > (plan->kind == STAT_POR ? 255 : 32767)) return out_of_bounds(work, plan, -1, "texts as long as one here");
    return OK;
}

static Status plan_integers(Work *work, StatLayout *plan) {
    const Column *column = plan->column;
    int64_t least = 0, most = 0;
    for (int64_t i = 0; i < column->rows; i++) {
        if (column_missing(column, i)) continue;
        if (column_integer(column, i) < least) least = column_integer(column, i);
        if (column_integer(column, i) > most) most = column_integer(column, i);
    }
    if (least < -(INT64_C(1) << 53) || most > INT64_C(1) << 53) return plan_string(work, plan); /* a double would lose digits */
    plan->type = whole_type(plan->kind, (double)least, (double)most);
    return OK;
}

/* A word that is a label's is its code; others get the next whole numbers after the largest code, or 1, 2, … where no word is known. */
static Status plan_codes(Work *work, StatLayout *plan) {
    Status status = OK;
    const Column *column = plan->column;
    const ColumnMetadata *about = column->about;
    double next = 1, least = 0, most = 0;
    bool whole = true;
    NEW(work, plan->value, column->words->count + 1);
    NEW(work, plan->fresh, column->words->count + 1);
    for (int32_t w = 0; w < column->words->count; w++) {
        const ValueLabel *label = metadata_word(about, column->words->word[w]);
        plan->fresh[w] = !label || label->of.text || label->of.letter;
        if (!plan->fresh[w]) {
            plan->value[w] = label->of.value;
            plan->keeps = true;
        }
    }
    for (int32_t i = 0; plan->keeps && i < about->labels; i++)
        if (!about->label_of[i].of.text && about->label_of[i].of.value >= next) next = floor(about->label_of[i].of.value) + 1;
    for (int32_t w = 0; w < column->words->count; w++) {
        while (plan->fresh[w] && metadata_is_missing(about, (CodeValue){ .value = next })) next++;
        if (plan->fresh[w]) plan->value[w] = next++;
        whole &= plan->value[w] == floor(plan->value[w]);
        if (plan->value[w] < least) least = plan->value[w];
        if (plan->value[w] > most) most = plan->value[w];
    }
    plan->type = whole ? whole_type(plan->kind, least, most) : READSTAT_TYPE_DOUBLE;
    plan->labelled = true;
done:
    return status;
}

static Status plan_category(Work *work, StatLayout *plan) {
    Status status = OK;
    const Column *column = plan->column;
    const ColumnMetadata *about = column->about;
    bool numbers = false, texts = false;
    for (int32_t i = 0; about && i < about->labels; i++) {
        numbers |= !about->label_of[i].of.text && !about->label_of[i].of.letter;
        texts |= about->label_of[i].of.text != NULL;
    }
    if (numbers) return plan_codes(work, plan);
    NEW(work, plan->text, column->words->count + 1);
    for (int32_t w = 0; w < column->words->count; w++) {
        const ValueLabel *label = texts ? metadata_word(about, column->words->word[w]) : NULL;
        plan->text[w] = label ? label->of.text : column->words->word[w];
    }
    plan->labelled = plan->keeps = texts;
    TRY(plan_string(work, plan));
done:
    return status;
}

const char *stat_text(const StatLayout *plan, int64_t row, char number[33]) {
    const Column *column = plan->column;
    if (plan->text) return plan->text[column->code[row]];
    if (column->type == TEXT_TYPE) return column->bytes + column->offset[row];
    return column_cell(column, row, number);
}

static Status plan_type(Work *work, StatLayout *plan) {
    plan->labelled = plan->keeps = plan->column->about && plan->column->about->labels;
    plan->type = READSTAT_TYPE_DOUBLE;
    switch (plan->column->type) {
    case REAL_TYPE: return check_reals(work, plan);
    case INTEGER_TYPE: return plan_integers(work, plan);
    case CATEGORY_TYPE: plan->labelled = plan->keeps = false; return plan_category(work, plan);
    case TEXT_TYPE: return plan_string(work, plan);
    case DATE_TYPE:
        if (plan->kind == STAT_DTA) plan->type = READSTAT_TYPE_INT32;
        return OK;
    case DATETIME_TYPE: return OK;
    }
    return OK;
}

/* A portable file has ASCII, and no line ends or tabs. */
static bool is_portable(const char *text) {
    while (*text >= ' ' && *text <= '~') text++;
    return !*text;
}

static Status check_portable(Work *work, const StatLayout *plan) {
    char number[33];
    for (int64_t i = 0; plan->kind == STAT_POR && stat_is_text(plan) && i < plan->column->rows; i++)
        if (!column_missing(plan->column, i) && !is_portable(stat_text(plan, i, number)))
            return out_of_bounds(work, plan, i, "letters beyond ASCII, tabs or line ends, as a text here has");
    return OK;
}

/* ---- labels ---- */

bool stat_label_fits(const StatLayout *plan, CodeValue code) {
    if (code.text) return stat_is_text(plan);
    if (stat_is_text(plan) || (!code.letter && isnan(code.value))) return false;
    return plan->kind != STAT_DTA || code.letter || (code.value == floor(code.value) && fabs(code.value) <= INT32_MAX);
}

const char *stat_label(Work *work, StatKind kind, Labelled of, const char *label) {
    static const struct {
        size_t bytes, letters;
    } room[][3] = { [STAT_SAV] = { { 64, 64 }, { 255, 255 }, { 120, 120 } },
                    [STAT_POR] = { { 0, 0 }, { 255, 255 }, { 60, 60 } },
                    [STAT_DTA] = { { 80, 80 }, { 320, 80 }, { 32000, 32000 } },
                    [STAT_SAS] = { { 0, 0 }, { 0, 0 }, { 0, 0 } },
                    [STAT_XPT] = { { 0, 0 }, { 255, 255 }, { 0, 0 } } };
    const char *end = label + strlen(label);
    size_t length = 0, letters = 0;
    for (int step; label + length < end && (step = utf8_length(label + length, end)) > 0; length += (size_t)step, letters++)
        if (length + (size_t)step > room[kind][of].bytes || letters == room[kind][of].letters) break;
    bool same = kind != STAT_POR || is_portable(label);
    if (label + length == end && same) return label;
    char *out = arena_print(work->arena, "%.*s", (int)length, label), *put = out;
    for (const char *c = same ? NULL : out; c && *c; c++)
        if ((*c & 0xc0) != 0x80) *put++ = (char)(*c < ' ' || *c > '~' ? '?' : *c); /* one for each letter */
    if (out && !same) *put = 0;
    return out;
}

/* ---- formats ---- */

/* A8 and AHEX16 but not ADATE10; $8.; %-9s but not %tcHH:MM:SS.s */
static bool of_texts(const char *format) {
    if (format[0] == 'A') return isdigit((unsigned char)format[1]) || !strncmp(format, "AHEX", 4);
    return format[0] == '$' || (format[0] == '%' && !strchr(format, 't') && format[strlen(format) - 1] == 's');
}

static void plan_format(StatLayout *plan) {
    static const char *const days[] = { "DATE11", "DATE11", "%td", "DATE9", "DATE9" }, *const moments[] = { "DATETIME20", "DATETIME20",
                                                                                                            "%tc", "DATETIME20",
                                                                                                            "DATETIME20" };
    const ColumnMetadata *about = plan->column->about;
    Type type = plan->column->type;
    bool text = stat_is_text(plan);
    StatDateKind clock = type == DATE_TYPE ? CLOCK_DAY : type == DATETIME_TYPE ? CLOCK_MOMENT : CLOCK_NONE;
    bool own = about && about->format && about->origin == stat_program(plan->kind) && strlen(about->format) < sizeof plan->format;
    bool letters = own && of_texts(about->format);
    if (own && !text && !letters && stat_date_kind(plan->kind, about->format) == clock)
        snprintf(plan->format, sizeof plan->format, "%s", about->format);
    else if (own && text && letters && plan->kind == STAT_DTA) snprintf(plan->format, sizeof plan->format, "%s", about->format);
    else if (text && is_spss(plan->kind)) snprintf(plan->format, sizeof plan->format, "A%d", plan->width < 255 ? (int)plan->width : 255);
    else if (clock) snprintf(plan->format, sizeof plan->format, "%s", clock == CLOCK_DAY ? days[plan->kind] : moments[plan->kind]);
    else if (!text && about && about->format && plan->kind != STAT_DTA && stat_seconds_of_day(about->origin, about->format))
        snprintf(plan->format, sizeof plan->format, "TIME8");
    else if (!text && is_spss(plan->kind)) snprintf(plan->format, sizeof plan->format, type == REAL_TYPE ? "F8.2" : "F8.0");
}

bool stat_all_short(const Table *table) {
    for (int64_t i = 0; i < table->columns; i++) {
        const Column *column = table->column[i];
        if (strlen(column->name) > 8 || (column->about && column->about->label && strlen(column->about->label) > 40)) return false;
        for (int64_t w = 0; column->type == CATEGORY_TYPE && w < column->words->count; w++)
            if (strlen(column->words->word[w]) > 200) return false;
        for (int64_t row = 0; column->type == TEXT_TYPE && row < column->rows; row++)
            if (column->offset[row + 1] - column->offset[row] > 201) return false;
    }
    return true;
}

Status stat_layouts(Work *work, const Table *table, StatKind kind, bool short_names, StatLayout **out) {
    Status status = OK;
    const char **names = NULL;
    TRY(stat_names(work, table, kind, short_names, &names));
    NEW(work, *out, table->columns + 1);
    for (int64_t i = 0; i < table->columns; i++) {
        StatLayout *plan = &(*out)[i];
        *plan = (StatLayout){ .column = table->column[i], .kind = kind, .name = names[i], .tells = column_tells_reasons(table->column[i]) };
        TRY(plan_type(work, plan));
        TRY(check_portable(work, plan));
        if (stat_is_text(plan) && !is_spss(kind)) plan->labelled = plan->keeps = false; /* neither Stata nor SAS labels texts */
        TRY(plan_missing(work, plan));
        plan_format(plan);
    }
done:
    return status;
}
