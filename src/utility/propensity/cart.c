/* Propensity scores by a classification tree, whose null distribution is found by permutation. */
#include <stdio.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "utility/propensity/propensity.h"

static const double LEAST = 0.00003; /* of the complexities that are tried, but for 0 */

static Status scores(Work *work, const Stack *s, const TreeData *data, const uint64_t *released, double *score, Tree *tree) {
    TreeOptions options = { .min_leaf = s->a->min_leaf, .complexity = s->complexity };
    Status status = tree_grow(work, data, &(TreeResponse){ .bits = released }, &options, tree);
    for (int64_t i = 0; !status && i < s->rows; i++) score[i] = tree->node[tree->leaf[i]].mean;
    return status;
}

static void say_importance(const Stack *s, const Tree *tree) {
    Grid *grid = grid_new(s->run->result, "importance", "variable:text share:real splits:integer");
    double all = 0;
    for (int64_t k = 0; k < tree->nodes; k++) all += tree->node[k].gain;
    for (int64_t v = 0; v < s->variables; v++) {
        double gain = 0;
        int64_t splits = 0;
        for (int64_t k = 0; k < tree->nodes; k++)
            if (tree->node[k].column == v) {
                gain += tree->node[k].gain;
                splits++;
            }
        grid_text(grid, s->variable[v].name);
        grid_real(grid, all > 0 ? gain / all : 0);
        grid_integer(grid, splits);
    }
    grid_done(grid);
}

static void say_tree(const Stack *s, const Tree *tree, bool chosen, bool none) {
    char complexity[33];
    if (none) result_note(s->run->result, "By cross-validation no tree distinguishes the files, so the trees are grown in full.");
    else if (chosen)
        result_note(s->run->result, "The complexity %s was chosen by cross-validation.", real_short(s->complexity, 3, complexity));
    result_note(s->run->result, "The tree has %lld leaves. expected is the mean over %lld trees grown with randomly permuted file labels.",
                (long long)tree->leaves, (long long)s->a->permutations);
}

/* Which table a record is of is drawn again, `permutations` times, and a tree grown on each. */
static Status permute(Stack *s, const TreeData *data, Null *null) {
    Status status = OK;
    int64_t times = s->a->permutations;
    double sum = 0, square = 0;
    for (int64_t k = 0; k < times; k++) {
        Work work = s->run->work; /* an arena of its own: many trees come and go */
        uint64_t *released = NULL;
        double *score = NULL;
        char purpose[48];
        Tree tree;
        work.arena = arena_new();
        if (!work.arena) return out_of_memory(work.error);
        snprintf(purpose, sizeof purpose, "permutation %lld", (long long)k);
        RandomStream stream = run_stream(s->run, "", purpose);
        status = arena_array(work.arena, blocks_of(s->rows, 64), sizeof *released, &released, work.error);
        if (!status) status = arena_array(work.arena, s->rows, sizeof *score, &score, work.error);
        if (!status) status = stream_choose(&work, &stream, s->rows, s->released, released);
        if (!status) status = scores(&work, s, data, released, score, &tree);
        double pmse = status ? 0 : propensity_mean_square(s, score);
        arena_free(work.arena);
        if (status) return status;
        sum += pmse;
        square += pmse * pmse;
        work_show(&s->run->work, "permutations", (double)(k + 1) / (double)times);
    }
    null->expected = sum / (double)times;
    null->deviation = sqrt(fmax(0, (square - sum * sum / (double)times) / (double)(times - 1)));
    return status;
}

Status propensity_cart(Stack *s, double *score, Null *null) {
    Status status = OK;
    Work *work = &s->run->work;
    TreeColumn *columns = NULL;
    TreeData data;
    Tree tree;
    uint64_t *released = NULL;
    NEW(work, columns, s->variables);
    NEW(work, released, blocks_of(s->rows, 64));
    for (int64_t v = 0; v < s->variables; v++)
        columns[v] = (TreeColumn){ .number = s->variable[v].number, .code = s->variable[v].code, .codes = s->variable[v].codes };
    for (int64_t i = s->rows - s->released; i < s->rows; i++) released[i >> 6] |= UINT64_C(1) << (i & 63);
    TRY(tree_data(work, columns, s->variables, s->rows, &data));
    s->complexity = s->a->complexity;
    if (isnan(s->complexity)) TRY(propensity_complexity(s, columns, released, &s->complexity));
    bool chosen = isnan(s->a->complexity), none = isnan(s->complexity);
    if (none) s->complexity = 0;
    TRY(scores(work, s, &data, released, score, &tree));
    TRY(permute(s, &data, null));
    /* Where no tree splits by chance, there is nothing to compare with; of all records the first split may take off less, too. */
    while (chosen && s->complexity > 0 && (tree.leaves == 1 || null->expected == 0)) {
        s->complexity = s->complexity > LEAST ? s->complexity / 3 : 0;
        TRY(scores(work, s, &data, released, score, &tree));
        TRY(permute(s, &data, null));
    }
    say_importance(s, &tree);
    say_tree(s, &tree, chosen, none);
done:
    return status;
}
