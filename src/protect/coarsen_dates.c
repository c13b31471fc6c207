/* protect.coarsen-dates: dates become the first day of their week, month, quarter or year, or the time since the person's first event:
 * docs/methods/protect-coarsen-dates.md. */
#include <string.h>
#include "base/number_text.h"
#include "protect/changed_table.h"
#include "table/column_cache.h"

typedef struct {
    const Table *data;
    Columns vars;
    unsigned to;
    const Column *person;
    int64_t unit;
} args;
enum { WEEK, MONTH, QUARTER, YEAR, SINCE_FIRST };

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Columns of dates or times", .flags = REQUIRED),
    CHOICE(
        args, to, "month",
        "week (from Monday), month, quarter, year: the first day of the period; since-first: whole units of time since the first of these "
        "dates of the same person",
        WORDS("week", "month", "quarter", "year", "since-first")),
    COLUMN(args, person, data, "since-first: column that identifies the person (role person)"),
    INT(args, unit, 7, 1, 36500, "since-first: length of a unit in days. Larger = more protection"),
    ONLY_IF("unit", "to", "since-first"),
    END,
};

static const Return values[] = {
    CHANGED_VALUES,
    VALUE(distinct_before, INTEGER, "Different values of these columns before, in all", .flags = PUBLIC),
    VALUE(distinct_after, INTEGER, "Different values after", .flags = PUBLIC),
    RELEASED("The table with coarser dates"),
    END,
};

/* ---- periods ---- */

static int64_t start_of_period(int64_t days, unsigned to) {
    int64_t year, month, day;
    if (to == WEEK) return days - ((days + 3) % 7 + 7) % 7; /* 1970-01-01 was a Thursday */
    date_of(days, &year, &month, &day);
    if (to == QUARTER) month = (month - 1) / 3 * 3 + 1;
    if (to == YEAR) month = 1;
    return days_of(year, month, 1);
}

static int64_t day_at(const Column *column, int64_t row) {
    const int64_t day = INT64_C(86400000000);
    if (column->type == DATE_TYPE) return column->date[row];
    const int64_t moment = column->moment[row];
    return moment / day - (moment % day < 0);
}

static Status check_dates(Run *run, const args *a) {
    for (int64_t j = 0; j < a->vars.count; j++) {
        const Column *column = a->vars.at[j];
        if (column->type == DATE_TYPE || column->type == DATETIME_TYPE) continue;
        fail(run->work.error, BAD, "this column holds %s, not dates", type_values(column->type));
        error_advice(run->work.error, "`--types %s:date` reads dates of the form 2020-01-31.", column->name);
        return error_column(run->work.error, column->name);
    }
    return OK;
}

/* ---- columns ---- */

static Status by_period(Run *run, const args *a, const Column *column, Column **out) {
    Status status = OK;
    const int64_t day = INT64_C(86400000000);
    TRY(column_copy(column, out, run->work.error));
    for (int64_t i = 0; i < column->rows; i++) {
        if (column_missing(column, i)) continue;
        const int64_t start = start_of_period(day_at(column, i), a->to);
        if (column->type == DATE_TYPE) (*out)->date[i] = (int32_t)start;
        else (*out)->moment[i] = start * day;
    }
done:
    return status;
}

/* Record → the person's first day; records of nobody have their own. */
static Status first_days(Run *run, const args *a, int64_t **out) {
    Status status = OK;
    Codes codes;
    int64_t *first = NULL;
    TRY(column_codes(&run->work, a->person, &codes));
    NEW(&run->work, *out, a->data->rows + 1);
    NEW(&run->work, first, codes.count + 1);
    for (int32_t c = 0; c < codes.count; c++) first[c] = INT64_MAX;
    for (int64_t i = 0; i < a->data->rows; i++) {
        (*out)[i] = INT64_MAX;
        for (int64_t j = 0; j < a->vars.count; j++)
            if (!column_missing(a->vars.at[j], i) && day_at(a->vars.at[j], i) < (*out)[i]) (*out)[i] = day_at(a->vars.at[j], i);
        if (codes.at[i] >= 0 && (*out)[i] < first[codes.at[i]]) first[codes.at[i]] = (*out)[i];
    }
    for (int64_t i = 0; i < a->data->rows; i++)
        if (codes.at[i] >= 0) (*out)[i] = first[codes.at[i]];
done:
    arena_drop(run->work.arena, first);
    return status;
}

static Status since_first(Run *run, const args *a, const Column *column, const int64_t *first, Column **out) {
    Status status = OK;
    double *units = NULL;
    NEW(&run->work, units, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++)
        units[i] = column_missing(column, i) ? NAN : (double)((day_at(column, i) - first[i]) / a->unit);
    TRY(column_of_reals(column, units, out, run->work.error));
done:
    arena_drop(run->work.arena, units);
    return status;
}

static Status coarsen_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Column **made = NULL;
    Codes codes;
    int64_t *first = NULL, before = 0, after = 0;
    NEW(&run->work, made, a->vars.count + 1);
    TRY(check_dates(run, a));
    if (a->to == SINCE_FIRST && !a->person) {
        fail(run->work.error, BAD, "needs --person, whose first date counts as 0");
        TRY(error_parameter(run->work.error, "to"));
    }
    if (a->to == SINCE_FIRST) TRY(first_days(run, a, &first));
    for (int64_t j = 0; j < a->vars.count; j++) {
        if (first) TRY(since_first(run, a, a->vars.at[j], first, &made[j]));
        else TRY(by_period(run, a, a->vars.at[j], &made[j]));
        TRY(column_codes(&run->work, a->vars.at[j], &codes));
        before += codes.count;
        TRY(column_codes(&run->work, made[j], &codes));
        after += codes.count;
    }
    TRY(output_changed(run, a->data, made, a->vars.count));
    result_integer(run->result, "distinct_before", before);
    result_integer(run->result, "distinct_after", after);
    if (first)
        result_note(run->result, "Time since the first event keeps the order and, in units, the intervals of a person's events: measure "
                                 "risk intervals. In a recipe with files the first event is that of each file.");
done:
    columns_release(made, a->vars.count);
    return status;
}

static bool is_period(const Args *given) {
    const Arg *to = args_find(given, "to");
    return !to || !to->count || strcmp(to->items[0], "since-first") != 0;
}

const Method protect_coarsen_dates = {
    .group = "protect",
    .name = "coarsen-dates",
    .summary = "Date coarsening: week, month, quarter or year, or time since a person's first event",
    .source = "El Emam & Arbuckle 2013",
    .params = params,
    .size = sizeof(args),
    .record_by_record = is_period,
    .traits = IDENTITY,
    .run = coarsen_run,
    .values = values,
    .example = "scrim protect coarsen-dates examples/hospital/visits.csv --vars admitted,discharged --to quarter",
};
