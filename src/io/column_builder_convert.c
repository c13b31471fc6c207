/* Columns whose cells turn out to be of another kind than those before them. */
#include <stdlib.h>
#include <string.h>
#include "base/number_text.h"
#include "io/column_builder.h"

static bool absent(const ColumnBuilder *build, int64_t row) { return build->valid && !((build->valid[row >> 6] >> (row & 63)) & 1); }

/* Nothing but missing cells so far: the room changes its kind. */
static bool decide(ColumnBuilder *build, Type type) {
    size_t bytes = (size_t)build->capacity * (type_wide(type) ? 8 : 4);
    if (bytes) {
        void *cells = realloc(build->real, bytes);
        if (!cells) return false;
        build->real = cells;
        memset(cells, 0, bytes);
    }
    build->type = type;
    build->undecided = false;
    return true;
}

static size_t cell_text(const ColumnBuilder *build, int64_t row, char out[33]) {
    switch (build->type) {
    case INTEGER_TYPE: return write_integer(build->integer[row], out);
    case REAL_TYPE: return write_real(build->real[row], out);
    case DATE_TYPE: return write_date(build->date[row], out);
    case DATETIME_TYPE: return write_datetime(build->moment[row], out);
    default: return 0;
    }
}

/* What was numbers or dates becomes words, as they are written. */
static bool to_words(ColumnBuilder *build) {
    ColumnBuilder words = { .type = TEXT_TYPE, .text = build->text };
    char text[33];
    bool good = true;
    for (int64_t i = 0; good && i < build->rows; i++)
        good = absent(build, i) ? builder_missing(&words, build->reason ? build->reason[i] : MISSING_CODE_NONE)
                                : builder_text(&words, text, cell_text(build, i, text));
    if (!good) {
        builder_free(&words);
        return false;
    }
    free(build->real);
    free(build->valid);
    free(build->reason);
    build->code = words.code;
    build->valid = words.valid;
    build->reason = words.reason;
    build->words = words.words;
    build->capacity = words.capacity;
    build->type = TEXT_TYPE;
    return true;
}

/* Days become moments at their beginning. */
static bool to_moments(ColumnBuilder *build) {
    int64_t *moment = malloc((size_t)(build->capacity ? build->capacity : 1) * sizeof *moment);
    if (!moment) return false;
    for (int64_t i = 0; i < build->rows; i++) moment[i] = build->date[i] * INT64_C(86400000000);
    free(build->date);
    build->moment = moment;
    build->type = DATETIME_TYPE;
    return true;
}

bool builder_convert(ColumnBuilder *build, Type type) {
    if (build->undecided) return decide(build, type);
    if (build->type == type) return true;
    if (type == TEXT_TYPE) return to_words(build);
    if (type == DATETIME_TYPE && build->type == DATE_TYPE) return to_moments(build);
    if (type != REAL_TYPE || build->type != INTEGER_TYPE) return false;
    for (int64_t i = 0; i < build->rows; i++) build->real[i] = (double)build->integer[i];
    build->type = REAL_TYPE;
    return true;
}

bool builder_number(ColumnBuilder *build, int64_t value) {
    char text[33];
    if (build->undecided && !builder_convert(build, INTEGER_TYPE)) return false;
    if (build->type == INTEGER_TYPE) return builder_integer(build, value);
    if (build->type == REAL_TYPE) return builder_real(build, (double)value);
    return builder_convert(build, TEXT_TYPE) && builder_text(build, text, write_integer(value, text));
}

bool builder_words(ColumnBuilder *build, double value) {
    char text[33];
    return builder_convert(build, TEXT_TYPE) && builder_text(build, text, write_real(value, text));
}
