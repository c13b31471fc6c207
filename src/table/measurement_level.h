/* Whole numbers: measurements or codes of categories. And the words in a column's name that tell it. */
#ifndef SCRIM_TABLE_MEASUREMENT_LEVEL_H
#define SCRIM_TABLE_MEASUREMENT_LEVEL_H
#include "table/table.h"

/* Whole numbers that stand for categories, of which a mean has no meaning. Decided here for all methods, by the first of these that applies:
 * labels of the values; the measurement level that the file or --types gives; the column's name (sex, region; number, hours); its values,
 * where they are few and small and are not distributed as counts are. */
bool column_is_codes(const Column *column);
/* The same of a column whose row i stands for times[i] records. */
bool column_is_codes_times(const Column *column, const int64_t *times);
bool column_is_codes_sized(const Column *column, const Codes *codes, const int64_t *size); /* the same of its distinct values */
/* Is the name, or one of its words (sampling_weight, birthDate), in the list " word word "? Letters are folded, and digits at the end are
 * ignored (zip3). */
bool name_has_word(const char *name, const char *words);
extern const char geography_words[]; /* names of columns of places */
#endif
