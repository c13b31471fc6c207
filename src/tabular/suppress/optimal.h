/* The cheapest pattern, by branch and cut (Fischetti & Salazar 2001). */
#ifndef SCRIM_TABULAR_SUPPRESS_OPTIMAL_H
#define SCRIM_TABULAR_SUPPRESS_OPTIMAL_H
#include "tabular/suppress/pattern.h"

/* From a pattern that protects to the cheapest one; `lower` is what none can undercut. Stops after `seconds` or so many nodes (0: never)
 * with the best so far; where nodes are counted, what programs take is, too, and ends it after seconds on any machine. */
MUST_CHECK Status pattern_search(Pattern *pattern, double seconds, int64_t nodes, double *lower);
#endif
