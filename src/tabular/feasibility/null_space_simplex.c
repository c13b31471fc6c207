/* The move x = N·y, N the kernel, is to make Σ f_i(x_i) least, f_i(x) = up·x for x in [0, high], −down·x for x in [−low, 0]. Its dual
 * (Rockafellar 1970, section 31):
 *     min Σ F_i(π_i), F_i(π) = high_i·(π − up_i)⁺ + low_i·(−π − down_i)⁺,   subject to   Nᵀπ = 0,
 * by a simplex method that takes the three pieces of each F_i as they are (Fourer 1985): a basic π lies within a piece, any other at a
 * break or at 0; y are the multipliers, N_b·y = F_b' for the basic cells b. Every π has a finite F, so that any basis is one to begin with.
 */
#include "tabular/feasibility/null_space_simplex.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"

typedef enum { BELOW, AT_FIRST, BETWEEN, AT_SECOND, ABOVE } Place; /* among the breaks −down and up */

typedef struct Event {
    double t, jump;
    int32_t at; /* place in the basis, or -1: the entering cell itself */
    Place to;
} Event;

struct NullSpaceSimplex {
    Sparse kernel;
    int rows;
    double *low, *high, *first, *second, *pi, *x, *weight; /* by cell */
    uint8_t *place;
    int32_t *position; /* cell → 1 + its place in the basis, or 0 */
    int32_t *own;      /* the free cells */
    int32_t *basis;
    double *inverse, *y, *w, *row;
    Event *event;
    double *numbers;
    double slack;   /* what x is exact to */
    uint64_t state; /* of what breaks ties where nothing moves */
};

void dual_free(NullSpaceSimplex *d) {
    if (!d) return;
    sparse_free(&d->kernel);
    free(d->numbers);
    free(d->inverse);
    free(d->place);
    free(d->position);
    free(d->own);
    free(d->event);
    free(d);
}

static Status make_room(Work *work, NullSpaceSimplex *d) {
    const size_t n = (size_t)d->kernel.count, k = (size_t)d->kernel.width;
    double **const by_cell[] = { &d->low, &d->high, &d->first, &d->second, &d->pi, &d->x, &d->weight };
    double **const by_row[] = { &d->y, &d->w, &d->row };
    d->rows = (int)k;
    d->numbers = calloc(7 * n + 3 * k + 1, sizeof *d->numbers);
    d->inverse = calloc(2 * k * k + 1, sizeof *d->inverse);
    d->place = calloc(n + 1, sizeof *d->place);
    d->position = calloc(n + 1, sizeof *d->position);
    d->own = calloc(2 * k + 1, sizeof *d->own);
    d->event = calloc(2 * k + 4, sizeof *d->event);
    if (!d->numbers || !d->inverse || !d->place || !d->position || !d->own || !d->event) return out_of_memory(work->error);
    for (size_t i = 0; i < 7; i++) *by_cell[i] = d->numbers + i * n;
    for (size_t i = 0; i < 3; i++) *by_row[i] = d->numbers + 7 * n + i * k;
    d->basis = d->own + k;
    return OK;
}

static void find_own(NullSpaceSimplex *d) {
    const Sparse *n = &d->kernel;
    for (int64_t i = n->count; i-- > 0;) {
        if (n->start[i + 1] - n->start[i] == 1 && n->coefficient[n->start[i]] == 1) d->own[n->at[n->start[i]]] = (int32_t)i;
    }
}

Status dual_new(Work *work, const Sparse *relations, NullSpaceSimplex **out) {
    Status status = OK;
    bool found;
    *out = NULL;
    NullSpaceSimplex *d = calloc(1, sizeof *d);
    if (!d) return out_of_memory(work->error);
    TRY(kernel_make(work, relations, (int)fmin(relations->width / 3, DUAL_MOST), &d->kernel, &found));
    if (!found) goto done;
    TRY(make_room(work, d));
    find_own(d);
    dual_reset(d);
    *out = d;
done:
    if (!*out) dual_free(d);
    return status;
}

void dual_cell(NullSpaceSimplex *d, int64_t i, double low, double high, double down, double up) {
    d->low[i] = low;
    d->high[i] = high;
    d->first[i] = -down;
    d->second[i] = up;
}

void dual_reset(NullSpaceSimplex *d) {
    const size_t k = (size_t)d->rows;
    memset(d->position, 0, (size_t)d->kernel.count * sizeof *d->position);
    memset(d->inverse, 0, k * k * sizeof *d->inverse);
    for (int r = 0; r < d->rows; r++) {
        d->basis[r] = d->own[r];
        d->position[d->own[r]] = r + 1;
        d->inverse[(size_t)r * k + (size_t)r] = 1;
    }
}

/* ---- the basis ---- */

/* w = inverse · the cell's column. */
static void column(const NullSpaceSimplex *d, int32_t cell, double *w) {
    const Sparse *n = &d->kernel;
    for (int r = 0; r < d->rows; r++) {
        const double *row = d->inverse + (size_t)r * (size_t)d->rows;
        double sum = 0;
        for (int64_t k = n->start[cell]; k < n->start[cell + 1]; k++) sum += row[n->at[k]] * n->coefficient[k];
        w[r] = fabs(sum) < 1e-11 ? 0 : sum;
    }
}

static void exchange(NullSpaceSimplex *d, int at, int32_t cell, const double *w) {
    const size_t k = (size_t)d->rows;
    double *pivot = d->inverse + (size_t)at * k;
    d->position[d->basis[at]] = 0;
    d->position[cell] = at + 1;
    d->basis[at] = cell;
    for (size_t j = 0; j < k; j++) pivot[j] /= w[at];
    for (size_t r = 0; r < k; r++) {
        if (w[r] == 0 || r == (size_t)at) continue;
        double *row = d->inverse + r * k;
        for (size_t j = 0; j < k; j++) row[j] -= w[r] * pivot[j];
    }
}

/* The inverse again: the same cells enter a basis of the free ones. False where they depend on each other. */
static bool renew(NullSpaceSimplex *d) {
    int32_t *cells = malloc((size_t)(d->rows + 1) * sizeof *cells);
    bool good = cells != NULL;
    if (good) memcpy(cells, d->basis, (size_t)d->rows * sizeof *cells);
    dual_reset(d);
    for (int r = 0; r < d->rows && good; r++) {
        int best = -1;
        if (d->position[cells[r]]) continue;
        column(d, cells[r], d->w);
        for (int q = 0; q < d->rows; q++) { /* in place of a free cell that is not to stay */
            bool stays = false;
            for (int s = 0; s < d->rows && !stays && fabs(d->w[q]) > 1e-7; s++) stays = cells[s] == d->basis[q];
            if (!stays && fabs(d->w[q]) > 1e-7 && (best < 0 || fabs(d->w[q]) > fabs(d->w[best]))) best = q;
        }
        good = best >= 0;
        if (good) exchange(d, best, cells[r], d->w);
    }
    free(cells);
    return good;
}

static double slope(const NullSpaceSimplex *d, int32_t i) {
    return d->place[i] == BELOW ? -d->low[i] : d->place[i] == ABOVE ? d->high[i] : 0;
}

/* π of the basic cells from those of the others, and the piece in which each lies. */
static void place_basic(NullSpaceSimplex *d) {
    const Sparse *n = &d->kernel;
    memset(d->row, 0, (size_t)d->rows * sizeof *d->row);
    for (int64_t i = 0; i < n->count; i++)
        for (int64_t k = n->start[i]; k < n->start[i + 1] && !d->position[i] && d->pi[i] != 0; k++)
            d->row[n->at[k]] -= n->coefficient[k] * d->pi[i];
    for (int r = 0; r < d->rows; r++) {
        const double *row = d->inverse + (size_t)r * (size_t)d->rows;
        int32_t cell = d->basis[r];
        double sum = 0;
        for (int j = 0; j < d->rows; j++) sum += row[j] * d->row[j];
        d->pi[cell] = sum;
        d->place[cell] = sum < d->first[cell] ? BELOW : sum > d->second[cell] ? ABOVE : BETWEEN;
    }
}

/* Others at a break, or at 0 where that lies between. */
static void place_others(NullSpaceSimplex *d) {
    for (int64_t i = 0; i < d->kernel.count; i++) {
        if (d->position[i]) continue;
        bool between = d->first[i] < 0 && d->second[i] > 0;
        d->place[i] = between ? BETWEEN : d->first[i] >= 0 ? AT_FIRST : AT_SECOND;
        if (d->first[i] == d->second[i]) d->place[i] = AT_FIRST;
        d->pi[i] = between ? 0 : d->place[i] == AT_FIRST ? d->first[i] : d->second[i];
    }
}

/* The move that the basis tells. */
static void tell_move(NullSpaceSimplex *d) {
    const Sparse *n = &d->kernel;
    double size = 1;
    memset(d->y, 0, (size_t)d->rows * sizeof *d->y);
    for (int r = 0; r < d->rows; r++) {
        const double *row = d->inverse + (size_t)r * (size_t)d->rows, g = slope(d, d->basis[r]);
        for (int j = 0; j < d->rows && g != 0; j++) d->y[j] += g * row[j];
    }
    for (int64_t i = 0; i < n->count; i++) {
        double sum = 0;
        for (int64_t k = n->start[i]; k < n->start[i + 1]; k++) sum += n->coefficient[k] * d->y[n->at[k]];
        d->x[i] = sum;
        if (fabs(sum) > size) size = fabs(sum);
    }
    d->slack = 1e-10 * size;
}

/* ---- one step ---- */

/* By how much x lies beyond the slopes on both sides of where π stands: positive where π is to go up. */
static double beyond(const NullSpaceSimplex *d, int64_t i) {
    bool one = d->first[i] == d->second[i];
    double left = d->place[i] == AT_FIRST ? -d->low[i] : 0, right = d->place[i] == AT_SECOND || one ? d->high[i] : 0;
    return d->x[i] > right + d->slack ? d->x[i] - right : d->x[i] < left - d->slack ? d->x[i] - left : 0;
}

static uint64_t next(NullSpaceSimplex *d) { return d->state = d->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); }

/* The cell that gains most for its size; where the last steps gained nothing, any that gains. */
static int32_t entering(NullSpaceSimplex *d, bool any) {
    double most = 0;
    int32_t best = -1;
    for (int64_t i = 0; i < d->kernel.count; i++) {
        if (d->position[i]) continue;
        double by = beyond(d, i), gain = by * by / d->weight[i];
        if (gain > 0 && any) gain = (double)(next(d) >> 40) + 1;
        if (gain > most) {
            most = gain;
            best = (int32_t)i;
        }
    }
    return best;
}

/* The breaks that a cell meets on its way. */
static int meet_breaks(const NullSpaceSimplex *d, int32_t i, Place from, double rate, int32_t at, Event *out) {
    int n = 0;
    double size = fabs(rate);
    if (rate > 0 && from == BELOW) out[n++] = (Event){ (d->first[i] - d->pi[i]) / size, size * d->low[i], at, AT_FIRST };
    if (rate > 0 && from != ABOVE && from != AT_SECOND && (from != AT_FIRST || d->first[i] < d->second[i]))
        out[n++] = (Event){ (d->second[i] - d->pi[i]) / size, size * d->high[i], at, AT_SECOND };
    if (rate < 0 && from == ABOVE) out[n++] = (Event){ (d->pi[i] - d->second[i]) / size, size * d->high[i], at, AT_SECOND };
    if (rate < 0 && from != BELOW && from != AT_FIRST && (from != AT_SECOND || d->first[i] < d->second[i]))
        out[n++] = (Event){ (d->pi[i] - d->first[i]) / size, size * d->low[i], at, AT_FIRST };
    for (int k = 0; k < n; k++) out[k].t = fmax(out[k].t, 0);
    return n;
}

static int by_time(const void *a, const void *b) {
    const Event *x = a, *y = b;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static int list_events(NullSpaceSimplex *d, int32_t cell, double way) {
    int n = meet_breaks(d, cell, (Place)d->place[cell], way, -1, d->event);
    for (int r = 0; r < d->rows; r++)
        if (fabs(d->w[r]) > 1e-9) n += meet_breaks(d, d->basis[r], (Place)d->place[d->basis[r]], -way * d->w[r], r, d->event + n);
    qsort(d->event, (size_t)n, sizeof *d->event, by_time);
    return n;
}

/* What a step of each cell is worth less by, since it moves the basic ones with it (devex: Harris 1973): seen in the row that is left. */
static void weigh(NullSpaceSimplex *d, int at, int32_t cell) {
    const Sparse *n = &d->kernel;
    const double *row = d->inverse + (size_t)at * (size_t)d->rows, pivot = d->w[at], own = d->weight[cell];
    for (int64_t i = 0; i < n->count; i++) {
        double a = 0;
        if (d->position[i]) continue;
        for (int64_t k = n->start[i]; k < n->start[i + 1]; k++) a += row[n->at[k]] * n->coefficient[k];
        d->weight[i] = fmax(d->weight[i], a * a / (pivot * pivot) * own);
    }
    d->weight[d->basis[at]] = fmax(own / (pivot * pivot), 1);
}

/* Where a cell stands that was at a break, or passes it. */
static uint8_t past(const NullSpaceSimplex *d, int32_t i, Place at, bool up) {
    bool one = d->first[i] == d->second[i];
    if (at == AT_FIRST) return !up ? BELOW : one ? ABOVE : BETWEEN;
    return up ? ABOVE : one ? BELOW : BETWEEN;
}

/* The cell that enters goes by t, the basic ones with it; those that passed a break stand beyond it. */
static void go(NullSpaceSimplex *d, int32_t cell, double way, double t, int passed) {
    d->pi[cell] += way * t;
    for (int r = 0; r < d->rows; r++) d->pi[d->basis[r]] -= way * d->w[r] * t;
    for (int k = 0; k < passed; k++) {
        int32_t at = d->event[k].at, i = at < 0 ? cell : d->basis[at];
        d->place[i] = past(d, i, d->event[k].to, at < 0 ? way > 0 : way * d->w[at] < 0);
    }
}

/* Goes on past breaks while that still gains; false where there is no end to it. *still: nothing moved. */
static bool step(NullSpaceSimplex *d, int32_t cell, bool *still) {
    double by = beyond(d, cell), way = by > 0 ? 1 : -1, gain = fabs(by);
    column(d, cell, d->w);
    int n = list_events(d, cell, way), last = 0;
    while (last < n && (gain -= d->event[last].jump) > 0) last++;
    if (last == n) return false;
    const Event end = d->event[last];
    const int32_t stops = end.at < 0 ? cell : d->basis[end.at];
    *still = end.t <= 0;
    go(d, cell, way, end.t, last);
    if (end.at >= 0) {
        if (d->place[cell] == AT_FIRST || d->place[cell] == AT_SECOND) d->place[cell] = past(d, cell, d->place[cell], way > 0);
        weigh(d, end.at, cell);
        exchange(d, end.at, cell, d->w);
    }
    d->place[stops] = (uint8_t)(d->first[stops] == d->second[stops] ? AT_FIRST : end.to);
    d->pi[stops] = end.to == AT_FIRST ? d->first[stops] : d->second[stops];
    return true;
}

/* Σ F_i(π_i) and the size of its terms: what no move can be better than. */
static double bound(const NullSpaceSimplex *d, double *size) {
    double sum = 0;
    *size = 1;
    for (int64_t i = 0; i < d->kernel.count; i++) {
        double f = d->high[i] * fmax(0, d->pi[i] - d->second[i]) + d->low[i] * fmax(0, d->first[i] - d->pi[i]);
        sum += f;
        *size += f;
    }
    return sum;
}

/* −Σ f_i(x_i). */
static double worth(const NullSpaceSimplex *d) {
    double sum = 0;
    for (int64_t i = 0; i < d->kernel.count; i++) sum -= d->x[i] > 0 ? d->second[i] * d->x[i] : d->first[i] * d->x[i];
    return sum;
}

enum { RENEW = 200, STILL = 20 };

Status dual_solve(NullSpaceSimplex *d, Work *work, LpState *state, double *x) {
    Status status = OK;
    bool still = false, good = true;
    int stills = 0;
    double size;
    *state = LP_STOPPED;
    d->state = 1;
    place_others(d);
    place_basic(d);
    for (int64_t i = 0; i < d->kernel.count; i++) d->weight[i] = 1;
    for (int64_t steps = 0; good && steps < 50 * (int64_t)d->rows + 1000; steps++) {
        if (steps % RENEW == RENEW - 1) {
            TRY(work_check(work));
            good = renew(d);
            place_basic(d);
        }
        tell_move(d);
        int32_t cell = entering(d, stills > STILL);
        if (cell < 0) {
            double most = bound(d, &size);
            if (fabs(most - worth(d)) <= 1e-7 * size) *state = LP_OPTIMAL;
            break;
        }
        good = good && step(d, cell, &still);
        stills = still ? stills + 1 : 0;
    }
    if (!good) dual_reset(d);
    memcpy(x, d->x, (size_t)d->kernel.count * sizeof *x);
done:
    return status;
}
