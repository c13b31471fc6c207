/* Bytes from a child to its parent, in blocks of memory that both see: no descriptor that a host may have closed or handed on, no signal.
 */
#ifndef SCRIM_BASE_SHARED_RING_H
#define SCRIM_BASE_SHARED_RING_H
#include "base/status.h"

typedef struct SharedRing SharedRing;
enum { RING_BLOCK = 1 << 18 };
/* Before the fork; NULL when memory is out. */
SharedRing *ring_new(void);
void ring_free(SharedRing *channel); /* NULL harmless */

/* In the child. The block that is to be filled, once the parent has one to spare; then it is sent with so many bytes, 0 for the end. */
char *ring_block(SharedRing *channel);
void ring_send(SharedRing *channel, size_t count);

/* In the parent. The next block that was sent, within so many milliseconds; false where there is none. It is the parent's until it is given
 * back. */
bool ring_take(SharedRing *channel, int milliseconds, const char **bytes, size_t *count);
void ring_back(SharedRing *channel);
#endif
