/* Tables one below the other. */
#ifndef SCRIM_IO_CONCATENATE_H
#define SCRIM_IO_CONCATENATE_H
#include "table/table.h"

/* All rows of tables with the same columns (by place; names and types are those of the first, whole numbers and reals together are reals,
 * words of any kind words). One table is itself. */
MUST_CHECK Status tables_concatenate(Work *work, const char *name, Table *const *tables, int64_t count, Table **out);
#endif
