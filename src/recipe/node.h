/* A YAML or JSON file as a tree that knows its lines, and its values as arguments for the binder. */
#ifndef SCRIM_RECIPE_NODE_H
#define SCRIM_RECIPE_NODE_H
#include "method/method.h"

typedef enum { NODE_TEXT, NODE_LIST, NODE_MAP } NodeKind;
typedef struct Node {
    NodeKind kind;
    const char *file;
    int64_t line;             /* 1-based */
    const char *text;         /* NODE_TEXT; NULL where it says null */
    int64_t count;            /* items of a list or map */
    const char **name;        /* NODE_MAP */
    int64_t *name_line;
    struct Node **item;
} Node;

/* Everything lives in the arena. No aliases, no tags; a name given twice is an error. JSON is read by the same rules. */
MUST_CHECK Status node_read(Work *work, const char *path, const Node **out);
MUST_CHECK Status node_parse(Work *work, const char *name, const char *text, size_t count, const Node **out);
const Node *node_find(const Node *map, const char *name); /* NULL where there is none, or where it is null; dashes or underscores */

/* An error at this node's place. */
Status node_fail(Work *work, const Node *node, const char *format, ...) FORMAT(3, 4);
/* Each name of the map must be one of these; else an error that names the nearest. `what` is what has them ("a recipe"). */
MUST_CHECK Status node_known(Work *work, const Node *map, const char *what, const char *const *names);
MUST_CHECK Status node_need_text(Work *work, const Node *node, const char *what, const char **out);
MUST_CHECK Status node_need_kind(Work *work, const Node *node, NodeKind kind, const char *what);
/* One text split at commas as on the command line, or a list of texts. */
MUST_CHECK Status node_texts(Work *work, const Node *node, const char *what, int64_t *count, const char ***items);
/* A map of parameters into arguments of this method; names that it lacks are answered with the nearest. NULL gives none. */
MUST_CHECK Status node_args(Work *work, const Node *map, const Method *method, Args *out);
/* Puts the place of the parameter that an error names (or of the map itself) into the error. */
Status node_place(Work *work, const Node *map, Status status);

/* A path written in a file of this folder. Absolute ones and "-" stay. */
const char *path_beside(Work *work, const char *folder, const char *path);
const char *path_folder(Work *work, const char *path); /* "" for the working folder */
#endif
