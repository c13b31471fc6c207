/* What the user says of single columns of a file, in every format: codes for missing values, types, and how dates are written.
 * CSV applies words for missing values and plain types while it parses. What remains, and everything for other formats, is applied to the
 * table that was read. */
#ifndef SCRIM_IO_READING_RULES_H
#define SCRIM_IO_READING_RULES_H
#include "io/csv/csv.h"

/* "bmi=999": a code of one column; column NULL: of every column. */
typedef struct MissingRule {
    const char *column, *code;
} MissingRule;
/* "birth:date:dd.mm.yyyy", "zip:text", "zone:nominal". */
typedef struct TypeRule {
    const char *column;
    Type type;
    MeasureLevel level; /* where it is set, the type stays */
    const char *format; /* of dates; NULL: 1999-12-31 */
} TypeRule;
typedef struct ReadingRules {
    int64_t missings, types;
    MissingRule *missing;
    TypeRule *type;
    bool elsewhere; /* a column that is named may be another table's */
} ReadingRules;

/* Takes from the options what is applied after reading; `rest` is for the reader. BAD where an item is not of these forms. `options` may be
 * NULL. */
MUST_CHECK Status reading_rules_make(Work *work, const CsvOptions *options, bool csv, CsvOptions *rest, ReadingRules *out);
/* Applies them to a table that no other person has yet: another reference where there is nothing to do. BAD names the column whose cells do not
 * fit. */
MUST_CHECK Status reading_rules_apply(Work *work, const ReadingRules *rules, Table *table, Table **out);
/* A day as the format says (d, m and y stand for digits, all else for itself; two digits of a year are 1930 to 2029). */
bool read_day_as(const char *text, const char *format, int32_t *days);
/* Is it such a format: a day, a month and a year, each once? */
bool is_day_format(const char *format);
#endif
