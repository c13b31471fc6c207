/* Tables that are compared with one another: a column that is numbers (or dates) in one of them and words in another is read alike. */
#ifndef SCRIM_TABLE_COMMON_TYPES_H
#define SCRIM_TABLE_COMMON_TYPES_H
#include "table/table.h"

/* A column of words as numbers, dates or dates with times; *out is NULL where it holds a word that is neither a value of that kind nor a
 * code for a missing one. Codes are words without digits, and those in `codes` (which may be NULL); such cells become missing by their
 * code. A labelled category becomes the numbers of its file. */
MUST_CHECK Status column_as_values(Work *work, const Column *column, Type type, const Column *codes, Column **out);
/* Numbers as a category of the same cells as text, missing by the same codes. */
MUST_CHECK Status column_as_category(Work *work, const Column *column, Column **out);
/* For every column name that several of the tables have: where the column is of numbers or of dates in one table and of words in another,
 * the words become values if all of them can. changed[i] is the new table (the caller's), or NULL where table i stays as it is. */
MUST_CHECK Status tables_common_types(Work *work, const Table *const *tables, int64_t count, Table **changed);
#endif
