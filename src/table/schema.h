/* What is public about a table before anyone looks at it: types, bounds, categories, whether a value can be missing, and who is a person.
 *
 * A table read under a schema has the schema's columns and no others, each of its declared type, and every cell fits: what does not is
 * clamped, missing or a category by a rule of that cell alone. So nothing that anyone wrote into a cell can be told from the types, from
 * what is missing where nothing can be, or from an error. */
#ifndef SCRIM_TABLE_SCHEMA_H
#define SCRIM_TABLE_SCHEMA_H
#include "table/table.h"

typedef enum { SCHEMA_INTEGER, SCHEMA_REAL, SCHEMA_CATEGORIES } SchemaKind;
typedef struct SchemaColumn {
    const char *name;
    SchemaKind kind;
    double low, high; /* numbers: the bounds */
    double step;      /* numbers: every value is low + a multiple of this; 0 = none. 1 for integers unless given */
    int32_t points;   /* numbers: values that many records may share, ascending, each within the bounds; a top code, no income */
    const double *point;
    bool missing;       /* a value can be missing */
    int32_t categories; /* at least one; the last is named `other` where unknown words have a place */
    const char *const *category;
} SchemaColumn;

typedef enum { SCHEMA_UNIT_UNSAID, SCHEMA_REPLACE_ONE, SCHEMA_ADD_REMOVE } SchemaUnit;
typedef struct Schema {
    SchemaUnit unit;
    const char *person;  /* the column that says whose record it is, or NULL: one record a person */
    int64_t max_records; /* of one person; 1 unless said */
    int64_t columns;
    const SchemaColumn *column;
    char hash[65]; /* of what it says, not of how it is written: what a ledger is bound to */
} Schema;

/* From YAML (or JSON); `name` is what errors call it. Everything lives in the arena. BAD with the line where it cannot be. */
MUST_CHECK Status schema_parse(Work *work, const char *name, const char *text, size_t count, const Schema **out);
const SchemaColumn *schema_find(const Schema *schema, const char *name); /* NULL where it is not declared */
/* The table as the schema says it is: its columns in the schema's order, then the person's column where that is not among them. BAD only
 * where the header lacks a column. */
MUST_CHECK Status schema_apply(Work *work, const Schema *schema, const Table *table, Table **out);
/* How many of a column's cells are changed by being read under the schema, by what is wrong with them. */
typedef struct SchemaMisfits {
    int64_t missing; /* missing where nothing can be: the middle of the bounds, or the first category, stands for them */
    int64_t words;   /* no number: missing, or the middle */
    int64_t outside; /* beyond the bounds: the bound */
    int64_t rounded; /* between the steps, as 2.5 in a column of integers */
    int64_t unknown; /* no category: `other`, missing, or the first one */
} SchemaMisfits;
MUST_CHECK Status schema_misfits(Work *work, const SchemaColumn *column, const Column *from, SchemaMisfits *out);
/* A number as this column holds it: clamped, and on its grid. */
double schema_number(const SchemaColumn *column, double value);
double schema_middle(const SchemaColumn *column); /* what stands for a missing number where none can be missing */
#endif
