/* One text, or a list of them, into one typed field. */
#include <stdio.h>
#include <string.h>
#include "base/number_text.h"
#include "method/bind.h"

static Status bad(Binding *b, const char *what, const char *near) {
    fail(b->work->error, BAD, "%s", what);
    return near ? error_advice(b->work->error, "%s", near) : BAD;
}

static Status out_of_bounds(Binding *b, const Param *param) {
    char least[33], most[33];
    bool low = isfinite(param->least), high = isfinite(param->most);
    real_text(param->least, least);
    real_text(param->most, most);
    const char *than = param->flags & EXCLUSIVE ? "more than " : "at least ", *under = param->flags & EXCLUSIVE ? "less than " : "at most ";
    if (low && high && !(param->flags & EXCLUSIVE)) return fail(b->work->error, BAD, "must be from %s to %s", least, most);
    return fail(b->work->error, BAD, "must be %s%s%s%s%s", low ? than : "", low ? least : "", low && high ? " and " : "", high ? under : "",
                high ? most : "");
}

static bool within(const Param *param, double value) {
    if (param->flags & EXCLUSIVE) return value > param->least && value < param->most;
    return value >= param->least && value <= param->most;
}

static Status real_value(Binding *b, const Param *param, const char *text, double *out) {
    const char *size = text + (text[0] == '-');
    if (!strcmp(size, "inf") || !strcmp(size, "Inf") || !strcmp(size, "Infinity"))
        *out = size == text ? INFINITY : -INFINITY; /* as JSON has it, too */
    else if (!read_real(text, text + strlen(text), '.', out))
        return fail(b->work->error, BAD, "expects a number, not '%s'", param->flags & SECRET ? "…" : text);
    return within(param, *out) ? OK : out_of_bounds(b, param);
}

static Status int_value(Binding *b, const Param *param, const char *text, int64_t *out) {
    double real;
    if (!read_integer(text, text + strlen(text), out)) {
        if (!read_real(text, text + strlen(text), '.', &real) || real != floor(real) || fabs(real) > 0x1p53)
            return fail(b->work->error, BAD, "expects a whole number, not '%s'", param->flags & SECRET ? "…" : text);
        *out = (int64_t)real; /* 1e6 */
    }
    return within(param, (double)*out) ? OK : out_of_bounds(b, param);
}

static Status choice_value(Binding *b, const Param *param, const char *text, unsigned *out) {
    size_t count = 0;
    Buffer all = { 0 };
    for (unsigned i = 0; param->words[i]; i++, count++) {
        if (!strcmp(param->words[i], text)) {
            *out = i;
            buffer_free(&all);
            return OK;
        }
        buffer_print(&all, "%s%s", i ? ", " : "", param->words[i]);
    }
    fail(b->work->error, BAD, "has no value '%s'", text);
    const char *near = nearest_name(text, param->words, count);
    if (near) error_advice(b->work->error, "Did you mean %s? It takes %s.", near, buffer_get(&all));
    else error_advice(b->work->error, "It takes %s.", buffer_get(&all));
    buffer_free(&all);
    return BAD;
}

/* The table that a parameter's columns are of; BOTH is the first. */
static const Table *table_of(Binding *b, const Param *param) {
    bool both = !param->of || !param->of[0] || !strcmp(param->of, "BOTH");
    for (const Param *p = b->method->params; p && p->kind; p++)
        if (p->kind == KIND_TABLE && (both || !strcmp(p->name, param->of))) return *(const Table **)(void *)(b->args + p->offset);
    return NULL;
}

static Status no_table(Binding *b, const Param *param) {
    return fail(b->work->error, BAD, "has a meaning only with the table '%s'", param->of && param->of[0] ? param->of : "data");
}

/* Categories that are all numbers (codes with leading zeros, say) could be read as such. */
static bool words_are_numbers(const Column *column) {
    double number;
    if (column->type != CATEGORY_TYPE) return false;
    for (int32_t i = 0; i < column->words->count; i++) {
        const char *word = column->words->word[i];
        if (!read_real(word, word + strlen(word), '.', &number)) return false;
    }
    return column->words->count > 0;
}

static Status not_numbers(Binding *b, const Column *column) {
    fail(b->work->error, BAD, "needs numbers, and this column holds %s", type_values(column->type));
    if (words_are_numbers(column)) error_advice(b->work->error, "`--types %s:real` reads it as numbers.", column->name);
    return error_column(b->work->error, column->name);
}

static bool has_numbers(const Column *column) {
    return column_numeric(column) || (column->type == CATEGORY_TYPE && column->about && column->about->labels);
}

static bool column_is_weight(const Param *param) { return param->kind == KIND_COLUMN && param_is(param, "weight"); }

/* A column that is looked up in every table: all must have it and, where it was named and numbers are needed, as numbers. */
static Status check_both(Binding *b, const Param *param, const char *name) {
    const Column *other;
    bool numbers = (param->flags & NUMERIC) && args_find(b->given, param->name);
    if (!param->of || strcmp(param->of, "BOTH")) return OK;
    for (const Param *p = b->method->params; p && p->kind; p++) {
        if (p->kind != KIND_TABLE) continue;
        const Table *table = *(const Table **)(void *)(b->args + p->offset);
        if (table && table_need(table, name, &other, b->work->error)) return BAD;
        if (table && column_is_weight(param) && column_numeric(other)) {
            Status status = check_weights(b, other);
            if (status) return error_file(b->work->error, table->name ? table->name : "");
        }
        if (!table || !numbers || has_numbers(other)) continue;
        not_numbers(b, other);
        return error_file(b->work->error, table->name);
    }
    return OK;
}

/* A labelled column is a category; where numbers are asked for, it is the numbers that its file holds. */
static Status labelled_numbers(Binding *b, const Column **column) {
    Status status = OK;
    Column *numbers = NULL;
    Table *holder = NULL;
    TRY(column_as_numbers(*column, &numbers, b->work->error));
    if (!numbers) return not_numbers(b, *column);
    TRY(table_new(NULL, &numbers, 1, numbers->rows, &holder, b->work->error));
    TRY(binding_hold(b, holder));
    *column = holder->column[0];
done:
    column_release(numbers);
    return status;
}

static Status column_value(Binding *b, const Param *param, const char *text, const Column **out) {
    const Table *table = table_of(b, param);
    if (!table) return no_table(b, param);
    char plain[256];
    size_t length = strlen(text);
    if (length > 2 && length < sizeof plain && text[0] == '`' && text[length - 1] == '`' && !table_column(table, text)) {
        memcpy(plain, text + 1, length - 2);
        plain[length - 2] = 0;
        text = plain;
    }
    if (!text[0] && !table_column(table, text)) return fail(b->work->error, BAD, "an empty name is no column's");
    Status status = table_need(table, text, out, b->work->error);
    if (!status) status = check_both(b, param, text);
    if (!status && (param->flags & NUMERIC) && !column_numeric(*out)) status = labelled_numbers(b, out);
    if (!status && (param->flags & NUMERIC)) status = check_quantity(b, param, *out);
    if (!status && column_is_weight(param)) status = check_weights(b, *out);
    return status;
}

/* A column that a role names and the table need not have. */
static bool is_gone(Binding *b, const Param *param, const char *text) {
    const Table *table = (param->flags & IF_THERE) && !args_find(b->given, param->name) ? table_of(b, param) : NULL;
    return table && !table_column(table, text);
}

static Status columns_value(Binding *b, const Param *param, int64_t count, const char *const *items, Columns *out) {
    Status status = OK;
    NEW(b->work, out->at, count + 1);
    out->count = 0;
    for (int64_t i = 0; i < count; i++) {
        if (is_gone(b, param, items[i])) continue;
        TRY(column_value(b, param, items[i], &out->at[out->count++]));
        for (int64_t j = 0; j + 1 < out->count; j++)
            if (!strcmp(out->at[j]->name, out->at[out->count - 1]->name))
                TRY(fail(b->work->error, BAD, "names the column '%s' twice", items[i]));
    }
done:
    return status;
}

bool method_under_schema(const Method *method, const char *table, const Args *given, const Args *roles) {
    for (const Param *p = method->params; p && p->kind; p++)
        if (p->kind == KIND_SCHEMA && !strcmp(p->of, table) && (args_find(given, p->name) || args_find(roles, p->name))) return true;
    return false;
}

static Status table_value(Binding *b, const Param *param, const Arg *arg, int64_t i, const Table **out) {
    Status status = OK;
    Table *table = NULL;
    const Host *host = b->session->host;
    if (arg->tables) table = table_retain(arg->tables[i]);
    else if (!host || !host->table) return fail(b->work->error, BAD, "this caller lends no tables");
    else if (host->table_any && param && (method_promises(b->method) || method_under_schema(b->method, param->name, b->given, b->roles)))
        TRY(host->table_any(host->self, arg->items[i], method_under_schema(b->method, param->name, b->given, b->roles), &table,
                            b->work->error));
    else TRY(host->table(host->self, arg->items[i], &table, b->work->error));
    TRY(binding_hold(b, table));
    *out = table;
done:
    return status;
}

/* Every item is a file or a folder, read as text. */
static Status texts_value(Binding *b, const Arg *arg, const Host *host, Tables *out) {
    Status status = OK;
    int64_t names = 0, tables = 0;
    for (int64_t item = 0; item < arg->count; item++) {
        Tables some = { 0 };
        TRY(host->texts(host->self, arg->items[item], b->work, &some, b->work->error));
        for (int64_t i = 0; i < some.count; i++) {
            TRY(binding_hold(b, (Table *)(uintptr_t)some.at[i]));
            GROW(b->work, out->name, names, out->count + 1);
            GROW(b->work, out->at, tables, out->count + 1);
            out->name[out->count] = some.name[i];
            out->at[out->count++] = some.at[i];
        }
    }
done:
    return status;
}

/* One name that is a folder, or several tables. */
static Status tables_value(Binding *b, const Param *param, const Arg *arg, Tables *out) {
    Status status = OK;
    const Host *host = b->session->host;
    if (!arg->tables && (param->flags & AS_TEXT) && host && host->texts) return texts_value(b, arg, host, out);
    if (!arg->tables && arg->count == 1 && host && host->tables) {
        TRY(host->tables(host->self, arg->items[0], b->work, out, b->work->error));
        for (int64_t i = 0; i < out->count; i++) TRY(binding_hold(b, (Table *)(uintptr_t)out->at[i]));
        return OK;
    }
    NEW(b->work, out->name, arg->count + 1);
    NEW(b->work, out->at, arg->count + 1);
    for (out->count = 0; out->count < arg->count; out->count++) {
        TRY(table_value(b, NULL, arg, out->count, &out->at[out->count]));
        out->name[out->count] = arg->items ? arg->items[out->count] : out->at[out->count]->name;
    }
done:
    return status;
}

static Status pair_value(Binding *b, const Param *param, const char *text, Pair *out) {
    char *copy = arena_text(b->work->arena, text);
    if (!copy) return out_of_memory(b->work->error);
    for (int i = param->parts - 1; i >= 0; i--) {
        char *colon = strrchr(copy, ':');
        if (!colon) return fail(b->work->error, BAD, "expects name%s, not '%s'", param->parts == 1 ? ":value" : ":low:high", text);
        *colon = 0;
        out->text[i] = colon + 1;
        if (!read_real(out->text[i], out->text[i] + strlen(out->text[i]), '.', &out->number[i])) out->number[i] = NAN;
    }
    size_t length = strlen(copy);
    if (length > 2 && copy[0] == '`' && copy[length - 1] == '`') {
        copy[length - 1] = 0;
        copy++;
    }
    out->name = copy;
    return OK;
}

/* "a,b;c,d": split at semicolons, then at commas. */
static Status groups_value(Binding *b, const Param *param, const Arg *arg, Groups *out) {
    Status status = OK;
    Buffer text = { 0 };
    for (int64_t i = 0; i < arg->count; i++) {
        if (i) buffer_char(&text, arg->count > 1 ? ';' : ',');
        buffer_text(&text, arg->items[i]);
    }
    char *all = arena_text(b->work->arena, buffer_get(&text)), *outer = NULL;
    buffer_free(&text);
    if (!all) return out_of_memory(b->work->error);
    int64_t capacity = 0;
    for (char *group = strtok_r(all, ";", &outer); group; group = strtok_r(NULL, ";", &outer)) {
        const char **names = NULL;
        int64_t count = 0;
        char *inner = NULL;
        NEW(b->work, names, strlen(group) + 1);
        for (char *name = strtok_r(group, ",", &inner); name; name = strtok_r(NULL, ",", &inner)) names[count++] = name;
        GROW(b->work, out->at, capacity, out->count + 1);
        TRY(columns_value(b, param, count, names, &out->at[out->count++]));
    }
done:
    return status;
}

static Status list_value(Binding *b, const Param *param, const Arg *arg, void *to) {
    Status status = OK;
    switch (param->kind) {
    case KIND_COLUMNS: return columns_value(b, param, arg->count, arg->items, to);
    case KIND_REALS: {
        Reals *reals = to;
        NEW(b->work, reals->at, arg->count + 1);
        for (reals->count = 0; reals->count < arg->count; reals->count++)
            TRY(real_value(b, param, arg->items[reals->count], &reals->at[reals->count]));
        break;
    }
    case KIND_TEXTS: {
        Texts *texts = to;
        NEW(b->work, texts->at, arg->count + 1);
        for (texts->count = 0; texts->count < arg->count; texts->count++)
            texts->at[texts->count] = arena_text(b->work->arena, arg->items[texts->count]);
        break;
    }
    case KIND_PAIRS: {
        Pairs *pairs = to;
        NEW(b->work, pairs->at, arg->count + 1);
        for (pairs->count = 0; pairs->count < arg->count; pairs->count++)
            TRY(pair_value(b, param, arg->items[pairs->count], &pairs->at[pairs->count]));
        break;
    }
    case KIND_TABLES: return tables_value(b, param, arg, to);
    default: return groups_value(b, param, arg, to);
    }
done:
    return status;
}

/* A file, or the schema itself where the caller has it at hand. */
static Status schema_value(Binding *b, const char *text, const Schema **out) {
    Status status = OK;
    const Host *host = b->session->host;
    if (strchr(text, '\n') || text[0] == '{') return schema_parse(b->work, "the schema", text, strlen(text), out);
    const char *bytes = NULL;
    size_t count = 0;
    if (!host || !host->bytes) return fail(b->work->error, BAD, "this caller opens no files: give the schema itself");
    TRY(host->bytes(host->self, text, b->work, &bytes, &count, b->work->error));
    TRY(schema_parse(b->work, text, bytes, count, out));
done:
    return status;
}

Status bind_value(Binding *b, const Param *param, const Arg *arg, void *to) {
    if (kind_is_list(param->kind) || param->kind == KIND_GROUPS) return list_value(b, param, arg, to);
    if (param->kind == KIND_FLAG) {
        *(bool *)to = !(arg->count == 1 && arg->items && !strcmp(arg->items[0], "false"));
        return OK;
    }
    if (arg->count != 1) return bad(b, "expects one value", NULL);
    if (param->kind == KIND_TABLE) return table_value(b, param, arg, 0, to);
    const char *text = arg->items[0];
    const Host *host = b->session->host;
    switch (param->kind) {
    case KIND_INT: return int_value(b, param, text, to);
    case KIND_REAL: return real_value(b, param, text, to);
    case KIND_TEXT: *(const char **)to = arena_text(b->work->arena, text); return OK;
    case KIND_CHOICE: return choice_value(b, param, text, to);
    case KIND_COLUMN: return is_gone(b, param, arg->items[0]) ? OK : column_value(b, param, text, to);
    case KIND_EXPR: return table_of(b, param) ? expr_parse(b->work, table_of(b, param), text, to) : no_table(b, param);
    case KIND_FORMULA: return table_of(b, param) ? formula_parse(b->work, table_of(b, param), text, to) : no_table(b, param);
    case KIND_LEDGER:
        return host && host->ledger ? host->ledger(host->self, text, to, b->work->error)
                                    : fail(b->work->error, BAD, "this caller lends no ledgers");
    case KIND_SCHEMA: return schema_value(b, text, to);
    default: return fail(b->work->error, FAILED, "parameter '%s' has no such kind", param->name);
    }
}
