/* How a method runs on a table that comes in parts, and a job: one such run. docs/decisions/0021-running-in-parts.md says why so. */
#ifndef SCRIM_METHOD_PARTS_H
#define SCRIM_METHOD_PARTS_H
#include "method/method.h"
#include "table/fingerprint.h"
#include "aggregate/tuple_counts.h"
#include "aggregate/value_counts.h"

/* What is learned from parts, or what was done to them. Merging adds up; any cut and any order gives the same bytes. */
/* Records that were learned from, as stretches [at[i][0], at[i][1]) that ascend and do not touch: the same for any cut and any order. */
typedef struct Spans {
    int64_t count, room;
    int64_t (*at)[2];
} Spans;
enum { STATE_TUPLE_COUNTS = 1024, STATE_COUNTS = 8, STATE_MOST = 64 };
struct PartState {
    int64_t rows;
    Spans learned;
    RowPrint print;
    int64_t count[STATE_COUNTS]; /* add up */
    int64_t most[STATE_MOST];    /* the largest counts */
    int64_t rolls;
    TupleCounts *roll[STATE_TUPLE_COUNTS];
    int64_t ladders;
    ValueCounts *ladder[STATE_TUPLE_COUNTS];
};
/* The roll of this number, made where it is not there yet. */
MUST_CHECK Status state_tuple_counts(PartState *state, int64_t number, int64_t keys, int64_t sums, bool weighted, TupleCounts **out,
                                     Error *error);
MUST_CHECK Status state_value_counts(PartState *state, int64_t number, ValueCounts **out, Error *error); /* the same of ladders */
MUST_CHECK Status state_merge(PartState *state, const PartState *other, Error *error);
/* Records first … first + rows − 1 are learned from: BAD where one of them was before. */
MUST_CHECK Status state_learns(PartState *state, int64_t first, int64_t rows, Error *error);
void state_clear(PartState *state);
/* Equal states give equal bytes. One of `pieces`, which merge to all of it: each tuple is in the same one of every state. */
void state_save_piece(PartState *state, int64_t piece, int64_t pieces, Buffer *out);
MUST_CHECK Status state_load(const char **at, const char *end, PartState *out, Error *error);

typedef enum { BY_ROW = 1, BY_CLASS } Shape;
struct InParts {
    Shape shape;
    /* Why these arguments need the whole table at once, as the end of "… needs the whole table: "; NULL where they do not. May be NULL.
     * That an original is compared record by record is known without it. */
    const char *(*whole)(const void *args);
    bool original_aside; /* an original matters only where `whole` says so */
    /* By row: a chunk into the state (may be NULL: there is nothing to learn); a chunk by the state, which puts one output into the
     * result; then what the result says. run->first_row is the chunk's place in the table. The whole table is one chunk. */
    Status (*fit)(Run *run, const void *args, PartState *fit);
    Status (*apply)(Run *run, const void *args, const PartState *fit, PartState *done);
    Status (*say)(Run *run, const void *args, const PartState *fit, const PartState *done);
    /* By row: the table parameter whose table comes in parts beside the first; NULL: there is none. The two parts of a chunk begin with the
     * same record, and the shorter ends where its table does.*/
    const char *beside;
    /* By class, where records of one tuple may be answered differently: how many of its first records stand apart, each a row of the roll;
     * the last of them stands for all the rest. NULL, or 0: a tuple is one row. On the whole table `run` is given the same rows. */
    int64_t (*apart)(const void *args);
    /* By class: the method's own `run`, on the roll of the columns that it is given (work->times, work->weights); each record is answered
     * by its tuple. */
};
/* BAD: the method needs the whole table, for this reason. */
MUST_CHECK Status parts_refuse(const Method *method, const char *why, Error *error);
enum { PART_TABLES = 2 };
const Param *parts_subject(const Method *method,
                           int table);        /* the parameter of the first table that comes in parts, or of the second; NULL */
const char *parts_name(const Method *method); /* "by row", "by class", "whole" */

typedef struct Job Job;
/* BAD where the method needs the whole table. */
MUST_CHECK Status job_new(const Session *session, const Method *method, const Args *given, const Args *roles, Job **out, Error *error);
void job_free(Job *job);
/* A chunk whose first record is number `first_row` of the table. All have the same columns, of the same types. */
MUST_CHECK Status job_fit(Job *job, const Table *chunk, int64_t first_row, Error *error);
/* The same for two tables (InParts.beside): parts of both from the same record on, of which the shorter, maybe empty, ends its table. */
MUST_CHECK Status job_fit_both(Job *job, const Table *const chunk[PART_TABLES], int64_t first_row, Error *error);
/* Before job_finish: what was learned; after it: what was done. */
MUST_CHECK Status job_state(Job *job, Buffer *out, Error *error);
/* One of `pieces` of it, from 0: they merge in any order, and so do the same pieces of several jobs. */
MUST_CHECK Status job_state_piece(Job *job, int64_t piece, int64_t pieces, Buffer *out, Error *error);
MUST_CHECK Status job_merge(Job *job, const char *bytes, size_t count, Error *error);
MUST_CHECK Status job_finish(Job *job, Error *error);
/* A chunk as it is released; or with the columns that the method has of each record. NULL where it has none. */
MUST_CHECK Status job_apply(Job *job, const Table *chunk, int64_t first_row, Table **out, Error *error);
MUST_CHECK Status job_apply_both(Job *job, const Table *const chunk[PART_TABLES], int64_t first_row, Table **out, Error *error);
void job_forget(Job *job);      /* what was applied so far: all of it will be applied again */
bool job_makes(const Job *job); /* after job_finish: does job_apply give anything? */
/* What the method says of the whole: once, after every chunk was applied. The caller's. */
MUST_CHECK Status job_result(Job *job, Result **out, Error *error);
size_t job_size(const Job *job); /* bytes that the state takes */
/* By class: lays what was learned so far aside on disk, in a file without a name in this folder; BAD where the method has other things to
 * keep. job_gather brings all of it together, before job_finish, and says how much memory the method will take on
 * its tuples. */
bool job_can_spill(const Job *job);
MUST_CHECK Status job_spill(Job *job, const char *folder, Error *error);
MUST_CHECK Status job_gather(Job *job, size_t *bytes, int64_t *tuples, Error *error);
#endif
