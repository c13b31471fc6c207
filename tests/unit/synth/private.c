/* synth.private: the model's algebra against brute force, the mechanisms' laws, the budget, that nothing but noise tells neighbours apart,
 * the ledger, bad input. */
#include "methods.h"
#include <unistd.h>
#include "ledger/ledger.h"
#include "math/privacy/compose.h"
#include "synth/private/private.h"

static const char *schema_text;
static Status lend_bytes(void *self, const char *name, Work *work, const char **out, size_t *count, Error *error) {
    (void)self, (void)name, (void)error;
    *out = arena_text(work->arena, schema_text);
    *count = strlen(schema_text);
    return OK;
}
static const char *ledger_path;
static Ledger *ledger;
static Status lend_ledger(void *self, const char *name, Ledger **out, Error *error) {
    (void)self, (void)name;
    Status status = ledger ? OK : ledger_open(ledger_path, &ledger, error);
    *out = ledger;
    return status;
}

/* ---- the model ---- */

enum { D = 5 };
static const int32_t sizes[D] = { 2, 3, 2, 4, 3 };

static Error error;
static Work work;
static Session session;
static Run run_of(void) {
    error = ERROR_NONE;
    work = (Work){ .arena = arena_new(), .error = &error, .threads = 1 };
    session = (Session){ .seed = seed_from_number(3), .threads = 1 };
    return (Run){ .work = work, .method = method_find("synth", "private"), .session = &session };
}

static void small_domain(Domain *d) {
    *d = (Domain){ .count = D };
    assert_int_equal(arena_array(work.arena, D, sizeof *d->at, &d->at, &error), OK);
    for (int j = 0; j < D; j++) d->at[j] = (Attribute){ .size = sizes[j], .merged = sizes[j], .bins = sizes[j] };
}

static void add_measured(Private *p, Set set, double widest, uint64_t *word) {
    Measured *m = &p->at[p->measured++];
    *m = (Measured){ .set = set, .cells = set_cells(&p->domain, set), .sigma = 1 };
    assert_int_equal(measured_room(&work, m), OK);
    for (int64_t c = 0; c < m->cells; c++) {
        *word = *word * 6364136223846793005u + 1442695040888963407u;
        m->parameter[c] = (double)(*word >> 40) / (1 << 24) * widest;
    }
}

/* e^(all potentials) over the whole domain, summed to a set. */
static void by_force(const Private *p, Set set, double *out) {
    Set all = (1 << D) - 1;
    int64_t cells = set_cells(&p->domain, all);
    int32_t map[1024], to[1024];
    double belief[1024], sum = 0, most = -INFINITY;
    memset(belief, 0, sizeof belief);
    for (int64_t r = 0; r < p->measured; r++) {
        project_map(&p->domain, all, p->at[r].set, map);
        for (int64_t c = 0; c < cells; c++) belief[c] += p->at[r].parameter[map[c]];
    }
    for (int64_t c = 0; c < cells; c++) most = fmax(most, belief[c]);
    for (int64_t c = 0; c < cells; c++) sum += belief[c] = exp(belief[c] - most);
    project_map(&p->domain, all, set, to);
    memset(out, 0, (size_t)set_cells(&p->domain, set) * sizeof *out);
    for (int64_t c = 0; c < cells; c++) out[to[c]] += belief[c] / sum;
}

/* 300 random models of up to six marginals: every marginal of the tree is that of the whole distribution, and the exact count of cells
 * walked is bounded; also where potentials are so far apart that cliques all but exclude each other (as noise in few records makes them).
 */
static void test_marginals(void **state) {
    (void)state;
    uint64_t word = 7;
    for (int trial = 0; trial < 300; trial++) {
        Run run = run_of();
        Measured at[8];
        Private p = { .run = &run, .at = at };
        Tree tree;
        small_domain(&p.domain);
        int many = 1 + trial % 6;
        for (int k = 0; k < many; k++) {
            word = word * 6364136223846793005u + 1442695040888963407u;
            Set set = word >> 59 & 31;
            while (__builtin_popcountll(set) > 3) set &= set - 1;
            add_measured(&p, set ? set : 1, trial % 3 ? 3 : 30000, &word);
        }
        assert_int_equal(tree_make(&p, &tree), OK);
        assert_int_equal(tree_calibrate(&p, &tree), OK);
        for (Set set = 1; set < 1 << D; set++) {
            double ours[256], truth[256];
            if (set_cells(&p.domain, set) > 144) continue;
            assert_int_equal(tree_marginal(&p, &tree, set, ours), OK);
            by_force(&p, set, truth);
            for (int64_t c = 0; c < set_cells(&p.domain, set); c++) near(ours[c], truth[c], 1e-9);
        }
        tree_shares(&p, &tree); /* through the marginals that hold others, and equal ones */
        for (int64_t r = 0; r < p.measured; r++) {
            double truth[256];
            by_force(&p, at[r].set, truth);
            for (int64_t c = 0; c < at[r].cells; c++) near(at[r].share[c], truth[c], 1e-9);
        }
        arena_free(work.arena);
    }
}

/* Consistent marginals without noise are met. */
static void test_fit(void **state) {
    (void)state;
    uint64_t word = 11;
    Run run = run_of();
    Measured at[8];
    Private p = { .run = &run, .at = at, .total = 1000 };
    Tree tree;
    small_domain(&p.domain);
    static const Set sets[] = { 1 | 2, 2 | 4, 8 | 2, 16 | 8 };
    for (int k = 0; k < 4; k++) add_measured(&p, sets[k], 3, &word);
    for (int k = 0; k < 4; k++) {
        by_force(&p, sets[k], at[k].noisy);
        for (int64_t c = 0; c < at[k].cells; c++) at[k].noisy[c] *= 1000;
    }
    for (int k = 0; k < 4; k++) memset(at[k].parameter, 0, (size_t)at[k].cells * sizeof(double));
    assert_int_equal(tree_make(&p, &tree), OK);
    assert_int_equal(tree_fit(&p, &tree, 3000), OK);
    for (int k = 0; k < 4; k++)
        for (int64_t c = 0; c < at[k].cells; c++) near(at[k].share[c] * 1000, at[k].noisy[c], .5);
    uint16_t *codes[D];
    for (int j = 0; j < D; j++) codes[j] = malloc(20000 * sizeof **codes);
    assert_int_equal(rows_draw(&p, &tree, 20000, "rows", codes), OK);
    for (int k = 0; k < 4; k++) { /* rows keep the measured tables, to rounding */
        double drawn[64] = { 0 };
        count_drawn(&p, codes, 20000, sets[k], 1. / 20, drawn);
        for (int64_t c = 0; c < at[k].cells; c++) near(drawn[c], at[k].noisy[c], 2);
    }
    for (int j = 0; j < D; j++) free(codes[j]);
    arena_free(work.arena);
}

/* Marginals measured with very different noise, one within another and one twice: 1,000 turns meet the consistent ones, and of two that
 * contradict one another the model takes the mean by inverse variances. */
static void test_uneven(void **state) {
    (void)state;
    uint64_t word = 19;
    Run run = run_of();
    Measured at[8];
    Private p = { .run = &run, .at = at, .total = 10000, .momentum = true };
    Tree tree;
    small_domain(&p.domain);
    static const Set sets[] = { 1 | 2 | 8, 2 | 8, 2 | 4, 16 | 8, 1 };
    static const double sigma[] = { 100, 1, 30, 2, 50 };
    for (int k = 0; k < 5; k++) add_measured(&p, sets[k], 3, &word);
    for (int k = 0; k < 5; k++) {
        by_force(&p, sets[k], at[k].noisy);
        at[k].sigma = sigma[k];
        for (int64_t c = 0; c < at[k].cells; c++) at[k].noisy[c] *= 10000;
    }
    add_measured(&p, 1, 0, &word); /* the first column again, 40 more of its first value, with half the noise */
    at[5].sigma = 25;
    for (int64_t c = 0; c < 2; c++) at[5].noisy[c] = at[4].noisy[c] + (c ? -40 : 40);
    for (int k = 0; k < 6; k++) memset(at[k].parameter, 0, (size_t)at[k].cells * sizeof(double));
    at[0].sigma = 1e6; /* tells nothing against the two */
    assert_int_equal(tree_make(&p, &tree), OK);
    assert_int_equal(tree_fit(&p, &tree, 1000), OK);
    for (int k = 1; k < 4; k++)
        for (int64_t c = 0; c < at[k].cells; c++) near(at[k].share[c] * 10000, at[k].noisy[c], .5);
    near(at[4].share[0] * 10000, at[4].noisy[0] + 40 * .8, .5);
    arena_free(work.arena);
}

static double pair_distance(const Private *p, uint16_t *const *codes, int64_t pool, const int64_t *pick, int64_t rows) {
    double sum = 0;
    for (int i = 0; i < D; i++)
        for (int j = i + 1; j < D; j++) {
            double gap[16] = { 0 };
            for (int64_t r = 0; r < pool; r++) gap[codes[i][r] * p->domain.at[j].merged + codes[j][r]] -= 1 / (double)pool;
            for (int64_t r = 0; r < rows; r++) gap[codes[i][pick[r]] * p->domain.at[j].merged + codes[j][pick[r]]] += 1 / (double)rows;
            for (int c = 0; c < 16; c++) sum += fabs(gap[c]);
        }
    return sum;
}

/* Rows of the pool are kept once each; their pairs (triples, single columns) lie several times nearer to the pool's than those of rows as
 * drawn. Where there is no pool, the rows are those drawn. */
static void test_balance(void **state) {
    (void)state;
    enum { ROWS = 200 };
    Run run = run_of();
    PrivateArgs args = { 0 };
    Private p = { .run = &run, .args = &args };
    int64_t pool = balance_pool(ROWS), pick[ROWS], drawn[ROWS];
    uint64_t word = 5;
    uint16_t *codes[D];
    assert_int_equal(pool, 10 * ROWS);
    assert_int_equal(balance_pool(0), 0);
    assert_int_equal(balance_pool(1500000), 1500000);
    small_domain(&p.domain);
    for (int j = 0; j < D; j++) {
        codes[j] = malloc((size_t)pool * sizeof **codes);
        for (int64_t i = 0; i < pool; i++) {
            word = word * 6364136223846793005u + 1442695040888963407u;
            codes[j][i] = j && (word >> 60) < 8 ? (uint16_t)(codes[j - 1][i] % sizes[j]) : (uint16_t)((word >> 33) % (uint64_t)sizes[j]);
        }
    }
    for (int i = 0; i < ROWS; i++) drawn[i] = i;
    for (args.workload = 1; args.workload <= 3; args.workload++) {
        bool seen[10 * ROWS] = { false };
        assert_int_equal(rows_balance(&p, codes, pool, ROWS, pick), OK);
        for (int i = 0; i < ROWS; i++) {
            assert_in_range(pick[i], 0, pool - 1);
            assert_false(seen[pick[i]]);
            seen[pick[i]] = true;
        }
        double before = pair_distance(&p, codes, pool, drawn, ROWS), after = pair_distance(&p, codes, pool, pick, ROWS);
        assert_true(after < before * (args.workload == 1 ? .95 : .4));
    }
    args.workload = 3;
    assert_int_equal(rows_balance(&p, codes, ROWS, ROWS, pick), OK);
    for (int i = 0; i < ROWS; i++) assert_int_equal(pick[i], i);
    for (int j = 0; j < D; j++) free(codes[j]);
    arena_free(work.arena);
}

/* The exponential mechanism's law: scores 0, 1, 3 with ε = 2, Δ = 1: chances ∝ 1, e, e³. 20,000 draws; false alarms under 1e-4 (χ²
 * above 18.4, 2 df). */
static void test_choice(void **state) {
    (void)state;
    Run run = run_of();
    Private p = { .run = &run };
    double seen[3] = { 0 }, sum = 1 + exp(1) + exp(3), chi = 0;
    static const double quality[] = { 0, 1, 3 };
    RandomStream stream = stream_make(&session.seed, "test", 0, "x", "choice");
    RandomReader reader = reader_make(&stream);
    assert_int_equal(random_bits_open_reader(&p.bits, &reader, &error), OK);
    for (int i = 0; i < 20000; i++) {
        int64_t chosen;
        assert_int_equal(choose_marginal(&p, quality, 3, 1, 2, &chosen), OK);
        seen[chosen]++;
    }
    for (int k = 0; k < 3; k++) {
        double e = 20000 * exp(quality[k]) / sum;
        chi += pow(seen[k] - e, 2) / e;
    }
    assert_true(chi < 18.4);
    near(p.spent, 20000 * .5, 1e-6);
    random_bits_close(&p.bits);
    arena_free(work.arena);
}

/* Whole numbers in intervals: each interval holds whole numbers, 0, 1 and 2 come back as often as each other, bounds and a point have a
 * code of their own; and a value drawn for a code has that code again. Reals likewise. */
static void test_intervals(void **state) {
    (void)state;
    static char text[60000];
    Run run = run_of();
    const Schema *schema;
    Domain domain;
    schema_text = "columns:\n  x: {type: integer, bounds: [0, 95]}\n  y: {type: integer, bounds: [-10, 501], points: [0, 100]}\n"
                  "  z: {type: real, bounds: [0, 3], points: [0, 1.5]}\n";
    assert_int_equal(schema_parse(&work, "s", schema_text, strlen(schema_text), &schema), OK);
    assert_int_equal(domain_make(&work, schema, 34, &domain), OK);
    assert_in_range(domain.at[0].size, 33, 35);
    assert_in_range(domain.at[1].size, 33, 36);
    char *at = text + sprintf(text, "x,y,z\n");
    for (int i = 0; i < 2048; i++) at += sprintf(at, "%d,%d,%.17g\n", i % 96, i % 512 - 10, i % 7 ? i / 2047. * 3 : 1.5);
    Table *table = table_from("t", text), *drawn = NULL;
    uint16_t *codes[3], *again[3];
    int64_t word_at[2048], seen[512] = { 0 };
    for (int i = 0; i < 2048; i++) word_at[i] = i;
    assert_int_equal(domain_codes(&work, &domain, table, codes), OK);
    for (int i = 0; i < 2048; i++) {
        int64_t y = i % 512 - 10;
        assert_int_equal(codes[0][i] == 0, i % 96 == 0);
        assert_int_equal(codes[0][i] == domain.at[0].size - 1, i % 96 == 95);
        for (int k = 0; k < 2048; k += 501)
            if (y == 100 || y == 0) assert_int_equal(codes[1][k] == codes[1][i], k % 512 - 10 == y);
        assert_int_equal(codes[2][i] == codes[2][0], i % 7 == 0);
    }
    assert_int_equal(domain_table(&run, &domain, "t", codes, word_at, 2048, &drawn), OK);
    assert_int_equal(domain_codes(&work, &domain, drawn, again), OK);
    for (int j = 0; j < 3; j++) assert_memory_equal(codes[j], again[j], 2048 * sizeof *codes[j]);
    table_release(drawn);
    for (int i = 0; i < 2048; i++) codes[0][i] = 1; /* 1, 2 and 3: 683 of each, sd 21 */
    assert_int_equal(domain_table(&run, &domain, "t", codes, word_at, 2048, &drawn), OK);
    for (int i = 0; i < 2048; i++) seen[column_integer(drawn->column[0], i)]++;
    int64_t values = 0;
    for (int k = 0; k < 96; k++) values += seen[k] > 0;
    for (int k = 1; k <= values; k++) near((double)seen[k], 2048. / (double)values, 100);
    assert_true(values == 2 || values == 3);
    table_release(drawn);
    static const char *const bad[] = { "{type: integer, bounds: [0, 9], points: [10]}", "{type: integer, bounds: [0, 9], points: [3, 2]}",
                                       "{type: integer, bounds: [0, 9], points: [1.5]}", "{categories: [a], points: [1]}" };
    for (int k = 0; k < 4; k++) {
        snprintf(text, sizeof text, "columns:\n  x: %s\n", bad[k]);
        assert_int_equal(schema_parse(&work, "s", text, strlen(text), &schema), BAD);
    }
    arena_free(work.arena);
}

/* ---- the method ---- */

static void make_data(int rows) {
    static char text[200000];
    char *at = text + sprintf(text, "a,b,x,extra\n");
    uint64_t word = 99;
    for (int i = 0; i < rows; i++) {
        word = word * 6364136223846793005u + 1442695040888963407u;
        int a = (int)(word >> 40) % 3, b = (word >> 33) % 10 < 9 ? a : (int)(word >> 50) % 3;
        at += sprintf(at, "%c,%c,%d,%d\n", 'p' + a, 'u' + b, 10 * a + (int)(word >> 36) % 10, i);
    }
    table_from("t", text);
    schema_text =
        "unit: add-remove\ncolumns:\n  a: {categories: [p, q, r]}\n  b: {categories: [u, v, w]}\n  x: {type: integer, bounds: [0, 29]}\n";
    test_host.bytes = lend_bytes;
}

/* A generous budget: the tables come back; both methods; only the schema's columns. */
static void test_tables(void **state) {
    (void)state;
    static const char *const methods[] = { "mst", "aim" };
    make_data(3000);
    for (int k = 0; k < 2; k++) {
        char command[160];
        snprintf(command, sizeof command, "synth private t --schema s --method %s --epsilon 8 --delta 0.000001 --no-ledger", methods[k]);
        run_ok(command);
        assert_int_equal(output()->columns, 3);
        near((double)output()->rows, 3000, 60);
        double share[3][3] = { 0 }, truth[3][3] = { 0 };
        for (int64_t i = 0; i < output()->rows; i++) {
            char n1[33], n2[33];
            share[column_cell(output_column("a"), i, n1)[0] - 'p'][column_cell(output_column("b"), i, n2)[0] - 'u'] +=
                1. / (double)output()->rows;
            assert_in_range(column_integer(output_column("x"), i), 0, 29);
        }
        for (int i = 0; i < 3000; i++) {
            char n1[33], n2[33];
            truth[column_cell(table_column(shelf[0], "a"), i, n1)[0] - 'p'][column_cell(table_column(shelf[0], "b"), i, n2)[0] - 'u'] +=
                1 / 3000.;
        }
        for (int i = 0; i < 9; i++) near(share[i / 3][i % 3], truth[i / 3][i % 3], .04);
        assert_true(zcdp_epsilon(value("zcdp"), 1e-6) <= 8 + 1e-9);
    }
}

/* The whole budget and no more: reach²/(2σ²) each, where a record that is replaced moves two cells of a marginal; aim measures single
 * columns twice, and its choices cost a ninth of what they choose; mst's two a tenth each of all. */
static void test_budget(void **state) {
    (void)state;
    make_data(3000);
    static const char rest[] =
        "columns:\n  a: {categories: [p, q, r]}\n  b: {categories: [u, v, w]}\n  x: {type: integer, bounds: [0, 29]}\n";
    for (int k = 0; k < 4; k++) {
        static char text[300], command[160];
        bool aim = k % 2, replace = k > 1;
        double singles = 0, others = 0, reach = replace ? 2 : 1;
        snprintf(text, sizeof text, "unit: %s\n%s", replace ? "replace-one" : "add-remove", rest);
        schema_text = text;
        snprintf(command, sizeof command, "synth private t --schema s --method %s --zcdp 0.4 --no-ledger", aim ? "aim" : "mst");
        run_ok(command);
        for (int r = 0; r < (int)value("marginals"); r++)
            *(r < (aim ? 6 : 3) ? &singles : &others) += reach / (2 * pow(table_value("measured", "sigma", r), 2));
        near((aim ? singles + others * 10 / 9 : singles + others + .2 * .4) / .4, 1, 1e-9);
    }
}

/* With the same (insecure) noise a neighbour's output differs in nothing that is not drawn: same rows, columns, marginals asked for,
 * errors; and unknown columns, words and bounds tell nothing. */
static void test_neighbours(void **state) {
    (void)state;
    make_data(500);
    schema_text = "unit: replace-one\ncolumns:\n  a: {categories: [p, q, r]}\n  x: {type: integer, bounds: [0, 29]}\n";
    run_ok("synth private t --schema s --method mst --zcdp 0.1 --no-ledger");
    int64_t rows = output()->rows;
    double marginals = value("marginals"), sigma = table_value("measured", "sigma", 0);
    Table *one = shelf[0], *other = NULL;
    Column *a = NULL;
    const char *cells[500];
    char number[33];
    for (int i = 0; i < 500; i++)
        cells[i] = i ? column_cell(table_column(one, "a"), i, number) : "never seen"; /* words stay where they are */
    assert_int_equal(column_category("a", cells, 500, &a, &last_error), OK);
    assert_int_equal(table_with(one, &a, 1, &other, &last_error), OK);
    column_release(a);
    shelve("t", other);
    run_ok("synth private t --schema s --method mst --zcdp 0.1 --no-ledger");
    assert_int_equal(output()->rows, rows);
    near(value("marginals"), marginals, 0);
    near(table_value("measured", "sigma", 0), sigma, 0);
    for (int64_t i = 0; i < rows; i++) assert_true(strcmp(column_cell(output_column("a"), i, number), "never seen"));
}

/* People who may be replaced: how many there are follows from noise alone, and records that do not say whose they are count for nobody. */
static void test_people(void **state) {
    (void)state;
    schema_text = "unit: replace-one\nperson: id\ncolumns:\n  a: {categories: [p, q]}\n";
    test_host.bytes = lend_bytes;
    int64_t rows[2];
    for (int i = 0; i < 2; i++) {
        char text[4096] = "id,a\n";
        for (int k = 0; k < 60; k++) sprintf(text + strlen(text), "%d,%s\n", i ? k : k / 2, k % 2 ? "p" : "q");
        for (int k = 0; k < 40; k++) strcat(text, ",p\n");
        table_from("t", text);
        run_ok("synth private t --schema s --method mst --zcdp 50 --no-ledger");
        rows[i] = output()->rows;
        assert_int_equal(rows[i], value("records"));
        bool one_person = false;
        for (int64_t n = 0; n < last_result->notes; n++)
            one_person |= strstr(last_result->note[n], "one person replaced by another") != NULL;
        assert_true(one_person);
    }
    assert_true(llabs(rows[0] - 30) <= 3 && llabs(rows[1] - 60) <= 3); /* first records of 30 people, and of 60; not the 40 of nobody */
}

/* Add-remove: a table without records, or with one of nonsense, is told by nothing but noise: same notes, same promise, one row at least;
 * and no column is said to have come out as it was. --where, which keeps an exact number and the rest as they are, is refused whatever it
 * keeps. */
static void test_no_record(void **state) {
    (void)state;
    static const char *const tables[] = { "a,x\n", "a,x\np,3\n", "a,x\nzz,\n", "a,x\n,1e300\n" }, *const methods[] = { "mst", "aim" };
    for (int k = 0; k < 8; k++) {
        char command[160];
        int64_t notes;
        table_from("t", tables[k / 2]);
        schema_text = "unit: add-remove\ncolumns:\n  a: {categories: [p]}\n  x: {type: integer, bounds: [0, 1]}\n";
        test_host.bytes = lend_bytes;
        snprintf(command, sizeof command, "synth private t --schema s --method %s --zcdp 0.5 --no-ledger", methods[k % 2]);
        run_ok(command);
        notes = last_result->notes;
        assert_int_equal(notes, 2);
        near(value("zcdp"), 0.5, 0);
        assert_true(output()->rows >= 1);
        assert_true(output()->altered[0] && output()->altered[1]); /* a is p in every row that can be */
        strcat(command, " --where 'x < 2'");
        run_bad(command, "is not public");
    }
}

static void test_rules(void **state) {
    (void)state;
    make_data(1000);
    table_from("rules", "rule\na == 'p' -> x < 10\nx != 25\n");
    for (int seed = 1; seed < 4; seed++) {
        run_ok("synth private t --schema s --method mst --zcdp 0.05 --rules rules --no-ledger");
        for (int64_t i = 0; i < output()->rows; i++) {
            char number[33];
            int64_t x = column_integer(output_column("x"), i);
            assert_true(x != 25 && (column_cell(output_column("a"), i, number)[0] != 'p' || x < 10));
        }
    }
    table_from("never", "rule\nx > 40\n");
    run_bad("synth private t --schema s --zcdp 0.05 --rules never --no-ledger", "cannot be kept");
}

/* Debited before anything is drawn; refused over budget; a ledger in ε refuses. */
static void test_ledger(void **state) {
    (void)state;
    char path[] = "/tmp/scrim-private-XXXXXX";
    assert_int_equal(close(mkstemp(path)), 0);
    unlink(path);
    ledger_path = path;
    test_host.ledger = lend_ledger;
    make_data(300);
    assert_int_equal(ledger_create(path, CURRENCY_ZCDP, LEDGER_UNIT / 4, NULL, 0, &last_error), OK);
    run_ok("synth private t --schema s --method mst --zcdp 0.2 --ledger l");
    assert_string_equal(result_find(last_result, "charged")->text, "0.2");
    assert_string_equal(result_find(last_result, "left")->text, "0.05");
    assert_int_equal(run_seeded(1, "synth private t --schema s --method mst --zcdp 0.2 --ledger l"), REFUSED);
    ledger_close(ledger);
    ledger = NULL;
    unlink(path);
    assert_int_equal(ledger_create(path, CURRENCY_EPSILON, LEDGER_UNIT, NULL, 0, &last_error), OK);
    assert_int_equal(run_seeded(1, "synth private t --schema s --method mst --zcdp 0.2 --ledger l"), REFUSED);
    ledger_close(ledger);
    ledger = NULL;
    unlink(path);
    assert_int_equal(run_seeded(1, "synth private t --schema s --method mst --zcdp 0.2"), REFUSED);
}

static void test_bad(void **state) {
    (void)state;
    make_data(50);
    run_bad("synth private t --schema s --epsilon 1 --no-ledger", "delta");
    run_bad("synth private t --zcdp 1 --no-ledger", "schema");
    schema_text = "columns:\n  nobody: {categories: [p]}\n";
    run_bad("synth private t --schema s --zcdp 1 --no-ledger", "nobody");
    schema_text = "person: extra\nmax-records: 4\ncolumns:\n  a: {categories: [p, q]}\n";
    run_bad("synth private t --schema s --zcdp 1 --no-ledger", "one record a person");
    schema_text = "columns:\n  a: {categories: [p, q], missing: possible}\n";
    run_ok("synth private t --schema s --zcdp 1 --no-ledger --n 7");
    assert_int_equal(output()->rows, 7);
}

/* Whether a column names people is decided from the schema, which is public, and not from the data. */
static void test_names(void **state) {
    (void)state;
    table_from("t", "lastname,id,sex,ward\nA,1,f,x\nB,2,m,y\nC,3,f,x\n");
    schema_text = "columns:\n  sex: {categories: [f, m]}\n  lastname: {categories: [Meyer, Novak, Rossi, Silva, Garcia]}\n";
    run_bad("synth private t --schema s --zcdp 1 --no-ledger", "names people");
    run_ok("synth private t --schema s --zcdp 1 --no-ledger --other lastname");
    schema_text = "columns:\n  sex: {categories: [f, m]}\n  id: {type: integer, bounds: [1, 500]}\n";
    run_bad("synth private t --schema s --zcdp 1 --no-ledger", "names people");
    schema_text = "columns:\n  sex: {categories: [f, m]}\n  id: {type: integer, bounds: [0, 5]}\n";
    run_ok("synth private t --schema s --zcdp 1 --no-ledger"); /* of few numbers none belongs to one person */
    schema_text = "person: ward\ncolumns:\n  sex: {categories: [f, m]}\n  ward: {categories: [x, y]}\n";
    run_bad("synth private t --schema s --zcdp 1 --no-ledger", "The line `person` is enough");
    schema_text = "person: id\ncolumns:\n  sex: {categories: [f, m]}\n  ward: {categories: [x, y]}\n";
    run_ok("synth private t --schema s --zcdp 1 --no-ledger");
    run_bad("synth private t --schema s --zcdp 1 --no-ledger --identifiers ward", "names people");
    table_from("t", "lastname,id,sex,ward\nA,1,f,12 Mill Street\nB,2,m,e@mail.org\nC,3,f,4 Main Road\n"); /* the data decides nothing */
    run_ok("synth private t --schema s --zcdp 1 --no-ledger");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marginals),  cmocka_unit_test(test_fit),       cmocka_unit_test(test_uneven), cmocka_unit_test(test_balance),
        cmocka_unit_test(test_intervals),  cmocka_unit_test(test_choice),    cmocka_unit_test(test_tables), cmocka_unit_test(test_budget),
        cmocka_unit_test(test_neighbours), cmocka_unit_test(test_rules),     cmocka_unit_test(test_ledger), cmocka_unit_test(test_bad),
        cmocka_unit_test(test_people),     cmocka_unit_test(test_no_record), cmocka_unit_test(test_names)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
