/* What a method gives back, declared beside its parameters: help, docs, schema, policies and bindings read it off, and a test holds results
 * to it. */
#ifndef SCRIM_METHOD_RETURNS_H
#define SCRIM_METHOD_RETURNS_H
#include <stdbool.h>
#include <stdint.h>
#include "table/column.h"

typedef enum { RETURN_END, RETURN_VALUE, RETURN_TABLE, RETURN_RECORD, RETURN_OUTPUT } ReturnKind;
typedef enum {
    PUBLIC = 1,   /* may stand in a report for everyone: counts, rates, scores. What is not marked is for the data custodian alone, as is
                 * whatever tells an original extreme, a rare category, a seed, an original statistic in full, or what follows for one person */
    MORE = 2,     /* the more of it, the better */
    LESS = 4,     /* the less of it, the better */
    RELEASE = 16, /* an output of records in the input's place, protected or made up: it counts as released, and is judged as a release */
    KEEPERS = 8   /* an output that tells of records as they are: anyone who may not read what it was made from may not read it */
} ReturnFlag;

typedef struct Return {
    ReturnKind kind;
    Type type;           /* of a value or a per-record column */
    const char *name;    /* NULL for an output */
    const char *columns; /* of a table: "f:text classes:integer"; NULL where they depend on the input */
    const char *of;      /* of a per-record column: the table parameter whose records it is of; NULL = the first */
    unsigned flags;
    const char *meaning;
} Return;

#define VALUE(n, T, m, ...)                                                                                                                \
    { .kind = RETURN_VALUE, .name = #n, .type = T##_TYPE, .meaning = m, __VA_ARGS__ }
#define TABLE_OUT(n, c, m, ...)                                                                                                            \
    { .kind = RETURN_TABLE, .name = #n, .columns = c, .meaning = m, __VA_ARGS__ }
#define RECORD(n, T, m, ...)                                                                                                               \
    { .kind = RETURN_RECORD, .name = #n, .type = T##_TYPE, .meaning = m, __VA_ARGS__ }
#define OUTPUT(m, ...)                                                                                                                     \
    { .kind = RETURN_OUTPUT, .meaning = m, __VA_ARGS__ }
#define RELEASED(m, ...)                                                                                                                   \
    { .kind = RETURN_OUTPUT, .flags = RELEASE, .meaning = m, __VA_ARGS__ }
/* A list ends with END, as parameters do. */

/* A list is walked as `for (const Return *r = method->values; returns_more(r); r++)`; an absent list is an empty one. */
static inline bool returns_more(const Return *r) { return r && r->kind != RETURN_END; }
bool returns_release(const Return *list);                                          /* has it an output that is a release? */
const Return *returns_find(const Return *list, ReturnKind kind, const char *name); /* NULL where there is none */
#endif
