/* scrim inspect: what a column's values are like, in one line: range and mean, or its commonest words, and a small picture. */
#include "base/elementary.h"
#include "base/number.h"
#include "recipe/inspect.h"

enum { BARS = 12 };

/* Heights in eighths of a line. */
static void draw(Buffer *out, const double *height, int bars) {
    static const char *const block[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    double most = 0;
    for (int i = 0; i < bars; i++) most = fmax(most, height[i]);
    for (int i = 0; i < bars; i++) buffer_text(out, block[most > 0 && height[i] > 0 ? 1 + (int)(7 * height[i] / most) : 0]);
}

/* Equal steps from the least to the most, or one for each of a few whole numbers. Codes ascend, so that every distinct value is met once.
 */
static void say_numbers(Grid *grid, const Seen *seen) {
    const Column *column = seen->column;
    const Codes *codes = &seen->codes;
    const int64_t *size = seen->size;
    double least = column_number(column, codes->first_row[0]), most = column_number(column, codes->first_row[codes->count - 1]);
    double height[BARS] = { 0 }, sum = 0, count = 0;
    bool each = column->type == INTEGER_TYPE && most - least < BARS; /* a bar for each number */
    char text[33];
    Buffer picture = { 0 };
    for (int32_t c = 0; c < codes->count; c++) {
        double x = column->type == REAL_TYPE ? column->real[codes->first_row[c]] : column_number(column, codes->first_row[c]);
        int bar = each ? (int)(x - least) : most > least ? (int)((x - least) / (most - least) * BARS) : 0;
        height[bar < BARS ? bar : BARS - 1] += (double)size[c];
        sum += x * (double)size[c];
        count += (double)size[c];
    }
    draw(&picture, height, each ? (int)(most - least) + 1 : BARS);
    grid_text(grid, column_cell(column, codes->first_row[0], text));
    if (column_numeric(column) && !seen->are_codes) grid_real(grid, sum / count);
    else grid_real(grid, NAN);
    grid_text(grid, column_cell(column, codes->first_row[codes->count - 1], text));
    grid_text(grid, NULL);
    grid_text(grid, buffer_get(&picture));
    buffer_free(&picture);
}

/* The commonest words, each with its share; those that one record alone has are never named. */
static void say_words(Grid *grid, const Seen *seen) {
    enum { WORDS = 3 };
    const Codes *codes = &seen->codes;
    const int64_t *size = seen->size;
    int32_t top[WORDS];
    int words = 0;
    double height[BARS] = { 0 }, present = (double)seen->present;
    char text[33];
    Buffer named = { 0 }, picture = { 0 };
    for (int32_t c = 0; c < codes->count; c++) {
        int at = words;
        while (at > 0 && size[c] > size[top[at - 1]]) at--;
        if (at >= WORDS || size[c] < 2) continue;
        if (words < WORDS) words++;
        for (int i = words - 1; i > at; i--) top[i] = top[i - 1];
        top[at] = c;
    }
    for (int i = 0; i < words; i++)
        buffer_print(&named, "%s%s %lld%%", i ? ", " : "", column_cell(seen->column, codes->first_row[top[i]], text),
                     (long long)floor(100 * (double)size[top[i]] / present + 0.5));
    for (int32_t c = 0; c < codes->count && codes->count <= BARS; c++) height[c] = (double)size[c];
    if (codes->count <= BARS) draw(&picture, height, codes->count);
    grid_text(grid, NULL);
    grid_real(grid, NAN);
    grid_text(grid, NULL);
    grid_text(grid, words ? buffer_get(&named) : NULL);
    grid_text(grid, picture.count ? buffer_get(&picture) : NULL);
    buffer_free(&named);
    buffer_free(&picture);
}

void inspect_values(Grid *grid, const Seen *seen) {
    grid_text(grid, seen->column->name);
    if (seen->codes.count && column_linear(seen->column)) say_numbers(grid, seen);
    else say_words(grid, seen);
}
