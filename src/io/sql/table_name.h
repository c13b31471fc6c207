/* Names of tables that are not files of their own: a database and a table in it, or a query. */
#ifndef SCRIM_IO_SQL_TABLE_NAME_H
#define SCRIM_IO_SQL_TABLE_NAME_H
#include "base/work.h"

typedef struct TableName {
    const char *where; /* what stands before # or ?query= */
    const char *schema, *table, *query;
} TableName;
/* How much of it is the database, before # or ?query= (&query=); `query`, where not NULL: where ?query= begins, or NULL. */
size_t table_name_where(const char *after, const char **query);
/* "where#table", "where#schema.table" or "where?query=select …" (also &query=): the rest of the name is the query as it stands. Writing
 * needs a table. */
MUST_CHECK Status table_name_parse(Work *work, const char *name, const char *after, bool writing, TableName *out);
/* A name in SQL: in double quotes, with those inside it doubled. In the arena; NULL when memory is out. */
const char *table_name_quoted(Work *work, const char *name);
/* How much of a database's message about a value can be shown: up to the first quote, or the first number that is a word of its own. */
int table_name_shown(const char *message);
/* The query without a semicolon at its end, or select * from the table. */
MUST_CHECK Status table_name_select(Work *work, const TableName *source, const char **out);
#endif
