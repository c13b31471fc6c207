/* The root of a function of one variable that a bracket holds. */
#ifndef SCRIM_MATH_ROOT_H
#define SCRIM_MATH_ROOT_H
#include "base/status.h"

typedef double RootFunction(double x, void *data);

/* Narrows [*low, *high], where the function is above 0 at *low and 0 or below it at *high, until it is no wider than `width`. Both ends keep
 * their signs, so the caller may take the side that errs as it should. FAILED where the function gives a value that is no number. */
MUST_CHECK Status root_narrow(RootFunction *function, void *data, double *low, double *high, double width, Error *error);
#endif
