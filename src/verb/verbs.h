/* Verbs: commands over many methods. They are declared like methods, so that binder, help and delivery serve them too, but stand above the
 * registry. */
#ifndef SCRIM_VERB_VERBS_H
#define SCRIM_VERB_VERBS_H
#include "method/method.h"

/* The group is "verb" for `scrim inspect`, or the first of two words (`scrim ledger create`). */
int64_t verbs_count(void);
const Method *verbs_at(int64_t index);
const Method *verb_find(const char *group, const char *name);
/* A verb whose result says that a rule was violated (value `rules_broken` > 0), or that it is not ready (value `state`), ends with REFUSED
 * after its result was delivered. */
MUST_CHECK Status verb_status(const Result *result, Error *error);
#endif
