/* Bytes from a child to its parent, in blocks of memory that both see: no descriptor that a host may have closed or handed on, no signal.
 */
#ifndef SCRIM_BASE_CHANNEL_H
#define SCRIM_BASE_CHANNEL_H
#include "base/status.h"

typedef struct Channel Channel;
enum { CHANNEL_BLOCK = 1 << 18 };
/* Before the fork; NULL when memory is out. */
Channel *channel_new(void);
void channel_free(Channel *channel); /* NULL harmless */

/* In the child. The block that is to be filled, once the parent has one to spare; then it is sent with so many bytes, 0 for the end. */
char *channel_block(Channel *channel);
void channel_send(Channel *channel, size_t count);

/* In the parent. The next block that was sent, within so many milliseconds; false where there is none. It is the parent's until it is given
 * back. */
bool channel_take(Channel *channel, int milliseconds, const char **bytes, size_t *count);
void channel_back(Channel *channel);
#endif
