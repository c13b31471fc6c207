/* Rolls as bytes: saved and loaded. */
#include <stdlib.h>
#include <string.h>
#include "aggregate/tuple_counts_private.h"

/* ---- as bytes ---- */

static void put_key(Buffer *out, const TupleCounts *roll, int64_t key) {
    const Dictionary *ordered = roll->ordered[key];
    pack_text(out, roll->name[key]);
    pack_word(out, (uint64_t)roll->type[key]);
    pack_word(out, ordered ? (uint64_t)ordered->count + 1 : 0);
    for (int32_t i = 0; ordered && i < ordered->count; i++) pack_text(out, ordered->word[i]);
}

static void put_tuple(Buffer *out, TupleCounts *roll, int64_t i) {
    pack_word(out, roll->length[i]);
    buffer_add(out, roll->bytes.bytes ? roll->bytes.bytes + roll->at[i] : "", roll->length[i]);
    pack_word(out, (uint64_t)roll->times[i]);
    pack_word(out, (uint64_t)roll->first[i]);
    if (roll->weighted) {
        pack_word(out, (uint64_t)roll->weight[i]);
        pack_word(out, (uint64_t)(roll->weight[i] >> 64));
    }
    if (roll->apart) pack_word(out, (uint64_t)roll->early[i].count);
    for (int64_t e = 0; roll->apart && e < roll->early[i].count; e++) pack_word(out, (uint64_t)roll->early[i].at[e]);
    for (int64_t s = 0; s < roll->sums; s++) {
        ExactSum *sum = &roll->sum[i * roll->sums + s];
        exact_sum_normalize(sum);
        for (int d = 0; d < EXACT_DIGITS; d++) pack_word(out, (uint64_t)sum->digit[d]);
        pack_word(out, (uint64_t)sum->infinite);
    }
}

/* In the order of first records, which no cut into parts changes. */
void tuple_counts_save(TupleCounts *roll, Buffer *out) { tuple_counts_save_piece(roll, 0, 1, out); }

void tuple_counts_save_piece(TupleCounts *roll, int64_t piece, int64_t pieces, Buffer *out) {
    int64_t count = 0;
    early_sort(roll);
    FirstPlace *places = malloc(((size_t)roll->count + 1) * sizeof *places);
    out->failed |= !places;
    pack_word(out, (uint64_t)roll->keys);
    pack_word(out, (uint64_t)roll->sums);
    pack_word(out, (uint64_t)roll->apart);
    pack_word(out, real_bits(roll->share));
    pack_word(out, (uint64_t)roll->weighted + 2 * (uint64_t)roll->known + 4 * (uint64_t)roll->signs + 8 * (uint64_t)roll->lots +
                       16 * (uint64_t)roll->head);
    for (int64_t k = 0; roll->known && k < roll->keys; k++) put_key(out, roll, k);
    for (int64_t i = 0; places && i < roll->count; i++)
        if (roll_piece(roll->hash[i], pieces) == piece) places[count++] = (FirstPlace){ roll->first[i], i };
    pack_word(out, (uint64_t)count);
    if (places) qsort(places, (size_t)count, sizeof *places, first_before);
    for (int64_t i = 0; places && i < count; i++) put_tuple(out, roll, places[i].tuple);
    free(places);
}

static bool get_key(const char **at, const char *end, TupleCounts *roll, int64_t key) {
    uint64_t type, words;
    if (!unpack_text(at, end, &roll->name[key]) || !unpack_word(at, end, &type) || !unpack_word(at, end, &words)) return false;
    if (type > DATETIME_TYPE || words > (uint64_t)(end - *at) / 8 + 1 || words > INT32_MAX) return false;
    roll->type[key] = (Type)type;
    if (!words) return true;
    char **word = calloc(words, sizeof *word);
    bool good = word != NULL;
    for (uint64_t i = 0; good && i + 1 < words; i++) good = unpack_text(at, end, &word[i]);
    good = good && !dictionary_new((const char *const *)word, (int32_t)words - 1, true, &roll->ordered[key], NULL);
    for (uint64_t i = 0; word && i + 1 < words; i++) free(word[i]);
    free(word);
    return good;
}

static bool code_right(const char **at, const char *end) {
    CodeValue code;
    char *text = NULL;
    bool right = unpack_code(at, end, &code, &text);
    free(text);
    return right;
}

/* Do these bytes hold as many cells as there are keys, each of its type? */
static bool tuple_right(const TupleCounts *roll, const char *at, const char *end) {
    for (int64_t k = 0; k < roll->keys; k++) {
        uint64_t word;
        if (at == end || (unsigned char)*at > MISSING_BY_CODE) return false;
        const char kind = *at++;
        if (kind == MISSING_BY_CODE && !code_right(&at, end)) return false;
        if (kind != 1) continue;
        if (!unpack_word(&at, end, &word)) return false;
        if (roll->type[k] != CATEGORY_TYPE) continue;
        if (word > (uint64_t)(end - at) || word > INT32_MAX || memchr(at, 0, word)) return false;
        at += word;
    }
    return at == end;
}

static bool get_sum(const char **at, const char *end, ExactSum *sum) {
    uint64_t word;
    for (int d = 0; d <= EXACT_DIGITS; d++) {
        if (!unpack_word(at, end, &word)) return false;
        if (d == EXACT_DIGITS) sum->infinite = (int64_t)word;
        else if (d + 1 < EXACT_DIGITS && word >> 32) return false;
        else sum->digit[d] = (int64_t)word;
    }
    return true;
}

static bool get_tuple(const char **at, const char *end, TupleCounts *roll) {
    uint64_t length, times, first, low, high;
    int64_t tuple, before = roll->count;
    if (!unpack_word(at, end, &length) || length > (uint64_t)(end - *at) || !tuple_right(roll, *at, *at + length)) return false;
    if (tuple_counts_tuple(roll, *at, length, &tuple, NULL) || roll->count == before) return false;
    *at += length;
    if (!unpack_word(at, end, &times) || !unpack_word(at, end, &first)) return false;
    if (times < (roll->sums ? 0 : 1) || times > INT64_MAX || first > INT64_MAX) return false;
    roll->times[tuple] = (int64_t)times;
    roll->first[tuple] = (int64_t)first;
    if (roll->weighted) {
        if (!unpack_word(at, end, &low) || !unpack_word(at, end, &high)) return false;
        roll->weight[tuple] = (WeightSum)((unsigned __int128)high << 64 | low);
    }
    if (roll->apart && !early_get(at, end, roll, tuple)) return false;
    for (int64_t s = 0; s < roll->sums; s++)
        if (!get_sum(at, end, &roll->sum[tuple * roll->sums + s])) return false;
    return true;
}

static bool get_roll(const char **at, const char *end, TupleCounts **out) {
    uint64_t keys, sums, apart, share, flags, count;
    if (!unpack_word(at, end, &keys) || !unpack_word(at, end, &sums) || !unpack_word(at, end, &apart) || !unpack_word(at, end, &share) ||
        !unpack_word(at, end, &flags))
        return false;
    if (share > UINT64_C(0x3FF0000000000000) || keys > 4096 || sums > 1 << 20 || apart > INT64_MAX || flags > 31 ||
        ((flags & 16) && ((flags & 9) || sums || !apart)) || /* a head counts records alone */

        tuple_counts_new((int64_t)keys, (int64_t)sums, flags & 1, out, NULL))
        return false;
    for (int64_t k = 0; (flags & 2) && k < (int64_t)keys; k++)
        if (!get_key(at, end, *out, k)) return false;
    (*out)->known = flags & 2;
    (*out)->signs = flags & 4;
    (*out)->lots = flags & 8;
    (*out)->head = flags & 16;
    memcpy(&(*out)->share, &share, 8);
    (*out)->apart = (int64_t)apart;
    if (!unpack_word(at, end, &count) || (count && !(*out)->known)) return false;
    for (uint64_t i = 0; i < count; i++)
        if (!get_tuple(at, end, *out)) return false;
    return true;
}

Status tuple_counts_load(const char **at, const char *end, TupleCounts **out, Error *error) {
    *out = NULL;
    if (get_roll(at, end, out)) return OK;
    tuple_counts_free(*out);
    *out = NULL;
    return fail(error, BAD, "this state is broken, or memory is out");
}
