/* Microaggregation: the values of a group replaced by what it has in common. */
#ifndef SCRIM_PROTECT_AGGREGATE_H
#define SCRIM_PROTECT_AGGREGATE_H
#include "protect/microaggregate/partition.h"

typedef enum { BY_MEAN, BY_MEDIAN } Centre;

/* The rows of each group, ascending: row[start[g]] … row[start[g+1]-1]. */
typedef struct GroupRows {
    int64_t count;
    int64_t *start, *row;
} GroupRows;
MUST_CHECK Status group_rows(Work *work, const Partition *partition, int64_t rows, GroupRows *out);

/* A number's mean or median, a category's mode (the first of equals). Records in no group lose the value where `blank`, else keep it;
 * missing stays missing. */
MUST_CHECK Status aggregate_column(Work *work, const Column *column, const GroupRows *groups, const Partition *partition, Centre centre,
                                   bool blank, Column **out);
#endif
