/* Which columns of a table a synthesis may not draw. */
#include "synth/engine/direct_columns.h"
#include <string.h>
#include "profile/table_roles.h"

static bool named_in(Columns columns, const char *name) {
    for (int64_t j = 0; j < columns.count; j++)
        if (!strcmp(columns.at[j]->name, name)) return true;
    return false;
}

static bool is_named(const Column *column, const char *name) { return column && !strcmp(column->name, name); }

/* Dates are drawn between those of the data, and no value of a day names anybody by itself. */
static const char *by_guess(const Column *column, const RoleGuess *guess) {
    bool date = column->type == DATE_TYPE || column->type == DATETIME_TYPE;
    if (date || !guess->role) return NULL;
    bool direct = !strcmp(guess->role, "identifiers") || !strcmp(guess->role, "person") || !strcmp(guess->role, "notes");
    return direct ? guess->reason : NULL;
}

static const char *why_direct(const SynthArgs *a, const Column *column, const RoleGuess *guess) {
    if (named_in(a->identifiers, column->name)) return "a direct identifier by its role";
    if (named_in(a->notes, column->name)) return "free text by its role";
    if (is_named(a->person, column->name)) return "a person's number by its role";
    if (named_in(a->other, column->name)) return NULL;
    return by_guess(column, guess);
}

/* The parameter that says how a column is drawn; NULL where none does. */
static Status said_by(Run *run, const SynthArgs *a, const Column *column, const char **out) {
    Status status = OK;
    *out = named_in(a->visit, column->name) ? "visit" : named_in(a->strata, column->name) ? "strata" : NULL;
    if (!*out && named_in(a->keys, column->name)) *out = "keys";
    if (!*out && column == a->order) *out = "order";
    for (int64_t i = 0; i < a->models.count; i++)
        if (!strcmp(a->models.at[i].name, column->name)) *out = "models";
    for (int64_t i = 0; i < a->predictors.count; i++) {
        const Formula *formula;
        TRY(formula_parse(&run->work, a->data, a->predictors.at[i], &formula));
        for (int64_t k = 0; k < formula_columns(formula); k++)
            if (!strcmp(formula_column_at(formula, k), column->name)) *out = "predictors";
    }
done:
    return status;
}

Status direct_refuse(Run *run, const char *column, const char *parameter) {
    fail(run->work.error, BAD, "names people or is free text: its values are made up and not drawn");
    error_column(run->work.error, column);
    error_parameter(run->work.error, parameter);
    return error_advice(run->work.error, "Leave the column out, or name it in --other if it is harmless.");
}

Status direct_find(Run *run, const SynthArgs *a, DirectColumns *out) {
    Status status = OK;
    const Table *data = a->data;
    SuggestedRole *role = NULL;
    *out = (DirectColumns){ .table = data };
    NEW(&run->work, out->why, data->columns + 1);
    TRY(table_roles(&run->work, data, &role));
    for (int64_t j = 0; j < data->columns; j++) {
        const Column *column = data->column[j];
        const char *said = NULL, *why = why_direct(a, column, &role[j].guess);
        if (!why || column == a->weight || column == a->household) continue;
        TRY(said_by(run, a, column, &said));
        bool weak = role[j].guess.weak && why == role[j].guess.reason;
        if (said && weak) continue;
        if (said && strcmp(said, "keys")) TRY(direct_refuse(run, column->name, said));
        out->why[j] = why;
    }
done:
    return status;
}

Status direct_guess(Run *run, const SynthArgs *a, const Table *table, DirectColumns *out) {
    Status status = OK;
    *out = (DirectColumns){ .table = table };
    NEW(&run->work, out->why, table->columns + 1);
    for (int64_t j = 0; j < table->columns; j++) {
        const Column *column = table->column[j];
        Profile profile;
        RoleGuess guess;
        TRY(column_profile(&run->work, column, &profile));
        column_guess(column, &profile, &guess);
        const char *why = why_direct(a, column, &guess);
        if (why && guess.weak && why == guess.reason) why = NULL;
        out->why[j] = why;
    }
done:
    return status;
}

const char *direct_why(const DirectColumns *direct, const Column *column) {
    for (int64_t j = 0; j < direct->table->columns; j++)
        if (!strcmp(direct->table->column[j]->name, column->name)) return direct->why[j];
    return NULL;
}

Status direct_part(Run *run, SynthArgs *a, const DirectColumns *direct, Columns asked, Columns *rest) {
    Status status = OK;
    Columns made_up = { 0 };
    *rest = (Columns){ 0 };
    NEW(&run->work, rest->at, asked.count + 1);
    NEW(&run->work, made_up.at, a->made_up.count + asked.count + 1);
    for (int64_t j = 0; j < a->made_up.count; j++) made_up.at[made_up.count++] = a->made_up.at[j];
    for (int64_t j = 0; j < asked.count; j++) {
        Columns *to = direct_why(direct, asked.at[j]) ? &made_up : rest;
        to->at[to->count++] = asked.at[j];
    }
    a->made_up = made_up;
done:
    return status;
}

Status direct_say(Run *run, const SynthArgs *a, const DirectColumns *direct) {
    const char *text = NULL;
    for (int64_t j = 0; j < a->made_up.count; j++) {
        const Column *column = a->made_up.at[j];
        text = arena_print(run->work.arena, "%s%s%s (%s)", text ? text : "", text ? ", " : "", column->name, direct_why(direct, column));
        if (!text) return out_of_memory(run->work.error);
    }
    if (text)
        result_note(run->result, "%s: %s. Name in --other what is harmless.",
                    a->save_model ? "The model is without columns that name people or are free text"
                                  : "Values were made up for columns that name people or are free text",
                    text);
    return OK;
}

Status direct_leave_out(Run *run, SynthArgs *a) {
    Status status = OK;
    DirectColumns direct;
    Columns asked = a->vars, rest;
    if (!asked.count) asked = (Columns){ a->data->columns, (const Column **)a->data->column };
    TRY(direct_find(run, a, &direct));
    TRY(direct_part(run, a, &direct, asked, &rest));
    if (!a->made_up.count) return OK;
    a->vars = (Columns){ 0 };
    NEW(&run->work, a->vars.at, rest.count + 1);
    for (int64_t j = 0; j < rest.count; j++)
        if (rest.at[j] != a->weight) a->vars.at[a->vars.count++] = rest.at[j];
    if (!a->vars.count) {
        fail(run->work.error, BAD, "every column names people or is free text: nothing is left to synthesise");
        error_column(run->work.error, a->made_up.at[0]->name);
        TRY(error_advice(run->work.error, "Name in --other the columns that are harmless."));
    }
    Columns keys = { 0 };
    NEW(&run->work, keys.at, a->keys.count + 1);
    for (int64_t j = 0; j < a->keys.count; j++)
        if (!named_in(a->made_up, a->keys.at[j]->name)) keys.at[keys.count++] = a->keys.at[j];
    a->keys = keys;
    TRY(direct_say(run, a, &direct));
done:
    return status;
}

Status direct_refuse_expr(Run *run, const SynthArgs *a, const Expr *expr, const char *parameter) {
    for (int64_t k = 0; expr && k < expr_columns(expr); k++)
        if (named_in(a->made_up, expr_column_at(expr, k))) return direct_refuse(run, expr_column_at(expr, k), parameter);
    return OK;
}

Status direct_refuse_rules(Run *run, const SynthArgs *a, const EditRules *rules) {
    Status status = OK;
    for (int64_t r = 0; r < rules->count; r++) TRY(direct_refuse_expr(run, a, rules->denied[r], "rules"));
done:
    return status;
}

Status direct_name_kept(Run *run, const SynthArgs *a, Columns replaced, const char *parameter, DirectColumns *out) {
    Status status = OK;
    DirectColumns direct;
    const char *stay = NULL;
    TRY(direct_find(run, a, &direct));
    for (int64_t j = 0; j < a->data->columns; j++) {
        const Column *column = a->data->column[j];
        bool drawn = false;
        if (!direct.why[j]) continue;
        for (int64_t k = 0; k < replaced.count; k++) drawn |= replaced.at[k] == column;
        if (drawn) TRY(direct_refuse(run, column->name, parameter));
        stay = stay ? arena_print(run->work.arena, "%s, %s (%s)", stay, column->name, direct.why[j])
                    : arena_print(run->work.arena, "%s (%s)", column->name, direct.why[j]);
        if (!stay) TRY(out_of_memory(run->work.error));
    }
    if (stay)
        result_note(run->result,
                    "Columns that name people or are free text are not replaced and stay: %s. Remove them, give the people pseudonyms, or "
                    "name in --other what is harmless.",
                    stay);
    if (out) *out = direct;
done:
    return status;
}

Status direct_refuse_named(Run *run, const SynthArgs *a, Columns columns, const char *parameter) {
    Status status = OK;
    DirectColumns direct;
    TRY(direct_find(run, a, &direct));
    for (int64_t j = 0; j < columns.count; j++)
        if (direct_why(&direct, columns.at[j])) TRY(direct_refuse(run, columns.at[j]->name, parameter));
done:
    return status;
}
