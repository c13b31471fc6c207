/* Suppression against an intruder: small answers are the least by trying everything; the promise holds on random tables by counting every
 * pair, with missing keys, strata, combinations, households and spared keys; and the released side follows. */
#include "methods.h"

enum { ROWS = 120, KEYS_MOST = 5 };

static uint64_t word(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = (*state ^ (*state >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    return (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb) >> 20;
}

/* 0 = missing; the last column is a group of three, never blanked. */
typedef struct {
    int rows, keys;
    int at[ROWS][KEYS_MOST + 1];
} Rows;

static void make_rows(Rows *r, int rows, int keys, int top, int missing, uint64_t *state) {
    *r = (Rows){ .rows = rows, .keys = keys };
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < keys; k++) {
            int x = (int)(word(state) % (uint64_t)top), y = (int)(word(state) % (uint64_t)top);
            r->at[i][k] = (int)(word(state) % 100) < missing ? 0 : 1 + (x < y ? x : y);
        }
        r->at[i][keys] = 1 + i % 3;
    }
}

static Table *shelve_rows(const Rows *r) {
    static char text[ROWS * 40];
    char *at = text;
    for (int k = 0; k < r->keys; k++) at += sprintf(at, "%c,", 'a' + k);
    at += sprintf(at, "g\n");
    for (int i = 0; i < r->rows; i++) {
        for (int k = 0; k < r->keys; k++) at += r->at[i][k] ? sprintf(at, "%d,", r->at[i][k]) : sprintf(at, ",");
        at += sprintf(at, "%d\n", r->at[i][r->keys]);
    }
    return table_from("data", text);
}

static void read_rows(const Table *t, int keys, Rows *out) {
    *out = (Rows){ .rows = (int)t->rows, .keys = keys };
    for (int k = 0; k <= keys; k++)
        for (int i = 0; i < out->rows; i++) out->at[i][k] = column_missing(t->column[k], i) ? 0 : (int)column_integer(t->column[k], i);
}

static bool among(uint64_t keys, int k) { return keys >> k & 1; }

/* The candidates of the person of record i, on these keys and within its group where asked; by the definition alone. */
static int candidates(const Rows *truth, const Rows *now, int i, uint64_t keys, bool grouped) {
    int exact = 0, some = 0, none = 0;
    for (int j = 0; j < now->rows; j++) {
        bool equal = true, fits = true, blank = true;
        if (grouped && now->at[j][now->keys] != truth->at[i][truth->keys]) continue;
        for (int k = 0; k < now->keys; k++) {
            if (!among(keys, k)) continue;
            equal &= now->at[j][k] == truth->at[i][k];
            fits &= !now->at[j][k] || now->at[j][k] == truth->at[i][k];
            blank &= !now->at[j][k];
        }
        exact += equal;
        some += fits && !blank;
        none += blank;
    }
    return exact ? exact : some ? some : none;
}

static int least(const Rows *truth, const Rows *now, uint64_t keys, bool grouped) {
    int k = ROWS;
    for (int i = 0; i < truth->rows; i++) {
        int c = candidates(truth, now, i, keys, grouped);
        if (c < k) k = c;
    }
    return k;
}

static int released_side(const Rows *now, uint64_t keys) {
    int k = ROWS;
    for (int i = 0; i < now->rows; i++) {
        int f = 0;
        for (int j = 0; j < now->rows; j++) {
            bool agree = true;
            for (int key = 0; key < now->keys; key++)
                agree &= !among(keys, key) || !now->at[i][key] || !now->at[j][key] || now->at[i][key] == now->at[j][key];
            f += agree;
        }
        if (f < k) k = f;
    }
    return k;
}

typedef struct {
    Rows truth, now;
    int k, best;
    uint64_t all;
} Oracle;

static void try_all(Oracle *o, int i, int cells) {
    if (cells >= o->best) return;
    if (i == o->truth.rows) {
        if (least(&o->truth, &o->now, o->all, false) >= o->k) o->best = cells;
        return;
    }
    for (uint64_t set = 0; set <= o->all; set++) {
        for (int key = 0; key < o->truth.keys; key++) o->now.at[i][key] = set >> key & 1 ? 0 : o->truth.at[i][key];
        try_all(o, i + 1, cells + __builtin_popcountll(set));
    }
}

static void small_answers_are_the_least(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int n = 0; n < 400; n++) {
        Oracle o = { .k = 2 + n % 2, .best = 1000 };
        int keys = 1 + n % 3;
        make_rows(&o.truth, keys == 3 ? 5 : 4 + n % 4, keys, 2 + n % 3, n < 150 ? 0 : 10 + n % 40, &seed);
        o.now = o.truth;
        o.all = (UINT64_C(1) << keys) - 1;
        try_all(&o, 0, 0);
        shelve_rows(&o.truth);
        char command[200];
        sprintf(command, "protect suppress data --keys %.*s --k %d", keys * 2 - 1, "a,b,c", o.k);
        run_ok(command);
        if (value("cells") != o.best || value("lower_bound") != o.best || value("gap") != 0)
            fail_msg("%s, table %d: %g cells, at least %g; the least is %d", command, n, value("cells"), value("lower_bound"), o.best);
        strcat(command, " --importance a"); /* no whole-number program: the bound by relaxation alone, which must not be above the least */
        run_ok(command);
        if (value("cells") < o.best || value("lower_bound") > o.best)
            fail_msg("%s, table %d: %g cells, at least %g; the least is %d", command, n, value("cells"), value("lower_bound"), o.best);
    }
}

static void nothing_else_changed(const Rows *truth, const Rows *now) {
    int cells = 0;
    for (int i = 0; i < truth->rows; i++)
        for (int k = 0; k < truth->keys; k++) {
            assert_true(!now->at[i][k] || now->at[i][k] == truth->at[i][k]);
            cells += truth->at[i][k] && !now->at[i][k];
        }
    assert_true(value("cells") == cells && value("lower_bound") <= cells);
}

static void the_promise_holds(void **state) {
    (void)state;
    uint64_t seed = 99;
    for (int n = 0; n < 100; n++) {
        static const char *const more[] = { "", " --importance a", " --strata g", " --combinations 2", " --household g" };
        Rows truth, now;
        int keys = 1 + n % KEYS_MOST, k = 2 + n % 4, how = n % 7 < 5 ? n % 7 : 0;
        make_rows(&truth, 15 + (int)(word(&seed) % (ROWS - 15)), keys, 2 + (int)(word(&seed) % 7), n % 3 ? 0 : n % 2 ? 12 : 35, &seed);
        if (how == 3 && keys < 2) how = 0;
        shelve_rows(&truth);
        char command[200];
        sprintf(command, "protect suppress data --keys %.*s --k %d%s --side %s", keys * 2 - 1, "a,b,c,d,e", k, more[how],
                n % 2 ? "both" : "intruder");
        run_threads = 1 + n % 2;
        run_ok(command);
        read_rows(output(), keys, &now);
        nothing_else_changed(&truth, &now);
        uint64_t all = (UINT64_C(1) << keys) - 1;
        for (uint64_t set = 1; set <= all; set++) {
            if (how == 3 ? __builtin_popcountll(set) != 2 : set != all) continue;
            if (least(&truth, &now, set, how == 2) < k)
                fail_msg("%s, table %d: %d candidates", command, n, least(&truth, &now, set, how == 2));
            assert_true(released_side(&now, set) >= k);
            if (!how)
                assert_true(value("k_intruder") == least(&truth, &now, set, false) && value("k_released") == released_side(&now, set));
        }
    }
}

/* By hand: one person of their own beside three who are alike. The three must lend two, and then have one whole record left: so all lose
 * the key. */
static void one_beside_three(void **state) {
    (void)state;
    table_from("data", "a,b\n1,1\n1,1\n1,1\n1,2\n");
    run_ok("protect suppress data --keys a,b --k 3");
    assert_true(value("cells") == 4 && value("gap") == 0 && value("k") >= 3);
    table_from("data", "a,b\n1,1\n1,1\n1,1\n1,1\n1,1\n1,2\n");
    run_ok("protect suppress data --keys a,b --k 3");
    assert_true(value("cells") == 3 && value("gap") == 0 && value("k") == 3); /* two of the five lend their b */
    run_ok("protect suppress data --keys a,b --k 3 --side released");
    assert_true(value("cells") == 1 && value("k") == 6 && value("k_intruder") == 1);
    run_bad("protect suppress data --keys a,b --k 7", "there are 6 records");
    run_bad("protect suppress data --keys a,b --k 3 --fewest", "only with --side released");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(small_answers_are_the_least), cmocka_unit_test(the_promise_holds),
                                        cmocka_unit_test(one_beside_three) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
