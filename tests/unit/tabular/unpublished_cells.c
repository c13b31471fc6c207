/* Linked tables of three dimensions: intervals against every table of all three that agrees with what is published, and patterns judged the
 * same way. */
#include "draws.h"
#include "methods.h"

enum { A = 2, B = 2, C = 3, CUBE = A * B * C, MOST = 36 };
static int cube[CUBE];
/* A published cell: a sum over the cube; −1 stands for the total. */
typedef struct Cell {
    int a, b, c, value;
    bool hidden, primary;
} Cell;
static Cell cells[MOST];
static int count;
static uint64_t seed = 11;

static int below(int n) { return draw_below(&seed, n); }

static int sum(const int *of, const Cell *cell) {
    int total = 0;
    for (int a = 0; a < A; a++)
        for (int b = 0; b < B; b++)
            for (int c = 0; c < C; c++)
                if ((cell->a < 0 || cell->a == a) && (cell->b < 0 || cell->b == b) && (cell->c < 0 || cell->c == c))
                    total += of[(a * B + b) * C + c];
    return total;
}

/* All cells of the tables a×b, a×c and b×c (or only the first two), with their margins. */
static void publish(bool three) {
    count = 0;
    for (int a = -1; a < A; a++)
        for (int b = -1; b < B; b++)
            for (int c = -1; c < C; c++) {
                Cell cell = { .a = a, .b = b, .c = c };
                if ((a >= 0) + (b >= 0) + (c >= 0) == 3 || (!three && b >= 0 && c >= 0)) continue;
                cell.value = sum(cube, &cell);
                cells[count++] = cell;
            }
}

static void shelve_cells(bool blank, bool primaries) {
    static char text[4096];
    int n = sprintf(text, "a,b,c,count,status\n");
    for (int i = 0; i < count; i++) {
        const int at[3] = { cells[i].a, cells[i].b, cells[i].c };
        for (int d = 0; d < 3; d++) n += at[d] < 0 ? sprintf(text + n, "Total,") : sprintf(text + n, "%c%d,", 'x' + d, at[d]);
        bool gone = blank && cells[i].hidden;
        if (!gone) n += sprintf(text + n, "%d", cells[i].value);
        n += sprintf(text + n, ",%s\n", primaries && cells[i].primary ? "primary" : gone ? "secondary" : "open");
    }
    table_from("t", text);
}

/* Every cube of the same total that has the published cells: the least and the most of each hidden one. */
static int least[MOST], most[MOST];
static void enumerate(int *x, int at, int left) {
    if (at < CUBE - 1) {
        for (int v = 0; v <= left; v++) {
            x[at] = v;
            enumerate(x, at + 1, left - v);
        }
        return;
    }
    x[at] = left;
    for (int i = 0; i < count; i++)
        if (!cells[i].hidden && sum(x, &cells[i]) != cells[i].value) return;
    for (int i = 0; i < count; i++) {
        int v = sum(x, &cells[i]);
        if (v < least[i]) least[i] = v;
        if (v > most[i]) most[i] = v;
    }
}

static void by_hand(int total) {
    int x[CUBE];
    for (int i = 0; i < count; i++) {
        least[i] = 1000;
        most[i] = -1;
    }
    enumerate(x, 0, total);
}

static int draw(void) {
    int total = 0;
    for (int i = 0; i < CUBE; i++) total += cube[i] = below(3) ? 0 : below(3);
    return total;
}

/* The grand total stays, so that there are finitely many. */
static bool is_grand(const Cell *c) { return c->a < 0 && c->b < 0 && c->c < 0; }

static void intervals(bool three) {
    int narrower = 0;
    for (int t = 0; t < 400; t++) {
        int total = draw(), at = 0;
        if (total > 6) continue;
        publish(three);
        for (int i = 0; i < count; i++) cells[i].hidden = !is_grand(&cells[i]) && below(2);
        shelve_cells(true, false);
        run_ok("tabular audit t --hide-zeros");
        by_hand(total);
        for (int i = 0; i < count; i++) {
            if (!cells[i].hidden) continue;
            if (value("unproven") == 0) {
                near(table_value("intervals", "lower", at), least[i], 1e-6);
                near(table_value("intervals", "upper", at), most[i], 1e-6);
            }
            assert_true(table_value("intervals", "lower", at) < least[i] + 1e-6 && table_value("intervals", "upper", at) > most[i] - 1e-6);
            narrower++;
            at++;
        }
        assert_int_equal((int)value("hidden"), at);
    }
    assert_true(narrower > 300);
}

static void three_tables(void **state) {
    (void)state;
    intervals(true);
}

/* Two tables that share a dimension are a tree: nothing follows through cells that none of them shows, and none is brought in. */
static void two_tables(void **state) {
    (void)state;
    intervals(false);
    for (int64_t i = 0; i < last_result->notes; i++) assert_null(strstr(last_result->note[i], "no table shows"));
}

/* A pattern is safe against whoever enumerates all tables. */
static void patterns(void **state) {
    (void)state;
    int judged = 0;
    char number[33];
    for (int t = 0; t < 400; t++) {
        int total = draw();
        if (total > 6 || total < 3) continue;
        publish(true);
        for (int i = 0; i < count; i++) cells[i].primary = cells[i].value == 1 && !is_grand(&cells[i]) && below(3) == 0;
        shelve_cells(false, true);
        table_from("grand", "a,b,c\nTotal,Total,Total\n");
        if (run_seeded(1, "tabular suppress t --no-singletons --keep grand --hide-zeros"))
            continue; /* nothing is given out where nothing is safe */
        bool reals = false;
        for (int64_t i = 0; i < last_result->notes; i++) {
            reals |= strstr(last_result->note[i], "does not use that counts are whole") != NULL;
            if (strstr(last_result->note[i], "part of the proof"))
                assert_non_null(strstr(last_result->note[i], "its own part in these cells"));
        }
        const Table *out = last_result->output[0];
        assert_int_equal(out->rows, count);
        for (int i = 0; i < count; i++) cells[i].hidden = strcmp(column_cell(table_column(out, "status"), i, number), "open") != 0;
        by_hand(total);
        for (int i = 0; i < count && !reals; i++)
            if (cells[i].primary) {
                if (least[i] == most[i]) fail_msg("table %d, cell %d: %d to %d", t, i, least[i], most[i]);
                judged++;
            }
    }
    assert_true(judged > 10);
}

/* Two tables, region by sex and region by time, that would be a tree if codes added up in one way alone. `first` and `second` are the
 * regions of each: codes, sums and which of them it shows (all where that is empty). */
static void link_tables(const char *first, const char *second, const char *one, const char *two) {
    const char *const regions[] = { first, second }, *const rows[] = { one, two };
    for (int t = 0; t < 2; t++) {
        char text[1024];
        const char *other = t ? "t" : "s", *name = t ? "two" : "one";
        snprintf(text, sizeof text, "r,%s,count\n%s", other, rows[t]);
        Table *table = table_from(name, text);
        snprintf(text, sizeof text,
                 "{\"schema\":1,\"total\":\"Total\",\"whole\":true,\"dimensions\":[{\"name\":\"r\",%.*s},{\"name\":\"%s\",\"codes\":["
                 "\"Total\",\"%s0\","
                 "\"%s1\"],\"sums\":[[0,1,2]]}],\"cells\":[],\"relations\":[]%s}",
                 (int)strcspn(regions[t], ";"), regions[t], other, other, other,
                 strchr(regions[t], ';') ? strchr(regions[t], ';') + 1 : "");
        table->structure = strdup(text);
    }
}

static void check_told(int hidden) {
    run_ok("tabular audit one two --hide-zeros");
    assert_true(value("hidden") == hidden && value("exact") == hidden && value("unproven") == 0);
}

static void many_ways(void **state) {
    (void)state;
    /* North and south, east and west: whoever is north is s0 and t0, whoever is south s1 and t1; so one of the east is t0. */
    link_tables(
        "\"codes\":[\"Total\",\"N\",\"S\",\"E\",\"W\"],\"sums\":[[0,1,2],[0,3,4]]",
        "\"codes\":[\"Total\",\"N\",\"S\",\"E\",\"W\"],\"sums\":[[0,1,2],[0,3,4]]",
        "Total,s0,2\nTotal,s1,2\nTotal,Total,4\nN,s0,2\nN,s1,0\nN,Total,2\nS,s0,0\nS,s1,2\nS,Total,2\nE,s0,1\nE,s1,1\nE,Total,2\nW,s0,"
        "1\nW,s1,1\nW,Total,2\n",
        "Total,t0,2\nTotal,t1,2\nTotal,Total,4\nN,t0,2\nN,t1,0\nN,Total,2\nS,t0,0\nS,t1,2\nS,Total,2\nE,t0,\nE,t1,\nE,Total,2\nW,t0,\nW,"
        "t1,\nW,Total,2\n");
    check_told(4);
    /* b counts in N and in M, which have nobody of the same sex: it is empty. */
    link_tables(
        "\"codes\":[\"Total\",\"N\",\"M\"],\"sums\":[[0,1,2]]",
        "\"codes\":[\"Total\",\"N\",\"M\",\"a\",\"b\",\"c\"],\"sums\":[[0,1,2],[1,3,4],[2,4,5]]",
        "Total,s0,2\nTotal,s1,2\nTotal,Total,4\nN,s0,2\nN,s1,0\nN,Total,2\nM,s0,0\nM,s1,2\nM,Total,2\n",
        "Total,t0,2\nTotal,t1,2\nTotal,Total,4\nN,t0,1\nN,t1,1\nN,Total,2\nM,t0,1\nM,t1,1\nM,Total,2\na,t0,\na,t1,\na,Total,\nb,t0,\nb,t1,"
        "\nb,Total,\nc,t0,\nc,t1,\nc,Total,\n");
    check_told(9);
    /* The second table has parts of N without it: nobody is t0, and so nobody in a or b. */
    link_tables("\"codes\":[\"Total\",\"N\",\"S\"],\"sums\":[[0,1,2]]",
                "\"codes\":[\"Total\",\"N\",\"S\",\"a\",\"b\"],\"sums\":[[0,1,2],[1,3,4]];,\"tables\":[[[0,3,4],[0,1,2]]]",
                "Total,s0,3\nTotal,s1,1\nTotal,Total,4\nN,s0,2\nN,s1,1\nN,Total,3\nS,s0,1\nS,s1,0\nS,Total,1\n",
                "Total,t0,0\nTotal,t1,4\nTotal,Total,4\na,t0,\na,t1,\na,Total,2\nb,t0,\nb,t1,\nb,Total,1\n");
    check_told(4);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(three_tables), cmocka_unit_test(two_tables), cmocka_unit_test(patterns),
                                        cmocka_unit_test(many_ways) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
