/* Bytes on their way to a file, packed where its suffix says so. */
#include "io/compress.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "io/zstandard.h"

enum { SCRATCH = 1 << 18 };
typedef enum { PLAIN, GZIP, ZSTANDARD } Packing;
struct Compressor {
    Output *output;
    Packing packing;
    z_stream gzip;
    ZSTD_CCtx *zstd;
    unsigned char scratch[SCRATCH];
};

static Packing packing_of(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && !strcmp(dot, ".gz") ? GZIP : dot && !strcmp(dot, ".zst") ? ZSTANDARD : PLAIN;
}

static void packer_free(Compressor *packer) {
    if (packer->packing == GZIP) deflateEnd(&packer->gzip);
    ZSTD_freeCCtx(packer->zstd);
    free(packer);
}

Status compressor_open(const char *path, Compressor **out, Error *error) {
    Compressor *packer = calloc(1, sizeof *packer);
    if (!packer) return out_of_memory(error);
    Packing packing = packing_of(path);
    if (packing == ZSTANDARD && zstandard_here(error)) {
        free(packer);
        return BAD;
    }
    bool made = packing != GZIP || deflateInit2(&packer->gzip, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    if (packing == ZSTANDARD) made = (packer->zstd = ZSTD_createCCtx()) != NULL;
    if (!made) {
        free(packer);
        return out_of_memory(error);
    }
    packer->packing = packing;
    Status status = output_open(path, false, &packer->output, error);
    if (status) packer_free(packer);
    else *out = packer;
    return status;
}

static Status gzip_write(Compressor *packer, const char *bytes, size_t count, bool end, Error *error) {
    Status status = OK;
    int answer = Z_OK;
    do {
        size_t part = count < 1 << 30 ? count : 1 << 30;
        packer->gzip.next_in = (unsigned char *)(uintptr_t)bytes;
        packer->gzip.avail_in = (unsigned)part;
        packer->gzip.next_out = packer->scratch;
        packer->gzip.avail_out = SCRATCH;
        answer = deflate(&packer->gzip, end ? Z_FINISH : Z_NO_FLUSH);
        if (answer == Z_STREAM_ERROR) return fail(error, FAILED, "gzip could not pack the output");
        bytes += part - packer->gzip.avail_in;
        count -= part - packer->gzip.avail_in;
        TRY(output_write(packer->output, packer->scratch, SCRATCH - packer->gzip.avail_out, error));
    } while (count || (end && answer != Z_STREAM_END));
done:
    return status;
}

static Status zstd_write(Compressor *packer, const char *bytes, size_t count, bool end, Error *error) {
    Status status = OK;
    ZSTD_inBuffer in = { bytes, count, 0 };
    size_t left;
    do {
        ZSTD_outBuffer to = { packer->scratch, SCRATCH, 0 };
        left = ZSTD_compressStream2(packer->zstd, &to, &in, end ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) return fail(error, FAILED, "Zstandard could not pack the output");
        TRY(output_write(packer->output, packer->scratch, to.pos, error));
    } while (in.pos < in.size || (end && left));
done:
    return status;
}

static Status write_part(Compressor *packer, const char *bytes, size_t count, bool end, Error *error) {
    if (packer->packing == GZIP) return gzip_write(packer, bytes, count, end, error);
    if (packer->packing == ZSTANDARD) return zstd_write(packer, bytes, count, end, error);
    return output_write(packer->output, bytes, count, error);
}

Status compressor_write(Compressor *packer, const char *bytes, size_t count, Error *error) {
    return count ? write_part(packer, bytes, count, false, error) : OK;
}

Status compressor_commit(Compressor *packer, Error *error) {
    Status status = write_part(packer, "", 0, true, error);
    Output *output = packer->output;
    packer_free(packer);
    if (status) {
        output_abandon(output);
        return status;
    }
    return output_commit(output, error);
}

void compressor_abandon(Compressor *packer) {
    if (!packer) return;
    output_abandon(packer->output);
    packer_free(packer);
}
