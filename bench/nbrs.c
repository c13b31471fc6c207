/* Neighbourhood sampling and the search under it. To reach: the radius query at 20,000 records at least 15 times faster per core than a
 * plain O(n²) loop, the index built in that time; growth near n log n at 200 neighbours on six columns; 1,000,000 records in under 30 s on
 * two cores and 2 GiB; the nearest of 1,000,000 among 1,000,000 on five columns within a minute; 500 times the R original (6.1 s at 5,000
 * records, 12.2 s at 10,000). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include "base/random.h"
#include "bench.h"
#include "math/neighbours/neighbours.h"
#include "method/method.h"

static const char *const names[] = { "x1", "x2", "x3", "x4", "x5", "w" };

static double peak_mib(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static Columns some_columns(const Table *table, int count) {
    static const Column *at[6];
    for (int j = 0; j < count; j++) at[j] = table_column(table, names[j]);
    return (Columns){ count, at };
}

static Space space_of(Work *work, Columns columns) {
    const Scale *scale;
    Space space;
    if (scale_make(work, columns, NULL, EUCLIDEAN, &scale) || scale_space(work, scale, columns, &space)) exit(1);
    return space;
}

/* ---- The radius query at 20,000 records, against two loops ---- */

typedef struct {
    Space space;
    double *limit;
    int64_t *count;
    double *points;
} Query;

static Status indexed(Work *work, void *self) {
    Query *q = self;
    Neighbours *index;
    Status status = neighbours_make(work, &q->space, NULL, 0, &index);
    if (!status) status = neighbours_within_count(work, index, index, true, q->limit, false, q->count);
    return status;
}

static Status plain_loop(Work *work, void *self) {
    Query *q = self;
    int64_t n = q->space.rows, p = q->space.axes;
    (void)work;
    for (int64_t i = 0; i < n; i++) {
        int64_t count = 0;
        for (int64_t k = 0; k < n; k++) {
            double sum = 0;
            for (int64_t j = 0; j < p; j++) {
                double d = q->points[i * p + j] - q->points[k * p + j];
                sum += d * d;
            }
            count += k != i && sum < q->limit[i];
        }
        q->count[i] = count;
    }
    return OK;
}

static double mean_count(const Query *q) {
    double sum = 0;
    for (int64_t i = 0; i < q->space.rows; i++) sum += (double)q->count[i];
    return sum / (double)q->space.rows;
}

static Query query_of(Space space, double eps) {
    size_t n = (size_t)space.rows;
    Query q = { space, malloc(n * sizeof(double)), malloc(n * sizeof(int64_t)), malloc(n * (size_t)space.axes * sizeof(double)) };
    for (int64_t i = 0; i < space.rows; i++) {
        q.limit[i] = eps * eps;
        for (int64_t j = 0; j < space.axes; j++) q.points[i * space.axes + j] = space.axis[j].x[i];
    }
    return q;
}

/* ε at which the mean neighbourhood is this large, on a sample of queries. */
static double eps_for(Work *work, const Space *space, double size) {
    enum { ASKED = 2000 };
    int64_t rows[ASKED], *count = malloc((size_t)space->rows * sizeof *count);
    double *limit = malloc((size_t)space->rows * sizeof *limit), low = 1e-4, high = 4;
    Neighbours *from, *in;
    for (int64_t i = 0; i < ASKED; i++) rows[i] = i * (space->rows / ASKED);
    if (neighbours_make(work, space, rows, ASKED, &from) || neighbours_make(work, space, NULL, 0, &in)) exit(1);
    for (int step = 0; step < 24; step++) {
        double eps = sqrt(low * high), sum = 0;
        for (int64_t i = 0; i < ASKED; i++) limit[rows[i]] = eps * eps;
        if (neighbours_within_count(work, from, in, true, limit, false, count)) exit(1);
        for (int64_t i = 0; i < ASKED; i++) sum += (double)count[rows[i]];
        if (sum / ASKED > size) high = eps;
        else low = eps;
    }
    neighbours_drop(work, from);
    neighbours_drop(work, in);
    free(count);
    free(limit);
    return sqrt(low * high);
}

static void against_loops(void) {
    Work work = bench_work(1);
    Table *table;
    if (bench_table(&work, 20000, &table)) exit(1);
    Space space = space_of(&work, some_columns(table, 6));
    double eps = eps_for(&work, &space, 100); /* about what the paper's first call has on its data */
    Query q = query_of(space, eps);
    double loop = bench_best(&work, 2, plain_loop, &q), size = mean_count(&q);
    double seconds = bench_best(&work, 5, indexed, &q);
    printf("radius query, 20,000 records, six columns, %.0f neighbours (%.0f by the loop), one thread\n", mean_count(&q), size);
    bench_line("  index built and asked", seconds, "a plain loop", loop);
    arena_free(work.arena);
}

/* ---- The method ---- */

typedef struct {
    Table *table;
    double eps;
    Result *result;
} Call;

static Status protect(Work *work, void *self) {
    Call *call = self;
    char text[32];
    const char *item[] = { text }, *vars[] = { "x1", "x2", "x3", "x4", "x5", "w" };
    Table *tables[] = { call->table };
    snprintf(text, sizeof text, "%.17g", call->eps);
    Arg list[] = { { .name = "data", .count = 1, .tables = tables },
                   { .name = "vars", .count = 6, .items = vars },
                   { .name = "eps", .count = 1, .items = item } };
    Session session = { .seed = seed_from_number(1), .threads = work->threads };
    result_free(call->result);
    call->result = NULL;
    return method_run(&session, method_find("protect", "nbrs"), &(Args){ 3, list }, NULL, &call->result, work->error);
}

static void growth(int64_t most) {
    double before = 0;
    printf("protect nbrs, six columns, 200 neighbours on average, two threads\n");
    for (int64_t rows = 10000; rows <= most; rows *= 10) {
        Work work = bench_work(2);
        Call call = { 0 };
        char what[64];
        if (bench_table(&work, rows, &call.table)) exit(1);
        Space space = space_of(&work, some_columns(call.table, 6));
        call.eps = eps_for(&work, &space, 200);
        arena_free(work.arena);
        work = bench_work(2);
        double seconds = bench_best(&work, rows < 1000000 ? 3 : 1, protect, &call);
        snprintf(what, sizeof what, "  %lld records, eps %.3g", (long long)rows, call.eps);
        bench_line(what, seconds, NULL, 0);
        if (before > 0)
            printf("    %.1f times the time of a tenth (n log n: %.1f); peak memory %.0f MiB\n", seconds / before,
                   10 * log((double)rows) / log((double)rows / 10), peak_mib());
        before = seconds;
        result_free(call.result);
        table_release(call.table);
        arena_free(work.arena);
    }
}

static void against_original(void) {
    static const int64_t rows[] = { 5000, 10000 };
    static const double peer[] = { 6.1, 12.2 };
    printf("protect nbrs, six columns, eps 0.3, two threads\n");
    for (int i = 0; i < 2; i++) {
        Work work = bench_work(2);
        Call call = { .eps = 0.3 };
        char what[64];
        if (bench_table(&work, rows[i], &call.table)) exit(1);
        double seconds = bench_best(&work, 5, protect, &call);
        snprintf(what, sizeof what, "  %lld records", (long long)rows[i]);
        bench_line(what, seconds, "the R original", peer[i]);
        result_free(call.result);
        table_release(call.table);
        arena_free(work.arena);
    }
}

/* ---- The nearest of another file ---- */

typedef struct {
    Space original, released;
    int64_t *row;
} Link;

static Status link_all(Work *work, void *self) {
    Link *link = self;
    Neighbours *from, *in;
    Status status = neighbours_make(work, &link->original, NULL, 0, &in);
    if (!status) status = neighbours_make(work, &link->released, NULL, 0, &from);
    return status ? status : neighbours_nearest(work, from, in, false, (Nearest){ .row = link->row });
}

static void linkage(int64_t rows) {
    Work work = bench_work(2);
    Table *table;
    if (bench_table(&work, rows, &table)) exit(1);
    Link link = { space_of(&work, some_columns(table, 5)), { 0 }, malloc((size_t)rows * sizeof(int64_t)) };
    link.released = space_of(&work, some_columns(table, 5));
    Seed seed = seed_from_number(2);
    int64_t right = 0;
    for (int64_t j = 0; j < 5; j++) {
        RandomStream stream = stream_make(&seed, "bench", 0, names[j], "noise");
        double *x = (double *)(uintptr_t)link.released.axis[j].x; /* its own copy */
        for (int64_t i = 0; i < rows; i++) {
            uint64_t word;
            stream_words(&stream, (uint64_t)i, 1, &word);
            x[i] += 0.3 * (word_uniform(word) - 0.5);
        }
    }
    char what[96];
    double seconds = bench_best(&work, 1, link_all, &link);
    for (int64_t i = 0; i < rows; i++) right += link.row[i] == i;
    snprintf(what, sizeof what, "nearest of %lld among %lld, five columns", (long long)rows, (long long)rows);
    bench_line(what, seconds, NULL, 0);
    printf("    %.1f%% find their source; peak memory %.0f MiB\n", 100 * (double)right / (double)rows, peak_mib());
    arena_free(work.arena);
}

int main(int argc, char **argv) {
    int64_t most = argc > 1 ? atoll(argv[1]) : 1000000;
    against_loops();
    against_original();
    growth(most);
    linkage(most);
    return 0;
}
