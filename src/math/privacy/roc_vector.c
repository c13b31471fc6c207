/* The ROC privacy of a vector: the log likelihood ratios of its elements convolved through their Fourier transforms. */
#include <complex.h>
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/fft.h"
#include "math/privacy/roc.h"

#ifndef CMPLX /* the C library offers it to gcc alone */
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#endif

/* Element i gives T_i = ln cosh(√l_i |z|) − l_i/2 with z standard normal under "same" and N(√l_i, 1) under "different" (the ratio of the
 * noncentral to the central χ²₁ density at z²). AUC = P(D > 0) for D = Σ(T_i under "different") − Σ(T_i under "same"), all independent, so
 * the characteristic function of D is a product, and P(D > 0) = ½ + Σ_m Im φ_D((m+½)δ) / (π(m+½)), off by no more than P(|D| > 2π/δ)
 * (Davies 1973). T is an analytic function of z: the trapezoidal rule in z gives φ to rounding, and a non-uniform FFT (Greengard & Lee
 * 2004) gives it at all frequencies at once. */
typedef struct Element {
    double noncentrality;
    int64_t times;
} Element;
typedef struct Plan {
    Work *work;
    int64_t count; /* distinct elements */
    Element *element;
    double step; /* δ, of the frequencies (m + ½)δ */
    int64_t modes;
    Fft fft;                          /* of twice the modes */
    double complex *same, *different; /* count × modes: each element's transforms, raised to `times` */
} Plan;

enum { SPREAD = 12 }; /* grid points on each side that a node is spread over: 1e-12 */

static Status plan_elements(Work *work, const double *noncentrality, int64_t count, Plan *plan) {
    Status status = OK;
    double *sorted = NULL;
    *plan = (Plan){ .work = work };
    NEW(work, sorted, count + 1);
    NEW(work, plan->element, count + 1);
    for (int64_t i = 0; i < count; i++) {
        if (!(noncentrality[i] >= 0) || isinf(noncentrality[i])) TRY(fail(work->error, BAD, "a noncentrality is a number of zero or more"));
        sorted[i] = noncentrality[i];
    }
    qsort(sorted, (size_t)count, sizeof *sorted, ascending_real);
    for (int64_t i = 0; i < count; i++) {
        if (sorted[i] == 0) continue;
        if (!plan->count || plan->element[plan->count - 1].noncentrality != sorted[i])
            plan->element[plan->count++].noncentrality = sorted[i];
        plan->element[plan->count - 1].times++;
    }
done:
    return status;
}

static double log_cosh(double x) {
    x = fabs(x);
    if (x < 0.5) {
        double s = sinh(x / 2);
        return log1p(2 * s * s);
    }
    return x + log1p(exp(-2 * x)) - M_LN2;
}

/* ln E exp(aT) under "same", by the trapezoidal rule, good to a few digits. */
static double log_moment(double l, double a) {
    enum { NODES = 240 };
    double root = sqrt(l), top = 10 + fmax(a, 0) * root, dz = top / NODES, largest = -INFINITY, sum = 0, exponent[NODES + 1];
    for (int k = 0; k <= NODES; k++) {
        double z = k * dz;
        exponent[k] = a * (log_cosh(root * z) - l / 2) - z * z / 2;
        largest = fmax(largest, exponent[k]);
    }
    for (int k = 0; k <= NODES; k++) sum += (k ? 2 : 1) * exp(exponent[k] - largest);
    return largest + log(sum * dz / sqrt(2 * M_PI));
}

/* A length that D leaves, on either side, with probability below 1e-10: Chernoff's bound, the best of a few tilts. D's lower tail is
 * lighter: p(−d) = e^−d p(d). */
static double span(const Plan *plan) {
    static const double tilts[] = { 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1.5, 3, 6, 12 };
    double largest = plan->element[plan->count - 1].noncentrality, best = INFINITY;
    for (size_t j = 0; j < sizeof tilts / sizeof *tilts; j++) {
        double s = tilts[j] / largest, sum = 0;
        for (int64_t i = 0; i < plan->count; i++) {
            const Element *e = &plan->element[i];
            sum += (double)e->times * (log_moment(e->noncentrality, 1 + s) + log_moment(e->noncentrality, -s));
        }
        best = fmin(best, (sum + 24) / s);
    }
    return best;
}

static double complex integer_power(double complex base, int64_t power) {
    double complex out = 1;
    for (; power; power >>= 1, base *= base)
        if (power & 1) out *= base;
    return out;
}

/* Σ weight·exp(i x m) for m = −modes/2 … modes/2−1 and any x: nodes are spread over a grid of twice the modes by a Gaussian, whose
 * transform is divided out. */
static void spread_node(double complex *grid, int64_t size, double tau, double x, double complex weight) {
    double cell = 2 * M_PI / (double)size, at = x / cell;
    int64_t near = (int64_t)floor(at);
    double offset = (at - (double)near) * cell;
    for (int64_t j = 1 - SPREAD; j <= SPREAD; j++) {
        double away = (double)j * cell - offset;
        grid[(near + j) & (size - 1)] += weight * exp(-away * away / (4 * tau));
    }
}

/* e^(iφ) */
static double complex unit(double angle) { return CMPLX(cos(angle), sin(angle)); }

static void finish_modes(const Fft *fft, double complex *grid, double tau, int64_t times, double complex *out) {
    int64_t size = fft->size, modes = size / 2;
    fft_inverse(fft, (Complex *)grid); /* the sign +, as characteristic functions have; divided by size */
    for (int64_t m = 0; m < modes; m++) {
        double centred = (double)(m - modes / 2);
        double factor = sqrt(M_PI / tau) * exp(tau * centred * centred);
        out[m] = integer_power(grid[(m - modes / 2) & (size - 1)] * factor, times);
    }
}

static Status transform_element(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Plan *plan = self;
    int64_t modes = plan->modes, size = 2 * modes;
    double tau = M_PI * SPREAD / (double)(modes * modes) / 3; /* R = 2: π·spread/(modes²·R(R−½)) */
    double complex *same = malloc((size_t)size * sizeof *same), *different = malloc((size_t)size * sizeof *different);
    Complex *spare = malloc((size_t)size * sizeof *spare);
    Fft fft = fft_beside(&plan->fft, spare);
    (void)block;
    if (!same || !different || !spare) {
        free(same);
        free(different);
        free(spare);
        return out_of_memory(error);
    }
    for (int64_t i = first; i < last; i++) {
        double l = plan->element[i].noncentrality, root = sqrt(l), top = 8 + root;
        double fastest = (double)modes * plan->step * root * tanh(root * top); /* the integrand's largest phase velocity in z */
        double dz = 2 * M_PI / (fastest + fmax(8, 15 * root));
        memset(same, 0, (size_t)size * sizeof *same);
        memset(different, 0, (size_t)size * sizeof *different);
        for (int64_t k = 0; (double)k * dz <= top; k++) {
            double z = (double)k * dz, x = plan->step * (log_cosh(root * z) - l / 2), weight = (k ? 2 : 1) * dz / sqrt(2 * M_PI);
            double complex turn = unit(x * ((double)modes / 2 + 0.5)) * weight;
            spread_node(same, size, tau, x, turn * exp(-z * z / 2));
            spread_node(different, size, tau, x, turn * (exp(-(z - root) * (z - root) / 2) + exp(-(z + root) * (z + root) / 2)) / 2);
        }
        finish_modes(&fft, same, tau, plan->element[i].times, plan->same + i * modes);
        finish_modes(&fft, different, tau, plan->element[i].times, plan->different + i * modes);
    }
    free(same);
    free(different);
    free(spare);
    return OK;
}

/* The transforms of both sums: products over the elements, left in the first element's row. */
static Status transform(Plan *plan, int64_t modes) {
    Status status = OK;
    plan->modes = modes;
    NEW(plan->work, plan->same, plan->count * modes);
    NEW(plan->work, plan->different, plan->count * modes);
    TRY(fft_make(plan->work, 2 * modes, &plan->fft));
    TRY(parallel_for(plan->work, plan->count, 1, transform_element, plan));
    for (int64_t i = 1; i < plan->count; i++)
        for (int64_t m = 0; m < modes; m++) {
            plan->same[m] *= plan->same[i * modes + m];
            plan->different[m] *= plan->different[i * modes + m];
        }
done:
    fft_drop(plan->work, &plan->fft);
    return status;
}

static void plan_drop(Plan *plan) {
    arena_drop(plan->work->arena, plan->same);
    arena_drop(plan->work->arena, plan->different);
    plan->same = plan->different = NULL;
}

static double area(const Plan *plan) {
    double sum = 0;
    for (int64_t m = plan->modes - 1; m >= 0; m--) sum += cimag(plan->different[m] * conj(plan->same[m])) / ((double)m + 0.5);
    return 0.5 + sum / M_PI;
}

static bool one_element(const Plan *plan) { return plan->count == 1 && plan->element[0].times == 1; }

/* Doubles the number of frequencies until the answer stands still; the plan keeps the last transforms. */
static Status converge(Plan *plan, double *auc, double *error) {
    enum { LEAST = 128, MOST = 1 << 18 };
    Status status = OK;
    double last = NAN;
    plan->step = 2 * M_PI / span(plan);
    for (int64_t modes = LEAST; modes <= MOST; modes *= 2) {
        TRY(work_check(plan->work));
        plan_drop(plan);
        TRY(transform(plan, modes));
        *auc = area(plan);
        *error = fabs(*auc - last) + 1e-9;
        if (fabs(*auc - last) < 2e-8) break;
        last = *auc;
    }
done:
    return status;
}

/* 1 to within 1e-10, by two bounds that need no convolution: the vector tells at least as well as its largest element, and
 * P(D ≤ 0) ≤ E exp(−D/2) = Π (E_same exp(T_i/2))². What is left has elements below 80 and a span that a few thousand frequencies cover,
 * so that the work does not grow with the noncentrality that is asked for. */
static bool tells_for_certain(const Plan *plan) {
    double largest = plan->element[plan->count - 1].noncentrality, sum = 0;
    if (1 - roc_auc(largest) < 1e-10) return true;
    for (int64_t i = 0; i < plan->count && sum > -24; i++)
        sum += 2 * (double)plan->element[i].times * log_moment(plan->element[i].noncentrality, 0.5);
    return sum <= -24;
}

Status roc_vector_auc(Work *work, const double *noncentrality, int64_t count, double *auc, double *error) {
    Status status = OK;
    Plan plan;
    double bound = 0;
    TRY(plan_elements(work, noncentrality, count, &plan));
    *auc = plan.count ? roc_auc(plan.element[0].noncentrality) : 0.5;
    if (plan.count && !one_element(&plan) && tells_for_certain(&plan)) {
        *auc = 1;
        bound = 1e-10;
    } else if (plan.count && !one_element(&plan)) {
        TRY(converge(&plan, auc, &bound));
        plan_drop(&plan);
    }
    *auc = smaller(larger(*auc, 0.5), 1);
    if (error) *error = bound;
done:
    return status;
}

/* False position would need a bracket anyway: the area grows with l, between that of one element of l and that of one element of count·l.
 */
Status roc_vector_noncentrality(Work *work, double auc, int64_t count, double *noncentrality) {
    Status status = OK;
    double high = roc_noncentrality(auc), low = high / (double)count, *all = NULL, value;
    if (count == 1) {
        *noncentrality = high;
        return OK;
    }
    NEW(work, all, count);
    for (int turn = 0; turn < 60 && high - low > 1e-12 * high; turn++) {
        double middle = (low + high) / 2;
        for (int64_t i = 0; i < count; i++) all[i] = middle;
        TRY(roc_vector_auc(work, all, count, &value, NULL));
        if (value > auc) high = middle;
        else low = middle;
    }
    *noncentrality = low;
done:
    return status;
}

/* P(T > t) from the transform of T, at one t. */
static double survival(const Plan *plan, const double complex *transformed, double t) {
    double sum = 0;
    for (int64_t m = 0; m < plan->modes; m++) {
        double u = ((double)m + 0.5) * plan->step;
        sum += cimag(transformed[m] * unit(-u * t)) / ((double)m + 0.5);
    }
    return smaller(larger(0.5 + sum / M_PI, 0), 1);
}

static void curve_of_one(double noncentrality, int64_t points, double *fpr, double *tpr) {
    for (int64_t i = 1; i + 1 < points; i++) {
        double share = (double)i / (double)(points - 1);
        fpr[i] = share * share; /* denser where the curve is steep */
        tpr[i] = roc_power(noncentrality, fpr[i]);
    }
}

Status roc_vector_curve(Work *work, const double *noncentrality, int64_t count, int64_t points, double *fpr, double *tpr) {
    Status status = OK;
    Plan plan;
    double auc, error, edge = 0;
    TRY(plan_elements(work, noncentrality, count, &plan));
    fpr[0] = tpr[0] = 0;
    fpr[points - 1] = tpr[points - 1] = 1;
    if (!plan.count || one_element(&plan) || tells_for_certain(&plan)) {
        curve_of_one(plan.count ? plan.element[plan.count - 1].noncentrality : 0, points, fpr, tpr);
        return OK;
    }
    TRY(converge(&plan, &auc, &error));
    for (int64_t i = 0; i < plan.count; i++) edge -= plan.element[i].noncentrality * (double)plan.element[i].times / 2;
    for (int64_t i = 1; i + 1 < points; i++) {
        double share = 1 - (double)i / (double)(points - 1),
               t = edge + M_PI / plan.step * share * share * share; /* from half the span down to the edge */
        fpr[i] = larger(survival(&plan, plan.same, t), fpr[i - 1]);
        tpr[i] = larger(survival(&plan, plan.different, t), tpr[i - 1]);
    }
    plan_drop(&plan);
done:
    return status;
}
