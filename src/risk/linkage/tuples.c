/* Tuples of both tables: columns coded alike, records grouped, codes packed into words. */
#include "risk/linkage/tuples.h"
#include "table/group.h"
#include "table/joint.h"

static Status joint_column(Work *work, const Column *original, const Column *released, int64_t rows, int64_t bins, Codes *out) {
    Status status = OK;
    JointCodes joint;
    int32_t *at = NULL;
    TRY(joint_codes(work, original, released, bins, (int32_t)bins, &joint));
    NEW(work, at, 2 * rows);
    for (int t = 0; t < 2; t++)
        for (int64_t i = 0; i < rows; i++) at[t * rows + i] = joint.at[t][i];
    *out = (Codes){ .count = joint.count, .at = at };
    joint_drop(work, &joint);
done:
    return status;
}

/* Columns of most values first: what agrees on them is soon little, and sets with them are no longer walked through all tuples. Codes are
 * all as wide as the largest needs, so that those of two tuples are compared side by side. */
static void lay_out(TupleSet *t) {
    int32_t most = 0;
    for (int64_t j = 0; j < t->columns; j++) {
        if (t->values[j] > most) most = t->values[j];
        t->place[j] = 0;
        for (int64_t i = 0; i < t->columns; i++) t->place[j] += t->values[i] > t->values[j] || (t->values[i] == t->values[j] && i < j);
    }
    t->width = most <= UINT8_MAX ? 8 : most <= UINT16_MAX ? 16 : 32;
    for (int64_t j = 0; j < t->columns; j++) {
        int bit = t->place[j] * t->width, shift = bit % 64;
        t->field[j] = (Field){ 1 + bit / 64, shift, (UINT64_MAX >> (64 - t->width)) << shift };
    }
    t->stride = 1 + (int)blocks_of(t->columns * t->width, 64);
}

Status tuples_make(Work *work, const PairColumns *pair, int64_t rows, int64_t bins, TupleSet *out) {
    Status status = OK;
    Codes all[AGREE_COLUMNS] = { { 0 } };
    Grouping groups;
    *out = (TupleSet){ .columns = pair->original.count, .rows = rows };
    for (int64_t j = 0; j < out->columns; j++) {
        TRY(joint_column(work, pair->original.at[j], pair->released.at[j], rows, bins, &all[j]));
        out->values[j] = all[j].count;
    }
    TRY(group_codes(work, all, out->columns, 2 * rows, &groups));
    arena_drop(work->arena, groups.size);
    lay_out(out);
    out->count = groups.count;
    out->of = groups.of;
    NEW(work, out->line, groups.count * out->stride + 1);
    for (int64_t j = 0; j < out->columns; j++) {
        const Field *f = &out->field[j];
        for (int64_t g = 0; g < groups.count; g++)
            out->line[g * out->stride + f->word] |= (uint64_t)(all[j].at[groups.first[g]] + 1) << f->shift;
        arena_drop(work->arena, (void *)(uintptr_t)all[j].at);
    }
    for (int t = 0; t < 2; t++)
        for (int64_t i = 0; i < rows; i++) out->line[groups.of[t * rows + i] * out->stride] += UINT64_C(1) << 32 * t;
    arena_drop(work->arena, groups.first);
done:
    return status;
}
