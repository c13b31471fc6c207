/* scrim inspect: which of the suggested keys single people out, alone, in pairs and in triples. */
#include "base/elementary.h"
#include <string.h>
#include "recipe/inspect.h"
#include "table/group.h"

enum { MOST_KEYS = 16, SHOWN = 5 };
static const double MOST_WORK = 6e7; /* records times sets: a second or so */

typedef struct Set {
    int key[3];
    int64_t alone;
} Set;

static Status count_alone(Run *run, const Table *data, const Codes *codes, Set *set, int size) {
    Status status = OK;
    Codes some[3];
    Grouping groups = { 0 };
    for (int k = 0; k < size; k++) some[k] = codes[set->key[k]];
    TRY(work_check(&run->work));
    TRY(group_codes(&run->work, some, size, data->rows, &groups));
    for (int64_t g = 0; g < groups.count; g++) set->alone += groups.size[g] == 1;
done:
    arena_drop(run->work.arena, groups.of);
    arena_drop(run->work.arena, groups.first);
    arena_drop(run->work.arena, groups.size);
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

static void say(Grid *grid, const Table *data, const Column *const *key, const Set *set, int size) {
    Buffer names = { 0 };
    for (int k = 0; k < size; k++) buffer_print(&names, "%s%s", k ? " × " : "", key[set->key[k]]->name);
    grid_text(grid, buffer_get(&names));
    grid_integer(grid, set->alone);
    grid_real(grid, data->rows ? (double)set->alone / (double)data->rows : 0);
    buffer_free(&names);
}

static double sets_of(int keys, int size) {
    double n = keys;
    return size == 1 ? n : size == 2 ? n * (n - 1) / 2 : n * (n - 1) * (n - 2) / 6;
}

static Status all_sets(Run *run, const Table *data, const Column *const *key, const Codes *codes, int keys, int size, Grid *grid) {
    Status status = OK;
    Set best[MOST_KEYS + 1];
    int count = 0, room = size == 1 ? MOST_KEYS : SHOWN;
    for (int i = 0; i < keys; i++)
        for (int j = size > 1 ? i + 1 : keys - 1; j < keys; j++)
            for (int k = size > 2 ? j + 1 : keys - 1; k < keys; k++) {
                Set set = { .key = { i, j, k } };
                TRY(count_alone(run, data, codes, &set, size));
                keep(best, &count, room, &set);
            }
    for (int i = 0; i < count; i++) say(grid, data, key, &best[i], size);
done:
    return status;
}

Status inspect_keys(Run *run, const Table *data, const char *const *role) {
    Status status = OK;
    const Column *key[MOST_KEYS];
    Codes codes[MOST_KEYS];
    int keys = 0;
    for (int64_t j = 0; j < data->columns && keys < MOST_KEYS; j++)
        if (same_text(role[j], "keys")) key[keys++] = data->column[j];
    if (!keys) return OK;
    for (int k = 0; k < keys; k++) TRY(column_codes(&run->work, key[k], &codes[k]));
    Grid *grid = grid_new(run->result, "keys", INSPECT_KEYS);
    for (int size = 1; size <= 3 && size <= keys; size++) {
        if (size > 1 && sets_of(keys, size) * (double)data->rows > MOST_WORK) {
            result_note(run->result, "Sets of %d keys were not counted: too many for a quick look. `risk suda` does.", size);
            break;
        }
        TRY(all_sets(run, data, key, codes, keys, size, grid));
    }
    grid_done(grid);
done:
    return status;
}
