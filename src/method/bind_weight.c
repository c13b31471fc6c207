/* Weights are checked once, for every method that takes them. */
#include "base/elementary.h"
#include "method/bind.h"

Status check_weights(const Binding *b, const Column *weight) {
    int64_t bad = 0, first = -1, missing = 0;
    bool any = false;
    for (int64_t i = 0; i < weight->rows; i++) {
        const double w = column_number(weight, i);
        any |= w > 0;
        if (w >= 0 && w < INFINITY) continue;
        if (!bad++) first = b->rows ? b->rows[i] : i;
        missing += isnan(w);
    }
    if (bad) {
        fail(b->work->error, BAD, "%lld of %lld weights %s missing, negative or infinite (%lld missing)", (long long)bad,
             (long long)weight->rows, bad == 1 ? "is" : "are", (long long)missing);
        error_advice(b->work->error, "Correct them, or leave these records out with --where.");
        error_column(b->work->error, weight->name);
        return error_row(b->work->error, first);
    }
    if (any || !weight->rows || b->chunk) return OK;
    fail(b->work->error, BAD, "all weights are 0");
    return error_column(b->work->error, weight->name);
}
