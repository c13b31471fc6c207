/* The two places where the confidential records are looked at: counts that get exact noise, and a choice by the exponential mechanism. */
#include "base/elementary.h"
#include <string.h>
#include "synth/private/private.h"

enum { GRID = 10 }; /* noise is drawn on multiples of 2^-GRID: sigma may be small, and no floating point comes near a count */

int64_t set_cells(const Domain *domain, Set set) {
    double cells = 1;
    for (int32_t j = 0; j < domain->count; j++)
        if (set >> j & 1) cells *= domain->at[j].merged;
    return cells < 1e15 ? (int64_t)cells : INT64_MAX;
}

void project_map(const Domain *domain, Set from, Set to, int32_t *map) {
    int32_t size[MOST_ATTRIBUTES], digit[MOST_ATTRIBUTES] = { 0 };
    int64_t stride[MOST_ATTRIBUTES], cells = set_cells(domain, from), at = 0, step = 1;
    int many = 0;
    for (int32_t j = domain->count - 1; j >= 0; j--) { /* the fastest first */
        if (!(from >> j & 1)) continue;
        size[many] = domain->at[j].merged;
        stride[many] = to >> j & 1 ? step : 0;
        if (to >> j & 1) step *= domain->at[j].merged;
        many++;
    }
    for (int64_t c = 0; c < cells; c++) {
        map[c] = (int32_t)at;
        for (int k = 0; k < many; k++) {
            at += stride[k];
            if (++digit[k] < size[k]) break;
            at -= stride[k] * size[k];
            digit[k] = 0;
        }
    }
}

Status count_marginal(Private *p, Set set, int32_t **out, int64_t *cells) {
    Status status = OK;
    const uint16_t *code[MOST_ATTRIBUTES];
    const int32_t *merge[MOST_ATTRIBUTES];
    int64_t size[MOST_ATTRIBUTES];
    int many = 0;
    *cells = set_cells(&p->domain, set);
    NEW(&p->run->work, *out, *cells + 1);
    for (int32_t j = 0; j < p->domain.count; j++) {
        if (!(set >> j & 1)) continue;
        code[many] = p->code[j];
        merge[many] = p->domain.at[j].merge;
        size[many++] = p->domain.at[j].merged;
    }
    for (int64_t i = 0; i < p->rows; i++) {
        int64_t at = 0;
        for (int k = 0; k < many; k++) at = at * size[k] + merge[k][code[k][i]];
        (*out)[at]++;
    }
done:
    return status;
}

void count_drawn(const Private *p, uint16_t *const *codes, int64_t rows, Set set, double each, double *out) {
    const uint16_t *code[MOST_ATTRIBUTES];
    int64_t size[MOST_ATTRIBUTES];
    int many = 0;
    for (int32_t j = 0; j < p->domain.count; j++) {
        if (!(set >> j & 1)) continue;
        code[many] = codes[j];
        size[many++] = p->domain.at[j].merged;
    }
    for (int64_t i = 0; i < rows; i++) {
        int64_t at = 0;
        for (int k = 0; k < many; k++) at = at * size[k] + code[k][i];
        out[at] += each;
    }
}

/* σ² on the grid, rounded up: never less noise than promised. */
static Status open_noise(Private *p, double sigma, DiscreteGaussian *gaussian) {
    mpz_t variance;
    double wanted = ceil(ldexp(sigma * sigma, 2 * GRID) * (1 + 1e-12));
    mpz_init_set_d(variance, wanted < 1 ? 1 : wanted);
    Status status = discrete_gaussian_open(gaussian, variance, p->run->work.error);
    mpz_clear(variance);
    return status;
}

Status measured_room(Work *work, Measured *m) {
    Status status = OK;
    double **const room[] = { &m->noisy, &m->parameter, &m->sum, &m->share, &m->gradient, &m->before, &m->origin, &m->last };
    for (size_t k = 0; k < sizeof room / sizeof *room; k++) NEW(work, *room[k], m->cells + 1);
done:
    return status;
}

Status measure_marginal(Private *p, Set set, double sigma) {
    Status status = OK;
    Work *work = &p->run->work;
    DiscreteGaussian gaussian = { 0 };
    int32_t *count = NULL;
    Measured m = { .set = set, .sigma = sigma };
    TRY(work_check(work));
    TRY(count_marginal(p, set, &count, &m.cells));
    TRY(open_noise(p, sigma, &gaussian));
    TRY(measured_room(work, &m));
    for (int64_t c = 0; c < m.cells; c++) {
        Wide noise;
        TRY(draw_discrete_gaussian(&p->bits, &gaussian, &noise));
        m.noisy[c] = ldexp((double)(((Wide)count[c] << GRID) + noise), -GRID);
    }
    GROW(work, p->at, p->room, p->measured + 1);
    p->at[p->measured++] = m;
    p->spent += reach_squared(p) / (2 * sigma * sigma);
done:
    discrete_gaussian_close(&gaussian);
    arena_drop(work->arena, count);
    return status;
}

/* P(r) ∝ e^(ε·q_r/(2Δ)), exactly: scores are whole multiples of 2^-GRID (which moves each by one multiple more at most, counted in Δ), a
 * candidate is taken with equal chances and kept with probability e^(−ε(max − q)/(2Δ)), a Bernoulli of a rational exponent. */
Status choose_marginal(Private *p, const double *quality, int64_t count, double sensitivity, double epsilon, int64_t *chosen) {
    Status status = OK;
    int64_t *score = NULL, most = INT64_MIN;
    mpz_t num, den;
    mpz_init(num);
    mpz_init(den);
    NEW(&p->run->work, score, count + 1);
    for (int64_t k = 0; k < count; k++) {
        double at = floor(ldexp(quality[k], GRID));
        score[k] = at < -9e17 ? (int64_t)-9e17 : at > 9e17 ? (int64_t)9e17 : (int64_t)at;
        if (score[k] > most) most = score[k];
    }
    /* ε/(2Δ) per multiple, as a fraction with 2^40 below: rounded down, so that no more is spent */
    double rate = floor(ldexp(epsilon / (2 * (ceil(ldexp(sensitivity, GRID)) + 1)), 60));
    *chosen = -1;
    while (*chosen < 0 && p->bits.status == OK) {
        int64_t k = (int64_t)bits_below(&p->bits, (uint64_t)count);
        mpz_set_d(num, rate);
        mpz_mul_ui(num, num, (unsigned long)(most - score[k]));
        mpz_set_ui(den, 1);
        mpz_mul_2exp(den, den, 60);
        if (mpz_sgn(num) == 0 || draw_bernoulli_exp(&p->bits, num, den)) *chosen = k;
    }
    status = p->bits.status;
    p->spent += epsilon * epsilon / 8;
done:
    mpz_clear(num);
    mpz_clear(den);
    arena_drop(p->run->work.arena, score);
    return status;
}

/* With n public it is n. Else every marginal's sum estimates it, with variance cells·σ²: combined by inverse variances. */
void estimate_total(Private *p) {
    double sum = 0, weight = 0;
    if (p->count_public) {
        p->total = (double)p->rows;
        return;
    }
    for (int64_t r = 0; r < p->measured; r++) {
        double whole = 0, w = 1 / ((double)p->at[r].cells * p->at[r].sigma * p->at[r].sigma);
        for (int64_t c = 0; c < p->at[r].cells; c++) whole += p->at[r].noisy[c];
        sum += w * whole;
        weight += w;
    }
    p->total = fmax(1, weight > 0 ? sum / weight : 1);
}
