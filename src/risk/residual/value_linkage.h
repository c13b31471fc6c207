/* Who is who in a release that was put into another order, or is a part of its original: by the values that one record alone has. */
#ifndef SCRIM_RISK_LOOSE_ENDS_VALUE_LINKAGE_H
#define SCRIM_RISK_LOOSE_ENDS_VALUE_LINKAGE_H
#include "risk/residual/column_pair.h"

/* Released record → record of the original, -1 where the values do not tell: pairs of records that some value which no other person has leads
 * to, and which agree so far in other columns that they are more likely one person's than not. */
MUST_CHECK Status whose_by_value(const Kept *kept, int64_t **out);
#endif
