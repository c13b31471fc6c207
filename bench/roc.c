/* The ROC curve attack: the exact count against the paper's random search on its example 2 (n = 100, m = 10), how both grow, and the size
 * that is to be reached: n = 1,000,000 with m = 1,000 in under two minutes and 500 MB, with the worst curve there is (all of one status
 * first). */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include "base/random.h"
#include "bench.h"
#include "math/roc/roc.h"
#include "method/method.h"

typedef struct {
    int64_t n, m;
    RocKnown all, known;
    RocSteps steps;
    Table *curve, *part;
} Task;

static void need(Work *work, Status status) {
    char text[2048];
    if (!status) return;
    error_text(work->error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    exit(1);
}

static Table *two(Work *work, const char *a, const double *x, const char *b, const double *y, int64_t rows) {
    Column *made[2];
    Table *table;
    for (int c = 0; c < 2; c++) {
        need(work, column_new(REAL_TYPE, c ? b : a, rows, &made[c], work->error));
        for (int64_t i = 0; i < rows; i++) made[c]->real[i] = c ? y[i] : x[i];
    }
    need(work, table_new(a, made, 2, rows, &table, work->error));
    for (int c = 0; c < 2; c++) column_release(made[c]);
    return table;
}

static void write_tables(Work *work, Task *t, const double *score, const int8_t *status) {
    double *x = calloc((size_t)t->n + 1, sizeof *x), *y = calloc((size_t)t->n + 1, sizeof *y), tp = 0, fp = 0;
    int64_t k = 0;
    for (int64_t j = 0; j < t->steps.count; j++) {
        tp += t->steps.at[j].positives;
        fp += t->steps.at[j].negatives;
        x[j + 1] = fp / (double)t->steps.negatives;
        y[j + 1] = tp / (double)t->steps.positives;
    }
    t->curve = two(work, "fpr", x, "tpr", y, t->steps.count + 1);
    for (int64_t i = 0; i < t->n; i++)
        if (status[i] >= 0) {
            x[k] = score[i];
            y[k++] = status[i];
        }
    t->part = two(work, "t", x, "d", y, k);
    free(x);
    free(y);
}

/* Example 2's design, or every record of status 1 above every other. */
static Task make(Work *work, int64_t n, int64_t m, bool apart, uint64_t number) {
    Task t = { .n = n, .m = m };
    Seed seed = seed_from_number(number);
    RandomStream scores = stream_make(&seed, "bench", n, "scores", "draw"), missing = stream_make(&seed, "bench", m, "missing", "draw");
    RandomReader reader = reader_make(&scores);
    double *score = calloc((size_t)n, sizeof *score);
    int8_t *status = calloc((size_t)n, 1);
    int64_t *order = calloc((size_t)n, sizeof *order);
    for (int64_t i = 0; i < n; i++) {
        status[i] = (int8_t)(i & 1);
        score[i] = reader_normal(&reader) + (apart ? 100 : 1) * status[i];
    }
    need(work, roc_known(work, score, status, n, &t.all));
    need(work, roc_steps(work, &t.all, &t.steps));
    need(work, stream_permutation(work, &missing, n, order));
    for (int64_t i = 0; i < m; i++) status[order[i]] = -1;
    need(work, roc_known(work, score, status, n, &t.known));
    write_tables(work, &t, score, status);
    free(score);
    free(status);
    free(order);
    return t;
}

static Status exact(Work *work, void *self) {
    Task *t = self;
    RocAnswer answer;
    return roc_embed(work, &t->steps, &t->known, true, &answer);
}

/* The paper's search through the method itself: seconds and steps, or -1 steps where it gave up. */
static double search(Task *t, const char *most, uint64_t number, double *steps) {
    Error error = ERROR_NONE;
    Session session = { .seed = seed_from_number(number), .threads = 1 };
    char n[24];
    snprintf(n, sizeof n, "%lld", (long long)t->n);
    const char *score = "t", *status = "d", *size = n, *method = "mcmc";
    Arg list[] = { { .name = "roc", .count = 1, .tables = &t->curve }, { .name = "known", .count = 1, .tables = &t->part },
                   { .name = "score", .count = 1, .items = &score },   { .name = "status", .count = 1, .items = &status },
                   { .name = "n", .count = 1, .items = &size },        { .name = "method", .count = 1, .items = &method },
                   { .name = "max-steps", .count = 1, .items = &most } };
    Result *result;
    double from = bench_now();
    if (method_run(&session, method_find("attack", "roc"), &(Args){ 7, list }, NULL, &result, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    double seconds = bench_now() - from;
    *steps = result_find(result, "deviation")->real == 0 ? (double)result_find(result, "steps")->integer : -1;
    result_free(result);
    return seconds;
}

static void against_search(int64_t n, int64_t m, const char *most) {
    enum { SEEDS = 5 };
    Work work = bench_work(1);
    double seconds = 0, best = 0, steps, total = 0;
    int found = 0;
    for (uint64_t s = 1; s <= SEEDS; s++) {
        Task t = make(&work, n, m, false, s);
        best += bench_best(&work, 20, exact, &t) / SEEDS;
        seconds += search(&t, most, s, &steps) / SEEDS;
        found += steps >= 0;
        total += steps >= 0 ? steps : strtod(most, NULL);
        table_release(t.curve);
        table_release(t.part);
    }
    printf(
        "n = %5lld, m = %3lld: exact %.1e s; random search %.2e s, %.0f steps on average, %d of %d found a solution: %.0f times as long\n",
        (long long)n, (long long)m, best, seconds, total / SEEDS, found, SEEDS, seconds / best);
    arena_free(work.arena);
}

static void large(bool apart) {
    Work work = bench_work(1);
    Task t = make(&work, 1000000, 1000, apart, 1);
    struct rusage usage;
    double seconds = bench_best(&work, 1, exact, &t);
    getrusage(RUSAGE_SELF, &usage);
    printf("n = 1,000,000, m = 1,000, %s: %.1f s (to reach: 120 s), %.0f MB at most so far (to reach: 500 MB)\n",
           apart ? "all of status 1 first" : "example 2's design", seconds, (double)usage.ru_maxrss / 1024);
    table_release(t.curve);
    table_release(t.part);
    arena_free(work.arena);
}

int main(void) {
    static const struct { int64_t n, m; } sizes[] = { { 100, 1 }, { 100, 2 }, { 100, 5 }, { 100, 10 }, { 50, 5 }, { 200, 5 }, { 400, 5 } };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) against_search(sizes[i].n, sizes[i].m, "2000000");
    large(false);
    large(true);
    return 0;
}
