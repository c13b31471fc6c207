/* Regressions fitted and drawn from: normal, rank-normal and predictive mean matching here; categories and counts in choice.c. */
#include "synth/engine/regression.h"
#include "base/compare.h"
#include "math/special/gamma.h"
#include "math/special/normal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/distributions.h"

enum { MOST_COLUMNS = 2000, NEAREST = 5, BLOCK = 1 << 12, SETTLED = 1 << 13, STEPS = 25 };
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
        return out_of_memory(error);
    }
    memcpy(r->sorted, y, (size_t)count * sizeof *y);
    qsort(r->sorted, (size_t)count, sizeof *r->sorted, ascending_real);
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
    if (!index || !value) TRY(out_of_memory(error));
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
    if (!lower_root(r->root, p)) TRY(fail(error, FAILED, "the columns before it are collinear"));
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
    if (!index || !value || !all || !r->sorted || !r->donor) TRY(out_of_memory(error));
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
    if (!y || !r->estimate || !r->root) TRY(out_of_memory(error));
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
    if (!sample.state || !sample.real) TRY(out_of_memory(error));
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

typedef struct Placed {
    double at;
    uint64_t word;
    int64_t row;
} Placed;

typedef struct Drawn {
    const Synthesis *s;
    const Model *m;
    const Regression *r;
    SyntheticTable *d;
    const int64_t *rows;
    double *b, sd;
    RandomStream stream;
    Placed *placed;
} Drawn;

/* A draw that is no finite number would be taken for a missing value or the least one. */
static Status not_finite(const Synthesis *s, const Model *m, Error *error) {
    fail(error, FAILED, "what was drawn from the model of this column is not finite");
    return error_column(error, s->variable[m->variable].column->name);
}

/* β ~ N(β̂, σ²(X'X)⁻¹), σ² ~ RSS/χ²; for the others the posterior's normal approximation at its mode. */
static Status draw_parameters(const Synthesis *s, const Model *m, const Regression *r, const char *what, Drawn *out) {
    Status status = OK;
    char purpose[160];
    double spread = 1;
    snprintf(purpose, sizeof purpose, "%s parameters", what);
    RandomStream stream = run_stream(s->run, s->variable[m->variable].column->name, purpose);
    uint64_t word;
    stream_words(&stream, 0, 1, &word);
    bool normal = r->kind == MODEL_NORMAL || r->kind == MODEL_RANK_NORMAL || r->kind == MODEL_PMM;
    double u = word_uniform(word);
    if (normal) TRY(chi_square_quantile(r->df, u, 1 - u, &spread, s->run->work.error));
    out->sd = normal ? sqrt(r->rss / spread) : 1;
    draw_normals(&stream, 1, r->parameters, out->b);
    lower_back(r->root, r->parameters, out->b);
    for (int32_t k = 0; k < r->parameters; k++) {
        out->b[k] = r->estimate[k] + out->b[k] * (normal ? out->sd : 1);
        if (!isfinite(out->b[k]) || !isfinite(out->sd)) TRY(not_finite(s, m, s->run->work.error));
    }
done:
    return status;
}

static double draw_number(const Drawn *t, const Variable *v, double eta, uint64_t word) {
    double y = eta + t->sd * normal_quantile(word_uniform(word));
    if (t->r->kind == MODEL_NORMAL) return variable_round(v, y);
    double rank = normal_lower(y) * (double)t->r->rows;
    int64_t at = (int64_t)rank;
    return spacing_near(&v->spacing, t->r->sorted[at < 0 ? 0 : at >= t->r->rows ? t->r->rows - 1 : at], rank - (double)at);
}

/* One of the five donors whose predicted means are nearest, and of those that are as near as they. */
static int32_t match_mean(const Regression *r, double eta, uint64_t word) {
    int64_t at = below(r->sorted, r->rows, eta), low = at, high = at, wanted = r->rows < NEAREST ? r->rows : NEAREST;
    while (high - low < wanted) {
        if (low == 0 || (high < r->rows && r->sorted[high] - eta < eta - r->sorted[low - 1])) high++;
        else low--;
    }
    low = below(r->sorted, r->rows, r->sorted[low]);
    high = below(r->sorted, r->rows, nextafter(r->sorted[high - 1], INFINITY));
    return r->donor[low + (int64_t)word_below(word, (uint64_t)(high - low))];
}

static double draw_count(double mean, double ceiling, uint64_t word) {
    double u = word_uniform(word), p = exp(-mean), sum = p, k = 0;
    if (mean > 500) return nearbyint(smaller(ceiling, larger(0, mean + sqrt(mean) * normal_quantile(u))));
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

/* Missing cells have the codes of the data in turn. */
static int64_t absent_row(const Variable *v, int64_t row) { return v->absent ? v->absent_row[row % v->absent] : -1; }

static void put_state(const Drawn *t, const Variable *v, int64_t row, uint16_t state) {
    t->d->state[t->m->variable][row] = state;
    t->d->donor[t->m->variable][row] = state == v->bins ? absent_row(v, row) : v->first_row[state];
    if (t->d->real[t->m->variable]) t->d->real[t->m->variable][row] = state == v->bins ? NAN : v->real[v->first_row[state]];
}

static void put_number(const Drawn *t, const Variable *v, int64_t row, double value) {
    t->d->real[t->m->variable][row] = value;
    t->d->state[t->m->variable][row] = variable_state(v, value);
}

/* Room for one thread: a design row and the chances of the classes. */
typedef struct Desk {
    int32_t *index;
    double *value, *chance;
} Desk;

static Status desk_make(const Regression *r, Desk *out, Error *error) {
    out->index = malloc((size_t)r->terms.most * sizeof *out->index);
    out->value = malloc((size_t)(r->terms.most + r->classes + 1) * sizeof *out->value);
    out->chance = out->value ? out->value + r->terms.most : NULL;
    return out->index && out->value ? OK : out_of_memory(error);
}

static void desk_free(Desk *desk) {
    free(desk->index);
    free(desk->value);
}

/* Where the record stands: its linear predictor, or the mean place of its classes. */
static double standing(const Drawn *t, const Desk *desk, int32_t n) {
    double sum = 0;
    if (!t->r->classes || t->r->kind == MODEL_ORDERED) return terms_product(t->b, desk->index, desk->value, n);
    class_chances(t->r, t->b, desk->index, desk->value, n, desk->chance);
    for (int32_t k = 1; k < t->r->classes; k++) sum += k * desk->chance[k];
    return sum;
}

/* The classes' mean chances over some of the records to be drawn, at parameters b. */
static void mean_chances(const Drawn *t, const double *b, int64_t count, const Desk *desk, double *out) {
    const Regression *r = t->r;
    int64_t used = count < SETTLED ? count : SETTLED;
    memset(out, 0, (size_t)r->classes * sizeof *out);
    for (int64_t i = 0; i < used; i++) {
        int32_t n = terms_row(&r->terms, t->d->state, t->d->real, t->rows[i * count / used], desk->index, desk->value);
        class_chances(r, b, desk->index, desk->value, n, desk->chance);
        for (int32_t k = 0; k < r->classes; k++) out[k] += desk->chance[k] / (double)used;
    }
}

/* The normal approximation is far too wide, upwards, for a class of a few records: e^(x'b) averages to more than it should. So the
 * constants are set for the classes to have the shares that they have at the mode, drawn around it as multinomial shares are (Dirichlet).
 */
static Status settle_classes(Drawn *t, Work *work, int64_t count, RandomStream stream) {
    Status status = OK;
    const Regression *r = t->r;
    Desk desk = { 0 };
    double *wanted = NULL, *mean = NULL, sum = 0, off = 1;
    uint64_t word;
    TRY(desk_make(r, &desk, work->error));
    NEW(work, wanted, r->classes + 1);
    NEW(work, mean, r->classes + 1);
    mean_chances(t, r->estimate, count, &desk, wanted);
    for (int32_t k = 0; k < r->classes; k++) {
        stream_words(&stream, (uint64_t)k, 1, &word);
        double u = word_uniform(word), shape = fmax(1e-3, (double)r->rows * wanted[k]);
        TRY(gamma_quantile(shape, u, 1 - u, &wanted[k], work->error));
        if (wanted[k] < 1e-300) wanted[k] = 1e-300; /* a share that underflows: nobody has the class */
        sum += wanted[k];
    }
    for (int32_t k = 0; k < r->classes; k++) wanted[k] /= sum;
    for (int round = 0; round < STEPS && off > 1e-3; round++) {
        off = 0;
        mean_chances(t, t->b, count, &desk, mean);
        for (int32_t k = 1; k < r->classes; k++) {
            double shift = log(wanted[k] / fmax(1e-300, mean[k])) - log(wanted[0] / fmax(1e-300, mean[0]));
            t->b[(int64_t)(k - 1) * r->terms.columns] += shift;
            off = larger(off, fabs(shift) * wanted[k]);
        }
    }
done:
    desk_free(&desk);
    return status;
}

static Status stand_rows(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Drawn *t = self;
    Desk desk = { 0 };
    Status status = OK;
    (void)block;
    TRY(desk_make(t->r, &desk, error));
    for (int64_t i = first; i < last; i++) {
        int32_t n = terms_row(&t->r->terms, t->d->state, t->d->real, t->rows[i], desk.index, desk.value);
        t->placed[i] = (Placed){ .row = t->rows[i], .at = standing(t, &desk, n) };
        if (!isfinite(t->placed[i].at)) TRY(not_finite(t->s, t->m, error));
        stream_words(&t->stream, (uint64_t)t->rows[i], 1, &t->placed[i].word);
    }
done:
    desk_free(&desk);
    return status;
}

static int by_standing(const void *a, const void *b) {
    const Placed *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    if (x->word != y->word) return x->word < y->word ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Each record's chance, evenly spread among those that stand near it: in the order of their standing (at random where it is the same) by
 * golden steps from a random start. As with the leaves of trees, a systematic sample adds next to no variance to that of the parameters. */
static Status spread_words(Drawn *t, Work *work, int64_t count, RandomStream start) {
    Status status = OK;
    uint64_t word;
    TRY(parallel_for(work, count, BLOCK, stand_rows, t));
    if (t->s->independent) goto done;
    qsort(t->placed, (size_t)count, sizeof *t->placed, by_standing);
    stream_words(&start, 0, 1, &word);
    for (int64_t i = 0; i < count; i++) t->placed[i].word = word += 0x9e3779b97f4a7c15u; /* 2^64/φ */
done:
    return status;
}

static void draw_row(const Drawn *t, const Variable *v, const Desk *desk, const Placed *at) {
    const Regression *r = t->r;
    int32_t n = terms_row(&r->terms, t->d->state, t->d->real, at->row, desk->index, desk->value);
    if (r->classes) {
        put_state(t, v, at->row, draw_class(t, desk->index, desk->value, n, desk->chance, at->word));
        return;
    }
    double eta = terms_product(t->b, desk->index, desk->value, n);
    if (r->kind == MODEL_PMM) {
        int32_t donor = match_mean(r, eta, at->word);
        t->d->donor[t->m->variable][at->row] = donor;
        put_number(t, v, at->row, spacing_near(&v->spacing, v->real[donor], word_uniform(at->word * UINT64_C(0xd1342543de82ef95))));
        return;
    }
    bool counts = r->kind == MODEL_POISSON;
    put_number(t, v, at->row, counts ? draw_count(exp(fmin(eta, 600)), r->ceiling, at->word) : draw_number(t, v, eta, at->word));
}

static Status draw_rows(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Drawn *t = self;
    Desk desk = { 0 };
    Status status = OK;
    (void)block;
    TRY(desk_make(t->r, &desk, error));
    for (int64_t i = first; i < last; i++) draw_row(t, &t->s->variable[t->m->variable], &desk, &t->placed[i]);
done:
    desk_free(&desk);
    return status;
}

Status regression_draw(Synthesis *s, const Model *m, const Regression *r, SyntheticTable *d, const int64_t *rows, int64_t count,
                       const char *what) {
    Status status = OK;
    Work *work = &s->run->work;
    const char *name = s->variable[m->variable].column->name;
    char purpose[160];
    Drawn t = { .s = s, .m = m, .r = r, .d = d, .rows = rows, .stream = run_stream(s->run, name, what) };
    NEW(work, t.b, r->parameters + 1);
    NEW(work, t.placed, count + 1);
    if (!r->rows) TRY(fail(work->error, BAD, "a stratum has no record from which '%s' could be learned", name));
    TRY(draw_parameters(s, m, r, what, &t));
    snprintf(purpose, sizeof purpose, "%s shares", what);
    if (r->classes && r->kind != MODEL_ORDERED) TRY(settle_classes(&t, work, count, run_stream(s->run, name, purpose)));
    snprintf(purpose, sizeof purpose, "%s start", what);
    TRY(spread_words(&t, work, count, run_stream(s->run, name, purpose)));
    TRY(parallel_for(work, count, BLOCK, draw_rows, &t));
done:
    arena_drop(work->arena, t.placed);
    return status;
}
