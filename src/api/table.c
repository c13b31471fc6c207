/* Tables across the edge. */
#include <string.h>
#include "api/api.h"
#include "base/file.h"
#include "io/arrow/arrow.h"
#include "io/open.h"
#include "io/infer_categories.h"
#include "result/saved.h"

scrim_status scrim_table_from_arrow(const char *name, struct ArrowSchema *schema, struct ArrowArray *array, scrim_table **out,
                                    scrim_error *error) {
    Error local = ERROR_NONE;
    Table *table = NULL;
    if (!schema || !array || !out) return api_absent(error);
    Status status = arrow_import(name, schema, array, &table, &local);
    *out = (scrim_table *)table;
    return api_error(status, &local, error);
}

scrim_status scrim_table_to_arrow(const scrim_table *table, struct ArrowSchema *schema, struct ArrowArray *array, scrim_error *error) {
    Error local = ERROR_NONE;
    if (!table || !schema || !array) return api_absent(error);
    return api_error(arrow_export(api_table(table), schema, array, &local), &local, error);
}

scrim_status scrim_table_from_stream(const char *name, struct ArrowArrayStream *stream, scrim_table **out, scrim_error *error) {
    Error local = ERROR_NONE;
    Table *table = NULL;
    if (!stream || !out) return api_absent(error);
    Status status = arrow_import_stream(name, stream, &table, &local);
    *out = (scrim_table *)table;
    return api_error(status, &local, error);
}

scrim_status scrim_table_to_stream(const scrim_table *table, struct ArrowArrayStream *stream, scrim_error *error) {
    Error local = ERROR_NONE;
    if (!table || !stream) return api_absent(error);
    return api_error(arrow_export_stream(api_table(table), stream, &local), &local, error);
}

scrim_table *scrim_table_share(const scrim_table *table) { return table ? (scrim_table *)table_retain(api_table(table)) : NULL; }

scrim_status scrim_table_infer_categories(const scrim_table *table, scrim_table **out, scrim_error *error) {
    Call call;
    Table *settled = NULL;
    if (!table || !out) return api_absent(error);
    Status status = call_begin(&call) ? table_infer_categories(&call.work, api_table(table), &settled) : FAILED;
    *out = (scrim_table *)settled;
    scrim_status answer = api_error(status, &call.error, error);
    call_end(&call);
    return answer;
}

/* The one output of a result that was saved whole. */
static Status saved_output(Work *work, const char *path, Table **out) {
    Status status = OK;
    const char *bytes;
    size_t count;
    Result *result = NULL;
    TRY(bytes_read(work->arena, path, &bytes, &count, work->error));
    TRY(result_load(path, bytes, count, &result, work->error));
    if (result->outputs != 1) TRY(fail(work->error, BAD, "holds no table"));
    *out = table_retain(result->output[0]);
done:
    result_free(result);
    return status;
}

Status api_open(Work *work, const char *path, const CsvOptions *csv, Table **out) {
    size_t length = strlen(path);
    Error none = ERROR_NONE;
    Work quiet = *work;
    quiet.error = &none;
    if (length > 5 && !strcmp(path + length - 5, ".json") && !saved_output(&quiet, path, out)) return OK;
    return table_open(work, path, csv, out);
}

scrim_status scrim_table_read(const char *path, const scrim_reading *reading, scrim_table **out, scrim_error *error) {
    Call call;
    Table *table = NULL;
    CsvOptions csv = api_reading(reading, 1);
    Status status = FAILED;
    if (!path || !out) return api_absent(error);
    if (call_begin(&call) && !(status = api_sized(reading, &call.error))) {
        call.error.show_values = api_shows_values(reading);
        call.work.threads = csv.threads;
        status = api_open(&call.work, path, &csv, &table);
    }
    if (!status && !table->rows && api_needs_records(reading)) {
        table_release(table);
        table = NULL;
        status = fail(&call.error, BAD, "has a header and no records");
        error_file(&call.error, path);
    }
    *out = (scrim_table *)table;
    scrim_status answer = api_error(status, &call.error, error);
    call_end(&call);
    return answer;
}

int scrim_table_same(const char *path, const char *other) {
    const Status status = path && other ? table_loses(path, other, NULL) : OK;
    return status == FAILED ? -1 : status != OK;
}

int64_t scrim_table_rows(const scrim_table *table) { return api_table(table)->rows; }
int64_t scrim_table_columns(const scrim_table *table) { return api_table(table)->columns; }

static const Column *column_at(const scrim_table *table, int64_t column) {
    const Table *t = api_table(table);
    return column < 0 || column >= t->columns ? NULL : t->column[column];
}

const char *scrim_table_column_name(const scrim_table *table, int64_t column) {
    const Column *c = column_at(table, column);
    return c ? c->name : NULL;
}

const char *scrim_table_column_type(const scrim_table *table, int64_t column) {
    const Column *c = column_at(table, column);
    return c ? type_name(c->type) : NULL;
}

int scrim_table_perturbed(const scrim_table *table, const char *column) {
    const Table *t = api_table(table);
    return column ? table_altered(t, column) : t->perturbed;
}

int scrim_table_released(const scrim_table *table) { return api_table(table)->released; }

void scrim_table_mark(scrim_table *table, const char *column) {
    Table *t = (Table *)table;
    if (!t) return;
    t->released = true;
    if (column) table_perturb(t, column);
}

int scrim_table_shares(const scrim_table *table, const scrim_table *other, const char *column) {
    const Column *mine = column ? table_column(api_table(table), column) : NULL;
    return mine && mine == table_column(api_table(other), column);
}

int64_t scrim_table_origin(const scrim_table *table, int64_t row) {
    const Table *t = api_table(table);
    return row < 0 || row >= t->rows ? -1 : t->origin ? t->origin[row] : row;
}

scrim_status scrim_table_without(const scrim_table *table, int64_t count, const char *const *columns, scrim_table **out,
                                 scrim_error *error) {
    Call call;
    Table *made = NULL;
    const char **names = NULL;
    int64_t there = 0;
    if (!table || !out || count < 0 || (count && !columns)) return api_absent(error);
    Status status = call_begin(&call) ? arena_array(call.arena, count + 1, sizeof *names, &names, &call.error) : FAILED;
    for (int64_t i = 0; !status && i < count; i++)
        if (columns[i] && table_column(api_table(table), columns[i])) names[there++] = columns[i];
    if (!status) status = table_without(api_table(table), names, there, &made, &call.error);
    *out = (scrim_table *)made;
    scrim_status answer = api_error(status, &call.error, error);
    call_end(&call);
    return answer;
}

void scrim_table_free(scrim_table *table) { table_release((Table *)table); }
