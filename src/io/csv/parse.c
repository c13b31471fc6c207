/* Cells into columns: one loop per type over a piece of records. */
#include <stdlib.h>
#include <string.h>
#include "base/digits.h"
#include "base/number_text.h"
#include "io/csv/private.h"
#include "io/csv/number.h"

/* Bytes that are looked at together: of many columns more, so that each has some rows of it to be written side by side. */
enum { PIECE = 1 << 15, PIECE_COLUMN = 128, MOST_PIECE = 1 << 19 };
static size_t piece_bytes(const Csv *csv) {
    size_t wanted = (size_t)csv->columns * PIECE_COLUMN;
    return wanted < PIECE ? PIECE : wanted > MOST_PIECE ? MOST_PIECE : wanted;
}
#define INLINE static inline __attribute__((always_inline))

/* One column of one piece. `wrong` is the earliest cell that does not fit its declared type. */
typedef struct Part {
    const Csv *csv;
    const Piece *piece;
    int64_t column, first_row;
    Field *field;
    Words *words;
    bool coded; /* a word that means missing looks like a number or a day */
    const char *wrong;
    int64_t wrong_column;
} Part;

/* ---- whole numbers, of any width ---- */

static void *cells_of(Column *column) { return column->width ? column->narrow : column->integer; }

/* One that is too large loses digits: its column is read again. */
INLINE void put_integer(void *cells, int64_t at, int width, int64_t value) {
    switch (width) {
    case 1: ((int8_t *)cells)[at] = (int8_t)value; break;
    case 2: ((int16_t *)cells)[at] = (int16_t)value; break;
    case 4: ((int32_t *)cells)[at] = (int32_t)value; break;
    default: ((int64_t *)cells)[at] = value;
    }
}
static void note_reach(Field *field, uint64_t reach) {
    if (reach & ~field->reach) atomic_fetch_or(&field->reach, reach);
}

/* ---- cells ---- */

/* Two chunks may share the word that holds a row's bit. */
static void set_missing(const Part *part, int64_t row) {
    int64_t at = part->first_row + row;
    Column *column = part->field->column;
    if (column->type == INTEGER_TYPE) put_integer(cells_of(column), at, column->width, 0);
    else if (type_wide(column->type)) column->real[at] = 0;
    else column->code[at] = 0;
    __atomic_fetch_and(&column->valid[at >> 6], ~(UINT64_C(1) << (at & 63)), __ATOMIC_RELAXED);
}

/* A declared type takes what the class would not: leading zeros, and quotes around numbers. */
static bool read_cell(const Part *part, const Cell *cell, int64_t row) {
    Column *column = part->field->column;
    int64_t at = part->first_row + row, value;
    switch (column->type) {
    case INTEGER_TYPE:
        if (!read_integer(cell->at, cell->end, &value)) return false;
        put_integer(cells_of(column), at, column->width, value);
        note_reach(part->field, integer_reach(value));
        return true;
    case REAL_TYPE: return read_real(cell->at, cell->end, part->csv->decimal, &column->real[at]);
    case DATE_TYPE: return read_date(cell->at, cell->end, &column->date[at]);
    case DATETIME_TYPE: return read_datetime(cell->at, cell->end, &column->moment[at]);
    default: return false;
    }
}

/* A real with more digits, or an exponent: with a point, and without leading zeros, it can be nothing else. */
static bool plain_real(const Csv *csv, const Cell *cell, double *out) {
    const char *p = cell->at + (cell->at < cell->end && *cell->at == '-');
    bool plain =
        cell->end - p > 2 && is_digit(*p) && (*p != '0' || p[1] == csv->decimal) && memchr(p, csv->decimal, (size_t)(cell->end - p));
    return plain && read_real(cell->at, cell->end, csv->decimal, out);
}

/* A code among numbers: missing, and the reason says which. False where there are too many for codes, and words for it to be. */
static bool take_code(const Part *part, const Cell *cell, int64_t row) {
    Field *field = part->field;
    size_t length = (size_t)(cell->end - cell->at);
    int code = letter_codes_find(&field->codes, cell->at, length);
    if (code < 0) {
        pthread_mutex_lock(&field->lock);
        code = letter_codes_add(&field->codes, cell->at, length);
        pthread_mutex_unlock(&field->lock);
    }
    if (code < 0) atomic_fetch_or(&field->seen, IS_WORD);
    if (code < 0 || !field->column->reason) return false;
    set_missing(part, row);
    field->column->reason[part->first_row + row] = (uint16_t)(MISSING_CODE_FIRST + code);
    return true;
}

/* A cell that the fast loop did not take: missing, quoted, or of another type. False: this column cannot go on. */
__attribute__((noinline)) static bool slow_cell(Part *part, Cell cell, int64_t row) {
    const char *start = cell.at;
    if (part->field->type == REAL_TYPE && plain_real(part->csv, &cell, &part->field->column->real[part->first_row + row])) return true;
    unsigned class = csv_cell_class(part->csv, &cell);
    if (class == 0) {
        set_missing(part, row);
        return true;
    }
    if (class == IS_CODE && !part->field->declared) {
        atomic_fetch_or(&part->field->seen, class);
        return take_code(part, &cell, row);
    }
    if (part->field->declared || csv_join(class | part->field->known) == part->field->type) {
        if (read_cell(part, &cell, row)) return true;
        if (!part->wrong || start < part->wrong) {
            part->wrong = start;
            part->wrong_column = part->column;
        }
        return false;
    }
    atomic_fetch_or(&part->field->seen, class);
    return false;
}

/* Nothing but missing cells is known of this column yet. */
static void blanks(Part *part) {
    for (int64_t row = 0; row < part->piece->rows; row++) {
        Cell cell = piece_cell(part->csv, part->piece, row, part->column);
        unsigned class = csv_cell_class(part->csv, &cell);
        if (class) {
            atomic_fetch_or(&part->field->seen, class);
            return;
        }
        set_missing(part, row);
    }
}

/* Cell by cell without haste: the first piece of a file, before which there is too little for the fast readers to look back on. */
static void slowly(Part *part) {
    for (int64_t row = 0; row < part->piece->rows; row++)
        if (!slow_cell(part, piece_cell(part->csv, part->piece, row, part->column), row)) return;
}

/* The end of a cell; in the last column a carriage return may stand before the line's end. */
static inline const char *cell_end(const char *base, const uint32_t *ends, const char *at, bool last) {
    const char *end = base + *ends;
    return end - (last && end > at && end[-1] == '\r');
}

INLINE void integer_loop(Part *part, bool last, int width) {
    char *out = (char *)cells_of(part->field->column) + part->first_row * width;
    int64_t rows = part->piece->rows, step = part->csv->columns;
    uint64_t reach = 0;
    const char *base = part->piece->base;
    const uint32_t *ends = part->piece->ends + part->column;
    for (int64_t row = 0; row < rows; row++, ends += step) {
        const char *at = base + (uint32_t)(ends[-1] + 1), *end = cell_end(base, ends, at, last);
        int64_t value;
        if (short_integer(at, end, &value)) {
            put_integer(out, row, width, value);
            reach |= (uint64_t)value; /* without a sign */
        } else if (!slow_cell(part, piece_cell(part->csv, part->piece, row, part->column), row)) break;
    }
    note_reach(part->field, reach);
}
INLINE void integers_of(Part *part, int width) {
    if (part->column + 1 == part->csv->columns) integer_loop(part, true, width);
    else integer_loop(part, false, width);
}
static void integers(Part *part) {
    switch (part->field->width) {
    case 1: integers_of(part, 1); break;
    case 2: integers_of(part, 2); break;
    case 4: integers_of(part, 4); break;
    default: integers_of(part, 8);
    }
}

/* Divides out[i] by 10^fraction[i]: side by side, because divisions are what reals wait for. */
static void scale(double *out, const uint8_t *fraction, int64_t count) {
    int64_t i = 0;
#if defined(__SSE2__)
    for (; i + 2 <= count; i += 2)
        _mm_storeu_pd(out + i, _mm_div_pd(_mm_loadu_pd(out + i),
                                          _mm_loadh_pd(_mm_load_sd(&exact_power[fraction[i]]), &exact_power[fraction[i + 1]])));
#endif
    for (; i < count; i++) out[i] /= exact_power[fraction[i]];
}

INLINE void real_loop(Part *part, bool last) {
    enum { BATCH = 256 };
    double *out = part->field->column->real + part->first_row;
    uint8_t fraction[BATCH];
    char decimal = part->csv->decimal;
    int64_t rows = part->piece->rows, step = part->csv->columns;
    const char *base = part->piece->base;
    const uint32_t *ends = part->piece->ends + part->column;
    for (int64_t first = 0; first < rows; first += BATCH) {
        int64_t count = first + BATCH < rows ? BATCH : rows - first;
        for (int64_t i = 0; i < count; i++, ends += step) {
            const char *at = base + (uint32_t)(ends[-1] + 1), *end = cell_end(base, ends, at, last);
            if (short_real(at, end, decimal, &out[first + i], &fraction[i])) continue;
            fraction[i] = 0;
            if (long_real(at, end, decimal, &out[first + i])) continue;
            if (!slow_cell(part, piece_cell(part->csv, part->piece, first + i, part->column), first + i)) return;
        }
        scale(out + first, fraction, count);
    }
}
static void reals(Part *part) {
    if (part->column + 1 == part->csv->columns) real_loop(part, true);
    else real_loop(part, false);
}

static void dates(Part *part) {
    int32_t *out = part->field->column->date + part->first_row;
    for (int64_t row = 0; row < part->piece->rows; row++) {
        Cell cell = piece_cell(part->csv, part->piece, row, part->column);
        if (!read_date(cell.at, cell.end, &out[row]) && !slow_cell(part, cell, row)) return;
    }
}

/* A quoted word with its quotes made single, put where it can stay. */
static const char *unquoted(Words *words, const Cell *cell, size_t *length) {
    char *room = words_room(words, *length);
    if (room) *length = csv_unquote(cell->at, cell->end, room);
    return room;
}

/* Nothing but codes was known of the column, which a number makes codes among numbers. */
static void note_word(const Part *part, const Cell *cell, bool quoted) {
    const Csv *csv = part->csv;
    bool word = (quoted && csv->quoted_is_word) || cell->at == cell->end;
    unsigned class = word ? IS_WORD : csv_class(cell->at, cell->end, csv->decimal);
    if (class != IS_CODE) atomic_fetch_or(&part->field->seen, class);
}

/* False when memory is out. */
static bool words(Part *part) {
    int32_t *out = part->field->column->code + part->first_row;
    const Csv *csv = part->csv;
    bool roomy = part->piece->base - csv->bytes >= BEFORE_CELL, some_na = csv->options->na_count > 0;
    for (int64_t row = 0; row < part->piece->rows; row++) {
        Cell cell = piece_cell(csv, part->piece, row, part->column);
        if (cell.at == cell.end) {
            set_missing(part, row);
            continue;
        }
        bool quoted = *cell.at == '"';
        cell.at += quoted;
        cell.end -= quoted;
        if ((some_na && !(quoted && csv->quoted_is_word) && csv_is_na(csv, cell.at, cell.end)) || csv_odd_bytes(csv, cell.at, cell.end)) {
            set_missing(part, row);
            continue;
        }
        size_t length = (size_t)(cell.end - cell.at);
        bool doubled = quoted && memchr(cell.at, '"', length);
        const char *word = doubled ? unquoted(part->words, &cell, &length) : cell.at;
        const int64_t before = part->words->count;
        out[row] = word ? words_code(part->words, word, length, roomy && !doubled) : -1;
        if (out[row] < 0) return false;
        if (part->words->count > before && part->field->seen == IS_CODE && !part->field->declared) note_word(part, &cell, quoted);
    }
    return true;
}

/* The readers of numbers and days do not ask whether what they can read means missing. */
static void codes(const Part *part) {
    for (int64_t row = 0; row < part->piece->rows; row++) {
        Cell cell = piece_cell(part->csv, part->piece, row, part->column);
        if (csv_is_na(part->csv, cell.at, cell.end)) set_missing(part, row);
    }
}
static bool some_coded(const Csv *csv) {
    for (int64_t i = 0; i < csv->options->na_count; i++) {
        const char *word = csv->options->na[i];
        if (csv_class(word, word + strlen(word), csv->decimal) != IS_WORD) return true;
    }
    return false;
}

static Status parse_column(Part *part, Error *error) {
    Field *field = part->field;
    /* to be read again, as another type; where one is declared, what is wrong first is told all the same */
    if (field_widened(field) || (!field->declared && field_outgrown(field))) return OK;
    if (!field->declared && !field->known) {
        blanks(part);
        return OK;
    }
    bool roomy = part->piece->base - part->csv->bytes >= BEFORE_CELL;
    switch (field->type) {
    case INTEGER_TYPE:
        if (roomy) integers(part);
        else slowly(part);
        break;
    case REAL_TYPE:
        if (roomy) reals(part);
        else slowly(part);
        break;
    case DATE_TYPE: dates(part); break;
    case DATETIME_TYPE: slowly(part); break;
    default:
        if (!words(part)) return out_of_memory(error);
        return OK;
    }
    if (part->coded) codes(part);
    return OK;
}

static Status does_not_fit(const Part *part, Error *error) {
    const Field *field = &part->csv->field[part->wrong_column];
    Cursor cursor = { part->wrong, part->csv->end, part->csv->separator, NULL, NULL };
    Cell cell;
    static const char *const article[] = { "a real number", "an integer",          "a category",
                                           "text",          "a date (YYYY-MM-DD)", "a date with a time (YYYY-MM-DDTHH:MM:SS)" };
    csv_fail(part->csv, error, part->wrong, "this value is not %s, which its column was declared to be", article[field->type]);
    error_column(error, field->name);
    if (cursor_next(&cursor, &cell)) {
        char value[128];
        size_t length = (size_t)(cell.end - cell.at) < sizeof value ? (size_t)(cell.end - cell.at) : sizeof value - 1;
        memcpy(value, cell.at, length);
        value[length] = 0;
        error_value(error, value);
    }
    return error_advice(error, "Leave the cell empty where the value is missing, name it in --na, or declare another type in --types.");
}

/* Where the reals of a column that comes soon will be written is brought near: their memory is far from that of the columns before. */
static inline void bring_near(const Csv *csv, int64_t column, int64_t row) {
    const Field *field = column < csv->columns ? &csv->field[column] : NULL;
    if (field && field->column && field->type == REAL_TYPE) __builtin_prefetch(field->column->real + row, 1);
}

static Status parse_piece(Csv *csv, int64_t chunk, const Piece *piece, int64_t first_row, Error *error) {
    enum { SOON = 12 };
    Part part = { .csv = csv, .piece = piece, .first_row = first_row, .coded = some_coded(csv) };
    for (int64_t column = 0; column < csv->columns; column++) {
        bring_near(csv, column + SOON, first_row);
        part.column = column;
        part.field = &csv->field[column];
        part.words = part.field->words ? &part.field->words[chunk] : NULL;
        if (!part.field->wanted) continue;
        Status status = parse_column(&part, error);
        if (status) return status;
    }
    return part.wrong ? does_not_fit(&part, error) : OK;
}

static Status check_utf8(const Csv *csv, const char *at, const char *end, Error *error) {
    while (at < end) {
        if (end - at >= 8 && !(load_eight(at) & 0x8080808080808080u)) {
            at += 8;
            continue;
        }
        int length = utf8_length(at, end);
        if (!length) {
            csv_fail(csv, error, at, "this is not UTF-8");
            return error_advice(error, "Say how the file is encoded, for instance with --encoding latin1.");
        }
        at += length;
    }
    return OK;
}

/* A file that is mapped may change between two looks at it: what is read now is held against what was counted. */
static Status parse_pieces(Csv *csv, int64_t index, Piece *piece, Error *error) {
    Status status = OK;
    const Chunk *chunk = &csv->chunk[index];
    int64_t row = chunk->first_row, last = csv_last_row(csv, index);
    if (csv->first_pass && chunk->high && csv->options->odd_bytes == ODD_BYTES_REFUSED) TRY(check_utf8(csv, chunk->at, chunk->end, error));
    for (const char *at = chunk->at; at < chunk->end; at = piece->next) {
        TRY(piece_next(csv, piece, at, chunk->end, piece_bytes(csv), error));
        if (piece->rows > last - row) TRY(file_changed(csv->file, error));
        TRY(parse_piece(csv, index, piece, row, error));
        row += piece->rows;
    }
    if (chunk->at < chunk->end && row < last) TRY(file_changed(csv->file, error));
done:
    return status;
}

Status csv_parse(Csv *csv, int64_t chunk, Error *error) {
    Piece piece = { 0 };
    Status status = parse_pieces(csv, chunk, &piece, error);
    for (int64_t i = 0; i < csv->columns; i++)
        if (csv->field[i].wanted && csv->field[i].words) words_close(&csv->field[i].words[chunk]);
    piece_free(&piece);
    bytes_let_go(csv->from, csv->chunk[chunk].at, csv->chunk[chunk].end);
    return status;
}
