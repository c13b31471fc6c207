/* Exact discrete Laplace and discrete Gaussian draws. */
#include "math/discrete_noise.h"

/* A fraction a/b below 1, first by its leading 64 bits, and exactly where those do not decide. */
typedef struct Fraction {
    uint64_t lead; /* ⌊a·2⁶⁴/b⌋ */
    uint64_t a, b; /* as words, or b = 0 and: */
    const __mpz_struct *num, *den;
} Fraction;

/* U < num/den for a uniform U whose binary digits are drawn as they are needed. */
bool draw_bernoulli(RandomBits *bits, const mpz_t num, const mpz_t den) {
    mpz_t rest, digit;
    bool answer = false;
    mpz_init_set(rest, num);
    mpz_init(digit);
    if (mpz_cmp(num, den) >= 0) answer = true;
    else
        while (bits->status == OK) {
            mpz_mul_2exp(rest, rest, 64);
            mpz_fdiv_qr(digit, rest, rest, den);
            uint64_t word = bits_word(bits), lead = mpz_get_ui(digit);
            if (word == lead) continue; /* once in 2⁶⁴ */
            answer = word < lead;
            break;
        }
    mpz_clear(rest);
    mpz_clear(digit);
    return answer && bits->status == OK;
}

/* The leading 64 bits were equal to ⌊a·2⁶⁴/(bk)⌋: go on with what is left of a·2⁶⁴ after division by bk. */
static bool undecided(RandomBits *bits, const Fraction *f, uint64_t k) {
    mpz_t num, den;
    mpz_init(num);
    mpz_init(den);
    if (f->b) mpz_set_ui(num, f->a), mpz_set_ui(den, f->b);
    else mpz_set(num, f->num), mpz_set(den, f->den);
    mpz_mul_ui(den, den, k);
    mpz_mul_2exp(num, num, 64);
    mpz_fdiv_r(num, num, den);
    bool answer = draw_bernoulli(bits, num, den);
    mpz_clear(num);
    mpz_clear(den);
    return answer;
}

/* True with probability f/k. ⌊⌊a·2⁶⁴/b⌋/k⌋ = ⌊a·2⁶⁴/(bk)⌋, so one long division serves every k. */
static inline bool fraction_over(RandomBits *bits, const Fraction *f, uint64_t k) {
    uint64_t word = bits_word(bits), lead = f->lead / k;
    return word == lead ? undecided(bits, f, k) : word < lead;
}

/* True with probability e^−f (algorithm 1 of the paper, after von Neumann): the first k at which a coin of f/k fails is odd. */
static inline bool exp_of_fraction(RandomBits *bits, const Fraction *f) {
    uint64_t k = 1;
    while (fraction_over(bits, f, k) && bits->status == OK) k++;
    return k & 1;
}

/* True with probability e⁻¹: the coins are 1, 1/2, 1/3, …; the first needs no drawing. */
static inline bool exp_of_one(RandomBits *bits) {
    uint64_t k = 2;
    for (; bits->status == OK; k++) {
        uint64_t word = bits_word(bits), lead = UINT64_MAX / k; /* ⌊2⁶⁴/k⌋, but for powers of two, where it is one less */
        if (k & (k - 1)) {
            if (word < lead) continue;
            if (word > lead) break;
            Fraction one = { .a = 1, .b = 1 }; /* 2⁶⁴ mod k is what is left */
            if (!undecided(bits, &one, k)) break;
        } else if (word > lead) break;
    }
    return k & 1;
}

bool draw_bernoulli_exp(RandomBits *bits, const mpz_t num, const mpz_t den) {
    mpz_t whole, rest, lead;
    bool answer = true;
    mpz_init(whole);
    mpz_init(rest);
    mpz_init(lead);
    mpz_fdiv_qr(whole, rest, num, den);
    for (; answer && mpz_sgn(whole) > 0; mpz_sub_ui(whole, whole, 1)) answer = exp_of_one(bits) && bits->status == OK;
    if (answer && mpz_sgn(rest) > 0) {
        mpz_mul_2exp(lead, rest, 64);
        mpz_fdiv_q(lead, lead, den);
        Fraction f = { .lead = mpz_get_ui(lead), .num = rest, .den = den };
        answer = exp_of_fraction(bits, &f);
    }
    mpz_clear(whole);
    mpz_clear(rest);
    mpz_clear(lead);
    return answer && bits->status == OK;
}

/* Algorithm 2 of the paper: U uniform below num kept with probability e^(−U/num); V the number of successes of e⁻¹; |x| = ⌊(U +
 * num·V)/den⌋; a sign, but only one zero. */
Status draw_discrete_laplace(RandomBits *bits, uint64_t num, uint64_t den, Wide *out) {
    *out = 0;
    while (bits->status == OK) {
        uint64_t u = bits_below(bits, num), v = 0;
        Fraction f = { .lead = (uint64_t)(((unsigned __int128)u << 64) / num), .a = u, .b = num };
        if (u && !exp_of_fraction(bits, &f)) continue;
        while (exp_of_one(bits) && bits->status == OK) v++;
        Wide size = (Wide)u + (Wide)num * (Wide)v;
        if (den > 1) size /= den;
        bool negative = bits_coin(bits);
        if (negative && size == 0) continue;
        *out = negative ? -size : size;
        break;
    }
    return bits->status;
}

Status discrete_gaussian_open(DiscreteGaussian *g, const mpz_t variance, Error *error) {
    *g = (DiscreteGaussian){ 0 };
    if (mpz_sgn(variance) <= 0 || mpz_sizeinbase(variance, 2) > 121)
        return fail(error, FAILED, "a variance of noise beyond the sampler's range");
    mpz_init_set(g->variance, variance);
    mpz_init(g->scale);
    mpz_init(g->bottom);
    mpz_init(g->top);
    mpz_init(g->quotient);
    mpz_init(g->rest);
    mpz_sqrt(g->scale, variance);
    mpz_add_ui(g->scale, g->scale, 1); /* t = ⌊σ⌋ + 1 */
    g->proposal = mpz_get_ui(g->scale);
    mpz_mul(g->bottom, g->scale, g->scale); /* 2σ²t² */
    mpz_mul(g->bottom, g->bottom, variance);
    mpz_mul_2exp(g->bottom, g->bottom, 1);
    return OK;
}

void discrete_gaussian_close(DiscreteGaussian *g) {
    if (!g->proposal) return;
    mpz_clear(g->variance);
    mpz_clear(g->scale);
    mpz_clear(g->bottom);
    mpz_clear(g->top);
    mpz_clear(g->quotient);
    mpz_clear(g->rest);
    *g = (DiscreteGaussian){ 0 };
}

static void set_wide(mpz_t out, Wide size) {
    mpz_set_ui(out, (uint64_t)(size >> 64));
    mpz_mul_2exp(out, out, 64);
    mpz_add_ui(out, out, (uint64_t)size);
}

/* Algorithm 3: a discrete Laplace proposal y of scale t, kept with probability e^(−(|y| − σ²/t)²/(2σ²)) = e^(−(|y|t − σ²)²/(2σ²t²)). */
Status draw_discrete_gaussian(RandomBits *bits, DiscreteGaussian *g, Wide *out) {
    *out = 0;
    while (bits->status == OK) {
        Wide y;
        if (draw_discrete_laplace(bits, g->proposal, 1, &y)) break;
        set_wide(g->top, y < 0 ? -y : y);
        mpz_mul(g->top, g->top, g->scale);
        mpz_sub(g->top, g->top, g->variance);
        mpz_mul(g->top, g->top, g->top);
        if (!draw_bernoulli_exp(bits, g->top, g->bottom)) continue;
        *out = y;
        break;
    }
    return bits->status;
}
