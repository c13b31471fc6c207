/* Thinned ROC curves: bags of records between points, and what known records tell of the missing ones in them. */
#include <gsl/gsl_sf_gamma.h>
#include "base/elementary.h"
#include "math/roc/roc.h"

Status roc_thin(Work *work, const RocSteps *steps, int64_t cells, RocSteps *out) {
    Status status = OK;
    int64_t fp = 0, cell = 1;
    RocStep bag = { 0 };
    *out = (RocSteps){ .positives = steps->positives, .negatives = steps->negatives };
    NEW(work, out->at, cells + 1);
    for (int64_t j = 0; j < steps->count; j++) {
        if ((fp + steps->at[j].negatives) * cells > cell * steps->negatives && bag.positives + bag.negatives) {
            out->at[out->count++] = bag;
            bag = (RocStep){ 0 };
        }
        bag.positives += steps->at[j].positives;
        bag.negatives += steps->at[j].negatives;
        fp += steps->at[j].negatives;
        while (fp * cells > cell * steps->negatives) cell++;
    }
    out->at[out->count++] = bag;
done:
    return status;
}

/* State (j, i): the first i groups lie in the first j bags. Counts as logarithms. */
typedef struct {
    const RocSteps *bags;
    const RocKnown *known;
    int64_t *records, *held, *positive; /* records in the first j bags; records, and those of status 1, in the first i groups */
    double *forward, *backward;         /* (bags + 1) × (groups + 1) */
} Bags;

static double log_choose(int64_t n, int64_t k) {
    return gsl_sf_lngamma((double)n + 1) - gsl_sf_lngamma((double)k + 1) - gsl_sf_lngamma((double)(n - k) + 1);
}

/* Bag j holds groups from+1 … to: the places of the known in it, C(a+b, k), times the orders of the missing, C(a+b−k, a−p); −∞ where they
 * do not fit. */
static double weight(const Bags *b, int64_t j, int64_t from, int64_t to) {
    const RocStep *bag = &b->bags->at[j - 1];
    int64_t k = b->held[to] - b->held[from], p = b->positive[to] - b->positive[from], size = (int64_t)bag->positives + bag->negatives;
    if (p > bag->positives || k - p > bag->negatives) return -INFINITY;
    return log_choose(size, k) + log_choose(size - k, bag->positives - p);
}

static double log_add(double a, double b) {
    if (a < b) {
        double c = a;
        a = b;
        b = c;
    }
    return b == -INFINITY ? a : a + log1p(exp(b - a));
}

static Status forward_backward(Work *work, Bags *b) {
    Status status = OK;
    int64_t J = b->bags->count, K = b->known->count, row = K + 1;
    NEW(work, b->forward, (J + 1) * row);
    NEW(work, b->backward, (J + 1) * row);
    for (int64_t i = 0; i < (J + 1) * row; i++) b->forward[i] = b->backward[i] = -INFINITY;
    b->forward[0] = b->backward[J * row + K] = 0;
    for (int64_t j = 1; j <= J; j++) {
        for (int64_t from = 0; from <= K; from++) {
            if (b->forward[(j - 1) * row + from] == -INFINITY) continue;
            for (int64_t to = from; to <= K; to++) {
                double w = weight(b, j, from, to);
                if (w == -INFINITY) break; /* one group more cannot fit either */
                b->forward[j * row + to] = log_add(b->forward[j * row + to], b->forward[(j - 1) * row + from] + w);
            }
        }
        TRY(work_check(work));
    }
    for (int64_t j = J; j >= 1; j--) {
        for (int64_t from = 0; from <= K; from++)
            for (int64_t to = from; to <= K; to++) {
                double w = weight(b, j, from, to);
                if (w == -INFINITY) break;
                if (b->backward[j * row + to] > -INFINITY)
                    b->backward[(j - 1) * row + from] = log_add(b->backward[(j - 1) * row + from], b->backward[j * row + to] + w);
            }
        TRY(work_check(work));
    }
done:
    return status;
}

/* Groups from+1 … to stand in bag j in this share of the solutions: the rest of the bag are missing records, from their place among the
 * missing on. */
static void spread(const Bags *b, int64_t j, int64_t from, int64_t to, double share, RocAnswer *answer, double *weights) {
    const RocStep *bag = &b->bags->at[j - 1];
    int64_t size = (int64_t)bag->positives + bag->negatives - (b->held[to] - b->held[from]),
            positives = bag->positives - (b->positive[to] - b->positive[from]);
    double lower = to < b->known->count ? b->known->at[to].score : -INFINITY, upper = from ? b->known->at[from - 1].score : INFINITY;
    for (int64_t r = b->records[j - 1] - b->held[from], end = r + size; r < end; r++) {
        RocMissing *m = &answer->at[r];
        m->positive += share * (double)positives / (double)size;
        weights[r] += share;
        m->may_be_1 |= positives > 0;
        m->may_be_0 |= positives < size;
        m->lower = fmin(m->lower, lower);
        m->upper = fmax(m->upper, upper);
    }
}

static Status make(Work *work, const RocSteps *bags, const RocKnown *known, Bags *b) {
    Status status = OK;
    *b = (Bags){ .bags = bags, .known = known };
    NEW(work, b->records, bags->count + 1);
    NEW(work, b->held, known->count + 1);
    NEW(work, b->positive, known->count + 1);
    for (int64_t j = 0; j < bags->count; j++) b->records[j + 1] = b->records[j] + bags->at[j].positives + bags->at[j].negatives;
    for (int64_t i = 0; i < known->count; i++) {
        b->held[i + 1] = b->held[i] + known->at[i].positives + known->at[i].negatives;
        b->positive[i + 1] = b->positive[i] + known->at[i].positives;
    }
    TRY(forward_backward(work, b));
done:
    return status;
}

static Status answer_bags(Work *work, const Bags *b, RocAnswer *out) {
    Status status = OK;
    int64_t J = b->bags->count, K = b->known->count, row = K + 1;
    double total = b->forward[J * row + K], *weights;
    NEW(work, out->at, out->missing);
    NEW(work, weights, out->missing);
    if (total == -INFINITY) return fail(work->error, BAD, "the known records do not fit the thinned curve");
    for (int64_t r = 0; r < out->missing; r++) {
        out->at[r].lower = INFINITY;
        out->at[r].upper = -INFINITY;
    }
    for (int64_t j = 1; j <= J; j++)
        for (int64_t from = 0; from <= K; from++)
            for (int64_t to = from; b->forward[(j - 1) * row + from] > -INFINITY && to <= K; to++) {
                double w = weight(b, j, from, to);
                if (w == -INFINITY) break;
                if (b->backward[j * row + to] > -INFINITY)
                    spread(b, j, from, to, exp(b->forward[(j - 1) * row + from] + w + b->backward[j * row + to] - total), out, weights);
            }
    for (int64_t r = 0; r < out->missing; r++) {
        RocMissing *m = &out->at[r];
        bool certain = m->may_be_0 != m->may_be_1;
        m->positive = certain ? m->may_be_1 : m->positive / weights[r];
        out->certain += certain;
    }
    out->solutions_log10 = total / log(10);
done:
    return status;
}

Status roc_embed_bags(Work *work, const RocSteps *bags, const RocKnown *known, RocAnswer *out) {
    Status status = OK;
    Bags b;
    *out = (RocAnswer){ .missing = bags->positives + bags->negatives - known->records, .positives = bags->positives - known->positives };
    TRY(make(work, bags, known, &b));
    TRY(answer_bags(work, &b, out));
done:
    return status;
}
