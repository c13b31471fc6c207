/* δ-presence (Nergiz, Atzori & Clifton 2007): how sure an intruder can be that somebody is in the table at all. */
#include "base/elementary.h"
#include "risk/paired_columns.h"
#include "risk/population.h"

typedef struct {
    const Table *data, *population;
    Columns keys;
    unsigned missing;
} args;
static const Param params[] = {
    TABLE(args, data, "The private table, whose membership is confidential", .flags = REQUIRED | POSITIONAL),
    TABLE(args, population, "The public table: everyone who may be in the private one", .flags = REQUIRED),
    KEYS(args, data, .flags = REQUIRED),
    MISSING_RULE(args),
    END,
};
static const Return values[] = {
    VALUE(delta_min, REAL, "Smallest share of a public class that is in the private table, 0 to 1"),
    VALUE(delta_max, REAL, "Largest share. 1 = everyone in the class is known to be in the private table; smaller is safer"),
    VALUE(certain_present, INTEGER, "Records of the public table that are certainly in the private one (δ = 1). 0 = safe", .flags = PUBLIC),
    VALUE(certain_absent, INTEGER, "Records of the public table that are certainly not (δ = 0)", .flags = PUBLIC),
    VALUE(classes, INTEGER, "Equivalence classes of the public table", .flags = PUBLIC),
    VALUE(unmatched, INTEGER, "Records of the private table without an equal record in the public one", .flags = PUBLIC),
    TABLE_OUT(shares, "delta:text classes:integer records:integer",
              "Public records by the share of their class that is in the private table", .flags = PUBLIC),
    RECORD(delta, REAL, "Probability that it is in the private table, given its keys"),
    END,
};

enum { BINS = 12 };
static void by_share(Run *run, const PopulationMatch *m) {
    static const char *const label[BINS] = { "0",       "0–0.1",   "0.1–0.2", "0.2–0.3", "0.3–0.4", "0.4–0.5",
                                             "0.5–0.6", "0.6–0.7", "0.7–0.8", "0.8–0.9", "0.9–1",   "1" };
    int64_t classes[BINS] = { 0 }, records[BINS] = { 0 };
    for (int64_t c = 0; c < m->count; c++) {
        if (!m->own_F[c]) continue;
        int bin = !m->f[c] ? 0 : m->f[c] >= m->F[c] ? BINS - 1 : 1 + (int)(10 * m->f[c] / m->F[c]);
        classes[bin]++;
        records[bin] += m->own_F[c];
    }
    Grid *grid = grid_new(run->result, "shares", "delta:text classes:integer records:integer");
    for (int bin = 0; bin < BINS; bin++) {
        grid_text(grid, label[bin]);
        grid_integer(grid, classes[bin]);
        grid_integer(grid, records[bin]);
    }
    grid_done(grid);
}

static void extremes(Run *run, const PopulationMatch *m) {
    double least = INFINITY, most = -INFINITY;
    int64_t classes = 0, present = 0, absent = 0, above = 0;
    for (int64_t c = 0; c < m->count; c++) {
        if (!m->own_F[c]) continue;
        double delta = (double)m->f[c] / (double)m->F[c];
        least = fmin(least, delta);
        most = fmax(most, delta);
        classes++;
        present += delta >= 1 ? m->own_F[c] : 0;
        absent += delta <= 0 ? m->own_F[c] : 0;
        above += delta > 1;
    }
    if (classes) {
        result_real(run->result, "delta_min", least);
        result_real(run->result, "delta_max", most);
    } else {
        result_null(run->result, "delta_min", "The public table has no records.");
        result_null(run->result, "delta_max", "The public table has no records.");
    }
    result_integer(run->result, "certain_present", present);
    result_integer(run->result, "certain_absent", absent);
    result_integer(run->result, "classes", classes);
    if (above)
        result_note(run->result,
                    "%lld public classes have more records in the private table than in the public one, so the public table is incomplete.",
                    (long long)above);
}

static Status presence_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    PopulationMatch match;
    double *delta = NULL;
    int64_t unmatched = 0;
    TRY(population_match(run, a->data, a->keys, a->population, a->missing, &match));
    extremes(run, &match);
    NEW(&run->work, delta, a->data->rows + 1);
    for (int64_t i = 0; i < a->data->rows; i++) {
        int32_t c = match.of[i];
        delta[i] = match.F[c] ? (double)match.f[c] / (double)match.F[c] : NAN;
        unmatched += match.F[c] ? 0 : work_times(&run->work, i);
    }
    result_integer(run->result, "unmatched", unmatched);
    if (unmatched)
        result_note(
            run->result,
            "Some records have no equal in the public table. If the keys were generalised, generalise the public table in the same way.");
    by_share(run, &match);
    TRY(put_reals(run, "data", "delta", delta, a->data->rows));
    result_note(run->result, "%s", missing_rule_note(a->missing));
done:
    return status;
}

static const InParts in_parts = { .shape = BY_CLASS };

const Method risk_presence = {
    .group = "risk",
    .name = "presence",
    .summary = "δ-presence: probability that a person of a public list is in the table (membership disclosure)",
    .source = "Nergiz, Atzori & Clifton 2007",
    .params = params,
    .size = sizeof(args),
    .traits = FREQUENCY | IDENTITY | POPULATION,
    .run = presence_run,
    .parts = &in_parts,
    .values = values,
    .example = "scrim risk presence examples/clinic.csv --population examples/population.csv --keys sex,region,education",
    .instead = "attack membership"
};
