/* Inverse distribution functions applied to a stream's words, a cache-sized piece at a time. */
#include "math/distributions.h"
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
