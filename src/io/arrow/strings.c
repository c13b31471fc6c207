/* Arrow's strings and dictionaries into text and categories. */
#include <stdlib.h>
#include <string.h>
#include "base/number_text.h"
#include "base/text.h"
#include "io/arrow/private.h"

/* A view: its length, then up to 12 bytes of text, or 4 bytes, a buffer's number and an offset into it. */
static const char *view_cell(const struct ArrowArray *a, int64_t i, int64_t *size) {
    const char *view = (const char *)a->buffers[1] + (size_t)(i + a->offset) * 16;
    int32_t length, buffer, at;
    memcpy(&length, view, 4);
    memcpy(&buffer, view + 8, 4);
    memcpy(&at, view + 12, 4);
    *size = length;
    return length <= 12 ? view + 4 : (const char *)a->buffers[2 + buffer] + at;
}

static const char *cell_at(char format, const struct ArrowArray *a, int64_t i, int64_t *size) {
    int64_t at = i + a->offset;
    if (format == 'v') return view_cell(a, i, size);
    int64_t from, to;
    arrow_whole(format == 'U' ? 'l' : 'i', a->buffers[1], at, &from);
    arrow_whole(format == 'U' ? 'l' : 'i', a->buffers[1], at + 1, &to);
    *size = to - from;
    return (const char *)a->buffers[2] + from;
}

static Status not_text(const char *name, int64_t row, const char *fault, Error *error) {
    fail(error, BAD, "a text %s", fault);
    error_advice(error, "Decode it by the encoding that it is in.");
    error_row(error, row);
    return error_column(error, name);
}

/* Cells as C texts in one block: pointers first, then the bytes; NULL where missing. */
static Status texts(const char *name, char format, const struct ArrowArray *a, const char ***out, Error *error) {
    Status status = OK;
    int64_t size;
    size_t total = (size_t)(a->length + 1) * sizeof(char *);
    const char **cells = NULL;
    for (int64_t i = 0; i < a->length; i++) {
        if (!arrow_present(a, i)) continue;
        const char *at = cell_at(format, a, i, &size);
        const char *fault = text_fault(at, (size_t)size);
        if (fault) TRY(not_text(name, i, fault, error));
        total += (size_t)size + 1;
    }
    if (!(cells = malloc(total))) TRY(out_of_memory(error));
    char *to = (char *)(cells + a->length + 1);
    for (int64_t i = 0; i < a->length; i++) {
        cells[i] = NULL;
        if (!arrow_present(a, i)) continue;
        const char *at = cell_at(format, a, i, &size);
        cells[i] = to;
        if (size) memcpy(to, at, (size_t)size);
        to[size] = 0;
        to += size + 1;
    }
    *out = cells;
done:
    return status;
}

static bool is_string(const char *format) { return !strcmp(format, "u") || !strcmp(format, "U") || !strcmp(format, "vu"); }

Status arrow_text(const char *name, const char *format, const struct ArrowArray *a, Column **out, Error *error) {
    Status status = OK;
    const char **cells = NULL;
    if (!is_string(format)) return arrow_unsupported(name, format, error);
    TRY(texts(name, format[0], a, &cells, error));
    TRY(column_text(name, cells, a->length, out, error));
done:
    free(cells);
    return status;
}

/* ---- dictionaries ---- */

/* Whole numbers as words. */
static Status number_words(char format, const struct ArrowArray *a, const char ***out, Error *error) {
    enum { DIGITS = 33 };
    const char **words = malloc((size_t)(a->length + 1) * (sizeof *words + DIGITS));
    if (!words) return out_of_memory(error);
    char *to = (char *)(words + a->length + 1);
    for (int64_t i = 0; i < a->length; i++, to += DIGITS) {
        int64_t value = 0;
        words[i] = arrow_present(a, i) && arrow_whole(format, a->buffers[1], i + a->offset, &value) ? to : NULL;
        to[write_integer(value, to)] = 0;
    }
    *out = words;
    return OK;
}

static Status dictionary_words(const char *name, const char *format, const struct ArrowArray *a, const char ***out, Error *error) {
    if (is_string(format)) {
        Status status = texts(name, format[0], a, out, error);
        if (status) (error_row)(error, -1); /* of a word, not of a record */
        return status;
    }
    if (strlen(format) == 1 && strchr("bcCsSiIlL", format[0])) return number_words(format[0], a, out, error);
    if (!strcmp(format, "n")) return (*out = calloc((size_t)(a->length + 1), sizeof **out)) ? OK : out_of_memory(error); /* of nothing */
    return arrow_unsupported(name, format, error);
}

typedef struct Entry {
    const char *word;
    int64_t from;
} Entry;

static int by_word(const void *a, const void *b) {
    const Entry *x = a, *y = b;
    int order = strcmp(x->word, y->word);
    return order ? order : (x->from > y->from) - (x->from < y->from);
}

/* The words that occur, each once; place[code] is where it went. In their own order where that is asked for and no word stands there twice.
 */
static Status settle(const char **words, int64_t count, bool ordered, const uint8_t *occurs, int32_t *place, Dictionary **out,
                     Error *error) {
    Status status = OK;
    int64_t some = 0, distinct = 0;
    Entry *entry = malloc((size_t)(count + 1) * sizeof *entry);
    const char **kept = malloc((size_t)(count + 1) * sizeof *kept);
    if (!entry || !kept) TRY(out_of_memory(error));
    for (int64_t i = 0; i < count; i++)
        if (occurs[i]) entry[some++] = (Entry){ words[i], i };
    if (some) qsort(entry, (size_t)some, sizeof *entry, by_word);
    for (int64_t i = 0; i < some; i++) {
        bool again = i && !strcmp(entry[i].word, entry[i - 1].word);
        if (again) ordered = false;
        else kept[distinct++] = entry[i].word;
        place[entry[i].from] = (int32_t)(distinct - 1);
    }
    if (ordered) {
        distinct = 0;
        for (int64_t i = 0; i < count; i++)
            if (occurs[i]) {
                place[i] = (int32_t)distinct;
                kept[distinct++] = words[i];
            }
    }
    TRY(dictionary_new(kept, (int32_t)distinct, ordered, out, error));
done:
    free(entry);
    free(kept);
    return status;
}

/* Codes below 0, as some write what is missing, or at a word that is missing, are missing. */
static Status read_codes(const char *format, const struct ArrowArray *a, const char **words, Column *column, uint8_t *occurs,
                         Error *error) {
    Status status = OK;
    TRY(column_need_valid(column, error));
    for (int64_t i = 0; i < a->length; i++) {
        int64_t code = -1;
        bool there = arrow_present(a, i) && arrow_whole(format[0], a->buffers[1], i + a->offset, &code) && code >= 0;
        if (there && code >= a->dictionary->length) {
            fail(error, BAD, "an index lies outside of its dictionary");
            error_row(error, i);
            TRY(error_column(error, column->name));
        }
        there = there && words[code];
        if (there) occurs[column->code[i] = (int32_t)code] = 1;
        else column_set_missing(column, i);
    }
done:
    return status;
}

Status arrow_dictionary(const char *name, const struct ArrowSchema *s, const struct ArrowArray *a, Column **out, Error *error) {
    Status status = OK;
    const char **words = NULL;
    int64_t count = a->dictionary->length;
    int32_t *place = NULL;
    uint8_t *occurs = NULL;
    Column *column = NULL;
    if (count > INT32_MAX - 1) return fail(error, BAD, "a dictionary has more words than 32 bits can number");
    TRY(dictionary_words(name, s->dictionary->format, a->dictionary, &words, error));
    place = malloc((size_t)(count + 1) * sizeof *place);
    occurs = calloc((size_t)(count + 1), 1);
    if (!place || !occurs) TRY(out_of_memory(error));
    TRY(column_new(CATEGORY_TYPE, name, a->length, &column, error));
    TRY(read_codes(s->format, a, words, column, occurs, error));
    if ((s->flags & ARROW_ALL_WORDS) && (s->flags & ARROW_FLAG_DICTIONARY_ORDERED))
        for (int64_t i = 0; i < count; i++) occurs[i] = words[i] != NULL;
    TRY(settle(words, count, s->flags & ARROW_FLAG_DICTIONARY_ORDERED, occurs, place, &column->words, error));
    for (int64_t i = 0; i < a->length; i++)
        if (!column_missing(column, i)) column->code[i] = place[column->code[i]];
    column_seal(column);
    *out = column;
    column = NULL;
done:
    column_release(column);
    free(words);
    free(place);
    free(occurs);
    return status;
}
