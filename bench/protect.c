/* Noise, rank-swap, shuffle and PRAM on five columns, against libc's qsort on one of them in this run. To reach: at most 10 times it.
 * (sdcMicro at 1,000,000 records, two cores of a 2.8 GHz Xeon: noise 2.8 s, rank-swap over 300 s, shuffle 32.7 s, PRAM 32 s on two
 * columns.) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench.h"
#include "method/method.h"

typedef struct {
    const char *method;
    Table *data;
    Args args;
    int threads;
} Task;
static Status run_task(Work *work, void *self) {
    Task *t = self;
    const Method *method;
    Result *result = NULL;
    Session session = { .seed = seed_from_number(1), .threads = t->threads };
    Status status = method_need(t->method, &method, work->error);
    if (!status) status = method_run(&session, method, &t->args, NULL, &result, work->error);
    result_free(result);
    return status;
}

static Table *data;
static void measure(Work *work, const char *what, const char *method, const char *vars, const char *name, const char *value,
                    double reference) {
    static const char *const numbers[] = { "x1", "x2", "x3", "x4", "x5" }, *const keys[] = { "k5", "k10", "k20", "k50", "k100" };
    Arg arg[3] = { { .name = "data", .count = 1, .tables = &data },
                   { .name = vars, .count = 5, .items = strcmp(method, "protect.pram") ? numbers : keys },
                   { .name = name, .count = value ? 1 : 0, .items = &value } };
    for (int threads = 1; threads <= 2; threads++) {
        char line[120];
        Task task = { method, data, { name ? 3 : 2, arg }, threads };
        double seconds = bench_best(work, 3, run_task, &task);
        snprintf(line, sizeof line, "%s, %d thread%s: %.2f times qsort", what, threads, threads == 1 ? "" : "s", seconds / reference);
        bench_line(line, seconds, NULL, 0);
    }
}

int main(int argc, char **argv) {
    int64_t rows = argc > 1 ? atoll(argv[1]) : 1000000;
    Work work = bench_work(2);
    if (bench_table(&work, rows, &data)) return 1;
    double reference = bench_sort(&work, table_column(data, "x1")->real, rows);
    bench_line("qsort on one column", reference, NULL, 0);
    measure(&work, "noise, independent", "protect.noise", "vars", "amount", "0.1", reference);
    measure(&work, "rank-swap, 5%", "protect.rank-swap", "vars", "range", "5", reference);
    measure(&work, "shuffle", "protect.shuffle", "confidential", NULL, NULL, reference);
    measure(&work, "shuffle given k10", "protect.shuffle", "confidential", "nonconfidential", "k10", reference);
    measure(&work, "PRAM", "protect.pram", "vars", "keep", "0.8", reference);
    table_release(data);
    return 0;
}
