/* Local suppression: k holds afterwards by a count of the test's own, bounds hold against the least of all suppressions, importance, strata,
 * combinations, households, people. */
#include "methods.h"

enum { ROWS = 400, KEYS_MOST = 6 };

static uint64_t low_bits_of(int count) { return (UINT64_C(1) << count) - 1; }

static uint64_t word(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = (*state ^ (*state >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    return (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb) >> 20;
}

/* Columns a, b, c, … of values 1…top, skewed, some missing, and a group g of three. */
static Table *random_table(int64_t rows, int keys, uint64_t top, uint64_t missing, uint64_t seed) {
    static char text[ROWS * 40];
    size_t at = 0;
    for (int key = 0; key < keys; key++) at += (size_t)sprintf(text + at, "%c,", 'a' + key);
    at += (size_t)sprintf(text + at, keys > 6 ? "group\n" : "g\n");
    for (int64_t i = 0; i < rows; i++) {
        for (int key = 0; key < keys; key++) {
            uint64_t x = word(&seed) % top, y = word(&seed) % top;
            if (word(&seed) % 100 < missing) at += (size_t)sprintf(text + at, ",");
            else at += (size_t)sprintf(text + at, "%d,", (int)(x < y ? x : y) + 1);
        }
        at += (size_t)sprintf(text + at, "%d\n", (int)(word(&seed) % 3) + 1);
    }
    return table_from("data", text);
}

static bool alike(const Table *t, uint64_t keys, int64_t i, int64_t j) {
    for (int key = 0; key < KEYS_MOST; key++) {
        if (!(keys >> key & 1)) continue;
        const Column *c = t->column[key];
        if (column_missing(c, i) != column_missing(c, j)) return false;
        if (!column_missing(c, i) && column_integer(c, i) != column_integer(c, j)) return false;
    }
    return true;
}

/* The fewest records that are alike, pair by pair. */
static int64_t least(const Table *t, uint64_t keys, bool by_group) {
    int64_t k = INT64_MAX;
    const Column *g = table_column(t, "g");
    for (int64_t i = 0; i < t->rows; i++) {
        int64_t f = 0;
        for (int64_t j = 0; j < t->rows; j++) f += alike(t, keys, i, j) && (!by_group || column_integer(g, i) == column_integer(g, j));
        if (f < k) k = f;
    }
    return k;
}

static int64_t new_blanks(const Table *before, const Table *after, int keys) {
    int64_t cells = 0;
    for (int key = 0; key < keys; key++)
        for (int64_t i = 0; i < before->rows; i++) {
            bool was = column_missing(before->column[key], i), is = column_missing(after->column[key], i);
            assert_true(!was || is);
            if (!is) assert_int_equal(column_integer(before->column[key], i), column_integer(after->column[key], i));
            cells += is && !was;
        }
    return cells;
}

static void k_holds_afterwards(void **state) {
    (void)state;
    static const struct {
        int64_t rows;
        int keys;
        uint64_t top, missing;
        int k;
    } cases[] = { { 400, 4, 8, 0, 3 }, { 300, 5, 6, 5, 2 }, { 60, 6, 9, 10, 5 },
                  { 12, 3, 5, 0, 2 },  { 40, 2, 40, 0, 4 }, { 30, 3, 4, 60, 3 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Table *data = table_retain(random_table(cases[i].rows, cases[i].keys, cases[i].top, cases[i].missing, i));
        char command[200], cells[65536];
        sprintf(command, "protect suppress data --keys %.*s --k %d", cases[i].keys * 2 - 1, "a,b,c,d,e,f", cases[i].k);
        run_threads = 1;
        run_ok(command);
        assert_true(least(output(), low_bits_of(cases[i].keys), false) >= cases[i].k);
        assert_true(value("k") == (double)least(output(), low_bits_of(cases[i].keys), false));
        assert_true(value("cells") == (double)new_blanks(data, output(), cases[i].keys));
        assert_true(value("lower_bound") <= value("cells"));
        strcpy(cells, cells_of(output_column("a")));
        run_threads = 2;
        run_ok(command);
        assert_string_equal(cells, cells_of(output_column("a")));
        table_release(data);
    }
}

/* The least number of cells, by trying every set of blanks of every record. */
typedef struct {
    const Table *t;
    int keys;
    int64_t k, best;
    int code[8][4]; /* 0: missing */
    int now[8][4];
} Oracle;

static void try_all(Oracle *o, int64_t i, int64_t cells) {
    if (cells >= o->best) return;
    if (i == o->t->rows) {
        for (int64_t a = 0; a < o->t->rows; a++) {
            int64_t f = 0;
            for (int64_t b = 0; b < o->t->rows; b++) f += !memcmp(o->now[a], o->now[b], sizeof o->now[a]);
            if (f < o->k) return;
        }
        o->best = cells;
        return;
    }
    for (uint64_t set = 0; set < UINT64_C(1) << o->keys; set++) {
        int64_t more = 0;
        bool new = true;
        for (int key = 0; key < o->keys; key++) {
            bool blank = set >> key & 1;
            if (blank && !o->code[i][key]) new = false;
            o->now[i][key] = blank ? 0 : o->code[i][key];
            more += blank;
        }
        if (new) try_all(o, i + 1, cells + more);
    }
}

static void small_answers_are_the_least(void **state) {
    (void)state;
    int more = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        Oracle o = { .keys = 2 + (int)(seed % 2), .k = 2 + (int64_t)(seed / 2 % 2), .best = INT64_MAX };
        o.t = table_retain(random_table(5 + (int64_t)(seed % 3), o.keys, 4, seed % 4 ? 0 : 20, seed));
        for (int64_t i = 0; i < o.t->rows; i++)
            for (int key = 0; key < o.keys; key++)
                o.code[i][key] = column_missing(o.t->column[key], i) ? 0 : (int)column_integer(o.t->column[key], i);
        try_all(&o, 0, 0);
        char command[200];
        sprintf(command, "protect suppress data --keys %.*s --k %d", o.keys * 2 - 1, "a,b,c", (int)o.k);
        run_ok(command);
        more += value("cells") > (double)o.best;
        if (value("lower_bound") > (double)o.best || value("cells") < (double)o.best)
            fail_msg("%s, seed %d: %g cells, at least %g; the least is %d", command, (int)seed, value("cells"), value("lower_bound"),
                     (int)o.best);
        table_release((Table *)(uintptr_t)o.t);
    }
    if (more > 0) fail_msg("%d of 400 are not the least", more);
}

static void importance_spares_the_first(void **state) {
    (void)state;
    random_table(300, 4, 6, 0, 5);
    run_ok("protect suppress data --keys a,b,c,d --k 3 --importance a,b");
    double spared = table_value("suppressed", "cells", 0) + table_value("suppressed", "cells", 1);
    assert_true(table_value("suppressed", "cells", 0) <= table_value("suppressed", "cells", 2));
    run_ok("protect suppress data --keys a,b,c,d --k 3 --importance c,d");
    assert_true(table_value("suppressed", "cells", 0) + table_value("suppressed", "cells", 1) > spared);
    run_bad("protect suppress data --keys a,b --importance c", "not among the keys");
}

static void strata_hold_on_their_own(void **state) {
    (void)state;
    random_table(200, 3, 5, 3, 8);
    run_ok("protect suppress data --keys a,b,c --k 3 --strata g");
    assert_true(least(output(), 7, true) >= 3);
    table_from("data", "a,g\n1,1\n1,1\n1,2\n");
    run_bad("protect suppress data --keys a --k 2 --strata g", "stratum");
}

static void combinations_have_their_own_thresholds(void **state) {
    (void)state;
    Table *before = table_retain(random_table(300, 4, 7, 2, 9));
    run_ok("protect suppress data --keys a,b,c,d --k 4 --combinations 2:6,a+b+c");
    for (int a = 0; a < 4; a++)
        for (int b = a + 1; b < 4; b++) assert_true(least(output(), UINT64_C(1) << a | UINT64_C(1) << b, false) >= 6);
    assert_true(least(output(), 7, false) >= 4 && value("k") >= 4);
    assert_true(value("cells") == (double)new_blanks(before, output(), 4) && value("lower_bound") <= value("cells"));
    double together = value("cells");
    run_ok("protect suppress data --keys a,b,c,d --k 4 --combinations a+b");
    assert_true(value("cells") < together && table_value("suppressed", "cells", 2) == 0);
    run_bad("protect suppress data --keys a,b --combinations 3", "there are 2");
    run_bad("protect suppress data --keys a,b --combinations a+z", "z");
    table_release(before);
}

static void households_lose_what_they_share(void **state) {
    (void)state;
    table_from("data", "region,sex,h\n1,1,1\n1,2,1\n2,1,2\n2,2,2\n3,1,3\n3,1,3\n1,1,4\n1,2,4\n2,1,5\n2,2,5\n");
    run_ok("protect suppress data --keys region,sex --k 3 --household h");
    const Column *region = output_column("region");
    const Column *h = output_column("h");
    for (int64_t i = 0; i < 10; i++)
        for (int64_t j = 0; j < 10; j++)
            if (column_integer(h, i) == column_integer(h, j)) assert_int_equal(column_missing(region, i), column_missing(region, j));
    assert_true(value("k") >= 3 && least(output(), 3, false) >= 3);
}

/* Three records of one person are one person. */
static void people_are_counted(void **state) {
    (void)state;
    table_from("data", "a,who\n1,x\n1,x\n1,x\n2,y\n2,z\n2,u\n1,v\n");
    run_ok("protect suppress data --keys a --k 3");
    assert_true(value("cells") == 0);
    run_ok("protect suppress data --keys a --k 3 --person who");
    assert_true(value("unsafe") == 2 && value("k") >= 3 && value("cells") >= 5); /* counts are of people */
    for (uint64_t seed = 0; seed < 40; seed++) {
        Table *before = table_retain(random_table(60, 3, 4, 5, seed));
        run_ok("protect suppress data --keys a,b --k 3 --person c");
        int64_t k = INT64_MAX;
        for (int64_t i = 0; i < 60; i++) {
            int64_t people = 0, nobody = 0;
            bool seen[8] = { false };
            for (int64_t j = 0; j < 60; j++) {
                if (!alike(output(), 3, i, j)) continue;
                if (column_missing(before->column[2], j)) nobody++;
                else {
                    people += !seen[column_integer(before->column[2], j)];
                    seen[column_integer(before->column[2], j)] = true;
                }
            }
            if (people + nobody < k) k = people + nobody;
        }
        assert_true(k >= 3 && value("k") == (double)k);
        assert_true(value("cells") == (double)new_blanks(before, output(), 2));
        table_release(before);
    }
    run_bad("protect suppress data --keys a,b --k 3 --person g --combinations a:100", "differs between records");
}

static void edges(void **state) {
    (void)state;
    table_from("data", "a,b\n");
    run_ok("protect suppress data --keys a,b");
    assert_true(value("cells") == 0);
    table_from("data", "a,b\n1,2\n");
    run_bad("protect suppress data --keys a,b", "1 records");
    table_from("data", "a,b\n,\n,\n,\n");
    run_ok("protect suppress data --keys a,b");
    assert_true(value("cells") == 0 && value("k") == 3);
    table_from("data", "a,b\nx,1\ny,1\nz,1\n");
    run_ok("protect suppress data --keys a --k 3");
    assert_true(value("cells") == 3 && value("gap") == 0);
    assert_int_equal(output_column("a")->words->count, 0); /* no word stays behind */
    run_ok("protect suppress data --keys a,b --k 3");
    assert_true(value("cells") == 3 && value("gap") == 0);
    run_bad("protect suppress data --keys a --k 1", "k");
}

/* More keys than sets of which are all looked at; also where time is out at once. */
static void many_keys(void **state) {
    (void)state;
    static const char *const limits[] = { "", " --time-limit 0.000001", " --time-limit 600" };
    char line[200];
    for (int n = 0; n < 4; n++) {
        double cells[3];
        int keys = n < 2 ? 9 : 14;
        for (int limit = 0; limit < 3; limit++) {
            Table *before = random_table(n < 2 ? 400 : 150, keys, 4, n & 1 ? 4 : 0, (uint64_t)n + 70);
            snprintf(line, sizeof line, "protect suppress data --keys %.*s%s%s", 2 * keys - 1, "a,b,c,d,e,f,g,h,i,j,k,l,m,n",
                     n == 2 ? " --importance b,a" : "", limits[limit]);
            run_ok(line);
            cells[limit] = value("cells");
            assert_true(value("k") >= 3 && value("lower_bound") <= cells[limit]);
            assert_true(new_blanks(before, output(), keys) == (int64_t)cells[limit]);
        }
        assert_true(cells[2] == cells[0] && cells[1] >= cells[0]);
    }
}

/* The quick search reaches k with few more cells, and its bound is proven as well. */
static void quick_effort(void **state) {
    (void)state;
    for (int n = 0; n < 12; n++) {
        char line[120];
        double cells[2], bound[2];
        for (int quick = 0; quick < 2; quick++) {
            Table *before = random_table(150 + 40 * n, 3 + n % 4, 3 + n % 3, n & 1 ? 3 : 0, (uint64_t)n + 200);
            snprintf(line, sizeof line, "protect suppress data --keys %.*s --k %d%s", 2 * (3 + n % 4) - 1, "a,b,c,d,e,f", 2 + n % 5,
                     quick ? " --effort quick" : "");
            run_ok(line);
            cells[quick] = value("cells");
            bound[quick] = value("lower_bound");
            assert_true(value("k") >= 2 + n % 5);
            assert_true(new_blanks(before, output(), 3 + n % 4) == (int64_t)cells[quick]);
        }
        assert_true(bound[1] <= cells[0] && bound[0] <= cells[1] && bound[1] <= cells[1]);
        assert_true(cells[1] <= 1.15 * cells[0] + 5);
    }
}

/* The table of keys counts the blanks of each, as a comparison of the tables does. */
static void blanks_by_key(void **state) {
    (void)state;
    Table *before = random_table(120, 3, 6, 5, 11);
    run_ok("protect suppress data --keys a,b,c --k 3");
    int64_t all = 0;
    for (int key = 0; key < 3; key++) {
        const Column *after = table_column(output(), before->column[key]->name);
        int64_t cells = after->missing - before->column[key]->missing;
        assert_int_equal((int64_t)table_value("suppressed", "cells", key), cells);
        all += cells;
    }
    assert_true(all > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(blanks_by_key),
                                        cmocka_unit_test(k_holds_afterwards),
                                        cmocka_unit_test(small_answers_are_the_least),
                                        cmocka_unit_test(importance_spares_the_first),
                                        cmocka_unit_test(strata_hold_on_their_own),
                                        cmocka_unit_test(combinations_have_their_own_thresholds),
                                        cmocka_unit_test(households_lose_what_they_share),
                                        cmocka_unit_test(people_are_counted),
                                        cmocka_unit_test(many_keys),
                                        cmocka_unit_test(quick_effort),
                                        cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
