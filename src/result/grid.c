/* Small tables made cell by cell. */
#include <string.h>
#include "base/elementary.h"
#include "result/result.h"

enum { MOST_COLUMNS = 64 };
typedef struct {
    double real;
    int64_t integer;
    const char *text;
    bool missing;
} GridCell;
struct Grid {
    Result *result;
    const char *name;
    int columns;
    const char *title[MOST_COLUMNS];
    Type type[MOST_COLUMNS];
    int64_t count, room;
    GridCell *cell;
};

/* "key:text cells:integer share:real" */
static void read_columns(Grid *grid, const char *columns) {
    char *copy = arena_text(grid->result->arena, columns), *state = NULL;
    if (!copy) {
        grid->result->failed = true;
        return;
    }
    for (char *word = strtok_r(copy, " ", &state); word && grid->columns < MOST_COLUMNS; word = strtok_r(NULL, " ", &state)) {
        char *colon = strrchr(word, ':');
        const char *type = colon ? colon + 1 : "text";
        if (colon) *colon = 0;
        grid->title[grid->columns] = word;
        grid->type[grid->columns++] = !strcmp(type, "real") ? REAL_TYPE : !strcmp(type, "integer") ? INTEGER_TYPE : TEXT_TYPE;
    }
}

Grid *grid_new(Result *result, const char *name, const char *columns) {
    Grid *grid = NULL;
    if (arena_array(result->arena, 1, sizeof *grid, &grid, NULL)) {
        result->failed = true;
        return NULL;
    }
    grid->result = result;
    grid->name = arena_text(result->arena, name);
    read_columns(grid, columns);
    return grid;
}

static void add(Grid *grid, GridCell cell) {
    if (!grid || grid->result->failed) return;
    Work work = { .arena = grid->result->arena };
    if (work_grow(&work, sizeof *grid->cell, &grid->cell, &grid->room, grid->count + 1)) {
        grid->result->failed = true;
        return;
    }
    grid->cell[grid->count++] = cell;
}

void grid_text(Grid *grid, const char *text) {
    if (!grid) return;
    add(grid, (GridCell){ .text = arena_text(grid->result->arena, text), .real = NAN, .missing = !text });
}
void grid_integer(Grid *grid, int64_t value) { add(grid, (GridCell){ .integer = value, .real = (double)value }); }
void grid_real(Grid *grid, double value) {
    add(grid, (GridCell){ .real = value, .integer = isfinite(value) && fabs(value) < 9e18 ? (int64_t)value : 0, .missing = isnan(value) });
}
void grid_missing(Grid *grid) { add(grid, (GridCell){ .missing = true }); }

static Status make_column(Grid *grid, int j, int64_t rows, Column **out) {
    Status status = OK;
    Column *column = NULL;
    const char **texts = NULL;
    if (grid->type[j] == TEXT_TYPE) {
        TRY(arena_array(grid->result->arena, rows, sizeof *texts, &texts, NULL));
        for (int64_t i = 0; i < rows; i++)
            texts[i] = grid->cell[i * grid->columns + j].missing ? NULL : grid->cell[i * grid->columns + j].text;
        return column_text(grid->title[j], texts, rows, out, NULL);
    }
    TRY(column_new(grid->type[j], grid->title[j], rows, &column, NULL));
    TRY(column_need_valid(column, NULL));
    for (int64_t i = 0; i < rows; i++) {
        const GridCell *cell = &grid->cell[i * grid->columns + j];
        if (cell->missing) column_set_missing(column, i);
        else if (grid->type[j] == REAL_TYPE) column->real[i] = cell->real;
        else column->integer[i] = cell->integer;
    }
    column_seal(column);
    *out = column;
done:
    if (status) column_release(column);
    return status;
}

void grid_done(Grid *grid) {
    if (!grid || grid->result->failed) return;
    Column *columns[MOST_COLUMNS] = { 0 };
    Table *table = NULL;
    Status status = OK;
    int64_t rows = grid->columns ? grid->count / grid->columns : 0;
    for (int j = 0; j < grid->columns; j++) TRY(make_column(grid, j, rows, &columns[j]));
    TRY(table_new(grid->name, columns, grid->columns, rows, &table, NULL));
    result_table(grid->result, grid->name, table);
done:
    if (status) grid->result->failed = true;
    for (int j = 0; j < grid->columns; j++) column_release(columns[j]);
}
