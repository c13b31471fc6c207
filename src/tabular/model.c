/* Reading a table of cells into a model, and writing one back. */
#include "tabular/model.h"
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
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
        if (!strcmp(cell, "hidden")) s = CELL_SECONDARY; /* in a published table, which does not say more */
        if (s == CELL_STATUSES) {
            fail(work->error, BAD, "status must be open, primary, secondary, or (in a published table) hidden");
            error_column(work->error, "status");
            return error_row(work->error, i);
        }
        out[i] = (uint8_t)s;
    }
    return OK;
}

static bool any_negative(const Model *m) {
    for (int64_t i = 0; i < m->cells; i++)
        if (m->value[i] < 0) return true;
    return false;
}

const char *const cell_rule_word[CELL_RULES] = { "threshold", "dominance", "p-percent", "group", "zero", "flag" };

static bool has_word(const char *text, const char *word) {
    size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += n)
        if ((at == text || at[-1] == ' ') && (!at[n] || at[n] == ' ')) return true;
    return false;
}

static void read_rules(const Table *table, uint8_t *out) {
    const Column *column = table_column(table, "rule");
    char number[33];
    for (int64_t i = 0; column && i < table->rows; i++) {
        const char *cell = column_cell(column, i, number);
        for (int r = 0; r < CELL_RULES && cell; r++) out[i] |= (uint8_t)(has_word(cell, cell_rule_word[r]) << r);
    }
}

/* What everybody knows of hidden cells: sums of contributions that are not negative are at least 0; a count whose cell is not empty is at
 * least 1. Of cells with names (imported) nothing is known but their bounds. */
static double floor_of(const Model *m, bool negative, int64_t i) {
    if (negative) return -INFINITY;
    bool counts = m->whole && m->structure.dims && !m->structure.zeros_hidden;
    return counts && !(m->value[i] < 1) ? 1 : 0;
}

/* How far a cell is above its floor. */
static double above_floor(const Model *m, int64_t i) { return isnan(m->value[i]) ? INFINITY : m->value[i] - m->floor[i]; }

/* ---- one dimension determines another ---- */

double chance_of_pure(const double *size, int32_t fine, const double *share, int32_t coarse) {
    double known = 0, chance = 0;
    for (int32_t y = 0; y < coarse; y++) known += share[y];
    for (int32_t x = 0; x < fine; x++) {
        double sum = 0;
        for (int32_t y = 0; y < coarse && size[x] > 1; y++) sum += pow(share[y] / known, size[x]);
        if (size[x] > 1) chance += sum > 0 ? log(sum) : -700;
    }
    return chance;
}

typedef struct CrossedPair {
    int64_t fine, coarse;
    int32_t *const *place;
    int64_t *margin; /* cells where all other dimensions stand at their totals */
    int64_t margins;
} CrossedPair;

static double people_at(const Model *m, int64_t i) { return m->count ? m->count[i] : m->value[i]; }

static Status pair_margin(Work *work, const Model *m, CrossedPair *p) {
    Status status = OK;
    const Structure *s = &m->structure;
    p->margins = 0;
    NEW(work, p->margin, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++) {
        bool off = false;
        for (int64_t d = 0; d < s->dims && !off; d++)
            off = d != p->fine && d != p->coarse && strcmp(s->dim[d].code[p->place[d][i]], s->total) != 0;
        if (!off) p->margin[p->margins++] = i;
    }
done:
    return status;
}

static bool *totals_of(Work *work, const Dimension *d) {
    bool *is = NULL;
    Status status = OK;
    NEW(work, is, d->codes + 1);
    for (int64_t s = 0; s < d->sums; s++) is[d->sum[s].total] = true;
done:
    return status ? NULL : is;
}

/* Each finest code of one dimension has contributors in one finest code of the other, and not by chance (1 in 10^6). */
static Status determines(Work *work, const Model *m, const CrossedPair *p, bool *out) {
    Status status = OK;
    const Dimension *x = &m->structure.dim[p->fine], *y = &m->structure.dim[p->coarse];
    const bool *above_x = totals_of(work, x), *above_y = totals_of(work, y);
    double *size = NULL, *share = NULL;
    int32_t *seen = NULL;
    *out = false;
    if (!above_x || !above_y) TRY(FAILED);
    NEW(work, size, x->codes + 1);
    NEW(work, share, y->codes + 1);
    NEW(work, seen, x->codes + 1);
    for (int64_t k = 0; k < p->margins; k++) {
        int32_t a = p->place[p->fine][p->margin[k]], b = p->place[p->coarse][p->margin[k]];
        double people = people_at(m, p->margin[k]);
        if (above_x[a] || above_y[b] || !(people > 0)) continue;
        if (seen[a] && seen[a] != b + 1) return OK;
        seen[a] = b + 1;
        size[a] += people;
        share[b] += people;
    }
    *out = chance_of_pure(size, x->codes, share, y->codes) < PURE_BY_CHANCE;
done:
    return status;
}

/* Readers know which codes of the two never meet: these cells are empty for everybody, though empty cells may be hidden. */
static Status mark_never_meet(Work *work, const Model *m, const CrossedPair *p, uint8_t *known_empty) {
    Status status = OK;
    const int64_t codes = m->structure.dim[p->coarse].codes;
    uint8_t *apart = NULL;
    NEW(work, apart, m->structure.dim[p->fine].codes * codes + 1);
    for (int64_t k = 0; k < p->margins; k++)
        apart[p->place[p->fine][p->margin[k]] * codes + p->place[p->coarse][p->margin[k]]] = people_at(m, p->margin[k]) == 0;
    for (int64_t i = 0; i < m->cells; i++) known_empty[i] |= apart[p->place[p->fine][i] * codes + p->place[p->coarse][i]];
done:
    return status;
}

static Status find_known_empty(Work *work, const Model *m, uint8_t **out) {
    Status status = OK;
    int32_t **place = NULL;
    CrossedPair p = { 0 };
    bool found;
    NEW(work, *out, m->cells + 1);
    if (!m->structure.zeros_hidden || m->structure.dims < 2) return OK;
    TRY(structure_places(work, &m->structure, m->table, &place));
    p.place = place;
    for (p.fine = 0; p.fine < m->structure.dims; p.fine++)
        for (p.coarse = 0; p.coarse < m->structure.dims; p.coarse++) {
            if (p.fine == p.coarse) continue;
            TRY(pair_margin(work, m, &p));
            TRY(determines(work, m, &p, &found));
            if (found) TRY(mark_never_meet(work, m, &p, *out));
        }
done:
    return status;
}

/* A cell without contributors is known to be empty, unless empty cells are hidden and nothing else says it. Where contributions can be
 * negative the published counts do: sums that are 0 leave their parts open, counts that are 0 do not. Declared bounds stand, whatever other
 * cells are. */
static void set_bounds(Model *m, const double *lower, const double *upper, const uint8_t *known_empty) {
    bool negative = m->structure.is_signed || any_negative(m), counted = negative && m->count;
    for (int64_t i = 0; i < m->cells; i++) {
        bool declared = lower && !isnan(lower[i]), nobody = m->value[i] == 0 && (!m->count || !(m->count[i] > 0));
        bool empty = nobody && m->status[i] == CELL_OPEN && (!m->structure.zeros_hidden || counted || known_empty[i]);
        m->floor[i] = declared ? m->value[i] - lower[i] : floor_of(m, negative, i);
        m->low[i] = declared ? lower[i] : empty ? 0 : above_floor(m, i);
        m->high[i] = upper && !isnan(upper[i]) ? upper[i] : empty ? 0 : INFINITY;
    }
}

static double smallest_value(const Model *m) {
    double least = INFINITY, most = 0;
    for (int64_t i = 0; i < m->cells; i++) {
        double v = fabs(m->value[i]);
        if (v > 0) least = fmin(least, v);
        if (v > 0) most = fmax(most, v);
    }
    return isinf(least) ? 1 : fmax(least, 1e-6 * most);
}

double model_doubt(const Model *m, int64_t cell, double share) {
    return share * (m->value[cell] != 0 ? fabs(m->value[cell]) : m->smallest);
}

/* The level of one column; NaN where it has none. */
static double level_at(const double *column, int64_t i) { return column ? column[i] : NAN; }

typedef struct Levels {
    double *both, *low, *high, *either;
} Levels;

/* What is asked of a primary cell. Without any level it must not be known: a count by one, a magnitude by a tenth, up or down. */
static void ask_levels(Model *m, const Levels *l, int64_t i) {
    double both = level_at(l->both, i), low = level_at(l->low, i), high = level_at(l->high, i), either = level_at(l->either, i);
    double own = m->whole ? 1 : model_doubt(m, i, 0.1), rest = !isnan(both) ? both : l->either ? 0 : own;
    bool none = isnan(both) && isnan(low) && isnan(high) && isnan(either);
    m->asked_low[i] = none ? 0 : !isnan(low) ? low : rest;
    m->asked_high[i] = none ? 0 : !isnan(high) ? high : rest;
    m->need_either[i] = none ? own : !isnan(either) ? either : 0;
}

/* Nobody needs more than there is; what is known before (lower, upper) no suppression takes back. */
static void set_needs(Model *m, const Levels *levels) {
    for (int64_t i = 0; i < m->cells; i++) {
        if (m->status[i] != CELL_PRIMARY) continue;
        ask_levels(m, levels, i);
        const double asked = m->need_either[i];
        m->need_low[i] = fmin(m->asked_low[i], m->low[i]);
        m->need_high[i] = fmin(m->asked_high[i], m->high[i]);
        m->need_either[i] = smaller_known(asked, larger_known(m->low[i], m->high[i]));
        double down = smaller_known(m->asked_low[i], isnan(m->value[i]) ? INFINITY : larger_known(m->value[i], m->low[i])),
               up = m->asked_high[i];
        if (m->structure.dims && m->whole && m->floor[i] == 1) down = fmin(down, m->low[i]);
        m->foreknown[i] =
            m->need_low[i] < down - 1e-9 * fabs(down) || m->need_high[i] < up - 1e-9 * fabs(up) || m->need_either[i] < asked - 1e-9 * asked;
    }
}

static Status check_signs(Work *work, const double *x, int64_t n, const char *column) {
    for (int64_t i = 0; x && i < n; i++)
        if (x[i] < 0) {
            fail(work->error, BAD, "this column is a distance and cannot be below 0");
            error_column(work->error, column);
            return error_row(work->error, i);
        }
    return OK;
}

Status model_make(Work *work, const Table *table, const char *total_code, Model *m) {
    Status status = OK;
    double *value, *lower, *upper;
    uint8_t *known_empty;
    Levels levels;
    const Column *value_column, *count_column;
    *m = (Model){ .table = table, .cells = table->rows, .seen = table->rows };
    TRY(structure_read(work, table, total_code, &m->structure));
    TRY(numbers(work, table, "count", &count_column, &m->count));
    TRY(numbers(work, table, "value", &value_column, &value));
    TRY(numbers(work, table, "lower", NULL, &lower));
    TRY(numbers(work, table, "upper", NULL, &upper));
    TRY(numbers(work, table, "protection", NULL, &levels.both));
    TRY(numbers(work, table, "protection_lower", NULL, &levels.low));
    TRY(numbers(work, table, "protection_upper", NULL, &levels.high));
    TRY(numbers(work, table, "protection_either", NULL, &levels.either));
    m->measure = value ? value_column : count_column;
    m->value = value ? value : m->count;
    if (!m->value) {
        fail(work->error, BAD, "the table has neither a column 'count' nor a column 'value'");
        TRY(BAD);
    }
    m->whole = m->structure.whole || (!value && count_column->type == INTEGER_TYPE);
    const double *signs[] = { lower, upper, levels.both, levels.low, levels.high, levels.either };
    static const char *const names[] = { "lower", "upper", "protection", "protection_lower", "protection_upper", "protection_either" };
    for (int i = 0; i < 6; i++) TRY(check_signs(work, signs[i], m->cells, names[i]));
    NEW(work, m->status, m->cells + 1);
    NEW(work, m->low, m->cells + 1);
    NEW(work, m->high, m->cells + 1);
    NEW(work, m->floor, m->cells + 1);
    NEW(work, m->need_low, m->cells + 1);
    NEW(work, m->need_either, m->cells + 1);
    NEW(work, m->need_high, m->cells + 1);
    NEW(work, m->asked_low, m->cells + 1);
    NEW(work, m->asked_high, m->cells + 1);
    NEW(work, m->foreknown, m->cells + 1);
    NEW(work, m->rule, m->cells + 1);
    m->smallest = smallest_value(m);
    read_rules(table, m->rule);
    TRY(read_status(work, table, m->status));
    TRY(structure_relations(work, &m->structure, table, &m->relations));
    TRY(relations_transpose(work, &m->relations, &m->member));
    TRY(find_known_empty(work, m, &known_empty));
    set_bounds(m, lower, upper, known_empty);
    set_needs(m, &levels);
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
        if (!isnan(sum) && size > 0) worst = larger_known(worst, fabs(sum) / size);
    }
    return worst;
}

Status table_hiding_zeros(Work *work, const Table *table, const char *total_code, Table **out) {
    Status status = OK;
    Structure structure;
    TRY(structure_read(work, table, total_code, &structure));
    TRY(table_without(table, NULL, 0, out, work->error));
    structure.zeros_hidden = true;
    TRY(structure_keep(work, &structure, *out));
done:
    return status;
}

static Status bad_sum(Work *work, const Model *m, int64_t r) {
    int64_t from = m->relations.start[r], end = m->relations.start[r + 1], total = from;
    for (int64_t k = from; k < end; k++)
        if (m->relations.coefficient[k] < 0) total = k;
    fail(work->error, BAD, "the table does not add up: the parts of %s have another sum",
         model_cell_name(work, m, m->relations.cell[total]));
    return error_advice(work->error, "Correct the table, or use the cells as they were before rounding or perturbation.");
}

Status model_need_sums(Work *work, const Model *m) {
    for (int64_t r = 0; r < m->relations.count; r++) {
        double sum = 0, size = 0;
        for (int64_t k = m->relations.start[r]; k < m->relations.start[r + 1]; k++) {
            double term = m->relations.coefficient[k] * m->value[m->relations.cell[k]];
            sum += term;
            size += fabs(term);
        }
        if (fabs(sum) > (m->whole ? 1e-9 : 1e-5) * size) return bad_sum(work, m, r);
    }
    return OK;
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
    if (cell >= m->table->rows) return "the suppressed cells of one sum, taken together";
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
    if (text.count) result_note(result, "Not published, because it may disclose suppressed cells: %s.", buffer_get(&text));
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
    TRY(structure_keep(work, &m->structure, *out));
done:
    table_release(bare);
    return status;
}
