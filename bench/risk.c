/* Risk. To reach: individual risk with households at 1,000,000 records × 6 keys within 3 times the class count; SUDA2 on 6 keys × 100,000
 * records 10 times faster than sdcMicro (1.41 s), 12 keys × 10,000 records, sets of at most 4, in under a second, 20 keys × 100,000
 * records, at most 4, in under 10 s; the nearest of 1,000,000 among 1,000,000 records on 5 columns within a minute (sdcMicro: 50 s for
 * 1,000). */
#include <stdio.h>
#include <stdlib.h>
#include "base/random.h"
#include "bench.h"
#include "method/method.h"

typedef struct {
    const char *dotted;
    Args args;
    Result *result;
} Call;

static Status call_method(Work *work, void *self) {
    Call *call = self;
    const Method *method;
    Session session = { .seed = seed_from_number(1), .threads = work->threads };
    Status status = method_need(call->dotted, &method, work->error);
    result_free(call->result);
    call->result = NULL;
    return status ? status : method_run(&session, method, &call->args, NULL, &call->result, work->error);
}

static double seconds_of(Work *work, int repeats, const char *dotted, int64_t count, const Arg *args) {
    Call call = { dotted, { count, args }, NULL };
    double seconds = bench_best(work, repeats, call_method, &call);
    result_free(call.result);
    return seconds;
}

static const char *const six[] = { "k2", "k5", "k10", "k20", "k50", "k100" }, *const numbers[] = { "x1", "x2", "x3", "x4", "x5" };

static void individual(int64_t rows) {
    Work work = bench_work(2);
    Table *table;
    const char *weight = "w", *household = "hid";
    if (bench_table(&work, rows, &table)) exit(1);
    const Arg list[] = { { .name = "data", .count = 1, .tables = &table },
                         { .name = "keys", .count = 6, .items = six },
                         { .name = "weight", .count = 1, .items = &weight },
                         { .name = "household", .count = 1, .items = &household } };
    double classes = seconds_of(&work, 3, "risk.k-anonymity", 3, list), risk = seconds_of(&work, 3, "risk.individual", 4, list);
    printf("individual risk with households, %lld records, six keys: %.3f s, %.2f times the class count (%.3f s)\n", (long long)rows, risk,
           risk / classes, classes);
    table_release(table);
    arena_free(work.arena);
}

/* Keys k1 … with 2, 3, 5, 10, 20, … values, P(value i) ∝ 1/i. */
static Table *skewed(int64_t rows, int keys) {
    static const int values[] = { 2, 3, 5, 10, 20 };
    Seed seed = seed_from_number(3);
    Column *columns[64];
    Table *table;
    Error error = ERROR_NONE;
    for (int k = 0; k < keys; k++) {
        int count = values[k % 5];
        double sum = 0;
        char name[16];
        snprintf(name, sizeof name, "k%d", k + 1);
        RandomStream stream = stream_make(&seed, "bench", 0, name, "keys");
        RandomReader reader = reader_make(&stream);
        if (column_new(INTEGER_TYPE, name, rows, &columns[k], &error)) exit(1);
        for (int v = 1; v <= count; v++) sum += 1.0 / v;
        for (int64_t i = 0; i < rows; i++) {
            double u = reader_uniform(&reader) * sum;
            int v = 1;
            while (v < count && (u -= 1.0 / v) > 0) v++;
            columns[k]->integer[i] = v;
        }
    }
    if (table_new("skewed", columns, keys, rows, &table, &error)) exit(1);
    for (int k = 0; k < keys; k++) column_release(columns[k]);
    return table;
}

static void suda(Table *table, const char *const *names, int64_t keys, const char *most, int repeats, double reference) {
    Work work = bench_work(2);
    char what[96];
    const Arg list[] = { { .name = "data", .count = 1, .tables = &table },
                         { .name = "keys", .count = keys, .items = names },
                         { .name = "max_size", .count = 1, .items = &most } };
    snprintf(what, sizeof what, "suda, %lld records, %lld keys, sets of at most %s", (long long)table->rows, (long long)keys, most);
    bench_line(what, seconds_of(&work, repeats, "risk.suda", 3, list), "sdcMicro", reference);
    table_release(table);
    arena_free(work.arena);
}

/* The release: the original with a tenth of a standard deviation of noise, by protect.noise. */
static void linkage(int64_t rows) {
    Work work = bench_work(2);
    Table *table;
    char what[96];
    const char *amount = "0.1";
    if (bench_table(&work, rows, &table)) exit(1);
    const Arg noise[] = { { .name = "data", .count = 1, .tables = &table },
                          { .name = "vars", .count = 5, .items = numbers },
                          { .name = "amount", .count = 1, .items = &amount } };
    Call protect = { "protect.noise", { 3, noise }, NULL };
    if (call_method(&work, &protect)) {
        fprintf(stderr, "%s\n", work.error->message);
        exit(1);
    }
    const Arg list[] = { { .name = "original", .count = 1, .tables = &table },
                         { .name = "released", .count = 1, .tables = &protect.result->output[0] },
                         { .name = "vars", .count = 5, .items = numbers } };
    snprintf(what, sizeof what, "nearest linkage, %lld among %lld, five columns", (long long)rows, (long long)rows);
    bench_line(what, seconds_of(&work, 1, "risk.linkage", 3, list), NULL, 0);
    result_free(protect.result);
    table_release(table);
    arena_free(work.arena);
}

int main(int argc, char **argv) {
    static char name[20][8];
    const char *names[20];
    int64_t most = argc > 1 ? atoll(argv[1]) : 1000000;
    Work work = bench_work(2);
    Table *table;
    for (int k = 0; k < 20; k++) {
        snprintf(name[k], sizeof name[k], "k%d", k + 1);
        names[k] = name[k];
    }
    individual(most);
    if (bench_table(&work, 100000, &table)) exit(1);
    suda(table, six, 6, "6", 20, 1.41);
    suda(skewed(10000, 12), names, 12, "4", 5, 0);
    suda(skewed(100000, 20), names, 20, "4", 2, 0);
    linkage(most);
    arena_free(work.arena);
    return 0;
}
