/* Zstandard and LZ4, or a build without them, in which no such data can be begun: zstandard_here() is asked before anything else. */
#ifndef SCRIM_IO_ZSTANDARD_H
#define SCRIM_IO_ZSTANDARD_H
#include "base/component.h"
#ifndef SCRIM_WITHOUT_ZSTD
#include <lz4frame.h>
#include <zstd.h>
static inline Status zstandard_here(Error *error) {
    (void)error;
    return OK;
}
#else
static inline Status zstandard_here(Error *error) { return component_absent(error, "Zstandard or LZ4", "SCRIM_ZSTD"); }
typedef struct ZSTD_CCtx ZSTD_CCtx;
typedef struct ZSTD_DStream ZSTD_DStream;
typedef struct ZSTD_inBuffer {
    const void *src;
    size_t size, pos;
} ZSTD_inBuffer;
typedef struct ZSTD_outBuffer {
    void *dst;
    size_t size, pos;
} ZSTD_outBuffer;
enum { ZSTD_e_continue, ZSTD_e_end };
#define ZSTD_createCCtx() ((ZSTD_CCtx *)NULL)
#define ZSTD_freeCCtx(context) ((void)(context))
#define ZSTD_createDStream() ((ZSTD_DStream *)NULL)
#define ZSTD_initDStream(stream) ((void)(stream))
#define ZSTD_freeDStream(stream) ((void)(stream))
#define ZSTD_isError(code) ((code) == SIZE_MAX)
#define ZSTD_compressStream2(context, out, in, end) ((void)(context), (void)(out), (void)(in), (void)(end), SIZE_MAX)
#define ZSTD_decompressStream(stream, out, in) ((void)(stream), (void)(out), (void)(in), SIZE_MAX)
#endif
#endif
