/* The binder: named texts become a method's typed arguments, checked in one place with one wording. */
#ifndef SCRIM_METHOD_BIND_H
#define SCRIM_METHOD_BIND_H
#include "method/method.h"

/* One binding in progress. Tables bound are kept in `held` and released by binding_release. */
typedef struct Binding {
    Work *work;
    const Method *method;
    const Args *given, *roles;
    const Session *session;
    char *args; /* the method's own struct */
    Common common;
    Table **held;
    int64_t holds, hold_room;
    const int64_t *rows; /* the records that `where` keeps, or NULL */
    int64_t row_count;
    bool chunk;                 /* the first table is a part of one */
    bool made_before;           /* what it makes was made of parts before */
    struct LevelChange *change; /* columns of codes that the method sees as categories */
    int64_t changes, change_room;
    int64_t told[2];        /* so many of so many records, for people: of the whole table where this is a part */
    const Table *whole;     /* the first table before `where` */
    const Table *bound[16]; /* every table parameter's before it, in their order */
} Binding;
/* Fills `args` and `common` from what was given, what a role fills and the defaults, and tells the result what was bound. BAD names the
 * parameter. */
MUST_CHECK Status binding_make(Binding *binding, Result *result);
/* Lets the tables go; harmless when zeroed. */
void binding_release(Binding *binding);
const Table *first_table(const Binding *binding); /* as the method sees it; NULL where it takes none */
/* Takes over a table that the arguments refer to; released where there is no memory for it. */
MUST_CHECK Status binding_hold(Binding *binding, Table *table);
/* Weights are finite, not negative and not missing; all zeros are no weights, which of a part nobody can tell. BAD says how many are not,
 * and the first record. */
MUST_CHECK Status check_weights(const Binding *binding, const Column *weight);
/* A method that takes codes for categories (CODES_AS_CATEGORIES) gets columns of codes as categories: decided on the first table that has
 * the column, before `where`, and alike in every table. Not columns that are named where numbers are needed. */
MUST_CHECK Status bind_levels(Binding *binding);
/* The table without that change: what is drawn from a seed does not depend on levels. */
const Table *table_as_read(const Binding *binding, const Table *table);
/* What such a method made of them goes out as it came in: the column itself where it is unchanged, numbers where every word is one. */
MUST_CHECK Status restore_levels(const Binding *binding, Result *result);
/* Adds to an error of the method that a column of its formula is a category because it holds codes. */
void explain_levels(const Binding *binding);
/* BAD: codes are named where a quantity is needed. */
MUST_CHECK Status check_quantity(const Binding *binding, const Param *param, const Column *column);
/* One value into the field at `to`; tables are looked up in the struct at `args`. */
MUST_CHECK Status bind_value(Binding *binding, const Param *param, const Arg *arg, void *to);
#endif
