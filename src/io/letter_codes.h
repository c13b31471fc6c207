/* Codes among numbers: words of at most three characters ("N", ".a", "*", "<5") in a column that otherwise holds numbers. Such a column is
 * read as numbers, and the codes as missing values that keep their names (docs/files.md). */
#ifndef SCRIM_IO_LETTER_CODES_H
#define SCRIM_IO_LETTER_CODES_H
#include "table/table.h"

enum { LETTER_CODES = 5, LETTER_CODE_CHARACTERS = 3, LETTER_CODE_BYTES = 4 * LETTER_CODE_CHARACTERS };

/* The distinct codes of a column, in the order in which they were met. A zeroed one is empty. `count` is set after the text that it counts:
 * other threads may read while one adds. */
typedef struct LetterCodes {
    _Atomic int count;
    char text[LETTER_CODES][LETTER_CODE_BYTES + 1];
} LetterCodes;

/* Can this word be a code? One to three characters, without blanks, quotes and marks between fields, and no number in another notation
 * (1,5 and 3-4 begin and end with a digit; 01 has a leading zero). That it is no plain number, the caller knows. */
bool letter_code_possible(const char *at, const char *end);
int letter_codes_find(const LetterCodes *codes, const char *at, size_t length); /* its place, or -1 */
/* Its place, new or known; -1 where there are LETTER_CODES others. Not from two threads at once. */
int letter_codes_add(LetterCodes *codes, const char *at, size_t length);
/* Sorts them by their bytes: place[old] is the new place of each. */
void letter_codes_sort(LetterCodes *codes, int place[LETTER_CODES]);
/* The column's missing values by these codes: reason[i] is that of code i. `about` may not be shared yet. */
MUST_CHECK Status letter_codes_reasons(const LetterCodes *codes, ColumnMetadata *about, uint16_t reason[LETTER_CODES], Error *error);

/* What the words of a column are, added up word by word. A zeroed one has seen none. */
typedef struct WordKinds {
    unsigned seen; /* classes of its words (csv_class) */
    LetterCodes codes;
    bool some, several; /* a number; two that differ */
    double first;
} WordKinds;
void word_kinds_add(WordKinds *kinds, const char *at, const char *end, char decimal);
/* What a file with these bare words is read as: CATEGORY_TYPE for words, which may turn out to be text. */
Type word_kinds_type(const WordKinds *kinds);

/* Words that are numbers but for codes become numbers, with the codes as missing values. NULL in *out where they are not: other words, no
 * code, labels or an order, or a measurement level that somebody declared. */
MUST_CHECK Status letter_codes_split(Work *work, const Column *words, Column **out);
/* The same for every column of words that nobody declared: a new table, or the same one with another reference. */
MUST_CHECK Status letter_codes_split_table(Work *work, const Table *table, Table **out);
#endif
