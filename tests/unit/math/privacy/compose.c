/* Composition against counting every outcome: randomised responses and small discrete noise, several of each; both bounds, and how close.
 */
#include <math.h>
#include "tables.h"
#include "math/privacy/compose.h"

/* Losses of one release and their probabilities. */
typedef struct {
    int count;
    double loss[64], mass[64];
} Exact;

static Exact exact_of(const Noise *noise) {
    Exact e = { 0 };
    double d = noise->shift / noise->scale;
    if (noise->family == RANDOMIZED_RESPONSE) return (Exact){ 2, { -d, d }, { 1 / (1 + exp(d)), 1 / (1 + exp(-d)) } };
    for (int k = 0; k <= (int)noise->shift; k++) { /* discrete Laplace: one value each within, all else at both ends */
        double q = exp(-1 / noise->scale), each = (1 - q) / (1 + q), upper = 1 / (1 + q);
        e.loss[k] = (2 * k - noise->shift) / noise->scale;
        e.mass[k] = each * pow(q, noise->shift - k);
        if (k == 0) e.mass[k] = pow(q, noise->shift) * upper;
        if (k == (int)noise->shift) e.mass[k] = upper;
    }
    e.count = (int)noise->shift + 1;
    return e;
}

static double delta_of(const Exact *part, const Component *given, int count, int64_t done, double loss, double mass, double epsilon) {
    double sum = 0;
    if (!count) return loss > epsilon ? mass * -expm1(epsilon - loss) : 0;
    if (done == given->times) return delta_of(part + 1, given + 1, count - 1, 0, loss, mass, epsilon);
    for (int k = 0; k < part->count; k++)
        sum += delta_of(part, given, count, done + 1, loss + part->loss[k], mass * part->mass[k], epsilon);
    return sum;
}

static void check(const Component *part, int count) {
    Work work = tables_work(1);
    LossDistribution above, below;
    Exact exact[4];
    for (int i = 0; i < count; i++) {
        double sum = 0;
        exact[i] = exact_of(&part[i].noise);
        for (int k = 0; k < exact[i].count; k++) sum += exact[i].mass[k];
        assert_true(fabs(sum - 1) < 1e-12);
    }
    tables_ok(compose_exact(&work, part, count, &above, &below));
    for (double epsilon = 0; epsilon < 4; epsilon += 0.217) {
        double truth = delta_of(exact, part, count, 0, 0, 1, epsilon), high = loss_delta(&above, epsilon),
               low = loss_delta(&below, epsilon);
        assert_true(low <= truth + 1e-13 && truth <= high);
        assert_true(high - truth < 1e-6 + 1e-5 * truth);
        if (truth > 1e-6) {
            double back = loss_epsilon(&above, truth), under = loss_epsilon(&below, truth);
            assert_true(back >= epsilon - 1e-9 && back < epsilon + 1e-4 && under <= epsilon + 1e-9);
        }
    }
    arena_free(work.arena);
}

static void by_counting(void **state) {
    (void)state;
    Component response = { { .family = RANDOMIZED_RESPONSE, .shift = 1, .scale = 3 }, 12 };
    Component other = { { .family = RANDOMIZED_RESPONSE, .shift = 0.77, .scale = 1 }, 5 };
    Component whole = { { .family = DISCRETE_LAPLACE_NOISE, .shift = 3, .scale = 2.9 }, 4 };
    check(&response, 1);
    check(&other, 1);
    check(&whole, 1);
    check((Component[]){ response, other }, 2);
    check((Component[]){ other, whole }, 2);
}

/* The bounds close in on each other, for every family. */
static void bounds_are_close(void **state) {
    (void)state;
    static const NoiseFamily family[] = { LAPLACE_NOISE,           GAUSSIAN_NOISE, DISCRETE_LAPLACE_NOISE,
                                          DISCRETE_GAUSSIAN_NOISE, STUDENT_NOISE,  LOGISTIC_NOISE };
    for (size_t f = 0; f < sizeof family / sizeof *family; f++) {
        Work work = tables_work(1);
        LossDistribution above, below;
        Component part = { { .family = family[f], .shift = 1, .scale = 11.3, .df = 5 }, 30 };
        tables_ok(compose_exact(&work, &part, 1, &above, &below));
        double high = loss_epsilon(&above, 1e-6), low = loss_epsilon(&below, 1e-6);
        assert_true(low <= high && high - low < 1e-4);
        arena_free(work.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_counting), cmocka_unit_test(bounds_are_close) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
