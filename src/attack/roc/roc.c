/* The ROC curve attack: what a published curve and part of the data behind it tell of the rest. Defined after Matthews & Harel 2013:
 * docs/methods/attack-roc.md. */
#include <string.h>
#include "attack/roc/roc.h"
#include "base/elementary.h"
#include "base/number_text.h"
#include "math/proportion.h"

static const Param params[] = {
    TABLE(RocArgs, roc, "The published curve: columns fpr and tpr (or specificity and sensitivity), and threshold if it was published",
          .flags = REQUIRED | POSITIONAL),
    TABLE(RocArgs, known, "Records behind the curve that the intruder has", .flags = REQUIRED),
    COLUMN(RocArgs, score, known, "Score of the diagnostic test", .flags = REQUIRED | NUMERIC),
    COLUMN(RocArgs, status, known, "True status: 0 or 1, or one of two words", .flags = REQUIRED),
    TEXT(RocArgs, positive, NULL, "Word that means status 1 (default: 1, or the later of two words)"),
    CHOICE(RocArgs, direction, "higher", "Direction of scores that indicates status 1", WORDS("higher", "lower")),
    INT(RocArgs, n, ABSENT, 2, 2000000000, "Number of records behind the curve (default: the smallest number that fits)"),
    INT(RocArgs, positives, ABSENT, 1, 2000000000, "Number of records with status 1 among them, if it was published"),
    INT(RocArgs, digits, ABSENT, 1, 15, "Decimals to which the points are rounded (default: as in the file, if exact rates do not fit)"),
    REAL(RocArgs, tolerance, NAN, 0, 0.5, "The points were digitised from a picture, with at most this error of each rate. Needs n",
         .flags = EXCLUSIVE),
    REAL(RocArgs, prevalence, NAN, 0, 1, "Prevalence: share of status 1 in the population, for comparison with the missing records",
         .flags = EXCLUSIVE),
    CHOICE(RocArgs, collinear, "auto", "Collinear points of the curve: kept, dropped, or any points may be left out (thinned)",
           WORDS("auto", "kept", "dropped", "thinned")),
    CHOICE(RocArgs, method, "exact", "exact: count every solution; otherwise a random search as in the paper", WORDS("exact", "mcmc")),
    CHOICE(RocArgs, curve, "empirical", "Published curve: every step, or a smooth curve (then by simulation, and n is needed)",
           WORDS("empirical", "binormal", "kernel")),
    INT(RocArgs, draws, 2000, 100, 1000000, "Simulated draws for a smooth curve"),
    INT(RocArgs, max_steps, 1000000, 1, 1000000000000, "Steps after which the random search ends"),
    ONLY_IF("max-steps", "method", "mcmc"),
    END,
};

static const Return values[] = {
    VALUE(n, INTEGER, "Records behind the curve", .flags = PUBLIC),
    VALUE(positives, INTEGER, "Records with status 1", .flags = PUBLIC),
    VALUE(negatives, INTEGER, "Records with status 0", .flags = PUBLIC),
    VALUE(missing, INTEGER, "Records that the intruder does not have", .flags = PUBLIC),
    TABLE_OUT(missing, "rank:integer status:integer probability:real lower:real upper:real",
              "One row for each missing record, in descending order of score"),
    VALUE(missing_positives, INTEGER, "Missing records with status 1, if every admissible number of positives agrees"),
    VALUE(missing_share, REAL, "Their share: the probability of status 1 for a missing record before any is placed"),
    VALUE(times_prevalence, REAL,
          "That share over --prevalence: how much more likely status 1 is for a missing record than in the population. 1 = safe"),
    VALUE(all_alike, INTEGER, "1 = all missing records have the same status (with any admissible number of positives), 0 = not",
          .flags = LESS),
    VALUE(solutions, INTEGER, "Solutions: number of ways in which the known records fit into the curve. Larger is safer"),
    VALUE(solutions_log10, REAL, "The same as a logarithm to base 10", .flags = PUBLIC),
    VALUE(statuses_certain, INTEGER, "Missing records whose status is the same in every solution: disclosed with certainty. 0 = safe",
          .flags = PUBLIC | LESS),
    VALUE(accuracy, REAL, "Expected share of missing statuses that are guessed correctly. Smaller is safer", .flags = PUBLIC),
    VALUE(baseline, REAL, "The same without the curve: the larger share of a status among the known records", .flags = PUBLIC),
    VALUE(gain, REAL, "accuracy − baseline. 0 = safe", .flags = PUBLIC),
    VALUE(lower, REAL, "Lower end of the 95% confidence interval of the gain; the known records are a sample", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of the 95% confidence interval of the gain", .flags = PUBLIC),
    VALUE(staircases, INTEGER, "Digitised points: curves that fit equally well", .flags = PUBLIC),
    VALUE(deviation, REAL, "Sum of absolute deviations between the published and the fitted curve", .flags = PUBLIC),
    VALUE(steps, INTEGER, "Steps of the random search", .flags = PUBLIC),
    VALUE(missing_positives_mean, REAL, "Smooth curve: expected number of missing records with status 1"),
    VALUE(missing_positives_lower, REAL, "Lower end of its central 95% interval"),
    VALUE(missing_positives_upper, REAL, "Upper end of its central 95% interval"),
    VALUE(acceptance, REAL, "Acceptance rate of the simulation", .flags = PUBLIC),
    END,
};

static void report_missing(Run *run, const RocAnswer *answer, bool lower_is_positive) {
    Grid *grid = grid_new(run->result, "missing", "rank:integer status:integer probability:real lower:real upper:real");
    for (int64_t r = 0; r < answer->missing; r++) {
        const RocMissing *m = &answer->at[r];
        double lower = lower_is_positive ? -m->upper : m->lower, upper = lower_is_positive ? -m->lower : m->upper;
        grid_integer(grid, r + 1);
        grid_integer(grid, m->positive >= 0.5);
        grid_real(grid, m->positive >= 0.5 ? m->positive : 1 - m->positive);
        grid_real(grid, isinf(lower) ? NAN : lower);
        grid_real(grid, isinf(upper) ? NAN : upper);
    }
    grid_done(grid);
}

static void report_probabilities(Run *run, const RocAnswer *answer) {
    if (!answer->missing) return;
    double *rank = NULL, *probability = NULL;
    if (arena_array(run->work.arena, answer->missing, sizeof *rank, &rank, run->work.error) ||
        arena_array(run->work.arena, answer->missing, sizeof *rank, &probability, run->work.error))
        return;
    for (int64_t r = 0; r < answer->missing; r++) {
        rank[r] = (double)r + 1;
        probability[r] = answer->at[r].positive;
    }
    Chart *chart = result_chart(run->result, CHART_SCATTER, "Probability of status 1 for each missing record, by rank",
                                "rank among the missing, highest score first", "probability of status 1");
    chart_series(chart, "missing", answer->missing, rank, probability, NULL, NULL);
}

/* What the curve adds: against guessing the commoner status of the known records, whose share is uncertain (Wilson 1927). */
static void report_gain(Run *run, const RocKnown *known, const RocAnswer *answer, bool loose) {
    double sum = 0, n = (double)known->records;
    if (!answer->missing || !known->records || loose) {
        const char *why = loose             ? "Other curves lie within the error, so a status that is certain on this curve may be wrong."
                          : answer->missing ? "There are no known records from which to guess without the curve."
                                            : "No record is missing.";
        static const char *const names[] = { "accuracy", "baseline", "gain", "lower", "upper" };
        for (int v = 0; v < 5; v++) result_null(run->result, names[v], "%s", why);
        return;
    }
    for (int64_t r = 0; r < answer->missing; r++) sum += fmax(answer->at[r].positive, 1 - answer->at[r].positive);
    double accuracy = sum / (double)answer->missing, share = (double)known->positives / n, baseline = fmax(share, 1 - share);
    Interval interval = wilson_interval(baseline * n, n);
    result_real(run->result, "accuracy", accuracy);
    result_real(run->result, "baseline", baseline);
    result_real(run->result, "gain", accuracy - baseline);
    result_real(run->result, "lower", accuracy - interval.high);
    result_real(run->result, "upper", accuracy - fmax(0.5, interval.low));
}

/* Who is in the study and not known to the intruder is one of the missing: that alone makes status 1 share / prevalence times as likely
 * (Matthews & Harel 2013). */
static void report_share(Run *run, int64_t least, int64_t most, int64_t missing, double prevalence) {
    double share = missing ? (double)least / (double)missing : NAN;
    char low[33], high[33];
    bool least_alike = least == 0 || least == missing, most_alike = most == 0 || most == missing;
    if (!missing) {
        result_null(run->result, "missing_share", "No record is missing.");
        return;
    }
    if (least == most) result_real(run->result, "missing_share", share);
    else
        result_null(run->result, "missing_share", "Between %s and %s.", real_short(share, 3, low),
                    real_short((double)most / (double)missing, 3, high));
    if (!isnan(prevalence) && least == most) result_real(run->result, "times_prevalence", share / prevalence);
    else if (!isnan(prevalence)) result_null(run->result, "times_prevalence", "The number of missing positives is not determined.");
    if (least == most || (!least_alike && !most_alike)) result_integer(run->result, "all_alike", least_alike);
    else result_null(run->result, "all_alike", "The number of missing positives is not determined.");
}

/* What every number of positives that fits agrees on. */
static void report_missing_positives(Run *run, const Admissible *all, const RocSteps *steps, const RocKnown *known, double prevalence) {
    static const char *const open[] = { "missing_positives", "missing_share", "all_alike" };
    int64_t missing = steps->positives + steps->negatives - known->records, least = all->least - known->positives,
            most = all->most - known->positives;
    if (!all->fitting) {
        for (int k = 0; k < 3; k++) result_null(run->result, open[k], "%s", all->why);
        if (!isnan(prevalence)) result_null(run->result, "times_prevalence", "%s", all->why);
        return;
    }
    if (least == most) result_integer(run->result, "missing_positives", least);
    else
        result_null(run->result, "missing_positives", "%lld numbers of positives fit the curve: between %lld and %lld of them are missing.",
                    (long long)all->fitting, (long long)least, (long long)most);
    report_share(run, least, most, missing, prevalence);
}

static void report_counts(Run *run, const RocSteps *steps, const RocKnown *known) {
    result_integer(run->result, "n", steps->positives + steps->negatives);
    result_integer(run->result, "positives", steps->positives);
    result_integer(run->result, "negatives", steps->negatives);
    result_integer(run->result, "missing", steps->positives + steps->negatives - known->records);
}

static void report_solutions(Run *run, const RocAnswer *answer, const char *why) {
    int64_t count;
    if (!answer->solutions)
        result_null(run->result, "solutions", "The exact count, of some %lld digits, would take too long; its logarithm is given.",
                    (long long)answer->solutions_log10 + 1);
    else if (read_integer(answer->solutions, answer->solutions + strlen(answer->solutions), &count))
        result_integer(run->result, "solutions", count);
    else result_text(run->result, "solutions", answer->solutions);
    result_real(run->result, "solutions_log10", answer->solutions_log10);
    if (why) result_null(run->result, "statuses_certain", "No status is reported as certain. %s", why);
    else result_integer(run->result, "statuses_certain", answer->certain);
}

static void note_grid(Run *run, const RocArgs *a, const RocGrid *grid, int64_t left_out) {
    char text[33];
    if (a->n == ABSENT)
        result_note(run->result,
                    "n was not given. %lld is the smallest number of records that gives these rates and contains the known records.",
                    (long long)(grid->positives + grid->negatives));
    if (grid->digits > 0 && a->digits == ABSENT)
        result_note(run->result, "The points are assumed to be rounded to %d decimals.", grid->digits);
    if (grid->others)
        result_note(run->result,
                    "%lld other numbers of positives also fit the curve and the known records. The one nearest to their prevalence was "
                    "used. --positives decides.",
                    (long long)grid->others);
    if ((grid->reading == UNIT_STEPS || grid->reading == SPLIT_TIES) && !grid->joined)
        result_note(run->result,
                    "Collinear points were dropped from the curve: its runs along an axis are read as single records%s. With --collinear "
                    "kept each point is one score.",
                    grid->reading == SPLIT_TIES ? ", and a diagonal as several equal ties if the known records need it" : "");
    if (grid->reading == THINNED)
        result_note(run->result, "Points were left out of the curve: every order of the records between two points is equally likely.");
    if (grid->staircases) {
        result_integer(run->result, "staircases", grid->staircases);
        result_real(run->result, "deviation", grid->deviation);
        result_note(run->result, "The points may be off by up to %s. This is the nearest curve, of %lld that fit equally well.",
                    real_short(grid->error, 6, text), (long long)grid->staircases);
    }
    if (grid->scores_known)
        result_note(run->result, a->n == ABSENT
                                     ? "The thresholds disclose the scores: lower = upper for each record that is missing at this n. With "
                                       "a larger n more are missing."
                                     : "The thresholds disclose the scores: every missing record's score is known (lower = upper).");
    if (left_out)
        result_note(run->result, "%lld known records without a score or status were left out and count as missing.", (long long)left_out);
}

static Status known_records(Run *run, const RocArgs *a, RocKnown *known) {
    Status status = OK;
    const double *score;
    double *turned;
    int8_t *statuses;
    TRY(column_reals(&run->work, a->score, &score));
    TRY(roc_statuses(&run->work, a->status, a->positive, &statuses));
    NEW(&run->work, turned, a->score->rows);
    for (int64_t i = 0; i < a->score->rows; i++) turned[i] = a->direction == LOWER ? -score[i] : score[i];
    TRY(roc_known(&run->work, turned, statuses, a->score->rows, known));
    if (a->n != ABSENT && known->records > a->n) {
        fail(run->work.error, BAD, "%lld records are known, more than the %lld behind the curve", (long long)known->records,
             (long long)a->n);
        error_parameter(run->work.error, "n");
        return error_advice(run->work.error, "--n counts all records behind the curve, known and missing");
    }
done:
    return status;
}

static Status need_n(Run *run, const RocArgs *a) {
    if (a->n != ABSENT) return OK;
    fail(run->work.error, BAD, "n does not follow from a smooth curve or from digitised points");
    error_parameter(run->work.error, "n");
    return error_advice(run->work.error, "give --n, the number of records behind the curve");
}

/* The steps behind the published points, by the way the points were come by. */
static Status find_steps(Run *run, const RocArgs *a, const Points *points, const RocKnown *known, RocGrid *grid, RocSteps *steps) {
    Status status = OK;
    RocArgs rounded = *a;
    if (!isnan(a->tolerance)) TRY(need_n(run, a));
    status = find_grid(&run->work, a, points, known, grid, steps);
    if (status != BAD || !grid->coarse || a->n == ABSENT) return status;
    rounded.tolerance = grid->error; /* too coarse to tell the grid's points apart: the nearest staircase instead */
    TRY(find_staircase(&run->work, &rounded, points, known, grid));
    TRY(make_steps(&run->work, points, known, grid, steps));
done:
    return status;
}

/* Solutions and probabilities are those of the likeliest reading of the points; what is called certain, and the bounds, hold under all that
 * fit. */
static Status attack_exact(Run *run, const RocArgs *a, const RocGrid *grid, const RocSteps *steps, const RocKnown *known,
                           const Admissible *all) {
    Status status = OK;
    RocAnswer answer;
    bool loose = grid->joined && 2 * grid->error * (double)(steps->positives > steps->negatives ? steps->positives : steps->negatives) >= 1;
    if (grid->reading == THINNED) TRY(roc_embed_bags(&run->work, steps, known, true, &answer));
    else TRY(roc_embed(&run->work, steps, known, true, &answer));
    claim_admissible(all, grid, &answer);
    report_solutions(run, &answer, all->why);
    report_gain(run, known, &answer, loose);
    report_missing(run, &answer, a->direction == LOWER);
    report_probabilities(run, &answer);
    result_note(run->result,
                "A solution places the known records in order on the steps of the curve. All solutions are equally likely, under the most "
                "likely reading of the points. A status is certain (probability 1) if it is the same in every order, tie and number of "
                "positives that the points admit%s. lower and upper bound a missing score over all of these, including the ends where it "
                "may be tied; they are empty where nothing bounds it.",
                a->collinear == COLLINEAR_KEPT ? ", if each point is one score (--collinear kept)"
                                               : ", also where points were left out of the curve");
done:
    return status;
}

static Status mcmc_needs_points(Run *run) {
    fail(run->work.error, BAD, "the random search needs every point of the curve, and points were left out of this one");
    error_parameter(run->work.error, "method");
    return error_advice(run->work.error, "use --method exact");
}

static Status roc_run(Run *run, const void *p) {
    Status status = OK;
    const RocArgs *a = p;
    Points points;
    RocKnown known;
    RocGrid grid;
    RocSteps steps;
    Admissible all;
    TRY(known_records(run, a, &known));
    TRY(read_points(&run->work, a->roc, a->direction == LOWER, isnan(a->tolerance) ? 0 : a->tolerance, &points));
    if (a->curve != EMPIRICAL) {
        TRY(need_n(run, a));
        return attack_smooth(run, a, &points, &known);
    }
    TRY(find_steps(run, a, &points, &known, &grid, &steps));
    report_counts(run, &steps, &known);
    TRY(find_admissible(&run->work, a, &points, &known, &grid, &steps, &all));
    report_missing_positives(run, &all, &steps, &known, a->prevalence);
    note_grid(run, a, &grid, a->score->rows - known.records);
    if (a->method == MCMC && grid.reading == THINNED) return mcmc_needs_points(run);
    if (a->method == MCMC) TRY(search_at_random(run, a, &steps, &known));
    else TRY(attack_exact(run, a, &grid, &steps, &known, &all));
done:
    return status;
}

const Method attack_roc = { .group = "attack",
                            .name = "roc",
                            .summary = "ROC reconstruction attack: recover records behind a published ROC curve from known records",
                            .source = "Matthews & Harel 2013",
                            .params = params,
                            .size = sizeof(RocArgs),
                            .traits = ATTRIBUTE | INFERENTIAL | RANDOM | UNAUDITED,
                            .run = roc_run,
                            .headline = "-statuses_certain",
                            .values = values,
                            .example =
                                "scrim attack roc examples/roc.csv --known examples/roc-known.csv --score score --status status --n 40" };
