/* Those whom the sets at hand did not serve: the cheapest records for each, one by one; and where that is not enough, records without any
 * key. */
#include <stdlib.h>
#include "protect/suppress/hide.h"

enum { STEPS = 400 * 1000 * 1000 };

/* A record (or all of a class, which then is open) that could be made to fit, and what that costs. */
typedef struct {
    double price;
    int64_t row, class;
    uint64_t now;
    int64_t count;
} Offer;

static int by_price(const void *a, const void *b) {
    const Offer *x = a, *y = b;
    if ((x->row < 0) != (y->row < 0)) return x->row < 0 ? 1 : -1; /* whole classes last */
    if (x->price != y->price) return x->price < y->price ? -1 : 1;
    return x->class != y->class ? (x->class < y->class ? -1 : 1) : (x->row > y->row) - (x->row < y->row);
}

typedef struct {
    Offer *at;
    int64_t count, room;
} Offers;

static Status offer(Work *work, Offers *o, Offer one) {
    Status status = OK;
    GROW(work, o->at, o->room, o->count + 1);
    o->at[o->count++] = one;
done:
    return status;
}

static Status class_offers(Work *work, const Hide *h, int64_t t, int64_t c, uint64_t differs, Offers *out) {
    Status status = OK;
    int64_t lent = 0, want = h->need[t];
    for (int64_t i = h->start[c]; i < h->start[c + 1]; i++) {
        int64_t r = h->row[i];
        uint64_t lost = h->lost[r] & h->among, now = lost | differs;
        bool whole = lost == h->lacks[c];
        if (hide_is_guest(h, r)) continue;
        if (!(differs & ~lost) || now == h->among) continue; /* it fits already; or it would fit by lacking every key */
        if (h->alike && now == h->lacks[t]) continue;        /* it would equal t */
        if (!h->open[c] && whole && (hide_times(h, r) > 1 || lent >= hide_spare(h, c) || lent >= want)) continue;
        lent += whole;
        TRY(offer(work, out, (Offer){ hide_price(h, now & ~lost), r, c, now, 1 }));
    }
    uint64_t now = h->lacks[c] | differs;
    if (!h->open[c] && h->whole[c] == h->k && !(h->hosts && h->hosts[c]) && now != h->among)
        TRY(offer(work, out, (Offer){ hide_price(h, now & ~h->lacks[c]), -1, c, now, h->whole[c] }));
done:
    return status;
}

static void take(Hide *h, const Offer *o) {
    if (o->row >= 0) {
        hide_move(h, o->row, o->now);
        return;
    }
    hide_open(h, o->class);
    for (int64_t i = h->start[o->class]; i < h->start[o->class + 1]; i++)
        if ((h->lost[h->row[i]] & h->among) == h->lacks[o->class]) hide_move(h, h->row[i], o->now);
}

static Status serve(Work *work, Hide *h, int64_t t) {
    Status status = OK;
    Offers offers = { 0 };
    for (int64_t c = 0; c < h->classes; c++) {
        if (c == t) continue;
        uint64_t differs = hide_differs(h, t, c);
        if (!(differs & h->problem->stratum)) TRY(class_offers(work, h, t, c, differs, &offers));
    }
    if (offers.count) qsort(offers.at, (size_t)offers.count, sizeof *offers.at, by_price);
    for (int64_t i = 0; i < offers.count && h->need[t] > 0; i++) take(h, &offers.at[i]);
done:
    arena_drop(work->arena, offers.at);
    return status;
}

/* The key that is given up first, unless the record would then look like people who must not be seen. */
static uint64_t first_key(const Hide *h, int64_t c, uint64_t lost) {
    uint64_t first = 0;
    for (int64_t i = 0; i < h->problem->keys; i++) {
        uint64_t key = UINT64_C(1) << h->problem->order[i];
        if (!(h->among & ~lost & key)) continue;
        if (!first) first = key;
        if (!hide_alike(h, h->alike ? hide_find(h, lost | key) : -1, c)) return key;
    }
    return first;
}

Status hide_rest(Work *work, Hide *h) {
    Status status = OK;
    double steps = 0;
    for (int64_t t = 0; t < h->classes; t++) {
        if (!h->open[t] || h->need[t] <= 0) continue;
        steps += (double)h->classes * (double)h->problem->keys;
        if (steps > STEPS) break; /* left to hide_settle */
        TRY(work_check(work));
        TRY(serve(work, h, t));
    }
    for (int64_t r = 0; r < h->rows; r++) { /* whoever must lose a key and could serve no one by it */
        uint64_t lost = h->lost[r] & h->among;
        if (!h->open[h->of[r]] || lost != h->lacks[h->of[r]] || lost == h->among) continue;
        hide_move(h, r, lost | first_key(h, h->of[r], lost));
    }
done:
    return status;
}
