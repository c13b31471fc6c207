/* Missing predictors as values of a model. */
#include "table/complete_predictors.h"
#include "table/missing_code.h"

typedef struct Completing {
    Work *work;
    const Table *table;
    Column **made;
    int64_t count;
} Completing;

static const char *indicator_name(Work *work, const Column *column) { return arena_print(work->arena, "%s: missing", column->name); }

/* "yes", or "yes (N)" where the file has several reasons. */
static Status word_of(Work *work, const MissingCodes *codes, const Column *column, int64_t row, const char *says, const char **out) {
    char text[33];
    const int32_t code = missing_code(codes, column, row);
    *out = code ? arena_print(work->arena, "%s (%s)", says, missing_code_text(column, code, text)) : says;
    return *out ? OK : out_of_memory(work->error);
}

static Status complete_number(Completing *c, const Column *column) {
    Status status = OK;
    const MissingCodes codes = missing_codes(column);
    const char **word = NULL, *name = indicator_name(c->work, column);
    if (!name) TRY(out_of_memory(c->work->error));
    NEW(c->work, word, column->rows + 1);
    TRY(column_new(REAL_TYPE, column->name, column->rows, &c->made[c->count], c->work->error));
    double *x = c->made[c->count++]->real;
    for (int64_t i = 0; i < column->rows; i++) {
        const bool missing = column_missing(column, i);
        x[i] = missing ? 0 : column_number(column, i);
        word[i] = "no";
        if (missing) TRY(word_of(c->work, &codes, column, i, "yes", &word[i]));
    }
    TRY(column_category(name, word, column->rows, &c->made[c->count], c->work->error));
    c->count++;
done:
    arena_drop(c->work->arena, word);
    return status;
}

static Status complete_words(Completing *c, const Column *column) {
    Status status = OK;
    const MissingCodes codes = missing_codes(column);
    const char **word = NULL;
    NEW(c->work, word, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        char text[33];
        if (column_missing(column, i)) TRY(word_of(c->work, &codes, column, i, "(missing)", &word[i]));
        else word[i] = column_cell(column, i, text);
    }
    TRY(column_category(column->name, word, column->rows, &c->made[c->count], c->work->error));
    c->count++;
done:
    arena_drop(c->work->arena, word);
    return status;
}

static bool lacks(const Table *const *tables, int64_t count, const char *name) {
    for (int64_t t = 0; t < count; t++) {
        const Column *column = tables[t] ? table_column(tables[t], name) : NULL;
        if (column && column->missing) return true;
    }
    return false;
}

static Status complete_table(Completing *c, const Table *const *tables, int64_t count, Columns predictors, Table **out) {
    Status status = OK;
    NEW(c->work, c->made, 2 * predictors.count + 1);
    for (int64_t j = 0; j < predictors.count; j++) {
        const Column *column = table_column(c->table, predictors.at[j]->name);
        if (!column || !lacks(tables, count, column->name)) continue;
        TRY(column_linear(column) ? complete_number(c, column) : complete_words(c, column));
    }
    TRY(table_with(c->table, c->made, c->count, out, c->work->error));
done:
    for (int64_t i = 0; i < c->count; i++) column_release(c->made[i]);
    return status;
}

Status complete_predictors(Work *work, const Table *const *tables, int64_t count, Columns predictors, Table **out, Columns *columns) {
    Status status = OK;
    NEW(work, columns->at, 2 * predictors.count + 1);
    columns->count = 0;
    for (int64_t t = 0; t < count; t++) out[t] = NULL;
    for (int64_t t = 0; t < count; t++)
        if (tables[t]) TRY(complete_table(&(Completing){ .work = work, .table = tables[t] }, tables, count, predictors, &out[t]));
    for (int64_t j = 0; j < predictors.count; j++) {
        const char *name = indicator_name(work, predictors.at[j]);
        const Column *completed = table_column(out[0], predictors.at[j]->name),
                     *indicator = name && completed && lacks(tables, count, completed->name) ? table_column(out[0], name) : NULL;
        columns->at[columns->count++] = completed ? completed : predictors.at[j];
        if (indicator) columns->at[columns->count++] = indicator;
    }
done:
    for (int64_t t = 0; status && t < count; t++) {
        table_release(out[t]);
        out[t] = NULL;
    }
    return status;
}
