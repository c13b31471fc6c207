/* Categories and counts: multinomial and cumulative logits, Poisson regression, by Newton's method on the log posterior. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "synth/engine/regression.h"

enum { TURNS = 100 };
static const double PRIOR = 0.1; /* precision of every coefficient but constants: finite estimates where classes are separated */

/* The states that occur among the rows, in order, and the class of each row. */
static Status find_classes(const Sample *sample, const Variable *v, Regression *r, uint16_t *class, Error *error) {
    int32_t *number = calloc((size_t)v->states + 1, sizeof *number);
    r->state = calloc((size_t)v->states + 1, sizeof *r->state);
    if (!number || !r->state) {
        free(number);
        return out_of_memory(error);
    }
    for (int64_t i = 0; i < sample->count; i++) number[v->state[sample->rows[i]]] = 1;
    for (int32_t k = 0; k < v->states; k++)
        if (number[k]) {
            r->state[r->classes] = (uint16_t)k;
            number[k] = r->classes++;
        }
    for (int64_t i = 0; i < sample->count; i++) class[i] = (uint16_t)number[v->state[sample->rows[i]]];
    free(number);
    return OK;
}

/* One log posterior: its value, gradient and (negative) second derivatives at b. */
typedef struct Problem Problem;
struct Problem {
    const Sample *sample;
    Regression *r;
    const uint16_t *class;
    const double *y;
    double *gradient, *chance;
    int32_t *index;
    double *value;
    void (*add)(Problem *p, int64_t i, double weight, int32_t nonzero, const double *b, bool slopes, double *deviance);
    int32_t free_from, free_to; /* parameters without a prior: free_from … free_to-1, and the first of each class where per_class */
    int32_t per_class;          /* parameters per class, 0: the above alone counts */
};

static bool has_prior(const Problem *p, int32_t k) { return p->per_class ? k % p->per_class != 0 : k < p->free_from || k >= p->free_to; }

/* −2 log posterior (up to a constant). */
static double evaluate_at(Problem *p, const double *b, bool slopes) {
    Regression *r = p->r;
    double deviance = 0;
    if (slopes) {
        memset(p->gradient, 0, (size_t)r->parameters * sizeof *p->gradient);
        memset(r->root, 0, (size_t)r->parameters * (size_t)r->parameters * sizeof *r->root);
    }
    for (int64_t i = 0; i < p->sample->count; i++) {
        double w = p->sample->weight ? p->sample->weight[p->sample->rows[i]] : 1;
        int32_t n = terms_row(&r->terms, p->sample->state, p->sample->real, p->sample->rows[i], p->index, p->value);
        p->add(p, i, w, n, b, slopes, &deviance);
    }
    double penalty = 0;
    for (int32_t k = 0; k < r->parameters; k++) {
        double prior = has_prior(p, k) ? PRIOR : 1e-6;
        penalty += prior * b[k] * b[k];
        if (!slopes) continue;
        p->gradient[k] -= prior * b[k];
        r->root[(int64_t)k * r->parameters + k] += prior;
    }
    r->deviance = deviance;
    return deviance + penalty;
}

/* Newton's method, halving a step that does not descend. The factor of the precision at the mode stays in r->root. */
static Status newton(Problem *p, Error *error) {
    Regression *r = p->r;
    size_t bytes = (size_t)r->parameters * sizeof(double);
    double *step = malloc(bytes + 8), *next = malloc(bytes + 8), *b = r->estimate, last = INFINITY;
    Status status = OK;
    if (!step || !next) TRY(out_of_memory(error));
    bool converged = false;
    for (int turn = 0; turn < TURNS; turn++) {
        double here = evaluate_at(p, b, true);
        if (!lower_root(r->root, r->parameters)) TRY(fail(error, FAILED, "the columns before it are collinear"));
        if ((converged = last - here < 1e-8 * (fabs(here) + 1))) break;
        last = here;
        memcpy(step, p->gradient, bytes);
        lower_solve(r->root, r->parameters, step);
        double size = 1;
        bool better = false;
        for (int halves = 0; halves < 12 && !better; halves++, size /= 2) {
            for (int32_t k = 0; k < r->parameters; k++) next[k] = b[k] + size * step[k];
            better = evaluate_at(p, next, false) <= here + 1e-9 * fabs(here);
        }
        if (better) memcpy(b, next, bytes);
    }
    if (!converged) TRY(fail(error, FAILED, "its model did not converge in %d steps", TURNS));
done:
    free(step);
    free(next);
    return status;
}

static Status open_problem(Problem *p, Error *error) {
    Regression *r = p->r;
    size_t n = (size_t)r->parameters + 1;
    r->estimate = calloc(n, sizeof *r->estimate);
    r->root = calloc(n * n, sizeof *r->root);
    p->gradient = calloc(n, sizeof *p->gradient);
    p->chance = calloc((size_t)r->classes + 2, sizeof *p->chance);
    p->index = calloc((size_t)r->terms.most + 1, sizeof *p->index);
    p->value = calloc((size_t)r->terms.most + 1, sizeof *p->value);
    return r->estimate && r->root && p->gradient && p->chance && p->index && p->value ? OK : out_of_memory(error);
}

static void close_problem(Problem *p) {
    free(p->gradient);
    free(p->chance);
    free(p->index);
    free(p->value);
}

/* ---- multinomial: log p_k/p_0 = x'b_k ---- */

void class_chances(const Regression *r, const double *b, const int32_t *index, const double *value, int32_t n, double *p) {
    double most = 0, sum = 0;
    p[0] = 0;
    for (int32_t k = 1; k < r->classes; k++) {
        p[k] = terms_product(b + (int64_t)(k - 1) * r->terms.columns, index, value, n);
        most = fmax(most, p[k]);
    }
    for (int32_t k = 0; k < r->classes; k++) sum += p[k] = exp(p[k] - most);
    for (int32_t k = 0; k < r->classes; k++) p[k] /= sum;
}

static void add_class(Problem *p, int64_t i, double w, int32_t n, const double *b, bool slopes, double *deviance) {
    Regression *r = p->r;
    int32_t c = r->terms.columns;
    const double *chance = p->chance;
    class_chances(r, b, p->index, p->value, n, p->chance);
    *deviance -= 2 * w * log(fmax(chance[p->class[i]], 1e-300));
    for (int32_t k = 1; slopes && k < r->classes; k++) {
        double residual = w * ((p->class[i] == k) - chance[k]);
        for (int32_t u = 0; u < n; u++) p->gradient[(k - 1) * c + p->index[u]] += residual * p->value[u];
        for (int32_t l = 1; l <= k; l++) {
            double bend = w * chance[k] * ((k == l) - chance[l]);
            for (int32_t u = 0; u < n; u++) {
                double *row = r->root + (int64_t)((k - 1) * c + p->index[u]) * r->parameters + (l - 1) * c;
                for (int32_t z = 0; z < n; z++) row[p->index[z]] += bend * p->value[u] * p->value[z];
            }
        }
    }
}

static double null_deviance(const uint16_t *class, int64_t count, int32_t classes, double *room) {
    double deviance = 0;
    memset(room, 0, (size_t)classes * sizeof *room);
    for (int64_t i = 0; i < count; i++) room[class[i]]++;
    for (int32_t k = 0; k < classes; k++)
        if (room[k] > 0) deviance -= 2 * room[k] * log(room[k] / (double)count);
    return deviance;
}

Status fit_classes(const Sample *sample, const Variable *v, Regression *r, Error *error) {
    Status status = OK;
    uint16_t *class = malloc((size_t)(sample->count + 1) * sizeof *class);
    Problem p = { .sample = sample, .r = r, .class = class, .add = add_class, .per_class = r->terms.columns };
    if (!class) TRY(out_of_memory(error));
    TRY(find_classes(sample, v, r, class, error));
    double parameters = (double)(r->classes - 1) * r->terms.columns;
    if (parameters > 3000) {
        fail(error, BAD, "its multinomial model has %lld parameters", (long long)parameters);
        error_column(error, v->column->name);
        TRY(error_advice(error, "Name fewer predictors with --predictors, or give it a tree: --models '%s:cart'.", v->column->name));
    }
    r->parameters = r->classes > 1 ? (int32_t)parameters : 0;
    TRY(open_problem(&p, error));
    r->null_deviance = null_deviance(class, sample->count, r->classes, p.chance);
    if (r->parameters) TRY(newton(&p, error));
done:
    close_problem(&p);
    free(class);
    return status;
}

/* ---- ordered: P(class ≤ k) = logistic(θ_k − x'b), θ ascending (McCullagh 1980). Parameters: b without constant (place 0 unused), then θ_1
 * and log steps ---- */

static double logistic(double x) { return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x)); }

void ordered_chances(const Regression *r, const double *b, double eta, double *p) {
    const double *cut = b + r->terms.columns;
    double before = 0, at = cut[0];
    eta -= b[0];
    for (int32_t k = 0; k < r->classes; k++) {
        if (k && k + 1 < r->classes) at += exp(cut[k]);
        double here = k + 1 < r->classes ? logistic(at - eta) : 1;
        p[k] = fmax(here - before, 0);
        before = here;
    }
}

/* Scores d of log P(class i) by every parameter: with F' the logistic density, (F'_k·dθ_k − F'_{k−1}·dθ_{k−1})/P. The precision is the sum
 * of d·d'. */
static void add_ordered(Problem *p, int64_t i, double w, int32_t n, const double *b, bool slopes, double *deviance) {
    Regression *r = p->r;
    int32_t c = r->terms.columns, k = p->class[i], total = r->parameters;
    const double *cut = b + c;
    double eta = terms_product(b, p->index, p->value, n) - b[0] * p->value[0], high = cut[0], low = -INFINITY;
    for (int32_t j = 1; j <= k && j + 1 < r->classes; j++) {
        low = high;
        high += exp(cut[j]);
    }
    if (k + 1 == r->classes) {
        low = high;
        high = INFINITY;
    }
    double upper = isinf(high) ? 1 : logistic(high - eta), lower = isinf(low) ? 0 : logistic(low - eta),
           chance = fmax(upper - lower, 1e-300);
    *deviance -= 2 * w * log(chance);
    if (!slopes) return;
    double fh = isinf(high) ? 0 : upper * (1 - upper) / chance, fl = isinf(low) ? 0 : lower * (1 - lower) / chance, score[64 + 1];
    int32_t place[64 + 1], many = 0;
    for (int32_t u = 1; u < n && many < 40; u++) {
        place[many] = p->index[u];
        score[many++] = -(fh - fl) * p->value[u];
    }
    int32_t upto = isinf(high) ? r->classes - 2 : k;
    for (int32_t j = 0; j <= upto && many < 64; j++) {
        double step = j ? exp(cut[j]) : 1; /* θ_k is the sum of the steps up to k */
        bool in_low = isinf(high) ? true : j < k;
        place[many] = c + j;
        score[many++] = step * ((isinf(high) ? 0 : fh) - (in_low ? fl : 0));
    }
    for (int32_t u = 0; u < many; u++) {
        p->gradient[place[u]] += w * score[u];
        for (int32_t z = 0; z < many; z++) r->root[(int64_t)place[u] * total + place[z]] += w * score[u] * score[z];
    }
}

Status fit_ordered(const Sample *sample, const Variable *v, Regression *r, Error *error) {
    Status status = OK;
    uint16_t *class = malloc((size_t)(sample->count + 1) * sizeof *class);
    Problem p = { .sample = sample, .r = r, .class = class, .add = add_ordered, .free_from = r->terms.columns };
    if (!class) TRY(out_of_memory(error));
    TRY(find_classes(sample, v, r, class, error));
    if (r->classes > 24 || r->terms.most > 40) {
        fail(error, BAD, "an ordered model takes at most 24 categories and 39 predictors");
        TRY(error_column(error, v->column->name));
    }
    r->parameters = r->terms.columns + (r->classes > 1 ? r->classes - 1 : 1);
    p.free_to = r->parameters;
    TRY(open_problem(&p, error));
    r->null_deviance = null_deviance(class, sample->count, r->classes, p.chance);
    if (r->classes < 2) {
        for (int32_t k = 0; k < r->parameters; k++) r->root[(int64_t)k * r->parameters + k] = 1;
        goto done;
    }
    double below = 0, last = 0;
    for (int32_t k = 0; k + 1 < r->classes; k++) { /* start at the margins */
        below += p.chance[k] / (double)sample->count;
        double at = log(fmax(below, 1e-9) / fmax(1 - below, 1e-9));
        r->estimate[r->terms.columns + k] = k ? log(fmax(at - last, 1e-3)) : at;
        last = at;
    }
    TRY(newton(&p, error));
done:
    close_problem(&p);
    free(class);
    return status;
}

/* ---- counts ---- */

static void add_count(Problem *p, int64_t i, double w, int32_t n, const double *b, bool slopes, double *deviance) {
    double y = p->y[i], mean = exp(smaller(terms_product(b, p->index, p->value, n), 600));
    *deviance += 2 * w * ((y > 0 ? y * log(y / fmax(mean, 1e-300)) : 0) - (y - mean));
    for (int32_t u = 0; slopes && u < n; u++) {
        p->gradient[p->index[u]] += w * (y - mean) * p->value[u];
        for (int32_t z = 0; z < n; z++)
            p->r->root[(int64_t)p->index[u] * p->r->parameters + p->index[z]] += w * mean * p->value[u] * p->value[z];
    }
}

Status fit_counts(const Sample *sample, const Variable *v, Regression *r, Error *error) {
    Status status = OK;
    double *y = malloc((size_t)(sample->count + 1) * sizeof *y), mean = 0;
    Problem p = { .sample = sample, .r = r, .y = y, .add = add_count, .per_class = r->terms.columns };
    if (!y) TRY(out_of_memory(error));
    for (int64_t i = 0; i < sample->count; i++) {
        y[i] = v->real[sample->rows[i]];
        if (y[i] < 0 || y[i] != floor(y[i])) {
            fail(error, BAD, "has values that are no counts, so that it has no Poisson model");
            TRY(error_column(error, v->column->name));
        }
        mean += y[i] / (double)sample->count;
    }
    r->parameters = r->terms.columns;
    r->ceiling = fmin(9e15, 1000 + 20 * v->most);
    TRY(open_problem(&p, error));
    r->estimate[0] = log(fmax(mean, 1e-9));
    for (int64_t i = 0; i < sample->count; i++) r->null_deviance += 2 * ((y[i] > 0 ? y[i] * log(y[i] / mean) : 0) - (y[i] - mean));
    TRY(newton(&p, error));
done:
    close_problem(&p);
    free(y);
    return status;
}
