/* The values of the columns that are compared: of whole tables, or as they were learned. */
#include "utility/compare/compare.h"

static int64_t learned_at(const Pairing *p, int t) { return 2 * p->place + t; }

static const Column *column_of(const Comparison *c, const Pairing *p, int t) { return pairing_column(p, c->table[t]); }

static Status not_learned(const Pairing *p, Error *error) {
    fail(error, BAD, "was not learned as the table has it");
    return error_column(error, p->name);
}

void values_drop(Values *values) {
    column_release(values->column);
    *values = (Values){ 0 };
}

Status values_learn(Run *run, const Comparison *c, PartState *fit) {
    Status status = OK;
    for (int64_t v = 0; v < c->variables; v++)
        for (int t = 0; t < 2; t++) {
            const Column *column = column_of(c, &c->pair[v], t);
            int64_t place = learned_at(&c->pair[v], t), *tuple;
            ValueCounts *ladder;
            TupleCounts *roll;
            if (column_numeric(column)) {
                TRY(state_value_counts(fit, place, &ladder, run->work.error));
                TRY(value_counts_add(&run->work, ladder, column));
                continue;
            }
            TRY(state_tuple_counts(fit, place, 1, 0, false, &roll, run->work.error));
            TRY(tuple_counts_add(&run->work, roll, (Columns){ 1, &column }, NULL, column->rows, run->first_row, &tuple));
        }
done:
    return status;
}

Status values_counts(Work *work, const Comparison *c, const Pairing *p, int t, ValueCounts **out, bool *own) {
    Status status = OK;
    const Column *column = column_of(c, p, t);
    *out = NULL;
    *own = !c->fit;
    if (c->fit) {
        ValueCounts *learned = c->fit->ladder[learned_at(p, t)];
        if (!learned || (learned->known && learned->whole != (column->type == INTEGER_TYPE))) TRY(not_learned(p, work->error));
        TRY(value_counts_sort(learned, work->error));
        *out = learned;
        goto done;
    }
    TRY(value_counts_new(out, work->error));
    TRY(value_counts_add(work, *out, column));
done:
    if (status && *own) {
        value_counts_free(*out);
        *out = NULL;
    }
    return status;
}

/* Ascending, and one row for what is missing. */
static Status numbers(Work *work, const Comparison *c, const Pairing *p, int t, Values *out) {
    Status status = OK;
    ValueCounts *ladder = NULL;
    bool own = false;
    const Column *like = column_of(c, p, t);
    TRY(values_counts(work, c, p, t, &ladder, &own));
    int64_t count = ladder_count(ladder), rows = count + (ladder->missing > 0);
    TRY(column_new(like->type, p->name, rows, &out->column, work->error));
    NEW(work, out->times, rows + 1);
    if (rows > count) TRY(column_need_valid(out->column, work->error));
    for (int64_t i = 0; i < count; i++) {
        if (like->type == INTEGER_TYPE) out->column->integer[i] = ladder_whole(ladder, i);
        else out->column->real[i] = ladder_real(ladder, i);
        out->times[i] = ladder_rungs(ladder)[i].times;
    }
    if (rows > count) column_set_missing(out->column, count);
    out->times[count] = ladder->missing;
    column_seal(out->column);
done:
    if (own) value_counts_free(ladder);
    return status;
}

static Status words(Work *work, const Comparison *c, const Pairing *p, int t, Values *out) {
    Status status = OK;
    int64_t *order;
    Table *table = NULL;
    const Column *like = column_of(c, p, t);
    const TupleCounts *roll = c->fit->roll[learned_at(p, t)];
    if (!roll || roll->keys != 1 || (roll->known && roll->type[0] != plain_type(like->type))) TRY(not_learned(p, work->error));
    if (!roll->known) { /* of no part with a record */
        TRY(column_take(like, NULL, 0, &out->column, work->error));
        goto done;
    }
    TRY(tuple_counts_order(work, roll, &order));
    TRY(tuple_counts_table(work, roll, NULL, order, &table));
    out->column = column_retain(table->column[0]);
    NEW(work, out->times, roll->count + 1);
    for (int64_t i = 0; i < roll->count; i++) out->times[i] = roll->times[order[i]];
done:
    table_release(table);
    return status;
}

Status values_make(Work *work, const Comparison *c, const Pairing *p, int t, Values *out) {
    Status status = OK;
    const Column *like = column_of(c, p, t);
    *out = (Values){ 0 };
    if (column_numeric(like)) TRY(numbers(work, c, p, t, out));
    else if (c->fit) TRY(words(work, c, p, t, out));
    else out->column = column_retain((Column *)(uintptr_t)like);
    if (out->column != like) {
        metadata_release(out->column->about);
        out->column->about = metadata_retain(like->about);
    }
done:
    if (status) values_drop(out);
    return status;
}

Status values_both(Work *work, const Comparison *c, const Pairing *p, Values out[2]) {
    Status status = OK;
    Column *typed[2] = { 0 };
    for (int t = 0; t < 2; t++) out[t] = (Values){ 0 };
    for (int t = 0; t < 2; t++) TRY(values_make(work, c, p, t, &out[t]));
    if (p->codes) TRY(typed_pair(work, (const Column *[]){ out[0].column, out[1].column }, out[0].times, 0, typed));
    for (int t = 0; t < 2; t++) {
        if (!typed[t]) continue;
        column_release(out[t].column);
        out[t].column = typed[t];
        typed[t] = NULL;
    }
done:
    for (int t = 0; t < 2; t++) column_release(typed[t]);
    if (status)
        for (int t = 0; t < 2; t++) values_drop(&out[t]);
    return status;
}
