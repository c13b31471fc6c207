/* Sets of numbers, one after another. */
#ifndef SCRIM_MATH_COMBINATIONS_H
#define SCRIM_MATH_COMBINATIONS_H
#include <stdbool.h>
#include <stdint.h>

/* The next set of `count` numbers below `top`, ascending, in lexicographic order; false after the last. Begin with 0, 1, … */
bool next_combination(int64_t *in, int64_t count, int64_t top);
#endif
