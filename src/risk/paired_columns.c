/* An original and its release, record by record. */
#include "risk/paired_columns.h"
#include "classes/joint_codes.h"
#include "table/measurement_level.h"

static Status same_length(Run *run, const Table *original, const Table *released) {
    if (original->rows != released->rows) {
        fail(run->work.error, BAD, "the tables have %lld and %lld records, and are compared record by record", (long long)original->rows,
             (long long)released->rows);
        error_advice(run->work.error, "Record i of the release must stem from record i of the original.");
        return error_file(run->work.error, released->name);
    }
    if (!table_places(released)) return table_need_places(released, run->work.error);
    return original->rows ? OK : fail(run->work.error, BAD, "the tables are empty");
}

Status leave_out(Run *run, const Column *original, const Column *released, const Table *from) {
    const char *holds = type_values(column_numeric(original) ? released->type : original->type);
    if (!args_find(run->given, "vars")) {
        result_note(run->result, "%s is left out: it holds %s in the %s.", original->name, holds,
                    column_numeric(original) ? "release" : "original");
        return OK;
    }
    fail(run->work.error, BAD, "needs numbers in both tables, and this column holds %s in one of them", holds);
    error_column(run->work.error, original->name);
    return error_file(run->work.error, from->name);
}

Status pair_columns(Run *run, const Table *original, const Table *released, Columns vars, bool numeric, PairColumns *out) {
    Status status = OK;
    const char **names = NULL;
    const char *codes = NULL;
    int64_t count = 0;
    *out = (PairColumns){ 0 };
    TRY(same_length(run, original, released));
    TRY(common_columns(&run->work, original, released, vars, &names, &count));
    NEW(&run->work, out->original.at, count + 1);
    NEW(&run->work, out->released.at, count + 1);
    for (int64_t j = 0; j < count; j++) {
        const Column *a = table_column(original, names[j]), *b = table_column(released, names[j]);
        if (numeric && !(column_numeric(a) && column_numeric(b))) {
            if (vars.count) TRY(leave_out(run, a, b, column_numeric(a) ? released : original));
            continue;
        }
        if (numeric && !vars.count && column_is_codes(a)) {
            codes = codes ? arena_print(run->work.arena, "%s, %s", codes, a->name) : a->name;
            continue;
        }
        out->original.at[out->original.count++] = a;
        out->released.at[out->released.count++] = b;
    }
    if (codes) result_note(run->result, "Left out, because their values are codes (see inspect): %s.", codes);
    if (!out->original.count) TRY(fail(run->work.error, BAD, "the tables have no column of numbers in common"));
done:
    return status;
}

Status columns_reals(Work *work, Columns columns, const double ***out) {
    Status status = OK;
    NEW(work, *out, columns.count + 1);
    for (int64_t j = 0; j < columns.count; j++) TRY(column_reals(work, columns.at[j], &(*out)[j]));
done:
    return status;
}
