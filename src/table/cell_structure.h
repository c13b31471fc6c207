/* What ties the rows of a table of cells together: codes that add up to other codes, or relations between named cells. Kept beside the
 * table as JSON. */
#ifndef SCRIM_TABLE_CELL_STRUCTURE_H
#define SCRIM_TABLE_CELL_STRUCTURE_H
#include "table/table.h"

/* In one dimension: `total` is the sum of its parts. A code may be the total of several sums (two ways to group the same regions). */
typedef struct Sum {
    int32_t total, count;
    int32_t *part;
} Sum;
typedef struct Dimension {
    const char *name;
    int32_t codes;
    const char **code;
    int64_t sums;
    Sum *sum;
} Dimension;

/* Relations: Σ coefficient·cell = 0. Row i is start[i] … start[i+1]-1. */
typedef struct Relations {
    int64_t cells, count;
    int64_t *start;
    int32_t *cell;
    double *coefficient;
} Relations;

/* One of several linked tables: the codes that it has of each dimension, has[dimension][code]. */
typedef struct Extent {
    uint8_t **has;
} Extent;

/* The rules by which cells were marked as unsafe (`tabular primary`); 0 where one was not asked for. */
typedef struct SafetyRules {
    int64_t threshold, coalition; /* coalition: contributors who pool what they know, 1 where they do not */
    double p_percent;
    bool threshold_alone; /* no other rule, mark or waiver: a cell of a table of counts is primary if and only if it is below the threshold
                           */
    int dominances, pqs;
    double dominance[8][2]; /* n, k percent */
    double pq[8][2];        /* p percent, q percent */
} SafetyRules;

typedef struct Structure {
    const char *total; /* the code of a margin */
    bool whole;        /* the cells are counts: whole numbers */
    bool is_signed;    /* contributions can be negative, and so can cells */
    bool zeros_hidden; /* a hidden cell may be empty; else readers know that it is not */
    bool is_protected; /* disclosure control was applied: the table went through suppress, round, adjust, cell-key or noise */
    SafetyRules rules;
    int64_t dims;
    Dimension *dim;
    int64_t extents; /* linked tables; 0: one table, of all codes */
    Extent *extent;
    int64_t comparisons;
    uint32_t *comparison; /* dimensions, as bits, whose columns were compared in the data: none of them determines another */
    int64_t names;        /* no dimensions: cells by name, and the relations between them */
    const char **name;
    Relations relations; /* of names */
} Structure;

/* Names of columns that never are dimensions: count, value, status, … */
bool structure_reserved(const char *column);
/* What is kept with the table, else flat dimensions: every column before the first reserved one; the codes of each add up to `total` (NULL:
 * "Total"). */
MUST_CHECK Status structure_read(Work *work, const Table *table, const char *total, Structure *out);
/* Gives the table its structure, as JSON. Only before the table is shared. */
MUST_CHECK Status structure_keep(Work *work, const Structure *structure, Table *table);

/* Were the columns of these two dimensions compared in the data? */
bool structure_compared(const Structure *structure, int64_t one, int64_t other);
/* Could one of the tables show this cell? Then it is empty where it is absent; else nobody knows it. */
bool structure_covers(const Structure *structure, const int32_t *place);
/* Room for one more linked table, without codes yet. */
MUST_CHECK Status structure_extent(Work *work, Structure *structure, Extent *out);
/* Rows of the table as cells: relations between row numbers. A cell that the table lacks beside others of its sum counts as empty where
 * the structure covers it; else the sum is none of the table's. Two rows of one cell are BAD. */
MUST_CHECK Status structure_relations(Work *work, const Structure *structure, const Table *table, Relations *out);
/* Places: code of each dimension, or the number of the cell's name, for every row; a code that the structure lacks is BAD with its row. */
MUST_CHECK Status structure_places(Work *work, const Structure *structure, const Table *table, int32_t ***out);
/* Which rows have codes that the structure has, all of them. */
MUST_CHECK Status structure_knows(Work *work, const Structure *structure, const Table *table, uint8_t **known);
/* Cell → relations: the same in the other direction. */
typedef struct Memberships {
    int64_t *start;
    int32_t *relation;
    double *coefficient;
} Memberships;
MUST_CHECK Status relations_transpose(Work *work, const Relations *relations, Memberships *out);
#endif
