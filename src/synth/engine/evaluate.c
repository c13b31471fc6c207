/* Both sides of a synthetic table: utility, and what an intruder learns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "synth/engine/engine.h"
#include "synth/engine/evaluation_charts.h"
#include "synth/engine/membership_audit.h"
#include "table/group.h"
#include "classes/joint_codes.h"

/* ---- all one-, two- and three-way tables ---- */

typedef struct Ways {
    const Grouped *g;
    int32_t order;
    int64_t tables;
    int32_t *subset;
    Crossing *at;
} Ways;

static Status cross(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Ways *w = self;
    Status status = OK;
    (void)block;
    for (int64_t t = first; t < last; t++) TRY(crossing(w->g, w->subset + t * w->order, w->order, &w->at[t], error));
done:
    return status;
}

static Status all_subsets(Work *work, Ways *w) {
    Status status = OK;
    int32_t at[3] = { 0, 1, 2 }, n = (int32_t)w->g->columns, k = w->order;
    double tables = 1;
    for (int32_t i = 0; i < k; i++) tables = tables * (n - i) / (i + 1);
    NEW(work, w->subset, (int64_t)tables * k + 1);
    NEW(work, w->at, (int64_t)tables + 1);
    for (;;) {
        memcpy(w->subset + w->tables++ * k, at, (size_t)k * sizeof *at);
        int32_t i = k - 1;
        while (i >= 0 && at[i] == n - k + i) i--;
        if (i < 0) break;
        at[i]++;
        for (int32_t j = i + 1; j < k; j++) at[j] = at[j - 1] + 1;
    }
done:
    return status;
}

static Status tables_of(Run *run, const Grouped *g, Grid *grid, int32_t order) {
    static const char *const value[] = { NULL, "pmse_ratio_1", "pmse_ratio_2", "pmse_ratio_3" };
    Status status = OK;
    Ways w = { .g = g, .order = order };
    double sum = 0;
    int64_t worst = 0;
    Buffer name = { 0 };
    if (g->columns < order || (order == 3 && g->columns > 60)) return OK;
    TRY(all_subsets(&run->work, &w));
    TRY(parallel_for(&run->work, w.tables, 1, cross, &w));
    for (int64_t t = 0; t < w.tables; t++) {
        sum += w.at[t].ratio;
        if (w.at[t].ratio > w.at[worst].ratio) worst = t;
    }
    for (int32_t k = 0; k < order; k++) buffer_print(&name, "%s%s", k ? " × " : "", g->name[w.subset[worst * order + k]]);
    result_real(run->result, value[order], sum / (double)w.tables);
    grid_integer(grid, order);
    grid_integer(grid, w.tables);
    grid_real(grid, sum / (double)w.tables);
    grid_text(grid, buffer_get(&name));
    grid_real(grid, w.at[worst].ratio);
done:
    buffer_free(&name);
    return status;
}

/* ---- identity and attribute disclosure, as synthpop has them ---- */

typedef struct ChunkTypes {
    int64_t rows[2];
    Codes *codes;
    Grouping group;
} ChunkTypes;

/* The keys of both tables one below the other. */
static Status join_keys(Work *work, const Table *const *table, const char *const *names, int64_t count, ChunkTypes *j) {
    Status status = OK;
    j->rows[0] = table[0]->rows;
    j->rows[1] = table[1]->rows;
    NEW(work, j->codes, count + 1);
    for (int64_t k = 0; k < count; k++) {
        JointCodes joint;
        int32_t *both = NULL;
        TRY(joint_codes(work, table_column(table[0], names[k]), table_column(table[1], names[k]), INT64_MAX, 0, &joint));
        NEW(work, both, j->rows[0] + j->rows[1] + 1);
        memcpy(both, joint.at[0], (size_t)j->rows[0] * sizeof *both);
        memcpy(both + j->rows[0], joint.at[1], (size_t)j->rows[1] * sizeof *both);
        j->codes[k] = (Codes){ .count = joint.count, .at = both };
        joint_drop(work, &joint);
    }
    TRY(group_codes(work, j->codes, count, j->rows[0] + j->rows[1], &j->group));
done:
    return status;
}

typedef struct Told {
    double original, synthetic;
} Told;

/* Share of the originals whose target follows from their keys: in the original itself, and in the synthetic table, rightly (DiSCO:
 * disclosive in synthetic, correct in original; Raab, Nowok & Dibben 2024). */
static Status tell(Work *work, const ChunkTypes *j, const int32_t *target, Told *out) {
    Status status = OK;
    int32_t *only[2] = { 0 };
    for (int t = 0; t < 2; t++) {
        NEW(work, only[t], j->group.count + 1);
        for (int64_t g = 0; g < j->group.count; g++) only[t][g] = -2; /* none yet; -3: several; -1: missing is a value */
        for (int64_t i = t ? j->rows[0] : 0; i < (t ? j->rows[0] + j->rows[1] : j->rows[0]); i++) {
            int32_t *at = &only[t][j->group.of[i]];
            *at = *at == -2 || *at == target[i] ? target[i] : -3;
        }
    }
    double told[2] = { 0 };
    for (int64_t i = 0; i < j->rows[0]; i++)
        for (int t = 0; t < 2; t++) told[t] += only[t][j->group.of[i]] == target[i];
    *out = (Told){ told[0] / (double)j->rows[0], told[1] / (double)j->rows[0] };
    arena_drop(work->arena, only[0]);
    arena_drop(work->arena, only[1]);
done:
    return status;
}

static Status uniques(Run *run, const ChunkTypes *j) {
    Status status = OK;
    int32_t *count[2] = { 0 };
    int64_t alone = 0, both = 0;
    NEW(&run->work, count[0], j->group.count + 1);
    NEW(&run->work, count[1], j->group.count + 1);
    for (int64_t i = 0; i < j->rows[0] + j->rows[1]; i++) count[i >= j->rows[0]][j->group.of[i]]++;
    for (int64_t g = 0; g < j->group.count; g++) {
        alone += count[0][g] == 1;
        both += count[0][g] == 1 && count[1][g] == 1;
    }
    result_real(run->result, "uniques_original", (double)alone / (double)j->rows[0]);
    result_real(run->result, "replicated_uniques", (double)both / (double)j->rows[0]);
done:
    return status;
}

static const double MEMORISED = 0.08;

typedef struct Copies {
    int64_t unique, copied;
} Copies;

/* The unique records of a table, in the columns that the synthetic one has, and those of them that are in it. */
static Status find_copies(Work *work, const Table *table, const Table *synthetic, Copies *out) {
    Status status = OK;
    const char **names = NULL;
    const Table *both[2] = { table, synthetic };
    ChunkTypes j = { 0 };
    int32_t *count[2] = { 0 };
    int64_t columns = 0;
    *out = (Copies){ 0 };
    NEW(work, names, synthetic->columns + 1);
    for (int64_t k = 0; k < synthetic->columns; k++)
        if (table_column(table, synthetic->column[k]->name)) names[columns++] = synthetic->column[k]->name;
    if (!columns) return OK;
    TRY(join_keys(work, both, names, columns, &j));
    for (int t = 0; t < 2; t++) NEW(work, count[t], j.group.count + 1);
    for (int64_t i = 0; i < j.rows[0] + j.rows[1]; i++) count[i >= j.rows[0]][j.group.of[i]]++;
    for (int64_t g = 0; g < j.group.count; g++) {
        out->unique += count[0][g] == 1;
        out->copied += count[0][g] == 1 && count[1][g];
    }
done:
    return status;
}

static double share_copied(const Copies *c) { return c->unique ? (double)c->copied / (double)c->unique : 0; }

/* Records that come back whole: no more than those of a holdout do is chance, the rest is memory. */
static Status report_copies(Run *run, const Table *original, const Table *synthetic, const Table *holdout) {
    Status status = OK;
    Copies own, other;
    char percent[33];
    TRY(find_copies(&run->work, original, synthetic, &own));
    result_real(run->result, "copied_uniques", share_copied(&own));
    result_note(run->result, "%lld of the original's %lld unique records (%s%%) are in the synthetic table, with all columns.",
                (long long)own.copied, (long long)own.unique, real_short(100 * share_copied(&own), 3, percent));
    if (!holdout) {
        result_null(run->result, "copied_holdout", "No holdout was given.");
        copies_drawn(run, share_copied(&own), NAN);
        return OK;
    }
    TRY(find_copies(&run->work, holdout, synthetic, &other));
    copies_drawn(run, share_copied(&own), share_copied(&other));
    result_real(run->result, "copied_holdout", share_copied(&other));
    bool memorised = share_copied(&own) > share_copied(&other) + MEMORISED;
    result_note(run->result, "Of the holdout's %lld unique records, which the synthesis did not see, %s%% are. %s", (long long)other.unique,
                real_short(100 * share_copied(&other), 3, percent),
                memorised ? "The difference is more than 8 points: the synthesis memorises records. Use larger leaves or fewer columns."
                          : "The difference is at most 8 points.");
done:
    return status;
}

static Status disclosure(Run *run, const Table *original, const Table *synthetic, Columns keys, const Grouped *g) {
    Status status = OK;
    Work *work = &run->work;
    const Table *table[2] = { original, synthetic };
    const char **names = NULL;
    ChunkTypes j = { 0 };
    int64_t count = 0;
    NEW(work, names, keys.count + 1);
    for (int64_t k = 0; k < keys.count; k++)
        if (table_column(synthetic, keys.at[k]->name)) names[count++] = keys.at[k]->name;
    if (!count) return OK;
    TRY(join_keys(work, table, names, count, &j));
    TRY(uniques(run, &j));
    Grid *grid = grid_new(run->result, "disclosure", "target:text original:real synthetic:real");
    for (int64_t v = 0; v < g->columns; v++) {
        bool key = false;
        ChunkTypes target = { 0 };
        Told told;
        for (int64_t k = 0; k < count; k++) key |= !strcmp(g->name[v], names[k]);
        if (key) continue;
        TRY(join_keys(work, table, &g->name[v], 1, &target));
        TRY(tell(work, &j, target.codes[0].at, &told));
        grid_text(grid, g->name[v]);
        grid_real(grid, told.original);
        grid_real(grid, told.synthetic);
    }
    grid_done(grid);
done:
    return status;
}

/* ---- other methods, and pictures ---- */

/* Another method's whole answer, where it has one for these tables. */
static Status ask(Run *run, const char *method, const Arg *arg, int64_t count, const char *name) {
    Result *inner = NULL;
    char text[1024];
    Status status = run_method(run, method, &(Args){ count, arg }, &inner);
    if (!status) {
        result_result(run->result, name, inner);
        return OK;
    }
    if (status != BAD && status != REFUSED) return status;
    error_text(run->work.error, text, sizeof text);
    result_note(run->result, "%s could not be computed: %s", method, text);
    *run->work.error = (Error){ .show_values = run->work.error->show_values, .row = -1, .line = -1, .place = -1 };
    return OK;
}

static Status ask_others(Run *run, const Table *original, const Table *synthetic, const Table *holdout) {
    Status status = OK;
    Table *a = (Table *)(uintptr_t)original, *b = (Table *)(uintptr_t)synthetic, *c = (Table *)(uintptr_t)holdout;
    const char *model = "cart", *permutations = "20"; /* trees, where they do not take long */
    bool few = original->rows + synthetic->rows <= 400000;
    Arg two[] = { { .name = "original", .count = 1, .tables = &a },
                  { .name = "released", .count = 1, .tables = &b },
                  { .name = "model", .count = 1, .items = &model },
                  { .name = "permutations", .count = 1, .items = &permutations } };
    Arg three[] = { { .name = "released", .count = 1, .tables = &b },
                    { .name = "original", .count = 1, .tables = &a },
                    { .name = "holdout", .count = 1, .tables = &c } };
    TRY(ask(run, "utility.propensity", two, few ? 4 : 2, "propensity"));
    TRY(ask(run, "utility.compare", two, 2, "compare"));
    if (!holdout) {
        result_note(run->result,
                    "Membership, singling-out and inference attacks need records that the synthesis did not see: --holdout FILE.");
        return OK;
    }
    TRY(ask(run, "attack.membership", three, 3, "membership"));
    TRY(ask(run, "attack.singling-out", three, 3, "singling-out"));
    for (int64_t j = original->columns - 1, done_one = 0; j >= 0 && !done_one; j--) {
        const char *name = original->column[j]->name;
        Arg four[] = { three[0], three[1], three[2], { .name = "sensitive", .count = 1, .items = &name } };
        if (!table_column(synthetic, name) || !table_column(holdout, name)) continue;
        TRY(ask(run, "attack.inference", four, 4, "inference"));
        done_one = 1;
    }
done:
    return status;
}

/* Regression of each number on the others, before and after: Karr's overlap of intervals. */
static Status overlap(Run *run, const Table *original, const Table *synthetic) {
    Status status = OK;
    Buffer text = { 0 };
    const char *formula;
    int64_t numbers = 0;
    Table *a = (Table *)(uintptr_t)original, *b = (Table *)(uintptr_t)synthetic;
    for (int64_t j = 0; j < original->columns && numbers < 8; j++) {
        const Column *column = original->column[j];
        if (!column_numeric(column) || !table_column(synthetic, column->name)) continue;
        buffer_print(&text, "%s`%s`", !numbers ? "" : numbers == 1 ? " ~ " : " + ", column->name);
        numbers++;
    }
    if (numbers < 2) goto done;
    formula = buffer_get(&text);
    Arg arg[] = { { .name = "original", .count = 1, .tables = &a },
                  { .name = "released", .count = 1, .tables = &b },
                  { .name = "formula", .count = 1, .items = &formula } };
    TRY(ask(run, "utility.regression", arg, 3, "regression"));
done:
    buffer_free(&text);
    return status;
}

/* Can it be told from such tables who was in the data? */
static Status ask_told(Run *run, const Table *original, const Table *synthetic) {
    Args args;
    Status status = told_arguments(run, original, synthetic, &args);
    if (status) return status;
    if (args.count) return ask(run, "risk.roc-release", args.at, args.count, "roc-release");
    result_note(run->result, "The risk of membership disclosure needs many synthetic tables: scrim risk roc-release --method %s.%s.",
                run->method->group, run->method->name);
    return OK;
}

/* New records stand beside those of the same number by chance: measures of pairs of records are not made of them. */
static Status unpaired(Run *run, const Table *synthetic, Table **out) {
    Status status = table_new(synthetic->name, synthetic->column, synthetic->columns, synthetic->rows, out, run->work.error);
    if (!status) (*out)->reordered = (run->method->traits & ANEW) != 0;
    return status;
}

Status evaluate(Run *run, const Table *original, const Table *drawn, const Table *holdout, Columns keys) {
    Status status = OK;
    Table *synthetic = NULL;
    Grouped g;
    if (!original->rows || !drawn->rows) return OK;
    TRY(unpaired(run, drawn, &synthetic));
    TRY(grouped_make(&run->work, original, synthetic, &g));
    Grid *grid = grid_new(run->result, "tables", "order:integer tables:integer mean_ratio:real worst:text worst_ratio:real");
    for (int32_t order = 1; order <= 3; order++) TRY(tables_of(run, &g, grid, order));
    grid_done(grid);
    TRY(report_copies(run, original, synthetic, holdout));
    if (keys.count) TRY(disclosure(run, original, synthetic, keys, &g));
    else result_note(run->result, "Replicated uniques and attribute disclosure need the columns that an intruder may know: --keys.");
    TRY(distributions_drawn(run, original, synthetic, &g));
    TRY(pairs_drawn(run, &g));
    grouped_drop(&run->work, &g);
    TRY(overlap(run, original, synthetic));
    TRY(ask_others(run, original, synthetic, holdout));
    TRY(ask_told(run, original, synthetic));
    attacks_drawn(run);
done:
    table_release(synthetic);
    return status;
}
