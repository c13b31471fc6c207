/* synth.keys: SMIKe, selective multiple imputation of keys: records at risk, and close ones that are not, get drawn keys (Liu & Little
 * 2002). */
#include <stdio.h>
#include <string.h>
#include "math/neighbours/neighbours.h"
#include "profile/column_role.h"
#include "synth/engine/direct_columns.h"
#include "synth/engine/params.h"
#include "classes/equivalence_class.h"

static const Param params[] = {
    TABLE(SynthArgs, data, "The confidential table", .flags = REQUIRED | POSITIONAL),
    COLUMNS(SynthArgs, keys, data, "Quasi-identifiers, which are redrawn for the records at risk", .flags = REQUIRED),
    INT(SynthArgs, k, 3, 2, 1000000, "A record is at risk if fewer than k records share its keys"),
    INT(SynthArgs, close, 3, 0, 1000,
        "Mixing set: number of nearest records not at risk whose keys are redrawn with each record at risk. Larger is safer"),
    FLAG(SynthArgs, allow_own, "A record at risk may receive its own keys again (default: it never does)"),
    SYNTH_METHOD,
    SYNTH_MODELS,
    SYNTH_VISIT("keys"),
    SYNTH_PREDICTORS,
    SYNTH_RULES,
    DIRECT_ROLES(data),
    SYNTH_M,
    SYNTH_STACKED,
    SYNTH_TREES,
    END,
};

static Status at_risk(Run *run, const SynthArgs *a, uint8_t *chosen, int64_t *count) {
    Status status = OK;
    Classes classes;
    TRY(classes_make(&run->work, a->keys, &classes));
    for (int64_t i = 0; i < a->data->rows; i++) {
        chosen[i] = classes.size[classes.of[i]] < a->k;
        *count += chosen[i];
    }
done:
    return status;
}

/* The nearest on the keys among those not at risk, by Gower's distance; a missing key is a value. */
static Status mix(Run *run, const SynthArgs *a, uint8_t *chosen) {
    Status status = OK;
    Work *work = &run->work;
    const Scale *scale;
    Space space;
    Neighbours *risky = NULL, *rest = NULL;
    int64_t *rows[2] = { 0 }, count[2] = { 0 }, *near = NULL;
    if (!a->close) return OK;
    for (int t = 0; t < 2; t++) NEW(work, rows[t], a->data->rows + 1);
    for (int64_t i = 0; i < a->data->rows; i++) rows[chosen[i]][count[chosen[i]]++] = i;
    if (!count[0] || !count[1]) return OK;
    TRY(scale_make_with_missing(work, a->keys, NULL, 0, GOWER, &scale));
    TRY(scale_space(work, scale, a->keys, &space));
    if (!space.axes) return OK;
    NEW(work, near, a->data->rows * a->close + 1);
    for (int64_t i = 0; i < a->data->rows * a->close; i++) near[i] = -1;
    TRY(neighbours_make(work, &space, rows[0], count[0], &rest));
    TRY(neighbours_make(work, &space, rows[1], count[1], &risky));
    TRY(neighbours_k(work, risky, rest, true, a->close, near, NULL));
    for (int64_t i = 0; i < a->data->rows * a->close; i++)
        if (near[i] >= 0) chosen[near[i]] = 2;
done:
    return status;
}

/* All columns beside the keys but direct identifiers: from a number or a name that belongs to one person, a tree would draw that person's
 * own keys. */
static Status find_predictors(Run *run, const SynthArgs *a, Columns *out) {
    Status status = OK;
    Columns beside = { 0 };
    TRY(columns_beside(run, a->data, a->keys, &beside));
    NEW(&run->work, out->at, beside.count + 1);
    for (int64_t j = 0; j < beside.count; j++) {
        Profile profile;
        const char *reason, *role;
        TRY(column_profile(&run->work, beside.at[j], &profile));
        role = column_role(beside.at[j], &profile, &reason);
        if (!role || strcmp(role, "identifiers") != 0) out->at[out->count++] = beside.at[j];
        else result_note(run->result, "'%s' is a direct identifier (%s): keys are not drawn from it.", beside.at[j]->name, reason);
    }
done:
    return status;
}

/* The records at risk that have all their own keys in this table. */
static int64_t find_kept(const SynthArgs *a, const Table *made, const uint8_t *chosen, int64_t *out) {
    int64_t kept = 0;
    char one[33], two[33];
    for (int64_t i = 0; i < made->rows; i++) {
        bool same = chosen[i] == 1;
        for (int64_t k = 0; same && k < a->keys.count; k++)
            same = same_text(column_cell(a->keys.at[k], i, one), column_cell(table_column(made, a->keys.at[k]->name), i, two));
        if (same) out[kept++] = i;
    }
    return kept;
}

/* What is drawn, and from what. */
typedef struct {
    Run *run;
    const SynthArgs *a;
    Synthesis *s;
    SyntheticTable *draft;
    const uint8_t *chosen;
    const int64_t *rows; /* to be drawn */
    int64_t count, kept, copied;
} Draw;

/* Donors: the nearest on the original keys among the records that are drawn, of those with other keys; any of these where all near ones
 * have the same. -1: all have the same keys. */
static Status find_donors(const Draw *d, const int64_t *rows, int64_t count, const char *what, int64_t *donor) {
    enum { NEAR = 10 };
    Status status = OK;
    Work *work = &d->run->work;
    const Scale *scale;
    Space space;
    Classes classes;
    Neighbours *from = NULL, *in = NULL;
    int64_t *near = NULL;
    RandomStream stream = run_stream(d->run, NULL, what);
    TRY(classes_make(work, d->a->keys, &classes));
    NEW(work, near, count * NEAR + 1);
    for (int64_t i = 0; i < count * NEAR; i++) near[i] = -1;
    TRY(scale_make_with_missing(work, d->a->keys, NULL, 0, GOWER, &scale));
    TRY(scale_space(work, scale, d->a->keys, &space));
    if (space.axes) {
        TRY(neighbours_make(work, &space, rows, count, &from));
        TRY(neighbours_make(work, &space, d->rows, d->count, &in));
        TRY(neighbours_k(work, from, in, true, NEAR, near, NULL));
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t found = 0, fit[NEAR];
        uint64_t word;
        stream_words(&stream, (uint64_t)rows[i], 1, &word);
        for (int k = 0; k < NEAR; k++)
            if (near[i * NEAR + k] >= 0 && classes.of[near[i * NEAR + k]] != classes.of[rows[i]]) fit[found++] = near[i * NEAR + k];
        donor[i] = found ? fit[word_below(word, (uint64_t)found)] : -1;
        int64_t start = (int64_t)word_below(word, (uint64_t)d->count);
        for (int64_t k = 0; donor[i] < 0 && k < d->count; k++) {
            int64_t other = d->rows[(start + k) % d->count];
            if (classes.of[other] != classes.of[rows[i]]) donor[i] = other;
        }
    }
done:
    return status;
}

/* Where only a record's own keys fit its other columns, it takes the keys of a near record, as that has them in the data. */
static Status copy_keys(Draw *d, const int64_t *rows, int64_t count, const char *what) {
    Status status = OK;
    int64_t *donor = NULL;
    NEW(&d->run->work, donor, count + 1);
    TRY(find_donors(d, rows, count, what, donor));
    for (int64_t i = 0; i < count; i++) {
        if (donor[i] < 0) continue;
        d->copied++;
        for (int64_t k = 0; k < d->s->visits; k++) {
            const Variable *v = &d->s->variable[d->s->visit[k]];
            int64_t at = d->s->visit[k];
            d->draft->state[at][rows[i]] = v->state[donor[i]];
            d->draft->donor[at][rows[i]] = donor[i];
            if (d->draft->real[at]) d->draft->real[at][rows[i]] = v->real[donor[i]];
        }
    }
done:
    return status;
}

/* Draws again the records at risk that have their own keys; those that no draw changes take another's. With rules, a record whose new keys
 * break one is drawn once more, and may keep its own. */
static Status draw_others(Draw *d, int64_t set, Table **made) {
    enum { AGAIN = 20 };
    Status status = OK;
    Work *work = &d->run->work;
    int64_t *own = NULL, count, left = 0;
    int32_t *broken = NULL;
    char what[64];
    NEW(work, own, d->a->data->rows + 1);
    NEW(work, broken, d->a->data->rows + 1);
    for (int round = 0; round < AGAIN && (count = find_kept(d->a, *made, d->chosen, own)) > 0; round++) {
        snprintf(what, sizeof what, "set %lld own %d", (long long)set + 1, round);
        table_release(*made);
        *made = NULL;
        TRY(synthetic_table_edit_rules(d->s, d->draft, own, count, d->s->strata.of, what, d->a->data, made));
    }
    count = find_kept(d->a, *made, d->chosen, own);
    if (count) {
        snprintf(what, sizeof what, "set %lld own copied", (long long)set + 1);
        table_release(*made);
        *made = NULL;
        TRY(copy_keys(d, own, count, what));
        TRY(synthetic_table_of(d->s, d->draft, d->a->data, made));
    }
    if (count && d->s->rules.count) {
        TRY(edit_rules_broken(work, &d->s->rules, *made, broken, NULL));
        for (int64_t i = 0; i < count; i++)
            if (broken[own[i]]) own[left++] = own[i];
    }
    if (left) {
        table_release(*made);
        *made = NULL;
        TRY(synthetic_table_edit_rules(d->s, d->draft, own, left, d->s->strata.of, what, d->a->data, made));
        d->copied -= left;
    }
    if (!set) d->kept = find_kept(d->a, *made, d->chosen, own);
done:
    return status;
}

static Status draw_all(Draw *d, Table **made) {
    Status status = OK;
    for (int64_t set = 0; set < d->a->m; set++) {
        for (int64_t v = 0; v < d->s->variables; v++) TRY(synthetic_table_fill(d->s, d->draft, v, NULL));
        TRY(synthetic_table_set(d->s, d->draft, d->rows, d->count, d->s->strata.of, set, d->a->data, &made[set]));
        if (!d->a->allow_own) TRY(draw_others(d, set, &made[set]));
        else if (!set) {
            int64_t *own = NULL;
            NEW(&d->run->work, own, d->a->data->rows + 1);
            d->kept = find_kept(d->a, made[set], d->chosen, own);
        }
    }
done:
    return status;
}

static Status keys_run(Run *run, const void *p) {
    const SynthArgs *a = p;
    Status status = OK;
    Work *work = &run->work;
    Synthesis s = { 0 };
    SyntheticTable draft = { 0 };
    Columns known = { 0 };
    Table **made = NULL;
    uint8_t *chosen = NULL;
    int64_t *rows = NULL, count = 0, risky = 0;
    TRY(direct_name_kept(run, a, a->keys, "keys", NULL));
    NEW(work, chosen, a->data->rows + 1);
    NEW(work, rows, a->data->rows + 1);
    NEW(work, made, a->m + 1);
    TRY(at_risk(run, a, chosen, &risky));
    TRY(mix(run, a, chosen));
    for (int64_t i = 0; i < a->data->rows; i++)
        if (chosen[i]) rows[count++] = i;
    TRY(find_predictors(run, a, &known));
    TRY(synthesis_plan(&s, run, a, a->keys, known));
    TRY(choose_models(&s));
    TRY(synthesis_fit(&s));
    TRY(synthetic_table_make(&s, a->data->rows, &draft));
    Draw d = { .run = run, .a = a, .s = &s, .draft = &draft, .chosen = chosen, .rows = rows, .count = count };
    TRY(draw_all(&d, made));
    synthetic_table_drop(&s, &draft);
    TRY(report_outputs(run, a, made));
    result_integer(run->result, "at_risk", risky);
    result_integer(run->result, "mixed", count - risky);
    result_integer(run->result, "kept", d.kept);
    result_integer(run->result, "copied", d.copied);
    TRY(report_models(&s, made[0]));
    result_note(run->result,
                "A record's other columns are released as they are. Combine estimates with `scrim synth combine --design partial`.");
done:
    for (int64_t k = 0; made && k < a->m; k++) table_release(made[k]);
    synthesis_free(&s);
    return status;
}

static const Return values[] = {
    SYNTH_VALUES,
    VALUE(at_risk, INTEGER, "Records at risk, whose keys were redrawn", .flags = PUBLIC),
    VALUE(mixed, INTEGER, "Records not at risk whose keys were redrawn too", .flags = PUBLIC),
    VALUE(kept, INTEGER, "Records at risk that received all their own keys again, in the first table. Smaller is safer", .flags = LESS),
    VALUE(copied, INTEGER, "Records that always drew their own keys and received those of a near record instead, in all tables"),
    END,
};

const Method synth_keys = {
    .group = "synth",
    .name = "keys",
    .summary = "SMIKe: multiple imputation of the keys of records at risk and of similar records",
    .source = "Liu & Little 2002",
    .params = params,
    .size = sizeof(SynthArgs),
    .traits = PERTURBS | RANDOM | IDENTITY,
    .run = keys_run,
    .values = values,
    .example = "scrim synth keys examples/clinic.csv --keys sex,age,region --k 3",
};
