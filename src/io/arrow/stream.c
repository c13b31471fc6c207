/* Tables by the Arrow C stream interface (https://arrow.apache.org/docs/format/CStreamInterface.html): in, batch after batch; out, as one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "io/arrow/private.h"

/* ---- in ---- */

typedef struct Batches {
    int64_t count, room;
    Table **at;
} Batches;

static Status complain(struct ArrowArrayStream *stream, int code, Error *error) {
    const char *why = stream->get_last_error ? stream->get_last_error(stream) : NULL;
    return fail(error, BAD, "the Arrow stream ends with an error: %s", why ? why : strerror(code));
}

static Status keep(Batches *batches, Table *table, Error *error) {
    if (batches->count == batches->room) {
        int64_t room = batches->room ? 2 * batches->room : 16;
        Table **at = realloc(batches->at, (size_t)room * sizeof *at);
        if (!at) {
            table_release(table);
            return out_of_memory(error);
        }
        batches->at = at;
        batches->room = room;
    }
    batches->at[batches->count++] = table;
    return OK;
}

static void release_nothing(struct ArrowArray *array) { array->release = NULL; }

/* A stream without a batch has a schema all the same: a table of no records. */
static Status import_none(const char *name, struct ArrowSchema *schema, Table **out, Error *error) {
    static const void *none[3];
    struct ArrowArray empty = { .n_buffers = 3, .buffers = none },
                      whole = { .n_buffers = 1, .buffers = none, .n_children = schema->n_children, .release = release_nothing };
    struct ArrowArray *with_words = calloc(1, sizeof *with_words), **children = calloc((size_t)schema->n_children + 1, sizeof *children);
    Status status = with_words && children ? OK : out_of_memory(error);
    if (with_words) *with_words = (struct ArrowArray){ .n_buffers = 3, .buffers = none, .dictionary = &empty };
    for (int64_t i = 0; !status && i < schema->n_children; i++) children[i] = schema->children[i]->dictionary ? with_words : &empty;
    whole.children = children;
    if (!status) status = arrow_import(name, schema, &whole, out, error);
    else if (schema->release) schema->release(schema);
    free(children);
    free(with_words);
    return status;
}

/* Each import takes a schema over, and a stream gives it as often as it is asked. */
static Status next(const char *name, struct ArrowArrayStream *stream, Batches *batches, bool *more, Error *error) {
    struct ArrowSchema schema = { 0 };
    struct ArrowArray array = { 0 };
    Table *table = NULL;
    int code = stream->get_next(stream, &array);
    *more = !code && array.release;
    if (code) return complain(stream, code, error);
    if (!array.release && batches->count) return OK;
    if ((code = stream->get_schema(stream, &schema))) {
        if (array.release) array.release(&array);
        return complain(stream, code, error);
    }
    for (int64_t i = 0; schema.children && i < schema.n_children; i++) schema.children[i]->flags |= ARROW_ALL_WORDS;
    Status status = array.release ? arrow_import(name, &schema, &array, &table, error) : import_none(name, &schema, &table, error);
    if (!status) return keep(batches, table, error);
    for (int64_t b = 0; b < batches->count; b++) error_part(error, batches->at[b]->rows);
    return status;
}

/* Words and texts cell by cell, so that dictionaries of their own become one. */
static Status join_texts(const Batches *batches, int64_t j, int64_t rows, Column **out, Error *error) {
    const Column *first = batches->at[0]->column[j];
    const char **cells = malloc((size_t)(rows + 1) * sizeof *cells);
    int64_t at = 0;
    char number[33];
    if (!cells) return out_of_memory(error);
    for (int64_t b = 0; b < batches->count; b++)
        for (int64_t i = 0; i < batches->at[b]->rows; i++) cells[at++] = column_cell(batches->at[b]->column[j], i, number);
    Status status = (first->type == TEXT_TYPE ? column_text : column_category)(first->name, cells, rows, out, error);
    free(cells);
    return status;
}

/* The longest of the batches' ordered dictionaries, where each of them is the beginning of it: producers add words at the end. */
static const Dictionary *common_order(const Batches *batches, int64_t j) {
    const Dictionary *longest = NULL;
    for (int64_t b = 0; b < batches->count; b++) {
        const Column *column = batches->at[b]->column[j];
        if (column->type != CATEGORY_TYPE || (column->words->count && !column->words->ordered)) return NULL;
        if (!longest || column->words->count > longest->count) longest = column->words;
    }
    for (int64_t b = 0; b < batches->count; b++) {
        const Dictionary *words = batches->at[b]->column[j]->words;
        for (int32_t w = 0; w < words->count; w++)
            if (strcmp(words->word[w], longest->word[w])) return NULL;
    }
    return longest && longest->ordered ? longest : NULL;
}

/* A category's words, all of which `order` has, in that order. */
static Status put_in_order(Column *column, const Dictionary *order, Error *error) {
    Status status = OK;
    Dictionary *words = NULL;
    int32_t kept = 0, *place = malloc(((size_t)order->count + 1) * sizeof *place);
    const char **word = malloc(((size_t)order->count + 1) * sizeof *word);
    if (!place || !word) TRY(out_of_memory(error));
    for (int32_t w = 0; w < order->count; w++) {
        int32_t here = dictionary_find(column->words, order->word[w]);
        if (here < 0) continue;
        place[here] = kept;
        word[kept++] = order->word[w];
    }
    TRY(dictionary_new(word, kept, true, &words, error));
    for (int64_t i = 0; i < column->rows; i++)
        if (!column_missing(column, i)) column->code[i] = place[column->code[i]];
    dictionary_release(column->words);
    column->words = words;
done:
    free(place);
    free(word);
    return status;
}

static Status join_numbers(const Batches *batches, int64_t j, int64_t rows, Column **out, Error *error) {
    Status status = OK;
    const Column *first = batches->at[0]->column[j];
    Column *column = NULL;
    int64_t at = 0;
    TRY(column_new(first->type, first->name, rows, &column, error));
    TRY(column_need_valid(column, error));
    for (int64_t b = 0; b < batches->count; b++) {
        const Column *from = batches->at[b]->column[j];
        if (from->width) column_integers(from, 0, from->rows, column->integer + at);
        else if (from->rows && type_wide(first->type)) memcpy(column->integer + at, from->integer, (size_t)from->rows * 8);
        else if (from->rows) memcpy(column->code + at, from->code, (size_t)from->rows * 4);
        for (int64_t i = 0; from->missing && i < from->rows; i++)
            if (column_missing(from, i)) column_set_missing(column, at + i);
        at += from->rows;
    }
    column_seal(column);
    column_narrow(column);
    *out = column;
    column = NULL;
done:
    column_release(column);
    return status;
}

/* A lone batch's columns stay as they are, but for words of an ordered dictionary that do not occur. */
static Status join_column(const Batches *batches, int64_t j, int64_t rows, Column **out, Error *error) {
    Status status = OK;
    const Column *first = batches->at[0]->column[j];
    const Dictionary *order = common_order(batches, j);
    if (batches->count == 1 && !order) {
        *out = column_retain(first);
        return OK;
    }
    TRY((first->type == TEXT_TYPE || first->type == CATEGORY_TYPE ? join_texts : join_numbers)(batches, j, rows, out, error));
    if (!order) goto done;
    status = put_in_order(*out, order, error);
    if (status) {
        column_release(*out);
        *out = NULL;
    }
done:
    return status;
}

static Status join(const char *name, const Batches *batches, Table **out, Error *error) {
    Status status = OK;
    const Table *first = batches->at[0];
    int64_t rows = 0, made = 0;
    Column **columns = calloc((size_t)first->columns + 1, sizeof *columns);
    if (!columns) return out_of_memory(error);
    for (int64_t b = 0; b < batches->count; b++) {
        rows += batches->at[b]->rows;
        bool same = batches->at[b]->columns == first->columns;
        for (int64_t j = 0; same && j < first->columns; j++) same = batches->at[b]->column[j]->type == first->column[j]->type;
        if (!same) TRY(fail(error, BAD, "the batches of an Arrow stream have different columns"));
    }
    for (; made < first->columns; made++) TRY(join_column(batches, made, rows, &columns[made], error));
    TRY(table_new(name, columns, made, rows, out, error));
done:
    for (int64_t j = 0; j < made; j++) column_release(columns[j]);
    free(columns);
    return status;
}

Status arrow_import_stream(const char *name, struct ArrowArrayStream *stream, Table **out, Error *error) {
    Status status = OK;
    Batches batches = { 0 };
    bool more = true;
    *out = NULL;
    if (!stream->get_schema || !stream->get_next) TRY(fail(error, BAD, "the Arrow stream was released before it came here"));
    while (more) TRY(next(name, stream, &batches, &more, error));
    TRY(join(name, &batches, out, error));
done:
    for (int64_t b = 0; b < batches.count; b++) table_release(batches.at[b]);
    free(batches.at);
    if (stream->release) stream->release(stream);
    return status;
}

/* ---- out ---- */

typedef struct Source {
    Table *table;
    bool given;
    Error error;
} Source;

static int give_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    Source *source = stream->private_data;
    struct ArrowArray array = { 0 };
    if (arrow_export(source->table, out, &array, &source->error)) return ENOMEM;
    array.release(&array);
    return 0;
}

static int give_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    Source *source = stream->private_data;
    struct ArrowSchema schema = { 0 };
    *out = (struct ArrowArray){ 0 };
    if (source->given) return 0;
    if (arrow_export(source->table, &schema, out, &source->error)) return ENOMEM;
    schema.release(&schema);
    source->given = true;
    return 0;
}

static const char *last_error(struct ArrowArrayStream *stream) {
    Source *source = stream->private_data;
    return source->error.message[0] ? source->error.message : NULL;
}

static void end(struct ArrowArrayStream *stream) {
    Source *source = stream->private_data;
    table_release(source->table);
    free(source);
    stream->release = NULL;
}

Status arrow_export_stream(const Table *table, struct ArrowArrayStream *stream, Error *error) {
    Source *source = malloc(sizeof *source);
    if (!source) return out_of_memory(error);
    *source = (Source){ .table = table_retain(table), .error = ERROR_NONE };
    *stream = (struct ArrowArrayStream){ .get_schema = give_schema,
                                         .get_next = give_next,
                                         .get_last_error = last_error,
                                         .release = end,
                                         .private_data = source };
    return OK;
}
