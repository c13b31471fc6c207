/* Parameters and sentences that the methods of this family share. */
#ifndef SCRIM_SYNTH_ENGINE_PARAMS_H
#define SCRIM_SYNTH_ENGINE_PARAMS_H
#include "synth/engine/engine.h"

#define SYNTH_VISIT(of_what)                                                                                                               \
    COLUMNS(SynthArgs, visit, data, "Order in which " of_what " are drawn; those not named come after, few values first")
#define SYNTH_PREDICTORS                                                                                                                   \
    TEXTS(SynthArgs, predictors,                                                                                                           \
          "What a column is drawn from, in place of all drawn before it: \"income ~ age + sex\"; may be given again", .flags = WHOLE)
#define SYNTH_RULES                                                                                                                        \
    TABLE(SynthArgs, rules, "Rules that must hold in every record: a column 'rule' of expressions, age < 16 -> married == \"no\"")
#define SYNTH_METHOD                                                                                                                       \
    CHOICE(SynthArgs, method, "cart", "What columns are drawn from: cart (trees), sequential (regressions by the kind of the column)",     \
           WORDS("cart", "sequential"))
#define SYNTH_MODELS                                                                                                                       \
    PAIRS(SynthArgs, models, 1,                                                                                                            \
          "The model of single columns: income:pmm; normal, rank-normal, logistic, multinomial, ordered, poisson, pmm, cart or sample")
#define SYNTH_HOUSEHOLD                                                                                                                    \
    COLUMN(SynthArgs, household, data,                                                                                                     \
           "Household of each record, or subject of repeated measures: they are drawn whole, what their records share first, then one "    \
           "record after another, each from the one before"),                                                                              \
        COLUMN(SynthArgs, order, data,                                                                                                     \
               "Order of a household's records, numbers or dates: the time of a measure; that of the file unless given"),                  \
        TABLE(SynthArgs, households,                                                                                                       \
              "The households or subjects in a file of their own, one record each, by the column that --household names; both "            \
              "files are drawn: first the members' table, then the households'"),                                                          \
        ONLY_WITH("order", "household"), ONLY_WITH("households", "household")
#define HOUSEHOLD_VALUES                                                                                                                   \
    VALUE(households, INTEGER, "--household: households or subjects of each synthetic table", .flags = PUBLIC),                            \
        TABLE_OUT(ties, "column:text measure:text original:real synthetic:real",                                                           \
                  "--household: records next to each other in a household: correlation of a column's numbers, share of equal words, in "   \
                  "the original and in the first table made")
#define SYNTH_M INT(SynthArgs, m, 1, 1, 1000, "Synthetic tables to make")
#define SYNTH_STACKED FLAG(SynthArgs, stacked, "One table of all, with a first column 'set', in place of M tables")
#define DIRECT_ROLES(table)                                                                                                                \
    COLUMNS(SynthArgs, identifiers, table, "Direct identifiers: values are made up in place of theirs, as for columns that look like one", \
            .flags = IF_THERE),                                                                                                            \
        COLUMNS(SynthArgs, notes, table, "Free text: values are made up in place of it, as for columns that look like it",                 \
                .flags = IF_THERE),                                                                                                        \
        COLUMN(SynthArgs, person, table, "The number of the person: values are made up in place of its", .flags = IF_THERE),               \
        COLUMNS(SynthArgs, other, table, "Columns that are harmless, and drawn although they look like identifiers or free text",          \
                .flags = IF_THERE)
#define SYNTH_TREES                                                                                                                        \
    INT(SynthArgs, min_leaf, ABSENT, 1, 1000000,                                                                                           \
        "Fewest records in a leaf of a tree; 20 unless given, in tables of under 1,000 records a fiftieth of them, at least 5"),           \
        REAL(SynthArgs, complexity, 0, 0, 1, "A split must take off this share of the column's variation")
#define SYNTH_SAVE_MODEL                                                                                                                   \
    FLAG(SynthArgs, save_model, "Put out the model, for `synth draw`, in place of synthetic tables; it is as confidential as the data")
#define SYNTH_EVALUATE                                                                                                                     \
    FLAG(SynthArgs, evaluate,                                                                                                              \
         "Measure utility and disclosure risk of the first table made (risk roc-release: of many). It does not change what is drawn",      \
         .flags = BOOKKEEPING),                                                                                                            \
        COLUMNS(SynthArgs, keys, data, "With --evaluate: columns that an intruder may know", .flags = BOOKKEEPING),                        \
        TABLE(SynthArgs, holdout, "With --evaluate: records of the same kind that the synthesis does not see, for the attacks",            \
              .flags = BOOKKEEPING),                                                                                                       \
        ONLY_WITH("keys", "evaluate"), ONLY_WITH("holdout", "evaluate")

#define EVALUATE_VALUES                                                                                                                    \
    VALUE(pmse_ratio_1, REAL, "--evaluate: mean S_pMSE of all one-way tables, numbers in five groups: 1 where the synthesis is right",     \
          .flags = PUBLIC | LESS),                                                                                                         \
        VALUE(pmse_ratio_2, REAL, "The same for all pairs", .flags = PUBLIC | LESS),                                                       \
        VALUE(pmse_ratio_3, REAL, "The same for all triples", .flags = PUBLIC | LESS),                                                     \
        VALUE(uniques_original, REAL, "Share of originals whose keys nobody shares (UiO)", .flags = PUBLIC),                               \
        VALUE(copied_uniques, REAL, "Share of the original's unique records that are in the synthetic table, in all columns",              \
              .flags = PUBLIC | LESS),                                                                                                     \
        VALUE(copied_holdout, REAL, "The same of the holdout, which the synthesis did not see", .flags = PUBLIC),                          \
        VALUE(replicated_uniques, REAL, "Share of originals unique on the keys, and so in the synthetic table (repU)",                     \
              .flags = PUBLIC | LESS),                                                                                                     \
        TABLE_OUT(tables, "order:integer tables:integer mean_ratio:real worst:text worst_ratio:real",                                      \
                  "Crossings by order: how many, mean S_pMSE, the worst one"),                                                             \
        TABLE_OUT(disclosure, "target:text original:real synthetic:real",                                                                  \
                  "Each target: share of originals whose value follows from the keys in the original, and from the synthetic table, "      \
                  "rightly (DiSCO)")
#endif
