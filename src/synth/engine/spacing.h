/* The values of a column as a scale of ranks: draws fall between neighbouring values where a value is rare. */
#ifndef SCRIM_SYNTH_ENGINE_SPACING_H
#define SCRIM_SYNTH_ENGINE_SPACING_H
#include "base/work.h"

/* Distinct values in ascending order without spikes, each with the records below and up to it. A value that fewer than five records have is
 * rare. A column in which more than one record in twenty has a rare value is `fine`: in it a rare value is never drawn as it is, since it
 * may name its record, but as a number between its neighbours, as precise as the value is. In other columns rare values are codes. */
typedef struct Spacing {
    int64_t count, records;
    double *value;
    int64_t *upto; /* count + 1: records with a value before value[k] */
    bool fine, days;
} Spacing;

/* Of values in ascending order; a value that more than this many records have is a spike, and left out. `days`: dates, always whole. */
MUST_CHECK Status spacing_make(Work *work, const double *sorted, int64_t count, int64_t spike, bool days, Spacing *out);
/* The first value that is not below x, as its place. */
int64_t spacing_place(const Spacing *spacing, double x);
/* The value at a rank of 0 up to `records`. */
double spacing_at(const Spacing *spacing, double rank);
/* x, or where it is rare a number between its neighbours; u from 0 to 1 tells where. */
double spacing_near(const Spacing *spacing, double x, double u);

/* The ranks from which a draw replaces each of a leaf's values: up to halfway to the leaf's next values, not beyond its least and largest.
 * `value` ascending; low and high have room for `count` ranks. */
void spacing_ranks(const Spacing *spacing, const double *value, int64_t count, double *low, double *high);
#endif
