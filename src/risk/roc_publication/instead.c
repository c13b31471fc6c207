/* What to publish instead: thinned and smooth curves, with the same attack run against them. */
#include "risk/roc_publication/instead.h"
#include <math.h>
#include "math/roc_smooth.h"

enum { DRAWS = 250, POINTS = 101 };
typedef struct { const char *name; double auc, accuracy, baseline; int64_t certain; } Row;

static void write_row(Grid *grid, const Row *row, double auc) {
    grid_text(grid, row->name);
    grid_real(grid, row->auc);
    grid_real(grid, row->auc - auc);
    grid_integer(grid, row->certain);
    grid_real(grid, row->accuracy);
    grid_real(grid, row->baseline);
    grid_real(grid, row->accuracy - row->baseline);
}

static Row row_of(const char *name, const RocSteps *steps, const RocKnown *known, const RocAnswer *answer) {
    Row row = { .name = name, .auc = roc_area(steps), .certain = answer->certain };
    double share = known->records ? (double)known->positives / (double)known->records : 0.5;
    for (int64_t r = 0; r < answer->missing; r++) row.accuracy += fmax(answer->at[r].positive, 1 - answer->at[r].positive) / (double)answer->missing;
    row.baseline = fmax(share, 1 - share);
    return row;
}

static Status chart_steps(Work *work, Chart *chart, const char *name, const RocSteps *steps) {
    Status status = OK;
    double *x, *y, tp = 0, fp = 0;
    NEW(work, x, steps->count + 1);
    NEW(work, y, steps->count + 1);
    for (int64_t j = 0; j < steps->count; j++) {
        tp += steps->at[j].positives;
        fp += steps->at[j].negatives;
        x[j + 1] = fp / (double)steps->negatives;
        y[j + 1] = tp / (double)steps->positives;
    }
    chart_series(chart, name, steps->count + 1, x, y, NULL, NULL);
done:
    return status;
}

/* A smooth curve of all records at POINTS rates, and the simulated attack on it. */
static Status smooth_row(Run *run, RocSmoothing kind, const RocKnown *all, const RocKnown *known, Chart *chart, Row *row) {
    Status status = OK;
    double fpr[POINTS], tpr[POINTS];
    RocSmooth smooth;
    RocPosterior posterior;
    Stream stream = run_stream(run, row->name, "instead");
    Reader reader = reader_make(&stream);
    TRY(roc_smooth_make(&run->work, kind, all, &smooth));
    roc_smooth_add_all(&smooth, all);
    for (int k = 0; k < POINTS; k++) fpr[k] = (double)k / (POINTS - 1);
    roc_smooth_rates(&smooth, fpr, POINTS, tpr);
    RocPublished published = { kind, POINTS, fpr, tpr, 0.5 / (double)all->records };
    TRY(roc_posterior(&run->work, &reader, &published, known, all->records, all->positives, DRAWS, &posterior));
    chart_series(chart, row->name, POINTS, fpr, tpr, NULL, NULL);
    row->auc = roc_smooth_area(&smooth);
    row->accuracy = posterior.accuracy;
    row->baseline = posterior.baseline;
done:
    return status;
}

/* Smoothing must be possible for the intruder too: two different scores of each status. */
static bool can_smooth(const RocKnown *known) {
    int64_t scores[2] = { 0 };
    for (int64_t i = 0; i < known->count; i++) {
        scores[0] += known->at[i].negatives > 0;
        scores[1] += known->at[i].positives > 0;
    }
    return scores[0] > 1 && scores[1] > 1;
}

Status report_instead(Run *run, const RocKnown *all, const RocSteps *steps, const RocKnown *known, int64_t cells, const char *who) {
    Status status = OK;
    RocSteps thin;
    RocAnswer answer;
    double auc = roc_area(steps);
    Grid *grid = grid_new(run->result, "instead", "curve:text auc:real auc_change:real certain:integer accuracy:real baseline:real gain:real");
    Chart *chart = result_chart(run->result, CHART_LINE, "The curve, and what could be published instead", "false positive rate", "true positive rate");
    chart->diagonal = true;
    TRY(roc_embed(&run->work, steps, known, false, &answer));
    Row row = row_of("empirical", steps, known, &answer);
    write_row(grid, &row, auc);
    TRY(chart_steps(&run->work, chart, "empirical", steps));
    TRY(roc_thin(&run->work, steps, cells, &thin));
    TRY(roc_embed_bags(&run->work, &thin, known, &answer));
    row = row_of("thinned", &thin, known, &answer);
    write_row(grid, &row, auc);
    TRY(chart_steps(&run->work, chart, "thinned", &thin));
    for (int kind = ROC_BINORMAL; can_smooth(known) && kind <= ROC_KERNEL; kind++) {
        row = (Row){ .name = kind == ROC_BINORMAL ? "binormal" : "kernel" };
        TRY(smooth_row(run, kind, all, known, chart, &row));
        write_row(grid, &row, auc);
    }
    if (!can_smooth(known)) result_note(run->result, "Smooth curves are not tried: %s holds fewer than two different scores of a status.", who);
    result_note(run->result, "instead: each curve in the hands of %s. thinned: %lld points; every order of the records between two points counts alike. Smooth curves: by simulation, the number of positives published too, and the baseline there is the guess by rank that needs no curve.", who, (long long)thin.count);
done:
    grid_done(grid);
    return status;
}
