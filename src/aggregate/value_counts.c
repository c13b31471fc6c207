/* Ladders: sorted runs of numbers, merged as they come to be as long as one another. */
#include "aggregate/value_counts.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/elementary.h"
#include "base/sort.h"
#include "table/group.h"
#include "aggregate/tuple_counts_private.h"
#include "aggregate/value_counts_private.h"

/* Runs together longer than this are let be until the end: merging takes as much memory again. */
enum { LONG = 1 << 20 };

Status value_counts_new(ValueCounts **out, Error *error) { return (*out = calloc(1, sizeof **out)) ? OK : out_of_memory(error); }

void value_counts_drop_runs(ValueCounts *ladder) {
    if (ladder->mapped) munmap(ladder->mapped, ladder->mapped_size);
    for (int64_t i = 0; !ladder->mapped && i < ladder->runs; i++) free(ladder->run[i].rung);
    ladder->mapped = NULL;
    ladder->runs = 0;
}

void value_counts_free(ValueCounts *ladder) {
    if (!ladder) return;
    value_counts_drop_runs(ladder);
    shelf_free(ladder->shelf);
    free(ladder);
}

size_t value_counts_size(const ValueCounts *ladder) {
    size_t rungs = 0;
    for (int64_t i = 0; !ladder->mapped && i < ladder->runs; i++) rungs += (size_t)ladder->run[i].count;
    return 2 * rungs * sizeof(ValueCount);
}

int64_t value_counts_present(const ValueCounts *ladder) {
    int64_t present = 0;
    for (int64_t i = 0; i < ladder_count(ladder); i++) present += ladder->run[0].rung[i].times;
    return present;
}

/* ---- runs ---- */

static Status merge_two(ValueCountRun *a, ValueCountRun *b, ValueCountRun *out, Error *error) {
    int64_t i = 0, j = 0, n = 0;
    ValueCount *rung = malloc((size_t)(a->count + b->count + 1) * sizeof *rung);
    if (!rung) return out_of_memory(error);
    while (i < a->count && j < b->count) {
        uint64_t x = a->rung[i].key, y = b->rung[j].key;
        rung[n] = x <= y ? a->rung[i] : b->rung[j];
        if (x == y) rung[n].times += b->rung[j].times;
        i += x <= y;
        j += y <= x;
        n++;
    }
    for (; i < a->count; i++) rung[n++] = a->rung[i];
    for (; j < b->count; j++) rung[n++] = b->rung[j];
    free(a->rung);
    free(b->rung);
    ValueCount *less = realloc(rung, (size_t)(n + 1) * sizeof *rung);
    *out = (ValueCountRun){ less ? less : rung, n };
    return OK;
}

static Status merge_last(ValueCounts *ladder, Error *error) {
    ValueCountRun *last = &ladder->run[ladder->runs - 2];
    Status status = merge_two(&last[0], &last[1], &last[0], error);
    if (!status) ladder->runs--;
    return status;
}

/* Takes the run over, also where it fails. */
static Status add_run(ValueCounts *ladder, ValueCountRun run, Error *error) {
    Status status = OK;
    if (ladder->mapped) {
        free(run.rung);
        return fail(error, BAD, "what was learned was gathered, and nothing can be added");
    }
    ladder->run[ladder->runs++] = run; /* one is always free */
    while (!status && ladder->runs > 1) {
        const ValueCountRun *last = &ladder->run[ladder->runs - 2];
        bool lengthy = last[0].count + last[1].count > LONG && ladder->runs < VALUE_COUNTS_RUNS;
        if (last[0].count >= 2 * last[1].count || lengthy) break;
        status = merge_last(ladder, error);
    }
    if (!status && ladder->runs == VALUE_COUNTS_RUNS) status = merge_last(ladder, error);
    return status;
}

Status value_counts_sort(ValueCounts *ladder, Error *error) {
    Status status = OK;
    while (!status && ladder->runs > 1) status = merge_last(ladder, error);
    return status;
}

/* ---- adding ---- */

static Status know(ValueCounts *ladder, bool whole, Error *error) {
    if (ladder->known && ladder->whole != whole) return fail(error, BAD, "numbers of another type than in the part of the table before it");
    ladder->known = true;
    ladder->whole = whole;
    return OK;
}

/* The keys of the cells that are there; gives how many they are. */
static int64_t take_keys(const Column *column, uint64_t *key) {
    int64_t used = 0;
    if (column->type == REAL_TYPE && !column->valid) {
        for (int64_t i = 0; i < column->rows; i++) key[i] = real_key(column->real[i]);
        return column->rows;
    }
    for (int64_t i = 0; i < column->rows; i++) {
        if (column_missing(column, i)) continue;
        key[used++] = column->type == INTEGER_TYPE ? integer_key(column_integer(column, i)) : real_key(column->real[i]);
    }
    return used;
}

/* Ascending keys as rungs, of which there may be as many: each with where its last key is, then how many they are. */
static int64_t make_rungs(const uint64_t *key, int64_t used, ValueCount *rung) {
    int64_t n = 0;
    for (int64_t i = 0; i < used; i++) {
        rung[n] = (ValueCount){ key[i], i + 1 };
        n += i + 1 == used || key[i + 1] != key[i];
    }
    for (int64_t r = n - 1; r > 0; r--) rung[r].times -= rung[r - 1].times;
    return n;
}

Status value_counts_add(Work *work, ValueCounts *ladder, const Column *column) {
    Status status = OK;
    Keyed keyed = { 0 };
    int64_t n = 1;
    ValueCount *rung = NULL;
    TRY(know(ladder, column->type == INTEGER_TYPE, work->error));
    if (column->rows > INT32_MAX) TRY(fail(work->error, FAILED, "more than 2^31 records cannot be sorted at once"));
    NEW(work, keyed.key, column->rows + 1);
    int64_t used = take_keys(column, keyed.key);
    ladder->missing += column->rows - used;
    if (!used) goto done;
    TRY(keyed_sort(work, keyed, used));
    for (int64_t i = 1; i < used; i++) n += keyed.key[i] != keyed.key[i - 1];
    if (!(rung = malloc((size_t)(n + 1) * sizeof *rung))) TRY(out_of_memory(work->error));
    TRY(add_run(ladder, (ValueCountRun){ rung, make_rungs(keyed.key, used, rung) }, work->error));
done:
    keyed_drop(work, &keyed);
    return status;
}

Status value_counts_merge(ValueCounts *ladder, const ValueCounts *other, Error *error) {
    Status status = OK;
    if (other->known) TRY(know(ladder, other->whole, error));
    ladder->missing += other->missing;
    for (int64_t i = 0; i < other->runs; i++) {
        size_t bytes = (size_t)other->run[i].count * sizeof(ValueCount);
        ValueCount *rung = malloc(bytes + 1);
        if (!rung) TRY(out_of_memory(error));
        memcpy(rung, other->run[i].rung, bytes);
        TRY(add_run(ladder, (ValueCountRun){ rung, other->run[i].count }, error));
    }
done:
    return status;
}

/* ---- as bytes ---- */

void value_counts_save_piece(ValueCounts *ladder, int64_t piece, int64_t pieces, Buffer *out) {
    int64_t count = 0;
    out->failed |= value_counts_sort(ladder, NULL) != OK;
    if (out->failed) return;
    const ValueCount *rung = ladder->run[0].rung;
    for (int64_t i = 0; i < ladder_count(ladder); i++) count += roll_piece(word_hash(rung[i].key), pieces) == piece;
    pack_word(out, (uint64_t)ladder->known + 2 * (uint64_t)ladder->whole);
    pack_word(out, piece ? 0 : (uint64_t)ladder->missing);
    pack_word(out, (uint64_t)count);
    for (int64_t i = 0; i < ladder_count(ladder); i++) {
        if (roll_piece(word_hash(rung[i].key), pieces) != piece) continue;
        pack_word(out, rung[i].key);
        pack_word(out, (uint64_t)rung[i].times);
    }
}

/* Ascending, each at least once, and all together no more than can be counted. */
static bool load_rungs(const char **at, const char *end, ValueCounts *ladder, ValueCountRun *run) {
    uint64_t key, times, count = (uint64_t)run->count, before = 0, total = (uint64_t)ladder->missing;
    for (uint64_t i = 0; i < count; i++, before = key) {
        if (!unpack_word(at, end, &key) || !unpack_word(at, end, &times) || (i && key <= before)) return false;
        if (!times || times > INT64_MAX || (total += times) > INT64_MAX) return false;
        run->rung[i] = (ValueCount){ key, (int64_t)times };
        if (!ladder->whole && !isfinite(ladder_real(&(ValueCounts){ .run = { { &run->rung[i], 1 } } }, 0))) return false;
    }
    return true;
}

Status value_counts_load(const char **at, const char *end, ValueCounts **out, Error *error) {
    Status status = OK;
    uint64_t marks, missing, count;
    ValueCountRun run = { 0 };
    TRY(value_counts_new(out, error));
    if (!unpack_word(at, end, &marks) || !unpack_word(at, end, &missing) || !unpack_word(at, end, &count) || marks > 3 ||
        missing > INT64_MAX || count > (uint64_t)(end - *at) / 16)
        TRY(fail(error, BAD, "this state is broken"));
    (*out)->known = marks & 1;
    (*out)->whole = marks & 2;
    (*out)->missing = (int64_t)missing;
    run.count = (int64_t)count;
    if (!(run.rung = malloc((count + 1) * sizeof *run.rung))) TRY(out_of_memory(error));
    if (!load_rungs(at, end, *out, &run)) TRY(fail(error, BAD, "this state is broken"));
    if (run.count) {
        TRY(add_run(*out, run, error));
        run.rung = NULL;
    }
done:
    free(run.rung);
    if (status) {
        value_counts_free(*out);
        *out = NULL;
    }
    return status;
}
