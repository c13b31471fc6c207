/* Edit rules: what must hold in every record. A table with a column `rule` of expressions, and perhaps `name`. */
#ifndef SCRIM_TABLE_EDIT_RULES_H
#define SCRIM_TABLE_EDIT_RULES_H
#include "table/expr.h"

/* "a -> b" stands for !(a) | b. A record breaks a rule where the expression is false; where it is missing, the rule says nothing. */
typedef struct EditRules {
    int64_t count;
    const char **name;
    const Expr **denied; /* true where the rule is broken */
} EditRules;
/* Parsed against `data`; a rule that does not parse or is not logical is BAD, with its row. */
MUST_CHECK Status edit_rules_make(Work *work, const Table *rules, const Table *data, EditRules *out);
/* broken[i] = how many rules record i of `table` breaks (any table with the data's columns); tally[r], where not NULL, counts the records
 * that break rule r. */
MUST_CHECK Status edit_rules_broken(Work *work, const EditRules *rules, const Table *table, int32_t *broken, int64_t *tally);
#endif
