/* The definition's own count, and what is done where it does not hold: missing keys that blanks resemble, and people whom no record with a
 * key left can serve. */
#include "protect/suppress/hide.h"
#include "classes/candidates.h"
#include "table/group.h"

/* Released records that are alike: of one class, with the same keys lost. */
typedef struct {
    Tuples truth, released;
    Grouping nodes;
    int64_t *start;
    int32_t *row;
    Candidates candidates;
} Count;

static Status make_tuples(Work *work, const Hide *h, int64_t count, const int32_t *first, Tuples *out) {
    Status status = OK;
    const Problem *p = h->problem;
    *out = (Tuples){ .count = count, .keys = p->tuples.keys, .values = p->tuples.values };
    NEW(work, out->code, out->keys);
    NEW(work, out->lacks, count + 1);
    NEW(work, out->size, count + 1);
    for (int64_t key = 0; key < out->keys; key++) {
        if (!((h->among | p->stratum) >> key & 1)) continue;
        NEW(work, out->code[key], count + 1);
        for (int64_t i = 0; i < count; i++) out->code[key][i] = p->tuples.code[key][p->of[first[i]]];
    }
done:
    return status;
}

static Status make_count(Work *work, const Hide *h, bool sets, Count *c) {
    Status status = OK;
    Grouping lost;
    uint64_t *word = NULL;
    int32_t *first = NULL;
    int64_t *at = NULL;
    NEW(work, word, h->rows + 1);
    NEW(work, first, h->classes + 1);
    for (int64_t i = 0; i < h->rows; i++) word[i] = h->lost[i] & h->among;
    TRY(group_words(work, word, 0, h->rows, &lost));
    const Codes codes[2] = { { .count = (int32_t)h->classes, .at = h->of }, { .count = (int32_t)lost.count, .at = lost.of } };
    TRY(group_codes(work, codes, 2, h->rows, &c->nodes));
    for (int64_t t = 0; t < h->classes; t++) first[t] = (int32_t)h->row[h->start[t]];
    TRY(make_tuples(work, h, h->classes, first, &c->truth));
    TRY(make_tuples(work, h, c->nodes.count, c->nodes.first, &c->released));
    for (int64_t t = 0; t < h->classes; t++) {
        c->truth.lacks[t] = h->lacks[t];
        c->truth.size[t] = h->size[t];
    }
    for (int64_t n = 0; n < c->nodes.count; n++) c->released.lacks[n] = word[c->nodes.first[n]];
    for (int64_t i = 0; i < h->rows; i++) c->released.size[c->nodes.of[i]] += hide_times(h, i);
    TRY(candidates_make(work, &c->truth, &c->released, h->among, h->problem->stratum, sets, &c->candidates));
    NEW(work, c->start, c->nodes.count + 2);
    NEW(work, c->row, h->rows + 1);
    NEW(work, at, c->nodes.count + 1);
    for (int64_t n = 0; n < c->nodes.count; n++) at[n] = (c->start[n + 1] = c->start[n] + c->nodes.size[n]) - c->nodes.size[n];
    for (int64_t i = 0; i < h->rows; i++) c->row[at[c->nodes.of[i]]++] = (int32_t)i;
done:
    arena_drop(work->arena, word);
    arena_drop(work->arena, first);
    arena_drop(work->arena, at);
    return status;
}

static void lose(Hide *h, int64_t r, uint64_t now, int64_t *moved) {
    if (!(now & ~h->lost[r])) return;
    hide_set(h, r, h->lost[r] | now);
    ++*moved;
}

static uint64_t next_key(const Hide *h, uint64_t lost) {
    for (int64_t i = 0; i < h->problem->keys; i++)
        if ((h->among & ~lost) >> h->problem->order[i] & 1) return UINT64_C(1) << h->problem->order[i];
    return 0;
}

static bool same_stratum(const Hide *h, int64_t a, int64_t b) {
    return !h->problem->stratum || !(hide_differs(h, a, b) & h->problem->stratum);
}

/* The records without any key in the stratum of class t; and more of them, until there are k: the surplus of safe classes first, then whole
 * classes. */
static void fill_pool(Hide *h, int64_t t, int64_t *moved) {
    int64_t pool = 0;
    for (int64_t i = 0; i < h->rows; i++)
        pool += (h->lost[i] & h->among) == h->among && same_stratum(h, h->of[i], t) ? hide_times(h, i) : 0;
    for (int whole_classes = 0; whole_classes < 2 && pool < h->k; whole_classes++)
        for (int64_t c = 0; c < h->classes && pool < h->k; c++) {
            if (c == t || !same_stratum(h, c, t)) continue;
            int64_t spare = whole_classes || h->open[c] ? h->rows : hide_spare(h, c);
            for (int64_t i = h->start[c]; i < h->start[c + 1] && spare > 0 && (pool < h->k || whole_classes); i++) {
                if ((h->lost[h->row[i]] & h->among) == h->among) continue;
                if ((h->open[c] || hide_times(h, h->row[i]) > 1) && !whole_classes) continue;
                lose(h, h->row[i], h->among, moved);
                pool += hide_times(h, h->row[i]);
                spare--;
            }
        }
}

static void mend(Hide *h, const Count *c, int64_t t, int64_t *moved) {
    const Candidates *all = &c->candidates;
    bool exact = all->exact[t] > 0 && h->lacks[t] != h->among;
    for (int64_t i = all->start[t]; i < all->start[t + 1]; i++)
        for (int64_t n = c->start[all->node[i]]; n < c->start[all->node[i] + 1]; n++) {
            uint64_t lost = h->lost[c->row[n]] & h->among;
            lose(h, c->row[n], exact ? lost | next_key(h, lost) : h->among, moved);
        }
    for (int64_t i = h->start[t]; i < h->start[t + 1] && !exact; i++) lose(h, h->row[i], h->among, moved);
    if (!exact) fill_pool(h, t, moved);
}

/* Every round blanks some cell more, so that there is a last one: with no key left at all everyone has every record of the stratum for a
 * candidate. */
Status hide_settle(Work *work, Hide *h, int64_t *moved) {
    Status status = OK;
    for (;;) {
        Count count = { 0 };
        int64_t now = 0;
        TRY(work_check(work));
        TRY(make_count(work, h, true, &count));
        for (int64_t t = 0; t < h->classes; t++)
            if (count.candidates.count[t] < h->k) mend(h, &count, t, &now);
        *moved += now;
        if (!now) break;
        hide_count_whole(h);
    }
done:
    return status;
}

Status hide_count(Work *work, const Problem *problem, const uint64_t *blank, Hidden *out) {
    Status status = OK;
    uint64_t *lost = NULL;
    *out = (Hidden){ .k = INT64_MAX };
    NEW(work, lost, problem->rows + 1);
    for (int64_t i = 0; i < problem->rows; i++) lost[i] = problem->tuples.lacks[problem->of[i]] | blank[i];
    uint8_t *unsafe = NULL;
    NEW(work, unsafe, problem->rows + 1);
    for (int64_t c = 0; c < problem->combinations.count; c++) {
        Hide h;
        Count count = { 0 };
        TRY(hide_start(work, problem, problem->combinations.at[c], NULL, lost, &h));
        TRY(make_count(work, &h, false, &count));
        for (int64_t i = 0; i < h.rows; i++) {
            int64_t candidates = count.candidates.count[h.of[i]];
            unsafe[i] |= (uint8_t)((candidates < h.k) | (candidates == 1) << 1);
            if (candidates < out->k) out->k = candidates;
        }
    }
    for (int64_t i = 0; i < problem->rows; i++) {
        out->unsafe += unsafe[i] & 1 ? problem_times(problem, i) : 0;
        out->one += unsafe[i] >> 1 ? problem_times(problem, i) : 0;
    }
    out->few = out->unsafe;
done:
    return status;
}
