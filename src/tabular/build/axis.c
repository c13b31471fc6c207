/* Dimensions from columns: codes at every level, which add up to which. */
#include <stdlib.h>
#include <string.h>
#include "table/group.h"
#include "table/hierarchy.h"
#include "tabular/build/build.h"

/* One way to group the finest codes: rows of words, from fine to coarse. */
typedef struct ValueCounts {
    int64_t levels;
    const char ***word; /* level → finest code → word */
} ValueCounts;
typedef struct Node {
    const char *word;
    uint64_t set;
    int32_t leaves, first;
    int32_t level, top; /* the finest and the coarsest at which the word stands */
    int32_t code;
} Node;
typedef struct Nodes {
    Node *at;
    int64_t count, room;
} Nodes;

static Status bad_column(Work *work, const char *column, const char *what) {
    fail(work->error, BAD, "%s", what);
    return error_column(work->error, column);
}

/* The node of this word; the same word must stand for the same finest codes wherever it is used. */
static Node *node_of(Nodes *nodes, const char *word) {
    for (int64_t i = 0; i < nodes->count; i++)
        if (!strcmp(nodes->at[i].word, word)) return &nodes->at[i];
    return NULL;
}

typedef struct {
    const char *word;
    int32_t leaf;
} Leaf;
static int by_word(const void *a, const void *b) {
    const Leaf *x = a, *y = b;
    int order = strcmp(x->word, y->word);
    return order ? order : (x->leaf > y->leaf) - (x->leaf < y->leaf);
}

/* The words of one level become nodes. */
static Status add_level(Work *work, Nodes *nodes, const char *column, const char *const *word, int32_t leaves, int32_t level) {
    Status status = OK;
    Leaf *sorted = NULL;
    NEW(work, sorted, leaves + 1);
    for (int32_t i = 0; i < leaves; i++) sorted[i] = (Leaf){ word[i], i };
    qsort(sorted, (size_t)leaves, sizeof *sorted, by_word);
    for (int32_t i = 0, end; i < leaves; i = end) {
        Node node = { .word = sorted[i].word, .first = sorted[i].leaf, .level = level, .top = level };
        for (end = i; end < leaves && !strcmp(sorted[end].word, node.word); end++)
            node.set += word_hash((uint64_t)sorted[end].leaf + 1), node.leaves++;
        Node *known = level ? node_of(nodes, node.word) : NULL;
        if (known && known->set != node.set)
            TRY(bad_column(work, column, "a code is ambiguous: it stands for different values at two levels, or lies under two parents"));
        if (known) {
            if (level > known->top) known->top = level;
            continue;
        }
        GROW(work, nodes->at, nodes->room, nodes->count + 1);
        nodes->at[nodes->count++] = node;
    }
done:
    return status;
}

/* ---- ladders ---- */

static Status hierarchy_ladder(Work *work, const Table *table, const Column *column, const Codes *codes, ValueCounts *out) {
    Status status = OK;
    Hierarchy h;
    int32_t *leaf;
    TRY(hierarchy_from_table(work, table, column->name, &h));
    TRY(hierarchy_match(work, &h, column, codes, &leaf));
    *out = (ValueCounts){ .levels = h.levels - 1 };
    NEW(work, out->word, h.levels + 1);
    for (int64_t l = 1; l < h.levels; l++) {
        NEW(work, out->word[l - 1], codes->count + 2);
        for (int32_t c = 0; c < codes->count; c++) out->word[l - 1][c] = h.level[l].word[h.level[l].of[leaf[c]]];
    }
done:
    return status;
}

/* A column above another: every finest code must lie under one of its values. */
static Status nested_level(Work *work, const Column *above, const Codes *codes, const char **word) {
    Status status = OK;
    Codes coarse;
    char number[33];
    int32_t *seen = NULL;
    TRY(column_codes(work, above, &coarse));
    NEW(work, seen, codes->count + 1);
    for (int64_t i = 0; i < above->rows; i++) {
        int32_t fine = codes->at[i];
        if (fine < 0) continue;
        if (coarse.at[i] < 0 || (seen[fine] && seen[fine] != coarse.at[i] + 1)) {
            bad_column(work, above->name, "a code of the finer column lies under no code or under two codes of this column");
            TRY(error_row(work->error, i));
        }
        seen[fine] = coarse.at[i] + 1;
    }
    for (int32_t c = 0; c < codes->count; c++) {
        const char *cell = column_cell(above, coarse.first_row[seen[c] - 1], number);
        if (!(word[c] = arena_text(work->arena, cell))) TRY(out_of_memory(work->error));
    }
done:
    return status;
}

static Status nested_ladder(Work *work, const Axis *axis, const Codes *codes, ValueCounts *out) {
    Status status = OK;
    *out = (ValueCounts){ .levels = axis->levels.count };
    NEW(work, out->word, out->levels + 1);
    for (int64_t l = 0; l < out->levels; l++) {
        NEW(work, out->word[l], codes->count + 2);
        TRY(nested_level(work, axis->levels.at[l], codes, out->word[l]));
    }
done:
    return status;
}

static Status ladders_of(Work *work, const BuildArgs *a, const Axis *axis, const Column *column, const Codes *codes, ValueCounts **out,
                         int64_t *count) {
    Status status = OK;
    Hierarchy unused;
    bool found;
    *count = 0;
    NEW(work, *out, a->hierarchies.count + 2);
    for (int64_t i = 0; i < a->hierarchies.count; i++) {
        TRY(hierarchy_find(work, 1, a->hierarchies.name + i, a->hierarchies.at + i, column, &unused, &found));
        if (found) TRY(hierarchy_ladder(work, a->hierarchies.at[i], column, codes, &(*out)[(*count)++]));
    }
    if (axis->levels.count) TRY(nested_ladder(work, axis, codes, &(*out)[(*count)++]));
    if (!*count) (*out)[(*count)++] = (ValueCounts){ 0 };
done:
    return status;
}

/* ---- codes ---- */

/* The total first, then by the first of the finest codes, coarse before fine: children stand after their parents. */
static int in_order(const void *a, const void *b) {
    const Node *x = a, *y = b;
    if (x->leaves != y->leaves && x->first == y->first) return x->leaves > y->leaves ? -1 : 1;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->level < y->level) - (x->level > y->level);
}

static int by_name(const void *a, const void *b) { return strcmp((*(const Node *const *)a)->word, (*(const Node *const *)b)->word); }

static int32_t code_of(Node *const *sorted, int64_t count, const char *word) {
    const Node key = { .word = word }, *at = &key;
    Node *const *found = bsearch(&at, sorted, (size_t)count, sizeof *sorted, by_name);
    return found ? (*found)->code : -1;
}

/* Each code of a level is the sum of those of the level below that lie under it. */
static Status add_sums(Work *work, const int32_t *above, const int32_t *below, int32_t leaves, int64_t *room, Dimension *d) {
    Status status = OK;
    int32_t *last = NULL, *sum_of = NULL;
    NEW(work, last, d->codes + 1);
    NEW(work, sum_of, d->codes + 1);
    for (int32_t i = 0; i < leaves; i++) {
        if (above[i] == below[i] || last[below[i]] == above[i] + 1) continue; /* a code that is its own parent, or one seen before */
        if (!sum_of[above[i]]) {
            GROW(work, d->sum, *room, d->sums + 1);
            d->sum[d->sums] = (Sum){ .total = above[i] };
            NEW(work, d->sum[d->sums].part, leaves + 1);
            sum_of[above[i]] = (int32_t)++d->sums;
        }
        Sum *sum = &d->sum[sum_of[above[i]] - 1];
        sum->part[sum->count++] = below[i];
        last[below[i]] = above[i] + 1;
    }
done:
    return status;
}

static Status ladder_sums(Work *work, const ValueCounts *ladder, Node *const *sorted, int64_t nodes, const char *const *leaf,
                          int32_t leaves, int32_t total, int64_t *room, Dimension *d) {
    Status status = OK;
    int32_t *below = NULL, *above = NULL;
    NEW(work, below, leaves + 1);
    NEW(work, above, leaves + 1);
    for (int32_t i = 0; i < leaves; i++) below[i] = code_of(sorted, nodes, leaf[i]);
    for (int64_t l = 0; l <= ladder->levels; l++) {
        for (int32_t i = 0; i < leaves; i++) above[i] = l < ladder->levels ? code_of(sorted, nodes, ladder->word[l][i]) : total;
        TRY(add_sums(work, above, below, leaves, room, d));
        memcpy(below, above, (size_t)leaves * sizeof *below);
    }
done:
    return status;
}

/* ---- ancestors ---- */

/* Everything above each code, itself first: what a record counts in. */
static Status ancestors(Work *work, Axis *axis) {
    Status status = OK;
    const Dimension *d = &axis->d;
    int32_t *list = NULL, *seen = NULL;
    int64_t room = 0, entries = 0;
    NEW(work, axis->start, d->codes + 2);
    NEW(work, list, d->codes + 1);
    NEW(work, seen, d->codes + 1);
    for (int32_t c = 0; c < d->codes; c++) {
        int32_t found = 1;
        list[0] = c;
        seen[c] = c + 1;
        for (int32_t at = 0; at < found; at++)
            for (int64_t s = 0; s < d->sums; s++)
                for (int32_t k = 0; k < d->sum[s].count; k++)
                    if (d->sum[s].part[k] == list[at] && seen[d->sum[s].total] != c + 1)
                        seen[d->sum[s].total] = c + 1, list[found++] = d->sum[s].total;
        GROW(work, axis->up, room, entries + found);
        memcpy(axis->up + entries, list, (size_t)found * sizeof *list);
        entries += found;
        axis->start[c + 1] = entries;
    }
done:
    return status;
}

/* A finest code for every record; a missing value is a code of its own. */
static Status leaf_words(Work *work, const Column *column, const Codes *codes, bool missing, const char ***out) {
    Status status = OK;
    char number[33];
    NEW(work, *out, codes->count + 2);
    for (int32_t c = 0; c < codes->count; c++) {
        if (!((*out)[c] = arena_text(work->arena, column_cell(column, codes->first_row[c], number)))) TRY(out_of_memory(work->error));
        if (missing && !strcmp((*out)[c], "Missing"))
            TRY(bad_column(work, column->name, "the code 'Missing' is needed for missing values, but it is a value of this column"));
    }
    if (missing) (*out)[codes->count] = "Missing";
done:
    return status;
}

static Status number_codes(Work *work, const BuildArgs *a, Nodes *nodes, int32_t leaves, Axis *axis, Node ***sorted) {
    Status status = OK;
    Node *total = node_of(nodes, a->total_code);
    if (total && total->leaves != leaves)
        TRY(bad_column(work, axis->column->name, "the code of the total is a value of this column (--total-code)"));
    if (!total || total->level == 0) {
        if (total && total->level == 0)
            TRY(bad_column(work, axis->column->name, "the code of the total is a value of this column (--total-code)"));
        GROW(work, nodes->at, nodes->room, nodes->count + 1);
        nodes->at[nodes->count++] = (Node){ .word = a->total_code, .leaves = leaves + 1, .first = 0, .level = INT32_MAX, .top = INT32_MAX };
    }
    qsort(nodes->at, (size_t)nodes->count, sizeof *nodes->at, in_order);
    NEW(work, *sorted, nodes->count + 1);
    NEW(work, axis->d.code, nodes->count + 1);
    NEW(work, axis->level, nodes->count + 1);
    axis->d.codes = (int32_t)nodes->count;
    for (int32_t i = 0; i < axis->d.codes; i++) {
        nodes->at[i].code = i;
        (*sorted)[i] = &nodes->at[i];
        axis->d.code[i] = nodes->at[i].word;
        axis->level[i] = nodes->at[i].top;
        if (!strcmp(nodes->at[i].word, a->total_code)) axis->total = i;
    }
    qsort(*sorted, (size_t)nodes->count, sizeof **sorted, by_name);
done:
    return status;
}

/* A level at which all values are one is the total under another name. */
static void name_totals(const BuildArgs *a, ValueCounts *ladder, int32_t leaves) {
    for (int64_t l = 0; l < ladder->levels; l++) {
        bool one = true;
        for (int32_t i = 1; i < leaves && one; i++) one = !strcmp(ladder->word[l][i], ladder->word[l][0]);
        for (int32_t i = 0; i < leaves && one && l == ladder->levels - 1; i++) ladder->word[l][i] = a->total_code;
    }
}

/* The column, and below it every value of its hierarchy: codes that are there regardless of who is in the data. */
static Status with_all_codes(Work *work, const BuildArgs *a, const Column *column, Column **out) {
    Status status = OK;
    Hierarchy h;
    bool found;
    const char **cells = NULL;
    char number[33];
    TRY(hierarchy_find(work, a->hierarchies.count, a->hierarchies.name, a->hierarchies.at, column, &h, &found));
    if (!found) {
        bad_column(work, column->name, "has no hierarchy that lists all its codes (--all-codes)");
        TRY(error_advice(work->error, "Add one: COLUMN.csv in the folder --hierarchies, a row for each value."));
    }
    NEW(work, cells, column->rows + h.leaves + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        const char *cell = column_cell(column, i, number);
        if (cell && !(cells[i] = arena_text(work->arena, cell))) TRY(out_of_memory(work->error));
    }
    memcpy(cells + column->rows, h.level[0].word, (size_t)h.leaves * sizeof *cells);
    TRY(column_category(column->name, cells, column->rows + h.leaves, out, work->error));
done:
    return status;
}

/* codes: of the column, or of a longer one that begins with it; missing: whether there is a code for missing values. */
static Status make_from(Work *work, const BuildArgs *a, const Column *column, const Codes *codes, bool missing, Axis *out) {
    Status status = OK;
    ValueCounts *ladders;
    Nodes nodes = { 0 };
    Node **sorted;
    const char **leaf;
    int64_t count, room = 0;
    int32_t leaves = codes->count + missing, *code = NULL;
    TRY(leaf_words(work, column, codes, missing, &leaf));
    TRY(ladders_of(work, a, out, column, codes, &ladders, &count));
    TRY(add_level(work, &nodes, column->name, leaf, leaves, 0));
    for (int64_t i = 0; i < count; i++) {
        for (int64_t l = 0; l < ladders[i].levels && missing; l++) ladders[i].word[l][codes->count] = "Missing";
        name_totals(a, &ladders[i], leaves);
        for (int64_t l = 0; l < ladders[i].levels; l++)
            TRY(add_level(work, &nodes, column->name, ladders[i].word[l], leaves, (int32_t)l + 1));
    }
    TRY(number_codes(work, a, &nodes, leaves, out, &sorted));
    for (int64_t i = 0; i < count; i++) TRY(ladder_sums(work, &ladders[i], sorted, nodes.count, leaf, leaves, out->total, &room, &out->d));
    NEW(work, out->of, a->data->rows + 1);
    NEW(work, code, leaves + 1);
    for (int32_t c = 0; c < leaves; c++) code[c] = code_of(sorted, nodes.count, leaf[c]);
    for (int64_t i = 0; i < a->data->rows; i++) out->of[i] = code[codes->at[i] < 0 ? codes->count : codes->at[i]];
    TRY(ancestors(work, out));
done:
    return status;
}

Status axis_make(Work *work, const BuildArgs *a, const Column *column, Axis *out) {
    Status status = OK;
    Codes codes;
    Column *longer = NULL;
    out->column = column;
    out->d.name = column->name;
    if (a->all_codes && out->levels.count)
        TRY(bad_column(work, column->name, "the codes of --nested columns come from the data: with --all-codes use a hierarchy"));
    if (a->all_codes) TRY(with_all_codes(work, a, column, &longer));
    TRY(column_codes(work, longer ? longer : column, &codes));
    TRY(make_from(work, a, longer ? longer : column, &codes, longer || column->missing > 0, out));
done:
    column_release(longer);
    return status;
}
