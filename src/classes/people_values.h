/* Sensitive values of people who have several records: each person counts once for each value that some record of theirs has. */
#ifndef SCRIM_CLASSES_PEOPLE_VALUES_H
#define SCRIM_CLASSES_PEOPLE_VALUES_H
#include "classes/histories.h"
#include "classes/privacy_models.h"

typedef struct PeopleValues {
    ClassTallies tallies; /* value → people of the class who have it; the total is the sum of these, which may be more than the people */
    int64_t *people;      /* class → people who have a value that is there */
    int64_t *times; /* row → people it stands for among those of its class with its value: 0 for all but one record of each person */
    /* One value for each person, so chosen that few values do: the commonest first, of those whom it does not reach the next one. Its
     * entropy is within 1.45 bits of the least (Cardinal, Fiorini & Joret 2008, minimum entropy set cover). */
    ClassTallies chosen;
    int64_t
        *least; /* class → the fewest values of which each person has one, or a lower bound where too many sets of values are possible */
} PeopleValues;
/* `of`: row → class, of `classes`. In the arena. */
MUST_CHECK Status people_values_make(Work *work, const int32_t *of, int64_t classes, int64_t rows, const Histories *histories,
                                     const Codes *sensitive, PeopleValues *out);
/* The tally of class c without missing values, its total the people who have one: what an intruder sees who looks for a value that all have. */
Tally people_tally(const PeopleValues *values, int64_t c, int32_t missing);
#endif
