/* The complexity of the classification tree, chosen by cross-validation. */
#include <string.h>
#include "base/elementary.h"
#include "utility/propensity/propensity.h"

enum { FOLDS = 4, MOST_RECORDS = 20000, CHOICES = 8 };
/* As shares of the root's impurity. The first one leaves most trees unsplit. */
static const double choices[CHOICES] = { 0.05, 0.01, 0.003, 0.001, 0.0003, 0.0001, 0.00003, 0 };

typedef struct Folds {
    Stack *s;
    const TreeColumn *columns;
    const uint64_t *released;
    int64_t count;
    int64_t *row;                          /* records that take part, in random order: every fourth one is of the same fold */
    double gain[CHOICES], square[CHOICES]; /* how much smaller the squared error of a prediction is than that of the share: sums */
} Folds;

/* The predictors and the response of the records outside a fold. */
static Status without_fold(const Folds *f, Work *work, int fold, TreeColumn *columns, uint64_t **bits, int64_t *rows) {
    Status status = OK;
    int64_t n = 0, *row = NULL;
    NEW(work, row, f->count + 1);
    for (int64_t i = 0; i < f->count; i++)
        if (i % FOLDS != fold) row[n++] = f->row[i];
    NEW(work, *bits, blocks_of(n, 64) + 1);
    for (int64_t i = 0; i < n; i++)
        if (f->released[row[i] >> 6] >> (row[i] & 63) & 1) (*bits)[i >> 6] |= UINT64_C(1) << (i & 63);
    for (int64_t v = 0; v < f->s->variables; v++) {
        const TreeColumn *from = &f->columns[v];
        double *x = NULL;
        int32_t *code = NULL;
        columns[v] = (TreeColumn){ .codes = from->codes };
        if (tree_numbers(from)) NEW(work, x, n + 1);
        else NEW(work, code, n + 1);
        for (int64_t i = 0; i < n; i++) {
            if (x) x[i] = tree_number(from, row[i]);
            else code[i] = from->code[row[i]];
        }
        columns[v].number.real = x;
        columns[v].code = code;
    }
    *rows = n;
done:
    return status;
}

static void add_gains(Folds *f, int fold, int choice, const Tree *tree) {
    for (int64_t i = fold; i < f->count; i += FOLDS) {
        int64_t row = f->row[i];
        double own = (double)(f->released[row >> 6] >> (row & 63) & 1), score = tree->node[tree_find(tree, f->columns, row)].mean;
        double gain = (own - f->s->share) * (own - f->s->share) - (own - score) * (own - score);
        f->gain[choice] += gain;
        f->square[choice] += gain * gain;
    }
}

static Status add_fold(Folds *f, Work *work, int fold) {
    Status status = OK;
    TreeColumn *columns = NULL;
    TreeData data;
    uint64_t *bits;
    int64_t rows;
    NEW(work, columns, f->s->variables + 1);
    TRY(without_fold(f, work, fold, columns, &bits, &rows));
    TRY(tree_data(work, columns, f->s->variables, rows, &data));
    for (int k = 0; k < CHOICES; k++) {
        TreeOptions options = { .min_leaf = f->s->a->min_leaf, .complexity = choices[k] };
        Tree tree;
        TRY(tree_grow(work, &data, &(TreeResponse){ .bits = bits }, &options, &tree));
        add_gains(f, fold, k, &tree);
    }
done:
    return status;
}

Status propensity_complexity(Stack *s, const TreeColumn *columns, const uint64_t *released, double *out) {
    Status status = OK;
    Folds f = { .s = s, .columns = columns, .released = released };
    RandomStream stream = run_stream(s->run, "", "folds");
    NEW(&s->run->work, f.row, s->rows + 1);
    TRY(stream_permutation(&s->run->work, &stream, s->rows, f.row));
    f.count = s->rows < MOST_RECORDS ? s->rows : MOST_RECORDS;
    for (int fold = 0; fold < FOLDS; fold++) {
        Work own = s->run->work; /* an arena of its own: trees come and go */
        if (!(own.arena = arena_new())) return out_of_memory(own.error);
        status = add_fold(&f, &own, fold);
        arena_free(own.arena);
        if (status) return status;
    }
    int best = 0;
    for (int k = 1; k < CHOICES; k++)
        if (f.gain[k] > f.gain[best]) best = k;
    *out = f.gain[best] > 2 * sqrt(f.square[best]) ? choices[best] : NAN; /* two standard errors */
done:
    arena_drop(s->run->work.arena, f.row);
    return status;
}
