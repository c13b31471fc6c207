/* roc(score, status): a ROC curve from noisy counts of both statuses in bins of the score. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "release/query/query.h"

enum { BINS = 20 }; /* unless given */

/* Bins of equal width between the score's bounds, each with status 0 and 1: public, since the bounds are. A status of one half or more
 * is 1. */
Status roc_keys(Plan *plan, const Query *q, GroupKeys *out) {
    Status status = OK;
    Bounds b;
    char low[33], high[33];
    int64_t bins = isnan(q->number) ? BINS : (int64_t)q->number;
    TRY(bounds_of(plan, q->x, true, &b));
    double width = (b.high - b.low) / (double)bins;
    out->count = 2 * bins;
    out->known = true;
    NEW(plan->work, out->label, out->count);
    for (int64_t k = 0; k < out->count; k++) {
        int64_t bin = k / 2;
        real_text(b.low + width * (double)bin, low);
        real_text(bin + 1 == bins ? b.high : b.low + width * (double)(bin + 1), high);
        out->label[k] = arena_print(plan->work->arena, "%s in [%s,%s%s, %s = %d", q->x->name, low, high, bin + 1 == bins ? "]" : ")",
                                    q->y->name, (int)(k % 2));
        if (!out->label[k]) return out_of_memory(plan->work->error);
    }
    for (int64_t i = 0; i < plan->args->data->rows; i++) {
        if (column_missing(q->x, i) || column_missing(q->y, i)) continue;
        double x = b.low;
        TRY(clamp_finite(column_number(q->x, i), b.low, b.high, &x, plan->work->error));
        double bin = smaller(floor((x - b.low) / width), (double)(bins - 1));
        out->of[i] = (int32_t)(2 * bin + (column_number(q->y, i) >= 0.5));
    }
done:
    return status;
}

/* The released counts of a query, in the order of its keys: bins ascending, status 0 then 1. Nothing below 0. */
static Status released_counts(Plan *plan, int64_t query, double **counts, int64_t *bins) {
    Status status = OK;
    int64_t count = 0;
    NEW(plan->work, *counts, plan->answers + 2);
    for (int64_t i = 0; i < plan->answers; i++)
        if (plan->answer[i].query == query) (*counts)[count++] = plan->answer[i].shown ? fmax(plan->answer[i].value, 0) : 0;
    *bins = count / 2;
done:
    return status;
}

/* From the noisy counts alone: it costs nothing beyond them. Scores from the top down, straight lines between the bins' ends. */
Status report_roc(Plan *plan, int64_t query) {
    Status status = OK;
    const Query *q = &plan->query[query];
    Result *result = plan->run->result;
    double *counts, *x, *y, total[2] = { 0 }, area = 0;
    int64_t bins;
    Bounds b;
    TRY(released_counts(plan, query, &counts, &bins));
    TRY(bounds_of(plan, q->x, true, &b));
    NEW(plan->work, x, bins + 1);
    NEW(plan->work, y, bins + 1);
    for (int64_t k = 0; k < 2 * bins; k++) total[k % 2] += counts[k];
    if (!(total[0] > 0 && total[1] > 0)) {
        result_null(result, "roc_auc", "%s: the noise leaves no record of one status.", q->text);
        return OK;
    }
    Grid *grid = grid_new(result, "curve", "query:text threshold:real fpr:real tpr:real");
    for (int64_t k = 0; k <= bins; k++) {
        int64_t bin = bins - k;
        if (k) {
            x[k] = x[k - 1] + counts[2 * bin] / total[0];
            y[k] = y[k - 1] + counts[2 * bin + 1] / total[1];
            area += (x[k] - x[k - 1]) * (y[k] + y[k - 1]) / 2;
        }
        grid_text(grid, q->text);
        grid_real(grid, b.low + (b.high - b.low) * (double)bin / (double)bins);
        grid_real(grid, k == bins ? 1 : x[k]);
        grid_real(grid, k == bins ? 1 : y[k]);
    }
    grid_done(grid);
    result_real(result, "roc_auc", area);
    Chart *chart = result_chart(result, CHART_LINE, q->text, "false positive rate", "true positive rate");
    chart_of(chart, "curve");
    chart->diagonal = true;
    chart_series(chart, q->text, bins + 1, x, y, NULL, NULL);
    result_note(result,
                "%s: the curve is computed from the noisy counts alone. To measure the loss of AUC and the residual disclosure, the data "
                "custodian can run: scrim risk roc-publication --instead --epsilon.",
                q->text);
done:
    return status;
}
