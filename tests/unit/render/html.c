/* HTML: well-formed, on its own, and with nothing of the data taken for markup. */
#include <string.h>
#include <math.h>
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

/* One page to sign: findings before costs, pictures before what is folded; amounts as people read them. */
static void first_page(void **state) {
    (void)state;
    Result *result = sample();
    const ReportLine lines[] = { { "identity", "found <for> certain", false, 256, 0 },
                                 { "inferential", "more guesses", true, NAN, .1234 } };
    const ReportPair costs[] = { { "Cells suppressed", "35" } };
    const ReportMeasure measures[] = { { "identity", "risk.x", "k", "1", "4", "better", "The least" },
                                       { "utility", "utility.y", "loss", NULL, "3%", NULL, "What it cost" } };
    const char *const next[] = { "mend <it>" };
    Report it = { .verdict = "Fit.",
                  .level = VERDICT_GOOD,
                  .lines = 2,
                  .line = lines,
                  .costs = 1,
                  .cost = costs,
                  .measures = 2,
                  .measure = measures,
                  .nexts = 1,
                  .next = next,
                  .charts = result->charts,
                  .chart = (const Chart *const *)result->chart,
                  .author = "A & B" };
    Buffer out = { 0 };
    render_report(&it, &out);
    const char *html = buffer_get(&out), *fold = strstr(html, "<h2>Details");
    alone(html);
    assert_null(fold); /* nothing to fold */
    assert_non_null(strstr(html, "found &lt;for&gt; certain</td><td class=\"number\">256</td><td class=\"number good\">0</td>"));
    assert_non_null(strstr(html, "12.3<"));
    assert_non_null(strstr(html, "✓ better"));
    assert_non_null(strstr(html, "A &amp; B"));
    assert_true(strstr(html, "Who is still at risk") < strstr(html, "Cells suppressed"));
    assert_true(strstr(html, "<svg") < strstr(html, "Sign-off"));
    assert_non_null(strstr(html, "mend &lt;it&gt;"));
    buffer_free(&out);
    result_free(result);
}

static void report(void **state) {
    (void)state;
    Result *result = sample();
    const ReportRule rules[] = { { "risk.k-anonymity.k >= 3", false, "1", NULL, "Smallest class: must be at least 3, is 1" },
                                 { "a.b.c < 0", false, NULL, "no <keys>", NULL } };
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
    assert_non_null(strstr(html, "<details><summary><b>three &amp; four</b>"));
    assert_non_null(strstr(html, "Sign-off"));
    buffer_free(&out);
    it = (Report){ .verdict = "Nothing to say.", .level = VERDICT_GOOD };
    render_report(&it, &out);
    alone(buffer_get(&out));
    buffer_free(&out);
    result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(page), cmocka_unit_test(empty), cmocka_unit_test(report),
                                        cmocka_unit_test(first_page) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
