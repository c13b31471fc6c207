/* One type for each column of a table whose parts would have their own: a part without a value, or with whole numbers among reals. */
#ifndef SCRIM_IO_CHUNK_TYPES_H
#define SCRIM_IO_CHUNK_TYPES_H
#include "table/table.h"

typedef struct ChunkTypes {
    int64_t columns; /* 0 until the first part */
    Type *type;
    bool *decided; /* a value was seen */
} ChunkTypes;
void chunk_types_free(ChunkTypes *joined);
/* Whole numbers beside reals are reals, days beside moments are moments, anything else beside another kind is words. */
MUST_CHECK Status chunk_types_add(ChunkTypes *joined, const Table *part, Error *error);
/* The part with columns of those types. FAILED where it cannot be: it was not among those that were added. */
MUST_CHECK Status chunk_types_part(const ChunkTypes *joined, Work *work, const Table *part, Table **out);
#endif
