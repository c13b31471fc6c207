/* Neighbourhood sampling: what each column weighs in the distance, and who holds a value that is too rare to be released. */
#include "protect/nbrs/weights.h"
#include "table/group.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "profile/column_role.h"
#include "table/measurement_level.h"

enum { FEW_VALUES = 10 };

/* Section 4 speaks of dummies and other discrete variables: words, codes, and whole numbers of few values. */
static Status is_discrete(Work *work, const Column *column, bool *out) {
    Profile profile;
    *out = !column_numeric(column) && !column_linear(column);
    if (*out || column_is_codes(column)) return (*out = true), OK;
    Status status = column_profile(work, column, &profile);
    if (!status) *out = profile.whole && profile.distinct <= FEW_VALUES;
    return status;
}

Status discrete_columns(Work *work, Columns vars, bool **out) {
    Status status = OK;
    NEW(work, *out, vars.count + 1);
    for (int64_t j = 0; j < vars.count; j++) TRY(is_discrete(work, vars.at[j], &(*out)[j]));
done:
    return status;
}

/* As n grows ε falls, and with it must fall what it costs to differ in a category, or no neighbour ever does (section 4, which leaves the
 * rate open). With c columns that are not discrete a neighbourhood that is to keep its quality shrinks as n^(−1/(c+4)) (Scott 1992), and so
 * does the weight: 0.296 for the paper's 5,000 records and three such columns, where it takes 0.2 and 0.3. */
static double falling_weight(const bool *discrete, int64_t columns, int64_t rows) {
    int64_t others = 0;
    for (int64_t j = 0; j < columns; j++) others += !discrete[j];
    return others && rows > 1 ? pow((double)rows, -1 / (double)(others + 4)) : 1;
}

static Status discrete_weight(Work *work, const char *text, const bool *discrete, Columns vars, double *out) {
    *out = falling_weight(discrete, vars.count, vars.at[0]->rows);
    if (!strcmp(text, "auto") || (read_real(text, text + strlen(text), '.', out) && *out >= 0 && isfinite(*out))) return OK;
    fail(work->error, BAD, "must be auto or a number from 0 up");
    return error_parameter(work->error, "discrete-weight");
}

static Status named_weight(Work *work, const Pair *pair, Columns vars, double *weight) {
    int64_t j = 0;
    while (j < vars.count && !same_text(vars.at[j]->name, pair->name)) j++;
    if (j == vars.count) fail(work->error, BAD, "names '%s', which is not among the columns compared", pair->name);
    else if (!(pair->number[0] >= 0) || isinf(pair->number[0]))
        fail(work->error, BAD, "the weight of %s must be a number from 0 up", pair->name);
    else {
        weight[j] = pair->number[0];
        return OK;
    }
    return error_parameter(work->error, "weights");
}

Status column_weights(Work *work, Weighing *w, Columns vars, const bool *discrete, double **out) {
    Status status = OK;
    NEW(work, *out, vars.count + 1);
    if (w->discrete) TRY(discrete_weight(work, w->discrete, discrete, vars, &w->discrete_weight));
    for (int64_t j = 0; j < vars.count; j++) {
        (*out)[j] = w->discrete && discrete[j] ? w->discrete_weight : 1;
        if (w->decay > 0) (*out)[j] *= pow((double)j + 1, -w->decay);
    }
    for (int64_t i = 0; i < w->named.count; i++) TRY(named_weight(work, &w->named.at[i], vars, *out));
done:
    return status;
}

/* ---- Who is left out ---- */

/* Who holds a rare combination of these columns goes. Anyone who lacks one of the values holds none. */
static Status exclude_by(Work *work, const Codes *codes, int64_t columns, int64_t rows, int64_t least, bool *excluded, int64_t *gone) {
    Status status = OK;
    int64_t *held = NULL;
    Grouping groups = { 0 };
    TRY(group_codes(work, codes, columns, rows, &groups));
    NEW(work, held, groups.count + 1);
    for (int64_t i = 0; i < rows; i++) held[groups.of[i]] += !excluded[i];
    for (int64_t g = 0; g < groups.count; g++)
        for (int64_t j = 0; j < columns; j++)
            if (codes[j].at[groups.first[g]] < 0) held[g] = least;
    for (int64_t i = 0; i < rows; i++)
        if (!excluded[i] && held[groups.of[i]] < least) *gone += excluded[i] = true;
done:
    arena_drop(work->arena, held);
    grouping_drop(work, &groups);
    return status;
}

/* The next set of `size` of `count` columns, in order; false after the last. */
static bool next_columns(int64_t *in, int64_t size, int64_t count) {
    int64_t j = size - 1;
    while (j >= 0 && in[j] == count - size + j) j--;
    if (j < 0) return false;
    for (in[j]++, j++; j < size; j++) in[j] = in[j - 1] + 1;
    return true;
}

Status exclude_rare(Work *work, Columns vars, const bool *discrete, int64_t least, int64_t order, bool **out, int64_t *count) {
    enum { MOST = 4 };
    Status status = OK;
    Codes *codes = NULL, chosen[MOST];
    int64_t columns = 0, rows = vars.at[0]->rows, gone = 1, in[MOST];
    NEW(work, *out, rows + 1);
    NEW(work, codes, vars.count + 1);
    for (int64_t j = 0; j < vars.count; j++)
        if (discrete[j]) TRY(column_codes(work, vars.at[j], &codes[columns++]));
    for (*count = 0; gone; *count += gone) { /* who goes may leave another value rare */
        gone = 0;
        for (int64_t size = 1; size <= order && size <= columns && size <= MOST; size++) {
            for (int64_t j = 0; j < size; j++) in[j] = j;
            do {
                for (int64_t j = 0; j < size; j++) chosen[j] = codes[in[j]];
                TRY(exclude_by(work, chosen, size, rows, least, *out, &gone));
                TRY(work_check(work));
            } while (next_columns(in, size, columns));
        }
    }
done:
    return status;
}
