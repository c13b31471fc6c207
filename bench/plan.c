/* scrim plan: races against a grid of the same options in random order, with as many releases and with as much time; on 2,000 records of
 * the benchmark table, four keys, three numbers, k ≥ 3 on both sides and at most 5% linked. Printed: the loss of the best release that
 * keeps the rules, and the area that the front dominates in risk × loss up to (1, 0.5). To reach: races no worse in any seed, better on
 * average. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "bench.h"
#include "verb/verbs.h"

typedef struct {
    Table *data;
    const char *search, *candidates, *budget;
    uint64_t seed;
    double loss, area;
    int64_t releases;
} Task;

/* The front comes by growing loss, so by falling risk. */
static double dominated(const Table *front) {
    const Column *risk = table_column(front, "risk"), *loss = table_column(front, "loss");
    double area = 0, right = 1;
    for (int64_t i = 0; i < front->rows; i++) {
        double x = column_number(risk, i), y = column_number(loss, i);
        if (x < right && y < .5) area += (right - x) * (.5 - y);
        right = fmin(right, x);
    }
    return area;
}

static Status plan(Work *work, void *self) {
    Task *t = self;
    const char *roles = "{keys: [k2, k5, k10, k20], numeric: [x1, x2, x3]}",
               *policy = "{rules: [risk.k-anonymity.k >= 3, risk.linkage.confidentiality >= 0.95]}";
    const Arg arg[] = { { .name = "data", .count = 1, .tables = &t->data },
                        { .name = "roles", .count = 1, .items = &roles },
                        { .name = "policy", .count = 1, .items = &policy },
                        { .name = "search", .count = 1, .items = &t->search },
                        { .name = "candidates", .count = 1, .items = &t->candidates },
                        { .name = "budget", .count = 1, .items = &t->budget } };
    const Session session = { .seed = seed_from_number(t->seed), .seed_given = true, .threads = work->threads, .no_files = true };
    Result *result = NULL;
    Status status = method_run(&session, verb_find("verb", "plan"), &(Args){ t->budget ? 6 : 5, arg }, NULL, &result, work->error);
    if (status) return status;
    const Value *best = result_find(result, "best_loss");
    t->loss = best && best->kind == VALUE_REAL ? best->real : NAN;
    t->area = dominated(result_find_table(result, "front"));
    t->releases = result_find(result, "candidates")->integer;
    result_free(result);
    return OK;
}

static void compare(Table *data, const char *candidates, const char *budget, int seeds) {
    double loss[2] = { 0 }, area[2] = { 0 };
    static const char *const searches[] = { "race", "grid" };
    for (int s = 1; s <= seeds; s++)
        for (int i = 0; i < 2; i++) {
            Work work = bench_work(2);
            Task task = { .data = data, .search = searches[i], .candidates = candidates, .budget = budget, .seed = (uint64_t)s };
            double seconds = bench_best(&work, 1, plan, &task);
            char line[120];
            snprintf(line, sizeof line, "seed %d, %s, %lld releases", s, searches[i], (long long)task.releases);
            bench_line(line, seconds, NULL, 0);
            printf("    best loss %.5f, area %.5f\n", task.loss, task.area);
            loss[i] += task.loss / seeds;
            area[i] += task.area / seeds;
            arena_free(work.arena);
        }
    printf("mean: best loss %.5f by races, %.5f by the grid; area %.5f and %.5f\n\n", loss[0], loss[1], area[0], area[1]);
}

int main(int argc, char **argv) {
    int seeds = argc > 1 ? atoi(argv[1]) : 3;
    Work work = bench_work(2);
    Table *data = NULL;
    if (bench_table(&work, 2000, &data)) return 1;
    printf("As many releases (200):\n");
    compare(data, "200", NULL, seeds);
    printf("As much time (20 s):\n");
    compare(data, "100000", "20s", seeds);
    table_release(data);
    arena_free(work.arena);
    return 0;
}
