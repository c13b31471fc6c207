/* synth.cart on the benchmark table, ten columns, against libc's qsort on one column in this run; near-linear: ten times the records in at
 * most fifteen times the time. To reach: at most 120 times qsort on two threads at 1,000,000 records ("minutes" on two cores of a 2.8 GHz
 * Xeon; synthpop needs 168 s for 100,000 records of nine columns). Then synth.private (MST) on the keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench.h"
#include "method/method.h"

static const char schema[] =
    "columns:\n  k2: {type: integer, bounds: [1, 2]}\n  k5: {type: integer, bounds: [1, 5]}\n  k10: {type: integer, bounds: [1, 10]}\n"
    "  k20: {type: integer, bounds: [1, 20]}\n  k50: {type: integer, bounds: [1, 50]}\n";
static Status lend_bytes(void *self, const char *name, Work *work, const char **out, size_t *count, Error *error) {
    (void)self, (void)name, (void)error;
    *out = arena_text(work->arena, schema);
    *count = sizeof schema - 1;
    return OK;
}

typedef struct {
    const char *method;
    Args args;
    int threads;
} Task;
static Status run_task(Work *work, void *self) {
    Task *t = self;
    const Method *method;
    Result *result = NULL;
    Host host = { .bytes = lend_bytes };
    Session session = { .host = &host, .seed = seed_from_number(1), .threads = t->threads };
    Status status = method_need(t->method, &method, work->error);
    if (!status) status = method_run(&session, method, &t->args, NULL, &result, work->error);
    result_free(result);
    return status;
}

static double measure(Work *work, const char *what, const char *method, Args args, int threads, double reference) {
    char line[160];
    Task task = { method, args, threads };
    double seconds = bench_best(work, 1, run_task, &task);
    snprintf(line, sizeof line, "%s, %d thread%s: %.1f times qsort", what, threads, threads == 1 ? "" : "s", seconds / reference);
    bench_line(line, seconds, NULL, 0);
    return seconds;
}

int main(int argc, char **argv) {
    static const char *const names[] = { "k2", "k5", "k10", "k20", "k50", "x1", "x2", "x3", "x4", "x5" }, *schema_name = "schema",
                             *mst = "mst", *rho = "0.1";
    int64_t rows = argc > 1 ? atoll(argv[1]) : 1000000;
    Work work = bench_work(2);
    Table *data, *tenth;
    int64_t *first = malloc((size_t)(rows / 10 + 1) * sizeof *first);
    if (!first || bench_table(&work, rows, &data)) return 1;
    for (int64_t i = 0; i < rows / 10; i++) first[i] = i;
    if (table_take(data, first, rows / 10, &tenth, work.error)) return 1;
    double reference = bench_sort(&work, table_column(data, "x1")->real, rows);
    bench_line("qsort on one column", reference, NULL, 0);
    Arg cart[] = { { .name = "data", .count = 1, .tables = &data }, { .name = "vars", .count = 10, .items = names } };
    Arg small[] = { { .name = "data", .count = 1, .tables = &tenth }, { .name = "vars", .count = 10, .items = names } };
    Arg private[] = { { .name = "data", .count = 1, .tables = &data },
                      { .name = "schema", .count = 1, .items = &schema_name },
                      { .name = "method", .count = 1, .items = &mst },
                      { .name = "zcdp", .count = 1, .items = &rho },
                      { .name = "no_ledger" } };
    double part = measure(&work, "cart, ten columns, a tenth of the records", "synth.cart", (Args){ 2, small }, 2, reference);
    double whole = measure(&work, "cart, ten columns", "synth.cart", (Args){ 2, cart }, 2, reference);
    printf("ten times the records: %.1f times the seconds\n", whole / part);
    measure(&work, "private, MST on five columns", "synth.private", (Args){ 5, private }, 2, reference);
    free(first);
    table_release(tenth);
    table_release(data);
    return 0;
}
