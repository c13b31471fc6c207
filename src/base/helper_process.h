/* Work in a process of its own: a library that ends its program where memory runs out ends that process alone. */
#ifndef SCRIM_BASE_HELPER_PROCESS_H
#define SCRIM_BASE_HELPER_PROCESS_H
#include "base/shared_ring.h"
#include "base/work.h"

/* Runs `body` in a child that begins with a copy of everything here, and waits. What comes back: its status and error, progress (as
 * `doing`), and what it wrote to files that were open; whatever it allocated or changed in memory does not. A child that ends before its
 * body does is FAILED, and so is one that noted lost memory; one that is asked to stop, through `work`, is ended. `body` starts no thread.
 */
MUST_CHECK Status helper_run(Work *work, const char *doing, Status (*body)(void *self), void *self);
/* The same, and what the child sends by the channel is taken here, block by block and in order, while it goes on. What `take` says other
 * than OK ends the child, and is the answer; OK means that all was taken. */
MUST_CHECK Status helper_stream(Work *work, Status (*fill)(void *self, SharedRing *to),
                                Status (*take)(void *self, const char *bytes, size_t count), void *self);
#endif
