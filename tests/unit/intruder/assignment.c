/* Assignments and weighing against enumeration of all complete assignments: possible pairs, certain people, the beliefs of components of at
 * most twelve people, and the intruders' totals. The enumeration shares nothing with the library but the tables. */
#include "tables.h"
#include "intruder/assignment.h"
#include "intruder/beliefs.h"

enum { PEOPLE = 7, KEYS = 3, CASES = 6000 };

static uint64_t state = 20261118;
static int draw(int below) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)below);
}

/* One small case: true keys, released keys (-1 a suppressed one, or one that was missing before), and whose each record is. */
typedef struct {
    int people, records, truth[PEOPLE][KEYS], released[PEOPLE][KEYS], owner[PEOPLE];
    double likelihood[PEOPLE][PEOPLE]; /* person, record */
} Case;

static void random_case(Case *c, bool missing, bool dropping) {
    c->people = 2 + draw(PEOPLE - 1);
    c->records = 0;
    for (int i = 0; i < c->people; i++) {
        for (int k = 0; k < KEYS; k++) c->truth[i][k] = missing && !draw(8) ? -1 : draw(2 + k);
        if (dropping && !draw(4)) continue;
        for (int k = 0; k < KEYS; k++) c->released[c->records][k] = draw(3) ? c->truth[i][k] : -1;
        c->owner[c->records++] = i;
    }
    for (int r = c->records - 1; r > 0; r--) { /* in a random order */
        int other = draw(r + 1), owner = c->owner[r];
        c->owner[r] = c->owner[other];
        c->owner[other] = owner;
        for (int k = 0; k < KEYS; k++) {
            int value = c->released[r][k];
            c->released[r][k] = c->released[other][k];
            c->released[other][k] = value;
        }
    }
    for (int i = 0; i < c->people; i++)
        for (int r = 0; r < c->records; r++) {
            c->likelihood[i][r] = 1;
            for (int k = 0; k < KEYS; k++)
                if (c->released[r][k] >= 0 && c->released[r][k] != c->truth[i][k]) c->likelihood[i][r] = 0;
        }
}

/* ---- by hand ---- */

typedef struct {
    const Case *c;
    bool taken[PEOPLE];
    int of[PEOPLE]; /* record -> person */
    double all, pair[PEOPLE][PEOPLE];
} Enumeration;

static void enumerate(Enumeration *e, int record, double weight) {
    const Case *c = e->c;
    if (!(weight > 0)) return;
    if (record == c->records) {
        e->all += weight;
        for (int r = 0; r < c->records; r++) e->pair[e->of[r]][r] += weight;
        return;
    }
    for (int i = 0; i < c->people; i++) {
        if (e->taken[i]) continue;
        e->taken[i] = true;
        e->of[record] = i;
        enumerate(e, record + 1, weight * c->likelihood[i][record]);
        e->taken[i] = false;
    }
}

/* Right best guesses, ties shared, when belief[i][r] is what the intruder believes. */
static double right_guesses(const Case *c, double belief[PEOPLE][PEOPLE]) {
    double sum = 0;
    for (int r = 0; r < c->records; r++) {
        int i = c->owner[r], ties = 0;
        double best = 0;
        for (int s = 0; s < c->records; s++) best = belief[i][s] > best ? belief[i][s] : best;
        for (int s = 0; s < c->records; s++) ties += belief[i][s] > best * (1 - 1e-7);
        if (best > 0 && belief[i][r] > best * (1 - 1e-7)) sum += 1.0 / ties;
    }
    return sum;
}

/* ---- the library ---- */

static Table *table_of_keys(const char *name, int rows, int keys[][KEYS], const int *id) {
    Column *column[KEYS + 1];
    Table *table;
    for (int k = 0; k <= KEYS; k++) {
        const char *cells[PEOPLE];
        char text[PEOPLE][8], key[8];
        for (int i = 0; i < rows; i++) {
            snprintf(text[i], sizeof text[i], k < KEYS ? "v%d" : "p%d", k < KEYS ? keys[i][k] : id[i]);
            cells[i] = k < KEYS && keys[i][k] < 0 ? NULL : text[i];
        }
        snprintf(key, sizeof key, k < KEYS ? "k%d" : "id", k);
        tables_ok(column_category(key, cells, rows, &column[k], &tables_error));
    }
    tables_ok(table_new(name, column, KEYS + 1, rows, &table, &tables_error));
    for (int k = 0; k <= KEYS; k++) column_release(column[k]);
    return table;
}

typedef struct {
    Work work;
    Table *original, *released;
    Ownership owner;
    KeyGraph graph;
} Attacked;

static void attack(Case *c, Attacked *x) {
    static const int places[] = { 0, 1, 2, 3, 4, 5, 6 };
    const Column *before[KEYS], *after[KEYS];
    *x = (Attacked){ .work = tables_work(1) };
    x->original = table_of_keys("original", c->people, c->truth, places);
    x->released = table_of_keys("released", c->records, c->released, c->owner);
    for (int k = 0; k < KEYS; k++) {
        before[k] = x->original->column[k];
        after[k] = x->released->column[k];
    }
    tables_ok(ownership_find(&x->work, x->released, x->original, "id", &x->owner));
    tables_ok(key_graph_make(&x->work, (Columns){ KEYS, before }, (Columns){ KEYS, after }, &x->owner, NULL, &x->graph));
}

static void forget(Attacked *x) {
    table_release(x->original);
    table_release(x->released);
    arena_free(x->work.arena);
}

static int64_t edge_of(const Attacked *x, int person, int record) {
    return key_graph_edge(&x->graph, x->graph.truth_of[person], x->graph.release_of[record]);
}

/* People with one possible record, and nothing else that is possible for them. */
static int certain_people(const Case *c, const Enumeration *e) {
    int certain = 0;
    for (int i = 0; i < c->people; i++) {
        int possible = 0;
        double sum = 0;
        for (int r = 0; r < c->records; r++) {
            possible += e->pair[i][r] > 0;
            sum += e->pair[i][r];
        }
        certain += possible == 1 && sum > e->all * (1 - 1e-9);
    }
    return certain;
}

static void check_pairs(Case *c, Attacked *x, const Enumeration *e, bool beliefs) {
    Assignment a;
    bool approximate = true;
    tables_ok(assignment_make(&x->work, &x->graph, &x->owner, &a));
    assert_true(a.complete);
    double *value = calloc((size_t)x->graph.start[x->graph.truths] + 1, sizeof *value);
    tables_ok(assignment_beliefs(&x->work, &a, value, &approximate));
    assert_false(approximate);
    for (int i = 0; i < c->people; i++)
        for (int r = 0; r < c->records; r++) {
            int64_t edge = edge_of(x, i, r);
            assert_int_equal(edge >= 0, c->likelihood[i][r] > 0);
            bool possible = edge >= 0 && assignment_possible(&a, x->graph.truth_of[i], edge);
            assert_int_equal(possible, e->pair[i][r] > 0);
            if (beliefs && possible) assert_float_equal(value[edge], e->pair[i][r] / e->all, 1e-9);
        }
    free(value);
}

static void test_cases(bool missing, bool dropping, int cases) {
    for (int round = 0; round < cases; round++) {
        Case c;
        Attacked x;
        Assignments assigned;
        random_case(&c, missing, dropping);
        if (!c.records) continue;
        Enumeration e = { .c = &c };
        enumerate(&e, 0, 1);
        attack(&c, &x);
        check_pairs(&c, &x, &e, !missing);
        tables_ok(believe_by_assigning(&x.work, &x.graph, &x.owner, &assigned));
        assert_int_equal(assigned.certain, certain_people(&c, &e));
        if (!missing) assert_float_equal(assigned.beliefs.total, right_guesses(&c, e.pair), 1e-9);
        forget(&x);
    }
}

static void test_whole_files(void **unused) {
    (void)unused;
    test_cases(false, false, CASES / 3);
}

static void test_dropped_records(void **unused) {
    (void)unused;
    test_cases(false, true, CASES / 3);
}

static void test_missing_values(void **unused) {
    (void)unused;
    test_cases(true, true, CASES / 3);
}

/* One person at a time: a uniform choice among those that fit, and Fellegi and Sunter's ratio. */
static void test_one_at_a_time(void **unused) {
    (void)unused;
    for (int round = 0; round < CASES / 6; round++) {
        Case c;
        Attacked x;
        Beliefs counting, weighing;
        double ratio[PEOPLE][PEOPLE] = { 0 };
        random_case(&c, false, round % 2);
        if (!c.records) continue;
        attack(&c, &x);
        for (int r = 0; r < c.records; r++) {
            double sum = 0;
            for (int i = 0; i < c.people; i++) sum += c.likelihood[i][r];
            for (int i = 0; i < c.people; i++) ratio[i][r] = sum > 0 ? c.likelihood[i][r] / sum : 0;
        }
        tables_ok(believe_by_counting(&x.work, &x.graph, &x.owner, &counting));
        tables_ok(believe_by_weighing(&x.work, &x.graph, &x.owner, &weighing));
        assert_float_equal(counting.total, right_guesses(&c, c.likelihood), 1e-9);
        assert_float_equal(weighing.total, right_guesses(&c, ratio), 1e-9);
        forget(&x);
    }
}

/* Likelihoods that differ, and no owners to begin with: permanents, and a flow from nothing. */
static void test_random_likelihoods(void **unused) {
    (void)unused;
    for (int round = 0; round < CASES / 6; round++) {
        Case c;
        Attacked x;
        random_case(&c, false, round % 2);
        if (!c.records) continue;
        attack(&c, &x);
        for (int64_t e = 0; e < x.graph.start[x.graph.truths]; e++) x.graph.likelihood[e] = 0.05 + draw(1000) / 100.0;
        for (int i = 0; i < c.people; i++)
            for (int r = 0; r < c.records; r++) {
                int64_t edge = edge_of(&x, i, r);
                c.likelihood[i][r] = edge < 0 ? 0 : x.graph.likelihood[edge];
            }
        Enumeration e = { .c = &c };
        enumerate(&e, 0, 1);
        x.owner = (Ownership){ 0 };
        check_pairs(&c, &x, &e, true);
        forget(&x);
    }
}

/* Scaled beliefs are compared with enumerated ones: 16 people who can all exchange records, of which pairs are enumerated by classes. */
static void test_scaling_is_near(void **unused) {
    (void)unused;
    enum { N = 16 };
    int32_t to[4] = { 0, 1, 0, 1 }, of[N];
    int64_t size[2] = { N / 2, N / 2 }, start[3] = { 0, 2, 4 };
    double likelihood[4] = { 3, 1, 1, 2 }, value[4] = { 0 };
    bool has[2] = { true, true }, approximate = false;
    Work work = tables_work(1);
    for (int i = 0; i < N; i++) of[i] = i % 2;
    KeyGraph g = { .truths = 2,
                   .releases = 2,
                   .people = N,
                   .records = N,
                   .truth_of = of,
                   .release_of = of,
                   .truth_size = size,
                   .release_size = size,
                   .start = start,
                   .to = to,
                   .likelihood = likelihood,
                   .has_edges = has };
    Assignment a;
    tables_ok(assignment_make(&work, &g, &(Ownership){ 0 }, &a));
    tables_ok(assignment_beliefs(&work, &a, value, &approximate));
    assert_true(approximate);
    /* by classes: k people of the first class take records of the first class, in C(8,k)^4 k!^2 (8-k)!^2 ways = 8!^2 C(8,k)^2 */
    double all = 0, mean = 0, choose = 1;
    for (int k = 0; k <= 8; k++) {
        double w = choose * choose * pow(3, k) * pow(1, 8 - k) * pow(1, 8 - k) * pow(2, k);
        all += w;
        mean += w * k;
        choose = choose * (8 - k) / (k + 1);
    }
    assert_float_equal(value[0], mean / all / 64, 0.004);
    assert_float_equal(8 * value[0] + 8 * value[1], 1, 1e-8);
    arena_free(work.arena);
}

static void test_no_assignment(void **unused) {
    (void)unused;
    /* two records that fit one person alone */
    Case c = { .people = 2,
               .records = 2,
               .truth = { { 0, 0, 0 }, { 1, 1, 1 } },
               .released = { { 0, 0, 0 }, { 0, 0, 0 } },
               .owner = { 0, 1 } };
    Attacked x;
    Assignments assigned;
    attack(&c, &x);
    x.owner = (Ownership){ 0 };
    const Column *before[KEYS], *after[KEYS];
    for (int k = 0; k < KEYS; k++) {
        before[k] = x.original->column[k];
        after[k] = x.released->column[k];
    }
    for (int64_t t = 0; t < x.graph.truths; t++)
        for (int64_t e = x.graph.start[t]; e < x.graph.start[t + 1]; e++) x.graph.likelihood[e] = 1;
    x.graph.start[1] = x.graph.start[2] = x.graph.start[x.graph.truths]; /* the second person fits nothing */
    (void)before, (void)after;
    tables_ok(believe_by_assigning(&x.work, &x.graph, &x.owner, &assigned));
    assert_false(assigned.possible);
    assert_non_null(assigned.beliefs.why_not);
    forget(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_whole_files),        cmocka_unit_test(test_dropped_records),
                                        cmocka_unit_test(test_missing_values),     cmocka_unit_test(test_one_at_a_time),
                                        cmocka_unit_test(test_random_likelihoods), cmocka_unit_test(test_scaling_is_near),
                                        cmocka_unit_test(test_no_assignment) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
