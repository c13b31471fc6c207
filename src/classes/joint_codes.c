/* One variable in two tables, coded alike. */
#include "classes/joint_codes.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"

/* Both columns' own codes, and the joint code of each. */
typedef struct Pairing {
    const Column *column[2];
    Codes codes[2];
    int32_t *map[2];
    int32_t count;
    bool labelled;
    int64_t known[2]; /* code + 1 whose number is at hand */
    double number[2];
} Pairing;

static bool is_number(const Column *column) { return column_linear(column); }

static Status label_with(Work *work, const Column *column, int64_t row, const char **out) {
    char number[33];
    *out = arena_text(work->arena, column_cell(column, row, number));
    return *out ? OK : out_of_memory(work->error);
}

/* ---- numbers: codes of both ascend by value, so that they are merged ---- */

/* Codes come one after the other, their rows from all over the column: each is looked up once, and those ahead asked for early. */
static double number_at(Pairing *p, int t, int64_t code) {
    enum { AHEAD = 16 };
    if (p->known[t] == code + 1) return p->number[t];
    const Column *column = p->column[t];
    const int32_t *row = p->codes[t].first_row + code;
    if (column->type == REAL_TYPE && code + AHEAD < p->codes[t].count) __builtin_prefetch(&column->real[row[AHEAD]]);
    p->known[t] = code + 1;
    return p->number[t] = column_number(column, *row);
}

/* Whole numbers exactly, however large; all else as doubles. */
static int compare(Pairing *p, int64_t i, int64_t j) {
    Type type = p->column[0]->type;
    if (type == p->column[1]->type && (type == INTEGER_TYPE || type == DATETIME_TYPE)) {
        int64_t a = column_integer(p->column[0], p->codes[0].first_row[i]), b = column_integer(p->column[1], p->codes[1].first_row[j]);
        return (a > b) - (a < b);
    }
    double a = number_at(p, 0, i), b = number_at(p, 1, j);
    return (a > b) - (a < b);
}

/* The next value of either table, and which of them has it: their codes there are at[0] and at[1]. */
static bool next_number(Pairing *p, const int64_t at[2], double *value, bool has[2]) {
    bool left[2] = { at[0] < p->codes[0].count, at[1] < p->codes[1].count };
    int order = !left[1] ? -1 : !left[0] ? 1 : compare(p, at[0], at[1]);
    has[0] = left[0] && order <= 0;
    has[1] = left[1] && order >= 0;
    if (has[0] || has[1]) *value = has[0] ? number_at(p, 0, at[0]) : number_at(p, 1, at[1]);
    return has[0] || has[1];
}

static Status number_numbers(Work *work, Pairing *p, JointCodes *out) {
    Status status = OK;
    int64_t at[2] = { 0 };
    double value;
    bool has[2];
    if (p->labelled) NEW(work, out->label, (int64_t)p->codes[0].count + p->codes[1].count + 1);
    for (; next_number(p, at, &value, has); p->count++) {
        int from = has[0] ? 0 : 1;
        if (p->labelled) TRY(label_with(work, p->column[from], p->codes[from].first_row[at[from]], &out->label[p->count]));
        for (int t = 0; t < 2; t++)
            if (has[t]) p->map[t][at[t]++] = p->count;
    }
done:
    return status;
}

static Status close_interval(Work *work, int32_t at, double from, double to, JointCodes *out) {
    char a[33], b[33];
    if (at < 0 || !out->label) return OK;
    out->label[at] = arena_print(work->arena, "%s to %s", real_short(from, 6, a), real_short(to, 6, b));
    return out->label[at] ? OK : out_of_memory(work->error);
}

/* Cuts between values so that each interval holds about equally many records of the first table; codes become intervals. */
static Status bin(Work *work, Pairing *p, int32_t bins, JointCodes *out) {
    Status status = OK;
    int64_t *size = NULL, total = p->column[0]->rows - p->column[0]->missing, seen = 0, at[2] = { 0 };
    int32_t interval = -1;
    double value, from = 0, last = 0;
    bool has[2];
    TRY(codes_sizes(work, &p->codes[0], p->column[0]->rows, &size));
    if (p->labelled) NEW(work, out->label, bins + 1);
    for (; next_number(p, at, &value, has); last = value) {
        if (interval < 0 || (interval + 1 < bins && seen * bins >= total * (interval + 1))) {
            TRY(close_interval(work, interval, from, last, out));
            interval++;
            from = value;
        }
        if (has[0]) seen += size[at[0]];
        for (int t = 0; t < 2; t++)
            if (has[t]) p->map[t][at[t]++] = interval;
    }
    TRY(close_interval(work, interval, from, last, out));
    p->count = interval + 1;
    out->binned = true;
done:
    arena_drop(work->arena, size);
    return status;
}

/* ---- all else: by the text of the cells ---- */

typedef struct Value {
    const char *text;
    int32_t place, code;
    int table;
} Value;

static int by_text(const void *a, const void *b) {
    const Value *x = a, *y = b;
    return x->place != y->place ? (x->place < y->place ? -1 : 1) : strcmp(x->text, y->text);
}

/* Beside numbers, a word that is one is that number, however it was written: 15400.0 is 15400. */
static const char *as_number(const char *word, char out[33]) {
    double value;
    return read_real(word, word + strlen(word), '.', &value) && fabs(value) <= 0x1p53 ? real_text(value, out) : word;
}

static Status collect(Work *work, const Pairing *p, int table, const Dictionary *order, Value *out) {
    Status status = OK;
    char number[33];
    bool beside_numbers = column_numeric(p->column[1 - table]);
    for (int32_t c = 0; c < p->codes[table].count; c++) {
        const char *text = column_cell(p->column[table], p->codes[table].first_row[c], number);
        if (beside_numbers && text != number) text = as_number(text, number);
        if (text == number && !(text = arena_text(work->arena, number))) TRY(out_of_memory(work->error));
        out[c] = (Value){ .text = text, .code = c, .table = table };
        if (!order) continue;
        out[c].place = dictionary_find(order, text);
        if (out[c].place < 0) out[c].place = INT32_MAX;
    }
done:
    return status;
}

static Status number_words(Work *work, Pairing *p, JointCodes *out) {
    Status status = OK;
    const Column *first = p->column[0];
    const Dictionary *order = first->type == CATEGORY_TYPE && first->words->ordered ? first->words : NULL;
    int64_t count = (int64_t)p->codes[0].count + p->codes[1].count;
    Value *value = NULL;
    NEW(work, value, count + 1);
    if (p->labelled) NEW(work, out->label, count + 1);
    for (int t = 0; t < 2; t++) TRY(collect(work, p, t, order, value + (t ? p->codes[0].count : 0)));
    if (count) qsort(value, (size_t)count, sizeof *value, by_text);
    for (int64_t v = 0; v < count; v++) {
        if (!v || by_text(&value[v], &value[v - 1])) {
            if (p->labelled && !(out->label[p->count] = arena_text(work->arena, value[v].text))) TRY(out_of_memory(work->error));
            p->count++;
        }
        p->map[value[v].table][value[v].code] = p->count - 1;
    }
done:
    arena_drop(work->arena, value);
    return status;
}

/* ---- both ---- */

typedef struct Spread {
    const int32_t *from, *map;
    int32_t *to;
} Spread;

static Status spread_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Spread *s = self;
    for (int64_t i = first; i < last; i++) s->to[i] = s->from[i] < 0 ? -1 : s->map[s->from[i]];
    return OK;
}

/* The joint codes of one table. Where they are those of its column, as of every table that has all the values, these are taken over; not
 * where they lie in the column itself, which need not live as long. */
static Status spread(Work *work, const Pairing *p, int t, const int32_t **out) {
    Status status = OK;
    Spread s = { p->codes[t].at, p->map[t], NULL };
    const Column *column = p->column[t];
    int32_t c = 0;
    while (c < p->codes[t].count && p->map[t][c] == c) c++;
    if (c == p->codes[t].count && !(column->type == CATEGORY_TYPE && s.from == column->code)) {
        *out = s.from;
        return OK;
    }
    NEW(work, s.to, column->rows);
    TRY(parallel_for(work, column->rows, 1 << 16, spread_block, &s));
    *out = s.to;
done:
    return status;
}

static Status code_both(Work *work, const Column *first, const Column *second, int64_t few, int32_t bins, bool labelled, JointCodes *out) {
    Status status = OK;
    Pairing p = { .column = { first, second }, .labelled = labelled };
    bool numbers = (is_number(first) || first->missing == first->rows) && (is_number(second) || second->missing == second->rows);
    *out = (JointCodes){ 0 };
    for (int t = 0; t < 2; t++) {
        TRY(column_codes(work, p.column[t], &p.codes[t]));
        NEW(work, p.map[t], p.codes[t].count + 1);
    }
    bool many = numbers && bins > 0 && p.codes[0].count && (p.codes[0].count > few || p.codes[1].count > few);
    TRY(many ? bin(work, &p, bins, out) : numbers ? number_numbers(work, &p, out) : number_words(work, &p, out));
    out->count = p.count;
    for (int t = 0; t < 2; t++) TRY(spread(work, &p, t, &out->at[t]));
done:
    for (int t = 0; t < 2; t++) {
        if (out->at[t] == p.codes[t].at) p.codes[t].at = NULL; /* those are kept */
        codes_drop(work, p.column[t], &p.codes[t]);
        arena_drop(work->arena, p.map[t]);
    }
    return status;
}

Status joint_codes(Work *work, const Column *first, const Column *second, int64_t few, int32_t bins, JointCodes *out) {
    return code_both(work, first, second, few, bins, false, out);
}

Status joint_labelled(Work *work, const Column *first, const Column *second, int64_t few, int32_t bins, JointCodes *out) {
    return code_both(work, first, second, few, bins, true, out);
}

void joint_drop(Work *work, JointCodes *codes) {
    for (int t = 0; t < 2; t++) arena_drop(work->arena, (int32_t *)(uintptr_t)codes->at[t]);
    arena_drop(work->arena, codes->label);
    *codes = (JointCodes){ 0 };
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
