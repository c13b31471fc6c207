/* Which released people may be whom: histories, what is known of each, and the released histories that fit. */
#include "intruder/history_graph.h"
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "base/extremes.h"
#include "base/sort.h"
#include "classes/code_lists.h"
#include "classes/histories.h"
#include "table/column_cache.h"
#include "table/group.h"

enum { TRIED = 60, DEEPEST = 64 };
static const double edges_most = 1e7;                                      /* assignments are scaled over all of them, many times */
static const double most_steps = 1e9, set_steps = 1e9, least_steps = 2000; /* in all; to choose sets; of these for one person */

/* Different histories, as runs of equal classes. */
typedef struct Shapes {
    int64_t count, *start, *times, *records;
    int32_t *class;
} Shapes;

typedef struct Builder {
    Work *work;
    const KeyGraph *rows;
    const Ownership *owner;
    const ReleasedPeople *who;
    HistoryGraph *out;
    int64_t knows;
    bool equal; /* all records are known, and nobody's were dropped */
    Shapes truth, release;
    int64_t *in_start; /* class of records → released histories that have it */
    int32_t *in, *target;
    bool *direct; /* true history: each of its classes became one class, so that its released history is target[] or, -1, none */
    HistoryFit fit;
    bool *there; /* true history: somebody with it is in the release, so that one fits */
    int32_t *stamp, stamps;
    int64_t room_to, room_likelihood, edges, room_found[DEEPEST + 1];
    int32_t *found[DEEPEST + 1];
    int32_t known_class[DEEPEST], best_class[DEEPEST];
    int64_t known_times[DEEPEST], best_times[DEEPEST];
} Builder;

static History shape_at(const Shapes *s, int64_t i) {
    return (History){ s->start[i + 1] - s->start[i], s->records[i], s->class + s->start[i], s->times + s->start[i] };
}

/* ---- people ---- */

/* Released people in order of their first record, and who they are. */
static Status number_owners(Work *work, const Ownership *owner, int64_t records, ReleasedPeople *out) {
    Status status = OK;
    int32_t *number = NULL, *person_of = NULL;
    int64_t *row = NULL;
    NEW(work, number, out->people + 1);
    NEW(work, row, records + 1);
    NEW(work, person_of, records + 1);
    for (int64_t i = 0; i < records; i++) {
        const int32_t who = out->true_person[owner->row[i]];
        if (!number[who]) {
            row[out->released] = who;
            number[who] = (int32_t)++out->released;
        }
        person_of[i] = number[who] - 1;
    }
    out->person_of = person_of;
    out->owner = (Ownership){ .known = true, .how = owner->how, .row = row };
done:
    arena_drop(work->arena, number);
    return status;
}

Status released_people_find(Work *work, const Ownership *owner, int64_t records, const Column *person, const Column *released_person,
                            ReleasedPeople *out) {
    Status status = OK;
    int32_t *of = NULL;
    *out = (ReleasedPeople){ 0 };
    TRY(number_people(work, person, &of, &out->people));
    out->true_person = of;
    if (owner->known) return number_owners(work, owner, records, out);
    TRY(number_people(work, released_person, &of, &out->released));
    out->person_of = of;
done:
    return status;
}

/* ---- lists and shapes ---- */

static Status shapes_make(Work *work, const CodeLists *lists, const int32_t *of, int64_t count, Shapes *out) {
    Status status = OK;
    int64_t *first = NULL, runs = 0;
    NEW(work, first, count + 1);
    for (int64_t l = lists->count - 1; l >= 0; l--) first[of[l]] = l;
    NEW(work, out->start, count + 2);
    NEW(work, out->records, count + 1);
    NEW(work, out->class, lists->start[lists->count] + 1);
    NEW(work, out->times, lists->start[lists->count] + 1);
    for (int64_t s = 0; s < count; s++) {
        out->start[s] = runs;
        for (int64_t i = lists->start[first[s]]; i < lists->start[first[s] + 1]; i++) {
            if (runs == out->start[s] || out->class[runs - 1] != lists->item[i]) out->class[runs++] = lists->item[i];
            out->times[runs - 1]++;
            out->records[s]++;
        }
    }
    out->start[count] = runs;
    out->count = count;
done:
    arena_drop(work->arena, first);
    return status;
}

/* ---- which histories there are ---- */

static Status sizes_of(Work *work, const int32_t *of, int64_t people, int64_t count, const int64_t **out) {
    Status status = OK;
    int64_t *size = NULL;
    NEW(work, size, count + 1);
    for (int64_t p = 0; p < people; p++) size[of[p]]++;
    *out = size;
done:
    return status;
}

static Status find_released(Builder *b, CodeLists *lists) {
    Status status = OK;
    int32_t *of = NULL, *run_of = NULL;
    KeyGraph *g = &b->out->graph;
    TRY(code_lists_make(b->work, b->who->person_of, b->rows->release_of, b->rows->records, g->records, b->rows->releases, lists));
    TRY(code_lists_number(b->work, lists, &of, &g->releases));
    TRY(shapes_make(b->work, lists, of, g->releases, &b->release));
    TRY(sizes_of(b->work, of, g->records, g->releases, &g->release_size));
    g->release_of = of;
    const int64_t runs = b->release.start[g->releases];
    NEW(b->work, run_of, runs + 1);
    for (int64_t r = 0; r < g->releases; r++)
        for (int64_t i = b->release.start[r]; i < b->release.start[r + 1]; i++) run_of[i] = (int32_t)r;
    TRY(groups_listed(b->work, b->release.class, runs, b->rows->releases, &b->in_start, &b->in));
    for (int64_t i = 0; i < runs; i++) b->in[i] = run_of[b->in[i]];
    NEW(b->work, b->stamp, g->releases + 1);
done:
    arena_drop(b->work->arena, run_of);
    return status;
}

/* The records that may be known: of somebody in the release, where not all are known, those that were released. */
static Status find_known(Builder *b) {
    Status status = OK;
    int32_t *of = NULL;
    uint8_t *released = NULL, *inside = NULL;
    KeyGraph *g = &b->out->graph;
    CodeLists lists;
    NEW(b->work, of, b->rows->people + 1);
    memcpy(of, b->who->true_person, (size_t)b->rows->people * sizeof *of);
    if (b->knows != KNOWS_ALL && b->owner->known) {
        NEW(b->work, released, b->rows->people + 1);
        NEW(b->work, inside, g->people + 1);
        for (int64_t i = 0; i < b->rows->records; i++) {
            released[b->owner->row[i]] = 1;
            inside[b->who->true_person[b->owner->row[i]]] = 1;
        }
        for (int64_t i = 0; i < b->rows->people; i++)
            if (inside[of[i]] && !released[i]) of[i] = -1;
    }
    TRY(code_lists_make(b->work, of, b->rows->truth_of, b->rows->people, g->people, b->rows->truths, &lists));
    int32_t *numbers = NULL;
    TRY(code_lists_number(b->work, &lists, &numbers, &g->truths));
    TRY(shapes_make(b->work, &lists, numbers, g->truths, &b->truth));
    TRY(sizes_of(b->work, numbers, g->people, g->truths, &g->truth_size));
    g->truth_of = numbers;
    NEW(b->work, b->there, g->truths + 1);
    for (int64_t p = 0; b->owner->known && p < g->records; p++) b->there[numbers[b->who->owner.row[p]]] = true;
done:
    arena_drop(b->work->arena, of);
    arena_drop(b->work->arena, released);
    arena_drop(b->work->arena, inside);
    return status;
}

/* Has every released person as many records as in the original? */
static bool nobody_lost_records(const Builder *b) {
    const KeyGraph *g = &b->out->graph;
    if (!b->owner->known) return b->rows->records == b->rows->people;
    for (int64_t p = 0; p < g->records; p++)
        if (b->release.records[g->release_of[p]] != b->truth.records[g->truth_of[b->who->owner.row[p]]]) return false;
    return true;
}

/* Where each class of a history became one class, its released history is looked up among those of the release. */
static Status find_direct(Builder *b, const CodeLists *released) {
    Status status = OK;
    const KeyGraph *g = &b->out->graph, *rows = b->rows;
    CodeLists all = { 0 };
    int32_t *of = NULL, *owner = NULL, *class = NULL, *known = NULL;
    int64_t room = released->start[released->count], count, items = 0;
    for (int64_t t = 0; t < g->truths; t++) room += b->truth.records[t];
    NEW(b->work, b->direct, g->truths + 1);
    NEW(b->work, b->target, g->truths + 1);
    NEW(b->work, owner, room + 1);
    NEW(b->work, class, room + 1);
    for (int64_t l = 0; l < released->count; l++)
        for (int64_t i = released->start[l]; i < released->start[l + 1]; i++) {
            owner[items] = (int32_t)l;
            class[items++] = released->item[i];
        }
    for (int64_t t = 0; t < g->truths; t++) {
        b->direct[t] = true;
        for (int64_t i = b->truth.start[t]; i < b->truth.start[t + 1]; i++)
            b->direct[t] &= rows->start[b->truth.class[i] + 1] - rows->start[b->truth.class[i]] == 1;
        for (int64_t i = b->truth.start[t]; b->direct[t] && i < b->truth.start[t + 1]; i++)
            for (int64_t k = 0; k < b->truth.times[i]; k++) {
                owner[items] = (int32_t)(released->count + t);
                class[items++] = rows->to[rows->start[b->truth.class[i]]];
            }
    }
    TRY(code_lists_make(b->work, owner, class, items, released->count + g->truths, rows->releases, &all));
    TRY(code_lists_number(b->work, &all, &of, &count));
    NEW(b->work, known, count + 1);
    for (int64_t l = 0; l < released->count; l++) known[of[l]] = g->release_of[l] + 1;
    for (int64_t t = 0; t < g->truths; t++) b->target[t] = known[of[released->count + t]] - 1;
done:
    arena_drop(b->work->arena, all.start);
    arena_drop(b->work->arena, all.item);
    arena_drop(b->work->arena, of);
    arena_drop(b->work->arena, owner);
    arena_drop(b->work->arena, class);
    arena_drop(b->work->arena, known);
    return status;
}

/* ---- released histories that a known one fits ---- */

static int64_t histories_with(const Builder *b, int32_t class) {
    int64_t count = 0;
    for (int64_t e = b->rows->start[class]; e < b->rows->start[class + 1]; e++)
        count += b->in_start[b->rows->to[e] + 1] - b->in_start[b->rows->to[e]];
    return count;
}

/* Adds the released histories that have a record which this class may have become, and are not listed yet. */
static Status list_with(Builder *b, int32_t class, int64_t level, int64_t *count) {
    Status status = OK;
    for (int64_t e = b->rows->start[class]; e < b->rows->start[class + 1]; e++)
        for (int64_t i = b->in_start[b->rows->to[e]]; i < b->in_start[b->rows->to[e] + 1]; i++) {
            const int32_t r = b->in[i];
            b->fit.steps++;
            if (b->stamp[r] == b->stamps) continue;
            b->stamp[r] = b->stamps;
            GROW(b->work, b->found[level], b->room_found[level], *count + 1);
            b->found[level][(*count)++] = r;
        }
done:
    return status;
}

/* Of the released histories at `from`, those that the known records fit, at `to`; the same place will do. */
static Status keep_fitting(Builder *b, const History *known, int64_t from, int64_t to, int64_t count, int64_t *kept) {
    Status status = OK;
    *kept = 0;
    GROW(b->work, b->found[to], b->room_found[to], count + 1);
    for (int64_t i = 0; i < count; i++) {
        bool fits;
        const History released = shape_at(&b->release, b->found[from][i]);
        TRY(history_fits(&b->fit, known, &released, &fits));
        if (fits) b->found[to][(*kept)++] = b->found[from][i];
    }
done:
    return status;
}

/* Those that may fit, at level 0, ascending. */
static Status list_fitting(Builder *b, const History *known, int64_t *count) {
    Status status = OK;
    int64_t rarest = 0, fewest = INT64_MAX;
    const bool any = b->fit.whole && !b->equal; /* a released history may lack each of the known records */
    *count = 0;
    b->stamps++;
    for (int64_t j = 0; j < known->runs && !any; j++) {
        const int64_t here = histories_with(b, known->class[j]);
        if (here < fewest) {
            fewest = here;
            rarest = j;
        }
    }
    for (int64_t j = 0; j < known->runs; j++)
        if (any || j == rarest) TRY(list_with(b, known->class[j], 0, count));
    if (*count) qsort(b->found[0], (size_t)*count, sizeof *b->found[0], ascending_int32);
done:
    return status;
}

/* ---- the known records that fit the fewest people ---- */

static int64_t people_at(const Builder *b, int64_t level, int64_t count) {
    int64_t people = 0;
    for (int64_t i = 0; i < count; i++) people += b->out->graph.release_size[b->found[level][i]];
    return people;
}

typedef struct SetSearch {
    Builder *b;
    const History *all;
    History set, best;
    int64_t fewest, floor; /* people whom the set fits; no set fits fewer than `floor` */
    double until;          /* steps */
} SetSearch;

static Status try_set(SetSearch *s, int64_t at, int64_t parents);

/* Every further record, in the order of classes. */
static Status extend_set(SetSearch *s, int64_t from, int64_t count) {
    Status status = OK;
    Builder *b = s->b;
    for (int64_t at = from; at < s->all->runs; at++) {
        History *set = &s->set;
        const bool again = set->runs && b->known_class[set->runs - 1] == s->all->class[at];
        if (s->fewest <= s->floor) break;
        if (b->fit.steps > s->until) {
            b->out->bounded = true;
            break;
        }
        if (again && b->known_times[set->runs - 1] == s->all->times[at]) continue;
        if (again) b->known_times[set->runs - 1]++;
        else {
            b->known_class[set->runs] = s->all->class[at];
            b->known_times[set->runs++] = 1;
        }
        set->records++;
        TRY(try_set(s, at, count));
        set->records--;
        if (again) b->known_times[set->runs - 1]--;
        else set->runs--;
    }
done:
    return status;
}

static Status try_set(SetSearch *s, int64_t at, int64_t parents) {
    Status status = OK;
    Builder *b = s->b;
    const int64_t level = s->set.records;
    int64_t count = 0;
    if (level == 1) {
        b->stamps++;
        TRY(list_with(b, s->set.class[0], 1, &count));
    } else TRY(keep_fitting(b, &s->set, level - 1, level, parents, &count));
    const int64_t people = people_at(b, level, count);
    if (people < s->fewest || (people == s->fewest && level > s->best.records)) {
        s->fewest = people;
        s->best = (History){ s->set.runs, s->set.records, b->best_class, b->best_times };
        memcpy(b->best_class, b->known_class, sizeof b->best_class);
        memcpy(b->best_times, b->known_times, sizeof b->best_times);
    }
    if (level < b->knows && level < DEEPEST) TRY(extend_set(s, at, count));
done:
    return status;
}

static Status worst_set(Builder *b, const History *all, bool there, History *out) {
    Status status = OK;
    const double steps = set_steps / (double)(b->out->graph.truths + 1);
    SetSearch s = { .b = b, .all = all, .fewest = INT64_MAX, .floor = there, .until = b->fit.steps + larger(steps, least_steps) };
    *out = *all;
    if (all->records <= b->knows) return OK;
    b->out->bounded |= b->knows > DEEPEST;
    s.set = (History){ .class = b->known_class, .times = b->known_times };
    TRY(extend_set(&s, 0, 0));
    if (s.best.records) *out = s.best;
done:
    return status;
}

/* People of whom the same records are known are alike: of each history the known set takes its place. */
static Status choose_sets(Builder *b) {
    Status status = OK;
    KeyGraph *g = &b->out->graph;
    CodeLists sets = { .count = g->truths };
    int32_t *of = NULL, *truth_of = NULL;
    int64_t room = 0, items = 0, count = 0;
    NEW(b->work, sets.start, g->truths + 2);
    for (int64_t t = 0; t < g->truths; t++) {
        const History all = shape_at(&b->truth, t);
        History known;
        if (!(t & 255)) TRY(work_check(b->work));
        TRY(worst_set(b, &all, b->there[t], &known));
        sets.start[t] = items;
        GROW(b->work, sets.item, room, items + known.records + 1);
        for (int64_t j = 0; j < known.runs; j++)
            for (int64_t k = 0; k < known.times[j]; k++) sets.item[items++] = known.class[j];
    }
    sets.start[g->truths] = items;
    TRY(code_lists_number(b->work, &sets, &of, &count));
    TRY(shapes_make(b->work, &sets, of, count, &b->truth));
    NEW(b->work, truth_of, g->people + 1);
    for (int64_t p = 0; p < g->people; p++) truth_of[p] = of[g->truth_of[p]];
    g->truth_of = truth_of;
    g->truths = count;
    TRY(sizes_of(b->work, truth_of, g->people, count, &g->truth_size));
    b->fit.steps = 0;
done:
    arena_drop(b->work->arena, sets.start);
    arena_drop(b->work->arena, sets.item);
    arena_drop(b->work->arena, of);
    return status;
}

/* ---- edges ---- */

static Status add_edge(Builder *b, const History *known, int32_t release) {
    Status status = OK;
    KeyGraph *g = &b->out->graph;
    const History released = shape_at(&b->release, release);
    bool fits;
    if (b->equal && released.records != known->records) return OK;
    TRY(history_fits(&b->fit, known, &released, &fits));
    if (!fits) return OK;
    GROW(b->work, g->to, b->room_to, b->edges + 1);
    GROW(b->work, g->likelihood, b->room_likelihood, b->edges + 1);
    TRY(history_likelihood(&b->fit, known, &released, &g->likelihood[b->edges], &b->out->approximate));
    g->to[b->edges++] = release;
done:
    return status;
}

static Status edges_of(Builder *b, int64_t truth) {
    Status status = OK;
    const History known = shape_at(&b->truth, truth);
    int64_t count = 0;
    if (b->direct && b->direct[truth]) return b->target[truth] < 0 ? OK : add_edge(b, &known, b->target[truth]);
    TRY(list_fitting(b, &known, &count));
    for (int64_t i = 0; i < count; i++) TRY(add_edge(b, &known, b->found[0][i]));
done:
    return status;
}

/* Every how many true histories can be tried? A few are first. */
static Status choose_step(Builder *b, int64_t *out) {
    Status status = OK;
    const int64_t truths = b->out->graph.truths, apart = truths / TRIED + 1;
    double tried = 0;
    for (int64_t t = 0; t < truths; t += apart, tried++) TRY(edges_of(b, t));
    const double steps = tried > 0 ? b->fit.steps / tried * (double)truths : 0;
    const double edges = tried > 0 ? (double)b->edges / tried * (double)truths : 0;
    const double over = larger(steps / most_steps, edges / edges_most);
    *out = over > 1 ? (int64_t)over + 1 : 1;
    b->edges = 0;
    b->out->approximate = false;
done:
    return status;
}

static Status find_edges(Builder *b) {
    Status status = OK;
    KeyGraph *g = &b->out->graph;
    bool *has = NULL;
    int64_t step = 1;
    TRY(choose_step(b, &step));
    NEW(b->work, g->start, g->truths + 2);
    NEW(b->work, has, g->truths + 1);
    for (int64_t t = 0; t < g->truths; t++) {
        g->start[t] = b->edges;
        if (!(t & 255)) TRY(work_check(b->work));
        has[t] = t % step == 0;
        if (has[t]) TRY(edges_of(b, t));
    }
    g->start[g->truths] = b->edges;
    g->sampled = step > 1;
    g->has_edges = has;
done:
    return status;
}

Status history_graph_make(Work *work, const KeyGraph *rows, const Ownership *owner, const ReleasedPeople *people, int64_t knows,
                          HistoryGraph *out) {
    Status status = OK;
    Builder b = { .work = work, .rows = rows, .owner = owner, .who = people, .out = out, .knows = knows };
    CodeLists released;
    *out = (HistoryGraph){ .graph = { .people = people->people, .records = people->released } };
    b.fit = (HistoryFit){ .work = work, .rows = rows, .whole = knows == KNOWS_ALL };
    TRY(find_released(&b, &released));
    TRY(find_known(&b));
    b.equal = knows == KNOWS_ALL && nobody_lost_records(&b);
    if (b.equal) TRY(find_direct(&b, &released));
    TRY(history_fit_prepare(&b.fit));
    if (knows != KNOWS_ALL) TRY(choose_sets(&b));
    TRY(find_edges(&b));
done:
    return status;
}
