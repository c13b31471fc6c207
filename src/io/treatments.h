/* What was done to the columns of a release, as its manifest says. */
#ifndef SCRIM_IO_TREATMENTS_H
#define SCRIM_IO_TREATMENTS_H
#include <jansson.h>
#include "base/text.h"
#include "table/table.h"

/* The member "treatments": column -> its steps, first to last, or null where one of them is not described; columns with their own values are
 * not in it. Nothing is written where no column is described. */
void treatments_put(const Table *table, Buffer *out);
/* Of a table that was just read: no other person has its columns yet. Without the member, or where a column's is no such list, it is only known
 * that values may have been changed. */
MUST_CHECK Status treatments_read(Table *table, const json_t *root, Error *error);
#endif
