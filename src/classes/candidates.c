/* Candidates, by pattern of missing keys in the release. */
#include "classes/candidates.h"
#include <stdlib.h>
#include <string.h>
#include "base/sort.h"
#include "table/group.h"

typedef struct {
    int32_t truth, node;
} Fit;

typedef struct {
    const Tuples *truth, *released;
    uint64_t among;
    Candidates *out;
    Fit *fit;
    int64_t fits, room;
    int64_t *start; /* patterns' released tuples: member[start[p]] … */
    int32_t *member;
    int32_t *some; /* the true tuples looked up in the pattern at hand */
} Job;

/* Codes on `keys` of the true tuples in `some` and, after them, of the released ones of the pattern, none of which lacks any of these keys.
 */
static Status group_both(Work *work, const Job *j, uint64_t keys, int64_t some, const int32_t *member, int64_t members, Grouping *out) {
    Status status = OK;
    Codes codes[TUPLE_KEYS];
    int32_t *copy[TUPLE_KEYS] = { 0 };
    int64_t count = 0;
    for (uint64_t left = keys; left; left &= left - 1, count++) {
        int key = __builtin_ctzll(left);
        NEW(work, copy[count], some + members);
        for (int64_t i = 0; i < some; i++) copy[count][i] = j->truth->code[key][j->some[i]];
        for (int64_t i = 0; i < members; i++) copy[count][some + i] = j->released->code[key][member[i]];
        int32_t values = j->truth->values[key] > j->released->values[key] ? j->truth->values[key] : j->released->values[key];
        codes[count] = (Codes){ .count = values, .at = copy[count] };
    }
    if (!count) { /* a record without any key fits everyone */
        NEW(work, copy[count], some + members);
        codes[count] = (Codes){ .count = 1, .at = copy[count] };
        count++;
    }
    TRY(group_codes(work, codes, count, some + members, out));
done:
    for (int i = 0; i < TUPLE_KEYS; i++) arena_drop(work->arena, copy[i]);
    return status;
}

/* The released tuples of one pattern, for the true tuples in `some`: counted and listed. */
static Status meet(Work *work, Job *j, uint64_t mask, int64_t some, const int32_t *member, int64_t members, bool exact) {
    Status status = OK;
    Grouping groups = { 0 };
    int64_t *sum = NULL;
    int32_t *head = NULL, *next = NULL;
    TRY(group_both(work, j, j->among & ~mask, some, member, members, &groups));
    NEW(work, sum, groups.count + 1);
    NEW(work, head, groups.count + 1);
    NEW(work, next, members + 1);
    for (int64_t i = members - 1; i >= 0; i--) { /* lists in ascending order */
        int32_t g = groups.of[some + i];
        sum[g] += j->released->size[member[i]];
        next[i] = head[g];
        head[g] = (int32_t)i + 1;
    }
    for (int64_t i = 0; i < some; i++) {
        int32_t t = j->some[i], g = groups.of[i];
        j->out->count[t] += sum[g];
        if (exact) j->out->exact[t] += sum[g];
        for (int32_t at = head[g]; at; at = next[at - 1]) {
            GROW(work, j->fit, j->room, j->fits + 1);
            j->fit[j->fits++] = (Fit){ t, member[at - 1] };
        }
    }
done:
    arena_drop(work->arena, groups.of);
    arena_drop(work->arena, groups.first);
    arena_drop(work->arena, groups.size);
    arena_drop(work->arena, sum);
    arena_drop(work->arena, head);
    arena_drop(work->arena, next);
    return status;
}

/* Released tuples by pattern. */
static Status sort_patterns(Work *work, Job *j, Grouping *patterns, uint64_t **mask) {
    Status status = OK;
    uint64_t *lacks = NULL;
    int64_t n = j->released->count;
    NEW(work, lacks, n + 1);
    for (int64_t i = 0; i < n; i++) lacks[i] = j->released->lacks[i] & j->among;
    TRY(group_words(work, lacks, 0, n, patterns));
    NEW(work, *mask, patterns->count + 1);
    for (int64_t p = 0; p < patterns->count; p++) (*mask)[p] = lacks[patterns->first[p]];
    TRY(groups_listed(work, patterns->of, n, patterns->count, &j->start, &j->member));
done:
    arena_drop(work->arena, lacks);
    return status;
}

typedef enum { EXACT, SOME_KEY_LEFT, NO_KEY_LEFT } Pass;

/* Exact: true tuples of this very pattern. Then those without an exact match that lack no key that the pattern has; last, those that
 * nothing else fits. */
static int64_t choose_some(Job *j, uint64_t mask, Pass pass) {
    int64_t some = 0;
    bool blank = mask == j->among;
    if (pass != EXACT && blank != (pass == NO_KEY_LEFT)) return 0;
    for (int64_t t = 0; t < j->truth->count; t++) {
        uint64_t lacks = j->truth->lacks[t] & j->among;
        bool open = pass == NO_KEY_LEFT ? !j->out->count[t] : !j->out->exact[t];
        if (pass == EXACT ? lacks == mask : open && lacks != mask && !(lacks & ~mask)) j->some[some++] = (int32_t)t;
    }
    return some;
}

static int by_truth(const void *a, const void *b) {
    const Fit *x = a, *y = b;
    return x->truth != y->truth ? (x->truth < y->truth ? -1 : 1) : (x->node > y->node) - (x->node < y->node);
}

static Status list_sets(Work *work, Job *j) {
    Status status = OK;
    Candidates *out = j->out;
    bool sorted = true; /* as where no pattern lacks a key */
    for (int64_t i = 1; i < j->fits && sorted; i++) sorted = by_truth(&j->fit[i - 1], &j->fit[i]) < 0;
    if (!sorted) qsort(j->fit, (size_t)j->fits, sizeof *j->fit, by_truth);
    NEW(work, out->start, j->truth->count + 1);
    NEW(work, out->node, j->fits + 1);
    for (int64_t i = 0; i < j->fits; i++) {
        out->start[j->fit[i].truth + 1]++;
        out->node[i] = j->fit[i].node;
    }
    for (int64_t t = 0; t < j->truth->count; t++) out->start[t + 1] += out->start[t];
done:
    return status;
}

Status candidates_make(Work *work, const Tuples *truth, const Tuples *released, uint64_t among, Candidates *out) {
    Status status = OK;
    Job j = { .truth = truth, .released = released, .among = among, .out = out };
    Grouping patterns = { 0 };
    uint64_t *mask = NULL;
    *out = (Candidates){ 0 };
    NEW(work, out->exact, truth->count + 1);
    NEW(work, out->count, truth->count + 1);
    NEW(work, j.some, truth->count + 1);
    TRY(sort_patterns(work, &j, &patterns, &mask));
    for (Pass pass = EXACT; pass <= NO_KEY_LEFT; pass++)
        for (int64_t p = 0; p < patterns.count; p++) {
            int64_t some = choose_some(&j, mask[p], pass);
            TRY(work_check(work));
            if (some) TRY(meet(work, &j, mask[p], some, j.member + j.start[p], j.start[p + 1] - j.start[p], pass == EXACT));
        }
    TRY(list_sets(work, &j));
done:
    arena_drop(work->arena, j.some);
    arena_drop(work->arena, j.fit);
    arena_drop(work->arena, j.start);
    arena_drop(work->arena, j.member);
    arena_drop(work->arena, patterns.of);
    arena_drop(work->arena, patterns.first);
    arena_drop(work->arena, patterns.size);
    return status;
}
