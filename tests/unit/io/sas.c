/* SAS data and catalogues, which scrim only reads: written here by ReadStat itself. */
#include <fcntl.h>
#include <math.h>
#include <readstat.h>
#include <sys/stat.h>
#include <unistd.h>
#include "files.h"

static ssize_t put_bytes(const void *data, size_t length, void *self) { return write(*(int *)self, data, length); }

static readstat_writer_t *begin(const char *name, int *file) {
    *file = open(path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(*file >= 0);
    readstat_writer_t *writer = readstat_writer_init();
    assert_non_null(writer);
    assert_int_equal(readstat_set_data_writer(writer, put_bytes), READSTAT_OK);
    return writer;
}

static void end(readstat_writer_t *writer, int file) {
    assert_int_equal(readstat_end_writing(writer), READSTAT_OK);
    readstat_writer_free(writer);
    close(file);
}

/* Three records: sex 1, 2 and missing; income; a word. */
static void write_data(const char *name, readstat_compress_t packed) {
    static const double sex[] = { 1, 2, NAN }, income[] = { 1500.25, NAN, -3 };
    static const char *const town[] = { "Wien", "", "Graz" };
    int file;
    readstat_writer_t *writer = begin(name, &file);
    assert_int_equal(readstat_writer_set_compression(writer, packed), READSTAT_OK);
    readstat_variable_t *a = readstat_add_variable(writer, "SEX", READSTAT_TYPE_DOUBLE, 8),
                        *b = readstat_add_variable(writer, "INCOME", READSTAT_TYPE_DOUBLE, 8),
                        *c = readstat_add_variable(writer, "TOWN", READSTAT_TYPE_STRING, 12);
    readstat_variable_set_format(a, "SEXF");
    readstat_variable_set_label(b, "Income in euros");
    assert_int_equal(readstat_begin_writing_sas7bdat(writer, &file, 3), READSTAT_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(readstat_begin_row(writer), READSTAT_OK);
        assert_int_equal(isnan(sex[i]) ? readstat_insert_missing_value(writer, a) : readstat_insert_double_value(writer, a, sex[i]),
                         READSTAT_OK);
        assert_int_equal(isnan(income[i]) ? readstat_insert_missing_value(writer, b) : readstat_insert_double_value(writer, b, income[i]),
                         READSTAT_OK);
        assert_int_equal(readstat_insert_string_value(writer, c, town[i]), READSTAT_OK);
        assert_int_equal(readstat_end_row(writer), READSTAT_OK);
    }
    end(writer, file);
}

static void write_catalogue(const char *name, const char *first) {
    int file;
    readstat_writer_t *writer = begin(name, &file);
    readstat_label_set_t *set = readstat_add_label_set(writer, READSTAT_TYPE_DOUBLE, "SEXF");
    readstat_label_double_value(set, 1, first);
    readstat_label_double_value(set, 2, "female");
    assert_int_equal(readstat_begin_writing_sas7bcat(writer, &file), READSTAT_OK);
    end(writer, file);
}

static void assert_column(const Table *table, int64_t index, const char *text) {
    Column *expected = column_of(text);
    if (!column_equal(table->column[index], expected)) fail_msg("%s is not %s", table->column[index]->name, text);
    column_release(expected);
}

static void reads(const char *sex) {
    Work work = tables_work(1);
    Table *table = NULL;
    tables_ok(table_open(&work, path("d.sas7bdat"), NULL, &table));
    assert_int_equal(table->columns, 3);
    assert_column(table, 0, sex);
    assert_column(table, 1, "INCOME:real 1500.25 NA -3");
    assert_column(table, 2, "TOWN:category Wien NA Graz");
    assert_string_equal(table->column[1]->about->label, "Income in euros");
    table_release(table);
    arena_free(work.arena);
}

static void data_without_a_catalogue(void **state) {
    (void)state;
    write_data("d.sas7bdat", READSTAT_COMPRESS_NONE);
    reads("SEX:integer 1 2 NA");
    write_data("d.sas7bdat", READSTAT_COMPRESS_ROWS);
    reads("SEX:integer 1 2 NA");
}

static void labels_from_a_catalogue(void **state) {
    (void)state;
    write_data("d.sas7bdat", READSTAT_COMPRESS_NONE);
    write_catalogue("formats.sas7bcat", "male");
    reads("SEX:category male female NA");
    unlink(path("formats.sas7bcat"));
    write_catalogue("d.sas7bcat", "man");
    reads("SEX:category man female NA");
    unlink(path("d.sas7bcat"));
}

/* Labels are not worth losing the data for. */
static void a_broken_catalogue_is_passed_over(void **state) {
    (void)state;
    write_data("d.sas7bdat", READSTAT_COMPRESS_NONE);
    write_catalogue("d.sas7bcat", "male");
    assert_int_equal(truncate(path("d.sas7bcat"), 700), 0);
    reads("SEX:integer 1 2 NA");
    assert_int_equal(truncate(path("d.sas7bcat"), 0), 0);
    reads("SEX:integer 1 2 NA");
}

static void cut_data_are_an_error(void **state) {
    (void)state;
    Work work = tables_work(1);
    Table *table = NULL;
    write_data("d.sas7bdat", READSTAT_COMPRESS_NONE);
    struct stat about;
    assert_int_equal(stat(path("d.sas7bdat"), &about), 0);
    for (long length = 0; length < about.st_size; length += 999) {
        assert_int_equal(truncate(path("d.sas7bdat"), length), 0);
        assert_int_not_equal(table_open(&work, path("d.sas7bdat"), NULL, &table), OK);
        write_data("d.sas7bdat", READSTAT_COMPRESS_NONE);
    }
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(data_without_a_catalogue), cmocka_unit_test(labels_from_a_catalogue),
                                        cmocka_unit_test(a_broken_catalogue_is_passed_over), cmocka_unit_test(cut_data_are_an_error) };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
