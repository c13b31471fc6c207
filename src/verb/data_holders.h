/* Who holds which part of a table already, and what the release would tell each of them of the others. */
#ifndef SCRIM_VERB_DATA_HOLDERS_H
#define SCRIM_VERB_DATA_HOLDERS_H
#include "recipe/roles.h"

#define HOLDERS_COLUMNS                                                                                                                    \
    "who:text parties:integer records:integer columns:text method:text learned:real baseline:real unit:text of:text why:text since:text"

/* Reads the register (a YAML file) and runs, for each holder and each coalition of them, the attacks that fit what they hold. */
MUST_CHECK Status data_holders_measure(Run *run, const Table *data, const Roles *roles, const char *path);
#endif
