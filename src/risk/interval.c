/* Interval disclosure: how often the original value lies close to the released one. Defined after Domingo-Ferrer & Torra 2001; Templ &
 * Meindl 2008: docs/methods/risk-interval.md. */
#include "base/elementary.h"
#include "math/linear/moments.h"
#include "math/ranks.h"
#include "math/proportion.h"
#include "risk/paired_columns.h"

typedef struct {
    const Table *original, *released;
    Columns vars;
    double width;
    unsigned basis;
} args;
enum { SD, RANK };
static const Param params[] = {
    TABLE(args, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, released, "The protected file, in the same record order", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, BOTH, "Numeric columns (default: all common numeric columns)", .flags = NUMERIC, .role = "numeric"),
    REAL(args, width, 0.05, 0, 1e9,
         "Half-width of the interval: in standard deviations of the released column, or as a share of the records (rank)"),
    CHOICE(args, basis, "sd", "Unit of the interval", WORDS("sd", "rank")),
    END,
};
static const Return values[] = {
    VALUE(inside, REAL, "Share of records whose original values lie inside the interval on every column, 0 to 1. Smaller is safer",
          .flags = PUBLIC | LESS),
    VALUE(lower, REAL, "Lower end of its 95% confidence interval", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of its 95% confidence interval", .flags = PUBLIC),
    VALUE(inside_values, REAL, "Share of single values inside their interval, over all columns. Smaller is safer", .flags = PUBLIC),
    VALUE(compared, INTEGER, "Records with a value on every column in both files", .flags = PUBLIC),
    TABLE_OUT(columns, "column:text half_width:real compared:integer inside:real",
              "Each column: the half-width of its interval and the share of originals inside"),
    RECORD(inside, REAL, "Share of the record's values whose original lies within the interval", .of = "released"),
    END,
};

typedef struct Axes {
    const double **x, **y;
    double *half;
    int64_t count;
} Axes;

/* Values become their mid-ranks in their own table. */
static Status ranked(Run *run, int64_t rows, Axes *axes) {
    Status status = OK;
    for (int64_t j = 0; j < axes->count; j++) {
        double *original = NULL, *released = NULL;
        NEW(&run->work, original, rows);
        NEW(&run->work, released, rows);
        TRY(mid_ranks(&run->work, axes->x[j], rows, original));
        TRY(mid_ranks(&run->work, axes->y[j], rows, released));
        axes->x[j] = original;
        axes->y[j] = released;
    }
done:
    return status;
}

static Status half_widths(Run *run, const args *a, int64_t rows, Axes *axes) {
    Status status = OK;
    NEW(&run->work, axes->half, axes->count + 1);
    for (int64_t j = 0; j < axes->count; j++) {
        Moments m;
        TRY(moments_make(&run->work, &axes->y[j], 1, NULL, rows, &m));
        axes->half[j] = a->basis == RANK ? a->width * (double)m.rows : a->width * (m.rows > 1 ? sqrt(m.covariance[0]) : 0);
    }
done:
    return status;
}

static Status interval_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    PairColumns pair;
    Axes axes = { 0 };
    double *inside = NULL;
    int64_t rows = a->original->rows, all = 0, compared = 0, values_inside = 0, values_compared = 0;
    TRY(pair_columns(run, a->original, a->released, a->vars, true, &pair));
    axes.count = pair.original.count;
    TRY(columns_reals(&run->work, pair.original, &axes.x));
    TRY(columns_reals(&run->work, pair.released, &axes.y));
    if (a->basis == RANK) TRY(ranked(run, rows, &axes));
    TRY(half_widths(run, a, rows, &axes));
    NEW(&run->work, inside, rows);
    for (int64_t i = 0; i < rows; i++) inside[i] = 1;
    Grid *grid = grid_new(run->result, "columns", "column:text half_width:real compared:integer inside:real");
    for (int64_t j = 0; j < axes.count; j++) {
        int64_t hits = 0, pairs = 0;
        for (int64_t i = 0; i < rows; i++) {
            double gap = fabs(axes.x[j][i] - axes.y[j][i]);
            if (isnan(gap)) {
                inside[i] = NAN;
                continue;
            }
            pairs++;
            if (gap <= axes.half[j]) hits++;
            else if (!isnan(inside[i])) inside[i] = 0;
        }
        grid_text(grid, pair.original.at[j]->name);
        grid_real(grid, axes.half[j]);
        grid_integer(grid, pairs);
        grid_real(grid, pairs ? (double)hits / (double)pairs : NAN);
        values_inside += hits;
        values_compared += pairs;
    }
    grid_done(grid);
    for (int64_t i = 0; i < rows; i++)
        if (!isnan(inside[i])) {
            compared++;
            all += inside[i] > 0;
        }
    Interval interval = wilson_interval((double)all, (double)compared);
    if (compared) result_real(run->result, "inside", (double)all / (double)compared);
    else result_null(run->result, "inside", "No record has a value on every column in both files.");
    result_real(run->result, "lower", compared ? interval.low : NAN);
    result_real(run->result, "upper", compared ? interval.high : NAN);
    result_real(run->result, "inside_values", values_compared ? (double)values_inside / (double)values_compared : NAN);
    result_integer(run->result, "compared", compared);
    result_note(run->result, "A value that is missing in either file is not compared.");
    TRY(put_reals(run, "released", "inside", inside, rows));
done:
    return status;
}

const Method risk_interval = {
    .group = "risk",
    .name = "interval",
    .summary = "Interval disclosure: share of original values within an interval around the released value",
    .source = "Domingo-Ferrer & Torra 2001; Templ & Meindl 2008",
    .params = params,
    .size = sizeof(args),
    .traits = ATTRIBUTE | INFERENTIAL,
    .run = interval_run,
    .headline = "-inside",
    .values = values,
    .example = "scrim risk interval examples/clinic.csv examples/clinic-released.csv --vars income,bmi",
};
