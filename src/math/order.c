/* A stable radix sort of 64-bit keys with their rows, eleven bits at a time; digits that all keys share are skipped. */
#include "math/order.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"

enum { BITS = 11, DIGITS = 6, SIZE = 1 << BITS };
typedef struct {
    uint64_t key;
    int64_t row;
} Item;

static uint64_t real_key(double value) {
    uint64_t bits;
    value = value == 0 ? 0 : value; /* -0 is 0 */
    memcpy(&bits, &value, 8);
    return bits >> 63 ? ~bits : bits | (UINT64_C(1) << 63);
}

static int by_item(const void *a, const void *b) {
    const Item *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static unsigned digit_of(uint64_t key, int digit) { return (unsigned)(key >> (digit * BITS)) & (SIZE - 1); }

/* One pass: items to `to`, stable by this digit. False where every item has the same digit and nothing needs to move. */
static bool pass(const Item *from, Item *to, int64_t count, int digit, int64_t *tally) {
    int64_t sum = 0;
    if (tally[digit_of(from[0].key, digit)] == count) return false;
    for (int d = 0; d < SIZE; d++) {
        int64_t here = tally[d];
        tally[d] = sum;
        sum += here;
    }
    for (int64_t i = 0; i < count; i++) to[tally[digit_of(from[i].key, digit)]++] = from[i];
    return true;
}

static Status sort_items(Work *work, Item *items, int64_t count, int64_t *order) {
    Status status = OK;
    Item *other = NULL;
    int64_t *tally = NULL;
    if (count < 2048) qsort(items, (size_t)count, sizeof *items, by_item);
    else {
        NEW(work, other, count);
        NEW(work, tally, DIGITS * SIZE);
        for (int64_t i = 0; i < count; i++)
            for (int d = 0; d < DIGITS; d++) tally[d * SIZE + digit_of(items[i].key, d)]++;
        for (int d = 0; d < DIGITS; d++) {
            TRY(work_check(work));
            if (!pass(items, other, count, d, tally + d * SIZE)) continue;
            Item *swap = items;
            items = other;
            other = swap;
        }
    }
    for (int64_t i = 0; i < count; i++) order[i] = items[i].row;
done:
    arena_drop(work->arena, other);
    arena_drop(work->arena, items);
    arena_drop(work->arena, tally);
    return status;
}

Status order_reals(Work *work, const double *x, int64_t rows, int64_t *order, int64_t *count) {
    Status status = OK;
    Item *items = NULL;
    int64_t used = 0;
    NEW(work, items, rows + 1);
    for (int64_t i = 0; i < rows; i++)
        if (!isnan(x[i])) items[used++] = (Item){ real_key(x[i]), i };
    *count = used;
    TRY(sort_items(work, items, used, order));
done:
    return status;
}

Status order_words(Work *work, const uint64_t *words, int64_t rows, int64_t *order) {
    Status status = OK;
    Item *items = NULL;
    NEW(work, items, rows + 1);
    for (int64_t i = 0; i < rows; i++) items[i] = (Item){ words[i], i };
    TRY(sort_items(work, items, rows, order));
done:
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

double sorted_quantile(const double *sorted, int64_t count, double probability) {
    if (count <= 0) return NAN;
    double place = probability * (double)(count - 1), below = floor(place), share = place - below;
    int64_t at = (int64_t)below;
    if (at >= count - 1) return sorted[count - 1];
    if (at < 0) return sorted[0];
    return share == 0 ? sorted[at] : sorted[at] + share * (sorted[at + 1] - sorted[at]);
}
