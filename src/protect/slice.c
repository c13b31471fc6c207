/* protect.slice: the columns cut into slices, each released as a table of its own, its records in an order of their own. Defined after
 * Paass 1988: docs/methods/protect-slice.md. */
#include "base/number_text.h"
#include "method/method.h"
#include "classes/equivalence_class.h"
#include "classes/strata.h"

typedef struct {
    const Table *data;
    Groups groups;
    Columns strata;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    GROUPS(args, groups, data, "Slices: columns separated by commas, slices by semicolons (a,b;c,d)", .flags = REQUIRED),
    COLUMNS(args, strata, data, "Columns that every slice contains, so that slices can be compared by stratum"),
    END,
};

static bool among(const Column *column, Columns columns) {
    for (int64_t k = 0; k < columns.count; k++)
        if (columns.at[k] == column) return true;
    return false;
}

/* A column in two slices would link their records again. */
static Status check_groups(Run *run, const args *a) {
    Work *work = &run->work;
    if (run->common.where) { /* records that stay as they are would stay whole */
        fail(work->error, BAD, "cannot be used here: every record is sliced, or none");
        return error_parameter(work->error, "where");
    }
    if (a->groups.count < 2) {
        fail(work->error, BAD, "names one slice; at least two are needed");
        error_advice(work->error, "Put semicolons between the slices: --groups 'a,b;c,d'.");
        return error_parameter(work->error, "groups");
    }
    for (int64_t g = 0; g < a->groups.count; g++)
        for (int64_t k = 0; k < a->groups.at[g].count; k++) {
            const Column *column = a->groups.at[g].at[k];
            bool twice = among(column, a->strata);
            for (int64_t other = 0; other < g; other++) twice |= among(column, a->groups.at[other]);
            if (!twice) continue;
            fail(work->error, BAD, "is named twice: a column common to two slices links their records again");
            return error_column(work->error, column->name);
        }
    return OK;
}

/* The strata and the slice's columns; by name, so that a slice says nothing of the others. */
static Status slice_columns(Work *work, const args *a, int64_t g, Columns *out) {
    Status status = OK;
    *out = (Columns){ 0 };
    NEW(work, out->at, a->strata.count + a->groups.at[g].count + 1);
    for (int64_t k = 0; k < a->strata.count; k++) out->at[out->count++] = a->strata.at[k];
    for (int64_t k = 0; k < a->groups.at[g].count; k++) out->at[out->count++] = a->groups.at[g].at[k];
done:
    return status;
}

static Status make_slice(Run *run, const args *a, Columns columns, int64_t g, Table **out) {
    Status status = OK;
    Work *work = &run->work;
    char purpose[48];
    int64_t rows = a->data->rows, *order = NULL;
    Column **taken = NULL;
    size_t length = write_integer(g + 1, purpose);
    purpose[length] = 0;
    RandomStream stream = run_stream(run, purpose, "slice");
    NEW(work, order, rows + 1);
    NEW(work, taken, columns.count + 1);
    TRY(stream_permutation(work, &stream, rows, order));
    for (int64_t k = 0; k < columns.count; k++) TRY(column_take(columns.at[k], order, rows, &taken[k], work->error));
    TRY(table_new(a->data->name, taken, columns.count, rows, out, work->error));
    (*out)->reordered = true;
done:
    for (int64_t k = 0; taken && k < columns.count; k++) column_release(taken[k]);
    arena_drop(work->arena, order);
    return status;
}

static Status say_slice(Run *run, Grid *grid, Columns columns, int64_t g) {
    Status status = OK;
    Buffer names = { 0 };
    Classes classes;
    int64_t unique = 0;
    TRY(classes_make(&run->work, columns, &classes));
    for (int64_t c = 0; c < classes.count; c++) unique += classes.size[c] == 1;
    for (int64_t k = 0; k < columns.count; k++) buffer_print(&names, "%s%s", k ? ", " : "", columns.at[k]->name);
    grid_integer(grid, g + 1);
    grid_text(grid, buffer_get(&names));
    grid_integer(grid, classes.count);
    grid_integer(grid, unique);
done:
    buffer_free(&names);
    return status;
}

static void say_dropped(Run *run, const args *a) {
    Buffer names = { 0 };
    int64_t dropped = 0;
    for (int64_t j = 0; j < a->data->columns; j++) {
        bool kept = among(a->data->column[j], a->strata);
        for (int64_t g = 0; g < a->groups.count; g++) kept |= among(a->data->column[j], a->groups.at[g]);
        if (!kept) buffer_print(&names, "%s%s", dropped++ ? ", " : "", a->data->column[j]->name);
    }
    result_integer(run->result, "dropped", dropped);
    if (dropped) result_note(run->result, "In no slice, and not released: %s.", buffer_get(&names));
    buffer_free(&names);
}

/* Anyone who is alone in a stratum is found in every slice. */
static Status say_strata(Run *run, const args *a) {
    Status status = OK;
    Strata strata;
    int64_t least = a->data->rows, alone = 0;
    if (!a->strata.count) goto done;
    TRY(strata_make(&run->work, a->strata, a->data->rows, &strata));
    for (int64_t s = 0; s < strata.count; s++) {
        int64_t size = strata.start[s + 1] - strata.start[s];
        if (size < least) least = size;
        alone += size == 1;
    }
    result_integer(run->result, "smallest_stratum", least);
    result_integer(run->result, "linked", alone);
    if (alone)
        result_note(run->result, "Warning: %lld records are alone in their stratum, so their slices can be linked again.",
                    (long long)alone);
    result_note(run->result, "Missing strata are strata of their own.");
done:
    return status;
}

static Status slice_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    TRY(check_groups(run, a));
    Grid *grid = grid_new(run->result, "columns", "slice:integer columns:text classes:integer unique:integer");
    for (int64_t g = 0; g < a->groups.count; g++) {
        Columns columns;
        Table *slice = NULL;
        TRY(work_check(&run->work));
        TRY(slice_columns(&run->work, a, g, &columns));
        TRY(make_slice(run, a, columns, g, &slice));
        result_output(run->result, slice);
        TRY(say_slice(run, grid, columns, g));
    }
    grid_done(grid);
    result_integer(run->result, "slices", a->groups.count);
    result_integer(run->result, "records", a->data->rows);
    say_dropped(run, a);
    TRY(say_strata(run, a));
    result_note(run->result, "Within a slice everything is exact. Between slices nothing can be learned except from %s.",
                a->strata.count ? "the strata" : "the marginals");
done:
    return status;
}

static const Return values[] = {
    VALUE(slices, INTEGER, "Slices released", .flags = PUBLIC),
    VALUE(records, INTEGER, "Records in each", .flags = PUBLIC),
    TABLE_OUT(columns, "slice:integer columns:text classes:integer unique:integer",
              "Each slice: its columns, its distinct records, and those that are unique in it (missing is a value)", .flags = PUBLIC),
    VALUE(dropped, INTEGER, "Columns in no slice", .flags = PUBLIC),
    VALUE(smallest_stratum, INTEGER, "Records in the smallest stratum. Larger is safer", .flags = PUBLIC),
    VALUE(linked, INTEGER, "Records alone in their stratum, linkable across slices. 0 = safe", .flags = PUBLIC),
    RELEASED("One table per slice"),
    END,
};

const Method protect_slice = {
    .group = "protect",
    .name = "slice",
    .summary = "Slicing: release groups of columns as separate tables in independent random orders",
    .source = "Paass 1988",
    .params = params,
    .size = sizeof(args),
    .traits = RANDOM | IDENTITY | ATTRIBUTE,
    .run = slice_run,
    .values = values,
    .example = "scrim protect slice examples/clinic.csv --groups 'sex,age,region;income,visits;diagnosis,smoker'",
};
