/* Running a method inside a test: tables by name, a command line, and what came back. */
#ifndef SCRIM_TESTS_METHODS_H
#define SCRIM_TESTS_METHODS_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "testing.h"
#include "base/number_text.h"
#include "io/open.h"
#include "method/method.h"
#include "words.h"

#ifndef FIND_METHOD
#define FIND_METHOD method_find /* a test of verbs says verb_find */
#endif
#define UNUSED __attribute__((unused))
enum { SHELF = 32 };
static Table *shelf[SHELF]; /* tables that commands name */
static Result *last_result; /* of the last command that went well */
static Error last_error;
static int run_threads = 2;

/* Puts a table on the shelf under its name, in place of the one of that name. Takes over the reference. */
static UNUSED Table *shelve(const char *name, Table *table) {
    int at = 0;
    while (at < SHELF - 1 && shelf[at] && strcmp(shelf[at]->name, name)) at++;
    table_release(shelf[at]);
    free(table->name);
    table->name = strdup(name);
    return shelf[at] = table;
}

static Type type_of(char **cells, int64_t rows) {
    bool integer = true, real = true;
    int64_t whole;
    double number;
    for (int64_t i = 0; i < rows; i++) {
        if (!cells[i]) continue;
        const char *end = cells[i] + strlen(cells[i]);
        integer = integer && read_integer(cells[i], end, &whole);
        real = real && read_real(cells[i], end, '.', &number);
    }
    return integer ? INTEGER_TYPE : real ? REAL_TYPE : CATEGORY_TYPE;
}

static Column *column_of(const char *name, char **cells, int64_t rows) {
    Column *column;
    Type type = type_of(cells, rows);
    if (type == CATEGORY_TYPE) {
        assert_int_equal(column_category(name, (const char *const *)cells, rows, &column, &last_error), OK);
        return column;
    }
    assert_int_equal(column_new(type, name, rows, &column, &last_error), OK);
    assert_int_equal(column_need_valid(column, &last_error), OK);
    for (int64_t i = 0; i < rows; i++) {
        if (!cells[i]) column_set_missing(column, i);
        else if (type == INTEGER_TYPE) assert_true(read_integer(cells[i], cells[i] + strlen(cells[i]), &column->integer[i]));
        else assert_true(read_real(cells[i], cells[i] + strlen(cells[i]), '.', &column->real[i]));
    }
    column_seal(column);
    column_narrow(column); /* as readers do */
    return column;
}

/* A small table from plain CSV text (no quotes); types by their look; an empty cell is missing. */
static UNUSED Table *table_from(const char *name, const char *text) {
    static char *lines[4096], *cells[64][4096];
    char *copy = strdup(text), *line_state, *names[64];
    int64_t rows = 0, columns = 0;
    for (char *line = strtok_r(copy, "\n", &line_state); line; line = strtok_r(NULL, "\n", &line_state)) {
        assert_true(rows < 4096); /* larger tables come from a file */
        lines[rows++] = line;
    }
    rows--;
    for (char *at = lines[0]; at;) { names[columns++] = strsep(&at, ","); }
    for (int64_t i = 0; i < rows; i++) {
        char *at = lines[i + 1];
        for (int64_t j = 0; j < columns; j++) {
            char *cell = strsep(&at, ",");
            cells[j][i] = cell && *cell ? cell : NULL;
        }
    }
    Column *made[64] = { NULL };
    Table *table;
    for (int64_t j = 0; j < columns; j++) made[j] = column_of(names[j], cells[j], rows);
    assert_int_equal(table_new(name, made, columns, rows, &table, &last_error), OK);
    for (int64_t j = 0; j < columns; j++) column_release(made[j]);
    free(copy);
    return shelve(name, table);
}

/* A CSV file; skips the test where it is absent. */
static UNUSED Table *table_from_file(const char *name, const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) skip();
    fclose(file);
    Table *table = NULL;
    last_error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    if (table_open(&work, path, &(CsvOptions){ 0 }, &table)) fail_msg("%s: %s", path, last_error.message);
    arena_free(work.arena);
    return shelve(name, table);
}

/* A table of real columns "a", "b", … from arrays, NaN = missing. */
static UNUSED Table *table_reals(const char *name, const double *const *x, int64_t columns, int64_t rows) {
    Column *made[26] = { NULL };
    Table *table;
    for (int64_t j = 0; j < columns; j++) {
        assert_int_equal(column_new(REAL_TYPE, (char[]){ (char)('a' + j), 0 }, rows, &made[j], &last_error), OK);
        assert_int_equal(column_need_valid(made[j], &last_error), OK);
        for (int64_t i = 0; i < rows; i++) {
            made[j]->real[i] = isnan(x[j][i]) ? 0 : x[j][i];
            if (isnan(x[j][i])) column_set_missing(made[j], i);
        }
        column_seal(made[j]);
    }
    assert_int_equal(table_new(name, made, columns, rows, &table, &last_error), OK);
    for (int64_t j = 0; j < columns; j++) column_release(made[j]);
    return shelve(name, table);
}

static Status from_shelf(void *self, const char *name, Table **out, Error *error) {
    (void)self;
    for (int i = 0; i < SHELF && shelf[i]; i++)
        if (!strcmp(shelf[i]->name, name)) {
            *out = table_retain(shelf[i]);
            return OK;
        }
    return fail(error, BAD, "no table '%s' on the shelf", name);
}

static Host test_host = { .table = from_shelf };

/* "protect noise data --vars x --amount 0.1", with this seed: the status; last_result or last_error is set. */
static UNUSED Status run_seeded(uint64_t seed, const char *command) {
    char *copy = strdup(command), *words[64];
    int count = words_of(copy, words);
    Session session = { .host = &test_host, .seed = seed_from_number(seed), .threads = run_threads };
    last_error = ERROR_NONE;
    result_free(last_result);
    last_result = NULL;
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    const Method *method = FIND_METHOD(words[0], words[1]);
    assert_non_null(method);
    Args args = { 0 };
    Status status = args_from_argv(&work, method, count - 2, words + 2, &args);
    if (!status) status = method_run(&session, method, &args, NULL, &last_result, &last_error);
    arena_free(work.arena);
    free(copy);
    return status;
}

static UNUSED void run_ok_seeded(uint64_t seed, const char *command) {
    if (run_seeded(seed, command)) fail_msg("%s: %s", command, last_error.message);
}
static UNUSED void run_ok(const char *command) { run_ok_seeded(1, command); }
/* The command must be refused as bad, with a message in which `part` stands. */
static UNUSED void run_bad(const char *command, const char *part) {
    char text[2048];
    assert_int_equal(run_seeded(1, command), BAD);
    error_text(&last_error, text, sizeof text);
    if (!strstr(text, part)) fail_msg("'%s' says: %s", command, text);
}

/* Does a note of the last result say so? */
static UNUSED bool noted(const char *part) {
    for (int64_t i = 0; i < last_result->notes; i++)
        if (strstr(last_result->note[i], part)) return true;
    return false;
}

static UNUSED const Table *output(void) {
    assert_int_equal(last_result->outputs, 1);
    return last_result->output[0];
}
static UNUSED const Column *output_column(const char *name) {
    const Column *column = table_column(output(), name);
    assert_non_null(column);
    return column;
}
static UNUSED double value(const char *name) {
    const Value *v = result_find(last_result, name);
    if (!v) fail_msg("no value %s", name);
    return v->kind == VALUE_INTEGER ? (double)v->integer : v->kind == VALUE_REAL ? v->real : NAN;
}
/* A cell of a result's table, by the column's name. */
static UNUSED double table_value(const char *table, const char *column, int64_t row) {
    const Table *t = result_find_table(last_result, table);
    if (!t) fail_msg("no table %s", table);
    const Column *c = table_column(t, column);
    if (!c) fail_msg("no column %s in %s", column, table);
    assert_in_range(row, 0, c->rows - 1);
    return column_number(c, row);
}
/* The output's column as text: cells joined by spaces, "." where missing. */
static UNUSED const char *cells_of(const Column *column) {
    static char text[65536];
    char number[33];
    size_t at = 0;
    text[0] = 0;
    for (int64_t i = 0; i < column->rows; i++) {
        const char *cell = column_cell(column, i, number);
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", i ? " " : "", cell ? cell : ".");
    }
    return text;
}
static UNUSED void near(double seen, double wanted, double within) {
    if (!(fabs(seen - wanted) <= within)) fail_msg("saw %.12g, wanted %.12g ± %g", seen, wanted, within);
}
#endif
