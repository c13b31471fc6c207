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
#endif
