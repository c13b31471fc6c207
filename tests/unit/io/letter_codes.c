/* Codes among numbers: which columns are read as numbers, at once, in parts and from other formats, and that the codes are written back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/number_text.h"
#include "base/random.h"
#include "io/chunk_reader.h"
#include "io/letter_codes.h"
#include "io/open.h"
#include "table/missing_code.h"
#include "testing.h"

static Error error;
static Work work;

static int set_up(void **unused) {
    (void)unused;
    error = ERROR_NONE;
    work = (Work){ .arena = arena_new(), .error = &error, .threads = 2 };
    return work.arena ? 0 : -1;
}
static int tear_down(void **unused) {
    (void)unused;
    arena_free(work.arena);
    return 0;
}

static Table *read_text(const char *text) {
    Table *table = NULL;
    if (csv_read_bytes(&work, "t.csv", text, strlen(text), NULL, &table)) fail_msg("%s", error.message);
    return table;
}

static void writes_back(const Table *table, const char *text) {
    Buffer out = { 0 };
    csv_write_buffer(table, NULL, &out);
    assert_string_equal(buffer_get(&out), text);
    buffer_free(&out);
}

/* The code of a missing cell, "" where it has none. */
static const char *code_at(const Column *column, int64_t row) {
    static char text[33];
    const MissingCodes codes = missing_codes(column);
    return missing_code_text(column, missing_code(&codes, column, row), text);
}

static void known_answers(void **unused) {
    (void)unused;
    static const char text[] =
        "id,income,level,grade,area,one\n"
        "1,100,1.5,1,01,7\n2,N,.a,2,2A,N\n3,,<5,A,2B,7\n4,250,2.5,B,03,7\n5,*,2,C,04,7\n6,N,*,D,05,7\n7,9,1,E,06,7\n8,9,1,F,07,7\n";
    Table *table = read_text(text);
    const Column *income = table_column(table, "income"), *level = table_column(table, "level");
    assert_int_equal(income->type, INTEGER_TYPE);
    assert_int_equal(income->missing, 4);
    assert_int_equal(column_integer(income, 0), 100);
    assert_string_equal(code_at(income, 1), "N");
    assert_string_equal(code_at(income, 2), ""); /* an empty cell has no code */
    assert_string_equal(code_at(income, 4), "*");
    assert_int_equal(level->type, REAL_TYPE);
    assert_string_equal(code_at(level, 1), ".a");
    assert_string_equal(code_at(level, 2), "<5");
    assert_true(level->real[3] == 2.5);
    assert_int_equal(table_column(table, "grade")->type, CATEGORY_TYPE); /* six codes */
    assert_int_equal(table_column(table, "area")->type, CATEGORY_TYPE);  /* leading zeros */
    assert_int_equal(table_column(table, "one")->type, CATEGORY_TYPE);   /* one number alone */
    Buffer out = { 0 };
    csv_write_buffer(table, NULL, &out);
    assert_non_null(strstr(buffer_get(&out), "2,N,.a,2,2A,N\n3,,<5,A,2B,7\n"));
    buffer_free(&out);
    table_release(table);
}

static void which_words_are_codes(void **unused) {
    (void)unused;
    static const char *const codes[] = { "N", ".a", "*", "<5", "NA", "n/a", "-", "85+", "2A", "Ä€≥", "." };
    static const char *const others[] = { "",   "NULL", "1,5", "3-4",  "01",  "00A",  "-01", " 5",
                                          "5 ", "Inf",  "inf", "a\"b", "a,b", "\xFF", "∞∞∞∞" };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (!letter_code_possible(codes[i], codes[i] + strlen(codes[i]))) fail_msg("%s is a code", codes[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (letter_code_possible(others[i], others[i] + strlen(others[i]))) fail_msg("%s is no code", others[i]);
}

/* R quotes what is text: a quoted number among codes is text. */
static void quotes_say_text(void **unused) {
    (void)unused;
    Table *table = read_text("\"a\",\"b\"\n1,\"1\"\n2,\"2\"\nN,\"N\"\n");
    assert_int_equal(table_column(table, "a")->type, INTEGER_TYPE);
    assert_int_equal(table_column(table, "b")->type, CATEGORY_TYPE);
    Buffer out = { 0 };
    csv_write_buffer(table, NULL, &out);
    Table *again = read_text(buffer_get(&out));
    assert_true(column_equal(table->column[0], again->column[0]));
    assert_true(column_equal(table->column[1], again->column[1]));
    buffer_free(&out);
    table_release(again);
    table_release(table);
}

/* ---- against another implementation of the rule ---- */

enum { MOST_ROWS = 40 };
static const char *const pool[] = { "1", "2",    "2.0", "3.5", "-7", "N", "*",  ".a", "NA", "<5",  "Q",
                                    "x", "word", "01",  "",    "",   "4", "12", "0",  "-",  "1e3", "2020-01-01" };

/* 'i', 'r' or 'w': what a column of these cells is. */
static char expected_kind(const char *const *cell, int rows) {
    const char *codes[MOST_ROWS];
    double first = NAN;
    int count = 0;
    bool several = false, real = false, any = false;
    for (int i = 0; i < rows; i++) {
        char *end;
        const double x = strtod(cell[i], &end);
        if (!*cell[i]) continue;
        any = true;
        if (!*end && strcmp(cell[i], "01")) {
            several |= !isnan(first) && x != first;
            if (isnan(first)) first = x;
            real |= strpbrk(cell[i], ".e") != NULL;
            continue;
        }
        if (strlen(cell[i]) > 3 || !strcmp(cell[i], "01")) return 'w';
        int k = 0;
        while (k < count && strcmp(codes[k], cell[i])) k++;
        if (k == count) codes[count++] = cell[i];
    }
    if (count && (count > 5 || !several)) return 'w';
    return real || !any ? 'r' : 'i';
}

static char kind_of(const Column *column) { return column->type == INTEGER_TYPE ? 'i' : column->type == REAL_TYPE ? 'r' : 'w'; }

static bool all_days(const char *const *cell, int rows) {
    bool any = false;
    for (int i = 0; i < rows; i++)
        if (*cell[i]) {
            if (strlen(cell[i]) < 10) return false;
            any = true;
        }
    return any;
}

static void same_cells(const Column *column, const char *const *cell, int first) {
    char number[33];
    for (int i = 0; i < (int)column->rows; i++) {
        const char *want = cell[first + i], *seen = column_cell(column, i, number);
        if (!seen) seen = code_at(column, i);
        if (strcmp(seen, want) && (kind_of(column) == 'w' || strtod(seen, NULL) != strtod(want, NULL)))
            fail_msg("%s instead of %s", seen, want);
    }
}

/* In parts of few records: the same kind and the same codes in each. */
static void check_parts(const char *path, const char *const *cell, char kind, int64_t rows_at_once) {
    ChunkReader *reader;
    Table *part;
    int64_t first;
    assert_int_equal(chunk_reader_open(&work, path, NULL, 40, rows_at_once, &reader), OK);
    do {
        assert_int_equal(chunk_reader_rewind(reader, &work), OK);
        while (!chunk_reader_next(reader, &work, &part, &first) && part) table_release(part);
    } while (chunk_reader_again(reader));
    assert_int_equal(chunk_reader_rewind(reader, &work), OK);
    for (;;) {
        assert_int_equal(chunk_reader_next(reader, &work, &part, &first), OK);
        if (!part) break;
        assert_int_equal(kind_of(part->column[1]), kind);
        same_cells(part->column[1], cell, (int)first);
        table_release(part);
    }
    chunk_reader_close(reader);
}

/* From a format that holds words: the same rule. */
static void check_split(const char *const *cell, int rows, char kind) {
    const char *present[MOST_ROWS];
    Column *words, *numbers;
    bool codes = false;
    for (int i = 0; i < rows; i++) {
        present[i] = *cell[i] ? cell[i] : NULL;
        codes |= *cell[i] && !strchr("0123456789-", *cell[i]);
        codes |= !strcmp(cell[i], "-");
    }
    for (int text = 0; text < 2; text++) {
        assert_int_equal((text ? column_text : column_category)("x", present, rows, &words, &error), OK);
        assert_int_equal(letter_codes_split(&work, words, &numbers), OK);
        assert_int_equal(numbers != NULL, codes && kind != 'w');
        if (numbers) {
            assert_int_equal(kind_of(numbers), kind);
            same_cells(numbers, cell, 0);
        }
        column_release(numbers);
        column_release(words);
    }
}

static void against_brute_force(void **unused) {
    (void)unused;
    const Seed seed = seed_from_number(20);
    const RandomStream stream = stream_make(&seed, "test", 0, "x", "codes");
    RandomReader random = reader_make(&stream);
    char path[] = "/tmp/letter_codes_XXXXXX.csv", text[4096];
    int file = mkstemps(path, 4);
    assert_true(file >= 0);
    close(file);
    for (int round = 0; round < 1500; round++) {
        const char *cell[MOST_ROWS];
        const int rows = 1 + (int)(reader_word(&random) % MOST_ROWS), words = 2 + (int)(reader_word(&random) % 9);
        const int from = (int)(reader_word(&random) % (sizeof pool / sizeof *pool));
        int count = sprintf(text, "i,x\n");
        for (int i = 0; i < rows; i++) {
            cell[i] = pool[((uint64_t)from + reader_word(&random) % (uint64_t)words) % (sizeof pool / sizeof *pool)];
            count += sprintf(text + count, "%d,%s\n", i, cell[i]);
        }
        if (all_days(cell, rows)) continue;
        const char kind = expected_kind(cell, rows);
        Table *table = read_text(text);
        if (kind_of(table->column[1]) != kind) fail_msg("%c instead of %c:\n%s", kind_of(table->column[1]), kind, text);
        same_cells(table->column[1], cell, 0);
        Buffer again = { 0 };
        csv_write_buffer(table, NULL, &again);
        Table *copy = read_text(buffer_get(&again));
        assert_int_equal(kind_of(copy->column[1]), kind);
        same_cells(copy->column[1], cell, 0);
        buffer_free(&again);
        table_release(copy);
        table_release(table);
        assert_int_equal(file_write(path, text, (size_t)count, false, &error), OK);
        check_parts(path, cell, kind, 1 + (int64_t)(reader_word(&random) % 7));
        check_split(cell, rows, kind);
    }
    unlink(path);
}

/* Codes that the sample does not see, in a file of several threads' chunks; the order in which they are met does not count. */
static void far_in_the_file(void **unused) {
    (void)unused;
    enum { ROWS = 120000 };
    static const char *const late[] = { "Z", "A", "*", ".x", "NA" };
    Buffer text = { 0 };
    buffer_text(&text, "i,x,y\n");
    for (int i = 0; i < ROWS; i++) {
        if (i >= 60000 && i % 20000 < 5) buffer_print(&text, "%d,%s,N\n", i, late[(i + i / 20000) % 5]);
        else buffer_print(&text, "%d,%d,%s\n", i, i % 50, i > 90000 ? "17" : i == 80010 ? "3" : "N");
    }
    Table *table = NULL;
    assert_int_equal(csv_read_bytes(&work, "t.csv", text.bytes, text.count, NULL, &table), OK);
    assert_int_equal(table->column[1]->type, INTEGER_TYPE);
    assert_int_equal(table->column[1]->about->missing, 5);
    for (int i = 0; i < 5; i++)
        assert_string_equal(table->column[1]->about->missing_of[i].text, ((const char *[]){ "*", ".x", "A", "NA", "Z" })[i]);
    assert_int_equal(table->column[2]->type, INTEGER_TYPE); /* nothing but codes in the sample */
    writes_back(table, buffer_get(&text));
    buffer_free(&text);
    table_release(table);
}

/* Codes that would merge as numbers stay text; where none would, and in columns of quantities, numbers are numbers. */
static void identifiers(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        Type type;
    } asked[] = { { "icd,y\n250.00,1\n250.0,2\n401.9,3\n", CATEGORY_TYPE },
                  { "icd,y\n250.00,1\n401.90,2\n", REAL_TYPE },
                  { "icd,y\n250.00,1\n250.00,2\n", REAL_TYPE },
                  { "product_code,y\n1e5,1\n100000,2\n7,3\n", CATEGORY_TYPE },
                  { "product_code,y\n1e5,1\n,2\n7,3\n", REAL_TYPE },
                  { "price,y\n1.50,1\n1.5,2\n", REAL_TYPE },
                  { "code,y\n1,1\n2,2\n1,3\n", INTEGER_TYPE } };
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        Table *table = read_text(asked[k].text);
        assert_int_equal(table->column[0]->type, asked[k].type);
        table_release(table);
    }
    Table *table = read_text(asked[0].text);
    writes_back(table, "icd,y\n\"250.00\",1\n\"250.0\",2\n\"401.9\",3\n");
    table_release(table);
    /* late in a long file, for any number of threads */
    Buffer text = { 0 };
    buffer_print(&text, "icd,y\n");
    for (int i = 0; i < 60000; i++) buffer_print(&text, "%s,%d\n", i == 57000 ? "250.00" : i % 2 ? "250.0" : "401.9", i);
    for (int threads = 1; threads < 4; threads++) {
        work.threads = threads;
        table = read_text(buffer_get(&text));
        assert_int_equal(table->column[0]->type, CATEGORY_TYPE);
        assert_int_equal(table->column[0]->words->count, 3);
        table_release(table);
    }
    buffer_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(known_answers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(which_words_are_codes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(quotes_say_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(against_brute_force, set_up, tear_down),
        cmocka_unit_test_setup_teardown(far_in_the_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(identifiers, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
