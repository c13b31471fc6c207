/* People re-identified, by the record of each that tells most. */
#include "risk/reidentified_people.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "table/column_cache.h"
#include "table/group.h"

/* Record of the release → its person; a record that is nobody's is a person of its own. */
static Status persons_of_records(Work *work, const Ownership *owner, int64_t records, const Column *person, int32_t **who,
                                 int64_t *people) {
    Status status = OK;
    Codes codes;
    int32_t *number = NULL;
    TRY(column_codes(work, person, &codes));
    NEW(work, *who, records + 1);
    NEW(work, number, codes.count + 1);
    *people = 0;
    for (int64_t i = 0; i < records; i++) {
        const int32_t code = codes.at[owner->row[i]];
        if (code < 0) (*who)[i] = (int32_t)(*people)++;
        else {
            if (!number[code]) number[code] = (int32_t)++ * people;
            (*who)[i] = number[code] - 1;
        }
    }
done:
    arena_drop(work->arena, number);
    return status;
}

Status reidentified_people(Work *work, const Ownership *owner, int64_t records, const Column *person, const KeyGraph *graph,
                           const Beliefs *b, ReidentifiedPeople *out) {
    static const double SURE = 1 - 1e-9;
    Status status = OK;
    int32_t *who = NULL, *same = NULL;
    double *right = NULL, *belief = NULL, *most = NULL, *strongest = NULL, tried = 0;
    Grouping groups = { 0 };
    *out = (ReidentifiedPeople){ 0 };
    TRY(persons_of_records(work, owner, records, person, &who, &out->people));
    NEW(work, same, records + 1);
    for (int64_t i = 0; i < records; i++) same[i] = graph ? graph->truth_of[owner->row[i]] : (int32_t)i;
    const Codes codes[] = { { .count = (int32_t)out->people, .at = who },
                            { .count = (int32_t)(graph ? graph->truths : records), .at = same } };
    TRY(group_codes(work, codes, 2, records, &groups));
    NEW(work, right, groups.count + 1);
    NEW(work, belief, groups.count + 1);
    NEW(work, most, out->people + 1);
    NEW(work, strongest, out->people + 1);
    for (int64_t p = 0; p < out->people; p++) most[p] = -1;
    for (int64_t i = 0; i < records; i++) {
        if (isnan(b->right[i])) continue;
        right[groups.of[i]] += b->right[i];
        if (b->belief && !isnan(b->belief[i])) belief[groups.of[i]] += b->belief[i];
        most[who[i]] = larger(most[who[i]], smaller(1, right[groups.of[i]]));
        strongest[who[i]] = larger(strongest[who[i]], smaller(1, belief[groups.of[i]]));
    }
    for (int64_t p = 0; p < out->people; p++) {
        if (most[p] < 0) continue;
        tried++;
        out->total += most[p];
        out->certain += strongest[p] >= SURE;
        out->worst = fmax(out->worst, strongest[p]);
    }
    if (tried > 0) out->total *= (double)out->people / tried;
done:
    grouping_drop(work, &groups);
    arena_drop(work->arena, who);
    arena_drop(work->arena, same);
    arena_drop(work->arena, right);
    arena_drop(work->arena, belief);
    arena_drop(work->arena, most);
    arena_drop(work->arena, strongest);
    return status;
}
