/* Searching: nodes by their boxes, leaves by the queries that may reach them, records in lanes. */
#include "math/neighbours/search.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"

Status search_start(NeighbourSearch *search, const Neighbours *in, Aim aim, int64_t k, bool other, Error *error) {
    int64_t slots = in->shape.slots;
    if (k > in->count) k = in->count;
    *search = (NeighbourSearch){ .in = in, .aim = aim, .k = k, .other = other, .last_row = -1 };
    search->lanes = malloc(sizeof(double) * (size_t)(slots * (2 * LEAF + 4) + 8));
    search->heap = aim == AIM_K ? malloc(sizeof(Near) * (size_t)(k * LEAF + 1)) : NULL;
    if (!search->lanes || (aim == AIM_K && !search->heap)) return out_of_memory(error);
    for (int i = 0; aim == AIM_K && i < LEAF; i++) { /* where a list of them is wanted */
        search->hits[i] = (Hits){ .row = malloc(sizeof(int32_t) * (size_t)(k + 1)), .room = k };
        if (!search->hits[i].row) return out_of_memory(error);
    }
    search->query = search->lanes + slots * LEAF;
    search->lo = search->query + slots * LEAF;
    search->hi = search->lo + slots;
    search->centre = search->hi + slots;
    search->last = search->centre + slots;
    return OK;
}

void search_end(NeighbourSearch *search) {
    free(search->lanes);
    free(search->heap);
    free(search->spare);
    free(search->filtered.x);
    for (int i = 0; i < LEAF; i++) free(search->hits[i].row);
    *search = (NeighbourSearch){ 0 };
}

static bool alike(const double *query, const double *points, int lane, int64_t slots) {
    for (int64_t s = 0; s < slots; s++)
        if (query[s] != points[s * LEAF + lane]) return false;
    return true;
}

/* Does the answer of one row tell that of another that is alike? How many there are within a limit: within that limit only. The nearest:
 * within a smaller one, too. */
static bool tells(const NeighbourSearch *search, int32_t known, int32_t row) {
    const double *within = search->within;
    if (!within) return true;
    return search->aim == AIM_COUNT ? within[known] == within[row] : within[known] >= within[row];
}

/* The row of a query that the record of a lane is alike: of this group, or the last of the group before; -1. */
static int32_t twin_of(const NeighbourSearch *search, const double *points, int lane, int32_t row) {
    int64_t slots = search->in->shape.slots;
    if (search->last_row >= 0 && alike(search->last, points, lane, slots) && tells(search, search->last_row, row)) return search->last_row;
    for (int i = 0; i < search->queries; i++)
        if (alike(search->query + i * slots, points, lane, slots) && tells(search, search->query_row[i], row)) return search->query_row[i];
    return -1;
}

static void add_query(NeighbourSearch *search, const double *points, int lane, int32_t row) {
    int64_t slots = search->in->shape.slots;
    int i = search->queries++;
    search->query_row[i] = row;
    search->own[i] = search->other && row < search->in->rows ? search->in->place[row] : -1;
    for (int64_t s = 0; s < slots; s++) search->query[i * slots + s] = search->lanes[s * LEAF + i] = points[s * LEAF + lane];
}

static void remember_last(NeighbourSearch *search) {
    int64_t slots = search->in->shape.slots;
    if (!search->merge || !search->queries) return;
    search->last_row = search->query_row[search->queries - 1];
    memcpy(search->last, search->query + (search->queries - 1) * slots, (size_t)slots * sizeof *search->last);
}

/* Lanes that hold no query repeat the first, so that bounds stay finite; nothing is asked for them. */
void search_group(NeighbourSearch *search, const Neighbours *from, int32_t leaf) {
    int64_t slots = search->in->shape.slots;
    const double *points = leaf_points(from, leaf);
    remember_last(search);
    search->queries = search->twins = 0;
    for (int lane = 0; lane < LEAF; lane++) {
        int32_t row = from->row[(int64_t)leaf * LEAF + lane], other = -1;
        if (row < 0) continue;
        if (search->merge) other = twin_of(search, points, lane, row);
        if (other >= 0) {
            search->twin[search->twins] = row;
            search->twin_of[search->twins++] = other;
        } else add_query(search, points, lane, row);
    }
    if (!search->queries) return;
    for (int64_t s = 0; s < slots; s++) {
        double *lane = search->lanes + s * LEAF, least = INFINITY, most = -INFINITY;
        for (int i = search->queries; i < LEAF; i++) lane[i] = lane[0];
        for (int i = 0; i < LEAF; i++) {
            least = lane[i] < least ? lane[i] : least;
            most = lane[i] > most ? lane[i] : most;
        }
        if (most == INFINITY) least = -INFINITY; /* a missing number */
        search->lo[s] = least;
        search->hi[s] = most;
        search->centre[s] = s < search->in->shape.numbers ? least + (most - least) / 2 : lane[0];
    }
}

/* ---- What a leaf's records do for a query ---- */

void heap_offer(Near *heap, int64_t *held, int64_t k, Near near) {
    int64_t at;
    if (*held < k) { /* up */
        at = (*held)++;
        for (int64_t up = (at - 1) / 2; at > 0 && farther(near, heap[up]); at = up, up = (at - 1) / 2) heap[at] = heap[up];
    } else { /* down from the top */
        if (!farther(heap[0], near)) return;
        at = 0;
        for (int64_t down = 1; down < k; down = 2 * at + 1) {
            if (down + 1 < k && farther(heap[down + 1], heap[down])) down++;
            if (!farther(heap[down], near)) break;
            heap[at] = heap[down];
            at = down;
        }
    }
    heap[at] = near;
}

void heap_sort(Near *heap, int64_t held) {
    for (int64_t end = held - 1; end > 0; end--) {
        Near last = heap[end];
        int64_t at = 0;
        heap[end] = heap[0];
        for (int64_t down = 1; down < end; down = 2 * at + 1) {
            if (down + 1 < end && farther(heap[down + 1], heap[down])) down++;
            if (!farther(heap[down], last)) break;
            heap[at] = heap[down];
            at = down;
        }
        heap[at] = last;
    }
}

static void offer_nearest(NeighbourSearch *search, int i, uint32_t mask, const double *measure, const int32_t *row) {
    Best *best = &search->best[i];
    for (; mask; mask &= mask - 1) {
        int lane = __builtin_ctz(mask);
        if (measure[lane] > best->measure) continue;
        if (measure[lane] == best->measure && best->row >= 0) {
            best->ties++;
            if (row[lane] < best->row) best->row = row[lane];
        } else *best = (Best){ measure[lane], row[lane], 1 };
    }
    search->limit[i] = best->measure;
}

static void offer_k(NeighbourSearch *search, int i, uint32_t mask, const double *measure, const int32_t *row) {
    Near *heap = search->heap + i * search->k;
    for (; mask; mask &= mask - 1) {
        int lane = __builtin_ctz(mask);
        heap_offer(heap, &search->held[i], search->k, (Near){ measure[lane], row[lane] });
    }
    if (search->held[i] == search->k) search->limit[i] = heap[0].measure;
}

static void offer_sum(NeighbourSearch *search, int i, const double *measure, int32_t leaf) {
    const double *times = search->series->times + (int64_t)leaf * LEAF;
    search->sum[i] += search->sums->leaf(measure, search->base[i], search->limit[i], times);
}

static void offer_rows(NeighbourSearch *search, int i, uint32_t mask, const int32_t *row) {
    Hits *hits = &search->hits[i];
    if (hits->count + LEAF > hits->room) {
        int64_t room = hits->room ? hits->room * 2 : 256;
        int32_t *grown = realloc(hits->row, sizeof *grown * (size_t)room);
        if (!grown) {
            search->failed = true;
            return;
        }
        hits->row = grown;
        hits->room = room;
    }
    int32_t *out = hits->row + hits->count;
    hits->count += __builtin_popcount(mask);
    if (mask == (1u << LEAF) - 1) memcpy(out, row, LEAF * sizeof *row);
    else
        for (; mask; mask &= mask - 1) *out++ = row[__builtin_ctz(mask)];
}

static void offer(NeighbourSearch *search, int i, uint32_t mask, const double *measure, int32_t leaf) {
    const int32_t *row = search->in->row + (int64_t)leaf * LEAF;
    switch (search->aim) {
    case AIM_NEAREST: offer_nearest(search, i, mask, measure, row); break;
    case AIM_K: offer_k(search, i, mask, measure, row); break;
    case AIM_SUM: offer_sum(search, i, measure, leaf); break;
    case AIM_ROWS: offer_rows(search, i, mask, row); break;
    case AIM_COUNT: search->hits[i].count += __builtin_popcount(mask); break;
    }
}

/* These queries may reach into the leaf. */
static void ask_leaf(NeighbourSearch *search, uint32_t asked, int32_t leaf) {
    const Neighbours *in = search->in;
    double measure[LEAF * LEAF];
    uint32_t mask[LEAF];
    in->kernels->near(&in->shape, leaf_points(in, leaf), search->query, asked, search->limit, mask,
                      search->aim <= AIM_SUM ? measure : NULL);
    for (; asked; asked &= asked - 1) {
        int i = __builtin_ctz(asked);
        int32_t own = search->own[i];
        if (own >= 0 && own / LEAF == leaf) mask[i] &= ~(1u << own % LEAF);
        if (mask[i]) offer(search, i, mask[i], measure + i * LEAF, leaf);
    }
}

/* ---- Walking ---- */

static void find_widest(NeighbourSearch *search) {
    double widest = -1;
    for (int i = 0; i < search->queries; i++) widest = search->limit[i] > widest ? search->limit[i] : widest;
    search->widest = widest;
}

static void visit_leaf(NeighbourSearch *search, int32_t node, int lane, int32_t leaf) {
    const Neighbours *in = search->in;
    search->visited++;
    uint32_t asked = in->kernels->able(&in->shape, search->lanes, node_lo(in, node) + lane, node_hi(in, node) + lane, search->limit);
    if (!asked) return;
    ask_leaf(search, asked, leaf);
    if (search->aim <= AIM_K) find_widest(search);
}

/* Children nearest to the group's centre come first: limits fall soonest. Those no query can reach are left out. */
static int order_children(const NeighbourSearch *search, int32_t node, const double *gap, int *order) {
    const Neighbours *in = search->in;
    double centre[FAN];
    int count = 0;
    bool sorted = search->aim <= AIM_SUM; /* sums too: what is near says how much the rest matters */
    if (sorted) in->kernels->gap(&in->shape, node_lo(in, node), node_hi(in, node), FAN, search->centre, search->centre, centre);
    for (int c = 0; c < in->node[node].fan; c++) {
        if (gap[c] > search->widest) continue;
        int at = count++;
        for (; sorted && at > 0 && centre[order[at - 1]] > centre[c]; at--) order[at] = order[at - 1];
        order[at] = c;
    }
    return count;
}

/* On many axes the box of all queries reaches nearly everywhere: whether one of them does is worth asking. */
static bool some_able(const NeighbourSearch *search, int32_t node, int lane) {
    enum { MANY = 6 };
    const Neighbours *in = search->in;
    return in->shape.slots < MANY ||
           in->kernels->able(&in->shape, search->lanes, node_lo(in, node) + lane, node_hi(in, node) + lane, search->limit);
}

/* All records of a node at once, where what its series leaves out is nothing beside the sums: of all nodes together at most 1e-10 of each.
 */
static bool add_node(NeighbourSearch *search, int32_t node, double gap) {
    double least = INFINITY;
    if (search->aim != AIM_SUM || !search->series->node[node].moment) return false;
    for (int i = 0; i < search->queries; i++) least = fmin(least, search->sum[i]);
    const SeriesQueries queries = { &search->in->shape, search->lanes, search->base, exp(search->most_base / 2 - gap / 4),
                                    1e-10 * fmax(least, 1) };
    return series_add(search->series, node, search->sums, &queries, &search->spent, search->sum);
}

static void visit_node(NeighbourSearch *search, int32_t node) {
    const Neighbours *in = search->in;
    double gap[FAN];
    int order[FAN];
    in->kernels->gap(&in->shape, node_lo(in, node), node_hi(in, node), FAN, search->lo, search->hi, gap);
    int count = order_children(search, node, gap, order);
    for (int i = 0; i < count && !search->failed; i++) {
        int c = order[i];
        if (gap[c] > search->widest) continue;
        int32_t child = in->node[node].child[c];
        if (child < 0) visit_leaf(search, node, c, ~child);
        else if (add_node(search, child, gap[c])) continue;
        else if (some_able(search, node, c)) visit_node(search, child);
    }
}

Status search_sorting_room(NeighbourSearch *search, Error *error) {
    int64_t most = 0;
    for (int i = 0; i < search->queries; i++) most = search->hits[i].count > most ? search->hits[i].count : most;
    if (most <= search->spare_room) return OK;
    free(search->spare);
    search->spare_room = most * 2;
    search->spare = malloc(sizeof(int32_t) * (size_t)search->spare_room);
    return search->spare ? OK : out_of_memory(error);
}

static void begin(NeighbourSearch *search) {
    search->visited = 0;
    for (int i = 0; i < LEAF; i++) {
        search->best[i] = (Best){ INFINITY, -1, 0 };
        search->held[i] = search->hits[i].count = 0;
        search->sum[i] = 0;
    }
    search->spent = 0;
    search->most_base = -INFINITY;
    for (int i = 0; i < search->queries; i++) search->most_base = fmax(search->most_base, search->base[i]);
    for (int i = search->queries; i < LEAF; i++) search->limit[i] = -1; /* lanes without a query reach nothing */
    find_widest(search);
}

static Status finish(NeighbourSearch *search, Error *error) {
    if (search->failed) return out_of_memory(error);
    if (search->aim == AIM_K)
        for (int i = 0; i < search->queries; i++) heap_sort(search->heap + i * search->k, search->held[i]);
    return OK;
}

Status search_run(NeighbourSearch *search, Error *error) {
    begin(search);
    if (search->in->nodes && search->queries) visit_node(search, 0);
    return finish(search, error);
}

/* ---- Scanning ---- */

typedef struct {
    double gap;
    int32_t node;
} Step;

static int by_gap(const void *a, const void *b) {
    const Step *x = a, *y = b;
    return x->gap != y->gap ? (x->gap < y->gap ? -1 : 1) : (x->node > y->node) - (x->node < y->node);
}

/* Nodes nearest to the middle group come first: limits fall soonest. */
static Step *scan_order(const NeighbourSearch *middle, const FloatFilter *filter) {
    const Neighbours *in = middle->in;
    Step *order = malloc(sizeof *order * (size_t)(filter->nodes + 1));
    for (int64_t i = 0; order && i < filter->nodes; i++) {
        double gap[FAN];
        int32_t node = filter->node[i];
        in->kernels->gap(&in->shape, node_lo(in, node), node_hi(in, node), FAN, middle->centre, middle->centre, gap);
        order[i] = (Step){ gap[0], node };
        for (int c = 1; c < in->node[node].fan; c++) order[i].gap = fmin(order[i].gap, gap[c]);
    }
    if (order) qsort(order, (size_t)filter->nodes, sizeof *order, by_gap);
    return order;
}

static void scan_node(NeighbourSearch *search, const FloatFilter *filter, int32_t node) {
    const Neighbours *in = search->in;
    double gap[FAN];
    uint32_t all = (1u << search->queries) - 1;
    in->kernels->gap(&in->shape, node_lo(in, node), node_hi(in, node), FAN, search->lo, search->hi, gap);
    for (int c = 0; c < in->node[node].fan; c++) {
        int32_t leaf = ~in->node[node].child[c];
        if (leaf < 0 || gap[c] > search->widest) continue;
        uint32_t asked = filter_leaf(filter, &search->filtered, all, search->limit, leaf);
        if (!asked) continue;
        ask_leaf(search, asked, leaf);
        if (search->aim <= AIM_K) find_widest(search);
    }
}

Status search_scan(NeighbourSearch *groups, int count, const FloatFilter *filter, Error *error) {
    Status status = OK;
    if (!count) return OK;
    Step *order = scan_order(&groups[count / 2], filter);
    if (!order) return out_of_memory(error);
    for (int g = 0; g < count; g++) {
        begin(&groups[g]);
        if (!groups[g].filtered.x) groups[g].filtered.x = malloc(sizeof(float) * (size_t)(filter->numbers * LEAF));
        if (!groups[g].filtered.x) TRY(out_of_memory(error));
        filter_queries(filter, groups[g].lanes, &groups[g].filtered);
    }
    for (int64_t i = 0; i < filter->nodes; i++)
        for (int g = 0; g < count; g++)
            if (groups[g].queries) scan_node(&groups[g], filter, order[i].node);
    for (int g = 0; g < count; g++) TRY(finish(&groups[g], error));
done:
    free(order);
    return status;
}

/* ---- Rows ascending: insertion for few, a bit for each where they are dense, else bytes from the lowest up ---- */

static void sort_few(int32_t *row, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        int32_t x = row[i];
        int64_t j = i;
        for (; j > 0 && row[j - 1] > x; j--) row[j] = row[j - 1];
        row[j] = x;
    }
}

static void sort_dense(int32_t *row, int64_t count, int64_t words, uint32_t *bits) {
    memset(bits, 0, sizeof *bits * (size_t)words);
    for (int64_t i = 0; i < count; i++) bits[row[i] >> 5] |= 1u << (row[i] & 31);
    for (int64_t w = 0; w < words; w++)
        for (uint32_t left = bits[w]; left; left &= left - 1) *row++ = (int32_t)(w * 32 + __builtin_ctz(left));
}

void rows_sort(int32_t *row, int64_t count, int32_t *spare) {
    if (count < 48) {
        sort_few(row, count);
        return;
    }
    int32_t most = 0, *from = row, *to = spare;
    for (int64_t i = 0; i < count; i++) most = row[i] > most ? row[i] : most;
    if ((most >> 5) + 1 <= count) {
        sort_dense(row, count, (most >> 5) + 1, (uint32_t *)spare);
        return;
    }
    for (int shift = 0; shift < 32 && (most >> shift) > 0; shift += 8) {
        uint32_t start[257] = { 0 };
        for (int64_t i = 0; i < count; i++) start[((from[i] >> shift) & 255) + 1]++;
        for (int b = 0; b < 256; b++) start[b + 1] += start[b];
        for (int64_t i = 0; i < count; i++) to[start[(from[i] >> shift) & 255]++] = from[i];
        int32_t *keep = from;
        from = to;
        to = keep;
    }
    if (from != row) memcpy(row, from, sizeof *row * (size_t)count);
}
