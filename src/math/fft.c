/* Stockham's transform, four points at a time: every pass reads and writes in order. */
#include "math/fft.h"
#include <string.h>
#include "base/elementary.h"

/* Roots as products of two tables of about √size each: a sine for every one of them would take longer than the transform. */
Status fft_make(Work *work, int64_t size, Fft *out) {
    Status status = OK;
    Complex *coarse = NULL, *fine = NULL;
    int bits = 63 - __builtin_clzll((unsigned long long)size), low = bits / 2;
    int64_t fines = INT64_C(1) << low, coarses = size >> low;
    *out = (Fft){ .size = size };
    NEW(work, out->root, size);
    NEW(work, out->spare, size);
    NEW(work, coarse, coarses);
    NEW(work, fine, fines);
    for (int64_t k = 0; k < coarses; k++)
        coarse[k] = (Complex){ cos(2 * M_PI * (double)k / (double)coarses), -sin(2 * M_PI * (double)k / (double)coarses) };
    for (int64_t k = 0; k < fines; k++)
        fine[k] = (Complex){ cos(2 * M_PI * (double)k / (double)size), -sin(2 * M_PI * (double)k / (double)size) };
    for (int64_t k = 0; k < size; k++) out->root[k] = complex_times(coarse[k >> low], fine[k & (fines - 1)]);
done:
    arena_drop(work->arena, coarse);
    arena_drop(work->arena, fine);
    return status;
}

void fft_drop(Work *work, Fft *fft) {
    arena_drop(work->arena, fft->root);
    arena_drop(work->arena, fft->spare);
    *fft = (Fft){ 0 };
}

/* One pass over sequences of length n, `stride` of them side by side. */
static void pass_of_four(const Fft *fft, const Complex *x, Complex *y, int64_t n, int64_t stride) {
    int64_t quarter = n / 4;
    for (int64_t p = 0; p < quarter; p++) {
        Complex w1 = fft->root[p * stride], w2 = fft->root[2 * p * stride], w3 = fft->root[3 * p * stride];
        const Complex *at = x + p * stride;
        Complex *to = y + 4 * p * stride;
        for (int64_t q = 0; q < stride; q++) {
            Complex a = at[q], b = at[q + quarter * stride], c = at[q + 2 * quarter * stride], d = at[q + 3 * quarter * stride];
            Complex sum = { a.re + c.re, a.im + c.im }, difference = { a.re - c.re, a.im - c.im };
            Complex other = { b.re + d.re, b.im + d.im }, turned = { b.im - d.im, d.re - b.re }; /* −i(b − d) */
            to[q] = (Complex){ sum.re + other.re, sum.im + other.im };
            to[q + stride] = complex_times(w1, (Complex){ difference.re + turned.re, difference.im + turned.im });
            to[q + 2 * stride] = complex_times(w2, (Complex){ sum.re - other.re, sum.im - other.im });
            to[q + 3 * stride] = complex_times(w3, (Complex){ difference.re - turned.re, difference.im - turned.im });
        }
    }
}

static void pass_of_two(const Complex *x, Complex *y, int64_t stride) {
    for (int64_t q = 0; q < stride; q++) {
        Complex a = x[q], b = x[q + stride];
        y[q] = (Complex){ a.re + b.re, a.im + b.im };
        y[q + stride] = (Complex){ a.re - b.re, a.im - b.im };
    }
}

void fft_forward(const Fft *fft, Complex *x) {
    Complex *from = x, *to = fft->spare;
    int64_t n = fft->size, stride = 1;
    while (n > 1) {
        if (n == 2) pass_of_two(from, to, stride);
        else pass_of_four(fft, from, to, n, stride);
        stride *= n == 2 ? 2 : 4;
        n /= n == 2 ? 2 : 4;
        Complex *swap = from;
        from = to;
        to = swap;
    }
    if (from != x) memcpy(x, from, (size_t)fft->size * sizeof *x);
}

void fft_inverse(const Fft *fft, Complex *x) {
    double scale = 1 / (double)fft->size;
    for (int64_t k = 0; k < fft->size; k++) x[k].im = -x[k].im;
    fft_forward(fft, x);
    for (int64_t k = 0; k < fft->size; k++) x[k] = (Complex){ x[k].re * scale, -x[k].im * scale };
}
