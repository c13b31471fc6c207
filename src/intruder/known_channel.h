/* Likelihoods of one key's released values by what is known of the method (table/treatment.h). */
#ifndef SCRIM_INTRUDER_KNOWN_CHANNEL_H
#define SCRIM_INTRUDER_KNOWN_CHANNEL_H
#include "base/work.h"
#include "table/treatment.h"

/* The values of one key in both tables. */
typedef struct KeyValues {
    int32_t count;
    const char *const *label; /* code -> its text */
    const double *number;     /* code -> its value, NaN where it is none */
    const int64_t *original;  /* code -> records of the original that have it */
    const int64_t *now;       /* code -> records of the release */
} KeyValues;

/* By true code: the released codes that it may have become, ascending, and how likely each is. */
typedef struct KnownChannel {
    bool known; /* false: a step is not described, or its likelihoods cannot be computed */
    int64_t *start;
    int32_t *to;
    double *likelihood;
} KnownChannel;
MUST_CHECK Status known_channel(Work *work, const Treatment *done, const KeyValues *values, KnownChannel *out);
#endif
