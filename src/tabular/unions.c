/* Primary cells of one sum taken together: where everything else in it is published, what they sum to is published, too. */
#include <string.h>
#include "base/elementary.h"
#include "tabular/contributors.h"

double relation_part_sign(const Relations *r, int64_t relation) {
    int64_t above = 0, below = 0, terms = r->start[relation + 1] - r->start[relation];
    for (int64_t k = r->start[relation]; k < r->start[relation + 1]; k++) {
        above += r->coefficient[k] == 1;
        below += r->coefficient[k] == -1;
    }
    return terms < 3 || above + below < terms ? 0 : below == 1 ? 1 : above == 1 ? -1 : 0;
}

/* The sums that break a rule: their cells, one sum after another. */
typedef struct Found {
    int64_t count, room, cells, cell_room;
    struct {
        int64_t at;
        int32_t count;
        int broken;
    } * of;
    int32_t *cell;
    Union scratch;
} Found;

/* Primary parts of a sum of which the total is not primary. */
static int64_t primary_parts(const Model *m, int64_t relation, int32_t *cell, int *broken) {
    const Relations *r = &m->relations;
    const double sign = relation_part_sign(r, relation);
    int64_t count = 0;
    *broken = 0;
    for (int64_t k = r->start[relation]; k < r->start[relation + 1] && sign != 0; k++) {
        if (m->status[r->cell[k]] != CELL_PRIMARY) continue;
        if (r->coefficient[k] != sign || r->cell[k] >= m->seen) return 0;
        *broken |= m->rule[r->cell[k]];
        cell[count++] = r->cell[k];
    }
    return count;
}

/* In counts below 3 or 4 the floor of 1 says as much. */
static bool is_told_by_floor(const Model *m, const Contributors *c, int broken) {
    return m->whole && !c->named && !m->structure.zeros_hidden && m->structure.rules.threshold <= 3 && broken == 1 << BY_THRESHOLD;
}

static Status find_unions(Work *work, const Model *m, const Contributors *c, Found *f) {
    Status status = OK;
    int32_t *cell = NULL;
    int broken;
    NEW(work, cell, m->cells + 1);
    for (int64_t r = 0; r < m->relations.count; r++) {
        int64_t n = primary_parts(m, r, cell, &broken);
        if (n < 2 || !broken || is_told_by_floor(m, c, broken)) continue;
        TRY(union_make(work, m, c, cell, n, &f->scratch));
        if (!union_unsafe(&m->structure.rules, broken, &f->scratch)) continue;
        GROW(work, f->of, f->room, f->count + 1);
        GROW(work, f->cell, f->cell_room, f->cells + n);
        f->of[f->count].at = f->cells;
        f->of[f->count].count = (int32_t)n;
        f->of[f->count++].broken = broken;
        memcpy(f->cell + f->cells, cell, (size_t)n * sizeof *cell);
        f->cells += n;
    }
done:
    return status;
}

static Status longer_reals(Work *work, int64_t before, int64_t after, double **at) {
    Status status = OK;
    double *longer = NULL;
    NEW(work, longer, after + 1);
    memcpy(longer, *at, (size_t)before * sizeof *longer);
    *at = longer;
done:
    return status;
}

static Status longer_bytes(Work *work, int64_t before, int64_t after, uint8_t **at) {
    Status status = OK;
    uint8_t *longer = NULL;
    NEW(work, longer, after + 1);
    memcpy(longer, *at, (size_t)before);
    *at = longer;
done:
    return status;
}

static Status longer_model(Work *work, const Found *f, Model *m) {
    Status status = OK;
    const Relations old = m->relations;
    Relations *r = &m->relations;
    const int64_t cells = m->cells + f->count, entries = old.start[old.count];
    double **const reals[] = { &m->value,     &m->low,         &m->high,      &m->floor,     &m->need_low,
                               &m->need_high, &m->need_either, &m->asked_low, &m->asked_high };
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++) TRY(longer_reals(work, m->cells, cells, reals[k]));
    if (m->count) TRY(longer_reals(work, m->cells, cells, &m->count));
    TRY(longer_bytes(work, m->cells, cells, &m->status));
    TRY(longer_bytes(work, m->cells, cells, &m->rule));
    TRY(longer_bytes(work, m->cells, cells, &m->foreknown));
    *r = (Relations){ .cells = cells, .count = old.count };
    NEW(work, r->start, old.count + f->count + 2);
    NEW(work, r->cell, entries + f->cells + f->count + 1);
    NEW(work, r->coefficient, entries + f->cells + f->count + 1);
    memcpy(r->start, old.start, (size_t)(old.count + 1) * sizeof *r->start);
    memcpy(r->cell, old.cell, (size_t)entries * sizeof *r->cell);
    memcpy(r->coefficient, old.coefficient, (size_t)entries * sizeof *r->coefficient);
    m->cells = cells;
done:
    return status;
}

static void add_term(Relations *r, int64_t *at, int32_t cell, double coefficient) {
    r->cell[*at] = cell;
    r->coefficient[(*at)++] = coefficient;
}

/* The cells that are taken together, as one more cell: its relation, its bounds, its needs. */
static Status add_union(Work *work, const Found *f, int64_t k, int64_t v, const Contributors *c, Needs *needs, Model *m) {
    Status status = OK;
    Relations *r = &m->relations;
    const int broken = f->of[k].broken;
    const Share *of = c->of_cell + c->cell_start[v];
    int64_t at = r->start[r->count];
    double either = 0;
    for (int32_t e = 0; e < f->of[k].count; e++) {
        int32_t i = f->cell[f->of[k].at + e];
        add_term(r, &at, i, 1);
        m->value[v] += m->value[i];
        m->low[v] += m->low[i];
        either = fmax(either, m->need_either[i]);
    }
    add_term(r, &at, (int32_t)v, -1);
    r->start[++r->count] = at;
    m->high[v] = INFINITY;
    m->floor[v] = m->value[v] - m->low[v];
    m->status[v] = CELL_PRIMARY;
    m->rule[v] = (uint8_t)broken;
    if (m->count) m->count[v] = c->count[v];
    if (broken >> BY_THRESHOLD & 1 && c->count[v] < (double)m->structure.rules.threshold) m->need_either[v] = either;
    TRY(needs_find(work, &m->structure.rules, broken, m->value[v], of, c->cell_start[v + 1] - c->cell_start[v], 0, needs));
    m->need_high[v] = fmax(0, needs->others);
    for (int64_t e = 0; e < needs->count; e++) m->need_high[v] = fmax(m->need_high[v], needs->of[e].need);
    m->asked_high[v] = m->need_high[v];
done:
    return status;
}

Status unions_append(Work *work, const Model *m, Contributors *c, Model *out) {
    Status status = OK;
    Found f = { 0 };
    Needs needs = { 0 };
    *out = *m;
    if (!m->structure.rules.coalition) return OK;
    TRY(find_unions(work, m, c, &f));
    if (!f.count) return OK;
    TRY(longer_model(work, &f, out));
    Union *together = NULL;
    NEW(work, together, f.count);
    for (int64_t k = 0; k < f.count; k++) TRY(union_make(work, m, c, f.cell + f.of[k].at, f.of[k].count, &together[k]));
    TRY(contributors_append(work, together, f.count, m->cells, c));
    for (int64_t k = 0; k < f.count; k++) TRY(add_union(work, &f, k, m->cells + k, c, &needs, out));
    TRY(relations_transpose(work, &out->relations, &out->member));
done:
    return status;
}
