/* MASSC by targets: the rates of substitution and subsampling under which risk and loss stay within bounds, found by trying; or which bound
 * cannot be kept. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "protect/massc/massc.h"

/* Rates are looked for in steps of 1/FINE, so that those that are told are those that were used. Sampling rates that were not given: a
 * tenth, two tenths … all, each with few trials, and the best of them with many. */
enum { TRIALS = 14, FEW_TRIALS = 5, FINE = 10000, SAMPLING_RATES = 10 };

typedef struct {
    double risk, loss;
} Outcome;
static const Outcome NEVER = { INFINITY, INFINITY }; /* no weights bring back the totals at such rates */

typedef struct {
    Massc *m;
    double risk[RISK_STRATA]; /* of each stratum in the original */
    bool sampling;            /* the sampling rate is looked for as well */
    Outcome all, none, at;    /* with all substituted, with none, and as it is solved */
} Solver;

/* Least substitution for an expected risk of t: who is substituted is not found, so that the strata whose records are riskiest go first.
 * With R_h the risk of stratum h and φ_h its sampling rate, Σ R_h·φ_h·(1 − ψ_h) = t. */
static void rates_for(Solver *s, double t) {
    Massc *m = s->m;
    double need = -t;
    for (int h = 0; h < RISK_STRATA; h++) need += s->risk[h] * m->sample_rate[h];
    for (int h = 0; h < RISK_STRATA; h++) {
        double most = s->risk[h] * m->sample_rate[h], rate = need <= 0 || most <= 0 ? 0 : need >= most ? 1 : need / most;
        m->substitute_rate[h] = rint(rate * FINE) / FINE;
        need -= rate * most;
    }
}

static double risk_unsubstituted(const Solver *s) {
    double sum = 0;
    for (int h = 0; h < RISK_STRATA; h++) sum += s->risk[h] * s->m->sample_rate[h];
    return sum;
}

static double value_of(const Result *result, const char *name) {
    const Value *value = result_find(result, name);
    return value && value->kind == VALUE_REAL ? value->real : NAN;
}

/* One release at the present rates, looked at and thrown away: the same draws as the real one's. Where the sampling rate is looked for, one
 * at which the totals cannot be brought back is no answer, and no error either. */
static Status try_rates(Solver *s, Outcome *out) {
    Status status = OK;
    Massc *m = s->m;
    Run *real = m->run, trial = *real;
    Error error = ERROR_NONE;
    Table *table = NULL;
    TRY(work_check(&real->work));
    trial.result = result_new("protect.massc");
    trial.work.arena = arena_new();
    if (s->sampling) trial.work.error = &error;
    m->run = &trial;
    if (!trial.result || !trial.work.arena) TRY(out_of_memory(real->work.error));
    *out = NEVER;
    status = massc_release(m, &table);
    if (s->sampling && (status == BAD || status == FAILED)) status = OK;
    else if (!status) {
        TRY(massc_report(m, table));
        *out = (Outcome){ value_of(trial.result, "risk"), value_of(trial.result, "loss") };
    }
done:
    if (status && s->sampling && error.status) *real->work.error = error;
    m->run = real;
    table_release(table);
    result_free(trial.result);
    arena_free(trial.work.arena);
    return status;
}

static Status cannot(Massc *m, const char *parameter, double target, const char *why, double least) {
    char a[33], b[33];
    if (isinf(least))
        fail(m->run->work.error, BAD, "%s is not reached by any rates tried: with so few records no weights reproduce the totals",
             real_short(target, 6, a));
    else
        fail(m->run->work.error, BAD, "%s is not reached by any rates tried: %s %s", real_short(target, 6, a), why,
             real_short(least, 6, b));
    return error_parameter(m->run->work.error, parameter);
}

static bool low_risk(const Massc *m, Outcome o) { return o.risk <= m->a->max_risk; }
static bool low_loss(const Massc *m, Outcome o) { return o.loss <= m->a->max_loss; }

/* Bisection over the expected risk: `want` says whether an outcome is within its bound; it is at `good`, and not at `bad`. Few changed
 * records lose by chance more or less, so that the last that is within is not always the best: that with the least risk under --max-loss,
 * with the least substitution under --max-risk. */
static Status narrow(Solver *s, int trials, double good, double bad, bool (*want)(const Massc *, Outcome)) {
    Status status = OK;
    double best = good;
    for (int trial = 0; trial < trials; trial++) {
        Outcome outcome;
        double middle = (good + bad) / 2;
        rates_for(s, middle);
        TRY(try_rates(s, &outcome));
        if (!want(s->m, outcome)) {
            bad = middle;
            continue;
        }
        good = middle;
        if (want == low_loss && outcome.risk >= s->at.risk) continue;
        s->at = outcome;
        best = middle;
    }
    rates_for(s, best);
done:
    return status;
}

/* At the present sampling rates: the least substitution that keeps --max-risk; without one, the most that --max-loss allows. `at` is NEVER
 * where there is none. */
static Status substitute_least(Solver *s, int trials) {
    Status status = OK;
    double base = risk_unsubstituted(s);
    bool by_risk = !isnan(s->m->a->max_risk);
    s->at = NEVER;
    rates_for(s, 0);
    TRY(try_rates(s, &s->all));
    rates_for(s, base);
    TRY(try_rates(s, &s->none));
    if (by_risk && low_risk(s->m, s->none)) s->at = s->none;
    else if (by_risk && low_risk(s->m, s->all)) {
        s->at = s->all;
        TRY(narrow(s, trials, 0, base, low_risk));
    } else if (!by_risk && low_loss(s->m, s->all)) {
        s->at = s->all;
        rates_for(s, 0);
    } else if (!by_risk && low_loss(s->m, s->none)) {
        s->at = s->none;
        TRY(narrow(s, trials, base, 0, low_loss));
    }
done:
    return status;
}

static void sample_all_at(Massc *m, double rate) {
    for (int h = 0; h < RISK_STRATA; h++) m->sample_rate[h] = rate;
}

/* The sampling rate under which least is lost with --max-risk kept; without one, under which the risk is least with --max-loss kept. The
 * largest of those that do equally well; the smallest tried where none does. */
static Status choose_sampling(Solver *s) {
    Status status = OK;
    bool by_risk = !isnan(s->m->a->max_risk);
    double best = INFINITY, rate = 1.0 / SAMPLING_RATES;
    for (int step = SAMPLING_RATES; step >= 1; step--) {
        work_show(&s->m->run->work, "rates", 1 - (double)step / SAMPLING_RATES);
        sample_all_at(s->m, (double)step / SAMPLING_RATES);
        TRY(substitute_least(s, FEW_TRIALS));
        double score = by_risk ? s->at.loss : s->at.risk;
        if (!(score < best)) continue;
        best = score;
        rate = (double)step / SAMPLING_RATES;
    }
    sample_all_at(s->m, rate);
done:
    return status;
}

static Status check_solved(const Solver *s) {
    Massc *m = s->m;
    const MasscArgs *a = m->a;
    if (!isnan(a->max_risk) && !low_risk(m, s->at))
        return cannot(m, "max-risk", a->max_risk,
                      s->sampling ? "with every key substituted and a tenth released the risk is"
                                  : "with every key substituted the risk is",
                      s->all.risk);
    if (isnan(a->max_loss) || low_loss(m, s->at)) return OK;
    return isnan(a->max_risk)
               ? cannot(m, "max-loss", a->max_loss, "subsampling alone, without substitution, has loss", s->none.loss)
               : cannot(m, "max-loss", a->max_loss, "the rates found that satisfy --max-risk with the least loss have loss", s->at.loss);
}

static void say(Massc *m) {
    char a[33], b[33], c[33], d[33];
    bool given = m->a->sample_rate.count;
    result_note(m->run->result, "Solution: --substitute-rate %s,%s,%s%s%s.", real_short(m->substitute_rate[0], 6, a),
                real_short(m->substitute_rate[1], 6, b), real_short(m->substitute_rate[2], 6, c), given ? "" : " --sample-rate ",
                given ? "" : real_short(m->sample_rate[0], 6, d));
}

Status massc_solve(Massc *m) {
    Status status = OK;
    Solver s = { .m = m, .sampling = !m->a->sample_rate.count };
    for (int64_t i = 0; i < m->rows; i++) s.risk[m->stratum[i]] += m->risk[i] / (double)m->rows;
    if (s.sampling) TRY(choose_sampling(&s));
    TRY(substitute_least(&s, TRIALS));
    TRY(check_solved(&s));
    say(m);
done:
    return status;
}
