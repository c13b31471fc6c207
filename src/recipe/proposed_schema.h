/* The schema that `inspect --schema` proposes, as a file. */
#ifndef SCRIM_RECIPE_PROPOSED_SCHEMA_H
#define SCRIM_RECIPE_PROPOSED_SCHEMA_H
#include "base/text.h"
#include "result/result.h"

/* False where the result proposes none. */
bool schema_proposed(const Result *result, Buffer *out);
#endif
