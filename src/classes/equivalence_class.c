/* Classes: distinct key tuples, and the records in each. */
#include "classes/equivalence_class.h"
#include "base/sort.h"
#include "table/group.h"
#include "table/column_cache.h"

/* Missing cells that their file gives a reason for get codes behind those of the values, in the order of the reasons' first cells. */
static Status add_reasons(Work *work, const Column *column, Codes *codes, int64_t *missing) {
    Status status = OK;
    int32_t *at = NULL, *number = NULL, count = codes->count;
    int32_t *first_row = NULL;
    NEW(work, at, column->rows);
    NEW(work, number, MISSING_CODES_MOST + MISSING_CODE_FIRST + 1);
    NEW(work, first_row, codes->count + column->about->missing + 1);
    for (int32_t c = 0; c < codes->count; c++) first_row[c] = codes->first_row[c];
    for (int64_t i = 0; i < column->rows; i++) {
        uint16_t reason = column_missing(column, i) ? column->reason[i] : MISSING_CODE_NONE;
        at[i] = codes->at[i];
        if (reason < MISSING_CODE_FIRST || reason - MISSING_CODE_FIRST >= column->about->missing) continue;
        if (!number[reason]) {
            first_row[count] = (int32_t)i;
            number[reason] = ++count;
        }
        at[i] = number[reason] - 1;
        --*missing;
    }
    *codes = (Codes){ .count = count, .at = at, .first_row = first_row };
done:
    arena_drop(work->arena, number);
    return status;
}

/* Rows that stand for more than one record. */
static void count_records(const Work *work, Grouping *grouping, int64_t rows, int64_t *records) {
    *records = 0;
    for (int64_t g = 0; g < grouping->count; g++) grouping->size[g] = 0;
    for (int64_t i = 0; i < rows; i++) {
        grouping->size[grouping->of[i]] += work->times[i];
        *records += work->times[i];
    }
}

Status classes_make(Work *work, Columns keys, Classes *out) { return classes_make_by(work, keys, WILDCARD, out); }

static Status make_classes(Work *work, Columns keys, int rule, void *made) {
    Status status = OK;
    Classes *out = made;
    Codes *codes = NULL;
    Grouping grouping = { 0 };
    int64_t rows = keys.count ? keys.at[0]->rows : 0;
    *out = (Classes){ .rows = rows, .keys = keys.count };
    NEW(work, codes, keys.count);
    for (int64_t key = 0; key < keys.count; key++) {
        TRY(column_codes(work, keys.at[key], &codes[key]));
        int64_t missing = keys.at[key]->missing;
        if (rule != WILDCARD && keys.at[key]->about && column_tells_reasons(keys.at[key]))
            TRY(add_reasons(work, keys.at[key], &codes[key], &missing));
        if (missing) out->any_missing = true;
    }
    TRY(group_codes(work, codes, keys.count, rows, &grouping));
    out->records = rows;
    if (work->times) count_records(work, &grouping, rows, &out->records);
    out->codes = codes;
    out->count = grouping.count;
    out->of = grouping.of;
    out->size = grouping.size;
    out->first = grouping.first;
done:
    return status;
}

Status classes_make_by(Work *work, Columns keys, MissingRule rule, Classes *out) {
    return cache_take(work, CACHE_CLASSES, keys, rule, make_classes, out, sizeof *out);
}

Status classes_people(Work *work, const Classes *classes, const Column *person, int64_t **out) {
    Status status = OK;
    Members members = { 0 };
    Codes codes;
    int32_t *last = NULL; /* person → the class that counted it last, plus 1 */
    NEW(work, *out, classes->count + 1);
    if (!person) {
        for (int64_t c = 0; c < classes->count; c++) (*out)[c] = classes->size[c];
        return OK;
    }
    TRY(column_codes(work, person, &codes));
    TRY(classes_members(work, classes, &members));
    NEW(work, last, codes.count + 1);
    for (int64_t c = 0; c < classes->count; c++)
        for (int64_t m = members.start[c]; m < members.start[c + 1]; m++) {
            int32_t who = codes.at[members.row[m]];
            if (who < 0) (*out)[c] += work_times(work, members.row[m]);
            else if (last[who] != c + 1) {
                last[who] = (int32_t)(c + 1);
                (*out)[c]++;
            }
        }
done:
    arena_drop(work->arena, last);
    return status;
}

Status classes_members(Work *work, const Classes *classes, Members *out) {
    int64_t *start = NULL, *row = NULL;
    Status status = rows_listed(work, classes->of, classes->rows, classes->count, &start, &row);
    *out = (Members){ start, row };
    return status;
}
