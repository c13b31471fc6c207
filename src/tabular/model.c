/* Reading a table of cells into a model, and writing one back. */
#include "tabular/model.h"
#include <string.h>
#include "base/elementary.h"
#include "table/group.h"

static Status numbers(Work *work, const Table *table, const char *name, const Column **column, double **out) {
    Status status = OK;
    *out = NULL;
    const Column *found = table_column(table, name);
    if (column) *column = found;
    if (!found) return OK;
    if (!column_numeric(found) && found->missing < found->rows) {
        fail(work->error, BAD, "this column must hold numbers");
        return error_column(work->error, name);
    }
    NEW(work, *out, table->rows + 1);
    for (int64_t i = 0; i < table->rows; i++)
        (*out)[i] = column_numeric(found) && !column_missing(found, i) ? column_number(found, i) : NAN;
done:
    return status;
}

const char *const cell_status_word[CELL_STATUSES] = { "open", "primary", "secondary" };

static Status read_status(Work *work, const Table *table, uint8_t *out) {
    const Column *column = table_column(table, "status");
    char number[33];
    for (int64_t i = 0; column && i < table->rows; i++) {
        const char *cell = column_cell(column, i, number);
        int s = 0;
        if (!cell) continue;
        while (s < CELL_STATUSES && strcmp(cell, cell_status_word[s])) s++;
        if (s == CELL_STATUSES) {
            fail(work->error, BAD, "a status is open, primary or secondary");
            error_column(work->error, "status");
            return error_row(work->error, i);
        }
        out[i] = (uint8_t)s;
    }
    return OK;
}

/* Counts and magnitudes are not below zero unless one is. */
static double above_zero(const Model *m, bool negative, int64_t i) { return negative || isnan(m->value[i]) ? INFINITY : m->value[i]; }

static bool any_negative(const Model *m) {
    for (int64_t i = 0; i < m->cells; i++)
        if (m->value[i] < 0) return true;
    return false;
}

/* A cell without contributors is known to be empty. */
static void set_bounds(Model *m, const double *lower, const double *upper) {
    bool negative = any_negative(m);
    for (int64_t i = 0; i < m->cells; i++) {
        bool empty = m->value[i] == 0 && (!m->count || !(m->count[i] > 0)) && m->status[i] == CELL_OPEN;
        m->low[i] = lower && !isnan(lower[i]) ? lower[i] : empty ? 0 : above_zero(m, negative, i);
        m->high[i] = upper && !isnan(upper[i]) ? upper[i] : empty ? 0 : INFINITY;
    }
}

/* Without levels of its own, a primary cell must not be known: one up, one down for counts; a tenth for magnitudes. Nobody needs more than
 * there is; what is known before (lower, upper) no suppression takes back. */
static void set_needs(Model *m, const double *both, const double *low, const double *high) {
    bool negative = any_negative(m);
    for (int64_t i = 0; i < m->cells; i++) {
        if (m->status[i] != CELL_PRIMARY) continue;
        double own = m->whole ? 1 : fmax(fabs(m->value[i]) / 10, 1e-9);
        if (both && !isnan(both[i])) own = both[i];
        m->asked_low[i] = low && !isnan(low[i]) ? low[i] : own;
        m->asked_high[i] = high && !isnan(high[i]) ? high[i] : own;
        m->need_low[i] = fmin(m->asked_low[i], m->low[i]);
        m->need_high[i] = fmin(m->asked_high[i], m->high[i]);
        double down = fmin(m->asked_low[i], above_zero(m, negative, i)), up = m->asked_high[i];
        m->foreknown[i] = m->need_low[i] < down - 1e-9 * fabs(down) || m->need_high[i] < up - 1e-9 * fabs(up);
    }
}

static Status check_signs(Work *work, const double *x, int64_t n, const char *column) {
    for (int64_t i = 0; x && i < n; i++)
        if (x[i] < 0) {
            fail(work->error, BAD, "this column tells how far, and cannot be below 0");
            error_column(work->error, column);
            return error_row(work->error, i);
        }
    return OK;
}

Status model_make(Work *work, const Table *table, const char *total_code, Model *m) {
    Status status = OK;
    double *value, *lower, *upper, *both, *need_low, *need_high;
    const Column *value_column, *count_column;
    *m = (Model){ .table = table, .cells = table->rows };
    TRY(structure_read(work, table, total_code, &m->structure));
    TRY(numbers(work, table, "count", &count_column, &m->count));
    TRY(numbers(work, table, "value", &value_column, &value));
    TRY(numbers(work, table, "lower", NULL, &lower));
    TRY(numbers(work, table, "upper", NULL, &upper));
    TRY(numbers(work, table, "protection", NULL, &both));
    TRY(numbers(work, table, "protection_lower", NULL, &need_low));
    TRY(numbers(work, table, "protection_upper", NULL, &need_high));
    m->measure = value ? value_column : count_column;
    m->value = value ? value : m->count;
    if (!m->value) {
        fail(work->error, BAD, "the table has neither a column 'count' nor a column 'value'");
        TRY(BAD);
    }
    m->whole = m->structure.whole || (!value && count_column->type == INTEGER_TYPE);
    const double *signs[] = { lower, upper, both, need_low, need_high };
    static const char *const names[] = { "lower", "upper", "protection", "protection_lower", "protection_upper" };
    for (int i = 0; i < 5; i++) TRY(check_signs(work, signs[i], m->cells, names[i]));
    NEW(work, m->status, m->cells + 1);
    NEW(work, m->low, m->cells + 1);
    NEW(work, m->high, m->cells + 1);
    NEW(work, m->need_low, m->cells + 1);
    NEW(work, m->need_high, m->cells + 1);
    NEW(work, m->asked_low, m->cells + 1);
    NEW(work, m->asked_high, m->cells + 1);
    NEW(work, m->foreknown, m->cells + 1);
    TRY(read_status(work, table, m->status));
    TRY(structure_relations(work, &m->structure, table, &m->relations));
    TRY(relations_turn(work, &m->relations, &m->member));
    set_bounds(m, lower, upper);
    set_needs(m, both, need_low, need_high);
done:
    return status;
}

double model_residual(const Model *m) {
    double worst = 0;
    for (int64_t r = 0; r < m->relations.count; r++) {
        double sum = 0, size = 0;
        for (int64_t k = m->relations.start[r]; k < m->relations.start[r + 1]; k++) {
            double term = m->relations.coefficient[k] * m->value[m->relations.cell[k]];
            sum += term;
            size += fabs(term);
        }
        if (!isnan(sum) && size > 0) worst = fmax(worst, fabs(sum) / size);
    }
    return worst;
}

/* ---- who is alone ---- */

static int32_t root(int32_t *parent, int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* A cell of one contributor and a total of one contributor that has it as a part are of the same contributor. */
static void join_sole(const Model *m, int32_t *parent) {
    for (int64_t r = 0; r < m->relations.count; r++) {
        const int64_t from = m->relations.start[r], end = m->relations.start[r + 1];
        for (int64_t t = from; t < end; t++) {
            int32_t total = m->relations.cell[t];
            if (m->relations.coefficient[t] >= 0 || m->count[total] != 1) continue;
            for (int64_t k = from; k < end; k++)
                if (m->relations.coefficient[k] > 0 && m->count[m->relations.cell[k]] == 1)
                    parent[root(parent, m->relations.cell[k])] = root(parent, total);
        }
    }
}

static Status sole_by_holder(Work *work, const Model *m, const Column *holder, int32_t *sole, int32_t *count) {
    Status status = OK;
    Codes codes;
    TRY(column_codes(work, holder, &codes));
    for (int64_t i = 0; i < m->cells; i++) sole[i] = codes.at[i];
    *count = codes.count;
done:
    return status;
}

Status model_sole(Work *work, const Model *m, int32_t **sole, int32_t *count) {
    Status status = OK;
    int32_t *parent = NULL, *number = NULL;
    *count = 0;
    NEW(work, *sole, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++) (*sole)[i] = -1;
    const Column *holder = table_column(m->table, "holder");
    if (holder) {
        TRY(sole_by_holder(work, m, holder, *sole, count));
        goto done;
    }
    if (!m->count) goto done;
    NEW(work, parent, m->cells + 1);
    NEW(work, number, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++) parent[i] = (int32_t)i;
    join_sole(m, parent);
    for (int64_t i = 0; i < m->cells; i++) {
        if (m->count[i] != 1) continue;
        int32_t of = root(parent, (int32_t)i);
        if (!number[of]) number[of] = ++*count;
        (*sole)[i] = number[of] - 1;
    }
done:
    return status;
}

/* ---- the same cells elsewhere ---- */

Status cells_match(Work *work, const Structure *s, const Table *table, const Table *other, int64_t **row) {
    Status status = OK;
    int32_t **mine, **theirs;
    int64_t dims = s->dims ? s->dims : 1, *known = NULL;
    Codes *codes = NULL;
    Grouping cells;
    TRY(structure_places(work, s, table, &mine));
    TRY(structure_places(work, s, other, &theirs));
    NEW(work, codes, dims);
    for (int64_t d = 0; d < dims; d++) {
        int32_t *at = NULL;
        NEW(work, at, table->rows + other->rows + 1);
        memcpy(at, mine[d], (size_t)table->rows * sizeof *at);
        memcpy(at + table->rows, theirs[d], (size_t)other->rows * sizeof *at);
        codes[d] = (Codes){ .count = s->dims ? s->dim[d].codes : (int32_t)s->names, .at = at };
    }
    TRY(group_codes(work, codes, dims, table->rows + other->rows, &cells));
    NEW(work, known, cells.count + 1);
    NEW(work, *row, table->rows + 1);
    for (int64_t k = other->rows; k-- > 0;) known[cells.of[table->rows + k]] = k + 1;
    for (int64_t i = 0; i < table->rows; i++) (*row)[i] = known[cells.of[i]] - 1;
done:
    return status;
}

/* ---- names and tables ---- */

const char *model_cell_name(Work *work, const Model *m, int64_t cell) {
    Buffer text = { 0 };
    char number[33];
    if (!m->structure.dims) {
        const Column *name = table_column(m->table, "cell");
        buffer_print(&text, "%s", column_cell(name, cell, number));
    }
    for (int64_t d = 0; d < m->structure.dims; d++) {
        const char *code = column_cell(table_column(m->table, m->structure.dim[d].name), cell, number);
        buffer_print(&text, "%s%s=%s", d ? ", " : "", m->structure.dim[d].name, code ? code : "");
    }
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy ? copy : "";
}

Status model_status_column(Work *work, const uint8_t *at, int64_t cells, Column **out) {
    Status status = OK;
    Dictionary *dictionary = NULL;
    TRY(dictionary_new(cell_status_word, CELL_STATUSES, true, &dictionary, work->error));
    TRY(column_new(CATEGORY_TYPE, "status", cells, out, work->error));
    (*out)->words = dictionary_retain(dictionary);
    for (int64_t i = 0; i < cells; i++) (*out)->code[i] = at[i];
done:
    dictionary_release(dictionary);
    return status;
}

/* Where a cell stands. */
static bool is_place(const Model *m, const Column *column) {
    if (!m->structure.dims) return !strcmp(column->name, "cell");
    for (int64_t d = 0; d < m->structure.dims; d++)
        if (!strcmp(column->name, m->structure.dim[d].name)) return true;
    return false;
}

/* What stays in a published table: where a cell stands, its numbers unless they are hidden, its status. Protection levels, bounds and
 * contributors tell too much, and what other columns tell is not known. */
static bool is_published(const Model *m, const Column *column) {
    static const char *const kept[] = { "count", "value", "mean", "weighted", "status" };
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (!strcmp(column->name, kept[i])) return true;
    return is_place(m, column);
}

void model_say_left_out(Result *result, const Model *m) {
    Buffer text = { 0 };
    for (int64_t j = 0; j < m->table->columns; j++) {
        const Column *column = m->table->column[j];
        if (!structure_reserved(column->name) && !is_place(m, column)) buffer_print(&text, "%s%s", text.count ? ", " : "", column->name);
    }
    if (text.count) result_note(result, "Left out of what is published, since it may tell what is hidden: %s.", buffer_get(&text));
    buffer_free(&text);
}

Status model_table(Work *work, const Model *m, const uint8_t *at, bool blank, Table **out) {
    Status status = OK;
    Column **columns = NULL;
    uint8_t *hidden = NULL;
    int64_t n = 0;
    NEW(work, columns, m->table->columns + 2);
    NEW(work, hidden, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++) hidden[i] = at[i] != CELL_OPEN;
    for (int64_t j = 0; j < m->table->columns; j++) {
        const Column *column = m->table->column[j];
        if (!strcmp(column->name, "status") || (blank && !is_published(m, column))) continue;
        if (blank && !is_place(m, column)) TRY(column_blank(column, hidden, &columns[n], work->error));
        else columns[n] = column_retain(column);
        n++;
    }
    TRY(model_status_column(work, at, m->cells, &columns[n++]));
    TRY(table_new(m->table->name, columns, n, m->cells, out, work->error));
    TRY(structure_keep(work, &m->structure, *out));
done:
    for (int64_t i = 0; columns && i < n; i++) column_release(columns[i]);
    if (status) {
        table_release(*out);
        *out = NULL;
    }
    return status;
}

Status model_changed(Work *work, const Model *m, Column *measure, Table **out) {
    Status status = OK;
    Table *bare = NULL;
    const char **drop = NULL;
    int64_t drops = 0;
    NEW(work, drop, m->table->columns + 1);
    for (int64_t j = 0; j < m->table->columns; j++) {
        const Column *column = m->table->column[j];
        if (column != m->measure && !is_place(m, column)) drop[drops++] = column->name;
    }
    TRY(table_without(m->table, drop, drops, &bare, work->error));
    TRY(table_with(bare, &measure, 1, out, work->error));
    if (!(*out)->structure) TRY(structure_keep(work, &m->structure, *out));
done:
    table_release(bare);
    return status;
}
