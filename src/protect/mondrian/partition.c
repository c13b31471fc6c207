/* Mondrian (LeFevre et al. 2006): cut along the key that is widest, at the median or as near to it as the promise lets. */
#include "protect/mondrian/partition.h"
#include <string.h>
#include "base/elementary.h"

enum { CUTS = 8 }; /* cuts tried along one key, from the median outwards, where more than a count must hold */

typedef struct {
    int64_t first, last;
} Range;

typedef struct {
    Partition *p;
    Work *work;
    Range *stack;
    int64_t depth, room;
    int64_t ends;   /* capacity of start */
    int64_t *count; /* by code of the key at hand, zero between uses */
    int32_t *code;  /* place, key → code of the row there: those of a row side by side */
    int32_t *other_code;
    int64_t *other; /* room for sorting rows */
    uint64_t *from, *to;
    int32_t *low, *high; /* key → the least and the greatest code */
    int64_t *tally_count, *sort, *count_of;
    int32_t *tally_value;
    double *numbers;
} Cutter;

/* ---- the promise ---- */

static Tally tally_rows(Cutter *c, const Codes *sensitive, const int64_t *row, int64_t count) {
    Tally tally = { .total = count, .value = c->tally_value, .count = c->tally_count };
    for (int64_t i = 0; i < count; i++) c->count_of[partition_code(sensitive, row[i])]++;
    for (int32_t value = 0; value <= sensitive->count; value++) {
        if (!c->count_of[value]) continue;
        c->tally_value[tally.distinct] = value;
        c->tally_count[tally.distinct++] = c->count_of[value];
        c->count_of[value] = 0;
    }
    return tally;
}

static bool keeps(Cutter *c, const int64_t *row, int64_t count) {
    const Promise *m = c->p->promise;
    if (count < m->k) return false;
    for (int64_t j = 0; j < m->sensitives; j++) {
        Tally tally = tally_rows(c, &m->sensitive[j], row, count), present = tally_present(tally, m->sensitive[j].count);
        bool asked = m->l > 0 && present.distinct;
        if (asked && m->definition == 0 && (double)present.distinct < m->l) return false;
        if (asked && m->definition == 1 && entropy_l(&present) < m->l * (1 - 1e-12)) return false;
        if (asked && m->definition == 2 && (double)recursive_l(&present, m->c, c->sort) < m->l) return false;
        if (!isnan(m->t) && closeness_of(&m->closeness[j], &tally, c->numbers) > m->t + 1e-12) return false;
    }
    return true;
}

/* ---- cutting ---- */

static int32_t code_of(const Cutter *c, int64_t place, int64_t key) { return c->code[place * c->p->keys + key]; }

/* Few rows of many values: by the bytes of what their codes are above the lowest, the last byte first. The order ends in c->from. */
static void order_by_bytes(Cutter *c, int64_t n, uint64_t spread) {
    for (int shift = 32; spread; shift += 8, spread >>= 8) {
        int64_t start[257] = { 0 };
        uint64_t *from = c->from, *to = c->to;
        for (int64_t i = 0; i < n; i++) start[(from[i] >> shift & 255) + 1]++;
        for (int v = 0; v < 256; v++) start[v + 1] += start[v];
        for (int64_t i = 0; i < n; i++) to[start[from[i] >> shift & 255]++] = from[i];
        c->from = to;
        c->to = from;
    }
}

/* Few values: each row goes to the next place of its own; c->count ends as it began. */
static void order_by_counts(Cutter *c, int64_t n, uint64_t spread) {
    int64_t at = 0;
    for (int64_t i = 0; i < n; i++) c->count[c->from[i] >> 32]++;
    for (uint64_t v = 0; v <= spread; v++) {
        int64_t count = c->count[v];
        c->count[v] = at;
        at += count;
    }
    for (int64_t i = 0; i < n; i++) c->to[c->count[c->from[i] >> 32]++] = c->from[i];
    memset(c->count, 0, (spread + 1) * sizeof *c->count);
    uint64_t *swap = c->from;
    c->from = c->to;
    c->to = swap;
}

static void order_few(Cutter *c, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        uint64_t one = c->from[i];
        int64_t j = i;
        for (; j > 0 && c->from[j - 1] > one; j--) c->from[j] = c->from[j - 1];
        c->from[j] = one;
    }
}

/* Sorts the rows of a range by their code of one key, keeping their order otherwise. Their codes move along: a range is read from front to
 * end, however its rows lie in the table. */
static void sort_rows(Cutter *c, Range r, int64_t key, int32_t low, int32_t high) {
    enum { FEW = 24 };
    const int64_t n = r.last - r.first, keys = c->p->keys;
    const uint64_t spread = (uint64_t)high - (uint64_t)low;
    int64_t *row = c->p->row + r.first;
    int32_t *code = c->code + r.first * keys;
    for (int64_t i = 0; i < n; i++) c->from[i] = (uint64_t)(code[i * keys + key] - low) << 32 | (uint64_t)i;
    if (n <= FEW) order_few(c, n);
    else if (spread / 2 > (uint64_t)n) order_by_bytes(c, n, spread);
    else order_by_counts(c, n, spread);
    for (int64_t i = 0; i < n; i++) {
        const int64_t old = (int64_t)(uint32_t)c->from[i];
        c->other[i] = row[old];
        for (int64_t k = 0; k < keys; k++) c->other_code[i * keys + k] = code[old * keys + k];
    }
    memcpy(row, c->other, (size_t)n * sizeof *row);
    memcpy(code, c->other_code, (size_t)(n * keys) * sizeof *code);
}

/* Where the sorted range may be cut: strictly only between two values. Tries from the median outwards; 0 = nowhere. */
static int64_t find_cut(Cutter *c, Range r, int64_t key) {
    const int64_t *row = c->p->row;
    int64_t n = r.last - r.first, middle = r.first + n / 2, tried = 0, k = c->p->promise->k;
    if (c->p->relaxed)
        return n >= 2 * k && keeps(c, row + r.first, middle - r.first) && keeps(c, row + middle, r.last - middle) ? middle : 0;
    for (int64_t step = 0; step <= n / 2 + 1; step++)
        for (int side = 0; side < (step ? 2 : 1); side++) {
            int64_t at = side ? middle - step : middle + step;
            if (at - r.first < k || r.last - at < k || code_of(c, at - 1, key) == code_of(c, at, key)) continue;
            if (keeps(c, row + r.first, at - r.first) && keeps(c, row + at, r.last - at)) return at;
            if (++tried == CUTS) return 0;
        }
    return 0;
}

/* ---- where a count alone must hold: parted at the median, not sorted ---- */

/* The code that would stand at `nth` if these were sorted; they are put into another order. */
static uint32_t select_code(uint32_t *code, int64_t count, int64_t nth) {
    int64_t first = 0, last = count - 1;
    while (first < last) {
        uint32_t a = code[first], b = code[first + (last - first) / 2], d = code[last];
        uint32_t pivot = a < b ? (b < d ? b : a < d ? d : a) : (a < d ? a : b < d ? d : b);
        int64_t i = first - 1, j = last + 1;
        for (;;) {
            do i++;
            while (code[i] < pivot);
            do j--;
            while (code[j] > pivot);
            if (i >= j) break;
            uint32_t keep = code[i];
            code[i] = code[j];
            code[j] = keep;
        }
        if (nth <= j) last = j;
        else first = j + 1;
    }
    return code[nth];
}

typedef struct {
    uint32_t value;         /* above the lowest */
    int64_t below, through; /* codes below it, and up to it */
} Median;

/* By the leading bits of what codes are above the lowest, then among those that share the median's; few codes at once. */
static Median median_of(Cutter *c, Range r, int64_t key, int32_t low, uint32_t spread) {
    enum { BUCKETS = 1 << 11, FEW = 256 };
    const int64_t n = r.last - r.first, keys = c->p->keys;
    const int32_t *code = c->code + r.first * keys + key;
    uint32_t *some = (uint32_t *)c->from, start[BUCKETS], bucket = 0;
    int shift = n > FEW ? 0 : 32;
    int64_t below = 0, count = 0;
    while (shift < 32 && spread >> shift >= BUCKETS) shift++;
    if (shift < 32) {
        memset(start, 0, ((spread >> shift) + 1) * sizeof *start);
        for (int64_t i = 0; i < n; i++) start[(uint32_t)(code[i * keys] - low) >> shift]++;
        for (; below + start[bucket] <= n / 2; bucket++) below += start[bucket];
        if (!shift) return (Median){ bucket, below, below + start[bucket] };
    }
    for (int64_t i = 0; i < n; i++) {
        uint64_t value = (uint32_t)(code[i * keys] - low);
        some[count] = (uint32_t)value;
        count += value >> shift == bucket;
    }
    Median out = { select_code(some, count, n / 2 - below), below, below };
    for (int64_t i = 0; i < count; i++) {
        out.below += some[i] < out.value;
        out.through += some[i] <= out.value;
    }
    return out;
}

/* The rows whose code is below `limit` come first, each side in its order. */
static void part_rows(Cutter *c, Range r, int64_t key, int32_t limit) {
    const int64_t n = r.last - r.first, keys = c->p->keys;
    int64_t *row = c->p->row + r.first, left = 0, right = 0;
    int32_t *code = c->code + r.first * keys;
    for (int64_t i = 0; i < n; i++) { /* to both sides: only one is gone on from */
        const bool less = code[i * keys + key] < limit;
        c->other[right] = row[left] = row[i];
        for (int64_t k = 0; k < keys; k++) c->other_code[right * keys + k] = code[left * keys + k] = code[i * keys + k];
        left += less;
        right += !less;
    }
    memcpy(row + left, c->other, (size_t)right * sizeof *row);
    memcpy(code + left * keys, c->other_code, (size_t)(right * keys) * sizeof *code);
}

/* The cut nearest to the median that is between two values and leaves k on both sides, the later of equals; 0 = nowhere. */
static int64_t part_range(Cutter *c, Range r, int64_t key, int32_t low, int32_t high) {
    const int64_t n = r.last - r.first, k = c->p->promise->k;
    Median m = median_of(c, r, key, low, (uint32_t)(high - low));
    bool before = m.below >= k, after = n - m.through >= k;
    if (before && after) before = n / 2 - m.below < m.through - n / 2;
    if (!before && !after) return 0;
    part_rows(c, r, key, low + (int32_t)m.value + !before);
    return r.first + (before ? m.below : m.through);
}

typedef struct {
    double width;
    int64_t key;
    int32_t low, high;
} Width;

/* How wide the range is along each key, as a share of the whole; widest first, the first key among equals. */
static void measure(Cutter *c, Range r, Width *widths) {
    const int64_t keys = c->p->keys;
    for (int64_t key = 0; key < keys; key++) c->low[key] = INT32_MAX, c->high[key] = 0;
    for (int64_t i = r.first; i < r.last; i++) {
        const int32_t *code = c->code + i * keys;
        for (int64_t key = 0; key < keys; key++) {
            c->low[key] = code[key] < c->low[key] ? code[key] : c->low[key];
            c->high[key] = code[key] > c->high[key] ? code[key] : c->high[key];
        }
    }
    for (int64_t key = 0; key < keys; key++) {
        int32_t low = c->low[key], high = c->high[key];
        Width width = { c->p->place[key][high] - c->p->place[key][low], key, low, high };
        int64_t at = key;
        for (; at > 0 && widths[at - 1].width < width.width; at--) widths[at] = widths[at - 1];
        widths[at] = width;
    }
}

/* Cuts one range in two; false where no key allows it. */
static bool cut(Cutter *c, Range r, Width *widths, int64_t *at) {
    if (r.last - r.first < 2 * c->p->promise->k) return false;
    measure(c, r, widths);
    for (int64_t i = 0; i < c->p->keys; i++) {
        const Width *w = &widths[i];
        if (w->low == w->high) continue;
        if (c->p->relaxed || c->p->promise->sensitives) {
            sort_rows(c, r, w->key, w->low, w->high);
            *at = find_cut(c, r, w->key);
        } else *at = part_range(c, r, w->key, w->low, w->high);
        if (*at) return true;
    }
    return false;
}

static Status make_cutter(Work *work, Partition *p, Cutter *c) {
    Status status = OK;
    int64_t widest = 1, distinct = 1, numbers = 1;
    const Promise *m = p->promise;
    for (int64_t key = 0; key < p->keys; key++)
        if (p->codes[key].count >= widest) widest = p->codes[key].count + 1;
    for (int64_t j = 0; j < m->sensitives; j++) {
        if (m->sensitive[j].count >= distinct) distinct = m->sensitive[j].count + 1;
        if (!isnan(m->t) && closeness_scratch(&m->closeness[j]) > numbers) numbers = closeness_scratch(&m->closeness[j]);
    }
    *c = (Cutter){ .p = p, .work = work };
    NEW(work, c->count, widest);
    NEW(work, c->other, p->rows);
    NEW(work, c->code, p->rows * p->keys);
    NEW(work, c->other_code, p->rows * p->keys);
    NEW(work, c->low, p->keys);
    NEW(work, c->high, p->keys);
    for (int64_t key = 0; key < p->keys; key++)
        for (int64_t i = 0; i < p->rows; i++) c->code[i * p->keys + key] = partition_code(&p->codes[key], i);
    NEW(work, c->from, p->rows);
    NEW(work, c->to, p->rows);
    NEW(work, c->tally_count, distinct);
    NEW(work, c->tally_value, distinct);
    NEW(work, c->sort, distinct);
    NEW(work, c->count_of, distinct);
    NEW(work, c->numbers, numbers);
done:
    return status;
}

static Status push(Cutter *c, int64_t first, int64_t last) {
    Status status = OK;
    GROW(c->work, c->stack, c->room, c->depth + 1);
    c->stack[c->depth++] = (Range){ first, last };
done:
    return status;
}

Status partition_make(Work *work, Partition *p) {
    Status status = OK;
    Cutter c;
    Width *widths = NULL;
    TRY(make_cutter(work, p, &c));
    NEW(work, widths, p->keys);
    NEW(work, p->row, p->rows);
    for (int64_t i = 0; i < p->rows; i++) p->row[i] = i;
    if (p->rows && !keeps(&c, p->row, p->rows)) {
        fail(work->error, BAD, "the table as a whole does not satisfy these criteria, so no part of it can");
        TRY(error_advice(work->error,
                         "There must be at least k records, and the sensitive values of all records must satisfy the criteria."));
    }
    if (p->rows) TRY(push(&c, 0, p->rows));
    p->code = c.code;
    while (c.depth) { /* the left half is taken up first: parts come out in the order of their rows in `row` */
        Range r = c.stack[--c.depth];
        int64_t at;
        TRY(work_check(work));
        work_show(work, "cutting", (double)r.first / (double)p->rows);
        if (cut(&c, r, widths, &at)) {
            TRY(push(&c, at, r.last));
            TRY(push(&c, r.first, at));
            continue;
        }
        GROW(work, p->start, c.ends, p->parts + 2);
        p->start[p->parts++] = r.first;
        p->start[p->parts] = r.last;
    }
done:
    return status;
}
