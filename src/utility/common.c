/* Original and release at the level that both know, and what is said of it. */
#include "utility/common.h"
#include "base/number.h"
#include "table/coarsen.h"
#include "table/joint.h"

static void say_coarsened(Run *run, const Coarsened *what, int64_t recoded) {
    Grid *grid = NULL;
    char share[33];
    int64_t columns = 0, before = 0, after = 0;
    for (int64_t j = 0; j < recoded; j++) {
        if (!what[j].after) {
            result_note(run->result,
                        "'%s' is in intervals that overlap or stand beside single values: there is no common level, and it is compared "
                        "word by word.",
                        what[j].name);
            continue;
        }
        if (!grid) grid = grid_new(run->result, "coarsened", COARSENED_COLUMNS);
        grid_text(grid, what[j].name);
        grid_integer(grid, what[j].before);
        grid_integer(grid, what[j].after);
        grid_real(grid, 1 - (double)what[j].after / (double)what[j].before);
        columns++;
        before += what[j].before;
        after += what[j].after;
    }
    if (!grid) return;
    grid_done(grid);
    result_note(run->result,
                "%lld column%s compared at the release's coarser level: of the original's %lld values it tells %lld apart (%s%% lost). The "
                "distances do not count that loss.",
                (long long)columns, columns == 1 ? " is" : "s are", (long long)before, (long long)after,
                real_short(100 * (1 - (double)after / (double)before), 3, share));
}

Status common_original(Run *run, const Table *original, const Table *released, Columns vars, Table **out) {
    Status status = OK;
    const char **name = NULL;
    Coarsened *what = NULL;
    int64_t count = 0, recoded = 0;
    TRY(common_columns(&run->work, original, released, vars, &name, &count));
    TRY(coarsen_original(&run->work, original, released, name, count, out, &what, &recoded));
    say_coarsened(run, what, recoded);
done:
    return status;
}
