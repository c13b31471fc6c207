/* Fitted trees as a table, so that whatever stores tables stores models: written by synth.cart --save-model, drawn from by synth.draw. */
#ifndef SCRIM_SYNTH_ENGINE_TREES_H
#define SCRIM_SYNTH_ENGINE_TREES_H
#include "synth/engine/engine.h"

/* Every column drawn stands there sorted by itself, under its name and in the order of visits, with "tree of NAME" and "donors of NAME"
 * (and the same for whether it is missing): no row is a record. BAD where a column of the data has such a name. */
MUST_CHECK Status trees_table(const Synthesis *s, Table **out);
/* The synthesis that args->model holds, ready to draw from; args->data becomes its values, and lives as long as `values`, which the caller
 * releases. BAD where it is no such table. */
MUST_CHECK Status trees_read(Synthesis *s, Run *run, SynthArgs *args, Table **values);
#endif
