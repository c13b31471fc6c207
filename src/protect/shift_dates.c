/* protect.shift-dates: all dates of a subject moved by one secret number of days, so that intervals stay. Defined after Hripcsak et al.
 * 2016: docs/methods/protect-shift-dates.md. */
#include <string.h>
#include "protect/changed_table.h"
#include "method/secret_key.h"

typedef struct {
    const Table *data;
    Columns vars;
    const Column *subject;
    int64_t days;
    const char *key;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Columns of dates or times", .flags = REQUIRED),
    COLUMN(args, subject, data,
           "Column that identifies the subject: all dates of a subject move together, in every file that uses this key (default: each "
           "record separately)",
           .role = "person"),
    INT(args, days, 365, 1, 36500, "Largest shift in days, in either direction. Larger = more protection"),
    KEY_FILE(args),
    END,
};

static const Return values[] = {
    CHANGED_VALUES,
    VALUE(subjects, INTEGER, "Subjects, each with its own shift", .flags = PUBLIC),
    RELEASED("The table with shifted dates"),
    END,
};

static Status subject_shifts(Run *run, const args *a, const SecretKey *key, int64_t *shift, int64_t *subjects) {
    Status status = OK;
    Codes codes;
    int64_t *of = NULL;
    char number[33];
    *subjects = a->data->rows;
    for (int64_t i = 0; !a->subject && i < a->data->rows; i++) shift[i] = secret_shift(key, (uint64_t)i, "row", 3, a->days);
    if (!a->subject) return OK;
    TRY(column_codes(&run->work, a->subject, &codes));
    NEW(&run->work, of, codes.count + 1);
    for (int32_t c = 0; c < codes.count; c++) {
        const char *text = column_cell(a->subject, codes.first_row[c], number);
        of[c] = secret_shift(key, 0, text, strlen(text), a->days);
    }
    for (int64_t i = 0; i < a->data->rows; i++)
        shift[i] = codes.at[i] < 0 ? secret_shift(key, (uint64_t)i + 1, "nobody", 6, a->days) : of[codes.at[i]];
    *subjects = codes.count;
done:
    return status;
}

static Status shift_column(Run *run, const Column *column, const int64_t *shift, Column **out) {
    Status status = OK;
    const int64_t day = INT64_C(86400000000);
    if (column->type != DATE_TYPE && column->type != DATETIME_TYPE) {
        fail(run->work.error, BAD, "this column holds %s, not dates", type_values(column->type));
        error_advice(run->work.error, "`--types %s:date` reads dates of the form 2020-01-31.", column->name);
        return error_column(run->work.error, column->name);
    }
    TRY(column_copy(column, out, run->work.error));
    for (int64_t i = 0; i < column->rows; i++) {
        if (column_missing(column, i)) continue;
        if (column->type == DATE_TYPE) (*out)->date[i] += (int32_t)shift[i];
        else (*out)->moment[i] += shift[i] * day;
    }
done:
    return status;
}

static Status shift_dates_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    SecretKey key;
    Column **made = NULL;
    int64_t *shift = NULL, subjects = 0;
    NEW(&run->work, made, a->vars.count + 1);
    NEW(&run->work, shift, a->data->rows + 1);
    TRY(shift_key(run, a->key, a->days, a->subject ? NULL : a->data, &key));
    TRY(subject_shifts(run, a, &key, shift, &subjects));
    for (int64_t j = 0; j < a->vars.count; j++) TRY(shift_column(run, a->vars.at[j], shift, &made[j]));
    TRY(output_changed(run, a->data, made, a->vars.count));
    result_integer(run->result, "subjects", subjects);
    result_note(run->result,
                "Intervals between the dates of one %s are kept to the day, as are the time of day and, as far as the shift allows, "
                "weekdays and seasons. One known date of a subject discloses all its other dates.",
                a->subject ? "subject" : "record");
    result_note(run->result, "Under HIPAA's safe harbour a shifted date is still a date: only its year may be released.");
    if (!a->key)
        result_note(run->result, "No --key was given, so the secret is that of this run's seed. A recipe with files shifts all files of a "
                                 "subject by the same amount. Other runs use other shifts.");
done:
    memset(&key, 0, sizeof key);
    columns_release(made, a->vars.count);
    return status;
}

const Method protect_shift_dates = {
    .group = "protect",
    .name = "shift-dates",
    .summary = "Date shifting: move all dates of a subject by the same secret number of days",
    .source = "Hripcsak et al. 2016",
    .params = params,
    .size = sizeof(args),
    .record_by_record = always_record_by_record,
    .traits = PERTURBS | RANDOM | KEYED | IDENTITY,
    .run = shift_dates_run,
    .values = values,
    .example = "scrim protect shift-dates examples/clinic.csv --vars birthdate --subject hid --days 200 --seed 1"
};
