/* A fitted regression as columns of a saved model and back. "regression of NAME" holds, one number a row: the kind, the records it was
 * fitted on, the residual sum of squares and its degrees of freedom, the largest count, how many classes, predictors and parameters; the
 * classes' states; visit, mean and standard deviation of each predictor; the estimates; the lower triangle of the precision's root.
 * "means of NAME" are the predicted means of predictive mean matching, "donors of NAME" whose they are, as places in the sorted column. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "synth/engine/saved_trees.h"

enum { KIND, ROWS, RSS, DF, CEILING, CLASSES, PREDICTORS, PARAMETERS, HEAD };

static int64_t numbers_in(int64_t classes, int64_t predictors, int64_t parameters) {
    return HEAD + classes + 3 * predictors + parameters + parameters * (parameters + 1) / 2;
}

int64_t regression_rows(const Regression *r) { return numbers_in(r->classes, r->terms.count, r->parameters); }

void regression_numbers(const Regression *r, const int64_t *visit_of, double *out) {
    const double head[HEAD] = { r->kind, (double)r->rows, r->rss, r->df, r->ceiling, r->classes, r->terms.count, r->parameters };
    memcpy(out, head, sizeof head);
    out += HEAD;
    for (int32_t k = 0; k < r->classes; k++) *out++ = r->state[k];
    for (int32_t k = 0; k < r->terms.count; k++) {
        *out++ = (double)visit_of[r->terms.term[k].variable];
        *out++ = r->terms.term[k].mean;
        *out++ = r->terms.term[k].sd;
    }
    for (int32_t k = 0; k < r->parameters; k++) *out++ = r->estimate[k];
    for (int32_t i = 0; i < r->parameters; i++)
        for (int32_t j = 0; j <= i; j++) *out++ = r->root[(int64_t)i * r->parameters + j];
}

/* ---- and back: nothing is taken on trust ---- */

/* A whole number from `low` to `high`. */
static bool whole(double x, double low, double high, int32_t *out) {
    if (!(x >= low && x <= high) || x != floor(x)) return false;
    *out = (int32_t)x;
    return true;
}

static bool is_class(ModelKind kind) { return kind == MODEL_LOGISTIC || kind == MODEL_MULTINOMIAL || kind == MODEL_ORDERED; }

static bool read_head(const double *x, const Variable *v, int64_t visit, Regression *r, int32_t *predictors) {
    int32_t kind, rows;
    if (!whole(x[KIND], MODEL_NORMAL, MODEL_PMM, &kind) || !whole(x[ROWS], 1, (double)v->column->rows, &rows)) return false;
    *r = (Regression){ .kind = (ModelKind)kind, .rows = rows, .rss = x[RSS], .df = x[DF], .ceiling = x[CEILING] };
    if (r->rss < 0 || r->df < 0 || r->ceiling < 0) return false;
    if (is_class(r->kind) ? !whole(x[CLASSES], 1, v->states, &r->classes) : !v->numeric || x[CLASSES] != 0) return false;
    if (!is_class(r->kind) && r->kind != MODEL_POISSON && !(r->df >= 1)) return false;
    return whole(x[PREDICTORS], 0, (double)visit, predictors) && whole(x[PARAMETERS], 0, 3000, &r->parameters);
}

/* As many as the fit would have. */
static bool count_right(const Regression *r) {
    int64_t columns = r->terms.columns;
    if (r->kind == MODEL_ORDERED) return r->parameters == columns + (r->classes > 1 ? r->classes - 1 : 1);
    if (is_class(r->kind)) return r->parameters == (r->classes - 1) * columns;
    return r->parameters == columns;
}

static Status read_terms(const Synthesis *s, Model *m, const double *x, int32_t predictors, Regression *r, bool *fine, Error *error) {
    *fine = false;
    m->predictors = 0;
    for (int32_t k = 0; k < predictors; k++) {
        int32_t visit;
        if (!whole(x[3 * k], 0, (double)m->variable - 1, &visit)) return OK;
        model_predict_from(m, s, visit);
    }
    Status status = terms_make(s, m, NULL, 0, &r->terms, error);
    *fine = !status && count_right(r);
    for (int32_t k = 0; *fine && k < predictors; k++) {
        Term *term = &r->terms.term[k];
        term->mean = x[3 * k + 1];
        term->sd = x[3 * k + 2];
        *fine = !term->numeric || term->sd > 0;
    }
    return status;
}

static Status read_parameters(const double *x, Regression *r, bool *fine, Error *error) {
    int64_t p = r->parameters;
    r->estimate = calloc((size_t)p + 1, sizeof *r->estimate);
    r->root = calloc((size_t)(p * p) + 1, sizeof *r->root);
    if (!r->estimate || !r->root) return out_of_memory(error);
    memcpy(r->estimate, x, (size_t)p * sizeof *x);
    x += p;
    *fine = true;
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = 0; j <= i; j++) {
            r->root[i * p + j] = *x;
            *fine &= i != j || *x > 0;
            x++;
        }
    return OK;
}

static bool read_states(const double *x, const Variable *v, Regression *r) {
    for (int32_t k = 0; k < r->classes; k++) {
        int32_t state;
        if (!whole(x[k], 0, v->states - 1, &state)) return false;
        r->state[k] = (uint16_t)state;
    }
    return true;
}

/* The values that the ranks are of: those of ordinary cells. The column is sorted. */
static Status read_ranks(const Model *m, const Variable *v, Regression *r, bool *fine, Error *error) {
    int64_t count = 0;
    r->sorted = malloc((size_t)(r->rows + 1) * sizeof *r->sorted);
    if (!r->sorted) return out_of_memory(error);
    for (int64_t i = 0; i < v->column->rows && count <= r->rows; i++)
        if (!(m->absent && m->absent[i]) && count++ < r->rows) r->sorted[count - 1] = v->real[i];
    *fine = count == r->rows;
    for (int64_t i = 1; *fine && i < count; i++) *fine = r->sorted[i - 1] <= r->sorted[i];
    return OK;
}

Status regression_read(const Synthesis *s, Model *m, const double *x, int64_t count, Regression *r, bool *fine, Error *error) {
    Status status = OK;
    const Variable *v = &s->variable[m->variable];
    int32_t predictors = 0;
    *fine = count >= HEAD;
    for (int64_t i = 0; *fine && i < count; i++) *fine = isfinite(x[i]);
    if (!*fine || !(*fine = read_head(x, v, m->variable, r, &predictors))) goto done;
    if (!(*fine = count == numbers_in(r->classes, predictors, r->parameters))) goto done;
    r->state = calloc((size_t)r->classes + 1, sizeof *r->state);
    if (!r->state) TRY(out_of_memory(error));
    if (!(*fine = read_states(x + HEAD, v, r))) goto done;
    TRY(read_terms(s, m, x + HEAD + r->classes, predictors, r, fine, error));
    if (*fine) TRY(read_parameters(x + HEAD + r->classes + 3 * (int64_t)predictors, r, fine, error));
done:
    return status;
}

Status regression_values(const Synthesis *s, const Model *m, const Column *means, const Column *donors, Regression *r, bool *fine,
                         Error *error) {
    const Variable *v = &s->variable[m->variable];
    *fine = true;
    if (r->kind == MODEL_RANK_NORMAL) return read_ranks(m, v, r, fine, error);
    if (r->kind != MODEL_PMM) return OK;
    *fine = means && donors && column_numeric(means) && donors->type == INTEGER_TYPE && means->rows - means->missing == r->rows &&
            donors->rows - donors->missing == r->rows;
    if (!*fine) return OK;
    r->sorted = malloc((size_t)(r->rows + 1) * sizeof *r->sorted);
    r->donor = malloc((size_t)(r->rows + 1) * sizeof *r->donor);
    if (!r->sorted || !r->donor) return out_of_memory(error);
    for (int64_t i = 0; *fine && i < r->rows; i++) {
        r->sorted[i] = column_missing(means, i) ? NAN : column_number(means, i);
        *fine = isfinite(r->sorted[i]) && (!i || r->sorted[i - 1] <= r->sorted[i]) && !column_missing(donors, i) &&
                column_integer(donors, i) >= 0 && column_integer(donors, i) < v->column->rows &&
                isfinite(v->real[column_integer(donors, i)]);
        if (*fine) r->donor[i] = (int32_t)column_integer(donors, i);
    }
    return OK;
}
