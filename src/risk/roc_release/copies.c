/* Does a release repeat records of the data? */
#include <stdlib.h>
#include "risk/roc_release/roc_release.h"
#include "classes/joint_codes.h"

typedef struct {
    uint64_t hash;
    int64_t row;
} Hashed;
static int by_hash(const void *x, const void *y) {
    const Hashed *a = x, *b = y;
    return (a->hash > b->hash) - (a->hash < b->hash);
}

static uint64_t hash_row(const JointCodes *codes, int64_t columns, int side, int64_t row) {
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);
    for (int64_t j = 0; j < columns; j++) {
        hash ^= (uint64_t)(uint32_t)(codes[j].at[side][row] + 1) + (hash << 6) + (hash >> 2);
        hash *= UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    return hash;
}

static bool same_row(const JointCodes *codes, int64_t columns, int64_t data, int64_t release) {
    for (int64_t j = 0; j < columns; j++)
        if (codes[j].at[0][data] != codes[j].at[1][release]) return false;
    return true;
}

/* The first place whose hash is at least this. */
static int64_t lower_bound(const Hashed *list, int64_t count, uint64_t hash) {
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (list[middle].hash < hash) low = middle + 1;
        else high = middle;
    }
    return low;
}

Status copied_share(Work *work, const Table *data, const Table *release, double *out) {
    Status status = OK;
    const char **names;
    int64_t columns, copied = 0;
    JointCodes *codes = NULL;
    Hashed *list = NULL;
    TRY(common_columns(work, data, release, (Columns){ 0 }, &names, &columns));
    NEW(work, codes, columns + 1);
    NEW(work, list, data->rows + 1);
    for (int64_t j = 0; j < columns; j++)
        TRY(joint_codes(work, table_column(data, names[j]), table_column(release, names[j]), 0, 0, &codes[j]));
    for (int64_t i = 0; i < data->rows; i++) list[i] = (Hashed){ hash_row(codes, columns, 0, i), i };
    qsort(list, (size_t)data->rows, sizeof *list, by_hash);
    for (int64_t i = 0; i < release->rows; i++) {
        uint64_t hash = hash_row(codes, columns, 1, i);
        int64_t k = lower_bound(list, data->rows, hash);
        while (k < data->rows && list[k].hash == hash && !same_row(codes, columns, list[k].row, i)) k++;
        copied += k < data->rows && list[k].hash == hash;
    }
    *out = release->rows && columns ? (double)copied / (double)release->rows : 0;
done:
    return status;
}
