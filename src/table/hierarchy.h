/* Generalisation hierarchies: every value of a column, and what it becomes at each level. */
#ifndef SCRIM_TABLE_HIERARCHY_H
#define SCRIM_TABLE_HIERARCHY_H
#include "table/table.h"

typedef struct Level {
    int32_t count;     /* values at this level */
    const char **word; /* as written, sorted by first appearance */
    int32_t *of;       /* leaf → its value here */
    int32_t *leaves;   /* leaves under each value */
} Level;

/* Level 0 holds the leaves themselves: all values of the hierarchy, also those that the data do not have. */
typedef struct Hierarchy {
    const char *name;
    int32_t leaves;
    int64_t levels;
    Level *level;
} Hierarchy;

/* From a table of text: one row per value, a column per level; a first row of level0, level1, … is a header. Checked: leaves distinct, each
 * level a coarsening of the one before; an error names the row, column and level that break it. */
MUST_CHECK Status hierarchy_from_table(Work *work, const Table *table, const char *name, Hierarchy *out);
/* The hierarchy of a column among tables of text: the one named as the column, or ending in _hierarchy_COLUMN. *found says whether there is
 * one. */
MUST_CHECK Status hierarchy_find(Work *work, int64_t count, const char *const *names, const Table *const *tables, const Column *column,
                                 Hierarchy *out, bool *found);
/* code → leaf for the codes of a column. A value that the hierarchy lacks is an error that names its row. */
MUST_CHECK Status hierarchy_match(Work *work, const Hierarchy *hierarchy, const Column *column, const Codes *codes, int32_t **out);
#endif
