/* FlatBuffers: little-endian numbers at offsets. */
#include "io/arrow/flatbuffers.h"
#include <string.h>

/* ---- reading ---- */

static bool inside(Flatbuffer flat, size_t at, size_t bytes) { return at <= flat.size && bytes <= flat.size - at; }

int64_t flat_number(Flatbuffer flat, size_t at, int bytes) {
    uint64_t value = 0;
    if (!inside(flat, at, (size_t)bytes)) return 0;
    for (int i = bytes - 1; i >= 0; i--) value = value << 8 | flat.at[at + (size_t)i];
    int shift = 64 - 8 * bytes;
    return (int64_t)(value << shift) >> shift;
}

/* Follows the offset at a place; 0 where it leads outside. */
static size_t follow(Flatbuffer flat, size_t at) {
    if (!inside(flat, at, 4)) return 0;
    size_t to = at + (uint32_t)flat_number(flat, at, 4);
    return to > at && inside(flat, to, 4) ? to : 0;
}

size_t flat_root(Flatbuffer flat) { return follow(flat, 0); }

/* A table begins with the distance back to its list of slots: that list's size, the table's, then where each slot is within the table. */
static size_t slot_at(Flatbuffer flat, size_t table, int slot, size_t bytes) {
    if (!table || !inside(flat, table, 4)) return 0;
    int64_t list = (int64_t)table - flat_number(flat, table, 4);
    if (list < 0 || !inside(flat, (size_t)list, 4)) return 0;
    size_t size = (uint16_t)flat_number(flat, (size_t)list, 2), entry = 4 + 2 * (size_t)slot;
    if (entry + 2 > size || !inside(flat, (size_t)list + entry, 2)) return 0;
    size_t offset = (uint16_t)flat_number(flat, (size_t)list + entry, 2);
    return offset && inside(flat, table + offset, bytes) ? table + offset : 0;
}

int64_t flat_scalar(Flatbuffer flat, size_t table, int slot, int bytes, int64_t otherwise) {
    size_t at = slot_at(flat, table, slot, (size_t)bytes);
    return at ? flat_number(flat, at, bytes) : otherwise;
}

size_t flat_table(Flatbuffer flat, size_t table, int slot) {
    size_t at = slot_at(flat, table, slot, 4);
    return at ? follow(flat, at) : 0;
}

size_t flat_vector(Flatbuffer flat, size_t table, int slot, size_t item, int64_t *count) {
    size_t at = flat_table(flat, table, slot);
    *count = 0;
    if (!at) return 0;
    uint32_t items = (uint32_t)flat_number(flat, at, 4);
    if (items && !inside(flat, at + 4, items * item)) return 0;
    *count = items;
    return at + 4;
}

size_t flat_item(Flatbuffer flat, size_t items, int64_t index) { return follow(flat, items + 4 * (size_t)index); }

const char *flat_text(Flatbuffer flat, size_t table, int slot, size_t *length) {
    int64_t count;
    size_t at = flat_vector(flat, table, slot, 1, &count);
    *length = (size_t)count;
    return at ? (const char *)flat.at + at : NULL;
}

/* ---- writing ---- */

void flat_set(Buffer *out, size_t at, int64_t value, int bytes) {
    for (int i = 0; i < bytes && !out->failed; i++) out->bytes[at + (size_t)i] = (char)((uint64_t)value >> (8 * i));
}

static void put_zeros(Buffer *out, size_t count) {
    for (; count; count--) buffer_char(out, 0);
}
static void align_to(Buffer *out, size_t size, size_t before) { put_zeros(out, (size - (out->count + before) % size) % size); }

static void point(Buffer *out, size_t from) { flat_set(out, from, (int64_t)(out->count - from), 4); }

size_t flat_put_root(Buffer *out) {
    put_zeros(out, 4);
    return out->count - 4;
}

/* Slots in the order of their numbers, each aligned to its size; the list of slots comes before the table. */
void flat_put_table(Buffer *out, size_t from, FlatbufferSlot *slots, int count) {
    size_t offset[16] = { 0 }, size = 4, list = 4 + 2 * (size_t)count;
    for (int i = 0; i < count; i++) {
        size_t bytes = slots[i].bytes == FLAT_REFERENCE ? 4 : (size_t)slots[i].bytes;
        if (!bytes) continue;
        size = (size + bytes - 1) / bytes * bytes;
        offset[i] = size;
        size += bytes;
    }
    align_to(out, 8, list);
    size_t start = out->count;
    put_zeros(out, list + size);
    flat_set(out, start, (int64_t)list, 2);
    flat_set(out, start + 2, (int64_t)size, 2);
    size_t table = start + list;
    flat_set(out, table, (int64_t)list, 4);
    flat_set(out, from, (int64_t)(table - from), 4);
    for (int i = 0; i < count; i++) {
        if (!slots[i].bytes) continue;
        flat_set(out, start + 4 + 2 * (size_t)i, (int64_t)offset[i], 2);
        slots[i].at = table + offset[i];
        if (slots[i].bytes != FLAT_REFERENCE) flat_set(out, slots[i].at, slots[i].value, slots[i].bytes);
    }
}

void flat_put_text(Buffer *out, size_t from, const char *text) {
    align_to(out, 4, 0);
    point(out, from);
    size_t length = strlen(text), at = out->count;
    put_zeros(out, 4);
    flat_set(out, at, (int64_t)length, 4);
    buffer_add(out, text, length + 1);
}

size_t flat_put_vector(Buffer *out, size_t from, int64_t count, size_t item, size_t align) {
    align_to(out, align < 4 ? 4 : align, 4);
    point(out, from);
    size_t at = out->count;
    put_zeros(out, 4 + (size_t)count * item);
    flat_set(out, at, count, 4);
    return at + 4;
}
