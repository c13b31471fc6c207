/* MASSC: micro-agglomeration, substitution, subsampling, calibration. What its steps share. */
#ifndef SCRIM_PROTECT_MASSC_H
#define SCRIM_PROTECT_MASSC_H
#include "method/method.h"
#include "classes/equivalence_class.h"
#include "classes/strata.h"

typedef struct MasscArgs {
    const Table *data;
    Columns core, noncore, calibrate, strata, like, vars;
    const Column *weight;
    const char *formula;
    enum { BY_SWAP, BY_NOISE, BY_ROUND, BY_RECODE, BY_SYNTHESIS, BY_SYNTH } substitute;
    Reals substitute_rate, sample_rate;
    double amount, base, min_count, max_risk, max_loss;
    unsigned calibration;
    unsigned missing;
} MasscArgs;

enum { RISK_STRATA = 3 }; /* unique on the core keys; on core and noncore; on neither */

typedef struct Massc {
    Run *run;
    const MasscArgs *a;
    int64_t rows;
    Columns keys;     /* core, then noncore */
    double *weight;   /* of the original; 1 each where there is none */
    uint8_t *stratum; /* of risk, 0…2 */
    double *risk;     /* of each record: E[1/F | f] on all keys */
    double substitute_rate[RISK_STRATA], sample_rate[RISK_STRATA];
    uint8_t *chosen;  /* for substitution */
    uint8_t *changed; /* a key's value is another now */
    uint8_t *sampled;
    Column **key;     /* the keys after substitution, all rows */
    double *released; /* weights after calibration; NaN where not sampled */
} Massc;

/* 1. Micro-agglomeration: risk strata, and each record's risk. Of a Massc, as all that is run aside. */
MUST_CHECK Status massc_agglomerate(void *massc);
/* A share `rate[h]` of each risk stratum, every record with that chance, spread evenly over --strata. */
MUST_CHECK Status massc_choose(Massc *m, const char *purpose, const double rate[RISK_STRATA], uint8_t *mask);
/* 2. Substitution: fills key and changed. */
MUST_CHECK Status massc_substitute(void *massc);
/* 4. Calibration (after subsampling): fills released. */
MUST_CHECK Status massc_calibrate(void *massc);
/* 2 to 4, and the table that comes of them. May be called again: it begins again. */
MUST_CHECK Status massc_release(Massc *m, Table **out);
/* The rates of substitution, and of sampling where they were not given, that keep --max-risk and --max-loss; BAD where none do. */
MUST_CHECK Status massc_solve(Massc *m);
/* Loss of distributions and associations; with --formula of a regression too. */
MUST_CHECK Status massc_loss(Massc *m, const Table *table);
/* Values and tables. `table` is what is released. */
MUST_CHECK Status massc_report(Massc *m, const Table *table);
#endif
