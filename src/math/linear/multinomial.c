/* Multinomial logit by Newton's method. */
#include "math/linear/multinomial.h"
#include <string.h>
#include "base/elementary.h"
#include "math/linear/symmetric.h"

enum { MOST = 1000, STEPS = 100, HALVINGS = 40 };
#define RIDGE 1e-6

void multinomial_chances(const Multinomial *m, int64_t rows, const double *x, int64_t i, double *chance) {
    double most = 0, sum = 0;
    chance[0] = 0;
    for (int32_t k = 1; k < m->classes; k++) {
        const double *b = m->coefficient + (k - 1) * m->columns;
        chance[k] = 0;
        for (int64_t j = 0; j < m->columns; j++) chance[k] += x[j * rows + i] * b[j];
        most = fmax(most, chance[k]);
    }
    for (int32_t k = 0; k < m->classes; k++) sum += chance[k] = exp(chance[k] - most);
    for (int32_t k = 0; k < m->classes; k++) chance[k] /= sum;
}

typedef struct {
    int64_t rows, size;
    const double *x;
    const int32_t *class;
    Multinomial *m;
    double *chance, *slope, *curve, *step;
} Fit;

/* Minus the penalised log-likelihood. */
static double cost(const Fit *f) {
    double sum = 0;
    for (int64_t j = 0; j < f->size; j++) sum += RIDGE / 2 * f->m->coefficient[j] * f->m->coefficient[j];
    for (int64_t i = 0; i < f->rows; i++) {
        if (f->class[i] < 0) continue;
        multinomial_chances(f->m, f->rows, f->x, i, f->chance);
        sum -= log(fmax(f->chance[f->class[i]], 1e-300));
    }
    return sum;
}

/* Slope Σ (p_k − [class = k])·x and curvature Σ p_k([k = l] − p_l)·x·x'. */
static void derivatives(Fit *f) {
    int64_t p = f->m->columns, size = f->size;
    memset(f->curve, 0, (size_t)(size * size) * sizeof *f->curve);
    for (int64_t j = 0; j < size; j++) {
        f->slope[j] = RIDGE * f->m->coefficient[j];
        f->curve[j * size + j] = RIDGE;
    }
    for (int64_t i = 0; i < f->rows; i++) {
        if (f->class[i] < 0) continue;
        multinomial_chances(f->m, f->rows, f->x, i, f->chance);
        for (int32_t k = 1; k < f->m->classes; k++)
            for (int64_t j = 0; j < p; j++) {
                double x = f->x[j * f->rows + i];
                if (x == 0) continue;
                int64_t at = (k - 1) * p + j;
                f->slope[at] += (f->chance[k] - (f->class[i] == k)) * x;
                for (int32_t l = 1; l <= k; l++) {
                    double w = f->chance[k] * ((k == l) - f->chance[l]) * x;
                    for (int64_t g = 0; g < p; g++) f->curve[at * size + (l - 1) * p + g] += w * f->x[g * f->rows + i];
                }
            }
    }
    for (int64_t a = 0; a < size; a++)
        for (int64_t b = 0; b < a; b++) f->curve[b * size + a] = f->curve[a * size + b];
}

/* A full step, halved while it makes things worse. */
static bool improve(Fit *f, double *now) {
    double size = 1, before = *now, *b = f->m->coefficient;
    for (int64_t j = 0; j < f->size; j++) b[j] -= f->step[j];
    for (int tries = 0; (*now = cost(f)) > before && tries < HALVINGS; tries++) {
        size /= 2;
        for (int64_t j = 0; j < f->size; j++) b[j] += size * f->step[j];
    }
    return before - *now > 1e-12 * (1 + fabs(before));
}

Status multinomial_fit(Work *work, int64_t rows, int64_t columns, const double *x, const int32_t *class, int32_t classes,
                       Multinomial *out) {
    Status status = OK;
    Fit f = { .rows = rows, .size = (classes > 1 ? classes - 1 : 0) * columns, .x = x, .class = class, .m = out };
    *out = (Multinomial){ .columns = columns, .classes = classes };
    if (f.size > MOST)
        return fail(work->error, BAD, "a model of %lld coefficients (%d categories, %lld terms) is too large", (long long)f.size, classes,
                    (long long)columns);
    NEW(work, out->coefficient, f.size + 1);
    NEW(work, f.chance, classes + 1);
    NEW(work, f.slope, f.size + 1);
    NEW(work, f.step, f.size + 1);
    NEW(work, f.curve, f.size * f.size + 1);
    double now = cost(&f);
    out->converged = !f.size;
    for (int step = 0; !out->converged && step < STEPS; step++) {
        TRY(work_check(work));
        derivatives(&f);
        TRY(linear_solve(work, f.curve, f.size, f.slope, 1, f.step));
        out->converged = !improve(&f, &now);
    }
done:
    return status;
}
