/* What a release costs, what makes two requests the same, and its way through the ledger. */
#include <stdlib.h>
#include <string.h>
#include <sodium.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "method/identity.h"
#include "release/query/query.h"

/* ---- price ---- */

static double laplace_zcdp_of(const Plan *plan) {
    double sum = 0;
    for (int64_t i = 0; i < plan->measures; i++) {
        const Measure *b = &plan->measure[i];
        Noise noise = { .family = DISCRETE_LAPLACE_NOISE, .scale = (double)b->scale_num / (double)b->scale_den, .shift = (double)b->l1 };
        if (b->choice) sum += b->epsilon * b->epsilon / (by_rank(b) ? 8 : 2) * (1 + 1e-9);
        else if (!b->exact) sum += noise_zcdp(&noise) * (1 + 1e-9);
    }
    return sum;
}

/* Σμ² of Laplace noise and of choices, each by its own ε. */
static double laplace_gdp_of(const Plan *plan) {
    double sum = 0;
    for (int64_t i = 0; i < plan->measures; i++) {
        const Measure *b = &plan->measure[i];
        Noise noise = { .family = DISCRETE_LAPLACE_NOISE, .scale = (double)b->scale_num / (double)b->scale_den, .shift = (double)b->l1 };
        double mu = b->exact ? 0 : b->choice ? pure_gdp(b->epsilon) : noise_gdp(&noise);
        sum += mu * mu * (1 + 1e-9);
    }
    return sum;
}

static bool has_choice(const Plan *plan) {
    for (int64_t i = 0; i < plan->measures; i++)
        if (plan->measure[i].choice) return true;
    return false;
}

/* Σl of normal noise, and of choices, which compose with it as if they had l = μ²/2. As it was typed where that is what it comes to. */
static double noncentrality_of(const Plan *plan) {
    const ReleaseArgs *a = plan->args;
    double sum = 0;
    if (plan->promise == PROMISE_ZCDP) return has_choice(plan) ? fmax(plan->noncentrality, a->zcdp) : a->zcdp;
    if (plan->promise != PROMISE_NONCENTRALITY) return plan->noncentrality;
    for (int64_t q = 0; q < plan->queries; q++) sum += a->noncentrality.at[a->noncentrality.count > 1 ? q : 0];
    return sum;
}

static double epsilon_of(const Plan *plan) {
    if (plan->promise == PROMISE_EPSILON || plan->promise == PROMISE_EPSILON_DELTA) return plan->args->epsilon;
    if (plan->promise == PROMISE_IDENTIFIABILITY) return plan->tight_scale > 0 ? plan->measure[0].epsilon : plan->epsilon;
    return NAN;
}

LedgerLoss plan_loss(const Plan *plan) {
    bool laplace = plan->noise == DISCRETE_LAPLACE_NOISE, smooth = plan->args->smooth;
    double rho = laplace ? laplace_zcdp_of(plan) : plan->promise == PROMISE_ZCDP ? plan->args->zcdp : plan->noncentrality;
    double squared_mu = laplace                        ? laplace_gdp_of(plan)
                        : plan->promise == PROMISE_GDP ? plan->args->gdp * plan->args->gdp
                                                       : 2 * plan->noncentrality;
    LedgerLoss loss = { .amount = { [CURRENCY_EPSILON] = epsilon_of(plan),
                                    [CURRENCY_ZCDP] = rho,
                                    [CURRENCY_GDP] = squared_mu,
                                    [CURRENCY_NONCENTRALITY] = laplace ? NAN : noncentrality_of(plan),
                                    [CURRENCY_LOSS] = rho } };
    loss.why[CURRENCY_EPSILON] = "this guarantee has no ε without a stated δ";
    loss.why[CURRENCY_NONCENTRALITY] = "only normal noise has a noncentrality";
    for (int i = 0; i < CURRENCIES; i++) {
        bool epsilon = i == CURRENCY_EPSILON, gone = plan->one_removed ? i != CURRENCY_NONCENTRALITY : smooth && !epsilon;
        bool own = epsilon && (plan->promise == PROMISE_EPSILON_DELTA || smooth); /* in the others noise has no δ of its own */
        loss.delta[i] = own ? plan->args->delta : plan->threshold_delta;
        if (!gone) continue;
        loss.amount[i] = NAN;
        loss.why[i] = plan->one_removed ? "leave-one-out gives no such guarantee" : "noise of smooth sensitivity satisfies ε only with δ";
    }
    return loss;
}

/* ---- identity ---- */

/* A query as it was understood, not as it was written: blanks between words make no other query, blanks within quotes do. */
static void add_query(Buffer *out, const Query *q) {
    char number[33];
    buffer_print(out, "|query %d", (int)q->kind);
    if (q->x) identity_text(out, q->x->name);
    if (q->y) identity_text(out, q->y->name);
    for (int64_t i = 0; i < q->more.count; i++) identity_text(out, q->more.at[i]->name);
    if (!isnan(q->number)) buffer_print(out, "|number=%s", real_text(q->number, number));
    buffer_print(out, "|weight=%lld", (long long)q->weight);
    if (q->where) {
        buffer_text(out, "|where");
        expr_identity(q->where, out);
    }
    for (int64_t i = 0; i < q->by.count; i++) {
        buffer_text(out, "|by");
        identity_text(out, q->by.at[i]->name);
    }
}

static bool own_form(void *self, const Param *param, Buffer *out) {
    const Plan *plan = self;
    if (!param_is(param, "query")) return false;
    for (int64_t q = 0; q < plan->queries; q++) add_query(out, &plan->query[q]);
    return true;
}

static Status print_table(void *self, const Table *table, Buffer *out, Error *error) {
    Plan *plan = self;
    Printed printed;
    char hash[65];
    Status status = plan_print(plan, table, &printed);
    (void)error; /* the plan's own */
    if (status) return status;
    ledger_fingerprint(plan->args->ledger, &printed, 1, hash);
    buffer_text(out, hash);
    return OK;
}

/* ---- through the ledger ---- */

static const char *neighbours_name(const Plan *plan) {
    static const char *const names[] = { "global", "leave-one-out", "worlds" };
    return names[plan->args->neighbours];
}

/* What is asked of the ledger. Nothing in it may be cut short: half an identity would be another request, and be paid again. */
static Status make_request(Plan *plan, Buffer *identity, Buffer *detail, char data[65], char person[160], LedgerRequest *out) {
    Status status = OK;
    const ReleaseArgs *a = plan->args;
    const IdentityWriter writer = { .self = plan, .table = print_table, .own = own_form };
    Printed printed;
    TRY(plan_print(plan, a->data, &printed));
    ledger_fingerprint(a->ledger, &printed, 1, data);
    TRY(method_identity(plan->run->method, a, &writer, identity, plan->work->error));
    TRY(detail_write(plan, detail));
    *out = (LedgerRequest){ .query = a->query,
                            .identity = buffer_get(identity),
                            .request = a->request,
                            .analyst = a->analyst,
                            .account = a->account,
                            .detail = buffer_get(detail),
                            .data = data,
                            .name = a->data->name,
                            .schema = a->schema ? a->schema->hash : NULL,
                            .unit = plan->unit == ADD_REMOVE ? "add-remove" : "replace-one",
                            .person = ledger_person(plan->person ? plan->person->name : NULL, plan->person ? plan->max_records : 1, person),
                            .neighbours = neighbours_name(plan) };
done:
    return status;
}

Status request_hash(Plan *plan, char out[33]) {
    const IdentityWriter writer = { .self = plan, .table = print_table, .own = own_form };
    Buffer identity = { 0 };
    unsigned char hash[16];
    Status status = method_identity(plan->run->method, plan->args, &writer, &identity, plan->work->error);
    if (!status) {
        crypto_generichash(hash, sizeof hash, (const unsigned char *)buffer_get(&identity), identity.count, NULL, 0);
        sodium_bin2hex(out, 33, hash, sizeof hash);
    }
    buffer_free(&identity);
    return status;
}

static void report_charge(Plan *plan, const LedgerRequest *request, const LedgerReceipt *receipt) {
    Result *result = plan->run->result;
    Currency currency = ledger_currency(plan->args->ledger);
    char amount[33];
    result_text(result, "charged", receipt->charged ? units_text(request->price, amount) : "0");
    result_text(result, "left", units_text(receipt->left, amount));
    result_text(result, "currency", currency == CURRENCY_GDP ? "gdp (squared)" : currency_name(currency));
    if (request->delta > 0) result_real(result, "charged_delta", receipt->charged ? (double)request->delta / LEDGER_DELTA : 0);
    if (!receipt->charged)
        result_note(result, receipt->answer ? "This query was answered before. The recorded answer is shown and nothing is charged."
                                            : "This query was charged before and not yet answered. Nothing more is charged.");
}

/* Debit first, durably; then noise; then the record, and what the record says is what is shown. */
Status answer_by_ledger(Plan *plan) {
    Status status = OK;
    Ledger *ledger = plan->args->ledger;
    Buffer identity = { 0 }, detail = { 0 }, text = { 0 };
    LedgerReceipt receipt = { 0 };
    LedgerRequest request;
    LedgerLoss loss = plan_loss(plan);
    char *recorded = NULL, data[65], person[160];
    TRY(make_request(plan, &identity, &detail, data, person, &request));
    TRY(ledger_charge(ledger, &request, &loss, &receipt, plan->work->error));
    if (receipt.answer) TRY(answers_read(plan, receipt.answer));
    else {
        TRY(draw_answers(plan));
        TRY(answers_write(plan, &text));
        TRY(ledger_record(ledger, receipt.entry, buffer_get(&text), &recorded, plan->work->error));
        TRY(answers_read(plan, recorded));
    }
    report_charge(plan, &request, &receipt);
done:
    buffer_free(&identity);
    buffer_free(&detail);
    buffer_free(&text);
    free(receipt.answer);
    free(recorded);
    return status;
}
