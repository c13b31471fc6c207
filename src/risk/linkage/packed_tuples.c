/* Tuples of both tables: columns coded alike, records grouped, codes packed into words. */
#include "risk/linkage/packed_tuples.h"
#include "table/group.h"
#include "classes/joint_codes.h"

/* Codes + 1 of both tables, the original's first, in as few bytes as hold them: missing is 0. */
typedef struct Coded {
    int bytes;
    int32_t count;
    void *at;
} Coded;
static inline uint32_t coded_at(const Coded *c, int64_t i) {
    return c->bytes == 1 ? ((const uint8_t *)c->at)[i] : c->bytes == 2 ? ((const uint16_t *)c->at)[i] : ((const uint32_t *)c->at)[i];
}

static Status joint_column(Work *work, const Column *original, const Column *released, int64_t rows, int64_t bins, Coded *out) {
    Status status = OK;
    JointCodes joint;
    TRY(joint_codes(work, original, released, bins, (int32_t)bins, &joint));
    *out = (Coded){ .bytes = joint.count <= UINT8_MAX ? 1 : joint.count <= UINT16_MAX ? 2 : 4, .count = joint.count };
    TRY(arena_array(work->arena, 2 * rows + 1, (size_t)out->bytes, &out->at, work->error));
    for (int t = 0; t < 2; t++)
        for (int64_t i = 0; i < rows; i++) {
            const uint32_t code = (uint32_t)(joint.at[t][i] + 1);
            if (out->bytes == 1) ((uint8_t *)out->at)[t * rows + i] = (uint8_t)code;
            else if (out->bytes == 2) ((uint16_t *)out->at)[t * rows + i] = (uint16_t)code;
            else ((uint32_t *)out->at)[t * rows + i] = code;
        }
    joint_drop(work, &joint);
done:
    return status;
}

typedef struct Packing {
    const Coded *column;
    uint64_t *word;
    uint64_t times;
} Packing;

static Status pack_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Packing *p = self;
    (void)block, (void)error;
    for (int64_t i = first; i < last; i++) p->word[i] = p->word[i] * p->times + coded_at(p->column, i);
    return OK;
}

/* Records of both tables by all columns: where one more does not fit a word, the groups so far take their place in it. */
static Status group_coded(Work *work, const Coded *column, int64_t columns, int64_t rows, Grouping *out) {
    Status status = OK;
    uint64_t *word = NULL, range = 1;
    NEW(work, word, rows + 1);
    for (int64_t j = 0; j < columns; j++) {
        Packing packing = { &column[j], word, (uint64_t)column[j].count + 1 };
        if (__builtin_mul_overflow(range, packing.times, &range)) {
            TRY(group_words(work, word, 0, rows, out));
            for (int64_t i = 0; i < rows; i++) word[i] = (uint64_t)out->of[i];
            range = (uint64_t)out->count * packing.times;
            arena_drop(work->arena, out->of);
            arena_drop(work->arena, out->first);
            arena_drop(work->arena, out->size);
        }
        TRY(parallel_for(work, rows, 1 << 14, pack_block, &packing));
    }
    TRY(group_words(work, word, range, rows, out));
done:
    arena_drop(work->arena, word);
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
    Coded all[AGREE_COLUMNS] = { { 0 } };
    Grouping groups;
    *out = (TupleSet){ .columns = pair->original.count, .rows = rows };
    for (int64_t j = 0; j < out->columns; j++) {
        TRY(joint_column(work, pair->original.at[j], pair->released.at[j], rows, bins, &all[j]));
        out->values[j] = all[j].count;
    }
    TRY(group_coded(work, all, out->columns, 2 * rows, &groups));
    arena_drop(work->arena, groups.size);
    lay_out(out);
    out->count = groups.count;
    out->of = groups.of;
    NEW(work, out->line, groups.count * out->stride + 1);
    for (int64_t j = 0; j < out->columns; j++) {
        const Field *f = &out->field[j];
        for (int64_t g = 0; g < groups.count; g++)
            out->line[g * out->stride + f->word] |= (uint64_t)coded_at(&all[j], groups.first[g]) << f->shift;
        arena_drop(work->arena, all[j].at);
    }
    for (int t = 0; t < 2; t++)
        for (int64_t i = 0; i < rows; i++) out->line[groups.of[t * rows + i] * out->stride] += UINT64_C(1) << 32 * t;
    arena_drop(work->arena, groups.first);
done:
    return status;
}

void tuple_set_drop(Work *work, TupleSet *t) {
    arena_drop(work->arena, t->line);
    arena_drop(work->arena, (int32_t *)(uintptr_t)t->of);
    *t = (TupleSet){ 0 };
}
