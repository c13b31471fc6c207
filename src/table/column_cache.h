/* What several methods make of the same columns, made once: codes, numbers as reals, classes, true keys and their candidates, nearest
 * records. */
#ifndef SCRIM_TABLE_COLUMN_CACHE_H
#define SCRIM_TABLE_COLUMN_CACHE_H
#include "table/table.h"

/* Keeps what is made of these columns while they live (work->memo): of no others, whose memory may come to be another's. Any number of
 * threads may ask; who asks for what is being made waits for it. */
typedef struct ColumnCache ColumnCache;
MUST_CHECK Status cache_make(Work *work, Columns columns, ColumnCache **out);
/* A memo of the same for a part of the work, whose cache_free says that the part has ended: what no part holds, and the last that ended did
 * not ask for, goes. NULL where there is none, or no memory. */
ColumnCache *cache_borrow(ColumnCache *memo);
void cache_free(ColumnCache *memo); /* the first one's with all that was kept; NULL is harmless */

/* What is kept, by what it is made of. */
/* The first ones are cheap to make again. */
typedef enum { CACHE_CODES, CACHE_REALS, CACHE_NUMBERS, CACHE_PROFILE, CACHE_CLASSES, CACHE_NEAREST } CacheKind;
typedef Status CacheMake(Work *work, Columns columns, int how, void *out);
/* `how` tells apart what is made of the same columns in several ways: by the rule for missing values, by a distance.
 * `out`, of `size` bytes, as `make` makes it, now or before. *out is borrowed from work->memo, until that is freed, where it keeps it, else
 * from the work's arena.
 */
MUST_CHECK Status cache_take(Work *work, CacheKind kind, Columns columns, int how, CacheMake *make, void *out, size_t size);
#endif
