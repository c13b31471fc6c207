/* What running a method at once and running it in parts share. */
#ifndef SCRIM_METHOD_RUN_PRIVATE_H
#define SCRIM_METHOD_RUN_PRIVATE_H
#include "method/bind.h"
#include "method/treated.h"
#include "method/parts.h"

/* One bound call, from the arguments to what comes back. */
typedef struct Frame {
    Error local;
    Work work;
    Binding binding;
    Result *result;
    Run run;
} Frame;
/* Binds the arguments; `session`, `given` and `roles` must stay until frame_close, which comes after a failure too. `chunk`: the first
 * table is a part, whose types were decided over all parts. */
MUST_CHECK Status frame_open(Frame *frame, const Session *session, const Method *method, const Args *given, const Args *roles, bool chunk,
                             Error *error);
void frame_close(Frame *frame); /* the result, too, unless it was taken out */
/* Is the table one that the method may count, and is there time? */
MUST_CHECK Status frame_check(Frame *frame);
/* Sets the run's seed. `print`: of the first table, where it came in parts; else NULL. */
MUST_CHECK Status frame_seed(Frame *frame, const RowPrint *print);
void row_print_key(const Seed *seed, unsigned char out[ROW_PRINT_KEY]);
/* By class: the columns of the table that the method is given, each once, in the table's order; and the weight apart. */
MUST_CHECK Status used_columns(Frame *frame, Columns *keys, const Column **weight);
/* Runs the method on the records of the table that stand apart (InParts.apart), and gives the others what theirs were given. */
MUST_CHECK Status run_by_class(Frame *frame);
/* What was made of `rows` rows, each standing for some of `count` records: row[i] becomes the place of record i in it. Where it lacks some of
 * the rows, *kept are the records that it has, *out of them, and row[] has only these; else *kept is NULL. */
MUST_CHECK Status rows_released(Work *work, const Table *released, int64_t rows, int64_t count, int64_t *row, int64_t **kept, int64_t *out);
/* By person (BY_PERSON): runs the method on one record of each person, where a person is bound and somebody has two. */
const Column *bound_person(const Binding *binding); /* NULL where the method does not run by person, or no person is bound */
MUST_CHECK Status run_by_person(Frame *frame, bool *ran);
void note_where(Result *result, int64_t kept, int64_t all, bool makes); /* makes: a table */
/* What holds of every result and every output. */
MUST_CHECK Status frame_finish(Frame *frame);
#endif
