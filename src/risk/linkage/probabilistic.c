/* Probabilistic linkage (Fellegi & Sunter 1969): which columns agree, what agreement is worth, and the best link by that. Never pair by
 * pair: pairs are counted by the set of columns on which they agree. */
#include <stdlib.h>
#include "risk/linkage/agreements.h"
#include "base/extremes.h"

enum { ITERATIONS = 2000 };

/* A pair is a match with probability p; its columns agree independently, with m between records of one person and u between others. */
typedef struct Agreement {
    int64_t columns;
    double p, m[AGREE_COLUMNS], u[AGREE_COLUMNS];
} Agreement;

static double likelihood(const double *agree, int64_t columns, uint32_t set) {
    double product = 1;
    for (int64_t j = 0; j < columns; j++) product *= set >> j & 1 ? agree[j] : 1 - agree[j];
    return product;
}
static double inside(double share) { return smaller(larger(share, 1e-9), 1 - 1e-9); }

/* One step of EM (Jaro 1989). There cannot be more matches than records: p is at most 1/rows. */
static double step(Agreement *a, const double *pairs, double most) {
    double matches = 0, total = 0, m[AGREE_COLUMNS] = { 0 }, u[AGREE_COLUMNS] = { 0 }, moved = 0;
    for (uint32_t set = 0; set < UINT32_C(1) << a->columns; set++) {
        if (!(pairs[set] > 0)) continue; /* seen in no pair */
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
        moved = larger(moved, larger(fabs(new_m - a->m[j]), fabs(new_u - a->u[j])));
        a->m[j] = new_m;
        a->u[j] = new_u;
    }
    a->p = fmin(matches / total, most);
    return moved;
}

/* Whether it converged. */
static bool fit(Agreement *a, const double *pairs, int64_t rows) {
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
        if (step(a, pairs, 1 / (double)rows) < 1e-10) return true;
    return false;
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

/* Which columns of a telling set two tuples agree on. */
static uint32_t agree_on(const TupleSet *tuples, int64_t a, int64_t b, uint32_t telling) {
    uint32_t set = 0;
    for (int64_t j = 0; j < tuples->columns; j++)
        set |= (uint32_t)lines_agree(tuple_line(tuples, a), tuple_line(tuples, b), &tuples->field[j]) << j;
    return set & telling;
}

/* By tuple: how many originals are its best links, and the last pattern, as its place + 1, by which they are; 0 where there is none yet. */
typedef struct Best {
    uint32_t *ties;
    uint16_t *pattern;
} Best;
_Static_assert(1 << AGREE_COLUMNS < UINT16_MAX, "the place of a pattern takes two bytes");

static double best_weight(const Best *best, const Pattern *pattern, int64_t tuple) {
    return best->pattern[tuple] ? pattern[best->pattern[tuple] - 1].weight : 0;
}

/* Takes the patterns from the heaviest down, for the released tuples that are not settled. Where no original agreed on a larger set, those
 * that agree on at least this set agree on exactly it. Patterns of equal weight share one tie. */
static Status find_best(Work *work, const TupleSet *tuples, const Pattern *pattern, int64_t count, Best *best) {
    Status status = OK;
    uint32_t *found = NULL;
    int32_t *active = NULL;
    Matcher matcher = { 0 };
    int64_t left = 0;
    for (int64_t g = 0; g < tuples->count; g++) left += line_released(tuple_line(tuples, g)) > 0;
    NEW(work, found, left + 1);
    NEW(work, active, left + 1);
    TRY(matcher_make(work, tuples, left, &matcher));
    left = 0;
    for (int64_t g = 0; g < tuples->count; g++)
        if (line_released(tuple_line(tuples, g))) active[left++] = (int32_t)g;
    for (int64_t k = 0; k < count && left; k++) {
        int64_t kept = 0;
        TRY(work_check(work));
        work_show(work, "linking", (double)k / (double)count);
        for (int64_t i = 0; i < left; i++) /* settled by a heavier one: done */
            if (!best->ties[active[i]] || fabs(best_weight(best, pattern, active[i]) - pattern[k].weight) < 1e-9)
                active[kept++] = active[i];
        left = kept;
        TRY(matcher_count(work, &matcher, pattern[k].set, active, left, found));
        for (int64_t i = 0; i < left; i++)
            if (found[i]) {
                best->ties[active[i]] += found[i];
                best->pattern[active[i]] = (uint16_t)(k + 1);
            }
    }
done:
    matcher_drop(work, &matcher);
    arena_drop(work->arena, found);
    arena_drop(work->arena, active);
    return status;
}

/* A record's source is among its links where their agreement weighs as much. */
static Status best_links(Run *run, const TupleSet *tuples, const Pattern *pattern, int64_t count, Links *out) {
    Status status = OK;
    Work *work = &run->work;
    double *weight_of = NULL;
    uint32_t telling = 0;
    Best best = { 0 };
    NEW(work, best.ties, tuples->count + 1);
    NEW(work, best.pattern, tuples->count + 1);
    NEW(work, weight_of, INT64_C(1) << tuples->columns);
    for (int64_t k = 0; k < count; k++) {
        weight_of[pattern[k].set] = pattern[k].weight;
        telling |= pattern[k].set;
    }
    TRY(find_best(work, tuples, pattern, count, &best));
    TRY(links_make(work, tuples->rows, out));
    for (int64_t i = 0; i < out->rows; i++) {
        int32_t own = tuples->of[out->rows + i], source = tuples->of[i];
        double weight = best_weight(&best, pattern, own);
        bool right = best.ties[own] && fabs(weight_of[agree_on(tuples, own, source, telling)] - weight) < 1e-9;
        out->distance[i] = weight;
        out->right[i] = right ? 1 / (double)best.ties[own] : 0;
    }
done:
    arena_drop(work->arena, best.ties);
    arena_drop(work->arena, best.pattern);
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
    result_note(run->result, "The distance of a link is its agreement weight. Larger = more certain.");
}

Status link_probabilistic(Run *run, const PairColumns *pair, int64_t bins, Links *out) {
    Status status = OK;
    TupleSet tuples;
    Agreement agreement = { .columns = pair->original.count };
    double *pairs = NULL;
    Pattern *pattern = NULL;
    int64_t count = 0;
    if (agreement.columns > AGREE_COLUMNS) {
        fail(run->work.error, BAD, "probabilistic linkage supports at most %d columns", AGREE_COLUMNS);
        error_advice(run->work.error, "Name the columns that an intruder would link by.");
        TRY(error_parameter(run->work.error, "vars"));
    }
    TRY(tuples_make(&run->work, pair, pair->released.at[0]->rows, bins, &tuples));
    NEW(&run->work, pairs, INT64_C(1) << tuples.columns);
    TRY(count_agreements(&run->work, &tuples, pairs));
    if (!fit(&agreement, pairs, tuples.rows))
        result_note(
            run->result,
            "Warning: the EM fit of the agreement weights did not converge in %d iterations. The links rest on approximate weights.",
            ITERATIONS);
    TRY(patterns_of(run, &agreement, &pattern, &count));
    TRY(best_links(run, &tuples, pattern, count, out));
    tuple_set_drop(&run->work, &tuples);
    say(run, pair, &agreement);
done:
    return status;
}
