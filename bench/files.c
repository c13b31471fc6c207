/* Reading 1,000,000 records from .sav and .dta against R's haven, .parquet against pyarrow, and PostgreSQL against `psql \copy`, in one
 * run. To reach: at least as fast as each. What is not installed is left out: PYTHON names an interpreter that has pyarrow, SCRIM_DUCKDB
 * DuckDB's library. Arguments: rows, threads, one of SPSS, Stata, Parquet, PostgreSQL. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../tests/postgres_server.h"
#include "bench.h"
#include "io/open.h"

typedef struct Subject {
    const char *name;
    Table *table;
} Subject;

static Status read_it(Work *work, void *self) {
    Subject *s = self;
    return table_open(work, s->name, NULL, &s->table);
}

/* Giving the table back does not count, as it does not for R, where the collector does it later. */
static double best_reading(double (*clock)(void), Work *work, const char *name, int repeats) {
    double best = INFINITY;
    Subject s = { name, NULL };
    for (int i = 0; i < repeats; i++) {
        best = fmin(best, bench_best_by(clock, work, 1, read_it, &s));
        table_release(s.table);
    }
    return best;
}

static Status save(Work *work, const Table *table, const char *name) {
    Status status = table_save(work, table, name, NULL);
    char text[1024];
    if (!status) return OK;
    error_text(work->error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return status;
}

/* A column of words beside the numbers: files of statistical offices have them. */
static Status with_words(Work *work, Table *table, Table **out) {
    static const char *const regions[] = { "north", "south", "east", "west", "the islands" };
    Status status = OK;
    Column *column = NULL;
    const char **cells = NULL;
    NEW(work, cells, table->rows + 1);
    for (int64_t i = 0; i < table->rows; i++) cells[i] = i % 97 ? regions[(i * 7919) % 5] : NULL;
    TRY(column_category("region", cells, table->rows, &column, work->error));
    TRY(table_with(table, &column, 1, out, work->error));
done:
    column_release(column);
    return status;
}

static const char *only; /* NULL: all of them */

/* By the clock and by processor time; `wall` and `processor` are how the peer, of whose command they are a part, takes them. */
typedef struct Peer {
    const char *name, *command, *wall, *processor; /* the command's places: the clock, the file, the clock */
} Peer;

static void against(Work *work, const Table *table, const char *name, const char *what, const Peer *peer) {
    char command[1024], line[64];
    if ((only && !strstr(what, only)) || save(work, table, name)) return;
    for (int i = 0; i < 2; i++) {
        const char *clock = i ? peer->processor : peer->wall;
        snprintf(command, sizeof command, peer->command, clock, name, clock);
        snprintf(line, sizeof line, "%s%s", what, i ? ", processor time" : "");
        bench_line(line, best_reading(i ? bench_processor : bench_now, work, name, 7), peer->name, bench_command(command));
    }
}

/* One file, read by a program that starts for it, as people do: the first reading in a process, and its start. */
static void whole_programs(const char *python, const char *parquet, int threads) {
    char ours[1024], theirs[1024];
    const char *scrim = getenv("SCRIM") ? getenv("SCRIM") : "build/scrim";
    if ((only && !strstr("Parquet", only)) || access(parquet, R_OK)) return;
    snprintf(ours, sizeof ours, "%s risk k-anonymity '%s' --keys k2 --threads %d > /dev/null", scrim, parquet, threads);
    snprintf(theirs, sizeof theirs,
             "%s -c 'import pyarrow as pa, pyarrow.parquet as pq; pa.set_cpu_count(%d); pq.read_table(\"%s\")' 2> /dev/null", python,
             threads, parquet);
    bench_line("Parquet, whole program, processor time", bench_program(ours, 5), "pyarrow", bench_program(theirs, 5));
}

#define HAVEN(read)                                                                                                                        \
    "Rscript -e 'library(haven); w <- %s; for (i in 1:5) cat(sum(system.time(" read "(\"%s\"))[w]), \"\\n\")' 2> /dev/null #%s"

static void files(Work *work, const Table *table, int threads) {
    const char *python = getenv("PYTHON") ? getenv("PYTHON") : "python3";
    char arrow[512], sav[256], dta[256], parquet[256];
    snprintf(sav, sizeof sav, "%s", bench_path("files.sav"));
    snprintf(dta, sizeof dta, "%s", bench_path("files.dta"));
    snprintf(parquet, sizeof parquet, "%s", bench_path("files.parquet"));
    snprintf(arrow, sizeof arrow,
             "%s -c 'import time, pyarrow as pa, pyarrow.parquet as pq\npa.set_cpu_count(%d)\nfor i in range(7):\n t = time.%%s(); "
             "pq.read_table(\"%%s\"); print(time.%%s() - t)' 2> /dev/null",
             python, threads);
    against(work, table, sav, "SPSS .sav", &(Peer){ "haven", HAVEN("read_sav"), "3", "1:2" });
    against(work, table, dta, "Stata .dta", &(Peer){ "haven", HAVEN("read_dta"), "3", "1:2" });
    against(work, table, parquet, "Parquet", &(Peer){ "pyarrow", arrow, "perf_counter", "process_time" });
    whole_programs(python, parquet, threads);
    unlink(sav);
    unlink(dta);
    unlink(parquet);
}

/* psql's time has its start and connection in it, a few hundredths of a second; so has ours the connection. */
static void database(Work *work, const Table *table) {
    Server server = { 0 };
    char name[256], command[1024];
    if (only && !strstr("PostgreSQL", only)) return;
    if (!server_start(&server)) {
        printf("no PostgreSQL here\n");
        return;
    }
    snprintf(name, sizeof name, "postgresql:///postgres?host=%s/data&user=scrim#people", server.folder);
    if (!save(work, table, name)) {
        double ours = best_reading(bench_now, work, name, 5);
        snprintf(command, sizeof command,
                 "for i in 1 2 3 4 5; do a=$(date +%%s.%%N); psql -q -h %s/data -U scrim -d postgres -c \"\\copy people to '%s'\"; "
                 "b=$(date +%%s.%%N); echo \"$b - $a\" | bc; done",
                 server.folder, bench_path("people.copy"));
        bench_line("PostgreSQL", ours, "psql \\copy", bench_command(command));
        unlink(bench_path("people.copy"));
    }
    server_remove(&server);
}

int main(int argc, char **argv) {
    int64_t rows = argc > 1 ? atoll(argv[1]) : 1000000;
    int threads = argc > 2 ? atoi(argv[2]) : 2;
    only = argc > 3 ? argv[3] : NULL;
    Work work = bench_work(threads);
    Table *numbers = NULL, *table = NULL;
    if (bench_table(&work, rows, &numbers) || with_words(&work, numbers, &table)) return 1;
    printf("%lld rows, %lld columns, %d thread%s\n", (long long)rows, (long long)table->columns, threads, threads == 1 ? "" : "s");
    files(&work, table, threads);
    database(&work, table);
    table_release(table);
    table_release(numbers);
    arena_free(work.arena);
    return 0;
}
