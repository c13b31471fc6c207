/* PostgreSQL: what reading and writing share. */
#ifndef SCRIM_IO_SQL_POSTGRES_H
#define SCRIM_IO_SQL_POSTGRES_H
#include <libpq-fe.h>
#include <stdio.h>
#include "io/format.h"
#include "io/sql/table_name.h"

/* Connects as the name says and finds which table or query it means; the connection is the caller's to finish, and NULL where it fails.
 * */
MUST_CHECK Status postgres_open(Work *work, const char *name, bool writing, TableName *source, PGconn **out);
/* Runs a statement whose answer is of no interest. */
MUST_CHECK Status postgres_do(Work *work, PGconn *connection, const char *sql, const char *name);
Status postgres_trouble(Work *work, PGconn *connection, const PGresult *result, const char *name); /* result may be NULL */
/* The Format's three ways (io/formats.def): a table at once, in parts of at most `rows` records, and written in one transaction. */
MUST_CHECK Status postgres_read(Work *work, const char *name, const CsvOptions *options, Table **out);
MUST_CHECK Status postgres_chunks(Work *work, const char *name, const CsvOptions *options, int64_t rows, Chunks *out);
MUST_CHECK Status postgres_write(Work *work, const Table *table, const char *name, const CsvOptions *options);
/* Microseconds and days between 1970, from which scrim counts, and 2000, from which PostgreSQL does. */
#define POSTGRES_MICROS INT64_C(946684800000000)
enum { POSTGRES_DAYS = 10957 };
#endif
