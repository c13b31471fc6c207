/* Unbiased moments of columns that were masked in a known way, from their masked values. */
#ifndef SCRIM_UTILITY_MASKED_H
#define SCRIM_UTILITY_MASKED_H
#include "math/transition.h"
#include "method/method.h"

/* How the columns were masked, as the caller says it. */
typedef struct Masking {
    const Table *released;
    Pairs noise_variance;
    const Table *noise_covariance;
    Pairs factor_variance; /* δ of y = x(1 + e), Var e = δ */
    Pairs rounded;         /* to a base */
    unsigned rounding;     /* NEAREST, DOWN, AT_RANDOM */
    double scale;          /* Kim's a: z = a·(x + e) + b with the mean kept; NaN: none */
    const Table *pram;     /* the transition matrix */
} Masking;
enum { ROUNDED_NEAREST, ROUNDED_DOWN, ROUNDED_AT_RANDOM };

/* What is measured of a record: a column of numbers, or whether a column has this category. */
typedef struct Term {
    const char *name, *column;
    const char *level;  /* NULL for numbers */
    const double *seen; /* as released, a number for each of n records */
    double centre;      /* taken off below, so that products do not cancel */
    double scale, factor, shift;
    int64_t family;     /* terms of one column that was redrawn; -1: none */
    double *x, *square; /* unbiased estimates of x − centre and its square, record by record */
} Term;

typedef struct Masked {
    int64_t rows, terms;
    const int64_t *row; /* which record of the release each is */
    Term *term;
    double *noise;  /* terms × terms: covariances of what was added */
    bool constant;  /* nothing but added noise of constant variance */
    bool kim;       /* some column was scaled after the noise */
    bool centred;   /* moments about the means */
    double *mean;   /* of x − centre */
    double *moment; /* terms × terms: covariances, or where not centred mean products */
} Masked;

/* The terms must have their names, columns, levels and what is seen; `plain`: may this column be corrected (NULL: any)? */
MUST_CHECK Status masked_make(Work *work, const Masking *masking, bool (*plain)(const void *, const char *), const void *self, Masked *m);
/* Record i's part of the moment of terms j and k: its mean over the records is that moment. */
double masked_part(const Masked *m, int64_t i, int64_t j, int64_t k);
/* Record i's part of the mean of term j, about that mean. */
double masked_mean_part(const Masked *m, int64_t i, int64_t j);
/* Kim's shift is (1 − a) times the mean of x, so that z̄ = x̄ + a·ē: the covariance of two such means. No record's part of it can be seen. */
double kim_mean_covariance(const Masked *m, int64_t j, int64_t k);
#endif
