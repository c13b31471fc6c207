/* YAML events into a tree. libyaml reads JSON too, but for what JSON escapes and YAML does not. */
#include "base/yaml.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>
#include "base/file.h"
#include "base/text.h"

enum { DEPTH = 32 };

typedef struct {
    Work *work;
    const char *file;
    yaml_parser_t yaml;
} Events;

static Status at_line(Work *work, const char *file, int64_t line, const char *message) {
    fail(work->error, BAD, "%s", message);
    error_line(work->error, line, -1);
    return error_file(work->error, file);
}

static Status next(Events *reader, yaml_event_t *event) {
    if (yaml_parser_parse(&reader->yaml, event)) return OK;
    const yaml_parser_t *y = &reader->yaml;
    if (y->error == YAML_MEMORY_ERROR) return out_of_memory(reader->work->error);
    if (y->error == YAML_READER_ERROR) return at_line(reader->work, reader->file, (int64_t)y->mark.line + 1, "is not UTF-8 text");
    fail(reader->work->error, BAD, "is not YAML: %s%s%s", y->problem ? y->problem : "cannot be read", y->context ? ", " : "",
         y->context ? y->context : "");
    error_line(reader->work->error, (int64_t)y->problem_mark.line + 1, (int64_t)y->problem_mark.column + 1);
    if (y->error == YAML_SCANNER_ERROR && y->buffer.pointer && *y->buffer.pointer == '\t')
        error_advice(reader->work->error, "There is a tab: YAML is indented with spaces alone.");
    return error_file(reader->work->error, reader->file);
}

static Status read_node(Events *reader, yaml_event_t *event, int depth, YamlNode **out);

static Status add_item(Events *reader, YamlNode *node, int64_t *room, const char *name, int64_t line, YamlNode *item) {
    Status status = OK;
    Work *work = reader->work;
    if (node->count == *room) {
        int64_t names = *room, lines = *room;
        GROW(work, node->item, *room, node->count + 1);
        GROW(work, node->name, names, node->count + 1);
        GROW(work, node->name_line, lines, node->count + 1);
    }
    node->name[node->count] = name;
    node->name_line[node->count] = line;
    node->item[node->count++] = item;
done:
    return status;
}

static Status read_name(Events *reader, const YamlNode *map, const yaml_event_t *event, const char **out) {
    int64_t line = (int64_t)event->start_mark.line + 1;
    if (event->type != YAML_SCALAR_EVENT) return at_line(reader->work, reader->file, line, "a name must be a plain word");
    *out = arena_text(reader->work->arena, (const char *)event->data.scalar.value);
    if (!*out) return out_of_memory(reader->work->error);
    for (int64_t i = 0; i < map->count; i++)
        if (!strcmp(map->name[i], *out)) {
            fail(reader->work->error, BAD, "'%s' is given twice, first on line %lld", *out, (long long)map->name_line[i]);
            error_line(reader->work->error, line, -1);
            return error_file(reader->work->error, reader->file);
        }
    return OK;
}

/* The items of a list or a map, up to its end. */
static Status read_items(Events *reader, YamlNode *node, int depth) {
    Status status = OK;
    int64_t room = 0;
    yaml_event_t event = { 0 };
    for (;;) {
        const char *name = NULL;
        YamlNode *item = NULL;
        yaml_event_delete(&event);
        TRY(next(reader, &event));
        if (event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT) break;
        int64_t line = (int64_t)event.start_mark.line + 1;
        if (node->kind == YAML_MAP) {
            TRY(read_name(reader, node, &event, &name));
            yaml_event_delete(&event);
            TRY(next(reader, &event));
        }
        TRY(read_node(reader, &event, depth + 1, &item));
        TRY(add_item(reader, node, &room, name, line, item));
    }
done:
    yaml_event_delete(&event);
    return status;
}

static Status read_node(Events *reader, yaml_event_t *event, int depth, YamlNode **out) {
    Status status = OK;
    Work *work = reader->work;
    int64_t line = (int64_t)event->start_mark.line + 1;
    NEW(work, *out, 1);
    **out = (YamlNode){ .file = reader->file, .line = line };
    if (depth > DEPTH) TRY(at_line(work, reader->file, line, "is nested too deeply"));
    if (event->type == YAML_SCALAR_EVENT) {
        const char *text = (const char *)event->data.scalar.value;
        bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
        if (strlen(text) != event->data.scalar.length) TRY(at_line(work, reader->file, line, "holds a NUL character"));
        (*out)->kind = YAML_TEXT;
        if (plain && (!*text || !strcmp(text, "~") || !strcmp(text, "null"))) return OK;
        (*out)->text = arena_text(work->arena, text);
        if (!(*out)->text) TRY(out_of_memory(work->error));
    } else if (event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT) {
        (*out)->kind = event->type == YAML_MAPPING_START_EVENT ? YAML_MAP : YAML_LIST;
        TRY(read_items(reader, *out, depth));
    } else TRY(at_line(work, reader->file, line, "aliases (*name) are not read here: write it out"));
done:
    return status;
}

Status yaml_parse(Work *work, const char *name, const char *text, size_t count, const YamlNode **out) {
    Status status = OK;
    YamlNode *root = NULL;
    yaml_event_t event = { 0 };
    Events reader = { .work = work, .file = arena_text(work->arena, name) };
    if (!reader.file || !yaml_parser_initialize(&reader.yaml)) return out_of_memory(work->error);
    yaml_parser_set_input_string(&reader.yaml, (const unsigned char *)text, count);
    do {
        yaml_event_delete(&event);
        TRY(next(&reader, &event));
    } while (event.type == YAML_STREAM_START_EVENT || event.type == YAML_DOCUMENT_START_EVENT);
    if (event.type == YAML_STREAM_END_EVENT) TRY(at_line(work, reader.file, -1, "is empty"));
    TRY(read_node(&reader, &event, 0, &root));
    *out = root;
done:
    yaml_event_delete(&event);
    yaml_parser_delete(&reader.yaml);
    return status;
}

bool yaml_inline(const char *path) {
    const char *colon = strstr(path, ": "), *slash = strchr(path, '/');
    return path[0] == '{' || path[0] == '[' || strchr(path, '\n') || (colon && !(slash && slash < colon));
}

Status yaml_open(Work *work, const char *path, const char *what, const YamlNode **out) {
    return yaml_inline(path) ? yaml_parse(work, what, path, strlen(path), out) : yaml_read(work, path, out);
}

Status yaml_read(Work *work, const char *path, const YamlNode **out) {
    Bytes bytes;
    if (work_files(work)) return error_advice(work->error, "Give the text itself.");
    Status status = bytes_open(path, &bytes, work->error);
    if (status) return status;
    status = yaml_parse(work, path, bytes.at ? bytes.at : "", bytes.count, out);
    bytes_close(&bytes);
    return status;
}

/* The same name, dashes and underscores alike. */
static bool same_dashed(const char *a, const char *b) {
    while (*a && (*a == *b || (strchr("-_", *a) && *b && strchr("-_", *b)))) a++, b++;
    return !*a && !*b;
}

const YamlNode *yaml_find(const YamlNode *map, const char *name) {
    for (int64_t i = 0; map && map->kind == YAML_MAP && i < map->count; i++) {
        if (!same_dashed(map->name[i], name)) continue;
        const YamlNode *item = map->item[i];
        return item->kind == YAML_TEXT && !item->text ? NULL : item;
    }
    return NULL;
}

Status yaml_fail(Work *work, const YamlNode *node, const char *format, ...) {
    char message[512];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    fail(work->error, BAD, "%s", message);
    error_line(work->error, node->line, -1);
    return error_file(work->error, node->file);
}

Status yaml_unknown(Work *work, const YamlNode *map, int64_t i, const char *what, const char *const *names, size_t count) {
    const char *near = nearest_name(map->name[i], names, count);
    YamlNode place = { .file = map->file, .line = map->name_line[i] };
    Status status = yaml_fail(work, &place, "%s has no '%s'", what, map->name[i]);
    if (near) return error_advice(work->error, "Did you mean '%s'?", near);
    Buffer all = { 0 };
    for (size_t j = 0; j < count; j++) buffer_print(&all, "%s%s", j ? ", " : "", names[j]);
    error_advice(work->error, "It has %s.", buffer_get(&all));
    buffer_free(&all);
    return status;
}

Status yaml_known(Work *work, const YamlNode *map, const char *what, const char *const *names) {
    size_t count = 0;
    while (names[count]) count++;
    if (map->kind != YAML_MAP) return yaml_fail(work, map, "%s is written as names with values (name: value)", what);
    for (int64_t i = 0; i < map->count; i++) {
        bool known = false;
        for (size_t j = 0; j < count; j++) known |= !strcmp(names[j], map->name[i]);
        if (!known) return yaml_unknown(work, map, i, what, names, count);
    }
    return OK;
}

Status yaml_need_text(Work *work, const YamlNode *node, const char *what, const char **out) {
    if (node->kind != YAML_TEXT || !node->text) return yaml_fail(work, node, "%s must be one word or text", what);
    *out = node->text;
    return OK;
}

Status yaml_need_kind(Work *work, const YamlNode *node, YamlKind kind, const char *what) {
    if (node->kind == kind) return OK;
    static const char *const shapes[] = { "one text", "a list ([a, b] or lines that start with -)", "names with values (name: value)" };
    return yaml_fail(work, node, "%s must be %s", what, shapes[kind]);
}
