/* A schema read, and what it makes of a table. */
#include "table/schema.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include "base/digits.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/yaml.h"
#include "base/number_text.h"
#include "base/text.h"

static Status read_number(Work *work, const YamlNode *node, const char *what, double *out) {
    const char *text;
    Status status = yaml_need_text(work, node, what, &text);
    if (status) return status;
    return read_real(text, text + strlen(text), '.', out) ? OK : yaml_fail(work, node, "%s must be a number", what);
}

static Status read_bounds(Work *work, const YamlNode *map, SchemaColumn *c) {
    Status status = OK;
    const YamlNode *bounds = yaml_find(map, "bounds"), *step = yaml_find(map, "step");
    if (!bounds) {
        yaml_fail(work, map, "the column '%s' has no bounds", c->name);
        return error_advice(work->error,
                            "Write bounds: [LOW, HIGH], from what is known without looking at the data, or categories: [a, b].");
    }
    TRY(yaml_need_kind(work, bounds, YAML_LIST, "bounds"));
    if (bounds->count != 2) TRY(yaml_fail(work, bounds, "bounds are two numbers: [low, high]"));
    TRY(read_number(work, bounds->item[0], "a bound", &c->low));
    TRY(read_number(work, bounds->item[1], "a bound", &c->high));
    if (!(c->low < c->high) || !isfinite(c->high - c->low))
        TRY(yaml_fail(work, bounds, "the bounds of '%s' are not in order, or too far apart", c->name));
    c->step = c->kind == SCHEMA_INTEGER ? 1 : 0;
    if (step) TRY(read_number(work, step, "step", &c->step));
    bool whole = c->low == floor(c->low) && c->high == floor(c->high) && c->step == floor(c->step) && fabs(c->low) <= 0x1p53 &&
                 fabs(c->high) <= 0x1p53;
    if (c->kind == SCHEMA_INTEGER && !whole)
        TRY(yaml_fail(work, map, "the bounds and the step of an integer are whole numbers of at most 2^53"));
    if (step && !(c->step > 0 && c->step <= c->high - c->low))
        TRY(yaml_fail(work, step, "step is above 0 and at most the width of the bounds"));
done:
    return status;
}

/* points: [0, 501]: each a value that the column can hold. */
static Status read_points(Work *work, const YamlNode *map, SchemaColumn *c) {
    Status status = OK;
    const YamlNode *list = yaml_find(map, "points");
    double *point = NULL;
    if (!list) return OK;
    TRY(yaml_need_kind(work, list, YAML_LIST, "points"));
    if (list->count > 1000) TRY(yaml_fail(work, list, "'%s' has more than 1000 points", c->name));
    NEW(work, point, list->count + 1);
    for (int64_t i = 0; i < list->count; i++) {
        TRY(read_number(work, list->item[i], "a point", &point[i]));
        if (schema_number(c, point[i]) != point[i])
            TRY(yaml_fail(work, list->item[i], "a point of '%s' lies outside its bounds or between its steps", c->name));
        if (i && !(point[i] > point[i - 1])) TRY(yaml_fail(work, list->item[i], "the points of '%s' do not ascend", c->name));
    }
    c->points = (int32_t)list->count;
    c->point = point;
done:
    return status;
}

static Status read_categories(Work *work, const YamlNode *list, SchemaColumn *c) {
    Status status = OK;
    const char **words = NULL;
    TRY(yaml_need_kind(work, list, YAML_LIST, "categories"));
    if (list->count < 1 || list->count > 10000000) TRY(yaml_fail(work, list, "'%s' needs at least one category", c->name));
    NEW(work, words, list->count);
    for (int64_t i = 0; i < list->count; i++) TRY(yaml_need_text(work, list->item[i], "a category", &words[i]));
    c->categories = (int32_t)list->count;
    c->category = words;
done:
    return status;
}

static Status read_missing(Work *work, const YamlNode *map, SchemaColumn *c) {
    const YamlNode *node = yaml_find(map, "missing");
    if (!node) return OK;
    if (node->kind == YAML_TEXT && !strcmp(node->text, "possible")) {
        c->missing = true;
        return OK;
    }
    if (node->kind == YAML_TEXT && !strcmp(node->text, "impossible")) return OK;
    return yaml_fail(work, node, "missing is possible or impossible");
}

/* `inspect --schema` marks what it derived from the data. A guarantee would be false with bounds that the data decided. */
static Status refuse_unconfirmed(Work *work, const char *name, const YamlNode *confirm) {
    if (!confirm) return OK;
    yaml_fail(work, confirm, "'%s' is not confirmed: it was derived from the data", name);
    return error_advice(work->error, "Compare it with what is public, correct it, and remove `confirm`.");
}

static Status read_column(Work *work, const char *name, const YamlNode *map, SchemaColumn *c) {
    static const char *const names[] = { "type", "bounds", "step", "points", "missing", "categories", "confirm", NULL };
    Status status = OK;
    *c = (SchemaColumn){ .name = name };
    TRY(yaml_known(work, map, "a column of a schema", names));
    const YamlNode *type = yaml_find(map, "type"), *categories = yaml_find(map, "categories");
    const char *word = type && type->kind == YAML_TEXT ? type->text : categories && !type ? "category" : "";
    bool integer = !strcmp(word, "integer"), real = !strcmp(word, "real");
    if (!integer && !real && strcmp(word, "category"))
        TRY(yaml_fail(work, type ? type : map, "the type of '%s' is integer, real or category", name));
    c->kind = integer ? SCHEMA_INTEGER : real ? SCHEMA_REAL : SCHEMA_CATEGORIES;
    TRY(refuse_unconfirmed(work, name, yaml_find(map, "confirm")));
    TRY(read_missing(work, map, c));
    if (c->kind != SCHEMA_CATEGORIES) {
        if (categories) TRY(yaml_fail(work, categories, "a number has bounds, not categories"));
        TRY(read_bounds(work, map, c));
        TRY(read_points(work, map, c));
    } else if (!categories) TRY(yaml_fail(work, map, "the column '%s' has no categories", name));
    else if (yaml_find(map, "bounds") || yaml_find(map, "step") || yaml_find(map, "points"))
        TRY(yaml_fail(work, map, "categories have neither bounds nor a step nor points"));
    else TRY(read_categories(work, categories, c));
done:
    return status;
}

static Status read_person(Work *work, const YamlNode *root, Schema *s) {
    Status status = OK;
    double most;
    const YamlNode *unit = yaml_find(root, "unit"), *person = yaml_find(root, "person"), *records = yaml_find(root, "max_records");
    s->max_records = 1;
    if (unit) {
        if (unit->kind == YAML_TEXT && !strcmp(unit->text, "replace-one")) s->unit = SCHEMA_REPLACE_ONE;
        else if (unit->kind == YAML_TEXT && !strcmp(unit->text, "add-remove")) s->unit = SCHEMA_ADD_REMOVE;
        else TRY(yaml_fail(work, unit, "unit is replace-one or add-remove"));
    }
    if (person) TRY(yaml_need_text(work, person, "person", &s->person));
    if (!records) goto done;
    if (!person) TRY(yaml_fail(work, records, "max-records goes with person: the column that says whose record it is"));
    TRY(read_number(work, records, "max-records", &most));
    if (!(most >= 1 && most <= 1000000 && most == floor(most)))
        TRY(yaml_fail(work, records, "max-records is a whole number from 1 to 1000000"));
    s->max_records = (int64_t)most;
done:
    return status;
}

/* What the schema says, in one fixed form. */
static void hash_text(crypto_generichash_state *state, const char *text) {
    uint64_t length = text ? strlen(text) : UINT64_MAX;
    crypto_generichash_update(state, (const unsigned char *)&length, sizeof length);
    if (text) crypto_generichash_update(state, (const unsigned char *)text, strlen(text));
}
static void hash_number(crypto_generichash_state *state, double value) {
    char text[33];
    hash_text(state, real_text(value, text));
}
static void schema_digest(Schema *s) {
    crypto_generichash_state state;
    unsigned char hash[32];
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    hash_number(&state, (double)s->unit);
    hash_text(&state, s->person);
    hash_number(&state, (double)s->max_records);
    for (int64_t i = 0; i < s->columns; i++) {
        const SchemaColumn *c = &s->column[i];
        const double numbers[] = { (double)c->kind, c->low, c->high, c->step, c->missing, (double)c->categories };
        hash_text(&state, c->name);
        for (int k = 0; k < 6; k++) hash_number(&state, numbers[k]);
        for (int32_t k = 0; k < c->categories; k++) hash_text(&state, c->category[k]);
        for (int32_t k = 0; k < c->points; k++) hash_number(&state, c->point[k]); /* none: the digest of a schema that cannot name any */
    }
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(s->hash, sizeof s->hash, hash, sizeof hash);
}

Status schema_parse(Work *work, const char *name, const char *text, size_t count, const Schema **out) {
    static const char *const names[] = { "schema", "unit", "person", "max-records", "max_records", "columns", NULL };
    Status status = OK;
    const YamlNode *root = NULL, *columns;
    Schema *s = NULL;
    SchemaColumn *list = NULL;
    NEW(work, s, 1);
    TRY(yaml_parse(work, name, text, count, &root));
    TRY(yaml_known(work, root, "a schema", names));
    TRY(read_person(work, root, s));
    if (!(columns = yaml_find(root, "columns"))) TRY(yaml_fail(work, root, "a schema has columns"));
    TRY(yaml_need_kind(work, columns, YAML_MAP, "columns"));
    if (!columns->count) TRY(yaml_fail(work, columns, "a schema has at least one column"));
    NEW(work, list, columns->count);
    for (int64_t i = 0; i < columns->count; i++) TRY(read_column(work, columns->name[i], columns->item[i], &list[i]));
    s->columns = columns->count;
    s->column = list;
    schema_digest(s);
    *out = s;
done:
    return status;
}

const SchemaColumn *schema_find(const Schema *s, const char *name) {
    for (int64_t i = 0; s && i < s->columns; i++)
        if (!strcmp(s->column[i].name, name)) return &s->column[i];
    return NULL;
}

double schema_number(const SchemaColumn *c, double value) {
    value = smaller(larger(value, c->low), c->high);
    if (c->step > 0) value = c->low + c->step * rint((value - c->low) / c->step);
    return value > c->high ? value - c->step : value; /* the width need not be a multiple of the step */
}

double schema_middle(const SchemaColumn *c) { return schema_number(c, c->low + (c->high - c->low) / 2); }

/* A cell's text as it would stand whatever the other cells are: without blanks around it, and a number in its shortest form. Leading zeros
 * make a name of a number, as they do to anyone who reads a file. */
static const char *plain(const Column *column, int64_t row, char number[33], Buffer *scratch) {
    const char *text = column_cell(column, row, number);
    if (!text) return NULL;
    const char *end = text + strlen(text);
    while (*text == ' ') text++;
    while (end > text && end[-1] == ' ') end--;
    scratch->count = 0;
    buffer_add(scratch, text, (size_t)(end - text));
    const char *word = buffer_get(scratch), *digits = word + (*word == '-' || *word == '+');
    double real;
    int64_t whole;
    if ((digits[0] == '0' && is_digit(digits[1])) || scratch->failed) return word;
    if (read_integer(word, word + strlen(word), &whole)) {
        number[write_integer(whole, number)] = 0;
        return number;
    }
    bool long_digits = strspn(digits, "0123456789") == strlen(digits);
    return !long_digits && read_real(word, word + strlen(word), '.', &real) ? real_text(real, number) : word;
}

static bool cell_number(const Column *column, int64_t row, double *out) {
    if (column_missing(column, row)) return false;
    if (column_numeric(column)) {
        *out = column_number(column, row);
        return !isnan(*out);
    }
    char number[33];
    const char *text = column_cell(column, row, number), *end = text ? text + strlen(text) : NULL;
    while (text && text < end && *text == ' ') text++;
    while (text && end > text && end[-1] == ' ') end--;
    return text && text < end && read_real(text, end, '.', out);
}

static Status packed_reals_of(const SchemaColumn *c, const Column *from, Column **out, Error *error) {
    Status status = column_new(c->kind == SCHEMA_INTEGER ? INTEGER_TYPE : REAL_TYPE, c->name, from->rows, out, error);
    if (!status && c->missing) status = column_need_valid(*out, error);
    for (int64_t i = 0; !status && i < from->rows; i++) {
        double value;
        bool there = cell_number(from, i, &value);
        if (!there && c->missing) {
            column_set_missing(*out, i);
            continue;
        }
        value = there ? schema_number(c, value) : schema_middle(c);
        if (c->kind == SCHEMA_INTEGER) (*out)->integer[i] = (int64_t)value;
        else (*out)->real[i] = value;
    }
    if (!status) column_seal(*out);
    return status;
}

/* The categories in the order of their plain forms, for looking up. */
typedef struct Named {
    const char *word;
    int32_t code;
} Named;
typedef struct Lookup {
    const SchemaColumn *column;
    Named *named;
    int32_t unknown;
    Buffer scratch;
    char number[33];
} Lookup;
static int by_word(const void *a, const void *b) { return strcmp(((const Named *)a)->word, ((const Named *)b)->word); }

static Status lookup_make(Work *work, const SchemaColumn *c, Lookup *out) {
    Status status = OK;
    Column *words = NULL;
    *out = (Lookup){ .column = c, .unknown = strcmp(c->category[c->categories - 1], "other") ? -1 : c->categories - 1 };
    NEW(work, out->named, c->categories);
    TRY(column_text(c->name, c->category, c->categories, &words, work->error));
    for (int32_t i = 0; i < c->categories; i++) {
        out->named[i] = (Named){ arena_text(work->arena, plain(words, i, out->number, &out->scratch)), i };
        if (!out->named[i].word || out->scratch.failed) TRY(out_of_memory(work->error));
    }
    qsort(out->named, (size_t)c->categories, sizeof *out->named, by_word);
    for (int32_t i = 1; i < c->categories; i++)
        if (!strcmp(out->named[i - 1].word, out->named[i].word))
            TRY(fail(work->error, BAD, "the schema names a category of '%s' twice", c->name));
done:
    column_release(words);
    return status;
}

/* The category of a cell, or -1. */
static int32_t lookup(Lookup *l, const Column *from, int64_t row) {
    const Named asked = { .word = plain(from, row, l->number, &l->scratch) };
    if (!asked.word) return -1;
    const Named *found = bsearch(&asked, l->named, (size_t)l->column->categories, sizeof asked, by_word);
    return found ? found->code : l->unknown;
}

/* A labelled value that the schema names by its code (1 for "male"). */
static int32_t lookup_code(Lookup *l, const ColumnMetadata *about, const char *word) {
    const ValueLabel *label = metadata_word(about, word);
    char text[33];
    const Named asked = { .word = label ? code_text(label->of, text) : NULL };
    if (!asked.word) return l->unknown;
    const Named *found = bsearch(&asked, l->named, (size_t)l->column->categories, sizeof asked, by_word);
    return found ? found->code : l->unknown;
}

/* The category of each word of a dictionary, so that a word is looked up once and not once a row; NULL for columns without one. */
static Status lookup_words(Work *work, Lookup *l, const Column *from, int32_t **out) {
    Status status = OK;
    Column *words = NULL;
    *out = NULL;
    if (from->type != CATEGORY_TYPE) return OK;
    NEW(work, *out, from->words->count + 1);
    TRY(column_text(from->name, from->words->word, from->words->count, &words, work->error));
    for (int32_t k = 0; k < from->words->count; k++) {
        (*out)[k] = lookup(l, words, k);
        if ((*out)[k] < 0 || (*out)[k] == l->unknown) (*out)[k] = lookup_code(l, from->about, from->words->word[k]);
    }
done:
    column_release(words);
    return status;
}

static Status categories_of(Work *work, const SchemaColumn *c, const Column *from, Column **out) {
    Status status = OK;
    Lookup l = { 0 };
    int32_t *word = NULL;
    TRY(lookup_make(work, c, &l));
    TRY(lookup_words(work, &l, from, &word));
    TRY(column_new(CATEGORY_TYPE, c->name, from->rows, out, work->error));
    TRY(dictionary_new(c->category, c->categories, true, &(*out)->words, work->error));
    if (c->missing) TRY(column_need_valid(*out, work->error));
    for (int64_t i = 0; i < from->rows; i++) {
        int32_t code = !word ? lookup(&l, from, i) : column_missing(from, i) ? -1 : word[from->code[i]];
        if (code < 0 && c->missing) {
            column_set_missing(*out, i);
            continue;
        }
        (*out)->code[i] = code < 0 ? 0 : code;
    }
    if (l.scratch.failed) TRY(out_of_memory(work->error));
    column_seal(*out);
done:
    buffer_free(&l.scratch);
    return status;
}

static void number_misfits(const SchemaColumn *c, const Column *from, SchemaMisfits *out) {
    for (int64_t i = 0; i < from->rows; i++) {
        double value;
        if (column_missing(from, i)) out->missing += !c->missing;
        else if (!cell_number(from, i, &value)) out->words++;
        else if (value < c->low || value > c->high) out->outside++;
        else out->rounded += fabs(schema_number(c, value) - value) > 1e-9 * larger(1, fabs(value));
    }
}

static Status category_misfits(Work *work, const SchemaColumn *c, const Column *from, SchemaMisfits *out) {
    Status status = OK;
    Lookup l = { 0 };
    int32_t *word = NULL;
    TRY(lookup_make(work, c, &l));
    const int32_t other = l.unknown;
    l.unknown = -1; /* a cell that says "other" itself is known */
    TRY(lookup_words(work, &l, from, &word));
    for (int64_t i = 0; i < from->rows; i++) {
        if (column_missing(from, i)) out->missing += !c->missing && other < 0;
        else out->unknown += (word ? word[from->code[i]] : lookup(&l, from, i)) < 0;
    }
    if (l.scratch.failed) TRY(out_of_memory(work->error));
done:
    buffer_free(&l.scratch);
    return status;
}

Status schema_misfits(Work *work, const SchemaColumn *column, const Column *from, SchemaMisfits *out) {
    *out = (SchemaMisfits){ 0 };
    if (column->kind == SCHEMA_CATEGORIES) return category_misfits(work, column, from, out);
    number_misfits(column, from, out);
    return OK;
}

/* Whose record: any word, in its plain form. */
static Status persons_of(Work *work, const Column *from, Column **out) {
    Status status = OK;
    const char **cells = NULL;
    Buffer scratch = { 0 };
    char number[33];
    NEW(work, cells, from->rows + 1);
    for (int64_t i = 0; i < from->rows; i++) {
        const char *word = plain(from, i, number, &scratch);
        if (word && (scratch.failed || !(cells[i] = arena_text(work->arena, word)))) TRY(out_of_memory(work->error));
    }
    TRY(column_category(from->name, cells, from->rows, out, work->error));
done:
    buffer_free(&scratch);
    return status;
}

Status schema_apply(Work *work, const Schema *s, const Table *table, Table **out) {
    Status status = OK;
    Column **made = NULL;
    const Column *from;
    int64_t count = 0;
    NEW(work, made, s->columns + 1);
    for (; count < s->columns; count++) {
        TRY(table_need(table, s->column[count].name, &from, work->error));
        if (s->column[count].kind == SCHEMA_CATEGORIES) status = categories_of(work, &s->column[count], from, &made[count]);
        else status = packed_reals_of(&s->column[count], from, &made[count], work->error);
        if (status) {
            column_release(made[count]);
            goto done;
        }
    }
    if (s->person && !schema_find(s, s->person)) {
        TRY(table_need(table, s->person, &from, work->error));
        TRY(persons_of(work, from, &made[count]));
        count++;
    }
    TRY(table_new(table->name, made, count, table->rows, out, work->error));
    (*out)->perturbed = table->perturbed;
done:
    for (int64_t i = 0; i < count; i++) column_release(made[i]);
    return status;
}
