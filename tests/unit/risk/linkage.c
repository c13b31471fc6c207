/* Linkage: by hand, against all pairs (nearest, rank, probabilistic), ties, missing values, the edges. */
#include "methods.h"
#include "risk/linkage/agreements.h"

enum { N = 60 };
static double x[2][3][N];

/* Small whole numbers, so that there are ties; the release moves some of them. */
static void draw(uint64_t seed, int spread) {
    Seed s = seed_from_number(seed);
    RandomStream stream = stream_make(&s, "test", 0, "x", "draw");
    RandomReader reader = reader_make(&stream);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < N; i++) {
            x[0][j][i] = (double)reader_below(&reader, (uint64_t)spread);
            x[1][j][i] = reader_below(&reader, 4) ? x[0][j][i] : (double)reader_below(&reader, (uint64_t)spread);
        }
    for (int t = 0; t < 2; t++) {
        const double *column[3] = { x[t][0], x[t][1], x[t][2] };
        table_reals(t ? "r" : "o", column, 3, N);
    }
}

static double deviation(const double *v) {
    double mean = 0, sum = 0;
    for (int i = 0; i < N; i++) mean += v[i] / N;
    for (int i = 0; i < N; i++) sum += (v[i] - mean) * (v[i] - mean);
    return sqrt(sum / (N - 1));
}

/* All pairs; ties shared out. */
static double by_all_pairs(bool squared) {
    double sd[3], linked = 0;
    for (int j = 0; j < 3; j++) sd[j] = deviation(x[0][j]);
    for (int i = 0; i < N; i++) {
        double least = INFINITY, own = 0;
        int ties = 0;
        for (int k = 0; k < N; k++) {
            double d = 0;
            for (int j = 0; j < 3; j++) {
                double gap = fabs(x[1][j][i] - x[0][j][k]) / sd[j];
                d += squared ? gap * gap : gap;
            }
            if (k == i) own = d;
            if (d < least - 1e-9) {
                least = d;
                ties = 1;
            } else if (d < least + 1e-9) ties++;
        }
        if (own < least + 1e-9) linked += 1.0 / ties;
    }
    return linked;
}

static void nearest(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        draw(seed, seed % 2 ? 4 : 12);
        run_ok("risk linkage o r");
        near(value("linked"), by_all_pairs(true), 1e-9);
        near(value("confidentiality"), 1 - by_all_pairs(true) / N, 1e-9);
        run_ok("risk linkage o r --distance absolute");
        near(value("linked"), by_all_pairs(false), 1e-9);
    }
}

/* ---- Fellegi & Sunter, pair by pair ---- */
static int agreement(int i, int k) {
    return (x[1][0][i] == x[0][0][k]) | (x[1][1][i] == x[0][1][k]) << 1 | (x[1][2][i] == x[0][2][k]) << 2;
}
static double chance(const double *p, int set) {
    double c = 1;
    for (int j = 0; j < 3; j++) c *= set >> j & 1 ? p[j] : 1 - p[j];
    return c;
}

static void fit_pairs(double m[3], double u[3]) {
    double p = 1.0 / N;
    for (int j = 0; j < 3; j++) {
        m[j] = 0.9;
        u[j] = 0;
        for (int i = 0; i < N; i++)
            for (int k = 0; k < N; k++) u[j] += (agreement(i, k) >> j & 1) / (double)(N * N);
    }
    for (int round = 0; round < 2000; round++) {
        double matches = 0, am[3] = { 0 }, au[3] = { 0 };
        for (int i = 0; i < N; i++)
            for (int k = 0; k < N; k++) {
                int set = agreement(i, k);
                double yes = p * chance(m, set), g = yes / (yes + (1 - p) * chance(u, set));
                matches += g;
                for (int j = 0; j < 3; j++) {
                    am[j] += g * (set >> j & 1);
                    au[j] += (1 - g) * (set >> j & 1);
                }
            }
        for (int j = 0; j < 3; j++) {
            m[j] = fmin(fmax(am[j] / matches, 1e-9), 1 - 1e-9);
            u[j] = fmin(fmax(au[j] / (N * N - matches), 1e-9), 1 - 1e-9);
        }
        p = fmin(matches / (N * N), 1.0 / N);
    }
}

static double by_weights(const double m[3], const double u[3]) {
    double linked = 0, weight[8] = { 0 };
    for (int set = 0; set < 8; set++)
        for (int j = 0; j < 3; j++)
            if (m[j] > u[j]) weight[set] += set >> j & 1 ? log(m[j] / u[j]) : log((1 - m[j]) / (1 - u[j]));
    for (int i = 0; i < N; i++) {
        double most = -INFINITY;
        int ties = 0;
        for (int k = 0; k < N; k++) {
            double w = weight[agreement(i, k)];
            if (w > most + 1e-8) {
                most = w;
                ties = 1;
            } else if (w > most - 1e-8) ties++;
        }
        if (weight[agreement(i, i)] > most - 1e-8) linked += 1.0 / ties;
    }
    return linked;
}

static void probabilistic(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        double m[3], u[3];
        draw(seed, seed % 2 ? 4 : 12);
        run_ok("risk linkage o r --method probabilistic");
        fit_pairs(m, u);
        for (int j = 0; j < 3; j++) {
            near(table_value("agreement", "m", j), m[j], 1e-5);
            near(table_value("agreement", "u", j), u[j], 1e-5);
        }
        near(value("linked"), by_weights(m, u), 1e-9);
    }
}

/* ---- Agreements, counted by groups and cubes and in lanes, against all pairs ---- */

static Error error = ERROR_NONE;

/* The same number of values in both tables; a tenth of the cells of `gaps` columns is missing. */
static void draw_codes(RandomReader *reader, double *at, int64_t rows, int values, bool gaps) {
    for (int64_t i = 0; i < rows; i++) {
        at[i] = (double)reader_below(reader, (uint64_t)values);
        if (gaps && !reader_below(reader, 10)) at[i] = NAN;
    }
}

static void count_agreeing(double *const *cell, int64_t columns, int64_t rows, int threads, double *pairs) {
    Work work = { .arena = arena_new(), .error = &error, .threads = threads };
    Column *made[2][AGREE_COLUMNS];
    const Column *at[2][AGREE_COLUMNS];
    for (int t = 0; t < 2; t++)
        for (int64_t j = 0; j < columns; j++) {
            const double *x = cell[t * columns + j];
            assert_int_equal(column_new(REAL_TYPE, "x", rows, &made[t][j], &error), OK);
            assert_int_equal(column_need_valid(made[t][j], &error), OK);
            for (int64_t i = 0; i < rows; i++) {
                made[t][j]->real[i] = x[i];
                if (isnan(x[i])) column_set_missing(made[t][j], i);
            }
            column_seal(made[t][j]);
            at[t][j] = made[t][j];
        }
    PairColumns pair = { { .count = columns, .at = at[0] }, { .count = columns, .at = at[1] } };
    TupleSet tuples;
    assert_int_equal(tuples_make(&work, &pair, rows, 100000, &tuples), OK);
    assert_int_equal(count_agreements(&work, &tuples, pairs), OK);
    arena_free(work.arena);
    for (int t = 0; t < 2; t++)
        for (int64_t j = 0; j < columns; j++) column_release(made[t][j]);
}

static void agreements(void **state) {
    static const struct {
        int columns, values[AGREE_COLUMNS];
        int64_t rows;
    } cases[] = {
        { 1, { 3 }, 50 },
        { 5, { 2, 3, 5, 20, 40 }, 1500 },
        { 5, { 300, 4, 20, 2, 300 }, 1500 },
        { 8, { 2, 2, 7, 3, 60, 4, 2, 90 }, 1200 },
        { 9, { 12, 12, 12, 12, 12, 12, 12, 12, 12 }, 1500 },
        { 6, { 20, 20, 20, 5, 4, 3 }, 3000 },
        { 4, { 40, 3, 8, 300 }, 4000 },
        { 3, { 40, 40, 1 }, 4000 }, /* many alike */
        { 2, { 255, 3 }, 3000 },    /* a code takes one byte, and two */
        { 2, { 256, 3 }, 3000 },
        { 9, { 300, 300, 300, 300, 300, 300, 300, 300, 300 }, 700 }, /* more combinations than a word holds */
        { 14, { 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 25 }, 500 },
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int columns = cases[c].columns;
        int64_t rows = cases[c].rows, sets = INT64_C(1) << columns;
        double *cell[2 * AGREE_COLUMNS], *expected = calloc((size_t)sets, sizeof *expected), *pairs = calloc((size_t)sets, sizeof *pairs);
        Seed seed = seed_from_number(c);
        RandomStream stream = stream_make(&seed, "test", 0, "x", "codes");
        RandomReader reader = reader_make(&stream);
        for (int j = 0; j < 2 * columns; j++) {
            cell[j] = calloc((size_t)rows, sizeof *cell[j]);
            draw_codes(&reader, cell[j], rows, cases[c].values[j % columns], j % 3 == 1);
        }
        for (int64_t i = 0; i < rows; i++)
            for (int64_t k = 0; k < rows; k++) {
                uint32_t set = 0;
                for (int j = 0; j < columns; j++) set |= (uint32_t)(cell[j][i] == cell[columns + j][k]) << j;
                expected[set]++;
            }
        for (int threads = 1; threads <= 2; threads++) {
            count_agreeing(cell, columns, rows, threads, pairs);
            assert_memory_equal(pairs, expected, (size_t)sets * sizeof *pairs);
        }
        for (int j = 0; j < 2 * columns; j++) free(cell[j]);
        free(expected);
        free(pairs);
    }
}

/* So many values that a code takes two bytes, or four: every record agrees with itself alone, and on two more columns with many. */
static void count_many_values(int rows) {
    enum { COLUMNS = 3 };
    double *cell[2 * COLUMNS], pairs[1 << COLUMNS], expected[1 << COLUMNS] = { 0 }, held[2][2][3] = { 0 };
    for (int j = 0; j < 2 * COLUMNS; j++) {
        cell[j] = calloc((size_t)rows, sizeof *cell[j]);
        for (int i = 0; i < rows; i++) cell[j][i] = j % COLUMNS == 0 ? i : j % COLUMNS == 1 ? (i >> j / COLUMNS) % 2 : (i + j) % 3;
    }
    for (int i = 0; i < rows; i++) {
        for (int t = 0; t < 2; t++) held[t][(int)cell[t * COLUMNS + 1][i]][(int)cell[t * COLUMNS + 2][i]]++;
        int alike = (cell[1][i] == cell[COLUMNS + 1][i]) << 1 | (cell[2][i] == cell[COLUMNS + 2][i]) << 2;
        expected[1 | alike]++;
        expected[alike]--;
    }
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++)
            expected[(a % 2 == b % 2) << 1 | (a / 2 == b / 2) << 2] += held[0][a % 2][a / 2] * held[1][b % 2][b / 2];
    count_agreeing(cell, COLUMNS, rows, 2, pairs);
    assert_memory_equal(pairs, expected, sizeof pairs);
    for (int j = 0; j < 2 * COLUMNS; j++) free(cell[j]);
}

static void agreements_of_many_values(void **state) {
    (void)state;
    count_many_values(UINT16_MAX);
    count_many_values(UINT16_MAX + 1);
    count_many_values(70000);
}

static void ranks(void **state) {
    (void)state;
    table_from("o", "x,g\n1,a\n2,a\n3,b\n4,b\n");
    table_from("r", "x,g\n10,a\n200,a\n3000,b\n40000,b\n"); /* stretched: the ranks are as they were */
    run_ok("risk linkage o r --method rank");
    near(value("confidentiality"), 0, 0);
    run_ok("risk linkage o r --method rank --distance gower");
    near(value("confidentiality"), 0, 0);
    run_ok("risk linkage o r --vars x");
    near(value("confidentiality"), 0.75, 0); /* all go to the last record */
}

static void same_for_any_threads(void **state) {
    (void)state;
    draw(3, 12);
    double seen[2];
    for (int t = 0; t < 2; t++) {
        run_threads = t ? 4 : 1;
        run_ok("risk linkage o r --method probabilistic");
        seen[t] = value("linked");
    }
    run_threads = 2;
    assert_true(seen[0] == seen[1]);
}

/* Kim's z with next to no noise draws everyone towards the mean; stretched back, all are found. */
static void undoes_kim(void **state) {
    (void)state;
    char text[4096], *at = text + sprintf(text, "x,y,g\n");
    for (int i = 0; i < 60; i++) at += sprintf(at, "%d,%d,%s\n", i * i % 101, 3 * i % 61, i % 2 ? "u" : "v");
    table_from("o", text);
    run_ok_seeded(1, "protect noise o --vars x,y --method own-distribution --amount 1e-9 --scale 0.3");
    shelve("z", table_retain(output()));
    run_ok("risk linkage o z --vars x,y");
    double before = value("confidentiality");
    run_ok("risk linkage o z --vars x,y --scale 0.3");
    assert_true(before > .5);
    near(value("confidentiality"), 0, 0);
    run_ok("risk linkage o z --scale 0.3");
    near(value("confidentiality"), 0, 0);
    run_ok("attack linkage z o --vars x,y --scale 0.3");
    near(value("recall"), 1, 0);
    run_ok("attack linkage z o --vars x,y");
    assert_true(value("recall") < .5);
    run_bad("risk linkage o z --scale 0", "scale");
}

static uint64_t word_at(uint64_t i) {
    uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* An unchanged copy with missing values is not confidential: against a brute linker that shares no code, over random tables. */
static void copies_with_missing(void **state) {
    (void)state;
    for (int seed = 0; seed < 12; seed++) {
        enum { ROWS = 150 };
        double x[ROWS][3], y[ROWS][3];
        char text[ROWS * 40], *at = text + sprintf(text, "a,b,c\n");
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < 3; j++) {
                uint64_t w = word_at((uint64_t)(seed * 1000 + i * 3 + j));
                x[i][j] = w % 10 < 4 ? NAN : (double)(w / 10 % 12 * 3);
                at += isnan(x[i][j]) ? sprintf(at, j < 2 ? "," : "\n") : sprintf(at, "%g%s", x[i][j], j < 2 ? "," : "\n");
            }
        table_from("copy", text);
        double sd[3], linked = 0;
        for (int j = 0; j < 3; j++) {
            double n = 0, sum = 0, squares = 0;
            for (int i = 0; i < ROWS; i++)
                if (!isnan(x[i][j])) n++, sum += x[i][j], squares += x[i][j] * x[i][j];
            sd[j] = sqrt((squares - sum * sum / n) / (n - 1));
        }
        for (int i = 0; i < ROWS; i++) {
            int ties = 0;
            for (int k = 0; k < ROWS; k++) {
                bool same = true; /* its own record is at distance 0: as near is what equals it */
                for (int j = 0; j < 3; j++) same &= x[i][j] == x[k][j] || (isnan(x[i][j]) && isnan(x[k][j]));
                ties += same;
            }
            linked += 1.0 / ties;
        }
        run_ok("risk linkage copy copy --vars a,b,c");
        near(value("linked"), linked, 1e-9);
        run_ok("risk linkage copy copy --vars a,b,c --distance gower");
        near(value("linked"), linked, 1e-9);
        run_ok("attack linkage copy copy --vars a,b,c --confidence 0");
        near(value("correct"), linked, 1e-9);
        near(value("claims"), ROWS, 0);
        /* the nearest of another table, by brute force */
        char other[ROWS * 40], *to = other + sprintf(other, "a,b,c\n");
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < 3; j++) {
                uint64_t w = word_at((uint64_t)(seed * 1000 + 500000 + i * 3 + j));
                y[i][j] = w % 10 < 3 ? NAN : w % 10 < 6 ? (double)(w / 10 % 12 * 3) : x[i][j];
                to += isnan(y[i][j]) ? sprintf(to, j < 2 ? "," : "\n") : sprintf(to, "%g%s", y[i][j], j < 2 ? "," : "\n");
            }
        table_from("other", other);
        linked = 0;
        for (int i = 0; i < ROWS; i++) {
            double best = INFINITY, own = 0;
            int ties = 0;
            for (int k = 0; k < ROWS; k++) {
                double d = 0;
                for (int j = 0; j < 3; j++) {
                    bool mine = isnan(y[i][j]), theirs = isnan(x[k][j]);
                    d += mine && theirs ? 0 : mine || theirs ? 2 : pow((y[i][j] - x[k][j]) / sd[j], 2);
                }
                ties = d < best * (1 - 1e-9) - 1e-12 ? 1 : ties + (d <= best * (1 + 1e-9) + 1e-12);
                best = fmin(best, d);
                if (k == i) own = d;
            }
            if (own <= best * (1 + 1e-9) + 1e-12) linked += 1.0 / ties;
        }
        run_ok("risk linkage copy other --vars a,b,c");
        near(value("linked"), linked, 1e-9);
    }
}

static void edges(void **state) {
    (void)state;
    table_from("o", "x,g\n1,a\n2,a\n3,b\n4,\n");
    run_ok("risk linkage o o");
    near(value("linked"), 4, 0); /* a missing value is a value */
    run_ok("risk linkage o o --method rank");
    near(value("linked"), 4, 0);
    run_ok("risk linkage o o --vars x");
    near(value("confidentiality"), 0, 0);
    table_from("c", "x,g\n1,a\n1,a\n");
    run_ok("risk linkage c c"); /* all are equally near */
    near(value("confidentiality"), 0.5, 1e-15);
    run_ok("risk linkage c c --method probabilistic");
    near(value("confidentiality"), 0.5, 1e-15);
    table_from("m", "x,g\n,\n,\n,\n,\n");
    run_ok("risk linkage o m"); /* all are nearest to the one that lacks g too */
    near(value("confidentiality"), 0.75, 0);
    run_ok("risk linkage o m --method probabilistic");
    near(value("confidentiality"), 0.75, 1e-12); /* nothing agrees: a blind guess */
    table_from("one", "x,g\n1,a\n");
    run_ok("risk linkage one one");
    near(value("confidentiality"), 0, 0);
    run_ok("risk linkage one one --method probabilistic");
    near(value("confidentiality"), 0, 0);
    run_bad("risk linkage o one", "record by record");
    run_bad("risk linkage o o --vars q", "no column 'q'");
    run_bad("risk linkage o o --method guess", "nearest");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(nearest),
                                        cmocka_unit_test(probabilistic),
                                        cmocka_unit_test(ranks),
                                        cmocka_unit_test(copies_with_missing),
                                        cmocka_unit_test(same_for_any_threads),
                                        cmocka_unit_test(edges),
                                        cmocka_unit_test(undoes_kim),
                                        cmocka_unit_test(agreements),
                                        cmocka_unit_test(agreements_of_many_values) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
