/* Which pairs of columns go together otherwise in the release: they become predictors of their own. A model of main effects, and a tree,
 * whose first split is of one column, see nothing of a release whose columns are right one by one (a permuted income). */
#include <stdlib.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "math/special/gamma.h"
#include "utility/propensity/propensity.h"

enum {
    GROUPS = 5,       /* of a column: quarters of its numbers, or its three commonest categories and the others; and what is missing */
    MOST_PAIRS = 4,   /* taken as predictors */
    FEWEST = 20,      /* records of a cell that is told from the others of its pair */
    MOST_TERMS = 1700 /* of the model with them */
};
static const double FALSE_ALARM = 1e-6, MOST_WORK = 4e8; /* over all pairs; records seen, all pairs together */
static const double MOST_FITTING = 1e9;                  /* records times terms squared, of a step of the logistic fit: beyond one pair */

typedef struct Coarse {
    uint8_t *group; /* of each record */
    int groups;
} Coarse;

typedef struct PairFound {
    int64_t a, b;
    double excess; /* in standard deviations of the χ² */
} PairFound;

static Status group_numbers(Work *work, const Variable *v, int64_t rows, Coarse *out) {
    Status status = OK;
    double *sorted = NULL, cut[GROUPS];
    int64_t present = 0;
    int cuts = 0;
    NEW(work, sorted, rows + 1);
    for (int64_t i = 0; i < rows; i++)
        if (!isnan(number_at(&v->number, i))) sorted[present++] = number_at(&v->number, i);
    qsort(sorted, (size_t)present, sizeof *sorted, ascending_real);
    for (int k = 1; k < GROUPS - 1 && present; k++) {
        const double x = sorted[present * k / (GROUPS - 1)];
        if (x < sorted[present - 1] && (!cuts || x > cut[cuts - 1])) cut[cuts++] = x;
    }
    for (int64_t i = 0; i < rows; i++) {
        const double x = number_at(&v->number, i);
        int g = 0;
        while (g < cuts && x > cut[g]) g++;
        out->group[i] = (uint8_t)(isnan(x) ? cuts + 1 : g);
    }
    out->groups = cuts + 1 + (present < rows);
done:
    arena_drop(work->arena, sorted);
    return status;
}

/* The commonest categories have groups of their own. */
static Status group_categories(Work *work, const Variable *v, int64_t rows, Coarse *out) {
    Status status = OK;
    int64_t *count = NULL;
    uint8_t *group = NULL;
    int taken = 0;
    bool missing = false, others = false;
    NEW(work, count, v->codes + 1);
    NEW(work, group, v->codes + 1);
    for (int64_t i = 0; i < rows; i++)
        if (v->code[i] >= 0) count[v->code[i]]++;
        else missing = true;
    for (; taken < GROUPS - 2 && taken < v->codes; taken++) {
        int32_t most = 0;
        for (int32_t c = 1; c < v->codes; c++)
            if (count[c] > count[most]) most = c;
        group[most] = (uint8_t)(taken + 1);
        count[most] = -1;
    }
    for (int32_t c = 0; c < v->codes; c++) others |= !group[c];
    for (int64_t i = 0; i < rows; i++) {
        const int own = v->code[i] >= 0 ? group[v->code[i]] : 0;
        out->group[i] = (uint8_t)(v->code[i] < 0 ? taken + others : own ? own - 1 : taken);
    }
    out->groups = taken + others + missing;
done:
    arena_drop(work->arena, count);
    arena_drop(work->arena, group);
    return status;
}

static double log_odds(double share) { return log(share / (1 - share)); }

/* Released records in each cell against those that the shares of its row and its column make together, on the scale of log odds. A cell
 * where either is nearly sure is passed over. Returns how far χ² is above its degrees of freedom, in standard deviations; 0 where chance
 * could do it. */
static double excess_of(const Stack *s, const Coarse *a, const Coarse *b, int64_t stride, double alarm) {
    int64_t all[GROUPS][GROUPS] = { { 0 } }, released[GROUPS][GROUPS] = { { 0 } };
    double row[2][GROUPS] = { { 0 } }, column[2][GROUPS] = { { 0 } }, total[2] = { 0 }, square = 0;
    const double free = (double)(a->groups - 1) * (double)(b->groups - 1);
    for (int64_t i = 0; i < s->rows; i += stride) {
        all[a->group[i]][b->group[i]]++;
        released[a->group[i]][b->group[i]] += i >= s->rows - s->released;
    }
    for (int x = 0; x < a->groups; x++)
        for (int y = 0; y < b->groups; y++) {
            const double n[2] = { (double)all[x][y], (double)released[x][y] };
            for (int k = 0; k < 2; k++) row[k][x] += n[k], column[k][y] += n[k], total[k] += n[k];
        }
    const double share = total[0] > 0 ? total[1] / total[0] : 0;
    if (free < 1 || !(share > 0 && share < 1)) return 0;
    for (int x = 0; x < a->groups; x++)
        for (int y = 0; y < b->groups; y++) {
            const double n = (double)all[x][y], r = row[1][x] / row[0][x], c = column[1][y] / column[0][y];
            if (!(n > 0) || !(r > 0 && r < 1 && c > 0 && c < 1)) continue;
            const double expected = n / (1 + exp(-(log_odds(r) + log_odds(c) - log_odds(share))));
            if (expected < 2 || n - expected < 2) continue;
            square += pow((double)released[x][y] - expected, 2) / (expected * (1 - expected / n));
        }
    return chi_square_tails(free, square).upper < alarm ? (square - free) / sqrt(2 * free) : 0;
}

/* The strongest, strongest first. */
static void keep_pair(PairFound found, PairFound *best, int *count) {
    int at = *count;
    while (at > 0 && best[at - 1].excess < found.excess) at--;
    if (at >= MOST_PAIRS) return;
    *count += *count < MOST_PAIRS;
    for (int k = *count - 1; k > at; k--) best[k] = best[k - 1];
    best[at] = found;
}

static Status add_pair(Stack *s, const Coarse *coarse, const PairFound *pair) {
    Status status = OK;
    Arena *arena = s->run->work.arena;
    const Coarse *a = &coarse[pair->a], *b = &coarse[pair->b];
    int32_t *code = NULL, place[GROUPS * GROUPS];
    int64_t size[GROUPS * GROUPS] = { 0 };
    Variable *v = &s->variable[s->variables];
    *v = (Variable){ .name = arena_print(arena, "%s × %s", s->variable[pair->a].name, s->variable[pair->b].name) };
    NEW(&s->run->work, code, s->rows + 1);
    NEW(&s->run->work, v->label, a->groups * b->groups + 2);
    for (int64_t i = 0; i < s->rows; i++) size[a->group[i] * b->groups + b->group[i]]++;
    v->label[v->codes++] = " other groups";
    for (int k = 0; k < a->groups * b->groups; k++) {
        place[k] = 0;
        if (size[k] < FEWEST) continue;
        v->label[v->codes] = arena_print(arena, " groups %d and %d", k / b->groups + 1, k % b->groups + 1);
        if (!v->label[v->codes]) TRY(out_of_memory(s->run->work.error));
        place[k] = v->codes++;
    }
    for (int64_t i = 0; i < s->rows; i++) code[i] = place[a->group[i] * b->groups + b->group[i]];
    if (!v->name) TRY(out_of_memory(s->run->work.error));
    v->code = code;
    s->variables++;
done:
    return status;
}

static Status find_pairs(Stack *s, const Coarse *coarse, PairFound *best, int *count) {
    Status status = OK;
    const double pairs = (double)s->variables * (double)(s->variables - 1) / 2;
    const int64_t stride = 1 + (int64_t)(pairs * (double)s->rows / MOST_WORK);
    for (int64_t a = 0; a < s->variables; a++) {
        TRY(work_check(&s->run->work));
        for (int64_t b = a + 1; b < s->variables; b++) {
            const double excess = excess_of(s, &coarse[a], &coarse[b], stride, FALSE_ALARM / pairs);
            if (excess > 0) keep_pair((PairFound){ a, b, excess }, best, count);
        }
    }
done:
    return status;
}

Status propensity_pairs(Stack *s) {
    Status status = OK;
    Work *work = &s->run->work;
    Coarse *coarse = NULL;
    Variable *wider = NULL;
    PairFound best[MOST_PAIRS];
    Buffer names = { 0 };
    int64_t terms = 0;
    int count = 0;
    NEW(work, coarse, s->variables + 1);
    NEW(work, wider, s->variables + MOST_PAIRS);
    for (int64_t j = 0; j < s->variables; j++) {
        wider[j] = s->variable[j];
        terms += s->variable[j].codes + 1;
        NEW(work, coarse[j].group, s->rows + 1);
        TRY(numbers_any(&wider[j].number) ? group_numbers(work, &wider[j], s->rows, &coarse[j])
                                          : group_categories(work, &wider[j], s->rows, &coarse[j]));
    }
    s->variable = wider;
    TRY(find_pairs(s, coarse, best, &count));
    for (int k = 0; k < count; k++) {
        terms += GROUPS * GROUPS;
        if (s->a->model == LOGISTIC && terms > MOST_TERMS) break;
        if (s->a->model == LOGISTIC && k && (double)s->rows * (double)terms * (double)terms > MOST_FITTING) break;
        TRY(add_pair(s, coarse, &best[k]));
        buffer_print(&names, "%s%s", names.count ? ", " : "", wider[s->variables - 1].name);
    }
    if (names.count)
        result_note(s->run->result, "Pairs of columns that go together otherwise in the release, and are predictors too: %s.",
                    buffer_get(&names));
done:
    buffer_free(&names);
    return status;
}
