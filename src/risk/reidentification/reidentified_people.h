/* Re-identified people, where they have several records: the same intruders on histories in place of records. */
#ifndef SCRIM_RISK_REIDENTIFICATION_REIDENTIFIED_PEOPLE_H
#define SCRIM_RISK_REIDENTIFICATION_REIDENTIFIED_PEOPLE_H
#include "intruder/beliefs.h"
#include "intruder/history_graph.h"

typedef struct PeopleAttack {
    HistoryGraph history;
    Beliefs counting, weighing, joining; /* by released person */
    Assignments assigned;
} PeopleAttack;
/* The intruders who use keys, for one who knows so much of each person. rows: with all its edges. */
MUST_CHECK Status attack_people_by_keys(Work *work, const KeyGraph *rows, const Ownership *owner, const ReleasedPeople *people,
                                        int64_t knows, PeopleAttack *out);
/* Keys and numbers: of each person the record that tells most (what is believed of records), or, where all records are known, the mean, the
 * smallest and the largest of each number, whichever finds more. history: NULL where no keys are known. */
MUST_CHECK Status attack_people_by_numbers(Work *work, const Beliefs *records, const KeyGraph *history, const ReleasedPeople *people,
                                           Columns before, Columns after, bool all, Beliefs *out);
#endif
