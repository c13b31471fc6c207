/* What keeps GLPK from ending the process, shared by all that call it. */
#ifndef SCRIM_MATH_GLPK_GUARD_H
#define SCRIM_MATH_GLPK_GUARD_H
#include <setjmp.h>

/* From here on this thread's GLPK leaps to `back` where it fails, and prints nothing; until glpk_unguard. */
void glpk_guard(jmp_buf *back);
void glpk_unguard(void);
/* After such a leap: GLPK's environment, which is per thread in Debian's build, is thrown away with all that this thread's programs held.
 */
void glpk_failed(void);
int glpk_failures(void); /* of this thread so far: a program made before the last of them is gone */

int glpk_bound_kind(double low, double high);
#endif
