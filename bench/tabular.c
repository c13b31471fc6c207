/* Tables of two and three hierarchical dimensions: built, unsafe cells (fewer than 3), suppression by the heuristic with its proof, and the
 * audit of what is published: for outsiders in two dimensions, for contributors too in three. Seconds of the processor. To reach: 1,089
 * cells in 0.2 s with the audit (GaussSuppression 3.9 s), 9,000 in 2 s (28 s), 90,000 in seconds, each with a gap of at most 5%; and a table of three dimensions and
 * 1,000,000 cells built from 1,000,000 records in seconds, suppressed and audited in minutes, in less than 4 GiB.
 *
 *     bench-tabular [SIZES]     how many of the sizes, 2 where it is not said: the third takes minutes */
#include <stdio.h>
#include <stdlib.h>
#include "base/elementary.h"
#include "bench.h"
#include "method/method.h"

/* Codes under each code, from coarse to fine. */
typedef struct Shape {
    int64_t records;
    int under[3];
} Shape;

static uint64_t word(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void need(Status status, const Work *work) {
    if (!status) return;
    fprintf(stderr, "%s\n", work->error->message);
    exit(1);
}

/* A leaf of n, P(i) ∝ (i + 1)^−0.8, by its distribution function. */
static int leaf_of(const double *cumulative, int n, uint64_t *state) {
    double u = (double)(word(state) >> 11) * 0x1p-53 * cumulative[n - 1];
    int low = 0, high = n - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (cumulative[middle] > u) high = middle;
        else low = middle + 1;
    }
    return low;
}

/* Columns a1, a2, a3: a record's leaf and what lies above it. */
static void add_dimension(Work *work, const Shape *s, char letter, uint64_t seed, Column **out) {
    int leaves = s->under[0] * s->under[1] * s->under[2];
    double *cumulative = NULL;
    need(arena_array(work->arena, leaves, sizeof *cumulative, &cumulative, work->error), work);
    for (int i = 0; i < leaves; i++) cumulative[i] = (i ? cumulative[i - 1] : 0) + pow(i + 1, -0.8);
    for (int l = 0; l < 3; l++)
        need(column_new(INTEGER_TYPE, (char[]){ letter, (char)('1' + l), 0 }, s->records, &out[l], work->error), work);
    for (int64_t i = 0; i < s->records; i++) {
        int leaf = leaf_of(cumulative, leaves, &seed);
        out[2]->integer[i] = 1000000 + leaf;
        out[1]->integer[i] = 1000 + leaf / s->under[2];
        out[0]->integer[i] = leaf / s->under[2] / s->under[1];
    }
}

static Table *microdata(Work *work, const Shape *s, int dims) {
    Column *columns[9] = { NULL };
    Table *table = NULL;
    for (int d = 0; d < dims; d++) add_dimension(work, s, (char)('a' + d), (uint64_t)d + 1, columns + 3 * d);
    need(table_new("bench", columns, 3 * dims, s->records, &table, work->error), work);
    for (int k = 0; k < 3 * dims; k++) column_release(columns[k]);
    return table;
}

/* Runs a method; its seconds. */
static double timed(Work *work, const char *name, const Arg *arg, int64_t count, Result **out) {
    const Session session = { .seed = seed_from_number(1), .threads = work->threads };
    const Method *method;
    double start = bench_processor();
    need(method_need(name, &method, work->error), work);
    need(method_run(&session, method, &(Args){ count, arg }, NULL, out, work->error), work);
    return bench_processor() - start;
}

static double build(Work *work, Table *data, int dims, Result **out) {
    static const char *const list[] = { "a3,b3", "a3,b3,c3" }, *const nested[] = { "a1,a2,a3;b1,b2,b3", "a1,a2,a3;b1,b2,b3;c1,c2,c3" };
    const Arg arg[] = { { .name = "data", .count = 1, .tables = &data },
                        { .name = "dims", .count = 1, .items = &list[dims - 2] },
                        { .name = "nested", .count = 1, .items = &nested[dims - 2] } };
    return timed(work, "tabular.build", arg, 3, out);
}

static double audit(Work *work, Table *published, Table *original, Result **out) {
    const Arg arg[] = { { .name = "tables", .count = 1, .tables = &published }, { .name = "original", .count = 1, .tables = &original } };
    return timed(work, "tabular.audit", arg, original ? 2 : 1, out);
}

static void measure(const Shape *s, int dims) {
    static const char *const three[] = { "3" };
    Work work = bench_work(2);
    Result *built, *marked, *hidden, *audited;
    Table *data = microdata(&work, s, dims);
    double seconds = build(&work, data, dims, &built), all;
    char line[120];
    snprintf(line, sizeof line, "%lld cells of %d dimensions from %lld records: built", (long long)built->output[0]->rows, dims,
             (long long)s->records);
    bench_line(line, seconds, NULL, 0);
    timed(
        &work, "tabular.primary",
        (const Arg[]){ { .name = "table", .count = 1, .tables = &built->output[0] }, { .name = "threshold", .count = 1, .items = three } },
        2, &marked);
    all = timed(&work, "tabular.suppress",
                (const Arg[]){ { .name = "table", .count = 1, .tables = &marked->output[0] }, { .name = "no-singletons" } },
                dims == 2 ? 2 : 1, &hidden);
    snprintf(line, sizeof line, "  %lld unsafe, %lld hidden beside them (cost %.0f, gap %.1f%%)",
             (long long)result_find(hidden, "primary")->integer, (long long)result_find(hidden, "secondary")->integer,
             result_find(hidden, "cost")->real, 100 * result_find(hidden, "gap")->real);
    bench_line(line, all, NULL, 0);
    all += audit(&work, hidden->output[0], dims == 2 ? NULL : marked->output[0], &audited);
    bench_line("  with the audit", all, NULL, 0);
    printf("    exposed: %lld\n", (long long)result_find(audited, "exposed")->integer);
    Result *results[] = { built, marked, hidden, audited };
    for (int k = 0; k < 4; k++) result_free(results[k]);
    table_release(data);
    arena_free(work.arena);
}

int main(int argc, char **argv) {
    static const Shape shapes[] = { { 4000, { 2, 3, 4 } }, { 40000, { 3, 5, 5 } }, { 400000, { 5, 6, 9 } } };
    int sizes = argc > 1 ? atoi(argv[1]) : 2;
    static const Shape deep[] = { { 4000, { 2, 2, 2 } }, { 60000, { 2, 3, 5 } }, { 1000000, { 3, 4, 7 } } };
    for (int k = 0; k < sizes && k < 3; k++) measure(&shapes[k], 2);
    for (int k = 0; k < sizes && k < 3; k++) measure(&deep[k], 3);
    return 0;
}
