/* Columns that go together: groups of columns by association. */
#ifndef SCRIM_PROTECT_COLUMN_GROUPS_H
#define SCRIM_PROTECT_COLUMN_GROUPS_H
#include "method/param.h"

/* How strongly two columns go together, 0 to 1: |Spearman's r| of two numbers, else Cramér's V, corrected for its bias (Bergsma 2013),
 * numbers cut into ten classes by rank. Over the records that have both. */
MUST_CHECK Status association(Work *work, const Column *a, const Column *b, double *out);

/* `columns` in `parts` groups, each of half to one and a half times the average size (eighty columns in eight parts: five to fifteen, as
 * Paass 1988 has them). Seeds are columns that have little to do with one another; each group then takes, in turn, the column that goes
 * best with it until all have their least size, and the rest go where they fit best. */
MUST_CHECK Status column_groups(Work *work, Columns columns, int64_t parts, Groups *out);
#endif
