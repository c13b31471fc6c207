/* scrim inspect in parts: of each column its distinct values and its first cells are learned; then, where the suggested keys are few enough
 * for sets of them to be counted, their tuples. */
#include "verb/inspect.h"

/* Two rolls a column, in the fit: its values, and its head. */
enum { MOST_COLUMNS = STATE_TUPLE_COUNTS / 2, BITS = 62 };
static int64_t values_at(int64_t column) { return 2 * column; }
static int64_t head_at(int64_t column) { return 2 * column + 1; }

static const char *whole_for(const void *p) {
    const InspectArgs *a = p;
    if (a->files.count) return "--files compares the values of whole files";
    if (a->charts) return "--charts draws all its cells";
    if (a->data->columns > MOST_COLUMNS) return "more than 512 columns cannot be learned at once in parts";
    return NULL;
}

/* ---- the first reading ---- */

/* What the reader made of words: a bit for each column, the same in every part. Text that somebody declared; and words that are one or the
 * other by their number, which the whole table decides. */
enum { TEXTS = 0, BY_NUMBER = STATE_MOST / 2 };
static void note_words(PartState *fit, const Table *data) {
    int64_t bits[STATE_MOST] = { 0 };
    for (int64_t j = 0; j < data->columns; j++) {
        const Column *column = data->column[j];
        int64_t bit = INT64_C(1) << (j % BITS);
        if (column->by_number) bits[BY_NUMBER + j / BITS] |= bit;
        else if (column->type == TEXT_TYPE) bits[TEXTS + j / BITS] |= bit;
    }
    for (int i = 0; i < STATE_MOST; i++)
        if (bits[i] > fit->most[i]) fit->most[i] = bits[i];
}
static bool noted(const PartState *fit, int64_t from, int64_t column) { return fit->most[from + column / BITS] >> (column % BITS) & 1; }

/* Is the head full, with records before this one? */
static bool head_full(const TupleCounts *head, int64_t record) {
    int64_t total = 0, last = 0;
    for (int64_t t = 0; t < head->count; t++) {
        const Early *early = &head->early[t];
        total += early->count;
        if (early->count && early->at[early->count - 1] > last) last = early->at[early->count - 1];
    }
    return total >= head->apart && last < record;
}

static Status learn_head(Run *run, const Column *column, int64_t place, PartState *fit) {
    Status status = OK;
    TupleCounts *head = NULL;
    Column *first = NULL;
    int64_t *row = NULL, count = 0, *tuple;
    TRY(state_tuple_counts(fit, place, 1, 0, false, &head, run->work.error));
    head->head = true;
    head->apart = GUESS_CELLS;
    if (head->known && head_full(head, run->first_row)) goto done;
    NEW(&run->work, row, GUESS_CELLS + 1);
    for (int64_t i = 0; i < column->rows && count < GUESS_CELLS; i++)
        if (!column_missing(column, i)) row[count++] = i;
    TRY(column_take(column, row, count, &first, run->work.error));
    head->number = row;
    TRY(tuple_counts_add(&run->work, head, (Columns){ 1, &(const Column *){ first } }, NULL, count, run->first_row, &tuple));
done:
    if (head) head->number = NULL;
    column_release(first);
    return status;
}

/* Forms are asked of words and of whole numbers. */
static bool has_forms(Type type) { return plain_type(type) == CATEGORY_TYPE || type == INTEGER_TYPE; }

static Status learn(Run *run, const void *p, PartState *fit) {
    Status status = OK;
    const InspectArgs *a = p;
    if (run->common.where)
        TRY(parts_refuse(run->method, "the words of all records, not of those that --where keeps, make text or categories",
                         run->work.error));
    for (int64_t j = 0; j < a->data->columns; j++) {
        const Column *column = a->data->column[j];
        TupleCounts *roll;
        int64_t *tuple;
        TRY(state_tuple_counts(fit, values_at(j), 1, 0, false, &roll, run->work.error));
        roll->signs = true; /* of 0 and -0 the first is shown */
        TRY(tuple_counts_add(&run->work, roll, (Columns){ 1, &column }, NULL, a->data->rows, run->first_row, &tuple));
        if (has_forms(column->type)) TRY(learn_head(run, column, head_at(j), fit));
    }
    note_words(fit, a->data);
done:
    return status;
}

/* ---- what was learned ---- */

static Status lay_out_head(Work *work, TupleCounts *roll, Column **out) {
    Status status = OK;
    TupleCountsRows rows;
    Table *tuples = NULL;
    int64_t *order = NULL;
    TRY(tuple_counts_rows(work, roll, &rows));
    NEW(work, order, roll->count + 1);
    for (int64_t i = 0; i < roll->count; i++) order[i] = i;
    TRY(tuple_counts_table(work, roll, "head", order, &tuples));
    TRY(column_take(tuples->column[0], rows.tuple, rows.count, out, work->error));
done:
    table_release(tuples);
    return status;
}

/* What the file says of the column; codes of missing cells are those that were learned. */
static void inherit_level(Column *column, ColumnMetadata *about) {
    if (!column->about) column->about = metadata_retain(about);
    else if (about) {
        column->about->measure = about->measure;
        column->about->declared = about->declared;
    }
}

static const char *type_learned(const PartState *fit, int64_t j, const Seen *seen, int64_t rows) {
    if (seen->column->type != CATEGORY_TYPE) return type_name(seen->column->type);
    bool text = noted(fit, BY_NUMBER, j) ? words_are_many(seen->codes.count, rows) : noted(fit, TEXTS, j);
    return type_name(text ? TEXT_TYPE : CATEGORY_TYPE);
}

Status inspect_learned(Work *work, const Source *source, int64_t j, Seen *out) {
    Status status = OK;
    const PartState *fit = source->fit;
    const TupleCounts *roll = fit->roll[values_at(j)];
    TupleCounts *head = fit->roll[head_at(j)];
    int64_t *order, *times = NULL;
    if (!roll || roll->keys != 1 || (has_forms(roll->type[0]) && (!head || head->keys != 1)))
        TRY(fail(work->error, BAD, "a column of the table was not learned"));
    TRY(tuple_counts_order(work, roll, &order));
    TRY(tuple_counts_table(work, roll, source->data->name, order, &out->values));
    Column *column = out->values->column[0];
    out->column = out->head = column;
    inherit_level(column, source->data->column[j]->about);
    TRY(column_codes(work, column, &out->codes));
    NEW(work, times, roll->count + 1);
    NEW(work, out->size, out->codes.count + 1);
    TRY(inspect_count_codes(work, out));
    for (int64_t i = 0; i < roll->count; i++) {
        times[i] = roll->times[order[i]];
        *(out->codes.at[i] < 0 ? &out->missing : &out->size[out->codes.at[i]]) += times[i];
        if (out->of_code && column_missing(column, i) && column->reason[i] >= MISSING_CODE_FIRST)
            out->of_code[column->reason[i] - MISSING_CODE_FIRST] += times[i];
    }
    out->type = type_learned(fit, j, out, source->rows);
    out->level = column_level_times(column, times);
    if (has_forms(column->type)) {
        TRY(lay_out_head(work, head, &out->own_head));
        out->own_head->about = metadata_retain(column->about);
        out->head = out->own_head;
    }
done:
    return status;
}

/* ---- the second reading ---- */

/* Which columns are keys whose sets are counted, found once: kept in `done`, where it is the same for all. */
enum { CHOSEN, COUNT, FIRST };
static Status choose_keys(Run *run, const Source *source, PartState *done) {
    Status status = OK;
    Keys keys = { 0 };
    Seen seen = { 0 };
    for (int64_t j = 0; j < source->data->columns; j++) {
        TRY(inspect_see(&run->work, source, j, &seen));
        inspect_key(&keys, j, &seen);
        inspect_drop(&run->work, &seen);
    }
    done->most[CHOSEN] = 1;
    if (!inspect_pairs(&keys, source->rows)) goto done;
    done->most[COUNT] = keys.count;
    for (int k = 0; k < keys.count; k++) done->most[FIRST + k] = keys.column[k];
done:
    inspect_drop(&run->work, &seen);
    return status;
}

static Status count_tuples(Run *run, const void *p, const PartState *fit, PartState *done) {
    Status status = OK;
    const InspectArgs *a = p;
    const Column *key[INSPECT_MOST_KEYS];
    TupleCounts *roll;
    int64_t *tuple;
    if (!done->most[CHOSEN]) TRY(choose_keys(run, &(Source){ .data = a->data, .rows = fit->rows, .fit = fit }, done));
    const int64_t keys = done->most[COUNT];
    if (keys < 1 || keys > INSPECT_MOST_KEYS) return OK;
    for (int64_t k = 0; k < keys; k++) {
        const int64_t place = done->most[FIRST + k];
        if (place < 0 || place >= a->data->columns) TRY(fail(run->work.error, BAD, "this state is broken"));
        key[k] = a->data->column[place];
    }
    TRY(state_tuple_counts(done, 0, keys, 0, false, &roll, run->work.error));
    TRY(tuple_counts_add(&run->work, roll, (Columns){ keys, key }, NULL, a->data->rows, run->first_row, &tuple));
done:
    return status;
}

static Status tell(Run *run, const void *p, const PartState *fit, const PartState *done) {
    const InspectArgs *a = p;
    if (done->rows != fit->rows) return fail(run->work.error, FAILED, "not every part of the table was counted, or one more than once");
    return inspect_tell(run, a, &(Source){ .data = a->data, .rows = fit->rows, .fit = fit, .done = done });
}

const InParts inspect_parts = { .shape = BY_ROW, .whole = whole_for, .fit = learn, .apply = count_tuples, .say = tell };
