/* risk.intervals: people who are unique on the intervals between their dates, which date shifting keeps: docs/methods/risk-intervals.md. */
#include "base/sort.h"
#include "classes/code_lists.h"
#include "method/method.h"
#include "table/column_cache.h"

typedef struct {
    const Table *data, *original;
    Columns vars;
    const Column *person;
    int64_t unit;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to measure", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Columns of dates or times (default: all that the table has)", .role = "dates"),
    COLUMN(args, person, data, "Column that identifies the person", .flags = REQUIRED),
    INT(args, unit, 1, 1, 36500, "Length of a unit in days: intervals count whole units. Larger = fewer people are unique"),
    TABLE(args, original, "The original file: people whose intervals are unique in both files are linked"),
    END,
};

static const Return values[] = {
    VALUE(k, INTEGER, "Fewest people with the same intervals, of people who have any. 1 = someone is unique; larger is safer",
          .flags = PUBLIC),
    VALUE(uniques, INTEGER, "People whose intervals no other person has. 0 = nobody; smaller is safer", .flags = PUBLIC | LESS),
    VALUE(share, REAL, "Share of all people who are unique on their intervals, 0 to 1. Smaller is safer", .flags = PUBLIC | LESS),
    VALUE(people, INTEGER, "People in the table", .flags = PUBLIC),
    VALUE(with_intervals, INTEGER, "People with two dates or more", .flags = PUBLIC),
    VALUE(linked, INTEGER,
          "With --original: people whose intervals are unique in both files. An intruder who knows the true dates re-identifies them. 0 = "
          "safe",
          .flags = PUBLIC | LESS),
    TABLE_OUT(dates, "dates:text people:integer uniques:integer", "People by the number of their dates, and how many are unique",
              .flags = PUBLIC),
    END,
};

/* ---- sequences of intervals ---- */

static bool type_dated(Type type) { return type == DATE_TYPE || type == DATETIME_TYPE; }

static Status date_columns(Run *run, const args *a, const Table *table, Columns *out) {
    Status status = OK;
    const int64_t count = a->vars.count ? a->vars.count : a->data->columns;
    *out = (Columns){ 0 };
    NEW(&run->work, out->at, count + 1);
    for (int64_t j = 0; j < count; j++) {
        const char *name = a->vars.count ? a->vars.at[j]->name : a->data->column[j]->name;
        const Column *column;
        if (!a->vars.count && !type_dated(a->data->column[j]->type)) continue;
        TRY(table_need(table, name, &column, run->work.error));
        if (!type_dated(column->type)) {
            fail(run->work.error, BAD, "this column holds %s, not dates", type_values(column->type));
            error_advice(run->work.error, "`--types %s:date` reads dates of the form 2020-01-31.", name);
            TRY(error_column(run->work.error, name));
        }
        out->at[out->count++] = column;
    }
    if (!out->count) TRY(fail(run->work.error, BAD, "the table has no column of dates"));
done:
    return status;
}

static int64_t day_of(const Column *column, int64_t row) {
    const int64_t day = INT64_C(86400000000);
    if (column->type == DATE_TYPE) return column->date[row];
    const int64_t moment = column->moment[row];
    return moment / day - (moment % day < 0);
}

/* Person → the intervals between all dates of the person, in the order of time. */
static Status sequences(Run *run, const args *a, const Table *table, CodeLists *out) {
    Status status = OK;
    Work *work = &run->work;
    Columns dates;
    const Column *person;
    Codes codes;
    Keyed at = { 0 };
    int64_t people, count = 0;
    int32_t *who = NULL;
    TRY(date_columns(run, a, table, &dates));
    TRY(table_need(table, a->person->name, &person, work->error));
    TRY(column_codes(work, person, &codes));
    NEW(work, who, table->rows + 1);
    people = codes.count;
    for (int64_t i = 0; i < table->rows; i++) who[i] = codes.at[i] >= 0 ? codes.at[i] : (int32_t)people++;
    TRY(keyed_new(work, table->rows * dates.count + 1, &at));
    for (int64_t j = 0; j < dates.count; j++)
        for (int64_t i = 0; i < table->rows; i++)
            if (!column_missing(dates.at[j], i)) {
                const int64_t day = day_of(dates.at[j], i) - INT32_MIN;
                at.key[count++] = (uint64_t)(uint32_t)who[i] << 32 | (uint32_t)day;
            }
    TRY(keyed_sort(work, at, count));
    *out = (CodeLists){ .count = people };
    NEW(work, out->start, people + 2);
    NEW(work, out->item, count + 1);
    int64_t next = 0, items = 0;
    for (int64_t p = 0; p < people; p++) {
        out->start[p] = items;
        for (int64_t first = next; next < count && at.key[next] >> 32 == (uint64_t)p; next++)
            if (next > first) out->item[items++] = (int32_t)((int64_t)(at.key[next] - at.key[next - 1]) / a->unit & INT32_MAX);
    }
    out->start[people] = items;
done:
    keyed_drop(work, &at);
    arena_drop(work->arena, who);
    return status;
}

/* The lists of both tables, the original's behind. */
static Status lists_together(Work *work, const CodeLists *one, const CodeLists *other, CodeLists *out) {
    Status status = OK;
    const int64_t first = one->start[one->count], all = first + other->start[other->count];
    *out = (CodeLists){ .count = one->count + other->count };
    NEW(work, out->start, out->count + 2);
    NEW(work, out->item, all + 1);
    for (int64_t i = 0; i < all; i++) out->item[i] = i < first ? one->item[i] : other->item[i - first];
    for (int64_t l = 0; l <= out->count; l++) out->start[l] = l < one->count ? one->start[l] : first + other->start[l - one->count];
done:
    return status;
}

/* ---- what is reported ---- */

static int64_t intervals_of(const CodeLists *lists, int64_t person) { return lists->start[person + 1] - lists->start[person]; }

/* People by the number of their dates; more than nine stand together. */
static void tell_by_dates(Run *run, const CodeLists *lists, const int32_t *of, const int64_t *size) {
    enum { MOST = 10 };
    int64_t people[MOST + 1] = { 0 }, alone[MOST + 1] = { 0 };
    static const char *const label[MOST + 1] = { "", "0 or 1", "2", "3", "4", "5", "6", "7", "8", "9", "10 or more" };
    for (int64_t p = 0; p < lists->count; p++) {
        const int64_t dates = intervals_of(lists, p) + 1, bin = dates < MOST ? dates : MOST;
        people[bin]++;
        alone[bin] += dates > 1 && size[of[p]] == 1;
    }
    Grid *grid = grid_new(run->result, "dates", "dates:text people:integer uniques:integer");
    for (int64_t bin = 1; bin <= MOST; bin++) {
        if (!people[bin]) continue;
        grid_text(grid, label[bin]);
        grid_integer(grid, people[bin]);
        grid_integer(grid, alone[bin]);
    }
    grid_done(grid);
}

static Status intervals_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Work *work = &run->work;
    CodeLists own, original = { 0 }, both;
    int32_t *of = NULL;
    int64_t count = 0, *size = NULL, *before = NULL, with = 0, uniques = 0, linked = 0, k = INT64_MAX;
    TRY(sequences(run, a, a->data, &own));
    both = own;
    if (a->original) {
        TRY(sequences(run, a, a->original, &original));
        TRY(lists_together(work, &own, &original, &both));
    }
    TRY(code_lists_number(work, &both, &of, &count));
    NEW(work, size, count + 1);
    NEW(work, before, count + 1);
    for (int64_t i = 0; i < both.count; i++) ++(i < own.count ? size : before)[of[i]];
    for (int64_t i = 0; i < own.count; i++) {
        if (!intervals_of(&own, i)) continue;
        with++;
        uniques += size[of[i]] == 1;
        linked += size[of[i]] == 1 && before[of[i]] == 1;
        if (size[of[i]] < k) k = size[of[i]];
    }
    if (with) result_integer(run->result, "k", k);
    else result_null(run->result, "k", "Nobody has two dates.");
    result_integer(run->result, "uniques", uniques);
    result_real(run->result, "share", own.count ? (double)uniques / (double)own.count : NAN);
    result_integer(run->result, "people", own.count);
    result_integer(run->result, "with_intervals", with);
    if (a->original) result_integer(run->result, "linked", linked);
    tell_by_dates(run, &own, of, size);
    result_note(run->result, "Shifting all dates of a person by the same number of days keeps these intervals.");
done:
    return status;
}

const Method risk_intervals = {
    .group = "risk",
    .name = "intervals",
    .summary = "Uniqueness of people on the intervals between their dates",
    .source = "Hripcsak et al. 2016",
    .params = params,
    .size = sizeof(args),
    .traits = IDENTITY,
    .run = intervals_run,
    .headline = "-share",
    .values = values,
    .example = "scrim risk intervals examples/hospital/visits.csv --person patient",
};
