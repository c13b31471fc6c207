/* Lists of codes, one for each owner, and which of them are equal. */
#include "classes/code_lists.h"
#include "base/sort.h"
#include "table/group.h"

Status code_lists_make(Work *work, const int32_t *owner, const int32_t *code, int64_t rows, int64_t owners, int64_t codes, CodeLists *out) {
    Status status = OK;
    int64_t *by_code = NULL;
    int32_t *in_code = NULL, *of = NULL, *place = NULL;
    TRY(groups_listed(work, code, rows, codes, &by_code, &in_code));
    NEW(work, of, rows + 1);
    for (int64_t i = 0; i < rows; i++) of[i] = owner[in_code[i]];
    TRY(groups_listed(work, of, rows, owners, &out->start, &place));
    NEW(work, out->item, rows + 1);
    for (int64_t i = 0; i < out->start[owners]; i++) out->item[i] = code[in_code[place[i]]];
    out->count = owners;
done:
    arena_drop(work->arena, by_code);
    arena_drop(work->arena, in_code);
    arena_drop(work->arena, of);
    arena_drop(work->arena, place);
    return status;
}

/* They are compared place by place, those that are alike so far under one number. */
Status code_lists_number(Work *work, const CodeLists *lists, int32_t **of, int64_t *count) {
    Status status = OK;
    Grouping groups = { 0 };
    uint64_t *word = NULL;
    int32_t *active = NULL, *state = NULL, *number = NULL;
    int64_t left = lists->count;
    *count = 0;
    NEW(work, *of, lists->count + 1);
    NEW(work, word, lists->count + 1);
    NEW(work, active, lists->count + 1);
    NEW(work, state, lists->count + 1);
    for (int64_t l = 0; l < left; l++) active[l] = (int32_t)l;
    for (int64_t at = 0; left; at++) {
        int64_t kept = 0;
        for (int64_t i = 0; i < left; i++) {
            const int64_t place = lists->start[active[i]] + at;
            const uint32_t next = place < lists->start[active[i] + 1] ? (uint32_t)lists->item[place] : UINT32_MAX;
            word[i] = (uint64_t)(uint32_t)state[active[i]] << 32 | next;
        }
        TRY(group_words(work, word, 0, left, &groups));
        NEW(work, number, groups.count + 1);
        for (int64_t i = 0; i < left; i++) {
            const int32_t l = active[i], g = groups.of[i];
            if ((uint32_t)word[i] != UINT32_MAX) {
                state[l] = g;
                active[kept++] = l;
                continue;
            }
            if (!number[g]) number[g] = (int32_t)++ * count;
            (*of)[l] = number[g] - 1;
        }
        left = kept;
        grouping_drop(work, &groups);
        arena_drop(work->arena, number);
        TRY(work_check(work));
    }
done:
    arena_drop(work->arena, word);
    arena_drop(work->arena, active);
    arena_drop(work->arena, state);
    return status;
}
