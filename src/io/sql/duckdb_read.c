/* Reading through DuckDB: a query is described, its columns cast to the few types that a table has, and its chunks fetched as they come. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <strings.h>
#include "io/sql/duckdb.h"
#include "io/sql/row_builder.h"

enum { WAVE = 64 }; /* chunks (of 2,048 rows) that are taken together, each column by a thread of its own */

typedef struct Reading {
    RowBuilder rows;
    DuckBase base;
    void *prepared;
    DuckResult result;
    bool open;
    int64_t expected;
    char **column;
    Type *type;
    bool *whole; /* decimals: integers where all are whole */
    bool *huge;  /* 128 bits: integers where all fit into 64 */
    void *chunk[WAVE];
    int64_t chunks;
} Reading;

/* ---- what the query gives ---- */

static Status plain_text(Work *work, void *data, uint64_t row, char **out) {
    const DuckText *text = (const DuckText *)data + row;
    uint32_t length = text->near.length;
    *out = arena_print(work->arena, "%.*s", (int)length, length <= 12 ? text->near.at : text->far.at);
    return *out ? OK : fail(work->error, FAILED, "out of memory");
}

static Type type_of(const char *said, bool *whole) {
    static const char *const integers[] = { "BIGINT",    "INTEGER",  "SMALLINT", "TINYINT", "UBIGINT", "UINTEGER",
                                            "USMALLINT", "UTINYINT", "BOOLEAN",  "HUGEINT", NULL };
    *whole = !strncmp(said, "DECIMAL", 7) || !strcmp(said, "UHUGEINT");
    for (int i = 0; integers[i]; i++)
        if (!strcmp(said, integers[i])) return INTEGER_TYPE;
    if (*whole || !strcmp(said, "DOUBLE") || !strcmp(said, "FLOAT")) return REAL_TYPE;
    if (!strcmp(said, "DATE")) return DATE_TYPE;
    return strncmp(said, "TIMESTAMP", 9) ? TEXT_TYPE : DATETIME_TYPE;
}

static Status take_description(Work *work, Reading *r, DuckResult *result) {
    Status status = OK;
    const Duck *duck = r->base.duck;
    int64_t names = 0, types = 0, flags = 0, sizes = 0;
    for (void *chunk; (chunk = duck->fetch_chunk(*result)) && !status; duck->destroy_data_chunk(&chunk)) {
        uint64_t rows = duck->data_chunk_get_size(chunk);
        void *name = duck->vector_get_data(duck->data_chunk_get_vector(chunk, 0)),
             *said = duck->vector_get_data(duck->data_chunk_get_vector(chunk, 1));
        for (uint64_t i = 0; i < rows && !status; i++) {
            char *type = NULL;
            if (!(status = work_grow(work, sizeof *r->column, &r->column, &names, r->rows.columns + 1)) &&
                !(status = work_grow(work, sizeof *r->type, &r->type, &types, r->rows.columns + 1)) &&
                !(status = work_grow(work, sizeof *r->whole, &r->whole, &flags, r->rows.columns + 1)) &&
                !(status = work_grow(work, sizeof *r->huge, &r->huge, &sizes, r->rows.columns + 1)) &&
                !(status = plain_text(work, name, i, &r->column[r->rows.columns])))
                status = plain_text(work, said, i, &type);
            if (!status) r->type[r->rows.columns] = type_of(type, &r->whole[r->rows.columns]);
            if (!status) r->huge[r->rows.columns] = !strcmp(type, "HUGEINT");
            r->rows.columns += !status;
        }
    }
    return status;
}

/* Prepared, because only one statement can be: what a name holds behind its query must not be run. */
static Status run(Work *work, const DuckBase *base, const char *sql, void **prepared, DuckResult *result) {
    Status status = OK;
    const Duck *duck = base->duck;
    void *pending = NULL;
    if (duck->prepare(base->connection, sql, prepared)) TRY(duck_trouble(work, base, duck->prepare_error(*prepared)));
    if (duck->pending_prepared_streaming(*prepared, &pending)) TRY(duck_trouble(work, base, duck->pending_error(pending)));
    if (duck->execute_pending(pending, result)) TRY(duck_trouble(work, base, duck->result_error(result)));
done:
    if (pending) duck->destroy_pending(&pending);
    return status;
}

static Status describe(Work *work, Reading *r, const char *select) {
    Status status = OK;
    DuckResult result = { 0 };
    void *prepared = NULL;
    const char *sql = arena_print(work->arena, "describe %s", select);
    if (!sql) return fail(work->error, FAILED, "out of memory");
    TRY(run(work, &r->base, sql, &prepared, &result));
    TRY(take_description(work, r, &result));
    if (!r->rows.columns) {
        fail(work->error, BAD, "the query gives no table");
        TRY(error_file(work->error, r->base.name));
    }
done:
    r->base.duck->destroy_result(&result);
    if (prepared) r->base.duck->destroy_prepare(&prepared);
    return status;
}

/* How many rows there will be, where a file says so itself: the room for them is made at once. 0 where it is not known. */
static int64_t count_rows(Work *work, const Reading *r, const char *name, const char *select) {
    size_t length = strlen(name);
    DuckResult result = { 0 };
    const Duck *duck = r->base.duck;
    const char *sql = arena_print(work->arena, "select count(*) from (%s)", select);
    int64_t rows = 0;
    if (!sql || length < 8 || strcasecmp(name + length - 8, ".parquet") || strncmp(select, "from ", 5)) return 0;
    if (!duck->query(r->base.connection, sql, &result)) {
        void *chunk = duck->fetch_chunk(result);
        if (chunk && duck->data_chunk_get_size(chunk) == 1) rows = *(int64_t *)duck->vector_get_data(duck->data_chunk_get_vector(chunk, 0));
        if (chunk) duck->destroy_data_chunk(&chunk);
    }
    duck->destroy_result(&result);
    return rows;
}

static Status cast_select(Work *work, const Reading *r, const char *select, const char **out) {
    static const char *const casts[] = { "DOUBLE", "BIGINT", "VARCHAR", "VARCHAR", "DATE", "TIMESTAMP" };
    Buffer text = { 0 };
    for (int64_t i = 0; i < r->rows.columns; i++) {
        const char *name = table_name_quoted(work, r->column[i]);
        buffer_print(&text, "%s%s::%s", i ? ", " : "select ", name ? name : "", r->huge[i] ? "HUGEINT" : casts[r->type[i]]);
    }
    buffer_print(&text, " from (%s)", select);
    *out = text.failed ? NULL : arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return *out ? OK : fail(work->error, FAILED, "out of memory");
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

static bool put_cells(ColumnBuilder *build, void *vector, const Duck *duck, uint64_t rows) {
    void *data = duck->vector_get_data(vector);
    const uint64_t *valid = duck->vector_get_validity(vector);
    bool kept = true;
    if (build->type == DATE_TYPE || build->type == DATETIME_TYPE) return put_times(build, data, valid, rows);
    if (build->type == INTEGER_TYPE) return builder_many(build, data, valid, (int64_t)rows);
    if (build->type == REAL_TYPE && no_nan(data, rows)) return builder_many(build, data, valid, (int64_t)rows);
    for (uint64_t i = 0; i < rows && kept; i++) {
        if (valid && !((valid[i >> 6] >> (i & 63)) & 1)) {
            kept = builder_missing(build, MISSING_CODE_NONE);
            continue;
        }
        if (build->type == REAL_TYPE) {
            kept = builder_real(build, ((double *)data)[i]);
            continue;
        }
        const DuckText *text = (const DuckText *)data + i;
        uint32_t length = text->near.length;
        kept = builder_text(build, length <= 12 ? text->near.at : text->far.at, length);
    }
    return kept;
}

static Status take_column(void *self, int64_t column, int64_t first, int64_t last, Error *error) {
    (void)first, (void)last;
    Reading *r = self;
    const Duck *duck = r->base.duck;
    bool kept = true;
    for (int64_t c = 0; c < r->chunks && kept; c++) {
        void *vector = duck->data_chunk_get_vector(r->chunk[c], (uint64_t)column);
        uint64_t rows = duck->data_chunk_get_size(r->chunk[c]);
        if (r->huge[column])
            kept = put_huge(&r->rows.build[column], duck->vector_get_data(vector), duck->vector_get_validity(vector), rows);
        else kept = put_cells(&r->rows.build[column], vector, duck, rows);
    }
    return kept ? OK : fail(error, FAILED, "out of memory");
}

static void drop_chunks(Reading *r) {
    for (int64_t c = 0; c < r->chunks; c++) r->base.duck->destroy_data_chunk(&r->chunk[c]);
    r->chunks = 0;
}

/* Up to a wave of chunks; none are left where fewer come. */
static Status fetch(Work *work, Reading *r, int64_t *rows) {
    while (r->chunks < WAVE && *rows < r->rows.limit) {
        void *chunk = r->base.duck->fetch_chunk(r->result);
        if (!chunk) {
            const char *said = r->base.duck->result_error(&r->result);
            r->rows.done = true;
            return said ? duck_trouble(work, &r->base, said) : OK;
        }
        *rows += (int64_t)r->base.duck->data_chunk_get_size(chunk);
        r->chunk[r->chunks++] = chunk;
    }
    return OK;
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
        drop_chunks(r);
        TRY(work_check(work));
    }
done:
    drop_chunks(r);
    return status;
}

static void close_reading(void *self) {
    Reading *r = self;
    if (r->open) r->base.duck->destroy_result(&r->result);
    if (r->prepared) r->base.duck->destroy_prepare(&r->prepared);
    duck_close(&r->base);
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
    if (!(file = duck_literal(work, after)) || !(*select = arena_print(work->arena, "from %s", file)))
        TRY(fail(work->error, FAILED, "out of memory"));
done:
    return status;
}

Status duck_chunks(Work *work, const char *name, const CsvOptions *options, int64_t rows, Chunks *out) {
    (void)options;
    Status status = OK;
    const char *base, *select, *cast;
    Reading *r = NULL;
    NEW(work, r, 1);
    *r = (Reading){ .rows = { .name = name, .limit = rows_limit(rows), .open = open_column, .take = take_rows } };
    TRY(find_select(work, name, &base, &select));
    TRY(duck_open(work, name, base, false, &r->base));
    TRY(describe(work, r, select));
    if (r->rows.limit == INT64_MAX) r->expected = count_rows(work, r, name, select);
    TRY(cast_select(work, r, select, &cast));
    r->open = true;
    TRY(run(work, &r->base, cast, &r->prepared, &r->result));
    *out = (Chunks){ r, row_builder_next, close_reading };
done:
    if (status && r) close_reading(r);
    return status;
}

Status duck_read(Work *work, const char *name, const CsvOptions *options, Table **out) {
    return row_builder_whole(work, name, options, duck_chunks, out);
}
