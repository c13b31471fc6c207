/* Population uniques: how many people are the only ones of their kind in the population, estimated from a sample. Defined after Bethlehem
 * et al. 1990; Skinner et al. 1994; Hoshino 2001; Zayatz 1991; Chen & Keller-McNulty 1998: docs/methods/risk-population-uniques.md. */
#include <stdlib.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "risk/population.h"
#include "risk/population_models.h"

typedef struct {
    const Table *data, *population;
    Columns keys;
    const Column *weight;
    double population_size, cells;
    unsigned model, missing;
} args;
enum { AUTO = MODEL_POISSON + 1 };
static const Param params[] = {
    TABLE(args, data, "Table to examine: a sample", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    REAL(args, population_size, NAN, 1, 1e15, "Size of the population (default: the sum of the weights, or the records of --population)"),
    WEIGHT(args, data),
    TABLE(args, population, "The population, for exact values"),
    CHOICE(args, model, "auto", "Model of the class sizes. auto: the model that fits the sample's class sizes best",
           WORDS("poisson-gamma", "pitman", "zayatz", "slide-negative-binomial", "poisson", "auto")),
    REAL(args, cells, NAN, 1, 1e300,
         "poisson-gamma and auto: number of possible key combinations, including empty ones (default: the product of the keys' numbers of "
         "values)"),
    MISSING_RULE(args),
    END,
};
static const Return values[] = {
    VALUE(population_uniques, REAL, "Population uniques: estimated, or exact with --population. Smaller is safer", .flags = PUBLIC),
    VALUE(lower, REAL, "Lower end of the 95% confidence interval, if the model holds. With auto: the lowest of all models that fit",
          .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of the 95% confidence interval, if the model holds. With auto: the highest of all models that fit",
          .flags = PUBLIC),
    VALUE(model, TEXT, "Model used", .flags = PUBLIC),
    VALUE(fit, REAL, "p-value of the model's fit to the sample's class sizes. Below 0.01 the model does not fit", .flags = PUBLIC),
    VALUE(pu, REAL, "population_uniques over the population size", .flags = PUBLIC),
    VALUE(pu_given_su, REAL, "Probability that a sample unique is population unique, 0 to 1. Smaller is safer", .flags = PUBLIC),
    VALUE(sample_uniques, INTEGER, "Sample uniques", .flags = PUBLIC),
    VALUE(classes, REAL, "Equivalence classes in the sample", .flags = PUBLIC),
    VALUE(population_size, REAL, "N", .flags = PUBLIC),
    VALUE(parameter1, REAL, "First parameter of the model: α, θ or r", .flags = PUBLIC),
    VALUE(parameter2, REAL, "Second parameter of the model: β, α or p", .flags = PUBLIC),
    TABLE_OUT(models, "model:text population_uniques:real lower:real upper:real fit:real",
              "With auto: the estimate of each model, its 95% confidence interval if it holds, and the p-value of its fit",
              .flags = PUBLIC),
    END,
};

static Status size_of(Run *run, const args *a, double *out) {
    Status status = OK;
    *out = a->population_size;
    if (isnan(*out) && a->population) *out = (double)a->population->rows;
    if (isnan(*out) && a->weight) TRY(weights_total(&run->work, a->weight, out));
    if (isnan(*out)) {
        fail(run->work.error, BAD, "the size of the population is not known");
        error_advice(run->work.error, "Give --population-size, --weight or --population.");
        return error_parameter(run->work.error, "population-size");
    }
    if (a->population || *out >= (double)work_records(&run->work, a->data->rows)) return OK;
    fail(run->work.error, BAD, "the population has fewer records than the sample");
    return error_parameter(run->work.error, "population-size");
done:
    return status;
}

/* Classes by size: the records with f = i, over i. Without missing keys these are the classes themselves. */
static Status sizes_of(Run *run, const Classes *classes, const Frequencies *frequencies, Sizes *out) {
    Status status = OK;
    int64_t *sizes = NULL, *size = NULL, distinct = 0;
    double *count = NULL;
    NEW(&run->work, sizes, classes->count + 1);
    NEW(&run->work, size, classes->count + 1);
    NEW(&run->work, count, classes->count + 1);
    for (int64_t c = 0; c < classes->count; c++) sizes[c] = frequencies->f[c];
    qsort(sizes, (size_t)classes->count, sizeof *sizes, ascending_int64);
    for (int64_t c = 0; c < classes->count; c++)
        if (!c || sizes[c] != sizes[c - 1]) size[distinct++] = sizes[c];
    for (int64_t c = 0; c < classes->count; c++) {
        int64_t *at = bsearch(&frequencies->f[c], size, (size_t)distinct, sizeof *size, ascending_int64);
        count[at - size] += (double)classes->size[c] / (double)frequencies->f[c];
    }
    *out = (Sizes){ .distinct = distinct, .size = size, .count = count, .records = (double)classes->records };
    for (int64_t i = 0; i < distinct; i++) out->classes += count[i];
    if (distinct && size[0] == 1) out->ones = count[0];
done:
    return status;
}

static Status exact_uniques(Run *run, const args *a) {
    Status status = OK;
    PopulationMatch match;
    int64_t uniques = 0, sample = 0, both = 0;
    TRY(population_match(run, a->data, a->keys, a->population, a->missing, &match));
    for (int64_t c = 0; c < match.count; c++)
        if (match.F[c] == 1) uniques += match.own_F[c];
    for (int64_t i = 0; i < match.rows; i++) {
        if (match.f[match.of[i]] != 1) continue;
        sample++;
        both += match.F[match.of[i]] == 1;
    }
    result_real(run->result, "population_uniques", (double)uniques);
    result_real(run->result, "pu", a->population->rows ? (double)uniques / (double)a->population->rows : NAN);
    if (sample) result_real(run->result, "pu_given_su", (double)both / (double)sample);
    else result_null(run->result, "pu_given_su", "The table has no unique.");
    result_note(run->result, "Exact: counted in the population. No model was used.");
done:
    return status;
}

static const char *const model_names[] = { "poisson-gamma", "pitman", "zayatz", "slide-negative-binomial", "poisson" };

enum { TRIED = 4 };
static const SizeModel tried[TRIED] = { MODEL_POISSON, MODEL_POISSON_GAMMA, MODEL_PITMAN, MODEL_SLIDE };
static const double least_fit = 0.01;
typedef struct Estimate {
    SizeModel model;
    Uniques uniques;
    double fit, low, high; /* NaN: not known */
} Estimate;

static Estimate estimate_by(SizeModel model, const Sizes *sizes, double N, double cells, double *scratch) {
    Estimate e = { .model = model, .uniques = uniques_by(model, sizes, N, cells), .low = NAN, .high = NAN };
    e.fit = uniques_fit(model, sizes, &e.uniques, N, cells);
    if (e.uniques.why) return e;
    double error = uniques_error(model, sizes, N, cells, scratch);
    if (isnan(error)) return e;
    e.low = larger(0, e.uniques.uniques - 1.96 * error);
    e.high = smaller(N, e.uniques.uniques + 1.96 * error);
    return e;
}

/* The model with the largest p-value; a simpler one where overdispersion is not seen. The sample often does not tell models apart that say
 * different things of the population: the interval is that of all that fit. */
static Estimate best_fit(Run *run, const Sizes *sizes, double N, double cells, double *scratch) {
    Estimate all[TRIED], best = { .model = MODEL_PITMAN };
    double most = -1;
    Grid *grid = grid_new(run->result, "models", "model:text population_uniques:real lower:real upper:real fit:real");
    for (int i = 0; i < TRIED; i++) {
        const Estimate e = all[i] = estimate_by(tried[i], sizes, N, cells, scratch);
        grid_text(grid, model_names[e.model]);
        grid_real(grid, e.uniques.why ? NAN : e.uniques.uniques);
        grid_real(grid, e.low);
        grid_real(grid, e.high);
        grid_real(grid, e.uniques.why ? NAN : e.fit);
        if (!i) best = e;
        if (!(e.fit > most) || (e.model != MODEL_POISSON && best.model == MODEL_POISSON && most > 0.05)) continue;
        best = e;
        most = e.fit;
    }
    grid_done(grid);
    for (int i = 0; i < TRIED; i++) {
        if (!(all[i].fit >= least_fit) || isnan(all[i].low)) continue;
        best.low = isnan(best.low) || all[i].low < best.low ? all[i].low : best.low;
        best.high = isnan(best.high) || all[i].high > best.high ? all[i].high : best.high;
    }
    return best;
}

static Status estimate(Run *run, const args *a, const Sizes *sizes, const Classes *classes, double N) {
    Status status = OK;
    double cells = a->cells, *scratch = NULL;
    Result *result = run->result;
    if (isnan(cells)) {
        cells = 1;
        for (int64_t k = 0; k < classes->keys; k++) cells *= fmax(1, classes->codes[k].count);
    }
    cells = fmax(cells, sizes->classes);
    Estimate e = { .model = MODEL_PITMAN, .uniques = { .why = "The table has no records." } };
    NEW(&run->work, scratch, sizes->distinct + 1);
    if (sizes->records > 0)
        e = a->model == AUTO ? best_fit(run, sizes, N, cells, scratch) : estimate_by((SizeModel)a->model, sizes, N, cells, scratch);
    const Uniques u = e.uniques;
    if (u.why) {
        result_null(result, "population_uniques", "%s Try another model.", u.why);
        result_null(result, "pu", "There is no estimate.");
        result_null(result, "pu_given_su", "There is no estimate.");
        return OK;
    }
    result_real(result, "population_uniques", u.uniques);
    if (!isnan(e.low)) result_real(result, "lower", e.low);
    if (!isnan(e.high)) result_real(result, "upper", e.high);
    result_text(result, "model", model_names[e.model]);
    if (!isnan(e.fit)) result_real(result, "fit", e.fit);
    result_real(result, "pu", u.uniques / N);
    if (isnan(u.given)) result_null(result, "pu_given_su", "The table has no unique.");
    else result_real(result, "pu_given_su", u.given);
    if (e.fit < least_fit)
        result_note(result, "%s the sample's class sizes (see fit). The estimate may be far off: compare the models.",
                    a->model == AUTO ? "No model fits" : "The model does not fit");
    if (isnan(u.parameter[0])) return OK;
    result_real(result, "parameter1", u.parameter[0]);
    if (!isnan(u.parameter[1])) result_real(result, "parameter2", u.parameter[1]);
done:
    return status;
}

static Status population_uniques_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Classes classes;
    Frequencies frequencies;
    Sizes sizes;
    double N;
    TRY(size_of(run, a, &N));
    TRY(classes_make_by(&run->work, a->keys, a->missing, &classes));
    TRY(classes_frequencies(&run->work, &classes, a->missing, NULL, &frequencies));
    TRY(sizes_of(run, &classes, &frequencies, &sizes));
    if (a->population) TRY(exact_uniques(run, a));
    else TRY(estimate(run, a, &sizes, &classes, N));
    result_integer(run->result, "sample_uniques", (int64_t)sizes.ones);
    result_real(run->result, "classes", sizes.classes);
    result_real(run->result, "population_size", N);
    result_note(run->result, "%s", missing_rule_note(a->missing));
done:
    return status;
}

static const InParts in_parts = { .shape = BY_CLASS };

const Method risk_population_uniques = {
    .group = "risk",
    .name = "population-uniques",
    .summary = "Population uniqueness: estimated number of population uniques, by models of class sizes",
    .source = "Bethlehem et al. 1990; Skinner et al. 1994; Hoshino 2001; Zayatz 1991; Chen & Keller-McNulty 1998",
    .params = params,
    .size = sizeof(args),
    .traits = FREQUENCY | IDENTITY | POPULATION,
    .run = population_uniques_run,
    .parts = &in_parts,
    .values = values,
    .example = "scrim risk population-uniques examples/clinic.csv --keys sex,age,region --weight w",
    .instead = "risk linkage"
};
