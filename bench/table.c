/* The benchmark table, and the small tools that every benchmark needs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "base/number_text.h"
#include "base/random.h"
#include "bench.h"

enum { KEYS = 6, REALS = 5, WORDS_PER_ROW = 12, COLUMNS = KEYS + REALS + 2 };
static const int key_values[KEYS] = { 2, 5, 10, 20, 50, 100 };

typedef struct Making {
    RandomStream rows, households;
    double cumulative[KEYS][100];
    Column *column[COLUMNS];
} Making;

static void zipf(int values, double *cumulative) {
    double sum = 0, running = 0;
    for (int i = 1; i <= values; i++) sum += 1.0 / i;
    for (int i = 1; i <= values; i++) cumulative[i - 1] = (running += 1.0 / i) / sum;
}

static double to_fifteen_digits(double value) {
    char text[33];
    double rounded = value;
    real_short(value, 15, text);
    return read_real(text, text + strlen(text), '.', &rounded) ? rounded : value;
}

static void make_keys(const Making *making, const uint64_t *word, int64_t row) {
    for (int k = 0; k < KEYS; k++) {
        double u = word_uniform(word[k]);
        int value = 0;
        while (value < key_values[k] - 1 && making->cumulative[k][value] < u) value++;
        making->column[k]->integer[row] = value + 1;
    }
}

static void make_reals(const Making *making, const uint64_t *word, int64_t row) {
    double z[6];
    for (int i = 0; i < 3; i++) { /* Box–Muller */
        double r = sqrt(-2 * log(word_uniform(word[2 * i]))), angle = 2 * M_PI * word_uniform(word[2 * i + 1]);
        z[2 * i] = r * cos(angle);
        z[2 * i + 1] = r * sin(angle);
    }
    for (int i = 0; i < REALS; i++) z[i] = sqrt(0.5) * (z[i] + z[REALS]);
    const double x[REALS] = { exp(10 + 0.8 * z[0]), exp(8 + z[1]), 50 + 10 * z[2], 1000 + 200 * z[3], exp(5 + 0.5 * z[4]) };
    for (int i = 0; i < REALS; i++) making->column[KEYS + i]->real[row] = to_fifteen_digits(x[i]);
}

static Status make_rows(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Making *making = self;
    for (int64_t row = first; row < last; row++) {
        uint64_t word[WORDS_PER_ROW], household;
        stream_words(&making->rows, (uint64_t)row * WORDS_PER_ROW, WORDS_PER_ROW, word);
        stream_words(&making->households, (uint64_t)(row / 3), 1, &household);
        make_keys(making, word, row);
        make_reals(making, word + KEYS, row);
        making->column[KEYS + REALS]->real[row] = rint((5 + 190 * word_uniform(household)) * 10) / 10;
        making->column[KEYS + REALS + 1]->integer[row] = row / 3 + 1;
    }
    return OK;
}

Status bench_table(Work *work, int64_t rows, Table **out) {
    static const char *const names[COLUMNS] = { "k2", "k5", "k10", "k20", "k50", "k100", "x1", "x2", "x3", "x4", "x5", "w", "hid" };
    Status status = OK;
    Seed seed = seed_from_number(20240229);
    Making making = { .rows = stream_make(&seed, "bench", 0, "", "rows"), .households = stream_make(&seed, "bench", 0, "", "households") };
    for (int k = 0; k < KEYS; k++) zipf(key_values[k], making.cumulative[k]);
    for (int i = 0; i < COLUMNS; i++)
        TRY(column_new(i < KEYS || i == COLUMNS - 1 ? INTEGER_TYPE : REAL_TYPE, names[i], rows, &making.column[i], work->error));
    TRY(parallel_for(work, rows, 4096, make_rows, &making));
    TRY(table_new("bench", making.column, COLUMNS, rows, out, work->error));
done:
    for (int i = 0; i < COLUMNS; i++) column_release(making.column[i]);
    return status;
}

double bench_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double processor_of(int who) {
    struct rusage used;
    getrusage(who, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}
double bench_processor(void) { return processor_of(RUSAGE_SELF) + processor_of(RUSAGE_CHILDREN); }

double bench_program(const char *command, int repeats) {
    double best = INFINITY;
    for (int i = 0; i < repeats; i++) {
        double start = processor_of(RUSAGE_CHILDREN);
        if (system(command)) return -1;
        best = fmin(best, processor_of(RUSAGE_CHILDREN) - start);
    }
    return best;
}

static void end_with(const Error *error) {
    char text[1500];
    error_text(error, text, sizeof text);
    fprintf(stderr, "bench: %s\n", text);
    exit(1);
}

double bench_best_by(double (*clock)(void), Work *work, int repeats, Status (*call)(Work *, void *), void *self) {
    double best = INFINITY;
    for (int i = 0; i < repeats; i++) {
        double start = clock();
        if (call(work, self)) end_with(work->error);
        best = fmin(best, clock() - start);
    }
    return best;
}

double bench_best(Work *work, int repeats, Status (*call)(Work *, void *), void *self) {
    return bench_best_by(bench_now, work, repeats, call, self);
}

typedef struct {
    const double *x;
    double *copy;
    int64_t rows;
} Sorting;

static int rising(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static Status sort(Work *work, void *self) {
    Sorting *s = self;
    (void)work;
    memcpy(s->copy, s->x, (size_t)s->rows * sizeof *s->x);
    qsort(s->copy, (size_t)s->rows, sizeof *s->copy, rising);
    return OK;
}

double bench_sort(Work *work, const double *x, int64_t rows) {
    Sorting s = { x, malloc((size_t)rows * sizeof *x), rows };
    if (!s.copy) exit(1);
    double seconds = bench_best(work, 3, sort, &s);
    free(s.copy);
    return seconds;
}

void bench_line(const char *what, double seconds, const char *than, double reference) {
    printf("%-44s %9.4f s", what, seconds);
    if (reference > 0) printf("   %.2f times as fast as %s (%.4f s)", reference / seconds, than, reference);
    printf("\n");
    fflush(stdout);
}

const char *bench_path(const char *name) {
    static char path[256];
    const char *folder = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";
    snprintf(path, sizeof path, "%s/scrim-bench-%d-%s", folder, (int)getpid(), name);
    return path;
}

double bench_command(const char *command) {
    FILE *pipe = popen(command, "r");
    if (!pipe) return -1;
    char line[256];
    double best = -1;
    while (fgets(line, sizeof line, pipe)) {
        char *end = NULL;
        double value = strtod(line, &end);
        if (end != line && (best < 0 || value < best)) best = value;
    }
    return pclose(pipe) ? -1 : best;
}

Work bench_work(int threads) {
    static Error error;
    error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = threads };
    if (!work.arena) exit(1);
    return work;
}
