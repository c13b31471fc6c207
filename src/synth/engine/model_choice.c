/* Which model a column gets: what --models says, else a tree, or a regression by the kind of its values. */
#include <string.h>
#include "synth/engine/engine.h"

enum { MOST_CLASSES = 40, FEW_NUMBERS = 12 };

static bool ordered_words(const Variable *v) { return v->column->type == CATEGORY_TYPE && v->column->words->ordered; }

/* Numbers by their ranks, so that no shape is forced on them; numbers with few values (codes, scales) as categories; two categories a
 * logit, ordered ones a cumulative logit, several a multinomial one. */
static ModelKind usual(const Synthesis *s, const Model *m) {
    const Variable *v = &s->variable[m->variable];
    if (s->args->method == BY_CART) return MODEL_CART;
    if (!m->predictors) return MODEL_SAMPLE;
    if (v->numeric && !v->nominal && v->bins > FEW_NUMBERS) return MODEL_RANK_NORMAL;
    if (v->states < 2) return MODEL_SAMPLE;
    if (v->states > MOST_CLASSES) return MODEL_CART;
    if (ordered_words(v) && !v->missing && v->states <= 24) return MODEL_ORDERED;
    return v->states <= 2 ? MODEL_LOGISTIC : MODEL_MULTINOMIAL;
}

static Status fits(Synthesis *s, const Model *m) {
    const Variable *v = &s->variable[m->variable];
    Error *error = s->run->work.error;
    bool number = m->kind == MODEL_NORMAL || m->kind == MODEL_RANK_NORMAL || m->kind == MODEL_PMM || m->kind == MODEL_POISSON;
    bool words = m->kind == MODEL_LOGISTIC || m->kind == MODEL_MULTINOMIAL || m->kind == MODEL_ORDERED;
    bool few = !v->numeric || v->bins <= MOST_CLASSES;
    if ((!number || v->numeric) && (!words || few) && (m->kind != MODEL_LOGISTIC || v->states <= 2) &&
        (m->kind != MODEL_ORDERED || !v->missing))
        return OK;
    if (m->kind == MODEL_ORDERED && v->missing) fail(error, BAD, "an ordered model cannot draw missing values, and the column has some");
    else if (m->kind == MODEL_LOGISTIC && few)
        fail(error, BAD, "a logistic model is of two categories, and the column has more (missing counts as one)");
    else fail(error, BAD, "a %s model is of %s", model_name(m->kind), number ? "numbers" : "categories");
    error_column(error, v->column->name);
    return error_parameter(error, "models");
}

static Status named(Synthesis *s, const Pair *pair) {
    Error *error = s->run->work.error;
    for (int64_t k = 0; k < s->visits; k++) {
        Model *m = &s->model[k];
        if (strcmp(s->variable[m->variable].column->name, pair->name)) continue;
        for (ModelKind kind = MODEL_CART; kind <= MODEL_SAMPLE; kind++) {
            if (strcmp(model_name(kind), pair->text[0])) continue;
            m->kind = kind;
            return fits(s, m);
        }
        fail(error, BAD, "there is no model '%s'", pair->text[0]);
        error_parameter(error, "models");
        return error_advice(error, "Models are normal, rank-normal, logistic, multinomial, ordered, poisson, pmm, cart and sample.");
    }
    fail(error, BAD, "names '%s', which is not synthesised", pair->name);
    return error_parameter(error, "models");
}

Status choose_models(Synthesis *s) {
    Status status = OK;
    for (int64_t k = 0; k < s->visits; k++) s->model[k].kind = usual(s, &s->model[k]);
    for (int64_t i = 0; i < s->args->models.count; i++) TRY(named(s, &s->args->models.at[i]));
    for (int64_t k = 0; k < s->visits; k++)
        if (s->model[k].kind != MODEL_CART && s->model[k].kind != MODEL_SAMPLE) s->numbers = true;
done:
    return status;
}
