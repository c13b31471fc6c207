/* risk.reidentification of people who have several records, for an intruder who knows one, several or all of them. */
#include <string.h>
#include "risk/reidentification/reidentification.h"
#include "risk/reidentification/reidentified_people.h"
#include "table/group.h"

static Status have_several(Attack *x, bool *out) {
    Status status = OK;
    Codes codes;
    int64_t nobodys = 0;
    TRY(column_codes(&x->run->work, x->a->person, &codes));
    for (int64_t i = 0; i < x->a->person->rows; i++) nobodys += codes.at[i] < 0;
    *out = codes.count + nobodys < x->a->person->rows;
done:
    return status;
}

static Status count_records(Attack *x, const char *why) {
    result_note(x->run->result, "%s", why);
    x->run->result->of_records = true;
    return OK;
}

/* People are counted where people have several records, and it can be told which released records are of one person. */
static Status find_people(Attack *x) {
    Status status = OK;
    const ReidentificationArgs *a = x->a;
    Work *work = &x->run->work;
    int64_t knows;
    bool several = false;
    NEW(work, x->unit_of, x->joint.records + 1);
    for (int64_t i = 0; i < x->joint.records; i++) x->unit_of[i] = (int32_t)i;
    x->units = x->joint.records;
    TRY(knows_read(a->knows, &knows, work->error));
    if (a->knows && (!a->person || a->previous.count)) {
        if (a->person) fail(work->error, BAD, "cannot be used with --previous: of releases over time one record of each is known");
        else fail(work->error, BAD, "is about people who have several records, and needs --person");
        TRY(error_parameter(work->error, "knows"));
    }
    if (a->person) TRY(have_several(x, &several));
    if (!several) return OK;
    const Column *released = x->owner.known ? NULL : table_column(a->released, a->person->name);
    if (a->previous.count) return count_records(x, "With earlier releases, records are counted, not people.");
    if (!x->owner.known && !released)
        return count_records(x, "It is not known whose records are whose, so that records are counted, not people.");
    if (x->graph.sampled) return count_records(x, "There are too many records that may be whose. Records are counted, not people.");
    TRY(released_people_find(work, &x->owner, x->joint.records, a->person, released, &x->who));
    if (x->who.people < x->who.released)
        return count_records(x, "The release has more people than the original. Records are counted, not people.");
    x->by_person = true;
    x->units = x->who.released;
    memcpy(x->unit_of, x->who.person_of, (size_t)x->joint.records * sizeof *x->unit_of);
done:
    return status;
}

static void describe_knowledge(Attack *x, int64_t knows, const HistoryGraph *history) {
    Result *result = x->run->result;
    result_text(result, "knows", x->a->knows ? x->a->knows : "one");
    if (knows == KNOWS_ALL) result_note(result, "People are counted. The intruder knows all records of each person.");
    else
        result_note(result, "People are counted. Of each person the intruder knows %lld record%s, those that fit the fewest people.",
                    (long long)knows, knows == 1 ? "" : "s");
    if (x->a->vars.count && knows != KNOWS_ALL)
        result_note(result, "Numbers are known of one record of each person, the one that tells most.");
    if (history && history->bounded)
        result_note(result, "There are too many sets of records to try all. Another set may re-identify more people.");
    if (history && history->approximate)
        result_note(result, "Histories of many different records are weighed by one way to match the records, an approximation.");
    if (history && history->graph.sampled) result_note(result, "Histories were compared for a sample of the people.");
}

static double largest_total(const PeopleAttack *found) {
    double most = found->counting.total;
    if (found->weighing.total > most) most = found->weighing.total;
    if (found->assigned.beliefs.ran && found->assigned.beliefs.total > most) most = found->assigned.beliefs.total;
    return most;
}

/* Re-identifications by keys for one, two and all records. */
static Status compare_knowledge(Attack *x, int64_t done_for, const PeopleAttack *own) {
    static const struct {
        const char *name;
        int64_t knows;
    } all[] = { { "one", 1 }, { "two", 2 }, { "all", KNOWS_ALL } };
    Status status = OK;
    Grid *grid = grid_new(x->run->result, "knowledge", "knows:text expected:real share:real certain:integer");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        PeopleAttack found = *own;
        if (all[i].knows != done_for) TRY(attack_people_by_keys(&x->run->work, &x->graph, &x->owner, &x->who, all[i].knows, &found));
        grid_text(grid, all[i].name);
        grid_real(grid, largest_total(&found));
        grid_real(grid, x->units ? largest_total(&found) / (double)x->units : NAN);
        grid_integer(grid, found.assigned.certain);
    }
done:
    grid_done(grid);
    return status;
}

Status reidentification_of_people(Attack *x) {
    Status status = OK;
    PeopleAttack found = { 0 };
    int64_t knows;
    const bool keys = x->beliefs[COUNTING].ran;
    TRY(find_people(x));
    if (!x->by_person) return OK;
    TRY(knows_read(x->a->knows, &knows, x->run->work.error));
    if (keys) {
        TRY(attack_people_by_keys(&x->run->work, &x->graph, &x->owner, &x->who, knows, &found));
        x->beliefs[COUNTING] = found.counting;
        x->beliefs[WEIGHING] = found.weighing;
        x->beliefs[ASSIGNING] = found.assigned.beliefs;
        x->assigned = found.assigned;
    }
    describe_knowledge(x, knows, keys ? &found.history : NULL);
    TRY(attack_people_by_numbers(&x->run->work, &x->beliefs[JOINING], keys ? &found.history.graph : NULL, &x->who, x->before, x->after,
                                 knows == KNOWS_ALL, &found.joining));
    x->beliefs[JOINING] = found.joining;
    if (keys) TRY(compare_knowledge(x, knows, &found));
done:
    return status;
}
