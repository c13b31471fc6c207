/* A result that shares no cell with memory that is another's. */
#ifndef SCRIM_RESULT_DETACH_H
#define SCRIM_RESULT_DETACH_H
#include "result/result.h"

/* Copies the columns of its outputs, tables and records that lie over somebody else's cells, here and in the results within, and lets its
 * inputs go. Only before the result is shared. */
MUST_CHECK Status result_detach(Result *result, Error *error);
#endif
