/* Data shuffling: mid-ranks within strata, and the normal scores of the nonconfidential columns. */
#include "base/elementary.h"
#include "math/distributions.h"
#include "math/ranks.h"
#include "protect/shuffle/shuffle.h"

static void mid_rank_stratum(const double *x, const int64_t *sorted, int64_t count, double *u) {
    for (int64_t first = 0, last; first < count; first = last) {
        for (last = first + 1; last < count && x[sorted[last]] == x[sorted[first]];) last++;
        for (int64_t k = first; k < last; k++) u[sorted[k]] = 0.5 * (double)(first + last) / (double)count;
    }
}

typedef struct {
    const double *u;
    double *score;
} Scoring;
static Status score_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Scoring *s = self;
    (void)block, (void)error;
    for (int64_t i = first; i < last; i++) s->score[i] = isnan(s->u[i]) ? 0 : normal_quantile(s->u[i]);
    return OK;
}

static Status rank_column(Shuffle *s, int64_t j, int64_t *order, int64_t *sorted, int64_t *begin) {
    Status status = OK;
    Work *work = &s->run->work;
    int64_t count = 0;
    bool confidential = j < s->confidential;
    TRY(work_check(work));
    NEW(work, s->u[j], s->rows + 1);
    for (int64_t i = 0; i < s->rows; i++) s->u[j][i] = NAN;
    TRY(order_reals(work, s->x[j], s->rows, order, &count));
    TRY(strata_gather(work, &s->strata, order, count, sorted, begin));
    for (int64_t k = 0; k < s->strata.count; k++) mid_rank_stratum(s->x[j], sorted + begin[k], begin[k + 1] - begin[k], s->u[j]);
    if (confidential) return OK;
    for (int64_t i = 0; i < s->rows; i++)
        if (s->used[i] && isnan(s->u[j][i])) s->u[j][i] = 0.5;
    Scoring scoring = { .u = s->u[j] };
    NEW(work, scoring.score, s->rows + 1);
    s->score[j - s->confidential] = scoring.score;
    TRY(parallel_for(work, s->rows, 1 << 13, score_block, &scoring));
done:
    return status;
}

Status shuffle_rank(Shuffle *s) {
    Status status = OK;
    Work *work = &s->run->work;
    int64_t *order = NULL, *sorted = NULL, *begin = NULL, columns = s->confidential + s->others;
    NEW(work, order, s->rows + 1);
    NEW(work, sorted, s->rows + 1);
    NEW(work, begin, s->strata.count + 1);
    NEW(work, s->u, columns + 1);
    NEW(work, s->score, s->others + 1);
    NEW(work, s->sorted, s->confidential + 1);
    NEW(work, s->begin, s->confidential + 1);
    for (int64_t j = 0; j < columns; j++) {
        work_show(work, "ranks", (double)j / (double)columns);
        if (j < s->confidential) {
            NEW(work, s->sorted[j], s->rows + 1);
            NEW(work, s->begin[j], s->strata.count + 1);
        }
        TRY(rank_column(s, j, order, j < s->confidential ? s->sorted[j] : sorted, j < s->confidential ? s->begin[j] : begin));
    }
done:
    arena_drop(work->arena, order);
    arena_drop(work->arena, sorted);
    return status;
}
