/* Reading SPSS, Stata and SAS files: what the parser tells (stat_parse.c, in a process of its own) fills one builder per variable; labels
 * come to their variables at the end. */
#include <stdlib.h>
#include <string.h>
#include "base/helper_process.h"
#include "base/elementary.h"
#include "io/column_builder.h"
#include "io/stat/message.h"

typedef struct LabelSet {
    char *name;
    ColumnMetadata *labels;
} LabelSet;

typedef struct Reading {
    Work *work;
    const StatFile *file;
    const CsvOptions *options;
    ColumnBuilder *build; /* one per variable */
    char **set_of;        /* the name of its label set, or NULL */
    int64_t variables, variable_room, sets, set_room, rows, expected;
    int64_t row, next; /* of the next cell: its record and its variable */
    LabelSet *set;
    char *label;   /* of the file */
    Buffer pieces; /* of a message that came in pieces */
} Reading;

/* ---- messages ---- */

typedef struct Message {
    const char *at, *end;
    bool bad; /* it ended too early */
} Message;

static void get(Message *m, void *out, size_t count) {
    if (m->bad || (size_t)(m->end - m->at) < count) {
        m->bad = true;
        memset(out, 0, count);
        return;
    }
    memcpy(out, m->at, count);
    m->at += count;
}
static int32_t get_i32(Message *m) {
    int32_t number;
    get(m, &number, sizeof number);
    return number;
}
static int64_t get_i64(Message *m) {
    int64_t number;
    get(m, &number, sizeof number);
    return number;
}
static const char *get_text(Message *m, size_t *length) {
    const int64_t count = get_i64(m);
    m->bad |= count < 0 || count >= m->end - m->at || m->at[count];
    if (length) *length = m->bad ? 0 : (size_t)count;
    if (m->bad) return "";
    const char *text = m->at;
    m->at += count + 1;
    return text;
}
static CodeValue get_code(Message *m) {
    CodeValue code = { 0 };
    char kind = 0;
    get(m, &kind, 1);
    get(m, &code.value, sizeof code.value);
    get(m, &code.letter, 1);
    const char *text = get_text(m, NULL);
    if (kind) code.text = text;
    return code;
}

/* ---- variables ---- */

static Status take_file(Reading *r, Message *m) {
    r->expected = get_i64(m);
    const char *label = get_text(m, NULL);
    return !*label || r->label || (r->label = strdup(label)) ? OK : out_of_memory(r->work->error);
}

static Status more_variables(Reading *r) {
    if (r->variables < r->variable_room) return OK;
    const int64_t room = r->variable_room ? 2 * r->variable_room : 64;
    ColumnBuilder *build = realloc(r->build, (size_t)room * sizeof *build);
    if (build) r->build = build;
    char **set_of = realloc(r->set_of, (size_t)room * sizeof *set_of);
    if (set_of) r->set_of = set_of;
    if (!build || !set_of) return out_of_memory(r->work->error);
    r->variable_room = room;
    return OK;
}

/* SPSS stores texts in eights, and says how long they are in the format. */
static int text_width(const ColumnMetadata *about, int stored) {
    return about->format && about->format[0] == 'A' ? atoi(about->format + 1) : stored;
}

static Status take_variable(Reading *r, Message *m) {
    Status status = OK;
    const bool text = get_i32(m);
    const int measure = get_i32(m), align = get_i32(m), display = get_i32(m), stored = get_i32(m);
    const char *name = get_text(m, NULL), *label = get_text(m, NULL), *format = get_text(m, NULL), *set = get_text(m, NULL);
    const bool made_up = r->expected > (int64_t)r->file->count * 8; /* more rows than the file can hold */
    if (m->bad) return OK;
    TRY(more_variables(r));
    ColumnBuilder *build = &r->build[r->variables];
    r->set_of[r->variables] = NULL;
    status =
        builder_open(build, name, text ? TEXT_TYPE : REAL_TYPE, r->expected > 0 && !made_up && !text ? r->expected : 0, r->work->error);
    r->variables++; /* opened or not, it is freed */
    TRY(status);
    build->whole = true;
    build->labels_apart = r->options && r->options->codes;
    ColumnMetadata *about = build->about = metadata_new();
    if (!about) TRY(out_of_memory(r->work->error));
    TRY(metadata_set(&about->label, label, r->work->error));
    TRY(metadata_set(&about->format, format, r->work->error));
    about->origin = stat_program(r->file->kind);
    about->measure = measure > MEASURE_SCALE ? MEASURE_UNKNOWN : (MeasureLevel)measure;
    about->align = align > ALIGN_RIGHT ? ALIGN_UNKNOWN : (Align)align;
    about->display = display;
    about->width = text ? text_width(about, stored) : 0;
    if (*set && !(r->set_of[r->variables - 1] = strdup(set))) TRY(out_of_memory(r->work->error));
done:
    return status;
}

/* The highest and lowest values of SPSS stand for open ends; any finite number lies between them. */
static Status take_range(Reading *r, Message *m) {
    CodeValue low = get_code(m), high = get_code(m);
    m->bad |= !r->variables;
    if (m->bad || isnan(low.value) || isnan(high.value) || low.letter || high.letter || !low.text != !high.text) return OK;
    return metadata_add_range(r->build[r->variables - 1].about, (MissingRange){ low, high }, r->work->error);
}

static Status take_weight(Reading *r, Message *m) {
    const int32_t index = get_i32(m);
    m->bad |= index < 0 || index >= r->variables;
    if (!m->bad) r->build[index].about->weights = true;
    return OK;
}

/* ---- cells ---- */

static Status put_missing(const Reading *r, ColumnBuilder *build, CodeValue why) {
    uint16_t reason;
    Status status = metadata_reason(build->about, why, &reason, r->work->error);
    if (status) {
        (error_column)(r->work->error, build->name);
        return status;
    }
    return builder_missing(build, reason) ? OK : out_of_memory(r->work->error);
}

static Status put_number(const Reading *r, ColumnBuilder *build, double number) {
    if (build->about->ranges && metadata_is_missing(build->about, (CodeValue){ .value = number }))
        return put_missing(r, build, (CodeValue){ .value = number });
    return builder_real(build, number) ? OK : out_of_memory(r->work->error);
}

static Status put_text(const Reading *r, ColumnBuilder *build, const char *text, size_t length) {
    if (build->about->ranges && metadata_is_missing(build->about, (CodeValue){ .text = text }))
        return put_missing(r, build, (CodeValue){ .text = text });
    return builder_text(build, text, length) ? OK : out_of_memory(r->work->error);
}

static Status take_place(Reading *r, Message *m) {
    const int64_t row = get_i64(m), next = get_i32(m);
    m->bad |= row < r->row || next < 0 || next >= r->variables;
    if (m->bad) return OK;
    r->row = row;
    r->next = next;
    return OK;
}

static Status show(const Reading *r, int64_t row) {
    work_show(r->work, "reading", r->expected > 0 ? (double)row / (double)r->expected : 0);
    return work_check(r->work);
}

/* A cell of the other kind than its variable's says nothing. */
static Status put_cell(const Reading *r, ColumnBuilder *build, char kind, Message *m) {
    const bool words = build->type == TEXT_TYPE;
    double number;
    char letter;
    size_t length;
    const char *text;
    switch (kind) {
    case STAT_NUMBER:
        get(m, &number, sizeof number);
        if (!words) return put_number(r, build, number);
        break;
    case STAT_LETTER:
        get(m, &letter, 1);
        if (!words) return put_missing(r, build, (CodeValue){ .letter = letter });
        break;
    case STAT_TEXT:
        text = get_text(m, &length);
        if (words) return put_text(r, build, text, length);
        break;
    default: break;
    }
    return builder_missing(build, MISSING_CODE_NONE) ? OK : out_of_memory(r->work->error);
}

static Status take_cell(Reading *r, char kind, Message *m) {
    Status status = OK;
    if (r->next >= r->variables) {
        m->bad = true;
        return OK;
    }
    ColumnBuilder *build = &r->build[r->next];
    while (build->rows < r->row)
        if (!builder_missing(build, MISSING_CODE_NONE)) TRY(out_of_memory(r->work->error));
    TRY(put_cell(r, build, kind, m));
    if (r->row >= r->rows) {
        r->rows = r->row + 1;
        if (!(r->row & 0xFFFF)) TRY(show(r, r->row));
    }
    if (++r->next < r->variables) return OK;
    r->next = 0;
    r->row++;
done:
    return status;
}

/* ---- labels ---- */

static ColumnMetadata *find_set(const Reading *r, const char *name) {
    for (int64_t i = r->sets - 1; i >= 0; i--)
        if (!strcmp(r->set[i].name, name)) return r->set[i].labels;
    return NULL;
}

static ColumnMetadata *need_set(Reading *r, const char *name) {
    ColumnMetadata *found = find_set(r, name);
    if (found) return found;
    if (r->sets == r->set_room) {
        int64_t room = r->set_room ? 2 * r->set_room : 64;
        LabelSet *set = realloc(r->set, (size_t)room * sizeof *set);
        if (!set) return NULL;
        r->set = set;
        r->set_room = room;
    }
    LabelSet *set = &r->set[r->sets];
    *set = (LabelSet){ strdup(name), metadata_new() };
    if (!set->name || !set->labels) {
        free(set->name);
        metadata_release(set->labels);
        return NULL;
    }
    r->sets++;
    return set->labels;
}

static Status take_label(Reading *r, Message *m) {
    const char *name = get_text(m, NULL);
    CodeValue code = get_code(m);
    const char *label = get_text(m, NULL);
    if (m->bad) return OK;
    ColumnMetadata *set = need_set(r, name);
    return set ? metadata_add_label(set, code, label, r->work->error) : out_of_memory(r->work->error);
}

static int by_name(const void *a, const void *b) { return strcmp(((const LabelSet *)a)->name, ((const LabelSet *)b)->name); }

static Status give_labels(Reading *r) {
    Status status = OK;
    if (r->sets) qsort(r->set, (size_t)r->sets, sizeof *r->set, by_name);
    for (int64_t i = 0; i < r->variables; i++) {
        LabelSet probe = { r->set_of[i], NULL },
                 *found = r->set_of[i] && r->sets ? bsearch(&probe, r->set, (size_t)r->sets, sizeof probe, by_name) : NULL;
        const ColumnMetadata *set = found ? found->labels : NULL;
        for (int32_t j = 0; set && j < set->labels; j++)
            TRY(metadata_add_label(r->build[i].about, set->label_of[j].of, set->label_of[j].label, r->work->error));
        TRY(metadata_close(r->build[i].about, r->work->error));
    }
done:
    return status;
}

/* ---- the whole file ---- */

static Status take_piece(Reading *r, Message *m) {
    const int32_t count = get_i32(m);
    m->bad |= count < 0 || count > m->end - m->at;
    if (m->bad) return OK;
    buffer_add(&r->pieces, m->at, (size_t)count);
    m->at += count;
    return r->pieces.failed ? out_of_memory(r->work->error) : OK;
}

static Status take_messages(void *self, const char *bytes, size_t count);
static Status take_whole(Reading *r) {
    Buffer whole = r->pieces;
    r->pieces = (Buffer){ 0 };
    Status status = take_messages(r, whole.bytes, whole.count);
    buffer_free(&whole);
    return status;
}

static Status take_messages(void *self, const char *bytes, size_t count) {
    Reading *r = self;
    Status status = OK;
    Message m = { bytes, bytes + count, false };
    while (m.at < m.end && !m.bad) {
        const char kind = *m.at++;
        switch (kind) {
        case STAT_FILE: TRY(take_file(r, &m)); break;
        case STAT_VARIABLE: TRY(take_variable(r, &m)); break;
        case STAT_RANGE: TRY(take_range(r, &m)); break;
        case STAT_WEIGHT: TRY(take_weight(r, &m)); break;
        case STAT_LABEL: TRY(take_label(r, &m)); break;
        case STAT_AT: TRY(take_place(r, &m)); break;
        case STAT_PIECE: TRY(take_piece(r, &m)); break;
        case STAT_WHOLE: TRY(take_whole(r)); break;
        default: TRY(take_cell(r, kind, &m));
        }
    }
    if (m.bad) status = fail(r->work->error, FAILED, "a library failed that was at work");
done:
    return status;
}

static Status finish(Reading *r, const char *name, Table **out) {
    Status status = OK;
    const StatKind kind = r->file->kind;
    TRY(give_labels(r));
    for (int64_t i = 0; i < r->variables; i++) {
        ColumnBuilder *build = &r->build[i];
        StatDateKind clock = build->type == REAL_TYPE ? stat_date_kind(kind, build->about->format) : CLOCK_NONE;
        while (build->rows < r->rows)
            if (!builder_missing(build, MISSING_CODE_NONE)) TRY(out_of_memory(r->work->error));
        if (clock) TRY(builder_moments(build, stat_unit(kind, clock), stat_origin(kind), clock == CLOCK_DAY, r->work->error));
    }
    TRY(builders_table(r->work, name, r->build, r->variables, r->rows, out));
    (*out)->label = r->label;
    r->label = NULL;
done:
    return status;
}

static void reading_free(Reading *r) {
    for (int64_t i = 0; i < r->variables; i++) {
        builder_free(&r->build[i]);
        free(r->set_of[i]);
    }
    for (int64_t i = 0; i < r->sets; i++) {
        free(r->set[i].name);
        metadata_release(r->set[i].labels);
    }
    buffer_free(&r->pieces);
    free(r->build);
    free(r->set_of);
    free(r->set);
    free(r->label);
}

static Status parse_apart(void *self, SharedRing *to) { return stat_parse_to(((const Reading *)self)->file, to); }

static Status read_file(const StatFile *file, const CsvOptions *options, bool here, Table **out) {
    Reading r = { .work = file->work, .file = file, .options = options, .expected = -1 };
    Status status = here ? stat_parse_here(file, take_messages, &r) : helper_stream(file->work, parse_apart, take_messages, &r);
    if (status && status != INTERRUPTED) (error_file)(file->work->error, file->name);
    if (!status) status = finish(&r, file->name, out);
    reading_free(&r);
    return status;
}

static StatFile file_of(Work *work, const char *name, const char *bytes, size_t count, StatKind kind, const CsvOptions *options) {
    return (StatFile){ .work = work,
                       .name = name,
                       .bytes = bytes,
                       .count = count,
                       .kind = kind,
                       .encoding = options ? options->encoding : NULL };
}

Status stat_read_bytes(Work *work, const char *name, const char *bytes, size_t count, StatKind kind, const char *beside,
                       const CsvOptions *options, Table **out) {
    StatFile file = file_of(work, name, bytes, count, kind, options);
    file.beside = beside;
    return read_file(&file, options, false, out);
}

Status stat_read_here(Work *work, const char *name, const char *bytes, size_t count, StatKind kind, Table **out) {
    const StatFile file = file_of(work, name, bytes, count, kind, NULL);
    return read_file(&file, NULL, true, out);
}
