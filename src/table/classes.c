/* Classes: distinct key tuples, and the records in each. */
#include "table/classes.h"
#include "table/group.h"

Status classes_make(Work *work, Columns keys, Classes *out) {
    Status status = OK;
    Codes *codes = NULL;
    Grouping grouping = { 0 };
    int64_t rows = keys.count ? keys.at[0]->rows : 0;
    *out = (Classes){ .rows = rows, .keys = keys.count };
    NEW(work, codes, keys.count);
    for (int64_t key = 0; key < keys.count; key++) {
        TRY(column_codes(work, keys.at[key], &codes[key]));
        if (keys.at[key]->missing) out->any_missing = true;
    }
    TRY(group_codes(work, codes, keys.count, rows, &grouping));
    out->codes = codes;
    out->count = grouping.count;
    out->of = grouping.of;
    out->size = grouping.size;
    out->first = grouping.first;
done:
    return status;
}

Status classes_members(Work *work, const Classes *classes, Members *out) {
    Status status = OK;
    int64_t *start = NULL, *row = NULL;
    NEW(work, start, classes->count + 2);
    NEW(work, row, classes->rows);
    for (int64_t c = 0; c < classes->count; c++) start[c + 2] = start[c + 1] + classes->size[c]; /* start[c + 1] walks from c's start to its end */
    for (int64_t i = 0; i < classes->rows; i++) row[start[classes->of[i] + 1]++] = i;
    *out = (Members){ start, row };
done:
    return status;
}
