/* National numbers from a file of data: how it is read, and its kinds of check digits. */
#include "prose/national_numbers.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "prose/check_digits.h"

enum { DIGITS = 32, FIELDS = 5 };

static bool weighted(const char *rule, const char *text, size_t size) {
    char digits[DIGITS], *next;
    int n = digits_of(text, size, digits, DIGITS);
    long modulus = strtol(rule, &next, 10), sum = 0;
    if (modulus < 2 || n > DIGITS) return false;
    for (int i = 0; i < n; i++) {
        const char *at = next;
        long weight = strtol(at, &next, 10);
        if (next == at) return false; /* more digits than weights */
        sum += weight * (digits[i] - '0');
    }
    while (*next == ' ') next++;
    return (!*next || *next == '&') && sum % modulus == 0;
}

static bool lettered(const char *rule, const char *text, size_t size) {
    char *next;
    long modulus = strtol(rule, &next, 10), value = 0;
    while (*next == ' ') next++;
    if (modulus < 2 || !size || strcspn(next, " &") < (size_t)modulus) return false;
    for (size_t i = 0; i + 1 < size; i++)
        if (text[i] >= '0' && text[i] <= '9') value = (value * 10 + (text[i] - '0')) % modulus;
    return next[value] == toupper((unsigned char)text[size - 1]);
}

/* Checks that no weights express. */
static const struct {
    const char *name;
    bool (*check)(const char *text, size_t size);
} named[] = { { "luhn", check_luhn }, { "dni", check_dni }, { "nir", check_nir }, { "steuer", check_steuer } };

static bool one_check(const char *rule, const char *text, size_t size) {
    if (!strncmp(rule, "none", 4)) return true;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (!strncmp(rule, named[i].name, strlen(named[i].name))) return named[i].check(text, size);
    if (!strncmp(rule, "mod ", 4)) return weighted(rule + 4, text, size);
    return !strncmp(rule, "letter ", 7) && lettered(rule + 7, text, size);
}

bool national_check(const char *check, const char *text, size_t size) {
    for (const char *rule = check; rule; rule = strstr(rule, " & ") ? strstr(rule, " & ") + 3 : NULL)
        if (!one_check(rule, text, size)) return false;
    return true;
}

Status national_numbers_read(Work *work, const char *text, NationalNumber out[NATIONAL_MOST], int *count) {
    int number = 0;
    char *copy = arena_text(work->arena, text), *state = NULL;
    *count = 0;
    if (!copy) return out_of_memory(work->error);
    for (char *line = strtok_r(copy, "\n", &state); line; line = strtok_r(NULL, "\n", &state)) {
        char *field[FIELDS];
        number++;
        if (line[0] == '#') continue;
        if (*count == NATIONAL_MOST) return fail(work->error, BAD, "has more than %d national numbers", NATIONAL_MOST);
        if (!text_cut_fields(line, FIELDS, field) || (strcmp(field[3], "alone") && strcmp(field[3], "cue")))
            return fail(work->error, BAD, "line %d of the national numbers is not name, pattern, check, alone or cue, example", number);
        if (!national_check(field[2], field[4], strlen(field[4])))
            return fail(work->error, BAD, "the example in line %d of the national numbers does not satisfy its check", number);
        out[(*count)++] = (NationalNumber){ field[0], field[1], field[2], field[4], !strcmp(field[3], "alone") };
    }
    return OK;
}
