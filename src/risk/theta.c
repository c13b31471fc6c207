/* Θ (Skinner & Elliot 2002): the probability that a record that matches a sample unique on the keys is the right person. */
#include "base/elementary.h"
#include "risk/population.h"

typedef struct {
    const Table *data, *population;
    Columns keys;
    const Column *weight;
    double sampling_fraction;
    unsigned missing;
} args;
static const Param params[] = {
    TABLE(args, data, "Table to examine: a sample", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    REAL(args, sampling_fraction, NAN, 0, 1,
         "Share of the population that is in the sample (default: records over the sum of the weights, or over the population)"),
    WEIGHT(args, data),
    TABLE(args, population, "The population, for the exact Θ"),
    MISSING_RULE(args),
    END,
};
static const Return values[] = {
    VALUE(theta, REAL, "Θ: probability that a match with a sample unique is correct, 0 to 1; exact with a population. Smaller is safer",
          .flags = PUBLIC),
    VALUE(standard_error, REAL, "Standard error of the estimate", .flags = PUBLIC),
    VALUE(estimate, REAL, "Estimate from the sample alone", .flags = PUBLIC),
    VALUE(uniques, INTEGER, "Sample uniques, n₁", .flags = PUBLIC),
    VALUE(pairs, REAL, "Equivalence classes of size two, n₂", .flags = PUBLIC),
    VALUE(sampling_fraction, REAL, "Sampling fraction π, 0 to 1", .flags = PUBLIC),
    END,
};

/* Θ̂ = πn₁/(πn₁ + 2(1−π)n₂). n₁ and n₂ count many rare classes and are nearly independent Poisson variables, so that the variance of the
 * logit, ln(πn₁) − ln(2(1−π)n₂), is 1/n₁ + 1/n₂, and by the delta method the standard error is Θ̂(1−Θ̂)√(1/n₁ + 1/n₂). */
static void estimate(Run *run, double fraction, double uniques, double pairs, bool exact) {
    double correct = fraction * uniques, all = correct + 2 * (1 - fraction) * pairs, theta = correct / all;
    if (!(uniques > 0)) {
        if (!exact) result_null(run->result, "theta", "The table has no unique record, so none can be matched.");
        result_null(run->result, "standard_error", "There is no estimate.");
        result_null(run->result, "estimate", "The table has no unique record.");
    } else {
        if (!exact) result_real(run->result, "theta", theta);
        if (pairs > 0) result_real(run->result, "standard_error", theta * (1 - theta) * sqrt(1 / uniques + 1 / pairs));
        else result_null(run->result, "standard_error", "Without a class of size two the estimate has no standard error.");
        result_real(run->result, "estimate", theta);
    }
    result_integer(run->result, "uniques", (int64_t)uniques);
    result_real(run->result, "pairs", pairs);
    result_real(run->result, "sampling_fraction", fraction);
}

/* Θ = Σ1(f = 1)/ΣF·1(f = 1). */
static Status exact_theta(Run *run, const args *a) {
    Status status = OK;
    PopulationMatch match;
    double uniques = 0, matches = 0;
    int64_t absent = 0;
    TRY(population_match(run, a->data, a->keys, a->population, a->missing, &match));
    for (int64_t i = 0; i < match.rows; i++) {
        int32_t c = match.of[i];
        if (match.f[c] != 1) continue;
        uniques += match.F[c] > 0; /* f is 1: the row is one record */
        absent += match.F[c] == 0;
        matches += (double)match.F[c];
    }
    if (matches > 0) result_real(run->result, "theta", uniques / matches);
    else result_null(run->result, "theta", "No unique record of the table has an equal in the population.");
    if (absent)
        result_note(run->result, "%lld unique records of the table have no equal in the population and were left out.", (long long)absent);
done:
    return status;
}

static Status theta_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Classes classes;
    Frequencies frequencies;
    double fraction, ones = 0, twos = 0;
    TRY(sampling_fraction(run, a->data, a->sampling_fraction, a->weight, a->population, &fraction));
    TRY(classes_make_by(&run->work, a->keys, a->missing, &classes));
    TRY(classes_frequencies(&run->work, &classes, a->missing, NULL, &frequencies));
    for (int64_t c = 0; c < classes.count; c++) {
        if (frequencies.f[c] == 1) ones += (double)classes.size[c];
        if (frequencies.f[c] == 2) twos += (double)classes.size[c];
    }
    if (a->population) TRY(exact_theta(run, a));
    estimate(run, fraction, ones, twos / 2, a->population != NULL);
    result_note(run->result, "%s", missing_rule_note(a->missing));
done:
    return status;
}

static const InParts in_parts = { .shape = BY_CLASS };

const Method risk_theta = { .group = "risk",
                            .name = "theta",
                            .summary = "Data intrusion simulation (DIS): probability Θ that a match with a sample unique is correct",
                            .source = "Skinner & Elliot 2002",
                            .params = params,
                            .size = sizeof(args),
                            .traits = FREQUENCY | IDENTITY | POPULATION,
                            .run = theta_run,
                            .parts = &in_parts,
                            .values = values,
                            .example = "scrim risk theta examples/clinic.csv --keys sex,age,region,education --weight w",
                            .instead = "risk linkage" };
