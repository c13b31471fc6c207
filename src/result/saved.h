/* Results that travel: the one form in which a result is saved, shipped and kept to be read back, value for value. What else is kept
 * between runs (a state, a fitted model) is a Result too: its numbers are values, its vectors and matrices tables, its parts results
 * within; `method` says whose it is. */
#ifndef SCRIM_RESULT_SAVED_H
#define SCRIM_RESULT_SAVED_H
#include "base/text.h"
#include "result/result.h"

/* JSON, one object: {"scrim": "result", "schema": 1, "version", "method", "params", "values", "records", "tables", "outputs", "charts",
 * "notes", "results"}. Unlike render_json it keeps every type, every cell of per-record columns and outputs, and what is public; of
 * a table also that it is a release, which columns were changed at random, what its rows stem from and how its cells add up. Secret
 * parameters are left out; so are the labels that a file gave columns. Bytes depend on the result alone: equal results give equal bytes. */
void result_save(const Result *result, Buffer *out);
/* Reads it back; whatever is not such an object, of a schema known here, is BAD. `name` is for errors. */
MUST_CHECK Status result_load(const char *name, const char *bytes, size_t count, Result **out, Error *error);
/* Equal in all that is saved. */
bool result_same(const Result *a, const Result *b);
#endif
