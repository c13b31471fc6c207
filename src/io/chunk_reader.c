/* Parts of a table: CSV by its own reader, other formats by theirs where they have one. */
#include "io/chunk_reader.h"
#include <stdlib.h>
#include <string.h>
#include "io/csv/chunks.h"
#include "io/format.h"
#include "io/chunk_types.h"
#include "io/open.h"
#include "io/reading_rules.h"

struct ChunkReader {
    char *path;
    CsvOptions options;
    int64_t rows, next_row;
    CsvChunks *csv;
    const Format *format; /* where it is not CSV */
    Chunks chunks;
    ChunkTypes joined; /* the types of all chunks: each may have its own */
    Arena *arena;      /* of the chunks */
    ReadingRules rules;
    Arena *of_rules;
    bool open;
    bool told;    /* a part was given: a table without records gives one, of its columns */
    Table *marks; /* of the first part: what the manifest says */
};

static Status open_chunks(ChunkReader *p, Work *work) {
    Work own = *work;
    arena_free(p->arena);
    if (!(p->arena = arena_new())) return out_of_memory(work->error);
    own.arena = p->arena;
    Status status = p->format->chunks(&own, p->path, &p->options, p->rows, &p->chunks);
    p->open = !status;
    return status;
}

static Status whole_only(const char *path, Error *error) {
    fail(error, BAD, "is not read in parts");
    error_advice(error, "CSV (also .gz and .zst), Arrow and databases are; scrim convert makes one of the other.");
    return error_file(error, path);
}

static void close_chunks(ChunkReader *p) {
    if (p->open) p->chunks.close(p->chunks.self);
    p->open = false;
}

/* Once through, for the types that follow from all of it. */
static Status join_types(ChunkReader *p, Work *work) {
    Status status = OK;
    Table *part = NULL;
    TRY(open_chunks(p, work));
    for (;;) {
        TRY(work_check(work));
        TRY(p->chunks.next(p->chunks.self, work, &part));
        if (!part) break;
        TRY(chunk_types_add(&p->joined, part, work->error));
        table_release(part);
        part = NULL;
    }
    close_chunks(p);
    TRY(open_chunks(p, work));
done:
    table_release(part);
    return status;
}

static Status next_chunk(ChunkReader *p, Work *work, Table **out) {
    Table *raw = NULL;
    Work own = *work;
    Status status = p->chunks.next(p->chunks.self, work, &raw);
    if (status || !raw) return status;
    if (!(own.arena = arena_new())) status = out_of_memory(work->error);
    else status = chunk_types_part(&p->joined, &own, raw, out);
    if (status) error_file(work->error, p->path);
    arena_free(own.arena);
    table_release(raw);
    return status;
}

Status chunk_reader_open(Work *work, const char *path, const CsvOptions *options, size_t bytes, int64_t rows, ChunkReader **out) {
    Status status = OK;
    const Format *format;
    ChunkReader *p = calloc(1, sizeof *p);
    if (!p || !(p->path = strdup(path))) TRY(out_of_memory(work->error));
    Work own = *work;
    if (!(own.arena = p->of_rules = arena_new())) TRY(out_of_memory(work->error));
    p->rows = rows ? rows : (int64_t)(bytes / 64 + 1);
    TRY(table_format(path, &format, work->error));
    TRY(reading_rules_make(&own, options, format == &format_csv, &p->options, &p->rules));
    if (format == &format_csv) TRY(csv_chunks_open(work, path, options ? &p->options : NULL, bytes, rows, &p->csv));
    else if (!format->chunks) TRY(whole_only(path, work->error));
    else {
        p->format = format;
        TRY(join_types(p, work));
    }
    *out = p;
    p = NULL;
done:
    chunk_reader_close(p);
    return status;
}

void chunk_reader_close(ChunkReader *p) {
    if (!p) return;
    csv_chunks_close(p->csv);
    close_chunks(p);
    chunk_types_free(&p->joined);
    arena_free(p->arena);
    arena_free(p->of_rules);
    table_release(p->marks);
    free(p->path);
    free(p);
}

/* The manifest is read once, with the first part; the others are of the same table. */
static Status mark_part(ChunkReader *p, Work *work, Table *part) {
    if (!p->marks) {
        Status status = p->csv || !table_in_database(p->path) ? table_marks(work, p->path, part) : OK;
        if (!status) p->marks = table_retain(part);
        return status;
    }
    part->perturbed = p->marks->perturbed;
    part->released = p->marks->released;
    part->reordered = p->marks->reordered;
    for (int64_t j = 0; j < part->columns; j++) part->altered[j] = table_altered(p->marks, part->column[j]->name);
    return OK;
}

/* What the user says of single columns, part by part. */
static Status apply_rules(ChunkReader *p, Work *work, Table **part) {
    Table *ruled = NULL;
    Work own = *work;
    if (!p->rules.missings && !p->rules.types) return OK;
    if (!(own.arena = arena_new())) return out_of_memory(work->error);
    Status status = reading_rules_apply(&own, &p->rules, *part, &ruled);
    arena_free(own.arena);
    if (status) return error_file(work->error, p->path), status;
    table_release(*part);
    *part = ruled;
    return OK;
}

Status chunk_reader_next(ChunkReader *p, Work *work, Table **out, int64_t *first_row) {
    Status status = OK;
    *out = NULL;
    *first_row = p->next_row;
    Table *none = NULL;
    do {
        table_release(none);
        none = *out; /* an empty batch says nothing beside others */
        *out = NULL;
        TRY(p->csv ? csv_chunks_next(p->csv, work, out) : next_chunk(p, work, out));
    } while (*out && !(*out)->rows);
    if (!*out && !p->told && !chunk_reader_again(p)) {
        *out = none;
        none = NULL;
    }
    if (!*out) goto done;
    p->told = true;
    TRY(apply_rules(p, work, out));
    free((*out)->name);
    (*out)->name = strdup(p->path);
    TRY(mark_part(p, work, *out));
    p->next_row += (*out)->rows;
done:
    table_release(none);
    if (status) {
        table_release(*out);
        *out = NULL;
    }
    return status;
}

bool chunk_reader_again(const ChunkReader *p) { return p->csv && csv_chunks_again(p->csv); }
double chunk_reader_share(const ChunkReader *p) { return p->csv ? csv_chunks_share(p->csv) : 0; }

Status chunk_reader_rewind(ChunkReader *p, Work *work) {
    p->next_row = 0;
    p->told = false;
    if (p->csv) return csv_chunks_rewind(p->csv, work->error);
    close_chunks(p);
    return open_chunks(p, work);
}
