/* Writing Parquet and JSON lines through DuckDB, and tables of its databases. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "base/file.h"
#include "base/temporary.h"
#include "io/sql/duckdb.h"

typedef struct Writing {
    Work *work;
    const Table *table;
    DuckBase base;
    const TableName *target; /* a table of a database; else a file, */
    const char *temporary;   /* which is made here */
    bool lines;
} Writing;

static void put_cells(const Duck *duck, void *vector, const Column *column, int64_t first, int64_t rows) {
    void *data = duck->vector_get_data(vector);
    char number[33];
    duck->vector_ensure_validity_writable(vector);
    uint64_t *valid = duck->vector_get_validity(vector);
    for (int64_t i = 0; i < rows; i++) {
        int64_t row = first + i;
        if (column_missing(column, row)) {
            valid[i >> 6] &= ~(UINT64_C(1) << (i & 63));
            continue;
        }
        switch (column->type) {
        case REAL_TYPE: ((double *)data)[i] = column->real[row]; break;
        case INTEGER_TYPE:
        case DATETIME_TYPE: ((int64_t *)data)[i] = column_integer(column, row); break;
        case DATE_TYPE: ((int32_t *)data)[i] = column->date[row]; break;
        case CATEGORY_TYPE:
        case TEXT_TYPE: {
            const char *text = column_cell(column, row, number);
            duck->vector_assign_string_element_len(vector, (uint64_t)i, text, strlen(text));
        }
        }
    }
}

static Status append_rows(const Writing *w, void *appender, void *chunk) {
    Status status = OK;
    const Duck *duck = w->base.duck;
    int64_t size = (int64_t)duck->vector_size();
    for (int64_t first = 0; first < w->table->rows; first += size) {
        int64_t rows = w->table->rows - first < size ? w->table->rows - first : size;
        duck->data_chunk_reset(chunk);
        for (int64_t j = 0; j < w->table->columns; j++)
            put_cells(duck, duck->data_chunk_get_vector(chunk, (uint64_t)j), w->table->column[j], first, rows);
        duck->data_chunk_set_size(chunk, (uint64_t)rows);
        if (duck->append_data_chunk(appender, chunk)) TRY(duck_trouble(w->work, &w->base, duck->appender_error(appender)));
        work_show(w->work, "writing", (double)first / (double)w->table->rows);
        TRY(work_check(w->work));
    }
    if (duck->appender_close(appender)) TRY(duck_trouble(w->work, &w->base, duck->appender_error(appender)));
done:
    return status;
}

static Status fill(const Writing *w, const char *schema, const char *target) {
    static const int types[] = { DUCK_DOUBLE, DUCK_BIGINT, DUCK_VARCHAR, DUCK_VARCHAR, DUCK_DATE, DUCK_TIMESTAMP };
    Status status = OK;
    const Duck *duck = w->base.duck;
    void **type = NULL, *chunk = NULL, *appender = NULL;
    NEW(w->work, type, w->table->columns + 1);
    for (int64_t j = 0; j < w->table->columns; j++) type[j] = duck->create_logical_type(types[w->table->column[j]->type]);
    if (!(chunk = duck->create_data_chunk(type, (uint64_t)w->table->columns))) TRY(out_of_memory(w->work->error));
    if (duck->appender_create(w->base.connection, schema, target, &appender))
        TRY(duck_trouble(w->work, &w->base, duck->appender_error(appender)));
    TRY(append_rows(w, appender, chunk));
done:
    if (appender) duck->appender_destroy(&appender);
    if (chunk) duck->destroy_data_chunk(&chunk);
    for (int64_t j = 0; type && j < w->table->columns; j++)
        if (type[j]) duck->destroy_logical_type(&type[j]);
    return status;
}

static Status create(const Writing *w, const char *schema, const char *target) {
    static const char *const types[] = { "DOUBLE", "BIGINT", "VARCHAR", "VARCHAR", "DATE", "TIMESTAMP" };
    const char *place = table_name_quoted(w->work, schema), *name = table_name_quoted(w->work, target);
    Buffer text = { 0 };
    buffer_print(&text, "create or replace table %s.%s (", place ? place : "", name ? name : "");
    for (int64_t j = 0; j < w->table->columns; j++) {
        const char *column = table_name_quoted(w->work, w->table->column[j]->name);
        buffer_print(&text, "%s%s %s", j ? ", " : "", column ? column : "", types[w->table->column[j]->type]);
    }
    buffer_char(&text, ')');
    Status status = text.failed ? out_of_memory(w->work->error) : duck_do(w->work, &w->base, buffer_get(&text));
    buffer_free(&text);
    return status;
}

/* duckdb:BASE#TABLE: replaced in one transaction. In a child, as is what follows. */
static Status write_table(void *self) {
    Status status = OK;
    Writing *w = self;
    const char *schema = w->target->schema ? w->target->schema : "main";
    TRY(duck_open(w->work, w->base.name, w->target->where, true, &w->base));
    TRY(duck_do(w->work, &w->base, "begin"));
    TRY(create(w, schema, w->target->table));
    TRY(fill(w, schema, w->target->table));
    TRY(duck_do(w->work, &w->base, "commit"));
done:
    duck_close(&w->base);
    return status;
}

static Status copy_file(void *self) {
    Status status = OK;
    Writing *w = self;
    const char *file = duck_literal(w->work, w->temporary);
    const char *sql = file ? arena_print(w->work->arena, "copy (from main.release) to %s (format %s, use_tmp_file false)", file,
                                         w->lines ? "json" : "parquet")
                           : NULL;
    if (!sql) TRY(out_of_memory(w->work->error));
    TRY(duck_open(w->work, w->base.name, NULL, true, &w->base));
    TRY(create(w, "main", "release"));
    TRY(fill(w, "main", "release"));
    TRY(duck_do(w->work, &w->base, sql));
done:
    duck_close(&w->base);
    return status;
}

static Status take_file(const Writing *w) {
    Status status = OK;
    Bytes bytes = { 0 };
    TRY(bytes_open(w->temporary, &bytes, w->work->error));
    TRY(file_write(w->base.name, bytes.at, bytes.count, false, w->work->error));
done:
    bytes_close(&bytes);
    return status;
}

/* DuckDB writes to a name: one that leads to a file without any, which is gone however this process ends. What is whole there takes the
 * target's place. */
static Status write_file(Writing *w, const char *path) {
    Status status = OK;
    const char *slash = strrchr(path, '/');
    int file = -1;
    w->lines = strcasecmp(path + strlen(path) - 8, ".parquet") != 0;
    const char *folder = slash ? arena_print(w->work->arena, "%.*s", (int)(slash - path + 1), path) : ".";
    if (!folder) TRY(out_of_memory(w->work->error));
    if (access(folder, W_OK | X_OK)) TRY(fail(w->work->error, BAD, "cannot write: there is no such folder, or none may write to it"));
    TRY(temporary_open(folder, &file, w->work->error));
    if (!(w->temporary = arena_print(w->work->arena, "/proc/self/fd/%d", file))) TRY(out_of_memory(w->work->error));
    TRY(helper_run(w->work, "writing", copy_file, w));
    TRY(take_file(w));
done:
    if (file >= 0) close(file);
    return status;
}

/* A child that ended without a word says nothing of the file. */
static Status about_file(const Work *work, const char *name, Status status) {
    if (status && status != INTERRUPTED && work->error && !*work->error->file) (error_file)(work->error, name);
    return status;
}

Status duck_write(Work *work, const Table *table, const char *name, const CsvOptions *options) {
    (void)options;
    Writing w = { .work = work, .table = table, .base = { .name = name } };
    TableName target;
    if (!table->columns) {
        fail(work->error, BAD, "a table without columns cannot be written");
        return error_file(work->error, name);
    }
    if (strncasecmp(name, "duckdb:", 7)) return about_file(work, name, write_file(&w, name));
    Status status = table_name_parse(work, name, name + 7, true, &target);
    w.target = &target;
    return status ? status : about_file(work, name, helper_run(work, "writing", write_table, &w));
}
