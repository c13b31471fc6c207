/* Which variables are compared, and how: as numbers, or as categories at the level that both tables know. */
#include <stdlib.h>
#include <string.h>
#include "math/ranks.h"
#include "table/measurement_level.h"
#include "utility/compare/compare.h"

/* ---- values by their text ---- */

static int by_text(const void *a, const void *b) { return strcmp(((const Coded *)a)->text, ((const Coded *)b)->text); }

/* What a cell is looked up by. Of numbers -0 is 0. */
static const char *text_of(const Column *column, int64_t row, char number[33]) {
    if (column->type == REAL_TYPE && column->real[row] == 0) return "0";
    return column_cell(column, row, number);
}

static Status code_values(Work *work, const Work *scratch, const Column *column, const int32_t *joint, Coded **out, int64_t *count) {
    Status status = OK;
    Codes codes;
    char number[33];
    Work aside = *scratch;
    TRY(column_codes(&aside, column, &codes));
    NEW(work, *out, codes.count + 1);
    for (int32_t c = 0; c < codes.count; c++) {
        int64_t row = codes.first_row[c];
        (*out)[c] = (Coded){ arena_text(work->arena, text_of(column, row, number)), joint[row] };
        if (!(*out)[c].text) TRY(out_of_memory(work->error));
    }
    *count = codes.count;
    qsort(*out, (size_t)codes.count, sizeof **out, by_text);
done:
    return status;
}

/* The codes of a chunk's cells; missing is -1. */
static Status code_cells(Work *work, const Pairing *p, int t, const Column *column, int64_t **out) {
    Status status = OK;
    Codes codes;
    int64_t *of = NULL;
    char number[33];
    TRY(column_codes(work, column, &codes));
    NEW(work, of, codes.count + 1);
    NEW(work, *out, column->rows + 1);
    for (int32_t c = 0; c < codes.count; c++) {
        Coded wanted = { text_of(column, codes.first_row[c], number), 0 };
        const Coded *found = bsearch(&wanted, p->coded[t], (size_t)p->coded_count[t], sizeof wanted, by_text);
        if (!found) TRY(fail(work->error, BAD, "this part of the table was not shown when its values were learned"));
        of[c] = found->code;
    }
    for (int64_t i = 0; i < column->rows; i++) (*out)[i] = codes.at[i] < 0 ? -1 : of[codes.at[i]];
done:
    return status;
}

/* ---- decisions ---- */

static Status takes_for_codes(Work *scratch, const Comparison *c, const Pairing *p, bool *out) {
    Status status = OK;
    Values values = { 0 };
    const Column *column = table_column(c->table[0], p->name);
    *out = false;
    if (column->type != INTEGER_TYPE) return OK;
    if (!c->fit) {
        *out = column_is_codes(column);
        return OK;
    }
    TRY(values_make(scratch, c, p, 0, &values));
    *out = column_is_codes_times(values.column, values.times);
done:
    values_drop(&values);
    return status;
}

static bool paired(const Comparison *c) { return c->placed && ((!c->fit && c->table[1]->origin) || c->rows[0] == c->rows[1]); }

/* The number by which a tuple goes, for its place among others: what it became before all else, and of no two tuples the same, so that they
 * are saved in one order. */
enum { CODE_BITS = 27, VARIABLE_BITS = 9 };
static int64_t tuple_number(int64_t variable, int64_t value, int64_t became) {
    const int64_t codes = INT64_C(1) << CODE_BITS, variables = INT64_C(1) << VARIABLE_BITS;
    return (became * codes + (value & (codes - 1))) * variables + (variable & (variables - 1));
}
static int64_t number_became(int64_t number) { return number >> (CODE_BITS + VARIABLE_BITS); }

/* Is it to be asked of the records what became of its values? */
static Status ask(Work *work, Work *scratch, const Comparison *c, Pairing *p) {
    Status status = OK;
    Values values[2] = { { 0 } };
    ColumnRecoding coarsening;
    if (!paired(c) || (!c->fit && column_equal(table_column(c->table[0], p->name), table_column(c->table[1], p->name)))) return OK;
    TRY(values_both(scratch, c, p, values));
    TRY(recoding_read(scratch, values[0].column, values[1].column, values[0].times, &coarsening));
    p->asked = !coarsening.never && !coarsening.found;
    if (p->asked && coarsening.joint.count >> CODE_BITS) TRY(fail(work->error, FAILED, "has too many distinct values to be compared"));
    for (int t = 0; t < 2 && p->asked; t++)
        TRY(code_values(work, scratch, values[t].column, coarsening.joint.at[t], &p->coded[t], &p->coded_count[t]));
done:
    for (int t = 0; t < 2; t++) values_drop(&values[t]);
    return status;
}

static Status decide(Work *work, const Comparison *c, Pairing *p) {
    Status status = OK;
    Work scratch = *work;
    const Column *column[2];
    bool codes;
    if (!(scratch.arena = arena_new())) return out_of_memory(work->error);
    for (int t = 0; t < 2; t++) TRY(table_need(c->table[t], p->name, &column[t], work->error));
    TRY(takes_for_codes(&scratch, c, p, &codes));
    p->codes = codes && column[1]->type == INTEGER_TYPE;
    p->unsure = codes && column[1]->type == REAL_TYPE;
    p->number = column_numeric(column[0]) && column_numeric(column[1]) && !p->codes;
    if (!p->number || p->unsure) TRY(ask(work, &scratch, c, p));
done:
    arena_free(scratch.arena);
    return status;
}

/* Numeric ones first, each kind in the order of the names. */
static Status numbers_first(Work *work, Comparison *c) {
    Status status = OK;
    Pairing *all = NULL;
    int64_t at = 0;
    NEW(work, all, c->variables + 1);
    for (int number = 1; number >= 0; number--) {
        for (int64_t v = 0; v < c->variables; v++)
            if (c->pair[v].number == number) all[at++] = c->pair[v];
        if (number) c->numeric = at;
    }
    c->pair = all;
done:
    return status;
}

Status compare_decide(Work *work, Columns vars, Comparison *c) {
    Status status = OK;
    const char **name = NULL;
    TRY(common_columns(work, c->table[0], c->table[1], vars, &name, &c->variables));
    NEW(work, c->pair, c->variables + 1);
    for (int64_t v = 0; v < c->variables; v++) {
        TRY(work_check(work));
        c->pair[v] = (Pairing){ .name = arena_text(work->arena, name[v]), .place = v };
        if (!c->pair[v].name) TRY(out_of_memory(work->error));
        TRY(decide(work, c, &c->pair[v]));
    }
    TRY(numbers_first(work, c));
done:
    return status;
}

/* ---- what became of values, record by record ---- */

/* A value, and what became of it, as integer columns beside the variable's number; value -1: nothing follows from the records. By ascending
 * code of what it became: of each value the least comes first. */
static Status pair_columns(Work *work, const Pairing *p, const int64_t *value, const int64_t *became, int64_t count, Column *out[3]) {
    Status status = OK;
    static const char *const name[] = { "variable", "value", "became" };
    int64_t *order = NULL;
    uint64_t *words = NULL;
    NEW(work, words, count + 1);
    NEW(work, order, count + 1);
    for (int64_t i = 0; i < count; i++) words[i] = (uint64_t)became[i];
    TRY(order_words(work, words, count, order));
    for (int k = 0; k < 3; k++) TRY(column_new(INTEGER_TYPE, name[k], count, &out[k], work->error));
    for (int64_t i = 0; i < count; i++) {
        out[0]->integer[i] = p->place;
        out[1]->integer[i] = value[order[i]];
        out[2]->integer[i] = became[order[i]];
    }
    for (int k = 0; k < 3; k++) column_seal(out[k]);
done:
    return status;
}

/* Of each value: how many records have it, the least code that they became, and the sum of those codes. They all became one thing where the
 * sum is as many times the least: so much adds up whatever the parts, and takes no more than the values do. */
static Status count_pairs(Work *work, const Comparison *c, const Pairing *p, const Table *const chunk[2], PartState *done) {
    Status status = OK;
    int64_t *code[2], *value = NULL, *became = NULL, *number = NULL, count = 0, *tuple;
    Column *column[3] = { 0 };
    TupleCounts *roll = NULL;
    for (int t = 0; t < 2; t++) TRY(code_cells(work, p, t, table_column(chunk[t], p->name), &code[t]));
    NEW(work, value, chunk[1]->rows + 1);
    NEW(work, became, chunk[1]->rows + 1);
    for (int64_t i = 0; i < chunk[1]->rows; i++) {
        int64_t row = c->fit ? (i < chunk[0]->rows ? i : -1) : recoding_pair(chunk[0], chunk[1], i);
        int64_t before = row < 0 ? -1 : code[0][row];
        if (code[1][i] < 0 && row >= 0) continue;
        value[count] = before; /* -1: imputed; these are not the same records, or not recoded only */
        became[count++] = row < 0 ? 0 : code[1][i];
    }
    TRY(pair_columns(work, p, value, became, count, column));
    TRY(state_tuple_counts(done, DONE_PAIRS, 2, 0, true, &roll, work->error));
    NEW(work, number, count + 1);
    for (int64_t i = 0; i < count; i++) number[i] = tuple_number(p->place, column_integer(column[1], i), column_integer(column[2], i));
    roll->number = number;
    TRY(tuple_counts_add(work, roll, (Columns){ 2, (const Column *[]){ column[0], column[1] } }, column[2], count, 0, &tuple));
done:
    if (roll) roll->number = NULL;
    for (int k = 0; k < 3; k++) column_release(column[k]);
    return status;
}

Status compare_pairs(Work *work, const Comparison *c, const Table *const chunk[2], PartState *done) {
    Status status = OK;
    for (int64_t v = 0; v < c->variables; v++) {
        Work scratch = *work;
        if (!c->pair[v].asked) continue;
        if (!(scratch.arena = arena_new())) return out_of_memory(work->error);
        status = count_pairs(&scratch, c, &c->pair[v], chunk, done);
        arena_free(scratch.arena);
        TRY(status);
    }
done:
    return status;
}

/* What each code became, as recoding_by_record takes it; *known: false where the records show several things. */
static Status homes(Work *work, const PartState *done, const Pairing *p, int32_t codes, int32_t **home, int64_t *borne_out, bool *known) {
    Status status = OK;
    const TupleCounts *roll = done->roll[DONE_PAIRS];
    Table *tuples = NULL;
    int64_t *order;
    *borne_out = 0;
    *known = true;
    NEW(work, *home, codes + 1);
    for (int32_t c = 0; c < codes; c++) (*home)[c] = -1;
    if (!roll || !roll->known) return OK;
    if (roll->keys != 2 || !roll->weighted || roll->type[0] != INTEGER_TYPE || roll->type[1] != INTEGER_TYPE)
        return fail(work->error, BAD, "this state is broken");
    TRY(tuple_counts_order(work, roll, &order));
    TRY(tuple_counts_table(work, roll, NULL, order, &tuples));
    for (int64_t i = 0; i < roll->count && *known; i++) {
        int64_t tuple = order[i], value = column_integer(tuples->column[1], i), least = number_became(roll->first[tuple]),
                times = roll->times[tuple];
        if (column_integer(tuples->column[0], i) != p->place) continue;
        if (value < -1 || value >= codes || least < 0 || least >= codes) TRY(fail(work->error, BAD, "this state is broken"));
        *known = value >= 0 && roll->weight[tuple] == (WeightSum)((unsigned __int128)((__int128)least * times) << 64);
        *borne_out += times - 1;
        if (value >= 0) (*home)[value] = (int32_t)least;
    }
done:
    table_release(tuples);
    return status;
}

Status compare_coarsen(Work *work, Pairing *p, const PartState *done, const Values values[2], Column **out) {
    Status status = OK;
    ColumnRecoding coarsening;
    int32_t *home;
    int64_t borne_out;
    bool known;
    *out = NULL;
    p->coarse = (RecodedColumn){ 0 };
    TRY(recoding_read(work, values[0].column, values[1].column, values[0].times, &coarsening));
    if (p->asked && !coarsening.found && !coarsening.never) {
        TRY(homes(work, done, p, coarsening.joint.count, &home, &borne_out, &known));
        if (known) recoding_by_record(&coarsening, home, borne_out);
    }
    TRY(recoding_end(work, &coarsening, values[0].column, &p->coarse, out));
    if (p->coarse.name) p->coarse.name = p->name;
done:
    return status;
}

Status compare_settle(Work *work, Comparison *c, const PartState *done) {
    Status status = OK;
    Values values[2] = { { 0 } };
    Column *recoded = NULL;
    for (int64_t v = 0; v < c->variables; v++) {
        Pairing *p = &c->pair[v];
        if (!p->unsure || !p->asked) continue;
        TRY(values_both(work, c, p, values));
        TRY(compare_coarsen(work, p, done, values, &recoded));
        p->number = !recoded;
        column_release(recoded);
        recoded = NULL;
        for (int t = 0; t < 2; t++) values_drop(&values[t]);
    }
    TRY(numbers_first(work, c));
done:
    for (int t = 0; t < 2; t++) values_drop(&values[t]);
    return status;
}
