/* One type for a column that several tables have. */
#include "table/common_types.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"

/* What a distinct word of a column becomes. */
typedef struct Reading {
    double real;
    int64_t whole;   /* of a whole number or a moment; days of a date */
    uint16_t reason; /* not 0: the cell is missing by this code */
} Reading;

typedef struct Conversion {
    Work *work;
    const Column *from;
    Type type; /* REAL_TYPE (whole numbers become INTEGER_TYPE), DATE_TYPE, DATETIME_TYPE */
    Codes codes;
    Reading *reading; /* of each code */
    ColumnMetadata *about;
    bool all_whole;
    int64_t values; /* distinct words that are values */
} Conversion;

static bool has_digit(const char *word) {
    for (; *word; word++)
        if (isdigit((unsigned char)*word)) return true;
    return false;
}

static bool declared_missing(const Column *column, const char *word) {
    for (int32_t i = 0; column && column->about && i < column->about->missing; i++) {
        char text[33];
        if (!strcmp(code_text(column->about->missing_of[i], text), word)) return true;
    }
    return false;
}

static bool read_value(Conversion *c, const char *word, Reading *out) {
    const char *end = word + strlen(word);
    int32_t days;
    switch (c->type) {
    case DATE_TYPE:
        if (!read_date(word, end, &days)) return false;
        out->whole = days;
        return true;
    case DATETIME_TYPE:
        if (read_datetime(word, end, &out->whole)) return true;
        if (!read_date(word, end, &days)) return false;
        out->whole = days * INT64_C(86400000000);
        return true;
    default:
        if (!read_real(word, end, '.', &out->real)) return false;
        if (!read_integer(word, end, &out->whole)) {
            bool whole = out->real == floor(out->real) && fabs(out->real) <= 0x1p53;
            out->whole = whole ? (int64_t)out->real : 0;
            c->all_whole &= whole;
        }
        return true;
    }
}

/* False where some word is neither a value nor a code. */
static Status read_words(Conversion *c, const Column *codes, bool *can) {
    Status status = OK;
    char text[33];
    *can = true;
    for (int32_t w = 0; *can && w < c->codes.count; w++) {
        const char *word = column_cell(c->from, c->codes.first_row[w], text);
        if (read_value(c, word, &c->reading[w])) {
            c->values++;
            continue;
        }
        *can = !has_digit(word) || declared_missing(codes, word);
        if (*can) TRY(metadata_reason(c->about, (CodeValue){ .text = word }, &c->reading[w].reason, c->work->error));
    }
    /* words alone are categories, unless the other table has just these codes */
    for (int32_t w = 0; *can && !c->values && w < c->codes.count; w++)
        *can = declared_missing(codes, column_cell(c->from, c->codes.first_row[w], text));
done:
    return status;
}

/* The codes by which cells of the old column are missing already. */
static Status old_reason(const Conversion *c, int64_t row, uint16_t *out) {
    uint16_t old = c->from->reason ? c->from->reason[row] : MISSING_CODE_NONE;
    *out = old;
    if (old < MISSING_CODE_FIRST) return OK;
    return metadata_reason(c->about, c->from->about->missing_of[old - MISSING_CODE_FIRST], out, c->work->error);
}

static void set_value(Column *column, int64_t row, const Reading *reading) {
    if (column->type == REAL_TYPE) column->real[row] = reading->real;
    else if (column->type == DATE_TYPE) column->date[row] = (int32_t)reading->whole;
    else column->integer[row] = reading->whole; /* moments lie in the same eight bytes */
}

static Status fill(Conversion *c, Column **out) {
    Status status = OK;
    Column *column = NULL;
    Type type = c->type == REAL_TYPE && c->all_whole ? INTEGER_TYPE : c->type;
    TRY(column_new(type, c->from->name, c->from->rows, &column, c->work->error));
    TRY(column_need_valid(column, c->work->error));
    TRY(column_need_reason(column, c->work->error));
    for (int64_t i = 0; i < column->rows; i++) {
        int32_t code = c->codes.at[i];
        if (code >= 0 && !c->reading[code].reason) {
            set_value(column, i, &c->reading[code]);
            continue;
        }
        column_set_missing(column, i);
        if (code >= 0) column->reason[i] = c->reading[code].reason;
        else TRY(old_reason(c, i, &column->reason[i]));
    }
    column_seal(column);
    column_narrow(column);
    column->about = c->about;
    c->about = NULL;
    *out = column;
    column = NULL;
done:
    column_release(column);
    return status;
}

Status column_as_values(Work *work, const Column *column, Type type, const Column *codes, Column **out) {
    Status status = OK;
    bool can = false;
    Conversion c = { .work = work, .from = column, .type = type == INTEGER_TYPE ? REAL_TYPE : type, .all_whole = true };
    *out = NULL;
    if (c.type == REAL_TYPE) TRY(column_as_numbers(column, out, work->error));
    if (*out) return OK;
    if (!(c.about = metadata_new())) TRY(out_of_memory(work->error));
    if (column->about) {
        TRY(metadata_set(&c.about->label, column->about->label, work->error));
        c.about->measure = column->about->measure;
    }
    TRY(column_codes(work, column, &c.codes));
    NEW(work, c.reading, c.codes.count + 1);
    TRY(read_words(&c, codes, &can));
    if (can) TRY(fill(&c, out));
done:
    metadata_release(c.about);
    codes_drop(work, column, &c.codes);
    arena_drop(work->arena, c.reading);
    return status;
}

Status column_as_category(Work *work, const Column *column, Column **out) {
    Status status = OK;
    Codes codes = { 0 };
    const char **word = NULL;
    NEW(work, word, column->rows + 1);
    TRY(column_codes(work, column, &codes));
    const char **text = NULL;
    NEW(work, text, codes.count + 1);
    for (int32_t c = 0; c < codes.count; c++) {
        char number[33];
        if (!(text[c] = arena_text(work->arena, column_cell(column, codes.first_row[c], number)))) TRY(out_of_memory(work->error));
    }
    for (int64_t i = 0; i < column->rows; i++) word[i] = codes.at[i] < 0 ? NULL : text[codes.at[i]];
    TRY(column_category(column->name, word, column->rows, out, work->error));
    (*out)->about = metadata_retain(column->about);
    if (column->reason) {
        TRY(column_need_reason(*out, work->error));
        memcpy((*out)->reason, column->reason, (size_t)column->rows * sizeof *column->reason);
    }
done:
    codes_drop(work, column, &codes);
    arena_drop(work->arena, word);
    return status;
}

/* ---- tables ---- */

/* The first of these columns that lies on a line; NULL where none does, or where all do. */
static const Column *line_among(const Column *const *column, int64_t count) {
    const Column *line = NULL;
    bool words = false;
    for (int64_t i = 0; i < count; i++) {
        if (!column[i]) continue;
        if (!column_linear(column[i])) words = true;
        else if (!line || line->missing == line->rows || (line->type == DATE_TYPE && column[i]->type == DATETIME_TYPE)) line = column[i];
    }
    return words ? line : NULL;
}

/* All words become values, or none. */
static Status convert_name(Work *work, const Column *const *column, int64_t count, Column **made) {
    Status status = OK;
    const Column *line = line_among(column, count);
    bool all = line != NULL;
    for (int64_t i = 0; all && i < count; i++) {
        if (!column[i] || column_linear(column[i])) continue;
        TRY(column_as_values(work, column[i], line->type, line, &made[i]));
        all = made[i] != NULL;
    }
done:
    for (int64_t i = 0; (status || !all) && i < count; i++) {
        column_release(made[i]);
        made[i] = NULL;
    }
    return status;
}

/* Is this the first of the tables that has a column of that name? */
static bool is_first(const Table *const *tables, int64_t t, const char *name) {
    for (int64_t i = 0; i < t; i++)
        if (tables[i] && table_column(tables[i], name)) return false;
    return true;
}

static Status convert_column(Work *work, const Table *const *tables, int64_t count, const char *name, Table **changed) {
    Status status = OK;
    const Column **column = NULL;
    Column **made = NULL;
    NEW(work, column, count + 1);
    NEW(work, made, count + 1);
    for (int64_t i = 0; i < count; i++) column[i] = tables[i] ? table_column(tables[i], name) : NULL;
    TRY(convert_name(work, column, count, made));
    for (int64_t i = 0; i < count; i++) {
        Table *next = NULL;
        if (!made[i]) continue;
        TRY(table_with(changed[i] ? changed[i] : tables[i], &made[i], 1, &next, work->error));
        next->closed |= tables[i]->closed;
        table_release(changed[i]);
        changed[i] = next;
    }
done:
    for (int64_t i = 0; made && i < count; i++) column_release(made[i]);
    arena_drop(work->arena, column);
    arena_drop(work->arena, made);
    return status;
}

Status tables_common_types(Work *work, const Table *const *tables, int64_t count, Table **changed) {
    Status status = OK;
    for (int64_t i = 0; i < count; i++) changed[i] = NULL;
    for (int64_t t = 0; t < count; t++)
        for (int64_t j = 0; tables[t] && j < tables[t]->columns; j++)
            if (is_first(tables, t, tables[t]->column[j]->name))
                TRY(convert_column(work, tables, count, tables[t]->column[j]->name, changed));
done:
    for (int64_t i = 0; status && i < count; i++) {
        table_release(changed[i]);
        changed[i] = NULL;
    }
    return status;
}
