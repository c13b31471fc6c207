/* risk.reidentification: four simulated intruders attack a release (intruder/beliefs.h): docs/methods/risk-reidentification.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "intruder/beliefs.h"
#include "intruder/earlier_releases.h"
#include "risk/paired_columns.h"
#include "risk/reidentified_people.h"
#include "table/group.h"
#include "classes/histories.h"
#include "classes/joint_codes.h"

typedef struct {
    const Table *original, *released;
    Columns keys, vars, by;
    const Column *id, *household, *person;
    Tables previous;
    const char *knows;
    bool synthetic;
} args;

static const Param params[] = {
    TABLE(args, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, keys, released, "Quasi-identifiers (key variables): columns that an intruder may know"),
    COLUMNS(args, vars, original, "Numeric columns that the intruder also knows", .flags = NUMERIC, .role = "numeric"),
    COLUMN(args, id, BOTH, "Record number in release and original (default: records are paired by the recipe, else by position)"),
    PREVIOUS(args),
    COLUMN(args, household, original, "Household numbers. A household is re-identified if one of its members is"),
    COLUMNS(args, by, original, "Columns of the original: also report the risk of each group"),
    PERSON(args, original),
    KNOWS(args),
    FLAG(args, synthetic, "The release is fully synthetic: people who are unique on the same keys in both tables count as re-identified"),
    END,
};

static const Return values[] = {
    VALUE(share, REAL, "Share of people whom the best simulated intruder re-identifies. 0 = nobody; smaller is safer",
          .flags = PUBLIC | LESS),
    VALUE(expected, REAL, "Expected number of correct re-identifications by the best intruder", .flags = PUBLIC | LESS),
    VALUE(best, TEXT, "The intruder with the most re-identifications: counting, weighing, assigning or joining", .flags = PUBLIC),
    VALUE(certain, INTEGER, "People for whom exactly one released record is possible, given everybody's keys. 0 = nobody",
          .flags = PUBLIC | LESS),
    VALUE(class_certain, INTEGER, "People for whom exactly one equivalence class of the release is possible", .flags = PUBLIC | LESS),
    VALUE(worst, REAL, "Highest probability of a person's true record, 0 to 1; smaller is safer", .flags = PUBLIC | LESS),
    VALUE(by_counting, REAL, "Expected re-identifications by a random choice among the records that match a person's keys",
          .flags = PUBLIC | LESS),
    VALUE(by_weighing, REAL, "Expected re-identifications if the intruder weighs records by their likelihood", .flags = PUBLIC | LESS),
    VALUE(by_assigning, REAL, "Expected re-identifications if the intruder knows everybody's keys", .flags = PUBLIC | LESS),
    VALUE(by_joining, REAL, "Expected re-identifications if the intruder uses keys and numbers together", .flags = PUBLIC | LESS),
    VALUE(error, REAL, "Standard error of `expected` if the best intruder was simulated on a sample of the people; otherwise 0",
          .flags = PUBLIC),
    VALUE(people, INTEGER, "People in the release; with --previous, in any of the releases", .flags = PUBLIC),
    VALUE(releases, INTEGER, "With --previous: number of releases that the intruders have", .flags = PUBLIC),
    VALUE(truth, TEXT, "How released records are paired with people: id, recipe, position; or unknown", .flags = PUBLIC),
    VALUE(households, INTEGER, "With --household: households in the release", .flags = PUBLIC),
    VALUE(household_expected, REAL, "Expected number of households with a re-identified member", .flags = PUBLIC | LESS),
    VALUE(household_share, REAL, "Share of the households with a re-identified member", .flags = PUBLIC | LESS),
    TABLE_OUT(intruders, "intruder:text expected:real share:real worst:real note:text",
              "Each intruder: expected re-identifications, their share, highest probability of a true record, and why it was not run",
              .flags = PUBLIC),
    VALUE(knows, TEXT, "With a person: which of a person's records the intruder knows: one, all, or a number", .flags = PUBLIC),
    TABLE_OUT(knowledge, "knows:text expected:real share:real certain:integer",
              "With a person: re-identifications by keys, for an intruder who knows one, two or all records of a person", .flags = PUBLIC),
    TABLE_OUT(groups, "group:text people:integer share:real certain:integer", "With --by: people and risk of each group"),
    RECORD(belief, REAL, "Highest probability that an intruder assigns to this person's true record", .of = "released"),
    END,
};

enum { COUNTING, WEIGHING, ASSIGNING, JOINING, INTRUDERS };
static const char *const intruder_names[] = { "counting", "weighing", "assigning", "joining" };

typedef struct {
    Run *run;
    const args *a;
    int64_t tables; /* releases: 0 is the one at hand, the others are earlier ones */
    const Table **table;
    JointRecords joint;    /* their records side by side; of one release, its own */
    Columns held;          /* columns made for them */
    Columns before, after; /* numbers, side by side */
    Ownership owner;       /* of joint records */
    KeyGraph graph;
    Beliefs beliefs[INTRUDERS]; /* by unit */
    Assignments assigned;
    int64_t units;    /* records; where people have several, people */
    int32_t *unit_of; /* joint record → unit */
    bool by_person;
    ReleasedPeople who; /* by_person */
    int best;
} Attack;

/* ---- the four intruders ---- */

/* A release's column beside the records of all releases. */
static Status joint_column(Attack *x, int64_t table, const Column *column, const Column **out) {
    Status status = OK;
    Column *taken = NULL;
    *out = column;
    if (x->tables == 1) return OK;
    TRY(column_take(column, x->joint.row[table], x->joint.records, &taken, x->run->work.error));
    *out = x->held.at[x->held.count++] = taken;
done:
    return status;
}

static Status attack_by_keys(Attack *x) {
    Status status = OK;
    const args *a = x->a;
    Columns before = { 0 }, after = { 0 };
    bool *altered = NULL;
    Work *work = &x->run->work;
    NEW(work, before.at, x->tables * a->keys.count + 1);
    NEW(work, after.at, x->tables * a->keys.count + 1);
    NEW(work, altered, x->tables * a->keys.count + 1);
    for (int64_t t = 0; t < x->tables; t++)
        for (int64_t k = 0; k < a->keys.count; k++) {
            const char *name = a->keys.at[k]->name;
            const Column *released = table_column(x->table[t], name);
            if (!released) continue; /* an earlier release need not have it */
            TRY(table_need(a->original, name, &before.at[before.count++], work->error));
            altered[after.count] = table_altered(x->table[t], name);
            TRY(joint_column(x, t, released, &after.at[after.count++]));
        }
    TRY(key_graph_make(work, before, after, &x->owner, altered, &x->graph));
    for (int64_t k = 0; k < after.count; k++)
        if (x->graph.channel[k].kind == CHANNEL_UNKNOWN)
            result_note(
                x->run->result,
                "The recoding of %s is unknown, because it is not known whose records are whose. Every value is taken to match everybody.",
                x->graph.channel[k].name);
    TRY(believe_by_counting(work, &x->graph, &x->owner, &x->beliefs[COUNTING]));
    TRY(believe_by_weighing(work, &x->graph, &x->owner, &x->beliefs[WEIGHING]));
    TRY(believe_by_assigning(work, &x->graph, &x->owner, &x->assigned));
    x->beliefs[ASSIGNING] = x->assigned.beliefs;
done:
    return status;
}

/* Numbers that are numbers in both tables. */
static Status attack_by_numbers(Attack *x) {
    Status status = OK;
    const args *a = x->a;
    Columns before = { 0 }, after = { 0 };
    Work *work = &x->run->work;
    NEW(work, before.at, x->tables * a->vars.count + 1);
    NEW(work, after.at, x->tables * a->vars.count + 1);
    for (int64_t t = 0; t < x->tables; t++)
        for (int64_t j = 0; j < a->vars.count; j++) {
            const Column *now = table_column(x->table[t], a->vars.at[j]->name);
            if (!now || now->missing == now->rows) continue; /* dropped, or suppressed as a whole */
            if (!column_numeric(now)) {
                if (t == 0) TRY(leave_out(x->run, a->vars.at[j], now, a->released));
                continue;
            }
            before.at[before.count++] = a->vars.at[j];
            TRY(joint_column(x, t, now, &after.at[after.count++]));
        }
    x->before = before;
    x->after = after;
    const KeyGraph *graph = a->keys.count ? &x->graph : NULL;
    TRY(believe_by_joining(work, graph, before, after, &x->owner, x->tables == 1 && a->released->released, &x->beliefs[JOINING]));
done:
    return status;
}

/* ---- releases over time ---- */

/* Whose the joint records are: those of people whom the original lacks are left out. */
static Status own_joint_records(Attack *x, const Ownership *owner) {
    Status status = OK;
    int64_t kept = 0, *row = NULL;
    NEW(&x->run->work, row, x->joint.records + 1);
    for (int64_t i = 0; i < x->joint.records; i++) {
        int64_t own = -1;
        for (int64_t t = 0; t < x->tables && own < 0; t++)
            if (x->joint.row[t][i] >= 0) own = owner[t].row[x->joint.row[t][i]];
        if (own < 0) continue;
        for (int64_t t = 0; t < x->tables; t++) x->joint.row[t][kept] = x->joint.row[t][i];
        row[kept++] = own;
    }
    x->joint.records = kept;
    x->owner = (Ownership){ .known = true, .how = owner[0].how, .row = row };
done:
    return status;
}

/* The releases that an intruder has, their records side by side. */
static Status gather_releases(Attack *x) {
    Status status = OK;
    const args *a = x->a;
    Work *work = &x->run->work;
    LinkedReleases linked;
    Ownership *owner = NULL;
    const char *id = a->id ? a->id->name : NULL;
    x->tables = 1 + a->previous.count;
    NEW(work, x->table, x->tables + 1);
    NEW(work, x->held.at, x->tables * (a->keys.count + a->vars.count) + 1);
    x->table[0] = a->released;
    for (int64_t t = 1; t < x->tables; t++) x->table[t] = a->previous.at[t - 1];
    x->joint.records = a->released->rows;
    if (x->tables == 1) return ownership_find(work, a->released, a->original, id, &x->owner);
    TRY(releases_link(work, a->released, a->previous.at, a->previous.count, a->original, id, &linked));
    TRY(releases_side_by_side(work, &linked, a->released->rows, &x->joint));
    NEW(work, owner, x->tables);
    for (int64_t t = 0; t < x->tables; t++) {
        const bool named = id && table_column(x->table[t], id);
        TRY(ownership_find(work, x->table[t], a->original, named ? id : NULL, &owner[t]));
        if (owner[t].known) continue;
        fail(work->error, BAD, "it is not known whose its records are, so that releases over time cannot be judged together");
        if (x->table[t]->name) error_file(work->error, x->table[t]->name);
        TRY(error_advice(work->error, "Name a column of all tables that numbers the records with --id."));
    }
    TRY(own_joint_records(x, owner));
    result_note(x->run->result,
                "The intruders have this release and %lld earlier ones. %lld people are only in earlier releases, and count as well.",
                (long long)a->previous.count, (long long)(x->joint.records - a->released->rows));
done:
    return status;
}

/* ---- synthetic records are nobody's ---- */

static Status count_replicated(Attack *x, int64_t *out) {
    Status status = OK;
    const args *a = x->a;
    Work *work = &x->run->work;
    Codes *codes = NULL;
    Grouping grouping;
    int64_t *was = NULL, *is = NULL, before = a->original->rows, after = a->released->rows;
    NEW(work, codes, a->keys.count + 1);
    for (int64_t k = 0; k < a->keys.count; k++) {
        JointCodes joint;
        const Column *column;
        int32_t *at = NULL;
        TRY(table_need(a->original, a->keys.at[k]->name, &column, work->error));
        TRY(joint_codes(work, column, a->keys.at[k], 0, 0, &joint));
        NEW(work, at, before + after + 1);
        memcpy(at, joint.at[0], (size_t)before * sizeof *at);
        memcpy(at + before, joint.at[1], (size_t)after * sizeof *at);
        codes[k] = (Codes){ .count = joint.count, .at = at };
    }
    TRY(group_codes(work, codes, a->keys.count, before + after, &grouping));
    NEW(work, was, grouping.count + 1);
    NEW(work, is, grouping.count + 1);
    for (int64_t i = 0; i < before; i++) was[grouping.of[i]]++;
    for (int64_t i = 0; i < after; i++) is[grouping.of[before + i]]++;
    *out = 0;
    for (int64_t g = 0; g < grouping.count; g++) *out += was[g] == 1 && is[g] == 1;
done:
    return status;
}

static Status report_synthetic(Attack *x) {
    Status status = OK;
    Result *result = x->run->result;
    int64_t count = 0, people = x->a->original->rows;
    if (x->a->keys.count) TRY(count_replicated(x, &count));
    result_real(result, "share", people ? (double)count / (double)people : NAN);
    result_real(result, "expected", (double)count);
    result_text(result, "best", "counting");
    result_integer(result, "certain", count);
    result_integer(result, "class_certain", count);
    result_real(result, "worst", count > 0);
    result_real(result, "by_counting", (double)count);
    result_integer(result, "people", people);
    result_text(result, "truth", "synthetic");
    result_note(result, "No released record is anybody's own. People count who are unique in both tables by the same keys.");
done:
    return status;
}

/* ---- people who have several records ---- */

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
    const args *a = x->a;
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

/* The intruders again, on people in place of records. */
static Status attack_people(Attack *x) {
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

/* ---- what is reported ---- */

static void report_intruders(Attack *x) {
    Result *result = x->run->result;
    const double people = (double)x->units;
    static const char *const names[] = { "by_counting", "by_weighing", "by_assigning", "by_joining" };
    Grid *grid = grid_new(result, "intruders", "intruder:text expected:real share:real worst:real note:text");
    for (int i = 0; i < INTRUDERS; i++) {
        const Beliefs *b = &x->beliefs[i];
        result_real(result, names[i], b->ran ? b->total : NAN);
        if (!b->ran && !b->why_not) continue;
        grid_text(grid, intruder_names[i]);
        grid_real(grid, b->ran ? b->total : NAN);
        grid_real(grid, b->ran && people > 0 ? b->total / people : NAN);
        grid_real(grid, b->ran ? b->worst : NAN);
        grid_text(grid, !b->ran ? b->why_not : b->error > 0 ? "on a sample of the people" : b->approximate ? "approximate" : NULL);
    }
    grid_done(grid);
    if (x->beliefs[ASSIGNING].approximate)
        result_note(result,
                    "Assigning: beliefs of more than %d people who can exchange records are an approximation (doubly stochastic scaling).",
                    12);
    if (x->beliefs[ASSIGNING].why_not) result_note(result, "The assigning intruder was not run: %s.", x->beliefs[ASSIGNING].why_not);
}

static Status report_records(Attack *x) {
    Status status = OK;
    double *belief = NULL;
    if (!x->owner.known || !run_wants(x->run, "belief")) return OK;
    NEW(&x->run->work, belief, x->joint.records + 1);
    for (int64_t i = 0; i < x->joint.records; i++) {
        belief[i] = NAN;
        for (int k = 0; k < INTRUDERS; k++)
            if (x->beliefs[k].belief && !(belief[i] >= x->beliefs[k].belief[x->unit_of[i]]))
                belief[i] = x->beliefs[k].belief[x->unit_of[i]];
    }
    TRY(put_reals(x->run, "released", "belief", belief, x->a->released->rows));
done:
    return status;
}

/* The original's code of each released record. */
static Status owner_codes(Attack *x, const Column *column, Codes *codes, int32_t **out) {
    Status status = OK;
    TRY(column_codes(&x->run->work, column, codes));
    NEW(&x->run->work, *out, x->joint.records + 1);
    for (int64_t i = 0; i < x->joint.records; i++) (*out)[i] = codes->at[x->owner.row[i]];
done:
    return status;
}

static Status report_households(Attack *x) {
    Status status = OK;
    const Beliefs *best = &x->beliefs[x->best];
    Codes codes;
    int32_t *of = NULL;
    double *spared = NULL, expected = 0;
    bool *seen = NULL; /* units */
    int64_t *members = NULL, households = 0;
    if (!x->a->household || !best->right) return OK;
    TRY(owner_codes(x, x->a->household, &codes, &of));
    NEW(&x->run->work, seen, x->units + 1);
    NEW(&x->run->work, spared, codes.count + 1);
    NEW(&x->run->work, members, codes.count + 1);
    for (int32_t h = 0; h < codes.count; h++) spared[h] = 1;
    for (int64_t i = 0; i < x->joint.records; i++) {
        const int32_t unit = x->unit_of[i];
        if (of[i] < 0 || seen[unit] || isnan(best->right[unit])) continue;
        seen[unit] = true;
        members[of[i]]++;
        spared[of[i]] *= 1 - best->right[unit];
    }
    for (int32_t h = 0; h < codes.count; h++) {
        households += members[h] > 0;
        expected += members[h] > 0 ? 1 - spared[h] : 0;
    }
    result_integer(x->run->result, "households", households);
    result_real(x->run->result, "household_expected", expected);
    result_real(x->run->result, "household_share", households ? expected / (double)households : NAN);
done:
    return status;
}

static Status report_groups(Attack *x) {
    Status status = OK;
    const Beliefs *best = &x->beliefs[x->best];
    if (!x->a->by.count || !best->right) return OK;
    Grid *grid = grid_new(x->run->result, "groups", "group:text people:integer share:real certain:integer");
    for (int64_t b = 0; b < x->a->by.count; b++) {
        Codes codes;
        int32_t *of = NULL;
        double *right = NULL, *tried = NULL;
        int64_t *people = NULL, *certain = NULL;
        Grouping pairs = { 0 }; /* a person with records in several groups is in each of them */
        const Column *column = x->a->by.at[b];
        char text[33];
        TRY(owner_codes(x, column, &codes, &of));
        NEW(&x->run->work, right, codes.count + 1);
        NEW(&x->run->work, tried, codes.count + 1);
        NEW(&x->run->work, people, codes.count + 1);
        NEW(&x->run->work, certain, codes.count + 1);
        const Codes both[] = { { .count = codes.count, .at = of }, { .count = (int32_t)x->units, .at = x->unit_of } };
        TRY(group_codes(&x->run->work, both, 2, x->joint.records, &pairs));
        for (int64_t p = 0; p < pairs.count; p++) {
            const int64_t i = pairs.first[p], unit = x->unit_of[i];
            int32_t g = of[i] < 0 ? codes.count : of[i];
            people[g]++;
            certain[g] += x->assigned.is_certain && x->assigned.is_certain[unit];
            if (isnan(best->right[unit])) continue;
            tried[g]++;
            right[g] += best->right[unit];
        }
        grouping_drop(&x->run->work, &pairs);
        for (int32_t g = 0; g <= codes.count; g++) {
            if (!people[g]) continue;
            const char *label = g < codes.count ? column_cell(column, codes.first_row[g], text) : "(missing)";
            grid_text(grid, arena_print(x->run->work.arena, "%s = %s", column->name, label));
            grid_integer(grid, people[g]);
            grid_real(grid, tried[g] > 0 ? round(1e12 * right[g] / tried[g]) / 1e12 : NAN); /* no residue of the sum */
            grid_integer(grid, certain[g]);
        }
    }
done:
    grid_done(grid);
    return status;
}

static Status report_attack(Attack *x) {
    Status status = OK;
    Result *result = x->run->result;
    double worst = NAN;
    x->best = -1;
    TRY(attack_people(x));
    const double people = (double)x->units;
    for (int i = 0; i < INTRUDERS; i++) {
        const Beliefs *b = &x->beliefs[i];
        if (!b->ran) continue;
        if (x->best < 0 || b->total > x->beliefs[x->best].total * (1 + 1e-12)) x->best = i;
        worst = isnan(worst) ? b->worst : fmax(worst, b->worst);
    }
    const Beliefs *best = x->best < 0 ? NULL : &x->beliefs[x->best];
    double total = best ? best->total : 0;
    result_real(result, "share", people > 0 ? total / people : NAN);
    result_real(result, "expected", total);
    result_text(result, "best", best ? intruder_names[x->best] : "none");
    result_integer(result, "certain", x->assigned.certain);
    result_integer(result, "class_certain", x->assigned.class_certain);
    result_real(result, "worst", worst);
    report_intruders(x);
    result_real(result, "error", best ? best->error : 0);
    result_integer(result, "people", x->units);
    if (x->tables > 1) result_integer(result, "releases", x->tables);
    result_text(result, "truth", x->owner.known ? x->owner.how : "unknown");
    if (!x->owner.known)
        result_note(
            result,
            "It is not known whose records are whose. Expected re-identifications are the intruder's own belief in the best guesses.");
    if (!x->a->keys.count) result_note(result, "No keys were given: certain and class_certain concern keys alone.");
    if (best) {
        TRY(report_records(x));
        TRY(report_households(x));
        TRY(report_groups(x));
    }
done:
    return status;
}

static Status reidentification_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Attack x = { .run = run, .a = a };
    if (!a->keys.count && !a->vars.count) {
        fail(run->work.error, BAD, "an intruder who knows neither keys nor numbers re-identifies nobody");
        return error_advice(run->work.error, "Give --keys, --vars or both.");
    }
    if (a->synthetic) return report_synthetic(&x);
    TRY(gather_releases(&x));
    if (a->keys.count && a->released->rows && a->original->rows) TRY(attack_by_keys(&x));
    if (a->vars.count && a->released->rows && a->original->rows) TRY(attack_by_numbers(&x));
    TRY(report_attack(&x));
done:
    for (int64_t i = 0; i < x.held.count; i++) column_release((Column *)(uintptr_t)x.held.at[i]);
    return status;
}

/* A few microseconds a record and key; numbers within a fixed number of comparisons. */
static double cost(const void *p) {
    const args *a = p;
    double n = (double)a->released->rows;
    return 2e-6 * n * (double)a->keys.count + (a->vars.count ? 2 + 1e-6 * n * (double)a->vars.count : 0);
}

const Method risk_reidentification = {
    .group = "risk",
    .name = "reidentification",
    .summary = "Re-identification risk of a release: people whom four simulated intruders re-identify",
    .source = "Fellegi & Sunter 1969; Sinkhorn 1967; Duncan & Lambert 1989",
    .params = params,
    .size = sizeof(args),
    .traits = IDENTITY,
    .run = reidentification_run,
    .cost = cost,
    .headline = "-share",
    .values = values,
    .example = "scrim risk reidentification examples/clinic.csv examples/clinic-released.csv --keys sex,age,region,education "
               "--vars income,visits,cholesterol,bmi"
};
