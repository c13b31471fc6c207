/* SUDA: special uniques, records that few keys single out. Defined after Manning, Haglin & Keane 2008; Elliot & Manning 2003:
 * docs/methods/risk-suda.md. */
#include "base/elementary.h"
#include "method/parts.h"
#include "risk/paired_columns.h"
#include "risk/suda/search.h"
#include "classes/equivalence_class.h"

typedef struct {
    const Table *data;
    Columns keys;
    int64_t max_size;
    double dis_fraction;
    unsigned missing;
} args;
static const Param params[] = {
    TABLE(args, data, "Table to examine", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    INT(args, max_size, 3, 1, 64, "Largest number of keys in a combination"),
    REAL(args, dis_fraction, 0.01, 0, 1, "Sampling fraction of the DIS score, 0 to 1. Larger = higher scores", .flags = EXCLUSIVE),
    MISSING_RULE(args),
    END,
};
static const Return values[] = {
    VALUE(records, INTEGER, "Records that a combination of at most --max-size keys makes unique. 0 = safe", .flags = PUBLIC),
    VALUE(msus, INTEGER, "Minimal sample uniques (MSUs) over all records: combinations that are unique and have no unique part. 0 = safe",
          .flags = PUBLIC),
    VALUE(max_score, REAL,
          "Largest SUDA score of a record, 0 or more; comparable only with the same keys and --max-size. Smaller is safer"),
    VALUE(max_dis, REAL, "Largest DIS-SUDA score, 0 to 1. Smaller is safer"),
    VALUE(mean_dis, REAL, "Mean DIS-SUDA score over all records. Smaller is safer", .flags = PUBLIC),
    TABLE_OUT(contributions, "key:text contribution:real",
              "Each key: the share of all scores from combinations that contain it, in percent", .flags = PUBLIC),
    TABLE_OUT(sizes, "size:integer msus:integer", "Minimal sample uniques by number of keys", .flags = PUBLIC),
    RECORD(dis_suda, REAL, "DIS-SUDA score"),
    RECORD(msu, INTEGER, "Minimal sample uniques of the record"),
    RECORD(suda_score, REAL, "SUDA score"),
    END,
};

static Status tuples_of(Run *run, const Classes *classes, MissingRule rule, SudaTuples *out) {
    Status status = OK;
    int32_t **code = NULL, *values_of = NULL;
    NEW(&run->work, code, classes->keys + 1);
    NEW(&run->work, values_of, classes->keys + 1);
    for (int64_t k = 0; k < classes->keys; k++) {
        const Codes *codes = &classes->codes[k];
        NEW(&run->work, code[k], classes->count + 1);
        for (int64_t c = 0; c < classes->count; c++) {
            int32_t v = codes->at[classes->first[c]];
            code[k][c] = v < 0 && rule == CATEGORY_RULE ? codes->count : v;
        }
        values_of[k] = codes->count + 1;
    }
    *out = (SudaTuples){ .count = classes->count, .keys = classes->keys, .code = code, .values = values_of, .size = classes->size };
done:
    return status;
}

/* DIS-SUDA (Elliot & Manning 2003): Q = 1 + (8−p)/20 for p keys, A = Σ over scores above 0 of score^−Q, P the records in pairs, π the
 * sampling fraction: dis = 1/(1 + P(1−π)/π/(score^Q·A)). */
static Status put_scores(Run *run, const args *a, const Classes *classes, double P, const SudaFound *found) {
    Status status = OK;
    double Q = 1 + (8 - (double)a->keys.count) / 20, A = 0, fraction = a->dis_fraction, most = 0, most_dis = 0;
    ExactSum sum = { 0 };
    double *score = NULL, *dis = NULL;
    int64_t *msus = NULL, rows = classes->rows, records = 0, all = 0;
    NEW(&run->work, score, rows + 1);
    if (run_wants(run, "dis_suda")) NEW(&run->work, dis, rows + 1);
    if (run_wants(run, "msu")) NEW(&run->work, msus, rows + 1);
    for (int64_t c = 0; c < classes->count; c++)
        if (found->score[c] > 0) A += pow(found->score[c], -Q);
    for (int64_t i = 0; i < rows; i++) {
        int32_t c = classes->of[i];
        double own = 0;
        score[i] = found->score[c];
        if (score[i] > 0) own = 1 / (1 + P * (1 - fraction) / fraction / (pow(score[i], Q) * A));
        if (msus) msus[i] = found->msus[c];
        if (dis) dis[i] = own;
        int64_t times = work_times(&run->work, i);
        records += found->msus[c] > 0 ? times : 0;
        all += found->msus[c] * times;
        most = fmax(most, score[i]);
        most_dis = fmax(most_dis, own);
        exact_sum_add_product(&sum, own, (double)times);
    }
    result_integer(run->result, "records", records);
    result_integer(run->result, "msus", all);
    result_real(run->result, "max_score", most);
    result_real(run->result, "max_dis", most_dis);
    result_real(run->result, "mean_dis", exact_mean(&sum, classes->records ? classes->records : 1));
    if (records && P == 0) result_note(run->result, "No two records share all keys, so the DIS score has no reference and is 1.");
    TRY(put_reals(run, "data", "suda_score", score, rows));
    if (dis) TRY(put_reals(run, "data", "dis_suda", dis, rows));
    if (msus) TRY(put_integers(run, "data", "msu", msus, rows));
done:
    return status;
}

static Status records_in_pairs(Run *run, const args *a, const Classes *classes, double *out) {
    Frequencies frequencies;
    Status status = classes_frequencies(&run->work, classes, a->missing, NULL, &frequencies);
    if (status) return status;
    *out = 0;
    for (int64_t c = 0; c < classes->count; c++)
        if (frequencies.f[c] == 2) *out += (double)classes->size[c];
    frequencies_drop(&run->work, &frequencies);
    return OK;
}

static void put_tables(Run *run, const args *a, const SudaFound *found, int64_t classes, int64_t max_size) {
    double total = 0;
    for (int64_t c = 0; c < classes; c++) total += found->score[c];
    Grid *grid = grid_new(run->result, "contributions", "key:text contribution:real");
    for (int64_t k = 0; k < a->keys.count; k++) {
        grid_text(grid, a->keys.at[k]->name);
        grid_real(grid, total > 0 ? 100 * found->key_score[k] / total : 0);
    }
    grid_done(grid);
    grid = grid_new(run->result, "sizes", "size:integer msus:integer");
    for (int64_t size = 1; size <= max_size; size++) {
        grid_integer(grid, size);
        grid_integer(grid, found->by_size[size]);
    }
    grid_done(grid);
}

static Status suda_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Classes classes;
    SudaTuples tuples;
    SudaFound found;
    double pairs;
    int64_t keys = a->keys.count, max_size = a->max_size > keys ? keys : a->max_size;
    if (keys > 64 || suda_sets(keys, max_size) > SUDA_SETS) {
        fail(run->work.error, BAD, "there are more than %d sets of at most %lld of %lld keys", SUDA_SETS, (long long)max_size,
             (long long)keys);
        error_advice(run->work.error, "Give a smaller --max-size, or fewer keys.");
        TRY(error_parameter(run->work.error, "max-size"));
    }
    TRY(classes_make_by(&run->work, a->keys, a->missing, &classes));
    TRY(records_in_pairs(run, a, &classes, &pairs));
    TRY(tuples_of(run, &classes, a->missing, &tuples));
    TRY(suda_search(&run->work, &tuples, max_size, &found));
    for (int64_t k = 0; k < keys; k++) arena_drop(run->work.arena, tuples.code[k]);
    TRY(put_scores(run, a, &classes, pairs, &found));
    put_tables(run, a, &found, classes.count, max_size);
    result_note(run->result, "%s", missing_rule_note(a->missing));
    if (max_size < keys)
        result_note(run->result,
                    "Combinations of at most %lld of the %lld keys were examined (--max-size). Larger ones may make more records unique.",
                    (long long)max_size, (long long)keys);
done:
    return status;
}

static double cost(const void *p) {
    const args *a = p;
    int64_t keys = a->keys.count, max_size = a->max_size > keys ? keys : a->max_size;
    return 4e-9 * (double)a->data->rows * suda_sets(keys, max_size);
}

static const InParts in_parts = { .shape = BY_CLASS };

const Method risk_suda = { .group = "risk",
                           .name = "suda",
                           .summary = "SUDA2: special uniques, records that are unique on few quasi-identifiers",
                           .source = "Manning, Haglin & Keane 2008; Elliot & Manning 2003",
                           .params = params,
                           .size = sizeof(args),
                           .traits = FREQUENCY | IDENTITY,
                           .run = suda_run,
                           .parts = &in_parts,
                           .values = values,
                           .cost = cost,
                           .example = "scrim risk suda examples/clinic.csv --keys sex,age,region,education,marital --max-size 3",
                           .instead = "risk linkage" };
