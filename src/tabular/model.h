/* A table of cells as the methods of this group see it: values, what is known of each cell, and the relations between them. */
#ifndef SCRIM_TABULAR_MODEL_H
#define SCRIM_TABULAR_MODEL_H
#include "method/method.h"
#include "table/cell_structure.h"

typedef enum { CELL_OPEN, CELL_PRIMARY, CELL_SECONDARY, CELL_STATUSES } CellStatus;
extern const char *const cell_status_word[CELL_STATUSES]; /* as the column says it: "open", … */

/* Why a cell is primary; the column `rule` has their words, with blanks between them. */
typedef enum { BY_THRESHOLD, BY_DOMINANCE, BY_P, BY_GROUP, BY_ZERO, BY_FLAG, CELL_RULES } CellRule;
extern const char *const cell_rule_word[CELL_RULES];

typedef struct Model {
    const Table *table;
    Structure structure;
    Relations relations;
    Memberships member;
    int64_t cells;
    int64_t seen;                   /* cells that the tables show; after them those that none shows, then those that stand for several */
    const Column *measure;          /* what is published: value, else count */
    double *value;                  /* NaN where it is blank */
    double *count;                  /* contributors; NaN where unknown; NULL where there is no such column */
    uint8_t *status;                /* CellStatus */
    double *low, *high;             /* how far below and above its value an outsider can think a cell; both 0: known */
    double *floor;                  /* the least that a hidden cell can be for everybody: 1 in counts, 0 in sums; -INFINITY: none */
    double *need_low, *need_high;   /* how far each primary cell must be able to lie below and above; 0 for others */
    double *need_either;            /* how far it must be able to lie on one side or the other */
    double *asked_low, *asked_high; /* the first two as they were asked, be there room for them or not */
    uint8_t *rule;                  /* the CellRules that primary cells broke, as bits; 0 where it is not told */
    double smallest;                /* the smallest |value| that is not 0 (and not below a millionth of the largest); 1 where all are */
    uint8_t *foreknown;             /* primary cells of which `lower` and `upper` tell more than their protection allows */
    bool whole;                     /* values are counts */
} Model;

/* Columns by their names: count, value, status, lower, upper, protection_lower, protection_upper (or protection), protection_either, all
 * but one of count and value optional. */
MUST_CHECK Status model_make(Work *work, const Table *table, const char *total_code, Model *out);
/* Largest |Σ coefficient·value| over relations without blanks, relative to the sum of its |terms|. */
double model_residual(const Model *model);
/* A copy of the table of which is known that hidden cells may be empty. */
MUST_CHECK Status table_hiding_zeros(Work *work, const Table *table, const char *total_code, Table **out);
/* BAD where a sum of the table does not add up: whole numbers exactly, others to a part in 10^5; the error names the sum. */
MUST_CHECK Status model_need_sums(Work *work, const Model *model);
/* The logarithm of the chance that all of each fine code (`size` of them) have one coarse code (`share` of them each), if the two had
 * nothing to do with each other: Π_x Σ_y p_y^{n_x}. Below PURE_BY_CHANCE (1 in 10^6) one variable determines the other. */
#define PURE_BY_CHANCE (-13.8)
double chance_of_pure(const double *size, int32_t fine, const double *share, int32_t coarse);
/* A change of a magnitude that leaves it in doubt: `share` of its value, of the smallest one in the table where it is 0. */
double model_doubt(const Model *model, int64_t cell, double share);
/* Which row of `other` is each cell of `table`, -1 where none is; both have the codes of `structure`. */
MUST_CHECK Status cells_match(Work *work, const Structure *structure, const Table *table, const Table *other, int64_t **row);
/* "r=a, c=Total": for messages and tables. */
const char *model_cell_name(Work *work, const Model *model, int64_t cell);
/* The table with another status; blank: suppressed cells lose count, value and mean, and only these stay. */
MUST_CHECK Status model_table(Work *work, const Model *model, const uint8_t *status, bool blank, Table **out);
/* The table with this column in place of what is published; all others but those that say where a cell stands go: they could undo the
 * change. */
MUST_CHECK Status model_changed(Work *work, const Model *model, Column *measure, Table **out);
/* A note that names the columns that both leave out beside those that methods here know. */
void model_say_left_out(Result *result, const Model *model);
/* The column 'status', of CellStatus. */
MUST_CHECK Status model_status_column(Work *work, const uint8_t *status, int64_t cells, Column **out);
#endif
