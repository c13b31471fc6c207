/* JSON-stat 2.0 (json-stat.org): a dataset with its dimensions, how codes add up (child), and one status for all hidden cells. */
#include "base/elementary.h"
#include "base/escape.h"
#include "base/file.h"
#include "io/cube/cube.h"
#include "io/format.h"

static void put_codes(const Dimension *d, Buffer *out) {
    buffer_text(out, ":{\"label\":");
    put_json_text(out, d->name);
    buffer_text(out, ",\"category\":{\"index\":[");
    for (int32_t c = 0; c < d->codes; c++) {
        if (c) buffer_char(out, ',');
        put_json_text(out, d->code[c]);
    }
    buffer_char(out, ']');
    bool any = false;
    for (int64_t s = 0; s < d->sums; s++) {
        bool before = false; /* a code has one list of children: that of its first sum */
        for (int64_t t = 0; t < s; t++) before |= d->sum[t].total == d->sum[s].total;
        if (before) continue;
        buffer_text(out, any ? "," : ",\"child\":{");
        any = true;
        put_json_text(out, d->code[d->sum[s].total]);
        buffer_text(out, ":[");
        for (int32_t k = 0; k < d->sum[s].count; k++) {
            if (k) buffer_char(out, ',');
            put_json_text(out, d->code[d->sum[s].part[k]]);
        }
        buffer_char(out, ']');
    }
    buffer_text(out, any ? "}}}" : "}}");
}

static void put_dataset(const Cube *cube, Buffer *out) {
    buffer_text(out, "{\"version\":\"2.0\",\"class\":\"dataset\",\"label\":");
    put_json_text(out, cube->measure);
    buffer_text(out, ",\"id\":[");
    for (int64_t d = 0; d < cube->s.dims; d++) {
        if (d) buffer_char(out, ',');
        put_json_text(out, cube->s.dim[d].name);
    }
    buffer_text(out, "],\"size\":[");
    for (int64_t d = 0; d < cube->s.dims; d++) buffer_print(out, "%s%d", d ? "," : "", cube->s.dim[d].codes);
    buffer_text(out, "],\"dimension\":{");
    for (int64_t d = 0; d < cube->s.dims; d++) {
        if (d) buffer_char(out, ',');
        put_json_text(out, cube->s.dim[d].name);
        put_codes(&cube->s.dim[d], out);
    }
    buffer_text(out, "},\n\"value\":[");
    for (int64_t k = 0; k < cube->cells; k++) {
        if (k) buffer_char(out, ',');
        put_json_real(out, cube->value[k]);
    }
    buffer_text(out, "],\n\"status\":{");
    bool any = false;
    for (int64_t k = 0; k < cube->cells; k++)
        if (cube->hidden[k]) {
            buffer_print(out, "%s\"%lld\":\"c\"", any ? "," : "", (long long)k);
            any = true;
        }
    buffer_text(out, "},\"extension\":{\"status\":{\"c\":\"confidential\"}}}\n");
}

static Status jsonstat_write(Work *work, const Table *table, const char *path, const CsvOptions *options) {
    (void)options;
    Status status = OK;
    Cube cube;
    Buffer out = { 0 };
    TRY(cube_make(work, table, path, &cube));
    put_dataset(&cube, &out);
    if (out.failed) TRY(out_of_memory(work->error));
    TRY(file_write(path, out.bytes, out.count, false, work->error));
done:
    buffer_free(&out);
    return status;
}

const Format format_jsonstat = { .name = "JSON-stat (table of cells)",
                                 .suffixes = (const char *const[]){ ".jsonstat", NULL },
                                 .write = jsonstat_write };
