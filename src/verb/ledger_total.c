/* The debits' noise read back, brought to the ledger's unit, and composed: exactly, by ρ, by μ, and as one vector of ROC privacy. */
#include "verb/ledger_total.h"
#include <jansson.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/privacy/compose.h"
#include "math/privacy/roc.h"

/* Everything that was debited and is differentially private. Choices, keys by the optimal rule and (ε, δ) promises are listed as randomised
 * responses, the worst of their ε (Kairouz, Oh & Viswanath 2015), for the exact composition. */
typedef struct Total {
    Work *work;
    Component *part;
    int64_t count, room;
    double *element; /* l of each normal release */
    int64_t elements, element_room;
    double zcdp, gdp, delta;
    bool normal, exact, has_mu;         /* every part is normal; has a noise that is known; has a μ */
    int64_t one_removed, for_steward;   /* entries that are no differential privacy; answers for the steward's eyes */
    bool private_known, auc_known, any; /* every private entry says what noise it had; every entry is a vector of normal noise */
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

static Status add_element(Total *t, double noncentrality) {
    Status status = OK;
    GROW(t->work, t->element, t->element_room, t->elements + 1);
    t->element[t->elements++] = noncentrality;
done:
    return status;
}

/* Where shift and scale are both large the discrete and the continuous family differ by less than 1/(4·shift·scale), which is added: noise
 * of one promise then counts as one part, whatever grid it was drawn on. */
static Noise laplace_part(double shift, double scale) {
    Noise noise = { .family = DISCRETE_LAPLACE_NOISE, .shift = shift, .scale = scale };
    if (scale > 20000 && shift > 20000) noise = (Noise){ .family = LAPLACE_NOISE, .shift = shift / scale * (1 + 1e-9), .scale = 1 };
    return noise;
}

/* `steps`: 2 where the promise is for who is added or removed and the ledger's for who is replaced, else 1. Two steps move a number twice
 * as far. */
static Status add_noise(Total *t, bool laplace, double shift, double scale, double steps) {
    Status status = OK;
    if (!(shift > 0 && scale > 0)) {
        t->private_known = false;
        return OK;
    }
    Noise noise =
        laplace ? laplace_part(steps * shift, scale) : (Noise){ .family = GAUSSIAN_NOISE, .shift = steps * shift, .scale = scale };
    double mu = noise_gdp(&noise);
    t->zcdp += noise_zcdp(&noise);
    t->gdp += mu * mu;
    t->normal &= !laplace;
    if (!laplace) TRY(add_element(t, mu * mu / 2));
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

static double number_of(const json_t *object, const char *name) { return json_number_value(json_object_get(object, name)); }
static double at(const json_t *array, size_t i) { return json_number_value(json_array_get(array, i)); }

/* (ε, δ) and nothing better: (2ε, (1 + e^ε)δ) after two steps. */
static Status add_approximate(Total *t, double epsilon, double delta, double steps) {
    t->delta += steps > 1 ? (1 + exp(epsilon)) * delta : delta;
    return add_choice(t, steps * epsilon, false);
}

/* Σε of Laplace noise and choices: what a release with private keys is, but for its thresholds' δ. */
static double pure_epsilon(const json_t *whole) {
    double sum = 0;
    size_t i;
    json_t *each;
    json_array_foreach (json_object_get(whole, "parts"), i, each) sum += at(each, 0) / at(each, 1);
    json_array_foreach (json_object_get(whole, "choices"), i, each) sum += json_number_value(each);
    json_array_foreach (json_object_get(whole, "pure"), i, each) sum += json_number_value(each);
    return sum;
}

/* One debit's detail, as release query, synth private and tabular noise write it. */
static Status add_detail(Total *t, const json_t *whole, double steps) {
    Status status = OK;
    size_t i;
    json_t *each;
    const json_t *smooth = json_object_get(whole, "smooth"), *promise = json_object_get(whole, "promise");
    const char *noise = json_string_value(json_object_get(whole, "noise"));
    double threshold = number_of(whole, "threshold");
    if (!noise) {
        t->private_known = t->normal = false;
        return OK;
    }
    bool laplace = !strcmp(noise, "discrete-laplace");
    if (!strcmp(noise, "zcdp")) {
        t->zcdp += steps * steps * number_of(whole, "zcdp");
        t->exact = t->has_mu = t->normal = false;
        return OK;
    }
    if (json_array_size(smooth)) return add_approximate(t, at(smooth, 0), at(smooth, 1), steps);
    if (threshold > 0 && steps > 1) { /* thresholds are no part that moves twice as far */
        if (laplace) return add_approximate(t, pure_epsilon(whole), threshold, steps);
        if (json_array_size(promise)) return add_approximate(t, at(promise, 0), at(promise, 1), steps);
        t->private_known = false;
        return OK;
    }
    json_array_foreach (json_object_get(whole, "parts"), i, each) TRY(add_noise(t, laplace, at(each, 0), at(each, 1), steps));
    json_array_foreach (json_object_get(whole, "choices"), i, each) TRY(add_choice(t, steps * json_number_value(each), true));
    json_array_foreach (json_object_get(whole, "pure"), i, each) TRY(add_choice(t, steps * json_number_value(each), false));
    t->delta += threshold;
done:
    return status;
}

/* Leave-one-out compares a table with those that lack one of its records, and its noise may follow from the table: such a debit is part of
 * the ROC vector alone. */
static Status add_one_removed(Total *t, const json_t *whole) {
    Status status = OK;
    size_t i;
    json_t *each;
    t->one_removed++;
    if (!whole) t->auc_known = false;
    json_array_foreach (json_object_get(whole, "parts"), i, each) {
        double mu = at(each, 0) / at(each, 1);
        TRY(add_element(t, mu * mu / 2));
    }
done:
    return status;
}

static Status add_entry(Total *t, const LedgerEntry *e, const char *unit) {
    json_t *whole = e->detail ? json_loads(e->detail, 0, NULL) : NULL;
    bool twice = unit && e->unit && !strcmp(unit, "replace-one") && !strcmp(e->unit, "add-remove");
    Status status = OK;
    t->for_steward += json_is_true(json_object_get(whole, "steward"));
    if (e->neighbours && !strcmp(e->neighbours, "leave-one-out")) status = add_one_removed(t, whole);
    else {
        t->any = true;
        status = add_detail(t, whole, twice ? 2 : 1);
    }
    json_decref(whole);
    return status;
}

/* Thresholds and (ε, δ) promises fail with a δ of their own: what is left of δ is the noise's. */
static Status epsilon_of(Total *t, double delta, double *out) {
    Status status = OK;
    LossDistribution loss;
    double left = delta - t->delta;
    *out = left > 0 ? zcdp_epsilon(t->zcdp, left) : INFINITY;
    if (t->exact && t->count && t->count <= MOST && left > 0) {
        TRY(compose_exact(t->work, t->part, t->count, &loss, NULL));
        *out = smaller(*out, loss_epsilon(&loss, left));
    }
    if (!t->count && !(t->zcdp > 0)) *out = 0;
done:
    return status;
}

/* Under the names of the whole where all of it is differentially private, else under those of its private part. */
static Status report_private(Run *run, Total *t, double delta) {
    static const char *const names[][2] = { { "total_epsilon", "private_epsilon" },
                                            { "total_zcdp", "private_zcdp" },
                                            { "total_gdp", "private_gdp" } };
    static const char *const why = "Some charges are leave-one-out, which is not differential privacy. private_epsilon, private_zcdp and "
                                   "private_gdp hold the joint guarantee of the others.";
    Status status = OK;
    const int part = t->one_removed > 0;
    double epsilon;
    for (int i = 0; part && i < 3; i++) result_null(run->result, names[i][0], why);
    if (part && !t->any) goto done;
    if (!t->private_known) {
        result_null(run->result, names[0][part],
                    "Some charges do not record their noise. Their joint guarantee cannot be computed beyond the charged amounts.");
        goto done;
    }
    TRY(epsilon_of(t, delta, &epsilon));
    result_real(run->result, "total_delta", delta);
    if (isfinite(epsilon)) result_real(run->result, names[0][part], epsilon);
    else result_null(run->result, names[0][part], "The δ of single releases add up to more than this one, or no ε reaches it.");
    result_real(run->result, names[1][part], t->zcdp);
    if (t->has_mu) result_real(run->result, names[2][part], sqrt(t->gdp));
    else result_null(run->result, names[2][part], "Synthetic data have a guarantee in ρ. No μ follows from it.");
done:
    return status;
}

Status ledger_total(Run *run, const LedgerEntries *entries, double delta) {
    Status status = OK;
    Total t = { .work = &run->work, .normal = true, .exact = true, .has_mu = true, .private_known = true, .auc_known = true };
    for (int64_t i = 0; i < entries->count; i++)
        if (!strcmp(entries->entry[i].kind, "debit")) TRY(add_entry(&t, &entries->entry[i], entries->unit));
    TRY(report_private(run, &t, delta));
    if (t.for_steward)
        result_note(run->result,
                    "%lld of the answers %s drawn for the data custodian only (--show-scales): %s noise depends on the table, gives no "
                    "guarantee, and the answer is never published.",
                    (long long)t.for_steward, t.for_steward == 1 ? "was" : "were", t.for_steward == 1 ? "its" : "their");
    if (!t.normal || !t.private_known || !t.auc_known || !t.elements) goto done;
    double auc, sum = 0;
    TRY(roc_vector_auc(t.work, t.element, t.elements, &auc, NULL));
    for (int64_t i = 0; i < t.elements; i++) sum += t.element[i];
    result_real(run->result, "total_auc", auc);
    result_real(run->result, "total_auc_direction", roc_auc(sum));
    result_real(run->result, "total_auc_informed", roc_auc_informed(sum));
done:
    return status;
}
