/* How many records agree with each class, under either rule for missing keys. */
#include "classes/wildcard_count.h"

/* Added up exactly, so that no order of the records shows. */
static Status weigh(Work *work, const Classes *classes, const Column *weight, double *F) {
    Status status = OK;
    WeightSum *sum = NULL, one;
    if (!weight) {
        for (int64_t c = 0; c < classes->count; c++) F[c] = (double)classes->size[c];
        return OK;
    }
    NEW(work, sum, classes->count);
    for (int64_t i = 0; i < classes->rows; i++) {
        TRY(work_weight(work, i, column_number(weight, i), &one));
        sum[classes->of[i]] += one;
    }
    for (int64_t c = 0; c < classes->count; c++) F[c] = weight_real(sum[c]);
done:
    arena_drop(work->arena, sum);
    return status;
}

Status weights_total(Work *work, const Column *weight, double *out) {
    Status status = OK;
    WeightSum sum = 0, one;
    for (int64_t i = 0; i < weight->rows; i++) {
        TRY(work_weight(work, i, column_number(weight, i), &one));
        sum += one;
    }
    *out = weight_real(sum);
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
        uint64_t all = classes->keys == TUPLE_KEYS ? UINT64_MAX : (UINT64_C(1) << classes->keys) - 1;
        tuples.weight = F;
        TRY(wildcard_frequencies(work, &tuples, all, true, f, F));
    }
    *out = (Frequencies){ f, F };
done:
    return status;
}

void frequencies_drop(Work *work, Frequencies *frequencies) {
    arena_drop(work->arena, (int64_t *)(uintptr_t)frequencies->f);
    arena_drop(work->arena, (double *)(uintptr_t)frequencies->F);
    *frequencies = (Frequencies){ 0 };
}
