/* HTML: well-formed, on its own, and with nothing of the data taken for markup. */
#include <string.h>
#include "sample.h"
#include "wellformed.h"

static void alone(const char *html) {
    static const char *const foreign[] = { "<script", "<link", "<img", "@import", "url(", "src=", "javascript:", "https://", NULL };
    assert_wellformed(html);
    for (int i = 0; foreign[i]; i++)
        if (strstr(html, foreign[i])) fail_msg("the page has %s", foreign[i]);
    for (const char *p = html; (p = strstr(p, "http://")); p++) assert_memory_equal(p, "http://www.w3.org/2000/svg", 26);
}

static void page(void **state) {
    (void)state;
    Result *result = sample();
    Buffer out = { 0 };
    render_html(result, "A <title> & \"more\"", &out);
    const char *html = buffer_get(&out);
    alone(html);
    assert_non_null(strstr(html, "<title>A &lt;title&gt; &amp; &quot;more&quot;</title>"));
    assert_non_null(strstr(html, "a&lt;b&gt;&amp;&quot;c&quot;"));
    assert_non_null(strstr(html, "<svg"));
    assert_non_null(strstr(html, "Fewest records in a class"));
    assert_null(strstr(html, "hunter2"));
    buffer_free(&out);
    result_free(result);
}

static void empty(void **state) {
    (void)state;
    Result *result = result_new("risk.x");
    grid_done(grid_new(result, "none", "a:integer"));
    Buffer out = { 0 };
    render_html(result, NULL, &out);
    alone(buffer_get(&out));
    assert_non_null(strstr(out.bytes, "<title>risk.x</title>"));
    buffer_free(&out);
    result_free(result);
}

static void report(void **state) {
    (void)state;
    Result *result = sample();
    const ReportRule rules[] = { { "risk.k-anonymity.k >= 3", false, "1", NULL }, { "a.b.c < 0", false, NULL, "no <keys>" } };
    const NamedResult results[] = { { "one", result }, { "two", result }, { "three & four", result } };
    const char *const notes[] = { "attack.roc: needs <known>" }, *const lines[] = { "Input: clinic.csv" };
    Report it = { .title = "Audit of a&b",
                  .verdict = "Not fit <yet>.",
                  .level = VERDICT_WARN,
                  .rules = 2,
                  .rule = rules,
                  .results = 3,
                  .result = results,
                  .notes = 1,
                  .note = notes,
                  .provenances = 1,
                  .provenance = lines };
    Buffer out = { 0 };
    render_report(&it, &out);
    const char *html = buffer_get(&out);
    alone(html);
    const char *verdict = strstr(html, "Not fit &lt;yet&gt;.");
    assert_non_null(verdict);
    assert_true(verdict < strstr(html, "risk.k-anonymity.k &gt;= 3")); /* the verdict comes first */
    assert_non_null(strstr(html, "not computed"));
    assert_non_null(strstr(html, "href=\"#r2\""));
    buffer_free(&out);
    it = (Report){ .verdict = "Nothing to say.", .level = VERDICT_GOOD };
    render_report(&it, &out);
    alone(buffer_get(&out));
    buffer_free(&out);
    result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(page), cmocka_unit_test(empty), cmocka_unit_test(report) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
