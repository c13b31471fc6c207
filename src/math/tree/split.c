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
    if (p->response->real) return;
    into->squares = 0;
    for (int32_t c = 0; c < p->response->codes; c++) {
        into->of_class[c] += direction * from->of_class[c];
        into->squares += into->of_class[c] * into->of_class[c];
    }
}

/* Judges left | right with the missing on either side. */
static void judge(Scan *s, double threshold, Split *best, bool *better) {
    bool classes = !s->patch->response->real;
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
    size_t classes = p->response->real ? 1 : (size_t)p->response->codes;
    *s = (Scan){ .patch = p, .memory = calloc(3 * classes, sizeof *s->memory) };
    if (!s->memory) return fail(error, FAILED, "out of memory");
    s->left.of_class = s->memory;
    s->right.of_class = s->memory + classes;
    s->missing.of_class = s->memory + 2 * classes;
    return OK;
}

/* Quality of the node as a whole: right holds all that is present here. */
static void scan_whole(Scan *s) {
    side_join(s->patch, &s->right, &s->missing, 1);
    s->whole = quality(&s->right, !s->patch->response->real);
    side_join(s->patch, &s->right, &s->missing, -1);
}

static Status split_numbers(const Patch *p, int64_t column, Split *out, Error *error) {
    const double *x = p->data->column[column].real;
    const int32_t *order = p->order[column];
    Scan s;
    bool better;
    Status status = scan_start(&s, p, error);
    if (status) return status;
    int64_t last = p->last;
    for (; last > p->first && isnan(x[order[last - 1]]); last--) side_add(p, &s.missing, order[last - 1], 1);
    for (int64_t i = p->first; i < last; i++) side_add(p, &s.right, order[i], 1);
    scan_whole(&s);
    for (int64_t i = p->first; i + 1 < last; i++) {
        side_add(p, &s.left, order[i], 1);
        side_add(p, &s.right, order[i], -1);
        double a = x[order[i]], b = x[order[i + 1]];
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
    for (int32_t c = 1; !p->response->real && c < p->response->codes; c++)
        if (s->right.of_class[c] > s->right.of_class[frequent]) frequent = c;
    for (int32_t g = 0; g < count; g++) {
        Side *side = &group[g].side;
        group[g].key = side->weight > 0 ? (p->response->real ? side->sum : side->of_class[frequent]) / side->weight : 0;
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

static Status split_categories(const Patch *p, int64_t column, Split *out, Error *error) {
    const TreeColumn *x = &p->data->column[column];
    const int32_t *order = p->order[column];
    int32_t classes = p->response->real ? 1 : p->response->codes, count = 0, codes = x->codes;
    Scan s;
    Status status = scan_start(&s, p, error);
    Group *all = status ? NULL : calloc((size_t)codes + 1, sizeof *all);
    double *sums = all ? calloc(((size_t)codes + 1) * (size_t)classes, sizeof *sums) : NULL;
    if (!sums && !status) status = fail(error, FAILED, "out of memory");
    if (!status && codes) {
        for (int32_t c = 0; c < codes; c++) all[c] = (Group){ .code = c, .side.of_class = sums + (size_t)c * (size_t)classes };
        for (int64_t i = p->first; i < p->last; i++) {
            int32_t code = x->code[order[i]];
            side_add(p, code < 0 ? &s.missing : &all[code].side, order[i], 1);
        }
        for (int32_t c = 0; c < codes; c++) {
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
    return (patch->data->column[column].real ? split_numbers : split_categories)(patch, column, out, error);
}
