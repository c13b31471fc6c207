/* scrim inspect: what a column's values are like, in one line: range and mean, or its commonest words, and a small picture. */
#include "base/elementary.h"
#include "base/number_text.h"
#include "verb/inspect.h"

enum { BARS = 12 };

/* Heights in eighths of a line. */
static void draw(Buffer *out, const double *height, int bars) {
    static const char *const block[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    double most = 0;
    for (int i = 0; i < bars; i++) most = fmax(most, height[i]);
    for (int i = 0; i < bars; i++) buffer_text(out, block[most > 0 && height[i] > 0 ? 1 + (int)(7 * height[i] / most) : 0]);
}

/* Equal steps from the least to the most, or one for each of a few whole numbers. */
typedef struct Steps {
    const Column *column;
    const Codes *codes;
    double least, most;
    bool each;
} Steps;

static double value_at(const Steps *s, int32_t code) {
    int32_t row = s->codes->first_row[code];
    return s->column->type == REAL_TYPE ? s->column->real[row] : column_number(s->column, row);
}

static int bar_of(const Steps *s, int32_t code) {
    double part = isinf(s->most - s->least) ? 0.5 : 1; /* what lies farther apart than there are numbers is halved */
    double above = part * value_at(s, code) - part * s->least, range = part * s->most - part * s->least;
    int bar = s->each ? (int)above : range > 0 ? (int)(above / range * BARS) : 0;
    return bar < BARS ? bar : BARS - 1;
}

/* Codes ascend, and bars with them: the first code from `first` on that is in a later bar. */
static int32_t bar_end(const Steps *s, int bar, int32_t first) {
    int32_t low = first, high = s->codes->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (bar_of(s, middle) <= bar) low = middle + 1;
        else high = middle;
    }
    return low;
}

static void say_numbers(Grid *grid, const Seen *seen) {
    const Column *column = seen->column;
    const Codes *codes = &seen->codes;
    const int64_t *size = seen->size;
    Steps s = { column, codes, column_number(column, codes->first_row[0]), column_number(column, codes->first_row[codes->count - 1]),
                false };
    double height[BARS] = { 0 }, sum = 0, count = 0;
    char text[33];
    Buffer picture = { 0 };
    s.each = column->type == INTEGER_TYPE && s.most - s.least < BARS; /* a bar for each number */
    for (int32_t bar = 0, c = 0; bar < BARS; bar++) {
        for (int32_t end = bar_end(&s, bar, c); c < end; c++) {
            height[bar] += (double)size[c];
            sum += value_at(&s, c) * (double)size[c];
        }
        count += height[bar];
    }
    draw(&picture, height, s.each ? (int)(s.most - s.least) + 1 : BARS);
    grid_text(grid, column_cell(column, codes->first_row[0], text));
    if (column_numeric(column) && seen->level == MEASURE_SCALE) grid_real(grid, sum / count);
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
