/* A ZIP archive of given parts, stored as they are, with right checksums: for tests of Excel's reader. */
#ifndef SCRIM_TESTS_STORED_ZIP_H
#define SCRIM_TESTS_STORED_ZIP_H
#include <string.h>
#include <zlib.h>
#include "base/text.h"

typedef struct ZipPart {
    const char *name, *text;
    size_t size;
} ZipPart;

static void zip_put(Buffer *out, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++) buffer_char(out, (char)(value >> (8 * i)));
}

/* What the header of an entry and its line in the directory have in common. */
static void zip_entry(Buffer *to, const ZipPart *part) {
    zip_put(to, 20, 2);
    zip_put(to, 0, 4);
    zip_put(to, 0, 4);
    zip_put(to, (uint32_t)crc32(0, (const unsigned char *)part->text, (unsigned)part->size), 4);
    zip_put(to, (uint32_t)part->size, 4);
    zip_put(to, (uint32_t)part->size, 4);
    zip_put(to, (uint32_t)strlen(part->name), 2);
    zip_put(to, 0, 2);
}

static Buffer zip_of(const ZipPart *parts, int count) {
    Buffer out = { 0 }, directory = { 0 };
    for (int i = 0; i < count; i++) {
        zip_put(&directory, 0x02014b50, 4);
        zip_put(&directory, 20, 2);
        zip_entry(&directory, &parts[i]);
        for (int j = 0; j < 5; j++) zip_put(&directory, 0, 2);
        zip_put(&directory, (uint32_t)out.count, 4);
        buffer_text(&directory, parts[i].name);
        zip_put(&out, 0x04034b50, 4);
        zip_entry(&out, &parts[i]);
        buffer_text(&out, parts[i].name);
        buffer_add(&out, parts[i].text, parts[i].size);
    }
    uint32_t start = (uint32_t)out.count;
    buffer_add(&out, directory.bytes, directory.count);
    zip_put(&out, 0x06054b50, 4);
    zip_put(&out, 0, 4);
    zip_put(&out, (uint32_t)count, 2);
    zip_put(&out, (uint32_t)count, 2);
    zip_put(&out, (uint32_t)directory.count, 4);
    zip_put(&out, start, 4);
    zip_put(&out, 0, 2);
    buffer_free(&directory);
    return out;
}
#endif
