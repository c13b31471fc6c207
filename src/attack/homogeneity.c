/* Homogeneity: where all who share a target's keys share a sensitive value, nobody needs to be identified (Machanavajjhala et al. 2007).
 * A number counts as learned when the shortest interval that holds the share --certainty of the class is at most the tolerance wide. */
#include <string.h>
#include "attack/class_attack.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "table/measurement_level.h"

typedef struct {
    const Table *data;
    Columns keys, sensitive;
    const Column *person;
    double certainty;
    Pairs tolerance;
    unsigned missing;
} args;
static const Param params[] = {
    BY_CLASS_TABLE(args),
    REAL(args, certainty, 1, 0, 1, "Share of the class that must have the value for it to count as inferred, 0 to 1 (1 = all)"),
    PAIRS(args, tolerance, 1,
          "Numeric columns, as column:amount: largest width of an interval that counts as inferred. Default: the smaller of 5% of the "
          "class median and 5% of the column's 10-90% range",
          .role = "tolerance"),
    MISSING_RULE(args),
    END,
};
static const Return values[] = {
    VALUE(certain, INTEGER,
          "Records whose sensitive value can be inferred from the quasi-identifiers (with --certainty below 1: with that confidence). 0 = "
          "safe",
          .flags = PUBLIC),
    VALUE(classes, INTEGER, "Equivalence classes that disclose a sensitive value. 0 = safe", .flags = PUBLIC),
    VALUE(share, REAL, "Share of records whose sensitive value can be inferred, 0 to 1. Smaller is safer", .flags = PUBLIC),
    VALUE(baseline, REAL, "The same share if the intruder has only the totals of the table", .flags = PUBLIC),
    BY_CLASS_GAIN,
    RECORD(exposed, INTEGER, "1 = the sensitive value of the record can be inferred"),
    END,
};

/* What is made of a sensitive column once: is it a number, and how near is near? */
typedef struct {
    bool number;
    double named; /* the tolerance that was given; NaN: none */
} Nearness;

static double number_of(const Sight *sight, int32_t value) { return column_number(sight->sensitive, sight->codes->first_row[value]); }

/* The total is that of people, who may have several values each. */
static double values_of(const Tally *tally) {
    int64_t sum = 0;
    for (int64_t i = 0; i < tally->distinct; i++) sum += tally->count[i];
    return (double)sum;
}

/* The q-quantile of a tally whose values ascend: the least value with that share at or below it. */
static int32_t quantile_of(const Tally *tally, double q) {
    const double all = values_of(tally);
    int64_t sum = 0;
    for (int64_t i = 0; i < tally->distinct; i++)
        if ((double)(sum += tally->count[i]) >= q * all) return tally->value[i];
    return tally->value[tally->distinct - 1];
}

static Status prepare(Run *run, const Column *sensitive, const Codes *codes, const void *p, const void **more) {
    Status status = OK;
    const args *a = p;
    Nearness *near = NULL;
    (void)codes;
    NEW(&run->work, near, 1);
    near->number = column_numeric(sensitive) && !column_is_codes_times(sensitive, run->work.times);
    near->named = NAN;
    for (int64_t i = 0; i < a->tolerance.count; i++)
        if (!strcmp(a->tolerance.at[i].name, sensitive->name)) near->named = a->tolerance.at[i].number[0];
    for (int64_t i = 0; i < a->tolerance.count; i++) {
        if (a->tolerance.at[i].number[0] >= 0) continue;
        fail(run->work.error, BAD, "the tolerance of %s is not a number of at least 0", a->tolerance.at[i].name);
        TRY(error_parameter(run->work.error, "tolerance"));
    }
    *more = near;
done:
    return status;
}

/* The shortest interval that holds the share asked for of the class: two places that move over its values in order. */
static void learns(const Sight *sight, const void *p, double *low, double *high) {
    const args *a = p;
    const Nearness *near = sight->more;
    const Tally *class = &sight->class;
    double width = INFINITY, wanted = a->certainty * values_of(class), range;
    int64_t inside = 0, last = 0;
    if (!near->number || !class->total) return;
    range = number_of(sight, quantile_of(sight->all, 0.9)) - number_of(sight, quantile_of(sight->all, 0.1));
    double tolerance = !isnan(near->named) ? near->named : 0.05 * smaller(fabs(number_of(sight, quantile_of(class, 0.5))), range);
    for (int64_t first = 0; first < class->distinct; first++) {
        for (; last < class->distinct && (double)inside < wanted; last++) inside += class->count[last];
        if ((double)inside < wanted) break;
        double from = number_of(sight, class->value[first]), to = number_of(sight, class->value[last > first ? last - 1 : first]);
        if (to - from < width) {
            width = to - from;
            *low = from;
            *high = to;
        }
        inside -= class->count[first];
    }
    if (width <= tolerance) return;
    *low = *high = NAN;
}

/* The commonest value has at least the share asked for, and it is the record's own: a wrong certainty discloses nothing. */
static bool exposes(const Sight *sight, int32_t value, const void *p) {
    const args *a = p;
    if (!isnan(sight->low)) return number_of(sight, value) >= sight->low && number_of(sight, value) <= sight->high;
    return sight->class.total > 0 && (double)tally_count(&sight->class, value) >= a->certainty * (double)sight->class.total;
}

static Status homogeneity_run(Run *run, const void *p) {
    const args *a = p;
    return attack_by_class(run, &(ClassAttack){ BY_CLASS_OF(a), .exposed = "certain", .exposes = exposes, .known_before = exposes,
                                                .prepare = prepare, .learns = learns });
}

static const InParts in_parts = { .shape = BY_CLASS };

const Method attack_homogeneity = {
    .group = "attack",
    .name = "homogeneity",
    .summary = "Homogeneity attack: sensitive values shared by a whole equivalence class",
    .source = "Machanavajjhala et al. 2007",
    .params = params,
    .size = sizeof(args),
    .traits = ATTRIBUTE,
    .run = homogeneity_run,
    .parts = &in_parts,
    .values = values,
    .example = "scrim attack homogeneity examples/clinic.csv --keys sex,region,education --sensitive diagnosis",
};
