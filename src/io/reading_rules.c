/* Missing codes, types and dates of single columns, applied to a table that was read. */
#include "io/reading_rules.h"
#include <ctype.h>
#include <string.h>
#include "base/number_text.h"

/* ---- items ---- */

static const struct {
    const char *word;
    Type type;
} types[] = { { "int", INTEGER_TYPE }, { "integer", INTEGER_TYPE }, { "real", REAL_TYPE },        { "category", CATEGORY_TYPE },
              { "text", TEXT_TYPE },   { "date", DATE_TYPE },       { "datetime", DATETIME_TYPE } };
static const struct {
    const char *word;
    MeasureLevel level;
} levels[] = { { "nominal", MEASURE_NOMINAL }, { "ordinal", MEASURE_ORDINAL }, { "numeric", MEASURE_SCALE } };

static bool type_named(const char *word, size_t size, TypeRule *out) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].word) == size && !memcmp(types[i].word, word, size)) {
            out->type = types[i].type;
            return true;
        }
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (strlen(levels[i].word) == size && !memcmp(levels[i].word, word, size)) {
            out->level = levels[i].level;
            return true;
        }
    return false;
}

bool is_day_format(const char *format) {
    int runs[3] = { 0 };
    char last = 0;
    for (; *format; last = *format++) {
        const char *of = strchr("dmy", *format);
        if (!of && (isalnum((unsigned char)*format) || (unsigned char)*format >= 0x80)) return false;
        if (of && *format != last) runs[of - "dmy"]++;
    }
    return runs[0] == 1 && runs[1] == 1 && runs[2] == 1;
}

/* strchr returns a place in its own literal, which may be another than this one's. */
static int part_of(char letter) { return letter == 'd' ? 0 : letter == 'm' ? 1 : letter == 'y' ? 2 : -1; }

bool read_day_as(const char *text, const char *format, int32_t *days) {
    int64_t part[3] = { 0 }, digits_of_year = 0, year, month, day;
    for (; *format;) {
        int which = part_of(*format), letters = 0, digits = 0;
        if (which < 0) {
            if (*text++ != *format++) return false;
            continue;
        }
        for (char letter = *format; *format == letter; format++) letters++;
        bool fixed = part_of(*format) >= 0; /* no mark behind it: its digits are counted */
        int most = which == 2 ? letters : letters > 2 ? letters : 2;
        for (; isdigit((unsigned char)*text) && digits < most; text++, digits++) part[which] = part[which] * 10 + (*text - '0');
        if (!digits || ((fixed || which == 2) && digits != letters)) return false;
        if (which == 2) digits_of_year = digits;
    }
    if (*text) return false;
    if (digits_of_year == 2) part[2] += part[2] < 30 ? 2000 : 1900;
    if (part[1] < 1 || part[1] > 12 || part[0] < 1 || part[0] > 31) return false;
    int64_t at = days_of(part[2], part[1], part[0]);
    date_of(at, &year, &month, &day);
    *days = (int32_t)at;
    return year == part[2] && month == part[1] && day == part[0]; /* no 31 of April */
}

static Status bad_type(Work *work, const char *item) {
    fail(work->error, BAD, "'%s' is not COLUMN:TYPE", item);
    error_parameter(work->error, "types");
    return error_advice(work->error, "Types are integer, real, category, text, date and datetime; levels are nominal, ordinal and numeric: "
                                     "age:real, zone:nominal. A date may say how it is written: birth:date:dd.mm.yyyy.");
}

static Status read_type(Work *work, const char *item, TypeRule *out) {
    const char *last = strrchr(item, ':'), *end = last;
    *out = (TypeRule){ 0 };
    if (!last || last == item) return bad_type(work, item);
    if (!type_named(last + 1, strlen(last + 1), out)) {
        for (end = last - 1; end > item && *end != ':';) end--;
        if (end == item || strncmp(end, ":date:", 6) || !is_day_format(last + 1)) return bad_type(work, item);
        out->type = DATE_TYPE;
        out->format = last + 1;
    }
    out->column = arena_print(work->arena, "%.*s", (int)(end - item), item);
    return out->column ? OK : out_of_memory(work->error);
}

/* What CSV reads as text first: a date that is not written as 1999-12-31. */
static Status split_types(Work *work, const CsvOptions *options, bool csv, CsvOptions *rest, ReadingRules *out) {
    Status status = OK;
    NEW(work, out->type, options->type_count + 1);
    NEW(work, rest->types, options->type_count + 1);
    rest->type_count = 0;
    for (int64_t i = 0; i < options->type_count; i++) {
        TypeRule rule;
        TRY(read_type(work, options->types[i], &rule));
        if (!csv || rule.format) out->type[out->types++] = rule;
        if (!csv) continue;
        const char *item = rule.format ? arena_print(work->arena, "%s:text", rule.column) : options->types[i];
        if (!item) TRY(out_of_memory(work->error));
        rest->types[rest->type_count++] = item;
    }
done:
    return status;
}

static Status split_missing(Work *work, const CsvOptions *options, bool csv, CsvOptions *rest, ReadingRules *out) {
    Status status = OK;
    NEW(work, out->missing, options->na_count + 1);
    NEW(work, rest->na, options->na_count + 1);
    rest->na_count = 0;
    for (int64_t i = 0; i < options->na_count; i++) {
        const char *item = options->na[i], *equals = strrchr(item, '=');
        bool one = equals && equals > item && equals[1];
        if (one) {
            char *column = arena_print(work->arena, "%.*s", (int)(equals - item), item);
            if (!column) TRY(out_of_memory(work->error));
            out->missing[out->missings++] = (MissingRule){ column, equals + 1 };
        } else if (csv) rest->na[rest->na_count++] = item;
        else out->missing[out->missings++] = (MissingRule){ NULL, item };
    }
done:
    return status;
}

Status reading_rules_make(Work *work, const CsvOptions *options, bool csv, CsvOptions *rest, ReadingRules *out) {
    Status status = OK;
    *out = (ReadingRules){ 0 };
    *rest = options ? *options : (CsvOptions){ 0 };
    if (!options) return OK;
    out->elsewhere = options->types_elsewhere;
    if (options->type_count) TRY(split_types(work, options, csv, rest, out));
    if (options->na_count) TRY(split_missing(work, options, csv, rest, out));
done:
    return status;
}

/* ---- missing codes ---- */

/* The same text, or the same number however it is written. */
static bool is_code(const char *cell, const char *code) {
    double x, y;
    if (!strcmp(cell, code)) return true;
    return read_real(cell, cell + strlen(cell), '.', &x) && read_real(code, code + strlen(code), '.', &y) && x == y;
}

static bool rules_column(const ReadingRules *rules, const Column *column) {
    for (int64_t r = 0; r < rules->missings; r++)
        if (!rules->missing[r].column || !strcmp(rules->missing[r].column, column->name)) return true;
    return false;
}

/* A labelled value is called by its code, too. */
static const char *code_of(const Column *column, const char *cell, char out[33]) {
    const ValueLabel *label = column->about && column->about->labels ? metadata_word(column->about, cell) : NULL;
    return label ? code_text(label->of, out) : cell;
}

static bool is_missing_by(const ReadingRules *rules, const Column *column, const char *cell) {
    char code[33];
    const char *by_code = code_of(column, cell, code);
    for (int64_t r = 0; r < rules->missings; r++)
        if ((!rules->missing[r].column || !strcmp(rules->missing[r].column, column->name)) &&
            (is_code(cell, rules->missing[r].code) || is_code(by_code, rules->missing[r].code)))
            return true;
    return false;
}

/* Words that occur no more leave the dictionary: rows that are missing are taken as such. */
static Status without_codes(Work *work, const ReadingRules *rules, const Column *column, Column **out) {
    Status status = OK;
    int64_t *row = NULL, found = 0;
    uint8_t *mask = NULL;
    char number[33];
    *out = NULL;
    NEW(work, row, column->rows + 1);
    NEW(work, mask, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        const char *cell = column_cell(column, i, number);
        row[i] = cell && is_missing_by(rules, column, cell) ? -1 : i;
        mask[i] = row[i] < 0;
        found += mask[i];
    }
    if (!found) goto done;
    TRY(column_blank(column, mask, out, work->error));
    for (int64_t i = 0; (*out)->reason && i < column->rows; i++)
        if (mask[i]) (*out)->reason[i] = MISSING_CODE_NONE; /* the file's, not blanked here */
done:
    arena_drop(work->arena, mask);
    arena_drop(work->arena, row);
    return status;
}

/* ---- types ---- */

static Status bad_cell(Work *work, const Column *column, int64_t row, const char *what) {
    fail(work->error, BAD, "has a cell that is no %s", what);
    error_column(work->error, column->name);
    return error_row(work->error, row);
}

static Status as_number(Work *work, const Column *column, Type type, Column **out) {
    Status status = OK;
    char number[33];
    TRY(column_new(type, column->name, column->rows, out, work->error));
    TRY(column_need_valid(*out, work->error));
    for (int64_t i = 0; i < column->rows; i++) {
        const char *cell = column_cell(column, i, number);
        bool read = true;
        if (!cell) column_set_missing(*out, i);
        else if (type == REAL_TYPE) read = read_real(cell, cell + strlen(cell), '.', &(*out)->real[i]);
        else read = read_integer(cell, cell + strlen(cell), &(*out)->integer[i]);
        if (!read) TRY(bad_cell(work, column, i, type == REAL_TYPE ? "number" : "whole number"));
    }
    column_seal(*out);
done:
    return status;
}

static Status as_date(Work *work, const Column *column, const char *format, Column **out) {
    Status status = OK;
    char number[33];
    TRY(column_new(DATE_TYPE, column->name, column->rows, out, work->error));
    TRY(column_need_valid(*out, work->error));
    for (int64_t i = 0; i < column->rows; i++) {
        const char *cell = column_cell(column, i, number);
        if (!cell) column_set_missing(*out, i);
        else if (!read_day_as(cell, format ? format : "yyyy-mm-dd", &(*out)->date[i])) TRY(bad_cell(work, column, i, "such date"));
    }
    column_seal(*out);
done:
    return status;
}

static Status as_words(Work *work, const Column *column, Type type, Column **out) {
    Status status = OK;
    const char **cells = NULL;
    char number[33];
    NEW(work, cells, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        const char *cell = column_cell(column, i, number);
        cells[i] = cell ? arena_text(work->arena, cell) : NULL;
        if (cell && !cells[i]) TRY(out_of_memory(work->error));
    }
    TRY((type == TEXT_TYPE ? column_text : column_category)(column->name, cells, column->rows, out, work->error));
done:
    return status;
}

static Status as_type(Work *work, const Column *column, const TypeRule *rule, Column **out) {
    Status status = OK;
    *out = NULL;
    if (column->type == rule->type) return OK;
    switch (rule->type) {
    case INTEGER_TYPE:
    case REAL_TYPE: TRY(as_number(work, column, rule->type, out)); break;
    case DATE_TYPE: TRY(as_date(work, column, rule->format, out)); break;
    case TEXT_TYPE:
    case CATEGORY_TYPE: TRY(as_words(work, column, rule->type, out)); break;
    case DATETIME_TYPE:
        fail(work->error, BAD, "is read as %s, and only CSV can be told to read a date with its time", type_name(column->type));
        TRY(error_column(work->error, column->name));
    }
done:
    if (status) {
        column_release(*out);
        *out = NULL;
    }
    return status;
}

/* ---- a table ---- */

static Status check_columns(Work *work, const ReadingRules *rules, const Table *table) {
    Status status = OK;
    const Column *column;
    if (rules->elsewhere) return OK;
    for (int64_t r = 0; r < rules->missings; r++)
        if (rules->missing[r].column && table_need(table, rules->missing[r].column, &column, work->error)) {
            status = work->error->status;
            return error_parameter(work->error, "na");
        }
    for (int64_t r = 0; r < rules->types; r++)
        if (table_need(table, rules->type[r].column, &column, work->error)) {
            status = work->error->status;
            return error_parameter(work->error, "types");
        }
    return status;
}

/* The table is just read: its columns are not shared. */
static Status set_level(Work *work, Column *column, MeasureLevel level) {
    if (!column->about && !(column->about = metadata_new())) return out_of_memory(work->error);
    column->about->measure = level;
    column->about->declared = true;
    return OK;
}

static Status apply_types(Work *work, const ReadingRules *rules, Table *table, Column **made, int64_t *count) {
    Status status = OK;
    for (int64_t r = 0; r < rules->types; r++) {
        const TypeRule *rule = &rules->type[r];
        int64_t j = table_find(table, rule->column);
        if (j < 0) continue;
        if (rule->level) {
            TRY(set_level(work, table->column[j], rule->level));
            continue;
        }
        TRY(as_type(work, table->column[j], rule, &made[*count]));
        *count += made[*count] != NULL;
    }
done:
    return status;
}

/* A table with its columns changed keeps what else is known of it. */
static Status replace(Work *work, Table *table, Column **made, int64_t count, Table **out) {
    Status status = OK;
    TRY(table_with(table, made, count, out, work->error));
done:
    for (int64_t i = 0; i < count; i++) column_release(made[i]);
    return status;
}

Status reading_rules_apply(Work *work, const ReadingRules *rules, Table *table, Table **out) {
    Status status = OK;
    Table *plain = NULL;
    Column **made = NULL;
    int64_t count = 0;
    *out = NULL;
    TRY(check_columns(work, rules, table));
    NEW(work, made, table->columns + rules->types + 1);
    for (int64_t j = 0; j < table->columns; j++) {
        if (!rules_column(rules, table->column[j])) continue;
        TRY(without_codes(work, rules, table->column[j], &made[count]));
        count += made[count] != NULL;
    }
    TRY(replace(work, table, made, count, &plain));
    count = 0;
    TRY(apply_types(work, rules, plain, made, &count));
    TRY(replace(work, plain, made, count, out));
done:
    table_release(plain);
    return status;
}
