/* What the corrections for one kind of masking share: the arguments, and how estimates are reported. */
#ifndef SCRIM_UTILITY_CORRECTED_H
#define SCRIM_UTILITY_CORRECTED_H
#include "table/formula.h"
#include "utility/corrected/masked.h"

typedef struct {
    const Table *released, *noise_covariance, *pram, *A, *B, *C;
    unsigned statistic, family, rounding, partners;
    const Formula *formula;
    Columns vars, swapped;
    const Column *group_size;
    Pairs noise_variance, factor_variance, rounded, top_coded, bottom_coded;
    double scale, swap_rate;
} CorrectedArgs;
enum { REGRESSION, MEAN, VARIANCE, CORRELATION };
enum { LINEAR, LOGISTIC };
enum { DIFFERENT_PARTNERS, ANY_PARTNERS };

typedef struct {
    double value, se;
} Answer;

/* One regression, without and with the correction: p terms each. */
typedef struct {
    int64_t count;
    const char *const *term;
    const double *plain, *plain_se, *beta;
    const double *variance; /* count × count, of beta */
    double r2_plain, r2;    /* NaN: none */
} Coefficients;

Masking corrected_masking(const CorrectedArgs *a);
void corrected_say_rows(Run *run, const CorrectedArgs *a, int64_t rows);
/* The design of the formula, which must have a number on its left side (two categories where `two_levels`) and fewer terms than records. */
MUST_CHECK Status corrected_design(Run *run, const CorrectedArgs *a, bool two_levels, Design *out);
/* The column stands in the formula by itself, as a number; otherwise BAD. */
MUST_CHECK Status corrected_need_plain(Run *run, const CorrectedArgs *a, const char *column);
/* Is it a dummy of a column that stands alone, or that column? `level` is its category, or NULL. */
void corrected_find_column(const CorrectedArgs *a, const char *term, const char **column, const char **level);
/* The table `coefficients` and its chart; with --B the table `unmasked`. */
MUST_CHECK Status corrected_say_coefficients(Run *run, const CorrectedArgs *a, const Coefficients *c);
/* The table `estimates`, row by row; `other` is of correlations, `records` of the rest. */
Grid *corrected_grid(Run *run, const CorrectedArgs *a);
void corrected_say_answer(Grid *grid, const CorrectedArgs *a, const char *name, const char *other, int64_t records, Answer plain,
                          Answer right);
/* Records without a missing value in `vars`. */
MUST_CHECK Status corrected_complete_rows(Work *work, const CorrectedArgs *a, Columns vars, int64_t **out, int64_t *count);
/* A term for each column of numbers, and for each category of the others. */
MUST_CHECK Status corrected_terms(Run *run, Columns vars, const int64_t *row, int64_t rows, Masked *m);
/* Mean, variance or correlation of terms j and k, with the standard error from influence functions. */
Answer corrected_answer(const Masked *m, unsigned statistic, int64_t j, int64_t k);

/* Each fills the result. */
MUST_CHECK Status statistics_corrected(Run *run, const CorrectedArgs *a); /* noise, rounding, PRAM */
MUST_CHECK Status regression_corrected(Run *run, const CorrectedArgs *a);
MUST_CHECK Status logistic_corrected(Run *run, const CorrectedArgs *a);
MUST_CHECK Status aggregated_statistics(Run *run, const CorrectedArgs *a); /* A, C, --group-size */
MUST_CHECK Status aggregated_regression(Run *run, const CorrectedArgs *a);
MUST_CHECK Status swapped_statistics(Run *run, const CorrectedArgs *a);
MUST_CHECK Status swapped_regression(Run *run, const CorrectedArgs *a);
MUST_CHECK Status coded_statistics(Run *run, const CorrectedArgs *a); /* top and bottom coding */
MUST_CHECK Status coded_regression(Run *run, const CorrectedArgs *a);
#endif
