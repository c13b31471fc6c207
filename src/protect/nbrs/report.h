/* What neighbourhood sampling says of itself. */
#ifndef SCRIM_PROTECT_NBRS_REPORT_H
#define SCRIM_PROTECT_NBRS_REPORT_H
#include "method/method.h"
#include "protect/nbrs/nbrs.h"

MUST_CHECK Status report_neighbourhoods(Run *run, const Sampling *sampling); /* values, table and chart of |S| */
/* Section 8: by how far out a record is, how many neighbours it has. Section 5.2: who is alone, by the number of records and of columns. */
MUST_CHECK Status report_fringes(Run *run, const Sampling *sampling);
MUST_CHECK Status report_sizes(Run *run, const Sampling *sampling);
/* Section 7 of the paper: a rare value that reappears (born in Tonga) proves that its holder is in the data. */
MUST_CHECK Status report_rare(Run *run, const Sampling *sampling, int64_t rare);
#endif
