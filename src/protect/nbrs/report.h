/* What neighbourhood sampling says of itself. */
#ifndef SCRIM_PROTECT_NBRS_REPORT_H
#define SCRIM_PROTECT_NBRS_REPORT_H
#include "method/method.h"
#include "protect/nbrs/nbrs.h"

MUST_CHECK Status report_neighbourhoods(Run *run, const Sampling *sampling); /* values, table and chart of |S| */
/* Section 7 of the paper: a rare value that reappears (born in Tonga) proves that its holder is in the data. */
MUST_CHECK Status report_rare(Run *run, const Sampling *sampling, int64_t rare);
#endif
