/* utility.corrected: means, variances, correlations and regressions of a release, corrected for how it was masked. Defined after Fuller
 * 1987, 1993; Little 1993: docs/methods/utility-corrected.md. */
#include "math/special/normal.h"
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/least_squares.h"
#include "math/linear/symmetric.h"
#include "utility/corrected/masked.h"

typedef struct {
    const Table *released, *noise_covariance, *pram, *B;
    unsigned statistic, rounding;
    const Formula *formula;
    Columns vars;
    Pairs noise_variance, factor_variance, rounded;
    double scale;
} args;
enum { REGRESSION, MEAN, VARIANCE, CORRELATION };

static const Param params[] = {
    TABLE(args, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    CHOICE(args, statistic, "regression", "Statistic of the original to estimate", WORDS("regression", "mean", "variance", "correlation")),
    FORMULA(args, formula, released, "regression: the model, y ~ a + b"),
    ONLY_IF("formula", "statistic", "regression"),
    COLUMNS(args, vars, released, "mean, variance, correlation: the columns", .role = "numeric"),
    PAIRS(args, noise_variance, 1, "Variance of the noise added to each column: income:2500,age:4"),
    TABLE(args, noise_covariance, "Covariances of the noise: columns variable, other, covariance (as protect noise reports them)"),
    REAL(args, scale, NAN, 0, 1e6, "Kim's a: after the noise the columns became z = a·y + b with unchanged means", .flags = EXCLUSIVE),
    ONLY_WITH("scale", "noise-variance", "noise-covariance"),
    PAIRS(args, factor_variance, 1, "Multiplicative noise: variance δ of the factor 1 + e of each column: income:0.04"),
    PAIRS(args, rounded, 1, "Columns that were rounded, with their base: income:100"),
    CHOICE(args, rounding, "nearest", "Rounding method", WORDS("nearest", "down", "random")),
    TABLE(args, pram, "PRAM: the transition matrix, as protect pram reports it (variable, original, released, probability), or square"),
    TABLE(args, B,
          "regression: the release is Y = X·B (protect matrix-mask). A square matrix whose columns have the names of the release; a column "
          "`variable` names the originals"),
    ONLY_IF("B", "statistic", "regression"),
    END,
};

static Masking masking_of(const args *a) {
    return (Masking){ .released = a->released,
                      .noise_variance = a->noise_variance,
                      .noise_covariance = a->noise_covariance,
                      .factor_variance = a->factor_variance,
                      .rounded = a->rounded,
                      .rounding = a->rounding,
                      .scale = a->scale,
                      .pram = a->pram };
}

static bool is_masked(const args *a) {
    return a->noise_variance.count || a->noise_covariance || a->factor_variance.count || a->rounded.count || a->pram || a->B;
}

static void say_rows(Run *run, const args *a, int64_t rows) {
    result_integer(run->result, "rows", rows);
    if (rows < a->released->rows)
        result_note(run->result, "%lld of %lld records have no missing value in the model and were used.", (long long)rows,
                    (long long)a->released->rows);
    result_note(run->result, "The correction is valid for noise that was added independently of the data, with the given variances.");
    if (a->rounded.count)
        result_note(run->result, "Rounding is corrected for values that are spread evenly between multiples of the base (Sheppard). The "
                                 "correction is rough if the base is not small relative to the spread, or if the values end abruptly.");
    if (!isnan(a->scale)) result_note(run->result, "Kim's z: (z − mean)/a is used instead of x + e. The release kept the mean.");
}

/* ---- Means, variances, correlations ---- */

typedef struct {
    double value, se;
} Answer;

/* Each is a smooth function of means over the records, and its standard error that of the mean of its influence function. Mean: x̃.
 * Variance: the part of the moment. Correlation: m_jk/√(m_jj·m_kk) − r/2·(m_jj,i/m_jj + m_kk,i/m_kk). */
static double influence(const Masked *m, unsigned statistic, int64_t i, int64_t j, int64_t k, double r) {
    int64_t T = m->terms;
    double jj = m->moment[j * T + j], kk = m->moment[k * T + k];
    if (statistic == MEAN) return masked_mean_part(m, i, j);
    if (statistic == VARIANCE) return masked_part(m, i, j, j) - jj;
    return masked_part(m, i, j, k) / sqrt(jj * kk) - r / 2 * (masked_part(m, i, j, j) / jj + masked_part(m, i, k, k) / kk);
}

static Answer answer(const Masked *m, unsigned statistic, int64_t j, int64_t k) {
    double n = (double)m->rows, sum = 0, jj = m->moment[j * m->terms + j], kk = m->moment[k * m->terms + k];
    double value = statistic == MEAN       ? m->term[j].centre + m->mean[j]
                   : statistic == VARIANCE ? (jj >= 0 ? jj * n / (n - 1) : NAN) /* no variance is below 0: a note says so */
                   : jj > 0 && kk > 0      ? m->moment[j * m->terms + k] / sqrt(jj * kk)
                                           : NAN;
    if (isnan(value)) return (Answer){ NAN, NAN };
    if (statistic == MEAN && m->kim) return (Answer){ value, sqrt(larger(0, kim_mean_covariance(m, j, j))) };
    for (int64_t i = 0; i < m->rows; i++) {
        double part = influence(m, statistic, i, j, k, value);
        sum += part * part;
    }
    return (Answer){ value, sqrt(sum / n / (n - 1)) };
}

/* A term for each column of numbers, and for each category of the others (those that PRAM may have taken out of the release, too). */
static Status terms_of(Run *run, const args *a, const int64_t *row, int64_t rows, Masked *m) {
    Status status = OK;
    Work *work = &run->work;
    int64_t room = 0;
    *m = (Masked){ .rows = rows, .row = row, .centred = true };
    for (int64_t v = 0; v < a->vars.count; v++) {
        Codes codes = { .count = 1 };
        const Column *column = a->vars.at[v];
        bool words = !column_numeric(column);
        if (words) TRY(column_codes(work, column, &codes));
        GROW(work, m->term, room, m->terms + codes.count);
        for (int32_t c = 0; c < codes.count; c++) {
            char number[33];
            double *seen = NULL;
            const char *level = words ? arena_text(work->arena, column_cell(column, codes.first_row[c], number)) : NULL;
            NEW(work, seen, rows + 1);
            for (int64_t i = 0; i < rows; i++) seen[i] = words ? codes.at[row[i]] == c : column_number(column, row[i]);
            const char *name = level ? arena_print(work->arena, "%s%s", column->name, level) : column->name;
            m->term[m->terms++] = (Term){ .name = name, .column = column->name, .level = level, .seen = seen };
        }
    }
done:
    return status;
}

static Status complete_rows(Work *work, const args *a, int64_t **out, int64_t *count) {
    Status status = OK;
    NEW(work, *out, a->released->rows + 1);
    *count = 0;
    for (int64_t i = 0; i < a->released->rows; i++) {
        bool all = true;
        for (int64_t v = 0; v < a->vars.count; v++) all &= !column_missing(a->vars.at[v], i);
        if (all) (*out)[(*count)++] = i;
    }
done:
    return status;
}

static void say_answer(Grid *grid, const args *a, const Masked side[2], int64_t j, int64_t k) {
    double z = normal_quantile(0.975);
    Answer plain = answer(&side[0], a->statistic, j, k), right = answer(&side[1], a->statistic, j, k);
    grid_text(grid, side[1].term[j].name);
    if (a->statistic == CORRELATION) grid_text(grid, side[1].term[k].name);
    grid_real(grid, plain.value);
    grid_real(grid, plain.se);
    grid_real(grid, right.value);
    grid_real(grid, right.se);
    grid_real(grid, right.value - z * right.se);
    grid_real(grid, right.value + z * right.se);
}

static Status statistics_run(Run *run, const args *a) {
    Status status = OK;
    Masked side[2];
    int64_t *row, rows, impossible = 0;
    Masking masking = masking_of(a), none = { .released = a->released, .scale = NAN };
    if (!a->vars.count) {
        fail(run->work.error, BAD, "is needed: which columns");
        return error_parameter(run->work.error, "vars");
    }
    TRY(complete_rows(&run->work, a, &row, &rows));
    if (rows < 2) TRY(fail(run->work.error, BAD, "fewer than two complete records"));
    for (int s = 0; s < 2; s++) {
        TRY(terms_of(run, a, row, rows, &side[s]));
        TRY(masked_make(&run->work, s ? &masking : &none, NULL, NULL, &side[s]));
    }
    Grid *grid =
        grid_new(run->result, "estimates",
                 a->statistic == CORRELATION
                     ? "variable:text other:text uncorrected:real uncorrected_se:real corrected:real corrected_se:real lower:real "
                       "upper:real"
                     : "variable:text uncorrected:real uncorrected_se:real corrected:real corrected_se:real lower:real upper:real");
    for (int64_t j = 0; j < side[1].terms; j++) {
        impossible += !(side[1].moment[j * side[1].terms + j] > 0);
        if (a->statistic != CORRELATION) say_answer(grid, a, side, j, j);
        for (int64_t k = 0; k < j && a->statistic == CORRELATION; k++) say_answer(grid, a, side, j, k);
    }
    grid_done(grid);
    if (impossible && a->statistic != MEAN)
        result_note(run->result, "Warning: %lld %s no variance after the correction: the stated masking exceeds the variance of the data.",
                    (long long)impossible, impossible == 1 ? "column has" : "columns have");
    say_rows(run, a, rows);
done:
    return status;
}

/* ---- Regression ---- */

/* p terms, the intercept among them; the response is the last of the masked ones. */
typedef struct Problem {
    Run *run;
    const args *a;
    Design design;
    Masked masked;
    int64_t p, first; /* first: 1 with an intercept, which is no masked term */
    double *beta, *se, *variance;
    double r2;
} Problem;

static bool stands_alone(const void *self, const char *column) { return formula_plain(((const Problem *)self)->a->formula, column); }

/* A dummy is named by its column and its level: which one, where that column was redrawn. */
static void find_column(const Problem *m, const char *name, Term *out) {
    const Formula *f = m->a->formula;
    *out = (Term){ .name = name, .column = name };
    if (table_column(m->a->released, name)) return;
    for (int64_t t = 0; t < formula_terms(f); t++) {
        const char *column = formula_term_size(f, t) == 1 ? formula_term_column(f, t, 0) : NULL;
        size_t length = column ? strlen(column) : 0;
        if (!length || strncmp(name, column, length) || !formula_plain(f, column)) continue;
        out->column = column;
        out->level = name + length;
        return;
    }
}

static Status make(Problem *m) {
    Status status = OK;
    Work *work = &m->run->work;
    const args *a = m->a;
    Masking masking = masking_of(a);
    if (!a->formula) {
        fail(work->error, BAD, "is needed: the model");
        return error_parameter(work->error, "formula");
    }
    TRY(formula_design(work, a->formula, a->released, NULL, &m->design));
    if (!m->design.y || m->design.level) {
        fail(work->error, BAD, "the formula needs a number on its left side");
        return error_parameter(work->error, "formula");
    }
    m->p = m->design.columns;
    m->first = m->design.intercept;
    if (m->design.rows <= m->p)
        return fail(work->error, BAD, "%lld complete records are too few for %lld terms", (long long)m->design.rows, (long long)m->p);
    m->masked = (Masked){ .rows = m->design.rows, .row = m->design.row, .terms = m->p - m->first + 1, .centred = m->design.intercept };
    NEW(work, m->masked.term, m->masked.terms + 1);
    for (int64_t j = m->first; j < m->p; j++) {
        Term *term = &m->masked.term[j - m->first];
        find_column(m, m->design.term[j], term);
        term->seen = m->design.x + j * m->design.rows;
    }
    m->masked.term[m->masked.terms - 1] = (Term){ .name = m->design.response, .column = m->design.response, .seen = m->design.y };
    NEW(work, m->beta, m->p + 1);
    NEW(work, m->se, m->p + 1);
    NEW(work, m->variance, m->p * m->p + 1);
    TRY(masked_make(work, &masking, stands_alone, m, &m->masked));
done:
    return status;
}

/* Fuller 1987, for noise of constant variance: with A = M_xx − Σ_uu the variance of β is n⁻¹[A⁻¹s + A⁻¹(Σ_uu·s +
 * Σ_uv·Σ_vu)A⁻¹], s the mean square of v = y − xβ, Σ_uv = Σ_uw − Σ_uu·β: what stands between the two A⁻¹. */
static Status middle_fuller(const Problem *m, const double *beta, double *middle) {
    Status status = OK;
    const Masked *k = &m->masked;
    int64_t q = k->terms - 1, T = k->terms;
    double s = 0, *uv = NULL;
    NEW(&m->run->work, uv, q + 1);
    for (int64_t i = 0; i < k->rows; i++) {
        double v = k->term[q].x[i] - k->mean[q] * k->centred;
        for (int64_t j = 0; j < q; j++) v -= (k->term[j].x[i] - k->mean[j] * k->centred) * beta[j];
        s += v * v / (double)(k->rows - m->p);
    }
    for (int64_t j = 0; j < q; j++) {
        uv[j] = k->noise[j * T + q];
        for (int64_t l = 0; l < q; l++) uv[j] -= k->noise[j * T + l] * beta[l];
    }
    for (int64_t j = 0; j < q; j++)
        for (int64_t l = 0; l < q; l++) middle[j * q + l] = (k->moment[j * T + l] + k->noise[j * T + l]) * s + uv[j] * uv[l];
    middle[q * q] = s;
done:
    return status;
}

/* The intercept is ȳ − x̄β, its variance that of the mean of v = y − xβ plus x̄'V(β)x̄. */
static void put_intercept(Problem *m, double of_mean) {
    const Masked *k = &m->masked;
    int64_t q = k->terms - 1, p = m->p;
    double *v = m->variance;
    v[0] = of_mean;
    for (int64_t j = 0; j < q; j++) {
        v[j + 1] = v[(j + 1) * p] = 0;
        for (int64_t l = 0; l < q; l++) {
            double mean = k->term[j].centre + k->mean[j], other = k->term[l].centre + k->mean[l];
            v[0] += mean * other * v[(j + 1) * p + l + 1];
            v[j + 1] = v[(j + 1) * p] -= other * v[(j + 1) * p + l + 1];
        }
    }
}

/* The variance of the mean of v under Kim's z. */
static double kim_mean_variance(const Masked *k, const double *beta) {
    double sum = 0;
    int64_t q = k->terms - 1;
    for (int64_t j = 0; j <= q; j++)
        for (int64_t l = 0; l <= q; l++) sum += (j < q ? -beta[j] : 1) * (l < q ? -beta[l] : 1) * kim_mean_covariance(k, j, l);
    return fmax(0, sum);
}

static Status variance_fuller(Problem *m, const double *beta, const double *inverse) {
    Status status = OK;
    const Masked *k = &m->masked;
    int64_t q = k->terms - 1, p = m->p, first = m->first;
    double *middle = NULL, *v = m->variance;
    NEW(&m->run->work, middle, q * q + 1);
    TRY(middle_fuller(m, beta, middle));
    for (int64_t j = 0; j < q; j++)
        for (int64_t l = 0; l < q; l++) {
            double sum = 0;
            for (int64_t r = 0; r < q; r++)
                for (int64_t t = 0; t < q; t++) sum += inverse[j * q + r] * middle[r * q + t] * inverse[t * q + l];
            v[(j + first) * p + l + first] = sum / (double)k->rows;
        }
    if (first) put_intercept(m, middle[q * q] / (double)k->rows);
done:
    return status;
}

/* Otherwise the mean square of the influence function, which asks for no law (White 1980; Stefanski & Boos 2002): A⁻¹g for β with g =
 * m_xy,i − m_xx,i·β, and v − x̄'A⁻¹g for the intercept, v record i's part of ȳ − x̄β. */
static Status variance_parts(Problem *m, const double *beta, const double *inverse) {
    Status status = OK;
    const Masked *k = &m->masked;
    int64_t q = k->terms - 1, p = m->p, first = m->first;
    double *g = NULL, *part = NULL, n = (double)k->rows;
    NEW(&m->run->work, g, q + 1);
    NEW(&m->run->work, part, p + 1);
    for (int64_t i = 0; i < k->rows; i++) {
        if (first) part[0] = masked_mean_part(k, i, q);
        for (int64_t j = 0; j < q; j++) {
            g[j] = masked_part(k, i, j, q);
            for (int64_t l = 0; l < q; l++) g[j] -= masked_part(k, i, j, l) * beta[l];
            if (first) part[0] -= masked_mean_part(k, i, j) * beta[j];
        }
        for (int64_t j = 0; j < q; j++) {
            part[first + j] = 0;
            for (int64_t l = 0; l < q; l++) part[first + j] += inverse[j * q + l] * g[l];
            if (first) part[0] -= (k->term[j].centre + k->mean[j]) * part[first + j];
        }
        for (int64_t j = 0; j < p; j++)
            for (int64_t l = 0; l < p; l++) m->variance[j * p + l] += part[j] * part[l] / n / (n - (double)p);
    }
    if (first && k->kim) put_intercept(m, kim_mean_variance(k, beta));
done:
    return status;
}

/* β = A⁻¹·b of the corrected moments. */
static Status correct(Problem *m) {
    Status status = OK;
    Work *work = &m->run->work;
    const Masked *k = &m->masked;
    int64_t T = k->terms, q = T - 1;
    double *a = NULL, *inverse = NULL, *beta = m->beta + m->first, explained = 0;
    NEW(work, a, q * q + 1);
    NEW(work, inverse, q * q + 1);
    for (int64_t j = 0; j < q; j++)
        for (int64_t l = 0; l < q; l++) a[j * q + l] = k->moment[j * T + l];
    if (q) status = symmetric_inverse(work, a, q, inverse);
    if (status == BAD) {
        fail(work->error, BAD, "the noise is as large as the spread of its columns, or the terms are collinear");
        TRY(error_advice(work->error, "Check --noise-variance. It is a variance, in squared units of its column."));
    }
    TRY(status);
    for (int64_t j = 0; j < q; j++)
        for (int64_t l = 0; l < q; l++) beta[j] += inverse[j * q + l] * k->moment[l * T + q];
    for (int64_t j = 0; j < q; j++)
        for (int64_t l = 0; l < q; l++) explained += beta[j] * a[j * q + l] * beta[l];
    m->r2 = k->moment[q * T + q] > 0 ? explained / k->moment[q * T + q] : NAN;
    if (m->first) m->beta[0] = k->term[q].centre + k->mean[q];
    for (int64_t j = 0; j < q && m->first; j++) m->beta[0] -= (k->term[j].centre + k->mean[j]) * beta[j];
    TRY((k->constant ? variance_fuller : variance_parts)(m, beta, inverse));
done:
    return status;
}

static Status draw(const Problem *m, const LinearFit *plain) {
    Status status = OK;
    double *five = NULL, z = normal_quantile(0.975);
    static const double at[5] = { -1, -0.344, 0, 0.344, 1 };
    NEW(&m->run->work, five, 5 * m->p);
    Chart *chart = result_chart(m->run->result, CHART_BOX, "Coefficients: 95% intervals (boxes 50%), in corrected standard errors", "term",
                                "difference from the corrected estimate");
    for (int side = 0; side < 2; side++) {
        for (int64_t j = 0; j < m->p; j++)
            for (int k = 0; k < 5; k++)
                five[5 * j + k] =
                    ((side ? m->beta[j] : plain->coefficient[j]) - m->beta[j] + at[k] * z * (side ? m->se[j] : plain->standard_error[j])) /
                    m->se[j];
        chart_series(chart, side ? "corrected" : "uncorrected", m->p, NULL, five, NULL, m->design.term);
    }
done:
    return status;
}

/* Y = X·B: y = Y·β_Y = X·B·β_Y, so that β_X = B·β_Y, with variance B·V·B'. */
static Status unmask_matrix(const Problem *m) {
    Status status = OK;
    Work *work = &m->run->work;
    const Table *B = m->a->B;
    const Column *names = table_column(B, "variable");
    int64_t *place = NULL, q = 0;
    double *b = NULL, *x = NULL;
    NEW(work, place, B->columns + 1);
    NEW(work, b, B->columns * B->rows + 1);
    NEW(work, x, B->columns * B->rows + 1);
    for (int64_t c = 0; c < B->columns; c++) {
        const Column *column = B->column[c];
        if (column == names) continue;
        place[q] = 0;
        while (place[q] < m->p && strcmp(m->design.term[place[q]], column->name)) place[q]++;
        if (place[q] == m->p || !column_numeric(column)) {
            fail(work->error, BAD, "its columns must be numbers, each named like a term of the formula");
            error_column(work->error, column->name);
            return error_parameter(work->error, "B");
        }
        for (int64_t r = 0; r < B->rows; r++) b[q * B->rows + r] = column_number(column, r);
        q++;
    }
    if (q != B->rows)
        TRY(fail(work->error, BAD, "B is %lld × %lld, but only a square matrix can be inverted", (long long)B->rows, (long long)q));
    status = linear_solve(work, b, q, b, q, x);
    if (status == BAD) fail(work->error, BAD, "B cannot be inverted, so the original coefficients cannot be recovered");
    TRY(status);
    Grid *grid = grid_new(m->run->result, "unmasked", "variable:text coefficient:real standard_error:real");
    for (int64_t r = 0; r < q; r++) {
        double beta = 0, variance = 0;
        char number[33];
        for (int64_t c = 0; c < q; c++) {
            beta += b[c * q + r] * m->beta[place[c]];
            for (int64_t d = 0; d < q; d++) variance += b[c * q + r] * b[d * q + r] * m->variance[place[c] * m->p + place[d]];
        }
        grid_text(grid, names ? column_cell(names, r, number) : arena_print(work->arena, "x%lld", (long long)r + 1));
        grid_real(grid, beta);
        grid_real(grid, sqrt(fmax(0, variance)));
    }
    grid_done(grid);
done:
    return status;
}

static Status regression_run(Run *run, const args *a) {
    Status status = OK;
    Problem m = { .run = run, .a = a };
    LinearFit plain;
    TRY(make(&m));
    LinearModel model = { .rows = m.design.rows, .columns = m.p, .x = m.design.x, .y = m.design.y, .intercept = m.design.intercept };
    TRY(least_squares(&run->work, &model, &plain));
    TRY(correct(&m));
    Grid *grid = grid_new(run->result, "coefficients", "term:text uncorrected:real uncorrected_se:real corrected:real corrected_se:real");
    for (int64_t j = 0; j < m.p; j++) {
        m.se[j] = sqrt(fmax(0, m.variance[j * m.p + j]));
        grid_text(grid, m.design.term[j]);
        grid_real(grid, plain.coefficient[j]);
        grid_real(grid, plain.standard_error[j]);
        grid_real(grid, m.beta[j]);
        grid_real(grid, m.se[j]);
    }
    grid_done(grid);
    result_real(run->result, "r2_uncorrected", plain.r2);
    result_real(run->result, "r2_corrected", m.r2);
    say_rows(run, a, m.design.rows);
    if (a->B) TRY(unmask_matrix(&m));
    TRY(draw(&m, &plain));
done:
    return status;
}

static Status corrected_run(Run *run, const void *p) {
    const args *a = p;
    if (!is_masked(a))
        return fail(
            run->work.error, BAD,
            "needs one of --noise-variance, --noise-covariance, --factor-variance, --rounded, --pram and --B: how the file was masked");
    return a->statistic == REGRESSION ? regression_run(run, a) : statistics_run(run, a);
}

static const Return values[] = {
    VALUE(r2_uncorrected, REAL, "R² of the regression on the protected file", .flags = PUBLIC),
    VALUE(r2_corrected, REAL, "R² corrected for the masking", .flags = PUBLIC),
    VALUE(rows, INTEGER, "Records used", .flags = PUBLIC),
    TABLE_OUT(coefficients, "term:text uncorrected:real uncorrected_se:real corrected:real corrected_se:real",
              "Each term, uncorrected and corrected, with standard errors"),
    TABLE_OUT(estimates, NULL,
              "mean, variance, correlation: uncorrected and corrected, with standard errors and a 95% confidence interval"),
    TABLE_OUT(unmasked, "variable:text coefficient:real standard_error:real", "With --B: coefficients of the original columns, B·β"),
    END,
};

const Method utility_corrected = {
    .group = "utility",
    .name = "corrected",
    .summary = "Estimates corrected for masking: means, variances, correlations and regressions",
    .source = "Fuller 1987, 1993; Little 1993",
    .params = params,
    .size = sizeof(args),
    .run = corrected_run,
    .values = values,
    .example = "scrim utility corrected examples/clinic-released.csv --formula 'cholesterol ~ bmi + visits' --noise-variance "
               "bmi:1,visits:0.72,cholesterol:0.0625",
};
