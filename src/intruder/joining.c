/* Joining: keys and numbers together. Numbers are compared as they are, by rank, standardised, and along principal axes: a change of units
 * or a rotation protects nobody. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/sort.h"
#include "intruder/joining_private.h"
#include "math/linear/symmetric.h"
#include "math/ranks.h"

enum { LEAST_TRIED = 400, BLOCK = 16, MOST_TOTALS = 1 << 20 };
static const double most_work = 6e8; /* comparisons of two numbers */

/* ---- views ---- */

static void standardise(const double *x, int64_t rows, double *out) {
    double n = 0, sum = 0, squares = 0;
    for (int64_t i = 0; i < rows; i++)
        if (!isnan(x[i])) n++, sum += x[i];
    for (int64_t i = 0; i < rows; i++)
        if (!isnan(x[i])) squares += (x[i] - sum / n) * (x[i] - sum / n);
    double sd = n > 1 && squares > 0 ? sqrt(squares / (n - 1)) : 1;
    for (int64_t i = 0; i < rows; i++) out[i] = (x[i] - (n > 0 ? sum / n : 0)) / sd;
}

static Status rank_share(Work *work, const double *x, int64_t rows, double *out) {
    Status status = OK;
    int64_t n = 0;
    TRY(mid_ranks(work, x, rows, out));
    for (int64_t i = 0; i < rows; i++) n += !isnan(x[i]);
    for (int64_t i = 0; i < rows; i++) out[i] = (out[i] - 0.5) / (double)(n > 0 ? n : 1);
done:
    return status;
}

/* Scores of standardised columns on the axes of their own table's correlations, in falling order of variance, each signed so that its
 * third moment is positive. Records that lack a number have none. */
static Status axes_of(Work *work, double *const *z, int64_t columns, int64_t rows, double *const *out) {
    Status status = OK;
    double *a = NULL, *values = NULL, *vectors = NULL, n = 0;
    NEW(work, a, columns * columns);
    NEW(work, values, columns);
    NEW(work, vectors, columns * columns);
    for (int64_t i = 0; i < rows; i++) {
        bool whole = true;
        for (int64_t j = 0; j < columns; j++) whole &= !isnan(z[j][i]);
        n += whole;
        for (int64_t j = 0; j < columns && whole; j++)
            for (int64_t k = 0; k <= j; k++) a[j * columns + k] += z[j][i] * z[k][i];
    }
    for (int64_t j = 0; j < columns; j++)
        for (int64_t k = 0; k <= j; k++) a[k * columns + j] = a[j * columns + k] /= fmax(n, 1);
    TRY(principal_axes(work, a, columns, values, vectors));
    for (int64_t k = 0; k < columns; k++) {
        double cubes = 0;
        for (int64_t i = 0; i < rows; i++) {
            double sum = 0;
            for (int64_t j = 0; j < columns; j++) sum += vectors[k * columns + j] * z[j][i];
            out[k][i] = sum;
            if (!isnan(sum)) cubes += sum * sum * sum;
        }
        double size = values[k] > 1e-12 ? sqrt(values[k]) : 1;
        for (int64_t i = 0; i < rows; i++) out[k][i] = (cubes < 0 ? -out[k][i] : out[k][i]) / size;
    }
done:
    arena_drop(work->arena, a);
    arena_drop(work->arena, values);
    arena_drop(work->arena, vectors);
    return status;
}

static Status make_views(Join *join, Columns before, Columns after) {
    Status status = OK;
    for (int v = 0; v < VIEWS; v++) join->view[v].columns = before.count;
    for (int side = 0; side < 2; side++) {
        const Columns *from = side ? &after : &before;
        int64_t rows = side ? join->records : join->people;
        for (int64_t j = 0; j < before.count; j++) {
            const double *x;
            TRY(column_reals(join->work, from->at[j], &x));
            for (int v = 0; v < VIEWS; v++) NEW(join->work, join->view[v].x[side][j], rows + 1);
            for (int64_t i = 0; i < rows; i++) join->view[AS_THEY_ARE].x[side][j][i] = column_missing(from->at[j], i) ? NAN : x[i];
            const double *own = join->view[AS_THEY_ARE].x[side][j];
            TRY(rank_share(join->work, own, rows, join->view[BY_RANK].x[side][j]));
            standardise(own, rows, join->view[STANDARDISED].x[side][j]);
        }
        TRY(axes_of(join->work, join->view[STANDARDISED].x[side], before.count, rows, join->view[BY_AXES].x[side]));
    }
done:
    return status;
}

/* ---- one person against the records ---- */

typedef struct {
    const Join *join;
    int64_t person; /* record of the original */
    Score *score;   /* set */
} Attempt;

/* Sets: each view with all columns, then (but for axes) with each alone where there are several. */
static void compare_record(const Attempt *t, int64_t record, double weight) {
    int64_t set = 0;
    for (int v = 0; v < t->join->views; v++) {
        const Numbers *n = &t->join->view[v];
        double all = 0, part[JOIN_COLUMNS];
        if (v == BY_AXES && n->columns < 2) continue;
        for (int64_t j = 0; j < n->columns; j++) all += part[j] = against(n, j, n->x[0][j][t->person], n->x[1][j][record]);
        score_add(&t->score[set++], weight - all, false);
        for (int64_t j = 0; j < n->columns && v != BY_AXES && t->join->singly; j++) score_add(&t->score[set++], weight - part[j], false);
    }
}

static void compare_person(const Attempt *t) {
    const Join *join = t->join;
    const KeyGraph *g = join->graph;
    for (int64_t s = 0; s < join->sets; s++) t->score[s] = (Score){ -INFINITY, 0, 0, -INFINITY };
    if (!g) {
        for (int64_t r = 0; r < join->records; r++) compare_record(t, r, 0);
        return;
    }
    int64_t truth = g->truth_of[t->person];
    for (int64_t e = g->start[truth]; e < g->start[truth + 1]; e++)
        for (int64_t m = join->member_start[g->to[e]]; m < join->member_start[g->to[e] + 1]; m++)
            compare_record(t, join->member[m], join->weight[e]);
}

/* Owners are not known: of as many people as may be, the belief in the best guess by every set of columns. */
static Status try_people(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Join *join = self;
    Score score[JOIN_SETS];
    (void)error;
    double *right = join->right + block * join->sets, *squares = join->squares + block * join->sets,
           *worst = join->worst + block * join->sets;
    for (int64_t k = first; k < last; k++) {
        compare_person(&(Attempt){ join, k * join->step, score });
        for (int64_t s = 0; s < join->sets; s++) {
            double belief = score[s].best > -INFINITY ? 1 / score[s].sum : 0;
            right[s] += belief;
            squares[s] += belief * belief;
            worst[s] = fmax(worst[s], belief);
        }
    }
    return OK;
}

/* ---- without owners, where not everybody is in the release ---- */

/* Scores of one pair under every set of columns, in the order of compare_record. */
static void score_pair(const Join *join, int64_t person, int64_t record, double *score) {
    Score sets[JOIN_SETS];
    const KeyGraph *g = join->graph;
    const int64_t edge = g ? key_graph_edge(g, g->truth_of[person], g->release_of[record]) : -1;
    for (int64_t s = 0; s < join->sets; s++) sets[s] = (Score){ -INFINITY, 0, 0, -INFINITY };
    if (!g || edge >= 0) compare_record(&(Attempt){ join, person, sets }, record, g ? join->weight[edge] : 0);
    for (int64_t s = 0; s < join->sets; s++) score[s] = sets[s].best;
}

static Status total_records(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Join *join = self;
    double score[JOIN_SETS];
    (void)block, (void)error;
    for (int64_t r = first; r < last; r++)
        for (int64_t k = 0; k < join->tries; k++) {
            score_pair(join, k * join->step, r, score);
            for (int64_t s = 0; s < join->sets; s++) {
                Total *t = &join->total[s * join->records + r];
                if (score[s] == -INFINITY) continue; /* the keys do not fit */
                if (score[s] > t->best) {
                    t->sum *= t->best > -INFINITY ? exp(t->best - score[s]) : 0;
                    t->best = score[s];
                }
                if (score[s] > t->best - 40) t->sum += exp(score[s] - t->best);
            }
        }
    return OK;
}

/* Every released record is one of the known people's: the belief that it is this one's is its weight among everybody's, who are estimated
 * from those tried. */
static Status guess_people(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Join *join = self;
    double score[JOIN_SETS], least[JOIN_SETS], others = join->tries > 1 ? (double)(join->people - 1) / (double)(join->tries - 1) : 0;
    (void)error;
    double *right = join->right + block * join->sets, *squares = join->squares + block * join->sets,
           *worst = join->worst + block * join->sets;
    for (int64_t k = first; k < last; k++) {
        for (int64_t s = 0; s < join->sets; s++) least[s] = INFINITY;
        for (int64_t r = 0; r < join->records; r++) {
            score_pair(join, k * join->step, r, score);
            for (int64_t s = 0; s < join->sets; s++) { /* the others' weight in units of this person's */
                const Total *t = &join->total[s * join->records + r];
                if (score[s] == -INFINITY) continue;
                double rest = t->sum - exp(score[s] - t->best);
                if (!(rest > 1e-12 * t->sum)) rest = 1e-12 * t->sum;
                double beside = others * rest * exp(t->best - score[s]);
                if (beside < least[s]) least[s] = beside;
            }
        }
        for (int64_t s = 0; s < join->sets; s++) {
            double belief = 1 / (1 + least[s]);
            right[s] += belief;
            squares[s] += belief * belief;
            worst[s] = worst[s] > belief ? worst[s] : belief;
        }
    }
    return OK;
}

static Status run_sampled(Join *join) {
    Status status = OK;
    int64_t totals = join->sets * join->records;
    NEW(join->work, join->total, totals + 1);
    for (int64_t i = 0; i < totals; i++) join->total[i] = (Total){ -INFINITY, 0 };
    TRY(parallel_for(join->work, join->records, BLOCK, total_records, join));
    TRY(parallel_for(join->work, join->tries, BLOCK, guess_people, join));
done:
    arena_drop(join->work->arena, join->total);
    join->total = NULL;
    return status;
}

/* ---- the intruder ---- */

/* How many people can be tried, by the records that fit them. */
static void choose_tries(Join *join, int64_t columns) {
    const KeyGraph *g = join->graph;
    int64_t all = join->owner->known ? join->records : join->people;
    double pairs = g ? 0 : (double)all * (double)join->records;
    for (int64_t t = 0; g && t < g->truths; t++) {
        double fit = 0;
        for (int64_t e = g->start[t]; e < g->start[t + 1]; e++) fit += (double)g->release_size[g->to[e]];
        pairs += fit * (double)g->truth_size[t] * (double)all / (double)g->people;
    }
    double work = pairs * 4 * (double)columns;
    join->step = work > most_work ? (int64_t)(work / most_work) + 1 : 1;
    if (all / join->step < LEAST_TRIED) join->step = all / LEAST_TRIED > 1 ? all / LEAST_TRIED : 1;
    join->tries = (all + join->step - 1) / join->step;
}

static Status run_tries(Join *join) {
    Status status = OK;
    int64_t blocks = blocks_of(join->tries, BLOCK);
    arena_drop(join->work->arena, join->right);
    arena_drop(join->work->arena, join->squares);
    arena_drop(join->work->arena, join->worst);
    NEW(join->work, join->right, blocks * join->sets + 1);
    NEW(join->work, join->squares, blocks * join->sets + 1);
    NEW(join->work, join->worst, blocks * join->sets + 1);
    if (join->owner->known)
        TRY(parallel_for(join->work, join->tries, BLOCK, join->chosen < 0 ? join_guess_known : join_believe_known, join));
    else TRY(join->sampled ? run_sampled(join) : parallel_for(join->work, join->tries, BLOCK, try_people, join));
    for (int64_t b = 1; b < blocks; b++)
        for (int64_t s = 0; s < join->sets; s++) {
            join->right[s] += join->right[b * join->sets + s];
            join->squares[s] += join->squares[b * join->sets + s];
            join->worst[s] = fmax(join->worst[s], join->worst[b * join->sets + s]);
        }
done:
    return status;
}

/* Does the view of this set tell anything? In the order of compare_record. */
static bool set_tells(const Join *join, int64_t set) {
    int64_t at = 0;
    for (int v = 0; v < join->views; v++) {
        const int64_t columns = join->view[v].columns;
        if (v == BY_AXES && columns < 2) continue;
        at += 1 + (v != BY_AXES && join->singly ? columns : 0);
        if (set < at) return join->tells[v];
    }
    return false;
}

static Status keep_best(Join *join, Beliefs *out) {
    Status status = OK;
    bool any = false;
    for (int v = 0; v < join->views; v++) any |= join->tells[v];
    if (!any) {
        out->why_not = "released numbers are no nearer to the own person's than to others'";
        return OK;
    }
    TRY(run_tries(join));
    for (int64_t s = 0; s < join->sets; s++)
        if (set_tells(join, s) && (join->chosen < 0 || join->right[s] > join->right[join->chosen])) join->chosen = s;
    double n = (double)join->tries, all = (double)(join->owner->known ? join->records : join->people),
           mean = n > 0 ? join->right[join->chosen] / n : 0;
    *out = (Beliefs){ .ran = true, .total = mean * all, .worst = join->worst[join->chosen] };
    if (join->step > 1 && n > 1)
        out->error = all * sqrt(fmax(join->squares[join->chosen] / n - mean * mean, 0) / n * (1 - 1 / (double)join->step));
    if (!join->owner->known) goto done;
    NEW(join->work, join->own_right, join->records + 1);
    NEW(join->work, join->own_belief, join->records + 1);
    for (int64_t i = 0; i < join->records; i++) join->own_right[i] = join->own_belief[i] = NAN;
    TRY(run_tries(join));
    out->worst = join->worst[join->chosen];
    out->right = join->own_right;
    out->belief = join->own_belief;
done:
    return status;
}

static Status join_run(Join *join, Columns before, Columns after, Beliefs *out) {
    Status status = OK;
    double *weight = NULL;
    if (join->graph) {
        TRY(edge_weights(join->work, join->graph, &weight));
        for (int64_t e = 0; e < join->graph->start[join->graph->truths]; e++) weight[e] = log(weight[e]);
        join->weight = weight;
        TRY(groups_listed(join->work, join->graph->release_of, join->records, join->graph->releases, &join->member_start, &join->member));
    }
    TRY(make_views(join, before, after));
    join->sampled = !join->owner->known && join->people > join->records;
    TRY(join_scale(join, after));
    join->singly =
        before.count > 1 && join->views == VIEWS && !(join->sampled && (double)join->records * (double)before.count > MOST_TOTALS);
    join->sets = join->views == 1 ? 1 : before.count == 1 ? 3 : join->singly ? 3 * (before.count + 1) + 1 : 4;
    choose_tries(join, before.count);
    if (join->owner->known) TRY(join_order_records(join));
    TRY(keep_best(join, out));
done:
    arena_drop(join->work->arena, weight);
    return status;
}

/* Shuffled numbers tell nothing of their own person: without owners an intruder who knows the method leaves them out. */
static Status leave_out_shuffled(Work *work, Columns *before, Columns *after) {
    Status status = OK;
    Columns from = { 0 }, to = { 0 };
    NEW(work, from.at, before->count + 1);
    NEW(work, to.at, before->count + 1);
    for (int64_t j = 0; j < before->count; j++) {
        if (treatment_includes(after->at[j]->treatment, TREATED_SHUFFLED)) continue;
        from.at[from.count++] = before->at[j];
        to.at[to.count++] = after->at[j];
    }
    *before = from;
    *after = to;
done:
    return status;
}

Status believe_by_joining(Work *work, const KeyGraph *graph, Columns before, Columns after, const Ownership *owner, bool described,
                          Beliefs *out) {
    Join *join = NULL;
    Status status = arena_array(work->arena, 1, sizeof *join, &join, work->error);
    *out = (Beliefs){ 0 };
    if (status) return status;
    const int64_t columns = before.count;
    if (!owner->known && (status = leave_out_shuffled(work, &before, &after))) return status;
    if (columns && !before.count) {
        out->why_not = "the release's numbers were shuffled";
        return OK;
    }
    if (before.count > JOIN_COLUMNS) before.count = after.count = JOIN_COLUMNS;
    if (!before.count || !before.at[0]->rows || !after.at[0]->rows) {
        out->why_not = "the release has no numbers that the original has";
        return OK;
    }
    *join = (Join){ .work = work,
                    .graph = graph && !graph->sampled ? graph : NULL,
                    .owner = owner,
                    .described = described,
                    .views = VIEWS,
                    .people = before.at[0]->rows,
                    .records = after.at[0]->rows,
                    .chosen = -1 };
    return join_run(join, before, after, out);
}
