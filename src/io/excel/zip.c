/* ZIP archives: the directory at the end, and what it points to. */
#include "io/excel/zip.h"
#include <string.h>
#include <strings.h>
#include <zlib.h>

static uint32_t number(const unsigned char *at, int bytes) {
    uint32_t value = 0;
    for (int i = bytes - 1; i >= 0; i--) value = value << 8 | at[i];
    return value;
}

/* The record of the end stands behind everything but a comment of at most 65,535 bytes. */
bool zip_open(Zip *zip, const char *bytes, size_t count) {
    enum { END = 22 };
    *zip = (Zip){ .at = (const unsigned char *)bytes, .size = count };
    if (count < END) return false;
    for (size_t back = END; back <= count && back <= END + 65535; back++) {
        const unsigned char *end = zip->at + count - back;
        if (number(end, 4) != 0x06054b50) continue;
        zip->entries = number(end + 10, 2);
        zip->directory = number(end + 16, 4);
        return zip->directory <= count;
    }
    return false;
}

/* The entry's bytes follow its own header, whose name and extras may differ in length from the directory's. */
static bool locate(const Zip *zip, const unsigned char *entry, ZipFile *out) {
    enum { LOCAL = 30 };
    size_t header = number(entry + 42, 4);
    unsigned method = number(entry + 10, 2);
    if (header > zip->size || zip->size - header < LOCAL || number(zip->at + header, 4) != 0x04034b50) return false;
    if ((number(entry + 8, 2) & 1) || (method != 0 && method != 8)) return false;
    size_t data = header + LOCAL + number(zip->at + header + 26, 2) + number(zip->at + header + 28, 2);
    *out = (ZipFile){ .packed = number(entry + 20, 4),
                      .size = number(entry + 24, 4),
                      .deflated = method == 8,
                      .check = number(entry + 16, 4) };
    if (data > zip->size || out->packed > zip->size - data || (!out->deflated && out->packed != out->size)) return false;
    out->at = zip->at + data;
    return true;
}

bool zip_find(const Zip *zip, const char *name, ZipFile *out) {
    enum { ENTRY = 46 };
    size_t at = zip->directory, length = strlen(name);
    for (size_t i = 0; i < zip->entries; i++) {
        if (zip->size - at < ENTRY || number(zip->at + at, 4) != 0x02014b50) return false;
        size_t named = number(zip->at + at + 28, 2), rest = named + number(zip->at + at + 30, 2) + number(zip->at + at + 32, 2);
        if (zip->size - at - ENTRY < rest) return false;
        if (named == length && !strncasecmp((const char *)zip->at + at + ENTRY, name, length)) return locate(zip, zip->at + at, out);
        at += ENTRY + rest;
    }
    return false;
}

bool zip_read(const ZipFile *file, bool (*take)(void *self, const char *bytes, size_t count), void *self) {
    enum { PART = 1 << 16 };
    unsigned char part[PART];
    if (!file->deflated)
        return crc32(0, file->at, (unsigned)file->size) == file->check && (take(self, (const char *)file->at, file->size), true);
    z_stream stream = { .next_in = (unsigned char *)(uintptr_t)file->at, .avail_in = (unsigned)file->packed };
    if (inflateInit2(&stream, -15) != Z_OK) return false;
    uLong check = crc32(0, NULL, 0);
    int answer = Z_OK;
    bool wanted = true;
    while (answer == Z_OK && wanted) {
        stream.next_out = part;
        stream.avail_out = PART;
        answer = inflate(&stream, Z_NO_FLUSH);
        size_t count = PART - stream.avail_out;
        if (answer != Z_OK && answer != Z_STREAM_END) break;
        if (!count && answer == Z_OK && !stream.avail_in) break;
        check = crc32(check, part, (unsigned)count);
        if (count) wanted = take(self, (const char *)part, count);
    }
    inflateEnd(&stream);
    return !wanted || (answer == Z_STREAM_END && stream.total_out == file->size && check == file->check);
}
