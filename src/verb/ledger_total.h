/* The joint guarantee of all charges of a ledger. */
#ifndef SCRIM_VERB_LEDGER_TOTAL_H
#define SCRIM_VERB_LEDGER_TOTAL_H
#include "ledger/ledger.h"
#include "method/method.h"

#define LEDGER_TOTALS                                                                                                                      \
    VALUE(total_epsilon, REAL,                                                                                                             \
          "ε of all charges together at total_delta, in the ledger's unit (exact privacy loss distribution, rounded up). Empty if "       \
          "some charges are not differentially private. Smaller is safer"),                                                                \
        VALUE(total_delta, REAL, "δ at which total_epsilon is reported, including thresholds"),                                            \
        VALUE(total_zcdp, REAL, "ρ of all charges together"), VALUE(total_gdp, REAL, "μ of all charges together"),                         \
        VALUE(private_epsilon, REAL, "If some charges are leave-one-out: ε of the others at total_delta"),                                 \
        VALUE(private_zcdp, REAL, "If some charges are leave-one-out: ρ of the others"),                                                   \
        VALUE(private_gdp, REAL, "If some charges are leave-one-out: μ of the others"),                                                    \
        VALUE(total_auc, REAL, "Area under the ROC curve of all releases together, each element with its own l. 0.5 = chance"),            \
        VALUE(total_auc_direction, REAL, "The same if the adversary knows the signs of the changes"),                                      \
        VALUE(total_auc_informed, REAL, "Area on one release if the adversary knows the table and the change")
/* Sets these values of the run's result, ε at `delta`, in the ledger's unit; what cannot be told is null with the reason. */
MUST_CHECK Status ledger_total(Run *run, const LedgerEntries *entries, double delta);
#endif
