/* Names of tables in databases. */
#include "io/sql/table_name.h"
#include <ctype.h>
#include <string.h>
#include "base/text.h"

static Status bad_name(Work *work, const char *name, const char *what, const char *advice) {
    fail(work->error, BAD, "%s", what);
    error_advice(work->error, "%s", advice);
    return error_file(work->error, name);
}

size_t table_name_where(const char *after, const char **query) {
    const char *found = strstr(after, "?query="), *more = strstr(after, "&query="), *mark = strrchr(after, '#');
    if (more && (!found || more < found)) found = more;
    if (query) *query = found;
    return found ? (size_t)(found - after) : mark ? (size_t)(mark - after) : strlen(after);
}

Status table_name_parse(Work *work, const char *name, const char *after, bool writing, TableName *out) {
    const char *query;
    const size_t length = table_name_where(after, &query);
    char *where = arena_print(work->arena, "%.*s", (int)length, after),
         *mark = query || !after[length] ? NULL : arena_text(work->arena, after + length + 1);
    if (!where || (!mark && !query && after[length])) return out_of_memory(work->error);
    *out = (TableName){ .where = where, .query = query ? query + strlen("?query=") : NULL };
    if (mark) {
        char *dot = strchr(mark, '.');
        out->table = dot ? dot + 1 : mark;
        if (dot) {
            *dot = 0;
            out->schema = mark;
        }
    }
    if (writing && query) return bad_name(work, name, "is a query, and a table is needed to write to", "Name the table: #TABLE.");
    if (!query && (!out->table || !*out->table))
        return bad_name(work, name, "names no table", "Put #TABLE, or ?query=select …, after the database.");
    if (query && !*out->query) return bad_name(work, name, "has an empty query", "Write ?query=select … from ….");
    return OK;
}

const char *table_name_quoted(Work *work, const char *name) {
    Buffer text = { 0 };
    buffer_char(&text, '"');
    for (; *name; name++) {
        if (*name == '"') buffer_char(&text, '"');
        buffer_char(&text, *name);
    }
    buffer_char(&text, '"');
    const char *copy = text.failed ? NULL : arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

Status table_name_select(Work *work, const TableName *source, const char **out) {
    const char *table = source->table ? table_name_quoted(work, source->table) : NULL,
               *schema = source->schema ? table_name_quoted(work, source->schema) : NULL;
    size_t length = source->query ? strlen(source->query) : 0;
    while (length && (isspace((unsigned char)source->query[length - 1]) || source->query[length - 1] == ';')) length--;
    /* The line end keeps a comment at the end from what is written behind the query. */
    if (source->query) *out = arena_print(work->arena, "%.*s\n", (int)length, source->query);
    else *out = arena_print(work->arena, "select * from %s%s%s", schema ? schema : "", schema ? "." : "", table);
    return *out ? OK : out_of_memory(work->error);
}

int table_name_shown(const char *message) {
    const char *at = message;
    while (*at && *at != '\'' && *at != '"' && !(strchr("+-.0123456789", *at) && at > message && at[-1] == ' ')) at++;
    return (int)(at - message);
}
