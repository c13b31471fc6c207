/* protect.massc: micro-agglomeration, substitution, subsampling, calibration. Defined after Singh, Yu & Dunteman 2003; Deville & Särndal
 * 1992: docs/methods/protect-massc.md. */
#include "base/elementary.h"
#include "protect/massc/massc.h"
#include "protect/changed_table.h"

#define WEIGHT_NAME "weight"

static const Param params[] = {
    TABLE(MasscArgs, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(MasscArgs, core, data, "Core keys: quasi-identifiers that an intruder easily obtains", .flags = REQUIRED, .role = "keys"),
    COLUMNS(MasscArgs, noncore, data, "Noncore keys: quasi-identifiers that an intruder may obtain"),
    CHOICE(MasscArgs, substitute, "swap",
           "Substitution of the keys of selected records: exchange among them, noise, random rounding, merging of rare categories, values "
           "of a similar record (synthesis), or draws from trees on all other columns (synth)",
           WORDS("swap", "noise", "round", "recode", "synthesis", "synth")),
    REALS(MasscArgs, substitute_rate, 0, 1,
          "Share of records substituted: one number, or three for the strata unique on core, unique on core and noncore, not unique. "
          "Default 0.2. Larger = more protection"),
    REALS(MasscArgs, sample_rate, 0, 1,
          "Share of records released: one number or three, as above. Default 0.9, or solved for. Smaller = more protection"),
    REAL(MasscArgs, max_risk, NAN, 0, 1,
         "Largest `risk`, instead of --substitute-rate (and of --sample-rate if it is not given): as few records as necessary are "
         "substituted",
         .flags = EXCLUSIVE),
    REAL(MasscArgs, max_loss, NAN, 0, 1,
         "Largest `loss`, instead of --substitute-rate (and of --sample-rate if it is not given): with --max-risk the method fails if it "
         "is exceeded; alone, as many records as it allows are substituted",
         .flags = EXCLUSIVE),
    COLUMNS(MasscArgs, calibrate, data,
            "Columns whose weighted totals (numbers) or counts (categories) are calibrated to the original. The sum of weights always is"),
    CHOICE(MasscArgs, calibration, "raking", "raking: weights stay positive; greg: the generalised regression estimator",
           WORDS("raking", "greg")),
    COLUMN(MasscArgs, weight, data, "Sampling weights (default: 1 each)", .flags = NUMERIC),
    COLUMNS(MasscArgs, strata, data, "Substitution and sampling are spread evenly over these columns"),
    REAL(MasscArgs, amount, 0.1, 0, 1e6, "noise: variance as a share of the column's variance", .flags = EXCLUSIVE),
    ONLY_IF("amount", "substitute", "noise"),
    REAL(MasscArgs, base, 5, 0, 1e15, "round: rounding base", .flags = EXCLUSIVE),
    ONLY_IF("base", "substitute", "round"),
    REAL(MasscArgs, min_count, 5, 0, 1e15, "recode: categories with fewer records become `other`"),
    ONLY_IF("min-count", "substitute", "recode"),
    COLUMNS(MasscArgs, like, data, "synthesis: columns on which a donor must be similar (default: all numeric columns that are not keys)"),
    ONLY_IF("like", "substitute", "synthesis"),
    COLUMNS(MasscArgs, vars, data,
            "Columns whose distributions and associations enter the loss, in addition to the keys (default: all numeric columns)"),
    TEXT(MasscArgs, formula, NULL, "Regression whose coefficients enter the loss: \"y ~ a + b\""),
    MISSING_RULE(MasscArgs),
    END,
};

static Status take_rates(Work *work, Reals given, double preset, bool above, const char *name, double out[RISK_STRATA]) {
    if (given.count != 0 && given.count != 1 && given.count != RISK_STRATA) {
        fail(work->error, BAD, "takes one number, or three: one for each stratum of risk");
        return error_parameter(work->error, name);
    }
    for (int h = 0; h < RISK_STRATA; h++) {
        out[h] = !given.count ? preset : given.at[given.count == 1 ? 0 : h];
        if (out[h] > 0 || !above) continue;
        fail(work->error, BAD, "must be above 0: a stratum that is not sampled cannot be weighted");
        return error_parameter(work->error, name);
    }
    return OK;
}

static Status take_weights(Massc *m) {
    Status status = OK;
    Work *work = &m->run->work;
    NEW(work, m->weight, m->rows + 1);
    for (int64_t i = 0; i < m->rows; i++) {
        m->weight[i] = m->a->weight ? column_number(m->a->weight, i) : 1;
        if (m->weight[i] > 0) continue;
        fail(work->error, BAD, "a weight is missing or not above 0");
        error_column(work->error, m->a->weight->name);
        TRY(error_row(work->error, i));
    }
    if (!m->a->weight && table_column(m->a->data, WEIGHT_NAME)) {
        fail(work->error, BAD, "there is a column of this name already, and the new weights need it");
        error_advice(work->error, "If it holds the weights, say --weight " WEIGHT_NAME "; else rename it.");
        TRY(error_column(work->error, WEIGHT_NAME));
    }
done:
    return status;
}

static Status take_keys(Massc *m) {
    Status status = OK;
    NEW(&m->run->work, m->keys.at, m->a->core.count + m->a->noncore.count + 1);
    for (int64_t k = 0; k < m->a->core.count; k++) m->keys.at[m->keys.count++] = m->a->core.at[k];
    for (int64_t k = 0; k < m->a->noncore.count; k++) m->keys.at[m->keys.count++] = m->a->noncore.at[k];
    for (int64_t k = 0; k < m->keys.count; k++) {
        bool twice = m->keys.at[k] == m->a->weight;
        for (int64_t j = 0; j < k; j++) twice |= m->keys.at[j] == m->keys.at[k];
        if (!twice) continue;
        fail(m->run->work.error, BAD, "is named twice: a column is a core key, a noncore key, or the weight");
        TRY(error_column(m->run->work.error, m->keys.at[k]->name));
    }
done:
    return status;
}

static Status weight_column(Massc *m, Column **out) {
    Status status = OK;
    Column *column = NULL;
    if (m->a->weight) return column_of_reals(m->a->weight, m->released, out, m->run->work.error);
    TRY(column_new(REAL_TYPE, WEIGHT_NAME, m->rows, &column, m->run->work.error));
    for (int64_t i = 0; i < m->rows; i++) column->real[i] = isnan(m->released[i]) ? 0 : m->released[i];
    *out = column;
done:
    return status;
}

static Status make_output(Massc *m, Table **out) {
    Status status = OK;
    Work *work = &m->run->work;
    Column **made = NULL;
    Table *changed = NULL;
    int64_t *rows = NULL, count = 0;
    NEW(work, made, m->keys.count + 2);
    NEW(work, rows, m->rows + 1);
    for (int64_t k = 0; k < m->keys.count; k++) made[k] = column_retain(m->key[k]);
    TRY(weight_column(m, &made[m->keys.count]));
    TRY(table_with(m->a->data, made, m->keys.count + 1, &changed, work->error));
    for (int64_t i = 0; i < m->rows; i++)
        if (m->sampled[i]) rows[count++] = i;
    TRY(table_take(changed, rows, count, out, work->error));
done:
    arena_drop(work->arena, rows);
    columns_release(made, m->keys.count + 1);
    table_release(changed);
    return status;
}

/* What outlives its step. */
static Status make_room(Massc *m) {
    Status status = OK;
    Work *work = &m->run->work;
    NEW(work, m->stratum, m->rows + 1);
    NEW(work, m->risk, m->rows + 1);
    NEW(work, m->chosen, m->rows + 1);
    NEW(work, m->changed, m->rows + 1);
    NEW(work, m->sampled, m->rows + 1);
    NEW(work, m->released, m->rows + 1);
    NEW(work, m->key, m->keys.count + 1);
done:
    return status;
}

Status massc_release(Massc *m, Table **out) {
    Status status = OK;
    Work *work = &m->run->work;
    for (int64_t k = 0; k < m->keys.count; k++) {
        column_release(m->key[k]);
        m->key[k] = NULL;
    }
    for (int64_t i = 0; i < m->rows; i++) m->changed[i] = 0;
    TRY(massc_choose(m, "substitute", m->substitute_rate, m->chosen));
    TRY(work_with_arena(work, massc_substitute, m));
    TRY(massc_choose(m, "sample", m->sample_rate, m->sampled));
    TRY(work_with_arena(work, massc_calibrate, m));
    TRY(make_output(m, out));
done:
    return status;
}

/* Rates are given, or bounds from which they follow. */
static Status check_targets(const Massc *m) {
    if (!m->a->substitute_rate.count || (isnan(m->a->max_risk) && isnan(m->a->max_loss))) return OK;
    fail(m->run->work.error, BAD, "is what --max-risk and --max-loss solve for: give only one of them");
    return error_parameter(m->run->work.error, "substitute-rate");
}

static Status massc_run(Run *run, const void *p) {
    Status status = OK;
    Massc m = { .run = run, .a = p, .rows = ((const MasscArgs *)p)->data->rows };
    Table *table = NULL;
    if (!m.rows) TRY(fail(run->work.error, BAD, "the table has no records"));
    TRY(take_rates(&run->work, m.a->substitute_rate, 0.2, false, "substitute-rate", m.substitute_rate));
    TRY(take_rates(&run->work, m.a->sample_rate, 0.9, true, "sample-rate", m.sample_rate));
    TRY(check_targets(&m));
    TRY(take_keys(&m));
    TRY(take_weights(&m));
    TRY(make_room(&m));
    TRY(work_with_arena(&run->work, massc_agglomerate, &m));
    if (!isnan(m.a->max_risk) || !isnan(m.a->max_loss)) TRY(massc_solve(&m));
    TRY(massc_release(&m, &table));
    result_output(run->result, table);
    TRY(massc_report(&m, table));
done:
    columns_release(m.key, m.key ? m.keys.count : 0);
    return status;
}

static const Return values[] = {
    VALUE(calibrated, INTEGER, "Calibrated totals, including the sum of weights", .flags = PUBLIC),
    VALUE(calibration_error, REAL, "Largest |released − original|/|original| among them", .flags = PUBLIC),
    VALUE(factor_least, REAL, "Smallest factor by which calibration changed a weight"),
    VALUE(factor_most, REAL, "Largest factor by which calibration changed a weight"),
    VALUE(released, INTEGER, "Records released", .flags = PUBLIC),
    VALUE(substituted, INTEGER, "Records in which a key was changed", .flags = PUBLIC),
    VALUE(risk_original, REAL, "Expected share of records re-identified in the original", .flags = PUBLIC),
    VALUE(risk, REAL, "Expected share of records re-identified in the release. Smaller is safer", .flags = PUBLIC),
    VALUE(loss, REAL, "Information loss: the largest of the following, 0 to 1. 0 = none", .flags = PUBLIC),
    VALUE(loss_distributions, REAL, "Mean total variation distance between the weighted distributions of original and release",
          .flags = PUBLIC),
    VALUE(loss_tables, REAL, "Mean total variation distance of two-way tables of a key with another column", .flags = PUBLIC),
    VALUE(loss_correlations, REAL, "Largest change of a correlation between a key and another number", .flags = PUBLIC),
    VALUE(loss_regression, REAL, "With --formula: 1 − mean overlap of the coefficients' 95% confidence intervals", .flags = PUBLIC),
    TABLE_OUT(strata, "stratum:text records:integer chosen:integer substituted:integer released:integer risk_original:real risk:real",
              "Risk strata: records, selected, changed, released, and their part of the risk"),
    TABLE_OUT(totals, "variable:text category:text original:real uncalibrated:real released:real",
              "Each calibrated total: original, with sampling weights before calibration, released"),
    TABLE_OUT(losses, "variable:text total_variation:real", "Total variation distance of each key and number", .flags = PUBLIC),
    TABLE_OUT(associations, "variables:text total_variation:real correlation_change:real",
              "Each pair that contains a key: total variation distance of the two-way table, change of the correlation", .flags = PUBLIC),
    RELEASED("The protected table"),
    END,
};

const Method protect_massc = {
    .group = "protect",
    .name = "massc",
    .summary = "MASSC: micro-agglomeration, substitution, subsampling and calibration",
    .source = "Singh, Yu & Dunteman 2003; Deville & Särndal 1992",
    .params = params,
    .size = sizeof(MasscArgs),
    .traits = PERTURBS | RANDOM | IDENTITY | ATTRIBUTE | CODES_AS_CATEGORIES,
    .run = massc_run,
    .values = values,
    .example = "scrim protect massc examples/clinic.csv --core sex,age,region --noncore education,marital --weight w --substitute-rate "
               "0.4,0.2,0.1 "
               "--sample-rate 0.8,0.9,0.9 --calibrate sex,income,visits",
};
