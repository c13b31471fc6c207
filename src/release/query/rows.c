/* Which records count: the bound on records per person, `where`, missing values, groups and their keys. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "base/text.h"
#include "release/query/query.h"
#include "table/group.h"

/* Sorted by person, a person's records in the table's order. */
static Status rows_by_person(Plan *plan, const Codes *codes, int64_t **start, int64_t **row) {
    Status status = OK;
    const int64_t rows = plan->args->data->rows;
    NEW(plan->work, *start, codes->count + 2);
    NEW(plan->work, *row, rows + 1);
    for (int64_t i = 0; i < rows; i++)
        if (codes->at[i] >= 0) (*start)[codes->at[i] + 2]++;
    for (int32_t c = 0; c < codes->count; c++) (*start)[c + 2] += (*start)[c + 1];
    for (int64_t i = 0; i < rows; i++)
        if (codes->at[i] >= 0) (*row)[(*start)[codes->at[i] + 1]++] = i;
done:
    return status;
}

/* `most` of a person's records at random, put first. The draw depends on a secret of this release, on who the person is and on how many
 * records that person has: what one person does never moves another's records in or out. */
static void choose_records(const Seed *seed, const char *person, int64_t *row, int64_t count, int64_t most) {
    const RandomStream stream = stream_make(seed, "release.query", 0, person, "records");
    RandomReader reader = reader_make(&stream);
    for (int64_t k = 0; k < most; k++) {
        const int64_t at = k + (int64_t)reader_below(&reader, (uint64_t)(count - k)), chosen = row[at];
        row[at] = row[k];
        row[k] = chosen;
    }
}

/* max_records records of each person, drawn at random; the first ones would be a sample of first visits. Records of no known person go. */
Status plan_rows(Plan *plan) {
    Status status = OK;
    const ReleaseArgs *a = plan->args;
    Codes codes;
    Seed seed = plan->run->session ? plan->run->session->seed : (Seed){ 0 };
    int64_t *start = NULL, *of = NULL;
    uint8_t *kept = NULL;
    char cell[33];
    plan->rows = a->data->rows;
    if (!plan->person) return OK; /* in parts there are none */
    if (!a->insecure_reproducible) TRY(seed_fresh(&seed, plan->work->error));
    TRY(column_codes(plan->work, plan->person, &codes));
    TRY(rows_by_person(plan, &codes, &start, &of));
    NEW(plan->work, kept, a->data->rows + 1);
    NEW(plan->work, plan->row, a->data->rows + 1);
    for (int32_t c = 0; c < codes.count; c++) {
        const int64_t count = start[c + 1] - start[c], most = count < plan->max_records ? count : plan->max_records;
        if (count > most) choose_records(&seed, column_cell(plan->person, codes.first_row[c], cell), &of[start[c]], count, most);
        for (int64_t k = 0; k < most; k++) kept[of[start[c] + k]] = 1;
    }
    plan->rows = 0;
    for (int64_t i = 0; i < a->data->rows; i++)
        if (kept[i]) plan->row[plan->rows++] = i;
done:
    return status;
}

/* A histogram counts missing values in a bin of their own; every other query leaves them out and says so. */
static bool has_missing_bin(const Query *q) { return q->kind == QUERY_HISTOGRAM; }

Status query_subset(Plan *plan, const Query *q, Subset *out) {
    Status status = OK;
    uint8_t *mask = NULL, *whole = NULL;
    const Table *data = plan->args->data;
    *out = (Subset){ 0 };
    if (q->where) TRY(expr_mask(plan->work, q->where, data, &mask, NULL));
    if (plan->args->where) TRY(expr_mask(plan->work, plan->args->where, data, &whole, NULL));
    NEW(plan->work, out->row, plan->rows + 1);
    for (int64_t i = 0; i < plan->rows; i++) {
        int64_t row = plan->row ? plan->row[i] : i;
        if ((mask && !mask[row]) || (whole && !whole[row])) continue;
        bool empty = q->x && column_missing(q->x, row), lacks = (empty && !has_missing_bin(q)) || (q->y && column_missing(q->y, row));
        for (int64_t k = 0; k < q->more.count; k++) lacks |= column_missing(q->more.at[k], row);
        if (lacks) {
            out->missing++;
            continue;
        }
        out->missing += empty;
        out->row[out->count++] = row;
    }
    out->records = out->count;
    TRY(carry_subset(plan, q, out));
done:
    return status;
}

/* "sex = 1, region = A" */
static const char *label_of(Plan *plan, const Columns *by, int64_t row) {
    Buffer text = { 0 };
    char number[33];
    for (int64_t j = 0; j < by->count; j++) {
        const Column *key = by->at[j];
        const char *cell = column_cell(key, row, number);
        if (cell && key->type == REAL_TYPE && key->real[row] == 0) cell = "0"; /* whichever of 0 and -0, one key, came first */
        buffer_print(&text, "%s%s = %s", j ? ", " : "", by->at[j]->name, cell ? cell : "(missing)");
    }
    const char *copy = arena_text(plan->work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

/* The tuples of keys that occur in a table, in the order of their labels: labels, and each row's place among them. */
typedef struct Tuples {
    int64_t count;
    const char **label;
    int32_t *of;
} Tuples;
typedef struct Labelled {
    const char *label;
    int64_t group;
} Labelled;
static int by_label(const void *a, const void *b) { return strcmp(((const Labelled *)a)->label, ((const Labelled *)b)->label); }

static Status tuples_of(Plan *plan, const Columns *by, int64_t rows, Tuples *out) {
    Status status = OK;
    Codes *codes = NULL;
    Grouping grouping;
    Labelled *list = NULL;
    int32_t *place = NULL;
    *out = (Tuples){ 0 };
    NEW(plan->work, codes, by->count);
    for (int64_t j = 0; j < by->count; j++) TRY(column_codes(plan->work, by->at[j], &codes[j]));
    TRY(group_codes(plan->work, codes, by->count, rows, &grouping));
    NEW(plan->work, list, grouping.count + 1);
    NEW(plan->work, place, grouping.count + 1);
    NEW(plan->work, out->label, grouping.count + 1);
    for (int64_t g = 0; g < grouping.count; g++) {
        list[g] = (Labelled){ label_of(plan, by, grouping.first[g]), g };
        if (!list[g].label) TRY(out_of_memory(plan->work->error));
    }
    qsort(list, (size_t)grouping.count, sizeof *list, by_label);
    for (int64_t g = 0; g < grouping.count; g++) {
        out->label[g] = list[g].label;
        place[list[g].group] = (int32_t)g;
    }
    for (int64_t i = 0; i < rows; i++) grouping.of[i] = place[grouping.of[i]];
    out->count = grouping.count;
    out->of = grouping.of;
done:
    return status;
}

static Status known_columns(Plan *plan, const Columns *by, Columns *out) {
    Status status = OK;
    NEW(plan->work, out->at, by->count);
    out->count = by->count;
    for (int64_t j = 0; j < by->count; j++) {
        status = table_need(plan->args->public_keys, by->at[j]->name, &out->at[j], plan->work->error);
        if (status) return error_parameter(plan->work->error, "public-keys");
    }
done:
    return status;
}

/* Keys declared in a table are answered whether or not they occur, and records of other keys count nowhere. Else the keys that the data
 * show: their order is that of their labels, which tells nothing. */
static Status tuple_keys(Plan *plan, const Columns *by, GroupKeys *out) {
    Status status = OK;
    int64_t rows = plan->args->data->rows;
    Tuples seen, listed;
    Columns columns;
    int32_t *place = NULL;
    TRY(tuples_of(plan, by, rows, &seen));
    if (!plan->args->public_keys) {
        *out = (GroupKeys){ .count = seen.count, .of = seen.of, .label = seen.label };
        return OK;
    }
    TRY(known_columns(plan, by, &columns));
    TRY(tuples_of(plan, &columns, plan->args->public_keys->rows, &listed));
    NEW(plan->work, place, seen.count + 1);
    for (int64_t g = 0, at = 0; g < seen.count; g++) { /* both are sorted */
        while (at < listed.count && strcmp(listed.label[at], seen.label[g]) < 0) at++;
        place[g] = at < listed.count && !strcmp(listed.label[at], seen.label[g]) ? (int32_t)at : -1;
    }
    for (int64_t i = 0; i < rows; i++) out->of[i] = place[seen.of[i]];
    out->count = listed.count;
    out->label = listed.label;
    out->known = true;
done:
    return status;
}

/* Bins of equal width between the bounds, or one for each whole number: public, since the bounds are. */
static Status bin_keys(Plan *plan, const Query *q, const Subset *subset, const Bounds *b, GroupKeys *out) {
    Status status = OK;
    bool each = isnan(q->number), missing = can_be_missing(plan, q->x, subset);
    double width = each ? 1 : (b->high - b->low) / q->number;
    out->count = each ? (int64_t)(b->high - b->low) + 1 : (int64_t)q->number;
    out->known = true;
    if (out->count > 1000000)
        return fail(plan->work->error, BAD, "a histogram of '%s' has more than a million bins; give their number, as in histogram(%s, 100)",
                    q->x->name, q->x->name);
    const int64_t bins = out->count;
    out->count += missing;
    NEW(plan->work, out->label, out->count);
    if (missing) out->label[bins] = arena_print(plan->work->arena, "%s = (missing)", q->x->name);
    for (int64_t k = 0; k < bins; k++) {
        char low[33], high[33];
        real_text(b->low + width * (double)k, low);
        real_text(k + 1 == bins && !each ? b->high : b->low + width * (double)(k + 1), high);
        out->label[k] = each ? arena_print(plan->work->arena, "%s = %s", q->x->name, low)
                             : arena_print(plan->work->arena, "%s in [%s,%s%s", q->x->name, low, high, k + 1 == bins ? "]" : ")");
    }
    for (int64_t i = 0; i < plan->args->data->rows; i++) {
        if (column_missing(q->x, i)) {
            out->of[i] = missing ? (int32_t)bins : -1;
            continue;
        }
        double x = b->low;
        TRY(clamp_finite(column_number(q->x, i), b->low, b->high, &x, plan->work->error));
        double bin = floor((x - b->low) / width);
        out->of[i] = (int32_t)fmin(bin, (double)(bins - 1));
    }
done:
    return status;
}

/* How many values a declared column can have, and which one a record's is: categories, or the whole numbers between the bounds; and
 * missing, where that can be. 0: too many to list. */
int64_t declared_values(const SchemaColumn *c) {
    if (!c || c->kind == SCHEMA_REAL) return 0;
    double count = c->kind == SCHEMA_CATEGORIES ? c->categories : floor((c->high - c->low) / c->step) + 1;
    return count <= 1000000 ? (int64_t)count + c->missing : 0;
}
static int64_t declared_place(const SchemaColumn *c, const Column *column, int64_t row) {
    if (column_missing(column, row)) return declared_values(c) - 1;
    return c->kind == SCHEMA_CATEGORIES ? column->code[row] : (int64_t)rint(((double)column_integer(column, row) - c->low) / c->step);
}
static void declared_label(const SchemaColumn *c, int64_t place, Buffer *out) {
    char number[33];
    bool missing = c->missing && place == declared_values(c) - 1;
    buffer_print(out, "%s = %s", c->name,
                 missing                        ? "(missing)"
                 : c->kind == SCHEMA_CATEGORIES ? c->category[place]
                                                : real_text(c->low + c->step * (double)place, number));
}

/* Every combination of values that the schema allows: public, whether or not anyone has it. */
static Status declared_keys(Plan *plan, const Columns *by, int64_t count, GroupKeys *out) {
    Status status = OK;
    const Schema *schema = plan->args->schema;
    Buffer text = { 0 };
    out->count = count;
    out->known = true;
    NEW(plan->work, out->label, count + 1);
    for (int64_t k = 0; k < count; k++) {
        int64_t rest = k, below = count;
        text.count = 0;
        for (int64_t j = 0; j < by->count; j++) {
            const SchemaColumn *c = schema_find(schema, by->at[j]->name);
            below /= declared_values(c);
            if (j) buffer_text(&text, ", ");
            declared_label(c, rest / below, &text);
            rest %= below;
        }
        if (text.failed || !(out->label[k] = arena_text(plan->work->arena, buffer_get(&text)))) TRY(out_of_memory(plan->work->error));
    }
    for (int64_t i = 0; i < plan->args->data->rows; i++) {
        int64_t place = 0;
        for (int64_t j = 0; j < by->count; j++) {
            const SchemaColumn *c = schema_find(schema, by->at[j]->name);
            place = place * declared_values(c) + declared_place(c, by->at[j], i);
        }
        out->of[i] = (int32_t)place;
    }
done:
    buffer_free(&text);
    return status;
}

/* How many combinations the schema declares; 0 where it does not, or where they are too many. */
static int64_t declared_count(const Plan *plan, const Columns *by) {
    int64_t count = plan->args->schema && !plan->args->public_keys ? 1 : 0;
    for (int64_t j = 0; j < by->count && count; j++) {
        int64_t values = declared_values(schema_find(plan->args->schema, by->at[j]->name));
        count = values && count <= 1000000 / values ? count * values : 0;
    }
    return count;
}

/* Keys that are not public are those of the records that count. */
static Status keep_occurring(Plan *plan, const Subset *subset, GroupKeys *keys) {
    Status status = OK;
    int32_t *place = NULL, next = 0;
    NEW(plan->work, place, keys->count + 1);
    for (int64_t i = 0; i < subset->count; i++) place[keys->of[subset->row[i]]] = 1;
    for (int64_t g = 0; g < keys->count; g++) {
        keys->label[next] = keys->label[g];
        place[g] = place[g] ? next++ : -1;
    }
    for (int64_t i = 0; i < plan->args->data->rows; i++) keys->of[i] = place[keys->of[i]];
    keys->count = next;
done:
    return status;
}

Status group_keys(Plan *plan, const Query *q, const Subset *subset, GroupKeys *out) {
    Status status = OK;
    Bounds bounds = { 0 };
    const Column *one[] = { q->x, q->y };
    Columns self = { q->kind == QUERY_CHISQ ? 2 : 1, one };
    const Columns *by = q->by.count ? &q->by : &self;
    *out = (GroupKeys){ 0 };
    NEW(plan->work, out->of, plan->args->data->rows + 1);
    for (int64_t i = 0; i < plan->args->data->rows; i++) out->of[i] = -1;
    if (q->kind == QUERY_ROC) return roc_keys(plan, q, out);
    if (q->kind == QUERY_HISTOGRAM && column_numeric(q->x)) {
        TRY(bounds_of(plan, q->x, !isnan(q->number), &bounds));
        if (bounds.given && (bounds.whole || !isnan(q->number))) return bin_keys(plan, q, subset, &bounds, out);
    }
    if (q->kind == QUERY_HISTOGRAM && !isnan(q->number))
        return fail(plan->work->error, BAD, "'%s' is not a number: its histogram has a bin for each value", q->x->name);
    int64_t declared = declared_count(plan, by);
    if (q->kind == QUERY_CHISQ && !declared) {
        fail(plan->work->error, BAD, "%s: the cells of the table must be public", q->text);
        return error_advice(plan->work->error, "Declare the categories of both columns in a --schema.");
    }
    if (declared) return declared_keys(plan, by, declared, out);
    TRY(tuple_keys(plan, by, out));
    if (!out->known) {
        TRY(keep_occurring(plan, subset, out));
        TRY(carry_keys(plan, q, subset, out));
    }
done:
    return status;
}
