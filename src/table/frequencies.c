/* How many records agree with each class, under either rule for missing keys. */
#include "table/tuples.h"

static Status weigh(Work *work, const Classes *classes, const Column *weight, double *F) {
    Status status = OK;
    const double *value = NULL;
    if (!weight) {
        for (int64_t c = 0; c < classes->count; c++) F[c] = (double)classes->size[c];
        return OK;
    }
    TRY(column_reals(work, weight, &value));
    for (int64_t i = 0; i < classes->rows; i++) {
        if (column_missing(weight, i)) {
            fail(work->error, BAD, "a weight is missing");
            error_advice(work->error, "Leave such records out with --where, or give no --weight.");
            error_column(work->error, weight->name);
            return error_row(work->error, i);
        }
        F[classes->of[i]] += value[i];
    }
done:
    return status;
}

Status classes_frequencies(Work *work, const Classes *classes, MissingRule rule, const Column *weight, Frequencies *out) {
    Status status = OK;
    int64_t *f = NULL;
    double *F = NULL;
    NEW(work, f, classes->count);
    NEW(work, F, classes->count);
    for (int64_t c = 0; c < classes->count; c++) f[c] = classes->size[c];
    TRY(weigh(work, classes, weight, F));
    if (rule == WILDCARD && classes->any_missing) {
        Tuples tuples;
        TRY(tuples_of_classes(work, classes, &tuples));
        tuples.weight = F;
        TRY(tuples_agreeing(work, &tuples, classes->keys == TUPLE_KEYS ? UINT64_MAX : (UINT64_C(1) << classes->keys) - 1, true, f, F));
    }
    *out = (Frequencies){ f, F };
done:
    return status;
}
