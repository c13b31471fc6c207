/* Missing records behind a smooth ROC curve, by simulation: a Metropolis chain over complete data, weighed by the distance of their curve.
 */
#include <stdlib.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/ranks.h"
#include "math/roc/smooth.h"

enum { POINTS = 48, BURN = 200, APART = 3, MOST_STEPS = 4000000 }; /* steps per missing record before, and between, draws */

typedef struct {
    double score;
    int status;
} Missing;
typedef struct {
    const RocPublished *curve;
    const RocKnown *known;
    RocSmooth smooth;
    double fpr[POINTS], tpr[POINTS];
    int64_t points, m;
    bool fixed; /* the number of positives is known */
    double prevalence, mean[2], spread[2];
    int64_t classes[2], *class_row[2]; /* kernel: the known groups of each status, one entry per record */
    Missing *at, *sorted;
    double distance, weight; /* weight: 1/(2 h²) */
    int64_t proposed, taken;
    RandomReader *reader;
} Chain;

static int descending(const void *x, const void *y) {
    const Missing *a = x, *b = y;
    return (a->score < b->score) - (a->score > b->score);
}

/* A score of this status as the known records have them. */
static double draw_score(Chain *c, int status) {
    if (c->curve->kind == ROC_BINORMAL) return c->mean[status] + c->spread[status] * reader_normal(c->reader);
    int64_t row = c->class_row[status][reader_below(c->reader, (uint64_t)c->classes[status])];
    return c->known->at[row].score + c->smooth.bandwidth[status] * reader_normal(c->reader);
}

static double distance(Chain *c) {
    double tpr[POINTS], sum = 0;
    roc_smooth_rates(&c->smooth, c->fpr, c->points, tpr);
    for (int64_t k = 0; k < c->points; k++) sum += (tpr[k] - c->tpr[k]) * (tpr[k] - c->tpr[k]);
    return sqrt(sum / (double)c->points);
}

static void replace(Chain *c, int64_t k, Missing to) {
    roc_smooth_add(&c->smooth, c->at[k].score, c->at[k].status, -1);
    roc_smooth_add(&c->smooth, to.score, to.status, 1);
    c->at[k] = to;
}

/* One record drawn again from the prior (with its status, or two with theirs exchanged where the number of positives is known). */
static void propose(Chain *c) {
    int64_t k = (int64_t)reader_below(c->reader, (uint64_t)c->m), l = (int64_t)reader_below(c->reader, (uint64_t)c->m);
    Missing old_k = c->at[k], old_l = c->at[l];
    bool two = c->fixed && old_k.status != old_l.status;
    int status = two ? old_l.status : c->fixed ? old_k.status : reader_uniform(c->reader) < c->prevalence;
    replace(c, k, (Missing){ draw_score(c, status), status });
    if (two) replace(c, l, (Missing){ draw_score(c, old_k.status), old_k.status });
    double found = distance(c);
    c->proposed++;
    if (log(reader_uniform(c->reader)) < c->weight * (c->distance * c->distance - found * found)) {
        c->distance = found;
        c->taken++;
        return;
    }
    if (two) replace(c, l, old_l);
    replace(c, k, old_k);
}

/* At most POINTS of the published points, evenly; the ends say nothing. */
static void choose_points(Chain *c) {
    int64_t inner = 0, next = 0;
    for (int64_t k = 0; k < c->curve->count; k++) inner += c->curve->fpr[k] > 0 && c->curve->fpr[k] < 1;
    for (int64_t k = 0, seen = 0; k < c->curve->count; k++) {
        if (!(c->curve->fpr[k] > 0 && c->curve->fpr[k] < 1)) continue;
        if (inner <= POINTS || seen * POINTS / inner >= next) {
            c->fpr[c->points] = c->curve->fpr[k];
            c->tpr[c->points++] = c->curve->tpr[k];
            next++;
        }
        seen++;
    }
}

static Status begin(Work *work, Chain *c, int64_t positives) {
    Status status = OK;
    RocSmooth s;
    TRY(roc_smooth_make(work, c->curve->kind, c->known, &c->smooth));
    roc_smooth_add_all(&c->smooth, c->known);
    s = c->smooth;
    for (int k = 0; k < 2; k++) {
        c->mean[k] = s.mean[k];
        c->spread[k] = sqrt(s.square[k] / (s.count[k] - 1));
        NEW(work, c->class_row[k], s.count[k]);
    }
    for (int64_t i = 0; i < c->known->count; i++) {
        for (int32_t k = 0; k < c->known->at[i].positives; k++) c->class_row[1][c->classes[1]++] = i;
        for (int32_t k = 0; k < c->known->at[i].negatives; k++) c->class_row[0][c->classes[0]++] = i;
    }
    c->prevalence = ((double)c->known->positives + 0.5) / ((double)c->known->records + 1);
    NEW(work, c->at, c->m);
    NEW(work, c->sorted, c->m);
    for (int64_t k = 0; k < c->m; k++) {
        int is = c->fixed ? k < positives : reader_uniform(c->reader) < c->prevalence;
        c->at[k] = (Missing){ draw_score(c, is), is };
        roc_smooth_add(&c->smooth, c->at[k].score, is, 1);
    }
    c->distance = distance(c);
done:
    return status;
}

/* What is kept of the draws. */
typedef struct {
    int64_t draws;
    double *positive, *scores, *counts;
    double *prior;
} Kept;

static void keep(Chain *c, Kept *kept, int64_t draw) {
    for (int64_t k = 0; k < c->m; k++) c->sorted[k] = c->at[k];
    qsort(c->sorted, (size_t)c->m, sizeof *c->sorted, descending);
    for (int64_t k = 0; k < c->m; k++) {
        kept->positive[k] += c->sorted[k].status;
        kept->scores[k * kept->draws + draw] = c->sorted[k].score;
        kept->counts[draw] += c->sorted[k].status;
    }
}

/* The same without the curve: draws from the prior alone. */
static void prior(Chain *c, Kept *kept, int64_t positives) {
    for (int64_t d = 0; d < kept->draws; d++) {
        for (int64_t k = 0; k < c->m; k++) {
            int is = c->fixed ? k < positives : reader_uniform(c->reader) < c->prevalence;
            c->sorted[k] = (Missing){ draw_score(c, is), is };
        }
        qsort(c->sorted, (size_t)c->m, sizeof *c->sorted, descending);
        for (int64_t k = 0; k < c->m; k++) kept->prior[k] += c->sorted[k].status;
    }
}

static int ascending(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static Status summarise(Work *work, const Kept *kept, RocPosterior *out) {
    Status status = OK;
    double draws = (double)kept->draws;
    NEW(work, out->positive, out->missing);
    NEW(work, out->lower, out->missing);
    NEW(work, out->upper, out->missing);
    for (int64_t k = 0; k < out->missing; k++) {
        double *scores = kept->scores + k * kept->draws, p = kept->positive[k] / draws, q = kept->prior[k] / draws;
        qsort(scores, (size_t)kept->draws, sizeof *scores, ascending);
        out->positive[k] = p;
        out->lower[k] = sorted_quantile(scores, kept->draws, 0.025);
        out->upper[k] = sorted_quantile(scores, kept->draws, 0.975);
        out->accuracy += fmax(p, 1 - p) / (double)out->missing;
        out->baseline += (q >= 0.5 ? p : 1 - p) / (double)out->missing;
        out->mean += p;
    }
    qsort(kept->counts, (size_t)kept->draws, sizeof *kept->counts, ascending);
    out->low = sorted_quantile(kept->counts, kept->draws, 0.025);
    out->high = sorted_quantile(kept->counts, kept->draws, 0.975);
done:
    return status;
}

/* Steps with the distance allowed falling from a tenth to the published precision, then draws at that. */
static Status walk(Work *work, Chain *c, Kept *kept, RocPosterior *out) {
    Status status = OK;
    int64_t burn = BURN * c->m < MOST_STEPS ? BURN * c->m : MOST_STEPS,
            apart = APART * c->m * kept->draws < MOST_STEPS ? APART * c->m : MOST_STEPS / kept->draws + 1;
    for (int64_t step = 0; step < burn; step++) {
        double h = larger(c->curve->precision, 0.1 * pow(c->curve->precision / 0.1, 1.25 * (double)step / (double)burn));
        c->weight = 0.5 / (h * h);
        propose(c);
        if (step % 1024 == 0) TRY(work_check(work));
    }
    c->proposed = c->taken = 0;
    for (int64_t draw = 0; draw < kept->draws; draw++) {
        for (int64_t step = 0; step < apart; step++) propose(c);
        keep(c, kept, draw);
        out->distance += c->distance / (double)kept->draws;
        work_show(work, "simulating", (double)draw / (double)kept->draws);
        TRY(work_check(work));
    }
    out->acceptance = (double)c->taken / (double)c->proposed;
done:
    return status;
}

Status roc_posterior(Work *work, RandomReader *reader, const RocPublished *curve, const RocKnown *known, int64_t n, int64_t positives,
                     int64_t draws, RocPosterior *out) {
    Status status = OK;
    Chain c = { .curve = curve, .known = known, .m = n - known->records, .fixed = positives >= 0, .reader = reader };
    Kept kept = { .draws = draws };
    *out = (RocPosterior){ .missing = c.m };
    if (!c.m) return OK;
    choose_points(&c);
    if (!c.points) return fail(work->error, BAD, "the smooth curve has no points between its ends");
    TRY(begin(work, &c, positives - known->positives));
    NEW(work, kept.positive, c.m);
    NEW(work, kept.prior, c.m);
    NEW(work, kept.counts, draws);
    NEW(work, kept.scores, c.m * draws);
    prior(&c, &kept, positives - known->positives);
    TRY(walk(work, &c, &kept, out));
    TRY(summarise(work, &kept, out));
done:
    return status;
}
