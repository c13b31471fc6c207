/* Matloff & Tendick's example (section 6), twenty times over: samples of 5,000 programmers, both calls, beside what the paper prints.
 * paper-nbrs FILE */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/number_text.h"
#include "io/open.h"
#include "method/method.h"

enum { SAMPLES = 20, SIZE = 5000, TERMS = 5 };
static const char *const terms[TERMS] = { "age", "sex", "wkswrkd", "ms", "phd" };
static const double paper_original[TERMS] = { 447.2, -9591.7, 1286.4, 17333.0, 21291.3 };
typedef struct {
    const char *title, *eps, *weight;
    double paper[TERMS];
} Call;
/* The first call is printed with eps = 0.3; the source of the paper keeps the one that was run, with 0.6, as a comment. */
static const Call calls[] = {
    { "eps = 0.3, weights 0.2 on sex, ms, phd: the first call as it is printed",
      "0.3",
      "0.2",
      { 466.1, -8423.2, 1270.7, 18593.9, 22161.4 } },
    { "eps = 0.6, weights 0.2: the first call as it was run", "0.6", "0.2", { 466.1, -8423.2, 1270.7, 18593.9, 22161.4 } },
    { "eps = 0.6, weights 0.3: the second call", "0.6", "0.3", { 506.3, -9323.1, 1289.8, 17684.1, 22019.3 } }
};
typedef struct {
    int tracked, blanked, matching, moved, became_men, others, empty;
    double change[TERMS][SAMPLES], in_se[TERMS][SAMPLES];
} Tally;

static void need(Status status, const Error *error) {
    char text[2048];
    if (!status) return;
    error_text(error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    exit(1);
}

static Table *draw_sample(Work *work, const Table *all, uint64_t seed) {
    Seed from = seed_from_number(seed);
    RandomStream stream = stream_make(&from, "paper", 0, "sample", "rows");
    int64_t *order = NULL;
    Table *sample;
    need(arena_array(work->arena, all->rows, sizeof *order, &order, work->error), work->error);
    need(stream_permutation(work, &stream, all->rows, order), work->error);
    need(table_take(all, order, SIZE, &sample, work->error), work->error);
    return sample;
}

static Result *call_method(const char *group, const char *name, uint64_t seed, const Args *args) {
    Error error = ERROR_NONE;
    Result *result;
    Session session = { .seed = seed_from_number(seed), .threads = 2 };
    need(method_run(&session, method_find(group, name), args, NULL, &result, &error), &error);
    return result;
}

static Result *protect(Table *sample, const Call *call, uint64_t seed) {
    static const char *const weighed[] = { "sex", "ms", "phd" };
    char text[3][32];
    const char *weights[3];
    for (int i = 0; i < 3; i++) {
        snprintf(text[i], sizeof text[i], "%s:%s", weighed[i], call->weight);
        weights[i] = text[i];
    }
    Arg list[] = { { .name = "data", .count = 1, .tables = &sample },
                   { .name = "eps", .count = 1, .items = &call->eps },
                   { .name = "weights", .count = 3, .items = weights } };
    return call_method("protect", "nbrs", seed, &(Args){ 3, list });
}

static double cell(const Table *table, const char *column, int64_t row) { return column_number(table_column(table, column), row); }

static void regress(Table *original, Table *released, int sample, Tally *tally) {
    const char *formula = "wageinc ~ age + sex + wkswrkd + ms + phd";
    Arg list[] = { { .name = "original", .count = 1, .tables = &original },
                   { .name = "released", .count = 1, .tables = &released },
                   { .name = "formula", .count = 1, .items = &formula } };
    Result *result = call_method("utility", "regression", 1, &(Args){ 3, list });
    const Table *t = result_find_table(result, "coefficients");
    for (int64_t i = 0; i < t->rows; i++)
        for (int k = 0; k < TERMS; k++) {
            char number[33];
            if (strcmp(column_cell(table_column(t, "term"), i, number), terms[k])) continue;
            double before = cell(t, "original", i), after = cell(t, "released", i);
            tally->change[k][sample] = 100 * fabs(after / before - 1);
            tally->in_se[k][sample] = fabs(after - before) / cell(t, "original_se", i);
        }
    result_free(result);
}

/* The female PhD under 31. */
static bool rare(const Table *t, int64_t i) { return cell(t, "sex", i) == 2 && cell(t, "phd", i) == 1 && cell(t, "age", i) < 31; }

static void track(const Table *original, const Table *released, Tally *tally) {
    for (int64_t i = 0; i < original->rows; i++) {
        bool gone = isnan(cell(released, "age", i)), now = !gone && rare(released, i), was = rare(original, i);
        tally->others += now && !was;
        if (!was) continue;
        tally->tracked++;
        tally->blanked += gone;
        tally->matching += now;
        tally->moved += !gone && !now;
        tally->became_men += !gone && cell(released, "sex", i) == 1;
    }
}

static int rising(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}
static double median(double *x) {
    qsort(x, SAMPLES, sizeof *x, rising);
    return (x[SAMPLES / 2 - 1] + x[SAMPLES / 2]) / 2;
}

static void print_tally(const Call *call, Tally *t) {
    printf("## %s\n\n", call->title);
    printf("| | age | sex | wkswrkd | ms | phd |\n|---|---|---|---|---|---|\n| the paper's one draw: change, %% |");
    for (int k = 0; k < TERMS; k++) printf(" %.1f |", 100 * fabs(call->paper[k] / paper_original[k] - 1));
    double mid[TERMS], se[TERMS];
    for (int k = 0; k < TERMS; k++) {
        mid[k] = median(t->change[k]);
        se[k] = median(t->in_se[k]);
    }
    printf("\n| here, median of %d: change, %% |", SAMPLES);
    for (int k = 0; k < TERMS; k++) printf(" %.1f |", mid[k]);
    printf("\n| least to most, %% |");
    for (int k = 0; k < TERMS; k++) printf(" %.1f–%.1f |", t->change[k][0], t->change[k][SAMPLES - 1]);
    printf("\n| here, median, in standard errors |");
    for (int k = 0; k < TERMS; k++) printf(" %.2f |", se[k]);
    printf("\n\nEmpty neighbourhoods: %.1f of %d on average. Women with a PhD under 31 in the %d samples: %d. Of these %d were blanked, %d "
           "moved out of the description "
           "(%d became men), %d still match it; %d other records match it now.\n\n",
           (double)t->empty / SAMPLES, SIZE, SAMPLES, t->tracked, t->blanked, t->moved, t->became_men, t->matching, t->others);
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "../shared/data/prgeng_msphd.csv";
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 2 };
    Table *all;
    if (access(path, R_OK)) {
        fprintf(stderr, "skipped: the tables of neighbourhood sampling need the programmers and engineers of the 2000 census (%s)\n", path);
        return 1;
    }
    need(table_open(&work, path, &(CsvOptions){ 0 }, &all), &error);
    printf("# Neighbourhood sampling: the paper's example\n\nMatloff & Tendick, section 6: 5,000 of the %lld programmers and engineers; "
           "wageinc ~ age + sex + wkswrkd + ms + phd on the sample and on its release. "
           "The paper shows one draw of each call; here are %d samples, each with its own seed, as `make paper-tables` prints them.\n\n",
           (long long)all->rows, SAMPLES);
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        Tally *tally = calloc(1, sizeof *tally);
        if (!tally) return 1;
        for (int s = 0; s < SAMPLES; s++) {
            Table *sample = draw_sample(&work, all, (uint64_t)s + 1);
            Result *release = protect(sample, &calls[c], (uint64_t)s + 1);
            const Value *empty = result_find(release, "empty");
            tally->empty += empty ? (int)empty->integer : 0;
            regress(sample, release->output[0], s, tally);
            track(sample, release->output[0], tally);
            result_free(release);
            table_release(sample);
        }
        print_tally(&calls[c], tally);
        free(tally);
    }
    table_release(all);
    arena_free(work.arena);
    return 0;
}
