/* The state of a small problem, and what a change of one record's blanks does to all. */
#include "protect/suppress/small.h"
#include <string.h>

enum { MOST_RECORDS = 4000 };

static int64_t shortfall(int64_t f, int64_t k) { return f < k ? k - f : 0; }

static uint64_t differing(const Problem *p, int64_t a, int64_t b, uint64_t missing) {
    uint64_t differs = 0;
    for (int64_t key = 0; key < p->tuples.keys; key++) differs |= (uint64_t)(p->tuples.code[key][a] != p->tuples.code[key][b]) << key;
    return differs & ~missing;
}

/* In how many keys of some combination two must be bridged at least. */
static int64_t fewest_bits(const Small *s, uint64_t differs) {
    const Combinations *c = &s->problem->combinations;
    int64_t least = 64;
    for (int64_t i = 0; i < c->count; i++) {
        int64_t bits = __builtin_popcountll(differs & c->at[i].keys);
        if (bits < least) least = bits;
    }
    return least;
}

static bool unsafe(const Problem *p, int64_t tuple) { return p->start[tuple] < p->start[tuple + 1]; }

/* The most keys that record i may lose. */
static int64_t reach(const Small *s, int64_t i) { return s->problem->alone[s->tuple[i]]; }

/* Safe tuples differ from a record in few ways: one count for each way that its own blanks could bridge. */
static Status find_others(Work *work, Small *s, const uint64_t *missing) {
    Status status = OK;
    const Problem *p = s->problem;
    int64_t room = 0, count = 0;
    NEW(work, s->others_start, s->records + 1);
    for (int64_t i = 0; i < s->records; i++) {
        s->others_start[i] = count;
        if (i && s->tuple[i] == s->tuple[i - 1]) { /* the same tuple: the same others, again */
            int64_t from = s->others_start[i - 1], size = count - from;
            GROW(work, s->others, room, count + size);
            if (size) memcpy(s->others + count, s->others + from, (size_t)size * sizeof *s->others);
            count += size;
            continue;
        }
        for (int64_t t = 0; t < p->tuples.count; t++) {
            if (unsafe(p, t)) continue;
            uint64_t differs = differing(p, s->tuple[i], t, missing[s->tuple[i]] | missing[t]) & s->looked_at;
            int64_t at = s->others_start[i];
            if ((differs & p->stratum) || fewest_bits(s, differs) > reach(s, i)) continue;
            while (at < count && s->others[at].differs != differs) at++;
            if (at == count) {
                GROW(work, s->others, room, count + 1);
                s->others[count++] = (Others){ .differs = differs };
            }
            s->others[at].records += p->tuples.size[t];
        }
    }
    s->others_start[s->records] = count;
done:
    return status;
}

static Status find_near(Work *work, Small *s) {
    Status status = OK;
    int64_t room = 0, count = 0;
    NEW(work, s->near_start, s->records + 1);
    for (int64_t i = 0; i < s->records; i++) {
        s->near_start[i] = count;
        for (int64_t j = 0; j < s->records; j++) {
            if (j == i) continue;
            uint64_t differs = differing(s->problem, s->tuple[i], s->tuple[j], s->missing[i] | s->missing[j]) & s->looked_at;
            if ((differs & s->problem->stratum) || fewest_bits(s, differs) > reach(s, i) + reach(s, j)) continue;
            GROW(work, s->near, room, count + 1);
            s->near[count++] = (Near){ (int32_t)j, differs };
        }
    }
    s->near_start[s->records] = count;
done:
    return status;
}

int64_t small_safe_others(const Small *s, int64_t i, uint64_t among) {
    int64_t records = 0;
    for (int64_t o = s->others_start[i]; o < s->others_start[i + 1]; o++)
        if (!(s->others[o].differs & among)) records += s->others[o].records;
    return records;
}

bool small_allows(const Small *s, int64_t i, uint64_t set) {
    if (__builtin_popcountll(set) > reach(s, i) || (set & ~s->problem->open[s->tuple[i]])) return false;
    for (int64_t w = 0; s->problem->own && w < small_wants(s, i); w++)
        if (!(small_want(s, i, w)->keys & set)) return false;
    return true;
}

static int64_t agreeing(Small *s, int64_t i, int64_t w, uint64_t set) {
    uint64_t among = small_want(s, i, w)->keys | s->problem->stratum;
    int64_t f = small_safe_others(s, i, among & ~set) + 1;
    for (int64_t n = s->near_start[i]; n < s->near_start[i + 1]; n++)
        f += !(s->near[n].differs & among & ~set & ~s->set[s->near[n].record]);
    s->work_left -= s->near_start[i + 1] - s->near_start[i] + s->others_start[i + 1] - s->others_start[i];
    return f;
}

int64_t small_change(Small *s, int64_t i, uint64_t set) {
    int64_t penalty = s->penalty;
    for (int64_t w = 0; w < small_wants(s, i); w++) {
        int64_t k = small_want(s, i, w)->k;
        penalty += shortfall(agreeing(s, i, w, set), k) - shortfall(s->f[s->first[i] + w], k);
    }
    for (int64_t n = s->near_start[i]; n < s->near_start[i + 1]; n++) {
        int64_t j = s->near[n].record;
        uint64_t differs = s->near[n].differs & ~s->set[j];
        for (int64_t w = 0; w < small_wants(s, j); w++) {
            uint64_t among = small_want(s, j, w)->keys | s->problem->stratum;
            int64_t k = small_want(s, j, w)->k, f = s->f[s->first[j] + w];
            penalty += shortfall(f + !(differs & among & ~set) - !(differs & among & ~s->set[i]), k) - shortfall(f, k);
        }
    }
    s->work_left -= 2 * (s->near_start[i + 1] - s->near_start[i]);
    return penalty;
}

void small_apply(Small *s, int64_t i, uint64_t set) {
    s->penalty = small_change(s, i, set);
    for (int64_t w = 0; w < small_wants(s, i); w++) s->f[s->first[i] + w] = agreeing(s, i, w, set);
    for (int64_t n = s->near_start[i]; n < s->near_start[i + 1]; n++) {
        int64_t j = s->near[n].record;
        uint64_t differs = s->near[n].differs & ~s->set[j];
        for (int64_t w = 0; w < small_wants(s, j); w++) {
            uint64_t among = small_want(s, j, w)->keys | s->problem->stratum;
            s->f[s->first[j] + w] += !(differs & among & ~set) - !(differs & among & ~s->set[i]);
        }
    }
    s->cells += __builtin_popcountll(set) - __builtin_popcountll(s->set[i]);
    s->set[i] = set;
}

static Status gather_records(Work *work, Small *s, const uint64_t *blank, const uint64_t *missing) {
    Status status = OK;
    const Problem *p = s->problem;
    int64_t *place = NULL, at = 0;
    NEW(work, s->row, s->records);
    NEW(work, s->tuple, s->records);
    NEW(work, s->set, s->records);
    NEW(work, s->missing, s->records);
    NEW(work, s->first, s->records + 1);
    NEW(work, place, p->tuples.count); /* records of one tuple come together */
    for (int64_t t = 0; t < p->tuples.count; t++) {
        place[t] = at;
        if (unsafe(p, t)) at += p->tuples.size[t];
    }
    for (int64_t i = 0; i < p->rows; i++) {
        if (!unsafe(p, p->of[i])) continue;
        int64_t record = place[p->of[i]]++;
        s->row[record] = i;
        s->tuple[record] = p->of[i];
        s->set[record] = blank[i];
        s->missing[record] = missing[p->of[i]];
    }
    for (int64_t i = 0; i < s->records; i++) {
        s->first[i + 1] = s->first[i] + p->start[s->tuple[i] + 1] - p->start[s->tuple[i]];
        s->cells += __builtin_popcountll(s->set[i]);
    }
done:
    return status;
}

Status small_make(Work *work, const Problem *problem, const uint64_t *blank, int64_t steps, Small *out, bool *fits) {
    Status status = OK;
    uint64_t *missing = NULL;
    *out = (Small){ .problem = problem, .records = problem->unsafe, .work_left = steps };
    *fits = problem->unsafe <= MOST_RECORDS && problem->unsafe * problem->tuples.count * problem->keys < steps;
    if (!*fits) return OK;
    NEW(work, missing, problem->tuples.count); /* from the start: what is lacking now less what was blanked */
    for (int64_t t = 0; t < problem->tuples.count; t++) missing[t] = problem->tuples.lacks[t] & ~problem->blanked[t];
    for (int64_t c = 0; c < problem->combinations.count; c++) out->looked_at |= problem->combinations.at[c].keys;
    out->looked_at |= problem->stratum;
    TRY(gather_records(work, out, blank, missing));
    TRY(find_others(work, out, missing));
    TRY(find_near(work, out));
    NEW(work, out->f, out->first[out->records]);
    for (int64_t i = 0; i < out->records; i++)
        for (int64_t w = 0; w < small_wants(out, i); w++) {
            out->f[out->first[i] + w] = agreeing(out, i, w, out->set[i]);
            out->penalty += shortfall(out->f[out->first[i] + w], small_want(out, i, w)->k);
        }
done:
    return status;
}
