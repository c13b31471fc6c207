/* Distances between the distributions of one variable in two tables. */
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/ranks.h"
#include "utility/compare/compare.h"

enum { FEW = 50, BINS = 20 };

/* Counts of the same categories in both tables; the last is missing. */
typedef struct {
    int64_t cells;
    double *count[2];
} Histogram;

/* A number's values in both tables. */
typedef struct {
    ValueCounts *ladder[2];
    bool own[2];
    int64_t present[2];
} Numbers;

/* The greatest difference so far of the shares seen[0]/n[0] and seen[1]/n[1]. Where whole numbers say that it is not this one, it is not
 * divided out: equal shares are the same double, and others count by their products, which are exact below 2^53. */
typedef struct {
    double n[2], worst;
    bool exact;
} Apart;
static inline __attribute__((always_inline)) void see(Apart *apart, const int64_t seen[2]) {
    double across = fabs((double)seen[0] * apart->n[1] - (double)seen[1] * apart->n[0]);
    if ((across == 0 && apart->exact) || across < (apart->worst - 1e-12) * apart->n[0] * apart->n[1]) return;
    double here = fabs((double)seen[0] / apart->n[0] - (double)seen[1] / apart->n[1]);
    if (here > apart->worst) apart->worst = here;
}

/* Do its keys differ where its numbers do? Whole numbers beyond 2^53 may be one double. */
static bool keys_are_numbers(const ValueCounts *ladder) {
    const int64_t last = ladder_count(ladder) - 1, most = INT64_C(1) << 53;
    return !ladder->whole || (ladder_whole(ladder, 0) >= -most && ladder_whole(ladder, last) <= most);
}

/* Kolmogorov–Smirnov: sup |F_o − F_r|. */
static double kolmogorov_smirnov(const Numbers *x) {
    int64_t at[2] = { 0 }, seen[2] = { 0 };
    const int64_t count[2] = { ladder_count(x->ladder[0]), ladder_count(x->ladder[1]) };
    Apart apart = { .n = { (double)x->present[0], (double)x->present[1] } };
    if (!x->present[0] || !x->present[1]) return NAN;
    apart.exact = apart.n[0] * apart.n[1] < 0x1p53;
    if (x->ladder[0]->whole == x->ladder[1]->whole && keys_are_numbers(x->ladder[0]) && keys_are_numbers(x->ladder[1])) {
        const ValueCount *a = ladder_rungs(x->ladder[0]), *b = ladder_rungs(x->ladder[1]);
        while (at[0] < count[0] && at[1] < count[1]) {
            uint64_t left = a[at[0]].key, right = b[at[1]].key;
            seen[0] += left <= right ? a[at[0]].times : 0;
            seen[1] += right <= left ? b[at[1]].times : 0;
            at[0] += left <= right;
            at[1] += right <= left;
            see(&apart, seen);
        }
        return apart.worst;
    }
    while (at[0] < count[0] && at[1] < count[1]) {
        double least = smaller_known(ladder_real(x->ladder[0], at[0]), ladder_real(x->ladder[1], at[1]));
        for (int t = 0; t < 2; t++)
            for (; at[t] < count[t] && ladder_real(x->ladder[t], at[t]) == least; at[t]++)
                seen[t] += ladder_rungs(x->ladder[t])[at[t]].times;
        see(&apart, seen);
    }
    return apart.worst;
}

/* Values by their rank, asked for in ascending order: it walks along the rungs. */
typedef struct {
    const ValueCounts *ladder;
    int64_t rung, before; /* records in the rungs before this one */
} Walk;
static double at_rank(void *self, int64_t rank) {
    Walk *walk = self;
    if (rank < walk->before) *walk = (Walk){ .ladder = walk->ladder };
    while (walk->before + ladder_rungs(walk->ladder)[walk->rung].times <= rank)
        walk->before += ladder_rungs(walk->ladder)[walk->rung++].times;
    return ladder_real(walk->ladder, walk->rung);
}

/* Mean and variance from exact sums. */
static void moments(const ValueCounts *ladder, int64_t present, double *mean, double *variance) {
    enum { TOGETHER = 256 };
    ExactSum one = { { 0 }, 0, 0 }, two = { { 0 }, 0, 0 };
    double x[TOGETHER];
    int64_t times[TOGETHER], count = ladder_count(ladder);
    for (int64_t first = 0; first < count; first += TOGETHER) {
        int64_t n = count - first < TOGETHER ? count - first : TOGETHER;
        for (int64_t i = 0; i < n; i++) {
            x[i] = ladder_real(ladder, first + i);
            times[i] = ladder_rungs(ladder)[first + i].times;
        }
        exact_sum_add_powers(&one, &two, x, times, n);
    }
    *mean = exact_mean(&one, present);
    *variance = exact_covariance(&two, &one, &one, present);
}

static Status histogram_new(Work *work, int64_t cells, Histogram *h) {
    Status status = OK;
    h->cells = cells;
    for (int t = 0; t < 2; t++) NEW(work, h->count[t], cells + 1);
done:
    return status;
}

/* The first `room` distinct numbers; room + 1 where there are more. */
static int64_t distinct_of(const ValueCounts *ladder, double *out, int64_t room) {
    int64_t distinct = 0;
    for (int64_t i = 0; i < ladder_count(ladder); i++) {
        double x = ladder_real(ladder, i);
        if (distinct && x == out[distinct - 1]) continue;
        if (distinct == room) return room + 1;
        out[distinct++] = x;
    }
    return distinct;
}

static int64_t without_doubles(double *sorted, int64_t count) {
    int64_t distinct = 0;
    for (int64_t i = 0; i < count; i++)
        if (!i || sorted[i] != sorted[i - 1]) sorted[distinct++] = sorted[i];
    return distinct;
}

/* Records whose number is below each limit and not below the one before it; then those that no limit is above, and what is missing. Values
 * ascend. */
static void count_bins(const ValueCounts *ladder, const double *limit, int64_t limits, double *out) {
    const int64_t count = ladder_count(ladder);
    int64_t i = 0;
    for (int64_t bin = 0; bin <= limits; bin++) {
        int64_t records = 0;
        for (; i < count && (bin == limits || ladder_real(ladder, i) < limit[bin]); i++) records += ladder_rungs(ladder)[i].times;
        out[bin] = (double)records;
    }
    out[limits + 1] = (double)ladder->missing;
}

/* Numbers: each value its own cell where both tables have few, else twenty bins with equally many originals. */
static Status histogram_of_numbers(Work *work, const Numbers *x, Histogram *h) {
    Status status = OK;
    double limit[2 * FEW + 2];
    Walk walk = { .ladder = x->ladder[0] };
    int64_t limits = distinct_of(x->ladder[0], limit, FEW), others = 0;
    if (limits <= FEW) others = distinct_of(x->ladder[1], limit + limits, FEW);
    if (limits > FEW || others > FEW) {
        limits = 0;
        for (int b = 1; b < BINS && x->present[0]; b++) {
            double cut = ranked_quantile(at_rank, &walk, x->present[0], (double)b / BINS);
            if (!limits || cut > limit[limits - 1]) limit[limits++] = cut;
        }
    } else {
        qsort(limit, (size_t)(limits + others), sizeof *limit, ascending_real);
        limits = without_doubles(limit, limits + others);
    }
    TRY(histogram_new(work, limits + 2, h));
    for (int t = 0; t < 2; t++) count_bins(x->ladder[t], limit, limits, h->count[t]);
done:
    return status;
}

typedef struct {
    const char *text;
    int table;
    int32_t code;
} Word;
static int by_word(const void *a, const void *b) { return strcmp(((const Word *)a)->text, ((const Word *)b)->text); }

/* Anything else: cells are the values as text. */
static Status histogram_of_words(Work *work, const Column *const column[2], const Values values[2], Histogram *h) {
    Status status = OK;
    Codes codes[2];
    Word *words = NULL;
    int64_t count = 0, cell = -1;
    char number[33];
    double *tally[2] = { 0 };
    for (int t = 0; t < 2; t++) TRY(column_codes(work, column[t], &codes[t]));
    NEW(work, words, codes[0].count + codes[1].count + 1);
    for (int t = 0; t < 2; t++) {
        NEW(work, tally[t], codes[t].count + 1);
        for (int64_t i = 0; i < column[t]->rows; i++)
            tally[t][codes[t].at[i] < 0 ? codes[t].count : codes[t].at[i]] += values[t].times ? (double)values[t].times[i] : 1;
        for (int32_t c = 0; c < codes[t].count; c++) {
            const char *text = column_cell(column[t], codes[t].first_row[c], number);
            words[count++] = (Word){ text == number ? arena_text(work->arena, text) : text, t, c };
            if (!words[count - 1].text) TRY(out_of_memory(work->error));
        }
    }
    qsort(words, (size_t)count, sizeof *words, by_word);
    TRY(histogram_new(work, count + 1, h));
    for (int64_t i = 0; i < count; i++) {
        if (!i || by_word(&words[i], &words[i - 1])) cell++;
        h->count[words[i].table][cell] += tally[words[i].table][words[i].code];
    }
    for (int t = 0; t < 2; t++) h->count[t][count] = tally[t][codes[t].count];
done:
    return status;
}

/* Hellinger √(½Σ(√p−√q)²), total variation ½Σ|p−q|, Shannon's entropy −Σp·ln p of each. */
static void distances(const Histogram *h, const int64_t rows[2], Pairing *p) {
    double squares = 0, absolute = 0;
    p->entropy[0] = p->entropy[1] = 0;
    if (!rows[0] || !rows[1]) {
        p->hellinger = p->total_variation = p->entropy[0] = p->entropy[1] = NAN;
        return;
    }
    for (int64_t i = 0; i < h->cells; i++) {
        double share[2];
        for (int t = 0; t < 2; t++) {
            share[t] = h->count[t][i] / (double)rows[t];
            if (share[t] > 0) p->entropy[t] -= share[t] * log(share[t]);
        }
        squares += pow(sqrt(share[0]) - sqrt(share[1]), 2);
        absolute += fabs(share[0] - share[1]);
    }
    p->hellinger = smaller_known(1, sqrt(squares / 2));
    p->total_variation = fmin(1, absolute / 2);
}

static Status compare_numbers(Work *work, const Comparison *c, Pairing *p, Histogram *h) {
    Status status = OK;
    Numbers x = { 0 };
    for (int t = 0; t < 2; t++) {
        TRY(values_counts(work, c, p, t, &x.ladder[t], &x.own[t]));
        x.present[t] = value_counts_present(x.ladder[t]);
        p->missing[t] = x.ladder[t]->missing;
        moments(x.ladder[t], x.present[t], &p->mean[t], &p->variance[t]);
        Walk walk = { .ladder = x.ladder[t] };
        for (int q = 0; q < QUANTILES; q++) p->quantile[t][q] = ranked_quantile(at_rank, &walk, x.present[t], quantile_at[q]);
        value_counts_rest(x.ladder[t]);
    }
    TRY(histogram_of_numbers(work, &x, h));
    p->ks = kolmogorov_smirnov(&x);
done:
    for (int t = 0; t < 2; t++) {
        if (x.ladder[t]) value_counts_rest(x.ladder[t]);
        if (x.own[t]) value_counts_free(x.ladder[t]);
    }
    return status;
}

static int64_t missing_in(const Values *values) {
    int64_t missing = 0;
    for (int64_t i = 0; values->times && i < values->column->rows; i++)
        if (column_missing(values->column, i)) missing += values->times[i];
    return values->times ? missing : values->column->missing;
}

static Status compare_words(Work *work, const Comparison *c, Pairing *p, const PartState *done, Histogram *h) {
    Status status = OK;
    Values values[2] = { { 0 } };
    Column *recoded = NULL;
    TRY(values_both(work, c, p, values));
    TRY(compare_coarsen(work, p, done, values, &recoded));
    for (int t = 0; t < 2; t++) p->missing[t] = missing_in(&values[t]);
    TRY(histogram_of_words(work, (const Column *[]){ recoded ? recoded : values[0].column, values[1].column }, values, h));
    p->ks = NAN;
done:
    column_release(recoded);
    for (int t = 0; t < 2; t++) values_drop(&values[t]);
    return status;
}

Status compare_distances(Work *work, const Comparison *c, Pairing *p, const PartState *done) {
    Status status = OK;
    Histogram h;
    Work scratch = *work;
    if (!(scratch.arena = arena_new())) return out_of_memory(work->error);
    TRY(p->number ? compare_numbers(&scratch, c, p, &h) : compare_words(&scratch, c, p, done, &h));
    distances(&h, c->rows, p);
done:
    arena_free(scratch.arena);
    return status;
}
