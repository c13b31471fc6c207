/* Sets of numbers, one after another. */
#include "math/combinations.h"

bool next_combination(int64_t *in, int64_t count, int64_t top) {
    int64_t j = count - 1;
    while (j >= 0 && in[j] == top - count + j) j--;
    if (j < 0) return false;
    for (in[j]++, j++; j < count; j++) in[j] = in[j - 1] + 1;
    return true;
}
