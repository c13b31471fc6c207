/* All combinations at a glance. */
#include "protect/suppress/hide.h"

static bool is_whole(const Problem *p, int64_t r, uint64_t lost, uint64_t keys) { return !(lost & keys & ~p->tuples.lacks[p->of[r]]); }

Status board_make(Work *work, const Problem *p, const uint64_t *lost, Board *out) {
    Status status = OK;
    *out = (Board){ .count = p->combinations.count, .at = p->combinations.at };
    NEW(work, out->of, out->count + 1);
    NEW(work, out->whole, out->count + 1);
    for (int64_t c = 0; c < out->count; c++) {
        int64_t classes;
        TRY(hide_classes(work, p, out->at[c].keys, &out->of[c], &classes));
        NEW(work, out->whole[c], classes + 1);
        for (int64_t i = 0; i < p->rows; i++)
            out->whole[c][out->of[c][i]] += is_whole(p, i, lost[i], out->at[c].keys) * problem_times(p, i);
    }
done:
    return status;
}

void board_judge(const Board *b, const Problem *p, int64_t r, uint64_t lost, uint64_t now, int64_t *harm, int64_t *help) {
    for (int64_t c = 0; c < b->count; c++) {
        if (!is_whole(p, r, lost, b->at[c].keys) || is_whole(p, r, now, b->at[c].keys)) continue;
        int64_t whole = b->whole[c][b->of[c][r]];
        *harm += whole >= b->at[c].k && whole - problem_times(p, r) < b->at[c].k;
        *help += whole < b->at[c].k;
    }
}

void board_note(Board *b, const Problem *p, int64_t r, uint64_t lost, uint64_t now) {
    for (int64_t c = 0; c < b->count; c++)
        b->whole[c][b->of[c][r]] += (is_whole(p, r, now, b->at[c].keys) - is_whole(p, r, lost, b->at[c].keys)) * problem_times(p, r);
}
