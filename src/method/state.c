/* What is learned from parts: added up, and as bytes. */
#include <string.h>
#include "method/parts.h"

Status state_roll(PartState *state, int64_t number, int64_t keys, int64_t sums, bool weighted, Roll **out, Error *error) {
    if (number >= STATE_ROLLS) return fail(error, BAD, "more than %d columns cannot be learned at once in parts", STATE_ROLLS);
    Status status = state->roll[number] ? OK : roll_new(keys, sums, weighted, &state->roll[number], error);
    *out = state->roll[number];
    if (number >= state->rolls) state->rolls = number + 1;
    return status;
}

void state_clear(PartState *state) {
    for (int64_t i = 0; i < state->rolls; i++) roll_free(state->roll[i]);
    *state = (PartState){ 0 };
}

Status state_merge(PartState *state, const PartState *other, Error *error) {
    Status status = OK;
    for (int64_t i = 0; i < other->rolls; i++) {
        const Roll *roll = other->roll[i];
        Roll *mine;
        if (!roll) continue;
        bool fresh = !state->roll[i];
        TRY(state_roll(state, i, roll->keys, roll->sums, roll->weighted, &mine, error));
        if (fresh) {
            mine->signs = roll->signs;
            mine->apart = roll->apart;
            mine->lots = roll->lots;
            mine->share = roll->share;
        }
        TRY(roll_merge(mine, roll, error));
    }
    state->rows += other->rows;
    state->print += other->print;
    for (int i = 0; i < STATE_COUNTS; i++) state->count[i] += other->count[i];
    for (int i = 0; i < STATE_MOST; i++)
        if (other->most[i] > state->most[i]) state->most[i] = other->most[i];
done:
    return status;
}

void state_save(PartState *state, Buffer *out) {
    pack_word(out, (uint64_t)state->rows);
    pack_word(out, (uint64_t)state->print);
    pack_word(out, (uint64_t)(state->print >> 64));
    for (int i = 0; i < STATE_COUNTS; i++) pack_word(out, (uint64_t)state->count[i]);
    for (int i = 0; i < STATE_MOST; i++) pack_word(out, (uint64_t)state->most[i]);
    pack_word(out, (uint64_t)state->rolls);
    for (int64_t i = 0; i < state->rolls; i++) {
        pack_word(out, state->roll[i] != NULL);
        if (state->roll[i]) roll_save(state->roll[i], out);
    }
}

static bool load_numbers(const char **at, const char *end, PartState *state, uint64_t *rolls) {
    uint64_t word[3 + STATE_COUNTS + STATE_MOST];
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (!unpack_word(at, end, &word[i])) return false;
    state->rows = (int64_t)word[0];
    state->print = (RowPrint)word[2] << 64 | word[1];
    for (int i = 0; i < STATE_COUNTS; i++) state->count[i] = (int64_t)word[3 + i];
    for (int i = 0; i < STATE_MOST; i++) state->most[i] = (int64_t)word[3 + STATE_COUNTS + i];
    return state->rows >= 0 && unpack_word(at, end, rolls) && *rolls <= STATE_ROLLS;
}

Status state_load(const char **at, const char *end, PartState *out, Error *error) {
    Status status = OK;
    uint64_t rolls, there;
    *out = (PartState){ 0 };
    if (!load_numbers(at, end, out, &rolls)) return fail(error, BAD, "this state is broken");
    for (uint64_t i = 0; i < rolls; i++) {
        out->rolls = (int64_t)i + 1;
        if (!unpack_word(at, end, &there) || there > 1) TRY(fail(error, BAD, "this state is broken"));
        if (there) TRY(roll_load(at, end, &out->roll[i], error));
    }
done:
    if (status) state_clear(out);
    return status;
}
