/* Masked columns: for each record unbiased estimates of what it held and of the products of two columns (Little 1993; Fuller 1993). */
#include "utility/corrected/masked.h"
#include <string.h>
#include "base/elementary.h"
#include "math/linear/symmetric.h"

typedef struct {
    Work *work;
    const Masking *how;
    Masked *m;
    bool (*plain)(const void *, const char *);
    const void *self;
    int64_t families;
} Unmask;

/* ---- What was done to which column ---- */

static Status check_column(Unmask *u, const char *name, double number, const char *parameter) {
    const Column *column;
    Work *work = u->work;
    Status status = table_need(u->how->released, name, &column, work->error);
    if (!status && strcmp(parameter, "pram") && !column_numeric(column)) {
        status = fail(work->error, BAD, "noise and rounding apply to numbers");
        error_column(work->error, name);
    }
    if (!status && (!(number >= 0) || isinf(number)))
        status = fail(work->error, BAD, "what '%s' is given must be a number of 0 or more", name);
    if (!status && u->plain && !u->plain(u->self, name)) {
        status =
            fail(work->error, BAD,
                 "the correction is known only for columns that are terms by themselves, not in a function, a factor or an interaction");
        error_column(work->error, name);
    }
    return status ? error_parameter(work->error, parameter) : OK;
}

static void set_noise(Masked *m, const char *one, const char *other, double covariance) {
    for (int64_t j = 0; j < m->terms; j++)
        for (int64_t k = 0; k < m->terms; k++)
            if (!strcmp(m->term[j].column, one) && !strcmp(m->term[k].column, other))
                m->noise[j * m->terms + k] = m->noise[k * m->terms + j] = covariance;
}

static void set_scale(Masked *m, const char *name, double scale) {
    for (int64_t j = 0; j < m->terms && !isnan(scale); j++)
        if (!strcmp(m->term[j].column, name)) {
            m->term[j].scale = scale;
            m->constant = false;
            m->kim = true;
        }
}

static Status read_covariances(Unmask *u) {
    Status status = OK;
    Work *work = u->work;
    const Table *table = u->how->noise_covariance;
    const Column *one, *other, *covariance;
    char b1[33], b2[33];
    if (table_column(table, "stratum"))
        return fail(work->error, BAD, "the noise differs between strata, so one analysis over all strata cannot be corrected");
    TRY(table_need(table, "variable", &one, work->error));
    TRY(table_need(table, "other", &other, work->error));
    TRY(table_need(table, "covariance", &covariance, work->error));
    for (int64_t i = 0; i < table->rows; i++) {
        const char *x = column_cell(one, i, b1), *y = column_cell(other, i, b2);
        double c = column_number(covariance, i);
        if (!x || !y) return fail(work->error, BAD, "row %lld of the noise's covariances names no columns", (long long)i + 1);
        TRY(check_column(u, x, !strcmp(x, y) ? c : fabs(c), "noise-covariance"));
        TRY(check_column(u, y, 0, "noise-covariance"));
        set_noise(u->m, x, y, c);
        if (!strcmp(x, y)) set_scale(u->m, x, u->how->scale);
    }
done:
    return status;
}

/* Sheppard 1897: rounding to a base b adds b²/12 to the variance where the density is smooth and tapers off at its ends; at random without
 * bias it adds b²·E f(1 − f) = b²/6. Rounding down also takes b/2 off the mean. */
static Status read_rounding(Unmask *u) {
    Status status = OK;
    Masked *m = u->m;
    for (int64_t i = 0; i < u->how->rounded.count; i++) {
        const Pair *pair = &u->how->rounded.at[i];
        double base = pair->number[0];
        TRY(check_column(u, pair->name, base, "rounded"));
        for (int64_t j = 0; j < m->terms; j++) {
            if (strcmp(m->term[j].column, pair->name)) continue;
            double added = base * base / (u->how->rounding == ROUNDED_AT_RANDOM ? 6 : 12);
            m->noise[j * m->terms + j] += added / (m->term[j].scale * m->term[j].scale); /* rounding is the last thing done */
            if (u->how->rounding == ROUNDED_DOWN) m->term[j].shift = base / 2;
        }
    }
done:
    return status;
}

/* A factor and added noise on one column: which came first makes a difference, and nothing says it. */
static Status read_factor(Unmask *u, const Pair *pair) {
    Status status = OK;
    Masked *m = u->m;
    TRY(check_column(u, pair->name, pair->number[0], "factor-variance"));
    m->constant = false;
    for (int64_t j = 0; j < m->terms; j++) {
        if (strcmp(m->term[j].column, pair->name)) continue;
        m->term[j].factor = pair->number[0];
        for (int64_t k = 0; k < m->terms && pair->number[0] > 0; k++)
            if (m->noise[j * m->terms + k] != 0) {
                fail(u->work->error, BAD, "the column also has added noise, and the correction depends on which came first");
                error_column(u->work->error, pair->name);
                TRY(error_parameter(u->work->error, "factor-variance"));
            }
    }
done:
    return status;
}

static Status read_noise(Unmask *u) {
    Status status = OK;
    Masked *m = u->m;
    for (int64_t i = 0; i < u->how->noise_variance.count; i++) {
        const Pair *pair = &u->how->noise_variance.at[i];
        TRY(check_column(u, pair->name, pair->number[0], "noise-variance"));
        set_noise(m, pair->name, pair->name, pair->number[0]);
        set_scale(m, pair->name, u->how->scale);
    }
    if (u->how->noise_covariance) TRY(read_covariances(u));
    for (int64_t i = 0; i < u->how->factor_variance.count; i++) TRY(read_factor(u, &u->how->factor_variance.at[i]));
    TRY(read_rounding(u));
done:
    return status;
}

/* ---- Categories redrawn ---- */

/* A released category l was drawn from row k of P where k was the truth, so that row l of P⁻¹ has the mean 1 at the truth and 0 elsewhere:
 * it estimates the true indicators without bias (van den Hout & van der Heijden 2002). Numbers are categories, too: Σ q_k·v_k and Σ
 * q_k·v_k².
 */
static Status redrawn_term(Unmask *u, const Column *column, const Codes *codes, const Transition *p, const double *inverse, Term *term) {
    Status status = OK;
    Masked *m = u->m;
    double *value = NULL, *square = NULL;
    int64_t n = p->count;
    NEW(u->work, value, n + 1);
    NEW(u->work, square, n + 1);
    for (int64_t k = 0; k < n; k++) {
        double v = term->level ? !strcmp(term->level, p->name[k]) : k < codes->count ? column_number(column, codes->first_row[k]) : 0;
        if (isnan(v)) TRY(fail(u->work->error, BAD, "'%s' has a category that is not a number", column->name));
        for (int64_t l = 0; l < n; l++) {
            value[l] += inverse[l * n + k] * (v - term->centre);
            square[l] += inverse[l * n + k] * (v - term->centre) * (v - term->centre);
        }
    }
    for (int64_t i = 0; i < m->rows; i++) {
        int32_t code = codes->at[m->row[i]];
        if (code < 0) TRY(fail(u->work->error, BAD, "'%s' is missing where it is measured", column->name));
        term->x[i] = value[code];
        term->square[i] = square[code];
    }
    term->family = u->families;
done:
    return status;
}

static Status column_names(Work *work, const Column *column, Codes *codes, const char ***out) {
    Status status = OK;
    char number[33];
    TRY(column_codes(work, column, codes));
    NEW(work, *out, codes->count + 1);
    for (int32_t c = 0; c < codes->count; c++)
        if (!((*out)[c] = arena_text(work->arena, column_cell(column, codes->first_row[c], number)))) TRY(out_of_memory(work->error));
done:
    return status;
}

static Status redrawn_column(Unmask *u, const Column *column) {
    Status status = OK;
    Codes codes;
    Transition given, p;
    const char **names;
    double *unit = NULL, *inverse = NULL;
    TRY(check_column(u, column->name, 0, "pram"));
    TRY(column_names(u->work, column, &codes, &names));
    TRY(transition_read(u->work, u->how->pram, column->name, &given));
    TRY(transition_with(u->work, &given, names, codes.count, &p));
    if (column_numeric(column) && p.count > codes.count)
        TRY(fail(u->work->error, BAD, "the matrix names values of '%s' that the release does not have", column->name));
    NEW(u->work, unit, p.count * p.count);
    NEW(u->work, inverse, p.count * p.count);
    for (int64_t k = 0; k < p.count; k++) unit[k * p.count + k] = 1;
    /* p read by columns is P', and so is what comes out by rows P⁻¹ */
    status = linear_solve(u->work, p.p, p.count, unit, p.count, inverse);
    if (status == BAD) {
        fail(u->work->error, BAD, "the matrix cannot be inverted: it sends different categories to the same released ones");
        TRY(error_column(u->work->error, column->name));
    }
    TRY(status);
    for (int64_t j = 0; j < u->m->terms; j++)
        if (!strcmp(u->m->term[j].column, column->name)) TRY(redrawn_term(u, column, &codes, &p, inverse, &u->m->term[j]));
    u->families++;
    u->m->constant = false;
done:
    return status;
}

/* The columns that a long matrix names, or that a square one bears as its first column's name. */
static Status read_pram(Unmask *u) {
    Status status = OK;
    const Table *matrix = u->how->pram, *released = u->how->released;
    const Column *variable = table_column(matrix, "variable"), *column;
    char number[33];
    if (table_column(matrix, "stratum"))
        return fail(u->work->error, BAD, "the matrix differs between strata: correct each stratum separately, with --where");
    if (!variable) {
        TRY(table_need(released, matrix->columns ? matrix->column[0]->name : "variable", &column, u->work->error));
        return redrawn_column(u, column);
    }
    for (int64_t i = 0; i < matrix->rows; i++) {
        const char *name = column_cell(variable, i, number);
        bool first = name != NULL;
        for (int64_t k = 0; k < i && first; k++) {
            char other[33];
            const char *before = column_cell(variable, k, other);
            first = !before || strcmp(before, name);
        }
        if (!first) continue;
        TRY(table_need(released, name, &column, u->work->error));
        TRY(redrawn_column(u, column));
    }
done:
    return status;
}

/* ---- Record by record ---- */

static double mean_of(const double *x, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += x[i];
    return n ? sum / (double)n : 0;
}

/* Numbers. Added noise: E(y − c)² = E(x − c)² + σ². A factor 1 + e: E y² = E x²·(1 + δ), and what rounding adds behind it. Kim 1986: z =
 * a·y + b with the mean kept is undone by y = z̄ + (z − z̄)/a. */
static void estimate_numbers(Masked *m, int64_t j) {
    Term *t = &m->term[j];
    double mean = mean_of(t->seen, m->rows), noise = m->noise[j * m->terms + j];
    for (int64_t i = 0; i < m->rows; i++) {
        double y = mean + (t->seen[i] - mean) / t->scale + t->shift;
        t->x[i] = y - t->centre;
        t->square[i] = t->x[i] * t->x[i] - (y * y * t->factor + noise) / (1 + t->factor);
    }
}

static double product(const Masked *m, int64_t i, int64_t j, int64_t k) {
    const Term *a = &m->term[j], *b = &m->term[k];
    if (j == k) return a->square[i];
    if (a->family >= 0 && a->family == b->family) return 0; /* nobody has two categories */
    return a->x[i] * b->x[i] - m->noise[j * m->terms + k];
}

double masked_part(const Masked *m, int64_t i, int64_t j, int64_t k) {
    double p = product(m, i, j, k);
    if (!m->centred) return p;
    double x = m->mean[j], y = m->mean[k];
    return p - y * m->term[j].x[i] - x * m->term[k].x[i] + x * y;
}

double masked_mean_part(const Masked *m, int64_t i, int64_t j) { return m->term[j].x[i] - m->mean[j]; }

double kim_mean_covariance(const Masked *m, int64_t j, int64_t k) {
    return (m->moment[j * m->terms + k] + m->term[j].scale * m->term[k].scale * m->noise[j * m->terms + k]) / (double)m->rows;
}

Status masked_make(Work *work, const Masking *masking, bool (*plain)(const void *, const char *), const void *self, Masked *m) {
    Status status = OK;
    Unmask u = { work, masking, m, plain, self, 0 };
    m->constant = true;
    NEW(work, m->noise, m->terms * m->terms + 1);
    NEW(work, m->mean, m->terms + 1);
    NEW(work, m->moment, m->terms * m->terms + 1);
    for (int64_t j = 0; j < m->terms; j++) {
        Term *t = &m->term[j];
        t->scale = 1;
        t->factor = t->shift = 0;
        t->family = -1;
        t->centre = m->centred && !t->level ? mean_of(t->seen, m->rows) : 0;
        NEW(work, t->x, m->rows + 1);
        NEW(work, t->square, m->rows + 1);
    }
    TRY(read_noise(&u));
    for (int64_t j = 0; j < m->terms; j++) estimate_numbers(m, j);
    if (masking->pram) TRY(read_pram(&u));
    for (int64_t j = 0; j < m->terms; j++) m->mean[j] = mean_of(m->term[j].x, m->rows);
    for (int64_t j = 0; j < m->terms; j++)
        for (int64_t k = 0; k <= j; k++) {
            double sum = 0;
            for (int64_t i = 0; i < m->rows; i++) sum += masked_part(m, i, j, k);
            m->moment[j * m->terms + k] = m->moment[k * m->terms + j] = m->rows ? sum / (double)m->rows : NAN;
        }
done:
    return status;
}
