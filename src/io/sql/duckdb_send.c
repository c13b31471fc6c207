/* What a query gives, as bytes: the child in which DuckDB works writes them, and duckdb_read.c takes them. A query is described, its columns
 * cast to the few types that a table has, and its chunks sent as they come. */
#include <string.h>
#include <strings.h>
#include "io/sql/duckdb.h"

typedef struct Asking {
    DuckBase base;
    int64_t columns;
    char **column;
    Type *type;
    bool *whole; /* decimals: integers where all are whole */
    bool *huge;  /* 128 bits: integers where all fit into 64 */
    SharedRing *to;
    char *block; /* being filled; NULL between two */
    size_t used;
} Asking;

/* ---- bytes ---- */

static void flush(Asking *r) {
    if (r->used) ring_send(r->to, r->used);
    if (r->used) r->block = NULL;
    r->used = 0;
}

static void put(Asking *r, const void *bytes, size_t count) {
    const char *at = bytes;
    while (count) {
        if (!r->block) r->block = ring_block(r->to);
        const size_t room = RING_BLOCK - r->used, part = count < room ? count : room;
        memcpy(r->block + r->used, at, part);
        r->used += part;
        at += part;
        count -= part;
        if (r->used == RING_BLOCK) flush(r);
    }
}

static void put_number(Asking *r, int64_t number) { put(r, &number, sizeof number); }

/* ---- what the query gives ---- */

static Status plain_text(Work *work, void *data, uint64_t row, char **out) {
    const DuckText *text = (const DuckText *)data + row;
    uint32_t length = text->near.length;
    *out = arena_print(work->arena, "%.*s", (int)length, length <= 12 ? text->near.at : text->far.at);
    return *out ? OK : out_of_memory(work->error);
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

static Status take_description(Work *work, Asking *r, DuckResult *result) {
    Status status = OK;
    const Duck *duck = r->base.duck;
    int64_t names = 0, types = 0, flags = 0, sizes = 0;
    for (void *chunk; (chunk = duck->fetch_chunk(*result)) && !status; duck->destroy_data_chunk(&chunk)) {
        uint64_t rows = duck->data_chunk_get_size(chunk);
        void *name = duck->vector_get_data(duck->data_chunk_get_vector(chunk, 0)),
             *said = duck->vector_get_data(duck->data_chunk_get_vector(chunk, 1));
        for (uint64_t i = 0; i < rows && !status; i++) {
            char *type = NULL;
            if (!(status = work_grow(work, sizeof *r->column, &r->column, &names, r->columns + 1)) &&
                !(status = work_grow(work, sizeof *r->type, &r->type, &types, r->columns + 1)) &&
                !(status = work_grow(work, sizeof *r->whole, &r->whole, &flags, r->columns + 1)) &&
                !(status = work_grow(work, sizeof *r->huge, &r->huge, &sizes, r->columns + 1)) &&
                !(status = plain_text(work, name, i, &r->column[r->columns])))
                status = plain_text(work, said, i, &type);
            if (!status) r->type[r->columns] = type_of(type, &r->whole[r->columns]);
            if (!status) r->huge[r->columns] = !strcmp(type, "HUGEINT");
            r->columns += !status;
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

static Status describe(Work *work, Asking *r, const char *select) {
    Status status = OK;
    DuckResult result = { 0 };
    void *prepared = NULL;
    const char *sql = arena_print(work->arena, "describe %s", select);
    if (!sql) return out_of_memory(work->error);
    TRY(run(work, &r->base, sql, &prepared, &result));
    TRY(take_description(work, r, &result));
    if (!r->columns) {
        fail(work->error, BAD, "the query gives no table");
        TRY(error_file(work->error, r->base.name));
    }
done:
    r->base.duck->destroy_result(&result);
    if (prepared) r->base.duck->destroy_prepare(&prepared);
    return status;
}

/* How many rows there will be, where a file says so itself: the room for them is made at once. 0 where it is not known. */
static int64_t count_rows(Work *work, const Asking *r, const char *name, const char *select) {
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

static Status cast_select(Work *work, const Asking *r, const char *select, const char **out) {
    static const char *const casts[] = { "DOUBLE", "BIGINT", "VARCHAR", "VARCHAR", "DATE", "TIMESTAMP" };
    Buffer text = { 0 };
    for (int64_t i = 0; i < r->columns; i++) {
        const char *name = table_name_quoted(work, r->column[i]);
        buffer_print(&text, "%s%s::%s", i ? ", " : "select ", name ? name : "", r->huge[i] ? "HUGEINT" : casts[r->type[i]]);
    }
    buffer_print(&text, " from (%s)", select);
    *out = text.failed ? NULL : arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return *out ? OK : out_of_memory(work->error);
}

/* ---- chunks ---- */

/* Their lengths, 0 where missing, and then all of them. */
static void put_texts(Asking *r, const DuckText *text, const uint64_t *valid, uint64_t rows) {
    for (int pass = 0; pass < 2; pass++)
        for (uint64_t i = 0; i < rows; i++) {
            const bool there = !valid || ((valid[i >> 6] >> (i & 63)) & 1);
            const uint32_t length = there ? text[i].near.length : 0;
            if (!pass) put(r, &length, sizeof length);
            else put(r, length <= sizeof text[i].near.at ? text[i].near.at : text[i].far.at, length);
        }
}

static void put_chunk(Asking *r, void *chunk) {
    const Duck *duck = r->base.duck;
    const uint64_t rows = duck->data_chunk_get_size(chunk);
    if (!rows) return;
    put_number(r, (int64_t)rows);
    for (int64_t j = 0; j < r->columns; j++) {
        void *vector = duck->data_chunk_get_vector(chunk, (uint64_t)j);
        const uint64_t *valid = duck->vector_get_validity(vector);
        const void *data = duck->vector_get_data(vector);
        put_number(r, valid != NULL);
        if (valid) put(r, valid, (rows + 63) / 64 * sizeof *valid);
        if (duck_is_text(r->type[j], r->huge[j])) put_texts(r, data, valid, rows);
        else put(r, data, rows * duck_cell_size(r->type[j], r->huge[j]));
    }
}

static Status put_chunks(Work *work, Asking *r, DuckResult *result) {
    Status status = OK;
    for (void *chunk; (chunk = r->base.duck->fetch_chunk(*result));) {
        put_chunk(r, chunk);
        r->base.duck->destroy_data_chunk(&chunk);
        TRY(work_check(work));
    }
    const char *said = r->base.duck->result_error(result);
    if (said) TRY(duck_trouble(work, &r->base, said));
    put_number(r, 0);
    flush(r);
done:
    return status;
}

static void put_columns(Asking *r, int64_t expected) {
    put_number(r, r->columns);
    put_number(r, expected);
    for (int64_t j = 0; j < r->columns; j++) {
        put_number(r, r->type[j]);
        put_number(r, r->whole[j]);
        put_number(r, r->huge[j]);
        put_number(r, (int64_t)strlen(r->column[j]));
        put(r, r->column[j], strlen(r->column[j]));
    }
}

Status duck_send(void *self, SharedRing *to) {
    Status status = OK;
    const DuckQuery *q = self;
    Work *work = q->work;
    const char *cast;
    Asking r = { .to = to };
    void *prepared = NULL;
    DuckResult result = { 0 };
    TRY(duck_open(work, q->name, q->base, false, &r.base));
    TRY(describe(work, &r, q->select));
    put_columns(&r, q->all ? count_rows(work, &r, q->name, q->select) : 0);
    TRY(cast_select(work, &r, q->select, &cast));
    TRY(run(work, &r.base, cast, &prepared, &result));
    TRY(put_chunks(work, &r, &result));
done: /* the process ends: nothing is given back */
    return status;
}
