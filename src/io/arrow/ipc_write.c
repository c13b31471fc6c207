/* Writing Arrow files and streams: a schema, each category's words, then records in batches. The bytes are the table's own; only metadata
 * is made. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/file.h"
#include "io/arrow/arrow.h"
#include "io/arrow/flatbuffers.h"
#include "io/format.h"
#include "io/arrow/ipc.h"
#include "table/table.h"

enum { BATCH = 1 << 18, LANE = 64 }; /* rows of a batch: a multiple of 64, so that bitmaps can be cut; bytes to which buffers are aligned */

typedef struct Place {
    int64_t offset, body;
    int32_t metadata;
} Place;
typedef struct Places {
    Place *at;
    int64_t count, room;
} Places;
typedef struct Writing {
    Work *work;
    Arena *kept; /* of what is known to the end: where the messages stand */
    Output *output;
    bool file;
    int64_t written;
    Places dictionaries, records;
    struct ArrowSchema schema;
    struct ArrowArray array;
} Writing;

/* A buffer of the message that is being made. */
typedef struct Piece {
    const void *at;
    int64_t bytes;
} Piece;
typedef struct Pieces {
    Piece *at;
    int64_t count, room, nodes, node_room;
    int64_t (*node)[2];
    void **own;
    int64_t owned, own_room;
} Pieces;

static int64_t padded(int64_t bytes) { return (bytes + LANE - 1) / LANE * LANE; }

static Status put(Writing *w, const void *bytes, int64_t count) {
    static const char zeros[LANE];
    Status status = count ? output_write(w->output, bytes, (size_t)count, w->work->error) : OK;
    int64_t rest = (8 - (count & 7)) & 7;
    if (!status && rest) status = output_write(w->output, zeros, (size_t)rest, w->work->error);
    w->written += count + rest;
    return status;
}

/* ---- the schema ---- */

static void put_type(Buffer *out, size_t from, const char *format) {
    FlatbufferSlot slots[2] = { { 0 } };
    int count = 0;
    if (!strcmp(format, "l") || !strcmp(format, "i")) {
        slots[0] = (FlatbufferSlot){ 4, *format == 'l' ? 64 : 32, 0 };
        slots[1] = (FlatbufferSlot){ 1, 1, 0 };
        count = 2;
    } else if (!strcmp(format, "g")) {
        slots[0] = (FlatbufferSlot){ 2, 2, 0 };
        count = 1;
    } else if (!strcmp(format, "tdD")) {
        slots[0] = (FlatbufferSlot){ 2, 0, 0 };
        count = 1;
    } else if (!strncmp(format, "tsu", 3)) {
        slots[0] = (FlatbufferSlot){ 2, 2, 0 };
        count = 1;
    }
    flat_put_table(out, from, slots, count);
}

static int type_of(const char *format) {
    if (!strcmp(format, "l") || !strcmp(format, "i")) return IPC_INT;
    if (!strcmp(format, "g")) return IPC_FLOAT;
    return !strcmp(format, "tdD") ? IPC_DATE : !strncmp(format, "tsu", 3) ? IPC_TIMESTAMP : IPC_LARGE_UTF8;
}

static void put_field(Buffer *out, size_t from, const struct ArrowSchema *field, int64_t id) {
    const char *format = field->dictionary ? field->dictionary->format : field->format;
    FlatbufferSlot slots[6] = { { FLAT_REFERENCE, 0, 0 },
                                { 1, 1, 0 },
                                { 1, type_of(format), 0 },
                                { FLAT_REFERENCE, 0, 0 },
                                { field->dictionary ? FLAT_REFERENCE : 0, 0, 0 },
                                { FLAT_REFERENCE, 0, 0 } };
    flat_put_table(out, from, slots, 6);
    flat_put_text(out, slots[0].at, field->name);
    put_type(out, slots[3].at, format);
    flat_put_vector(out, slots[5].at, 0, 4, 4);
    if (!field->dictionary) return;
    FlatbufferSlot encoding[3] = { { 8, id, 0 }, { FLAT_REFERENCE, 0, 0 }, { 1, (field->flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0, 0 } };
    flat_put_table(out, slots[4].at, encoding, 3);
    put_type(out, encoding[1].at, field->format);
}

static void put_schema(const Writing *w, Buffer *out, size_t from) {
    FlatbufferSlot slots[2] = { { 2, 0, 0 }, { FLAT_REFERENCE, 0, 0 } };
    flat_put_table(out, from, slots, 2);
    size_t items = flat_put_vector(out, slots[1].at, w->schema.n_children, 4, 4);
    for (int64_t i = 0; i < w->schema.n_children; i++) put_field(out, items + 4 * (size_t)i, w->schema.children[i], i);
}

/* ---- messages ---- */

/* Where the header of the message goes. */
static size_t begin_message(Buffer *out, int kind, int64_t body) {
    FlatbufferSlot slots[4] = { { 2, IPC_VERSION, 0 }, { 1, kind, 0 }, { FLAT_REFERENCE, 0, 0 }, { 8, body, 0 } };
    flat_put_table(out, flat_put_root(out), slots, 4);
    return slots[2].at;
}

static Status send_metadata(Writing *w, Buffer *metadata, Place *block) {
    Status status = OK;
    while (metadata->count & 7) buffer_char(metadata, 0);
    if (metadata->failed) return out_of_memory(w->work->error);
    uint32_t head[2] = { UINT32_MAX, (uint32_t)metadata->count };
    *block = (Place){ .offset = w->written, .metadata = (int32_t)(8 + metadata->count) };
    TRY(put(w, head, 8));
    TRY(put(w, metadata->bytes, (int64_t)metadata->count));
done:
    return status;
}

static Status write_schema(Writing *w) {
    Buffer metadata = { 0 };
    Place block;
    put_schema(w, &metadata, begin_message(&metadata, IPC_SCHEMA, 0));
    Status status = send_metadata(w, &metadata, &block);
    buffer_free(&metadata);
    return status;
}

/* ---- buffers of one batch ---- */

static Status add_piece(Writing *w, Pieces *p, const void *at, int64_t bytes) {
    Status status = OK;
    GROW(w->work, p->at, p->room, p->count + 1);
    p->at[p->count++] = (Piece){ at, bytes };
done:
    return status;
}

/* Offsets of texts from row `first` on, counted from there. */
static Status rebased(Writing *w, Pieces *p, const int64_t *offsets, int64_t rows, const int64_t **out) {
    Status status = OK;
    int64_t *own = malloc((size_t)(rows + 1) * 8);
    if (!own) return out_of_memory(w->work->error);
    for (int64_t i = 0; i <= rows; i++) own[i] = offsets[i] - offsets[0];
    GROW(w->work, p->own, p->own_room, p->owned + 1);
    p->own[p->owned++] = own;
    *out = own;
    own = NULL;
done:
    free(own);
    return status;
}

static int64_t absent_in(const uint64_t *valid, int64_t first, int64_t rows) {
    int64_t count = 0;
    for (int64_t i = first; valid && i < first + rows; i++) count += !((valid[i >> 6] >> (i & 63)) & 1);
    return count;
}

/* A node, the bitmap, and the values of rows [first, first + rows). */
static Status add_array(Writing *w, Pieces *p, const char *format, const struct ArrowArray *array, int64_t first, int64_t rows) {
    Status status = OK;
    const uint64_t *valid = array->buffers[0];
    int64_t missing = absent_in(valid, first, rows), width = !strcmp(format, "i") || !strcmp(format, "tdD") ? 4 : 8;
    GROW(w->work, p->node, p->node_room, p->nodes + 1);
    p->node[p->nodes][0] = rows;
    p->node[p->nodes++][1] = missing;
    TRY(add_piece(w, p, missing ? (const char *)valid + first / 8 : NULL, missing ? (rows + 7) / 8 : 0));
    const char *values = array->buffers[1];
    if (format[0] != 'U') {
        TRY(add_piece(w, p, values + first * width, rows * width));
        goto done;
    }
    const int64_t *offsets = (const int64_t *)(const void *)values + first, *own = offsets;
    int64_t begin = offsets[0], bytes = offsets[rows] - begin;
    if (begin) TRY(rebased(w, p, offsets, rows, &own));
    TRY(add_piece(w, p, own, (rows + 1) * 8));
    TRY(add_piece(w, p, (const char *)array->buffers[2] + begin, bytes));
done:
    return status;
}

static void put_records(Buffer *out, size_t from, const Pieces *p, int64_t rows) {
    FlatbufferSlot slots[3] = { { 8, rows, 0 }, { FLAT_REFERENCE, 0, 0 }, { FLAT_REFERENCE, 0, 0 } };
    int64_t offset = 0;
    flat_put_table(out, from, slots, 3);
    size_t nodes = flat_put_vector(out, slots[1].at, p->nodes, 16, 8);
    for (int64_t i = 0; i < p->nodes; i++) {
        flat_set(out, nodes + 16 * (size_t)i, p->node[i][0], 8);
        flat_set(out, nodes + 16 * (size_t)i + 8, p->node[i][1], 8);
    }
    size_t buffers = flat_put_vector(out, slots[2].at, p->count, 16, 8);
    for (int64_t i = 0; i < p->count; i++) {
        flat_set(out, buffers + 16 * (size_t)i, offset, 8);
        flat_set(out, buffers + 16 * (size_t)i + 8, p->at[i].bytes, 8);
        offset += padded(p->at[i].bytes);
    }
}

static Status note_block(Writing *w, Places *blocks, Place block) {
    Status status = OK;
    Work kept = *w->work;
    kept.arena = w->kept;
    GROW(&kept, blocks->at, blocks->room, blocks->count + 1);
    blocks->at[blocks->count++] = block;
done:
    return status;
}

/* The message of these pieces; `id` is the dictionary's, or -1 for records. */
static Status send_pieces(Writing *w, const Pieces *p, int64_t rows, int64_t id) {
    Status status = OK;
    static const char zeros[LANE];
    Buffer metadata = { 0 };
    Place block;
    int64_t body = 0;
    for (int64_t i = 0; i < p->count; i++) body += padded(p->at[i].bytes);
    size_t from = begin_message(&metadata, id < 0 ? IPC_RECORDS : IPC_DICTIONARY, body);
    if (id >= 0) {
        FlatbufferSlot slots[2] = { { 8, id, 0 }, { FLAT_REFERENCE, 0, 0 } };
        flat_put_table(&metadata, from, slots, 2);
        from = slots[1].at;
    }
    put_records(&metadata, from, p, rows);
    TRY(send_metadata(w, &metadata, &block));
    block.body = body;
    for (int64_t i = 0; i < p->count; i++) {
        TRY(put(w, p->at[i].at, p->at[i].bytes));
        int64_t there = (p->at[i].bytes + 7) / 8 * 8;
        TRY(put(w, zeros, padded(p->at[i].bytes) - there));
    }
    TRY(note_block(w, id < 0 ? &w->records : &w->dictionaries, block));
done:
    buffer_free(&metadata);
    return status;
}

static void pieces_free(Pieces *p) {
    for (int64_t i = 0; i < p->owned; i++) free(p->own[i]);
    p->owned = p->count = p->nodes = 0;
}

static Status write_dictionaries(Writing *w) {
    Status status = OK;
    Pieces p = { 0 };
    for (int64_t i = 0; i < w->array.n_children; i++) {
        const struct ArrowArray *words = w->array.children[i]->dictionary;
        if (!words) continue;
        pieces_free(&p);
        TRY(add_array(w, &p, w->schema.children[i]->dictionary->format, words, 0, words->length));
        TRY(send_pieces(w, &p, words->length, i));
    }
done:
    pieces_free(&p);
    return status;
}

static Status write_batches(Writing *w) {
    Status status = OK;
    Pieces p = { 0 };
    for (int64_t first = 0; first < w->array.length; first += BATCH) {
        int64_t rows = w->array.length - first < BATCH ? w->array.length - first : BATCH;
        pieces_free(&p);
        for (int64_t i = 0; i < w->array.n_children; i++)
            TRY(add_array(w, &p, w->schema.children[i]->format, w->array.children[i], first, rows));
        TRY(send_pieces(w, &p, rows, -1));
        work_show(w->work, "writing", (double)first / (double)w->array.length);
        TRY(work_check(w->work));
    }
done:
    pieces_free(&p);
    return status;
}

/* ---- the whole file ---- */

static void put_blocks(Buffer *out, size_t from, const Places *blocks) {
    size_t at = flat_put_vector(out, from, blocks->count, 24, 8);
    for (int64_t i = 0; i < blocks->count; i++, at += 24) {
        flat_set(out, at, blocks->at[i].offset, 8);
        flat_set(out, at + 8, blocks->at[i].metadata, 4);
        flat_set(out, at + 16, blocks->at[i].body, 8);
    }
}

static Status write_footer(Writing *w) {
    Status status = OK;
    Buffer footer = { 0 };
    FlatbufferSlot slots[4] = { { 2, IPC_VERSION, 0 }, { FLAT_REFERENCE, 0, 0 }, { FLAT_REFERENCE, 0, 0 }, { FLAT_REFERENCE, 0, 0 } };
    flat_put_table(&footer, flat_put_root(&footer), slots, 4);
    put_schema(w, &footer, slots[1].at);
    put_blocks(&footer, slots[2].at, &w->dictionaries);
    put_blocks(&footer, slots[3].at, &w->records);
    uint32_t size = (uint32_t)footer.count;
    buffer_add(&footer, (const char *)&size, 4);
    buffer_add(&footer, "ARROW1", 6);
    status = footer.failed ? out_of_memory(w->work->error) : output_write(w->output, footer.bytes, footer.count, w->work->error);
    buffer_free(&footer);
    return status;
}

static Status write_begin(Writing *w) {
    Status status = w->file ? put(w, "ARROW1\0\0", 8) : OK;
    return status ? status : write_schema(w);
}

static Status write_end(Writing *w) {
    static const uint32_t end[2] = { UINT32_MAX, 0 };
    Status status = put(w, end, 8);
    return status || !w->file ? status : write_footer(w);
}

static Status write_all(Writing *w) {
    Status status = OK;
    TRY(write_begin(w));
    TRY(write_dictionaries(w));
    TRY(write_batches(w));
    TRY(write_end(w));
done:
    return status;
}

static bool is_stream(const char *path) {
    size_t length = strlen(path);
    return length > 7 && !strcasecmp(path + length - 7, ".arrows");
}

static Status ipc_write(Work *work, const Table *table, const char *path, const CsvOptions *options) {
    (void)options;
    Status status = OK;
    Writing w = { .work = work, .kept = work->arena, .file = !is_stream(path) };
    TRY(arrow_export(table, &w.schema, &w.array, work->error));
    TRY(output_open(path, false, &w.output, work->error));
    TRY(write_all(&w));
    Output *whole = w.output;
    w.output = NULL;
    TRY(output_commit(whole, work->error));
done:
    output_abandon(w.output);
    if (w.schema.release) w.schema.release(&w.schema);
    if (w.array.release) w.array.release(&w.array);
    return status;
}

/* ---- part by part ---- */

struct IpcSheet {
    Writing writing;
    char *path;
    int64_t columns; /* 0 until the first part */
    Type *type;      /* of each: whole numbers until a part has others */
    bool begun, again;
};

static Status begin_output(IpcSheet *sheet, Error *error) {
    Writing *w = &sheet->writing;
    if (!(w->kept = arena_new())) return out_of_memory(error);
    w->file = !is_stream(sheet->path);
    return output_open(sheet->path, false, &w->output, error);
}

static void drop_output(IpcSheet *sheet) {
    Writing *w = &sheet->writing;
    output_abandon(w->output);
    if (w->schema.release) w->schema.release(&w->schema);
    arena_free(w->kept);
    *w = (Writing){ 0 };
}

Status ipc_sheet_open(Work *work, const char *path, IpcSheet **out) {
    Status status = OK;
    IpcSheet *sheet = calloc(1, sizeof *sheet);
    if (!sheet || !(sheet->path = strdup(path))) TRY(out_of_memory(work->error));
    TRY(begin_output(sheet, work->error));
    *out = sheet;
    sheet = NULL;
done:
    ipc_sheet_abandon(sheet);
    return status;
}

void ipc_sheet_abandon(IpcSheet *sheet) {
    if (!sheet) return;
    drop_output(sheet);
    free(sheet->type);
    free(sheet->path);
    free(sheet);
}

/* A category's words in the place of its codes: which words there will be is not known before the last part. */
static Status words_as_text(Work *work, const Column *column, Column **out) {
    Status status = OK;
    const char **cell = NULL;
    NEW(work, cell, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) cell[i] = column_missing(column, i) ? NULL : column->words->word[column->code[i]];
    TRY(column_text(column->name, cell, column->rows, out, work->error));
done:
    return status;
}

static Status whole_as_real(Work *work, const Column *column, Column **out) {
    Status status = OK;
    TRY(column_new(REAL_TYPE, column->name, column->rows, out, work->error));
    if (column->missing) TRY(column_need_valid(*out, work->error));
    for (int64_t i = 0; i < column->rows; i++) {
        if (column_missing(column, i)) column_set_missing(*out, i);
        else (*out)->real[i] = (double)column_integer(column, i);
    }
    column_seal(*out);
done:
    return status;
}

/* A part may hold whole numbers where another has reals (no cell of it was changed): the column is real then, in all of them. */
static Status note_types(IpcSheet *sheet, const Table *part, Error *error) {
    if (!sheet->type) {
        sheet->type = calloc((size_t)part->columns + 1, sizeof *sheet->type);
        if (!sheet->type) return out_of_memory(error);
        sheet->columns = part->columns;
        for (int64_t j = 0; j < part->columns; j++) sheet->type[j] = plain_type(part->column[j]->type);
    }
    bool same = part->columns == sheet->columns;
    for (int64_t j = 0; same && j < part->columns; j++) {
        Type type = plain_type(part->column[j]->type);
        if (sheet->type[j] == INTEGER_TYPE && type == REAL_TYPE) {
            sheet->type[j] = REAL_TYPE;
            sheet->again = true;
        }
        same = type == sheet->type[j] || (type == INTEGER_TYPE && sheet->type[j] == REAL_TYPE);
    }
    return same ? OK : fail(error, FAILED, "the parts of a table have different columns, or columns of different types");
}

/* The part with every column of the type that all have. */
static Status of_one_type(IpcSheet *sheet, Work *work, const Table *part, Table **out) {
    Status status = OK;
    Column **made = NULL;
    int64_t count = 0;
    NEW(work, made, part->columns + 1);
    for (int64_t j = 0; j < part->columns; j++) {
        const Column *column = part->column[j];
        if (column->type == CATEGORY_TYPE) TRY(words_as_text(work, column, &made[count++]));
        else if (column->type != TEXT_TYPE && column->type != sheet->type[j]) TRY(whole_as_real(work, column, &made[count++]));
    }
    TRY(table_with(part, made, count, out, work->error));
done:
    for (int64_t j = 0; made && j < count; j++) column_release(made[j]);
    return status;
}

/* The first part's schema is that of all. */
static Status begin_once(IpcSheet *sheet, struct ArrowSchema *schema) {
    if (sheet->begun) return OK;
    sheet->begun = true;
    sheet->writing.schema = *schema;
    schema->release = NULL;
    return write_begin(&sheet->writing);
}

Status ipc_sheet_add(IpcSheet *sheet, Work *work, const Table *part) {
    Status status = note_types(sheet, part, work->error);
    Writing *w = &sheet->writing;
    Work own = *work;
    Table *plain = NULL;
    struct ArrowSchema schema = { 0 };
    if (status || sheet->again) return status;
    if (!(own.arena = arena_new())) return out_of_memory(work->error);
    w->work = &own;
    TRY(of_one_type(sheet, &own, part, &plain));
    TRY(arrow_export(plain, &schema, &w->array, work->error));
    TRY(begin_once(sheet, &schema));
    TRY(write_batches(w));
done:
    if (schema.release) schema.release(&schema);
    if (w->array.release) w->array.release(&w->array);
    w->array = (struct ArrowArray){ 0 };
    table_release(plain);
    arena_free(own.arena);
    return status;
}

bool ipc_sheet_again(const IpcSheet *sheet) { return sheet->again; }

Status ipc_sheet_rewind(IpcSheet *sheet, Work *work) {
    drop_output(sheet);
    sheet->again = sheet->begun = false;
    return begin_output(sheet, work->error);
}

Status ipc_sheet_commit(IpcSheet *sheet, Work *work) {
    Status status = OK;
    sheet->writing.work = work;
    TRY(write_end(&sheet->writing));
    Output *whole = sheet->writing.output;
    sheet->writing.output = NULL;
    TRY(output_commit(whole, work->error));
done:
    ipc_sheet_abandon(sheet);
    return status;
}

static Status ipc_read(Work *work, const char *path, const CsvOptions *options, Table **out) {
    (void)options;
    Bytes bytes;
    Status status = bytes_open_by(work, path, &bytes);
    if (status) return status;
    return format_read_end(work, path, &bytes, ipc_read_from(work, path, &bytes, out), out);
}

const Format format_arrow = { .name = "Arrow",
                              .suffixes = (const char *const[]){ ".arrow", ".arrows", ".feather", NULL },
                              .holds = HOLDS_ORDER,
                              .read = ipc_read,
                              .write = ipc_write,
                              .chunks = ipc_chunks };
