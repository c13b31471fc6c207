/* Parameters: declared beside the method, checked in one place, and read off by help, completion, docs, schema and bindings. */
#ifndef SCRIM_METHOD_PARAM_H
#define SCRIM_METHOD_PARAM_H
#include "base/elementary.h"
#include "table/expr.h"
#include "table/formula.h"
#include "table/schema.h"
#include "table/table.h"

typedef struct Ledger Ledger; /* ledger/ledger.h */

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
    RULE_ONE_OF,
    RULE_ONLY_IF,
    RULE_ONLY_WITH
} Kind;
typedef enum {
    REQUIRED = 1,
    POSITIONAL = 2,
    NUMERIC = 4,    /* columns: must hold numbers */
    SECRET = 8,     /* never in params, manifests or errors */
    EXCLUSIVE = 16, /* reals: the bounds themselves are excluded */
    AS_TEXT = 32,   /* tables: every line a record, every cell text as it stands (hierarchies) */
    WHOLE = 64,     /* texts: a word of argv is one of them, commas and all; the option is given again for the next */
    IF_THERE =
        512, /* columns: names that the table does not have are passed over where a role fills them (identifiers that were removed) */
    UNAPPLIED = 256,  /* schemas: the table stays as its file has it */
    BOOKKEEPING = 128 /* changes neither an answer, its noise nor what may be shown (who asks, who pays, how it is displayed): no part of
                         what makes two requests the same (method/identity.h) */
} ParamFlag;

typedef struct Reals {
    int64_t count;
    double *at;
} Reals;
typedef struct Texts {
    int64_t count;
    const char **at;
} Texts;
typedef struct Tables {
    int64_t count;
    const char **name;
    const Table **at;
} Tables;
typedef struct Groups {
    int64_t count;
    Columns *at;
} Groups;
/* "x:lo:hi", split from the right into `parts` pieces after the name. number[i] is NaN where text[i] is no number. */
typedef struct Pair {
    const char *name;
    const char *text[3];
    double number[3];
} Pair;
typedef struct Pairs {
    int64_t count;
    Pair *at;
} Pairs;

typedef struct Param {
    Kind kind;
    unsigned flags;
    const char *name; /* the field's name; '_' is '-' outside */
    size_t offset;
    const char *preset; /* the default of a text, a choice or a list; NULL = none. param_preset has every kind's */
    double number;      /* the default of a number; NaN or ABSENT = none */
    double least, most;
    const char *of;           /* the table parameter that columns, expressions and formulas refer to; "BOTH" = every table parameter */
    const char *role;         /* the role that fills it; NULL = its own name */
    const char *const *words; /* choices; or the names in a rule */
    int parts;                /* PAIRS: pieces after the name */
    const char *help;
} Param;

#define ABSENT INT64_MIN /* an optional whole number not given; an absent real is NaN, the rest NULL or count 0 */

/* A field of the wrong type does not compile: _Generic has no default association. */
#define PARAM_FIELD(S, f, T) (_Generic(((S *)0)->f, T : offsetof(S, f)))
#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define PARAM(K, S, f, T, ...)                                                                                                             \
    { .kind = K, .name = #f, .offset = PARAM_FIELD(S, f, T), __VA_ARGS__ }
#define INT(S, f, d, lo, hi, h, ...)                                                                                                       \
    PARAM(KIND_INT, S, f, int64_t, .number = (double)(d), .least = (lo), .most = (hi), .help = h, __VA_ARGS__)
#define REAL(S, f, d, lo, hi, h, ...) PARAM(KIND_REAL, S, f, double, .number = (d), .least = (lo), .most = (hi), .help = h, __VA_ARGS__)
#define FLAG(S, f, h, ...) PARAM(KIND_FLAG, S, f, bool, .help = h, __VA_ARGS__)
#define TEXT(S, f, d, h, ...) PARAM(KIND_TEXT, S, f, const char *, .preset = d, .help = h, __VA_ARGS__)
/* The field is an enum in the order of the words (gcc and clang make it unsigned). */
#define CHOICE(S, f, d, h, w, ...) PARAM(KIND_CHOICE, S, f, unsigned, .preset = d, .help = h, .words = w, __VA_ARGS__)
#define TABLE(S, f, h, ...) PARAM(KIND_TABLE, S, f, const Table *, .help = h, __VA_ARGS__)
#define TABLES(S, f, h, ...) PARAM(KIND_TABLES, S, f, Tables, .help = h, __VA_ARGS__)
#define COLUMN(S, f, t, h, ...) PARAM(KIND_COLUMN, S, f, const Column *, .of = #t, .help = h, __VA_ARGS__)
#define COLUMNS(S, f, t, h, ...) PARAM(KIND_COLUMNS, S, f, Columns, .of = #t, .help = h, __VA_ARGS__)
#define EXPR(S, f, t, h, ...) PARAM(KIND_EXPR, S, f, const Expr *, .of = #t, .help = h, __VA_ARGS__)
#define FORMULA(S, f, t, h, ...) PARAM(KIND_FORMULA, S, f, const Formula *, .of = #t, .help = h, __VA_ARGS__)
#define REALS(S, f, lo, hi, h, ...) PARAM(KIND_REALS, S, f, Reals, .least = (lo), .most = (hi), .help = h, __VA_ARGS__)
#define TEXTS(S, f, h, ...) PARAM(KIND_TEXTS, S, f, Texts, .help = h, __VA_ARGS__)
#define PAIRS(S, f, n, h, ...) PARAM(KIND_PAIRS, S, f, Pairs, .parts = n, .help = h, __VA_ARGS__)
#define GROUPS(S, f, t, h, ...) PARAM(KIND_GROUPS, S, f, Groups, .of = #t, .help = h, __VA_ARGS__)
#define LEDGER(S, f, h, ...) PARAM(KIND_LEDGER, S, f, Ledger *, .help = h, __VA_ARGS__)
/* What is public about table `t` (table/schema.h); the binder hands the method that table as the schema says it is. */
#define SCHEMA(S, f, t, h, ...) PARAM(KIND_SCHEMA, S, f, const Schema *, .of = #t, .help = h, __VA_ARGS__)
/* Rules stand in the same table. Exactly one of these must be given; this one only where that choice has this value. */
#define ONE_OF(...)                                                                                                                        \
    { .kind = RULE_ONE_OF, .words = WORDS(__VA_ARGS__) }
#define ONLY_IF(param, choice, ...)                                                                                                        \
    { .kind = RULE_ONLY_IF, .name = param, .of = choice, .words = WORDS(__VA_ARGS__) }
/* This one only where one of those is given too. */
#define ONLY_WITH(param, ...)                                                                                                              \
    { .kind = RULE_ONLY_WITH, .name = param, .words = WORDS(__VA_ARGS__) }
#define END                                                                                                                                \
    { .kind = 0 }

/* The same thing said once: parameters that many methods share. */
#define KEYS(S, t, ...) COLUMNS(S, keys, t, "Quasi-identifiers (key variables): columns that an intruder may know", __VA_ARGS__)
#define WEIGHT(S, t) COLUMN(S, weight, t, "Sampling weights", .flags = NUMERIC)
/* Whose a record is: classes then count distinct people. A record without a value is a person of its own. */
#define PERSON(S, t) COLUMN(S, person, t, "Column that identifies the person: if people have several records, people are counted")
/* Releases over time (intruder/earlier_releases.h). */
#define PREVIOUS(S) TABLES(S, previous, "Earlier releases of the same people: what an intruder learns from all releases together")
/* What an intruder knows of a person who has several records (classes/histories.h). */
#define KNOWS(S)                                                                                                                           \
    TEXT(S, knows, NULL,                                                                                                                   \
         "How many of a person's records the intruder knows: one (the default), all, or a number. If not all, those that match the "       \
         "fewest people")
#define MISSING_RULE(S)                                                                                                                    \
    CHOICE(S, missing, "category",                                                                                                         \
           "Missing keys: category = a value of its own; wildcard = agrees with every value (sdcMicro's rule, for comparison)",            \
           WORDS("wildcard", "category"))

/* Kim's z, undone by anyone who knows a. */
#define UNSCALE(S)                                                                                                                         \
    REAL(S, scale, NAN, 0, 1e6,                                                                                                            \
         "Kim's a, where the release is z = a·y + b with the means kept (protect noise --scale): its numbers are stretched back to "      \
         "mean + (z − mean)/a first, as an intruder who knows a does",                                                                     \
         .flags = EXCLUSIVE)

/* `more`: further flags, or 0 */
#define HIERARCHIES(S, more)                                                                                                               \
    TABLES(S, hierarchies, "Folder of hierarchies: COLUMN.csv or *_hierarchy_COLUMN.csv, a row per value, a column per level",             \
           .flags = AS_TEXT | (more))

void param_dashed(const Param *param, char out[64]); /* its name outside: max-suppression */
const char *param_preset(const Param *param,
                         char out[33]); /* its default as text, which the binder reads as what is given; NULL where it has none */
bool param_is(const Param *param, const char *name); /* `name` with dashes or underscores */
const char *kind_name(Kind kind);                    /* "int", "columns", … */
bool kind_is_list(Kind kind);                        /* argv splits it at commas */
bool kind_is_file(Kind kind);                        /* its text names what is read from files */
#endif
