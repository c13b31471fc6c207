/* GMP's memory: a failure to get any must not end the host. */
#ifndef SCRIM_BASE_WHOLE_MEMORY_H
#define SCRIM_BASE_WHOLE_MEMORY_H
/* Once per process, where GMP's allocator is still its own: where the system has no memory, GMP is served from a reserve and the loss is
 * noted (memory_lost), so that the method ends with an error and frees what it holds. A host that has set an allocator keeps it. */
void whole_memory(void);
#endif
