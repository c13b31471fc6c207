/* What a file says of a column beside its cells: labels, how it is shown, which values mean missing. Plain columns have none of it. */
#ifndef SCRIM_TABLE_COLUMN_METADATA_H
#define SCRIM_TABLE_COLUMN_METADATA_H
#include <stdatomic.h>
#include "base/status.h"

/* A value as files name it: a number, a text (then `text` is not NULL), or a letter (.a–.z of Stata, .A–.Z and ._ of SAS; then `letter` is
 * not 0). */
typedef struct CodeValue {
    double value;
    const char *text;
    char letter;
} CodeValue;
/* What a value means ("1" → "male"); `word` is how a category says it: the label, with the value behind it where two values share the
 * label. */
typedef struct ValueLabel {
    CodeValue of;
    const char *label, *word;
} ValueLabel;
/* Values from low to high (equal: one value) mean that there is none. */
typedef struct MissingRange {
    CodeValue low, high;
} MissingRange;
typedef enum { MEASURE_UNKNOWN, MEASURE_NOMINAL, MEASURE_ORDINAL, MEASURE_SCALE } MeasureLevel;
typedef enum { ALIGN_UNKNOWN, ALIGN_LEFT, ALIGN_CENTER, ALIGN_RIGHT } Align;

/* Filled by anyone who reads a file, then shared by reference and never changed, save that metadata_reason may add to `missing` before the column
 * is shared. */
typedef struct ColumnMetadata {
    atomic_int references;
    char *label;        /* what the variable means, or NULL */
    char *format;       /* as its program writes it: F8.2, %9.0g, DATE9.; NULL where it says nothing */
    char origin;        /* whose words `format` is in: 'p' SPSS, 't' Stata, 's' SAS, 0 nobody's */
    int width, display; /* bytes of a text as declared; columns on a screen; 0: nothing said */
    bool pseudonym;     /* scrim replaced its values by pseudonyms */
    bool weights;       /* the file's records count by it (SPSS: WEIGHT BY) */
    MeasureLevel measure;
    bool declared; /* the measure is the user's (--types, roles), not the file's: it holds before labels and names */
    Align align;
    int32_t labels, ranges, missing;
    ValueLabel *label_of; /* in the order of the values */
    MissingRange *range;
    CodeValue
        *missing_of; /* the distinct values, and letters, that cells are missing by; a cell's reason − REASON_FIRST is its place here */
} ColumnMetadata;

/* Why a cell is missing: no more is known; scrim blanked it; the file says so by one of About.missing_of. */
enum { MISSING_CODE_NONE = 0, MISSING_SUPPRESSED = 1, MISSING_CODE_FIRST = 2, MISSING_CODES_MOST = 65000 };

ColumnMetadata *metadata_new(void); /* NULL when memory is out */
/* Another reference, and one less; NULL is harmless to both. */
ColumnMetadata *metadata_retain(ColumnMetadata *about);
void metadata_release(ColumnMetadata *about);
MUST_CHECK Status metadata_set(char **field, const char *text, Error *error); /* a copy of the text; empty counts as nothing said */
/* Texts are copied. Before metadata_close, and before it is shared. */
MUST_CHECK Status metadata_add_label(ColumnMetadata *about, CodeValue code, const char *label, Error *error);
MUST_CHECK Status metadata_add_range(ColumnMetadata *about, MissingRange range, Error *error);
/* Once all labels are there: sorts them by value and gives each its word. */
MUST_CHECK Status metadata_close(ColumnMetadata *about, Error *error);
/* The reason that this value is, made where it is new. More than REASONS_MOST of them are an error. */
MUST_CHECK Status metadata_reason(ColumnMetadata *about, CodeValue code, uint16_t *out, Error *error);
bool metadata_is_missing(const ColumnMetadata *about, CodeValue code);          /* within one of the ranges */
const ValueLabel *metadata_label(const ColumnMetadata *about, CodeValue code);  /* of a value, or NULL; about may be NULL */
const ValueLabel *metadata_word(const ColumnMetadata *about, const char *word); /* by its word, or NULL */
/* A value as text, as people write it: 1, M, .a */
const char *code_text(CodeValue code, char out[33]);
int code_order(CodeValue a, CodeValue b); /* numbers, then letters, then texts */
#endif
