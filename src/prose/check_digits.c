/* Check digits: each says whether the digits of a match can be what its pattern takes it for. */
#include <ctype.h>
#include <string.h>
#include "prose/check_digits.h"

int digits_of(const char *text, size_t size, char *out, int room) {
    int n = 0;
    for (size_t i = 0; i < size; i++)
        if (text[i] >= '0' && text[i] <= '9') {
            if (n < room) out[n] = text[i];
            n++;
        }
    return n;
}

/* Luhn 1960: every second digit from the right doubled, nines cast out, the sum a multiple of ten. */
static bool luhn(const char *d, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int v = d[n - 1 - i] - '0';
        if (i & 1) v = v * 2 > 9 ? v * 2 - 9 : v * 2;
        sum += v;
    }
    return n > 1 && sum % 10 == 0;
}

bool check_luhn(const char *text, size_t size) {
    char d[32];
    int n = digits_of(text, size, d, 32);
    return n <= 32 && luhn(d, n);
}

/* Issuers by their first digits: Visa 4, Mastercard 51–55 and 2221–2720, Amex 34, 37, Discover 6, JCB 35, 1800, 2131, Diners 30, 36, 38,
 * Maestro 50, 56–69. */
bool check_card(const char *text, size_t size) {
    char d[20];
    int n = digits_of(text, size, d, 20);
    if (n < 12 || n > 19 || !luhn(d, n)) return false;
    bool same = true;
    for (int i = 1; i < n; i++) same &= d[i] == d[0];
    return !same && d[0] != '0' && d[0] != '7' && d[0] != '8' && d[0] != '9';
}

bool check_iban(const char *text, size_t size) {
    char s[40];
    int n = 0;
    for (size_t i = 0; i < size; i++) {
        if (!isalnum((unsigned char)text[i])) continue;
        if (n == 40) return false;
        s[n++] = (char)toupper((unsigned char)text[i]);
    }
    if (n < 15 || n > 34) return false;
    unsigned rest = 0;
    for (int i = 0; i < n; i++) {
        char c = s[(i + 4) % n];
        rest = (c <= '9' ? rest * 10 + (unsigned)(c - '0') : rest * 100 + (unsigned)(c - 'A' + 10)) % 97;
    }
    return rest == 1;
}

/* Social Security Administration: no area 000 or 666, 900–999 are not SSNs but ITINs, no group 00, no serial 0000. */
bool check_ssn(const char *text, size_t size) {
    char d[9];
    if (digits_of(text, size, d, 9) != 9) return false;
    return memcmp(d, "000", 3) && memcmp(d, "666", 3) && memcmp(d + 3, "00", 2) && memcmp(d + 5, "0000", 4);
}

bool check_dni(const char *text, size_t size) {
    static const char letters[] = "TRWAGMYFPDXBNJZSQVHLCKE";
    char s[9];
    int n = 0;
    for (size_t i = 0; i < size; i++)
        if (isalnum((unsigned char)text[i])) {
            if (n == 9) return false;
            s[n++] = (char)toupper((unsigned char)text[i]);
        }
    if (n != 9) return false;
    unsigned value = s[0] >= 'X' && s[0] <= 'Z' ? (unsigned)(s[0] - 'X') : (unsigned)(s[0] - '0');
    for (int i = 1; i < 8; i++) value = value * 10 + (unsigned)(s[i] - '0');
    return letters[value % 23] == s[8];
}

/* 97 less the first thirteen digits modulo 97; Corsica's 2A and 2B count as 19 and 18. */
bool check_nir(const char *text, size_t size) {
    char s[15];
    int n = 0;
    for (size_t i = 0; i < size; i++)
        if (isalnum((unsigned char)text[i])) {
            if (n == 15) return false;
            s[n++] = (char)toupper((unsigned char)text[i]);
        }
    if (n != 15) return false;
    if (s[6] == 'A') {
        s[5] = '1';
        s[6] = '9';
    }
    if (s[6] == 'B') {
        s[5] = '1';
        s[6] = '8';
    }
    long long value = 0;
    for (int i = 0; i < 13; i++) {
        if (s[i] < '0' || s[i] > '9') return false;
        value = value * 10 + (s[i] - '0');
    }
    return 97 - value % 97 == (s[13] - '0') * 10 + (s[14] - '0');
}

bool check_steuer(const char *text, size_t size) {
    char d[11];
    if (digits_of(text, size, d, 11) != 11 || d[0] == '0') return false;
    int product = 10;
    for (int i = 0; i < 10; i++) {
        int sum = (d[i] - '0' + product) % 10;
        product = (sum ? sum : 10) * 2 % 11;
    }
    int check = 11 - product;
    return (check == 10 ? 0 : check) == d[10] - '0';
}

bool check_npi(const char *text, size_t size) {
    char d[15] = { '8', '0', '8', '4', '0' };
    return digits_of(text, size, d + 5, 10) == 10 && luhn(d, 15);
}

bool check_dea(const char *text, size_t size) {
    char d[7];
    if (digits_of(text, size, d, 7) != 7) return false;
    return ((d[0] + d[2] + d[4] - 3 * '0') + 2 * (d[1] + d[3] + d[5] - 3 * '0')) % 10 == d[6] - '0';
}

bool check_vin(const char *text, size_t size) {
    static const int weights[] = { 8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2 };
    static const char values[] = "12345678_12345_7_923456789"; /* A … Z; I, O, Q are not used */
    int sum = 0;
    if (size != 17) return false;
    for (int i = 0; i < 17; i++) {
        char c = (char)toupper((unsigned char)text[i]);
        if (c >= '0' && c <= '9') sum += (c - '0') * weights[i];
        else if (c >= 'A' && c <= 'Z' && values[c - 'A'] != '_') sum += (values[c - 'A'] - '0') * weights[i];
        else return false;
    }
    return text[8] == (sum % 11 == 10 ? 'X' : '0' + sum % 11);
}

bool check_routing(const char *text, size_t size) {
    static const int weights[] = { 3, 7, 1, 3, 7, 1, 3, 7, 1 };
    char d[9];
    int sum = 0;
    if (digits_of(text, size, d, 9) != 9) return false;
    for (int i = 0; i < 9; i++) sum += (d[i] - '0') * weights[i];
    return sum && sum % 10 == 0;
}

bool check_ipv4(const char *text, size_t size) {
    int value = 0, parts = 0, digits = 0;
    for (size_t i = 0; i <= size; i++) {
        if (i < size && text[i] >= '0' && text[i] <= '9') {
            value = value * 10 + (text[i] - '0');
            if (++digits > 3) return false;
        } else {
            if (!digits || value > 255) return false;
            parts++;
            value = digits = 0;
            if (i < size && text[i] != '.') return parts == 4;
        }
    }
    return parts == 4;
}

/* 20190314: a day of the years from 1900 to 2099. */
bool check_compact(const char *text, size_t size) {
    int part[3] = { 0 };
    for (size_t i = 0; i < 8 && i < size; i++) {
        int *to = &part[i < 4 ? 0 : i < 6 ? 1 : 2];
        *to = *to * 10 + (text[i] - '0');
    }
    static const int days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return size >= 8 && part[0] >= 1900 && part[0] < 2100 && part[1] >= 1 && part[1] <= 12 && part[2] >= 1 && part[2] <= days[part[1] - 1];
}

/* 2019-W11-3: a W behind the year says enough. */
bool check_week(const char *text, size_t size) { return size >= 7 && memchr(text, 'W', 6) != NULL; }

/* Three numbers in some order: one can be a day, one a month, and the longest is the year. */
bool check_date(const char *text, size_t size) {
    int part[3] = { 0 }, length[3] = { 0 }, n = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] >= '0' && text[i] <= '9') {
            if (n > 2) break;
            part[n] = part[n] * 10 + (text[i] - '0');
            if (++length[n] > 4) return false;
        } else if (n < 3 && length[n]) n++;
    }
    if (!length[2]) return false;
    int a = part[0], b = part[1];
    if (length[0] == 4) {
        a = part[1];
        b = part[2];
    } else if (length[2] != 4 && length[2] != 2) return false;
    int year = length[0] == 4 ? part[0] : part[2];
    if ((length[0] == 4 || length[2] == 4) && (year < 1800 || year > 2199)) return false;
    bool points = memchr(text, '.', size) && length[0] < 4; /* with full stops the day comes first; else it is a version */
    return a && b && ((!points && a <= 12 && b <= 31) || (a <= 31 && b <= 12));
}
