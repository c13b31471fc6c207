/* Inside `tabular build`: dimensions with their codes at every level, and cells with what is known of their contributors. */
#ifndef SCRIM_TABULAR_BUILD_H
#define SCRIM_TABULAR_BUILD_H
#include "method/method.h"
#include "table/cell_structure.h"

typedef struct {
    const Table *data;
    Groups dims;
    const char *response; /* of `tabular build`: a column, or variables with equations between them (equations.c) */
    const Column *summed, *weight, *holding;
    Tables hierarchies;
    Groups nested;
    const char *total_code;
    int64_t top;
    bool mean, all_codes;
    const uint64_t *keys; /* of each record, to be summed modulo 2^64; or NULL */
} BuildArgs;

/* One dimension: its codes, how coarse each is, and where records stand at the finest level. */
typedef struct Axis {
    Dimension d;
    const Column *column; /* of the finest codes */
    Columns levels;       /* nested columns above it, from fine to coarse; count 0 where a hierarchy or nothing says */
    int32_t *level;       /* code → 0 for the finest, more for coarser: the coarsest at which it stands; the total has the most */
    int32_t total;        /* its code */
    int32_t *of;          /* record → finest code */
    int64_t *start;       /* code → its ancestors, itself first: up[start[c]] … */
    int32_t *up;
} Axis;
MUST_CHECK Status axis_make(Work *work, const BuildArgs *a, const Column *column, Axis *out);

/* One table: the axes it has, each from a level on. */
typedef struct Face {
    int64_t dims;
    int32_t axis[8];
    int32_t from[8];
} Face;

/* What is known of each cell; arrays of `cells`. largest: `top` for each cell, descending; holdings and holder where records belong to
 * holdings. */
typedef struct Made {
    int64_t cells, top;
    bool is_signed;  /* some contribution is negative */
    int32_t **place; /* axis → cell → code */
    int64_t *count;
    double *value;    /* NULL in a table of unweighted counts */
    double *weighted; /* Σ weights, for means */
    double *largest;
    int32_t *by; /* as `largest`: whose each is, a number from 1 on; 0: nobody's */
    int64_t *holdings, *holder;
    uint64_t *key; /* Σ of the records' keys; NULL where they have none */
} Made;
/* All faces' cells, each once. */
MUST_CHECK Status cells_make(Work *work, const BuildArgs *a, const Axis *axes, int64_t axis_count, const Face *faces, int64_t face_count,
                             Made *out);
/* The whole way: what is known of the cells, and the table with its structure. */
MUST_CHECK Status build_make(Work *work, const BuildArgs *a, Made *made, Table **out);

/* Several variables with equations between them: a dimension more, whose codes are the variables. */
typedef struct Equations {
    Table *data;  /* a record for each record and variable */
    BuildArgs a;  /* of these */
    Axis axis;    /* the variables; its sums are those of each record, and are not added up again */
    int64_t sums; /* of the equations */
    Sum *sum;
    int64_t dropped; /* records in which a variable is missing */
} Equations;
#define VARIABLE_DIMENSION "variable"
/* BAD where the text is no list of variables and equations, or a record does not keep them. */
MUST_CHECK Status equations_make(Work *work, const BuildArgs *a, Equations *out);
void equations_free(Equations *equations);
#endif
