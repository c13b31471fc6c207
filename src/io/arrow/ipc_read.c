/* Reading Arrow files and streams: messages become structs of the C data interface over the file's own bytes, and those become a table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "io/arrow/arrow.h"
#include "io/arrow/flatbuffers.h"
#include "io/arrow/ipc.h"
#include "io/arrow/ipc_validate.h"
#include "io/concatenate.h"
#include "io/zstandard.h"

typedef struct Field {
    char *name;
    char format[48];
    int64_t dictionary; /* its id, or -1 */
    char index[2];      /* the format of the indexes into it */
    bool ordered;
} Field;

typedef struct Words {
    int64_t id, length, buffer_count;
    const void **buffers;
    bool known;
} Words;

typedef struct Reading {
    Work *work;
    const char *name;
    const char *bytes;
    size_t count, at;
    const Bytes *from;        /* whose these are, where they may be mapped; or NULL */
    Flatbuffer index;         /* a file's; a stream has none */
    size_t block[2];          /* where it lists its messages: of dictionaries, of records */
    int64_t blocks[2], taken; /* how many, and of all those how many were taken */
    int64_t fields, batches, room;
    int64_t records; /* of all batches so far */
    Field *field;
    Words *words; /* one per field that has a dictionary; `id` tells which */
    Table **batch;
} Reading;

/* The body of one message, and how far its nodes and buffers were taken. */
typedef struct Body {
    const char *at;
    size_t size;
    Flatbuffer flat;
    size_t nodes, buffers;
    int64_t node_count, buffer_count, node, buffer;
    size_t views; /* how many buffers of text each column of views has */
    int64_t view_count, view;
    int codec;
} Body;

static Status broken(const Reading *r, const char *what) {
    fail(r->work->error, BAD, "is not a whole Arrow file or stream: %s", what);
    error_advice(r->work->error, "It may have been cut short; write or copy it again.");
    return error_file(r->work->error, r->name);
}

/* ---- the schema ---- */

static Status unsupported(const Reading *r, const Field *field, int type) {
    static const char *const names[] = { "none",
                                         "null",
                                         "int",
                                         "float",
                                         "binary",
                                         "utf8",
                                         "bool",
                                         "decimal",
                                         "date",
                                         "time",
                                         "timestamp",
                                         "interval",
                                         "list",
                                         "struct",
                                         "union",
                                         "fixed-size binary",
                                         "fixed-size list",
                                         "map",
                                         "duration",
                                         "large binary",
                                         "large utf8",
                                         "large list",
                                         "run-end encoded",
                                         "binary view",
                                         "utf8 view" };
    fail(r->work->error, BAD, "holds a column of Arrow type '%s', which a table does not",
         type >= 0 && type < (int)(sizeof names / sizeof *names) ? names[type] : "unknown");
    error_column(r->work->error, field->name);
    error_advice(r->work->error, "Cast it to integer, double, string, date, timestamp or a dictionary of strings.");
    return error_file(r->work->error, r->name);
}

static bool whole_format(Flatbuffer flat, size_t type, char out[2]) {
    int64_t bits = flat_scalar(flat, type, 0, 4, 0);
    bool is_signed = flat_scalar(flat, type, 1, 1, 0);
    const char *letter = bits == 8 ? "cC" : bits == 16 ? "sS" : bits == 32 ? "iI" : bits == 64 ? "lL" : NULL;
    if (letter) {
        out[0] = letter[!is_signed];
        out[1] = 0;
    }
    return letter;
}

/* The C data interface's word for a type; "" where a table holds none such. */
static void type_format(Flatbuffer flat, int type, size_t at, char *out, size_t size) {
    static const char unit[] = "smun";
    int64_t step, precision;
    out[0] = 0;
    switch (type) {
    case IPC_INT: whole_format(flat, at, out); break;
    case IPC_FLOAT:
        precision = flat_scalar(flat, at, 0, 2, 0);
        snprintf(out, size, "%s", precision == 2 ? "g" : precision == 1 ? "f" : "e");
        break;
    case IPC_NULL: snprintf(out, size, "n"); break;
    case IPC_DECIMAL:
        snprintf(out, size, "d:%d,%d,%d", (int)flat_scalar(flat, at, 0, 4, 0), (int)flat_scalar(flat, at, 1, 4, 0),
                 (int)flat_scalar(flat, at, 2, 4, 128));
        break;
    case IPC_UTF8: snprintf(out, size, "u"); break;
    case IPC_UTF8_VIEW: snprintf(out, size, "vu"); break;
    case IPC_LARGE_UTF8: snprintf(out, size, "U"); break;
    case IPC_BOOL: snprintf(out, size, "b"); break;
    case IPC_DATE: snprintf(out, size, flat_scalar(flat, at, 0, 2, 1) ? "tdm" : "tdD"); break;
    case IPC_TIMESTAMP:
        step = flat_scalar(flat, at, 0, 2, 0);
        if (step >= 0 && step < 4) snprintf(out, size, "ts%c:", unit[step]);
        break;
    default: break;
    }
}

static Status take_field(Reading *r, Flatbuffer flat, size_t at, Field *field) {
    size_t length;
    const char *name = flat_text(flat, at, 0, &length);
    int type = (int)flat_scalar(flat, at, 2, 1, 0);
    *field = (Field){ .dictionary = -1 };
    field->name = arena_print(r->work->arena, "%.*s", (int)(name ? length : 0), name ? name : "");
    if (!field->name) return out_of_memory(r->work->error);
    type_format(flat, type, flat_table(flat, at, 3), field->format, sizeof field->format);
    if (!field->format[0]) return unsupported(r, field, type);
    size_t encoding = flat_table(flat, at, 4);
    if (!encoding) return OK;
    field->dictionary = flat_scalar(flat, encoding, 0, 8, 0);
    field->ordered = flat_scalar(flat, encoding, 2, 1, 0);
    strcpy(field->index, "i");
    size_t index = flat_table(flat, encoding, 1);
    if (field->dictionary < 0 || (index && !whole_format(flat, index, field->index)))
        return broken(r, "a dictionary is not declared rightly");
    return strchr("uUvcCsSiIlL", field->format[0]) ? OK : unsupported(r, field, type);
}

static Status take_schema(Reading *r, Flatbuffer flat, size_t header) {
    Status status = OK;
    int64_t count;
    if (r->field) return broken(r, "it has two schemas");
    if (flat_scalar(flat, header, 0, 2, 0)) return broken(r, "its numbers are big-endian");
    size_t items = flat_vector(flat, header, 1, 4, &count);
    NEW(r->work, r->field, count + 1);
    NEW(r->work, r->words, count + 1);
    for (int64_t i = 0; i < count; i++) {
        TRY(take_field(r, flat, flat_item(flat, items, i), &r->field[i]));
        r->words[i].id = r->field[i].dictionary;
    }
    r->fields = count;
done:
    return status;
}

/* ---- buffers ---- */

#ifdef SCRIM_WITHOUT_ZSTD
static Status unpack(const Reading *r, int codec, const char *from, size_t count, char *to, size_t size) {
    (void)codec, (void)from, (void)count, (void)to, (void)size;
    return zstandard_here(r->work->error);
}
#else
static Status unpack(const Reading *r, int codec, const char *from, size_t count, char *to, size_t size) {
    if (codec == 1) return ZSTD_decompress(to, size, from, count) == size ? OK : broken(r, "a packed buffer cannot be unpacked");
    LZ4F_dctx *context = NULL;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION))) return out_of_memory(r->work->error);
    size_t done = 0, left = 1;
    while (left && count) {
        size_t room = size - done, used = count;
        left = LZ4F_decompress(context, to + done, &room, from, &used, NULL);
        if (LZ4F_isError(left) || (!room && !used)) break;
        done += room;
        from += used;
        count -= used;
    }
    LZ4F_freeDecompressionContext(context);
    return !left && done == size ? OK : broken(r, "a packed buffer cannot be unpacked");
}
#endif

/* A copy where the bytes do not lie as numbers must, or are packed. */
static Status own_buffer(Reading *r, int codec, const char *from, size_t *count, const void **out) {
    Status status = OK;
    char *copy = NULL;
    int64_t size = *count ? (int64_t)*count : 0;
    if (codec >= 0 && size >= 8) {
        memcpy(&size, from, 8);
        from += 8;
        *count -= 8;
        if (size == -1) {
            codec = -1;
            size = (int64_t)*count;
        } /* packing would not have helped: stored as it is */
    } else if (codec >= 0) codec = -1;
    if (size < 0 || (codec >= 0 && (uint64_t)size / 4096 > *count + 1)) return broken(r, "a packed buffer has a size that cannot be");
    NEW(r->work, copy, size + 8);
    if (codec >= 0) TRY(unpack(r, codec, from, *count, copy, (size_t)size));
    else if (size) memcpy(copy, from, (size_t)size);
    *count = (size_t)size;
    *out = copy;
done:
    return status;
}

/* The next buffer of the message, at least `need` bytes of it; NULL where it is empty and none are needed. */
static Status next_buffer(Reading *r, Body *body, size_t need, bool optional, const void **out, size_t *size) {
    if (body->buffer >= body->buffer_count) return broken(r, "a message has too few buffers");
    size_t place = body->buffers + 16 * (size_t)body->buffer++;
    int64_t offset = flat_number(body->flat, place, 8), length = flat_number(body->flat, place + 8, 8);
    if (offset < 0 || length < 0 || (uint64_t)offset > body->size || (uint64_t)length > body->size - (uint64_t)offset)
        return broken(r, "a buffer lies outside of its message");
    *size = (size_t)length;
    *out = NULL;
    if (!length && optional) return OK;
    const char *at = body->at + offset;
    if (body->codec >= 0 || ((uintptr_t)at & 7)) {
        Status status = own_buffer(r, body->codec, at, size, out);
        if (status) return status;
    } else *out = at;
    return *size >= need ? OK : broken(r, "a buffer is shorter than its column");
}

static Status take_views(Reading *r, Body *body, struct ArrowArray *array) {
    Status status = OK;
    size_t *size = NULL;
    for (int64_t i = 2; i < array->n_buffers; i++) {
        if (!size) NEW(r->work, size, array->n_buffers);
        TRY(next_buffer(r, body, 0, true, &array->buffers[i], &size[i - 2]));
    }
    if (!ipc_views_hold(array, size)) TRY(broken(r, "its texts lie outside"));
done:
    return status;
}

static Status take_texts(Reading *r, Body *body, bool large, size_t size, struct ArrowArray *array) {
    static const int64_t none[2] = { 0, 0 };
    size_t bytes;
    Status status = next_buffer(r, body, 0, true, &array->buffers[2], &bytes);
    if (status) return status;
    if (size < (large ? 8u : 4u)) array->buffers[1] = none;
    else if (!ipc_offsets_hold(large, array->buffers[1], array->length, array->buffers[2] ? bytes : 0))
        return broken(r, "its texts overlap or lie outside");
    if (!array->buffers[2]) array->buffers[2] = "";
    return OK;
}

/* How many buffers a column has: views say so beside the message. */
static Status count_buffers(Reading *r, Body *body, const char *format, int64_t *out) {
    *out = format[0] == 'n' ? 0 : format[0] == 'u' || format[0] == 'U' ? 3 : 2;
    if (format[0] != 'v') return OK;
    if (body->view >= body->view_count) return broken(r, "a message has too few buffers");
    int64_t texts = flat_number(body->flat, body->views + 8 * (size_t)body->view++, 8);
    if (texts < 0 || texts > body->buffer_count) return broken(r, "a message has too few buffers");
    *out += texts;
    return OK;
}

static Status take_array(Reading *r, Body *body, const char *format, int64_t want, struct ArrowArray *array) {
    Status status = OK;
    static const int64_t none[2] = { 0, 0 };
    size_t size;
    if (body->node >= body->node_count) return broken(r, "a message has too few columns");
    size_t place = body->nodes + 16 * (size_t)body->node++;
    int64_t length = flat_number(body->flat, place, 8), missing = flat_number(body->flat, place + 8, 8), count;
    if (length < 0 || (want >= 0 && length != want) || length > (int64_t)1 << 40) return broken(r, "its columns differ in length");
    TRY(count_buffers(r, body, format, &count));
    *array = (struct ArrowArray){ .length = length, .null_count = missing, .n_buffers = count };
    NEW(r->work, array->buffers, count + 1);
    if (!count) return OK;
    TRY(next_buffer(r, body, (size_t)(length + 7) / 8, true, &array->buffers[0], &size));
    if (array->buffers[0] && size < (size_t)(length + 7) / 8) return broken(r, "a bitmap is shorter than its column");
    if (!missing) array->buffers[0] = NULL;
    bool text = format[0] == 'u' || format[0] == 'U', large = format[0] == 'U';
    TRY(next_buffer(r, body, text ? (size_t)(length ? length + 1 : 0) * (large ? 8 : 4) : ipc_bytes_of(format, length), !length,
                    &array->buffers[1], &size));
    if (!array->buffers[1]) array->buffers[1] = none;
    if (text) TRY(take_texts(r, body, large, size, array));
    if (format[0] == 'v') TRY(take_views(r, body, array));
done:
    return status;
}

static Status open_body(Reading *r, Flatbuffer flat, size_t header, const char *at, size_t size, Body *body) {
    *body = (Body){ .at = at, .size = size, .flat = flat, .codec = -1 };
    body->nodes = flat_vector(flat, header, 1, 16, &body->node_count);
    body->buffers = flat_vector(flat, header, 2, 16, &body->buffer_count);
    body->views = flat_vector(flat, header, 4, 8, &body->view_count);
    size_t packed = flat_table(flat, header, 3);
    if (packed) body->codec = (int)flat_scalar(flat, packed, 0, 1, 0);
    return body->codec <= 1 ? OK : broken(r, "it is packed in a way that is not known");
}

/* ---- dictionaries and records ---- */

static Status take_dictionary(Reading *r, Flatbuffer flat, size_t header, const char *at, size_t size) {
    Status status = OK;
    Body body;
    struct ArrowArray array;
    int64_t id = flat_scalar(flat, header, 0, 8, 0);
    size_t data = flat_table(flat, header, 1);
    if (flat_scalar(flat, header, 2, 1, 0)) return broken(r, "it adds to a dictionary, which is not supported");
    for (int64_t i = 0; i < r->fields; i++) {
        Words *words = &r->words[i];
        if (words->id != id || r->field[i].dictionary < 0) continue;
        *words = (Words){ .id = id };
        TRY(open_body(r, flat, data, at, size, &body));
        TRY(take_array(r, &body, r->field[i].format, -1, &array));
        words->length = array.length;
        words->buffers = array.buffers;
        words->buffer_count = array.n_buffers;
        words->known = true;
    }
done:
    return status;
}

static void keep_schema(struct ArrowSchema *schema) { schema->release = NULL; } /* everything is the reading's own */
static void keep_array(struct ArrowArray *array) { array->release = NULL; }

typedef struct Child {
    struct ArrowSchema schema, words_schema;
    struct ArrowArray array, words;
} Child;

static Status take_column(Reading *r, Body *body, int64_t i, int64_t length, Child *c) {
    Status status = OK;
    static const int64_t zeros[2] = { 0, 0 };
    static const void *nothing[3] = { NULL, zeros, "" };
    const Field *field = &r->field[i];
    c->schema = (struct ArrowSchema){ .format = field->dictionary >= 0 ? field->index : field->format,
                                      .name = field->name,
                                      .release = keep_schema,
                                      .flags = ARROW_FLAG_NULLABLE | (field->ordered ? ARROW_FLAG_DICTIONARY_ORDERED : 0) };
    if (body) TRY(take_array(r, body, c->schema.format, length, &c->array));
    else c->array = (struct ArrowArray){ .n_buffers = 3, .buffers = nothing };
    c->array.release = keep_array;
    if (field->dictionary < 0) goto done;
    if (!r->words[i].known && length) TRY(broken(r, "a dictionary is missing"));
    if (!r->words[i].known) r->words[i] = (Words){ .id = r->words[i].id, .buffers = nothing, .buffer_count = 3 };
    if (!ipc_indexes_hold(field->index, &c->array, r->words[i].length)) TRY(broken(r, "an index lies outside of its dictionary"));
    c->words_schema = (struct ArrowSchema){ .format = field->format, .release = keep_schema };
    c->words = (struct ArrowArray){ .length = r->words[i].length,
                                    .n_buffers = r->words[i].buffer_count,
                                    .buffers = r->words[i].buffers,
                                    .release = keep_array };
    c->words.null_count = 0;
    c->schema.dictionary = &c->words_schema;
    c->array.dictionary = &c->words;
done:
    return status;
}

/* A batch of so many records; without a body, of none. */
static Status add_batch(Reading *r, int64_t length, Body *body) {
    Status status = OK;
    Child *columns = NULL;
    struct ArrowSchema **schemas = NULL;
    struct ArrowArray **arrays = NULL;
    const void *none[1] = { NULL };
    NEW(r->work, columns, r->fields + 1);
    NEW(r->work, schemas, r->fields + 1);
    NEW(r->work, arrays, r->fields + 1);
    for (int64_t i = 0; i < r->fields; i++) {
        TRY(take_column(r, body, i, length, &columns[i]));
        schemas[i] = &columns[i].schema;
        arrays[i] = &columns[i].array;
    }
    struct ArrowSchema schema = { .format = "+s", .n_children = r->fields, .children = schemas, .release = keep_schema };
    struct ArrowArray array = { .length = length,
                                .n_buffers = 1,
                                .buffers = none,
                                .n_children = r->fields,
                                .children = arrays }; /* without a release: the file's memory is lent for the call alone, and copied */
    GROW(r->work, r->batch, r->room, r->batches + 1);
    r->batch[r->batches] = NULL;
    status = arrow_import(r->name, &schema, &array, &r->batch[r->batches], r->work->error);
    if (status) {
        error_part(r->work->error, r->records);
        error_file(r->work->error, r->name);
    } else r->batches++;
    r->records += length;
done:
    return status;
}

static Status take_records(Reading *r, Flatbuffer flat, size_t header, const char *at, size_t size) {
    Status status = OK;
    Body body;
    int64_t length = flat_scalar(flat, header, 0, 8, 0);
    if (!r->field) return broken(r, "it has no schema");
    if (length < 0) return broken(r, "a batch has fewer than no records");
    TRY(open_body(r, flat, header, at, size, &body));
    TRY(add_batch(r, length, &body));
done:
    return status;
}

/* ---- messages ---- */

/* What is mapped may change between the check and the use: it is copied, and the file's own pages need not stay. */
static Status steady(Reading *r, const char *from, size_t count, const char **out) {
    Status status = OK;
    char *copy = NULL;
    *out = from;
    if (!r->from || !r->from->mapped) return OK;
    NEW(r->work, copy, (int64_t)count + 1);
    memcpy(copy, from, count);
    bytes_let_go(r->from, from, from + count);
    *out = copy;
done:
    return status;
}

static Status take_message(Reading *r, Flatbuffer flat, const char *at) {
    Status status = OK;
    const char *body;
    size_t root = flat_root(flat), header = flat_table(flat, root, 2);
    int64_t kind = flat_scalar(flat, root, 1, 1, 0), length = flat_scalar(flat, root, 3, 8, 0);
    if (!root || !header || length < 0 || (uint64_t)length > r->count - r->at)
        return broken(r, "a message is longer than the rest of the file");
    r->at += (size_t)length;
    TRY(steady(r, at, (size_t)length, &body));
    if (kind == IPC_SCHEMA) TRY(take_schema(r, flat, header));
    else if (kind == IPC_DICTIONARY) TRY(take_dictionary(r, flat, header, body, (size_t)length));
    else if (kind == IPC_RECORDS) TRY(take_records(r, flat, header, body, (size_t)length));
    if (body != at && kind == IPC_RECORDS) arena_drop(r->work->arena, (void *)(uintptr_t)body);
done:
    return status;
}

/* One message: a mark of four bytes, the size of its metadata, the metadata, the body. Sets *end at the mark that ends a stream. */
static Status next_message(Reading *r, bool *end) {
    uint32_t size;
    const char *about;
    if (r->count - r->at < 8) return broken(r, "it ends without the mark of its end");
    memcpy(&size, r->bytes + r->at, 4);
    r->at += 4;
    if (size == UINT32_MAX) {
        memcpy(&size, r->bytes + r->at, 4);
        r->at += 4;
    } /* versions before 0.15 lack the mark */
    *end = !size;
    if (*end) return OK;
    if (size > r->count - r->at) return broken(r, "a message is longer than the rest of the file");
    Status status = steady(r, r->bytes + r->at, size, &about);
    r->at += size;
    return status ? status : take_message(r, (Flatbuffer){ (const uint8_t *)about, size }, r->bytes + r->at);
}

/* A file is messages between two marks, in whatever order, with an index of them behind. */
static Status enter_file(Reading *r) {
    Status status = OK;
    uint32_t footer = 0;
    const char *index;
    if (r->count < 8 || memcmp(r->bytes, "ARROW1", 6)) return OK;
    if (r->count < 18 || memcmp(r->bytes + r->count - 6, "ARROW1", 6)) return broken(r, "it does not end as a file does");
    memcpy(&footer, r->bytes + r->count - 10, 4);
    if (footer > r->count - 18) return broken(r, "its index is longer than it is itself");
    r->count -= 10 + (size_t)footer;
    TRY(steady(r, r->bytes + r->count, footer, &index));
    r->index = (Flatbuffer){ (const uint8_t *)index, footer };
    size_t root = flat_root(r->index), schema = root ? flat_table(r->index, root, 1) : 0;
    if (!schema) return broken(r, "its index cannot be read");
    r->at = 8;
    TRY(take_schema(r, r->index, schema));
    for (int i = 0; i < 2; i++) r->block[i] = flat_vector(r->index, root, 2 + i, 24, &r->blocks[i]);
done:
    return status;
}

/* The next message that the index lists, dictionaries first; each lies behind the one before, so that none is read twice. */
static Status next_listed(Reading *r, bool *end) {
    int64_t at = r->taken++;
    bool records = at >= r->blocks[0];
    *end = at >= r->blocks[0] + r->blocks[1];
    if (*end) return OK;
    if (records) at -= r->blocks[0];
    int64_t offset = flat_number(r->index, r->block[records] + 24 * (size_t)at, 8);
    if (!at) r->at = 8;
    if (offset < (int64_t)r->at || (uint64_t)offset > r->count) return broken(r, "its index points outside of it");
    r->at = (size_t)offset;
    Status status = next_message(r, end);
    return !status && *end ? broken(r, "its index points at no message") : status;
}

bool ipc_is(const char *bytes, size_t count) {
    return (count >= 8 && !memcmp(bytes, "ARROW1\0\0", 8)) || (count >= 8 && !memcmp(bytes, "\377\377\377\377", 4));
}

/* Messages until there are `batches` of records, or the end. */
static Status take_messages(Reading *r, int64_t batches, bool *end) {
    Status status = OK;
    while (!*end && r->batches < batches) { TRY((r->index.at ? next_listed : next_message)(r, end)); }
    if (*end && !r->field) TRY(broken(r, "it has no schema"));
done:
    return status;
}

static Reading reading_of(Work *work, const char *name, const Bytes *bytes) {
    return (Reading){ .work = work, .name = name, .bytes = bytes->count ? bytes->at : "", .count = bytes->count, .from = bytes };
}

Status ipc_read_bytes(Work *work, const char *name, const char *bytes, size_t count, Table **out) {
    return ipc_read_from(work, name, &(Bytes){ .at = bytes, .count = count }, out);
}

Status ipc_read_from(Work *work, const char *name, const Bytes *bytes, Table **out) {
    Status status = OK;
    bool end = false;
    Reading r = reading_of(work, name, bytes);
    TRY(enter_file(&r));
    TRY(take_messages(&r, INT64_MAX, &end));
    if (!r.batches) TRY(add_batch(&r, 0, NULL)); /* no records: the schema as a batch of none */
    TRY(tables_concatenate(work, name, r.batch, r.batches, out));
done:
    for (int64_t i = 0; i < r.batches; i++) table_release(r.batch[i]);
    return status;
}

/* ---- batch by batch ---- */

typedef struct Batches {
    Reading r;
    Bytes bytes;
    Work work;
    bool end;
} Batches;

static Status next_batch(void *self, Work *work, Table **out) {
    Batches *b = self;
    b->work.error = work->error;
    *out = NULL;
    Status status = take_messages(&b->r, 1, &b->end);
    if (bytes_unchanged(&b->bytes, b->r.name, work->error)) status = FAILED;
    if (!status && b->r.batches) *out = b->r.batch[0];
    else if (b->r.batches) table_release(b->r.batch[0]);
    b->r.batches = 0;
    return status;
}

static void close_batches(void *self) {
    Batches *b = self;
    bytes_close(&b->bytes);
}

Status ipc_chunks(Work *work, const char *path, const CsvOptions *options, int64_t rows, Chunks *out) {
    (void)options, (void)rows; /* batches are what the file cut */
    Status status = OK;
    Batches *b = NULL;
    NEW(work, b, 1);
    *b = (Batches){ .work = *work };
    TRY(bytes_open_by(work, path, &b->bytes));
    b->r = reading_of(&b->work, path, &b->bytes);
    TRY(enter_file(&b->r));
    *out = (Chunks){ b, next_batch, close_batches };
done:
    if (status && b) bytes_close(&b->bytes);
    return status;
}
