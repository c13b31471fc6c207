/* Perturbation tables of the cell-key method: for each true count, the chances of each change. */
#ifndef SCRIM_TABULAR_PTABLE_H
#define SCRIM_TABULAR_PTABLE_H
#include "base/work.h"

enum { PTABLE_MOST = 64 };
/* Row i: changes v = first[i] … with probabilities p[i][v − first]. The last row serves all larger counts. */
typedef struct PTable {
    int rows, first[2 * PTABLE_MOST + 2], count[2 * PTABLE_MOST + 2];
    double p[2 * PTABLE_MOST + 2][2 * PTABLE_MOST + 2];
} PTable;
/* Greatest entropy with mean 0, variance at most V, changes of at most D, no results in 1 … js, and chances that do not fall towards 0 from
 * below. BAD where none exists. */
MUST_CHECK Status ptable_design(Work *work, int D, double V, int js, PTable *out);
/* The change for this count and key in [0, 1): the interval that the key falls in. */
int ptable_change(const PTable *table, int64_t count, double key);
/* Of magnitudes: changes in half units from −most/2 to most/2, by the same design; p[k] is the chance of (k − most)/2. */
typedef struct Halves {
    int most;
    double p[2 * PTABLE_MOST + 2];
} Halves;
MUST_CHECK Status ptable_halves(Work *work, int D, double V, Halves *out); /* D at most PTABLE_MOST/2 */
double halves_change(const Halves *halves, double key);
#endif
