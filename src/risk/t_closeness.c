/* t-closeness: how far the sensitive values of each class are from those of the whole table. Defined after Li, Li & Venkatasubramanian
 * 2007: docs/methods/risk-t-closeness.md. */
#include "base/elementary.h"
#include "classes/agreeing.h"
#include "classes/people_values.h"
#include "method/parts.h"

typedef struct {
    const Table *data;
    Columns keys, sensitive;
    unsigned distance;
    Tables hierarchies;
    const Column *person;
    unsigned missing;
} args;
static const Param params[] = {
    TABLE(args, data, "Table to examine", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    COLUMNS(args, sensitive, data, "Sensitive columns that the intruder wants to infer", .flags = REQUIRED),
    CHOICE(args, distance, "equal", "Ground distance between values", WORDS("equal", "ordered", "hierarchical", "numeric")),
    TABLES(args, hierarchies, "Folder of hierarchies, for the hierarchical distance", .flags = AS_TEXT, .role = "hierarchies"),
    ONLY_IF("hierarchies", "distance", "hierarchical"),
    PERSON(args, data),
    MISSING_RULE(args),
    END,
};
static const Return values[] = {
    VALUE(t, REAL, "Largest earth mover's distance of a class from the table, for the worst sensitive column, 0 to 1. Smaller is safer",
          .flags = PUBLIC | LESS),
    VALUE(mean_t, REAL, "Mean distance over records, for that column", .flags = PUBLIC),
    TABLE_OUT(sensitive, "sensitive:text t:real mean_t:real", "The same for each sensitive column", .flags = PUBLIC),
    RECORD(t, REAL, "Distance of its class's sensitive values from those of the table"),
    END,
};

typedef struct Distances {
    double t, mean;
    double *by_class;
} Distances;

/* sdcMicro's rule counts records. */
static bool counts_people(const args *a) { return a->person && a->missing == CATEGORY_RULE; }

static Status hierarchy_of(Run *run, const args *a, const Column *sensitive, Hierarchy *out) {
    bool found = false;
    Status status = hierarchy_find(&run->work, a->hierarchies.count, a->hierarchies.name, a->hierarchies.at, sensitive, out, &found);
    if (status || found) return status;
    fail(run->work.error, BAD, "there is no hierarchy for the sensitive column '%s'", sensitive->name);
    error_advice(run->work.error, "Put %s.csv into the folder of --hierarchies: one row per value, a column per level.", sensitive->name);
    return BAD;
}

/* The sensitive values of each class, and what records count for in the whole table: with a person each person once for each value. */
static Status count_values(Run *run, const args *a, const Classes *classes, const Codes *codes, Work *whole, ClassTallies *spread,
                           int64_t **people) {
    Status status = OK;
    Histories histories;
    PeopleValues values, all;
    int32_t *one = NULL;
    *whole = run->work;
    if (!counts_people(a)) {
        TRY(class_tallies_agreeing(&run->work, classes, a->missing, codes, spread));
        return OK;
    }
    TRY(histories_make(&run->work, classes, a->person, &histories));
    TRY(people_values_make(&run->work, classes->of, classes->count, classes->rows, &histories, codes, &values));
    NEW(&run->work, one, classes->rows + 1);
    TRY(people_values_make(&run->work, one, classes->rows ? 1 : 0, classes->rows, &histories, codes, &all));
    whole->times = all.times;
    *spread = values.tallies;
    *people = values.people;
done:
    return status;
}

static Status measure(Run *run, const args *a, const Classes *classes, const Column *sensitive, Distances *out) {
    Status status = OK;
    Codes codes;
    ClassTallies spread;
    Closeness closeness;
    Hierarchy hierarchy = { 0 };
    Work whole;
    double *scratch = NULL, counted = 0;
    int64_t *people = NULL;
    if (a->distance == NUMERIC_DISTANCE && !column_numeric(sensitive)) {
        fail(run->work.error, BAD, "the numeric distance needs numbers");
        TRY(error_column(run->work.error, sensitive->name));
    }
    TRY((a->distance == ORDERED_DISTANCE ? codes_along_line : column_codes)(&run->work, sensitive, &codes));
    if (a->distance == HIERARCHICAL_DISTANCE) TRY(hierarchy_of(run, a, sensitive, &hierarchy));
    TRY(count_values(run, a, classes, &codes, &whole, &spread, &people));
    TRY(closeness_make(&whole, (Distance)a->distance, sensitive, &codes, a->distance == HIERARCHICAL_DISTANCE ? &hierarchy : NULL,
                       &closeness));
    *out = (Distances){ 0 };
    NEW(&run->work, out->by_class, classes->count + 1);
    NEW(&run->work, scratch, closeness_scratch(&closeness) + 1);
    for (int64_t c = 0; c < classes->count; c++) counted += (double)(people ? people[c] : classes->size[c]);
    for (int64_t c = 0; c < classes->count; c++) {
        Tally tally = spread_tally(&spread, c);
        double t = out->by_class[c] = closeness_of(&closeness, &tally, scratch);
        if (t > out->t) out->t = t;
        out->mean += counted > 0 ? t * (double)(people ? people[c] : classes->size[c]) / counted : 0;
    }
done:
    return status;
}

static Status put_records(Run *run, const Classes *classes, const double *by_class) {
    Column *column = NULL;
    if (!run_wants(run, "t")) return OK;
    Status status = column_new(REAL_TYPE, "t", classes->rows, &column, run->work.error);
    for (int64_t i = 0; !status && i < classes->rows; i++) column->real[i] = by_class[classes->of[i]];
    if (!status) result_column(run->result, "data", column);
    return status;
}

static void put_histogram(Run *run, const Classes *classes, const double *by_class) {
    enum { BINS = 20 };
    double edge[BINS + 1], count[BINS] = { 0 };
    for (int i = 0; i <= BINS; i++) edge[i] = (double)i / BINS;
    for (int64_t c = 0; c < classes->count; c++) {
        int bin = (int)(by_class[c] * BINS);
        count[bin < BINS ? bin : BINS - 1] += (double)classes->size[c];
    }
    chart_series(result_chart(run->result, CHART_HISTOGRAM, "Records by distance of their class from the table", "t", "records"), "records",
                 BINS, edge, count, NULL, NULL);
}

static Status t_closeness_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Classes made;
    const Classes *classes = &made;
    Distances worst = { .t = -1 };
    TRY(classes_make_by(&run->work, a->keys, a->missing, &made));
    Grid *grid = grid_new(run->result, "sensitive", "sensitive:text t:real mean_t:real");
    for (int64_t j = 0; j < a->sensitive.count; j++) {
        Distances d;
        TRY(measure(run, a, classes, a->sensitive.at[j], &d));
        grid_text(grid, a->sensitive.at[j]->name);
        grid_real(grid, d.t);
        grid_real(grid, d.mean);
        if (d.t > worst.t) worst = d;
    }
    grid_done(grid);
    if (classes->count) result_real(run->result, "t", worst.t);
    else result_null(run->result, "t", "The table has no records.");
    result_real(run->result, "mean_t", classes->count ? worst.mean : NAN);
    put_histogram(run, classes, worst.by_class);
    TRY(put_records(run, classes, worst.by_class));
    result_note(run->result, "A missing sensitive value counts neither as a value nor as a record.");
    if (counts_people(a)) result_describe(run->result, "mean_t", "The mean distance over the people of each class, of that column", true);
    if (counts_people(a)) result_note(run->result, "People who have several records count once for each of their values.");
    else if (a->person) result_note(run->result, "By sdcMicro's rule records are counted, not people.");
    result_note(run->result, "%s", missing_rule_note(a->missing));
done:
    return status;
}

static const InParts in_parts = { .shape = BY_CLASS };

const Method risk_t_closeness = { .group = "risk",
                                  .name = "t-closeness",
                                  .summary = "t-closeness of sensitive values within equivalence classes (attribute disclosure)",
                                  .source = "Li, Li & Venkatasubramanian 2007",
                                  .params = params,
                                  .size = sizeof(args),
                                  .traits = FREQUENCY | ATTRIBUTE,
                                  .run = t_closeness_run,
                                  .parts = &in_parts,
                                  .headline = "-t",
                                  .values = values,
                                  .example = "scrim risk t-closeness examples/clinic.csv --keys sex,region --sensitive diagnosis",
                                  .instead = "attack inference" };
