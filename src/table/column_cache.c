/* A memo: entries by kind and columns, each in an arena of its own. */
#include "table/column_cache.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Nobody has an entry, and more borrowers than that ended since who had it last, itself counted: it goes. What is cheap to make goes at
 * once where others run beside, which may need the memory. */
enum { MOST_SIZE = 256, UNTAKEN = 1 };
typedef enum { MAKING, MADE, LOST } State;
typedef struct Entry Entry;
typedef struct Held {
    struct Held *next;
    Entry *entry;
} Held;
typedef struct Shared Shared;
struct ColumnCache {
    Shared *shared;
    Held *held; /* what was taken by it */
};
struct Entry {
    Entry *next;
    CacheKind kind;
    int how;
    State state;
    Arena *arena;
    Columns columns;
    int64_t users;      /* memos that hold it */
    int64_t untaken;    /* borrowers that ended since it was last held */
    ColumnCache within; /* holds what it was made of */
    _Alignas(16) char made[MOST_SIZE];
};
struct Shared {
    ColumnCache first;    /* whose end is that of all */
    pthread_mutex_t lock; /* over the entries, their states and who holds them */
    pthread_cond_t settled;
    Entry *entries;
    int64_t borrowed;      /* parts that have not ended */
    const Column **column; /* that it keeps, by address */
    int64_t columns;
};

static int by_address(const void *a, const void *b) {
    const Column *const *x = a, *const *y = b;
    return (*x > *y) - (*x < *y);
}

Status cache_make(Work *work, Columns columns, ColumnCache **out) {
    Shared *memo = calloc(1, sizeof *memo);
    if (memo) memo->column = calloc((size_t)columns.count + 1, sizeof *memo->column);
    if (!memo || !memo->column) {
        free(memo);
        return out_of_memory(work->error);
    }
    memo->first.shared = memo;
    pthread_mutex_init(&memo->lock, NULL);
    pthread_cond_init(&memo->settled, NULL);
    for (int64_t j = 0; j < columns.count; j++) memo->column[memo->columns++] = columns.at[j];
    qsort(memo->column, (size_t)memo->columns, sizeof *memo->column, by_address);
    *out = &memo->first;
    return OK;
}

ColumnCache *cache_borrow(ColumnCache *memo) {
    ColumnCache *own = memo ? calloc(1, sizeof *own) : NULL;
    if (!own) return NULL;
    own->shared = memo->shared;
    pthread_mutex_lock(&own->shared->lock);
    own->shared->borrowed++;
    pthread_mutex_unlock(&own->shared->lock);
    return own;
}

/* Under the lock. */
static void let_go(ColumnCache *memo) {
    for (Held *held = memo->held, *next; held; held = next) {
        next = held->next;
        held->entry->users--;
        held->entry->untaken = 0;
        free(held);
    }
    memo->held = NULL;
}

static void entry_free(Entry *entry) {
    if (!entry) return;
    arena_free(entry->arena);
    free(entry);
}

static void entries_free(Entry *entry) {
    for (Entry *next; entry; entry = next) {
        next = entry->next;
        entry_free(entry);
    }
}

/* Under the lock: those that nobody has had for a while, taken out. What they were made of may follow them later. */
static Entry *take_out(Shared *memo) {
    Entry *gone = NULL;
    for (Entry **at = &memo->entries; *at;) {
        Entry *entry = *at;
        bool cheap = entry->kind <= CACHE_NUMBERS;
        if (entry->users || ++entry->untaken <= (cheap && memo->borrowed ? 0 : UNTAKEN)) {
            at = &entry->next;
            continue;
        }
        *at = entry->next;
        let_go(&entry->within);
        entry->next = gone;
        gone = entry;
    }
    return gone;
}

static void give_back(ColumnCache *own) {
    pthread_mutex_lock(&own->shared->lock);
    let_go(own);
    own->shared->borrowed--;
    Entry *gone = take_out(own->shared);
    pthread_mutex_unlock(&own->shared->lock);
    entries_free(gone);
    free(own);
}

void cache_free(ColumnCache *given) {
    if (!given) return;
    Shared *memo = given->shared;
    if (given != &memo->first) {
        give_back(given);
        return;
    }
    for (Entry *entry = memo->entries; entry; entry = entry->next) let_go(&entry->within);
    let_go(given);
    entries_free(memo->entries);
    pthread_cond_destroy(&memo->settled);
    pthread_mutex_destroy(&memo->lock);
    free(memo->column);
    free(memo);
}

static bool keeps(const Shared *memo, Columns columns) {
    for (int64_t j = 0; j < columns.count; j++)
        if (!bsearch(&columns.at[j], memo->column, (size_t)memo->columns, sizeof *memo->column, by_address)) return false;
    return columns.count > 0;
}

static Entry *find(Shared *memo, CacheKind kind, Columns columns, int how) {
    for (Entry *e = memo->entries; e; e = e->next)
        if (e->state != LOST && e->kind == kind && e->how == how && e->columns.count == columns.count &&
            !memcmp(e->columns.at, columns.at, (size_t)columns.count * sizeof *columns.at))
            return e;
    return NULL;
}

/* An entry about to be made; NULL where memory is out. */
static Entry *entry_new(Shared *memo, CacheKind kind, Columns columns, int how) {
    Entry *e = calloc(1, sizeof *e);
    const Column **at = NULL;
    if (e) *e = (Entry){ .kind = kind, .how = how, .arena = arena_new(), .within.shared = memo };
    if (!e || !e->arena || arena_array(e->arena, columns.count, sizeof *at, &at, NULL)) {
        entry_free(e);
        return NULL;
    }
    memcpy(at, columns.at, (size_t)columns.count * sizeof *at);
    e->columns = (Columns){ .count = columns.count, .at = at };
    e->next = memo->entries;
    memo->entries = e;
    return e;
}

static Status fill(Work *work, Entry *entry, CacheMake *make) {
    Work here = *work;
    Shared *memo = work->memo->shared;
    here.arena = entry->arena;
    here.memo = &entry->within;
    Status status = make(&here, entry->columns, entry->how, entry->made);
    pthread_mutex_lock(&memo->lock);
    entry->state = status ? LOST : MADE;
    pthread_cond_broadcast(&memo->settled);
    pthread_mutex_unlock(&memo->lock);
    return status;
}

/* Under the lock; `room` is taken where the entry was not held yet. */
static void hold(ColumnCache *memo, Entry *entry, Held **room) {
    for (const Held *held = memo->held; held; held = held->next)
        if (held->entry == entry) return;
    **room = (Held){ memo->held, entry };
    memo->held = *room;
    *room = NULL;
    entry->users++;
}

/* Rows that stand for several records (work->times) are another's count: nothing is kept of those. */
Status cache_take(Work *work, CacheKind kind, Columns columns, int how, CacheMake *make, void *out, size_t size) {
    Shared *memo = work->memo ? work->memo->shared : NULL;
    Status status = OK;
    if (!memo || work->times || size > MOST_SIZE || !keeps(memo, columns)) return make(work, columns, how, out);
    Held *room = calloc(1, sizeof *room);
    if (!room) return make(work, columns, how, out);
    pthread_mutex_lock(&memo->lock);
    Entry *entry = find(memo, kind, columns, how);
    while (entry && entry->state == MAKING) {
        pthread_cond_wait(&memo->settled, &memo->lock);
        entry = find(memo, kind, columns, how);
    }
    bool made = entry;
    if (!entry) entry = entry_new(memo, kind, columns, how);
    if (entry) hold(work->memo, entry, &room);
    pthread_mutex_unlock(&memo->lock);
    free(room);
    if (!entry) return make(work, columns, how, out);
    if (!made) status = fill(work, entry, make);
    if (!status) memcpy(out, entry->made, size);
    return status;
}
