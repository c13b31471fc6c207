/* Shares and their 95% intervals. */
#ifndef SCRIM_MATH_PROPORTION_H
#define SCRIM_MATH_PROPORTION_H

typedef struct Interval {
    double low, high;
} Interval;
/* Wilson's score interval for hits of trials (Wilson 1927); 0 to 1 where there was no trial. hits may be a sum of shares. */
Interval wilson_interval(double hits, double trials);
/* The same at a normal quantile z of one's own: 1.96 is 95%. */
Interval wilson_interval_at(double hits, double trials, double z);
/* Newcombe's hybrid interval for the difference of two independent shares (Newcombe 1998, method 10). */
Interval newcombe_interval(double hits1, double trials1, double hits2, double trials2);
/* For the difference of two shares on the same trials: only1 were hits of the first alone, only2 of the second alone:
 * Bonett & Price's adjusted interval (2012), one added to each of the two, within −1…1: wide enough also where every trial, or none, is a
 * hit. */
Interval paired_interval(double only1, double only2, double trials);
#endif
