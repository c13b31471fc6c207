/* Probabilistic linkage (Fellegi & Sunter 1969): which columns agree, what agreement is worth, and the best link by that. Never pair by
 * pair: pairs are counted by the set of columns on which they agree. */
#include <stdlib.h>
#include "risk/linkage/linkage.h"
#include "table/group.h"
#include "table/joint.h"

enum { MOST = 14, ITERATIONS = 2000 };

/* Distinct tuples of codes over both tables, and how many records of each table have one. */
typedef struct TupleSet {
    int64_t columns, count;
    Codes code[MOST];  /* of the tuples */
    double *held[2];   /* tuple → records of the original, of the release */
    const int32_t *of; /* released record i is tuple of[rows + i] */
    int64_t rows;
} TupleSet;

static Status joint_tuples(Run *run, const PairColumns *pair, int64_t bins, TupleSet *out) {
    Status status = OK;
    Work *work = &run->work;
    int64_t rows = out->rows;
    Codes all[MOST] = { { 0 } };
    Grouping groups;
    for (int64_t j = 0; j < out->columns; j++) {
        JointCodes joint;
        int32_t *at = NULL;
        TRY(joint_codes(work, pair->original.at[j], pair->released.at[j], bins, (int32_t)bins, &joint));
        NEW(work, at, 2 * rows);
        for (int t = 0; t < 2; t++)
            for (int64_t i = 0; i < rows; i++) at[t * rows + i] = joint.at[t][i];
        all[j] = (Codes){ .count = joint.count, .at = at };
    }
    TRY(group_codes(work, all, out->columns, 2 * rows, &groups));
    out->count = groups.count;
    out->of = groups.of;
    for (int t = 0; t < 2; t++) {
        NEW(work, out->held[t], groups.count);
        for (int64_t i = 0; i < rows; i++) out->held[t][groups.of[t * rows + i]]++;
    }
    for (int64_t j = 0; j < out->columns; j++) {
        int32_t *at = NULL;
        NEW(work, at, groups.count);
        for (int64_t g = 0; g < groups.count; g++) at[g] = all[j].at[groups.first[g]];
        out->code[j] = (Codes){ .count = all[j].count, .at = at };
    }
done:
    return status;
}

/* Original records in each group of tuples that are equal on `set`; a tuple that lacks one of these columns is in no group (-1). */
typedef struct SetBlock {
    int32_t *of;
    double *originals;
    int64_t *first, *size;
} SetBlock;
static Status block_by(Work *work, const TupleSet *tuples, uint32_t set, SetBlock *out) {
    Status status = OK;
    Codes some[MOST];
    int64_t count = 0;
    Grouping groups;
    *out = (SetBlock){ 0 };
    for (int64_t j = 0; j < tuples->columns; j++)
        if (set >> j & 1) some[count++] = tuples->code[j];
    if (!count) {
        NEW(work, groups.of, tuples->count);
        groups = (Grouping){ .count = 1, .of = groups.of };
    } else TRY(group_codes(work, some, count, tuples->count, &groups));
    NEW(work, out->originals, groups.count);
    out->of = groups.of;
    out->first = groups.first;
    out->size = groups.size;
    for (int64_t g = 0; g < tuples->count; g++) {
        for (int64_t k = 0; k < count; k++)
            if (some[k].at[g] < 0) {
                out->of[g] = -1;
                break;
            }
        if (out->of[g] >= 0) out->originals[out->of[g]] += tuples->held[0][g];
    }
done:
    return status;
}
static void block_drop(Work *work, SetBlock *block) {
    arena_drop(work->arena, block->of);
    arena_drop(work->arena, block->originals);
    arena_drop(work->arena, block->first);
    arena_drop(work->arena, block->size);
}

/* pairs[set]: pairs that agree on exactly these columns. Counted as "at least these", then by inclusion and exclusion. */
static Status count_patterns(Run *run, const TupleSet *tuples, double *pairs) {
    Status status = OK;
    uint32_t sets = UINT32_C(1) << tuples->columns;
    for (uint32_t set = 0; set < sets; set++) {
        SetBlock block;
        TRY(work_check(&run->work));
        work_show(&run->work, "counting agreements", (double)set / sets);
        TRY(block_by(&run->work, tuples, set, &block));
        for (int64_t g = 0; g < tuples->count; g++)
            if (block.of[g] >= 0) pairs[set] += tuples->held[1][g] * block.originals[block.of[g]];
        block_drop(&run->work, &block);
    }
    for (int64_t j = 0; j < tuples->columns; j++)
        for (uint32_t set = 0; set < sets; set++)
            if (!(set >> j & 1)) pairs[set] -= pairs[set | UINT32_C(1) << j];
done:
    return status;
}

/* A pair is a match with probability p; its columns agree independently, with m between records of one person and u between others. */
typedef struct Agreement {
    int64_t columns;
    double p, m[MOST], u[MOST];
} Agreement;

static double likelihood(const double *agree, int64_t columns, uint32_t set) {
    double product = 1;
    for (int64_t j = 0; j < columns; j++) product *= set >> j & 1 ? agree[j] : 1 - agree[j];
    return product;
}
static double inside(double share) { return fmin(fmax(share, 1e-9), 1 - 1e-9); }

/* One step of EM (Jaro 1989). There cannot be more matches than records: p is at most 1/rows. */
static double step(Agreement *a, const double *pairs, double most) {
    double matches = 0, total = 0, m[MOST] = { 0 }, u[MOST] = { 0 }, moved = 0;
    for (uint32_t set = 0; set < UINT32_C(1) << a->columns; set++) {
        double yes = a->p * likelihood(a->m, a->columns, set), no = (1 - a->p) * likelihood(a->u, a->columns, set), g = yes / (yes + no);
        matches += pairs[set] * g;
        total += pairs[set];
        for (int64_t j = 0; j < a->columns; j++)
            if (set >> j & 1) {
                m[j] += pairs[set] * g;
                u[j] += pairs[set] * (1 - g);
            }
    }
    for (int64_t j = 0; j < a->columns; j++) {
        double new_m = inside(m[j] / fmax(matches, 1e-300)), new_u = inside(u[j] / fmax(total - matches, 1e-300));
        moved = fmax(moved, fmax(fabs(new_m - a->m[j]), fabs(new_u - a->u[j])));
        a->m[j] = new_m;
        a->u[j] = new_u;
    }
    a->p = fmin(matches / total, most);
    return moved;
}

static void fit(Agreement *a, const double *pairs, int64_t rows) {
    a->p = 1 / (double)rows;
    double total = 0;
    for (uint32_t set = 0; set < UINT32_C(1) << a->columns; set++) {
        total += pairs[set];
        for (int64_t j = 0; j < a->columns; j++)
            if (set >> j & 1) a->u[j] += pairs[set];
    }
    for (int64_t j = 0; j < a->columns; j++) {
        a->u[j] = inside(a->u[j] / total);
        a->m[j] = 0.9;
    }
    for (int i = 0; i < ITERATIONS; i++)
        if (step(a, pairs, 1 / (double)rows) < 1e-10) break;
}

typedef struct Pattern {
    uint32_t set;
    double weight;
} Pattern;
static int heavier(const void *a, const void *b) {
    const Pattern *x = a, *y = b;
    return x->weight != y->weight ? (x->weight < y->weight) - (x->weight > y->weight) : (x->set < y->set) - (x->set > y->set);
}

/* Sets of the columns that speak for a match, heaviest first. A column that agrees no more often between records of one person says
 * nothing. */
static Status patterns_of(Run *run, const Agreement *a, Pattern **out, int64_t *count) {
    Status status = OK;
    uint32_t telling = 0;
    for (int64_t j = 0; j < a->columns; j++) telling |= (uint32_t)(a->m[j] > a->u[j]) << j;
    NEW(&run->work, *out, INT64_C(1) << a->columns);
    *count = 0;
    for (uint32_t set = 0; set < UINT32_C(1) << a->columns; set++) {
        double weight = 0;
        if (set & ~telling) continue;
        for (int64_t j = 0; j < a->columns; j++)
            if (telling >> j & 1) weight += set >> j & 1 ? log2(a->m[j] / a->u[j]) : log2((1 - a->m[j]) / (1 - a->u[j]));
        (*out)[(*count)++] = (Pattern){ set, weight };
    }
    qsort(*out, (size_t)*count, sizeof **out, heavier);
done:
    return status;
}

/* Takes the patterns from the heaviest down. Where no original agreed on a larger set, those that agree on at least this set agree on
 * exactly it. Patterns of equal weight share one tie. */
static Status best_links(Run *run, const TupleSet *tuples, const Pattern *pattern, int64_t count, Links *out) {
    Status status = OK;
    double *ties = NULL, *weight = NULL, *right = NULL;
    NEW(&run->work, ties, tuples->count);
    NEW(&run->work, weight, tuples->count);
    NEW(&run->work, right, out->rows);
    for (int64_t k = 0; k < count; k++) {
        SetBlock block;
        TRY(work_check(&run->work));
        work_show(&run->work, "linking", (double)k / (double)count);
        TRY(block_by(&run->work, tuples, pattern[k].set, &block));
        for (int64_t g = 0; g < tuples->count; g++)
            if (block.of[g] >= 0 && block.originals[block.of[g]] > 0 && (ties[g] == 0 || fabs(weight[g] - pattern[k].weight) < 1e-9)) {
                ties[g] += block.originals[block.of[g]];
                weight[g] = pattern[k].weight;
            }
        for (int64_t i = 0; i < out->rows; i++) {
            int32_t own = tuples->of[out->rows + i], source = tuples->of[i];
            if (block.of[own] >= 0 && block.of[own] == block.of[source] && fabs(weight[own] - pattern[k].weight) < 1e-9) right[i] = 1;
        }
        block_drop(&run->work, &block);
    }
    for (int64_t i = 0; i < out->rows; i++) {
        int32_t own = tuples->of[out->rows + i];
        out->distance[i] = weight[own];
        out->right[i] = ties[own] > 0 ? right[i] / ties[own] : 0;
    }
done:
    return status;
}

static void say(Run *run, const PairColumns *pair, const Agreement *a) {
    Grid *grid = grid_new(run->result, "agreement", "column:text m:real u:real weight:real");
    for (int64_t j = 0; j < a->columns; j++) {
        grid_text(grid, pair->original.at[j]->name);
        grid_real(grid, a->m[j]);
        grid_real(grid, a->u[j]);
        grid_real(grid, a->m[j] > a->u[j] ? log2(a->m[j] / a->u[j]) : 0);
    }
    grid_done(grid);
    result_note(run->result, "The distance of a link is its agreement weight: the larger, the surer.");
}

Status link_probabilistic(Run *run, const PairColumns *pair, int64_t bins, Links *out) {
    Status status = OK;
    TupleSet tuples = { .columns = pair->original.count, .rows = out->rows };
    Agreement agreement = { .columns = tuples.columns };
    double *pairs = NULL;
    Pattern *pattern = NULL;
    int64_t count = 0;
    if (tuples.columns > MOST) {
        fail(run->work.error, BAD, "probabilistic linkage takes at most %d columns", MOST);
        error_advice(run->work.error, "Name the columns that an intruder would link by.");
        TRY(error_parameter(run->work.error, "vars"));
    }
    TRY(joint_tuples(run, pair, bins, &tuples));
    NEW(&run->work, pairs, INT64_C(1) << tuples.columns);
    TRY(count_patterns(run, &tuples, pairs));
    fit(&agreement, pairs, out->rows);
    TRY(patterns_of(run, &agreement, &pattern, &count));
    TRY(best_links(run, &tuples, pattern, count, out));
    say(run, pair, &agreement);
done:
    return status;
}
