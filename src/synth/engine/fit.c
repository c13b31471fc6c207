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
    if (!rows) TRY(fail(error, FAILED, "out of memory"));
    Target missing = { .class = m->absent, .classes = 2, .weight = s->weight };
    Target value = { .real = v->numeric ? v->real : NULL, .class = v->state, .classes = v->numeric ? 0 : v->states, .weight = s->weight };
    int32_t features = m->kind == MODEL_SAMPLE ? 0 : m->predictors;
    if (m->missing)
        TRY(donor_tree_grow(m->feature, features, &missing, rows, rows_of(s, stratum, NULL, rows), &s->grow, &m->missing[stratum], error));
    int64_t count = rows_of(s, stratum, v->numeric ? m->absent : NULL, rows);
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

static Status prepare(Synthesis *s, Model *m) {
    Status status = OK;
    Work *work = &s->run->work;
    const Variable *v = &s->variable[m->variable];
    bool trees = m->kind == MODEL_CART || m->kind == MODEL_SAMPLE;
    bool classes =
        m->kind == MODEL_LOGISTIC || m->kind == MODEL_MULTINOMIAL || m->kind == MODEL_ORDERED; /* for which missing is one more */
    if (v->numeric && v->missing && !classes) {
        NEW(work, m->missing, s->strata.count + 1);
        NEW(work, m->absent, v->column->rows + 1);
        for (int64_t i = 0; i < v->column->rows; i++) m->absent[i] = (uint16_t) !!isnan(v->real[i]);
    }
    if (trees) NEW(work, m->value, s->strata.count + 1);
    else NEW(work, m->regression, s->strata.count + 1);
done:
    return status;
}

Status synthesis_fit(Synthesis *s) {
    Status status = OK;
    Fitting f = { s };
    for (int64_t k = 0; k < s->visits; k++) TRY(prepare(s, &s->model[k]));
    work_show(&s->run->work, "fitting", 0.1);
    TRY(parallel_for(&s->run->work, s->visits * s->strata.count, 1, fit_block, &f));
done:
    return status;
}
