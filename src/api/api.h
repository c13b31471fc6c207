/* The library's edge: what its files share. Public handles are the inner objects under another name. */
#ifndef SCRIM_API_API_H
#define SCRIM_API_API_H
#include "method/method.h"
#include "scrim.h"

static inline Table *api_table(const scrim_table *table) { return (Table *)(uintptr_t)table; }
static inline Result *api_result(const scrim_result *result) { return (Result *)(uintptr_t)result; }
/* Copies into a caller's struct, which may be older (smaller) than ours, or NULL. */
scrim_status api_error(Status status, const Error *from, scrim_error *to);
void api_error_back(const scrim_error *from, Error *to);
const Args *api_args(const scrim_args *args);
/* A Work of its own for one call. */
typedef struct Call { Arena *arena; Error error; Work work; } Call;
bool call_begin(Call *call);
void call_end(Call *call);
#endif
