/* k-anonymity: the number of people in the smallest class of alike records. Two records are alike when all their keys are equal; a missing
 * key is a value, and each missing code is one of its own. Where people have several records, k is the fewest people whose records fit what
 * an intruder knows of somebody (classes/histories.h). Defined after Samarati & Sweeney 1998: docs/methods/risk-k-anonymity.md. */
#include <stdlib.h>
#include "classes/histories.h"
#include "intruder/earlier_releases.h"
#include "math/proportion.h"
#include "method/parts.h"
#include "risk/key_subsets.h"

typedef struct {
    const Table *data, *original;
    Columns keys;
    const Column *weight, *id, *person;
    const char *knows;
    Tables previous;
    unsigned missing;
    bool by_keys;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to examine", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    WEIGHT(args, data),
    PERSON(args, data),
    KNOWS(args),
    PREVIOUS(args),
    TABLE(args, original, "With --previous: the original file of all releases, by which they are linked"),
    COLUMN(args, id, data, "With --previous: record number, by which releases are linked (default: the person)"),
    MISSING_RULE(args),
    BY_KEYS_FLAG(args),
    ONLY_WITH("original", "previous"),
    ONLY_WITH("id", "previous"),
    END,
};

static const Return values[] = {
    VALUE(k, INTEGER, "Size of the smallest equivalence class, in people. 1 = someone is unique on the quasi-identifiers; larger is safer",
          .flags = PUBLIC | MORE),
    VALUE(k_sdcmicro, INTEGER,
          "With --missing wildcard, for comparison: the smallest fk by sdcMicro's rule, in which a missing key agrees with every value",
          .flags = PUBLIC),
    VALUE(classes, INTEGER, "Equivalence classes: distinct combinations of the keys, a missing key being a value", .flags = PUBLIC),
    VALUE(uniques, INTEGER, "Records that are unique on the keys", .flags = PUBLIC),
    VALUE(below_2, INTEGER, "Records in classes of fewer than 2 people", .flags = PUBLIC),
    VALUE(below_3, INTEGER, "Records in classes of fewer than 3 people", .flags = PUBLIC),
    VALUE(below_5, INTEGER, "Records in classes of fewer than 5 people", .flags = PUBLIC),
    VALUE(releases, INTEGER, "With --previous: number of releases evaluated together", .flags = PUBLIC),
    VALUE(people, INTEGER, "With a person: people in the table", .flags = PUBLIC),
    VALUE(largest_share, REAL,
          "With a person: largest share of a class's records that belong to one person. 1 = a class is one person; smaller is safer",
          .flags = PUBLIC | LESS),
    TABLE_OUT(knowledge, "knows:text k:integer uniques:integer",
              "With a person: k and the number of unique people, for an intruder who knows one, two or all records of a person",
              .flags = PUBLIC),
    TABLE_OUT(frequencies, "f:text classes:integer records:integer share:real", "Classes and records by the size f of the class",
              .flags = PUBLIC),
    TABLE_OUT(candidates, "candidates:text people:integer share:real",
              "With a person: people by the number of people whom the known records match", .flags = PUBLIC),
    TABLE_OUT(keys, "key:text values:integer missing:integer", "Distinct values and missing cells of each key", .flags = PUBLIC),
    TABLE_OUT(by_keys, BY_KEYS_COLUMNS, "With --by-keys: share of unique records by number of known keys, over all subsets of that size",
              .flags = PUBLIC),
    RECORD(Fk, REAL, "Sum of the weights of the records that share its keys; with a person, of the people"),
    RECORD(fk, INTEGER, "Records that share its keys (with --missing wildcard by sdcMicro's rule); with a person, people"),
    END,
};

/* fk and Fk per record, by the rule that was asked for. They are for comparison: no value but k_sdcmicro follows them. */
static Status record_columns(Run *run, const args *a, const Classes *alike, const Histories *histories) {
    Status status = OK;
    Classes classes = *alike;
    Frequencies f;
    int64_t *fk = NULL, least = INT64_MAX;
    double *Fk = NULL;
    bool wildcard = a->missing == WILDCARD;
    if (!wildcard && !run_wants(run, "fk") && !run_wants(run, "Fk")) return OK;
    if (wildcard) TRY(classes_make_by(&run->work, a->keys, WILDCARD, &classes));
    if (wildcard || !a->person) TRY(classes_frequencies(&run->work, &classes, a->missing, a->weight, &f));
    else TRY(histories_frequencies(&run->work, histories, &classes, a->weight, &f));
    NEW(&run->work, fk, classes.rows + 1);
    NEW(&run->work, Fk, classes.rows + 1);
    for (int64_t i = 0; i < classes.rows; i++) {
        fk[i] = f.f[classes.of[i]];
        Fk[i] = f.F[classes.of[i]];
        if (fk[i] < least) least = fk[i];
    }
    if (wildcard && classes.rows) result_integer(run->result, "k_sdcmicro", least);
    if (wildcard && a->person) result_note(run->result, "By sdcMicro's rule records are counted, not people: fk, Fk and k_sdcmicro.");
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
static const int64_t from[] = { 1, 2, 3, 4, 5, 10, 20, 50, 100, 1000, INT64_MAX };
static const char *const label[] = { "1", "2", "3", "4", "5–9", "10–19", "20–49", "50–99", "100–999", "1000+" };
enum { BINS = sizeof label / sizeof *label };

static int bin_of(int64_t people) {
    int bin = 0;
    while (people >= from[bin + 1]) bin++;
    return bin;
}

static void size_distribution(Run *run, const Classes *classes, const int64_t *people, bool charted) {
    int64_t counts[BINS] = { 0 }, records[BINS] = { 0 };
    double bars[BINS];
    for (int64_t c = 0; c < classes->count; c++) {
        const int bin = bin_of(people[c]);
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
    if (!charted) return;
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
}

/* ---- people who have several records ---- */

/* Of a sample of the people, what it says of all. */
static int64_t of_all(const PeopleCounts *counts, const Histories *h, int64_t count) {
    if (!counts->sampled) return count;
    return counts->people ? (int64_t)((double)count / (double)counts->people * (double)h->people + 0.5) : 0;
}

static void count_of_people(Result *result, const char *name, int64_t count, const char *meaning) {
    result_integer(result, name, count);
    result_describe(result, name, meaning, true);
}

static void report_people(Run *run, const Classes *classes, const Histories *h, const PeopleCounts *counts) {
    Result *result = run->result;
    if (classes->count)
        count_of_people(result, "k", counts->k,
                        "Smallest number of people whom the known records of a person match. 1 = someone is unique; larger is safer");
    else result_null(result, "k", "The table has no records.");
    result_integer(result, "classes", classes->count);
    count_of_people(result, "uniques", of_all(counts, h, counts->uniques),
                    "People who are unique: their known records match no other person");
    count_of_people(result, "below_2", of_all(counts, h, counts->uniques), "People with fewer than 2 candidates");
    count_of_people(result, "below_3", of_all(counts, h, counts->below_3), "People with fewer than 3 candidates");
    count_of_people(result, "below_5", of_all(counts, h, counts->below_5), "People with fewer than 5 candidates");
    result_integer(result, "people", h->people);
    result_real(result, "largest_share", largest_share(h, classes));
    if (!counts->sampled) return;
    const Interval share = wilson_interval((double)counts->uniques, (double)counts->people);
    result_note(result,
                "There are too many sets of records to try all. k is that of an intruder who knows all records, which no smaller set "
                "falls below; uniques and below_* are estimated from %lld people (95%% interval of the share of unique people: %.2g to "
                "%.2g%s).",
                (long long)counts->people, share.low, share.high, counts->bounded ? "; not every set of theirs was tried" : "");
}

static void candidate_distribution(Run *run, const Histories *h, const PeopleCounts *counts) {
    int64_t people[BINS] = { 0 };
    double bars[BINS];
    for (int64_t o = 0; o < h->owners; o++)
        if (counts->candidates[o]) people[bin_of(counts->candidates[o])] += h->stands_for[o];
    Grid *grid = grid_new(run->result, "candidates", "candidates:text people:integer share:real");
    for (int bin = 0; bin < BINS; bin++) {
        bars[bin] = (double)of_all(counts, h, people[bin]);
        grid_text(grid, label[bin]);
        grid_integer(grid, of_all(counts, h, people[bin]));
        grid_real(grid, counts->people ? (double)people[bin] / (double)counts->people : 0);
    }
    grid_done(grid);
    Chart *chart =
        result_chart(run->result, CHART_BAR, "People by the number of people whom their known records match", "candidates", "people");
    chart_of(chart, "candidates");
    chart_series(chart, "people", BINS, NULL, bars, NULL, label);
}

/* k for an intruder who knows one, two or all records. */
static Status report_knowledge(Run *run, const Classes *classes, const Histories *h) {
    static const struct {
        const char *name;
        int64_t knows;
    } all[] = { { "one", 1 }, { "two", 2 }, { "all", KNOWS_ALL } };
    Status status = OK;
    Grid *grid = grid_new(run->result, "knowledge", "knows:text k:integer uniques:integer");
    for (size_t i = 0; i < sizeof all / sizeof *all && h->people; i++) {
        PeopleCounts counts;
        TRY(people_counts(&run->work, h, classes->count, all[i].knows, &counts));
        grid_text(grid, all[i].name);
        grid_integer(grid, counts.k);
        grid_integer(grid, of_all(&counts, h, counts.uniques));
    }
done:
    grid_done(grid);
    return status;
}

/* What is known of several records is about people who have several, in one release. */
static Status check_knows(Run *run, const args *a) {
    int64_t knows;
    Status status = knows_read(a->knows, &knows, run->work.error);
    if (status || knows == 1 || (a->person && !a->previous.count)) return status;
    if (a->person) fail(run->work.error, BAD, "cannot be used with --previous: of releases over time one record of each is known");
    else fail(run->work.error, BAD, "is about people who have several records, and needs --person");
    return error_parameter(run->work.error, "knows");
}

static Status count_people(Run *run, const args *a, const Classes *classes, const Histories *out) {
    Status status = OK;
    PeopleCounts counts;
    int64_t knows;
    TRY(knows_read(a->knows, &knows, run->work.error));
    TRY(people_counts(&run->work, out, classes->count, knows, &counts));
    report_people(run, classes, out, &counts);
    candidate_distribution(run, out, &counts);
    TRY(report_knowledge(run, classes, out));
    if (knows != 1) result_note(run->result, "`classes`, the table of frequencies, fk and Fk are about single records.");
done:
    return status;
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
    if (!work.arena) return out_of_memory(run->work.error);
    for (int64_t j = 0; j < a->keys.count; j++)
        if (subset >> j & 1) some[keys.count++] = a->keys.at[j];
    TRY(classes_make_by(&work, keys, CATEGORY_RULE, &classes));
    if (a->person) {
        int64_t knows;
        Histories h;
        PeopleCounts counts;
        TRY(knows_read(a->knows, &knows, work.error));
        TRY(histories_make(&work, &classes, a->person, &h));
        TRY(people_counts(&work, &h, classes.count, knows, &counts));
        *out = counts.people ? (double)counts.uniques / (double)counts.people : 0;
        goto done;
    }
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
    Histories histories = { 0 };
    int64_t *people = NULL;
    const bool by_person = a->person && !a->previous.count;
    TRY(check_knows(run, a));
    TRY(classes_make_by(&run->work, a->keys, CATEGORY_RULE, &classes));
    if (a->previous.count) TRY(classes_over_time(run, a, &over_time, &people));
    else TRY(classes_people(&run->work, &classes, a->person, &people));
    const Classes *counted = a->previous.count ? &over_time : &classes;
    if (!by_person) report_values(run, counted, people);
    if (a->previous.count) result_integer(run->result, "releases", 1 + a->previous.count);
    if (a->person) TRY(histories_make(&run->work, &classes, a->person, &histories));
    if (by_person) TRY(count_people(run, a, &classes, &histories));
    result_note(run->result, "%s", missing_rule_note(CATEGORY_RULE));
    size_distribution(run, counted, people, !by_person);
    describe_keys(run, a, &classes);
    TRY(record_columns(run, a, &classes, &histories));
    if (a->by_keys)
        TRY(by_number_of_keys(run, a->keys,
                              a->person ? "Unique people by the number of keys that an intruder knows"
                                        : "Unique records by the number of keys that an intruder knows",
                              unique_share, a));
done:
    return status;
}

static const char *needs_whole(const void *p) {
    return ((const args *)p)->previous.count ? "--previous links its records with those of earlier releases" : NULL;
}

static const InParts in_parts = { .shape = BY_CLASS, .whole = needs_whole, .original_aside = true };

const Method risk_k_anonymity = { .group = "risk",
                                  .name = "k-anonymity",
                                  .summary = "Equivalence classes and k-anonymity: class sizes and sample uniques on the quasi-identifiers",
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
