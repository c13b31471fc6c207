/* A CSV file's separator, its column names and their declared types. */
#include <stdlib.h>
#include <string.h>
#include "io/csv/private.h"

/* What a separator would make of the first records. */
typedef struct Trial {
    int64_t fields;
    bool same, clean;
} Trial;

static Trial try_separator(const Csv *csv, char separator) {
    enum { RECORDS = 100, BYTES = 1 << 20 };
    Cursor cursor = { csv->data, csv->end, separator, NULL, NULL };
    Trial trial = { 0, true, true };
    for (int record = 0; record < RECORDS && cursor.at < csv->end && cursor.at - csv->data < BYTES; record++) {
        bool blank = *cursor.at == '\n' || *cursor.at == '\r';
        int64_t fields = 0;
        Cell cell;
        do {
            fields++;
            if (!cursor_next(&cursor, &cell)) {
                trial.clean = false;
                break;
            }
        } while (!cell.last);
        if (record == 0) trial.fields = fields;
        if (!trial.clean) break;
        trial.same = trial.same && (fields == trial.fields || blank);
    }
    return trial;
}

/* Of those that cut every record into the same number of fields the one that makes most; else the one that cuts the header into most. */
static char find_separator(const Csv *csv) {
    static const char candidates[] = { ',', ';', '\t', '|' };
    char best = csv->decimal == ',' ? ';' : ',';
    int64_t best_score = 1;
    for (size_t i = 0; i < sizeof candidates; i++) {
        if (candidates[i] == csv->decimal) continue;
        Trial trial = try_separator(csv, candidates[i]);
        int64_t score = trial.fields < 2 ? 0 : trial.fields + (trial.clean && trial.same ? INT32_MAX : 0);
        if (score > best_score) {
            best_score = score;
            best = candidates[i];
        }
    }
    return best;
}

static Status add_name(Csv *csv, const Cell *cell, int64_t *capacity) {
    Status status = OK;
    GROW(&csv->work, csv->field, *capacity, csv->columns + 1);
    Field *field = &csv->field[csv->columns];
    NEW(&csv->work, field->name, cell->end - cell->at + 1);
    if (cell->quoted) field->name[csv_unquote(cell->at, cell->end, field->name)] = 0;
    else memcpy(field->name, cell->at, (size_t)(cell->end - cell->at));
    if (!field->name[0]) {
        csv_fail(csv, csv->work.error, cell->at, "column %lld has no name", (long long)csv->columns + 1);
        return error_advice(csv->work.error, "Give every column a name in the first line (R: write.csv(…, row.names = FALSE)).");
    }
    csv->columns++;
done:
    return status;
}

static Status check_text(Csv *csv, const char *at, const char *end) {
    while (at < end) {
        int length = *at ? utf8_length(at, end) : 0;
        if (!length) {
            csv_fail(csv, csv->work.error, at, *at ? "the header is not UTF-8" : "the header holds a NUL byte");
            return error_advice(csv->work.error, "Say how the file is encoded, for instance with --encoding latin1 or utf-16.");
        }
        at += length;
    }
    return OK;
}

/* The names; and whether quotes mean anything: a file that quotes all its names may quote all its cells. */
static Status read_names(Csv *csv) {
    Cursor cursor = { csv->data, csv->end, csv->separator, NULL, NULL };
    Cell cell;
    int64_t capacity = 0;
    bool bare = false, needless = false;
    do {
        if (!cursor_next(&cursor, &cell)) {
            csv_fail(csv, csv->work.error, cursor.wrong, "%s", cursor.problem);
            return error_advice(csv->work.error, "Put a name that holds a quote in quotes, and write the quote inside it twice.");
        }
        Status status = check_text(csv, cell.at, cell.end);
        if (!status) status = add_name(csv, &cell, &capacity);
        if (status) return status;
        bool needed = cell.end - cell.at >= 3 && !memcmp(cell.at, "\xEF\xBB\xBF", 3); /* or it would be a byte order mark */
        for (const char *p = cell.at; p < cell.end; p++) needed |= *p == csv->separator || strchr(",;\t|\"\r\n", *p);
        bare |= !cell.quoted;
        needless |= cell.quoted && !needed;
    } while (!cell.last);
    csv->data = cursor.at;
    csv->quoted_is_word = bare || !needless;
    return OK;
}

/* No line of names: as many columns as the first record has cells, all of text. */
static Status make_names(Csv *csv) {
    Status status = OK;
    Cursor cursor = { csv->data, csv->end, csv->separator, NULL, NULL };
    Cell cell;
    int64_t capacity = 0;
    do {
        if (!cursor_next(&cursor, &cell)) TRY(csv_fail(csv, csv->work.error, cursor.wrong, "%s", cursor.problem));
        GROW(&csv->work, csv->field, capacity, csv->columns + 1);
        Field *field = &csv->field[csv->columns];
        *field = (Field){ .name = arena_print(csv->work.arena, "level%lld", (long long)csv->columns), .declared = true, .type = TEXT_TYPE };
        if (!field->name) TRY(out_of_memory(csv->work.error));
        csv->columns++;
    } while (!cell.last);
done:
    return status;
}

static int by_name(const void *a, const void *b) { return strcmp((*(Field *const *)a)->name, (*(Field *const *)b)->name); }

static Status check_distinct(Csv *csv) {
    Status status = OK;
    Field **sorted = NULL;
    NEW(&csv->work, sorted, csv->columns);
    for (int64_t i = 0; i < csv->columns; i++) sorted[i] = &csv->field[i];
    qsort(sorted, (size_t)csv->columns, sizeof *sorted, by_name);
    for (int64_t i = 1; i < csv->columns; i++) {
        if (strcmp(sorted[i]->name, sorted[i - 1]->name)) continue;
        csv_fail(csv, csv->work.error, csv->bytes, "two columns are named '%s'", sorted[i]->name);
        return error_advice(csv->work.error, "Give every column a name of its own.");
    }
done:
    return status;
}

static bool type_from(const char *word, Type *out) {
    static const struct {
        const char *word;
        Type type;
    } known[] = { { "int", INTEGER_TYPE }, { "integer", INTEGER_TYPE }, { "real", REAL_TYPE },        { "category", CATEGORY_TYPE },
                  { "text", TEXT_TYPE },   { "date", DATE_TYPE },       { "datetime", DATETIME_TYPE } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(word, known[i].word)) {
            *out = known[i].type;
            return true;
        }
    return false;
}

/* What a column measures, whatever it is read as. */
static bool level_from(const char *word, MeasureLevel *out) {
    *out = !strcmp(word, "nominal")   ? MEASURE_NOMINAL
           : !strcmp(word, "ordinal") ? MEASURE_ORDINAL
           : !strcmp(word, "numeric") ? MEASURE_SCALE
                                      : MEASURE_UNKNOWN;
    return *out != MEASURE_UNKNOWN;
}

static Status no_such_column(Csv *csv, const char *name) {
    Status status = OK;
    const char **names = NULL;
    NEW(&csv->work, names, csv->columns);
    for (int64_t i = 0; i < csv->columns; i++) names[i] = csv->field[i].name;
    const char *near = nearest_name(name, names, (size_t)csv->columns);
    status = fail(csv->work.error, BAD, "there is no column '%s'", name);
    error_parameter(csv->work.error, "types");
    error_file(csv->work.error, csv->file);
    if (near) error_advice(csv->work.error, "Did you mean '%s'?", near);
done:
    return status;
}

static Status declare(Csv *csv, const char *item) {
    const char *colon = strrchr(item, ':');
    Type type = TEXT_TYPE;
    MeasureLevel level = MEASURE_UNKNOWN;
    if (!colon || (!level_from(colon + 1, &level) && !type_from(colon + 1, &type))) {
        fail(csv->work.error, BAD, "'%s' is not COLUMN:TYPE", item);
        error_parameter(csv->work.error, "types");
        return error_advice(csv->work.error,
                            "Types are integer, real, category, text, date and datetime; levels are nominal, ordinal and numeric: "
                            "--types age:real,zone:nominal.");
    }
    size_t length = (size_t)(colon - item);
    for (int64_t i = 0; i < csv->columns; i++) {
        if (strlen(csv->field[i].name) != length || strncmp(csv->field[i].name, item, length)) continue;
        csv->field[i].level = level;
        if (level) return OK;
        csv->field[i].declared = true;
        csv->field[i].type = type;
        return OK;
    }
    if (csv->options->types_elsewhere) return OK;
    char *name = arena_print(csv->work.arena, "%.*s", (int)length, item);
    return name ? no_such_column(csv, name) : out_of_memory(csv->work.error);
}

/* A workbook under another name: its first bytes are those of a ZIP archive. */
static Status not_text(Csv *csv) {
    csv_fail(csv, csv->work.error, NULL, "is a ZIP archive, as Excel's workbooks are, and no text");
    return error_advice(csv->work.error, "Where it is a workbook, give it a name that ends in .xlsx.");
}

Status csv_layout(Csv *csv) {
    Status status = OK;
    const char *p = csv->bytes;
    if (csv->end - p >= 4 && !memcmp(p, ZIP_MAGIC, 4)) return not_text(csv);
    while (p < csv->end && (*p == '\n' || *p == '\r')) p++;
    if (p == csv->end) {
        status = csv_fail(csv, csv->work.error, NULL, "is empty");
        error_advice(csv->work.error, "A table begins with a line that names its columns.");
        goto done;
    }
    csv->data = csv->bytes;
    csv->found = !csv->options->separator;
    csv->separator = csv->found ? find_separator(csv) : csv->options->separator;
    TRY(csv->options->raw ? make_names(csv) : read_names(csv));
    TRY(check_distinct(csv));
    for (int64_t i = 0; i < csv->options->type_count; i++) TRY(declare(csv, csv->options->types[i]));
    /* Blank lines at the end say nothing; where there is one column each is a missing value. */
    while (csv->columns > 1 && csv->end > csv->data) {
        const char *last = csv->end - 1;
        if (*last != '\n') break;
        last -= last > csv->data && last[-1] == '\r';
        if (last > csv->data && last[-1] != '\n') break;
        csv->end = last;
    }
done:
    return status;
}
