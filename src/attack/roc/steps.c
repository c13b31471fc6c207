/* Points on their grid to steps of one score each; and what thresholds tell of the scores. */
#include <math.h>
#include <string.h>
#include "attack/roc/inside.h"
#include "base/number.h"

/* Thresholds are the scores themselves, or lie halfway between two: then no score can equal one. */
static bool thresholds_are_scores(const Points *points, const RocKnown *known) {
    int64_t k = 0;
    for (int64_t i = 0; i < known->count; i++) {
        while (k < points->count && points->threshold[k] > known->at[i].score) k++;
        if (k < points->count && points->threshold[k] == known->at[i].score) return true;
    }
    return false;
}

static int64_t common_divisor(int64_t a, int64_t b) {
    while (b) { int64_t r = a % b; a = b; b = r; }
    return a;
}

/* Into how many steps the way between two points is cut. */
static int64_t pieces(Reading reading, int64_t positives, int64_t negatives) {
    if (reading == AS_GIVEN) return 1;
    if (!positives || !negatives) return positives + negatives;
    return reading == SPLIT_TIES ? common_divisor(positives, negatives) : 1;
}

static void add_steps(const Points *points, const RocGrid *grid, int64_t k, bool scores, RocSteps *out) {
    int64_t positives = grid->tp[k] - grid->tp[k - 1], negatives = grid->fp[k] - grid->fp[k - 1], cut = pieces(grid->reading, positives, negatives);
    bool run = grid->reading != AS_GIVEN && (!positives || !negatives);
    for (int64_t p = 1; positives + negatives && p <= cut; p++) {
        out->at[out->count] = (RocStep){ (int32_t)(positives / cut), (int32_t)(negatives / cut), run ? p : 0 };
        if (points->threshold) {
            out->low[out->count] = points->threshold[k];
            out->high[out->count] = scores && p == cut ? points->threshold[k] : points->threshold[k - 1];
        }
        out->count++;
    }
}

/* Ten significant digits: a score found by adding and subtracting is not exact to the last. */
static double rounded(double x) {
    char text[33];
    double y = x;
    real_short(x, 10, text);
    return read_real(text, text + strlen(text), '.', &y) ? y : x;
}

/* Each threshold is halfway between two neighbouring scores, c = (s + s′)/2: one score known, the next is 2c − s. All must agree. */
static Status chain_scores(Work *work, const RocKnown *known, RocGrid *grid, RocSteps *steps) {
    Status status = OK;
    double *score;
    int64_t known_at = -1, i = 0;
    NEW(work, score, steps->count);
    for (int64_t j = 0; j < steps->count; j++) {
        bool held = i < known->count && known->at[i].score > steps->low[j] && known->at[i].score < steps->high[j];
        score[j] = held ? known->at[i++].score : known_at >= 0 ? 2 * steps->low[j - 1] - score[j - 1] : NAN;
        if (held && known_at >= 0 && fabs(2 * steps->low[j - 1] - score[j - 1] - score[j]) > 1e-9 * (1 + fabs(score[j]))) return OK;
        if (held) known_at = j;
        else if (known_at >= 0 && !(score[j] > steps->low[j] && score[j] < steps->high[j])) return OK;
    }
    if (known_at < 0 || i < known->count) return OK;
    for (int64_t j = steps->count - 1; j-- > 0;)
        if (isnan(score[j])) score[j] = 2 * steps->low[j] - score[j + 1];
    i = 0;
    for (int64_t j = 0; j < steps->count; j++) {
        bool held = i < known->count && known->at[i].score > steps->low[j] && known->at[i].score < steps->high[j];
        steps->low[j] = steps->high[j] = held ? known->at[i++].score : rounded(score[j]);
    }
    grid->scores_known = true;
done:
    return status;
}

Status make_steps(Work *work, const Points *points, const RocKnown *known, RocGrid *grid, RocSteps *out) {
    Status status = OK;
    int64_t room = 0;
    bool scores = points->threshold && thresholds_are_scores(points, known);
    *out = (RocSteps){ .positives = grid->positives, .negatives = grid->negatives };
    for (int64_t k = 1; k < points->count; k++) room += pieces(grid->reading, grid->tp[k] - grid->tp[k - 1], grid->fp[k] - grid->fp[k - 1]);
    NEW(work, out->at, room);
    if (points->threshold) NEW(work, out->low, room);
    if (points->threshold) NEW(work, out->high, room);
    for (int64_t k = 1; k < points->count; k++) add_steps(points, grid, k, scores, out);
    grid->scores_known = scores && grid->reading == AS_GIVEN;
    if (points->threshold && !scores && grid->reading == AS_GIVEN && points->threshold[0] == INFINITY) TRY(chain_scores(work, known, grid, out));
done:
    return status;
}
