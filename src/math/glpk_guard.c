/* GLPK's hooks, and when its environment went. */
#include "math/glpk_guard.h"
#include <glpk.h>
#include "base/elementary.h"

static _Thread_local int failures;

static void leap(void *info) { longjmp(*(jmp_buf *)info, 1); }

static int swallow(void *info, const char *text) {
    (void)info;
    (void)text;
    return 1;
} /* what GLPK would print, errors too */

void glpk_guard(jmp_buf *back) {
    glp_error_hook(leap, back);
    glp_term_hook(swallow, NULL);
}

void glpk_unguard(void) {
    glp_error_hook(NULL, NULL);
    glp_term_hook(NULL, NULL);
}

void glpk_failed(void) {
    glp_free_env();
    failures++;
}

int glpk_failures(void) { return failures; }

int glpk_bound_kind(double low, double high) {
    if (!isfinite(low) && !isfinite(high)) return GLP_FR;
    if (!isfinite(high)) return GLP_LO;
    if (!isfinite(low)) return GLP_UP;
    return low == high ? GLP_FX : GLP_DB;
}
