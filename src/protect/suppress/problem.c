/* The question of a suppression: classes of alike records, the tuples that k people can share, and which class can become which tuple. */
#include <stdlib.h>
#include <string.h>
#include "base/sort.h"
#include "classes/strata.h"
#include "protect/suppress/suppress.h"
#include "table/group.h"

enum {
    MASKS_ALL = 12,        /* up to so many keys every set of blanks is looked at */
    LINKS_FREE = 4000000,  /* classes times sets of blanks up to which no link is left out */
    LOOKS_MOST = 64000000, /* classes times sets of blanks that are looked at, where there are more keys */
};

typedef struct Builder {
    const Request *request;
    Problem *p;
    Codes key[SUPPRESS_KEYS + 1]; /* of classes, the stratum last */
    int64_t masks;
    uint64_t *mask;
    int64_t *least_cost; /* class → of a tuple that k people can share */
    int8_t *least_cells;
    int64_t window; /* so many blanks more than the least are looked at */
    int reach;      /* every set of up to so many blanks is among the masks */
    int64_t link_room, tuple_room[3];
    bool *kept; /* scratch by group */
    int64_t *people;
} Builder;

static uint64_t bit_of(int key) { return UINT64_C(1) << key; }

static int64_t cost_of(const Builder *b, uint64_t mask) {
    int64_t cost = 0;
    for (uint64_t left = mask; left; left &= left - 1) cost += b->request->price[__builtin_ctzll(left)];
    return cost;
}

/* ---- classes ---- */

/* A person's alike records are one unit; the first of a person's units counts. code[row]: twice the records of its unit, and one more where
 * it counts. */
static Status make_units(Work *work, const Request *request, const Codes *key, int64_t keys, int64_t rows, Problem *p, int32_t **code,
                         int64_t *codes) {
    Status status = OK;
    Codes all[SUPPRESS_KEYS + 2], person;
    Grouping units;
    int32_t *who = NULL, *first = NULL;
    TRY(column_codes(work, request->person, &person));
    NEW(work, who, rows + 1);
    int32_t next = person.count;
    for (int64_t i = 0; i < rows; i++) who[i] = person.at[i] >= 0 ? person.at[i] : next++;
    memcpy(all, key, (size_t)keys * sizeof *all);
    all[keys] = (Codes){ .count = next, .at = who };
    TRY(group_codes(work, all, keys + 1, rows, &units));
    NEW(work, *code, rows + 1);
    NEW(work, first, next + 1);
    for (int64_t i = 0; i < rows; i++)
        if (!first[who[i]]) first[who[i]] = (int32_t)i + 1;
    *codes = 0;
    p->unit = units.of;
    for (int64_t i = 0; i < rows; i++) {
        int32_t unit = units.of[i];
        int64_t own = 2 * units.size[unit] + (units.of[first[who[i]] - 1] == unit);
        (*code)[i] = (int32_t)own;
        if (own >= *codes) *codes = own + 1;
    }
done:
    arena_drop(work->arena, who);
    return status;
}

static Status row_codes(Work *work, const Request *request, const uint64_t *blank, int64_t rows, Codes *key, int64_t *count) {
    Status status = OK;
    Strata strata;
    *count = 0;
    for (int j = 0; j < request->keys.count; j++) {
        int32_t *at = NULL;
        TRY(column_codes(work, request->keys.at[j], &key[j]));
        if (!(request->among & bit_of(j))) {
            NEW(work, at, rows + 1);
            key[j] = (Codes){ .count = 1, .at = at };
            continue;
        }
        NEW(work, at, rows + 1);
        for (int64_t i = 0; i < rows; i++) at[i] = blank[i] & bit_of(j) ? -1 : key[j].at[i];
        key[j].at = at;
    }
    *count = request->keys.count;
    if (request->strata.count) {
        TRY(strata_make(work, request->strata, rows, &strata));
        key[(*count)++] = (Codes){ .count = (int32_t)strata.count, .at = strata.of };
    }
done:
    return status;
}

static Status class_codes(Work *work, Builder *b, const Codes *row, int64_t count) {
    Status status = OK;
    Problem *p = b->p;
    for (int64_t j = 0; j < count; j++) {
        int32_t *at = NULL;
        NEW(work, at, p->classes + 1);
        for (int64_t c = 0; c < p->classes; c++) at[c] = row[j].at[p->first[c]];
        b->key[j] = (Codes){ .count = row[j].count, .at = at };
    }
    for (int64_t c = 0; c < p->classes; c++)
        for (int j = 0; j < p->keys; j++)
            if (b->key[j].at[c] < 0) p->missing[c] |= bit_of(j);
    for (int64_t c = 0; c < p->classes; c++) p->spent[c] = cost_of(b, p->missing[c]);
done:
    return status;
}

static Status make_classes(Work *work, Builder *b, const uint64_t *blank) {
    Status status = OK;
    Problem *p = b->p;
    const Request *request = b->request;
    Codes row[SUPPRESS_KEYS + 2];
    Grouping groups;
    int64_t count, codes;
    int32_t *unit = NULL;
    TRY(row_codes(work, request, blank, p->rows, row, &count));
    if (request->person) {
        TRY(make_units(work, request, row, count, p->rows, p, &unit, &codes));
        row[count] = (Codes){ .count = (int32_t)codes, .at = unit };
    }
    TRY(group_codes(work, row, count + (unit != NULL), p->rows, &groups));
    p->classes = groups.count;
    p->of = groups.of;
    p->first = groups.first;
    NEW(work, p->units, p->classes + 1);
    NEW(work, p->records, p->classes + 1);
    NEW(work, p->counts, p->classes + 1);
    NEW(work, p->missing, p->classes + 1);
    NEW(work, p->spent, p->classes + 1);
    NEW(work, p->safe, p->classes + 1);
    NEW(work, p->cap, p->classes + 1);
    NEW(work, p->own, p->classes + 1);
    for (int64_t i = 0; i < p->rows; i++) p->units[p->of[i]] += p->times ? p->times[i] : 1;
    for (int64_t c = 0; c < p->classes; c++) {
        p->records[c] = unit ? unit[p->first[c]] / 2 : 1;
        p->counts[c] = !unit || unit[p->first[c]] % 2;
        p->units[c] /= p->records[c];
    }
    TRY(class_codes(work, b, row, count));
done:
    return status;
}

/* ---- tuples ---- */

/* Classes that are alike where these keys are blank. */
static Status group_by(Work *work, const Builder *b, uint64_t mask, Grouping *out) {
    Codes some[SUPPRESS_KEYS + 1];
    int64_t count = 0;
    for (int j = 0; j < b->p->keys; j++)
        if (b->request->among & bit_of(j) & ~mask) some[count++] = b->key[j];
    if (b->request->strata.count) some[count++] = b->key[b->p->keys];
    return group_codes(work, some, count, b->p->classes, out);
}

/* The people who could be released as each group's tuple: of those whose missing values are all blank in it. */
static void count_people(const Builder *b, const Grouping *g) {
    const Problem *p = b->p;
    memset(b->people, 0, (size_t)g->count * sizeof *b->people);
    for (int64_t c = 0; c < p->classes; c++)
        if (p->counts[c]) b->people[g->of[c]] += p->units[c];
}

static Status find_safe(Work *work, Builder *b) {
    Status status = OK;
    Grouping g;
    TRY(group_by(work, b, 0, &g));
    count_people(b, &g);
    for (int64_t c = 0; c < b->p->classes; c++) b->p->safe[c] = b->people[g.of[c]] >= b->p->k;
    grouping_drop(work, &g);
done:
    return status;
}

static int compare_masks(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    int cells = __builtin_popcountll(x) - __builtin_popcountll(y);
    return cells ? cells : (x > y) - (x < y);
}

static Status add_mask(Work *work, Builder *b, int64_t *room, uint64_t mask) {
    Status status = OK;
    GROW(work, b->mask, *room, b->masks + 1);
    b->mask[b->masks++] = mask;
done:
    return status;
}

/* All sets of blanks where the keys are few. */
static Status list_masks(Work *work, Builder *b) {
    Status status = OK;
    uint64_t among = b->request->among;
    int64_t room = 0;
    b->reach = SUPPRESS_KEYS;
    for (uint64_t set = among;; set = (set - 1) & among) {
        TRY(add_mask(work, b, &room, set));
        if (!set) break;
    }
    qsort(b->mask, (size_t)b->masks, sizeof *b->mask, compare_masks);
done:
    return status;
}

/* Sets of up to `most` keys. */
static Status add_small(Work *work, Builder *b, int64_t *room, uint64_t base, int from, int most) {
    Status status = OK;
    TRY(add_mask(work, b, room, base));
    for (int j = from; most && j < b->p->keys; j++)
        if (b->request->among & bit_of(j) & ~base) TRY(add_small(work, b, room, base | bit_of(j), j + 1, most - 1));
done:
    return status;
}

static int differing(const Builder *b, int64_t a, int64_t c, uint64_t *mask) {
    *mask = b->p->missing[a] | b->p->missing[c];
    for (int j = 0; j < b->p->keys; j++)
        if (b->key[j].at[a] != b->key[j].at[c]) *mask |= bit_of(j);
    return __builtin_popcountll(*mask);
}

/* What the k nearest people differ in, for one class: as many sets of blanks as it takes to reach k. */
static Status add_nearest(Work *work, Builder *b, int64_t *room, int64_t class) {
    Status status = OK;
    const Problem *p = b->p;
    uint64_t mask = p->missing[class], other;
    int64_t people = p->counts[class] ? p->units[class] : 0;
    while (people < p->k) {
        int best = SUPPRESS_KEYS + 2;
        uint64_t nearest = 0;
        people = 0;
        for (int64_t c = 0; c < p->classes; c++) {
            if (b->request->strata.count && b->key[p->keys].at[c] != b->key[p->keys].at[class]) continue;
            int cells = differing(b, class, c, &other);
            if (!(other & ~mask)) people += p->counts[c] ? p->units[c] : 0;
            else if (__builtin_popcountll(other | mask) < best) {
                best = __builtin_popcountll(other | mask);
                nearest = other | mask;
            }
            (void)cells;
        }
        if (people >= p->k || !nearest) break;
        mask = nearest;
        TRY(add_mask(work, b, room, mask));
    }
done:
    return status;
}

/* Of many keys: the small sets, what near classes differ in, and a chain that blanks the keys of most values first, up to all. */
static Status list_some_masks(Work *work, Builder *b) {
    Status status = OK;
    const Problem *p = b->p;
    int64_t room = 0, most = LOOKS_MOST / (p->classes + 1), sets = 1, size = 0, keys = __builtin_popcountll(b->request->among);
    uint64_t chain = 0;
    for (int64_t here = 1; size < keys; size++) {
        here = here * (keys - size) / (size + 1);
        if ((sets += here) > most / 2) break;
    }
    b->reach = (int)size;
    TRY(add_small(work, b, &room, 0, 0, b->reach));
    for (int64_t c = 0; c < p->classes; c++)
        if (p->missing[c]) TRY(add_mask(work, b, &room, p->missing[c]));
    for (int64_t step = 0; step < keys; step++) {
        int widest = -1;
        for (int j = 0; j < p->keys; j++)
            if (b->request->among & bit_of(j) & ~chain && (widest < 0 || b->key[j].count > b->key[widest].count)) widest = j;
        chain |= bit_of(widest);
        TRY(add_mask(work, b, &room, chain));
    }
    int64_t looks = LOOKS_MOST * 4 / (p->classes * p->keys + 1), stride = looks ? p->classes / looks + 1 : p->classes + 1;
    for (int64_t c = 0; c < p->classes; c += stride)
        if (!p->safe[c]) TRY(add_nearest(work, b, &room, c));
    qsort(b->mask, (size_t)b->masks, sizeof *b->mask, compare_masks);
    int64_t kept = 0;
    for (int64_t i = 0; i < b->masks; i++)
        if (!kept || b->mask[kept - 1] != b->mask[i]) b->mask[kept++] = b->mask[i];
    b->masks = kept;
done:
    return status;
}

/* The fewest blanks and the least price that each class needs alone. */
static Status find_least(Work *work, Builder *b) {
    Status status = OK;
    Problem *p = b->p;
    int64_t open = 0;
    NEW(work, b->least_cost, p->classes + 1);
    NEW(work, b->least_cells, p->classes + 1);
    for (int64_t c = 0; c < p->classes; c++) {
        b->least_cost[c] = p->safe[c] ? 0 : INT64_MAX;
        b->least_cells[c] = p->safe[c] ? 0 : INT8_MAX;
        open += !p->safe[c];
    }
    for (int64_t m = 0; m < b->masks && open; m++) {
        Grouping g;
        TRY(work_check(work));
        TRY(group_by(work, b, b->mask[m], &g));
        count_people(b, &g);
        int64_t cost = cost_of(b, b->mask[m]);
        for (int64_t c = 0; c < p->classes; c++) {
            if (p->safe[c] || p->missing[c] & ~b->mask[m] || b->people[g.of[c]] < p->k) continue;
            int cells = __builtin_popcountll(b->mask[m] & ~p->missing[c]);
            if (cells < b->least_cells[c]) b->least_cells[c] = (int8_t)cells;
            if (cost - p->spent[c] < b->least_cost[c]) b->least_cost[c] = cost - p->spent[c];
        }
        grouping_drop(work, &g);
    }
done:
    return status;
}

/* ---- links ---- */

static bool within(const Builder *b, int64_t class, uint64_t mask, int64_t cost) {
    const Problem *p = b->p;
    if (p->missing[class] & ~mask) return false;
    if (mask == b->request->among) return true;
    int cells = __builtin_popcountll(mask & ~p->missing[class]);
    if (p->safe[class]) return !cells;
    return cells <= b->least_cells[class] + b->window || cost - p->spent[class] <= 2 * b->least_cost[class];
}

static Status add_link(Work *work, Builder *b, int64_t class, int64_t tuple) {
    Status status = OK;
    Problem *p = b->p;
    if (p->links == b->link_room) {
        int64_t tuples = b->link_room;
        GROW(work, p->owner, b->link_room, p->links + 1);
        GROW(work, p->tuple, tuples, p->links + 1);
    }
    p->owner[p->links] = (int32_t) class;
    p->tuple[p->links++] = (int32_t)tuple;
done:
    return status;
}

static Status add_tuple(Work *work, Builder *b, uint64_t mask, int64_t cost) {
    Status status = OK;
    Problem *p = b->p;
    GROW(work, p->mask, b->tuple_room[0], p->tuples + 1);
    GROW(work, p->cost, b->tuple_room[1], p->tuples + 1);
    GROW(work, p->lender, b->tuple_room[2], p->tuples + 1);
    p->mask[p->tuples] = mask;
    p->cost[p->tuples] = cost;
    p->lender[p->tuples++] = INT8_MAX;
done:
    return status;
}

/* Safe classes that may lend records to a tuple: those with most to spare, until k can be lent; to the fully blank one all may. */
static Status add_lenders(Work *work, Builder *b, const int64_t *member, int64_t count, uint64_t mask, int64_t *list) {
    Status status = OK;
    Problem *p = b->p;
    int64_t lenders = 0, tuple = p->tuples - 1, lent = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t c = member[i];
        int cells = __builtin_popcountll(mask & ~p->missing[c]);
        if (!p->safe[c] || !cells) continue;
        if (!p->counts[c] && mask != b->request->among) continue;
        if (cells < p->lender[tuple]) p->lender[tuple] = (int8_t)cells;
        int64_t at = lenders++;
        for (; at && p->units[list[at - 1]] < p->units[c] && at < 64; at--) list[at] = list[at - 1];
        list[at] = c;
    }
    for (int64_t i = 0; i < lenders && (lent < p->k || mask == b->request->among); i++) {
        TRY(add_link(work, b, list[i], tuple));
        lent += p->units[list[i]] > p->k ? p->units[list[i]] - p->k : 0;
        if (i >= 32 && i >= p->k && mask != b->request->among) break;
    }
done:
    return status;
}

static Status link_group(Work *work, Builder *b, const int64_t *member, int64_t count, uint64_t mask, int64_t *list) {
    Status status = OK;
    Problem *p = b->p;
    bool wanted = false, own = false;
    int64_t cost = cost_of(b, mask);
    for (int64_t i = 0; i < count; i++) {
        if (!within(b, member[i], mask, cost)) continue;
        if (p->safe[member[i]] && mask != p->missing[member[i]]) continue;
        if (p->safe[member[i]]) own = true;
        else wanted = true;
    }
    if (!wanted && !own) return OK;
    TRY(add_tuple(work, b, mask, cost));
    for (int64_t i = 0; i < count; i++) {
        if (!within(b, member[i], mask, cost) || (p->safe[member[i]] && mask != p->missing[member[i]])) continue;
        TRY(add_link(work, b, member[i], p->tuples - 1));
    }
    if (wanted) TRY(add_lenders(work, b, member, count, mask, list));
done:
    return status;
}

static Status link_mask(Work *work, Builder *b, uint64_t mask) {
    Status status = OK;
    Problem *p = b->p;
    Grouping g;
    int64_t *start = NULL, *row = NULL, *list = NULL;
    TRY(work_check(work));
    TRY(group_by(work, b, mask, &g));
    count_people(b, &g);
    TRY(rows_listed(work, g.of, p->classes, g.count, &start, &row));
    NEW(work, list, p->classes + 1);
    for (int64_t i = 0; i < g.count; i++)
        if (b->people[i] >= p->k && !(p->missing[row[start[i]]] & ~mask))
            TRY(link_group(work, b, row + start[i], start[i + 1] - start[i], mask, list));
done:
    arena_drop(work->arena, list);
    arena_drop(work->arena, start);
    arena_drop(work->arena, row);
    grouping_drop(work, &g);
    return status;
}

/* Links by class, cheapest first, and by tuple. Tuples come by price, so that a stable order by class is one by price. */
static Status order_links(Work *work, Builder *b) {
    Status status = OK;
    Problem *p = b->p;
    int32_t *tuple = NULL, *owner = NULL;
    Keyed keyed;
    NEW(work, tuple, p->links + 1);
    NEW(work, owner, p->links + 1);
    TRY(keyed_new(work, p->links, &keyed));
    for (int64_t l = 0; l < p->links; l++) {
        keyed.key[l] = (uint64_t)p->owner[l] << 32 | (uint64_t)(p->cost[p->tuple[l]] & 0xffffffff);
        keyed.row[l] = (int32_t)l;
    }
    TRY(keyed_sort(work, keyed, p->links));
    NEW(work, p->start, p->classes + 2);
    for (int64_t l = 0; l < p->links; l++) {
        int64_t from = keyed.row[l];
        owner[l] = p->owner[from];
        tuple[l] = p->tuple[from];
        p->start[owner[l] + 1]++;
    }
    for (int64_t c = 0; c < p->classes; c++) {
        p->start[c + 1] += p->start[c];
        p->own[c] = -1;
    }
    for (int64_t l = 0; l < p->links; l++)
        if (p->mask[tuple[l]] == p->missing[owner[l]]) p->own[owner[l]] = l;
    p->owner = owner;
    p->tuple = tuple;
    TRY(groups_listed(work, p->tuple, p->links, p->tuples, &p->begin, &p->member));
    keyed_drop(work, &keyed);
done:
    return status;
}

static Status make_links(Work *work, Builder *b) {
    Status status = OK;
    Problem *p = b->p;
    int64_t unsafe = 0;
    for (int64_t c = 0; c < p->classes; c++) unsafe += !p->safe[c];
    b->window = unsafe * b->masks <= LINKS_FREE ? SUPPRESS_KEYS : 1;
    for (int64_t c = 0; c < p->classes; c++) {
        int reach = b->reach + 1 - __builtin_popcountll(p->missing[c]);
        if (reach < 1) reach = 1;
        p->cap[c] = (int8_t)(p->safe[c] ? 0 : b->window == 1 ? b->least_cells[c] + 2 : SUPPRESS_KEYS + 1);
        if (b->reach < SUPPRESS_KEYS && p->cap[c] > reach) p->cap[c] = (int8_t)reach;
    }
    if (unsafe)
        for (int64_t m = 0; m < b->masks; m++) TRY(link_mask(work, b, b->mask[m]));
    TRY(order_links(work, b));
done:
    return status;
}

/* Everything blank, a record is alike with its whole stratum, and with no other. */
static Status check_possible(Work *work, const Builder *b) {
    Status status = OK;
    const Problem *p = b->p;
    Grouping g;
    if (!p->rows) return OK;
    TRY(group_by(work, b, UINT64_MAX, &g));
    count_people(b, &g);
    for (int64_t c = 0; c < p->classes; c++) {
        if (b->people[g.of[c]] >= p->k) continue;
        const char *who = b->request->person ? "people" : "records";
        if (!b->request->strata.count)
            fail(work->error, BAD, "there are %lld %s, and each should share its keys with %lld", (long long)b->people[g.of[c]], who,
                 (long long)p->k);
        else {
            fail(work->error, BAD, "a stratum has %lld %s, and each should share its keys with %lld", (long long)b->people[g.of[c]], who,
                 (long long)p->k);
            error_row(work->error, p->first[c]);
        }
        TRY(error_advice(work->error, b->request->strata.count ? "Merge small strata, or lower --k." : "Lower --k."));
    }
    grouping_drop(work, &g);
done:
    return status;
}

Status problem_make(Work *work, const Request *request, const uint64_t *blank, Problem *out) {
    Status status = OK;
    Builder b = { .request = request, .p = out };
    int64_t rows = request->keys.count ? request->keys.at[0]->rows : 0;
    *out = (Problem){ .k = request->k, .keys = request->keys.count, .rows = rows, .times = work->times, .deadline = request->deadline };
    if (request->keys.count > SUPPRESS_KEYS) return fail(work->error, BAD, "too many keys: at most %d", SUPPRESS_KEYS);
    out->movable = suppress_apart(request->k, request->keys.count) - 1;
    TRY(make_classes(work, &b, blank));
    NEW(work, b.people, out->classes + 1);
    TRY(check_possible(work, &b));
    TRY(find_safe(work, &b));
    if (__builtin_popcountll(request->among) <= MASKS_ALL) TRY(list_masks(work, &b));
    else TRY(list_some_masks(work, &b));
    TRY(find_least(work, &b));
    TRY(make_links(work, &b));
done:
    return status;
}
