/* What the parts of the CSV reader and writer share.
 *
 * Reading, in the order of the work (csv_read.c has it):
 *
 *   csv_bytes.c    the file's text: unpacked, made UTF-8
 *   csv_layout.c   separator, column names, declared types
 *   csv_scan.c     where records and fields end, 64 bytes at a time: chunks of whole records, one per thread           → Chunk
 *   csv_parse.c    the cells of a chunk into columns, one loop per type (csv_number.h: short numbers without a loop)   → Field
 *   csv_words.c    columns of words: a dictionary per chunk, merged and sorted; or text
 *   csv_error.c    where something is wrong, found again slowly, cell by cell
 *
 * Types follow from all cells: a column begins as narrow as a sample suggests, notes what did not fit, and is read again as what holds
 * everything. So does the width of whole numbers, with room for some that are larger than the sample's; in the end each column is as narrow
 * as its own allow. So the table does not depend on how the file was cut, or on how many threads read it.
 *
 * Writing: csv_write.c lays cells out so that reading gives the same table, csv_cells.c many numbers at once; csv_pack.c packs the bytes.
 * Both sides ask csv_cell.c what a cell is. */
#ifndef SCRIM_IO_CSV_PRIVATE_H
#define SCRIM_IO_CSV_PRIVATE_H
#include <pthread.h>
#include "base/file.h"
#include "io/csv/csv.h"
#include "io/letter_codes.h"

/* ---- cells ---- */

/* What a cell's text can be, as bits: what a column is follows from all it holds. */
enum { IS_INTEGER = 1, IS_REAL = 2, IS_DATE = 4, IS_WORD = 8, IS_DATETIME = 16, IS_LONG = 32, IS_CODE = 64 };
/* The class of a bare, non-empty cell. Numbers with leading zeros, whole numbers beyond 64 bits, NaN and Inf are words; an
 * integer that no double holds is a long one: beside reals it makes words, so that no two identifiers become one number.
 * A short word that may be a code among numbers is IS_CODE in place of IS_WORD (io/letter_codes.h). */
unsigned csv_class(const char *at, const char *end, char decimal);
/* Whether numbers can be read and written with this mark; the separator is 0 where it is still to be found. */
MUST_CHECK Status csv_marks(char separator, char decimal, Error *error);
/* The narrowest type that holds every class seen: REAL_TYPE for none, CATEGORY_TYPE for words (which may turn out to be text). Codes beside
 * numbers leave them numbers. */
Type csv_join(unsigned seen);

#define ZIP_MAGIC "PK\003\004" /* an archive begins so: no text */

/* Field after field, checking the quotes: for headers, for finding the separator, and for saying what is wrong. */
typedef struct Cursor {
    const char *at, *end;
    char separator;
    const char *wrong;
    const char *problem;
} Cursor;
typedef struct Cell {
    const char *at, *end;
    bool quoted, last;
} Cell;                                       /* quoted: without the outer quotes; last of its record */
bool cursor_next(Cursor *cursor, Cell *cell); /* false: a bad quote, at `wrong`; not to be called at the end */
/* Content of a quoted cell with doubled quotes made single; returns the count (at most end - at). */
size_t csv_unquote(const char *at, const char *end, char *out);

/* ---- reading ---- */

/* Words of one column in one chunk, in order of appearance. Where they hardly repeat they are
 * listed as they come, without looking for equal ones, unless they must be `indexed`. */
typedef struct Word {
    const char *at;
    uint32_t length, hash;
} Word;
typedef struct Slot {
    uint64_t head, tail;
    uint32_t length, index;
} Slot; /* the first and last eight bytes; index + 1, 0 = free */
typedef struct Pool {
    struct Pool *next;
} Pool;
typedef struct Words {
    Word *word;
    int64_t count, capacity, asked;
    Slot *slot;
    int64_t slots;
    bool indexed, listed;
    Pool *pool;
    char *free;
    size_t left;
} Words;
/* The word's number, or -1 when memory is out. `roomy`: eight bytes before its end can be read whatever its length. */
int32_t words_code(Words *words, const char *at, size_t length, bool roomy);
char *words_room(Words *words, size_t length); /* where an unquoted word may be put; kept while the words live */
void words_close(Words *words);                /* no more words: gives the index back */
void words_free(Words *words);

typedef struct Field {
    char *name;
    bool declared;
    bool told;      /* its numbers were looked at for identifiers */
    Type type;      /* declared, or the narrowest that everything seen so far fits */
    unsigned known; /* what was seen before this pass */
    _Atomic unsigned seen;
    int width;              /* of whole numbers in this pass: bytes a cell */
    _Atomic uint64_t reach; /* of those that were met (integer_reach) */
    bool wanted;            /* to be read in this pass */
    MeasureLevel level;     /* declared, without a type */
    LetterCodes codes;      /* met among its numbers; sorted in the end */
    pthread_mutex_t lock;   /* over them, while they are added to */
    bool some, several;     /* where it has codes: a number was read; two that differ */
    double first;
    Column *column;
    Words *words; /* of each chunk, where it is a column of words */
} Field;

/* A run of whole records that one thread reads. */
typedef struct Chunk {
    const char *at, *end;
    int64_t first_row;
    bool high;
} Chunk;

typedef struct Csv {
    Work work;        /* the caller's, with this reader's threads */
    pthread_t caller; /* who may be told how far it is */
    const CsvOptions *options;
    const char *file;
    const char *bytes, *data, *end; /* the file, its first record after the header, where records end */
    const Bytes *from;              /* whose these are, where what was read may be let go; or NULL */
    int64_t lines;                  /* of the file before `bytes`, where these are a part of it */
    char separator, decimal;
    bool found;          /* the separator was found, not given */
    bool quoted_is_word; /* quotes say that a cell is text, because not every cell has them */
    bool first_pass;
    bool part; /* of a table that comes in parts: whether codes stand beside two numbers is decided over all of them */
    int width; /* which kernels cut the records: csv_width() */
    int64_t columns, rows;
    Field *field;
    Chunk *chunk;
    int64_t chunks;
} Csv;

int64_t csv_last_row(const Csv *csv, int64_t chunk); /* one behind the chunk's last */
int csv_width(void);                                 /* 0: what every processor of this kind can; 1: AVX2 */
/* Separator, names, declared types. */
MUST_CHECK Status csv_layout(Csv *csv);
/* Cuts the data into chunks of whole records and counts rows. Looks at every byte once: a NUL is an error. */
MUST_CHECK Status csv_chunks(Csv *csv);

/* Records cut into cells: cell i of the piece ends at base + ends[i] and begins after cell i-1. */
typedef struct Piece {
    const char *base, *next;
    uint32_t *ends, *room;
    int64_t capacity, rows;
    bool quotes;
} Piece;
/* The next records of [at, limit), about `want` bytes; rows is 0 only at the limit. Counts fields and, on the first pass, checks quotes. */
MUST_CHECK Status piece_next(const Csv *csv, Piece *piece, const char *at, const char *limit, size_t want, Error *error);
void piece_free(Piece *piece);
static inline Cell piece_cell(const Csv *csv, const Piece *piece, int64_t row, int64_t column) {
    int64_t i = row * csv->columns + column;
    Cell cell = { piece->base + (uint32_t)(piece->ends[i - 1] + 1), piece->base + piece->ends[i], false, column + 1 == csv->columns };
    if (cell.last && cell.end > cell.at && cell.end[-1] == '\r') cell.end--;
    return cell;
}

bool csv_odd_bytes(const Csv *csv, const char *at, const char *end); /* no UTF-8, where the options say that this means missing */
bool csv_is_na(const Csv *csv, const char *at, const char *end);
/* The class of a cell in its file: 0 where missing; `cell` loses its outer quotes. */
unsigned csv_cell_class(const Csv *csv, Cell *cell);

/* Whole numbers too large for the width they are read in: to be read again. */
static inline bool field_outgrown(const Field *field) { return field->type == INTEGER_TYPE && reach_width(field->reach) > field->width; }
/* Cells of another kind were met than this pass reads. Words are words, whatever else they are. */
static inline bool field_widened(const Field *field) {
    return !field->declared && field->seen != field->known &&
           (csv_join(field->seen) != CATEGORY_TYPE || csv_join(field->known) != CATEGORY_TYPE);
}
/* Reads the wanted columns of one chunk; notes in `seen` and `reach` what did not fit. */
MUST_CHECK Status csv_parse(Csv *csv, int64_t chunk, Error *error);
/* The words of a column, in all chunks, become a category or text. */
MUST_CHECK Status csv_words(Csv *csv, int64_t column);

/* Every cell of the chunks into columns; a field's `seen` may say what is known already. Then the table of them. */
MUST_CHECK Status csv_read_columns(Csv *csv);
MUST_CHECK Status csv_table(Csv *csv, Table **out);
void csv_field_free(const Csv *csv, Field *field);

/* ---- errors ---- */
Status csv_fail(const Csv *csv, Error *error, const char *where, const char *format, ...) FORMAT(4, 5);
/* The first thing wrong with the records of [at, limit): a bad quote, or a wrong number of fields. */
Status csv_explain(const Csv *csv, const char *at, const char *limit, Error *error);

/* A file's text: decompressed, as UTF-8, without byte order mark. */
bool csv_is_tsv(const char *path);                           /* by suffix */
MUST_CHECK Status csv_line_ends(Bytes *bytes, Error *error); /* CR alone becomes LF, in a copy */
MUST_CHECK Status csv_bytes(Work *work, const char *path, const char *encoding, Bytes *out);
#endif
