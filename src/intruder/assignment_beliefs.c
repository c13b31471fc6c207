/* Beliefs over complete assignments: permanents within small components, doubly stochastic scaling within large ones. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/sort.h"
#include "intruder/assignment.h"
#include "intruder/beliefs.h"

enum { SCALINGS = 500, STATES = 1 << ASSIGN_EXACT };

/* ---- small components ---- */

/* A component: classes of people, classes of records, and a matrix of likelihoods between them. */
typedef struct {
    int people, truths, releases;
    int64_t truth[ASSIGN_EXACT], release[ASSIGN_EXACT]; /* release: -1 is "not released" */
    int size[ASSIGN_EXACT], capacity[ASSIGN_EXACT];     /* people of a class; records of a class */
    double likelihood[ASSIGN_EXACT][ASSIGN_EXACT];
    int64_t edge[ASSIGN_EXACT][ASSIGN_EXACT];                   /* -1: none */
    int stride[ASSIGN_EXACT + 1];                               /* of the number of records used, in a state */
    double *before[ASSIGN_EXACT + 1], *after[ASSIGN_EXACT + 1]; /* person -> state -> weight of the others */
} SmallComponent;

static int records_used(const SmallComponent *c, int state, int r) { return state / c->stride[r] % (c->capacity[r] + 1); }

/* The weight of all ways to give records to the first p people, by the records that they use, and to the rest, by those used before. A
 * state counts used records of each class; giving away one of class r can be done in as many ways as it has left. */
static void sum_assignments(const SmallComponent *c, const int *truth_of, int states) {
    for (int p = 0; p <= c->people; p++)
        for (int s = 0; s < states; s++) c->before[p][s] = c->after[p][s] = 0;
    c->before[0][0] = 1;
    c->after[c->people][states - 1] = 1;
    for (int p = 0; p < c->people; p++)
        for (int s = 0; s < states; s++)
            for (int r = 0; r < c->releases && c->before[p][s] > 0; r++) {
                int free = c->capacity[r] - records_used(c, s, r);
                if (free > 0) c->before[p + 1][s + c->stride[r]] += c->before[p][s] * free * c->likelihood[truth_of[p]][r];
            }
    for (int p = c->people - 1; p >= 0; p--)
        for (int s = 0; s < states; s++)
            for (int r = 0; r < c->releases; r++) {
                int free = c->capacity[r] - records_used(c, s, r);
                if (free > 0) c->after[p][s] += free * c->likelihood[truth_of[p]][r] * c->after[p + 1][s + c->stride[r]];
            }
}

/* P(a given person of class t has a given record of class r) = L(t, r) per(the rest) / per(all), for the first person of each class. */
static void believe_exactly(const SmallComponent *c, double *value) {
    int truth_of[ASSIGN_EXACT], states = c->stride[c->releases], p = 0;
    for (int t = 0; t < c->truths; t++)
        for (int k = 0; k < c->size[t]; k++) truth_of[p++] = t;
    sum_assignments(c, truth_of, states);
    double all = c->after[0][0];
    p = 0;
    for (int t = 0; t < c->truths; p += c->size[t], t++)
        for (int r = 0; r < c->releases; r++) {
            double sum = 0;
            if (c->edge[t][r] < 0) continue;
            for (int s = 0; s < states; s++) {
                int free = c->capacity[r] - records_used(c, s, r);
                if (free > 0) sum += c->before[p][s] * free * c->after[p + 1][s + c->stride[r]];
            }
            value[c->edge[t][r]] = all > 0 ? sum * c->likelihood[t][r] / all / c->capacity[r] : 0;
        }
}

static int add_release(SmallComponent *c, int64_t release, int64_t capacity) {
    for (int r = 0; r < c->releases; r++)
        if (c->release[r] == release) return r;
    for (int t = 0; t < ASSIGN_EXACT; t++) {
        c->edge[t][c->releases] = -1;
        c->likelihood[t][c->releases] = 0;
    }
    c->release[c->releases] = release;
    c->capacity[c->releases] = (int)capacity;
    return c->releases++;
}

/* The component's classes and edges. Likelihoods of a class of people are divided by its largest, on which no belief depends. */
static void gather_component(const Assignment *a, int32_t component, const int32_t *truths, int64_t count, SmallComponent *c) {
    const KeyGraph *g = a->graph;
    c->people = c->releases = 0;
    c->truths = (int)count;
    for (int t = 0; t < c->truths; t++) {
        c->truth[t] = truths[t];
        c->size[t] = (int)g->truth_size[truths[t]];
        c->people += c->size[t];
        for (int64_t e = g->start[c->truth[t]]; e < g->start[c->truth[t] + 1]; e++) {
            if (!assignment_possible(a, c->truth[t], e)) continue;
            int r = add_release(c, g->to[e], g->release_size[g->to[e]]);
            c->edge[t][r] = e;
            c->likelihood[t][r] = g->likelihood[e];
        }
    }
    if (component == a->unreleased_in) {
        int r = add_release(c, -1, a->unreleased);
        for (int t = 0; t < c->truths; t++) c->likelihood[t][r] = 1;
    }
    c->stride[0] = 1;
    for (int r = 0; r < c->releases; r++) c->stride[r + 1] = c->stride[r] * (c->capacity[r] + 1);
    for (int t = 0; t < c->truths; t++) {
        double most = 0;
        for (int r = 0; r < c->releases; r++) most = fmax(most, c->likelihood[t][r]);
        for (int r = 0; r < c->releases && most > 0; r++) c->likelihood[t][r] /= most;
    }
}

/* ---- large components ---- */

/* X(t, r) = u_t L(t, r) v_r with row sums n_t, the people of a class, and column sums m_r, the records of a class (Sinkhorn 1967); within
 * components every edge is in some complete assignment, so that the scaling converges. */
typedef struct {
    const Assignment *a;
    const bool *large; /* by component */
    double *u, *v, of_unreleased;
} Scaling;

static double scale_round(const Scaling *s, double *sum, double *unreleased) {
    const KeyGraph *g = s->a->graph;
    double moved = 0;
    for (int64_t r = 0; r < g->releases; r++) sum[r] = 0;
    *unreleased = 0;
    for (int64_t t = 0; t < g->truths; t++) {
        if (!s->large[s->a->truth_in[t]]) continue;
        double row = s->a->truth_in[t] == s->a->unreleased_in ? s->of_unreleased : 0;
        for (int64_t e = g->start[t]; e < g->start[t + 1]; e++)
            if (assignment_possible(s->a, t, e)) row += g->likelihood[e] * s->v[g->to[e]];
        double u = (double)g->truth_size[t] / row;
        moved = larger(moved, fabs(u - s->u[t]) / u);
        s->u[t] = u;
        if (s->a->truth_in[t] == s->a->unreleased_in) *unreleased += u;
        for (int64_t e = g->start[t]; e < g->start[t + 1]; e++)
            if (assignment_possible(s->a, t, e)) sum[g->to[e]] += u * g->likelihood[e];
    }
    return moved;
}

static Status believe_by_scaling(Work *work, const Assignment *a, const bool *large, double *value) {
    Status status = OK;
    const KeyGraph *g = a->graph;
    Scaling s = { .a = a, .large = large, .of_unreleased = 1 };
    double *sum = NULL, unreleased;
    int rounds = SCALINGS;
    const double edges = (double)g->start[g->truths];
    if (edges * rounds > 2e9) rounds = (int)(2e9 / edges) + 1;
    NEW(work, s.u, g->truths + 1);
    NEW(work, s.v, g->releases + 1);
    NEW(work, sum, g->releases + 1);
    for (int64_t r = 0; r < g->releases; r++) s.v[r] = 1;
    for (int i = 0; i < rounds; i++) {
        TRY(work_check(work));
        double moved = scale_round(&s, sum, &unreleased);
        for (int64_t r = 0; r < g->releases; r++)
            if (sum[r] > 0) s.v[r] = (double)g->release_size[r] / sum[r];
        if (unreleased > 0) s.of_unreleased = (double)a->unreleased / unreleased;
        if (moved < 1e-10) break;
    }
    for (int64_t t = 0; t < g->truths; t++)
        for (int64_t e = g->start[t]; e < g->start[t + 1] && large[a->truth_in[t]]; e++)
            if (assignment_possible(a, t, e))
                value[e] = s.u[t] * g->likelihood[e] * s.v[g->to[e]] / ((double)g->truth_size[t] * (double)g->release_size[g->to[e]]);
done:
    arena_drop(work->arena, s.u);
    arena_drop(work->arena, s.v);
    arena_drop(work->arena, sum);
    return status;
}

/* ---- all components ---- */

/* One class of people has all the records of its component: each of them is as likely any of theirs. One class of records has all the
 * people: any of its records is anyone's. */
static bool believe_at_once(const Assignment *a, int32_t component, const int32_t *truths, int64_t count, double *value) {
    const KeyGraph *g = a->graph;
    int64_t release = -1;
    bool one = component != a->unreleased_in;
    for (int64_t i = 0; i < count && (one || count == 1); i++)
        for (int64_t e = g->start[truths[i]]; e < g->start[truths[i] + 1]; e++) {
            if (!assignment_possible(a, truths[i], e)) continue;
            one &= release < 0 || release == g->to[e];
            release = g->to[e];
        }
    if (count > 1 && !one) return false;
    for (int64_t i = 0; i < count; i++)
        for (int64_t e = g->start[truths[i]]; e < g->start[truths[i] + 1]; e++)
            if (assignment_possible(a, truths[i], e))
                value[e] = 1 / (double)(count == 1 ? g->truth_size[truths[i]] : g->release_size[g->to[e]]);
    return true;
}

static Status states_make(Work *work, SmallComponent *c) {
    Status status = OK;
    for (int p = 0; p <= ASSIGN_EXACT; p++) {
        NEW(work, c->before[p], STATES);
        NEW(work, c->after[p], STATES);
    }
done:
    return status;
}

Status assignment_beliefs(Work *work, const Assignment *a, double *value, bool *approximate) {
    Status status = OK;
    const KeyGraph *g = a->graph;
    SmallComponent *small = NULL;
    int64_t *start = NULL;
    int32_t *truth = NULL;
    bool *large = NULL;
    *approximate = false;
    NEW(work, small, 1);
    NEW(work, large, a->components + 1);
    TRY(states_make(work, small));
    TRY(groups_listed(work, a->truth_in, g->truths, a->components, &start, &truth));
    for (int64_t k = 0; k < a->components; k++) {
        const int32_t *truths = truth + start[k];
        int64_t people = 0, count = start[k + 1] - start[k];
        if (!count || believe_at_once(a, (int32_t)k, truths, count, value)) continue;
        for (int64_t i = 0; i < count; i++) people += g->truth_size[truths[i]];
        large[k] = people > ASSIGN_EXACT;
        *approximate |= large[k];
        if (large[k]) continue;
        gather_component(a, (int32_t)k, truths, count, small);
        believe_exactly(small, value);
    }
    if (*approximate) TRY(believe_by_scaling(work, a, large, value));
done:
    for (int p = 0; small && p <= ASSIGN_EXACT; p++) {
        arena_drop(work->arena, small->before[p]);
        arena_drop(work->arena, small->after[p]);
    }
    arena_drop(work->arena, start);
    arena_drop(work->arena, truth);
    arena_drop(work->arena, large);
    return status;
}

/* ---- the intruder ---- */

/* What is possible for a class of people: how many records, how many classes of records, and whether to be in no record. */
static void count_possible(const Assignment *a, int64_t t, int64_t *records, int64_t *classes, bool *unreleased) {
    const KeyGraph *g = a->graph;
    *records = *classes = 0;
    *unreleased = a->unreleased && a->truth_in[t] == a->unreleased_in;
    for (int64_t e = g->start[t]; e < g->start[t + 1]; e++)
        if (assignment_possible(a, t, e)) {
            *records += g->release_size[g->to[e]];
            ++*classes;
        }
}

static Status count_certain(Work *work, const Assignment *a, const Ownership *owner, Assignments *out) {
    Status status = OK;
    const KeyGraph *g = a->graph;
    bool *alone = NULL, unreleased;
    NEW(work, alone, g->truths + 1);
    for (int64_t t = 0; t < g->truths; t++) {
        int64_t records, classes;
        count_possible(a, t, &records, &classes, &unreleased);
        alone[t] = !unreleased && records == 1;
        if (alone[t]) out->certain += g->truth_size[t];
        if (!unreleased && classes == 1) out->class_certain += g->truth_size[t];
    }
    if (owner->known) NEW(work, out->is_certain, g->records + 1);
    for (int64_t i = 0; owner->known && i < g->records; i++) out->is_certain[i] = alone[g->truth_of[owner->row[i]]];
done:
    arena_drop(work->arena, alone);
    return status;
}

Status believe_by_assigning(Work *work, const KeyGraph *graph, const Ownership *owner, Assignments *out) {
    Status status = OK;
    Assignment a;
    double *value = NULL;
    bool approximate = false;
    *out = (Assignments){ 0 };
    TRY(assignment_make(work, graph, owner, &a));
    out->possible = a.complete;
    if (!a.complete) {
        out->beliefs.why_not = graph->sampled     ? "the records that fit are too many to be assigned to all people at once"
                               : a.unreleased < 0 ? "the release has more records than there are people"
                                                  : "no assignment of all records to people has a positive likelihood";
        return OK;
    }
    NEW(work, value, graph->start[graph->truths] + 1);
    TRY(assignment_beliefs(work, &a, value, &approximate));
    TRY(count_certain(work, &a, owner, out));
    TRY(beliefs_from_edges(work, graph, owner, value, &out->beliefs));
    out->beliefs.approximate = approximate;
done:
    arena_drop(work->arena, value);
    return status;
}
