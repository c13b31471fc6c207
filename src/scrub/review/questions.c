/* The questions of the next round as a table: each passage, then its finds and what came near, with room for an answer. */
#include <string.h>
#include "base/elementary.h"
#include "scrub/review/review.h"

enum { ROUND, PASSAGE, ROW, START, END_AT, NUMBERS };
enum { STATE, KIND, TEXT, ANSWER, WORDS_OF };
typedef struct Sheet {
    Review *r;
    int64_t rows, room, room_words;
    int64_t (*number)[NUMBERS];
    const char *(*word)[WORDS_OF];
    double *weight, *sure;
    int64_t room_weight, room_sure;
} Sheet;

static Status add_row(Sheet *s, const int64_t number[NUMBERS], const char *const word[WORDS_OF], double weight, double sure) {
    Status status = OK;
    Work *work = &s->r->run->work;
    GROW(work, s->number, s->room, s->rows + 1);
    GROW(work, s->word, s->room_words, s->rows + 1);
    GROW(work, s->weight, s->room_weight, s->rows + 1);
    GROW(work, s->sure, s->room_sure, s->rows + 1);
    memcpy(s->number[s->rows], number, sizeof *s->number);
    memcpy(s->word[s->rows], word, sizeof *s->word);
    s->weight[s->rows] = weight;
    s->sure[s->rows++] = sure;
    if (!word[STATE] || !word[KIND] || !word[TEXT] || !word[ANSWER]) return out_of_memory(work->error);
done:
    return status;
}

static const char *copied(Work *work, const Column *column, int64_t line) {
    char cell[33];
    const char *text = column_cell(column, line, cell);
    return arena_text(work->arena, text ? text : "");
}

/* What was asked in earlier rounds stays as it was answered. */
static Status copy_answers(Sheet *s) {
    static const char *const numbers[] = { "round", "passage", "row", "start", "end" }, *const words[] = { "state", "kind", "text",
                                                                                                           "answer" };
    Status status = OK;
    const Table *table = s->r->a->answers;
    const Column *sure = table ? table_column(table, "confidence") : NULL;
    for (int64_t line = 0; table && line < table->rows; line++) {
        int64_t number[NUMBERS];
        const char *word[WORDS_OF];
        for (int c = 0; c < NUMBERS; c++) number[c] = (int64_t)column_number(table_column(table, numbers[c]), line);
        for (int c = 0; c < WORDS_OF; c++) word[c] = copied(&s->r->run->work, table_column(table, words[c]), line);
        TRY(add_row(s, number, word, column_number(table_column(table, "weight"), line), sure ? column_number(sure, line) : NAN));
    }
done:
    return status;
}

static int64_t points(const char *text, size_t bytes) {
    int64_t n = 0;
    int length;
    for (const char *p = text, *end = text + bytes; p < end; p += length, n++) (void)code_point(p, end, &length);
    return n;
}

/* The passage with its finds in brackets. */
static const char *shown(Review *r, const SiteNote *note, const Passage *p, const Finds *finds) {
    Buffer out = { 0 };
    uint32_t at = p->start;
    for (int64_t f = 0; f < finds->count; f++) {
        const Find *find = &finds->at[f];
        if (find->start < p->start || find->end > p->end) continue;
        buffer_add(&out, note->text + at, find->start - at);
        buffer_char(&out, '[');
        buffer_add(&out, note->text + find->start, find->end - find->start);
        buffer_char(&out, ']');
        at = find->end;
    }
    buffer_add(&out, note->text + at, p->end - at);
    const char *text = out.failed ? NULL : arena_text(r->run->work.arena, buffer_get(&out));
    buffer_free(&out);
    return text;
}

static Status ask_finds(Sheet *s, const Passage *p, int64_t number, const Finds *finds, const char *state) {
    Status status = OK;
    Review *r = s->r;
    const SiteNote *note = &r->training.note[p->note];
    for (int64_t f = 0; f < finds->count; f++) {
        const Find *find = &finds->at[f];
        if (find->start < p->start || find->end > p->end) continue;
        const int64_t numbers[] = { r->round + 1, number, p->note, points(note->text, find->start), points(note->text, find->end) };
        const char *const words[] = { state, trace_name(NULL, find->kind),
                                      arena_print(r->run->work.arena, "%.*s", (int)(find->end - find->start), note->text + find->start),
                                      "" };
        TRY(add_row(s, numbers, words, 1 / p->chance, (double)(int64_t)((double)find->confidence * 1000 + 0.5) / 1000));
    }
done:
    return status;
}

static Status ask(Sheet *s) {
    Status status = OK;
    Review *r = s->r;
    Search search = { 0 };
    int64_t last = -1, number = r->a->answers ? r->numbers : 0;
    TRY(search_open(&r->training.finder, &search, r->run->work.error));
    for (int64_t i = 0; i < r->passages; i++) {
        const Passage *p = &r->passage[i];
        if (!p->asked) continue;
        const SiteNote *note = &r->training.note[p->note];
        if (p->note != last) TRY(search_text(&search, note->text, note->size, NULL, r->run->work.error));
        last = p->note;
        const int64_t numbers[] = { r->round + 1, ++number, p->note, points(note->text, p->start), points(note->text, p->end) };
        const char *const words[] = { "passage", "", shown(r, note, p, &search.finds), "" };
        TRY(add_row(s, numbers, words, 1 / p->chance, NAN));
        TRY(ask_finds(s, p, number, &search.finds, "found"));
        TRY(ask_finds(s, p, number, &search.misses, "left"));
    }
done:
    search_close(&search);
    return status;
}

static Status give_sheet(Sheet *s) {
    static const char *const numbers[] = { "round", "passage", "row", "start", "end" }, *const words[] = { "state", "kind", "text",
                                                                                                           "answer" };
    Status status = OK;
    Work *work = &s->r->run->work;
    Column *column[NUMBERS + WORDS_OF + 2] = { NULL };
    const char **cells = NULL;
    Table *table = NULL;
    int at = 0;
    NEW(work, cells, s->rows + 1);
    for (int c = 0; c < NUMBERS; c++, at++) {
        TRY(column_new(INTEGER_TYPE, numbers[c], s->rows, &column[at], work->error));
        for (int64_t i = 0; i < s->rows; i++) column[at]->integer[i] = s->number[i][c];
    }
    for (int c = 0; c < WORDS_OF; c++, at++) {
        for (int64_t i = 0; i < s->rows; i++) cells[i] = s->word[i][c];
        TRY(column_text(words[c], cells, s->rows, &column[at], work->error));
    }
    TRY(column_new(REAL_TYPE, "confidence", s->rows, &column[at++], work->error));
    TRY(column_new(REAL_TYPE, "weight", s->rows, &column[at], work->error));
    TRY(column_need_valid(column[at - 1], work->error));
    for (int64_t i = 0; i < s->rows; i++) {
        column[at]->real[i] = s->weight[i];
        if (isnan(s->sure[i])) column_set_missing(column[at - 1], i);
        else column[at - 1]->real[i] = s->sure[i];
    }
    column_seal(column[at - 1]);
    Column *order[] = { column[0], column[1], column[2],  column[3], column[4], column[5],
                        column[6], column[9], column[10], column[7], column[8] };
    TRY(table_new("questions", order, NUMBERS + WORDS_OF + 2, s->rows, &table, work->error));
    result_output(s->r->run->result, table);
done:
    for (int c = 0; c < NUMBERS + WORDS_OF + 2; c++) column_release(column[c]);
    return status;
}

Status review_questions(Review *r) {
    Status status = OK;
    Sheet s = { .r = r };
    TRY(copy_answers(&s));
    TRY(ask(&s));
    TRY(give_sheet(&s));
done:
    return status;
}
