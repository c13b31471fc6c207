/* risk.reidentification: four simulated intruders attack a release (intruder/beliefs.h): docs/methods/risk-reidentification.md. */
#include "risk/reidentification/reidentification.h"

static const Param params[] = {
    TABLE(ReidentificationArgs, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(ReidentificationArgs, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    COLUMNS(ReidentificationArgs, keys, released, "Quasi-identifiers (key variables): columns that an intruder may know"),
    COLUMNS(ReidentificationArgs, vars, original, "Numeric columns that the intruder also knows", .flags = NUMERIC, .role = "numeric"),
    COLUMN(ReidentificationArgs, id, BOTH,
           "Record number in release and original (default: records are paired by the recipe, else by position)"),
    PREVIOUS(ReidentificationArgs),
    COLUMN(ReidentificationArgs, household, original, "Household numbers. A household is re-identified if one of its members is"),
    COLUMNS(ReidentificationArgs, by, original, "Columns of the original: also report the risk of each group"),
    PERSON(ReidentificationArgs, original),
    KNOWS(ReidentificationArgs),
    FLAG(ReidentificationArgs, synthetic,
         "The release is fully synthetic: people who are unique on the same keys in both tables count as re-identified"),
    END,
};

static const Return values[] = {
    VALUE(share, REAL, "Share of people whom the best simulated intruder re-identifies. 0 = nobody; smaller is safer",
          .flags = PUBLIC | LESS),
    VALUE(expected, REAL, "Expected number of correct re-identifications by the best intruder", .flags = PUBLIC | LESS),
    VALUE(best, TEXT, "The intruder with the most re-identifications: counting, weighing, assigning or joining", .flags = PUBLIC),
    VALUE(certain, INTEGER, "People for whom exactly one released record is possible, given everybody's keys. 0 = nobody",
          .flags = PUBLIC | LESS),
    VALUE(class_certain, INTEGER, "People for whom exactly one equivalence class of the release is possible", .flags = PUBLIC | LESS),
    VALUE(worst, REAL, "Highest probability of a person's true record, 0 to 1; smaller is safer", .flags = PUBLIC | LESS),
    VALUE(by_counting, REAL, "Expected re-identifications by a random choice among the records that match a person's keys",
          .flags = PUBLIC | LESS),
    VALUE(by_weighing, REAL, "Expected re-identifications if the intruder weighs records by their likelihood", .flags = PUBLIC | LESS),
    VALUE(by_assigning, REAL, "Expected re-identifications if the intruder knows everybody's keys", .flags = PUBLIC | LESS),
    VALUE(by_joining, REAL, "Expected re-identifications if the intruder uses keys and numbers together", .flags = PUBLIC | LESS),
    VALUE(error, REAL, "Standard error of `expected` if the best intruder was simulated on a sample of the people; otherwise 0",
          .flags = PUBLIC),
    VALUE(people, INTEGER, "People in the release; with --previous, in any of the releases", .flags = PUBLIC),
    VALUE(releases, INTEGER, "With --previous: number of releases that the intruders have", .flags = PUBLIC),
    VALUE(truth, TEXT, "How released records are paired with people: id, recipe, position; or unknown", .flags = PUBLIC),
    VALUE(households, INTEGER, "With --household: households in the release", .flags = PUBLIC),
    VALUE(household_expected, REAL, "Expected number of households with a re-identified member", .flags = PUBLIC | LESS),
    VALUE(household_share, REAL, "Share of the households with a re-identified member", .flags = PUBLIC | LESS),
    TABLE_OUT(intruders, "intruder:text expected:real share:real worst:real note:text",
              "Each intruder: expected re-identifications, their share, highest probability of a true record, and why it was not run",
              .flags = PUBLIC),
    VALUE(knows, TEXT, "With a person: which of a person's records the intruder knows: one, all, or a number", .flags = PUBLIC),
    TABLE_OUT(knowledge, "knows:text expected:real share:real certain:integer",
              "With a person: re-identifications by keys, for an intruder who knows one, two or all records of a person", .flags = PUBLIC),
    TABLE_OUT(groups, "group:text people:integer share:real certain:integer", "With --by: people and risk of each group"),
    RECORD(belief, REAL, "Highest probability that an intruder assigns to this person's true record", .of = "released"),
    END,
};

static Status reidentification_run(Run *run, const void *p) {
    Status status = OK;
    const ReidentificationArgs *a = p;
    Attack x = { .run = run, .a = a };
    if (!a->keys.count && !a->vars.count) {
        fail(run->work.error, BAD, "an intruder who knows neither keys nor numbers re-identifies nobody");
        return error_advice(run->work.error, "Give --keys, --vars or both.");
    }
    if (a->synthetic) return reidentification_of_synthetic(&x);
    TRY(reidentification_gather(&x));
    if (a->keys.count && a->released->rows && a->original->rows) TRY(reidentification_by_keys(&x));
    if (a->vars.count && a->released->rows && a->original->rows) TRY(reidentification_by_numbers(&x));
    TRY(reidentification_report(&x));
done:
    for (int64_t i = 0; i < x.held.count; i++) column_release((Column *)(uintptr_t)x.held.at[i]);
    return status;
}

/* A few microseconds a record and key; numbers within a fixed number of comparisons. */
static double cost(const void *p) {
    const ReidentificationArgs *a = p;
    double n = (double)a->released->rows;
    return 2e-6 * n * (double)a->keys.count + (a->vars.count ? 2 + 1e-6 * n * (double)a->vars.count : 0);
}

const Method risk_reidentification = {
    .group = "risk",
    .name = "reidentification",
    .summary = "Re-identification risk of a release: people whom four simulated intruders re-identify",
    .source = "Fellegi & Sunter 1969; Sinkhorn 1967; Duncan & Lambert 1989",
    .params = params,
    .size = sizeof(ReidentificationArgs),
    .traits = IDENTITY,
    .run = reidentification_run,
    .cost = cost,
    .headline = "-share",
    .values = values,
    .example = "scrim risk reidentification examples/clinic.csv examples/clinic-released.csv --keys sex,age,region,education "
               "--vars income,visits,cholesterol,bmi"
};
