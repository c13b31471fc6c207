/* Small tables made cell by cell. */
#include <string.h>
#include "base/elementary.h"
#include "result/result.h"

enum { MOST_COLUMNS = 64 };
typedef struct {
    enum { MISSING_CELL, REAL_CELL, INTEGER_CELL, TEXT_CELL } kind;
    union {
        double real;
        int64_t integer;
        const char *text;
    };
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

/* Often that of the row above. */
void grid_text(Grid *grid, const char *text) {
    if (!grid) return;
    const GridCell *above = grid->count >= grid->columns ? &grid->cell[grid->count - grid->columns] : NULL;
    if (!text) add(grid, (GridCell){ .kind = MISSING_CELL });
    else if (above && above->kind == TEXT_CELL && above->text && !strcmp(above->text, text)) add(grid, *above);
    else add(grid, (GridCell){ .kind = TEXT_CELL, .text = arena_text(grid->result->arena, text) });
}
void grid_integer(Grid *grid, int64_t value) { add(grid, (GridCell){ .kind = INTEGER_CELL, .integer = value }); }
void grid_real(Grid *grid, double value) { add(grid, (GridCell){ .kind = isnan(value) ? MISSING_CELL : REAL_CELL, .real = value }); }
void grid_missing(Grid *grid) { add(grid, (GridCell){ .kind = MISSING_CELL }); }

static double real_of(const GridCell *cell) {
    return cell->kind == REAL_CELL ? cell->real : cell->kind == INTEGER_CELL ? (double)cell->integer : NAN;
}

static int64_t integer_of(const GridCell *cell) {
    if (cell->kind == REAL_CELL) return isfinite(cell->real) && fabs(cell->real) < 9e18 ? (int64_t)cell->real : 0;
    return cell->kind == INTEGER_CELL ? cell->integer : 0;
}

static Status make_column(Grid *grid, int j, int64_t rows, Column **out) {
    Status status = OK;
    Column *column = NULL;
    const char **texts = NULL;
    if (grid->type[j] == TEXT_TYPE) {
        TRY(arena_array(grid->result->arena, rows, sizeof *texts, &texts, NULL));
        for (int64_t i = 0; i < rows; i++) {
            const GridCell *cell = &grid->cell[i * grid->columns + j];
            texts[i] = cell->kind == TEXT_CELL ? cell->text : NULL;
        }
        status = column_text(grid->title[j], texts, rows, out, NULL);
        arena_drop(grid->result->arena, texts);
        return status;
    }
    TRY(column_new(grid->type[j], grid->title[j], rows, &column, NULL));
    TRY(column_need_valid(column, NULL));
    for (int64_t i = 0; i < rows; i++) {
        const GridCell *cell = &grid->cell[i * grid->columns + j];
        if (cell->kind == MISSING_CELL) column_set_missing(column, i);
        else if (grid->type[j] == REAL_TYPE) column->real[i] = real_of(cell);
        else column->integer[i] = integer_of(cell);
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
    arena_drop(grid->result->arena, grid->cell);
    grid->cell = NULL;
    grid->count = grid->room = 0;
}
