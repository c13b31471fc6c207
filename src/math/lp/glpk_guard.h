/* What keeps GLPK from ending the process, and from meddling with a host's use of it; shared by all that call it. */
#ifndef SCRIM_MATH_LP_GLPK_GUARD_H
#define SCRIM_MATH_LP_GLPK_GUARD_H
#include "base/status.h"

/* GLPK has one environment per thread, with its hooks and all of that thread's programs, and no way to ask what the hooks are. Where this
 * thread has none, it is ours from the first glpk_enter to the last glpk_leave, and then gone. Where it has one, it is the host's, and what
 * is called here runs in a thread of its own, with an environment of its own. */
MUST_CHECK Status glpk_enter(Error *error);
void glpk_leave(void);
/* Between the two: a body that calls GLPK, which prints nothing. False where GLPK failed inside it: its environment is thrown away then,
 * with all programs that were made since glpk_enter. Setters and readers that only look into a program need no call. */
bool glpk_call(void (*body)(void *), void *with);
int glpk_failures(void); /* of this thread so far: a program made before the last of them is gone */

int glpk_bound_kind(double low, double high);
#endif
