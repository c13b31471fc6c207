/* Orders, ranks and quantiles over base/sort.h. */
#include "math/ranks.h"
#include "base/elementary.h"
#include "base/sort.h"

enum { BLOCK = 1 << 16 };

typedef struct {
    Keyed keyed;
    int64_t *order;
} Spread;

static Status spread_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Spread *s = self;
    for (int64_t i = first; i < last; i++) s->order[i] = s->keyed.row[i];
    return OK;
}

static Status sort_into(Work *work, Keyed keyed, int64_t count, int64_t *order) {
    Spread spread = { keyed, order };
    Status status = keyed_sort(work, keyed, count);
    return status ? status : parallel_for(work, count, BLOCK, spread_block, &spread);
}

static Status too_many(Work *work, int64_t rows) {
    return rows > INT32_MAX ? fail(work->error, FAILED, "more than 2^31 records cannot be sorted at once") : OK;
}

Status order_reals(Work *work, const double *x, int64_t rows, int64_t *order, int64_t *count) {
    Status status = OK;
    Keyed keyed = { 0 };
    int64_t used = 0;
    TRY(too_many(work, rows));
    TRY(keyed_new(work, rows + 1, &keyed));
    for (int64_t i = 0; i < rows; i++) {
        keyed.key[used] = real_key(x[i]);
        keyed.row[used] = (int32_t)i;
        used += !isnan(x[i]);
    }
    *count = used;
    TRY(sort_into(work, keyed, used, order));
done:
    keyed_drop(work, &keyed);
    return status;
}

Status order_words(Work *work, const uint64_t *words, int64_t rows, int64_t *order) {
    Status status = OK;
    Keyed keyed = { 0 };
    TRY(too_many(work, rows));
    TRY(keyed_new(work, rows, &keyed));
    for (int64_t i = 0; i < rows; i++) {
        keyed.key[i] = words[i];
        keyed.row[i] = (int32_t)i;
    }
    TRY(sort_into(work, keyed, rows, order));
done:
    keyed_drop(work, &keyed);
    return status;
}

Status mid_ranks(Work *work, const double *x, int64_t rows, double *ranks) {
    Status status = OK;
    int64_t *order = NULL, count = 0;
    NEW(work, order, rows + 1);
    TRY(order_reals(work, x, rows, order, &count));
    for (int64_t i = 0; i < rows; i++) ranks[i] = NAN;
    for (int64_t first = 0, last; first < count; first = last) {
        for (last = first + 1; last < count && x[order[last]] == x[order[first]];) last++;
        for (int64_t i = first; i < last; i++) ranks[order[i]] = 0.5 * (double)(first + last + 1);
    }
done:
    arena_drop(work->arena, order);
    return status;
}

double ranked_quantile(double (*value)(void *self, int64_t rank), void *self, int64_t count, double probability) {
    if (count <= 0) return NAN;
    double place = probability * (double)(count - 1), below = floor(place), share = place - below;
    int64_t at = (int64_t)below;
    if (at >= count - 1) return value(self, count - 1);
    if (at < 0) return value(self, 0);
    double low = value(self, at);
    return share == 0 ? low : low + share * (value(self, at + 1) - low);
}

static double of_sorted(void *sorted, int64_t rank) { return ((const double *)sorted)[rank]; }

double sorted_quantile(const double *sorted, int64_t count, double probability) {
    return ranked_quantile(of_sorted, (void *)(uintptr_t)sorted, count, probability);
}
