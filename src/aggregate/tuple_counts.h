/* A roll: the distinct tuples of some columns, how many records have each, where the first of them stands, and sums over them. What is
 * called in parts adds up to the same roll, to the last bit, whatever the parts and their order. */
#ifndef SCRIM_AGGREGATE_TUPLE_COUNTS_H
#define SCRIM_AGGREGATE_TUPLE_COUNTS_H
#include "base/exact_sum.h"
#include "base/text.h"
#include "table/table.h"

/* The first records of a tuple; ascending, once settled. */
typedef struct Early {
    int64_t *at;
    int64_t count, room, settled;
} Early;

typedef struct TupleCounts {
    int64_t keys, sums;
    bool weighted;
    int64_t apart;         /* so many of each tuple's first records are known one by one; 0: the first alone. Not where `weighted` */
    const int64_t *number; /* while it is called: row → its record, counted from the chunk's first; NULL: they follow one another */
    bool lots;             /* in place of records' numbers `early` holds the smallest of the lots (from 0 to 2⁶³ − 1) that they drew */
    double share;          /* of lots: so many of all, and what chance may add to them; 1: all */
    bool head;             /* of all records, not of each tuple's, the first `apart` alone are called: what comes after them is forgotten */
    bool signs;            /* 0 and -0, which are one value, are two tuples: anyone who answers record by record gives each its own back */
    char **name;           /* of each key */
    Type *type;            /* as plain_type has it */
    Dictionary **ordered;  /* of a key whose categories have an order of their own; else NULL */
    bool known;            /* names and types are set: by the first chunk */
    int64_t count, room;
    int64_t *times, *first;
    WeightSum *weight;
    ExactSum *sum; /* tuple × sums */
    Early *early;  /* NULL unless `apart` */
    size_t early_size;
    uint64_t *hash; /* of the tuple's bytes, at…at+length */
    size_t *at, *length;
    Buffer bytes;
    int64_t *slot, slots; /* tuple + 1; 0 = free */
    void
        *mapped; /* from a file (aggregate/tuple_counts_spill.h): tuples in the order of their hashes, no slots, and nothing can be added */
    size_t mapped_size;
} TupleCounts;

/* Empty; ends with tuple_counts_free. */
MUST_CHECK Status tuple_counts_new(int64_t keys, int64_t sums, bool weighted, TupleCounts **out, Error *error);
void tuple_counts_free(TupleCounts *roll); /* NULL is harmless */
/* Calls a chunk whose first record is number `first_row` of the table. place[row]: the tuple's number in this roll, until it is merged into
 * another (of a head, none). A weight that is missing adds nothing (weight may be NULL). */
MUST_CHECK Status tuple_counts_add(Work *work, TupleCounts *roll, Columns keys, const Column *weight, int64_t rows, int64_t first_row,
                                   int64_t **place);
/* The same without adding: -1 where the roll has no such tuple. */
MUST_CHECK Status tuple_counts_find(Work *work, const TupleCounts *roll, Columns keys, int64_t rows, int64_t **place);
MUST_CHECK Status tuple_counts_merge(TupleCounts *roll, const TupleCounts *other, Error *error);
/* Tuples in the order of their first records: order[i] is the i-th tuple's number. */
MUST_CHECK Status tuple_counts_order(Work *work, const TupleCounts *roll, int64_t **order);
/* The tuples as a table of the keys, in that order, with how many records each stands for and the sums of their weights. */
MUST_CHECK Status tuple_counts_table(Work *work, const TupleCounts *roll, const char *name, const int64_t *order, Table **out);
/* A roll laid out in rows: one for each tuple, or for each of its records that are known apart, of which the last stands for the rest too.
 * By the number of the record that each begins with. */
typedef struct TupleCountsRows {
    int64_t count;
    int64_t *tuple, *times;
    int64_t *record;        /* row → the first record that it stands for */
    int64_t *start, *place; /* tuple → its rows: place[start[tuple]] … */
} TupleCountsRows;
/* In the arena; the roll's first records are settled. */
MUST_CHECK Status tuple_counts_rows(Work *work, TupleCounts *roll, TupleCountsRows *out);
int64_t tuple_counts_row(const TupleCounts *roll, const TupleCountsRows *rows, int64_t tuple,
                         int64_t record); /* the row that stands for this record */
/* Adds one, whatever the order in which they come; and sorts them, without those that are too many. */
MUST_CHECK Status early_add(TupleCounts *roll, int64_t tuple, int64_t record, Error *error);
void early_sort(TupleCounts *roll);
bool early_get(const char **at, const char *end, TupleCounts *roll,
               int64_t tuple); /* for tuple_counts_load: false where they cannot be right */
/* Of a head: forgets what is beyond it, so that tuples are numbered again. */
MUST_CHECK Status tuple_counts_cut(TupleCounts *roll, Error *error);
/* What each is called, in that order: "sex=1, region=north"; "all" where there are no keys. */
MUST_CHECK Status tuple_counts_names(Work *work, const TupleCounts *roll, const char ***out);
size_t tuple_counts_size(const TupleCounts *roll); /* bytes that it takes */

/* As bytes: equal rolls give equal bytes. */
void tuple_counts_save(TupleCounts *roll, Buffer *out);
/* Of the tuples those of one of `pieces` alone: by their own bytes, so that a tuple is in the same piece of every roll. */
void tuple_counts_save_piece(TupleCounts *roll, int64_t piece, int64_t pieces, Buffer *out);
MUST_CHECK Status tuple_counts_load(const char **at, const char *end, TupleCounts **out, Error *error);

/* For anyone who saves beside it: numbers of eight bytes, lowest first, and texts with their length before them. */
void pack_word(Buffer *out, uint64_t word);
void pack_text(Buffer *out, const char *text);
bool unpack_word(const char **at, const char *end, uint64_t *out);
bool unpack_text(const char **at, const char *end, char **out); /* malloc'ed */
#endif
