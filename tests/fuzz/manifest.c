/* Any bytes as a manifest to run again, and as the mark of a table: read, or refused with a message. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "io/csv.h"
#include "io/mark.h"
#include "recipe/recipe.h"

static const char *const csv = "x,g\n1,a\n2,b\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    Table *table = NULL;
    Recipe recipe;
    char path[64], *bytes = malloc(size + 1);
    int file = memfd_create("fuzz", MFD_CLOEXEC);
    if (!work.arena || !bytes || file < 0 || write(file, data, size) != (ssize_t)size) abort();
    memcpy(bytes, data, size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (recipe_read(&work, path, &recipe) && !error.message[0]) abort();
    error = ERROR_NONE;
    if (csv_read_bytes(&work, "t", csv, strlen(csv), &(CsvOptions){ .threads = 1 }, &table)) abort();
    if (mark_apply(&work, bytes, size, true, table) && !error.message[0]) abort();
    table_release(table);
    close(file);
    free(bytes);
    arena_free(work.arena);
    return 0;
}
