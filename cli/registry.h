/* The declarations as the library describes them: what help, completion, the man page and docs/ are made from. */
#ifndef SCRIM_CLI_REGISTRY_H
#define SCRIM_CLI_REGISTRY_H
#include "text.h"

typedef enum {
    KIND_END,
    KIND_INT,
    KIND_REAL,
    KIND_FLAG,
    KIND_TEXT,
    KIND_CHOICE,
    KIND_COLUMN,
    KIND_COLUMNS,
    KIND_TABLE,
    KIND_TABLES,
    KIND_EXPR,
    KIND_FORMULA,
    KIND_REALS,
    KIND_TEXTS,
    KIND_PAIRS,
    KIND_GROUPS,
    KIND_LEDGER,
    KIND_SCHEMA,
    KIND_OTHER,
    RULE_ONE_OF,
    RULE_ONLY_IF,
    RULE_ONLY_WITH
} Kind;
enum { REQUIRED = 1, POSITIONAL = 2, NUMERIC = 4, EXCLUSIVE = 8 };

/* A parameter; or a rule: `name` is the parameter it is about, `of` the choice, `words` the parameters or values that it names. */
typedef struct Param {
    Kind kind;
    unsigned flags;
    const char *name, *type; /* type: the kind's name */
    const char *preset, *of, *role, *help;
    double least, most; /* least < most where it is bounded */
    const char **words; /* NULL ends them */
    int parts;
} Param;

typedef enum { RETURN_END, RETURN_VALUE, RETURN_TABLE, RETURN_RECORD, RETURN_OUTPUT } ReturnKind;
typedef struct Return {
    ReturnKind kind;
    const char *name, *type, *columns, *meaning;
} Return;

typedef struct Method {
    const char *id;      /* as the library calls it: risk.suda, audit */
    const char *command; /* as people do: risk suda, audit */
    const char *group, *name, *summary, *source, *example, *instead;
    bool verb, random, frequency;
    const char **disclosure; /* the kinds it bears on; NULL ends them */
    Param *params;           /* ended by KIND_END, rules last */
    Return *values;          /* ended by RETURN_END */
} Method;

int64_t methods_count(void); /* verbs too, which come last */
const Method *methods_at(int64_t index);
const Method *method_named(const char *id);                        /* NULL where there is none */
const Param *method_param(const Method *method, const char *name); /* NULL where there is none; rules are not found */
const Param *common_params(void);                                  /* of every method */
bool is_group(const char *word);                                   /* of methods */
const char *number_text(double value, char out[33]);               /* with the fewest digits that read back the same */
#endif
