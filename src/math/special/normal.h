/* The normal distribution: both tails, their logarithms and quantiles. No function here draws, allocates or fails. */
#ifndef SCRIM_MATH_SPECIAL_NORMAL_H
#define SCRIM_MATH_SPECIAL_NORMAL_H

/* Relative error under 1e-15 for every x, down to 1e-300; below that the digits of denormal numbers run out. */
double normal_lower(double x);     /* Φ(x) */
double normal_upper(double x);     /* 1 − Φ(x) */
double normal_centre(double x);    /* Φ(x) − ½, with the digits of small x */
double normal_log_upper(double x); /* ln(1 − Φ(x)) for every finite x, relative error under 1e-15; −∞ at +∞ */

/* x with Φ(x) = p, or 1 − Φ(x) = q: relative error under 1e-15 for probabilities from 1e-300 to 1 (of x; near p = ½ of x too). ±∞ at 0
 * and 1; a probability outside [0, 1] has no quantile, and the answer is NaN. */
double normal_quantile(double p);
double normal_upper_quantile(double q);
/* x with ln(1 − Φ(x)) = log_q, for every log_q ≤ 0, also far below ln 1e-308: relative error under 1e-15 there. NaN above 0. */
double normal_log_upper_quantile(double log_q);
#endif
