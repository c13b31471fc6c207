/* Datafly: generalise the key with most values, step by step, then suppress the few that are still rare. Defined after Sweeney 1997:
 * docs/methods/protect-datafly.md. */
#include "method/parts.h"
#include "protect/generalize/node_check.h"
#include "protect/generalize/suppressed_class.h"

typedef struct {
    const Table *data;
    Columns keys;
    Tables hierarchies;
    int64_t k;
    double anonymity, max_suppression;
    bool keep_suppressed;
    const Column *person;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    HIERARCHIES(args, REQUIRED),
    INT(args, k, ABSENT, 2, 1000000000, "Smallest allowed equivalence class (k). Larger = more protection"),
    REAL(args, anonymity, NAN, 0, 1,
         "Degree of generalisation, instead of k: 0 = unchanged, 1 = every key fully generalised. Records below --k, if given, are "
         "suppressed"),
    REAL(args, max_suppression, 0, 0, 1, "Share of the records that may be suppressed"),
    FLAG(args, keep_suppressed, "Keep the suppressed records even if they are fewer than k. They are then a class below k"),
    PERSON(args, data),
    END,
};

static const Return values[] = {
    VALUE(suppressed, INTEGER, "Records whose keys were all suppressed", .flags = PUBLIC),
    VALUE(left_out, INTEGER, "Records with all keys missing that are left out, because as a class they are fewer than k", .flags = PUBLIC),
    VALUE(classes, INTEGER, "Equivalence classes in the release, apart from the class of suppressed records", .flags = PUBLIC),
    VALUE(smallest, INTEGER, "Records in the smallest equivalence class. Larger is safer", .flags = PUBLIC),
    VALUE(steps, INTEGER, "Generalisation steps", .flags = PUBLIC),
    TABLE_OUT(levels, "key:text level:integer levels:integer values:integer", "Final level of each key", .flags = PUBLIC),
    TABLE_OUT(trace, "step:integer key:text level:integer below_k:integer",
              "After each step: the generalised key, its new level, and the records still in classes below k", .flags = PUBLIC),
    RELEASED("The protected table"),
    END,
};

/* Distinct values of a key in the data, at its level. */
static Status distinct_values(Work *work, const Domain *d, int64_t level, int64_t *out) {
    Status status = OK;
    uint8_t *seen = NULL;
    NEW(work, seen, d->count[level]);
    *out = 0;
    for (int64_t i = 0; i < d->column->rows; i++) {
        uint8_t *at = &seen[d->value[level][domain_leaf(d, i)]];
        *out += !*at;
        *at = 1;
    }
done:
    arena_drop(work->arena, seen);
    return status;
}

/* The key with most distinct values that can still go up; the first of several. -1: none. */
static Status widest_key(Work *work, const Domains *domains, const uint8_t *level, int64_t *out) {
    Status status = OK;
    int64_t most = -1;
    *out = -1;
    for (int64_t key = 0; key < domains->count; key++) {
        int64_t distinct;
        if (level[key] + 1 >= domains->at[key].levels) continue;
        TRY(distinct_values(work, &domains->at[key], level[key], &distinct));
        if (distinct > most) {
            most = distinct;
            *out = key;
        }
    }
done:
    return status;
}

typedef struct {
    int64_t count, room;
    double *step, *outliers;
} Trace;

static Status take_step(Run *run, const Checker *checker, Scratch *scratch, uint8_t *level, int64_t key, Grid *grid, Trace *trace,
                        Outcome *outcome) {
    Status status = OK;
    Work *work = &run->work;
    int64_t room = trace->room;
    if (key >= 0) level[key]++;
    check_node(checker, scratch, &checker->all, level, outcome);
    grid_integer(grid, trace->count);
    grid_text(grid, key < 0 ? NULL : checker->domains->at[key].column->name);
    if (key < 0) grid_missing(grid);
    else grid_integer(grid, level[key]);
    grid_integer(grid, outcome->suppressed);
    GROW(work, trace->step, room, trace->count + 1);
    GROW(work, trace->outliers, trace->room, trace->count + 1);
    trace->step[trace->count] = (double)trace->count;
    trace->outliers[trace->count++] = (double)outcome->suppressed;
done:
    return status;
}

static Status generalise(Run *run, const args *a, const Checker *checker, Scratch *scratch, uint8_t *level, Trace *trace) {
    Status status = OK;
    Outcome outcome;
    int64_t height = 0, wanted, key = -1;
    Grid *grid = grid_new(run->result, "trace", "step:integer key:text level:integer below_k:integer");
    for (int64_t i = 0; i < checker->domains->count; i++) height += checker->domains->at[i].levels - 1;
    wanted = (int64_t)ceil(a->anonymity * (double)height - 1e-9);
    TRY(take_step(run, checker, scratch, level, -1, grid, trace, &outcome));
    while (isnan(a->anonymity) ? outcome.suppressed > checker->limit : trace->count - 1 < wanted) {
        TRY(work_check(&run->work));
        TRY(widest_key(&run->work, checker->domains, level, &key));
        if (key < 0) break;
        TRY(take_step(run, checker, scratch, level, key, grid, trace, &outcome));
    }
    if (isnan(a->anonymity) && outcome.suppressed > checker->limit) {
        fail(run->work.error, BAD, "with every key at its highest level %lld records are still in classes below k",
             (long long)outcome.suppressed);
        TRY(error_advice(run->work.error, "Hierarchies should end in one value, *. Otherwise allow more --max-suppression."));
    }
done:
    grid_done(grid);
    return status;
}

static void show(Run *run, const Checker *checker, const Scratch *scratch, const uint8_t *level, const Trace *trace, int64_t suppressed) {
    int64_t classes = 0;
    for (int64_t k = 0; k < scratch->classes; k++) classes += !scratch->fails[k];
    result_integer(run->result, "suppressed", suppressed);
    result_integer(run->result, "classes", classes);
    result_integer(run->result, "steps", trace->count - 1);
    Grid *grid = grid_new(run->result, "levels", "key:text level:integer levels:integer values:integer");
    for (int64_t key = 0; key < checker->domains->count; key++) {
        const Domain *d = &checker->domains->at[key];
        grid_text(grid, d->column->name);
        grid_integer(grid, level[key]);
        grid_integer(grid, d->levels);
        grid_integer(grid, d->count[level[key]]);
    }
    grid_done(grid);
    Chart *chart = result_chart(run->result, CHART_LINE, "Records in classes below k", "generalisation step", "records");
    chart_of(chart, "trace");
    chart_series(chart, "records", trace->count, trace->step, trace->outliers, NULL, NULL);
    result_note(run->result, "Missing keys: category. A missing key is a value of its own up to the level where all values are equal. A "
                             "suppressed record has no keys.");
    result_note(run->result, "Datafly is a greedy method and can generalise more than necessary. protect generalize finds the optimum.");
}

static Status datafly_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Domains domains;
    Checker checker;
    Scratch scratch;
    Trace trace = { 0 };
    SuppressedClass class;
    uint8_t level[KEYS_MOST] = { 0 }, *suppressed = NULL;
    int64_t wide[KEYS_MOST] = { 0 };
    Table *released = NULL;
    if (a->k == ABSENT && isnan(a->anonymity)) {
        fail(run->work.error, BAD, "nothing to do: give --k or --anonymity");
        return error_parameter(run->work.error, "k");
    }
    const Model model = { .k = a->k == ABSENT ? 1 : a->k, .l = NAN, .t = NAN, .c = NAN };
    TRY(domains_make(&run->work, a->keys, &a->hierarchies, NULL, &domains));
    TRY(checker_make(&run->work, &domains, &model, &a->hierarchies, LOSS, NULL, a->max_suppression, &checker));
    TRY(scratch_make(&run->work, &checker, &scratch));
    TRY(generalise(run, a, &checker, &scratch, level, &trace));
    NEW(&run->work, suppressed, a->data->rows);
    int64_t gone = failing_rows(&checker, &scratch, level, suppressed);
    for (int64_t key = 0; key < domains.count; key++) wide[key] = level[key];
    TRY(domains_release(&run->work, a->data, &domains, wide, suppressed, &released));
    TRY(suppressed_class(&run->work, &released, a->keys, model.k, (ClassRule){ 0 }, suppressed, a->keep_suppressed, &class));
    show(run, &checker, &scratch, level, &trace, gone);
    show_suppressed_class(run->result, &class, model.k);
    result_integer(run->result, "smallest", class.smallest);
    result_output(run->result, released);
    released = NULL;
done:
    table_release(released);
    return status;
}

static const InParts in_parts = { .shape = BY_CLASS };

const Method protect_datafly = { .group = "protect",
                                 .name = "datafly",
                                 .summary = "Datafly: greedy full-domain generalisation to k-anonymity",
                                 .source = "Sweeney 1997",
                                 .params = params,
                                 .size = sizeof(args),
                                 .traits = BY_PERSON | IDENTITY,
                                 .run = datafly_run,
                                 .parts = &in_parts,
                                 .values = values,
                                 .example = "scrim protect datafly examples/clinic.csv --keys sex,age,region,education --hierarchies "
                                            "examples/hierarchies --k 5 --max-suppression 0.02" };
