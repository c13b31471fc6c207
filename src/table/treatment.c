/* What was done to the values of a column: kept with it, and made into a chain step by step. */
#include "table/treatment.h"
#include "base/elementary.h"
#include <stdlib.h>
#include <string.h>

const char *const treatment_names[TREATMENTS] = { "otherwise", "mapped",  "intervals", "coded", "rounded", "rounded-down", "dithered",
                                                  "matrix",    "swapped", "ranked",    "noisy", "scaled",  "shuffled" };

static char **copy_texts(const char *const *text, int32_t count, bool *failed) {
    char **out = text ? calloc((size_t)count + 1, sizeof *out) : NULL;
    *failed |= text && !out;
    for (int32_t i = 0; out && i < count; i++) {
        out[i] = text[i] ? strdup(text[i]) : NULL;
        *failed |= text[i] && !out[i];
    }
    return out;
}

static void free_texts(char **text, int32_t count) {
    for (int32_t i = 0; text && i < count; i++) free(text[i]);
    free(text);
}

Treatment *treatment_new(TreatmentKind kind, int32_t count, const char *const *from, const char *const *to, const double *matrix) {
    Treatment *made = calloc(1, sizeof *made);
    bool failed = false;
    if (!made) return NULL;
    atomic_init(&made->references, 1);
    made->kind = kind;
    made->amount = made->low = made->high = NAN;
    made->count = count;
    made->from = copy_texts(from, count, &failed);
    made->to = copy_texts(to, count, &failed);
    if (matrix) {
        const size_t cells = (size_t)count * (size_t)count;
        made->matrix = malloc((cells + 1) * sizeof *matrix);
        if (made->matrix) memcpy(made->matrix, matrix, cells * sizeof *matrix);
        failed |= !made->matrix;
    }
    if (!failed) return made;
    treatment_release(made);
    return NULL;
}

Treatment *treatment_of_amount(TreatmentKind kind, double amount) {
    Treatment *made = treatment_new(kind, 0, NULL, NULL, NULL);
    if (made) made->amount = amount;
    return made;
}

Treatment *treatment_after(const Treatment *treatment, const Treatment *before) {
    Treatment *made = treatment_new(treatment->kind, treatment->count, (const char *const *)treatment->from,
                                    (const char *const *)treatment->to, treatment->matrix);
    if (!made) return NULL;
    made->amount = treatment->amount;
    made->low = treatment->low;
    made->high = treatment->high;
    made->before = treatment_retain(before);
    return made;
}

Treatment *treatment_retain(const Treatment *treatment) {
    Treatment *shared = (Treatment *)(uintptr_t)treatment;
    if (shared) atomic_fetch_add(&shared->references, 1);
    return shared;
}

void treatment_release(Treatment *treatment) {
    while (treatment && atomic_fetch_sub(&treatment->references, 1) == 1) {
        Treatment *before = treatment->before;
        free_texts(treatment->from, treatment->count);
        free_texts(treatment->to, treatment->count);
        free(treatment->matrix);
        free(treatment);
        treatment = before;
    }
}

bool treatment_known(const Treatment *treatment) { return treatment && !treatment_includes(treatment, TREATED_OTHERWISE); }

bool treatment_includes(const Treatment *treatment, TreatmentKind kind) {
    for (; treatment; treatment = treatment->before)
        if (treatment->kind == kind) return true;
    return false;
}
