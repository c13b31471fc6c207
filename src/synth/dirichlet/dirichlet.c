/* synth.dirichlet: synthetic counts from a Dirichlet-multinomial, and what they promise (Machanavajjhala et al. 2008). */
#include <stdio.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/distributions.h"
#include "method/method.h"
#include "classes/equivalence_class.h"
#include "classes/strata.h"
#include "synth/dirichlet/guarantee.h"
#include "synth/engine/direct_columns.h"
#include "synth/engine/params.h"

typedef struct {
    SynthArgs synth; /* first, so that the family's parameters apply */
    const Table *domain;
    Columns by;
    Reals alpha;
    double delta, epsilon, epsilon_probable;
} args;

static const Param params[] = {
    TABLE(SynthArgs, data, "The confidential table", .flags = REQUIRED | POSITIONAL),
    COLUMNS(SynthArgs, vars, data, "Columns whose combinations are the cells", .flags = REQUIRED),
    COLUMNS(args, by, data, "Columns of groups with a histogram each, such as the destination of commuters"),
    TABLE(args, domain,
          "All possible cells, one per row, known without the data (default: all combinations of the values that occur, which discloses "
          "those values)"),
    REALS(args, alpha, 0, INFINITY, "Prior counts α: one number for all cells, or one for each in the order of the cells. Larger is safer",
          .flags = EXCLUSIVE),
    REAL(args, epsilon, NAN, 0, 100, "Instead of --alpha: largest `epsilon`; the smallest sufficient α is used for all cells",
         .flags = EXCLUSIVE),
    REAL(args, epsilon_probable, NAN, 0, 100,
         "Instead of --alpha: largest `epsilon_probable`; the smallest α found to suffice is used. It depends on the data",
         .flags = EXCLUSIVE),
    INT(SynthArgs, n, ABSENT, 1, 1000000000, "m: synthetic records of each group (default: its size)"),
    REAL(args, delta, 0.000001, 0, 1, "δ of the probabilistic guarantee", .flags = EXCLUSIVE),
    DIRECT_ROLES(data),
    END,
};

enum { MOST_CELLS = 10000000 };

/* The cells: combinations of values, and where each cell's values stand in the data (or the domain). */
typedef struct Cells {
    int64_t count;
    int64_t *row;
    Columns columns;
    double *alpha, least;
} Cells;

/* Crossing of the values that occur, the last column fastest. */
static Status cross_values(Run *run, const args *a, Cells *cells, const int32_t **cell_of) {
    Status status = OK;
    Work *work = &run->work;
    Codes *codes = NULL;
    double count = 1;
    int32_t *of = NULL;
    NEW(work, codes, a->synth.vars.count + 1);
    for (int64_t j = 0; j < a->synth.vars.count; j++) {
        TRY(column_codes(work, a->synth.vars.at[j], &codes[j]));
        count *= codes[j].count;
    }
    if (count > MOST_CELLS) TRY(fail(work->error, BAD, "these columns give more than %d cells", MOST_CELLS));
    cells->count = (int64_t)count;
    NEW(work, of, a->synth.data->rows + 1);
    for (int64_t i = 0; i < a->synth.data->rows; i++) {
        int64_t cell = 0;
        for (int64_t j = 0; j < a->synth.vars.count && cell >= 0; j++)
            cell = codes[j].at[i] < 0 ? -1 : cell * codes[j].count + codes[j].at[i];
        of[i] = (int32_t)cell;
    }
    *cell_of = of;
    NEW(work, cells->row, cells->count * a->synth.vars.count + 1);
    for (int64_t c = 0; c < cells->count; c++) {
        int64_t rest = c;
        for (int64_t j = a->synth.vars.count - 1; j >= 0; j--) {
            cells->row[c * a->synth.vars.count + j] = codes[j].first_row[rest % codes[j].count];
            rest /= codes[j].count;
        }
    }
    cells->columns = a->synth.vars;
done:
    return status;
}

static const char *joined_key(Work *work, Columns columns, int64_t row) {
    Buffer text = { 0 };
    char number[33];
    for (int64_t j = 0; j < columns.count; j++) {
        const char *cell = column_cell(columns.at[j], row, number);
        buffer_print(&text, "%s%s", cell ? "+" : "-", cell ? cell : "");
        buffer_char(&text, '\x1f');
    }
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

/* A domain known beforehand: cells are its rows; a record of no cell is left out and counted. */
static Status given_domain(Run *run, const args *a, Cells *cells, const int32_t **cell_of) {
    Status status = OK;
    Work *work = &run->work;
    const char **cells_text = NULL;
    Column *key = NULL;
    int32_t *of = NULL, *by_word = NULL;
    int64_t rows = a->domain->rows;
    NEW(work, cells->columns.at, a->synth.vars.count + 1);
    for (int64_t j = 0; j < a->synth.vars.count; j++)
        TRY(table_need(a->domain, a->synth.vars.at[j]->name, &cells->columns.at[j], work->error));
    cells->columns.count = a->synth.vars.count;
    cells->count = rows;
    NEW(work, cells->row, rows * a->synth.vars.count + 1);
    NEW(work, cells_text, rows + 1);
    for (int64_t c = 0; c < rows; c++) {
        cells_text[c] = joined_key(work, cells->columns, c);
        for (int64_t j = 0; j < a->synth.vars.count; j++) cells->row[c * a->synth.vars.count + j] = c;
    }
    TRY(column_category("domain", cells_text, rows, &key, work->error));
    if (key->words->count != rows) TRY(fail(work->error, BAD, "the domain names a cell twice"));
    NEW(work, by_word, rows + 1);
    for (int64_t c = 0; c < rows; c++) by_word[key->code[c]] = (int32_t)c;
    NEW(work, of, a->synth.data->rows + 1);
    for (int64_t i = 0; i < a->synth.data->rows; i++) {
        int32_t word = dictionary_find(key->words, joined_key(work, a->synth.vars, i));
        of[i] = word < 0 ? -1 : by_word[word];
    }
    *cell_of = of;
done:
    column_release(key);
    return status;
}

static Status read_alpha(Run *run, const args *a, Cells *cells) {
    Status status = OK;
    if (a->alpha.count > 1 && a->alpha.count != cells->count) {
        fail(run->work.error, BAD, "has %lld numbers for %lld cells", (long long)a->alpha.count, (long long)cells->count);
        TRY(error_parameter(run->work.error, "alpha"));
    }
    NEW(&run->work, cells->alpha, cells->count + 1);
    cells->least = INFINITY;
    for (int64_t c = 0; c < cells->count; c++) {
        cells->alpha[c] = !a->alpha.count ? 1 : a->alpha.at[a->alpha.count > 1 ? c : 0];
        cells->least = fmin(cells->least, cells->alpha[c]);
    }
done:
    return status;
}

/* ---- the guarantee ---- */

/* Each group's histogram is made when it is looked at. */
typedef struct {
    Run *run;
    const args *a;
    Cells *cells;
    Strata groups;
    const int32_t *cell_of;
    double *n; /* of the group at hand */
    int64_t outside;
} Study;
typedef struct {
    double epsilon, table, probable;
    bool exact;
} Guarantee;

/* Records of group g by cell; those of no cell are counted in `outside`. */
static Histogram group_histogram(Study *s, int64_t g) {
    double total = 0;
    memset(s->n, 0, (size_t)s->cells->count * sizeof *s->n);
    for (int64_t i = s->groups.start[g]; i < s->groups.start[g + 1]; i++) {
        int32_t c = s->cell_of[s->groups.row[i]];
        s->outside += c < 0;
        if (c < 0) continue;
        s->n[c]++;
        total++;
    }
    return (Histogram){ s->cells->count, s->cells->alpha, s->n, total, s->a->synth.n != ABSENT ? (double)s->a->synth.n : total };
}

/* The worst over the groups, a record of which may be replaced. */
static Status find_guarantee(Study *s, Guarantee *out) {
    Status status = OK;
    *out = (Guarantee){ .exact = true };
    for (int64_t g = 0; g < s->groups.count; g++) {
        Histogram h = group_histogram(s, g);
        double probable;
        bool exact;
        TRY(histogram_probable_loss(&s->run->work, &h, s->a->delta, &probable, &exact));
        out->epsilon = larger(out->epsilon, log1p(h.m / s->cells->least)); /* Machanavajjhala et al. 2008, theorem 1 */
        out->table = larger(out->table, histogram_largest_loss(&h));
        out->probable = fmax(out->probable, probable);
        out->exact &= exact;
        TRY(work_check(&s->run->work));
    }
    out->probable = fmin(out->probable, out->epsilon);
done:
    return status;
}

static void set_alpha(Cells *cells, double alpha) {
    for (int64_t c = 0; c < cells->count; c++) cells->alpha[c] = alpha;
    cells->least = alpha;
}

/* α = m/(e^ε − 1) bounds the loss of every table. Less may do for this one: bisection between that and a millionth of it. */
static Status find_alpha(Study *s) {
    enum { HALVINGS = 40 };
    Status status = OK;
    const args *a = s->a;
    double m = 0, bound = isnan(a->epsilon) ? a->epsilon_probable : a->epsilon;
    for (int64_t g = 0; g < s->groups.count; g++) m = larger(m, group_histogram(s, g).m);
    double most = m / expm1(bound) * (1 + 1e-12), least = 1e-6 * most;
    for (int k = 0; isnan(a->epsilon) && k < HALVINGS && most > least * (1 + 1e-6); k++) {
        Guarantee trial;
        double middle = sqrt(least * most);
        set_alpha(s->cells, middle);
        TRY(find_guarantee(s, &trial));
        if (trial.probable <= bound) most = middle;
        else least = middle;
    }
    set_alpha(s->cells, most);
done:
    return status;
}

static Status check_alpha(Run *run, const args *a) {
    int given = (a->alpha.count > 0) + !isnan(a->epsilon) + !isnan(a->epsilon_probable);
    if (given < 2) return OK;
    fail(run->work.error, BAD, "give one of --alpha, --epsilon and --epsilon-probable: each fixes α");
    return error_parameter(run->work.error, a->alpha.count ? "alpha" : "epsilon");
}

/* What each move of one record would tell, where the cells are few. */
static void say_losses(Run *run, const args *a, const Histogram *h) {
    enum { FEW_CELLS = 12 };
    if (h->cells > FEW_CELLS || a->by.count) return;
    Grid *grid = grid_new(run->result, "losses", "from:integer to:integer records:integer loss:real");
    for (int64_t i = 0; i < h->cells; i++)
        for (int64_t j = 0; j < h->cells; j++) {
            if (i == j || h->n[i] < 1) continue;
            grid_integer(grid, i + 1);
            grid_integer(grid, j + 1);
            grid_integer(grid, (int64_t)h->n[i]);
            grid_real(grid, histogram_pair_loss(h, i, j));
        }
    grid_done(grid);
}

/* ---- the draw ---- */

/* Pólya's urn: each synthetic record is drawn with chance ∝ α_c + n_c + those already drawn. The same law as a Dirichlet's multinomial,
 * without a gamma variate. */
static void draw_counts(const Cells *cells, const double *n, int64_t m, RandomReader *reader, int64_t *drawn, double *tree) {
    int64_t size = 1;
    while (size < cells->count) size *= 2;
    memset(tree, 0, (size_t)(2 * size) * sizeof *tree);
    for (int64_t c = 0; c < cells->count; c++) tree[size + c] = cells->alpha[c] + n[c];
    for (int64_t k = size - 1; k > 0; k--) tree[k] = tree[2 * k] + tree[2 * k + 1];
    for (int64_t i = 0; i < m; i++) {
        double u = reader_uniform(reader) * tree[1];
        int64_t at = 1;
        while (at < size) {
            at *= 2;
            if (u >= tree[at] && tree[at + 1] > 0) u -= tree[at++];
        }
        drawn[at - size]++;
        for (; at; at /= 2) tree[at]++;
    }
}

typedef struct Made {
    int64_t rows, room;
    int64_t *cell, *group;
} Made;

static Status draw_group(Run *run, const Cells *cells, const double *n, int64_t m, int64_t group, double *tree, Made *made) {
    Status status = OK;
    char purpose[48];
    int64_t *drawn = NULL;
    snprintf(purpose, sizeof purpose, "group %lld", (long long)group);
    RandomStream stream = run_stream(run, NULL, purpose);
    RandomReader reader = reader_make(&stream);
    NEW(&run->work, drawn, cells->count + 1);
    draw_counts(cells, n, m, &reader, drawn, tree);
    GROW(&run->work, made->cell, made->room, made->rows + m + 1);
    for (int64_t c = 0; c < cells->count; c++)
        for (int64_t k = 0; k < drawn[c]; k++) made->cell[made->rows++] = c;
    arena_drop(run->work.arena, drawn);
done:
    return status;
}

/* Synthetic records: the group's values, then the cell's. */
static Status make_table(Run *run, const args *a, const Cells *cells, const Strata *groups, const Made *made, const int64_t *group_rows) {
    Status status = OK;
    Work *work = &run->work;
    Column **column = NULL;
    int64_t *from = NULL, count = a->by.count + a->synth.vars.count;
    Table *table = NULL;
    NEW(work, column, count + 1);
    NEW(work, from, made->rows + 1);
    for (int64_t j = 0; j < a->by.count; j++) {
        int64_t at = 0;
        for (int64_t g = 0; g < groups->count; g++)
            for (int64_t k = 0; k < group_rows[g]; k++) from[at++] = groups->row[groups->start[g]];
        TRY(column_take(a->by.at[j], from, made->rows, &column[j], work->error));
    }
    for (int64_t j = 0; j < a->synth.vars.count; j++) {
        for (int64_t i = 0; i < made->rows; i++) from[i] = cells->row[made->cell[i] * a->synth.vars.count + j];
        TRY(column_take(cells->columns.at[j], from, made->rows, &column[a->by.count + j], work->error));
    }
    TRY(table_new(a->synth.data->name, column, count, made->rows, &table, work->error));
    result_output(run->result, table);
done:
    for (int64_t j = 0; column && j < count; j++) column_release(column[j]);
    return status;
}

static void say(Run *run, const args *a, const Cells *cells, const Guarantee *g, int64_t outside) {
    bool found = !isnan(a->epsilon) || !isnan(a->epsilon_probable);
    result_real(run->result, "epsilon", g->epsilon);
    result_real(run->result, "epsilon_table", g->table);
    result_real(run->result, "epsilon_probable", g->probable);
    result_real(run->result, "delta", a->delta);
    result_integer(run->result, "cells", cells->count);
    if (found) result_real(run->result, "alpha", cells->least);
    result_note(run->result,
                "epsilon holds for every table with these group sizes under replacing one record. epsilon_table and epsilon_probable "
                "depend on the data: they are of this table and its neighbours, and are no promise of differential privacy.");
    result_note(run->result, g->exact ? "epsilon_probable is exact: every synthetic count was listed."
                                      : "epsilon_probable is an upper bound: there are too many synthetic counts to list.");
    if (!isnan(a->epsilon_probable)) result_note(run->result, "α was found on the data, and is confidential as they are.");
    if (!a->domain)
        result_note(run->result, "The cells were read off the data: epsilon holds only where they are public beforehand (--domain).");
    if (a->synth.n == ABSENT) result_note(run->result, "Each group's synthetic size is its original size, which is disclosed.");
    if (outside) result_note(run->result, "%lld records lie in no cell (or lack a value) and were left out.", (long long)outside);
}

/* Synthetic records have the values of the data; with a domain, the cells have those of the domain. */
static Status refuse_identifiers(Run *run, const args *a) {
    Status status = OK;
    if (!a->domain) TRY(direct_refuse_named(run, &a->synth, a->synth.vars, "vars"));
    TRY(direct_refuse_named(run, &a->synth, a->by, "by"));
done:
    return status;
}

static Status dirichlet_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Work *work = &run->work;
    Cells cells = { 0 };
    Study s = { .run = run, .a = a, .cells = &cells };
    Made made = { 0 };
    Guarantee guarantee;
    double *tree = NULL;
    int64_t *group_rows = NULL;
    TRY(check_alpha(run, a));
    TRY(refuse_identifiers(run, a));
    TRY(a->domain ? given_domain(run, a, &cells, &s.cell_of) : cross_values(run, a, &cells, &s.cell_of));
    if (!cells.count) TRY(fail(work->error, BAD, "there are no cells to draw from: the table has no complete record"));
    TRY(read_alpha(run, a, &cells));
    TRY(strata_make(work, a->by, a->synth.data->rows, &s.groups));
    NEW(work, s.n, cells.count + 1);
    NEW(work, tree, 4 * cells.count + 4);
    NEW(work, group_rows, s.groups.count + 1);
    if (!isnan(a->epsilon) || !isnan(a->epsilon_probable)) TRY(find_alpha(&s));
    TRY(find_guarantee(&s, &guarantee));
    s.outside = 0;
    for (int64_t g = 0; g < s.groups.count; g++) {
        Histogram h = group_histogram(&s, g);
        say_losses(run, a, &h);
        group_rows[g] = (int64_t)h.m;
        TRY(work_check(work));
        TRY(draw_group(run, &cells, s.n, group_rows[g], g, tree, &made));
    }
    TRY(make_table(run, a, &cells, &s.groups, &made, group_rows));
    result_integer(run->result, "records", made.rows);
    say(run, a, &cells, &guarantee, s.outside);
done:
    return status;
}

static const Return values[] = {
    VALUE(records, INTEGER, "Synthetic records", .flags = PUBLIC),
    VALUE(epsilon, REAL, "ε of the guarantee: ln(1 + m/min α), m the synthetic records of the largest group. Smaller is safer",
          .flags = PUBLIC | LESS),
    VALUE(epsilon_table, REAL,
          "Largest privacy loss of any synthetic counts between this table and a neighbouring table. Smaller is safer"),
    VALUE(epsilon_probable, REAL,
          "Privacy loss exceeded with probability at most δ, over this table's neighbours: exact if all synthetic counts can be listed, "
          "otherwise an upper bound. Smaller is safer"),
    VALUE(delta, REAL, "That δ", .flags = PUBLIC),
    VALUE(cells, INTEGER, "Cells of each histogram", .flags = PUBLIC),
    VALUE(alpha, REAL, "With --epsilon or --epsilon-probable: the α of every cell"),
    TABLE_OUT(
        losses, "from:integer to:integer records:integer loss:real",
        "If there are few cells and no groups: privacy loss between this table and the one with a record moved from one cell to another"),
    RELEASED("The synthetic table"),
    END,
};

const Method synth_dirichlet = {
    .group = "synth",
    .name = "dirichlet",
    .summary = "Synthetic counts from a Dirichlet-multinomial model, with their differential privacy guarantee",
    .source = "Machanavajjhala et al. 2008",
    .params = params,
    .size = sizeof(args),
    .traits = PERTURBS | RANDOM | ANEW | IDENTITY | ATTRIBUTE | UNAUDITED,
    .run = dirichlet_run,
    .values = values,
    .example = "scrim synth dirichlet examples/clinic.csv --vars region,diagnosis --alpha 2 --n 100",
};
