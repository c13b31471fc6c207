/* What a cell is: its class, its quotes. Reader and writer agree because both ask here. */
#include <string.h>
#include "base/digits.h"
#include "base/number_text.h"
#include "io/csv/private.h"

/* A day, or a day and a time as we write them: T between them, to the second at least, and no zone. */
static unsigned date_class(const char *at, const char *end) {
    int32_t day;
    int64_t moment;
    if (read_date(at, end, &day)) return IS_DATE;
    const char *mark = end - at > 18 ? memchr(at, 'T', (size_t)(end - at)) : NULL;
    if (!mark || end - mark < 9 || end[-1] == 'Z' || !read_datetime(at, end, &moment)) return IS_WORD;
    char again[33];
    size_t count = write_datetime(moment, again);
    return count == (size_t)(end - at) && !memcmp(again, at, count) ? IS_DATETIME : IS_WORD;
}

/* Could another whole number become the same double? Up to 2⁵³ none does. */
static bool is_long(int64_t integer) {
    double real = (double)integer;
    return real >= 0x1p63 || (int64_t)real != integer;
}

static unsigned class_of(const char *at, const char *end, char decimal) {
    const char *p = at + (*at == '-' || *at == '+');
    if (p == end || (!is_digit(*p) && *p != decimal)) { return date_class(at, end); }
    if (*p == '0' && end - p > 1 && is_digit(p[1])) { return date_class(at, end); /* 007 is a name; 0044-03-15 is a day */ }
    int64_t integer;
    double real;
    if (read_integer(at, end, &integer)) return is_long(integer) ? IS_INTEGER | IS_LONG : IS_INTEGER;
    if (read_real(at, end, decimal, &real)) {
        while (p < end && is_digit(*p)) p++;
        return p == end ? IS_WORD : IS_REAL; /* all digits, and too many: as text none is lost */
    }
    return date_class(at, end);
}

unsigned csv_class(const char *at, const char *end, char decimal) {
    unsigned class = class_of(at, end, decimal);
    return class == IS_WORD && letter_code_possible(at, end) ? IS_CODE : class;
}

Status csv_marks(char separator, char decimal, Error *error) {
    if (separator == decimal) return fail(error, BAD, "'%c' cannot both separate fields and mark decimals", decimal);
    if (!is_digit(decimal) && !strchr("+-eE\"\r\n", decimal)) return OK;
    fail(error, BAD, "digits, signs, quotes, line ends and the letter of exponents cannot mark decimals");
    return error_parameter(error, "decimal");
}

Type csv_join(unsigned seen) {
    if (seen & IS_CODE) {
        seen &= ~(unsigned)IS_CODE;
        if (!(seen & (IS_INTEGER | IS_REAL))) return CATEGORY_TYPE;
    }
    if ((seen & ~(unsigned)IS_LONG) == IS_INTEGER) return INTEGER_TYPE;
    if (seen == IS_DATE) return DATE_TYPE;
    if (seen == IS_DATETIME) return DATETIME_TYPE;
    return seen & ~(unsigned)(IS_INTEGER | IS_REAL) ? CATEGORY_TYPE : REAL_TYPE;
}

static bool wrong(Cursor *cursor, const char *where, const char *problem) {
    cursor->wrong = where;
    cursor->problem = problem;
    return false;
}

/* After a cell: a separator, a line's end, or the end. */
static bool after_cell(Cursor *cursor, Cell *cell, const char *p) {
    if (p < cursor->end && *p == '\r' && (p + 1 == cursor->end || p[1] == '\n')) p++;
    cell->last = p == cursor->end || *p == '\n';
    if (!cell->last && *p != cursor->separator) return wrong(cursor, p, "there is text after the closing quote");
    cursor->at = p + (p < cursor->end);
    return true;
}

static bool quoted_cell(Cursor *cursor, Cell *cell) {
    const char *p = cursor->at + 1;
    for (;;) {
        const char *quote = memchr(p, '"', (size_t)(cursor->end - p));
        if (!quote) return wrong(cursor, cursor->at, "a quoted field begins here and never ends");
        p = quote + 1;
        if (p < cursor->end && *p == '"') {
            p++;
            continue;
        }
        *cell = (Cell){ cursor->at + 1, quote, true, false };
        return after_cell(cursor, cell, p);
    }
}

bool cursor_next(Cursor *cursor, Cell *cell) {
    const char *p = cursor->at;
    if (p < cursor->end && *p == '"') return quoted_cell(cursor, cell);
    while (p < cursor->end && *p != cursor->separator && *p != '\n') {
        if (*p == '"') return wrong(cursor, p, "there is a quote inside a field that is not quoted");
        p++;
    }
    bool returned = p > cursor->at && p[-1] == '\r' && (p == cursor->end || *p == '\n');
    *cell = (Cell){ cursor->at, p - returned, false, false };
    return after_cell(cursor, cell, p);
}

size_t csv_unquote(const char *at, const char *end, char *out) {
    char *p = out;
    for (const char *from = at; from < end; from++) {
        *p++ = *from;
        from += *from == '"';
    }
    return (size_t)(p - out);
}

bool csv_odd_bytes(const Csv *csv, const char *at, const char *end) {
    if (csv->options->odd_bytes != ODD_BYTES_MISSING) return false;
    for (int length; at < end; at += length)
        if (!(length = utf8_length(at, end))) return true;
    return false;
}

bool csv_is_na(const Csv *csv, const char *at, const char *end) {
    for (int64_t i = 0; i < csv->options->na_count; i++) {
        size_t length = strlen(csv->options->na[i]);
        if (length == (size_t)(end - at) && !memcmp(at, csv->options->na[i], length)) return true;
    }
    return false;
}

unsigned csv_cell_class(const Csv *csv, Cell *cell) {
    if (cell->at == cell->end) return 0;
    if (*cell->at == '"') {
        *cell = (Cell){ cell->at + 1, cell->end - 1, true, cell->last };
        if ((csv->quoted_is_word && !csv_odd_bytes(csv, cell->at, cell->end)) || cell->at == cell->end) return IS_WORD;
    }
    if (csv_odd_bytes(csv, cell->at, cell->end)) return 0;
    return csv_is_na(csv, cell->at, cell->end) ? 0 : csv_class(cell->at, cell->end, csv->decimal);
}
