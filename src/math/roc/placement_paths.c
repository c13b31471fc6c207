/* Ways to the states of a row, and from them to the end, by those of the row beside it. */
#include "math/roc/placement_states.h"

/* Whether it fits is as good as drawn: no branch waits for it. */
static inline Scaled add_where(Scaled sum, Scaled more, bool fits) {
    if (sum.power != more.power) return fits ? scaled_add(sum, more) : sum;
    return scaled_add(sum, (Scaled){ more.mantissa * fits, more.power });
}

static inline bool plain_fit(const RocGroup *group, const RocStep *step) {
    return (group->positives <= step->positives) & (group->negatives <= step->negatives);
}

static void plain_forward(const RocBand *band, int64_t i, const Scaled *before, Scaled *now) {
    const RocGroup group = band->known->at[i - 1];
    int64_t first = band->first[i], origin = band->first[i - 1], end = band->last[i - 1] + 1, j = first;
    if (end > band->last[i]) end = band->last[i];
    Scaled sum = { 0 };
    for (; j <= origin && j <= band->last[i]; j++) now[j - first] = sum;
    for (; j <= end; j++) now[j - first] = sum = add_where(sum, before[j - 1 - origin], plain_fit(&group, &band->steps->at[j - 1]));
    for (; j <= band->last[i]; j++) now[j - first] = sum;
}

static void plain_backward(const RocBand *band, int64_t i, const Scaled *after, Scaled *now) {
    const RocGroup group = band->known->at[i];
    int64_t first = band->first[i], origin = band->first[i + 1], j = band->last[i];
    Scaled sum = { 0 };
    for (; j >= band->last[i + 1] && j >= first; j--) now[j - first] = sum;
    for (; j + 1 >= origin && j >= first; j--)
        now[j - first] = sum = add_where(sum, after[j + 1 - origin], plain_fit(&group, &band->steps->at[j]));
    for (; j >= first; j--) now[j - first] = sum;
}

void roc_forward_row(const RocBand *band, int64_t i, const Scaled *before, Scaled *now) {
    int64_t first = band->first[i], origin = band->first[i - 1];
    Scaled sum = { 0 };
    if (band->plain) {
        plain_forward(band, i, before, now);
        return;
    }
    for (int64_t j = first; j <= band->last[i]; j++) {
        int64_t taken = roc_taken(band->steps, &band->known->at[i - 1], j);
        if (taken && j - taken >= origin) sum = scaled_add(sum, before[j - taken - origin]);
        now[j - first] = sum;
    }
}

void roc_backward_row(const RocBand *band, int64_t i, const Scaled *after, Scaled *now) {
    int64_t first = band->first[i];
    Scaled sum = { 0 };
    if (band->plain) {
        plain_backward(band, i, after, now);
        return;
    }
    for (int64_t j = band->last[i]; j >= first; j--) {
        int64_t end = roc_ends(band, i, j);
        if (end) sum = scaled_add(sum, after[end - band->first[i + 1]]);
        now[j - first] = sum;
    }
}

void roc_ones(const RocBand *band, int64_t i, Scaled *row) {
    for (int64_t k = 0; k < roc_width(band, i); k++) row[k] = (Scaled){ 1, 0 };
}
