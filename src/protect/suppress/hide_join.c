/* People who lack keys from the start: their records may stay as they are where those of others are blanked until k look alike. Records
 * that must lose a key anyhow do it for nothing. */
#include <stdlib.h>
#include "base/sort.h"
#include "protect/suppress/hide.h"

/* One class that could be spared, by what it takes. */
typedef struct {
    int64_t class, wants;
    uint64_t lacks;
} Host;

static int fewest_first(const void *a, const void *b) {
    const Host *x = a, *y = b;
    if (x->wants != y->wants) return x->wants < y->wants ? -1 : 1;
    if (x->lacks != y->lacks) return x->lacks < y->lacks ? -1 : 1;
    return (x->class > y->class) - (x->class < y->class);
}

/* The classes by what they have outside the keys that a host lacks. */
typedef struct {
    uint64_t lacks;
    int32_t *of;
    int64_t *first;
    int32_t *member;
} Around;

static Status make_around(Work *work, const Hide *h, uint64_t lacks, Around *out) {
    Status status = OK;
    int64_t groups;
    *out = (Around){ .lacks = lacks };
    TRY(hide_group(work, h, lacks, &out->of, &groups));
    TRY(groups_listed(work, out->of, h->classes, groups, &out->first, &out->member));
done:
    return status;
}

static void drop_around(Work *work, Around *a) {
    arena_drop(work->arena, a->of);
    arena_drop(work->arena, a->first);
    arena_drop(work->arena, a->member);
}

static bool is_free(const Hide *h, int64_t r) {
    return h->guest[r] < 0 && (h->lost[r] & h->among) == h->lacks[h->of[r]] && hide_times(h, r) == 1;
}

/* What a record of class u pays to look like a host that lacks `lacks`, beyond the one key that an open class loses anyhow: -1 where it
 * cannot. Classes that are hosts themselves stay whole. */
static int64_t pays(const Hide *h, int64_t u, int64_t t, uint64_t lacks) {
    if (u == t || (h->lacks[u] & ~lacks) || h->lacks[u] == lacks || h->hosts[u]) return -1;
    return __builtin_popcountll(lacks & ~h->lacks[u]) - (h->open[u] ? 1 : 0);
}

/* Records that would come for `price`, at most so many; taken where `take`. A safe class keeps k of its own. */
static int64_t come(Hide *h, const Around *around, int64_t t, int64_t price, int64_t wants, bool take) {
    int64_t came = 0, g = around->of[t];
    for (int64_t m = around->first[g]; m < around->first[g + 1] && came < wants; m++) {
        int64_t u = around->member[m];
        if (pays(h, u, t, around->lacks) != price) continue;
        int64_t spare = h->open[u] ? h->rows : hide_spare(h, u);
        for (int64_t i = h->start[u]; i < h->start[u + 1] && came < wants && spare > 0; i++) {
            int64_t r = h->row[i];
            if (!is_free(h, r)) continue;
            came++;
            spare--;
            if (!take) continue;
            hide_set(h, r, h->lost[r] | around->lacks);
            h->guest[r] = (int32_t)t;
            h->whole[u]--;
            h->light[u]--;
            h->whole[t]++;
        }
    }
    return came;
}

/* A host's own records would lose a key each: worth it where the others together lose fewer beyond what they must. */
static void invite(Hide *h, const Around *around, int64_t t) {
    enum { DEAREST = 2 };
    int64_t own = 0, wants, paid = 0, found = 0;
    for (int64_t i = h->start[t]; i < h->start[t + 1]; i++) {
        if ((h->lost[h->row[i]] & h->among) != h->lacks[t]) return; /* one of them has gone to another already */
        own += hide_times(h, h->row[i]);
    }
    wants = h->k - h->whole[t];
    for (int64_t price = 0; price <= DEAREST && found < wants; price++) {
        int64_t came = come(h, around, t, price, wants - found, false);
        found += came;
        paid += came * price;
    }
    if (found < wants || paid >= own) return;
    for (int64_t price = 0; price <= DEAREST && wants > 0; price++) wants -= come(h, around, t, price, wants, true);
    h->open[t] = 0;
    h->opens--;
    h->need[t] = 0;
    h->hosts[t] = 1;
}

Status hide_join(Work *work, Hide *h) {
    Status status = OK;
    Host *host = NULL;
    int64_t hosts = 0;
    Around around = { 0 };
    NEW(work, host, h->classes + 1);
    NEW(work, h->guest, h->rows + 1);
    NEW(work, h->hosts, h->classes + 1);
    for (int64_t i = 0; i < h->rows; i++) h->guest[i] = -1;
    for (int64_t c = 0; c < h->classes; c++)
        if (h->open[c] && h->lacks[c] && h->lacks[c] != h->among && h->whole[c] == h->size[c])
            host[hosts++] = (Host){ c, h->k - h->size[c], h->lacks[c] };
    if (hosts) qsort(host, (size_t)hosts, sizeof *host, fewest_first);
    for (int64_t i = 0; i < hosts && !problem_late(h->problem); i++) {
        if (around.lacks != h->lacks[host[i].class]) {
            drop_around(work, &around);
            TRY(work_check(work));
            TRY(make_around(work, h, h->lacks[host[i].class], &around));
        }
        invite(h, &around, host[i].class);
    }
done:
    drop_around(work, &around);
    arena_drop(work->arena, host);
    return status;
}
