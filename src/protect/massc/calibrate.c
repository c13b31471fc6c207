/* Calibration: the released weights bring back the original's totals. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "math/linear/calibration.h"
#include "protect/massc/massc.h"
#include "classes/joint_codes.h"

enum { MOST_TOTALS = 1000 };
static const double CLOSE = 1e-9;

typedef struct {
    const char *variable, *category;
    double *x, total, before;
} Total;
typedef struct {
    Massc *m;
    int64_t sampled, *row;
    double *design;
    int64_t count, room;
    Total *total;
} Totals;

/* The column as it is released. */
static const Column *released_column(const Massc *m, const Column *column) {
    for (int64_t k = 0; k < m->keys.count; k++)
        if (m->keys.at[k] == column) return m->key[k];
    return column;
}

static Status add_total(Totals *t, const char *variable, const char *category, Total **out) {
    Status status = OK;
    Work *work = &t->m->run->work;
    if (t->count == MOST_TOTALS) {
        fail(work->error, BAD, "asks for more than %d totals", MOST_TOTALS);
        TRY(error_parameter(work->error, "calibrate"));
    }
    GROW(work, t->total, t->room, t->count + 1);
    *out = &t->total[t->count++];
    **out = (Total){ .variable = variable, .category = category };
    NEW(work, (*out)->x, t->sampled + 1);
done:
    return status;
}

static Status count_total(Totals *t) {
    Status status = OK;
    Total *total;
    TRY(add_total(t, "(population)", NULL, &total));
    for (int64_t i = 0; i < t->m->rows; i++) total->total += t->m->weight[i];
    for (int64_t r = 0; r < t->sampled; r++) total->x[r] = 1;
done:
    return status;
}

/* Σ w·x over the records that have it. */
static Status number_total(Totals *t, const Column *column) {
    Status status = OK;
    Total *total;
    const Column *released = released_column(t->m, column);
    TRY(add_total(t, column->name, NULL, &total));
    for (int64_t i = 0; i < t->m->rows; i++)
        if (!column_missing(column, i)) total->total += t->m->weight[i] * column_number(column, i);
    for (int64_t r = 0; r < t->sampled; r++) total->x[r] = column_missing(released, t->row[r]) ? 0 : column_number(released, t->row[r]);
done:
    return status;
}

/* Σ w of each category that the original has; missing is one of its own. */
static Status category_totals(Totals *t, const Column *column) {
    Status status = OK;
    Work *work = &t->m->run->work;
    const Column *released = released_column(t->m, column);
    JointCodes codes;
    double *weight = NULL;
    TRY(joint_labelled(work, column, released, 0, 0, &codes));
    NEW(work, weight, codes.count + 1);
    for (int64_t i = 0; i < t->m->rows; i++) weight[codes.at[0][i] < 0 ? codes.count : codes.at[0][i]] += t->m->weight[i];
    for (int32_t c = 0; c <= codes.count; c++) {
        Total *total;
        bool any = false;
        if (weight[c] == 0) continue;
        TRY(add_total(t, column->name, c < codes.count ? codes.label[c] : "(missing)", &total));
        total->total = weight[c];
        for (int64_t r = 0; r < t->sampled; r++) {
            int32_t here = codes.at[1][t->row[r]];
            total->x[r] = (here < 0 ? codes.count : here) == c;
            any |= total->x[r] > 0;
        }
        if (any) continue;
        fail(work->error, BAD, "a category to be calibrated has no records left");
        error_advice(work->error, "Raise --sample-rate, use another substitution, or merge rare categories first (protect recode).");
        TRY(error_column(work->error, column->name));
    }
done:
    return status;
}

/* 1/rate of the risk stratum: every sampled record stands for that many. */
static Status gather(Totals *t) {
    Status status = OK;
    Massc *m = t->m;
    NEW(&m->run->work, t->row, m->rows + 1);
    NEW(&m->run->work, t->design, m->rows + 1);
    for (int64_t i = 0; i < m->rows; i++) {
        if (!m->sampled[i]) continue;
        t->row[t->sampled] = i;
        t->design[t->sampled++] = m->weight[i] / m->sample_rate[m->stratum[i]];
    }
    if (!t->sampled) {
        fail(m->run->work.error, BAD, "leaves no record of %lld", (long long)m->rows);
        TRY(error_parameter(m->run->work.error, "sample-rate"));
    }
done:
    return status;
}

static Status solve(Totals *t, Calibrated *out) {
    Status status = OK;
    Work *work = &t->m->run->work;
    const double **x = NULL;
    double *target = NULL;
    NEW(work, x, t->count + 1);
    NEW(work, target, t->count + 1);
    for (int64_t j = 0; j < t->count; j++) {
        x[j] = t->total[j].x;
        target[j] = t->total[j].total;
    }
    TRY(calibrate_weights(work, &(Calibration){ t->sampled, t->count, x, target, t->design }, t->m->a->calibration ? LINEAR : RAKED, out));
    if (out->error <= CLOSE) goto done;
    fail(work->error, FAILED, "no weights reproduce all totals%s", t->m->a->calibration ? "" : " and stay above 0");
    error_advice(work->error, "%sCalibrate fewer totals, or release a larger sample.",
                 t->m->a->calibration ? "" : "--calibration greg allows negative weights. ");
    if (out->worst) TRY(error_column(work->error, t->total[out->worst].variable));
    TRY(FAILED);
done:
    return status;
}

static void say_totals(Totals *t, const Calibrated *c) {
    double least = INFINITY, most = 0, largest = 0;
    int64_t negative = 0;
    Grid *grid = grid_new(t->m->run->result, "totals", "variable:text category:text original:real uncalibrated:real released:real");
    for (int64_t j = 0; j < t->count; j++) {
        double before = 0, after = 0;
        for (int64_t r = 0; r < t->sampled; r++) {
            before += t->design[r] * t->total[j].x[r];
            after += c->weight[r] * t->total[j].x[r];
        }
        grid_text(grid, t->total[j].variable);
        grid_text(grid, t->total[j].category);
        grid_real(grid, t->total[j].total);
        grid_real(grid, before);
        grid_real(grid, after);
        largest = larger(largest, fabs(after - t->total[j].total) / larger(fabs(t->total[j].total), 1e-300));
    }
    grid_done(grid);
    for (int64_t r = 0; r < t->sampled; r++) {
        least = fmin(least, c->weight[r] / t->design[r]);
        most = fmax(most, c->weight[r] / t->design[r]);
        negative += c->weight[r] < 0;
    }
    result_integer(t->m->run->result, "calibrated", t->count);
    result_real(t->m->run->result, "calibration_error", snap_to_zero(largest, 1));
    result_real(t->m->run->result, "factor_least", least);
    result_real(t->m->run->result, "factor_most", most);
    if (negative)
        result_note(t->m->run->result, "Warning: %lld weights are negative. --calibration raking keeps them above 0.", (long long)negative);
}

Status massc_calibrate(void *self) {
    Status status = OK;
    Massc *m = self;
    Totals t = { .m = m };
    Calibrated calibrated;
    TRY(gather(&t));
    TRY(count_total(&t));
    for (int64_t j = 0; j < m->a->calibrate.count; j++) {
        const Column *column = m->a->calibrate.at[j];
        TRY(column_numeric(column) && column_numeric(released_column(m, column)) ? number_total(&t, column) : category_totals(&t, column));
    }
    TRY(solve(&t, &calibrated));
    for (int64_t i = 0; i < m->rows; i++) m->released[i] = NAN;
    for (int64_t r = 0; r < t.sampled; r++) m->released[t.row[r]] = calibrated.weight[r];
    say_totals(&t, &calibrated);
done:
    return status;
}
