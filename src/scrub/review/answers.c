/* The answers of a reviewer: each becomes marks in the notes, and counts for the estimate. */
#include <stdlib.h>
#include <string.h>
#include "scrub/review/review.h"

typedef enum { ROW_PASSAGE, ROW_FOUND, ROW_LEFT } RowState;
/* A row of the table of answers, and then a place in a passage. */
typedef struct Item {
    int64_t number, line;
    uint32_t start, end;
    int32_t kind;
    RowState state;
    bool marked;
} Item;
typedef struct Answers {
    Review *r;
    const Column *round, *passage, *row, *start, *end, *state, *kind, *text, *weight, *answer;
    Item *item;
    int64_t items, room;
} Answers;

static Status bad_answer(const Review *r, int64_t line, const char *what) {
    fail(r->run->work.error, BAD, "row %lld %s", (long long)line + 1, what);
    error_advice(r->run->work.error, "Give the table that `scrub review` wrote for these notes, with only the column `answer` changed.");
    return error_parameter(r->run->work.error, "answers");
}

static Status answer_columns(Answers *s) {
    Status status = OK;
    const Table *table = s->r->a->answers;
    Error *error = s->r->run->work.error;
    TRY(table_need(table, "round", &s->round, error));
    TRY(table_need(table, "passage", &s->passage, error));
    TRY(table_need(table, "row", &s->row, error));
    TRY(table_need(table, "start", &s->start, error));
    TRY(table_need(table, "end", &s->end, error));
    TRY(table_need(table, "state", &s->state, error));
    TRY(table_need(table, "kind", &s->kind, error));
    TRY(table_need(table, "text", &s->text, error));
    TRY(table_need(table, "weight", &s->weight, error));
    TRY(table_need(table, "answer", &s->answer, error));
done:
    return status;
}

static bool whole_number(const Column *column, int64_t line, int64_t least, int64_t most, int64_t *out) {
    double x = column_number(column, line);
    if (!(x >= (double)least && x <= (double)most)) return false;
    *out = (int64_t)x;
    return (double)*out == x;
}

/* What a person typed, without the blanks around it; NULL where that is nothing. */
static const char *typed(Work *work, const Column *column, int64_t line) {
    char cell[33];
    const char *text = column_cell(column, line, cell);
    if (!text) return NULL;
    while (*text == ' ') text++;
    size_t size = strlen(text);
    while (size && text[size - 1] == ' ') size--;
    return size ? arena_print(work->arena, "%.*s", (int)size, text) : NULL;
}

static bool is_word(const char *text, const char *const *words) {
    for (; *words; words++)
        if (!strcasecmp(text, *words)) return true;
    return false;
}

static const char *const yes[] = { "yes", "y", "right", NULL }, *const no[] = { "no", "n", "wrong", NULL },
                         *const none[] = { "none", "ok", "no", NULL };

static Status add_item(Answers *s, Item item) {
    Status status = OK;
    GROW(&s->r->run->work, s->item, s->room, s->items + 1);
    s->item[s->items++] = item;
done:
    return status;
}

/* The line's passage and place. */
static Status read_place(Answers *s, int64_t line, Item *item, int64_t *note) {
    Review *r = s->r;
    int64_t start, end;
    if (!whole_number(s->passage, line, 1, r->a->answers->rows, &item->number)) return bad_answer(r, line, "has no number of a passage");
    if (!whole_number(s->row, line, 0, r->training.notes - 1, note)) return bad_answer(r, line, "is of no note");
    const SiteNote *of = &r->training.note[*note];
    if (!whole_number(s->start, line, 0, 1000000000, &start) || !whole_number(s->end, line, start + 1, 1000000000, &end))
        return bad_answer(r, line, "is no place in its note");
    int64_t a = note_byte(of, start), b = note_byte(of, end);
    if (a < 0 || b < 0) return bad_answer(r, line, "is no place in its note");
    item->start = (uint32_t)a;
    item->end = (uint32_t)b;
    item->line = line;
    return OK;
}

static Status read_passage(Answers *s, int64_t line, const Item *item, int64_t note) {
    Review *r = s->r;
    Reviewed *to = &r->reviewed[item->number - 1];
    double weight = column_number(s->weight, line);
    if (to->named) return bad_answer(r, line, "repeats the number of a passage");
    *to = (Reviewed){ .note = note, .start = item->start, .end = item->end, .weight = weight, .named = true };
    if (!whole_number(s->round, line, 1, 1000000, &to->round) || !(weight >= 1)) return bad_answer(r, line, "has no round or no weight");
    to->answer = typed(&r->run->work, s->answer, line);
    if (to->round > r->round && to->answer) r->round = to->round;
    r->numbers = item->number > r->numbers ? item->number : r->numbers;
    return OK;
}

/* A find, or a place that came near: what the reviewer says of it, and what it is. */
static Status read_find(Answers *s, int64_t line, Item *item, int64_t note) {
    Status status = OK;
    Review *r = s->r;
    char cell[33];
    const char *text = column_cell(s->text, line, cell), *kind = column_cell(s->kind, line, cell);
    const SiteNote *of = &r->training.note[note];
    if (!text || strlen(text) != item->end - item->start || memcmp(text, of->text + item->start, item->end - item->start) != 0)
        TRY(bad_answer(r, line, "has other words than its note"));
    const char *name = kind ? arena_text(r->run->work.arena, kind) : NULL, *answer = typed(&r->run->work, s->answer, line);
    item->marked = item->state == ROW_FOUND;
    if (answer && is_word(answer, no)) item->marked = false;
    else if (answer) {
        item->marked = true;
        if (!is_word(answer, yes)) name = answer;
    }
    if (!name || trace_named(NULL, name) < 0) TRY(bad_answer(r, line, "has an answer that is neither yes, no nor a kind of identifier"));
    TRY(training_kind(&r->training, name, &item->kind));
    TRY(add_item(s, *item));
done:
    return status;
}

static Status read_lines(Answers *s) {
    static const char *const states[] = { "passage", "found", "left" };
    Status status = OK;
    char cell[33];
    for (int pass = 0; pass < 2; pass++)
        for (int64_t line = 0; line < s->r->a->answers->rows; line++) {
            Item item = { 0 };
            int64_t note = 0;
            const char *state = column_cell(s->state, line, cell);
            int which = 0;
            while (which < 3 && (!state || strcmp(state, states[which]) != 0)) which++;
            if (which == 3) TRY(bad_answer(s->r, line, "has no state"));
            if (pass != (which > 0)) continue;
            item.state = (RowState)which;
            TRY(read_place(s, line, &item, &note));
            if (which == 0) {
                TRY(read_passage(s, line, &item, note));
                continue;
            }
            const Reviewed *of = &s->r->reviewed[item.number - 1];
            if (!of->named || of->note != note || item.start < of->start || item.end > of->end)
                TRY(bad_answer(s->r, line, "is of no passage of the table"));
            if (of->answer) TRY(read_find(s, line, &item, note));
        }
done:
    return status;
}

/* Every place of the passage at which these words stand. */
static Status add_words(Answers *s, int64_t number, const char *words, size_t size, int32_t kind) {
    Status status = OK;
    const Reviewed *of = &s->r->reviewed[number];
    const SiteNote *note = &s->r->training.note[of->note];
    int64_t before = s->items;
    for (uint32_t at = of->start; at + size <= of->end; at++)
        if (!memcmp(note->text + at, words, size)) {
            TRY(add_item(s, (Item){ .number = number + 1,
                                    .line = -1,
                                    .start = at,
                                    .end = at + (uint32_t)size,
                                    .kind = kind,
                                    .state = ROW_PASSAGE,
                                    .marked = true }));
            at += (uint32_t)size - 1;
        }
    if (s->items == before) {
        fail(s->r->run->work.error, BAD, "names words that are not in passage %lld", (long long)number + 1);
        error_advice(s->r->run->work.error, "Answer a passage with none, or with the words as they stand in it; | separates several, "
                                            "PERSON= before them says their kind.");
        TRY(error_parameter(s->r->run->work.error, "answers"));
    }
done:
    return status;
}

/* "PERSON=Ada | 12 b": what the finds of a passage leave out. Words without a kind are a person's name, or with a digit an ID. */
static Status read_missing(Answers *s, int64_t number) {
    Status status = OK;
    const char *at = s->r->reviewed[number].answer;
    if (is_word(at, none) || is_word(at, yes)) return OK;
    while (at) {
        const char *bar = strchr(at, '|'), *end = bar ? bar : at + strlen(at);
        while (at < end && *at == ' ') at++;
        while (end > at && end[-1] == ' ') end--;
        const char *equal = memchr(at, '=', (size_t)(end - at)),
                   *name = equal ? arena_print(s->r->run->work.arena, "%.*s", (int)(equal - at), at) : NULL;
        if (name && trace_named(NULL, name) >= 0) at = equal + 1;
        else {
            name = "PERSON";
            for (const char *c = at; c < end; c++)
                if (*c >= '0' && *c <= '9') name = "ID";
        }
        int32_t kind;
        TRY(training_kind(&s->r->training, name, &kind));
        if (end > at) TRY(add_words(s, number, at, (size_t)(end - at), kind));
        at = bar ? bar + 1 : NULL;
    }
done:
    return status;
}

/* By passage; what was typed before what was found. */
static int by_place(const void *a, const void *b) {
    const Item *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    if ((x->line < 0) != (y->line < 0)) return x->line < 0 ? -1 : 1;
    return x->start != y->start ? (x->start < y->start ? -1 : 1) : (x->end > y->end) - (x->end < y->end);
}

/* Every letter and digit of the mark lies in some find. */
static bool found_whole(const Item *item, int64_t count, const SiteNote *note, const Item *mark) {
    for (uint32_t at = mark->start; at < mark->end; at++) {
        unsigned char c = (unsigned char)note->text[at];
        bool counts = c >= 0x80 || (c >= '0' && c <= '9') || ((c | 32u) >= 'a' && (c | 32u) <= 'z'), found = !counts;
        for (int64_t i = 0; i < count && !found; i++) found = item[i].state == ROW_FOUND && item[i].start <= at && at < item[i].end;
        if (!found) return false;
    }
    return true;
}

static bool overlaps(const Item *a, const Item *b) { return a->start < b->end && b->start < a->end; }

/* The items of one passage: a find within words that were typed is a part of them. */
static Status mark_passage(Answers *s, Item *item, int64_t count) {
    Status status = OK;
    Review *r = s->r;
    Reviewed *of = &r->reviewed[item[0].number - 1];
    SiteNote *note = &r->training.note[of->note];
    for (int64_t i = 0; i < count; i++) {
        of->finds += item[i].state == ROW_FOUND;
        of->right += item[i].state == ROW_FOUND && item[i].marked;
        for (int64_t j = 0; j < i && item[i].marked; j++)
            if (item[j].marked && overlaps(&item[i], &item[j])) item[i].marked = false;
        if (!item[i].marked) continue;
        of->marks++;
        of->whole += found_whole(item, count, note, &item[i]);
        GROW(&r->run->work, note->mark, note->mark_room, note->marks + 1);
        note->mark[note->marks++] = (Mark){ item[i].start, item[i].end, item[i].kind };
        r->training.kind[item[i].kind].marks++;
    }
done:
    return status;
}

static int mark_by_start(const void *a, const void *b) {
    const Mark *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

/* Passages that were answered are the parts of the notes that are learned from. */
static Status add_parts(Review *r) {
    Status status = OK;
    for (int64_t i = 0; i < r->numbers; i++) {
        const Reviewed *of = &r->reviewed[i];
        if (!of->named || !of->answer) continue;
        SiteNote *note = &r->training.note[of->note];
        GROW(&r->run->work, note->part, note->part_room, note->parts + 1);
        note->part[note->parts++] = (Part){ of->start, of->end };
        r->answered++;
    }
    for (int64_t n = 0; n < r->training.notes; n++)
        if (r->training.note[n].marks) qsort(r->training.note[n].mark, (size_t)r->training.note[n].marks, sizeof(Mark), mark_by_start);
done:
    return status;
}

Status review_answers(Review *r) {
    Status status = OK;
    Answers s = { .r = r };
    if (!r->a->answers) return OK;
    TRY(answer_columns(&s));
    NEW(&r->run->work, r->reviewed, r->a->answers->rows + 1);
    TRY(read_lines(&s));
    for (int64_t i = 0; i < r->numbers; i++)
        if (r->reviewed[i].named && r->reviewed[i].answer) TRY(read_missing(&s, i));
    if (s.items) qsort(s.item, (size_t)s.items, sizeof *s.item, by_place);
    for (int64_t i = 0, next; i < s.items; i = next) {
        for (next = i; next < s.items && s.item[next].number == s.item[i].number; next++) continue;
        TRY(mark_passage(&s, s.item + i, next - i));
    }
    TRY(add_parts(r));
    if (!r->answered) {
        fail(r->run->work.error, BAD, "has no answer to any passage");
        error_advice(r->run->work.error, "Answer each row with the state passage: none, or the words of it that no find has.");
        TRY(error_parameter(r->run->work.error, "answers"));
    }
done:
    return status;
}
