/* How much of each marked span lies inside the union of the finds, by letters and digits and by words. */
#include <stdlib.h>
#include <string.h>
#include "prose/token.h"
#include "scrub/evaluate/evaluate.h"

/* One note's text, by code points: which are letters or digits. Empty where no texts were given. */
typedef struct Note {
    uint8_t *counts;
    int64_t size;
} Note;

static Status note_of(Work *work, const char *text, Note *out) {
    Status status = OK;
    int64_t room = (int64_t)strlen(text) + 1;
    int length;
    *out = (Note){ 0 };
    NEW(work, out->counts, room);
    for (const char *p = text, *end = text + room - 1; p < end; p += length) {
        uint32_t code = code_point(p, end, &length);
        out->counts[out->size++] = code_is_letter(code) || code - '0' < 10;
    }
done:
    return status;
}

/* The text column: the one named, or the only one besides the id. */
static Status text_column(Run *run, const EvaluateArgs *a, const Column **out) {
    if (a->column) return table_need(a->texts, a->column, out, run->work.error);
    int64_t many = 0;
    for (int64_t c = 0; c < a->texts->columns; c++)
        if (!column_numeric(a->texts->column[c]) && strcmp(a->texts->column[c]->name, a->id)) {
            *out = a->texts->column[c];
            many++;
        }
    if (many == 1) return OK;
    fail(run->work.error, BAD, "is needed: the table of texts has %lld columns of text", (long long)many);
    return error_parameter(run->work.error, "column");
}

static Status no_note(Run *run, const EvaluateArgs *a) {
    fail(run->work.error, BAD, "a span names a note that the table of texts does not have, by its %s", a->id);
    return error_parameter(run->work.error, "texts");
}

/* Row numbers of the texts in order of their ids, so that each is found by halving. */
typedef struct Key {
    const char *id;
    int64_t row;
} Key;
typedef struct Index {
    const Column *text;
    Key *key; /* NULL: ids are row numbers */
} Index;

static int by_id(const void *a, const void *b) { return strcmp(((const Key *)a)->id, ((const Key *)b)->id); }

static Status index_make(Run *run, const EvaluateArgs *a, Index *out) {
    Status status = OK;
    const Column *key = a->texts ? table_column(a->texts, a->id) : NULL;
    char cell[33];
    *out = (Index){ 0 };
    if (!a->texts) return OK;
    TRY(text_column(run, a, &out->text));
    if (!key && strcmp(a->id, "row")) TRY(table_need(a->texts, a->id, &key, run->work.error));
    if (!key) return OK;
    NEW(&run->work, out->key, a->texts->rows + 1);
    for (int64_t row = 0; row < a->texts->rows; row++) {
        const char *id = column_cell(key, row, cell);
        out->key[row] = (Key){ arena_text(run->work.arena, id ? id : ""), row };
        if (!out->key[row].id) TRY(out_of_memory(run->work.error));
    }
    qsort(out->key, (size_t)a->texts->rows, sizeof *out->key, by_id);
done:
    return status;
}

/* The note of this id. */
static Status find_note(Run *run, const EvaluateArgs *a, const Index *index, const char *id, Note *out) {
    Status status = OK;
    char cell[33];
    int64_t row = 0;
    if (index->key) {
        Key wanted = { id, 0 };
        const Key *key = bsearch(&wanted, index->key, (size_t)a->texts->rows, sizeof wanted, by_id);
        if (!key) return no_note(run, a);
        row = key->row;
    } else {
        if (strspn(id, "0123456789") != strlen(id) || strlen(id) > 15) return no_note(run, a);
        for (const char *p = id; *p; p++) row = row * 10 + (*p - '0');
    }
    if (row >= a->texts->rows) return no_note(run, a);
    const char *words = column_cell(index->text, row, cell);
    TRY(note_of(&run->work, words ? words : "", out));
done:
    return status;
}

/* Without the text: the span is one token, and what no span of the other side covers of it has leaked. */
static void cover_blind(Span *span, const Spans *other, int64_t first, int64_t last, int64_t *counted) {
    int64_t at = span->start, left = 0, fresh = 0;
    for (int64_t i = first; i <= last && at < span->end; i++) {
        int64_t start = i < last && other->at[i].start < span->end ? other->at[i].start : span->end;
        int64_t from = at > *counted ? at : *counted;
        if (start > at) left += start - at;
        if (start > from) fresh += start - from;
        if (i < last && other->at[i].end > at) at = other->at[i].end;
    }
    span->tokens = 1;
    span->tokens_covered = left == 0;
    span->leaked = fresh;
    if (span->end > *counted) *counted = span->end;
}

/* Of `other`, sorted by start and of the same note, the end of the cover at `point`; −1 where it is not covered. `from` only grows. */
static int64_t covered_to(const Spans *other, int64_t last, int64_t *from, int64_t *reach, int64_t point) {
    while (*from < last && other->at[*from].start <= point) {
        if (other->at[*from].end > *reach) *reach = other->at[*from].end;
        (*from)++;
    }
    return *reach > point ? *reach : -1;
}

/* Tokens of one span and what of them lies inside the others. Starts over for each span: spans of one side may overlap. */
static void cover_span(Span *span, const Note *note, const Spans *other, int64_t first, int64_t last, int64_t *counted) {
    int64_t from = first, reach = -1;
    bool inside = false, whole = true;
    span->tokens = span->tokens_covered = span->leaked = 0;
    for (int64_t at = span->start; at <= span->end; at++) {
        bool counts = at < span->end && note->counts[at];
        if (counts) {
            bool covered = covered_to(other, last, &from, &reach, at) >= 0;
            if (!inside) span->tokens++;
            whole = (inside ? whole : true) && covered;
            if (!covered && at >= *counted) span->leaked++;
        } else if (inside) span->tokens_covered += whole;
        inside = counts;
    }
    if (span->end > *counted) *counted = span->end;
}

/* All spans of one side by all of the other, note by note. */
static Status cover_side(Run *run, const EvaluateArgs *a, const Index *index, Spans *mine, const Spans *other) {
    Status status = OK;
    for (int64_t i = 0, j = 0; i < mine->count;) {
        Note note = { 0 };
        const char *id = mine->at[i].id;
        int64_t counted = 0, last;
        while (j < other->count && strcmp(other->at[j].id, id) < 0) j++;
        for (last = j; last < other->count && !strcmp(other->at[last].id, id);) last++;
        if (a->texts) TRY(find_note(run, a, index, id, &note));
        for (; i < mine->count && !strcmp(mine->at[i].id, id); i++) {
            if (note.counts && mine->at[i].end > note.size) {
                fail(run->work.error, BAD, "a span ends at %lld in a note of %lld characters", (long long)mine->at[i].end,
                     (long long)note.size);
                error_advice(run->work.error, "Places count code points from 0, and the end is exclusive. Is it the same text?");
                TRY(error_parameter(run->work.error, "texts"));
            }
            if (mine->at[i].ignored) continue;
            if (note.counts) cover_span(&mine->at[i], &note, other, j, last, &counted);
            else cover_blind(&mine->at[i], other, j, last, &counted);
        }
    }
done:
    return status;
}

Status spans_cover(Run *run, const EvaluateArgs *a, Spans *gold, Spans *found) {
    Status status = OK;
    Index index;
    TRY(index_make(run, a, &index));
    TRY(cover_side(run, a, &index, gold, found));
    TRY(cover_side(run, a, &index, found, gold));
done:
    return status;
}
