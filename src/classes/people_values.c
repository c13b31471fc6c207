/* Sensitive values of people: counted once per person, and the fewest values that reach everybody. */
#include "classes/people_values.h"
#include <stdlib.h>
#include "base/sort.h"
#include "table/group.h"

enum { STEPS = 20000 }; /* of the search for the fewest values of one class */

/* ---- each person once for each value ---- */

/* Row → people, 0 for all but the first record of a person in the class with the value. */
static Status times_once(Work *work, const int32_t *of, int64_t classes, int64_t rows, const Histories *h, const Codes *sensitive,
                         int64_t **out) {
    Status status = OK;
    Grouping groups = { 0 };
    const Codes codes[] = { { .count = (int32_t)classes, .at = of }, *sensitive, { .count = (int32_t)h->owners, .at = h->of } };
    TRY(group_codes(work, codes, 3, rows, &groups));
    NEW(work, *out, rows + 1);
    for (int64_t g = 0; g < groups.count; g++) (*out)[groups.first[g]] = h->stands_for[h->of[groups.first[g]]];
done:
    grouping_drop(work, &groups);
    return status;
}

/* The values of people in order of class, and in it of person. Missing ones are left out. */
typedef struct Pairs {
    int64_t *start; /* class → its pairs */
    int32_t *owner, *value;
} Pairs;

static Status list_pairs(Work *work, const int32_t *of, int64_t classes, int64_t rows, const Histories *h, const Codes *sensitive,
                         const int64_t *times, Pairs *out) {
    Status status = OK;
    int32_t *by_owner = NULL, *group = NULL, *place = NULL;
    int64_t *start = NULL, count = 0;
    TRY(groups_listed(work, h->of, rows, h->owners, &start, &by_owner));
    NEW(work, group, rows + 1);
    for (int64_t i = 0; i < rows; i++) {
        const int32_t row = by_owner[i];
        if (!times[row] || sensitive->at[row] < 0) continue;
        by_owner[count] = row;
        group[count++] = of[row];
    }
    TRY(groups_listed(work, group, count, classes, &out->start, &place));
    NEW(work, out->owner, count + 1);
    NEW(work, out->value, count + 1);
    for (int64_t i = 0; i < count; i++) {
        out->owner[i] = h->of[by_owner[place[i]]];
        out->value[i] = sensitive->at[by_owner[place[i]]];
    }
done:
    arena_drop(work->arena, start);
    arena_drop(work->arena, by_owner);
    arena_drop(work->arena, group);
    arena_drop(work->arena, place);
    return status;
}

/* ---- few values that reach everybody ---- */

/* One class: its people, the values of each, and how many people who are not reached yet have each value. */
typedef struct Cover {
    const Histories *h;
    const Pairs *pairs;
    int64_t people, steps;
    int64_t *first;   /* person of the class → its pairs; people + 1 */
    int32_t *reached; /* person → chosen values of theirs */
    int64_t *count;   /* value → people */
    int64_t *chosen;  /* value → people for whom it was chosen */
} Cover;

static int64_t weight_of(const Cover *c, int64_t person) { return c->h->stands_for[c->pairs->owner[c->first[person]]]; }

static void find_people(Cover *c, int64_t from, int64_t to) {
    c->people = 0;
    for (int64_t i = from; i < to; i++)
        if (i == from || c->pairs->owner[i] != c->pairs->owner[i - 1]) c->first[c->people++] = i;
    c->first[c->people] = to;
}

static void count_values(Cover *c) {
    for (int64_t i = c->first[0]; i < c->first[c->people]; i++) c->count[c->pairs->value[i]] = c->chosen[c->pairs->value[i]] = 0;
    for (int64_t p = 0; p < c->people; p++) {
        c->reached[p] = 0;
        for (int64_t i = c->first[p]; i < c->first[p + 1]; i++) c->count[c->pairs->value[i]] += weight_of(c, p);
    }
}

static int32_t commonest_value(const Cover *c) {
    int32_t most = c->pairs->value[c->first[0]];
    for (int64_t i = c->first[0]; i < c->first[c->people]; i++) {
        const int32_t value = c->pairs->value[i];
        if (c->count[value] > c->count[most] || (c->count[value] == c->count[most] && value < most)) most = value;
    }
    return most;
}

/* The commonest value for all who have it, and so on; how many it takes. */
static int64_t choose_commonest(Cover *c) {
    int64_t values = 0;
    for (int64_t left = c->people; left; values++) {
        const int32_t value = commonest_value(c);
        for (int64_t p = 0; p < c->people; p++) {
            bool has = false;
            for (int64_t i = c->first[p]; i < c->first[p + 1] && !c->reached[p]; i++) has |= c->pairs->value[i] == value;
            if (!has) continue;
            c->reached[p] = 1;
            c->chosen[value] += weight_of(c, p);
            for (int64_t i = c->first[p]; i < c->first[p + 1]; i++) c->count[c->pairs->value[i]] -= weight_of(c, p);
            left--;
        }
    }
    return values;
}

static void take_value(Cover *c, int32_t value, int32_t by) {
    for (int64_t p = 0; p < c->people; p++)
        for (int64_t i = c->first[p]; i < c->first[p + 1]; i++) c->reached[p] += c->pairs->value[i] == value ? by : 0;
}

/* Do so many values reach everybody? The person with the fewest values has one of them. False also where the steps ran out. */
static bool reaches_all(Cover *c, int64_t values) {
    int64_t person = -1;
    for (int64_t p = 0; p < c->people; p++)
        if (!c->reached[p] && (person < 0 || c->first[p + 1] - c->first[p] < c->first[person + 1] - c->first[person])) person = p;
    if (person < 0) return true;
    bool found = false;
    for (int64_t i = c->first[person]; values && i < c->first[person + 1] && !found && c->steps > 0; i++) {
        c->steps--;
        take_value(c, c->pairs->value[i], 1);
        found = reaches_all(c, values - 1);
        take_value(c, c->pairs->value[i], -1);
    }
    return found;
}

/* From a bound that no choice falls below up to what the commonest first take. */
static int64_t fewest_values(Cover *c, int64_t enough) {
    int64_t most = 0, people = 0;
    for (int64_t p = 0; p < c->people; p++) people += weight_of(c, p);
    for (int64_t i = c->first[0]; i < c->first[c->people]; i++)
        if (c->count[c->pairs->value[i]] > most) most = c->count[c->pairs->value[i]];
    int64_t least = most ? (people + most - 1) / most : 0;
    for (int64_t p = 0; p < c->people; p++) c->reached[p] = 0;
    c->steps = STEPS;
    for (; least < enough && !reaches_all(c, least); least++)
        if (c->steps <= 0) return least; /* that so many do was not excluded */
    return least;
}

static Status cover_classes(Work *work, int64_t classes, int32_t values, const Histories *h, const Pairs *pairs, PeopleValues *out) {
    Status status = OK;
    Cover c = { .h = h, .pairs = pairs };
    int64_t most = 0, cells = 0;
    for (int64_t k = 0; k < classes; k++)
        if (pairs->start[k + 1] - pairs->start[k] > most) most = pairs->start[k + 1] - pairs->start[k];
    NEW(work, c.first, most + 2);
    NEW(work, c.reached, most + 1);
    NEW(work, c.count, (int64_t)values + 1);
    NEW(work, c.chosen, (int64_t)values + 1);
    NEW(work, out->least, classes + 1);
    out->chosen = (ClassTallies){ .classes = classes };
    NEW(work, out->chosen.start, classes + 1);
    NEW(work, out->chosen.total, classes + 1);
    NEW(work, out->chosen.value, pairs->start[classes] + 1);
    NEW(work, out->chosen.count, pairs->start[classes] + 1);
    for (int64_t k = 0; k < classes; k++) {
        out->chosen.start[k] = cells;
        find_people(&c, pairs->start[k], pairs->start[k + 1]);
        if (!c.people) continue;
        count_values(&c);
        const int64_t enough = choose_commonest(&c);
        for (int64_t t = out->tallies.start[k]; t < out->tallies.start[k + 1]; t++) { /* values ascending */
            const int32_t value = out->tallies.value[t];
            if (value >= values || !c.chosen[value]) continue;
            out->chosen.value[cells] = value;
            out->chosen.count[cells++] = c.chosen[value];
            out->chosen.total[k] += c.chosen[value];
        }
        if (enough > out->chosen.most_distinct) out->chosen.most_distinct = enough;
        count_values(&c);
        out->least[k] = fewest_values(&c, enough);
        TRY(work_check(work));
    }
    out->chosen.start[classes] = cells;
done:
    arena_drop(work->arena, c.first);
    arena_drop(work->arena, c.reached);
    arena_drop(work->arena, c.count);
    arena_drop(work->arena, c.chosen);
    return status;
}

Status people_values_make(Work *work, const int32_t *of, int64_t classes, int64_t rows, const Histories *h, const Codes *sensitive,
                          PeopleValues *out) {
    Status status = OK;
    Work once = *work;
    Pairs pairs = { 0 };
    *out = (PeopleValues){ 0 };
    TRY(times_once(work, of, classes, rows, h, sensitive, &out->times));
    once.times = out->times;
    TRY(class_tallies_make(&once, of, classes, rows, sensitive, &out->tallies));
    TRY(list_pairs(work, of, classes, rows, h, sensitive, out->times, &pairs));
    NEW(work, out->people, classes + 1);
    for (int64_t c = 0; c < classes; c++)
        for (int64_t i = pairs.start[c]; i < pairs.start[c + 1]; i++)
            if (i == pairs.start[c] || pairs.owner[i] != pairs.owner[i - 1]) out->people[c] += h->stands_for[pairs.owner[i]];
    TRY(cover_classes(work, classes, sensitive->count, h, &pairs, out));
done:
    arena_drop(work->arena, pairs.start);
    arena_drop(work->arena, pairs.owner);
    arena_drop(work->arena, pairs.value);
    return status;
}

Tally people_tally(const PeopleValues *values, int64_t c, int32_t missing) {
    Tally tally = tally_present(spread_tally(&values->tallies, c), missing);
    tally.total = values->people[c];
    return tally;
}
