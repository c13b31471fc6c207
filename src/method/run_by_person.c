/* By person: a method that changes or draws people runs on one record of each, and all records of a person get what that one was given.
 * Where keys vary within people it runs on one record for each of a person's combinations of them. */
#include <stdlib.h>
#include <string.h>
#include "method/run_private.h"
#include "table/column_cache.h"
#include "table/group.h"

typedef struct ByPerson {
    Frame *frame;
    Work *work;
    const Table *data;
    const Column *person, **used; /* the columns that the arguments name, the person's left out */
    int64_t columns, varying, people;
    bool *varies;
    int32_t *who;   /* row → person; a record that is nobody's is a person of its own */
    int32_t *whose; /* row of the output → person */
    Grouping units;
    bool classes; /* it makes classes of k people by keys */
} ByPerson;

const Column *bound_person(const Binding *b) {
    if (!(b->method->traits & BY_PERSON) || b->session->by_person) return NULL;
    for (const Param *p = b->method->params; p && p->kind; p++)
        if (p->kind == KIND_COLUMN && param_is(p, "person")) return *(const Column *const *)(const void *)(b->args + p->offset);
    return NULL;
}

static Status number_people(ByPerson *x) {
    Status status = OK;
    Codes codes;
    TRY(column_codes(x->work, x->person, &codes));
    NEW(x->work, x->who, x->data->rows + 1);
    x->people = codes.count;
    for (int64_t i = 0; i < x->data->rows; i++) x->who[i] = codes.at[i] >= 0 ? codes.at[i] : (int32_t)x->people++;
done:
    return status;
}

/* ---- what varies within people ---- */

static Status look_at_column(ByPerson *x, int64_t j) {
    Status status = OK;
    Codes codes;
    int32_t *first = NULL; /* person → the code met first, plus 2 */
    uint8_t *several = NULL, *differs = NULL;
    int64_t more = 0, disagree = 0;
    TRY(column_codes(x->work, x->used[j], &codes));
    NEW(x->work, first, x->people + 1);
    NEW(x->work, several, x->people + 1);
    NEW(x->work, differs, x->people + 1);
    for (int64_t i = 0; i < x->data->rows; i++) {
        const int32_t who = x->who[i];
        if (!first[who]) first[who] = codes.at[i] + 2;
        else several[who] = 1;
        if (first[who] != codes.at[i] + 2) differs[who] = 1;
    }
    for (int64_t p = 0; p < x->people; p++) {
        more += several[p];
        disagree += differs[p];
    }
    x->varies[j] = disagree > 0;
    x->varying += x->varies[j];
    if (disagree && disagree * 20 <= more)
        result_note(x->frame->result,
                    "%s is the same in all records of a person, save for %lld of %lld people with several records. Is that an error?",
                    x->used[j]->name, (long long)disagree, (long long)more);
done:
    arena_drop(x->work->arena, first);
    arena_drop(x->work->arena, several);
    arena_drop(x->work->arena, differs);
    return status;
}

static void add_used(ByPerson *x, const Column *bound) {
    const Column *column = bound ? table_column(x->data, bound->name) : NULL;
    if (!column || !strcmp(column->name, x->person->name)) return;
    for (int64_t j = 0; j < x->columns; j++)
        if (x->used[j] == column) return;
    x->used[x->columns++] = column;
}

/* What is asked of sensitive values holds of one value for each person alone. */
static Status check_sensitive(ByPerson *x, const Column *column) {
    static const char *const asked[] = { "l", "t", NULL };
    const int64_t columns = x->columns, varying = x->varying;
    if (!args_any(x->frame->binding.given, asked)) return OK;
    x->used[x->columns++] = column;
    Status status = look_at_column(x, columns);
    x->columns = columns;
    if (status || x->varying == varying) return status;
    fail(x->work->error, BAD, "differs between records of one person, and l or t by person are of one value for each");
    error_advice(x->work->error, "Make a column that says of each person what must not be learned, or leave l and t out and measure them.");
    return error_column(x->work->error, column->name);
}

static Status look_at_columns(ByPerson *x) {
    Status status = OK;
    const Binding *b = &x->frame->binding;
    NEW(x->work, x->used, x->data->columns + 2);
    NEW(x->work, x->varies, x->data->columns + 2);
    for (const Param *p = b->method->params; p && p->kind; p++) {
        const void *field = b->args + p->offset;
        const Columns *some = field;
        const Groups *groups = field;
        const bool sensitive = p->kind == KIND_COLUMNS && param_is(p, "sensitive");
        if (p->kind == KIND_COLUMN) add_used(x, *(const Column *const *)field);
        for (int64_t i = 0; p->kind == KIND_COLUMNS && i < some->count; i++) {
            if (sensitive) TRY(check_sensitive(x, some->at[i]));
            else add_used(x, some->at[i]);
        }
        for (int64_t g = 0; p->kind == KIND_GROUPS && g < groups->count; g++)
            for (int64_t i = 0; i < groups->at[g].count; i++) add_used(x, groups->at[g].at[i]);
    }
    for (int64_t j = 0; j < x->columns; j++) TRY(look_at_column(x, j));
done:
    return status;
}

static Status cannot_vary(const ByPerson *x) {
    int64_t j = 0, constant = x->columns - x->varying;
    while (!x->varies[j]) j++;
    fail(x->work->error, BAD, "differs between records of one person");
    if (constant)
        error_advice(x->work->error, "By person, columns that vary and columns that do not are changed in steps of their own. Name them "
                                     "apart.");
    else error_advice(x->work->error, "Name a column that is the same in all records of a person.");
    return error_column(x->work->error, x->used[j]->name);
}

/* ---- one record for each ---- */

static Status make_units(ByPerson *x) {
    Status status = OK;
    Codes *codes = NULL;
    int64_t count = 1;
    NEW(x->work, codes, x->columns + 1);
    codes[0] = (Codes){ .count = (int32_t)x->people, .at = x->who };
    for (int64_t j = 0; j < x->columns; j++)
        if (x->varies[j]) TRY(column_codes(x->work, x->used[j], &codes[count++]));
    TRY(group_codes(x->work, codes, count, x->data->rows, &x->units));
done:
    return status;
}

static Status unit_table(const ByPerson *x, Table **out) {
    Status status = OK;
    int64_t *rows = NULL;
    Table *taken = NULL;
    NEW(x->work, rows, x->units.count + 1);
    for (int64_t u = 0; u < x->units.count; u++) rows[u] = x->units.first[u];
    TRY(table_take(x->data, rows, x->units.count, &taken, x->work->error));
    TRY(table_new(x->data->name, taken->column, taken->columns, taken->rows, out, x->work->error)); /* its own rows are its origin */
    (*out)->perturbed = x->data->perturbed;
    if (taken->columns) memcpy((*out)->altered, x->data->altered, (size_t)taken->columns * sizeof *taken->altered);
done:
    table_release(taken);
    arena_drop(x->work->arena, rows);
    return status;
}

/* The arguments without the filter, which is done with, of the table of units. */
static Status unit_args(const ByPerson *x, const Args *from, Table **units, Args *out) {
    Status status = OK;
    const Method *method = x->frame->binding.method;
    Arg *list = NULL;
    int64_t count = 0, given = from ? from->count : 0;
    NEW(x->work, list, given + 2);
    for (int64_t i = 0; i < given; i++) {
        const char *name = from->at[i].name;
        const Param *param = method_param(method, name);
        if (!strcmp(name, "where")) continue;
        if (units && param && param->kind == KIND_TABLE && param_is(param, "data")) continue;
        list[count++] = from->at[i];
    }
    if (units) list[count++] = (Arg){ .name = "data", .count = 1, .tables = units };
    *out = (Args){ count, list };
done:
    return status;
}

static Status run_units(const ByPerson *x, Table *units, Result **out) {
    Status status = OK;
    Session session = *x->frame->binding.session;
    Args given, roles;
    session.memo = NULL;
    session.by_person = true;
    session.print = NULL;
    TRY(unit_args(x, x->frame->binding.given, &units, &given));
    TRY(unit_args(x, x->frame->binding.roles, NULL, &roles));
    TRY(method_run(&session, x->frame->binding.method, &given, &roles, out, x->work->error));
done:
    return status;
}

/* ---- back to all records ---- */

/* The output's row of each unit, -1 where it has none. */
static Status places_of_units(const ByPerson *x, const Table *made, int64_t **out) {
    Status status = OK;
    NEW(x->work, *out, x->units.count + 1);
    for (int64_t u = 0; u < x->units.count; u++) (*out)[u] = -1;
    for (int64_t i = 0; i < made->rows; i++) {
        const int64_t unit = made->origin ? made->origin[i] : i;
        if (unit < 0 || unit >= x->units.count) TRY(fail(x->work->error, BAD, "records that were made new belong to no person"));
        if ((*out)[unit] >= 0) TRY(fail(x->work->error, BAD, "a person was drawn twice, which cannot be told from two people"));
        (*out)[unit] = i;
    }
done:
    return status;
}

typedef struct Spread {
    int64_t count, *row, *place, *unit; /* kept records: in the data, in the output of units, in the units */
} Spread;

static Status spread_rows(const ByPerson *x, const int64_t *place, Spread *out) {
    Status status = OK;
    NEW(x->work, out->row, x->data->rows + 1);
    NEW(x->work, out->place, x->data->rows + 1);
    NEW(x->work, out->unit, x->data->rows + 1);
    for (int64_t i = 0; i < x->data->rows; i++) {
        const int32_t unit = x->units.of[i];
        if (place[unit] < 0) continue;
        out->row[out->count] = i;
        out->unit[out->count] = unit;
        out->place[out->count++] = place[unit];
    }
done:
    return status;
}

/* A column that the method left alone is each record's own; one that it changed is the unit's. */
static Status spread_column(const ByPerson *x, const Table *units, const Column *made, const int64_t *made_of, const Spread *s,
                            int64_t rows, Column **out) {
    Status status = OK;
    const Column *before = table_column(units, made->name), *own = table_column(x->data, made->name);
    Column *aligned = NULL;
    bool same = false;
    if (before) {
        TRY(column_take(before, made_of, rows, &aligned, x->work->error));
        same = column_equal(aligned, made);
    }
    if (same) TRY(column_take(own, s->row, s->count, out, x->work->error));
    else TRY(column_take(made, s->place, s->count, out, x->work->error));
done:
    column_release(aligned);
    return status;
}

static Status spread_table(ByPerson *x, const Table *units, const Table *made, Table **out) {
    Status status = OK;
    int64_t *place = NULL, *made_of = NULL, count = 0;
    Spread s = { 0 };
    Column **column = NULL;
    TRY(places_of_units(x, made, &place));
    TRY(spread_rows(x, place, &s));
    NEW(x->work, made_of, made->rows + 1);
    for (int64_t u = 0; u < x->units.count; u++)
        if (place[u] >= 0) made_of[place[u]] = u;
    NEW(x->work, column, made->columns + 1);
    for (; count < made->columns; count++) TRY(spread_column(x, units, made->column[count], made_of, &s, made->rows, &column[count]));
    TRY(table_new(x->data->name, column, count, s.count, out, x->work->error));
    NEW(x->work, x->whose, s.count + 1);
    for (int64_t i = 0; i < s.count; i++) x->whose[i] = x->who[s.row[i]];
    (*out)->perturbed = made->perturbed;
    if (count) memcpy((*out)->altered, made->altered, (size_t)count * sizeof *made->altered);
    if (s.count < x->data->rows) {
        int64_t *origin = malloc(((size_t)s.count + 1) * sizeof *origin);
        if (!origin) TRY(out_of_memory(x->work->error));
        for (int64_t i = 0; i < s.count; i++) origin[i] = x->data->origin ? x->data->origin[s.row[i]] : s.row[i];
        (*out)->origin = origin;
    }
done:
    for (int64_t i = 0; column && i < count; i++) column_release(column[i]);
    arena_drop(x->work->arena, place);
    arena_drop(x->work->arena, made_of);
    return status;
}

/* ---- keys that vary: k people, and constant attributes alike ---- */

typedef struct Release {
    Table *table;
    const Column **key;
    int64_t keys;
} Release;

static Status find_keys(const ByPerson *x, const Table *table, Release *out) {
    Status status = OK;
    *out = (Release){ .table = (Table *)(uintptr_t)table };
    for (const Param *p = x->frame->binding.method->params; p && p->kind; p++) {
        const Columns *columns = (const void *)(x->frame->binding.args + p->offset);
        if (p->kind != KIND_COLUMNS || !param_is(p, "keys")) continue;
        NEW(x->work, out->key, columns->count + 1);
        for (int64_t j = 0; j < columns->count; j++)
            if (table_column(table, columns->at[j]->name)) out->key[out->keys++] = table_column(table, columns->at[j]->name);
    }
done:
    return status;
}

/* Row → 1 where its class has fewer than k people; their number is that of such rows. */
static Status mark_unsafe(const ByPerson *x, const Release *r, int64_t k, uint8_t *unsafe, int64_t *count) {
    Status status = OK;
    Codes *codes = NULL;
    Grouping classes = { 0 }, pairs = { 0 };
    int64_t *people = NULL;
    *count = 0;
    NEW(x->work, codes, r->keys + 1);
    for (int64_t j = 0; j < r->keys; j++) TRY(column_codes(x->work, r->key[j], &codes[j]));
    TRY(group_codes(x->work, codes, r->keys, r->table->rows, &classes));
    const Codes both[] = { { .count = (int32_t)classes.count, .at = classes.of }, { .count = (int32_t)x->people, .at = x->whose } };
    TRY(group_codes(x->work, both, 2, r->table->rows, &pairs));
    NEW(x->work, people, classes.count + 1);
    for (int64_t g = 0; g < pairs.count; g++) people[classes.of[pairs.first[g]]]++;
    for (int64_t i = 0; i < r->table->rows; i++) *count += unsafe[i] = people[classes.of[i]] < k;
done:
    grouping_drop(x->work, &classes);
    grouping_drop(x->work, &pairs);
    return status;
}

/* Replaces key j of the release by one that is blank where `mask` says so. */
static Status blank_key(const ByPerson *x, Release *r, int64_t j, const uint8_t *mask) {
    Status status = OK;
    Column *blank = NULL;
    Table *table = NULL;
    TRY(column_blank(r->key[j], mask, &blank, x->work->error));
    TRY(table_with(r->table, &blank, 1, &table, x->work->error));
    for (int64_t i = 0; i < r->keys; i++) r->key[i] = table_column(table, r->key[i]->name);
    table_release(r->table);
    r->table = table;
done:
    column_release(blank);
    return status;
}

static bool is_constant(const ByPerson *x, const char *name) {
    for (int64_t j = 0; j < x->columns; j++)
        if (!strcmp(x->used[j]->name, name)) return !x->varies[j];
    return false;
}

/* A constant attribute that came out in two ways for one person is blank in all of the person's records. */
static Status make_alike(const ByPerson *x, Release *r) {
    Status status = OK;
    int32_t *first = NULL;
    uint8_t *differs = NULL, *mask = NULL;
    NEW(x->work, mask, r->table->rows + 1);
    for (int64_t j = 0; j < r->keys; j++) {
        Codes codes;
        bool any = false;
        if (!is_constant(x, r->key[j]->name)) continue;
        TRY(column_codes(x->work, r->key[j], &codes));
        NEW(x->work, first, x->people + 1);
        NEW(x->work, differs, x->people + 1);
        for (int64_t i = 0; i < r->table->rows; i++) {
            int32_t *met = &first[x->whose[i]];
            if (!*met) *met = codes.at[i] + 2;
            any |= differs[x->whose[i]] |= *met != codes.at[i] + 2;
        }
        for (int64_t i = 0; i < r->table->rows; i++) mask[i] = differs[x->whose[i]];
        if (any) TRY(blank_key(x, r, j, mask));
        arena_drop(x->work->arena, first);
        arena_drop(x->work->arena, differs);
    }
done:
    arena_drop(x->work->arena, mask);
    return status;
}

/* Records of classes with fewer than k people lose all keys; those of their people lose the constant ones, so that these stay alike. Blank
 * records that are still too few take another class along. */
static Status blank_rest(const ByPerson *x, Release *r, int64_t k, int64_t *blanked) {
    Status status = OK;
    uint8_t *unsafe = NULL, *whole = NULL, *touched = NULL, *mask = NULL;
    int64_t count = 0, before = -1, people = 0;
    const int64_t rows = r->table->rows;
    NEW(x->work, unsafe, rows + 1);
    NEW(x->work, whole, rows + 1);
    NEW(x->work, mask, rows + 1);
    NEW(x->work, touched, x->people + 1);
    for (int64_t i = 0; i < rows; i++) {
        people += !touched[x->whose[i]];
        touched[x->whose[i]] = 1;
    }
    for (int64_t i = 0; i < rows; i++) touched[x->whose[i]] = 0;
    if (rows && people < k) TRY(fail(x->work->error, BAD, "%lld people are fewer than k", (long long)people));
    TRY(mark_unsafe(x, r, k, unsafe, &count));
    while (count) {
        int64_t now = 0;
        for (int64_t i = 0; i < rows; i++) {
            whole[i] |= unsafe[i];
            now += whole[i];
            if (whole[i]) touched[x->whose[i]] = 1;
        }
        if (now == before) /* what is unsafe is blank already: everybody else's next record goes too */
            for (int64_t i = 0, people = 0; i < rows && people < k; i++) {
                people += !whole[i];
                whole[i] = touched[x->whose[i]] = 1;
            }
        before = now;
        for (int64_t j = 0; j < r->keys; j++) {
            const bool constant = is_constant(x, r->key[j]->name);
            for (int64_t i = 0; i < rows; i++) mask[i] = constant ? touched[x->whose[i]] : whole[i];
            TRY(blank_key(x, r, j, mask));
        }
        TRY(mark_unsafe(x, r, k, unsafe, &count));
        TRY(work_check(x->work));
    }
    for (int64_t i = 0; i < rows; i++) *blanked += whole[i];
done:
    arena_drop(x->work->arena, unsafe);
    arena_drop(x->work->arena, whole);
    arena_drop(x->work->arena, touched);
    arena_drop(x->work->arena, mask);
    return status;
}

static Status hold_people(ByPerson *x, int64_t k, Table **table) {
    Status status = OK;
    Release r;
    int64_t blanked = 0;
    TRY(find_keys(x, *table, &r));
    TRY(make_alike(x, &r));
    *table = r.table;
    status = blank_rest(x, &r, k, &blanked);
    *table = r.table;
    if (status) goto done;
    if (x->varying)
        result_note(x->frame->result,
                    "Some keys differ between records of one person. Every combination of keys is shared by at least %lld people; an "
                    "intruder who knows several records of a person may have fewer candidates (risk k-anonymity --knows).",
                    (long long)k);
    if (blanked)
        result_note(x->frame->result,
                    "%lld records lost all keys beyond what the method chose, so that every class is of %lld people or more.",
                    (long long)blanked, (long long)k);
done:
    return status;
}

/* ---- the run ---- */

static int64_t bound_k(const Binding *b) {
    for (const Param *p = b->method->params; p && p->kind; p++)
        if (p->kind == KIND_INT && param_is(p, "k")) return *(const int64_t *)(const void *)(b->args + p->offset);
    return 0;
}

/* Of all its keys together: argus, and suppress with combinations, protect some of them. */
static bool makes_classes(const Binding *b) {
    static const char *const parts[] = { "combinations", NULL };
    const Param *combinations = method_param(b->method, "combinations");
    if (combinations && (combinations->kind == KIND_INT || args_any(b->given, parts))) return false;
    return bound_k(b) > 0 && method_param(b->method, "keys");
}

/* Cells and records that changed are counted in the table that goes out: the method counted those of its units. */
static void count_changes(const ByPerson *x, Result *made) {
    const Table *after = made->outputs == 1 ? made->output[0] : NULL;
    int64_t cells = 0, records = 0;
    if (!after || after->rows != x->data->rows) return;
    for (int64_t i = 0; i < after->rows; i++) {
        int64_t changed = 0;
        char one[33], two[33];
        for (int64_t j = 0; j < after->columns; j++) {
            const Column *before = table_column(x->data, after->column[j]->name);
            changed += before && !same_text(column_cell(before, i, one), column_cell(after->column[j], i, two));
        }
        cells += changed;
        records += changed > 0;
    }
    for (int64_t v = 0; v < made->values; v++) {
        Value *value = &made->value[v];
        if (!strcmp(value->name, "cells") && value->kind == VALUE_INTEGER) value->integer = cells;
        if (!strcmp(value->name, "records") && value->kind == VALUE_INTEGER) value->integer = records;
        if (!strcmp(value->name, "share") && value->kind == VALUE_REAL) value->real = (double)records / (double)after->rows;
    }
}

/* The result is that of the units, under the parameters that were given, with tables and columns of all records. */
static Status take_result(ByPerson *x, const Table *units, Result *made) {
    Status status = OK;
    Frame *frame = x->frame;
    Table *spread = NULL;
    for (int64_t i = 0; i < made->outputs; i++) {
        TRY(spread_table(x, units, made->output[i], &spread));
        table_release(made->output[i]);
        made->output[i] = spread;
        spread = NULL;
        if (x->classes) TRY(hold_people(x, bound_k(&frame->binding), &made->output[i]));
    }
    count_changes(x, made);
    for (int64_t i = 0; i < made->columns; i++) {
        Column *wide = NULL;
        int64_t *unit = NULL;
        table_release(made->column[i].input);
        made->column[i].input = NULL;
        if (made->column[i].column->rows != x->units.count) continue;
        NEW(x->work, unit, x->data->rows + 1);
        for (int64_t r = 0; r < x->data->rows; r++) unit[r] = x->units.of[r];
        TRY(column_take(made->column[i].column, unit, x->data->rows, &wide, x->work->error));
        column_release(made->column[i].column);
        made->column[i].column = wide;
    }
    for (int64_t i = 0; i < frame->result->notes; i++) result_note(made, "%s", frame->result->note[i]);
    result_note(made,
                "By person (%s): the method ran on %lld records, one for each %s. Cells and records are counted in the output; other "
                "counts and bounds are of these.",
                x->person->name, (long long)x->units.count, x->varying ? "combination of keys that a person has" : "person");
    made->params = 0;
    for (int64_t i = 0; i < frame->result->params; i++) { /* as they were given */
        const Given *given = &frame->result->param[i];
        result_param(made, given->name, given->text, given->secret, given->preset, given->list);
        if (made->failed) TRY(out_of_memory(x->work->error));
        made->param[i].role = given->role;
        made->param[i].handle = given->handle;
    }
done:
    return status;
}

Status run_by_person(Frame *frame, bool *ran) {
    Status status = OK;
    ByPerson x = { .frame = frame, .work = &frame->work, .person = bound_person(&frame->binding) };
    Table *units = NULL;
    Result *made = NULL;
    *ran = false;
    x.data = table_as_read(&frame->binding, first_table(&frame->binding));
    x.classes = makes_classes(&frame->binding);
    TRY(number_people(&x));
    if (x.people == x.data->rows) return OK; /* nobody has two */
    TRY(look_at_columns(&x));
    const bool draws = !strcmp(frame->binding.method->name, "sample");
    if (x.varying && !x.classes) {
        if (draws || bound_k(&frame->binding) > 0 || x.varying < x.columns) TRY(cannot_vary(&x));
        result_note(frame->result, "The values differ between records of one person: each record was changed by itself.");
        return OK;
    }
    TRY(make_units(&x));
    TRY(unit_table(&x, &units));
    TRY(run_units(&x, units, &made));
    TRY(take_result(&x, units, made));
    made->closed |= frame->result->closed;
    result_free(frame->result);
    frame->result = frame->run.result = made;
    made = NULL;
    *ran = true;
done:
    result_free(made);
    table_release(units);
    return status;
}
