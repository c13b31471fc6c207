/* A file's text: gzip and Zstandard unpacked, other encodings made UTF-8. */
#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>
#include "base/arena.h"
#include "io/csv/private.h"
#include "io/zstandard.h"

typedef struct Growing {
    char *bytes;
    size_t count, room;
} Growing;

/* Room for more, asking first whether the machine has it. */
static Status grow(Growing *out, Error *error) {
    if (out->room - out->count >= 1 << 16) return OK;
    size_t room = out->room ? out->room * 2 : 1 << 20;
    if (room > 1 << 25) {
        Status status = memory_fits(room - out->room, error);
        if (status) return status;
    }
    char *bytes = realloc(out->bytes, room);
    if (!bytes) return out_of_memory(error);
    out->bytes = bytes;
    out->room = room;
    return OK;
}

static Status broken(Error *error, const char *path, const char *kind) {
    fail(error, BAD, "is not a whole %s file", kind);
    error_advice(error, "It may have been cut short; copy or pack it again.");
    return error_file(error, path);
}

/* Members one after another, as gzip itself reads them. */
static Status unpack_gzip(const char *path, const Bytes *packed, Growing *out, Error *error) {
    z_stream stream = { 0 };
    if (inflateInit2(&stream, 15 + 16) != Z_OK) return out_of_memory(error);
    Status status = OK;
    size_t used = 0;
    int answer = Z_OK;
    while (used < packed->count || answer == Z_OK) {
        TRY(grow(out, error));
        size_t part = packed->count - used < 1 << 30 ? packed->count - used : 1 << 30,
               room = out->room - out->count < 1 << 30 ? out->room - out->count : 1 << 30;
        stream.next_in = (unsigned char *)(uintptr_t)(packed->at + used);
        stream.avail_in = (unsigned)part;
        stream.next_out = (unsigned char *)out->bytes + out->count;
        stream.avail_out = (unsigned)room;
        answer = inflate(&stream, Z_NO_FLUSH);
        used += part - stream.avail_in;
        out->count += room - stream.avail_out;
        if (answer == Z_STREAM_END && used < packed->count) inflateReset(&stream);
        else if (answer == Z_STREAM_END) break;
        else if (answer != Z_OK) TRY(broken(error, path, "gzip"));
    }
done:
    inflateEnd(&stream);
    return status;
}

static Status unpack_zstd(const char *path, const Bytes *packed, Growing *out, Error *error) {
    if (zstandard_here(error)) return BAD;
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (!stream) return out_of_memory(error);
    Status status = OK;
    ZSTD_inBuffer in = { packed->at, packed->count, 0 };
    size_t left = 1;
    while (in.pos < in.size || left) {
        TRY(grow(out, error));
        ZSTD_outBuffer to = { out->bytes, out->room, out->count };
        size_t before = in.pos + to.pos;
        left = ZSTD_decompressStream(stream, &to, &in);
        out->count = to.pos;
        if (ZSTD_isError(left) || (left && in.pos + to.pos == before)) TRY(broken(error, path, "Zstandard"));
    }
done:
    ZSTD_freeDStream(stream);
    return status;
}

static bool is_utf8(const char *encoding) {
    return !encoding || !*encoding || !strcasecmp(encoding, "utf-8") || !strcasecmp(encoding, "utf8");
}

static Status bad_character(const Bytes *from, size_t used, const char *path, const char *encoding, Error *error) {
    int64_t line = 1;
    for (size_t i = 0; i < used; i++) line += from->at[i] == '\n';
    fail(error, BAD, "this is not %s", encoding);
    error_line(error, line, -1);
    return error_file(error, path);
}

static Status convert(const char *path, const char *encoding, const Bytes *from, Growing *out, Error *error) {
    iconv_t with = iconv_open("UTF-8", encoding);
    if (with == (iconv_t)-1) {
        fail(error, BAD, "'%s' is not an encoding that this machine knows", encoding);
        error_parameter(error, "encoding");
        return error_advice(error, "Try latin1, windows-1252 or utf-16; 'iconv -l' lists them all.");
    }
    Status status = OK;
    char *in = (char *)(uintptr_t)from->at;
    size_t left = from->count;
    for (;;) {
        TRY(grow(out, error));
        char *to = out->bytes + out->count;
        size_t room = out->room - out->count, answer = iconv(with, &in, &left, &to, &room);
        out->count = out->room - room;
        if (answer == (size_t)-1 && errno != E2BIG) TRY(bad_character(from, from->count - left, path, encoding, error));
        if (answer != (size_t)-1 && !left) break;
    }
done:
    iconv_close(with);
    return status;
}

static bool has_suffix(const char *path, const char *suffix) {
    size_t length = strlen(path), part = strlen(suffix);
    return length >= part && !strcmp(path + length - part, suffix);
}
static bool begins(const Bytes *bytes, const char *magic, size_t count) {
    return bytes->count >= count && !memcmp(bytes->at, magic, count);
}

static void replace(Bytes *bytes, Growing *by) {
    bytes_close(bytes);
    *bytes = (Bytes){ .at = by->bytes, .count = by->count, .owned = by->bytes };
    *by = (Growing){ 0 };
}

/* Lines that end in CR alone, as old Macintosh programs wrote them: only where no LF is in the whole text. */
Status csv_line_ends(Bytes *bytes, Error *error) {
    if (!bytes->count || memchr(bytes->at, '\n', bytes->count) || !memchr(bytes->at, '\r', bytes->count)) return OK;
    char *copy = malloc(bytes->count);
    if (!copy) return out_of_memory(error);
    for (size_t i = 0; i < bytes->count; i++) copy[i] = bytes->at[i] == '\r' ? '\n' : bytes->at[i];
    replace(bytes, &(Growing){ .bytes = copy, .count = bytes->count });
    return OK;
}

Status csv_bytes(Work *work, const char *path, const char *encoding, Bytes *out) {
    Status status = OK;
    Error *error = work->error;
    Growing text = { 0 };
    TRY(bytes_open_by(work, path, out));
    bool gzip = begins(out, "\x1F\x8B", 2), zstd = begins(out, "\x28\xB5\x2F\xFD", 4);
    if (out->count && has_suffix(path, ".gz") && !gzip) TRY(broken(error, path, "gzip"));
    if (out->count && has_suffix(path, ".zst") && !zstd) TRY(broken(error, path, "Zstandard"));
    if (gzip) TRY(unpack_gzip(path, out, &text, error));
    if (zstd) TRY(unpack_zstd(path, out, &text, error));
    if (gzip || zstd) replace(out, &text);
    if (!is_utf8(encoding) && out->count) {
        TRY(convert(path, encoding, out, &text, error));
        replace(out, &text);
    }
    TRY(csv_line_ends(out, error));
done:
    free(text.bytes);
    if (status) bytes_close(out);
    return status;
}
