/* Composition exactly: the privacy loss distribution of each part on a lattice, raised to its power and multiplied by FFT. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/fft.h"
#include "math/privacy/compose.h"

/* The loss of a part under its own output, L = ln(dP/dQ), and the same outputs' probability under the neighbour. P(L > c) and Q(L > c) are
 * the two rates of the optimal test at threshold c, so the masses of a cell (a, b] are differences of noise_test. From above (Doroshenko et
 * al. 2022, "connect the dots"): a cell's P- and Q-mass are put on its two ends so that both are kept; its hockey-stick curve then lies on
 * or above the true one and touches it at the lattice. From below: all of a cell goes to its lower end. Where the loss takes single values,
 * as Laplace noise's does at ±ε with most of its mass, the lattice is laid through them, and both bounds have them exactly. */
typedef struct Cells {
    int64_t first, count;
    double *mass;
    double infinite;
} Cells;

enum { LEAST_BITS = 16, MOST_BITS = 19, COARSE = 2000 };
static const double FINE = 1e-4; /* the lattice's step, where MOST_BITS reach so far */
static const double ASIDE =
    1e-9; /* from below, cells begin this share of a step early, so that values on the lattice are in the cell above */

/* Thresholds that a part's loss exceeds with probability below 1e-18; what does counts as infinite. */
static void loss_range(const Noise *noise, double *low, double *high) {
    double top = noise_epsilon(noise), d = noise->shift / noise->scale;
    if (noise->family == UNIFORM_NOISE || d == 0) top = 0;
    else if (isinf(top)) top = d * (d / 2 + 9); /* Gaussians: N(μ²/2, μ²) */
    *low = -top;
    *high = top;
}

/* Of what all single values of the loss are multiples; 0 where it has none. */
static double loss_unit(const Noise *noise) {
    switch (noise->family) {
    case LAPLACE_NOISE:
    case RANDOMIZED_RESPONSE: return noise->shift / noise->scale;
    case DISCRETE_LAPLACE_NOISE: return 1 / noise->scale;
    case DISCRETE_GAUSSIAN_NOISE: return noise->shift / (2 * noise->scale * noise->scale);
    default: return 0;
    }
}

static void split_cell(double a, double b, double p, double q, double *lower, double *upper) {
    double right = (p - exp(a) * q) / -expm1(a - b);
    if (!(right > 0)) right = 0;
    if (right > p) right = p;
    *lower += p - right;
    *upper += right;
}

/* noise_test along a lattice: discrete noise is asked again only where one of its values lies between. */
typedef struct Walk {
    const Noise *noise;
    double place;
    RocPoint here;
} Walk;

static RocPoint walk_to(Walk *w, double threshold) {
    double place = noise_discrete(w->noise) ? noise_place(w->noise, threshold) : threshold;
    if (place != w->place) w->here = noise_test(w->noise, threshold);
    w->place = place;
    return w->here;
}

/* From below, without single values: all of a cell's outcomes taken as one have the loss ln(p/q), near its middle. The lattice is moved up
 * by `up`, and who does not reach that high, or has too little mass to tell, goes a step down. */
static bool reaches(double p, double q, double a, double up, double step) {
    return up == 0 || (p > 1e-9 && (q <= 0 || log(p / q) >= a + up + 1e-3 * step));
}

static double raised(const Noise *noise, double step) { return loss_unit(noise) > 0 || noise->family == UNIFORM_NOISE ? 0 : 0.49 * step; }

static Status fill_cells(Work *work, const Noise *noise, double step, bool above, Cells *out) {
    Status status = OK;
    double low, high, early = above ? 0 : ASIDE * step, up = raised(noise, step);
    loss_range(noise, &low, &high);
    int64_t first = (int64_t)floor(low / step) - 1, last = (int64_t)ceil(high / step) + 1;
    *out = (Cells){ .first = first, .count = last - first + 1 };
    NEW(work, out->mass, out->count);
    Walk walk = { .noise = noise, .place = NAN };
    RocPoint here = walk_to(&walk, (double)first * step - early);
    if (above) out->mass[0] = 1 - here.tpr; /* what lies below the lattice is moved up to it */
    for (int64_t j = 1; j < out->count; j++) {
        double a = (double)(first + j - 1) * step, b = (double)(first + j) * step;
        RocPoint next = walk_to(&walk, b - early);
        double p = fmax(here.tpr - next.tpr, 0), q = fmax(here.fpr - next.fpr, 0);
        here = next;
        if (p <= 0) continue;
        if (above) split_cell(a, b, p, q, &out->mass[j - 1], &out->mass[j]);
        else if (reaches(p, q, a, up, step)) out->mass[j - 1] += p;
        else if (j > 1) out->mass[j - 2] += p;
    }
    out->infinite = here.tpr; /* beyond the lattice, or where the neighbour gives nothing at all */
    if (!above && noise->family != UNIFORM_NOISE) out->infinite = 0;
done:
    return status;
}

/* ---- how far the whole loss reaches ---- */

typedef struct Coarse {
    Cells cells;
    double step, *log_mass;
} Coarse;

/* ln E e^(λL) of the finite part. */
static double log_moment(const Coarse *c, double tilt) {
    double largest = -INFINITY, sum = 0;
    for (int64_t j = 0; j < c->cells.count; j++) {
        double here = tilt * (double)(c->cells.first + j) * c->step + c->log_mass[j];
        largest = here > largest ? here : largest;
    }
    for (int64_t j = 0; j < c->cells.count; j++) {
        double here = tilt * (double)(c->cells.first + j) * c->step + c->log_mass[j] - largest;
        if (here > -50) sum += exp(here);
    }
    return largest + log(sum + 1e-18 * (double)c->cells.count); /* what was passed over is below e^−50 each */
}

static Status coarse_make(Work *work, const Noise *noise, Coarse *out, double *squares) {
    Status status = OK;
    double a, b;
    loss_range(noise, &a, &b);
    out->step = b > a ? (b - a) / COARSE : 1e-3;
    TRY(fill_cells(work, noise, out->step, true, &out->cells));
    NEW(work, out->log_mass, out->cells.count);
    *squares = 0;
    for (int64_t j = 0; j < out->cells.count; j++) {
        double x = (double)(out->cells.first + j) * out->step, mass = out->cells.mass[j];
        *squares += mass * x * x;
        out->log_mass[j] = mass > 0 ? log(mass) : -INFINITY;
    }
done:
    return status;
}

/* The interval that the whole loss leaves with probability below 1e-15 on each side: Chernoff, on a coarse lattice. */
static Status whole_range(Work *work, const Component *part, int64_t count, double *low, double *high) {
    Status status = OK;
    Coarse *coarse = NULL;
    double most = 0, least = 0, spread = 0;
    NEW(work, coarse, count);
    for (int64_t i = 0; i < count; i++) {
        double a, b, squares;
        loss_range(&part[i].noise, &a, &b);
        TRY(coarse_make(work, &part[i].noise, &coarse[i], &squares));
        least += (double)part[i].times * a;
        most += (double)part[i].times * b;
        spread += (double)part[i].times * squares;
    }
    *low = least;
    *high = most;
    for (double tilt = 0.2; tilt < 200 && spread > 0; tilt *= 1.5) {
        double t = tilt / sqrt(spread), up = 0, down = 0;
        for (int64_t i = 0; i < count; i++) {
            up += (double)part[i].times * log_moment(&coarse[i], t);
            down += (double)part[i].times * log_moment(&coarse[i], -t);
        }
        *high = fmin(*high, (up + 35) / t);
        *low = fmax(*low, -(down + 35) / t);
    }
done:
    return status;
}

/* ---- the lattice ---- */

typedef struct Lattice {
    int64_t size;
    double step, low, parts;
    double shift; /* of all parts together, from below */
    bool below;   /* parts rounded down can be held, too */
} Lattice;

/* Rounded down, each part lies up to one step lower, and so all of them up to `parts` steps: the window must hold that, or the transform
 * would wrap them round to its top. The step is a fraction of the unit of the part that is there most often. */
static Status lay_lattice(Work *work, const Component *part, int64_t count, bool below, Lattice *out) {
    Status status = OK;
    double high, unit = 0, often = 0;
    *out = (Lattice){ .size = INT64_C(1) << LEAST_BITS };
    TRY(whole_range(work, part, count, &out->low, &high));
    for (int64_t i = 0; i < count; i++) {
        double here = loss_unit(&part[i].noise);
        out->parts += (double)part[i].times;
        if (here <= 0 || (double)part[i].times <= often) continue;
        unit = here;
        often = (double)part[i].times;
    }
    double room = 4 * (double)count + 64, most = (double)(INT64_C(1) << MOST_BITS);
    if (room >= most / 2) TRY(fail(work->error, BAD, "too many different releases to compose exactly"));
    out->below = below && room + out->parts < most / 2;
    if (out->below) room += out->parts;
    while (out->size < INT64_C(1) << MOST_BITS &&
           ((double)out->size < 2 * room || (high - out->low) / ((double)out->size - room) > (unit > 0 ? FINE : FINE / 2)))
        out->size *= 2;
    out->step = fmax((high - out->low) / ((double)out->size - room), 1e-9);
    if (unit >= out->step) out->step = unit / floor(unit / out->step);
    for (int64_t i = 0; i < count; i++) out->shift += (double)part[i].times * (raised(&part[i].noise, out->step) - ASIDE * out->step);
done:
    return status;
}

/* ---- products of transforms ---- */

/* Both bounds go through one transform, as its real and its imaginary part. */
typedef struct Product {
    Fft fft;
    Complex *scratch;
    Complex *factor[2]; /* from above, from below: frequencies 0 … size/2, the rest are their conjugates */
    int64_t offset;
    double finite[2];
} Product;

static Complex integer_power(Complex base, int64_t power) {
    Complex out = { 1, 0 };
    for (; power; power >>= 1) {
        if (power & 1) out = complex_times(out, base);
        if (power > 1) base = complex_times(base, base);
    }
    return out;
}

static Status product_make(Work *work, int64_t size, bool below, Product *out) {
    Status status = OK;
    *out = (Product){ .finite = { 1, 1 } };
    TRY(fft_make(work, size, &out->fft));
    NEW(work, out->scratch, size);
    for (int b = 0; b < 1 + below; b++) {
        NEW(work, out->factor[b], size / 2 + 1);
        for (int64_t k = 0; k <= size / 2; k++) out->factor[b][k] = (Complex){ 1, 0 };
    }
done:
    return status;
}

static Status multiply_in(Work *work, const Lattice *lattice, const Component *part, Product *p) {
    Status status = OK;
    int64_t size = p->fft.size, first = 0;
    memset(p->scratch, 0, (size_t)size * sizeof *p->scratch);
    for (int b = 0; b < 1 + lattice->below; b++) {
        Cells cells;
        TRY(fill_cells(work, &part->noise, lattice->step, b == 0, &cells));
        for (int64_t j = 0; j < cells.count; j++) *(b ? &p->scratch[j & (size - 1)].im : &p->scratch[j & (size - 1)].re) += cells.mass[j];
        p->finite[b] *= pow(1 - cells.infinite, (double)part->times);
        first = cells.first;
        arena_drop(work->arena, cells.mass);
    }
    p->offset += first * part->times;
    fft_forward(&p->fft, p->scratch);
    for (int64_t k = 0; k <= size / 2; k++) {
        Complex z = p->scratch[k], y = p->scratch[(size - k) & (size - 1)];
        Complex above = { (z.re + y.re) / 2, (z.im - y.im) / 2 }, below = { (z.im + y.im) / 2, (y.re - z.re) / 2 };
        p->factor[0][k] = complex_times(p->factor[0][k], integer_power(above, part->times));
        if (p->factor[1]) p->factor[1][k] = complex_times(p->factor[1][k], integer_power(below, part->times));
    }
done:
    return status;
}

static void transform_back(Product *p) {
    int64_t size = p->fft.size;
    for (int64_t k = 0; k <= size / 2; k++) {
        Complex a = p->factor[0][k], b = p->factor[1] ? p->factor[1][k] : (Complex){ 0, 0 };
        p->scratch[k] = (Complex){ a.re - b.im, a.im + b.re };
        if (k && k < size / 2) p->scratch[size - k] = (Complex){ a.re + b.im, b.re - a.im };
    }
    fft_inverse(&p->fft, p->scratch);
}

/* Bin b holds the losses offset + b, modulo the lattice: read off the window that holds nearly all. */
static Status read_window(Work *work, const Lattice *lattice, const Product *p, bool above, LossDistribution *out) {
    Status status = OK;
    int64_t size = lattice->size;
    *out = (LossDistribution){ .step = lattice->step, .count = size };
    NEW(work, out->mass, size);
    out->first = (int64_t)floor(lattice->low / lattice->step) - 16 - (above ? 0 : (int64_t)lattice->parts);
    for (int64_t j = 0; j < size; j++) {
        Complex here = p->scratch[(out->first + j - p->offset) & (size - 1)];
        double mass = above ? here.re : here.im;
        out->mass[j] = mass > 0 ? mass : 0;
    }
    out->infinite = 1 - p->finite[above ? 0 : 1];
    if (above) out->infinite += 1e-14 + 2e-15 * lattice->parts; /* the tails left out, and what the transforms' rounding may come to */
    else out->shift = lattice->shift;
done:
    return status;
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

/* Where the parts are so many that no lattice holds them rounded down, nothing is promised from below: all the mass is put at 0. */
static Status nothing_below(Work *work, LossDistribution *out) {
    Status status = OK;
    *out = (LossDistribution){ .step = 1, .count = 1 };
    NEW(work, out->mass, 1);
    out->mass[0] = 1;
done:
    return status;
}

Status compose_exact(Work *work, const Component *given, int64_t given_count, LossDistribution *above, LossDistribution *below) {
    Status status = OK;
    Product product = { 0 };
    Lattice lattice;
    int64_t count;
    Component *part;
    TRY(merge_normal(work, given, given_count, &part, &count));
    TRY(lay_lattice(work, part, count, below != NULL, &lattice));
    TRY(product_make(work, lattice.size, lattice.below, &product));
    for (int64_t i = 0; i < count; i++) {
        TRY(work_check(work));
        TRY(multiply_in(work, &lattice, &part[i], &product));
    }
    transform_back(&product);
    TRY(read_window(work, &lattice, &product, true, above));
    if (below) TRY(lattice.below ? read_window(work, &lattice, &product, false, below) : nothing_below(work, below));
done:
    fft_drop(work, &product.fft);
    arena_drop(work->arena, product.scratch);
    for (int b = 0; b < 2; b++) arena_drop(work->arena, product.factor[b]);
    return status;
}

/* ---- read off ---- */

static double loss_at(const LossDistribution *loss, int64_t j) { return (double)(loss->first + j) * loss->step + loss->shift; }

double loss_delta(const LossDistribution *loss, double epsilon) {
    double sum = 0;
    for (int64_t j = loss->count - 1; j >= 0; j--) {
        double x = loss_at(loss, j);
        if (x <= epsilon) break;
        if (loss->mass[j] > 0) sum += loss->mass[j] * -expm1(epsilon - x);
    }
    return fmin(sum + loss->infinite, 1);
}

/* From the top down: with a = Σ m and b = Σ m·e^(x_j − x) over the losses x from x_j on, δ(ε) = a − b·e^(ε − x_j) for ε in [x_(j−1), x_j].
 */
double loss_epsilon(const LossDistribution *loss, double delta) {
    double a = 0, b = 0, decay = exp(-loss->step), left = delta - loss->infinite, epsilon = 0;
    if (left < 0) return INFINITY;
    for (int64_t j = loss->count - 1; j >= 0; j--) {
        double x = loss_at(loss, j);
        if (x <= 0) return 0;
        a += loss->mass[j];
        b = b * decay + loss->mass[j];
        if (!(a - decay * b > left)) continue;
        epsilon = x + smaller(log((a - left) / b), 0);
        break;
    }
    if (!(epsilon > 0)) return 0;
    for (double more = 1e-14; more < 1 && loss_delta(loss, epsilon) > delta; more *= 2) epsilon += more * (1 + epsilon); /* rounding */
    return epsilon;
}
