/* One node checked: entries grouped by their generalised keys, classes tested against the model. */
#include "protect/generalize/node_check.h"
#include <string.h>
#include "base/elementary.h"
#include "base/sort.h"
#include "table/group.h"

/* ---- grouping ---- */

static void number_direct(Scratch *s, int64_t entries, uint64_t range) {
    memset(s->slot, 0, range * sizeof *s->slot);
    int64_t classes = 0;
    for (int64_t e = 0; e < entries; e++) {
        uint32_t *slot = &s->slot[s->word[e]];
        if (!*slot) {
            s->first[classes] = (int32_t)e;
            *slot = (uint32_t)++classes;
        }
        s->of[e] = (int32_t)(*slot - 1);
    }
    s->classes = classes;
}

static void number_hashed(Scratch *s, int64_t entries) {
    int64_t size = 64, classes = 0;
    while (size < entries * 2) size *= 2;
    int shift = 64 - __builtin_ctzll((uint64_t)size);
    memset(s->slot, 0, (size_t)size * sizeof *s->slot);
    for (int64_t e = 0; e < entries; e++) {
        uint64_t word = s->word[e], h = word_hash(word) >> shift;
        while (s->slot[h] && s->class_word[s->slot[h] - 1] != word) h = (h + 1) & (uint64_t)(size - 1);
        if (!s->slot[h]) {
            s->first[classes] = (int32_t)e;
            s->class_word[classes] = word;
            s->slot[h] = (uint32_t)++classes;
        }
        s->of[e] = (int32_t)(s->slot[h] - 1);
    }
    s->classes = classes;
}

void check_regroup(Scratch *s, int64_t entries, uint64_t range) {
    if (range && range <= (uint64_t)s->slots && range <= (uint64_t)entries * 8 + 4096) number_direct(s, entries, range);
    else number_hashed(s, entries);
}

/* What up to four keys add to the words: each code's digit, times what its place is worth, is looked up. */
static void add_digits(Scratch *s, const Entries *from, const int64_t *keys, int count) {
    const uint64_t *a = s->digit[0], *b = s->digit[1], *c = s->digit[2], *d = s->digit[3];
    const int32_t *p = from->code[keys[0]], *q = from->code[keys[count > 1 ? 1 : 0]], *r = from->code[keys[count > 2 ? 2 : 0]],
                  *t = from->code[keys[count > 3 ? 3 : 0]];
    uint64_t *word = s->word;
    int64_t n = from->count;
    if (count == 1)
        for (int64_t e = 0; e < n; e++) word[e] += a[p[e]];
    else if (count == 2)
        for (int64_t e = 0; e < n; e++) word[e] += a[p[e]] + b[q[e]];
    else if (count == 3)
        for (int64_t e = 0; e < n; e++) word[e] += a[p[e]] + b[q[e]] + c[r[e]];
    else
        for (int64_t e = 0; e < n; e++) word[e] += a[p[e]] + b[q[e]] + c[r[e]] + d[t[e]];
}

/* s->of: entry → class; s->first: class → an entry of it. */
static void group(const Checker *c, Scratch *s, const Entries *from, const uint8_t *level) {
    uint64_t range = 1;
    int64_t keys[4];
    int waiting = 0;
    memset(s->word, 0, (size_t)from->count * sizeof *s->word);
    for (int64_t key = 0; key < c->domains->count; key++) {
        const Domain *d = &c->domains->at[key];
        uint64_t times = (uint64_t)d->count[level[key]], product;
        if (times == 1) continue;
        if (__builtin_mul_overflow(range, times, &product)) { /* too many for one word: the classes so far become its first digit */
            if (waiting) add_digits(s, from, keys, waiting);
            waiting = 0;
            check_regroup(s, from->count, 0);
            for (int64_t e = 0; e < from->count; e++) s->word[e] = (uint64_t)s->of[e];
            range = (uint64_t)s->classes;
            product = range * times;
        }
        for (int32_t v = 0; v < d->leaves; v++) s->digit[waiting][v] = (uint64_t)d->value[level[key]][v] * range;
        keys[waiting++] = key;
        range = product;
        if (waiting == 4) add_digits(s, from, keys, waiting), waiting = 0;
    }
    if (waiting) add_digits(s, from, keys, waiting);
    check_regroup(s, from->count, range);
    memset(s->records, 0, (size_t)s->classes * sizeof *s->records);
    for (int64_t e = 0; e < from->count; e++) s->records[s->of[e]] += from->records[e];
    if (!from->population) return;
    memset(s->population, 0, (size_t)s->classes * sizeof *s->population);
    for (int64_t e = 0; e < from->count; e++) s->population[s->of[e]] += from->population[e];
}

/* ---- the model ---- */

enum { HOLDS = 0, FAILS = 1, FAILS_FINER_TOO = 2, IMPOSSIBLE = 4 };

/* The sensitive values of one class, from its entries. */
static Tally tally_class(const Checker *c, Scratch *s, const Entries *from, int64_t k, int64_t column) {
    Tally tally = { .total = s->records[k], .value = s->tally_value, .count = s->tally_count };
    const int32_t *value_of = c->sensitive_of[column];
    int32_t least = INT32_MAX, most = -1;
    for (int64_t i = s->start[k]; i < s->start[k + 1]; i++) {
        int64_t e = s->order[i];
        if (!from->records[e]) continue;
        int32_t value = value_of[from->combination[e]];
        s->count_of[value] += from->records[e];
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    for (int32_t value = least; value <= most; value++) {
        if (!s->count_of[value]) continue;
        s->tally_value[tally.distinct] = value;
        s->tally_count[tally.distinct++] = s->count_of[value];
        s->count_of[value] = 0;
    }
    return tally;
}

/* Closeness and diversity are met at equality, and rounding must not spoil that. */
static const double slack = 1e-12;

static uint8_t test_tally(const Checker *c, Scratch *s, int64_t column, const Tally *tally) {
    const Model *m = c->model;
    const Tally present = tally_present(*tally, c->sensitive[column].count);
    const bool asked = m->l > 0 && present.distinct;
    uint8_t fails = HOLDS;
    if (asked && m->definition == DISTINCT_L && (double)present.distinct < m->l)
        fails |= m->sensitive.at[column]->missing ? FAILS : FAILS | FAILS_FINER_TOO;
    if (asked && m->definition == ENTROPY_L && entropy_l(&present) < m->l * (1 - slack)) fails |= FAILS;
    if (asked && m->definition == RECURSIVE_L && (double)recursive_l(&present, m->c, s->sort) < m->l) fails |= FAILS;
    if (!isnan(m->t) && closeness_of(&c->closeness[column], tally, s->numbers) > m->t + slack) fails |= FAILS;
    return fails;
}

static uint8_t test_sensitive(const Checker *c, Scratch *s, const Entries *from, int64_t k) {
    uint8_t fails = HOLDS;
    for (int64_t column = 0; column < c->model->sensitive.count; column++) {
        const Tally tally = tally_class(c, s, from, k, column);
        fails |= test_tally(c, s, column, &tally);
    }
    return fails;
}

bool rows_are_diverse(const Checker *c, Scratch *s, int64_t rows, const uint8_t *in) {
    for (int64_t column = 0; column < c->model->sensitive.count && c->all.combination; column++) {
        const Codes *codes = &c->sensitive[column];
        Tally tally = { .value = s->tally_value, .count = s->tally_count };
        for (int64_t i = 0; i < rows; i++)
            if (in[i]) s->count_of[codes->at[i] < 0 ? codes->count : codes->at[i]] += checker_times(c, i);
        for (int32_t value = 0; value <= codes->count; value++) {
            if (!s->count_of[value]) continue;
            tally.total += s->count_of[value];
            s->tally_value[tally.distinct] = value;
            s->tally_count[tally.distinct++] = s->count_of[value];
            s->count_of[value] = 0;
        }
        if (test_tally(c, s, column, &tally)) return false;
    }
    return true;
}

static uint8_t test_class(const Checker *c, Scratch *s, const Entries *from, int64_t k) {
    const Model *m = c->model;
    uint8_t fails = HOLDS;
    if (m->population) {
        double delta = s->population[k] ? (double)s->records[k] / (double)s->population[k] : INFINITY;
        bool outside = delta < m->delta_min - slack || delta > m->delta_max + slack;
        if (!s->records[k]) return outside ? IMPOSSIBLE : HOLDS; /* no record of ours can be suppressed to correct this */
        if (outside) fails |= FAILS;
    }
    if (s->records[k] < m->k) return fails | FAILS | FAILS_FINER_TOO;
    return m->sensitive.count && from->combination ? fails | test_sensitive(c, s, from, k) : fails;
}

/* ---- what it loses ---- */

/* The entropy of the suppressed records' generalised values: −Σ c·log₂(c/s). */
static double histogram_bits(const Checker *c, Scratch *s, const Entries *from, int64_t key, int64_t level, uint8_t which,
                             int64_t suppressed) {
    const Domain *d = &c->domains->at[key];
    double bits = 0;
    memset(s->histogram, 0, (size_t)d->count[level] * sizeof *s->histogram);
    for (int64_t k = 0; k < s->classes; k++)
        if (s->fails[k] & which) s->histogram[d->value[level][from->code[key][s->first[k]]]] += s->records[k];
    for (int32_t g = 0; g < d->count[level]; g++)
        if (s->histogram[g]) bits += (double)s->histogram[g] * log2((double)suppressed / (double)s->histogram[g]);
    return bits;
}

static void add_up_extra(const Checker *c, Scratch *s, const Entries *from, const uint8_t *level, uint8_t which, int64_t suppressed,
                         double *extra) {
    for (int64_t key = 0; key < c->domains->count; key++) {
        extra[key] = 0;
        if (!suppressed) continue;
        if (c->loss == ENTROPY) extra[key] = histogram_bits(c, s, from, key, level[key], which, suppressed);
        if (c->loss != LOSS && c->loss != LOSS_MEAN) continue;
        const double *share = c->domains->at[key].share[level[key]];
        const int32_t *value = c->domains->at[key].value[level[key]], *code = from->code[key];
        double sum = 0;
        for (int64_t k = 0; k < s->classes; k++)
            if (s->fails[k] & which) sum += (double)s->records[k] * (1 - share[value[code[s->first[k]]]]);
        extra[key] = sum;
    }
}

void check_node(const Checker *c, Scratch *s, const Entries *from, const uint8_t *level, Outcome *out) {
    bool impossible = false;
    *out = (Outcome){ 0 };
    group(c, s, from, level);
    if (from->combination) list_groups(s->of, from->count, s->classes, s->start, s->order);
    for (int64_t k = 0; k < s->classes; k++) {
        uint8_t fails = s->fails[k] = test_class(c, s, from, k);
        int64_t n = s->records[k];
        out->all_classes += n > 0;
        out->all_squares += (double)n * (double)n;
        impossible |= (fails & IMPOSSIBLE) != 0;
        if (fails & FAILS_FINER_TOO) out->surely += n;
        if (fails) out->suppressed += n;
        else if (n) {
            out->classes++;
            out->squares += (double)n * (double)n;
        }
    }
    out->groups = s->classes;
    out->valid = !impossible && out->suppressed <= c->limit;
    out->hopeless =
        impossible || out->surely > c->limit || (c->limit == 0 && out->suppressed > 0); /* with nothing suppressed, merging never spoils */
    if (c->limit == 0 && out->suppressed > 0) out->surely = out->suppressed;
    if (out->hopeless) return; /* neither chosen nor a bound to any other */
    add_up_extra(c, s, from, level, FAILS, out->suppressed, out->extra);
    if (out->surely == out->suppressed) memcpy(out->sure_extra, out->extra, sizeof out->extra);
    else add_up_extra(c, s, from, level, FAILS_FINER_TOO, out->surely, out->sure_extra);
    out->score = loss_score(c, level, out);
}
