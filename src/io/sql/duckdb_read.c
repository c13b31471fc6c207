/* Reading through DuckDB: its library works in a child (duckdb_send.c), and what that sends fills one builder per column. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <strings.h>
#include "io/sql/duckdb.h"
#include "io/sql/row_builder.h"

enum { WAVE = 64 }; /* chunks (of 2,048 rows) that are taken together, each column by a thread of its own */

/* A chunk as it came: where each column's validity (0: all are valid) and cells begin. */
typedef struct Part {
    char *bytes;
    size_t count, room;
    size_t *valid, *cells;
    int64_t rows;
} Part;

typedef struct Reading {
    RowBuilder rows;
    HelperStream *stream;
    const char *at; /* of the block at hand */
    size_t left;
    int64_t expected;
    char **column;
    Type *type;
    bool *whole; /* decimals: integers where all are whole */
    bool *huge;  /* 128 bits: integers where all fit into 64 */
    Part part[WAVE];
    int64_t chunks;
} Reading;

/* ---- bytes ---- */

static Status broken(Work *work) { return fail(work->error, FAILED, "a library failed that was at work"); }

static Status get(Work *work, Reading *r, void *out, size_t count) {
    Status status = OK;
    char *to = out;
    while (count) {
        if (!r->left) TRY(helper_next(r->stream, work, &r->at, &r->left));
        if (!r->left) TRY(broken(work)); /* it ended too early */
        const size_t part = count < r->left ? count : r->left;
        memcpy(to, r->at, part);
        to += part;
        r->at += part;
        r->left -= part;
        count -= part;
    }
done:
    return status;
}

/* A number that must lie within what a child that works sends. */
static Status get_number(Work *work, Reading *r, int64_t most, int64_t *out) {
    Status status = get(work, r, out, sizeof *out);
    return status || (*out >= 0 && *out <= most) ? status : broken(work);
}

/* Room behind what a part holds, where anything may lie. */
static Status get_room(Work *work, Part *part, size_t count, size_t *place) {
    const size_t from = (part->count + 15) & ~(size_t)15;
    if (from + count > part->room) {
        const size_t room = 2 * (from + count);
        char *bytes = realloc(part->bytes, room);
        if (!bytes) return out_of_memory(work->error);
        part->bytes = bytes;
        part->room = room;
    }
    part->count = from + count;
    *place = from;
    return OK;
}

static Status get_bytes(Work *work, Reading *r, Part *part, size_t count, size_t *place) {
    Status status = get_room(work, part, count, place);
    return status ? status : get(work, r, part->bytes + *place, count);
}

static Status get_texts(Work *work, Reading *r, Part *part, size_t *place) {
    size_t all = 0, behind;
    Status status = get_bytes(work, r, part, (size_t)part->rows * sizeof(uint32_t), place);
    if (status) return status;
    for (int64_t i = 0; i < part->rows; i++) all += ((const uint32_t *)(part->bytes + *place))[i];
    return get_bytes(work, r, part, all, &behind);
}

static bool is_text(const Reading *r, int64_t column) { return duck_is_text(r->type[column], r->huge[column]); }

static Status get_column(Work *work, Reading *r, Part *part, int64_t column) {
    Status status = OK;
    int64_t some;
    TRY(get_number(work, r, 1, &some));
    part->valid[column] = SIZE_MAX;
    if (some) TRY(get_bytes(work, r, part, (size_t)(part->rows + 63) / 64 * sizeof(uint64_t), &part->valid[column]));
    if (is_text(r, column)) return get_texts(work, r, part, &part->cells[column]);
    const size_t size = duck_cell_size(r->type[column], r->huge[column]);
    TRY(get_bytes(work, r, part, (size_t)part->rows * size, &part->cells[column]));
done:
    return status;
}

/* The next chunk; `done` at the end. */
static Status get_chunk(Work *work, Reading *r, Part *part) {
    Status status = OK;
    part->count = 0;
    if (!part->valid) part->valid = malloc((size_t)r->rows.columns * sizeof *part->valid);
    if (!part->cells) part->cells = malloc((size_t)r->rows.columns * sizeof *part->cells);
    if (!part->valid || !part->cells) return out_of_memory(work->error);
    TRY(get_number(work, r, 1 << 24, &part->rows));
    for (int64_t j = 0; part->rows && j < r->rows.columns; j++) TRY(get_column(work, r, part, j));
    if (part->rows) return OK;
    r->rows.done = true;
    const char *bytes;
    size_t count;
    TRY(helper_next(r->stream, work, &bytes, &count)); /* its own end, and its status */
    if (count) TRY(broken(work));
done:
    return status;
}

static Status get_columns(Work *work, Reading *r) {
    Status status = OK;
    int64_t type, whole, huge, length;
    TRY(get_number(work, r, 1 << 24, &r->rows.columns));
    TRY(get_number(work, r, INT64_MAX, &r->expected));
    NEW(work, r->column, r->rows.columns + 1);
    NEW(work, r->type, r->rows.columns + 1);
    NEW(work, r->whole, r->rows.columns + 1);
    NEW(work, r->huge, r->rows.columns + 1);
    for (int64_t j = 0; j < r->rows.columns; j++) {
        TRY(get_number(work, r, DATETIME_TYPE, &type));
        TRY(get_number(work, r, 1, &whole));
        TRY(get_number(work, r, 1, &huge));
        TRY(get_number(work, r, 1 << 28, &length));
        NEW(work, r->column[j], length + 1);
        TRY(get(work, r, r->column[j], (size_t)length));
        r->type[j] = (Type)type;
        r->whole[j] = whole;
        r->huge[j] = huge;
    }
done:
    return status;
}

/* ---- chunks into builders ---- */

/* A NaN is missing, and is counted one by one. */
static bool no_nan(const double *at, uint64_t rows) {
    bool some = false;
    for (uint64_t i = 0; i < rows; i++) some |= at[i] != at[i];
    return !some;
}

/* DuckDB's infinite dates and moments are the largest numbers, of either sign. */
static bool infinite(const ColumnBuilder *build, const void *data, uint64_t row) {
    if (build->type == DATE_TYPE) return ((const int32_t *)data)[row] == INT32_MAX || ((const int32_t *)data)[row] == -INT32_MAX;
    return ((const int64_t *)data)[row] == INT64_MAX || ((const int64_t *)data)[row] == -INT64_MAX;
}

static bool put_times(ColumnBuilder *build, const void *data, const uint64_t *valid, uint64_t rows) {
    bool some = false, kept = true;
    for (uint64_t i = 0; i < rows; i++) some |= infinite(build, data, i);
    if (!some) return builder_many(build, data, valid, (int64_t)rows);
    for (uint64_t i = 0; i < rows && kept; i++) {
        if ((valid && !((valid[i >> 6] >> (i & 63)) & 1)) || infinite(build, data, i)) kept = builder_missing(build, MISSING_CODE_NONE);
        else if (build->type == DATE_TYPE) kept = builder_date(build, ((const int32_t *)data)[i]);
        else kept = builder_moment(build, ((const int64_t *)data)[i]);
    }
    return kept;
}

static bool put_huge(ColumnBuilder *build, const void *data, const uint64_t *valid, uint64_t rows) {
    bool kept = true;
    for (uint64_t i = 0; i < rows && kept; i++) {
        const DuckHuge *cell = (const DuckHuge *)data + i;
        if (valid && !((valid[i >> 6] >> (i & 63)) & 1)) kept = builder_missing(build, MISSING_CODE_NONE);
        else if (cell->upper == (cell->lower >> 63 ? -1 : 0)) kept = builder_number(build, (int64_t)cell->lower);
        else kept = builder_convert(build, REAL_TYPE) && builder_real(build, (double)(((__int128)cell->upper << 63) * 2 + cell->lower));
    }
    return kept;
}

static bool put_texts(ColumnBuilder *build, const char *cells, const uint64_t *valid, uint64_t rows) {
    const uint32_t *length = (const uint32_t *)(const void *)cells;
    const char *at = cells + ((rows * sizeof *length + 15) & ~(size_t)15);
    bool kept = true;
    for (uint64_t i = 0; i < rows && kept; at += length[i++]) {
        if (valid && !((valid[i >> 6] >> (i & 63)) & 1)) kept = builder_missing(build, MISSING_CODE_NONE);
        else kept = builder_text(build, at, length[i]);
    }
    return kept;
}

static bool put_cells(ColumnBuilder *build, const char *cells, const uint64_t *valid, uint64_t rows) {
    const void *data = cells;
    bool kept = true;
    if (build->type == TEXT_TYPE) return put_texts(build, cells, valid, rows);
    if (build->type == DATE_TYPE || build->type == DATETIME_TYPE) return put_times(build, data, valid, rows);
    if (build->type == INTEGER_TYPE || no_nan(data, rows)) return builder_many(build, data, valid, (int64_t)rows);
    for (uint64_t i = 0; i < rows && kept; i++)
        kept = valid && !((valid[i >> 6] >> (i & 63)) & 1) ? builder_missing(build, MISSING_CODE_NONE)
                                                           : builder_real(build, ((const double *)data)[i]);
    return kept;
}

static Status take_column(void *self, int64_t column, int64_t first, int64_t last, Error *error) {
    (void)first, (void)last;
    const Reading *r = self;
    bool kept = true;
    for (int64_t c = 0; c < r->chunks && kept; c++) {
        const Part *part = &r->part[c];
        const uint64_t *valid = part->valid[column] == SIZE_MAX ? NULL : (const void *)(part->bytes + part->valid[column]);
        const char *cells = part->bytes + part->cells[column];
        if (r->huge[column]) kept = put_huge(&r->rows.build[column], cells, valid, (uint64_t)part->rows);
        else kept = put_cells(&r->rows.build[column], cells, valid, (uint64_t)part->rows);
    }
    return kept ? OK : out_of_memory(error);
}

/* Up to a wave of chunks; none are left where fewer come. */
static Status fetch(Work *work, Reading *r, int64_t *rows) {
    Status status = OK;
    r->chunks = 0;
    while (r->chunks < WAVE && *rows < r->rows.limit && !r->rows.done) {
        TRY(get_chunk(work, r, &r->part[r->chunks]));
        if (r->rows.done) break;
        *rows += r->part[r->chunks++].rows;
    }
done:
    return status;
}

static Status open_column(void *self, Work *work, int64_t column) {
    Reading *r = self;
    Status status = builder_open(&r->rows.build[column], r->column[column], r->type[column], r->expected, work->error);
    r->rows.build[column].whole = r->whole[column];
    return status;
}

static Status take_rows(void *self, Work *work, int64_t *rows) {
    Status status = OK;
    Reading *r = self;
    while (!r->rows.done && *rows < r->rows.limit) {
        TRY(fetch(work, r, rows));
        TRY(parallel_for(work, r->rows.columns, 1, take_column, r));
        TRY(work_check(work));
    }
done:
    if (status && status != INTERRUPTED && work->error) (error_file)(work->error, r->rows.name);
    return status;
}

static void close_reading(void *self) {
    Reading *r = self;
    helper_close(r->stream);
    r->stream = NULL;
    for (int i = 0; i < WAVE; i++) {
        free(r->part[i].bytes);
        free(r->part[i].valid);
        free(r->part[i].cells);
        r->part[i] = (Part){ 0 };
    }
}

/* ---- which query ---- */

/* JSON lines without a line have no columns either; DuckDB would make one up. */
static Status refuse_empty(Work *work, const char *path) {
    struct stat about;
    if (stat(path, &about) || !S_ISREG(about.st_mode) || about.st_size) return OK;
    fail(work->error, BAD, "is empty: there are no records, and no columns");
    return error_file(work->error, path);
}

/* FILE.parquet; duckdb:FILE, also globs and addresses; duckdb:BASE#TABLE; duckdb:BASE?query=…, with BASE left out for files. */
static Status find_select(Work *work, const char *name, const char **base, const char **select) {
    Status status = OK;
    bool prefixed = !strncasecmp(name, "duckdb:", 7);
    const char *after = prefixed ? name + 7 : name, *file;
    *base = NULL;
    if (prefixed && (strstr(after, "?query=") || strchr(after, '#'))) {
        TableName source;
        TRY(table_name_parse(work, name, after, false, &source));
        TRY(table_name_select(work, &source, select));
        if (*source.where) *base = source.where;
        return OK;
    }
    TRY(refuse_empty(work, after));
    if (!(file = duck_literal(work, after)) || !(*select = arena_print(work->arena, "from %s", file))) TRY(out_of_memory(work->error));
done:
    return status;
}

Status duck_chunks(Work *work, const char *name, const CsvOptions *options, int64_t rows, Chunks *out) {
    (void)options;
    Status status = OK;
    DuckQuery query = { .work = work, .name = name, .all = rows_limit(rows) == INT64_MAX };
    Reading *r = NULL;
    NEW(work, r, 1);
    *r = (Reading){ .rows = { .name = name, .limit = rows_limit(rows), .open = open_column, .take = take_rows } };
    TRY(find_select(work, name, &query.base, &query.select));
    TRY(helper_open(work, duck_send, &query, &r->stream));
    TRY(get_columns(work, r));
    *out = (Chunks){ r, row_builder_next, close_reading };
done:
    if (status && r) close_reading(r);
    if (status && status != INTERRUPTED && work->error && !*work->error->file) (error_file)(work->error, name);
    return status;
}

Status duck_read(Work *work, const char *name, const CsvOptions *options, Table **out) {
    return row_builder_whole(work, name, options, duck_chunks, out);
}
