/* The page: its parts are in the program, put there when it was built. */
#include <string.h>
#include "bench.h"

static const struct {
    const char *name, *text;
} parts[] = {
#include "web.h"
    { NULL, NULL }
};

static const struct {
    const char *suffix, *type;
} types[] = {
    { ".html", "text/html; charset=utf-8" },
    { ".js", "text/javascript; charset=utf-8" },
    { ".css", "text/css; charset=utf-8" },
    { ".svg", "image/svg+xml" },
};

static const char *part(const char *name) {
    for (size_t i = 0; parts[i].name; i++)
        if (!strcmp(parts[i].name, name)) return parts[i].text;
    return NULL;
}

const char *page_example(void) { return part("clinic.csv"); }

bool page_answer(const Request *request, Reply *reply) {
    const char *name = strcmp(request->path, "/") ? request->path + 1 : "index.html", *dot = strrchr(name, '.');
    const char *text = part(name);
    for (size_t i = 0; text && dot && i < sizeof types / sizeof *types; i++) {
        if (strcmp(dot, types[i].suffix)) continue;
        buffer_text(&reply->body, text);
        reply->type = types[i].type;
        reply->may_load = true;
        return true;
    }
    return false;
}
