/* Dimensions of different tables that are one variable: one whose codes are those of the other under other names, or groups of them. No
 * relation of the tables says so, and what is hidden of one follows from the other. */
#ifndef SCRIM_TABULAR_ONE_VARIABLE_H
#define SCRIM_TABULAR_ONE_VARIABLE_H
#include "tabular/model.h"

/* Two dimensions that no table shows together, of which the tables do not tell whether one determines the other. */
typedef struct DoubtfulPair {
    int64_t one, other;
} DoubtfulPair;
typedef struct DoubtfulPairs {
    int64_t apart; /* pairs that no table shows together */
    int64_t count;
    DoubtfulPair *pair;
} DoubtfulPairs;

/* BAD where two dimensions that no table shows together are one variable: the same codes (three or more) with the same totals, or totals of
 * one that are sums of the other's so often that chance would give it in less than 1 of 10^6 cases. *out: pairs of which the tables neither
 * show that nor exclude it. Pairs that were compared in the data (Structure.compared) are passed over. */
MUST_CHECK Status one_variable_find(Work *work, const Model *model, DoubtfulPairs *out);
/* A note that names them, and the value `uncompared` where some pair is not shown together. */
void one_variable_say(Run *run, const Model *model, const DoubtfulPairs *doubtful);
#endif
