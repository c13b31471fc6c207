/* Schemas: what a table read under one looks like, and that one cell never shows in the others. */
#include "table/schema.h"
#include "tables.h"

static const char clinic[] = "unit: add-remove\nperson: id\nmax-records: 3\ncolumns:\n"
                             "  age:    {type: integer, bounds: [0, 100], missing: possible}\n"
                             "  income: {type: real, bounds: [0, 1000], step: 250}\n"
                             "  sex:    {categories: [f, m]}\n"
                             "  region: {categories: [north, '1.5', other], missing: possible}\n";

static const Schema *parsed(Work *work, const char *text) {
    const Schema *schema = NULL;
    tables_ok(schema_parse(work, "test", text, strlen(text), &schema));
    return schema;
}

static void reads(void **state) {
    (void)state;
    Work work = tables_work(1);
    const Schema *s = parsed(&work, clinic);
    assert_int_equal(s->unit, SCHEMA_ADD_REMOVE);
    assert_string_equal(s->person, "id");
    assert_int_equal(s->max_records, 3);
    assert_int_equal(s->columns, 4);
    assert_true(schema_find(s, "age")->missing && !schema_find(s, "sex")->missing);
    assert_null(schema_find(s, "id"));
    assert_true(schema_middle(schema_find(s, "age")) == 50 && schema_middle(schema_find(s, "income")) == 500);
    assert_string_equal(s->hash, parsed(&work, clinic)->hash);
    assert_string_not_equal(s->hash, parsed(&work, "columns: {age: {type: integer, bounds: [0, 100]}}")->hash);
    arena_free(work.arena);
}

static void fits_every_cell(void **state) {
    (void)state;
    Work work = tables_work(1);
    Table *raw = table_of("id:category p q p r", "age:category 30.5 n.a. _999 -4", "income:real 300 NA 1e9 -1", "sex:category m x NA f",
                          "region:category 1.50 east NA north", "extra:integer 1 2 3 4", NULL),
          *seen = NULL;
    tables_ok(schema_apply(&work, parsed(&work, clinic), raw, &seen));
    assert_int_equal(seen->columns, 5); /* the schema's, and the person's */
    const Column *age = table_column(seen, "age"), *income = table_column(seen, "income"), *sex = table_column(seen, "sex"),
                 *region = table_column(seen, "region");
    assert_true(age->type == INTEGER_TYPE && column_integer(age, 0) == 30 && column_missing(age, 1) && column_integer(age, 2) == 100 &&
                column_integer(age, 3) == 0);
    assert_true(income->real[0] == 250 && income->real[1] == 500 && income->real[2] == 1000 && income->real[3] == 0);
    assert_true(sex->code[0] == 1 && sex->code[1] == 0 && sex->code[2] == 0 && sex->code[3] == 0 && !sex->missing);
    assert_true(region->code[0] == 1 && region->code[1] == 2 && column_missing(region, 2) && region->code[3] == 0);
    assert_int_equal(region->words->count, 3);
    table_release(seen);
    table_release(raw);
    arena_free(work.arena);
}

/* A labelled column has its labels as words; a schema may name its codes. */
static void labelled(void **state) {
    (void)state;
    Work work = tables_work(1);
    static const char *const schemas[] = { "columns: {sex: {categories: ['1', '2']}}", "columns: {sex: {categories: [male, female]}}",
                                           "columns: {sex: {categories: ['2', other]}}" };
    Table *raw = table_of("sex:category female male female male female", NULL), *seen = NULL;
    ColumnMetadata *about = metadata_new();
    Error error = ERROR_NONE;
    tables_ok(metadata_add_label(about, (CodeValue){ .value = 1 }, "male", &error));
    tables_ok(metadata_add_label(about, (CodeValue){ .value = 2 }, "female", &error));
    tables_ok(metadata_close(about, &error));
    raw->column[0]->about = about;
    for (size_t k = 0; k < sizeof schemas / sizeof *schemas; k++) {
        static const int32_t code[][5] = { { 1, 0, 1, 0, 1 }, { 1, 0, 1, 0, 1 }, { 0, 1, 0, 1, 0 } };
        tables_ok(schema_apply(&work, parsed(&work, schemas[k]), raw, &seen));
        for (int i = 0; i < 5; i++) assert_int_equal(table_column(seen, "sex")->code[i], code[k][i]);
        table_release(seen);
    }
    table_release(raw);
    arena_free(work.arena);
}

/* Whatever one cell makes of a column's type, the other cells are read alike. */
static void one_cell_changes_no_other(void **state) {
    (void)state;
    static const char *const ages[] = { "age:integer 30 7 41", "age:real 30 7.5 41",        "age:category 30 n.a. 41",
                                        "age:text 30 NA 41",   "age:category +30 007 41.0", "age:real 30 NA 41" };
    static const char *const regions[] = { "region:real 1.5 2 1.5", "region:category 1.5 x 1.50", "region:text 1.5 NA _1.5",
                                           "region:category 1.5 01 1.5e0" };
    Work work = tables_work(1);
    const Schema *s = parsed(
        &work,
        "columns:\n  age: {type: integer, bounds: [0, 100], missing: possible}\n  region: {categories: [a, '1.5'], missing: possible}\n");
    for (size_t i = 0; i < sizeof ages / sizeof *ages; i++)
        for (size_t j = 0; j < sizeof regions / sizeof *regions; j++) {
            Table *raw = table_of(ages[i], regions[j], NULL), *seen = NULL;
            tables_ok(schema_apply(&work, s, raw, &seen));
            assert_true(column_integer(seen->column[0], 0) == 30 && column_integer(seen->column[0], 2) == 41 &&
                        seen->column[0]->type == INTEGER_TYPE);
            assert_true(seen->column[1]->code[0] == 1 && seen->column[1]->code[2] == 1);
            table_release(seen);
            table_release(raw);
        }
    arena_free(work.arena);
}

static void person_is_a_word(void **state) {
    (void)state;
    static const char *const ids[] = { "id:integer 7 8 7", "id:real 7 8.5 7", "id:category 7 x 7.0", "id:text 7 NA _7" };
    Work work = tables_work(1);
    for (size_t i = 0; i < 4; i++) {
        Table *raw = table_of(ids[i], "x:integer 1 2 3", NULL), *seen = NULL;
        tables_ok(schema_apply(&work, parsed(&work, "{person: id, columns: {x: {type: integer, bounds: [0, 9]}}}"), raw, &seen));
        const Column *id = table_column(seen, "id");
        assert_true(id->code[0] == id->code[2] && (column_missing(id, 1) || id->code[0] != id->code[1]));
        table_release(seen);
        table_release(raw);
    }
    arena_free(work.arena);
}

static void bad(void **state) {
    (void)state;
    static const char *const texts[] = { "",
                                         "columns: {}",
                                         "columns: {x: {type: integer}}",
                                         "columns: {x: {type: integer, bounds: [5, 1]}}",
                                         "columns: {x: {type: integer, bounds: [0, 1.5]}}",
                                         "columns: {x: {type: date, bounds: [0, 1]}}",
                                         "columns: {x: {categories: []}}",
                                         "columns: {x: {categories: [a], bounds: [0, 1]}}",
                                         "max-records: 3\ncolumns: {x: {categories: [a]}}",
                                         "columns: {x: {type: real, bounds: [0, 1], step: 0}}",
                                         "columns: {x: {type: real, bounds: [0, 1], missing: perhaps}}",
                                         "colums: {x: {categories: [a]}}",
                                         "unit: both\ncolumns: {x: {categories: [a]}}",
                                         "columns: {x: {type: real, bounds: [0, nan]}}" };
    Work work = tables_work(1);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const Schema *s = NULL;
        assert_int_equal(schema_parse(&work, "test", texts[i], strlen(texts[i]), &s), BAD);
        tables_error = ERROR_NONE;
    }
    Table *raw = table_of("x:integer 1 2", NULL), *seen = NULL;
    assert_int_equal(schema_apply(&work, parsed(&work, "columns: {y: {type: integer, bounds: [0, 9]}}"), raw, &seen), BAD);
    tables_error = ERROR_NONE;
    assert_int_equal(schema_apply(&work, parsed(&work, "columns: {x: {categories: ['1', '1.0']}}"), raw, &seen), BAD);
    table_release(raw);
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(reads),
                                        cmocka_unit_test(fits_every_cell),
                                        cmocka_unit_test(labelled),
                                        cmocka_unit_test(one_cell_changes_no_other),
                                        cmocka_unit_test(person_is_a_word),
                                        cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
