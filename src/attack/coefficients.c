/* Regression coefficients as a release: what they tell of one record to who knows all the others. Defined after Matthews & Harel 2013, p.
 * 890: docs/methods/attack-coefficients.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "math/linear/least_squares.h"
#include "method/method.h"

typedef struct {
    const Table *known, *coefficients;
    const Formula *formula;
    int64_t digits;
} args;
static const Param params[] = {
    TABLE(args, known, "Records that the intruder knows: all but one of those behind the regression", .flags = REQUIRED | POSITIONAL),
    FORMULA(args, formula, known, "The model, y ~ a + b", .flags = REQUIRED),
    TABLE(args, coefficients, "Published coefficients: columns term and estimate, and standard_error if it was published",
          .flags = REQUIRED),
    INT(args, digits, ABSENT, 0, 15, "Decimals to which the estimates were rounded (default: as written; exact if they have 15 digits)"),
    END,
};
static const Return values[] = {
    VALUE(determined, INTEGER, "1 = the whole record is reconstructed, 0 = only its response, given its predictors",
          .flags = PUBLIC | LESS),
    VALUE(response, REAL, "Response of the unknown record"),
    VALUE(response_lower, REAL, "Smallest response that gives the published estimates"),
    VALUE(response_upper, REAL, "Largest response that gives the published estimates"),
    VALUE(residual, REAL, "Residual of the unknown record"),
    VALUE(standard_error_gap, REAL,
          "Largest relative difference between the published standard errors and those of the completed data. If it is large, more than "
          "one record is unknown",
          .flags = PUBLIC),
    VALUE(baseline, REAL, "Width of the interval without the release: the range of the known responses"),
    VALUE(gain, REAL, "Share of that width that the release removes, 0 to 1. Smaller is safer", .flags = PUBLIC),
    VALUE(lower, REAL, "Equal to gain, which is exact", .flags = PUBLIC),
    VALUE(upper, REAL, "Equal to gain, which is exact", .flags = PUBLIC),
    TABLE_OUT(record, "term:text value:real lower:real upper:real",
              "The unknown record: the value of each term, and the interval that rounding leaves"),
    END,
};

/* Least squares solves X'Xβ = X'y. With A = X'X and c = X'y of the known records alone and (x, y) the unknown one, A β + x(x'β) = c + x y,
 * so that g = A β − c = x (y − x'β) = x·e. The intercept's own element of x is 1: e = g₀, x = g / g₀, y = x'β + e. As many numbers as the
 * record has, and each of them told (Matthews & Harel 2013, p. 890, name published coefficients as a risk of this kind; the algebra is
 * elementary). */
typedef struct {
    int64_t p;
    double *A, *c, *beta, *half, *se, *g, *slack, *x; /* half: what rounding may have taken off an estimate, or added */
} Normal;

/* Estimates are as exact as they are written: 0.25 is anything from 0.245 to 0.255, for nothing says that its last digits were zeros, and
 * 4560 (4.56e3) anything from 4555 to 4565. Where one has the digits of a double, they were not rounded for print, and a short one among
 * them is short by chance. */
static void read_digits(Run *run, const args *a, Normal *n) {
    enum { ALL_DIGITS = 15 };
    int digits = 0;
    for (int64_t j = 0; j < n->p; j++) {
        Shortest shortest = shortest_real(n->beta[j]);
        digits = shortest.count > digits ? shortest.count : digits;
        n->half[j] = 0.5 * pow(10, a->digits != ABSENT ? (double)-a->digits : (double)shortest.power);
    }
    if (a->digits != ABSENT) return;
    if (digits < ALL_DIGITS)
        result_note(run->result,
                    "Each estimate is assumed to be rounded at its last non-zero digit. State the number of decimals with --digits.");
    for (int64_t j = 0; j < n->p && digits >= ALL_DIGITS; j++) n->half[j] = 0;
}

static const double FLOATING = 1e-13; /* of each product: what a fit in doubles may lose */

static Status published(Run *run, const args *a, const Design *design, Normal *n) {
    Status status = OK;
    const Column *term = table_column(a->coefficients, "term"), *estimate = table_column(a->coefficients, "estimate"),
                 *se = table_column(a->coefficients, "standard_error");
    char text[33];
    if (!term || !estimate || !column_numeric(estimate) || (se && !column_numeric(se))) {
        fail(run->work.error, BAD, "not a table of coefficients");
        error_parameter(run->work.error, "coefficients");
        return error_advice(run->work.error, "It takes the columns term and estimate, and standard_error where it was published.");
    }
    for (int64_t j = 0; j < n->p; j++) n->beta[j] = n->se[j] = NAN;
    for (int64_t i = 0; i < a->coefficients->rows; i++) {
        const char *name = column_missing(term, i) ? NULL : column_cell(term, i, text);
        for (int64_t j = 0; name && j < n->p; j++)
            if (!strcmp(name, design->term[j])) {
                n->beta[j] = column_number(estimate, i);
                n->se[j] = se ? column_number(se, i) : NAN;
            }
    }
    for (int64_t j = 0; j < n->p; j++)
        if (!isfinite(n->beta[j])) {
            fail(run->work.error, BAD, "the term '%s' of the formula has no estimate", design->term[j]);
            TRY(error_parameter(run->work.error, "coefficients"));
        }
done:
    return status;
}

static Status normal_make(Run *run, const args *a, const Design *d, Normal *n) {
    Status status = OK;
    int64_t p = n->p = d->columns;
    NEW(&run->work, n->A, p * p + 1);
    NEW(&run->work, n->c, p + 1);
    NEW(&run->work, n->beta, p + 1);
    NEW(&run->work, n->half, p + 1);
    NEW(&run->work, n->se, p + 1);
    NEW(&run->work, n->g, p + 1);
    NEW(&run->work, n->slack, p + 1);
    NEW(&run->work, n->x, p + 1);
    TRY(published(run, a, d, n));
    read_digits(run, a, n);
    for (int64_t j = 0; j < p; j++) {
        long double g = 0, slack = 0;
        for (int64_t k = 0; k < p; k++) {
            long double sum = 0;
            for (int64_t i = 0; i < d->rows; i++) sum += (long double)d->x[j * d->rows + i] * d->x[k * d->rows + i];
            n->A[j * p + k] = (double)sum;
            g += sum * n->beta[k];
            slack += fabsl(sum) * (n->half[k] + FLOATING * fabs(n->beta[k]));
        }
        for (int64_t i = 0; i < d->rows; i++) {
            long double xy = (long double)d->x[j * d->rows + i] * d->y[i];
            g -= xy;
            slack += FLOATING * fabsl(xy);
        }
        n->g[j] = (double)g;
        n->slack[j] = (double)slack;
    }
done:
    return status;
}

/* The hull of {u / v}: numerator within ± du, denominator within ± dv that does not reach 0. */
static void ratio(double u, double du, double v, double dv, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (int s = -1; s <= 1; s += 2)
        for (int t = -1; t <= 1; t += 2) {
            double q = (u + s * du) / (v + t * dv);
            *low = fmin(*low, q);
            *high = fmax(*high, q);
        }
}

/* y = Σ x_j β_j + e, each term within its interval. */
static void respond(const Normal *n, const double *low, const double *high, double *y, double *least, double *most) {
    *y = n->g[0];
    *least = n->g[0] - n->slack[0];
    *most = n->g[0] + n->slack[0];
    for (int64_t j = 0; j < n->p; j++) {
        double b[2] = { n->beta[j] - n->half[j], n->beta[j] + n->half[j] }, x[2] = { low[j], high[j] }, l = INFINITY, h = -INFINITY;
        for (int i = 0; i < 4; i++) {
            double q = b[i & 1] * x[i >> 1];
            l = fmin(l, q);
            h = fmax(h, q);
        }
        *y += n->x[j] * n->beta[j];
        *least += l;
        *most += h;
    }
}

/* Completed with the record, the fit must give the published standard errors as well. */
static Status check_errors(Run *run, const Design *d, const Normal *n, double y, double *gap) {
    Status status = OK;
    double *x = NULL, *all = NULL;
    LinearFit fit;
    int64_t rows = d->rows + 1;
    NEW(&run->work, x, rows * n->p + 1);
    NEW(&run->work, all, rows + 1);
    for (int64_t j = 0; j < n->p; j++) {
        memcpy(x + j * rows, d->x + j * d->rows, (size_t)d->rows * sizeof *x);
        x[j * rows + d->rows] = n->x[j];
    }
    memcpy(all, d->y, (size_t)d->rows * sizeof *all);
    all[d->rows] = y;
    TRY(least_squares(&run->work, &(LinearModel){ .rows = rows, .columns = n->p, .x = x, .y = all, .intercept = true }, &fit));
    *gap = NAN;
    for (int64_t j = 0; j < n->p; j++)
        if (n->se[j] > 0) *gap = larger(isnan(*gap) ? 0 : *gap, fabs(fit.standard_error[j] / n->se[j] - 1));
done:
    return status;
}

static void range_of(const Design *d, double *least, double *most) {
    *least = INFINITY;
    *most = -INFINITY;
    for (int64_t i = 0; i < d->rows; i++) {
        *least = fmin(*least, d->y[i]);
        *most = fmax(*most, d->y[i]);
    }
}

static void report(Run *run, const Design *d, double least, double most, bool told) {
    double low, high;
    range_of(d, &low, &high);
    double width = high - low, gain = !told ? 0 : width > 0 ? fmax(0, 1 - (most - least) / width) : NAN;
    result_real(run->result, "baseline", width);
    if (isnan(gain)) result_null(run->result, "gain", "The known responses are all equal, so the gain has no reference width.");
    else result_real(run->result, "gain", gain);
    result_real(run->result, "lower", gain);
    result_real(run->result, "upper", gain);
}

/* The residual may be 0: the record then lies on the plane, and says no more than that. */
static Status undetermined(Run *run, const Design *d) {
    result_integer(run->result, "determined", 0);
    result_null(run->result, "response",
                "The known records alone give the published coefficients. The unknown record lies on the fitted plane, whatever its "
                "predictors are.");
    result_null(run->result, "residual", "It is 0 within the precision of the published values.");
    report(run, d, 0, 0, false);
    return OK;
}

static Status solve(Run *run, const Design *d, Normal *n) {
    Status status = OK;
    double y, least, most, gap, *low = NULL, *high = NULL;
    NEW(&run->work, low, n->p + 1);
    NEW(&run->work, high, n->p + 1);
    Grid *grid = grid_new(run->result, "record", "term:text value:real lower:real upper:real");
    for (int64_t j = 0; j < n->p; j++) {
        n->x[j] = j ? n->g[j] / n->g[0] : 1;
        if (j) ratio(n->g[j], n->slack[j], n->g[0], n->slack[0], &low[j], &high[j]);
        else low[j] = high[j] = 1;
        grid_text(grid, d->term[j]);
        grid_real(grid, n->x[j]);
        grid_real(grid, low[j]);
        grid_real(grid, high[j]);
    }
    grid_done(grid);
    respond(n, low, high, &y, &least, &most);
    result_integer(run->result, "determined", 1);
    result_real(run->result, "response", y);
    result_real(run->result, "response_lower", least);
    result_real(run->result, "response_upper", most);
    result_real(run->result, "residual", n->g[0]);
    TRY(check_errors(run, d, n, y, &gap));
    if (isnan(gap))
        result_null(run->result, "standard_error_gap",
                    "No standard errors were published, so it cannot be confirmed that only one record is unknown.");
    else result_real(run->result, "standard_error_gap", gap);
    report(run, d, least, most, true);
    result_note(run->result, "Valid if the known records are all but one of those behind the coefficients, and the model was fitted by "
                             "ordinary least squares. The dummy variables of a factor give its level.");
done:
    return status;
}

static Status coefficients_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Design design;
    Normal n = { 0 };
    TRY(formula_design(&run->work, a->formula, a->known, NULL, &design));
    if (!design.y || !design.intercept || design.rows < 1) {
        fail(run->work.error, BAD,
             !design.rows ? "no known record is complete"
                          : "needs a response and an intercept, from which the unknown record's residual is computed");
        return error_parameter(run->work.error, "formula");
    }
    TRY(normal_make(run, a, &design, &n));
    TRY(fabs(n.g[0]) <= n.slack[0] ? undetermined(run, &design) : solve(run, &design, &n));
done:
    return status;
}

const Method attack_coefficients = { .group = "attack",
                                     .name = "coefficients",
                                     .summary =
                                         "Regression reconstruction attack: recover the one unknown record behind published coefficients",
                                     .source = "Matthews & Harel 2013, p. 890",
                                     .params = params,
                                     .size = sizeof(args),
                                     .traits = ATTRIBUTE | INFERENTIAL | UNAUDITED | CODES_AS_CATEGORIES,
                                     .run = coefficients_run,
                                     .headline = "-determined",
                                     .values = values,
                                     .example = "scrim attack coefficients examples/clinic.csv --where \"id != 12087\" --formula \"income "
                                                "~ age + visits\" --coefficients examples/coefficients.csv --digits 4" };
