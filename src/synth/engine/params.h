/* Parameters and sentences that the methods of this family share. */
#ifndef SCRIM_SYNTH_ENGINE_PARAMS_H
#define SCRIM_SYNTH_ENGINE_PARAMS_H
#include "synth/engine/engine.h"

#define SYNTH_VISIT(of_what) COLUMNS(SynthArgs, visit, data, "Order in which " of_what " are drawn; those not named come after, few values first")
#define SYNTH_PREDICTORS TEXTS(SynthArgs, predictors, "What a column is drawn from, in place of all drawn before it: \"income ~ age + sex\"; may be given again", .flags = WHOLE)
#define SYNTH_RULES TABLE(SynthArgs, rules, "Rules that must hold in every record: a column 'rule' of expressions, age < 16 -> married == \"no\"")
#define SYNTH_M INT(SynthArgs, m, 1, 1, 1000, "Synthetic tables to make")
#define SYNTH_STACKED FLAG(SynthArgs, stacked, "One table of all, with a first column 'set', in place of M tables")
#define SYNTH_TREES \
    INT(SynthArgs, min_leaf, 5, 1, 1000000, "Fewest records in a leaf of a tree"), \
    REAL(SynthArgs, complexity, 0, 0, 1, "A split must take off this share of the column's variation"), \
    FLAG(SynthArgs, smooth, "Numbers are drawn from around the values of a leaf, not from the values themselves; spikes stay")
#define SYNTH_EVALUATE \
    FLAG(SynthArgs, evaluate, "Measure what is left to learn, and what an intruder learns, from the first table made"), \
    COLUMNS(SynthArgs, keys, data, "With --evaluate: columns that an intruder may know"), \
    TABLE(SynthArgs, holdout, "With --evaluate: records of the same kind that the synthesis does not see, for the attacks"), \
    ONLY_WITH("keys", "evaluate"), ONLY_WITH("holdout", "evaluate")

#define EVALUATE_VALUES \
    "pmse_ratio_1", "--evaluate: mean S_pMSE of all one-way tables, numbers in five groups: 1 where the synthesis is right", "pmse_ratio_2", "The same for all pairs", \
    "pmse_ratio_3", "The same for all triples", "uniques_original", "Share of originals whose keys nobody shares (UiO)", \
    "replicated_uniques", "Share of originals unique on the keys, and so in the synthetic table (repU)", \
    "tables", "Crossings by order: how many, mean S_pMSE, the worst one", \
    "disclosure", "Each target: share of originals whose value follows from the keys in the original, and from the synthetic table, rightly (DiSCO)"
#endif
