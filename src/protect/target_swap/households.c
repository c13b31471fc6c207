/* Members, nested areas, and profiles of households. */
#include "protect/target_swap/households.h"
#include <stdlib.h>
#include "base/compare.h"
#include "table/group.h"

static Status gather(Work *work, const Column *household, int64_t rows, Households *out) {
    Status status = OK;
    Codes codes = { 0 };
    Grouping groups;
    uint64_t *words = NULL;
    int64_t *next = NULL;
    if (household) TRY(column_codes(work, household, &codes));
    NEW(work, words, rows + 1);
    for (int64_t i = 0; i < rows; i++)
        words[i] = household && codes.at[i] >= 0 ? (uint64_t)codes.at[i] : (uint64_t)codes.count + (uint64_t)i;
    TRY(group_words(work, words, (uint64_t)(codes.count + rows + 1), rows, &groups));
    out->count = groups.count;
    out->of = groups.of;
    NEW(work, out->start, groups.count + 1);
    NEW(work, out->row, rows + 1);
    NEW(work, next, groups.count + 1);
    for (int64_t h = 0; h < groups.count; h++) {
        next[h] = out->start[h];
        out->start[h + 1] = out->start[h] + groups.size[h];
    }
    for (int64_t i = 0; i < rows; i++) out->row[next[groups.of[i]]++] = i;
done:
    return status;
}

/* An area is a tuple of all levels down to its own, so that a finer one lies within a coarser one. Where one member's place is missing, the
 * household's is. */
static Status find_areas(Work *work, Columns geography, int64_t rows, Households *out) {
    Status status = OK;
    out->levels = geography.count;
    NEW(work, out->area, geography.count + 1);
    for (int64_t level = 0; level < geography.count; level++) {
        Classes classes;
        TRY(classes_make(work, (Columns){ level + 1, geography.at }, &classes));
        NEW(work, out->area[level], out->count + 1);
        for (int64_t i = 0; i < rows; i++) {
            int64_t home = out->of[i];
            int32_t area = classes.of[i];
            for (int64_t k = 0; k <= level; k++)
                if (column_missing(geography.at[k], i)) area = -1;
            if (i == out->row[out->start[home]] || area < 0) out->area[level][home] = area;
            if (out->area[level][home] == area || out->area[level][home] < 0) continue;
            fail(work->error, BAD, "this record's household lives in another area");
            error_advice(work->error, "All members of a household must have the same geography.");
            error_row(work->error, i);
            TRY(error_column(work->error, geography.at[level]->name));
        }
    }
done:
    return status;
}

/* Members' tuples sorted; households are then numbered member by member, like words in a trie. Those with no member left keep their number.
 */
static Status find_profiles(Work *work, Columns similar, int64_t rows, Households *out) {
    Status status = OK;
    Classes classes;
    int32_t *value = NULL;
    int64_t *active = NULL, count = 0, made = rows + 1;
    uint64_t *words = NULL;
    NEW(work, out->profile, out->count + 1);
    for (int64_t h = 0; h < out->count; h++) out->profile[h] = (int32_t)household_size(out, h);
    if (!similar.count) goto done;
    TRY(classes_make(work, similar, &classes));
    NEW(work, value, rows + 1);
    NEW(work, active, out->count + 1);
    NEW(work, words, out->count + 1);
    for (int64_t r = 0; r < rows; r++) value[r] = classes.of[out->row[r]];
    for (int64_t h = 0; h < out->count; h++) {
        qsort(value + out->start[h], (size_t)household_size(out, h), sizeof *value, ascending_int32);
        active[count++] = h;
    }
    for (int64_t member = 0; count; member++) {
        Grouping groups;
        int64_t left = 0;
        for (int64_t k = 0; k < count; k++)
            if (household_size(out, active[k]) > member) active[left++] = active[k];
        count = left;
        if (!count) break;
        for (int64_t k = 0; k < count; k++)
            words[k] = (uint64_t)out->profile[active[k]] << 32 | (uint32_t)value[out->start[active[k]] + member];
        TRY(group_words(work, words, 0, count, &groups));
        for (int64_t k = 0; k < count; k++) out->profile[active[k]] = (int32_t)(made + groups.of[k]);
        made += groups.count;
    }
done:
    return status;
}

Status households_make(Work *work, const Column *household, Columns geography, Columns similar, int64_t rows, Households *out) {
    Status status = OK;
    *out = (Households){ 0 };
    TRY(gather(work, household, rows, out));
    TRY(find_areas(work, geography, rows, out));
    TRY(find_profiles(work, similar, rows, out));
done:
    return status;
}
