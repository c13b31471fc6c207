/* synth.impute: missing values drawn M times from their predictive distribution, by chained equations (Raghunathan et al. 2001; van Buuren
 * 2007) with the models of this family; the first step of a nested synthesis (Reiter 2004). docs/methods/synth-impute.md.
 *
 * Each incomplete column starts with random observed values. One iteration visits the incomplete columns, those with the fewest missing
 * cells first: the model of a column is fitted on the records in which it is observed, with all other columns as they stand now, and its
 * missing cells are drawn again. After the last iteration the table is complete. Each of the M tables runs its own chain. */
#include <string.h>
#include "base/elementary.h"
#include "synth/engine/direct_columns.h"
#include "synth/engine/params.h"
#include "table/missing_code.h"

typedef struct ImputeArgs {
    SynthArgs synth; /* first, so that the family's parameters apply */
    Texts missing_codes;
    int64_t iterations;
} ImputeArgs;

static const Param params[] = {
    TABLE(SynthArgs, data, "The confidential table", .flags = REQUIRED | POSITIONAL),
    COLUMNS(SynthArgs, vars, data, "Columns to impute (default: all with missing cells, except free text and columns that name people)"),
    TEXTS(ImputeArgs, missing_codes, "Codes for missing values that are imputed like empty cells: .a, N. Other codes are kept"),
    INT(ImputeArgs, iterations, 5, 1, 1000, "Iterations over the incomplete columns. One is enough if only one column is incomplete"),
    SYNTH_METHOD,
    SYNTH_MODELS,
    COLUMNS(SynthArgs, strata, data, "Models are fitted and values drawn within each stratum"),
    INT(SynthArgs, m, 1, 1, 1000, "Completed tables to make; at least five for `synth combine --design imputation`"),
    FLAG(SynthArgs, stacked, "One stacked table with a first column 'set', instead of M tables"),
    DIRECT_ROLES(data),
    SYNTH_TREES,
    END,
};

/* One incomplete column. */
typedef struct Gaps {
    const Column *column; /* as observed */
    int64_t count;
    int64_t *row;      /* the rows to impute, ascending */
    uint8_t *observed; /* row → the model may learn from it */
    Column *filled;    /* as it stands in this chain; owned */
    double sum;        /* of the imputed numbers, over all chains */
} Gaps;

typedef struct Chain {
    Run *run;
    const ImputeArgs *args;
    int64_t columns;
    Gaps *gaps;
    DirectColumns direct; /* an empty cell of these stays empty: another person's identifier is no value for it */
    int64_t draw;         /* number of the next draw: each has a stream of its own */
    Gaps *at;             /* the column that this step visits */
    Table *current;       /* what its model is fitted on: the column as observed, all others as they stand */
} Chain;

static bool imputed_code(const ImputeArgs *a, const Column *column, int32_t code) {
    char text[33];
    const char *word = missing_code_text(column, code, text);
    for (int64_t i = 0; i < a->missing_codes.count; i++)
        if (!strcmp(a->missing_codes.at[i], word)) return true;
    return false;
}

static Status find_gaps(Work *work, const ImputeArgs *a, const Column *column, Gaps *g) {
    Status status = OK;
    MissingCodes codes = missing_codes(column);
    int64_t present = 0;
    g->column = column;
    NEW(work, g->row, column->missing + 1);
    NEW(work, g->observed, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        int32_t code = column_missing(column, i) ? missing_code(&codes, column, i) : -1;
        g->observed[i] = code < 0;
        present += code < 0;
        if (!code || (code > 0 && imputed_code(a, column, code))) g->row[g->count++] = i;
    }
    if (g->count && !present) {
        fail(work->error, BAD, "has no observed value, so that nothing can be imputed");
        TRY(error_column(work->error, column->name));
    }
done:
    return status;
}

/* The incomplete columns, the fewest missing cells first. */
static Status find_columns(Chain *c) {
    Status status = OK;
    Work *work = &c->run->work;
    const SynthArgs *a = &c->args->synth;
    int64_t count = a->vars.count ? a->vars.count : a->data->columns;
    NEW(work, c->gaps, count + 1);
    for (int64_t j = 0; j < count; j++) {
        const Column *column = a->vars.count ? a->vars.at[j] : a->data->column[j];
        Gaps next = { 0 };
        int64_t place = c->columns;
        for (int64_t k = 0; k < c->columns; k++)
            if (c->gaps[k].column == column) place = -1;
        bool named = direct_why(&c->direct, column) || column->type == TEXT_TYPE;
        if (!column->missing || place < 0 || (!a->vars.count && named)) continue;
        TRY(find_gaps(work, c->args, column, &next));
        if (!next.count) continue;
        for (; place > 0 && c->gaps[place - 1].count > next.count; place--) c->gaps[place] = c->gaps[place - 1];
        c->gaps[place] = next;
        c->columns++;
    }
done:
    return status;
}

/* The start of a chain: each gap takes the value of a random record that has one. */
static Status start_column(Chain *c, Gaps *g, int64_t set) {
    Status status = OK;
    Work *work = &c->run->work;
    int64_t *from = NULL, *observed = NULL, count = 0;
    RandomStream stream = run_stream(c->run, g->column->name, "start");
    NEW(work, from, g->column->rows + 1);
    NEW(work, observed, g->column->rows + 1);
    for (int64_t i = 0; i < g->column->rows; i++) {
        from[i] = i;
        if (g->observed[i]) observed[count++] = i;
    }
    for (int64_t k = 0; k < g->count; k++) {
        uint64_t word;
        stream_words(&stream, (uint64_t)(set * g->count + k), 1, &word);
        from[g->row[k]] = observed[word_below(word, (uint64_t)count)];
    }
    column_release(g->filled);
    g->filled = NULL;
    TRY(column_take(g->column, from, g->column->rows, &g->filled, work->error));
    arena_drop(work->arena, from);
    arena_drop(work->arena, observed);
done:
    return status;
}

/* The data with the columns of this chain, save that `except` (or none) stays as observed. */
static Status table_now(Chain *c, const Gaps *except, Table **out) {
    Status status = OK;
    Work *work = &c->run->work;
    Column **column = NULL;
    int64_t count = 0;
    NEW(work, column, c->columns + 1);
    for (int64_t k = 0; k < c->columns; k++)
        if (&c->gaps[k] != except) column[count++] = c->gaps[k].filled;
    TRY(table_with(c->args->synth.data, column, count, out, work->error));
    arena_drop(work->arena, column);
done:
    return status;
}

/* Fits the model of the visited column and draws its gaps; all memory but the column is given back. */
static Status draw_column(void *self) {
    Chain *c = self;
    Status status = OK;
    Gaps *g = c->at;
    Synthesis s = { 0 };
    SyntheticTable draft = { 0 };
    Table *made = NULL;
    SynthArgs a = c->args->synth;
    Columns known = { 0 };
    Column **place = NULL;
    int64_t models = 0;
    Pair *model = NULL;
    Work *work = &c->run->work;
    NEW(work, place, 1);
    NEW(work, model, a.models.count + 1);
    a.data = c->current;
    a.m = 1;
    place[0] = c->current->column[table_find(c->current, g->column->name)];
    a.vars = (Columns){ .at = (const Column **)place, .count = 1 };
    for (int64_t k = 0; k < a.models.count; k++)
        if (!strcmp(a.models.at[k].name, g->column->name)) model[models++] = a.models.at[k];
    a.models.at = model;
    a.models.count = models;
    TRY(columns_beside(c->run, a.data, a.vars, &known));
    TRY(synthesis_plan(&s, c->run, &a, a.vars, known));
    TRY(choose_models(&s));
    s.usable = g->observed;
    TRY(synthesis_fit(&s));
    TRY(synthetic_table_make(&s, a.data->rows, &draft));
    for (int64_t v = 0; v < s.variables; v++) TRY(synthetic_table_fill(&s, &draft, v, NULL));
    TRY(synthetic_table_set(&s, &draft, g->row, g->count, s.strata.of, c->draw++, a.data, &made));
    column_release(g->filled);
    g->filled = column_retain(table_column(made, g->column->name));
done:
    table_release(made);
    synthesis_free(&s);
    return status;
}

static Status run_chain(Chain *c, int64_t set, Table **out) {
    Status status = OK;
    Work *work = &c->run->work;
    const ImputeArgs *a = c->args;
    int64_t rounds = c->columns > 1 ? a->iterations : 1;
    for (int64_t k = 0; k < c->columns; k++) TRY(start_column(c, &c->gaps[k], set));
    for (int64_t round = 0; round < rounds; round++)
        for (int64_t k = 0; k < c->columns; k++) {
            c->at = &c->gaps[k];
            TRY(table_now(c, c->at, &c->current));
            TRY(work_with_arena(work, draw_column, c));
            table_release(c->current);
            c->current = NULL;
            work_show(work, "imputing", (double)((set * rounds + round) * c->columns + k) / (double)(a->synth.m * rounds * c->columns));
            TRY(work_check(work));
        }
    for (int64_t k = 0; k < c->columns; k++)
        for (int64_t i = 0; i < c->gaps[k].count; i++) {
            double number = column_numeric(c->gaps[k].filled) ? column_number(c->gaps[k].filled, c->gaps[k].row[i]) : 0;
            if (isnan(number)) TRY(fail(work->error, FAILED, "a missing value of '%s' could not be drawn", c->gaps[k].column->name));
            c->gaps[k].sum += number;
        }
    TRY(table_now(c, NULL, out));
done:
    return status;
}

static void report_columns(Chain *c) {
    Grid *grid = grid_new(c->run->result, "columns", "column:text imputed:integer observed_mean:real imputed_mean:real");
    int64_t cells = 0;
    for (int64_t k = 0; k < c->columns; k++) {
        const Gaps *g = &c->gaps[k];
        double sum = 0, count = 0;
        bool number = column_numeric(g->column);
        for (int64_t i = 0; number && i < g->column->rows; i++)
            if (g->observed[i]) sum += column_number(g->column, i), count++;
        grid_text(grid, g->column->name);
        grid_integer(grid, g->count);
        grid_real(grid, number ? sum / count : NAN);
        grid_real(grid, number ? g->sum / (double)(g->count * c->args->synth.m) : NAN);
        cells += g->count;
    }
    grid_done(grid);
    result_integer(c->run->result, "imputed", cells);
}

static Status impute_run(Run *run, const void *p) {
    const ImputeArgs *a = p;
    Status status = OK;
    Chain c = { .run = run, .args = a };
    Table **made = NULL;
    TRY(direct_name_kept(run, &a->synth, a->synth.vars, "vars", &c.direct));
    TRY(find_columns(&c));
    NEW(&run->work, made, a->synth.m + 1);
    for (int64_t set = 0; set < a->synth.m; set++) TRY(run_chain(&c, set, &made[set]));
    TRY(report_outputs(run, &a->synth, made));
    report_columns(&c);
    result_note(run->result,
                "Observed values are unchanged: the tables are as confidential as the data. Combine estimates with `scrim synth "
                "combine --design imputation`; for a nested synthesis run `scrim synth partial` on each table.");
done:
    table_release(c.current);
    for (int64_t k = 0; k < c.columns; k++) column_release(c.gaps[k].filled);
    for (int64_t k = 0; made && k < a->synth.m; k++) table_release(made[k]);
    return status;
}

static const Return values[] = {
    VALUE(records, INTEGER, "Records of each table", .flags = PUBLIC),
    VALUE(tables_made, INTEGER, "Completed tables", .flags = PUBLIC),
    VALUE(imputed, INTEGER, "Missing cells that were imputed in each table", .flags = PUBLIC),
    TABLE_OUT(columns, "column:text imputed:integer observed_mean:real imputed_mean:real",
              "Each incomplete column: imputed cells, and the means of observed and imputed numbers over all tables"),
    OUTPUT("The completed table", .flags = RELEASE | KEEPERS),
    END,
};

const Method synth_impute = {
    .group = "synth",
    .name = "impute",
    .summary = "Multiple imputation of missing values by chained equations",
    .source = "Raghunathan et al. 2001; Reiter 2004",
    .params = params,
    .size = sizeof(ImputeArgs),
    .traits = RANDOM,
    .run = impute_run,
    .values = values,
    .example = "scrim synth impute examples/clinic.csv --vars income,education --m 5 --seed 1",
};
