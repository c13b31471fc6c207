/* Draws between neighbouring values: by ranks within a leaf, by numbers where a value is rare. */
#include "synth/engine/spacing.h"
#include "base/elementary.h"

enum { COMMON = 5, RARE_SHARE = 20, MOST_DIGITS = 15 };

Status spacing_make(Work *work, const double *sorted, int64_t count, int64_t spike, bool days, Spacing *out) {
    Status status = OK;
    int64_t distinct = 0, rare = 0;
    for (int64_t i = 0; i < count; i++) distinct += !i || sorted[i] != sorted[i - 1];
    *out = (Spacing){ .days = days };
    NEW(work, out->value, distinct + 1);
    NEW(work, out->upto, distinct + 2);
    for (int64_t i = 0, j = 0; i < count; i = j) {
        for (j = i; j < count && sorted[j] == sorted[i]; j++) {}
        if (j - i > spike) continue;
        if (j - i < COMMON) rare += j - i;
        out->value[out->count++] = sorted[i];
        out->upto[out->count] = out->records += j - i;
    }
    out->fine = rare * RARE_SHARE > out->records;
done:
    return status;
}

int64_t spacing_place(const Spacing *s, double x) {
    int64_t low = 0, high = s->count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (s->value[middle] < x) low = middle + 1;
        else high = middle;
    }
    return low;
}

static int64_t place_of_rank(const Spacing *s, double rank) {
    int64_t low = 0, high = s->count - 1;
    while (low < high) { /* the last value with no more than `rank` records before it */
        int64_t middle = (low + high + 1) / 2;
        if ((double)s->upto[middle] <= rank) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* y as precise as x: as many decimals as x has, or as many zeros at its end. */
static double as_precise(double y, double x, bool days) {
    double scale = 1;
    if (x != nearbyint(x)) {
        for (int digits = 0; x * scale != nearbyint(x * scale); digits++) {
            if (digits == MOST_DIGITS || fabs(x * scale) > 1e15) return y;
            scale *= 10;
        }
        return nearbyint(y * scale) / scale;
    }
    while (!days && x != 0 && fabs(x) < 1e15 && fmod(x, scale * 10) == 0) scale *= 10;
    return nearbyint(y / scale) * scale;
}

/* Part t of the way from halfway below value k to halfway above it. */
static double between(const Spacing *s, int64_t k, double t) {
    double x = s->value[k], low = k ? s->value[k - 1] / 2 + x / 2 : x, high = k + 1 < s->count ? x / 2 + s->value[k + 1] / 2 : x;
    double y = as_precise(low + t * (high - low), x, s->days), least = s->value[0], most = s->value[s->count - 1];
    return y < least ? least : y > most ? most : y;
}

static bool stays(const Spacing *s, int64_t k) { return !s->fine || s->upto[k + 1] - s->upto[k] >= COMMON; }

double spacing_at(const Spacing *s, double rank) {
    int64_t k = place_of_rank(s, rank);
    if (stays(s, k)) return s->value[k];
    return between(s, k, (rank - (double)s->upto[k]) / (double)(s->upto[k + 1] - s->upto[k]));
}

double spacing_near(const Spacing *s, double x, double u) {
    int64_t k = spacing_place(s, x);
    return k == s->count || s->value[k] != x || stays(s, k) ? x : between(s, k, u);
}

void spacing_ranks(const Spacing *s, const double *value, int64_t count, double *low, double *high) {
    double above = 0; /* records up to the value before */
    for (int64_t i = 0, j = 0; i < count; i = j) {
        int64_t k = spacing_place(s, value[i]);
        double first = (double)s->upto[k], half = i ? (first + above) / 2 : first;
        for (int64_t b = i - 1; b >= 0 && value[b] == value[i - 1]; b--) high[b] = half;
        above = (double)s->upto[k + 1];
        for (j = i; j < count && value[j] == value[i]; j++) {
            low[j] = half;
            high[j] = above;
        }
    }
}
