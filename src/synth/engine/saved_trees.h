/* A fitted synthesis as a table, so that whatever stores tables stores models: written by --save-model, drawn from by synth.draw. */
#ifndef SCRIM_SYNTH_ENGINE_SAVED_TREES_H
#define SCRIM_SYNTH_ENGINE_SAVED_TREES_H
#include "synth/engine/regression.h"

/* Every column drawn stands there sorted by itself, under its name and in the order of visits, with "tree of NAME" and "donors of NAME"
 * (and the same for whether it is missing), or "regression of NAME": no row is a record. BAD where a column of the data has such a name. */
MUST_CHECK Status trees_table(const Synthesis *s, Table **out);
/* The synthesis that args->model holds, ready to draw from; args->data becomes its values, and lives as long as `values`, which the caller
 * releases. BAD where it is no such table. */
MUST_CHECK Status trees_read(Synthesis *s, Run *run, SynthArgs *args, Table **values);

/* Within the room: a regression as a row of finite numbers. `fine` is false where they are none that a fit gives. */
int64_t regression_rows(const Regression *r); /* that its columns need */
void regression_numbers(const Regression *r, const int64_t *visit_of, double *out);
MUST_CHECK Status regression_read(const Synthesis *s, Model *m, const double *x, int64_t count, Regression *r, bool *fine, Error *error);
/* What it keeps of the values: ranks, or donors with their predicted means. */
MUST_CHECK Status regression_values(const Synthesis *s, const Model *m, const Column *means, const Column *donors, Regression *r,
                                    bool *fine, Error *error);
#endif
