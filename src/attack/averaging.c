/* Averaging: noise drawn again for each release of the same table averages away. Defined after Adam & Wortmann 1989:
 * docs/methods/attack-averaging.md. */
#include "base/elementary.h"
#include "method/method.h"
#include "table/measurement_level.h"

typedef struct {
    Tables releases;
    const Table *original;
    Texts vars;
} args;
static const Param params[] = {
    TABLES(args, releases, "Releases of one table, in the same record order", .flags = REQUIRED | POSITIONAL),
    TABLE(args, original, "The original, if available: errors are then exact"),
    TEXTS(args, vars, "Columns that were released with noise (default: all numeric columns)"),
    END,
};
static const Return values[] = {
    VALUE(releases, INTEGER, "Number of releases", .flags = PUBLIC),
    VALUE(rmse_one, REAL, "Root mean square error of one release, in standard deviations of the original. Larger is safer",
          .flags = PUBLIC),
    VALUE(rmse_all, REAL, "Root mean square error of the mean of all releases. Larger is safer", .flags = PUBLIC),
    VALUE(baseline, REAL, "rmse_one: the protection of a single release", .flags = PUBLIC),
    VALUE(gain, REAL, "Share of that error that averaging removes, 0 to 1. Smaller is safer", .flags = PUBLIC),
    VALUE(lower, REAL, "Lower end of the 95% confidence interval of the gain", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of the 95% confidence interval of the gain", .flags = PUBLIC),
    TABLE_OUT(columns, "column:text rmse_one:real rmse_all:real", "The same for each column, in its own units", .flags = PUBLIC),
    END,
};

/* Squared errors over the cells of one column: of a single release, and of the mean of all. */
typedef struct Errors {
    double one, all, one2, all2, cross, cells;
    int64_t equal; /* columns without any error */
} Errors;

static void add(Errors *to, const Errors *more) {
    to->one += more->one;
    to->all += more->all;
    to->one2 += more->one2;
    to->all2 += more->all2;
    to->cross += more->cross;
    to->cells += more->cells;
}

/* With the original: (y−x)² averaged over releases, and (ȳ−x)². Without: the variance s² between releases of a cell estimates the first,
 * s²/M the second. */
static Errors column_errors(const Column *const *release, int64_t count, const Column *original, double scale) {
    Errors sum = { 0 };
    for (int64_t i = 0; i < release[0]->rows; i++) {
        double mean = column_number(release[0], i), one = 0, m = (double)count;
        bool missing = original && column_missing(original, i);
        for (int64_t r = 0; r < count; r++) {
            missing |= column_missing(release[r], i);
            mean += (column_number(release[r], i) - column_number(release[0], i)) / m; /* equal releases have exactly their value as mean */
        }
        if (missing) continue;
        double truth = original ? column_number(original, i) : mean;
        for (int64_t r = 0; r < count; r++) {
            double e = (column_number(release[r], i) - truth) * scale;
            one += e * e;
        }
        one /= original ? m : m - 1;
        double all = original ? (mean - truth) * scale * (mean - truth) * scale : one / m;
        add(&sum, &(Errors){ one, all, one * one, all * all, one * all, 1, 0 });
    }
    return sum;
}

static double deviation(const Column *column) {
    double n = 0, mean = 0, square = 0;
    for (int64_t i = 0; i < column->rows; i++) {
        if (column_missing(column, i)) continue;
        double x = column_number(column, i), d = x - mean;
        mean += d / ++n;
        square += d * (x - mean);
    }
    return n > 1 ? sqrt(square / (n - 1)) : 0;
}

/* gain = 1 − √(A/B), A and B means over cells: the delta method on their joint variance. */
static void put_gain(Run *run, const Errors *e) {
    double n = e->cells, B = e->one / n, A = e->all / n, gain = B > 0 ? 1 - sqrt(A / B) : NAN;
    double vA = e->all2 / n - A * A, vB = e->one2 / n - B * B, c = e->cross / n - A * B;
    double variance = B > 0 && A > 0 ? (A / B) / 4 * (vA / (A * A) + vB / (B * B) - 2 * c / (A * B)) / n : 0,
           half = 1.959963984540054 * sqrt(fmax(0, variance));
    result_real(run->result, "rmse_one", sqrt(B));
    result_real(run->result, "rmse_all", sqrt(A));
    result_real(run->result, "baseline", sqrt(B));
    if (!(n > 0) && !e->equal) result_null(run->result, "gain", "The releases have no number in common that varies and is not missing.");
    else if (isnan(gain)) result_null(run->result, "gain", "The releases are equal: there is no noise to average away.");
    else result_real(run->result, "gain", gain);
    result_real(run->result, "lower", gain - half);
    result_real(run->result, "upper", gain + half);
}

static bool wanted(const args *a, const Column *column) {
    for (int64_t i = 0; i < a->vars.count; i++)
        if (same_text(a->vars.at[i], column->name)) return true;
    return !a->vars.count && column_numeric(column) && !column_is_codes(column);
}

static Status need_number(Run *run, const Table *table, const char *name, const Column **out) {
    Status status = table_need(table, name, out, run->work.error);
    if (status || column_numeric(*out)) return status;
    fail(run->work.error, BAD, "needs numbers");
    if (table->name) error_file(run->work.error, table->name);
    return error_column(run->work.error, name);
}

static Status check(Run *run, const args *a) {
    if (a->releases.count < 2) return fail(run->work.error, BAD, "averaging needs at least two releases");
    int64_t rows = a->releases.at[0]->rows;
    for (int64_t r = 0; r < a->releases.count; r++) {
        long long other = a->releases.at[r]->rows;
        if (other != rows)
            return fail(run->work.error, BAD, "the releases differ in their number of records: %lld and %lld", (long long)rows, other);
    }
    if (a->original && a->original->rows != rows)
        return fail(run->work.error, BAD, "the original has %lld records and the releases %lld", (long long)a->original->rows,
                    (long long)rows);
    for (int64_t i = 0; i < a->vars.count; i++) {
        const Column *column;
        Status status = need_number(run, a->releases.at[0], a->vars.at[i], &column);
        if (status) return status;
        if (!column_is_codes(column)) continue;
        fail(run->work.error, BAD, "needs numbers, and the values of this column are codes (see inspect)");
        error_advice(run->work.error, "If they are numbers, say so: --types %s:numeric.", column->name);
        return error_column(run->work.error, column->name);
    }
    return OK;
}

static Status averaging_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    const Column **same = NULL;
    Errors total = { 0 };
    TRY(check(run, a));
    NEW(&run->work, same, a->releases.count);
    Grid *grid = grid_new(run->result, "columns", "column:text rmse_one:real rmse_all:real");
    for (int64_t j = 0; j < a->releases.at[0]->columns; j++) {
        const Column *first = a->releases.at[0]->column[j], *original = NULL;
        if (!wanted(a, first)) continue;
        for (int64_t r = 0; r < a->releases.count; r++) TRY(need_number(run, a->releases.at[r], first->name, &same[r]));
        if (a->original) TRY(need_number(run, a->original, first->name, &original));
        double sd = deviation(original ? original : first);
        if (!(sd > 0)) continue;
        Errors e = column_errors(same, a->releases.count, original, 1 / sd);
        if (e.one == 0 && !a->vars.count) { /* released as it is */
            total.equal++;
            continue;
        }
        add(&total, &e);
        grid_text(grid, first->name);
        grid_real(grid, sqrt(e.one / e.cells) * sd);
        grid_real(grid, sqrt(e.all / e.cells) * sd);
    }
    grid_done(grid);
    result_integer(run->result, "releases", a->releases.count);
    put_gain(run, &total);
    if (a->original) result_note(run->result, "Errors are computed against the original.");
    else
        result_note(run->result, "Without the original the noise is estimated from the differences between the releases, assuming that it "
                                 "is independent. The gain is then 1 − 1/√M for M releases; it is not estimated from the data.");
done:
    return status;
}

const Method attack_averaging = {
    .group = "attack",
    .name = "averaging",
    .summary = "Averaging attack: noise that the mean of several releases removes",
    .source = "Adam & Wortmann 1989",
    .params = params,
    .size = sizeof(args),
    .traits = INFERENTIAL | UNAUDITED,
    .run = averaging_run,
    .values = values,
    .example = "scrim attack averaging examples/clinic-released.csv examples/clinic.csv --vars income",
};
