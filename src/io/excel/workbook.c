/* A workbook's frame: which part is the sheet, what styles mean, the texts that cells share. */
#include <ctype.h>
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/number_text.h"
#include "io/excel/xlsx.h"

Status xlsx_broken(const Workbook *book, const char *what) {
    fail(book->work->error, BAD, "cannot be read as an Excel workbook: %s", what);
    return error_file(book->work->error, book->name);
}

const char *xlsx_local(const char *name) {
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

const char *xlsx_attribute(const char **attributes, const char *name) {
    for (; *attributes; attributes += 2)
        if (!strcmp(xlsx_local(attributes[0]), name)) return attributes[1];
    return NULL;
}

typedef struct Parsing {
    XML_Parser parser;
    const bool *stop;
    bool bad;
} Parsing;

static bool feed(void *self, const char *bytes, size_t count) {
    Parsing *p = self;
    while (count && !p->bad && !(p->stop && *p->stop)) {
        int part = count < 1 << 20 ? (int)count : 1 << 20;
        p->bad = XML_Parse(p->parser, bytes, part, 0) != XML_STATUS_OK;
        bytes += part;
        count -= (size_t)part;
    }
    return !p->bad && !(p->stop && *p->stop);
}

Status xlsx_parse(const Workbook *book, const char *part, const XlsxHandlers *handlers, void *self, const bool *stop) {
    ZipFile file;
    if (!zip_find(&book->zip, part, &file)) return xlsx_broken(book, "a part of it is missing");
    Parsing parsing = { .parser = XML_ParserCreate(NULL), .stop = stop };
    if (!parsing.parser) return out_of_memory(book->work->error);
    XML_SetUserData(parsing.parser, self);
    XML_SetElementHandler(parsing.parser, handlers->start, handlers->end);
    if (handlers->text) XML_SetCharacterDataHandler(parsing.parser, handlers->text);
    bool whole = zip_read(&file, feed, &parsing);
    bool stopped = stop && *stop;
    if (whole && !parsing.bad && !stopped) parsing.bad = XML_Parse(parsing.parser, "", 0, 1) != XML_STATUS_OK;
    XML_ParserFree(parsing.parser);
    if (stopped) return OK;
    return !whole ? xlsx_broken(book, "a part of it cannot be unpacked") : parsing.bad ? xlsx_broken(book, "a part of it is not XML") : OK;
}

/* ---- texts ---- */

unsigned xlsx_escaped(const char *text) {
    unsigned letter = 0;
    if (text[0] != '_' || text[1] != 'x') return 0;
    for (int i = 2; i < 6; i++) {
        if (!isxdigit((unsigned char)text[i])) return 0;
        letter = letter * 16 + (unsigned)(isdigit((unsigned char)text[i]) ? text[i] - '0' : (text[i] | 32) - 'a' + 10);
    }
    return text[6] != '_' || (letter >= 0xD800 && letter < 0xE000) ? 0 : letter;
}

void xlsx_unescape(char *text) {
    char *to = strstr(text, "_x");
    for (const char *from = to; from && *from;) {
        unsigned letter = xlsx_escaped(from);
        if (!letter) {
            *to++ = *from++;
            continue;
        }
        from += strlen("_xHHHH_");
        if (letter < 0x80) *to++ = (char)letter;
        else if (letter < 0x800) *to++ = (char)(0xC0 | letter >> 6);
        else {
            *to++ = (char)(0xE0 | letter >> 12);
            *to++ = (char)(0x80 | (letter >> 6 & 63));
        }
        if (letter >= 0x80) *to++ = (char)(0x80 | (letter & 63));
    }
    if (to) *to = 0;
}

/* ---- the list of sheets ---- */

typedef struct Sheets {
    Workbook *book;
    const char *wanted;
    char id[128], target[512];
    bool found;
    Buffer names;
} Sheets;

static void take_sheet(void *self, const char *element, const char **attributes) {
    Sheets *s = self;
    if (!strcmp(xlsx_local(element), "workbookPr")) {
        const char *since = xlsx_attribute(attributes, "date1904");
        s->book->since_1904 = since && (!strcmp(since, "1") || !strcmp(since, "true"));
    }
    if (strcmp(xlsx_local(element), "sheet")) return;
    const char *name = xlsx_attribute(attributes, "name"), *id = xlsx_attribute(attributes, "id"),
               *state = xlsx_attribute(attributes, "state");
    if (!name || !id) return;
    buffer_print(&s->names, "%s'%s'", s->names.count ? ", " : "", name);
    bool hidden = !s->wanted && state && strcmp(state, "visible") != 0; /* taken only where nothing is shown */
    if (s->found || (s->wanted && strcmp(s->wanted, name)) || (hidden && s->id[0])) return;
    s->found = !hidden;
    snprintf(s->id, sizeof s->id, "%s", id);
}

static void take_relation(void *self, const char *element, const char **attributes) {
    Sheets *s = self;
    const char *id = xlsx_attribute(attributes, "Id"), *target = xlsx_attribute(attributes, "Target");
    if (strcmp(xlsx_local(element), "Relationship") || !id || !target || strcmp(id, s->id)) return;
    snprintf(s->target, sizeof s->target, "%s%s", *target == '/' ? "" : "xl/", *target == '/' ? target + 1 : target);
}
static void nothing(void *self, const char *element) { (void)self, (void)element; }

static Status no_sheet(Sheets *s) {
    Error *error = s->book->work->error;
    if (!s->wanted) return xlsx_broken(s->book, "it has no sheet");
    fail(error, BAD, "has no sheet '%s'", s->wanted);
    error_advice(error, "It has: %.300s.", buffer_get(&s->names));
    return error_file(error, s->book->name);
}

static Status find_sheet(Workbook *book, const char *wanted) {
    Status status = OK;
    Sheets s = { .book = book, .wanted = wanted };
    TRY(xlsx_parse(book, "xl/workbook.xml", &(XlsxHandlers){ take_sheet, nothing, NULL }, &s, NULL));
    if (!s.id[0]) TRY(no_sheet(&s));
    TRY(xlsx_parse(book, "xl/_rels/workbook.xml.rels", &(XlsxHandlers){ take_relation, nothing, NULL }, &s, NULL));
    book->sheet = arena_text(book->work->arena, s.target);
    if (!book->sheet) TRY(out_of_memory(book->work->error));
done:
    buffer_free(&s.names);
    return status;
}

/* ---- styles ---- */

enum { FORMATS_MOST = 4096, STYLES_MOST = 65536 };
typedef struct Styles {
    Workbook *book;
    struct {
        int id;
        XlsxStyle style;
    } format[FORMATS_MOST];
    int formats;
    bool within;
    int64_t room;
    Status status;
} Styles;

/* What a format's code shows: letters outside of quotes, brackets and escapes. Only zeros: a code that keeps its leading zeros. */
static XlsxStyle style_of(const char *code) {
    bool day = false, time = false, span = false;
    int zeros = 0;
    if (!strcmp(code, "@")) return (XlsxStyle){ SHOWN_TEXT, 0 };
    if (!strcmp(code, XLSX_NOTHING)) return (XlsxStyle){ SHOWN_NOTHING, 0 };
    for (const char *c = code; *c && *c != ';'; c++) {
        if (*c == '"') {
            c = strchr(c + 1, '"');
            if (!c) break;
            continue;
        }
        if (*c == '\\' || *c == '_' || *c == '*') {
            if (!*++c) break;
            continue;
        }
        if (*c == '[') {
            span |= strchr("hHmMsS", c[1]) && c[1] && c[2] != 'o'; /* [h] counts hours; [Green] is a colour, [mso…] a locale */
            c = strchr(c, ']');
            if (!c) break;
            continue;
        }
        if (!strncasecmp(c, "general", 7)) {
            c += 6;
            continue;
        }
        if (strchr("yYdD", *c)) day = true;
        else if (strchr("hHsS", *c)) time = true;
        else if (strchr("mM", *c)) {
            if (!time && !span) day |= !strpbrk(code, "hHsS");
        }
        zeros += *c == '0';
    }
    if (span && !day) return (XlsxStyle){ SHOWN_SPAN, 0 };
    if (day || time) return (XlsxStyle){ day && time ? SHOWN_DATETIME : day ? SHOWN_DATE : SHOWN_TIME, 0 };
    return zeros > 1 && strspn(code, "0") == strlen(code) ? (XlsxStyle){ SHOWN_CODE, zeros } : (XlsxStyle){ SHOWN_NUMBER, 0 };
}

/* Formats that every workbook has without saying so. */
static XlsxStyle built_in(int id) {
    if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id == 36 || (id >= 50 && id <= 54) || id == 57 || id == 58)
        return (XlsxStyle){ SHOWN_DATE, 0 };
    if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id == 45 || id == 47 || id == 55 || id == 56)
        return (XlsxStyle){ SHOWN_TIME, 0 };
    if (id == 46) return (XlsxStyle){ SHOWN_SPAN, 0 };
    return (XlsxStyle){ id == 22 ? SHOWN_DATETIME : id == 49 ? SHOWN_TEXT : SHOWN_NUMBER, 0 };
}

static XlsxStyle format_style(const Styles *s, int id) {
    for (int i = 0; i < s->formats; i++)
        if (s->format[i].id == id) return s->format[i].style;
    return built_in(id);
}

static void take_style(void *self, const char *element, const char **attributes) {
    Styles *s = self;
    const char *name = xlsx_local(element), *id = xlsx_attribute(attributes, "numFmtId"), *code = xlsx_attribute(attributes, "formatCode");
    if (!strcmp(name, "numFmt") && id && code && s->formats < FORMATS_MOST) {
        s->format[s->formats].id = atoi(id);
        s->format[s->formats++].style = style_of(code);
    }
    if (!strcmp(name, "cellXfs")) s->within = true;
    if (strcmp(name, "xf") || !s->within || s->status || s->book->styles >= STYLES_MOST) return;
    s->status = work_grow(s->book->work, sizeof *s->book->style, &s->book->style, &s->room, s->book->styles + 1);
    if (!s->status) s->book->style[s->book->styles++] = format_style(s, id ? atoi(id) : 0);
}
static void end_style(void *self, const char *element) {
    Styles *s = self;
    if (!strcmp(xlsx_local(element), "cellXfs")) s->within = false;
}

static Status read_styles(Workbook *book) {
    ZipFile file;
    if (!zip_find(&book->zip, "xl/styles.xml", &file)) return OK;
    Styles *s = calloc(1, sizeof *s);
    if (!s) return out_of_memory(book->work->error);
    s->book = book;
    Status status = xlsx_parse(book, "xl/styles.xml", &(XlsxHandlers){ take_style, end_style, NULL }, s, NULL);
    if (!status) status = s->status;
    free(s);
    return status;
}

/* ---- shared texts ---- */

typedef struct Texts {
    Workbook *book;
    Buffer text;
    bool within, quiet;
    int64_t room;
    Status status;
} Texts;

static void begin_text(void *self, const char *element, const char **attributes) {
    (void)attributes;
    Texts *t = self;
    const char *name = xlsx_local(element);
    if (!strcmp(name, "si")) t->text.count = 0;
    if (!strcmp(name, "t")) t->within = true;
    if (!strcmp(name, "rPh")) t->quiet = true; /* how it is pronounced */
}
static void take_text(void *self, const char *bytes, int count) {
    Texts *t = self;
    if (t->within && !t->quiet) buffer_add(&t->text, bytes, (size_t)count);
}
static void end_text(void *self, const char *element) {
    Texts *t = self;
    const char *name = xlsx_local(element);
    if (!strcmp(name, "t")) t->within = false;
    if (!strcmp(name, "rPh")) t->quiet = false;
    if (strcmp(name, "si") || t->status) return;
    t->status = work_grow(t->book->work, sizeof *t->book->text, &t->book->text, &t->room, t->book->texts + 1);
    char *copy = t->status || t->text.failed ? NULL : arena_text(t->book->work->arena, t->text.count ? buffer_get(&t->text) : "");
    if (!copy && !t->status) t->status = out_of_memory(t->book->work->error);
    if (copy) {
        xlsx_unescape(copy);
        t->book->text[t->book->texts++] = copy;
    }
}

static Status read_texts(Workbook *book) {
    ZipFile file;
    Texts t = { .book = book };
    if (!zip_find(&book->zip, "xl/sharedStrings.xml", &file)) return OK;
    Status status = xlsx_parse(book, "xl/sharedStrings.xml", &(XlsxHandlers){ begin_text, end_text, take_text }, &t, NULL);
    buffer_free(&t.text);
    return status ? status : t.status;
}

Status xlsx_open(Work *work, const char *name, const char *bytes, size_t count, const char *sheet, Workbook *out) {
    Status status = OK;
    *out = (Workbook){ .work = work, .name = name };
    if (!zip_open(&out->zip, bytes, count)) {
        xlsx_broken(out, "it is no ZIP archive");
        return error_advice(work->error, "It may have been cut short, or be an old .xls; save it as .xlsx.");
    }
    TRY(find_sheet(out, sheet));
    TRY(read_styles(out));
    TRY(read_texts(out));
done:
    return status;
}
