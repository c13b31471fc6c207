/* Columns that grow cell by cell. */
#include "io/column_builder.h"
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/number_text.h"

Status builder_open(ColumnBuilder *build, const char *name, Type type, int64_t expected, Error *error) {
    *build = (ColumnBuilder){ .type = type };
    if (!(build->name = strdup(name ? name : ""))) return out_of_memory(error);
    if (expected > 0) {
        size_t bytes = (size_t)expected * (type_wide(type) ? 8 : 4);
        if (bytes > ((size_t)1 << 25) && memory_fits(bytes, error)) return FAILED;
        if (!(build->real = memory_new(bytes))) return out_of_memory(error);
        build->capacity = expected;
    }
    return OK;
}

void builder_free(ColumnBuilder *build) {
    free(build->name);
    free(build->real);
    free(build->valid);
    free(build->reason);
    words_free(&build->words);
    metadata_release(build->about);
    *build = (ColumnBuilder){ 0 };
}

static size_t bitmap_words(int64_t rows) { return (size_t)(rows + 63) / 64 + 1; }

/* Room for one more cell; the bitmap and the reasons grow with the cells once they are there. */
static bool grow(ColumnBuilder *build) {
    int64_t capacity = build->capacity ? build->capacity * 2 : 256;
    void *cells = realloc(build->real, (size_t)capacity * (type_wide(build->type) ? 8 : 4));
    if (!cells) return false;
    build->real = cells;
    if (build->valid) {
        uint64_t *valid = realloc(build->valid, bitmap_words(capacity) * 8);
        if (!valid) return false;
        build->valid = valid;
        memset(valid + bitmap_words(build->capacity), 0xFF, (bitmap_words(capacity) - bitmap_words(build->capacity)) * 8);
    }
    if (build->reason) {
        uint16_t *reason = realloc(build->reason, (size_t)capacity * sizeof *reason);
        if (!reason) return false;
        build->reason = reason;
        memset(reason + build->capacity, 0, (size_t)(capacity - build->capacity) * sizeof *reason);
    }
    build->capacity = capacity;
    return true;
}

static inline bool room(ColumnBuilder *build) { return build->rows < build->capacity || grow(build); }

bool builder_real(ColumnBuilder *build, double value) {
    if (value != value) return builder_missing(build, MISSING_CODE_NONE);
    if (!room(build)) return false;
    build->real[build->rows++] = value;
    return true;
}

bool builder_integer(ColumnBuilder *build, int64_t value) {
    if (!room(build)) return false;
    build->integer[build->rows++] = value;
    return true;
}

bool builder_date(ColumnBuilder *build, int32_t days) {
    if (!room(build)) return false;
    build->date[build->rows++] = days;
    return true;
}

bool builder_moment(ColumnBuilder *build, int64_t micros) { return builder_integer(build, micros); }

bool builder_text(ColumnBuilder *build, const char *at, size_t length) {
    if (!room(build)) return false;
    int64_t before = build->words.count;
    if (before >= INT32_MAX - 1) return false;
    int32_t code = words_code(&build->words, at, length, false);
    if (code < 0) return false;
    if (build->words.count > before) { /* new: the words keep it */
        const char *fault = build->fault ? NULL : text_fault(at, length);
        if (fault) build->fault = fault, build->fault_row = build->rows;
        char *copy = words_room(&build->words, length ? length : 1);
        if (!copy) return false;
        if (length) memcpy(copy, at, length);
        build->words.word[code].at = copy;
    }
    build->code[build->rows++] = code;
    return true;
}

bool builder_missing(ColumnBuilder *build, uint16_t reason) {
    if (!room(build)) return false;
    if (!build->valid) {
        size_t words = bitmap_words(build->capacity);
        if (!(build->valid = malloc(words * 8))) return false;
        memset(build->valid, 0xFF, words * 8);
    }
    if (reason && !build->reason && !(build->reason = calloc((size_t)build->capacity, sizeof *build->reason))) return false;
    if (reason) build->reason[build->rows] = reason;
    int64_t row = build->rows++;
    build->valid[row >> 6] &= ~(UINT64_C(1) << (row & 63));
    if (type_wide(build->type)) build->integer[row] = 0;
    else build->code[row] = 0;
    return true;
}

bool builder_many(ColumnBuilder *build, const void *cells, const uint64_t *valid, int64_t count) {
    size_t size = type_wide(build->type) ? 8 : 4;
    while (build->capacity - build->rows < count)
        if (!grow(build)) return false;
    bool some = false;
    for (int64_t i = 0; valid && i < count && !some; i += 64) {
        uint64_t whole = count - i >= 64 ? UINT64_MAX : (UINT64_C(1) << (count - i)) - 1;
        some = (valid[i >> 6] & whole) != whole;
    }
    for (int64_t i = 0; some && i < count; i++) {
        bool there = (valid[i >> 6] >> (i & 63)) & 1;
        if (!there && !builder_missing(build, MISSING_CODE_NONE)) return false;
        if (there) memcpy((char *)build->real + (size_t)build->rows++ * size, (const char *)cells + (size_t)i * size, size);
    }
    if (some) return true;
    memcpy((char *)build->real + (size_t)build->rows * size, cells, (size_t)count * size);
    build->rows += count;
    return true;
}

static bool absent(const ColumnBuilder *build, int64_t row) { return build->valid && !((build->valid[row >> 6] >> (row & 63)) & 1); }

/* ---- what the cells are, in the end ---- */

static bool all_whole(const ColumnBuilder *build) {
    for (int64_t i = 0; i < build->rows; i++)
        if (!absent(build, i) && (build->real[i] != rint(build->real[i]) || fabs(build->real[i]) > 0x1p53)) return false;
    return true;
}

static void make_whole(ColumnBuilder *build) {
    for (int64_t i = 0; i < build->rows; i++) build->integer[i] = (int64_t)build->real[i]; /* the same eight bytes */
    build->type = INTEGER_TYPE;
}

Status builder_moments(ColumnBuilder *build, double micros, int64_t origin_days, bool days_only, Error *error) {
    double day = 86400e6, origin = (double)origin_days * day;
    bool days = days_only;
    for (int64_t i = 0; i < build->rows; i++) {
        if (absent(build, i)) continue;
        double at = build->real[i] * micros + origin, whole = floor(at / day);
        if (!(fabs(at) < 9e18) || fabs(whole) > INT32_MAX) return OK;
        days &= whole * day == at;
    }
    int32_t *date = days ? malloc((size_t)(build->capacity ? build->capacity : 1) * sizeof *date) : NULL;
    if (days && !date) return out_of_memory(error);
    for (int64_t i = 0; i < build->rows; i++) {
        double at = absent(build, i) ? 0 : rint(build->real[i] * micros) + origin;
        if (days) date[i] = (int32_t)floor(at / day);
        else build->moment[i] = (int64_t)at;
    }
    build->type = days ? DATE_TYPE : DATETIME_TYPE;
    if (days) {
        free(build->real);
        build->date = date;
    }
    return OK;
}

/* The rest of the column: missing cells, reasons, labels go over to it. */
static Status finish(ColumnBuilder *build, Column *column, Error *error) {
    Status status = OK;
    if (build->valid) {
        TRY(column_need_valid(column, error));
        memcpy(column->valid, build->valid, (size_t)((build->rows + 63) / 64) * 8);
    }
    if (build->reason) {
        TRY(column_need_reason(column, error));
        memcpy(column->reason, build->reason, (size_t)build->rows * sizeof *column->reason);
    }
    column_seal(column);
    column_narrow(column);
    column->about = build->about;
    build->about = NULL;
done:
    return status;
}

static Status take_cells(ColumnBuilder *build, Column **out, Error *error) {
    Status status = OK;
    Column *column = NULL;
    TRY(column_new(build->type, build->name, 0, &column, error));
    free(column->real);
    size_t bytes = (size_t)build->rows * (type_wide(build->type) ? 8 : 4);
    void *fitted = build->rows == build->capacity && build->rows ? build->real : realloc(build->real, bytes ? bytes : 8);
    if (fitted) build->real = fitted; /* shrunk to what is there */
    column->real = build->real;
    build->real = NULL;
    column->rows = build->rows;
    if (!column->real) TRY(out_of_memory(error));
    TRY(finish(build, column, error));
    *out = column;
    column = NULL;
done:
    column_release(column);
    return status;
}

/* ---- words ---- */

static int by_bytes(const void *a, const void *b) {
    const Word *x = *(const Word *const *)a, *y = *(const Word *const *)b;
    int order = memcmp(x->at, y->at, x->length < y->length ? x->length : y->length);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* Sorted words; map[old code] is the word's new one. Words that were only listed may be there twice. */
static Status sort_words(Work *work, const Words *words, int32_t *map, Dictionary **out) {
    Status status = OK;
    const Word **sorted = NULL;
    const char **text = NULL;
    int64_t distinct = 0;
    NEW(work, sorted, words->count + 1);
    NEW(work, text, words->count + 1);
    for (int64_t i = 0; i < words->count; i++) sorted[i] = &words->word[i];
    if (words->count) qsort(sorted, (size_t)words->count, sizeof *sorted, by_bytes);
    for (int64_t i = 0; i < words->count; i++) {
        if (!i || by_bytes(&sorted[i], &sorted[i - 1])) {
            text[distinct] = arena_print(work->arena, "%.*s", (int)sorted[i]->length, sorted[i]->at);
            if (!text[distinct++]) TRY(out_of_memory(work->error));
        }
        map[sorted[i] - words->word] = (int32_t)(distinct - 1);
    }
    TRY(dictionary_new(text, (int32_t)distinct, false, out, work->error));
done:
    arena_drop(work->arena, sorted);
    arena_drop(work->arena, text);
    return status;
}

static Status make_text(ColumnBuilder *build, Work *work, Column **out) {
    Status status = OK;
    Column *column = NULL;
    uint64_t at = 0, total = (uint64_t)build->rows;
    for (int64_t i = 0; i < build->rows; i++) total += absent(build, i) ? 0 : build->words.word[build->code[i]].length;
    TRY(column_unfilled(TEXT_TYPE, build->name, build->rows, &column, work->error));
    if (!(column->bytes = malloc(total + 1))) TRY(out_of_memory(work->error));
    for (int64_t i = 0; i < build->rows; i++) {
        const Word *word = absent(build, i) ? NULL : &build->words.word[build->code[i]];
        column->offset[i] = at;
        if (word) {
            memcpy(column->bytes + at, word->at, word->length);
            at += word->length;
        }
        column->bytes[at++] = 0;
    }
    column->offset[build->rows] = at;
    TRY(finish(build, column, work->error));
    *out = column;
    column = NULL;
done:
    column_release(column);
    return status;
}

static Status make_category(ColumnBuilder *build, Work *work, const int32_t *map, Dictionary *words, Column **out) {
    Status status = OK;
    for (int64_t i = 0; i < build->rows; i++)
        if (!absent(build, i)) build->code[i] = map[build->code[i]];
    build->type = CATEGORY_TYPE;
    TRY(take_cells(build, out, work->error));
    (*out)->words = dictionary_retain(words);
done:
    return status;
}

/* Texts with labels ("M" → "male"): where every word has one, the labels stand for them. */
static void label_texts(ColumnBuilder *build) {
    if (!build->about || !build->about->labels || build->labels_apart || build->words.listed) return;
    char text[256];
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < build->words.count; i++) {
            Word *word = &build->words.word[i];
            if (word->length >= sizeof text) return;
            memcpy(text, word->at, word->length);
            text[word->length] = 0;
            const ValueLabel *label = metadata_label(build->about, (CodeValue){ .text = text });
            if (!label) return;
            if (pass) *word = (Word){ label->word, (uint32_t)strlen(label->word), 0 }; /* the column keeps them alive */
        }
}

static Status text_or_category(ColumnBuilder *build, Work *work, Column **out) {
    Status status = OK;
    Dictionary *words = NULL;
    int32_t *map = NULL;
    if (build->text || build->words.count > 2 * (int64_t)MANY_WORDS + build->rows / 2) return make_text(build, work, out);
    NEW(work, map, build->words.count + 1);
    TRY(sort_words(work, &build->words, map, &words));
    if (words_are_many(words->count, build->rows)) TRY(make_text(build, work, out));
    else TRY(make_category(build, work, map, words, out));
done:
    dictionary_release(words);
    arena_drop(work->arena, map);
    return status;
}

static Status close_words(ColumnBuilder *build, Work *work, Column **out) {
    bool declared = build->text;
    label_texts(build);
    Status status = text_or_category(build, work, out);
    if (!status) (*out)->by_number = !declared;
    return status;
}

/* ---- labelled values ---- */

typedef struct Labelling {
    int32_t *code;
    bool *occurs;
} Labelling; /* of each row: the label's place; of each label: some row has it */

/* False where some value has no label. */
static bool find_labels(const ColumnBuilder *build, Labelling *l) {
    const ColumnMetadata *about = build->about;
    const ValueLabel *known = NULL;
    double last = NAN;
    for (int64_t i = 0; i < build->rows; i++) {
        if (absent(build, i)) {
            l->code[i] = 0;
            continue;
        }
        double value = build->type == INTEGER_TYPE ? (double)build->integer[i] : build->type == REAL_TYPE ? build->real[i] : 0;
        if (build->type == TEXT_TYPE) return false;
        if (value != last) known = metadata_label(about, (CodeValue){ .value = value });
        last = value;
        if (!known) return false;
        l->code[i] = (int32_t)(known - about->label_of);
        l->occurs[l->code[i]] = true;
    }
    return true;
}

/* The words that occur: in the order of their values where the file calls the variable ordinal, else sorted. */
static Status label_words(Work *work, const ColumnMetadata *about, const bool *occurs, int32_t *place, Dictionary **out) {
    Status status = OK;
    const char **word = NULL;
    int32_t count = 0;
    bool ordered = about->measure == MEASURE_ORDINAL;
    NEW(work, word, about->labels + 1);
    for (int32_t i = 0; i < about->labels; i++)
        if (occurs[i]) word[count++] = about->label_of[i].word;
    if (!ordered && count) qsort(word, (size_t)count, sizeof *word, compare_texts);
    TRY(dictionary_new(word, count, ordered, out, work->error));
    for (int32_t i = 0; i < about->labels; i++) place[i] = occurs[i] ? dictionary_find(*out, about->label_of[i].word) : 0;
done:
    return status;
}

/* NULL in *out where it is no category: some value has no label. */
static Status close_labelled(ColumnBuilder *build, Work *work, Column **out) {
    Status status = OK;
    Labelling l = { 0 };
    int32_t *place = NULL;
    Dictionary *words = NULL;
    Column *column = NULL;
    NEW(work, l.code, build->rows + 1);
    NEW(work, l.occurs, build->about->labels + 1);
    NEW(work, place, build->about->labels + 1);
    if (!find_labels(build, &l)) goto done;
    bool some = false;
    for (int32_t i = 0; i < build->about->labels; i++) some |= l.occurs[i];
    if (!some) goto done; /* nothing but missing cells: the labels are of values that mean missing, as far as can be seen */
    TRY(label_words(work, build->about, l.occurs, place, &words));
    TRY(column_unfilled(CATEGORY_TYPE, build->name, build->rows, &column, work->error));
    for (int64_t i = 0; i < build->rows; i++) column->code[i] = absent(build, i) ? 0 : place[l.code[i]];
    column->words = words;
    words = NULL;
    TRY(finish(build, column, work->error));
    *out = column;
    column = NULL;
done:
    arena_drop(work->arena, l.code);
    dictionary_release(words);
    column_release(column);
    return status;
}

static Status close_as(ColumnBuilder *build, Work *work, Column **out) {
    Status status = OK;
    if (build->undecided && !builder_convert(build, REAL_TYPE))
        return out_of_memory(work->error); /* nothing but missing: real, as in CSV */
    if (build->type == TEXT_TYPE) return close_words(build, work, out);
    if (build->about && build->about->labels && !build->labels_apart && (build->type == REAL_TYPE || build->type == INTEGER_TYPE)) {
        TRY(close_labelled(build, work, out));
        if (*out) return OK;
    }
    if (build->type == REAL_TYPE && build->whole && all_whole(build)) make_whole(build);
    TRY(take_cells(build, out, work->error));
done:
    return status;
}

static Status not_text(const ColumnBuilder *build, Error *error) {
    fail(error, BAD, "a text %s", build->fault);
    error_advice(error, "Text must be UTF-8; convert it, or say how the file is encoded where that can be said (--encoding).");
    error_row(error, build->fault_row);
    return error_column(error, build->name);
}

Status builder_close(ColumnBuilder *build, Work *work, Column **out) {
    *out = NULL;
    Status status = build->fault ? not_text(build, work->error) : close_as(build, work, out);
    if (status && *out) {
        column_release(*out);
        *out = NULL;
    }
    builder_free(build);
    return status;
}

Status builders_table(Work *work, const char *name, ColumnBuilder *builds, int64_t count, int64_t rows, Table **out) {
    Status status = OK;
    Column **columns = NULL;
    int64_t made = 0;
    NEW(work, columns, count + 1);
    for (; made < count; made++) TRY(builder_close(&builds[made], work, &columns[made]));
    TRY(table_new(name, columns, count, rows, out, work->error));
done:
    for (int64_t i = 0; i < made; i++) column_release(columns[i]);
    for (int64_t i = made; builds && i < count; i++) builder_free(&builds[i]);
    if (status && name) error_file(work->error, name);
    return status;
}
