/* Points on their grid to steps of one score each; and what thresholds tell of the scores. */
#include <string.h>
#include "attack/roc/roc.h"
#include "base/elementary.h"
#include "base/number_text.h"

bool thresholds_are_scores(const Points *points, const RocKnown *known) {
    int64_t k = 0;
    for (int64_t i = 0; i < known->count; i++) {
        while (k < points->count && points->threshold[k] > known->at[i].score) k++;
        if (k < points->count && points->threshold[k] == known->at[i].score) return true;
    }
    return false;
}

int64_t groups_placed(const RocKnown *known, int64_t groups, int64_t positives, int64_t negatives) {
    const RocGroup *next = known->at + groups, *end = known->at + known->count;
    if (positives && negatives) return groups + (next < end && next->positives <= positives && next->negatives <= negatives);
    for (int64_t room = positives + negatives; next < end && (positives ? next->negatives : next->positives) == 0; next++) {
        room -= next->positives + next->negatives;
        if (room < 0) break;
        groups++;
    }
    return groups;
}

int64_t groups_in_bag(const RocKnown *known, int64_t groups, int64_t positives, int64_t negatives) {
    for (; groups < known->count; groups++) {
        positives -= known->at[groups].positives;
        negatives -= known->at[groups].negatives;
        if (positives < 0 || negatives < 0) break;
    }
    return groups;
}

/* Into how many equal ties a diagonal is cut: as many as let the most known groups stand there, or one where that does not matter. */
static int64_t ties(const RocKnown *known, int64_t groups, int64_t positives, int64_t negatives) {
    int64_t best = 1, most = groups_placed(known, groups, positives, negatives), least = positives < negatives ? positives : negatives;
    for (int64_t cut = 2; cut <= least; cut++) {
        if (positives % cut || negatives % cut) continue;
        int64_t placed = groups;
        for (int64_t piece = 0; piece < cut; piece++) placed = groups_placed(known, placed, positives / cut, negatives / cut);
        if (placed > most) {
            most = placed;
            best = cut;
        }
    }
    return best;
}

/* Into how many steps the way between each point and the one before is cut. */
static int64_t cut_ways(const Points *points, const RocGrid *grid, const RocKnown *known, int64_t *cut) {
    int64_t groups = 0, steps = 0;
    for (int64_t k = 1; k < points->count; k++) {
        int64_t positives = grid->tp[k] - grid->tp[k - 1], negatives = grid->fp[k] - grid->fp[k - 1];
        bool diagonal = positives && negatives;
        cut[k] = grid->reading == AS_GIVEN     ? 1
                 : !diagonal                   ? positives + negatives
                 : grid->reading == SPLIT_TIES ? ties(known, groups, positives, negatives)
                                               : 1;
        for (int64_t piece = 0; piece < (diagonal ? cut[k] : 1); piece++)
            groups = groups_placed(known, groups, diagonal ? positives / cut[k] : positives, diagonal ? negatives / cut[k] : negatives);
        steps += cut[k];
    }
    return steps;
}

static void add_steps(const Points *points, const RocGrid *grid, int64_t k, int64_t cut, bool scores, RocSteps *out) {
    int64_t positives = grid->tp[k] - grid->tp[k - 1], negatives = grid->fp[k] - grid->fp[k - 1];
    bool run = grid->reading != AS_GIVEN && (!positives || !negatives);
    const RocStep *last = out->count ? &out->at[out->count - 1] : NULL;
    int64_t place = run && grid->joined && last && last->place && !last->positives == !positives ? last->place : 0;
    for (int64_t p = 1; positives + negatives && p <= cut; p++) {
        out->at[out->count] = (RocStep){ (int32_t)(positives / cut), (int32_t)(negatives / cut), run ? place + p : 0 };
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

/* Each threshold is halfway between two neighbouring scores, c = (s + s′)/2: one score known, the next is 2c − s. A point that was left out
 * breaks the chain: known scores must agree with it on both sides of what it tells. */
static Status chain_scores(Work *work, const RocKnown *known, RocGrid *grid, RocSteps *steps) {
    Status status = OK;
    double *score;
    int64_t first = -1, known_at = -1, borne_out = 0, i = 0;
    NEW(work, score, steps->count);
    for (int64_t j = 0; j < steps->count; j++) {
        bool held = i < known->count && known->at[i].score > steps->low[j] && known->at[i].score < steps->high[j];
        score[j] = held ? known->at[i++].score : known_at >= 0 ? 2 * steps->low[j - 1] - score[j - 1] : NAN;
        borne_out += held && known_at >= 0;
        if (held && known_at >= 0 && fabs(2 * steps->low[j - 1] - score[j - 1] - score[j]) > 1e-9 * (1 + fabs(score[j]))) return OK;
        if (held && first < 0) first = j;
        if (held) known_at = j;
        else if (known_at >= 0 && !(score[j] > steps->low[j] && score[j] < steps->high[j])) return OK;
    }
    if (known_at < 0 || i < known->count || !borne_out) return OK;
    i = 0;
    for (int64_t j = first; j <= known_at; j++) { /* beyond the outermost known scores nothing would show that a point was left out */
        bool held = i < known->count && known->at[i].score > steps->low[j] && known->at[i].score < steps->high[j];
        steps->low[j] = steps->high[j] = held ? known->at[i++].score : rounded(score[j]);
    }
    grid->chained = true;
    grid->scores_known = first == 0 && known_at == steps->count - 1;
done:
    return status;
}

/* A single record at a threshold that is a score has that score. */
Status make_bags(Work *work, const Points *points, const RocKnown *known, const RocGrid *grid, bool counted, RocSteps *out) {
    Status status = OK;
    bool scores = points->threshold && thresholds_are_scores(points, known);
    *out = (RocSteps){ .positives = grid->positives, .negatives = grid->negatives };
    NEW(work, out->at, points->count);
    if (points->threshold) NEW(work, out->low, points->count);
    if (points->threshold) NEW(work, out->high, points->count);
    for (int64_t k = 1; k < points->count; k++) {
        int64_t positives = grid->tp[k] - grid->tp[k - 1], negatives = grid->fp[k] - grid->fp[k - 1];
        if (!positives && !negatives) continue;
        out->at[out->count] = (RocStep){ (int32_t)positives, (int32_t)negatives, 0 };
        if (points->threshold) {
            out->low[out->count] = points->threshold[k];
            out->high[out->count] = scores && positives + negatives == 1 ? points->threshold[k]
                                    : scores && counted                  ? nextafter(points->threshold[k - 1], -INFINITY)
                                                                         : points->threshold[k - 1];
        }
        out->count++;
    }
done:
    return status;
}

Status find_misfit(Work *work, Reading reading, const RocSteps *steps, const RocKnown *known, int64_t *group, int64_t *after) {
    if (reading == THINNED) return roc_bags_misfit(work, steps, known, group, after);
    *group = roc_misfit(steps, known, after);
    return OK;
}

Status make_steps(Work *work, const Points *points, const RocKnown *known, RocGrid *grid, RocSteps *out) {
    Status status = OK;
    int64_t *cut, room;
    bool scores = points->threshold && thresholds_are_scores(points, known);
    if (grid->reading == THINNED) return make_bags(work, points, known, grid, true, out);
    *out = (RocSteps){ .positives = grid->positives, .negatives = grid->negatives };
    NEW(work, cut, points->count);
    room = cut_ways(points, grid, known, cut);
    NEW(work, out->at, room);
    if (points->threshold) NEW(work, out->low, room);
    if (points->threshold) NEW(work, out->high, room);
    for (int64_t k = 1; k < points->count; k++) add_steps(points, grid, k, cut[k], scores, out);
    grid->scores_known = scores && grid->reading == AS_GIVEN;
    if (points->threshold && !scores && grid->reading == AS_GIVEN && points->threshold[0] == INFINITY)
        TRY(chain_scores(work, known, grid, out));
done:
    return status;
}
