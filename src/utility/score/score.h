/* Information loss, as Domingo-Ferrer & Torra measure it. Parts of utility.score. */
#ifndef SCRIM_UTILITY_SCORE_H
#define SCRIM_UTILITY_SCORE_H
#include "method/method.h"
#include "classes/joint_codes.h"

/* A measure: its name, its value in per cent, and how much of the score it makes up. */
typedef struct Part {
    const char *name;
    double value, weight;
} Part;
enum { NUMERIC_PARTS = 5, CATEGORICAL_PARTS = 3 };

/* names: numeric columns of both tables, which run side by side. Fills five parts (value only). */
MUST_CHECK Status score_numeric(Run *run, const Table *original, const Table *released, const char *const *names, int64_t count,
                                Part *parts);
/* names: categorical columns. Fills three. */
MUST_CHECK Status score_categorical(Run *run, const Table *original, const Table *released, const char *const *names, int64_t count,
                                    Part *parts);
#endif
