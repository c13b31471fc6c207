/* People re-identified by what is known of their histories. */
#include "risk/reidentification/reidentified_people.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "classes/histories.h"

Status attack_people_by_keys(Work *work, const KeyGraph *rows, const Ownership *owner, const ReleasedPeople *people, int64_t knows,
                             PeopleAttack *out) {
    Status status = OK;
    *out = (PeopleAttack){ 0 };
    TRY(history_graph_make(work, rows, owner, people, knows, &out->history));
    TRY(believe_by_counting(work, &out->history.graph, &people->owner, &out->counting));
    TRY(believe_by_weighing(work, &out->history.graph, &people->owner, &out->weighing));
    TRY(believe_by_assigning(work, &out->history.graph, &people->owner, &out->assigned));
done:
    return status;
}

/* Of each person the record that tells most. */
static Status best_record(Work *work, const Beliefs *records, const ReleasedPeople *people, int64_t rows, Beliefs *out) {
    Status status = OK;
    double tried = 0, sum = 0, squares = 0;
    const double n = (double)people->released;
    *out = *records;
    if (!records->ran || !records->right) return OK;
    NEW(work, out->right, people->released + 1);
    NEW(work, out->belief, people->released + 1);
    for (int64_t p = 0; p < people->released; p++) out->right[p] = out->belief[p] = NAN;
    for (int64_t i = 0; i < rows; i++) {
        const int32_t p = people->person_of[i];
        if (isnan(records->right[i])) continue;
        out->right[p] = isnan(out->right[p]) ? records->right[i] : larger(out->right[p], records->right[i]);
        if (records->belief && !isnan(records->belief[i]))
            out->belief[p] = isnan(out->belief[p]) ? records->belief[i] : larger(out->belief[p], records->belief[i]);
    }
    for (int64_t p = 0; p < people->released; p++) {
        if (isnan(out->right[p])) continue;
        tried++;
        sum += out->right[p];
        squares += out->right[p] * out->right[p];
    }
    const double mean = tried > 0 ? sum / tried : 0;
    out->total = mean * n;
    out->error = tried > 1 && tried < n ? n * sqrt(fmax(squares / tried - mean * mean, 0) / tried * (1 - tried / n)) : 0;
done:
    return status;
}

/* ---- numbers of whole histories ---- */

enum { MEAN, LEAST, MOST, SUMMARIES };

static Status summarise(Work *work, const Column *column, const int32_t *person, int64_t people, Column **out) {
    Status status = OK;
    double *sum[SUMMARIES] = { NULL };
    int64_t *count = NULL;
    for (int k = 0; k < SUMMARIES; k++) NEW(work, sum[k], people + 1);
    NEW(work, count, people + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        const double x = column_missing(column, i) ? NAN : column_number(column, i);
        const int32_t p = person[i];
        if (isnan(x)) continue;
        sum[MEAN][p] += x;
        sum[LEAST][p] = count[p] ? smaller(sum[LEAST][p], x) : x;
        sum[MOST][p] = count[p]++ ? larger(sum[MOST][p], x) : x;
    }
    for (int k = 0; k < SUMMARIES; k++) {
        TRY(column_new(REAL_TYPE, column->name, people, &out[k], work->error));
        TRY(column_need_valid(out[k], work->error));
        for (int64_t p = 0; p < people; p++) {
            if (count[p]) out[k]->real[p] = k == MEAN ? sum[k][p] / (double)count[p] : sum[k][p];
            else column_set_missing(out[k], p);
        }
        column_seal(out[k]);
    }
done:
    for (int k = 0; k < SUMMARIES; k++) arena_drop(work->arena, sum[k]);
    arena_drop(work->arena, count);
    return status;
}

static Status join_summaries(Work *work, const KeyGraph *history, const ReleasedPeople *people, Columns before, Columns after,
                             Beliefs *out) {
    Status status = OK;
    Column **was = NULL, **is = NULL;
    const int64_t columns = before.count * SUMMARIES;
    NEW(work, was, columns + 1);
    NEW(work, is, columns + 1);
    for (int64_t j = 0; j < before.count; j++) {
        TRY(summarise(work, before.at[j], people->true_person, people->people, &was[j * SUMMARIES]));
        TRY(summarise(work, after.at[j], people->person_of, people->released, &is[j * SUMMARIES]));
    }
    const Columns from = { columns, (const Column **)(uintptr_t)was }, to = { columns, (const Column **)(uintptr_t)is };
    TRY(believe_by_joining(work, history, from, to, &people->owner, false, out));
done:
    for (int64_t j = 0; was && is && j < columns; j++) {
        column_release(was[j]);
        column_release(is[j]);
    }
    return status;
}

Status attack_people_by_numbers(Work *work, const Beliefs *records, const KeyGraph *history, const ReleasedPeople *people, Columns before,
                                Columns after, bool all, Beliefs *out) {
    Status status = OK;
    Beliefs whole;
    TRY(best_record(work, records, people, after.count ? after.at[0]->rows : 0, out));
    if (!all || !before.count) return OK;
    TRY(join_summaries(work, history, people, before, after, &whole));
    if (whole.ran && (!out->ran || whole.total > out->total)) *out = whole;
done:
    return status;
}
