/* Work in a process of its own: a library that ends its program where memory runs out ends that process alone. */
#ifndef SCRIM_BASE_HELPER_PROCESS_H
#define SCRIM_BASE_HELPER_PROCESS_H
#include "base/shared_ring.h"
#include "base/work.h"

/* Runs `body` in a child that begins with a copy of everything here, and waits. What comes back: its status and error, progress (as
 * `doing`), and what it wrote to files that were open; whatever it allocated or changed in memory does not. A child that ends before its
 * body does is FAILED, and so is one that noted lost memory; one that is asked to stop, through `work`, is ended. `body` starts no thread that outlives it.
 */
MUST_CHECK Status helper_run(Work *work, const char *doing, Status (*body)(void *self), void *self);
/* The same, and what the child sends by the channel is taken here, block by block and in order, while it goes on. What `take` says other
 * than OK ends the child, and is the answer; OK means that all was taken. */
MUST_CHECK Status helper_stream(Work *work, Status (*fill)(void *self, SharedRing *to),
                                Status (*take)(void *self, const char *bytes, size_t count), void *self);
/* The same, where the caller asks for one block after the other, in parts of its own: a child that works while nobody asks waits as soon
 * as the channel is full. By one thread, which does not end before helper_close: the system ends the child with the thread that made it. */
typedef struct HelperStream HelperStream;
MUST_CHECK Status helper_open(Work *work, Status (*fill)(void *self, SharedRing *to), void *self, HelperStream **out);
/* The next block, the caller's until the next call; count 0 at the end. The child's own status where it failed. */
MUST_CHECK Status helper_next(HelperStream *stream, Work *work, const char **bytes, size_t *count);
void helper_close(HelperStream *stream); /* ends the child; NULL harmless */
#endif
