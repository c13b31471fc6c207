/* risk.found: the share of people whom an intruder finds, by what is known of them: their keys, or their numbers. Defined after Gionis,
 * Mazza & Tassa 2008; Spruill 1982: docs/methods/risk-found.md. */
#include "base/elementary.h"
#include "method/method.h"
#include "table/group.h"
#include "table/joint.h"
#include "table/truth.h"

typedef struct {
    const Table *original, *released;
    Columns keys, vars;
    const Column *id;
    bool synthetic;
} args;

static const Param params[] = {
    TABLE(args, original, "The original table", .flags = REQUIRED | POSITIONAL),
    TABLE(args, released, "The released table", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, keys, released, "Quasi-identifiers: the columns an intruder may know"),
    COLUMNS(args, vars, original, "Numbers that another intruder knows exactly", .flags = NUMERIC, .role = "numeric"),
    COLUMN(args, id, BOTH, "Who a record is, in release and original; by position unless named"),
    FLAG(args, synthetic, "No released record is a person's own: who is unique in both tables by the same keys counts as found"),
    END,
};

static const Return values[] = {
    VALUE(found, REAL, "Share of the people whom the better of the two intruders finds", .flags = PUBLIC | LESS),
    VALUE(by_keys, REAL, "Share found by who knows true keys and guesses among the candidates that they leave", .flags = PUBLIC | LESS),
    VALUE(by_numbers, REAL, "Share found by who knows true numbers and takes the nearest released record", .flags = PUBLIC | LESS),
    VALUE(certain, INTEGER, "People who are the only candidate for their true keys", .flags = PUBLIC | LESS),
    VALUE(people, INTEGER, "Records of the release", .flags = PUBLIC),
    RECORD(found, REAL, "Probability that who knows this person's true keys picks this record", .of = "released"),
    END,
};

/* Is this released tuple among the candidates of that true one? */
static bool is_candidate(const Candidates *c, int64_t truth, int32_t tuple) {
    for (int64_t i = c->start[truth]; i < c->start[truth + 1]; i++)
        if (c->node[i] == tuple) return true;
    return false;
}

/* Whoever knows the true keys guesses evenly among their candidates, and is right where the person's own record is one of them. */
static Status find_by_keys(Run *run, const args *a, double *share, int64_t *certain) {
    Status status = OK;
    Truth truth;
    double *found = NULL, sum = 0;
    int64_t rows = a->released->rows;
    NEW(&run->work, found, rows + 1);
    TRY(truth_make(&run->work, a->released, a->keys, a->original, a->id ? a->id->name : NULL, &truth));
    for (int64_t i = 0; i < rows; i++) {
        int64_t t = truth.truth.of[i], count = truth.candidates.count[t];
        if (!count || (!truth.by_set && !is_candidate(&truth.candidates, t, truth.released.of[i])))
            continue; /* not known: taken for their own */
        found[i] = 1 / (double)count;
        *certain += count == 1;
        sum += found[i];
    }
    *share = rows ? sum / (double)rows : NAN;
    TRY(put_reals(run, "released", "found", found, rows));
done:
    return status;
}

/* One key of both tables, one after the other, coded alike. */
static Status stack_codes(Run *run, const args *a, int64_t key, Codes *out) {
    Status status = OK;
    JointCodes joint;
    const Column *was;
    int32_t *at = NULL;
    int64_t before = a->original->rows, after = a->released->rows;
    TRY(table_need(a->original, a->keys.at[key]->name, &was, run->work.error));
    TRY(joint_codes(&run->work, was, a->keys.at[key], 0, 0, &joint));
    NEW(&run->work, at, before + after + 1);
    for (int64_t i = 0; i < before; i++) at[i] = joint.at[0][i];
    for (int64_t i = 0; i < after; i++) at[before + i] = joint.at[1][i];
    *out = (Codes){ .count = joint.count, .at = at };
done:
    return status;
}

/* Synthetic records are nobody's: a person counts as found who alone has these keys in the original, as one record has in the release. */
static Status find_replicated(Run *run, const args *a, double *share, int64_t *certain) {
    Status status = OK;
    Codes *codes = NULL;
    Grouping grouping;
    int64_t *was = NULL, *is = NULL, before = a->original->rows, after = a->released->rows;
    NEW(&run->work, codes, a->keys.count + 1);
    for (int64_t k = 0; k < a->keys.count; k++) TRY(stack_codes(run, a, k, &codes[k]));
    TRY(group_codes(&run->work, codes, a->keys.count, before + after, &grouping));
    NEW(&run->work, was, grouping.count + 1);
    NEW(&run->work, is, grouping.count + 1);
    for (int64_t i = 0; i < before; i++) was[grouping.of[i]]++;
    for (int64_t i = 0; i < after; i++) is[grouping.of[before + i]]++;
    for (int64_t g = 0; g < grouping.count; g++) *certain += was[g] == 1 && is[g] == 1;
    *share = before ? (double)*certain / (double)before : NAN;
done:
    return status;
}

/* The nearest record by risk.linkage, over the numbers that are still numbers. */
static Status find_by_numbers(Run *run, const args *a, double *share) {
    Status status = OK;
    Result *made = NULL;
    const char **names = NULL;
    Table *handle[2] = { (Table *)(uintptr_t)a->original, (Table *)(uintptr_t)a->released };
    int64_t count = 0;
    *share = a->vars.count ? 0 : NAN;
    NEW(&run->work, names, a->vars.count + 1);
    for (int64_t i = 0; i < a->vars.count; i++) {
        const Column *now = table_column(a->released, a->vars.at[i]->name);
        if (now && column_numeric(now) && now->missing < now->rows) names[count++] = now->name;
    }
    if (!count || a->original->rows != a->released->rows || !a->released->rows) return OK;
    const Arg list[] = { { .name = "original", .count = 1, .tables = &handle[0] },
                         { .name = "released", .count = 1, .tables = &handle[1] },
                         { .name = "vars", .count = count, .items = names } };
    TRY(run_method(run, "risk.linkage", &(Args){ 3, list }, &made));
    *share = result_number(made, "linked") / (double)a->released->rows;
done:
    result_free(made);
    return status;
}

static Status found_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    double keys = NAN, numbers = NAN;
    int64_t certain = 0;
    if (!a->keys.count && !a->vars.count) {
        fail(run->work.error, BAD, "an intruder who knows neither keys nor numbers finds nobody");
        return error_advice(run->work.error, "Give --keys, --vars or both.");
    }
    if (a->keys.count && a->synthetic) TRY(find_replicated(run, a, &keys, &certain));
    else if (a->keys.count) TRY(find_by_keys(run, a, &keys, &certain));
    if (!a->synthetic) TRY(find_by_numbers(run, a, &numbers));
    result_real(run->result, "found", fmax(keys, numbers)); /* fmax passes over what there is not */
    result_real(run->result, "by_keys", keys);
    result_real(run->result, "by_numbers", numbers);
    result_integer(run->result, "certain", certain);
    result_integer(run->result, "people", a->released->rows);
done:
    return status;
}

/* As risk.linkage, and a microsecond a record and key. */
static double cost(const void *p) {
    const args *a = p;
    double n = (double)a->released->rows;
    return 1e-6 * n * (double)a->keys.count + (a->vars.count ? 5e-6 * n * fmax(1, (double)a->vars.count / 4) : 0);
}

const Method risk_found = { .group = "risk",
                            .name = "found",
                            .summary = "Say what share of the people an intruder finds, by their keys or by their numbers",
                            .source = "Gionis, Mazza & Tassa 2008; Spruill 1982",
                            .params = params,
                            .size = sizeof(args),
                            .traits = IDENTITY,
                            .run = found_run,
                            .cost = cost,
                            .headline = "-found",
                            .values = values,
                            .example = "scrim risk found examples/clinic.csv examples/clinic-released.csv --keys sex,age,region,education "
                                       "--vars income,visits,cholesterol,bmi" };
