/* A YAML or JSON file as a tree that knows its lines. */
#ifndef SCRIM_BASE_NODE_H
#define SCRIM_BASE_NODE_H
#include "base/work.h"

typedef enum { NODE_TEXT, NODE_LIST, NODE_MAP } NodeKind;
typedef struct Node {
    NodeKind kind;
    const char *file;
    int64_t line;      /* 1-based */
    const char *text;  /* NODE_TEXT; NULL where it says null */
    int64_t count;     /* items of a list or map */
    const char **name; /* NODE_MAP */
    int64_t *name_line;
    struct Node **item;
} Node;

/* Everything lives in the arena. No aliases, no tags; a name given twice is an error. JSON is read by the same rules. */
MUST_CHECK Status node_read(Work *work, const char *path, const Node **out);
/* A file, or the text itself: what has a line's end, begins with { or [, or is `name: …` (with a / before the colon it is a path). `what`
 * is its name then, for errors. */
MUST_CHECK Status node_open(Work *work, const char *path, const char *what, const Node **out);
bool node_inline(const char *path); /* is it the text itself? */
MUST_CHECK Status node_parse(Work *work, const char *name, const char *text, size_t count, const Node **out);
const Node *node_find(const Node *map, const char *name); /* NULL where there is none, or where it is null; dashes or underscores */

/* An error at this node's place. */
Status node_fail(Work *work, const Node *node, const char *format, ...) FORMAT(3, 4);
/* Each name of the map must be one of these; else an error that names the nearest. `what` is what has them ("a recipe"). */
MUST_CHECK Status node_known(Work *work, const Node *map, const char *what, const char *const *names);
/* The error that item i of the map has a name that is none of these. */
Status node_unknown(Work *work, const Node *map, int64_t i, const char *what, const char *const *names, size_t count);
MUST_CHECK Status node_need_text(Work *work, const Node *node, const char *what, const char **out);
MUST_CHECK Status node_need_kind(Work *work, const Node *node, NodeKind kind, const char *what);
#endif
