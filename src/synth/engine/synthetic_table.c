/* A synthetic table in the making: drawn column by column, row by row where rules are broken, then made a table. */
#include <stdio.h>
#include <string.h>
#include "base/elementary.h"
#include "math/ranks.h"
#include "synth/engine/engine.h"
#include "synth/engine/regression.h"

Status synthetic_table_make(Synthesis *s, int64_t rows, SyntheticTable *out) {
    Status status = OK;
    Work *work = &s->run->work;
    *out = (SyntheticTable){ .rows = rows };
    NEW(work, out->state, s->variables + 1);
    NEW(work, out->real, s->variables + 1);
    NEW(work, out->donor, s->variables + 1);
    for (int64_t v = 0; v < s->variables; v++) {
        const Model *m = synthesis_model(s, v);
        bool numbers = s->variable[v].numeric && (s->numbers || (m && makes_numbers(s, m)));
        NEW(work, out->state[v], rows + 1);
        if (numbers) NEW(work, out->real[v], rows + 1);
        NEW(work, out->donor[v], rows + 1);
    }
done:
    return status;
}

void synthetic_table_drop(Synthesis *s, SyntheticTable *d) {
    for (int64_t v = 0; d->donor && v < s->variables; v++) {
        arena_drop(s->run->work.arena, d->state[v]);
        arena_drop(s->run->work.arena, d->real[v]);
        arena_drop(s->run->work.arena, d->donor[v]);
    }
    *d = (SyntheticTable){ 0 };
}

Status synthetic_table_fill(Synthesis *s, SyntheticTable *d, int64_t v, const int64_t *row) {
    const Variable *variable = &s->variable[v];
    for (int64_t i = 0; i < d->rows; i++) {
        int64_t from = row ? row[i] : i;
        d->state[v][i] = variable->state[from];
        d->donor[v][i] = from;
        if (d->real[v]) d->real[v][i] = variable->real[from];
    }
    return OK;
}

/* ---- numbers drawn from between those of a leaf ---- */

/* The values of a leaf that are no spikes, ascending, and the donors that have them. */
static Status leaf_values(Work *work, const Variable *v, const DonorTree *tree, const DonorNode *leaf, double *value, int64_t *order,
                          int64_t *count) {
    Status status = OK;
    double *x = NULL;
    int64_t size = leaf->last - leaf->first;
    NEW(work, x, size + 1);
    for (int64_t i = 0; i < size; i++) {
        double at = v->real[tree->donor[leaf->first + i]];
        int64_t k = spacing_place(&v->spacing, at);
        x[i] = k < v->spacing.count && v->spacing.value[k] == at ? at : NAN;
    }
    TRY(order_reals(work, x, size, order, count));
    for (int64_t i = 0; i < *count; i++) value[i] = x[order[i]];
done:
    arena_drop(work->arena, x);
    return status;
}

/* What a donor is replaced by: low and high by row of the data, NaN where it stays. */
static Status donor_ranks(Work *work, const Variable *v, const DonorTree *tree, double *low, double *high) {
    Status status = OK;
    double *room = NULL;
    int64_t *order = NULL, count;
    NEW(work, room, 3 * tree->rows + 1);
    NEW(work, order, tree->rows + 1);
    for (int64_t i = 0; i < tree->rows; i++) low[tree->donor[i]] = NAN;
    for (int64_t k = 0; k < tree->leaves; k++) {
        const DonorNode *leaf = &tree->node[tree->leaf_node[k]];
        TRY(leaf_values(work, v, tree, leaf, room, order, &count));
        spacing_ranks(&v->spacing, room, count, room + tree->rows, room + 2 * tree->rows);
        for (int64_t i = 0; i < count; i++) {
            low[tree->donor[leaf->first + order[i]]] = room[tree->rows + i];
            high[tree->donor[leaf->first + order[i]]] = room[2 * tree->rows + i];
        }
    }
done:
    arena_drop(work->arena, room);
    arena_drop(work->arena, order);
    return status;
}

static const uint64_t GOLDEN = 0x9e3779b97f4a7c15; /* 2^64/φ: golden steps, a systematic sample of the ranks */

/* The donor's value becomes one between it and the next ones of its leaf, at a rank of the whole column: so that no combination of a record
 * comes back because a leaf has it, and the column keeps its distribution. Spikes stay. */
static Status space_draws(Synthesis *s, const Model *m, const DonorTree *tree, SyntheticTable *d, const int64_t *rows, int64_t count,
                          const char *what) {
    Status status = OK;
    Work *work = &s->run->work;
    const Variable *v = &s->variable[m->variable];
    double *low = NULL, *high = NULL, *at = NULL;
    int64_t *order = NULL, moved;
    uint64_t word;
    char purpose[160];
    snprintf(purpose, sizeof purpose, "%s between", what);
    RandomStream stream = run_stream(s->run, v->column->name, purpose);
    NEW(work, low, v->column->rows + 1);
    NEW(work, high, v->column->rows + 1);
    NEW(work, at, count + 1);
    NEW(work, order, count + 1);
    TRY(donor_ranks(work, v, tree, low, high));
    for (int64_t i = 0; i < count; i++) at[i] = low[d->donor[m->variable][rows[i]]];
    TRY(order_reals(work, at, count, order, &moved));
    stream_words(&stream, 0, 1, &word);
    for (int64_t i = 0; i < moved; i++) {
        int64_t row = rows[order[i]], donor = d->donor[m->variable][row];
        if (s->independent) stream_words(&stream, (uint64_t)row, 1, &word);
        else word += GOLDEN;
        d->real[m->variable][row] = spacing_at(&v->spacing, low[donor] + word_uniform(word) * (high[donor] - low[donor]));
        d->state[m->variable][row] = variable_state(v, d->real[m->variable][row]);
    }
done:
    arena_drop(work->arena, low);
    arena_drop(work->arena, high);
    arena_drop(work->arena, at);
    arena_drop(work->arena, order);
    return status;
}

/* ---- one visit ---- */

static void take_donors(Synthesis *s, int64_t v, SyntheticTable *d, const int64_t *rows, int64_t count) {
    const Variable *variable = &s->variable[v];
    for (int64_t i = 0; i < count; i++) {
        int64_t row = rows[i], donor = d->donor[v][row];
        d->state[v][row] = variable->state[donor];
        if (d->real[v]) d->real[v][row] = variable->real[donor];
    }
}

/* The donor stays, for the code by which its cell is missing. */
static void set_missing(Synthesis *s, int64_t v, SyntheticTable *d, int64_t row) {
    d->state[v][row] = (uint16_t)s->variable[v].bins;
    if (d->real[v]) d->real[v][row] = NAN;
}

/* The rows whose cell has a value of the ordinary kind; the rest are made missing, or take the spike that was drawn. */
static Status draw_missing(Synthesis *s, const Model *m, int64_t stratum, SyntheticTable *d, const int64_t *rows, int64_t count,
                           const char *what, int64_t **present, int64_t *left) {
    Status status = OK;
    char purpose[128];
    int64_t *donor = d->donor[m->variable];
    snprintf(purpose, sizeof purpose, "%s missing", what);
    TRY(draw_tree(s, m, &m->missing[stratum], d, rows, count, purpose, donor));
    NEW(&s->run->work, *present, count + 1);
    *left = 0;
    for (int64_t i = 0; i < count; i++) {
        uint16_t kind = m->absent[donor[rows[i]]];
        if (kind == CELL_MISSING) set_missing(s, m->variable, d, rows[i]);
        else if (kind) take_donors(s, m->variable, d, &rows[i], 1);
        else (*present)[(*left)++] = rows[i];
    }
done:
    return status;
}

static Status draw_visit(Synthesis *s, const Model *m, int64_t stratum, SyntheticTable *d, const int64_t *rows, int64_t count,
                         const char *what) {
    Status status = OK;
    int64_t *present = NULL, *drawn = NULL, left = 0;
    const uint8_t *keep = d->keep ? d->keep[m->variable] : NULL;
    if (keep) {
        NEW(&s->run->work, drawn, count + 1);
        for (int64_t i = 0; i < count; i++)
            if (!keep[rows[i]]) drawn[left++] = rows[i];
        rows = drawn;
        count = left;
    }
    if (m->missing && count) {
        TRY(draw_missing(s, m, stratum, d, rows, count, what, &present, &count));
        rows = present;
    }
    if (!count) goto done;
    if (m->regression) {
        TRY(regression_draw(s, m, &m->regression[stratum], d, rows, count, what));
        goto done;
    }
    TRY(draw_tree(s, m, &m->value[stratum], d, rows, count, what, d->donor[m->variable]));
    take_donors(s, m->variable, d, rows, count);
    if (s->variable[m->variable].spaced) TRY(space_draws(s, m, &m->value[stratum], d, rows, count, what));
done:
    arena_drop(s->run->work.arena, present);
    arena_drop(s->run->work.arena, drawn);
    return status;
}

Status synthetic_table_draw(Synthesis *s, SyntheticTable *d, const int64_t *rows, int64_t count, const int32_t *stratum, const char *what) {
    Status status = OK;
    Work *work = &s->run->work;
    int64_t *own = NULL;
    NEW(work, own, count + 1);
    for (int64_t t = 0; t < s->strata.count; t++) {
        int64_t size = 0;
        char purpose[96];
        for (int64_t i = 0; i < count; i++)
            if (!stratum || stratum[rows[i]] == t) own[size++] = rows[i];
        snprintf(purpose, sizeof purpose, "%s stratum %lld", what, (long long)t);
        for (int64_t k = 0; size && k < s->visits; k++) {
            TRY(work_check(work));
            work_show(work, "drawing", ((double)k + 1) / (double)(s->visits + 1));
            TRY(draw_visit(s, &s->model[k], t, d, own, size, purpose));
        }
    }
done:
    arena_drop(work->arena, own);
    return status;
}

/* ---- as a table ---- */

Status drawn_numbers(const Column *from, const double *real, const int64_t *donor, int64_t rows, Column **out, Error *error) {
    Status status = OK;
    Type type = from->type;
    TRY(column_new(type, from->name, rows, out, error));
    TRY(column_need_valid(*out, error));
    if (from->reason) TRY(column_need_reason(*out, error));
    for (int64_t i = 0; i < rows; i++) {
        if (isinf(real[i]) || (isnan(real[i]) && !from->missing)) { /* what must not pass for a number, or for a missing value */
            fail(error, FAILED, "a synthetic value came out as no finite number");
            TRY(error_column(error, from->name));
        }
        if (isnan(real[i])) {
            column_set_missing(*out, i);
            if (from->reason && donor[i] >= 0 && column_missing(from, donor[i])) (*out)->reason[i] = from->reason[donor[i]];
        } else if (type == REAL_TYPE) (*out)->real[i] = real[i];
        else if (type == INTEGER_TYPE) (*out)->integer[i] = (int64_t)nearbyint(real[i]);
        else (*out)->date[i] = (int32_t)nearbyint(real[i]);
    }
    column_seal(*out);
    TRY(column_inherit(*out, from, ROWS_OTHER, error));
done:
    if (status) {
        column_release(*out);
        *out = NULL;
    }
    return status;
}

static Status draft_column(Synthesis *s, const SyntheticTable *d, int64_t v, Column **out) {
    const Variable *variable = &s->variable[v];
    const Model *m = synthesis_model(s, v);
    Error *error = s->run->work.error;
    if (m && makes_numbers(s, m)) return drawn_numbers(variable->column, d->real[v], d->donor[v], d->rows, out, error);
    return column_take(variable->column, d->donor[v], d->rows, out, error);
}

/* The columns of identities, from those that were drawn. */
static Status compute_columns(Work *work, const Identity *const *computed, Column **made, int64_t count, int64_t rows) {
    Status status = OK;
    int64_t *absent = NULL;
    NEW(work, absent, rows + 1);
    for (int64_t j = 0; j < count; j++) {
        double *x = NULL;
        if (!computed[j]) continue;
        for (int64_t i = 0; i < rows; i++) absent[i] = computed[j]->absent;
        TRY(identity_values(work, computed[j], made, count, rows, &x));
        TRY(drawn_numbers(computed[j]->column, x, absent, rows, &made[j], work->error));
        arena_drop(work->arena, x);
    }
done:
    arena_drop(work->arena, absent);
    return status;
}

Status synthetic_table_of(Synthesis *s, const SyntheticTable *d, const Table *base, Table **out) {
    Status status = OK;
    Work *work = &s->run->work;
    const Table *order = base ? base : s->args->data;
    Column **made = NULL;
    int64_t count = 0;
    const Identity **computed = NULL;
    NEW(work, made, order->columns + s->variables + 1);
    NEW(work, computed, order->columns + s->variables + 1);
    for (int64_t j = 0; j < order->columns; j++) {
        int64_t v = synthesis_find(s, order->column[j]->name);
        if ((computed[count] = identity_of(&s->identities, order->column[j]->name))) {
            count++;
            continue;
        }
        if (base && (v < 0 || s->known[v])) made[count++] = column_retain(order->column[j]);
        else if (v >= 0 && !(s->known[v] && !base && s->args->frame)) {
            TRY(draft_column(s, d, v, &made[count]));
            count++;
        }
    }
    for (int64_t v = 0; v < s->variables; v++)
        if (!s->known[v] && !table_column(order, s->variable[v].column->name)) {
            TRY(draft_column(s, d, v, &made[count]));
            count++;
        }
    TRY(compute_columns(work, computed, made, count, d->rows));
    TRY(table_new(s->args->data->name, made, count, d->rows, out, work->error));
done:
    for (int64_t j = 0; made && j < count; j++) column_release(made[j]);
    return status;
}

/* ---- rules ---- */

static int64_t keep_broken(const int32_t *broken, const int64_t *rows, int64_t count, int64_t *out) {
    int64_t left = 0;
    for (int64_t i = 0; i < count; i++)
        if (broken[rows[i]]) out[left++] = rows[i];
    return left;
}

/* What no draw corrects in ROUNDS takes all its drawn cells from a record of its stratum that keeps the rules: so none is broken, unless by
 * what the record has beside them, for which it is tried again. */
static Status copy_lawful(Synthesis *s, SyntheticTable *d, const int64_t *rows, int64_t count, const int32_t *broken,
                          const int32_t *stratum, const int64_t *asked, int64_t all, const char *what) {
    Status status = OK;
    RandomStream stream = run_stream(s->run, NULL, what);
    int64_t *good = NULL;
    NEW(&s->run->work, good, all + 1);
    for (int64_t i = 0; i < count; i++) {
        int64_t row = rows[i], found = 0;
        uint64_t word;
        for (int64_t j = 0; j < all; j++)
            if (!broken[asked[j]] && (!stratum || stratum[asked[j]] == stratum[row])) good[found++] = asked[j];
        if (!found) TRY(fail(s->run->work.error, BAD, RULES_FAIL, ROUNDS));
        stream_words(&stream, (uint64_t)row, 1, &word);
        int64_t from = good[word_below(word, (uint64_t)found)];
        for (int64_t k = 0; k < s->visits; k++) {
            int64_t v = s->visit[k];
            d->state[v][row] = d->state[v][from];
            d->donor[v][row] = d->donor[v][from];
            if (d->real[v]) d->real[v][row] = d->real[v][from];
        }
    }
done:
    return status;
}

static Status name_impossible(Synthesis *s, const Table *table, int32_t *broken) {
    int64_t *tally = NULL, worst = 0;
    Work *work = &s->run->work;
    Status status = OK;
    NEW(work, tally, s->rules.count + 1);
    TRY(edit_rules_broken(work, &s->rules, table, broken, tally));
    for (int64_t r = 1; r < s->rules.count; r++)
        if (tally[r] > tally[worst]) worst = r;
    fail(work->error, BAD, "the rules cannot be kept: in %d draws no record satisfies them all; rule %lld is broken most", ROUNDS,
         (long long)worst + 1);
    error_parameter(work->error, "rules");
    TRY(error_advice(work->error, "See whether the rules contradict one another or every record of the data."));
done:
    return status;
}

static Status fail_impossible(Synthesis *s, const Table *table, int32_t *broken) {
    if (s->rules.count) return name_impossible(s, table, broken);
    return uniques_impossible(s->run);
}

/* Which of these rows, all that were drawn last, break a rule or have the keys of a unique original record. */
static Status find_broken(Synthesis *s, const Table *table, const int64_t *rows, int64_t count, int32_t *broken) {
    Status status = OK;
    TRY(edit_rules_broken(&s->run->work, &s->rules, table, broken, NULL));
    if (s->uniques) TRY(replicated_uniques_mark(&s->run->work, s->uniques, table, rows, count, broken));
done:
    return status;
}

Status synthetic_table_edit_rules(Synthesis *s, SyntheticTable *d, const int64_t *rows, int64_t count, const int32_t *stratum,
                                  const char *what, const Table *base, Table **out) {
    Status status = OK;
    Work *work = &s->run->work;
    int32_t *broken = NULL;
    int64_t *again = NULL, left = count, rejected = 0;
    Table *table = NULL;
    TRY(synthetic_table_draw(s, d, rows, count, stratum, what));
    TRY(synthetic_table_of(s, d, base, &table));
    if ((!s->rules.count && !(s->uniques && s->uniques->columns)) || !count) {
        *out = table;
        return OK;
    }
    NEW(work, broken, d->rows + 1);
    NEW(work, again, count + 1);
    for (int round = 1;; round++) {
        char name[64];
        TRY(find_broken(s, table, round > 1 ? again : rows, left, broken));
        left = keep_broken(broken, rows, count, again);
        if (!left) break;
        if (round > 2 * ROUNDS || (round > ROUNDS && left == count)) TRY(fail_impossible(s, table, broken));
        snprintf(name, sizeof name, "%s round %d", what, round);
        rejected += left;
        if (round <= ROUNDS) TRY(synthetic_table_draw(s, d, again, left, stratum, name));
        else TRY(copy_lawful(s, d, again, left, broken, stratum, rows, count, name));
        table_release(table);
        table = NULL;
        TRY(synthetic_table_of(s, d, base, &table));
    }
    if (rejected && s->rules.count)
        result_note(s->run->result, "%s: %lld draws broke a rule and were made again.", what, (long long)rejected);
    *out = table;
    table = NULL;
done:
    table_release(table);
    return status;
}

Status synthetic_table_set(Synthesis *s, SyntheticTable *d, const int64_t *rows, int64_t count, const int32_t *stratum, int64_t set,
                           const Table *base, Table **out) {
    char name[32];
    snprintf(name, sizeof name, "set %lld", (long long)set + 1);
    return synthetic_table_edit_rules(s, d, rows, count, stratum, name, base, out);
}

Status synthetic_table_replace(Synthesis *s, SyntheticTable *d, const int64_t *rows, int64_t count, Table **made) {
    Status status = OK;
    for (int64_t set = 0; set < s->args->m; set++) {
        for (int64_t v = 0; v < s->variables; v++) TRY(synthetic_table_fill(s, d, v, NULL));
        TRY(synthetic_table_set(s, d, rows, count, s->strata.of, set, s->args->data, &made[set]));
    }
done:
    return status;
}
