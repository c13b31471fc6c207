/* Reading and writing 1,000,000 records of CSV, against `wc -l` and data.table on two threads. To reach: reads at least 1.5 times as fast
 * as fread, twice is the aim, and within 4 times of wc -l; writes twice as fast as fwrite; peak memory at most 3 times the file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bench.h"
#include "io/csv/csv.h"

static const char *path;

static Table *table_read;
static Status read_it(Work *work, void *self) {
    (void)self;
    return csv_read(work, path, NULL, &table_read);
}
/* Giving the table back does not count, as it does not for data.table, where the collector does it later. */
static double best_reading(Work *work, int repeats) {
    double best = INFINITY;
    for (int i = 0; i < repeats; i++) {
        best = fmin(best, bench_best(work, 1, read_it, NULL));
        table_release(table_read);
    }
    return best;
}
static Status write_it(Work *work, void *self) { return csv_write(work, self, path, NULL); }
static Status count_lines(Work *work, void *self) {
    (void)self;
    char command[400];
    snprintf(command, sizeof command, "wc -l %s > /dev/null", path);
    return system(command) ? fail(work->error, FAILED, "wc failed") : OK;
}

/* `bench-csv peak FILE`: reads it in a process of its own and prints the peak, in bytes. */
static int print_peak(const char *file) {
    Work work = bench_work(2);
    path = file;
    if (read_it(&work, NULL)) return 1;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%.0f\n", (double)usage.ru_maxrss * 1024);
    return 0;
}

static double data_table(const char *call, int threads) {
    char command[1024];
    snprintf(command, sizeof command,
             "Rscript -e 'suppressMessages(library(data.table)); setDTthreads(%d); f <- \"%s\"; d <- fread(f, showProgress = FALSE); "
             "for (i in 1:11) cat(system.time(%s)[[3]], \"\\n\")' 2> /dev/null",
             threads, path, call);
    return bench_command(command);
}

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "peak")) return print_peak(argv[2]);
    int64_t rows = argc > 1 ? atoll(argv[1]) : 1000000;
    int threads = argc > 2 ? atoi(argv[2]) : 2, repeats = 11;
    Work work = bench_work(threads);
    Table *table = NULL;
    path = strdup(bench_path("table.csv"));
    if (!path || bench_table(&work, rows, &table)) return 1;
    double writing = bench_best(&work, repeats, write_it, table);
    struct stat about;
    if (stat(path, &about)) return 1;
    double size = (double)about.st_size;
    table_release(table);
    double reading = best_reading(&work, repeats), lines = bench_best(&work, repeats, count_lines, NULL);
    char command[400];
    snprintf(command, sizeof command, "%s peak %s", argv[0], path);
    double peak = bench_command(command), fread_time = data_table("fread(f, showProgress = FALSE)", threads);
    char out[200];
    snprintf(out, sizeof out, "fwrite(d, \"%s.out\", showProgress = FALSE)", path);
    double fwrite_time = data_table(out, threads);
    printf("%lld rows, %.1f MB, %d thread%s\n", (long long)rows, size / 1e6, threads, threads == 1 ? "" : "s");
    bench_line("read", reading, "fread", fread_time);
    printf("%-44s %9.2f times wc -l (%.4f s)\n", "  reading takes", reading / lines, lines);
    printf("%-44s %9.2f times the file\n", "  its peak memory is", peak / size);
    bench_line("write (in memory, so that fsync is aside)", writing, "fwrite", fwrite_time);
    unlink(path);
    snprintf(out, sizeof out, "%s.out", path);
    unlink(out);
    arena_free(work.arena);
    return 0;
}
