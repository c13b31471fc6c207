/* What an intruder would learn and about how many people, and what it cost to prevent it: in words for people, from what was measured. */
#ifndef SCRIM_REPORT_FINDINGS_H
#define SCRIM_REPORT_FINDINGS_H
#include "recipe/policy.h"
#include "recipe/roles.h"

#define RISKIEST_COLUMNS "record:integer records_that_fit:integer why:text" /* filled by explain_riskiest */
#define EXPOSURE_COLUMNS "kind:text what:text label:text unit:text before:real after:real"
#define KINDS_COLUMNS "kind:text measured:integer how_bad:text not_measured:text"
#define COSTS_COLUMNS "what:text how_much:text"
#define MEASURES_COLUMNS "kind:text measure:text value:text before:text after:text change:text meaning:text"

#define EXPOSURE_OUT                                                                                                                       \
    TABLE_OUT(exposure, EXPOSURE_COLUMNS, "What an intruder would learn, by kind of disclosure, and about how many people"),               \
        TABLE_OUT(measures, MEASURES_COLUMNS, "Headline of each measure, before and after, and whether it improved"),                      \
        TABLE_OUT(roles, "role:text columns:text", "Roles of the columns"),                                                                \
        TABLE_OUT(riskiest, RISKIEST_COLUMNS, "The ten records with the smallest equivalence classes, and why each is at risk")

/* The kind of disclosure that a method bears on, in words: identity, attribute, inferential, population; "" for none. */
const char *kind_of_disclosure(const Method *method);

/* The value that sums a method up; NULL where it gives no number. */
const Return *measure_headline(const Method *method);
int measure_direction(const Method *method, const Return *value); /* 1: the more the better; -1: the less; 0: neither */
/* Table `exposure`: for each kind of disclosure what was found, the gravest first; `before` NULL: only one table was measured. `public`:
 * only values that may stand in a report for everyone. Small classes are those below the k of the policy, or below five. */
void exposure_table(Work *work, Result *into, const Result *before, const Result *after, const Roles *roles, const Policy *policy,
                    const Table *table, bool public);
/* Table `kinds`: for each of the four kinds of disclosure how many methods measured it, the gravest that they found, and which of those in
 * `skipped` could not. Few candidates as above. */
void kinds_table(Work *work, Result *into, const Result *measured, const Table *skipped, const Roles *roles, const Policy *policy,
                 const Table *table);
/* The share of people whom the best simulated intruder re-identifies; NaN where it was not measured. */
double exposure_share(const Result *measured);
/* The worst figure as a clause without a full stop: "281 of 300 people (94%) are re-identified in a simulated attack by …"; NULL where nothing was measured
 * that tells. */
const char *exposure_worst(Work *work, const Result *measured, const Roles *roles, const Table *table);
/* What else was measured, as whole sentences, each after a space: classes, attributes, and what could not be measured; may be "". */
const char *exposure_sentences(Work *work, const Result *measured, const Roles *roles, const Table *table);
/* Table `costs`: cells blanked, levels lost, and the parts of utility.loss. */
void costs_table(Work *work, Result *into, const Result *before, const Result *after, const Result *utility);
/* Table `measures`: each method's headline once, before and after, with whether that is better. */
void measures_table(Work *work, Result *into, const Result *before, const Result *after, const Result *utility);
/* Table `roles`: what the columns were taken for. */
void roles_table(Result *into, const Roles *roles);
/* Two or three charts for a first page: people by candidates, people at risk by finding, what each column lost. */
/* People by how many people share their keys, of a result of risk.k-anonymity, and the columns of that table: records where no person is
 * named. NULL where there is none. */
const Table *sizes_of_classes(const Result *k_anonymity, const char **sizes, const char **people);
void front_charts(Work *work, Result *into, const Result *before, const Result *after, const Result *utility, const Policy *policy);
/* A chart for each column that a role names, before and after at the release's level, and one of how correlations moved. For the data custodian of
 * the data alone. */
MUST_CHECK Status distribution_charts(Work *work, const Table *original, const Table *released, const Roles *roles, const Result *utility,
                                      Result *into);
#endif
