/* A table: named columns of equal length, immutable once made, sharing columns by reference. */
#ifndef SCRIM_TABLE_TABLE_H
#define SCRIM_TABLE_TABLE_H
#include "table/column.h"

typedef struct Table {
    atomic_int references;
    char *name;     /* where it came from, for messages; may be NULL */
    bool perturbed; /* values were changed at random, here or as a manifest beside it says */
    int64_t rows;
    int64_t columns;
    Column **column;
    bool *altered;   /* per column: its values were changed at random */
    bool released;   /* made by a protecting method, here or as a manifest beside it says: a missing cell may be a blanked one */
    bool reordered;  /* its records stand in an order of their own, here or as a manifest beside it says */
    char *source;    /* the file that it was made of, in full, as a manifest beside it says; NULL: not known */
    int64_t *origin; /* row → the row of the original it stems from; NULL: the same */
    char *label;     /* what its file says that it is; NULL = nothing */
    char *structure; /* a table of cells: how they add up (structure.h), as JSON; NULL = not said */
    struct DisplayLayout *layout; /* how it is shown to people (layout.h); NULL = as it stands. What is made of the table has none */
    unsigned closed;    /* permission bits that a file with its records must not have, since a file that they come from has not; 0: none
                            * is known, or the table is made to be given away (method/returns.h) */
    int64_t *elsewhere; /* not NULL: its records were written as they were made, and only their number is here, and of each column (which
                            * has no rows) how many cells are missing and, in this list, how many of them scrim blanked */
} Table;

/* Takes its own reference to each column. Names must be distinct and lengths equal. rows counts when there is no column. */
MUST_CHECK Status table_new(const char *name, Column *const *columns, int64_t count, int64_t rows, Table **out, Error *error);
Table *table_retain(const Table *table);
void table_release(Table *table);
const Column *table_column(const Table *table, const char *name); /* NULL where there is none */
int64_t table_find(const Table *table, const char *name);         /* its place, or -1 */
/* One cell of the column of this name: as column_cell tells it, NULL where there is no such column; as a number, NaN where there is none.
 */
const char *table_cell(const Table *table, const char *name, int64_t row, char out[33]);
double table_number(const Table *table, const char *name, int64_t row);
/* The column, or a BAD error that names the nearest one. */
MUST_CHECK Status table_need(const Table *table, const char *name, const Column **out, Error *error);
/* The same table with some columns put in the place of those of the same name (others are added at the end). */
MUST_CHECK Status table_with(const Table *table, Column *const *columns, int64_t count, Table **out, Error *error);
/* The same table with these columns behind its own: one whose name is taken gets another (fk_2), so that nothing is lost. */
MUST_CHECK Status table_beside(const Table *table, Column *const *columns, int64_t count, Table **out, Error *error);
/* The same table without these columns; names that it lacks are let be. */
MUST_CHECK Status table_without(const Table *table, const char *const *names, int64_t count, Table **out, Error *error);
MUST_CHECK Status table_take(const Table *table, const int64_t *rows, int64_t count, Table **out, Error *error);
/* Its own columns' values were changed at random: this one's (NULL: all). Only before the table is shared. */
void table_perturb(Table *table, const char *column);
/* The original with its records in the order of a release that has all of them elsewhere (protect.reorder), so that record i is the same
 * person's in both; else another reference to the original. */
MUST_CHECK Status table_aligned(const Table *original, const Table *released, Table **out, Error *error);
/* Does the place of a record tell whose it is? Not where records were put in another order and the table does not say which (a file). */
static inline bool table_places(const Table *released) { return !released->reordered || released->origin; }
/* The same as an error, for what is compared record by record. */
MUST_CHECK Status table_need_places(const Table *released, Error *error);
/* What was made of a table, row for row, stems from where it does. NULL origin where memory is out. */
void table_keep_origin(const Table *from, Table *to);
/* Were this column's? A column that it lacks was not. */
bool table_altered(const Table *table, const char *column);
/* Equal in type, length, values and missing, by whatever name. */
bool column_equal(const Column *a, const Column *b);
/* Equal in names, types, values and missing. */
bool table_equal(const Table *a, const Table *b);

/* A set of columns, as a method's parameter gives them. */
typedef struct Columns {
    int64_t count;
    const Column **at;
} Columns;
bool table_altered_any(const Table *table, Columns columns); /* one of them */
#endif
