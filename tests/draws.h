/* Numbers for random cases of a test: the same on every machine, and none of the library's own. */
#ifndef SCRIM_TESTS_DRAWS_H
#define SCRIM_TESTS_DRAWS_H
#include <stdint.h>

/* The next of 0 … n-1 (Knuth's linear congruential generator; its upper bits). */
__attribute__((unused)) static int draw_below(uint64_t *state, int n) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((*state >> 33) % (uint64_t)n);
}

/* The next 64 bits (Steele, Lea & Flood 2014, SplitMix64). */
__attribute__((unused)) static uint64_t draw_word(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}
#endif
