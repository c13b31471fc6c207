/* A roll whose first records are known apart, laid out in rows. */
#include <stdlib.h>
#include <string.h>
#include "table/roll.h"

static Status no_memory(Error *error) { return fail(error, FAILED, "out of memory"); }

static bool early_room(Roll *roll, Early *early) {
    if (early->count < early->room) return true;
    int64_t room = early->room ? early->room * 2 : 2;
    int64_t *at = realloc(early->at, (size_t)room * sizeof *at);
    if (!at) return false;
    roll->early_size += (size_t)(room - early->room) * sizeof *at;
    *early = (Early){ at, early->count, room };
    return true;
}

/* Keeps the smallest, whatever the order in which they come. */
Status early_add(Roll *roll, int64_t tuple, int64_t record, Error *error) {
    Early *early = &roll->early[tuple];
    bool full = early->count == roll->apart;
    if (full && record > early->at[early->count - 1]) return OK;
    if (!full && !early_room(roll, early)) return no_memory(error);
    int64_t i = full ? early->count - 1 : early->count++;
    for (; i && early->at[i - 1] > record; i--) early->at[i] = early->at[i - 1];
    early->at[i] = record;
    return OK;
}

typedef struct {
    int64_t record, tuple, rank;
} Place;
static int by_record(const void *a, const void *b) {
    const Place *x = a, *y = b;
    return (x->record > y->record) - (x->record < y->record);
}

static int64_t rows_of(const Roll *roll, int64_t tuple) { return roll->apart ? roll->early[tuple].count : 1; }

Status roll_rows(Work *work, const Roll *roll, RollRows *out) {
    Status status = OK;
    Place *places = NULL;
    *out = (RollRows){ 0 };
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

int64_t roll_row(const Roll *roll, const RollRows *rows, int64_t tuple, int64_t record) {
    int64_t low = 0, high = rows_of(roll, tuple) - 1;
    while (low < high && roll->early) { /* the first that is not before it; those after the last are in the last */
        int64_t middle = (low + high) / 2;
        if (roll->early[tuple].at[middle] < record) low = middle + 1;
        else high = middle;
    }
    return rows->place[rows->start[tuple] + low];
}
