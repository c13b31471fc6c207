/* Manifests: what was done to a table, written beside it (mode 0600); never a seed. A manifest can be run again as a recipe. */
#ifndef SCRIM_RECIPE_MANIFEST_H
#define SCRIM_RECIPE_MANIFEST_H
#include "base/file_transaction.h"
#include "recipe/read_options.h"
#include "recipe/recipe.h"

/* PATH.manifest.json for a table that one method made. `now` is where its bytes are until the stage puts them in their place. Paths in it
 * are relative to the folder that the program was run in, which it names. */
MUST_CHECK Status manifest_write(Work *work, Transaction *stage, const char *path, const char *now, const Result *result,
                                 const Table *table, const Args *args, const Method *method, const CsvOptions *reading);

/* The same for a recipe: `result` is what the verb `run` gives, with the results `steps`, `before`, `after` and `utility` within. */
MUST_CHECK Status manifest_write_recipe(Work *work, Transaction *stage, const char *path, const char *now, const Result *result,
                                        const Table *table, const Recipe *recipe, const CsvOptions *reading);
/* The manifest of a table written as it was read: what was perturbed stays known. */
MUST_CHECK Status manifest_write_copy(Work *work, Transaction *stage, const char *path, const char *now, const char *input,
                                      const Table *table);
#endif
