/* The report of risk.reidentification: each intruder, records, households and groups. */
#include "base/elementary.h"
#include "base/number_text.h"
#include "risk/reidentification/reidentification.h"
#include "table/group.h"

static const char *const intruder_names[] = { "counting", "weighing", "assigning", "joining" };

static void report_intruders(Attack *x) {
    Result *result = x->run->result;
    const double people = (double)x->units;
    static const char *const names[] = { "by_counting", "by_weighing", "by_assigning", "by_joining" };
    Grid *grid = grid_new(result, "intruders", "intruder:text expected:real share:real worst:real note:text");
    for (int i = 0; i < INTRUDERS; i++) {
        const Beliefs *b = &x->beliefs[i];
        result_real(result, names[i], b->ran ? b->total : NAN);
        if (!b->ran && !b->why_not) continue;
        grid_text(grid, intruder_names[i]);
        grid_real(grid, b->ran ? b->total : NAN);
        grid_real(grid, b->ran && people > 0 ? b->total / people : NAN);
        grid_real(grid, b->ran ? b->worst : NAN);
        grid_text(grid, !b->ran ? b->why_not : b->error > 0 ? "on a sample of the people" : b->approximate ? "approximate" : NULL);
    }
    grid_done(grid);
    if (x->beliefs[ASSIGNING].approximate)
        result_note(result,
                    "Assigning: beliefs of more than %d people who can exchange records are an approximation (doubly stochastic scaling).",
                    12);
    if (x->beliefs[ASSIGNING].why_not) result_note(result, "The assigning intruder was not run: %s.", x->beliefs[ASSIGNING].why_not);
}

static Status report_records(Attack *x) {
    Status status = OK;
    double *belief = NULL;
    if (!x->owner.known || !run_wants(x->run, "belief")) return OK;
    NEW(&x->run->work, belief, x->joint.records + 1);
    for (int64_t i = 0; i < x->joint.records; i++) {
        belief[i] = NAN;
        for (int k = 0; k < INTRUDERS; k++)
            if (x->beliefs[k].belief && !(belief[i] >= x->beliefs[k].belief[x->unit_of[i]]))
                belief[i] = x->beliefs[k].belief[x->unit_of[i]];
    }
    TRY(put_reals(x->run, "released", "belief", belief, x->a->released->rows));
done:
    return status;
}

/* The original's code of each released record. */
static Status owner_codes(Attack *x, const Column *column, Codes *codes, int32_t **out) {
    Status status = OK;
    TRY(column_codes(&x->run->work, column, codes));
    NEW(&x->run->work, *out, x->joint.records + 1);
    for (int64_t i = 0; i < x->joint.records; i++) (*out)[i] = codes->at[x->owner.row[i]];
done:
    return status;
}

static Status report_households(Attack *x) {
    Status status = OK;
    const Beliefs *best = &x->beliefs[x->best];
    Codes codes;
    int32_t *of = NULL;
    double *spared = NULL, expected = 0;
    bool *seen = NULL; /* units */
    int64_t *members = NULL, households = 0;
    if (!x->a->household || !best->right) return OK;
    TRY(owner_codes(x, x->a->household, &codes, &of));
    NEW(&x->run->work, seen, x->units + 1);
    NEW(&x->run->work, spared, codes.count + 1);
    NEW(&x->run->work, members, codes.count + 1);
    for (int32_t h = 0; h < codes.count; h++) spared[h] = 1;
    for (int64_t i = 0; i < x->joint.records; i++) {
        const int32_t unit = x->unit_of[i];
        if (of[i] < 0 || seen[unit] || isnan(best->right[unit])) continue;
        seen[unit] = true;
        members[of[i]]++;
        spared[of[i]] *= 1 - best->right[unit];
    }
    for (int32_t h = 0; h < codes.count; h++) {
        households += members[h] > 0;
        expected += members[h] > 0 ? 1 - spared[h] : 0;
    }
    result_integer(x->run->result, "households", households);
    result_real(x->run->result, "household_expected", expected);
    result_real(x->run->result, "household_share", households ? expected / (double)households : NAN);
done:
    return status;
}

static Status report_groups(Attack *x) {
    Status status = OK;
    const Beliefs *best = &x->beliefs[x->best];
    if (!x->a->by.count || !best->right) return OK;
    Grid *grid = grid_new(x->run->result, "groups", "group:text people:integer share:real certain:integer");
    for (int64_t b = 0; b < x->a->by.count; b++) {
        Codes codes;
        int32_t *of = NULL;
        double *right = NULL, *tried = NULL;
        int64_t *people = NULL, *certain = NULL;
        Grouping pairs = { 0 }; /* a person with records in several groups is in each of them */
        const Column *column = x->a->by.at[b];
        char text[33];
        TRY(owner_codes(x, column, &codes, &of));
        NEW(&x->run->work, right, codes.count + 1);
        NEW(&x->run->work, tried, codes.count + 1);
        NEW(&x->run->work, people, codes.count + 1);
        NEW(&x->run->work, certain, codes.count + 1);
        const Codes both[] = { { .count = codes.count, .at = of }, { .count = (int32_t)x->units, .at = x->unit_of } };
        TRY(group_codes(&x->run->work, both, 2, x->joint.records, &pairs));
        for (int64_t p = 0; p < pairs.count; p++) {
            const int64_t i = pairs.first[p], unit = x->unit_of[i];
            int32_t g = of[i] < 0 ? codes.count : of[i];
            people[g]++;
            certain[g] += x->assigned.is_certain && x->assigned.is_certain[unit];
            if (isnan(best->right[unit])) continue;
            tried[g]++;
            right[g] += best->right[unit];
        }
        grouping_drop(&x->run->work, &pairs);
        for (int32_t g = 0; g <= codes.count; g++) {
            if (!people[g]) continue;
            const char *label = g < codes.count ? column_cell(column, codes.first_row[g], text) : "(missing)";
            grid_text(grid, arena_print(x->run->work.arena, "%s = %s", column->name, label));
            grid_integer(grid, people[g]);
            grid_real(grid, tried[g] > 0 ? round(1e12 * right[g] / tried[g]) / 1e12 : NAN); /* no residue of the sum */
            grid_integer(grid, certain[g]);
        }
    }
done:
    grid_done(grid);
    return status;
}

Status reidentification_report(Attack *x) {
    Status status = OK;
    Result *result = x->run->result;
    double worst = NAN;
    x->best = -1;
    TRY(reidentification_of_people(x));
    const double people = (double)x->units;
    for (int i = 0; i < INTRUDERS; i++) {
        const Beliefs *b = &x->beliefs[i];
        if (!b->ran) continue;
        if (x->best < 0 || b->total > x->beliefs[x->best].total * (1 + 1e-12)) x->best = i;
        worst = isnan(worst) ? b->worst : fmax(worst, b->worst);
    }
    const Beliefs *best = x->best < 0 ? NULL : &x->beliefs[x->best];
    double total = best ? best->total : 0;
    result_real(result, "share", people > 0 ? total / people : NAN);
    result_real(result, "expected", total);
    result_text(result, "best", best ? intruder_names[x->best] : "none");
    result_integer(result, "certain", x->assigned.certain);
    result_integer(result, "class_certain", x->assigned.class_certain);
    result_real(result, "worst", worst);
    report_intruders(x);
    result_real(result, "error", best ? best->error : 0);
    result_integer(result, "people", x->units);
    if (x->tables > 1) result_integer(result, "releases", x->tables);
    result_text(result, "truth", x->owner.known ? x->owner.how : "unknown");
    if (!x->owner.known)
        result_note(
            result,
            "It is not known whose records are whose. Expected re-identifications are the intruder's own belief in the best guesses.");
    if (!x->a->keys.count) result_note(result, "No keys were given: certain and class_certain concern keys alone.");
    if (best) {
        TRY(report_records(x));
        TRY(report_households(x));
        TRY(report_groups(x));
    }
done:
    return status;
}
