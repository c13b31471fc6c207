/* A table beside its population. */
#include "risk/population.h"
#include "table/group.h"
#include "classes/joint_codes.h"
#include "classes/wildcard_count.h"

/* Reasons for missing values, which the files show, as further codes: the same value or letter in both tables is the same reason. */
static int32_t reason_code(const Column *column, int64_t row, CodeValue *known, int32_t *count) {
    uint16_t reason = column->reason && column_missing(column, row) ? column->reason[row] : MISSING_CODE_NONE;
    if (reason < MISSING_CODE_FIRST || !column->about || reason - MISSING_CODE_FIRST >= column->about->missing) return -1;
    CodeValue code = column->about->missing_of[reason - MISSING_CODE_FIRST];
    int32_t at = 0;
    while (at < *count && code_order(known[at], code)) at++;
    if (at == *count) known[(*count)++] = code;
    return at;
}

static Status add_reasons(Run *run, const Column *own, const Column *other, Codes *codes, int32_t *at) {
    Status status = OK;
    CodeValue *known = NULL;
    int32_t count = 0;
    bool tells = own->about && column_tells_reasons(own), others = other->about && column_tells_reasons(other);
    NEW(&run->work, known, (tells ? own->about->missing : 0) + (others ? other->about->missing : 0) + 1);
    for (int64_t i = 0; i < own->rows + other->rows; i++) {
        bool first = i < own->rows;
        int32_t code = (first ? tells : others) ? reason_code(first ? own : other, first ? i : i - own->rows, known, &count) : -1;
        if (code >= 0) at[i] = codes->count + code;
    }
    codes->count += count;
done:
    return status;
}

/* Both tables end to end, key by key, in one coding. */
static Status stack(Run *run, const Table *data, Columns keys, const Table *population, MissingRule rule, Codes *out) {
    Status status = OK;
    int64_t n = data->rows, N = population->rows;
    for (int64_t k = 0; k < keys.count; k++) {
        const Column *other;
        JointCodes joint;
        int32_t *at = NULL;
        TRY(table_need(population, keys.at[k]->name, &other, run->work.error));
        TRY(joint_codes(&run->work, keys.at[k], other, 0, 0, &joint));
        NEW(&run->work, at, n + N + 1);
        for (int64_t i = 0; i < n; i++) at[i] = joint.at[0][i];
        for (int64_t i = 0; i < N; i++) at[n + i] = joint.at[1][i];
        out[k] = (Codes){ .count = joint.count, .at = at };
        if (rule != WILDCARD) TRY(add_reasons(run, keys.at[k], other, &out[k], at));
    }
done:
    return status;
}

/* The same tuples with the counts of one table. */
static Status tuples_of(Run *run, const Codes *codes, int64_t keys, const Grouping *groups, Tuples *out) {
    Status status = OK;
    *out = (Tuples){ .count = groups->count, .keys = keys };
    NEW(&run->work, out->code, keys + 1);
    NEW(&run->work, out->values, keys + 1);
    NEW(&run->work, out->lacks, groups->count + 1);
    for (int64_t k = 0; k < keys; k++) {
        NEW(&run->work, out->code[k], groups->count + 1);
        out->values[k] = codes[k].count;
        for (int64_t g = 0; g < groups->count; g++) {
            int32_t code = codes[k].at[groups->first[g]];
            out->code[k][g] = code < 0 ? 0 : code;
            if (code < 0) out->lacks[g] |= UINT64_C(1) << k;
        }
    }
done:
    return status;
}

static Status agreeing(Run *run, Tuples *tuples, int64_t *own, const int64_t **out) {
    Status status = OK;
    int64_t *f = NULL;
    NEW(&run->work, f, tuples->count + 1);
    tuples->size = own;
    uint64_t all = tuples->keys == TUPLE_KEYS ? UINT64_MAX : (UINT64_C(1) << tuples->keys) - 1;
    TRY(wildcard_frequencies(&run->work, tuples, all, true, f, NULL));
    *out = f;
done:
    return status;
}

Status population_match(Run *run, const Table *data, Columns keys, const Table *population, MissingRule rule, PopulationMatch *out) {
    Status status = OK;
    Codes *codes = NULL;
    Grouping groups;
    Tuples tuples;
    int64_t *own_f = NULL, *own_F = NULL;
    if (keys.count > TUPLE_KEYS) TRY(fail(run->work.error, BAD, "at most %d keys can be compared with a population", TUPLE_KEYS));
    NEW(&run->work, codes, keys.count + 1);
    TRY(stack(run, data, keys, population, rule, codes));
    TRY(group_codes(&run->work, codes, keys.count, data->rows + population->rows, &groups));
    NEW(&run->work, own_f, groups.count + 1);
    NEW(&run->work, own_F, groups.count + 1);
    for (int64_t i = 0; i < data->rows; i++) own_f[groups.of[i]] += work_times(&run->work, i);
    for (int64_t i = 0; i < population->rows; i++) own_F[groups.of[data->rows + i]]++;
    *out = (PopulationMatch){ .rows = data->rows,
                              .count = groups.count,
                              .of = groups.of,
                              .own_f = own_f,
                              .own_F = own_F,
                              .f = own_f,
                              .F = own_F };
    if (rule == CATEGORY_RULE) return OK;
    TRY(tuples_of(run, codes, keys.count, &groups, &tuples));
    TRY(agreeing(run, &tuples, own_f, &out->f));
    TRY(agreeing(run, &tuples, own_F, &out->F));
done:
    return status;
}

Status sampling_fraction(Run *run, const Table *data, double given, const Column *weight, const Table *population, double *out) {
    Status status = OK;
    double total = 0, records = (double)work_records(&run->work, data->rows);
    *out = given;
    if (isnan(given) && population) *out = population->rows ? fmin(1, records / (double)population->rows) : NAN;
    else if (isnan(given) && weight) {
        TRY(weights_total(&run->work, weight, &total));
        *out = total > 0 ? fmin(1, records / total) : NAN;
    }
    if (!isnan(*out) && *out > 0) return OK;
    fail(run->work.error, BAD, "the sampling fraction is not known");
    error_advice(run->work.error, "Give --sampling-fraction or --weight.");
    return error_parameter(run->work.error, "sampling-fraction");
done:
    return status;
}
