/* Two readers in step: what one part has over the other's is kept for the next. */
#include "io/paired_reader.h"
#include <stdlib.h>

/* One table's reader, and what of its last part was not handed on yet. */
typedef struct Lane {
    ChunkReader *parted;
    Table *part;  /* NULL at the end, and before the first */
    int64_t used; /* records of it */
    bool ended;
    Table *none; /* its columns without records */
} Lane;

struct PairedReader {
    int tables;
    int64_t next_row;
    bool told; /* a part was handed on, or the tables have no records */
    Lane lane[PAIRED_FILES];
};

Status paired_reader_open(Work *work, const char *const *path, int tables, const CsvOptions *options, size_t bytes, int64_t rows,
                          PairedReader **out) {
    Status status = OK;
    PairedReader *a = calloc(1, sizeof *a);
    if (!a) return out_of_memory(work->error);
    a->tables = tables;
    for (int t = 0; t < tables; t++) TRY(chunk_reader_open(work, path[t], options, bytes / (size_t)tables + 1, rows, &a->lane[t].parted));
    *out = a;
    a = NULL;
done:
    paired_reader_close(a);
    return status;
}

static void forget(Lane *lane) {
    table_release(lane->part);
    table_release(lane->none);
    lane->part = lane->none = NULL;
    lane->used = 0;
    lane->ended = false;
}

void paired_reader_close(PairedReader *a) {
    if (!a) return;
    for (int t = 0; t < PAIRED_FILES; t++) {
        forget(&a->lane[t]);
        chunk_reader_close(a->lane[t].parted);
    }
    free(a);
}

static int64_t left_of(const Lane *lane) { return lane->part ? lane->part->rows - lane->used : 0; }

static Status fill(Lane *lane, Work *work) {
    Status status = OK;
    int64_t first;
    if (lane->ended || left_of(lane)) return OK;
    table_release(lane->part);
    lane->part = NULL;
    lane->used = 0;
    TRY(chunk_reader_next(lane->parted, work, &lane->part, &first));
    lane->ended = !lane->part || !lane->part->rows;
    if (lane->part && !lane->none) TRY(table_take(lane->part, NULL, 0, &lane->none, work->error));
done:
    return status;
}

/* So many of the records that are left. */
static Status take(Lane *lane, Work *work, int64_t count, Table **out) {
    Status status = OK;
    int64_t *row = NULL;
    if (!count && !lane->none) TRY(fail(work->error, BAD, "one of the two tables has no columns"));
    if (!count) {
        *out = table_retain(lane->none);
        return OK;
    }
    if (!lane->used && count == lane->part->rows) {
        *out = lane->part;
        lane->part = NULL;
        return OK;
    }
    NEW(work, row, count);
    for (int64_t i = 0; i < count; i++) row[i] = lane->used + i;
    TRY(table_take(lane->part, row, count, out, work->error));
    lane->used += count;
done:
    arena_drop(work->arena, row);
    return status;
}

Status paired_reader_next(PairedReader *a, Work *work, Table *out[PAIRED_FILES], int64_t *first_row) {
    Status status = OK;
    int64_t count = 0;
    out[0] = out[1] = NULL;
    *first_row = a->next_row;
    for (int t = 0; t < a->tables; t++) {
        TRY(fill(&a->lane[t], work));
        int64_t left = left_of(&a->lane[t]);
        if (left && (!count || left < count)) count = left;
    }
    if (!count && (a->told || !a->lane[0].none)) return OK; /* without records they are handed on once */
    a->told = true;
    for (int t = 0; t < a->tables; t++) TRY(take(&a->lane[t], work, left_of(&a->lane[t]) ? count : 0, &out[t]));
    a->next_row += count;
done:
    for (int t = 0; t < PAIRED_FILES && status; t++) {
        table_release(out[t]);
        out[t] = NULL;
    }
    return status;
}

int paired_reader_again(const PairedReader *a) {
    for (int t = 0; t < a->tables; t++)
        if (chunk_reader_again(a->lane[t].parted)) return t + 1;
    return 0;
}

Status paired_reader_rewind(PairedReader *a, Work *work) {
    Status status = OK;
    a->next_row = 0;
    a->told = false;
    for (int t = 0; t < a->tables; t++) {
        forget(&a->lane[t]);
        TRY(chunk_reader_rewind(a->lane[t].parted, work));
    }
done:
    return status;
}

double paired_reader_share(const PairedReader *a) {
    double share = chunk_reader_share(a->lane[0].parted);
    for (int t = 1; t < a->tables; t++)
        if (chunk_reader_share(a->lane[t].parted) < share) share = chunk_reader_share(a->lane[t].parted);
    return share;
}
