/* Memory that is given back all at once. Large blocks can be given back early. */
#ifndef SCRIM_BASE_ARENA_H
#define SCRIM_BASE_ARENA_H
#include "base/status.h"

typedef struct Arena Arena;
Arena *arena_new(void); /* NULL when memory is out */
/* All of it; NULL is harmless. */
void arena_free(Arena *arena);
/* Zeroed, aligned to 64 bytes when large. Refuses (FAILED, says how much) what this machine cannot hold. count 0 gives a valid pointer. */
MUST_CHECK Status arena_array(Arena *arena, int64_t count, size_t size, void *out_pointer, Error *error);
/* Gives one block back early; it must have come from arena_array of this arena. NULL is harmless. Small blocks are kept until the end. */
void arena_drop(Arena *arena, void *block);
char *arena_text(Arena *arena, const char *text);                      /* a copy; NULL when memory is out or text is NULL */
char *arena_print(Arena *arena, const char *format, ...) FORMAT(2, 3); /* NULL when memory is out */
/* For free(): not zeroed, aligned to 64 bytes; NULL when memory is out. What is large begins at a large page and asks for such: far fewer
 * page faults while it is filled. */
void *memory_new(size_t bytes);
/* What was freed goes back to the system, where the C library keeps it for later: to be called between large pieces of work, of which the
 * next one needs other memory. */
void memory_return(void);
uint64_t memory_left(void); /* bytes that this machine, and what limits this process, have left */
/* OK where this machine can hold `bytes` more. */
MUST_CHECK Status memory_fits(uint64_t bytes, Error *error);
#endif
