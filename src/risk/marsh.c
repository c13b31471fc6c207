/* Marsh et al. 1991: four things must all hold for a person to be identified; the probability is the product of the four. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "method/method.h"
#include "classes/equivalence_class.h"

typedef struct {
    const Table *data;
    Columns keys;
    const Column *weight;
    double p_recorded, p_present, p_unique, p_verified, population_size;
    unsigned missing;
} args;
static const Param params[] = {
    TABLE(args, data, "Table from which probabilities that are not given are estimated", .flags = POSITIONAL),
    KEYS(args, data),
    WEIGHT(args, data),
    REAL(args, p_recorded, NAN, 0, 1, "Probability that the keys are recorded identically in the file and by the intruder"),
    REAL(args, p_present, NAN, 0, 1, "Probability that the person is in the file (estimated: the sampling fraction)"),
    REAL(args, p_unique, NAN, 0, 1,
         "Probability that the person is population unique (estimated by a model of class sizes, risk population-uniques)"),
    REAL(args, p_verified, NAN, 0, 1, "Probability that the intruder can verify population uniqueness"),
    REAL(args, population_size, NAN, 1, 1e15, "Size of the population (default: the sum of the weights)"),
    MISSING_RULE(args),
    END,
};
static const Return values[] = {
    VALUE(probability, REAL, "Probability of identification, the product of the four, 0 to 1. Smaller is safer", .flags = PUBLIC | LESS),
    VALUE(p_recorded, REAL, "Probability: keys recorded identically", .flags = PUBLIC),
    VALUE(p_present, REAL, "Probability: in the file", .flags = PUBLIC),
    VALUE(p_unique, REAL, "Probability: population unique", .flags = PUBLIC),
    VALUE(p_verified, REAL, "Probability: verified", .flags = PUBLIC),
    END,
};

/* The share of uniques in the population by a model of class sizes: the first that fits, Pitman's (Hoshino 2001), Zayatz's, the slide
 * negative binomial. The sample's own share times the sampling fraction would be far too small: most sample uniques that are unique in the
 * population are so because such people are many. */
static Status share_of_uniques(Run *run, const args *a, double N, double *unique, const char **by) {
    static const char *const models[] = { "pitman", "zayatz", "slide-negative-binomial", "poisson-gamma" };
    Status status = OK;
    Result *result = NULL;
    const char **keys = NULL, *missing = a->missing == WILDCARD ? "wildcard" : "category";
    char size[33];
    Table *data = (Table *)(uintptr_t)a->data;
    NEW(&run->work, keys, a->keys.count + 1);
    for (int64_t k = 0; k < a->keys.count; k++) keys[k] = a->keys.at[k]->name;
    const char *size_text = real_text(N, size);
    *unique = NAN;
    for (size_t m = 0; m < sizeof models / sizeof *models && isnan(*unique); m++) {
        Arg list[] = { { .name = "data", .count = 1, .tables = &data },
                       { .name = "keys", .count = a->keys.count, .items = keys },
                       { .name = "population-size", .count = 1, .items = &size_text },
                       { .name = "model", .count = 1, .items = &models[m] },
                       { .name = "missing", .count = 1, .items = &missing },
                       { .name = "force" } };
        Args args = { sizeof list / sizeof *list - !run->common.force, list };
        TRY(run_method(run, "risk.population-uniques", &args, &result));
        const Value *pu = result_find(result, "pu");
        if (pu && pu->kind == VALUE_REAL) {
            *unique = smaller(1, larger(0, pu->real));
            *by = models[m];
        }
        result_free(result);
        result = NULL;
    }
    if (isnan(*unique)) TRY(fail(run->work.error, BAD, "no model of class sizes fits this table. Give --p-unique"));
done:
    return status;
}

/* Without weights or a population's size the table is taken for the population itself, and its own uniques are counted. */
static Status estimate(Run *run, const args *a, double *present, double *unique, const char **by) {
    Status status = OK;
    Classes classes;
    Frequencies frequencies;
    double rows = (double)a->data->rows, total = 0, ones = 0;
    for (int64_t i = 0; a->weight && i < a->data->rows; i++) total += column_number(a->weight, i);
    if (!isnan(a->population_size)) total = a->population_size;
    *present = total > rows ? rows / total : 1;
    if (total > rows && rows > 0) return share_of_uniques(run, a, total, unique, by);
    TRY(classes_make_by(&run->work, a->keys, a->missing, &classes));
    TRY(classes_frequencies(&run->work, &classes, a->missing, NULL, &frequencies));
    for (int64_t c = 0; c < classes.count; c++)
        if (frequencies.f[c] == 1) ones += (double)classes.size[c];
    *unique = rows > 0 ? ones / rows : 0;
    *by = "counting, with the table as the whole population";
done:
    return status;
}

static Status need(Run *run, const char *parameter) {
    fail(run->work.error, BAD, "cannot be estimated from a table");
    error_advice(run->work.error, "Give it: 1 is the worst case.");
    return error_parameter(run->work.error, parameter);
}

static Status marsh_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    double present = a->p_present, unique = a->p_unique;
    if (isnan(a->p_recorded)) TRY(need(run, "p-recorded"));
    if (isnan(a->p_verified)) TRY(need(run, "p-verified"));
    if (isnan(present) || isnan(unique)) {
        double seen_present, seen_unique;
        const char *by = "";
        if (!a->data || !a->keys.count) {
            fail(run->work.error, BAD, "marsh needs all four probabilities, or a table and --keys to estimate --p-present and --p-unique");
            return BAD;
        }
        TRY(estimate(run, a, &seen_present, &seen_unique, &by));
        if (isnan(present)) present = seen_present;
        if (isnan(unique)) unique = seen_unique;
        result_note(run->result, "Estimated from the table: in the file by the sampling fraction, unique in the population by %s. %s", by,
                    missing_rule_note(a->missing));
    }
    result_real(run->result, "probability", a->p_recorded * present * unique * a->p_verified);
    result_real(run->result, "p_recorded", a->p_recorded);
    result_real(run->result, "p_present", present);
    result_real(run->result, "p_unique", unique);
    result_real(run->result, "p_verified", a->p_verified);
done:
    return status;
}

const Method risk_marsh = {
    .group = "risk",
    .name = "marsh",
    .summary = "Probability of identification as a product of four probabilities (Marsh et al.)",
    .source = "Marsh et al. 1991",
    .params = params,
    .size = sizeof(args),
    .traits = FREQUENCY | IDENTITY | POPULATION,
    .run = marsh_run,
    .headline = "-probability",
    .values = values,
    .example = "scrim risk marsh examples/clinic.csv --keys sex,age,region --weight w --p-recorded 0.9 --p-verified 0.5",
};
