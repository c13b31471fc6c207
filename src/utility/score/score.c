/* utility.score: information loss and disclosure risk averaged. Defined after Domingo-Ferrer & Torra 2001; Yancey et al. 2002:
 * docs/methods/utility-score.md. */
#include "utility/score/score.h"
#include <string.h>
#include "base/elementary.h"
#include "utility/common_level.h"

typedef struct {
    const Table *original, *released;
    Columns keys, vars;
} args;

static const Param params[] = {
    TABLE(args, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, released, "The protected file, in the same record order", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, keys, BOTH, "Columns by which an intruder links records (default: --vars)"),
    COLUMNS(args, vars, BOTH, "Columns to evaluate for information loss (default: all common columns)"),
    END,
};

typedef struct Names {
    int64_t count;
    const char **at;
} Names;

static bool is_number(const args *a, const char *name) {
    return column_numeric(table_column(a->original, name)) && column_numeric(table_column(a->released, name));
}

static Status split(Work *work, const args *a, const Names *all, bool numbers, Names *out) {
    Status status = OK;
    NEW(work, out->at, all->count);
    for (int64_t j = 0; j < all->count; j++)
        if (is_number(a, all->at[j]) == numbers) out->at[out->count++] = all->at[j];
done:
    return status;
}

/* The mean of the parts that could be computed; each gets an equal share of `weight`. */
static double average(Part *parts, int64_t count, double weight) {
    double sum = 0;
    int64_t known = 0;
    for (int64_t i = 0; i < count; i++)
        if (!isnan(parts[i].value)) {
            sum += parts[i].value;
            known++;
        }
    for (int64_t i = 0; i < count; i++) parts[i].weight = isnan(parts[i].value) ? 0 : weight / (double)known;
    return known ? sum / (double)known : NAN;
}

/* A part of the loss, made in memory that goes back at once. */
typedef Status Loss(Run *run, const Table *original, const Table *released, const char *const *names, int64_t count, Part *parts);
typedef struct {
    Loss *loss;
    Run *run;
    const args *a;
    const Names *names;
    Part *parts;
} Losing;
static Status lose(void *self) {
    const Losing *l = self;
    return l->loss(l->run, l->a->original, l->a->released, l->names->at, l->names->count, l->parts);
}

/* Numeric and categorical columns count by their number. */
static Status information_loss(Run *run, const args *a, const Names *vars, Part *parts, int64_t *count, double *loss) {
    Status status = OK;
    Names numeric = { 0 }, words = { 0 };
    double of_numbers = NAN, of_words = NAN;
    TRY(split(&run->work, a, vars, true, &numeric));
    TRY(split(&run->work, a, vars, false, &words));
    double share = (double)numeric.count / (double)vars->count;
    *count = 0;
    if (numeric.count) {
        TRY(work_with_arena(&run->work, lose, &(Losing){ score_numeric, run, a, &numeric, parts }));
        of_numbers = average(parts, NUMERIC_PARTS, 0.5 * share);
        *count = NUMERIC_PARTS;
    }
    if (words.count) {
        TRY(work_with_arena(&run->work, lose, &(Losing){ score_categorical, run, a, &words, parts + *count }));
        of_words = average(parts + *count, CATEGORICAL_PARTS, 0.5 * (1 - share));
        *count += CATEGORICAL_PARTS;
    }
    *loss = isnan(of_numbers) ? of_words : isnan(of_words) ? of_numbers : share * of_numbers + (1 - share) * of_words;
done:
    return status;
}

/* A value of a risk method, in per cent; NaN, with a note, where it cannot be had. */
static Status risk_of(Run *run, const args *a, const Names *keys, const char *method, const char *choice, const char *value,
                      bool complement, double *out) {
    Status status = OK;
    Result *result = NULL;
    Table *first = table_retain(a->original), *second = table_retain(a->released);
    Arg given[] = { { .name = "original", .count = 1, .tables = &first },
                    { .name = "released", .count = 1, .tables = &second },
                    { .name = "vars", .count = keys->count, .items = keys->at },
                    { .name = "method", .count = 1, .items = &choice } };
    *out = NAN;
    status = run_method(run, method, &(Args){ choice ? 4 : 3, given }, &result);
    if (status == BAD) {
        result_note(run->result, "%s%s%s is left out: %s", method, choice ? " " : "", choice ? choice : "", run->work.error->message);
        bool show = run->work.error->show_values;
        *run->work.error = ERROR_NONE;
        run->work.error->show_values = show;
        status = OK;
        goto done;
    }
    if (status) goto done;
    const Value *found = result_find(result, value);
    if (found && found->kind == VALUE_REAL) *out = 100 * (complement ? 1 - found->real : found->real);
done:
    result_free(result);
    table_release(first);
    table_release(second);
    return status;
}

/* ½·interval disclosure + ½·(mean of distance-based and probabilistic linkage). Without numbers among the keys there are no intervals. */
static Status disclosure_risk(Run *run, const args *a, const Names *keys, Part *parts, double *risk) {
    Status status = OK;
    Names numeric = { 0 };
    double interval = NAN;
    parts[0].name = "linkage by distance";
    parts[1].name = "probabilistic linkage";
    parts[2].name = "interval disclosure";
    TRY(split(&run->work, a, keys, true, &numeric));
    TRY(risk_of(run, a, keys, "risk.linkage", "nearest", "confidentiality", true, &parts[0].value));
    TRY(risk_of(run, a, keys, "risk.linkage", "probabilistic", "confidentiality", true, &parts[1].value));
    if (numeric.count) TRY(risk_of(run, a, &numeric, "risk.interval", NULL, "inside", false, &interval));
    parts[2].value = interval;
    double half = isnan(interval) || (isnan(parts[0].value) && isnan(parts[1].value)) ? 0.5 : 0.25;
    double linkage = average(parts, 2, half);
    parts[2].weight = isnan(interval) ? 0 : half;
    *risk = isnan(interval) ? linkage : isnan(linkage) ? interval : (interval + linkage) / 2;
done:
    return status;
}

static void say(Run *run, const Part *parts, int64_t losses, double loss, double risk) {
    Grid *grid = grid_new(run->result, "parts", "part:text of:text value:real weight:real");
    for (int64_t i = 0; i < losses + 3; i++) {
        grid_text(grid, parts[i].name);
        grid_text(grid, i < losses ? "information loss" : "disclosure risk");
        grid_real(grid, parts[i].value);
        grid_real(grid, parts[i].weight);
    }
    grid_done(grid);
    result_real(run->result, "score", (loss + risk) / 2);
    result_real(run->result, "information_loss", loss);
    result_real(run->result, "disclosure_risk", risk);
    const char *name[NUMERIC_PARTS + CATEGORICAL_PARTS + 3];
    double height[NUMERIC_PARTS + CATEGORICAL_PARTS + 3];
    int64_t bars = 0;
    for (int64_t i = 0; i < losses + 3; i++) {
        if (isnan(parts[i].value)) continue;
        name[bars] = parts[i].name;
        height[bars++] = parts[i].value;
    }
    Chart *chart = result_chart(run->result, CHART_BAR, "Composition of the score", "part", "per cent");
    chart_of(chart, "parts");
    chart_series(chart, "per cent", bars, NULL, height, NULL, name);
}

static Status score_run(Run *run, const void *p) {
    args own = *(const args *)p, *a = &own;
    Status status = OK;
    CommonTables typed = { { 0 } }, common = { { 0 } };
    Names vars = { 0 }, keys = { 0 };
    Part parts[NUMERIC_PARTS + CATEGORICAL_PARTS + 3] = { { 0 } };
    int64_t losses = 0;
    double loss = NAN, risk = NAN;
    if (a->original->rows != a->released->rows) {
        fail(run->work.error, BAD, "the tables have %lld and %lld records, and the score compares them record by record",
             (long long)a->original->rows, (long long)a->released->rows);
        return error_file(run->work.error, a->released->name);
    }
    TRY(table_need_places(a->released, run->work.error));
    if (!a->original->rows) TRY(fail(run->work.error, BAD, "the tables are empty"));
    TRY(common_columns(&run->work, a->original, a->released, a->vars, &vars.at, &vars.count));
    TRY(typed_tables(run, a->original, a->released, (Columns){ 0 }, 0, &typed));
    a->original = typed.at[0];
    a->released = typed.at[1];
    keys = vars;
    if (a->keys.count) TRY(common_columns(&run->work, a->original, a->released, a->keys, &keys.at, &keys.count));
    TRY(information_loss(run, a, &vars, parts, &losses, &loss));
    /* Anyone who links records by what is known of people knows how it was recoded. */
    TRY(common_named(run, a->original, a->released, keys.at, keys.count, 0, &common));
    TRY(disclosure_risk(run, &(args){ .original = common.at[0], .released = common.at[1] }, &keys, parts + losses, &risk));
    say(run, parts, losses, loss, risk);
    result_note(run->result, "All values in percent, 0 = best. The unchanged original (no loss, full risk) and pure noise (full loss, no "
                             "risk) both score 50. Losses can exceed 100.");
done:
    common_release(&typed);
    common_release(&common);
    return status;
}

static const Return values[] = {
    VALUE(score, REAL, "Mean of information loss and disclosure risk, in percent. Smaller is better", .flags = PUBLIC | LESS),
    VALUE(information_loss, REAL, "Mean loss of values, moments, tables and entropy, in percent. Smaller = more utility", .flags = PUBLIC),
    VALUE(disclosure_risk, REAL, "½·interval disclosure + ¼·distance linkage + ¼·probabilistic linkage, in percent. Smaller is safer",
          .flags = PUBLIC),
    TABLE_OUT(parts, "part:text of:text value:real weight:real", "Each measure: its value in percent and its weight in the score",
              .flags = PUBLIC),
    COARSENED_OUT,
    END,
};

const Method utility_score = {
    .group = "utility",
    .name = "score",
    .summary = "Combined score of information loss and disclosure risk",
    .source = "Domingo-Ferrer & Torra 2001; Yancey et al. 2002",
    .params = params,
    .size = sizeof(args),
    .run = score_run,
    .headline = "-score",
    .values = values,
    .example =
        "scrim utility score examples/clinic.csv examples/clinic-released.csv --keys age,sex,region --vars income,visits,bmi,diagnosis",
};
