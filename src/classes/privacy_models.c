/* l-diversity and t-closeness of classes, from the sparse counts of their sensitive values. */
#include "classes/privacy_models.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"

/* Rows in order of their value, so that each class then meets its values in ascending order. */
static Status rows_by_value(Work *work, const Codes *codes, int64_t rows, int32_t **out) {
    Status status = OK;
    int64_t *start = NULL;
    NEW(work, start, (int64_t)codes->count + 2);
    NEW(work, *out, rows);
    for (int64_t i = 0; i < rows; i++) start[(codes->at[i] < 0 ? codes->count : codes->at[i]) + 1]++;
    for (int64_t v = 0; v <= codes->count; v++) start[v + 1] += start[v];
    for (int64_t i = 0; i < rows; i++) (*out)[start[codes->at[i] < 0 ? codes->count : codes->at[i]]++] = (int32_t)i;
done:
    arena_drop(work->arena, start);
    return status;
}

Status class_tallies_make(Work *work, const int32_t *of, int64_t classes, int64_t rows, const Codes *sensitive, ClassTallies *out) {
    Status status = OK;
    int32_t *order = NULL, *last = NULL, *place = NULL;
    *out = (ClassTallies){ .classes = classes };
    TRY(rows_by_value(work, sensitive, rows, &order));
    NEW(work, last, classes); /* the value last met, plus one */
    NEW(work, place, classes);
    NEW(work, out->start, classes + 1);
    NEW(work, out->total, classes);
    for (int64_t i = 0; i < rows; i++) {
        int32_t c = of[order[i]], value = sensitive->at[order[i]] < 0 ? sensitive->count : sensitive->at[order[i]];
        out->start[c + 1] += last[c] != value + 1;
        last[c] = value + 1;
    }
    for (int64_t c = 0; c < classes; c++) {
        if (out->start[c + 1] > out->most_distinct) out->most_distinct = out->start[c + 1];
        out->start[c + 1] += out->start[c];
        place[c] = (int32_t)out->start[c] - 1;
        last[c] = 0;
    }
    NEW(work, out->value, out->start[classes]);
    NEW(work, out->count, out->start[classes]);
    for (int64_t i = 0; i < rows; i++) {
        int32_t c = of[order[i]], value = sensitive->at[order[i]] < 0 ? sensitive->count : sensitive->at[order[i]];
        place[c] += last[c] != value + 1;
        last[c] = value + 1;
        out->value[place[c]] = value;
        out->count[place[c]] += work_times(work, order[i]);
        out->total[c] += work_times(work, order[i]);
    }
done:
    arena_drop(work->arena, order);
    arena_drop(work->arena, last);
    arena_drop(work->arena, place);
    return status;
}

double entropy_l(const Tally *tally) {
    double sum = 0, n = (double)tally->total; /* H = ln n − (Σ c ln c)/n */
    for (int64_t i = 0; i < tally->distinct; i++) sum += (double)tally->count[i] * log((double)tally->count[i]);
    if (tally->distinct <= 1) return (double)tally->distinct;
    return exp(log(n) - sum / n);
}

static int falling(const void *a, const void *b) {
    int64_t x, y;
    x = *(const int64_t *)a;
    y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

int64_t recursive_l(const Tally *tally, double c, int64_t *scratch) {
    int64_t l = 0, tail = tally->total;
    for (int64_t i = 0; i < tally->distinct; i++) scratch[i] = tally->count[i];
    qsort(scratch, (size_t)tally->distinct, sizeof *scratch, falling);
    while (l < tally->distinct && (double)scratch[0] < c * (double)tail) tail -= scratch[l++];
    return l;
}

typedef struct {
    const char *word;
    double number; /* NaN where it is none */
    int32_t code;
} Placed;

/* Numbers first, by their size; then words, by their bytes. */
static int by_place(const void *a, const void *b) {
    const Placed *x = a, *y = b;
    if (isnan(x->number) != isnan(y->number)) return isnan(x->number) ? 1 : -1;
    if (x->number < y->number || x->number > y->number) return x->number < y->number ? -1 : 1;
    return strcmp(x->word, y->word);
}

Status codes_along_line(Work *work, const Column *column, Codes *out) {
    Status status = OK;
    Placed *placed = NULL;
    int32_t *rank = NULL, *at = NULL, *first = NULL;
    char text[33];
    TRY(column_codes(work, column, out));
    if (column_linear(column) || (column->type == CATEGORY_TYPE && column->words->ordered)) return OK;
    NEW(work, placed, out->count + 1);
    NEW(work, rank, out->count + 1);
    NEW(work, first, out->count + 1);
    NEW(work, at, column->rows + 1);
    for (int32_t c = 0; c < out->count; c++) {
        const char *word = column_cell(column, out->first_row[c], text);
        placed[c] = (Placed){ .word = word, .number = NAN, .code = c };
        if (!read_real(word, word + strlen(word), '.', &placed[c].number)) placed[c].number = NAN;
    }
    qsort(placed, (size_t)out->count, sizeof *placed, by_place);
    for (int32_t c = 0; c < out->count; c++) {
        rank[placed[c].code] = c;
        first[c] = out->first_row[placed[c].code];
    }
    for (int64_t i = 0; i < column->rows; i++) at[i] = out->at[i] < 0 ? -1 : rank[out->at[i]];
    *out = (Codes){ .count = out->count, .at = at, .first_row = first };
done:
    arena_drop(work->arena, placed);
    arena_drop(work->arena, rank);
    return status;
}

/* Places along a line: value i to i+1 costs gap[i], the whole length 1. */
static Status line_make(Work *work, const Column *column, const Codes *codes, Closeness *c) {
    Status status = OK;
    double length = 0, sum = 0;
    NEW(work, c->gap, c->values);
    NEW(work, c->cumulated, c->values);
    NEW(work, c->gaps, c->values + 1);
    NEW(work, c->areas, c->values + 1);
    for (int32_t v = 0; v + 1 < c->values; v++) {
        c->gap[v] = c->distance == ORDERED_DISTANCE
                        ? 1
                        : column_number(column, codes->first_row[v + 1]) - column_number(column, codes->first_row[v]);
        length += c->gap[v];
    }
    for (int32_t v = 0; v < c->values; v++) {
        sum += c->share[v];
        c->cumulated[v] = sum;
        if (length > 0) c->gap[v] /= length;
        c->gaps[v + 1] = c->gaps[v] + c->gap[v];
        c->areas[v + 1] = c->areas[v] + c->gap[v] * sum;
    }
done:
    return status;
}

static Status tree_make(Work *work, const Column *column, const Codes *codes, Closeness *c) {
    Status status = OK;
    int32_t *leaf = NULL;
    TRY(hierarchy_match(work, c->hierarchy, column, codes, &leaf));
    NEW(work, c->leaf, c->values);
    NEW(work, c->node_share, c->hierarchy->levels);
    for (int32_t v = 0; v < c->values; v++) c->leaf[v] = leaf[v];
    for (int64_t l = 0; l < c->hierarchy->levels; l++) {
        NEW(work, c->node_share[l], c->hierarchy->level[l].count);
        for (int32_t v = 0; v < codes->count; v++) c->node_share[l][c->hierarchy->level[l].of[c->leaf[v]]] += c->share[v];
    }
done:
    return status;
}

Status closeness_make(Work *work, Distance distance, const Column *column, const Codes *sensitive, const Hierarchy *hierarchy,
                      Closeness *out) {
    Status status = OK;
    *out = (Closeness){ .distance = distance, .values = sensitive->count, .hierarchy = hierarchy };
    if (distance == NUMERIC_DISTANCE && !column_linear(column)) {
        fail(work->error, BAD, "the numeric distance needs a column of numbers");
        return error_column(work->error, column->name);
    }
    NEW(work, out->share, (int64_t)out->values + 1);
    int64_t records = 0;
    for (int64_t i = 0; i < column->rows; i++) {
        if (sensitive->at[i] < 0) continue;
        out->share[sensitive->at[i]] += (double)work_times(work, i);
        records += work_times(work, i);
    }
    for (int32_t v = 0; v < out->values; v++) out->share[v] /= (double)records;
    if (distance == HIERARCHICAL_DISTANCE) TRY(tree_make(work, column, sensitive, out));
    else if (distance != EQUAL_DISTANCE) TRY(line_make(work, column, sensitive, out));
done:
    return status;
}

/* ½Σ|p−q| = Σ over the class's values of (p−q)⁺: where the class has nothing, p−q is not positive. */
static double equal_distance(const Closeness *c, const Tally *tally) {
    double sum = 0;
    for (int64_t i = 0; i < tally->distinct; i++) {
        double extra = (double)tally->count[i] / (double)tally->total - c->share[tally->value[i]];
        if (extra > 0) sum += extra;
    }
    return sum;
}

/* ∫|P−Q| over values first … last-1, where P is constant and Q rises: split where Q passes P. */
static double stretch(const Closeness *c, double p, int32_t first, int32_t last) {
    int32_t low = first, high = last;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (c->cumulated[middle] <= p) low = middle + 1;
        else high = middle;
    }
    double below = p * (c->gaps[low] - c->gaps[first]) - (c->areas[low] - c->areas[first]);
    double above = c->areas[last] - c->areas[low] - p * (c->gaps[last] - c->gaps[low]);
    return below + above;
}

/* The earth mover's distance on a line is the area between the two distribution functions. */
static double line_distance(const Closeness *c, const Tally *tally) {
    if (c->values < 2) return 0;
    double sum = stretch(c, 0, 0, tally->value[0]), cumulated = 0;
    for (int64_t i = 0; i < tally->distinct; i++) {
        cumulated += (double)tally->count[i];
        sum += stretch(c, cumulated / (double)tally->total, tally->value[i], i + 1 < tally->distinct ? tally->value[i + 1] : c->values - 1);
    }
    return sum > 0 ? sum : 0;
}

/* One level up: masses and surpluses of values under the same node are added to the first of them, its speaker; the others carry NaN. */
static void merge_level(const Closeness *c, const Tally *tally, int64_t l, double *mass, double *surplus, double *speaker) {
    const Hierarchy *h = c->hierarchy;
    for (int64_t i = 0; i < tally->distinct; i++) {
        int32_t leaf = c->leaf[tally->value[i]];
        if (isnan(mass[i])) continue;
        int32_t node = l < h->levels ? h->level[l].of[leaf] : 0;
        if (speaker[node] == 0) {
            speaker[node] = (double)(i + 1);
            continue;
        }
        int64_t first = (int64_t)speaker[node] - 1;
        mass[first] += mass[i];
        surplus[first] += surplus[i];
        mass[i] = NAN;
    }
}

/* Li's costs: two values meet at height h of H, and moving mass between them costs h/H. At every node min(what its children have too much,
 * what they have too little) moves. A child without records of the class has only too little, and too little = too much − the node's own
 * balance: so that only ancestors of the class's values are visited. */
static double tree_distance(const Closeness *c, const Tally *tally, double *scratch) {
    const Hierarchy *h = c->hierarchy;
    double *mass = scratch, *surplus = mass + c->values, *speaker = surplus + c->values, cost = 0;
    bool rooted = h->level[h->levels - 1].count == 1;
    int64_t top = rooted ? h->levels - 1 : h->levels; /* the root's height; above the levels where they do not meet */
    for (int64_t i = 0; i < tally->distinct; i++) {
        mass[i] = (double)tally->count[i] / (double)tally->total;
        surplus[i] = fmax(0, mass[i] - c->share[tally->value[i]]);
    }
    for (int64_t l = 1; l <= top; l++) {
        merge_level(c, tally, l, mass, surplus, speaker);
        for (int64_t i = 0; i < tally->distinct; i++) {
            int32_t leaf = c->leaf[tally->value[i]];
            if (isnan(mass[i])) continue;
            int32_t node = l < h->levels ? h->level[l].of[leaf] : 0;
            double balance = mass[i] - (l < h->levels ? c->node_share[l][node] : 1), moved = fmin(surplus[i], surplus[i] - balance);
            if (moved > 0) cost += moved * (double)l / (double)top;
            surplus[i] = fmax(0, balance);
            speaker[node] = 0;
        }
    }
    return cost;
}

int64_t closeness_scratch(const Closeness *closeness) {
    return closeness->distance == HIERARCHICAL_DISTANCE ? 2 * (int64_t)closeness->values + closeness->hierarchy->leaves + 1 : 1;
}

double closeness_of(const Closeness *closeness, const Tally *tally, double *scratch) {
    Tally present = tally_present(*tally, closeness->values);
    if (!present.total) return 0;
    if (closeness->distance == EQUAL_DISTANCE) return equal_distance(closeness, &present);
    if (closeness->distance == HIERARCHICAL_DISTANCE) return tree_distance(closeness, &present, scratch);
    return line_distance(closeness, &present);
}
