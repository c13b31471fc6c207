/* Keys and their hierarchies made ready, and the generalised table. */
#include "protect/generalize/key_domain.h"
#include <stdlib.h>
#include <string.h>

static Status make_levels(Work *work, Domain *d) {
    Status status = OK;
    const Hierarchy *h = &d->hierarchy;
    d->levels = h->levels;
    d->leaves = h->leaves + d->missing;
    NEW(work, d->count, d->levels);
    NEW(work, d->value, d->levels);
    NEW(work, d->share, d->levels);
    for (int64_t l = 0; l < d->levels; l++) {
        const Level *level = &h->level[l];
        bool apart = d->missing && level->count > 1; /* a missing value is one more here */
        d->count[l] = level->count + apart;
        NEW(work, d->value[l], d->leaves);
        NEW(work, d->share[l], d->count[l]);
        memcpy(d->value[l], level->of, (size_t)h->leaves * sizeof **d->value);
        if (d->missing) d->value[l][h->leaves] = apart ? level->count : 0;
        for (int32_t g = 0; g < level->count; g++) d->share[l][g] = (double)(level->leaves[g] + (d->missing && !apart)) / (double)d->leaves;
        if (apart) d->share[l][level->count] = 1 / (double)d->leaves;
    }
done:
    return status;
}

static Status find_hierarchy(Work *work, const Tables *hierarchies, Domain *d) {
    bool found;
    Status status = hierarchy_find(work, hierarchies->count, hierarchies->name, hierarchies->at, d->column, &d->hierarchy, &found);
    if (status || found) return status;
    fail(work->error, BAD, "there is no hierarchy for the key %s", d->column->name);
    error_parameter(work->error, "hierarchies");
    return error_advice(work->error, "Put %s.csv into the folder: a row per value, a column per level. `scrim hierarchy build` makes one.",
                        d->column->name);
}

Status domains_make(Work *work, Columns keys, const Tables *hierarchies, const Table *population, Domains *out) {
    Status status = OK;
    *out = (Domains){ .count = keys.count };
    NEW(work, out->at, keys.count);
    for (int64_t key = 0; key < keys.count; key++) {
        Domain *d = &out->at[key];
        const Column *public = NULL;
        d->column = keys.at[key];
        if (population) TRY(table_need(population, d->column->name, &public, work->error));
        d->missing = d->column->missing || (public && public->missing);
        TRY(find_hierarchy(work, hierarchies, d));
        TRY(column_codes(work, d->column, &d->codes));
        TRY(hierarchy_match(work, &d->hierarchy, d->column, &d->codes, &d->leaf));
        TRY(make_levels(work, d));
    }
done:
    return status;
}

Status domain_leaves(Work *work, const Domain *domain, const Column *column, int32_t **out) {
    Status status = OK;
    Codes codes;
    int32_t *leaf = NULL;
    TRY(column_codes(work, column, &codes));
    TRY(hierarchy_match(work, &domain->hierarchy, column, &codes, &leaf));
    NEW(work, *out, column->rows);
    for (int64_t i = 0; i < column->rows; i++) (*out)[i] = codes.at[i] < 0 ? domain->leaves - 1 : leaf[codes.at[i]];
done:
    return status;
}

typedef struct {
    const char *text;
    int32_t value;
} Word;
static int by_text(const void *a, const void *b) { return strcmp(((const Word *)a)->text, ((const Word *)b)->text); }

/* A column of one level's words; sorted, only those that occur. */
static Status level_column(Work *work, const Domain *d, int64_t level, const uint8_t *suppressed, Column **out) {
    Status status = OK;
    const Level *from = &d->hierarchy.level[level];
    int64_t rows = d->column->rows;
    Word *words = NULL;
    const char **text = NULL;
    int32_t *number = NULL, used = 0;
    Column *column = NULL;
    NEW(work, number, d->count[level]);
    NEW(work, words, d->count[level]);
    NEW(work, text, d->count[level]);
    for (int64_t i = 0; i < rows; i++)
        if (!suppressed || !suppressed[i]) number[d->value[level][domain_leaf(d, i)]] = 1;
    for (int32_t g = 0; g < from->count; g++)
        if (number[g]) words[used++] = (Word){ from->word[g], g };
    qsort(words, (size_t)used, sizeof *words, by_text);
    for (int32_t w = 0; w < used; w++) {
        text[w] = words[w].text;
        number[words[w].value] = w;
    }
    TRY(column_new(CATEGORY_TYPE, d->column->name, rows, &column, work->error));
    TRY(dictionary_new(text, used, false, &column->words, work->error));
    TRY(column_need_valid(column, work->error));
    for (int64_t i = 0; i < rows; i++) {
        int32_t g = d->value[level][domain_leaf(d, i)];
        if ((suppressed && suppressed[i]) || g >= from->count) column_set_missing(column, i);
        else column->code[i] = number[g];
    }
    column_seal(column);
    *out = column;
    column = NULL;
done:
    column_release(column);
    return status;
}

Status domains_release(Work *work, const Table *table, const Domains *domains, const int64_t *level, const uint8_t *suppressed,
                       Table **out) {
    Status status = OK;
    Column **columns = NULL;
    int64_t made = 0;
    bool any = false;
    for (int64_t i = 0; suppressed && i < table->rows && !any; i++) any = suppressed[i];
    NEW(work, columns, domains->count);
    for (int64_t key = 0; key < domains->count; key++) {
        const Domain *d = &domains->at[key];
        if (level[key]) TRY(level_column(work, d, level[key], suppressed, &columns[made]));
        else if (any) TRY(column_blank(d->column, suppressed, &columns[made], work->error));
        else continue;
        made++;
    }
    TRY(table_with(table, columns, made, out, work->error));
done:
    for (int64_t i = 0; i < made; i++) column_release(columns[i]);
    return status;
}
