/* Lee & Clifton 2012, differential identifiability: the worked examples, table 4, and figures 1 to 4 as SVG. paper-identifiability [FILE
 * [FOLDER]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "io/open.h"
#include "math/discrete_noise.h"
#include "math/ranks.h"
#include "math/privacy/identifiability.h"
#include "math/privacy/sensitivity.h"
#include "render/render.h"

enum { ATTRIBUTES = 5, QUERIES = 1000 };
static Error error = { .row = -1, .line = -1, .place = -1 };
static Work work;
static RandomBits bits;
static const char *folder;

typedef struct Attribute {
    const char *name;
    double low, high;
    double paper_range[2], paper_value[2], paper_scale[2][2]; /* mean and standard deviation; r = 0.1 and 0.001, NaN = ∞ */
    bool misprint;                                            /* the printed S of the standard deviation is not the range of anything */
} Attribute;
static const Attribute attributes[ATTRIBUTES] = {
    { "age", 17, 90, { 0.0015, 0.0019 }, { 38.6435, 13.7105 }, { { 0.0007, NAN }, { 0.0009, NAN } }, false },
    { "education-num", 1, 16, { 0.0003, 0.0251 }, { 10.0780, 2.5709 }, { { 0.0006, NAN }, { 0.0491, NAN } }, true },
    { "capital-gain", 0, 99999, { 2.0474, 26.8833 }, { 1079.067, 7452.019 }, { { 0.2198, 0.4445 }, { 2.8858, 5.8364 } }, true },
    { "capital-loss", 0, 4356, { 0.0892, 0.4623 }, { 87.5023, 403.0045 }, { { 0.0144, 0.0606 }, { 0.0748, 0.3139 } }, false },
    { "hours-per-week", 1, 99, { 0.0020, 0.0056 }, { 40.4223, 12.3914 }, { { 0.0008, NAN }, { 0.0023, NAN } }, true },
};

static void need(Status status) {
    char text[2048];
    if (!status) return;
    error_text(&error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    exit(1);
}

/* NaN where r is no more than a guess. */
static double scale_for(double range, double risk, double worlds) {
    double epsilon;
    Error ignored = ERROR_NONE;
    return identifiability_epsilon(risk, worlds, &epsilon, &ignored) ? NAN : range / epsilon;
}

/* Laplace noise of this scale, from the exact sampler on a grid of 2⁻³⁰ of the scale. */
static double noise(double scale) {
    Wide units;
    need(draw_discrete_laplace(&bits, UINT64_C(1) << 30, 1, &units));
    return ldexp((double)units, -30) * scale;
}

static void examples(void) {
    double values[] = { 10 / 4.0, 11 / 4.0, 16 / 4.0 }, belief[3], means[8], scale, scratch[8];
    identifiability_beliefs(values, NULL, 3, 9 / 8.0, 5.041, belief);
    printf("## The examples\n\nD = {1, 2, 3, 10}, ε = 2, response 5.041: the adversary believes in 10 with %.6f (published 0.6278).\n\n",
           belief[2]);
    for (int i = 0; i < 8; i++) means[i] = (4 + (i ? i + 3 : 2)) / 3.0;
    double bound = scale_for(8 / 3.0, 1 / 3.0, 8);
    need(identifiability_tight(&work, means, NULL, 8, 1 / 3.0, &scale));
    identifiability_beliefs(means, NULL, 8, bound, 2, scratch);
    printf("U = {1, …, 10}, D′ = {1, 3}, mean, r = 1/3: S = 8/3, λ = %.6f; at R = 2 the risk is %.6f (published 0.2294); the least λ that "
           "keeps 1/3 is %.6f.\n\n",
           bound, scratch[0], scale);
}

typedef struct Data {
    int64_t n;
    const double *x;
    int64_t *order;
} Data;

static Data column_data(const Table *adult, const Attribute *a) {
    Data d;
    const Column *column;
    need(table_need(adult, a->name, &column, &error));
    need(column_reals(&work, column, &d.x));
    need(arena_array(work.arena, column->rows, sizeof *d.order, &d.order, &error));
    need(order_reals(&work, d.x, column->rows, d.order, &d.n));
    return d;
}

static double sensitive_range(const Attribute *a, const Data *d, StatisticKind kind) {
    int64_t count = (int64_t)(a->high - a->low) + 1, worst;
    double *candidates, range;
    need(arena_array(work.arena, count, sizeof *candidates, &candidates, &error));
    for (int64_t k = 0; k < count; k++) candidates[k] = a->low + (double)k;
    need(statistic_sensitive_range(&work, (Statistic){ kind, 0 }, &(Sample){ d->n, d->x, NULL, d->order },
                                   &(WorldCandidates){ .count = count, .x = candidates }, &range, &worst));
    return range;
}

static void table_4(const Table *adult) {
    printf("## Table 4: UCI Adult, n = %lld\n\nExact, with what the paper prints in brackets; three responses of our own at r = 0.1. † "
           "marks a printed S that is not the range of the statistic: no pair of possible worlds is that far apart. "
           "0.0056 is twice 0.0028, and 0.4623 is |f(high) − f(low)|, the two ends of the attribute put in for one record, cut off after "
           "four digits: the range of the statistic is larger.\n\n"
           "| f | attribute | S(f) | f(D) | λ, r = 0.1 | three responses | λ, r = 0.001 |\n|---|---|---|---|---|---|---|\n",
           (long long)adult->rows);
    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < ATTRIBUTES; i++) {
            const Attribute *a = &attributes[i];
            Data d = column_data(adult, a);
            StatisticKind of = kind ? OF_SD : OF_MEAN;
            double range = sensitive_range(a, &d, of), value = statistic_value((Statistic){ of, 0 }, &(Sample){ d.n, d.x, NULL, d.order }),
                   worlds = a->high - a->low + 1, tenth = scale_for(range, 0.1, worlds);
            printf("| %s | %s | %.6g (%.4f%s) | %.6g (%.4f) |", kind ? "standard deviation" : "mean", a->name, range, a->paper_range[kind],
                   kind && a->misprint ? "†" : "", value, a->paper_value[kind]);
            printf(" %.6g (%.4f) | %.6g, %.6g, %.6g |", tenth, a->paper_scale[kind][0], value + noise(tenth), value + noise(tenth),
                   value + noise(tenth));
            double least = scale_for(range, 0.001, worlds);
            if (isnan(least)) printf(" ∞ (∞) |\n");
            else printf(" %.6g (%.4f) |\n", least, a->paper_scale[kind][1]);
        }
    printf("\nWhere λ is ∞, r = 0.001 is no more than a guess among the worlds and cannot be promised.\n\n");
}

static void write_chart(const Chart *chart, const char *name) {
    Buffer svg = { 0 };
    char path[512];
    render_svg(chart, 640, 400, &svg);
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    FILE *file = fopen(path, "w");
    if (!file || svg.failed) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(1);
    }
    fwrite(svg.bytes, 1, svg.count, file);
    fclose(file);
    buffer_free(&svg);
    printf("- %s: %s\n", path, chart->title);
}

/* Figure 1: the risk that is reached against the risk that is promised. */
static void figure_1(Result *result) {
    enum { POINTS = 60 };
    double means[8], medians[8] = { 2, 3, 3, 3, 3, 3, 3, 3 }, x[POINTS], y[POINTS], scratch[8];
    for (int i = 0; i < 8; i++) means[i] = (4 + (i ? i + 3 : 2)) / 3.0;
    for (int k = 0; k < 2; k++) {
        const double *values = k ? medians : means;
        Chart *chart = result_chart(result, CHART_LINE,
                                    k ? "Figure 1(b): median, the bound is tight" : "Figure 1(a): mean, the risk stays below the promise",
                                    "promised r", "worst risk over all responses");
        for (int i = 0; i < POINTS; i++) {
            x[i] = 0.13 + 0.86 * i / (POINTS - 1);
            y[i] = identifiability_worst(values, NULL, 8, scale_for(values[7] - values[0], x[i], 8), scratch);
        }
        chart->diagonal = true;
        chart_series(chart, "risk", POINTS, x, y, NULL, NULL);
        write_chart(chart, k ? "figure-1b" : "figure-1a");
    }
}

static int rising(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* 1,000 noise ratios (R − f(D))/(U_max − U_min): their five numbers. */
static void five_numbers(double scale, double width, double *five) {
    static double ratio[QUERIES];
    for (int i = 0; i < QUERIES; i++) ratio[i] = noise(scale) / width;
    qsort(ratio, QUERIES, sizeof *ratio, rising);
    const int at[5] = { 0, QUERIES / 4, QUERIES / 2, 3 * QUERIES / 4, QUERIES - 1 };
    for (int k = 0; k < 5; k++) five[k] = ratio[at[k]];
}

static const char *number_label(char *out, double value) {
    snprintf(out, 24, "%.4g", value);
    return out;
}

/* Boxes over r (figure 2), over ε (figure 3), or over r for two sizes (figure 4). */
typedef struct Boxes {
    const char *title, *file;
    const Attribute *a;
    const double *at;
    int count;
    double n, second_n;
    bool epsilon, sum;
} Boxes;
static void box_chart(Result *result, const Boxes *b) {
    double five[5 * 16];
    char text[16][24];
    const char *label[16];
    Chart *chart = result_chart(result, CHART_BOX, b->title, b->epsilon ? "ε" : "r", "noise ratio");
    double width = b->a->high - b->a->low;
    for (int series = 0; series < (b->second_n > 0 ? 2 : 1); series++) {
        int shown = 0;
        char name[64];
        double n = series ? b->second_n : b->n, range = b->sum ? width : width / n;
        for (int i = 0; i < b->count; i++) {
            double scale = b->epsilon ? range / b->at[i] : scale_for(range, b->at[i], width + 1);
            if (isnan(scale)) continue;
            five_numbers(scale, width, five + 5 * shown);
            label[shown] = number_label(text[shown], b->at[i]);
            shown++;
        }
        snprintf(name, sizeof name, "%.0f records", n);
        chart_series(chart, name, shown, NULL, five, NULL, label);
    }
    write_chart(chart, b->file);
}

static void figures(double n) {
    static const double risks[] = { 0.0005, 0.001, 0.015, 0.02, 0.05, 0.075, 0.1, 0.2, 0.3, 0.5 },
                        epsilons[] = { 0.01, 0.05, 0.1, 0.5, 1, 2, 5 };
    Result *result = result_new("paper");
    char title[160], file[64];
    if (!result) exit(1);
    printf("## Figures\n\n");
    figure_1(result);
    for (int i = 0; i < ATTRIBUTES; i++) {
        snprintf(title, sizeof title, "Figure 2: noise ratio of the mean of %s by r", attributes[i].name);
        snprintf(file, sizeof file, "figure-2-%s", attributes[i].name);
        box_chart(result, &(Boxes){ .title = title, .file = file, .a = &attributes[i], .at = risks, .count = 10, .n = n });
    }
    for (int i = 2; i < 4; i++) {
        snprintf(title, sizeof title, "Figure 3: noise ratio of the mean of %s by ε, differential privacy", attributes[i].name);
        snprintf(file, sizeof file, "figure-3-%s", attributes[i].name);
        box_chart(result,
                  &(Boxes){ .title = title, .file = file, .a = &attributes[i], .at = epsilons, .count = 7, .n = n, .epsilon = true });
        snprintf(title, sizeof title, "Figure 4: mean of %s, 1,000 and 10,000 records", attributes[i].name);
        snprintf(file, sizeof file, "figure-4-mean-%s", attributes[i].name);
        box_chart(result,
                  &(Boxes){ .title = title, .file = file, .a = &attributes[i], .at = risks, .count = 10, .n = 1000, .second_n = 10000 });
        snprintf(title, sizeof title, "Figure 4: sum of %s, 1,000 and 10,000 records", attributes[i].name);
        snprintf(file, sizeof file, "figure-4-sum-%s", attributes[i].name);
        box_chart(result, &(Boxes){ .title = title,
                                    .file = file,
                                    .a = &attributes[i],
                                    .at = risks,
                                    .count = 10,
                                    .n = 1000,
                                    .second_n = 10000,
                                    .sum = true });
    }
    printf("\n");
    result_free(result);
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "../shared/data/adult.csv";
    Table *adult;
    Seed seed = seed_from_number(2012);
    RandomStream stream = stream_make(&seed, "paper", 0, "noise", "queries");
    RandomReader reader = reader_make(&stream);
    work = (Work){ .arena = arena_new(), .error = &error, .threads = 2 };
    folder = argc > 2 ? argv[2] : "build/papers";
    if (mkdir(folder, 0777) && access(folder, W_OK)) {
        fprintf(stderr, "cannot write to %s\n", folder);
        return 1;
    }
    need(random_bits_open_reader(&bits, &reader, &error));
    printf("# Lee & Clifton 2012: differential identifiability\n\n");
    examples();
    bool there = access(path, R_OK) == 0;
    if (there) {
        need(table_open(&work, path, &(CsvOptions){ 0 }, &adult));
        table_4(adult);
        table_release(adult);
    } else fprintf(stderr, "skipped: table 4 of differential identifiability needs UCI Adult (%s)\n", path);
    figures(48842);
    random_bits_close(&bits);
    arena_free(work.arena);
    return there ? 0 : 1;
}
