/* protect.pram: the post-randomisation method: categories are redrawn by a transition matrix. Defined after Gouweleeuw, Kooiman,
 * Willenborg & de Wolf 1998: docs/methods/protect-pram.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "math/transition.h"
#include "protect/changed_table.h"
#include "classes/strata.h"

typedef struct {
    const Table *data, *matrix;
    Columns vars, strata;
    const Column *weight;
    double keep, alpha;
    bool invariant;
    const Column *person;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Categorical columns to perturb", .flags = REQUIRED, .role = "keys"),
    TABLE(args, matrix,
          "Transition matrix: the first column names the original categories, the others are the released ones; or long form: original, "
          "released, probability, variable"),
    REAL(args, keep, NAN, 0, 1, "Probability that a value is unchanged, 0 to 1; the rest is divided equally. Smaller = more protection"),
    ONE_OF("matrix", "keep"),
    REAL(args, alpha, 1, 0, 1, "a: the matrix used is a·P + (1 − a)·I"),
    FLAG(args, invariant, "Use R = P·Q, which preserves the expected count of every category"),
    COLUMNS(args, strata, data, "With --invariant, counts are preserved within each stratum"),
    COLUMN(args, weight, data, "With --invariant, weighted counts are preserved", .flags = NUMERIC),
    PERSON(args, data),
    END,
};

enum { MOST = 1000, BLOCK = 1 << 12 };

/* One column: its categories in all of the table, and for each stratum (only the first, unless invariant) the matrix and its rows
 * cumulated. */
typedef struct {
    const Column *column;
    const TupleCounts *roll; /* of the strata, where there are any, and the column */
    Column *cells;           /* a cell for each tuple of the roll, in order */
    Codes codes;             /* of these */
    int64_t *order;          /* the i-th tuple's number in the roll */
    int32_t *code, *stratum; /* tuple → its category, -1 = missing; and its stratum */
    int64_t strata;
    Strata tuples;      /* the tuples of each stratum, by their place in the order */
    Columns keys;       /* of the table at hand */
    const char **names; /* of the strata */
    const char **name;
    int64_t count;     /* of categories, those only in the matrix included */
    int64_t strangers; /* categories that the matrix does not name */
    Transition *matrix;
    double **cumulated;
    bool by_stratum;
    RandomStream stream;
    int64_t first_row, *place;
    int32_t *released; /* per row, -1 = missing */
} Pram;

static Status categories(Work *work, Pram *p) {
    Status status = OK;
    char number[33];
    TRY(column_codes(work, p->cells, &p->codes));
    if (p->codes.count > MOST) {
        fail(work->error, BAD, "has %d different values; PRAM supports categorical columns of at most %d", p->codes.count, MOST);
        error_advice(work->error, "Recode it first, or add noise.");
        TRY(error_column(work->error, p->column->name));
    }
    NEW(work, p->name, p->codes.count + 1);
    for (int32_t c = 0; c < p->codes.count; c++) {
        const char *cell = column_cell(p->cells, p->codes.first_row[c], number);
        p->name[c] = arena_text(work->arena, cell);
        if (!p->name[c]) TRY(out_of_memory(work->error));
    }
done:
    return status;
}

/* The strata among the tuples, in the order of their first records; each by its first tuple. */
static Status find_strata(Work *work, Columns strata, Pram *p) {
    Status status = OK;
    Strata s;
    NEW(work, p->stratum, p->roll->count + 1);
    TRY(strata_make(work, strata, p->roll->count, &s));
    p->strata = s.count;
    p->tuples = s;
    for (int64_t i = 0; i < p->roll->count; i++) p->stratum[p->order[i]] = s.of[i];
    NEW(work, p->names, s.count + 1);
    for (int64_t k = 0; k < s.count; k++) p->names[k] = p->roll->count ? strata_name(work, strata, &s, k) : "all";
done:
    return status;
}

/* Category counts of a stratum, weighted where there is a weight. */
static void count_stratum(const Pram *p, int64_t stratum, double *counts) {
    bool all = !p->by_stratum;
    for (int64_t r = all ? 0 : p->tuples.start[stratum]; r < (all ? p->roll->count : p->tuples.start[stratum + 1]); r++) {
        int64_t t = p->order[all ? r : p->tuples.row[r]];
        if (p->code[t] < 0) continue;
        counts[p->code[t]] += p->roll->weighted ? weight_real(p->roll->weight[t]) : (double)p->roll->times[t];
    }
}

static Status make_matrices(Work *work, const args *a, Pram *p) {
    Status status = OK;
    Transition given, base;
    double *counts = NULL;
    if (a->matrix) {
        TRY(transition_read(work, a->matrix, p->column->name, &given));
        for (int64_t k = 0; k < p->codes.count; k++) p->strangers += transition_find(&given, p->name[k]) < 0;
        TRY(transition_with(work, &given, p->name, p->codes.count, &base));
    } else TRY(transition_keep(work, p->name, p->codes.count, a->keep, &base));
    p->count = base.count;
    p->name = base.name;
    int64_t matrices = p->by_stratum ? p->strata : 1;
    NEW(work, p->matrix, matrices + 1);
    NEW(work, p->cumulated, matrices + 1);
    NEW(work, counts, base.count + 1);
    for (int64_t s = 0; s < matrices; s++) {
        TRY(work_check(work));
        if (a->invariant) {
            memset(counts, 0, (size_t)base.count * sizeof *counts);
            count_stratum(p, s, counts);
            TRY(transition_invariant(work, &base, counts, &p->matrix[s]));
        } else p->matrix[s] = base;
        transition_blend(&p->matrix[s], a->alpha);
        NEW(work, p->cumulated[s], base.count * base.count + 1);
        for (int64_t k = 0; k < base.count; k++)
            for (int64_t l = 0; l < base.count; l++)
                p->cumulated[s][k * base.count + l] =
                    p->matrix[s].p[k * base.count + l] + (l ? p->cumulated[s][k * base.count + l - 1] : 0);
    }
done:
    return status;
}

/* The first category whose cumulated probability exceeds u: one of probability zero never is. */
static int32_t pick(const double *cumulated, int64_t count, double u) {
    u *= cumulated[count - 1];
    int64_t low = 0, high = count - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (u < cumulated[middle]) high = middle;
        else low = middle + 1;
    }
    while (low && cumulated[low] == cumulated[low - 1]) low--; /* u rounded up to the whole sum */
    return (int32_t)low;
}

static Status draw_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Pram *p = self;
    uint64_t words[BLOCK];
    (void)block, (void)error;
    stream_words(&p->stream, (uint64_t)(p->first_row + first), (size_t)(last - first), words);
    for (int64_t i = first; i < last; i++) {
        int32_t code = p->code[p->place[i]];
        p->released[i] = code;
        if (code >= 0)
            p->released[i] =
                pick(p->cumulated[p->by_stratum ? p->stratum[p->place[i]] : 0] + code * p->count, p->count, word_uniform(words[i - first]));
    }
    return OK;
}

/* Released categories that the data have are taken from a record that has them; new ones make a column of words (or of numbers, where all
 * are). */
static Status make_column(Work *work, const Pram *p, Column **out) {
    Status status = OK;
    int64_t rows = p->column->rows, *from = NULL;
    const char **cells = NULL;
    double *numbers = NULL;
    bool known = true, numeric = column_numeric(p->column);
    for (int64_t i = 0; i < rows; i++) known = known && p->released[i] < p->codes.count;
    if (known) {
        NEW(work, from, rows + 1);
        for (int64_t i = 0; i < rows; i++) from[i] = p->released[i] < 0 ? -1 : p->codes.first_row[p->released[i]];
        TRY(column_take(p->cells, from, rows, out, work->error));
        arena_drop(work->arena, from);
        return OK;
    }
    NEW(work, cells, rows + 1);
    NEW(work, numbers, rows + 1);
    for (int64_t i = 0; i < rows; i++) {
        cells[i] = p->released[i] < 0 ? NULL : p->name[p->released[i]];
        numbers[i] = NAN;
        if (cells[i] && numeric) numeric = read_real(cells[i], cells[i] + strlen(cells[i]), '.', &numbers[i]);
    }
    if (numeric) TRY(column_of_reals(p->column, numbers, out, work->error));
    else TRY(column_category(p->column->name, cells, rows, out, work->error));
done:
    return status;
}

static void say_matrix(Run *run, const args *a, const Pram *all) {
    bool strata = a->invariant && a->strata.count;
    Grid *grid = grid_new(run->result, "matrix",
                          strata ? "stratum:text variable:text original:text released:text probability:real"
                                 : "variable:text original:text released:text probability:real");
    for (int64_t v = 0; v < a->vars.count; v++) {
        const Pram *p = &all[v];
        for (int64_t s = 0; s < (p->by_stratum ? p->strata : 1); s++)
            for (int64_t k = 0; k < p->count; k++)
                for (int64_t l = 0; l < p->count; l++) {
                    if (strata) grid_text(grid, p->names[s]);
                    grid_text(grid, p->column->name);
                    grid_text(grid, p->name[k]);
                    grid_text(grid, p->name[l]);
                    grid_real(grid, p->matrix[s].p[k * p->count + l]);
                }
    }
    grid_done(grid);
}

static Status say_counts(Run *run, const args *a, const Pram *all, const PartState *did) {
    Status status = OK;
    double *before = NULL, *expected = NULL, *here = NULL;
    Grid *grid = grid_new(run->result, "counts", "variable:text category:text original:integer expected:real released:integer");
    for (int64_t v = 0; v < a->vars.count; v++) {
        const Pram *p = &all[v];
        const TupleCounts *after = did->roll[v];
        NEW(&run->work, before, p->count + 1);
        NEW(&run->work, expected, p->count + 1);
        NEW(&run->work, here, p->count + 1);
        for (int64_t s = 0; p->count && s < p->strata; s++) {
            const double *matrix = p->matrix[p->by_stratum ? s : 0].p;
            memset(here, 0, (size_t)p->count * sizeof *here);
            for (int64_t r = p->tuples.start[s]; r < p->tuples.start[s + 1]; r++) {
                int64_t t = p->order[p->tuples.row[r]];
                if (p->code[t] >= 0) here[p->code[t]] += (double)p->roll->times[t];
            }
            for (int64_t k = 0; k < p->count; k++) {
                before[k] += here[k];
                for (int64_t l = 0; l < p->count; l++) expected[l] += here[k] * matrix[k * p->count + l];
            }
        }
        for (int64_t k = 0; k < p->count; k++) {
            grid_text(grid, p->column->name);
            grid_text(grid, p->name[k]);
            grid_integer(grid, (int64_t)before[k]);
            grid_real(grid, expected[k]);
            grid_integer(grid, after && after->count ? (int64_t)exact_sum_real(&after->sum[k]) : 0);
        }
    }
    grid_done(grid);
done:
    return status;
}

/* ---- in parts ---- */

/* The strata, and the column behind them. */
static Status keys_of(Work *work, const args *a, int64_t v, Columns *out) {
    Status status = OK;
    *out = (Columns){ 0 };
    NEW(work, out->at, a->strata.count + 1);
    for (int64_t s = 0; s < a->strata.count; s++) out->at[out->count++] = a->strata.at[s];
    out->at[out->count++] = a->vars.at[v];
done:
    return status;
}

static Status pram_learn(Run *run, const void *p, PartState *fit) {
    const args *a = p;
    Status status = OK;
    const Column *weight = a->invariant ? a->weight : NULL;
    for (int64_t v = 0; v < a->vars.count; v++) {
        Columns keys;
        TupleCounts *roll;
        int64_t *place;
        TRY(keys_of(&run->work, a, v, &keys));
        TRY(state_tuple_counts(fit, v, keys.count, 0, weight != NULL, &roll, run->work.error));
        TRY(tuple_counts_add(&run->work, roll, keys, weight, a->data->rows, run->first_row, &place));
    }
done:
    return status;
}

static Status pram_ready(Run *run, const args *a, const PartState *fit, int64_t v, Pram *p) {
    Status status = OK;
    Work *work = &run->work;
    Table *table = NULL;
    *p = (Pram){ .column = a->vars.at[v],
                 .roll = fit->roll[v],
                 .first_row = run->first_row,
                 .stream = run_stream(run, a->vars.at[v]->name, "category") };
    TRY(keys_of(work, a, v, &p->keys));
    TRY(tuple_counts_order(work, p->roll, &p->order));
    TRY(tuple_counts_table(work, p->roll, NULL, p->order, &table));
    p->cells = column_retain(table->column[a->strata.count]);
    TRY(find_strata(work, (Columns){ a->strata.count, (const Column **)(uintptr_t)table->column }, p));
    TRY(categories(work, p));
    NEW(work, p->code, p->roll->count + 1);
    for (int64_t i = 0; i < p->roll->count; i++) p->code[p->order[i]] = p->codes.at[i];
    p->by_stratum = a->invariant && p->strata > 1 && p->codes.count;
    if (p->codes.count) TRY(make_matrices(work, a, p));
done:
    table_release(table);
    return status;
}

static Status pram_draw(Run *run, const args *a, Pram *p, PartState *did, int64_t v, Column **out) {
    Status status = OK;
    Work *work = &run->work;
    TupleCounts *after;
    int64_t *place;
    TRY(tuple_counts_find(work, p->roll, p->keys, a->data->rows, &p->place));
    for (int64_t i = 0; i < a->data->rows; i++)
        if (p->place[i] < 0) TRY(fail(work->error, BAD, "protect pram was not shown this part of the table when it learned"));
    NEW(work, p->released, a->data->rows + 1);
    TRY(parallel_for(work, a->data->rows, BLOCK, draw_block, p));
    TRY(make_column(work, p, out));
    if (!p->by_stratum && p->count)
        TRY(column_treat(*out, treatment_new(TREATED_MATRIX, (int32_t)p->count, p->name, NULL, p->matrix[0].p), work->error));
    TRY(state_tuple_counts(did, v, 0, p->count, false, &after, work->error));
    TRY(tuple_counts_add(work, after, (Columns){ 0 }, NULL, a->data->rows, run->first_row, &place));
    for (int64_t i = 0; i < a->data->rows; i++)
        if (p->released[i] >= 0) exact_sum_add(&after->sum[p->released[i]], 1);
    arena_drop(work->arena, place);
    arena_drop(work->arena, p->place);
    arena_drop(work->arena, p->released);
done:
    return status;
}

static Status pram_make(Run *run, const void *given, const PartState *fit, PartState *did) {
    const args *a = given;
    Status status = OK;
    Column **made = NULL;
    Pram *all = NULL;
    NEW(&run->work, made, a->vars.count + 1);
    NEW(&run->work, all, a->vars.count + 1);
    for (int64_t v = 0; v < a->vars.count; v++) {
        TRY(pram_ready(run, a, fit, v, &all[v]));
        TRY(pram_draw(run, a, &all[v], did, v, &made[v]));
    }
    TRY(output_part(run, a->data, made, a->vars.count, did));
done:
    for (int64_t v = 0; all && v < a->vars.count; v++) column_release(all[v].cells);
    columns_release(made, a->vars.count);
    return status;
}

static Status pram_say(Run *run, const void *given, const PartState *fit, const PartState *did) {
    const args *a = given;
    Status status = OK;
    Pram *all = NULL;
    NEW(&run->work, all, a->vars.count + 1);
    for (int64_t v = 0; v < a->vars.count; v++) TRY(pram_ready(run, a, fit, v, &all[v]));
    say_changed(run, did);
    say_matrix(run, a, all);
    TRY(say_counts(run, a, all, did));
    if (a->invariant)
        result_note(run->result,
                    "The matrix preserves %scounts in expectation%s, so one-way tables need no correction. Tables with other columns do: T̂ "
                    "= (R')⁻¹T*.",
                    a->weight ? "weighted " : "", a->strata.count ? ", in every stratum" : "");
    else
        result_note(run->result, "To correct: T̂ = (P')⁻¹T*, with T* the released counts: `utility pram-estimate` with the table `matrix`.");
    if (!a->invariant && (a->strata.count || a->weight))
        result_note(run->result, "Without --invariant, --strata and --weight have no effect: one matrix applies to all records.");
    for (int64_t v = 0; v < a->vars.count; v++)
        if (all[v].strangers)
            result_note(run->result, "%s: the matrix does not name %lld of its categories. They are never changed.", all[v].column->name,
                        (long long)all[v].strangers);
    result_note(run->result, "Missing values stay missing.");
done:
    for (int64_t v = 0; all && v < a->vars.count; v++) column_release(all[v].cells);
    return status;
}

static const InParts in_parts = { .shape = BY_ROW, .fit = pram_learn, .apply = pram_make, .say = pram_say };

static const Return values[] = {
    CHANGED_VALUES,
    TABLE_OUT(matrix, "variable:text original:text released:text probability:real",
              "Transition matrix used: probability that an original category is released as another"),
    TABLE_OUT(counts, "variable:text category:text original:integer expected:real released:integer",
              "Count of each category in the original, expected after PRAM, and in the release"),
    RELEASED("The protected table"),
    END,
};

/* With a matrix that is given a value is redrawn by itself; else the categories, and with --invariant the counts, are those of all
 * records. */
static bool looks_at_one(const Args *given) { return args_find(given, "matrix") && !args_find(given, "invariant"); }

const Method protect_pram = {
    .group = "protect",
    .name = "pram",
    .summary = "PRAM (post-randomisation): perturb categories by a transition matrix",
    .source = "Gouweleeuw, Kooiman, Willenborg & de Wolf 1998",
    .params = params,
    .size = sizeof(args),
    .record_by_record = looks_at_one,
    .traits = BY_PERSON | PERTURBS | RANDOM | IDENTITY | ATTRIBUTE,
    .parts = &in_parts,
    .values = values,
    .example = "scrim protect pram examples/clinic.csv --vars region,education --keep 0.9 --invariant",
};
