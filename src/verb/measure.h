/* Every registered method of some groups that the roles can fill, run on one table: what audit and run stand on. */
#ifndef SCRIM_VERB_MEASURE_H
#define SCRIM_VERB_MEASURE_H
#include "recipe/policy.h"
#include "recipe/roles.h"

typedef struct Measuring {
    Work *work;
    Session session;   /* with the time limit for one method */
    const Table *data; /* the table to be judged: fills `data` or `released` */
    Args extra;        /* tables at hand by name: original, holdout, population, … */
    const Roles *roles;
    Texts only;                /* methods to run instead of all that fit, beside those that the policy names; none: all */
    const char *const *except; /* methods that are left to another measuring, unsaid; NULL ends them; NULL: none */
    Policy *policy;            /* judged as results come in; or NULL */
    Result *into;              /* each result goes into it under its method's name */
    Grid *skipped;             /* (method, why); or NULL */
    int64_t done, left_out;
    bool histories, person_gone; /* people have several records; the table no longer says whose they are */
} Measuring;

/* Runs all methods of these groups (NULL ends them) that the roles fill and audit may run, and those that the policy names, whatever their
 * group. A method that cannot be run is written down, with the reason, and breaks the rules on it; only an interruption ends the measuring.
 */
MUST_CHECK Status measure(Measuring *measuring, const char *const *groups);
#endif
