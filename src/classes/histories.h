/* Histories: what is known of people who have several records, and how many people an intruder must choose among. */
#ifndef SCRIM_CLASSES_HISTORIES_H
#define SCRIM_CLASSES_HISTORIES_H
#include "classes/equivalence_class.h"

/* The classes of each person's records, ascending, and how many of the records are in each. A record without a person is a person of its
 * own; where rows stand for several such records, one owner stands for as many people. In the arena. */
typedef struct Histories {
    int64_t owners, people;
    int64_t *stands_for; /* owner → people */
    int32_t *of;         /* row → owner */
    int64_t *start;      /* owner → its classes: class[start[o]] … class[start[o + 1] - 1] */
    int32_t *class;
    int64_t *times; /* records of the owner in the class */
} Histories;
/* person: NULL makes every record a person of its own. */
MUST_CHECK Status histories_make(Work *work, const Classes *classes, const Column *person, Histories *out);

/* Record → person, counted from 0; a record without a person is a person of its own. In the arena. */
MUST_CHECK Status number_people(Work *work, const Column *person, int32_t **of, int64_t *people);

/* What an intruder knows of a person: so many of the records, chosen so that the fewest people have records like them; or all. */
enum { KNOWS_ALL = 0 };
/* "one" (also NULL), "all" or a number from 1. BAD otherwise. */
MUST_CHECK Status knows_read(const char *text, int64_t *out, Error *error);

enum { KNOWN_SETS_MOST = 8000000 };
typedef struct KnownPeople {
    int64_t *candidates; /* owner → people whom the records fit that the intruder knows of; in a sample 0 for owners not in it */
    bool sampled;        /* there were too many sets of records: only `tried` people were looked at */
    int64_t tried;
    bool bounded; /* of some of these not every set was looked at: they may have fewer candidates than is said */
} KnownPeople;
/* knows = N: the fewest people, over all sets of min(N, records) of the owner's records, whose history has the set's classes as often.
 * KNOWS_ALL: the people with the same classes as often, so that the number of records is known too. `most`: sets listed at once before a
 * sample is searched instead; KNOWN_SETS_MOST but in tests. In the arena. */
MUST_CHECK Status histories_candidates(Work *work, const Histories *histories, int64_t classes, int64_t knows, int64_t most,
                                       KnownPeople *out);

/* People by candidates. Of a sample: of the `tried` people alone, save for k, which is that of KNOWS_ALL: no set of records has fewer. */
typedef struct PeopleCounts {
    int64_t k, people; /* people: all, or those tried */
    int64_t uniques, below_3, below_5;
    bool sampled, bounded;
    const int64_t *candidates; /* owner → candidates; 0: not tried */
} PeopleCounts;
MUST_CHECK Status people_counts(Work *work, const Histories *histories, int64_t classes, int64_t knows, PeopleCounts *out);

/* Per class: its people, and the sum of their weights (people where weight is NULL), of a person with several records in the class the mean
 * of these. In the arena. */
MUST_CHECK Status histories_frequencies(Work *work, const Histories *histories, const Classes *classes, const Column *weight,
                                        Frequencies *out);

/* The largest share of a class's records that one person has; 0 without records. */
double largest_share(const Histories *histories, const Classes *classes);
#endif
