/* Tables across the edge. */
#include "api/api.h"
#include "io/arrow.h"
#include "io/open.h"

scrim_status scrim_table_from_arrow(const char *name, struct ArrowSchema *schema, struct ArrowArray *array, scrim_table **out, scrim_error *error) {
    Error local = ERROR_NONE;
    Table *table = NULL;
    Status status = arrow_import(name, schema, array, &table, &local);
    *out = (scrim_table *)table;
    return api_error(status, &local, error);
}

scrim_status scrim_table_to_arrow(const scrim_table *table, struct ArrowSchema *schema, struct ArrowArray *array, scrim_error *error) {
    Error local = ERROR_NONE;
    return api_error(arrow_export(api_table(table), schema, array, &local), &local, error);
}

scrim_status scrim_table_read(const char *path, scrim_table **out, scrim_error *error) {
    Call call;
    Table *table = NULL;
    Status status = call_begin(&call) ? table_open(&call.work, path, &(CsvOptions){ .decimal = '.', .threads = 1 }, &table) : FAILED;
    *out = (scrim_table *)table;
    scrim_status answer = api_error(status, &call.error, error);
    call_end(&call);
    return answer;
}

scrim_status scrim_table_write(const scrim_table *table, const char *path, scrim_error *error) {
    Call call;
    Status status = call_begin(&call) ? table_save(&call.work, api_table(table), path, &(CsvOptions){ .decimal = '.', .threads = 1 }) : FAILED;
    scrim_status answer = api_error(status, &call.error, error);
    call_end(&call);
    return answer;
}

int64_t scrim_table_rows(const scrim_table *table) { return api_table(table)->rows; }
int64_t scrim_table_columns(const scrim_table *table) { return api_table(table)->columns; }
const char *scrim_table_column_name(const scrim_table *table, int64_t column) {
    const Table *t = api_table(table);
    return column < 0 || column >= t->columns ? NULL : t->column[column]->name;
}
void scrim_table_free(scrim_table *table) { table_release(api_table(table)); }
