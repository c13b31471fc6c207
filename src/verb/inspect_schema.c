/* scrim inspect --schema: a schema for private synthesis and noisy queries, as a proposal. What is known from a column's name or from the
 * file's value labels is public. What comes from the values is rounded or shortened, and marked `confirm`: a schema with that mark is
 * refused (table/schema.c). */
#include <string.h>
#include "base/elementary.h"
#include "base/escape.h"
#include "base/number_text.h"
#include "verb/inspect.h"

enum { FEWEST_RECORDS = 10, MOST_CATEGORIES = 200, OLDEST = 120 };

static const char *kept(Work *work, Buffer *text) {
    const char *copy = arena_text(work->arena, buffer_get(text));
    buffer_free(text);
    return copy;
}

/* digit · 10^power, so that its multiples are exact decimals. */
typedef struct RoundUnit {
    int digit, power;
} RoundUnit;

static double multiple(RoundUnit unit, double k) {
    double scale = 1;
    for (int i = unit.power < 0 ? -unit.power : unit.power; i > 0; i--) scale *= 10;
    return unit.power < 0 ? k * unit.digit / scale : k * unit.digit * scale;
}

enum { LEAST_POWER = -12, MOST_POWER = 300 };
/* The least of 1, 2, 5, 10, 20 … that is larger. */
static RoundUnit round_unit_above(double x) {
    RoundUnit unit = { 1, LEAST_POWER };
    while (unit.power < MOST_POWER && multiple(unit, 10) <= x) unit.power++;
    for (int k = 0; k < 3; k++) {
        unit.digit = (int[]){ 1, 2, 5 }[k];
        if (multiple(unit, 1) > x) return unit;
    }
    return (RoundUnit){ 1, unit.power + 1 };
}

/* Multiples of a round number beyond the values: never the extremes themselves, except 0 where no value is negative. */
static void round_bounds(double least, double most, double *low, double *high) {
    double span = most > least ? most - least : fabs(most);
    const RoundUnit unit = span > 0 ? round_unit_above(span) : (RoundUnit){ 1, 0 };
    double below = floor(least / multiple(unit, 1)), above = ceil(most / multiple(unit, 1));
    if (multiple(unit, below) >= least) below--;
    if (multiple(unit, above) <= most) above++;
    *low = least >= 0 && below < 0 ? 0 : multiple(unit, below);
    *high = multiple(unit, above);
}

static void number_line(Work *work, const Seen *seen, SchemaLine *out) {
    const Column *column = seen->column;
    bool integer = column->type == INTEGER_TYPE;
    double least = column_number(column, seen->codes.first_row[0]), low = 0, high = OLDEST;
    double most = column_number(column, seen->codes.first_row[seen->codes.count - 1]);
    bool age = integer && column_called(seen->head, CALLED_AGE) && least >= 0 && most <= OLDEST;
    Buffer text = { 0 };
    char from[33], to[33];
    if (!age) round_bounds(least, most, &low, &high);
    if (!isfinite(low) || !isfinite(high) || (integer && (fabs(low) > 0x1p53 || fabs(high) > 0x1p53))) {
        out->source = "has numbers that are too large for bounds";
        return;
    }
    out->derived = !age;
    out->source = age ? "bounds of an age, by the column's name" : "bounds from the data, rounded";
    buffer_print(&text, "{type: %s, bounds: [%s, %s], missing: possible%s}", integer ? "integer" : "real", real_text(low, from),
                 real_text(high, to), age ? "" : ", confirm: bounds");
    out->text = kept(work, &text);
}

/* The codebook's list, whether the values occur or not. */
static void labelled_line(Work *work, const ColumnMetadata *about, SchemaLine *out) {
    Buffer text = { 0 };
    int32_t count = 0;
    buffer_text(&text, "{categories: [");
    for (int32_t k = 0; k < about->labels; k++) {
        if (metadata_is_missing(about, about->label_of[k].of)) continue;
        if (count++) buffer_text(&text, ", ");
        put_json_text(&text, about->label_of[k].word);
    }
    buffer_text(&text, "], missing: possible}");
    const char *line = kept(work, &text);
    out->source = "categories of the file's value labels";
    out->text = count ? line : NULL;
}

/* The words of ten records or more, and `other`. A rarer word may be known from one person's record alone. */
static void category_line(Work *work, const Seen *seen, SchemaLine *out) {
    Buffer text = { 0 };
    int32_t count = 0;
    char number[33];
    buffer_text(&text, "{categories: [");
    for (int32_t c = 0; c < seen->codes.count; c++) {
        const char *word = column_cell(seen->column, seen->codes.first_row[c], number);
        if (seen->size[c] < FEWEST_RECORDS || !strcmp(word, "other")) continue;
        put_json_text(&text, word);
        buffer_text(&text, ", ");
        count++;
    }
    buffer_text(&text, "other], missing: possible, confirm: categories}");
    out->text = kept(work, &text);
    out->derived = count <= MOST_CATEGORIES;
    out->source = "categories from the data: those of ten records or more";
    if (out->derived) return;
    out->text = NULL;
    out->source = "has more than 200 categories: write a list that is public";
}

void inspect_schema_line(Work *work, const Seen *seen, SchemaLine *out) {
    Type type = seen->column->type;
    const ColumnMetadata *about = seen->column->about;
    *out = (SchemaLine){ 0 };
    if (!seen->present) out->source = "has no value";
    else if (type == DATE_TYPE || type == DATETIME_TYPE) out->source = "is a date, which a schema does not have";
    else if (column_tells_days(seen->head)) out->source = "holds days, which a schema does not have";
    else if (!strcmp(seen->type, type_name(TEXT_TYPE))) out->source = "is text, which a schema does not have";
    else if (seen->level != MEASURE_SCALE && about && about->labels) labelled_line(work, about, out);
    else if (column_numeric(seen->column) && seen->level == MEASURE_SCALE) number_line(work, seen, out);
    else category_line(work, seen, out);
}

/* Why the column is no part of a release; NULL where it is one. */
static const char *why_left_out(const RoleGuess *guess) {
    if (same_text(guess->role, "identifiers")) return "names people";
    if (same_text(guess->role, "notes")) return "is free text";
    if (same_text(guess->role, "person")) return "says whose a record is: the line `person`";
    if (same_text(guess->role, "household")) return "is the number of a household";
    return NULL;
}

void inspect_say_schema(Run *run, const Table *data, const SchemaLine *line, const SuggestedRole *role) {
    Grid *grid = grid_new(run->result, "schema", INSPECT_SCHEMA);
    int64_t marked = 0;
    for (int64_t j = 0; j < data->columns; j++) {
        const char *why = why_left_out(&role[j].guess);
        grid_text(grid, data->column[j]->name);
        grid_text(grid, why ? NULL : line[j].text);
        grid_text(grid, why ? why : line[j].source);
        marked += !why && line[j].derived;
    }
    grid_done(grid);
    result_note(run->result,
                "The schema is a proposal; -o schema.yaml writes it. %lld of its lines were derived from the data and are marked "
                "`confirm`. A schema is public: compare these lines with the questionnaire or the codebook, correct them, and remove "
                "`confirm`. No command accepts the schema before that.",
                (long long)marked);
}
