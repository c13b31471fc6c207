/* Any text as a hierarchy: read, or refused with a reason; what is read has every leaf under one value of each level, and a column finds
 * its values in it or is told which it lacks. */
#include <stdlib.h>
#include <string.h>
#include "io/csv/csv.h"
#include "table/hierarchy.h"

static void must_hold(const Hierarchy *h) {
    for (int64_t l = 0; l < h->levels; l++) {
        int64_t under = 0;
        for (int32_t i = 0; i < h->leaves; i++)
            if (h->level[l].of[i] < 0 || h->level[l].of[i] >= h->level[l].count) abort();
        for (int32_t v = 0; v < h->level[l].count; v++) under += h->level[l].leaves[v];
        if (under != h->leaves) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    char *bytes = malloc(size + 1);
    Table *table = NULL;
    Hierarchy hierarchy;
    Codes codes;
    int32_t *leaf;
    if (!work.arena || !bytes) abort();
    memcpy(bytes, data, size);
    Status status = csv_read_bytes(&work, "fuzz", bytes, size, &(CsvOptions){ .threads = 1 }, &table);
    if (!status) {
        status = hierarchy_from_table(&work, table, "x", &hierarchy);
        if (!status) must_hold(&hierarchy);
        for (int64_t j = 0; !status && j < table->columns; j++)
            if (!column_codes(&work, table->column[j], &codes) && hierarchy_match(&work, &hierarchy, table->column[j], &codes, &leaf) &&
                !error.message[0])
                abort();
    }
    if (status && !error.message[0]) abort();
    table_release(table);
    arena_free(work.arena);
    free(bytes);
    return 0;
}
