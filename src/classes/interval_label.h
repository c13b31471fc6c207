/* Values that recoding makes: intervals of numbers as text. */
#ifndef SCRIM_CLASSES_INTERVAL_LABEL_H
#define SCRIM_CLASSES_INTERVAL_LABEL_H
#include <stdbool.h>

typedef struct LabelInterval {
    double low, high;
    bool low_open, high_open;
} LabelInterval; /* ends may be infinite */
/* "[45,60)", "(45, 60]", "45-60", "45–60", "45 to 60", "90+", ">=90", "<5", "≤ 5", "under 5", "45-45"; not a single number, and not an
 * empty interval. */
bool interval_label_read(const char *text, LabelInterval *out);
bool interval_label_holds(const LabelInterval *interval, double x);
#endif
