/* Records grouped into classes by their keys, and counted under either rule for missing keys. */
#ifndef SCRIM_CLASSES_EQUIVALENCE_CLASS_H
#define SCRIM_CLASSES_EQUIVALENCE_CLASS_H
#include "table/table.h"

/* A missing key agrees with every value (sdcMicro's rule, for comparison); or it is a value of its own. */
typedef enum { WILDCARD, CATEGORY_RULE } MissingRule;
/* The rule in words, for the note that every count carries. */
static inline const char *missing_rule_note(MissingRule rule) {
    return rule == WILDCARD ? "Missing keys: wildcard. A missing key agrees with every value; `classes` counts a missing key as a value."
                            : "Missing keys: category. A missing key is a value of its own.";
}

/* Distinct key tuples (a missing key is a value here), numbered in order of first appearance. */
typedef struct Classes {
    int64_t rows, keys;
    int64_t records; /* as many as rows, unless these stand for more than one (work->times) */
    int64_t count;
    const int32_t *of;    /* row → class */
    const int64_t *size;  /* records in the class */
    const int32_t *first; /* its first row */
    const Codes *codes;   /* per key: the dense codes it was made from */
    bool any_missing;
} Classes;
/* In the arena; no keys make one class of all. Missing is one value, whatever the reason. */
MUST_CHECK Status classes_make(Work *work, Columns keys, Classes *out);
/* As anyone who counts by this rule sees them: save under WILDCARD, each reason that a file gives for a missing value is a value of its own,
 * since the file shows it, and scrim blanks no cell to a reason. Methods that protect keys use classes_make: their release gives no reasons
 * for keys (method/run.c). */
MUST_CHECK Status classes_make_by(Work *work, Columns keys, MissingRule rule, Classes *out);

/* Distinct people in each class. `person` names whose a record is; a record without one is a person of its own, and without a column every
 * record is. This count is k's, wherever k is measured or reached. In the arena. */
MUST_CHECK Status classes_people(Work *work, const Classes *classes, const Column *person, int64_t **out);

/* Per class: f, the records that agree with it under the rule  and F, the sum of their weights (rows where weight is NULL).
 * Near-linear: classes are matched by pattern of missing keys, not pair by pair. */
typedef struct Frequencies {
    const int64_t *f;
    const double *F;
} Frequencies;
/* In the arena. A missing weight counts nothing. */
MUST_CHECK Status classes_frequencies(Work *work, const Classes *classes, MissingRule rule, const Column *weight, Frequencies *out);
void frequencies_drop(Work *work, Frequencies *frequencies); /* gives their memory back early */

/* The sum of the weights that are there, to the last bit. */
MUST_CHECK Status weights_total(Work *work, const Column *weight, double *out);

/* Rows in order of class: rows of class c are row[start[c]] … row[start[c+1]-1], ascending. */
typedef struct Members {
    const int64_t *start;
    const int64_t *row;
} Members;
/* In the arena, by counting: linear in the rows. */
MUST_CHECK Status classes_members(Work *work, const Classes *classes, Members *out);
#endif
