/* Sensitive values of agreeing records, by counting one value at a time. */
#include "classes/agreeing.h"
#include "classes/wildcard_count.h"

/* How many records of each class have value v: the class's own tally, spread out. */
static void own_counts(const ClassTallies *own, int32_t v, double *count) {
    for (int64_t c = 0; c < own->classes; c++) {
        count[c] = 0;
        for (int64_t i = own->start[c]; i < own->start[c + 1]; i++)
            if (own->value[i] == v) count[c] = (double)own->count[i];
    }
}

static Status pack(Work *work, const int32_t *table, int64_t classes, int32_t values, ClassTallies *out) {
    Status status = OK;
    int64_t cells = 0;
    for (int64_t i = 0; i < classes * values; i++) cells += table[i] > 0;
    *out = (ClassTallies){ .classes = classes };
    NEW(work, out->start, classes + 1);
    NEW(work, out->total, classes + 1);
    NEW(work, out->value, cells + 1);
    NEW(work, out->count, cells + 1);
    int64_t at = 0;
    for (int64_t c = 0; c < classes; c++) {
        out->start[c] = at;
        for (int32_t v = 0; v < values; v++) {
            int32_t count = table[(int64_t)v * classes + c];
            if (!count) continue;
            out->value[at] = v;
            out->count[at++] = count;
            out->total[c] += count;
        }
        if (at - out->start[c] > out->most_distinct) out->most_distinct = at - out->start[c];
    }
    out->start[classes] = at;
done:
    return status;
}

Status class_tallies_agreeing(Work *work, const Classes *classes, MissingRule rule, const Codes *sensitive, ClassTallies *out) {
    Status status = OK;
    ClassTallies own;
    Tuples tuples;
    int32_t *table = NULL, values = sensitive->count + 1; /* missing comes last */
    int64_t *f = NULL;
    double *F = NULL;
    TRY(class_tallies_make(work, classes->of, classes->count, classes->rows, sensitive, &own));
    if (rule == CATEGORY_RULE || !classes->any_missing) {
        *out = own;
        goto done;
    }
    TRY(tuples_of_classes(work, classes, &tuples));
    NEW(work, table, classes->count * values);
    NEW(work, f, classes->count);
    NEW(work, F, classes->count);
    uint64_t among = classes->keys == TUPLE_KEYS ? UINT64_MAX : (UINT64_C(1) << classes->keys) - 1;
    tuples.weight = F;
    for (int32_t v = 0; v < values; v++) {
        own_counts(&own, v, F);
        TRY(wildcard_frequencies(work, &tuples, among, true, f, F));
        for (int64_t c = 0; c < classes->count; c++) table[(int64_t)v * classes->count + c] = (int32_t)(F[c] + 0.5);
        TRY(work_check(work));
    }
    TRY(pack(work, table, classes->count, values, out));
done:
    arena_drop(work->arena, table);
    return status;
}
