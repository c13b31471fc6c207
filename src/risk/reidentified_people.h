/* Re-identified people who have several records, from what the intruders believe of single records. */
#ifndef SCRIM_RISK_REIDENTIFIED_PEOPLE_H
#define SCRIM_RISK_REIDENTIFIED_PEOPLE_H
#include "intruder/beliefs.h"

typedef struct ReidentifiedPeople {
    int64_t people;  /* in the release */
    int64_t certain; /* people of whom a known record can be nothing but one of their own */
    double total;    /* expected number re-identified: of each person the record that tells most */
    double worst;    /* the largest belief in a person */
} ReidentifiedPeople;
/* An intruder knows one record of a person and finds the person with any of the own records. Records of one person with the same true keys
 * lead to the same guess, so that the chances that it is one of them add up; graph: NULL where guesses follow from more than keys. Owners
 * must be known. */
MUST_CHECK Status reidentified_people(Work *work, const Ownership *owner, int64_t records, const Column *person, const KeyGraph *graph,
                                      const Beliefs *beliefs, ReidentifiedPeople *out);
#endif
