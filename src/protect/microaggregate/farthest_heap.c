/* Farthest from a moving average: upper bounds, sorted once, and a heap of those that were looked at again. */
#include "protect/microaggregate/farthest_heap.h"
#include <string.h>
#include "base/elementary.h"

typedef struct Bound Bound;

static double measure_from(const FarthestHeap *f, int64_t row, const double *point, const double *half) {
    double sum = 0;
    for (int64_t j = 0; j < f->space->axes; j++) {
        const Axis *axis = &f->space->axis[j];
        double d = axis->x[row] - point[j];
        sum += axis->half ? (d != 0 ? axis->half[row] + half[j] : 0) : d * d;
    }
    return sum;
}

static double moved_by(const FarthestHeap *f, const double *point, const double *half) {
    double sum = 0;
    for (int64_t j = 0; j < f->space->axes; j++) {
        double d = point[j] - f->point[j];
        sum += f->space->axis[j].half ? (d != 0 ? half[j] + f->half[j] : 0) : d * d;
    }
    return sqrt(sum);
}

enum { WAYS = 4 }; /* of the heap: four bounds are a line of memory */

static void sift_down(Bound *heap, int64_t count, int64_t at, Bound item) {
    for (int64_t first = WAYS * at + 1; first < count; first = WAYS * at + 1) {
        int64_t down = first;
        for (int64_t i = first + 1; i < first + WAYS && i < count; i++)
            if (heap[i].bound > heap[down].bound) down = i;
        if (heap[down].bound <= item.bound) break;
        heap[at] = heap[down];
        at = down;
    }
    heap[at] = item;
}

static void push(FarthestHeap *f, Bound item) {
    int64_t at = f->count++;
    for (int64_t up = (at - 1) / WAYS; at > 0 && f->heap[up].bound < item.bound; at = up, up = (at - 1) / WAYS) f->heap[at] = f->heap[up];
    f->heap[at] = item;
}

static double first_bound(const FarthestHeap *f) {
    uint64_t bits = f->sorted.key[f->left - 1] ^ UINT64_C(1) << 63; /* as real_key has it: no bound is negative there */
    double bound;
    memcpy(&bound, &bits, sizeof bound);
    return bound;
}

/* The greatest bound, -∞ where there is none. */
static double greatest(const FarthestHeap *f) {
    double first = f->left ? first_bound(f) : -INFINITY;
    return f->count && f->heap[0].bound > first ? f->heap[0].bound : first;
}

static Bound pop(FarthestHeap *f) {
    if (f->left && (!f->count || !(f->heap[0].bound > first_bound(f)))) {
        Bound top = { first_bound(f), f->sorted.row[f->left - 1] };
        f->left--;
        return top;
    }
    Bound top = f->heap[0];
    Bound last = f->heap[--f->count];
    if (f->count) sift_down(f->heap, f->count, 0, last);
    return top;
}

Status farthest_heap_start(Work *work, const Space *space, const int64_t *rows, int64_t count, const bool *gone, FarthestHeap *out) {
    Status status = OK;
    *out = (FarthestHeap){ .space = space, .gone = gone, .left = count };
    TRY(keyed_new(work, count + 1, &out->sorted));
    TRY(keyed_new(work, count + 1, &out->scratch));
    NEW(work, out->heap, count + 1);
    NEW(work, out->asked, count + 1);
    NEW(work, out->point, space->axes + 1);
    NEW(work, out->half, space->axes + 1);
    for (int64_t i = 0; i < count; i++) out->sorted.row[i] = (int32_t)rows[i];
done:
    return status;
}

static void first_bounds(FarthestHeap *f, const double *point, const double *half) {
    for (int64_t i = 0; i < f->left; i++) f->sorted.key[i] = real_key(sqrt(measure_from(f, f->sorted.row[i], point, half)));
    keyed_sort_here(f->sorted, f->scratch, f->left);
    f->started = true;
}

int64_t farthest_heap_top(FarthestHeap *f, const double *point, const double *half) {
    size_t bytes = sizeof *point * (size_t)f->space->axes;
    int64_t asked = 0, best = -1;
    double most = -1, reach = -1;
    if (!f->started) first_bounds(f, point, half);
    else f->moved += moved_by(f, point, half);
    memcpy(f->point, point, bytes);
    memcpy(f->half, half, bytes);
    /* a little is given for the rounding of sums and roots: it only means to look once more */
    while (f->left + f->count && greatest(f) + f->moved >= reach - 1e-12 * (1 + f->moved + reach)) {
        Bound top = pop(f);
        if (f->gone[top.row]) continue;
        double measure = measure_from(f, top.row, point, half);
        if (measure > most || (measure == most && top.row < best)) {
            most = measure;
            best = top.row;
            reach = sqrt(measure);
        }
        f->asked[asked++] = (Bound){ sqrt(measure) - f->moved, top.row };
    }
    for (int64_t i = 0; i < asked; i++) push(f, f->asked[i]);
    return best;
}

int64_t farthest_heap_next(FarthestHeap *f, int64_t but, int64_t count, int64_t *rows) {
    int64_t found = 0, asked = 0, most = 8 * count; /* bounds may be old ones: more are measured, and the farthest taken */
    while (f->left + f->count && asked < most) {
        Bound top = pop(f);
        if (f->gone[top.row]) continue;
        top.bound = sqrt(measure_from(f, top.row, f->point, f->half)) - f->moved;
        int64_t at = asked++;
        for (; at > 0 && f->asked[at - 1].bound < top.bound; at--) f->asked[at] = f->asked[at - 1];
        f->asked[at] = top;
    }
    for (int64_t i = 0; i < asked; i++) {
        if (found < count && f->asked[i].row != but) rows[found++] = f->asked[i].row;
        push(f, f->asked[i]);
    }
    return found;
}
