/* A thousand tiny tables from microdata, flat, deep, nested and linked: what is given out as protected is judged by every table of whole
 * numbers that agrees with it, one by one, as an outsider and as each person counted would. */
#include "draws.h"
#include "methods.h"
#include "table/cell_structure.h"

enum { PEOPLE = 8, ATOMS = 32, CELLS = 96, VARS = 4, NOBODY = -1 };
/* Columns of the microdata: g within r (two of each), b, c; x is r where r is not 0, else g. An atom is a value of (g, b, c). */
static int people, atom_of[PEOPLE], size[VARS - 1], atoms;
static uint32_t possible; /* atoms of codes that somebody has: the tables have no others */
/* A published cell: the atoms in it, its count, how it went out. */
typedef struct Cell {
    uint32_t in;
    int value;
    bool hidden, primary;
} Cell;
static Cell cells[CELLS];
static int count;
static int least_hidden = 1; /* readers know that hidden cells are not empty, unless empty ones are hidden, too */
static uint64_t seed = 19;

static int below(int n) { return draw_below(&seed, n); }

/* Is the atom under the code? */
static bool fits(int atom, const char *code) {
    int c = atom % size[2], b = atom / size[2] % size[1], g = atom / size[2] / size[1];
    return *code == 'T' || code[1] - '0' == (*code == 'r' ? g / 2 : *code == 'g' ? g : *code == 'b' ? b : c);
}

/* The atoms under all codes that stand before the first reserved column. */
static uint32_t atoms_of(const Table *table, int64_t row) {
    uint32_t in = 0;
    char number[33];
    for (int a = 0; a < atoms; a++) {
        bool all = true;
        for (int64_t j = 0; j < table->columns && !structure_reserved(table->column[j]->name); j++)
            all &= fits(a, column_cell(table->column[j], row, number));
        in |= (uint32_t)all << a;
    }
    return in;
}

/* Does somebody have each of the atom's codes? */
static bool is_possible(int atom) {
    bool g = false, b = false, c = false;
    for (int p = 0; p < people; p++) {
        g |= atom_of[p] / size[2] / size[1] == atom / size[2] / size[1];
        b |= atom_of[p] / size[2] % size[1] == atom / size[2] % size[1];
        c |= atom_of[p] % size[2] == atom % size[2];
    }
    return g && b && c;
}

static void draw_people(int most, int g, int b, int c) {
    char text[512];
    int n = sprintf(text, "r,g,b,c,x\n");
    size[0] = g;
    size[1] = b;
    size[2] = c;
    atoms = g * b * c;
    people = 3 + below(most - 2);
    for (int i = 0; i < people; i++) {
        int at = i && !below(4) ? atom_of[below(i)] : below(atoms), leaf = at / c / b;
        atom_of[i] = at;
        n += sprintf(text + n, "r%d,g%d,b%d,c%d,%c%d\n", leaf / 2, leaf, at / c % b, at % c, leaf < 2 ? 'g' : 'r',
                     leaf < 2 ? leaf : leaf / 2);
    }
    table_from("d", text);
    possible = 0;
    for (int a = 0; a < atoms; a++) possible |= (uint32_t)is_possible(a) << a;
}

/* The table's cells, after those that are there. */
static void add_cells(const Table *table) {
    for (int64_t i = 0; i < table->rows; i++) {
        Cell *cell = &cells[count++];
        assert_true(count <= CELLS);
        *cell = (Cell){ .in = atoms_of(table, i) };
        for (int p = 0; p < people; p++) cell->value += cell->in >> atom_of[p] & 1;
        cell->primary = cell->value == 1 || cell->value == 2;
        assert_true(column_number(table_column(table, "count"), i) == cell->value);
    }
}

/* ---- every table that agrees ---- */

typedef struct Search {
    int rest[CELLS]; /* what is left of each cell that is known */
    bool known[CELLS];
    int x[ATOMS], least[CELLS], most[CELLS];
} Search;

static void note_table(Search *s) {
    for (int i = 0; i < count; i++)
        if (s->known[i] && s->rest[i]) return;
    for (int i = 0; i < count; i++) {
        int v = 0;
        for (int a = 0; a < atoms; a++)
            if (cells[i].in >> a & 1) v += s->x[a];
        if (!s->known[i] && v < least_hidden) return;
    }
    for (int i = 0; i < count; i++) {
        int v = 0;
        for (int a = 0; a < atoms; a++)
            if (cells[i].in >> a & 1) v += s->x[a];
        if (v < s->least[i]) s->least[i] = v;
        if (v > s->most[i]) s->most[i] = v;
    }
}

static void fill(Search *s, int atom, int left) {
    if (atom == atoms) {
        if (!left) {
            bool agrees = true;
            for (int i = 0; i < count; i++) agrees &= !s->known[i] || !s->rest[i];
            if (agrees) note_table(s);
        }
        return;
    }
    int most = possible >> atom & 1 ? left : 0;
    for (int i = 0; i < count; i++)
        if (s->known[i] && cells[i].in >> atom & 1 && s->rest[i] < most) most = s->rest[i];
    for (int v = 0; v <= most; v++) {
        s->x[atom] = v;
        for (int i = 0; i < count; i++)
            if (cells[i].in >> atom & 1) s->rest[i] -= v;
        fill(s, atom + 1, left - v);
        for (int i = 0; i < count; i++)
            if (cells[i].in >> atom & 1) s->rest[i] += v;
    }
}

/* What is left to somebody who is alone in the cells that only the person stands in. */
static void search(Search *s, int person) {
    *s = (Search){ 0 };
    for (int i = 0; i < count; i++) {
        bool own = person != NOBODY && cells[i].value == 1 && cells[i].in >> atom_of[person] & 1;
        s->known[i] = !cells[i].hidden || own;
        s->rest[i] = cells[i].value;
        s->least[i] = 1000;
        s->most[i] = -1;
    }
    fill(s, 0, people);
}

/* A primary cell that the person does not stand in alone and computes exactly; -1 where none is. */
static int exposed_to(int person) {
    Search s;
    search(&s, person);
    for (int i = 0; i < count; i++) {
        if (!cells[i].primary || (person != NOBODY && cells[i].value == 1 && cells[i].in >> atom_of[person] & 1)) continue;
        if (s.least[i] == s.most[i]) return i;
    }
    return -1;
}

static bool is_safe(void) {
    for (int p = NOBODY; p < people; p++)
        if (exposed_to(p) >= 0) return false;
    return true;
}

/* ---- the tables ---- */

static const struct Kind {
    const char *build;
    int most, g, b, c; /* people, and codes of each column */
} kinds[] = {
    { "tabular build d --dims g,b", 8, 4, 3, 1 },
    { "tabular build d --dims g,b,c", 7, 2, 3, 2 },
    { "tabular build d --dims g,b --nested r,g", 8, 4, 2, 1 },
    { "tabular build d --dims 'g,b;g,c'", 7, 2, 2, 3 },
    { "tabular build d --dims 'g,b;g,c;b,c'", 7, 2, 2, 3 },
    { "tabular build d --dims 'r,b;g' --nested r,g", 8, 4, 2, 1 },
    { "tabular build d --dims 'r,b,c;g,b;g,c' --nested r,g", 6, 4, 2, 2 },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The grand total stays, so that there are finitely many tables. */
static void keep_total(const Table *t) {
    char text[128], *at = text;
    for (int row = 0; row < 2; row++)
        for (int64_t j = 0; !structure_reserved(t->column[j]->name); j++)
            at += sprintf(at, "%s%s", j ? "," : row ? "\n" : "", row ? "Total" : t->column[j]->name);
    table_from("grand", text);
}

/* Microdata, table and unsafe cells of one kind, on the shelf as "t". */
static void make(const struct Kind *kind) {
    draw_people(kind->most, kind->g, kind->b, kind->c);
    run_ok(kind->build);
    shelve("t", table_retain(output()));
    run_ok("tabular primary t --threshold 3");
    shelve("t", table_retain(output()));
    count = 0;
    add_cells(output());
    keep_total(output());
}

/* The pattern of the last result; false where it is proven of real numbers only, and so no promise against whole ones. */
static bool read_pattern(void) {
    for (int i = 0; i < count; i++) cells[i].hidden = output_column("status")->code[i] != 0;
    return !noted("does not use that counts are whole");
}

/* A row of the audit's intervals is what the search finds for that cell; no narrower where the audit says that it is not sure. */
static void same_interval(int t, const Search *s, int64_t row) {
    double low = table_value("intervals", "lower", row), high = table_value("intervals", "upper", row);
    uint32_t in = atoms_of(result_find_table(last_result, "intervals"), row);
    int i = 0;
    while (cells[i].in != in) assert_true(++i < count);
    if (low > s->least[i] + 1e-6 || high < s->most[i] - 1e-6)
        fail_msg("table %d, cell %d: %g to %g leaves out %d to %d", t, i, low, high, s->least[i], s->most[i]);
    if (value("unproven") == 0 && (low < s->least[i] - 1e-6 || high > s->most[i] + 1e-6))
        fail_msg("table %d, cell %d: %g to %g, and no table beyond %d to %d", t, i, low, high, s->least[i], s->most[i]);
}

/* The audit of what went out says what the search finds. */
static void compare_audit(int t) {
    Search s;
    int hidden = 0;
    shelve("s", table_retain(output()));
    run_ok("tabular audit s --original t");
    if (value("exposed") != 0 || value("contributors") != 0) fail_msg("table %d: its own audit finds it exposed", t);
    search(&s, NOBODY);
    for (int i = 0; i < count; i++) hidden += cells[i].hidden;
    assert_int_equal(hidden, (int)value("hidden"));
    for (int64_t row = 0; row < hidden; row++) same_interval(t, &s, row);
}

static void thousand_tables(void **state) {
    (void)state;
    int judged = 0;
    for (int t = 0; t < 1400; t++) {
        make(&kinds[t % KINDS]);
        Status done = run_seeded(1, t / KINDS % 2 ? "tabular suppress t --keep grand --quick" : "tabular suppress t --keep grand");
        if (done == REFUSED) continue; /* nothing is given out where nothing is safe */
        assert_int_equal(done, OK);
        if (!read_pattern()) continue;
        for (int p = NOBODY; p < people; p++) {
            int cell = exposed_to(p);
            if (cell >= 0) fail_msg("table %d, cell %d is exposed to %d", t, cell, p);
        }
        compare_audit(t);
        judged++;
    }
    assert_true(judged > 1000);
}

/* No cheaper set of cells is safe, of all that there are. */
static void optimal_is_least(void **state) {
    (void)state;
    static const struct Kind small[] = {
        { "tabular build d --dims b,c", 8, 2, 3, 3 },
        { "tabular build d --dims g,b --nested r,g", 8, 3, 2, 1 },
        { "tabular build d --dims 'g,b;g,c'", 7, 2, 2, 2 },
    };
    int judged = 0;
    for (int t = 0; t < 120; t++) {
        int open[CELLS], n = 0;
        make(&small[t % 3]);
        if (run_seeded(1, "tabular suppress t --keep grand --method optimal")) continue;
        double best = value("cost");
        if (!read_pattern()) continue;
        assert_true(value("gap") < 1e-9 && is_safe());
        for (int i = 0; i < count; i++) {
            cells[i].hidden = cells[i].primary;
            if (!cells[i].primary && cells[i].value && cells[i].value < people) open[n++] = i;
        }
        for (int set = 0; set < 1 << n; set++) {
            double cost = 0;
            for (int k = 0; k < n; k++) cost += set >> k & 1 ? cells[open[k]].value : 0;
            if (cost >= best) continue;
            for (int k = 0; k < n; k++) cells[open[k]].hidden = set >> k & 1;
            if (is_safe()) fail_msg("table %d: a pattern of cost %g beats %g", t, cost, best);
        }
        judged++;
    }
    assert_true(judged > 60);
}

/* ---- several files at once ---- */

static Status lend(void *self, const char *name, Work *work, Tables *out, Error *error) {
    (void)self;
    (void)name;
    static const char *const names[] = { "one", "two", "three" };
    const Table **at = NULL;
    assert_int_equal(arena_array(work->arena, 3, sizeof *at, &at, error), OK);
    for (int i = 0; i < 3; i++) {
        Table *table = NULL;
        assert_int_equal(test_host.table(NULL, names[i], &table, error), OK);
        at[i] = table;
    }
    *out = (Tables){ 3, (const char **)(uintptr_t)names, at };
    return OK;
}

/* The last table as a file without its structure, its first dimension under the name x, some counts blank. */
static void publish(const char *name) {
    const Table *table = output();
    char text[4096], number[33];
    int n = sprintf(text, "x"), from = count;
    add_cells(table);
    for (int64_t j = 1; !structure_reserved(table->column[j]->name); j++) n += sprintf(text + n, ",%s", table->column[j]->name);
    n += sprintf(text + n, ",count\n");
    for (int64_t i = 0; i < table->rows; i++) {
        Cell *cell = &cells[from + i];
        cell->hidden = cell->value < people && below(2);
        for (int64_t j = 0; !structure_reserved(table->column[j]->name); j++)
            n += sprintf(text + n, "%s,", column_cell(table->column[j], i, number));
        n += cell->hidden ? sprintf(text + n, "\n") : sprintf(text + n, "%d\n", cell->value);
    }
    table_from(name, text);
}

/* A table of three dimensions in coarse codes beside two in fine ones, one code being both: what a table does not show is not empty. */
static void coarse_and_fine(void **state) {
    (void)state;
    int hidden = 0;
    test_host.tables = lend;
    least_hidden = 0;
    for (int t = 0; t < 300; t++) {
        Search s;
        draw_people(6, 3, 2, 2);
        count = 0;
        run_ok("tabular build d --dims r,b,c");
        publish("one");
        run_ok("tabular build d --dims x,b");
        publish("two");
        run_ok("tabular build d --dims x,c");
        publish("three");
        run_ok("tabular audit all --hide-zeros");
        search(&s, NOBODY);
        for (int64_t at = 0; at < result_find_table(last_result, "intervals")->rows; at++) same_interval(t, &s, at);
        hidden += (int)value("hidden");
    }
    assert_true(hidden > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(thousand_tables), cmocka_unit_test(optimal_is_least),
                                        cmocka_unit_test(coarse_and_fine) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
