/* Designs: a formula's terms as columns of numbers, over the records where nothing is missing. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "table/formula_terms.h"
#include "table/packed_reals.h"

enum { MOST_COLUMNS = 100000 };

/* One variable on one table: numbers, or codes of a factor with their words. */
typedef struct Values {
    PackedReals number;   /* none where it is a factor */
    const Column *column; /* of a factor */
    Codes codes;
    int32_t *level; /* of a factor: code → place among the levels, or -1 */
} Values;
static bool is_number(const Values *values) { return numbers_any(&values->number); }

/* All variables on one table, the response last, and which records have them all. */
typedef struct ChunkWriter {
    const Table *table;
    Values *at;
    uint8_t *complete;
    int64_t rows;
} ChunkWriter;

typedef struct Level {
    const char *word;
    double number;
    int32_t place;
} Level;
typedef struct Levels {
    int64_t count, room;
    Level *at;
} Levels;

static int64_t variables_of(const Formula *f) { return f->variables + f->has_response; }
static const Variable *variable_at(const Formula *f, int64_t i) { return i < f->variables ? &f->variable[i] : &f->response; }

static bool is_factor(const Variable *variable, const Table *table) {
    const char *name = expr_column(variable->expr);
    const Column *column = name ? table_column(table, name) : NULL;
    return variable->factor || (column && (column->type == CATEGORY_TYPE || column->type == TEXT_TYPE));
}

/* Numbers dressed as a column, so that they can be coded; everything in the arena. */
static Status borrowed_column(Work *work, const char *name, const double *real, int64_t rows, const Column **out) {
    Status status = OK;
    Column *column = NULL;
    NEW(work, column, 1);
    NEW(work, column->valid, (rows + 63) / 64 + 1);
    NEW(work, column->name, strlen(name) + 1);
    memcpy(column->name, name, strlen(name));
    column->type = REAL_TYPE;
    column->rows = rows;
    column->real = (double *)(uintptr_t)real;
    for (int64_t i = 0; i < rows; i++)
        if (!isnan(real[i])) column->valid[i >> 6] |= UINT64_C(1) << (i & 63);
    *out = column;
done:
    return status;
}

static Status evaluate(Work *work, const Variable *variable, const Table *table, Values *out) {
    Status status = OK;
    double *real = NULL;
    const char *name = expr_column(variable->expr);
    const Column *column = NULL;
    if (name) TRY(table_need(table, name, &column, work->error));
    if (column && is_factor(variable, table)) out->column = column;
    else if (column) {
        TRY(packed_reals_of(work, column, &out->number));
        return OK;
    } else {
        TRY(expr_reals(work, variable->expr, table, &real));
        out->number.real = variable->factor ? NULL : real;
        if (!variable->factor) return OK;
        TRY(borrowed_column(work, variable->label, real, table->rows, &out->column));
    }
    TRY(column_codes(work, out->column, &out->codes));
done:
    return status;
}

static Status make_sheet(Work *work, const Formula *f, const Table *table, ChunkWriter *out) {
    Status status = OK;
    *out = (ChunkWriter){ .table = table };
    NEW(work, out->at, variables_of(f));
    NEW(work, out->complete, table->rows);
    memset(out->complete, 1, (size_t)table->rows);
    for (int64_t v = 0; v < variables_of(f); v++) {
        Values *values = &out->at[v];
        TRY(evaluate(work, variable_at(f, v), table, values));
        for (int64_t i = 0; i < table->rows; i++)
            if (is_number(values) ? isnan(number_at(&values->number, i)) : values->codes.at[i] < 0) out->complete[i] = 0;
    }
    for (int64_t i = 0; i < table->rows; i++) out->rows += out->complete[i];
done:
    return status;
}

/* Adds the levels that complete records of the sheet have. */
static Status gather_levels(Work *work, const Variable *variable, const ChunkWriter *sheet, int64_t v, Levels *levels) {
    Status status = OK;
    const Values *values = &sheet->at[v];
    uint8_t *used = NULL;
    char text[33];
    if (is_number(values)) {
        fail(work->error, BAD, "'%s' holds numbers in one table and categories in the other", variable->label);
        return error_advice(work->error, "Write factor(%s), or recode both tables alike.", variable->label);
    }
    NEW(work, used, values->codes.count + 1);
    for (int64_t i = 0; i < sheet->table->rows; i++)
        if (sheet->complete[i]) used[values->codes.at[i]] = 1;
    for (int32_t c = 0; c < values->codes.count; c++) {
        if (!used[c]) continue;
        int64_t row = values->codes.first_row[c];
        const Column *column = values->column;
        GROW(work, levels->at, levels->room, levels->count + 1);
        Level *level = &levels->at[levels->count++];
        level->word = arena_text(work->arena, column_cell(column, row, text));
        if (!level->word) return out_of_memory(work->error);
        level->number = column_linear(column) ? column_number(column, row) : NAN;
        level->place = 0;
    }
done:
    return status;
}

static int by_level(const void *a, const void *b) {
    const Level *x = a, *y = b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    if (!isnan(x->number) && !isnan(y->number)) return (x->number > y->number) - (x->number < y->number);
    return strcmp(x->word, y->word);
}

/* Sorted by number, by the order of an ordered dictionary (the first sheet's; others after it), or by bytes; each once. */
static void settle_levels(Levels *levels, const Dictionary *order) {
    for (int64_t i = 0; order && i < levels->count; i++) {
        int32_t place = dictionary_find(order, levels->at[i].word);
        levels->at[i].place = place < 0 ? INT32_MAX : place;
    }
    if (levels->count) qsort(levels->at, (size_t)levels->count, sizeof *levels->at, by_level);
    int64_t distinct = 0;
    for (int64_t i = 0; i < levels->count; i++)
        if (!i || strcmp(levels->at[i].word, levels->at[distinct - 1].word)) levels->at[distinct++] = levels->at[i];
    levels->count = distinct;
}

/* Code → level for the sheet that becomes the design. */
static Status map_levels(Work *work, const ChunkWriter *sheet, int64_t v, const Variable *variable, const Levels *levels) {
    Status status = OK;
    Values *values = &sheet->at[v];
    int64_t sorted = 0;
    char text[33];
    NEW(work, values->level, values->codes.count + 1);
    for (int32_t c = 0; c < values->codes.count; c++) {
        const char *word = column_cell(values->column, values->codes.first_row[c], text);
        values->level[c] = -1;
        for (int64_t k = 0; k < levels->count && values->level[c] < 0; k++) { /* codes and levels mostly run side by side */
            int64_t place = (sorted + k) % levels->count;
            if (!strcmp(levels->at[place].word, word)) values->level[c] = (int32_t)place;
        }
        if (values->level[c] >= 0) sorted = values->level[c] + 1;
    }
    for (int64_t i = 0; i < sheet->table->rows; i++) {
        if (!sheet->complete[i] || values->level[values->codes.at[i]] >= 0) continue;
        fail(work->error, BAD, "'%s' has a level that the other table does not have", variable->label);
        error_value(work->error, column_cell(values->column, i, text));
        error_advice(work->error, "Recode both tables alike.");
        error_row(work->error, i);
        return BAD;
    }
done:
    return status;
}

static Status find_levels(Work *work, const Formula *f, const ChunkWriter *sheet, const ChunkWriter *others, int64_t count, Levels *out) {
    Status status = OK;
    for (int64_t v = 0; v < variables_of(f); v++) {
        if (!sheet->at[v].column) continue;
        const Dictionary *order = NULL;
        for (int64_t t = 0; t < count; t++) {
            const Column *column = others[t].at[v].column;
            if (column && column->type == CATEGORY_TYPE && column->words->ordered && !order) order = column->words;
            TRY(gather_levels(work, variable_at(f, v), &others[t], v, &out[v]));
        }
        settle_levels(&out[v], order);
        TRY(map_levels(work, sheet, v, variable_at(f, v), &out[v]));
    }
done:
    return status;
}

static bool contains(const Term *term, int32_t variable) {
    for (int64_t i = 0; i < term->count; i++)
        if (term->at[i] == variable) return true;
    return false;
}

/* R's rule: a factor in a term is coded by contrasts where the term without it is part of an earlier term (or is empty), else by all its
 * dummies. */
static bool by_contrasts(const Formula *f, int64_t t, int64_t which) {
    const Term *term = &f->term[t];
    if (term->count == 1) return true;
    for (int64_t e = 0; e < t; e++) {
        bool all = true;
        for (int64_t i = 0; i < term->count && all; i++) all = i == which || contains(&f->term[e], term->at[i]);
        if (all) return true;
    }
    return false;
}

/* A term laid out: for each of its variables the first level that has a column, how many columns, and how far apart. */
typedef struct Layout {
    const Term *term;
    int64_t first, columns;
    int32_t *base;
    int64_t *stride, *size;
} Layout;

static Status lay_out(Work *work, const Formula *f, const ChunkWriter *sheet, const Levels *levels, Layout *layout, int64_t *columns) {
    Status status = OK;
    bool whole = f->intercept; /* without an intercept, the first factor of all gets all its dummies */
    *columns = f->intercept;
    for (int64_t t = 0; t < f->terms; t++) {
        Layout *l = &layout[t];
        l->term = &f->term[t];
        l->first = *columns;
        l->columns = 1;
        NEW(work, l->base, l->term->count);
        NEW(work, l->stride, l->term->count);
        NEW(work, l->size, l->term->count);
        for (int64_t i = 0; i < l->term->count; i++) {
            int32_t v = l->term->at[i];
            bool factor = sheet->at[v].column != NULL;
            l->base[i] = factor && by_contrasts(f, t, i) && whole;
            if (factor && !whole) whole = true;
            l->stride[i] = l->columns;
            l->size[i] = factor ? levels[v].count - l->base[i] : 1;
            if (l->size[i] < 0) l->size[i] = 0;
            l->columns *= l->size[i];
            if (*columns + l->columns > MOST_COLUMNS) {
                fail(work->error, BAD, "the formula makes more than %d columns", MOST_COLUMNS);
                return error_advice(work->error, "A column with many distinct values ('%s') may be meant as a number, or be recoded first.",
                                    f->variable[v].label);
            }
        }
        *columns += l->columns;
    }
done:
    return status;
}

static Status name_columns(Work *work, const Formula *f, const ChunkWriter *sheet, const Levels *levels, const Layout *l,
                           const char **names) {
    for (int64_t c = 0; c < l->columns; c++) {
        const char *name = "";
        for (int64_t i = 0; i < l->term->count && name; i++) {
            int32_t v = l->term->at[i];
            int64_t level = c / l->stride[i] % l->size[i] + l->base[i];
            name = arena_print(work->arena, "%s%s%s%s", name, i ? ":" : "", f->variable[v].label,
                               sheet->at[v].column ? levels[v].at[level].word : "");
        }
        if (!name) return out_of_memory(work->error);
        names[l->first + c] = name;
    }
    return OK;
}

/* What the rows of a design are made of. */
typedef struct DesignSource {
    ChunkWriter sheet;
    const Layout *layout;
    const Formula *formula;
} DesignSource;

static Status infinite(const DesignSource *from, int32_t v, int64_t row, Error *error) {
    fail(error, BAD, "'%s' is infinite", from->formula->variable[v].label);
    error_advice(error, "Leave such records out with --where, or change the formula.");
    return error_row(error, row);
}

/* One term of some records: the product of its numbers stands in the column that its levels choose, `stride` apart from the one before.
 * Without a place for them, they are looked through alone. */
static Status fill_term(const DesignSource *from, const Layout *l, const int64_t *record, int64_t count, double *out, int64_t stride,
                        Error *error) {
    for (int64_t r = 0; r < count; r++) {
        double product = 1;
        int64_t place = 0, row = record[r];
        for (int64_t i = 0; i < l->term->count; i++) {
            int32_t v = l->term->at[i];
            const Values *values = &from->sheet.at[v];
            if (is_number(values)) {
                double x = number_at(&values->number, row);
                if (isinf(x)) return infinite(from, v, row, error);
                product *= x;
                continue;
            }
            int32_t level = values->level[values->codes.at[row]] - l->base[i];
            if (level < 0) {
                place = -1;
                break;
            }
            place += level * l->stride[i];
        }
        if (place >= 0 && out) out[(l->first + place) * stride + r] = product;
    }
    return OK;
}

/* Every term; `out` is zero so far. */
static Status fill_terms(const DesignSource *from, const int64_t *record, int64_t count, double *out, int64_t stride, Error *error) {
    Status status = OK;
    for (int64_t r = 0; r < count && from->formula->intercept && out; r++) out[r] = 1;
    for (int64_t t = 0; t < from->formula->terms; t++)
        if (from->layout[t].columns) TRY(fill_term(from, &from->layout[t], record, count, out, stride, error));
done:
    return status;
}

/* The design's own x; where it has none the numbers are checked all the same, so that no row fails when it is asked for. */
static Status fill_rows(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Design *d = self;
    (void)block;
    return fill_terms(d->source, d->row + first, last - first, d->x ? d->x + first : NULL, d->rows, error);
}

void design_read_records(const Design *design, const int64_t *record, int64_t count, double *out) {
    memset(out, 0, (size_t)(design->columns * count) * sizeof *out);
    (void)fill_terms(design->source, record, count, out, count, NULL);
}

void design_read(const void *design, int64_t first, int64_t count, double *out) {
    const Design *d = design;
    design_read_records(d, d->row + first, count, out);
}

static Status fill_response(Work *work, const Formula *f, const ChunkWriter *sheet, const Levels *levels, Design *out) {
    Status status = OK;
    const Values *values = &sheet->at[f->variables];
    out->response = f->response.label;
    NEW(work, out->y, out->rows);
    for (int64_t r = 0; r < out->rows; r++) {
        int64_t row = out->row[r];
        out->y[r] = is_number(values) ? number_at(&values->number, row) : values->level[values->codes.at[row]];
        if (!isinf(out->y[r])) continue;
        fail(work->error, BAD, "'%s' is infinite", f->response.label);
        return error_row(work->error, row);
    }
    if (is_number(values)) return OK;
    out->levels = levels[f->variables].count;
    NEW(work, out->level, out->levels);
    for (int64_t i = 0; i < out->levels; i++) out->level[i] = levels[f->variables].at[i].word;
done:
    return status;
}

static Status complete_rows(Work *work, const ChunkWriter *sheet, Design *out) {
    Status status = OK;
    int64_t *row = NULL, n = 0;
    out->rows = sheet->rows;
    NEW(work, row, sheet->rows);
    for (int64_t i = 0; i < sheet->table->rows; i++)
        if (sheet->complete[i]) row[n++] = i;
    out->row = row;
done:
    return status;
}

static Status make_design(Work *work, const Formula *formula, const Table *table, const Table *const *levels_of, int64_t count, bool filled,
                          Design *out) {
    Status status = OK;
    ChunkWriter *others = NULL;
    Levels *levels = NULL;
    Layout *layout = NULL;
    DesignSource *source = NULL;
    *out = (Design){ .intercept = formula->intercept };
    NEW(work, source, 1);
    TRY(make_sheet(work, formula, table, &source->sheet));
    NEW(work, others, count);
    for (int64_t t = 0; t < count; t++) {
        if (levels_of[t] == table) others[t] = source->sheet;
        else TRY(make_sheet(work, formula, levels_of[t], &others[t]));
    }
    NEW(work, levels, variables_of(formula));
    TRY(find_levels(work, formula, &source->sheet, others, count, levels));
    NEW(work, layout, formula->terms);
    TRY(lay_out(work, formula, &source->sheet, levels, layout, &out->columns));
    TRY(complete_rows(work, &source->sheet, out));
    if (filled) NEW(work, out->x, out->rows * out->columns);
    NEW(work, out->term, out->columns);
    if (formula->intercept) out->term[0] = "(Intercept)";
    for (int64_t t = 0; t < formula->terms; t++) TRY(name_columns(work, formula, &source->sheet, levels, &layout[t], out->term));
    source->layout = layout;
    source->formula = formula;
    out->source = source;
    TRY(parallel_for(work, out->rows, 1 << 15, fill_rows, out));
    if (formula->has_response) TRY(fill_response(work, formula, &source->sheet, levels, out));
done:
    return status;
}

Status formula_design_over(Work *work, const Formula *formula, const Table *table, const Table *const *levels_of, int64_t count,
                           Design *out) {
    return make_design(work, formula, table, levels_of, count, true, out);
}

Status formula_design(Work *work, const Formula *formula, const Table *table, const Table *levels, Design *out) {
    const Table *of = levels ? levels : table;
    return make_design(work, formula, table, &of, 1, true, out);
}

Status formula_design_unfilled(Work *work, const Formula *formula, const Table *table, const Table *levels, Design *out) {
    const Table *of = levels ? levels : table;
    return make_design(work, formula, table, &of, 1, false, out);
}
