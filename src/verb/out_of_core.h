/* A method on a table larger than memory: its file is read in parts, as often as needed, and what is made is written as it comes. */
#ifndef SCRIM_VERB_OUT_OF_CORE_H
#define SCRIM_VERB_OUT_OF_CORE_H
#include "base/file_transaction.h"
#include "io/csv/csv.h"
#include "method/method.h"

typedef struct PartPlan {
    int64_t memory;     /* bytes that may be used, about */
    int64_t rows;       /* records in a part; 0: as memory allows */
    const char *output; /* where what is made goes; NULL: nowhere */
    CsvOptions csv;
    bool need_records; /* a table without records is an error */
    /* What else changes with the output: put aside before all of it is put in place; what it refuses is not. NULL: nothing. */
    Status (*also)(void *self, Work *work, Transaction *stage, const Result *result);
    void *self;
} PartPlan;
/* The bytes written and the result are those of the same method on the whole table. */
MUST_CHECK Status run_out_of_core(Work *work, const Session *session, const Method *method, const Args *given, const Args *roles,
                                  const PartPlan *plan, Result **out);
/* The memory to allow where the method's table, a CSV file, would not fit whole; 0 where it would, or where it cannot come in parts. */
int64_t parts_memory(const Method *method, const Args *given, const char *output);
#endif
