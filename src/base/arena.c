/* Memory that is given back all at once: small pieces from chunks, large ones on their own. */
#include "base/arena.h"
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { CHUNK = 1 << 16, LARGE = 1 << 14, LARGE_ALIGN = 64, CHECKED = 1 << 25, HUGE_PAGE = 1 << 21 };

typedef struct Piece {
    struct Piece *next, *previous;
    void *raw;
    char *at;
    size_t mapped;
} Piece; /* mapped: bytes to unmap; 0 = from malloc */
struct Arena {
    Piece *large;
    Piece *chunks;
    char *free;
    size_t left;
};

Arena *arena_new(void) { return calloc(1, sizeof(Arena)); }

static void piece_free(Piece *piece) {
    if (piece->mapped) munmap(piece->raw, piece->mapped);
    else free(piece->raw);
    free(piece);
}

static void pieces_free(Piece *piece) {
    while (piece) {
        Piece *next = piece->next;
        piece_free(piece);
        piece = next;
    }
}

void arena_free(Arena *arena) {
    if (!arena) return;
    pieces_free(arena->large);
    pieces_free(arena->chunks);
    free(arena);
}

void *memory_new(size_t bytes) {
    void *memory = NULL;
    bool large = bytes >= 2 * HUGE_PAGE;
    if (posix_memalign(&memory, large ? HUGE_PAGE : 64, (bytes + 64) & ~(size_t)63)) return NULL;
    if (large) (void)madvise(memory, bytes, MADV_HUGEPAGE); /* as good without */
    return memory;
}

void memory_return(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

/* A number in a file of its own; UINT64_MAX where it says "max", or is not there. */
static uint64_t number_in(const char *path) {
    unsigned long long number = 0;
    FILE *file = fopen(path, "re");
    bool read = file && fscanf(file, "%llu", &number) == 1;
    if (file) fclose(file);
    return read ? number : UINT64_MAX;
}

/* What a limit leaves; pages of files in memory, which the kernel drops when it must, count as used, so that this is rather too little. */
static uint64_t left_of(const char *folder, const char *limit, const char *use) {
    char path[1100];
    snprintf(path, sizeof path, "%s/%s", folder, limit);
    uint64_t most = number_in(path);
    snprintf(path, sizeof path, "%s/%s", folder, use);
    uint64_t used = number_in(path);
    return most == UINT64_MAX || used == UINT64_MAX ? UINT64_MAX : most > used ? most - used : 0;
}

/* The least that the control groups of this process leave, its own and those above (version 2), or its container's (version 1). */
static uint64_t group_available(void) {
    char line[600], folder[1000] = "/sys/fs/cgroup";
    uint64_t least = left_of("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes");
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "0::/", 4)) {
            line[strcspn(line, "\n")] = 0;
            snprintf(folder, sizeof folder, "/sys/fs/cgroup%s", line + 3);
        }
    if (file) fclose(file);
    for (char *slash = folder + strlen(folder); slash && strlen(folder) >= 14; slash = strrchr(folder, '/')) {
        *slash = 0;
        uint64_t here = left_of(folder, "memory.max", "memory.current");
        if (here < least) least = here;
    }
    return least;
}

/* What the kernel says is available without swapping, and the process's own limits. */
uint64_t memory_left(void) {
    uint64_t available = UINT64_MAX;
    FILE *file = fopen("/proc/meminfo", "re");
    if (file) {
        char line[128];
        unsigned long long kib;
        while (fgets(line, sizeof line, file))
            if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1) {
                available = kib * 1024;
                break;
            }
        fclose(file);
    }
    uint64_t group = group_available();
    if (group < available) available = group;
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < available) available = limit.rlim_cur;
    return available;
}

Status memory_fits(uint64_t bytes, Error *error) {
    uint64_t available = memory_left();
    if (bytes <= available) return OK;
    fail(error, FAILED, "this needs %llu MiB more memory and the machine has %llu MiB left", (unsigned long long)(bytes >> 20),
         (unsigned long long)(available >> 20));
    return error_advice(error, "Use fewer columns or a sample, or a larger machine.");
}

static Status lack_bytes(Error *error, size_t bytes) {
    memory_lost_note();
    fail(error, FAILED, "out of memory (asked for %zu bytes)", bytes);
    return error_kind(error, ERROR_MEMORY);
}

#ifdef __SANITIZE_ADDRESS__
static const bool huge_pages = false; /* so that the sanitizer sees the bounds of large blocks */
#else
static const bool huge_pages = true;
#endif

/* Memory in pages of 2 MiB where the system has them: touching it page by small page would cost as much as a pass of work over it. */
static bool take_huge(Piece *piece, size_t bytes) {
    bytes = (bytes + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
    piece->mapped = bytes + HUGE_PAGE;
    void *raw = mmap(NULL, piece->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED) return false;
    piece->raw = raw;
    piece->at = (char *)(((uintptr_t)raw + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1));
    (void)madvise(piece->at, bytes, MADV_HUGEPAGE); /* advice: nothing is lost where it is not taken */
    return true;
}

static bool take_malloc(Piece *piece, size_t bytes) {
    piece->raw = calloc(1, bytes + LARGE_ALIGN); /* calloc: fresh pages come zeroed for nothing */
    piece->at = (char *)(((uintptr_t)piece->raw + LARGE_ALIGN - 1) & ~(uintptr_t)(LARGE_ALIGN - 1));
    return piece->raw;
}

static Status take_large(Arena *arena, size_t bytes, void **out, Error *error) {
    if (bytes >= CHECKED && memory_fits(bytes, error)) return FAILED;
    Piece *piece = calloc(1, sizeof *piece);
    if (!piece || !(huge_pages && bytes >= HUGE_PAGE ? take_huge(piece, bytes) : take_malloc(piece, bytes))) {
        free(piece);
        return lack_bytes(error, bytes);
    }
    piece->next = arena->large;
    if (arena->large) arena->large->previous = piece;
    arena->large = piece;
    *out = piece->at;
    return OK;
}

static bool is_aligned(const void *block) { return (uintptr_t)block % LARGE_ALIGN == 0; }

/* Small blocks are never aligned as large ones are: by that arena_drop knows them. */
static Status take_small(Arena *arena, size_t bytes, void **out, Error *error) {
    size_t skip = is_aligned(arena->free) ? 16 : 0;
    if (bytes + skip > arena->left) {
        Piece *chunk = calloc(1, sizeof *chunk);
        char *raw = chunk ? calloc(1, CHUNK) : NULL;
        if (!raw) {
            free(chunk);
            return lack_bytes(error, bytes);
        }
        chunk->raw = raw;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
        arena->free = raw;
        arena->left = CHUNK;
        skip = is_aligned(raw) ? 16 : 0;
    }
    *out = arena->free + skip;
    arena->free += bytes + skip;
    arena->left -= bytes + skip;
    return OK;
}

Status arena_array(Arena *arena, int64_t count, size_t size, void *out_pointer, Error *error) {
    void *got = NULL;
    if (count < 0 || (size && (uint64_t)count > (SIZE_MAX / 2) / size))
        return fail(error, FAILED, "a table of %lld cells is too large", (long long)count);
    size_t bytes = ((size_t)count * size + 15) & ~(size_t)15;
    Status status = bytes >= LARGE ? take_large(arena, bytes, &got, error) : take_small(arena, bytes, &got, error);
    if (!status) memcpy(out_pointer, &got, sizeof got);
    return status;
}

void arena_drop(Arena *arena, void *block) {
    for (Piece *piece = block && is_aligned(block) ? arena->large : NULL; piece; piece = piece->next) {
        if (piece->at != block) continue;
        if (piece->previous) piece->previous->next = piece->next;
        else arena->large = piece->next;
        if (piece->next) piece->next->previous = piece->previous;
        piece_free(piece);
        return;
    }
}

char *arena_text(Arena *arena, const char *text) {
    char *copy;
    if (!text || arena_array(arena, (int64_t)strlen(text) + 1, 1, &copy, NULL)) return NULL;
    memcpy(copy, text, strlen(text) + 1);
    return copy;
}

char *arena_print(Arena *arena, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *text = NULL;
    if (length >= 0 && !arena_array(arena, length + 1, 1, &text, NULL)) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(args);
    va_end(again);
    return text;
}
