/* Inverse distribution functions applied to a stream's words, a cache-sized piece at a time. */
#include "math/distributions.h"
#include "math/special/log_gamma.h"
#include "base/elementary.h"

enum { PIECE = 512 };

double laplace_quantile(double probability) { return probability < 0.5 ? log(2 * probability) : -log(2 * (1 - probability)); }

static double same(double uniform) { return uniform; }

static void draw(const RandomStream *stream, uint64_t first, int64_t count, double (*quantile)(double), double *out) {
    uint64_t words[PIECE];
    for (int64_t done = 0; done < count; done += PIECE) {
        int64_t some = count - done < PIECE ? count - done : PIECE;
        stream_words(stream, first + (uint64_t)done, (size_t)some, words);
        for (int64_t i = 0; i < some; i++) out[done + i] = quantile(word_uniform(words[i]));
    }
}

void draw_uniforms(const RandomStream *stream, uint64_t first, int64_t count, double *out) { draw(stream, first, count, same, out); }
void draw_normals(const RandomStream *stream, uint64_t first, int64_t count, double *out) {
    draw(stream, first, count, normal_quantile, out);
}
void draw_laplaces(const RandomStream *stream, uint64_t first, int64_t count, double *out) {
    draw(stream, first, count, laplace_quantile, out);
}

/* From 0 upwards; n·p is small. */
static double binomial_by_search(RandomReader *reader, double n, double p) {
    double u = reader_uniform(reader), chance = exp(n * log1p(-p)), odds = p / (1 - p), k = 0;
    while (u > chance && chance > 0 && k < n) {
        u -= chance;
        chance *= odds * (n - k) / (k + 1);
        k++;
    }
    return k;
}

/* Hörmann 1993, transformed rejection with a squeeze (BTRS), for n·p of 10 or more and p up to one half. */
static double binomial_by_rejection(RandomReader *reader, double n, double p) {
    double sd = sqrt(n * p * (1 - p)), b = 1.15 + 2.53 * sd, a = -0.0873 + 0.0248 * b + 0.01 * p, centre = n * p + 0.5;
    double inside = 0.92 - 4.2 / b, height = (2.83 + 5.1 / b) * sd, mode = floor((n + 1) * p);
    double at_mode = log_binomial_term(mode, n - mode, p, 1 - p);
    for (;;) {
        double u = reader_uniform(reader) - 0.5, v = reader_uniform(reader), edge = 0.5 - fabs(u);
        double k = floor((2 * a / edge + b) * u + centre);
        if (edge >= 0.07 && v <= inside) return k;
        if (k < 0 || k > n) continue;
        if (log(v * height / (a / (edge * edge) + b)) <= log_binomial_term(k, n - k, p, 1 - p) - at_mode) return k;
    }
}

double reader_binomial(RandomReader *reader, double n, double p) {
    if (!(n > 0 && p > 0)) return 0;
    if (p >= 1) return n;
    if (p > 0.5) return n - reader_binomial(reader, n, 1 - p);
    return n * p < 10 ? binomial_by_search(reader, n, p) : binomial_by_rejection(reader, n, p);
}

void reader_multinomial(RandomReader *reader, double n, const double *weight, int64_t cells, double *out) {
    double left = 0;
    int64_t last = 0;
    for (int64_t k = 0; k < cells; k++) {
        left += weight[k];
        if (weight[k] > 0) last = k;
    }
    for (int64_t k = 0; k < cells; k++) {
        out[k] = k == last ? n : reader_binomial(reader, n, weight[k] >= left ? 1 : weight[k] / left);
        n -= out[k];
        left -= weight[k];
    }
}
