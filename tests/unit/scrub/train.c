/* scrub.train: what no detector knows is learnt from marked notes, the model works in scrub.text, and bad marks are told. */
#include "methods.h"

static const char *const nicks[] = { "quillo", "brack", "zunder", "mopsel", "tarvin", "plonk", "gribble", "fennoch", "dorrit", "wixel" };

/* `count` notes that hand something over to a nickname in small letters, marked; no list has these. */
static void handovers(const char *notes, const char *marks, int from, int count) {
    static char text[1 << 16], places[1 << 16];
    size_t n = (size_t)sprintf(text, "note\n"), m = (size_t)sprintf(places, "row,start,end,kind\n");
    for (int i = 0; i < count; i++) {
        char word[32];
        snprintf(word, sizeof word, "%s%c", nicks[(from + i) % 10], 'a' + (from + i) / 10 % 26);
        static const char *const heads[] = { "the keys were handed over to ", "bed 4 was handed over to ", "all quiet; handed over to " };
        const char *head = heads[i % 3];
        n += (size_t)sprintf(text + n, "%s%s before lunch and the ward was calm\n", head, word);
        m += (size_t)sprintf(places + m, "%d,%zu,%zu,NICK\n", i, strlen(head), strlen(head) + strlen(word));
    }
    table_from(notes, text);
    table_from(marks, places);
}

static void learns(void **state) {
    (void)state;
    handovers("notes", "marks", 0, 80);
    run_ok("scrub train --notes notes --marked marks");
    assert_int_equal((int)value("notes"), 80);
    assert_int_equal((int)value("held_notes"), 20);
    assert_true(value("recall_before") < 0.1);
    assert_true(value("recall_whole") > 0.9);
    assert_true(value("recall_whole_low") < value("recall_whole") && value("recall_whole") <= value("recall_whole_high"));
    assert_true(value("enough") == 0); /* of 20 marks no one can say 0.98 */
    shelve("model", last_result->output[0]);
    table_retain(last_result->output[0]);
    handovers("others", "places", 137, 30);
    run_ok("scrub text others --columns note --replace label");
    assert_non_null(strstr(column_cell(table_column(last_result->output[0], "note"), 0, (char[33]){ 0 }), "fennoch"));
    run_ok("scrub text others --columns note --replace label --model model");
    int64_t gone = 0, other = 0;
    for (int64_t row = 0; row < 30; row++) {
        const char *text = column_cell(table_column(last_result->output[0], "note"), row, (char[33]){ 0 });
        gone += strstr(text, "to [ID] before") != NULL;
        other += strstr(text, " and the ward was calm") == NULL;
    }
    assert_true(gone >= 27 && other == 0);
    run_ok("scrub train --notes notes --marked marks --model model --epochs 1"); /* further */
    assert_true(value("recall_before") > 0.9);
}

/* The same notes and marks give the same model. */
static void repeats(void **state) {
    (void)state;
    handovers("notes", "marks", 0, 24);
    run_ok("scrub train --notes notes --marked marks --epochs 2");
    Table *first = table_retain(last_result->output[0]);
    run_ok("scrub train --notes notes --marked marks --epochs 2");
    const Table *second = last_result->output[0];
    assert_int_equal(first->rows, second->rows);
    for (int64_t c = 0; c < first->columns; c++)
        for (int64_t i = 0; i < first->rows; i++)
            assert_int_equal(column_integer(first->column[c], i), column_integer(second->column[c], i));
    table_release(first);
}

static void kinds(void **state) {
    (void)state;
    table_from("notes", "note\nDr. Alan Whitfield called 415-555-0182.\nDr. Rose Whitfield came.\n");
    table_from("marks", "row,start,end,kind\n0,4,18,STAFF\n0,26,38,TEL\n1,4,18,STAFF\n");
    run_ok("scrub train --notes notes --marked marks --holdout 0 --epochs 1");
    const Table *table = result_find_table(last_result, "kinds");
    char cell[33];
    assert_string_equal(column_cell(table_column(table, "as"), 0, cell), "PERSON"); /* by what is found there */
    assert_string_equal(column_cell(table_column(table, "as"), 1, cell), "PHONE");
    assert_int_equal(result_find(last_result, "recall_whole")->kind, VALUE_NULL);
    table_from("map", "kind,as\nSTAFF,ORGANISATION\nTEL,\n");
    run_ok("scrub train --notes notes --marked marks --map map --holdout 0 --epochs 1");
    assert_string_equal(column_cell(table_column(result_find_table(last_result, "kinds"), "as"), 0, cell), "ORGANISATION");
    assert_int_equal((int)value("marks"), 2);
    table_from("map", "kind,as\nSTAFF,NOBODY\n");
    run_bad("scrub train --notes notes --marked marks --map map", "map");
}

static void bad_input(void **state) {
    (void)state;
    table_from("notes", "note\nshort\n");
    table_from("marks", "row,start,end,kind\n0,2,9,X\n");
    run_bad("scrub train --notes notes --marked marks", "row 1 is no place");
    table_from("marks", "row,start,end,kind\n3,0,2,X\n");
    run_bad("scrub train --notes notes --marked marks", "no note");
    table_from("marks", "row,start,end,kind\n0,3,3,X\n");
    run_bad("scrub train --notes notes --marked marks", "no place");
    table_from("model", "bucket,other\n1,2\n");
    run_bad("scrub text notes --columns note --model model", "no model");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(learns), cmocka_unit_test(repeats), cmocka_unit_test(kinds),
                                        cmocka_unit_test(bad_input) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
