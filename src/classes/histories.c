/* Histories: records by person, and people counted by their candidates. */
#include "classes/histories.h"
#include <stdlib.h>
#include "base/sort.h"
#include "table/column_cache.h"

/* Row → owner: the person's code, and behind the persons a number for each record that is nobody's. */
static Status find_owners(Work *work, const Classes *classes, const Column *person, Histories *out) {
    Status status = OK;
    Codes codes = { 0 };
    if (person) TRY(column_codes(work, person, &codes));
    NEW(work, out->of, classes->rows + 1);
    out->owners = codes.count;
    for (int64_t i = 0; i < classes->rows; i++) {
        const bool somebody = codes.at && codes.at[i] >= 0;
        out->of[i] = somebody ? codes.at[i] : (int32_t)out->owners++;
    }
    NEW(work, out->stands_for, out->owners + 1);
    for (int64_t o = 0; o < codes.count; o++) out->stands_for[o] = 1;
    for (int64_t i = 0; i < classes->rows; i++)
        if (out->of[i] >= codes.count) out->stands_for[out->of[i]] = work_times(work, i);
    for (int64_t o = 0; o < out->owners; o++) out->people += out->stands_for[o];
done:
    return status;
}

/* Rows in order of owner, and of class within each. */
static Status rows_by_owner(Work *work, const Classes *classes, const Histories *h, int64_t **start, int32_t **row) {
    Status status = OK;
    int64_t *by_class = NULL;
    int32_t *in_class = NULL, *owner = NULL, *place = NULL;
    TRY(groups_listed(work, classes->of, classes->rows, classes->count, &by_class, &in_class));
    NEW(work, owner, classes->rows + 1);
    for (int64_t i = 0; i < classes->rows; i++) owner[i] = h->of[in_class[i]];
    TRY(groups_listed(work, owner, classes->rows, h->owners, start, &place));
    NEW(work, *row, classes->rows + 1);
    for (int64_t i = 0; i < classes->rows; i++) (*row)[i] = in_class[place[i]];
done:
    arena_drop(work->arena, by_class);
    arena_drop(work->arena, in_class);
    arena_drop(work->arena, owner);
    arena_drop(work->arena, place);
    return status;
}

Status histories_make(Work *work, const Classes *classes, const Column *person, Histories *out) {
    Status status = OK;
    int64_t *first = NULL, count = 0;
    int32_t *row = NULL;
    *out = (Histories){ 0 };
    TRY(find_owners(work, classes, person, out));
    TRY(rows_by_owner(work, classes, out, &first, &row));
    NEW(work, out->start, out->owners + 2);
    NEW(work, out->class, classes->rows + 1);
    NEW(work, out->times, classes->rows + 1);
    for (int64_t o = 0; o < out->owners; o++) {
        out->start[o] = count;
        for (int64_t r = first[o]; r < first[o + 1]; r++) {
            const int32_t class = classes->of[row[r]];
            if (count == out->start[o] || out->class[count - 1] != class) out->class[count++] = class;
            out->times[count - 1] += out->stands_for[o] > 1 ? 1 : work_times(work, row[r]);
        }
    }
    out->start[out->owners] = count;
done:
    arena_drop(work->arena, first);
    arena_drop(work->arena, row);
    return status;
}

Status knows_read(const char *text, int64_t *out, Error *error) {
    char *end = NULL;
    *out = 1;
    if (!text || !strcmp(text, "one")) return OK;
    *out = KNOWS_ALL;
    if (!strcmp(text, "all")) return OK;
    *out = strtoll(text, &end, 10);
    if (end != text && !*end && *out >= 1 && *out <= 1000000) return OK;
    fail(error, BAD, "is one, all, or a number of records from 1");
    return error_parameter(error, "knows");
}

Status people_counts(Work *work, const Histories *h, int64_t classes, int64_t knows, PeopleCounts *out) {
    Status status = OK;
    KnownPeople known, whole = { 0 };
    TRY(histories_candidates(work, h, classes, knows, KNOWN_SETS_MOST, &known));
    const int64_t *least = known.candidates;
    if (known.sampled) {
        TRY(histories_candidates(work, h, classes, KNOWS_ALL, KNOWN_SETS_MOST, &whole));
        least = whole.candidates;
    }
    *out = (PeopleCounts){ .k = h->people, .sampled = known.sampled, .bounded = known.bounded, .candidates = known.candidates };
    for (int64_t o = 0; o < h->owners; o++) {
        const int64_t people = h->stands_for[o], candidates = known.candidates[o];
        if (least[o] < out->k) out->k = least[o];
        if (!candidates) continue;
        out->people += people;
        out->uniques += candidates < 2 ? people : 0;
        out->below_3 += candidates < 3 ? people : 0;
        out->below_5 += candidates < 5 ? people : 0;
    }
done:
    arena_drop(work->arena, whole.candidates);
    return status;
}

static int64_t run_of(const Histories *h, int64_t owner, int32_t class) {
    int64_t low = h->start[owner], high = h->start[owner + 1] - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (h->class[middle] < class) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The weights of each owner's records in each class, added up exactly. */
static Status weigh_runs(Work *work, const Histories *h, const Classes *classes, const Column *weight, WeightSum **out) {
    Status status = OK;
    WeightSum one;
    NEW(work, *out, h->start[h->owners] + 1);
    for (int64_t i = 0; i < classes->rows; i++) {
        if (column_missing(weight, i)) {
            fail(work->error, BAD, "a weight is missing");
            error_advice(work->error, "Leave such records out with --where, or give no --weight.");
            error_column(work->error, weight->name);
            TRY(error_row(work->error, i));
        }
        TRY(work_weight(work, i, column_number(weight, i), &one));
        (*out)[run_of(h, h->of[i], classes->of[i])] += one;
    }
done:
    return status;
}

Status histories_frequencies(Work *work, const Histories *h, const Classes *classes, const Column *weight, Frequencies *out) {
    Status status = OK;
    int64_t *f = NULL;
    double *F = NULL;
    WeightSum *run = NULL, *sum = NULL;
    NEW(work, f, classes->count + 1);
    NEW(work, F, classes->count + 1);
    NEW(work, sum, classes->count + 1);
    if (weight) TRY(weigh_runs(work, h, classes, weight, &run));
    for (int64_t o = 0; o < h->owners; o++)
        for (int64_t i = h->start[o]; i < h->start[o + 1]; i++) {
            f[h->class[i]] += h->stands_for[o];
            if (weight) sum[h->class[i]] += run[i] / h->times[i];
        }
    for (int64_t c = 0; c < classes->count; c++) F[c] = weight ? weight_real(sum[c]) : (double)f[c];
    *out = (Frequencies){ f, F };
done:
    arena_drop(work->arena, run);
    arena_drop(work->arena, sum);
    return status;
}

double largest_share(const Histories *h, const Classes *classes) {
    double most = 0;
    for (int64_t o = 0; o < h->owners; o++)
        for (int64_t i = h->start[o]; i < h->start[o + 1]; i++) {
            const double share = (double)h->times[i] / (double)classes->size[h->class[i]];
            if (share > most) most = share;
        }
    return most;
}

Status number_people(Work *work, const Column *person, int32_t **of, int64_t *people) {
    Status status = OK;
    Codes codes;
    TRY(column_codes(work, person, &codes));
    NEW(work, *of, person->rows + 1);
    *people = codes.count;
    for (int64_t i = 0; i < person->rows; i++) (*of)[i] = codes.at[i] >= 0 ? codes.at[i] : (int32_t)(*people)++;
done:
    return status;
}
