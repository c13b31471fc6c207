/* Measures over all numeric variables together. */
#include <string.h>
#include "base/elementary.h"
#include "base/exact_sum.h"
#include "math/linear/symmetric.h"
#include "utility/compare/compare.h"

/* ---- sums over records ---- */

/* n sums Σx_j and, for k ≤ j, Σx_j·x_k over the complete records of one table; or n sums Σ|x_j − x′_j| and n counts of both. */
typedef struct {
    const double *const *x[2]; /* of products the first alone, complete records */
    int64_t columns, rows;
    ExactSum *sum;
} Sums;

static Status sum_products(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Sums *s = self;
    for (int64_t j = first; j < last; j++) {
        const double *x = s->x[0][j];
        for (int64_t i = 0; i < s->rows; i++) exact_sum_add(&s->sum[j], x[i]);
        for (int64_t k = 0; k <= j; k++) exact_sum_add_products(&s->sum[s->columns + j * (j + 1) / 2 + k], x, s->x[0][k], s->rows);
    }
    return OK;
}

static Status sum_differences(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Sums *s = self;
    for (int64_t j = first; j < last; j++) {
        int64_t cells = 0;
        for (int64_t i = 0; i < s->rows; i++) {
            double apart = fabs(s->x[0][j][i] - s->x[1][j][i]);
            if (isnan(apart)) continue;
            exact_sum_add(&s->sum[j], apart);
            cells++;
        }
        exact_sum_add(&s->sum[s->columns + j], (double)cells);
    }
    return OK;
}

/* Into the roll of this number, which has no keys: one tuple, of `rows` records more. */
static Status add_to(Work *work, PartState *done, int64_t number, int64_t sums, Block *body, Sums *s) {
    Status status = OK;
    TupleCounts *roll;
    int64_t *place;
    TRY(state_tuple_counts(done, number, 0, sums, false, &roll, work->error));
    if (!s->rows) goto done;
    TRY(tuple_counts_add(work, roll, (Columns){ 0 }, NULL, s->rows, 0, &place));
    s->sum = roll->sum + place[0] * roll->sums;
    TRY(parallel_for(work, s->columns, 1, body, s));
done:
    return status;
}

/* The records that lack nothing, end to end. */
static Status complete_records(Work *work, const double *const *x, int64_t columns, int64_t rows, Sums *s) {
    Status status = OK;
    int64_t *row = NULL;
    double **compact = NULL;
    NEW(work, row, rows + 1);
    s->x[0] = x;
    s->rows = 0;
    for (int64_t i = 0; i < rows; i++) {
        bool whole = true;
        for (int64_t j = 0; whole && j < columns; j++) whole = !isnan(x[j][i]);
        if (whole) row[s->rows++] = i;
    }
    if (s->rows == rows) goto done;
    NEW(work, compact, columns + 1);
    for (int64_t j = 0; j < columns; j++) {
        NEW(work, compact[j], s->rows + 1);
        for (int64_t i = 0; i < s->rows; i++) compact[j][i] = x[j][row[i]];
    }
    s->x[0] = (const double *const *)compact;
done:
    return status;
}

/* Is it compared record by record? */
static bool side_by_side(const Comparison *c) { return c->rows[0] == c->rows[1] && c->placed; }

Status compare_sums(Work *work, const Comparison *c, const Table *const chunk[2], PartState *done) {
    Status status = OK;
    Work scratch = *work;
    const double **x[2] = { 0 };
    const int64_t n = c->numeric;
    Sums s = { .columns = n };
    if (!n) return OK;
    if (!(scratch.arena = arena_new())) return out_of_memory(work->error);
    for (int t = 0; t < 2; t++) {
        NEW(&scratch, x[t], n + 1);
        for (int64_t j = 0; j < n; j++) TRY(column_reals(&scratch, pairing_column(&c->pair[j], chunk[t]), &x[t][j]));
        if (n > MOST_TOGETHER) continue;
        TRY(complete_records(&scratch, (const double *const *)x[t], n, chunk[t]->rows, &s));
        TRY(add_to(&scratch, done, DONE_JOINT + t, n + n * (n + 1) / 2, sum_products, &s));
    }
    s.x[0] = (const double *const *)x[0];
    s.x[1] = (const double *const *)x[1];
    s.rows = chunk[0]->rows < chunk[1]->rows ? chunk[0]->rows : chunk[1]->rows;
    if (side_by_side(c)) TRY(add_to(&scratch, done, DONE_APART, 2 * n, sum_differences, &s));
done:
    arena_free(scratch.arena);
    return status;
}

/* The sums of this number, or NULL where there was no record; BAD where they are not `count`. */
static Status sums_of(Work *work, const PartState *done, int64_t number, int64_t count, const ExactSum **out, int64_t *records) {
    const TupleCounts *roll = done->roll[number];
    *out = NULL;
    *records = 0;
    if (!roll || !roll->count) return OK;
    if (roll->sums != count || roll->keys) return fail(work->error, BAD, "this state is broken");
    *out = roll->sum;
    *records = roll->times[0];
    return OK;
}

/* Of many variables, from the whole tables. */
static Status many_moments(Work *work, const Comparison *c, int t, Moments *out) {
    Status status = OK;
    const double **x = NULL;
    NEW(work, x, c->numeric + 1);
    for (int64_t j = 0; j < c->numeric; j++) TRY(column_reals(work, pairing_column(&c->pair[j], c->table[t]), &x[j]));
    TRY(moments_make(work, x, c->numeric, NULL, c->rows[t], out));
done:
    return status;
}

static Status joint_moments(Work *work, const Comparison *c, const PartState *done, int t, Moments *out) {
    Status status = OK;
    const int64_t n = c->numeric;
    const ExactSum *sum;
    *out = (Moments){ .columns = n };
    NEW(work, out->mean, n + 1);
    NEW(work, out->covariance, n * n + 1);
    TRY(sums_of(work, done, DONE_JOINT + t, n + n * (n + 1) / 2, &sum, &out->rows));
    for (int64_t j = 0; j < n; j++) {
        out->mean[j] = sum ? exact_mean(&sum[j], out->rows) : NAN;
        for (int64_t k = 0; k <= j; k++)
            out->covariance[j * n + k] = out->covariance[k * n + j] =
                sum ? exact_covariance(&sum[n + j * (j + 1) / 2 + k], &sum[j], &sum[k], out->rows) : NAN;
    }
done:
    return status;
}

/* ---- what they say ---- */

/* Yancey, Winkler & Creecy 2002; Domingo-Ferrer, Mateo-Sanz & Torra 2001, as sdcMicro sums it: Σ_ij |x_ij − x′_ij| / (√2·S_j). */
static Status say_il1s(Run *run, const Comparison *c, const PartState *done) {
    Result *result = run->result;
    const ExactSum *apart;
    double sum = 0;
    int64_t cells = 0, records;
    if (!c->numeric) {
        result_null(result, "il1s", "il1s needs a numeric variable.");
        result_null(result, "il1s_mean", "il1s needs a numeric variable.");
        return OK;
    }
    if (!side_by_side(c)) {
        if (c->rows[0] != c->rows[1])
            result_null(result, "il1s", "il1s compares record by record, and the tables have %lld and %lld records.", (long long)c->rows[0],
                        (long long)c->rows[1]);
        else result_null(result, "il1s", "il1s compares record by record, and the records of the release are in another order.");
        result_real(result, "il1s_mean", NAN);
        return OK;
    }
    Status status = sums_of(&run->work, done, DONE_APART, 2 * c->numeric, &apart, &records);
    for (int64_t v = 0; apart && v < c->numeric; v++) {
        double sd = sqrt(c->pair[v].variance[0]);
        if (isnan(sd) && c->rows[0] - c->pair[v].missing[0] > 1) sum = NAN; /* squares that no number holds */
        if (!(sd > 0)) continue;
        sum += exact_sum_real(&apart[v]) / (M_SQRT2 * sd);
        cells += (int64_t)exact_sum_real(&apart[c->numeric + v]);
    }
    if (isnan(sum))
        result_null(result, "il1s", "il1s is in standard deviations, and the squares of a variable exceed the range of numbers.");
    else result_real(result, "il1s", sum);
    result_real(result, "il1s_mean", cells ? sum / (double)cells : NAN);
    return status;
}

/* Correlation matrix; false where one of them has no meaning (a constant column, fewer than two records) and is NaN. */
typedef struct {
    const Moments *moments;
    double *r;
    atomic_bool fine;
} Correlations;

static Status correlate_rows(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Correlations *c = self;
    const Moments *m = c->moments;
    (void)block, (void)error;
    for (int64_t j = first; j < last; j++)
        for (int64_t k = 0; k < m->columns; k++) {
            c->r[j * m->columns + k] = moments_correlation(m, j, k);
            if (isnan(c->r[j * m->columns + k])) c->fine = false;
        }
    return OK;
}

static Status correlations(Work *work, const Moments *m, double *r, bool *fine) {
    Correlations c = { .moments = m, .r = r, .fine = true };
    Status status = parallel_for(work, m->columns, 64, correlate_rows, &c);
    *fine &= c.fine;
    return status;
}

/* Lower L with LL' = a in place, and the logarithm of a's determinant; *fine is false where a is singular. */
static Status root(Work *work, double *a, int64_t n, double *log_determinant, bool *fine) {
    double largest = 0, least = INFINITY;
    const Error before = *work->error;
    const Status status = cholesky(work, a, n, a);
    *log_determinant = 0;
    if (status && status != BAD) return status;
    if (status) *work->error = before;
    *fine &= !status;
    if (!*fine) return OK;
    for (int64_t j = 0; j < n; j++) {
        largest = fmax(largest, a[j * n + j]);
        least = fmin(least, a[j * n + j]);
        *log_determinant += 2 * log(a[j * n + j]);
    }
    *fine = least > 1e-7 * largest;
    return OK;
}

/* ---- matrices: each is worked on by a thread of its own ---- */

/* What is made of the two correlation matrices, and of the two covariance matrices over the original's standard deviations. */
typedef struct {
    Run *run;
    const Comparison *c;
    const double *const *r;
    double *values[2];   /* eigenvalues of r */
    double *diagonal[2]; /* of its inverse; 0 where it has none */
    double *inverse;     /* of the release's covariances */
    double log_determinant[2];
    bool regular[2], definite[2]; /* have r and the covariances an inverse? */
    bool alike;                   /* the original's covariances are r[0] */
} Matrices;

static Status find_eigenvalues(Work *work, Matrices *m, int t) { return symmetric_eigen(work, m->r[t], m->c->numeric, m->values[t], NULL); }

/* Are the original's covariances over its own standard deviations its correlations, to the last bit? They are one quotient, save that
 * correlations are held to −1 … 1 and are 1 with themselves. */
static bool are_correlations(const Matrices *m) {
    const int64_t n = m->c->numeric;
    bool same = true;
    for (int64_t j = 0; j < n; j++) {
        double variance = moments_covariance(&m->c->joint[0], j, j);
        same &= variance / sqrt(variance * variance) == 1;
        for (int64_t k = 0; k < j; k++) same &= fabs(m->r[0][j * n + k]) != 1;
    }
    return same;
}

static Status find_diagonal(Work *work, Matrices *m, int t) {
    Status status = OK;
    int64_t n = m->c->numeric;
    double *a = NULL, log_determinant = 0;
    NEW(work, a, n * n + 1);
    memcpy(a, m->r[t], (size_t)(n * n) * sizeof *a);
    TRY(root(work, a, n, &log_determinant, &m->regular[t]));
    if (!t && m->alike) {
        m->log_determinant[t] = log_determinant;
        m->definite[t] = m->regular[t];
    }
    if (m->regular[t]) TRY(triangle_inverse_diagonal(work, a, n, m->diagonal[t]));
done:
    return status;
}

/* Of the original the determinant is enough, which find_diagonal has where both matrices are one. */
static Status find_inverse(Work *work, Matrices *m, int t) {
    Status status = OK;
    if (!t && m->alike) return OK;
    int64_t n = m->c->numeric;
    const Moments *o = &m->c->joint[0], *here = &m->c->joint[t];
    double *a = m->inverse;
    if (!t) NEW(work, a, n * n + 1);
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = 0; k < n; k++)
            a[j * n + k] = moments_covariance(here, j, k) / sqrt(moments_covariance(o, j, j) * moments_covariance(o, k, k));
    TRY(root(work, a, n, &m->log_determinant[t], &m->definite[t]));
    if (t && m->definite[t]) TRY(triangle_inverse(work, a, n, a));
done:
    return status;
}

/* Every pair's correlations as a table, made column by column: they may be half a million. */
static Status correlations_table(Work *work, const Comparison *c, const double *const r[2], Column *column[6], Table **out) {
    static const char *const title[] = { "variable", "other", "original", "released", "difference", "relative_change" };
    Status status = OK;
    const int64_t n = c->numeric, rows = n * (n - 1) / 2;
    const char **text[2] = { NULL, NULL };
    for (int side = 0; side < 2; side++) {
        NEW(work, text[side], rows + 1);
        for (int64_t j = 0, at = 0; j < n; j++)
            for (int64_t k = 0; k < j; k++) text[side][at++] = c->pair[side ? k : j].name;
        TRY(column_text(title[side], text[side], rows, &column[side], work->error));
        arena_drop(work->arena, text[side]);
    }
    for (int i = 2; i < 6; i++) {
        TRY(column_new(REAL_TYPE, title[i], rows, &column[i], work->error));
        TRY(column_need_valid(column[i], work->error));
    }
    for (int64_t j = 0, at = 0; j < n; j++)
        for (int64_t k = 0; k < j; k++, at++) {
            double original = r[0][j * n + k], released = r[1][j * n + k];
            const double cell[] = { original, released, released - original, relative_change(original, released) };
            for (int i = 0; i < 4; i++) {
                if (isnan(cell[i])) column_set_missing(column[2 + i], at);
                else column[2 + i]->real[at] = cell[i];
            }
        }
    for (int i = 2; i < 6; i++) column_seal(column[i]);
    TRY(table_new("correlations", column, 6, rows, out, work->error));
done:
    return status;
}

static Status say_correlations(Work *work, Run *run, const Comparison *c, const double *const r[2]) {
    Column *column[6] = { 0 };
    Table *table = NULL;
    Status status = correlations_table(work, c, r, column, &table);
    if (!status) result_table(run->result, "correlations", table);
    for (int i = 0; i < 6; i++) column_release(column[i]);
    return status;
}

static Status list_correlations(Work *work, Matrices *m, int t) {
    (void)t;
    return m->c->numeric > 1 ? say_correlations(work, m->run, m->c, m->r) : OK;
}

typedef struct {
    Status (*make)(Work *work, Matrices *m, int t);
    int t;
} Making;
/* Those that take longest first. The result is written to by one of them alone. */
static const Making making[] = { { find_eigenvalues, 0 }, { find_eigenvalues, 1 }, { find_inverse, 1 },     { find_diagonal, 0 },
                                 { find_diagonal, 1 },    { find_inverse, 0 },     { list_correlations, 0 } };
enum { MAKING = sizeof making / sizeof *making };

static Status make_matrix(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)first, (void)last;
    Matrices *m = self;
    Work own = m->run->work;
    own.error = error;
    own.threads = own.threads > 2 ? own.threads / 2 : 1;
    if (!(own.arena = arena_new())) return out_of_memory(error);
    Status status = making[block].make(&own, m, making[block].t);
    arena_free(own.arena);
    return status;
}

static Status make_matrices(Matrices *m) {
    enum { ALONE = 50 }; /* waking the others takes longer */
    Status status = OK;
    Work *work = &m->run->work, here = *work;
    int64_t n = m->c->numeric;
    for (int t = 0; t < 2; t++) {
        m->regular[t] = m->definite[t] = true;
        NEW(work, m->values[t], n + 1);
        NEW(work, m->diagonal[t], n + 1);
    }
    NEW(work, m->inverse, n * n + 1);
    if (n < ALONE) here.threads = 1;
    TRY(parallel_for(&here, MAKING, 1, make_matrix, m));
done:
    return status;
}

/* Σ|λ_j − λ′_j|/λ_j over the eigenvalues of the two correlation matrices, in falling order. */
static void say_eigenvalues(const Matrices *m) {
    double sum = 0;
    for (int64_t j = 0; j < m->c->numeric; j++)
        sum += m->values[0][j] > 1e-12 ? fabs(m->values[0][j] - m->values[1][j]) / m->values[0][j] : NAN;
    if (isnan(sum))
        result_null(m->run->result, "eigenvalues",
                    "The numeric variables of the original are linearly dependent. Eigenvalues of zero have no ratio.");
    else result_real(m->run->result, "eigenvalues", sum);
}

/* Młodak 2020: (1/√2)·‖d/‖d‖ − d′/‖d′‖‖, d the diagonal of the inverse correlation matrix. */
static void say_correlation_loss(const Matrices *m) {
    double norm[2] = { 0 }, sum = 0;
    for (int t = 0; t < 2; t++)
        for (int64_t j = 0; j < m->c->numeric; j++) norm[t] += m->diagonal[t][j] * m->diagonal[t][j];
    for (int64_t j = 0; j < m->c->numeric; j++) sum += pow(m->diagonal[0][j] / sqrt(norm[0]) - m->diagonal[1][j] / sqrt(norm[1]), 2);
    if (m->regular[0] && m->regular[1]) result_real(m->run->result, "correlation_loss", snap_to_zero(sqrt(sum / 2), 1));
    else result_null(m->run->result, "correlation_loss", "A correlation matrix is singular, and correlation_loss needs its inverse.");
}

/* Karr et al. 2006, section 3: the Kullback–Leibler divergence of the original from the release, both taken as normal:
 * ½(tr(Σ_r⁻¹Σ_o) − p + (μ_r−μ_o)ᵀΣ_r⁻¹(μ_r−μ_o) + ln|Σ_r|/|Σ_o|). Computed on columns scaled by the original's standard deviations. */
static Status say_kullback_leibler(const Matrices *m) {
    Status status = OK;
    Run *run = m->run;
    int64_t n = m->c->numeric;
    const Moments *o = &m->c->joint[0], *r = &m->c->joint[1];
    double *sd = NULL, sum = -(double)n;
    NEW(&run->work, sd, n + 1);
    for (int64_t j = 0; j < n; j++) sd[j] = sqrt(moments_covariance(o, j, j));
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = 0; k < n; k++) {
            double spread = moments_covariance(o, j, k) / (sd[j] * sd[k]),
                   shift = (r->mean[j] - o->mean[j]) / sd[j] * ((r->mean[k] - o->mean[k]) / sd[k]);
            sum += m->inverse[j * n + k] * (spread + shift);
        }
    sum = (sum + m->log_determinant[1] - m->log_determinant[0]) / 2;
    if (m->definite[0] && m->definite[1]) result_real(run->result, "kullback_leibler", snap_to_zero(fmax(0, sum), (double)n));
    else
        result_null(run->result, "kullback_leibler",
                    "A covariance matrix is singular, so the divergence of two normal distributions has no value.");
done:
    return status;
}

Status compare_joint(Run *run, Comparison *c, const PartState *done) {
    Status status = OK;
    static const char *const names[] = { "eigenvalues", "correlation_loss", "kullback_leibler" };
    Work *work = &run->work;
    double *r[2] = { 0 };
    bool fine = c->numeric > 0;
    TRY(say_il1s(run, c, done));
    for (int t = 0; t < 2; t++) {
        TRY(c->numeric > MOST_TOGETHER ? many_moments(work, c, t, &c->joint[t]) : joint_moments(work, c, done, t, &c->joint[t]));
        NEW(work, r[t], c->numeric * c->numeric + 1);
        TRY(correlations(work, &c->joint[t], r[t], &fine));
    }
    if (!fine) {
        if (c->numeric > 1) TRY(say_correlations(work, run, c, (const double *const *)r));
        for (int i = 0; i < 3; i++) result_real(run->result, names[i], NAN);
        result_note(
            run->result,
            "eigenvalues, correlation_loss and kullback_leibler need numeric variables that vary, and at least two complete records.");
        return OK;
    }
    Matrices m = { .run = run, .c = c, .r = (const double *const *)r };
    m.alike = are_correlations(&m);
    TRY(make_matrices(&m));
    say_eigenvalues(&m);
    say_correlation_loss(&m);
    TRY(say_kullback_leibler(&m));
done:
    return status;
}
