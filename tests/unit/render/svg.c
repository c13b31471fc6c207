/* SVG: well-formed for every kind and every oddity; ticks where a person would put them. */
#include <stdlib.h>
#include <string.h>
#include "base/number_text.h"
#include "render/chart/plot.h"
#include "sample.h"
#include "wellformed.h"

static char *drawn(const Chart *chart, int width, int height) {
    Buffer out = { 0 };
    render_svg(chart, width, height, &out);
    assert_wellformed(buffer_get(&out));
    assert_null(strstr(out.bytes, "nan"));
    assert_null(strstr(out.bytes, "inf\""));
    return out.bytes;
}
static void check(const Chart *chart) {
    static const int sizes[][2] = { { 720, 400 }, { 160, 120 }, { 1, 1 }, { 2000, 300 } };
    for (int i = 0; i < 4; i++) free(drawn(chart, sizes[i][0], sizes[i][1]));
}

static void ticks(void **state) {
    (void)state;
    const struct {
        double low, high;
        bool log;
        int wanted;
        const char *want;
    } cases[] = {
        { 0, 1, false, 5, "0.0 0.2 0.4 0.6 0.8 1.0" },
        { 0, 97, false, 5, "0 20 40 60 80 100" },
        { -3, 3, false, 6, "-3 -2 -1 0 1 2 3" },
        { 0, 23000, false, 4, "0 10,000 20,000 30,000" },
        { 0, 8000, false, 4, "0 2000 4000 6000 8000" },
        { 5, 5, false, 4, "4.5 5.0 5.5" },
        { 0, 0, false, 2, "0.0 0.5 1.0" },
        { 1, 1000, true, 5, "1 10 100 1000" },
        { 1, 100000, true, 6, "1 10 100 1,000 10,000 100,000" },
        { 2, 30, true, 5, "1 2 5 10 20" },
        { 1e-6, 1, true, 6, "10⁻⁶ 10⁻⁵ 10⁻⁴ 10⁻³ 10⁻² 10⁻¹ 10⁰" },
        { 0, 2e9, false, 2, "0 1×10⁹ 2×10⁹" },
        { 1.2e9, 1.3e9, false, 2, "1.20×10⁹ 1.25×10⁹ 1.30×10⁹" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Axis axis = { .log = cases[i].log };
        Buffer seen = { 0 };
        axis_fit(&axis, cases[i].low, cases[i].high, false, true, cases[i].wanted);
        for (int t = 0; t < axis.ticks; t++) {
            if (t) buffer_char(&seen, ' ');
            axis_text(&axis, axis.tick[t], &seen);
        }
        assert_string_equal(buffer_get(&seen), cases[i].want);
        buffer_free(&seen);
    }
}

static void scales(void **state) {
    (void)state;
    Axis axis = { .from = 0, .to = 100 };
    axis_fit(&axis, -1.7e308, 1.7e308, false, false, 4);
    assert_true(fabs(axis_at(&axis, 0) - 50) < 1e-9);
    axis = (Axis){ .from = 100, .to = 0, .log = true };
    axis_fit(&axis, 1, 100, false, true, 4);
    assert_true(fabs(axis_at(&axis, 10) - 50) < 1e-9);
}

/* Every kind with: no series, an empty series, one mark, missing and infinite marks, marks on logarithmic axes, two series, 10,000 marks.
 */
static void every_kind(void **state) {
    (void)state;
    double *x = calloc(50001, sizeof *x), *y = calloc(50001, sizeof *y), *z = calloc(50001, sizeof *z);
    const char **text = calloc(10001, sizeof *text);
    char(*names)[24] = calloc(10001, sizeof *names);
    for (int i = 0; i <= 50000; i++) {
        x[i] = i % 100 - 7;
        y[i] = (i * 37) % 1009 - 3;
        z[i] = (i * 13) % 91 - 9;
    }
    for (int i = 0; i <= 10000; i++) {
        snprintf(names[i], sizeof names[i], "<n&%d \"q\">", i);
        text[i] = i % 9 ? names[i] : NULL;
    }
    y[3] = NAN, y[4] = INFINITY, x[5] = -INFINITY, z[6] = NAN;
    for (int kind = CHART_LINE; kind <= CHART_BOX; kind++)
        for (int shape = 0; shape < 8; shape++) {
            Result *result = result_new("t");
            Chart *chart = result_chart(result, (ChartKind)kind, shape % 2 ? "Title <&> \"x\"" : NULL, "x <", "y &");
            static const int64_t counts[] = { 0, 0, 1, 7, 30, 30, 500, 10000 };
            chart->log_x = chart->log_y = shape == 4;
            chart->z_label = "z";
            if (shape) chart_series(chart, "a <b>", counts[shape], x, y, z, text);
            if (shape == 5 || shape == 7) {
                chart_series(chart, NULL, counts[shape] / 2, x, y, z, text);
                chart->series[1].emphasised = true;
            }
            if (shape == 3) chart_series(chart, "no data", 3, NULL, NULL, NULL, NULL);
            check(chart);
            result_free(result);
        }
    free(x), free(y), free(z), free(text), free(names);
}

static void accessible(void **state) {
    (void)state;
    Result *result = sample();
    char *svg = drawn(result->chart[0], 720, 400);
    assert_non_null(strstr(svg, "role=\"img\""));
    assert_non_null(strstr(svg, "<title>Cells &lt;by&gt; &quot;key&quot; &amp; more</title>"));
    assert_non_null(strstr(svg, "<desc>Bar chart of Cells by Key: 2 marks.</desc>"));
    assert_non_null(strstr(svg, "<title>sex: 12</title>"));
    free(svg);
    result_free(result);
}

static int64_t occurrences(const char *text, const char *of) {
    int64_t count = 0;
    for (; (text = strstr(text, of)); text++) count++;
    return count;
}

static void legend_and_diagonal(void **state) {
    (void)state;
    Result *result = result_new("t");
    Chart *chart = result_chart(result, CHART_LINE, "ROC", "fpr", "tpr");
    const double x[] = { 0, 0.5, 1 }, y[] = { 0, 0.8, 1 };
    chart_series(chart, "alpha", 3, x, y, NULL, NULL);
    char *svg = drawn(chart, 500, 400);
    assert_null(strstr(svg, ">alpha</text>")); /* one series: no legend */
    assert_null(strstr(svg, "class=\"reference\""));
    free(svg);
    chart_series(chart, "beta", 3, x, y, NULL, NULL);
    chart->diagonal = true;
    svg = drawn(chart, 500, 400);
    assert_non_null(strstr(svg, ">alpha</text>"));
    assert_non_null(strstr(svg, ">beta</text>"));
    assert_int_equal(occurrences(svg, "class=\"reference\""), 1);
    free(svg);
    result_free(result);
}

static void left_out(void **state) {
    (void)state;
    Result *result = result_new("t");
    Chart *chart = result_chart(result, CHART_SCATTER, "t", "x", "y");
    chart_series(chart, "s", 4, (double[]){ 1, NAN, 2, 3 }, (double[]){ 1, 1, INFINITY, 2 }, NULL, NULL);
    char *svg = drawn(chart, 500, 400);
    assert_non_null(strstr(svg, "2 marks not drawn: missing or infinite"));
    free(svg);
    result_free(result);
}

static void ten_thousand(void **state) {
    (void)state;
    Result *result = result_new("t");
    Chart *chart = result_chart(result, CHART_SCATTER, "t", "x", "y");
    double *x = calloc(25000, sizeof *x);
    for (int i = 0; i < 25000; i++) x[i] = i;
    chart_series(chart, "s", 25000, x, x, NULL, NULL);
    assert_int_equal(chart->series[0].count, 10000);
    char *svg = drawn(chart, 720, 400);
    assert_true(strlen(svg) < 300000);
    assert_int_equal(occurrences(svg, "h0"), 10000);
    free(svg);
    free(x);
    result_free(result);
}

/* A policy's line, bars of error, the finding in words, and labels that fall back to their number where there is no room. */
static void findings(void **state) {
    (void)state;
    static const char *const few[] = { "1", "2", "3+" };
    const double y[] = { 5, 3, 9 };
    Result *result = result_new("x");
    Chart *bars = result_chart(result, CHART_BAR, "People", "fit", "people");
    chart_series(bars, "people", 3, NULL, y, NULL, few);
    chart_limit(bars, 2, "policy: 3 <or> more");
    chart_finding(bars, "Five & more are alone.");
    check(bars);
    char *svg = drawn(bars, 440, 300);
    assert_non_null(strstr(svg, "policy: 3 &lt;or&gt; more"));
    assert_non_null(strstr(svg, "class=\"limit\""));
    assert_non_null(strstr(svg, "<desc>Five &amp; more are alone. "));
    free(svg);
    bars->limit = 7; /* beyond the last */
    svg = drawn(bars, 440, 300);
    assert_null(strstr(svg, "class=\"limit\""));
    free(svg);
    const double at[] = { 1, 1.0001, 1.0002, 1.0003, 1.0004, 1.0005, 1.0006, 2 }, low[] = { 0, 1, 1, 1, 1, 1, 1, 1 },
                 high[] = { 3, 2, 2, 2, 2, 2, 2, 2 };
    const char *const names[] = { "1 a very long name of a release", "2 a very long name of a release", "3 a very long name of a release",
                                  "4 a very long name of a release", "5 a very long name of a release", "6 a very long name of a release",
                                  "7 a very long name of a release", "8 a very long name of a release" };
    Chart *map = result_chart(result, CHART_SCATTER, "Map", "risk", "loss");
    chart_series(map, "best", 8, at, at, NULL, names);
    map->series[0].emphasised = true;
    chart_spread(map, low, high, low, high);
    check(map);
    svg = drawn(map, 440, 300);
    assert_non_null(strstr(svg, "class=\"error\""));
    int full = 0, numbers = 0;
    for (const char *p = svg; (p = strstr(p, "class=\"name\"")); p++) {
        const char *text = strchr(p, '>') + 1;
        bool whole = strchr(text, '<') - text > 3;
        full += whole;
        numbers += !whole;
    }
    assert_true(full >= 1 && numbers >= 1);
    free(svg);
    result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks),
        cmocka_unit_test(scales),
        cmocka_unit_test(every_kind),
        cmocka_unit_test(accessible),
        cmocka_unit_test(legend_and_diagonal),
        cmocka_unit_test(left_out),
        cmocka_unit_test(ten_thousand),
        cmocka_unit_test(findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
