/* Means, variances and correlations from unbiased moments of the masked columns. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/special/normal.h"
#include "utility/corrected/corrected.h"

/* Each is a smooth function of means over the records, and its standard error that of the mean of its influence function. Mean: x̃.
 * Variance: the part of the moment. Correlation: m_jk/√(m_jj·m_kk) − r/2·(m_jj,i/m_jj + m_kk,i/m_kk). */
static double influence(const Masked *m, unsigned statistic, int64_t i, int64_t j, int64_t k, double r) {
    int64_t T = m->terms;
    double jj = m->moment[j * T + j], kk = m->moment[k * T + k];
    if (statistic == MEAN) return masked_mean_part(m, i, j);
    if (statistic == VARIANCE) return masked_part(m, i, j, j) - jj;
    return masked_part(m, i, j, k) / sqrt(jj * kk) - r / 2 * (masked_part(m, i, j, j) / jj + masked_part(m, i, k, k) / kk);
}

Answer corrected_answer(const Masked *m, unsigned statistic, int64_t j, int64_t k) {
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
Status corrected_terms(Run *run, Columns vars, const int64_t *row, int64_t rows, Masked *m) {
    Status status = OK;
    Work *work = &run->work;
    int64_t room = 0;
    *m = (Masked){ .rows = rows, .row = row, .centred = true };
    for (int64_t v = 0; v < vars.count; v++) {
        Codes codes = { .count = 1 };
        const Column *column = vars.at[v];
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

Status corrected_complete_rows(Work *work, const CorrectedArgs *a, Columns vars, int64_t **out, int64_t *count) {
    Status status = OK;
    NEW(work, *out, a->released->rows + 1);
    *count = 0;
    for (int64_t i = 0; i < a->released->rows; i++) {
        bool all = true;
        for (int64_t v = 0; v < vars.count; v++) all &= !column_missing(vars.at[v], i);
        if (all) (*out)[(*count)++] = i;
    }
    if (*count < 2) TRY(fail(work->error, BAD, "fewer than two complete records"));
done:
    return status;
}

Grid *corrected_grid(Run *run, const CorrectedArgs *a) {
    return grid_new(run->result, "estimates",
                    a->statistic == CORRELATION
                        ? "variable:text other:text uncorrected:real uncorrected_se:real corrected:real corrected_se:real lower:real "
                          "upper:real"
                        : "variable:text uncorrected:real uncorrected_se:real corrected:real corrected_se:real lower:real upper:real "
                          "records:integer");
}

void corrected_say_answer(Grid *grid, const CorrectedArgs *a, const char *name, const char *other, int64_t records, Answer plain,
                          Answer right) {
    double z = normal_quantile(0.975);
    grid_text(grid, name);
    if (a->statistic == CORRELATION) grid_text(grid, other);
    grid_real(grid, plain.value);
    grid_real(grid, plain.se);
    grid_real(grid, right.value);
    grid_real(grid, right.se);
    grid_real(grid, right.value - z * right.se);
    grid_real(grid, right.value + z * right.se);
    if (a->statistic != CORRELATION) grid_integer(grid, records);
}

/* The statistics of columns that are measured on the same records. */
static Status measure(Run *run, const CorrectedArgs *a, Columns vars, Grid *grid, int64_t *most, int64_t *impossible) {
    Status status = OK;
    Masked side[2];
    int64_t *row, rows;
    Masking masking = corrected_masking(a), none = { .released = a->released, .scale = NAN };
    TRY(corrected_complete_rows(&run->work, a, vars, &row, &rows));
    for (int s = 0; s < 2; s++) {
        TRY(corrected_terms(run, vars, row, rows, &side[s]));
        TRY(masked_make(&run->work, s ? &masking : &none, NULL, NULL, &side[s]));
    }
    for (int64_t j = 0; j < side[1].terms; j++) {
        const char *name = side[1].term[j].name;
        *impossible += !(side[1].moment[j * side[1].terms + j] > 0);
        for (int64_t k = a->statistic == CORRELATION ? 0 : j; k < j || (k == j && a->statistic != CORRELATION); k++)
            corrected_say_answer(grid, a, name, side[1].term[k].name, rows, corrected_answer(&side[0], a->statistic, j, k),
                                 corrected_answer(&side[1], a->statistic, j, k));
    }
    if (rows > *most) *most = rows;
done:
    return status;
}

/* A mean or a variance is that of all records that have the column; correlations are of the records that have all columns. */
Status statistics_corrected(Run *run, const CorrectedArgs *a) {
    Status status = OK;
    int64_t most = 0, impossible = 0;
    Grid *grid = corrected_grid(run, a);
    if (a->statistic == CORRELATION) TRY(measure(run, a, a->vars, grid, &most, &impossible));
    for (int64_t v = 0; v < a->vars.count && a->statistic != CORRELATION; v++)
        TRY(measure(run, a, (Columns){ .count = 1, .at = a->vars.at + v }, grid, &most, &impossible));
    grid_done(grid);
    if (impossible && a->statistic != MEAN)
        result_note(run->result, "Warning: %lld %s no variance after the correction: the stated masking exceeds the variance of the data.",
                    (long long)impossible, impossible == 1 ? "column has" : "columns have");
    corrected_say_rows(run, a, most);
done:
    return status;
}
