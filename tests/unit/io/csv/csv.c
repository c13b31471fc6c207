/* CSV: every rule of docs/files.md, errors with their place, and tables there and back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "base/number_text.h"
#include "base/random.h"
#include "io/csv/private.h"
#include "io/csv/number.h"
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

static Table *read_with(const char *bytes, size_t count, const CsvOptions *options) {
    Table *table = NULL;
    if (csv_read_bytes(&work, "t.csv", bytes, count, options, &table)) {
        char text[1200];
        error_text(&error, text, sizeof text);
        fail_msg("%s", text);
    }
    return table;
}
static Table *read_text(const char *text) { return read_with(text, strlen(text), NULL); }
static Status read_bad(const char *text, const CsvOptions *options) {
    Table *table = NULL;
    Status status = csv_read_bytes(&work, "t.csv", text, strlen(text), options, &table);
    assert_null(table);
    return status;
}

/* The whole table as "type name: cell cell …", missing as ~ and text in «». */
static const char *shown(const Table *table) {
    static char out[4096];
    Buffer buffer = { 0 };
    for (int64_t j = 0; j < table->columns; j++) {
        const Column *column = table->column[j];
        buffer_print(&buffer, "%s%s %s:", j ? "; " : "", type_name(column->type), column->name);
        for (int64_t i = 0; i < table->rows; i++) {
            char number[33];
            const char *cell = column_cell(column, i, number);
            bool word = column->type == TEXT_TYPE || column->type == CATEGORY_TYPE;
            buffer_print(&buffer, cell && word ? " <%s>" : " %s", cell ? cell : "~");
        }
    }
    snprintf(out, sizeof out, "%s", buffer_get(&buffer));
    buffer_free(&buffer);
    return out;
}
static void expect(const char *text, const char *want) {
    Table *table = read_text(text);
    assert_string_equal(shown(table), want);
    table_release(table);
}
static void expect_with(const char *text, const CsvOptions *options, const char *want) {
    Table *table = read_with(text, strlen(text), options);
    assert_string_equal(shown(table), want);
    table_release(table);
}
static void expect_bad(const char *text, const char *message, int64_t line, int64_t place) {
    if (read_bad(text, NULL) != BAD || !strstr(error.message, message) || error.line != line || error.place != place)
        fail_msg("got \"%s\" at %d:%d for %s", error.message, (int)error.line, (int)error.place, text);
    assert_string_equal(error.file, "t.csv");
}

static void types_are_found(void **unused) {
    (void)unused;
    expect("a,b,c,d,e\n1,1.5,2020-02-29,x,\n-2,2,1969-12-31,y,\n",
           "integer a: 1 -2; real b: 1.5 2; date c: 2020-02-29 1969-12-31; category d: <x> <y>; real e: ~ ~");
    expect("a\n1\n2.5\n", "real a: 1 2.5");
    expect("a\n1e3\n2\n", "real a: 1000 2");
    expect("a\n1\n2020-01-01\n", "category a: <1> <2020-01-01>");
    expect("a\n2020-02-30\n", "category a: <2020-02-30>");
    expect("a\n007\n1\n", "category a: <007> <1>");
    expect("a\n-01\n", "category a: <-01>");
    expect("a,b\n0,0.5\n-0,-0.5\n", "integer a: 0 0; real b: 0.5 -0.5");
    expect("a\nNaN\n1\n", "category a: <NaN> <1>");
    expect("a\nInf\n-inf\n", "category a: <Inf> <-inf>");
    expect("a\n9223372036854775807\n", "integer a: 9223372036854775807");
    expect("a\n9223372036854775808\n1\n", "category a: <9223372036854775808> <1>");
    expect("a\n9223372036854775808\n1.5\n", "category a: <9223372036854775808> <1.5>");
    expect("a\n9223372036854775808.0\n1\n", "real a: 9223372036854776000 1");
    expect("a\n9007199254740993\n9007199254740992\n", "integer a: 9007199254740993 9007199254740992");
    expect("a\n9007199254740993\n9007199254740992\n30.5\n",
           "category a: <9007199254740993> <9007199254740992> <30.5>"); /* as reals the first two would be one */
    expect("a\n30.5\n-9007199254740993\n", "category a: <30.5> <-9007199254740993>");
    expect("a\n9223372036854775807\n0.5\n", "category a: <9223372036854775807> <0.5>");
    expect("a\n9007199254740992\n30.5\n", "real a: 9007199254740992 30.5");
    expect("a\n9007199254740994\n30.5\n", "real a: 9007199254740994 30.5"); /* a double holds it */
    expect("a\n1e400\n", "category a: <1e400>");
    expect("a\n 1\n", "category a: < 1>");
    expect("a\n0x1F\n", "category a: <0x1F>");
    expect("a\n+5\n.5\n5.\n", "real a: 5 0.5 5");
}

static void syntax(void **unused) {
    (void)unused;
    expect("a,b\r\n1,x\r\n2,y\r\n", "integer a: 1 2; category b: <x> <y>");
    expect("a,b\n1,2", "integer a: 1; integer b: 2");
    expect("a,b\r\n1,2\r", "integer a: 1; integer b: 2");
    expect("a,b\n1,2\n\n\r\n\n", "integer a: 1; integer b: 2");
    expect("\xEF\xBB\xBF"
           "a,b\n1,2\n",
           "integer a: 1; integer b: 2");
    expect("a,b\n\"x,\"\"y\"\"\nz\",2\n", "category a: <x,\"y\"\nz>; integer b: 2");
    expect("\"a,\"\"1\"\"\",\"b\nb\"\nx,2\n", "category a,\"1\": <x>; integer b\nb: 2");
    expect("a,b\n\"x\r\ny\",1\r\n", "category a: <x\r\ny>; integer b: 1");
    expect("a,b\nx\ry,1\n", "category a: <x\ry>; integer b: 1");
    expect("é,b\n日本,1\n", "category é: <日本>; integer b: 1");
    expect("a,b\n", "real a:; real b:");
    expect("a,b", "real a:; real b:");
    expect("a,b\n\n", "real a:; real b:");
    expect("a,b\n,\n", "real a: ~; real b: ~");
}

static void missing_and_empty(void **unused) {
    (void)unused;
    expect("a,b\n,1\n\"\",2\nx,3\n", "category a: ~ <> <x>; integer b: 1 2 3");
    expect("a,b\n1,1\n,2\n", "integer a: 1 ~; integer b: 1 2");
    expect("a\n1\n\n3\n", "integer a: 1 ~ 3");
    expect("a\n1\n\n", "integer a: 1 ~");
    expect("a\r\n\r\nx\r\n", "category a: ~ <x>");
    expect("a,b\nNA,.\n1,2.5\n", "category a: <NA> <1>; category b: <.> <2.5>");
    const char *na[] = { "NA", "." };
    expect_with("a,b,c\nNA,.,\"NA\"\n1,2.5,x\n", &(CsvOptions){ .na = na, .na_count = 2 },
                "integer a: ~ 1; real b: ~ 2.5; category c: <NA> <x>");
    expect_with("a,b\nNA,.\nNAB,.5\n1,2\n", &(CsvOptions){ .na = na, .na_count = 2 },
                "category a: ~ <NAB> <1>; real b: ~ 0.5 2"); /* whole cells only */
}

static void quoted_numbers(void **unused) {
    (void)unused;
    /* some cells quoted, others not: quotes mean text */
    expect("\"a\",\"b\"\n\"1\",2\n\"3\",4\n", "category a: <1> <3>; integer b: 2 4");
    expect("a,b\n\"1\",2\n", "category a: <1>; integer b: 2");
    /* everything quoted: quotes mean nothing */
    expect("\"a\",\"b\"\n\"1\",\"2.5\"\n\"3\",\"2020-01-01\"\n", "integer a: 1 3; category b: <2.5> <2020-01-01>");
    expect("\"a\",\"b\"\n\"1\",\n\"3\",\"4\"\n", "integer a: 1 3; integer b: ~ 4");
    /* a bare name is enough: a writer that quotes all would have quoted it */
    expect("a\n\"1\"\n\"2\"\n", "category a: <1> <2>");
    const char *na[] = { "NA" };
    expect_with("\"a\"\n\"1\"\n\"NA\"\n", &(CsvOptions){ .na = na, .na_count = 1 }, "integer a: 1 ~");
}

static void separators(void **unused) {
    (void)unused;
    expect("a;b\n1,5;2\n", "category a: <1,5>; integer b: 2");
    expect("a\tb\n1\t2\n", "integer a: 1; integer b: 2");
    expect("a|b\n1|2\n", "integer a: 1; integer b: 2");
    expect("a,b|c\n1,2\n", "integer a: 1; integer b|c: 2");
    expect("a;b,c\n1;2\n", "integer a: 1; integer b,c: 2");
    expect("name\nSmith; John\n\"Doe, Jane\"\n", "category name: <Smith; John> <Doe, Jane>");
    expect_bad("name\nSmith; John\nDoe, Jane\n", "has 2 fields, the header has 1", 3, 5);
    expect_with("a;b\n1,5;2\n", &(CsvOptions){ .decimal = ',' }, "real a: 1.5; integer b: 2");
    expect_with("a:b\n1:2\n", &(CsvOptions){ .separator = ':' }, "integer a: 1; integer b: 2");
    assert_int_equal(read_bad("a;b\n1;2\n", &(CsvOptions){ .separator = ',', .decimal = ',' }), BAD);
    for (const char *mark = "059+-eE\"\r\n"; *mark; mark++)
        assert_int_equal(read_bad("a;b\n1;2\n", &(CsvOptions){ .decimal = *mark }), BAD);
}

static void declared_types(void **unused) {
    (void)unused;
    const char *types[] = { "a:real", "b:text", "c:category", "d:int" };
    expect_with("a,b,c,d\n1,2,3,007\n,,,\n", &(CsvOptions){ .types = types, .type_count = 4 },
                "real a: 1 ~; text b: <2> ~; category c: <3> ~; integer d: 7 ~");
    const char *date[] = { "a:date" }, *integer[] = { "b:integer" }, *unknown[] = { "aa:real" }, *wrong[] = { "a:number" },
               *bare[] = { "a" };
    assert_int_equal(read_bad("a\n2020-01-01\n2020-13-01\n", &(CsvOptions){ .types = date, .type_count = 1 }), BAD);
    assert_int_equal(error.line, 3);
    assert_string_equal(error.column, "a");
    assert_null(strstr(error.message, "2020"));
    error.show_values = true;
    assert_int_equal(read_bad("a\n2020-01-01\n2020-13-01\n", &(CsvOptions){ .types = date, .type_count = 1 }), BAD);
    assert_non_null(strstr(error.message, "2020-13-01"));
    assert_int_equal(read_bad("a,b\n1,2\n1,2.5\n", &(CsvOptions){ .types = integer, .type_count = 1 }), BAD);
    assert_int_equal(error.line, 3);
    assert_int_equal(error.place, 3);
    assert_int_equal(read_bad("a,b\n1,\"\"\n", &(CsvOptions){ .types = integer, .type_count = 1 }), BAD);
    expect_with("a,b\n1,\"2\"\n", &(CsvOptions){ .types = integer, .type_count = 1 }, "integer a: 1; integer b: 2");
    assert_int_equal(read_bad("a,b\n1,2\n", &(CsvOptions){ .types = unknown, .type_count = 1 }), BAD);
    assert_non_null(strstr(error.advice, "'a'"));
    assert_int_equal(read_bad("a,b\n1,2\n", &(CsvOptions){ .types = wrong, .type_count = 1 }), BAD);
    assert_int_equal(read_bad("a,b\n1,2\n", &(CsvOptions){ .types = bare, .type_count = 1 }), BAD);
}

static void bad_input(void **unused) {
    (void)unused;
    expect_bad("", "is empty", -1, -1);
    expect_bad("\n\n", "is empty", -1, -1);
    expect_bad("\xEF\xBB\xBF", "is empty", -1, -1);
    expect_bad("a,b\n1,2\n3\n4,5,6\n", "has 1 field, the header has 2", 3, 2);
    expect_bad("a,b\n1,2\n4,5,6\n", "has 3 fields, the header has 2", 3, 5);
    expect_bad("a,b\n1,2\n\n3,4\n", "has 1 field, the header has 2", 3, 1);
    expect_bad("a,b\n1,2\n3", "has 1 field", 3, 2);
    expect_bad("a,b\n1,\"x\ny\n", "never ends", 2, 3);
    expect_bad("a,b\n1,x\"y\n", "quote inside", 2, 4);
    expect_bad("a,b\n1,\"x\"y\n", "after the closing quote", 2, 6);
    expect_bad("a,b\n1,\"x\"y,z\"\n", "after the closing quote", 2, 6);
    expect_bad("a,b\n\"é\n\",1\n2,é\"\n", "quote inside", 4, 4);
    expect_bad("a,a\n1,2\n", "two columns are named 'a'", 1, 1);
    expect_bad("a,,b\n1,2,3\n", "column 2 has no name", 1, 3);
    expect_bad("a,\"\"\n1,2\n", "column 2 has no name", 1, 4);
    expect_bad("a,b\n1,\xFF\n", "not UTF-8", 2, 3);
    expect_bad("a,b\xC3\n1,2\n", "header is not UTF-8", 1, 4);
    expect_bad("a,\"b\n1,2\n", "never ends", 1, 3);
    Table *table = NULL;
    assert_int_equal(csv_read_bytes(&work, "t.csv", "a,b\n1,\0002\n", 9, NULL, &table), BAD);
    assert_int_equal(error.line, 2);
    assert_int_equal(error.place, 3);
}

/* Types from the whole file: what differs may stand anywhere, also far behind the sample. */
static void the_whole_file_counts(void **unused) {
    (void)unused;
    enum { ROWS = 400000 };
    Buffer text = { 0 };
    buffer_text(&text, "a,b,c,d,e,f\n");
    for (int i = 0; i < ROWS; i++)
        buffer_print(&text, "%d,%s,2020-01-01,%s,%d.5,w%d\n", i, i == 333333 ? "2.5" : "7", i == 300001 ? "5" : "", i, i % 70000);
    for (int threads = 1; threads <= 2; threads++) {
        Table *table = read_with(text.bytes, text.count, &(CsvOptions){ .threads = threads });
        static const Type want[] = { INTEGER_TYPE, REAL_TYPE, DATE_TYPE, INTEGER_TYPE, REAL_TYPE, TEXT_TYPE };
        for (int j = 0; j < 6; j++) assert_int_equal(table->column[j]->type, want[j]);
        assert_int_equal(table->rows, ROWS);
        for (int i = 0; i < ROWS; i++) {
            char word[16];
            snprintf(word, sizeof word, "w%d", i % 70000);
            assert_true(column_integer(table->column[0], i) == i && table->column[1]->real[i] == (i == 333333 ? 2.5 : 7));
            assert_true(column_missing(table->column[3], i) == (i != 300001) && table->column[4]->real[i] == i + 0.5);
            assert_string_equal(table->column[5]->bytes + table->column[5]->offset[i], word);
        }
        assert_int_equal(table->column[3]->missing, ROWS - 1);
        table_release(table);
    }
    text.bytes[text.count - 2] = '"'; /* an error in the last chunk has the right line */
    Table *none = NULL;
    assert_int_equal(csv_read_bytes(&work, "t.csv", text.bytes, text.count, NULL, &none), BAD);
    assert_int_equal(error.line, ROWS + 1);
    buffer_free(&text);
}

/* Quoted newlines across the places where the file is cut for the threads. */
static void quotes_across_chunks(void **unused) {
    (void)unused;
    Buffer text = { 0 };
    enum { ROWS = 60000 };
    buffer_text(&text, "a,b\r\n");
    for (int i = 0; i < ROWS; i++)
        buffer_print(&text, "\"line %d\n\n, \"\"second\"\"\r\nlonger and longer, %d\",%d\r\n", i % 500, i % 500, i);
    Table *one = read_with(text.bytes, text.count, &(CsvOptions){ .threads = 1 }),
          *two = read_with(text.bytes, text.count, &(CsvOptions){ .threads = 2 });
    assert_int_equal(one->rows, ROWS);
    assert_int_equal(one->column[0]->type, CATEGORY_TYPE);
    assert_int_equal(one->column[0]->words->count, 500);
    for (int i = 0; i < ROWS; i++) {
        char want[80], number[33];
        snprintf(want, sizeof want, "line %d\n\n, \"second\"\r\nlonger and longer, %d", i % 500, i % 500);
        assert_string_equal(column_cell(one->column[0], i, number), want);
        assert_int_equal(column_integer(one->column[1], i), i);
    }
    assert_true(table_equal(one, two));
    table_release(one);
    table_release(two);
    buffer_free(&text);
}

static void one_long_record(void **unused) {
    (void)unused;
    enum { LONG = 5 << 20 };
    Buffer text = { 0 };
    buffer_text(&text, "a,b\n1,\"");
    for (int i = 0; i < LONG; i++) buffer_char(&text, i % 80 ? 'x' : '\n');
    buffer_text(&text, "\"\n2,y\n");
    Table *table = read_with(text.bytes, text.count, NULL);
    assert_int_equal(table->rows, 2);
    assert_int_equal(column_integer(table->column[0], 1), 2);
    assert_int_equal(strlen(table->column[1]->words->word[0]), LONG);
    table_release(table);
    buffer_free(&text);
}

/* Every kernel cuts records at the same places. */
static void kernels_agree(void **unused) {
    (void)unused;
    Buffer text = { 0 };
    uint64_t state = 1;
    for (int i = 0; i < 3000; i++) {
        for (int j = 0; j < 3; j++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            if (state >> 60 == 0) buffer_text(&text, "\"a,\n\"\"\"");
            else
                for (uint64_t k = 0; k < state >> 59; k++) buffer_char(&text, 'x');
            buffer_char(&text, j < 2 ? ',' : '\n');
        }
    }
    Piece piece[3] = { 0 };
    for (int width = 0; width <= csv_width(); width++) {
        Csv csv = { .work = work,
                    .options = &(CsvOptions){ 0 },
                    .file = "t",
                    .bytes = text.bytes,
                    .data = text.bytes,
                    .end = text.bytes + text.count,
                    .separator = ',',
                    .columns = 3,
                    .width = width };
        assert_int_equal(piece_next(&csv, &piece[width], csv.data, csv.end, SIZE_MAX / 2, &error), OK);
        assert_int_equal(piece[width].rows, 3000);
        assert_memory_equal(piece[0].ends, piece[width].ends, 9000 * sizeof(uint32_t));
        assert_int_equal(csv_chunks(&csv), OK);
        assert_int_equal(csv.rows, 3000);
    }
    for (int width = 0; width < 3; width++) piece_free(&piece[width]);
    buffer_free(&text);
}

/* Numbers of every length and shape, against the general readers. */
static void fast_numbers(void **unused) {
    (void)unused;
    uint64_t state = 3;
    for (int trial = 0; trial < 300000; trial++) {
        char bytes[64] = "xxxxxxxxxxxxxxxxxxxxxxxx", *at = bytes + 24, *end = at;
        state = state * 6364136223846793005u + 1442695040888963407u;
        int length = 1 + (int)(state >> 59) % 19;
        for (int i = 0; i < length; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            *end++ = "0123456789012345678901234567890123456789012345678.-+e:/"[(state >> 40) % (trial % 2 ? 49 : 55)];
        }
        if (trial % 3 == 0) at[(state >> 33) % (uint64_t)length] = '.';
        int64_t a = 0, b = 0;
        double x = 0, y = 0;
        uint8_t fraction = 0;
        if (short_integer(at, end, &a)) assert_true(csv_class(at, end, '.') == IS_INTEGER && read_integer(at, end, &b) && a == b);
        else if (length <= 8) assert_true(csv_class(at, end, '.') != IS_INTEGER || *at == '-' || *at == '+');
        if (short_real(at, end, '.', &x, &fraction)) {
            x /= exact_power[fraction];
            assert_true(csv_class(at, end, '.') <= IS_REAL && read_real(at, end, '.', &y) && !memcmp(&x, &y, 8));
        }
    }
}

static void category_or_text(void **unused) {
    (void)unused;
    for (int distinct = 500; distinct <= 600; distinct += 100) {
        Buffer text = { 0 };
        buffer_text(&text, "a\n");
        for (int i = 0; i < 1100; i++) buffer_print(&text, "w%d\n", i % distinct);
        Table *table = read_text(buffer_get(&text));
        assert_int_equal(table->column[0]->type, distinct == 500 ? CATEGORY_TYPE : TEXT_TYPE);
        if (distinct == 500)
            for (int i = 1; i < table->column[0]->words->count; i++)
                assert_true(strcmp(table->column[0]->words->word[i - 1], table->column[0]->words->word[i]) < 0);
        table_release(table);
        buffer_free(&text);
    }
}

/* Words that seem not to repeat within a chunk may repeat in the file. */
static void words_far_apart(void **unused) {
    (void)unused;
    enum { ROWS = 500000, DISTINCT = 60000 };
    Buffer text = { 0 };
    buffer_text(&text, "a,b\n");
    for (int i = 0; i < ROWS; i++)
        buffer_print(&text, "word %d,a longer word that begins and ends the same %d; %d; and here it ends\n", i % DISTINCT, i % 7,
                     i % DISTINCT / 30);
    Table *table = read_with(text.bytes, text.count, NULL);
    assert_int_equal(table->column[0]->type, CATEGORY_TYPE);
    assert_int_equal(table->column[0]->words->count, DISTINCT);
    assert_int_equal(table->column[1]->type, CATEGORY_TYPE);
    for (int i = 0; i < ROWS; i++) {
        char word[128], number[33];
        snprintf(word, sizeof word, "word %d", i % DISTINCT);
        assert_string_equal(column_cell(table->column[0], i, number), word);
        snprintf(word, sizeof word, "a longer word that begins and ends the same %d; %d; and here it ends", i % 7, i % DISTINCT / 30);
        assert_string_equal(column_cell(table->column[1], i, number), word);
    }
    table_release(table);
    buffer_free(&text);
}

/* ---- writing ---- */

static void writes(const char *in, const char *want) {
    Table *table = read_text(in);
    Buffer out = { 0 };
    csv_write_buffer(table, NULL, &out);
    assert_string_equal(buffer_get(&out), want);
    Table *again = read_with(out.bytes, out.count, NULL);
    assert_true(table_equal(table, again));
    table_release(again);
    table_release(table);
    buffer_free(&out);
}

static void writing(void **unused) {
    (void)unused;
    writes("a,b\n1,x\n,\n", "a,b\n1,x\n,\n");
    writes("a\n1.0\n2\n", "a\n1.0\n2.0\n");
    writes("a\n1.0\n-0.0\n1e21\n", "a\n1.0\n-0.0\n1e21\n");
    writes("a\n1.50\n2\n", "a\n1.5\n2\n");
    writes("a\n0.5\n9223372036854775808.0\n", "a\n0.5\n9223372036854776000.0\n");
    writes("a\n\"1\"\n\"2\"\n", "a\n\"1\"\n\"2\"\n");
    writes("a\n\"1\"\nx\n", "a\n1\nx\n");
    writes("a,b\n\"\",\"2020-01-01\"\n", "a,b\n\"\",\"2020-01-01\"\n");
    writes("a,b\n\"x,y\",\"p\"\"q\"\n", "a,b\n\"x,y\",\"p\"\"q\"\n");
    writes("a\n1\n\n3\n\n", "a\n1\n\n3\n\n");
    writes("a\n007\n", "a\n007\n");
    writes("\"a;b\",c\n1,2\n", "\"a;b\",c\n1,2\n");
    writes("\"a;b\"\n\"1\"\n", "\"a;b\"\n\"1\"\n");
    writes("a\n\"x;y\"\n", "a\n\"x;y\"\n");
    Table *table = read_text("a,b\n1.5,x\n"), *none = NULL;
    Buffer out = { 0 };
    csv_write_buffer(table, &(CsvOptions){ .decimal = ',' }, &out);
    assert_string_equal(buffer_get(&out), "a;b\n1,5;x\n");
    buffer_free(&out);
    table_release(table);
    table = read_text("\"PK\003\004\",b\n1,2\n"); /* a name that would make an archive of the file */
    csv_write_buffer(table, NULL, &out);
    assert_string_equal(buffer_get(&out), "\"PK\003\004\",b\n1,2\n");
    buffer_free(&out);
    table_release(table);
    expect_bad("PK\003\004", "is a ZIP archive", -1, -1);
    assert_int_equal(table_new("t", NULL, 0, 3, &none, &error), OK);
    assert_int_equal(csv_write(&work, none, "/dev/null", NULL), BAD);
    table_release(none);
}

/* Words that look like anything, so that the writer must think. */
static const char *random_word(RandomReader *reader, char out[64]) {
    static const char *const known[] = { "",    "1",  "-7",   "1.5", "1e5", "007", "2020-02-29", "nan",
                                         "Inf", "NA", ".",    "x",   "a,b", "a;b", "\"",         "\"\"",
                                         "\n",  "\r", "\r\n", " ",   " 1",  "é",   "日本",       "9223372036854775808",
                                         "-0",  "+3", "a\tb", "a|b", "0",   "0.0", "x\"y",       "\xEF\xBB\xBF" };
    size_t which = reader_below(reader, sizeof known / sizeof *known + 4);
    if (which < sizeof known / sizeof *known) return strcpy(out, known[which]);
    snprintf(out, 64, "%llu", (unsigned long long)reader_below(reader, 3000));
    return out;
}

static Column *random_column(RandomReader *reader, int64_t rows, int j) {
    Column *column = NULL;
    char name[80], word[64];
    snprintf(name, sizeof name, "c%d%s", j, reader_below(reader, 2) ? "" : random_word(reader, word));
    Type type = (Type)reader_below(reader, 5);
    bool some_missing = reader_below(reader, 2), whole = reader_below(reader, 2), numbers = reader_below(reader, 3) == 0;
    if (type == TEXT_TYPE || type == CATEGORY_TYPE) {
        char(*words)[64] = calloc((size_t)rows + 1, 64);
        const char **cells = calloc((size_t)rows + 1, sizeof *cells);
        for (int64_t i = 0; i < rows; i++) {
            random_word(reader, words[i]);
            if (numbers || type == TEXT_TYPE)
                snprintf(words[i], 64, "%lld", (long long)(type == TEXT_TYPE ? i : (int64_t)reader_below(reader, 9)));
            cells[i] = i && some_missing && reader_below(reader, 4) == 0 ? NULL : words[i];
        }
        assert_int_equal(
            type == TEXT_TYPE ? column_text(name, cells, rows, &column, &error) : column_category(name, cells, rows, &column, &error), OK);
        free(words);
        free(cells);
        return column;
    }
    assert_int_equal(column_new(type, name, rows, &column, &error), OK);
    assert_int_equal(column_need_valid(column, &error), OK);
    for (int64_t i = 0; i < rows; i++) {
        uint64_t bits = reader_word(reader);
        if (type == DATE_TYPE) column->date[i] = (int32_t)bits;
        else if (type == INTEGER_TYPE) column->integer[i] = (int64_t)bits >> (bits & 63);
        else {
            memcpy(&column->real[i], &bits, 8);
            if (!isfinite(column->real[i]) || reader_below(reader, 2)) column->real[i] = (double)(int64_t)bits / 1024;
            if (whole) column->real[i] = rint(column->real[i]);
        }
        if (i && some_missing && reader_below(reader, 3) == 0) column_set_missing(column, i);
    }
    column_seal(column);
    return column;
}

static void expect_same(const Table *a, const Table *b, int trial) {
    if (table_equal(a, b)) return;
    for (int64_t j = 0; j < a->columns; j++) {
        if (strcmp(a->column[j]->name, b->column[j]->name))
            fail_msg("trial %d: column %s became %s", trial, a->column[j]->name, b->column[j]->name);
        if (a->column[j]->type != b->column[j]->type)
            fail_msg("trial %d: %s: %s became %s", trial, a->column[j]->name, type_name(a->column[j]->type), type_name(b->column[j]->type));
    }
    fail_msg("trial %d: cells differ", trial);
}

/* Any table with a value in each column (text with many distinct values) is the same after writing and reading. */
static void there_and_back(void **unused) {
    (void)unused;
    Seed seed = seed_from_number(7);
    RandomStream stream = stream_make(&seed, "test", 0, "csv", "tables");
    RandomReader reader = reader_make(&stream);
    static const char *const paths[] = { "", "csv-test.tsv", "csv-test.csv.gz", "csv-test.csv.zst" };
    const char *na[] = { "NA", "." };
    for (int trial = 0; trial < 400; trial++) {
        bool long_table = trial % 20 == 0;
        int64_t rows = long_table ? 1001 + (int64_t)reader_below(&reader, 30000) : 1 + (int64_t)reader_below(&reader, 6),
                count = 1 + (int64_t)reader_below(&reader, 4);
        Column *columns[4];
        for (int j = 0; j < count; j++) {
            do columns[j] = random_column(&reader, rows, j);
            while (columns[j]->type == TEXT_TYPE && !long_table && (column_release(columns[j]), true)); /* few words are a category */
        }
        Table *table = NULL, *again = NULL;
        assert_int_equal(table_new("t", columns, count, rows, &table, &error), OK);
        const char *path = paths[trial % 4];
        CsvOptions options = { .threads = 1 + trial % 2,
                               .decimal = trial % 3 == 0 ? ',' : '.',
                               .na = na,
                               .na_count = trial % 5 == 0 ? 2 : 0 };
        if (*path) {
            assert_int_equal(csv_write(&work, table, path, &options), OK);
            options.threads = 2;
            assert_int_equal(csv_read(&work, path, &options, &again), OK);
            unlink(path);
        } else {
            Buffer out = { 0 };
            csv_write_buffer(table, &options, &out);
            again = read_with(out.bytes, out.count, &options);
            buffer_free(&out);
        }
        expect_same(table, again, trial);
        table_release(table);
        table_release(again);
        for (int j = 0; j < count; j++) column_release(columns[j]);
    }
}

static void same_bytes_for_any_threads(void **unused) {
    (void)unused;
    Seed seed = seed_from_number(8);
    RandomStream stream = stream_make(&seed, "test", 0, "csv", "threads");
    RandomReader reader = reader_make(&stream);
    Column *columns[4];
    for (int j = 0; j < 4; j++) columns[j] = random_column(&reader, 50000, j);
    Table *table = NULL;
    assert_int_equal(table_new("t", columns, 4, 50000, &table, &error), OK);
    char hash[2][65];
    for (int threads = 1; threads <= 2; threads++) {
        assert_int_equal(csv_write(&work, table, "csv-test.csv", &(CsvOptions){ .threads = threads }), OK);
        assert_int_equal(file_hash("csv-test.csv", hash[threads - 1], &error), OK);
        unlink("csv-test.csv");
    }
    assert_string_equal(hash[0], hash[1]);
    table_release(table);
    for (int j = 0; j < 4; j++) column_release(columns[j]);
}

static void encodings(void **unused) {
    (void)unused;
    FILE *file = fopen("csv-test.csv", "wb");
    fwrite("n\xE4me,b\nM\xFCller,1\n", 1, 16, file);
    fclose(file);
    Table *table = NULL;
    assert_int_equal(csv_read(&work, "csv-test.csv", &(CsvOptions){ .encoding = "latin1" }, &table), OK);
    assert_string_equal(shown(table), "category näme: <Müller>; integer b: 1");
    table_release(table);
    table = NULL;
    assert_int_equal(csv_read(&work, "csv-test.csv", &(CsvOptions){ .encoding = "no-such" }, &table), BAD);
    assert_int_equal(csv_read(&work, "csv-test.csv", NULL, &table), BAD);
    file = fopen("csv-test.csv", "wb");
    fwrite("\xFF\xFE"
           "a\0\n\0"
           "1\0\n\0",
           1, 10, file);
    fclose(file);
    assert_int_equal(csv_read(&work, "csv-test.csv", NULL, &table), BAD);
    assert_int_equal(csv_read(&work, "csv-test.csv", &(CsvOptions){ .encoding = "utf-16" }, &table), OK);
    assert_string_equal(shown(table), "integer a: 1");
    table_release(table);
    unlink("csv-test.csv");
}

/* Where a guarantee hides single records, a cell that is no UTF-8 ends nothing: it is kept for a schema, or missing in a column of any type,
 * which stays of that type. */
static void odd_bytes(void **unused) {
    (void)unused;
    static const char text[] =
        "i,r,d,c,q\n1,0.5,2020-01-01,a,\"x\"\n2\xff,0.\xff,2020-01-\xff,\xff,\"\xff\"\n3,2.5,2020-01-03,b,\"a\xc3\"\n";
    Table *table = NULL;
    assert_int_equal(read_bad(text, NULL), BAD);
    assert_non_null(strstr(error.message, "UTF-8"));
    error = ERROR_NONE;
    table = read_with(text, sizeof text - 1, &(CsvOptions){ .odd_bytes = ODD_BYTES_MISSING });
    assert_string_equal(shown(table),
                        "integer i: 1 ~ 3; real r: 0.5 ~ 2.5; date d: 2020-01-01 ~ 2020-01-03; category c: <a> ~ <b>; category q: <x> ~ ~");
    table_release(table);
    table = read_with(text, sizeof text - 1, &(CsvOptions){ .odd_bytes = ODD_BYTES_KEPT });
    assert_int_equal(table->column[0]->type, CATEGORY_TYPE);
    assert_int_equal(table->column[3]->missing, 0);
    table_release(table);
}

static void packed_files_cut_short(void **unused) {
    (void)unused;
    static const char *const paths[] = { "csv-test.csv.gz", "csv-test.csv.zst" };
    Table *table = read_text("a,b\n1,2\n"), *none = NULL;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(csv_write(&work, table, paths[i], NULL), OK);
        struct stat about;
        assert_int_equal(stat(paths[i], &about), 0);
        assert_int_equal(truncate(paths[i], about.st_size - 3), 0);
        assert_int_equal(csv_read(&work, paths[i], NULL, &none), BAD);
        assert_int_equal(file_write(paths[i], "a,b\n1,2\n", 8, false, &error), OK);
        assert_int_equal(csv_read(&work, paths[i], NULL, &none), BAD);
        unlink(paths[i]);
    }
    table_release(table);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
int main(void) {
    char folder[] = "/tmp/csv-test-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder)) return 1;
    const struct CMUnitTest tests[] = { TEST(types_are_found),
                                        TEST(syntax),
                                        TEST(missing_and_empty),
                                        TEST(quoted_numbers),
                                        TEST(separators),
                                        TEST(declared_types),
                                        TEST(bad_input),
                                        TEST(the_whole_file_counts),
                                        TEST(quotes_across_chunks),
                                        TEST(one_long_record),
                                        TEST(kernels_agree),
                                        TEST(fast_numbers),
                                        TEST(category_or_text),
                                        TEST(words_far_apart),
                                        TEST(writing),
                                        TEST(there_and_back),
                                        TEST(same_bytes_for_any_threads),
                                        TEST(odd_bytes),
                                        TEST(encodings),
                                        TEST(packed_files_cut_short) };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return chdir("/") || rmdir(folder) || failed;
}
