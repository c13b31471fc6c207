/* Codes among numbers: which words are codes, and columns of words that become numbers with codes. */
#include "io/letter_codes.h"
#include <stdlib.h>
#include <string.h>
#include "base/digits.h"
#include "base/elementary.h"
#include "base/number_text.h"
#include "base/text.h"
#include "io/csv/private.h"

/* ---- codes ---- */

static bool is_infinite(const char *at, size_t length) {
    return length == 3 && (at[0] == 'I' || at[0] == 'i') && (at[1] == 'n' || at[1] == 'N') && (at[2] == 'f' || at[2] == 'F');
}

bool letter_code_possible(const char *at, const char *end) {
    static const char never[] = " \t\r\n\"',;|";
    size_t length = (size_t)(end - at);
    int characters = 0;
    if (!length || length > LETTER_CODE_BYTES || is_infinite(at, length)) return false;
    for (const char *p = at; p < end; characters++) {
        int bytes = utf8_length(p, end);
        if (!bytes || (unsigned char)*p < 0x20 || memchr(never, *p, sizeof never - 1)) return false;
        p += bytes;
    }
    const char *digits = at + (length > 1 && (*at == '-' || *at == '+'));
    const bool leading_zero = *digits == '0' && end - digits > 1 && is_digit(digits[1]);
    return characters <= LETTER_CODE_CHARACTERS && !leading_zero && !(is_digit(*at) && is_digit(end[-1]));
}

int letter_codes_find(const LetterCodes *codes, const char *at, size_t length) {
    int count = atomic_load_explicit(&codes->count, memory_order_acquire);
    for (int i = 0; i < count; i++)
        if (length <= LETTER_CODE_BYTES && !memcmp(codes->text[i], at, length) && !codes->text[i][length]) return i;
    return -1;
}

int letter_codes_add(LetterCodes *codes, const char *at, size_t length) {
    int place = letter_codes_find(codes, at, length), count = atomic_load_explicit(&codes->count, memory_order_relaxed);
    if (place >= 0) return place;
    if (count == LETTER_CODES) return -1;
    memcpy(codes->text[count], at, length);
    codes->text[count][length] = 0;
    atomic_store_explicit(&codes->count, count + 1, memory_order_release);
    return count;
}

void letter_codes_sort(LetterCodes *codes, int place[LETTER_CODES]) {
    LetterCodes sorted = *codes;
    int count = codes->count;
    for (int i = 0; i < count; i++) {
        int before = 0;
        for (int j = 0; j < count; j++) before += strcmp(codes->text[j], codes->text[i]) < 0;
        place[i] = before;
        memcpy(sorted.text[before], codes->text[i], sizeof sorted.text[before]);
    }
    *codes = sorted;
}

Status letter_codes_reasons(const LetterCodes *codes, ColumnMetadata *about, uint16_t reason[LETTER_CODES], Error *error) {
    Status status = OK;
    for (int i = 0; !status && i < codes->count; i++)
        status = metadata_reason(about, (CodeValue){ .text = codes->text[i] }, &reason[i], error);
    return status;
}

/* ---- kinds of words ---- */

void word_kinds_add(WordKinds *kinds, const char *at, const char *end, char decimal) {
    unsigned class = at == end ? IS_WORD : csv_class(at, end, decimal);
    double number;
    if (class == IS_CODE && letter_codes_add(&kinds->codes, at, (size_t)(end - at)) < 0) class = IS_WORD;
    kinds->seen |= class;
    if (!(class & (IS_INTEGER | IS_REAL)) || kinds->several || !read_real(at, end, decimal, &number)) return;
    kinds->several = kinds->some && number != kinds->first;
    if (!kinds->some) kinds->first = number;
    kinds->some = true;
}

Type word_kinds_type(const WordKinds *kinds) { return kinds->codes.count && !kinds->several ? CATEGORY_TYPE : csv_join(kinds->seen); }

/* ---- columns of words ---- */

static bool may_split(const Column *words) {
    const ColumnMetadata *about = words->about;
    if (words->type != TEXT_TYPE && (words->type != CATEGORY_TYPE || words->words->ordered)) return false;
    return !about || (!about->labels && !about->ranges && !about->missing && about->measure == MEASURE_UNKNOWN);
}

static const char *word_of(const Column *words, int64_t row) {
    return words->type == TEXT_TYPE ? words->bytes + words->offset[row] : words->words->word[words->code[row]];
}

/* Every word that occurs; of categories each once. */
static Status kinds_of(Work *work, const Column *words, WordKinds *kinds) {
    Status status = OK;
    bool *known = NULL;
    if (words->type == CATEGORY_TYPE) NEW(work, known, words->words->count + 1);
    for (int64_t i = 0; i < words->rows; i++) {
        if (column_missing(words, i) || (known && known[words->code[i]])) continue;
        const char *word = word_of(words, i);
        word_kinds_add(kinds, word, word + strlen(word), '.');
        if (csv_join(kinds->seen) == CATEGORY_TYPE && kinds->seen != IS_CODE) break;
        if (known) known[words->code[i]] = true;
    }
done:
    arena_drop(work->arena, known);
    return status;
}

static Status split(const Column *words, WordKinds *kinds, Type type, Column **out, Error *error) {
    Status status = OK;
    Column *column = NULL;
    uint16_t reason[LETTER_CODES];
    int place[LETTER_CODES];
    letter_codes_sort(&kinds->codes, place);
    TRY(column_new(type, words->name, words->rows, &column, error));
    TRY(column_need_valid(column, error));
    TRY(column_need_reason(column, error));
    if (!(column->about = metadata_new())) TRY(out_of_memory(error));
    if (words->about) TRY(metadata_set(&column->about->label, words->about->label, error));
    TRY(letter_codes_reasons(&kinds->codes, column->about, reason, error));
    for (int64_t i = 0; i < words->rows; i++) {
        const char *word = column_missing(words, i) ? "" : word_of(words, i), *end = word + strlen(word);
        const int code = *word ? letter_codes_find(&kinds->codes, word, (size_t)(end - word)) : -1;
        bool read = *word && code < 0 &&
                    (type == INTEGER_TYPE ? read_integer(word, end, &column->integer[i]) : read_real(word, end, '.', &column->real[i]));
        if (read) continue;
        column_set_missing(column, i);
        column->integer[i] = 0;
        column->reason[i] = code >= 0 ? reason[code] : words->reason ? words->reason[i] : MISSING_CODE_NONE;
    }
    column_seal(column);
    column_narrow(column);
    *out = column;
    column = NULL;
done:
    column_release(column);
    return status;
}

Status letter_codes_split(Work *work, const Column *words, Column **out) {
    Status status = OK;
    WordKinds kinds = { 0 };
    *out = NULL;
    if (!may_split(words)) return OK;
    TRY(kinds_of(work, words, &kinds));
    Type type = word_kinds_type(&kinds);
    if (kinds.codes.count && (type == INTEGER_TYPE || type == REAL_TYPE)) TRY(split(words, &kinds, type, out, work->error));
done:
    return status;
}

Status letter_codes_split_table(Work *work, const Table *table, Table **out) {
    Status status = OK;
    Column **columns = NULL, *numbers;
    int64_t count = 0;
    NEW(work, columns, table->columns + 1);
    for (int64_t j = 0; j < table->columns; j++) {
        if (!table->column[j]->by_number) continue;
        TRY(letter_codes_split(work, table->column[j], &numbers));
        if (numbers) columns[count++] = numbers;
    }
    if (count) TRY(table_with(table, columns, count, out, work->error));
    else *out = table_retain(table);
done:
    for (int64_t i = 0; columns && i < count; i++) column_release(columns[i]);
    return status;
}
