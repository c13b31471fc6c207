/* How far one record moves a statistic of these data: by leaving (leave-one-out), or by being another (possible worlds). Every one exact,
 * in O(n log n). */
#ifndef SCRIM_MATH_PRIVACY_SENSITIVITY_H
#define SCRIM_MATH_PRIVACY_SENSITIVITY_H
#include "base/work.h"

typedef enum { OF_COUNT, OF_SUM, OF_MEAN, OF_VARIANCE, OF_SD, OF_COVARIANCE, OF_QUANTILE, OF_WINSORIZED, OF_TRIMMED } StatisticKind;
typedef struct Statistic {
    StatisticKind kind;
    double share; /* quantile's probability, what is winsorized or trimmed at each end */
} Statistic;

/* Type-7 quantiles: (1−fraction)·x₍below₎ + fraction·x₍below+1₎, counted from 0. */
typedef struct QuantilePlace {
    int64_t below;
    double fraction;
} QuantilePlace;
/* Where the quantile of n ordered values lies. */
QuantilePlace quantile_place(int64_t n, double probability);
int64_t trimmed_each(int64_t n, double share); /* ⌊share·n⌋ records at each end */

/* Order statistics as a linear form Σ w_i x₍ᵢ₎: quantile, winsorized mean (clipped at type-7 quantiles), trimmed mean. */
bool statistic_linear(Statistic statistic);
double statistic_weight(Statistic statistic, int64_t n, int64_t i);
/* One record replaced by another moves a linear form of n ordered values in a range R by at most max w_i · R, and some table reaches that.
 */
double statistic_largest_weight(Statistic statistic, int64_t n);

/* Data for the functions below: x in the order of the records, NaN nowhere; y for a covariance; order as order_reals gives it (needed for
 * linear forms). */
typedef struct Sample {
    int64_t n;
    const double *x, *y;
    const int64_t *order;
} Sample;
/* f(D). */
double statistic_value(Statistic statistic, const Sample *sample);
/* change[i] = f(D) − f(D without record i); change may be NULL. BAD where a statistic of n−1 records does not exist. */
MUST_CHECK Status statistic_leave_one_out(Work *work, Statistic statistic, const Sample *sample, double *change, double *largest);
/* The largest of those over all tables of n records between low and high (for a covariance: span is that of y). */
MUST_CHECK Status statistic_leave_one_out_bound(Work *work, Statistic statistic, int64_t n, double low, double high, double span,
                                                double *out);

/* Possible worlds: D with one record replaced by one of the candidates (sorted; for a covariance pairs in any order). The largest range of
 * f over the worlds, over all choices of the record: Lee & Clifton's sensitive range S(f). own: the replaced record itself is a candidate
 * too (worlds U minus D′); between: everything between the first and the last is one. worst: which record. */
typedef struct WorldCandidates {
    int64_t count;
    const double *x, *y;
    bool own, between;
} WorldCandidates;
MUST_CHECK Status statistic_sensitive_range(Work *work, Statistic statistic, const Sample *sample, const WorldCandidates *candidates,
                                            double *range, int64_t *worst);
/* f in each world when this record is the one replaced: `count` values, and with `own` one more at the end. */
MUST_CHECK Status statistic_world_values(Work *work, Statistic statistic, const Sample *sample, const WorldCandidates *candidates,
                                         int64_t record, double *values);

/* The β-smooth sensitivity of the order statistic of this rank (from 0), replace-one, values between low and high; sorted whole numbers.
 * O(n log n). */
double smooth_sensitivity(const int64_t *sorted, int64_t n, int64_t low, int64_t high, int64_t rank, double beta);
#endif
