/* The exact number of placements, in whole numbers of any size. */
#include <gmp.h>
#include <string.h>
#include "base/elementary.h"
#include "math/roc/placement_states.h"

/* One row of counts for each of the last two groups; every number has room for `stride` limbs, of which `used` may be other than 0. */
typedef struct {
    mp_limb_t *before, *now;
    int64_t stride, used;
} Rows;

static void add(Rows *rows, mp_limb_t *sum, const mp_limb_t *a, const mp_limb_t *b) {
    mp_limb_t carry = mpn_add_n(sum, a, b, rows->used);
    if (carry) sum[rows->used++] = carry;
}

/* F(j, i) = F(j−1, i) + F(j−t, i−1) where group i can end on step j and takes t steps. */
static void next_row(const RocBand *band, int64_t i, Rows *rows) {
    int64_t first = band->first[i], last = band->last[i], before = band->first[i - 1];
    for (int64_t j = first; j <= last; j++) {
        mp_limb_t *sum = rows->now + (j - first) * rows->stride;
        int64_t taken = roc_taken(band->steps, &band->known->at[i - 1], j);
        const mp_limb_t *more = taken && j - taken >= before ? rows->before + (j - taken - before) * rows->stride : NULL;
        if (more && j > first) add(rows, sum, sum - rows->stride, more);
        else memcpy(sum, j > first ? sum - rows->stride : more, (size_t)rows->used * sizeof *sum);
    }
}

Status roc_count(Work *work, const RocBand *band, int64_t from, int64_t to, double log2_count, void *product) {
    Status status = OK;
    Rows rows = { .stride = (int64_t)(log2_count / 64) + 2, .used = 1 };
    int64_t width = 0;
    for (int64_t i = from; i <= to; i++)
        if (band->last[i] - band->first[i] + 1 > width) width = band->last[i] - band->first[i] + 1;
    NEW(work, rows.before, width * rows.stride);
    NEW(work, rows.now, width * rows.stride);
    for (int64_t k = 0; k <= band->last[from] - band->first[from]; k++) rows.before[k * rows.stride] = 1;
    for (int64_t i = from + 1; i <= to; i++) {
        next_row(band, i, &rows);
        mp_limb_t *spare = rows.before;
        rows.before = rows.now;
        rows.now = spare;
        if (i % 1024 == 0) {
            TRY(work_check(work));
            work_show(work, "counting solutions", (double)i / (double)(band->known->count + 1));
        }
    }
    mpz_t count;
    mpz_mul(product, product, mpz_roinit_n(count, rows.before + (band->last[to] - band->first[to]) * rows.stride, rows.used));
    arena_drop(work->arena, rows.before);
    arena_drop(work->arena, rows.now);
done:
    return status;
}
