/* What n and m have to do with what is learned from a ROC curve: the map that Matthews & Harel leave as future work. paper-roc [SVG]
 * Scores are normal, mean 0 and 1, half of each status, as in the paper's example 2; m of n records are missing at random. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/number_text.h"
#include "base/random.h"
#include "base/text.h"
#include "math/roc/roc.h"
#include "render/render.h"

enum { SIZES = 7, SHARES = 8 };
static const int64_t sizes[SIZES] = { 50, 100, 200, 500, 1000, 2000, 5000 };
static const double shares[SHARES] = { 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.9 };
typedef struct {
    double certain, width, solutions;
} Cell;

static void need(Status status, const Error *error) {
    char text[2048];
    if (!status) return;
    error_text(error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    exit(1);
}

static int ascending(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The share of missing statuses that are certain, the median width of the score's interval (in standard deviations of a status), and log10
 * of the solutions. */
static Cell attack(int64_t n, int64_t m, uint64_t number) {
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    Seed seed = seed_from_number(number);
    RandomStream scores = stream_make(&seed, "paper", n, "scores", "draw"), missing = stream_make(&seed, "paper", m, "missing", "draw");
    RandomReader reader = reader_make(&scores);
    double *score = NULL, *width = NULL;
    int8_t *status = NULL;
    int64_t *order = NULL;
    RocKnown all, known;
    RocSteps steps;
    RocAnswer answer;
    need(arena_array(work.arena, n, sizeof *score, &score, &error), &error);
    need(arena_array(work.arena, n, sizeof *width, &width, &error), &error);
    need(arena_array(work.arena, n, sizeof *status, &status, &error), &error);
    need(arena_array(work.arena, n, sizeof *order, &order, &error), &error);
    for (int64_t i = 0; i < n; i++) {
        status[i] = (int8_t)(i & 1);
        score[i] = reader_normal(&reader) + status[i];
    }
    need(roc_known(&work, score, status, n, &all), &error);
    need(roc_steps(&work, &all, &steps), &error);
    need(stream_permutation(&work, &missing, n, order), &error);
    for (int64_t i = 0; i < m; i++) status[order[i]] = -1;
    need(roc_known(&work, score, status, n, &known), &error);
    need(roc_embed(&work, &steps, &known, false, &answer), &error);
    for (int64_t r = 0; r < m; r++) width[r] = answer.at[r].upper - answer.at[r].lower;
    qsort(width, (size_t)m, sizeof *width, ascending);
    Cell cell = { (double)answer.certain / (double)m, width[m / 2], answer.solutions_log10 };
    arena_free(work.arena);
    return cell;
}

static Cell average(int64_t n, int64_t m) {
    Cell sum = { 0 };
    int draws = (int)(200000 / n < 20 ? 20 : 200000 / n > 400 ? 400 : 200000 / n);
    for (int d = 0; d < draws; d++) {
        Cell one = attack(n, m, (uint64_t)d + 1);
        sum.certain += one.certain / draws;
        sum.width += fmin(one.width, 10) / draws;
        sum.solutions += one.solutions / draws;
    }
    return sum;
}

/* Before the work: a chart that cannot be written is said at once. */
static bool can_write(const char *path) {
    FILE *file = fopen(path, "a");
    if (!file) fprintf(stderr, "%s cannot be written\n", path);
    return file && !fclose(file);
}

static bool write_map(const char *path, const Cell map[SIZES][SHARES], bool widths) {
    Result *result = result_new("paper");
    double x[SIZES * SHARES], y[SIZES * SHARES], z[SIZES * SHARES];
    char words[SIZES + SHARES][24];
    const char *rows[SIZES], *columns[SHARES];
    for (int i = 0; i < SIZES; i++) {
        snprintf(words[i], sizeof words[i], "%d", (int)sizes[i]);
        rows[i] = words[i];
    }
    for (int j = 0; j < SHARES; j++) {
        snprintf(words[SIZES + j], sizeof words[0], "%d%%", (int)lrint(shares[j] * 100));
        columns[j] = words[SIZES + j];
    }
    for (int i = 0; i < SIZES; i++)
        for (int j = 0; j < SHARES; j++) {
            x[i * SHARES + j] = j;
            y[i * SHARES + j] = i;
            z[i * SHARES + j] = widths ? map[i][j].width : map[i][j].certain;
        }
    Chart *chart = result_chart(result, CHART_HEAT,
                                widths ? "Median width of a missing score's interval (standard deviations)"
                                       : "Share of missing statuses that the ROC curve makes certain",
                                "missing, of n", "n");
    chart->z_label = widths ? "width" : "share certain";
    chart_names(chart, SHARES, columns, SIZES, rows);
    chart_series(chart, "map", SIZES * SHARES, x, y, z, NULL);
    Buffer svg = { 0 };
    render_svg(chart, 640, 420, &svg);
    FILE *file = fopen(path, "w");
    bool written = file && fwrite(svg.bytes, 1, svg.count, file) == svg.count;
    if (file && fclose(file)) written = false;
    if (!written) fprintf(stderr, "%s cannot be written\n", path);
    else printf("Drawn in %s.\n\n", path);
    buffer_free(&svg);
    result_free(result);
    return written;
}

static void print_map(const char *what, const Cell map[SIZES][SHARES], int which) {
    printf("%s\n\n| n |", what);
    for (int j = 0; j < SHARES; j++) printf(" m/n = %g%% |", shares[j] * 100);
    printf("\n|---|");
    for (int j = 0; j < SHARES; j++) printf("---|");
    printf("\n");
    for (int i = 0; i < SIZES; i++) {
        printf("| %d |", (int)sizes[i]);
        for (int j = 0; j < SHARES; j++)
            printf(which == 0   ? " %.3f |"
                   : which == 1 ? " %.3f |"
                                : " %.1f |",
                   which == 0   ? map[i][j].certain
                   : which == 1 ? map[i][j].width
                                : map[i][j].solutions);
        printf("\n");
    }
    printf("\n");
}

int main(int argc, char **argv) {
    static Cell map[SIZES][SHARES];
    char certain[512], width[512];
    const char *prefix = argc > 1 ? argv[1] : "build/roc";
    snprintf(certain, sizeof certain, "%s-certain.svg", prefix);
    snprintf(width, sizeof width, "%s-width.svg", prefix);
    if (!can_write(certain) || !can_write(width)) return 1;
    for (int i = 0; i < SIZES; i++)
        for (int j = 0; j < SHARES; j++) {
            int64_t m = (int64_t)fmax(1, rint((double)sizes[i] * shares[j]));
            map[i][j] = average(sizes[i], m);
        }
    printf("# What a ROC curve tells, by n and m\n\nThe paper's example 2 (scores normal, means 0 and 1, half of each status) for other n "
           "and numbers m of missing records; averages over draws. "
           "The paper's own example is n = 100 with 10%% missing.\n\n");
    print_map("Share of the missing statuses that are certain:", map, 0);
    bool written = write_map(certain, map, false);
    print_map("Median width of the interval in which a missing score lies, in standard deviations of a status (capped at 10):", map, 1);
    written &= write_map(width, map, true);
    print_map("log10 of the number of solutions:", map, 2);
    return written ? 0 : 1;
}
