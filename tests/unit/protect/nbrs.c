/* protect.nbrs: every released value against neighbourhoods found by comparing all pairs; the theorem; the rules for empty, missing and
 * rare. */
#include <sodium.h>
#include "draws.h"
#include "methods.h"
#include "base/random.h"
#include "math/distributions.h"
#include "math/neighbours/feature_space.h"
#include "table/fingerprint.h"

/* The seed as the last run drew from it: keyed by the session's, over the parameters as bound (tables by what is in them). */
static Seed bound_seed(uint64_t number, const Table *data) {
    Seed seed = seed_from_number(number), out = seed;
    const Method *method;
    unsigned char print[FINGERPRINT];
    crypto_generichash_state state;
    crypto_generichash_init(&state, seed.bytes, sizeof seed.bytes, sizeof out.bytes);
    assert_int_equal(method_need(last_result->method, &method, NULL), OK);
    for (int64_t i = 0; i < last_result->params; i++) {
        const Given *given = &last_result->param[i];
        const Param *param = method_param(method, given->name);
        crypto_generichash_update(&state, (const unsigned char *)given->name, strlen(given->name) + 1);
        if (!param || param->kind != KIND_TABLE)
            crypto_generichash_update(&state, (const unsigned char *)given->text, strlen(given->text) + 1);
    }
    table_fingerprint(data, print);
    crypto_generichash_update(&state, print, sizeof print);
    crypto_generichash_final(&state, out.bytes, sizeof out.bytes);
    return out;
}

static RandomStream test_stream(const char *column) { return stream_make(&(Seed){ 0 }, "test", 0, column, "data"); }

/* x, y correlated and skewed; g of four words of unequal frequency; h whole numbers. `lacks`: one cell in twenty is missing. */
static void make_data(const char *name, int64_t rows, bool lacks) {
    char *text = malloc(64 * (size_t)rows + 64), *at = text + sprintf(text, "x,y,g,h\n");
    static const char *const words[] = { "ash", "beech", "cedar", "elm" };
    RandomStream stream = test_stream("mixed");
    for (int64_t i = 0; i < rows; i++) {
        uint64_t w[8];
        stream_words(&stream, (uint64_t)i * 8, 8, w);
        double x = normal_quantile(word_uniform(w[0])), y = exp(0.5 * x + 0.5 * normal_quantile(word_uniform(w[1])));
        int g = (int)(word_uniform(w[2]) * word_uniform(w[3]) * 4), h = (int)word_below(w[4], 6);
        for (int j = 0; j < 4; j++) {
            char cell[32] = "";
            if (j == 0) sprintf(cell, "%.3f", x);
            if (j == 1) sprintf(cell, "%.2f", y);
            if (j == 2) strcpy(cell, words[g]);
            if (j == 3) sprintf(cell, "%d", h);
            if (lacks && word_below(w[5] << (j * 8), 20) == 0) cell[0] = 0;
            at += sprintf(at, "%s%s", cell, j < 3 ? "," : "\n");
        }
    }
    table_from(name, text);
    free(text);
}

/* S by comparing all pairs, on the columns that record i has. */
typedef struct {
    Space space;
    double eps;
    int64_t k;
    bool own;
} Rule;

static bool all_present(const Table *t, int64_t i, int64_t like) {
    for (int64_t j = 0; j < t->columns; j++)
        if (!column_missing(t->column[j], like) && column_missing(t->column[j], i)) return false;
    return true;
}

static double measure_on_present(const Space *s, int64_t i, int64_t k) {
    double sum = 0;
    for (int nominal = 0; nominal < 2; nominal++)
        for (int64_t j = 0; j < s->axes; j++) {
            const Axis *a = &s->axis[j];
            if ((a->half != NULL) != nominal || isnan(a->x[i])) continue;
            double d = a->x[i] - a->x[k];
            sum += nominal ? (d != 0 ? a->half[i] + a->half[k] : 0) : s->metric == EUCLIDEAN ? d * d : fabs(d);
        }
    return sum;
}

static int64_t neighbourhood(const Table *t, const Rule *rule, int64_t i, int64_t *rows) {
    static double measure[4096];
    int64_t count = 0, axes = 0;
    for (int64_t j = 0; j < rule->space.axes; j++) axes += !isnan(rule->space.axis[j].x[i]);
    double limit = measure_of_distance(rule->space.metric, rule->eps);
    if (axes < rule->space.axes) limit *= (double)axes / (double)rule->space.axes;
    for (int64_t k = 0; k < t->rows; k++) measure[k] = k == i || !all_present(t, k, i) ? NAN : measure_on_present(&rule->space, i, k);
    for (int64_t k = 0; k < t->rows; k++) {
        if (isnan(measure[k])) continue;
        int64_t nearer = 0, nearer_or_first = 0;
        for (int64_t m = 0; rule->k && m < t->rows; m++) {
            nearer += measure[m] < measure[k];
            nearer_or_first += measure[m] < measure[k] || (measure[m] == measure[k] && m < k);
        }
        if (rule->k ? rule->own ? nearer < rule->k : nearer_or_first < rule->k : measure[k] < limit) rows[count++] = k;
    }
    return count;
}

/* Each cell is the very one that the draw names: word i·p + j of the stream, into S in the order of rows. */
static void check_draws(const char *name, const char *options, Metric metric, double eps, int64_t k, bool own) {
    char command[256];
    static int64_t rows[4096];
    snprintf(command, sizeof command, "protect nbrs %s %s", name, options);
    run_ok_seeded(5, command);
    const Table *t = shelf[0];
    for (int s = 0; shelf[s]; s++)
        if (!strcmp(shelf[s]->name, name)) t = shelf[s];
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    const Scale *scale;
    Columns all = { t->columns, (const Column **)t->column };
    Rule rule = { .eps = eps, .k = k, .own = own };
    assert_int_equal(scale_make(&work, all, NULL, metric, &scale), OK);
    assert_int_equal(scale_space(&work, scale, all, &rule.space), OK);
    Seed seed = bound_seed(5, t);
    RandomStream draws = stream_make(&seed, "protect.nbrs", 0, NULL, "draw");
    int64_t empty = 0;
    for (int64_t i = 0; i < t->rows; i++) {
        uint64_t words[4];
        int64_t count = neighbourhood(t, &rule, i, rows), p = t->columns;
        stream_words(&draws, (uint64_t)(i * p), (size_t)p, words);
        bool none = true;
        for (int64_t j = 0; j < p; j++) none = none && column_missing(t->column[j], i);
        empty += !count && !none;
        for (int64_t j = 0; j < p; j++) {
            char a[33], b[33];
            const char *released = column_cell(output()->column[j], i, a);
            if (!count || column_missing(t->column[j], i)) {
                assert_null(released);
                continue;
            }
            assert_string_equal(released, column_cell(t->column[j], rows[word_below(words[j], (uint64_t)count)], b));
        }
    }
    assert_int_equal((int64_t)value("empty"), empty);
    arena_free(work.arena);
}

static void test_draws(void **state) {
    (void)state;
    make_data("data", 260, false);
    check_draws("data", "--eps 0.7", EUCLIDEAN, 0.7, 0, false);
    check_draws("data", "--eps 1.1 --metric manhattan", MANHATTAN, 1.1, 0, false);
    check_draws("data", "--eps 0.1 --metric gower", GOWER, 0.1, 0, false);
    check_draws("data", "--neighbours 7", EUCLIDEAN, 0, 7, false);
    check_draws("data", "--eps-neighbours 3 --metric gower", GOWER, 0, 3, true);
}

static void test_missing(void **state) {
    (void)state;
    make_data("holes", 260, true);
    check_draws("holes", "--eps 0.9", EUCLIDEAN, 0.9, 0, false);
    check_draws("holes", "--eps 0.12 --metric gower", GOWER, 0.12, 0, false);
    check_draws("holes", "--neighbours 4", EUCLIDEAN, 0, 4, false);
}

static void test_identity(void **state) {
    (void)state;
    make_data("holes", 500, true);
    run_ok("protect nbrs holes --eps 1 --modify 0");
    for (int s = 0; shelf[s]; s++)
        if (!strcmp(shelf[s]->name, "holes")) assert_true(table_equal(shelf[s], output()));
    near(value("modified"), 0, 0);
    assert_true(isnan(value("neighbours_median")));
    run_ok("protect nbrs holes --eps 1 --modify 0.3");
    near(value("modified") / 500, 0.3, 0.08); /* four standard errors */
}

static void test_threads(void **state) {
    (void)state;
    make_data("data", 2500, true);
    Table *one = NULL;
    for (int threads = 1; threads <= 4; threads++) {
        run_threads = threads;
        run_ok_seeded(3, "protect nbrs data --eps 0.5 --empty nearest --rare 3");
        if (!one) one = table_retain(output());
        assert_true(table_equal(one, output()));
    }
    run_threads = 2;
    run_ok_seeded(4, "protect nbrs data --eps 0.5 --empty nearest");
    assert_false(table_equal(one, output()));
    table_release(one);
}

/* Theorem: as ε → 0, P(U ≤ a, V ≤ b) → F(a, b), though U and V are drawn apart. Here F is the table's own distribution, and 20,000 records
 * stand close enough that neighbourhoods at the least ε are rarely empty; those that are keep their record. */
static double joint_distance(const Column *u, const Column *v, const double *x, const double *y, int64_t rows) {
    double worst = 0;
    for (double a = -2; a <= 2; a += 0.25)
        for (double b = -2; b <= 2; b += 0.25) {
            int64_t here = 0, there = 0;
            for (int64_t i = 0; i < rows; i++) {
                here += u->real[i] <= a && v->real[i] <= b;
                there += x[i] <= a && y[i] <= b;
            }
            worst = fmax(worst, fabs((double)(here - there)) / (double)rows);
        }
    return worst;
}

static void test_theorem(void **state) {
    (void)state;
    enum { N = 20000 };
    double *x[2] = { malloc(N * sizeof **x), malloc(N * sizeof **x) };
    RandomStream stream = test_stream("theorem");
    draw_normals(&stream, 0, N, x[0]);
    draw_normals(&stream, N, N, x[1]);
    for (int i = 0; i < N; i++) x[1][i] = 0.9 * x[0][i] + sqrt(1 - 0.81) * x[1][i];
    table_reals("pair", (const double *const *)x, 2, N);
    static const char *const eps[] = { "1.5", "1", "0.5", "0.25", "0.06" };
    double before = 1;
    for (int e = 0; e < 5; e++) {
        char command[64];
        snprintf(command, sizeof command, "protect nbrs pair --eps %s --empty keep", eps[e]);
        run_ok(command);
        double distance = joint_distance(output_column("a"), output_column("b"), x[0], x[1], N);
        assert_true(distance < before);
        before = distance;
    }
    assert_true(before < 0.004);
    assert_true(value("empty") < 0.02 * N && value("share") > 0.97); /* and yet nearly every record is another */
    free(x[0]);
    free(x[1]);
}

static void test_empty_rules(void **state) {
    (void)state;
    table_from("few", "x,g\n1,a\n1.1,a\n1.2,b\n9,b\n");
    run_ok("protect nbrs few --eps 0.2 --weights g:0");
    assert_string_equal(cells_of(output_column("x")) + strlen(cells_of(output_column("x"))) - 1, ".");
    near(value("empty"), 1, 0);
    near(value("neighbours_min"), 0, 0);
    run_ok("protect nbrs few --eps 0.2 --weights g:0 --empty keep");
    near(column_number(output_column("x"), 3), 9, 0);
    run_ok("protect nbrs few --eps 0.2 --weights g:0 --empty nearest");
    near(column_number(output_column("x"), 3), 1.2, 0);
    assert_string_equal(column_cell(output_column("g"), 3, (char[33]){ 0 }), "b");
}

static void test_advice(void **state) {
    (void)state;
    make_data("data", 1000, false);
    run_ok("protect nbrs data --eps 0.05");
    assert_true(noted("fewer than 1% would be"));
    char command[96];
    for (int64_t i = 0; i < last_result->notes; i++) {
        const char *at = strstr(last_result->note[i], "--eps ");
        if (at) snprintf(command, sizeof command, "protect nbrs data --eps %.*s", (int)strcspn(at + 6, " "), at + 6);
    }
    run_ok(command);
    assert_true(value("empty") < 10);
    assert_false(noted("would be"));
}

static void test_rare(void **state) {
    (void)state;
    table_from("born", "x,place\n1,here\n1,here\n1,here\n1,here\n1,here\n1,Tonga\n");
    run_ok("protect nbrs born --eps 9 --rare 2 --weights place:0");
    int64_t released = 0;
    for (int64_t i = 0; i < 6; i++) released += !strcmp(column_cell(output_column("place"), i, (char[33]){ 0 }), "Tonga");
    near(value("rare_surviving"), released > 0, 0);
    const Table *rare = result_find_table(last_result, "rare");
    assert_non_null(rare);
    assert_int_equal(rare->rows, released > 0);
    if (released) near(table_value("rare", "released", 0), (double)released, 0);
}

/* Neighbourhoods by size, which depend on the distance alone. */
static char *sizes_of(const char *command) {
    static char text[2][2048];
    static int which;
    char *at = text[which = !which];
    run_ok(command);
    const Table *sizes = result_find_table(last_result, "neighbourhoods");
    *at = 0;
    for (int64_t i = 0; i < sizes->rows; i++)
        at += sprintf(at, "%g:%g ", table_value("neighbourhoods", "from", i), table_value("neighbourhoods", "records", i));
    return text[which];
}

/* Section 4: w = n^(−1/(c+4)); g and h (six whole numbers) are discrete, x and y are not. Five thousand of the paper's records: 0.296. */
static void test_discrete_weight(void **state) {
    (void)state;
    make_data("data", 400, false);
    char given[128], *automatic = sizes_of("protect nbrs data --eps 0.5 --discrete-weight auto");
    double w = pow(400, -1. / 6);
    near(value("discrete_weight"), w, 1e-15);
    snprintf(given, sizeof given, "protect nbrs data --eps 0.5 --weights g:%.17g,h:%.17g", w, w);
    assert_string_equal(automatic, sizes_of(given));
    assert_string_equal(sizes_of("protect nbrs data --eps 0.5 --discrete-weight 0.1 --weights g:2"),
                        sizes_of("protect nbrs data --eps 0.5 --weights g:2,h:0.1"));
    make_data("more", 1600, false);
    run_ok("protect nbrs more --eps 0.5 --discrete-weight auto");
    assert_true(value("discrete_weight") < w);
    table_from("words", "g\na\nb\na\n");
    run_ok("protect nbrs words --eps 1 --discrete-weight auto");
    near(value("discrete_weight"), 1, 0); /* nothing that it could fall behind */
    run_bad("protect nbrs data --eps 1 --discrete-weight heavy", "auto or a number");
    run_bad("protect nbrs data --eps 1 --discrete-weight -1", "auto or a number");
}

static void test_decay(void **state) {
    (void)state;
    make_data("data", 300, false);
    assert_string_equal(sizes_of("protect nbrs data --eps 0.5 --decay 1"),
                        sizes_of("protect nbrs data --eps 0.5 --weights y:0.5,g:0.33333333333333331,h:0.25"));
    assert_string_equal(sizes_of("protect nbrs data --eps 0.5 --decay 2 --weights g:1"),
                        sizes_of("protect nbrs data --eps 0.5 --weights y:0.25,g:1,h:0.0625"));
}

/* Who holds a rare value goes, and then whoever is left with one: Tonga, and with its last h record the only other of kind 7. */
static void test_exclude(void **state) {
    (void)state;
    table_from("born", "x,place,kind\n1,here,1\n1,here,1\n1,here,1\n1,here,7\n1,Tonga,7\n1,here,1\n");
    run_ok("protect nbrs born --eps 99 --exclude-rare 2 --rare 2");
    near(value("excluded"), 2, 0);
    near(value("modified"), 4, 0);
    near(value("rare_surviving"), 0, 0);
    assert_string_equal(cells_of(output_column("place")), "here here here . . here");
    assert_string_equal(cells_of(output_column("x")), "1 1 1 . . 1");
    run_ok("protect nbrs born --vars x,place --modify 0 --eps 99 --exclude-rare 2");
    assert_string_equal(cells_of(output_column("place")), "here here here here . here");
    assert_true(noted("still show the suppressed records"));
    make_data("data", 200, true);
    run_ok("protect nbrs data --eps 1 --exclude-rare 30 --empty nearest");
    const Column *g = output_column("g");
    const Table *from = NULL;
    for (int s = 0; shelf[s]; s++)
        if (!strcmp(shelf[s]->name, "data")) from = shelf[s];
    for (int64_t i = 0; i < 200; i++) {
        int64_t held = 0;
        char a[33], b[33];
        for (int64_t k = 0; k < 200 && !column_missing(g, i); k++) {
            const char *other = column_cell(table_column(from, "g"), k, a);
            held += other && !strcmp(other, column_cell(g, i, b));
        }
        assert_true(column_missing(g, i) || held >= 30);
    }
}

/* Every record that stays holds only combinations that at least three who stay hold; no single value is
 * rare here. */
static void test_exclude_combinations(void **state) {
    enum { RECORDS = 400 };
    (void)state;
    static char text[8000];
    uint64_t random = 3;
    size_t at = (size_t)snprintf(text, sizeof text, "a,b,c,x\n");
    for (int i = 0; i < RECORDS; i++) {
        int v[3];
        for (int j = 0; j < 3; j++) {
            int one = draw_below(&random, 5), two = draw_below(&random, 5);
            v[j] = one < two ? one : two;
        }
        at += (size_t)snprintf(text + at, sizeof text - at, "%c,%c,%c,%d\n", 'p' + v[0], 'p' + v[1], 'p' + v[2], draw_below(&random, 1000));
    }
    table_from("triples", text);
    const Table *from = NULL;
    for (int s = 0; shelf[s]; s++)
        if (!strcmp(shelf[s]->name, "triples")) from = shelf[s];
    run_ok("protect nbrs triples --eps 99 --modify 0 --exclude-rare 3");
    near(value("excluded"), 0, 0);
    int64_t before = 0;
    for (int order = 2; order <= 3; order++) {
        char command[120];
        snprintf(command, sizeof command, "protect nbrs triples --eps 99 --modify 0 --exclude-rare 3 --exclude-combinations %d", order);
        run_ok(command);
        int64_t excluded = 0;
        for (int64_t i = 0; i < RECORDS; i++) {
            if (column_missing(output_column("x"), i)) {
                excluded++;
                continue;
            }
            for (int set = 3; set < 8; set++) { /* of two columns or three */
                int64_t held = 0;
                if (set == 7 && order == 2) continue;
                if (set != 3 && set != 5 && set != 6 && set != 7) continue;
                for (int64_t k = 0; k < RECORDS; k++) {
                    bool alike = !column_missing(output_column("x"), k);
                    for (int j = 0; j < 3 && alike; j++) {
                        char one[33], two[33];
                        const Column *c = from->column[j];
                        alike = !(set >> j & 1) || !strcmp(column_cell(c, i, one), column_cell(c, k, two));
                    }
                    held += alike;
                }
                assert_true(held >= 3);
            }
        }
        near(value("excluded"), (double)excluded, 0);
        assert_true(excluded > before && excluded < RECORDS);
        before = excluded;
    }
    run_bad("protect nbrs triples --eps 99 --exclude-combinations 2", "exclude-rare");
}

/* Section 5.2: at full size the share alone is the share of empty neighbourhoods; it falls with n and rises with p. */
static void test_by_size(void **state) {
    (void)state;
    make_data("data", 800, false);
    run_ok("protect nbrs data --eps 0.3 --by-size");
    const Table *alone = result_find_table(last_result, "alone");
    assert_int_equal(alone->rows, 20);
    near(table_value("alone", "alone", 19), value("empty") / value("modified"), 1e-15);
    assert_true(table_value("alone", "alone", 15) > table_value("alone", "alone", 19));
    assert_true(table_value("alone", "alone", 19) > table_value("alone", "alone", 4));
    run_bad("protect nbrs data --neighbours 3 --by-size", "eps");
    /* on the first columns: as if there were no others, whatever the distance */
    static const char *const metrics[] = { "euclidean --eps 0.3", "manhattan --eps 0.4", "gower --eps 0.02 --weights x:0.2,h:3" };
    static const char *const first[] = { "x", "x,y", "x,y,g", "x,y,g,h" };
    for (int m = 0; m < 3; m++) {
        char command[160];
        double share[4];
        snprintf(command, sizeof command, "protect nbrs data --by-size --metric %s", metrics[m]);
        run_ok(command);
        for (int p = 0; p < 4; p++) share[p] = table_value("alone", "alone", 5 * p + 4);
        for (int p = 0; p < 4; p++) {
            snprintf(command, sizeof command, "protect nbrs data --vars %s --metric %s", first[p], metrics[m]);
            if (p < 3 && strstr(command, ",h:3")) *strstr(command, ",h:3") = 0;
            run_ok(command);
            near(share[p], value("empty") / value("modified"), 1e-15);
        }
    }
}

/* Section 8: distances from the centroid with the dummies made by hand; the record farthest out ends the last band. */
static void test_fringes(void **state) {
    (void)state;
    static const char *const words[] = { "a", "b", "c" };
    char text[2048], *at = text + sprintf(text, "x,g\n");
    double x[20], share[3] = { 10 / 20., 6 / 20., 4 / 20. }, mean = 0, var = 0, most = 0;
    for (int i = 0; i < 20; i++) mean += (x[i] = i * i) / 20;
    for (int i = 0; i < 20; i++) var += (x[i] - mean) * (x[i] - mean) / 19;
    for (int i = 0; i < 20; i++) {
        int g = i < 10 ? 0 : i < 16 ? 1 : 2;
        double sum = (x[i] - mean) * (x[i] - mean) / var;
        for (int j = 1; j < 3; j++) sum += pow((g == j) - share[j], 2) / (share[j] * (1 - share[j]) * 20 / 19);
        most = fmax(most, sqrt(sum));
        at += sprintf(at, "%g,%s\n", x[i], words[g]);
    }
    table_from("far", text);
    run_ok("protect nbrs far --eps 0.5");
    near(table_value("fringes", "distance", 9), most, 1e-12);
    double records = 0, empty = 0;
    for (int b = 0; b < 10; b++) {
        records += table_value("fringes", "records", b);
        empty += table_value("fringes", "records", b) * table_value("fringes", "empty", b);
    }
    near(records, value("modified"), 0);
    near(empty, value("empty"), 1e-9);
    near(value("fringe_empty"), table_value("fringes", "empty", 9), 0);
}

static void test_edges(void **state) {
    (void)state;
    table_from("none", "x,g\n");
    run_ok("protect nbrs none --eps 1");
    assert_int_equal(output()->rows, 0);
    table_from("one", "x,g\n1,a\n");
    run_ok("protect nbrs one --eps 1 --empty nearest");
    assert_true(column_missing(output_column("x"), 0)); /* there is no one else */
    run_ok("protect nbrs one --neighbours 5");
    table_from("gone", "x,y\n,\n,\n,\n");
    run_ok("protect nbrs gone --eps 1");
    near(value("modified"), 0, 0);
    table_from("same", "x,y\n2,3\n2,3\n2,3\n");
    run_ok("protect nbrs same --eps 1e-9");
    assert_string_equal(cells_of(output_column("x")), "2 2 2");
    near(value("neighbours_min"), 2, 0);
    run_ok("protect nbrs same --vars x --neighbours 1");
    assert_int_equal(output()->columns, 2);
}

static void test_bad(void **state) {
    (void)state;
    make_data("data", 50, false);
    run_bad("protect nbrs data", "one of");
    run_bad("protect nbrs data --eps 1 --neighbours 3", "only one of");
    run_bad("protect nbrs data --eps 0", "eps");
    run_bad("protect nbrs data --eps 1 --modify 1.5", "modify");
    run_bad("protect nbrs data --eps 1 --weights z:1", "weights");
    run_bad("protect nbrs data --eps 1 --weights x:-1", "weight");
    run_bad("protect nbrs data --eps 1 --metric cosine", "metric");
    run_bad("protect nbrs data --eps 1 --vars q", "q");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draws),           cmocka_unit_test(test_missing),
        cmocka_unit_test(test_identity),        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_theorem),         cmocka_unit_test(test_empty_rules),
        cmocka_unit_test(test_advice),          cmocka_unit_test(test_rare),
        cmocka_unit_test(test_edges),           cmocka_unit_test(test_bad),
        cmocka_unit_test(test_discrete_weight), cmocka_unit_test(test_decay),
        cmocka_unit_test(test_exclude),         cmocka_unit_test(test_exclude_combinations),
        cmocka_unit_test(test_by_size),         cmocka_unit_test(test_fringes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
