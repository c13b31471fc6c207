/* The order of categories that have none: a normal copula keeps what is monotone, so they stand as they go with the other columns. */
#include <stdlib.h>
#include "base/elementary.h"
#include "synth/engine/copula.h"
#include "table/measurement_level.h"

enum { SWEEPS = 2, STEPS = 60 };

typedef struct Ordering {
    Copula *c;
    double **z;  /* columns: their values, standardised */
    bool *ready; /* is the column one of those that the others are ordered by? */
} Ordering;

static bool unordered(const Margin *m) {
    return m->nominal && m->codes.count + (m->column->missing > 0) > 2 && column_level(m->column) == MEASURE_NOMINAL;
}

static void standardise(const Copula *c, const Margin *m, double *z) {
    double mean = 0, square = 0, n = (double)c->rows;
    for (int64_t i = 0; i < c->rows; i++) mean += m->value[i] / n;
    for (int64_t i = 0; i < c->rows; i++) square += (m->value[i] - mean) * (m->value[i] - mean) / n;
    double sd = square > 0 ? sqrt(square) : 1;
    for (int64_t i = 0; i < c->rows; i++) z[i] = (m->value[i] - mean) / sd;
}

/* Means of the other columns in each category, times the root of the category's share. */
static Status means_of(Ordering *o, int64_t j, double **out) {
    Status status = OK;
    Copula *c = o->c;
    const Margin *m = &c->margin[j];
    int64_t p = c->columns, categories = m->codes.count + 1, *size = NULL;
    NEW(&c->run->work, *out, categories * p + 1);
    NEW(&c->run->work, size, categories + 1);
    for (int64_t i = 0; i < c->rows; i++) {
        int64_t at = m->codes.at[i] < 0 ? m->codes.count : m->codes.at[i];
        size[at]++;
        for (int64_t k = 0; k < p; k++)
            if (k != j && o->ready[k]) (*out)[at * p + k] += o->z[k][i];
    }
    for (int64_t a = 0; a < categories; a++)
        for (int64_t k = 0; k < p && size[a]; k++) (*out)[a * p + k] /= sqrt((double)size[a] * (double)c->rows);
    arena_drop(c->run->work.arena, size);
done:
    return status;
}

/* The combination of the other columns whose means differ most between the categories (the first singular vector, by the power method),
 * as a score of each category: the scores have the largest sum of squared correlations with those columns. */
static Status scores_of(Ordering *o, int64_t j, double *score) {
    Status status = OK;
    Copula *c = o->c;
    const Margin *m = &c->margin[j];
    int64_t p = c->columns, categories = m->codes.count + 1, largest = 0;
    double *mean = NULL, *weight = NULL, *share = NULL;
    TRY(means_of(o, j, &mean));
    NEW(&c->run->work, weight, p + 1);
    NEW(&c->run->work, share, categories + 1);
    for (int64_t i = 0; i < c->rows; i++) share[m->codes.at[i] < 0 ? m->codes.count : m->codes.at[i]] += 1 / (double)c->rows;
    for (int64_t k = 0; k < p; k++)
        for (int64_t a = 0; a < categories; a++) weight[k] += mean[a * p + k] * mean[a * p + k];
    for (int step = 0; step < STEPS; step++) {
        double length = 0;
        for (int64_t a = 0; a < categories; a++) {
            score[a] = 0;
            for (int64_t k = 0; k < p; k++) score[a] += mean[a * p + k] * weight[k];
        }
        for (int64_t k = 0; k < p; k++) {
            weight[k] = 0;
            for (int64_t a = 0; a < categories; a++) weight[k] += mean[a * p + k] * score[a];
            length += weight[k] * weight[k];
        }
        for (int64_t k = 0; k < p && length > 0; k++) weight[k] /= sqrt(length);
    }
    for (int64_t k = 1; k < p; k++)
        if (fabs(weight[k]) > fabs(weight[largest])) largest = k;
    double sign = weight[largest] < 0 ? -1 : 1;
    for (int64_t a = 0; a < categories; a++) score[a] = share[a] > 0 ? sign * score[a] / sqrt(share[a]) : 0;
    arena_drop(c->run->work.arena, mean);
done:
    return status;
}

typedef struct Scored {
    double score;
    int32_t code;
} Scored;
static int by_score(const void *x, const void *y) {
    const Scored *a = x, *b = y;
    return a->score != b->score ? (a->score > b->score) - (a->score < b->score) : (a->code > b->code) - (a->code < b->code);
}

static Status order_column(Ordering *o, int64_t j) {
    Status status = OK;
    Copula *c = o->c;
    Margin *m = &c->margin[j];
    int32_t categories = m->codes.count + 1;
    double *score = NULL;
    Scored *scored = NULL;
    NEW(&c->run->work, score, categories + 1);
    NEW(&c->run->work, scored, categories + 1);
    TRY(scores_of(o, j, score));
    for (int32_t a = 0; a < categories; a++) scored[a] = (Scored){ score[a], a };
    qsort(scored, (size_t)categories, sizeof *scored, by_score);
    for (int32_t k = 0; k < categories; k++) m->place[scored[k].code] = k;
    TRY(copula_sort_places(c, m));
    standardise(c, m, o->z[j]);
    o->ready[j] = true;
done:
    return status;
}

Status copula_order_categories(Copula *c) {
    Status status = OK;
    Ordering o = { .c = c };
    int64_t wanted = 0;
    for (int64_t j = 0; j < c->columns; j++) wanted += unordered(&c->margin[j]);
    if (!wanted || c->columns < 2) return OK;
    NEW(&c->run->work, o.z, c->columns + 1);
    NEW(&c->run->work, o.ready, c->columns + 1);
    for (int64_t j = 0; j < c->columns; j++) {
        NEW(&c->run->work, o.z[j], c->rows + 1);
        standardise(c, &c->margin[j], o.z[j]);
        o.ready[j] = wanted == c->columns || !unordered(&c->margin[j]);
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int64_t j = 0; j < c->columns; j++)
            if (unordered(&c->margin[j])) TRY(order_column(&o, j));
    for (int64_t j = 0; j < c->columns; j++) arena_drop(c->run->work.arena, o.z[j]);
    result_note(c->run->result,
                "The categories of %lld columns have no order of their own: they stand in the order in which they go best "
                "with the other columns.",
                (long long)wanted);
done:
    return status;
}
