/* The plan: which columns are drawn, in which order, from which predictors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "synth/engine/engine.h"
#include "synth/engine/regression.h"

const char *model_name(ModelKind kind) {
    static const char *const names[] = {
        "cart", "normal", "rank-normal", "logistic", "multinomial", "ordered", "poisson", "pmm", "sample"
    };
    return names[kind];
}

bool model_makes_numbers(ModelKind kind) { return kind == MODEL_NORMAL || kind == MODEL_RANK_NORMAL || kind == MODEL_POISSON; }

bool makes_numbers(const Synthesis *s, const Model *m) {
    const Variable *v = &s->variable[m->variable];
    bool classes = m->kind == MODEL_LOGISTIC || m->kind == MODEL_MULTINOMIAL || m->kind == MODEL_ORDERED;
    return v->numeric && (model_makes_numbers(m->kind) || (v->spaced && !classes));
}

int64_t synthesis_find(const Synthesis *s, const char *name) {
    for (int64_t v = 0; v < s->variables; v++)
        if (!strcmp(s->variable[v].column->name, name)) return v;
    return -1;
}

const Model *synthesis_model(const Synthesis *s, int64_t variable) {
    for (int64_t k = 0; k < s->visits; k++)
        if (s->model[k].variable == variable) return &s->model[k];
    return NULL;
}

static Status make_variables(Synthesis *s, Columns modelled, Columns known) {
    Status status = OK;
    Work *work = &s->run->work;
    NEW(work, s->variable, modelled.count + known.count + 1);
    NEW(work, s->known, modelled.count + known.count + 1);
    for (int64_t j = 0; j < modelled.count + known.count; j++) {
        const Column *column = j < modelled.count ? modelled.at[j] : known.at[j - modelled.count];
        if (synthesis_find(s, column->name) >= 0) continue;
        TRY(variable_make(work, column, &s->variable[s->variables]));
        s->known[s->variables++] = j >= modelled.count;
        work_show(work, "reading", (double)j / (double)(modelled.count + known.count));
        TRY(work_check(work));
    }
done:
    return status;
}

/* Few states first: they cost least as predictors, and many-valued columns are best drawn when much is known. Categories before numbers. */
static int64_t cost_of(const Variable *v) { return v->states + (v->numeric && !v->nominal && v->bins > 32 ? 100000 : 0); }

static Status order_visits(Synthesis *s) {
    Status status = OK;
    Work *work = &s->run->work;
    bool *placed = NULL;
    NEW(work, s->visit, s->variables + 1);
    NEW(work, placed, s->variables + 1);
    for (int64_t j = 0; j < s->args->visit.count; j++) {
        int64_t v = synthesis_find(s, s->args->visit.at[j]->name);
        if (v < 0 || s->known[v]) {
            fail(work->error, BAD, "names a column that is not synthesised");
            error_column(work->error, s->args->visit.at[j]->name);
            TRY(error_parameter(work->error, "visit"));
        }
        if (!placed[v]) s->visit[s->visits++] = v;
        placed[v] = true;
    }
    for (;;) {
        int64_t best = -1;
        for (int64_t v = 0; v < s->variables; v++)
            if (!placed[v] && !s->known[v] && (best < 0 || cost_of(&s->variable[v]) < cost_of(&s->variable[best]))) best = v;
        if (best < 0) break;
        placed[best] = true;
        s->visit[s->visits++] = best;
    }
done:
    return status;
}

void model_predict_from(Model *m, const Synthesis *s, int64_t v) {
    const Variable *p = &s->variable[v];
    m->predictor[m->predictors] = (int32_t)v;
    m->feature[m->predictors++] = (Feature){ .state = p->state,
                                             .states = p->states,
                                             .ordered = p->numeric && !p->nominal,
                                             .missing = p->numeric && !p->nominal && p->missing };
}

static void add_predictor(Synthesis *s, Model *m, int64_t v) {
    if (s->variable[v].states > 1) model_predict_from(m, s, v); /* else it says nothing */
}

static bool comes_before(const Synthesis *s, int64_t v, int64_t visit) {
    if (s->known[v]) return true;
    for (int64_t k = 0; k < visit; k++)
        if (s->visit[k] == v) return true;
    return false;
}

/* "y ~ a + b": the predictors of y, in place of all that come before it. */
static Status named_predictors(Synthesis *s, Model *m, int64_t visit, const Formula *formula) {
    Status status = OK;
    m->predictors = 0;
    for (int64_t i = 1; i < formula_columns(formula); i++) {
        const char *name = formula_column_at(formula, i);
        int64_t v = synthesis_find(s, name);
        if (v < 0 || !comes_before(s, v, visit)) {
            fail(s->run->work.error, BAD, "'%s' is drawn before '%s', so that it cannot be predicted from it",
                 s->variable[m->variable].column->name, name);
            error_parameter(s->run->work.error, "predictors");
            TRY(error_advice(s->run->work.error, "Name the order of the columns with --visit."));
        }
        add_predictor(s, m, v);
    }
done:
    return status;
}

static Status parse_predictors(Synthesis *s, const Formula ***out) {
    Status status = OK;
    Work *work = &s->run->work;
    NEW(work, *out, s->args->predictors.count + 1);
    for (int64_t i = 0; i < s->args->predictors.count; i++) {
        const char *text = s->args->predictors.at[i];
        status = formula_parse(work, s->args->data, text, &(*out)[i]);
        if (status) {
            error_parameter(work->error, "predictors");
            goto done;
        }
        int64_t v = formula_columns((*out)[i]) ? synthesis_find(s, formula_column_at((*out)[i], 0)) : -1;
        if (v >= 0 && !s->known[v] && strchr(text, '~') && strchr(text, '~') != text) continue;
        fail(work->error, BAD, "the left side must be a column that is synthesised: \"income ~ age + sex\"");
        TRY(error_parameter(work->error, "predictors"));
    }
done:
    return status;
}

static Status make_models(Synthesis *s) {
    Status status = OK;
    Work *work = &s->run->work;
    const Formula **formula = NULL;
    TRY(parse_predictors(s, &formula));
    NEW(work, s->model, s->visits + 1);
    for (int64_t k = 0; k < s->visits; k++) {
        Model *m = &s->model[k];
        const Formula *own = NULL;
        m->variable = s->visit[k];
        NEW(work, m->predictor, s->variables + 1);
        NEW(work, m->feature, s->variables + 1);
        for (int64_t i = 0; i < s->args->predictors.count; i++)
            if (synthesis_find(s, formula_column_at(formula[i], 0)) == m->variable) own = formula[i];
        for (int64_t v = 0; !own && v < s->variables; v++)
            if (s->known[v]) add_predictor(s, m, v);
        for (int64_t j = 0; !own && j < k; j++) add_predictor(s, m, s->visit[j]);
        if (own) TRY(named_predictors(s, m, k, own));
    }
done:
    return status;
}

/* Smaller leaves give records of the data back (docs/methods/synth-cart.md has figures); in small tables they are needed to tell anything
 * apart. */
static int64_t usual_leaf(int64_t rows) { return rows >= 1000 ? 20 : rows >= 250 ? rows / 50 : 5; }

Status synthesis_plan(Synthesis *s, Run *run, const SynthArgs *args, Columns modelled, Columns known) {
    Status status = OK;
    Work *work = &run->work;
    *s = (Synthesis){ .run = run, .args = args };
    s->grow = (GrowOptions){ .min_leaf = args->min_leaf > 0 ? args->min_leaf : usual_leaf(args->data->rows),
                             .complexity = isnan(args->complexity) ? 0 : args->complexity,
                             .depth = 64 };
    s->grow.work = &s->run->work;
    s->grow.min_split = 3 * s->grow.min_leaf;
    if (args->data->rows > INT32_MAX) TRY(fail(work->error, FAILED, "more than 2^31 records"));
    if (args->rules) TRY(edit_rules_make(work, args->rules, args->data, &s->rules));
    TRY(make_variables(s, modelled, known));
    TRY(order_visits(s));
    TRY(make_models(s));
    TRY(strata_make(work, args->strata, args->data->rows, &s->strata));
    if (args->weight) TRY(column_reals(work, args->weight, &s->weight));
done:
    return status;
}

void synthesis_free(Synthesis *s) {
    for (int64_t k = 0; s->model && k < s->visits; k++)
        for (int64_t t = 0; t < s->strata.count; t++) {
            if (s->model[k].missing) donor_tree_free(&s->model[k].missing[t]);
            if (s->model[k].value) donor_tree_free(&s->model[k].value[t]);
            if (s->model[k].regression) regression_free(&s->model[k].regression[t]);
        }
}

Status columns_beside(Run *run, const Table *data, Columns drawn, Columns *out) {
    Status status = OK;
    NEW(&run->work, out->at, data->columns + 1);
    for (int64_t j = 0; j < data->columns; j++) {
        const Column *column = data->column[j];
        bool is_drawn = false, name = false;
        for (int64_t k = 0; k < drawn.count; k++) is_drawn |= drawn.at[k] == column;
        if (!is_drawn && !column_numeric(column) && column->type != DATE_TYPE && data->rows > 50) {
            Codes codes;
            TRY(column_codes(&run->work, column, &codes));
            name = codes.count > data->rows * 9 / 10 || codes.count >= MOST_STATES;
        }
        if (!is_drawn && !name) out->at[out->count++] = column;
    }
done:
    return status;
}
