/* Values that recoding makes: intervals of numbers as text. */
#ifndef SCRIM_TABLE_COARSE_H
#define SCRIM_TABLE_COARSE_H
#include <stdbool.h>

typedef struct CoarseInterval {
    double low, high;
    bool low_open, high_open;
} CoarseInterval; /* ends may be infinite */
/* "[45,60)", "(45, 60]", "45-60", "45–60", "45 to 60", "90+", ">=90", "<5", "≤ 5", "under 5", "45-45"; not a single number, and not an
 * empty interval. */
bool coarse_read(const char *text, CoarseInterval *out);
bool coarse_holds(const CoarseInterval *interval, double x);
#endif
