/* What a verb that judges gives back, and the report made of it. */
#ifndef SCRIM_REPORT_VERDICT_H
#define SCRIM_REPORT_VERDICT_H
#include "recipe/policy.h"
#include "recipe/roles.h"
#include "render/render.h"

/* A result with a text `verdict` is a report: its table `rules` (rule, met, seen, why), its tables `exposure`, `costs`, `measures` and
 * `roles`, its charts, its table `skipped` (method, why), its table `files` (file, blake2b, rows, columns), its notes, and the results
 * within. True where it is one; `out` lives in the arena. */
bool report_from(Work *work, const Result *result, bool brief,
                 Report *out); /* brief: for a terminal, unless the verb was asked for --all */

/* The table of rules, the values `rules`, `rules_broken` and `rules_broken_names`. */
void report_rules(Result *result, const Policy *policy);
/* Ready; the rules are satisfied, but a residual risk remains (risk.residual counts one, the share of people re-identified is above the
 * policy's residual-limit, or direct identifiers are left); not ready: a rule is violated, or residual risk is refused. */
typedef enum { STATE_READY, STATE_RESIDUAL, STATE_NOT_READY, STATE_NOT_JUDGED } VerdictState;
/* Values `state` and `verdict`: plain sentences, of which the first states the worst that any simulated intruder achieves; and
 * `residual_risks` for a release or under a policy. `what` is the table's name for people. */
VerdictState report_verdict(Work *work, Result *result, const Policy *policy, const Result *measured, const Roles *roles,
                            const Table *table, const char *what);
/* Tables `exposure`, `costs`, `measures` and `roles`, and the charts of the first page (report/findings.h). */
void report_tables(Work *work, Result *into, const Result *before, const Result *after, const Result *utility, const Roles *roles,
                   const Policy *policy, const Table *table, bool public);
/* The result `summary`: the first value of each method's result, as found in `after`, or as "before → after" where `before` is not NULL. */
void report_summary(Result *result, const Result *before, const Result *after, const Result *utility);
/* One file in the table `files`; `now` is where its bytes are for the moment. Hashes what can be hashed, where the caller opens files. */
MUST_CHECK Status report_file(const Work *work, Grid *files, const char *path, const char *now, const Table *table);
#endif
