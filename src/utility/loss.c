/* utility.loss: what a release cost, as one number from 0 to 1: single values, distributions, and how columns go together. Defined after
 * Gionis & Tassa 2009; Domingo-Ferrer & Torra 2001: docs/methods/utility-loss.md. */
#include <stdlib.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/ranks.h"
#include "method/method.h"
#include "classes/joint_codes.h"

enum { FEW = 20, BINS = 5, MOST_COLUMNS = 24 };

typedef struct {
    const Table *original, *released;
    Columns vars;
} args;

static const Param params[] = {
    TABLE(args, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, released, "The protected file, in the same record order", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, original, "Columns to evaluate (default: all columns of the original)"),
    END,
};

static const Return values[] = {
    VALUE(loss, REAL, "Information loss: mean of the three parts, 0 (none) to 1 (all)", .flags = PUBLIC | LESS),
    VALUE(values_lost, REAL, "Loss of single values, 0 (none) to 1 (all): numbers by difference in rank, categories by entropy",
          .flags = PUBLIC | LESS),
    VALUE(distributions_moved, REAL, "Change of the distributions of single columns, 0 (none) to 1", .flags = PUBLIC | LESS),
    VALUE(pairs_moved, REAL, "Change of the two-way tables of all pairs of columns, 0 (none) to 1", .flags = PUBLIC | LESS),
    TABLE_OUT(columns, "column:text kind:text values_lost:real distribution_moved:real blanked:integer",
              "Components by column. blanked: suppressed cells, empty if the column was dropped", .flags = PUBLIC),
    END,
};

/* One column in both tables. Every released cell stands for a distribution over the original's bins: its own where the value is one of the
 * original's, the bins of the originals that became it where it is not (a recoded class), the original's marginal where it is missing. */
typedef struct Twin {
    const Column *was, *is; /* `is` NULL: the release lacks it */
    JointCodes codes;       /* by value, missing -1 */
    bool numbers;           /* more than FEW values: measured by rank */
    double *rank;           /* numbers: code → mid-rank in the original, 0…1 */
    double *count;          /* code → records of the original */
    int32_t *bin;           /* code → bin; of codes that the original has */
    int32_t bins;
    double *share;  /* bin → share of the original's present records */
    double *stands; /* code × bins: what a released code stands for; NULL where the release lacks the column */
    double *centre; /* numbers: released code → mean rank of what became it */
    double *mass;   /* released code → records of the original whose value may be behind it */
    double present; /* records of the original with a value */
    double values_lost, moved;
    int64_t blanked;
} Twin;

/* ---- the original's side ---- */

static Status count_codes(Work *work, Twin *p) {
    Status status = OK;
    NEW(work, p->count, p->codes.count + 1);
    for (int64_t i = 0; i < p->was->rows; i++)
        if (p->codes.at[0][i] >= 0) p->count[p->codes.at[0][i]]++;
    for (int32_t c = 0; c < p->codes.count; c++) p->present += p->count[c];
done:
    return status;
}

/* Codes of numbers ascend with the value where both columns hold numbers; else (labels) by their first record's number. */
static Status rank_codes(Work *work, Twin *p) {
    Status status = OK;
    double *value = NULL, below = 0;
    int64_t *order = NULL, known = 0;
    int32_t codes = p->codes.count;
    NEW(work, p->rank, codes + 1);
    NEW(work, value, codes + 1);
    NEW(work, order, codes + 1);
    for (int32_t c = 0; c < codes; c++) value[c] = NAN;
    for (int64_t i = 0; i < p->was->rows; i++)
        if (p->codes.at[0][i] >= 0) value[p->codes.at[0][i]] = column_number(p->was, i);
    for (int64_t i = 0; p->is && column_linear(p->is) && i < p->is->rows; i++)
        if (p->codes.at[1][i] >= 0) value[p->codes.at[1][i]] = column_number(p->is, i);
    TRY(order_reals(work, value, codes, order, &known));
    for (int64_t k = 0; k < known; k++) {
        int64_t c = order[k];
        p->rank[c] = p->present > 0 ? (below + p->count[c] / 2) / p->present : .5;
        below += p->count[c];
    }
done:
    return status;
}

/* Numbers in five groups by rank; categories each by itself, but all beyond the nineteen commonest together. */
static Status bin_codes(Work *work, Twin *p) {
    Status status = OK;
    int32_t codes = p->codes.count;
    NEW(work, p->bin, codes + 1);
    p->bins = p->numbers ? BINS : FEW;
    for (int32_t c = 0; c < codes; c++) {
        int32_t above = 0;
        if (p->numbers) p->bin[c] = p->rank[c] >= 1 ? BINS - 1 : (int32_t)(p->rank[c] * BINS);
        else {
            for (int32_t d = 0; d < codes && above < FEW; d++) above += p->count[d] > p->count[c] || (p->count[d] == p->count[c] && d < c);
            p->bin[c] = above < FEW - 1 ? above : FEW - 1;
        }
    }
    NEW(work, p->share, p->bins);
    for (int32_t c = 0; c < codes && p->present > 0; c++) p->share[p->bin[c]] += p->count[c] / p->present;
done:
    return status;
}

/* ---- what released codes stand for ---- */

/* A value of the original stands for itself, and a number among numbers for its place. Any other is a class made of what became it. */
static bool stands_for_itself(const Twin *p, int32_t code) { return p->count[code] > 0 || (p->numbers && p->is && column_linear(p->is)); }

static Status gather(Work *work, Twin *p) {
    Status status = OK;
    int32_t codes = p->codes.count;
    double *seen = NULL;
    NEW(work, p->stands, codes * p->bins + 1);
    NEW(work, p->centre, codes + 1);
    NEW(work, p->mass, codes + 1);
    NEW(work, seen, codes + 1);
    for (int32_t c = 0; c < codes; c++) {
        if (!stands_for_itself(p, c)) continue;
        p->stands[c * p->bins + p->bin[c]] = 1;
        if (p->numbers) p->centre[c] = p->rank[c];
    }
    for (int64_t i = 0; i < p->is->rows; i++) {
        int32_t x = p->codes.at[0][i], y = p->codes.at[1][i];
        if (x < 0 || y < 0 || stands_for_itself(p, y)) continue;
        seen[y]++;
        p->stands[y * p->bins + p->bin[x]]++;
        if (p->numbers) p->centre[y] += p->rank[x];
    }
    for (int32_t y = 0; y < codes; y++) {
        if (!(seen[y] > 0)) continue;
        for (int32_t b = 0; b < p->bins; b++) p->stands[y * p->bins + b] /= seen[y];
        p->centre[y] /= seen[y];
    }
done:
    return status;
}

static int by_pair(const void *a, const void *b) {
    const int32_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : x[1] < y[1] ? -1 : x[1] > y[1];
}

/* How many originals have one of the values that became this class. */
static Status weigh_classes(Work *work, Twin *p) {
    Status status = OK;
    int32_t(*pair)[2] = NULL;
    int64_t count = 0;
    NEW(work, pair, p->is->rows + 1);
    for (int64_t i = 0; i < p->is->rows; i++) {
        int32_t x = p->codes.at[0][i], y = p->codes.at[1][i];
        if (x < 0 || y < 0 || stands_for_itself(p, y)) continue;
        pair[count][0] = y;
        pair[count++][1] = x;
    }
    if (count) qsort(pair, (size_t)count, sizeof *pair, by_pair);
    for (int64_t i = 0; i < count; i++)
        if (!i || pair[i][0] != pair[i - 1][0] || pair[i][1] != pair[i - 1][1]) p->mass[pair[i][0]] += p->count[pair[i][1]];
    arena_drop(work->arena, pair);
done:
    return status;
}

/* ---- one column's parts ---- */

/* Numbers: 3·|F(x) − F(y)|, whose mean is 1 where values are dealt out at random (so that the mean is cut off there). Categories: the
 * surprise log(n/n(x)) of the value, lost whole where it is blank or wrong, in part where it is known up to a class: log(n(class)/n(x)).
 * The latter is the non-uniform entropy of Gionis & Tassa (2009). */
static void lose_values(Twin *p) {
    double lost = 0, all = 0, n = p->present;
    for (int64_t i = 0; i < p->was->rows; i++) {
        int32_t x = p->codes.at[0][i], y = p->is ? p->codes.at[1][i] : -1;
        if (x < 0) continue;
        if (p->is) p->blanked += y < 0;
        double whole = p->numbers ? 1 : log(n / p->count[x]);
        all += whole;
        if (y < 0) lost += whole;
        else if (p->numbers) lost += 3 * fabs(p->rank[x] - p->centre[y]);
        else if (!stands_for_itself(p, y)) lost += log(p->mass[y] / p->count[x]);
        else lost += x == y ? 0 : whole;
    }
    p->values_lost = all > 0 ? smaller(1, snap_to_zero(lost / all, 1)) : 0;
}

/* Total variation between the original's bins and those that the release stands for. */
static Status move_distribution(Work *work, Twin *p) {
    Status status = OK;
    double *now = NULL, records = 0, moved = 0;
    NEW(work, now, p->bins + 1);
    for (int64_t i = 0; i < p->is->rows; i++) {
        int32_t y = p->codes.at[1][i];
        if (y < 0 && p->codes.at[0][i] < 0) continue; /* never had a value */
        for (int32_t b = 0; b < p->bins; b++) now[b] += y < 0 ? p->share[b] : p->stands[y * p->bins + b];
        records++;
    }
    for (int32_t b = 0; b < p->bins; b++) moved += fabs(p->share[b] - (records > 0 ? now[b] / records : 0)) / 2;
    p->moved = snap_to_zero(moved, 1);
done:
    return status;
}

/* Moments of numbers that stayed numbers: a mean a standard deviation away, or a spread doubled or gone, is all lost. */
static void move_moments(Twin *p) {
    double sum[2] = { 0 }, square[2] = { 0 }, n[2] = { 0 };
    const Column *column[2] = { p->was, p->is };
    if (!p->numbers || !column_linear(p->is)) return;
    double origin = NAN;
    for (int t = 0; t < 2; t++)
        for (int64_t i = 0; i < column[t]->rows; i++) {
            double x = column_number(column[t], i);
            if (isnan(x) || column_missing(column[t], i)) continue;
            if (isnan(origin)) origin = x;
            sum[t] += x - origin;
            square[t] += (x - origin) * (x - origin);
            n[t]++;
        }
    if (n[0] < 2 || n[1] < 2) return;
    double mean[2], sd[2];
    for (int t = 0; t < 2; t++) {
        mean[t] = sum[t] / n[t];
        sd[t] = sqrt(fmax(0, square[t] / n[t] - mean[t] * mean[t]));
    }
    if (!(sd[0] > 0)) return;
    double shift = snap_to_zero(fabs(mean[1] - mean[0]) / sd[0], 1), spread = snap_to_zero(fabs(sd[1] / sd[0] - 1), 1);
    p->moved = (p->moved + fmin(1, shift) + fmin(1, spread)) / 3;
}

static Status compare_column(Work *work, const args *a, const Column *was, Twin *p) {
    Status status = OK;
    Codes own;
    *p = (Twin){ .was = was, .is = table_column(a->released, was->name) };
    TRY(column_codes(work, was, &own));
    p->numbers = column_linear(was) && own.count > FEW;
    TRY(joint_codes(work, was, p->is ? p->is : was, 0, 0, &p->codes));
    TRY(count_codes(work, p));
    if (p->numbers) TRY(rank_codes(work, p));
    TRY(bin_codes(work, p));
    if (p->is) {
        TRY(gather(work, p));
        TRY(weigh_classes(work, p));
        TRY(move_distribution(work, p));
        move_moments(p);
    } else p->moved = 1;
    lose_values(p);
done:
    return status;
}

/* ---- pairs ---- */

/* Total variation between the original's two-way table and the one that the release stands for. */
static double pair_moved(const Twin *a, const Twin *b, double *was, double *is) {
    int64_t cells = (int64_t)a->bins * b->bins;
    double n = 0, m = 0, moved = 0;
    if (!a->is || !b->is) return 1;
    for (int64_t c = 0; c < cells; c++) was[c] = is[c] = 0;
    for (int64_t i = 0; i < a->was->rows; i++) {
        int32_t x = a->codes.at[0][i], y = b->codes.at[0][i], u = a->codes.at[1][i], v = b->codes.at[1][i];
        if (x < 0 || y < 0) continue;
        was[a->bin[x] * b->bins + b->bin[y]]++;
        n++;
        for (int32_t r = 0; r < a->bins; r++) {
            double left = u < 0 ? a->share[r] : a->stands[u * a->bins + r];
            if (!(left > 0)) continue;
            for (int32_t s = 0; s < b->bins; s++) is[r * b->bins + s] += left * (v < 0 ? b->share[s] : b->stands[v * b->bins + s]);
        }
        m++;
    }
    for (int64_t c = 0; c < cells && n > 0; c++) moved += fabs(was[c] / n - is[c] / m) / 2;
    return snap_to_zero(moved, 1);
}

typedef struct {
    const Twin *pair;
    int64_t count;
    double *moved; /* first × count + second */
} Crossing;

static Status cross_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Crossing *c = self;
    enum { CELLS = FEW * FEW };
    double was[CELLS], is[CELLS];
    (void)block;
    (void)error;
    for (int64_t i = first; i < last; i++)
        for (int64_t j = i + 1; j < c->count; j++) c->moved[i * c->count + j] = pair_moved(&c->pair[i], &c->pair[j], was, is);
    return OK;
}

static Status cross(Work *work, const Twin *pair, int64_t count, double *out) {
    Status status = OK;
    Crossing c = { pair, count < MOST_COLUMNS ? count : MOST_COLUMNS, NULL };
    double sum = 0, pairs = 0;
    NEW(work, c.moved, c.count * c.count + 1);
    TRY(parallel_for(work, c.count, 1, cross_block, &c));
    for (int64_t i = 0; i < c.count; i++)
        for (int64_t j = i + 1; j < c.count; j++, pairs++) sum += c.moved[i * c.count + j];
    *out = pairs > 0 ? sum / pairs : NAN;
done:
    return status;
}

/* ---- all ---- */

static Status columns_of(Run *run, const args *a, const Column *const **out, int64_t *count) {
    Status status = OK;
    const Column **list = NULL;
    NEW(&run->work, list, a->original->columns + 1);
    for (int64_t j = 0; j < a->original->columns; j++) list[j] = a->original->column[j];
    *count = a->vars.count ? a->vars.count : a->original->columns;
    *out = a->vars.count ? a->vars.at : list;
    if (a->original->rows == a->released->rows) return table_need_places(a->released, run->work.error);
    fail(run->work.error, BAD, "the release has %lld records and the original %lld: values cannot be compared record by record",
         (long long)a->released->rows, (long long)a->original->rows);
    status = error_advice(run->work.error, "utility compare and utility contingency compare tables of any length.");
done:
    return status;
}

static Status loss_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    const Column *const *column;
    Twin *pair = NULL;
    int64_t count = 0;
    double lost = 0, moved = 0, pairs = NAN;
    TRY(columns_of(run, a, &column, &count));
    NEW(&run->work, pair, count + 1);
    Grid *grid = grid_new(run->result, "columns", "column:text kind:text values_lost:real distribution_moved:real blanked:integer");
    for (int64_t j = 0; j < count; j++) {
        TRY(work_check(&run->work));
        TRY(compare_column(&run->work, a, column[j], &pair[j]));
        lost += pair[j].values_lost / (double)count;
        moved += pair[j].moved / (double)count;
        grid_text(grid, column[j]->name);
        grid_text(grid, pair[j].numbers ? "numbers" : "categories");
        grid_real(grid, pair[j].values_lost);
        grid_real(grid, pair[j].moved);
        if (pair[j].is) grid_integer(grid, pair[j].blanked);
        else grid_missing(grid); /* dropped, not blanked */
    }
    grid_done(grid);
    TRY(cross(&run->work, pair, count, &pairs));
    result_real(run->result, "loss", (lost + moved + (isnan(pairs) ? 0 : pairs)) / (isnan(pairs) ? 2 : 3));
    result_real(run->result, "values_lost", lost);
    result_real(run->result, "distributions_moved", moved);
    result_real(run->result, "pairs_moved", pairs);
    if (count > MOST_COLUMNS) result_note(run->result, "Pairs were formed from the first %d columns.", MOST_COLUMNS);
done:
    return status;
}

/* A tenth of a microsecond for a record and pair of columns. */
static double cost(const void *p) {
    const args *a = p;
    double n = (double)a->original->rows, columns = (double)(a->vars.count ? a->vars.count : a->original->columns);
    double crossed = fmin(columns, MOST_COLUMNS);
    return 1e-6 * n * columns + 1e-7 * n * crossed * (crossed - 1) / 2;
}

const Method utility_loss = { .group = "utility",
                              .name = "loss",
                              .summary = "Information loss in one number: values, distributions and pairs of columns",
                              .source = "Gionis & Tassa 2009; Domingo-Ferrer & Torra 2001",
                              .params = params,
                              .size = sizeof(args),
                              .run = loss_run,
                              .cost = cost,
                              .headline = "-loss",
                              .values = values,
                              .example = "scrim utility loss examples/clinic.csv examples/clinic-released.csv --vars "
                                         "sex,age,region,education,income,visits,diagnosis" };
