/* Households and their members while they are learned (linked.c) and drawn (linked_draw.c). */
#ifndef SCRIM_SYNTH_ENGINE_LINKED_H
#define SCRIM_SYNTH_ENGINE_LINKED_H
#include "synth/engine/engine.h"

typedef struct Linked {
    Run *run;
    const SynthArgs *args;
    int64_t units, longest;
    const Column *order;              /* NULL: the order of the file */
    int64_t *row, *start;             /* the data's rows by household and order; where each household begins, units + 1 of them */
    Columns shared, own;              /* columns by level, in the data's order */
    const char *size, *place, *first; /* names of what is added */
    Rules rules, unit_rules;          /* all; those of shared columns alone */
    Table *unit_data, *member_data;
    Column *unit_weight, *member_weight; /* NULL: none. A household has its first member's */
    SynthArgs unit_args, member_args;
    Synthesis unit, member;
    int64_t *lag;         /* own column → variable of what the member before had, -1: none */
    uint16_t **lag_state; /* own column → row of member_data → its state as a lag */
} Linked;

/* From run, args and order alone: who belongs together, the columns by level, both levels' models. BAD where the arguments do not fit. */
MUST_CHECK Status linked_learn(Linked *l);
void linked_free(Linked *l);                                                               /* also after linked_learn failed */
MUST_CHECK Status whole_numbers(Work *work, const char *name, int64_t rows, Column **out); /* a column of them, zero */
#endif
