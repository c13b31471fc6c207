/* ZIP archives (PKWARE APPNOTE 4.3): entries without compression, without dates, and the directory behind them. */
#include "io/office/zip_write.h"
#include <string.h>
#include <zlib.h>

enum { VERSION = 20, DAY = 0x21 /* 1980-01-01 */ };

static void put_number(Buffer *out, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++) buffer_char(out, (char)(value >> (8 * i)));
}

/* What the header of an entry and its line in the directory have in common. */
static void put_entry(Buffer *to, const char *name, uint32_t check, uint32_t count) {
    put_number(to, VERSION, 2);
    put_number(to, 0x0800, 2); /* names are UTF-8 */
    put_number(to, 0, 2);
    put_number(to, 0, 2);
    put_number(to, DAY, 2);
    put_number(to, check, 4);
    put_number(to, count, 4);
    put_number(to, count, 4);
    put_number(to, (uint32_t)strlen(name), 2);
    put_number(to, 0, 2);
}

void zip_write_file(ZipWriter *zip, const char *name, const char *text, size_t count) {
    const uint32_t check = (uint32_t)crc32_z(0, (const unsigned char *)text, count), at = (uint32_t)zip->bytes.count;
    put_number(&zip->directory, 0x02014b50, 4);
    put_number(&zip->directory, VERSION, 2);
    put_entry(&zip->directory, name, check, (uint32_t)count);
    put_number(&zip->directory, 0, 4);
    put_number(&zip->directory, 0, 2);
    put_number(&zip->directory, 0, 4);
    put_number(&zip->directory, at, 4);
    buffer_text(&zip->directory, name);
    put_number(&zip->bytes, 0x04034b50, 4);
    put_entry(&zip->bytes, name, check, (uint32_t)count);
    buffer_text(&zip->bytes, name);
    buffer_add(&zip->bytes, text, count);
    zip->files++;
}

bool zip_write_end(ZipWriter *zip) {
    const uint32_t start = (uint32_t)zip->bytes.count;
    buffer_add(&zip->bytes, zip->directory.bytes, zip->directory.count);
    put_number(&zip->bytes, 0x06054b50, 4);
    put_number(&zip->bytes, 0, 4);
    put_number(&zip->bytes, (uint32_t)zip->files, 2);
    put_number(&zip->bytes, (uint32_t)zip->files, 2);
    put_number(&zip->bytes, (uint32_t)zip->directory.count, 4);
    put_number(&zip->bytes, start, 4);
    put_number(&zip->bytes, 0, 2);
    return !zip->bytes.failed && !zip->directory.failed && zip->bytes.count < UINT32_MAX;
}

void zip_write_free(ZipWriter *zip) {
    buffer_free(&zip->bytes);
    buffer_free(&zip->directory);
}
