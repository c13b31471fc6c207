/* Weights e^(−loss·rate) enclosed between whole numbers of 2^−bits; a uniform number, as many of its bits as it takes, falls into exactly
 * one of the cumulative sums. Where the enclosures leave open into which, both are computed again with twice the bits: what comes out has
 * the exact distribution. */
#include "math/exponential_mechanism.h"
#include <gmp.h>
#include "base/elementary.h"

typedef struct Span {
    mpz_t low, high;
} Span; /* a number in [low, high]·2^−bits */
static void span_open(Span *s) {
    mpz_init(s->low);
    mpz_init(s->high);
}
static void span_close(Span *s) {
    mpz_clear(s->low);
    mpz_clear(s->high);
}

/* a := a·b, rounded outwards. */
static void span_times(Span *a, const Span *b, mp_bitcnt_t bits) {
    mpz_mul(a->low, a->low, b->low);
    mpz_fdiv_q_2exp(a->low, a->low, bits);
    mpz_mul(a->high, a->high, b->high);
    mpz_cdiv_q_2exp(a->high, a->high, bits);
}

/* e^(−num/den): Taylor's series of e^(−x/2^s) with x/2^s ≤ ½, whose terms fall from the first on, so that what is left out is less than the
 * last; then s squarings. */
static void span_exp(Span *out, uint64_t num, uint64_t den, mp_bitcnt_t bits) {
    Span term;
    int halvings = 0;
    mpz_t bottom, top;
    span_open(&term);
    mpz_init_set_ui(bottom, den);
    mpz_init_set_ui(top, num);
    while (mpz_cmp(bottom, top) < 0 || halvings == 0) {
        mpz_mul_2exp(bottom, bottom, 1);
        halvings++;
    }
    mpz_mul_2exp(bottom, bottom, 1);
    halvings++;
    mpz_set_ui(term.low, 1);
    mpz_mul_2exp(term.low, term.low, bits);
    mpz_set(term.high, term.low);
    mpz_set(out->low, term.low);
    mpz_set(out->high, term.low);
    for (unsigned long j = 1; mpz_cmp_ui(term.high, 1) > 0; j++) {
        mpz_mul(term.low, term.low, top);
        mpz_fdiv_q(term.low, term.low, bottom);
        mpz_fdiv_q_ui(term.low, term.low, j);
        mpz_mul(term.high, term.high, top);
        mpz_cdiv_q(term.high, term.high, bottom);
        mpz_cdiv_q_ui(term.high, term.high, j);
        if (j % 2) {
            mpz_sub(out->low, out->low, term.high);
            mpz_sub(out->high, out->high, term.low);
        } else {
            mpz_add(out->low, out->low, term.low);
            mpz_add(out->high, out->high, term.high);
        }
    }
    mpz_sub_ui(out->low, out->low, 2);
    mpz_add_ui(out->high, out->high, 2);
    for (; halvings; halvings--) span_times(out, out, bits);
    if (mpz_sgn(out->low) < 0) mpz_set_ui(out->low, 0);
    span_close(&term);
    mpz_clear(bottom);
    mpz_clear(top);
}

/* base^power by squaring, times into `out`. */
static void span_power_into(Span *out, const Span *base, uint64_t power, mp_bitcnt_t bits) {
    Span square;
    span_open(&square);
    mpz_set(square.low, base->low);
    mpz_set(square.high, base->high);
    for (; power; power >>= 1) {
        if (power & 1) span_times(out, &square, bits);
        if (power > 1) span_times(&square, &square, bits);
    }
    span_close(&square);
}

/* Cumulative sums in turn; with `point` the first that surely holds it, -1 where that stays open. Beyond a weight of one unit the rest is
 * counted as that, in one step. */
static int64_t walk(const Choice *choice, int64_t count, const Span *base, mp_bitcnt_t bits, Span *sum, const Span *point) {
    Span power;
    int64_t found = -1;
    span_open(&power);
    mpz_set_ui(power.low, 1);
    mpz_mul_2exp(power.low, power.low, bits);
    mpz_set(power.high, power.low);
    mpz_set_ui(sum->low, 0);
    mpz_set_ui(sum->high, 0);
    for (int64_t i = 0; i < count; i++) {
        if (i && choice[i].loss > choice[i - 1].loss && mpz_cmp_ui(power.high, 1) > 0)
            span_power_into(&power, base, choice[i].loss - choice[i - 1].loss, bits);
        if (point && mpz_cmp(sum->high, point->low) > 0) break; /* it may lie before this one */
        mpz_addmul_ui(sum->low, power.low, choice[i].weight);
        mpz_addmul_ui(sum->high, power.high, choice[i].weight);
        if (point && mpz_cmp(point->high, sum->low) <= 0) {
            found = i;
            break;
        }
    }
    span_close(&power);
    return found;
}

/* [u, u + 1)/2^drawn of the total, for a whole number u of `drawn` bits. */
static void place_point(const mpz_t uniform, mp_bitcnt_t drawn, const Span *total, Span *out) {
    mpz_mul(out->low, uniform, total->low);
    mpz_fdiv_q_2exp(out->low, out->low, drawn);
    mpz_add_ui(out->high, uniform, 1);
    mpz_mul(out->high, out->high, total->high);
    mpz_cdiv_q_2exp(out->high, out->high, drawn);
}

Status exponential_mechanism(Work *work, RandomBits *bits, uint64_t num, uint64_t den, const Choice *choice, int64_t count,
                             int64_t *chosen) {
    Status status = OK;
    Span base, total, sum, point;
    mpz_t uniform;
    mp_bitcnt_t drawn = 0;
    span_open(&base);
    span_open(&total);
    span_open(&sum);
    span_open(&point);
    mpz_init(uniform);
    *chosen = -1;
    if (!num || !den || num / den > UINT64_C(1) << 20) TRY(fail(work->error, BAD, "this promise is out of the sampler's range"));
    for (mp_bitcnt_t precision = 256; *chosen < 0; precision *= 2) {
        if (precision > 1 << 20) TRY(fail(work->error, FAILED, "the sampler does not come to an end"));
        for (; drawn + 64 <= precision - 64; drawn += 64) {
            mpz_mul_2exp(uniform, uniform, 64);
            mpz_add_ui(uniform, uniform, bits_word(bits));
        }
        span_exp(&base, num, den, precision);
        walk(choice, count, &base, precision, &total, NULL);
        place_point(uniform, drawn, &total, &point);
        *chosen = walk(choice, count, &base, precision, &sum, &point);
        TRY(bits->status);
        TRY(work_check(work));
    }
done:
    span_close(&base);
    span_close(&total);
    span_close(&sum);
    span_close(&point);
    mpz_clear(uniform);
    return status;
}

/* ⌊max(0, a − pm, b − (1 − p)m)⌋ for a of m records below a place and b above it: 0 where the place is a p-quantile. Replacing a record
 * moves a and b by at most 1; adding or removing one moves a − pm and b − (1 − p)m by at most 1: in either case the loss by at most 1. p is
 * a whole number of 2⁻⁵³, so that all of this is exact. */
uint64_t quantile_loss(int64_t below, int64_t above, int64_t m, double p) {
    __int128 one = (__int128)1 << 53, share = (__int128)ldexp(p, 53), left = (__int128)below * one - share * m,
             right = (__int128)above * one - (one - share) * m, most = left > right ? left : right;
    return most > 0 ? (uint64_t)(most >> 53) : 0;
}
