/* Thinned ROC curves: bags of records between points, and what known records tell of the missing ones in them. */
#include <gmp.h>
#include "base/elementary.h"
#include "math/roc/bags.h"

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

/* State (j, i): the first i groups stand in the first j bags, least[j] ≤ i ≤ most[j]. Counts as logarithms. */
typedef struct {
    const RocReach *reach;
    int64_t factorials, *start, width;     /* start: of the states of the first j bags; width: the most states of one j */
    double *log_factorial, *forward;       /* log_factorial: of numbers below `factorials` */
    double *after, *before, *term, *share; /* backward counts of bag j and j − 1; of one state; by rank, what begins there less what ends */
    double transitions;
} Count;
enum { MOST_FACTORIALS = 1 << 20 };

/* Below 256 by addition, beyond by Stirling's series, of which the next term is below 1e-15. */
static double stirling(double n) { return (n + 0.5) * log(n) - n + 0.91893853320467274178 + 1 / (12 * n) - 1 / (360 * n * n * n); }

static Status count_factorials(Work *work, Count *c) {
    Status status = OK;
    const RocSteps *bags = c->reach->bags;
    int64_t most = 1;
    for (int64_t j = 0; j < bags->count; j++) {
        int64_t size = (int64_t)bags->at[j].positives + bags->at[j].negatives;
        if (size > most) most = size;
    }
    c->factorials = most < MOST_FACTORIALS ? most + 1 : MOST_FACTORIALS;
    NEW(work, c->log_factorial, c->factorials);
    for (int64_t n = 2; n < c->factorials; n++)
        c->log_factorial[n] = n < 256 ? c->log_factorial[n - 1] + log((double)n) : stirling((double)n);
done:
    return status;
}

static inline double log_choose(const Count *c, int64_t n, int64_t k) {
    if (n < c->factorials) return c->log_factorial[n] - c->log_factorial[k] - c->log_factorial[n - k];
    return stirling((double)n) - (k < c->factorials ? c->log_factorial[k] : stirling((double)k)) -
           (n - k < c->factorials ? c->log_factorial[n - k] : stirling((double)(n - k)));
}

/* Bag j holds groups from+1 … to, which fit: missing records in it, and those of status 1. */
static inline int64_t left_in(const RocReach *r, int64_t j, int64_t from, int64_t to, int64_t *positives) {
    const RocStep *bag = &r->bags->at[j - 1];
    *positives = bag->positives - (r->positive[to] - r->positive[from]);
    return (int64_t)bag->positives + bag->negatives - (r->held[to] - r->held[from]);
}

/* The places of t groups among m missing records, C(m+t, t), times the orders of the missing, C(m, their positives). A tie is one group. */
static inline double weight(const Count *c, int64_t j, int64_t from, int64_t to) {
    int64_t positives, missing = left_in(c->reach, j, from, to, &positives);
    return log_choose(c, missing + to - from, to - from) + log_choose(c, missing, positives);
}

static double log_sum(const double *term, int64_t count) {
    double most = -INFINITY, sum = 0;
    for (int64_t k = 0; k < count; k++) most = term[k] > most ? term[k] : most;
    if (most == -INFINITY) return most;
    for (int64_t k = 0; k < count; k++) sum += exp(term[k] - most);
    return most + log(sum);
}

static Status count_forward(Work *work, Count *c) {
    Status status = OK;
    const RocReach *r = c->reach;
    c->forward[0] = 0;
    for (int64_t j = 1; j <= r->bags->count; j++) {
        const double *before = c->forward + c->start[j - 1];
        for (int64_t to = r->least[j]; to <= r->most[j]; to++) {
            int64_t terms = 0, from = to < r->most[j - 1] ? to : r->most[j - 1];
            for (; from >= r->least[j - 1] && roc_bag_fits(r, j, from, to); from--)
                c->term[terms++] = before[from - r->least[j - 1]] + weight(c, j, from, to);
            c->forward[c->start[j] + to - r->least[j]] = log_sum(c->term, terms);
            c->transitions += (double)terms;
        }
        work_show(work, "counting solutions", (double)j / (double)(r->bags->count + 1));
        TRY(work_check(work));
    }
done:
    return status;
}

/* Backward, and for each way through a bag its share of all solutions: the missing records of the bag have status 1 in equal shares. */
static Status count_backward(Work *work, Count *c, double total) {
    Status status = OK;
    const RocReach *r = c->reach;
    c->after[0] = 0;
    for (int64_t j = r->bags->count; j >= 1; j--) {
        for (int64_t from = r->least[j - 1]; from <= r->most[j - 1]; from++) {
            int64_t terms = 0, positives;
            double forward = c->forward[c->start[j - 1] + from - r->least[j - 1]] - total;
            for (int64_t to = from > r->least[j] ? from : r->least[j]; to <= r->most[j] && roc_bag_fits(r, j, from, to); to++) {
                int64_t missing = left_in(r, j, from, to, &positives), rank = r->records[j - 1] - r->held[from];
                double term = weight(c, j, from, to) + c->after[to - r->least[j]];
                c->term[terms++] = term;
                if (!missing) continue;
                double share = exp(forward + term) * (double)positives / (double)missing;
                c->share[rank] += share;
                c->share[rank + missing] -= share;
            }
            c->before[from - r->least[j - 1]] = log_sum(c->term, terms);
        }
        double *spare = c->after;
        c->after = c->before;
        c->before = spare;
        TRY(work_check(work));
    }
done:
    return status;
}

/* Row j of exact counts from row j − 1. */
static void next_row(const RocReach *r, int64_t j, const mpz_t *before, mpz_t *now, mpz_t ways, mpz_t orders) {
    for (int64_t to = r->least[j]; to <= r->most[j]; to++) {
        mpz_t *sum = &now[to - r->least[j]];
        mpz_set_ui(*sum, 0);
        for (int64_t from = to < r->most[j - 1] ? to : r->most[j - 1]; from >= r->least[j - 1] && roc_bag_fits(r, j, from, to); from--) {
            int64_t positives, missing = left_in(r, j, from, to, &positives);
            mpz_bin_uiui(ways, (unsigned long)(missing + to - from), (unsigned long)(to - from));
            mpz_bin_uiui(orders, (unsigned long)missing, (unsigned long)positives);
            mpz_mul(ways, ways, orders);
            mpz_addmul(*sum, ways, before[from - r->least[j - 1]]);
        }
    }
}

/* The count itself, where it does not take too long. */
static Status count_exactly(Work *work, const Count *c, double total, RocAnswer *out) {
    enum { LONGEST = 200000000 };
    Status status = OK;
    const RocReach *r = c->reach;
    mpz_t *before = NULL, *now = NULL, ways, orders;
    char *text;
    int64_t made = 0;
    if (c->transitions * (total / log(2) / 64 + 8) > LONGEST) return OK;
    mpz_inits(ways, orders, NULL);
    NEW(work, before, c->width);
    NEW(work, now, c->width);
    for (; made < c->width; made++) mpz_inits(before[made], now[made], NULL);
    mpz_set_ui(before[0], 1);
    for (int64_t j = 1; j <= r->bags->count; j++) {
        next_row(r, j, (const mpz_t *)before, now, ways, orders);
        mpz_t *spare = before;
        before = now;
        now = spare;
        TRY(work_check(work));
    }
    NEW(work, text, mpz_sizeinbase(before[0], 10) + 2);
    out->solutions = mpz_get_str(text, 10, before[0]);
done:
    while (made-- > 0) mpz_clears(before[made], now[made], NULL);
    mpz_clears(ways, orders, NULL);
    return status;
}

static Status make_count(Work *work, const RocReach *reach, Count *c) {
    Status status = OK;
    int64_t states = 0, missing = reach->records[reach->bags->count] - reach->held[reach->known->count];
    *c = (Count){ .reach = reach };
    NEW(work, c->start, reach->bags->count + 2);
    for (int64_t j = 0; j <= reach->bags->count; j++) {
        int64_t width = reach->most[j] - reach->least[j] + 1;
        c->start[j] = states;
        states += width;
        if (width > c->width) c->width = width;
    }
    NEW(work, c->forward, states);
    NEW(work, c->after, c->width);
    NEW(work, c->before, c->width);
    NEW(work, c->term, c->width);
    NEW(work, c->share, missing + 1);
    TRY(count_factorials(work, c));
done:
    return status;
}

Status roc_embed_bags(Work *work, const RocSteps *bags, const RocKnown *known, bool exact, RocAnswer *out) {
    Status status = OK;
    RocReach reach;
    Count c;
    bool possible;
    double share = 0;
    *out = (RocAnswer){ .missing = bags->positives + bags->negatives - known->records, .positives = bags->positives - known->positives };
    TRY(roc_reach(work, bags, known, &reach));
    if (!roc_reach_whole(&reach)) return fail(work->error, BAD, "the known records do not fit the curve");
    NEW(work, out->at, out->missing);
    for (int64_t r = 0; r < out->missing; r++) out->at[r] = (RocMissing){ .lower = INFINITY, .upper = -INFINITY };
    TRY(make_count(work, &reach, &c));
    TRY(count_forward(work, &c));
    double total = c.forward[c.start[bags->count]];
    TRY(count_backward(work, &c, total));
    TRY(roc_widen(work, bags, known, out->at, &possible));
    for (int64_t r = 0; r < out->missing; r++) {
        RocMissing *m = &out->at[r];
        bool certain = m->may_be_0 != m->may_be_1;
        share += c.share[r];
        m->positive = certain ? m->may_be_1 : share < 0 ? 0 : share > 1 ? 1 : share;
        out->certain += certain;
    }
    out->solutions_log10 = total / log(10);
    if (exact) TRY(count_exactly(work, &c, total, out));
done:
    return status;
}
