/* scrim inspect: what a file holds, and what each column would be to an intruder, with the reason. */
#include <string.h>
#include "method/method.h"
#include "table/guess.h"

typedef struct { const Table *data; } args;

static const Param params[] = {
    TABLE(args, data, "Table to look at", .flags = REQUIRED | POSITIONAL),
    END
};

/* The suggestion as a roles file would have it. */
static void say_roles(Run *run, const Table *data, const char *const *role) {
    static const char *const names[] = { "keys", "sensitive", "numeric", "weight", "household", "identifiers" };
    Grid *grid = grid_new(run->result, "roles", "role:text columns:text");
    for (size_t r = 0; r < sizeof names / sizeof *names; r++) {
        Buffer text = { 0 };
        bool single = !strcmp(names[r], "weight") || !strcmp(names[r], "household");
        for (int64_t j = 0; j < data->columns; j++)
            if (same_text(role[j], names[r]) && !(single && text.count)) buffer_print(&text, "%s%s", text.count ? ", " : "", data->column[j]->name);
        if (text.count) { grid_text(grid, names[r]); grid_text(grid, buffer_get(&text)); }
        buffer_free(&text);
    }
    grid_done(grid);
}

static int64_t with_reasons(const Column *column) {
    int64_t count = 0;
    for (int64_t i = 0; column->reason && i < column->rows; i++) count += column->reason[i] >= REASON_FIRST && column_missing(column, i);
    return count;
}

/* What an SPSS, Stata or SAS file says of its columns; other files say nothing. */
static void say_labels(Run *run, const Table *data) {
    bool any = false;
    for (int64_t j = 0; j < data->columns && !any; j++) {
        const About *about = data->column[j]->about;
        any = about && (about->label || about->labels || about->missing);
    }
    if (data->label) result_note(run->result, "The file's label: %s.", data->label);
    if (!any) return;
    Grid *grid = grid_new(run->result, "labels", "column:text label:text labelled_values:integer missing_for_a_reason:integer");
    for (int64_t j = 0; j < data->columns; j++) {
        const About *about = data->column[j]->about;
        grid_text(grid, data->column[j]->name);
        grid_text(grid, about ? about->label : NULL);
        grid_integer(grid, about ? about->labels : 0);
        grid_integer(grid, with_reasons(data->column[j]));
    }
    grid_done(grid);
}

/* Which columns a manifest beside the table says were changed at random. */
static void say_perturbed(Run *run, const Table *data) {
    Buffer names = { 0 };
    if (!data->perturbed) return;
    for (int64_t i = 0; i < data->columns; i++)
        if (data->altered[i]) buffer_print(&names, "%s%s", names.count ? ", " : "", data->column[i]->name);
    result_note(run->result, "A manifest beside this table, or its mark, says that it was perturbed: %s.", names.count ? buffer_get(&names) : "no column");
    buffer_free(&names);
}

static Status inspect_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    const Table *data = a->data;
    const char **role = NULL;
    int64_t missing = 0;
    NEW(&run->work, role, data->columns + 1);
    Grid *grid = grid_new(run->result, "profile", "column:text type:text missing:integer distinct:integer uniques:integer role:text reason:text");
    for (int64_t j = 0; j < data->columns; j++) {
        const Column *column = data->column[j];
        const char *reason = NULL;
        Profile about;
        work_show(&run->work, "columns", (double)j / (double)data->columns);
        TRY(work_check(&run->work));
        TRY(column_profile(&run->work, column, &about));
        role[j] = column_role(column, &about, &reason);
        grid_text(grid, column->name);
        grid_text(grid, type_name(column->type));
        grid_integer(grid, column->missing);
        grid_integer(grid, about.distinct);
        grid_integer(grid, about.uniques);
        grid_text(grid, role[j]);
        grid_text(grid, reason);
        missing += column->missing;
    }
    grid_done(grid);
    result_integer(run->result, "records", data->rows);
    result_integer(run->result, "columns", data->columns);
    result_integer(run->result, "missing", missing);
    say_labels(run, data);
    say_roles(run, data, role);
    result_note(run->result, "Roles are suggestions from names and counts; whoever knows the data decides. `uniques` are values that one record alone has; missing is no value.");
    say_perturbed(run, data);
done:
    return status;
}

static const Return values[] = {
    VALUE(records, INTEGER, "Records in the table", .flags = PUBLIC),
    VALUE(columns, INTEGER, "Columns in the table", .flags = PUBLIC),
    VALUE(missing, INTEGER, "Missing cells", .flags = PUBLIC),
    TABLE_OUT(profile, "column:text type:text missing:integer distinct:integer uniques:integer role:text reason:text", "Each column: its type, missing, distinct and unique values, and a suggested role with the reason"),
    TABLE_OUT(labels, "column:text label:text labelled_values:integer missing_for_a_reason:integer",
              "Where the file has labels: each variable's, how many of its values have one, and cells that the file gives a reason for being missing"),
    TABLE_OUT(roles, "role:text columns:text", "The suggested roles, as a roles file would have them"),
    END };

const Method verb_inspect = {
    .group = "verb", .name = "inspect", .summary = "Profile a file: types, missing, distinct and unique values, and suggested roles", .params = params, .size = sizeof(args),
    .run = inspect_run, .values = values, .example = "scrim inspect examples/clinic.csv"
};
