/* Global recoding of several keys into one (Hundepool & Willenborg 1996; Matthews & Harel 2011, section 2.6.3). */
#ifndef SCRIM_PROTECT_ARGUS_COMBINED_KEYS_H
#define SCRIM_PROTECT_ARGUS_COMBINED_KEYS_H
#include "method/method.h"

typedef struct Crossed {
    Table *data;        /* with the crossed columns in place of those they are made of */
    Columns keys;       /* of it: those left as they are, then the crossed ones */
    int64_t plain;      /* how many are left as they are */
    int64_t categories; /* of the crossed columns before rare ones were folded */
    int64_t folded;     /* of them, those that fewer than k records hold: they become `other` */
} Crossed;

/* Each group of keys becomes one column, named and filled by theirs with a dot between; missing where one of them is. */
MUST_CHECK Status combined_keys(Work *work, const Table *data, Columns keys, const Groups *groups, int64_t k, Crossed *out);
#endif
