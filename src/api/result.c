/* Results across the edge: their parts. */
#include <stdlib.h>
#include "api/api.h"
#include "base/elementary.h"

static bool within(int64_t index, int64_t count) { return index >= 0 && index < count; }
static scrim_table *handle(const Table *table) { return (scrim_table *)table_retain(table); }

static const Value *find(const scrim_result *result, const char *name) { return name ? result_find(api_result(result), name) : NULL; }

const char *scrim_result_method(const scrim_result *result) { return api_result(result)->method; }
int64_t scrim_result_values(const scrim_result *result) { return api_result(result)->values; }

const char *scrim_result_value_name(const scrim_result *result, int64_t index) {
    const Result *r = api_result(result);
    return within(index, r->values) ? r->value[index].name : NULL;
}

scrim_kind scrim_result_value_kind(const scrim_result *result, const char *name) {
    const Value *value = find(result, name);
    return value ? (scrim_kind)value->kind : SCRIM_NULL;
}

double scrim_result_number(const scrim_result *result, const char *name) { return name ? result_number(api_result(result), name) : NAN; }

int64_t scrim_result_integer(const scrim_result *result, const char *name) {
    const Value *value = find(result, name);
    return value && value->kind == VALUE_INTEGER ? value->integer : 0;
}

const char *scrim_result_text(const scrim_result *result, const char *name) {
    const Value *value = find(result, name);
    return value && value->kind == VALUE_TEXT ? value->text : NULL;
}

int64_t scrim_result_notes(const scrim_result *result) { return api_result(result)->notes; }

const char *scrim_result_note(const scrim_result *result, int64_t index) {
    const Result *r = api_result(result);
    return within(index, r->notes) ? r->note[index] : NULL;
}

int64_t scrim_result_tables(const scrim_result *result) { return api_result(result)->tables; }

const char *scrim_result_table_name(const scrim_result *result, int64_t index) {
    const Result *r = api_result(result);
    return within(index, r->tables) ? r->table[index].name : NULL;
}

scrim_table *scrim_result_table(const scrim_result *result, const char *name) {
    return name ? handle(result_find_table(api_result(result), name)) : NULL;
}

/* ---- a cell for each record ---- */

int64_t scrim_result_records(const scrim_result *result) { return api_result(result)->columns; }

const char *scrim_result_record_name(const scrim_result *result, int64_t index) {
    const Result *r = api_result(result);
    return within(index, r->columns) ? r->column[index].column->name : NULL;
}

const char *scrim_result_record_of(const scrim_result *result, int64_t index) {
    const Result *r = api_result(result);
    return within(index, r->columns) ? r->column[index].of : NULL;
}

/* The columns of one input, put into a table (after those of `input`, where there is one); NULL where there are none, or no memory. */
static scrim_table *gather(const Result *r, const char *of, const Table *input) {
    Column **columns = calloc((size_t)r->columns + 1, sizeof *columns);
    Table *out = NULL;
    int64_t count = 0;
    for (int64_t i = 0; columns && i < r->columns; i++) {
        const RecordColumn *record = &r->column[i];
        if (input ? record->column->rows == input->rows : same_text(record->of, of) && (!count || record->column->rows == columns[0]->rows))
            columns[count++] = record->column;
    }
    Status status = !count  ? BAD
                    : input ? table_beside(input, columns, count, &out, NULL)
                            : table_new(of, columns, count, columns[0]->rows, &out, NULL);
    free(columns);
    return status ? NULL : (scrim_table *)out;
}

scrim_table *scrim_result_record_table(const scrim_result *result, const char *of) {
    const Result *r = api_result(result);
    return r->columns ? gather(r, of ? of : r->column[0].of, NULL) : NULL;
}

scrim_table *scrim_result_record_joined(const scrim_result *result) {
    const Result *r = api_result(result);
    return r->columns && r->column[0].input ? gather(r, NULL, r->column[0].input) : NULL;
}

/* ---- outputs, results within ---- */

int64_t scrim_result_outputs(const scrim_result *result) { return api_result(result)->outputs; }

scrim_table *scrim_result_output(const scrim_result *result, int64_t index) {
    const Result *r = api_result(result);
    return within(index, r->outputs) && !r->output[index]->elsewhere ? handle(r->output[index]) : NULL;
}

int64_t scrim_result_charts(const scrim_result *result) { return api_result(result)->charts; }
int64_t scrim_result_results(const scrim_result *result) { return api_result(result)->results; }

const char *scrim_result_result_name(const scrim_result *result, int64_t index) {
    const Result *r = api_result(result);
    return within(index, r->results) ? r->result[index].name : NULL;
}

const scrim_result *scrim_result_result(const scrim_result *result, int64_t index) {
    const Result *r = api_result(result);
    return within(index, r->results) ? (const scrim_result *)r->result[index].result : NULL;
}

void scrim_result_free(scrim_result *result) { result_free((Result *)result); }
