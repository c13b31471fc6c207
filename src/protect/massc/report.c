/* What MASSC did: risk and loss side by side. */
#include "base/elementary.h"
#include "protect/massc/massc.h"
#include "classes/joint_codes.h"

enum { FEW = 50, BINS = 20 };

/* Risk left: of the records that are released with their own keys. Who was substituted or left out is not found. */
static void say_risk(Massc *m) {
    static const char *const name[] = { "unique on core", "unique on core and noncore", "not unique" };
    int64_t records[RISK_STRATA] = { 0 }, chosen[RISK_STRATA] = { 0 }, changed[RISK_STRATA] = { 0 }, sampled[RISK_STRATA] = { 0 };
    double before[RISK_STRATA] = { 0 }, after[RISK_STRATA] = { 0 }, risk[2] = { 0 }, n = (double)m->rows;
    int64_t released = 0, substituted = 0;
    for (int64_t i = 0; i < m->rows; i++) {
        int h = m->stratum[i];
        records[h]++;
        chosen[h] += m->chosen[i];
        changed[h] += m->changed[i];
        sampled[h] += m->sampled[i];
        before[h] += m->risk[i];
        if (m->sampled[i] && !m->changed[i]) after[h] += m->risk[i];
    }
    Grid *grid = grid_new(m->run->result, "strata",
                          "stratum:text records:integer chosen:integer substituted:integer released:integer risk_original:real risk:real");
    for (int h = 0; h < RISK_STRATA; h++) {
        grid_text(grid, name[h]);
        grid_integer(grid, records[h]);
        grid_integer(grid, chosen[h]);
        grid_integer(grid, changed[h]);
        grid_integer(grid, sampled[h]);
        grid_real(grid, before[h] / n);
        grid_real(grid, after[h] / n);
        risk[0] += before[h] / n;
        risk[1] += after[h] / n;
        released += sampled[h];
        substituted += changed[h];
    }
    grid_done(grid);
    result_integer(m->run->result, "released", released);
    result_integer(m->run->result, "substituted", substituted);
    result_real(m->run->result, "risk_original", risk[0]);
    result_real(m->run->result, "risk", risk[1]);
}

/* ½Σ|p − q|, p and q the weighted shares of a column's values in the original and in the release; missing is a value. */
static Status variation(Massc *m, const Column *original, const Table *released, const double *weight, double *out) {
    Status status = OK;
    JointCodes codes = { 0 };
    double *share[2] = { NULL }, sum[2] = { 0 };
    TRY(joint_codes(&m->run->work, original, table_column(released, original->name), FEW, BINS, &codes));
    for (int side = 0; side < 2; side++) {
        NEW(&m->run->work, share[side], codes.count + 1);
        for (int64_t i = 0; i < (side ? released->rows : m->rows); i++) {
            double w = side ? weight[i] : m->weight[i];
            share[side][codes.at[side][i] < 0 ? codes.count : codes.at[side][i]] += w;
            sum[side] += w;
        }
    }
    *out = 0;
    for (int32_t c = 0; c <= codes.count; c++) *out += fabs(share[0][c] / sum[0] - share[1][c] / sum[1]) / 2;
done:
    joint_drop(&m->run->work, &codes);
    return status;
}

static bool wanted(const Massc *m, const Column *column) {
    if (column == m->a->weight) return false;
    for (int64_t k = 0; k < m->keys.count; k++)
        if (m->keys.at[k] == column) return true;
    for (int64_t k = 0; k < m->a->vars.count; k++)
        if (m->a->vars.at[k] == column) return true;
    return !m->a->vars.count && column_numeric(column);
}

static Status say_loss(Massc *m, const Table *table) {
    Status status = OK;
    double *weight = NULL, sum = 0;
    int64_t count = 0;
    NEW(&m->run->work, weight, m->rows + 1);
    for (int64_t i = 0; i < m->rows; i++)
        if (m->sampled[i]) weight[count++] = m->released[i];
    Grid *grid = grid_new(m->run->result, "losses", "variable:text total_variation:real");
    count = 0;
    for (int64_t j = 0; j < m->a->data->columns; j++) {
        double distance = 0;
        const Column *column = m->a->data->column[j];
        if (!wanted(m, column)) continue;
        TRY(work_check(&m->run->work));
        TRY(variation(m, column, table, weight, &distance));
        distance = snap_to_zero(distance, 1);
        grid_text(grid, column->name);
        grid_real(grid, distance);
        sum += distance;
        count++;
    }
    grid_done(grid);
    result_real(m->run->result, "loss", count ? sum / (double)count : NAN);
done:
    return status;
}

/* What was changed at random before is not what an intruder knows. */
static void note_altered(const Massc *m) {
    for (int64_t k = 0; k < m->keys.count; k++)
        if (table_altered(m->a->data, m->keys.at[k]->name)) {
            result_note(
                m->run->result,
                "Warning: the key '%s' was changed at random before. Strata and risk are counted on the values as they are here, and "
                "do not tell what an intruder faces who knows the true ones; risk linkage compares with the original.",
                m->keys.at[k]->name);
            return;
        }
}

Status massc_report(Massc *m, const Table *table) {
    Status status = OK;
    say_risk(m);
    TRY(say_loss(m, table));
    note_altered(m);
    result_note(m->run->result, "risk is the share of the original's records that an intruder who knows all keys is expected to find, if a "
                                "substituted record is never found.");
    result_note(m->run->result,
                "loss is the mean total variation of the weighted distributions in `losses`; numbers of many values are compared in "
                "%d classes.",
                BINS);
    result_note(m->run->result,
                "Analyse the release with its weights. Standard errors should allow for subsampling: the sampling fraction is "
                "`released` over the original's records.");
    if (!m->a->weight)
        result_note(m->run->result, "The original has no weights: each record counted 1. The release's are in the column `weight`.");
    result_note(m->run->result, "%s", missing_rule_note(m->a->missing));
done:
    return status;
}
