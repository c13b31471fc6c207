/* Likelihoods of released values, one key at a time. */
#include "intruder/channel.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "classes/interval_label.h"
#include "classes/joint_codes.h"
#include "intruder/known_channel.h"

/* One pair of codes and how many records have it. */
typedef struct {
    int32_t truth, released;
    int64_t records;
} CodePair;

typedef struct {
    Work *work;
    const Column *before, *after;
    const Ownership *owner;
    JointCodes joint;
    Channel *out;
    int32_t missing;          /* the code of a missing cell */
    int64_t *original, *now;  /* code -> records of the original, of the release */
    int64_t rows, suppressed; /* records of the release; how many had the cell suppressed */
    CodePair *pair;           /* distinct pairs, by true code then released code, missing cells among them */
    int64_t pairs;
    const double *number;    /* code -> its value, NaN where it is none */
    LabelInterval *interval; /* code -> the interval that the release made, where `coarse` says so */
    bool *coarse;
    int32_t *entry_to; /* entries while they are made */
    double *entry_likelihood;
    int64_t entries, to_room, likelihood_room;
} ChannelBuilder;

static int by_codes(const void *a, const void *b) {
    const CodePair *x = a, *y = b;
    return x->truth != y->truth ? (x->truth > y->truth) - (x->truth < y->truth) : (x->released > y->released) - (x->released < y->released);
}

/* The same where all pairs of codes fit into a small table. */
static Status tabulate_pairs(ChannelBuilder *b) {
    Status status = OK;
    const Channel *c = b->out;
    int64_t *cell = NULL, side = b->missing + 1, count = 0;
    NEW(b->work, cell, side * side);
    for (int64_t i = 0; i < b->rows; i++) count += !cell[c->truth[b->owner->row[i]] * side + c->released[i]]++;
    NEW(b->work, b->pair, count + 1);
    for (int64_t k = 0; k < side * side; k++)
        if (cell[k]) b->pair[b->pairs++] = (CodePair){ (int32_t)(k / side), (int32_t)(k % side), cell[k] };
done:
    arena_drop(b->work->arena, cell);
    return status;
}

/* Distinct pairs of codes of records and their owners. */
static Status count_pairs(ChannelBuilder *b) {
    enum { SMALL_TABLE = 1 << 20 };
    Status status = OK;
    const Channel *c = b->out;
    if ((int64_t)(b->missing + 1) * (b->missing + 1) <= SMALL_TABLE) return tabulate_pairs(b);
    NEW(b->work, b->pair, b->rows + 1);
    for (int64_t i = 0; i < b->rows; i++) b->pair[i] = (CodePair){ c->truth[b->owner->row[i]], c->released[i], 1 };
    qsort(b->pair, (size_t)b->rows, sizeof *b->pair, by_codes);
    for (int64_t i = 0; i < b->rows; i++) {
        if (b->pairs && !by_codes(&b->pair[b->pairs - 1], &b->pair[i])) b->pair[b->pairs - 1].records++;
        else b->pair[b->pairs++] = b->pair[i];
    }
done:
    return status;
}

static Status count_codes(ChannelBuilder *b) {
    Status status = OK;
    int32_t *truth = NULL, *released = NULL;
    Channel *c = b->out;
    TRY(joint_labelled(b->work, b->before, b->after, 0, 0, &b->joint));
    b->missing = c->values = b->joint.count;
    b->rows = b->after->rows;
    NEW(b->work, truth, b->before->rows + 1);
    NEW(b->work, released, b->rows + 1);
    NEW(b->work, b->original, b->missing + 2);
    NEW(b->work, b->now, b->missing + 2);
    for (int64_t i = 0; i < b->before->rows; i++) {
        truth[i] = b->joint.at[0][i] < 0 ? b->missing : b->joint.at[0][i];
        b->original[truth[i]]++;
    }
    for (int64_t i = 0; i < b->rows; i++) {
        released[i] = b->joint.at[1][i] < 0 ? b->missing : b->joint.at[1][i];
        b->now[released[i]]++;
    }
    c->truth = truth;
    c->released = released;
    double *number = NULL;
    NEW(b->work, number, b->missing + 1);
    for (int32_t v = 0; v < b->missing; v++) {
        const char *label = b->joint.label[v];
        if (!label || !read_real(label, label + strlen(label), '.', &number[v])) number[v] = NAN;
    }
    b->number = number;
    NEW(b->work, b->interval, b->missing + 1);
    NEW(b->work, b->coarse, b->missing + 1);
    for (int32_t v = 0; v < b->missing; v++)
        b->coarse[v] = b->now[v] && !b->original[v] && b->joint.label[v] && interval_label_read(b->joint.label[v], &b->interval[v]);
    if (b->owner->known) TRY(count_pairs(b));
    for (int64_t p = 0; p < b->pairs; p++)
        if (b->pair[p].truth != b->missing && b->pair[p].released == b->missing) b->suppressed += b->pair[p].records;
    if (!b->owner->known) {
        double share = b->before->rows ? (double)b->original[b->missing] / (double)b->before->rows : 0;
        b->suppressed = b->now[b->missing] - (int64_t)(share * (double)b->rows);
    }
done:
    return status;
}

/* ---- entries ---- */

static Status add_entry(ChannelBuilder *b, int32_t to, double likelihood) {
    Status status = OK;
    GROW(b->work, b->entry_to, b->to_room, b->entries + 1);
    GROW(b->work, b->entry_likelihood, b->likelihood_room, b->entries + 1);
    b->entry_to[b->entries] = to;
    b->entry_likelihood[b->entries++] = likelihood;
done:
    return status;
}

/* A missing cell in the release: of a record that lacked the value for certain, of another with the share of cells that were suppressed,
 * which is never taken to be 0 since a reader of the release cannot rule it out. */
static Status add_missing(ChannelBuilder *b, int32_t truth) {
    double present = (double)(b->rows - b->now[b->missing]), lost = (double)(b->suppressed > 0 ? b->suppressed : 0);
    double share = (lost + 0.5) / (lost + present + 1);
    return add_entry(b, b->missing, truth == b->missing ? 1 : share);
}

/* "{north,south}" as Mondrian writes groups of categories. */
static bool is_set(const ChannelBuilder *b, int32_t released) {
    const char *label = b->joint.label[released];
    const size_t length = label ? strlen(label) : 0;
    return length > 2 && label[0] == '{' && label[length - 1] == '}' && b->now[released] && !b->original[released];
}

static bool set_holds(const char *set, const char *value) {
    const size_t length = strlen(value);
    for (const char *at = strstr(set, value); at && length; at = strstr(at + 1, value))
        if (at > set && (at[-1] == '{' || at[-1] == ',') && (at[length] == ',' || at[length] == '}')) return true;
    return false;
}

static bool holds(const ChannelBuilder *b, int32_t released, int32_t truth) {
    if (is_set(b, released)) return b->joint.label[truth] && set_holds(b->joint.label[released], b->joint.label[truth]);
    return b->coarse[released] && !isnan(b->number[truth]) && interval_label_holds(&b->interval[released], b->number[truth]);
}

/* The released code that a true value became where no record shows it: an interval that holds it; `*`, where it is the only released value
 * that the original lacks; itself. -1: none. */
static int32_t became_unseen(const ChannelBuilder *b, int32_t truth) {
    int32_t star = -1;
    bool foreign = false;
    for (int32_t r = 0; r < b->missing; r++) {
        if (!b->now[r] || b->original[r]) continue;
        if (holds(b, r, truth)) return r;
        if (!strcmp(b->joint.label[r], "*")) star = r;
        else foreign = true;
    }
    return b->now[truth] ? truth : foreign ? -1 : star;
}

/* ---- EXACT and LOCAL ---- */

/* map[c]: what value c became, -1 where no record shows it. False where some value became several. */
static bool learn_map(const ChannelBuilder *b, int32_t *map, bool *foreign) {
    bool single = true;
    for (int32_t c = 0; c <= b->missing; c++) map[c] = -1;
    *foreign = false;
    for (int32_t r = 0; r < b->missing; r++) *foreign |= b->now[r] && !b->original[r];
    bool filled_in = false; /* missing values became several values: they were imputed, and are none of them */
    for (int64_t p = 0; p < b->pairs; p++) {
        const CodePair *pair = &b->pair[p];
        if (pair->released == b->missing) continue;
        if (map[pair->truth] >= 0 && pair->truth != b->missing) single = false;
        if (map[pair->truth] >= 0 && pair->truth == b->missing) filled_in = true;
        map[pair->truth] = pair->released;
    }
    if (filled_in) map[b->missing] = -1;
    return single;
}

/* Numbers that were rounded, recoded or top-coded stay in order: what lies between two values that became one became it as well, and so did
 * what lies beyond the last value that was changed. -1: that does not tell. */
static int32_t became_as_neighbours(const ChannelBuilder *b, const int32_t *map, int32_t truth) {
    int32_t below = -1, above = -1;
    for (int32_t c = 0; c < b->missing && !isnan(b->number[truth]); c++) {
        if (map[c] < 0 || isnan(b->number[c])) continue;
        if (b->number[c] < b->number[truth] && (below < 0 || b->number[c] > b->number[below])) below = c;
        if (b->number[c] > b->number[truth] && (above < 0 || b->number[c] < b->number[above])) above = c;
    }
    if (below >= 0 && above >= 0) return map[below] == map[above] ? map[below] : -1;
    const int32_t last = below >= 0 ? below : above;
    return last >= 0 && map[last] != last && !b->coarse[map[last]] ? map[last] : -1;
}

static Status make_exact(ChannelBuilder *b, const int32_t *map) {
    Status status = OK;
    b->out->kind = CHANNEL_EXACT;
    for (int32_t c = 0; c <= b->missing; c++) {
        b->out->start[c] = b->entries;
        const bool unseen = map[c] < 0 && c < b->missing && b->original[c];
        int32_t to = unseen ? became_unseen(b, c) : map[c];
        if (unseen && b->owner->known && (to < 0 || !b->coarse[to])) {
            int32_t near = became_as_neighbours(b, map, c);
            if (near >= 0) to = near;
        }
        if (to >= 0) TRY(add_entry(b, to, 1));
        TRY(add_missing(b, c));
    }
    b->out->start[b->missing + 1] = b->entries;
done:
    return status;
}

/* Every released value that a record of this true value has, that holds it, that is `*`, or that is the value itself. */
static Status make_local(ChannelBuilder *b) {
    Status status = OK;
    int64_t p = 0;
    b->out->kind = CHANNEL_LOCAL;
    for (int32_t c = 0; c <= b->missing; c++) {
        b->out->start[c] = b->entries;
        for (int32_t r = 0; r < b->missing && (c == b->missing || b->original[c]); r++) {
            while (p < b->pairs && (b->pair[p].truth < c || (b->pair[p].truth == c && b->pair[p].released < r))) p++;
            bool seen = p < b->pairs && b->pair[p].truth == c && b->pair[p].released == r;
            bool fits = c < b->missing && b->now[r] && (r == c || holds(b, r, c) || (!b->original[r] && !strcmp(b->joint.label[r], "*")));
            if (seen || fits) TRY(add_entry(b, r, 1));
        }
        TRY(add_missing(b, c));
    }
    b->out->start[b->missing + 1] = b->entries;
done:
    return status;
}

/* ---- MIXED and NEAR ---- */

/* Values moved with probability 1 - kept: to a value drawn as the replaced ones were (MIXED), or near by (NEAR). */
static Status make_moved(ChannelBuilder *b, double kept, const double *replacing, double deviation) {
    Status status = OK;
    Channel *out = b->out;
    out->kind = deviation > 0 ? CHANNEL_NEAR : CHANNEL_MIXED;
    out->kept = kept;
    for (int32_t c = 0; c <= b->missing; c++) {
        double total = 0;
        out->start[c] = b->entries;
        for (int32_t r = 0; deviation > 0 && c < b->missing && r < b->missing; r++) {
            double z = (b->number[r] - b->number[c]) / deviation;
            total += b->now[r] ? (double)b->now[r] * exp(-z * z / 2) : 0;
        }
        for (int32_t r = 0; r < b->missing && c < b->missing && b->original[c]; r++) {
            if (!b->now[r]) continue;
            double z = deviation > 0 ? (b->number[r] - b->number[c]) / deviation : 0;
            double moved =
                deviation > 0 ? 0.999 * (double)b->now[r] * exp(-z * z / 2) / fmax(total, 1e-300) + 0.001 * replacing[r] : replacing[r];
            double likelihood = (r == c ? kept : 0) + (1 - kept) * moved;
            if (likelihood > 0) TRY(add_entry(b, r, likelihood));
        }
        TRY(add_missing(b, c));
    }
    out->start[b->missing + 1] = b->entries;
done:
    return status;
}

/* Parameters from records whose owners are known. What was kept includes replacements that drew the same value: with s the share of
 * records unchanged and q the share of a random replacement that leaves them unchanged, kept = (s - q)/(1 - q). */
static Status moved_by_pairs(ChannelBuilder *b) {
    Status status = OK;
    double *replacing = NULL, same = 0, known = 0, changed = 0, squares = 0, spread = 0, mean = 0, by_chance = 0;
    bool numbers = column_linear(b->before) && column_linear(b->after);
    NEW(b->work, replacing, b->missing + 1);
    for (int64_t p = 0; p < b->pairs; p++) {
        const CodePair *pair = &b->pair[p];
        double n = (double)pair->records;
        if (pair->truth == b->missing || pair->released == b->missing) continue;
        known += n;
        if (pair->truth == pair->released) {
            same += n;
            continue;
        }
        double d = b->number[pair->released] - b->number[pair->truth];
        changed += n;
        replacing[pair->released] += n;
        squares += n * d * d;
    }
    double present = (double)(b->rows - b->now[b->missing]);
    for (int32_t r = 0; r < b->missing; r++) {
        double own = (double)b->now[r] / fmax(present, 1);
        replacing[r] = (replacing[r] + own) / (changed + 1);
        mean += own * b->number[r];
    }
    for (int32_t r = 0; r < b->missing; r++) {
        spread += (double)b->now[r] / fmax(present, 1) * (b->number[r] - mean) * (b->number[r] - mean);
        by_chance += (double)b->original[r] / fmax((double)b->before->rows, 1) * replacing[r];
    }
    double deviation = numbers && changed > 0 ? sqrt(squares / changed) : NAN;
    bool near = numbers && deviation * deviation < spread; /* else values were moved anywhere: as categories */
    double kept = near || by_chance >= 1 ? same / fmax(known, 1) : (same / fmax(known, 1) - by_chance) / (1 - by_chance);
    kept = smaller(larger(kept, 1e-6), 1 - 1e-6);
    TRY(make_moved(b, kept, replacing, near ? deviation : 0));
done:
    arena_drop(b->work->arena, replacing);
    return status;
}

/* ---- without owners ---- */

/* As sets: what became more frequent was replaced by other values. A column all of whose values are as frequent as before, or rarer, is
 * taken as it stands; `kept` is then refined by EM (weighing). */
static Status make_by_sets(ChannelBuilder *b, bool foreign, bool altered) {
    Status status = OK;
    int32_t *map = NULL;
    double *replacing = NULL, present = (double)(b->rows - b->now[b->missing]);
    bool more = false, traced = true, opaque = false; /* opaque: a new value that is no interval */
    NEW(b->work, map, b->missing + 1);
    for (int32_t c = 0; c <= b->missing; c++) map[c] = -1;
    for (int32_t r = 0; r < b->missing; r++) opaque |= b->now[r] && !b->original[r] && !b->coarse[r] && !is_set(b, r);
    for (int32_t c = 0; c < b->missing; c++) {
        more |= b->now[c] > b->original[c] && b->original[c];
        if (b->original[c] && opaque && became_unseen(b, c) < 0) traced = false;
    }
    if (!foreign && !more && !altered) return make_exact(b, map);
    if (foreign && traced) return make_local(b);
    if (foreign) {
        b->out->kind = CHANNEL_UNKNOWN;
        for (int32_t c = 0; c <= b->missing; c++) {
            b->out->start[c] = b->entries;
            for (int32_t r = 0; r < b->missing; r++)
                if (b->now[r]) TRY(add_entry(b, r, 1));
            TRY(add_missing(b, c));
        }
        b->out->start[b->missing + 1] = b->entries;
        return OK;
    }
    NEW(b->work, replacing, b->missing + 1);
    for (int32_t r = 0; r < b->missing; r++) replacing[r] = (double)b->now[r] / fmax(present, 1);
    TRY(make_moved(b, 0.8, replacing, 0));
done:
    arena_drop(b->work->arena, map);
    arena_drop(b->work->arena, replacing);
    return status;
}

/* ---- KNOWN ---- */

static bool may_become(const KnownChannel *known, int32_t truth, int32_t released) {
    int64_t low = known->start[truth], high = known->start[truth + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (known->to[middle] < released) low = middle + 1;
        else high = middle;
    }
    return low < known->start[truth + 1] && known->to[low] == released;
}

/* Was the release made of this original by these steps alone? Each record's value must be possible, or where it is not known whose records
 * are whose, each released value. */
static Status agrees(const ChannelBuilder *b, const KnownChannel *known, bool *out) {
    Status status = OK;
    bool *reached = NULL;
    *out = known->known;
    for (int64_t p = 0; p < b->pairs && *out; p++) {
        const CodePair *pair = &b->pair[p];
        if (pair->released != b->missing) *out = pair->truth != b->missing && may_become(known, pair->truth, pair->released);
    }
    if (b->owner->known || !*out) return OK;
    NEW(b->work, reached, b->missing + 1);
    for (int64_t e = 0; e < known->start[b->missing]; e++) reached[known->to[e]] = true;
    for (int32_t r = 0; r < b->missing; r++) *out &= !b->now[r] || reached[r];
done:
    arena_drop(b->work->arena, reached);
    return status;
}

static Status make_known(ChannelBuilder *b, bool *made) {
    Status status = OK;
    KnownChannel known;
    const KeyValues values = { b->missing, b->joint.label, b->number, b->original, b->now };
    *made = false;
    if (!treatment_known(b->after->treatment)) return OK;
    TRY(known_channel(b->work, b->after->treatment, &values, &known));
    TRY(agrees(b, &known, made));
    if (!*made) return OK;
    b->out->kind = CHANNEL_KNOWN;
    for (int32_t c = 0; c <= b->missing; c++) {
        b->out->start[c] = b->entries;
        for (int64_t e = known.start[c]; c < b->missing && e < known.start[c + 1]; e++) TRY(add_entry(b, known.to[e], known.likelihood[e]));
        TRY(add_missing(b, c));
    }
    b->out->start[b->missing + 1] = b->entries;
done:
    return status;
}

Status channel_make(Work *work, const Column *before, const Column *after, const Ownership *owner, bool altered, Channel *out) {
    Status status = OK;
    bool foreign = false;
    int32_t *map = NULL;
    ChannelBuilder b = { .work = work, .before = before, .after = after, .owner = owner, .out = out };
    *out = (Channel){ .name = after->name };
    TRY(count_codes(&b));
    NEW(work, out->start, b.missing + 3);
    NEW(work, map, b.missing + 1);
    bool single = learn_map(&b, map, &foreign);
    bool known;
    TRY(make_known(&b, &known));
    if (known) status = OK; /* nothing to estimate */
    else if (!owner->known) TRY(make_by_sets(&b, foreign, altered));
    else if (single) TRY(make_exact(&b, map));
    else if (!foreign || (column_linear(before) && column_linear(after))) TRY(moved_by_pairs(&b));
    else TRY(make_local(&b));
    out->to = b.entry_to;
    out->likelihood = b.entry_likelihood;
done:
    arena_drop(work->arena, map);
    arena_drop(work->arena, b.pair);
    arena_drop(work->arena, b.original);
    arena_drop(work->arena, b.now);
    return status;
}
