/* Linear regression from unbiased moments of the masked columns (Fuller 1987). */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/least_squares.h"
#include "math/linear/symmetric.h"
#include "math/special/normal.h"
#include "utility/corrected/corrected.h"

/* p terms, the intercept among them; the response is the last of the masked ones. */
typedef struct Problem {
    Run *run;
    const CorrectedArgs *a;
    Design design;
    Masked masked;
    int64_t p, first; /* first: 1 with an intercept, which is no masked term */
    double *beta, *variance;
    double r2;
} Problem;

static bool stands_alone(const void *self, const char *column) { return formula_plain(((const Problem *)self)->a->formula, column); }

/* A dummy is named by its column and its level: which one, where that column was redrawn. */
void corrected_find_column(const CorrectedArgs *a, const char *term, const char **column, const char **level) {
    const Formula *f = a->formula;
    *column = term;
    *level = NULL;
    if (table_column(a->released, term)) return;
    for (int64_t t = 0; t < formula_terms(f); t++) {
        const char *name = formula_term_size(f, t) == 1 ? formula_term_column(f, t, 0) : NULL;
        size_t length = name ? strlen(name) : 0;
        if (!length || strncmp(term, name, length) || !formula_plain(f, name)) continue;
        *column = name;
        *level = term + length;
        return;
    }
}

Status corrected_need_plain(Run *run, const CorrectedArgs *a, const char *column) {
    if (formula_plain(a->formula, column)) return OK;
    fail(run->work.error, BAD,
         "the correction is known only for columns that are terms by themselves, not in a function, a factor or an interaction");
    return error_column(run->work.error, column);
}

Status corrected_design(Run *run, const CorrectedArgs *a, bool two_levels, Design *out) {
    Status status = OK;
    Work *work = &run->work;
    if (!a->formula) {
        fail(work->error, BAD, "is needed: the model");
        return error_parameter(work->error, "formula");
    }
    TRY(formula_design(work, a->formula, a->released, NULL, out));
    if (!out->y || (out->level && !(two_levels && out->levels == 2))) {
        fail(work->error, BAD,
             two_levels ? "the formula needs two categories, or 0 and 1, on its left side" : "the formula needs a number on its left side");
        return error_parameter(work->error, "formula");
    }
    if (out->rows <= out->columns)
        return fail(work->error, BAD, "%lld complete records are too few for %lld terms", (long long)out->rows, (long long)out->columns);
done:
    return status;
}

static Status make(Problem *m) {
    Status status = OK;
    Work *work = &m->run->work;
    const CorrectedArgs *a = m->a;
    Masking masking = corrected_masking(a);
    TRY(corrected_design(m->run, a, false, &m->design));
    m->p = m->design.columns;
    m->first = m->design.intercept;
    m->masked = (Masked){ .rows = m->design.rows, .row = m->design.row, .terms = m->p - m->first + 1, .centred = m->design.intercept };
    NEW(work, m->masked.term, m->masked.terms + 1);
    for (int64_t j = m->first; j < m->p; j++) {
        Term *term = &m->masked.term[j - m->first];
        *term = (Term){ .name = m->design.term[j] };
        corrected_find_column(a, term->name, &term->column, &term->level);
        term->seen = m->design.x + j * m->design.rows;
    }
    m->masked.term[m->masked.terms - 1] = (Term){ .name = m->design.response, .column = m->design.response, .seen = m->design.y };
    NEW(work, m->beta, m->p + 1);
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

static Status draw(Run *run, const Coefficients *c, const double *se) {
    Status status = OK;
    double *five = NULL, z = normal_quantile(0.975);
    static const double at[5] = { -1, -0.344, 0, 0.344, 1 };
    NEW(&run->work, five, 5 * c->count + 1);
    Chart *chart = result_chart(run->result, CHART_BOX, "Coefficients: 95% intervals (boxes 50%), in corrected standard errors", "term",
                                "difference from the corrected estimate");
    for (int side = 0; side < 2; side++) {
        for (int64_t j = 0; j < c->count; j++)
            for (int k = 0; k < 5; k++)
                five[5 * j + k] = ((side ? c->beta[j] : c->plain[j]) - c->beta[j] + at[k] * z * (side ? se[j] : c->plain_se[j])) / se[j];
        chart_series(chart, side ? "corrected" : "uncorrected", c->count, NULL, five, NULL, c->term);
    }
done:
    return status;
}

/* Y = X·B: y = Y·β_Y = X·B·β_Y, so that β_X = B·β_Y, with variance B·V·B'. */
static Status unmask_matrix(Run *run, const Table *B, const Coefficients *c) {
    Status status = OK;
    Work *work = &run->work;
    const Column *names = table_column(B, "variable");
    int64_t *place = NULL, q = 0;
    double *b = NULL, *x = NULL;
    NEW(work, place, B->columns + 1);
    NEW(work, b, B->columns * B->rows + 1);
    NEW(work, x, B->columns * B->rows + 1);
    for (int64_t k = 0; k < B->columns; k++) {
        const Column *column = B->column[k];
        if (column == names) continue;
        place[q] = 0;
        while (place[q] < c->count && strcmp(c->term[place[q]], column->name)) place[q]++;
        if (place[q] == c->count || !column_numeric(column)) {
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
    Grid *grid = grid_new(run->result, "unmasked", "variable:text coefficient:real standard_error:real");
    for (int64_t r = 0; r < q; r++) {
        double beta = 0, variance = 0;
        char number[33];
        for (int64_t k = 0; k < q; k++) {
            beta += b[k * q + r] * c->beta[place[k]];
            for (int64_t d = 0; d < q; d++) variance += b[k * q + r] * b[d * q + r] * c->variance[place[k] * c->count + place[d]];
        }
        grid_text(grid, names ? column_cell(names, r, number) : arena_print(work->arena, "x%lld", (long long)r + 1));
        grid_real(grid, beta);
        grid_real(grid, sqrt(fmax(0, variance)));
    }
    grid_done(grid);
done:
    return status;
}

Status corrected_say_coefficients(Run *run, const CorrectedArgs *a, const Coefficients *c) {
    Status status = OK;
    double *se = NULL;
    NEW(&run->work, se, c->count + 1);
    Grid *grid = grid_new(run->result, "coefficients", "term:text uncorrected:real uncorrected_se:real corrected:real corrected_se:real");
    for (int64_t j = 0; j < c->count; j++) {
        se[j] = sqrt(larger(0, c->variance[j * c->count + j]));
        grid_text(grid, c->term[j]);
        grid_real(grid, c->plain[j]);
        grid_real(grid, c->plain_se[j]);
        grid_real(grid, c->beta[j]);
        grid_real(grid, se[j]);
    }
    grid_done(grid);
    if (!isnan(c->r2_plain)) result_real(run->result, "r2_uncorrected", c->r2_plain);
    if (!isnan(c->r2)) result_real(run->result, "r2_corrected", c->r2);
    if (a->B) TRY(unmask_matrix(run, a->B, c));
    TRY(draw(run, c, se));
done:
    return status;
}

Status regression_corrected(Run *run, const CorrectedArgs *a) {
    Status status = OK;
    Problem m = { .run = run, .a = a };
    LinearFit plain;
    TRY(make(&m));
    LinearModel model = { .rows = m.design.rows, .columns = m.p, .x = m.design.x, .y = m.design.y, .intercept = m.design.intercept };
    TRY(least_squares(&run->work, &model, &plain));
    TRY(correct(&m));
    corrected_say_rows(run, a, m.design.rows);
    TRY(corrected_say_coefficients(run, a,
                                   &(Coefficients){ .count = m.p,
                                                    .term = m.design.term,
                                                    .plain = plain.coefficient,
                                                    .plain_se = plain.standard_error,
                                                    .beta = m.beta,
                                                    .variance = m.variance,
                                                    .r2_plain = plain.r2,
                                                    .r2 = m.r2 }));
done:
    return status;
}
