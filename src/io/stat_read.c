/* Reading SPSS, Stata and SAS files: ReadStat's callbacks fill one builder per variable; labels come to their variables at the end. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/file.h"
#include "io/build.h"
#include "io/stat.h"

typedef struct LabelSet {
    char *name;
    About *labels;
} LabelSet;

typedef struct Reading {
    Work *work;
    StatKind kind;
    const CsvOptions *options;
    const char *bytes; /* the file, and how far it is read */
    size_t count, at;
    size_t width;  /* of a record, in bytes, where records are laid out plainly */
    Build *build;  /* one per variable */
    char **set_of; /* the name of its label set, or NULL */
    int64_t variables, variable_room, sets, set_room, rows, expected;
    LabelSet *set;
    char *label;   /* of the file */
    Status status; /* what a callback could not do */
} Reading;

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
    Reading *r = io;
    readstat_off_t from = whence == READSTAT_SEEK_SET ? 0 : whence == READSTAT_SEEK_CUR ? (readstat_off_t)r->at : (readstat_off_t)r->count;
    if (__builtin_add_overflow(from, offset, &from) || from < 0 || (size_t)from > r->count) return -1;
    r->at = (size_t)from;
    return from;
}

static ssize_t read_bytes(void *to, size_t count, void *io) {
    Reading *r = io;
    size_t left = r->count - r->at, part = count < left ? count : left;
    if (part) memcpy(to, r->bytes + r->at, part);
    r->at += part;
    return (ssize_t)part;
}

/* ---- variables ---- */

static int stop(Reading *r, Status status) {
    r->status = status;
    return READSTAT_HANDLER_ABORT;
}
static int no_memory(Reading *r) { return stop(r, fail(r->work->error, FAILED, "out of memory")); }

static int take_metadata(readstat_metadata_t *metadata, void *self) {
    Reading *r = self;
    const char *label = readstat_get_file_label(metadata);
    r->expected = readstat_get_row_count(metadata);
    if (label && *label && !r->label && !(r->label = strdup(label))) return no_memory(r);
    return READSTAT_HANDLER_OK;
}

/* Told after the variables. */
static int take_weight(readstat_variable_t *variable, void *self) {
    Reading *r = self;
    int index = variable ? readstat_variable_get_index(variable) : -1;
    if (index >= 0 && index < r->variables) r->build[index].about->weights = true;
    return READSTAT_HANDLER_OK;
}

static CodeValue code_of(readstat_value_t value) {
    if (readstat_value_type_class(value) == READSTAT_TYPE_CLASS_STRING)
        return (CodeValue){ .text = readstat_string_value(value) ? readstat_string_value(value) : "" };
    if (readstat_value_is_tagged_missing(value)) return (CodeValue){ .value = 0, .letter = readstat_value_tag(value) };
    return (CodeValue){ .value = readstat_double_value(value) };
}

static Status take_ranges(const readstat_variable_t *variable, About *about, Error *error) {
    Status status = OK;
    int count = readstat_variable_get_missing_ranges_count(variable);
    for (int i = 0; i < count; i++) {
        CodeValue low = code_of(readstat_variable_get_missing_range_lo(variable, i)),
                  high = code_of(readstat_variable_get_missing_range_hi(variable, i));
        if (isnan(low.value) || isnan(high.value) || low.letter || high.letter || !low.text != !high.text) continue;
        TRY(about_add_range(about, (MissingRange){ low, high }, error));
    }
done:
    return status;
}

/* The highest and lowest values of SPSS stand for open ends; any finite number lies between them. */
static Status take_about(Reading *r, const readstat_variable_t *variable, About *about) {
    Status status = OK;
    Error *error = r->work->error;
    bool text = readstat_variable_get_type_class(variable) == READSTAT_TYPE_CLASS_STRING;
    TRY(about_set(&about->label, readstat_variable_get_label(variable), error));
    TRY(about_set(&about->format, readstat_variable_get_format(variable), error));
    about->origin = stat_program(r->kind);
    about->measure = (MeasureLevel)readstat_variable_get_measure(variable);
    about->align = (Align)readstat_variable_get_alignment(variable);
    about->display = readstat_variable_get_display_width(variable);
    about->width = !text ? 0
                   : about->format && about->format[0] == 'A'
                       ? atoi(about->format + 1)
                       : (int)readstat_variable_get_storage_width(variable); /* SPSS stores in eights */
    if (about->measure > MEASURE_SCALE) about->measure = MEASURE_UNKNOWN;
    if (about->align > ALIGN_RIGHT) about->align = ALIGN_UNKNOWN;
    TRY(take_ranges(variable, about, error));
done:
    return status;
}

static int take_variable(int index, readstat_variable_t *variable, const char *labels, void *self) {
    Reading *r = self;
    if (index != r->variables) return READSTAT_HANDLER_ABORT;
    if (r->variables == r->variable_room) {
        int64_t room = r->variable_room ? 2 * r->variable_room : 64;
        Build *build = realloc(r->build, (size_t)room * sizeof *build);
        if (build) r->build = build;
        char **set_of = realloc(r->set_of, (size_t)room * sizeof *set_of);
        if (set_of) r->set_of = set_of;
        if (!build || !set_of) return no_memory(r);
        r->variable_room = room;
    }
    Build *build = &r->build[r->variables];
    bool text = readstat_variable_get_type_class(variable) == READSTAT_TYPE_CLASS_STRING;
    int64_t expected = r->expected;
    if (expected > (int64_t)r->count * 8) expected = 0; /* more rows than the file can hold: a number that was made up */
    r->set_of[r->variables] = NULL;
    Status status = build_open(build, readstat_variable_get_name(variable), text ? TEXT_TYPE : REAL_TYPE,
                               expected > 0 && !text ? expected : 0, r->work->error);
    r->variables++;
    r->width += readstat_variable_get_storage_width(variable);
    if (status) return stop(r, status);
    build->whole = true;
    build->labels_apart = r->options && r->options->codes;
    if (!(build->about = about_new())) return no_memory(r);
    if ((status = take_about(r, variable, build->about))) return stop(r, status);
    if (labels && *labels && !(r->set_of[r->variables - 1] = strdup(labels))) return no_memory(r);
    return READSTAT_HANDLER_OK;
}

/* ---- cells ---- */

static bool put_missing(Reading *r, Build *build, CodeValue why) {
    uint16_t reason;
    Status status = about_reason(build->about, why, &reason, r->work->error);
    if (status) {
        error_column(r->work->error, build->name);
        r->status = status;
        return false;
    }
    return build_missing(build, reason);
}

static bool put_number(Reading *r, Build *build, readstat_value_t value) {
    if (readstat_value_is_tagged_missing(value)) return put_missing(r, build, (CodeValue){ .letter = readstat_value_tag(value) });
    double number = value.type == READSTAT_TYPE_DOUBLE ? value.v.double_value : readstat_double_value(value);
    if (readstat_value_is_system_missing(value) || !isfinite(number)) return build_missing(build, REASON_NONE);
    if (build->about->ranges && about_is_missing(build->about, (CodeValue){ .value = number }))
        return put_missing(r, build, (CodeValue){ .value = number });
    return build_real(build, number);
}

/* These files have no missing text: blank is what stands for it. */
static bool put_text(Reading *r, Build *build, readstat_value_t value) {
    const char *text = readstat_string_value(value);
    if (!text || !*text) return build_missing(build, REASON_NONE);
    if (build->about->ranges && about_is_missing(build->about, (CodeValue){ .text = text }))
        return put_missing(r, build, (CodeValue){ .text = text });
    return build_text(build, text, strlen(text));
}

static int take_value(int row, readstat_variable_t *variable, readstat_value_t value, void *self) {
    Reading *r = self;
    int index = readstat_variable_get_index(variable);
    if (index < 0 || index >= r->variables) return READSTAT_HANDLER_ABORT;
    Build *build = &r->build[index];
    if (row < 0 || build->rows > row) return READSTAT_HANDLER_ABORT;
    while (build->rows < row)
        if (!build_missing(build, REASON_NONE)) return no_memory(r);
    bool kept = build->type == TEXT_TYPE ? put_text(r, build, value) : put_number(r, build, value);
    if (!kept) return r->status ? READSTAT_HANDLER_ABORT : no_memory(r);
    if (row >= r->rows) {
        r->rows = (int64_t)row + 1;
        if (!(row & 0xFFFF)) {
            work_show(r->work, "reading", r->expected > 0 ? (double)row / (double)r->expected : 0);
            if ((r->status = work_check(r->work))) return READSTAT_HANDLER_ABORT;
        }
    }
    return READSTAT_HANDLER_OK;
}

/* ---- labels ---- */

static About *find_set(const Reading *r, const char *name) {
    for (int64_t i = r->sets - 1; i >= 0; i--)
        if (!strcmp(r->set[i].name, name)) return r->set[i].labels;
    return NULL;
}

static About *need_set(Reading *r, const char *name) {
    About *found = find_set(r, name);
    if (found) return found;
    if (r->sets == r->set_room) {
        int64_t room = r->set_room ? 2 * r->set_room : 64;
        LabelSet *set = realloc(r->set, (size_t)room * sizeof *set);
        if (!set) return NULL;
        r->set = set;
        r->set_room = room;
    }
    LabelSet *set = &r->set[r->sets];
    *set = (LabelSet){ strdup(name), about_new() };
    if (!set->name || !set->labels) {
        free(set->name);
        about_release(set->labels);
        return NULL;
    }
    r->sets++;
    return set->labels;
}

static int take_label(const char *name, readstat_value_t value, const char *label, void *self) {
    Reading *r = self;
    About *set = need_set(r, name);
    if (!set) return no_memory(r);
    CodeValue code = code_of(value);
    if (isnan(code.value)) return READSTAT_HANDLER_OK; /* a label of plainly missing says nothing that is not known */
    Status status = about_add_label(set, code, label ? label : "", r->work->error);
    return status ? stop(r, status) : READSTAT_HANDLER_OK;
}

static int by_name(const void *a, const void *b) { return strcmp(((const LabelSet *)a)->name, ((const LabelSet *)b)->name); }

static Status give_labels(Reading *r) {
    Status status = OK;
    if (r->sets) qsort(r->set, (size_t)r->sets, sizeof *r->set, by_name);
    for (int64_t i = 0; i < r->variables; i++) {
        LabelSet probe = { r->set_of[i], NULL },
                 *found = r->set_of[i] && r->sets ? bsearch(&probe, r->set, (size_t)r->sets, sizeof probe, by_name) : NULL;
        const About *set = found ? found->labels : NULL;
        for (int32_t j = 0; set && j < set->labels; j++)
            TRY(about_add_label(r->build[i].about, set->label_of[j].of, set->label_of[j].label, r->work->error));
        TRY(about_close(r->build[i].about, r->work->error));
    }
done:
    return status;
}

/* ---- the whole file ---- */

static readstat_parser_t *make_parser(Reading *r) {
    readstat_parser_t *parser = readstat_parser_init();
    if (!parser) return NULL;
    readstat_set_open_handler(parser, open_bytes);
    readstat_set_close_handler(parser, close_bytes);
    readstat_set_seek_handler(parser, seek_bytes);
    readstat_set_read_handler(parser, read_bytes);
    readstat_set_update_handler(parser, no_update);
    readstat_set_io_ctx(parser, r);
    readstat_set_metadata_handler(parser, take_metadata);
    readstat_set_variable_handler(parser, take_variable);
    readstat_set_fweight_handler(parser, take_weight);
    readstat_set_value_handler(parser, take_value);
    readstat_set_value_label_handler(parser, take_label);
    if (r->options && r->options->encoding) readstat_set_file_character_encoding(parser, r->options->encoding);
    return parser;
}

/* A .dta file says its version in its first byte, or since 117 in words; ReadStat knows 104 to 119. */
static bool unknown_version(const Reading *r) {
    static const char mark[] = "<stata_dta><header><release>";
    size_t length = sizeof mark - 1;
    if (r->kind != STAT_DTA || r->count < length + 3) return false;
    bool words = !memcmp(r->bytes, mark, length);
    char digits[4] = { words ? r->bytes[length] : 0, words ? r->bytes[length + 1] : 0, words ? r->bytes[length + 2] : 0, 0 };
    int version = words ? atoi(digits) : (unsigned char)r->bytes[0];
    return words ? version < 117 || version > 119 : version >= 100 && version < 128 && (version < 104 || version > 115);
}

static Status explain(const Reading *r, const char *name, readstat_error_t answer) {
    Error *error = r->work->error;
    if (answer == READSTAT_ERROR_MALLOC) fail(error, FAILED, "out of memory");
    else if (answer == READSTAT_ERROR_UNSUPPORTED_FILE_FORMAT_VERSION || unknown_version(r)) {
        fail(error, BAD, "is a %s file of a version that is not supported", stat_name(r->kind));
        error_advice(error, "Save it again in another version of the format.");
    } else if (answer == READSTAT_ERROR_UNSUPPORTED_CHARSET || answer == READSTAT_ERROR_CONVERT_BAD_STRING ||
               answer == READSTAT_ERROR_CONVERT) {
        fail(error, BAD, "has text that is not in the encoding it claims to be in");
        error_advice(error, "Say how it is encoded, for instance with --encoding windows-1252.");
    } else {
        fail(error, BAD, "cannot be read as a whole %s file (%s)", stat_name(r->kind), readstat_error_message(answer));
        error_advice(error, "It may have been cut short, or be of another kind than its suffix says; copy or save it again.");
    }
    return error_file(error, name);
}

static readstat_error_t parse(readstat_parser_t *parser, StatKind kind, Reading *r) {
    typedef readstat_error_t Parse(readstat_parser_t *, const char *, void *);
    static Parse *const parsers[] = { readstat_parse_sav, readstat_parse_por, readstat_parse_dta, readstat_parse_sas7bdat,
                                      readstat_parse_xport };
    return parsers[kind](parser, "", r);
}

/* SAS keeps value labels in a catalogue of its own: NAME.sas7bcat or formats.sas7bcat beside the data. One that cannot be read is passed
 * over. */
static Status read_catalogue(Reading *r, const char *path) {
    Status status = OK;
    const char *slash = strrchr(path, '/');
    size_t stem = strlen(path) - strlen(".sas7bdat"), folder = slash ? (size_t)(slash - path) + 1 : 0;
    const char *names[] = { arena_print(r->work->arena, "%.*s.sas7bcat", (int)stem, path),
                            arena_print(r->work->arena, "%.*sformats.sas7bcat", (int)folder, path) };
    for (size_t i = 0; i < 2; i++) {
        Bytes bytes;
        if (!names[i] || !file_is_regular(names[i])) continue;
        TRY(bytes_open(names[i], &bytes, r->work->error));
        Reading own = { .work = r->work,
                        .kind = STAT_SAS,
                        .bytes = bytes.at,
                        .count = bytes.count,
                        .set = r->set,
                        .sets = r->sets,
                        .set_room = r->set_room };
        readstat_parser_t *parser = make_parser(&own);
        if (parser) readstat_parse_sas7bcat(parser, "", &own);
        if (parser) readstat_parser_free(parser);
        r->set = own.set;
        r->sets = own.sets;
        r->set_room = own.set_room;
        bytes_close(&bytes);
        TRY(own.status);
    }
done:
    return status;
}

/* A SAS transport file does not say how many records it has. It is made of cards of 80 bytes, blank behind the last record: one that was
 * cut ends elsewhere, or with a part of a record. */
static Status check_cards(const Reading *r, const char *name) {
    enum { CARD = 80 };
    static const char header[] = "HEADER RECORD*******", records[] = "OBS", member[] = "MEMB";
    size_t begin = 0, start = sizeof header - 1;
    bool whole = r->count % CARD == 0;
    for (size_t at = 0; at + CARD <= r->count; at += CARD) {
        if (memcmp(r->bytes + at, header, start)) continue;
        if (!begin && !memcmp(r->bytes + at + start, records, strlen(records))) begin = at + CARD;
        else if (begin && !memcmp(r->bytes + at + start, member, strlen(member))) {
            fail(r->work->error, BAD, "holds more than one table");
            error_advice(r->work->error, "Save each in a file of its own.");
            return error_file(r->work->error, name);
        }
    }
    size_t rest = begin && r->width ? (r->count - begin) % r->width : 0;
    for (size_t i = r->count - rest; i < r->count; i++) whole &= r->bytes[i] == ' ';
    return whole ? OK : explain(r, name, READSTAT_ERROR_READ);
}

static Status finish(Reading *r, const char *name, Table **out) {
    Status status = OK;
    TRY(give_labels(r));
    for (int64_t i = 0; i < r->variables; i++) {
        Build *build = &r->build[i];
        Clock clock = build->type == REAL_TYPE ? stat_clock(r->kind, build->about->format) : CLOCK_NONE;
        while (build->rows < r->rows)
            if (!build_missing(build, REASON_NONE)) TRY(fail(r->work->error, FAILED, "out of memory"));
        if (clock) TRY(build_moments(build, stat_unit(r->kind, clock), stat_origin(r->kind), clock == CLOCK_DAY, r->work->error));
    }
    TRY(builds_table(r->work, name, r->build, r->variables, r->rows, out));
    (*out)->label = r->label;
    r->label = NULL;
done:
    return status;
}

Status stat_read_bytes(Work *work, const char *name, const char *bytes, size_t count, StatKind kind, const char *beside,
                       const CsvOptions *options, Table **out) {
    Status status = OK;
    Reading r = { .work = work, .kind = kind, .options = options, .bytes = bytes, .count = count, .expected = -1 };
    readstat_parser_t *parser = make_parser(&r);
    if (!parser) return fail(work->error, FAILED, "out of memory");
    readstat_error_t answer = parse(parser, kind, &r);
    if (r.status) {
        error_file(work->error, name);
        TRY(r.status);
    }
    if (answer == READSTAT_OK && r.expected >= 0 && r.rows != r.expected && kind != STAT_POR && kind != STAT_XPT)
        answer = READSTAT_ERROR_ROW_COUNT_MISMATCH;
    if (answer == READSTAT_OK && !r.variables && kind != STAT_XPT) answer = READSTAT_ERROR_TOO_FEW_COLUMNS;
    if (answer != READSTAT_OK) TRY(explain(&r, name, answer));
    if (kind == STAT_XPT) TRY(check_cards(&r, name));
    if (beside && kind == STAT_SAS) TRY(read_catalogue(&r, beside));
    TRY(finish(&r, name, out));
done:
    readstat_parser_free(parser);
    for (int64_t i = 0; i < r.variables; i++) {
        build_free(&r.build[i]);
        free(r.set_of[i]);
    }
    for (int64_t i = 0; i < r.sets; i++) {
        free(r.set[i].name);
        about_release(r.set[i].labels);
    }
    free(r.build);
    free(r.set_of);
    free(r.set);
    free(r.label);
    return status;
}
