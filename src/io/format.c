/* The table of formats: which one a name is, and what it cannot hold. */
#include "io/format.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const Format *const formats[] = {
#define TABLE_FORMAT(name) &format_##name,
#include "io/formats.def"
#undef TABLE_FORMAT
};
enum { FORMATS = sizeof formats / sizeof *formats };

static bool ends_in(const char *name, size_t length, const char *suffix) {
    size_t part = strlen(suffix);
    return length > part && !strncasecmp(name + length - part, suffix, part);
}

static const Format *by_prefix(const char *name) {
    for (size_t i = 0; i < FORMATS; i++)
        for (const char *const *p = formats[i]->prefixes; p && *p; p++)
            if (!strncasecmp(name, *p, strlen(*p))) return formats[i];
    return NULL;
}

const Format *format_of(const char *name, size_t *stem) {
    const Format *found = by_prefix(name);
    size_t length = strlen(name), ignored, packed = 0;
    if (!stem) stem = &ignored;
    *stem = length;
    if (found) return found;
    if (ends_in(name, length, ".gz")) packed = 3;
    else if (ends_in(name, length, ".zst")) packed = 4;
    for (size_t i = 0; i < FORMATS; i++) {
        if (packed && !formats[i]->packed) continue;
        for (const char *const *s = formats[i]->suffixes; s && *s; s++)
            if (ends_in(name, length - packed, *s)) {
                *stem = length - packed - strlen(*s);
                return formats[i];
            }
    }
    return NULL;
}

bool format_is_source(const char *name) { return by_prefix(name) != NULL; }

Behind format_behind(const char *name, int n, char path[BEHIND_PATH]) {
    const Format *format = format_of(name, NULL);
    if (format && format->behind) return format->behind(name, n, path);
    return !n && snprintf(path, BEHIND_PATH, "%s", name) < BEHIND_PATH ? BEHIND_FILE : BEHIND_NONE; /* one too long names nothing */
}

Status format_read_end(Work *work, const char *path, Bytes *bytes, Status status, Table **out) {
    if (status != INTERRUPTED && bytes_unchanged(bytes, path, work->error)) {
        if (!status) table_release(*out);
        *out = NULL;
        status = FAILED;
    }
    bytes_close(bytes);
    return status;
}

void format_list(Buffer *out) {
    const char *between = "Tables are ";
    for (int packed = 1; packed >= 0; packed--) {
        for (size_t i = 0; i < FORMATS; i++)
            for (const char *const *s = formats[i]->suffixes; s && *s && formats[i]->packed == packed; s++) {
                buffer_print(out, "%s%s", between, *s);
                between = ", ";
            }
        if (packed) buffer_text(out, " (also .gz, .zst)");
    }
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i]->form) buffer_print(out, ", %s", formats[i]->form);
    buffer_text(out, "; '-' is a standard stream");
}

/* ---- what is lost ---- */

static bool has_label(const Column *c) { return c->about && c->about->label; }
static bool has_value_labels(const Column *c) { return c->about && c->about->labels && c->type == CATEGORY_TYPE; }
static bool has_loose_labels(const Column *c) { return c->about && c->about->labels && c->type != CATEGORY_TYPE; }
static bool has_measure(const Column *c) { return c->about && c->about->measure && !c->about->declared; }
static bool has_weights(const Column *c) { return c->about && c->about->weights; }
static bool has_order(const Column *c) { return c->type == CATEGORY_TYPE && c->words->ordered; }

void format_say(const Table *table, LossTest *test, const void *self, const char *what, Buffer *out) {
    enum { SHOWN = 3 };
    int64_t count = 0, shown = 0;
    for (int64_t i = 0; i < table->columns; i++) count += test(table->column[i], self, i);
    if (!count) return;
    buffer_print(out, "%s ", what);
    for (int64_t i = 0; i < table->columns && shown < SHOWN; i++) {
        if (!test(table->column[i], self, i)) continue;
        const char *between = !shown ? "" : shown + 1 == count ? " and " : ", ";
        buffer_print(out, "%s%s", between, table->column[i]->name);
        shown++;
    }
    if (count > shown) buffer_print(out, " and %lld more", (long long)(count - shown));
    buffer_text(out, ".\n");
}

typedef struct OfColumn {
    bool (*test)(const Column *column);
} OfColumn;
static bool of_column(const Column *column, const void *self, int64_t index) {
    (void)index;
    return ((const OfColumn *)self)->test(column);
}
static void say(const Table *table, bool (*test)(const Column *column), const char *what, Buffer *out) {
    format_say(table, of_column, &(OfColumn){ test }, what, out);
}

Status format_losses(Work *work, const Table *table, const char *name, Buffer *out) {
    const Format *format = format_of(name, NULL);
    unsigned holds = format ? format->holds : 0; /* a stream carries CSV */
    if (!(holds & HOLDS_LABELS)) say(table, has_label, "It cannot hold what the variables mean: lost are the labels of", out);
    if (!(holds & HOLDS_VALUE_LABELS))
        say(table, has_value_labels,
            holds & WRITES_CODES ? "It cannot hold value labels: labelled values are written as their codes in"
                                 : "It cannot hold codes beside their labels: labelled values are written as their labels in",
            out);
    if (!(holds & HOLDS_VALUE_LABELS)) say(table, has_loose_labels, "It cannot hold value labels: lost are those of", out);
    if (!(holds & HOLDS_MEASURES)) say(table, has_measure, "It cannot hold measurement levels: lost are those of", out);
    if (!(holds & HOLDS_WEIGHTS)) say(table, has_weights, "It cannot hold which variable weights the records: it is", out);
    if (!(holds & HOLDS_FILE_LABEL) && table->label) buffer_text(out, "It cannot hold the file's label.\n");
    if (!(holds & HOLDS_ORDER)) say(table, has_order, "It cannot hold an order of categories: lost is that of", out);
    if (!(holds & HOLDS_REASONS))
        say(table, column_tells_reasons, "It cannot tell why a value is missing: all are plainly missing in", out);
    if (format && format->losses) return format->losses(work, table, name, out);
    return OK;
}
