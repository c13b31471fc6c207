/* Differencing against all worlds: thousands of tiny tables, some cells blank, and every table of counts that agrees with all of them, one
 * by one. A cell is exposed where they all have the same count for it. */
#include "draws.h"
#include "methods.h"

enum { DIMS = 3, CODES = 2, ATOMS = 8, TABLES = 3, CELLS = 27, BEYOND = 3 };
static int people[ATOMS], others[ATOMS]; /* atom: a bit for the code in each dimension; others: whom the second table is of */
/* Two or three tables: which dimensions each has, which cells are blank. */
typedef struct Shown {
    int dims; /* as bits */
    bool margins;
    int cells;
    int code[CELLS][DIMS]; /* CODES: the total */
    bool blank[CELLS];
} Shown;
static Shown shown[TABLES];
static int tables;
static uint64_t seed = 23;

static int below(int n) { return draw_below(&seed, n); }

static int count_of(const int *world, const int *code) {
    int sum = 0;
    for (int a = 0; a < ATOMS; a++) {
        bool in = true;
        for (int d = 0; d < DIMS; d++) in &= code[d] == CODES || (a >> d & 1) == code[d];
        if (in) sum += world[a];
    }
    return sum;
}

/* ---- drawing ---- */

static void draw_cells(Shown *t) {
    t->cells = 0;
    for (int at = 0; at < CELLS; at++) {
        int code[DIMS] = { at / 9, at / 3 % 3, at % 3 };
        bool there = true;
        for (int d = 0; d < DIMS; d++) there &= t->dims >> d & 1 ? code[d] < CODES || t->margins : code[d] == CODES;
        if (!there) continue;
        memcpy(t->code[t->cells], code, sizeof code);
        t->blank[t->cells++] = !below(3);
    }
}

/* The text of a table, and with `structure` how its cells add up, as `tabular build` would say it. */
static void shelve_shown(int number, bool structure) {
    const Shown *t = &shown[number];
    char text[1024], name[] = { (char)('t'), (char)('0' + number), 0 };
    int n = 0;
    for (int d = 0; d < DIMS; d++)
        if (t->dims >> d & 1) n += sprintf(text + n, "%c,", 'a' + d);
    n += sprintf(text + n, "count\n");
    for (int i = 0; i < t->cells; i++) {
        for (int d = 0; d < DIMS; d++)
            if (t->dims >> d & 1)
                n += t->code[i][d] == CODES ? sprintf(text + n, "Total,") : sprintf(text + n, "%c%d,", 'u' + d, t->code[i][d]);
        n += t->blank[i] ? sprintf(text + n, "\n") : sprintf(text + n, "%d\n", count_of(number == 1 ? others : people, t->code[i]));
    }
    Table *table = table_from(name, text);
    if (!structure) return;
    char microdata[512], command[64];
    n = sprintf(microdata, "a,b,c\n");
    for (int a = 0; a < ATOMS; a++) n += sprintf(microdata + n, "u%d,v%d,w%d\n", a & 1, a >> 1 & 1, a >> 2 & 1);
    table_from("d", microdata);
    n = sprintf(command, "tabular build d --dims ");
    for (int d = 0, k = 0; d < DIMS; d++)
        if (t->dims >> d & 1) n += sprintf(command + n, k++ ? ",%c" : "%c", 'a' + d);
    run_ok(command);
    table->structure = strdup(last_result->output[0]->structure);
}

/* more: somebody whom only the second table has. */
static void draw(bool structure, int count, int more) {
    tables = count;
    for (int a = 0; a < ATOMS; a++) others[a] = people[a] = below(2) ? 0 : below(3);
    if (more) others[below(ATOMS)]++;
    for (int t = 0; t < tables; t++) {
        shown[t].dims = 1 + below(7);
        shown[t].margins = structure || below(2);
        draw_cells(&shown[t]);
        shelve_shown(t, structure);
    }
}

/* ---- all worlds ---- */

static int least[TABLES][CELLS], most[TABLES][CELLS], worlds;

static void look(const int *world) {
    for (int t = 0; t < tables; t++)
        for (int i = 0; i < shown[t].cells; i++)
            if (!shown[t].blank[i] && count_of(world, shown[t].code[i]) != count_of(people, shown[t].code[i])) return;
    worlds++;
    for (int t = 0; t < tables; t++)
        for (int i = 0; i < shown[t].cells; i++) {
            int v = count_of(world, shown[t].code[i]);
            if (v < least[t][i]) least[t][i] = v;
            if (v > most[t][i]) most[t][i] = v;
        }
}

static void enumerate(int *world, int at, int left) {
    for (int v = 0; v <= left; v++) {
        world[at] = v;
        if (at + 1 < ATOMS) enumerate(world, at + 1, left - v);
        else look(world);
    }
}

static void every_world(void) {
    int world[ATOMS], all = 0;
    for (int a = 0; a < ATOMS; a++) all += people[a];
    for (int t = 0; t < tables; t++)
        for (int i = 0; i < CELLS; i++) {
            least[t][i] = 1000;
            most[t][i] = -1;
        }
    worlds = 0;
    enumerate(world, 0, all + BEYOND);
    assert_true(worlds > 0);
}

/* ---- what it says ---- */

static bool is_open_elsewhere(const int *code) {
    for (int t = 0; t < tables; t++)
        for (int i = 0; i < shown[t].cells; i++)
            if (!shown[t].blank[i] && !memcmp(shown[t].code[i], code, sizeof shown[t].code[i])) return true;
    return false;
}

static bool is_first(int t, int i) {
    for (int e = 0; e < t; e++)
        for (int k = 0; k < shown[e].cells; k++)
            if (!memcmp(shown[e].code[k], shown[t].code[i], sizeof shown[t].code[i])) return false;
    return true;
}

static void taken_together(void **state) {
    (void)state;
    int exposures = 0;
    for (int round = 0; round < 400; round++) {
        draw(true, 2 + below(2), 0);
        every_world();
        run_ok(tables == 3 ? "attack differencing t0 t1 t2" : "attack differencing t0 t1");
        int expected = 0, sum = 0, hidden = 0;
        for (int t = 0; t < tables; t++)
            for (int i = 0; i < shown[t].cells; i++) {
                if (!shown[t].blank[i] || is_open_elsewhere(shown[t].code[i]) || !is_first(t, i)) continue;
                hidden++;
                if (least[t][i] != most[t][i]) continue;
                expected++;
                sum += least[t][i];
            }
        if (value("exposed") != expected || value("people") != sum)
            fail_msg("round %d: %g exposed, not %d", round, value("exposed"), expected);
        assert_true(result_find_table(last_result, "intervals")->rows == hidden);
        exposures += expected;
    }
    assert_true(exposures > 400);
}

/* The group that a row of `cells` names: "a=u0, c=Total", or "all". */
static void read_group(const char *name, int *code) {
    for (int d = 0; d < DIMS; d++) {
        const char find[] = { (char)('a' + d), '=', 0 }, *at = strstr(name, find);
        code[d] = !at || at[2] == 'T' ? CODES : at[3] - '0';
    }
}

/* Is the cell one of those that add up to the group? In dimensions that the two tables share it stands where the group does, in no other at
 * the total. */
static bool is_part(const Shown *t, int shared, int i, const int *group) {
    bool in = true;
    for (int d = 0; d < DIMS; d++)
        if (t->dims >> d & 1) in &= shared >> d & 1 ? t->code[i][d] == group[d] : t->code[i][d] < CODES;
    return in;
}

/* The one blank cell of the group in either table has this count in every world. */
static void check_recovered(const int *group, double count) {
    int shared = shown[0].dims & shown[1].dims, right = 0;
    for (int t = 0; t < 2; t++) {
        int blank = -1, blanks = 0;
        for (int i = 0; i < shown[t].cells; i++)
            if (shown[t].blank[i] && is_part(&shown[t], shared, i, group)) {
                blank = i;
                blanks++;
            }
        right += blanks == 1 && least[t][blank] == most[t][blank] && most[t][blank] == count;
    }
    assert_true(right);
}

static void two_at_a_time(void **state) {
    (void)state;
    int recovered = 0, few = 0;
    for (int round = 0; round < 3000; round++) {
        int more = round % 2;
        draw(false, 2, more);
        run_ok("attack differencing t0 t1");
        if (!more) every_world();
        const Table *rows = result_find_table(last_result, "cells");
        for (int64_t i = 0; i < rows->rows; i++) {
            char number[33];
            int group[DIMS];
            double difference = table_value("cells", "difference", i);
            read_group(column_cell(table_column(rows, "cell"), i, number), group);
            bool is_few = !strcmp(column_cell(table_column(rows, "how"), i, number), "few people");
            if (is_few) assert_true(more && count_of(people, group) - count_of(others, group) == difference);
            else if (!more) check_recovered(group, fabs(difference));
            few += is_few;
            recovered += !is_few && !more;
        }
    }
    assert_true(few > 300 && recovered > 300);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(taken_together), cmocka_unit_test(two_at_a_time) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
