/* Risk by the number of variables that an intruder knows (Paass 1988; Matloff & Tendick, section 5.2): every subset of the keys. */
#ifndef SCRIM_RISK_KEY_SUBSETS_H
#define SCRIM_RISK_KEY_SUBSETS_H
#include "method/method.h"

enum { MOST_KEYS = 12 };
#define BY_KEYS_COLUMNS "keys:integer subsets:integer least:real median:real worst:real worst_keys:text"
#define BY_KEYS_FLAG(S)                                                                                                                    \
    FLAG(S, by_keys, "Also evaluate all subsets of the keys (at most twelve keys), by size: intruders who know only some of them")

/* The risk to who knows the keys whose bits are set. What it takes is given back: there are thousands of subsets. */
typedef Status SubsetRisk(Run *run, const void *self, unsigned subset, double *out);
/* The table `by_keys` and its chart: the least, median and worst over the subsets of each size. */
MUST_CHECK Status by_number_of_keys(Run *run, Columns keys, const char *title, SubsetRisk *risk, const void *self);
#endif
