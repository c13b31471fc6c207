/* Candidates by histories: exact by listing the sets of records that an intruder may know of, level by level; of a sample by search. */
#include <stdlib.h>
#include <string.h>
#include "base/sort.h"
#include "classes/histories.h"
#include "table/group.h"

enum {
    TRIED = 500,   /* people of a sample */
    STEPS = 100000 /* of the search for one of them */
};

/* ---- all records ---- */

/* Classes and how often each is there, as one number. */
static Status number_runs(Work *work, const Histories *h, Grouping *out) {
    Status status = OK;
    const int64_t runs = h->start[h->owners];
    uint64_t *word = NULL;
    NEW(work, word, runs + 1);
    for (int64_t i = 0; i < runs; i++) word[i] = (uint64_t)h->times[i] << 32 | (uint32_t)h->class[i];
    TRY(group_words(work, word, 0, runs, out));
done:
    arena_drop(work->arena, word);
    return status;
}

/* Owners whose histories end at this length, by their whole history. */
static void answer_ended(const Histories *h, const Grouping *groups, const int32_t *active, int64_t count, int64_t length, int64_t *people,
                         int64_t *candidates) {
    for (int64_t g = 0; g < groups->count; g++) people[g] = 0;
    for (int64_t i = 0; i < count; i++)
        if (h->start[active[i] + 1] - h->start[active[i]] == length) people[groups->of[i]] += h->stands_for[active[i]];
    for (int64_t i = 0; i < count; i++)
        if (h->start[active[i] + 1] - h->start[active[i]] == length) candidates[active[i]] = people[groups->of[i]];
}

/* Histories are compared run by run; those that are alike so far have one number. */
static Status same_histories(Work *work, const Histories *h, int64_t *candidates) {
    Status status = OK;
    Grouping runs = { 0 }, groups = { 0 };
    uint64_t *word = NULL;
    int32_t *active = NULL, *state = NULL;
    int64_t *people = NULL, count = 0;
    TRY(number_runs(work, h, &runs));
    NEW(work, word, h->owners + 1);
    NEW(work, active, h->owners + 1);
    NEW(work, state, h->owners + 1);
    NEW(work, people, h->owners + 1);
    for (int64_t o = 0; o < h->owners; o++)
        if (h->start[o + 1] > h->start[o]) active[count++] = (int32_t)o;
    for (int64_t length = 1; count; length++) {
        for (int64_t i = 0; i < count; i++)
            word[i] = (uint64_t)(uint32_t)state[active[i]] << 32 | (uint32_t)runs.of[h->start[active[i]] + length - 1];
        TRY(group_words(work, word, 0, count, &groups));
        answer_ended(h, &groups, active, count, length, people, candidates);
        int64_t kept = 0;
        for (int64_t i = 0; i < count; i++) {
            state[active[i]] = groups.of[i];
            if (h->start[active[i] + 1] - h->start[active[i]] > length) active[kept++] = active[i];
        }
        count = kept;
        grouping_drop(work, &groups);
        TRY(work_check(work));
    }
done:
    grouping_drop(work, &runs);
    arena_drop(work->arena, word);
    arena_drop(work->arena, active);
    arena_drop(work->arena, state);
    arena_drop(work->arena, people);
    return status;
}

/* ---- some records: every set ---- */

/* A set of an owner's records, as classes in ascending order. `at` is the last one's run, of which `used` records are in the set. */
typedef struct KnownSet {
    int32_t owner, at;
    int64_t used;
    uint64_t word;
} KnownSet;

static int64_t count_extensions(const Histories *h, const KnownSet *set) {
    const int64_t run = h->start[set->owner] + set->at;
    return h->start[set->owner + 1] - run - 1 + (set->used < h->times[run]);
}

/* Sets of one record more. A set that no other person has needs no more: its owner is unique with it. */
static Status extend_sets(Work *work, const Histories *h, const KnownSet *set, const Grouping *groups, const int64_t *people, int64_t count,
                          int64_t most, KnownSet **out, int64_t *made) {
    Status status = OK;
    int64_t room = 0;
    *made = 0;
    *out = NULL;
    for (int64_t i = 0; i < count; i++) room += people[groups->of[i]] > 1 ? count_extensions(h, &set[i]) : 0;
    if (room > most) {
        *made = -1;
        return OK;
    }
    NEW(work, *out, room + 1);
    for (int64_t i = 0; i < count; i++) {
        const int64_t first = h->start[set[i].owner], runs = h->start[set[i].owner + 1] - first;
        if (people[groups->of[i]] < 2) continue;
        for (int64_t at = set[i].at; at < runs; at++) {
            const int64_t used = at == set[i].at ? set[i].used + 1 : 1;
            if (used > h->times[first + at]) continue;
            const uint64_t word = (uint64_t)(uint32_t)groups->of[i] << 32 | (uint32_t)h->class[first + at];
            (*out)[(*made)++] = (KnownSet){ set[i].owner, (int32_t)at, used, word };
        }
    }
done:
    return status;
}

/* People who have each set, and the fewest over an owner's sets so far. */
static Status count_sets(Work *work, const Histories *h, const KnownSet *set, int64_t count, Grouping *groups, int64_t **people,
                         int64_t *candidates) {
    Status status = OK;
    uint64_t *word = NULL;
    NEW(work, word, count + 1);
    for (int64_t i = 0; i < count; i++) word[i] = set[i].word;
    TRY(group_words(work, word, 0, count, groups));
    NEW(work, *people, groups->count + 1);
    for (int64_t i = 0; i < count; i++) (*people)[groups->of[i]] += h->stands_for[set[i].owner];
    for (int64_t i = 0; i < count; i++) {
        const int64_t here = (*people)[groups->of[i]];
        if (here < candidates[set[i].owner]) candidates[set[i].owner] = here;
    }
done:
    arena_drop(work->arena, word);
    return status;
}

static Status list_sets(Work *work, const Histories *h, int64_t knows, int64_t most, int64_t *candidates, bool *too_many) {
    Status status = OK;
    KnownSet *set = NULL, *next = NULL;
    Grouping groups = { 0 };
    int64_t *people = NULL, count = 0, made = 0;
    *too_many = h->start[h->owners] > INT32_MAX;
    if (*too_many) return OK;
    NEW(work, set, h->start[h->owners] + 1);
    for (int64_t o = 0; o < h->owners; o++)
        for (int64_t i = h->start[o]; i < h->start[o + 1]; i++)
            set[count++] = (KnownSet){ (int32_t)o, (int32_t)(i - h->start[o]), 1, (uint64_t)h->class[i] };
    for (int64_t level = 1; count; level++) {
        TRY(count_sets(work, h, set, count, &groups, &people, candidates));
        if (level == knows) break;
        TRY(extend_sets(work, h, set, &groups, people, count, most, &next, &made));
        *too_many = made < 0;
        if (*too_many) break;
        arena_drop(work->arena, set);
        arena_drop(work->arena, people);
        grouping_drop(work, &groups);
        set = next;
        count = made;
        people = NULL;
        next = NULL;
        TRY(work_check(work));
    }
done:
    arena_drop(work->arena, set);
    arena_drop(work->arena, people);
    grouping_drop(work, &groups);
    return status;
}

/* ---- some records: a sample of the people ---- */

typedef struct SampleSearch {
    const Histories *h;
    const int64_t *start; /* class → owners: owner[start[c]] … */
    const int32_t *owner;
    int64_t self, knows, steps, least;
    int32_t *order;  /* the owner's runs, the rarest class first */
    int32_t **cands; /* level → people who fit so far */
} SampleSearch;

static int64_t times_of(const Histories *h, int64_t owner, int32_t class) {
    int64_t low = h->start[owner], high = h->start[owner + 1] - 1;
    while (low <= high) {
        const int64_t middle = low + (high - low) / 2;
        if (h->class[middle] == class) return h->times[middle];
        if (h->class[middle] < class) low = middle + 1;
        else high = middle - 1;
    }
    return 0;
}

static int64_t stand_for(const Histories *h, const int32_t *owner, int64_t count) {
    int64_t people = 0;
    for (int64_t i = 0; i < count; i++) people += h->stands_for[owner[i]];
    return people;
}

/* From the people who fit `level` known records on: every further record, as long as there are steps left. */
static void search_further(SampleSearch *s, int64_t level, int64_t count, int64_t at, int64_t used) {
    const Histories *h = s->h;
    const int64_t first = h->start[s->self], runs = h->start[s->self + 1] - first;
    const int64_t people = stand_for(h, s->cands[level], count);
    if (people < s->least) s->least = people;
    if (level == s->knows || s->least <= h->stands_for[s->self]) return;
    for (int64_t next = at; next < runs && s->steps > 0; next++) {
        const int64_t run = first + s->order[next], wanted = next == at ? used + 1 : 1;
        int64_t kept = 0;
        if (wanted > h->times[run]) continue;
        for (int64_t i = 0; i < count; i++)
            if (times_of(h, s->cands[level][i], h->class[run]) >= wanted) s->cands[level + 1][kept++] = s->cands[level][i];
        s->steps -= count;
        search_further(s, level + 1, kept, next, wanted);
    }
}

/* Each run as the first one: its owners are the people who fit. */
static void search_person(SampleSearch *s) {
    const Histories *h = s->h;
    const int64_t first = h->start[s->self], runs = h->start[s->self + 1] - first;
    s->least = INT64_MAX;
    s->steps = STEPS;
    for (int64_t at = 0; at < runs && s->steps > 0 && s->least > h->stands_for[s->self]; at++) {
        const int32_t class = h->class[first + s->order[at]];
        const int64_t count = s->start[class + 1] - s->start[class];
        memcpy(s->cands[1], s->owner + s->start[class], (size_t)count * sizeof *s->cands[1]);
        s->steps -= count;
        search_further(s, 1, count, at, 1);
    }
}

static void order_runs(SampleSearch *s) {
    const int64_t first = s->h->start[s->self], runs = s->h->start[s->self + 1] - first;
    for (int64_t i = 0; i < runs; i++) {
        int64_t at = i;
        const int32_t class = s->h->class[first + i];
        const int64_t size = s->start[class + 1] - s->start[class];
        for (; at > 0; at--) {
            const int32_t before = s->h->class[first + s->order[at - 1]];
            if (s->start[before + 1] - s->start[before] <= size) break;
            s->order[at] = s->order[at - 1];
        }
        s->order[at] = (int32_t)i;
    }
}

static Status search_sample(Work *work, const Histories *h, int64_t classes, int64_t knows, KnownPeople *out) {
    Status status = OK;
    SampleSearch s = { .h = h, .knows = knows };
    const int64_t runs = h->start[h->owners];
    int32_t *of_run = NULL, *owner = NULL;
    int64_t *start = NULL, deepest = knows < 64 ? knows : 64;
    Keyed pick = { 0 };
    s.knows = deepest;
    NEW(work, of_run, runs + 1);
    for (int64_t o = 0; o < h->owners; o++)
        for (int64_t i = h->start[o]; i < h->start[o + 1]; i++) of_run[i] = (int32_t)o;
    TRY(groups_listed(work, h->class, runs, classes, &start, &owner));
    for (int64_t i = 0; i < runs; i++) owner[i] = of_run[owner[i]];
    s.start = start;
    s.owner = owner;
    NEW(work, s.order, runs + 1);
    NEW(work, s.cands, deepest + 2);
    for (int64_t level = 1; level <= deepest; level++) NEW(work, s.cands[level], h->owners + 1);
    TRY(keyed_new(work, h->owners, &pick)); /* people by a hash of their number: as good as drawn, and the same every time */
    for (int64_t o = 0; o < h->owners; o++) {
        pick.key[o] = word_hash((uint64_t)o + 1);
        pick.row[o] = (int32_t)o;
    }
    TRY(keyed_sort(work, pick, h->owners));
    out->bounded = deepest < knows;
    for (; out->tried < TRIED && out->tried < h->owners; out->tried++) {
        s.self = pick.row[out->tried];
        order_runs(&s);
        search_person(&s);
        out->bounded |= s.steps <= 0 && s.least > h->stands_for[s.self];
        out->candidates[s.self] = s.least;
        TRY(work_check(work));
    }
done:
    return status;
}

Status histories_candidates(Work *work, const Histories *h, int64_t classes, int64_t knows, int64_t most, KnownPeople *out) {
    Status status = OK;
    *out = (KnownPeople){ 0 };
    NEW(work, out->candidates, h->owners + 1);
    if (knows == KNOWS_ALL) return same_histories(work, h, out->candidates);
    for (int64_t o = 0; o < h->owners; o++) out->candidates[o] = INT64_MAX;
    TRY(list_sets(work, h, knows, most, out->candidates, &out->sampled));
    if (!out->sampled) return OK;
    for (int64_t o = 0; o < h->owners; o++) out->candidates[o] = 0;
    TRY(search_sample(work, h, classes, knows, out));
done:
    return status;
}
