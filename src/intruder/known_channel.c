/* Likelihoods by what is known of the method: the distribution of each true value is taken through the steps, one after the other. */
#include "intruder/known_channel.h"
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "classes/interval_label.h"
#include "math/rounding.h"

enum { MOST_VALUES = 3000, MOST_MIXED = 1000, MOST_STEPS = 64, HASHED = 1 << 14 };

/* What one true value may be after some steps. */
typedef struct {
    int32_t *value; /* number in the domain */
    double *chance;
    int64_t count, value_room, chance_room;
} Spread;

typedef struct {
    Work *work;
    const KeyValues *values;
    const char **label; /* of every value at any step: first those of both tables, by code */
    double *number;
    int32_t count;
    int64_t label_room, number_room;
    int32_t *hashed; /* open addressing: value + 1 */
    Spread *spread;  /* code of the original */
    int32_t *slot;   /* value -> its place + 1 in the spread that is being made */
    double noise;    /* deviation of noise that was added last; 0: none */
    bool scaled;
} Domain;

/* ---- values ---- */

static uint32_t hash_of(const char *text) {
    uint32_t hash = 2166136261u;
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

/* The value of this text, made where it is new; -1 where there are too many. */
static Status value_of(Domain *d, const char *text, int32_t *out) {
    Status status = OK;
    uint32_t at = hash_of(text) & (HASHED - 1);
    for (; d->hashed[at]; at = (at + 1) & (HASHED - 1))
        if (!strcmp(d->label[ *out = d->hashed[at] - 1], text)) return OK;
    *out = -1;
    if (d->count >= 2 * MOST_VALUES) return OK;
    GROW(d->work, d->label, d->label_room, d->count + 1);
    GROW(d->work, d->number, d->number_room, d->count + 1);
    d->label[d->count] = arena_text(d->work->arena, text);
    if (!d->label[d->count]) TRY(out_of_memory(d->work->error));
    if (!read_real(text, text + strlen(text), '.', &d->number[d->count])) d->number[d->count] = NAN;
    *out = d->count++;
    d->hashed[at] = *out + 1;
done:
    return status;
}

static Status number_value(Domain *d, double number, int32_t *out) {
    char text[33];
    return value_of(d, real_text(number, text), out);
}

static Status spread_add(Domain *d, Spread *s, int32_t value, double chance) {
    Status status = OK;
    if (!(chance > 0) || value < 0) return OK;
    if (d->slot[value]) {
        s->chance[d->slot[value] - 1] += chance;
        return OK;
    }
    GROW(d->work, s->value, s->value_room, s->count + 1);
    GROW(d->work, s->chance, s->chance_room, s->count + 1);
    s->value[s->count] = value;
    s->chance[s->count++] = chance;
    d->slot[value] = (int32_t)s->count;
done:
    return status;
}

static void spread_close(Domain *d, const Spread *s) {
    for (int64_t i = 0; i < s->count; i++) d->slot[s->value[i]] = 0;
}

/* How the original's records are spread over the values after the steps so far. */
static Status shares(const Domain *d, double **out) {
    Status status = OK;
    double total = 0;
    NEW(d->work, *out, d->count + 1);
    for (int32_t c = 0; c < d->values->count; c++)
        for (int64_t i = 0; i < d->spread[c].count; i++)
            (*out)[d->spread[c].value[i]] += d->spread[c].chance[i] * (double)d->values->original[c];
    for (int32_t v = 0; v < d->count; v++) total += (*out)[v];
    for (int32_t v = 0; v < d->count && total > 0; v++) (*out)[v] /= total;
done:
    return status;
}

/* ---- steps: what one value becomes ---- */

typedef struct {
    Domain *d;
    const Treatment *t;
    double *share;           /* of the values before it */
    double *below, *through; /* RANKED: share of the records below a number, and through it */
    int32_t *place;          /* value -> its place in t->from, or -1 */
} Step;

static Status become_other(const Step *s, int32_t value, double chance, Spread *to) {
    Status status = OK;
    Domain *d = s->d;
    const Treatment *t = s->t;
    int32_t next = value;
    const double x = d->number[value];
    switch (t->kind) {
    case TREATED_MAPPED:
        if (s->place[value] >= 0 && !t->to[s->place[value]]) return OK; /* mapped to missing */
        if (s->place[value] >= 0) TRY(value_of(d, t->to[s->place[value]], &next));
        break;
    case TREATED_INTERVALS:
        next = -1;
        for (int32_t i = 0; i < t->count && next < 0; i++) {
            LabelInterval interval;
            if (t->to[i] && interval_label_read(t->to[i], &interval) && interval_label_holds(&interval, x))
                TRY(value_of(d, t->to[i], &next));
        }
        break;
    case TREATED_CODED:
        if (x < t->low && t->to[0]) TRY(value_of(d, t->to[0], &next));
        if (x > t->high && t->to[1]) TRY(value_of(d, t->to[1], &next));
        break;
    default: { /* rounded */
        if (isnan(x)) break;
        const RoundingParts part = rounding_parts(x, t->amount);
        if (t->kind == TREATED_DITHERED && part.fraction > 0) {
            TRY(number_value(d, rounding_multiple(part.below + 1, t->amount), &next));
            TRY(spread_add(d, to, next, chance * part.fraction));
            chance *= 1 - part.fraction;
        }
        const bool up = t->kind == TREATED_ROUNDED && (x < 0 ? part.fraction > 0.5 : part.fraction >= 0.5);
        TRY(number_value(d, rounding_multiple(part.below + up, t->amount), &next));
    }
    }
    TRY(spread_add(d, to, next, chance));
done:
    return status;
}

/* Values that are exchanged are those of other records. */
static Status become_exchanged(const Step *s, int32_t value, double chance, Spread *to) {
    Status status = OK;
    const Treatment *t = s->t;
    double all = 0;
    if (t->kind == TREATED_SWAPPED) {
        TRY(spread_add(s->d, to, value, chance * (1 - t->amount)));
        for (int32_t v = 0; v < s->d->count; v++)
            if (s->share[v] > 0) TRY(spread_add(s->d, to, v, chance * t->amount * s->share[v]));
        return OK;
    }
    const double low = s->below[value] - t->amount, high = s->through[value] + t->amount;
    for (int32_t v = 0; v < s->d->count; v++)
        if (s->share[v] > 0 && s->through[v] >= low && s->below[v] <= high) all += s->share[v];
    for (int32_t v = 0; v < s->d->count && all > 0; v++)
        if (s->share[v] > 0 && s->through[v] >= low && s->below[v] <= high) TRY(spread_add(s->d, to, v, chance * s->share[v] / all));
done:
    return status;
}

static Status become_redrawn(const Step *s, int32_t value, double chance, Spread *to) {
    Status status = OK;
    const Treatment *t = s->t;
    const int32_t row = s->place[value];
    if (row < 0) return spread_add(s->d, to, value, chance);
    for (int32_t i = 0; i < t->count; i++) {
        int32_t next;
        if (!(t->matrix[(int64_t)row * t->count + i] > 0)) continue;
        TRY(value_of(s->d, t->from[i], &next));
        TRY(spread_add(s->d, to, next, chance * t->matrix[(int64_t)row * t->count + i]));
    }
done:
    return status;
}

static Status places_of(Step *s) {
    Status status = OK;
    NEW(s->d->work, s->place, 2 * MOST_VALUES + 1);
    for (int32_t i = 0; i < 2 * MOST_VALUES; i++) s->place[i] = -1;
    for (int32_t i = 0; s->t->from && i < s->t->count; i++) {
        int32_t value;
        TRY(value_of(s->d, s->t->from[i], &value));
        if (value >= 0) s->place[value] = i;
    }
done:
    return status;
}

static Status rank_shares(Step *s) {
    Status status = OK;
    Domain *d = s->d;
    NEW(d->work, s->below, d->count + 1);
    NEW(d->work, s->through, d->count + 1);
    for (int32_t v = 0; v < d->count; v++) {
        for (int32_t u = 0; u < d->count; u++) s->below[v] += d->number[u] < d->number[v] ? s->share[u] : 0;
        s->through[v] = s->below[v] + s->share[v];
    }
done:
    return status;
}

/* *possible: false where likelihoods after this step cannot be computed. */
static Status take_step(Domain *d, const Treatment *t, bool *possible) {
    Status status = OK;
    Step s = { .d = d, .t = t };
    const bool exchanged = t->kind == TREATED_SWAPPED || t->kind == TREATED_RANKED;
    *possible = t->kind != TREATED_OTHERWISE && t->kind != TREATED_SHUFFLED && !(d->noise > 0);
    *possible = *possible && !((exchanged || t->matrix) && d->count > MOST_MIXED);
    if (!*possible) return OK;
    if (t->kind == TREATED_NOISY || t->kind == TREATED_SCALED) {
        d->noise = t->amount;
        d->scaled = t->kind == TREATED_SCALED;
        return OK;
    }
    TRY(places_of(&s));
    if (exchanged) TRY(shares(d, &s.share));
    if (t->kind == TREATED_RANKED) TRY(rank_shares(&s));
    for (int32_t c = 0; c < d->values->count; c++) {
        Spread next = { 0 };
        for (int64_t i = 0; i < d->spread[c].count; i++) {
            const int32_t value = d->spread[c].value[i];
            const double chance = d->spread[c].chance[i];
            TRY(exchanged ? become_exchanged(&s, value, chance, &next)
                          : (t->kind == TREATED_MATRIX ? become_redrawn : become_other)(&s, value, chance, &next));
        }
        spread_close(d, &next);
        d->spread[c] = next;
    }
done:
    arena_drop(d->work->arena, s.place);
    return status;
}

/* ---- the channel ---- */

static double density(const Domain *d, double from, double to) {
    const double deviation = d->scaled ? d->noise * fabs(from) : d->noise;
    const double z = deviation > 0 ? (to - from) / deviation : from == to ? 0 : INFINITY;
    return z * z < 80 ? exp(-z * z / 2) / (deviation > 0 ? deviation : 1) : 0;
}

static Status channel_of(Domain *d, KnownChannel *out) {
    Status status = OK;
    double *likelihood = NULL;
    int64_t entries = 0, to_room = 0, likelihood_room = 0;
    const KeyValues *k = d->values;
    NEW(d->work, out->start, k->count + 2);
    NEW(d->work, likelihood, d->count + 1);
    for (int32_t c = 0; c < k->count; c++) {
        const Spread *s = &d->spread[c];
        out->start[c] = entries;
        memset(likelihood, 0, (size_t)d->count * sizeof *likelihood);
        for (int64_t i = 0; i < s->count; i++) {
            if (!(d->noise > 0)) likelihood[s->value[i]] += s->chance[i];
            for (int32_t r = 0; d->noise > 0 && r < k->count; r++)
                if (k->now[r] && !isnan(k->number[r])) likelihood[r] += s->chance[i] * density(d, d->number[s->value[i]], k->number[r]);
        }
        for (int32_t r = 0; r < k->count; r++) {
            if (!k->now[r] || !(likelihood[r] > 0)) continue;
            GROW(d->work, out->to, to_room, entries + 1);
            GROW(d->work, out->likelihood, likelihood_room, entries + 1);
            out->to[entries] = r;
            out->likelihood[entries++] = likelihood[r];
        }
    }
    out->start[k->count] = entries;
    out->known = true;
done:
    arena_drop(d->work->arena, likelihood);
    return status;
}

Status known_channel(Work *work, const Treatment *done, const KeyValues *values, KnownChannel *out) {
    Status status = OK;
    const Treatment *step[MOST_STEPS];
    int steps = 0;
    bool possible = true;
    Domain d = { .work = work, .values = values };
    *out = (KnownChannel){ 0 };
    if (values->count > MOST_VALUES || !treatment_known(done)) return OK;
    for (const Treatment *t = done; t; t = t->before) {
        if (steps == MOST_STEPS) return OK;
        step[steps++] = t;
    }
    NEW(work, d.hashed, HASHED);
    NEW(work, d.spread, values->count + 1);
    NEW(work, d.slot, 2 * MOST_VALUES + 1);
    for (int32_t c = 0; c < values->count; c++) {
        int32_t own;
        TRY(value_of(&d, values->label[c] ? values->label[c] : "", &own));
        if (own != c) return OK; /* two codes have one text */
        if (!isnan(values->number[c])) d.number[c] = values->number[c];
        if (values->original[c]) TRY(spread_add(&d, &d.spread[c], c, 1));
        spread_close(&d, &d.spread[c]);
    }
    while (steps-- && possible) TRY(take_step(&d, step[steps], &possible));
    if (possible) TRY(channel_of(&d, out));
done:
    arena_drop(work->arena, d.slot);
    arena_drop(work->arena, d.hashed);
    return status;
}
