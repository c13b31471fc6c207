/* The paper's own search: missing records drawn at random, kept when the curve they make comes nearer to the published one. */
#include <stdlib.h>
#include "attack/roc/roc.h"
#include "base/elementary.h"
#include "base/number_text.h"

typedef struct {
    double score;
    int status;
} Guess;
typedef struct {
    const RocKnown *known;
    int64_t n, missing;
    const double *fpr, *tpr; /* the published curve after each record */
    Guess *best, *trial, *sorted;
    double deviation;
} Search;

static int descending(const void *x, const void *y) {
    const Guess *a = x, *b = y;
    return (a->score < b->score) - (a->score > b->score);
}

/* The records at the highest score left, of known (from group *i) and guessed (from *j). */
static void next_tie(const Search *s, int64_t *i, int64_t *j, int64_t *positives, int64_t *negatives) {
    double top = *i < s->known->count ? s->known->at[*i].score : -INFINITY;
    if (*j < s->missing && s->sorted[*j].score > top) top = s->sorted[*j].score;
    *positives = *negatives = 0;
    if (*i < s->known->count && s->known->at[*i].score == top) {
        *positives += s->known->at[*i].positives;
        *negatives += s->known->at[*i].negatives;
        ++*i;
    }
    for (; *j < s->missing && s->sorted[*j].score == top; ++*j) {
        *positives += s->sorted[*j].status;
        *negatives += !s->sorted[*j].status;
    }
}

/* SAD of the paper's step 3, the curves compared record by record; given up once it is no better than `enough`. */
static double deviation(const Search *s, const Guess *guess, double enough) {
    int64_t P = s->known->positives, tp = 0, fp = 0, i = 0, j = 0, positives, negatives;
    double sum = 0;
    for (int64_t k = 0; k < s->missing; k++) {
        s->sorted[k] = guess[k];
        P += guess[k].status;
    }
    int64_t N = s->n - P;
    if (!P || !N) return INFINITY;
    qsort(s->sorted, (size_t)s->missing, sizeof *s->sorted, descending);
    for (int64_t k = 0; k < s->n && sum < enough;) {
        next_tie(s, &i, &j, &positives, &negatives);
        tp += positives;
        fp += negatives;
        for (int64_t r = 0; r < positives + negatives; r++, k++)
            sum += fabs((double)tp / (double)P - s->tpr[k]) + fabs((double)fp / (double)N - s->fpr[k]);
    }
    return sum;
}

/* Step 1: values sampled from the known records. */
static void begin(Search *s, RandomReader *reader) {
    for (int64_t k = 0; k < s->missing; k++) {
        const RocGroup *group = &s->known->at[reader_below(reader, (uint64_t)s->known->count)];
        s->best[k] =
            (Guess){ group->score, reader_below(reader, (uint64_t)(group->positives + group->negatives)) < (uint64_t)group->positives };
    }
    s->deviation = deviation(s, s->best, INFINITY);
}

/* Step 4: every score moves by a standard normal, one status is drawn again. Step 5: kept if nearer. */
static void step(Search *s, RandomReader *reader) {
    for (int64_t k = 0; k < s->missing; k++) s->trial[k] = (Guess){ s->best[k].score + reader_normal(reader), s->best[k].status };
    s->trial[reader_below(reader, (uint64_t)s->missing)].status = (int)reader_below(reader, 2);
    double found = deviation(s, s->trial, s->deviation);
    if (found >= s->deviation) return;
    Guess *spare = s->best;
    s->best = s->trial;
    s->trial = spare;
    s->deviation = found;
}

static Status expand(Work *work, const RocSteps *steps, Search *s) {
    Status status = OK;
    double *fpr, *tpr;
    int64_t tp = 0, fp = 0, k = 0;
    NEW(work, fpr, s->n);
    NEW(work, tpr, s->n);
    for (int64_t j = 0; j < steps->count; j++) {
        tp += steps->at[j].positives;
        fp += steps->at[j].negatives;
        for (; k < tp + fp; k++) {
            tpr[k] = (double)tp / (double)steps->positives;
            fpr[k] = (double)fp / (double)steps->negatives;
        }
    }
    s->fpr = fpr;
    s->tpr = tpr;
done:
    return status;
}

static void report(Run *run, const Search *s, int64_t steps, bool lower_is_positive) {
    Grid *grid = grid_new(run->result, "missing", "rank:integer status:integer probability:real lower:real upper:real score:real");
    int64_t i = 0, n = s->known->count;
    qsort(s->best, (size_t)s->missing, sizeof *s->best, descending);
    for (int64_t k = 0; k < s->missing; k++) {
        while (i < n && s->known->at[i].score > s->best[k].score) i++;
        double upper = i ? s->known->at[i - 1].score : NAN, lower = i < n ? s->known->at[i].score : NAN;
        grid_integer(grid, k + 1);
        grid_integer(grid, s->best[k].status);
        grid_missing(grid);
        grid_real(grid, lower_is_positive ? -upper : lower);
        grid_real(grid, lower_is_positive ? -lower : upper);
        grid_real(grid, lower_is_positive ? -s->best[k].score : s->best[k].score);
    }
    grid_done(grid);
    result_integer(run->result, "steps", steps);
    result_real(run->result, "deviation", s->deviation);
}

Status search_at_random(Run *run, const RocArgs *a, const RocSteps *steps, const RocKnown *known) {
    Status status = OK;
    Search s = { .known = known, .n = steps->positives + steps->negatives };
    RandomStream stream = run_stream(run, a->score->name, "search");
    RandomReader reader = reader_make(&stream);
    int64_t taken = 0;
    s.missing = s.n - known->records;
    if (!known->count) return fail(run->work.error, BAD, "the random search starts from known records, and there are none");
    TRY(expand(&run->work, steps, &s));
    NEW(&run->work, s.best, s.missing);
    NEW(&run->work, s.trial, s.missing);
    NEW(&run->work, s.sorted, s.missing);
    begin(&s, &reader);
    for (; s.missing && s.deviation > 0 && taken < a->max_steps; taken++) {
        step(&s, &reader);
        if (taken % 4096) continue;
        work_show(&run->work, "searching at random", (double)taken / (double)a->max_steps);
        TRY(work_check(&run->work));
    }
    report(run, &s, taken, a->direction == LOWER);
    static const char *const names[] = { "accuracy", "baseline", "gain", "lower", "upper" };
    for (size_t v = 0; v < sizeof names / sizeof *names; v++)
        result_null(run->result, names[v], "One solution does not show how certain it is: use --method exact.");
    result_null(run->result, "solutions",
                "A random search finds at most one solution. It cannot show how many there are, or which statuses are certain.");
    if (s.deviation > 0)
        result_note(run->result, "The search ended after %lld steps without a solution. --method exact always returns a result.",
                    (long long)taken);
done:
    return status;
}
