/* What reading a register of holders and attacking by it share. */
#ifndef SCRIM_VERB_DATA_HOLDERS_PRIVATE_H
#define SCRIM_VERB_DATA_HOLDERS_PRIVATE_H
#include "verb/data_holders.h"

/* A release or published table that a holder has; the same path is the same one, regardless of who has it. */
typedef struct Earlier {
    const char *path;
    Table *table;
} Earlier;

typedef struct Holder {
    const char *party, *since;
    uint8_t *mask; /* its records in the table; NULL: it holds none of them */
    Table *file;   /* what it holds of people, beside the table; or NULL */
    int64_t columns, earlier_count;
    const char **column;
    Earlier *earlier;
} Holder;

/* Who learns most by one attack. */
typedef struct Worst {
    double learned;
    const char *who, *of;
    int64_t others;
} Worst;

typedef struct Register {
    Run *run;
    Work *work;
    const Table *data;
    const Roles *roles;
    const char *folder, *id, *score, *status;
    int64_t most; /* parties together */
    int64_t count;
    Holder *at;
    Columns keys;
    const char *sensitive;
    Grid *grid;
    Worst certain, found;
} Register;

typedef struct Coalition {
    unsigned members;
    const char *who, *columns, *since;
    int64_t parties, records, others;
    int64_t *other; /* rows that it does not hold */
    Columns keys;   /* that it knows of everyone */
} Coalition;

typedef struct Told {
    const char *method, *unit, *of, *why;
    double learned, baseline;
} Told;

static inline bool is_member(const Coalition *c, int64_t holder) { return c->members >> holder & 1; }
/* A result's column of this name, for each record; NULL where it has none. */
const Column *result_record(const Result *result, const char *name);
/* Whose people are exposed most: the holder with most of them among its records. `exposed`: 1 where a record that the coalition does not
 * hold is. NULL where nobody is said to hold them. */
const char *of_whom(const Register *r, const Coalition *c, const Column *exposed);
/* A line of the table. */
void data_holders_report(Register *r, const Coalition *c, const Told *told);
/* Keeps who learns most, beyond the coalition's own memory. */
void worst_take(Register *r, Worst *worst, const Coalition *c, const Told *told);
/* Runs an attack. One that could not be run answers OK, no result and a reason; only an interruption or lack of memory ends the audit. */
MUST_CHECK Status data_holders_attack(Register *r, const char *name, const Args *args, Result **out, const char **why);

/* What its members' files, their earlier releases and tables, and the ROC curve of all tell a coalition; a line for each that applies. */
MUST_CHECK Status tell_linkage(Register *r, const Coalition *c);
MUST_CHECK Status tell_earlier(Register *r, const Coalition *c);
MUST_CHECK Status tell_roc(Register *r, const Coalition *c);
#endif
