/* Who may read what a method makes. */
#ifndef SCRIM_RECIPE_FILE_MODES_H
#define SCRIM_RECIPE_FILE_MODES_H
#include "base/file_transaction.h"
#include "method/method.h"

/* Records, or what tells of single ones, are read by no more than what they came from: the stage's files get at most the mode of the tables
 * that filled the method's parameters. What a method makes to be given away is not of that kind, unless it is a model or a state, or
 * declared as the keeper's own (KEEPERS); nor is an edition for everyone. */
void file_mode_limit(Transaction *stage, const Method *method, const Result *result, bool everyone);
/* Is one of the method's first `outputs` tables declared as the keeper's own? */
bool file_mode_keeper(const Method *method, int64_t outputs);
#endif
