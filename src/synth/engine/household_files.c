/* Households in one file and their members in another: brought together to be learned from, and parted again when they are drawn. */
#include <string.h>
#include "synth/engine/direct_columns.h"
#include "synth/engine/households.h"
#include "classes/joint_codes.h"

static Status refuse(HouseholdModel *l, const char *column, int64_t row, const char *text) {
    Error *error = l->run->work.error;
    fail(error, BAD, "%s", text);
    error_parameter(error, "households");
    if (column) error_column(error, column);
    return row < 0 ? BAD : error_row(error, row);
}

/* Each household once, by the column that --household names; every member's is there. */
static Status match(HouseholdModel *l, const Column *id) {
    Status status = OK;
    Work *work = &l->run->work;
    const Column *member = l->args->household;
    JointCodes codes;
    int64_t *row = NULL;
    if (column_numeric(id) != column_numeric(member)) TRY(refuse(l, id->name, -1, "holds numbers in one file and words in the other"));
    TRY(joint_codes(work, id, member, INT64_MAX, 0, &codes));
    NEW(work, row, codes.count + 1);
    NEW(work, l->unit_of, member->rows + 1);
    for (int64_t c = 0; c < codes.count; c++) row[c] = -1;
    for (int64_t u = 0; u < id->rows; u++) {
        if (column_missing(id, u)) TRY(refuse(l, id->name, u, "has a household without a number"));
        if (row[codes.at[0][u]] >= 0) TRY(refuse(l, id->name, u, "names a household a second time"));
        row[codes.at[0][u]] = u;
    }
    for (int64_t i = 0; i < member->rows; i++) {
        l->unit_of[i] = column_missing(member, i) ? -1 : row[codes.at[1][i]];
        if (l->unit_of[i] < 0 && !column_missing(member, i)) TRY(refuse(l, id->name, -1, "lacks the household of a member"));
    }
done:
    return status;
}

/* What its household has, beside each member. */
static Status beside(HouseholdModel *l, const Column *id, Columns *added) {
    Status status = OK;
    Work *work = &l->run->work;
    const Table *data = l->args->data;
    Column **made = NULL;
    int64_t count = 0;
    SynthArgs own = *l->args;
    DirectColumns direct;
    Columns rest;
    own.made_up = (Columns){ 0 };
    TRY(direct_guess(l->run, &own, l->households, &direct));
    for (int64_t j = 0; j < l->households->columns; j++)
        if (l->households->column[j] == id) direct.why[j] = NULL;
    TRY(direct_part(l->run, &own, &direct, (Columns){ l->households->columns, (const Column **)l->households->column }, &rest));
    TRY(direct_say(l->run, &own, &direct));
    NEW(work, made, l->households->columns + 1);
    for (int64_t j = 0; j < l->households->columns; j++) {
        const Column *column = l->households->column[j];
        if (column == id || direct.why[j]) continue;
        if (table_column(data, column->name)) TRY(refuse(l, column->name, -1, "stands in both files"));
        TRY(column_take(column, l->unit_of, data->rows, &made[count], work->error));
        count++;
    }
    TRY(table_with(data, made, count, &l->joined, work->error));
    NEW(work, added->at, count + 1);
    for (int64_t j = 0; j < count; j++) added->at[added->count++] = table_column(l->joined, made[j]->name);
done:
    for (int64_t j = 0; made && j < count; j++) column_release(made[j]);
    return status;
}

Status linked_join(HouseholdModel *l) {
    Status status = OK;
    Work *work = &l->run->work;
    const SynthArgs *a = l->args;
    const Column *id = table_column(l->households, a->household->name);
    Columns added = { 0 }, vars = { 0 };
    if (!id) TRY(refuse(l, NULL, -1, "has no column of the name that --household gives"));
    if (!l->households->rows) TRY(refuse(l, NULL, -1, "is empty: nothing can be learned from it"));
    TRY(match(l, id));
    TRY(beside(l, id, &added));
    l->joined_args = *a;
    l->joined_args.data = l->joined;
    if (a->vars.count) { /* those of the members; households have all theirs */
        NEW(work, vars.at, a->vars.count + added.count + 1);
        for (int64_t j = 0; j < a->vars.count; j++) vars.at[vars.count++] = a->vars.at[j];
        for (int64_t j = 0; j < added.count; j++) vars.at[vars.count++] = added.at[j];
        l->joined_args.vars = vars;
    }
    l->args = &l->joined_args;
done:
    return status;
}

/* ---- and parted again ---- */

/* New households as their file has them: the number, in the type of the old, and its columns in order. */
static Status part_households(const HouseholdModel *l, const Table *units, int64_t set, Table **out) {
    Status status = OK;
    Work *work = &l->run->work;
    Column **made = NULL;
    int64_t count = 0;
    NEW(work, made, l->households->columns + 1);
    for (int64_t j = 0; j < l->households->columns; j++, count++) {
        const char *name = l->households->column[j]->name;
        bool number = !strcmp(name, l->args->household->name);
        const Column *drawn = table_column(units, name);
        if (!number && drawn) made[count] = column_retain(drawn);
        else if (!number) TRY(made_up_column(l->run, l->households->column[j], NULL, set * units->rows, units->rows, &made[count]));
        else TRY(number_households(work, l->households->column[j], NULL, units->rows, &made[count]));
    }
    TRY(table_new(l->households->name, made, count, units->rows, out, work->error));
done:
    for (int64_t j = 0; made && j < count; j++) column_release(made[j]);
    return status;
}

static Status part_members(const HouseholdModel *l, const Table *synthetic, int64_t set, Table **out) {
    Status status = OK;
    Work *work = &l->run->work;
    Table *members = NULL;
    const char **names = NULL;
    int64_t count = 0;
    NEW(work, names, l->households->columns + 1);
    for (int64_t j = 0; j < l->households->columns; j++)
        if (strcmp(l->households->column[j]->name, l->args->household->name)) names[count++] = l->households->column[j]->name;
    TRY(table_without(synthetic, names, count, &members, work->error));
    TRY(with_made_up(l->run, l->args, members, set, out));
done:
    table_release(members);
    return status;
}

/* Members and households of every set: M tables of each, one after the other, or one of each. */
Status linked_outputs(const HouseholdModel *l, Table **synthetic, Table **units) {
    Status status = OK;
    Work *work = &l->run->work;
    int64_t sets = l->args->m;
    Table **both = NULL, *one = NULL;
    NEW(work, both, 2 * sets + 1);
    for (int64_t k = 0; k < sets; k++) {
        TRY(part_members(l, synthetic[k], k, &both[k]));
        TRY(part_households(l, units[k], k, &both[sets + k]));
    }
    result_integer(l->run->result, "records", both[0]->rows);
    result_integer(l->run->result, "tables_made", 2 * sets);
    for (int t = 0; t < 2 && l->args->stacked; t++) {
        TRY(stack_tables(l->run, both + t * sets, sets, &one));
        result_output(l->run->result, one);
    }
    for (int64_t k = 0; k < sets && !l->args->stacked; k++)
        for (int t = 0; t < 2; t++) result_output(l->run->result, table_retain(both[t * sets + k]));
done:
    for (int64_t k = 0; both && k < 2 * sets; k++) table_release(both[k]);
    return status;
}
