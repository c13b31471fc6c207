/* A box of many records is seldom of one class, and a series is about numbers alone. But exp(−(n + c)/2) = exp(−n/2)·exp(−c/2), n the
 * measure of the numbers and c that of the classes: for queries of one class every record counts exp(−c/2) times, and one index of the
 * numbers, weighed again for each class of queries, serves all. */
#include "math/neighbours/gaussian_sum_by_class.h"
#include <string.h>
#include "base/elementary.h"

enum { MOST_CLASSES = 128, SLOTS = 4 * MOST_CLASSES };
#define FARTHEST 600.0 /* of two classes: what counts less is not told from 0 */
#define LARGEST 1e5    /* base: in n + c − n, of a larger one, c is lost in rounding */

typedef struct Classes {
    int64_t count, width;         /* doubles in a tuple: code and half of each nominal axis */
    double *tuple;                /* class → its tuple */
    int32_t slot[SLOTS];          /* by hash: class + 1 */
    double apart[MOST_CLASSES];   /* exp(−c/2) from the class at hand */
    int64_t asking[MOST_CLASSES]; /* queries */
} Classes;

/* The records of an index by row: their class (-1: not in it) and their numbers. */
typedef struct Classed {
    int32_t *of;
    Axis axis[2];
    Space space;
} Classed;

/* -1 where there are too many. */
static int32_t class_of(Classes *c, const double *tuple) {
    uint64_t hash = 0;
    for (int64_t k = 0; k < c->width; k++) {
        uint64_t word;
        memcpy(&word, &tuple[k], sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    for (uint64_t at = hash % SLOTS;; at = (at + 1) % SLOTS) {
        if (!c->slot[at]) {
            if (c->count == MOST_CLASSES) return -1;
            memcpy(c->tuple + c->count * c->width, tuple, (size_t)c->width * sizeof *tuple);
            c->slot[at] = (int32_t)++c->count;
        }
        if (!memcmp(c->tuple + (c->slot[at] - 1) * c->width, tuple, (size_t)c->width * sizeof *tuple)) return c->slot[at] - 1;
    }
}

static Status classify(Work *work, const Neighbours *index, Classes *c, Classed *out, bool *few) {
    Status status = OK;
    const Shape *shape = &index->shape;
    double *x[2] = { 0 }, *tuple = NULL;
    NEW(work, out->of, index->rows + 1);
    NEW(work, tuple, c->width + 1);
    for (int64_t s = 0; s < shape->numbers; s++) {
        NEW(work, x[s], index->rows + 1);
        out->axis[s] = (Axis){ .x = x[s] };
    }
    for (int64_t i = 0; i < index->rows; i++) out->of[i] = -1;
    for (int64_t place = 0; *few && place < (int64_t)index->leaves * LEAF; place++) {
        int32_t row = index->row[place];
        if (row < 0) continue;
        const double *point = leaf_points(index, (int32_t)(place / LEAF)) + place % LEAF;
        for (int64_t s = 0; s < shape->numbers; s++) x[s][row] = point[s * LEAF];
        for (int64_t k = 0; k < c->width; k++) tuple[k] = point[(shape->numbers + k) * LEAF];
        out->of[row] = class_of(c, tuple);
        *few = out->of[row] >= 0;
    }
    out->space = (Space){ .metric = index->metric, .rows = index->rows, .axes = shape->numbers, .axis = out->axis };
done:
    return status;
}

/* The measure between two classes. */
static double between(const Classes *c, int64_t a, int64_t b) {
    const double *x = c->tuple + a * c->width, *y = c->tuple + b * c->width;
    double sum = 0;
    for (int64_t k = 0; k < c->width; k += 2)
        if (x[k] != y[k]) sum += x[k + 1] + y[k + 1];
    return sum;
}

static bool all_near(const Classes *c) {
    for (int64_t a = 0; a < c->count; a++)
        for (int64_t b = 0; b < a; b++)
            if (!(between(c, a, b) <= FARTHEST)) return false;
    return true;
}

static bool small_bases(const Classed *from, const double *base) {
    for (int64_t i = 0; i < from->space.rows; i++)
        if (from->of[i] >= 0 && !(base[i] <= LARGEST)) return false;
    return true;
}

typedef struct ClassAttack {
    Classes classes;
    Classed from, in;
    Neighbours *numbers; /* of all records of `in` */
    GaussianSum series;
    double *weight; /* of each record for the class at hand */
    int64_t *rows;
    Work *work;
    const Neighbours *index[2]; /* of those that ask, and of the others */
    const double *times, *base;
    double *sum;
    bool done;
} ClassAttack;

static Status sum_class(ClassAttack *b, int32_t class) {
    Status status = OK;
    Neighbours *asking = NULL;
    int64_t count = 0;
    for (int64_t c = 0; c < b->classes.count; c++) b->classes.apart[c] = exp(-between(&b->classes, class, c) / 2);
    for (int64_t i = 0; i < b->in.space.rows; i++)
        b->weight[i] = b->in.of[i] < 0 ? 0 : (b->times ? b->times[i] : 1) * b->classes.apart[b->in.of[i]];
    for (int64_t i = 0; i < b->from.space.rows; i++)
        if (b->from.of[i] == class) b->rows[count++] = i;
    TRY(neighbours_make(b->work, &b->from.space, b->rows, count, &asking));
    TRY(series_weigh(b->work, b->numbers, b->weight, &b->series));
    TRY(neighbours_sum_weighed(b->work, asking, b->numbers, &b->series, b->base, b->sum));
done:
    neighbours_drop(b->work, asking);
    return status;
}

static Status sum_classes(ClassAttack *b) {
    Status status = OK;
    int64_t count = 0;
    NEW(b->work, b->weight, b->in.space.rows + 1);
    NEW(b->work, b->rows, (b->in.space.rows > b->from.space.rows ? b->in.space.rows : b->from.space.rows) + 1);
    for (int64_t i = 0; i < b->in.space.rows; i++)
        if (b->in.of[i] >= 0) b->rows[count++] = i;
    TRY(neighbours_make(b->work, &b->in.space, b->rows, count, &b->numbers));
    TRY(series_make(b->work, b->numbers, &b->series));
    for (int64_t i = 0; i < b->from.space.rows; i++)
        if (b->from.of[i] >= 0) b->classes.asking[b->from.of[i]]++;
    for (int32_t class = 0; class < b->classes.count; class ++)
        if (b->classes.asking[class]) TRY(sum_class(b, class));
done:
    return status;
}

static Status sum_aside(void *self) {
    Status status = OK;
    ClassAttack *b = self;
    bool few = true;
    NEW(b->work, b->classes.tuple, MOST_CLASSES * b->classes.width);
    TRY(classify(b->work, b->index[1], &b->classes, &b->in, &few));
    if (few) TRY(classify(b->work, b->index[0], &b->classes, &b->from, &few));
    if (!few || !all_near(&b->classes) || !small_bases(&b->from, b->base)) goto done;
    TRY(sum_classes(b));
    b->done = true;
done:
    return status;
}

Status sum_by_class(Work *work, const Neighbours *from, const Neighbours *in, const double *times, const double *base, double *sum,
                    bool *done) {
    const Shape *shape = &in->shape;
    ClassAttack b = { .classes = { .width = shape->slots - shape->numbers },
                      .work = work,
                      .index = { from, in },
                      .times = times,
                      .base = base,
                      .sum = sum };
    *done = false;
    if (!shape->nominals || shape->numbers < 1 || shape->numbers > 2 || in->metric != EUCLIDEAN || from->shape.slots != shape->slots ||
        from->shape.numbers != shape->numbers)
        return OK;
    Status status = work_with_arena(work, sum_aside, &b);
    *done = b.done;
    return status;
}
