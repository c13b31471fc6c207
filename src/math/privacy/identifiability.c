/* Differential identifiability: Lee & Clifton's bound, and the least noise without it. */
#include "math/privacy/identifiability.h"
#include <stdlib.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"

static Status impossible(double worlds, Error *error) {
    char least[33], whole[33];
    real_short(1 / worlds, 6, least);
    real_short(worlds, 6, whole);
    fail(error, BAD, "with %s possible worlds the least possible risk is 1/%s = %s: a guess is right that often with no release at all",
         whole, whole, least);
    error_parameter(error, "identifiability");
    return error_advice(error, "Ask for more than %s.", least);
}

Status identifiability_epsilon(double risk, double worlds, double *epsilon, Error *error) {
    if (!(risk > 1 / worlds)) return impossible(worlds, error);
    *epsilon = log((worlds - 1) * risk / (1 - risk));
    if (!(*epsilon > 0)) return impossible(worlds, error);
    return OK;
}

double identifiability_risk(double epsilon, double worlds) { return 1 / (1 + (worlds - 1) * exp(-epsilon)); }

static double prior_at(const double *priors, int64_t i, int64_t count) { return priors ? priors[i] : 1 / (double)count; }

/* Γ_j is largest at R = f(ω_j): there every other world is at its farthest relative to ω_j. With sorted values Σ_k p_k e^(−|v_j − v_k|/λ)
 * is a sum from the left and one from the right, each carried along: O(m). */
double identifiability_worst(const double *values, const double *priors, int64_t count, double scale, double *scratch) {
    double worst = 0, left = 0;
    scratch[count - 1] = 0; /* what lies to the right */
    for (int64_t k = count - 1; k > 0; k--)
        scratch[k - 1] = (scratch[k] + prior_at(priors, k, count)) * exp(-(values[k] - values[k - 1]) / scale);
    for (int64_t j = 0; j < count; j++) {
        double own = prior_at(priors, j, count);
        worst = fmax(worst, own / (own + left + scratch[j]));
        if (j + 1 < count) left = (left + own) * exp(-(values[j + 1] - values[j]) / scale);
    }
    return worst;
}

void identifiability_beliefs(const double *values, const double *priors, int64_t count, double scale, double response, double *belief) {
    double least = INFINITY, sum = 0;
    for (int64_t i = 0; i < count; i++) least = smaller(least, fabs(response - values[i]));
    for (int64_t i = 0; i < count; i++) sum += belief[i] = prior_at(priors, i, count) * exp((least - fabs(response - values[i])) / scale);
    for (int64_t i = 0; i < count; i++) belief[i] /= sum;
}

typedef struct World {
    double value, prior;
} World;
static int by_value(const void *a, const void *b) {
    const World *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

Status identifiability_tight(Work *work, const double *values, const double *priors, int64_t count, double risk, double *scale) {
    Status status = OK;
    World *world = NULL;
    double *sorted = NULL, *prior = NULL, *scratch = NULL, largest = 0;
    NEW(work, world, count);
    NEW(work, sorted, count);
    NEW(work, prior, count);
    NEW(work, scratch, count);
    for (int64_t i = 0; i < count; i++) {
        world[i] = (World){ values[i], prior_at(priors, i, count) };
        largest = fmax(largest, world[i].prior);
    }
    if (!(risk > largest)) TRY(impossible(1 / largest, work->error));
    qsort(world, (size_t)count, sizeof *world, by_value);
    for (int64_t i = 0; i < count; i++) sorted[i] = world[i].value, prior[i] = world[i].prior;
    double range = sorted[count - 1] - sorted[0], low = range * 1e-9, high = range;
    *scale = 0;
    if (range == 0 || identifiability_worst(sorted, prior, count, low, scratch) <= risk) goto done;
    while (identifiability_worst(sorted, prior, count, high, scratch) > risk) high *= 2;
    for (int turn = 0; turn < 200 && high - low > 1e-15 * high; turn++) { /* the worst risk falls as the scale grows */
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) break;
        if (identifiability_worst(sorted, prior, count, middle, scratch) > risk) low = middle;
        else high = middle;
    }
    *scale = high;
done:
    return status;
}
