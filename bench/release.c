/* Noisy statistics: leave-one-out sensitivities against sorting, a vector's AUC against simulating it, exact draws per second. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench.h"
#include "math/discrete_noise.h"
#include "math/ranks.h"
#include "math/privacy/roc.h"
#include "math/privacy/sensitivity.h"

enum { ROWS = 1000000, ELEMENTS = 100, DRAWS = 1000000, SIMULATED = 20000 };
static double *x;
static int64_t *order;

static Status own_sort(Work *work, void *self) {
    int64_t count;
    (void)self;
    return order_reals(work, x, ROWS, order, &count);
}
static Status three_sensitivities(Work *work, void *self) {
    static const Statistic list[] = { { OF_MEAN, 0 }, { OF_QUANTILE, 0.5 }, { OF_WINSORIZED, 0.2 } };
    Status status = OK;
    int64_t count;
    double largest;
    (void)self;
    TRY(order_reals(work, x, ROWS, order, &count));
    for (int i = 0; i < 3; i++) TRY(statistic_leave_one_out(work, list[i], &(Sample){ ROWS, x, NULL, order }, NULL, &largest));
done:
    return status;
}

static double noncentrality[ELEMENTS], area;
static Status exact_area(Work *work, void *self) {
    (void)self;
    return roc_vector_auc(work, noncentrality, ELEMENTS, &area, NULL);
}
static RocEstimate estimate;
static Status simulated_area(Work *work, void *self) {
    Seed seed = seed_from_number(1);
    RandomStream stream = stream_make(&seed, "bench", 0, "auc", "draws");
    (void)self;
    return roc_simulate(work, noncentrality, ELEMENTS, SCORE_LIKELIHOOD_RATIO, SIMULATED, &stream, &estimate);
}

static Status laplace_draws(Work *work, void *self) {
    Status status = OK;
    RandomBits bits;
    Wide noise;
    (void)self;
    TRY(random_bits_open(&bits, work->error));
    for (int i = 0; i < DRAWS; i++) TRY(draw_discrete_laplace(&bits, UINT64_C(1) << 31, 1, &noise));
done:
    random_bits_close(&bits);
    return status;
}
static Status gaussian_draws(Work *work, void *self) {
    Status status = OK;
    RandomBits bits;
    Wide noise;
    DiscreteGaussian gaussian = { 0 };
    mpz_t variance;
    (void)self;
    mpz_init(variance);
    mpz_set_ui(variance, 1);
    mpz_mul_2exp(variance, variance, 62);
    TRY(random_bits_open(&bits, work->error));
    TRY(discrete_gaussian_open(&gaussian, variance, work->error));
    for (int i = 0; i < DRAWS; i++) TRY(draw_discrete_gaussian(&bits, &gaussian, &noise));
done:
    discrete_gaussian_close(&gaussian);
    random_bits_close(&bits);
    mpz_clear(variance);
    return status;
}

int main(void) {
    Work work = bench_work(1);
    Table *table;
    if (bench_table(&work, ROWS, &table)) return 1;
    x = table_column(table, "x1")->real;
    order = malloc(ROWS * sizeof *order);
    double sort = bench_sort(&work, x, ROWS), own = bench_best(&work, 3, own_sort, NULL),
           three = bench_best(&work, 3, three_sensitivities, NULL);
    printf("leave-one-out sensitivity of mean, median and winsorized mean, n = %d, one thread (at most 3 times the sort)\n", ROWS);
    bench_line("qsort of the column", sort, NULL, 0);
    bench_line("the project's own ordering", own, NULL, 0);
    bench_line("all three sensitivities, ordering included", three, NULL, 0);
    printf("  %.2f times qsort, %.2f times the own ordering\n\n", three / sort, three / own);
    for (int i = 0; i < ELEMENTS; i++) noncentrality[i] = 0.001 * (i + 1);
    double exact = bench_best(&work, 3, exact_area, NULL),
           simulated = bench_best(&work, 1, simulated_area, NULL) * (10000000.0 / SIMULATED);
    printf("AUC of a vector of %d distinct elements, one thread (at least 200 times faster than 10,000,000 draws)\n", ELEMENTS);
    bench_line("exact, to 1e-6", exact, NULL, 0);
    bench_line("Monte Carlo, 10,000,000 draws (from 20,000)", simulated, NULL, 0);
    printf("  %.0f times faster; %.7f, simulated %.4f ± %.4f\n\n", simulated / exact, area, estimate.auc,
           (estimate.upper - estimate.lower) / 2);
    double laplace = bench_best(&work, 3, laplace_draws, NULL), gaussian = bench_best(&work, 3, gaussian_draws, NULL);
    printf("exact draws from the system's generator, one core (at least 1,000,000 Laplace draws a second)\n  discrete Laplace %.2f million "
           "a second\n  discrete Gaussian %.2f million a second\n",
           DRAWS / laplace / 1e6, DRAWS / gaussian / 1e6);
    free(order);
    table_release(table);
    return 0;
}
