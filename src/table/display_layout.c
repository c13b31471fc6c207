/* Layouts: one block of their own beside the table. */
#include "table/display_layout.h"
#include <stdlib.h>
#include <string.h>

void display_layout_free(DisplayLayout *layout) {
    if (!layout) return;
    free(layout->depth);
    free((char *)(uintptr_t)layout->mark);
    free((char *)(uintptr_t)layout->note);
    for (int64_t k = 0; layout->why && k < layout->places; k++) free((char *)(uintptr_t)layout->why[k]);
    free(layout->why);
    free(layout);
}

static bool copy_why(const DisplayLayout *from, const Table *table, DisplayLayout *own) {
    own->places = from->why ? (table->columns - from->sides) * table->rows : 0;
    if (!own->places) return true;
    own->why = calloc((size_t)own->places, sizeof *own->why);
    for (int64_t k = 0; own->why && k < own->places; k++)
        if (from->why[k] && !(own->why[k] = strdup(from->why[k]))) return false;
    return own->why != NULL;
}

Status display_layout_give(const DisplayLayout *from, Table *table, Error *error) {
    size_t places = (size_t)(from->sides * table->rows);
    DisplayLayout *own = calloc(1, sizeof *own);
    if (own) {
        own->sides = from->sides;
        own->depth = malloc(places + 1);
        own->mark = strdup(from->mark);
        own->note = from->note ? strdup(from->note) : NULL;
    }
    if (!own || !own->depth || !own->mark || !own->note != !from->note || !copy_why(from, table, own)) {
        display_layout_free(own);
        return out_of_memory(error);
    }
    if (places) memcpy(own->depth, from->depth, places);
    display_layout_free(table->layout);
    table->layout = own;
    return OK;
}

DisplayKind display_layout_kind(const Table *table, int64_t j, const char *text) {
    const DisplayLayout *l = table->layout;
    if (!l || j < l->sides) return LAID_HEAD;
    return text && !strcmp(text, l->mark) ? LAID_HIDDEN : LAID_NUMBER;
}

const char *display_layout_why(const Table *table, int64_t j, int64_t row) {
    const DisplayLayout *l = table->layout;
    return l && l->why && j >= l->sides ? l->why[(j - l->sides) * table->rows + row] : NULL;
}

int display_layout_depth(const Table *table, int64_t j, int64_t row) {
    const DisplayLayout *l = table->layout;
    return l && j < l->sides ? l->depth[j * table->rows + row] : 0;
}
