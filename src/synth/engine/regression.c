/* Regressions fitted and drawn from: normal, rank-normal and predictive mean matching here; categories and counts in choice.c. */
#include "synth/engine/regression.h"
#include <gsl/gsl_cdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "math/distributions.h"

enum { MOST_COLUMNS = 2000, NEAREST = 5 };
static const double PRIOR =
    0.1; /* precision of every coefficient but the constant, in units of the residual's: keeps what the data do not tell finite */

void regression_free(Regression *r) {
    free(r->terms.term);
    free(r->state);
    free(r->estimate);
    free(r->root);
    free(r->sorted);
    free(r->donor);
    *r = (Regression){ 0 };
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int64_t below(const double *sorted, int64_t count, double x) {
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (sorted[middle] < x) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* ---- normal ---- */

/* The response: the value, or the normal score of its rank. Records that tie are spread evenly over their ranks, in an order that has
 * nothing to do with that of the rows: so the scores are normal, and what is drawn has the column's own distribution, however many tie. */
static Status responses(const Variable *v, const int32_t *rows, int64_t count, bool scores, Regression *r, double *y, Error *error) {
    for (int64_t i = 0; i < count; i++) y[i] = v->real[rows[i]];
    if (!scores) return OK;
    int64_t *met = calloc((size_t)count + 1, sizeof *met);
    r->sorted = malloc((size_t)(count + 1) * sizeof *r->sorted);
    if (!r->sorted || !met) {
        free(met);
        return fail(error, FAILED, "out of memory");
    }
    memcpy(r->sorted, y, (size_t)count * sizeof *y);
    qsort(r->sorted, (size_t)count, sizeof *r->sorted, by_value);
    for (int64_t i = 0; i < count; i++) {
        int64_t low = below(r->sorted, count, y[i]), size = below(r->sorted, count, nextafter(y[i], INFINITY)) - low;
        double turn = (double)met[low]++ * 0.6180339887498949; /* golden steps: evenly spread at every number of them */
        y[i] = normal_quantile(((double)low + (size > 1 ? (turn - floor(turn)) * ((double)size - 1) : 0) + 0.5) / (double)count);
    }
    free(met);
    return OK;
}

/* X'WX and X'Wy by rows with few nonzeros; then (X'WX + prior)⁻¹. */
static Status fit_normal(const Sample *sample, Regression *r, const double *y, Error *error) {
    Status status = OK;
    int32_t p = r->terms.columns, n = 0;
    int32_t *index = malloc((size_t)r->terms.most * sizeof *index);
    double *value = malloc((size_t)r->terms.most * sizeof *value), mean = 0, total = 0;
    if (!index || !value) TRY(fail(error, FAILED, "out of memory"));
    for (int64_t i = 0; i < sample->count; i++) {
        double w = sample->weight ? sample->weight[sample->rows[i]] : 1;
        n = terms_row(&r->terms, sample->state, sample->real, sample->rows[i], index, value);
        for (int32_t a = 0; a < n; a++) {
            r->estimate[index[a]] += w * value[a] * y[i];
            for (int32_t b = 0; b <= a; b++) r->root[(int64_t)index[a] * p + index[b]] += w * value[a] * value[b];
        }
        mean += w * y[i];
        total += w;
    }
    r->root[0] += 1e-9; /* no record at all */
    for (int32_t a = 1; a < p; a++) r->root[(int64_t)a * p + a] += PRIOR;
    if (!lower_root(r->root, p)) TRY(fail(error, FAILED, "the columns before it cannot be told apart numerically"));
    lower_solve(r->root, p, r->estimate);
    mean = total > 0 ? mean / total : 0;
    for (int64_t i = 0; i < sample->count; i++) {
        double w = sample->weight ? sample->weight[sample->rows[i]] : 1;
        n = terms_row(&r->terms, sample->state, sample->real, sample->rows[i], index, value);
        r->rss += w * pow(y[i] - terms_product(r->estimate, index, value, n), 2);
        r->null_deviance += w * pow(y[i] - mean, 2);
    }
    if (total > 0 && sample->weight) {
        r->rss *= (double)sample->count / total;
        r->null_deviance *= (double)sample->count / total;
    }
    r->deviance = r->rss;
    r->df = fmax(1, (double)(sample->count - p));
done:
    free(index);
    free(value);
    return status;
}

typedef struct {
    double at;
    int32_t row;
} Predicted;
static int by_predicted(const void *a, const void *b) {
    const Predicted *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at ? 1 : (x->row > y->row) - (x->row < y->row);
}

/* Predictive mean matching: donors in the order of their predicted means. */
static Status keep_donors(const Sample *sample, Regression *r, Error *error) {
    Status status = OK;
    int32_t *index = malloc((size_t)r->terms.most * sizeof *index);
    double *value = malloc((size_t)r->terms.most * sizeof *value);
    Predicted *all = malloc((size_t)(sample->count + 1) * sizeof *all);
    r->sorted = malloc((size_t)(sample->count + 1) * sizeof *r->sorted);
    r->donor = malloc((size_t)(sample->count + 1) * sizeof *r->donor);
    if (!index || !value || !all || !r->sorted || !r->donor) TRY(fail(error, FAILED, "out of memory"));
    for (int64_t i = 0; i < sample->count; i++) {
        int32_t n = terms_row(&r->terms, sample->state, sample->real, sample->rows[i], index, value);
        all[i] = (Predicted){ terms_product(r->estimate, index, value, n), sample->rows[i] };
    }
    qsort(all, (size_t)sample->count, sizeof *all, by_predicted);
    for (int64_t i = 0; i < sample->count; i++) {
        r->sorted[i] = all[i].at;
        r->donor[i] = all[i].row;
    }
done:
    free(index);
    free(value);
    free(all);
    return status;
}

static Status fit_numbers(const Sample *sample, const Variable *v, Regression *r, Error *error) {
    Status status = OK;
    double *y = malloc((size_t)(sample->count + 1) * sizeof *y);
    r->parameters = r->terms.columns;
    r->estimate = calloc((size_t)r->parameters, sizeof *r->estimate);
    r->root = calloc((size_t)r->parameters * (size_t)r->parameters, sizeof *r->root);
    if (!y || !r->estimate || !r->root) TRY(fail(error, FAILED, "out of memory"));
    TRY(responses(v, sample->rows, sample->count, r->kind == MODEL_RANK_NORMAL, r, y, error));
    TRY(fit_normal(sample, r, y, error));
    if (r->kind == MODEL_PMM) TRY(keep_donors(sample, r, error));
done:
    free(y);
    return status;
}

Status regression_fit(Synthesis *s, Model *m, const int32_t *rows, int64_t count, Regression *r, Error *error) {
    Status status = OK;
    const Variable *v = &s->variable[m->variable];
    Sample sample = { .s = s, .terms = &r->terms, .rows = rows, .count = count, .weight = s->weight };
    *r = (Regression){ .kind = m->kind, .rows = count };
    sample.state = calloc((size_t)s->variables + 1, sizeof *sample.state);
    sample.real = calloc((size_t)s->variables + 1, sizeof *sample.real);
    if (!sample.state || !sample.real) TRY(fail(error, FAILED, "out of memory"));
    for (int64_t k = 0; k < s->variables; k++) {
        sample.state[k] = s->variable[k].state;
        sample.real[k] = (double *)(uintptr_t)s->variable[k].real;
    }
    TRY(terms_make(s, m, rows, count, &r->terms, error));
    if (r->terms.columns > MOST_COLUMNS) {
        fail(error, BAD, "its regression has %d terms", (int)r->terms.columns);
        error_column(error, v->column->name);
        TRY(error_advice(error, "Name fewer predictors with --predictors, or give it a tree: --models '%s:cart'.", v->column->name));
    }
    if (m->kind == MODEL_LOGISTIC || m->kind == MODEL_MULTINOMIAL) TRY(fit_classes(&sample, v, r, error));
    else if (m->kind == MODEL_ORDERED) TRY(fit_ordered(&sample, v, r, error));
    else if (m->kind == MODEL_POISSON) TRY(fit_counts(&sample, v, r, error));
    else TRY(fit_numbers(&sample, v, r, error));
done:
    free(sample.state);
    free(sample.real);
    return status;
}

/* ---- draws ---- */

typedef struct Drawn {
    const Synthesis *s;
    const Model *m;
    const Regression *r;
    Draft *d;
    const int64_t *rows;
    double *b, sd;
    Stream stream;
    int64_t *donor;
} Drawn;

/* β ~ N(β̂, σ²(X'X)⁻¹), σ² ~ RSS/χ²; for the others the posterior's normal approximation at its mode. */
static void draw_parameters(const Synthesis *s, const Model *m, const Regression *r, const char *what, Drawn *out) {
    char purpose[160];
    snprintf(purpose, sizeof purpose, "%s parameters", what);
    Stream stream = run_stream(s->run, s->variable[m->variable].column->name, purpose);
    uint64_t word;
    stream_words(&stream, 0, 1, &word);
    bool normal = r->kind == MODEL_NORMAL || r->kind == MODEL_RANK_NORMAL || r->kind == MODEL_PMM;
    out->sd = normal ? sqrt(r->rss / gsl_cdf_chisq_Pinv(word_uniform(word), r->df)) : 1;
    draw_normals(&stream, 1, r->parameters, out->b);
    lower_back(r->root, r->parameters, out->b);
    for (int32_t k = 0; k < r->parameters; k++) out->b[k] = r->estimate[k] + out->b[k] * (normal ? out->sd : 1);
}

static double draw_number(const Drawn *t, const Variable *v, double eta, uint64_t word) {
    double y = eta + t->sd * normal_quantile(word_uniform(word));
    if (t->r->kind == MODEL_NORMAL) return variable_round(v, y);
    double rank = gsl_cdf_ugaussian_P(y) * (double)t->r->rows;
    int64_t at = (int64_t)rank;
    return t->r->sorted[at < 0 ? 0 : at >= t->r->rows ? t->r->rows - 1 : at];
}

/* One of the five donors whose predicted means are nearest. */
static int32_t match_mean(const Regression *r, double eta, uint64_t word) {
    int64_t at = below(r->sorted, r->rows, eta), low = at, high = at, wanted = r->rows < NEAREST ? r->rows : NEAREST;
    while (high - low < wanted) {
        if (low == 0 || (high < r->rows && r->sorted[high] - eta < eta - r->sorted[low - 1])) high++;
        else low--;
    }
    return r->donor[low + (int64_t)word_below(word, (uint64_t)(high - low))];
}

static double draw_count(double mean, double ceiling, uint64_t word) {
    double u = word_uniform(word), p = exp(-mean), sum = p, k = 0;
    if (mean > 500) return nearbyint(fmin(ceiling, fmax(0, mean + sqrt(mean) * normal_quantile(u))));
    while (sum < u && k < ceiling && p > 0) {
        k++;
        p *= mean / k;
        sum += p;
    }
    return k;
}

static uint16_t draw_class(const Drawn *t, const int32_t *index, const double *value, int32_t n, double *p, uint64_t word) {
    double u = word_uniform(word);
    int32_t k = 0;
    if (t->r->kind == MODEL_ORDERED) ordered_chances(t->r, t->b, terms_product(t->b, index, value, n), p);
    else class_chances(t->r, t->b, index, value, n, p);
    for (; k + 1 < t->r->classes && u >= p[k]; k++) u -= p[k];
    return t->r->state[k];
}

static void put_state(const Drawn *t, const Variable *v, int64_t row, uint16_t state) {
    t->d->state[t->m->variable][row] = state;
    t->d->donor[t->m->variable][row] = state == v->bins ? -1 : v->first_row[state];
    if (t->d->real[t->m->variable]) t->d->real[t->m->variable][row] = state == v->bins ? NAN : v->real[v->first_row[state]];
}

static void put_number(const Drawn *t, const Variable *v, int64_t row, double value) {
    t->d->real[t->m->variable][row] = value;
    t->d->state[t->m->variable][row] = variable_state(v, value);
}

static Status draw_rows(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Drawn *t = self;
    const Regression *r = t->r;
    const Variable *v = &t->s->variable[t->m->variable];
    int32_t *index = malloc((size_t)r->terms.most * sizeof *index);
    double *value = malloc((size_t)(r->terms.most + r->classes + 1) * sizeof *value), *p = value ? value + r->terms.most : NULL;
    (void)block;
    if (!index || !value) {
        free(index);
        free(value);
        return fail(error, FAILED, "out of memory");
    }
    for (int64_t i = first; i < last; i++) {
        int64_t row = t->rows[i];
        uint64_t word;
        stream_words(&t->stream, (uint64_t)row, 1, &word);
        int32_t n = terms_row(&r->terms, t->d->state, t->d->real, row, index, value);
        if (r->classes) {
            put_state(t, v, row, draw_class(t, index, value, n, p, word));
            continue;
        }
        double eta = terms_product(t->b, index, value, n);
        if (r->kind == MODEL_PMM) {
            int32_t donor = match_mean(r, eta, word);
            t->d->donor[t->m->variable][row] = donor;
            put_number(t, v, row, v->real[donor]);
        } else
            put_number(t, v, row,
                       r->kind == MODEL_POISSON ? draw_count(exp(fmin(eta, 600)), r->ceiling, word) : draw_number(t, v, eta, word));
    }
    free(index);
    free(value);
    return OK;
}

Status regression_draw(Synthesis *s, const Model *m, const Regression *r, Draft *d, const int64_t *rows, int64_t count, const char *what) {
    Status status = OK;
    Work *work = &s->run->work;
    Drawn t = { .s = s, .m = m, .r = r, .d = d, .rows = rows, .stream = run_stream(s->run, s->variable[m->variable].column->name, what) };
    NEW(work, t.b, r->parameters + 1);
    if (!r->rows)
        TRY(fail(work->error, BAD, "a stratum has no record from which '%s' could be learned", s->variable[m->variable].column->name));
    draw_parameters(s, m, r, what, &t);
    TRY(parallel_for(work, count, 1 << 12, draw_rows, &t));
done:
    return status;
}
