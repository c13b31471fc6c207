/* The mark of a release in a database, which has no place beside it for a manifest: whether values were changed at random, and in which
 * columns. It is written in the table's own transaction and goes where the table goes. The manifest proper stays out: it counts what was
 * blanked. */
#ifndef SCRIM_IO_RELEASE_MARK_H
#define SCRIM_IO_RELEASE_MARK_H
#include <jansson.h>
#include "table/table.h"

#define MARK_START "{\"scrim\": \"release\"" /* what every mark begins with, and no other comment is taken for one */

/* As JSON, without a comment's end in it; NULL where the table is no release. In the arena. */
MUST_CHECK Status release_mark_text(Work *work, const Table *table, const char **out);
/* What a mark, `length` bytes of it, says holds of the table: of `whole`, column by column; of what a query made of marked tables, of every
 * column. */
MUST_CHECK Status release_mark_apply(Work *work, const char *mark, size_t length, bool whole, Table *table);
/* The same of a manifest, or a mark, that was read. */
void release_mark_of(Table *table, const json_t *root, bool whole);
#endif
