/* Combination after combination until all hold. */
#include <string.h>
#include "protect/suppress/hide.h"

enum { ROUNDS = 100 };

static int64_t cells_of(const Problem *p, const uint64_t *lost) {
    int64_t cells = 0;
    for (int64_t i = 0; i < p->rows; i++) cells += problem_times(p, i) * __builtin_popcountll(lost[i] & ~p->tuples.lacks[p->of[i]]);
    return cells;
}

/* Are keys missing from the start? */
static bool lacks_some(const Hide *h) {
    uint64_t lacks = 0;
    for (int64_t c = 0; c < h->classes; c++) lacks |= h->lacks[c];
    return lacks;
}

/* Every move weighed against every other: where combinations look on, and where keys are missing from the start and there is room for it.
 * (A blank then can look like a missing key, and what is best is less plain.) */
static bool side_by_side(const Hide *h) {
    enum { PLACES_MOST = 10 * 1000 * 1000 };
    return h->board || (lacks_some(h) && (double)h->sets * (double)h->classes <= PLACES_MOST);
}

/* One combination as started, from what was lost for others. */
static Status hide_by(Work *work, Hide *h, bool join, int64_t *moved) {
    Status status = OK;
    if (join) TRY(hide_join(work, h));
    TRY(hide_begin(work, h));
    TRY(side_by_side(h) ? hide_side_by_side(work, h) : hide_greedily(work, h));
    TRY(hide_rest(work, h));
    TRY(hide_trim(work, h));
    TRY(hide_settle(work, h, moved));
done:
    return status;
}

/* The cells, spared ones dear. */
static double price_of(const Hide *h, const uint64_t *lost) {
    double sum = 0;
    for (int64_t i = 0; i < h->rows; i++) sum += (double)hide_times(h, i) * hide_price(h, lost[i] & h->among & ~h->lacks[h->of[i]]);
    return sum;
}

/* Where keys are missing from the start: people who lack some stay as they are, and nobody comes to look like those who do not; or all that
 * are too few give up a key, which is as good where few keys are missing. Whichever takes fewer cells. */
static Status hide_both_ways(Work *work, Hide *h, int64_t *moved) {
    enum { PLACES_TWICE = 2 * 1000 * 1000 };
    Status status = OK;
    Hide other;
    uint64_t *lost = NULL;
    const size_t size = (size_t)h->rows * sizeof *lost;
    NEW(work, lost, h->rows + 1);
    memcpy(lost, h->lost, size);
    TRY(hide_start(work, h->problem, (Combination){ .keys = h->among, .k = h->k }, NULL, lost, &other));
    TRY(hide_by(work, h, true, moved));
    if ((double)h->sets * (double)h->classes > PLACES_TWICE || problem_late(h->problem)) return OK;
    TRY(hide_by(work, &other, false, moved));
    if (price_of(h, lost) < price_of(h, h->lost)) memcpy(h->lost, lost, size);
done:
    return status;
}

static Status hide_one(Work *work, const Problem *p, Combination combination, Board *board, uint64_t *lost, int64_t *moved,
                       int64_t *bound) {
    Status status = OK;
    Hide h;
    int64_t before = cells_of(p, lost);
    TRY(hide_start(work, p, combination, board, lost, &h));
    TRY(!board && h.rows && lacks_some(&h) ? hide_both_ways(work, &h, moved) : hide_by(work, &h, false, moved));
    if (!before) TRY(hide_bound(work, &h, cells_of(p, lost), bound));
    if (!before && *bound < cells_of(p, lost) && !problem_late(p)) TRY(hide_exactly(work, &h, bound));
    *moved += cells_of(p, lost) != before;
done:
    return status;
}

/* Whoever shares a combination with too few must lose a key of it: the fewest that hit all of them. What is missing from the start blurs
 * that. */
static int64_t simple_bound(const Problem *p) {
    for (int64_t t = 0; t < p->tuples.count; t++)
        if (p->tuples.lacks[t]) return 0;
    return p->own ? p->lower_bound : 0;
}

/* Records whose true values of a combination are all there and too few share: others cannot come to look like them, so that each must lose
 * one of these keys; and one more for each such combination that has no key in common with those before. */
static Status must_lose(Work *work, const Problem *p, int64_t *bound) {
    Status status = OK;
    uint64_t *hit = NULL;
    int64_t cells = 0;
    NEW(work, hit, p->rows + 1);
    for (int64_t c = 0; c < p->combinations.count; c++) {
        const Combination *combination = &p->combinations.at[c];
        int32_t *of = NULL;
        int64_t *size = NULL, classes;
        TRY(hide_classes(work, p, combination->keys, &of, &classes));
        NEW(work, size, classes + 1);
        for (int64_t i = 0; i < p->rows; i++) size[of[i]] += problem_times(p, i);
        for (int64_t i = 0; i < p->rows; i++) {
            if (size[of[i]] >= combination->k || ((p->tuples.lacks[p->of[i]] | hit[i]) & combination->keys)) continue;
            hit[i] |= combination->keys;
            cells += problem_times(p, i);
        }
        arena_drop(work->arena, of);
        arena_drop(work->arena, size);
    }
    if (cells > *bound) *bound = cells;
done:
    arena_drop(work->arena, hit);
    return status;
}

Status hide_cells(Work *work, const Problem *p, uint64_t *blank, Hidden *out) {
    Status status = OK;
    uint64_t *lost = NULL, *floor = NULL;
    Hidden after;
    Board board;
    int64_t moved = 1;
    TRY(hide_count(work, p, blank, out));
    out->lower_bound = simple_bound(p);
    if (p->combinations.count > 1) TRY(must_lose(work, p, &out->lower_bound));
    NEW(work, lost, p->rows + 1);
    NEW(work, floor, p->rows + 1);
    for (int64_t i = 0; i < p->rows; i++) floor[i] = lost[i] = p->tuples.lacks[p->of[i]] | blank[i];
    if (p->combinations.count > 1) TRY(board_make(work, p, lost, &board));
    for (int round = 0; moved && out->unsafe;
         round++) { /* blanks for one combination can leave another's classes too small: again, until nothing moves */
        if (round == ROUNDS) {
            fail(work->error, FAILED, "the combinations of keys could not be made safe together in %d rounds", ROUNDS);
            TRY(error_advice(work->error, "Recode the keys first, or ask for fewer combinations."));
        }
        moved = 0;
        for (int64_t c = 0; c < p->combinations.count; c++)
            TRY(hide_one(work, p, p->combinations.at[c], p->combinations.count > 1 ? &board : NULL, lost, &moved, &out->lower_bound));
        if (p->combinations.count == 1) break;
    }
    if (p->combinations.count > 1 && out->unsafe) TRY(hide_return(work, p, floor, lost));
    for (int64_t i = 0; i < p->rows; i++) blank[i] = lost[i] & ~p->tuples.lacks[p->of[i]];
    TRY(hide_count(work, p, blank, &after));
    out->k = after.k;
    if (after.unsafe)
        TRY(fail(work->error, FAILED, "%lld people would still have too few candidates: this is a fault in scrim",
                 (long long)after.unsafe));
done:
    return status;
}
