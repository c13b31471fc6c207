/* DuckDB's library: found, opened once, kept. */
#include "io/sql/duckdb.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "base/file.h"
#include "base/password.h"

static Duck duck;
static bool found, no_memory;
static char problem[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* SCRIM_DUCKDB names the library; else the system's search finds it. Opened in the child that works with it, and nowhere else. */
static void find(void) {
    const char *path = getenv("SCRIM_DUCKDB");
    void *library = dlopen(path && *path ? path : "libduckdb.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror();
        no_memory = why && (strstr(why, "allocate") || strstr(why, "map segment"));
        snprintf(problem, sizeof problem, "%s",
                 path && *path ? "SCRIM_DUCKDB names no library that can be opened" : "DuckDB's library is not installed");
        return;
    }
    found = true;
#define DUCK_FIND(answer, name, takes)                                                                                                     \
    *(void **)&duck.name = dlsym(library, "duckdb_" #name);                                                                                \
    if (!duck.name) {                                                                                                                      \
        found = false;                                                                                                                     \
        snprintf(problem, sizeof problem, "DuckDB's library is too old or too new: it has no duckdb_" #name);                              \
    }
    DUCK_FUNCTIONS(DUCK_FIND)
#undef DUCK_FIND
}

static Status absent(Work *work, const char *name) {
    if (no_memory) {
        fail(work->error, FAILED, "out of memory: DuckDB's library could not be opened");
        error_kind(work->error, ERROR_MEMORY);
        return error_file(work->error, name);
    }
    fail(work->error, BAD, "%s, and this is read by it", problem);
    error_advice(work->error, "Put libduckdb.so (duckdb.org, C/C++; or the npm package @duckdb/node-bindings-linux-x64 or -arm64) where "
                              "libraries are found, or name it in SCRIM_DUCKDB.");
    return error_file(work->error, name);
}

/* These quote the value that they are about. */
static bool of_a_value(const char *message) {
    static const char *const kinds[] = { "Conversion Error", "Out of Range Error", "Constraint Error", NULL };
    for (const char *const *kind = kinds; *kind; kind++)
        if (!strncmp(message, *kind, strlen(*kind))) return true;
    return strstr(message, "CSV Error") || strstr(message, "JSON transform error");
}

Status duck_trouble(Work *work, const DuckBase *base, const char *said) {
    char line[400];
    snprintf(line, sizeof line, "%s", said ? said : "no reason was given");
    char *end = strchr(line, '\n');
    if (end) *end = 0;
    int shown = of_a_value(line) ? table_name_shown(line) : (int)strlen(line);
    const bool no_room = strstr(line, "Out of Memory") || strstr(line, "Allocation failure") || strstr(line, "bad_alloc");
    fail(work->error, no_room ? FAILED : BAD, "DuckDB says: %.*s%s", shown, line, line[shown] ? "…" : "");
    if (line[shown]) error_value(work->error, line + shown);
    return error_file(work->error, base->name);
}

Status duck_do(Work *work, const DuckBase *base, const char *sql) {
    DuckResult result = { 0 };
    int bad = base->duck->query(base->connection, sql, &result);
    Status status = bad ? duck_trouble(work, base, base->duck->result_error(&result)) : OK;
    base->duck->destroy_result(&result);
    return status;
}

/* Nothing is fetched from the network by itself: extensions that are installed are used, others are asked for by name in the message. */
static void *make_config(const Duck *d, int threads, bool writes, bool file) {
    void *config = NULL;
    char count[16];
    if (d->create_config(&config)) return NULL;
    snprintf(count, sizeof count, "%d", threads > 0 ? threads : 1);
    d->set_config(config, "threads", count);
    d->set_config(config, "autoinstall_known_extensions", "false");
    if (!writes && file) d->set_config(config, "access_mode", "READ_ONLY");
    return config;
}

/* Names stand in results, and DuckDB's messages repeat what stands in a query. */
static Status has_secret(Work *work, const char *name) {
    fail(work->error, BAD, "a name that is kept in results must not hold a password");
    error_advice(work->error, "Give it to DuckDB as a secret (create persistent secret …), or put it into ~/.pgpass or PGPASSWORD.");
    return error_file(work->error, name);
}

Status duck_open(Work *work, const char *name, const char *path, bool writes, DuckBase *out) {
    *out = (DuckBase){ .duck = &duck, .name = name };
    if (holds_password(name)) return has_secret(work, name);
    pthread_once(&once, find);
    if (!found) return absent(work, name);
    char *message = NULL;
    void *config = make_config(&duck, work->threads, writes, path != NULL);
    Status status = OK;
    if (path && !writes && access(path, F_OK)) {
        fail(work->error, BAD, "cannot open: there is no such file");
        status = error_file(work->error, path);
    } else if (duck.open_ext(path, &out->database, config, &message)) status = duck_trouble(work, out, message);
    else if (duck.connect(out->database, &out->connection)) status = duck_trouble(work, out, NULL);
    if (message) duck.free(message);
    if (config) duck.destroy_config(&config);
    if (status) duck_close(out);
    return status;
}

void duck_close(DuckBase *base) {
    if (base->connection) base->duck->disconnect(&base->connection);
    if (base->database) base->duck->close(&base->database);
}

const char *duck_literal(Work *work, const char *text) {
    Buffer out = { 0 };
    buffer_char(&out, '\'');
    for (; *text; text++) {
        if (*text == '\'') buffer_char(&out, '\'');
        buffer_char(&out, *text);
    }
    buffer_char(&out, '\'');
    const char *copy = out.failed ? NULL : arena_text(work->arena, buffer_get(&out));
    buffer_free(&out);
    return copy;
}

/* As DuckDB finds files of this machine: file:/…, file:///…, and ~ for the user's own folder. */
static Behind found_as(char path[BEHIND_PATH], Behind kind) {
    char rest[BEHIND_PATH];
    const char *home = *path == '~' ? getenv("HOME") : NULL;
    if (!strncmp(path, "file:/", 6)) {
        snprintf(rest, sizeof rest, "%s", path + (strncmp(path + 5, "//localhost/", 12) ? 5 : 16));
        strcpy(path, rest);
    } else if (home && strlen(home) + strlen(path) <= BEHIND_PATH) {
        snprintf(rest, sizeof rest, "%s", path + 1);
        snprintf(path, BEHIND_PATH, "%s%s", home, rest);
    }
    return kind;
}

/* The n-th text of a query by which it may read a file: what stands between quotes, whole or a pattern, and a word with a point outside of
 * them (from a.csv). Which quote opens is not asked: each is tried, because comments may hold a single one. */
static Behind named(const char *query, int n, char path[BEHIND_PATH]) {
    static const char quotes[] = "'\"$", ends[] = "'\"$ \t\r\n(),;[]=";
    size_t length = 0;
    for (const char *at = query; *at; at++) {
        const bool opens = strchr(quotes, *at), begins = !strchr(ends, *at) && (at == query || strchr(ends, at[-1]));
        const size_t word = begins ? strcspn(at, ends) : 0;
        if ((!opens && !(begins && memchr(at, '.', word))) || n--) continue;
        if (begins) {
            snprintf(path, BEHIND_PATH, "%.*s", (int)word, at);
            return found_as(path, BEHIND_FILE);
        }
        const char quote = *at++;
        for (; *at && (*at != quote || (quote != '$' && *++at == quote)); at++)
            if (length < BEHIND_PATH - 1) path[length++] = *at;
        path[length] = 0;
        return found_as(path, BEHIND_PATTERN);
    }
    return BEHIND_NONE;
}

/* The database, file or pattern, and what was written to a database last; then, of a query, that it may read others, and what it names. An
 * address is no file's name. */
static Behind duck_behind(const char *name, int n, char path[BEHIND_PATH]) {
    const char *after = strncasecmp(name, "duckdb:", 7) ? name : name + 7, *query = NULL;
    const size_t length = after == name ? strlen(name) : table_name_where(after, &query);
    if (n > 1) return !query ? BEHIND_NONE : n == 2 ? BEHIND_UNKNOWN : named(query, n - 3, path);
    if (!length || length + strlen(".wal") >= BEHIND_PATH) return BEHIND_UNKNOWN;
    snprintf(path, BEHIND_PATH, "%.*s", (int)length, after);
    const Behind kind = found_as(path, file_is_regular(path) ? BEHIND_FILE : BEHIND_PATTERN);
    if (n) strcat(path, ".wal");
    return n ? BEHIND_FILE : kind;
}

const Format format_duckdb = { .name = "DuckDB",
                               .suffixes = (const char *const[]){ ".parquet", ".jsonl", ".ndjson", NULL },
                               .prefixes = (const char *const[]){ "duckdb:", NULL },
                               .form = "duckdb:?query=select …",
                               .read = duck_read,
                               .write = duck_write,
                               .chunks = duck_chunks,
                               .behind = duck_behind };
