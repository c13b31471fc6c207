/* Argus, Datafly and generalize promise k candidates to everyone: small random tables, hierarchies and missing keys, counted person by
 * person with the true keys at the levels that were chosen. */
#include "methods.h"

enum { MOST = 40, KEYS = 3 };
typedef char Cell[4];

static uint64_t state;
static int draw(int below) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)below);
}

/* "" is missing, and a value of its own below the top. */
static void at_level(const char *value, int level, char *out) {
    if (level == 2) strcpy(out, "*");
    else if (level == 1 && *value) sprintf(out, "g%d", (*value - 'a') / 2);
    else strcpy(out, value);
}

static void write_hierarchies(void) {
    static const char *const names[KEYS] = { "p", "q", "r" };
    char text[200] = "level0,level1,level2\n", cell[4];
    for (char c = 'a'; c < 'g'; c++) {
        at_level((char[]){ c, 0 }, 1, cell);
        sprintf(text + strlen(text), "%c,%s,*\n", c, cell);
    }
    for (int k = 0; k < KEYS; k++) table_from(names[k], text);
}

static int make_table(Cell truth[MOST][KEYS]) {
    char text[MOST * 20] = "p,q,r,d\n";
    int rows = 8 + draw(MOST - 8), lacking = draw(2) ? 0 : 10;
    int values[KEYS] = { 2 + draw(5), 2 + draw(5), 2 + draw(5) };
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < KEYS; k++) {
            int v = draw(values[k]);
            if (draw(2)) v = draw(v + 1);
            sprintf(truth[i][k], "%.1s", draw(100) < lacking ? "" : (char[]){ (char)('a' + v), 0 });
            sprintf(text + strlen(text), "%s,", truth[i][k]);
        }
        strcat(text, "x\n");
    }
    table_from("data", text);
    return rows;
}

typedef struct {
    int rows;
    unsigned keys; /* bits of those that the intruder knows */
    Cell truth[MOST][KEYS], released[MOST][KEYS];
} Counted;

/* 0: it does not fit; 1: it has none of the keys; 2: it fits; 3: it is equal */
static int fit(const Counted *c, int person, int record) {
    bool equal = true, blank = true;
    for (int k = 0; k < KEYS; k++) {
        if (!(c->keys >> k & 1)) continue;
        const char *t = c->truth[person][k], *r = c->released[record][k];
        if (*r && strcmp(r, t)) return 0;
        equal &= !strcmp(r, t);
        blank &= !*r;
    }
    return equal ? 3 : blank ? 1 : 2;
}

static int candidates(const Counted *c, int person) {
    int of[4] = { 0 };
    for (int j = 0; j < c->rows; j++) of[fit(c, person, j)]++;
    return of[3] ? of[3] : of[2] ? of[2] : of[1];
}

static void read_release(Counted *c, Cell truth[MOST][KEYS]) {
    char cell[33];
    for (int k = 0; k < KEYS; k++) {
        const Column *column = output_column((char[]){ (char)('p' + k), 0 });
        int level = (int)table_value("levels", "level", k);
        for (int i = 0; i < c->rows; i++) {
            const char *text = column_cell(column, i, cell);
            snprintf(c->released[i][k], sizeof(Cell), "%.3s", text ? text : "");
            at_level(truth[i][k], level, c->truth[i][k]);
        }
    }
}

/* The fewest candidates of anyone, for an intruder who knows at most so many keys. */
static int fewest(Counted *c, int known) {
    int least = c->rows;
    for (c->keys = 1; c->keys < 1u << KEYS; c->keys++) {
        if (__builtin_popcount(c->keys) > known) continue;
        for (int i = 0; i < c->rows; i++) {
            int n = candidates(c, i);
            least = n < least ? n : least;
        }
    }
    return least;
}

/* No blanked cell could have stayed: the fewest candidates would be below k. */
static void all_are_needed(Counted *c, Cell truth[MOST][KEYS], int known, int k) {
    for (int i = 0; i < c->rows; i++)
        for (int key = 0; key < KEYS; key++) {
            if (*c->released[i][key] || !*c->truth[i][key]) continue;
            strcpy(c->released[i][key], c->truth[i][key]);
            if (fewest(c, known) >= k) fail_msg("row %d, key %d: '%s' could stay", i, key, truth[i][key]);
            *c->released[i][key] = 0;
        }
}

static void everyone_has_k(void **unused) {
    (void)unused;
    static const char *const shares[] = { "0", "0.1", "0.3", "0.6" };
    int kept = 0;
    state = 12;
    write_hierarchies();
    for (int n = 0; n < 600; n++) {
        static Cell truth[MOST][KEYS];
        static Counted c;
        char command[200];
        int k = 2 + draw(3), known = 1 + draw(KEYS), way = n % 3;
        const char *share = shares[draw(4)];
        c.rows = make_table(truth);
        if (!way)
            sprintf(command, "protect argus data --keys p,q,r --hierarchies p,q,r --k %d --max-suppression %s --combinations %d", k, share,
                    known);
        else
            sprintf(command, "protect %s data --keys p,q,r --hierarchies p,q,r --k %d --max-suppression %s",
                    way == 1 ? "datafly" : "generalize", k, share);
        run_ok(command);
        read_release(&c, truth);
        int least;
        if (!way) {
            least = fewest(&c, known);
            assert_int_equal(value("k_intruder"), least);
            assert_true(value("lower_bound") <= value("cells"));
            all_are_needed(&c, truth, known, k);
        } else {
            c.keys = (1u << KEYS) - 1;
            least = c.rows;
            for (int i = 0; i < c.rows; i++) least = candidates(&c, i) < least ? candidates(&c, i) : least;
        }
        if (least < k) fail_msg("table %d, %s: %d candidates", n, command, least);
        kept += least < c.rows;
    }
    assert_true(kept > 200); /* not all of it is blank, or at the top */
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(everyone_has_k) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
