/* Numbers for random cases of a test: the same on every machine, and none of the library's own. */
#ifndef SCRIM_TESTS_DRAWS_H
#define SCRIM_TESTS_DRAWS_H
#include <stdint.h>

/* The next of 0 … n-1 (Knuth's linear congruential generator; its upper bits). */
__attribute__((unused)) static int draw_below(uint64_t *state, int n) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((*state >> 33) % (uint64_t)n);
}
#endif
