/* Measurement levels: as declared, by labels, by the file, by words of the name, by the values. */
#include "table/measurement_level.h"
#include <ctype.h>
#include <string.h>
#include "base/elementary.h"

const char geography_words[] = " region county state province district municipality city town zip postcode postal country geo nuts canton "
                               "commune parish lga tract block puma fips msa lsoa msoa plz gemeinde kreis bundesland comuna municipio ";

enum { LONGEST_WORD = 62, FEWEST_LETTERS = 3 };

/* " word " among the words, or without the digits behind it (zip3, phone2) where enough is left. */
static bool has_word(char *word, size_t length, const char *words) {
    size_t letters = length;
    memcpy(word + length, " ", 2);
    if (strstr(words, word)) return true;
    while (letters > 1 && isdigit((unsigned char)word[letters - 1])) letters--;
    if (letters == length || letters - 1 < FEWEST_LETTERS) return false;
    memcpy(word + letters, " ", 2);
    return strstr(words, word) != NULL;
}

bool name_has_word(const char *name, const char *words) {
    char word[LONGEST_WORD + 4] = " ", whole[LONGEST_WORD + 4] = " ";
    size_t length = 1, total = 1;
    for (const char *at = name;; at++) {
        bool letter = isalnum((unsigned char)*at), turn = isupper((unsigned char)*at) && at > name && islower((unsigned char)at[-1]);
        if ((!letter || turn) && length > 1) {
            if (has_word(word, length, words)) return true;
            length = 1;
        }
        if (!*at) break;
        if (letter && length < LONGEST_WORD) word[length++] = (char)tolower((unsigned char)*at);
        if (letter && total < LONGEST_WORD) whole[total++] = (char)tolower((unsigned char)*at);
    }
    return total > 1 && has_word(whole, total, words);
}

enum { MOST_CODES = 12, LARGEST_CODE = 20, FEWEST_RECORDS = 20, NO_ANSWER = 90 };

/* Counts of things lie on a line without a gap, and rise to one peak and fall: by chance, n codes do with a probability of 2ⁿ⁻¹/n!, under
 * 5% from six values on; fewer are asked of those that begin at nought, as counts do. */
static bool like_counts(const int64_t *count, int least, int most) {
    bool falling = false;
    if (most - least + 1 < (least ? 6 : 4)) return false;
    for (int x = least; x <= most; x++) {
        if (!count[x] || (falling && count[x] > count[x - 1])) return false;
        falling |= x > least && count[x] < count[x - 1];
    }
    return true;
}

/* Few small whole numbers, each more than once on average: 1 to 4, or 3, 6 and 7, or 1, 2 and 99. */
static bool codes_by_values(const Column *column, const int32_t *row, const int64_t *times, int64_t rows) {
    int64_t count[100] = { 0 };
    int64_t present = 0;
    int distinct = 0, least = 100, most = -1;
    for (int64_t i = 0; i < rows; i++) {
        int64_t at = row ? row[i] : i;
        if (column_missing(column, at)) continue;
        int64_t x = column_integer(column, at);
        if (x < 0 || x > 99 || (x > LARGEST_CODE && x < NO_ANSWER)) return false;
        if (!count[x] && ++distinct > MOST_CODES) return false;
        count[x] += times ? times[i] : 1;
        present += times ? times[i] : 1;
    }
    for (int x = 0; x <= LARGEST_CODE; x++) {
        if (!count[x]) continue;
        least = least < x ? least : x;
        most = x;
    }
    return present >= FEWEST_RECORDS && most >= 0 && distinct > 1 && !like_counts(count, least, most);
}

bool name_of_codes(const char *name) {
    return name_has_word(name, geography_words) ||
           name_has_word(
               name, " sex gender nationality citizenship race ethnicity ethnic religion occupation job profession industry "
                     "marital civil hhcivil relat relation relationship language urban rural urbrur diagnosis icd code codes cat category "
                     "categories indp occp naics nace sic isic isco ");
}

/* Whole numbers, of which nobody said what they are. */
static MeasureLevel integer_level(const Column *column, const int32_t *row, const int64_t *times, int64_t rows) {
    if (name_has_word(column->name, " num number numbers no nr count counts years year age ages income hours days weeks months visits "
                                    "amount size members persons people children kids rooms n "))
        return MEASURE_SCALE;
    return name_of_codes(column->name) || codes_by_values(column, row, times, rows) ? MEASURE_NOMINAL : MEASURE_SCALE;
}

/* `rows` of its rows, those listed in `row` or all of them, each so many times. */
static MeasureLevel level_of(const Column *column, const int32_t *row, const int64_t *times, int64_t rows) {
    const ColumnMetadata *about = column->about;
    const MeasureLevel said = about ? about->measure : MEASURE_UNKNOWN;
    if (said && about->declared) return said;
    switch (column->type) {
    case TEXT_TYPE: return MEASURE_NOMINAL;
    case CATEGORY_TYPE: return column->words->ordered || said == MEASURE_ORDINAL ? MEASURE_ORDINAL : MEASURE_NOMINAL;
    case DATE_TYPE:
    case DATETIME_TYPE: return MEASURE_SCALE;
    case REAL_TYPE: return said ? said : MEASURE_SCALE;
    case INTEGER_TYPE: break;
    }
    if (about && about->labels > 1) return said == MEASURE_ORDINAL ? MEASURE_ORDINAL : MEASURE_NOMINAL;
    return said ? said : integer_level(column, row, times, rows);
}

MeasureLevel column_level(const Column *column) { return level_of(column, NULL, NULL, column->rows); }
MeasureLevel column_level_times(const Column *column, const int64_t *times) { return level_of(column, NULL, times, column->rows); }
MeasureLevel column_level_sized(const Column *column, const Codes *codes, const int64_t *size) {
    return level_of(column, codes->first_row, size, codes->count);
}

bool column_two_values(const Column *column) {
    double first = NAN, second = NAN;
    for (int64_t i = 0; i < column->rows; i++) {
        const double x = column_number(column, i);
        if (isnan(x) || x == first || x == second) continue;
        if (!isnan(second)) return false;
        if (isnan(first)) first = x;
        else second = x;
    }
    return true;
}

const char *level_name(MeasureLevel level) {
    return level == MEASURE_ORDINAL ? "ordinal" : level == MEASURE_NOMINAL ? "nominal" : "numeric";
}

bool column_is_codes(const Column *column) { return column_numeric(column) && column_level(column) != MEASURE_SCALE; }
bool column_is_codes_times(const Column *column, const int64_t *times) {
    return column_numeric(column) && column_level_times(column, times) != MEASURE_SCALE;
}
bool column_is_codes_sized(const Column *column, const Codes *codes, const int64_t *size) {
    return column_numeric(column) && column_level_sized(column, codes, size) != MEASURE_SCALE;
}
