/* One variable under two names: is there a map of the codes of one dimension to those of another that explains every total? A search of all
 * maps, largest codes first, in which no sum may grow above its total. */
#include "tabular/one_variable.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/ranks.h"
#include "table/group.h"

/* Places of the other dimensions that are looked at, and steps of one search. */
enum { MOST_PLACES = 64, MOST_STEPS = 200000, MOST_CODES = 2000 };

/* Two dimensions, each where the other stands at its total: value[code · places + place], NaN where it is not known. */
typedef struct Side {
    int64_t dim;
    int32_t codes;
    int32_t *code; /* those with parts of their own, from the largest one down */
    double *value;
    double *size; /* the sum of what is known, by code */
} Side;
typedef struct Comparison {
    const Model *m;
    int64_t places;
    const Side *fine, *coarse;
    double *rest;     /* of each total (as in Side.value), what the codes given to it do not yet make up */
    int32_t *unknown; /* how many of these codes are hidden there: then they can make up any rest */
    int32_t *to;      /* code of `fine` → code of `coarse` */
    int32_t *members; /* of each code of `coarse` */
    int64_t steps;
} Comparison;

static bool is_total_of_sum(const Dimension *d, int32_t code) {
    for (int64_t s = 0; s < d->sums; s++)
        if (d->sum[s].total == code) return true;
    return false;
}

/* ---- what the tables show ---- */

typedef struct Shown {
    int64_t dims;
    int32_t *const *place;
    int32_t *total;   /* dimension → code of its total */
    uint8_t **summed; /* dimension → code → is a sum of others */
} Shown;

static Status shown_make(Work *work, const Model *m, int32_t *const *place, Shown *out) {
    Status status = OK;
    const Structure *s = &m->structure;
    *out = (Shown){ .dims = s->dims, .place = place };
    NEW(work, out->total, s->dims + 1);
    NEW(work, out->summed, s->dims + 1);
    for (int64_t d = 0; d < s->dims; d++) {
        out->total[d] = -1;
        NEW(work, out->summed[d], s->dim[d].codes + 1);
        for (int32_t c = 0; c < s->dim[d].codes; c++) {
            out->summed[d][c] = is_total_of_sum(&s->dim[d], c);
            if (!strcmp(s->dim[d].code[c], s->total)) out->total[d] = c;
        }
    }
done:
    return status;
}

static bool crossed(const Shown *t, int64_t rows, int64_t d, int64_t e) {
    for (int64_t i = 0; i < rows; i++)
        if (t->place[d][i] != t->total[d] && t->place[e][i] != t->total[e]) return true;
    return false;
}

/* Rows by where the dimensions beside d and e stand. */
static Status other_places(Work *work, const Model *m, const Shown *t, int64_t d, int64_t e, Grouping *out) {
    Status status = OK;
    Codes *codes = NULL;
    int64_t count = 0;
    NEW(work, codes, t->dims + 1);
    for (int64_t k = 0; k < t->dims; k++)
        if (k != d && k != e) codes[count++] = (Codes){ .count = m->structure.dim[k].codes, .at = t->place[k] };
    if (!count) {
        int32_t *none = NULL;
        NEW(work, none, m->table->rows + 1);
        codes[count++] = (Codes){ .count = 1, .at = none };
    }
    TRY(group_codes(work, codes, count, m->table->rows, out));
done:
    return status;
}

/* The places that both sides have. Those of finest codes are independent of one another; where there are none, the total alone. */
static Status choose_places(Work *work, const Model *m, const Shown *t, int64_t d, int64_t e, const Grouping *g, int32_t **number,
                            int64_t *count) {
    Status status = OK;
    uint8_t *sides = NULL, *kind = NULL;
    NEW(work, sides, g->count + 1);
    NEW(work, kind, g->count + 1); /* 1: the total of everything; 2: some code of the finest alone; 0: sums between */
    NEW(work, *number, g->count + 1);
    for (int64_t i = 0; i < m->table->rows; i++) {
        int64_t at = g->of[i];
        int off = 0, sums = 0;
        sides[at] |= (uint8_t)((t->place[d][i] != t->total[d]) | (t->place[e][i] != t->total[e]) << 1);
        for (int64_t k = 0; k < t->dims; k++) {
            if (k == d || k == e || t->place[k][i] == t->total[k]) continue;
            off++;
            sums += t->summed[k][t->place[k][i]];
        }
        kind[at] = !off ? 1 : !sums ? 2 : 0;
    }
    *count = 0;
    for (int want = 2; want > 0 && !*count; want--)
        for (int64_t at = 0; at < g->count; at++) {
            (*number)[at] = -1;
            if (sides[at] == 3 && kind[at] == want && *count < MOST_PLACES) (*number)[at] = (int32_t)(*count)++;
        }
done:
    return status;
}

static Status largest_first(Work *work, Side *side) {
    Status status = OK;
    double *size = NULL;
    int64_t *order = NULL, sized;
    int32_t *code = NULL;
    NEW(work, size, side->codes + 1);
    NEW(work, order, side->codes + 1);
    NEW(work, code, side->codes + 1);
    for (int32_t k = 0; k < side->codes; k++) size[k] = -side->size[side->code[k]];
    TRY(order_reals(work, size, side->codes, order, &sized));
    for (int32_t k = 0; k < side->codes; k++) code[k] = side->code[order[k]];
    side->code = code;
done:
    return status;
}

static Status side_make(Work *work, const Model *m, const Shown *t, int64_t dim, const Grouping *g, const int32_t *number, int64_t places,
                        int64_t other, Side *out) {
    Status status = OK;
    const Dimension *about = &m->structure.dim[dim];
    *out = (Side){ .dim = dim };
    NEW(work, out->value, about->codes * places + 1);
    NEW(work, out->size, about->codes + 1);
    NEW(work, out->code, about->codes + 1);
    for (int64_t i = 0; i < m->table->rows; i++) {
        int32_t code = t->place[dim][i], at = number[g->of[i]];
        if (at < 0 || code == t->total[dim] || t->place[other][i] != t->total[other] || t->summed[dim][code]) continue;
        out->value[code * places + at] = m->value[i];
        out->size[code] += isnan(m->value[i]) ? 0 : fabs(m->value[i]);
    }
    for (int32_t c = 0; c < about->codes; c++) {
        bool any = false;
        for (int64_t r = 0; r < places; r++) any |= out->value[c * places + r] != 0; /* a hidden cell too */
        if (any && c != t->total[dim]) out->code[out->codes++] = c;
    }
    TRY(largest_first(work, out));
done:
    return status;
}

/* ---- the search ---- */

/* Published sums agree in whole numbers, others to a part in 10^5 (model_need_sums). */
static double slack(const Comparison *c, double total) { return c->m->whole ? 0.25 : 1e-5 * fabs(total); }
static double part(const Comparison *c, int32_t code, int64_t r) { return c->fine->value[code * c->places + r]; }

/* May this code be one of that total's? Where contributions can be negative a total says nothing of a part of it: the code is all of it. */
static bool fits(const Comparison *c, int32_t code, int32_t total) {
    bool whole = c->m->structure.is_signed;
    if (whole && c->members[total]) return false;
    for (int64_t r = 0; r < c->places; r++) {
        double x = part(c, code, r), rest = c->rest[total * c->places + r];
        if (isnan(x) || isnan(rest)) continue;
        if (x > rest + slack(c, c->coarse->value[total * c->places + r])) return false;
        if (whole && x < rest - slack(c, c->coarse->value[total * c->places + r])) return false;
    }
    return true;
}

static void give(Comparison *c, int32_t code, int32_t total, int sign) {
    c->members[total] += sign;
    c->to[code] = total;
    for (int64_t r = 0; r < c->places; r++) {
        double x = part(c, code, r);
        if (isnan(x)) c->unknown[total * c->places + r] += sign;
        else c->rest[total * c->places + r] -= sign * x;
    }
}

static bool is_complete(const Comparison *c, int32_t total) {
    for (int64_t r = 0; r < c->places; r++) {
        int64_t at = total * c->places + r;
        if (isnan(c->rest[at]) || c->unknown[at]) continue;
        if (fabs(c->rest[at]) > slack(c, c->coarse->value[at])) return false;
    }
    return true;
}

typedef enum { EXCLUDED, POSSIBLE, SHOWN } Found;

/* Codes from number k on, given to totals in every way: one that completes a total first. */
static Found search(Comparison *c, int32_t k) {
    if (k == c->fine->codes) {
        for (int32_t b = 0; b < c->coarse->codes; b++)
            if (!is_complete(c, c->coarse->code[b])) return EXCLUDED;
        return SHOWN;
    }
    const int32_t code = c->fine->code[k];
    for (int completes = 1; completes >= 0; completes--)
        for (int32_t b = 0; b < c->coarse->codes; b++) {
            const int32_t total = c->coarse->code[b];
            if (c->steps++ > MOST_STEPS) return POSSIBLE;
            if (!fits(c, code, total)) continue;
            give(c, code, total, 1);
            Found found = is_complete(c, total) == completes ? search(c, k + 1) : EXCLUDED;
            if (found == SHOWN) return SHOWN;
            give(c, code, total, -1);
            if (found) return found;
        }
    return EXCLUDED;
}

/* ---- by chance? ---- */

/* How many maps there are, as a logarithm. */
static double maps(const Comparison *c) {
    bool apart = true;
    double ways = 0;
    for (int32_t b = 0; b < c->coarse->codes; b++) apart &= c->members[c->coarse->code[b]] <= 1;
    for (int32_t k = 0; k < c->fine->codes; k++) ways += log(apart ? (double)(c->coarse->codes - k) : (double)c->coarse->codes);
    return ways;
}

/* The logarithm of the chance that the codes given to a total add up to it if they were drawn at random: the density of their sum, a normal
 * one, over the least difference that is seen. `all`: what the totals of the place add up to. */
static double chance_of_sum(const Comparison *c, int32_t total, int64_t r, double all) {
    double variance = 0, value = c->coarse->value[total * c->places + r];
    const double share = all > 0 ? smaller(larger(value / all, 0), 1) : 0;
    for (int32_t k = 0; k < c->fine->codes; k++) {
        double x = part(c, c->fine->code[k], r);
        variance += isnan(x) ? 0 : x * x * share * (1 - share);
    }
    double width = sqrt(2 * 3.14159265358979323846 * variance), unit = c->m->whole ? 1 : 2 * slack(c, value);
    return width > unit ? log(unit / width) : 0;
}

/* Where all sums of a place are known, the last one follows from the others: the one that says most is left out. */
static double chance_of_map(const Comparison *c) {
    double chance = maps(c);
    for (int64_t r = 0; r < c->places; r++) {
        double most = 0, all = 0;
        bool whole = true;
        for (int32_t b = 0; b < c->coarse->codes; b++) {
            double value = c->coarse->value[c->coarse->code[b] * c->places + r];
            all += isnan(value) ? 0 : value;
        }
        for (int32_t b = 0; b < c->coarse->codes; b++) {
            int64_t at = c->coarse->code[b] * c->places + r;
            bool known = !c->unknown[at] && !isnan(c->coarse->value[at]);
            double here = known ? chance_of_sum(c, c->coarse->code[b], r, all) : 0;
            whole &= known;
            chance += here;
            most = smaller_known(most, here);
        }
        if (whole) chance -= most;
    }
    return chance;
}

/* ---- the same codes ---- */

static int32_t same_code(const Dimension *d, const Side *side, const char *code) {
    for (int32_t k = 0; k < side->codes; k++)
        if (!strcmp(d->code[side->code[k]], code)) return side->code[k];
    return -1;
}

/* The same finest codes, three or more, and of each the same values as far as they are known. */
static bool same_codes(const Comparison *c) {
    const Dimension *x = &c->m->structure.dim[c->fine->dim], *y = &c->m->structure.dim[c->coarse->dim];
    int same = 0;
    if (c->fine->codes != c->coarse->codes) return false;
    for (int32_t k = 0; k < c->fine->codes; k++) {
        int32_t code = c->fine->code[k], other = same_code(y, c->coarse, x->code[code]), known = 0;
        if (other < 0) return false;
        for (int64_t r = 0; r < c->places; r++) {
            double value = part(c, code, r), total = c->coarse->value[other * c->places + r];
            if (fabs(value - total) > slack(c, total)) return false;
            known += !isnan(value) && !isnan(total);
        }
        same += known > 0;
    }
    return same >= 3;
}

static Status refuse(Work *work, const Model *m, const Comparison *c, bool same) {
    const char *one = m->structure.dim[c->fine->dim].name, *other = m->structure.dim[c->coarse->dim].name;
    bool apart = true;
    for (int32_t b = 0; b < c->coarse->codes && !same; b++) apart &= c->members[c->coarse->code[b]] <= 1;
    fail(work->error, BAD,
         same ? "'%s' and '%s' are one variable under two names: they have the same codes and totals in different tables"
         : apart
             ? "'%s' and '%s' are one variable under two names: their codes correspond one to one, with the same totals in different tables"
             : "'%s' determines '%s': every total of the second is a sum of totals of the first in another table",
         one, other);
    return error_advice(work->error, "A cell suppressed in one table would follow from the other. Build the tables together with one "
                                     "dimension that has several hierarchies, or give both dimensions the same name and codes.");
}

/* ---- pairs ---- */

static Status begin(Work *work, const Model *m, const Side *one, const Side *other, int64_t places, Comparison *out) {
    Status status = OK;
    bool first = one->codes >= other->codes;
    *out = (Comparison){ .m = m, .places = places, .fine = first ? one : other, .coarse = first ? other : one };
    const int64_t fine = m->structure.dim[out->fine->dim].codes, coarse = m->structure.dim[out->coarse->dim].codes;
    NEW(work, out->to, fine + 1);
    NEW(work, out->members, coarse + 1);
    NEW(work, out->rest, coarse * places + 1);
    NEW(work, out->unknown, coarse * places + 1);
    memcpy(out->rest, out->coarse->value, (size_t)(coarse * places) * sizeof *out->rest);
done:
    return status;
}

static Status compare(Work *work, const Model *m, const Shown *t, int64_t d, int64_t e, Found *out) {
    Status status = OK;
    Grouping g;
    Side one, other;
    Comparison c;
    int32_t *number = NULL;
    int64_t places = 0;
    *out = POSSIBLE;
    TRY(other_places(work, m, t, d, e, &g));
    TRY(choose_places(work, m, t, d, e, &g, &number, &places));
    if (!places) return OK;
    TRY(side_make(work, m, t, d, &g, number, places, e, &one));
    TRY(side_make(work, m, t, e, &g, number, places, d, &other));
    *out = EXCLUDED;
    if (one.codes < 2 || other.codes < 2) return OK; /* a variable of one value tells nothing */
    TRY(begin(work, m, &one, &other, places, &c));
    if (same_codes(&c)) TRY(refuse(work, m, &c, true));
    *out = c.fine->codes > MOST_CODES ? POSSIBLE : search(&c, 0);
    if (*out == SHOWN && chance_of_map(&c) < PURE_BY_CHANCE) TRY(refuse(work, m, &c, false));
    if (*out == SHOWN) *out = POSSIBLE;
done:
    return status;
}

Status one_variable_find(Work *work, const Model *m, DoubtfulPairs *out) {
    Status status = OK;
    const Structure *s = &m->structure;
    int32_t **place = NULL;
    Shown t;
    *out = (DoubtfulPairs){ 0 };
    if (s->dims < 2) return OK;
    TRY(structure_places(work, s, m->table, &place));
    TRY(shown_make(work, m, place, &t));
    NEW(work, out->pair, s->dims * s->dims);
    for (int64_t d = 0; d < s->dims; d++)
        for (int64_t e = d + 1; e < s->dims; e++) {
            Found found = EXCLUDED;
            if (crossed(&t, m->table->rows, d, e)) continue;
            out->apart++;
            if (structure_compared(s, d, e)) continue;
            TRY(compare(work, m, &t, d, e, &found));
            if (found) out->pair[out->count++] = (DoubtfulPair){ d, e };
        }
done:
    return status;
}

void one_variable_say(Run *run, const Model *m, const DoubtfulPairs *doubtful) {
    Buffer names = { 0 };
    enum { NAMED = 3 };
    if (doubtful->apart) result_integer(run->result, "uncompared", doubtful->count);
    if (!doubtful->count) return;
    for (int64_t k = 0; k < doubtful->count && k < NAMED; k++)
        buffer_print(&names, "%s%s and %s", k ? "; " : "", m->structure.dim[doubtful->pair[k].one].name,
                     m->structure.dim[doubtful->pair[k].other].name);
    result_note(run->result,
                "No table shows these dimensions together, and the tables do not exclude that one determines the other: %s%s. If it does, "
                "cells can follow that count as protected here. Build such tables from the data with one `tabular build`, which compares "
                "the columns.",
                buffer_get(&names), doubtful->count > NAMED ? "; and others" : "");
    buffer_free(&names);
}
