/* What a method gives back: finding it in the declaration. */
#include "method/returns.h"
#include <string.h>

const Return *returns_find(const Return *list, ReturnKind kind, const char *name) {
    for (const Return *r = list; returns_more(r); r++)
        if (r->kind == kind && r->name && !strcmp(r->name, name)) return r;
    return NULL;
}

bool returns_release(const Return *list) {
    for (const Return *r = list; returns_more(r); r++)
        if (r->kind == RETURN_OUTPUT && r->flags & RELEASE) return true;
    return false;
}
