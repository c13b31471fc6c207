/* Whole numbers of any size in exact sums: for anyone who adds them up in GMP. */
#ifndef SCRIM_BASE_EXACT_INTEGER_H
#define SCRIM_BASE_EXACT_INTEGER_H
#include <gmp.h>
#include "base/exact_sum.h"

/* Below 2^1024 in size. */
void exact_sum_add_integer(ExactSum *sum, const mpz_t value);
/* The whole part of the sum, towards −∞: all of it where nothing but whole numbers was added. */
void exact_integer(const ExactSum *sum, mpz_t out);
#endif
