/* The marked notes of a site: read, cut into tokens, and each token given the tag of the mark that it lies in. */
#include <stdlib.h>
#include <string.h>
#include "scrub/train/train.h"

static Status text_column(Training *t, const Column **out) {
    const TrainArgs *a = t->a;
    if (a->column) return table_need(a->notes, a->column, out, t->run->work.error);
    int64_t many = 0;
    for (int64_t c = 0; c < a->notes->columns; c++)
        if (!column_numeric(a->notes->column[c]) && strcmp(a->notes->column[c]->name, a->id)) {
            *out = a->notes->column[c];
            many++;
        }
    const Column *note = many > 1 ? table_column(a->notes, "note") : NULL;
    if (note) *out = note;
    if (many == 1 || note) return OK;
    fail(t->run->work.error, BAD, "is needed: the table of notes has %lld columns of text", (long long)many);
    return error_parameter(t->run->work.error, "column");
}

/* Ids in order, so that each is found by halving. */
typedef struct Key {
    const char *id;
    int64_t row;
} Key;
static int by_id(const void *a, const void *b) { return strcmp(((const Key *)a)->id, ((const Key *)b)->id); }

static Status read_notes(Training *t, Key **keys) {
    Status status = OK;
    Work *work = &t->run->work;
    const Column *text = NULL, *id = table_column(t->a->notes, t->a->id);
    char cell[33];
    TRY(text_column(t, &text));
    if (!id && strcmp(t->a->id, "row")) TRY(table_need(t->a->notes, t->a->id, &id, work->error));
    t->notes = t->a->notes->rows;
    NEW(work, t->note, t->notes + 1);
    if (id) NEW(work, *keys, t->notes + 1);
    for (int64_t row = 0; row < t->notes; row++) {
        const char *words = column_cell(text, row, cell);
        t->note[row].text = words == cell ? arena_text(work->arena, words) : words ? words : "";
        t->note[row].size = strlen(t->note[row].text);
        if (!id) continue;
        const char *name = column_cell(id, row, cell);
        (*keys)[row] = (Key){ arena_text(work->arena, name ? name : ""), row };
        if (!(*keys)[row].id) TRY(out_of_memory(work->error));
    }
    if (id) qsort(*keys, (size_t)t->notes, sizeof **keys, by_id);
done:
    return status;
}

static SiteNote *note_named(Training *t, const Key *keys, const char *id) {
    int64_t row = 0;
    if (keys) {
        Key wanted = { id, 0 };
        const Key *key = bsearch(&wanted, keys, (size_t)t->notes, sizeof wanted, by_id);
        return key ? &t->note[key->row] : NULL;
    }
    if (!*id || strspn(id, "0123456789") != strlen(id) || strlen(id) > 15) return NULL;
    for (const char *p = id; *p; p++) row = row * 10 + (*p - '0');
    return row < t->notes ? &t->note[row] : NULL;
}

/* What the map says of a kind; "" where it is to count neither way; NULL where the map does not have it. */
static const char *mapped(Training *t, const char *kind) {
    char cell[33];
    const Column *from = t->a->map ? table_column(t->a->map, "kind") : NULL, *to = t->a->map ? table_column(t->a->map, "as") : NULL;
    for (int64_t i = 0; from && to && i < t->a->map->rows; i++) {
        const char *name = column_cell(from, i, cell);
        if (!name || strcmp(name, kind)) continue;
        const char *as = column_cell(to, i, cell);
        return as ? arena_text(t->run->work.arena, as) : "";
    }
    return NULL;
}

Status training_kind(Training *t, const char *name, int32_t *out) {
    Status status = OK;
    Work *work = &t->run->work;
    for (int64_t k = 0; k < t->kinds; k++)
        if (!strcmp(t->kind[k].name, name)) {
            *out = (int32_t)k;
            return OK;
        }
    GROW(work, t->kind, t->kind_room, t->kinds + 1);
    SiteKind *kind = &t->kind[t->kinds];
    *kind = (SiteKind){ .name = arena_text(work->arena, name), .trace = trace_named(NULL, name), .by = "name" };
    const char *as = mapped(t, name);
    if (as) {
        kind->trace = *as ? trace_named(NULL, as) : -1;
        kind->by = "map";
        if (*as && kind->trace < 0) {
            fail(work->error, BAD, "gives a kind a name that no find has");
            TRY(error_parameter(work->error, "map"));
        }
    } else if (kind->trace < 0) kind->by = NULL; /* by what is found there */
    if (!kind->name) TRY(out_of_memory(work->error));
    *out = (int32_t)t->kinds++;
done:
    return status;
}

int64_t note_byte(const SiteNote *note, int64_t point) {
    int64_t at = 0, seen = 0;
    int length;
    for (; at < (int64_t)note->size && seen < point; at += length, seen++)
        (void)code_point(note->text + at, note->text + note->size, &length);
    return seen == point ? at : -1;
}

static Status bad_mark(Training *t, int64_t row, const char *what) {
    fail(t->run->work.error, BAD, "the mark in row %lld %s", (long long)row + 1, what);
    error_advice(t->run->work.error, "A mark has its note, start and end in code points (end exclusive), and kind.");
    return error_parameter(t->run->work.error, "marked");
}

static int by_start(const void *a, const void *b) {
    const Mark *x = a, *y = b;
    return x->start != y->start ? (x->start < y->start ? -1 : 1) : (x->end > y->end) - (x->end < y->end);
}

static Status read_marks(Training *t, const Key *keys) {
    Status status = OK;
    Work *work = &t->run->work;
    const Table *marked = t->a->marked;
    const Column *id, *start, *end, *kind = table_column(marked, "kind") ? table_column(marked, "kind") : table_column(marked, "type");
    char cell[33];
    SiteNote **of = NULL;
    Mark *mark = NULL;
    TRY(table_need(marked, t->a->id, &id, work->error));
    TRY(table_need(marked, "start", &start, work->error));
    TRY(table_need(marked, "end", &end, work->error));
    if (!kind) TRY(table_need(marked, "kind", &kind, work->error));
    NEW(work, of, marked->rows + 1);
    NEW(work, mark, marked->rows + 1);
    for (int64_t row = 0; row < marked->rows; row++) {
        const char *name = column_cell(id, row, cell);
        of[row] = name ? note_named(t, keys, name) : NULL;
        if (!of[row]) TRY(bad_mark(t, row, "is of no note in the table of notes"));
        double from = column_number(start, row), to = column_number(end, row);
        int64_t a = from >= 0 && from < 1e9 ? note_byte(of[row], (int64_t)from) : -1,
                b = to > from && to < 1e9 ? note_byte(of[row], (int64_t)to) : -1;
        if (a < 0 || b <= a) TRY(bad_mark(t, row, "is no place in its note"));
        const char *what = column_cell(kind, row, cell);
        if (!what) TRY(bad_mark(t, row, "has no kind"));
        mark[row] = (Mark){ (uint32_t)a, (uint32_t)b, 0 };
        TRY(training_kind(t, what, &mark[row].kind));
        t->kind[mark[row].kind].marks++;
        of[row]->marks++;
    }
    for (int64_t n = 0; n < t->notes; n++) {
        NEW(work, t->note[n].mark, t->note[n].marks + 1);
        t->note[n].marks = 0;
    }
    for (int64_t row = 0; row < marked->rows; row++) of[row]->mark[of[row]->marks++] = mark[row];
    for (int64_t n = 0; n < t->notes; n++) qsort(t->note[n].mark, (size_t)t->note[n].marks, sizeof(Mark), by_start);
done:
    return status;
}

/* What the finder holds of the places where a kind is marked, in the whole of the notes. */
static Status meet_finds(Training *t) {
    Status status = OK;
    Search search = { 0 };
    TRY(search_open(&t->finder, &search, t->run->work.error));
    for (int64_t n = 0; n < t->notes; n++) {
        const SiteNote *note = &t->note[n];
        TRY(search_text(&search, note->text, note->size, NULL, t->run->work.error));
        for (int64_t m = 0, f = 0; m < note->marks; m++) {
            SiteKind *kind = &t->kind[note->mark[m].kind];
            while (f < search.finds.count && search.finds.at[f].end <= note->mark[m].start) f++;
            if (f < search.finds.count && search.finds.at[f].start < note->mark[m].end) kind->met[search.finds.at[f].kind]++;
            bool digit = false;
            for (uint32_t i = note->mark[m].start; i < note->mark[m].end; i++) digit |= note->text[i] >= '0' && note->text[i] <= '9';
            kind->numbers += digit;
        }
    }
done:
    search_close(&search);
    return status;
}

/* A kind that no find is called by is what most finds at its marks are, where a third of the marks have one; else an ID. */
static void determine_kinds(Training *t) {
    for (int64_t k = 0; k < t->kinds; k++) {
        SiteKind *kind = &t->kind[k];
        if (kind->by) continue;
        int best = 0;
        for (int i = 1; i < TRACES; i++)
            if (kind->met[i] > kind->met[best]) best = i;
        bool enough = kind->met[best] * 3 >= kind->marks;
        kind->trace = enough ? best : TRACE_ID;
        kind->by = enough ? "finds" : "none";
    }
}

/* Sites mark towns and post codes as one kind: a mark that begins with a digit is a post code. */
static uint8_t tag_of(int trace, char first) {
    bool digit = first >= '0' && first <= '9';
    if (trace == TRACE_ZIP || trace == TRACE_PLACE || trace == TRACE_REGION) return digit ? TAG_ZIP : TAG_PLACE;
    switch (trace) {
    case -1: return TAG_OTHER;
    case TRACE_PERSON: return TAG_PERSON;
    case TRACE_ADDRESS: return TAG_STREET;
    case TRACE_ORGANISATION: return TAG_ORGANISATION;
    case TRACE_DATE:
    case TRACE_AGE: return TAG_DATE;
    default: return TAG_NUMBER;
    }
}

Status training_tags(Training *t) {
    Status status = OK;
    Work *work = &t->run->work;
    for (int64_t n = 0; n < t->notes; n++) {
        SiteNote *note = &t->note[n];
        TRY(tokens_cut(note->text, note->size, &note->tokens, work->error));
        lists_mark(&t->finder.lists, note->text, &note->tokens);
        NEW(work, note->tag, note->tokens.count + 1);
        for (int64_t i = 0, m = 0; i < note->tokens.count; i++) {
            const Token *k = &note->tokens.at[i];
            while (m < note->marks && note->mark[m].end <= k->start) m++;
            bool within = m < note->marks && note->mark[m].start < k->end && k->shape < SHAPE_LINE;
            note->tag[i] = within ? tag_of(t->kind[note->mark[m].kind].trace, note->text[note->mark[m].start]) : TAG_OTHER;
        }
    }
done:
    return status;
}

Status training_notes(Training *t) {
    Key *keys = NULL;
    return read_notes(t, &keys);
}

uint64_t training_traces(const Training *t) {
    uint64_t traces = 0;
    for (int64_t k = 0; k < t->kinds; k++)
        if (t->kind[k].trace >= 0) traces |= (uint64_t)1 << t->kind[k].trace;
    return traces;
}

Status training_read(Training *t) {
    Status status = OK;
    Key *keys = NULL;
    TRY(read_notes(t, &keys));
    TRY(read_marks(t, keys));
    TRY(meet_finds(t));
    determine_kinds(t);
    TRY(training_tags(t));
done:
    return status;
}

void training_free(Training *t) {
    for (int64_t n = 0; t->note && n < t->notes; n++) tokens_free(&t->note[n].tokens);
    finder_close(&t->finder);
}
