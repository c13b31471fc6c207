/* drop, reorder, pseudonym and shift-dates: what they promise of every record. */
#include "methods.h"

static void dropped(void **state) {
    (void)state;
    table_from("data", "a,b,c\n1,2,3\n4,5,6\n");
    run_ok("protect drop data --vars b");
    assert_true(output()->columns == 2 && value("dropped") == 1 && !table_column(output(), "b"));
    assert_string_equal(cells_of(output_column("c")), "3 6");
    run_bad("protect drop data --vars z", "no column");
}

static void reordered(void **state) {
    (void)state;
    char text[4000] = "a,b\n";
    for (int i = 0; i < 200; i++) sprintf(text + strlen(text), "%d,%d\n", i, i * 7);
    Table *data = table_retain(table_from("data", text));
    run_ok_seeded(3, "protect reorder data");
    bool seen[200] = { false };
    int64_t moved = 0;
    for (int64_t i = 0; i < 200; i++) {
        int64_t a = column_integer(output_column("a"), i);
        assert_true(column_integer(output_column("b"), i) == a * 7 && !seen[a]);
        seen[a] = true;
        moved += a != i;
        assert_true(output()->origin[i] == a);
    }
    assert_true(moved > 180);
    shelve("released", table_retain(output()));
    run_ok("risk reidentification data released --keys a"); /* who is who is known by where each came from */
    assert_true(value("expected") == 200 && value("certain") == 200);
    table_release(data);
}

/* One for one within a form; equal values alike in all columns; form kept; another seed, other pseudonyms. */
static void pseudonyms(void **state) {
    (void)state;
    static char text[40000], first[40000];
    strcpy(text, "n,t\n");
    for (int i = 100; i < 1000; i++) sprintf(text + strlen(text), "%d,A%d-x\n", i, i);
    table_from("data", text);
    run_ok_seeded(1, "protect pseudonym data --vars n,t");
    bool seen[1000] = { false };
    const Column *n = output_column("n"), *t = output_column("t");
    char buffer[33];
    for (int64_t i = 0; i < 900; i++) {
        assert_true(column_integer(n, i) >= 100 && column_integer(n, i) <= 999 && !seen[column_integer(n, i)]);
        seen[column_integer(n, i)] = true;
        const char *cell = column_cell(t, i, buffer);
        assert_true(strlen(cell) == 6 && cell[0] >= 'A' && cell[0] <= 'Z' && cell[4] == '-' && cell[5] >= 'a' && cell[5] <= 'z');
    }
    strcpy(first, cells_of(n));
    run_ok_seeded(1, "protect pseudonym data --vars n");
    assert_string_equal(cells_of(output_column("n")), first);
    run_ok_seeded(2, "protect pseudonym data --vars n");
    assert_string_not_equal(cells_of(output_column("n")), first);
    table_from("data", "a,b\n12,012\n,12\n0,Zoë\n");
    run_ok_seeded(5, "protect pseudonym data --vars a,b");
    assert_true(column_missing(output_column("a"), 1) && column_integer(output_column("a"), 2) == 0);
    assert_string_equal(cells_of(output_column("a")), cells_of(output_column("a")));
    const char *twelve = column_cell(output_column("b"), 1, buffer);
    assert_true(atoll(twelve) == column_integer(output_column("a"), 0)); /* 12 is 12 in every column */
    assert_true(column_cell(output_column("b"), 0, buffer)[0] == '0');
    for (const char *c = column_cell(output_column("b"), 2, buffer); *c; c++) assert_true((unsigned char)*c < 0x80);
    table_from("data", "a\n1.5\n");
    run_bad("protect pseudonym data --vars a", "fraction");
}

static Column *dates(const char *name, const int32_t *days, int64_t rows) {
    Column *column;
    assert_int_equal(column_new(DATE_TYPE, name, rows, &column, &last_error), OK);
    for (int64_t i = 0; i < rows; i++) column->date[i] = days[i];
    return column;
}

static void shifted(void **state) {
    (void)state;
    const int32_t in[] = { 1000, 1010, 2000, 2005, 3000 }, out[] = { 1003, 1040, 2001, 2100, 3500 };
    Column *who, *columns[3] = { dates("in", in, 5), dates("out", out, 5), NULL };
    Table *table;
    const char *const names[] = { "a", "a", "b", "b", "c" };
    assert_int_equal(column_category("who", names, 5, &who, &last_error), OK);
    columns[2] = who;
    assert_int_equal(table_new("data", columns, 3, 5, &table, &last_error), OK);
    for (int i = 0; i < 3; i++) column_release(columns[i]);
    shelve("data", table);
    run_ok_seeded(9, "protect shift-dates data --vars in,out --subject who --days 50");
    const Column *a = output_column("in"), *b = output_column("out");
    for (int i = 0; i < 5; i++) {
        int32_t shift = a->date[i] - in[i];
        assert_true(shift && shift >= -50 && shift <= 50 && b->date[i] - out[i] == shift); /* intervals within a record */
        if (i == 1 || i == 3) assert_true(shift == a->date[i - 1] - in[i - 1]);            /* and of a subject */
    }
    assert_true(value("subjects") == 3);
    run_bad("protect shift-dates data --vars who", "not dates");
}

/* What HIPAA's policy once let pass: days as text, years of birth, notes. */
static void detail_in_other_forms(void **state) {
    (void)state;
    static char text[20000];
    strcpy(text, "admitted,seen,born,note\n");
    for (int i = 0; i < 60; i++)
        sprintf(text + strlen(text), "%02d/%02d/19%02d,20%02d-03-%02dT08:00,%d,patient number %d called about her mother\n", 1 + i % 28,
                1 + i % 12, 10 + i, 10 + i % 10, 1 + i % 28, 1920 + i * 90 / 59, i);
    table_from("data", text);
    run_ok("risk detail data --keys born");
    assert_true(value("dates") == 2 && value("free_text") == 1 && value("ages_above") == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(dropped), cmocka_unit_test(reordered), cmocka_unit_test(pseudonyms),
                                        cmocka_unit_test(shifted), cmocka_unit_test(detail_in_other_forms) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
