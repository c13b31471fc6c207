/* Treatments of columns in manifests. */
#include "io/treatments.h"
#include "base/elementary.h"
#include <stdlib.h>
#include <string.h>
#include "base/escape.h"
#include "base/number_text.h"

/* ---- writing ---- */

static void put_amount(Buffer *out, const char *name, double amount) {
    char text[33];
    if (isfinite(amount)) buffer_print(out, ", \"%s\": %s", name, real_text(amount, text));
}

static void put_texts(Buffer *out, const char *name, char *const *text, int32_t count) {
    if (!text) return;
    buffer_print(out, ", \"%s\": [", name);
    for (int32_t i = 0; i < count; i++) {
        if (i) buffer_text(out, ", ");
        if (text[i]) put_json_text(out, text[i]);
        else buffer_text(out, "null");
    }
    buffer_char(out, ']');
}

static void put_step(Buffer *out, const Treatment *step) {
    char text[33];
    buffer_print(out, "{\"kind\": \"%s\"", treatment_names[step->kind]);
    put_amount(out, "amount", step->amount);
    put_amount(out, "low", step->low);
    put_amount(out, "high", step->high);
    put_texts(out, "from", step->from, step->count);
    put_texts(out, "to", step->to, step->count);
    const int64_t cells = step->matrix ? (int64_t)step->count * step->count : 0;
    if (cells) buffer_text(out, ", \"matrix\": [");
    for (int64_t i = 0; i < cells; i++) buffer_print(out, "%s%s", i ? ", " : "", real_text(step->matrix[i], text));
    buffer_text(out, cells ? "]}" : "}");
}

static void put_steps(Buffer *out, const Treatment *last) {
    if (!last) return;
    put_steps(out, last->before);
    if (last->before) buffer_text(out, ", ");
    put_step(out, last);
}

void treatments_put(const Table *table, Buffer *out) {
    const char *between = "\n    ";
    bool any = false;
    for (int64_t j = 0; j < table->columns; j++) any |= !table->column[j]->treatment || treatment_known(table->column[j]->treatment);
    if (table->elsewhere || !any) return; /* its columns were written in parts, or none is described */
    buffer_text(out, ",\n  \"treatments\": {");
    for (int64_t j = 0; j < table->columns; j++) {
        const Column *column = table->column[j];
        if (!column->treatment) continue;
        buffer_text(out, between);
        put_json_text(out, column->name);
        buffer_text(out, ": ");
        if (treatment_known(column->treatment)) {
            buffer_char(out, '[');
            put_steps(out, column->treatment);
            buffer_char(out, ']');
        } else buffer_text(out, "null");
        between = ",\n    ";
    }
    buffer_char(out, '}');
}

/* ---- reading ---- */

static double amount_of(const json_t *step, const char *name) {
    const json_t *value = json_object_get(step, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static TreatmentKind kind_of(const json_t *step) {
    const char *name = json_string_value(json_object_get(step, "kind"));
    for (int k = 0; name && k < TREATMENTS; k++)
        if (!strcmp(name, treatment_names[k])) return (TreatmentKind)k;
    return TREATED_OTHERWISE;
}

/* A list of `count` texts, or NULL: also where it is none. The texts are the JSON's own. */
static const char **texts_of(const json_t *list, size_t count) {
    const char **out = json_is_array(list) && json_array_size(list) == count ? calloc(count + 1, sizeof *out) : NULL;
    for (size_t i = 0; out && i < count; i++) out[i] = json_string_value(json_array_get(list, i));
    return out;
}

static double *matrix_of(const json_t *list, size_t count) {
    double *out = json_is_array(list) && json_array_size(list) == count * count ? calloc(count * count + 1, sizeof *out) : NULL;
    for (size_t i = 0; out && i < count * count; i++) {
        out[i] = json_number_value(json_array_get(list, i)); /* 0 where it is none */
        if (!(out[i] >= 0 && out[i] <= 1)) out[i] = 0;
    }
    return out;
}

/* Has the step what its kind needs? */
static bool step_whole(const Treatment *t) {
    bool texts = true;
    for (int32_t i = 0; t->from && i < t->count; i++) texts = texts && t->from[i];
    switch (t->kind) {
    case TREATED_MAPPED: return t->from && t->to && texts;
    case TREATED_INTERVALS: return t->to;
    case TREATED_CODED: return t->to && t->count == 2;
    case TREATED_MATRIX: return t->from && texts && t->matrix;
    case TREATED_ROUNDED:
    case TREATED_ROUNDED_DOWN:
    case TREATED_DITHERED: return t->amount > 0;
    case TREATED_SWAPPED:
    case TREATED_RANKED:
    case TREATED_NOISY:
    case TREATED_SCALED: return t->amount >= 0;
    case TREATED_SHUFFLED: return true;
    default: return false;
    }
}

static Treatment *read_step(const json_t *step) {
    enum { MOST = 1 << 20 };
    const json_t *from = json_object_get(step, "from"), *to = json_object_get(step, "to");
    size_t count = json_array_size(from ? from : to);
    if (count > MOST) return treatment_of_amount(TREATED_OTHERWISE, 0);
    const char **before = texts_of(from, count), **after = texts_of(to, count);
    double *matrix = matrix_of(json_object_get(step, "matrix"), count);
    Treatment *made = treatment_new(kind_of(step), (int32_t)count, before, after, matrix);
    free(before);
    free(after);
    free(matrix);
    if (!made) return NULL;
    made->amount = amount_of(step, "amount");
    made->low = amount_of(step, "low");
    made->high = amount_of(step, "high");
    if (!step_whole(made)) made->kind = TREATED_OTHERWISE;
    return made;
}

static Status read_steps(Column *column, const json_t *list, Error *error) {
    Status status = OK;
    const json_t *step;
    size_t i;
    if (!json_is_array(list) || !json_array_size(list)) return column_treat(column, treatment_of_amount(TREATED_OTHERWISE, 0), error);
    json_array_foreach (list, i, step) {
        Treatment *made = read_step(step), *next = made ? treatment_after(made, column->treatment) : NULL;
        treatment_release(made);
        TRY(column_treat(column, next, error));
    }
done:
    return status;
}

Status treatments_read(Table *table, const json_t *root, Error *error) {
    Status status = OK;
    const json_t *all = json_object_get(root, "treatments");
    for (int64_t j = 0; j < table->columns; j++) {
        Column *column = (Column *)(uintptr_t)table->column[j];
        const json_t *list = json_object_get(all, column->name);
        if (json_is_object(all) && !list) continue;
        TRY(read_steps(column, list, error));
    }
done:
    return status;
}
