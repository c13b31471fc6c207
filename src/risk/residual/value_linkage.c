/* Who is who, by values: the records that lone values pair, weighed by how far they agree in other columns, after Fellegi, I. and Sunter,
 * A. 1969, A theory for record linkage; the shares by EM, as Winkler, W. 1988 does. */
#include "risk/residual/value_linkage.h"
#include "base/elementary.h"
#include "base/extremes.h"

enum { SAMPLE = 10000, ROUNDS = 40 };

/* Two records that a value leads to which either alone has in its table. */
typedef struct Match {
    int64_t released, original;
    int64_t from; /* the column of that value; it bears no witness */
    double more;  /* the logarithm of how much likelier the other columns are if both are one person's */
} Match;

/* One cell of a pair: -1 unknown, 0 unlike, 1 alike; and the share of the original that has the released value. */
typedef struct Sight {
    int8_t alike;
    float share;
} Sight;

typedef struct Linkage {
    const Kept *k;
    Match *match;
    int64_t count, columns;
    double *known; /* column → true pairs that it can be seen in */
    double *agree; /* column → share of true pairs that agree in it: 1 where it was left alone */
    int denied;    /* columns that have no value oftener than before: those in which pairs do not agree, less those in which they do */
    double *prior; /* column → share of the pairs that its values lead to, and that are true */
    double *sure;  /* column → logarithm of how much likelier all its pairs are than by chance */
} Linkage;

static Status matches_of(Linkage *l, int64_t j, int64_t *last, bool counting) {
    Status status = OK;
    Both both = { 0 };
    TRY(both_make(l->k, l->k->data->column[j], &both));
    for (int64_t i = 0; both.where && i < l->k->data->rows; i++) {
        int32_t is = both.codes.at[1][i];
        if (!both_alone(&both, is) || last[i] == both.where[is] + 1) continue;
        last[i] = both.where[is] + 1;
        if (!counting) l->match[l->count] = (Match){ .released = i, .original = both.where[is], .from = j };
        l->count++;
    }
    both_drop(l->k, &both);
done:
    return status;
}

static Status find_matches(Linkage *l) {
    Status status = OK;
    for (int filling = 0; filling < 2; filling++) {
        int64_t *last = NULL;
        NEW(l->k->work, last, l->k->data->rows + 1);
        if (filling) NEW(l->k->work, l->match, l->count + 1);
        l->count = 0;
        for (int64_t j = 0; j < l->columns; j++) TRY(matches_of(l, j, last, !filling));
        arena_drop(l->k->work->arena, last);
    }
done:
    return status;
}

static Sight look(const Linkage *l, const Both *b, int64_t j, const Match *m) {
    int32_t was = b->codes.at[0][m->original], is = b->codes.at[1][m->released];
    if (m->from == j || was < 0 || is < 0) return (Sight){ .alike = -1 };
    return (Sight){ was == is, (float)((double)b->times[0][is] / (double)l->k->original->rows) };
}

/* log P(sight | one person) − log P(sight | chance). */
static double weight(double agree, Sight s) {
    if (s.alike < 0) return 0;
    return s.alike ? log(agree / (double)s.share) : log((1 - agree) / (1 - (double)s.share));
}

static double chance_of(double prior, double more) { return 1 / (1 + exp(-more) * (1 - prior) / prior); }

/* Shares of a few, drawn towards one half. */
static double smooth(double part, double whole) { return (part + 0.5) / (whole + 1); }

/* One round of EM over a sample: how likely each pair is true, and what that makes of the shares. */
static void one_round(Linkage *l, const Match *sample, const Sight *seen, int64_t count, double *sums) {
    double *alike = sums, *known = sums + l->columns, *is_true = sums + 2 * l->columns, *pairs = sums + 3 * l->columns;
    for (int64_t j = 0; j < 4 * l->columns; j++) sums[j] = 0;
    for (int64_t s = 0; s < count; s++) {
        const Sight *row = seen + s * l->columns;
        double more = 0;
        for (int64_t j = 0; j < l->columns; j++) more += weight(l->agree[j], row[j]);
        double w = chance_of(l->prior[sample[s].from], more);
        for (int64_t j = 0; j < l->columns; j++) {
            alike[j] += row[j].alike > 0 ? w : 0;
            known[j] += row[j].alike >= 0 ? w : 0;
        }
        is_true[sample[s].from] += w;
        pairs[sample[s].from]++;
    }
    for (int64_t j = 0; j < l->columns; j++) {
        l->known[j] = known[j];
        l->agree[j] = smaller(larger(smooth(alike[j], known[j]), 0.01), 0.99);
        l->prior[j] = smaller(larger(smooth(is_true[j], pairs[j]), 0.01), 0.99);
    }
}

static Status learn(Linkage *l) {
    Status status = OK;
    Match *sample = NULL;
    Sight *seen = NULL;
    double *sums = NULL;
    int64_t step = l->count / SAMPLE + 1, count = 0;
    NEW(l->k->work, sample, l->count / step + 1);
    for (int64_t p = 0; p < l->count; p += step) sample[count++] = l->match[p];
    NEW(l->k->work, seen, count * l->columns + 1);
    NEW(l->k->work, sums, 4 * l->columns + 1);
    for (int64_t j = 0; j < l->columns; j++) {
        Both both = { 0 };
        TRY(both_make(l->k, l->k->data->column[j], &both));
        for (int64_t s = 0; s < count; s++) seen[s * l->columns + j] = both.where ? look(l, &both, j, &sample[s]) : (Sight){ .alike = -1 };
        both_drop(l->k, &both);
        l->agree[j] = 0.9;
        l->prior[j] = 0.5;
    }
    for (int round = 0; round < ROUNDS; round++) one_round(l, sample, seen, count, sums);
done:
    arena_drop(l->k->work->arena, sample);
    arena_drop(l->k->work->arena, seen);
    arena_drop(l->k->work->arena, sums);
    return status;
}

/* Anyone who swaps values between neighbours, who have much in common, makes pairs that agree in a column or two. A column that has its values
 * still, but not in these pairs, was swapped itself, or says that they are wrong. */
static Status weigh(Linkage *l) {
    Status status = OK;
    for (int64_t j = 0; j < l->columns; j++) {
        Both both = { 0 };
        TRY(both_make(l->k, l->k->data->column[j], &both));
        for (int64_t p = 0; both.where && p < l->count; p++) l->match[p].more += weight(l->agree[j], look(l, &both, j, &l->match[p]));
        if (both.codes.count > 1 && l->known[j] >= 0.5 && both_no_oftener(&both)) l->denied += l->agree[j] < 0.75 ? 1 : -1;
        both_drop(l->k, &both);
    }
    for (int64_t p = 0; p < l->count; p++) {
        const Match *m = &l->match[p];
        double prior = l->prior[m->from];
        l->sure[m->from] += m->more > 700 ? m->more + log(prior) : log(prior * exp(m->more) + 1 - prior);
    }
done:
    return status;
}

/* Each record goes to the one that most speaks for, and to one only. */
static Status choose(const Linkage *l, int64_t *likely) {
    Status status = OK;
    int64_t *of = NULL, *best = NULL;
    NEW(l->k->work, of, l->k->original->rows + 1);
    NEW(l->k->work, best, l->k->data->rows + 1);
    for (int64_t p = 0; p < l->count; p++) {
        const Match *m = &l->match[p];
        if (l->denied >= 0 || l->sure[m->from] < log(100) || chance_of(l->prior[m->from], m->more) <= 0.5) continue;
        int64_t *here = &best[m->released], *there = &of[m->original];
        if (!*here || l->match[*here - 1].more < m->more) *here = p + 1;
        if (!*there || l->match[*there - 1].more < m->more) *there = p + 1;
    }
    for (int64_t i = 0; i < l->k->data->rows; i++) {
        const Match *m = best[i] ? &l->match[best[i] - 1] : NULL;
        likely[i] = m && l->match[of[m->original] - 1].released == i ? m->original : -1;
    }
done:
    arena_drop(l->k->work->arena, of);
    arena_drop(l->k->work->arena, best);
    return status;
}

Status whose_by_value(const Kept *k, int64_t **out) {
    Status status = OK;
    Linkage l = { .k = k, .columns = k->data->columns };
    NEW(k->work, *out, k->data->rows + 1);
    NEW(k->work, l.agree, l.columns + 1);
    NEW(k->work, l.known, l.columns + 1);
    NEW(k->work, l.prior, l.columns + 1);
    NEW(k->work, l.sure, l.columns + 1);
    TRY(find_matches(&l));
    TRY(learn(&l));
    TRY(weigh(&l));
    TRY(choose(&l, *out));
done:
    arena_drop(k->work->arena, l.match);
    return status;
}
