/* Why single records are risky, for reports. */
#ifndef SCRIM_VERB_EXPLAIN_H
#define SCRIM_VERB_EXPLAIN_H
#include "recipe/roles.h"

/* Table `riskiest`: the ten records that fewest share their keys with (of equals those that the fewest keys single out, where `measured`
 * has risk.suda), each with the reason in a sentence. For the data custodian alone. No table
 * where there are no keys, or they were perturbed. */
MUST_CHECK Status explain_riskiest(Run *run, const Table *data, const Roles *roles, const Result *measured, Result *into);
#endif
