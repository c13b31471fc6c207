/* protect.microaggregate: published losses, MDAV and the optimal partition against plain loops, group sizes, means, strata, missing values,
 * categories. */
#include "methods.h"
#include "base/random.h"
#include "protect/microaggregate/partition.h"

static uint64_t word_at(uint64_t i) {
    uint64_t word;
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, "microaggregate", "data");
    stream_words(&stream, i, 1, &word);
    return word;
}

/* ---- Known answers ---- */

static void check_loss(const char *file, int k, double wanted, double within) {
    char path[128], command[512];
    snprintf(path, sizeof path, "../shared/data/%s.csv", file);
    const Table *t = table_from_file(file, path);
    int at = snprintf(command, sizeof command, "protect microaggregate %s --k %d --vars ", file, k);
    for (int64_t j = 0; j < t->columns; j++)
        at += snprintf(command + at, sizeof command - (size_t)at, "%s%s", j ? "," : "", t->column[j]->name);
    run_ok(command);
    near(value("information_loss"), wanted, within);
    assert_true(value("smallest") >= k && value("largest") <= 2 * k - 1);
}

/* sdcMicro 5.8.1, mdav on standardised columns. */
static void test_reference(void **state) {
    (void)state;
    check_loss("census_casc", 3, 5.69218627877, 1e-10);
    check_loss("census_casc", 4, 7.494700, 1e-6);
    check_loss("census_casc", 5, 9.08843549764, 1e-10);
    check_loss("census_casc", 10, 14.155930, 1e-6);
    check_loss("tarragona", 3, 16.9325876228, 1e-9);
    check_loss("tarragona", 10, 33.1928847685, 1e-9);
}

/* ---- MDAV against a plain loop over all records ---- */

static double measure_to(const Space *s, int64_t row, const double *point, const double *half) {
    double sum = 0;
    for (int nominal = 0; nominal < 2; nominal++)
        for (int64_t j = 0; j < s->axes; j++) {
            if ((s->axis[j].half != NULL) != nominal) continue;
            double d = s->axis[j].x[row] - point[j];
            sum += nominal ? (d != 0 ? s->axis[j].half[row] + half[j] : 0) : d * d;
        }
    return sum;
}

static void centre_of(const Space *s, const int32_t *group, double *point, double *half) {
    for (int64_t j = 0; j < s->axes; j++) {
        long double sum = 0;
        int64_t left = 0, tally[8] = { 0 };
        for (int64_t i = 0; i < s->rows; i++) {
            if (group[i] >= 0) continue;
            sum += s->axis[j].x[i];
            left++;
            if (s->axis[j].half) tally[(int)s->axis[j].x[i]]++;
        }
        point[j] = (double)(sum / left);
        half[j] = 0.5;
        if (!s->axis[j].half) continue;
        int mode = 0;
        for (int c = 1; c < 8; c++)
            if (tally[c] > tally[mode]) mode = c;
        point[j] = mode;
    }
}

static int64_t extreme(const Space *s, const int32_t *group, const double *point, const double *half, int sign) {
    int64_t best = -1;
    double most = 0;
    for (int64_t i = 0; i < s->rows; i++) {
        if (group[i] >= 0) continue;
        double m = sign * measure_to(s, i, point, half);
        if (best < 0 || m > most) {
            most = m;
            best = i;
        }
    }
    return best;
}

static void plain_group(const Space *s, int64_t row, int k, int32_t g, int32_t *group, double *point, double *half) {
    for (int64_t j = 0; j < s->axes; j++) {
        point[j] = s->axis[j].x[row];
        half[j] = 0.5;
    }
    group[row] = g;
    for (int i = 1; i < k; i++) group[extreme(s, group, point, half, -1)] = g;
}

static int32_t plain_mdav(const Space *s, int k, int32_t *group) {
    double point[32], half[32];
    int64_t left = s->rows;
    int32_t g = 0;
    for (int64_t i = 0; i < s->rows; i++) group[i] = -1;
    for (; left >= 3 * k; left -= 2 * k) {
        centre_of(s, group, point, half);
        plain_group(s, extreme(s, group, point, half, 1), k, g++, group, point, half);
        plain_group(s, extreme(s, group, point, half, 1), k, g++, group, point, half);
    }
    if (left >= 2 * k) {
        centre_of(s, group, point, half);
        plain_group(s, extreme(s, group, point, half, 1), k, g++, group, point, half);
        left -= k;
    }
    for (int64_t i = 0; i < s->rows; i++)
        if (group[i] < 0) group[i] = g;
    return g + (left > 0);
}

/* On eighths, sums are exact and ties abound; the plain loop and the index must then agree record by record. */
static Space grid_space(Work *work, int64_t rows, int64_t axes, uint64_t steps, bool nominal, uint64_t seed) {
    Axis *axis;
    assert_int_equal(arena_array(work->arena, axes, sizeof *axis, &axis, &last_error), OK);
    for (int64_t j = 0; j < axes; j++) {
        double *x, *half = NULL;
        assert_int_equal(arena_array(work->arena, rows, sizeof *x, &x, &last_error), OK);
        if (nominal && j == axes - 1) assert_int_equal(arena_array(work->arena, rows, sizeof *half, &half, &last_error), OK);
        for (int64_t i = 0; i < rows; i++) {
            uint64_t word = word_at(seed * 1000003 + (uint64_t)(i * axes + j));
            x[i] = half ? (double)word_below(word, 4) : steps ? (double)word_below(word, steps) / 8 : word_uniform(word);
            if (half) half[i] = 0.5;
        }
        axis[j] = (Axis){ .x = x, .half = half };
    }
    return (Space){ .metric = EUCLIDEAN, .rows = rows, .axes = axes, .axis = axis };
}

static void test_mdav_plain(void **state) {
    (void)state;
    for (uint64_t round = 0; round < 32; round++) { /* the last ones on many axes */
        Work work = { .arena = arena_new(), .error = &last_error, .threads = 2 };
        int k = 2 + (int)(round % 4);
        int64_t rows = 40 + (int64_t)(round * 37 % 500), row[600];
        int64_t axes = round < 24 ? 2 + (int64_t)(round % 3) : 23 + (int64_t)(round % 8);
        Space space = grid_space(&work, rows, axes, round % 2 ? 0 : round < 24 ? 64 : 3, round % 3 == 0, round);
        int32_t mine[600], plain[600];
        for (int64_t i = 0; i < rows; i++) {
            row[i] = i;
            mine[i] = -1;
        }
        Partition partition = { mine, 0 };
        assert_int_equal(part_mdav(&work, &space, row, rows, k, &partition), OK);
        assert_int_equal(partition.groups, plain_mdav(&space, k, plain));
        for (int64_t i = 0; i < rows; i++)
            if (mine[i] != plain[i]) fail_msg("round %d row %d: group %d, plain loop %d", (int)round, (int)i, mine[i], plain[i]);
        arena_free(work.arena);
    }
}

/* ---- The optimal partition against trying every one ---- */

static double sum_of_squares(const double *x, int64_t from, int64_t to) {
    double mean = 0, sum = 0;
    for (int64_t i = from; i < to; i++) mean += x[i] / (double)(to - from);
    for (int64_t i = from; i < to; i++) sum += (x[i] - mean) * (x[i] - mean);
    return sum;
}

static double try_all(const double *x, int64_t from, int64_t n, int64_t k) {
    if (from == n) return 0;
    double best = INFINITY;
    for (int64_t to = from + k; to <= n; to++)
        best = fmin(best, sum_of_squares(x, from, to) + try_all(x, to, n, k)); /* groups of any size from k up */
    return best;
}

static int rising(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void test_optimal(void **state) {
    (void)state;
    for (uint64_t round = 0; round < 300; round++) {
        int64_t n = 4 + (int64_t)(round % 13), k = 2 + (int64_t)(round % 3);
        if (n < k) continue;
        double *x = malloc((size_t)n * sizeof *x), sorted[20], squares = 0;
        for (int64_t i = 0; i < n; i++)
            sorted[i] = x[i] = round % 4 ? 100 * word_uniform(word_at(round * 64 + (uint64_t)i))
                                         : (double)word_below(word_at(round * 64 + (uint64_t)i), 6);
        table_reals("column", (const double *const[]){ x }, 1, n);
        char command[96];
        snprintf(command, sizeof command, "protect microaggregate column --vars a --method optimal-univariate --k %d", (int)k);
        run_ok(command);
        for (int64_t i = 0; i < n; i++) {
            double d = x[i] - column_number(output_column("a"), i);
            squares += d * d;
        }
        qsort(sorted, (size_t)n, sizeof *sorted, rising);
        double best = try_all(sorted, 0, n, k);
        near(squares, best, 1e-9 * best + 1e-12);
        assert_true(value("smallest") >= k && value("largest") <= 2 * k - 1);
        free(x);
    }
}

/* ---- Properties of all five ---- */

static const char *const methods[] = { "mdav", "vmdav", "optimal-univariate", "individual-ranking", "pca" };

static void make_data(int64_t rows) {
    char *text = malloc(64 * (size_t)rows + 64), *at = text + sprintf(text, "a,b,c,s\n");
    for (int64_t i = 0; i < rows; i++) {
        double z = word_uniform(word_at((uint64_t)(i * 4))), u = word_uniform(word_at((uint64_t)(i * 4 + 1)));
        at += sprintf(at, "%.4f,%d,%.2f,%s\n", z * z, (int)(50 * (z + u)), exp(3 * u), i % 3 ? "x" : "y");
    }
    table_from("data", text);
    free(text);
}

static const Table *shelved(const char *name) {
    for (int s = 0; shelf[s]; s++)
        if (!strcmp(shelf[s]->name, name)) return shelf[s];
    return NULL;
}

static double column_mean(const Column *c) {
    double sum = 0;
    for (int64_t i = 0; i < c->rows; i++) sum += column_number(c, i);
    return sum / (double)c->rows;
}

static void test_properties(void **state) {
    (void)state;
    for (int64_t rows = 20; rows < 400; rows += 61) {
        make_data(rows);
        for (int m = 0; m < 5; m++)
            for (int k = 2; k < 8; k += 2) {
                char command[160];
                snprintf(command, sizeof command, "protect microaggregate data --vars a,b,c --method %s --k %d", methods[m], k);
                run_ok(command);
                assert_true(value("smallest") >= k && value("largest") <= 2 * k - 1);
                int64_t grouped = 0;
                const Table *sizes = result_find_table(last_result, "sizes");
                for (int64_t i = 0; i < sizes->rows; i++)
                    grouped += (int64_t)(table_value("sizes", "records", i) * table_value("sizes", "groups", i));
                assert_int_equal(grouped, m == 2 || m == 3 ? 3 * rows : rows);
                for (int j = 0; j < 3; j++) {
                    const char *name = (char[]){ (char)('a' + j), 0 };
                    double before = column_mean(table_column(shelved("data"), name));
                    near(column_mean(output_column(name)), before, 1e-12 * fabs(before) + 1e-12);
                }
                assert_true(value("information_loss") > 0 && value("information_loss") < 100);
                assert_ptr_equal(output_column("s"), table_column(shelved("data"), "s")); /* what is not named is shared, not copied */
            }
    }
}

/* Optimal is never worse than ranking, which cuts the same order blindly. */
static void test_optimal_beats_ranking(void **state) {
    (void)state;
    make_data(300);
    run_ok("protect microaggregate data --vars a,b,c --method individual-ranking --k 4");
    double ranking = value("information_loss");
    run_ok("protect microaggregate data --vars a,b,c --method optimal-univariate --k 4");
    assert_true(value("information_loss") < ranking);
}

static void test_strata(void **state) {
    (void)state;
    make_data(200);
    for (int m = 0; m < 5; m++) {
        char command[160];
        snprintf(command, sizeof command, "protect microaggregate data --vars a,b --strata s --method %s --k 3", methods[m]);
        run_ok(command);
        for (int stratum = 0; stratum < 2; stratum++) { /* each stratum keeps its own mean */
            double before = 0, after = 0;
            const Column *a = table_column(shelved("data"), "a"), *s = table_column(shelved("data"), "s");
            for (int64_t i = 0; i < 200; i++)
                if (s->code[i] == stratum) {
                    before += column_number(a, i);
                    after += column_number(output_column("a"), i);
                }
            near(after, before, 1e-9);
        }
    }
    run_bad("protect microaggregate data --vars a --strata b --k 3", "strata");
}

/* Two clumps of four far apart and one of three: V-MDAV makes 4, 4, 3 where MDAV must cut by three. */
static void test_vmdav_grows(void **state) {
    (void)state;
    table_from("clumps", "a,b\n0,0\n0,1\n1,0\n1,1\n50,50\n50,51\n51,50\n51,51\n0,90\n0,91\n1,90\n");
    run_ok("protect microaggregate clumps --vars a,b --k 3 --method vmdav --gamma 1.1");
    near(value("groups"), 3, 0);
    near(value("largest"), 4, 0);
    assert_true(value("information_loss") < 0.1);
    run_ok("protect microaggregate clumps --vars a,b --k 3 --method mdav");
    assert_true(value("information_loss") > 1);
}

static void test_median_and_mode(void **state) {
    (void)state;
    table_from("small", "x,g\n1,a\n2,a\n9,b\n100,c\n101,c\n130,a\n");
    run_ok("protect microaggregate small --vars x,g --k 3 --aggregate median");
    assert_string_equal(cells_of(output_column("x")), "2 2 2 101 101 101");
    assert_string_equal(cells_of(output_column("g")), "a a a c c c");
    assert_int_equal(output_column("x")->type, INTEGER_TYPE);
    run_ok("protect microaggregate small --vars x --k 3");
    assert_string_equal(cells_of(output_column("x")), "4 4 4 110.33333333333333 110.33333333333333 110.33333333333333");
}

static void test_missing(void **state) {
    (void)state;
    table_from("holes", "x,y\n1,1\n2,2\n3,3\n4,4\n5,5\n6,6\n7,\n8,\n9,\n,1\n,\n");
    run_ok("protect microaggregate holes --vars x,y --k 3");
    assert_string_equal(cells_of(output_column("x")) + strlen(cells_of(output_column("x"))) - 9, "8 8 8 . .");
    assert_string_equal(cells_of(output_column("y")) + strlen(cells_of(output_column("y"))) - 9,
                        ". . . . ."); /* the lone y = 1 could not be grouped */
    near(value("blanked"), 1, 0);
    run_ok("protect microaggregate holes --vars x,y --k 3 --method individual-ranking");
    near(value("blanked"), 0, 0);
    assert_true(column_missing(output_column("y"), 10) && !column_missing(output_column("y"), 9));
}

/* Numbers of any size, which once had no distance that is a number: groups of k all the same, alike at every power of two. */
static void test_any_size(void **state) {
    (void)state;
    for (int seed = 0; seed < 6; seed++)
        for (int p = 0; p < 5; p++) {
            const int power = (int[]){ -900, -560, 0, 530, 900 }[p];
            char *text = malloc(120 * 400), *at = text + sprintf(text, "x,y,z\n");
            for (int i = 0; i < 300; i++) {
                double u = word_uniform(word_at((uint64_t)(seed * 1000 + i * 2))),
                       v = word_uniform(word_at((uint64_t)(seed * 1000 + i * 2 + 1)));
                at += sprintf(at, "%.17g,%.17g,%d\n", ldexp(u + v, power), ldexp(floor(40 * v), power), i % 7);
            }
            table_from("sized", text);
            free(text);
            for (int m = 0; m < 5; m++) {
                char command[160];
                static double loss[5];
                snprintf(command, sizeof command, "protect microaggregate sized --vars x,y,z --method %s --k 4", methods[m]);
                run_ok(command);
                assert_true(value("smallest") >= 4 && value("largest") <= 7);
                if (p == 0) loss[m] = value("information_loss");
                assert_true(value("information_loss") == loss[m]);
            }
        }
}

static void test_threads(void **state) {
    (void)state;
    make_data(3000);
    for (int m = 0; m < 5; m++) {
        Table *one = NULL;
        for (run_threads = 1; run_threads <= 4; run_threads++) {
            char command[128];
            snprintf(command, sizeof command, "protect microaggregate data --vars a,b,c --method %s", methods[m]);
            run_ok(command);
            if (!one) one = table_retain(output());
            assert_true(table_equal(one, output()));
        }
        table_release(one);
    }
    run_threads = 2;
}

static void test_edges(void **state) {
    (void)state;
    table_from("none", "x,g\n");
    table_from("one", "x,g\n1,a\n");
    table_from("same", "x,g\n2,a\n2,a\n2,a\n2,a\n2,a\n2,a\n2,a\n");
    table_from("gone", "x,y\n,\n,\n,\n");
    table_from("words", "g\na\nb\nc\n");
    for (int m = 0; m < 5; m++) {
        char command[128];
        snprintf(command, sizeof command, "protect microaggregate none --vars x --method %s", methods[m]);
        run_ok(command);
        snprintf(command, sizeof command, "protect microaggregate one --vars x --method %s", methods[m]);
        run_bad(command, "fewer than");
        snprintf(command, sizeof command, "protect microaggregate same --vars x --method %s --k 2", methods[m]);
        run_ok(command);
        assert_string_equal(cells_of(output_column("x")), "2 2 2 2 2 2 2");
        assert_true(isnan(value("information_loss")));
        snprintf(command, sizeof command, "protect microaggregate gone --vars x,y --method %s", methods[m]);
        run_ok(command);
        near(value("groups"), 0, 0);
    }
    run_bad("protect microaggregate words --vars g --method optimal-univariate", "numbers");
    run_bad("protect microaggregate words --vars g --method pca", "numbers");
    run_bad("protect microaggregate same --vars x --k 1", "k");
    run_bad("protect microaggregate same --vars x --gamma 1", "vmdav");
    run_bad("protect microaggregate same --k 2", "vars");
}

/* Groups of k records share their aggregated keys: frequencies of them count, and an intruder who knows true keys is left with k. */
static void keys_shared_by_k(void **state) {
    (void)state;
    char text[4096], *at = text + sprintf(text, "x,y,s\n");
    for (int i = 0; i < 100; i++) at += sprintf(at, "%d,%d,%d\n", i * 37 % 101, i * i % 53, i % 3);
    Table *original = table_from("keys", text);
    run_ok("protect microaggregate keys --vars x,y --k 4");
    assert_false(output()->perturbed);
    Table *released = shelve("shared", table_retain(output()));
    assert_true(original->rows == released->rows);
    run_ok("risk k-anonymity shared --keys x,y");
    assert_true(value("k") >= 4);
    run_ok_seeded(1, "protect noise keys --vars x --amount 0.1");
    shelve("noisy", table_retain(output()));
    run_ok("protect microaggregate noisy --vars x,y --k 4");
    shelve("both", table_retain(output()));
    run_bad("risk k-anonymity both --keys x,y", "perturbed"); /* what was random before stays so */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_shared_by_k), cmocka_unit_test(test_reference),   cmocka_unit_test(test_mdav_plain),
        cmocka_unit_test(test_optimal),     cmocka_unit_test(test_properties),  cmocka_unit_test(test_optimal_beats_ranking),
        cmocka_unit_test(test_strata),      cmocka_unit_test(test_vmdav_grows), cmocka_unit_test(test_median_and_mode),
        cmocka_unit_test(test_missing),     cmocka_unit_test(test_any_size),    cmocka_unit_test(test_threads),
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
