/* Selection by Floyd & Rivest's algorithm (1975). */
#include "base/elementary.h"
#include "math/select.h"

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

double select_median(double *v, int64_t count) {
    if (count < 1) return NAN;
    int64_t half = count / 2;
    double upper = select_kth(v, count, half), lower = v[0];
    if (count % 2) return upper;
    for (int64_t i = 1; i < half; i++) lower = v[i] > lower ? v[i] : lower;
    return lower + (upper - lower) / 2;
}
