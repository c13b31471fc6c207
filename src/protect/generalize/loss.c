/* The losses of a generalisation (CATALOGUE: as ARX defines them), and what they are without suppression. */
#include "base/elementary.h"
#include "protect/generalize/node_check.h"

bool loss_is_additive(Loss loss) { return loss != AECS && loss != DISCERNIBILITY; }

/* Per key and level, over all records: the leaves under each record's value over all leaves (loss), or the bits that generalising takes,
 * log₂ of the generalised value's count over the original's (non-uniform entropy, de Waal & Willenborg 1999). */
Status loss_base(Work *work, Checker *c) {
    Status status = OK;
    NEW(work, c->base, c->domains->count);
    for (int64_t key = 0; key < c->domains->count; key++) {
        const Domain *d = &c->domains->at[key];
        int64_t *count = NULL, *above = NULL;
        NEW(work, c->base[key], d->levels);
        NEW(work, count, d->leaves);
        for (int64_t i = 0; i < d->column->rows; i++) count[domain_leaf(d, i)] += checker_times(c, i);
        for (int64_t l = 0; l < d->levels; l++) {
            double sum = 0;
            NEW(work, above, d->count[l]);
            for (int32_t v = 0; v < d->leaves; v++) above[d->value[l][v]] += count[v];
            for (int32_t v = 0; v < d->leaves; v++) {
                if (!count[v]) continue;
                if (c->loss == ENTROPY) sum += (double)count[v] * log2((double)above[d->value[l][v]] / (double)count[v]);
                else sum += (double)count[v] * d->share[l][d->value[l][v]];
            }
            c->base[key][l] = sum;
            arena_drop(work->arena, above);
        }
        arena_drop(work->arena, count);
    }
done:
    return status;
}

/* r = max(0, (A − N/D)/(N − N/D)), A the sum of shares. loss is Π(r+1)^w − 1, kept as Σ w·ln(1+r). */
double loss_term(const Checker *c, int64_t key, int64_t level, double extra, int64_t suppressed) {
    const Domain *d = &c->domains->at[key];
    double n = (double)c->records, weight = c->weight[key];
    if (c->loss == ENTROPY) return weight * (double)c->domains->count * (c->base[key][level] + extra);
    if (c->loss == PRECISION) {
        double height = d->levels > 1 ? (double)level / (double)(d->levels - 1) : 0;
        return n > 0 ? weight * ((n - (double)suppressed) * height + (double)suppressed) / n : 0;
    }
    double least = n / (double)d->leaves, r = n > least ? (c->base[key][level] + extra - least) / (n - least) : 0;
    if (r < 0) r = 0;
    return weight * (c->loss == LOSS ? log1p(r) : r);
}

double loss_of_sum(const Checker *c, double sum) { return c->loss == LOSS ? expm1(sum) : sum; }

double loss_score(const Checker *c, const uint8_t *level, const Outcome *o) {
    double n = (double)c->records, sum = 0;
    if (c->loss == AECS) return o->classes || o->suppressed ? n / (double)(o->classes + (o->suppressed > 0)) : 0;
    if (c->loss == DISCERNIBILITY) return o->squares + n * (double)o->suppressed;
    for (int64_t key = 0; key < c->domains->count; key++) sum += loss_term(c, key, level[key], o->extra[key], o->suppressed);
    return loss_of_sum(c, sum);
}
