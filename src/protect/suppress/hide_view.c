/* Classes as packed codes, moves, and the open classes that a record without some keys fits. */
#include "protect/suppress/hide.h"
#include <string.h>
#include "table/group.h"

enum { MANY = 64 }; /* rows that have lost a set: from here on its view is worth making */

static int bits_for(int64_t values) {
    int bits = 1;
    while (INT64_C(1) << bits < values) bits++;
    return bits;
}

/* A code takes the bits of one word; a missing key is a value of its own. */
Status hide_pack(Work *work, Hide *h) {
    Status status = OK;
    const Problem *p = h->problem;
    int at[TUPLE_KEYS] = { 0 }, used = 0;
    h->words = 1;
    for (uint64_t left = h->among | p->stratum; left; left &= left - 1) {
        int key = __builtin_ctzll(left), bits = bits_for((int64_t)p->tuples.values[key] + 1);
        if (used + bits > 64) {
            h->words++;
            used = 0;
        }
        at[key] = (h->words - 1) * 64 + used;
        used += bits;
    }
    NEW(work, h->field, TUPLE_KEYS * h->words);
    NEW(work, h->packed, (h->classes + 1) * h->words);
    for (uint64_t left = h->among | p->stratum; left; left &= left - 1) {
        int key = __builtin_ctzll(left), word = at[key] / 64, shift = at[key] % 64;
        h->field[key * h->words + word] = low_bits(bits_for((int64_t)p->tuples.values[key] + 1)) << shift;
        for (int64_t c = 0; c < h->classes; c++)
            h->packed[c * h->words + word] |= (uint64_t)(p->tuples.code[key][p->of[h->row[h->start[c]]]] + 1) << shift;
    }
done:
    return status;
}

void hide_outside(const Hide *h, uint64_t set, uint64_t *mask) {
    memset(mask, 0, (size_t)h->words * sizeof *mask);
    for (uint64_t left = (h->among & ~set) | h->problem->stratum; left; left &= left - 1)
        for (int w = 0; w < h->words; w++) mask[w] |= h->field[__builtin_ctzll(left) * h->words + w];
}

/* ---- views ---- */

Status hide_group(Work *work, const Hide *h, uint64_t set, int32_t **of, int64_t *count) {
    Status status = OK;
    const Problem *p = h->problem;
    Codes codes[TUPLE_KEYS];
    int32_t *copy[TUPLE_KEYS] = { 0 };
    Grouping groups = { 0 };
    int64_t keys = 0;
    for (uint64_t left = (h->among & ~set) | p->stratum; left; left &= left - 1, keys++) {
        int key = __builtin_ctzll(left);
        NEW(work, copy[keys], h->classes + 1);
        for (int64_t c = 0; c < h->classes; c++) copy[keys][c] = p->tuples.code[key][p->of[h->row[h->start[c]]]];
        codes[keys] = (Codes){ .count = p->tuples.values[key], .at = copy[keys] };
    }
    TRY(group_codes(work, codes, keys, h->classes, &groups));
    *of = groups.of;
    *count = groups.count;
done:
    for (int i = 0; i < TUPLE_KEYS; i++) arena_drop(work->arena, copy[i]);
    arena_drop(work->arena, groups.first);
    arena_drop(work->arena, groups.size);
    return status;
}

static Status make_view(Work *work, const Hide *h, uint64_t lost, View *v) {
    Status status = OK;
    int64_t groups;
    *v = (View){ .lost = lost };
    TRY(hide_group(work, h, lost, &v->of, &groups));
    NEW(work, v->first, groups + 2);
    NEW(work, v->member, h->opens + 1);
    for (int64_t c = 0; c < h->classes; c++) v->first[v->of[c] + 2] += h->open[c];
    for (int64_t g = 0; g < groups; g++) v->first[g + 2] += v->first[g + 1];
    for (int64_t c = 0; c < h->classes; c++)
        if (h->open[c]) v->member[v->first[v->of[c] + 1]++] = (int32_t)c;
done:
    return status;
}

Status hide_views(Work *work, Hide *h) {
    Status status = OK;
    Grouping sets = { 0 };
    uint64_t *lost = NULL;
    for (int64_t v = 0; v < h->views; v++) {
        arena_drop(work->arena, h->view[v].of);
        arena_drop(work->arena, h->view[v].first);
        arena_drop(work->arena, h->view[v].member);
    }
    h->views = 0;
    NEW(work, lost, h->rows + 1);
    for (int64_t i = 0; i < h->rows; i++) lost[i] = h->lost[i] & h->among;
    TRY(group_words(work, lost, 0, h->rows, &sets));
    NEW(work, h->view, sets.count + 1);
    for (int64_t s = 0; s < sets.count; s++) {
        uint64_t set = lost[sets.first[s]];
        if (!set || set == h->among || sets.size[s] < MANY) continue;
        TRY(work_check(work));
        TRY(make_view(work, h, set, &h->view[h->views++]));
    }
done:
    arena_drop(work->arena, lost);
    arena_drop(work->arena, sets.of);
    arena_drop(work->arena, sets.first);
    arena_drop(work->arena, sets.size);
    return status;
}

int64_t hide_members(const Hide *h, int64_t c, uint64_t lost, const int32_t **out) {
    uint64_t mask[TUPLE_KEYS];
    int64_t count = 0;
    for (int64_t v = 0; v < h->views; v++)
        if (h->view[v].lost == lost) {
            const View *view = &h->view[v];
            *out = view->member + view->first[view->of[c]];
            return view->first[view->of[c] + 1] - view->first[view->of[c]];
        }
    hide_outside(h, lost, mask);
    for (int64_t t = 0; t < h->classes; t++)
        if (h->open[t] && hide_fits(h, c, t, mask)) h->found[count++] = (int32_t)t;
    *out = h->found;
    return count;
}

/* ---- moves ---- */

void hide_set(Hide *h, int64_t r, uint64_t lost) {
    if (h->board) board_note(h->board, h->problem, r, h->lost[r], lost);
    h->lost[r] = lost;
}

static void leave(Hide *h, int64_t t) {
    for (int s = 0; h->group && s < h->sets; s++)
        if (h->group[s][t] >= 0) h->wanting[s][h->group[s][t]]--;
}

void hide_move(Hide *h, int64_t r, uint64_t now) {
    int32_t c = h->of[r];
    uint64_t was = h->lost[r] & h->among, before[TUPLE_KEYS], mask[TUPLE_KEYS];
    int64_t kept = 0;
    hide_set(h, r, h->lost[r] | now);
    if (was == h->lacks[c]) {
        h->whole[c] -= hide_times(h, r);
        h->light[c] -= hide_times(h, r) == 1;
    }
    if (now == h->among) return; /* a record without any key is nobody's candidate while there are others */
    hide_outside(h, now, mask);
    hide_outside(h, was, before);
    for (int64_t i = 0; i < h->wants; i++) {
        int32_t t = h->want[i];
        bool served = t != c && hide_fits(h, c, t, mask) && !(was && hide_fits(h, c, t, before)); /* and not already */
        if (served && (h->need[t] -= hide_times(h, r)) <= 0) leave(h, t);
        else h->want[kept++] = t;
    }
    h->wants = kept;
}

void hide_open(Hide *h, int64_t c) {
    h->open[c] = 1;
    h->opens++;
    h->need[c] = 0; /* its own rows are k at least */
}
