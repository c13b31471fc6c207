/* Knowledge and its gain (Duncan & Lambert 1986): how uncertain an intruder is after the release, and how much less than before. */
#include "risk/distribution.h"

typedef struct { const Table *prior, *posterior; unsigned uncertainty; double threshold; } args;
static const Param params[] = {
    TABLE(args, prior, "What the intruder believes before the release: columns value, probability and, where there are several, record", .flags = REQUIRED),
    TABLE(args, posterior, "What the intruder believes after it, in the same form", .flags = REQUIRED),
    CHOICE(args, uncertainty, "entropy", "The uncertainty function U", WORDS("entropy", "variance", "gini", "misclassification")),
    REAL(args, threshold, NAN, 0, 1e300, "Count the records whose knowledge is below this"),
    END
};
static const Return values[] = {
    VALUE(knowledge, REAL, "U(posterior) of the record that is known best: the smaller, the more is known"),
    VALUE(gain, REAL, "U(posterior) − U(prior) of that record: negative, the intruder learned"),
    VALUE(relative_gain, REAL, "The gain over U(prior)"),
    VALUE(below_threshold, INTEGER, "Records whose knowledge is below --threshold", .flags = PUBLIC),
    TABLE_OUT(records, "record:text prior:real knowledge:real gain:real relative_gain:real", "The same for each record"),
    END };

typedef struct Knowledge { double before, after; } Knowledge;
static double relative(Knowledge k) { return k.before > 0 ? (k.after - k.before) / k.before : NAN; }

static Status knowledge_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Distributions prior, posterior;
    Knowledge worst = { NAN, NAN };
    int64_t below = 0;
    TRY(distributions_read(run, a->prior, "prior", &prior));
    TRY(distributions_read(run, a->posterior, "posterior", &posterior));
    Grid *grid = grid_new(run->result, "records", "record:text prior:real knowledge:real gain:real relative_gain:real");
    for (int64_t c = 0; c < posterior.count; c++) {
        const Distribution *before = distribution_find(&prior, posterior.record[c]);
        if (!before) {
            fail(run->work.error, BAD, "a record of the posterior has no prior");
            TRY(error_parameter(run->work.error, "prior"));
        }
        Knowledge k = { uncertainty_of(before, a->uncertainty), uncertainty_of(&posterior.at[c], a->uncertainty) };
        if (isnan(k.before) || isnan(k.after)) {
            fail(run->work.error, BAD, "the variance needs values that are numbers");
            TRY(error_parameter(run->work.error, "uncertainty"));
        }
        grid_text(grid, posterior.record[c]);
        grid_real(grid, k.before);
        grid_real(grid, k.after);
        grid_real(grid, k.after - k.before);
        grid_real(grid, relative(k));
        below += k.after < a->threshold;
        if (!(k.after >= worst.after)) worst = k;
    }
    grid_done(grid);
    result_real(run->result, "knowledge", worst.after);
    result_real(run->result, "gain", worst.after - worst.before);
    if (worst.before > 0) result_real(run->result, "relative_gain", relative(worst));
    else result_null(run->result, "relative_gain", "The intruder was sure before.");
    if (isnan(a->threshold)) result_null(run->result, "below_threshold", "No --threshold was given.");
    else result_integer(run->result, "below_threshold", below);
done:
    return status;
}

const Method risk_knowledge = {
    .group = "risk", .name = "knowledge", .summary = "How much less uncertain the release makes an intruder", .source = "Duncan & Lambert 1986; DeGroot 1962", .params = params, .size = sizeof(args),
    .traits = INFERENTIAL | UNAUDITED, .run = knowledge_run, .values = values, .example = "scrim risk knowledge --prior examples/belief-prior.csv --posterior examples/belief-posterior.csv"
};
