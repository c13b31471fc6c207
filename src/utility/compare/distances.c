/* Distances between the distributions of one variable in two tables. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "math/order.h"
#include "utility/compare/compare.h"

enum { FEW = 50, BINS = 20 };

/* Counts of the same categories in both tables; the last is missing. */
typedef struct {
    int64_t cells;
    double *count[2];
} Histogram;

/* Kolmogorov–Smirnov: sup |F_o − F_r|, both samples sorted. */
static double kolmogorov_smirnov(const Pairing *p) {
    int64_t i = 0, j = 0, n = p->present[0], m = p->present[1];
    double worst = 0;
    if (!n || !m) return NAN;
    while (i < n && j < m) {
        double at = p->sorted[0][i] < p->sorted[1][j] ? p->sorted[0][i] : p->sorted[1][j];
        while (i < n && p->sorted[0][i] == at) i++;
        while (j < m && p->sorted[1][j] == at) j++;
        worst = fmax(worst, fabs((double)i / (double)n - (double)j / (double)m));
    }
    return worst;
}

static Status histogram_new(Work *work, int64_t cells, Histogram *h) {
    Status status = OK;
    h->cells = cells;
    for (int t = 0; t < 2; t++) NEW(work, h->count[t], cells + 1);
done:
    return status;
}

static int64_t distinct_of(const double *sorted, int64_t count, double *out, int64_t room) {
    int64_t distinct = 0;
    for (int64_t i = 0; i < count; i++) {
        if (i && sorted[i] == sorted[i - 1]) continue;
        if (distinct == room) return room + 1;
        out[distinct++] = sorted[i];
    }
    return distinct;
}

static int by_number(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Bin of a value: the number of limits at or below it. */
static int64_t bin_of(const double *limit, int64_t limits, double value) {
    int64_t low = 0, high = limits;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (value < limit[middle]) high = middle;
        else low = middle + 1;
    }
    return low;
}

/* Numbers: each value its own cell where both tables have few, else twenty bins with equally many originals. */
static Status histogram_of_numbers(Work *work, const Pairing *p, Histogram *h) {
    Status status = OK;
    double limit[2 * FEW + 2];
    int64_t limits = distinct_of(p->sorted[0], p->present[0], limit, FEW), others = 0;
    if (limits <= FEW) others = distinct_of(p->sorted[1], p->present[1], limit + limits, FEW);
    if (limits > FEW || others > FEW) {
        limits = 0;
        for (int b = 1; b < BINS && p->present[0]; b++) {
            double cut = sorted_quantile(p->sorted[0], p->present[0], (double)b / BINS);
            if (!limits || cut > limit[limits - 1]) limit[limits++] = cut;
        }
    } else {
        qsort(limit, (size_t)(limits + others), sizeof *limit, by_number);
        limits = distinct_of(limit, limits + others, limit, 2 * FEW);
    }
    TRY(histogram_new(work, limits + 2, h));
    for (int t = 0; t < 2; t++) {
        for (int64_t i = 0; i < p->present[t]; i++) h->count[t][bin_of(limit, limits, p->sorted[t][i])]++;
        h->count[t][limits + 1] = (double)(p->column[t]->rows - p->present[t]);
    }
done:
    return status;
}

typedef struct {
    const char *text;
    int table;
    int32_t code;
} Word;
static int by_word(const void *a, const void *b) { return strcmp(((const Word *)a)->text, ((const Word *)b)->text); }

/* Anything else: cells are the values as text. */
static Status histogram_of_words(Work *work, const Pairing *p, Histogram *h) {
    Status status = OK;
    Codes codes[2];
    Word *words = NULL;
    int64_t count = 0, cell = -1;
    char number[33];
    double *tally[2] = { 0 };
    for (int t = 0; t < 2; t++) TRY(column_codes(work, p->column[t], &codes[t]));
    NEW(work, words, codes[0].count + codes[1].count + 1);
    for (int t = 0; t < 2; t++) {
        NEW(work, tally[t], codes[t].count + 1);
        for (int64_t i = 0; i < p->column[t]->rows; i++) tally[t][codes[t].at[i] < 0 ? codes[t].count : codes[t].at[i]]++;
        for (int32_t c = 0; c < codes[t].count; c++) {
            const char *text = column_cell(p->column[t], codes[t].first_row[c], number);
            words[count++] = (Word){ text == number ? arena_text(work->arena, text) : text, t, c };
            if (!words[count - 1].text) TRY(fail(work->error, FAILED, "out of memory"));
        }
    }
    qsort(words, (size_t)count, sizeof *words, by_word);
    TRY(histogram_new(work, count + 1, h));
    for (int64_t i = 0; i < count; i++) {
        if (!i || by_word(&words[i], &words[i - 1])) cell++;
        h->count[words[i].table][cell] += tally[words[i].table][words[i].code];
    }
    for (int t = 0; t < 2; t++) h->count[t][count] = tally[t][codes[t].count];
done:
    return status;
}

/* Hellinger √(½Σ(√p−√q)²), total variation ½Σ|p−q|, Shannon's entropy −Σp·ln p of each. */
static void distances(const Histogram *h, const int64_t rows[2], Pairing *p) {
    double squares = 0, absolute = 0;
    if (!rows[0] || !rows[1]) {
        p->hellinger = p->total_variation = p->entropy[0] = p->entropy[1] = NAN;
        return;
    }
    for (int64_t i = 0; i < h->cells; i++) {
        double share[2];
        for (int t = 0; t < 2; t++) {
            share[t] = h->count[t][i] / (double)rows[t];
            if (share[t] > 0) p->entropy[t] -= share[t] * log(share[t]);
        }
        squares += pow(sqrt(share[0]) - sqrt(share[1]), 2);
        absolute += fabs(share[0] - share[1]);
    }
    p->hellinger = fmin(1, sqrt(squares / 2));
    p->total_variation = fmin(1, absolute / 2);
}

Status compare_distances(Comparison *c) {
    Status status = OK;
    Work *work = &c->run->work;
    for (int64_t v = 0; v < c->variables; v++) {
        Pairing *p = &c->pair[v];
        Histogram h;
        TRY(work_check(work));
        work_show(work, "distances", (double)v / (double)c->variables);
        TRY((p->x[0] ? histogram_of_numbers : histogram_of_words)(work, p, &h));
        p->ks = p->x[0] ? kolmogorov_smirnov(p) : NAN;
        distances(&h, (int64_t[]){ c->table[0]->rows, c->table[1]->rows }, p);
    }
done:
    return status;
}
