/* A fitted synthesis as a table and back. A donor is a place in its column's sorted values: who shares a record is in no column, only who
 * shares a leaf. Nodes are text: "leaf FIRST LAST" (donors), "V <= STATE LEFT RIGHT" (and "missing" where missing goes left) or
 * "V in BITS,… LEFT RIGHT" of the state of visit V. Regressions are rows of numbers (saved_regression.c). */
#include "synth/engine/saved.h"
#include "synth/engine/saved_trees.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "math/ranks.h"

typedef enum { OF_VALUE, OF_MISSING } Transaction;

static const char *part_name(Work *work, const char *part, Transaction stage, const char *column) {
    return arena_print(work->arena, "%s of %s%s", part, stage == OF_MISSING ? "missing " : "", column);
}

/* ---- to a table ---- */

typedef struct Saving {
    const Synthesis *s;
    Work *work;
    int64_t rows, count;
    Column **made;
    int64_t *order, *place; /* of one variable: its rows sorted, and each row's place there */
    int64_t *visit_of;      /* variable → visit */
} Saving;

static Status sort_values(Saving *w, const Variable *v) {
    Status status = OK;
    int64_t rows = v->column->rows, next = 0;
    if (v->numeric) TRY(order_reals(w->work, v->real, rows, w->order, &next));
    for (int32_t state = v->numeric ? v->bins : 0; state < v->states; state++)
        for (int64_t i = 0; i < rows; i++)
            if (v->state[i] == state) w->order[next++] = i;
    for (int64_t k = 0; k < rows; k++) w->place[w->order[k]] = k;
done:
    return status;
}

static void node_text(const Saving *w, const Model *m, const DonorTree *tree, const DonorNode *node, Buffer *out) {
    if (node->feature < 0) {
        buffer_print(out, "leaf %d %d", node->first, node->last);
        return;
    }
    const Feature *f = &m->feature[node->feature];
    int64_t visit = w->visit_of[m->predictor[node->feature]];
    if (f->ordered)
        buffer_print(out, "%lld <= %d %d %d%s", (long long)visit, node->threshold, node->left, node->right,
                     f->missing && node->missing_left ? " missing" : "");
    else {
        buffer_print(out, "%lld in ", (long long)visit);
        for (int32_t k = 0; k < f->states / 64 + 1; k++) buffer_print(out, "%s%" PRIx64, k ? "," : "", tree->word[node->set + k]);
        buffer_print(out, " %d %d", node->left, node->right);
    }
}

static Status put_numbers(Saving *w, const char *name, Type type, const double *x, int64_t count) {
    Status status = saved_column(w->work, name, type, x, count, w->rows, &w->made[w->count]);
    w->count += !status;
    return status;
}

static Status put_regression(Saving *w, const Model *m) {
    Status status = OK;
    const Regression *r = &m->regression[0];
    const char *column = w->s->variable[m->variable].column->name;
    int64_t count = regression_rows(r);
    double *x = NULL;
    NEW(w->work, x, w->rows + 1);
    regression_numbers(r, w->visit_of, x);
    TRY(put_numbers(w, part_name(w->work, "regression", OF_VALUE, column), REAL_TYPE, x, count));
    if (r->kind != MODEL_PMM) goto done;
    TRY(put_numbers(w, part_name(w->work, "means", OF_VALUE, column), REAL_TYPE, r->sorted, r->rows));
    for (int64_t i = 0; i < r->rows; i++) x[i] = (double)w->place[r->donor[i]];
    TRY(put_numbers(w, part_name(w->work, "donors", OF_VALUE, column), INTEGER_TYPE, x, r->rows));
done:
    arena_drop(w->work->arena, x);
    return status;
}

static Status put_tree(Saving *w, const Model *m, const DonorTree *tree, Transaction stage) {
    Status status = OK;
    const char *column = w->s->variable[m->variable].column->name, **cell = NULL;
    const char *nodes = part_name(w->work, "tree", stage, column), *donors = part_name(w->work, "donors", stage, column);
    double *place = NULL;
    Buffer text = { 0 };
    if (!nodes || !donors) TRY(out_of_memory(w->work->error));
    NEW(w->work, cell, w->rows + 1);
    for (int64_t i = 0; i < tree->nodes; i++) {
        text.count = 0;
        node_text(w, m, tree, &tree->node[i], &text);
        cell[i] = arena_text(w->work->arena, buffer_get(&text));
        if (!cell[i]) TRY(out_of_memory(w->work->error));
    }
    TRY(column_text(nodes, cell, w->rows, &w->made[w->count], w->work->error));
    w->count++;
    NEW(w->work, place, w->rows + 1);
    for (int64_t i = 0; i < tree->rows; i++) place[i] = (double)w->place[tree->donor[i]];
    TRY(put_numbers(w, donors, INTEGER_TYPE, place, tree->rows));
done:
    arena_drop(w->work->arena, place);
    buffer_free(&text);
    return status;
}

static Status put_values(Saving *w, const Variable *v) {
    Status status = OK;
    int64_t *from = NULL;
    NEW(w->work, from, w->rows + 1);
    for (int64_t i = 0; i < w->rows; i++) from[i] = i < v->column->rows ? w->order[i] : -1;
    TRY(column_take(v->column, from, w->rows, &w->made[w->count], w->work->error));
    w->count++;
done:
    arena_drop(w->work->arena, from);
    return status;
}

static int64_t rows_needed(const Synthesis *s) {
    int64_t rows = s->args->data->rows;
    for (int64_t k = 0; k < s->visits; k++) {
        const Model *m = &s->model[k];
        int64_t needed = m->regression ? regression_rows(&m->regression[0]) : m->value[0].nodes;
        if (needed > rows) rows = needed;
        if (m->missing && m->missing[0].nodes > rows) rows = m->missing[0].nodes;
    }
    return rows;
}

Status trees_table(const Synthesis *s, Table **out) {
    Status status = OK;
    Work *work = &s->run->work;
    Saving w = { .s = s, .work = work, .rows = rows_needed(s) };
    double records = (double)s->args->data->rows;
    NEW(work, w.made, 6 * s->visits + 2);
    NEW(work, w.order, s->args->data->rows + 1);
    NEW(work, w.place, s->args->data->rows + 1);
    NEW(work, w.visit_of, s->variables + 1);
    for (int64_t k = 0; k < s->visits; k++) w.visit_of[s->visit[k]] = k;
    TRY(put_numbers(&w, SAVED_SIZE, INTEGER_TYPE, &records, 1));
    for (int64_t k = 0; k < s->visits; k++) {
        const Model *m = &s->model[k];
        TRY(work_check(work));
        TRY(sort_values(&w, &s->variable[m->variable]));
        TRY(put_values(&w, &s->variable[m->variable]));
        if (m->missing) TRY(put_tree(&w, m, &m->missing[0], OF_MISSING));
        TRY(m->regression ? put_regression(&w, m) : put_tree(&w, m, &m->value[0], OF_VALUE));
    }
    TRY(table_new(s->args->data->name, w.made, w.count, w.rows, out, work->error));
done:
    for (int64_t j = 0; w.made && j < w.count; j++) column_release(w.made[j]);
    return status;
}

/* ---- and back ---- */

static bool read_number(const char **at, int64_t *out) {
    char *end;
    long long value = strtoll(*at, &end, 10);
    if (end == *at) return false;
    *out = value;
    *at = end;
    return true;
}

/* The bits of a set, as many words as the states need. */
static bool read_set(const char **at, int32_t states, DonorTree *tree, DonorNode *node) {
    node->set = tree->words;
    for (int32_t k = 0; k < states / 64 + 1; k++) {
        char *end;
        if (k && *(*at)++ != ',') return false;
        tree->word[tree->words++] = strtoull(*at, &end, 16);
        if (end == *at) return false;
        *at = end;
    }
    return true;
}

static bool read_leaf(const char *at, DonorTree *tree, int64_t number) {
    DonorNode *node = &tree->node[number];
    int64_t first, last;
    if (!read_number(&at, &first) || !read_number(&at, &last) || *at) return false;
    if (first < 0 || (first >= last && tree->rows) || last > tree->rows) return false; /* without a value, the leaf is empty */
    *node = (DonorNode){ .feature = -1, .first = (int32_t)first, .last = (int32_t)last, .leaf = (int32_t)tree->leaves };
    tree->leaf_node[tree->leaves++] = (int32_t)number;
    return true;
}

static bool read_split(const char *at, const Model *m, DonorTree *tree, int64_t number) {
    DonorNode *node = &tree->node[number];
    int64_t visit, threshold, left, right;
    if (!read_number(&at, &visit) || visit < 0 || visit >= m->predictors) return false;
    node->feature = (int32_t)visit;
    const Feature *f = &m->feature[visit];
    if (strncmp(at, f->ordered ? " <= " : " in ", 4)) return false;
    at += 4;
    if (f->ordered) {
        if (!read_number(&at, &threshold) || threshold < 0 || threshold >= MOST_STATES) return false;
        node->threshold = (uint16_t)threshold;
    } else if (!read_set(&at, f->states, tree, node)) return false;
    if (!read_number(&at, &left) || !read_number(&at, &right)) return false;
    node->missing_left = !strcmp(at, " missing");
    node->left = (int32_t)left;
    node->right = (int32_t)right;
    /* children come after their parent, so that no walk goes round */
    return (node->missing_left || !*at) && left > number && right > number && left < tree->nodes && right < tree->nodes;
}

static Status read_nodes(Work *work, const Column *nodes, const Model *m, DonorTree *tree) {
    Status status = OK;
    int64_t words = 1, count = nodes->rows - nodes->missing;
    char number[33];
    for (int32_t f = 0; f < m->predictors; f++)
        if (m->feature[f].states / 64 + 1 > words) words = m->feature[f].states / 64 + 1;
    tree->nodes = count;
    tree->node = calloc((size_t)count + 1, sizeof *tree->node);
    tree->leaf_node = calloc((size_t)count + 1, sizeof *tree->leaf_node);
    tree->word = calloc((size_t)(count * words) + 1, sizeof *tree->word);
    if (!tree->node || !tree->leaf_node || !tree->word) TRY(out_of_memory(work->error));
    if (!count) TRY(not_saved(work, nodes->name, 0));
    for (int64_t i = 0; i < count; i++) {
        const char *cell = column_cell(nodes, i, number);
        bool leaf = cell && !strncmp(cell, "leaf ", 5);
        if (!cell || !(leaf ? read_leaf(cell + 5, tree, i) : read_split(cell, m, tree, i))) TRY(not_saved(work, nodes->name, i));
    }
done:
    return status;
}

static Status read_donors(Work *work, const Column *donors, int64_t records, DonorTree *tree) {
    Status status = OK;
    tree->rows = donors->rows - donors->missing;
    tree->donor = calloc((size_t)tree->rows + 1, sizeof *tree->donor);
    if (!tree->donor) TRY(out_of_memory(work->error));
    if (tree->rows && donors->type != INTEGER_TYPE) TRY(not_saved(work, donors->name, 0)); /* without a value, a file says no type */
    for (int64_t i = 0; i < tree->rows; i++) {
        if (column_missing(donors, i) || column_integer(donors, i) < 0 || column_integer(donors, i) >= records)
            TRY(not_saved(work, donors->name, i));
        tree->donor[i] = (int32_t)column_integer(donors, i);
    }
done:
    return status;
}

static Status read_tree(Work *work, const Table *model, const char *column, Transaction stage, int64_t records, const Model *m,
                        DonorTree **out) {
    Status status = OK;
    const char *nodes = part_name(work, "tree", stage, column), *donors = part_name(work, "donors", stage, column);
    if (!nodes || !donors) TRY(out_of_memory(work->error));
    if (!table_column(model, nodes)) return OK;
    if (!table_column(model, donors)) TRY(not_saved(work, nodes, 0));
    NEW(work, *out, 1);
    TRY(read_donors(work, table_column(model, donors), records, *out));
    TRY(read_nodes(work, table_column(model, nodes), m, *out));
done:
    return status;
}

static Status read_regression(Synthesis *s, const Table *table, const Column *column, Model *m) {
    Status status = OK;
    Work *work = &s->run->work;
    const char *name = s->variable[m->variable].column->name;
    const Column *means = NULL, *donors = NULL;
    double *x = NULL;
    int64_t count;
    bool fine;
    TRY(saved_numbers(work, column, &x, &count));
    if (!(x[0] >= MODEL_NORMAL && x[0] <= MODEL_PMM)) TRY(not_saved(work, column->name, 0));
    m->kind = (ModelKind)x[0];
    TRY(model_prepare(s, m));
    TRY(saved_part(work, table, "means", name, &means));
    TRY(saved_part(work, table, "donors", name, &donors));
    TRY(regression_read(s, m, x, count, &m->regression[0], &fine, work->error));
    if (fine) TRY(regression_values(s, m, means, donors, &m->regression[0], &fine, work->error));
    if (!fine) TRY(not_saved(work, column->name, 0));
    s->numbers = true;
done:
    arena_drop(work->arena, x);
    return status;
}

static Status read_model(Synthesis *s, const Table *table, int64_t k) {
    Status status = OK;
    Work *work = &s->run->work;
    Model *m = &s->model[k];
    const Variable *v = &s->variable[k];
    const Column *regression = NULL;
    bool parted;
    *m = (Model){ .kind = MODEL_CART, .variable = k };
    NEW(work, m->predictor, k + 1);
    NEW(work, m->feature, k + 1);
    TRY(saved_part(work, table, "regression", v->column->name, &regression));
    if (regression) TRY(read_regression(s, table, regression, m));
    else TRY(model_prepare(s, m));
    m->predictors = 0; /* a tree's nodes name any visit before; a regression has its own */
    for (int64_t p = 0; p < k; p++) model_predict_from(m, s, p);
    if (!regression) TRY(read_tree(work, table, v->column->name, OF_VALUE, v->column->rows, m, &m->value));
    parted = m->missing != NULL;
    m->missing = NULL;
    TRY(read_tree(work, table, v->column->name, OF_MISSING, v->column->rows, m, &m->missing));
    if (parted != (m->missing != NULL)) TRY(not_saved(work, v->column->name, 0));
done:
    return status;
}

Status trees_read(Synthesis *s, Run *run, SynthArgs *args, Table **values) {
    Status status = OK;
    const Table *model = args->model;
    Work *work = &run->work;
    int64_t records;
    *s = (Synthesis){ .run = run, .args = args };
    TRY(saved_records(work, model, &records));
    TRY(saved_values(work, model, records, values));
    args->data = *values;
    NEW(work, s->variable, (*values)->columns + 1);
    NEW(work, s->known, (*values)->columns + 1);
    NEW(work, s->visit, (*values)->columns + 1);
    NEW(work, s->model, (*values)->columns + 1);
    for (int64_t k = 0; k < (*values)->columns; k++) {
        TRY(variable_make(work, (*values)->column[k], &s->variable[k]));
        s->variables++;
        s->visit[k] = k;
    }
    TRY(strata_make(work, (Columns){ 0 }, (*values)->rows, &s->strata));
    for (int64_t k = 0; k < (*values)->columns; k++) {
        s->visits++;
        TRY(read_model(s, model, k));
    }
    if (args->rules) TRY(edit_rules_make(work, args->rules, args->data, &s->rules));
done:
    return status;
}
