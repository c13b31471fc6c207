/* A million draws of each sampler against its distribution: χ² and Kolmogorov-Smirnov at α = 10⁻⁶, and the same tests must fail when the
 * scale is 5% off. */
#include "math/special/gamma.h"
#include "math/special/normal.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "testing.h"
#include "math/discrete_noise.h"

enum { DRAWS = 1000000 };
static const double ALPHA = 1e-6;
static Error error;
static Wide draw[DRAWS];

static void draw_all(uint64_t seed, uint64_t num, uint64_t den, const char *variance) {
    RandomBits bits;
    DiscreteGaussian g = { 0 };
    Seed key = seed_from_number(seed);
    RandomStream stream = stream_make(&key, "test", 0, "exact", "noise");
    RandomReader reader = reader_make(&stream);
    assert_int_equal(random_bits_open_reader(&bits, &reader, &error), OK);
    if (variance) {
        mpz_t v;
        mpz_init_set_str(v, variance, 10);
        assert_int_equal(discrete_gaussian_open(&g, v, &error), OK);
        mpz_clear(v);
    }
    for (int i = 0; i < DRAWS; i++)
        assert_int_equal(variance ? draw_discrete_gaussian(&bits, &g, &draw[i]) : draw_discrete_laplace(&bits, num, den, &draw[i]), OK);
    discrete_gaussian_close(&g);
    random_bits_close(&bits);
}

/* χ² over single whole numbers within ±reach and the two tails; mass(k) need not be normalised. */
typedef double Mass(double k, double scale);
static double laplace_mass(double k, double scale) { return exp(-fabs(k) / scale); }
static double gaussian_mass(double k, double sigma) { return exp(-k * k / (2 * sigma * sigma)); }
static double chi_square(Mass *mass, double scale, int reach) {
    int bins = 2 * reach + 3;
    double *seen = calloc((size_t)bins, sizeof *seen), *wanted = calloc((size_t)bins, sizeof *wanted), total = 0, sum = 0;
    for (int k = -4000; k <= 4000; k++) total += mass(k, scale);
    for (int k = -4000; k <= 4000; k++) wanted[k < -reach ? 0 : k > reach ? bins - 1 : k + reach + 1] += mass(k, scale) / total * DRAWS;
    for (int i = 0; i < DRAWS; i++) seen[draw[i] < -reach ? 0 : draw[i] > reach ? bins - 1 : (int)draw[i] + reach + 1]++;
    for (int b = 0; b < bins; b++) {
        assert_true(wanted[b] > 20);
        sum += (seen[b] - wanted[b]) * (seen[b] - wanted[b]) / wanted[b];
    }
    free(seen);
    free(wanted);
    return chi_square_tails(bins - 1, sum).upper;
}

static int by_value(const void *a, const void *b) { return (*(const Wide *)a > *(const Wide *)b) - (*(const Wide *)a < *(const Wide *)b); }
static double laplace_cdf(double x) { return x < 0 ? exp(x) / 2 : 1 - exp(-x) / 2; }
static double gaussian_cdf(double x) { return normal_lower(x); }
/* At scales of 2³⁰ and more the lattice is out of sight: the continuous distribution. The tail 2e^(−2nD²) is a bound for every n (Massart
 * 1990). */
static double kolmogorov(double (*cdf)(double), double scale) {
    double worst = 0;
    qsort(draw, DRAWS, sizeof *draw, by_value);
    for (int i = 0; i < DRAWS; i++) {
        double p = cdf((double)draw[i] / scale);
        worst = fmax(worst, fmax(fabs(p - (double)i / DRAWS), fabs((double)(i + 1) / DRAWS - p)));
    }
    return fmin(2 * exp(-2 * DRAWS * worst * worst), 1);
}

static void discrete_laplace(void **state) {
    (void)state;
    draw_all(1, 10, 1, NULL);
    assert_true(chi_square(laplace_mass, 10, 60) > ALPHA);
    assert_true(chi_square(laplace_mass, 10.5, 60) < ALPHA);
    assert_true(chi_square(laplace_mass, 9.5, 60) < ALPHA);
    draw_all(2, 7, 2, NULL); /* a rational scale */
    assert_true(chi_square(laplace_mass, 3.5, 25) > ALPHA);
    assert_true(chi_square(laplace_mass, 3.5 * 1.05, 25) < ALPHA);
    draw_all(3, 1, 1, NULL);
    assert_true(chi_square(laplace_mass, 1, 8) > ALPHA);
    assert_true(chi_square(laplace_mass, 1.05, 8) < ALPHA);
}

static void discrete_gaussian(void **state) {
    (void)state;
    draw_all(4, 0, 0, "100");
    assert_true(chi_square(gaussian_mass, 10, 38) > ALPHA);
    assert_true(chi_square(gaussian_mass, 10.5, 38) < ALPHA);
    draw_all(5, 0, 0, "1");
    assert_true(chi_square(gaussian_mass, 1, 3) > ALPHA);
    assert_true(chi_square(gaussian_mass, 1.05, 3) < ALPHA);
}

static void large_scales(void **state) {
    (void)state;
    draw_all(6, UINT64_C(1) << 31, 1, NULL);
    assert_true(kolmogorov(laplace_cdf, 0x1p31) > ALPHA);
    assert_true(kolmogorov(laplace_cdf, 0x1p31 * 1.05) < ALPHA);
    draw_all(7, 0, 0, "1152921504606846976"); /* 2⁶⁰ */
    assert_true(kolmogorov(gaussian_cdf, 0x1p30) > ALPHA);
    assert_true(kolmogorov(gaussian_cdf, 0x1p30 / 1.05) < ALPHA);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(discrete_laplace), cmocka_unit_test(discrete_gaussian),
                                        cmocka_unit_test(large_scales) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
