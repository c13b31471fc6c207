/* Expressions: known answers, three-valued logic, errors, and random ones against a tiny evaluator of its own. */
#include "tables.h"
#include "base/random.h"
#include "table/expr.h"

static Table *people(void) {
    return table_of("age:integer 30 45 NA 61 22", "sex:integer 2 1 2 2 1", "pay:real 10.5 NA 3 -4 0",
                    "job:category nurse clerk nurse NA cook", "note:text Hello NA abc ABC_D x",
                    "born:date 1990-01-02 1975-06-30 2000-12-31 NA 1998-02-28", "hours-per-week:integer 40 10 20 30 50",
                    "hours:integer 1 2 3 4 5", "per:integer 1 1 1 1 1", "week:integer 0 0 0 0 0", "2010:integer 5 4 3 2 1",
                    "zip:text 01 1 01 02 NA", "id:integer 9007199254740993 9007199254740992 3 4 5", "max:integer 7 8 9 10 11", NULL);
}

/* The mask as "10-…": 1 true, 0 not. */
static void check_mask(const Table *table, const char *source, const char *expected) {
    Work work = tables_work(1);
    const Expr *expr;
    uint8_t *mask;
    int64_t count, trues = 0;
    char got[64] = "";
    tables_ok(expr_parse(&work, table, source, &expr));
    tables_ok(expr_mask(&work, expr, table, &mask, &count));
    for (int64_t i = 0; i < table->rows; i++) {
        got[i] = mask[i] ? '1' : '0';
        trues += mask[i];
    }
    if (strcmp(got, expected)) fail_msg("%s: %s, not %s", source, got, expected);
    assert_int_equal(count, trues);
    arena_free(work.arena);
}

static void known_masks(void **state) {
    (void)state;
    Table *t = people();
    check_mask(t, "sex == 2 & age < 61", "10000");
    check_mask(t, "age < 31 | sex == 2", "10111");
    check_mask(t, "!(age < 31)", "01010");
    check_mask(t, "! age < 31", "01010");
    check_mask(t, "is.missing(age)", "00100");
    check_mask(t, "!is.missing(pay) & pay >= 0", "10101");
    check_mask(t, "job == \"nurse\"", "10100");
    check_mask(t, "job != 'nurse'", "01001");
    check_mask(t, "job %in% c('cook', \"clerk\")", "01001");
    check_mask(t, "age %in% c(30, 22)", "10001");
    check_mask(t, "pay %in% c(-4, 3)", "00110");
    check_mask(t, "age %in% 45", "01000");
    check_mask(t, "born < \"1995-01-01\"", "11000");
    check_mask(t, "born + 365 > '1999-01-01'", "00101");
    check_mask(t, "'2000-12-31' == born", "00100");
    check_mask(t, "starts(note, 'A') | contains(note, 'll')", "10010");
    check_mask(t, "lower(note) == 'abc d'", "00010");
    check_mask(t, "nchar(note) == 3", "00100");
    check_mask(t, "is.missing(job) | nchar(job) == 4", "00011");
    check_mask(t, "job < 'd'", "01001");
    check_mask(t, "TRUE", "11111");
    check_mask(t, "FALSE | age > 40 & sex == 1", "01000");
    check_mask(t, "age > 40 && sex == 1 || pay < 0", "01010");
    check_mask(t, "(sex == 1) == (age < 40)", "00011");
    check_mask(t, "id == 9007199254740993", "10000");
    check_mask(t, "zip == 01", "10100");
    check_mask(t, "sex == '2'", "10110");
    check_mask(t, "max(age, sex, pay) > 50", "00010");
    check_mask(t, "max > 9", "00011");
    check_mask(t, "max(max, 9) == 9", "11100");
    table_release(t);
}

static void names_with_other_characters(void **state) {
    (void)state;
    Table *t = people();
    check_mask(t, "hours-per-week > 25", "10011");
    check_mask(t, "`hours-per-week` > 25", "10011");
    check_mask(t, "hours - per - week == 2", "00100");
    check_mask(t, "hours-per-week+1 == 41", "10000");
    check_mask(t, "max(hours-per-week, 30) > 30", "10001");
    check_mask(t, "`2010` == 2010 - 2005", "10000");
    table_release(t);
}

static double value_of(const Table *table, const char *source, int64_t row) {
    Work work = tables_work(1);
    const Expr *expr;
    double *values, value;
    tables_ok(expr_parse(&work, table, source, &expr));
    tables_ok(expr_reals(&work, expr, table, &values));
    value = values[row];
    arena_free(work.arena);
    return value;
}

static void known_numbers(void **state) {
    (void)state;
    Table *t = people();
    const struct {
        const char *source;
        double value;
    } cases[] = { { "1 + 2 * 3", 7 },
                  { "-2^2", -4 },
                  { "2^-1", 0.5 },
                  { "2^3^2", 512 },
                  { "-7 %% 3", 2 },
                  { "7 %% -3", -2 },
                  { "(1 + 2) * 3", 9 },
                  { "abs(-3.5)", 3.5 },
                  { "exp(0) + sqrt(9)", 4 },
                  { "round(2.5)", 2 },
                  { "round(3.14159, 2)", 3.14 },
                  { "floor(-1.5)", -2 },
                  { "log(exp(2))", 2 },
                  { "min(3, 1, 2)", 1 },
                  { "age + pay", 40.5 },
                  { "(sex == 2) + 1", 2 },
                  { "born - born", 0 },
                  { ".5e1", 5 },
                  { "1e3", 1000 },
                  { "10 / 4", 2.5 },
                  { "- - 3", 3 },
                  { "1 - 2 - 3", -4 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double got = value_of(t, cases[i].source, 0);
        if (fabs(got - cases[i].value) > 1e-12) fail_msg("%s = %.17g", cases[i].source, got);
    }
    assert_true(isnan(value_of(t, "log(-1)", 0)) && isnan(value_of(t, "5 %% 0", 0)) && isnan(value_of(t, "age * 2", 2)) &&
                isnan(value_of(t, "1^pay", 1)));
    table_release(t);
}

static void ordered_category(void **state) {
    (void)state;
    Table *t = table_of("size:category small large medium small NA", NULL);
    const char *words[] = { "small", "medium", "large" };
    Column *column = t->column[0];
    Dictionary *ordered;
    int32_t code[] = { 0, 2, 1, 0, 0 };
    tables_ok(dictionary_new(words, 3, true, &ordered, &tables_error));
    dictionary_release(column->words);
    column->words = ordered;
    memcpy(column->code, code, sizeof code);
    check_mask(t, "size < 'large'", "10110");
    check_mask(t, "'medium' <= size", "01100");
    check_mask(t, "size == 'huge'", "00000");
    check_mask(t, "size < 'huge'", "00000");
    table_release(t);
}

static void check_bad(const Table *table, const char *source, const char *says) {
    Work work = tables_work(1);
    const Expr *expr;
    char text[2048];
    if (expr_parse(&work, table, source, &expr) != BAD) fail_msg("%s should be bad", source);
    error_text(&tables_error, text, sizeof text);
    if (!strstr(text, says)) fail_msg("%s: \"%s\" does not say \"%s\"", source, text, says);
    arena_free(work.arena);
}

static void bad_input(void **state) {
    (void)state;
    Table *t = people();
    check_bad(t, "agee < 3", "Did you mean 'age'?");
    check_bad(t, "sex == 2 & agee < 3", "at character 12");
    check_bad(t, "", "ends where a value");
    check_bad(t, "sex == ", "ends where a value");
    check_bad(t, "sex = 2", "Write ==");
    check_bad(t, "1 < age < 3", "do not chain");
    check_bad(t, "age & sex == 2", "true or false");
    check_bad(t, "job == 3 + 1", "compares text with a number");
    check_bad(t, "age == 'x'", "is no number");
    check_bad(t, "born > 'yesterday'", "is no date");
    check_bad(t, "zip < 31", "compares text with a number");
    check_bad(t, "born > 5", "compares a date with a number");
    check_bad(t, "job + 1 > 2", "needs a number");
    check_bad(t, "is.na(age)", "is.missing");
    check_bad(t, "age == NA", "is.missing");
    check_bad(t, "abs(age", "missing in abs");
    check_bad(t, "abs(age, 2)", "at most 1");
    check_bad(t, "max(age)", "at least 2");
    check_bad(t, "job == 'nurse", "not closed");
    check_bad(t, "(age > 3", "')' is missing");
    check_bad(t, "age > 3)", "does not belong");
    check_bad(t, "age %in% c(sex)", "only constants");
    check_bad(t, "age > 3 sex", "does not belong");
    check_bad(t, "c(1, 2) == age", "%in%");
    check_bad(t, "age @ 3", "cannot be read");
    check_bad(t, "3x > 2", "backticks");
    check_bad(t, "born + born > 3", "cannot be added");
    Work work = tables_work(1);
    char deep[2002];
    const Expr *expr;
    uint8_t *mask;
    double *values;
    memset(deep, '(', 2000);
    deep[2000] = 0;
    check_bad(t, deep, "too deeply");
    memset(deep, '-', 2000);
    check_bad(t, deep, "too deeply");
    tables_ok(expr_parse(&work, t, "age + 1", &expr));
    assert_int_equal(expr_mask(&work, expr, t, &mask, NULL), BAD);
    tables_ok(expr_parse(&work, t, "lower(job)", &expr));
    assert_int_equal(expr_reals(&work, expr, t, &values), BAD);
    arena_free(work.arena);
    table_release(t);
}

static void parts_of_a_text(void **state) {
    (void)state;
    Table *t = people();
    Work work = tables_work(1);
    const Expr *expr;
    const char *source = "mean(hours-per-week) where age > 3 & sex == 2 by job";
    int64_t at = 5;
    tables_ok(expr_parse_part(&work, t, source, "query", &at, &expr));
    assert_string_equal(expr_column(expr), "hours-per-week");
    assert_int_equal(at, 19);
    at = 26;
    tables_ok(expr_parse_part(&work, t, source, "query", &at, &expr));
    assert_string_equal(expr_source(expr), "age > 3 & sex == 2");
    assert_string_equal(source + at, "by job");
    assert_int_equal(expr_columns(expr), 2);
    arena_free(work.arena);
    table_release(t);
}

static void another_table(void **state) {
    (void)state;
    Table *t = people(), *other = table_of("job:text cook NA nurse", "age:real 1.5 NA 99", NULL),
          *wrong = table_of("job:integer 1 2", "age:real 1 2", NULL);
    Table *empty = table_of("job:text", "age:integer", NULL), *missing = table_of("job:integer NA NA", "age:text NA NA", NULL);
    Work work = tables_work(1);
    const Expr *expr;
    uint8_t *mask;
    int64_t count;
    tables_ok(expr_parse(&work, t, "job == 'cook' | age > 50", &expr));
    tables_ok(expr_mask(&work, expr, other, &mask, &count));
    assert_int_equal(count, 2);
    assert_int_equal(mask[0] + mask[2], 2);
    assert_int_equal(expr_mask(&work, expr, wrong, &mask, &count), BAD);
    tables_ok(expr_mask(&work, expr, empty, &mask, &count));
    assert_int_equal(count, 0);
    tables_ok(expr_mask(&work, expr, missing, &mask, &count));
    assert_int_equal(count, 0);
    arena_free(work.arena);
    table_release(t);
    table_release(other);
    table_release(wrong);
    table_release(empty);
    table_release(missing);
}

/* A tiny evaluator of its own: expressions are written and computed at once, record by record; NaN is missing; truth is 0, 1 or NaN. */
enum { ROWS = 3000 };
typedef struct Maker {
    RandomReader reader;
    char text[65536];
    size_t length;
    double columns[3][ROWS];
} Maker;
static void put(Maker *m, const char *s) { m->length += (size_t)snprintf(m->text + m->length, sizeof m->text - m->length, "%s", s); }
static uint64_t pick(Maker *m, uint64_t n) { return reader_below(&m->reader, n); }

static void number(Maker *m, int depth, double *out);
static void binary_number(Maker *m, int depth, double *out) {
    static double right[16][ROWS];
    double *b = right[depth];
    const char *marks[] = { " + ", " - ", " * ", " / ", " %% " };
    uint64_t op = pick(m, 5);
    put(m, "(");
    number(m, depth - 1, out);
    put(m, marks[op]);
    number(m, depth - 1, b);
    put(m, ")");
    for (int i = 0; i < ROWS; i++)
        out[i] = op == 0     ? out[i] + b[i]
                 : op == 1   ? out[i] - b[i]
                 : op == 2   ? out[i] * b[i]
                 : op == 3   ? out[i] / b[i]
                 : b[i] == 0 ? NAN
                             : out[i] - floor(out[i] / b[i]) * b[i];
}
static void number(Maker *m, int depth, double *out) {
    const char *names[] = { "x", "y-z", "n" };
    uint64_t kind = depth <= 0 ? pick(m, 2) : pick(m, 5);
    if (kind == 0) {
        uint64_t value = pick(m, 7);
        char text[8] = { (char)('0' + value), 0 };
        put(m, text);
        for (int i = 0; i < ROWS; i++) out[i] = (double)value;
    } else if (kind == 1) {
        uint64_t which = pick(m, 3);
        put(m, names[which]);
        memcpy(out, m->columns[which], sizeof m->columns[which]);
    } else if (kind == 2) {
        put(m, "abs(-");
        number(m, depth - 1, out);
        put(m, ")");
        for (int i = 0; i < ROWS; i++) out[i] = fabs(-out[i]);
    } else binary_number(m, depth, out);
}
static void truth(Maker *m, int depth, double *out) {
    static double right[16][ROWS];
    double *b = right[depth];
    uint64_t kind = depth <= 0 ? 0 : pick(m, 5);
    if (kind == 0 || kind == 4) {
        const char *marks[] = { " == ", " != ", " < ", " <= ", " > ", " >= " };
        uint64_t op = pick(m, 6);
        number(m, depth - 1, out);
        put(m, marks[op]);
        number(m, depth - 1, b);
        for (int i = 0; i < ROWS; i++) {
            double x = out[i], y = b[i];
            out[i] = isnan(x) || isnan(y) ? NAN
                     : op == 0            ? x == y
                     : op == 1            ? x != y
                     : op == 2            ? x < y
                     : op == 3            ? x <= y
                     : op == 4            ? x > y
                                          : x >= y;
        }
    } else if (kind == 3) {
        put(m, "!(");
        truth(m, depth - 1, out);
        put(m, ")");
        for (int i = 0; i < ROWS; i++) out[i] = 1 - out[i];
    } else {
        put(m, "(");
        truth(m, depth - 1, out);
        put(m, kind == 1 ? ") & (" : ") | (");
        truth(m, depth - 1, b);
        put(m, ")");
        for (int i = 0; i < ROWS; i++) {
            double decides = kind == 1 ? 0 : 1;
            out[i] = out[i] == decides || b[i] == decides ? decides : out[i] + b[i] != out[i] + b[i] ? NAN : 1 - decides;
        }
    }
}

static void random_expressions(void **state) {
    (void)state;
    static Maker m;
    Work work = tables_work(2);
    Seed seed = seed_from_number(7);
    RandomStream stream = stream_make(&seed, "test", 0, "", "expressions");
    m.reader = reader_make(&stream);
    Column *columns[3];
    const char *names[] = { "x", "y-z", "n" };
    for (int c = 0; c < 3; c++) {
        tables_ok(column_new(c == 2 ? INTEGER_TYPE : REAL_TYPE, names[c], ROWS, &columns[c], &tables_error));
        tables_ok(column_need_valid(columns[c], &tables_error));
        for (int i = 0; i < ROWS; i++) {
            double value = (double)pick(&m, 13) - 6;
            if (pick(&m, 8) == 0) {
                column_set_missing(columns[c], i);
                m.columns[c][i] = NAN;
                continue;
            }
            m.columns[c][i] = value;
            if (c == 2) columns[c]->integer[i] = (int64_t)value;
            else columns[c]->real[i] = value;
        }
        column_seal(columns[c]);
    }
    Table *t = table_from(columns, 3);
    for (int round = 0; round < 300; round++) {
        static double expected[ROWS];
        const Expr *expr;
        double *got;
        m.length = 0;
        truth(&m, 1 + round % 6, expected);
        tables_ok(expr_parse(&work, t, m.text, &expr));
        tables_ok(expr_reals(&work, expr, t, &got));
        for (int i = 0; i < ROWS; i++)
            if (!(got[i] == expected[i] || (isnan(got[i]) && isnan(expected[i])))) fail_msg("%s: record %d", m.text, i);
    }
    /* Garbage never crashes: cut and stirred sources give an answer or an error. */
    for (int round = 0; round < 3000; round++) {
        static double unused[ROWS];
        const Expr *expr;
        m.length = 0;
        truth(&m, round % 4, unused);
        for (int k = 0; k < 3; k++) m.text[pick(&m, m.length)] = "()!&|,`'\"%-x1 .c^="[pick(&m, 19)];
        Status status = expr_parse(&work, t, m.text, &expr);
        assert_true(status == OK || status == BAD);
    }
    arena_free(work.arena);
    table_release(t);
}

static void long_chains(void **state) {
    (void)state;
    Table *t = people();
    Work work = tables_work(1);
    static char text[40000] = "age == 30";
    const Expr *expr;
    uint8_t *mask;
    int64_t count;
    for (int i = 0; i < 2000; i++) strcat(text, " | age == 22");
    tables_ok(expr_parse(&work, t, text, &expr));
    tables_ok(expr_mask(&work, expr, t, &mask, &count));
    assert_int_equal(count, 2);
    arena_free(work.arena);
    table_release(t);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(known_masks),   cmocka_unit_test(names_with_other_characters),
                                        cmocka_unit_test(known_numbers), cmocka_unit_test(ordered_category),
                                        cmocka_unit_test(bad_input),     cmocka_unit_test(parts_of_a_text),
                                        cmocka_unit_test(another_table), cmocka_unit_test(random_expressions),
                                        cmocka_unit_test(long_chains) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
