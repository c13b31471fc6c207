/* What a file says of a column: kept, looked up. */
#include "table/column_metadata.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/number_text.h"

ColumnMetadata *metadata_new(void) {
    ColumnMetadata *about = calloc(1, sizeof *about);
    if (about) atomic_init(&about->references, 1);
    return about;
}

ColumnMetadata *metadata_retain(ColumnMetadata *about) {
    if (about) atomic_fetch_add(&about->references, 1);
    return about;
}

static void code_free(CodeValue *code) { free((char *)(uintptr_t)code->text); }

void metadata_release(ColumnMetadata *about) {
    if (!about || atomic_fetch_sub(&about->references, 1) != 1) return;
    for (int32_t i = 0; i < about->labels; i++) {
        ValueLabel *label = &about->label_of[i];
        code_free(&label->of);
        if (label->word != label->label) free((char *)(uintptr_t)label->word);
        free((char *)(uintptr_t)label->label);
    }
    for (int32_t i = 0; i < about->ranges; i++) {
        code_free(&about->range[i].low);
        code_free(&about->range[i].high);
    }
    for (int32_t i = 0; i < about->missing; i++) code_free(&about->missing_of[i]);
    free(about->label_of);
    free(about->range);
    free(about->missing_of);
    free(about->label);
    free(about->format);
    free(about);
}

Status metadata_set(char **field, const char *text, Error *error) {
    char *copy = text && *text ? strdup(text) : NULL;
    if (text && *text && !copy) return out_of_memory(error);
    free(*field);
    *field = copy;
    return OK;
}

/* A copy that owns its text. */
static Status code_copy(CodeValue *out, CodeValue from, Error *error) {
    *out = from;
    if (from.text && !(out->text = strdup(from.text))) return out_of_memory(error);
    return OK;
}

/* Room for one more; arrays double at powers of two. */
static Status one_more(void *array, int32_t count, size_t size, Error *error) {
    void **pointer = array;
    if (count & (count - 1)) return OK;
    void *grown = realloc(*pointer, (size_t)(count ? 2 * (size_t)count : 1) * size);
    if (!grown) return out_of_memory(error);
    *pointer = grown;
    return OK;
}

Status metadata_add_label(ColumnMetadata *about, CodeValue code, const char *label, Error *error) {
    Status status = OK;
    TRY(one_more(&about->label_of, about->labels, sizeof *about->label_of, error));
    ValueLabel *place = &about->label_of[about->labels];
    *place = (ValueLabel){ 0 };
    TRY(code_copy(&place->of, code, error));
    about->labels++;
    place->label = place->word = strdup(label);
    if (!place->label) TRY(out_of_memory(error));
done:
    return status;
}

Status metadata_add_range(ColumnMetadata *about, MissingRange range, Error *error) {
    Status status = OK;
    TRY(one_more(&about->range, about->ranges, sizeof *about->range, error));
    MissingRange *place = &about->range[about->ranges];
    *place = (MissingRange){ 0 };
    about->ranges++;
    TRY(code_copy(&place->low, range.low, error));
    TRY(code_copy(&place->high, range.high, error));
done:
    return status;
}

int code_order(CodeValue a, CodeValue b) {
    int kind_a = a.text ? 2 : a.letter ? 1 : 0, kind_b = b.text ? 2 : b.letter ? 1 : 0;
    if (kind_a != kind_b) return kind_a - kind_b;
    if (a.text) return strcmp(a.text, b.text);
    if (a.letter) return a.letter - b.letter;
    return (a.value > b.value) - (a.value < b.value);
}

const char *code_text(CodeValue code, char out[33]) {
    if (code.text) return code.text;
    if (!code.letter) return real_text(code.value, out);
    out[0] = '.';
    out[1] = code.letter;
    out[2] = 0;
    return out;
}

static int by_value(const void *a, const void *b) { return code_order(((const ValueLabel *)a)->of, ((const ValueLabel *)b)->of); }
static int by_label(const void *a, const void *b) { return strcmp((*(ValueLabel *const *)a)->label, (*(ValueLabel *const *)b)->label); }

/* "other (3)": two values with one label would otherwise become one category. An empty label says nothing: the value stands for it. */
static Status make_word(ValueLabel *label, bool shared, Error *error) {
    char number[33], word[1200];
    const char *value = code_text(label->of, number);
    if (!*label->label) snprintf(word, sizeof word, "%s", value);
    else if (shared) snprintf(word, sizeof word, "%.1000s (%.150s)", label->label, value);
    else return OK;
    label->word = strdup(word);
    return label->word ? OK : out_of_memory(error);
}

/* The same value labelled twice: the first label stays. */
static void drop_doubles(ColumnMetadata *about) {
    int32_t kept = 0;
    for (int32_t i = 0; i < about->labels; i++) {
        ValueLabel *label = &about->label_of[i];
        if (kept && !code_order(label->of, about->label_of[kept - 1].of)) {
            code_free(&label->of);
            free((char *)(uintptr_t)label->label);
        } else about->label_of[kept++] = *label;
    }
    about->labels = kept;
}

Status metadata_close(ColumnMetadata *about, Error *error) {
    Status status = OK;
    ValueLabel **sorted = NULL;
    if (!about->labels) return OK;
    qsort(about->label_of, (size_t)about->labels, sizeof *about->label_of, by_value);
    drop_doubles(about);
    int32_t count = about->labels;
    if (!(sorted = malloc((size_t)count * sizeof *sorted))) TRY(out_of_memory(error));
    for (int32_t i = 0; i < count; i++) sorted[i] = &about->label_of[i];
    qsort(sorted, (size_t)count, sizeof *sorted, by_label);
    for (int32_t i = 0; i < count; i++) {
        bool shared =
            (i && !strcmp(sorted[i]->label, sorted[i - 1]->label)) || (i + 1 < count && !strcmp(sorted[i]->label, sorted[i + 1]->label));
        TRY(make_word(sorted[i], shared, error));
    }
done:
    free(sorted);
    return status;
}

Status metadata_reason(ColumnMetadata *about, CodeValue code, uint16_t *out, Error *error) {
    Status status = OK;
    for (int32_t i = 0; i < about->missing; i++)
        if (!code_order(about->missing_of[i], code)) {
            *out = (uint16_t)(MISSING_CODE_FIRST + i);
            return OK;
        }
    if (about->missing >= MISSING_CODES_MOST)
        return fail(error, BAD, "has more than %d different values that are declared as missing", MISSING_CODES_MOST);
    TRY(one_more(&about->missing_of, about->missing, sizeof *about->missing_of, error));
    TRY(code_copy(&about->missing_of[about->missing], code, error));
    *out = (uint16_t)(MISSING_CODE_FIRST + about->missing++);
done:
    return status;
}

bool metadata_is_missing(const ColumnMetadata *about, CodeValue code) {
    for (int32_t i = 0; i < about->ranges; i++) {
        const MissingRange *range = &about->range[i];
        if (!range->low.text != !code.text) continue;
        if (code_order(code, range->low) >= 0 && code_order(code, range->high) <= 0) return true;
    }
    return false;
}

const ValueLabel *metadata_label(const ColumnMetadata *about, CodeValue code) {
    if (!about) return NULL;
    ValueLabel probe = { .of = code };
    return about->labels ? bsearch(&probe, about->label_of, (size_t)about->labels, sizeof probe, by_value) : NULL;
}

const ValueLabel *metadata_word(const ColumnMetadata *about, const char *word) {
    for (int32_t i = 0; about && i < about->labels; i++)
        if (!strcmp(about->label_of[i].word, word)) return &about->label_of[i];
    return NULL;
}
