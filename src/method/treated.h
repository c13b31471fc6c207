/* What a method did to each column of its output, behind what was done before. */
#ifndef SCRIM_METHOD_TREATED_H
#define SCRIM_METHOD_TREATED_H
#include "method/bind.h"

/* A column that the method says it treated has that behind its earlier treatments; one whose values stayed, or were suppressed, keeps them;
 * any other was changed otherwise. */
MUST_CHECK Status treatments_follow(const Binding *binding, Table *output);
#endif
