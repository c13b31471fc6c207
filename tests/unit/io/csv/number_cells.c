/* Cells of a column as text: the same as each number by itself, whatever was written before it. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "base/digits.h"
#include "base/number_text.h"
#include "io/csv/csv.h"
#include "io/csv/number_cells.h"
#include "draws.h"
#include "testing.h"

enum { COUNT = CELLS_AT_ONCE };

static uint64_t state = 20240229;
static uint64_t next_word(void) { return draw_word(&state); }
static double uniform(void) { return (double)(next_word() >> 11) * 0x1p-53; }

/* What a cell must be: the number as write_real has it, with what CSV adds. */
static void expected_real(double value, CellLook look, char out[80]) {
    size_t count = value != value ? 0 : write_real(value, out);
    bool large = fabs(value) >= 0x1p53 && fabs(value) < 1e21;
    out[count] = 0;
    if ((look.point || large) && isfinite(value) && !strpbrk(out, "e.")) count += (size_t)sprintf(out + count, ".0");
    char *mark = strchr(out, '.');
    if (mark) *mark = look.decimal;
    sprintf(out + count, "%c", look.separator);
}

static void check(const TextCell *cell, const char *expected) {
    if (cell->count != strlen(expected) || memcmp(cell->text, expected, cell->count))
        fail_msg("'%.*s' is not '%s'", (int)cell->count, cell->text, expected);
}

/* With a decimal comma and a point, as whole numbers and not. */
static void check_reals(const double *values, int64_t count) {
    TextCell *cells = calloc(COUNT + CELLS_SPARE, sizeof *cells); /* on the heap, where reading or writing beyond is seen */
    assert_non_null(cells);
    for (int kind = 0; kind < 2; kind++) {
        bool point = kind;
        CellLook look = { point ? ';' : ',', point ? ',' : '.', point };
        char expected[80];
        csv_real_cells(values, count, look, cells);
        for (int64_t i = 0; i < count; i++) {
            expected_real(values[i], look, expected);
            check(&cells[i], expected);
        }
    }
    free(cells);
}

static double some_real(int kind) {
    double size = pow(10, floor(uniform() * 24) - 8), sign = next_word() & 1 ? -1 : 1, value;
    uint64_t bits = next_word();
    switch (kind) {
    case 0: return sign * rint(uniform() * 1e6) / 100;                                  /* cents */
    case 1: return sign * rint(uniform() * 2e4) / pow(10, (double)(next_word() % 8));   /* few digits anywhere */
    case 2: return sign * rint(uniform() * 1e15) / pow(10, (double)(next_word() % 16)); /* fifteen digits */
    case 3: return sign * uniform() * size;                                             /* seventeen digits */
    case 4: return sign * floor(uniform() * 1e16) / (next_word() & 1 ? 1 : 4); /* quarters: halfway between two of seventeen digits */
    case 5: return sign * nextafter(size, next_word() & 1 ? 0 : 1e300);
    case 6: return sign * size;
    case 7: return sign * (double)(next_word() % 12);
    default: memcpy(&value, &bits, sizeof value); return value; /* any at all */
    }
}

static void reals(void **unused) {
    (void)unused;
    double values[COUNT];
    for (int round = 0; round < 700; round++) {
        int64_t count = round % 7 ? COUNT : 1 + (int64_t)(next_word() % COUNT);
        for (int64_t i = 0; i < count; i++) values[i] = some_real(round % 10 == 9 ? (int)(next_word() % 9) : round % 10);
        check_reals(values, count);
    }
}

static void known_reals(void **unused) {
    (void)unused;
    static const double values[] = { 0,
                                     -0.0,
                                     1,
                                     -1,
                                     0.5,
                                     0.05,
                                     0.1,
                                     0.125,
                                     0.12499999999999999,
                                     99.995,
                                     1e-6,
                                     1e-7,
                                     -1e-6,
                                     999999.5,
                                     9999999.9,
                                     99999999,
                                     100000000,
                                     12345678.9,
                                     1e14,
                                     1e15,
                                     1e16,
                                     1e20,
                                     1e21,
                                     1e22,
                                     0x1p53,
                                     0x1p53 - 1,
                                     999999999999999,
                                     NAN,
                                     INFINITY,
                                     -INFINITY,
                                     5e-324,
                                     1.7976931348623157e308,
                                     99999999999999.9,
                                     0.3,
                                     0.1 + 0.2 };
    check_reals(values, (int64_t)(sizeof values / sizeof *values));
    double powers[COUNT];
    for (int i = 0; i < COUNT; i++) powers[i] = ldexp(i % 2 ? -1 : 1, i - 50); /* of two: to 2^77 */
    check_reals(powers, COUNT);
    for (int i = 0; i < COUNT; i++) powers[i] = nextafter(powers[i], i % 3 ? 0 : 2 * powers[i]);
    check_reals(powers, COUNT);
}

static void integers(void **unused) {
    (void)unused;
    int64_t values[COUNT];
    TextCell *cells = calloc(COUNT + CELLS_SPARE, sizeof *cells);
    assert_non_null(cells);
    for (int round = 0; round < 2000; round++) {
        int64_t count = 1 + (int64_t)(next_word() % COUNT);
        for (int64_t i = 0; i < count; i++) {
            values[i] = (int64_t)(next_word() >> (next_word() % 64)) * (next_word() & 1 ? -1 : 1);
            if (next_word() % 50 == 0)
                values[i] = (int64_t[]){ 0, INT64_MIN, INT64_MAX, 99999999, 100000000, -99999999, -9999999, -10000000 }[next_word() % 8];
        }
        csv_integer_cells(values, count, (CellLook){ '\t', '.', false }, cells);
        for (int64_t i = 0; i < count; i++) {
            char expected[40];
            sprintf(expected, "%lld\t", (long long)values[i]);
            check(&cells[i], expected);
        }
    }
    free(cells);
}

/* Every four digits, in either half. */
static void two_at_once(void **unused) {
    (void)unused;
    for (uint64_t n = 0; n < 10000; n++) {
        char text[20], expected[20];
        TwoEights two = two_eights(n * 10000 + (9999 - n), n);
        unsigned used = 0;
        store_eight(text, two.word[0]);
        store_eight(text + 8, two.word[1]);
        sprintf(expected, "%04d%04d%08d", (int)n, 9999 - (int)n, (int)n);
        for (int i = 0; i < 16; i++) used |= (unsigned)(expected[i] != '0') << i;
        assert_memory_equal(text, expected, 16);
        assert_int_equal(two.used, used);
    }
}

/* ---- whole files ---- */

static Table *read_text(Work *work, const char *text) {
    Table *table = NULL;
    assert_int_equal(csv_read_bytes(work, "t.csv", text, strlen(text), NULL, &table), OK);
    return table;
}

/* Words as long as a cell, and around that, bare and quoted, as categories and as text. */
static void words_of_any_length(void **unused) {
    (void)unused;
    enum { LONGEST = 70, ROWS = 4 * LONGEST };
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 2 };
    char path[] = "/tmp/scrim-cells-XXXXXX", *text = malloc(ROWS * 3 * LONGEST), *again = malloc(ROWS * 3 * LONGEST);
    int descriptor = mkstemp(path);
    assert_true(text && again && work.arena && descriptor >= 0);
    size_t count = (size_t)sprintf(text, "a,b\n");
    for (int i = 0; i < ROWS; i++) {
        int length = 1 + i % LONGEST;
        for (int j = 0; j < length; j++) text[count++] = 'x';
        count += (size_t)sprintf(text + count, ",\"");
        for (int j = 1; j < length; j++) text[count++] = 'y';
        count += (size_t)sprintf(text + count, ",\"\n");
    }
    for (int kind = 0; kind < 2; kind++) {
        const char *types[] = { kind ? "a:text" : "a:category", kind ? "b:text" : "b:category" };
        CsvOptions options = { .types = types, .type_count = 2 };
        Table *table = NULL;
        assert_int_equal(csv_read_bytes(&work, "t.csv", text, count, &options, &table), OK);
        assert_int_equal(table->column[0]->type, kind ? TEXT_TYPE : CATEGORY_TYPE);
        assert_int_equal(csv_write(&work, table, path, NULL), OK);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        assert_int_equal(fread(again, 1, ROWS * 3 * LONGEST, file), count);
        assert_memory_equal(again, text, count);
        fclose(file);
        table_release(table);
    }
    close(descriptor);
    unlink(path);
    free(text);
    free(again);
    arena_free(work.arena);
}

/* A block that cannot be written lets go of those that wait for it: files have room here for a few blocks. */
static void no_room_on_any_thread(void **unused) {
    (void)unused;
    enum { ROWS = 100000, ROOM = 100000 };
    char path[] = "/tmp/scrim-cells-XXXXXX", *text = malloc(16 * ROWS);
    int descriptor = mkstemp(path);
    struct rlimit before;
    assert_true(text && descriptor >= 0 && !getrlimit(RLIMIT_FSIZE, &before));
    void (*was)(int) = signal(SIGXFSZ, SIG_IGN);
    size_t count = (size_t)sprintf(text, "a\n");
    for (int i = 0; i < ROWS; i++) count += (size_t)sprintf(text + count, "%d\n", i);
    for (int round = 0; round < 24; round++) {
        Error error = ERROR_NONE;
        Work work = { .arena = arena_new(), .error = &error, .threads = 1 + round % 4 };
        Table *table = read_text(&work, text);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){ ROOM, before.rlim_max }), 0);
        Status status = csv_write(&work, table, path, NULL);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(status, FAILED);
        assert_non_null(strstr(error.message, "cannot write"));
        table_release(table);
        arena_free(work.arena);
    }
    signal(SIGXFSZ, was);
    close(descriptor);
    unlink(path);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(known_reals),
                                        cmocka_unit_test(reals),
                                        cmocka_unit_test(integers),
                                        cmocka_unit_test(two_at_once),
                                        cmocka_unit_test(words_of_any_length),
                                        cmocka_unit_test(no_room_on_any_thread) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
