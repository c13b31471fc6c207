/* Any bytes at all, as an SPSS, Stata or SAS file (the first byte says which): a table or an error with a message. */
#include <stdlib.h>
#include <string.h>
#include "io/stat/stat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    char *bytes = malloc(size); /* exactly as long as it is, so that reading beyond is seen */
    if (!work.arena || !bytes) abort();
    memcpy(bytes, data + 1, size - 1);
    Table *table = NULL;
    Status status = stat_read_here(&work, "fuzz", bytes, size - 1, (StatKind)(data[0] % 5), &table);
    if (status && (!error.message[0] || table)) abort();
    for (int64_t j = 0; !status && j < table->columns; j++)
        if (table->column[j]->rows != table->rows) abort();
    table_release(table);
    arena_free(work.arena);
    free(bytes);
    return 0;
}
