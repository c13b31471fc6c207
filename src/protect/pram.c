/* protect.pram: the post-randomisation method: categories are redrawn by a transition matrix. */
#include <string.h>
#include "base/elementary.h"
#include "base/number.h"
#include "math/transition.h"
#include "protect/output.h"
#include "table/strata.h"

typedef struct {
    const Table *data, *matrix;
    Columns vars, strata;
    const Column *weight;
    double keep, alpha;
    bool invariant;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Categorical columns to redraw", .flags = REQUIRED, .role = "keys"),
    TABLE(args, matrix,
          "Transition matrix: the first column names the original categories, the others are the released ones; or long: original, "
          "released, probability, variable"),
    REAL(args, keep, NAN, 0, 1, "Probability that a value stays; the rest of its row is shared out equally"),
    ONE_OF("matrix", "keep"),
    REAL(args, alpha, 1, 0, 1, "a: the matrix used is a·P + (1 − a)·I"),
    FLAG(args, invariant, "Use R = P·Q, which keeps every category's expected count"),
    COLUMNS(args, strata, data, "With --invariant, counts are kept within each stratum"),
    COLUMN(args, weight, data, "With --invariant, weighted counts are kept", .flags = NUMERIC),
    END,
};

enum { MOST = 1000, BLOCK = 1 << 12 };

/* One column: its categories, and for each stratum (only the first, unless invariant) the matrix and its rows cumulated. */
typedef struct {
    const Column *column;
    Codes codes;
    const char **name;
    int64_t count;     /* of categories, those only in the matrix included */
    int64_t strangers; /* categories that the matrix does not name */
    Transition *matrix;
    double **cumulated;
    const Strata *strata;
    bool by_stratum;
    Stream stream;
    int32_t *released; /* per row, -1 = missing */
} Pram;

static Status categories(Work *work, Pram *p) {
    Status status = OK;
    char number[33];
    TRY(column_codes(work, p->column, &p->codes));
    if (p->codes.count > MOST) {
        fail(work->error, BAD, "has %d different values: PRAM redraws categories, at most %d of them", p->codes.count, MOST);
        error_advice(work->error, "Recode it first, or add noise.");
        TRY(error_column(work->error, p->column->name));
    }
    NEW(work, p->name, p->codes.count + 1);
    for (int32_t c = 0; c < p->codes.count; c++) {
        const char *cell = column_cell(p->column, p->codes.first_row[c], number);
        p->name[c] = cell == number ? arena_text(work->arena, cell) : cell;
        if (!p->name[c]) TRY(fail(work->error, FAILED, "out of memory"));
    }
done:
    return status;
}

/* Category counts of a stratum, weighted where there is a weight. */
static Status count_stratum(Work *work, const args *a, const Pram *p, int64_t stratum, double *counts) {
    for (int64_t r = p->strata->start[stratum]; r < p->strata->start[stratum + 1]; r++) {
        int64_t i = p->strata->row[r];
        double weight = a->weight ? column_number(a->weight, i) : 1;
        if (!(weight >= 0)) {
            fail(work->error, BAD, "a weight is missing or negative");
            error_column(work->error, a->weight->name);
            return error_row(work->error, i);
        }
        if (p->codes.at[i] >= 0) counts[p->codes.at[i]] += weight;
    }
    return OK;
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
    int64_t matrices = p->by_stratum ? p->strata->count : 1;
    NEW(work, p->matrix, matrices + 1);
    NEW(work, p->cumulated, matrices + 1);
    NEW(work, counts, base.count + 1);
    for (int64_t s = 0; s < matrices; s++) {
        TRY(work_check(work));
        if (a->invariant) {
            memset(counts, 0, (size_t)base.count * sizeof *counts);
            TRY(count_stratum(work, a, p, s, counts));
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
    stream_words(&p->stream, (uint64_t)first, (size_t)(last - first), words);
    for (int64_t i = first; i < last; i++) {
        int32_t code = p->codes.at[i];
        p->released[i] = code;
        if (code >= 0)
            p->released[i] =
                pick(p->cumulated[p->by_stratum ? p->strata->of[i] : 0] + code * p->count, p->count, word_uniform(words[i - first]));
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
        TRY(column_take(p->column, from, rows, out, work->error));
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
        for (int64_t s = 0; s < (p->by_stratum ? p->strata->count : 1); s++)
            for (int64_t k = 0; k < p->count; k++)
                for (int64_t l = 0; l < p->count; l++) {
                    if (strata) grid_text(grid, strata_name(&run->work, a->strata, p->strata, s));
                    grid_text(grid, p->column->name);
                    grid_text(grid, p->name[k]);
                    grid_text(grid, p->name[l]);
                    grid_real(grid, p->matrix[s].p[k * p->count + l]);
                }
    }
    grid_done(grid);
}

static Status say_counts(Run *run, const args *a, const Pram *all) {
    Status status = OK;
    double *before = NULL, *expected = NULL, *after = NULL;
    Grid *grid = grid_new(run->result, "counts", "variable:text category:text original:integer expected:real released:integer");
    for (int64_t v = 0; v < a->vars.count; v++) {
        const Pram *p = &all[v];
        NEW(&run->work, before, p->count + 1);
        NEW(&run->work, expected, p->count + 1);
        NEW(&run->work, after, p->count + 1);
        for (int64_t s = 0; p->count && s < p->strata->count; s++) {
            double *here = NULL;
            const double *matrix = p->matrix[p->by_stratum ? s : 0].p;
            NEW(&run->work, here, p->count + 1);
            for (int64_t r = p->strata->start[s]; r < p->strata->start[s + 1]; r++) {
                int64_t i = p->strata->row[r];
                if (p->codes.at[i] >= 0) {
                    here[p->codes.at[i]]++;
                    after[p->released[i]]++;
                }
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
            grid_integer(grid, (int64_t)after[k]);
        }
    }
    grid_done(grid);
done:
    return status;
}

static Status pram_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Work *work = &run->work;
    Column **made = NULL;
    Pram *all = NULL;
    Strata strata;
    NEW(work, made, a->vars.count + 1);
    NEW(work, all, a->vars.count + 1);
    TRY(strata_make(work, a->strata, a->data->rows, &strata));
    for (int64_t v = 0; v < a->vars.count; v++) {
        Pram *one = &all[v];
        *one = (Pram){ .column = a->vars.at[v],
                       .strata = &strata,
                       .by_stratum = a->invariant && strata.count > 1,
                       .stream = run_stream(run, a->vars.at[v]->name, "category") };
        TRY(categories(work, one));
        if (one->codes.count) TRY(make_matrices(work, a, one));
        else one->by_stratum = false;
        NEW(work, one->released, a->data->rows + 1);
        TRY(parallel_for(work, a->data->rows, BLOCK, draw_block, one));
        TRY(make_column(work, one, &made[v]));
    }
    TRY(output_changed(run, a->data, made, a->vars.count));
    say_matrix(run, a, all);
    TRY(say_counts(run, a, all));
    if (a->invariant)
        result_note(
            run->result,
            "The matrix keeps %scounts in expectation%s: one-way tables need no correction. Tables with other columns do: T̂ = (R')⁻¹T*.",
            a->weight ? "weighted " : "", a->strata.count ? ", in every stratum" : "");
    else result_note(run->result, "To correct: T̂ = (P')⁻¹T*, T* the released counts: `utility pram-estimate` with the table `matrix`.");
    if (!a->invariant && (a->strata.count || a->weight))
        result_note(run->result, "Without --invariant neither --strata nor --weight changes anything: one matrix serves all records.");
    for (int64_t v = 0; v < a->vars.count; v++)
        if (all[v].strangers)
            result_note(run->result, "%s: the matrix does not name %lld of its categories, and these are never changed.",
                        all[v].column->name, (long long)all[v].strangers);
    result_note(run->result, "Missing values stay missing.");
done:
    columns_release(made, a->vars.count);
    return status;
}

static const Return values[] = {
    CHANGED_VALUES,
    TABLE_OUT(matrix, "variable:text original:text released:text probability:real",
              "The matrix used: the probability that an original category is released as another"),
    TABLE_OUT(counts, "variable:text category:text original:integer expected:real released:integer",
              "Each category's count in the original, expected after PRAM, and in the release"),
    OUTPUT("The protected table"),
    END,
};

const Method protect_pram = {
    .group = "protect",
    .name = "pram",
    .summary = "Redraw categories at random by a transition matrix (the post-randomisation method)",
    .source = "Gouweleeuw, Kooiman, Willenborg & de Wolf 1998",
    .params = params,
    .size = sizeof(args),
    .traits = PERTURBS | RANDOM | IDENTITY | ATTRIBUTE,
    .run = pram_run,
    .values = values,
    .example = "scrim protect pram examples/clinic.csv --vars region,education --keep 0.9 --invariant",
};
