/* Linked records: households with their members, subjects with their repeated measures. First the households, one record each: what all
 * members share, and how many they are. Then the members one after another, each drawn from what the household shares, its size, the
 * member's place in it and all that the member before had: what first members have from models of first members, the rest from models of
 * those that follow one. So a household is connected as a chain does; who is not next to another is tied to him through those between. */
#include "synth/engine/direct_columns.h"
#include "synth/engine/households.h"
#include <stdlib.h>
#include <string.h>

/* ---- who belongs together ---- */

typedef struct Placed {
    int32_t unit;
    double order;
    int64_t row;
} Placed;

static int by_place(const void *a, const void *b) {
    const Placed *x = a, *y = b;
    if (x->unit != y->unit) return x->unit < y->unit ? -1 : 1;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static Status refuse_missing(HouseholdModel *l, const Column *column, const char *parameter, const char *what) {
    Error *error = l->run->work.error;
    for (int64_t i = 0; i < column->rows; i++)
        if (column_missing(column, i)) {
            fail(error, BAD, "has a record without %s", what);
            error_parameter(error, parameter);
            error_column(error, column->name);
            return error_row(error, i);
        }
    return OK;
}

static Status gather(HouseholdModel *l) {
    Status status = OK;
    Work *work = &l->run->work;
    const Column *id = l->args->household;
    int64_t rows = id->rows;
    Codes codes;
    Placed *placed = NULL;
    TRY(refuse_missing(l, id, "household", "a household"));
    if (l->order) TRY(refuse_missing(l, l->order, "order", "a place in the order"));
    TRY(column_codes(work, id, &codes));
    l->units = l->households ? l->households->rows : codes.count;
    NEW(work, placed, rows + 1);
    NEW(work, l->row, rows + 1);
    NEW(work, l->start, l->units + 2);
    for (int64_t i = 0; i < rows; i++)
        placed[i] = (Placed){ l->households ? (int32_t)l->unit_of[i] : codes.at[i], l->order ? column_number(l->order, i) : 0, i };
    qsort(placed, (size_t)rows, sizeof *placed, by_place);
    for (int64_t i = 0; i < rows; i++) {
        l->row[i] = placed[i].row;
        l->start[placed[i].unit + 1] = i + 1;
    }
    for (int64_t u = 0; u < l->units; u++)
        if (l->start[u + 1] < l->start[u]) l->start[u + 1] = l->start[u];
    for (int64_t u = 0; u < l->units; u++) l->empty += l->start[u + 1] == l->start[u];
    if (l->empty && l->args->weight) {
        fail(work->error, BAD, "a household without a member has no weight");
        TRY(error_parameter(work->error, "weight"));
    }
    for (int64_t u = 0; u < l->units; u++)
        if (l->start[u + 1] - l->start[u] > l->longest) l->longest = l->start[u + 1] - l->start[u];
    arena_drop(work->arena, placed);
done:
    return status;
}

static bool is_shared(const HouseholdModel *l, const Codes *codes) {
    for (int64_t u = 0; u < l->units; u++)
        for (int64_t i = l->start[u] + 1; i < l->start[u + 1]; i++)
            if (codes->at[l->row[i]] != codes->at[l->row[i - 1]]) return false;
    return true;
}

static Status split_columns(HouseholdModel *l) {
    Status status = OK;
    Work *work = &l->run->work;
    const Table *data = l->args->data;
    Columns vars = l->args->vars.count ? l->args->vars : (Columns){ data->columns, (const Column **)data->column };
    NEW(work, l->shared.at, vars.count + 1);
    NEW(work, l->own.at, vars.count + 1);
    for (int64_t j = 0; j < vars.count; j++) {
        Codes codes;
        if (vars.at[j] == l->args->household || vars.at[j] == l->args->weight) continue;
        TRY(column_codes(work, vars.at[j], &codes));
        bool household = l->households && table_column(l->households, vars.at[j]->name);
        bool may = household || !l->empty; /* what members share, a household without one cannot have */
        Columns *level = vars.at[j] != l->order && may && is_shared(l, &codes) ? &l->shared : &l->own;
        level->at[level->count++] = vars.at[j];
        codes_drop(work, vars.at[j], &codes);
    }
done:
    return status;
}

static bool among(Columns columns, const char *name) {
    for (int64_t j = 0; j < columns.count; j++)
        if (!strcmp(columns.at[j]->name, name)) return true;
    return false;
}

static const char *free_name(HouseholdModel *l, const char *name) {
    while (name && table_column(l->args->data, name)) name = arena_print(l->run->work.arena, "%s_", name);
    return name;
}

/* ---- what is asked of each level ---- */

static Status split_rules(HouseholdModel *l) {
    Status status = OK;
    Work *work = &l->run->work;
    if (!l->args->rules) return OK;
    TRY(edit_rules_make(work, l->args->rules, l->args->data, &l->rules));
    TRY(direct_refuse_rules(l->run, l->args, &l->rules));
    NEW(work, l->unit_rules.name, l->rules.count + 1);
    NEW(work, l->unit_rules.denied, l->rules.count + 1);
    for (int64_t r = 0; r < l->rules.count; r++) {
        const Expr *rule = l->rules.denied[r];
        bool shared = true;
        for (int64_t i = 0; i < expr_columns(rule); i++) {
            const char *name = expr_column_at(rule, i);
            shared &= among(l->shared, name);
            if (l->order && !strcmp(name, l->order->name)) {
                fail(work->error, BAD, "a rule reads '%s', which is put together from steps once all records are drawn", name);
                TRY(error_parameter(work->error, "rules"));
            }
        }
        if (!shared) continue;
        l->unit_rules.name[l->unit_rules.count] = l->rules.name[r];
        l->unit_rules.denied[l->unit_rules.count++] = rule;
    }
done:
    return status;
}

static bool is_of_units(const HouseholdModel *l, const char *name) { return among(l->shared, name) || !strcmp(name, l->size); }

/* "income ~ age", "`net income` ~ age": the column that is predicted. */
static const char *left_of(Work *work, const char *text) {
    text += strspn(text, " ");
    bool quoted = *text == '`';
    return arena_print(work->arena, "%.*s", (int)strcspn(text + quoted, quoted ? "`" : " ~"), text + quoted);
}

/* --visit, --predictors and --models, each for the level of its column. */
static Status split_wishes(HouseholdModel *l, SynthArgs *level, bool of_units) {
    Status status = OK;
    Work *work = &l->run->work;
    const SynthArgs *a = l->args;
    NEW(work, level->visit.at, a->visit.count + 1);
    NEW(work, level->predictors.at, a->predictors.count + 1);
    NEW(work, level->models.at, a->models.count + 1);
    level->visit.count = level->predictors.count = level->models.count = 0;
    for (int64_t j = 0; j < a->visit.count; j++)
        if (is_of_units(l, a->visit.at[j]->name) == of_units) level->visit.at[level->visit.count++] = a->visit.at[j];
    for (int64_t i = 0; i < a->models.count; i++)
        if (is_of_units(l, a->models.at[i].name) == of_units) level->models.at[level->models.count++] = a->models.at[i];
    for (int64_t i = 0; i < a->predictors.count; i++) {
        const char *text = a->predictors.at[i], *left = left_of(work, text);
        if (!left) TRY(out_of_memory(work->error));
        if (is_of_units(l, left) == of_units) level->predictors.at[level->predictors.count++] = text;
    }
done:
    return status;
}

/* ---- tables to learn from ---- */

Status whole_numbers(Work *work, const char *name, int64_t rows, Column **out) {
    return column_new(INTEGER_TYPE, name, rows, out, work->error);
}

static Status make_unit_data(HouseholdModel *l) {
    Status status = OK;
    Work *work = &l->run->work;
    Column **made = NULL;
    int64_t *first = NULL, count = 0;
    NEW(work, made, l->shared.count + 2);
    NEW(work, first, l->units + 1);
    for (int64_t u = 0; u < l->units; u++) first[u] = l->start[u] < l->start[u + 1] ? l->row[l->start[u]] : -1;
    for (int64_t j = 0; j < l->shared.count; j++, count++) {
        const Column *own = l->households ? table_column(l->households, l->shared.at[j]->name) : NULL;
        if (own) made[count] = column_retain(own);
        else TRY(column_take(l->shared.at[j], first, l->units, &made[count], work->error));
    }
    TRY(whole_numbers(work, l->size, l->units, &made[count]));
    count++;
    for (int64_t u = 0; u < l->units; u++) made[count - 1]->integer[u] = l->start[u + 1] - l->start[u];
    TRY(table_new(l->args->data->name, made, count, l->units, &l->unit_data, work->error));
    if (l->args->weight) TRY(column_take(l->args->weight, first, l->units, &l->unit_weight, work->error));
done:
    for (int64_t j = 0; made && j < count; j++) column_release(made[j]);
    return status;
}

/* How far each is from the one before it; of the first the value itself. */
static Status steps(HouseholdModel *l, Column **out) {
    Status status = OK;
    Work *work = &l->run->work;
    const Column *order = l->order;
    TRY(column_new(order->type == REAL_TYPE ? REAL_TYPE : INTEGER_TYPE, order->name, order->rows, out, work->error));
    for (int64_t u = 0; u < l->units; u++)
        for (int64_t i = l->start[u]; i < l->start[u + 1]; i++) {
            double step = column_number(order, l->row[i]) - (i > l->start[u] ? column_number(order, l->row[i - 1]) : 0);
            if (order->type == REAL_TYPE) (*out)->real[i] = step;
            else (*out)->integer[i] = (int64_t)step;
        }
done:
    return status;
}

/* What the member before had of each own column but the order. */
static Status make_lags(HouseholdModel *l, Column **made, int64_t *count) {
    Status status = OK;
    Work *work = &l->run->work;
    int64_t rows = l->args->data->rows, *before = NULL;
    NEW(work, before, rows + 1);
    for (int64_t u = 0; u < l->units; u++)
        for (int64_t i = l->start[u]; i < l->start[u + 1]; i++) before[i] = i > l->start[u] ? l->row[i - 1] : -1;
    for (int64_t j = 0; j < l->own.count; j++) {
        Column *taken = NULL;
        const char *name = free_name(l, arena_print(work->arena, "previous_%s", l->own.at[j]->name));
        if (l->own.at[j] == l->order) continue;
        if (!name) TRY(out_of_memory(work->error));
        TRY(column_take(l->own.at[j], before, rows, &taken, work->error));
        status = column_rename(taken, name, &made[*count], work->error);
        column_release(taken);
        if (status) goto done;
        ++*count;
    }
done:
    return status;
}

static Status make_member_data(HouseholdModel *l) {
    Status status = OK;
    Work *work = &l->run->work;
    int64_t rows = l->args->data->rows, count = 0;
    Column **made = NULL;
    NEW(work, made, 2 * l->own.count + l->shared.count + 4);
    for (int64_t j = 0; j < l->own.count; j++, count++) {
        if (l->own.at[j] == l->order) TRY(steps(l, &made[count]));
        else TRY(column_take(l->own.at[j], l->row, rows, &made[count], work->error));
    }
    for (int64_t j = 0; j < l->shared.count; j++, count++) TRY(column_take(l->shared.at[j], l->row, rows, &made[count], work->error));
    for (int k = 0; k < 3; k++, count++) TRY(whole_numbers(work, k == 0 ? l->size : k == 1 ? l->place : l->first, rows, &made[count]));
    for (int64_t u = 0; u < l->units; u++)
        for (int64_t i = l->start[u]; i < l->start[u + 1]; i++) {
            made[count - 3]->integer[i] = l->start[u + 1] - l->start[u];
            made[count - 2]->integer[i] = i - l->start[u] + 1;
            made[count - 1]->integer[i] = i == l->start[u];
        }
    TRY(make_lags(l, made, &count));
    TRY(table_new(l->args->data->name, made, count, rows, &l->member_data, work->error));
    if (l->args->weight) TRY(column_take(l->args->weight, l->row, rows, &l->member_weight, work->error));
done:
    for (int64_t j = 0; made && j < count; j++) column_release(made[j]);
    return status;
}

/* ---- models ---- */

static Status learn(Synthesis *s, Run *run, const SynthArgs *args, Columns drawn, Columns known, EditRules rules) {
    Status status = OK;
    TRY(synthesis_plan(s, run, args, drawn, known));
    s->rules = rules;
    TRY(choose_models(s));
    TRY(synthesis_fit(s));
done:
    return status;
}

static Status learn_units(HouseholdModel *l) {
    Status status = OK;
    SynthArgs *a = &l->unit_args;
    *a = *l->args;
    TRY(split_wishes(l, a, true));
    a->data = l->unit_data;
    a->weight = l->unit_weight;
    a->rules = NULL;
    Columns all = { l->unit_data->columns, (const Column **)l->unit_data->column };
    TRY(learn(&l->unit, l->run, a, all, (Columns){ 0 }, l->unit_rules));
done:
    return status;
}

static Status link_lags(HouseholdModel *l) {
    Status status = OK;
    Work *work = &l->run->work;
    int64_t next = l->own.count + l->shared.count + 3; /* where the lags stand in member_data */
    NEW(work, l->lag, l->own.count + 1);
    NEW(work, l->lag_state, l->own.count + 1);
    for (int64_t j = 0; j < l->own.count; j++) {
        l->lag[j] = -1;
        if (l->own.at[j] == l->order) continue;
        l->lag[j] = synthesis_find(&l->member, l->member_data->column[next++]->name);
        NEW(work, l->lag_state[j], l->args->data->rows + 1);
        TRY(variable_states_of(work, &l->member.variable[l->lag[j]], l->member_data->column[j], l->lag_state[j]));
    }
done:
    return status;
}

static Status learn_members(HouseholdModel *l) {
    Status status = OK;
    Work *work = &l->run->work;
    SynthArgs *a = &l->member_args;
    Columns drawn = { l->own.count, (const Column **)l->member_data->column }, known = { 0 }, first = { 0 };
    *a = *l->args;
    TRY(split_wishes(l, a, false));
    a->data = l->member_data;
    a->weight = l->member_weight;
    a->rules = NULL;
    NEW(work, known.at, l->member_data->columns + 1);
    NEW(work, first.at, 1);
    for (int64_t j = l->own.count; j < l->member_data->columns; j++) {
        if (strcmp(l->member_data->column[j]->name, l->first)) known.at[known.count++] = l->member_data->column[j];
        else first.at[first.count++] = l->member_data->column[j];
    }
    a->strata = first;
    TRY(learn(&l->member, l->run, a, drawn, known, l->rules));
    TRY(link_lags(l));
done:
    return status;
}

static Status check(const HouseholdModel *l) {
    const SynthArgs *a = l->args;
    Error *error = l->run->work.error;
    if (a->strata.count) {
        fail(error, BAD, "households are drawn whole, and not in strata");
        return error_parameter(error, "strata");
    }
    if (a->order && !column_numeric(a->order) && a->order->type != DATE_TYPE) {
        fail(error, BAD, "expects numbers or dates, and the column has %s", type_values(a->order->type));
        error_parameter(error, "order");
        return error_column(error, a->order->name);
    }
    return a->data->rows ? OK : fail(error, BAD, "the table is empty: nothing can be learned from it");
}

Status linked_learn(HouseholdModel *l) {
    Status status = OK;
    TRY(check(l));
    TRY(gather(l));
    TRY(split_columns(l));
    l->size = free_name(l, "members");
    l->place = free_name(l, "member");
    l->first = free_name(l, "first_member");
    if (!l->size || !l->place || !l->first) TRY(out_of_memory(l->run->work.error));
    TRY(split_rules(l));
    TRY(make_unit_data(l));
    TRY(make_member_data(l));
    TRY(learn_units(l));
    TRY(learn_members(l));
done:
    return status;
}

void linked_free(HouseholdModel *l) {
    synthesis_free(&l->unit);
    synthesis_free(&l->member);
    table_release(l->unit_data);
    table_release(l->member_data);
    column_release(l->unit_weight);
    column_release(l->member_weight);
    table_release(l->joined);
}
