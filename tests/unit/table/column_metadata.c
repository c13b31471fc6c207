/* What a file says of a column: labels, words, reasons; and what is left of it in copies, blanked columns and results. */
#include "table/expr.h"
#include "tables.h"

static CodeValue number(double value) { return (CodeValue){ .value = value }; }

/* 1 "male", 2 "female", 8 "other", 9 "other"; values from 97 to 99 and the letter b mean missing. */
static ColumnMetadata *sexes(void) {
    ColumnMetadata *about = metadata_new();
    assert_non_null(about);
    tables_ok(metadata_add_label(about, number(9), "other", &tables_error));
    tables_ok(metadata_add_label(about, number(2), "female", &tables_error));
    tables_ok(metadata_add_label(about, number(1), "male", &tables_error));
    tables_ok(metadata_add_label(about, number(8), "other", &tables_error));
    tables_ok(metadata_add_label(about, number(1), "man", &tables_error));
    tables_ok(metadata_add_range(about, (MissingRange){ number(97), number(99) }, &tables_error));
    tables_ok(metadata_set(&about->label, "Sex of the person", &tables_error));
    tables_ok(metadata_close(about, &tables_error));
    return about;
}

static void labels_are_found(void **state) {
    (void)state;
    ColumnMetadata *about = sexes();
    assert_int_equal(about->labels, 4);
    assert_string_equal(metadata_label(about, number(2))->word, "female");
    assert_string_equal(metadata_label(about, number(8))->word, "other (8)"); /* two values share a label: they stay two categories */
    assert_string_equal(metadata_label(about, number(1))->label, "male");     /* the first of two labels of one value */
    assert_null(metadata_label(about, number(3)));
    assert_true(metadata_word(about, "other (9)")->of.value == 9);
    assert_null(metadata_word(about, "other"));
    assert_true(metadata_is_missing(about, number(97)) && metadata_is_missing(about, number(98.5)) &&
                !metadata_is_missing(about, number(96)));
    assert_false(metadata_is_missing(about, (CodeValue){ .text = "98" }));
    uint16_t a, b, c;
    tables_ok(metadata_reason(about, number(98), &a, &tables_error));
    tables_ok(metadata_reason(about, (CodeValue){ .letter = 'b' }, &b, &tables_error));
    tables_ok(metadata_reason(about, number(98), &c, &tables_error));
    assert_true(a == MISSING_CODE_FIRST && b == MISSING_CODE_FIRST + 1 && c == a);
    metadata_release(about);
    metadata_release(NULL);
}

static Column *labelled(void) {
    Column *column = column_of("sex:category male female NA male");
    column->about = sexes();
    tables_ok(column_need_reason(column, &tables_error));
    tables_ok(metadata_reason(column->about, number(98), &column->reason[2], &tables_error));
    return column;
}

static void copies_keep_it(void **state) {
    (void)state;
    Column *column = labelled(), *copy, *taken, *blank;
    tables_ok(column_copy(column, &copy, &tables_error));
    assert_true(copy->about == column->about && copy->reason[2] == MISSING_CODE_FIRST);
    tables_ok(column_take(column, (int64_t[]){ 2, -1, 1 }, 3, &taken, &tables_error));
    assert_true(taken->missing == 2 && taken->reason[0] == MISSING_CODE_FIRST && taken->reason[1] == MISSING_CODE_NONE);
    tables_ok(column_blank(column, (uint8_t[]){ 1, 0, 1, 0 }, &blank, &tables_error));
    assert_true(blank->missing == 2 && blank->reason[0] == MISSING_SUPPRESSED && blank->reason[2] == MISSING_SUPPRESSED);
    assert_int_equal(column_suppressed(blank), 2);
    assert_int_equal(column_suppressed(column), 0);
    column_release(copy);
    column_release(taken);
    column_release(blank);
    column_release(column);
}

/* What a method made of a column keeps its labels; a cell that it blanked is told apart from one that was missing. */
static void results_inherit(void **state) {
    (void)state;
    Column *old = labelled(), *new = column_of("sex:category NA female NA male"), *moved = column_of("sex:category NA female NA male"),
           *drawn;
    tables_ok(column_inherit(new, old, ROWS_SAME, &tables_error));
    assert_true(new->about == old->about &&new->reason[0] == MISSING_SUPPRESSED &&new->reason[2] == MISSING_CODE_FIRST);
    tables_ok(column_inherit(moved, old, ROWS_OTHER, &tables_error));
    assert_true(moved->about == old->about && !moved->reason);
    tables_ok(column_inherit(moved, old, ROWS_PERTURBED, &tables_error)); /* another cell is missing */
    assert_true(!moved->reason);
    tables_ok(column_take(old, (int64_t[]){ 0, 1, -1, 0 }, 4, &drawn, &tables_error));
    tables_ok(column_inherit(drawn, old, ROWS_PERTURBED, &tables_error));
    assert_true(drawn->missing == 1 && drawn->reason[2] == MISSING_CODE_FIRST);
    column_release(drawn);
    column_release(old);
    column_release(new);
    column_release(moved);
}

static void codes_are_numbers(void **state) {
    (void)state;
    Column *column = labelled(), *numbers, *none;
    tables_ok(column_as_numbers(column, &numbers, &tables_error));
    assert_int_equal(numbers->type, INTEGER_TYPE);
    assert_true(column_integer(numbers, 0) == 1 && column_integer(numbers, 1) == 2 && column_missing(numbers, 2) &&
                numbers->reason[2] == MISSING_CODE_FIRST);
    Column *plain = column_of("sex:category male");
    tables_ok(column_as_numbers(plain, &none, &tables_error));
    assert_null(none);
    assert_string_equal(column_word(column, "2"), "female");
    assert_string_equal(column_word(column, "male"), "male");
    assert_string_equal(column_word(column, "7"), "7");
    column_release(column);
    column_release(numbers);
    column_release(plain);
}

/* Where a condition names the code, the label is meant. */
static void conditions_take_codes(void **state) {
    (void)state;
    static const char *const texts[] = { "sex == 1", "sex == \"1\"", "sex == \"male\"", "sex %in% c(1)", "1 == sex" };
    Column *column = labelled();
    Table *table = table_from(&column, 1);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Work work = tables_work(1);
        const Expr *expr;
        uint8_t *mask = NULL;
        int64_t count = 0;
        tables_ok(expr_parse(&work, table, texts[i], &expr));
        tables_ok(expr_mask(&work, expr, table, &mask, &count));
        assert_true(count == 2 && mask[0] && mask[3]);
        arena_free(work.arena);
    }
    table_release(table);
}

static void moments(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t micros;
    } known[] = { { "1970-01-01T00:00:00", 0 },
                  { "2000-01-01T12:30:15.25", 946729815250000 },
                  { "1582-10-14T00:00:00", -12219379200000000 },
                  { "1899-12-31T23:59:59.999999", -2208988800000001 } };
    char out[33];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int64_t micros;
        assert_true(read_datetime(known[i].text, known[i].text + strlen(known[i].text), &micros));
        assert_int_equal(micros, known[i].micros);
        out[write_datetime(micros, out)] = 0;
        assert_string_equal(out, known[i].text);
    }
    static const char *const bad[] = { "",
                                       "2000-01-01",
                                       "2000-01-01T",
                                       "2000-01-01T25:00:00",
                                       "2000-01-01T10:60:00",
                                       "2000-02-30T10:00:00",
                                       "2000-01-01T10:00:00.",
                                       "2000-01-01T10:00:0x",
                                       "2000-01-01T1:00:00" };
    int64_t micros;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(read_datetime(bad[i], bad[i] + strlen(bad[i]), &micros));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(labels_are_found),      cmocka_unit_test(copies_keep_it),
                                        cmocka_unit_test(results_inherit),       cmocka_unit_test(codes_are_numbers),
                                        cmocka_unit_test(conditions_take_codes), cmocka_unit_test(moments) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
