/* Parts of scrim that need a large library may be left out of a build (CMake's SCRIM_SQLITE, SCRIM_GLPK, …): SCRIM_WITHOUT_… is then
 * defined, the part's files are not compiled, and a file named absent.c in their folder answers in their place. */
#ifndef SCRIM_BASE_COMPONENT_H
#define SCRIM_BASE_COMPONENT_H
#include "base/status.h"

/* BAD: `what` (a format, a library, a kind of ledger) is not in this build. `option` is the one of CMake that adds it. */
static inline Status component_absent(Error *error, const char *what, const char *option) {
    fail(error, BAD, "this build of scrim has no %s", what);
    return error_advice(error, "Install a complete package, or build with -D%s=ON (see README).", option);
}
#endif
