/* k-anonymity: the number of people in the smallest class of alike records. Two records are alike when all their keys are equal; a missing
 * key is a value, and each missing code is one of its own. Defined after Samarati & Sweeney 1998: docs/methods/risk-k-anonymity.md. */
#include <stdlib.h>
#include "classes/equivalence_class.h"
#include "intruder/earlier_releases.h"
#include "method/parts.h"
#include "risk/key_subsets.h"

typedef struct {
    const Table *data, *original;
    Columns keys;
    const Column *weight, *id, *person;
    Tables previous;
    unsigned missing;
    bool by_keys;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to examine", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    WEIGHT(args, data),
    PERSON(args, data),
    PREVIOUS(args),
    TABLE(args, original, "With --previous: the table that all were made of, by which they are linked"),
    COLUMN(args, id, data, "With --previous: the number of a record, by which releases are linked (default: the person)"),
    MISSING_RULE(args),
    BY_KEYS_FLAG(args),
    ONLY_WITH("original", "previous"),
    ONLY_WITH("id", "previous"),
    END,
};

static const Return values[] = {
    VALUE(k, INTEGER, "People in the smallest class of alike records. 1 = someone is unique on the keys; larger is safer",
          .flags = PUBLIC | MORE),
    VALUE(k_sdcmicro, INTEGER,
          "With --missing wildcard, for comparison: the smallest fk by sdcMicro's rule, in which a missing key agrees with every value",
          .flags = PUBLIC),
    VALUE(classes, INTEGER, "Equivalence classes: distinct combinations of the keys, a missing key being a value", .flags = PUBLIC),
    VALUE(uniques, INTEGER, "Records that are unique on the keys", .flags = PUBLIC),
    VALUE(below_2, INTEGER, "Records in classes of fewer than 2 people", .flags = PUBLIC),
    VALUE(below_3, INTEGER, "Records in classes of fewer than 3 people", .flags = PUBLIC),
    VALUE(below_5, INTEGER, "Records in classes of fewer than 5 people", .flags = PUBLIC),
    VALUE(releases, INTEGER, "With --previous: how many releases were taken together", .flags = PUBLIC),
    TABLE_OUT(frequencies, "f:text classes:integer records:integer share:real", "Classes and records by the size f of the class",
              .flags = PUBLIC),
    TABLE_OUT(keys, "key:text values:integer missing:integer", "Each key's distinct values, and its missing cells", .flags = PUBLIC),
    TABLE_OUT(
        by_keys, BY_KEYS_COLUMNS,
        "With --by-keys: the share of records that are unique for an intruder who knows so many of the keys, over all subsets of that "
        "size",
        .flags = PUBLIC),
    RECORD(Fk, REAL, "Sum of the weights of the records that share its keys"),
    RECORD(fk, INTEGER, "Records that share its keys (with --missing wildcard by sdcMicro's rule)"),
    END,
};

/* fk and Fk per record, by the rule that was asked for. They are for comparison: no value but k_sdcmicro follows them. */
static Status record_columns(Run *run, const args *a) {
    Status status = OK;
    Classes classes;
    Frequencies f;
    int64_t *fk = NULL, least = INT64_MAX;
    double *Fk = NULL;
    bool wildcard = a->missing == WILDCARD;
    if (!wildcard && !run_wants(run, "fk") && !run_wants(run, "Fk")) return OK;
    TRY(classes_make_by(&run->work, a->keys, a->missing, &classes));
    TRY(classes_frequencies(&run->work, &classes, a->missing, a->weight, &f));
    NEW(&run->work, fk, classes.rows + 1);
    NEW(&run->work, Fk, classes.rows + 1);
    for (int64_t i = 0; i < classes.rows; i++) {
        fk[i] = f.f[classes.of[i]];
        Fk[i] = f.F[classes.of[i]];
        if (fk[i] < least) least = fk[i];
    }
    if (wildcard && classes.rows) result_integer(run->result, "k_sdcmicro", least);
    frequencies_drop(&run->work, &f);
    TRY(put_integers(run, "data", "fk", fk, classes.rows));
    if (run_wants(run, "Fk")) TRY(put_reals(run, "data", "Fk", Fk, classes.rows));
done:
    return status;
}

/* Records in classes of fewer than `bound` people. */
static int64_t below(const Classes *classes, const int64_t *people, int64_t bound) {
    int64_t records = 0;
    for (int64_t c = 0; c < classes->count; c++) records += people[c] < bound ? classes->size[c] : 0;
    return records;
}

/* Sizes 1 to 4 have rows of their own, larger ones share widening ranges. */
static void size_distribution(Run *run, const Classes *classes, const int64_t *people) {
    static const int64_t from[] = { 1, 2, 3, 4, 5, 10, 20, 50, 100, 1000, INT64_MAX };
    static const char *const label[] = { "1", "2", "3", "4", "5–9", "10–19", "20–49", "50–99", "100–999", "1000+" };
    enum { BINS = sizeof label / sizeof *label };
    int64_t counts[BINS] = { 0 }, records[BINS] = { 0 };
    double bars[BINS];
    for (int64_t c = 0; c < classes->count; c++) {
        int bin = 0;
        while (people[c] >= from[bin + 1]) bin++;
        counts[bin]++;
        records[bin] += classes->size[c];
    }
    Grid *grid = grid_new(run->result, "frequencies", "f:text classes:integer records:integer share:real");
    for (int bin = 0; bin < BINS; bin++) {
        bars[bin] = (double)records[bin];
        grid_text(grid, label[bin]);
        grid_integer(grid, counts[bin]);
        grid_integer(grid, records[bin]);
        grid_real(grid, classes->records ? (double)records[bin] / (double)classes->records : 0);
    }
    grid_done(grid);
    Chart *chart = result_chart(run->result, CHART_BAR, "Records by the size of their equivalence class", "f", "records");
    chart_of(chart, "frequencies");
    chart_series(chart, "records", BINS, NULL, bars, NULL, label);
}

static int64_t missing_records(const Work *work, const Column *column) {
    int64_t records = 0;
    for (int64_t i = 0; column->missing && i < column->rows; i++) records += column_missing(column, i) ? work_times(work, i) : 0;
    return records;
}

static void describe_keys(Run *run, const args *a, const Classes *classes) {
    Grid *grid = grid_new(run->result, "keys", "key:text values:integer missing:integer");
    for (int64_t key = 0; key < a->keys.count; key++) {
        grid_text(grid, a->keys.at[key]->name);
        grid_integer(grid, classes->codes[key].count);
        grid_integer(grid, missing_records(&run->work, a->keys.at[key]));
    }
    grid_done(grid);
}

static void report_values(Run *run, const Classes *classes, const int64_t *people) {
    Result *result = run->result;
    int64_t k = INT64_MAX;
    for (int64_t c = 0; c < classes->count; c++)
        if (people[c] < k) k = people[c];
    if (classes->count) result_integer(result, "k", k);
    else result_null(result, "k", "The table has no records.");
    result_integer(result, "classes", classes->count);
    result_integer(result, "uniques", below(classes, people, 2));
    result_integer(result, "below_2", below(classes, people, 2));
    result_integer(result, "below_3", below(classes, people, 3));
    result_integer(result, "below_5", below(classes, people, 5));
    result_note(result, "%s", missing_rule_note(CATEGORY_RULE));
}

/* ---- risk by the number of keys (Paass 1988; Matloff & Tendick 2015, 5.2) ---- */

/* The share of records that are unique on the keys whose bits are set. The memory is given back: there are thousands of subsets. */
static Status unique_share(Run *run, const void *self, unsigned subset, double *out) {
    Status status = OK;
    const args *a = self;
    const Column *some[MOST_KEYS];
    Work work = run->work;
    Columns keys = { 0, some };
    Classes classes;
    int64_t *people = NULL;
    work.arena = arena_new();
    if (!work.arena) return fail(run->work.error, FAILED, "out of memory");
    for (int64_t j = 0; j < a->keys.count; j++)
        if (subset >> j & 1) some[keys.count++] = a->keys.at[j];
    TRY(classes_make_by(&work, keys, CATEGORY_RULE, &classes));
    TRY(classes_people(&work, &classes, NULL, &people));
    *out = classes.records ? (double)below(&classes, people, 2) / (double)classes.records : 0;
done:
    arena_free(work.arena);
    return status;
}

/* ---- releases over time ---- */

/* Classes of people who are alike in this release and in all earlier ones: the classes that each of them has are the keys. */
static Status classes_over_time(Run *run, const args *a, Classes *out, int64_t **people) {
    Status status = OK;
    Work *work = &run->work;
    LinkedReleases linked;
    Column **column = NULL, *unit = NULL;
    const Column *link = a->id ? a->id : a->person;
    NEW(work, column, a->previous.count + 2);
    TRY(releases_link(work, a->data, a->previous.at, a->previous.count, a->original, link ? link->name : NULL, &linked));
    TRY(releases_classes(work, &linked, a->keys, a->previous.at, column, &unit));
    TRY(classes_make_by(work, (Columns){ linked.tables, (const Column **)(uintptr_t)column }, CATEGORY_RULE, out));
    TRY(classes_people(work, out, unit, people));
    result_note(run->result,
                "k counts people who are alike in this release and in %lld earlier ones. A person who is not in a release has the value "
                "absent there; %lld people are only in earlier releases. fk and Fk are about this release alone.",
                (long long)a->previous.count, (long long)(unit->rows - a->data->rows));
done:
    for (int64_t t = 0; column && t <= a->previous.count; t++) column_release(column[t]);
    column_release(unit);
    return status;
}

static Status k_anonymity_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Classes classes, over_time;
    int64_t *people = NULL;
    TRY(classes_make_by(&run->work, a->keys, CATEGORY_RULE, &classes));
    if (a->previous.count) TRY(classes_over_time(run, a, &over_time, &people));
    else TRY(classes_people(&run->work, &classes, a->person, &people));
    const Classes *counted = a->previous.count ? &over_time : &classes;
    report_values(run, counted, people);
    if (a->previous.count) result_integer(run->result, "releases", 1 + a->previous.count);
    size_distribution(run, counted, people);
    describe_keys(run, a, &classes);
    TRY(record_columns(run, a));
    if (a->by_keys) TRY(by_number_of_keys(run, a->keys, "Unique records by the number of keys that an intruder knows", unique_share, a));
done:
    return status;
}

static const char *needs_whole(const void *p) {
    return ((const args *)p)->previous.count ? "--previous links its records with those of earlier releases" : NULL;
}

static const InParts in_parts = { .shape = BY_CLASS, .whole = needs_whole, .original_aside = true };

const Method risk_k_anonymity = { .group = "risk",
                                  .name = "k-anonymity",
                                  .summary = "Find the smallest class of records that are alike on the keys",
                                  .source = "Samarati & Sweeney 1998",
                                  .params = params,
                                  .size = sizeof(args),
                                  .traits = FREQUENCY | IDENTITY,
                                  .run = k_anonymity_run,
                                  .parts = &in_parts,
                                  .headline = "k",
                                  .values = values,
                                  .example = "scrim risk k-anonymity examples/clinic.csv --keys sex,age,region",
                                  .instead = "risk linkage" };
