/* The model nearest to the noisy marginals: entropic mirror descent (McKenna, Sheldon & Miklau 2019), with momentum (Nesterov 1983) that
 * begins again where it leads up (O'Donoghue & Candès 2015). Marginals of very different noise make the descent alone slow; and a model that
 * is not at its best yet is taken for one that no marginal can correct. */
#include "base/elementary.h"
#include <string.h>
#include "synth/private/private.h"

/* Shares of every measured marginal, and the loss Σ‖N·p − y‖²/(2σ²). */
static Status loss_of(Private *p, Tree *tree, double *loss) {
    Status status = OK;
    *loss = 0;
    TRY(tree_calibrate(p, tree));
    tree_shares(p, tree);
    for (int64_t r = 0; r < p->measured; r++) {
        const Measured *m = &p->at[r];
        double sum = 0;
        for (int64_t k = 0; k < m->cells; k++) {
            double d = p->total * m->share[k] - m->noisy[k];
            sum += d * d;
        }
        *loss += sum / (2 * m->sigma * m->sigma);
    }
done:
    return status;
}

/* ∇L at the shares and parameters at hand, both of which are kept. */
static void stand(Private *p) {
    for (int64_t r = 0; r < p->measured; r++) {
        Measured *m = &p->at[r];
        size_t bytes = (size_t)m->cells * sizeof(double);
        for (int64_t k = 0; k < m->cells; k++) m->gradient[k] = (p->total * m->share[k] - m->noisy[k]) / (m->sigma * m->sigma);
        memcpy(m->before, m->share, bytes);
        memcpy(m->origin, m->parameter, bytes);
    }
}

/* θ' = φ − rate·∇L(φ), and from there on in the direction of θ' − θ: φ' = θ' + momentum·(θ' − θ). */
static void move(Private *p, double rate, double momentum) {
    for (int64_t r = 0; r < p->measured; r++) {
        Measured *m = &p->at[r];
        for (int64_t k = 0; k < m->cells; k++) {
            double next = m->origin[k] - rate * m->gradient[k];
            m->parameter[k] = next + momentum * (next - m->last[k]);
        }
    }
}

static void remember(Private *p, double rate) {
    for (int64_t r = 0; r < p->measured; r++)
        for (int64_t k = 0; k < p->at[r].cells; k++) p->at[r].last[k] = p->at[r].origin[k] - rate * p->at[r].gradient[k];
}

/* ⟨∇L, μ_old − μ_new⟩ */
static double promised(const Private *p) {
    double sum = 0;
    for (int64_t r = 0; r < p->measured; r++)
        for (int64_t k = 0; k < p->at[r].cells; k++) sum += p->at[r].gradient[k] * (p->at[r].before[k] - p->at[r].share[k]);
    return sum * p->total;
}

/* One step from where we stand: with momentum where that leads down, else without, halved until it does. */
static Status step(Private *p, Tree *tree, double here, double *rate, int *since, double *next) {
    enum { HALVES = 40 };
    Status status = OK;
    for (int halves = 0; halves < HALVES; halves++) {
        double momentum = *since / (*since + 3.0);
        move(p, *rate, momentum);
        TRY(loss_of(p, tree, next));
        if (momentum > 0 ? *next <= here : here - *next >= 0.5 * promised(p)) {
            remember(p, *rate);
            *rate *= *since ? 1 : 1.4; /* tried longer whenever the momentum begins */
            *since += p->momentum;
            return OK;
        }
        if (momentum > 0) *since = 0;
        else *rate /= 2;
    }
    move(p, 0, 0);
    TRY(loss_of(p, tree, next));
done:
    return status;
}

Status tree_fit(Private *p, Tree *tree, int turns) {
    enum { PATIENCE = 20 };
    Status status = OK;
    double here, rate, least = INFINITY;
    int slow = 0, since = 0;
    TRY(loss_of(p, tree, &here));
    for (int64_t r = 0; r < p->measured; r++) {
        least = fmin(least, p->at[r].sigma);
        memcpy(p->at[r].last, p->at[r].parameter, (size_t)p->at[r].cells * sizeof(double));
    }
    rate = least * least / fmax(p->total, 1);
    for (int turn = 0; turn < turns && slow < PATIENCE; turn++) {
        double next = here;
        TRY(work_check(&p->run->work));
        stand(p);
        TRY(step(p, tree, here, &rate, &since, &next));
        slow = here - next > 1e-6 * here ? 0 : slow + 1; /* a loss of 0 is slow too */
        here = next;
    }
done:
    return status;
}
