/* Records that look like several of one person, where no column says whose they are: a question to the data custodian, not a verdict. */
#ifndef SCRIM_VERB_WHOSE_H
#define SCRIM_VERB_WHOSE_H
#include "recipe/roles.h"
#include "result/result.h"

/* NULL where a person is named, or the records do not look repeated. In the arena. */
MUST_CHECK Status question_whose(Work *work, const Table *table, bool person_named, const char **out);
/* The same as value `question` of a result, by the roles. */
MUST_CHECK Status ask_whose(Work *work, const Table *table, const Roles *roles, Result *result);
/* The same as an error, where nothing can be decided before it is answered. */
MUST_CHECK Status refuse_unless_answered(Work *work, const Table *table, const Roles *roles);
#define QUESTION_OUT                                                                                                                       \
    VALUE(question, TEXT, "If several records seem to belong to one person and no role identifies the person: the question to answer first")
#endif
