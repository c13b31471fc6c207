/* MASSC by targets: the rates of substitution under which risk and loss stay within bounds, found by trying; or which bound cannot be kept.
 */
#include <string.h>
#include "base/elementary.h"
#include "base/number.h"
#include "protect/massc/massc.h"

enum { TRIALS = 14 };

typedef struct {
    double risk, loss;
} Outcome;

/* Least substitution for an expected risk of t: who is substituted is not found, so that the strata whose records are riskiest go first.
 * With R_h the risk of stratum h and φ_h its sampling rate, Σ R_h·φ_h·(1 − ψ_h) = t. */
static void rates_for(Massc *m, const double risk[RISK_STRATA], double t) {
    double need = -t;
    for (int h = 0; h < RISK_STRATA; h++) need += risk[h] * m->sample_rate[h];
    for (int h = 0; h < RISK_STRATA; h++) {
        double most = risk[h] * m->sample_rate[h];
        m->substitute_rate[h] = need <= 0 || most <= 0 ? 0 : need >= most ? 1 : need / most;
        need -= m->substitute_rate[h] * most;
    }
}

static double value_of(const Result *result, const char *name) {
    const Value *value = result_find(result, name);
    return value && value->kind == VALUE_REAL ? value->real : NAN;
}

/* One release at the present rates, looked at and thrown away: the same draws as the real one's. */
static Status try_rates(Massc *m, Outcome *out) {
    Status status = OK;
    Run *real = m->run, trial = *real;
    Table *table = NULL;
    trial.result = result_new("protect.massc");
    trial.work.arena = arena_new();
    m->run = &trial;
    if (!trial.result || !trial.work.arena) TRY(fail(real->work.error, FAILED, "out of memory"));
    TRY(massc_release(m, &table));
    TRY(massc_report(m, table));
    *out = (Outcome){ value_of(trial.result, "risk"), value_of(trial.result, "loss") };
done:
    m->run = real;
    table_release(table);
    result_free(trial.result);
    arena_free(trial.work.arena);
    return status;
}

static Status cannot(Massc *m, const char *parameter, double target, const char *why, double least) {
    char a[33], b[33];
    fail(m->run->work.error, BAD, "%s cannot be met: %s %s", real_short(target, 6, a), why, real_short(least, 6, b));
    return error_parameter(m->run->work.error, parameter);
}

/* Bisection over the expected risk: `want` says whether an outcome is within its bound; it is at `good`, and not at `bad`. */
static Status narrow(Massc *m, const double risk[RISK_STRATA], double good, double bad, bool (*want)(const Massc *, Outcome), Outcome *at) {
    Status status = OK;
    for (int trial = 0; trial < TRIALS; trial++) {
        Outcome outcome;
        double middle = (good + bad) / 2;
        TRY(work_check(&m->run->work));
        work_show(&m->run->work, "rates", (double)trial / TRIALS);
        rates_for(m, risk, middle);
        TRY(try_rates(m, &outcome));
        if (want(m, outcome)) {
            good = middle;
            *at = outcome;
        } else bad = middle;
    }
    rates_for(m, risk, good);
done:
    return status;
}

static bool low_risk(const Massc *m, Outcome o) { return o.risk <= m->a->max_risk; }
static bool low_loss(const Massc *m, Outcome o) { return o.loss <= m->a->max_loss; }

/* The outcome with all substituted, and with none. */
static Status ends(Massc *m, const double risk[RISK_STRATA], double base, Outcome *all, Outcome *none) {
    Status status = OK;
    rates_for(m, risk, 0);
    TRY(try_rates(m, all));
    rates_for(m, risk, base);
    TRY(try_rates(m, none));
done:
    return status;
}

static void say(Massc *m) {
    char a[33], b[33], c[33];
    result_note(m->run->result, "Solved: --substitute-rate %s,%s,%s.", real_short(m->substitute_rate[0], 4, a),
                real_short(m->substitute_rate[1], 4, b), real_short(m->substitute_rate[2], 4, c));
}

Status massc_solve(Massc *m) {
    Status status = OK;
    double risk[RISK_STRATA] = { 0 }, base = 0;
    Outcome all, none, at;
    for (int64_t i = 0; i < m->rows; i++) risk[m->stratum[i]] += m->risk[i] / (double)m->rows;
    for (int h = 0; h < RISK_STRATA; h++) base += risk[h] * m->sample_rate[h];
    TRY(ends(m, risk, base, &all, &none));
    if (!isnan(m->a->max_risk)) {
        at = none;
        if (!low_risk(m, none)) {
            at = all;
            if (!low_risk(m, all)) TRY(cannot(m, "max-risk", m->a->max_risk, "with every key substituted the risk is", all.risk));
            TRY(narrow(m, risk, 0, base, low_risk, &at));
        }
        if (!isnan(m->a->max_loss) && !low_loss(m, at))
            TRY(cannot(m, "max-loss", m->a->max_loss, "the least substitution found that keeps --max-risk loses", at.loss));
    } else if (low_loss(m, all)) rates_for(m, risk, 0);
    else {
        if (!low_loss(m, none)) TRY(cannot(m, "max-loss", m->a->max_loss, "subsampling alone, with nothing substituted, loses", none.loss));
        TRY(narrow(m, risk, base, 0, low_loss, &at));
    }
    say(m);
done:
    return status;
}
