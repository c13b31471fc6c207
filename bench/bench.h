/* What every benchmark needs: the table, a clock, a place for files, and ratios within one run. */
#ifndef SCRIM_BENCH_H
#define SCRIM_BENCH_H
#include "table/table.h"

/* The benchmark table, the same for any number of threads: integer keys k2, k5, k10, k20, k50, k100 with P(value i) ∝ 1/i; reals x1 … x5
 * from equicorrelated (0.5) normals Z: exp(10+.8Z₁), exp(8+Z₂), 50+10Z₃, 1000+200Z₄, exp(5+.5Z₅), to 15 significant digits; w, a
 * household's weight, uniform 5 … 195 to one decimal; hid, the household, three records each. 1,000,000 rows are about 112 MB of CSV. */
MUST_CHECK Status bench_table(Work *work, int64_t rows, Table **out);

double bench_now(void);       /* seconds */
double bench_processor(void); /* seconds of the processor, all threads, children that were waited for and the system's part together: what a
                               * busy machine does not change much */
/* The least seconds of `repeats` calls; a call that fails ends the program with its error. */
double bench_best(Work *work, int repeats, Status (*call)(Work *work, void *self), void *self);
double bench_best_by(double (*clock)(void), Work *work, int repeats, Status (*call)(Work *work, void *self), void *self);
double bench_sort(Work *work, const double *x,
                  int64_t rows); /* the least seconds of libc's qsort on a copy of them: a measure of the machine */
/* Prints one line: what, seconds, and where reference > 0 how many times faster than it ("2.1 times as fast"). */
void bench_line(const char *what, double seconds, const char *than, double reference);
/* A path for a scratch file: in memory where the system offers that, so that disks do not count. Static storage. */
const char *bench_path(const char *name);
/* The least of the numbers that a command prints, one a line; -1 where it cannot be run. */
double bench_command(const char *command);
double bench_program(const char *command, int repeats); /* the least processor seconds of a whole program; -1 where it fails */
Work bench_work(int threads);                           /* with an arena and an error of its own; ends the program when memory is out */
#endif
