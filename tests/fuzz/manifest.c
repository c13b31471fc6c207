/* Any bytes as a manifest to run again, and as the mark of a table: read, or refused with a message. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "io/csv/csv.h"
#include "io/release_mark.h"
#include "recipe/recipe.h"

static const char *const csv = "x,g\n1,a\n2,b\n";

/* A folder of its own: what lies beside a manifest is opened, and beside a descriptor lie all others. */
static char folder[] = "/tmp/scrim-fuzz-XXXXXX", path[sizeof folder + 2];
static void leave(void) {
    unlink(path);
    rmdir(folder);
}

static void put(const uint8_t *data, size_t size) {
    if (!path[0]) {
        if (!mkdtemp(folder) || atexit(leave)) abort();
        snprintf(path, sizeof path, "%s/m", folder);
    }
    FILE *file = fopen(path, "w");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    Table *table = NULL;
    Recipe recipe;
    char *bytes = malloc(size + 1);
    if (!work.arena || !bytes) abort();
    put(data, size);
    memcpy(bytes, data, size);
    if (recipe_read(&work, path, &recipe) && !error.message[0]) abort();
    error = ERROR_NONE;
    if (csv_read_bytes(&work, "t", csv, strlen(csv), &(CsvOptions){ .threads = 1 }, &table)) abort();
    if (release_mark_apply(&work, bytes, size, true, table) && !error.message[0]) abort();
    table_release(table);
    free(bytes);
    arena_free(work.arena);
    return 0;
}
