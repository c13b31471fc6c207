/* What MASSC did: risk and loss side by side. */
#include "base/elementary.h"
#include "protect/massc/massc.h"

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

/* What was changed at random before is not what an intruder knows. */
static void note_altered(const Massc *m) {
    for (int64_t k = 0; k < m->keys.count; k++)
        if (table_altered(m->a->data, m->keys.at[k]->name)) {
            result_note(m->run->result,
                        "Warning: the key '%s' was perturbed before. Strata and risk are computed from the present values and do not show "
                        "the risk from an intruder who knows the true ones. Use risk linkage, which compares with the original.",
                        m->keys.at[k]->name);
            return;
        }
}

Status massc_report(Massc *m, const Table *table) {
    Status status = OK;
    say_risk(m);
    TRY(massc_loss(m, table));
    note_altered(m);
    result_note(m->run->result, "risk is the expected share of the original's records that an intruder who knows all keys re-identifies, "
                                "if a substituted record is never re-identified.");
    result_note(m->run->result, "Analyse the release with its weights. Standard errors should account for subsampling: the sampling "
                                "fraction is `released` over the original's records.");
    if (!m->a->weight)
        result_note(m->run->result,
                    "The original has no weights, so each record counted 1. The weights of the release are in the column `weight`.");
    result_note(m->run->result, "%s", missing_rule_note(m->a->missing));
done:
    return status;
}
