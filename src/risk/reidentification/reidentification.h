/* Parts of risk.reidentification: the attack on a release, its people where they have several records, and the report. */
#ifndef SCRIM_RISK_REIDENTIFICATION_H
#define SCRIM_RISK_REIDENTIFICATION_H
#include "classes/histories.h"
#include "intruder/beliefs.h"
#include "intruder/earlier_releases.h"
#include "intruder/history_graph.h"
#include "method/method.h"

typedef struct {
    const Table *original, *released;
    Columns keys, vars, by;
    const Column *id, *household, *person;
    Tables previous;
    const char *knows;
    bool synthetic;
} ReidentificationArgs;

enum { COUNTING, WEIGHING, ASSIGNING, JOINING, INTRUDERS };
typedef struct {
    Run *run;
    const ReidentificationArgs *a;
    int64_t tables; /* releases: 0 is the one at hand, the others are earlier ones */
    const Table **table;
    JointRecords joint;    /* their records side by side; of one release, its own */
    Columns held;          /* columns made for them */
    Columns before, after; /* numbers, side by side */
    Ownership owner;       /* of joint records */
    KeyGraph graph;
    Beliefs beliefs[INTRUDERS]; /* by unit */
    Assignments assigned;
    int64_t units;    /* records; where people have several, people */
    int32_t *unit_of; /* joint record → unit */
    bool by_person;
    ReleasedPeople who; /* by_person */
    int best;
} Attack;

/* The releases that an intruder has, their records side by side. */
MUST_CHECK Status reidentification_gather(Attack *attack);
MUST_CHECK Status reidentification_by_keys(Attack *attack);
/* Numbers that are numbers in both tables. */
MUST_CHECK Status reidentification_by_numbers(Attack *attack);
/* The intruders again, on people in place of records, where people have several. */
MUST_CHECK Status reidentification_of_people(Attack *attack);
MUST_CHECK Status reidentification_report(Attack *attack);
/* Synthetic records are nobody's: people who are unique in both tables by the same keys. */
MUST_CHECK Status reidentification_of_synthetic(Attack *attack);
#endif
