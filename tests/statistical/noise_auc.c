/* The areas that calibrate gives for every noise family, against simulating the two adversaries: 100,000 draws, five standard errors (false
 * alarm below 10⁻⁶ each). */
#include "math/special/student.h"
#include "math/special/normal.h"
#include <math.h>
#include "testing.h"
#include "base/random.h"
#include "math/privacy/noise.h"

enum { DRAWS = 100000 };
static RandomReader reader;
static double cumulative[201]; /* of a discrete family, from −100 */

static double draw(const Noise *noise) {
    double u = reader_uniform(&reader), s = noise->scale;
    switch (noise->family) {
    case LAPLACE_NOISE: return u < 0.5 ? s * log(2 * u) : -s * log(2 * (1 - u));
    case GAUSSIAN_NOISE: return s * normal_quantile(u);
    case UNIFORM_NOISE: return s * (2 * u - 1);
    case STUDENT_NOISE: {
        double t = NAN;
        return student_quantile(noise->df, u, 1 - u, &t, NULL) ? NAN : s * t;
    }
    case LOGISTIC_NOISE: return s * log(u / (1 - u));
    default: break;
    }
    int k = 0; /* the discrete ones by their distribution function */
    while (k < 200 && cumulative[k] < u) k++;
    return k - 100;
}

static double log_density(const Noise *noise, double x) {
    double z = x / noise->scale;
    if (noise->family == STUDENT_NOISE) return -(noise->df + 1) / 2 * log1p(z * z / noise->df);
    return 0;
}

static double score(const Noise *noise, double x) { /* Student's likelihood ratio is not monotone; the others' is */
    return noise->family == STUDENT_NOISE ? log_density(noise, x - noise->shift) - log_density(noise, x) : x;
}

static void check(const Noise *noise) {
    for (int k = 0; noise_discrete(noise) && k <= 200; k++) cumulative[k] = 1 - discrete_tail(noise, k - 99);
    double two = 0, one = 0, error = 5 * 0.5 / sqrt(DRAWS);
    for (int i = 0; i < DRAWS; i++) {
        double a = draw(noise), b = draw(noise), c = draw(noise), d = draw(noise), different = fabs(a - b + noise->shift),
               same = fabs(c - d);
        two += different > same ? 1 : different == same ? 0.5 : 0;
        double shifted = score(noise, a + noise->shift), plain = score(noise, c);
        one += shifted > plain ? 1 : shifted == plain ? 0.5 : 0;
    }
    two /= DRAWS;
    one /= DRAWS;
    if (fabs(two - noise_auc(noise)) > error)
        fail_msg("family %d shift %g: two releases %.5f, simulated %.5f", noise->family, noise->shift, noise_auc(noise), two);
    if (fabs(one - noise_auc_one_release(noise)) > error)
        fail_msg("family %d shift %g: one release %.5f, simulated %.5f", noise->family, noise->shift, noise_auc_one_release(noise), one);
}

static void families(void **state) {
    (void)state;
    Seed seed = seed_from_number(31);
    RandomStream stream = stream_make(&seed, "test", 0, "auc", "draws");
    reader = reader_make(&stream);
    for (int family = LAPLACE_NOISE; family <= LOGISTIC_NOISE; family++)
        for (int shift = 1; shift <= 3; shift += 2) check(&(Noise){ .family = (NoiseFamily)family, .scale = 1.5, .df = 3, .shift = shift });
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(families) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
