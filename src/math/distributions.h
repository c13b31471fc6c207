/* Variates from the words of a stream, by inversion: row i's draw depends on word i alone, so any row can be drawn on its own. */
#ifndef SCRIM_MATH_DISTRIBUTIONS_H
#define SCRIM_MATH_DISTRIBUTIONS_H
#include "base/random.h"
#include "math/special/normal.h"

double laplace_quantile(double probability); /* of scale 1: variance 2 */

/* out[0…count-1] from words first … first+count-1. */
void draw_uniforms(const RandomStream *stream, uint64_t first, int64_t count, double *out);
void draw_normals(const RandomStream *stream, uint64_t first, int64_t count, double *out);
void draw_laplaces(const RandomStream *stream, uint64_t first, int64_t count, double *out);

/* Successes in n trials of chance p: n whole, 0 ≤ n ≤ 1e15, 0 ≤ p ≤ 1. Takes as many words as it needs. */
double reader_binomial(RandomReader *reader, double n, double p);
/* n thrown over `cells` in proportion to `weight` (≥ 0, not all 0). */
void reader_multinomial(RandomReader *reader, double n, const double *weight, int64_t cells, double *out);
#endif
