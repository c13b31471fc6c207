/* A roll whose first records are known apart, laid out in rows. */
#include <stdlib.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "aggregate/tuple_counts_private.h"

static bool early_room(TupleCounts *roll, Early *early) {
    if (early->count < early->room) return true;
    int64_t room = early->room ? early->room * 2 : 2;
    int64_t *at = realloc(early->at, (size_t)room * sizeof *at);
    if (!at) return false;
    roll->early_size += (size_t)(room - early->room) * sizeof *at;
    early->at = at;
    early->room = room;
    return true;
}

/* Of n lots, which are uniform, more than share·n are below share + 8/√n unless chance is 16 standard deviations off. What is kept follows
 * from n alone, so that it adds up whatever the parts. */
static int64_t highest_lot(const TupleCounts *roll, int64_t n) {
    double most = roll->share + 8 / sqrt((double)n) + 8 / (double)n;
    return most < 1 ? (int64_t)(most * 0x1p63) : INT64_MAX;
}

static void settle_one(TupleCounts *roll, int64_t tuple) {
    Early *early = &roll->early[tuple];
    bool sorted = true;
    for (int64_t i = 1; sorted && i < early->count; i++) sorted = early->at[i - 1] <= early->at[i];
    if (!sorted) qsort(early->at, (size_t)early->count, sizeof *early->at, ascending_int64);
    if (early->count > roll->apart) early->count = roll->apart;
    int64_t most = roll->lots ? highest_lot(roll, roll->times[tuple]) : INT64_MAX;
    while (early->count && early->at[early->count - 1] > most) early->count--;
    early->settled = early->count;
}

void early_sort(TupleCounts *roll) {
    for (int64_t t = 0; roll->apart && t < roll->count; t++) settle_one(roll, t);
}

Status early_add(TupleCounts *roll, int64_t tuple, int64_t record, Error *error) {
    enum { AT_LEAST = 64 }; /* so many come before they are settled again */
    Early *early = &roll->early[tuple];
    if (early->settled == roll->apart && record > early->at[roll->apart - 1]) return OK; /* settled, and full */
    if (early->count - early->settled >= early->settled + AT_LEAST && early->count == early->room) settle_one(roll, tuple);
    if (!early_room(roll, early)) return out_of_memory(error);
    early->at[early->count++] = record;
    return OK;
}

/* The records up to `last` of another head. */
static Status head_until(TupleCounts *roll, const TupleCounts *from, int64_t last, Error *error) {
    Status status = OK;
    for (int64_t t = 0; t < from->count; t++) {
        const Early *early = &from->early[t];
        int64_t tuple;
        if (early->at[0] > last) continue;
        TRY(tuple_counts_tuple(roll, from->bytes.bytes + from->at[t], from->length[t], &tuple, error));
        roll->first[tuple] = early->at[0];
        for (int64_t e = 0; e < early->count && early->at[e] <= last; e++, roll->times[tuple]++)
            TRY(early_add(roll, tuple, early->at[e], error));
    }
done:
    return status;
}

Status tuple_counts_cut(TupleCounts *roll, Error *error) {
    Status status = OK;
    int64_t total = 0, at = 0, *all = NULL;
    TupleCounts *shorter = NULL;
    early_sort(roll);
    for (int64_t t = 0; t < roll->count; t++) total += roll->times[t] = roll->early[t].count;
    if (total <= roll->apart) return OK;
    if (!(all = malloc((size_t)total * sizeof *all))) TRY(out_of_memory(error));
    for (int64_t t = 0; t < roll->count; t++)
        for (int64_t e = 0; e < roll->early[t].count; e++) all[at++] = roll->early[t].at[e];
    qsort(all, (size_t)total, sizeof *all, ascending_int64);
    TRY(tuple_counts_like(roll, &shorter, error));
    TRY(head_until(shorter, roll, all[roll->apart - 1], error));
    early_sort(shorter);
    shorter->number = roll->number;
    TupleCounts longer = *roll;
    *roll = *shorter;
    *shorter = longer;
done:
    tuple_counts_free(shorter);
    free(all);
    return status;
}

/* Ascending; records from the first on. */
bool early_get(const char **at, const char *end, TupleCounts *roll, int64_t tuple) {
    uint64_t count, low, times = (uint64_t)roll->times[tuple], before = 0;
    if (!unpack_word(at, end, &count) || count > times || count > (uint64_t)roll->apart) return false;
    if (!roll->lots && count != times && count != (uint64_t)roll->apart) return false;
    for (uint64_t e = 0; e < count; e++, before = low) {
        if (!unpack_word(at, end, &low) || low > INT64_MAX || (e && low <= before)) return false;
        if ((!e && !roll->lots && low != (uint64_t)roll->first[tuple]) || early_add(roll, tuple, (int64_t)low, NULL)) return false;
    }
    return true;
}

typedef struct {
    int64_t record, tuple, rank;
} Place;
static int by_record(const void *a, const void *b) {
    const Place *x = a, *y = b;
    return (x->record > y->record) - (x->record < y->record);
}

static int64_t rows_of(const TupleCounts *roll, int64_t tuple) { return roll->apart ? roll->early[tuple].count : 1; }

Status tuple_counts_rows(Work *work, TupleCounts *roll, TupleCountsRows *out) {
    Status status = OK;
    Place *places = NULL;
    *out = (TupleCountsRows){ 0 };
    early_sort(roll);
    NEW(work, out->start, roll->count + 1);
    for (int64_t t = 0; t < roll->count; t++) out->start[t + 1] = out->start[t] + rows_of(roll, t);
    out->count = out->start[roll->count];
    NEW(work, places, out->count + 1);
    NEW(work, out->tuple, out->count + 1);
    NEW(work, out->times, out->count + 1);
    NEW(work, out->record, out->count + 1);
    NEW(work, out->place, out->count + 1);
    for (int64_t t = 0; t < roll->count; t++)
        for (int64_t r = 0; r < rows_of(roll, t); r++)
            places[out->start[t] + r] = (Place){ roll->apart ? roll->early[t].at[r] : roll->first[t], t, r };
    qsort(places, (size_t)out->count, sizeof *places, by_record);
    for (int64_t i = 0; i < out->count; i++) {
        int64_t t = places[i].tuple, rows = rows_of(roll, t);
        out->tuple[i] = t;
        out->record[i] = places[i].record;
        out->times[i] = places[i].rank + 1 == rows ? roll->times[t] - rows + 1 : 1;
        out->place[out->start[t] + places[i].rank] = i;
    }
done:
    arena_drop(work->arena, places);
    return status;
}

int64_t tuple_counts_row(const TupleCounts *roll, const TupleCountsRows *rows, int64_t tuple, int64_t record) {
    int64_t low = 0, high = rows_of(roll, tuple) - 1;
    while (low < high && roll->early) { /* the first that is not before it; those after the last are in the last */
        int64_t middle = (low + high) / 2;
        if (roll->early[tuple].at[middle] < record) low = middle + 1;
        else high = middle;
    }
    return rows->place[rows->start[tuple] + low];
}
