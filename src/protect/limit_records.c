/* protect.limit-records: at most so many records of each person, and no events that hardly anybody has: docs/methods/protect-limit-records.md.
 */
#include "base/sort.h"
#include "classes/histories.h"
#include "method/method.h"
#include "table/column_cache.h"
#include "table/group.h"

typedef struct {
    const Table *data;
    const Column *person, *order, *event;
    int64_t most, k;
    unsigned keep;
} args;
enum { FIRST, LAST, ANY };

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMN(args, person, data, "Column that identifies the person. A record without one is a person of its own", .flags = REQUIRED),
    INT(args, most, ABSENT, 1, 1e9, "Most records of a person. Smaller = more protection"),
    CHOICE(args, keep, "random", "Which of them stay: the first or the last by --order, or a random choice",
           WORDS("first", "last", "random")),
    COLUMN(args, order, data, "first, last: column of dates or numbers that puts a person's records in order"),
    COLUMN(args, event, data, "Column of events, such as diagnoses: records of events that fewer than --k people have are dropped"),
    INT(args, k, 5, 2, 1e9, "Fewest people who have an event that stays. Larger = more protection"),
    ONLY_WITH("k", "event"),
    ONLY_WITH("keep", "most"),
    END,
};

static const Return values[] = {
    VALUE(dropped, INTEGER, "Records dropped", .flags = PUBLIC),
    VALUE(dropped_share, REAL, "Their share of the records", .flags = PUBLIC),
    VALUE(rare_events, INTEGER, "With --event: values that fewer than k people have", .flags = PUBLIC),
    VALUE(rare_records, INTEGER, "With --event: records of such values, all dropped", .flags = PUBLIC),
    VALUE(people_limited, INTEGER, "With --most: people who had more records than that", .flags = PUBLIC),
    VALUE(people_gone, INTEGER, "People of whom no record is left", .flags = PUBLIC),
    VALUE(most_before, INTEGER, "Most records of one person before", .flags = PUBLIC),
    VALUE(most_after, INTEGER, "Most records of one person after", .flags = PUBLIC),
    RELEASED("The table with fewer records"),
    END,
};

/* A missing event is none, and stays. */
static Status drop_rare(Run *run, const args *a, const int32_t *who, int64_t people, uint8_t *gone) {
    Status status = OK;
    Work *work = &run->work;
    Codes codes;
    Grouping pairs;
    int64_t *has = NULL, events = 0, records = 0;
    TRY(column_codes(work, a->event, &codes));
    const Codes both[] = { codes, { .count = (int32_t)people, .at = (int32_t *)(uintptr_t)who } };
    TRY(group_codes(work, both, 2, a->data->rows, &pairs));
    NEW(work, has, codes.count + 1);
    for (int64_t g = 0; g < pairs.count; g++)
        if (codes.at[pairs.first[g]] >= 0) has[codes.at[pairs.first[g]]]++;
    for (int32_t c = 0; c < codes.count; c++) events += has[c] < a->k;
    for (int64_t i = 0; i < a->data->rows; i++) records += gone[i] = codes.at[i] >= 0 && has[codes.at[i]] < a->k;
    result_integer(run->result, "rare_events", events);
    result_integer(run->result, "rare_records", records);
done:
    arena_drop(work->arena, has);
    return status;
}

/* The order in which a person's records are kept: by the column, missing ones last; or by lots of the seed. */
static Status order_records(Run *run, const args *a, Keyed *out) {
    Status status = OK;
    unsigned char key[ROW_PRINT_KEY];
    int64_t *lot = NULL;
    TRY(keyed_new(&run->work, a->data->rows + 1, out));
    if (a->keep == ANY) {
        run_key(run, "limit-records", &a->most, sizeof a->most, key);
        NEW(&run->work, lot, a->data->rows + 1);
        TRY(rows_lots(&run->work, a->data, 0, key, lot));
    }
    for (int64_t i = 0; i < a->data->rows; i++) {
        const bool missing = a->keep != ANY && column_missing(a->order, i);
        out->row[i] = (int32_t)i;
        out->key[i] = lot ? (uint64_t)lot[i] : missing ? UINT64_MAX : real_key(column_number(a->order, i));
        if (a->keep == LAST && !missing) out->key[i] = ~out->key[i] - 1;
    }
    TRY(keyed_sort(&run->work, *out, a->data->rows));
done:
    arena_drop(run->work.arena, lot);
    return status;
}

static Status keep_most(Run *run, const args *a, const int32_t *who, int64_t people, uint8_t *gone) {
    Status status = OK;
    Keyed order = { 0 };
    int64_t *kept = NULL, limited = 0;
    TRY(order_records(run, a, &order));
    NEW(&run->work, kept, people + 1);
    for (int64_t i = 0; i < a->data->rows; i++) {
        const int32_t row = order.row[i];
        if (gone[row]) continue;
        limited += kept[who[row]] == a->most;
        gone[row] = ++kept[who[row]] > a->most;
    }
    result_integer(run->result, "people_limited", limited);
done:
    keyed_drop(&run->work, &order);
    arena_drop(run->work.arena, kept);
    return status;
}

static Status report_records(Run *run, const args *a, const int32_t *who, int64_t people, const uint8_t *gone) {
    Status status = OK;
    int64_t *before = NULL, *after = NULL, most[2] = { 0 }, none = 0, dropped = 0;
    NEW(&run->work, before, people + 1);
    NEW(&run->work, after, people + 1);
    for (int64_t i = 0; i < a->data->rows; i++) {
        dropped += gone[i];
        before[who[i]]++;
        after[who[i]] += !gone[i];
    }
    for (int64_t p = 0; p < people; p++) {
        if (before[p] > most[0]) most[0] = before[p];
        if (after[p] > most[1]) most[1] = after[p];
        none += before[p] > 0 && !after[p];
    }
    result_integer(run->result, "dropped", dropped);
    result_real(run->result, "dropped_share", a->data->rows ? (double)dropped / (double)a->data->rows : NAN);
    result_integer(run->result, "people_gone", none);
    result_integer(run->result, "most_before", most[0]);
    result_integer(run->result, "most_after", most[1]);
    if (dropped) result_note(run->result, "Counts and totals of events from the remaining records are too small.");
done:
    arena_drop(run->work.arena, before);
    arena_drop(run->work.arena, after);
    return status;
}

static Status check_limits(Run *run, const args *a) {
    if (a->most == ABSENT && !a->event) {
        fail(run->work.error, BAD, "nothing is limited");
        return error_advice(run->work.error, "Give --most, --event or both.");
    }
    if (a->most == ABSENT || a->keep == ANY) return OK;
    if (!a->order) {
        fail(run->work.error, BAD, "the first and the last records are by --order");
        return error_parameter(run->work.error, "keep");
    }
    if (column_linear(a->order)) return OK;
    fail(run->work.error, BAD, "this column holds %s, which have no order in time", type_values(a->order->type));
    return error_column(run->work.error, a->order->name);
}

static Status limit_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Table *table = NULL;
    uint8_t *gone = NULL;
    int32_t *who = NULL;
    int64_t people, *rows = NULL, kept = 0;
    TRY(check_limits(run, a));
    TRY(number_people(&run->work, a->person, &who, &people));
    NEW(&run->work, gone, a->data->rows + 1);
    NEW(&run->work, rows, a->data->rows + 1);
    if (a->event) TRY(drop_rare(run, a, who, people, gone));
    if (a->most != ABSENT) TRY(keep_most(run, a, who, people, gone));
    for (int64_t i = 0; i < a->data->rows; i++)
        if (!gone[i]) rows[kept++] = i;
    TRY(report_records(run, a, who, people, gone));
    TRY(table_take(a->data, rows, kept, &table, run->work.error));
    result_output(run->result, table);
done:
    return status;
}

const Method protect_limit_records = {
    .group = "protect",
    .name = "limit-records",
    .summary = "Limit on the number of records of each person, and removal of events that few people have",
    .source = "El Emam & Arbuckle 2013",
    .params = params,
    .size = sizeof(args),
    .traits = RANDOM | IDENTITY,
    .run = limit_run,
    .values = values,
    .example = "scrim protect limit-records examples/hospital/visits.csv --person patient --most 2 --event diagnosis --k 12 --seed 1",
};
