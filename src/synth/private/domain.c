/* What values can be, from the schema alone; cells as codes, and codes as cells again. */
#include "base/elementary.h"
#include "base/extremes.h"
#include <string.h>
#include "math/distributions.h"
#include "synth/private/private.h"

enum { FEW_VALUES = 64 };

/* The values that have a code of their own: the bounds, and the schema's points between them. */
static Status single_values(Work *work, const SchemaColumn *c, double **out, int32_t *count) {
    Status status = OK;
    double last = schema_number(c, c->high);
    NEW(work, *out, c->points + 2);
    (*out)[(*count)++] = c->low;
    for (int32_t k = 0; k < c->points; k++)
        if (c->point[k] > c->low && c->point[k] < last) (*out)[(*count)++] = c->point[k];
    (*out)[(*count)++] = last;
done:
    return status;
}

/* Cuts what lies between two single values into `parts`: equally many steps each, up to one, or equal widths where there are no steps. */
static void cut_between(Attribute *a, double low, double high, double parts, double *from, double *to) {
    double step = a->column->step, steps = step > 0 ? nearbyint((high - low) / step) - 1 : INFINITY;
    if (steps < 1) return;
    parts = larger(1, smaller(nearbyint(parts), steps));
    for (double k = 0; k < parts; k++, a->bins++) {
        if (step > 0) {
            from[a->bins] = low + step * (1 + floor(k * steps / parts));
            to[a->bins] = low + step * floor((k + 1) * steps / parts);
        } else {
            from[a->bins] = low + (high - low) * (k / parts);
            to[a->bins] = k + 1 < parts ? low + (high - low) * ((k + 1) / parts) : high;
        }
    }
}

static Status make_intervals(Work *work, int64_t bins, Attribute *a) {
    Status status = OK;
    double *from = NULL, *to = NULL, *single = NULL;
    int32_t count = 0;
    TRY(single_values(work, a->column, &single, &count));
    NEW(work, from, bins + 2 * count + 1);
    NEW(work, to, bins + 2 * count + 1);
    double width = single[count - 1] - single[0], between = (double)(bins - count);
    for (int32_t k = 0; k < count; k++) {
        if (k) cut_between(a, single[k - 1], single[k], between * (single[k] - single[k - 1]) / width, from, to);
        from[a->bins] = to[a->bins] = single[k];
        a->bins++;
    }
    a->from = from;
    a->to = to;
done:
    return status;
}

static Status make_attribute(Work *work, const SchemaColumn *c, int64_t bins, Attribute *a) {
    Status status = OK;
    *a = (Attribute){ .column = c, .missing = c->missing };
    if (c->kind == SCHEMA_CATEGORIES) a->bins = c->categories;
    else {
        double values = c->step > 0 ? floor((c->high - c->low) / c->step + 1e-9) + 1 : INFINITY;
        if (values <= (double)(FEW_VALUES > bins ? FEW_VALUES : bins)) a->bins = (int32_t)values;
        else TRY(make_intervals(work, bins, a));
    }
    if (a->bins > 65000) {
        fail(work->error, BAD, "has more than 65000 categories");
        TRY(error_column(work->error, c->name));
    }
    a->size = a->merged = a->bins + a->missing;
    NEW(work, a->merge, a->size + 1);
    for (int32_t k = 0; k < a->size; k++) a->merge[k] = k;
done:
    return status;
}

Status domain_make(Work *work, const Schema *schema, int64_t bins, Domain *out) {
    Status status = OK;
    *out = (Domain){ 0 };
    NEW(work, out->at, schema->columns + 1);
    for (int64_t j = 0; j < schema->columns; j++) {
        if (schema->person && !strcmp(schema->column[j].name, schema->person)) continue;
        if (out->count == MOST_ATTRIBUTES) TRY(fail(work->error, BAD, "the schema has more than %d columns", MOST_ATTRIBUTES));
        TRY(make_attribute(work, &schema->column[j], bins, &out->at[out->count++]));
    }
    if (!out->count) TRY(fail(work->error, BAD, "the schema has no columns to synthesise"));
done:
    return status;
}

/* The last code that begins at the value or below it; a single value comes before the interval that begins there. */
static int32_t number_code(const Attribute *a, double x) {
    const SchemaColumn *c = a->column;
    if (!a->from) {
        double at = floor((x - c->low) / c->step + 0.5);
        return at < 0 ? 0 : at >= a->bins ? a->bins - 1 : (int32_t)at;
    }
    int32_t low = 0, high = a->bins - 1;
    while (low < high) {
        int32_t middle = (low + high + 1) / 2;
        if (a->from[middle] <= x) low = middle;
        else high = middle - 1;
    }
    return low && a->from[low - 1] == x && a->to[low - 1] == x ? low - 1 : low;
}

/* A value of the code's interval: each of its steps as likely as another. */
static double value_within(const Attribute *a, int32_t code, double u) {
    const SchemaColumn *c = a->column;
    if (!a->from) return c->low + code * c->step;
    double from = a->from[code], to = a->to[code];
    if (!(c->step > 0)) return from + u * (to - from);
    double steps = nearbyint((to - from) / c->step) + 1;
    return from + c->step * smaller(floor(u * steps), steps - 1);
}

/* The codes of a dictionary's words. */
static Status word_codes(Work *work, const Attribute *a, const Column *column, int32_t **out) {
    Status status = OK;
    NEW(work, *out, column->words->count + 1);
    for (int32_t w = 0; w < column->words->count; w++) {
        (*out)[w] = a->bins - 1;
        for (int32_t k = 0; k < a->bins; k++)
            if (!strcmp(a->column->category[k], column->words->word[w])) (*out)[w] = k;
    }
done:
    return status;
}

Status domain_codes(Work *work, const Domain *domain, const Table *data, uint16_t **codes) {
    Status status = OK;
    for (int32_t j = 0; j < domain->count; j++) {
        const Attribute *a = &domain->at[j];
        const Column *column;
        int32_t *of = NULL;
        TRY(table_need(data, a->column->name, &column, work->error));
        NEW(work, codes[j], data->rows + 1);
        if (column->type == CATEGORY_TYPE) TRY(word_codes(work, a, column, &of));
        for (int64_t i = 0; i < data->rows; i++) {
            int32_t code;
            if (column_missing(column, i))
                code = a->missing ? a->bins : a->column->kind == SCHEMA_CATEGORIES ? 0 : number_code(a, schema_middle(a->column));
            else if (of) code = of[column->code[i]];
            else code = number_code(a, column_number(column, i));
            codes[j][i] = (uint16_t)code;
        }
    }
done:
    return status;
}

/* One of the codes that were merged into this one, evenly. */
static int32_t spread(const Attribute *a, int32_t merged, double u) {
    int32_t many = 0, at = 0;
    if (a->merged == a->size) return merged;
    for (int32_t k = 0; k < a->size; k++) many += a->merge[k] == merged;
    int32_t wanted = (int32_t)(u * many);
    for (int32_t k = 0; k < a->size; k++)
        if (a->merge[k] == merged && at++ == wanted) return k;
    return 0;
}

static Status number_column(const Attribute *a, const uint16_t *code, const uint64_t *words, int64_t rows, Column **out, Error *error) {
    Status status = OK;
    const SchemaColumn *c = a->column;
    bool whole = c->kind == SCHEMA_INTEGER;
    TRY(column_new(whole ? INTEGER_TYPE : REAL_TYPE, c->name, rows, out, error));
    TRY(column_need_valid(*out, error));
    for (int64_t i = 0; i < rows; i++) {
        double u = word_uniform(words[i]);
        int32_t k = spread(a, code[i], u);
        if (k == a->bins) {
            column_set_missing(*out, i);
            continue;
        }
        double within = a->merged == a->size ? u : word_uniform(words[i] * UINT64_C(0x9e3779b97f4a7c15));
        double x = schema_number(c, value_within(a, k, within));
        if (whole) (*out)->integer[i] = (int64_t)nearbyint(x);
        else (*out)->real[i] = x;
    }
    column_seal(*out);
done:
    if (status) {
        column_release(*out);
        *out = NULL;
    }
    return status;
}

static Status word_column(Work *work, const Attribute *a, const uint16_t *code, const uint64_t *words, int64_t rows, Column **out) {
    Status status = OK;
    const char **cells = NULL;
    NEW(work, cells, rows + 1);
    for (int64_t i = 0; i < rows; i++) {
        int32_t k = spread(a, code[i], word_uniform(words[i]));
        cells[i] = k == a->bins ? NULL : a->column->category[k];
    }
    TRY(column_category(a->column->name, cells, rows, out, work->error));
done:
    arena_drop(work->arena, cells);
    return status;
}

Status domain_table(Run *run, const Domain *domain, const char *name, uint16_t *const *codes, const int64_t *word_at, int64_t rows,
                    Table **out) {
    Status status = OK;
    Work *work = &run->work;
    Column **column = NULL;
    uint64_t *words = NULL;
    NEW(work, column, domain->count + 1);
    NEW(work, words, rows + 1);
    for (int32_t j = 0; j < domain->count; j++) {
        const Attribute *a = &domain->at[j];
        RandomStream stream = run_stream(run, a->column->name, "values");
        stream_words(&stream, 0, (size_t)rows, words);
        for (int64_t i = 0; i < rows; i++)
            if (word_at[i] != i) stream_words(&stream, (uint64_t)word_at[i], 1, &words[i]);
        if (a->column->kind == SCHEMA_CATEGORIES) TRY(word_column(work, a, codes[j], words, rows, &column[j]));
        else TRY(number_column(a, codes[j], words, rows, &column[j], work->error));
    }
    TRY(table_new(name, column, domain->count, rows, out, work->error));
done:
    for (int32_t j = 0; column && j < domain->count; j++) column_release(column[j]);
    arena_drop(work->arena, words);
    return status;
}
