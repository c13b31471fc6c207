/* Writing SPSS, Stata and SAS files: a plan per column, then row by row through ReadStat into a file that takes its place when whole. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/helper_process.h"
#include "base/elementary.h"
#include "base/file.h"
#include "base/number_text.h"
#include "base/text.h"
#include "io/stat/column_layout.h"

typedef struct Writing {
    Work *work;
    const char *path;
    StatKind kind;
    Output *output;
    readstat_writer_t *writer;
    Status status;
    StatLayout *plan;
    const Table *table;
    bool short_names;
    int *next; /* of a column's long texts, the one to ask for */
} Writing;

static ssize_t write_out(const void *bytes, size_t count, void *self) {
    Writing *w = self;
    if (!w->status) w->status = output_write(w->output, bytes, count, w->work->error); /* the library does not always look at the answer */
    return w->status ? -1 : (ssize_t)count;
}

/* ---- variables ---- */

static readstat_error_t add_label(Writing *w, const StatLayout *plan, readstat_label_set_t *set, CodeValue code, const char *label) {
    if (!stat_label_fits(plan, code)) return READSTAT_OK;
    label = stat_label(w->work, w->kind, OF_VALUE, label);
    if (!label) return READSTAT_ERROR_MALLOC;
    if (code.text) readstat_label_string_value(set, code.text, label);
    else if (code.letter) readstat_label_tagged_value(set, code.letter, label);
    else if (w->kind == STAT_DTA) readstat_label_int32_value(set, (int32_t)code.value, label);
    else readstat_label_double_value(set, code.value, label);
    return READSTAT_OK;
}

static readstat_error_t add_labels(Writing *w, int64_t index) {
    const StatLayout *plan = &w->plan[index];
    const ColumnMetadata *about = plan->column->about;
    readstat_error_t answer = READSTAT_OK;
    if (!plan->labelled || w->kind == STAT_XPT) return READSTAT_OK;
    char name[32];
    snprintf(name, sizeof name, "labels%lld", (long long)index);
    readstat_type_t type = stat_is_text(plan) ? READSTAT_TYPE_STRING : w->kind == STAT_DTA ? READSTAT_TYPE_INT32 : READSTAT_TYPE_DOUBLE;
    readstat_label_set_t *set = readstat_add_label_set(w->writer, type, name);
    for (int32_t i = 0; about && !answer && i < about->labels; i++) {
        CodeValue own = about->label_of[i].of;
        bool kept =
            plan->keeps || own.letter || metadata_is_missing(about, own); /* why a value is missing is still so where all values are new */
        if (kept) answer = add_label(w, plan, set, stat_target(plan, own), about->label_of[i].label);
    }
    for (int32_t i = 0; plan->value && !answer && i < plan->column->words->count; i++)
        if (plan->fresh[i]) answer = add_label(w, plan, set, (CodeValue){ .value = plan->value[i] }, plan->column->words->word[i]);
    readstat_variable_set_label_set(plan->variable, set);
    return answer;
}

static readstat_error_t add_ranges(const StatLayout *plan) {
    readstat_error_t answer = READSTAT_OK;
    for (int32_t i = 0; i < plan->ranges && !answer; i++) {
        CodeValue low = plan->range[i].low, high = plan->range[i].high;
        bool one = !code_order(low, high);
        if (low.text)
            answer = one ? readstat_variable_add_missing_string_value(plan->variable, low.text)
                         : readstat_variable_add_missing_string_range(plan->variable, low.text, high.text);
        else
            answer = one ? readstat_variable_add_missing_double_value(plan->variable, low.value)
                         : readstat_variable_add_missing_double_range(plan->variable, low.value, high.value);
    }
    return answer;
}

static readstat_error_t add_variable(Writing *w, int64_t index) {
    StatLayout *plan = &w->plan[index];
    const ColumnMetadata *about = plan->column->about;
    plan->variable = readstat_add_variable(w->writer, plan->name, plan->type, plan->width);
    if (!plan->variable) return READSTAT_ERROR_MALLOC;
    if (plan->format[0]) readstat_variable_set_format(plan->variable, plan->format);
    const char *label = about && about->label ? stat_label(w->work, w->kind, OF_VARIABLE, about->label) : "";
    if (!label) return READSTAT_ERROR_MALLOC;
    if (*label) readstat_variable_set_label(plan->variable, label);
    if (about) {
        readstat_variable_set_measure(plan->variable, (readstat_measure_t)about->measure);
        readstat_variable_set_alignment(plan->variable, (readstat_alignment_t)about->align);
        if (about->display > 0 && w->kind != STAT_XPT) /* there it would be a format, and 8. shows no decimals */
            readstat_variable_set_display_width(plan->variable, about->display);
    }
    readstat_error_t answer = add_labels(w, index);
    if (answer) return answer;
    return w->kind == STAT_SAV || w->kind == STAT_POR ? add_ranges(plan) : READSTAT_OK;
}

/* ---- cells ---- */

static readstat_error_t put_number(Writing *w, const StatLayout *plan, double value) {
    switch (plan->type) {
    case READSTAT_TYPE_INT8: return readstat_insert_int8_value(w->writer, plan->variable, (int8_t)value);
    case READSTAT_TYPE_INT16: return readstat_insert_int16_value(w->writer, plan->variable, (int16_t)value);
    case READSTAT_TYPE_INT32: return readstat_insert_int32_value(w->writer, plan->variable, (int32_t)value);
    default: return readstat_insert_double_value(w->writer, plan->variable, value);
    }
}

static readstat_error_t put_string(Writing *w, const StatLayout *plan, const char *text) {
    if (plan->type == READSTAT_TYPE_STRING_REF)
        return readstat_insert_string_ref(w->writer, plan->variable, readstat_get_string_ref(w->writer, plan->next_ref[0]++));
    return readstat_insert_string_value(w->writer, plan->variable, text);
}

static readstat_error_t put_missing(Writing *w, const StatLayout *plan, int64_t row) {
    uint16_t reason = plan->column->reason ? plan->column->reason[row] : MISSING_CODE_NONE;
    bool text = stat_is_text(plan);
    if (plan->tells && reason >= MISSING_CODE_FIRST && plan->column->about && reason - MISSING_CODE_FIRST < plan->column->about->missing) {
        CodeValue code = stat_target(plan, plan->column->about->missing_of[reason - MISSING_CODE_FIRST]);
        if (code.text && text) return put_string(w, plan, code.text);
        if (code.letter && !text && stat_tags(w->kind)) return readstat_insert_tagged_missing_value(w->writer, plan->variable, code.letter);
        if (!code.text && !code.letter && !isnan(code.value) && !text && !stat_tags(w->kind)) return put_number(w, plan, code.value);
    }
    return text ? put_string(w, plan, "") : readstat_insert_missing_value(w->writer, plan->variable);
}

static readstat_error_t put_cell(Writing *w, const StatLayout *plan, int64_t row) {
    const Column *column = plan->column;
    char number[33];
    if (column_missing(column, row)) return put_missing(w, plan, row);
    if (stat_is_text(plan)) return put_string(w, plan, stat_text(plan, row, number));
    switch (column->type) {
    case REAL_TYPE: return put_number(w, plan, column->real[row]);
    case INTEGER_TYPE: return put_number(w, plan, (double)column_integer(column, row));
    case CATEGORY_TYPE: return put_number(w, plan, plan->value[column->code[row]]);
    case DATE_TYPE:
        return put_number(w, plan, ((double)column->date[row] - (double)stat_origin(w->kind)) * (86400e6 / stat_unit(w->kind, CLOCK_DAY)));
    case DATETIME_TYPE:
        return put_number(w, plan,
                          ((double)column->moment[row] - (double)stat_origin(w->kind) * 86400e6) / stat_unit(w->kind, CLOCK_MOMENT));
    case TEXT_TYPE: break;
    }
    return READSTAT_ERROR_VALUE_TYPE_MISMATCH;
}

static Status explain(Writing *w, readstat_error_t answer, int64_t column, int64_t row) {
    Error *error = w->work->error;
    if (w->status) return w->status;
    if (answer == READSTAT_ERROR_MALLOC) return out_of_memory(error);
    if (answer == READSTAT_ERROR_NUMERIC_VALUE_IS_OUT_OF_RANGE)
        fail(error, BAD, "a value is beyond the numbers that a %s file holds", stat_name(w->kind));
    else if (answer == READSTAT_ERROR_TOO_MANY_COLUMNS) fail(error, BAD, "a %s file does not hold so many columns", stat_name(w->kind));
    else fail(error, BAD, "cannot be written as a %s file (%s)", stat_name(w->kind), readstat_error_message(answer));
    if (column >= 0) error_column(error, w->table->column[column]->name);
    if (row >= 0) error_row(error, row);
    return error_file(error, w->path);
}

static Status write_rows(Writing *w) {
    Status status = OK;
    for (int64_t row = 0; row < w->table->rows; row++) {
        readstat_error_t answer = readstat_begin_row(w->writer);
        int64_t column = 0;
        for (; !answer && column < w->table->columns; column++) answer = put_cell(w, &w->plan[column], row);
        if (answer) TRY(explain(w, answer, column - 1, row));
        answer = readstat_end_row(w->writer);
        if (answer) TRY(explain(w, answer, -1, row));
        if (!(row & 0xFFFF)) {
            work_show(w->work, "writing", (double)row / (double)w->table->rows);
            TRY(work_check(w->work));
        }
    }
done:
    return status;
}

/* ---- the whole file ---- */

/* Long texts of Stata (strL) are told before the first row, in the order in which the cells will ask for them. */
static Status add_refs(Writing *w) {
    char number[33];
    int count = 0;
    for (int64_t j = 0; j < w->table->columns; j++) {
        StatLayout *plan = &w->plan[j];
        if (plan->type != READSTAT_TYPE_STRING_REF) continue;
        w->next[j] = count;
        plan->next_ref = &w->next[j];
        for (int64_t row = 0; row < w->table->rows; row++) {
            const char *text = column_missing(plan->column, row) ? "" : stat_text(plan, row, number);
            if (!readstat_add_string_ref(w->writer, text)) return out_of_memory(w->work->error);
            count++;
        }
    }
    return OK;
}

/* The file's label, cut between characters to what the format has room for, and the weights that SPSS counts records by. */
static readstat_error_t describe_file(Writing *w) {
    const char *label = w->table->label ? stat_label(w->work, w->kind, OF_FILE, w->table->label) : "";
    if (!label) return READSTAT_ERROR_MALLOC;
    readstat_error_t answer = *label ? readstat_writer_set_file_label(w->writer, label) : READSTAT_OK;
    for (int64_t j = 0; !answer && w->kind == STAT_SAV && j < w->table->columns; j++) {
        const StatLayout *plan = &w->plan[j];
        if (plan->column->about && plan->column->about->weights && plan->type != READSTAT_TYPE_STRING)
            answer = readstat_writer_set_fweight_variable(w->writer, plan->variable);
    }
    return answer;
}

static readstat_error_t begin(Writing *w) {
    long rows = (long)w->table->rows;
    const char *dot = strrchr(w->path, '.');
    readstat_writer_set_file_timestamp(w->writer, 0); /* the same table gives the same bytes */
    switch (w->kind) {
    case STAT_SAV: {
        bool packed = dot && (dot[1] == 'z' || dot[1] == 'Z');
        readstat_writer_set_compression(w->writer, packed ? READSTAT_COMPRESS_BINARY : READSTAT_COMPRESS_ROWS);
        return readstat_begin_writing_sav(w->writer, w, rows);
    }
    case STAT_POR: return readstat_begin_writing_por(w->writer, w, rows);
    case STAT_DTA:
        readstat_writer_set_file_format_version(w->writer, w->table->columns > 32767 ? 119 : 118);
        return readstat_begin_writing_dta(w->writer, w, rows);
    default:
        readstat_writer_set_file_format_version(w->writer, w->short_names ? 5 : 8);
        return readstat_begin_writing_xport(w->writer, w, rows);
    }
}

/* ReadStat does not look at what it gets of memory for its variables and labels, and ends the program there, so that it works apart; what
 * it writes goes into the file that is open here. */
static Status write_file(void *self) {
    Writing *w = self;
    Status status = OK;
    if (!(w->writer = readstat_writer_init())) return out_of_memory(w->work->error);
    readstat_error_t answer = readstat_set_data_writer(w->writer, write_out);
    for (int64_t j = 0; !answer && j < w->table->columns; j++) {
        answer = add_variable(w, j);
        if (answer) TRY(explain(w, answer, j, -1));
    }
    TRY(add_refs(w));
    answer = describe_file(w);
    if (!answer) answer = begin(w);
    if (!answer) answer = readstat_validate_metadata(w->writer);
    for (int64_t j = 0; !answer && j < w->table->columns; j++) {
        answer = readstat_validate_variable(w->writer, w->plan[j].variable);
        if (answer) TRY(explain(w, answer, j, -1));
    }
    if (answer) TRY(explain(w, answer, -1, -1));
    TRY(write_rows(w));
    answer = readstat_end_writing(w->writer);
    if (answer) TRY(explain(w, answer, -1, -1));
    TRY(w->status);
done:
    readstat_writer_free(w->writer);
    return status;
}

static Status check(Work *work, const Table *table, const char *path, StatKind kind) {
    if (!table->columns) fail(work->error, BAD, "a table without columns cannot be written as a %s file", stat_name(kind));
    else if (table->rows > INT32_MAX) fail(work->error, BAD, "more than 2^31 records do not fit in a %s file", stat_name(kind));
    else return OK;
    return error_file(work->error, path);
}

static size_t without_blanks(const char *text) {
    size_t length = strlen(text);
    while (length && text[length - 1] == ' ') length--;
    return length;
}

static int by_trimmed(const void *a, const void *b) {
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    const size_t m = without_blanks(x), n = without_blanks(y);
    const int order = memcmp(x, y, m < n ? m : n);
    return order ? order : (m > n) - (m < n);
}

/* Texts end where their blanks begin: "a" and "a " would become one value, and "  " none. */
static Status check_blanks(Work *work, const Column *column) {
    Status status = OK;
    Codes codes = { 0 };
    const char **word = NULL;
    bool blank = false;
    char number[33];
    TRY(column_codes(work, column, &codes));
    NEW(work, word, codes.count + 1);
    for (int32_t c = 0; c < codes.count; c++) {
        word[c] = column_cell(column, codes.first_row[c], number);
        blank |= *word[c] && !without_blanks(word[c]);
    }
    qsort(word, (size_t)codes.count, sizeof *word, by_trimmed);
    for (int32_t c = 1; c < codes.count && !blank; c++) blank = by_trimmed(&word[c - 1], &word[c]) == 0;
    if (blank) {
        fail(work->error, FAILED, "has values that differ only in the blanks at their end, which this kind of file does not keep");
        error_advice(work->error, "Recode them, or write CSV, Excel or Arrow.");
        status = error_column(work->error, column->name);
    }
done:
    codes_drop(work, column, &codes);
    return status;
}

static bool is_blank(const Column *column, int64_t row) {
    char number[33];
    const char *cell = column_cell(column, row, number);
    return !cell || !without_blanks(cell);
}

/* A SAS transport file is padded with blanks, and ends nowhere else: records of blank text at its end are read as padding. */
static Status check_last(Work *work, const Table *table, const StatLayout *plan) {
    int64_t last = table->rows - 1;
    for (int64_t j = 0; j < table->columns; j++)
        if (last < 0 || !stat_is_text(&plan[j]) || !is_blank(table->column[j], last)) return OK;
    fail(work->error, FAILED, "is all blank text, which a SAS transport file cannot tell from its end");
    error_advice(work->error, "Add a column of numbers, or write another format.");
    return error_row(work->error, last);
}

static Status check_text(Work *work, const Table *table, StatKind kind, const StatLayout *plan) {
    Status status = OK;
    for (int64_t j = 0; j < table->columns; j++) {
        const Type type = table->column[j]->type;
        if (stat_is_text(&plan[j]) && (type == TEXT_TYPE || type == CATEGORY_TYPE)) TRY(check_blanks(work, table->column[j]));
    }
    if (kind == STAT_XPT) TRY(check_last(work, table, plan));
done:
    return status;
}

Status stat_write(Work *work, const Table *table, const char *path, StatKind kind) {
    Status status = OK;
    Writing w = { .work = work, .path = path, .kind = kind, .table = table };
    w.short_names = kind == STAT_XPT && stat_all_short(table);
    TRY(check(work, table, path, kind));
    TRY(stat_layouts(work, table, kind, w.short_names, &w.plan));
    if (check_text(work, table, kind, w.plan)) TRY(error_file(work->error, path));
    NEW(work, w.next, table->columns + 1);
    TRY(output_open(path, false, &w.output, work->error));
    TRY(helper_run(work, "writing", write_file, &w));
    Output *whole = w.output;
    w.output = NULL;
    TRY(output_commit(whole, work->error));
done:
    output_abandon(w.output);
    return status;
}
