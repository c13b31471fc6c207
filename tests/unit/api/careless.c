/* Careless callers: NULL for everything, sizes never set, calls out of order, streams that lie. An answer each time, never a crash. */
#include "testing.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include "scrim.h"

static scrim_error error = { .size = sizeof error };
static scrim_table *table;
static scrim_args *args;
static scrim_result *result;

static int begin(void **state) {
    (void)state;
    args = scrim_args_new();
    return scrim_table_read("examples/clinic.csv", NULL, &table, NULL) || scrim_args_table(args, "data", table) ||
           scrim_args_text(args, "keys", "sex") || scrim_run(NULL, "risk.k-anonymity", args, &result, NULL);
}

static int end(void **state) {
    (void)state;
    scrim_table_free(table);
    scrim_args_free(args);
    scrim_result_free(result);
    return 0;
}

/* Looked at, nothing is empty. */
static void nothing_is_empty(void **state) {
    (void)state;
    assert_null(scrim_result_method(NULL));
    assert_int_equal(scrim_result_values(NULL) + scrim_result_notes(NULL) + scrim_result_tables(NULL) + scrim_result_records(NULL), 0);
    assert_int_equal(scrim_result_outputs(NULL) + scrim_result_charts(NULL) + scrim_result_results(NULL), 0);
    assert_null(scrim_result_value_name(NULL, 0));
    assert_int_equal(scrim_result_value_kind(NULL, "k"), SCRIM_NULL);
    assert_true(isnan(scrim_result_number(NULL, "k")) && isnan(scrim_result_number(result, NULL)));
    assert_int_equal(scrim_result_integer(result, NULL), 0);
    assert_null(scrim_result_text(NULL, NULL));
    assert_null(scrim_result_note(NULL, 0));
    assert_null(scrim_result_table(result, NULL));
    assert_null(scrim_result_record_table(NULL, NULL));
    assert_null(scrim_result_record_joined(NULL));
    assert_null(scrim_result_output(NULL, 0));
    assert_null(scrim_result_result(NULL, 0));
    assert_int_equal(scrim_table_rows(NULL) + scrim_table_columns(NULL), 0);
    assert_null(scrim_table_column_name(NULL, 0));
    assert_null(scrim_table_column_type(NULL, 0));
    assert_int_equal(scrim_table_perturbed(NULL, "x") + scrim_table_released(NULL) + scrim_table_shares(table, NULL, "sex"), 0);
    assert_int_equal(scrim_table_shares(table, table, NULL) + scrim_table_same(NULL, "x"), 0);
    assert_int_equal(scrim_table_origin(NULL, 0), -1);
    assert_null(scrim_table_share(NULL));
    assert_int_equal(scrim_args_count(NULL, "x"), -1);
    assert_int_equal(scrim_args_count(args, NULL), -1);
    assert_null(scrim_args_item(args, NULL, 0));
    assert_null(scrim_methods_in_parts(NULL));
    scrim_table_mark(NULL, "x");
    scrim_cancel_set(NULL);
    scrim_cancel_free(NULL);
    scrim_job_free(NULL);
}

/* Asked to do something, a function says that what it needs is not there; the error may itself be NULL. */
static void needs_are_told(void **state) {
    (void)state;
    char text[8] = "before", *out = NULL;
    size_t count = 0;
    struct ArrowSchema schema;
    struct ArrowArray array;
    struct ArrowArrayStream stream;
    scrim_table *made = NULL;
    scrim_result *other = NULL;
    scrim_job *job = NULL;
    scrim_error_text(NULL, text, sizeof text);
    assert_string_equal(text, "");
    const scrim_status bad[] = {
        scrim_methods_find(1, NULL, &(const char *){ NULL }, &(int64_t){ 0 }, NULL),
        scrim_methods_find(1, (const char *const[]){ NULL }, &(const char *){ NULL }, &(int64_t){ 0 }, NULL),
        scrim_methods_describe(NULL, &out, NULL),
        scrim_methods_describe("audit", NULL, NULL),
        scrim_args_text(NULL, "k", "3"),
        scrim_args_text(args, NULL, "3"),
        scrim_args_text(args, "k", NULL),
        scrim_args_flag(NULL, "force"),
        scrim_args_table(args, "other", NULL),
        scrim_args_words(NULL, "audit", 0, NULL, NULL),
        scrim_args_words(args, NULL, 0, NULL, NULL),
        scrim_args_words(args, "audit", 3, NULL, NULL),
        scrim_run(NULL, NULL, args, &other, NULL),
        scrim_run(NULL, "audit", args, NULL, NULL),
        scrim_run_in_parts(NULL, NULL, args, 1, 1, NULL, &other, NULL),
        scrim_run_in_parts(NULL, "risk.k-anonymity", args, 1, 1, NULL, NULL, NULL),
        scrim_run_parts(NULL, "risk.k-anonymity", args, NULL, &other, NULL),
        scrim_run_parts(NULL, "risk.k-anonymity", args, &(scrim_parts){ 0 }, &other, NULL),
        scrim_run_parts(NULL, "risk.k-anonymity", args, &(scrim_parts){ .size = sizeof(scrim_parts), .page_count = 1 }, &other, NULL),
        scrim_job_new(NULL, NULL, args, &job, NULL),
        scrim_job_new(NULL, "risk.k-anonymity", args, NULL, NULL),
        scrim_job_fit(NULL, table, 0, NULL),
        scrim_job_state(NULL, &out, &count, NULL),
        scrim_job_merge(NULL, "x", 1, NULL),
        scrim_job_finish(NULL, NULL),
        scrim_job_apply(NULL, table, 0, &made, NULL),
        scrim_job_result(NULL, &other, NULL),
        scrim_table_from_arrow("x", NULL, &array, &made, NULL),
        scrim_table_to_arrow(NULL, &schema, &array, NULL),
        scrim_table_from_stream("x", NULL, &made, NULL),
        scrim_table_to_stream(NULL, &stream, NULL),
        scrim_table_infer_categories(NULL, &made, NULL),
        scrim_table_read(NULL, NULL, &made, NULL),
        scrim_table_write(table, NULL, NULL, NULL),
        scrim_table_without(table, 1, NULL, &made, NULL),
        scrim_writable(NULL, NULL),
        scrim_result_output_write(NULL, 0, 0, "x.csv", NULL, NULL),
        scrim_result_own(NULL, NULL),
        scrim_result_chart(NULL, 0, "svg", 1, 1, &out, NULL),
        scrim_result_render(NULL, "text", 80, 0, &out, NULL),
        scrim_result_render(result, NULL, 80, 0, &out, NULL),
        scrim_result_write(result, NULL, NULL),
        scrim_result_write_all(result, NULL, NULL, 1, NULL, NULL),
        scrim_result_write_all(result, NULL, (const char *const[]){ NULL }, 1, NULL, NULL),
        scrim_result_verdict(NULL, NULL),
        scrim_result_save(NULL, &out, &count, NULL),
        scrim_result_load("x", NULL, 0, &other, NULL),
        scrim_result_public(NULL, &other, NULL),
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (bad[i] != SCRIM_BAD) fail_msg("call %zu answers %d", i, (int)bad[i]);
    assert_int_equal(scrim_result_verdict(NULL, &error), SCRIM_BAD);
    assert_non_null(strstr(error.message, "NULL"));
}

/* A struct whose size was never set would be passed over: a host that opens no files would open them. */
static void sizes_are_asked_for(void **state) {
    (void)state;
    scrim_host host = { .no_files = 1 };
    scrim_reading reading = { .separator = ';' };
    scrim_result *other = NULL;
    scrim_table *made = NULL;
    assert_int_equal(scrim_run(&host, "risk.k-anonymity", args, &other, &error), SCRIM_BAD);
    assert_non_null(strstr(error.message, "scrim_host"));
    host = (scrim_host){ .size = sizeof host, .reading = &reading };
    assert_int_equal(scrim_run(&host, "risk.k-anonymity", args, &other, &error), SCRIM_BAD);
    assert_non_null(strstr(error.message, "scrim_reading"));
    assert_int_equal(scrim_table_read("examples/clinic.csv", &reading, &made, &error), SCRIM_BAD);
    assert_int_equal(scrim_table_write(table, "never.csv", &reading, &error), SCRIM_BAD);
    assert_null(other);
    assert_null(made);
}

static void arguments_of_two_kinds(void **state) {
    (void)state;
    scrim_args *mixed = scrim_args_new();
    assert_int_equal(scrim_args_table(mixed, "data", table), SCRIM_OK);
    assert_int_equal(scrim_args_text(mixed, "data", "x.csv"), SCRIM_BAD);
    assert_int_equal(scrim_args_words(mixed, "risk.k-anonymity", 1, (const char *const[]){ "x.csv" }, &error), SCRIM_BAD);
    assert_non_null(strstr(error.message, "given as a table"));
    assert_int_equal(scrim_args_text(mixed, "keys", "sex"), SCRIM_OK);
    assert_int_equal(scrim_args_table(mixed, "keys", table), SCRIM_BAD);
    scrim_args_free(mixed);
}

static void jobs_out_of_order(void **state) {
    (void)state;
    scrim_args *given = scrim_args_new();
    scrim_job *job = NULL;
    scrim_table *made = NULL;
    scrim_result *other = NULL;
    char *bytes = NULL;
    size_t count = 0;
    assert_int_equal(scrim_args_text(given, "keys", "sex"), SCRIM_OK);
    assert_int_equal(scrim_job_new(NULL, "risk.k-anonymity", given, &job, &error), SCRIM_OK);
    assert_int_equal(scrim_job_apply(job, table, 0, &made, &error), SCRIM_BAD);
    assert_int_equal(scrim_job_result(job, &other, &error), SCRIM_BAD);
    assert_int_equal(scrim_job_finish(job, &error), SCRIM_BAD); /* nothing has come */
    assert_int_equal(scrim_job_fit(job, table, -1, &error), SCRIM_BAD);
    assert_int_equal(scrim_job_fit(job, table, INT64_MAX, &error), SCRIM_BAD);
    assert_int_equal(scrim_job_fit(job, table, 0, &error), SCRIM_OK);
    assert_int_equal(scrim_job_merge(job, "no state", 8, &error), SCRIM_BAD);
    assert_int_equal(scrim_job_state(job, &bytes, &count, &error), SCRIM_OK);
    assert_int_equal(scrim_job_merge(job, bytes, count / 2, &error), SCRIM_BAD);
    assert_int_equal(scrim_job_finish(job, &error), SCRIM_OK);
    assert_int_equal(scrim_job_fit(job, table, 300, &error), SCRIM_BAD);
    assert_int_equal(scrim_job_merge(job, bytes, count, &error), SCRIM_BAD); /* learned, where the job now does */
    assert_int_equal(scrim_job_apply(job, table, -1, &made, &error), SCRIM_BAD);
    assert_int_equal(scrim_job_apply(job, table, 0, &made, &error), SCRIM_OK);
    assert_int_equal(scrim_job_result(job, &other, &error), SCRIM_OK);
    assert_int_equal(scrim_result_integer(other, "k"), scrim_result_integer(result, "k"));
    scrim_text_free(bytes);
    scrim_result_free(other);
    scrim_table_free(made);
    scrim_job_free(job);
    scrim_args_free(given);
}

/* ---- streams and hosts that lie ---- */

static int released, given;
static int no_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    (void)stream;
    memset(out, 0, sizeof *out);
    return 0;
}
static int table_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    struct ArrowArray array;
    (void)stream;
    if (scrim_table_to_arrow(table, out, &array, NULL)) return EIO;
    array.release(&array);
    return 0;
}
static int two_batches(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    struct ArrowSchema schema;
    (void)stream;
    memset(out, 0, sizeof *out);
    if (given++ == 2) return EIO;
    if (scrim_table_to_arrow(table, &schema, out, NULL)) return EIO;
    schema.release(&schema);
    return 0;
}
static void let_go(struct ArrowArrayStream *stream) {
    released++;
    stream->release = NULL;
}

static void streams_that_lie(void **state) {
    (void)state;
    scrim_table *made = NULL;
    struct ArrowArrayStream stream[] = {
        { .get_schema = table_schema, .get_next = two_batches, .release = let_go }, /* fails in the middle, and says not why */
        { .get_schema = no_schema, .get_next = two_batches, .release = let_go },
        { .get_schema = table_schema, .release = let_go },
    };
    for (int i = 0; i < 3; i++) {
        released = given = 0;
        assert_int_equal(scrim_table_from_stream("lies", &stream[i], &made, &error), SCRIM_BAD);
        assert_null(made);
        assert_int_equal(released, 1);
    }
    assert_int_equal(scrim_table_from_stream("gone", &(struct ArrowArrayStream){ 0 }, &made, &error), SCRIM_BAD);
    assert_int_equal(scrim_table_from_arrow("gone", &(struct ArrowSchema){ 0 }, &(struct ArrowArray){ 0 }, &made, &error), SCRIM_BAD);
    struct ArrowSchema field = { 0 }, *fields[] = { &field }, schema = { .format = "+s", .n_children = 1, .children = fields };
    struct ArrowArray column = { 0 }, *columns[] = { &column }, array = { .n_children = 1, .children = columns };
    assert_int_equal(scrim_table_from_arrow("no type", &schema, &array, &made, &error), SCRIM_BAD);
    array.length = -4;
    assert_int_equal(scrim_table_from_arrow("length", &schema, &array, &made, &error), SCRIM_BAD);
}

static scrim_status half_lent(void *self, const char *name, scrim_table **out, scrim_error *told) {
    (void)name;
    *out = scrim_table_share(table);
    memset(told->message, 'x', sizeof told->message); /* without an end */
    return *(scrim_status *)self;
}

/* A table that comes with an error is let go, and a status of the caller's own making is a failure. */
static void hosts_that_lie(void **state) {
    (void)state;
    scrim_result *other = NULL;
    scrim_args *by_name = scrim_args_new();
    scrim_status answer = (scrim_status)77;
    scrim_host host = { .size = sizeof host, .table = half_lent, .self = &answer };
    assert_int_equal(scrim_args_text(by_name, "data", "t"), SCRIM_OK);
    assert_int_equal(scrim_args_text(by_name, "keys", "sex"), SCRIM_OK);
    assert_int_equal(scrim_run(&host, "risk.k-anonymity", by_name, &other, &error), SCRIM_FAILED);
    answer = SCRIM_REFUSED;
    assert_int_equal(scrim_run(&host, "risk.k-anonymity", by_name, &other, &error), SCRIM_REFUSED);
    assert_null(other);
    scrim_args_free(by_name);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(nothing_is_empty),    cmocka_unit_test(needs_are_told),
                                        cmocka_unit_test(sizes_are_asked_for), cmocka_unit_test(arguments_of_two_kinds),
                                        cmocka_unit_test(jobs_out_of_order),   cmocka_unit_test(streams_that_lie),
                                        cmocka_unit_test(hosts_that_lie) };
    return cmocka_run_group_tests(tests, begin, end);
}
