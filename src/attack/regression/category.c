/* A target's category, with its probability, by a multinomial logit fitted to the release. */
#include <string.h>
#include "attack/regression/regression.h"
#include "base/elementary.h"
#include "base/number_text.h"
#include "math/linear/multinomial.h"

typedef struct {
    Codes codes;       /* of the released column */
    const char **word; /* by code */
    int32_t common;    /* what most released records have */
} Categories;

static Status categories_make(Work *work, const Column *column, Categories *out) {
    Status status = OK;
    int64_t *count = NULL;
    char number[33];
    TRY(column_codes(work, column, &out->codes));
    if (!out->codes.count) TRY(fail(work->error, BAD, "'%s' has no value where the predictors are complete", column->name));
    NEW(work, out->word, out->codes.count + 1);
    NEW(work, count, out->codes.count + 1);
    for (int64_t i = 0; i < column->rows; i++)
        if (out->codes.at[i] >= 0) count[out->codes.at[i]]++;
    for (int32_t c = 0; c < out->codes.count; c++) {
        out->word[c] = arena_text(work->arena, column_cell(column, out->codes.first_row[c], number));
        if (!out->word[c]) TRY(out_of_memory(work->error));
        if (count[c] > count[out->common]) out->common = c;
    }
done:
    return status;
}

/* The place of a target's true category among the released ones: -1 where it is not known, -2 where no released record has it. */
static int32_t truth_of(const Categories *c, const Column *column, int64_t row) {
    char number[33];
    const char *cell = column ? column_cell(column, row, number) : NULL;
    if (!cell) return -1;
    for (int32_t k = 0; k < c->codes.count; k++)
        if (!strcmp(c->word[k], cell)) return k;
    return -2;
}

static Status put_words(Run *run, const RegressionArgs *a, const Categories *c, const int32_t *guess, const Design *targets,
                        const int64_t *kept) {
    Status status = OK;
    int64_t rows = a->target ? a->target->rows : a->released->rows;
    const char **cells = NULL;
    Column *column = NULL;
    if (!run_wants(run, "category")) return OK;
    NEW(&run->work, cells, rows + 1);
    for (int64_t i = 0; i < targets->rows; i++) cells[kept[targets->row[i]]] = c->word[guess[i]];
    TRY(column_category("category", cells, rows, &column, run->work.error));
    result_column(run->result, a->target ? "target" : "released", column);
done:
    return status;
}

/* "b 0.6, a 0.25, c 0.15": the whole predictive distribution of one target, the likeliest first. */
static const char *distribution(Work *work, const Categories *c, const double *chance, int32_t *order) {
    Buffer text = { 0 };
    char number[33];
    for (int32_t k = 0; k < c->codes.count; k++) {
        int32_t at = k;
        for (; at > 0 && chance[order[at - 1]] < chance[k]; at--) order[at] = order[at - 1];
        order[at] = k;
    }
    for (int32_t k = 0; k < c->codes.count; k++)
        buffer_print(&text, "%s%s %s", k ? ", " : "", c->word[order[k]], real_short(chance[order[k]], 4, number));
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

static Status put_texts(Run *run, const RegressionArgs *a, const char *const *text, const Design *targets, const int64_t *kept) {
    Status status = OK;
    int64_t rows = a->target ? a->target->rows : a->released->rows;
    const char **cells = NULL;
    Column *column = NULL;
    if (!run_wants(run, "probabilities")) return OK;
    NEW(&run->work, cells, rows + 1);
    for (int64_t i = 0; i < targets->rows; i++) cells[kept[targets->row[i]]] = text[i];
    TRY(column_text("probabilities", cells, rows, &column, run->work.error));
    result_column(run->result, a->target ? "target" : "released", column);
done:
    return status;
}

static Status say_targets(Run *run, const RegressionArgs *a, const Categories *c, const Multinomial *model, const Design *targets,
                          const int64_t *kept) {
    Status status = OK;
    const Column *column = table_column(a->target ? a->target : a->released, a->sensitive->name);
    double *chance = NULL, *best = NULL, *mean = NULL, of_truth = 0;
    int32_t *guess = NULL, *order = NULL;
    const char **spread = NULL;
    Guesses g = { 0 };
    NEW(&run->work, chance, c->codes.count + 1);
    NEW(&run->work, mean, c->codes.count + 1);
    NEW(&run->work, best, targets->rows + 1);
    NEW(&run->work, guess, targets->rows + 1);
    NEW(&run->work, order, c->codes.count + 1);
    NEW(&run->work, spread, targets->rows + 1);
    for (int64_t i = 0; i < targets->rows; i++) {
        int32_t truth = truth_of(c, column, kept[targets->row[i]]);
        multinomial_chances(model, targets->rows, targets->x, i, chance);
        for (int32_t k = 0; k < c->codes.count; k++) {
            mean[k] += chance[k] / (double)targets->rows;
            if (chance[k] > chance[guess[i]]) guess[i] = k;
        }
        best[i] = chance[guess[i]];
        if (!(spread[i] = distribution(&run->work, c, chance, order))) TRY(out_of_memory(run->work.error));
        if (truth == -1) continue;
        bool now = guess[i] == truth, then = c->common == truth;
        g.known++;
        g.right += now;
        g.before += then;
        g.only_now += now && !then;
        g.only_before += then && !now;
        of_truth += truth < 0 ? 0 : chance[truth];
    }
    result_integer(run->result, "targets", targets->rows);
    say_guesses(run, &g);
    result_real(run->result, "true_probability", g.known ? of_truth / (double)g.known : NAN);
    Grid *grid = grid_new(run->result, "categories", "category:text mean_probability:real");
    for (int32_t k = 0; k < c->codes.count; k++) {
        grid_text(grid, c->word[k]);
        grid_real(grid, mean[k]);
    }
    grid_done(grid);
    TRY(put_words(run, a, c, guess, targets, kept));
    TRY(put_targets(run, a, "probability", best, targets, kept));
    TRY(put_texts(run, a, spread, targets, kept));
done:
    return status;
}

Status predict_category(Run *run, const RegressionArgs *a) {
    Status status = OK;
    Categories c = { 0 };
    Design design, targets;
    Multinomial model;
    int64_t *kept = NULL;
    Table *fitted = NULL, *of = NULL;
    TRY(fitted_records(run, a, &fitted));
    TRY(categories_make(&run->work, table_column(fitted, a->sensitive->name), &c));
    TRY(fitted_design(run, a, fitted, false, &design));
    if (design.rows <= design.columns)
        TRY(fail(run->work.error, BAD, "%lld complete records are too few for a model of %lld terms", (long long)design.rows,
                 (long long)design.columns));
    TRY(fill_design(&run->work, &design));
    TRY(multinomial_fit(&run->work, design.rows, design.columns, design.x, c.codes.at, c.codes.count, &model));
    if (!model.converged)
        result_note(run->result, "Warning: the multinomial model did not converge. Its predictions may be worse than they could be.");
    arena_drop(run->work.arena, design.x);
    TRY(targets_design(run, a, fitted, &design, &targets, &kept, &of));
    TRY(fill_design(&run->work, &targets));
    TRY(say_targets(run, a, &c, &model, &targets, kept));
done:
    table_release(fitted);
    table_release(of);
    return status;
}
