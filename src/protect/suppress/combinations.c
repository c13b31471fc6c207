/* Combinations of keys with thresholds of their own, from text. */
#include <string.h>
#include "base/number_text.h"
#include "protect/suppress/suppress.h"

enum { MOST = 100000 };

static Status add(Work *work, Combinations *to, int64_t *room, uint64_t keys, int64_t k) {
    Status status = OK;
    for (int64_t i = 0; i < to->count; i++) {
        if (to->at[i].keys != keys) continue;
        if (k > to->at[i].k) to->at[i].k = k;
        return OK;
    }
    if (to->count == MOST) TRY(fail(work->error, BAD, "asks for more than %d combinations of keys", MOST));
    GROW(work, to->at, *room, to->count + 1);
    to->at[to->count++] = (Combination){ keys, k };
done:
    return status;
}

/* All sets of `size` among the keys, by Gosper's step from one to the next. */
static Status add_all(Work *work, Combinations *to, int64_t *room, int64_t keys, int64_t size, int64_t k) {
    Status status = OK;
    uint64_t set = low_bits(size), end = keys >= 64 ? 0 : UINT64_C(1) << keys;
    if (keys >= 64) TRY(fail(work->error, BAD, "needs fewer than 64 keys"));
    while (set < end) {
        TRY(add(work, to, room, set, k));
        uint64_t low = set & -set, ripple = set + low;
        set = (((ripple ^ set) >> 2) / low) | ripple;
    }
done:
    return status;
}

static int64_t find_key(Columns keys, const char *name, size_t length) {
    for (int64_t key = 0; key < keys.count; key++)
        if (strlen(keys.at[key]->name) == length && !memcmp(keys.at[key]->name, name, length)) return key;
    return -1;
}

static Status named_keys(Work *work, Columns keys, const char *text, size_t length, uint64_t *out) {
    int64_t whole = find_key(keys, text, length);
    *out = whole >= 0 ? UINT64_C(1) << whole : 0;
    if (whole >= 0) return OK;
    for (const char *at = text, *end = text + length; at < end;) {
        const char *plus = memchr(at, '+', (size_t)(end - at));
        size_t part = (size_t)((plus ? plus : end) - at);
        int64_t key = find_key(keys, at, part);
        if (key < 0) {
            fail(work->error, BAD, "names '%.*s', which is not among the keys", (int)part, at);
            return error_advice(
                work->error,
                "A combination is a number of keys (2, 3) or keys joined by +, with its threshold after a colon: 2:5, sex+age:10.");
        }
        *out |= UINT64_C(1) << key;
        at += part + 1;
    }
    return OK;
}

/* "…:5": its own threshold; else k. A colon may be part of a name. */
static int64_t threshold_of(const char *text, int64_t k, size_t *length) {
    const char *colon = strrchr(text, ':');
    int64_t own;
    *length = strlen(text);
    if (!colon || !read_integer(colon + 1, text + strlen(text), &own) || own < 2) return k;
    *length = (size_t)(colon - text);
    return own;
}

int64_t combinations_most(const Texts *texts, int64_t k) {
    int64_t most = k;
    size_t length;
    for (int64_t i = 0; i < texts->count; i++) {
        int64_t own = threshold_of(texts->at[i], k, &length);
        if (own > most) most = own;
    }
    return most;
}

Status combinations_make(Work *work, Columns keys, const Texts *texts, int64_t k, Combinations *out) {
    Status status = OK;
    int64_t room = 0;
    *out = (Combinations){ 0 };
    if (!texts->count) TRY(add(work, out, &room, low_bits(keys.count), k));
    for (int64_t i = 0; i < texts->count; i++) {
        const char *text = texts->at[i];
        size_t length;
        int64_t own = threshold_of(text, k, &length), size;
        uint64_t named;
        if (read_integer(text, text + length, &size)) {
            if (size < 1 || size > keys.count)
                TRY(fail(work->error, BAD, "asks for combinations of %lld keys, and there are %lld", (long long)size,
                         (long long)keys.count));
            TRY(add_all(work, out, &room, keys.count, size, own));
        } else {
            TRY(named_keys(work, keys, text, length, &named));
            TRY(add(work, out, &room, named, own));
        }
    }
done:
    if (status) error_parameter(work->error, "combinations");
    return status;
}
