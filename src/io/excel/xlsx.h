/* Excel workbooks (.xlsx, ECMA-376): what the parts of the reader share. */
#ifndef SCRIM_IO_EXCEL_XLSX_H
#define SCRIM_IO_EXCEL_XLSX_H
#include "io/column_builder.h"
#include "io/excel/zip.h"

/* How Excel shows a number. */
typedef enum {
    SHOWN_NUMBER,
    SHOWN_DATE,
    SHOWN_TIME,
    SHOWN_SPAN /* of time, hours beyond 24 */,
    SHOWN_DATETIME,
    SHOWN_CODE,
    SHOWN_TEXT,
    SHOWN_NOTHING
} Shown;
typedef struct XlsxStyle {
    Shown shown;
    int digits;
} XlsxStyle; /* SHOWN_CODE: zeros in front up to so many digits */

typedef struct Workbook {
    Work *work;
    const char *name;
    Zip zip;
    bool since_1904;
    char *sheet;      /* the part that holds it */
    XlsxStyle *style; /* by the number that cells give */
    int64_t styles;
    char **text; /* shared texts */
    int64_t texts;
} Workbook;

#define XLSX_NOTHING ";;;" /* a format that shows nothing: a blank cell in it stands for a record without any value */
/* BAD: the workbook is not as it should be, with what was found. */
Status xlsx_broken(const Workbook *book, const char *what);
/* Opens the workbook and finds the sheet: by name, or the first that is not hidden. */
MUST_CHECK Status xlsx_open(Work *work, const char *name, const char *bytes, size_t count, const char *sheet, Workbook *out);
/* The sheet's cells into a table. */
MUST_CHECK Status xlsx_sheet(const Workbook *book, Table **out);
MUST_CHECK Status xlsx_read_bytes(Work *work, const char *name, const char *bytes, size_t count, const char *sheet, Table **out);

/* Parses a part of the workbook with these handlers. */
typedef struct XlsxHandlers {
    void (*start)(void *, const char *, const char **);
    void (*end)(void *, const char *);
    void (*text)(void *, const char *, int);
} XlsxHandlers;
/* `self` goes to the handlers; `stop`, set by one of them, ends it early without an error. */
MUST_CHECK Status xlsx_parse(const Workbook *book, const char *part, const XlsxHandlers *handlers, void *self, const bool *stop);
const char *xlsx_attribute(const char **attributes, const char *name); /* NULL where there is none */
/* The character that `_xHHHH_` at the start of a text stands for (ECMA-376, ST_Xstring); 0 where it is none. */
unsigned xlsx_escaped(const char *text);
void xlsx_unescape(char *text);           /* in place */
const char *xlsx_local(const char *name); /* without its namespace's prefix */
#endif
