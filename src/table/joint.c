/* One variable in two tables, coded alike. */
#include "table/joint.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number.h"

/* A distinct value of one of the two columns. */
typedef struct Value {
    double number;
    const char *text;
    int32_t place;
    int32_t code;
    int table;
} Value;

static int by_number(const void *a, const void *b) {
    const Value *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}
static int by_text(const void *a, const void *b) {
    const Value *x = a, *y = b;
    return x->place != y->place ? (x->place < y->place ? -1 : 1) : strcmp(x->text, y->text);
}

static bool is_number(const Column *column) { return column_linear(column); }

static Status collect(Work *work, const Column *column, int table, const Codes *codes, const Dictionary *order, bool numbers, Value *out) {
    char number[33];
    for (int32_t c = 0; c < codes->count; c++) {
        int64_t row = codes->first_row[c];
        out[c] = (Value){ .number = numbers ? column_number(column, row) : 0, .code = c, .table = table };
        out[c].text = arena_text(work->arena, column_cell(column, row, number));
        if (!out[c].text) return fail(work->error, FAILED, "out of memory");
        if (!order) continue;
        out[c].place = dictionary_find(order, out[c].text);
        if (out[c].place < 0) out[c].place = INT32_MAX;
    }
    return OK;
}

/* Cuts between sorted values so that each interval holds about equally many records of the first table; codes become intervals. */
static Status bin(Work *work, Value *value, int64_t count, const Codes *first, int64_t rows, int32_t bins, int32_t *joint,
                  JointCodes *out) {
    Status status = OK;
    int64_t *size = NULL, total = 0, seen = 0;
    int32_t at = -1;
    double open = 0;
    char a[33], b[33];
    NEW(work, size, first->count + 1);
    NEW(work, out->label, bins + 1);
    for (int64_t i = 0; i < rows; i++)
        if (first->at[i] >= 0) {
            size[first->at[i]]++;
            total++;
        }
    for (int64_t v = 0; v < count; v++) {
        bool fresh = !v || value[v].number != value[v - 1].number;
        if (fresh && (at < 0 || (at + 1 < bins && seen * bins >= total * (at + 1)))) {
            at++;
            open = value[v].number;
        }
        joint[v] = at;
        if (value[v].table == 0) seen += size[value[v].code];
        out->label[at] = arena_print(work->arena, "%s to %s", real_short(open, 6, a), real_short(value[v].number, 6, b));
        if (!out->label[at]) TRY(fail(work->error, FAILED, "out of memory"));
    }
    out->count = at + 1;
    out->binned = true;
done:
    return status;
}

static Status number_values(Work *work, Value *value, int64_t count, int (*order)(const void *, const void *), int32_t *joint,
                            JointCodes *out) {
    Status status = OK;
    int32_t at = -1;
    NEW(work, out->label, count + 1);
    for (int64_t v = 0; v < count; v++) {
        if (!v || order(&value[v], &value[v - 1])) out->label[++at] = value[v].text;
        joint[v] = at;
    }
    out->count = at + 1;
done:
    return status;
}

Status joint_codes(Work *work, const Column *first, const Column *second, int64_t few, int32_t bins, JointCodes *out) {
    Status status = OK;
    const Column *column[2] = { first, second };
    Codes codes[2];
    Value *value = NULL;
    int32_t *joint = NULL, *map[2] = { 0 };
    bool numbers = (is_number(first) || first->missing == first->rows) && (is_number(second) || second->missing == second->rows);
    const Dictionary *order = !numbers && first->type == CATEGORY_TYPE && first->words->ordered ? first->words : NULL;
    *out = (JointCodes){ 0 };
    for (int t = 0; t < 2; t++) TRY(column_codes(work, column[t], &codes[t]));
    int64_t count = (int64_t)codes[0].count + codes[1].count;
    NEW(work, value, count + 1);
    NEW(work, joint, count + 1);
    for (int t = 0; t < 2; t++) TRY(collect(work, column[t], t, &codes[t], order, numbers, value + (t ? codes[0].count : 0)));
    if (count) qsort(value, (size_t)count, sizeof *value, numbers ? by_number : by_text);
    bool many = numbers && bins > 0 && codes[0].count && (codes[0].count > few || codes[1].count > few);
    TRY(many ? bin(work, value, count, &codes[0], first->rows, bins, joint, out)
             : number_values(work, value, count, numbers ? by_number : by_text, joint, out));
    for (int t = 0; t < 2; t++) {
        int32_t *at = NULL;
        NEW(work, map[t], codes[t].count + 1);
        NEW(work, at, column[t]->rows);
        for (int64_t v = 0; v < count; v++)
            if (value[v].table == t) map[t][value[v].code] = joint[v];
        for (int64_t i = 0; i < column[t]->rows; i++) at[i] = codes[t].at[i] < 0 ? -1 : map[t][codes[t].at[i]];
        out->at[t] = at;
    }
done:
    arena_drop(work->arena, value);
    return status;
}

Status common_columns(Work *work, const Table *first, const Table *second, Columns vars, const char ***names, int64_t *count) {
    Status status = OK;
    const char **name = NULL;
    int64_t n = 0;
    NEW(work, name, first->columns + vars.count + 1);
    for (int64_t j = 0; j < vars.count; j++) name[n++] = vars.at[j]->name;
    for (int64_t j = 0; j < first->columns && !vars.count; j++)
        if (table_column(second, first->column[j]->name)) name[n++] = first->column[j]->name;
    if (!n) TRY(fail(work->error, BAD, "the two tables have no column in common"));
    *names = name;
    *count = n;
done:
    return status;
}
