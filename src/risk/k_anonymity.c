/* k-anonymity: how many records share each record's keys. */
#include "method/method.h"
#include "table/classes.h"

typedef struct { const Table *data; Columns keys; const Column *weight; unsigned missing; } args;

static const Param params[] = {
    TABLE(args, data, "Table to examine", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    WEIGHT(args, data),
    MISSING_RULE(args),
    END };

static const Return values[] = {
    VALUE(k, INTEGER, "The least f over records: every record shares its keys with at least k−1 others", .flags = PUBLIC | MORE),
    VALUE(classes, INTEGER, "Distinct key tuples; a missing key counts as a value here", .flags = PUBLIC),
    VALUE(uniques, INTEGER, "Records that agree with no other", .flags = PUBLIC),
    VALUE(below_2, INTEGER, "Records with f below 2", .flags = PUBLIC),
    VALUE(below_3, INTEGER, "Records with f below 3", .flags = PUBLIC),
    VALUE(below_5, INTEGER, "Records with f below 5", .flags = PUBLIC),
    TABLE_OUT(frequencies, "f:text classes:integer records:integer share:real", "Records and classes by the f they have", .flags = PUBLIC),
    TABLE_OUT(keys, "key:text values:integer missing:integer", "Each key's distinct values, and its missing cells", .flags = PUBLIC),
    RECORD(Fk, REAL, "Records of the population that share its keys, by the weights"),
    RECORD(fk, INTEGER, "Records that share its keys"),
    END };

static Status record_columns(Run *run, const Classes *classes, const Frequencies *frequencies) {
    Status status = OK;
    Column *fk = NULL, *Fk = NULL;
    TRY(column_new(INTEGER_TYPE, "fk", classes->rows, &fk, run->work.error));
    TRY(column_new(REAL_TYPE, "Fk", classes->rows, &Fk, run->work.error));
    for (int64_t i = 0; i < classes->rows; i++) {
        fk->integer[i] = frequencies->f[classes->of[i]];
        Fk->real[i] = frequencies->F[classes->of[i]];
    }
    result_column(run->result, "data", fk);
    result_column(run->result, "data", Fk);
    return OK;
done:
    column_release(fk);
    column_release(Fk);
    return status;
}

static int64_t below(const Classes *classes, const Frequencies *frequencies, int64_t bound) {
    int64_t records = 0;
    for (int64_t c = 0; c < classes->count; c++)
        if (frequencies->f[c] < bound) records += classes->size[c];
    return records;
}

/* f from 1 to 4 apart, then in widening ranges: the small ones are those that matter. */
static void size_distribution(Run *run, const Classes *classes, const Frequencies *frequencies) {
    static const int64_t from[] = { 1, 2, 3, 4, 5, 10, 20, 50, 100, 1000, INT64_MAX };
    static const char *const label[] = { "1", "2", "3", "4", "5–9", "10–19", "20–49", "50–99", "100–999", "1000+" };
    enum { BINS = sizeof label / sizeof *label };
    int64_t counts[BINS] = { 0 }, records[BINS] = { 0 };
    double bars[BINS];
    for (int64_t c = 0; c < classes->count; c++) {
        int bin = 0;
        while (frequencies->f[c] >= from[bin + 1]) bin++;
        counts[bin]++;
        records[bin] += classes->size[c];
    }
    Grid *grid = grid_new(run->result, "frequencies", "f:text classes:integer records:integer share:real");
    for (int bin = 0; bin < BINS; bin++) {
        bars[bin] = (double)records[bin];
        grid_text(grid, label[bin]);
        grid_integer(grid, counts[bin]);
        grid_integer(grid, records[bin]);
        grid_real(grid, classes->rows ? (double)records[bin] / (double)classes->rows : 0);
    }
    grid_done(grid);
    Chart *chart = result_chart(run->result, CHART_BAR, "Records by the number that share their keys", "f", "records");
    chart_of(chart, "frequencies");
    chart_series(chart, "records", BINS, NULL, bars, NULL, label);
}

static void describe_keys(Run *run, const args *a, const Classes *classes) {
    Grid *grid = grid_new(run->result, "keys", "key:text values:integer missing:integer");
    for (int64_t key = 0; key < a->keys.count; key++) {
        grid_text(grid, a->keys.at[key]->name);
        grid_integer(grid, classes->codes[key].count);
        grid_integer(grid, a->keys.at[key]->missing);
    }
    grid_done(grid);
}

static Status k_anonymity_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Classes classes;
    Frequencies frequencies;
    TRY(classes_make(&run->work, a->keys, &classes));
    TRY(classes_frequencies(&run->work, &classes, a->missing, a->weight, &frequencies));
    int64_t k = INT64_MAX;
    for (int64_t c = 0; c < classes.count; c++)
        if (frequencies.f[c] < k) k = frequencies.f[c];
    if (classes.count) result_integer(run->result, "k", k);
    else result_null(run->result, "k", "The table has no records, so that no k holds or fails.");
    result_integer(run->result, "classes", classes.count);
    result_integer(run->result, "uniques", below(&classes, &frequencies, 2));
    result_integer(run->result, "below_2", below(&classes, &frequencies, 2));
    result_integer(run->result, "below_3", below(&classes, &frequencies, 3));
    result_integer(run->result, "below_5", below(&classes, &frequencies, 5));
    result_note(run->result, "%s", missing_rule_note(a->missing));
    size_distribution(run, &classes, &frequencies);
    describe_keys(run, a, &classes);
    TRY(record_columns(run, &classes, &frequencies));
done:
    return status;
}

const Method risk_k_anonymity = {
    .group = "risk", .name = "k-anonymity", .summary = "Count the records that share each record's keys", .source = "Samarati & Sweeney 1998",
    .params = params, .size = sizeof(args), .traits = FREQUENCY | IDENTITY, .run = k_anonymity_run, .headline = "k", .values = values,
    .example = "scrim risk k-anonymity examples/clinic.csv --keys sex,age,region", .instead = "risk linkage" };
