/* Which numbers of positives and negatives a curve's points can come from: the rates are multiples of 1/P and of 1/N. */
#include <stdlib.h>
#include "attack/roc/roc.h"
#include "base/elementary.h"
#include "base/number_text.h"

enum { SHORTLIST = 64 };             /* numbers of positives (and of negatives) tried against the known records */
static const int64_t MOST = 4000000; /* the largest class looked for where n is not given */

/* The first rate that is no multiple of 1/size, or a smaller multiple than the rate before it, or (of rates without errors of their own) the
 * same multiple as a smaller rate; count where there is none. */
static int64_t off_grid(const double *rate, int64_t count, int64_t size, const RocGrid *grid) {
    double slack = grid->error * (double)size + 1e-9;
    bool read_off = grid->staircases > 0;
    for (int64_t k = 0; k < count; k++) {
        double x = rate[k] * (double)size, before = k ? rint(rate[k - 1] * (double)size) : 0;
        if (fabs(x - rint(x)) > slack || rint(x) < before) return k;
        if (!read_off && k && rate[k] - rate[k - 1] > 2 * ROC_FLOATING && rint(x) == before) return k;
    }
    return count;
}

int points_decimals(const Points *points) {
    double scale = 10;
    for (int digits = 1; digits <= 11; digits++, scale *= 10) { /* more say no less than exact rates do */
        int64_t k = 0;
        double slack = fmax(1e-6, 1e-15 * scale);
        while (k < points->count && fabs(points->fpr[k] * scale - rint(points->fpr[k] * scale)) < slack &&
               fabs(points->tpr[k] * scale - rint(points->tpr[k] * scale)) < slack)
            k++;
        if (k == points->count) return digits;
    }
    return -1;
}

typedef struct {
    int64_t positives, negatives;
    double distance;
} Candidate;
typedef struct {
    int64_t count, room;
    Candidate *at;
    int64_t best, best_positives; /* for the error: the furthest that any candidate came */
} Candidates;

static int by_distance(const void *x, const void *y) {
    const Candidate *a = x, *b = y;
    int64_t na = a->positives + a->negatives, nb = b->positives + b->negatives;
    return na != nb ? (na > nb) - (na < nb) : (a->distance > b->distance) - (a->distance < b->distance);
}

static Status add_candidate(Work *work, Candidates *list, const RocKnown *known, int64_t positives, int64_t negatives) {
    Status status = OK;
    GROW(work, list->at, list->room, list->count + 1);
    double prevalence = ((double)known->positives + 0.5) / ((double)known->records + 1),
           share = (double)positives / (double)(positives + negatives);
    list->at[list->count++] = (Candidate){ positives, negatives, fabs(share - prevalence) };
done:
    return status;
}

static Status candidates_for_n(Work *work, const RocArgs *a, const Points *points, const RocKnown *known, RocGrid *grid, Candidates *list) {
    Status status = OK;
    double error = grid->error;
    int64_t least = known->positives > 1 ? known->positives : 1, held = known->records - known->positives,
            most = a->n - (held > 1 ? held : 1);
    if (a->positives != ABSENT) least = most = a->positives;
    for (int64_t p = least; p <= most; p++) {
        int64_t x = off_grid(points->tpr, points->count, p, grid),
                y = x < points->count ? x : off_grid(points->fpr, points->count, a->n - p, grid);
        if (y > list->best) {
            list->best = y;
            list->best_positives = p;
        }
        bool coarse = error * (double)p >= 0.5 || error * (double)(a->n - p) >= 0.5; /* the nearest multiple need not be the right one */
        if (y == points->count && coarse) grid->coarse = true;
        if (y == points->count && !coarse) TRY(add_candidate(work, list, known, p, a->n - p));
        if (p % 65536 == 0) TRY(work_check(work));
    }
done:
    return status;
}

static int64_t class_sizes(const double *rate, int64_t count, int64_t least, const RocGrid *grid, int64_t *sizes) {
    int64_t found = 0;
    for (int64_t size = least > 1 ? least : 1; size <= MOST && found < SHORTLIST; size++)
        if (off_grid(rate, count, size, grid) == count) sizes[found++] = size;
    return found;
}

/* n unknown: the classes are independent; least n first. */
static Status candidates_for_any(Work *work, const RocArgs *a, const Points *points, const RocKnown *known, const RocGrid *grid,
                                 Candidates *list) {
    Status status = OK;
    int64_t p[SHORTLIST], q[SHORTLIST], ps = 1, qs;
    if (a->positives != ABSENT) {
        p[0] = a->positives;
        ps = off_grid(points->tpr, points->count, p[0], grid) == points->count;
    } else ps = class_sizes(points->tpr, points->count, known->positives, grid, p);
    qs = class_sizes(points->fpr, points->count, known->records - known->positives, grid, q);
    for (int64_t i = 0; i < ps; i++)
        for (int64_t j = 0; j < qs; j++) TRY(add_candidate(work, list, known, p[i], q[j]));
done:
    return status;
}

/* Any rate of d decimals is a multiple of 10^-d: that says nothing of the classes behind it. */
static bool only_as_decimals(const Candidates *list, int digits) {
    double trivial = pow(10, digits);
    for (int64_t c = 0; c < list->count; c++)
        if ((double)list->at[c].positives < trivial && (double)list->at[c].negatives < trivial) return false;
    return true;
}

static Status snap(Work *work, const Points *points, const Candidate *c, RocGrid *grid) {
    Status status = OK;
    grid->positives = c->positives;
    grid->negatives = c->negatives;
    if (!grid->tp) NEW(work, grid->tp, points->count);
    if (!grid->fp) NEW(work, grid->fp, points->count);
    for (int64_t k = 0; k < points->count; k++) {
        grid->tp[k] = (int64_t)rint(points->tpr[k] * (double)c->positives);
        grid->fp[k] = (int64_t)rint(points->fpr[k] * (double)c->negatives);
        grid->deviation += fabs(points->tpr[k] - (double)grid->tp[k] / (double)c->positives) +
                           fabs(points->fpr[k] - (double)grid->fp[k] / (double)c->negatives);
    }
done:
    return status;
}

/* Pairs of known records that would be tied, were each point one score: the known are taken as any of the records behind the curve. */
static double ties_expected(const Points *points, const RocGrid *grid, const RocKnown *known) {
    double k = (double)known->records, n = (double)(grid->positives + grid->negatives), pairs = 0;
    for (int64_t p = 1; p < points->count; p++) {
        double size = (double)(grid->tp[p] - grid->tp[p - 1] + grid->fp[p] - grid->fp[p - 1]);
        pairs += size * (size - 1) / 2;
    }
    return pairs * (k / n) * ((k - 1) / (n - 1));
}

/* Which readings to try, in order. Two single records side by side along an axis have a point between them that dropping would have
 * dropped; several records at once along an axis, no such point, no ties elsewhere: then runs of single records are likelier than ties.
 * Known records without ties where MANY_TIES pairs were to be expected: points were left out. */
static int readings(const RocArgs *a, const Points *points, const RocGrid *grid, const RocKnown *known, Reading *order) {
    enum { MANY_TIES = 3 }; /* none of them would happen once in twenty times */
    bool kept = false, along = false, multiple = false, diagonal = false, tied = false;
    int64_t before_p = 0, before_n = 0, seen = 0;
    for (int64_t k = 1; k < points->count; k++) {
        int64_t p = grid->tp[k] - grid->tp[k - 1], n = grid->fp[k] - grid->fp[k - 1];
        if (!p && !n) continue;
        if (++seen > 2) { /* scikit-learn keeps the highest score's point in any case */
            kept |= p == before_p && n == before_n && p + n == 1;
            along |= (!p && !before_p) || (!n && !before_n);
        }
        diagonal |= p && n;
        multiple |= p > 1 || n > 1;
        before_p = p;
        before_n = n;
    }
    for (int64_t i = 0; i < known->count; i++) tied |= known->at[i].positives + known->at[i].negatives > 1;
    if (a->collinear == COLLINEAR_KEPT) return order[0] = AS_GIVEN, 1;
    if (a->collinear == COLLINEAR_DROPPED) return order[0] = UNIT_STEPS, order[1] = SPLIT_TIES, 2;
    if (a->collinear == COLLINEAR_THINNED || (!tied && ties_expected(points, grid, known) > MANY_TIES)) return order[0] = THINNED, 1;
    if (kept || !multiple) return order[0] = AS_GIVEN, 1;
    bool dropped = !along && !diagonal && !tied;
    order[0] = dropped ? UNIT_STEPS : AS_GIVEN;
    order[1] = dropped ? AS_GIVEN : UNIT_STEPS;
    order[2] = SPLIT_TIES;
    return 3;
}

static Status misfit(Work *work, const RocArgs *a, const RocKnown *known, const RocSteps *steps, Reading reading) {
    Status status = OK;
    int64_t after = 0, group, positives = 0, negatives = 0;
    TRY(find_misfit(work, reading, steps, known, &group, &after));
    char x[33], y[33];
    for (int64_t j = 0; j < after; j++) {
        positives += steps->at[j].positives;
        negatives += steps->at[j].negatives;
    }
    real_short((double)negatives / (double)steps->negatives, 6, x);
    real_short((double)positives / (double)steps->positives, 6, y);
    fail(work->error, BAD,
         "the known records do not fit the curve: the %lld records above it in place, the record in row %lld (with %d of status 1 and %d "
         "of status 0 at its score) finds no %s after point (%s, %s)",
         (long long)group, (long long)known->at[group].row + 1, known->at[group].positives, known->at[group].negatives,
         reading == THINNED ? "room" : "step", x, y);
    error_parameter(work->error, "known");
    status =
        error_advice(work->error, a->collinear == COLLINEAR_KEPT || a->collinear == COLLINEAR_DROPPED
                                      ? "if points may have been left out of the curve, use --collinear thinned; otherwise check that "
                                        "these records are among those behind the curve, --positive and --direction"
                                      : "check that these records are among those behind the curve, which status is 1 (--positive), and "
                                        "whether high scores point to it (--direction)");
done:
    return status;
}

static Status no_grid(Work *work, const RocArgs *a, const Points *points, const Candidates *list, double error) {
    char x[33], y[33], e[33];
    if (a->n == ABSENT) {
        fail(work->error, BAD, "no numbers of positives and negatives give this curve's rates");
        return error_advice(work->error,
                            "give --n, and --digits D if the points are rounded, or --tolerance e if they were read off a picture");
    }
    if (!list->best_positives) {
        fail(work->error, BAD, "no curve of %lld records can hold the known ones and both statuses", (long long)a->n);
        error_parameter(work->error, "n");
        return error_advice(work->error, "--n counts all records behind the curve, known and missing");
    }
    int64_t k = list->best < points->count ? list->best : points->count - 1;
    real_text(points->fpr[k], x);
    real_text(points->tpr[k], y);
    real_short(error, 3, e);
    fail(work->error, BAD,
         "point %lld of the curve, (%s, %s), is impossible: for no number of positives are the rates of %lld records whole multiples of "
         "1/P and 1/N within %s (P = %lld comes closest)",
         (long long)points->row[k] + 1, x, y, (long long)a->n, e, (long long)list->best_positives);
    if (points->row[k] >= 0) error_row(work->error, points->row[k]);
    return error_advice(work->error,
                        "check --n; give --digits D if the points are rounded, or --tolerance e if they were read off a picture");
}

/* The first of these readings under which the known records fit; false where none. */
static Status fit_one(Work *work, const Points *points, const RocKnown *known, const Reading *order, int count, RocGrid *trial,
                      RocSteps *steps, bool *fits) {
    Status status = OK;
    int64_t group, after;
    *fits = false;
    for (int r = 0; r < count && !*fits; r++) {
        trial->reading = order[r];
        TRY(make_steps(work, points, known, trial, steps));
        TRY(find_misfit(work, order[r], steps, known, &group, &after));
        *fits = group < 0;
    }
done:
    return status;
}

/* The first candidate and reading into which the known records fit. `thinned`: points may have been left out anywhere, which is tried
 * where nothing else fits. */
static Status choose(Work *work, const RocArgs *a, const Points *points, const RocKnown *known, const Candidates *list, bool thinned,
                     RocGrid *grid, RocSteps *steps, bool *found) {
    Status status = OK;
    Reading order[3];
    int64_t tried = list->count < SHORTLIST ? list->count : SHORTLIST;
    RocGrid chosen = *grid;
    for (int64_t c = 0; c < tried; c++) {
        if (*found && list->at[c].positives + list->at[c].negatives != chosen.positives + chosen.negatives) break;
        RocGrid trial = { .error = grid->error, .digits = grid->digits, .staircases = grid->staircases, .coarse = grid->coarse };
        RocSteps made;
        bool fits;
        TRY(snap(work, points, &list->at[c], &trial));
        int count = thinned ? (order[0] = THINNED, 1) : readings(a, points, &trial, known, order);
        TRY(fit_one(work, points, known, order, count, &trial, &made, &fits));
        if (c == 0 && !*found) {
            *steps = made;
            chosen = trial;
        }
        if (!fits) continue;
        if (*found) chosen.others++;
        else {
            chosen = trial;
            *steps = made;
            *found = true;
        }
    }
    *grid = chosen;
done:
    return status;
}

/* With this error of the points. */
static Status find_with(Work *work, const RocArgs *a, const Points *points, const RocKnown *known, double error, int digits,
                        Candidates *list, RocGrid *grid, RocSteps *steps, bool *found) {
    Status status = OK;
    int guessed = points_decimals(points);
    bool read_off = !isnan(a->tolerance);
    *grid = (RocGrid){ .error = error, .digits = digits, .staircases = read_off };
    *list = (Candidates){ 0 };
    if (a->n != ABSENT) TRY(candidates_for_n(work, a, points, known, grid, list));
    else TRY(candidates_for_any(work, a, points, known, grid, list));
    if (digits < 0 && !read_off && a->n == ABSENT && guessed > 0 && only_as_decimals(list, guessed)) list->count = 0;
    if (list->count) qsort(list->at, (size_t)list->count, sizeof *list->at, by_distance);
    RocGrid begun = *grid;
    TRY(choose(work, a, points, known, list, false, grid, steps, found));
    if (*found || !list->count || a->collinear == COLLINEAR_KEPT || a->collinear == COLLINEAR_DROPPED) return OK;
    *grid = begun;
    TRY(choose(work, a, points, known, list, true, grid, steps, found));
done:
    return status;
}

Status find_grid(Work *work, const RocArgs *a, const Points *points, const RocKnown *known, RocGrid *grid, RocSteps *steps) {
    Status status = OK;
    Candidates list = { 0 };
    bool found = false;
    int guessed = a->digits == ABSENT ? points_decimals(points) : (int)a->digits;
    if (!isnan(a->tolerance)) TRY(find_with(work, a, points, known, a->tolerance, -1, &list, grid, steps, &found));
    else {
        if (a->digits == ABSENT) TRY(find_with(work, a, points, known, ROC_FLOATING, -1, &list, grid, steps, &found));
        if (!found && guessed > 0)
            TRY(find_with(work, a, points, known, 0.5 * pow(10, -guessed) * (1 + 1e-9) + ROC_FLOATING, guessed, &list, grid, steps,
                          &found));
    }
    if (!list.count) return no_grid(work, a, points, &list, grid->error);
    if (!found) return misfit(work, a, known, steps, grid->reading);
done:
    return status;
}
