/* Many keys, many columns, many records: processor time of methods that used to grow badly, on two sizes within one run, and how it grows.
 * To reach: at most ×14 for tenfold records, and 12 keys within 30 times 7 keys. Processor time, so that what else the machine does shows
 * little; both cores count. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/random.h"
#include "bench.h"
#include "method/method.h"

enum { COLUMNS = 40 };

/* Keys k0, k1, … of 2 to 10 values, all equally likely; reals x0, x1, … around a common part; `noise` above 0: another edition of the same
 * reals, and one key in ten drawn anew. */
static Status make_table(Work *work, int64_t rows, int keys, int reals, double noise, Table **out) {
    Status status = OK;
    Seed seed = seed_from_number(12);
    RandomStream stream = stream_make(&seed, "bench", 0, "", "wide"), again = stream_make(&seed, "bench", 0, "", "again");
    Column *column[COLUMNS] = { 0 };
    uint64_t word[COLUMNS + 1], other[COLUMNS + 1];
    char name[16];
    int columns = keys + reals;
    for (int j = 0; j < columns; j++) {
        snprintf(name, sizeof name, "%c%d", j < keys ? 'k' : 'x', j < keys ? j : j - keys);
        TRY(column_new(j < keys ? INTEGER_TYPE : REAL_TYPE, name, rows, &column[j], work->error));
    }
    for (int64_t i = 0; i < rows; i++) {
        stream_words(&stream, (uint64_t)i * (COLUMNS + 1), COLUMNS + 1, word);
        stream_words(&again, (uint64_t)i * (COLUMNS + 1), COLUMNS + 1, other);
        for (int j = 0; j < keys; j++) {
            uint64_t drawn = noise > 0 && other[j] % 10 == 0 ? other[j] / 10 : word[j];
            column[j]->integer[i] = (int64_t)(drawn % (uint64_t)(2 + j % 9));
        }
        for (int j = 0; j < reals; j++)
            column[keys + j]->real[i] =
                word_uniform(word[COLUMNS]) + 2 * word_uniform(word[keys + j]) + noise * word_uniform(other[keys + j]);
    }
    TRY(table_new("bench", column, columns, rows, out, work->error));
done:
    for (int j = 0; j < columns; j++) column_release(column[j]);
    return status;
}

typedef struct {
    const char *what, *method, *first, *second; /* the names of its tables */
    int keys, reals;
    bool by_keys; /* keys are named, else reals; `parameter` takes them */
    const char *parameter;
    const char *more[2]; /* one parameter and its value */
    int64_t small, large;
} Line;

static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double took(const Line *l, int64_t rows, int keys) {
    Work work = bench_work(2);
    Table *table[2] = { NULL };
    char names[COLUMNS][16];
    const char *columns[COLUMNS];
    int count = l->by_keys ? keys : l->reals;
    for (int j = 0; j < count; j++) {
        snprintf(names[j], sizeof names[j], "%c%d", l->by_keys ? 'k' : 'x', j);
        columns[j] = names[j];
    }
    if (make_table(&work, rows, keys, l->reals, 0, &table[0]) || (l->second && make_table(&work, rows, keys, l->reals, 0.3, &table[1])))
        exit(1);
    Arg arg[4] = { { .name = l->first, .count = 1, .tables = &table[0] }, { .name = l->parameter, .count = count, .items = columns } };
    int64_t args = 2;
    if (l->second) arg[args++] = (Arg){ .name = l->second, .count = 1, .tables = &table[1] };
    if (l->more[0]) arg[args++] = (Arg){ .name = l->more[0], .count = 1, .items = &l->more[1] };
    const Session session = { .seed = seed_from_number(1), .threads = 2 };
    const Method *method;
    double best = INFINITY;
    for (int i = 0; i < 2; i++) {
        Result *result = NULL;
        double start = processor_seconds();
        if (method_need(l->method, &method, work.error) || method_run(&session, method, &(Args){ args, arg }, NULL, &result, work.error)) {
            char text[1000];
            error_text(work.error, text, sizeof text);
            fprintf(stderr, "%s: %s\n", l->what, text);
            exit(1);
        }
        best = fmin(best, processor_seconds() - start);
        result_free(result);
    }
    table_release(table[0]);
    table_release(table[1]);
    arena_free(work.arena);
    return best;
}

int main(int argc, char **argv) {
    static const Line lines[] = {
        { "suda, 20 keys", "risk.suda", "data", NULL, 20, 0, true, "keys", { 0 }, 10000, 100000 },
        { "mondrian, 5 reals", "protect.mondrian", "data", NULL, 0, 5, false, "keys", { 0 }, 30000, 300000 },
        { "nearest linkage, 13 columns", "risk.linkage", "original", "released", 0, 13, false, "vars", { 0 }, 5000, 50000 },
        { "probabilistic linkage, 8 columns",
          "risk.linkage",
          "original",
          "released",
          8,
          0,
          true,
          "vars",
          { "method", "probabilistic" },
          10000,
          100000 },
        { "probabilistic linkage, 11 columns",
          "risk.linkage",
          "original",
          "released",
          11,
          0,
          true,
          "vars",
          { "method", "probabilistic" },
          10000,
          100000 },
        { "MDAV, 5 columns", "protect.microaggregate", "data", NULL, 0, 5, false, "vars", { 0 }, 20000, 200000 },
        { "MDAV, 40 columns", "protect.microaggregate", "data", NULL, 0, 40, false, "vars", { 0 }, 2000, 20000 },
        { "discriminant, 1 column", "risk.discriminant", "released", "additional", 0, 1, false, "vars", { 0 }, 10000, 100000 },
        { "discriminant, 2 columns", "risk.discriminant", "released", "additional", 0, 2, false, "vars", { 0 }, 50000, 500000 },
        { "discriminant, 5 columns", "risk.discriminant", "released", "additional", 0, 5, false, "vars", { 0 }, 5000, 50000 },
    };
    const Line wide = { "suppress", "protect.suppress", "data", NULL, 12, 0, true, "keys", { 0 }, 2000, 2000 };
    double seven = took(&wide, 2000, 7), twelve = took(&wide, 2000, 12);
    printf("suppress, 2,000 records: 7 keys %.3f s, 12 keys %.3f s: ×%.1f\n", seven, twelve, twelve / seven);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const Line *l = &lines[i];
        if (argc > 1 && !strstr(l->what, argv[1])) continue;
        double small = took(l, l->small, l->keys), large = took(l, l->large, l->keys);
        printf("%-34s %7lld records %.3f s, %7lld %.3f s: ×%.1f for ×%lld\n", l->what, (long long)l->small, small, (long long)l->large,
               large, large / small, (long long)(l->large / l->small));
        fflush(stdout);
    }
    return 0;
}
