/* Membership: can it be told from a (synthetic) release whether a person was in the data it was made from?. Defined after Shokri et al.
 * 2017; DeLong et al. 1988: docs/methods/attack-membership.md. */
#include "attack/near_release.h"
#include "base/elementary.h"
#include "math/mann_whitney.h"
#include "math/ranks.h"

typedef struct {
    const Table *released, *original, *holdout;
    Texts vars;
} args;
static const Param params[] = {
    TABLE(args, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, holdout, "Holdout: records of the same population that are not in the original", .flags = REQUIRED | POSITIONAL),
    TEXTS(args, vars, "Columns that the intruder knows (default: all common columns)"),
    END,
};
static const Return values[] = {
    VALUE(auc, REAL, "Probability that a member is nearer to the release than a non-member. 0.5 = safe, 1 = membership is disclosed",
          .flags = PUBLIC),
    VALUE(baseline, REAL, "0.5: chance", .flags = PUBLIC),
    VALUE(gain, REAL, "auc − baseline. 0 = safe", .flags = PUBLIC),
    VALUE(lower, REAL, "Lower end of the 95% confidence interval of the gain", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of the 95% confidence interval of the gain", .flags = PUBLIC),
    VALUE(advantage, REAL, "Largest difference between the shares of members and non-members within any distance. 0 = safe",
          .flags = PUBLIC),
    END,
};

/* The distance of each record of a table to the nearest of the release. */
static Status distances(Run *run, const NearRelease *near, const Table *table, double *out) {
    for (int64_t i = 0; i < table->rows; i++) out[i] = NAN;
    return near_release_find(run, near, table, (Nearest){ .measure = out });
}

/* Distances that are equal in exact arithmetic are made so, each run of them to its least. */
static Status tie_equal(Run *run, double *all, int64_t total) {
    Status status = OK;
    int64_t *order = NULL, count;
    NEW(&run->work, order, total + 1);
    TRY(order_reals(&run->work, all, total, order, &count));
    for (int64_t i = 1; i < count; i++)
        if (all[order[i]] <= measure_as_near(all[order[i - 1]])) all[order[i]] = all[order[i - 1]];
done:
    return status;
}

static double known(const double *x, int64_t count) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += !isnan(x[i]);
    return sum;
}

/* The largest vertical distance between the two distribution functions (Kolmogorov & Smirnov). */
static Status advantage(Run *run, const double *all, int64_t members, int64_t others, double *out) {
    Status status = OK;
    int64_t *order = NULL, count, seen[2] = { 0 }, total[2] = { 0 };
    NEW(&run->work, order, members + others + 1);
    TRY(order_reals(&run->work, all, members + others, order, &count));
    for (int64_t i = 0; i < count; i++) total[order[i] >= members]++;
    *out = 0;
    for (int64_t i = 0; i < count; i++) {
        seen[order[i] >= members]++;
        if (i + 1 < count && all[order[i + 1]] == all[order[i]]) continue;
        if (total[0] && total[1]) *out = fmax(*out, (double)seen[0] / (double)total[0] - (double)seen[1] / (double)total[1]);
    }
done:
    return status;
}

static Status membership_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    NearRelease near;
    int64_t members = a->original->rows, others = a->holdout->rows;
    double *all = NULL, area, variance, best;
    TRY(near_release_make(run, a->released, a->original, a->holdout, a->vars, NULL, &near));
    NEW(&run->work, all, members + others + 1);
    TRY(distances(run, &near, a->original, all));
    TRY(distances(run, &near, a->holdout, all + members));
    TRY(tie_equal(run, all, members + others));
    TRY(mann_whitney(&run->work, all, members, others, &area, &variance));
    TRY(advantage(run, all, members, others, &best));
    if (isnan(area)) result_null(run->result, "auc", "A table has no record to compare.");
    else result_real(run->result, "auc", area);
    double low, high;
    mann_whitney_interval(area, variance, known(all, members), known(all + members, others), &low, &high);
    result_real(run->result, "baseline", 0.5);
    result_real(run->result, "gain", area - 0.5);
    result_real(run->result, "lower", low - 0.5);
    result_real(run->result, "upper", high - 0.5);
    result_real(run->result, "advantage", best);
    result_note(run->result,
                "The intruder classifies records near a released record as members, by Gower's distance on %lld columns. %lld members and "
                "%lld non-members were compared. A missing value is compared as a value.",
                (long long)near.count, (long long)members, (long long)others);
done:
    return status;
}

const Method attack_membership = {
    .group = "attack",
    .name = "membership",
    .summary = "Membership inference attack: identify records that were in the original file",
    .source = "Shokri et al. 2017; DeLong et al. 1988",
    .params = params,
    .size = sizeof(args),
    .traits = IDENTITY | CODES_AS_CATEGORIES,
    .run = membership_run,
    .values = values,
    .example =
        "scrim attack membership examples/clinic-released.csv examples/clinic.csv examples/clinic-holdout.csv --vars sex,age,region,visits",
};
