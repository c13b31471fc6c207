/* What everything that a ledger holds promises together. */
#ifndef SCRIM_VERB_LEDGER_TOTAL_H
#define SCRIM_VERB_LEDGER_TOTAL_H
#include "ledger/ledger.h"
#include "method/method.h"

#define LEDGER_TOTALS                                                                                                                      \
    VALUE(total_epsilon, REAL,                                                                                                             \
          "ε of all debits together at total_delta, in the ledger's unit: the exact privacy loss distribution, rounded up; null where "   \
          "some are no differential privacy"),                                                                                             \
        VALUE(total_delta, REAL, "δ at which it is told, thresholds' included"), VALUE(total_zcdp, REAL, "ρ of all debits together"),      \
        VALUE(total_gdp, REAL, "μ of all debits together"),                                                                                \
        VALUE(private_epsilon, REAL, "Where some debits are leave-one-out: ε of the others together at total_delta"),                      \
        VALUE(private_zcdp, REAL, "Where some debits are leave-one-out: ρ of the others together"),                                        \
        VALUE(private_gdp, REAL, "Where some debits are leave-one-out: μ of the others together"),                                         \
        VALUE(total_auc, REAL, "The paper's area under the ROC curve of all that was debited, each element with its own l"),               \
        VALUE(total_auc_direction, REAL, "The same for who knows in which direction a record moves the answers"),                          \
        VALUE(total_auc_informed, REAL, "Area for who knows the table and the change")
/* Sets these values of the run's result, ε at `delta`, in the ledger's unit; what cannot be told is null with the reason. */
MUST_CHECK Status ledger_total(Run *run, const LedgerEntries *entries, double delta);
#endif
