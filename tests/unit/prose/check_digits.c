/* Check digits: published examples of each number, and the same with one digit changed. */
#include <string.h>
#include "testing.h"
#include "prose/check_digits.h"

static void holds(Check *check, const char *good) {
    if (!check(good, strlen(good))) fail_msg("refused: %s", good);
}
static void fails(Check *check, const char *bad) {
    if (check(bad, strlen(bad))) fail_msg("taken: %s", bad);
}

/* Every other digit in one place must be refused: each of these schemes catches all single changes. */
static void one_digit(Check *check, const char *good, int spare) {
    char other[64];
    size_t n = strlen(good);
    for (size_t i = 0; i < n; i++)
        for (char d = '0'; good[i] >= '0' && good[i] <= '9' && (int)i != spare && d <= '9'; d++) {
            if (d == good[i]) continue;
            memcpy(other, good, n + 1);
            other[i] = d;
            fails(check, other);
        }
}

static void cards(void **state) {
    (void)state;
    holds(check_card, "4111 1111 1111 1111");
    holds(check_card, "378282246310005");
    holds(check_card, "5555-5555-5555-4444");
    holds(check_card, "6011111111111117");
    fails(check_card, "4111111111111112");
    fails(check_card, "0000000000000000");
    fails(check_card, "41111");
    one_digit(check_luhn, "4012888888881881", -1);
}

static void ibans(void **state) {
    (void)state;
    holds(check_iban, "GB82 WEST 1234 5698 7654 32"); /* ISO 13616's own example */
    holds(check_iban, "DE89370400440532013000");
    holds(check_iban, "FR1420041010050500013M02606");
    holds(check_iban, "es9121000418450200051332");
    fails(check_iban, "GB82WEST12345698765433");
    fails(check_iban, "GB82");
    one_digit(check_iban, "DE89370400440532013000", -1);
}

static void national(void **state) {
    (void)state;
    holds(check_ssn, "219-09-9999");
    fails(check_ssn, "000-12-3456");
    fails(check_ssn, "666-12-3456");
    fails(check_ssn, "123-00-4567");
    fails(check_ssn, "123-45-0000");
    holds(check_dni, "12345678Z");
    holds(check_dni, "X1234567L");
    fails(check_dni, "12345678A");
    holds(check_nir, "2 55 08 14 168 025 38");
    one_digit(check_nir, "255081416802538", -1);
    holds(check_steuer, "86095742719");
    one_digit(check_steuer, "86095742719", 0);
    holds(check_npi, "1234567893");
    one_digit(check_npi, "1234567893", -1);
    holds(check_dea, "AB1234563");
    fails(check_dea, "AB1234564");
}

static void others(void **state) {
    (void)state;
    holds(check_vin, "1HGCM82633A004352");
    holds(check_vin, "11111111111111111");
    fails(check_vin, "1HGCM82633A004353");
    holds(check_routing, "011000015");
    one_digit(check_routing, "011000015", -1);
    holds(check_ipv4, "192.168.0.255");
    fails(check_ipv4, "192.168.0.256");
    fails(check_ipv4, "1.2.3");
    fails(check_ipv4, "1..2.3");
    holds(check_date, "03/14/2019");
    holds(check_date, "14.3.19");
    holds(check_date, "2019-03-14");
    fails(check_date, "13/13/2019");
    fails(check_date, "0/5/2019");
    fails(check_date, "2019-13-14");
    fails(check_date, "1/2");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(cards), cmocka_unit_test(ibans), cmocka_unit_test(national),
                                        cmocka_unit_test(others) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
