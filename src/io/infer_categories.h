/* Words that came as text, taken as a file's reader takes them. */
#ifndef SCRIM_IO_INFER_CATEGORIES_H
#define SCRIM_IO_INFER_CATEGORIES_H
#include "table/table.h"

/* The table with every column of text whose words repeat as a category, by the rule that files are read by (docs/files.md). */
MUST_CHECK Status table_infer_categories(Work *work, const Table *table, Table **out);
#endif
