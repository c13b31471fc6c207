/* Households and their members while they are learned (linked.c) and drawn (linked_draw.c). */
#ifndef SCRIM_SYNTH_ENGINE_HOUSEHOLDS_H
#define SCRIM_SYNTH_ENGINE_HOUSEHOLDS_H
#include "synth/engine/engine.h"

typedef struct HouseholdModel {
    Run *run;
    const SynthArgs *args;
    int64_t units, longest, empty;    /* empty: households without a member, which only a file of their own can have */
    const Column *order;              /* NULL: the order of the file */
    int64_t *row, *start;             /* the data's rows by household and order; where each household begins, units + 1 of them */
    Columns shared, own;              /* columns by level, in the data's order */
    const char *size, *place, *first; /* names of what is added */
    EditRules rules, unit_rules;      /* all; those of shared columns alone */
    Table *unit_data, *member_data;
    Column *unit_weight, *member_weight; /* NULL: none. A household has its first member's */
    SynthArgs unit_args, member_args;
    Synthesis unit, member;
    int64_t *lag;         /* own column → variable of what the member before had, -1: none */
    uint16_t **lag_state; /* own column → row of member_data → its state as a lag */
    /* Two files: that of the households, the members' rows in it, and both in one, which then is what `args` is about. */
    const Table *households;
    int64_t *unit_of;
    Table *joined;
    SynthArgs joined_args;
} HouseholdModel;

/* From run, args and order alone: who belongs together, the columns by level, both levels' models. BAD where the arguments do not fit. */
MUST_CHECK Status linked_learn(HouseholdModel *l);
void linked_free(HouseholdModel *l); /* also after linked_learn failed */
/* Two files: brought together before they are learned from, and parted when they are put out. */
MUST_CHECK Status linked_join(HouseholdModel *l);
MUST_CHECK Status linked_outputs(const HouseholdModel *l, Table **synthetic, Table **units);
/* New households have new numbers: 1, 2, …, in the type of the old; of[i] (NULL: i) is that of row i, from 0. */
MUST_CHECK Status number_households(Work *work, const Column *old, const int64_t *of, int64_t rows, Column **out);
MUST_CHECK Status whole_numbers(Work *work, const char *name, int64_t rows, Column **out); /* a column of them, zero */
#endif
