/* How a recipe's input is read: na, decimal, separator, types, encoding, sheet, codes, in its own words or the caller's. */
#ifndef SCRIM_RECIPE_READ_OPTIONS_H
#define SCRIM_RECIPE_READ_OPTIONS_H
#include "io/csv/csv.h"
#include "recipe/yaml_args.h"

/* The caller's way (NULL: the plain one), and over it what the recipe says; `node` may be NULL. */
MUST_CHECK Status read_options_make(Work *work, const CsvOptions *caller, const YamlNode *node, CsvOptions *out);
/* `"reading": {…}` with what differs from the plain way; nothing where nothing does. `lead` goes before it. */
void read_options_put(const CsvOptions *reading, const char *lead, Buffer *out);
#endif
