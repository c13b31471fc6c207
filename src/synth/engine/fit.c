/* Models fitted, every column in every stratum by itself: on all threads. */
#include <stdlib.h>
#include "base/elementary.h"
#include "synth/engine/engine.h"
#include "synth/engine/regression.h"

typedef struct Fitting {
    Synthesis *s;
} Fitting;

/* The stratum's rows that can be learned from: all, or those where the value is present. */
static int64_t rows_of(const Synthesis *s, int64_t stratum, const uint16_t *absent, int32_t *rows) {
    int64_t count = 0;
    for (int64_t i = s->strata.start[stratum]; i < s->strata.start[stratum + 1]; i++) {
        int64_t row = s->strata.row[i];
        if ((!absent || !absent[row]) && (!s->usable || s->usable[row])) rows[count++] = (int32_t)row;
    }
    return count;
}

static Status fit_one(Synthesis *s, Model *m, int64_t stratum, Error *error) {
    Status status = OK;
    const Variable *v = &s->variable[m->variable];
    int64_t size = s->strata.start[stratum + 1] - s->strata.start[stratum];
    int32_t *rows = malloc((size_t)(size + 1) * sizeof *rows);
    if (!rows) TRY(out_of_memory(error));
    bool linear = v->numeric && !v->nominal; /* a nominal number is a category, and missing one more */
    Target missing = { .class = m->absent, .classes = m->kinds, .weight = s->weight };
    Target value = { .real = linear ? v->real : NULL, .class = v->state, .classes = linear ? 0 : v->states, .weight = s->weight };
    int32_t features = m->kind == MODEL_SAMPLE ? 0 : m->predictors;
    if (m->missing)
        TRY(donor_tree_grow(m->feature, features, &missing, rows, rows_of(s, stratum, NULL, rows), &s->grow, &m->missing[stratum], error));
    int64_t count = rows_of(s, stratum, m->absent, rows);
    if (m->regression) TRY(regression_fit(s, m, rows, count, &m->regression[stratum], error));
    if (m->value) TRY(donor_tree_grow(m->feature, features, &value, rows, count, &s->grow, &m->value[stratum], error));
done:
    free(rows);
    return status;
}

static Status fit_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Fitting *f = self;
    (void)block, (void)last;
    int64_t visits = f->s->visits, visit = visits - 1 - first % visits; /* the last have the most predictors: begin with them */
    return fit_one(f->s, &f->s->model[visit], first / visits, error);
}

/* The spikes below and above all other values: no income, a code for refusal, a top code. No line goes through them. Those within the range
 * are round numbers as often as not. */
static Status end_spikes(Work *work, const Variable *v, uint16_t **out, int32_t *kinds) {
    Status status = OK;
    bool *spike = NULL;
    int32_t low = 0, high = v->bins;
    TRY(variable_spikes(work, v, &spike));
    NEW(work, *out, v->bins + 1);
    while (low < high && spike[low]) (*out)[low++] = (uint16_t)(*kinds)++;
    while (high > low && spike[high - 1]) (*out)[--high] = (uint16_t)(*kinds)++;
done:
    return status;
}

Status model_prepare(Synthesis *s, Model *m) {
    Status status = OK;
    Work *work = &s->run->work;
    const Variable *v = &s->variable[m->variable];
    bool trees = m->kind == MODEL_CART || m->kind == MODEL_SAMPLE;
    bool classes =
        m->kind == MODEL_LOGISTIC || m->kind == MODEL_MULTINOMIAL || m->kind == MODEL_ORDERED; /* for which missing is one more */
    uint16_t *spike = NULL;
    m->kinds = CELL_SPIKE;
    if (v->numeric && !classes && !trees) TRY(end_spikes(work, v, &spike, &m->kinds));
    if (v->numeric && !classes && !(trees && v->nominal) && (v->missing || m->kinds > CELL_SPIKE)) {
        NEW(work, m->missing, s->strata.count + 1);
        NEW(work, m->absent, v->column->rows + 1);
        for (int64_t i = 0; i < v->column->rows; i++)
            m->absent[i] = isnan(v->real[i]) ? CELL_MISSING : spike && v->real[i] == v->edge[v->state[i]] ? spike[v->state[i]] : 0;
    }
    if (trees) NEW(work, m->value, s->strata.count + 1);
    else NEW(work, m->regression, s->strata.count + 1);
done:
    return status;
}

Status synthesis_fit(Synthesis *s) {
    Status status = OK;
    Fitting f = { s };
    for (int64_t k = 0; k < s->visits; k++) TRY(model_prepare(s, &s->model[k]));
    work_show(&s->run->work, "fitting", 0.1);
    TRY(parallel_for(&s->run->work, s->visits * s->strata.count, 1, fit_block, &f));
done:
    return status;
}
