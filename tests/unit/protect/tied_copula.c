/* Spearman's correlation of columns with ties under a normal copula: against simulation, and found again from it. */
#include "methods.h"
#include "math/distributions.h"
#include "math/linear/moments.h"
#include "math/ranks.h"
#include "math/special/normal.h"
#include "protect/shuffle/tied_copula.h"

enum { N = 40000 };
static double z[N], s[N], y[N], u[2][N];

static void ranks_of(const double *x, double *out) {
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    assert_int_equal(mid_ranks(&work, x, N, out), OK);
    for (int i = 0; i < N; i++) out[i] = (out[i] - 0.5) / N;
    arena_free(work.arena);
}

static double correlation(void) {
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    Moments m;
    assert_int_equal(moments_make(&work, (const double *const[]){ u[0], u[1] }, 2, NULL, N, &m), OK);
    const double r = moments_correlation(&m, 0, 1);
    arena_free(work.arena);
    return r;
}

static void levels_from(const double *rank, const double *score, TiedLevels *out) {
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    assert_int_equal(tied_levels(&work, rank, score, NULL, N, out), OK);
    arena_free(work.arena);
    double share = 0;
    for (int l = 0; l < out->count; l++) {
        share += out->share[l];
        assert_true(l == 0 || out->rank[l] > out->rank[l - 1]);
    }
    near(share, 1, 1e-12);
}

/* Y = max(0, Y* − cut) of a latent correlation b with S, S as drawn or cut itself. The largest difference from the simulation is a chance
 * event of 6 standard errors, 0.03. */
static void against_simulation(void **state) {
    (void)state;
    static const double cuts[] = { -5, 0, 1.2, 1.6 }, bs[] = { -0.7, 0.1, 0.5 };
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 3; k++)
            for (int tied = 0; tied < 2; tied++) {
                RandomStream one = stream_make(&(Seed){ 0 }, "test", (unsigned)(c * 10 + k), "s", "draw"),
                             two = stream_make(&(Seed){ 0 }, "test", (unsigned)(c * 10 + k), "z", "draw");
                draw_normals(&one, 0, N, s);
                draw_normals(&two, 0, N, z);
                for (int i = 0; i < N; i++) y[i] = fmax(0, bs[k] * s[i] + sqrt(1 - bs[k] * bs[k]) * z[i] - cuts[c]);
                for (int i = 0; i < N && tied; i++) s[i] = fmax(0.8, s[i]);
                ranks_of(y, u[0]);
                ranks_of(s, u[1]);
                TiedLevels levels, other;
                TiedPoints points;
                levels_from(u[0], NULL, &levels);
                levels_from(u[1], NULL, &other);
                tied_points_normal(tied ? &other : NULL, &points);
                const double seen = correlation();
                near(tied_spearman(&levels, &points, bs[k]), seen, 0.03);
                near(tied_latent(&levels, &points, tied_spearman(&levels, &points, bs[k])), bs[k], 0.02);
            }
}

/* S has three values: Y* is a mixture, of which the ranks are those of its own distribution. */
static void of_three_values(void **state) {
    (void)state;
    static double score[N];
    RandomStream one = stream_make(&(Seed){ 0 }, "test", 1, "s", "draw"), two = stream_make(&(Seed){ 0 }, "test", 1, "z", "draw");
    draw_normals(&one, 0, N, s);
    draw_normals(&two, 0, N, z);
    for (int i = 0; i < N; i++) s[i] = s[i] < -0.5 ? 0 : s[i] < 1.5 ? 1 : 2;
    ranks_of(s, u[1]);
    double mean = 0, squares = 0;
    for (int i = 0; i < N; i++) mean += (score[i] = normal_quantile(u[1][i])) / N;
    for (int i = 0; i < N; i++) squares += score[i] * score[i] / N;
    const double scale = 1 / sqrt(squares - mean * mean), b = 0.6;
    for (int i = 0; i < N; i++) y[i] = b * score[i] * scale + sqrt(1 - b * b) * z[i];
    ranks_of(y, u[0]);
    double *cut = malloc(N * sizeof *cut); /* the 90th hundredth */
    memcpy(cut, u[0], N * sizeof *cut);
    for (int i = 0; i < N; i++) y[i] = cut[i] < 0.9 ? 0 : cut[i];
    free(cut);
    ranks_of(y, u[0]);
    TiedLevels levels, other;
    TiedPoints points;
    levels_from(u[0], NULL, &levels);
    levels_from(u[1], score, &other);
    assert_int_equal(other.count, 3);
    tied_points_discrete(&other, scale, &points);
    near(tied_spearman(&levels, &points, b), correlation(), 0.03);
}

static void edges(void **state) {
    (void)state;
    TiedLevels levels;
    TiedPoints points;
    for (int i = 0; i < N; i++) u[0][i] = 0.5;
    levels_from(u[0], NULL, &levels);
    assert_int_equal(levels.count, 1);
    tied_points_normal(NULL, &points);
    near(tied_spearman(&levels, &points, 0.5), 0, 0);
    assert_true(isfinite(tied_latent(&levels, &points, 0.5)));
    near(tied_latent(&levels, &points, NAN), 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(against_simulation), cmocka_unit_test(of_three_values), cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
