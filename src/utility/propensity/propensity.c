/* utility.propensity: the mean square of propensity scores, against what chance alone would give. Defined after Woo et al. 2009; Snoke et
 * al. 2018: docs/methods/utility-propensity.md. */
#include "utility/propensity/propensity.h"
#include <string.h>
#include "base/elementary.h"
#include "utility/common_level.h"

static const Param params[] = {
    TABLE(PropensityArgs, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(PropensityArgs, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    COLUMNS(PropensityArgs, vars, BOTH, "Predictors of the model (default: all common columns)"),
    CHOICE(PropensityArgs, model, "logistic", "Model that predicts the file of a record", WORDS("logistic", "cart")),
    INT(PropensityArgs, order, ABSENT, 1, 2,
        "logistic: 1 = main effects, 2 = also interactions of pairs of columns, at most 2000 terms (default: main effects, and the pairs "
        "of columns whose association changed most)"),
    ONLY_IF("order", "model", "logistic"),
    INT(PropensityArgs, permutations, 50, 2, 100000, "cart: trees grown with randomly permuted file labels"),
    ONLY_IF("permutations", "model", "cart"),
    INT(PropensityArgs, min_leaf, 20, 1, 1000000000, "cart: smallest number of records in a leaf"),
    ONLY_IF("min-leaf", "model", "cart"),
    REAL(PropensityArgs, complexity, NAN, 0, 1,
         "cart: smallest decrease of impurity for a split, as a share of the root's impurity (default: chosen by cross-validation; 0 "
         "where no tree predicts the file)"),
    ONLY_IF("complexity", "model", "cart"),
    END,
};

enum { MOST_CODES = 100 };

static Status stack_codes(Work *work, const Column *const column[2], Variable *v) {
    Status status = OK;
    JointCodes codes;
    int32_t *all = NULL;
    TRY(joint_labelled(work, column[0], column[1], 0, 0, &codes));
    NEW(work, all, column[0]->rows + column[1]->rows);
    for (int t = 0; t < 2; t++) memcpy(all + (t ? column[0]->rows : 0), codes.at[t], (size_t)column[t]->rows * sizeof *all);
    v->code = all;
    v->codes = codes.count;
    v->label = codes.label;
    codes.label = NULL;
    joint_drop(work, &codes);
done:
    return status;
}

static bool is_number(const Column *column) { return column_linear(column); }

/* Columns named are all taken; unnamed ones only where a model can use them: names and addresses tell nothing but themselves. */
static Status make_stack(Stack *s) {
    Status status = OK;
    Work *work = &s->run->work;
    const PropensityArgs *a = s->a;
    const char **name = NULL;
    int64_t count = 0;
    Buffer left_out = { 0 };
    TRY(common_columns(work, a->original, a->released, a->vars, &name, &count));
    s->rows = a->original->rows + a->released->rows;
    s->released = a->released->rows;
    s->share = (double)s->released / (double)s->rows;
    if (!a->original->rows || !a->released->rows)
        TRY(fail(work->error, BAD, "the %s table is empty", a->original->rows ? "released" : "original"));
    NEW(work, s->variable, count);
    for (int64_t j = 0; j < count; j++) {
        const Column *column[2] = { table_column(a->original, name[j]), table_column(a->released, name[j]) };
        Variable *v = &s->variable[s->variables];
        *v = (Variable){ .name = arena_text(work->arena, name[j]) };
        if (!v->name) TRY(out_of_memory(work->error));
        if (is_number(column[0]) && is_number(column[1])) TRY(packed_reals_stack(work, column, &v->number));
        else TRY(stack_codes(work, column, v));
        if (v->code && v->codes > MOST_CODES && !a->vars.count) buffer_print(&left_out, "%s'%s'", left_out.count ? ", " : "", name[j]);
        else s->variables++;
    }
    if (left_out.count)
        result_note(s->run->result, "Left out because of more than %d categories: %s. Name columns with --vars to include them.",
                    MOST_CODES, buffer_get(&left_out));
    if (!s->variables) TRY(fail(work->error, BAD, "no predictors remain"));
done:
    buffer_free(&left_out);
    return status;
}

double propensity_mean_square(const Stack *s, const double *score) {
    double sum = 0;
    for (int64_t i = 0; i < s->rows; i++) sum += pow(snap_to_zero(score[i] - s->share, 1), 2);
    return sum / (double)s->rows;
}

/* Where the scores of both tables lie: the same heights mean that nothing tells them apart. */
static void draw(const Stack *s, const double *score) {
    enum { BINS = 20 };
    double edge[BINS + 1], height[2][BINS] = { { 0 } };
    for (int b = 0; b <= BINS; b++) edge[b] = (double)b / BINS;
    for (int64_t i = 0; i < s->rows; i++) {
        bool of_release = i >= s->rows - s->released;
        int b = (int)(score[i] * BINS);
        height[of_release][b < 0 ? 0 : b >= BINS ? BINS - 1 : b] += 1 / (double)(of_release ? s->released : s->rows - s->released);
    }
    Chart *chart = result_chart(s->run->result, CHART_HISTOGRAM, "Estimated probability that a record is a released one",
                                "propensity score", "share of the table's records");
    chart_series(chart, "original", BINS, edge, height[0], NULL, NULL);
    chart_series(chart, "released", BINS, edge, height[1], NULL, NULL);
}

static Status propensity_run(Run *run, const void *p) {
    Status status = OK;
    PropensityArgs a = *(const PropensityArgs *)p;
    CommonTables common = { { 0 } };
    Stack s = { .run = run, .a = &a };
    double *score = NULL;
    Null null = { 0 };
    TRY(common_tables(run, a.original, a.released, a.vars, &common));
    a.original = common.at[0];
    a.released = common.at[1];
    TRY(make_stack(&s));
    if (a.order == ABSENT) TRY(propensity_pairs(&s));
    common_release(&common); /* the stack has all that is needed, names too */
    NEW(&run->work, score, s.rows);
    TRY((s.a->model == CART ? propensity_cart : propensity_logistic)(&s, score, &null));
    double pmse = propensity_mean_square(&s, score);
    result_real(run->result, "pmse", pmse);
    result_real(run->result, "expected", null.expected);
    result_real(run->result, "ratio", null.expected > 0 ? pmse / null.expected : NAN);
    result_real(run->result, "standardised", null.deviation > 0 ? (pmse - null.expected) / null.deviation : NAN);
    result_real(run->result, "largest_pmse", s.share * (1 - s.share));
    draw(&s, score);
    if (null.deviation > 0 && pmse < null.expected - 3 * null.deviation)
        result_note(run->result, "pmse is far below what chance gives: the columns, one by one, are those of the original%s",
                    a.order == ABSENT ? ", and no pair of them goes together otherwise beyond chance."
                    : a.order > 1     ? ", and in pairs."
                                      : ". That says nothing of how they go together, which --order 2 compares.");
    result_note(run->result, "A ratio near 1 means that the model cannot distinguish the release from the original better than chance. A "
                             "missing value counts as a value of its own.");
done:
    common_release(&common);
    return status;
}

static const Return values[] = {
    VALUE(pmse, REAL,
          "Propensity mean squared error: mean of (p̂ − c)² over all records, p̂ the estimated probability of a released record, c the "
          "release's share (Woo et al. 2009). 0 = indistinguishable",
          .flags = PUBLIC | LESS),
    VALUE(expected, REAL, "Expected pmse if the files were indistinguishable", .flags = PUBLIC),
    VALUE(ratio, REAL, "pmse / expected (S_pMSE). Near 1 = high utility; above 10 = low utility", .flags = PUBLIC),
    VALUE(standardised, REAL, "(pmse − expected) in standard deviations under indistinguishability", .flags = PUBLIC),
    VALUE(largest_pmse, REAL, "c(1 − c): the pmse of a release that is distinguished without error", .flags = PUBLIC),
    TABLE_OUT(terms, "term:text estimate:real standard_error:real z:real",
              "logistic: estimate and z of each term. Large |z| = the term distinguishes the files"),
    TABLE_OUT(importance, "variable:text share:real splits:integer", "cart: share of the tree's gain by column", .flags = PUBLIC),
    COARSENED_OUT,
    END,
};

const Method utility_propensity = {
    .group = "utility",
    .name = "propensity",
    .summary = "Propensity score utility: ability of a model to distinguish the release from the original",
    .source = "Woo et al. 2009; Snoke et al. 2018",
    .params = params,
    .size = sizeof(PropensityArgs),
    .traits = RANDOM | CODES_AS_CATEGORIES,
    .run = propensity_run,
    .headline = "-pmse",
    .values = values,
    .example = "scrim utility propensity examples/clinic.csv examples/clinic-released.csv --vars sex,age,income,visits,diagnosis",
};
