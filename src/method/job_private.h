/* What the parts of a job share. */
#ifndef SCRIM_METHOD_JOB_PRIVATE_H
#define SCRIM_METHOD_JOB_PRIVATE_H
#include "method/run_private.h"
#include "aggregate/tuple_counts_spill.h"

/* What the release is, beside its records: they are written as they are made. */
typedef struct Made {
    Table *like; /* the first part of it, without records */
    int64_t rows;
    int64_t *missing, *suppressed;
} Made;

struct Job {
    Session session;
    const Method *method;
    int tables;                        /* that come in parts */
    const Param *subject[PART_TABLES]; /* and their places among the arguments, which are the first */
    Arena *arena;                      /* of the arguments */
    Args given, roles;
    const char *path[PART_TABLES]; /* of each, where it was named and not handed over */
    PartState fit, done;
    bool finished, told;
    bool broken; /* failed in the middle of a part: what it learned or did is not whole */
    bool seeded;
    Seed seed;
    int64_t kept, seen;       /* by row with --where: of the parts so far, which come in their order */
    bool merged;              /* another's state is in this one */
    Table *like[PART_TABLES]; /* names, types and marks of the chunks; no records */
    Once once;
    bool aside; /* ladders were laid aside on disk */
    Made made;
    /* by class */
    TupleCounts *roll; /* in the fit */
    Spill *spill;      /* what was laid aside; NULL: nothing */
    Arena *laid;       /* of the rows */
    TupleCountsRows rows;
    WeightSum *weights;
    Result *result; /* of the roll */
};

MUST_CHECK Status job_sound(const Job *job, Error *error);
/* Is the chunk cut from the same table as those before it? The first says what the table is. */
MUST_CHECK Status job_check(Job *job, int table, const Table *chunk, Error *error);
/* The tables that come in parts. BAD where the method needs the whole. */
MUST_CHECK Status job_subjects(Job *job, const Method *method, Error *error);
/* In the job's arena. `own`: all but the tables that come in parts, whose places are the first. */
MUST_CHECK Status job_copy_args(Job *job, const Args *from, bool own, Args *to, Error *error);
void job_release_args(const Args *args);
Args job_others(const Job *job);                                          /* what was given beside those tables */
MUST_CHECK Status made_open(Made *made, const Table *part, Error *error); /* like this part, with no records yet */
#endif
