/* Pools of free households, from which used ones drop out as they are met. */
#include "protect/target_swap/pool.h"

enum { TRIES = 32 };

Status pool_make(Work *work, const uint64_t *words, int64_t count, const int32_t *area, const uint8_t *used, Pool *out) {
    Status status = OK;
    *out = (Pool){ .area = area, .used = used };
    TRY(group_words(work, words, 0, count, &out->kinds));
    NEW(work, out->start, out->kinds.count + 1);
    NEW(work, out->left, out->kinds.count + 1);
    NEW(work, out->only, out->kinds.count + 1);
    NEW(work, out->member, count + 1);
    for (int64_t k = 0; k < out->kinds.count; k++) {
        out->start[k + 1] = out->start[k] + out->kinds.size[k];
        out->only[k] = -1;
    }
    for (int64_t h = 0; h < count; h++)
        if (!used[h]) out->member[out->start[out->kinds.of[h]] + out->left[out->kinds.of[h]]++] = h;
done:
    return status;
}

static void drop_used(Pool *pool, int64_t kind) {
    int64_t *member = pool->member + pool->start[kind], left = 0;
    for (int64_t k = 0; k < pool->left[kind]; k++)
        if (!pool->used[member[k]]) member[left++] = member[k];
    pool->left[kind] = left;
}

/* Random tries find one unless nearly all that are left live in one area; then all are looked at, from a random place on. Where that finds
 * none either, all that are left live in this area, and no later draw of this kind needs to look. */
int64_t pool_draw(Pool *pool, RandomReader *reader, int64_t household) {
    int64_t kind = pool->kinds.of[household], *member = pool->member + pool->start[kind];
    int32_t here = pool->area[household];
    if (pool->only[kind] == here) return -1;
    for (int tries = 0; tries < TRIES && pool->left[kind]; tries++) {
        int64_t at = (int64_t)reader_below(reader, (uint64_t)pool->left[kind]), other = member[at];
        if (pool->used[other]) member[at] = member[--pool->left[kind]];
        else if (pool->area[other] != here) return other;
    }
    drop_used(pool, kind);
    int64_t left = pool->left[kind], begin = left ? (int64_t)reader_below(reader, (uint64_t)left) : 0;
    for (int64_t k = 0; k < left; k++) {
        int64_t other = member[(begin + k) % left];
        if (pool->area[other] != here) return other;
    }
    pool->only[kind] = here;
    return -1;
}
