/* Membership: can it be told from a (synthetic) release whether a person was in the data it was made from?. Defined after Shokri et al.
 * 2017; DeLong et al. 1988: docs/methods/attack-membership.md. */
#include "attack/membership/membership.h"
#include <stdlib.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "math/mann_whitney.h"
#include "math/special/normal.h"

static const Param params[] = {
    TABLE(MembershipArgs, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    TABLE(MembershipArgs, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(MembershipArgs, holdout, "Holdout: records of the same population that are not in the original", .flags = REQUIRED | POSITIONAL),
    TEXTS(MembershipArgs, vars, "Columns that the intruder knows (default: all common columns)"),
    TEXTS(MembershipArgs, attacks,
          "Attacks: distance, calibrated, density, classifier, shadow (default: all for which there is a reference; shadow with --method)"),
    TABLE(MembershipArgs, reference,
          "Further records of the population, which the intruder has: neither in the original nor in the holdout (default: half of the "
          "holdout)"),
    TEXT(MembershipArgs, method, NULL, "shadow: the method that made the release, such as synth.cart"),
    TEXTS(MembershipArgs, set, "NAME=VALUE: shadow: a parameter of that method", .flags = WHOLE),
    ONLY_WITH("set", "method"),
    INT(MembershipArgs, shadows, 8, 1, 1000, "shadow: releases drawn from the reference"),
    END,
};
static const Return values[] = {
    VALUE(auc, REAL, "Probability that a member is nearer to the release than a non-member. 0.5 = safe, 1 = membership is disclosed",
          .flags = PUBLIC),
    VALUE(baseline, REAL, "0.5: chance", .flags = PUBLIC),
    VALUE(gain, REAL, "auc − baseline. 0 = safe", .flags = PUBLIC),
    VALUE(lower, REAL, "Lower end of the 95% confidence interval of the gain", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of the 95% confidence interval of the gain", .flags = PUBLIC),
    VALUE(advantage, REAL, "Largest difference between the shares of members and non-members within any distance. 0 = safe",
          .flags = PUBLIC),
    VALUE(best, TEXT, "The attack with the largest area under the ROC curve", .flags = PUBLIC),
    VALUE(best_auc, REAL, "Its area. 0.5 = safe, 1 = membership is disclosed", .flags = PUBLIC | LESS),
    VALUE(best_lower, REAL, "Lower end of its 95% confidence interval, corrected for the number of attacks", .flags = PUBLIC),
    VALUE(best_upper, REAL, "Upper end of its 95% confidence interval, corrected for the number of attacks", .flags = PUBLIC),
    VALUE(best_gain, REAL, "best_auc − baseline. 0 = safe", .flags = PUBLIC | LESS),
    VALUE(p_value, REAL,
          "Probability that the strongest finding of all attacks (an area, or true positives at 0.1, 1 or 10% false positives) arises "
          "without disclosure, corrected for the search. Below 0.05 = membership is disclosed",
          .flags = PUBLIC),
    TABLE_OUT(attacks,
              "attack:text members:integer others:integer auc:real lower:real upper:real first:integer first_expected:real p_value:real",
              "Each attack: members and non-members, area with its 95% interval, members that rank before every non-member and how many "
              "would by chance, p-value corrected for the number of attacks",
              .flags = PUBLIC),
    TABLE_OUT(rates, "attack:text false_positives:real true_positives:real lower:real upper:real",
              "Share of members found where at most 0.1, 1 or 10% of non-members are taken for members, with 95% interval. Equal to "
              "false_positives = safe",
              .flags = PUBLIC),
    TABLE_OUT(worst, "record:integer attack:text false_positives:real",
              "Members found with the greatest certainty: record number, attack, share of non-members that look as much like a member"),
    RECORD(false_positives, REAL,
           "Smallest share of non-members that look at least as much like a member, over the attacks. 0 = the record is found first",
           .of = "original"),
    END,
};

enum { ATTACKS = 5, FEWEST_REFERENCE = 20, WORST = 10 };
typedef struct Attack {
    const char *name;
    Status (*score)(Targets *t, double *score);
    bool population, method; /* needs a reference; needs the method */
} Attack;
static const Attack attacks[ATTACKS] = {
    { "distance", score_distance, false, false }, { "calibrated", score_calibrated, true, false },
    { "density", score_density, true, false },    { "classifier", score_classifier, true, false },
    { "shadow", score_shadow, true, true },
};

typedef struct Battery {
    Targets targets;
    double *whole; /* distances of the members and of the whole holdout */
    bool wanted[ATTACKS];
    int64_t count, done;
    const Attack *attack[ATTACKS];
    Curve curve[ATTACKS];
    double *least; /* of each member, over the attacks */
    int32_t *by;   /* the attack that has it */
} Battery;

static Status choose_attacks(const MembershipArgs *a, Battery *b, Error *error) {
    for (int k = 0; k < ATTACKS; k++) b->wanted[k] = !a->attacks.count && (!attacks[k].method || a->method);
    for (int64_t i = 0; i < a->attacks.count; i++) {
        int found = -1;
        for (int k = 0; k < ATTACKS; k++)
            if (same_text(a->attacks.at[i], attacks[k].name)) found = k;
        if (found < 0) {
            fail(error, BAD, "there is no attack '%s': distance, calibrated, density, classifier or shadow", a->attacks.at[i]);
            return error_parameter(error, "attacks");
        }
        if (attacks[found].method && !a->method) {
            fail(error, BAD, "the attack shadow needs the method that made the release");
            return error_parameter(error, "method");
        }
        b->wanted[found] = true;
    }
    return OK;
}

static bool needs_reference(const Battery *b) {
    bool any = false;
    for (int k = 0; k < ATTACKS; k++) any |= b->wanted[k] && attacks[k].population;
    return any;
}

/* Half of the holdout is the reference, always the same half; the other half are the non-members of the attacks that have a reference. */
static Status split_holdout(Battery *b, int64_t **kept, Table **parts) {
    Status status = OK;
    Targets *t = &b->targets;
    const Table *holdout = t->a->holdout;
    Work *work = &t->run->work;
    int64_t rows = holdout->rows, half = rows / 2;
    Seed fixed = seed_from_number(0);
    RandomStream stream = stream_make(&fixed, "attack.membership", 0, NULL, "reference");
    NEW(work, *kept, rows + 1);
    t->reference = t->a->reference;
    t->others = holdout;
    for (int64_t i = 0; i < rows; i++) (*kept)[i] = i;
    if (t->reference || !needs_reference(b) || half < FEWEST_REFERENCE) return OK;
    TRY(stream_permutation(work, &stream, rows, *kept));
    TRY(table_take(holdout, *kept, half, &parts[0], work->error));
    TRY(table_take(holdout, *kept + half, rows - half, &parts[1], work->error));
    t->reference = parts[0];
    t->others = parts[1];
    *kept += half;
done:
    return status;
}

/* Without enough records of the population the attacks that need them are left out, which a note says. */
static Status need_reference(Battery *b) {
    Targets *t = &b->targets;
    Work *work = &t->run->work;
    if (!needs_reference(b) || (t->reference && t->reference->rows >= FEWEST_REFERENCE)) return OK;
    if (t->a->attacks.count) {
        fail(work->error, BAD, "a reference of at least %d records is needed: --reference FILE, or a holdout twice as large",
             FEWEST_REFERENCE);
        return error_parameter(work->error, "reference");
    }
    t->reference = NULL;
    t->others = t->a->holdout;
    for (int k = 0; k < ATTACKS; k++) b->wanted[k] &= !attacks[k].population;
    result_note(t->run->result,
                "Only the attack by distance was made. The others need a reference of at least %d records (half of the holdout, unless "
                "another file is given).",
                FEWEST_REFERENCE);
    return OK;
}

static Status place_targets(Battery *b, const int64_t *kept) {
    Status status = OK;
    Targets *t = &b->targets;
    Run *run = t->run;
    int64_t members = t->a->original->rows, all = members + t->a->holdout->rows;
    NEW(&run->work, b->whole, all + 1);
    NEW(&run->work, t->distance, all + 1);
    for (int64_t i = 0; i < all; i++) b->whole[i] = NAN;
    TRY(near_release_find(run, &t->near, t->a->original, (Nearest){ .measure = b->whole }));
    TRY(near_release_find(run, &t->near, t->a->holdout, (Nearest){ .measure = b->whole + members }));
    TRY(tie_equal(run, b->whole, all));
    memcpy(t->distance, b->whole, (size_t)members * sizeof *b->whole);
    for (int64_t i = 0; i < t->others->rows; i++) t->distance[members + i] = b->whole[members + kept[i]];
    if (!t->reference) return OK;
    TRY(near_release_index(run, &t->near, t->a->original, &t->from[0]));
    TRY(near_release_index(run, &t->near, t->others, &t->from[1]));
    TRY(near_release_index(run, &t->near, t->reference, &t->population));
done:
    return status;
}

/* The attack by distance has no use for a reference: its non-members are the whole holdout. */
static Status attack_all(Battery *b) {
    Status status = OK;
    Targets *t = &b->targets;
    Work *work = &t->run->work;
    int64_t members = t->a->original->rows;
    double *score = NULL, *least = NULL;
    NEW(work, score, members + t->a->holdout->rows + 1);
    NEW(work, least, members + 1);
    NEW(work, b->least, members + 1);
    NEW(work, b->by, members + 1);
    for (int64_t i = 0; i < members; i++) b->least[i] = NAN;
    for (int k = 0; k < ATTACKS; k++) {
        bool whole = attacks[k].score == score_distance;
        if (!b->wanted[k]) continue;
        if (!whole) TRY(attacks[k].score(t, score));
        for (int64_t i = 0; i < members; i++) least[i] = NAN;
        TRY(curve_make(t->run, whole ? b->whole : score, members, whole ? t->a->holdout->rows : t->others->rows, &b->curve[b->count],
                       least));
        for (int64_t i = 0; i < members; i++)
            if (!isnan(least[i]) && !(b->least[i] <= least[i])) {
                b->least[i] = least[i];
                b->by[i] = (int32_t)b->count;
            }
        b->attack[b->count++] = &attacks[k];
    }
done:
    return status;
}

static Status say_distance(Battery *b) {
    Status status = OK;
    Targets *t = &b->targets;
    Result *result = t->run->result;
    Curve own;
    TRY(curve_make(t->run, b->whole, t->a->original->rows, t->a->holdout->rows, &own, NULL));
    if (isnan(own.area)) result_null(result, "auc", "A table has no record to compare.");
    else result_real(result, "auc", own.area);
    result_real(result, "baseline", 0.5);
    result_real(result, "gain", own.area - 0.5);
    result_real(result, "lower", own.low - 0.5);
    result_real(result, "upper", own.high - 0.5);
    result_real(result, "advantage", own.advantage);
done:
    return status;
}

/* The interval of the largest of several areas: each at the level at which all of them hold together (Bonferroni). */
static void say_best(const Battery *b) {
    Result *result = b->targets.run->result;
    const Curve *best = NULL;
    const char *name = NULL;
    double chance = 1;
    for (int64_t k = 0; k < b->count; k++) {
        chance = fmin(chance, b->curve[k].chance);
        if (isnan(b->curve[k].area) || (best && best->area >= b->curve[k].area)) continue;
        best = &b->curve[k];
        name = b->attack[k]->name;
    }
    if (!best) {
        result_null(result, "best", "No attack could be made.");
        return;
    }
    double low, high;
    mann_whitney_bounds(best->area, best->variance, best->members, best->others, normal_upper_quantile(0.025 / (double)b->count), &low,
                        &high);
    result_text(result, "best", name);
    result_real(result, "best_auc", best->area);
    result_real(result, "best_lower", low);
    result_real(result, "best_upper", high);
    result_real(result, "best_gain", best->area - 0.5);
    chance *= (double)b->count;
    result_real(result, "p_value", fmin(1, chance));
}

static void say_attacks(const Battery *b) {
    Result *result = b->targets.run->result;
    Grid *grid = grid_new(result, "attacks",
                          "attack:text members:integer others:integer auc:real lower:real upper:real first:integer first_expected:real "
                          "p_value:real");
    for (int64_t k = 0; k < b->count; k++) {
        const Curve *c = &b->curve[k];
        bool any = c->members > 0 && c->others > 0;
        double chance = c->chance * (double)b->count;
        grid_text(grid, b->attack[k]->name);
        grid_integer(grid, (int64_t)c->members);
        grid_integer(grid, (int64_t)c->others);
        grid_real(grid, c->area);
        grid_real(grid, any ? c->low : NAN);
        grid_real(grid, any ? c->high : NAN);
        grid_integer(grid, (int64_t)c->first);
        grid_real(grid, c->members / (c->others + 1));
        grid_real(grid, any ? fmin(1, chance) : NAN);
    }
    grid_done(grid);
}

static void say_rates(const Battery *b) {
    Grid *grid = grid_new(b->targets.run->result, "rates", "attack:text false_positives:real true_positives:real lower:real upper:real");
    for (int64_t k = 0; k < b->count; k++)
        for (int r = 0; r < RATES; r++) {
            const Curve *c = &b->curve[k];
            bool any = c->members > 0 && c->others > 0;
            grid_text(grid, b->attack[k]->name);
            grid_real(grid, FALSE_POSITIVES[r]);
            grid_real(grid, any ? c->rate[r] : NAN);
            grid_real(grid, any ? c->between[r].low : NAN);
            grid_real(grid, any ? c->between[r].high : NAN);
        }
    grid_done(grid);
}

typedef struct Found {
    double least;
    int64_t row;
} Found;
static int by_least(const void *x, const void *y) {
    const Found *a = x, *b = y;
    return a->least != b->least ? (a->least > b->least) - (a->least < b->least) : (a->row > b->row) - (a->row < b->row);
}

static Status say_worst(const Battery *b) {
    Status status = OK;
    Run *run = b->targets.run;
    int64_t members = b->targets.a->original->rows, count = 0;
    Found *found = NULL;
    NEW(&run->work, found, members + 1);
    for (int64_t i = 0; i < members; i++)
        if (!isnan(b->least[i])) found[count++] = (Found){ b->least[i], i };
    qsort(found, (size_t)count, sizeof *found, by_least);
    Grid *grid = grid_new(run->result, "worst", "record:integer attack:text false_positives:real");
    for (int64_t i = 0; i < count && i < WORST; i++) {
        grid_integer(grid, found[i].row + 1);
        grid_text(grid, b->attack[b->by[found[i].row]]->name);
        grid_real(grid, found[i].least);
    }
    grid_done(grid);
    TRY(put_reals(run, "original", "false_positives", b->least, members));
done:
    return status;
}

static void say_notes(const Battery *b) {
    const Targets *t = &b->targets;
    Result *result = t->run->result;
    result_note(result,
                "The intruder classifies records near a released record as members, by Gower's distance on %lld columns. %lld members and "
                "%lld non-members were compared. A missing value is compared as a value.",
                (long long)t->near.count, (long long)t->a->original->rows, (long long)t->a->holdout->rows);
    if (t->reference && b->count > 1)
        result_note(result, "The other attacks know %lld reference records%s and are measured against %lld non-members.",
                    (long long)t->reference->rows, t->a->reference ? "" : ", half of the holdout,", (long long)t->others->rows);
    bool few = false;
    for (int64_t k = 0; k < b->count; k++) few |= b->curve[k].others < 4380;
    if (few)
        result_note(result, "The lower bound of the true positive rate can exceed 0 at 0.1%% false positives with 4,380 or more "
                            "non-members, at 1%% with 437, at 10%% with 42.");
}

static Status membership_run(Run *run, const void *p) {
    Status status = OK;
    Battery b = { .targets = { .run = run, .a = p } };
    Targets *t = &b.targets;
    Table *parts[2] = { NULL, NULL };
    int64_t *kept = NULL;
    TRY(choose_attacks(t->a, &b, run->work.error));
    TRY(split_holdout(&b, &kept, parts));
    TRY(need_reference(&b));
    TRY(near_release_make(run, t->a->released, t->a->original, t->a->holdout, t->a->reference, t->a->vars, NULL, &t->near));
    TRY(place_targets(&b, kept));
    TRY(attack_all(&b));
    TRY(say_distance(&b));
    say_best(&b);
    say_attacks(&b);
    say_rates(&b);
    TRY(say_worst(&b));
    say_notes(&b);
done:
    for (int k = 0; k < 2; k++) table_release(parts[k]);
    return status;
}

const Method attack_membership = {
    .group = "attack",
    .name = "membership",
    .summary = "Membership inference attack: identify records that were in the original file",
    .source = "Shokri et al. 2017; DeLong et al. 1988; Carlini et al. 2022",
    .params = params,
    .size = sizeof(MembershipArgs),
    .traits = IDENTITY | CODES_AS_CATEGORIES | RANDOM,
    .run = membership_run,
    .values = values,
    .example =
        "scrim attack membership examples/clinic-released.csv examples/clinic.csv examples/clinic-holdout.csv --vars sex,age,region,visits",
};
