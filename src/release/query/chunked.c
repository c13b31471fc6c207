/* A table that comes in parts: what each part adds to the facts that decide the plan, and to the numbers that noise is added to. All of it
 * is whole numbers, so that any cut and any order of the parts gives the same release as the whole table does. */
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "base/exact_integer.h"
#include "release/query/query.h"

/* ---- whole numbers by their places, added up ---- */

enum { TALLY = 0, LABELS = 1 }; /* the state's rolls: of the places, then of the keys of each query */

/* number[i] to place first + i·step. `counts`: none is below 0, and those that are 0 need no place. */
static Status tally_add(Work *work, PartState *state, int64_t first, int64_t step, mpz_t *number, int64_t count, bool counts) {
    Status status = OK;
    Column *place = NULL;
    TupleCounts *roll;
    int64_t *found, *from = NULL, some = 0;
    NEW(work, from, count + 1);
    for (int64_t i = 0; i < count; i++)
        if (!counts || mpz_sgn(number[i])) from[some++] = i;
    TRY(state_tuple_counts(state, TALLY, 1, 1, false, &roll, work->error));
    TRY(column_new(INTEGER_TYPE, "place", some, &place, work->error));
    for (int64_t i = 0; i < some; i++) place->integer[i] = first + from[i] * step;
    TRY(tuple_counts_add(work, roll, (Columns){ 1, &(const Column *){ place } }, NULL, some, 0, &found));
    for (int64_t i = 0; i < some; i++) {
        int64_t at = place->integer[i];
        exact_sum_add_integer(&roll->sum[found[i]], number[from[i]]);
        roll->times[found[i]] = 0; /* how often it was added to is how the table was cut, and not what it holds */
        roll->first[found[i]] = at < 0 ? -2 * at - 1 : 2 * at;
    }
done:
    column_release(place);
    return status;
}

static mpz_t *numbers_new(int64_t count) {
    mpz_t *number = malloc((size_t)(count + 1) * sizeof *number);
    for (int64_t i = 0; number && i < count; i++) mpz_init(number[i]);
    return number;
}

static void numbers_free(mpz_t *number, int64_t count) {
    for (int64_t i = 0; number && i < count; i++) mpz_clear(number[i]);
    free(number);
}

/* The places that hold a sum, and where each stands in the roll; no table where none does. */
static Status places_table(Work *work, const TupleCounts *roll, int64_t **order, Table **out) {
    Status status = OK;
    *out = NULL;
    if (!roll || !roll->count) return OK;
    TRY(tuple_counts_order(work, roll, order));
    TRY(tuple_counts_table(work, roll, "places", *order, out));
done:
    return status;
}

/* The sum at each place: first, first + step, … */
static Status tally_read(Work *work, const PartState *state, int64_t first, int64_t step, mpz_t *out, int64_t count) {
    Status status = OK;
    const TupleCounts *roll = state->roll[TALLY];
    Table *places;
    int64_t *order;
    TRY(places_table(work, roll, &order, &places));
    for (int64_t i = 0; places && i < places->rows; i++) {
        int64_t at = (column_integer(places->column[0], i) - first) * step; /* step is 1 or −1 */
        if (at >= 0 && at < count) exact_integer(&roll->sum[order[i]], out[at]);
    }
done:
    table_release(places);
    return status;
}

/* One more than the last place. */
static Status places_of(Work *work, const PartState *state, int64_t *out) {
    Status status = OK;
    Table *places;
    int64_t *order;
    *out = 0;
    TRY(places_table(work, state->roll[TALLY], &order, &places));
    for (int64_t i = 0; places && i < places->rows; i++)
        if (column_integer(places->column[0], i) >= *out) *out = column_integer(places->column[0], i) + 1;
done:
    table_release(places);
    return status;
}

/* ---- facts, by places below 0 ---- */

/* −1: the sum of the records' prints for the ledger; then of each column how many values are missing; then two for each query: its records,
 * and those of them that lack a value. */
static int64_t fact_places(const Plan *plan) { return 1 + plan->args->data->columns + 2 * plan->queries; }

static Status facts_load(Plan *plan) {
    Carry *c = plan->carry;
    c->fact_count = fact_places(plan);
    if (!(c->fact = numbers_new(c->fact_count))) return out_of_memory(plan->work->error);
    return tally_read(plan->work, c->facts, -1, -1, c->fact, c->fact_count);
}

static mpz_t *fact_of_query(const Plan *plan, const Query *q) {
    return &plan->carry->fact[1 + plan->args->data->columns + 2 * (q - plan->query)];
}

Status carry_subset(Plan *plan, const Query *q, Subset *subset) {
    if (!plan->carry) return OK;
    mpz_t *fact = fact_of_query(plan, q);
    if (plan->carry->stage == LOOKS) {
        mpz_set_si(fact[0], subset->count);
        mpz_set_si(fact[1], subset->missing);
    } else {
        subset->records = mpz_get_si(fact[0]);
        subset->missing = mpz_get_si(fact[1]);
    }
    return OK;
}

bool plan_lacks(const Plan *plan, const Column *column) {
    const Table *data = plan->args->data;
    for (int64_t j = 0; plan->carry && j < data->columns; j++)
        if (!strcmp(data->column[j]->name, column->name)) return mpz_sgn(plan->carry->fact[1 + j]) > 0;
    return column->missing > 0;
}

Status plan_print(Plan *plan, const Table *table, Printed *out) {
    unsigned char key[ROW_PRINT_KEY];
    *out = (Printed){ .table = table, .rows = table ? table->rows : 0 };
    if (!table) return OK;
    if (plan->carry && plan->carry->stage == TOTAL && table == plan->args->data) {
        uint64_t word[2] = { 0 };
        mpz_t low; /* the prints are added modulo 2¹²⁸ */
        mpz_init(low);
        mpz_fdiv_r_2exp(low, plan->carry->fact[0], 128);
        mpz_export(word, NULL, -1, sizeof *word, 0, 0, low);
        mpz_clear(low);
        out->rows = plan->rows;
        out->print = (RowPrint)word[1] << 64 | word[0];
        return OK;
    }
    ledger_row_key(plan->args->ledger, key);
    return rows_print(plan->work, table, 0, key, &out->print);
}

static Status look_at_rows(Plan *plan, int64_t first_row) {
    Status status = OK;
    const Table *data = plan->args->data;
    mpz_t *fact = plan->carry->fact;
    for (int64_t j = 0; j < data->columns; j++) mpz_set_si(fact[1 + j], data->column[j]->missing);
    if (plan->args->ledger) {
        unsigned char key[ROW_PRINT_KEY];
        RowPrint print = 0;
        ledger_row_key(plan->args->ledger, key);
        TRY(rows_print(plan->work, data, first_row, key, &print));
        const uint64_t word[] = { (uint64_t)print, (uint64_t)(print >> 64) };
        mpz_import(fact[0], 2, -1, sizeof *word, 0, 0, word);
    }
done:
    return status;
}

/* ---- keys that are not public ---- */

static int64_t find_label(const char *const *label, int64_t count, const char *text) {
    int64_t low = 0;
    while (low < count) {
        int64_t middle = low + (count - low) / 2;
        if (strcmp(label[middle], text) < 0) low = middle + 1;
        else count = middle;
    }
    return low;
}

static Status learn_labels(Plan *plan, const Query *q, const Subset *subset, const GroupKeys *keys) {
    Status status = OK;
    Column *labels = NULL;
    TupleCounts *roll = NULL;
    const char **cell = NULL;
    int64_t *place;
    NEW(plan->work, cell, subset->count + 1);
    for (int64_t i = 0; i < subset->count; i++) cell[i] = keys->label[keys->of[subset->row[i]]];
    TRY(state_tuple_counts(plan->carry->into, LABELS + (q - plan->query), 1, 0, false, &roll, plan->work->error));
    TRY(column_category("label", cell, subset->count, &labels, plan->work->error));
    roll->number = subset->row;
    TRY(tuple_counts_add(plan->work, roll, (Columns){ 1, &(const Column *){ labels } }, NULL, subset->count, plan->run->first_row, &place));
done:
    if (roll) roll->number = NULL;
    column_release(labels);
    return status;
}

/* All labels, in their order. */
static Status all_labels(Plan *plan, const TupleCounts *roll, const char ***out) {
    Status status = OK;
    Table *tuples = NULL;
    int64_t *order;
    char cell[33];
    NEW(plan->work, *out, (roll ? roll->count : 0) + 1);
    if (!roll) return OK;
    TRY(tuple_counts_order(plan->work, roll, &order));
    TRY(tuple_counts_table(plan->work, roll, "labels", order, &tuples));
    for (int64_t i = 0; i < roll->count; i++)
        if (!((*out)[i] = arena_text(plan->work->arena, column_cell(tuples->column[0], i, cell)))) TRY(out_of_memory(plan->work->error));
    qsort(*out, (size_t)roll->count, sizeof **out, compare_texts);
done:
    table_release(tuples);
    return status;
}

Status carry_keys(Plan *plan, const Query *q, const Subset *subset, GroupKeys *keys) {
    Status status = OK;
    int32_t *place = NULL;
    const char **label;
    if (!plan->carry) return OK;
    if (plan->carry->stage == LOOKS) return learn_labels(plan, q, subset, keys);
    const TupleCounts *roll = plan->carry->facts->roll[LABELS + (q - plan->query)];
    int64_t count = roll ? roll->count : 0;
    TRY(all_labels(plan, roll, &label));
    NEW(plan->work, place, keys->count + 1);
    for (int64_t g = 0; g < keys->count; g++) {
        int64_t at = find_label(label, count, keys->label[g]);
        if (at == count || strcmp(label[at], keys->label[g]))
            TRY(fail(plan->work->error, BAD, "release query was not shown this part of the table when it learned"));
        place[g] = (int32_t)at;
    }
    for (int64_t i = 0; i < plan->args->data->rows; i++)
        if (keys->of[i] >= 0) keys->of[i] = place[keys->of[i]];
    keys->count = count;
    keys->label = label;
done:
    return status;
}

/* ---- numbers, by places from 0 on ---- */

static Status carry(Plan *plan, mpz_t *number, int64_t count, bool counts) {
    Carry *c = plan->carry;
    Status status = c->stage == ADDS ? tally_add(plan->work, c->into, c->next, 1, number, count, counts) : OK;
    for (int64_t i = 0; c->stage == TOTAL && i < count && c->next + i < c->numbers; i++) mpz_set(number[i], c->number[c->next + i]);
    c->next += count;
    return status;
}

Status carry_wide(Plan *plan, Wide *value, int64_t count, bool counts) {
    Status status = OK;
    mpz_t *number = NULL;
    if (!plan->carry) return OK;
    if (!(number = numbers_new(count))) TRY(out_of_memory(plan->work->error));
    for (int64_t i = 0; i < count; i++) wide_to_mpz(value[i], number[i]);
    TRY(carry(plan, number, count, counts));
    for (int64_t i = 0; i < count && plan->carry->stage == TOTAL; i++) TRY(wide_from_mpz(number[i], &value[i], plan->work->error));
done:
    numbers_free(number, count);
    return status;
}

Status carry_sums(Plan *plan, Sums3 *sums) {
    if (!plan->carry) return OK;
    mpz_t *number = numbers_new(3);
    if (!number) return out_of_memory(plan->work->error);
    mpz_set(number[0], sums->x);
    mpz_set(number[1], sums->y);
    mpz_set(number[2], sums->xy);
    Status status = carry(plan, number, 3, false);
    mpz_set(sums->x, number[0]);
    mpz_set(sums->y, number[1]);
    mpz_set(sums->xy, number[2]);
    numbers_free(number, 3);
    return status;
}

/* ---- the three stages ---- */

static const char *whole_for(const void *p) {
    const ReleaseArgs *a = p;
    if (a->neighbours != GLOBAL) return "--neighbours leave-one-out and worlds examine every record";
    if (a->person || (a->schema && a->schema->person)) return "the records of a person may lie in any part of the table";
    if (a->smooth) return "--smooth needs the order of all values";
    return a->dry_run ? "--dry-run works on a table of the same length" : NULL;
}

static Status check_kinds(const Plan *plan) {
    for (int64_t q = 0; q < plan->queries; q++)
        if (query_linear(&plan->query[q]) || plan->query[q].kind == QUERY_LOGISTIC)
            return parts_refuse(plan->run->method,
                                query_linear(&plan->query[q]) ? "medians, quantiles and trimmed means need the order of all values"
                                                              : "a logistic regression passes over all records many times",
                                plan->work->error);
    return OK;
}

static Status look(Run *run, const void *p, PartState *fit) {
    Status status = OK;
    const ReleaseArgs *a = p;
    Carry c = { .stage = LOOKS, .into = fit };
    Plan plan = { 0 };
    TRY(check_secrecy(run, a));
    TRY(plan_begin(&plan, run, a, &c));
    TRY(check_kinds(&plan));
    c.fact_count = fact_places(&plan);
    if (!(c.fact = numbers_new(c.fact_count))) TRY(out_of_memory(run->work.error));
    TRY(look_at_rows(&plan, run->first_row));
    for (int64_t q = 0; q < plan.queries; q++) {
        Subset subset;
        GroupKeys keys;
        TRY(query_subset(&plan, &plan.query[q], &subset));
        if (query_grouped(&plan.query[q])) TRY(group_keys(&plan, &plan.query[q], &subset, &keys));
    }
    TRY(tally_add(&run->work, fit, -1, -1, c.fact, c.fact_count, true));
done:
    numbers_free(c.fact, c.fact_count);
    plan_free(&plan);
    return status;
}

static Status add(Run *run, const void *p, const PartState *fit, PartState *done) {
    Status status = OK;
    Carry c = { .stage = ADDS, .facts = fit, .into = done };
    Plan plan = { 0 };
    TRY(plan_begin(&plan, run, p, &c));
    TRY(facts_load(&plan));
    TRY(plan_queries(&plan));
done:
    numbers_free(c.fact, c.fact_count);
    plan_free(&plan);
    return status;
}

static Status tell(Run *run, const void *p, const PartState *fit, const PartState *done) {
    Status status = OK;
    Carry c = { .stage = TOTAL, .facts = fit };
    Plan plan = { 0 };
    if (done->rows != fit->rows) TRY(fail(run->work.error, FAILED, "a part of the table is missing, or was added more than once"));
    TRY(plan_begin(&plan, run, p, &c));
    TRY(facts_load(&plan));
    TRY(places_of(&run->work, done, &c.numbers));
    if (!(c.number = numbers_new(c.numbers))) TRY(out_of_memory(run->work.error));
    TRY(tally_read(&run->work, done, 0, 1, c.number, c.numbers));
    TRY(plan_queries(&plan));
    plan.rows = fit->rows;
    TRY(answer_plan(&plan));
done:
    numbers_free(c.fact, c.fact_count);
    numbers_free(c.number, c.numbers);
    plan_free(&plan);
    return status;
}

const InParts query_parts = { .shape = BY_ROW, .whole = whole_for, .fit = look, .apply = add, .say = tell };
