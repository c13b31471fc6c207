/* protect.recode: limitation of detail: intervals, merged categories, and rare ones folded together. Defined after Matthews & Harel 2011,
 * section 2.1: docs/methods/protect-recode.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "protect/changed_table.h"

typedef struct {
    const Table *data, *map;
    const Column *var, *weight;
    Texts breaks;
    double min_count;
    const char *other, *merge;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMN(args, var, data, "Column to recode", .flags = REQUIRED),
    TEXTS(args, breaks,
          "Ascending limits a,b,c of the intervals, numbers or dates: labels [a,b), [b,c). Values outside become (-inf,a) and [c,inf)"),
    TABLE(args, map, "Table with columns old and new. Values that are not listed stay"),
    TEXT(args, merge, NULL, "Categories to merge, as \"1,2=low;3=high\". Values that are not listed stay"),
    REAL(args, min_count, NAN, 0, INFINITY,
         "Merge every category with fewer records than this (with --weight: a smaller population) into --other"),
    TEXT(args, other, "other", "Name of the category for merged rare ones"),
    ONLY_WITH("other", "min_count"),
    WEIGHT(args, data),
    END,
};

/* A category after recoding. Labels are kept in order of rank, then of bytes. */
typedef struct {
    const char *text;
    int64_t rank, records;
    double population;
    WeightSum sum; /* of the weights: the population */
} Label;
/* What becomes of each distinct value (code): a label, or NULL = missing. */
typedef struct {
    Codes codes;
    const char **text;
    int64_t *rank;
    int32_t *label_of;
    int64_t labels;
    Label *label;
    bool ordered;
} Recoding;

/* A limit as the column's own values count: a number, a day, or a day's moment. */
static bool read_limit(const Column *var, const char *text, double *out) {
    int32_t day;
    const char *end = text + strlen(text);
    if (column_numeric(var)) return read_real(text, end, '.', out) && isfinite(*out);
    if (!read_date(text, end, &day)) return false;
    *out = day;
    return true;
}

static Status read_breaks(Work *work, const args *a, Reals *out) {
    Status status = OK;
    double *at = NULL;
    NEW(work, at, a->breaks.count + 1);
    if (!column_linear(a->var)) {
        fail(work->error, BAD, "need a column of numbers or dates, and this one holds %s", type_values(a->var->type));
        TRY(error_column(work->error, a->var->name));
    }
    for (int64_t i = 0; i < a->breaks.count; i++) {
        if (!read_limit(a->var, a->breaks.at[i], &at[i]))
            TRY(fail(work->error, BAD, "expects %s, not '%s'", column_numeric(a->var) ? "a number" : "a date such as 1999-12-31",
                     a->breaks.at[i]));
        if (i && !(at[i] > at[i - 1])) TRY(fail(work->error, BAD, "must be finite and ascend"));
    }
    *out = (Reals){ a->breaks.count, at };
done:
    return status ? error_parameter(work->error, "breaks") : OK;
}

/* The interval of a value: 0 below the first limit, i from limit i on. */
static int64_t interval_of(const Reals *breaks, double value) {
    int64_t low = 0, high = breaks->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (value < breaks->at[middle]) high = middle;
        else low = middle + 1;
    }
    return low;
}

/* Numbers in their shortest form, so that 1e1 and 10 make the same label; dates as they were written. */
static void limit_text(const args *a, const Reals *breaks, int64_t i, char out[33]) {
    if (column_numeric(a->var)) real_text(breaks->at[i], out);
    else snprintf(out, 33, "%s", a->breaks.at[i]);
}

static Status names_from_breaks(Work *work, const args *a, Recoding *r) {
    Status status = OK;
    const char **name = NULL;
    int64_t count = a->breaks.count;
    Reals breaks = { 0 };
    TRY(read_breaks(work, a, &breaks));
    NEW(work, name, count + 1);
    for (int64_t i = 0; i <= count; i++) {
        char low[33] = "-inf", high[33] = "inf";
        if (i) limit_text(a, &breaks, i - 1, low);
        if (i < count) limit_text(a, &breaks, i, high);
        name[i] = arena_print(work->arena, "%s%s,%s)", i ? "[" : "(", low, high);
        if (!name[i]) TRY(out_of_memory(work->error));
    }
    for (int32_t c = 0; c < r->codes.count; c++) {
        r->rank[c] = interval_of(&breaks, column_number(a->var, r->codes.first_row[c]));
        r->text[c] = name[r->rank[c]];
    }
    r->ordered = true;
done:
    return status;
}

static Status names_as_they_are(Work *work, const args *a, Recoding *r) {
    char number[33];
    for (int32_t c = 0; c < r->codes.count; c++) {
        const char *cell = column_cell(a->var, r->codes.first_row[c], number);
        r->text[c] = cell == number ? arena_text(work->arena, cell) : cell;
        if (!r->text[c]) return out_of_memory(work->error);
    }
    return OK;
}

typedef struct {
    const char *old, *new;
    int64_t row;
} MapEntry;
static int by_old(const void *a, const void *b) {
    const MapEntry *x = a, *y = b;
    int order = strcmp(x->old, y->old);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static Status read_map(Work *work, const Table *map, MapEntry **out, int64_t *count) {
    Status status = OK;
    const Column *old = table_column(map, "old"), *new = table_column(map, "new");
    MapEntry *entries = NULL;
    char a[33], b[33];
    *count = map->rows;
    if (!old || !new) { TRY(fail(work->error, BAD, "the map needs the columns 'old' and 'new'")); }
    NEW(work, entries, map->rows + 1);
    for (int64_t i = 0; i < map->rows; i++) {
        const char *from = column_cell(old, i, a), *to = column_cell(new, i, b);
        if (!from) {
            fail(work->error, BAD, "the map has no old value here; a missing value stays missing");
            TRY(error_row(work->error, i));
        }
        entries[i] = (MapEntry){ arena_text(work->arena, from), arena_text(work->arena, to), i };
        if (!entries[i].old || (to && !entries[i].new)) TRY(out_of_memory(work->error));
    }
    qsort(entries, (size_t)map->rows, sizeof *entries, by_old);
    for (int64_t i = 1; i < map->rows; i++)
        if (!strcmp(entries[i].old, entries[i - 1].old)) {
            fail(work->error, BAD, "the map names an old value twice");
            TRY(error_row(work->error, entries[i].row));
        }
    *out = entries;
done:
    if (status == BAD) {
        error_parameter(work->error, "map");
        if (map->name) error_file(work->error, map->name);
    }
    return status;
}

/* A word between two places of a text, without the spaces around it; NULL where memory is out. */
static const char *word_between(Work *work, const char *from, const char *to) {
    while (from < to && *from == ' ') from++;
    while (to > from && to[-1] == ' ') to--;
    return arena_print(work->arena, "%.*s", (int)(to - from), from);
}

/* "1,2=low;3=high" as the entries of a map. */
static Status read_merge(Work *work, const char *text, MapEntry **out, int64_t *count) {
    Status status = OK;
    MapEntry *entries = NULL;
    NEW(work, entries, (int64_t)strlen(text) + 1);
    *count = 0;
    for (const char *at = text; *at;) {
        const char *end = at + strcspn(at, ";"), *equals = at + strcspn(at, "=");
        if (equals >= end) TRY(fail(work->error, BAD, "each part needs a '=': write it as \"1,2=low;3=high\""));
        const char *new = word_between(work, equals + 1, end);
        for (const char *old = at, *stop; old <= equals; old = stop + 1) {
            stop = old + strcspn(old, ",=");
            entries[*count] = (MapEntry){ word_between(work, old, stop), new, *count };
            if (!new || !entries[*count].old) TRY(out_of_memory(work->error));
            if (!*new || !*entries[*count].old) TRY(fail(work->error, BAD, "an empty word: write it as \"1,2=low;3=high\""));
            ++*count;
        }
        at = *end ? end + 1 : end;
    }
    if (!*count) TRY(fail(work->error, BAD, "names no value: write it as \"1,2=low;3=high\""));
    qsort(entries, (size_t)*count, sizeof *entries, by_old);
    for (int64_t i = 1; i < *count; i++)
        if (!strcmp(entries[i].old, entries[i - 1].old)) TRY(fail(work->error, BAD, "names a value twice"));
    *out = entries;
done:
    if (status == BAD) error_parameter(work->error, "merge");
    return status;
}

static Status names_from_map(Run *run, const args *a, Recoding *r) {
    Status status = OK;
    MapEntry *entries = NULL;
    int64_t unmapped = 0, count = 0, used = 0;
    if (a->map) TRY(read_map(&run->work, a->map, &entries, &count));
    else TRY(read_merge(&run->work, a->merge, &entries, &count));
    for (int32_t c = 0; c < r->codes.count; c++) {
        MapEntry probe = { .old = r->text[c] };
        int64_t low = 0, high = count;
        while (low < high) {
            int64_t middle = low + (high - low) / 2;
            if (strcmp(entries[middle].old, probe.old) < 0) low = middle + 1;
            else high = middle;
        }
        if (low < count && !strcmp(entries[low].old, probe.old)) {
            r->text[c] = entries[low].new;
            used++;
        } else unmapped++;
    }
    if (a->merge && used < count)
        result_note(run->result, "Warning: %lld of the %lld values named in --merge do not occur.", (long long)(count - used),
                    (long long)count);
    if (unmapped)
        result_note(run->result, "%lld of %lld values are not in the map and stay unchanged.", (long long)unmapped,
                    (long long)r->codes.count);
done:
    return status;
}

static int by_label(const void *a, const void *b) {
    const Label *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return strcmp(x->text, y->text);
}

/* Distinct labels, in order, with their records and population. */
static Status make_labels(Work *work, const args *a, Recoding *r) {
    Status status = OK;
    int64_t count = 0, distinct = 0;
    NEW(work, r->label, r->codes.count + 1);
    for (int32_t c = 0; c < r->codes.count; c++)
        if (r->text[c]) r->label[count++] = (Label){ .text = r->text[c], .rank = r->rank[c] };
    qsort(r->label, (size_t)count, sizeof *r->label, by_label);
    for (int64_t i = 0; i < count; i++)
        if (!i || by_label(&r->label[i], &r->label[distinct - 1])) r->label[distinct++] = r->label[i];
    r->labels = distinct;
    for (int32_t c = 0; c < r->codes.count; c++) {
        Label probe = { .text = r->text[c], .rank = r->rank[c] };
        r->label_of[c] = -1;
        if (!r->text[c]) continue;
        const Label *found = bsearch(&probe, r->label, (size_t)distinct, sizeof probe, by_label);
        r->label_of[c] = (int32_t)(found - r->label);
    }
    for (int64_t i = 0; i < a->data->rows; i++) {
        if (r->codes.at[i] < 0 || r->label_of[r->codes.at[i]] < 0) continue;
        Label *label = &r->label[r->label_of[r->codes.at[i]]];
        WeightSum one = 0;
        label->records += work_times(work, i);
        if (a->weight) TRY(work_weight(work, i, column_number(a->weight, i), &one));
        label->sum += one;
    }
    for (int64_t i = 0; i < r->labels; i++) r->label[i].population = a->weight ? weight_real(r->label[i].sum) : (double)r->label[i].records;
done:
    return status;
}

/* Every label that stands for fewer than min_count becomes `other`, which comes last among intervals. */
static Status fold(Run *run, const args *a, Recoding *r) {
    Status status = OK;
    int64_t folded = 0;
    for (int64_t i = 0; i < r->labels; i++) folded += r->label[i].population < a->min_count;
    for (int32_t c = 0; c < r->codes.count; c++)
        if (r->label_of[c] >= 0 && r->label[r->label_of[c]].population < a->min_count) {
            r->text[c] = a->other;
            r->rank[c] = r->ordered ? INT64_MAX : 0;
        }
    result_integer(run->result, "folded", folded);
    TRY(make_labels(&run->work, a, r));
    for (int64_t i = 0; i < r->labels; i++)
        if (folded && !strcmp(r->label[i].text, a->other) && r->label[i].population < a->min_count)
            result_note(run->result, "Warning: '%s' itself has fewer records than --min-count.", a->other);
done:
    return status;
}

/* Numbers stay numbers where every label is one. */
static Type type_of_labels(const Recoding *r, const Column *var) {
    bool integer = var->type == INTEGER_TYPE, real = column_numeric(var);
    int64_t whole;
    double number;
    for (int64_t i = 0; i < r->labels; i++) {
        const char *text = r->label[i].text, *end = text + strlen(text);
        integer = integer && read_integer(text, end, &whole);
        real = real && read_real(text, end, '.', &number);
    }
    return integer ? INTEGER_TYPE : real ? REAL_TYPE : CATEGORY_TYPE;
}

static Status make_column(Work *work, const args *a, const Recoding *r, Column **out) {
    Status status = OK;
    Column *column = NULL;
    const char **words = NULL;
    Type type = type_of_labels(r, a->var);
    TRY(column_new(type, a->var->name, a->data->rows, &column, work->error));
    TRY(column_need_valid(column, work->error));
    NEW(work, words, r->labels + 1);
    for (int64_t i = 0; i < r->labels; i++) words[i] = r->label[i].text;
    if (type == CATEGORY_TYPE) TRY(dictionary_new(words, (int32_t)r->labels, r->ordered, &column->words, work->error));
    for (int64_t i = 0; i < a->data->rows; i++) {
        int32_t label = r->codes.at[i] < 0 ? -1 : r->label_of[r->codes.at[i]];
        if (label < 0) {
            column_set_missing(column, i);
            continue;
        }
        const char *end = words[label] + strlen(words[label]);
        if (type == CATEGORY_TYPE) column->code[i] = label;
        else if (!(type == INTEGER_TYPE ? read_integer(words[label], end, &column->integer[i])
                                        : read_real(words[label], end, '.', &column->real[i])))
            column_set_missing(column, i);
    }
    column_seal(column);
    *out = column;
done:
    if (status) column_release(column);
    return status;
}

/* What an intruder who knows the breaks or the map knows. How rare a category was in the original tells only with --min-count. */
static Status state_treatment(Work *work, const args *a, const Recoding *r, Column *made) {
    Status status = OK;
    MapEntry *entries = NULL;
    const char **from = NULL, **to = NULL;
    int64_t count = 0;
    if (!isnan(a->min_count)) return OK;
    if (a->map) TRY(read_map(work, a->map, &entries, &count));
    else if (a->merge) TRY(read_merge(work, a->merge, &entries, &count));
    else count = r->labels;
    if (count > INT32_MAX) return OK;
    NEW(work, from, count + 1);
    NEW(work, to, count + 1);
    for (int64_t i = 0; i < count; i++) {
        from[i] = entries ? entries[i].old : NULL;
        to[i] = entries ? entries[i].new : r->label[i].text;
    }
    TRY(column_treat(made, treatment_new(entries ? TREATED_MAPPED : TREATED_INTERVALS, (int32_t)count, entries ? from : NULL, to, NULL),
                     work->error));
done:
    return status;
}

static void say_categories(Run *run, const args *a, const Recoding *r) {
    Grid *grid =
        grid_new(run->result, "counts", a->weight ? "category:text records:integer population:real" : "category:text records:integer");
    for (int64_t i = 0; i < r->labels; i++) {
        grid_text(grid, r->label[i].text);
        grid_integer(grid, r->label[i].records);
        if (a->weight) grid_real(grid, r->label[i].population);
    }
    grid_done(grid);
}

static Status recode_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Work *work = &run->work;
    Column *made = NULL;
    Recoding r = { 0 };
    if ((a->breaks.count > 0) + (a->map != NULL) + (a->merge != NULL) > 1)
        return fail(work->error, BAD, "only one of --breaks, --map or --merge can be given");
    if (!a->breaks.count && !a->map && !a->merge && isnan(a->min_count))
        return fail(work->error, BAD, "protect recode needs --breaks, --map, --merge or --min-count");
    TRY(column_codes(work, a->var, &r.codes));
    NEW(work, r.text, r.codes.count + 1);
    NEW(work, r.rank, r.codes.count + 1);
    NEW(work, r.label_of, r.codes.count + 1);
    TRY(a->breaks.count ? names_from_breaks(work, a, &r) : names_as_they_are(work, a, &r));
    if (a->map || a->merge) TRY(names_from_map(run, a, &r));
    TRY(make_labels(work, a, &r));
    result_integer(run->result, "categories_before", r.codes.count);
    if (!isnan(a->min_count)) TRY(fold(run, a, &r));
    result_integer(run->result, "categories", r.labels);
    TRY(make_column(work, a, &r, &made));
    TRY(state_treatment(work, a, &r, made));
    TRY(output_changed(run, a->data, &made, 1));
    say_categories(run, a, &r);
    result_note(run->result, "Missing values stay missing and are not counted in any category.");
done:
    column_release(made);
    return status;
}

static const Return values[] = {
    VALUE(categories_before, INTEGER, "Distinct values before recoding", .flags = PUBLIC),
    VALUE(folded, INTEGER, "Categories merged into --other", .flags = PUBLIC),
    VALUE(categories, INTEGER, "Distinct values after recoding", .flags = PUBLIC),
    CHANGED_VALUES,
    TABLE_OUT(counts, "category:text records:integer", "Each category after recoding, with its records"),
    RELEASED("The protected table"),
    END,
};

static const InParts in_parts = { .shape = BY_CLASS };

/* Intervals, a table and merged words look at one value; --min-count at how many have it. */
static bool looks_at_one(const Args *given) { return !args_any(given, WORDS("min_count", "weight")); }

const Method protect_recode = {
    .group = "protect",
    .name = "recode",
    .summary = "Global recoding: intervals, broader categories, merging of rare categories",
    .source = "Matthews & Harel 2011, section 2.1",
    .params = params,
    .size = sizeof(args),
    .record_by_record = looks_at_one,
    .traits = IDENTITY | POPULATION,
    .run = recode_run,
    .parts = &in_parts,
    .values = values,
    .example = "scrim protect recode examples/clinic.csv --var age --breaks 0,15,30,45,60,75",
};
