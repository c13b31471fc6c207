/* Smooth ROC curves from records: two normal distributions, or kernel estimates of both. */
#include "math/roc/smooth.h"
#include "math/special/normal.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/distributions.h"

enum { GRID = 129, TABLE_STEPS = 3200, TABLE_END = 8 }; /* Φ in steps of 1/200 from −8 to 8: linear between them it is right to 10⁻⁶ */

static double spread(const RocSmooth *s, int c) { return s->count[c] > 1 ? sqrt(fmax(s->square[c], 0) / (s->count[c] - 1)) : 0; }

static void moments_add(RocSmooth *s, double x, int c, double sign) {
    double before = s->count[c], after = before + sign, delta = x - s->mean[c];
    if (after <= 0) {
        s->count[c] = s->mean[c] = s->square[c] = 0;
        return;
    }
    s->mean[c] += sign * delta / after;
    s->square[c] += sign * delta * (x - s->mean[c]);
    s->count[c] = after;
}

static Status make_grid(Work *work, const RocKnown *records, RocSmooth *s) {
    Status status = OK;
    double wide = 4 * fmax(s->bandwidth[0], s->bandwidth[1]) + larger(spread(s, 0), spread(s, 1));
    double high = records->at[0].score + wide, low = records->at[records->count - 1].score - wide;
    s->grid = GRID;
    NEW(work, s->score, GRID);
    NEW(work, s->above[0], GRID);
    NEW(work, s->above[1], GRID);
    NEW(work, s->table, TABLE_STEPS + 1);
    for (int k = 0; k <= TABLE_STEPS; k++) s->table[k] = normal_lower(k * (2.0 * TABLE_END / TABLE_STEPS) - TABLE_END);
    for (int64_t g = 0; g < GRID; g++) s->score[g] = high - (high - low) * (double)g / (GRID - 1);
done:
    return status;
}

Status roc_smooth_make(Work *work, RocSmoothing kind, const RocKnown *records, RocSmooth *out) {
    Status status = OK;
    *out = (RocSmooth){ .kind = kind };
    for (int64_t i = 0; i < records->count; i++)
        for (int c = 0; c < 2; c++)
            for (int32_t k = 0; k < (c ? records->at[i].positives : records->at[i].negatives); k++)
                moments_add(out, records->at[i].score, c, 1);
    if (!(spread(out, 0) > 0 && spread(out, 1) > 0))
        return fail(work->error, BAD, "a smooth curve needs two different scores of each status among the known records");
    /* Silverman 1986, equation 3.28: h = 1.06 σ n^(−1/5). */
    for (int c = 0; c < 2; c++) out->bandwidth[c] = 1.06 * spread(out, c) * pow(out->count[c], -0.2);
    if (kind == ROC_KERNEL) TRY(make_grid(work, records, out));
    for (int c = 0; c < 2; c++) out->count[c] = out->mean[c] = out->square[c] = 0;
done:
    return status;
}

void roc_smooth_add(RocSmooth *s, double score, int c, double sign) {
    moments_add(s, score, c, sign);
    for (int64_t g = 0; g < s->grid; g++) {
        double z = (score - s->score[g]) / s->bandwidth[c];
        double at = (z + TABLE_END) * (TABLE_STEPS / (2.0 * TABLE_END));
        if (at >= TABLE_STEPS) s->above[c][g] += sign;
        else if (at > 0) s->above[c][g] += sign * (s->table[(int)at] + (at - (int)at) * (s->table[(int)at + 1] - s->table[(int)at]));
    }
}

void roc_smooth_add_all(RocSmooth *s, const RocKnown *records) {
    for (int64_t i = 0; i < records->count; i++) {
        for (int32_t k = 0; k < records->at[i].positives; k++) roc_smooth_add(s, records->at[i].score, 1, 1);
        for (int32_t k = 0; k < records->at[i].negatives; k++) roc_smooth_add(s, records->at[i].score, 0, 1);
    }
}

/* TPR = Φ(a + b Φ⁻¹(FPR)), a = (μ₁ − μ₀)/σ₁, b = σ₀/σ₁ (Dorfman & Alf 1969, by moments). */
static void binormal_rates(const RocSmooth *s, const double *fpr, int64_t count, double *tpr) {
    double a = (s->mean[1] - s->mean[0]) / spread(s, 1), b = spread(s, 0) / spread(s, 1);
    for (int64_t k = 0; k < count; k++) tpr[k] = fpr[k] <= 0 ? 0 : fpr[k] >= 1 ? 1 : normal_lower(a + b * normal_quantile(fpr[k]));
}

/* (S₀(t), S₁(t)) for kernel estimates of both survival functions (Zou, Hall & Shapiro 1997), linear between the grid's scores. */
static void kernel_rates(const RocSmooth *s, const double *fpr, int64_t count, double *tpr) {
    int64_t g = 0;
    for (int64_t k = 0; k < count; k++) {
        double want = fpr[k] * s->count[0];
        while (g < s->grid - 1 && s->above[0][g + 1] < want) g++;
        double low = s->above[0][g], high = g + 1 < s->grid ? s->above[0][g + 1] : low;
        double part = g + 1 < s->grid && high > low ? smaller(1, larger(0, (want - low) / (high - low))) : 0;
        double y = s->above[1][g] + (g + 1 < s->grid ? part * (s->above[1][g + 1] - s->above[1][g]) : 0);
        tpr[k] = fpr[k] <= 0 ? 0 : fpr[k] >= 1 ? 1 : y / s->count[1];
    }
}

void roc_smooth_rates(const RocSmooth *s, const double *fpr, int64_t count, double *tpr) {
    if (s->kind == ROC_BINORMAL) binormal_rates(s, fpr, count, tpr);
    else kernel_rates(s, fpr, count, tpr);
}

double roc_smooth_area(const RocSmooth *s) {
    if (s->kind == ROC_BINORMAL) {
        double b = spread(s, 0) / spread(s, 1);
        return normal_lower((s->mean[1] - s->mean[0]) / spread(s, 1) / sqrt(1 + b * b));
    }
    double area = 0;
    for (int64_t g = 1; g < s->grid; g++) area += (s->above[0][g] - s->above[0][g - 1]) * 0.5 * (s->above[1][g] + s->above[1][g - 1]);
    return area / (s->count[0] * s->count[1]);
}
