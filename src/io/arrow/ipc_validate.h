/* What must hold of the arrays of an Arrow file before they are used. */
#ifndef SCRIM_IO_ARROW_IPC_VALIDATE_H
#define SCRIM_IO_ARROW_IPC_VALIDATE_H
#include <stdbool.h>
#include <stddef.h>
#include "io/arrow/arrow.h"

size_t ipc_bytes_of(const char *format, int64_t length); /* that so many cells need; of text, nothing is said */
/* Offsets of text must grow, from 0 or more to no more than there are bytes. */
bool ipc_offsets_hold(bool large, const void *offsets, int64_t length, size_t bytes);
/* A view of more than 12 bytes lies within one of the buffers behind the views, of these sizes. */
bool ipc_views_hold(const struct ArrowArray *array, const size_t *size);
/* Indexes must lie within the dictionary of so many words. */
bool ipc_indexes_hold(const char *index_format, const struct ArrowArray *array, int64_t words);
#endif
