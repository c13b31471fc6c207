/* Tables in parts: `scrim … --max-memory` on a file of ROWS records (PARTS_ROWS, 1,000,000 unless set), its time and its peak memory, next
 * to `cat` through the same bytes and to the same command with the table held whole. To reach: peak memory that does not grow with the
 * table, under what was allowed; twice the time of the whole run at most (the file is read twice). Processor seconds are told beside those
 * of the clock: on a busy machine they say more. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bench.h"

static uint64_t state = 1;
static uint64_t below(uint64_t n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state * UINT64_C(0x2545F4914F6CDD1D) >> 33) % n;
}

/* Some 110 bytes a record: six keys, a sensitive value, a weight, three numbers and an identifier. */
static void make(const char *path, int64_t rows) {
    static const char *const region[] = { "Aldermoor", "Brackwater", "Cressholm", "Dunvale", "Eastmarch", "Fenwick" };
    static const char *const work[] = { "nursing", "retail", "teaching", "farming", "building", "transport", "office", "none" };
    FILE *file = fopen(path, "w");
    if (!file) exit(1);
    fprintf(file, "id,sex,age,region,education,occupation,marital,diagnosis,w,income,bmi,score\n");
    for (int64_t i = 0; i < rows; i++)
        fprintf(file, "%lld,%c,%d,%s,e%d,%s,m%d,diagnosis-%02d,%d.%02d,%d.%02d,%d.%d,%d.%04d\n", (long long)(100000000 + i), "mf"[below(2)],
                (int)(18 + below(73)), region[below(6)], (int)below(5), work[below(8)], (int)below(4), (int)below(40), (int)(1 + below(40)),
                (int)below(100), (int)(900 + below(90000)), (int)below(100), (int)(16 + below(30)), (int)below(10), (int)below(100),
                (int)below(10000));
    if (fclose(file)) exit(1);
}

/* Wall and processor seconds, and the most memory in megabytes. */
static void measure(const char *name, int64_t rows, char *const *words) {
    struct rusage used;
    int status;
    double start = bench_now();
    pid_t child = fork();
    if (!child) {
        int nothing = open("/dev/null", O_WRONLY);
        dup2(nothing, 1);
        execvp(words[0], words);
        _exit(127);
    }
    wait4(child, &status, 0, &used);
    double wall = bench_now() - start, cpu = (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec +
                                             (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
    printf("%-34s %11lld rows  %8.2f s  %8.2f s of processor  %7.0f rows/ms  %7.0f MB%s\n", name, (long long)rows, wall, cpu,
           (double)rows / wall / 1000, (double)used.ru_maxrss / 1024, status ? "  FAILED" : "");
    fflush(stdout);
}

int main(void) {
    const char *asked = getenv("PARTS_ROWS"), *scrim = getenv("SCRIM") ? getenv("SCRIM") : "build/scrim",
               *limit = getenv("PARTS_MEMORY") ? getenv("PARTS_MEMORY") : "512M";
    int64_t rows = asked ? strtoll(asked, NULL, 10) : 1000000;
    const char *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp"; /* on a disk: what is larger than memory cannot lie in it */
    char path[4096], out[4096];
    snprintf(path, sizeof path, "%s/scrim-parts-%d.csv", folder, (int)getpid());
    snprintf(out, sizeof out, "%s/scrim-parts-%d-out.csv", folder, (int)getpid());
    make(path, rows);
#define RUN(name, ...) measure(name, rows, (char *const[]){ __VA_ARGS__, NULL })
#define SCRIM (char *)(uintptr_t)scrim
#define LIMIT (char *)(uintptr_t)limit
    RUN("cat", "cat", path);
    RUN("noise, whole", SCRIM, "protect", "noise", path, "--vars", "income,bmi", "--amount", "0.1", "--seed", "1", "-o", out);
    RUN("noise, in parts", SCRIM, "protect", "noise", path, "--vars", "income,bmi", "--amount", "0.1", "--seed", "1", "-o", out,
        "--max-memory", LIMIT);
    RUN("k-anonymity, whole", SCRIM, "risk", "k-anonymity", path, "--keys", "sex,age,region,education");
    RUN("k-anonymity, in parts", SCRIM, "risk", "k-anonymity", path, "--keys", "sex,age,region,education", "--max-memory", LIMIT);
    RUN("individual, in parts, records out", SCRIM, "risk", "individual", path, "--keys", "sex,age,region,education", "--weight", "w", "-o",
        out, "--max-memory", LIMIT);
    RUN("pram, in parts", SCRIM, "protect", "pram", path, "--vars", "region,education", "--keep", "0.9", "--seed", "1", "-o", out,
        "--max-memory", LIMIT);
    RUN("suppress, whole", SCRIM, "protect", "suppress", path, "--keys", "sex,age,region,education,occupation", "--k", "3", "-o", out);
    RUN("suppress, in parts", SCRIM, "protect", "suppress", path, "--keys", "sex,age,region,education,occupation", "--k", "3", "-o", out,
        "--max-memory", LIMIT);
    unlink(path);
    unlink(out);
    strcat(out, ".manifest.json");
    unlink(out);
    return 0;
}
