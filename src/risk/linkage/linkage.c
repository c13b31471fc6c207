/* Record linkage (Spruill 1982): the share of released records that do not lead back to their source. */
#include "risk/linkage/linkage.h"
#include "math/proportion.h"
#include "math/kim_transform.h"

typedef struct {
    const Table *original, *released;
    Columns vars;
    unsigned method, distance;
    int64_t bins;
    double scale;
} args;
enum { NEAREST, RANK, PROBABILISTIC };
static const Param params[] = {
    TABLE(args, original, "The original file, as the intruder may have it", .flags = REQUIRED | POSITIONAL),
    TABLE(args, released, "The protected file, in the same record order", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, BOTH, "Columns to link by (default: all common columns)", .role = "numeric"),
    CHOICE(args, method, "nearest", "Linkage method", WORDS("nearest", "rank", "probabilistic")),
    CHOICE(args, distance, "squared", "nearest, rank: distance between records", WORDS("squared", "absolute", "gower")),
    INT(args, bins, 20, 2, 100000,
        "probabilistic: numbers with more values than this agree if they fall into the same of this many intervals"),
    ONLY_IF("bins", "method", "probabilistic"),
    UNSCALE(args),
    END,
};
static const Return values[] = {
    VALUE(confidentiality, REAL, "Share of released records that are not linked with their source, 0 to 1, ties shared. Larger is safer",
          .flags = PUBLIC | MORE),
    VALUE(lower, REAL, "Lower end of its 95% confidence interval", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of its 95% confidence interval", .flags = PUBLIC),
    VALUE(linked, REAL, "Expected number of correct links. 0 = safe", .flags = PUBLIC),
    VALUE(baseline, REAL, "Expected number of correct links by guessing at random, for comparison", .flags = PUBLIC),
    TABLE_OUT(agreement, "column:text m:real u:real weight:real",
              "Probabilistic: for each column the probability of agreement for one person (m) and for two (u), and the weight of agreement",
              .flags = PUBLIC),
    RECORD(distance, REAL, "Distance to its nearest original", .of = "released"),
    RECORD(linked, REAL, "Degree of linkage with its source: 1, 0, or a share if tied", .of = "released"),
    END,
};

/* The part of a record that the linker calls right is its share of ties. */
static Status report(Run *run, const Links *links) {
    Status status = OK;
    double linked = 0, n = (double)links->rows;
    for (int64_t i = 0; i < links->rows; i++) linked += links->right[i];
    Interval interval = wilson_interval(linked, n);
    result_real(run->result, "confidentiality", 1 - linked / n);
    result_real(run->result, "lower", 1 - interval.high);
    result_real(run->result, "upper", 1 - interval.low);
    result_real(run->result, "linked", linked);
    result_real(run->result, "baseline", 1);
    TRY(put_reals(run, "released", "linked", links->right, links->rows));
    TRY(put_reals(run, "released", "distance", links->distance, links->rows));
done:
    return status;
}

static Status linkage_run(Run *run, const void *p) {
    static const Metric metrics[] = { EUCLIDEAN, MANHATTAN, GOWER };
    Status status = OK;
    const args *a = p;
    PairColumns pair = { 0 };
    Column **made = NULL;
    Links links = { 0 };
    TRY(pair_columns(run, a->original, a->released, a->vars, false, &pair));
    if (!isnan(a->scale)) TRY(columns_unscale(&run->work, &pair.released, a->scale, &made));
    if (a->method == PROBABILISTIC) TRY(link_probabilistic(run, &pair, a->bins, &links));
    else TRY((a->method == RANK ? link_by_rank : link_nearest)(run, &pair, metrics[a->distance], &links));
    TRY(report(run, &links));
    result_note(run->result,
                a->method == PROBABILISTIC ? "A missing value agrees with nothing." : "A missing value is compared as a value.");
done:
    for (int64_t j = 0; made && j < pair.released.count; j++) column_release(made[j]);
    return status;
}

/* Nearest: a few microseconds a record on few axes; probabilistic: some of the records for each set of columns. */
static double cost(const void *p) {
    const args *a = p;
    double n = (double)a->released->rows, columns = (double)(a->vars.count ? a->vars.count : a->released->columns);
    return a->method == PROBABILISTIC ? 5e-9 * n * exp2(fmin(columns, 60)) : 5e-6 * n * fmax(1, columns / 4);
}

const Method risk_linkage = {
    .group = "risk",
    .name = "linkage",
    .summary = "Record linkage risk: protected records linked to their originals by distance, rank or probability",
    .source = "Spruill 1982; Fellegi & Sunter 1969; Muralidhar & Domingo-Ferrer 2016",
    .params = params,
    .size = sizeof(args),
    .traits = IDENTITY | CODES_AS_CATEGORIES,
    .run = linkage_run,
    .headline = "confidentiality",
    .values = values,
    .cost = cost,
    .example = "scrim risk linkage examples/clinic.csv examples/clinic-released.csv --vars income,visits,cholesterol,bmi",
};
