/* Codes are categories for methods that ask for it: columns change their type on the way in, and change back on the way out. */
#include <string.h>
#include "method/bind.h"
#include "table/common_types.h"
#include "table/measurement_level.h"

typedef struct LevelChange {
    const Column *numbers, *words; /* as they came, and as the method sees them */
    const Table *from;             /* their tables */
    const Table *to;
} LevelChange;

/* Does an argument that needs numbers name this column? Then it is what the user says, or check_quantity refuses it. */
static bool named_as_number(const Binding *b, const char *name) {
    for (const Param *p = b->method->params; p && p->kind; p++) {
        if ((p->kind != KIND_COLUMN && p->kind != KIND_COLUMNS) || !(p->flags & NUMERIC)) continue;
        const Arg *arg = args_find(b->given, p->name);
        if (!arg) arg = args_find(b->roles, p->role ? p->role : p->name);
        for (int64_t i = 0; arg && i < arg->count; i++)
            if (arg->items && !strcmp(arg->items[i], name)) return true;
    }
    return false;
}

static bool takes_formula(const Method *method) {
    for (const Param *p = method->params; p && p->kind; p++)
        if (p->kind == KIND_FORMULA) return true;
    return false;
}

static bool are_codes(const Binding *b, const Column *column, bool first_table) {
    if (!(first_table ? column_is_codes_times(column, b->session->times) : column_is_codes(column))) return false;
    return !named_as_number(b, column->name) && !(takes_formula(b->method) && column_two_values(column));
}

/* The level is that of the first file of records that has the column: a table of probabilities or losses beside them has none. */
static bool name_is_codes(const Binding *b, const char *name) {
    size_t at = 0;
    for (const Param *p = b->method->params; p && p->kind && at < sizeof b->bound / sizeof *b->bound; p++) {
        if (p->kind != KIND_TABLE) continue;
        const Table *table = b->bound[at++];
        const Column *column = table && (p->flags & POSITIONAL) ? table_column(table, name) : NULL;
        if (column) return column_numeric(column) && are_codes(b, column, at == 1);
    }
    return false;
}

static Status convert(Binding *b, const Table **at) {
    Status status = OK;
    const Table *table = *at;
    Column **made = NULL;
    Table *next = NULL;
    int64_t count = 0, before = b->changes;
    NEW(b->work, made, table->columns + 1);
    for (int64_t j = 0; j < table->columns; j++) {
        const Column *column = table->column[j];
        if (!column_numeric(column) || !name_is_codes(b, column->name)) continue;
        TRY(column_as_category(b->work, column, &made[count++]));
        TRY(work_grow(b->work, sizeof *b->change, &b->change, &b->change_room, b->changes + 1));
        b->change[b->changes++] = (LevelChange){ column, made[count - 1], table, NULL };
    }
    if (!count) goto done;
    TRY(binding_hold(b, table_retain(table))); /* its columns are asked for when the results go out */
    TRY(table_with(table, made, count, &next, b->work->error));
    next->closed |= table->closed;
    TRY(binding_hold(b, next));
    for (int64_t i = before; i < b->changes; i++) b->change[i].to = next;
    *at = next;
done:
    for (int64_t j = 0; j < count; j++) column_release(made[j]);
    return status;
}

Status bind_levels(Binding *b) {
    Status status = OK;
    if (!(b->method->traits & CODES_AS_CATEGORIES) || b->chunk) return OK;
    for (const Param *p = b->method->params; p && p->kind; p++) {
        if (p->kind != KIND_TABLE || (p->flags & AS_TEXT)) continue;
        const Table **at = (const Table **)(void *)(b->args + p->offset);
        if (*at) TRY(convert(b, at));
    }
done:
    return status;
}

const Table *table_as_read(const Binding *b, const Table *table) {
    for (int64_t i = 0; i < b->changes; i++)
        if (table && b->change[i].to == table) return b->change[i].from;
    return table;
}

/* NULL where it goes out as it is. */
static Status restored(const Binding *b, const Column *column, Column **out) {
    Status status = OK;
    *out = NULL;
    for (int64_t i = 0; i < b->changes; i++) {
        const LevelChange *change = &b->change[i];
        if (strcmp(change->words->name, column->name)) continue;
        if (column == change->words) {
            *out = column_retain(change->numbers);
            return OK;
        }
        if (column->type == CATEGORY_TYPE) TRY(column_as_values(b->work, column, REAL_TYPE, change->numbers, out));
        if (*out && !(*out)->treatment) (*out)->treatment = treatment_retain(column->treatment);
        return OK;
    }
done:
    return status;
}

Status restore_levels(const Binding *b, Result *result) {
    Status status = OK;
    Column **made = NULL;
    for (int64_t i = 0; b->changes && i < result->outputs; i++) {
        Table *output = result->output[i], *next = NULL;
        int64_t count = 0;
        NEW(b->work, made, output->columns + 1);
        for (int64_t j = 0; j < output->columns; j++) {
            TRY(restored(b, output->column[j], &made[count]));
            count += made[count] != NULL;
        }
        if (count) {
            TRY(table_with(output, made, count, &next, b->work->error));
            table_release(output);
            result->output[i] = next;
        }
        for (int64_t j = 0; j < count; j++) column_release(made[j]);
        made = NULL;
    }
done:
    for (int64_t j = 0; made && made[j]; j++) column_release(made[j]);
    return status;
}

/* An error of a formula in which a column of codes is no number. */
void explain_levels(const Binding *b) {
    Error *error = b->work->error;
    for (const Param *p = b->method->params; p && p->kind && error->status == BAD && !error->advice[0]; p++) {
        const Arg *arg = p->kind == KIND_FORMULA ? args_find(b->given, p->name) : NULL;
        for (int64_t i = 0; arg && arg->count && i < b->changes && !error->advice[0]; i++) {
            const char *name = b->change[i].words->name;
            if (!strstr(arg->items[0], name)) continue;
            error_advice(error, "The values of %s are codes, and count as categories. If they are numbers, say so: --types %s:numeric.",
                         name, name);
        }
    }
}

Status check_quantity(const Binding *b, const Param *param, const Column *column) {
    if (!param->role || strcmp(param->role, "numeric") || b->chunk || !args_find(b->given, param->name)) return OK;
    if (!column_is_codes_times(column, column->rows == (b->whole ? b->whole->rows : -1) ? b->session->times : NULL)) return OK;
    fail(b->work->error, BAD, "needs numbers, and the values of this column are codes (see inspect)");
    error_advice(b->work->error, "If they are numbers, say so: --types %s:numeric.", column->name);
    return error_column(b->work->error, column->name);
}
