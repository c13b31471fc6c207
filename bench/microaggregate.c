/* Microaggregation: MDAV on five columns against the seconds that sdcMicro takes (mdav, two cores of a 2.8 GHz Xeon: 0.48 s at 10,000
 * records, 79.7 s at 100,000), and against a plain MDAV loop in this run. To reach: 40 times sdcMicro at 100,000, and 1,000,000 in under 5
 * minutes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "bench.h"
#include "protect/microaggregate/partition.h"

typedef struct {
    Space space;
    int64_t *rows;
    int32_t *group;
    int64_t k;
    bool variable;
} Task;

static Task make_task(Work *work, int64_t rows) {
    static const char *const names[] = { "x1", "x2", "x3", "x4", "x5" };
    const Column *columns[5];
    const Scale *scale;
    Table *table;
    Task task = { .k = 3, .rows = malloc((size_t)rows * sizeof *task.rows), .group = malloc((size_t)rows * sizeof *task.group) };
    if (bench_table(work, rows, &table)) exit(1);
    for (int j = 0; j < 5; j++) columns[j] = table_column(table, names[j]);
    if (scale_make(work, (Columns){ 5, columns }, NULL, EUCLIDEAN, &scale) ||
        scale_space(work, scale, (Columns){ 5, columns }, &task.space))
        exit(1);
    for (int64_t i = 0; i < rows; i++) task.rows[i] = i;
    return task;
}

static Status part(Work *work, void *self) {
    Task *t = self;
    Partition partition = { .group = t->group };
    for (int64_t i = 0; i < t->space.rows; i++) t->group[i] = -1;
    if (t->variable) return part_vmdav(work, &t->space, t->rows, t->space.rows, t->k, 0.2, &partition);
    return part_mdav(work, &t->space, t->rows, t->space.rows, t->k, &partition);
}

/* The plain way: every step looks at every record left. */
typedef struct {
    const Space *space;
    const int64_t *rows;
    int64_t left;
    int64_t *live;
} Plain;

static double distance(const Space *s, int64_t row, const double *point) {
    double sum = 0;
    for (int64_t j = 0; j < s->axes; j++) {
        double d = s->axis[j].x[row] - point[j];
        sum += d * d;
    }
    return sum;
}

static int64_t pick(const Plain *p, const double *point, int sign) {
    int64_t best = 0;
    double most = -INFINITY;
    for (int64_t i = 0; i < p->left; i++) {
        double d = sign * distance(p->space, p->live[i], point);
        if (d > most) {
            most = d;
            best = i;
        }
    }
    return best;
}

static void take(Plain *p, int64_t at, int64_t k, double *point) {
    for (int64_t j = 0; j < p->space->axes; j++) point[j] = p->space->axis[j].x[p->live[at]];
    p->live[at] = p->live[--p->left];
    for (int64_t i = 1; i < k; i++) {
        int64_t near = pick(p, point, -1);
        p->live[near] = p->live[--p->left];
    }
}

static Status plain(Work *work, void *self) {
    Task *t = self;
    Plain p = { &t->space, t->rows, t->space.rows, malloc((size_t)t->space.rows * sizeof *p.live) };
    double point[8];
    (void)work;
    for (int64_t i = 0; i < p.left; i++) p.live[i] = i;
    while (p.left >= 3 * t->k) {
        for (int64_t j = 0; j < t->space.axes; j++) {
            point[j] = 0;
            for (int64_t i = 0; i < p.left; i++) point[j] += t->space.axis[j].x[p.live[i]];
            point[j] /= (double)p.left;
        }
        take(&p, pick(&p, point, 1), t->k, point);
        take(&p, pick(&p, point, 1), t->k, point);
    }
    free(p.live);
    return OK;
}

int main(int argc, char **argv) {
    int64_t most = argc > 1 ? atoll(argv[1]) : 100000;
    static const double peer[] = { 0.48, 79.7, 0 };
    for (int64_t rows = 10000, i = 0; rows <= most; rows *= 10, i++) {
        Work work = bench_work(2);
        Task task = make_task(&work, rows);
        char what[64];
        double loop = rows == 10000 ? bench_best(&work, 1, plain, &task) : 0;
        snprintf(what, sizeof what, "mdav, k = 3, %lld records", (long long)rows);
        double seconds = bench_best(&work, rows < 1000000 ? 3 : 1, part, &task);
        bench_line(what, seconds, "sdcMicro", peer[i]);
        if (loop > 0) bench_line("  the same", seconds, "a plain loop", loop);
        task.variable = true;
        snprintf(what, sizeof what, "vmdav, k = 3, %lld records", (long long)rows);
        bench_line(what, bench_best(&work, 1, part, &task), NULL, 0);
        arena_free(work.arena);
    }
    printf("(sdcMicro's seconds are its own, from another machine of this kind; a larger last size may be given: bench-microaggregate "
           "1000000)\n");
    return 0;
}
