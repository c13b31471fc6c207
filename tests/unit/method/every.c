/* Every registered method, by its own declaration: its example runs, the same on any number of threads; odd tables and bad arguments get a
 * right answer or a clear error, never a crash. One test per method; EVERY=group.name runs only that one. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "testing.h"
#include "declared.h"
#include "base/file.h"
#include "io/open.h"

/* ---- tables, as they are or made odd ---- */

/* Beyond ODDITIES: the same cells held in another way. */
typedef enum { AS_IS, NO_ROWS, ONE_ROW, ALL_MISSING, CONSTANT, MARKED, ODDITIES, FOUR_BYTES, EIGHT_BYTES } Oddity;
static const char *const oddity_name[] = { "as is", "no rows", "one row", "all missing", "constant", "marked" };
#define MARK "Zq7mark"

typedef struct {
    Arena *arena;
    Oddity oddity;
    bool all;
    int opened;
} HostAdapter;

static Column *all_missing(const Column *column) {
    Column *copy;
    Error error = ERROR_NONE;
    int64_t *nowhere = malloc((size_t)(column->rows + 1) * sizeof *nowhere);
    for (int64_t i = 0; i < column->rows; i++) nowhere[i] = -1;
    assert_int_equal(column_take(column, nowhere, column->rows, &copy, &error), OK);
    free(nowhere);
    return copy;
}

/* Words carry a mark, so that an error that repeats one is found. */
static Column *marked(const Column *column) {
    Column *copy;
    Error error = ERROR_NONE;
    char **cells = calloc((size_t)column->rows + 1, sizeof *cells), text[33];
    if (column->type != CATEGORY_TYPE && column->type != TEXT_TYPE) {
        free(cells);
        return column_retain(column);
    }
    for (int64_t i = 0; i < column->rows; i++) {
        const char *cell = column_cell(column, i, text);
        if (cell && asprintf(&cells[i], MARK "%s", cell) < 0) abort();
    }
    Status made =
        (column->type == TEXT_TYPE ? column_text : column_category)(column->name, (const char *const *)cells, column->rows, &copy, &error);
    assert_int_equal(made, OK);
    for (int64_t i = 0; i < column->rows; i++) free(cells[i]);
    free(cells);
    return copy;
}

/* Whole numbers in so many bytes at least. */
static Column *at_width(const Column *column, int width) {
    Column *copy;
    Error error = ERROR_NONE;
    if (!column->width || column->width >= width) return column_retain(column);
    assert_int_equal(column_copy(column, &copy, &error), OK);
    column_narrow_to(copy, width);
    return copy;
}

static Column *odd_column(const Column *column, Oddity oddity) {
    switch (oddity) {
    case ALL_MISSING: return all_missing(column);
    case FOUR_BYTES: return at_width(column, 4);
    case EIGHT_BYTES: return at_width(column, 8);
    default: return marked(column);
    }
}

static Table *by_rows(const Table *table, int64_t rows) {
    Table *out;
    Error error = ERROR_NONE;
    int64_t *first = calloc((size_t)table->rows + 1, sizeof *first); /* row 0 again and again: a constant column */
    assert_int_equal(table_take(table, first, table->rows ? rows : 0, &out, &error), OK);
    free(first);
    return out;
}

static Table *odd(const Table *table, Oddity oddity) {
    if (oddity == NO_ROWS || oddity == ONE_ROW || oddity == CONSTANT)
        return by_rows(table, oddity == NO_ROWS ? 0 : oddity == ONE_ROW ? 1 : table->rows);
    Table *out;
    Error error = ERROR_NONE;
    Column **columns = calloc((size_t)table->columns + 1, sizeof *columns);
    for (int64_t i = 0; i < table->columns; i++) columns[i] = odd_column(table->column[i], oddity);
    assert_int_equal(table_new(table->name, columns, table->columns, table->rows, &out, &error), OK);
    for (int64_t i = 0; i < table->columns; i++) column_release(columns[i]);
    free(columns);
    return out;
}

static Table *lend(HostAdapter *lender, Table *table) {
    bool change = lender->oddity != AS_IS && (lender->all || lender->opened == 0);
    lender->opened++;
    if (!change) return table;
    Table *other = odd(table, lender->oddity);
    table_release(table);
    return other;
}

static Status lend_table(void *self, const char *name, Table **out, Error *error) {
    HostAdapter *lender = self;
    CsvOptions csv = { .decimal = '.', .threads = 1 };
    Work work = { .arena = lender->arena, .error = error, .threads = 1 };
    Table *table;
    Status status = table_open(&work, name, &csv, &table);
    if (!status) *out = lend(lender, table);
    return status;
}

static Status lend_tables(void *self, const char *name, Work *work, Tables *out, Error *error) {
    (void)self;
    CsvOptions csv = { .decimal = '.', .threads = 1 };
    Work with = *work;
    with.error = error;
    return folder_open(&with, name, &csv, &out->count, &out->name, &out->at);
}

static Status lend_texts(void *self, const char *name, Work *work, Tables *out, Error *error) {
    (void)self;
    CsvOptions csv = { .raw = true, .threads = 1 };
    Work with = *work;
    with.error = error;
    return folder_open(&with, name, &csv, &out->count, &out->name, &out->at);
}

static Status lend_bytes(void *self, const char *name, Work *work, const char **out, size_t *count, Error *error) {
    (void)self;
    return bytes_read(work->arena, name, out, count, error);
}

/* ---- running ---- */

static const char *only_record; /* the per-record column that is asked for; NULL: every one */

static Status run(const Method *method, const Args *args, Oddity oddity, bool all, int threads, Result **out, Error *error) {
    HostAdapter lender = { .arena = arena_new(), .oddity = oddity, .all = all };
    Host host = { .self = &lender, .table = lend_table, .tables = lend_tables, .texts = lend_texts, .bytes = lend_bytes };
    Session session = { .host = &host, .seed = seed_from_number(7), .threads = threads, .record = only_record };
    *error = ERROR_NONE;
    Status status = method_run(&session, method, args, NULL, out, error);
    arena_free(lender.arena);
    return status;
}

/* "scrim GROUP METHOD …" (or a short form) into arguments; options of the program are passed over. */
static void example_args(Work *work, const Method *method, Args *out) {
    char *words[128] = { NULL }, error[2048];
    if (!method->example) fail_msg("it has no example");
    int count = words_of(arena_text(work->arena, method->example), words), at = 1;
    assert_string_equal(words[0], "scrim");
    at += !strcmp(words[at], method->group) && count > 2 && !strcmp(words[at + 1], method->name) ? 2 : 1;
    if (!args_from_argv(work, method, words_of_method(count - at, words + at), words + at, out)) return;
    error_text(work->error, error, sizeof error);
    fail_msg("%s: %s", method->example, error);
}

static void expect_clear(Status status, const Error *error, const char *when) {
    char text[2048];
    error_text(error, text, sizeof text);
    if (status == OK) return;
    if (status != BAD && status != REFUSED) fail_msg("%s: status %d: %s", when, (int)status, text);
    if (strlen(error->message) < 8) fail_msg("%s: the error says nothing: '%s'", when, text);
    if (strstr(text, MARK)) fail_msg("%s: the error repeats a cell's value: %s", when, text);
}

/* ---- what is asked of each ---- */

static void declaration_holds(const Method *method) {
    assert_non_null(method->summary);
    size_t length = strlen(method->summary);
    if (length < 10 || method->summary[length - 1] == '.') fail_msg("the summary is one line without a full stop");
    if (!method->values) fail_msg("it says nothing about the values it returns");
    for (const Param *p = method->params; p && p->kind; p++)
        if (p->kind < RULE_ONE_OF && (!p->help || !*p->help)) fail_msg("parameter %s has no help", p->name);
}

static bool same_number(double a, double b) { return a == b || (a != a && b != b); }

static void same_result(const Result *a, const Result *b, const char *between) {
    assert_int_equal(a->values, b->values);
    for (int64_t i = 0; i < a->values; i++) {
        const Value *x = &a->value[i], *y = &b->value[i];
        if (x->kind != y->kind || !same_number(x->real, y->real) || x->integer != y->integer || !same_text(x->text, y->text))
            fail_msg("value %s differs between %s", x->name, between);
    }
    assert_int_equal(a->outputs, b->outputs);
    for (int64_t i = 0; i < a->outputs; i++)
        if (!table_equal(a->output[i], b->output[i])) fail_msg("output %d differs between %s", (int)i + 1, between);
    assert_int_equal(a->tables, b->tables);
    for (int64_t i = 0; i < a->tables; i++)
        if (!table_equal(a->table[i].table, b->table[i].table)) fail_msg("table %s differs between %s", a->table[i].name, between);
}

/* Formal noise draws from the system's generator, so that no two runs agree. */
static bool is_unseeded(const Method *method) {
    return !strcmp(method->group, "release") || !strcmp(method->name, "private") ||
           (!strcmp(method->group, "tabular") && !strcmp(method->name, "noise"));
}

static double number_of(const Value *value) { return value->kind == VALUE_INTEGER ? (double)value->integer : value->real; }

/* An attack says how much more is learned than without the release: in every branch, if only that it cannot be said; and the gain lies in
 * its interval. */
static void attack_tells_gain(const Method *method, const Result *result) {
    static const char *const names[] = { "baseline", "gain", "lower", "upper" };
    const Value *value[4];
    if (strcmp(method->group, "attack")) return;
    for (int i = 0; i < 4; i++)
        if (!(value[i] = result_find(result, names[i]))) fail_msg("an attack without the value %s", names[i]);
    if (value[1]->kind == VALUE_NULL || value[2]->kind == VALUE_NULL || value[3]->kind == VALUE_NULL) return;
    double gain = number_of(value[1]), slack = 1e-9 * (1 + fabs(gain));
    if (gain - gain == 0 && (number_of(value[2]) > gain + slack || number_of(value[3]) < gain - slack))
        fail_msg("the gain lies outside its interval");
}

/* The library's source as one text. */
static void source_of(const char *folder, Buffer *all) {
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[1024];
        Bytes bytes = { 0 };
        size_t length = strlen(entry->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.') continue;
        if (!strchr(entry->d_name, '.')) source_of(path, all);
        if (length < 3 || strcmp(entry->d_name + length - 2, ".c")) continue;
        assert_int_equal(bytes_open(path, &bytes, NULL), OK);
        buffer_add(all, bytes.at, bytes.count);
        bytes_close(&bytes);
    }
    closedir(dir);
}

static bool has(const Result *result, const Return *r) {
    for (int64_t i = 0; r->kind == RETURN_RECORD && i < result->columns; i++)
        if (!strcmp(result->column[i].column->name, r->name)) return true;
    return r->kind == RETURN_VALUE ? result_find(result, r->name) != NULL
                                   : r->kind == RETURN_TABLE && result_find_table(result, r->name) != NULL;
}

/* A name that only its declaration knows is a promise that nothing keeps: the example gives it, or else the source sets it, in quotes as
 * declarations do not write it. */
static void declared_is_given(const Method *method, const Result *result) {
    static Buffer source; /* read once, kept to the end */
    char quoted[160];
    if (!source.count) source_of("src", &source);
    for (const Return *r = method->values; returns_more(r); r++) {
        snprintf(quoted, sizeof quoted, "\"%s\"", r->name ? r->name : "");
        if (r->name && !has(result, r) && !strstr(buffer_get(&source), quoted)) fail_msg("'%s' is declared, and nothing sets it", r->name);
    }
}

/* What is measured does not hang on which per-record columns are asked for. */
static void records_may_be_left_out(const Method *method, const Args *args, const Result *all) {
    Result *less = NULL;
    Error error;
    if (strcmp(method->group, "risk") && strcmp(method->group, "attack") && strcmp(method->group, "utility")) return;
    for (int64_t i = -1; i < all->columns; i++) {
        only_record = i < 0 ? "no such column" : all->column[i].column->name;
        assert_int_equal(run(method, args, AS_IS, false, 1, &less, &error), OK);
        same_result(all, less, "all per-record columns and one of them");
        assert_int_equal(less->columns, i >= 0);
        if (i >= 0) assert_string_equal(less->column[0].column->name, only_record);
        result_free(less);
    }
    only_record = NULL;
}

static void example_runs(const Method *method, const Args *args) {
    Result *one = NULL, *three = NULL;
    Error error;
    char text[2048];
    if (run(method, args, AS_IS, false, 1, &one, &error)) {
        error_text(&error, text, sizeof text);
        fail_msg("%s: %s", method->example, text);
    }
    result_is_declared(method, one);
    declared_is_given(method, one);
    result_travels(one);
    attack_tells_gain(method, one);
    records_may_be_left_out(method, args, one);
    assert_int_equal(run(method, args, AS_IS, false, 3, &three, &error), OK);
    if (!is_unseeded(method)) same_result(one, three, "1 and 3 threads");
    result_free(three);
    for (Oddity width = FOUR_BYTES; width <= EIGHT_BYTES; width++) {
        Result *wide = NULL;
        assert_int_equal(run(method, args, width, true, 2, &wide, &error), OK);
        if (!is_unseeded(method))
            same_result(one, wide, width == FOUR_BYTES ? "narrow cells and four bytes" : "narrow cells and eight bytes");
        result_free(wide);
    }
    result_free(one);
}

static void oddities_are_met(const Method *method, const Args *args) {
    for (Oddity oddity = NO_ROWS; oddity < ODDITIES; oddity++)
        for (int all = 0; all < 2; all++) {
            Result *result = NULL;
            Error error;
            char when[96];
            snprintf(when, sizeof when, "%s (%s)", oddity_name[oddity], all ? "every table" : "the first table");
            Status status = run(method, args, oddity, all, 2, &result, &error);
            expect_clear(status, &error, when);
            if (!status) {
                result_is_declared(method, result);
                attack_tells_gain(method, result);
                result_travels(result);
            }
            result_free(result);
        }
}

/* The example's arguments with this one put in or in place. */
static Args with(Work *work, const Args *args, const char *name, const char *text) {
    Arg *list = NULL;
    const char **item = NULL;
    int64_t count = 0;
    assert_int_equal(arena_array(work->arena, args->count + 1, sizeof *list, &list, work->error), OK);
    assert_int_equal(arena_array(work->arena, 1, sizeof *item, &item, work->error), OK);
    for (int64_t i = 0; i < args->count; i++)
        if (strcmp(args->at[i].name, name)) list[count++] = args->at[i];
    *item = text;
    if (text) list[count++] = (Arg){ .name = name, .count = 1, .items = item };
    return (Args){ count, list };
}

static void is_refused(Work *work, const Method *method, const Args *args, const Param *param, const char *text) {
    Result *result = NULL;
    Error error;
    Args bad = with(work, args, param->name, text);
    Status status = run(method, &bad, AS_IS, false, 1, &result, &error);
    result_free(result);
    if (status != BAD) fail_msg("--%s %s: status %d, not an error", param->name, text ? text : "(absent)", (int)status);
    expect_clear(status, &error, param->name);
}

static void bounds_are_held(Work *work, const Method *method, const Args *args, const Param *param) {
    char text[64];
    double ends[2] = { param->flags & EXCLUSIVE ? param->least : param->least - 1,
                       param->flags & EXCLUSIVE ? param->most : param->most + 1 };
    for (int i = 0; i < 2; i++) {
        double bound = i ? param->most : param->least;
        if (bound - bound != 0 || (bound + 1 == bound)) continue; /* infinite, or too large to step over */
        snprintf(text, sizeof text, "%.17g", ends[i]);
        is_refused(work, method, args, param, text);
    }
    is_refused(work, method, args, param, "many");
}

static void bad_arguments_are_met(Work *work, const Method *method, const Args *args) {
    for (const Param *p = method->params; p && p->kind; p++) {
        if (p->kind == KIND_INT || p->kind == KIND_REAL || p->kind == KIND_REALS) bounds_are_held(work, method, args, p);
        if (p->kind == KIND_CHOICE || p->kind == KIND_COLUMN || p->kind == KIND_COLUMNS) is_refused(work, method, args, p, "no-such-thing");
        if (p->kind == KIND_TABLE) is_refused(work, method, args, p, "no-such-file.csv");
        if (p->kind < RULE_ONE_OF && (p->flags & REQUIRED)) is_refused(work, method, args, p, NULL);
    }
    const Param nothing = { .name = "no_such_parameter" };
    is_refused(work, method, args, &nothing, "1");
}

static void holds(void **state) {
    const Method *method = *state;
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    Args args = { 0 };
    declaration_holds(method);
    example_args(&work, method, &args);
    example_runs(method, &args);
    oddities_are_met(method, &args);
    bad_arguments_are_met(&work, method, &args);
    arena_free(work.arena);
}

int main(void) {
    const char *only = getenv("EVERY");
    int64_t count = methods_count(), tests = 0;
    struct CMUnitTest *list = calloc((size_t)count + 1, sizeof *list);
    char(*name)[128] = calloc((size_t)count + 1, sizeof *name);
    for (int64_t i = 0; i < count; i++) {
        const Method *method = methods_at(i);
        snprintf(name[i], sizeof *name, "%s.%s", method->group, method->name);
        if (only && strcmp(only, name[i])) continue;
        list[tests++] = (struct CMUnitTest){ .name = name[i], .test_func = holds, .initial_state = (void *)(uintptr_t)method };
    }
    int failed = _cmocka_run_group_tests("every method", list, (size_t)tests, NULL, NULL);
    free(list);
    free(name);
    return failed;
}
