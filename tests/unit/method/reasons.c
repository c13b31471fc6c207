/* Reasons for missing values: where a file shows them they are values to an intruder, and a release shows none of a key, nor of a column
 * with blanked cells. */
#include <unistd.h>
#include "methods.h"

/* Eight people; where age or region is missing, a file gives 98 or 99 for it. */
static const char people[] = "age,region,sex,income\n30,n,f,1\n30,n,f,2\n30,n,m,3\n30,s,m,4\n,s,f,5\n,s,f,6\n30,s,f,\n30,s,f,\n";

static void give_reasons(Column *column, int first, int second) {
    int seen = 0;
    assert_non_null(column->about = metadata_new());
    assert_int_equal(metadata_add_range(column->about, (MissingRange){ { .value = 98 }, { .value = 99 } }, &last_error), OK);
    assert_int_equal(column_need_reason(column, &last_error), OK);
    for (int64_t i = 0; i < column->rows; i++)
        if (column_missing(column, i))
            assert_int_equal(
                metadata_reason(column->about, (CodeValue){ .value = seen++ ? second : first }, &column->reason[i], &last_error), OK);
}

static Table *survey(int first, int second) {
    Table *table = table_from("data", people);
    give_reasons(table->column[0], first, second);
    give_reasons(table->column[3], 98, 99);
    return table;
}

/* As a .sav file gives it back. */
static const Table *written(const Table *table) {
    char name[] = "/tmp/scrim-reasons-XXXXXX.sav";
    static Table *back;
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    int file = mkstemps(name, 4);
    assert_true(file >= 0);
    close(file);
    table_release(back);
    back = NULL;
    assert_int_equal(table_save(&work, table, name, NULL), OK);
    assert_int_equal(table_open(&work, name, NULL, &back), OK);
    unlink(name);
    arena_free(work.arena);
    return back;
}

static void category_counts_what_a_file_shows(void **state) {
    (void)state;
    survey(98, 99);
    run_ok("risk k-anonymity data --keys age --missing category"); /* 98 and 99 are one person each */
    assert_true(value("k") == 1 && value("classes") == 3);
    run_ok("risk k-anonymity data --keys age"); /* as an original counts unless told otherwise */
    assert_true(value("k") == 1);
    run_ok("risk k-anonymity data --keys age --missing wildcard");
    assert_true(value("k") == 1 && value("k_sdcmicro") == 8);
    run_ok("risk suda data --keys age,sex --missing category");
    assert_true(value("records") == 2);
    survey(99, 99);
    run_ok("risk k-anonymity data --keys age --missing category"); /* both say the same */
    assert_true(value("k") == 2 && value("classes") == 2);
}

static void population_gives_reasons_too(void **state) {
    (void)state;
    Table *population = table_from("everyone", people);
    give_reasons(population->column[0], 99, 99);
    survey(98, 99);
    run_ok("risk presence data --keys age --population everyone --missing category");
    assert_true(value("delta_max") == 1);
    assert_true(value("delta_min") == 0.5); /* one 99 in the sample of two */
}

static void keys_are_released_without(void **state) {
    (void)state;
    const Table *input = survey(98, 99);
    assert_true(column_tells_reasons(written(input)->column[0]));
    run_ok("protect suppress data --keys age,region --k 2");
    assert_false(column_gives_reasons(output_column("age")));
    assert_true(column_gives_reasons(output_column("income"))); /* no key, and nothing of it blanked */
    assert_true(noted("why a value is missing in: age."));
    assert_true(column_gives_reasons(input->column[0]));
    const Table *file = written(output());
    assert_false(column_gives_reasons(file->column[0]));
    assert_true(column_tells_reasons(file->column[3]));
    shelve("out", table_retain(output()));
    run_ok("risk k-anonymity out --keys age --missing category");
    assert_true(value("k") == 2);
}

/* Whatever blanked them: of a column with a blanked cell the file tells no missing cell from another. */
static void blanked_cells_are_like_others(void **state) {
    (void)state;
    const Table *input = survey(98, 98);
    Column *blank;
    Table *table;
    assert_int_equal(column_blank(input->column[0], (uint8_t[]){ 1, 0, 0, 0, 0, 0, 0, 0 }, &blank, &last_error), OK);
    assert_int_equal(table_with(input, &blank, 1, &table, &last_error), OK);
    column_release(blank);
    assert_true(column_gives_reasons(table->column[0]) && !column_tells_reasons(table->column[0]));
    const Table *file = written(table);
    assert_int_equal(file->column[0]->missing, 3);
    assert_false(column_gives_reasons(file->column[0]));
    assert_true(column_tells_reasons(file->column[3]));
    shelve("blanked", table);
    run_ok("risk k-anonymity blanked --keys age --missing category");
    assert_true(value("k") == 3 && value("classes") == 2);
    run_ok("protect round blanked --vars income --base 2");
    assert_false(column_gives_reasons(output_column("age")));
    assert_int_equal(column_suppressed(output_column("age")), 1); /* for the manifest */
    assert_true(noted("why a value is missing in: age."));
}

/* Records that are put in another order take their reasons along: what the input says of a row is not what it says of the record there. */
static void reasons_go_with_their_records(void **state) {
    (void)state;
    const Table *input = survey(98, 99);
    int moved = 0;
    for (int seed = 1; seed <= 20; seed++) {
        run_ok_seeded((uint64_t)seed, "protect reorder data");
        const Column *income = output_column("income"), *before = input->column[3];
        assert_int_equal(income->missing, 2);
        for (int64_t i = 0; i < income->rows; i++) {
            const int64_t from = output()->origin[i];
            assert_int_equal(column_missing(income, i), column_missing(before, from));
            if (!column_missing(income, i)) continue;
            assert_non_null(income->reason);
            assert_int_equal(income->reason[i], before->reason[from]);
            moved += i != from;
        }
    }
    assert_true(moved > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(category_counts_what_a_file_shows), cmocka_unit_test(population_gives_reasons_too),
                                        cmocka_unit_test(keys_are_released_without), cmocka_unit_test(blanked_cells_are_like_others),
                                        cmocka_unit_test(reasons_go_with_their_records) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
