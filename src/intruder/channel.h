/* Likelihoods of released values: for each true value of one key, the released values that it may have become and how likely each is.
 *
 * A channel holds what an intruder knows of the method. Its kinds:
 *   KNOWN    the release says what was done, step by step (table/treatment.h): likelihoods are computed from that
 *   EXACT    each value became one value (recoding, rounding, top-coding), or was suppressed: likelihood 1
 *   LOCAL    a value may have become several coarser ones (Mondrian, local recoding): those that hold it, likelihood 1
 *   MIXED    a value was kept with probability p, else replaced (PRAM, swapping): p, and (1 - p) q(r) with q the replacing values
 *   NEAR     a number was moved (noise, rank swapping): p for the same, else a normal density around it
 *   UNKNOWN  the release has values that cannot be traced without knowing whose records they are: everything fits
 * Where the release does not say what was done but it is known whose records are whose, parameters are estimated from the records; else by what the two columns show as sets.
 * A suppressed cell may be of any value. */
#ifndef SCRIM_INTRUDER_CHANNEL_H
#define SCRIM_INTRUDER_CHANNEL_H
#include "intruder/ownership.h"

typedef enum { CHANNEL_EXACT, CHANNEL_LOCAL, CHANNEL_MIXED, CHANNEL_NEAR, CHANNEL_UNKNOWN, CHANNEL_KNOWN } ChannelKind;

typedef struct Channel {
    ChannelKind kind;
    const char *name;        /* of the key */
    int32_t values;          /* codes 0 ... values - 1 of both tables; `values` stands for missing */
    const int32_t *truth;    /* record of the original -> code */
    const int32_t *released; /* record of the release -> code */
    int64_t *start;          /* true code -> its entries: start[c] ... start[c + 1] - 1 */
    int32_t *to;             /* entry -> released code, ascending within a true code */
    double *likelihood;      /* entry -> likelihood, above 0 */
    double kept;             /* MIXED, NEAR: the probability that a value was kept */
} Channel;

/* before: the key in the original; after: in the release. altered: the release says that values of the key were changed at random. All in
 * the arena. */
MUST_CHECK Status channel_make(Work *work, const Column *before, const Column *after, const Ownership *owner, bool altered, Channel *out);
#endif
