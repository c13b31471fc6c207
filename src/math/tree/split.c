/* The best split of a node by one column: numbers by a scan in their order, categories in the order of their means. */
#include "math/tree/split.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"

typedef struct Scan {
    const Patch *patch;
    Side left, right, missing;
    double whole;
    double *memory;
} Scan;

static bool is_classes(const Patch *p) { return !p->response->real && !p->response->bits; }

static double quality(const Side *side, bool classes) {
    return side->weight > 0 ? (classes ? side->squares : side->sum * side->sum) / side->weight : 0;
}

static void side_add(const Patch *p, Side *side, int64_t row, double direction) {
    const TreeResponse *r = p->response;
    double w = direction * (r->weight ? r->weight[row] : 1);
    side->count += direction > 0 ? 1 : -1;
    side->weight += w;
    if (r->real) {
        side->sum += w * (r->real[row] - p->mean);
        return;
    }
    double *share = &side->of_class[r->code[row]];
    side->squares += w * (2 * *share + w);
    *share += w;
}

/* into += direction · from, for sums of whole groups. */
static void side_join(const Patch *p, Side *into, const Side *from, double direction) {
    into->count += direction > 0 ? from->count : -from->count;
    into->weight += direction * from->weight;
    into->sum += direction * from->sum;
    if (!is_classes(p)) return;
    into->squares = 0;
    for (int32_t c = 0; c < p->response->codes; c++) {
        into->of_class[c] += direction * from->of_class[c];
        into->squares += into->of_class[c] * into->of_class[c];
    }
}

/* Judges left | right with the missing on either side. */
static void judge(Scan *s, double threshold, Split *best, bool *better) {
    bool classes = is_classes(s->patch);
    *better = false;
    for (int missing_left = s->missing.count ? 1 : 0; missing_left >= 0; missing_left--) {
        Side *side = missing_left ? &s->left : &s->right;
        if (s->missing.count) side_join(s->patch, side, &s->missing, 1);
        double gain = quality(&s->left, classes) + quality(&s->right, classes) - s->whole;
        bool allowed = s->left.count >= s->patch->min_leaf && s->right.count >= s->patch->min_leaf;
        if (s->missing.count) side_join(s->patch, side, &s->missing, -1);
        if (!allowed || !(gain > best->gain * (1 + 1e-12) + 1e-300)) continue;
        *best = (Split){ .gain = gain, .threshold = threshold, .goes_left = best->goes_left, .missing_left = missing_left, .found = true };
        if (!s->missing.count) best->missing_left = s->left.count >= s->right.count;
        *better = true;
    }
}

static Status scan_start(Scan *s, const Patch *p, Error *error) {
    size_t classes = is_classes(p) ? (size_t)p->response->codes : 1;
    *s = (Scan){ .patch = p, .memory = calloc(3 * classes, sizeof *s->memory) };
    if (!s->memory) return out_of_memory(error);
    s->left.of_class = s->memory;
    s->right.of_class = s->memory + classes;
    s->missing.of_class = s->memory + 2 * classes;
    return OK;
}

/* Quality of the node as a whole: right holds all that is present here. */
static void scan_whole(Scan *s) {
    side_join(s->patch, &s->right, &s->missing, 1);
    s->whole = quality(&s->right, is_classes(s->patch));
    side_join(s->patch, &s->right, &s->missing, -1);
}

static Status split_numbers(const Patch *p, int64_t column, Split *out, Error *error) {
    const TreeColumn *x = &p->data->column[column];
    const int32_t *order = p->order[column];
    Scan s;
    bool better;
    Status status = scan_start(&s, p, error);
    if (status) return status;
    int64_t last = p->last;
    for (; last > p->first && isnan(tree_number(x, order[last - 1])); last--) side_add(p, &s.missing, order[last - 1], 1);
    for (int64_t i = p->first; i < last; i++) side_add(p, &s.right, order[i], 1);
    scan_whole(&s);
    for (int64_t i = p->first; i + 1 < last; i++) {
        side_add(p, &s.left, order[i], 1);
        side_add(p, &s.right, order[i], -1);
        double a = tree_number(x, order[i]), b = tree_number(x, order[i + 1]);
        if (!(a < b) || s.left.count + s.missing.count < p->min_leaf || s.right.count + s.missing.count < p->min_leaf) continue;
        double middle = a + (b - a) / 2;
        judge(&s, middle < b ? middle : a, out, &better);
    }
    if (s.missing.count && last > p->first) { /* present on the left, missing on the right */
        side_add(p, &s.left, order[last - 1], 1);
        side_add(p, &s.right, order[last - 1], -1);
        judge(&s, INFINITY, out, &better);
    }
    free(s.memory);
    return OK;
}

/* ---- a response of zeros and ones: whole numbers are counted, and sums made of them ---- */

static inline int64_t bit_of(const Patch *p, int64_t row) { return (int64_t)(p->response->bits[row >> 6] >> (row & 63) & 1); }

static void side_counts(const Patch *p, Side *side, int64_t count, int64_t ones) {
    side->count = count;
    side->weight = (double)count;
    side->sum = (double)ones - (double)count * p->mean;
}

static inline bool is_fresh(const Patch *p, int64_t column, int64_t place) {
    const TreeColumn *x = &p->data->column[column];
    const int32_t *order = p->order[column];
    if (p->root) return p->data->fresh[column][place >> 6] >> (place & 63) & 1;
    return tree_number(x, order[place]) > tree_number(x, order[place - 1]);
}

/* Without missing values both sides' sums are ±d, and the gain d²·n/(left·right): most places are seen to be no better without a
 * division. */
static inline bool may_be_better(const Scan *s, const Split *best, double left, double all, double ones) {
    double d = ones - left * s->patch->mean;
    return s->missing.count || d * d * all >= best->gain * (1 - 1e-9) * left * (all - left);
}

static Status split_bits(const Patch *p, int64_t column, Split *out, Error *error) {
    const TreeColumn *x = &p->data->column[column];
    const int32_t *order = p->order[column];
    int64_t last = p->last, missing = 0, here = 0;
    Scan s;
    bool better;
    Status status = scan_start(&s, p, error);
    if (status) return status;
    for (; last > p->first && isnan(tree_number(x, order[last - 1])); last--) missing += bit_of(p, order[last - 1]);
    int64_t ones = p->ones - missing;
    side_counts(p, &s.missing, p->last - last, missing);
    side_counts(p, &s.right, last - p->first, ones);
    scan_whole(&s);
    int64_t all = last - p->first, least = p->min_leaf - s.missing.count;
    for (int64_t i = p->first; i + 1 < last; i++) {
        int64_t left = i + 1 - p->first;
        here += bit_of(p, order[i]);
        if (left < least || all - left < least || !is_fresh(p, column, i + 1)) continue;
        if (!may_be_better(&s, out, (double)left, (double)all, (double)here)) continue;
        side_counts(p, &s.left, left, here);
        side_counts(p, &s.right, all - left, ones - here);
        double a = tree_number(x, order[i]), b = tree_number(x, order[i + 1]), middle = a + (b - a) / 2;
        judge(&s, middle < b ? middle : a, out, &better);
    }
    if (s.missing.count && all) { /* present on the left, missing on the right */
        side_counts(p, &s.left, all, ones);
        side_counts(p, &s.right, 0, 0);
        judge(&s, INFINITY, out, &better);
    }
    free(s.memory);
    return OK;
}

/* ---- categories ---- */

typedef struct Group {
    int32_t code;
    double key;
    Side side;
} Group;
static int by_key(const void *a, const void *b) {
    const Group *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key ? 1 : (x->code > y->code) - (x->code < y->code);
}

/* Categories in the order of the mean response: the best cut of that order is the best of all cuts in two (Breiman et al. 1984,
 * theorem 4.5; exact for numbers and two classes). More classes are ordered by the share of the one that is most frequent in the node. */
static void sort_groups(const Patch *p, const Scan *s, Group *group, int32_t count) {
    int32_t frequent = 0;
    for (int32_t c = 1; is_classes(p) && c < p->response->codes; c++)
        if (s->right.of_class[c] > s->right.of_class[frequent]) frequent = c;
    for (int32_t g = 0; g < count; g++) {
        Side *side = &group[g].side;
        group[g].key = side->weight > 0 ? (is_classes(p) ? side->of_class[frequent] : side->sum) / side->weight : 0;
    }
    qsort(group, (size_t)count, sizeof *group, by_key);
}

static void cut_groups(const Patch *p, Scan *s, const Group *group, int32_t count, int32_t codes, Split *out) {
    int32_t cut = -1;
    bool better;
    scan_whole(s);
    for (int32_t g = 0; g + 1 < count; g++) {
        side_join(p, &s->left, &group[g].side, 1);
        side_join(p, &s->right, &group[g].side, -1);
        judge(s, NAN, out, &better);
        if (better) cut = g;
    }
    if (cut < 0) return;
    memset(out->goes_left, out->missing_left, (size_t)codes); /* codes that are not here go where missing goes */
    for (int32_t g = 0; g < count; g++) out->goes_left[group[g].code] = g <= cut;
}

/* Records and ones of each category; those without are last. */
static Status count_bits(const Patch *p, const TreeColumn *x, const int32_t *order, Group *all, Side *missing, Error *error) {
    int64_t(*count)[2] = calloc((size_t)x->codes + 1, sizeof *count);
    if (!count) return out_of_memory(error);
    for (int64_t i = p->first; i < p->last; i++) {
        int32_t code = x->code[order[i]];
        count[code < 0 ? x->codes : code][bit_of(p, order[i])]++;
    }
    for (int32_t c = 0; c <= x->codes; c++) side_counts(p, c == x->codes ? missing : &all[c].side, count[c][0] + count[c][1], count[c][1]);
    free(count);
    return OK;
}

static Status split_categories(const Patch *p, int64_t column, Split *out, Error *error) {
    const TreeColumn *x = &p->data->column[column];
    const int32_t *order = p->order[column];
    int32_t classes = is_classes(p) ? p->response->codes : 1, count = 0, codes = x->codes;
    Scan s;
    Status status = scan_start(&s, p, error);
    Group *all = status ? NULL : calloc((size_t)codes + 1, sizeof *all);
    double *sums = all ? calloc(((size_t)codes + 1) * (size_t)classes, sizeof *sums) : NULL;
    if (!sums && !status) status = out_of_memory(error);
    if (!status && codes) {
        for (int32_t c = 0; c < codes; c++) all[c] = (Group){ .code = c, .side.of_class = sums + (size_t)c * (size_t)classes };
        if (p->response->bits) status = count_bits(p, x, order, all, &s.missing, error);
        else
            for (int64_t i = p->first; i < p->last; i++) {
                int32_t code = x->code[order[i]];
                side_add(p, code < 0 ? &s.missing : &all[code].side, order[i], 1);
            }
        for (int32_t c = 0; !status && c < codes; c++) {
            if (!all[c].side.count) continue;
            side_join(p, &s.right, &all[c].side, 1);
            all[count++] = all[c];
        }
        sort_groups(p, &s, all, count);
        cut_groups(p, &s, all, count, codes, out);
    }
    free(all);
    free(sums);
    free(s.memory);
    return status;
}

Status best_split(const Patch *patch, int64_t column, Split *out, Error *error) {
    out->found = false;
    out->gain = 0;
    if (!tree_numbers(&patch->data->column[column])) return split_categories(patch, column, out, error);
    return (patch->response->bits ? split_bits : split_numbers)(patch, column, out, error);
}
