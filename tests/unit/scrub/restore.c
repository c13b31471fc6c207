/* scrub.restore: what scrub.text changed comes back byte for byte with the key file, and nothing comes back with another one. */
#include "methods.h"

static const char *const texts[] = {
    "Seen by Dr. Alan Whitfield on 03/14/2019. MRN 00482913, ZIP 02139.",
    "Überwiesen von Frau Jörg-Müller, geb. 14.07.1939, naïve “quotes” – Tel. 0176 44812093.",
    "No one is named here.",
    "",
    "Call (415) 555-0182 or write to r.h@example.com; Mrs O’Neill, 93 years old.",
};
enum { ROWS = sizeof texts / sizeof *texts };

static void original(void) {
    Column *columns[2];
    Table *table;
    static const char *const second[ROWS] = { "Dr. Alan Whitfield", NULL, "x", "on 2019-03-14", "" };
    assert_int_equal(column_text("note", texts, ROWS, &columns[0], &last_error), OK);
    assert_int_equal(column_text("letter", second, ROWS, &columns[1], &last_error), OK);
    assert_int_equal(table_new("data", columns, 2, ROWS, &table, &last_error), OK);
    column_release(columns[0]);
    column_release(columns[1]);
    shelve("data", table);
}

static void scrubbed(const char *options) {
    char command[256];
    original();
    snprintf(command, sizeof command, "scrub text data --columns note,letter --finds %s", options);
    run_ok(command);
    shelve("scrubbed", table_retain(last_result->output[0]));
    shelve("key", table_retain(last_result->output[1]));
}

static const char *cell_of(const Table *table, const char *name, int64_t row, char out[33]) {
    return column_cell(table_column(table, name), row, out);
}

static void comes_back(void **state) {
    (void)state;
    static const char *const ways[] = { "pseudo", "label", "mask", "hash", "remove", "generalise" };
    for (int w = 0; w < 6; w++) {
        char options[64], number[33];
        snprintf(options, sizeof options, "--replace %s", ways[w]);
        scrubbed(options);
        assert_null(strstr(cell_of(last_result->output[0], "note", 0, number), "Whitfield"));
        int64_t finds = last_result->output[1]->rows;
        run_ok("scrub restore scrubbed --key key");
        assert_int_equal((int64_t)value("restored"), finds);
        for (int64_t row = 0; row < ROWS; row++) assert_string_equal(cell_of(last_result->output[0], "note", row, number), texts[row]);
        assert_string_equal(cell_of(last_result->output[0], "letter", 0, number), "Dr. Alan Whitfield");
        assert_null(cell_of(last_result->output[0], "letter", 1, number));
        assert_string_equal(cell_of(last_result->output[0], "letter", 3, number), "on 2019-03-14");
    }
}

/* Another run's key file, or a table that was changed, restores nothing, and the error holds no text of the notes. */
static void nothing_without_the_key(void **state) {
    (void)state;
    scrubbed("--replace label");
    shelve("labels", table_retain(last_result->output[1]));
    scrubbed("--replace mask");
    run_bad("scrub restore scrubbed --key labels", "does not hold its replacements");
    assert_null(strstr(last_error.message, "Whitfield"));
    table_from("short", "note,letter\nSeen by Dr. [PERSON],x\n");
    run_bad("scrub restore short --key key", "a record that the table does not have");
    table_from("bare", "row,column,start\n0,note,3\n");
    run_bad("scrub restore scrubbed --key bare", "text");
    table_from("two", "row,column,start,end,text,replacement\n0,note,0,4,Seen,Seen\n0,note,2,5,en,en\n");
    run_bad("scrub restore scrubbed --key two", "overlaps");
    table_from("lost", "row,column,start,end,text,replacement\n0,note,0,9,Seen,Seen\n"); /* a text that is shorter than its place */
    run_bad("scrub restore scrubbed --key lost", "does not hold its replacements");
    table_from("far", "row,column,start,end,text,replacement\n0,note,900,901,S,S\n");
    run_bad("scrub restore scrubbed --key far", "does not hold its replacements");
    table_from("minus", "row,column,start,end,text,replacement\n0,note,-1,3,Seen,Seen\n");
    run_bad("scrub restore scrubbed --key minus", "a place that is none");
    table_from("other", "row,column,start,end,text,replacement\n0,nte,0,4,Seen,Seen\n");
    run_bad("scrub restore scrubbed --key other", "names a column");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(comes_back), cmocka_unit_test(nothing_without_the_key) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
