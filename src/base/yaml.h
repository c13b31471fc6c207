/* A YAML or JSON file as a tree that knows its lines. */
#ifndef SCRIM_BASE_YAML_H
#define SCRIM_BASE_YAML_H
#include "base/work.h"

typedef enum { YAML_TEXT, YAML_LIST, YAML_MAP } YamlKind;
typedef struct YamlNode {
    YamlKind kind;
    const char *file;
    int64_t line;      /* 1-based */
    const char *text;  /* NODE_TEXT; NULL where it says null */
    int64_t count;     /* items of a list or map */
    const char **name; /* NODE_MAP */
    int64_t *name_line;
    struct YamlNode **item;
} YamlNode;

/* Everything lives in the arena. No aliases, no tags; a name given twice is an error. JSON is read by the same rules. */
MUST_CHECK Status yaml_read(Work *work, const char *path, const YamlNode **out);
/* A file, or the text itself: what has a line's end, begins with { or [, or is `name: …` (with a / before the colon it is a path). `what`
 * is its name then, for errors. */
MUST_CHECK Status yaml_open(Work *work, const char *path, const char *what, const YamlNode **out);
bool yaml_inline(const char *path); /* is it the text itself? */
MUST_CHECK Status yaml_parse(Work *work, const char *name, const char *text, size_t count, const YamlNode **out);
const YamlNode *yaml_find(const YamlNode *map, const char *name); /* NULL where there is none, or where it is null; dashes or underscores */

/* An error at this node's place. */
Status yaml_fail(Work *work, const YamlNode *node, const char *format, ...) FORMAT(3, 4);
/* Each name of the map must be one of these; else an error that names the nearest. `what` is what has them ("a recipe"). */
MUST_CHECK Status yaml_known(Work *work, const YamlNode *map, const char *what, const char *const *names);
/* The error that item i of the map has a name that is none of these. */
Status yaml_unknown(Work *work, const YamlNode *map, int64_t i, const char *what, const char *const *names, size_t count);
MUST_CHECK Status yaml_need_text(Work *work, const YamlNode *node, const char *what, const char **out);
MUST_CHECK Status yaml_need_kind(Work *work, const YamlNode *node, YamlKind kind, const char *what);
#endif
