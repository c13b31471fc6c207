/* Composition exactly: the privacy loss distribution of each part on a lattice, raised to its power and multiplied by FFT. */
#include <complex.h>
#include <gsl/gsl_fft_complex.h>
#include <string.h>
#include "base/elementary.h"
#include "math/privacy/compose.h"

/* The loss of a part under its own output, L = ln(dP/dQ), and the same outputs' probability under the neighbour. P(L > c) and Q(L > c) are
 * the two rates of the optimal test at threshold c, so the masses of a cell (a, b] are differences of noise_test. Pessimistic (Doroshenko
 * et al. 2022, "connect the dots"): a cell's P- and Q-mass are put on its two ends so that both are kept; its hockey-stick curve then lies
 * on or above the true one and touches it at the lattice. Optimistic: all of a cell goes to its lower end. */
typedef struct Cells {
    int64_t first, count;
    double *mass;
    double infinite;
} Cells;

enum { LATTICE = 1 << 19 };

/* Thresholds that a part's loss exceeds with probability below 1e-18; what does counts as infinite. */
static void loss_range(const Noise *noise, double *low, double *high) {
    double top = noise_epsilon(noise), d = noise->shift / noise->scale;
    if (noise->family == UNIFORM_NOISE || d == 0) top = 0;
    else if (isinf(top)) top = d * (d / 2 + 9); /* Gaussians: N(μ²/2, μ²) */
    *low = -top;
    *high = top;
}

static void split_cell(double a, double b, double p, double q, bool pessimistic, double *lower, double *upper) {
    double right = pessimistic ? (p - exp(a) * q) / -expm1(a - b) : 0;
    if (!(right > 0)) right = 0;
    if (right > p) right = p;
    *lower += p - right;
    *upper += right;
}

static Status fill_cells(Work *work, const Noise *noise, double step, bool pessimistic, Cells *out) {
    Status status = OK;
    double low, high;
    loss_range(noise, &low, &high);
    int64_t first = (int64_t)floor(low / step) - 1, last = (int64_t)ceil(high / step) + 1;
    *out = (Cells){ .first = first, .count = last - first + 1 };
    NEW(work, out->mass, out->count);
    RocPoint above = noise_test(noise, (double)first * step);
    out->mass[0] = 1 - above.tpr; /* what lies below the lattice is moved up to it */
    if (!pessimistic) out->mass[0] = 0;
    for (int64_t j = 1; j < out->count; j++) {
        double a = (double)(first + j - 1) * step, b = (double)(first + j) * step;
        RocPoint next = noise_test(noise, b);
        split_cell(a, b, fmax(above.tpr - next.tpr, 0), fmax(above.fpr - next.fpr, 0), pessimistic, &out->mass[j - 1], &out->mass[j]);
        above = next;
    }
    out->infinite = above.tpr; /* beyond the lattice, or where the neighbour gives nothing at all */
    if (!pessimistic && noise->family != UNIFORM_NOISE) out->infinite = 0;
done:
    return status;
}

/* ln E e^(λL) of the finite part. */
static double log_moment(const Cells *cells, double step, double tilt) {
    double largest = -INFINITY, sum = 0;
    for (int64_t j = 0; j < cells->count; j++)
        if (cells->mass[j] > 0) largest = fmax(largest, tilt * (double)(cells->first + j) * step + log(cells->mass[j]));
    for (int64_t j = 0; j < cells->count; j++)
        if (cells->mass[j] > 0) sum += exp(tilt * (double)(cells->first + j) * step + log(cells->mass[j]) - largest);
    return largest + log(sum);
}

/* The interval that the whole loss leaves with probability below 1e-15 on each side: Chernoff, on a coarse lattice. */
static Status whole_range(Work *work, const Component *part, int64_t count, double *low, double *high) {
    Status status = OK;
    Cells *cells = NULL;
    double *step = NULL, most = 0, least = 0, spread = 0;
    NEW(work, cells, count);
    NEW(work, step, count);
    for (int64_t i = 0; i < count; i++) {
        double a, b, squares = 0;
        loss_range(&part[i].noise, &a, &b);
        step[i] = b > a ? (b - a) / 2000 : 1e-3;
        TRY(fill_cells(work, &part[i].noise, step[i], true, &cells[i]));
        for (int64_t j = 0; j < cells[i].count; j++) {
            double x = (double)(cells[i].first + j) * step[i];
            squares += cells[i].mass[j] * x * x;
        }
        least += (double)part[i].times * a;
        most += (double)part[i].times * b;
        spread += (double)part[i].times * squares;
    }
    *low = least;
    *high = most;
    for (double tilt = 0.05; tilt < 200 && spread > 0; tilt *= 1.4) {
        double t = tilt / sqrt(spread), up = 0, down = 0;
        for (int64_t i = 0; i < count; i++) {
            up += (double)part[i].times * log_moment(&cells[i], step[i], t);
            down += (double)part[i].times * log_moment(&cells[i], step[i], -t);
        }
        *high = fmin(*high, (up + 35) / t);
        *low = fmax(*low, -(down + 35) / t);
    }
done:
    return status;
}

static double complex integer_power(double complex base, int64_t power) {
    double complex out = 1;
    for (; power; power >>= 1, base *= base)
        if (power & 1) out *= base;
    return out;
}

/* Multiplies the part's transform, to its power, into the product. */
static void multiply_in(const Cells *cells, int64_t times, double complex *scratch, double complex *product) {
    memset(scratch, 0, LATTICE * sizeof *scratch);
    for (int64_t j = 0; j < cells->count; j++) scratch[j & (LATTICE - 1)] += cells->mass[j];
    gsl_fft_complex_radix2_forward((double *)scratch, 1, LATTICE);
    for (int64_t k = 0; k < LATTICE; k++) product[k] *= integer_power(scratch[k], times);
}

/* Normal releases compose to one whose shift is √Σμ²: all of them are put together first, however many they are. */
static Status merge_normal(Work *work, const Component *part, int64_t count, Component **out, int64_t *merged) {
    Status status = OK;
    double squares = 0;
    *merged = 0;
    NEW(work, *out, count + 1);
    for (int64_t i = 0; i < count; i++) {
        double mu = part[i].noise.shift / part[i].noise.scale;
        if (part[i].noise.family == GAUSSIAN_NOISE) squares += (double)part[i].times * mu * mu;
        else (*out)[(*merged)++] = part[i];
    }
    if (squares > 0) (*out)[(*merged)++] = (Component){ { .family = GAUSSIAN_NOISE, .scale = 1, .shift = sqrt(squares) }, 1 };
done:
    return status;
}

/* Rounded down, each part lies up to one step lower, and so all of them up to `parts` steps: the window must hold that, or the transform
 * would wrap them round to its top. Where the parts are so many that no lattice does, nothing is promised from below: all the mass is put
 * at 0. */
static void nothing_below(LossDistribution *out) {
    out->step = 1;
    out->first = 0;
    memset(out->mass, 0, LATTICE * sizeof *out->mass);
    out->mass[0] = 1;
    out->infinite = 0;
}

Status compose_exact(Work *work, const Component *given, int64_t given_count, bool pessimistic, LossDistribution *out) {
    Status status = OK;
    double complex *product = NULL, *scratch = NULL;
    double low, high, finite = 1, parts = 0;
    int64_t offset = 0, count;
    Component *part;
    TRY(merge_normal(work, given, given_count, &part, &count));
    TRY(whole_range(work, part, count, &low, &high));
    for (int64_t i = 0; i < count; i++) parts += (double)part[i].times;
    double spare = 4 * (double)count + 64 + (pessimistic ? 0 : parts);
    *out = (LossDistribution){ .step = spare < LATTICE / 2 ? fmax((high - low) / (LATTICE - spare), 1e-9) : 1, .count = LATTICE };
    if (spare >= LATTICE / 2) {
        if (pessimistic) TRY(fail(work->error, BAD, "too many different releases to compose exactly"));
        NEW(work, out->mass, LATTICE);
        nothing_below(out);
        return OK;
    }
    NEW(work, product, LATTICE);
    NEW(work, scratch, LATTICE);
    NEW(work, out->mass, LATTICE);
    for (int64_t k = 0; k < LATTICE; k++) product[k] = 1;
    for (int64_t i = 0; i < count; i++) {
        Cells cells;
        TRY(work_check(work));
        TRY(fill_cells(work, &part[i].noise, out->step, pessimistic, &cells));
        multiply_in(&cells, part[i].times, scratch, product);
        offset += cells.first * part[i].times;
        finite *= pow(1 - cells.infinite, (double)part[i].times);
        arena_drop(work->arena, cells.mass);
    }
    gsl_fft_complex_radix2_inverse((double *)product, 1, LATTICE);
    out->first = (int64_t)floor(low / out->step) - 16 - (pessimistic ? 0 : (int64_t)parts);
    for (int64_t j = 0; j < LATTICE;
         j++) { /* bin b holds the losses offset + b, modulo the lattice: read them off the window that holds nearly all */
        double mass = creal(product[(out->first + j - offset) & (LATTICE - 1)]);
        out->mass[j] = mass > 0 ? mass : 0;
    }
    out->infinite = 1 - finite;
    if (pessimistic) out->infinite += 1e-14 + 2e-15 * parts; /* the tails left out, and what the transforms' rounding may come to */
done:
    arena_drop(work->arena, product);
    arena_drop(work->arena, scratch);
    return status;
}

double loss_delta(const LossDistribution *loss, double epsilon) {
    double sum = 0;
    for (int64_t j = loss->count - 1; j >= 0; j--) {
        double x = (double)(loss->first + j) * loss->step;
        if (x <= epsilon) break;
        sum += loss->mass[j] * -expm1(epsilon - x);
    }
    return fmin(sum + loss->infinite, 1);
}

double loss_epsilon(const LossDistribution *loss, double delta) {
    double low = 0, high = (double)(loss->first + loss->count) * loss->step;
    if (loss->infinite > delta) return INFINITY;
    if (loss_delta(loss, 0) <= delta) return 0;
    for (int turn = 0; turn < 80 && high - low > 1e-12 * high; turn++) {
        double middle = (low + high) / 2;
        if (loss_delta(loss, middle) > delta) low = middle;
        else high = middle;
    }
    return high;
}
