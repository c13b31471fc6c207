/* Two thousand small tables from microdata, with holdings, weights, negative and missing values, waivers, requests and marks: which cells
 * are unsafe, and by how much, judged record by record as docs/methods/tabular-primary.md defines it. */
#include "draws.h"
#include "methods.h"

enum { PEOPLE = 9, CODES = 3, TOP = 5, CELLS = (CODES + 1) * (CODES + 1) };
static uint64_t seed = 2012;

static int below(int n) { return draw_below(&seed, n); }

/* Records: codes, what they have (NAN: none), their weight, their holding (0: they do not say). */
static int people, code[PEOPLE][2], holding[PEOPLE];
static double has[PEOPLE], weight[PEOPLE];

/* The rules of one run; 0 where there is none. */
typedef struct Rules {
    bool response, weights, holdings, group, zeros, flag, waiver, request;
    int threshold, n, coalition, range;
    double k, p, pq_p, pq_q;
} Rules;

static void draw_people(const Rules *r) {
    static const double amounts[] = { 0, 0, 1, 2, 3, 5, 10, 10, 20, 40, 100 };
    bool negative = below(4) == 0;
    char text[1024];
    int n = sprintf(text, "a,b,x,w,h\n");
    people = 2 + below(PEOPLE - 1);
    for (int i = 0; i < people; i++) {
        for (int d = 0; d < 2; d++) code[i][d] = 1 + below(CODES);
        has[i] = below(20) ? amounts[below(11)] * (negative && below(2) ? -1 : 1) : NAN;
        weight[i] = 0.5 * (1 + below(6));
        holding[i] = below(4);
        n += sprintf(text + n, "a%d,b%d,", code[i][0], code[i][1]);
        n += isnan(has[i]) ? sprintf(text + n, ",") : sprintf(text + n, "%g,", has[i]);
        n += sprintf(text + n, "%g,%.*s\n", weight[i], holding[i] ? 2 : 0, (const char *[]){ "", "h1", "h2", "h3" }[holding[i]]);
        if (!r->response) has[i] = 1;
    }
    table_from("d", text);
}

static int word_code(const char *word) { return *word == 'T' ? 0 : word[1] - '0'; }

static bool stands_in(int person, const int cell[2]) {
    return !isnan(has[person]) && (!cell[0] || cell[0] == code[person][0]) && (!cell[1] || cell[1] == code[person][1]);
}

/* One cell: its value and contributions by contributor, largest first. */
typedef struct Truth {
    double value, most[PEOPLE + TOP];
    int people; /* contributors */
} Truth;

static Truth look(const Rules *r, const int cell[2]) {
    Truth t = { 0 };
    double sum[PEOPLE + 4] = { 0 };
    bool there[PEOPLE + 4] = { false };
    for (int i = 0; i < people; i++) {
        int who = r->holdings && holding[i] ? PEOPLE + holding[i] : i;
        if (!stands_in(i, cell)) continue;
        sum[who] += has[i] * (r->weights ? weight[i] : 1);
        there[who] = true;
    }
    for (int who = 0; who < PEOPLE + 4; who++) {
        if (!there[who]) continue;
        t.value += sum[who];
        int at = t.people++;
        for (; at > 0 && t.most[at - 1] < fabs(sum[who]); at--) t.most[at] = t.most[at - 1];
        t.most[at] = fabs(sum[who]);
    }
    return t;
}

static double sum_of(const Truth *t, int n) {
    double sum = 0;
    for (int k = 0; k < n && k < t->people; k++) sum += t->most[k];
    return sum;
}

static bool is_there(int d, int c) {
    for (int i = 0; i < people; i++)
        if (code[i][d] == c) return true;
    return false;
}

/* Alone among the parts of its total in dimension d, or the first empty part beside such a one that could be full. */
static bool tells_group(const Rules *r, const int cell[2], int d) {
    int full = 0, parts = 0, first = 0, at[2] = { cell[0], cell[1] };
    if (!cell[d]) return false;
    for (int c = 1; c <= CODES; c++) {
        if (!is_there(d, c)) continue;
        parts++;
        at[d] = c;
        int other[2] = { at[0], at[1] };
        other[!d] = 0; /* what the part adds up to in the other dimension; an empty total has none but empty parts */
        bool empty = look(r, at).people == 0, could = cell[!d] && look(r, other).people > 0;
        full += !empty;
        if (empty && could && !first) first = c;
    }
    return parts > 1 && full == 1 && (look(r, cell).people > 0 || cell[d] == first);
}

/* The smallest sum of the table that is not 0, and not below a millionth of the largest. */
static double smallest(const Rules *r) {
    double least = INFINITY, most = 0;
    for (int a = 0; a <= CODES; a++)
        for (int b = 0; b <= CODES; b++) {
            double v = fabs(look(r, (const int[]){ a, b }).value);
            if (v > 0) least = fmin(least, v);
            most = fmax(most, v);
        }
    return isinf(least) ? 1 : fmax(least, 1e-6 * most);
}

/* How far a cell must be able to lie above its value, and how far above or below it. */
typedef struct Level {
    double upper, either;
} Level;

/* The protection that the definitions give; -1 where the cell is safe. */
static Level judge(const Rules *r, const int cell[2], int flag, bool waived, bool requested) {
    Truth t = look(r, cell);
    const double size = fabs(t.value), first = sum_of(&t, 1),
                 plain = r->response || r->weights ? (size > 0 ? size : smallest(r)) * r->range / 100 : 1;
    const double rest = fmax(0, size - sum_of(&t, 1 + r->coalition));
    double level = -1, either = -1;
    if (r->threshold && t.people > 0 && t.people < r->threshold) either = plain;
    if (t.people && !(r->waiver && waived) && (!r->request || requested)) {
        if (r->n && sum_of(&t, r->n) > r->k / 100 * size) level = fmax(level, 100 / r->k * sum_of(&t, r->n) - size);
        if (r->p > 0 && 100 * rest < r->p * first) level = fmax(level, r->p / 100 * first - rest);
        if (r->pq_p > 0 && r->pq_q * rest < r->pq_p * first) level = fmax(level, r->pq_p / r->pq_q * first - rest);
    }
    if (r->zeros && !t.people) either = plain;
    if (r->group && (tells_group(r, cell, 0) || tells_group(r, cell, 1))) either = plain;
    if (r->flag && flag == 1) either = plain;
    return r->flag && flag == 0 ? (Level){ -1, -1 } : (Level){ level, either };
}

static Rules draw_rules(void) {
    Rules r = { .response = below(5) > 0, .weights = below(4) == 0, .holdings = below(2), .group = below(3) == 0, .zeros = below(3) == 0 };
    r.flag = below(3) == 0;
    r.waiver = below(3) == 0;
    r.request = below(4) == 0;
    r.threshold = below(3) ? 2 + below(3) : 0;
    r.coalition = 1;
    r.range = 5 + 5 * below(3);
    if (!r.response) return r;
    if (below(2)) r.n = 1 + below(4), r.k = (const double[]){ 50, 75, 90, 100 }[below(4)];
    if (below(2)) r.p = (const double[]){ 5, 10, 50 }[below(3)];
    if (below(3) == 0) r.pq_p = 10 + 10 * below(2), r.pq_q = 25 + 25 * below(3);
    if (r.p > 0 || r.pq_p > 0) r.coalition = 1 + below(3);
    return r;
}

/* The built table with three columns more, drawn anew. */
static void put_marks(int *flag, bool *waived, bool *requested) {
    const Table *t = output();
    Column *columns[3] = { NULL };
    Table *longer = NULL;
    static const char *const names[] = { "own", "agreed", "asked" };
    for (int k = 0; k < 3; k++) assert_int_equal(column_new(INTEGER_TYPE, names[k], t->rows, &columns[k], &last_error), OK);
    for (int64_t i = 0; i < t->rows; i++) {
        columns[0]->integer[i] = flag[i] = below(5) ? 2 : below(2);
        columns[1]->integer[i] = waived[i] = below(3) == 0;
        columns[2]->integer[i] = requested[i] = below(3) == 0;
    }
    assert_int_equal(table_with(t, columns, 3, &longer, &last_error), OK);
    for (int k = 0; k < 3; k++) column_release(columns[k]);
    shelve("t", longer);
}

static void build(const Rules *r) {
    char line[200];
    snprintf(line, sizeof line, "tabular build d --dims a,b --top %d%s%s%s", TOP, r->response ? " --response x" : "",
             r->weights ? " --weight w" : "", r->holdings ? " --holding h" : "");
    run_ok(line);
}

static bool mark(const Rules *r) {
    char line[400];
    int n = snprintf(line, sizeof line, "tabular primary t --range %d", r->range);
    const int before = n;
    if (r->threshold) n += sprintf(line + n, " --threshold %d", r->threshold);
    if (r->n) n += sprintf(line + n, " --dominance %d:%g", r->n, r->k);
    if (r->p > 0) n += sprintf(line + n, " --p-percent %g", r->p);
    if (r->pq_p > 0) n += sprintf(line + n, " --pq %g:%g", r->pq_p, r->pq_q);
    if (r->group) n += sprintf(line + n, " --group");
    if (r->zeros) n += sprintf(line + n, " --zeros");
    if (r->flag) n += sprintf(line + n, " --flag own");
    if (n == before) return false;
    if (r->coalition > 1) n += sprintf(line + n, " --coalition %d", r->coalition);
    if (r->waiver) n += sprintf(line + n, " --waiver agreed");
    if (r->request) n += sprintf(line + n, " --request asked");
    run_ok(line);
    return true;
}

static void by_definition(void **state) {
    (void)state;
    int unsafe = 0, safe = 0;
    for (int t = 0; t < 2000; t++) {
        int flag[CELLS];
        bool waived[CELLS], requested[CELLS];
        char number[2][33];
        const char *word[2];
        const Rules r = draw_rules();
        draw_people(&r);
        build(&r);
        put_marks(flag, waived, requested);
        if (!mark(&r)) continue;
        for (int64_t i = 0; i < output()->rows; i++) {
            int cell[2];
            for (int d = 0; d < 2; d++) cell[d] = word_code(word[d] = column_cell(output()->column[d], i, number[d]));
            const Level level = judge(&r, cell, flag[i], waived[i], requested[i]);
            bool primary = output_column("status")->code[i] == 1;
            if (primary != (level.upper >= 0 || level.either >= 0))
                fail_msg("table %d, cell %s, %s: unsafe by %g and %g?", t, word[0], word[1], level.upper, level.either);
            unsafe += primary;
            safe += !primary;
            if (!primary) continue;
            near(column_number(output_column("protection_lower"), i), 0, 0);
            near(column_number(output_column("protection_upper"), i), fmax(0, level.upper), 1e-9 * fmax(1, level.upper));
            near(column_number(output_column("protection_either"), i), fmax(0, level.either), 1e-9 * fmax(1, level.either));
        }
    }
    assert_true(unsafe > 5000 && safe > 5000);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_definition) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
