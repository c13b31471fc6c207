/* l-diversity: how many sensitive values an intruder who has found a class must still choose among. Defined after Machanavajjhala et al.
 * 2007: docs/methods/risk-l-diversity.md. */
#include "base/elementary.h"
#include "classes/agreeing.h"
#include "classes/people_values.h"
#include "method/parts.h"

typedef struct {
    const Table *data;
    Columns keys, sensitive;
    unsigned definition;
    double c;
    Tables hierarchies;
    const Column *person;
    unsigned missing;
} args;
enum { DISTINCT, ENTROPY, RECURSIVE };
static const Param params[] = {
    TABLE(args, data, "Table to examine", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    COLUMNS(args, sensitive, data, "Sensitive columns that the intruder wants to infer", .flags = REQUIRED),
    CHOICE(args, definition, "distinct", "Definition of l", WORDS("distinct", "entropy", "recursive")),
    REAL(args, c, 2, 0, 1e9, "c of recursive (c,l)-diversity"),
    ONLY_IF("c", "definition", "recursive"),
    HIERARCHIES(args, 0),
    PERSON(args, data),
    MISSING_RULE(args),
    END,
};
static const Return values[] = {
    VALUE(l, REAL, "Smallest l over equivalence classes, for the worst sensitive column. 1 = a class shares one value; larger is safer",
          .flags = PUBLIC | MORE),
    VALUE(classes_below_2, INTEGER, "Classes of that column with l below 2. 0 = safe", .flags = PUBLIC),
    VALUE(records_below_2, INTEGER, "Records in these classes. 0 = safe", .flags = PUBLIC),
    TABLE_OUT(sensitive, "sensitive:text l:real classes_below_2:integer records_below_2:integer", "Smallest l for each sensitive column",
              .flags = PUBLIC),
    TABLE_OUT(levels, "sensitive:text level:integer values:integer l:real records_below_2:integer",
              "Smallest l at each level of the sensitive columns' hierarchies", .flags = PUBLIC),
    RECORD(l, REAL, "l of its class"),
    END,
};

/* sdcMicro's rule counts records. */
static bool counts_people(const args *a) { return a->person && a->missing == CATEGORY_RULE; }

static double l_of(const args *a, const Tally *tally, int64_t *scratch) {
    if (!tally->distinct) return NAN;
    if (a->definition == ENTROPY) return entropy_l(tally);
    return a->definition == RECURSIVE ? (double)recursive_l(tally, a->c, scratch) : (double)tally->distinct;
}

typedef struct Diversity {
    double l;
    int64_t classes_below, records_below;
    double *by_class;
} Diversity;

/* Where people have several values: the fewest values of which each person has one; entropy and (c, l) of one value for each. */
static double people_l(const args *a, const PeopleValues *values, int64_t c, int64_t *scratch) {
    const Tally tally = spread_tally(&values->chosen, c);
    if (a->definition != DISTINCT) return l_of(a, &tally, scratch);
    return values->people[c] ? (double)values->least[c] : NAN;
}

static Status diversity(Run *run, const args *a, const Classes *classes, const Codes *codes, Diversity *out) {
    Status status = OK;
    ClassTallies spread;
    PeopleValues values;
    Histories people;
    int64_t *scratch = NULL;
    const bool by_person = counts_people(a);
    if (by_person) TRY(histories_make(&run->work, classes, a->person, &people));
    if (by_person) TRY(people_values_make(&run->work, classes->of, classes->count, classes->rows, &people, codes, &values));
    else TRY(class_tallies_agreeing(&run->work, classes, a->missing, codes, &spread));
    *out = (Diversity){ .l = NAN };
    NEW(&run->work, out->by_class, classes->count + 1);
    NEW(&run->work, scratch, (by_person ? values.chosen.most_distinct : spread.most_distinct) + 1);
    for (int64_t c = 0; c < classes->count; c++) {
        const Tally tally = by_person ? (Tally){ 0 } : tally_present(spread_tally(&spread, c), codes->count);
        double l = out->by_class[c] = by_person ? people_l(a, &values, c, scratch) : l_of(a, &tally, scratch);
        if (l < 2) {
            out->classes_below++;
            out->records_below += classes->size[c];
        }
        if (!isnan(l) && !(l >= out->l)) out->l = l;
    }
done:
    return status;
}

/* The codes of a column at one level of its hierarchy. */
static Status level_codes(Run *run, const Hierarchy *hierarchy, int64_t level, const int32_t *leaf, const Codes *codes, int64_t rows,
                          Codes *out) {
    Status status = OK;
    int32_t *at = NULL;
    NEW(&run->work, at, rows + 1);
    for (int64_t i = 0; i < rows; i++) at[i] = codes->at[i] < 0 ? -1 : hierarchy->level[level].of[leaf[codes->at[i]]];
    *out = (Codes){ .count = hierarchy->level[level].count, .at = at };
done:
    return status;
}

static Status by_level(Run *run, const args *a, const Classes *classes, const Column *sensitive, const Codes *codes, Grid *grid) {
    Status status = OK;
    Hierarchy hierarchy;
    bool found = false;
    int32_t *leaf = NULL;
    TRY(hierarchy_find(&run->work, a->hierarchies.count, a->hierarchies.name, a->hierarchies.at, sensitive, &hierarchy, &found));
    if (!found) goto done;
    TRY(hierarchy_match(&run->work, &hierarchy, sensitive, codes, &leaf));
    for (int64_t level = 0; level < hierarchy.levels; level++) {
        Codes coarse;
        Diversity d;
        TRY(level_codes(run, &hierarchy, level, leaf, codes, a->data->rows, &coarse));
        TRY(diversity(run, a, classes, &coarse, &d));
        grid_text(grid, sensitive->name);
        grid_integer(grid, level);
        grid_integer(grid, hierarchy.level[level].count);
        grid_real(grid, d.l);
        grid_integer(grid, d.records_below);
    }
done:
    return status;
}

static Status put_records(Run *run, const Classes *classes, const double *by_class) {
    Column *column = NULL;
    if (!run_wants(run, "l")) return OK;
    Status status = column_new(REAL_TYPE, "l", classes->rows, &column, run->work.error);
    if (!status) status = column_need_valid(column, run->work.error);
    for (int64_t i = 0; !status && i < classes->rows; i++) {
        double l = by_class[classes->of[i]];
        if (isnan(l)) column_set_missing(column, i);
        else column->real[i] = l;
    }
    if (status) column_release(column);
    else result_column(run->result, "data", column);
    return status;
}

static Status l_diversity_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Classes made;
    const Classes *classes = &made;
    Diversity worst = { .l = NAN };
    double *least = NULL; /* per class, over the sensitive columns */
    TRY(classes_make_by(&run->work, a->keys, a->missing, &made));
    NEW(&run->work, least, classes->count + 1);
    for (int64_t c = 0; c < classes->count; c++) least[c] = NAN;
    Grid *grid = grid_new(run->result, "sensitive", "sensitive:text l:real classes_below_2:integer records_below_2:integer");
    Grid *levels = a->hierarchies.count
                       ? grid_new(run->result, "levels", "sensitive:text level:integer values:integer l:real records_below_2:integer")
                       : NULL;
    for (int64_t j = 0; j < a->sensitive.count; j++) {
        Codes codes;
        Diversity d;
        TRY(column_codes(&run->work, a->sensitive.at[j], &codes));
        TRY(diversity(run, a, classes, &codes, &d));
        if (levels) TRY(by_level(run, a, classes, a->sensitive.at[j], &codes, levels));
        grid_text(grid, a->sensitive.at[j]->name);
        grid_real(grid, d.l);
        grid_integer(grid, d.classes_below);
        grid_integer(grid, d.records_below);
        if (isnan(worst.l) || d.l < worst.l) worst = d;
        for (int64_t c = 0; c < classes->count; c++) least[c] = fmin(least[c], d.by_class[c]);
    }
    grid_done(grid);
    grid_done(levels);
    if (isnan(worst.l)) result_null(run->result, "l", "No class has a sensitive value.");
    else result_real(run->result, "l", worst.l);
    result_integer(run->result, "classes_below_2", worst.classes_below);
    result_integer(run->result, "records_below_2", worst.records_below);
    TRY(put_records(run, classes, least));
    result_note(run->result, "A missing sensitive value counts neither as a value nor as a record.");
    if (counts_people(a))
        result_note(run->result, "People who have several records count once for each of their values, and l is the fewest values of which "
                                 "each person of a class has one.");
    else if (a->person) result_note(run->result, "By sdcMicro's rule records are counted, not people.");
    result_note(run->result, "%s", missing_rule_note(a->missing));
done:
    return status;
}

static const InParts in_parts = { .shape = BY_CLASS };

const Method risk_l_diversity = { .group = "risk",
                                  .name = "l-diversity",
                                  .summary = "l-diversity of sensitive values within equivalence classes (attribute disclosure)",
                                  .source = "Machanavajjhala et al. 2007",
                                  .params = params,
                                  .size = sizeof(args),
                                  .traits = FREQUENCY | ATTRIBUTE,
                                  .run = l_diversity_run,
                                  .parts = &in_parts,
                                  .headline = "l",
                                  .values = values,
                                  .example = "scrim risk l-diversity examples/clinic.csv --keys sex,region --sensitive diagnosis",
                                  .instead = "attack inference" };
