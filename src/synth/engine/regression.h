/* Parametric models of one variable given others: fitted once, their parameters drawn from the posterior for every synthetic table. */
#ifndef SCRIM_SYNTH_ENGINE_REGRESSION_H
#define SCRIM_SYNTH_ENGINE_REGRESSION_H
#include "synth/engine/engine.h"

/* The columns of the design that a predictor becomes: a standardised number with an indicator of missing, or an indicator for each state
 * but the first. */
typedef struct Term {
    int32_t variable, first, states;
    bool numeric, missing;
    int32_t bins;
    double mean, sd;
} Term;
typedef struct Terms {
    int32_t count, columns, most;
    Term *term;
} Terms; /* most: nonzeros that a row can have; column 0 is the constant */

typedef struct Regression {
    ModelKind kind;
    Terms terms;
    int32_t classes; /* multinomial, ordered: states that occur */
    uint16_t *state; /* class → state */
    int32_t parameters;
    double *estimate; /* the posterior's mode */
    double *root;     /* lower Cholesky factor of its precision, row-major */
    double rss, df;   /* normal */
    double null_deviance, deviance;
    int64_t rows;
    double *sorted; /* rank-normal: the values; pmm: predicted means, ascending */
    int32_t *donor; /* pmm: rows by predicted mean */
    double ceiling; /* poisson: no count beyond this */
} Regression;

MUST_CHECK Status regression_fit(Synthesis *s, Model *m, const int32_t *rows, int64_t count, Regression *out, Error *error);
MUST_CHECK Status regression_draw(Synthesis *s, const Model *m, const Regression *r, SyntheticTable *d, const int64_t *rows, int64_t count,
                                  const char *what);
void regression_free(Regression *r);

/* Within the room. A row's nonzeros, and its product with b; states and numbers by variable. */
MUST_CHECK Status terms_make(const Synthesis *s, const Model *m, const int32_t *rows, int64_t count, Terms *out, Error *error);
int32_t terms_row(const Terms *terms, uint16_t *const *state, double *const *real, int64_t row, int32_t *index, double *value);
double terms_product(const double *b, const int32_t *index, const double *value, int32_t count);
/* a (n × n, row-major, lower half read) becomes its lower Cholesky factor; false where it is not positive definite. Solves with it. */
bool lower_root(double *a, int32_t n);
void lower_solve(const double *root, int32_t n, double *b); /* L·Lᵀ·x = b */
void lower_back(const double *root, int32_t n, double *z);  /* Lᵀ·x = z */

/* Data as the fits see them. */
typedef struct Sample {
    const Synthesis *s;
    const Terms *terms;
    const int32_t *rows;
    int64_t count;
    uint16_t **state;
    double **real;
    const double *weight;
} Sample;
MUST_CHECK Status fit_classes(const Sample *sample, const Variable *v, Regression *r, Error *error); /* multinomial logit */
MUST_CHECK Status fit_ordered(const Sample *sample, const Variable *v, Regression *r, Error *error); /* cumulative logit */
MUST_CHECK Status fit_counts(const Sample *sample, const Variable *v, Regression *r, Error *error);  /* Poisson, log link */
/* Probabilities of the classes at parameters b; scratch in p itself. */
void class_chances(const Regression *r, const double *b, const int32_t *index, const double *value, int32_t nonzero, double *p);
void ordered_chances(const Regression *r, const double *b, double eta, double *p);
#endif
