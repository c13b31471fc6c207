/* What is certain of the missing records: what holds for every number of positives, every rounding and every way of thinning that the
 * published points admit. */
#include "attack/roc/roc.h"
#include "base/elementary.h"

enum { MOST_FITS = 64 };

double points_error(const RocArgs *a, const Points *points) {
    int guessed = a->digits == ABSENT ? points_decimals(points) : (int)a->digits;
    if (!isnan(a->tolerance)) return a->tolerance;
    return guessed > 0 ? 0.5 * pow(10, -guessed) * (1 + 1e-9) + ROC_FLOATING : ROC_FLOATING;
}

/* The whole numbers that may stand behind each rate of a class of this size. NONE: some rate has none; MANY: some rate has several, and any
 * may be the one. */
typedef enum { NONE, ONE, MANY } Snapped;
static Snapped snap_rates(const double *rate, int64_t count, int64_t size, double error, int64_t *out) {
    Snapped snapped = ONE;
    for (int64_t k = 0; k < count; k++) {
        double least = ceil((rate[k] - error) * (double)size - 1e-9), most = floor((rate[k] + error) * (double)size + 1e-9);
        if (k == 0) least = most = 0;
        if (k == count - 1) least = most = (double)size; /* a curve's ends are exact */
        if (least > most) return NONE;
        if (least < most) snapped = MANY;
        out[k] = (int64_t)least;
        if (k && snapped == ONE && rate[k] - rate[k - 1] > 2 * ROC_FLOATING && out[k] == out[k - 1]) return NONE;
    }
    return snapped;
}

/* The ways between the points as bags: thresholds bound their scores, ends included; a single record at a threshold that is a score has
 * that score. */
static Status make_bags(Work *work, const Points *points, const RocKnown *known, const RocGrid *grid, RocSteps *out) {
    Status status = OK;
    bool scores = points->threshold && thresholds_are_scores(points, known);
    *out = (RocSteps){ .positives = grid->positives, .negatives = grid->negatives };
    NEW(work, out->at, points->count);
    if (points->threshold) NEW(work, out->low, points->count);
    if (points->threshold) NEW(work, out->high, points->count);
    for (int64_t k = 1; k < points->count; k++) {
        int64_t positives = grid->tp[k] - grid->tp[k - 1], negatives = grid->fp[k] - grid->fp[k - 1];
        if (!positives && !negatives) continue;
        out->at[out->count] = (RocStep){ (int32_t)positives, (int32_t)negatives, 0 };
        if (points->threshold) {
            out->low[out->count] = points->threshold[k];
            out->high[out->count] = scores && positives + negatives == 1 ? points->threshold[k] : points->threshold[k - 1];
        }
        out->count++;
    }
done:
    return status;
}

/* Adds what may be where there are so many positives. `kept`: every point of the curve is there, so that each step is one score. */
static Status widen_by(Work *work, const RocArgs *a, const Points *points, const RocKnown *known, RocGrid *trial, RocMissing *at,
                       bool *possible) {
    Status status = OK;
    RocSteps steps;
    RocAnswer answer;
    int64_t after;
    if (a->collinear != COLLINEAR_KEPT) {
        TRY(make_bags(work, points, known, trial, &steps));
        return roc_widen(work, &steps, known, at, possible);
    }
    TRY(make_steps(work, points, known, trial, &steps));
    *possible = roc_misfit(&steps, known, &after) < 0;
    if (!*possible) return OK;
    TRY(roc_embed(work, &steps, known, false, &answer));
    for (int64_t r = 0; r < answer.missing; r++) {
        at[r].may_be_0 |= answer.at[r].may_be_0;
        at[r].may_be_1 |= answer.at[r].may_be_1;
        at[r].lower = fmin(at[r].lower, answer.at[r].lower);
        at[r].upper = fmax(at[r].upper, answer.at[r].upper);
    }
done:
    return status;
}

/* Every number of positives that fits; *why says what keeps the answer open, if anything does. */
static Status widen_all(Work *work, const RocArgs *a, const Points *points, const RocKnown *known, RocMissing *at, int64_t *fitting,
                        const char **why) {
    Status status = OK;
    int64_t held = known->records - known->positives, least = known->positives > 1 ? known->positives : 1,
            most = a->n - (held > 1 ? held : 1);
    double error = points_error(a, points);
    RocGrid trial = { .error = error, .digits = -1, .reading = AS_GIVEN, .staircases = 1 };
    if (a->positives != ABSENT) least = most = a->positives;
    NEW(work, trial.tp, points->count);
    NEW(work, trial.fp, points->count);
    for (int64_t p = least; p <= most && !*why; p++) {
        bool possible = false;
        Snapped x = snap_rates(points->tpr, points->count, p, error, trial.tp),
                y = x ? snap_rates(points->fpr, points->count, a->n - p, error, trial.fp) : NONE;
        if (p % 65536 == 0) TRY(work_check(work));
        if (!x || !y) continue;
        if (x == MANY || y == MANY) {
            *why = "The points are too coarse for so many records: a rate may stand for several counts.";
            break;
        }
        trial.positives = p;
        trial.negatives = a->n - p;
        TRY(widen_by(work, a, points, known, &trial, at, &possible));
        *fitting += possible;
        if (*fitting > MOST_FITS) *why = "Too many numbers of positives fit the curve.";
    }
done:
    return status;
}

/* Only single records between the points, and one number of positives: nothing is left open that the count did not consider. */
static bool is_plain(const RocArgs *a, const RocGrid *grid, const RocSteps *steps) {
    if (a->n == ABSENT || a->positives == ABSENT || steps->low || grid->joined) return false;
    for (int64_t j = 0; j < steps->count; j++)
        if (steps->at[j].positives + steps->at[j].negatives != 1 || steps->at[j].place) return false;
    return true;
}

Status roc_certain(Work *work, const RocArgs *a, const Points *points, const RocKnown *known, const RocGrid *grid, const RocSteps *steps,
                   RocAnswer *answer, const char **why) {
    Status status = OK;
    RocMissing *at;
    int64_t fitting = 0;
    *why = NULL;
    if (is_plain(a, grid, steps)) return OK;
    NEW(work, at, answer->missing);
    for (int64_t r = 0; r < answer->missing; r++) at[r] = (RocMissing){ .lower = INFINITY, .upper = -INFINITY };
    if (a->n == ABSENT)
        *why = "n was not given: the same curve may come from other numbers of records (every record twice, for one), and then other "
               "records are missing.";
    else TRY(widen_all(work, a, points, known, at, &fitting, why));
    if (!*why && !fitting) *why = "The known records fit the curve only with its points taken as nearly right.";
    double share = ((double)answer->positives + 0.5) / ((double)answer->missing + 1);
    answer->certain = 0;
    for (int64_t r = 0; r < answer->missing; r++) {
        RocMissing *m = &answer->at[r];
        bool certain = !*why && at[r].may_be_0 != at[r].may_be_1, was = m->may_be_0 != m->may_be_1;
        if (certain) m->positive = at[r].may_be_1;
        else if (was) m->positive = (m->positive + share) / 2; /* sure under the likeliest reading, not under all */
        if (!grid->chained) {
            m->lower = *why ? -INFINITY : at[r].lower;
            m->upper = *why ? INFINITY : at[r].upper;
        }
        m->may_be_0 = *why || at[r].may_be_0;
        m->may_be_1 = *why || at[r].may_be_1;
        answer->certain += certain;
    }
done:
    return status;
}
