/* Reals of many digits in a file: each as it is read alone, cells that only look like one, and numbers that mean missing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/number_text.h"
#include "base/shortest_digits.h"
#include "io/csv/csv.h"
#include "io/csv/private.h"
#include "draws.h"
#include "testing.h"

static uint64_t state = 19991231;
static uint64_t next_word(void) { return draw_word(&state); }

/* Up to 24 characters: digits with a point somewhere, and now and then something that does not belong there. */
static void some_cell(char decimal, bool spoiled, char out[32]) {
    int count = 0, digits = 1 + (int)(next_word() % 21), point = 1 + (int)(next_word() % 20);
    if (next_word() % 4 == 0) out[count++] = '-';
    bool small = next_word() % 3 == 0, zero = small && next_word() % 16 == 0;
    if (small) point = 1;
    for (int i = 0; i < digits; i++) {
        if (i == point) out[count++] = decimal;
        out[count++] = (char)(zero || (small && i == 0) ? '0'
                              : i == 0                  ? '1' + next_word() % 9
                              : next_word() % 5         ? '0' + next_word() % 10
                                                        : '9');
    }
    if (digits <= point) out[count++] = decimal;
    if (spoiled) out[next_word() % (unsigned)count] = "0.-+ex:/ "[next_word() % 9];
    out[count] = 0;
}

static Table *read_column(Work *work, const char *text, size_t count, char decimal) {
    Table *table = NULL;
    CsvOptions options = { .decimal = decimal };
    assert_int_equal(csv_read_bytes(work, "t.csv", text, count, &options, &table), OK);
    return table;
}

static void as_each_alone(void **unused) {
    (void)unused;
    enum { ROWS = 20000, MOST = 32 };
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 2 };
    char(*cell)[MOST] = malloc(ROWS * sizeof *cell), *text = malloc(2 * ROWS * sizeof *cell);
    assert_true(cell && text && work.arena);
    for (int round = 0; round < 10; round++) {
        char decimal = round % 2 ? ',' : '.';
        size_t count = (size_t)sprintf(text, "a;b%s", round % 3 ? "\n" : "\r\n");
        for (int row = 0; row < ROWS; row++) {
            some_cell(decimal, false, cell[row]);
            count += (size_t)sprintf(text + count, "%s;%s%s", cell[row], cell[row], round % 3 ? "\n" : "\r\n");
        }
        Table *table = read_column(&work, text, count, decimal);
        for (int j = 0; j < 2; j++) {
            assert_int_equal(table->column[j]->type, REAL_TYPE);
            for (int row = 0; row < ROWS; row++) {
                double expected;
                assert_true(read_real(cell[row], cell[row] + strlen(cell[row]), decimal, &expected));
                if (real_bits(expected) != real_bits(table->column[j]->real[row]))
                    fail_msg("%s is not %a", cell[row], table->column[j]->real[row]);
            }
        }
        table_release(table);
    }
    free(cell);
    free(text);
    arena_free(work.arena);
}

/* Digits without a point, or behind one. */
static void only_digits(bool point, char out[32]) {
    int count = 0, digits = 14 + (int)(next_word() % 7);
    if (next_word() % 4 == 0) out[count++] = '-';
    if (point) out[count++] = '.';
    for (int i = 0; i < digits; i++) out[count++] = (char)(i ? '0' + next_word() % 10 : '1' + next_word() % 9);
    if (next_word() % 2) memset(out + count - 5, '0', 5); /* a double can hold it */
    out[count] = 0;
}

/* One cell that may be anything, among reals, and where the sample does not see it: the column is what its cells make it, and the cell is
 * read as its class says, whatever stands before it. */
static void what_only_looks_so(void **unused) {
    (void)unused;
    enum { SAMPLE = 64 };
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    char plain[8 * SAMPLE + 1], text[sizeof plain + 160];
    for (int i = 0; i < SAMPLE; i++) memcpy(plain + 8 * i, "1.5,1.5\n", 9);
    for (int round = 0; round < 20000; round++) {
        char cell[32];
        if (round % 4 == 0) only_digits(round % 8 == 0, cell);
        else some_cell('.', true, cell);
        const char *before = (const char *[]){ "1.5", "5.", "7" }[round % 3];
        size_t count = (size_t)sprintf(text, "a_name_longer_than_a_cell_is,b\n%s%s,%s\n2.5,2.5\n", plain, before, cell);
        Table *table = read_column(&work, text, count, '.');
        const char *end = cell + strlen(cell);
        Type type = csv_join(IS_REAL | csv_class(cell, end, '.'));
        if (table->column[1]->type != type) fail_msg("%s after %s makes %d, not %d", cell, before, table->column[1]->type, type);
        double expected;
        if (type == REAL_TYPE && read_real(cell, end, '.', &expected) && real_bits(expected) != real_bits(table->column[1]->real[SAMPLE]))
            fail_msg("%s after %s is not %a", cell, before, table->column[1]->real[SAMPLE]);
        table_release(table);
    }
    arena_free(work.arena);
}

/* Nothing before the first byte or behind the last is looked at: a file that is mapped may end with its page. */
static void at_the_ends_of_memory(void **unused) {
    (void)unused;
    static const char *const names[] = { "a,b\n", "ab,c_d_e_f\n", "a_name_longer_than_a_cell_is,b\n" };
    static const char *const rows[] = {
        "1.5,", "-1.5,", "1.5,2.5\n-2.5,", "1.5,-", "1.5,1", "1.5,-12345678901234.5678", "1.5,1.2345678901234567"
    };
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *room = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(room != MAP_FAILED);
    assert_int_equal(mprotect(room, page, PROT_NONE) | mprotect(room + 2 * page, page, PROT_NONE), 0);
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    for (int i = 0; i < 3 * 7 * 2; i++) {
        char text[100];
        size_t count = (size_t)sprintf(text, "%s1.5,2.5\n%s", names[i % 3], rows[i / 3 % 7]);
        char *at = i / 21 ? room + page : room + 2 * page - count;
        memcpy(at, text, count);
        Table *table = read_column(&work, at, count, '.');
        assert_int_equal(table->column[0]->type, REAL_TYPE);
        assert_int_equal(column_missing(table->column[1], table->rows - 1), text[count - 1] == ',');
        table_release(table);
    }
    munmap(room, 3 * page);
    arena_free(work.arena);
}

/* Whatever stands before them in the file, and whatever the column is: 99 is missing in the first row as in the last. */
static void check_missing(Work *work, const char *word, int kind, char *text) {
    enum { ROWS = 5000 };
    static const char *const cells[][3] = { { "7", "7,25", "2020-01-01" },
                                            { "99", "99,5", "9999-12-31" },
                                            { "1", "1234567890123,4567", "NA" },
                                            { "-2", "99", "2020-02-29" },
                                            { "NA", "1,5e3", "2020-03-01" } };
    const char *na[] = { "NA", word }, *declared[] = { "b:real", "i:real" }; /* the former as it is found */
    CsvOptions options = { .decimal = ',', .na = na, .na_count = 2, .types = declared, .type_count = 1 + kind / 4 };
    size_t count = (size_t)sprintf(text, "i;b;%s\n", kind % 2 ? "a_name_longer_than_a_cell_is" : "d");
    for (int row = 0; row < ROWS; row++) {
        const char *const *cell = cells[row % 5];
        count += (size_t)sprintf(text + count, "%s;%s;%s%s\n", cell[0], cell[1], cell[2], kind / 2 % 2 ? "\r" : "");
    }
    Table *table = NULL;
    assert_int_equal(csv_read_bytes(work, "t.csv", text, count, &options, &table), OK);
    assert_int_equal(table->column[0]->type, kind / 4 ? REAL_TYPE : INTEGER_TYPE);
    assert_int_equal(table->column[1]->type, REAL_TYPE);
    assert_int_equal(table->column[2]->type, DATE_TYPE);
    for (int row = 0; row < ROWS; row++)
        for (int j = 0; j < 3; j++) {
            const char *cell = cells[row % 5][j];
            assert_int_equal(column_missing(table->column[j], row), !strcmp(cell, "NA") || !strcmp(cell, word));
        }
    table_release(table);
}
static void numbers_that_mean_missing(void **unused) {
    (void)unused;
    static const char *const words[] = { "99", "99,5", "1234567890123,4567", "1,5e3", "9999-12-31", "-2", "x" };
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 2 };
    char *text = malloc(1 << 19);
    assert_true(text && work.arena);
    for (int kind = 0; kind < 8; kind++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) check_missing(&work, words[i], kind, text);
    free(text);
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_each_alone), cmocka_unit_test(what_only_looks_so),
                                        cmocka_unit_test(at_the_ends_of_memory), cmocka_unit_test(numbers_that_mean_missing) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
