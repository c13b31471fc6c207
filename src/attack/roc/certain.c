/* What is certain of the missing records: what holds for every number of positives, every rounding and every way of thinning that the
 * published points admit. */
#include "attack/roc/roc.h"
#include "base/elementary.h"

enum { MOST_FITS = 4096, MOST_EMBEDDED = 64 }; /* numbers of positives tried; where each asks for a count */

double points_error(const RocArgs *a, const Points *points) {
    int guessed = a->digits == ABSENT ? points_decimals(points) : (int)a->digits;
    if (!isnan(a->tolerance)) return a->tolerance;
    return guessed > 0 ? 0.5 * pow(10, -guessed) * (1 + 1e-9) + ROC_FLOATING : ROC_FLOATING;
}

/* The whole numbers that may stand behind each rate of a class of this size. NONE: some rate has none; MANY: some rate has several, and any
 * may be the one. */
typedef enum { NONE, ONE, MANY } Snapped;
static Snapped snap_rates(const double *rate, int64_t count, int64_t size, double error, bool read_off, int64_t *out) {
    Snapped snapped = ONE;
    for (int64_t k = 0; k < count; k++) {
        double least = ceil((rate[k] - error) * (double)size - 1e-9), most = floor((rate[k] + error) * (double)size + 1e-9);
        if (k == 0) least = most = 0;
        if (k == count - 1) least = most = (double)size; /* a curve's ends are exact */
        if (least > most) return NONE;
        if (least < most) snapped = MANY;
        out[k] = (int64_t)least;
        if (!k || snapped != ONE) continue;
        if (out[k] < out[k - 1]) return NONE;
        if (!read_off && rate[k] - rate[k - 1] > 2 * ROC_FLOATING && out[k] == out[k - 1])
            return NONE; /* rounding makes equal rates equal */
    }
    return snapped;
}

/* Adds what may be where there are so many positives. `kept`: every point of the curve is there, so that each step is one score. */
static Status widen_by(Work *work, const RocArgs *a, const Points *points, const RocKnown *known, RocGrid *trial, RocMissing *at,
                       bool *possible) {
    Status status = OK;
    RocSteps steps;
    RocAnswer answer;
    int64_t after;
    if (a->collinear != COLLINEAR_KEPT) {
        TRY(make_bags(work, points, known, trial, false, &steps));
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

/* Every number of positives that fits. */
static Status admit_all(Work *work, const RocArgs *a, const Points *points, const RocKnown *known, Admissible *out) {
    Status status = OK;
    int64_t held = known->records - known->positives, least = known->positives > 1 ? known->positives : 1,
            most = a->n - (held > 1 ? held : 1), limit = a->collinear == COLLINEAR_KEPT ? MOST_EMBEDDED : MOST_FITS;
    double error = points_error(a, points);
    bool read_off = !isnan(a->tolerance);
    RocGrid trial = { .error = error, .digits = -1, .reading = AS_GIVEN };
    if (a->positives != ABSENT) least = most = a->positives;
    NEW(work, trial.tp, points->count);
    NEW(work, trial.fp, points->count);
    for (int64_t p = least; p <= most && !out->why; p++) {
        bool possible = false;
        Snapped x = snap_rates(points->tpr, points->count, p, error, read_off, trial.tp),
                y = x ? snap_rates(points->fpr, points->count, a->n - p, error, read_off, trial.fp) : NONE;
        if (p % 65536 == 0) TRY(work_check(work));
        if (!x || !y) continue;
        if (x == MANY || y == MANY) {
            out->why = "The points are too coarse for so many records: one rate may belong to several counts.";
            break;
        }
        trial.positives = p;
        trial.negatives = a->n - p;
        TRY(widen_by(work, a, points, known, &trial, out->at, &possible));
        TRY(work_check(work));
        if (!possible) continue;
        if (!out->fitting++) out->least = p;
        out->most = p;
        if (out->fitting > limit) out->why = "Too many numbers of positives fit the curve.";
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

Status find_admissible(Work *work, const RocArgs *a, const Points *points, const RocKnown *known, const RocGrid *grid,
                       const RocSteps *steps, Admissible *out) {
    Status status = OK;
    int64_t missing = steps->positives + steps->negatives - known->records;
    *out = (Admissible){ .plain = is_plain(a, grid, steps), .fitting = 1, .least = a->positives, .most = a->positives };
    if (out->plain) return OK;
    out->fitting = 0;
    NEW(work, out->at, missing);
    for (int64_t r = 0; r < missing; r++) out->at[r] = (RocMissing){ .lower = INFINITY, .upper = -INFINITY };
    if (a->n == ABSENT)
        out->why = "n was not given. The same curve may come from other numbers of records (for example, every record twice), and then "
                   "other records are missing.";
    else TRY(admit_all(work, a, points, known, out));
    if (!out->why && !out->fitting) out->why = "The known records fit the curve only if its points are approximate.";
    if (out->why) out->fitting = 0;
    if (a->n != ABSENT && a->positives != ABSENT) {
        out->fitting = 1;
        out->least = out->most = a->positives;
    }
done:
    return status;
}

void claim_admissible(const Admissible *all, const RocGrid *grid, RocAnswer *answer) {
    if (all->plain) return;
    double share = ((double)answer->positives + 0.5) / ((double)answer->missing + 1);
    answer->certain = 0;
    for (int64_t r = 0; r < answer->missing; r++) {
        RocMissing *m = &answer->at[r];
        const RocMissing *at = &all->at[r];
        bool certain = !all->why && at->may_be_0 != at->may_be_1, was = m->may_be_0 != m->may_be_1;
        if (certain) m->positive = at->may_be_1;
        else if (was) m->positive = (m->positive + share) / 2; /* sure under the likeliest reading, not under all */
        if (!grid->chained) {
            m->lower = all->why ? -INFINITY : at->lower;
            m->upper = all->why ? INFINITY : at->upper;
        }
        m->may_be_0 = all->why || at->may_be_0;
        m->may_be_1 = all->why || at->may_be_1;
        answer->certain += certain;
    }
}
