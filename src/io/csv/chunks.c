/* Reading CSV part by part: windows of whole records, each read as a small file with the types known so far. */
#include "io/csv/chunks.h"
#include <stdlib.h>
#include <string.h>
#include "io/csv/private.h"
#include "io/decompress.h"

enum { HEAD = 1 << 21, STEP = 1 << 20 }; /* HEAD: what the separator is found by, and more */

struct CsvChunks {
    Decompressor *feed;
    char *path;
    CsvOptions options;
    size_t bytes;
    int64_t rows;
    bool begun, returns; /* it was looked at; its lines end in CR alone */
    char *window;
    size_t room, from, count; /* the window's bytes, and where what is not read yet begins */
    bool ended;
    Arena *arena; /* of the names */
    char separator, decimal;
    bool quoted_is_word;
    int64_t columns, lines, head_lines;
    size_t head; /* the header's bytes */
    Field *field;
    unsigned *seen; /* per column, of all parts so far */
    bool some;      /* a part was read: types are set */
    bool given;     /* a part since the beginning: a file without records gives one too */
    bool again;
};

/* ---- bytes ---- */

/* At least `need` bytes that are not read yet, or all that are left. */
static Status fill(CsvChunks *p, size_t need, Error *error) {
    if (p->from && p->count - p->from < need) {
        memmove(p->window, p->window + p->from, p->count - p->from);
        p->count -= p->from;
        p->from = 0;
    }
    while (!p->ended && p->count - p->from < need) {
        size_t got;
        if (p->room - p->count < STEP) {
            size_t room = p->count + STEP > p->room * 2 ? p->count + STEP : p->room * 2;
            if (room > need + 2 * STEP && need + 2 * STEP >= p->count + STEP) room = need + 2 * STEP;
            char *window = realloc(p->window, room);
            if (!window) return out_of_memory(error);
            p->window = window;
            p->room = room;
        }
        Status status = decompressor_read(p->feed, p->window + p->count, p->room - p->count, &got, error);
        if (status) return status;
        if (!p->count && got > 1 && !p->begun) { /* the file's beginning says how its lines end (csv_line_ends) */
            p->begun = true;
            p->returns = !memchr(p->window, '\n', got) && memchr(p->window, '\r', got - 1);
        }
        for (size_t i = p->count; p->returns && i < p->count + got; i++)
            if (p->window[i] == '\r') p->window[i] = '\n';
        p->count += got;
        p->ended = !got;
    }
    return OK;
}

/* The end of the last whole record among the first `bytes`, and of no more than `rows`; 0 where no record ends there. */
static size_t whole_records(const char *at, size_t bytes, int64_t rows) {
    size_t end = 0;
    bool within = false;
    if (!rows && !memchr(at, '"', bytes)) {
        const char *last = memrchr(at, '\n', bytes);
        return last ? (size_t)(last - at) + 1 : 0;
    }
    for (size_t i = 0; i < bytes; i++) {
        within ^= at[i] == '"';
        if (at[i] != '\n' || within) continue;
        end = i + 1;
        if (rows && !--rows) break;
    }
    return end;
}

/* Blank lines at the end stay unread: they may be the file's last, which say nothing. */
static size_t without_blanks(const char *at, size_t end) {
    while (end >= 2 && at[end - 1] == '\n' && (at[end - 2] == '\n' || (at[end - 2] == '\r' && end >= 3 && at[end - 3] == '\n')))
        end -= at[end - 2] == '\n' ? 1 : 2;
    return end;
}

static bool only_blanks(const char *at, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (at[i] != '\n' && at[i] != '\r') return false;
    return true;
}

/* Is there nothing but blank lines left? */
static Status at_end(CsvChunks *p, bool *out, Error *error) {
    Status status = OK;
    for (size_t need = 1;; need *= 2) {
        TRY(fill(p, need, error));
        *out = only_blanks(p->window + p->from, p->count - p->from) && (p->columns > 1 || p->count == p->from);
        if (!*out || p->ended) break;
    }
done:
    return status;
}

/* The bytes of the next part: whole records. 0 at the end. */
static Status next_window(CsvChunks *p, size_t *out, Error *error) {
    Status status = OK;
    size_t need = p->bytes, end = 0;
    bool over;
    *out = 0;
    TRY(at_end(p, &over, error));
    if (over) return OK;
    for (;; need *= 2) {
        TRY(fill(p, need, error));
        size_t there = p->count - p->from, look = there < need ? there : need;
        const char *at = p->window + p->from;
        end = whole_records(at, look, p->rows);
        if (p->columns > 1) end = without_blanks(at, end);
        if (p->columns > 1 && p->ended && look == there && only_blanks(at + end, there - end)) break; /* the rest says nothing */
        if (p->ended && look == there && !p->rows) end = there; /* the last line may have no newline */
        if (p->ended && look == there && p->rows && !end) end = there;
        if (end || (p->ended && look == there)) break;
    }
    *out = end;
done:
    return status;
}

/* ---- the header ---- */

static Csv csv_of(CsvChunks *p, Work *work, const char *at, const char *end) {
    Csv csv = { .work = *work,
                .caller = pthread_self(),
                .options = &p->options,
                .file = p->path,
                .bytes = at,
                .data = at,
                .end = end,
                .lines = p->lines,
                .width = csv_width(),
                .separator = p->separator,
                .decimal = p->decimal,
                .found = !p->options.separator,
                .quoted_is_word = p->quoted_is_word,
                .part = true,
                .columns = p->columns };
    if (p->options.threads > 0) csv.work.threads = p->options.threads;
    return csv;
}

static int64_t count_lines(const char *at, const char *end) {
    int64_t lines = 0;
    for (; (at = memchr(at, '\n', (size_t)(end - at))); at++) lines++;
    return lines;
}

static Status read_head(CsvChunks *p, Work *work) {
    Status status = OK;
    Work own = *work;
    own.arena = p->arena;
    TRY(fill(p, HEAD, work->error));
    if (p->count >= 3 && !memcmp(p->window, "\xEF\xBB\xBF", 3)) p->from = 3;
    const char *at = p->window + p->from;
    Csv csv = csv_of(p, &own, at, p->window + p->count);
    TRY(csv_layout(&csv));
    p->separator = csv.separator;
    p->quoted_is_word = csv.quoted_is_word;
    p->columns = csv.columns;
    p->field = csv.field;
    p->head_lines = p->lines = count_lines(at, csv.data);
    p->from = p->head = (size_t)(csv.data - p->window);
    NEW(&own, p->seen, p->columns + 1);
done:
    return status;
}

Status csv_chunks_open(Work *work, const char *path, const CsvOptions *options, size_t bytes, int64_t rows, CsvChunks **out) {
    Status status = OK;
    CsvChunks *p = calloc(1, sizeof *p);
    if (!p || !(p->path = strdup(path)) || !(p->arena = arena_new())) TRY(out_of_memory(work->error));
    if (options) p->options = *options;
    p->bytes = bytes ? bytes : 1;
    p->rows = rows;
    p->decimal = p->options.decimal ? p->options.decimal : '.';
    if (!p->options.separator && csv_is_tsv(path)) p->options.separator = '\t';
    if (p->options.encoding && strcmp(p->options.encoding, "utf-8") && strcmp(p->options.encoding, "UTF-8")) {
        fail(work->error, BAD, "in parts only UTF-8 is read");
        error_advice(work->error, "Convert the file first: iconv -f %s -t utf-8.", p->options.encoding);
        TRY(error_parameter(work->error, "encoding"));
    }
    TRY(csv_marks(p->options.separator, p->decimal, work->error));
    TRY(decompressor_open(path, &p->feed, work->error));
    TRY(read_head(p, work));
    *out = p;
    p = NULL;
done:
    csv_chunks_close(p);
    return status;
}

void csv_chunks_close(CsvChunks *p) {
    if (!p) return;
    decompressor_close(p->feed);
    free(p->path);
    free(p->window);
    arena_free(p->arena);
    free(p);
}

bool csv_chunks_again(const CsvChunks *p) { return p->again; }
double csv_chunks_share(const CsvChunks *p) { return decompressor_share(p->feed); }

Status csv_chunks_rewind(CsvChunks *p, Error *error) {
    Status status = decompressor_rewind(p->feed, error);
    p->count = p->from = 0;
    p->ended = p->again = p->given = false;
    p->lines = p->head_lines;
    if (!status) status = fill(p, p->head + 1, error);
    p->from = p->head;
    return status;
}

/* ---- parts ---- */

/* The part's own fields: names and declared types, and what is known of the others. */
static Status copy_fields(const CsvChunks *p, Csv *csv) {
    Status status = OK;
    NEW(&csv->work, csv->field, p->columns + 1);
    for (int64_t i = 0; i < p->columns; i++) {
        Field *field = &csv->field[i];
        field->name = p->field[i].name;
        field->declared = p->field[i].declared;
        field->type = p->field[i].type;
        field->seen = p->seen[i];
        field->level = p->field[i].level;
        field->codes = p->field[i].codes;
        field->some = p->field[i].some;
        field->several = p->field[i].several;
        field->first = p->field[i].first;
    }
done:
    return status;
}

/* Did this part hold more than those before it? */
static void compare_types(CsvChunks *p, const Csv *csv) {
    bool wider = csv->quoted_is_word != p->quoted_is_word;
    for (int64_t i = 0; i < p->columns; i++) {
        const Field *field = &csv->field[i];
        unsigned seen = p->seen[i] | field->seen;
        wider |= !field->declared && (csv_join(seen) != csv_join(p->seen[i]) || field->codes.count != p->field[i].codes.count);
        p->seen[i] = seen;
        p->field[i].codes = field->codes;
        p->field[i].some = field->some;
        p->field[i].several = field->several;
        p->field[i].first = field->first;
    }
    p->again |= wider && p->some;
    p->quoted_is_word = csv->quoted_is_word;
    p->some = true;
}

static Status read_window(CsvChunks *p, Work *work, size_t count, Table **out) {
    Status status = OK;
    const char *at = p->window + p->from;
    Csv csv = csv_of(p, work, at, at + count);
    TRY(copy_fields(p, &csv));
    TRY(csv_chunks(&csv));
    TRY(csv_read_columns(&csv));
    compare_types(p, &csv);
    if (!p->again) TRY(csv_table(&csv, out));
    p->from += count;
    p->lines += count_lines(at, at + count);
done:
    for (int64_t i = 0; csv.field && i < csv.columns; i++) csv_field_free(&csv, &csv.field[i]);
    return status;
}

/* At the end: columns whose codes stood beside one number alone, which is a word like them. All numbers were counted only if every part was
 * read by the types of all. */
static void judge_codes(CsvChunks *p) {
    const bool counted = !p->again;
    for (int64_t i = 0; counted && i < p->columns; i++) {
        const Field *field = &p->field[i];
        if (field->declared || !(p->seen[i] & IS_CODE) || csv_join(p->seen[i]) == CATEGORY_TYPE || field->several) continue;
        p->seen[i] |= IS_WORD;
        p->again = true;
    }
}

Status csv_chunks_next(CsvChunks *p, Work *work, Table **out) {
    Status status = OK;
    size_t count;
    *out = NULL;
    do {
        Work own = *work;
        own.arena = arena_new();
        if (!own.arena) TRY(out_of_memory(work->error));
        status = next_window(p, &count, work->error);
        if (!status && (count || !p->given)) status = read_window(p, &own, count, out);
        arena_free(own.arena);
        if (status) goto done;
        p->given = true;
        if (!count) {
            judge_codes(p);
            break;
        }
    } while (!*out); /* once wider types were met, the rest is read for its types alone */
done:
    return status;
}
