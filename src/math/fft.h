/* Discrete Fourier transforms of lengths that are powers of two, the same bits on every processor. */
#ifndef SCRIM_MATH_FFT_H
#define SCRIM_MATH_FFT_H
#include "base/work.h"

typedef struct Complex {
    double re, im;
} Complex;
/* a·b. */
static inline Complex complex_times(Complex a, Complex b) { return (Complex){ a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re }; }

typedef struct Fft {
    int64_t size;
    Complex *root;  /* e^(−2πik/size) */
    Complex *spare; /* a transform's other half */
} Fft;
/* The same tables for another thread, whose transforms use `spare` (size) as their other half. */
static inline Fft fft_beside(const Fft *fft, Complex *spare) { return (Fft){ fft->size, fft->root, spare }; }
MUST_CHECK Status fft_make(Work *work, int64_t size, Fft *out); /* size: 2, 4, 8, … */
/* Gives the tables back to the arena early. */
void fft_drop(Work *work, Fft *fft);
void fft_forward(const Fft *fft, Complex *x); /* X_k = Σ x_j e^(−2πijk/size), in place */
void fft_inverse(const Fft *fft, Complex *x); /* and back, divided by size */
#endif
