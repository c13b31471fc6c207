/* Forms of cells: names by the lists of given names and surnames, addresses, codes of diagnoses, numbers of records. */
#include "profile/value_forms.h"
#include <ctype.h>
#include <string.h>
#include "prose/lists.h"
#include "prose/token.h"

static bool is_text(const Column *column) { return column->type == TEXT_TYPE || column->type == CATEGORY_TYPE; }

bool share_of_cells(const Column *column, int per_cent, bool (*fits)(const char *)) {
    enum { CELLS = 200, EARLY = 20 };
    int64_t fitting = 0, present = 0;
    char number[33];
    for (int64_t i = 0; i < column->rows && present < CELLS; i++) {
        const char *cell = column_cell(column, i, number);
        if (!cell) continue;
        present++;
        fitting += fits(cell);
        if (present == EARLY && !fitting) return false;
    }
    return present && fitting * 100 >= present * per_cent;
}

static bool is_yes_or_no(const char *cell) {
    static const char words[] = "|yes|no|y|n|true|false|t|f|0|1|2|none|ja|nein|nej|nee|si|s\xc3\xad|oui|non|sim|n\xc3\xa3o|absent|present|";
    char word[16] = "|";
    size_t n = 1;
    for (; *cell && n < sizeof word - 2; cell++) word[n++] = (char)tolower((unsigned char)*cell);
    memcpy(word + n, "|", 2);
    return !*cell && strstr(words, word);
}

bool column_says_yes_or_no(const Column *column) {
    if (!is_text(column) && column->type != INTEGER_TYPE) return false;
    return share_of_cells(column, 100, is_yes_or_no);
}

/* ---- Sex ---- */

bool column_says_sex(const Column *column, const Profile *profile) {
    const char *value[3] = { 0 };
    int values = 0;
    char number[33];
    if (!is_text(column) || profile->distinct < 2 || profile->distinct > 3) return false;
    for (int64_t i = 0; i < column->rows && values < profile->distinct; i++) {
        const char *cell = column_cell(column, i, number); /* text: it stays where it is */
        bool known = !cell;
        for (int v = 0; v < values && !known; v++) known = !strcmp(value[v], cell);
        if (!known && values < 3) value[values++] = cell;
    }
    for (int neither = 0; neither < values && values == 3; neither++)
        if (value_says_neither(value[neither]) && values_say_sex(value[(neither + 1) % 3], value[(neither + 2) % 3])) return true;
    return values == 2 && values_say_sex(value[0], value[1]);
}

/* ---- Names of people ---- */

static bool in_list(const char *list, const char *word) {
    char key[40] = " ";
    size_t size = strlen(word);
    const char *text = lists_file(list);
    if (size + 2 > sizeof key - 1 || !text) return false;
    memcpy(key + 1, word, size + 1);
    for (const char *at = text; (at = strstr(at, key)); at++)
        if (at[size + 1] == ' ' || at[size + 1] == '\n' || !at[size + 1]) return true;
    return false;
}

/* ANNA and anna are Anna. False where it is no word of a name. */
static bool title_case(const char *from, size_t size, char out[40]) {
    if (size < 2 || size > 36) return false;
    bool upper = true;
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)from[i];
        if (!isalpha(c) && c < 0x80 && c != '-' && c != '\'') return false;
        if (i && islower(c)) upper = false;
    }
    memcpy(out, from, size);
    out[size] = 0;
    if (upper)
        for (size_t i = 1; i < size; i++)
            if (isalpha((unsigned char)out[i - 1])) out[i] = (char)tolower((unsigned char)out[i]);
    return true;
}

/* A name that is no ordinary word as well (Brown, Rose) and no place (Charlotte, Paris). */
static bool is_word_of_name(const char *word) {
    char small[40];
    if (!in_list("given", word) && !in_list("surnames", word)) return false;
    size_t n = word_lower(word, strlen(word), small, sizeof small - 1);
    small[n] = 0;
    return !in_list("words", small) && !in_list("places", word);
}

/* One to four words with capitals, of which one is a name. */
static bool is_name(const char *cell) {
    int words = 0;
    bool name = false;
    while (*cell) {
        char word[40];
        size_t size = strcspn(cell, " ,.");
        if (size) {
            if (++words > 4 || islower((unsigned char)*cell)) return false;
            if (size > 1 && !title_case(cell, size, word)) return false;
            name = name || (size > 1 && is_word_of_name(word));
        }
        cell += size;
        cell += strspn(cell, " ,.");
    }
    return name;
}

bool column_looks_like_names(const Column *column, const Profile *profile) {
    enum { FEWEST = 5, SHARE = 60 };
    return is_text(column) && profile->distinct >= FEWEST && share_of_cells(column, SHARE, is_name);
}

/* ---- Addresses ---- */

/* A number of up to five digits, and a word for a street. */
static bool is_address(const char *cell) {
    bool number = false, street = false;
    while (*cell) {
        size_t size = strcspn(cell, " ,.;/"), digits = strspn(cell, "0123456789");
        char word[40];
        if (digits && digits <= 5 && digits + 1 >= size) number = true;
        else if (size && size < sizeof word) {
            memcpy(word, cell, size);
            word[size] = 0;
            street |= word_names_street(word);
        }
        cell += size;
        cell += strspn(cell, " ,.;/");
    }
    return number && street;
}

bool column_looks_like_addresses(const Column *column) {
    enum { SHARE = 60 };
    return is_text(column) && share_of_cells(column, SHARE, is_address);
}

/* ---- Codes of diagnoses and drugs ---- */

static bool digit(char c) { return isdigit((unsigned char)c); }
static bool capital(char c) { return c >= 'A' && c <= 'Z'; }

static bool is_icd10(const char *at) {
    if (!capital(at[0]) || at[0] == 'U' || !digit(at[1]) || !(digit(at[2]) || at[2] == 'A' || at[2] == 'B')) return false;
    at += 3;
    at += *at == '.';
    int more = 0;
    for (; digit(*at) || capital(*at) || *at == '-'; at++) more++;
    return more <= 4 && (!*at || ((*at == '*' || *at == '+') && !at[1]));
}
static bool has_point(const char *at) { return strchr(at, '.') != NULL; }
static bool is_icd10_with_point(const char *at) { return is_icd10(at) && has_point(at); }

static bool is_icd9(const char *at) {
    bool letter = *at == 'V' || *at == 'E';
    int whole = 0, after = 0;
    for (at += letter; digit(*at); at++) whole++;
    if (whole != 3 && !(letter && whole == 2)) return false;
    if (*at == '.')
        for (at++; digit(*at); at++) after++;
    return after <= 2 && !*at;
}
static bool is_icd9_letter(const char *at) { return (*at == 'V' || *at == 'E') && is_icd9(at); }

static bool is_atc(const char *at) {
    size_t size = strlen(at);
    if ((size != 5 && size != 7) || !strchr("ABCDGHJLMNPRSV", at[0]) || !digit(at[1]) || !digit(at[2]) || !capital(at[3]) ||
        !capital(at[4]))
        return false;
    return size == 5 || (digit(at[5]) && digit(at[6]));
}

/* Verhoeff's check digit, from the dihedral group of order 10: products, and powers of one permutation. */
static bool verhoeff(const char *digits, size_t size) {
    static const char power[8][11] = { "0123456789", "1576283094", "5803796142", "8916043527",
                                       "9453126870", "4286573901", "2793806415", "7046913258" };
    int check = 0;
    for (size_t i = 0; i < size; i++) {
        int d = power[i % 8][digits[size - 1 - i] - '0'] - '0';
        if (check < 5) check = d < 5 ? (check + d) % 5 : 5 + (check + d) % 5;
        else check = d < 5 ? 5 + (check - d) % 5 : (check - d + 5) % 5;
    }
    return check == 0;
}

/* 6 to 18 digits; the two before the check digit say that it is a concept: 00, 10. */
static bool is_snomed(const char *at) {
    size_t size = strspn(at, "0123456789");
    if (at[size] || size < 6 || size > 18 || at[0] == '0') return false;
    return at[size - 2] == '0' && (at[size - 3] == '0' || at[size - 3] == '1') && verhoeff(at, size);
}

const char *column_holds_diagnoses(const Column *column, const Profile *profile) {
    enum { MOST = 80, SOME = 20, FEW = 1 };
    if (profile->distinct < 2 || (!is_text(column) && column->type != INTEGER_TYPE)) return NULL;
    if (profile->least >= 1e5 || is_text(column))
        if (share_of_cells(column, 95, is_snomed)) return "codes of SNOMED CT, by their check digits: health";
    if (!is_text(column)) return NULL;
    if (share_of_cells(column, MOST, is_icd10) && share_of_cells(column, SOME, is_icd10_with_point))
        return "codes of diagnoses (ICD-10), by their form";
    if (share_of_cells(column, MOST, is_atc)) return "codes of drugs (ATC), by their form";
    if (share_of_cells(column, MOST, is_icd9) && share_of_cells(column, FEW, is_icd9_letter) && share_of_cells(column, SOME, has_point))
        return "codes of diagnoses (ICD-9), by their form";
    return NULL;
}

/* ---- Numbers of records ---- */

/* The form of a cell: 9 a digit, A a letter, else itself. Returns its digits; −1 where it is too long or short. */
static int form_of(const char *cell, char out[40]) {
    int digits = 0;
    size_t n = 0;
    for (; *cell; cell++) {
        unsigned char c = (unsigned char)*cell;
        if (n >= 38 || c == ' ' || c >= 0x80) return -1;
        digits += isdigit(c) != 0;
        out[n++] = isdigit(c) ? '9' : isalpha(c) ? 'A' : (char)c;
    }
    out[n] = 0;
    return n >= 5 ? digits : -1;
}

/* Hashes and universally unique identifiers: 32 hexadecimal digits and more. */
static bool is_hexadecimal(const char *cell) {
    int digits = 0;
    for (; *cell; cell++) {
        if (*cell == '-') continue;
        if (!isxdigit((unsigned char)*cell)) return false;
        digits++;
    }
    return digits >= 32;
}

bool column_looks_like_numbers_of_records(const Column *column, const Profile *profile) {
    enum { FEWEST = 20, DIGITS = 3, CELLS = 200, SHARE = 80 };
    char number[33], first[40] = "", form[40];
    int64_t fitting = 0, present = 0;
    if (!is_text(column) || profile->distinct < FEWEST || profile->distinct * 20 <= profile->present) return false;
    if (share_of_cells(column, SHARE, is_hexadecimal)) return true;
    for (int64_t i = 0; i < column->rows && present < CELLS; i++) {
        const char *cell = column_cell(column, i, number);
        if (!cell) continue;
        present++;
        if (form_of(cell, form) < DIGITS || strpbrk(form, ".:")) continue;
        if (!*first) memcpy(first, form, sizeof form);
        fitting += !strcmp(first, form);
    }
    return present && fitting * 100 >= present * SHARE;
}
