/* Tables from a host's arrays, and their cells: for hosts that do not speak Arrow. */
#include <stdlib.h>
#include <string.h>
#include "api/api.h"
#include "base/elementary.h"
#include "base/text.h"

struct scrim_builder {
    char *name;
    int64_t rows, columns, room;
    Column **column;
};

scrim_builder *scrim_builder_new(const char *name, int64_t rows) {
    scrim_builder *builder = rows < 0 ? NULL : calloc(1, sizeof *builder);
    if (!builder || !(builder->name = strdup(name ? name : "table"))) {
        free(builder);
        return NULL;
    }
    builder->rows = rows;
    return builder;
}

void scrim_builder_free(scrim_builder *builder) {
    for (int64_t i = 0; builder && i < builder->columns; i++) column_release(builder->column[i]);
    if (builder) {
        free(builder->column);
        free(builder->name);
    }
    free(builder);
}

/* Takes the column over, whatever happens. */
static Status take(scrim_builder *builder, Column *column, Error *error) {
    for (int64_t i = 0; i < builder->columns; i++)
        if (!strcmp(builder->column[i]->name, column->name)) {
            fail(error, BAD, "the table has this column already");
            error_column(error, column->name);
            column_release(column);
            return BAD;
        }
    if (builder->columns == builder->room) {
        const int64_t room = builder->room ? 2 * builder->room : 8;
        Column **more = realloc(builder->column, (size_t)room * sizeof *more);
        if (!more) {
            column_release(column);
            return out_of_memory(error);
        }
        builder->column = more;
        builder->room = room;
    }
    column_seal(column);
    column_narrow(column);
    builder->column[builder->columns++] = column;
    return OK;
}

/* missing(i) of the array's cells are marked. */
static Status add_numbers(scrim_builder *builder, Type type, const char *name, const void *values, const unsigned char *missing,
                          Error *error) {
    Status status = OK;
    Column *column = NULL;
    TRY(column_unfilled(type, name, builder->rows, &column, error));
    memcpy(type == REAL_TYPE ? (void *)column->real : (void *)column->integer, values, (size_t)builder->rows * 8);
    for (int64_t i = 0; i < builder->rows; i++) {
        const bool absent = type == REAL_TYPE ? isnan(column->real[i]) : missing && missing[i];
        if (!absent) continue;
        if (!column->valid) TRY(column_need_valid(column, error));
        column_set_missing(column, i);
    }
    status = take(builder, column, error);
    column = NULL;
done:
    column_release(column);
    return status;
}

scrim_status scrim_builder_reals(scrim_builder *builder, const char *column, const double *values, scrim_error *error) {
    Error local = ERROR_NONE;
    if (!builder || !column || (!values && builder->rows)) return api_absent(error);
    return api_error(add_numbers(builder, REAL_TYPE, column, values, NULL, &local), &local, error);
}

scrim_status scrim_builder_integers(scrim_builder *builder, const char *column, const int64_t *values, const unsigned char *missing,
                                    scrim_error *error) {
    Error local = ERROR_NONE;
    if (!builder || !column || (!values && builder->rows)) return api_absent(error);
    return api_error(add_numbers(builder, INTEGER_TYPE, column, values, missing, &local), &local, error);
}

static Status check_texts(const char *name, const char *const *values, int64_t rows, Error *error) {
    for (int64_t i = 0; i < rows; i++) {
        const char *fault = values[i] ? text_fault(values[i], strlen(values[i])) : NULL;
        if (!fault) continue;
        fail(error, BAD, "a text %s", fault);
        error_column(error, name);
        return error_row(error, i);
    }
    return OK;
}

scrim_status scrim_builder_texts(scrim_builder *builder, const char *column, const char *const *values, scrim_error *error) {
    Error local = ERROR_NONE;
    Column *made = NULL;
    if (!builder || !column || (!values && builder->rows)) return api_absent(error);
    Status status = check_texts(column, values, builder->rows, &local);
    if (!status) status = column_category(column, values, builder->rows, &made, &local);
    if (!status) status = take(builder, made, &local);
    return api_error(status, &local, error);
}

scrim_status scrim_builder_table(scrim_builder *builder, scrim_table **out, scrim_error *error) {
    Error local = ERROR_NONE;
    Table *table = NULL;
    if (!builder || !out) return api_absent(error);
    Status status = table_new(builder->name, builder->column, builder->columns, builder->rows, &table, &local);
    *out = (scrim_table *)table;
    return api_error(status, &local, error);
}

/* ---- Cells ---- */

static const Column *column_at(const scrim_table *table, int64_t column, int64_t row) {
    const Table *inner = api_table(table);
    return column >= 0 && column < inner->columns && row >= 0 && row < inner->rows ? inner->column[column] : NULL;
}

int64_t scrim_table_find(const scrim_table *table, const char *column) { return column ? table_find(api_table(table), column) : -1; }

int scrim_table_missing(const scrim_table *table, int64_t column, int64_t row) {
    const Column *at = column_at(table, column, row);
    return !at || column_missing(at, row);
}

double scrim_table_number(const scrim_table *table, int64_t column, int64_t row) {
    const Column *at = column_at(table, column, row);
    return at && column_numeric(at) && !column_missing(at, row) ? column_number(at, row) : NAN;
}

int64_t scrim_table_integer(const scrim_table *table, int64_t column, int64_t row) {
    const Column *at = column_at(table, column, row);
    return at && at->type == INTEGER_TYPE && !column_missing(at, row) ? column_integer(at, row) : 0;
}

const char *scrim_table_text(const scrim_table *table, int64_t column, int64_t row, char room[33]) {
    const Column *at = column_at(table, column, row);
    return at && room && !column_missing(at, row) ? column_cell(at, row, room) : NULL;
}
