/* Rows from the model: clique by clique down the tree, each group of rows that agree on the separator gets the clique's cells in
 * proportion. */
#include "base/elementary.h"
#include "base/sort.h"
#include <stdio.h>
#include <string.h>
#include "synth/private/private.h"

/* The separator's cell of each row, from the codes it has. */
static void row_groups(const Private *p, Set set, uint16_t *const *codes, int64_t rows, int32_t *out) {
    memset(out, 0, (size_t)rows * sizeof *out);
    for (int32_t j = 0; j < p->domain.count; j++) {
        if (!(set >> j & 1)) continue;
        for (int64_t i = 0; i < rows; i++) out[i] = out[i] * p->domain.at[j].merged + codes[j][i];
    }
}

static void put_cell(const Private *p, Set set, Set fresh, uint16_t **codes, int64_t row, int64_t cell) {
    for (int32_t j = p->domain.count - 1; j >= 0; j--) {
        if (!(set >> j & 1)) continue;
        if (fresh >> j & 1) codes[j][row] = (uint16_t)(cell % p->domain.at[j].merged);
        cell /= p->domain.at[j].merged;
    }
}

/* Row j of s in a group, in random order, takes the cell at (j + u)/s of the group's shares: counts are the expected ones, rounded at
 * random. */
static Status draw_clique(Private *p, const Clique *c, Set fresh, int64_t rows, RandomReader *reader, uint16_t **codes) {
    Status status = OK;
    Work *work = &p->run->work;
    int64_t *rows_of = NULL, *cells_of = NULL; /* of each cell of the separator */
    int32_t *group = NULL, *listed_rows = NULL, *listed_cells = NULL;
    NEW(work, group, rows + 1);
    row_groups(p, c->separator, codes, rows, group);
    TRY(groups_listed(work, group, rows, c->between, &rows_of, &listed_rows));
    TRY(groups_listed(work, c->own_map, c->cells, c->between, &cells_of, &listed_cells));
    for (int64_t s = 0; s < c->between; s++) {
        int32_t *row = listed_rows + rows_of[s], *cell = listed_cells + cells_of[s];
        int64_t count = rows_of[s + 1] - rows_of[s], many = cells_of[s + 1] - cells_of[s], at = 0;
        double whole = 0, sum = 0;
        if (!count) continue;
        for (int64_t j = count - 1; j > 0; j--) {
            int64_t other = (int64_t)reader_below(reader, (uint64_t)j + 1);
            int32_t kept = row[j];
            row[j] = row[other];
            row[other] = kept;
        }
        for (int64_t k = 0; k < many; k++) whole += c->belief[cell[k]];
        double u = reader_uniform(reader);
        sum = c->belief[cell[0]];
        for (int64_t j = 0; j < count; j++) {
            double target = whole > 0 ? ((double)j + u) / (double)count * whole : 0;
            if (!(whole > 0)) at = (int64_t)reader_below(reader, (uint64_t)many); /* a group that the model never expects */
            while (whole > 0 && at + 1 < many && sum < target) sum += c->belief[cell[++at]];
            put_cell(p, c->set, fresh, codes, row[j], cell[at]);
        }
    }
done:
    arena_drop(work->arena, group);
    arena_drop(work->arena, cells_of);
    arena_drop(work->arena, listed_cells);
    arena_drop(work->arena, rows_of);
    arena_drop(work->arena, listed_rows);
    return status;
}

Status rows_draw(Private *p, const Tree *tree, int64_t rows, const char *what, uint16_t **codes) {
    Status status = OK;
    Set done_with = 0;
    RandomStream stream = run_stream(p->run, NULL, what);
    RandomReader reader = reader_make(&stream);
    for (int32_t k = 0; k < tree->count; k++) {
        const Clique *c = &tree->clique[k];
        TRY(draw_clique(p, c, c->set & ~done_with, rows, &reader, codes));
        done_with |= c->set;
    }
done:
    return status;
}
