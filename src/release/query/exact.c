/* Statistics of whole numbers in exact arithmetic: what noise is added to. */
#include <string.h>
#include "base/elementary.h"
#include "math/ranks.h"
#include "release/query/query.h"

Statistic query_statistic(const Query *q) {
    static const StatisticKind kinds[] = { OF_COUNT,      OF_SUM,   OF_MEAN,     OF_VARIANCE, OF_SD,         OF_COVARIANCE,
                                           OF_COVARIANCE, OF_MEAN,  OF_QUANTILE, OF_QUANTILE, OF_WINSORIZED, OF_TRIMMED,
                                           OF_COUNT,      OF_COUNT, OF_COUNT,    OF_COUNT,    OF_COUNT };
    return (Statistic){ kinds[q->kind], q->kind == QUERY_MEDIAN ? 0.5 : q->number };
}

static Status sort_numbers(Work *work, int64_t *x, int64_t n) {
    Status status = OK;
    uint64_t *words = NULL;
    int64_t *order = NULL, *sorted = NULL;
    NEW(work, words, n + 1);
    NEW(work, order, n + 1);
    NEW(work, sorted, n + 1);
    for (int64_t i = 0; i < n; i++) words[i] = (uint64_t)x[i] ^ (UINT64_C(1) << 63);
    TRY(order_words(work, words, n, order));
    for (int64_t i = 0; i < n; i++) sorted[i] = x[order[i]];
    memcpy(x, sorted, (size_t)n * sizeof *x);
done:
    arena_drop(work->arena, words);
    arena_drop(work->arena, order);
    arena_drop(work->arena, sorted);
    return status;
}

static Wide sum_of(const int64_t *x, int64_t first, int64_t last) {
    Wide sum = 0; /* 2⁶¹·2⁶³ at most: no overflow */
    for (int64_t i = first; i < last; i++) sum += x[i];
    return sum;
}

/* Σ x·y without overflow: products of 2¹²² are folded into an mpz every measure. */
static void products_of(const int64_t *x, const int64_t *y, int64_t n, mpz_t out) {
    mpz_t part;
    mpz_init(part);
    mpz_set_ui(out, 0);
    for (int64_t i = 0; i < n; i += 16) {
        Wide sum = 0;
        for (int64_t j = i; j < i + 16 && j < n; j++) sum += (Wide)x[j] * y[j];
        wide_to_mpz(sum, part);
        mpz_add(out, out, part);
    }
    mpz_clear(part);
}

void sums_start(Sums3 *sums) { mpz_inits(sums->x, sums->y, sums->xy, NULL); }
void sums_end(Sums3 *sums) { mpz_clears(sums->x, sums->y, sums->xy, NULL); }

void exact_sums(const Exact *e, Sums3 *out) {
    const int64_t *y = e->y ? e->y : e->x;
    wide_to_mpz(sum_of(e->x, 0, e->n), out->x);
    wide_to_mpz(sum_of(y, 0, e->n), out->y);
    products_of(e->x, y, e->n, out->xy);
}

/* n Σxy − Σx Σy over n(n−1). */
static void products_over(const Exact *e, mpz_t num, mpz_t den) {
    mpz_mul_si(num, e->sums->xy, e->n);
    mpz_submul(num, e->sums->x, e->sums->y);
    mpz_set_si(den, e->n);
    mpz_mul_si(den, den, e->n - 1);
}

/* A type-7 quantile times 2⁵³: the fraction is a double, hence a whole number of 2⁻⁵³. */
static void quantile_times(const int64_t *x, QuantilePlace place, mpz_t out) {
    mpz_set_si(out, x[place.below]);
    mpz_mul_2exp(out, out, 53);
    if (place.fraction == 0) return;
    mpz_t part;
    mpz_init_set_si(part, x[place.below + 1]);
    mpz_t from;
    mpz_init_set_si(from, x[place.below]);
    mpz_sub(part, part, from);
    mpz_mul_si(part, part, (int64_t)ldexp(place.fraction, 53));
    mpz_add(out, out, part);
    mpz_clear(part);
    mpz_clear(from);
}

static void winsorized_over(const Exact *e, mpz_t num, mpz_t den) {
    QuantilePlace low = quantile_place(e->n, e->statistic.share), high = quantile_place(e->n, 1 - e->statistic.share);
    mpz_t part;
    mpz_init(part);
    wide_to_mpz(sum_of(e->x, low.below + 1, high.below + 1), num);
    mpz_mul_2exp(num, num, 53);
    quantile_times(e->x, low, part);
    mpz_mul_si(part, part, low.below + 1);
    mpz_add(num, num, part);
    quantile_times(e->x, high, part);
    mpz_mul_si(part, part, e->n - 1 - high.below);
    mpz_add(num, num, part);
    mpz_set_si(den, e->n);
    mpz_mul_2exp(den, den, 53);
    mpz_clear(part);
}

static void linear_over(const Exact *e, mpz_t num, mpz_t den) {
    if (e->statistic.kind == OF_WINSORIZED) {
        winsorized_over(e, num, den);
        return;
    }
    if (e->statistic.kind == OF_QUANTILE) {
        quantile_times(e->x, quantile_place(e->n, e->statistic.share), num);
        mpz_set_ui(den, 1);
        mpz_mul_2exp(den, den, 53);
        return;
    }
    int64_t each = trimmed_each(e->n, e->statistic.share);
    wide_to_mpz(sum_of(e->x, each, e->n - each), num);
    mpz_set_si(den, e->n - 2 * each);
}

/* ⌊√(num/den · 2^shift)⌋: the floor inside changes nothing. */
static Status root_floor(mpz_t num, mpz_t den, int shift, Wide *out, Error *error) {
    if (shift > 0) mpz_mul_2exp(num, num, (mp_bitcnt_t)shift);
    if (shift < 0) mpz_mul_2exp(den, den, (mp_bitcnt_t)-shift);
    mpz_fdiv_q(num, num, den);
    mpz_sqrt(num, num);
    return wide_from_mpz(num, out, error);
}

Status exact_statistic(Work *work, Exact *e, int grid, Wide *out) {
    Status status = OK;
    mpz_t num, den;
    StatisticKind kind = e->statistic.kind;
    int exponent = e->exponent_x;
    *out = 0;
    mpz_init(num);
    mpz_init_set_ui(den, 1);
    if (kind == OF_COUNT) {
        mpz_set_si(num, e->n);
        exponent = 0;
    } else if (kind == OF_SUM || kind == OF_MEAN) {
        wide_to_mpz(sum_of(e->x, 0, e->n), num);
        if (kind == OF_MEAN) mpz_set_si(den, e->n);
    } else if (statistic_linear(e->statistic)) {
        TRY(sort_numbers(work, e->x, e->n));
        linear_over(e, num, den);
    } else {
        Sums3 own;
        const Sums3 *given = e->sums;
        sums_start(&own);
        if (!given) {
            exact_sums(e, &own);
            e->sums = &own;
        }
        products_over(e, num, den);
        e->sums = given;
        sums_end(&own);
        exponent = kind == OF_COVARIANCE ? e->exponent_x + e->exponent_y : 2 * e->exponent_x;
    }
    if (kind == OF_SD) TRY(root_floor(num, den, exponent - 2 * grid, out, work->error));
    else TRY(grid_floor(num, den, exponent - grid, out, work->error));
done:
    mpz_clear(num);
    mpz_clear(den);
    return status;
}
