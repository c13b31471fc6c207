/* Distinct records made once from the table (and the population), and snapshots of them at coarser nodes. */
#include <string.h>
#include "base/elementary.h"
#include "protect/generalize/node_check.h"
#include "table/group.h"

/* Sensitive columns together: each combination of their values that occurs, and what it is in each column. */
static Status make_sensitive(Work *work, const Model *m, const Tables *hierarchies, Checker *c, Codes *combined) {
    Status status = OK;
    Grouping grouping;
    int64_t columns = m->sensitive.count;
    NEW(work, c->sensitive, columns);
    NEW(work, c->sensitive_of, columns);
    NEW(work, c->closeness, columns);
    for (int64_t j = 0; j < columns; j++) {
        Hierarchy *hierarchy = NULL;
        bool found = false;
        TRY((!isnan(m->t) && m->distance == ORDERED_DISTANCE ? codes_along_line : column_codes)(work, m->sensitive.at[j],
                                                                                                &c->sensitive[j]));
        if (isnan(m->t)) continue;
        if (m->distance == HIERARCHICAL_DISTANCE) {
            NEW(work, hierarchy, 1);
            TRY(hierarchy_find(work, hierarchies->count, hierarchies->name, hierarchies->at, m->sensitive.at[j], hierarchy, &found));
            if (!found) {
                fail(work->error, BAD, "the hierarchical distance needs a hierarchy of %s", m->sensitive.at[j]->name);
                TRY(error_parameter(work->error, "hierarchies"));
            }
        }
        TRY(closeness_make(work, m->distance, m->sensitive.at[j], &c->sensitive[j], hierarchy, &c->closeness[j]));
    }
    TRY(group_codes(work, c->sensitive, columns, c->rows, &grouping));
    for (int64_t j = 0; j < columns; j++) {
        NEW(work, c->sensitive_of[j], grouping.count);
        for (int64_t g = 0; g < grouping.count; g++) {
            int32_t value = c->sensitive[j].at[grouping.first[g]];
            c->sensitive_of[j][g] = value < 0 ? c->sensitive[j].count : value;
        }
    }
    c->combinations = grouping.count;
    *combined = (Codes){ .count = (int32_t)grouping.count, .at = grouping.of };
done:
    return status;
}

/* The leaves of every record, ours first and then the population's. */
static Status row_codes(Work *work, const Checker *c, int64_t rows, const Codes *combined, Codes *out) {
    Status status = OK;
    const Table *population = c->model->population;
    for (int64_t key = 0; key < c->domains->count; key++) {
        const Domain *d = &c->domains->at[key];
        int32_t *at = NULL, *public = NULL;
        NEW(work, at, rows);
        for (int64_t i = 0; i < c->rows; i++) at[i] = domain_leaf(d, i);
        if (population) {
            TRY(domain_leaves(work, d, table_column(population, d->column->name), &public));
            memcpy(at + c->rows, public, (size_t)population->rows * sizeof *at);
        }
        out[key] = (Codes){ .count = d->leaves, .at = at };
    }
    if (combined) {
        int32_t *at = NULL;
        NEW(work, at, rows);
        memcpy(at, combined->at, (size_t)c->rows * sizeof *at);
        out[c->domains->count] = (Codes){ .count = combined->count, .at = at };
    }
done:
    return status;
}

/* A population that lacks a record of ours is not one. */
static Status check_population(Work *work, const Checker *c, const Grouping *grouping) {
    for (int64_t g = 0; g < grouping->count; g++) {
        if (c->all.records[g] <= c->all.population[g] || c->all.combination) continue;
        fail(work->error, BAD, "the population has fewer records with these keys than the data");
        error_parameter(work->error, "population");
        error_row(work->error, grouping->first[g]);
        return error_advice(work->error, "Every record of the data must be in the population too.");
    }
    return OK;
}

static Status make_entries(Work *work, Checker *c, const Codes *combined, int32_t **entry_of_row) {
    Status status = OK;
    Codes *codes = NULL;
    Grouping grouping;
    int64_t keys = c->domains->count, rows = c->rows + (c->model->population ? c->model->population->rows : 0);
    Entries *all = &c->all;
    NEW(work, codes, keys + 1);
    TRY(row_codes(work, c, rows, combined, codes));
    TRY(group_codes(work, codes, keys + (combined != NULL), rows, &grouping));
    all->count = grouping.count;
    for (int64_t key = 0; key < keys; key++) {
        NEW(work, all->code[key], all->count);
        for (int64_t e = 0; e < all->count; e++) all->code[key][e] = codes[key].at[grouping.first[e]];
        arena_drop(work->arena, (void *)(uintptr_t)codes[key].at);
    }
    NEW(work, all->records, all->count);
    for (int64_t i = 0; i < c->rows; i++) all->records[grouping.of[i]] += (int32_t)checker_times(c, i);
    if (combined) {
        NEW(work, all->combination, all->count);
        for (int64_t e = 0; e < all->count; e++) all->combination[e] = codes[keys].at[grouping.first[e]];
    }
    if (c->model->population) {
        NEW(work, all->population, all->count);
        for (int64_t i = c->rows; i < rows; i++) all->population[grouping.of[i]]++;
        TRY(check_population(work, c, &grouping));
    }
    *entry_of_row = grouping.of;
done:
    return status;
}

Status checker_make(Work *work, const Domains *domains, const Model *model, const Tables *hierarchies, Loss loss, const double *weight,
                    double max_suppression, Checker *out) {
    Status status = OK;
    Codes combined;
    const Model *m = model;
    *out = (Checker){ .domains = domains, .model = model, .loss = loss };
    if (domains->count > KEYS_MOST)
        return fail(work->error, BAD, "%lld keys are too many: at most %d", (long long)domains->count, KEYS_MOST);
    out->times = work->times;
    out->rows = domains->at[0].column->rows;
    out->records = work_records(work, out->rows);
    if (out->records > INT32_MAX) return fail(work->error, BAD, "at most %d records can be generalised at once", INT32_MAX);
    out->limit = (int64_t)floor(max_suppression * (double)out->records + 1e-9);
    NEW(work, out->weight, domains->count);
    for (int64_t key = 0; key < domains->count; key++) out->weight[key] = weight ? weight[key] : 1 / (double)domains->count;
    if (m->sensitive.count) TRY(make_sensitive(work, m, hierarchies, out, &combined));
    TRY(make_entries(work, out, m->sensitive.count ? &combined : NULL, &out->entry_of_row));
    TRY(loss_base(work, out));
done:
    return status;
}

Status scratch_make(Work *work, const Checker *c, Scratch *out) {
    Status status = OK;
    int64_t n = c->all.count, widest = 1, numbers = 1, distinct = 1;
    *out = (Scratch){ .slots = 4096 };
    while (out->slots < n * 4) out->slots *= 2;
    for (int64_t key = 0; key < c->domains->count; key++)
        if (c->domains->at[key].leaves > widest) widest = c->domains->at[key].leaves;
    for (int64_t j = 0; j < c->model->sensitive.count; j++) {
        if (c->sensitive[j].count + 1 > distinct) distinct = c->sensitive[j].count + 1;
        if (!isnan(c->model->t) && closeness_scratch(&c->closeness[j]) > numbers) numbers = closeness_scratch(&c->closeness[j]);
    }
    NEW(work, out->word, n);
    NEW(work, out->class_word, n);
    for (int i = 0; i < 4; i++) NEW(work, out->digit[i], widest);
    NEW(work, out->of, n);
    NEW(work, out->first, n);
    NEW(work, out->slot, out->slots);
    NEW(work, out->records, n);
    NEW(work, out->fails, n);
    NEW(work, out->histogram, widest);
    if (c->all.population) NEW(work, out->population, n);
    if (c->all.combination) {
        NEW(work, out->order, n);
        NEW(work, out->start, n + 2);
        NEW(work, out->tally_count, distinct);
        NEW(work, out->tally_value, distinct);
        NEW(work, out->sort, distinct);
        NEW(work, out->count_of, distinct);
        NEW(work, out->numbers, numbers);
    }
done:
    return status;
}

Status snapshot_make(Work *work, const Checker *c, Scratch *s, const Entries *from, const uint8_t *level, Entries *out) {
    Status status = OK;
    *out = (Entries){ 0 };
    memcpy(out->level, level, sizeof out->level);
    if (from->combination) {
        for (int64_t e = 0; e < from->count; e++)
            s->word[e] = (uint64_t)s->of[e] * (uint64_t)c->combinations + (uint64_t)from->combination[e];
        check_regroup(s, from->count, (uint64_t)s->classes * (uint64_t)c->combinations);
        NEW(work, out->combination, s->classes);
        for (int64_t k = 0; k < s->classes; k++) out->combination[k] = from->combination[s->first[k]];
    }
    out->count = s->classes;
    for (int64_t key = 0; key < c->domains->count; key++) {
        NEW(work, out->code[key], out->count);
        for (int64_t k = 0; k < out->count; k++) out->code[key][k] = from->code[key][s->first[k]];
    }
    NEW(work, out->records, out->count);
    for (int64_t e = 0; e < from->count; e++) out->records[s->of[e]] += from->records[e];
    if (from->population) {
        NEW(work, out->population, out->count);
        for (int64_t e = 0; e < from->count; e++) out->population[s->of[e]] += from->population[e];
    }
done:
    return status;
}

void snapshot_drop(Work *work, Entries *entries) {
    for (int key = 0; key < KEYS_MOST; key++) arena_drop(work->arena, entries->code[key]);
    arena_drop(work->arena, entries->records);
    arena_drop(work->arena, entries->population);
    arena_drop(work->arena, entries->combination);
    *entries = (Entries){ 0 };
}

int64_t failing_rows(const Checker *c, Scratch *s, const uint8_t *level, uint8_t *out) {
    Outcome outcome;
    int64_t records = 0;
    check_node(c, s, &c->all, level, &outcome);
    for (int64_t i = 0; i < c->rows; i++) {
        out[i] = s->fails[s->of[c->entry_of_row[i]]] != 0;
        records += out[i] ? checker_times(c, i) : 0;
    }
    return records;
}
