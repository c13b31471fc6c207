/* Parameters and sentences that the methods of this family share. */
#ifndef SCRIM_SYNTH_ENGINE_PARAMS_H
#define SCRIM_SYNTH_ENGINE_PARAMS_H
#include "synth/engine/engine.h"

#define SYNTH_VISIT(of_what)                                                                                                               \
    COLUMNS(SynthArgs, visit, data, "Order in which " of_what " are drawn. Those not named follow, those with few values first")
#define SYNTH_PREDICTORS                                                                                                                   \
    TEXTS(SynthArgs, predictors,                                                                                                           \
          "Predictors of a column, instead of all columns drawn before it: \"income ~ age + sex\". Can be repeated", .flags = WHOLE)
#define SYNTH_RULES                                                                                                                        \
    TABLE(SynthArgs, rules, "Rules that must hold in every record: a column 'rule' of expressions, age < 16 -> married == \"no\"")
#define SYNTH_METHOD                                                                                                                       \
    CHOICE(SynthArgs, method, "cart", "Model of the columns: cart (trees) or sequential (regressions by the type of the column)",          \
           WORDS("cart", "sequential"))
#define SYNTH_MODELS                                                                                                                       \
    PAIRS(SynthArgs, models, 1,                                                                                                            \
          "The model of single columns: income:pmm; normal, rank-normal, logistic, multinomial, ordered, poisson, pmm, cart or sample")
#define SYNTH_HOUSEHOLD                                                                                                                    \
    COLUMN(SynthArgs, household, data,                                                                                                     \
           "Household of each record, or subject of repeated measures. Households are drawn whole: first what their records share, then "  \
           "record by record, each from the one before"),                                                                                  \
        COLUMN(SynthArgs, order, data,                                                                                                     \
               "Order of a household's records, a number or date such as the time of a measure (default: order of the file)"),             \
        TABLE(SynthArgs, households,                                                                                                       \
              "The households or subjects in a separate file, one record each, linked by the column of --household. Both files are "       \
              "drawn: the members' table, then the households'"),                                                                          \
        ONLY_WITH("order", "household"), ONLY_WITH("households", "household")
#define HOUSEHOLD_VALUES                                                                                                                   \
    VALUE(households, INTEGER, "With --household: households or subjects of each synthetic table", .flags = PUBLIC),                       \
        TABLE_OUT(ties, "column:text measure:text original:real synthetic:real",                                                           \
                  "With --household: adjacent records of a household, in the original and in the first table: correlation of numbers, "    \
                  "share of equal categories")
#define SYNTH_M INT(SynthArgs, m, 1, 1, 1000, "Number of synthetic tables")
#define SYNTH_STACKED FLAG(SynthArgs, stacked, "One stacked table with a first column 'set', instead of M tables")
#define DIRECT_ROLES(table)                                                                                                                \
    COLUMNS(SynthArgs, identifiers, table,                                                                                                 \
            "Direct identifiers: their values are replaced by made-up ones, as in columns that look like identifiers", .flags = IF_THERE), \
        COLUMNS(SynthArgs, notes, table, "Free text: it is replaced by made-up text, as in columns that look like free text",              \
                .flags = IF_THERE),                                                                                                        \
        COLUMN(SynthArgs, person, table, "Column that identifies the person: its values are replaced by made-up ones", .flags = IF_THERE), \
        COLUMNS(SynthArgs, other, table, "Harmless columns, to be synthesised although they look like identifiers or free text",           \
                .flags = IF_THERE)
#define SYNTH_TREES                                                                                                                        \
    INT(SynthArgs, min_leaf, ABSENT, 1, 1000000,                                                                                           \
        "Smallest number of records in a leaf of a tree (default: 20; in tables of fewer than 1,000 records a fiftieth of them, at least " \
        "5)"),                                                                                                                             \
        REAL(SynthArgs, complexity, 0, 0, 1, "Smallest share of the column's variation that a split must explain, 0 to 1")
#define SYNTH_SAVE_MODEL                                                                                                                   \
    FLAG(SynthArgs, save_model, "Output the model, for `synth draw`, instead of synthetic tables. It is as confidential as the data")
#define SYNTH_EVALUATE                                                                                                                     \
    FLAG(SynthArgs, evaluate,                                                                                                              \
         "Measure utility and disclosure risk of the first table (risk roc-release: of many). It does not change the result",              \
         .flags = BOOKKEEPING),                                                                                                            \
        COLUMNS(SynthArgs, keys, data, "Columns that an intruder may know, for the measures of disclosure", .flags = BOOKKEEPING),         \
        TABLE(SynthArgs, holdout, "With --evaluate: a holdout that the synthesis does not use, for the attacks", .flags = BOOKKEEPING),    \
        ONLY_WITH("holdout", "evaluate")

#define SYNTH_PROTECT                                                                                                                      \
    CHOICE(SynthArgs, protect, NULL,                                                                                                       \
           "replicated-uniques: no synthetic record has the values of an original record that is unique on --keys (default: on all "       \
           "columns). Such records are drawn again",                                                                                       \
           WORDS("none", "replicated-uniques"))
#define PROTECT_VALUES                                                                                                                     \
    VALUE(redrawn_uniques, INTEGER,                                                                                                        \
          "With --protect: draws that had the keys of a unique original record and were made again, in all tables")

#define EVALUATE_VALUES                                                                                                                    \
    VALUE(pmse_ratio_1, REAL,                                                                                                              \
          "With --evaluate: mean S_pMSE of all one-way tables, numbers in five groups. About 1 if the synthesis model is correct; larger " \
          "is worse",                                                                                                                      \
          .flags = PUBLIC | LESS),                                                                                                         \
        VALUE(pmse_ratio_2, REAL, "Mean S_pMSE of all two-way tables. About 1 if the synthesis model is correct; larger is worse",         \
              .flags = PUBLIC | LESS),                                                                                                     \
        VALUE(pmse_ratio_3, REAL, "Mean S_pMSE of all three-way tables. About 1 if the synthesis model is correct; larger is worse",       \
              .flags = PUBLIC | LESS),                                                                                                     \
        VALUE(uniques_original, REAL, "Share of original records that are unique on the keys (UiO), 0 to 1", .flags = PUBLIC),             \
        VALUE(copied_uniques, REAL,                                                                                                        \
              "Share of the original's unique records that occur in the synthetic table, in all columns. 0 to 1; smaller is safer",        \
              .flags = PUBLIC | LESS),                                                                                                     \
        VALUE(copied_holdout, REAL, "The same for the holdout, which the synthesis did not use: the baseline", .flags = PUBLIC),           \
        VALUE(replicated_uniques, REAL,                                                                                                    \
              "Replicated uniques (repU): share of original records that are unique on the keys in both tables. 0 to 1; smaller is safer", \
              .flags = PUBLIC | LESS),                                                                                                     \
        TABLE_OUT(tables, "order:integer tables:integer mean_ratio:real worst:text worst_ratio:real",                                      \
                  "One-way, two-way and three-way tables: number, mean S_pMSE, and the worst one"),                                        \
        TABLE_OUT(disclosure, "target:text original:real synthetic:real",                                                                  \
                  "Each target: share of original records whose value follows from the keys in the original, and correctly from the "      \
                  "synthetic table (DiSCO). Smaller is safer")
#endif
