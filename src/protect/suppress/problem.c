/* What must be suppressed: tuples within strata, the combinations that are too rare, and a lower bound on the cells it takes. */
#include <stdlib.h>
#include <string.h>
#include "protect/suppress/suppress.h"
#include "table/group.h"
#include "classes/strata.h"

/* A stratum is one key more: always present, never blanked. */
static Status make_tuples(Work *work, Columns keys, Columns strata, Problem *p) {
    Status status = OK;
    Classes classes;
    Strata parts;
    TRY(classes_make(work, keys, &classes));
    p->of = classes.of;
    if (strata.count) {
        Codes *codes = NULL;
        Grouping grouping;
        TRY(strata_make(work, strata, classes.rows, &parts));
        NEW(work, codes, keys.count + 1);
        memcpy(codes, classes.codes, (size_t)keys.count * sizeof *codes);
        codes[keys.count] = (Codes){ .count = (int32_t)parts.count, .at = parts.of };
        TRY(group_codes(work, codes, keys.count + 1, classes.rows, &grouping));
        for (int64_t g = 0; work->times && g < grouping.count; g++) grouping.size[g] = 0;
        for (int64_t i = 0; work->times && i < classes.rows; i++) grouping.size[grouping.of[i]] += work->times[i];
        classes = (Classes){ .rows = classes.rows,
                             .records = classes.records,
                             .keys = keys.count + 1,
                             .count = grouping.count,
                             .of = grouping.of,
                             .size = grouping.size,
                             .first = grouping.first,
                             .codes = codes };
        p->of = grouping.of;
        p->stratum = UINT64_C(1) << keys.count;
    }
    p->rows = classes.rows;
    p->times = work->times;
    TRY(tuples_of_classes(work, &classes, &p->tuples));
done:
    return status;
}

/* Keys in the order in which they are given up: first those that importance does not name, the richest in values first; then the named,
 * last to first. */
static Status order_keys(Work *work, Columns keys, const Columns *importance, Problem *p) {
    Status status = OK;
    bool named[TUPLE_KEYS] = { 0 };
    int count = 0;
    NEW(work, p->order, keys.count);
    for (int64_t i = importance ? importance->count - 1 : -1; i >= 0; i--) {
        int64_t key = 0;
        while (key < keys.count && keys.at[key] != importance->at[i]) key++;
        if (key == keys.count) {
            fail(work->error, BAD, "names '%s', which is not among the keys", importance->at[i]->name);
            return error_parameter(work->error, "importance");
        }
        named[key] = true;
        p->spared[key] = (int)(importance->count - i);
    }
    for (int64_t key = 0; key < keys.count; key++)
        if (!named[key]) p->order[count++] = (int)key;
    for (int i = 1; i < count; i++) /* few: insertion */
        for (int j = i; j > 0 && p->tuples.values[p->order[j]] > p->tuples.values[p->order[j - 1]]; j--) {
            int other = p->order[j];
            p->order[j] = p->order[j - 1];
            p->order[j - 1] = other;
        }
    for (int64_t i = importance ? importance->count - 1 : -1; i >= 0; i--)
        for (int key = 0; key < (int)keys.count; key++)
            if (keys.at[key] == importance->at[i]) p->order[count++] = key;
done:
    return status;
}

typedef struct {
    int32_t tuple;
    Want want;
} Found;

static Status find_wants(Work *work, Problem *p) {
    Status status = OK;
    int64_t *f = NULL, count = 0, room = 0;
    Found *found = NULL;
    int64_t n = p->tuples.count;
    NEW(work, f, n);
    NEW(work, p->start, n + 2);
    for (int64_t c = 0; c < p->combinations.count; c++) {
        Combination combination = p->combinations.at[c];
        TRY(work_check(work));
        TRY(wildcard_frequencies(work, &p->tuples, combination.keys | p->stratum, false, f, NULL));
        for (int64_t i = 0; i < n; i++) {
            if (f[i] >= combination.k) continue;
            GROW(work, found, room, count + 1);
            found[count++] = (Found){ (int32_t)i, { combination.keys, combination.k, f[i] } };
            p->start[i + 2]++;
        }
    }
    for (int64_t i = 0; i < n; i++) {
        if (p->start[i + 2]) p->unsafe += p->tuples.size[i];
        p->start[i + 2] += p->start[i + 1];
    }
    NEW(work, p->want, count);
    for (int64_t i = 0; i < count; i++) p->want[p->start[found[i].tuple + 1]++] = found[i].want;
done:
    arena_drop(work->arena, f);
    arena_drop(work->arena, found);
    return status;
}

static bool hits(const Problem *p, int64_t tuple, uint64_t set) {
    for (int64_t w = p->start[tuple]; w < p->start[tuple + 1]; w++)
        if (!(p->want[w].keys & set)) return false;
    return true;
}

/* The fewest keys that hit every unsafe combination of a tuple: exact up to three; beyond that four is a bound all the same. */
static int64_t fewest(const Problem *p, int64_t tuple) {
    int64_t keys = p->keys;
    if (p->start[tuple] == p->start[tuple + 1]) return 0;
    uint64_t has = low_bits(keys) & ~p->tuples.lacks[tuple];
    for (uint64_t a = has; a; a &= a - 1)
        if (hits(p, tuple, a & -a)) return 1;
    for (uint64_t a = has; a; a &= a - 1)
        for (uint64_t b = a & (a - 1); b; b &= b - 1)
            if (hits(p, tuple, (a & -a) | (b & -b))) return 2;
    for (uint64_t a = has; a; a &= a - 1)
        for (uint64_t b = a & (a - 1); b; b &= b - 1)
            for (uint64_t c = b & (b - 1); c; c &= c - 1)
                if (hits(p, tuple, (a & -a) | (b & -b) | (c & -c))) return 3;
    return 4;
}

/* With everything blanked a record agrees with its whole stratum, and with no more. */
static Status check_possible(Work *work, const Problem *p) {
    Status status = OK;
    int64_t *f = NULL, k = 0;
    for (int64_t c = 0; c < p->combinations.count; c++)
        if (p->combinations.at[c].k > k) k = p->combinations.at[c].k;
    if (!p->rows) return OK;
    if (work_records(work, p->rows) < k) {
        fail(work->error, BAD, "there are %lld records, and each should share its keys with %lld", (long long)work_records(work, p->rows),
             (long long)k);
        return error_advice(work->error, "Lower --k.");
    }
    if (!p->stratum) return OK;
    NEW(work, f, p->tuples.count);
    TRY(wildcard_frequencies(work, &p->tuples, p->stratum, false, f, NULL));
    for (int64_t i = 0; i < p->rows; i++) {
        if (f[p->of[i]] >= k) continue;
        fail(work->error, BAD, "a stratum has %lld records, and each should share its keys with %lld", (long long)f[p->of[i]],
             (long long)k);
        error_row(work->error, i);
        TRY(error_advice(work->error, "Merge small strata, or lower --k."));
    }
done:
    arena_drop(work->arena, f);
    return status;
}

Status problem_make(Work *work, Columns keys, Columns strata, const Combinations *combinations, const Columns *importance, bool own,
                    Problem *out) {
    Status status = OK;
    *out = (Problem){ .keys = keys.count, .combinations = *combinations, .own = own };
    if (keys.count + (strata.count > 0) > TUPLE_KEYS - 1) return fail(work->error, BAD, "too many keys: at most %d", TUPLE_KEYS - 2);
    TRY(make_tuples(work, keys, strata, out));
    TRY(check_possible(work, out));
    TRY(order_keys(work, keys, importance, out));
    TRY(find_wants(work, out));
    NEW(work, out->blanked, out->tuples.count);
    for (int64_t i = 0; own && i < out->tuples.count; i++) out->lower_bound += fewest(out, i) * out->tuples.size[i];
    if (!own && out->unsafe) out->lower_bound = 1;
done:
    return status;
}

/* The parts of the problem that go by tuple, for tuple i of the new numbering from tuple `from` of the old. */
static Status copy_tuples(Work *work, const Problem *old, const Grouping *parts, Problem *new) {
    Status status = OK;
    Tuples *t = &new->tuples;
    *t = (Tuples){ .count = parts->count, .keys = old->tuples.keys, .values = old->tuples.values, .size = parts->size };
    NEW(work, t->code, t->keys);
    NEW(work, t->lacks, t->count);
    NEW(work, new->blanked, t->count);
    NEW(work, new->alone, t->count);
    NEW(work, new->single, t->count);
    NEW(work, new->open, t->count);
    NEW(work, new->start, t->count + 1);
    for (int64_t key = 0; key < t->keys; key++) NEW(work, t->code[key], t->count);
    for (int64_t i = 0; i < t->count; i++) {
        int32_t from = old->of[parts->first[i]];
        for (int64_t key = 0; key < t->keys; key++) t->code[key][i] = old->tuples.code[key][from];
        t->lacks[i] = old->tuples.lacks[from];
        new->blanked[i] = old->blanked[from];
        new->alone[i] = old->alone[from];
        new->single[i] = old->single[from];
        new->open[i] = old->open[from];
        new->start[i + 1] = new->start[i] + old->start[from + 1] - old->start[from];
    }
    NEW(work, new->want, new->start[t->count]);
    for (int64_t i = 0; i < t->count; i++) {
        int32_t from = old->of[parts->first[i]];
        memcpy(new->want + new->start[i], old->want + old->start[from], (size_t)(new->start[i + 1] - new->start[i]) * sizeof *new->want);
    }
done:
    return status;
}

Status problem_split(Work *work, Problem *p, const uint64_t *blank) {
    Status status = OK;
    Grouping sets, parts;
    Problem new = *p;
    TRY(group_words(work, blank, 0, p->rows, &sets));
    if (sets.count == 1 && !blank[0]) return OK;
    const Codes codes[2] = { { .count = (int32_t)p->tuples.count, .at = p->of }, { .count = (int32_t)sets.count, .at = sets.of } };
    TRY(group_codes(work, codes, 2, p->rows, &parts));
    TRY(copy_tuples(work, p, &parts, &new));
    for (int64_t i = 0; i < parts.count; i++) {
        new.blanked[i] |= blank[parts.first[i]];
        new.tuples.lacks[i] |= blank[parts.first[i]];
    }
    new.of = parts.of;
    *p = new;
done:
    return status;
}
