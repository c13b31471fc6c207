/* Local suppression to k = 3 on the six keys, 25,000 to 200,000 records and 1,000,000: seconds, and how they grow with n. To reach:
 * seconds, near-linear. */
#include <stdio.h>
#include <stdlib.h>
#include "bench.h"
#include "method/method.h"

typedef struct {
    Table *data;
    int64_t cells, lower_bound;
} Task;

static Status suppress(Work *work, void *self) {
    static const char *const keys[] = { "k2", "k5", "k10", "k20", "k50", "k100" };
    Task *t = self;
    const Arg arg[] = { { .name = "data", .count = 1, .tables = &t->data }, { .name = "keys", .count = 6, .items = keys } };
    const Args args = { 2, arg };
    const Session session = { .seed = seed_from_number(1), .threads = work->threads };
    const Method *method;
    Result *result = NULL;
    Status status = method_need("protect.suppress", &method, work->error);
    if (!status) status = method_run(&session, method, &args, NULL, &result, work->error);
    if (!status) {
        t->cells = result_find(result, "cells")->integer;
        t->lower_bound = result_find(result, "lower_bound")->integer;
    }
    result_free(result);
    return status;
}

static void measure(int count) {
    static const int64_t sizes[] = { 10000, 25000, 50000, 100000, 200000, 1000000 };
    double before = 0;
    for (int i = 0; i < count && i < 6; i++) {
        Work work = bench_work(2);
        Task task = { 0 };
        char line[120];
        if (bench_table(&work, sizes[i], &task.data)) exit(1);
        double seconds = bench_best(&work, 2, suppress, &task);
        snprintf(line, sizeof line, "%lld records", (long long)sizes[i]);
        bench_line(line, seconds, NULL, 0);
        printf("    %lld cells, %lld at least", (long long)task.cells, (long long)task.lower_bound);
        if (before > 0)
            printf("; %.2f times the time for %.1f times the records", seconds / before, (double)sizes[i] / (double)sizes[i - 1]);
        printf("\n");
        before = seconds;
        table_release(task.data);
        arena_free(work.arena);
    }
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 6;
    measure(count);
    return 0;
}
