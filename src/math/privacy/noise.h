/* Noise families, and what each promises when a statistic that one person can move by `shift` is released with it. */
#ifndef SCRIM_MATH_PRIVACY_NOISE_H
#define SCRIM_MATH_PRIVACY_NOISE_H
#include "base/work.h"

typedef enum {
    LAPLACE_NOISE,
    GAUSSIAN_NOISE,
    DISCRETE_LAPLACE_NOISE,
    DISCRETE_GAUSSIAN_NOISE,
    UNIFORM_NOISE,
    STUDENT_NOISE,
    LOGISTIC_NOISE,
    RANDOMIZED_RESPONSE /* no noise that is added: the worst that is ε-differentially private with ε = shift/scale, for composition
                           (Kairouz, Oh & Viswanath 2015) */
} NoiseFamily;
/* scale: b of Laplace (density ∝ e^−|x|/b) and logistic, σ of the Gaussian, the half-width of the uniform, the multiplier of Student's t
 * with df degrees of freedom. The discrete ones live on the whole numbers, and their shift is whole. */
typedef struct Noise {
    NoiseFamily family;
    double scale, df, shift;
} Noise;

double noise_variance(const Noise *noise);      /* INFINITY for t with df ≤ 2 */
double noise_mean_absolute(const Noise *noise); /* E|noise| */
double noise_half_width(const Noise *noise,
                        double level); /* |noise| stays within this with probability `level` at least; a whole number for noise on those */

/* The best test between noise around 0 and noise around `shift` (Neyman & Pearson): "shifted" where the log likelihood ratio exceeds the
 * threshold. */
typedef struct RocPoint {
    double fpr, tpr;
} RocPoint;
RocPoint noise_test(const Noise *noise, double threshold);
/* ln of its fpr, also where that is below 1e-308. */
double noise_log_fpr(const Noise *noise, double threshold);

/* Promises of one release; INFINITY where the family makes no such promise (an advantage and an AUC always exist). */
double noise_epsilon(const Noise *noise);                  /* pure differential privacy */
double noise_delta(const Noise *noise, double epsilon);    /* the least δ at this ε; Gaussian: Balle & Wang 2018 */
double noise_epsilon_at(const Noise *noise, double delta); /* the least ε at this δ; INFINITY where there is none */
double noise_advantage(const Noise *noise);                /* total variation */
double renyi_over_order(const Noise *noise, double order); /* Rényi divergence of order α ≥ 1 over α; see renyi.c for the families */
double noise_zcdp(const Noise *noise);            /* sup over α ≥ 1 of the Rényi divergence over α; Laplace: ε − 1 + e^−ε */
double noise_gdp(const Noise *noise);             /* the least μ; Laplace: 2Φ⁻¹(1 − e^(−ε/2)/2) */
double noise_auc(const Noise *noise);             /* two releases, ranked by |x − x′| */
double noise_auc_one_release(const Noise *noise); /* the optimal adversary who sees one release */

/* The least scale for which what `of` gives is at most `wanted` (each of them falls as the scale grows). BAD where no scale reaches it. */
typedef double NoisePromise(const Noise *noise);
MUST_CHECK Status noise_scale_for(Noise *noise, NoisePromise *of, double wanted, Error *error);
MUST_CHECK Status noise_scale_for_delta(Noise *noise, double epsilon, double delta, Error *error);

/* The Gaussian with the least σ/Δ = 1/μ that is (ε, δ)-differentially private: the analytic Gaussian mechanism. Gives μ. */
double gaussian_mu(double epsilon, double delta);
double gaussian_delta(double mu, double epsilon);
/* Laplace promises by ε = Δ/b. */
double laplace_zcdp(double epsilon);
double laplace_epsilon_for_zcdp(double zcdp);
double laplace_gdp(double epsilon);
double pure_gdp(double epsilon); /* of anything ε-differentially private: 2Φ⁻¹(e^ε/(1 + e^ε)) (Dong, Roth & Su 2022) */

/* Within the room: sums over the discrete families. */
double discrete_tail(const Noise *noise, int64_t from);     /* P(noise ≥ from) */
double discrete_log_tail(const Noise *noise, int64_t from); /* its logarithm, for from ≥ 0, also where it is below 1e-308 */
double discrete_auc(const Noise *noise, bool two_releases);
bool noise_discrete(const Noise *noise);
double noise_place(const Noise *noise, double threshold); /* discrete noise: the last value whose loss is not above the threshold */
Noise noise_continuous(const Noise *noise);               /* the continuous family of the same scale */
#endif
