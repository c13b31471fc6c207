/* Rows of a site's model: bucket −1 says which built-in model it was made on and which kinds were marked, −2…−9 are the transitions from
 * each tag, the others the weights of a bucket by tag. */
#include "scrub/site_model.h"
#include <string.h>

static const char *const names[TAGS + 1] = { "bucket", "other", "person", "place", "street", "zip", "organisation", "number", "date" };
enum { HEAD_ROW = -1, FIRST_TRANSITION = -2 };

/* 31 bits of the built-in model's bytes. */
static int64_t fingerprint(const Model *model) {
    uint64_t h = 14695981039346656037u;
    const unsigned char *p = (const unsigned char *)model;
    for (size_t i = 0; i < sizeof *model; i++) h = (h ^ p[i]) * 1099511628211u;
    return (int64_t)(h >> 33);
}

static bool differs(const Model *a, const Model *b, int bucket) { return memcmp(a->weight[bucket], b->weight[bucket], TAGS) != 0; }

Status site_model_table(Work *work, const Model *model, uint64_t kinds, Table **out) {
    Status status = OK;
    const Model *base = model_built_in();
    Column *column[TAGS + 1] = { NULL };
    int64_t rows = 1 + TAGS, row = 0;
    for (int b = 0; b < MODEL_BUCKETS; b++) rows += differs(model, base, b);
    for (int c = 0; c <= TAGS; c++) TRY(column_new(INTEGER_TYPE, names[c], rows, &column[c], work->error));
    for (int c = 0; c <= TAGS; c++) column[c]->integer[0] = c == 0 ? HEAD_ROW : 0;
    column[1]->integer[0] = fingerprint(base);
    column[2]->integer[0] = (int64_t)(kinds & 0x7fffffff);
    for (row = 1; row <= TAGS; row++) {
        column[0]->integer[row] = FIRST_TRANSITION - (row - 1);
        for (int b = 0; b < TAGS; b++) column[b + 1]->integer[row] = model->transition[row - 1][b];
    }
    for (int b = 0; b < MODEL_BUCKETS; b++) {
        if (!differs(model, base, b)) continue;
        column[0]->integer[row] = b;
        for (int a = 0; a < TAGS; a++) column[a + 1]->integer[row] = model->weight[b][a];
        row++;
    }
    TRY(table_new("model", column, TAGS + 1, rows, out, work->error));
done:
    for (int c = 0; c <= TAGS; c++) column_release(column[c]);
    return status;
}

static Status not_a_model(Work *work, const char *what) {
    fail(work->error, BAD, "%s", what);
    error_advice(work->error, "Give the table that `scrub train` made with this version.");
    return error_parameter(work->error, "model");
}

Status site_model_read(Work *work, const Table *table, const Model **out, uint64_t *kinds) {
    static const char bad[] = "is no model that `scrub train` wrote";
    Status status = OK;
    const Column *column[TAGS + 1];
    Model *model = NULL;
    for (int c = 0; c <= TAGS; c++) {
        column[c] = table_column(table, names[c]);
        if (!column[c] || !column_numeric(column[c]) || column[c]->missing) return not_a_model(work, bad);
    }
    if (table->rows < 1 + TAGS || column_number(column[0], 0) != HEAD_ROW) return not_a_model(work, bad);
    if (column_number(column[1], 0) != (double)fingerprint(model_built_in()))
        return not_a_model(work, "was made on another built-in model");
    NEW(work, model, 1);
    *model = *model_built_in();
    memcpy(model->magic, MODEL_ALL_TAGS, sizeof MODEL_ALL_TAGS);
    double mask = column_number(column[2], 0);
    *kinds = mask >= 0 && mask <= 0x7fffffff ? (uint64_t)mask : 0;
    for (int64_t row = 1; row < table->rows; row++) {
        double bucket = column_number(column[0], row);
        bool transition = bucket <= FIRST_TRANSITION && bucket > FIRST_TRANSITION - TAGS;
        if ((!transition && !(bucket >= 0 && bucket < MODEL_BUCKETS)) || bucket != (double)(int64_t)bucket) return not_a_model(work, bad);
        for (int a = 0; a < TAGS; a++) {
            double value = column_number(column[a + 1], row), most = transition ? 100000 : 127;
            if (!(value >= -most && value <= most)) return not_a_model(work, bad);
            if (transition) model->transition[FIRST_TRANSITION - (int)bucket][a] = (int32_t)value;
            else model->weight[(int)bucket][a] = (int8_t)value;
        }
    }
    *out = model;
done:
    return status;
}
