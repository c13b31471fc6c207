/* Jansson's memory: text that could not be read for want of it must not be told as text that is no JSON. */
#ifndef SCRIM_BASE_JSON_MEMORY_H
#define SCRIM_BASE_JSON_MEMORY_H
/* Once per process, where Jansson's allocator is still malloc: memory that it does not get is noted (memory_lost), since Jansson itself
 * tells it as an error of syntax. A host that has set an allocator keeps it; the shared library
 * stays loaded, regardless of who closes it. */
void json_memory(void);
#endif
