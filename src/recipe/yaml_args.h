/* A tree's values as arguments for the binder. */
#ifndef SCRIM_RECIPE_YAML_ARGS_H
#define SCRIM_RECIPE_YAML_ARGS_H
#include "base/yaml.h"
#include "method/method.h"

/* One text split at commas as on the command line, or a list of texts. */
MUST_CHECK Status node_texts(Work *work, const YamlNode *node, const char *what, int64_t *count, const char ***items);
/* A map of parameters into arguments of this method; names that it lacks are answered with the nearest. NULL gives none. */
MUST_CHECK Status node_args(Work *work, const YamlNode *map, const Method *method, Args *out);
/* A map of names to amounts as the items of a list of pairs: "income:500". */
MUST_CHECK Status node_pairs(Work *work, const YamlNode *map, int64_t *count, const char *const **items);
/* Puts the place of the parameter that an error names (or of the map itself) into the error. */
Status node_place(Work *work, const YamlNode *map, Status status);

/* A path written in a file of this folder. Absolute ones and "-" stay. */
const char *path_beside(Work *work, const char *folder, const char *path);
const char *path_folder(Work *work, const char *path); /* "" for the working folder */
#endif
