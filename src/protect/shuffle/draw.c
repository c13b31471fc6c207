/* Data shuffling: the draw from the conditional normal, and the confidential values put in its order. */
#include "math/distributions.h"
#include "math/ranks.h"
#include "protect/shuffle/shuffle.h"

enum { BLOCK = 1 << 12 };

static Status draw_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Shuffle *s = self;
    int64_t p = s->confidential, q = s->others;
    (void)block, (void)error;
    for (int64_t j = 0; j < p; j++) draw_normals(&s->stream[j], (uint64_t)first, last - first, s->y[j] + first);
    for (int64_t i = first; i < last; i++) {
        const ShuffleFit *fit = &s->fit[s->strata.of[i]];
        for (int64_t j = p - 1; j >= 0; j--) { /* the root is lower triangular: in place from the last */
            double sum = 0;
            for (int64_t k = 0; k <= j; k++) sum += fit->root[j * p + k] * s->y[k][i];
            for (int64_t k = 0; k < q; k++) sum += fit->slope[j * q + k] * s->score[k][i] / fit->sd[k];
            s->y[j][i] = sum;
        }
    }
    return OK;
}

/* The record whose draw has rank r among its stratum's gets the stratum's r-th smallest value. */
static Status reorder(Shuffle *s, int64_t j, int64_t *order, int64_t *drawn, int64_t *begin) {
    Status status = OK;
    Work *work = &s->run->work;
    int64_t count = 0, used = 0;
    TRY(work_check(work));
    TRY(order_reals(work, s->y[j], s->rows, order, &count));
    for (int64_t r = 0; r < count; r++)
        if (s->x[j][order[r]] == s->x[j][order[r]]) order[used++] = order[r]; /* those that have a value */
    TRY(strata_gather(work, &s->strata, order, used, drawn, begin));
    for (int64_t i = 0; i < s->rows; i++) s->from[j][i] = -1;
    for (int64_t r = 0; r < used; r++) s->from[j][drawn[r]] = s->sorted[j][r];
done:
    return status;
}

Status shuffle_draw(Shuffle *s) {
    Status status = OK;
    Work *work = &s->run->work;
    int64_t *order = NULL, *drawn = NULL, *begin = NULL;
    NEW(work, order, s->rows + 1);
    NEW(work, drawn, s->rows + 1);
    NEW(work, begin, s->strata.count + 1);
    NEW(work, s->y, s->confidential + 1);
    NEW(work, s->from, s->confidential + 1);
    for (int64_t j = 0; j < s->confidential; j++) {
        NEW(work, s->y[j], s->rows + 1);
        NEW(work, s->from[j], s->rows + 1);
    }
    TRY(parallel_for(work, s->rows, BLOCK, draw_block, s));
    for (int64_t j = 0; j < s->confidential; j++) {
        work_show(work, "shuffle", (double)j / (double)s->confidential);
        TRY(reorder(s, j, order, drawn, begin));
    }
done:
    arena_drop(work->arena, order);
    arena_drop(work->arena, drawn);
    return status;
}
