/* What makes two requests of a method the same, read off its declaration: every parameter counts but those marked BOOKKEEPING, and ledgers.
 * A parameter that is added later counts by itself, so that nobody can forget it and get another request's answer. */
#ifndef SCRIM_METHOD_IDENTITY_H
#define SCRIM_METHOD_IDENTITY_H
#include "method/method.h"

typedef struct IdentityWriter {
    void *self;
    /* Writes what a table holds (NULL: there is none). */
    Status (*table)(void *self, const Table *table, Buffer *out, Error *error);
    /* A parameter with a form of its own, such as a query as it was understood: true where it wrote it. May be NULL. */
    bool (*own)(void *self, const Param *param, Buffer *out);
} IdentityWriter;
/* `args` is the struct that the binder filled. Values are written as bound, so that 0.1 and 0.10 are the same; texts, columns and
 * expressions with their length, so that no two run together alike. FAILED where memory runs out. */
MUST_CHECK Status method_identity(const Method *method, const void *args, const IdentityWriter *writer, Buffer *out, Error *error);
/* Writes text with its length before it. */
void identity_text(Buffer *out, const char *text);
#endif
