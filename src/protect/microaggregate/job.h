/* One microaggregation in progress. */
#ifndef SCRIM_PROTECT_MICROAGGREGATE_JOB_H
#define SCRIM_PROTECT_MICROAGGREGATE_JOB_H
#include "method/method.h"
#include "protect/microaggregate/aggregate.h"
#include "classes/strata.h"

typedef struct args {
    const Table *data;
    const Column *person;
    Columns vars, strata;
    int64_t k;
    enum { MDAV, VMDAV, OPTIMAL_UNIVARIATE, INDIVIDUAL_RANKING, PCA } method;
    unsigned aggregate;
    double gamma;
} args;

typedef struct Job {
    Run *run;
    const args *a;
    Strata strata;
    Space space;
    Column **column;                      /* the new ones */
    double *loss, *total;                 /* of each column: SSE and SST, standardised */
    int64_t *groups, *smallest, *largest; /* of each column */
    int64_t *sizes;                       /* groups of k, k+1, … 2k−1 records */
    int64_t blanked;
} Job;

/* Numbers standardised; a nominal column adds 1 to the squared distance of records that differ on it (Domingo-Ferrer & Torra 2005). */
MUST_CHECK Status job_space(Work *work, Columns vars, Space *out);
/* All columns at once: within strata, and within them by which values are missing. Records too few for a group are counted in `blanked`. */
MUST_CHECK Status job_part_all(Job *job, Partition *out);
/* One column on its own, within strata; missing values are in no group. */
MUST_CHECK Status job_part_column(Job *job, const Column *column, Partition *out);
#endif
