/* Knowledge and its gain (Duncan & Lambert 1986): how uncertain an intruder is after the release, and how much less than before. */
#include "risk/belief.h"

typedef struct {
    const Table *data, *prior_data, *prior, *posterior;
    Columns keys;
    const Column *sensitive;
    unsigned uncertainty, measure;
    double threshold;
} args;
enum { KNOWLEDGE, GAIN, RELATIVE };
static const Param params[] = {
    TABLE(args, data,
          "The release: the prior is the distribution of the sensitive column in the whole table, the posterior that in a record's class",
          .flags = POSITIONAL),
    KEYS(args, data),
    COLUMN(args, sensitive, data, "Sensitive column that the intruder wants to learn"),
    TABLE(args, prior_data, "Public prior knowledge: an earlier release with the sensitive column and some or none of the keys"),
    TABLE(args, prior, "Prior beliefs of the intruder: columns value, probability and, if there are several records, record"),
    TABLE(args, posterior, "Posterior beliefs, in the same form"),
    CHOICE(args, uncertainty, "entropy", "Uncertainty function U", WORDS("entropy", "variance", "gini", "misclassification")),
    CHOICE(args, measure, "knowledge", "Measure to which --threshold applies", WORDS("knowledge", "gain", "relative")),
    REAL(args, threshold, NAN, -1e300, 1e300, "Count the records whose --measure is below this"),
    ONE_OF("data", "posterior"),
    ONLY_WITH("prior", "posterior"),
    ONLY_WITH("prior-data", "data"),
    END,
};
static const Return values[] = {
    VALUE(knowledge, REAL, "U(posterior) of the record at highest risk. Larger is safer", .flags = PUBLIC | MORE),
    VALUE(gain, REAL, "U(posterior) − U(prior) of that record. Negative = the intruder learned; larger is safer", .flags = PUBLIC | MORE),
    VALUE(relative_gain, REAL, "Gain divided by U(prior): −1 = the value is disclosed, 0 = nothing was learned", .flags = PUBLIC | MORE),
    VALUE(worst_relative_gain, REAL, "Smallest relative gain of any record. Larger is safer", .flags = PUBLIC | MORE),
    VALUE(below_threshold, INTEGER, "Records whose --measure is below --threshold. 0 = safe", .flags = PUBLIC | LESS),
    TABLE_OUT(records, "record:text prior:real knowledge:real gain:real relative_gain:real",
              "The same for each record, or each class of the keys"),
    END,
};

typedef struct Knowledge {
    double before, after;
} Knowledge;
static double relative(Knowledge k) { return k.before > 0 ? (k.after - k.before) / k.before : NAN; }

/* Before and after; `people` counts the records that share a belief, NULL: one each. */
typedef struct Beliefs {
    Distributions prior, posterior;
    int64_t *people;
    const Distribution *whole;
} Beliefs;

static Status stated(Run *run, const args *a, Beliefs *out) {
    Status status = OK;
    if (!a->prior) {
        fail(run->work.error, BAD, "a posterior needs the prior with which it is compared");
        return error_parameter(run->work.error, "prior");
    }
    TRY(distributions_read(run, a->prior, "prior", &out->prior));
    TRY(distributions_read(run, a->posterior, "posterior", &out->posterior));
done:
    return status;
}

/* The keys that the earlier table has as well. */
static Status keys_there(Run *run, const args *a, Columns *out) {
    Status status = OK;
    NEW(&run->work, out->at, a->keys.count + 1);
    for (int64_t k = 0; k < a->keys.count; k++) {
        const Column *there = table_column(a->prior_data, a->keys.at[k]->name);
        if (there) out->at[out->count++] = there;
    }
    if (out->count < a->keys.count) out->count = 0; /* a class is found again by all of its keys, or not at all */
done:
    return status;
}

static Status counted(Run *run, const args *a, Beliefs *out) {
    Status status = OK;
    Columns keys = { 0 };
    const Column *before = a->sensitive;
    Distributions *whole = NULL;
    if (!a->keys.count || !a->sensitive) {
        fail(run->work.error, BAD, "is needed with a table");
        return error_parameter(run->work.error, a->sensitive ? "keys" : "sensitive");
    }
    if (a->prior_data) {
        TRY(table_need(a->prior_data, a->sensitive->name, &before, run->work.error));
        TRY(keys_there(run, a, &keys));
    }
    NEW(&run->work, whole, 1);
    TRY(distributions_count(run, a->keys, a->sensitive, &out->posterior, &out->people));
    TRY(distributions_count(run, keys, before, &out->prior, NULL));
    TRY(distributions_count(run, (Columns){ 0 }, before, whole, NULL));
    out->whole = &whole->at[0];
    if (!out->whole->count) TRY(fail(run->work.error, BAD, "no value of the sensitive column is known"));
done:
    return status;
}

static Status know(Run *run, const args *a, const Beliefs *b, int64_t c, Knowledge *out) {
    const Distribution *before = distribution_find(&b->prior, b->posterior.record[c]), *after = &b->posterior.at[c];
    if (b->whole && (!before || !before->count)) before = b->whole;
    if (!before) {
        fail(run->work.error, BAD, "a record of the posterior has no prior");
        return error_parameter(run->work.error, "prior");
    }
    if (!after->count) after = before; /* nothing is released of it, nothing learned */
    *out = (Knowledge){ uncertainty_of(before, a->uncertainty), uncertainty_of(after, a->uncertainty) };
    if (!isnan(out->before) && !isnan(out->after)) return OK;
    fail(run->work.error, BAD, "the variance needs values that are numbers");
    return error_parameter(run->work.error, "uncertainty");
}

static double measured(const args *a, Knowledge k) {
    return a->measure == KNOWLEDGE ? k.after : a->measure == GAIN ? k.after - k.before : relative(k);
}

static void report(Run *run, const args *a, Knowledge worst, double least, int64_t below) {
    result_real(run->result, "knowledge", worst.after);
    result_real(run->result, "gain", worst.after - worst.before);
    if (worst.before > 0) result_real(run->result, "relative_gain", relative(worst));
    else result_null(run->result, "relative_gain", "The intruder was certain before the release.");
    if (isnan(least)) result_null(run->result, "worst_relative_gain", "The intruder was certain about everyone before the release.");
    else result_real(run->result, "worst_relative_gain", least);
    if (isnan(a->threshold)) result_null(run->result, "below_threshold", "No --threshold was given.");
    else result_integer(run->result, "below_threshold", below);
}

static Status knowledge_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Beliefs b = { 0 };
    Knowledge worst = { NAN, NAN };
    double least = NAN;
    int64_t below = 0;
    TRY(a->posterior ? stated(run, a, &b) : counted(run, a, &b));
    Grid *grid = grid_new(run->result, "records", "record:text prior:real knowledge:real gain:real relative_gain:real");
    for (int64_t c = 0; c < b.posterior.count; c++) {
        Knowledge k = { NAN, NAN };
        TRY(know(run, a, &b, c, &k));
        grid_text(grid, b.posterior.record[c]);
        grid_real(grid, k.before);
        grid_real(grid, k.after);
        grid_real(grid, k.after - k.before);
        grid_real(grid, relative(k));
        if (measured(a, k) < a->threshold) below += b.people ? b.people[c] : 1;
        if (!(k.after >= worst.after) || (k.after == worst.after && k.before > worst.before)) worst = k;
        if (!(relative(k) >= least)) least = relative(k);
    }
    grid_done(grid);
    report(run, a, worst, least, below);
    if (a->data) result_note(run->result, "Missing sensitive values are unknown to the intruder and belong to no distribution.");
done:
    return status;
}

const Method risk_knowledge = {
    .group = "risk",
    .name = "knowledge",
    .summary = "Knowledge gain: change of an intruder's uncertainty about a sensitive value (Duncan–Lambert)",
    .source = "Duncan & Lambert 1986; DeGroot 1962",
    .params = params,
    .size = sizeof(args),
    .traits = INFERENTIAL | UNAUDITED,
    .run = knowledge_run,
    .values = values,
    .example = "scrim risk knowledge --prior examples/belief-prior.csv --posterior examples/belief-posterior.csv",
};
