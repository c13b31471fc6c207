/* The ground that full-domain generalisation stands on: keys with their hierarchies, and the distinct records they make. */
#ifndef SCRIM_PROTECT_GENERALIZE_KEY_DOMAIN_H
#define SCRIM_PROTECT_GENERALIZE_KEY_DOMAIN_H
#include "method/param.h"
#include "table/hierarchy.h"

/* One key. Its values are the leaves of its hierarchy, those that the data lack included; a missing value is a leaf of its own until the
 * level where all are one. */
typedef struct Domain {
    const Column *column;
    Codes codes;
    int32_t *leaf; /* code → leaf */
    Hierarchy hierarchy;
    int64_t levels;
    bool missing;    /* there are missing values */
    int32_t leaves;  /* of the hierarchy, missing included: it comes last */
    int32_t *count;  /* level → values there */
    int32_t **value; /* level → leaf → value */
    double **share;  /* level → value → leaves under it, over all leaves */
} Domain;

typedef struct Domains {
    int64_t count;
    Domain *at;
} Domains;
/* Every key needs a hierarchy, and every value of the data (and of the same columns of `population`, which may be NULL) a place in it. */
MUST_CHECK Status domains_make(Work *work, Columns keys, const Tables *hierarchies, const Table *population, Domains *out);
static inline int32_t domain_leaf(const Domain *domain, int64_t row) {
    return domain->codes.at[row] < 0 ? domain->leaves - 1 : domain->leaf[domain->codes.at[row]];
}
/* The leaf of every row of another table's column of the same name. */
MUST_CHECK Status domain_leaves(Work *work, const Domain *domain, const Column *column, int32_t **out);

/* The table with every key at its level, and the records of `suppressed` (may be NULL) without any key. */
MUST_CHECK Status domains_release(Work *work, const Table *table, const Domains *domains, const int64_t *level, const uint8_t *suppressed,
                                  Table **out);
#endif
