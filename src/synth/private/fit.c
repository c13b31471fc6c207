/* The model nearest to the noisy marginals: entropic mirror descent with a line search (McKenna, Sheldon & Miklau 2019). */
#include "base/elementary.h"
#include <string.h>
#include "synth/private/inside.h"

/* Shares of every measured marginal, and the loss Σ‖N·p − y‖²/(2σ²). */
static Status loss_of(Private *p, Tree *tree, double *loss) {
    Status status = OK;
    *loss = 0;
    TRY(tree_calibrate(p, tree));
    for (int64_t r = 0; r < p->measured; r++) {
        Measured *m = &p->at[r];
        const Clique *c = &tree->clique[tree->home[r]];
        double sum = 0;
        memset(m->share, 0, (size_t)m->cells * sizeof *m->share);
        for (int64_t i = 0; i < c->cells; i++) m->share[tree->map[r][i]] += c->belief[i];
        for (int64_t k = 0; k < m->cells; k++) {
            double d = p->total * m->share[k] - m->noisy[k];
            sum += d * d;
        }
        *loss += sum / (2 * m->sigma * m->sigma);
    }
done:
    return status;
}

/* ∇L at the shares at hand; `step` keeps the shares. */
static void gradients(Private *p) {
    for (int64_t r = 0; r < p->measured; r++) {
        Measured *m = &p->at[r];
        for (int64_t k = 0; k < m->cells; k++) m->gradient[k] = (p->total * m->share[k] - m->noisy[k]) / (m->sigma * m->sigma);
        memcpy(m->step, m->share, (size_t)m->cells * sizeof *m->step);
    }
}

static void move(Private *p, double by) {
    for (int64_t r = 0; r < p->measured; r++)
        for (int64_t k = 0; k < p->at[r].cells; k++) p->at[r].parameter[k] -= by * p->at[r].gradient[k];
}

/* ⟨∇L, μ_old − μ_new⟩ */
static double promised(const Private *p) {
    double sum = 0;
    for (int64_t r = 0; r < p->measured; r++)
        for (int64_t k = 0; k < p->at[r].cells; k++) sum += p->at[r].gradient[k] * (p->at[r].step[k] - p->at[r].share[k]);
    return sum * p->total;
}

Status tree_fit(Private *p, Tree *tree, int turns) {
    Status status = OK;
    double here, rate = 1, least = INFINITY;
    int slow = 0;
    TRY(loss_of(p, tree, &here));
    for (int64_t r = 0; r < p->measured; r++) least = fmin(least, p->at[r].sigma);
    rate = least * least / fmax(p->total, 1);
    for (int turn = 0; turn < turns && slow < 50; turn++) {
        double next = here;
        bool taken = false;
        TRY(work_check(&p->run->work));
        gradients(p);
        for (int halves = 0; halves < 30; halves++) {
            move(p, rate);
            TRY(loss_of(p, tree, &next));
            if ((taken = here - next >= 0.5 * promised(p))) break;
            move(p, -rate);
            rate /= 2;
        }
        if (!taken) TRY(loss_of(p, tree, &next));        /* back to the shares of the parameters kept */
        slow = here - next > 1e-7 * here ? 0 : slow + 1; /* a loss of 0 is slow too */
        here = next;
        rate *= 1.4;
    }
done:
    return status;
}
