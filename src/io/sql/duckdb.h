/* DuckDB, opened at run time where it is installed: as much of its C interface (https://duckdb.org/docs/api/c/overview) as reading and
 * writing tables needs. */
#ifndef SCRIM_IO_SQL_DUCKDB_H
#define SCRIM_IO_SQL_DUCKDB_H
#include "base/helper_process.h"
#include "io/format.h"
#include "io/sql/table_name.h"

typedef struct DuckResult {
    uint64_t unused[3];
    void *columns;
    char *message;
    void *inside;
} DuckResult; /* duckdb_result; passed by value */
typedef union DuckText {
    struct {
        uint32_t length;
        char begin[4];
        const char *at;
    } far;
    struct {
        uint32_t length;
        char at[12];
    } near;
} DuckText; /* duckdb_string_t */
typedef struct DuckHuge {
    uint64_t lower;
    int64_t upper;
} DuckHuge; /* duckdb_hugeint */
enum { DUCK_BIGINT = 5, DUCK_DOUBLE = 11, DUCK_TIMESTAMP = 12, DUCK_DATE = 13, DUCK_VARCHAR = 17 };

/* Every function that is used, looked up by its name. All answer 0 where they succeed, if they answer a state. */
#define DUCK_FUNCTIONS(X)                                                                                                                  \
    X(int, create_config, (void **))                                                                                                       \
    X(int, set_config, (void *, const char *, const char *))                                                                               \
    X(void, destroy_config, (void **))                                                                                                     \
    X(int, open_ext, (const char *, void **, void *, char **))                                                                             \
    X(void, close, (void **))                                                                                                              \
    X(int, connect, (void *, void **))                                                                                                     \
    X(void, disconnect, (void **))                                                                                                         \
    X(void, interrupt, (void *))                                                                                                           \
    X(void, free, (void *))                                                                                                                \
    X(int, query, (void *, const char *, DuckResult *))                                                                                    \
    X(const char *, result_error, (DuckResult *))                                                                                          \
    X(void, destroy_result, (DuckResult *))                                                                                                \
    X(uint64_t, column_count, (DuckResult *))                                                                                              \
    X(int, prepare, (void *, const char *, void **))                                                                                       \
    X(const char *, prepare_error, (void *))                                                                                               \
    X(void, destroy_prepare, (void **))                                                                                                    \
    X(int, pending_prepared_streaming, (void *, void **))                                                                                  \
    X(const char *, pending_error, (void *))                                                                                               \
    X(int, execute_pending, (void *, DuckResult *))                                                                                        \
    X(void, destroy_pending, (void **))                                                                                                    \
    X(void *, fetch_chunk, (DuckResult))                                                                                                   \
    X(void, destroy_data_chunk, (void **))                                                                                                 \
    X(uint64_t, data_chunk_get_size, (void *))                                                                                             \
    X(void *, data_chunk_get_vector, (void *, uint64_t))                                                                                   \
    X(void *, vector_get_data, (void *))                                                                                                   \
    X(uint64_t *, vector_get_validity, (void *))                                                                                           \
    X(uint64_t, vector_size, (void))                                                                                                       \
    X(void *, create_logical_type, (int))                                                                                                  \
    X(void, destroy_logical_type, (void **))                                                                                               \
    X(void *, create_data_chunk, (void **, uint64_t))                                                                                      \
    X(void, data_chunk_reset, (void *))                                                                                                    \
    X(void, data_chunk_set_size, (void *, uint64_t))                                                                                       \
    X(void, vector_ensure_validity_writable, (void *))                                                                                     \
    X(void, vector_assign_string_element_len, (void *, uint64_t, const char *, uint64_t))                                                  \
    X(int, appender_create, (void *, const char *, const char *, void **))                                                                 \
    X(const char *, appender_error, (void *))                                                                                              \
    X(int, append_data_chunk, (void *, void *))                                                                                            \
    X(int, appender_close, (void *))                                                                                                       \
    X(int, appender_destroy, (void **))

typedef struct Duck {
#define DUCK_MEMBER(answer, name, takes) answer(*name) takes;
    DUCK_FUNCTIONS(DUCK_MEMBER)
#undef DUCK_MEMBER
} Duck;

/* A database (NULL: one in memory) with a connection to it. */
typedef struct DuckBase {
    const Duck *duck;
    void *database, *connection;
    const char *name;
} DuckBase;
/* `name` is for errors; without `writes` the database is opened read-only. BAD where DuckDB is not installed, and says how to get it. */
MUST_CHECK Status duck_open(Work *work, const char *name, const char *path, bool writes, DuckBase *out);
/* Connection and database; harmless when zeroed. */
void duck_close(DuckBase *base);
/* Runs a statement whose answer is of no interest; BAD with what DuckDB says. */
MUST_CHECK Status duck_do(Work *work, const DuckBase *base, const char *sql);
Status duck_trouble(Work *work, const DuckBase *base, const char *said); /* DuckDB's first line */
const char *duck_literal(Work *work, const char *text);                  /* 'text', with quotes doubled; NULL when memory is out */

/* DuckDB ends its program where memory runs out, and may crash: all of this is called in a child (base/helper_process.h), never in the
 * host. What one sends to the host that reads: the number of columns; the number of rows or 0; of each column type, `whole`, `huge` and
 * name; then chunks of rows, and 0. A chunk is its rows and for each column whether a validity follows, that, and the cells; texts are their
 * lengths and then all of them. Numbers are int64_t, lengths uint32_t. */
typedef struct DuckQuery {
    Work *work;
    const char *name, *base, *select; /* base: the database, or NULL */
    bool all;                         /* is wanted at once: how many rows there are is asked first, where a file says it */
} DuckQuery;
MUST_CHECK Status duck_send(void *query, SharedRing *to);
static inline bool duck_is_text(Type type, bool huge) { return !huge && type == TEXT_TYPE; }
static inline size_t duck_cell_size(Type type, bool huge) {
    return huge ? sizeof(DuckHuge) : type == DATE_TYPE ? sizeof(int32_t) : sizeof(int64_t);
}

/* The Format's three ways (io/formats.def): a table at once, in parts of at most `rows` records, and written. */
MUST_CHECK Status duck_read(Work *work, const char *name, const CsvOptions *options, Table **out);
MUST_CHECK Status duck_chunks(Work *work, const char *name, const CsvOptions *options, int64_t rows, Chunks *out);
MUST_CHECK Status duck_write(Work *work, const Table *table, const char *name, const CsvOptions *options);
#endif
