/* Crowds: classes under a rule for missing keys, or candidate sets. */
#include "classes/crowd.h"

Status crowd_make(Work *work, const Table *data, Columns keys, MissingRule rule, const Table *original, const Column *id, Crowd *out) {
    Status status = OK;
    TrueKeys *truth = NULL;
    *out = (Crowd){ .rule = rule };
    bool paired = original && (id || original->rows == data->rows || data->origin);
    if (original && paired) {
        NEW(work, truth, 1);
        TRY(true_keys_make(work, data, keys, original, id ? id->name : NULL, truth));
        out->truth = truth;
        out->classes = truth->truth;
        return OK;
    }
    TRY(classes_make_by(work, keys, rule, &out->classes));
    out->unpaired = original;
    out->blanks = data->released && out->classes.any_missing;
done:
    return status;
}

/* The candidates of a class: its released classes, summed. */
static Status candidate_weights(Work *work, const TrueKeys *truth, const Column *weight, double *F) {
    Status status = OK;
    Frequencies own;
    TRY(classes_frequencies(work, &truth->released, CATEGORY_RULE, weight, &own));
    for (int64_t t = 0; t < truth->truth.count; t++)
        for (int64_t i = truth->candidates.start[t]; i < truth->candidates.start[t + 1]; i++) F[t] += own.F[truth->candidates.node[i]];
done:
    return status;
}

Status crowd_frequencies(Work *work, const Crowd *crowd, const Column *weight, Frequencies *out) {
    Status status = OK;
    double *F = NULL;
    if (!crowd->truth) return classes_frequencies(work, &crowd->classes, crowd->rule, weight, out);
    NEW(work, F, crowd->classes.count + 1);
    TRY(candidate_weights(work, crowd->truth, weight, F));
    *out = (Frequencies){ crowd->truth->candidates.count, F };
done:
    return status;
}

/* One person's candidates: the tallies of their released classes, added up in `sum` (zero between calls). */
static int64_t add_tallies(const TrueKeys *truth, const ClassTallies *own, int64_t t, int64_t *sum, int32_t *seen) {
    int64_t distinct = 0;
    for (int64_t i = truth->candidates.start[t]; i < truth->candidates.start[t + 1]; i++) {
        Tally tally = spread_tally(own, truth->candidates.node[i]);
        for (int64_t v = 0; v < tally.distinct; v++) {
            if (!sum[tally.value[v]]) seen[distinct++] = tally.value[v];
            sum[tally.value[v]] += tally.count[v];
        }
    }
    for (int64_t i = 1; i < distinct; i++) /* ascending; few */
        for (int64_t j = i; j > 0 && seen[j] < seen[j - 1]; j--) {
            int32_t other = seen[j];
            seen[j] = seen[j - 1];
            seen[j - 1] = other;
        }
    return distinct;
}

Status crowd_spread(Work *work, const Crowd *crowd, const Codes *sensitive, ClassTallies *out) {
    Status status = OK;
    const TrueKeys *truth = crowd->truth;
    ClassTallies own;
    int64_t *sum = NULL, values = 0, counts = 0, used = 0;
    int32_t *seen = NULL;
    if (!truth) return class_tallies_agreeing(work, &crowd->classes, crowd->rule, sensitive, out);
    TRY(class_tallies_make(work, truth->released.of, truth->released.count, truth->released.rows, sensitive, &own));
    NEW(work, sum, sensitive->count + 2);
    NEW(work, seen, sensitive->count + 2);
    *out = (ClassTallies){ .classes = truth->truth.count };
    NEW(work, out->start, out->classes + 1);
    NEW(work, out->total, out->classes + 1);
    for (int64_t t = 0; t < out->classes; t++) {
        int64_t distinct = add_tallies(truth, &own, t, sum, seen);
        GROW(work, out->value, values, used + distinct);
        GROW(work, out->count, counts, used + distinct);
        for (int64_t i = 0; i < distinct; i++, used++) {
            out->value[used] = seen[i];
            out->count[used] = sum[seen[i]];
            out->total[t] += sum[seen[i]];
            sum[seen[i]] = 0;
        }
        out->start[t + 1] = used;
        if (distinct > out->most_distinct) out->most_distinct = distinct;
    }
done:
    return status;
}

const char *crowd_note(const Crowd *crowd) {
    if (crowd->truth && crowd->truth->by_set)
        return "Counted as an intruder meets it: a class is the candidates of a person's true keys. The records were put in another order, "
               "and no --id tells who is who: counts of the two sides stand beside each other at random, and whoever has one candidate is "
               "taken to be found.";
    if (crowd->truth && crowd->truth->unlike)
        return "Counted as an intruder meets it: a class is the candidates of a person's true keys, in the words of the release. Some key "
               "was not recoded one way throughout: it counts as each record has it.";
    if (crowd->truth)
        return "Counted as an intruder meets it: a class is the candidates of a person's true keys, the released records equal to them or, "
               "where there are none, those that they fit.";
    if (crowd->unpaired)
        return "The original has another number of records and no --id tells who is who: what an intruder who knows true keys faces was "
               "not counted. Missing keys: wildcard; a record that lost all keys is a member of no class.";
    if (crowd->blanks && crowd->rule == RELEASE_RULE)
        return "Missing keys: wildcard, and a record that lost all keys is a member of no class. What an intruder who knows true keys "
               "faces cannot be seen without the original (--original).";
    return missing_rule_note(crowd->rule);
}
