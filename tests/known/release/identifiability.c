/* Lee & Clifton's worked examples: densities, beliefs, the bound and the least noise. */
#include <math.h>
#include "testing.h"
#include "math/privacy/identifiability.h"

static void near(double seen, double wanted, double within) {
    if (!(fabs(seen - wanted) <= within)) fail_msg("saw %.12g, wanted %.12g ± %g", seen, wanted, within);
}

/* D = {1, 2, 3, 10} of U = {1, 2, 3, 4, 5, 10}, known {1, 2, 3}, ε = 2, Δf = 9/4, R = 5.041. */
static void belief(void **state) {
    (void)state;
    double value[] = { 10 / 4.0, 11 / 4.0, 16 / 4.0 }, density[] = { 0.0464399, 0.0579964, 0.1761775 }, out[3], scale = 9 / 4.0 / 2;
    for (int i = 0; i < 3; i++) near(exp(-fabs(5.041 - value[i]) / scale) / (2 * scale), density[i], 5e-8);
    identifiability_beliefs(value, NULL, 3, scale, 5.041, out);
    near(out[2], 0.627829, 5e-7);
}

static void ten_numbers(void **state) {
    (void)state;
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    double means[8], epsilon, out[8], scratch[8], scale, medians[8] = { 2, 3, 3, 3, 3, 3, 3, 3 };
    for (int i = 0; i < 8; i++) means[i] = (4 + (i ? i + 3 : 2)) / 3.0;
    assert_int_equal(identifiability_epsilon(1 / 3.0, 8, &epsilon, &error), OK);
    near(8 / 3.0 / epsilon, 2.128628, 5e-7);
    identifiability_beliefs(means, NULL, 8, 8 / 3.0 / epsilon, 2, out);
    near(out[0], 0.229438, 5e-7);
    near(identifiability_worst(means, NULL, 8, 8 / 3.0 / epsilon, scratch), 0.229438, 5e-7);
    assert_int_equal(identifiability_tight(&work, means, NULL, 8, 1 / 3.0, &scale), OK);
    near(scale, 1.185398, 5e-7);
    near(identifiability_worst(means, NULL, 8, scale, scratch), 1 / 3.0, 1e-9);
    assert_int_equal(identifiability_tight(&work, medians, NULL, 8, 1 / 3.0, &scale), OK);
    near(scale, 1 / epsilon, 1e-9);
    near(identifiability_risk(epsilon, 8), 1 / 3.0, 1e-12);
    arena_free(work.arena);
}

/* The worst response is a world's own value: no response on a fine grid is worse. */
static void worst_response(void **state) {
    (void)state;
    double value[] = { 0, 0.5, 0.7, 2, 5 }, prior[] = { 0.1, 0.3, 0.2, 0.15, 0.25 }, out[5], scratch[5];
    for (double scale = 0.1; scale < 20; scale *= 2) {
        double most = 0;
        for (double r = -10; r < 15; r += 0.01) {
            identifiability_beliefs(value, prior, 5, scale, r, out);
            for (int i = 0; i < 5; i++) most = fmax(most, out[i]);
        }
        near(identifiability_worst(value, prior, 5, scale, scratch), most, 1e-9);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(belief), cmocka_unit_test(ten_numbers), cmocka_unit_test(worst_response) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
