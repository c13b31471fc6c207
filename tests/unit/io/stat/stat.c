/* SPSS, Stata and SAS files: what goes in comes out, labels and reasons with it; what is broken is an error with the file's name.
 * tests/peers/haven.R holds them against haven. */
#include <math.h>
#include <unistd.h>
#include "base/file.h"
#include "files.h"
#include "io/format.h"
#include "io/stat/stat.h"

static Table *again(const Table *table, const char *name, bool codes) {
    Work work = tables_work(1);
    Table *out = NULL;
    CsvOptions options = { .codes = codes };
    tables_ok(table_save(&work, table, path(name), NULL));
    tables_ok(table_open(&work, path(name), &options, &out));
    arena_free(work.arena);
    return out;
}

static void assert_lost(const Table *table, const char *name, const char *sentence, bool said) {
    Work work = tables_work(1);
    Buffer lost = { 0 };
    tables_ok(format_losses(&work, table, name, &lost));
    if ((strstr(buffer_get(&lost), sentence) != NULL) != said) fail_msg("%s: %s", name, buffer_get(&lost));
    buffer_free(&lost);
    arena_free(work.arena);
}

static Table *mixed(void) {
    Column *columns[] = { column_of("n:integer 3 -7 NA 2147483647"), column_of("x:real 1.5 NA -2.25 1000000"),
                          column_of("word:category a NA long_word a"), column_of("born:date 1790-02-03 2024-02-29 NA 1899-12-31"),
                          moments_of("seen") };
    return table_from(columns, 5);
}

static void all_formats_hold_a_table(void **state) {
    (void)state;
    static const char *const names[] = { "a.sav", "a.zsav", "a.dta", "a.xpt", "a.por", "A.SAV" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Table *table = mixed(), *back = again(table, names[i], false);
        assert_int_equal(back->columns, 5);
        for (int64_t j = 0; j < 5; j++)
            if (!column_equal(table->column[j], back->column[j])) fail_msg("%s: column %s differs", names[i], table->column[j]->name);
        table_release(table);
        table_release(back);
    }
}

static Column *labelled(void) {
    Column *column = column_of("sex:category male female NA male");
    ColumnMetadata *about = column->about = metadata_new();
    tables_ok(metadata_add_label(about, (CodeValue){ .value = 1 }, "male", &tables_error));
    tables_ok(metadata_add_label(about, (CodeValue){ .value = 2 }, "female", &tables_error));
    tables_ok(metadata_add_label(about, (CodeValue){ .value = 98 }, "refused", &tables_error));
    tables_ok(metadata_add_range(about, (MissingRange){ { .value = 97 }, { .value = 99 } }, &tables_error));
    tables_ok(metadata_set(&about->label, "Sex of the person", &tables_error));
    about->measure = MEASURE_NOMINAL;
    about->display = 13;
    tables_ok(metadata_close(about, &tables_error));
    tables_ok(column_need_reason(column, &tables_error));
    tables_ok(metadata_reason(about, (CodeValue){ .value = 98 }, &column->reason[2], &tables_error));
    return column;
}

static void labels_and_reasons_survive(void **state) {
    (void)state;
    Column *column = labelled();
    Table *table = table_from(&column, 1), *sav = again(table, "l.sav", false), *dta = again(sav, "l.dta", false),
          *codes = again(sav, "l.sav", true), *back = again(dta, "l2.sav", false);
    const Column *a = sav->column[0], *b = dta->column[0], *c = codes->column[0], *d = back->column[0];
    assert_true(column_equal(table->column[0], a) && column_equal(a, b) && column_equal(a, d));
    assert_string_equal(a->about->label, "Sex of the person");
    assert_string_equal(b->about->label, "Sex of the person");
    assert_int_equal(a->about->measure, MEASURE_NOMINAL);
    assert_int_equal(a->about->display, 13);
    assert_true(a->about->ranges == 1 && a->about->range[0].low.value == 97 && a->about->range[0].high.value == 99);
    assert_true(a->reason[2] == MISSING_CODE_FIRST && a->about->missing_of[0].value == 98);
    assert_true(b->reason[2] == MISSING_CODE_FIRST && b->about->missing_of[0].letter == 'a'); /* Stata says it by a letter … */
    assert_string_equal(metadata_label(b->about, (CodeValue){ .letter = 'a' })->label, "refused");
    assert_true(d->about->missing_of[0].value == -101); /* … and SPSS again by a number, below all others */
    assert_true(c->type == INTEGER_TYPE && column_integer(c, 0) == 1 && column_integer(c, 1) == 2);
    table_release(table);
    table_release(sav);
    table_release(dta);
    table_release(codes);
    table_release(back);
}

/* What the file says of itself, and SPSS's weights; a label too long is cut between characters. */
static void file_label_and_weight(void **state) {
    (void)state;
    Column *columns[] = { column_of("n:integer 3 -7 NA 2"), column_of("w:real 1.5 2 2.25 1") };
    columns[1]->about = metadata_new();
    columns[1]->about->weights = true;
    Table *table = table_from(columns, 2), *kept;
    table->label = strdup("Survey of the town, 2024; 1 of 3, as sent; the label of a file.éé");
    Table *sav = again(table, "w.sav", false), *dta = again(sav, "w.dta", false), *none = again(dta, "w.xpt", false);
    assert_string_equal(sav->label, "Survey of the town, 2024; 1 of 3, as sent; the label of a file.");
    assert_string_equal(dta->label, sav->label);
    assert_null(none->label);
    assert_true(sav->column[1]->about->weights && !sav->column[0]->about->weights);
    tables_ok(table_take(sav, (int64_t[]){ 1, 2 }, 2, &kept, &tables_error));
    Table *back = again(kept, "w2.zsav", false);
    assert_true(back->label && !strcmp(back->label, sav->label) && back->column[1]->about->weights);
    Table *all[] = { table, sav, dta, none, kept, back };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) table_release(all[i]);
}

/* A blanked cell is missing as the file has it, and nothing says that it was blanked. */
static void suppressed_is_plainly_missing(void **state) {
    (void)state;
    Column *column = labelled(), *blank;
    tables_ok(column_blank(column, (uint8_t[]){ 1, 0, 1, 0 }, &blank, &tables_error));
    column_release(column);
    Table *table = table_from(&blank, 1), *sav = again(table, "s.sav", false), *dta = again(table, "s.dta", false);
    for (int i = 0; i < 2; i++) {
        const Column *back = (i ? dta : sav)->column[0];
        assert_int_equal(back->missing, 2);
        assert_true(!back->reason || (!back->reason[0] && !back->reason[2]));
        assert_int_equal(back->about->labels, 3);
    }
    table_release(table);
    table_release(sav);
    table_release(dta);
}

/* Words that no label has get codes after the largest. */
static void new_words_get_codes(void **state) {
    (void)state;
    Column *old = labelled(), *column = column_of("sex:category male other NA any");
    column->about = metadata_retain(old->about);
    column_release(old);
    Table *table = table_from(&column, 1), *back = again(table, "n.sav", true), *words = again(table, "n.dta", false);
    int64_t code[4];
    for (int i = 0; i < 4; i++) code[i] = column_integer(back->column[0], i);
    assert_true(code[0] == 1 && code[1] > 2 && code[3] > 2 && code[1] != code[3] && code[1] != 98);
    assert_true(column_equal(table->column[0], words->column[0]));
    Column *all = column_of("sex:category x y NA x"); /* nothing but new words: what missing values are called stays */
    all->about = metadata_retain(table->column[0]->about);
    Table *new = table_from(&all, 1), *again_new = again(new, "all.sav", false);
    assert_true(column_equal(new->column[0], again_new->column[0]));
    assert_string_equal(metadata_label(again_new->column[0]->about, (CodeValue){ .value = 98 })->label, "refused");
    assert_true(metadata_label(again_new->column[0]->about, (CodeValue){ .value = 1 })->label[0] == 'x');
    table_release(new);
    table_release(again_new);
    table_release(table);
    table_release(back);
    table_release(words);
}

static void names_are_fitted(void **state) {
    (void)state;
    Column *columns[] = { column_of("a:integer 1"), column_of("x:integer 2"), column_of("x:integer 3"),
                          column_of("x:integer 4"), column_of("x:integer 5"), column_of("x:integer 6") };
    const char *wanted[] = { "a", "A b", "2nd", "with", "a very long name that no one would ever type and that goes on and on", "Größe" };
    for (int i = 0; i < 6; i++) {
        free(columns[i]->name);
        columns[i]->name = strdup(wanted[i]);
    }
    Table *table = table_from(columns, 6);
    static const char *const files[] = { "w.sav", "w.dta", "w.xpt", "w.por" };
    for (int i = 0; i < 4; i++) {
        Table *back = again(table, files[i], false);
        for (int64_t j = 0; j < 6; j++) assert_int_equal(column_integer(back->column[j], 0), j < 1 ? 1 : j + 1);
        if (i == 0) assert_string_equal(back->column[5]->name, "Größe");
        table_release(back);
    }
    assert_lost(table, "w.dta", "'A b' is named A_b there", true);
    table_release(table);
}

static Column *labelled_texts(void) {
    Column *column = column_of("q:category yes no NA yes");
    ColumnMetadata *about = column->about = metadata_new();
    static const char *const codes[] = { "a", "b", "XX" }, *const labels[] = { "yes", "no", "gone" };
    for (int i = 0; i < 3; i++) tables_ok(metadata_add_label(about, (CodeValue){ .text = codes[i] }, labels[i], &tables_error));
    tables_ok(metadata_add_range(about, (MissingRange){ { .text = "XX" }, { .text = "XX" } }, &tables_error));
    tables_ok(metadata_close(about, &tables_error));
    tables_ok(column_need_reason(column, &tables_error));
    tables_ok(metadata_reason(about, (CodeValue){ .text = "XX" }, &column->reason[2], &tables_error));
    return column;
}

/* Neither Stata nor SAS has labels of texts, or letters for texts that mean missing: the texts stay, what was missing stays so, and both
 * are said. */
static void labelled_texts_elsewhere(void **state) {
    (void)state;
    Column *column = labelled_texts();
    Table *table = table_from(&column, 1), *sav = again(table, "t.sav", false);
    assert_true(column_equal(table->column[0], sav->column[0]) && sav->column[0]->reason[2] == MISSING_CODE_FIRST);
    static const char *const files[] = { "t.dta", "t.xpt" };
    for (int i = 0; i < 2; i++) {
        Table *back = again(sav, files[i], false);
        const Column *b = back->column[0];
        assert_true(b->missing == 1 && column_missing(b, 2) && (!b->about || !b->about->labels));
        assert_string_equal(b->words->word[b->code[0]], "a");
        assert_lost(sav, files[i], "some are plainly missing in q", true);
        table_release(back);
    }
    assert_lost(sav, "t.dta", "It cannot hold labels of texts: the texts alone are written in q", true);
    assert_lost(sav, "t.sav", "cannot", false);
    table_release(table);
    table_release(sav);
}

/* Reasons past .z, labels of halves, long labels and times of day, in Stata; letters beyond ASCII in a portable file. */
static void what_is_lost_is_said(void **state) {
    (void)state;
    Column *columns[] = { column_of("x:real 1.5 2.5 NA"), column_of("long:integer 1 2 3"), column_of("time:real 1 2 3.5"),
                          column_of("many:integer 1 2 NA") };
    for (int i = 0; i < 4; i++) columns[i]->about = metadata_new();
    tables_ok(metadata_add_label(columns[0]->about, (CodeValue){ .value = 1.5 }, "half", &tables_error));
    char wide[2 * 90 + 1] = "", *end = wide;
    for (int i = 0; i < 90; i++) end = stpcpy(end, "é");
    tables_ok(metadata_set(&columns[1]->about->label, wide, &tables_error));
    tables_ok(metadata_set(&columns[2]->about->format, "TIME8", &tables_error));
    columns[2]->about->origin = 'p';
    tables_ok(column_need_reason(columns[3], &tables_error));
    for (int i = 0; i < 27; i++)
        tables_ok(metadata_reason(columns[3]->about, (CodeValue){ .value = -1 - i }, &columns[3]->reason[2], &tables_error));
    Table *table = table_from(columns, 4), *dta = again(table, "z.dta", false), *por = again(table, "z.por", false);
    assert_lost(table, "z.dta", "not whole, or beyond 2^31: lost are such of x", true);
    assert_lost(table, "z.dta", "some are plainly missing in many", true);
    assert_lost(table, "z.dta", "changed are those of the variables long", true);
    assert_lost(table, "z.dta", "without their format are time", true);
    assert_lost(table, "z.xpt", "format", false); /* SAS counts seconds of a day as SPSS does */
    assert_int_equal(strlen(dta->column[1]->about->label), 160);
    assert_true(strspn(por->column[1]->about->label, "?") == 90 && !por->column[1]->about->label[90]);
    Table *words = table_of("w:category né b", NULL);
    Work work = tables_work(1);
    assert_int_equal(table_save(&work, words, path("w.por"), NULL), BAD);
    assert_string_equal(work.error->column, "w");
    arena_free(work.arena);
    table_release(words);
    table_release(table);
    table_release(dta);
    table_release(por);
}

/* A date keeps the way in which its own program shows it. */
static void formats_of_dates_stay(void **state) {
    (void)state;
    static const struct {
        const char *file, *format;
        char origin;
    } all[] = { { "f.sav", "ADATE10", 'p' }, { "f.sav", "SDATE10", 'p' }, { "f.dta", "%tdD_m_Y", 't' }, { "f.xpt", "MMDDYY10", 's' } };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        Column *column = column_of("d:date 1899-12-31 2024-02-29");
        column->about = metadata_new();
        tables_ok(metadata_set(&column->about->format, all[i].format, &tables_error));
        column->about->origin = all[i].origin;
        Table *table = table_from(&column, 1), *back = again(table, all[i].file, false);
        assert_true(column_equal(table->column[0], back->column[0]));
        assert_string_equal(back->column[0]->about->format, all[i].format);
        table_release(table);
        table_release(back);
    }
}

static void many_columns(void **state) {
    (void)state;
    enum { MANY = 33000 };
    Column **columns = malloc(MANY * sizeof *columns);
    for (int i = 0; i < MANY; i++) {
        char name[16];
        snprintf(name, sizeof name, "v%d", i);
        tables_ok(column_new(INTEGER_TYPE, name, 1, &columns[i], &tables_error));
        columns[i]->integer[0] = i;
    }
    Table *table = table_from(columns, MANY), *back = again(table, "many.dta", false);
    assert_true(table_equal(table, back));
    table_release(table);
    table_release(back);
    free(columns);
}

/* Whole numbers that a double would round are written as text; what a format cannot hold is refused with column and row, and no file is
 * left. */
static void bounds(void **state) {
    (void)state;
    Table *large = table_of("n:integer 9007199254740993 1", NULL), *back = again(large, "big.sav", false), *out = NULL;
    assert_int_equal(back->column[0]->type, CATEGORY_TYPE);
    assert_string_equal(back->column[0]->words->word[back->column[0]->code[0]], "9007199254740993");
    Table *huge = table_of("x:real 1e300 1", NULL);
    Work work = tables_work(1);
    assert_int_equal(table_save(&work, huge, path("huge.xpt"), NULL), BAD);
    assert_string_equal(work.error->column, "x");
    assert_int_equal(access(path("huge.xpt"), F_OK), -1);
    huge->column[0]->real[0] = INFINITY;
    assert_int_equal(table_save(&work, huge, path("huge.sav"), NULL), BAD);
    assert_int_equal(table_save(&work, huge, path("huge.sas7bdat"), NULL), BAD);
    assert_int_equal(table_open(&work, path("none.sav"), NULL, &out), BAD);
    arena_free(work.arena);
    table_release(large);
    table_release(back);
    table_release(huge);
}

/* Cut anywhere, a file is an error or (where nothing but its end is lost that a reader need not have) the table; it is never another one.
 */
static void cut_files(void **state) {
    (void)state;
    static const struct {
        const char *name;
        StatKind kind;
    } files[] = { { "a.sav", STAT_SAV }, { "a.zsav", STAT_SAV }, { "a.dta", STAT_DTA }, { "a.por", STAT_POR }, { "a.xpt", STAT_XPT } };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        Table *table = mixed();
        table_release(again(table, files[i].name, false));
        Bytes bytes;
        tables_ok(bytes_open(path(files[i].name), &bytes, &tables_error));
        for (size_t count = 0; count < bytes.count; count += 1 + count / 40) {
            Work work = tables_work(1);
            Table *part = NULL;
            char *copy = malloc(count + 1);
            memcpy(copy, bytes.at, count);
            Status status = stat_read_here(&work, "cut", copy, count, files[i].kind, &part);
            Error told = *work.error;
            Table *apart = NULL; /* the same in a process of its own */
            if (count % 5 == 0) {
                assert_int_equal(stat_read_bytes(&work, "cut", copy, count, files[i].kind, NULL, NULL, &apart), status);
                assert_true(status ? !strcmp(told.message, work.error->message) : table_equal(apart, part));
            }
            table_release(apart);
            if (status == OK) assert_int_equal(part->rows, 4);
            else assert_true(status == BAD && work.error->message[0] && !strcmp(work.error->file, "cut"));
            table_release(part);
            arena_free(work.arena);
            free(copy);
        }
        bytes_close(&bytes);
        table_release(table);
    }
}

/* More than the blocks in which the parser hands over what it reads hold, and texts that none of them holds. */
static void what_is_long_comes_whole(void **state) {
    (void)state;
    enum { ROWS = 60000, LENGTH = 600000 };
    Column *columns[3];
    const char **cells = malloc(ROWS * sizeof *cells);
    char *words = malloc(ROWS * 8), *length = malloc(LENGTH + 1);
    memset(length, 'x', LENGTH);
    length[LENGTH] = 0;
    tables_ok(column_new(INTEGER_TYPE, "n", ROWS, &columns[0], &tables_error));
    tables_ok(column_need_valid(columns[0], &tables_error));
    tables_ok(column_new(REAL_TYPE, "x", ROWS, &columns[1], &tables_error));
    for (int64_t i = 0; i < ROWS; i++) {
        columns[0]->integer[i] = i;
        if (i % 7 == 3) column_set_missing(columns[0], i);
        columns[1]->real[i] = (double)i + 0.5;
        snprintf(words + i * 8, 8, "%d", (int)(i % 1000000));
        cells[i] = i % 11 ? words + i * 8 : NULL;
    }
    column_seal(columns[0]);
    tables_ok(column_text("t", cells, ROWS, &columns[2], &tables_error));
    Table *table = table_from(columns, 3);
    static const char *const names[] = { "many.sav", "many.dta", "many.xpt" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Table *back = again(table, names[i], false);
        for (int64_t j = 0; j < 3; j++)
            if (!column_equal(table->column[j], back->column[j])) fail_msg("%s: column %s differs", names[i], table->column[j]->name);
        table_release(back);
    }
    table_release(table);
    cells[1] = cells[2] = length;
    tables_ok(column_text("t", cells, 4, &columns[0], &tables_error));
    table = table_from(columns, 1);
    Table *back = again(table, "long.dta", false);
    char number[33];
    for (int64_t i = 0; i < 4; i++)
        assert_true(column_missing(back->column[0], i) ? !cells[i] : !strcmp(column_cell(back->column[0], i, number), cells[i]));
    table_release(back);
    table_release(table);
    free(cells);
    free(words);
    free(length);
}

/* A SAS transport file with a second table, which would be read as records of the first. */
static void second_member(void **state) {
    (void)state;
    enum { LIBRARY = 240 };
    Table *table = mixed(), *none = NULL;
    table_release(again(table, "a.xpt", false));
    Bytes bytes;
    tables_ok(bytes_open(path("a.xpt"), &bytes, &tables_error));
    size_t count = 2 * bytes.count - LIBRARY;
    char *two = malloc(count);
    memcpy(two, bytes.at, bytes.count);
    memcpy(two + bytes.count, bytes.at + LIBRARY, bytes.count - LIBRARY);
    Work work = tables_work(1);
    assert_int_equal(stat_read_bytes(&work, "two", two, count, STAT_XPT, NULL, NULL, &none), BAD);
    assert_string_equal(work.error->message, "holds more than one table");
    arena_free(work.arena);
    free(two);
    bytes_close(&bytes);
    table_release(table);
}

/* What the caller says of the encoding goes before what the file says. */
static void bytes_as_the_caller_says(void **state) {
    (void)state;
    static const char *const files[] = { "e.sav", "e.dta", "e.xpt" };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        Table *table = table_of("w:category \xC3\xA9 b b", NULL), *out = NULL;
        Work work = tables_work(1);
        tables_ok(table_save(&work, table, path(files[i]), NULL));
        tables_ok(table_open(&work, path(files[i]), &(CsvOptions){ .encoding = "windows-1252" }, &out));
        const Column *back = out->column[0];
        assert_int_equal(out->rows, 3);
        assert_string_equal(back->words->word[back->code[0]], "\xC3\x83\xC2\xA9");
        arena_free(work.arena);
        table_release(table);
        table_release(out);
    }
}

/* A Stata file of version 114, little-endian, without variables and records. */
static void no_variables(void **state) {
    (void)state;
    const char bytes[4 + 2 + 4 + 81 + 18 + 2 + 5] = { 114, 2, 1, 0 };
    Table *none = NULL;
    Work work = tables_work(1);
    assert_int_equal(stat_read_bytes(&work, "none", bytes, sizeof bytes, STAT_DTA, NULL, NULL, &none), BAD);
    assert_non_null(strstr(work.error->message, "columns must be provided"));
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(all_formats_hold_a_table),
                                        cmocka_unit_test(labels_and_reasons_survive),
                                        cmocka_unit_test(suppressed_is_plainly_missing),
                                        cmocka_unit_test(file_label_and_weight),
                                        cmocka_unit_test(new_words_get_codes),
                                        cmocka_unit_test(names_are_fitted),
                                        cmocka_unit_test(labelled_texts_elsewhere),
                                        cmocka_unit_test(what_is_lost_is_said),
                                        cmocka_unit_test(formats_of_dates_stay),
                                        cmocka_unit_test(many_columns),
                                        cmocka_unit_test(bounds),
                                        cmocka_unit_test(cut_files),
                                        cmocka_unit_test(what_is_long_comes_whole),
                                        cmocka_unit_test(second_member),
                                        cmocka_unit_test(bytes_as_the_caller_says),
                                        cmocka_unit_test(no_variables) };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
