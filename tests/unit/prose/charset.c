/* Bytes of other encodings: every byte comes back, against the tables of iconv; what a charset lacks loses its accent. */
#include <iconv.h>
#include <string.h>
#include "testing.h"
#include "prose/charset.h"

static void named(void **state) {
    (void)state;
    assert_int_equal(charset_named(NULL), CHARSET_UTF8);
    assert_int_equal(charset_named("UTF-8"), CHARSET_UTF8);
    assert_int_equal(charset_named("Latin1"), CHARSET_LATIN1);
    assert_int_equal(charset_named("ISO-8859-15"), CHARSET_LATIN9);
    assert_int_equal(charset_named("CP1252"), CHARSET_WINDOWS);
    assert_int_equal(charset_named("koi8-r"), CHARSET_UNKNOWN);
}

static void every_byte(void **state) {
    (void)state;
    static const char *const names[CHARSETS] = { NULL, "ISO-8859-1", "ISO-8859-15", "CP1252" };
    for (int charset = CHARSET_LATIN1; charset < CHARSETS; charset++) {
        iconv_t with = iconv_open("UTF-8", names[charset]);
        assert_true(with != (iconv_t)-1);
        for (int byte = 0; byte < 256; byte++) {
            char one = (char)byte, expected[8], *in = &one, *to = expected;
            size_t left = 1, room = sizeof expected;
            Buffer text = { 0 }, back = { 0 };
            charset_decode((Charset)charset, &one, 1, &text);
            charset_encode((Charset)charset, text.bytes, text.count, &back);
            assert_int_equal(back.count, 1);
            assert_int_equal((unsigned char)back.bytes[0], byte);
            bool known = iconv(with, &in, &left, &to, &room) == 0; /* five bytes of 1252 stand for nothing */
            assert_true(known || (charset == CHARSET_WINDOWS && byte >= 0x81 && byte <= 0x9d));
            if (known) {
                assert_int_equal(text.count, sizeof expected - room);
                assert_memory_equal(text.bytes, expected, text.count);
            }
            buffer_free(&text);
            buffer_free(&back);
        }
        iconv_close(with);
    }
}

static void what_is_lacking(void **state) {
    (void)state;
    Buffer out = { 0 };
    const char *text = "Łódź, Ćirić, Žofie, 山";
    charset_encode(CHARSET_LATIN1, text, strlen(text), &out);
    assert_string_equal(buffer_get(&out), "L\xf3"
                                          "dz, Ciric, Zofie, ?");
    buffer_free(&out);
    charset_encode(CHARSET_UTF8, text, strlen(text), &out);
    assert_string_equal(buffer_get(&out), text);
    buffer_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(named), cmocka_unit_test(every_byte), cmocka_unit_test(what_is_lacking) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
