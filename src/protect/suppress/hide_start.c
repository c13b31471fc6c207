/* What is to be hidden for one combination of keys: classes of true keys, and the sets of keys that records may give up. */
#include <stdlib.h>
#include <string.h>
#include "base/sort.h"
#include "protect/suppress/counts.h"
#include "protect/suppress/hide.h"
#include "table/group.h"

enum { PLACES_MOST = 60 * 1000 * 1000, SETS_OF_KEYS_MOST = 8192 };

uint64_t hide_differs(const Hide *h, int64_t a, int64_t b) {
    const Problem *p = h->problem;
    int32_t x = p->of[h->row[h->start[a]]], y = p->of[h->row[h->start[b]]];
    uint64_t differs = 0;
    for (uint64_t left = h->among | p->stratum; left; left &= left - 1) {
        int key = __builtin_ctzll(left);
        if (p->tuples.code[key][x] != p->tuples.code[key][y]) differs |= UINT64_C(1) << key;
    }
    return differs;
}

double hide_price(const Hide *h, uint64_t keys) {
    double sum = 0;
    for (; keys; keys &= keys - 1) sum += h->price[__builtin_ctzll(keys)];
    return sum;
}

int hide_find(const Hide *h, uint64_t set) {
    int low = 0, high = h->sets - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (h->set[middle] == set) return middle;
        if (h->set[middle] < set) low = middle + 1;
        else high = middle - 1;
    }
    return -1;
}

/* A spared key costs more than any number of lesser ones; among equals the key that is given up first, the richest in values, costs a
 * trifle less. */
static void set_prices(Hide *h) {
    const Problem *p = h->problem;
    for (int64_t i = 0; i < p->keys; i++) {
        int key = p->order[i];
        h->price[key] = 1 + 1e-6 * (double)i;
        for (int rank = 0; rank < p->spared[key] && rank < 8; rank++) h->price[key] *= 100;
    }
}

Status hide_classes(Work *work, const Problem *p, uint64_t keys, int32_t **of, int64_t *classes) {
    Status status = OK;
    Codes codes[TUPLE_KEYS];
    Grouping tuples;
    int64_t count = 0;
    for (uint64_t left = keys | p->stratum; left; left &= left - 1, count++) {
        int key = __builtin_ctzll(left);
        codes[count] = (Codes){ .count = p->tuples.values[key], .at = p->tuples.code[key] };
    }
    TRY(group_codes(work, codes, count, p->tuples.count, &tuples)); /* a missing key has the code -1: a value of its own */
    NEW(work, *of, p->rows + 1);
    for (int64_t i = 0; i < p->rows; i++) (*of)[i] = tuples.of[p->of[i]];
    *classes = tuples.count;
done:
    return status;
}

void hide_count_whole(Hide *h) {
    memset(h->whole, 0, (size_t)h->classes * sizeof *h->whole);
    memset(h->light, 0, (size_t)h->classes * sizeof *h->light);
    for (int64_t i = 0; i < h->rows; i++) {
        int32_t c = hide_is_guest(h, i) ? h->guest[i] : h->of[i];
        if ((h->lost[i] & h->among) != h->lacks[c]) continue;
        h->whole[c] += hide_times(h, i);
        if (c != h->of[i]) continue; /* guests are not lent */
        h->light[c] += hide_times(h, i) == 1;
    }
    for (int64_t c = 0; c < h->classes; c++) h->open[c] = h->whole[c] < h->k;
}

Status hide_start(Work *work, const Problem *p, Combination combination, Board *board, uint64_t *lost, Hide *h) {
    Status status = OK;
    *h = (Hide){ .problem = p, .board = board, .among = combination.keys, .k = combination.k, .lost = lost, .rows = p->rows };
    set_prices(h);
    TRY(hide_classes(work, p, h->among, &h->of, &h->classes));
    TRY(groups_listed(work, h->of, h->rows, h->classes, &h->start, &h->row));
    NEW(work, h->before, h->rows + 1);
    NEW(work, h->lacks, h->classes + 1);
    NEW(work, h->size, h->classes + 1);
    NEW(work, h->whole, h->classes + 1);
    NEW(work, h->light, h->classes + 1);
    NEW(work, h->open, h->classes + 1);
    NEW(work, h->need, h->classes + 1);
    if (h->rows) memcpy(h->before, lost, (size_t)h->rows * sizeof *h->before);
    for (int64_t i = 0; i < h->rows; i++) h->lacks[h->of[i]] = p->tuples.lacks[p->of[i]] & h->among;
    for (int64_t i = 0; i < h->rows; i++) h->size[h->of[i]] += hide_times(h, i);
    hide_count_whole(h);
    for (int64_t c = 0; c < h->classes; c++) {
        h->opens += h->open[c];
        if (h->open[c]) h->need[c] = h->k - h->size[c];
    }
    NEW(work, h->want, h->classes + 1);
    NEW(work, h->found, h->classes + 1);
done:
    return status;
}

static int ascending(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sets of keys from the smallest and the largest inwards while there is room: small ones cost little, large ones serve many. */
static Status list_sets(Work *work, Hide *h) {
    Status status = OK;
    int key[TUPLE_KEYS], keys = 0;
    double places = 0;
    for (uint64_t left = h->among; left; left &= left - 1) key[keys++] = __builtin_ctzll(left);
    NEW(work, h->set, SETS_OF_KEYS_MOST + 1);
    for (int step = 0; step < keys - 1; step++) {
        int size = step % 2 ? keys - 1 - step / 2 : 1 + step / 2;
        double sets = choose(keys, size);
        places += h->board ? sets * (double)h->classes : 0;
        if (h->sets + sets > SETS_OF_KEYS_MOST || (step && places > PLACES_MOST)) break;
        for (uint64_t at = low_bits(size), end = keys < 64 ? UINT64_C(1) << keys : 0; at < end; at = next_set(at)) {
            uint64_t set = 0;
            for (uint64_t left = at; left; left &= left - 1) set |= UINT64_C(1) << key[__builtin_ctzll(left)];
            h->set[h->sets++] = set;
        }
    }
    if (h->sets) qsort(h->set, (size_t)h->sets, sizeof *h->set, ascending);
    NEW(work, h->cost, h->sets + 1);
    for (int s = 0; s < h->sets; s++) h->cost[s] = hide_price(h, h->set[s]);
done:
    return status;
}

/* What others have lost already serves from the start. */
static Status count_before(Work *work, Hide *h) {
    Status status = OK;
    TRY(hide_views(work, h));
    for (int64_t i = 0; i < h->rows; i++) {
        const int32_t *member;
        uint64_t lost = h->lost[i] & h->among;
        int64_t members = lost && lost != h->among ? hide_members(h, h->of[i], lost, &member) : 0;
        for (int64_t m = 0; m < members; m++)
            if (member[m] != h->of[i]) h->need[member[m]] -= hide_times(h, i);
    }
    for (int64_t c = 0; c < h->classes; c++)
        if (h->open[c] && h->need[c] > 0) h->want[h->wants++] = (int32_t)c;
done:
    return status;
}

Status hide_begin(Work *work, Hide *h) {
    Status status = OK;
    TRY(hide_pack(work, h));
    TRY(list_sets(work, h));
    TRY(count_before(work, h));
done:
    return status;
}
