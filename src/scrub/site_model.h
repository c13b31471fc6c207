/* A site's tagger as a table: the weights in which it differs from the built-in model. */
#ifndef SCRIM_SCRUB_SITE_MODEL_H
#define SCRIM_SCRUB_SITE_MODEL_H
#include "base/work.h"
#include "prose/find.h"
#include "table/table.h"

/* `kinds`: bit by Trace, what was marked. */
MUST_CHECK Status site_model_table(Work *work, const Model *model, uint64_t kinds, Table **out);
/* Into the arena. BAD where the table is no such model, or was made on another built-in model. */
MUST_CHECK Status site_model_read(Work *work, const Table *table, const Model **out, uint64_t *kinds);
#endif
