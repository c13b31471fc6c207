/* A smooth curve instead of an empirical one: what remains to be learned, by simulation. */
#include "attack/roc/roc.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "math/roc/smooth.h"

static void report_ranks(Run *run, const RocPosterior *p, bool turned) {
    Grid *grid = grid_new(run->result, "missing", "rank:integer status:integer probability:real lower:real upper:real");
    for (int64_t r = 0; r < p->missing; r++) {
        grid_integer(grid, r + 1);
        grid_integer(grid, p->positive[r] >= 0.5);
        grid_real(grid, fmax(p->positive[r], 1 - p->positive[r]));
        grid_real(grid, turned ? -p->upper[r] : p->lower[r]);
        grid_real(grid, turned ? -p->lower[r] : p->upper[r]);
    }
    grid_done(grid);
}

static void report_chain(Run *run, const RocArgs *a, const RocPosterior *p, double precision) {
    char low[33], high[33], gain[33];
    result_real(run->result, "missing_positives_mean", p->mean);
    result_real(run->result, "missing_positives_lower", p->low);
    result_real(run->result, "missing_positives_upper", p->high);
    result_null(run->result, "solutions",
                "A smooth curve has no steps on which records could be placed. The results are simulated, not counted.");
    result_integer(run->result, "statuses_certain", 0);
    result_real(run->result, "accuracy", p->accuracy);
    result_real(run->result, "baseline", p->baseline);
    result_real(run->result, "gain", p->accuracy - p->baseline);
    result_null(run->result, "lower", "The gain on a smooth curve is simulated and has no interval.");
    result_null(run->result, "upper", "The gain on a smooth curve is simulated and has no interval.");
    result_real(run->result, "deviation", p->distance);
    result_real(run->result, "acceptance", p->acceptance);
    result_note(run->result,
                "Simulated (%lld draws): missing scores are drawn like the known ones of each status, weighted by the distance to the "
                "smoothed curve, precision %s. The curve leaves %s to %s positives among the missing (95%%), and adds %s to the share of "
                "statuses guessed correctly by rank.",
                (long long)a->draws, real_short(precision, 3, (char[33]){ 0 }), real_short(p->low, 4, low), real_short(p->high, 4, high),
                real_short(p->accuracy - p->baseline, 2, gain));
    result_note(
        run->result,
        "No status is certain: other records give the same smooth curve within its precision. lower and upper are central 95%% intervals.");
    if (p->distance > 3 * precision)
        result_note(run->result, "The simulated curves stay further from the published one than its precision. It was smoothed in another "
                                 "way, or the missing records differ from the known ones. Use the result with caution.");
}

Status attack_smooth(Run *run, const RocArgs *a, const Points *points, const RocKnown *known) {
    Status status = OK;
    RandomStream stream = run_stream(run, a->score->name, "smooth");
    RandomReader reader = reader_make(&stream);
    RocPosterior posterior;
    bool given = a->positives != ABSENT;
    double precision =
        larger(isnan(a->tolerance) ? 0.5 / (double)a->n : a->tolerance, a->digits != ABSENT ? 0.5 * pow(10, -(double)a->digits) : 0);
    if (given && (a->positives < known->positives || a->n - a->positives < known->records - known->positives)) {
        fail(run->work.error, BAD, "more records of a status are known than the curve has");
        return error_parameter(run->work.error, "positives");
    }
    RocPublished curve = { a->curve == BINORMAL ? ROC_BINORMAL : ROC_KERNEL, points->count, points->fpr, points->tpr, precision };
    TRY(roc_posterior(&run->work, &reader, &curve, known, a->n, given ? a->positives : -1, a->draws, &posterior));
    result_integer(run->result, "n", a->n);
    result_integer(run->result, "missing", posterior.missing);
    if (given) result_integer(run->result, "missing_positives", a->positives - known->positives);
    else result_null(run->result, "missing_positives", "A smooth curve does not determine the number of positives.");
    if (!posterior.missing) return OK;
    report_chain(run, a, &posterior, precision);
    report_ranks(run, &posterior, a->direction == LOWER);
done:
    return status;
}
