/* Bytes of a file as they come: plain, gzip or Zstandard. */
#include "io/decompress.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "base/text.h"
#include "io/zstandard.h"

enum { PACKED = 1 << 17 };
typedef enum { PLAIN, GZIP, ZSTANDARD } Packing;

struct Decompressor {
    char *path;
    int file;
    off_t size, taken;
    Packing packing;
    bool ended, whole; /* the packed bytes have ended; and where they may */
    z_stream gzip;
    ZSTD_DStream *zstd;
    size_t at, count; /* of what is packed */
    char packed[PACKED];
};

static Status of_file(const Decompressor *feed, Error *error) { return error_file(error, feed->path); }

static Status cut_short(const Decompressor *feed, Error *error) {
    fail(error, BAD, "is not a whole %s file", feed->packing == GZIP ? "gzip" : "Zstandard");
    error_advice(error, "It may have been cut short; copy or pack it again.");
    return of_file(feed, error);
}

static Status read_some(Decompressor *feed, char *to, size_t room, size_t *count, Error *error) {
    ssize_t got;
    do got = read(feed->file, to, room);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        fail(error, FAILED, "cannot be read: %s", strerror(errno));
        return of_file(feed, error);
    }
    *count = (size_t)got;
    feed->taken += got;
    return OK;
}

static Status begin(Decompressor *feed, Error *error) {
    feed->at = feed->count = 0;
    feed->taken = 0;
    feed->ended = false;
    feed->whole = true;
    if (lseek(feed->file, 0, SEEK_SET) < 0) {
        fail(error, BAD, "can be read once only, and a table in parts is read again");
        error_advice(error, "Save it to a file first.");
        return of_file(feed, error);
    }
    if (feed->packing == GZIP && inflateReset(&feed->gzip) != Z_OK) return fail(error, FAILED, "gzip does not begin again");
    if (feed->packing == ZSTANDARD) ZSTD_initDStream(feed->zstd);
    return OK;
}

static bool ends_with(const char *path, const char *suffix) {
    size_t length = strlen(path), part = strlen(suffix);
    return length >= part && !strcmp(path + length - part, suffix);
}

/* By its first bytes, as when it is read whole; a suffix that promises otherwise is an error. */
static Status find_packing(Decompressor *feed, Error *error) {
    unsigned char magic[4] = { 0 };
    ssize_t got = pread(feed->file, magic, sizeof magic, 0);
    bool gzip = got >= 2 && magic[0] == 0x1F && magic[1] == 0x8B, zstd = got == 4 && !memcmp(magic, "\x28\xB5\x2F\xFD", 4);
    bool said_gzip = ends_with(feed->path, ".gz"), said_zstd = ends_with(feed->path, ".zst");
    feed->packing = gzip || (said_gzip && got > 0) ? GZIP : zstd || (said_zstd && got > 0) ? ZSTANDARD : PLAIN;
    if ((said_gzip && got > 0 && !gzip) || (said_zstd && got > 0 && !zstd)) return cut_short(feed, error);
    if (feed->packing == GZIP && inflateInit2(&feed->gzip, 15 + 16) != Z_OK) return out_of_memory(error);
    if (feed->packing == ZSTANDARD && zstandard_here(error)) return BAD;
    if (feed->packing == ZSTANDARD && !(feed->zstd = ZSTD_createDStream())) return out_of_memory(error);
    return OK;
}

Status decompressor_open(const char *path, Decompressor **out, Error *error) {
    Status status = OK;
    struct stat about;
    Decompressor *feed = calloc(1, sizeof *feed);
    if (!feed || !(feed->path = strdup(path))) {
        free(feed);
        return out_of_memory(error);
    }
    feed->file = open(path, O_RDONLY | O_CLOEXEC);
    if (feed->file < 0 || fstat(feed->file, &about)) {
        fail(error, BAD, "cannot open: %s", errno == ENOENT ? "there is no such file" : strerror(errno));
        TRY(of_file(feed, error));
    }
    if (!S_ISREG(about.st_mode)) {
        fail(error, BAD, "can be read once only, and a table in parts is read again");
        error_advice(error, "Save it to a file first.");
        TRY(of_file(feed, error));
    }
    feed->size = about.st_size;
    TRY(find_packing(feed, error));
    TRY(begin(feed, error));
    *out = feed;
    feed = NULL;
done:
    decompressor_close(feed);
    return status;
}

static Status more_packed(Decompressor *feed, Error *error) {
    if (feed->at < feed->count || feed->ended) return OK;
    Status status = read_some(feed, feed->packed, PACKED, &feed->count, error);
    feed->at = 0;
    feed->ended = !feed->count;
    return status;
}

/* Members one after another, as gzip itself reads them. */
static Status unzip(Decompressor *feed, char *to, size_t room, size_t *count, Error *error) {
    feed->gzip.next_in = (unsigned char *)feed->packed + feed->at;
    feed->gzip.avail_in = (unsigned)(feed->count - feed->at);
    feed->gzip.next_out = (unsigned char *)to;
    feed->gzip.avail_out = room < 1 << 30 ? (unsigned)room : 1 << 30;
    unsigned offered = feed->gzip.avail_out;
    int answer = inflate(&feed->gzip, Z_NO_FLUSH);
    feed->at = feed->count - feed->gzip.avail_in;
    *count = offered - feed->gzip.avail_out;
    if (answer != Z_OK && answer != Z_STREAM_END && answer != Z_BUF_ERROR) return cut_short(feed, error);
    feed->whole = answer == Z_STREAM_END;
    if (feed->whole && inflateReset(&feed->gzip) != Z_OK) return fail(error, FAILED, "gzip does not begin again");
    return OK;
}

static Status unpack(Decompressor *feed, char *to, size_t room, size_t *count, Error *error) {
    if (feed->packing == GZIP) return unzip(feed, to, room, count, error);
    ZSTD_inBuffer in = { feed->packed, feed->count, feed->at };
    ZSTD_outBuffer out = { to, room, 0 };
    size_t left = ZSTD_decompressStream(feed->zstd, &out, &in);
    if (ZSTD_isError(left)) return cut_short(feed, error);
    feed->at = in.pos;
    feed->whole = !left;
    *count = out.pos;
    return OK;
}

Status decompressor_read(Decompressor *feed, char *to, size_t room, size_t *count, Error *error) {
    Status status = OK;
    *count = 0;
    if (feed->packing == PLAIN) return read_some(feed, to, room, count, error);
    while (!*count) {
        TRY(more_packed(feed, error));
        bool out_of_bytes = feed->ended && feed->at == feed->count;
        if (out_of_bytes && feed->whole) break;
        TRY(unpack(feed, to, room, count, error));
        if (out_of_bytes && !*count && !feed->whole) TRY(cut_short(feed, error));
    }
done:
    return status;
}

Status decompressor_rewind(Decompressor *feed, Error *error) { return begin(feed, error); }
double decompressor_share(const Decompressor *feed) { return feed->size > 0 ? (double)feed->taken / (double)feed->size : 1; }

void decompressor_close(Decompressor *feed) {
    if (!feed) return;
    if (feed->file >= 0) close(feed->file);
    if (feed->packing == GZIP) inflateEnd(&feed->gzip);
    ZSTD_freeDStream(feed->zstd);
    free(feed->path);
    free(feed);
}
