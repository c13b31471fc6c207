/* The debits' noise read back, and composed: exactly, by ρ, by μ, and as one vector of ROC privacy. */
#include "recipe/ledger_total.h"
#include <jansson.h>
#include <string.h>
#include "base/elementary.h"
#include "math/privacy/compose.h"
#include "math/privacy/roc.h"

/* Everything that was debited. Choices are listed as randomised responses, the worst of their ε, for the exact composition; their ρ is
 * known to be ε²/8. */
typedef struct Total {
    Work *work;
    Component *part;
    int64_t count, room;
    double *element;
    int64_t elements, element_room;
    double zcdp, gdp;
    bool normal, known;
    double delta;
} Total;
enum { MOST = 256 }; /* different parts that are composed exactly */

static Status add_part(Total *t, Noise noise) {
    Status status = OK;
    for (int64_t i = 0; i < t->count; i++) {
        const Noise *n = &t->part[i].noise;
        if (n->family == noise.family && n->shift == noise.shift && n->scale == noise.scale) {
            t->part[i].times++;
            return OK;
        }
    }
    GROW(t->work, t->part, t->room, t->count + 1);
    t->part[t->count++] = (Component){ noise, 1 };
done:
    return status;
}

static Status add_noise(Total *t, bool laplace, double shift, double scale) {
    Status status = OK;
    Noise noise = { .family = laplace ? DISCRETE_LAPLACE_NOISE : GAUSSIAN_NOISE, .shift = shift, .scale = scale };
    if (!(shift > 0 && scale > 0)) {
        t->known = false;
        return OK;
    }
    if (laplace && (scale > 20000 || shift > 20000))
        noise = (Noise){ .family = LAPLACE_NOISE, .shift = shift / scale, .scale = 1 }; /* the same to 1e-9 */
    double mu = noise_gdp(&noise);
    t->zcdp += noise_zcdp(&noise);
    t->gdp += mu * mu;
    t->normal &= !laplace;
    if (!laplace) {
        GROW(t->work, t->element, t->element_room, t->elements + 1);
        t->element[t->elements++] = shift * shift / (2 * scale * scale);
    }
    TRY(add_part(t, noise));
done:
    return status;
}

/* Of range ε: ε²/8; ε-differentially private and no more: ε²/2. */
static Status add_choice(Total *t, double epsilon, bool ranked) {
    double mu = pure_gdp(epsilon);
    t->zcdp += epsilon * epsilon / (ranked ? 8 : 2);
    t->gdp += mu * mu;
    t->normal = false;
    return add_part(t, (Noise){ .family = RANDOMIZED_RESPONSE, .shift = epsilon, .scale = 1 });
}

/* One debit's detail, as release writes it. */
static Status add_detail(Total *t, const char *text) {
    Status status = OK;
    json_error_t where;
    size_t i;
    json_t *whole = text ? json_loads(text, 0, &where) : NULL, *each;
    const char *noise = whole ? json_string_value(json_object_get(whole, "noise")) : NULL;
    if (!noise) {
        t->known = t->normal = false;
        goto done;
    }
    bool laplace = !strcmp(noise, "discrete-laplace");
    json_array_foreach (json_object_get(whole, "parts"), i, each)
        TRY(add_noise(t, laplace, json_number_value(json_array_get(each, 0)), json_number_value(json_array_get(each, 1))));
    bool ranked = json_object_get(whole, "pure") != NULL; /* before there was that list, keys by the optimal rule stood among the choices */
    json_array_foreach (json_object_get(whole, "choices"), i, each) TRY(add_choice(t, json_number_value(each), ranked));
    json_array_foreach (json_object_get(whole, "pure"), i, each) TRY(add_choice(t, json_number_value(each), false));
    t->delta += json_number_value(json_object_get(whole, "threshold"));
    if (json_array_size(json_object_get(whole, "smooth"))) t->known = t->normal = false;
done:
    json_decref(whole);
    return status;
}

/* Thresholds fail with a δ of their own: what is left of δ is the noise's. */
static Status report_epsilon(Run *run, Total *t, double delta) {
    Status status = OK;
    LossDistribution loss;
    double left = delta - t->delta, by_zcdp = left > 0 ? zcdp_epsilon(t->zcdp, left) : INFINITY, epsilon = by_zcdp;
    result_real(run->result, "total_delta", delta);
    if (t->count && t->count <= MOST && left > 0) {
        TRY(compose_exact(t->work, t->part, t->count, &loss, NULL));
        epsilon = fmin(epsilon, loss_epsilon(&loss, left));
    }
    if (!t->count) epsilon = 0;
    if (isfinite(epsilon)) result_real(run->result, "total_epsilon", epsilon);
    else result_null(run->result, "total_epsilon", "The thresholds' own δ is more than this one, or no ε reaches it.");
done:
    return status;
}

Status ledger_total(Run *run, const LedgerEntries *entries, double delta) {
    Status status = OK;
    Total t = { .work = &run->work, .normal = true, .known = true };
    for (int64_t i = 0; i < entries->count; i++) {
        const LedgerEntry *e = &entries->entry[i];
        if (strcmp(e->kind, "debit")) continue;
        TRY(add_detail(&t, e->detail));
    }
    if (!t.known) {
        result_null(run->result, "total_epsilon",
                    "Some debits do not say what noise they had (smooth sensitivity, or another method's): what all of them promise "
                    "together cannot be told here beyond what was spent.");
        return OK;
    }
    TRY(report_epsilon(run, &t, delta));
    result_real(run->result, "total_zcdp", t.zcdp);
    result_real(run->result, "total_gdp", sqrt(t.gdp));
    if (!t.normal || !t.elements) goto done;
    double auc, sum = 0;
    TRY(roc_vector_auc(t.work, t.element, t.elements, &auc, NULL));
    for (int64_t i = 0; i < t.elements; i++) sum += t.element[i];
    result_real(run->result, "total_auc", auc);
    result_real(run->result, "total_auc_direction", roc_auc(sum));
    result_real(run->result, "total_auc_informed", roc_auc_informed(sum));
done:
    return status;
}
