/* Data swapping at a known rate: associations of the swapped columns with the others, restored from those of the release. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/least_squares.h"
#include "math/linear/symmetric.h"
#include "table/group.h"
#include "utility/corrected/corrected.h"

/* d: the release about its means; of a swapped term, g has the mean d of the original given the release, g2 that for g. */
typedef struct {
    Run *run;
    const CorrectedArgs *a;
    Masked plain;
    Grouping value; /* tuples of the swapped columns */
    bool *swapped;  /* of the terms */
    double **g, **g2;
    double *released, *moment, *twice; /* terms × terms: mean products of d, of g and of g2 with d where only one term was swapped */
    double *of_value;                  /* scratch, one per value */
} Swapping;

/* g with E[g(released) | original x] = x, values standing for their records. A share q of the records exchange with a partner drawn among
 * all others: g = x/c about the mean, c = 1 − q·n/(n − 1). Among those with another value: with shares f and a = 1/(1 − f), a pair holds k
 * and l with probability f_k·f_l·(a_k + a_l), so that k becomes l ≠ k with probability (q/2)·f_l·(a_k + a_l), and
 * g_k·d_k = x_k − (q/2)·(a_k·x̄ + G), d_k = 1 − (q/2)(1 + Σfa + f_k·a_k), G = Σ f·a·g. In place of x. */
static Status unswap(const Swapping *s, double *x) {
    const Grouping *v = &s->value;
    double n = (double)s->plain.rows, q = s->a->swap_rate / 2, mean = 0, all = 0, above = 0, below = 1;
    bool any = s->a->partners == ANY_PARTNERS, possible = true;
    for (int64_t k = 0; k < v->count; k++) {
        double f = (double)v->size[k] / n;
        mean += f * x[k];
        all += f / (1 - f);
    }
    for (int64_t k = 0; k < v->count && !any; k++) {
        double f = (double)v->size[k] / n, a = 1 / (1 - f), d = 1 - q * (1 + all + f * a);
        possible &= d > 1e-9;
        above += f * a * (x[k] - mean) / d;
        below += q * f * a / d;
    }
    double c = 1 - 2 * q * n / (n - 1), G = above / below;
    if (any) possible = c > 1e-9;
    if (!possible || !(below > 0)) {
        fail(s->run->work.error, BAD, "the rate is too high for the commonest value: the associations cannot be restored");
        return error_parameter(s->run->work.error, "swap-rate");
    }
    for (int64_t k = 0; k < v->count; k++) {
        double f = (double)v->size[k] / n, d = 1 - q * (1 + all + f / (1 - f));
        x[k] = mean + (any ? (x[k] - mean) / c : (x[k] - mean - q * G) / d);
    }
    return OK;
}

static Status unswap_records(Swapping *s, const double *x, double *out) {
    Status status = OK;
    for (int64_t i = 0; i < s->plain.rows; i++) s->of_value[s->value.of[i]] = x[i];
    TRY(unswap(s, s->of_value));
    for (int64_t i = 0; i < s->plain.rows; i++) out[i] = s->of_value[s->value.of[i]];
done:
    return status;
}

static Status group_values(Swapping *s) {
    Status status = OK;
    Work *work = &s->run->work;
    const Columns *columns = &s->a->swapped;
    Codes *codes = NULL;
    NEW(work, codes, columns->count + 1);
    for (int64_t k = 0; k < columns->count; k++) {
        int32_t *at = NULL;
        TRY(column_codes(work, columns->at[k], &codes[k]));
        NEW(work, at, s->plain.rows + 1);
        for (int64_t i = 0; i < s->plain.rows; i++)
            if ((at[i] = codes[k].at[s->plain.row[i]]) < 0) {
                fail(work->error, BAD, "a record used has no value here, although the columns were exchanged together");
                TRY(error_column(work->error, columns->at[k]->name));
            }
        codes[k].at = at;
    }
    TRY(group_codes(work, codes, columns->count, s->plain.rows, &s->value));
    if (s->value.count < 2) TRY(fail(work->error, BAD, "the swapped columns have one value only"));
    NEW(work, s->of_value, s->value.count + 1);
done:
    return status;
}

/* `plain` has its terms; d, g and their moments are made. */
static Status swapping_make(Swapping *s) {
    Status status = OK;
    Work *work = &s->run->work;
    Masked *m = &s->plain;
    Masking none = { .released = s->a->released, .scale = NAN };
    int64_t T = m->terms;
    TRY(masked_make(work, &none, NULL, NULL, m));
    TRY(group_values(s));
    NEW(work, s->swapped, T + 1);
    NEW(work, s->g, T + 1);
    NEW(work, s->g2, T + 1);
    NEW(work, s->released, T * T + 1);
    NEW(work, s->moment, T * T + 1);
    NEW(work, s->twice, T * T + 1);
    for (int64_t j = 0; j < T; j++) {
        for (int64_t i = 0; i < m->rows; i++) {
            m->term[j].x[i] -= m->mean[j];
            m->term[j].square[i] = m->term[j].x[i] * m->term[j].x[i];
        }
        m->term[j].centre += m->mean[j];
        m->mean[j] = 0;
        for (int64_t k = 0; k < s->a->swapped.count; k++) s->swapped[j] |= !strcmp(s->a->swapped.at[k]->name, m->term[j].column);
        s->g[j] = s->g2[j] = m->term[j].x;
        if (!s->swapped[j]) continue;
        NEW(work, s->g[j], m->rows + 1);
        NEW(work, s->g2[j], m->rows + 1);
        TRY(unswap_records(s, m->term[j].x, s->g[j]));
        TRY(unswap_records(s, s->g[j], s->g2[j]));
    }
    for (int64_t j = 0; j < T; j++)
        for (int64_t k = 0; k < T; k++) {
            bool cross = s->swapped[j] && !s->swapped[k];
            if (s->swapped[k] && !s->swapped[j]) continue; /* by the other way round */
            double sums[3] = { 0 };
            for (int64_t i = 0; i < m->rows; i++) {
                double d = m->term[k].x[i];
                sums[0] += m->term[j].x[i] * d;
                sums[1] += (cross ? s->g[j][i] : m->term[j].x[i]) * d;
                sums[2] += (cross ? s->g2[j][i] : m->term[j].x[i]) * d;
            }
            double *const out[] = { s->released, s->moment, s->twice };
            for (int w = 0; w < 3; w++) out[w][j * T + k] = out[w][k * T + j] = sums[w] / (double)m->rows;
        }
done:
    return status;
}

/* ---- Standard errors ---- */

/* The parts of record i of an estimate with the influence d'Gd + h'd: of swapped columns alone, of the others alone, of both. */
static void parts(const Swapping *s, const double *G, const double *h, int64_t i, double out[3]) {
    int64_t T = s->plain.terms;
    out[0] = out[1] = out[2] = 0;
    for (int64_t j = 0; j < T; j++) {
        double d = s->plain.term[j].x[i];
        out[!s->swapped[j]] += h[j] * d;
        for (int64_t k = 0; k < T; k++) {
            if (s->swapped[j] == s->swapped[k]) out[!s->swapped[j]] += G[j * T + k] * d * s->plain.term[k].x[i];
            else if (s->swapped[j]) out[2] += 2 * G[j * T + k] * s->g[j][i] * s->plain.term[k].x[i];
        }
    }
}

/* What the exchange adds to the variance of one record's part. Two records that exchange have parts of both kinds that are correlated: with
 * H = 2G between swapped and other terms, cov = tr (H·M)² − (tr H·e)², M the mean of g2·d', e that of g·d' over exchanged records. And the
 * number that exchange is fixed: what the rate would add by chance is taken off. */
static double of_pairs(const Swapping *s, const double *G) {
    int64_t T = s->plain.terms;
    double q = s->a->swap_rate, both = 0, exchanged = 0, change = 0;
    for (int64_t a = 0; a < T; a++)
        for (int64_t b = 0; b < T; b++) {
            if (!s->swapped[a] || s->swapped[b]) continue;
            double H = 2 * G[a * T + b], once = s->moment[a * T + b], twice = s->twice[a * T + b];
            change += H * (twice - once);
            exchanged += q > 0 ? H * (once - (1 - q) * twice) / q : 0;
            for (int64_t c = 0; c < T; c++)
                for (int64_t d = 0; d < T; d++)
                    if (s->swapped[c] && !s->swapped[d]) both += H * 2 * G[c * T + d] * s->twice[a * T + d] * s->twice[c * T + b];
        }
    return q * (both - exchanged * exchanged) - (q > 0 ? (1 - q) / q * change * change : 0);
}

static Status variance_of(Swapping *s, const double *G, const double *h, double *out) {
    Status status = OK;
    Work *work = &s->run->work;
    int64_t n = s->plain.rows;
    double *own = NULL, *true_own = NULL, (*part)[3] = NULL, mean[3] = { 0 }, sum = 0, joint = 0;
    NEW(work, own, n + 1);
    NEW(work, true_own, n + 1);
    NEW(work, part, n + 1);
    for (int64_t i = 0; i < n; i++) {
        parts(s, G, h, i, part[i]);
        for (int k = 0; k < 3; k++) mean[k] += part[i][k] / (double)n;
        own[i] = part[i][0];
    }
    TRY(unswap_records(s, own, true_own));
    for (int64_t i = 0; i < n; i++) {
        double other = part[i][1] - mean[1], all = own[i] - mean[0] + other + part[i][2] - mean[2];
        sum += all * all;
        joint += (true_own[i] - own[i]) * other; /* the release hides how the two go together */
    }
    *out = larger(0, (sum + 2 * joint) / (double)n + of_pairs(s, G)) / (double)(n - 1);
done:
    arena_drop(work->arena, part);
    arena_drop(work->arena, true_own);
    arena_drop(work->arena, own);
    return status;
}

static void say(Run *run, const CorrectedArgs *a, int64_t rows) {
    corrected_say_rows(run, a, rows);
    result_note(
        run->result,
        "Swapping keeps each column, and the swapped columns among themselves, as they were. The correction restores their "
        "associations with the other columns. It is valid for partners drawn at random from the whole file%s, with no table preserved.",
        a->partners == DIFFERENT_PARTNERS ? " among the records with a different value" : "");
}

/* ---- Correlations; means and variances, which swapping keeps ---- */

static Answer correlation(Swapping *s, double *G, const double *h, int64_t j, int64_t k, Status *status) {
    int64_t T = s->plain.terms;
    double jj = s->moment[j * T + j], kk = s->moment[k * T + k], variance = NAN;
    if (s->swapped[j] == s->swapped[k]) return corrected_answer(&s->plain, CORRELATION, j, k);
    double r = s->moment[j * T + k] / sqrt(jj * kk);
    if (!(fabs(r) <= 1)) return (Answer){ NAN, NAN };
    memset(G, 0, (size_t)(T * T) * sizeof *G);
    G[j * T + k] = G[k * T + j] = 0.5 / sqrt(jj * kk);
    G[j * T + j] = -r / 2 / jj;
    G[k * T + k] = -r / 2 / kk;
    *status = variance_of(s, G, h, &variance);
    return (Answer){ r, sqrt(variance) };
}

static Status correlations(Swapping *s, Grid *grid) {
    Status status = OK;
    Masked plain = s->plain;
    int64_t impossible = 0;
    double *G = NULL, *h = NULL;
    NEW(&s->run->work, G, plain.terms * plain.terms + 1);
    NEW(&s->run->work, h, plain.terms + 1);
    for (int64_t j = 0; j < plain.terms; j++)
        for (int64_t k = 0; k < j; k++) {
            Answer right = correlation(s, G, h, j, k, &status);
            TRY(status);
            impossible += isnan(right.value);
            corrected_say_answer(grid, s->a, plain.term[j].name, plain.term[k].name, plain.rows,
                                 corrected_answer(&plain, CORRELATION, j, k), right);
        }
    if (impossible)
        result_note(s->run->result, "Warning: %lld corrected correlations are outside −1 to 1 or undefined: check the rate.",
                    (long long)impossible);
done:
    return status;
}

Status swapped_statistics(Run *run, const CorrectedArgs *a) {
    Status status = OK;
    int64_t *row, rows, most = 0;
    Grid *grid = corrected_grid(run, a);
    bool together = a->statistic == CORRELATION;
    for (int64_t v = 0; v < (together ? 1 : a->vars.count); v++) {
        Columns vars = together ? a->vars : (Columns){ .count = 1, .at = a->vars.at + v };
        Swapping s = { .run = run, .a = a };
        Masking none = { .released = a->released, .scale = NAN };
        TRY(corrected_complete_rows(&run->work, a, vars, &row, &rows));
        TRY(corrected_terms(run, vars, row, rows, &s.plain));
        if (rows > most) most = rows;
        if (together) {
            TRY(swapping_make(&s));
            TRY(correlations(&s, grid));
            continue;
        }
        TRY(masked_make(&run->work, &none, NULL, NULL, &s.plain));
        for (int64_t j = 0; j < s.plain.terms; j++) {
            Answer both = corrected_answer(&s.plain, a->statistic, j, j);
            corrected_say_answer(grid, a, s.plain.term[j].name, NULL, rows, both, both);
        }
    }
    grid_done(grid);
    say(run, a, most);
done:
    return status;
}

/* ---- Regression ---- */

static Status terms_of(Run *run, const CorrectedArgs *a, const Design *design, Masked *m) {
    Status status = OK;
    int64_t q = design->columns - 1;
    *m = (Masked){ .rows = design->rows, .row = design->row, .terms = q + 1, .centred = true };
    NEW(&run->work, m->term, q + 2);
    for (int64_t j = 0; j < q; j++) {
        m->term[j].name = design->term[j + 1];
        corrected_find_column(a, m->term[j].name, &m->term[j].column, &m->term[j].level);
        m->term[j].seen = design->x + (j + 1) * design->rows;
    }
    m->term[q] = (Term){ .name = design->response, .column = design->response, .seen = design->y };
    for (int64_t k = 0; k < a->swapped.count; k++) TRY(corrected_need_plain(run, a, a->swapped.at[k]->name));
done:
    return status;
}

/* The influence of β_r is [A⁻¹]_r·d_x(d_y − d_x'β): a quadratic form, of which G is the symmetric matrix. */
static void form_of(const double *weight, const double *beta, int64_t q, double *G) {
    int64_t T = q + 1;
    for (int64_t l = 0; l < q; l++) {
        G[l * T + q] += weight[l] / 2;
        G[q * T + l] += weight[l] / 2;
        for (int64_t k = 0; k < q; k++) {
            G[l * T + k] -= weight[l] * beta[k] / 2;
            G[k * T + l] -= weight[l] * beta[k] / 2;
        }
    }
}

static Status errors_of(Swapping *s, const double *inverse, const double *beta, double *variance) {
    Status status = OK;
    Work *work = &s->run->work;
    int64_t T = s->plain.terms, q = T - 1;
    double *G = NULL, *h = NULL, *none = NULL, *weight = NULL;
    NEW(work, G, T * T + 1);
    NEW(work, h, T + 1);
    NEW(work, none, T + 1);
    NEW(work, weight, q + 1);
    for (int64_t r = 0; r <= q; r++) { /* the intercept first: ȳ − x̄'β */
        memset(G, 0, (size_t)(T * T) * sizeof *G);
        for (int64_t l = 0; l < q; l++) {
            weight[l] = r ? inverse[(r - 1) * q + l] : 0;
            for (int64_t k = 0; k < q && !r; k++) weight[l] -= s->plain.term[k].centre * inverse[k * q + l];
            h[l] = -beta[l + 1];
        }
        h[q] = 1;
        form_of(weight, beta + 1, q, G);
        TRY(variance_of(s, G, r ? none : h, &variance[r * T + r]));
    }
done:
    return status;
}

Status swapped_regression(Run *run, const CorrectedArgs *a) {
    Status status = OK;
    Work *work = &run->work;
    Design design;
    LinearFit plain;
    Swapping s = { .run = run, .a = a };
    double *inverse = NULL, *square = NULL, *beta = NULL, *variance = NULL, explained = 0;
    TRY(corrected_design(run, a, false, &design));
    if (!design.intercept) TRY(fail(work->error, BAD, "a regression on swapped columns can be corrected only with an intercept"));
    TRY(terms_of(run, a, &design, &s.plain));
    TRY(swapping_make(&s));
    int64_t T = s.plain.terms, q = T - 1;
    NEW(work, square, q * q + 1);
    NEW(work, inverse, q * q + 1);
    NEW(work, beta, T + 1);
    NEW(work, variance, T * T + 1);
    for (int64_t j = 0; j < q; j++)
        for (int64_t k = 0; k < q; k++) square[j * q + k] = s.moment[j * T + k];
    if (q) status = symmetric_inverse(work, square, q, inverse);
    if (status == BAD)
        TRY(fail(
            work->error, BAD,
            "the corrected predictors are collinear: the rate is too high for their associations, or the terms depend on one another"));
    TRY(status);
    beta[0] = s.plain.term[q].centre;
    for (int64_t j = 0; j < q; j++) {
        for (int64_t k = 0; k < q; k++) beta[j + 1] += inverse[j * q + k] * s.moment[k * T + q];
        beta[0] -= s.plain.term[j].centre * beta[j + 1];
        explained += beta[j + 1] * s.moment[j * T + q];
    }
    TRY(errors_of(&s, inverse, beta, variance));
    LinearModel model = { .rows = design.rows, .columns = design.columns, .x = design.x, .y = design.y, .intercept = true };
    TRY(least_squares(work, &model, &plain));
    say(run, a, design.rows);
    TRY(corrected_say_coefficients(run, a,
                                   &(Coefficients){ .count = T,
                                                    .term = design.term,
                                                    .plain = plain.coefficient,
                                                    .plain_se = plain.standard_error,
                                                    .beta = beta,
                                                    .variance = variance,
                                                    .r2_plain = plain.r2,
                                                    .r2 = explained / s.moment[q * T + q] }));
done:
    return status;
}
