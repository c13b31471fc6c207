/* Roles: what the columns are to an intruder, and what else fills parameters by name. */
#ifndef SCRIM_RECIPE_ROLES_H
#define SCRIM_RECIPE_ROLES_H
#include "recipe/yaml_args.h"

typedef struct Roles {
    const YamlNode *node; /* where they were written; NULL: none */
    Args args;            /* for the binder */
    Args all;             /* the same with identifiers and other, for single methods and the steps of a recipe */
    int64_t identifiers;  /* columns that no release may have */
    const char **identifier;
    int64_t others; /* columns that were looked at and found harmless */
    const char **other;
} Roles;

/* A role is the name of a parameter (or of its `.role`) of some method, or `identifiers`; any other is an error that names the nearest.
 * Paths (hierarchies, population, …) are relative to `folder`. */
MUST_CHECK Status roles_make(Work *work, const YamlNode *node, const char *folder, Roles *out);
MUST_CHECK Status roles_read(Work *work, const char *path, Roles *out);
/* Columns that the roles name must be in the table; identifiers may be gone, unless the table is the original. */
MUST_CHECK Status roles_check(Work *work, const Roles *roles, const Table *table, bool original);
/* Does any role name this column? */
bool roles_decide(const Roles *roles, const char *column);
/* The table without the identifiers (all that are there); `dropped` says how many. */
MUST_CHECK Status roles_drop(Work *work, const Roles *roles, const Table *table, Table **out, int64_t *dropped);
/* The same without the columns of free text. */
MUST_CHECK Status roles_drop_notes(Work *work, Roles *roles, const Table *table, Table **out);
/* The roles that a result of `inspect` suggests, as a roles file. False where the result has none. */
bool roles_suggested(const Result *result, Buffer *out);
/* Has it one column, as weight, household and person have? */
bool role_is_single(const char *role);
/* What kind of parameter a role fills; KIND_END where none has that name. */
Kind role_kind(const char *name);
#endif
