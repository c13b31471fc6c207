/* What is learned from parts: added up, and as bytes. */
#include <stdlib.h>
#include <string.h>
#include "method/parts.h"

Status state_tuple_counts(PartState *state, int64_t number, int64_t keys, int64_t sums, bool weighted, TupleCounts **out, Error *error) {
    if (number >= STATE_TUPLE_COUNTS)
        return fail(error, BAD, "more than %d columns cannot be learned at once in parts", STATE_TUPLE_COUNTS);
    Status status = state->roll[number] ? OK : tuple_counts_new(keys, sums, weighted, &state->roll[number], error);
    *out = state->roll[number];
    if (number >= state->rolls) state->rolls = number + 1;
    return status;
}

Status state_value_counts(PartState *state, int64_t number, ValueCounts **out, Error *error) {
    if (number >= STATE_TUPLE_COUNTS)
        return fail(error, BAD, "more than %d columns cannot be learned at once in parts", STATE_TUPLE_COUNTS);
    Status status = state->ladder[number] ? OK : value_counts_new(&state->ladder[number], error);
    *out = state->ladder[number];
    if (number >= state->ladders) state->ladders = number + 1;
    return status;
}

/* ---- which records ---- */

static Status twice(int64_t record, Error *error) {
    fail(error, BAD, "record %lld of the table came before", (long long)record + 1);
    return error_advice(error, "Parts do not overlap: each is fitted once and applied once, and each state merged once.");
}

/* The first stretch that ends at or behind this record. */
static int64_t stretch_from(const Spans *s, int64_t record) {
    int64_t at = 0, high = s->count;
    while (at < high) {
        int64_t middle = at + (high - at) / 2;
        if (s->at[middle][1] < record) at = middle + 1;
        else high = middle;
    }
    return at;
}

static Status not_twice(const Spans *s, int64_t first, int64_t last, Error *error) {
    int64_t at = stretch_from(s, first);
    if (at < s->count && s->at[at][1] == first) at++;
    return at < s->count && s->at[at][0] < last ? twice(s->at[at][0] > first ? s->at[at][0] : first, error) : OK;
}

Status state_learns(PartState *state, int64_t first, int64_t rows, Error *error) {
    Spans *s = &state->learned;
    int64_t last = first + rows, at = stretch_from(s, first);
    if (!rows) return OK;
    Status status = not_twice(s, first, last, error);
    if (status) return status;
    bool before = at < s->count && s->at[at][1] == first;
    int64_t next = at + before;
    bool behind = next < s->count && s->at[next][0] == last;
    if (before) s->at[at][1] = behind ? s->at[next][1] : last;
    else if (behind) s->at[next][0] = first;
    if (before && behind) memmove(s->at + next, s->at + next + 1, (size_t)(--s->count - next) * sizeof *s->at);
    if (before || behind) return OK;
    if (s->count == s->room) {
        int64_t room = 2 * s->room + 8;
        void *more = realloc(s->at, (size_t)room * sizeof *s->at);
        if (!more) return out_of_memory(error);
        s->at = more;
        s->room = room;
    }
    memmove(s->at + at + 1, s->at + at, (size_t)(s->count++ - at) * sizeof *s->at);
    s->at[at][0] = first;
    s->at[at][1] = last;
    return OK;
}

static void save_spans(const Spans *s, Buffer *out) {
    pack_word(out, (uint64_t)s->count);
    for (int64_t i = 0; i < s->count; i++) {
        pack_word(out, (uint64_t)s->at[i][0]);
        pack_word(out, (uint64_t)s->at[i][1]);
    }
}

static bool load_spans(const char **at, const char *end, PartState *state) {
    uint64_t count, first, last, before = 0;
    Error ignored = ERROR_NONE;
    if (!unpack_word(at, end, &count)) return false;
    for (uint64_t i = 0; i < count; i++, before = last) {
        if (!unpack_word(at, end, &first) || !unpack_word(at, end, &last) || last > INT64_MAX || first >= last || (i && first <= before))
            return false;
        if (state_learns(state, (int64_t)first, (int64_t)(last - first), &ignored)) return false;
    }
    return true;
}

/* ---- the whole state ---- */

void state_clear(PartState *state) {
    free(state->learned.at);
    for (int64_t i = 0; i < state->rolls; i++) tuple_counts_free(state->roll[i]);
    for (int64_t i = 0; i < state->ladders; i++) value_counts_free(state->ladder[i]);
    *state = (PartState){ 0 };
}

Status state_merge(PartState *state, const PartState *other, Error *error) {
    Status status = OK;
    for (int64_t i = 0; i < other->learned.count; i++) /* before anything is changed */
        TRY(not_twice(&state->learned, other->learned.at[i][0], other->learned.at[i][1], error));
    for (int64_t i = 0; i < other->learned.count; i++)
        TRY(state_learns(state, other->learned.at[i][0], other->learned.at[i][1] - other->learned.at[i][0], error));
    for (int64_t i = 0; i < other->rolls; i++) {
        const TupleCounts *roll = other->roll[i];
        TupleCounts *mine;
        if (!roll) continue;
        bool fresh = !state->roll[i];
        TRY(state_tuple_counts(state, i, roll->keys, roll->sums, roll->weighted, &mine, error));
        if (fresh) {
            mine->signs = roll->signs;
            mine->apart = roll->apart;
            mine->lots = roll->lots;
            mine->head = roll->head;
            mine->share = roll->share;
        }
        TRY(tuple_counts_merge(mine, roll, error));
    }
    for (int64_t i = 0; i < other->ladders; i++) {
        ValueCounts *mine = NULL;
        if (!other->ladder[i]) continue;
        TRY(state_value_counts(state, i, &mine, error));
        TRY(value_counts_merge(mine, other->ladder[i], error));
    }
    state->rows += other->rows;
    state->print += other->print;
    for (int i = 0; i < STATE_COUNTS; i++) state->count[i] += other->count[i];
    for (int i = 0; i < STATE_MOST; i++)
        if (other->most[i] > state->most[i]) state->most[i] = other->most[i];
done:
    return status;
}

/* What is not in rolls is in the first piece. */
void state_save_piece(PartState *state, int64_t piece, int64_t pieces, Buffer *out) {
    static const PartState none;
    const PartState *s = piece ? &none : state;
    pack_word(out, (uint64_t)s->rows);
    save_spans(&s->learned, out);
    pack_word(out, (uint64_t)s->print);
    pack_word(out, (uint64_t)(s->print >> 64));
    for (int i = 0; i < STATE_COUNTS; i++) pack_word(out, (uint64_t)s->count[i]);
    for (int i = 0; i < STATE_MOST; i++) pack_word(out, (uint64_t)s->most[i]);
    pack_word(out, (uint64_t)state->rolls);
    for (int64_t i = 0; i < state->rolls; i++) {
        pack_word(out, state->roll[i] != NULL);
        if (state->roll[i]) tuple_counts_save_piece(state->roll[i], piece, pieces, out);
    }
    pack_word(out, (uint64_t)state->ladders);
    for (int64_t i = 0; i < state->ladders; i++) {
        pack_word(out, state->ladder[i] != NULL);
        if (state->ladder[i]) value_counts_save_piece(state->ladder[i], piece, pieces, out);
    }
}

static bool load_numbers(const char **at, const char *end, PartState *state, uint64_t *rolls) {
    uint64_t word[3 + STATE_COUNTS + STATE_MOST];
    if (!unpack_word(at, end, &word[0]) || !load_spans(at, end, state)) return false;
    for (size_t i = 1; i < sizeof word / sizeof *word; i++)
        if (!unpack_word(at, end, &word[i])) return false;
    state->rows = (int64_t)word[0];
    state->print = (RowPrint)word[2] << 64 | word[1];
    for (int i = 0; i < STATE_COUNTS; i++) state->count[i] = (int64_t)word[3 + i];
    for (int i = 0; i < STATE_MOST; i++) state->most[i] = (int64_t)word[3 + STATE_COUNTS + i];
    return state->rows >= 0 && unpack_word(at, end, rolls) && *rolls <= STATE_TUPLE_COUNTS;
}

Status state_load(const char **at, const char *end, PartState *out, Error *error) {
    Status status = OK;
    uint64_t count, there;
    *out = (PartState){ 0 };
    if (!load_numbers(at, end, out, &count)) TRY(fail(error, BAD, "this state is broken"));
    for (uint64_t i = 0; i < count; i++) {
        out->rolls = (int64_t)i + 1;
        if (!unpack_word(at, end, &there) || there > 1) TRY(fail(error, BAD, "this state is broken"));
        if (there) TRY(tuple_counts_load(at, end, &out->roll[i], error));
    }
    if (!unpack_word(at, end, &count) || count > STATE_TUPLE_COUNTS) TRY(fail(error, BAD, "this state is broken"));
    for (uint64_t i = 0; i < count; i++) {
        out->ladders = (int64_t)i + 1;
        if (!unpack_word(at, end, &there) || there > 1) TRY(fail(error, BAD, "this state is broken"));
        if (there) TRY(value_counts_load(at, end, &out->ladder[i], error));
    }
done:
    if (status) state_clear(out);
    return status;
}
