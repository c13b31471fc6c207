/* What to publish instead: thinned and smooth curves, with the same attack run against them. */
#include "risk/roc_publication/alternatives.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/distributions.h"
#include "math/roc/smooth.h"

enum { DRAWS = 250, POINTS = 101 };
typedef struct {
    const char *name;
    double auc, accuracy, baseline;
    int64_t certain;
} Row;

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
    for (int64_t r = 0; r < answer->missing; r++)
        row.accuracy += fmax(answer->at[r].positive, 1 - answer->at[r].positive) / (double)answer->missing;
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
    RandomStream stream = run_stream(run, row->name, "instead");
    RandomReader reader = reader_make(&stream);
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

/* Counts of both statuses in bins of equal width, and those of the known records. */
typedef struct {
    int64_t bins;
    double low, width, *count[2], *held[2], *noisy[2];
} Bins;

static int64_t bin_of(const Bins *b, double score) {
    int64_t bin = b->width > 0 ? (int64_t)((score - b->low) / b->width) : 0;
    return bin < b->bins ? bin : b->bins - 1;
}

static Status make_bins(Work *work, const Instead *in, Bins *b) {
    Status status = OK;
    *b = (Bins){ .bins = in->cells, .low = in->all->at[in->all->count - 1].score };
    b->width = (in->all->at[0].score - b->low) / (double)b->bins;
    for (int c = 0; c < 2; c++) {
        NEW(work, b->count[c], b->bins);
        NEW(work, b->held[c], b->bins);
        NEW(work, b->noisy[c], b->bins);
        for (int64_t i = 0; i < in->all->count; i++)
            b->count[c][bin_of(b, in->all->at[i].score)] += c ? in->all->at[i].positives : in->all->at[i].negatives;
        for (int64_t i = 0; i < in->known->count; i++)
            b->held[c][bin_of(b, in->known->at[i].score)] += c ? in->known->at[i].positives : in->known->at[i].negatives;
    }
done:
    return status;
}

static double noisy_area(const Bins *b) {
    double tp = 0, fp = 0, area = 0;
    for (int64_t k = b->bins; k-- > 0;) {
        area += b->noisy[0][k] * (tp + b->noisy[1][k] / 2);
        tp += b->noisy[1][k];
        fp += b->noisy[0][k];
    }
    return tp > 0 && fp > 0 ? area / (tp * fp) : 0.5;
}

/* The intruder takes the known off the noisy counts and guesses, for each missing record, the status that is commoner in what is left of
 * its bin. */
static double noisy_hits(const Bins *b, bool common) {
    double hits = 0;
    for (int64_t k = 0; k < b->bins; k++) {
        double left[2];
        for (int c = 0; c < 2; c++) left[c] = fmax(0, b->noisy[c][k] - b->held[c][k]);
        bool guess = left[1] == left[0] ? common : left[1] > left[0];
        hits += b->count[guess][k] - b->held[guess][k];
    }
    return hits;
}

/* The last of the simulated curves. */
static Status chart_noisy(Work *work, Chart *chart, const Bins *b) {
    Status status = OK;
    double *x, *y, total[2] = { 0 };
    NEW(work, x, b->bins + 1);
    NEW(work, y, b->bins + 1);
    for (int64_t k = 0; k < 2 * b->bins; k++) total[k % 2] += b->noisy[k % 2][k / 2];
    for (int64_t k = 1; k <= b->bins; k++) {
        x[k] = x[k - 1] + b->noisy[0][b->bins - k] / fmax(total[0], 1);
        y[k] = y[k - 1] + b->noisy[1][b->bins - k] / fmax(total[1], 1);
    }
    chart_series(chart, "noisy counts", b->bins + 1, x, y, NULL, NULL);
done:
    return status;
}

/* What `scrim release --query "roc(…)"` would give, by simulation: Laplace noise of scale 2/ε on every count, since one person replaced
 * moves two by one. */
static Status noisy_row(Run *run, const Instead *in, Chart *chart, Row *row) {
    enum { TIMES = 200 };
    Status status = OK;
    Bins b;
    RandomStream stream = run_stream(run, row->name, "instead");
    RandomReader reader = reader_make(&stream);
    double missing = (double)(in->all->records - in->known->records),
           share = in->known->records ? (double)in->known->positives / (double)in->known->records : 0.5;
    TRY(make_bins(&run->work, in, &b));
    for (int t = 0; t < TIMES; t++) {
        for (int64_t k = 0; k < 2 * b.bins; k++)
            b.noisy[k % 2][k / 2] = larger(0, rint(b.count[k % 2][k / 2] + 2 / in->epsilon * laplace_quantile(reader_uniform(&reader))));
        row->auc += noisy_area(&b) / TIMES;
        row->accuracy += noisy_hits(&b, share >= 0.5) / missing / TIMES;
    }
    row->baseline = fmax(share, 1 - share);
    TRY(chart_noisy(&run->work, chart, &b));
done:
    return status;
}

Status report_instead(Run *run, const Instead *in) {
    Status status = OK;
    RocSteps thin;
    RocAnswer answer;
    double auc = roc_area(in->steps);
    Grid *grid =
        grid_new(run->result, "instead", "curve:text auc:real auc_change:real certain:integer accuracy:real baseline:real gain:real");
    Chart *chart = result_chart(run->result, CHART_LINE, "The curve and alternatives to it", "false positive rate", "true positive rate");
    chart->diagonal = true;
    TRY(roc_embed(&run->work, in->steps, in->known, false, &answer));
    Row row = row_of("empirical", in->steps, in->known, &answer);
    write_row(grid, &row, auc);
    TRY(chart_steps(&run->work, chart, "empirical", in->steps));
    TRY(roc_thin(&run->work, in->steps, in->cells, &thin));
    TRY(roc_embed_bags(&run->work, &thin, in->known, false, &answer));
    row = row_of("thinned", &thin, in->known, &answer);
    write_row(grid, &row, auc);
    TRY(chart_steps(&run->work, chart, "thinned", &thin));
    for (int kind = ROC_BINORMAL; can_smooth(in->known) && kind <= ROC_KERNEL; kind++) {
        row = (Row){ .name = kind == ROC_BINORMAL ? "binormal" : "kernel" };
        TRY(smooth_row(run, kind, in->all, in->known, chart, &row));
        write_row(grid, &row, auc);
    }
    if (!isnan(in->epsilon) && answer.missing) {
        row = (Row){ .name = "noisy counts" };
        TRY(noisy_row(run, in, chart, &row));
        write_row(grid, &row, auc);
        result_note(run->result,
                    "noisy counts: mean of 200 simulated releases of roc() in %lld bins. The intruder is assumed to know each missing "
                    "record's bin, and the accuracy refers to the true statuses. The change of the AUC is confidential, like the AUC.",
                    (long long)in->cells);
    }
    if (!can_smooth(in->known))
        result_note(run->result, "Smooth curves were not tried: %s has fewer than two different scores of a status.", in->who);
    result_note(
        run->result,
        "instead: each curve as attacked by %s. thinned: %lld points; every order of the records between two points is equally likely. "
        "Smooth curves: simulated, with a published number of positives; their baseline is the guess by rank that needs no curve.",
        in->who, (long long)thin.count);
done:
    grid_done(grid);
    return status;
}
