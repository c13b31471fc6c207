/* scrim scrub INPUT: scrub.text on the columns of a table, or on plain text that streams through; what was found goes to a file of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "base/escape.h"
#include "base/file.h"
#include "base/file_transaction.h"
#include "base/number_text.h"
#include "io/open.h"
#include "prose/charset.h"
#include "recipe/manifest.h"
#include "verb/scrub_page.h"
#include "verb/verbs.h"

typedef struct {
    const char *input, *output, *report, *page;
} args;
static const Param params[] = {
    TEXT(args, input, NULL, "A table, with --columns; otherwise plain text. - is standard input", .flags = REQUIRED | POSITIONAL),
    TEXT(args, output, NULL, "Output file of the scrubbed table or text (-o)"),
    TEXT(args, report, NULL,
         "Output file of the findings, as CSV: place, kind, confidence, text, replacement. It contains confidential text (mode 0600)"),
    TEXT(args, page, NULL, "HTML page of the text with marked findings, for review. It contains confidential text (mode 0600)"),
    END,
};

static const Method *scrubbed(const Args *given) {
    (void)given;
    return method_find("scrub", "text");
}

enum { CHUNK = 4 << 20, PIECE = 32 << 10, KIND_ROOM = 64 };
typedef struct KindCount {
    const char *kind;
    int64_t finds, records;
    double least;
} KindCount;

/* A run under way: what goes out, and what was counted so far. */
typedef struct Washing {
    Run *run;
    Work *work;
    const args *a;
    Output *output, *report;
    ScrubPage *page;
    int64_t records, changed, finds, uncertain, near_misses;
    int64_t points, invalid; /* code points of the plain text that went by, and bytes of it that belong to none */
    Charset charset;         /* of the plain text */
    KindCount kind[KIND_ROOM];
    int kinds;
} Washing;

/* ---- What every piece goes through ---- */

/* The method's own arguments, with the table at hand. */
static Status inner_args(Washing *w, Table *data, bool text, Args *out) {
    Status status = OK;
    static const char *const column[] = { "text" };
    Arg *list = NULL;
    Table **handle = NULL;
    int64_t count = 0;
    const Args *given = w->run->given;
    NEW(w->work, list, given->count + 4);
    NEW(w->work, handle, 1);
    *handle = data;
    for (int64_t i = 0; i < given->count; i++)
        if ((!method_param(w->run->method, given->at[i].name) && strcmp(given->at[i].name, "finds")) || !strcmp(given->at[i].name, "where"))
            list[count++] = given->at[i];
    list[count++] = (Arg){ .name = "data", .count = 1, .tables = handle };
    if (text) list[count++] = (Arg){ .name = "columns", .count = 1, .items = column };
    if (w->report || w->page) list[count++] = (Arg){ .name = "finds" };
    *out = (Args){ count, list };
done:
    return status;
}

static int64_t integer_of(const Result *result, const char *name) {
    const Value *value = result_find(result, name);
    return value && value->kind == VALUE_INTEGER ? value->integer : 0;
}

static void add_counts(Washing *w, const Result *r) {
    char cell[33];
    const Table *kinds = result_find_table(r, "kinds");
    w->changed += integer_of(r, "changed");
    w->finds += integer_of(r, "finds");
    w->uncertain += integer_of(r, "uncertain");
    w->near_misses += integer_of(r, "near_misses");
    for (int64_t i = 0; kinds && i < kinds->rows; i++) {
        const char *name = column_cell(table_column(kinds, "kind"), i, cell);
        double least = column_number(table_column(kinds, "least_confidence"), i);
        int k = 0;
        while (k < w->kinds && strcmp(w->kind[k].kind, name)) k++;
        if (k == KIND_ROOM) continue;
        if (k == w->kinds)
            w->kind[w->kinds++] = (KindCount){ .kind = arena_text(w->run->work.arena, name), .least = least }; /* outlives a chunk */
        w->kind[k].finds += column_integer(table_column(kinds, "finds"), i);
        w->kind[k].records += column_integer(table_column(kinds, "records"), i);
        w->kind[k].least = least < w->kind[k].least ? least : w->kind[k].least;
    }
}

/* The finds of the second table as lines of CSV. In plain text, places are counted from the start of the text: `first` code points lie
 * before row 0. */
static Status write_finds(Washing *w, const Table *finds, const int64_t *first) {
    static const char *const order[] = { "row", "column", "start", "end", "kind", "confidence", "text", "replacement" };
    Buffer line = { 0 };
    char cell[33];
    Status status = OK;
    for (int64_t i = 0; i < finds->rows; i++) {
        int64_t row = column_integer(table_column(finds, "row"), i);
        for (int c = 0; c < 8; c++) {
            const Column *column = table_column(finds, order[c]);
            if (c) buffer_char(&line, ',');
            if (first && c == 0) buffer_char(&line, '0');
            else if (first && (c == 2 || c == 3)) buffer_print(&line, "%lld", (long long)(column_integer(column, i) + first[row]));
            else csv_text(&line, column_cell(column, i, cell));
        }
        buffer_char(&line, '\n');
        if (line.count > 1 << 16 || i + 1 == finds->rows) {
            if (line.failed) TRY(out_of_memory(w->work->error));
            TRY(output_write(w->report, line.bytes, line.count, w->work->error));
            line.count = 0;
        }
    }
done:
    buffer_free(&line);
    return status;
}

static Status wash(Washing *w, Table *data, const int64_t *first, Result **out) {
    Status status = OK;
    Args given;
    Result *result = NULL;
    TRY(inner_args(w, data, first != NULL, &given));
    TRY(method_run(w->run->session, method_find("scrub", "text"), &given, NULL, &result, w->work->error));
    add_counts(w, result);
    if (w->report && result->outputs > 1) TRY(write_finds(w, result->output[1], first));
    if (w->page && result->outputs > 1) TRY(scrub_page_add(w->page, data, result->output[1], first != NULL, w->work->error));
    *out = result;
    return OK;
done:
    result_free(result);
    return status;
}

/* ---- Plain text ---- */

enum { HEAD = 4096, RAW = 1 << 16 };
typedef struct Flow {
    int file;
    Charset charset;
    Buffer text;     /* UTF-8, as far as it is */
    char head[HEAD]; /* the first bytes of the file as they are */
    size_t seen;
    bool ended;
} Flow;

static Status flow_fill(Flow *f, const char *name, Error *error) {
    char raw[RAW];
    while (!f->ended && f->text.count < CHUNK) {
        ssize_t got = read(f->file, raw, sizeof raw);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            fail(error, FAILED, "cannot be read: %s", strerror(errno));
            return error_file(error, name);
        }
        size_t count = (size_t)got, more = HEAD - f->seen < count ? HEAD - f->seen : count;
        memcpy(f->head + f->seen, raw, more);
        f->seen += more;
        f->ended = got == 0;
        charset_decode(f->charset, raw, count, &f->text);
        if (f->text.failed) return out_of_memory(error);
    }
    return OK;
}

/* Where a piece of at most `room` bytes ends: after a blank line, a line, a sentence, a blank, or between code points; in the last half of
 * it. */
static size_t piece_end(const char *text, size_t size, size_t room) {
    static const char *const ends[] = { "\n\n", "\n", ". ", " " };
    if (size <= room) return size;
    for (size_t e = 0; e < 4; e++) {
        size_t length = strlen(ends[e]);
        for (size_t at = room; at > room / 2; at--)
            if (text[at - 1] == ends[e][length - 1] && !memcmp(text + at - length, ends[e], length)) return at;
    }
    size_t at = room;
    while (at > room - 4 && ((unsigned char)text[at] & 0xc0) == 0x80) at--;
    return at;
}

/* Code points; a byte that belongs to none counts as one. */
static int64_t points_of(const char *text, size_t size, int64_t *invalid) {
    int64_t points = 0;
    for (size_t i = 0; i < size; points++) {
        int length = (unsigned char)text[i] < 0x80 ? 1 : utf8_length(text + i, text + size);
        *invalid += !length;
        i += length ? (size_t)length : 1;
    }
    return points;
}

typedef struct Pieces {
    int64_t count;
    const char **cell;
    size_t *size;
    int64_t *first;
    bool *zero;
    char *copy;
} Pieces;

/* The chunk cut into records; a zero byte, which no cell can hold, ends one. What is left over begins the next chunk. */
static Status cut_pieces(Washing *w, const Flow *f, Pieces *p, size_t *used) {
    Status status = OK;
    int64_t room = (int64_t)f->text.count / (PIECE / 2) + 2;
    size_t zeros = 0;
    for (size_t i = 0; i < f->text.count; i++) zeros += !f->text.bytes[i];
    *p = (Pieces){ 0 };
    NEW(w->work, p->cell, room + (int64_t)zeros);
    NEW(w->work, p->size, room + (int64_t)zeros);
    NEW(w->work, p->first, room + (int64_t)zeros);
    NEW(w->work, p->zero, room + (int64_t)zeros);
    NEW(w->work, p->copy, f->text.count + zeros + (size_t)room + 1);
    size_t at = 0, to = 0;
    while (at < f->text.count && (f->ended || f->text.count - at >= PIECE)) {
        size_t left = f->text.count - at;
        const char *start = f->text.bytes + at, *zero = memchr(start, 0, left < PIECE ? left : PIECE);
        size_t size = zero ? (size_t)(zero - start) : piece_end(start, left, PIECE);
        memcpy(p->copy + to, start, size);
        p->cell[p->count] = p->copy + to;
        p->size[p->count] = size;
        p->zero[p->count] = zero != NULL;
        p->first[p->count++] = w->points;
        to += size + 1;
        w->points += points_of(start, size, &w->invalid);
        w->points += zero != NULL;
        at += size + (zero != NULL);
    }
    *used = at;
done:
    return status;
}

static Status wash_chunk(Washing *w, const Flow *f, size_t *used) {
    Status status = OK;
    Pieces p;
    Column *column = NULL;
    Table *table = NULL;
    Result *result = NULL;
    Buffer back = { 0 };
    TRY(cut_pieces(w, f, &p, used));
    TRY(column_text("text", p.cell, p.count, &column, w->work->error));
    TRY(table_new("text", &column, 1, p.count, &table, w->work->error));
    TRY(wash(w, table, p.first, &result));
    const Column *made = result->output[0]->column[0];
    for (int64_t i = 0; w->output && i < p.count; i++) {
        back.count = 0;
        charset_encode(w->charset, made->bytes + made->offset[i], made->offset[i + 1] - made->offset[i] - 1, &back);
        if (p.zero[i]) buffer_char(&back, 0);
        if (back.failed) TRY(out_of_memory(w->work->error));
        TRY(output_write(w->output, back.bytes, back.count, w->work->error));
    }
done:
    buffer_free(&back);
    result_free(result);
    table_release(table);
    column_release(column);
    return status;
}

/* What no detector can read would pass whole, with everyone in it: compressed files, documents, and text of two bytes a letter. */
static Status check_readable(const Flow *f, const char *name, Error *error) {
    static const struct {
        const char *head, *what;
        size_t size;
    } forms[] = { { "\x1f\x8b", "compressed (gzip)", 2 },
                  { "\x28\xb5\x2f\xfd", "compressed (zstd)", 4 },
                  { "PK\x03\x04", "an archive or a document of an office program", 4 },
                  { "%PDF-", "a PDF", 5 },
                  { "\xff\xfe", "text in UTF-16", 2 },
                  { "\xfe\xff", "text in UTF-16", 2 } };
    const char *what = NULL;
    size_t zeros = 0;
    for (size_t i = 0; i < f->seen; i++) zeros += !f->head[i];
    if (f->seen >= 16 && zeros * 3 > f->seen) what = "text in UTF-16 or no text at all: a third of it are zero bytes";
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (f->seen >= forms[i].size && !memcmp(f->head, forms[i].head, forms[i].size)) what = forms[i].what;
    if (!what) return OK;
    fail(error, BAD, "is %s, and not plain text in UTF-8", what);
    error_advice(error, "Nothing would be found in it. Convert it to plain text first.");
    return error_file(error, name);
}

/* Chunk by chunk, each with memory of its own that is given back: a text of any length takes the same. */
static Status wash_flow(Washing *w) {
    Status status = OK;
    Work outer = *w->work, *kept = w->work;
    Flow f = { .charset = w->charset, .file = !strcmp(w->a->input, "-") ? 0 : open(w->a->input, O_RDONLY | O_CLOEXEC) };
    if (f.file < 0) {
        fail(kept->error, BAD, "cannot be opened: %s", strerror(errno));
        return error_file(kept->error, w->a->input);
    }
    TRY(flow_fill(&f, w->a->input, kept->error));
    TRY(check_readable(&f, w->a->input, kept->error));
    while (f.text.count) {
        size_t used = 0;
        Arena *arena = arena_new();
        if (!arena) TRY(out_of_memory(kept->error));
        Work inner = outer;
        inner.arena = arena;
        w->work = &inner;
        status = wash_chunk(w, &f, &used);
        w->work = kept;
        arena_free(arena);
        if (status) goto done;
        memmove(f.text.bytes, f.text.bytes + used, f.text.count - used);
        f.text.count -= used;
        TRY(flow_fill(&f, w->a->input, kept->error));
    }
    w->records = w->points;
done:
    buffer_free(&f.text);
    if (f.file > 0) close(f.file);
    return status;
}

/* ---- Tables ---- */

static Status wash_table(Washing *w) {
    Status status = OK;
    Table *table = NULL;
    Result *result = NULL;
    Transaction *stage = NULL;
    CsvOptions csv = {
        .decimal = '.',
        .threads = w->work->threads,
    };
    const Host *host = w->run->session->host;
    csv.spreadsheet_safe = host && host->reading && host->reading->spreadsheet_safe;
    if (!host || !host->table) TRY(fail(w->work->error, BAD, "this caller lends no tables"));
    TRY(host->table(host->self, w->a->input, &table, w->work->error));
    w->records = table->rows;
    TRY(wash(w, table, NULL, &result));
    if (w->a->output) {
        const char *now = w->a->output;
        TRY(transaction_new(&stage, w->work->error));
        TRY(table_protect(stage, w->a->input, w->work->error));
        TRY(table_save_staged(w->work, stage, result->output[0], w->a->output, &csv, &now));
        if (now != w->a->output)
            TRY(manifest_write(w->work, stage, w->a->output, now, result, result->output[0], w->run->given, method_find("scrub", "text"),
                               host->reading));
        status = transaction_commit(stage, w->work->error);
        stage = NULL;
        TRY(status);
    }
    for (int64_t i = 0; i < result->tables; i++)
        if (!strcmp(result->table[i].name, "review")) result_table(w->run->result, "review", table_retain(result->table[i].table));
    for (int64_t i = 0; i < result->notes; i++) result_note(w->run->result, "%s", result->note[i]);
done:
    transaction_rollback(stage);
    result_free(result);
    table_release(table);
    return status;
}

/* ---- The whole ---- */

static void give_result(Washing *w, bool table) {
    Result *r = w->run->result;
    result_integer(r, table ? "records" : "characters", w->records);
    if (table) result_integer(r, "changed", w->changed);
    result_integer(r, "finds", w->finds);
    result_integer(r, "uncertain", w->uncertain);
    result_integer(r, "near_misses", w->near_misses);
    Grid *grid = grid_new(r, "kinds", "kind:text finds:integer records:integer least_confidence:real");
    for (int k = 0; k < w->kinds; k++) {
        grid_text(grid, w->kind[k].kind);
        grid_integer(grid, w->kind[k].finds);
        grid_integer(grid, w->kind[k].records);
        grid_real(grid, w->kind[k].least);
    }
    grid_done(grid);
    if (!table)
        result_note(
            r, "Plain text is scrubbed in pieces (of at most 32 KiB): records counts the pieces. The whole text counts as one subject.");
    if (w->invalid)
        result_note(r,
                    "Part of the text was not read: %lld bytes are not UTF-8, and words that contain them are not recognised. If the text "
                    "is in Latin-1 or Windows-1252, declare it (--encoding latin1, --encoding windows-1252): it is then read, and written "
                    "in the same encoding. Convert other encodings to UTF-8 first.",
                    (long long)w->invalid);
    if (w->invalid) result_integer(r, "unread", w->invalid);
    if (w->a->report) result_text(r, "report", w->a->report);
    if (w->a->page) result_text(r, "page", w->a->page);
}

/* What only records have. */
static Status check_plain(const Args *given, Error *error) {
    static const char *const of_records[] = { "review", "subject", "known", "where" };
    for (int i = 0; i < 4; i++)
        if (args_find(given, of_records[i])) {
            fail(error, BAD, "is of the records of a table");
            error_advice(error, "Name its columns of text (--columns); without them the input is plain text.");
            return error_parameter(error, of_records[i]);
        }
    return OK;
}

/* How plain text is encoded, where the caller says it. */
static Status take_charset(Washing *w) {
    const Host *host = w->run->session->host;
    const char *name = host && host->reading ? host->reading->encoding : NULL;
    w->charset = charset_named(name);
    if (w->charset != CHARSET_UNKNOWN) return OK;
    fail(w->work->error, BAD, "plain text is read in utf-8, latin1, iso-8859-15 or windows-1252");
    error_advice(w->work->error, "Turn it into UTF-8 first.");
    return error_parameter(w->work->error, "encoding");
}

static Status check_places(const args *a, Error *error) {
    static const char *const whats[] = { "output", "report", "page" };
    const char *places[] = { a->output, a->report, a->page };
    for (int i = 0; i < 3; i++)
        if (places[i] && file_same(places[i], a->input)) {
            fail(error, BAD, "is the input, and would be overwritten");
            error_advice(error, "Choose another output file.");
            return error_file(error, places[i]);
        }
    for (int i = 1; i < 3; i++) /* the release and what was hidden, or one of these over the other */
        for (int j = 0; j < i; j++)
            if (places[i] && places[j] && file_same_place(places[i], places[j])) {
                fail(error, BAD, "is named twice: for the %s and for the %s", whats[j], whats[i]);
                error_advice(error, "Each goes to a file of its own.");
                return error_file(error, places[i]);
            }
    return OK;
}

static Status scrub_run(Run *run, const void *p) {
    static const char header[] = "row,column,start,end,kind,confidence,text,replacement\n";
    Status status = OK;
    Washing w = { .run = run, .work = &run->work, .a = p };
    bool table = args_find(run->given, "columns") != NULL;
    TRY(check_places(w.a, run->work.error));
    if (!table) TRY(check_plain(run->given, run->work.error));
    if (!table) TRY(take_charset(&w));
    if (w.a->report) {
        TRY(output_open(w.a->report, true, &w.report, run->work.error));
        TRY(output_write(w.report, header, sizeof header - 1, run->work.error));
    }
    if (w.a->page) TRY(scrub_page_open(&run->work, w.a->page, w.a->input, &w.page));
    if (w.a->output && !table) TRY(output_open(w.a->output, false, &w.output, run->work.error));
    TRY(table ? wash_table(&w) : wash_flow(&w));
    if (w.output) {
        Output *done = w.output;
        w.output = NULL;
        TRY(output_commit(done, run->work.error));
    }
    if (w.report) {
        Output *done = w.report;
        w.report = NULL;
        TRY(output_commit(done, run->work.error));
    }
    if (w.page) TRY(scrub_page_close(&w.page, run->work.error));
    give_result(&w, table);
done:
    output_abandon(w.output);
    output_abandon(w.report);
    scrub_page_abandon(w.page);
    return status;
}

static const Return values[] = {
    VALUE(records, INTEGER, "Records examined", .flags = PUBLIC),
    VALUE(characters, INTEGER, "Code points of plain text examined", .flags = PUBLIC),
    VALUE(changed, INTEGER, "Records with a finding", .flags = PUBLIC),
    VALUE(finds, INTEGER, "Findings", .flags = PUBLIC),
    VALUE(uncertain, INTEGER, "Findings with a confidence below 0.8", .flags = PUBLIC),
    VALUE(near_misses, INTEGER, "Places near the threshold that were not replaced", .flags = PUBLIC),
    VALUE(unread, INTEGER, "Bytes of plain text that are not UTF-8: words that contain them are not recognised", .flags = PUBLIC),
    VALUE(report, TEXT, "File of the findings"),
    VALUE(page, TEXT, "Page for review"),
    TABLE_OUT(kinds, "kind:text finds:integer records:integer least_confidence:real", "Findings by kind", .flags = PUBLIC),
    TABLE_OUT(review, "row:integer column:text start:integer end:integer kind:text confidence:real state:text text:text",
              "Least certain findings and near misses, for review"),
    END,
};

const Method verb_scrub = {
    .group = "verb",
    .name = "scrub",
    .summary = "Scrub free text: find and replace direct identifiers in columns or plain text; takes the parameters of scrub text",
    .params = params,
    .size = sizeof(args),
    .traits = OWN_WHERE | RANDOM,
    .run = scrub_run,
    .passes = scrubbed,
    .values = values,
    .example = "scrim scrub examples/notes.csv --columns note --subject patient --replace label -o scrubbed.csv"
};
