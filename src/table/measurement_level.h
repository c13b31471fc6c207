/* Measurement levels: numeric, ordinal, nominal. And the words in a column's name that tell it. */
#ifndef SCRIM_TABLE_MEASUREMENT_LEVEL_H
#define SCRIM_TABLE_MEASUREMENT_LEVEL_H
#include "table/table.h"

/* The measurement level of a column, decided here for all methods by the first of these that applies:
 *   1. what the user declares: --types x:nominal|ordinal|numeric (category means nominal, integer and real numeric), or the role `numeric`;
 *   2. labels of the values, or the level that the file gives;
 *   3. the column's name (sex, region: nominal; number, hours: numeric);
 *   4. its values: whole numbers that are few and small and not distributed as counts are, are nominal.
 * Ordinal comes from the user, the file or an ordered category, never from values. Dates are numeric, text is nominal. Never
 * MEASURE_UNKNOWN; MEASURE_SCALE is what users call numeric. */
MeasureLevel column_level(const Column *column);
MeasureLevel column_level_times(const Column *column, const int64_t *times);                    /* row i stands for times[i] records */
MeasureLevel column_level_sized(const Column *column, const Codes *codes, const int64_t *size); /* the same of its distinct values */
const char *level_name(MeasureLevel level);                                                     /* "nominal", "ordinal", "numeric" */
/* Numbers that stand for categories, of which a mean has no meaning: the level is not numeric. */
bool column_is_codes(const Column *column);
bool column_is_codes_times(const Column *column, const int64_t *times);
bool column_two_values(const Column *column); /* at most: such codes enter a formula as they are, under their own name */
bool column_is_codes_sized(const Column *column, const Codes *codes, const int64_t *size);
/* Is the name, or one of its words (sampling_weight, birthDate), in the list " word word "? Letters are folded, and digits at the end are
 * ignored (zip3). */
bool name_has_word(const char *name, const char *words);
bool name_of_codes(const char *name); /* sex, region, icd, code, … */
extern const char geography_words[];  /* names of columns of places */
#endif
