/* A column: one type, values and missing apart, shared by reference and immutable once in a table. */
#ifndef SCRIM_TABLE_COLUMN_H
#define SCRIM_TABLE_COLUMN_H
#include <stdatomic.h>
#include "base/work.h"
#include "table/column_metadata.h"
#include "table/treatment.h"

typedef enum { REAL_TYPE, INTEGER_TYPE, CATEGORY_TYPE, TEXT_TYPE, DATE_TYPE, DATETIME_TYPE } Type;
/* The type of the values alone: text is held as categories where a table comes in parts. */
static inline Type plain_type(Type type) { return type == TEXT_TYPE ? CATEGORY_TYPE : type; }
const char *type_name(Type type); /* "real", "integer", "category", "text", "date", "datetime" */
const char *type_values(
    Type type); /* what such a column holds: "numbers", "whole numbers", "categories", "text", "dates", "dates with times" */

/* The words of a categorical column, sorted by bytes and distinct unless `ordered` gives them an order of their own; shared by reference.
 */
typedef struct Dictionary {
    atomic_int references;
    bool ordered;
    int32_t count;
    const char **word; /* NUL-terminated, into `bytes` */
    char *bytes;
} Dictionary;
/* Copies the words; they must be distinct. Not sorted here. */
MUST_CHECK Status dictionary_new(const char *const *words, int32_t count, bool ordered, Dictionary **out, Error *error);
Dictionary *dictionary_retain(Dictionary *dictionary);
void dictionary_release(Dictionary *dictionary);
int32_t dictionary_find(const Dictionary *dictionary, const char *word); /* its code, or -1 */

typedef struct Column {
    atomic_int references;
    Type type;
    char *name;
    int64_t rows;
    union {
        double *real;     /* REAL_TYPE */
        int64_t *integer; /* INTEGER_TYPE; NULL where its cells are narrow: see column_integer */
        int32_t *code;    /* CATEGORY_TYPE: index into words */
        int32_t *date;    /* DATE_TYPE: days since 1970-01-01 */
        int64_t *moment;  /* DATETIME_TYPE: microseconds since 1970-01-01, by a clock that knows no zone */
        uint64_t *offset; /* TEXT_TYPE: rows + 1 offsets into bytes; cell i is bytes[offset[i]…offset[i+1]-1) with a NUL at its end */
    };
    void *narrow;          /* INTEGER_TYPE in fewer bytes: int8_t, int16_t or int32_t, as `width` says */
    int width;             /* bytes a cell of `narrow`: 1, 2 or 4; 0 where it is NULL */
    char *bytes;           /* TEXT_TYPE */
    uint64_t *valid;       /* bit i set: present; NULL: none missing */
    int64_t missing;       /* how many; kept by column_seal */
    Dictionary *words;     /* CATEGORY_TYPE */
    bool by_number;        /* words that the reader made categories or text by how many there are, and nobody declared */
    ColumnMetadata *about; /* labels and the like, as a file gave them; NULL for a plain column */
    uint16_t *reason; /* why each cell is missing (REASON_…); NULL where no more is known of any; means nothing where a cell is present */
    Treatment *treatment; /* what was done to its values, where that is known; NULL: nothing */
    void *owner;          /* of cells that are another's memory (Arrow): told by `drop` when the column goes */
    void (*drop)(void *owner);
} Column;

/* So many distinct words in so many records are text, unless somebody says otherwise (docs/files.md). */
enum { MANY_WORDS = 65536, FEW_ROWS = 1000 };
static inline bool words_are_many(int64_t distinct, int64_t rows) {
    return distinct > MANY_WORDS || (rows > FEW_ROWS && distinct > rows / 2);
}

/* A column to be filled: values zero, none missing. Text columns come from column_text. */
MUST_CHECK Status column_new(Type type, const char *name, int64_t rows, Column **out, Error *error);
/* The same with values unset, for anyone who sets every one of them. */
MUST_CHECK Status column_unfilled(Type type, const char *name, int64_t rows, Column **out, Error *error);
/* Whole numbers of `width` bytes, 1, 2, 4 or 8, with values unset: for readers, who know how large they are. */
MUST_CHECK Status column_of_width(const char *name, int64_t rows, int width, Column **out, Error *error);
/* The bits that a whole number needs beside its sign; those of several are or-ed, and tell the width that holds them all. */
static inline uint64_t integer_reach(int64_t value) { return (uint64_t)(value < 0 ? ~value : value); }
static inline int reach_width(uint64_t reach) { return reach >> 7 == 0 ? 1 : reach >> 15 == 0 ? 2 : reach >> 31 == 0 ? 4 : 8; }
/* Cells of eight bytes that all fit in `width` made as narrow as that. */
void column_narrow_to(Column *column, int width);
MUST_CHECK Status column_widen(Column *column, Error *error); /* eight bytes a cell, to be changed */
/* A column over cells that are another's, never written to, not text: set `owner` and `drop` where their owner wants to know when it goes.
 * What is missing and why is the column's own. */
MUST_CHECK Status column_over(Type type, const char *name, int64_t rows, const void *cells, Column **out, Error *error);
/* Text from cells (NULL = missing). */
MUST_CHECK Status column_text(const char *name, const char *const *cells, int64_t rows, Column **out, Error *error);
/* The same; `taken` hears of every row in turn once its cell is copied, and may let that go. */
MUST_CHECK Status column_text_taken(const char *name, const char *const *cells, int64_t rows, void (*taken)(void *self, int64_t row),
                                    void *self, Column **out, Error *error);
/* Categorical from cells (NULL = missing): dictionary made, sorted. */
MUST_CHECK Status column_category(const char *name, const char *const *cells, int64_t rows, Column **out, Error *error);
MUST_CHECK Status column_need_valid(Column *column, Error *error);  /* gives it a bitmap, all present */
MUST_CHECK Status column_need_reason(Column *column, Error *error); /* gives it reasons, all REASON_NONE */
void column_set_missing(Column *column, int64_t row); /* after column_need_valid; not from two threads on one word of 64 rows */
void column_seal(Column *column);                     /* counts `missing`; drops an all-present bitmap */
void column_narrow(Column *column); /* whole numbers in as few bytes as hold them all; of a column that is filled and not shared yet */
Column *column_retain(const Column *column); /* shared: another owner of the same, never changed again */
void column_release(Column *column);
MUST_CHECK Status column_copy(const Column *column, Column **out, Error *error);                     /* deep, to change: never narrow */
MUST_CHECK Status column_rename(const Column *column, const char *name, Column **out, Error *error); /* a copy under another name */
MUST_CHECK Status column_take(const Column *column, const int64_t *rows, int64_t count, Column **out,
                              Error *error); /* rows by number; -1 = missing */

/* A copy with the cells of mask[row] != 0 missing: their values erased, and words that occur no more gone from the dictionary. They are
 * REASON_SUPPRESSED, save those that were missing without a reason. */
MUST_CHECK Status column_blank(const Column *column, const uint8_t *mask, Column **out, Error *error);

/* Is the cell of this row missing? */
static inline bool column_missing(const Column *column, int64_t row) {
    return column->valid && !((column->valid[row >> 6] >> (row & 63)) & 1);
}
/* A cell of eight bytes, its value or its bits. Whole numbers that a reader made may be narrow: anyone who did not make a column himself asks
 * here, and only who made it touches `integer`, which is NULL in a narrow one. */
static inline int64_t column_integer(const Column *column, int64_t row) {
    switch (column->width) {
    case 1: return ((const int8_t *)column->narrow)[row];
    case 2: return ((const int16_t *)column->narrow)[row];
    case 4: return ((const int32_t *)column->narrow)[row];
    default: return column->integer[row];
    }
}
/* `count` of them from `first` on: where they lie, or widened into `room`. */
const int64_t *column_integers(const Column *column, int64_t first, int64_t count, int64_t *room);
/* How many of its cells scrim blanked. */
int64_t column_suppressed(const Column *column);
bool column_gives_reasons(const Column *column); /* is a cell missing for a reason that a file gave? */
/* Would its file tell why one cell is missing from why another is? Not once scrim blanked one of its cells: then all are plainly missing,
 * so that nobody sees which of them were blanked. */
bool column_tells_reasons(const Column *column);
/* A copy whose missing cells are plainly missing: of reasons it keeps only, for the manifest, which cells scrim blanked. */
MUST_CHECK Status column_without_reasons(const Column *column, Column **out, Error *error);
/* What a file said of `old`, a column of that name, holds of the new one too. Where their records are the same, missing cells keep their
 * reasons; where values were perturbed, they do if exactly the same cells are missing: a reason in a row where a value was drawn missing
 * would tell that it was missing before. */
typedef enum { ROWS_OTHER, ROWS_SAME, ROWS_PERTURBED } RowRelation;
MUST_CHECK Status column_inherit(Column *column, const Column *old, RowRelation rows, Error *error);
/* What a method did to the values of a column that it made. The treatment is the column's; NULL, where memory is out, is FAILED. */
MUST_CHECK Status column_treat(Column *column, Treatment *treatment, Error *error);
/* A labelled category as the numbers that its file holds; NULL where it has words that are no value's label. */
MUST_CHECK Status column_as_numbers(const Column *column, Column **out, Error *error);
/* Where a word is none of the column's and is a labelled value of it ("1"), the label's word; else the word itself. */
const char *column_word(const Column *column, const char *word);

/* 8 bytes a cell: column_integer is its value or its bits. Else 4: `code` is. */
static inline bool type_wide(Type type) { return type == REAL_TYPE || type == INTEGER_TYPE || type == DATETIME_TYPE; }
static inline bool column_numeric(const Column *column) { return column->type == REAL_TYPE || column->type == INTEGER_TYPE; }
/* Numbers, dates and dates with times: values that lie on a line. */
static inline bool column_linear(const Column *column) {
    return column_numeric(column) || column->type == DATE_TYPE || column->type == DATETIME_TYPE;
}
/* A cell as a number (NaN = missing or not a number; dates count days, with times in parts of them; categories their code). */
double column_number(const Column *column, int64_t row);
/* A cell as text, in the shortest form (NULL = missing); `out` holds numbers, other types answer by pointer. */
const char *column_cell(const Column *column, int64_t row, char out[33]);
/* All rows as doubles, NaN where missing: the column's own memory where it is REAL without missing, else from the arena. Missing is never a
 * number: ask column_missing before you use one. */
MUST_CHECK Status column_reals(Work *work, const Column *column, const double **out);

/* Dense codes 0…count-1 in the order of the values (categories: of the words; only words that occur), -1 where missing. */
typedef struct Codes {
    int32_t count;
    const int32_t *at;
    int32_t *first_row; /* count of them: a row that has the code */
} Codes;
/* In the arena; FAILED for more than 2^31 records. */
MUST_CHECK Status column_codes(Work *work, const Column *column, Codes *out);
/* Records of each code. */
MUST_CHECK Status codes_sizes(Work *work, const Codes *codes, int64_t rows, int64_t **out);
void codes_drop(Work *work, const Column *column, Codes *codes); /* gives their memory back early */
#endif
