/* What protect methods share: a new table from changed columns, and a count of what changed. */
#ifndef SCRIM_PROTECT_CHANGED_TABLE_H
#define SCRIM_PROTECT_CHANGED_TABLE_H
#include "method/parts.h"

/* A column named and labelled like `like`, from reals (NaN = missing): whole numbers where `like` has them and every value is whole, else
 * real. FAILED where a value is infinite. */
MUST_CHECK Status column_of_reals(const Column *like, const double *values, Column **out, Error *error);
/* The same of values that were drawn, one for each that is present: FAILED where one is not a number, which must not pass for missing. */
MUST_CHECK Status column_of_draws(const Column *like, const double *values, Column **out, Error *error);
/* The cells of `like` taken from other rows: cell i is that of row from[i] (-1 = missing). */
#define column_of_rows(like, from, out, error) column_take(like, from, (like)->rows, out, error)

/* Puts the data with these columns in place of their namesakes into the result, with the values `cells` and `records` (changed) and `share`
 * (of the records). The columns stay the caller's. */
MUST_CHECK Status output_changed(Run *run, const Table *data, Column *const *columns, int64_t count);
/* The same of a part of the table: the counts go into `did`, and are said once of the whole. */
MUST_CHECK Status output_part(Run *run, const Table *data, Column *const *columns, int64_t count, PartState *did);
void say_changed(Run *run, const PartState *did);
void columns_release(Column **columns, int64_t count); /* NULL, and NULL among them, is harmless */

/* What output_changed says, for a method's list of values. */
#define CHANGED_VALUES                                                                                                                     \
    VALUE(cells, INTEGER, "Cells whose value changed", .flags = PUBLIC),                                                                   \
        VALUE(records, INTEGER, "Records with a changed cell", .flags = PUBLIC),                                                           \
        VALUE(share, REAL, "Share of the records with a changed cell", .flags = PUBLIC)
#endif
