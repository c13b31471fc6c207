/* Parsing SPSS, Stata and SAS files: ReadStat's callbacks write messages, block by block. It may run in a process of its own, which ends
 * where ReadStat does not bear that memory is out. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/shared_ring.h"
#include "base/elementary.h"
#include "base/file.h"
#include "base/text.h"
#include "io/stat/message.h"

typedef struct Parsing {
    const StatFile *file;
    const char *bytes; /* the file, and how far it is read */
    size_t count, at;
    size_t width; /* of a record, in bytes, where records are laid out plainly */
    int64_t variables, rows, expected;
    int64_t row; /* of the next cell, where no other is told, and its variable */
    int next;
    char *block; /* being filled; NULL before the first and between two */
    size_t used;
    Buffer message; /* one that may be long */
    SharedRing *channel;
    StatTake *take; /* in place of a channel */
    void *self;
    Status status; /* what a callback could not do */
} Parsing;

/* ---- the file, from memory ---- */

static int open_bytes(const char *path, void *io) {
    (void)path, (void)io;
    return 0;
}
static int close_bytes(void *io) {
    (void)io;
    return 0;
}
static readstat_error_t no_update(long size, readstat_progress_handler progress, void *user, void *io) {
    (void)size, (void)progress, (void)user, (void)io;
    return READSTAT_OK;
}

static readstat_off_t seek_bytes(readstat_off_t offset, readstat_io_flags_t whence, void *io) {
    Parsing *p = io;
    readstat_off_t from = whence == READSTAT_SEEK_SET ? 0 : whence == READSTAT_SEEK_CUR ? (readstat_off_t)p->at : (readstat_off_t)p->count;
    if (__builtin_add_overflow(from, offset, &from) || from < 0 || (size_t)from > p->count) return -1;
    p->at = (size_t)from;
    return from;
}

static ssize_t read_bytes(void *to, size_t count, void *io) {
    Parsing *p = io;
    size_t left = p->count - p->at, part = count < left ? count : left;
    if (part) memcpy(to, p->bytes + p->at, part);
    p->at += part;
    return (ssize_t)part;
}

/* ---- messages ---- */

static int stop(Parsing *p, Status status) {
    p->status = status;
    return READSTAT_HANDLER_ABORT;
}

static void send_block(Parsing *p) {
    if (!p->used) return;
    if (p->channel) {
        ring_send(p->channel, p->used);
        p->block = NULL;
    } else if (!p->status) p->status = p->take(p->self, p->block, p->used);
    p->used = 0;
}

/* Room for a message of so many bytes, at most a block. */
static char *room(Parsing *p, size_t count) {
    if (p->used + count > RING_BLOCK) send_block(p);
    if (!p->block) p->block = ring_block(p->channel);
    char *to = p->block + p->used;
    p->used += count;
    return to;
}

/* `message` as it stands, in pieces where no block holds it. */
static int send_message(Parsing *p) {
    enum { HEAD = 1 + sizeof(int32_t) };
    const char *at = p->message.bytes;
    size_t left = p->message.count;
    const bool cut = left > RING_BLOCK;
    if (p->message.failed) return stop(p, out_of_memory(p->file->work->error));
    while (cut && left) {
        int32_t part = left < RING_BLOCK - HEAD ? (int32_t)left : RING_BLOCK - HEAD;
        char *to = room(p, HEAD + (size_t)part);
        *to = STAT_PIECE;
        memcpy(to + 1, &part, sizeof part);
        memcpy(to + HEAD, at, (size_t)part);
        at += part;
        left -= (size_t)part;
    }
    if (cut) *room(p, 1) = STAT_WHOLE;
    else memcpy(room(p, left), at, left);
    return p->status ? READSTAT_HANDLER_ABORT : READSTAT_HANDLER_OK;
}

static void begin(Parsing *p, char kind) {
    p->message.count = 0;
    buffer_char(&p->message, kind);
}
static void put_i32(Parsing *p, int32_t number) { buffer_add(&p->message, (const char *)&number, sizeof number); }
static void put_i64(Parsing *p, int64_t number) { buffer_add(&p->message, (const char *)&number, sizeof number); }
static void put_part(Parsing *p, const char *text, size_t length) {
    put_i64(p, (int64_t)length);
    if (length) buffer_add(&p->message, text, length);
    buffer_char(&p->message, 0);
}
static void put_text(Parsing *p, const char *text) { put_part(p, text, text ? strlen(text) : 0); }
static void put_code(Parsing *p, CodeValue code) {
    const char kind = code.text != NULL;
    buffer_char(&p->message, kind);
    buffer_add(&p->message, (const char *)&code.value, sizeof code.value);
    buffer_char(&p->message, code.letter);
    put_text(p, code.text);
}

/* ---- callbacks ---- */

/* A .dta file says its version in its first byte, or since 117 in words. */
static const char dta_mark[] = "<stata_dta><header><release>";
enum { DTA_MARK = sizeof dta_mark - 1 };
static int dta_version(const StatFile *f, bool *words) {
    char digits[4] = { 0 };
    *words = f->count >= DTA_MARK + 3 && !memcmp(f->bytes, dta_mark, DTA_MARK);
    if (!*words) return f->count ? (unsigned char)f->bytes[0] : 0;
    memcpy(digits, f->bytes + DTA_MARK, 3);
    return atoi(digits);
}

/* The name of a variable's label set. Stata's lie side by side, each in as many bytes as its version has for it, and ReadStat hands over
 * the place: one that fills its bytes has no zero behind it. */
static size_t set_length(const StatFile *f, const char *labels) {
    if (!labels) return 0;
    if (f->kind != STAT_DTA) return strlen(labels);
    bool words;
    const int version = dta_version(f, &words);
    return strnlen(labels, version < 110 ? 9 : version < 118 ? 33 : 129);
}

static int take_metadata(readstat_metadata_t *metadata, void *self) {
    Parsing *p = self;
    p->expected = readstat_get_row_count(metadata);
    begin(p, STAT_FILE);
    put_i64(p, p->expected);
    put_text(p, readstat_get_file_label(metadata));
    return send_message(p);
}

/* Told after the variables. */
static int take_weight(readstat_variable_t *variable, void *self) {
    Parsing *p = self;
    int index = variable ? readstat_variable_get_index(variable) : -1;
    if (index < 0 || index >= p->variables) return READSTAT_HANDLER_OK;
    begin(p, STAT_WEIGHT);
    put_i32(p, index);
    return send_message(p);
}

static CodeValue code_of(readstat_value_t value) {
    if (readstat_value_type_class(value) == READSTAT_TYPE_CLASS_STRING)
        return (CodeValue){ .text = readstat_string_value(value) ? readstat_string_value(value) : "" };
    if (readstat_value_is_tagged_missing(value)) return (CodeValue){ .value = 0, .letter = readstat_value_tag(value) };
    return (CodeValue){ .value = readstat_double_value(value) };
}

static int take_ranges(Parsing *p, const readstat_variable_t *variable) {
    const int count = readstat_variable_get_missing_ranges_count(variable);
    int answer = READSTAT_HANDLER_OK;
    for (int i = 0; i < count && answer == READSTAT_HANDLER_OK; i++) {
        begin(p, STAT_RANGE);
        put_code(p, code_of(readstat_variable_get_missing_range_lo(variable, i)));
        put_code(p, code_of(readstat_variable_get_missing_range_hi(variable, i)));
        answer = send_message(p);
    }
    return answer;
}

static int take_variable(int index, readstat_variable_t *variable, const char *labels, void *self) {
    Parsing *p = self;
    if (index != p->variables) return READSTAT_HANDLER_ABORT;
    const size_t width = readstat_variable_get_storage_width(variable);
    p->variables++;
    p->width += width;
    begin(p, STAT_VARIABLE);
    put_i32(p, readstat_variable_get_type_class(variable) == READSTAT_TYPE_CLASS_STRING);
    put_i32(p, (int32_t)readstat_variable_get_measure(variable));
    put_i32(p, (int32_t)readstat_variable_get_alignment(variable));
    put_i32(p, readstat_variable_get_display_width(variable));
    put_i32(p, (int32_t)width);
    put_text(p, readstat_variable_get_name(variable));
    put_text(p, readstat_variable_get_label(variable));
    put_text(p, readstat_variable_get_format(variable));
    put_part(p, labels, set_length(p->file, labels));
    const int answer = send_message(p);
    return answer == READSTAT_HANDLER_OK ? take_ranges(p, variable) : answer;
}

static int take_text(Parsing *p, const char *text) {
    const size_t length = text ? strlen(text) : 0;
    if (!length) {
        *room(p, 1) = STAT_NOTHING; /* these files have no missing text: blank is what stands for it */
        return READSTAT_HANDLER_OK;
    }
    if (length > 4096) {
        begin(p, STAT_TEXT);
        put_text(p, text);
        return send_message(p);
    }
    const int64_t count = (int64_t)length;
    char *to = room(p, 1 + sizeof count + length + 1);
    *to = STAT_TEXT;
    memcpy(to + 1, &count, sizeof count);
    memcpy(to + 1 + sizeof count, text, length + 1);
    return READSTAT_HANDLER_OK;
}

/* The fields themselves: this is done for every cell. */
static void take_number(Parsing *p, readstat_value_t value) {
    if (value.is_tagged_missing) {
        char *to = room(p, 2);
        to[0] = STAT_LETTER;
        to[1] = value.tag;
        return;
    }
    const double number = value.type == READSTAT_TYPE_DOUBLE ? value.v.double_value : readstat_double_value(value);
    if (value.is_system_missing || !isfinite(number)) {
        *room(p, 1) = STAT_NOTHING;
        return;
    }
    char *to = room(p, 1 + sizeof number);
    *to = STAT_NUMBER;
    memcpy(to + 1, &number, sizeof number);
}

/* Cells come by record, and in the order of the variables; where not, the place is told. */
static int take_value(int row, readstat_variable_t *variable, readstat_value_t value, void *self) {
    Parsing *p = self;
    const int index = readstat_variable_get_index(variable);
    if (index < 0 || index >= p->variables || row < p->row || (row == p->row && index < p->next)) return READSTAT_HANDLER_ABORT;
    if (row != p->row || index != p->next) {
        begin(p, STAT_AT);
        put_i64(p, row);
        put_i32(p, index);
        if (send_message(p) != READSTAT_HANDLER_OK) return READSTAT_HANDLER_ABORT;
    }
    p->next = index + 1 == p->variables ? 0 : index + 1;
    p->row = (int64_t)row + !p->next;
    if (row >= p->rows) p->rows = (int64_t)row + 1;
    if (value.type == READSTAT_TYPE_STRING || value.type == READSTAT_TYPE_STRING_REF) return take_text(p, readstat_string_value(value));
    take_number(p, value);
    return p->status ? READSTAT_HANDLER_ABORT : READSTAT_HANDLER_OK;
}

static int take_label(const char *name, readstat_value_t value, const char *label, void *self) {
    Parsing *p = self;
    CodeValue code = code_of(value);
    if (isnan(code.value)) return READSTAT_HANDLER_OK; /* a label of plainly missing says nothing that is not known */
    begin(p, STAT_LABEL);
    put_text(p, name);
    put_code(p, code);
    put_text(p, label);
    return send_message(p);
}

/* ---- the whole file ---- */

static readstat_parser_t *make_parser(Parsing *p, const char *encoding) {
    readstat_parser_t *parser = readstat_parser_init();
    if (!parser) return NULL;
    readstat_set_open_handler(parser, open_bytes);
    readstat_set_close_handler(parser, close_bytes);
    readstat_set_seek_handler(parser, seek_bytes);
    readstat_set_read_handler(parser, read_bytes);
    readstat_set_update_handler(parser, no_update);
    readstat_set_io_ctx(parser, p);
    readstat_set_metadata_handler(parser, take_metadata);
    readstat_set_variable_handler(parser, take_variable);
    readstat_set_fweight_handler(parser, take_weight);
    readstat_set_value_handler(parser, take_value);
    readstat_set_value_label_handler(parser, take_label);
    if (encoding) readstat_set_file_character_encoding(parser, encoding);
    return parser;
}

/* ReadStat knows 104 to 119. */
static bool unknown_version(const StatFile *f) {
    bool words;
    const int version = dta_version(f, &words);
    if (f->kind != STAT_DTA || f->count < DTA_MARK + 3) return false;
    return words ? version < 117 || version > 119 : version >= 100 && version < 128 && (version < 104 || version > 115);
}

static Status explain(const StatFile *f, readstat_error_t answer) {
    Error *error = f->work->error;
    if (answer == READSTAT_ERROR_MALLOC) out_of_memory(error);
    else if (answer == READSTAT_ERROR_UNSUPPORTED_FILE_FORMAT_VERSION || unknown_version(f)) {
        fail(error, BAD, "is a %s file of a version that is not supported", stat_name(f->kind));
        error_advice(error, "Save it again in another version of the format.");
    } else if (answer == READSTAT_ERROR_UNSUPPORTED_CHARSET || answer == READSTAT_ERROR_CONVERT_BAD_STRING ||
               answer == READSTAT_ERROR_CONVERT) {
        fail(error, BAD, "has text that is not in the encoding it claims to be in");
        error_advice(error, "Say how it is encoded, for instance with --encoding windows-1252.");
    } else {
        fail(error, BAD, "cannot be read as a whole %s file (%s)", stat_name(f->kind), readstat_error_message(answer));
        error_advice(error, "It may have been cut short, or be of another kind than its suffix says; copy or save it again.");
    }
    return error->status;
}

static readstat_error_t parse(readstat_parser_t *parser, Parsing *p) {
    typedef readstat_error_t Parse(readstat_parser_t *, const char *, void *);
    static Parse *const parsers[] = { readstat_parse_sav, readstat_parse_por, readstat_parse_dta, readstat_parse_sas7bdat,
                                      readstat_parse_xport };
    return parsers[p->file->kind](parser, "", p);
}

/* SAS keeps value labels in a catalogue of its own: NAME.sas7bcat or formats.sas7bcat beside the data. One that cannot be read is passed
 * over. */
static Status read_catalogue(Parsing *p) {
    Status status = OK;
    Work *work = p->file->work;
    const char *path = p->file->beside, *slash = strrchr(path, '/');
    size_t stem = strlen(path) - strlen(".sas7bdat"), folder = slash ? (size_t)(slash - path) + 1 : 0;
    const char *names[] = { arena_print(work->arena, "%.*s.sas7bcat", (int)stem, path),
                            arena_print(work->arena, "%.*sformats.sas7bcat", (int)folder, path) };
    for (size_t i = 0; i < 2; i++) {
        Bytes bytes;
        if (!names[i] || !file_is_regular(names[i])) continue;
        TRY(bytes_open(names[i], &bytes, work->error));
        p->bytes = bytes.count ? bytes.at : "";
        p->count = bytes.count;
        p->at = 0;
        readstat_parser_t *parser = make_parser(p, NULL);
        if (parser) {
            readstat_set_metadata_handler(parser, NULL);
            readstat_parse_sas7bcat(parser, "", p);
            readstat_parser_free(parser);
        }
        bytes_close(&bytes);
        TRY(p->status);
    }
done:
    return status;
}

/* A SAS transport file does not say how many records it has. It is made of cards of 80 bytes, blank behind the last record: one that was
 * cut ends elsewhere, or with a part of a record. */
static Status check_cards(const Parsing *p) {
    enum { CARD = 80 };
    static const char header[] = "HEADER RECORD*******", records[] = "OBS", member[] = "MEMB";
    size_t begin = 0, start = sizeof header - 1;
    bool whole = p->count % CARD == 0;
    for (size_t at = 0; at + CARD <= p->count; at += CARD) {
        if (memcmp(p->bytes + at, header, start)) continue;
        if (!begin && !memcmp(p->bytes + at + start, records, strlen(records))) begin = at + CARD;
        else if (begin && !memcmp(p->bytes + at + start, member, strlen(member))) {
            fail(p->file->work->error, BAD, "holds more than one table");
            return error_advice(p->file->work->error, "Save each in a file of its own.");
        }
    }
    size_t rest = begin && p->width ? (p->count - begin) % p->width : 0;
    for (size_t i = p->count - rest; i < p->count; i++) whole &= p->bytes[i] == ' ';
    return whole ? OK : explain(p->file, READSTAT_ERROR_READ);
}

static Status parse_all(Parsing *p) {
    Status status = OK;
    const StatKind kind = p->file->kind;
    readstat_parser_t *parser = make_parser(p, p->file->encoding);
    if (!parser) return out_of_memory(p->file->work->error);
    errno = 0;
    readstat_error_t answer = parse(parser, p);
    const bool lost = errno == ENOMEM; /* which ReadStat takes for a file's fault, or passes over */
    TRY(p->status);
    if (lost) answer = READSTAT_ERROR_MALLOC;
    if (answer == READSTAT_OK && p->expected >= 0 && p->rows != p->expected && kind != STAT_POR && kind != STAT_XPT)
        answer = READSTAT_ERROR_ROW_COUNT_MISMATCH;
    if (answer == READSTAT_OK && !p->variables && kind != STAT_XPT) answer = READSTAT_ERROR_TOO_FEW_COLUMNS;
    if (answer != READSTAT_OK) TRY(explain(p->file, answer));
    if (kind == STAT_XPT) TRY(check_cards(p));
    if (p->file->beside && kind == STAT_SAS) TRY(read_catalogue(p));
    send_block(p);
    TRY(p->status);
done:
    readstat_parser_free(parser);
    buffer_free(&p->message);
    return status;
}

Status stat_parse_to(const StatFile *file, SharedRing *channel) {
    Parsing p = { .file = file, .bytes = file->bytes, .count = file->count, .expected = -1, .channel = channel };
    return parse_all(&p);
}

Status stat_parse_here(const StatFile *file, StatTake *take, void *self) {
    Parsing p = { .file = file, .bytes = file->bytes, .count = file->count, .expected = -1, .take = take, .self = self };
    if (!(p.block = malloc(RING_BLOCK))) return out_of_memory(file->work->error);
    Status status = parse_all(&p);
    free(p.block);
    return status;
}
