/* The nearest correlation matrix, by projections in turn onto the matrices without negative eigenvalues and those with 1 on the diagonal;
 * the first is corrected as Dykstra's method has it: Higham 2002, Computing the nearest correlation matrix. */
#include "math/linear/nearest_correlation.h"
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/symmetric.h"

enum { TURNS = 200 };
typedef struct Mending {
    Work *work;
    int64_t p;
    double *values, *vectors, *spare, *correction, *before;
    double least; /* eigenvalue of what was looked at last */
} Mending;

/* a with its eigenvalues below a little raised to it. */
static Status raise_eigenvalues(Mending *m, double *a) {
    const int64_t p = m->p;
    Status status = OK;
    TRY(symmetric_eigen(m->work, a, p, m->values, m->vectors));
    m->least = 1;
    memset(a, 0, (size_t)(p * p) * sizeof *a);
    for (int64_t k = 0; k < p; k++) {
        TRY(work_check(m->work));
        m->least = fmin(m->least, m->values[k]);
        double raised = fmax(m->values[k], 1e-8);
        for (int64_t i = 0; i < p; i++)
            for (int64_t j = 0; j < p; j++) a[i * p + j] += raised * m->vectors[k * p + i] * m->vectors[k * p + j];
    }
done:
    return status;
}

/* One turn; *moved: how far the largest cell went. */
static Status turn(Mending *m, double *a, double *moved) {
    const int64_t p = m->p;
    for (int64_t t = 0; t < p * p; t++) m->spare[t] = m->before[t] = a[t] - m->correction[t];
    Status status = raise_eigenvalues(m, m->spare);
    *moved = 0;
    for (int64_t t = 0; t < p * p && !status; t++) {
        const double now = t % (p + 1) ? m->spare[t] : 1;
        m->correction[t] = m->spare[t] - m->before[t];
        *moved = larger(*moved, fabs(now - a[t]));
        a[t] = now;
    }
    return status;
}

/* What is left below zero goes, and the diagonal is brought back to 1. */
static Status settle(Mending *m, double *a) {
    const int64_t p = m->p;
    double *scale = m->values;
    Status status = raise_eigenvalues(m, a);
    for (int64_t i = 0; i < p && !status; i++) scale[i] = 1 / sqrt(a[i * p + i]);
    for (int64_t t = 0; t < p * p && !status; t++) a[t] *= scale[t / p] * scale[t % p];
    return status;
}

Status nearest_correlation(Work *work, double *a, int64_t p, bool *bent) {
    Status status = OK;
    Mending m = { .work = work, .p = p };
    const int64_t cells = p * p + 1;
    double moved = 1;
    NEW(work, m.values, p + 1);
    NEW(work, m.vectors, cells);
    NEW(work, m.spare, cells);
    NEW(work, m.correction, cells);
    NEW(work, m.before, cells);
    memcpy(m.spare, a, (size_t)(p * p) * sizeof *a);
    TRY(raise_eigenvalues(&m, m.spare));
    *bent = m.least < -1e-3;
    for (int k = 0; *bent && k < TURNS && moved > 1e-8; k++) TRY(turn(&m, a, &moved));
    if (*bent && !(moved <= 1e-4))
        TRY(fail(work->error, FAILED, "the search for the nearest correlation matrix did not converge in %d turns", TURNS));
    TRY(settle(&m, a));
done:
    return status;
}
