/* utility.contingency: how far all t-way tables of counts moved. Defined after Domingo-Ferrer & Torra 2001; Gomatam et al. 2005:
 * docs/methods/utility-contingency.md. */
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "math/ranks.h"
#include "method/method.h"
#include "classes/joint_codes.h"
#include "utility/common_level.h"

typedef struct {
    const Table *original, *released;
    Columns vars;
    int64_t order;
} args;

static const Param params[] = {
    TABLE(args, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, BOTH, "Columns to cross-tabulate (default: all common columns)", .role = "keys"),
    INT(args, order, 2, 1, 3, "Number of columns in each table"),
    END,
};

enum { FEW = 50, BINS = 20, MOST_TABLES = 200000 };
static const double DENSE = 1 << 22; /* cells that are counted one by one */

/* All subsets of `order` variables, and what becomes of each. */
typedef struct Crossing {
    Run *run;
    const args *a;
    int64_t variables, tables, order;
    const char **name;
    JointCodes *codes;
    int32_t *subset; /* order per table */
    double *distance, *cells;
} Crossing;

static int64_t cell_of(const Crossing *c, const int32_t *subset, int t, int64_t row) {
    int64_t cell = 0;
    for (int64_t k = 0; k < c->order; k++) {
        const JointCodes *codes = &c->codes[subset[k]];
        cell = cell * (codes->count + 1) + codes->at[t][row] + 1; /* missing is a value of its own: 0 */
    }
    return cell;
}

static double size_of(const Crossing *c, const int32_t *subset) {
    double size = 1;
    for (int64_t k = 0; k < c->order; k++) size *= c->codes[subset[k]].count + 1;
    return size;
}

/* ½Σ|p − q| over the cells, by a count of each. */
static Status count_dense(const Crossing *c, int64_t table, Error *error) {
    const int32_t *subset = c->subset + table * c->order;
    int64_t size = (int64_t)size_of(c, subset), rows[2] = { c->a->original->rows, c->a->released->rows };
    int32_t *count = calloc((size_t)size * 2, sizeof *count);
    double sum = 0, cells = 0;
    if (!count) return out_of_memory(error);
    for (int t = 0; t < 2; t++)
        for (int64_t i = 0; i < rows[t]; i++) count[2 * cell_of(c, subset, t, i) + t]++;
    for (int64_t k = 0; k < size; k++) {
        sum += fabs(count[2 * k] / (double)rows[0] - count[2 * k + 1] / (double)rows[1]);
        cells += count[2 * k] || count[2 * k + 1];
    }
    free(count);
    c->distance[table] = sum / 2;
    c->cells[table] = cells;
    return OK;
}

/* The same where the cells are too many to hold: sorted, and counted as they come. */
static Status count_sparse(const Crossing *c, int64_t table, Error *error) {
    const int32_t *subset = c->subset + table * c->order;
    int64_t n[2] = { c->a->original->rows, c->a->released->rows }, i = 0, j = 0;
    int64_t *a = malloc((size_t)(n[0] + 1) * sizeof *a), *b = malloc((size_t)(n[1] + 1) * sizeof *b);
    double sum = 0, cells = 0;
    if (size_of(c, subset) > 9e18) {
        free(a);
        free(b);
        return fail(error, BAD, "columns of this many values cannot be crossed");
    }
    if (!a || !b) {
        free(a);
        free(b);
        return out_of_memory(error);
    }
    for (int64_t r = 0; r < n[0]; r++) a[r] = cell_of(c, subset, 0, r);
    for (int64_t r = 0; r < n[1]; r++) b[r] = cell_of(c, subset, 1, r);
    qsort(a, (size_t)n[0], sizeof *a, ascending_int64);
    qsort(b, (size_t)n[1], sizeof *b, ascending_int64);
    while (i < n[0] || j < n[1]) {
        int64_t at = j >= n[1] || (i < n[0] && a[i] < b[j]) ? a[i] : b[j], left = i, right = j;
        while (i < n[0] && a[i] == at) i++;
        while (j < n[1] && b[j] == at) j++;
        sum += fabs((double)(i - left) / (double)n[0] - (double)(j - right) / (double)n[1]);
        cells++;
    }
    free(a);
    free(b);
    c->distance[table] = sum / 2;
    c->cells[table] = cells;
    return OK;
}

static Status count_tables(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Crossing *c = self;
    Status status = OK;
    (void)block;
    for (int64_t t = first; t < last; t++) TRY((size_of(c, c->subset + t * c->order) <= DENSE ? count_dense : count_sparse)(c, t, error));
done:
    return status;
}

static Status choose_subsets(Crossing *c) {
    Status status = OK;
    int32_t at[3] = { 0, 1, 2 }, n = (int32_t)c->variables, k = (int32_t)c->order;
    double tables = 1;
    for (int32_t i = 0; i < k; i++) tables = tables * (n - i) / (i + 1);
    if (tables > MOST_TABLES) {
        fail(c->run->work.error, BAD, "%lld columns give more than %d tables", (long long)n, MOST_TABLES);
        return error_advice(c->run->work.error, "Name fewer with --vars, or cross fewer with --order.");
    }
    NEW(&c->run->work, c->subset, (int64_t)tables * k + 1);
    for (;;) {
        memcpy(c->subset + c->tables++ * k, at, (size_t)k * sizeof *at);
        int32_t i = k - 1;
        while (i >= 0 && at[i] == n - k + i) i--;
        if (i < 0) break;
        at[i]++;
        for (int32_t j = i + 1; j < k; j++) at[j] = at[j - 1] + 1;
    }
    NEW(&c->run->work, c->distance, c->tables);
    NEW(&c->run->work, c->cells, c->tables);
done:
    return status;
}

static Status prepare(Crossing *c) {
    Status status = OK;
    Work *work = &c->run->work;
    TRY(common_columns(work, c->a->original, c->a->released, c->a->vars, &c->name, &c->variables));
    if (c->variables < c->order) {
        fail(work->error, BAD, "%lld columns are too few to cross %lld", (long long)c->variables, (long long)c->order);
        TRY(error_parameter(work->error, "order"));
    }
    if (!c->a->original->rows || !c->a->released->rows)
        TRY(fail(work->error, BAD, "the %s table is empty", c->a->original->rows ? "released" : "original"));
    NEW(work, c->codes, c->variables);
    for (int64_t v = 0; v < c->variables; v++) {
        TRY(joint_labelled(work, table_column(c->a->original, c->name[v]), table_column(c->a->released, c->name[v]), FEW, BINS,
                           &c->codes[v]));
        if (c->codes[v].binned)
            result_note(c->run->result,
                        "'%s' has more than %d values: its numbers are grouped into %d intervals of equal original frequency.", c->name[v],
                        FEW, c->codes[v].count);
    }
    TRY(choose_subsets(c));
done:
    return status;
}

static const char *label_of(Crossing *c, int64_t table) {
    const int32_t *s = c->subset + table * c->order;
    return c->order == 1   ? c->name[s[0]]
           : c->order == 2 ? arena_print(c->run->work.arena, "%s × %s", c->name[s[0]], c->name[s[1]])
                           : arena_print(c->run->work.arena, "%s × %s × %s", c->name[s[0]], c->name[s[1]], c->name[s[2]]);
}

static Status say(Crossing *c) {
    Status status = OK;
    Result *result = c->run->result;
    double sum = 0;
    int64_t *order = NULL, count = 0, worst = 0;
    Grid *grid = grid_new(result, "tables", "variables:text cells:integer total_variation:real");
    for (int64_t t = 0; t < c->tables; t++) {
        grid_text(grid, label_of(c, t));
        grid_integer(grid, (int64_t)c->cells[t]);
        grid_real(grid, c->distance[t]);
        sum += c->distance[t];
        if (c->distance[t] > c->distance[worst]) worst = t;
    }
    grid_done(grid);
    result_real(result, "total_variation", sum / (double)c->tables);
    result_real(result, "worst", c->distance[worst]);
    result_text(result, "worst_table", label_of(c, worst));
    result_integer(result, "tables_compared", c->tables);
    NEW(&c->run->work, order, c->tables);
    TRY(order_reals(&c->run->work, c->distance, c->tables, order, &count));
    const char *name[20];
    double height[20];
    int64_t bars = c->tables < 20 ? c->tables : 20;
    for (int64_t i = 0; i < bars; i++) {
        name[i] = label_of(c, order[c->tables - 1 - i]);
        height[i] = c->distance[order[c->tables - 1 - i]];
    }
    Chart *chart = result_chart(result, CHART_BAR, c->tables > bars ? "The twenty tables that changed most" : "Change of each table",
                                "table", "total variation");
    chart_of(chart, "tables");
    chart_series(chart, "total variation", bars, NULL, height, NULL, name);
done:
    return status;
}

/* Shares of one column's categories side by side: the one that moved furthest. */
static Status draw_worst(Crossing *c) {
    Status status = OK;
    int64_t worst = 0;
    double *share[2] = { 0 };
    for (int64_t t = 1; t < c->tables; t++)
        if (c->distance[t] > c->distance[worst]) worst = t;
    const JointCodes *codes = &c->codes[c->subset[worst]];
    if (c->order > 1 || codes->count > 40) return OK;
    Chart *chart = result_chart(c->run->result, CHART_BAR, arena_print(c->run->work.arena, "Shares of '%s'", c->name[c->subset[worst]]),
                                "category", "share");
    for (int t = 0; t < 2; t++) {
        int64_t rows = t ? c->a->released->rows : c->a->original->rows;
        NEW(&c->run->work, share[t], codes->count + 1);
        for (int64_t i = 0; i < rows; i++)
            if (codes->at[t][i] >= 0) share[t][codes->at[t][i]] += 1 / (double)rows;
        chart_series(chart, t ? "released" : "original", codes->count, NULL, share[t], NULL, codes->label);
    }
done:
    return status;
}

static Status contingency_run(Run *run, const void *p) {
    Status status = OK;
    args a = *(const args *)p;
    CommonTables common = { { 0 } };
    Crossing c = { .run = run, .a = &a, .order = a.order };
    TRY(common_tables(run, a.original, a.released, a.vars, &common));
    a.original = common.at[0];
    a.released = common.at[1];
    TRY(prepare(&c));
    TRY(parallel_for(&run->work, c.tables, 1, count_tables, &c));
    TRY(say(&c));
    TRY(draw_worst(&c));
    result_note(run->result, "A missing value counts as a value of its own. Shares refer to all records of each file.");
done:
    common_release(&common);
    return status;
}

static const Return values[] = {
    VALUE(total_variation, REAL,
          "Mean over the tables of the total variation distance ½Σ|p − q| of cell shares: 0 = equal, 1 = nothing in common",
          .flags = PUBLIC | LESS),
    VALUE(worst, REAL, "Largest total variation distance of a table, 0 (equal) to 1", .flags = PUBLIC),
    VALUE(worst_table, TEXT, "Table with the largest distance", .flags = PUBLIC),
    VALUE(tables_compared, INTEGER, "Tables compared", .flags = PUBLIC),
    TABLE_OUT(tables, "variables:text cells:integer total_variation:real",
              "Each table: its columns, the cells that occur in either file, total variation distance", .flags = PUBLIC),
    COARSENED_OUT,
    END,
};

const Method utility_contingency = {
    .group = "utility",
    .name = "contingency",
    .summary = "Compare contingency tables: change of all two-way or t-way tables of counts",
    .source = "Domingo-Ferrer & Torra 2001; Gomatam et al. 2005",
    .params = params,
    .size = sizeof(args),
    .run = contingency_run,
    .headline = "-total_variation",
    .values = values,
    .example = "scrim utility contingency examples/clinic.csv examples/clinic-released.csv --vars sex,region,education,diagnosis --order 2",
};
