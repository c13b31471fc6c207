/* Numbers as text: known answers, hard cases, and a million random bit patterns there and back. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/number_text.h"
#include "base/shortest_digits.h"
#include "draws.h"
#include "testing.h"

static uint64_t state = 88172645463325252u;
static uint64_t next_word(void) { return draw_word(&state); }

static bool real(const char *text, double *out) { return read_real(text, text + strlen(text), '.', out); }
static bool integer(const char *text, int64_t *out) { return read_integer(text, text + strlen(text), out); }
static bool date(const char *text, int32_t *out) { return read_date(text, text + strlen(text), out); }

static void reads_reals(void **unused) {
    (void)unused;
    static const char *const good[] = { "0",
                                        "-0",
                                        "1",
                                        "+1.5",
                                        ".5",
                                        "5.",
                                        "1e5",
                                        "1E+5",
                                        "1e-5",
                                        "123456789012345678",
                                        "9007199254740993",
                                        "9007199254740992.99999999999999999999",
                                        "9007199254740993.00000000000000000000000000000001",
                                        "2.2250738585072011e-308",
                                        "2.2250738585072014e-308",
                                        "4.9e-324",
                                        "2.4703282292062327208e-324",
                                        "2.4703282292062328e-324",
                                        "1.7976931348623157e308",
                                        "1.7976931348623158e308",
                                        "8.5e-17",
                                        "6.02214076e23",
                                        "1e22",
                                        "1e23",
                                        "8.988465674311579e307",
                                        "3.0000000000000000000000000000000000000000000001",
                                        "0.000000000000000000000000000000000000000000000000000000000000000000000000001",
                                        "100000000000000000000000000000000000000",
                                        "7.2057594037927933e16",
                                        "1448997445238699",
                                        "179769313486231580793728971405301e276",
                                        "1e-400",
                                        "0e999999999999",
                                        "10000000000000000000000e-22",
                                        "1.00000000000000011102230246251565404236316680908203125",
                                        "1.00000000000000011102230246251565404236316680908203124",
                                        "1.00000000000000011102230246251565404236316680908203126" };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double got, want = strtod(good[i], NULL);
        assert_true(real(good[i], &got));
        if (memcmp(&got, &want, 8)) fail_msg("%s: %a, not %a", good[i], got, want);
    }
    static const char *const bad[] = { "",
                                       "+",
                                       "-",
                                       ".",
                                       "e5",
                                       "1e",
                                       "1e+",
                                       "nan",
                                       "inf",
                                       "NaN",
                                       "Infinity",
                                       "0x10",
                                       " 1",
                                       "1 ",
                                       "1,5",
                                       "1.2.3",
                                       "--1",
                                       "1e400",
                                       "1.7976931348623159e308",
                                       "1e5.0",
                                       "1_0" };
    double ignored;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (real(bad[i], &ignored)) fail_msg("'%s' is not a real", bad[i]);
    double half;
    const char *comma = "-12,25";
    assert_true(read_real(comma, comma + 6, ',', &half));
    assert_true(half == -12.25);
}

static void check_there_and_back(double value) {
    char text[33];
    double back;
    size_t count = write_real(value, text);
    assert_true(count <= 32);
    if (!read_real(text, text + count, '.', &back) || memcmp(&back, &value, 8)) fail_msg("%a became %.*s", value, (int)count, text);
}

static void reals_there_and_back(void **unused) {
    (void)unused;
    for (int i = 0; i < 1000000; i++) {
        uint64_t bits = next_word();
        double value;
        memcpy(&value, &bits, 8);
        if (isfinite(value)) check_there_and_back(value);
        check_there_and_back((double)(int64_t)(bits >> 20) / 1000.0);
    }
    for (int e = -1074; e <= 1023; e++) {
        check_there_and_back(ldexp(1, e));
        check_there_and_back(nextafter(ldexp(1, e), 0));
        check_there_and_back(nextafter(ldexp(1, e), INFINITY));
    }
    for (int e = -323; e <= 308; e++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        check_there_and_back(strtod(text, NULL));
    }
}

/* No shorter text reads back equal: %.{p}e with one digit fewer must differ. And ours is as near as any of that length. */
static void reals_are_shortest(void **unused) {
    (void)unused;
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = next_word();
        double value;
        memcpy(&value, &bits, 8);
        if (!isfinite(value)) continue;
        char text[33], other[40];
        real_text(value, text);
        int digits = 0;
        int zeros = 0; /* leading ones do not count, nor do those at the end of a whole number */
        for (const char *p = text; *p && *p != 'e'; p++) {
            if (*p < '0' || (*p == '0' && !digits)) continue;
            zeros = *p == '0' ? zeros + 1 : 0;
            digits++;
        }
        digits -= zeros;
        if (digits > 1) {
            snprintf(other, sizeof other, "%.*e", digits - 2, value);
            assert_true(strtod(other, NULL) != value);
        }
    }
}

/* The digits are as few as read back equal, and the nearest of so few: as the C library rounds to that many, where that reads back. */
static void check_digits(double value) {
    Shortest found = shortest_real(value);
    char text[40], other[40];
    snprintf(text, sizeof text, "%llue%d", (unsigned long long)found.digits, found.power);
    if (strtod(text, NULL) != value) fail_msg("%a became %s", value, text);
    if (found.count > 1) {
        snprintf(other, sizeof other, "%.*e", found.count - 2, value);
        if (strtod(other, NULL) == value) fail_msg("%s is shorter than %s", other, text);
    }
    snprintf(other, sizeof other, "%.*e", found.count - 1, value);
    uint64_t digits = 0;
    for (const char *p = other; *p != 'e'; p++)
        if (*p != '.') digits = digits * 10 + (uint64_t)(*p - '0');
    if (strtod(other, NULL) == value && digits != found.digits) fail_msg("%s is nearer to %a than %s", other, value, text);
}

static void digits_are_nearest(void **unused) {
    (void)unused;
    static const double known[] = {
        5e-324, DBL_MIN, DBL_MAX, 1e21, 1e22, 1e23, 9007199254740991.0, 9007199254740992.0, 9007199254740994.0
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) check_digits(known[i]);
    for (int e = -1074; e <= 1023; e++) { /* every power of the table, with the doubles on either side of a power of two */
        double power = ldexp(1, e);
        check_digits(power);
        check_digits(nextafter(power, INFINITY));
        if (e > -1074) check_digits(nextafter(power, 0));
        check_digits(power * 1.3);
    }
    for (int i = 0; i < 100000; i++) {
        double any = real_from_bits(next_word() & INT64_MAX);
        if (isfinite(any) && any > 0) check_digits(any);
        check_digits((double)(1 + (next_word() >> 20)) / 1000);
        check_digits((double)(next_word() >> 11 | 1) / 4); /* halfway between two of seventeen digits, some of them */
    }
}

/* What the quick way leaves to the other: ties, and what is no ordinary number. Nearly everything else it does. */
static void quick_digits_know_their_bounds(void **unused) {
    (void)unused;
    static const double left[] = { 0, 1, 1024, 0.125, 5e-324, 1e-310, INFINITY, NAN, 1125899906842624.25, 1125899906842625.75 };
    uint64_t digits;
    int power;
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) assert_false(quick_digits(real_bits(left[i]), &digits, &power));
    assert_true(quick_digits(real_bits(0.3), &digits, &power) && digits == 30000000000000000 && power == -17);
    int done = 0;
    for (int i = 0; i < 100000; i++) done += quick_digits((next_word() >> 12) | (1 + next_word() % 2046) << 52, &digits, &power);
    assert_in_range(done, 99000, 100000);
}

/* Random decimal strings, long ones and near-halfway ones included, against the C library. */
static void reads_as_the_library_does(void **unused) {
    (void)unused;
    for (int i = 0; i < 300000; i++) {
        char text[80];
        int digits = 1 + (int)(next_word() % 40), count = 0, point = (int)(next_word() % 41);
        for (int d = 0; d < digits; d++) {
            if (d == point) text[count++] = '.';
            text[count++] = (char)('0' + next_word() % 10);
        }
        snprintf(text + count, sizeof text - (size_t)count, "e%d", (int)(next_word() % 700) - 360);
        double want = strtod(text, NULL), got;
        bool ok = real(text, &got);
        assert_int_equal(ok, isfinite(want));
        if (ok && memcmp(&got, &want, 8)) fail_msg("%s: %a, not %a", text, got, want);
    }
    for (int i = 0; i < 20000; i++) { /* exactly halfway between two doubles, and just beside it */
        double a = ldexp((double)(next_word() >> 11), (int)(next_word() % 200) - 100);
        char text[1200];
        snprintf(text, sizeof text, "%.600Lf", ((long double)a + (long double)nextafter(a, INFINITY)) / 2);
        size_t length = strlen(text);
        for (int ending = 0; ending < 3; ending++) {
            if (ending) {
                text[length] = ending == 1 ? '0' : '1';
                text[length + 1] = 0;
            }
            double want = strtod(text, NULL), got;
            assert_true(real(text, &got));
            assert_memory_equal(&got, &want, 8);
        }
    }
}

static void writes_reals(void **unused) {
    (void)unused;
    static const struct {
        double value;
        const char *text;
    } known[] = { { 0, "0" },
                  { -0.0, "-0" },
                  { 1, "1" },
                  { -1.5, "-1.5" },
                  { 100, "100" },
                  { 1e20, "100000000000000000000" },
                  { 1e21, "1e21" },
                  { 1.5e21, "1.5e21" },
                  { 123456789012345680000.0, "123456789012345680000" },
                  { 1e-6, "0.000001" },
                  { 1.25e-6, "0.00000125" },
                  { 9.5e-7, "9.5e-7" },
                  { 0.1, "0.1" },
                  { 0.30000000000000004, "0.30000000000000004" },
                  { 5e-324, "5e-324" },
                  { DBL_MAX, "1.7976931348623157e308" },
                  { DBL_MIN, "2.2250738585072014e-308" },
                  { 9007199254740993.0, "9007199254740992" },
                  { 1e23, "1e23" },
                  { 9e23, "9e23" },
                  { 2e-44, "2e-44" },
                  { 12345.678, "12345.678" },
                  { 0.5, "0.5" },
                  { NAN, "nan" },
                  { INFINITY, "inf" },
                  { -INFINITY, "-inf" } };
    char text[33];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) assert_string_equal(real_text(known[i].value, text), known[i].text);
}

static void short_reals(void **unused) {
    (void)unused;
    static const struct {
        double value;
        int digits;
        const char *text;
    } known[] = { { 3.14159265, 3, "3.14" },       { 0.15, 1, "0.2" }, { 9.996, 3, "10" },       { 123456, 3, "123000" },
                  { -0.000123456, 2, "-0.00012" }, { 0, 3, "0" },      { -0.0, 3, "0" },         { 1e-9, 3, "1e-9" },
                  { 99999, 4, "100000" },          { 2, 4, "2" },      { 1234.5, 17, "1234.5" }, { NAN, 3, "nan" },
                  { -INFINITY, 2, "-inf" } };
    char text[33];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_string_equal(real_short(known[i].value, known[i].digits, text), known[i].text);
}

static void integers(void **unused) {
    (void)unused;
    static const int64_t known[] = {
        0, 1, -1, 9, 10, 99, 100, 12345678, 123456789, 1234567890123456789, INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MIN + 1
    };
    char text[40], want[40];
    int64_t back;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        text[write_integer(known[i], text)] = 0;
        snprintf(want, sizeof want, "%lld", (long long)known[i]);
        assert_string_equal(text, want);
        assert_true(integer(text, &back));
        assert_int_equal(back, known[i]);
    }
    for (int i = 0; i < 200000; i++) {
        int64_t value = (int64_t)next_word() >> (next_word() % 64);
        text[write_integer(value, text)] = 0;
        assert_true(integer(text, &back));
        assert_int_equal(back, value);
    }
    assert_true(integer("+7", &back) && back == 7);
    assert_true(integer("00000000000000000000000000000012", &back) && back == 12);
    static const char *const bad[] = {
        "",   "+",  "-",        "1.0",       "1e3", "9223372036854775808", "-9223372036854775809", "12345678901234567890",
        " 1", "1 ", "1234567x", "12345678x", "--2"
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (integer(bad[i], &back)) fail_msg("'%s' is not an integer", bad[i]);
}

static void dates(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        int32_t days;
    } known[] = { { "1970-01-01", 0 },       { "1969-12-31", -1 },      { "2000-02-29", 11016 },     { "2024-12-31", 20088 },
                  { "0000-03-01", -719468 }, { "9999-12-31", 2932896 }, { "+10000-01-01", 2932897 }, { "-0001-12-31", -719529 } };
    char text[40];
    int32_t back;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_true(date(known[i].text, &back));
        assert_int_equal(back, known[i].days);
        text[write_date(back, text)] = 0;
        assert_string_equal(text, known[i].text);
    }
    for (int i = 0; i < 300000; i++) {
        int32_t days = i < 4 ? (int32_t[]){ INT32_MIN, INT32_MAX, -719529, -719528 }[i] : (int32_t)next_word();
        size_t count = write_date(days, text);
        assert_true(count <= 32 && read_date(text, text + count, &back));
        assert_int_equal(back, days);
    }
    static const char *const bad[] = {
        "",           "2023-02-29",  "2023-13-01",  "2023-00-10",  "2023-01-00", "2023-1-01",   "23-01-01",   "2023/01/01",    "2023-01-32",
        "2023-04-31", "12023-01-01", "+2023-01-01", "-0000-01-01", "1900-02-29", "2023-01-01 ", "20230-1-01", "+9999999-01-01"
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (date(bad[i], &back)) fail_msg("'%s' is not a date", bad[i]);
}

static void the_locale_does_not_matter(void **unused) {
    (void)unused;
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) skip();
    char text[33];
    double back;
    assert_string_equal(real_text(1.5, text), "1.5");
    assert_true(real("9007199254740993.00000000000000000000000000000001", &back) && back == 9007199254740994.0);
    setlocale(LC_ALL, "C");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(reads_reals),
                                        cmocka_unit_test(reals_there_and_back),
                                        cmocka_unit_test(reals_are_shortest),
                                        cmocka_unit_test(digits_are_nearest),
                                        cmocka_unit_test(quick_digits_know_their_bounds),
                                        cmocka_unit_test(reads_as_the_library_does),
                                        cmocka_unit_test(writes_reals),
                                        cmocka_unit_test(short_reals),
                                        cmocka_unit_test(integers),
                                        cmocka_unit_test(dates),
                                        cmocka_unit_test(the_locale_does_not_matter) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
