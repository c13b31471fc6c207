/* The judge of proofs: a proof that holds, and the same with one thing wrong in it at a time. */
#include "methods.h"
#include "tabular/suppress/pattern.h"

enum { A, B, C, TOTAL, CELLS };
static Error error;

typedef struct Case {
    Work work;
    Model m;
    Contributors contributors;
    Pattern pattern;
    double cost[CELLS];
} Case;

/* a = 4 of 15 must be able to be 6, and b = 6, c = 5 hide it: a goes up by 2, b down by 2. Contributor 0 is alone in b; 1 has 5 of 6. */
static void start(Case *k, bool alone, bool part) {
    static int64_t cell_start[CELLS + 1], who_start[3];
    static Share of_cell[2], of_who[2];
    static uint8_t is_alone[CELLS];
    static double unnamed[CELLS], count[CELLS];
    Table *table =
        table_from("t", "r,count,status,protection_lower,protection_upper\na,4,primary,0,2\nb,6,open,,\nc,5,open,,\nTotal,15,open,,\n");
    *k = (Case){ .work = { .arena = arena_new(), .error = &error, .threads = 1 }, .cost = { 1, 1, 1, 1 } };
    assert_int_equal(model_make(&k->work, table, "Total", &k->m), OK);
    memset(unnamed, 0, sizeof unnamed);
    for (int i = 0; i < CELLS; i++) is_alone[i] = i == B && alone;
    for (int i = 0; i <= CELLS; i++) cell_start[i] = i > B && (alone || part);
    of_cell[0] = (Share){ 0, alone ? 6 : 5 };
    of_who[0] = (Share){ B, of_cell[0].own };
    who_start[1] = alone || part;
    k->contributors = (Contributors){ .people = 1,
                                      .bounds = true,
                                      .cell_start = cell_start,
                                      .of_cell = of_cell,
                                      .who_start = who_start,
                                      .of_who = of_who,
                                      .alone = is_alone,
                                      .unnamed = unnamed,
                                      .count = count };
    assert_int_equal(pattern_make(&k->work, &k->m, k->cost, NULL, &k->contributors, false, &k->pattern), OK);
    k->pattern.hidden[B] = k->pattern.hidden[C] = 1;
}

static void end(Case *k) {
    pattern_free(&k->pattern);
    arena_free(k->work.arena);
}

/* The only proof of the only demand: these cells by so much. */
static void prove(Case *k, int count, const int32_t *cell, const double *x) {
    Pattern *p = &k->pattern;
    static Proof proof[2];
    static int32_t number[2];
    p->moves = (Moves){ .cells = count, .cell = (int32_t *)(uintptr_t)cell, .x = (double *)(uintptr_t)x };
    proof[0] = (Proof){ .count = count, .sign = 1 };
    p->proof = proof;
    p->proofs = 1;
    p->demand[0].proof = number;
    p->demand[0].proofs = 1;
}

static int64_t exposed(Case *k) {
    int64_t count;
    int32_t first;
    assert_int_equal(k->pattern.demands, 1);
    assert_int_equal(pattern_exposed(&k->pattern, &count, &first), OK);
    assert_true(count ? first == A : first == -1);
    return count;
}

static void one_thing_wrong(void **state) {
    (void)state;
    Case k;
    static const int32_t cells[] = { A, B, C };
    start(&k, false, false);
    assert_int_equal(exposed(&k), 1); /* no proof at all */
    prove(&k, 2, cells, (const double[]){ 2, -2 });
    assert_int_equal(exposed(&k), 0);
    k.pattern.hidden[B] = 0;
    assert_int_equal(exposed(&k), 1); /* a published cell moves */
    k.pattern.hidden[B] = 1;
    prove(&k, 2, cells, (const double[]){ 1, -1 });
    assert_int_equal(exposed(&k), 1); /* not far enough */
    prove(&k, 2, cells, (const double[]){ -2, 2 });
    assert_int_equal(exposed(&k), 1); /* the wrong way */
    prove(&k, 2, cells, (const double[]){ 2, -1 });
    assert_int_equal(exposed(&k), 1); /* the sum is off */
    prove(&k, 2, cells, (const double[]){ 6, -6 });
    assert_int_equal(exposed(&k), 1); /* b would be empty, and readers know that it is not */
    prove(&k, 3, cells, (const double[]){ 2, -1.5, -0.5 });
    assert_int_equal(exposed(&k), 1); /* counts are whole */
    k.m.whole = false;
    assert_int_equal(exposed(&k), 0);
    prove(&k, 1, cells + 1, (const double[]){ -2 });
    assert_int_equal(exposed(&k), 1); /* another cell's */
    end(&k);
}

static void readers(void **state) {
    (void)state;
    Case k;
    static const int32_t by_b[] = { A, B }, by_c[] = { A, C };
    static const double x[] = { 2, -2 };
    start(&k, true, false);
    prove(&k, 2, by_b, x);
    assert_int_equal(exposed(&k), 1); /* who is alone in b knows that it did not move */
    prove(&k, 2, by_c, x);
    assert_int_equal(exposed(&k), 0);
    end(&k);
    start(&k, false, true);
    prove(&k, 2, by_b, x);
    assert_int_equal(exposed(&k), 1); /* who has 5 of b knows that it is no 4 */
    prove(&k, 2, by_c, x);
    assert_int_equal(exposed(&k), 0);
    end(&k);
    start(&k, false, false);
    k.contributors.unnamed[B] = 5;
    prove(&k, 2, by_b, x);
    assert_int_equal(exposed(&k), 1); /* somebody who is not named may have 5 of b */
    end(&k);
}

/* A contributor of the cell with a need of its own, and one that is left out. */
static void own_needs(void **state) {
    (void)state;
    Case k;
    static const int32_t by_b[] = { A, B };
    start(&k, false, true);
    Need need = { 0, 0 };
    k.pattern.own = &need;
    k.pattern.demand[0].own_end = 1;
    prove(&k, 2, by_b, (const double[]){ 2, -2 });
    assert_int_equal(exposed(&k), 0); /* it asks for nothing */
    need.need = 1;
    assert_int_equal(exposed(&k), 1);
    prove(&k, 2, by_b, (const double[]){ 1, -1 });
    k.pattern.demand[0].need = 0;
    assert_int_equal(exposed(&k), 0); /* it alone is asked for, and 1 is enough */
    need.need = 2;
    assert_int_equal(exposed(&k), 1);
    end(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(one_thing_wrong), cmocka_unit_test(readers), cmocka_unit_test(own_needs) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
