/* Every way that known records fit into a ROC curve: how many, and what each missing record is in them. */
#include <gmp.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "math/roc/placement_states.h"

enum { LEAST_CHUNK = 1 << 16 };      /* states held in memory at once, or more where that keeps fewer first rows */
static const double TOO_LONG = 1e12; /* limb operations beyond which an exact count is not made */

int64_t roc_misfit(const RocSteps *steps, const RocKnown *known, int64_t *after) {
    int64_t at = 0;
    for (int64_t i = 1; i <= known->count; i++) {
        int64_t j = at + 1, taken = 0;
        while (j <= steps->count && (!(taken = roc_taken(steps, &known->at[i - 1], j)) || j - taken < at)) j++;
        if (j > steps->count) {
            *after = at;
            return i - 1;
        }
        at = j;
    }
    *after = at;
    return -1;
}

static void earliest_latest(RocBand *band) {
    int64_t K = band->known->count, J = band->steps->count, j = 0, taken = 0;
    for (int64_t i = 1; i <= K; i++) {
        int64_t at = j++;
        while (!(taken = roc_taken(band->steps, &band->known->at[i - 1], j)) || j - taken < at) j++;
        band->first[i] = j;
    }
    band->last[K] = j = J;
    for (int64_t i = K; i-- > 0; j -= taken, band->last[i] = j)
        while (!(taken = roc_taken(band->steps, &band->known->at[i], j))) j--;
}

static Status make_band(Work *work, const RocSteps *steps, const RocKnown *known, RocBand *band) {
    Status status = OK;
    *band = (RocBand){ .steps = steps, .known = known, .single = true, .plain = !steps->low };
    NEW(work, band->first, known->count + 1);
    NEW(work, band->last, known->count + 1);
    NEW(work, band->records, steps->count + 1);
    NEW(work, band->held, known->count + 1);
    for (int64_t j = 0; j < steps->count; j++) band->records[j + 1] = band->records[j] + steps->at[j].positives + steps->at[j].negatives;
    for (int64_t j = 0; j < steps->count; j++) {
        band->single &= band->records[j + 1] - band->records[j] == 1;
        band->plain &= !steps->at[j].place;
    }
    for (int64_t i = 0; i < known->count; i++) band->held[i + 1] = band->held[i] + known->at[i].positives + known->at[i].negatives;
    earliest_latest(band);
done:
    return status;
}

/* Missing records of ranks rank … rank+size−1 hold these statuses in this share of the solutions. */
typedef struct {
    int64_t rank, size, positives;
    double weight, lower, upper;
} Share;

static inline void record(RocAnswer *answer, double *weights, const Share *block) {
    double positive = block->weight * (double)block->positives;
    if (block->size > 1) positive /= (double)block->size;
    for (int64_t r = block->rank; r < block->rank + block->size; r++) {
        RocMissing *missing = &answer->at[r];
        missing->positive += positive;
        weights[r] += block->weight;
        missing->may_be_1 |= block->positives > 0;
        missing->may_be_0 |= block->positives < block->size;
        if (block->lower < missing->lower) missing->lower = block->lower;
        if (block->upper > missing->upper) missing->upper = block->upper;
    }
}

/* Step j, after i groups, holds missing records only: their scores lie between groups i+1 and i. */
static void record_free(const RocBand *band, int64_t i, int64_t j, double weight, RocAnswer *answer, double *weights) {
    const RocStep *step = &band->steps->at[j - 1];
    double lower = i < band->known->count ? band->known->at[i].score : -INFINITY, upper = i ? band->known->at[i - 1].score : INFINITY;
    if (band->steps->low && band->steps->low[j - 1] > lower) lower = band->steps->low[j - 1];
    if (band->steps->low && band->steps->high[j - 1] < upper) upper = band->steps->high[j - 1];
    record(answer, weights,
           &(Share){ band->records[j - 1] - band->held[i], (int64_t)step->positives + step->negatives, step->positives, weight, lower,
                     upper });
}

/* Group i+1 stands on the steps after j up to `end`: for how many records it leaves room there. */
static inline int64_t spare_of(const RocBand *band, int64_t i, int64_t j, int64_t end) {
    return band->records[end] - band->records[j] - (band->held[i + 1] - band->held[i]);
}

/* These are missing records with the very same score. */
static void record_tied(const RocBand *band, int64_t i, int64_t j, int64_t end, double weight, RocAnswer *answer, double *weights) {
    const RocGroup *group = &band->known->at[i];
    int64_t spare = spare_of(band, i, j, end);
    if (spare > 0)
        record(answer, weights,
               &(Share){ band->records[j] - band->held[i], spare, band->steps->at[j].positives - group->positives, weight, group->score,
                         group->score });
}

/* What passes through row i: steps left free there, and group i+1's places. */
static void record_row(const RocBand *band, int64_t i, const Scaled *forward, const Scaled *backward, const Scaled *after, Scaled total,
                       RocAnswer *answer, double *weights) {
    int64_t first = band->first[i];
    for (int64_t j = first + 1; j <= band->last[i]; j++)
        record_free(band, i, j, roc_share(forward[j - 1 - first], backward[j - first], total), answer, weights);
    if (!after || band->single) return; /* a group leaves no room on steps of one record */
    for (int64_t j = first; j <= band->last[i]; j++) {
        int64_t end = roc_ends(band, i, j);
        if (end && spare_of(band, i, j, end) > 0)
            record_tied(band, i, j, end, roc_share(forward[j - first], after[end - band->first[i + 1]], total), answer, weights);
    }
}

/* A segment in memory: rows from…to of forward counts, those of a chunk together. */
typedef struct {
    const RocBand *band;
    int64_t from, to;
    int64_t chunks, chunk_room, *chunk; /* its first row; chunk[chunks] = to + 1 */
    int64_t kept_room;
    Scaled *kept; /* the first row of every chunk */
    int64_t *kept_at, kept_at_room;
    Scaled *rows;
    int64_t rows_room;          /* forward counts of one chunk */
    int64_t *start, start_room; /* of each of its rows */
    Scaled *back[2];
    int64_t back_room[2];
    RocAnswer *answer;
    double *weights;
} Segment;

static double cells_of(const RocBand *band, int64_t from, int64_t to) {
    double cells = 0;
    for (int64_t i = from; i <= to; i++) cells += (double)roc_width(band, i);
    return cells;
}

/* A chunk's states and the first rows of all chunks, chunk + cells/chunk·widest together, are fewest at √(cells·widest). */
static Status cut_chunks(Work *work, Segment *s, int64_t widest) {
    Status status = OK;
    double best = sqrt(cells_of(s->band, s->from, s->to) * (double)widest);
    int64_t most = best > LEAST_CHUNK ? (int64_t)best : LEAST_CHUNK, cells = most + 1, kept = 0;
    s->chunks = 0;
    for (int64_t i = s->from; i <= s->to; i++) {
        int64_t w = roc_width(s->band, i);
        if (cells + w > most) {
            GROW(work, s->chunk, s->chunk_room, s->chunks + 2);
            GROW(work, s->kept_at, s->kept_at_room, s->chunks + 2);
            s->kept_at[s->chunks] = kept;
            s->chunk[s->chunks++] = i;
            kept += w;
            cells = 0;
        }
        cells += w;
    }
    s->chunk[s->chunks] = s->to + 1;
    GROW(work, s->kept, s->kept_room, kept);
done:
    return status;
}

/* Forward counts of chunk c, from its kept first row; keeps the first row of the next. */
static Status forward_chunk(Work *work, Segment *s, int64_t c) {
    Status status = OK;
    int64_t first = s->chunk[c], stop = s->chunk[c + 1], cells = 0;
    GROW(work, s->start, s->start_room, stop - first + 1);
    for (int64_t i = first; i < stop; i++) {
        s->start[i - first] = cells;
        cells += roc_width(s->band, i);
    }
    GROW(work, s->rows, s->rows_room, cells);
    for (int64_t k = 0; k < roc_width(s->band, first); k++) s->rows[k] = s->kept[s->kept_at[c] + k];
    for (int64_t i = first + 1; i < stop; i++)
        roc_forward_row(s->band, i, s->rows + s->start[i - 1 - first], s->rows + s->start[i - first]);
    if (c + 1 < s->chunks) roc_forward_row(s->band, stop, s->rows + s->start[stop - 1 - first], s->kept + s->kept_at[c + 1]);
    TRY(work_check(work));
done:
    return status;
}

static Status backward_chunk(Work *work, Segment *s, int64_t c, Scaled total) {
    Status status = OK;
    int64_t first = s->chunk[c];
    for (int64_t i = s->chunk[c + 1] - 1; i >= first; i--) {
        Scaled *now = s->back[i & 1], *after = i < s->to ? s->back[(i + 1) & 1] : NULL;
        if (after) roc_backward_row(s->band, i, after, now);
        else roc_ones(s->band, i, now);
        record_row(s->band, i, s->rows + s->start[i - first], now, after, total, s->answer, s->weights);
    }
    work_show(work, "weighing solutions", 1 - (double)first / (double)(s->band->known->count + 1));
    TRY(work_check(work));
done:
    return status;
}

/* Rows from…to, the placements of which do not depend on the others': counts forward, then backward, chunk by chunk so that memory is
 * bounded. */
static Status solve_segment(Work *work, Segment *s, Scaled *total) {
    Status status = OK;
    int64_t widest = 0;
    for (int64_t i = s->from; i <= s->to; i++) widest = roc_width(s->band, i) > widest ? roc_width(s->band, i) : widest;
    TRY(cut_chunks(work, s, widest));
    for (int b = 0; b < 2; b++) GROW(work, s->back[b], s->back_room[b], widest);
    roc_ones(s->band, s->from, s->kept);
    for (int64_t c = 0; c < s->chunks; c++) {
        TRY(forward_chunk(work, s, c));
        work_show(work, "counting forward", (double)s->chunk[c] / (double)(s->band->known->count + 1));
    }
    *total = s->rows[s->start[s->to - s->chunk[s->chunks - 1]] + roc_width(s->band, s->to) - 1];
    for (int64_t c = s->chunks; c-- > 0;) {
        if (c < s->chunks - 1) TRY(forward_chunk(work, s, c));
        TRY(backward_chunk(work, s, c, *total));
    }
done:
    return status;
}

/* The count's factors multiply: those below 2^53 are exact as they are, larger ones are counted again in whole numbers. */
static Status multiply(Work *work, const Segment *s, Scaled total, bool exact, mpz_t product, bool *given_up) {
    double log2_total = log2(total.mantissa) + 256.0 * total.power;
    s->answer->solutions_log10 += log2_total * log10(2);
    if (!exact || *given_up) return OK;
    if (total.power == 0 && total.mantissa < 0x1p53) {
        mpz_mul_ui(product, product, (unsigned long)total.mantissa);
        return OK;
    }
    double limbs = log2_total / 64 + 2;
    *given_up = cells_of(s->band, s->from, s->to) * limbs > TOO_LONG;
    return *given_up ? OK : roc_count(work, s->band, s->from, s->to, log2_total, product);
}

/* ---- where all placements meet ---- */

/* The states through which every placement goes, in order: what lies between two of them is independent of the rest. A placement visits a
 * step where only one number of groups can stand before it, unless a tie that takes several steps of a run passes over it. */
typedef struct {
    int64_t count, room;
    int64_t (*at)[2]; /* steps, groups */
} Meetings;

static Status find_meetings(Work *work, const RocBand *band, Meetings *out) {
    Status status = OK;
    int64_t J = band->steps->count, K = band->known->count, low = 0, high = 0;
    for (int64_t j = 0; j <= J; j++) {
        while (band->last[low] < j) low++;
        while (high < K && band->first[high + 1] <= j) high++;
        bool passed_over = j < J && band->steps->at[j].place > 1;
        if (low != high || (passed_over && roc_width(band, low) > 1)) continue;
        GROW(work, out->at, out->room, out->count + 1);
        out->at[out->count][0] = j;
        out->at[out->count++][1] = low;
    }
done:
    return status;
}

/* Steps of one record each, all of one status, and as many single known records of that status: any of the steps may hold them. */
static bool is_uniform(const RocBand *band, int64_t step, int64_t steps, int64_t group, int64_t groups) {
    const RocStep *first = &band->steps->at[step];
    if (band->steps->low || first->positives + first->negatives != 1) return false;
    for (int64_t j = step; j < step + steps; j++)
        if (band->steps->at[j].positives != first->positives || band->steps->at[j].negatives != first->negatives) return false;
    for (int64_t i = group; i < group + groups; i++)
        if (band->known->at[i].positives != first->positives || band->known->at[i].negatives != first->negatives) return false;
    return true;
}

/* Then there are (steps choose groups) placements, every missing record has that status, and its score may be anywhere among theirs. */
static void solve_uniform(Segment *s, int64_t step, int64_t steps, int64_t group, int64_t groups, bool exact, mpz_t product) {
    const RocBand *band = s->band;
    int64_t missing = steps - groups, fewer = missing < groups ? missing : groups;
    double lower = group + groups < band->known->count ? band->known->at[group + groups].score : -INFINITY;
    double upper = group ? band->known->at[group - 1].score : INFINITY, log2_total = 0;
    if (missing)
        record(
            s->answer, s->weights,
            &(Share){ band->records[step] - band->held[group], missing, band->steps->at[step].positives ? missing : 0, 1, lower, upper });
    for (int64_t t = 1; t <= fewer; t++) log2_total += log2((double)(steps - fewer + t) / (double)t);
    s->answer->solutions_log10 += log2_total * log10(2);
    if (!exact) return;
    mpz_t count;
    mpz_init(count);
    mpz_bin_uiui(count, (unsigned long)steps, (unsigned long)fewer);
    mpz_mul(product, product, count);
    mpz_clear(count);
}

static int64_t row_start(const RocBand *band, int64_t i) { return band->records[band->first[i]] - band->held[i]; }
static int64_t row_end(const RocBand *band, int64_t i) { return band->records[band->last[i]] - band->held[i]; }

/* Both ends of a row's ranks never fall from row to row: a rank's greatest score is that of the first row that has it, its least that of
 * the last. */
static void row_hull(const Segment *s, const RocBand *band, int64_t i) {
    const RocKnown *known = band->known;
    double lower = i < known->count ? known->at[i].score : -INFINITY, upper = i ? known->at[i - 1].score : INFINITY;
    int64_t start = row_start(band, i), end = row_end(band, i);
    int64_t fresh = i > s->from && row_end(band, i - 1) > start ? row_end(band, i - 1) : start;
    int64_t leave = i < s->to && row_start(band, i + 1) < end ? row_start(band, i + 1) : end;
    for (int64_t r = fresh; r < end; r++) s->answer->at[r].upper = fmax(s->answer->at[r].upper, upper);
    for (int64_t r = start; r < leave; r++) s->answer->at[r].lower = fmin(s->answer->at[r].lower, lower);
}

/* Where the curve next has a record of a status, from each record on, and the first row before which so many known records are. */
typedef struct {
    int32_t *next[2], *row;
} Leaps;

static Status make_leaps(Work *work, const RocBand *band, Leaps *out) {
    Status status = OK;
    int64_t J = band->steps->count, K = band->known->count, records = band->records[J];
    for (int k = 0; k < 2; k++) {
        NEW(work, out->next[k], records + 1);
        out->next[k][records] = INT32_MAX;
    }
    for (int64_t j = J; j-- > 0;)
        for (int64_t p = band->records[j + 1]; p-- > band->records[j];) {
            out->next[0][p] = band->steps->at[j].negatives ? (int32_t)p : out->next[0][p + 1];
            out->next[1][p] = band->steps->at[j].positives ? (int32_t)p : out->next[1][p + 1];
        }
    NEW(work, out->row, band->held[K] + 1);
    for (int64_t i = K; i > 0; i--)
        for (int64_t h = band->held[i]; h > band->held[i - 1]; h--) out->row[h] = (int32_t)i;
done:
    return status;
}

static void drop_leaps(Work *work, Leaps *leaps) {
    arena_drop(work->arena, leaps->next[0]);
    arena_drop(work->arena, leaps->next[1]);
    arena_drop(work->arena, leaps->row);
}

/* Is the missing record of this rank, with one of these numbers of groups before it, ever on a free step with records of the status? */
static bool may_be(const RocBand *band, const Leaps *leaps, int status, int64_t rank, int64_t low, int64_t high) {
    for (int64_t i = low; i <= high;) {
        int64_t before = (int64_t)leaps->next[status][rank + band->held[i]] - rank;
        if (before > band->held[high]) return false;
        i = leaps->row[before];
        if (band->held[i] == before) return true;
    }
    return false;
}

/* Weights tell nothing of what is seldom: statuses and intervals of the whole band, which need no weights. Nor do ties: a step on which a
 * group may stand is left free in the row before it or in the one after, or else the group stands there always, between two meetings. */
static Status widen_answer(Work *work, Segment *s, const RocBand *band) {
    Status status = OK;
    Leaps leaps = { 0 };
    int64_t low = s->from, high = s->from;
    TRY(make_leaps(work, band, &leaps));
    for (int64_t i = s->from; i <= s->to; i++) row_hull(s, band, i);
    for (int64_t r = row_start(band, s->from); r < row_end(band, s->to); r++) {
        while (row_end(band, low) <= r) low++;
        while (high < s->to && row_start(band, high + 1) <= r) high++;
        s->answer->at[r].may_be_0 |= may_be(band, &leaps, 0, r, low, high);
        s->answer->at[r].may_be_1 |= may_be(band, &leaps, 1, r, low, high);
        if (r % 4096 == 0) TRY(work_check(work));
    }
done:
    drop_leaps(work, &leaps);
    return status;
}

/* Many rows and states, and each group takes one step: a column at a time pays. */
static bool is_long(const RocBand *band, int64_t from, int64_t to) {
    enum { FEWEST_STATES = 1 << 20, FEWEST_ROWS = 256 };
    return band->plain && to - from >= FEWEST_ROWS && cells_of(band, from, to) >= FEWEST_STATES;
}

static Status solve_rows(Work *work, Segment *s, Scaled *total) {
    Status status = OK;
    if (!is_long(s->band, s->from, s->to)) return solve_segment(work, s, total);
    TRY(roc_weigh(work, s->band, s->from, s->to, s->answer, s->weights, total));
    TRY(widen_answer(work, s, s->band));
done:
    return status;
}

/* The rows from the one meeting to the other by counting; the band is narrowed to what lies between the two. */
static Status solve_between(Work *work, Segment *s, RocBand *band, const int64_t from[2], const int64_t to[2], bool exact, mpz_t product,
                            bool *given_up) {
    Status status = OK;
    Scaled total;
    int64_t last = band->last[to[1]];
    band->first[from[1]] = from[0];
    band->last[to[1]] = to[0];
    s->from = from[1];
    s->to = to[1];
    TRY(solve_rows(work, s, &total));
    TRY(multiply(work, s, total, exact, product, given_up));
done:
    band->last[to[1]] = last;
    return status;
}

static Status solve_all(Work *work, Segment *s, RocBand *band, bool exact, mpz_t product, bool *given_up) {
    Status status = OK;
    Meetings meetings = { 0 };
    TRY(find_meetings(work, band, &meetings));
    for (int64_t m = 0; m + 1 < meetings.count; m++) {
        const int64_t *from = meetings.at[m], *to = meetings.at[m + 1];
        int64_t steps = to[0] - from[0], groups = to[1] - from[1];
        if (!groups)
            for (int64_t j = from[0] + 1; j <= to[0]; j++) record_free(band, from[1], j, 1, s->answer, s->weights);
        else if (groups == 1 && roc_ends(band, from[1], from[0]) == to[0])
            record_tied(band, from[1], from[0], to[0], 1, s->answer, s->weights);
        else if (is_uniform(band, from[0], steps, from[1], groups))
            solve_uniform(s, from[0], steps, from[1], groups, exact && !*given_up, product);
        else TRY(solve_between(work, s, band, from, to, exact, product, given_up));
    }
done:
    arena_drop(work->arena, meetings.at);
    return status;
}

static void settle(RocAnswer *answer, const double *weights) {
    for (int64_t r = 0; r < answer->missing; r++) {
        RocMissing *missing = &answer->at[r];
        bool certain = missing->may_be_0 != missing->may_be_1;
        missing->positive = certain ? missing->may_be_1 : missing->positive / weights[r];
        answer->certain += certain;
    }
}

static Status count_text(Work *work, const mpz_t product, RocAnswer *answer) {
    Status status = OK;
    char *text;
    NEW(work, text, mpz_sizeinbase(product, 10) + 2);
    answer->solutions = mpz_get_str(text, 10, product);
done:
    return status;
}

Status roc_embed(Work *work, const RocSteps *steps, const RocKnown *known, bool exact, RocAnswer *out) {
    Status status = OK;
    RocBand band;
    bool given_up = false;
    mpz_t product;
    mpz_init_set_ui(product, 1);
    *out = (RocAnswer){ .missing = steps->positives + steps->negatives - known->records, .positives = steps->positives - known->positives };
    Segment segment = { .band = &band, .answer = out };
    TRY(make_band(work, steps, known, &band));
    NEW(work, out->at, out->missing);
    NEW(work, segment.weights, out->missing);
    for (int64_t r = 0; r < out->missing; r++) {
        out->at[r].lower = INFINITY;
        out->at[r].upper = -INFINITY;
    }
    TRY(solve_all(work, &segment, &band, exact, product, &given_up));
    settle(out, segment.weights);
    if (exact && !given_up) TRY(count_text(work, product, out));
done:
    mpz_clear(product);
    return status;
}
