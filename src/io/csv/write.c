/* Writing CSV so that reading it gives the same table: fewest digits, quotes only where they say something. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "io/csv/number_cells.h"
#include "io/csv/private.h"
#include "io/compress.h"
#include "io/csv/chunks.h"

enum { ROWS = 2048, CELLS = 768 }; /* CELLS: so many stay in the first cache */

/* How one column is written. */
typedef struct Style {
    const Column *column;
    bool point;  /* a real column of whole numbers: written 1.0, so that it stays real */
    bool guard;  /* all its words look like numbers or dates: those are quoted, so that they stay words */
    bool codes;  /* missing cells have codes, which are written (io/letter_codes.h) */
    char *forms; /* categories: each word as it is written, followed by room to read a cell */
    struct Form {
        uint64_t at, length;
    } * form;
} Style;

/* Of a table written in parts: what all parts so far say of a column, and how it is being written. */
typedef struct Known {
    bool point, guard; /* as written */
    bool real, broken; /* every part was real; one held a number that is not whole */
    bool words;
    WordKinds kinds; /* of its words */
} Known;

typedef struct Writing {
    const Table *table;
    Known *known; /* NULL: the table is all there is */
    CsvOptions options;
    char separator, decimal;
    char special[16];
    size_t row_room;
    Style *style;
} Writing;

/* Blocks of rows on their way to a file: any thread lays one out, and writes it when all before it are written. A buffer for each thread is
 * enough so, and what is written was made just before. */
typedef struct Line {
    const Writing *writing;
    Work *work;
    Compressor *packer;
    pthread_t caller;     /* who may be told how far it is */
    pthread_mutex_t lock; /* over what follows */
    pthread_cond_t moved;
    int64_t written; /* blocks */
    bool broken;     /* one could not be written: none behind it will be */
    Buffer *spare;
    int64_t spares;
} Line;

/* ---- how each column is written ---- */

static bool all_whole(const Column *column) {
    for (int64_t row = 0; row < column->rows; row++)
        if (!column_missing(column, row) && isfinite(column->real[row]) && column->real[row] != rint(column->real[row])) return false;
    return true;
}

static unsigned class_of(const Writing *writing, const char *word) {
    return *word ? csv_class(word, word + strlen(word), writing->decimal) : IS_WORD;
}

/* What the column's words look like, until it is plain that they are words. */
static Status kinds_of(const Writing *writing, const Column *column, WordKinds *kinds, Error *error) {
    bool *known = column->type == CATEGORY_TYPE ? calloc((size_t)column->words->count + 1, sizeof *known) : NULL;
    if (column->type == CATEGORY_TYPE && !known) return out_of_memory(error);
    for (int64_t row = 0; row < column->rows && (csv_join(kinds->seen) != CATEGORY_TYPE || kinds->seen == IS_CODE); row++) {
        if (column_missing(column, row) || (known && known[column->code[row]])) continue;
        const char *word = column->type == TEXT_TYPE ? column->bytes + column->offset[row] : column->words->word[column->code[row]];
        word_kinds_add(kinds, word, word + strlen(word), writing->decimal);
        if (known) known[column->code[row]] = true;
    }
    free(known);
    return OK;
}

static bool needs_quotes(const Writing *writing, const char *text, bool guard) {
    if (!*text || strpbrk(text, writing->special)) return true;
    for (int64_t i = 0; i < writing->options.na_count; i++)
        if (!strcmp(text, writing->options.na[i])) return true;
    return guard && class_of(writing, text) != IS_WORD;
}

/* Writes a word, quoted where needed, into room for 2·length + 3 bytes; returns the count. */
static size_t put_word(const Writing *writing, const char *text, size_t length, bool guard, char *out) {
    const bool escape = writing->options.spreadsheet_safe && csv_begins_formula(text);
    if (!escape && !needs_quotes(writing, text, guard)) {
        memcpy(out, text, length);
        return length;
    }
    char *p = out;
    *p++ = '"';
    if (escape) *p++ = '\'';
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"') *p++ = '"';
        *p++ = text[i];
    }
    *p++ = '"';
    return (size_t)(p - out);
}

static Status write_forms(const Writing *writing, Style *style, Error *error) {
    const Dictionary *words = style->column->words;
    size_t room = sizeof(TextCell);
    for (int32_t i = 0; i < words->count; i++) room += 2 * strlen(words->word[i]) + 3;
    style->forms = calloc(room, 1);
    style->form = calloc((size_t)words->count + 1, sizeof *style->form);
    if (!style->forms || !style->form) return out_of_memory(error);
    uint64_t at = 0;
    for (int32_t i = 0; i < words->count; i++) {
        style->form[i] = (struct Form){ at, put_word(writing, words->word[i], strlen(words->word[i]), style->guard, style->forms + at) };
        at += style->form[i].length;
    }
    return OK;
}

/* Would its bare words be read as something else? Then those that look like it are quoted. */
static Status needs_guard(const Writing *writing, const Column *column, bool *out, Error *error) {
    WordKinds kinds = { 0 };
    Status status = kinds_of(writing, column, &kinds, error);
    *out = word_kinds_type(&kinds) != CATEGORY_TYPE;
    return status;
}

/* Codes that a reader would take for codes again. Values that a file declares as missing stay out: in CSV nothing declares them. */
static bool writes_codes(const Column *column) {
    if (column->type == DATE_TYPE || column->type == DATETIME_TYPE || !column->about || column->about->ranges) return false;
    for (int32_t i = 0; i < column->about->missing; i++) {
        const char *text = column->about->missing_of[i].text;
        if (!text || !letter_code_possible(text, text + strlen(text))) return false;
    }
    return column_tells_reasons(column);
}

/* A column of whole numbers that became real in some part was real in all of them, or in none that matters: integers stay as they are. */
static Status know_more(const Writing *writing, const Column *column, Known *known, Error *error) {
    bool words = column->type == TEXT_TYPE || column->type == CATEGORY_TYPE;
    known->real = known->real && column->type == REAL_TYPE;
    if (column->type == REAL_TYPE && !known->broken) known->broken = !all_whole(column);
    known->words |= words;
    return words ? kinds_of(writing, column, &known->kinds, error) : OK;
}

static Status learn_style(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)first, (void)last;
    Status status = OK;
    Writing *writing = self;
    Style *style = &writing->style[block];
    const Column *column = style->column = writing->table->column[block];
    if (!*column->name) {
        fail(error, BAD, "column %lld has no name, and a CSV file names every column", (long long)block + 1);
        return error_advice(error, "Give it a name.");
    }
    bool words = column->type == TEXT_TYPE || column->type == CATEGORY_TYPE;
    if (writing->known) {
        TRY(know_more(writing, column, &writing->known[block], error));
        style->point = writing->known[block].point;
        style->guard = writing->known[block].guard;
    } else {
        if (column->type == REAL_TYPE) style->point = all_whole(column);
        if (words) TRY(needs_guard(writing, column, &style->guard, error));
    }
    style->codes = writes_codes(column);
    if (column->type == CATEGORY_TYPE) TRY(write_forms(writing, style, error));
done:
    return status;
}

/* ---- rows ---- */

static char *room_for(Buffer *out, char *p, size_t more) {
    size_t used = (size_t)(p - out->bytes);
    if (out->capacity - used > more) return p;
    size_t capacity = out->capacity * 2 + more + 65536;
    char *bytes = realloc(out->bytes, capacity);
    if (!bytes) {
        out->failed = true;
        return NULL;
    }
    out->bytes = bytes;
    out->capacity = capacity;
    return bytes + used;
}

static char *put_text(const Writing *writing, const Style *style, int64_t row, Buffer *out, char *p) {
    const Column *column = style->column;
    const char *text = column->bytes + column->offset[row];
    size_t length = (size_t)(column->offset[row + 1] - column->offset[row]) - 1;
    if (!(p = room_for(out, p, 2 * length + writing->row_room))) return NULL;
    return p + put_word(writing, text, length, style->guard, p);
}

static char *put_category(const Writing *writing, const Style *style, int64_t row, Buffer *out, char *p) {
    struct Form form = style->form[style->column->code[row]];
    if (!(p = room_for(out, p, form.length + writing->row_room))) return NULL;
    memcpy(p, style->forms + form.at, form.length);
    return p + form.length;
}

/* A cell that is too long for a TextCell. */
static char *put_long(const Writing *writing, const Style *style, int64_t row, Buffer *out, char *p) {
    p = style->column->type == TEXT_TYPE ? put_text(writing, style, row, out, p) : put_category(writing, style, row, out, p);
    if (p) *p++ = writing->separator;
    return p;
}

static void category_cells(const Style *style, int64_t first, int64_t count, char separator, TextCell *cell) {
    for (int64_t i = 0; i < count; i++) {
        if (column_missing(style->column, first + i)) continue; /* a code that means nothing */
        struct Form form = style->form[style->column->code[first + i]];
        memcpy(cell[i].text, style->forms + form.at, CELL_TEXT);
        if (form.length < CELL_TEXT) cell_close(&cell[i], form.length, separator);
        else cell[i].count = CELL_LONG;
    }
}

/* A missing cell is empty, or its code. */
static void missing_cell(const Writing *writing, const Style *style, int64_t row, TextCell *cell) {
    const Column *column = style->column;
    size_t length = 0;
    if (style->codes && column->reason[row] >= MISSING_CODE_FIRST) {
        const char *text = column->about->missing_of[column->reason[row] - MISSING_CODE_FIRST].text;
        length = put_word(writing, text, strlen(text), false, cell->text);
    }
    cell_close(cell, length, writing->separator);
}

/* The cells of one column in `count` rows. */
static void fill_cells(const Writing *writing, const Style *style, int64_t first, int64_t count, TextCell *cell) {
    const Column *column = style->column;
    char separator = writing->separator;
    CellLook look = { separator, writing->decimal, style->point };
    int64_t room[CELLS_AT_ONCE];
    switch (column->type) {
    case INTEGER_TYPE: csv_integer_cells(column_integers(column, first, count, room), count, look, cell); break;
    case REAL_TYPE: csv_real_cells(column->real + first, count, look, cell); break;
    case DATE_TYPE:
        for (int64_t i = 0; i < count; i++) cell_close(&cell[i], write_date(column->date[first + i], cell[i].text), separator);
        break;
    case DATETIME_TYPE:
        for (int64_t i = 0; i < count; i++) cell_close(&cell[i], write_datetime(column->moment[first + i], cell[i].text), separator);
        break;
    case CATEGORY_TYPE: category_cells(style, first, count, separator, cell); break;
    case TEXT_TYPE:
        for (int64_t i = 0; i < count; i++) cell[i].count = CELL_LONG;
        break;
    }
    for (int64_t i = 0; column->valid && i < count; i++)
        if (column_missing(column, first + i)) missing_cell(writing, style, first + i, &cell[i]);
}

/* A batch of rows: column by column into cells, `stride` of them a column, and then row by row, which is only copying. */
static char *put_batch(const Writing *writing, const TextCell *cells, int64_t stride, int64_t first, int64_t last, Buffer *out, char *p) {
    int64_t columns = writing->table->columns;
    for (int64_t row = first; row < last && (p = room_for(out, p, writing->row_room)); row++) {
        const TextCell *cell = cells + (row - first);
        for (int64_t j = 0; p && j < columns; j++, cell += stride) {
            if (cell->count == CELL_LONG) {
                p = put_long(writing, &writing->style[j], row, out, p);
                continue;
            }
            memcpy(p, cell, sizeof *cell);
            p += cell->count;
        }
        if (!p) break;
        p[-1] = '\n';
    }
    return p;
}

static int64_t batch_rows(int64_t columns) {
    int64_t rows = CELLS / columns;
    return rows < 8 ? 8 : rows < CELLS_AT_ONCE ? rows : CELLS_AT_ONCE;
}

static void put_rows(const Writing *writing, int64_t first, int64_t last, Buffer *out) {
    int64_t columns = writing->table->columns, batch = batch_rows(columns), stride = batch + CELLS_SPARE;
    TextCell *cells = malloc((size_t)(columns * stride) * sizeof *cells);
    char *p = out->bytes ? out->bytes + out->count : NULL;
    out->failed |= !cells;
    for (int64_t row = first; row < last && !out->failed; row += batch) {
        int64_t end = row + batch < last ? row + batch : last;
        for (int64_t j = 0; j < columns; j++) fill_cells(writing, &writing->style[j], row, end - row, cells + j * stride);
        p = put_batch(writing, cells, stride, row, end, out, p);
    }
    if (p && !out->failed) out->count = (size_t)(p - out->bytes);
    free(cells);
}

/* ---- blocks of rows, in order ---- */

static Buffer take_buffer(Line *line) {
    Buffer buffer = { 0 };
    pthread_mutex_lock(&line->lock);
    if (line->spares) buffer = line->spare[--line->spares];
    pthread_mutex_unlock(&line->lock);
    buffer.count = 0;
    return buffer;
}

/* Waits until all before are written; false where that will not be. A block whose turn never comes because the work was stopped is found
 * by asking for that, too. */
static bool wait_for_turn(Line *line, int64_t block) {
    enum { STEP = 50000000 }; /* nanoseconds */
    pthread_mutex_lock(&line->lock);
    while (line->written < block && !line->broken && !work_stopped(line->work)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += (until.tv_nsec + STEP) / 1000000000;
        until.tv_nsec = (until.tv_nsec + STEP) % 1000000000;
        pthread_cond_timedwait(&line->moved, &line->lock, &until);
    }
    bool turn = line->written == block && !line->broken;
    pthread_mutex_unlock(&line->lock);
    return turn;
}

static void end_turn(Line *line, Buffer buffer, bool written, bool broken) {
    pthread_mutex_lock(&line->lock);
    line->spare[line->spares++] = buffer;
    line->written += written;
    line->broken |= broken;
    pthread_cond_broadcast(&line->moved);
    pthread_mutex_unlock(&line->lock);
}

static Status write_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Line *line = self;
    Buffer out = take_buffer(line);
    bool turn = false;
    put_rows(line->writing, first, last, &out);
    Status status = out.failed ? out_of_memory(error) : OK;
    if (!status) turn = wait_for_turn(line, block);
    if (turn) status = compressor_write(line->packer, out.bytes, out.count, error);
    else if (!status && work_stopped(line->work)) status = fail(error, INTERRUPTED, "interrupted");
    end_turn(line, out, turn && !status, status != OK);
    if (pthread_equal(pthread_self(), line->caller)) /* progress is told from the calling thread only */
        work_show(line->work, "writing", (double)last / (double)line->writing->table->rows);
    return status;
}

static Status write_rows(Work *work, const Writing *writing, Compressor *packer) {
    Status status = OK;
    Line line = { .writing = writing, .work = work, .packer = packer, .caller = pthread_self() };
    line.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    line.moved = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    line.spare = calloc((size_t)(work->threads > 1 ? work->threads : 1), sizeof *line.spare);
    if (!line.spare) return out_of_memory(work->error);
    status = parallel_for(work, writing->table->rows, ROWS, write_block, &line);
    while (line.spares) buffer_free(&line.spare[--line.spares]);
    free(line.spare);
    return status;
}

/* Names are quoted also where they hold a character that could be taken for the separator, or begin as a byte order mark or an archive
 * does. */
static void put_names(const Writing *writing, Buffer *out) {
    for (int64_t j = 0; j < writing->table->columns; j++) {
        const char *name = writing->table->column[j]->name;
        const bool escape = writing->options.spreadsheet_safe && csv_begins_formula(name);
        bool quoted = escape || strpbrk(name, ",;\t|\"\r\n") || strchr(name, writing->separator) || !strncmp(name, "\xEF\xBB\xBF", 3) ||
                      !strncmp(name, ZIP_MAGIC, 4);
        if (quoted) buffer_char(out, '"');
        if (escape) buffer_char(out, '\'');
        for (const char *c = name; *c; c++) {
            if (*c == '"') buffer_char(out, '"');
            buffer_char(out, *c);
        }
        if (quoted) buffer_char(out, '"');
        buffer_char(out, j + 1 < writing->table->columns ? writing->separator : '\n');
    }
}

/* ---- whole tables ---- */

static Writing writing_of(const Table *table, const CsvOptions *options, bool tabs) {
    Writing writing = { .table = table, .options = options ? *options : (CsvOptions){ 0 } };
    writing.decimal = writing.options.decimal ? writing.options.decimal : '.';
    writing.row_room = ((size_t)table->columns + 2) * sizeof(TextCell);
    writing.separator = tabs ? '\t' : writing.options.separator ? writing.options.separator : writing.decimal == ',' ? ';' : ',';
    /* with one column a reader cannot find the separator: then all that could be one are quoted */
    size_t count = 0;
    writing.special[count++] = writing.separator;
    for (const char *c = table->columns == 1 ? "\"\r\n,;\t|" : "\"\r\n"; *c; c++)
        if (*c != writing.separator) writing.special[count++] = *c;
    return writing;
}

static void writing_free(Writing *writing) {
    for (int64_t j = 0; writing->style && j < writing->table->columns; j++) {
        free(writing->style[j].forms);
        free(writing->style[j].form);
    }
    free(writing->style);
    writing->style = NULL;
}

static Status prepare(Work *work, Writing *writing) {
    Status status = OK;
    if (!writing->table->columns) return fail(work->error, BAD, "a table without columns cannot be written as CSV");
    TRY(csv_marks(writing->separator, writing->decimal, work->error));
    writing->style = calloc((size_t)writing->table->columns, sizeof *writing->style);
    if (!writing->style) return out_of_memory(work->error);
    TRY(parallel_for(work, writing->table->columns, 1, learn_style, writing));
done:
    return status;
}

static Status write_names(const Writing *writing, Compressor *packer, Error *error) {
    Buffer names = { 0 };
    put_names(writing, &names);
    Status status = names.failed ? out_of_memory(error) : compressor_write(packer, names.bytes, names.count, error);
    buffer_free(&names);
    return status;
}

Status csv_write(Work *work, const Table *table, const char *path, const CsvOptions *options) {
    Status status = OK;
    Writing writing = writing_of(table, options, csv_is_tsv(path));
    Compressor *packer = NULL;
    Work own = *work;
    if (writing.options.threads > 0) own.threads = writing.options.threads;
    TRY(prepare(&own, &writing));
    TRY(compressor_open(path, &packer, work->error));
    TRY(write_names(&writing, packer, work->error));
    TRY(write_rows(&own, &writing, packer));
    Compressor *whole = packer;
    packer = NULL;
    TRY(compressor_commit(whole, work->error));
done:
    compressor_abandon(packer);
    writing_free(&writing);
    return status;
}

void csv_write_buffer(const Table *table, const CsvOptions *options, Buffer *out) {
    Error error = ERROR_NONE;
    Work work = { .error = &error, .threads = 1 };
    Writing writing = writing_of(table, options, false);
    if (prepare(&work, &writing)) {
        out->failed |= error.status == FAILED;
        goto done;
    }
    put_names(&writing, out);
    if (!out->failed) put_rows(&writing, 0, table->rows, out);
done:
    writing_free(&writing);
}

/* ---- tables in parts ---- */

struct CsvSheet {
    char *path;
    CsvOptions options;
    Compressor *packer;
    int64_t columns; /* 0 until the first part */
    Known *known;
};

Status csv_sheet_open(Work *work, const char *path, const CsvOptions *options, CsvSheet **out) {
    Status status = OK;
    CsvSheet *sheet = calloc(1, sizeof *sheet);
    if (!sheet || !(sheet->path = strdup(path))) TRY(out_of_memory(work->error));
    if (options) sheet->options = *options;
    TRY(compressor_open(path, &sheet->packer, work->error));
    *out = sheet;
    sheet = NULL;
done:
    csv_sheet_abandon(sheet);
    return status;
}

void csv_sheet_abandon(CsvSheet *sheet) {
    if (!sheet) return;
    compressor_abandon(sheet->packer);
    free(sheet->known);
    free(sheet->path);
    free(sheet);
}

static Status first_part(CsvSheet *sheet, const Table *part, Error *error) {
    if (!sheet->known) {
        sheet->known = calloc((size_t)part->columns + 1, sizeof *sheet->known);
        if (!sheet->known) return out_of_memory(error);
    }
    sheet->columns = part->columns;
    for (int64_t j = 0; j < part->columns; j++) { /* as it is to be written: from the round before, else as most columns are */
        Known *known = &sheet->known[j];
        *known = (Known){ .point = known->point, .guard = known->guard, .real = true };
    }
    return OK;
}

Status csv_sheet_add(CsvSheet *sheet, Work *work, const Table *part) {
    Status status = OK;
    bool first = !sheet->columns;
    Writing writing = writing_of(part, &sheet->options, csv_is_tsv(sheet->path));
    Work own = *work;
    if (writing.options.threads > 0) own.threads = writing.options.threads;
    if (first) TRY(first_part(sheet, part, work->error));
    if (part->columns != sheet->columns) TRY(fail(work->error, FAILED, "the parts of a table have different columns"));
    writing.known = sheet->known;
    TRY(prepare(&own, &writing));
    if (first) TRY(write_names(&writing, sheet->packer, work->error));
    TRY(write_rows(&own, &writing, sheet->packer));
done:
    writing_free(&writing);
    return status;
}

/* How the column would be written by all that is known of it. */
static bool wants_point(const Known *known) { return known->real && !known->broken; }
static bool wants_guard(const Known *known) { return known->words && word_kinds_type(&known->kinds) != CATEGORY_TYPE; }

bool csv_sheet_again(const CsvSheet *sheet) {
    for (int64_t j = 0; j < sheet->columns; j++) {
        const Known *known = &sheet->known[j];
        if (known->point != wants_point(known) || known->guard != wants_guard(known)) return true;
    }
    return false;
}

Status csv_sheet_rewind(CsvSheet *sheet, Work *work) {
    compressor_abandon(sheet->packer);
    sheet->packer = NULL;
    for (int64_t j = 0; j < sheet->columns; j++) {
        Known *known = &sheet->known[j];
        known->point = wants_point(known);
        known->guard = wants_guard(known);
    }
    sheet->columns = 0;
    return compressor_open(sheet->path, &sheet->packer, work->error);
}

Status csv_sheet_commit(CsvSheet *sheet, Work *work) {
    Compressor *packer = sheet->packer;
    sheet->packer = NULL;
    Status status = compressor_commit(packer, work->error);
    csv_sheet_abandon(sheet);
    return status;
}
