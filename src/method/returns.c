/* What a method gives back: finding one by name. */
#include "method/returns.h"
#include <string.h>

const Return *returns_find(const Return *list, ReturnKind kind, const char *name) {
    for (const Return *r = list; returns_more(r); r++)
        if (r->kind == kind && r->name && !strcmp(r->name, name)) return r;
    return NULL;
}
