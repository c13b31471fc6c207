/* scrim inspect: which of the suggested keys single people out, alone, in pairs and in triples. */
#include "base/elementary.h"
#include <string.h>
#include "verb/inspect.h"
#include "table/group.h"

enum { SHOWN = 5 };
static const double MOST_WORK = 6e7; /* records times sets: a second or so */

typedef struct Set {
    int key[3];
    int64_t alone;
} Set;

/* The keys' cells: of every record, or of the distinct tuples, each of so many. */
typedef struct Cells {
    Codes codes[INSPECT_MOST_KEYS];
    int64_t rows;
    const int64_t *times; /* NULL: one each */
} Cells;

/* Groups of one record. */
static Status groups_alone(Work *work, const Grouping *groups, const Cells *cells, int64_t *out) {
    Status status = OK;
    int64_t *size = groups->size, *records = NULL;
    if (cells->times) {
        NEW(work, records, groups->count + 1);
        for (int64_t i = 0; i < cells->rows; i++) records[groups->of[i]] += cells->times[i];
        size = records;
    }
    for (int64_t g = 0; g < groups->count; g++) *out += size[g] == 1;
done:
    arena_drop(work->arena, records);
    return status;
}

static Status count_alone(Work *work, const Cells *cells, Set *set, int size) {
    Status status = OK;
    Codes some[3];
    Grouping groups = { 0 };
    for (int k = 0; k < size; k++) some[k] = cells->codes[set->key[k]];
    TRY(work_check(work));
    TRY(group_codes(work, some, size, cells->rows, &groups));
    TRY(groups_alone(work, &groups, cells, &set->alone));
done:
    arena_drop(work->arena, groups.of);
    arena_drop(work->arena, groups.first);
    arena_drop(work->arena, groups.size);
    return status;
}

/* Keeps the sets that single out most, in order; the first found of equals stays first. */
static void keep(Set *best, int *count, int room, const Set *set) {
    int at = *count;
    while (at > 0 && set->alone > best[at - 1].alone) at--;
    if (at >= room) return;
    if (*count < room) ++*count;
    memmove(best + at + 1, best + at, (size_t)(*count - 1 - at) * sizeof *best);
    best[at] = *set;
}

static void say(Grid *grid, const Source *source, const Keys *keys, const Set *set, int size) {
    Buffer names = { 0 };
    for (int k = 0; k < size; k++) buffer_print(&names, "%s%s", k ? " × " : "", source->data->column[keys->column[set->key[k]]]->name);
    grid_text(grid, buffer_get(&names));
    grid_integer(grid, set->alone);
    grid_real(grid, source->rows ? (double)set->alone / (double)source->rows : 0);
    buffer_free(&names);
}

static double sets_of(int keys, int size) {
    double n = keys;
    return size == 1 ? n : size == 2 ? n * (n - 1) / 2 : n * (n - 1) * (n - 2) / 6;
}

static bool too_many(int keys, int size, int64_t rows) { return size > 1 && sets_of(keys, size) * (double)rows > MOST_WORK; }

bool inspect_pairs(const Keys *keys, int64_t rows) { return keys->count > 1 && !too_many(keys->count, 2, rows); }

static Status all_sets(Run *run, const Source *source, const Keys *keys, const Cells *cells, int size, Grid *grid) {
    Status status = OK;
    Set best[INSPECT_MOST_KEYS + 1];
    int count = 0, room = size == 1 ? INSPECT_MOST_KEYS : SHOWN, most = keys->count;
    for (int i = 0; i < most; i++)
        for (int j = size > 1 ? i + 1 : most - 1; j < most; j++)
            for (int k = size > 2 ? j + 1 : most - 1; k < most; k++) {
                Set set = { .key = { i, j, k } };
                if (size == 1) set.alone = keys->alone[i];
                else TRY(count_alone(&run->work, cells, &set, size));
                keep(best, &count, room, &set);
            }
    for (int i = 0; i < count; i++) say(grid, source, keys, &best[i], size);
done:
    return status;
}

void inspect_key(Keys *keys, int64_t column, const Seen *seen) {
    if (keys->count == INSPECT_MOST_KEYS || !same_text(seen->suggested.guess.role, "keys")) return;
    keys->column[keys->count] = column;
    keys->alone[keys->count++] = seen->profile.uniques + (seen->missing == 1);
}

/* The cells of the keys; tuples: the table that they are of where it came in parts. */
static Status cells_of(Work *work, const Source *source, const Keys *keys, Cells *out, Table **tuples) {
    Status status = OK;
    *out = (Cells){ .rows = source->rows };
    if (source->done) {
        const TupleCounts *roll = source->done->roll[0];
        int64_t *order, *times = NULL;
        if (!roll || roll->keys != keys->count) TRY(fail(work->error, FAILED, "not every part of the table was counted"));
        TRY(tuple_counts_order(work, roll, &order));
        TRY(tuple_counts_table(work, roll, source->data->name, order, tuples));
        NEW(work, times, roll->count + 1);
        for (int64_t i = 0; i < roll->count; i++) times[i] = roll->times[order[i]];
        out->times = times;
        out->rows = roll->count;
    }
    for (int k = 0; k < keys->count; k++)
        TRY(column_codes(work, *tuples ? (*tuples)->column[k] : source->data->column[keys->column[k]], &out->codes[k]));
done:
    return status;
}

Status inspect_keys(Run *run, const Source *source, const Keys *keys) {
    Status status = OK;
    Cells cells = { 0 };
    Table *tuples = NULL;
    if (!keys->count) return OK;
    if (inspect_pairs(keys, source->rows)) TRY(cells_of(&run->work, source, keys, &cells, &tuples));
    Grid *grid = grid_new(run->result, "keys", INSPECT_KEYS);
    for (int size = 1; size <= 3 && size <= keys->count; size++) {
        if (too_many(keys->count, size, source->rows)) {
            result_note(run->result, "Sets of %d keys were not counted: too many for a quick look. `risk suda` does.", size);
            break;
        }
        TRY(all_sets(run, source, keys, &cells, size, grid));
    }
    grid_done(grid);
done:
    table_release(tuples);
    return status;
}
