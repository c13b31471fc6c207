/* A memo: entries by kind and columns, each in an arena of its own. */
#include "table/memo.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIZE = 256 };
typedef enum { MAKING, MADE, LOST } State;
typedef struct Entry {
    struct Entry *next;
    MemoKind kind;
    int how;
    State state;
    Arena *arena;
    Columns columns;
    _Alignas(16) char made[MOST_SIZE];
} Entry;
struct Memo {
    pthread_mutex_t lock; /* over the entries and their states */
    pthread_cond_t settled;
    Entry *entries;
    const Column **column; /* that it keeps, by address */
    int64_t columns;
};

static int by_address(const void *a, const void *b) {
    const Column *const *x = a, *const *y = b;
    return (*x > *y) - (*x < *y);
}

Status memo_make(Work *work, Columns columns, Memo **out) {
    Memo *memo = calloc(1, sizeof *memo);
    if (memo) memo->column = calloc((size_t)columns.count + 1, sizeof *memo->column);
    if (!memo || !memo->column) {
        free(memo);
        return fail(work->error, FAILED, "out of memory");
    }
    pthread_mutex_init(&memo->lock, NULL);
    pthread_cond_init(&memo->settled, NULL);
    for (int64_t j = 0; j < columns.count; j++) memo->column[memo->columns++] = columns.at[j];
    qsort(memo->column, (size_t)memo->columns, sizeof *memo->column, by_address);
    *out = memo;
    return OK;
}

static void entry_free(Entry *entry) {
    if (!entry) return;
    arena_free(entry->arena);
    free(entry);
}

void memo_free(Memo *memo) {
    if (!memo) return;
    for (Entry *entry = memo->entries, *next; entry; entry = next) {
        next = entry->next;
        entry_free(entry);
    }
    pthread_cond_destroy(&memo->settled);
    pthread_mutex_destroy(&memo->lock);
    free(memo->column);
    free(memo);
}

static bool keeps(const Memo *memo, Columns columns) {
    for (int64_t j = 0; j < columns.count; j++)
        if (!bsearch(&columns.at[j], memo->column, (size_t)memo->columns, sizeof *memo->column, by_address)) return false;
    return columns.count > 0;
}

static Entry *find(Memo *memo, MemoKind kind, Columns columns, int how) {
    for (Entry *e = memo->entries; e; e = e->next)
        if (e->state != LOST && e->kind == kind && e->how == how && e->columns.count == columns.count &&
            !memcmp(e->columns.at, columns.at, (size_t)columns.count * sizeof *columns.at))
            return e;
    return NULL;
}

/* An entry about to be made; NULL where memory is out. */
static Entry *entry_new(Memo *memo, MemoKind kind, Columns columns, int how) {
    Entry *e = calloc(1, sizeof *e);
    const Column **at = NULL;
    if (e) *e = (Entry){ .kind = kind, .how = how, .arena = arena_new() };
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

static Status fill(Work *work, Entry *entry, MemoMake *make) {
    Work here = *work;
    here.arena = entry->arena;
    Status status = make(&here, entry->columns, entry->how, entry->made);
    pthread_mutex_lock(&work->memo->lock);
    entry->state = status ? LOST : MADE;
    pthread_cond_broadcast(&work->memo->settled);
    pthread_mutex_unlock(&work->memo->lock);
    return status;
}

/* Rows that stand for several records (work->times) are another's count: nothing is kept of those. */
Status memo_take(Work *work, MemoKind kind, Columns columns, int how, MemoMake *make, void *out, size_t size) {
    Memo *memo = work->memo;
    Status status = OK;
    if (!memo || work->times || size > MOST_SIZE || !keeps(memo, columns)) return make(work, columns, how, out);
    pthread_mutex_lock(&memo->lock);
    Entry *entry = find(memo, kind, columns, how);
    while (entry && entry->state == MAKING) {
        pthread_cond_wait(&memo->settled, &memo->lock);
        entry = find(memo, kind, columns, how);
    }
    bool made = entry;
    if (!entry) entry = entry_new(memo, kind, columns, how);
    pthread_mutex_unlock(&memo->lock);
    if (!entry) return make(work, columns, how, out);
    if (!made) status = fill(work, entry, make);
    if (!status) memcpy(out, entry->made, size);
    return status;
}
