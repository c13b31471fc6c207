/* What must hold of the arrays of an Arrow file before they are used. */
#include "io/arrow/ipc_validate.h"
#include <stdlib.h>
#include <string.h>

size_t ipc_bytes_of(const char *format, int64_t length) {
    if (format[0] == 'n') return 0;
    if (format[0] == 'v') return (size_t)length * 16;
    if (format[0] == 'd') return (size_t)length * (size_t)(atoi(strrchr(format, ',') + 1) / 8);
    if (!strcmp(format, "b")) return (size_t)(length + 7) / 8;
    if (!strcmp(format, "tdm") || format[0] == 't') return (size_t)length * (strcmp(format, "tdD") ? 8 : 4);
    return (size_t)length * (strchr("cC", format[0]) ? 1 : strchr("sSe", format[0]) ? 2 : strchr("iIf", format[0]) ? 4 : 8);
}

bool ipc_offsets_hold(bool large, const void *offsets, int64_t length, size_t bytes) {
    const int64_t *wide = offsets;
    const int32_t *narrow = offsets;
    int64_t last = large ? wide[0] : narrow[0];
    if (last < 0) return false;
    for (int64_t i = 1; i <= length; i++) {
        int64_t next = large ? wide[i] : narrow[i];
        if (next < last) return false;
        last = next;
    }
    return (uint64_t)last <= bytes;
}

bool ipc_views_hold(const struct ArrowArray *array, const size_t *size) {
    const uint8_t *valid = array->buffers[0];
    for (int64_t i = 0; i < array->length; i++) {
        int32_t view[4];
        if (valid && !((valid[i >> 3] >> (i & 7)) & 1)) continue;
        memcpy(view, (const char *)array->buffers[1] + 16 * i, sizeof view);
        if (view[0] < 0) return false;
        if (view[0] <= 12) continue;
        if (view[2] < 0 || view[2] >= array->n_buffers - 2 || view[3] < 0) return false;
        if ((size_t)view[3] > size[view[2]] || (size_t)view[0] > size[view[2]] - (size_t)view[3]) return false;
    }
    return true;
}

bool ipc_indexes_hold(const char *index_format, const struct ArrowArray *array, int64_t words) {
    const uint8_t *valid = array->buffers[0];
    for (int64_t i = 0; i < array->length; i++) {
        if (valid && !((valid[i >> 3] >> (i & 7)) & 1)) continue;
        int64_t index = 0;
        size_t width = ipc_bytes_of(index_format, 1);
        memcpy(&index, (const char *)array->buffers[1] + (size_t)i * width, width);
        if (width < 8 && strchr("csi", index_format[0]) && (index >> (8 * width - 1) & 1)) return false;
        if (index < 0 || index >= words) return false;
    }
    return true;
}
