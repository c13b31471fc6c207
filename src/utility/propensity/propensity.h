/* Can a release be told from its original? Parts of utility.propensity. */
#ifndef SCRIM_UTILITY_PROPENSITY_H
#define SCRIM_UTILITY_PROPENSITY_H
#include "method/method.h"
#include "classes/joint_codes.h"
#include "math/tree/tree.h"
#include "table/packed_reals.h"

enum { LOGISTIC, CART };
typedef struct {
    const Table *original, *released;
    Columns vars;
    unsigned model;
    int64_t order, permutations, min_leaf;
    double complexity;
} PropensityArgs;

/* Both tables end to end, the original first. One variable: numbers over both (NaN = missing), or joint codes (-1 = missing). */
typedef struct Variable {
    const char *name;
    PackedReals number;
    const int32_t *code;
    int32_t codes;
    const char **label;
} Variable;
typedef struct Stack {
    Run *run;
    const PropensityArgs *a;
    int64_t rows, released, variables; /* of both; of the release; variables */
    Variable *variable;
    double share;      /* c: the release's share of the records */
    double complexity; /* cart: that of every tree */
} Stack;

/* Fills score (one per record: the estimated probability that it is of the release), and the null distribution of the mean square. */
typedef struct Null {
    double expected, deviation;
} Null;
MUST_CHECK Status propensity_logistic(Stack *stack, double *score, Null *null);
MUST_CHECK Status propensity_cart(Stack *stack, double *score, Null *null);
/* Adds the pairs of columns that go together otherwise in the release, at most four, as categories of their coarse values. A false alarm
 * in 10⁶ where the files are alike. */
MUST_CHECK Status propensity_pairs(Stack *stack);
/* The complexity at which trees predict the file of records that they have not seen best; NaN where none predicts better
 * than the share by two standard errors. */
MUST_CHECK Status propensity_complexity(Stack *stack, const TreeColumn *columns, const uint64_t *released, double *out);
double propensity_mean_square(const Stack *stack, const double *score); /* mean of (score − c)² */
#endif
