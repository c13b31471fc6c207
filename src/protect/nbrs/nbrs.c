/* protect.nbrs: each value drawn from the record's neighbourhood, so that what depends on what survives without being modelled. Defined
 * after Matloff & Tendick 2018: docs/methods/protect-nbrs.md. */
#include <stdio.h>
#include <stdlib.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "protect/nbrs/nbrs.h"
#include "protect/nbrs/report.h"
#include "protect/nbrs/weights.h"
#include "protect/changed_table.h"

typedef struct {
    const Table *data;
    Columns vars;
    double eps;
    int64_t neighbours, eps_neighbours;
    double modify;
    Pairs weights;
    unsigned metric, empty;
    int64_t rare, exclude_rare, exclude_combinations;
    const char *discrete_weight;
    double decay;
    bool by_size;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Columns to compare and to redraw (default: all)"),
    REAL(args, eps, NAN, 0, INFINITY, "ε: neighbours are the other records nearer than this. Larger = more protection", .flags = EXCLUSIVE),
    INT(args, neighbours, ABSENT, 1, 1e9, "Number of nearest records, instead of a radius. Larger = more protection"),
    INT(args, eps_neighbours, ABSENT, 1, 1e9, "A separate ε for each record: the distance to its neighbour of this rank"),
    ONE_OF("eps", "neighbours", "eps-neighbours"),
    REAL(args, modify, 1, 0, 1, "q: probability that a record is modified, 0 to 1. Larger = more protection"),
    PAIRS(args, weights, 1, "Weights of columns in the distance, column:weight. Default 1"),
    TEXT(args, discrete_weight, NULL,
         "Weight of the discrete columns (words, codes, whole numbers of at most ten values) that --weights does not name: a number, or "
         "auto, which decreases with the number of records n as n^(−1/(c+4)), c the number of other columns"),
    REAL(args, decay, NAN, 0, 100,
         "Weight of the j-th column is multiplied by j^(−decay), so that weights decrease as columns are added. --weights are not changed"),
    CHOICE(args, metric, "euclidean", "Distance: on columns scaled to standard deviation 1, or Gower's on columns scaled to their range",
           WORDS("euclidean", "manhattan", "gower")),
    CHOICE(args, empty, "missing", "Treatment of records without a neighbour", WORDS("missing", "keep", "nearest")),
    INT(args, rare, ABSENT, 2, 1e9, "List the values that fewer records than this have and that are still in the release"),
    INT(args, exclude_rare, ABSENT, 2, 1e9,
        "Suppress records that have a value of a discrete column shared by fewer records than this. They are not donors, and their values "
        "become missing"),
    INT(args, exclude_combinations, ABSENT, 1, 4,
        "With --exclude-rare: combinations of values of up to this many discrete columns (default 1: single values)"),
    ONLY_WITH("exclude-combinations", "exclude-rare"),
    FLAG(args, by_size, "Also report the share of records without a neighbour for fewer records and fewer columns"),
    ONLY_WITH("by-size", "eps"),
    END,
};

static const Return values[] = {
    VALUE(modified, INTEGER, "Records that were redrawn from their neighbourhoods", .flags = PUBLIC),
    VALUE(empty, INTEGER, "Records among them without a neighbour", .flags = PUBLIC),
    VALUE(neighbours_median, REAL, "Median size of the neighbourhoods of the modified records. Larger is safer", .flags = PUBLIC),
    VALUE(neighbours_min, INTEGER, "Size of the smallest neighbourhood"),
    VALUE(rare_surviving, INTEGER,
          "Values shared by fewer than --rare records that are still in the release: each discloses that someone is in the data. 0 = safe",
          .flags = PUBLIC),
    VALUE(excluded, INTEGER,
          "Records suppressed because of a value, or a combination of values, that fewer than --exclude-rare records have",
          .flags = PUBLIC),
    VALUE(discrete_weight, REAL, "Weight that --discrete-weight gave", .flags = PUBLIC),
    VALUE(fringe_empty, REAL, "Share of empty neighbourhoods among the tenth of modified records farthest from the centroid",
          .flags = PUBLIC),
    CHANGED_VALUES,
    TABLE_OUT(neighbourhoods, "from:integer to:integer records:integer share:real", "Modified records by the size of their neighbourhood",
              .flags = PUBLIC),
    TABLE_OUT(fringes, "band:integer records:integer distance:real empty:real neighbours_median:real",
              "Tenths of the modified records from the centroid outwards: largest distance, share without a neighbour, median number of "
              "neighbours"),
    TABLE_OUT(alone, "columns:integer records:integer alone:real",
              "With --by-size: share of records without a neighbour, by number of records and number of columns", .flags = PUBLIC),
    TABLE_OUT(rare, "column:text value:text original:integer released:integer",
              "Rare values that remain (the first 1,000): records that had each in the original and in the release"),
    RELEASED("The protected table"),
    END,
};

static Status all_or_named(Work *work, const args *a, Columns *out) {
    Status status = OK;
    *out = a->vars;
    if (a->vars.count) return OK;
    *out = (Columns){ .count = a->data->columns };
    NEW(work, out->at, out->count + 1);
    for (int64_t j = 0; j < out->count; j++) out->at[j] = a->data->column[j];
done:
    return status;
}

static Status release(Run *run, const args *a, const Sampling *s) {
    Status status = OK;
    Work *work = &run->work;
    Column **columns = NULL;
    int64_t *from = NULL;
    NEW(work, columns, s->vars.count + 1);
    NEW(work, from, s->rows + 1);
    for (int64_t j = 0; j < s->vars.count; j++) {
        for (int64_t i = 0; i < s->rows; i++) from[i] = s->donor[j][i];
        TRY(column_of_rows(s->vars.at[j], from, &columns[j], work->error));
    }
    TRY(output_changed(run, a->data, columns, s->vars.count));
done:
    columns_release(columns, s->vars.count);
    arena_drop(work->arena, from);
    return status;
}

static void advise(Run *run, const Sampling *s) {
    char text[33], share[33];
    if (s->reach != WITHIN_EPS || s->emptied * 100 < s->modified || !s->emptied) return;
    double eps = sampling_better_eps(s);
    real_short(100 * (double)s->emptied / (double)s->modified, 3, share);
    if (isinf(eps))
        result_note(run->result, "%lld neighbourhoods (%s%%) are empty, whatever ε is: those records cannot be compared with any other.",
                    (long long)s->emptied, share);
    else
        result_note(run->result, "%lld neighbourhoods (%s%%) are empty. With --eps %s fewer than 1%% would be.", (long long)s->emptied,
                    share, real_short(eps, 3, text));
}

static void say_options(Run *run, const args *a, const Sampling *s, double weight) {
    if (a->discrete_weight) result_real(run->result, "discrete_weight", weight);
    if (a->exclude_rare == ABSENT) return;
    result_integer(run->result, "excluded", s->left_out);
    if (s->left_out && s->vars.count < a->data->columns)
        result_note(run->result, "Columns that are not among --vars still show the suppressed records.");
}

static Status nbrs_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Work *work = &run->work;
    Sampling s = { .metric = a->metric, .eps = a->eps, .modify = a->modify, .empty = a->empty, .rows = a->data->rows };
    const Scale *scale;
    Space space;
    Weighing weighing = { .named = a->weights, .discrete = a->discrete_weight, .decay = a->decay };
    double *weight = NULL;
    bool *discrete = NULL, *excluded = NULL;
    TRY(all_or_named(work, a, &s.vars));
    if (!s.vars.count) TRY(fail(work->error, BAD, "the table has no column to compare"));
    if (a->discrete_weight || a->exclude_rare != ABSENT) TRY(discrete_columns(work, s.vars, &discrete));
    TRY(column_weights(work, &weighing, s.vars, discrete, &weight));
    s.weight = weight;
    if (a->exclude_rare != ABSENT)
        TRY(exclude_rare(work, s.vars, discrete, a->exclude_rare, a->exclude_combinations == ABSENT ? 1 : a->exclude_combinations,
                         &excluded, &s.left_out));
    s.excluded = excluded;
    s.reach = a->neighbours != ABSENT ? K_NEAREST : a->eps_neighbours != ABSENT ? OWN_EPS : WITHIN_EPS;
    s.k = s.reach == K_NEAREST ? a->neighbours : a->eps_neighbours;
    s.chosen = run_stream(run, NULL, "modify");
    s.draws = run_stream(run, NULL, "draw");
    TRY(scale_make(work, s.vars, weight, s.metric, &scale));
    TRY(scale_space(work, scale, s.vars, &space));
    s.space = &space;
    TRY(sampling_run(work, &s));
    TRY(report_neighbourhoods(run, &s));
    TRY(report_fringes(run, &s));
    if (a->by_size) TRY(report_sizes(run, &s));
    say_options(run, a, &s, weighing.discrete_weight);
    if (a->rare != ABSENT) TRY(report_rare(run, &s, a->rare));
    TRY(release(run, a, &s));
    advise(run, &s);
    for (int64_t j = 0; j < s.vars.count; j++)
        if (s.vars.at[j]->missing) {
            result_note(run->result, "A record with missing values is compared on its non-missing columns, with records that also have "
                                     "them. Missing values stay missing.");
            break;
        }
done:
    return status;
}

const Method protect_nbrs = {
    .group = "protect",
    .name = "nbrs",
    .summary = "Neighbourhood sampling (NBRS): redraw each value from the record's nearest neighbours",
    .source = "Matloff & Tendick 2018",
    .params = params,
    .size = sizeof(args),
    .traits = PERTURBS | RANDOM | IDENTITY | ATTRIBUTE,
    .run = nbrs_run,
    .values = values,
    .example = "scrim protect nbrs examples/clinic.csv --vars sex,age,visits,income,bmi --eps 1 --weights sex:0.3 --seed 1"
};
