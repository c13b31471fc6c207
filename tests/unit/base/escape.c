/* Escaping: what each reader would choke on comes out harmless. */
#include "base/escape.h"
#include <math.h>
#include <string.h>
#include "testing.h"

typedef void Escape(Buffer *, const char *);
static void expect(Escape *escape, const char *text, const char *want) {
    Buffer out = { 0 };
    escape(&out, text);
    assert_string_equal(buffer_get(&out), want);
    buffer_free(&out);
}

static void json(void **state) {
    (void)state;
    expect(put_json_text, "a\"b\\c\n\t\r\x01\x7f", "\"a\\\"b\\\\c\\n\\t\\r\\u0001\\u007f\"");
    expect(put_json_text, "é 日本 𝄞 \xE2\x80\xA8", "\"é 日本 𝄞 \\u2028\"");
    expect(put_json_text, "bad \xff\xc3", "\"bad \xEF\xBF\xBD\xEF\xBF\xBD\"");
    expect(put_json_text, NULL, "null");
    expect(put_json_text, "", "\"\"");
}

static void expect_real(double value, const char *want) {
    Buffer out = { 0 };
    put_json_real(&out, value);
    assert_string_equal(buffer_get(&out), want);
    buffer_free(&out);
}
static void expect_integer(int64_t value, const char *want) {
    Buffer out = { 0 };
    put_json_integer(&out, value);
    assert_string_equal(buffer_get(&out), want);
    buffer_free(&out);
}

static void numbers(void **state) {
    (void)state;
    expect_real(0.1, "0.1");
    expect_real(1, "1");
    expect_real(NAN, "null");
    expect_real(INFINITY, "\"Infinity\"");
    expect_real(-INFINITY, "\"-Infinity\"");
    expect_real(1e20, "100000000000000000000.0");
    expect_real(1e300, "1e300");
    expect_integer(9007199254740992, "9007199254740992");
    expect_integer(9007199254740993, "\"9007199254740993\"");
    expect_integer(INT64_MIN, "\"-9223372036854775808\"");
}

static void xml(void **state) {
    (void)state;
    expect(xml_text, "<a href='x'>&\"</a>", "&lt;a href=&#39;x&#39;&gt;&amp;&quot;&lt;/a&gt;");
    expect(xml_text, "a\x1b[1m\x7f\xfe", "a␛[1m␡\xEF\xBF\xBD");
    expect(xml_text, "tab\tline\n", "tab\tline\n");
}

static void csv(void **state) {
    (void)state;
    expect(csv_text, "plain", "plain");
    expect(csv_text, "a,b \"c\"\n", "\"a,b \"\"c\"\"\n\"");
    expect(csv_text, " edge", "\" edge\"");
    expect(csv_text, "", "\"\"");
    expect(csv_text, NULL, "");
}

static void terminal(void **state) {
    (void)state;
    expect(plain_text, "red \x1b[31m\nnext\r", "red ␛[31m␊next␍");
    expect(plain_text, "turn \xE2\x80\xAE around \xC2\x9B", "turn \xEF\xBF\xBD around \xEF\xBF\xBD");
    expect(plain_text, "日本", "日本");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(json), cmocka_unit_test(numbers), cmocka_unit_test(xml), cmocka_unit_test(csv),
                                        cmocka_unit_test(terminal) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
