/* Manifests: what was done to a table, written beside it; never a seed. */
#ifndef SCRIM_RECIPE_MANIFEST_H
#define SCRIM_RECIPE_MANIFEST_H
#include <jansson.h>
#include "method/method.h"

/* PATH.manifest.json for a table that one method made. */
MUST_CHECK Status manifest_write(Work *work, const char *path, const Result *result, const Table *table, const Args *args, const Method *method);
/* One step: its method, parameters (secret ones left out), values and notes. A new reference. */
json_t *manifest_step(const Result *result);
#endif
