/* Strata are classes of the strata columns. */
#include "classes/strata.h"
#include <string.h>
#include "base/text.h"
#include "classes/equivalence_class.h"

static Status one_stratum(Work *work, int64_t rows, Strata *out) {
    Status status = OK;
    int64_t *start = NULL, *row = NULL;
    int32_t *of = NULL;
    NEW(work, start, 2);
    NEW(work, row, rows + 1);
    NEW(work, of, rows + 1);
    for (int64_t i = 0; i < rows; i++) row[i] = i;
    start[1] = rows;
    *out = (Strata){ 1, rows, start, row, of };
done:
    return status;
}

Status strata_make(Work *work, Columns columns, int64_t rows, Strata *out) {
    Status status = OK;
    Classes classes;
    Members members;
    if (!columns.count) return one_stratum(work, rows, out);
    TRY(classes_make(work, columns, &classes));
    TRY(classes_members(work, &classes, &members));
    *out = (Strata){ classes.count, rows, members.start, members.row, classes.of };
done:
    return status;
}

Status strata_gather(Work *work, const Strata *strata, const int64_t *list, int64_t count, int64_t *sorted, int64_t *begin) {
    Status status = OK;
    int64_t *next = NULL;
    if (strata->count == 1) {
        memcpy(sorted, list, (size_t)count * sizeof *sorted);
        begin[0] = 0;
        begin[1] = count;
        return OK;
    }
    NEW(work, next, strata->count + 1);
    memset(begin, 0, (size_t)(strata->count + 1) * sizeof *begin);
    for (int64_t i = 0; i < count; i++) begin[strata->of[list[i]] + 1]++;
    for (int64_t s = 0; s < strata->count; s++) next[s + 1] = begin[s + 1] += begin[s];
    for (int64_t i = 0; i < count; i++) sorted[next[strata->of[list[i]]]++] = list[i];
done:
    arena_drop(work->arena, next);
    return status;
}

const char *strata_name(Work *work, Columns columns, const Strata *strata, int64_t stratum) {
    Buffer text = { 0 };
    char number[33];
    int64_t row = strata->row[strata->start[stratum]];
    for (int64_t j = 0; j < columns.count; j++) {
        const char *cell = column_cell(columns.at[j], row, number);
        buffer_print(&text, "%s%s=%s", j ? ", " : "", columns.at[j]->name, cell ? cell : "(missing)");
    }
    const char *copy = arena_text(work->arena, columns.count ? buffer_get(&text) : "all");
    buffer_free(&text);
    return copy;
}
