/* What a release costs in the ledger's currency and unit. */
#include <string.h>
#include "base/elementary.h"
#include "ledger/private.h"

LedgerLoss loss_of_zcdp(double zcdp) {
    LedgerLoss loss = { 0 };
    for (int i = 0; i < CURRENCIES; i++) {
        loss.amount[i] = NAN;
        loss.why[i] = "this guarantee is zero-concentrated differential privacy";
    }
    loss.amount[CURRENCY_ZCDP] = loss.amount[CURRENCY_LOSS] = zcdp;
    return loss;
}

/* Group privacy for two: ε composes twice; ρ and l = μ²/2 grow with the square of the number (Bun & Steinke 2016, proposition 1.9; Dong,
 * Roth & Su 2022, theorem 2); P(M(D)) ≤ e^ε P(M(D')) + δ twice gives (2ε, (1 + e^ε)δ). What has a δ beside another amount than ε has no
 * such rule here. */
void loss_of_replacing(LedgerLoss *loss) {
    for (int i = 0; i < CURRENCIES; i++) {
        bool epsilon = i == CURRENCY_EPSILON;
        if (loss->delta[i] > 0 && !epsilon) {
            loss->amount[i] = NAN;
            loss->why[i] = "its unit is replace-one: a δ under add-remove is converted with an ε only";
        }
        if (epsilon && loss->delta[i] > 0) loss->delta[i] *= 1 + exp(loss->amount[i]);
        loss->amount[i] *= epsilon ? 2 : 4;
    }
}

static Status no_meaning(const Ledger *l, const char *why, Error *error) {
    fail(error, REFUSED, "this ledger counts in %s, and %s", currency_name(l->currency), why);
    return error_advice(error,
                        "Nothing was charged or released. Ask for a guarantee in the ledger's unit, or use a ledger in another unit.");
}

Status ledger_price(const Ledger *l, const LedgerLoss *given, const char *unit, int64_t *price, int64_t *delta, Error *error) {
    Status status = OK;
    LedgerLoss loss = *given;
    Currency c = l->currency;
    bool here = !strcmp(unit, "add-remove"), there = !strcmp(l->unit, "add-remove");
    if (!isnan(loss.amount[c]) && l->unit[0] && !here && there)
        return no_meaning(l, "its unit is add-remove, under which a guarantee for one person's reported values does not cover membership",
                          error);
    if (l->unit[0] && here && !there) loss_of_replacing(&loss);
    if (isnan(loss.amount[c])) return no_meaning(l, loss.why[c], error);
    TRY(ledger_units(loss.amount[c], price, error));
    TRY(ledger_delta(fmin(loss.delta[c], 1), delta, error));
done:
    return status;
}
