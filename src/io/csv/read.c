/* Reading CSV: layout, chunks, a guess from a sample, then every cell; columns that turn out wider are read again. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "base/number_text.h"
#include "io/csv/private.h"
#include "io/format.h"
#include "table/measurement_level.h"

/* ---- what the quotes mean, and a first guess ---- */

typedef struct Quotes {
    const Csv *csv;
    atomic_bool bare;
} Quotes;

/* Looks for a cell that is neither empty nor quoted. Syntax errors are left for the reading proper. */
static Status find_bare(void *self, int64_t index, int64_t first, int64_t last, Error *error) {
    (void)first, (void)last, (void)error;
    Quotes *quotes = self;
    const Csv *csv = quotes->csv;
    const Chunk *chunk = &csv->chunk[index];
    Piece piece = { 0 };
    Error ignored = ERROR_NONE;
    for (const char *at = chunk->at; at < chunk->end && !atomic_load(&quotes->bare); at = piece.next) {
        if (piece_next(csv, &piece, at, chunk->end, 1 << 14, &ignored)) break;
        for (int64_t row = 0; row < piece.rows; row++)
            for (int64_t column = 0; column < csv->columns; column++) {
                Cell cell = piece_cell(csv, &piece, row, column);
                if (cell.at < cell.end && *cell.at != '"') {
                    atomic_store(&quotes->bare, true);
                    goto done;
                }
            }
    }
done:
    piece_free(&piece);
    return OK;
}

/* R and others quote what is not a number: then quotes mean text. Where all that is not empty is quoted they mean nothing. */
static Status learn_quotes(Csv *csv) {
    if (csv->quoted_is_word) return OK;
    Quotes quotes = { csv, false };
    Status status = parallel_for(&csv->work, csv->chunks, 1, find_bare, &quotes);
    csv->quoted_is_word = atomic_load(&quotes.bare);
    return status;
}

static void learn_cell(const Csv *csv, Field *field, Cell *cell) {
    unsigned class = csv_cell_class(csv, cell);
    int64_t value;
    if (!field->declared) field->seen |= class;
    if (read_integer(cell->at, cell->end, &value)) field->reach |= integer_reach(value); /* also of what means missing: it is read first */
}

/* Records from all over the file, so that a column seldom has to be read twice. */
static void learn_types(Csv *csv) {
    enum { PLACES = 32, BYTES = 1 << 13, ROWS = 64 };
    Piece piece = { 0 };
    Error ignored = ERROR_NONE;
    for (int64_t place = 0; place < PLACES && place < csv->chunks; place++) {
        const Chunk *chunk = &csv->chunk[csv->chunks <= PLACES ? place : place * csv->chunks / PLACES];
        if (chunk->at == chunk->end) continue;
        if (piece_next(csv, &piece, chunk->at, chunk->end, BYTES, &ignored)) break;
        for (int64_t row = 0; row < piece.rows && row < ROWS; row++)
            for (int64_t column = 0; column < csv->columns; column++) {
                Cell cell = piece_cell(csv, &piece, row, column);
                learn_cell(csv, &csv->field[column], &cell);
            }
    }
    piece_free(&piece);
}

/* ---- reading ---- */

static bool holds_words(const Field *field) { return field->type == CATEGORY_TYPE || field->type == TEXT_TYPE; }

static void free_words(const Csv *csv, Field *field) {
    for (int64_t i = 0; field->words && i < csv->chunks; i++) words_free(&field->words[i]);
    free(field->words);
    field->words = NULL;
}

void csv_field_free(const Csv *csv, Field *field) {
    column_release(field->column);
    field->column = NULL;
    free_words(csv, field);
}

/* The level that was declared (table/measurement_level.h): declared numbers are numbers, and no codes. */
static Status mark_level(Csv *csv, const Field *field) {
    Column *column = field->column;
    const MeasureLevel level = field->level ? field->level : field->declared && column_numeric(column) ? MEASURE_SCALE : MEASURE_UNKNOWN;
    if (!level) return OK;
    if (level == MEASURE_SCALE && !column_linear(column) && column->missing < column->rows) {
        fail(csv->work.error, BAD, "this column was declared numeric and holds words");
        error_advice(csv->work.error, "Name the words that mean missing with --na, or declare it nominal.");
        error_column(csv->work.error, field->name);
        return error_file(csv->work.error, csv->file);
    }
    if (!column->about && !(column->about = metadata_new())) return out_of_memory(csv->work.error);
    column->about->measure = level;
    column->about->declared = true;
    return OK;
}

/* Whole numbers four times as large as those that were met still fit. Where more were met than the sample had, not much is known of the
 * rest: four bytes at least. */
static int width_for(const Csv *csv, const Field *field) {
    int width = field->reach >> 61 ? 8 : reach_width(field->reach << 2);
    return !csv->first_pass && width < 4 ? 4 : width;
}

static Status new_cells(Csv *csv, Field *field) {
    Type type = holds_words(field) ? CATEGORY_TYPE : field->type;
    if (type != INTEGER_TYPE) return column_unfilled(type, field->name, csv->rows, &field->column, csv->work.error);
    field->width = width_for(csv, field);
    return column_of_width(field->name, csv->rows, field->width, &field->column, csv->work.error);
}

static Status new_column(Csv *csv, Field *field) {
    Status status = OK;
    TRY(new_cells(csv, field));
    TRY(column_need_valid(field->column, csv->work.error));
    if ((field->known & IS_CODE) && column_numeric(field->column)) TRY(column_need_reason(field->column, csv->work.error));
done:
    return status;
}

/* Room for the columns that this pass reads. */
static Status prepare(Csv *csv) {
    Status status = OK;
    for (int64_t i = 0; i < csv->columns; i++) {
        Field *field = &csv->field[i];
        if (!field->wanted) continue;
        csv_field_free(csv, field);
        field->known = field->seen;
        if (!field->declared) field->type = csv_join(field->known);
        TRY(new_column(csv, field));
        if (!holds_words(field)) continue;
        field->words = calloc((size_t)csv->chunks + 1, sizeof *field->words);
        if (!field->words) TRY(out_of_memory(csv->work.error));
    }
done:
    return status;
}

static Status parse_chunk(void *self, int64_t chunk, int64_t first, int64_t last, Error *error) {
    (void)first, (void)last;
    Csv *csv = self;
    if (pthread_equal(pthread_self(), csv->caller))
        work_show(&csv->work, "reading", (double)chunk / (double)csv->chunks); /* progress is told from the calling thread only */
    return csv_parse(self, chunk, error);
}

/* Does the column hold two numbers that differ? One number among codes is a word like them. */
static void count_numbers(Field *field) {
    const Column *column = field->column;
    for (int64_t i = 0; i < column->rows && !field->several; i++) {
        if (column_missing(column, i)) continue;
        double number = column_number(column, i);
        field->several = field->some && number != field->first;
        if (!field->some) field->first = number;
        field->some = true;
    }
}

/* After a pass: columns in which codes were read that are none. */
static void judge_codes(const Csv *csv) {
    for (int64_t i = 0; i < csv->columns; i++) {
        Field *field = &csv->field[i];
        if (!field->column || !field->column->reason || !field->codes.count || csv_join(field->seen) == CATEGORY_TYPE) continue;
        count_numbers(field);
        if (!field->several && !csv->part) field->seen |= IS_WORD;
    }
}

/* ---- identifiers that look like numbers ---- */

typedef struct Form {
    double number;
    const char *at;
    size_t length;
} Form;

static int by_form(const void *a, const void *b) {
    const Form *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    if (x->length != y->length) return x->length < y->length ? -1 : 1;
    return memcmp(x->at, y->at, x->length);
}

/* The numbers of a column as they are written. */
static Status forms_of(const Csv *csv, int64_t column, Form *form, int64_t *count) {
    Status status = OK;
    Piece piece = { 0 };
    for (int64_t c = 0; c < csv->chunks; c++)
        for (const char *at = csv->chunk[c].at; at < csv->chunk[c].end; at = piece.next) {
            TRY(piece_next(csv, &piece, at, csv->chunk[c].end, 1 << 14, csv->work.error));
            for (int64_t row = 0; row < piece.rows && *count < csv->rows; row++) {
                Cell cell = piece_cell(csv, &piece, row, column);
                Form *next = &form[*count];
                const unsigned class = csv_cell_class(csv, &cell);
                if (!(class & (IS_INTEGER | IS_REAL)) || !read_real(cell.at, cell.end, csv->decimal, &next->number)) continue;
                next->at = cell.at;
                next->length = (size_t)(cell.end - cell.at);
                ++*count;
            }
        }
done:
    piece_free(&piece);
    return status;
}

/* A column of codes by its name (icd, product_code) in which 250.0 and 250.00, or 1e5 and 100000, both stand: as numbers they would be one,
 * so they are words. */
static Status judge_identifiers(Csv *csv) {
    Status status = OK;
    for (int64_t i = 0; i < csv->columns; i++) {
        Field *field = &csv->field[i];
        Form *form = NULL;
        int64_t count = 0;
        if (field->told || field->declared || field->type != REAL_TYPE || csv_join(field->seen) != REAL_TYPE) continue;
        if (!name_of_codes(field->name) && !name_has_word(field->name, " id ident identifier ")) continue;
        field->told = true;
        NEW(&csv->work, form, csv->rows + 1);
        TRY(forms_of(csv, i, form, &count));
        qsort(form, (size_t)count, sizeof *form, by_form);
        for (int64_t k = 1; k < count; k++)
            if (form[k].number == form[k - 1].number && by_form(&form[k], &form[k - 1])) field->seen |= IS_WORD;
        arena_drop(csv->work.arena, form);
    }
done:
    return status;
}

/* One pass; true in *again where some column held more than was thought. */
static Status pass(Csv *csv, bool *again) {
    Status status = OK;
    TRY(prepare(csv));
    TRY(parallel_for(&csv->work, csv->chunks, 1, parse_chunk, csv));
    csv->first_pass = false;
    judge_codes(csv);
    TRY(judge_identifiers(csv));
    *again = false;
    for (int64_t i = 0; i < csv->columns; i++) {
        Field *field = &csv->field[i];
        field->wanted = field_widened(field) || field_outgrown(field);
        *again |= field->wanted;
    }
done:
    return status;
}

/* Bytes that a record will take, as far as the sample tells. */
static uint64_t record_bytes(const Csv *csv) {
    uint64_t bytes = 0;
    for (int64_t i = 0; i < csv->columns; i++) {
        const Field *field = &csv->field[i];
        Type type = field->declared ? field->type : csv_join(field->seen);
        bytes += type == INTEGER_TYPE ? (uint64_t)width_for(csv, field) : 8;
    }
    return bytes;
}

/* The codes in the order of their bytes, whichever thread met which of them first. */
static Status close_codes(const Csv *csv, Field *field) {
    Status status = OK;
    Column *column = field->column;
    uint16_t reason[LETTER_CODES];
    int place[LETTER_CODES];
    if (!column->reason || !field->codes.count) return OK;
    letter_codes_sort(&field->codes, place);
    if (!(column->about = metadata_new())) TRY(out_of_memory(csv->work.error));
    TRY(letter_codes_reasons(&field->codes, column->about, reason, csv->work.error));
    for (int64_t i = 0; i < column->rows; i++)
        if (column->reason[i] >= MISSING_CODE_FIRST) column->reason[i] = reason[place[column->reason[i] - MISSING_CODE_FIRST]];
done:
    return status;
}

Status csv_read_columns(Csv *csv) {
    Status status = OK;
    for (int64_t i = 0; i < csv->columns; i++) csv->field[i].lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    TRY(learn_quotes(csv));
    learn_types(csv);
    csv->first_pass = true;
    TRY(memory_fits((uint64_t)csv->rows * record_bytes(csv), csv->work.error));
    for (int64_t i = 0; i < csv->columns; i++) csv->field[i].wanted = true;
    for (bool again = true; again;) TRY(pass(csv, &again));
    for (int64_t i = 0; i < csv->columns; i++) {
        if (holds_words(&csv->field[i])) TRY(csv_words(csv, i));
        free_words(csv, &csv->field[i]);
        TRY(close_codes(csv, &csv->field[i]));
        column_seal(csv->field[i].column);
        TRY(mark_level(csv, &csv->field[i]));
        if (csv->options->na_count) column_narrow(csv->field[i].column); /* numbers that mean missing may be larger than all others */
        else column_narrow_to(csv->field[i].column, reach_width(csv->field[i].reach));
    }
done:
    return status;
}

Status csv_table(Csv *csv, Table **out) {
    Status status = OK;
    Column **columns = NULL;
    NEW(&csv->work, columns, csv->columns);
    for (int64_t i = 0; i < csv->columns; i++) columns[i] = csv->field[i].column;
    TRY(table_new(csv->file, columns, csv->columns, csv->rows, out, csv->work.error));
done:
    return status;
}

static Status read_all(Work *work, const char *name, const Bytes *from, const CsvOptions *options, Table **out) {
    Status status = OK;
    const char *bytes = from->count ? from->at : "";
    size_t count = from->count;
    if (count >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3)) {
        bytes += 3;
        count -= 3;
    }
    Csv csv = { .work = *work,
                .caller = pthread_self(),
                .options = options,
                .file = name,
                .from = from,
                .bytes = bytes,
                .end = bytes + count,
                .width = csv_width(),
                .decimal = options->decimal ? options->decimal : '.' };
    if (options->threads > 0) csv.work.threads = options->threads;
    TRY(csv_marks(options->separator, csv.decimal, work->error));
    TRY(csv_layout(&csv));
    TRY(csv_chunks(&csv));
    TRY(csv_read_columns(&csv));
    TRY(csv_table(&csv, out));
done:
    for (int64_t i = 0; i < csv.columns; i++) csv_field_free(&csv, &csv.field[i]);
    return status;
}

Status csv_read_bytes(Work *work, const char *name, const char *bytes, size_t count, const CsvOptions *options, Table **out) {
    static const CsvOptions plain = { 0 };
    return read_all(work, name, &(Bytes){ .at = bytes, .count = count }, options ? options : &plain, out);
}

/* A file named .tsv is separated by tabs, whatever else is in it. */
static bool ends_with(const char *path, const char *suffix) {
    size_t length = strlen(path), part = strlen(suffix);
    return length > part && !strcmp(path + length - part, suffix);
}
bool csv_is_tsv(const char *path) { return ends_with(path, ".tsv") || ends_with(path, ".tsv.gz") || ends_with(path, ".tsv.zst"); }

Status csv_read(Work *work, const char *path, const CsvOptions *options, Table **out) {
    Bytes bytes;
    CsvOptions own = options ? *options : (CsvOptions){ 0 };
    if (!own.separator && csv_is_tsv(path)) own.separator = '\t';
    Status status = csv_bytes(work, path, own.encoding, &bytes);
    if (status) return status;
    status = read_all(work, strcmp(path, "-") ? path : "standard input", &bytes, &own, out);
    return format_read_end(work, path, &bytes, status, out);
}
