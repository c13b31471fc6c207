/* Selection by Floyd & Rivest's algorithm (1975). */
#include <string.h>
#include "base/elementary.h"
#include "math/order_statistics.h"

static void swap(double *a, double *b) {
    double t = *a;
    *a = *b;
    *b = t;
}

/* Narrows a long range to a sample around where the k-th value must lie, so that the first split is nearly right. */
static void narrow(double *v, int64_t left, int64_t right, int64_t k) {
    double n = (double)(right - left + 1), i = (double)(k - left + 1), z = log(n), s = 0.5 * exp(2 * z / 3);
    double sd = 0.5 * sqrt(z * s * (n - s) / n) * (i < n / 2 ? -1 : 1);
    int64_t low = (int64_t)((double)k - i * s / n + sd), high = (int64_t)((double)k + (n - i) * s / n + sd);
    int64_t from = low > left ? low : left, to = high < right ? high : right;
    for (;;) { /* a plain quickselect over the sample */
        if (to <= from) return;
        double pivot = v[k];
        int64_t a = from, b = to;
        while (a <= b) {
            while (v[a] < pivot) a++;
            while (v[b] > pivot) b--;
            if (a <= b) swap(&v[a++], &v[b--]);
        }
        if (b < k) from = a;
        if (k < a) to = b;
    }
}

double select_kth(double *v, int64_t count, int64_t k) {
    int64_t left = 0, right = count - 1;
    while (right > left) {
        if (right - left > 600) narrow(v, left, right, k);
        double pivot = v[k];
        int64_t a = left, b = right;
        while (a <= b) {
            while (v[a] < pivot) a++;
            while (v[b] > pivot) b--;
            if (a <= b) swap(&v[a++], &v[b--]);
        }
        if (b < k) left = a;
        if (k < a) right = b;
    }
    return v[k];
}

/* Those of v from `low` to `high` into out, and how many are below: no branch has to be guessed. */
static int64_t keep_between(const double *v, int64_t count, double low, double high, double *out, int64_t *below) {
    int64_t kept = 0;
    *below = 0;
    for (int64_t i = 0; i < count; i++) {
        out[kept] = v[i];
        *below += v[i] < low;
        kept += (v[i] >= low) & (v[i] <= high);
    }
    return kept;
}

double select_median(double *v, int64_t count) {
    if (count < 1) return NAN;
    int64_t half = count / 2;
    double upper = select_kth(v, count, half), lower = v[0];
    if (count % 2) return upper;
    for (int64_t i = 1; i < half; i++) lower = v[i] > lower ? v[i] : lower;
    return lower + (upper - lower) / 2;
}

/* The middle of a sample tells between which values the median lies, nearly always: only these are looked at more than once. */
double median_aside(const double *v, int64_t count, double *room) {
    enum { SAMPLE = 1024, AROUND = 64, MANY = 16 * SAMPLE }; /* four standard deviations of the rank in a sample */
    int64_t half = count / 2, below = 0, kept = 0;
    if (count >= MANY) {
        for (int64_t i = 0; i < SAMPLE; i++) room[i] = v[i * count / SAMPLE];
        double low = select_kth(room, SAMPLE, SAMPLE / 2 - AROUND), high = select_kth(room, SAMPLE, SAMPLE / 2 + AROUND);
        kept = keep_between(v, count, low, high, room, &below);
    }
    if (below >= half || below + kept <= half) { /* few, or as good as never */
        memcpy(room, v, (size_t)count * sizeof *room);
        return select_median(room, count);
    }
    double upper = select_kth(room, kept, half - below), lower = room[0];
    if (count % 2) return upper;
    for (int64_t i = 1; i < half - below; i++) lower = room[i] > lower ? room[i] : lower;
    return lower + (upper - lower) / 2;
}
