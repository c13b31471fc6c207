/* Arrays of the C data interface made of any bytes, within the memory that they say they have: a table that is as long as they say and can
 * be exported again, or an error with a message; either way what was lent is released once. */
#include <stdlib.h>
#include <string.h>
#include "io/arrow/arrow.h"

enum { MOST = 64, COLUMNS = 3 };
static const char *const formats[] = {
    "b", "c", "C", "s",   "S",   "i",    "I",    "l",    "L",    "e",      "f",      "g",          "u",
    "U", "n", "z", "tdD", "tdm", "tss:", "tsm:", "tsu:", "tsn:", "d:18,0", "d:20,2", "d:60,2,256", "vu"
};
enum { FORMATS = sizeof formats / sizeof *formats };
static int released;
static void let_go(struct ArrowArray *array) {
    released++;
    array->release = NULL;
}
static void let_schema_go(struct ArrowSchema *schema) { schema->release = NULL; }

typedef struct Input {
    const uint8_t *at;
    size_t left;
} Input;
static uint8_t next(Input *in) { return in->left ? (in->left--, *in->at++) : 0; }
static void take(Input *in, void *out, size_t size) {
    size_t some = size < in->left ? size : in->left;
    memset(out, 0, size);
    memcpy(out, in->at, some);
    in->at += some;
    in->left -= some;
}

/* Buffers as large as MOST cells need; what the interface leaves to the producer (offsets within the bytes, views within their buffers) is
 * kept. */
typedef struct Lent {
    _Alignas(16) uint8_t valid[MOST], values[MOST * 32], bytes[256];
    int64_t sizes[1];
    const void *buffers[4];
} Lent;

static void fill(Input *in, const char *format, Lent *lent, struct ArrowArray *array) {
    int64_t length = next(in) % (MOST / 2), offset = next(in) % (MOST / 4);
    bool text = !strcmp(format, "u") || !strcmp(format, "U") || !strcmp(format, "vu");
    take(in, lent->valid, 16);
    take(in, lent->bytes, sizeof lent->bytes);
    if (!strcmp(format, "vu")) {
        for (int i = 0; i < MOST; i++) {
            int32_t view[4] = { next(in) % 24, 0, 0, next(in) % 128 };
            if (view[0] <= 12) take(in, &view[1], 12);
            memcpy(lent->values + 16 * i, view, 16);
        }
    } else if (text) {
        int64_t last = 0;
        for (int i = 0; i <= MOST - 2; i++) {
            if (format[0] == 'U') ((int64_t *)(void *)lent->values)[i] = last;
            else ((int32_t *)(void *)lent->values)[i] = (int32_t)last;
            last += next(in) % 4;
        }
    } else take(in, lent->values, sizeof lent->values);
    lent->sizes[0] = sizeof lent->bytes;
    lent->buffers[0] = next(in) & 1 ? lent->valid : NULL;
    lent->buffers[1] = lent->values;
    lent->buffers[2] = lent->bytes;
    lent->buffers[3] = lent->sizes;
    *array = (struct ArrowArray){ .length = length,
                                  .null_count = lent->buffers[0] ? -1 : 0,
                                  .offset = offset,
                                  .n_buffers = !strcmp(format, "vu") ? 4
                                               : text                ? 3
                                                                     : 2,
                                  .buffers = lent->buffers };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Input in = { data, size };
    Lent *lent = calloc(2 * COLUMNS, sizeof *lent);
    struct ArrowSchema child[COLUMNS], words[COLUMNS], *children[COLUMNS];
    struct ArrowArray column[COLUMNS], dictionary[COLUMNS], *columns[COLUMNS];
    static const char *const names[] = { "a", "b", "c" };
    const void *above[1] = { NULL };
    Table *table = NULL;
    Error error = ERROR_NONE;
    if (!lent) abort();
    for (int i = 0; i < COLUMNS; i++) {
        const char *format = formats[next(&in) % FORMATS];
        bool coded = next(&in) % 4 == 0 && strlen(format) == 1 && strchr("cCsSiIlL", format[0]);
        child[i] = (struct ArrowSchema){ .format = format, .name = names[i], .flags = next(&in) % 4 };
        fill(&in, format, &lent[2 * i], &column[i]);
        children[i] = &child[i];
        columns[i] = &column[i];
        if (!coded) continue;
        words[i] = (struct ArrowSchema){ .format = formats[next(&in) % FORMATS] };
        fill(&in, words[i].format, &lent[2 * i + 1], &dictionary[i]);
        child[i].dictionary = &words[i];
        column[i].dictionary = &dictionary[i];
    }
    struct ArrowSchema schema = { .format = "+s", .n_children = COLUMNS, .children = children, .release = let_schema_go };
    struct ArrowArray array = { .length = next(&in) % MOST,
                                .offset = next(&in) % 8,
                                .n_buffers = 1,
                                .buffers = above,
                                .n_children = COLUMNS,
                                .children = columns,
                                .release = let_go };
    int64_t rows = array.length;
    released = 0;
    if (arrow_import("fuzz", &schema, &array, &table, &error) == OK) {
        if (table->rows != rows) abort();
        struct ArrowSchema out_schema;
        struct ArrowArray out;
        if (arrow_export(table, &out_schema, &out, &error)) abort();
        out_schema.release(&out_schema);
        out.release(&out);
    } else if (!error.message[0]) abort();
    table_release(table);
    if (released != 1 || schema.release) abort();
    free(lent);
    return 0;
}
