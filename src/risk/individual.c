/* Individual risk (Benedetti & Franconi 1998; Franconi & Polettini 2004): the chance that a record is re-identified, and its household's.
 */
#include <stdio.h>
#include "base/elementary.h"
#include "classes/individual_risk.h"
#include "method/parts.h"
#include "classes/histories.h"

typedef struct {
    const Table *data;
    Columns keys;
    const Column *weight, *household, *person;
    double threshold;
    unsigned missing;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to examine", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    WEIGHT(args, data),
    COLUMN(args, household, data, "Household: re-identifying one member re-identifies all"),
    PERSON(args, data),
    REAL(args, threshold, 0.1, 0, 1, "Count the records with a risk above this, 0 to 1"),
    MISSING_RULE(args),
    END,
};

static const Return values[] = {
    VALUE(expected_reidentifications, REAL,
          "Expected number of re-identifications by an intruder who knows all keys: the sum of the risks. 0 = safe", .flags = PUBLIC),
    VALUE(global_risk, REAL, "Mean re-identification risk: the expected number over the number of records, 0 to 1. Smaller is safer",
          .flags = PUBLIC | LESS),
    VALUE(max_risk, REAL, "Highest re-identification risk of a record by its quasi-identifiers, 0 to 1. Smaller is safer"),
    VALUE(above_threshold, INTEGER, "Records with a risk above --threshold. 0 = safe", .flags = PUBLIC),
    VALUE(household_expected_reidentifications, REAL,
          "Expected number of re-identifications if every member has the risk of its household. 0 = safe", .flags = PUBLIC),
    VALUE(household_global_risk, REAL,
          "Mean re-identification risk: the expected number over the number of records, 0 to 1. Smaller is safer", .flags = PUBLIC),
    VALUE(household_max_risk, REAL, "Highest re-identification risk of a household, 0 to 1. Smaller is safer"),
    TABLE_OUT(riskiest, "risk:text records:integer expected:real",
              "Equivalence classes by risk, with their share of the expected re-identifications", .flags = PUBLIC),
    RECORD(household_risk, REAL, "Probability that some member of its household is re-identified"),
    RECORD(risk, REAL, "Probability that the record is re-identified"),
    END,
};

/* ln(1 − risk) summed over the members of each household, exactly, so that their order does not show: risk 1 is counted apart, as e^−∞. */
static Status household_risk(Run *run, const args *a, const double *risk, double *out) {
    Status status = OK;
    Codes codes;
    WeightSum *safe = NULL, one;
    uint8_t *sure = NULL;
    int64_t none = 0;
    TRY(column_codes(&run->work, a->household, &codes));
    NEW(&run->work, safe, codes.count + 1);
    NEW(&run->work, sure, codes.count + 1);
    for (int64_t i = 0; i < a->data->rows; i++) {
        if (codes.at[i] < 0) none += work_times(&run->work, i);
        if (codes.at[i] < 0) continue;
        if (risk[i] >= 1) sure[codes.at[i]] = 1;
        else {
            TRY(weight_sum(log1p(-risk[i]), &one, run->work.error));
            safe[codes.at[i]] += one * work_times(&run->work, i);
        }
    }
    for (int64_t i = 0; i < a->data->rows; i++)
        out[i] = codes.at[i] < 0 ? risk[i] : sure[codes.at[i]] ? 1 : -expm1(weight_real(safe[codes.at[i]]));
    if (none) result_note(run->result, "%lld records have no household. Each counts as a household of one.", (long long)none);
done:
    return status;
}

static Status report(Run *run, const char *prefix, const char *column_name, const double *risk, int64_t rows) {
    Status status = OK;
    ExactSum all = { 0 };
    double most = 0;
    char name[64];
    for (int64_t i = 0; i < rows; i++) {
        exact_sum_add_product(&all, risk[i], (double)work_times(&run->work, i));
        if (risk[i] > most) most = risk[i];
    }
    double sum = exact_sum_real(&all), records = (double)work_records(&run->work, rows);
    TRY(put_reals(run, "data", column_name, risk, rows));
#define NAME(text) (snprintf(name, sizeof name, "%s%s", prefix, text), name)
    result_real(run->result, NAME("expected_reidentifications"), sum);
    result_real(run->result, NAME("global_risk"), rows ? sum / records : 0);
    result_real(run->result, NAME("max_risk"), most);
#undef NAME
done:
    return status;
}

/* How the risk is spread: a few records usually hold most of it. */
static void bands(Run *run, const double *risk, int64_t rows) {
    static const double from[] = { 0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 2 };
    static const char *const label[] = { "under 0.01", "0.01–0.02", "0.02–0.05", "0.05–0.1", "0.1–0.2", "0.2–0.5", "0.5–1" };
    enum { BANDS = sizeof label / sizeof *label };
    int64_t count[BANDS] = { 0 };
    ExactSum held[BANDS] = { { { 0 }, 0, 0 } };
    double bars[BANDS];
    for (int64_t i = 0; i < rows; i++) {
        int band = 0;
        while (risk[i] >= from[band + 1]) band++;
        count[band] += work_times(&run->work, i);
        exact_sum_add_product(&held[band], risk[i], (double)work_times(&run->work, i));
    }
    Grid *grid = grid_new(run->result, "riskiest", "risk:text records:integer expected:real");
    for (int band = 0; band < BANDS; band++) {
        grid_text(grid, label[band]);
        grid_integer(grid, count[band]);
        grid_real(grid, exact_sum_real(&held[band]));
        bars[band] = (double)count[band];
    }
    grid_done(grid);
    Chart *chart = result_chart(run->result, CHART_BAR, "Records by risk", "risk", "records");
    chart_of(chart, "riskiest");
    chart_series(chart, "records", BANDS, NULL, bars, NULL, label);
}

/* People in place of records: of each the record at most risk counts, the others for nobody. */
static Status count_people(Run *run, const Histories *h, const double *risk, int64_t rows) {
    Status status = OK;
    int64_t *times = NULL, *worst = NULL;
    NEW(&run->work, times, rows + 1);
    NEW(&run->work, worst, h->owners + 1); /* its row, plus 1 */
    for (int64_t i = 0; i < rows; i++) {
        int64_t *row = &worst[h->of[i]];
        if (!*row || risk[i] > risk[*row - 1]) *row = i + 1;
    }
    for (int64_t o = 0; o < h->owners; o++)
        if (worst[o]) times[worst[o] - 1] = h->stands_for[o];
    run->work.times = times;
    run->work.records = h->people;
done:
    return status;
}

static Status frequencies_of(Run *run, const args *a, const Classes *classes, bool by_person, Histories *h, Frequencies *out) {
    Status status = OK;
    if (!by_person) return classes_frequencies(&run->work, classes, a->missing, a->weight, out);
    TRY(histories_make(&run->work, classes, a->person, h));
    TRY(histories_frequencies(&run->work, h, classes, a->weight, out));
done:
    return status;
}

static void note_people(Run *run, const args *a, bool by_person) {
    Result *result = run->result;
    if (by_person) {
        result_describe(result, "expected_reidentifications",
                        "Sum of the risks: how many people an intruder who knows all keys is expected to find", true);
        result_describe(result, "global_risk", "The same over the number of people", true);
        result_describe(result, "max_risk", "The largest risk of a person", false);
        result_describe(result, "above_threshold", "People at more risk than --threshold", true);
        result_note(run->result,
                    "People are counted, not records: of each the record at most risk, among the people who have one like it.");
    } else if (a->person) result_note(run->result, "By sdcMicro's rule records are counted, not people.");
}

static Status individual_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Classes classes;
    Frequencies frequencies;
    Histories h;
    Run counted = *run;
    double *by_class = NULL, *risk = NULL, *household = NULL;
    int64_t rows = a->data->rows, above = 0;
    const bool by_person = a->person && a->missing == CATEGORY_RULE;
    TRY(classes_make_by(&run->work, a->keys, a->missing, &classes));
    TRY(frequencies_of(run, a, &classes, by_person, &h, &frequencies));
    NEW(&run->work, by_class, classes.count + 1);
    NEW(&run->work, risk, rows + 1);
    for (int64_t c = 0; c < classes.count; c++) by_class[c] = individual_risk(frequencies.f[c], frequencies.F[c]);
    for (int64_t i = 0; i < rows; i++) risk[i] = by_class[classes.of[i]];
    if (by_person) TRY(count_people(&counted, &h, risk, rows));
    for (int64_t i = 0; i < rows; i++) above += risk[i] > a->threshold ? work_times(&counted.work, i) : 0;
    frequencies_drop(&run->work, &frequencies);
    arena_drop(run->work.arena, by_class);
    TRY(report(&counted, "", "risk", risk, rows));
    result_integer(run->result, "above_threshold", above);
    bands(&counted, risk, rows);
    if (a->household) {
        NEW(&run->work, household, rows + 1);
        TRY(household_risk(&counted, a, risk, household));
        TRY(report(&counted, "household_", "household_risk", household, rows));
    }
    if (!a->weight)
        result_note(run->result, "No weights were given: the table is treated as the whole population, and a record's risk is 1/f.");
    note_people(run, a, by_person);
    result_note(run->result, "%s", missing_rule_note(a->missing));
done:
    return status;
}

static const InParts in_parts = { .shape = BY_CLASS };

const Method risk_individual = { .group = "risk",
                                 .name = "individual",
                                 .summary = "Individual and household risk of re-identification (Benedetti–Franconi)",
                                 .source = "Benedetti & Franconi 1998",
                                 .params = params,
                                 .size = sizeof(args),
                                 .traits = FREQUENCY | IDENTITY,
                                 .run = individual_run,
                                 .parts = &in_parts,
                                 .headline = "-global_risk",
                                 .values = values,
                                 .example = "scrim risk individual examples/clinic.csv --keys sex,age,region --weight w --household hid",
                                 .instead = "risk linkage" };
