/* Text: a golden page, cutting, wrapping, and nothing that a terminal would obey. */
#include <stdlib.h>
#include <string.h>
#include "sample.h"

static char *page(const Result *result, int width, bool colour) {
    Buffer out = { 0 };
    render_text(result, width, colour, &out);
    buffer_get(&out);
    return out.bytes;
}

static void golden(void **state) {
    (void)state;
    Result *result = sample();
    char *text = page(result, 60, false);
    assert_string_equal(text, "risk.k-anonymity  Count the records that share each\n"
                              "    combination of keys\n"
                              "\n"
                              "  k                      1   Fewest records in a class\n"
                              "  share           0.333333\n"
                              "  rule    wildcard\n"
                              "  theta                  –\n"
                              "  scale                  ∞\n"
                              "  worlds  9007199254740993\n"
                              "\n"
                              "suppressed  Cells suppressed, by key\n"
                              "  key       cells  share\n"
                              "  sex          12   0.5\n"
                              "  a<b>&\"c\"      9  12.25\n"
                              "  –             –   –\n"
                              "\n"
                              "Notes\n"
                              "  - theta is null: no class has two records\n"
                              "  - A missing key agrees with every value\n"
                              "\n"
                              "inner\n"
                              "\n"
                              "  max_risk  0.25\n"
                              "\n"
                              "Parameters\n"
                              "  data = clinic.csv; keys = sex,`a,b`,7; k = 3 (default);\n"
                              "  code = 007; password = (secret)\n"
                              "\n"
                              "1 chart (--format html)\n");
    free(text);
    result_free(result);
}

static void long_table(void **state) {
    (void)state;
    Result *result = result_new("risk.x");
    Grid *grid = grid_new(result, "long", "row:integer");
    for (int i = 0; i < 20020; i++) grid_integer(grid, i);
    grid_done(grid);
    char *text = page(result, 80, false);
    assert_non_null(strstr(text, "   39\n  … and 19,980 more rows (use -o or --format json)\n"));
    assert_null(strstr(text, "   40\n"));
    free(text);
    result_free(result);
}

static int widest_line(const char *text) {
    int widest = 0;
    char *copy = strdup(text), *state = NULL;
    for (char *line = strtok_r(copy, "\n", &state); line; line = strtok_r(NULL, "\n", &state))
        widest = utf8_width(line) > widest ? utf8_width(line) : widest;
    free(copy);
    return widest;
}

static void wide_table(void **state) {
    (void)state;
    Result *result = result_new("risk.x");
    Grid *grid = grid_new(result, "wide", "first:text second:text a:integer b:integer c:integer d:integer e:integer f:integer g:integer");
    for (int i = 0; i < 2; i++) grid_text(grid, "a very long text that goes on and on, 日本語 too, and does not end before the edge");
    for (int i = 0; i < 7; i++) grid_integer(grid, 123456789);
    grid_done(grid);
    char *text = page(result, 60, false);
    assert_non_null(strstr(text, "a very …"));
    assert_non_null(strstr(text, "… and 4 more columns: d, e, f, g"));
    assert_true(widest_line(text) <= 60);
    free(text);
    result_free(result);
}

static void empty(void **state) {
    (void)state;
    Result *result = result_new("risk.x");
    char *text = page(result, 0, false);
    assert_string_equal(text, "risk.x\n");
    free(text);
    grid_done(grid_new(result, "none", "a:integer"));
    text = page(result, 0, false);
    assert_string_equal(text, "risk.x\n\nnone\n  (empty)\n");
    free(text);
    result_free(result);
}

static void harmless(void **state) {
    (void)state;
    Result *result = result_new("risk.x");
    result_text(result, "name", "\x1b[2Jgone");
    result_note(result, "note \x1b]0;title\x07 and a line\nbreak");
    char *text = page(result, 80, false);
    for (const char *p = text; *p; p++) assert_true((unsigned char)*p >= 0x20 || *p == '\n');
    assert_non_null(strstr(text, "␛[2Jgone"));
    free(text);
    text = page(result, 80, true);
    assert_non_null(strstr(text, "\x1b[1mrisk.x\x1b[0m"));
    assert_null(strstr(text, "\x1b[2J"));
    free(text);
    result_free(result);
}

static void wrapped_notes(void **state) {
    (void)state;
    Result *result = result_new("risk.x");
    result_note(result, "%s", "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen");
    result_note(result, "%s", "averylongwordthatcannotbebrokenanywhereandgoesbeyondtheedgeofthepageinanycase");
    char *text = page(result, 40, false);
    assert_non_null(strstr(text, "  - one two three four five six seven\n    eight nine ten"));
    free(text);
    result_free(result);
}

static void report(void **state) {
    (void)state;
    Result *result = sample();
    const ReportRule rules[] = { { "risk.k-anonymity.k >= 3", false, "1", NULL, "Smallest class: must be at least 3, is 1" },
                                 { "a.b.c == 0", false, NULL, "no keys", NULL },
                                 { "a.b.d <= 1", true, "0.5", NULL, NULL } };
    const NamedResult results[] = { { "risk.k-anonymity", result } };
    const char *const notes[] = { "attack.roc: needs --known" }, *const lines[] = { "Input: clinic.csv" };
    Report it = { .title = "Audit",
                  .verdict = "Not fit for release.",
                  .level = VERDICT_BAD,
                  .rules = 3,
                  .rule = rules,
                  .results = 1,
                  .result = results,
                  .notes = 1,
                  .note = notes,
                  .provenances = 1,
                  .provenance = lines };
    Buffer out = { 0 };
    render_report_text(&it, 80, false, &out);
    const char *text = buffer_get(&out);
    assert_memory_equal(text, "Audit\nNot fit for release.\n", 27);
    assert_non_null(strstr(text, "  violated   Smallest class: must be at least 3, is 1 (risk.k-anonymity.k >= 3)\n"));
    assert_non_null(strstr(text, "  violated   a.b.c == 0 could not be computed (no keys)\n"));
    assert_non_null(strstr(text, "  satisfied  a.b.d <= 1 observed: 0.5\n"));
    buffer_free(&out);
    result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),   cmocka_unit_test(long_table),    cmocka_unit_test(wide_table), cmocka_unit_test(empty),
        cmocka_unit_test(harmless), cmocka_unit_test(wrapped_notes), cmocka_unit_test(report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
