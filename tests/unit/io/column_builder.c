/* Columns that grow cell by cell: text that is none is an error that says where, whatever it came from. */
#include <string.h>
#include "testing.h"
#include "io/column_builder.h"

static void bad_text(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        const char *why;
    } list[] = { { "a\0b", 3, "NUL" },
                 { "\xFF", 1, "UTF-8" },
                 { "01234567\xC3(", 10, "UTF-8" },
                 { "0123456\0", 8, "NUL" },
                 { "wörd", 5, NULL } };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        Error error = ERROR_NONE;
        Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
        ColumnBuilder build = { 0 };
        Column *column = NULL;
        assert_int_equal(builder_open(&build, "x", TEXT_TYPE, 0, &error), OK);
        assert_true(builder_text(&build, "good", 4) && builder_text(&build, list[i].text, list[i].length) &&
                    builder_text(&build, "good", 4));
        assert_int_equal(builder_close(&build, &work, &column), list[i].why ? BAD : OK);
        if (list[i].why) {
            assert_non_null(strstr(error.message, list[i].why));
            assert_string_equal(error.column, "x");
            assert_int_equal(error.row, 1);
        } else column_release(column);
        arena_free(work.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(bad_text) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
