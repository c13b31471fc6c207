/* The average of a shrinking set of records. */
#include "protect/microaggregate/average.h"

/* Knuth's two-sum: sum + x exactly, as a rounded part and what rounding lost. */
static void add_exactly(double *sum, double *low, double x) {
    double whole = *sum + x, part = whole - *sum;
    *low += (*sum - (whole - part)) + (x - part);
    *sum = whole;
}

void average_count(Average *a, int64_t row, int sign) {
    for (int64_t j = 0; j < a->space->axes; j++) {
        double x = a->space->axis[j].x[row];
        if (a->tally[j]) a->tally[j][(int64_t)x] += sign;
        else add_exactly(&a->sum[j], &a->low[j], sign * x);
    }
    a->left += sign;
}

static Status average_codes(Work *work, Average *a, int64_t j, const int64_t *rows, int64_t count) {
    Status status = OK;
    const Axis *axis = &a->space->axis[j];
    int64_t codes = 1;
    for (int64_t i = 0; i < count; i++)
        if ((int64_t)axis->x[rows[i]] >= codes) codes = (int64_t)axis->x[rows[i]] + 1;
    NEW(work, a->tally[j], codes);
    NEW(work, a->half_of[j], codes);
    for (int64_t i = 0; i < count; i++) a->half_of[j][(int64_t)axis->x[rows[i]]] = axis->half[rows[i]];
    a->codes[j] = codes;
done:
    return status;
}

Status average_start(Work *work, const Space *space, const int64_t *rows, int64_t count, Average *a) {
    Status status = OK;
    *a = (Average){ .space = space };
    NEW(work, a->sum, space->axes + 1);
    NEW(work, a->low, space->axes + 1);
    NEW(work, a->tally, space->axes + 1);
    NEW(work, a->half_of, space->axes + 1);
    NEW(work, a->codes, space->axes + 1);
    NEW(work, a->point, space->axes + 1);
    NEW(work, a->half, space->axes + 1);
    for (int64_t j = 0; j < space->axes; j++)
        if (space->axis[j].half) TRY(average_codes(work, a, j, rows, count));
    for (int64_t i = 0; i < count; i++) average_count(a, rows[i], 1);
done:
    return status;
}

void average_take(Average *a) {
    for (int64_t j = 0; j < a->space->axes; j++) {
        a->point[j] = (a->sum[j] + a->low[j]) / (double)a->left;
        if (!a->tally[j]) continue;
        int64_t mode = 0;
        for (int64_t c = 1; c < a->codes[j]; c++)
            if (a->tally[j][c] > a->tally[j][mode]) mode = c;
        a->point[j] = (double)mode;
        a->half[j] = a->half_of[j][mode];
    }
}
