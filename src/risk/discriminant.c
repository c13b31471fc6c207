/* Matching by discriminant analysis (Paass 1988): which released record an outside record belongs to, knowing how large errors are, and how
 * surely. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/moments.h"
#include "math/neighbours/neighbours.h"
#include "math/proportion.h"
#include "math/special/beta.h"
#include "math/special/gamma.h"
#include "risk/key_subsets.h"
#include "risk/paired_columns.h"
#include "classes/equivalence_class.h"
#include "classes/joint_codes.h"
#include "table/missing_code.h"

typedef struct {
    const Table *released, *additional;
    Columns vars;
    Reals error_sd;
    double error_rate, confidence, plausible;
    const Column *id;
    bool by_keys;
} args;
static const Param params[] = {
    TABLE(args, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, additional, "Additional file of the intruder: people and some of the columns", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, BOTH, "Columns to match on (default: all common columns)", .role = "keys"),
    REALS(args, error_sd, 0, 1e9,
          "Standard deviation of the difference between the two files, in standard deviations of the released column: one for all numbers, "
          "or one for each (default 0.1)",
          .flags = EXCLUSIVE),
    REAL(args, error_rate, 0.05, 0, 1, "Probability that a category differs between the two files", .flags = EXCLUSIVE),
    REAL(args, confidence, 0.95, 0, 1, "Posterior probability above which a record counts as matched"),
    REAL(args, plausible, 0.999, 0, 1,
         "A match must be within this quantile of the error distribution, both of the distance of numbers and of the number of differing "
         "categories"),
    COLUMN(args, id, BOTH, "Column that identifies the record in both files, to count correct matches", .role = "id"),
    BY_KEYS_FLAG(args),
    END,
};
static const Return values[] = {
    VALUE(threatened, REAL, "Share of the additional records matched with a posterior above --confidence, 0 to 1. Smaller is safer",
          .flags = PUBLIC),
    VALUE(lower, REAL, "Lower end of its 95% confidence interval", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of its 95% confidence interval", .flags = PUBLIC),
    VALUE(matched, INTEGER, "Number of these records", .flags = PUBLIC),
    VALUE(threatened_released, REAL, "Share of the released records that are matched", .flags = PUBLIC),
    VALUE(correct, REAL, "Share of the matches that are correct, with --id. Smaller is safer", .flags = PUBLIC),
    VALUE(compared, INTEGER, "Additional records that were compared", .flags = PUBLIC),
    TABLE_OUT(by_keys, BY_KEYS_COLUMNS,
              "With --by-keys: threatened share for intruders who have fewer of the columns, over all subsets of that size",
              .flags = PUBLIC),
    RECORD(linked, REAL, "Degree of linkage with its source: 1, 0, or a share if tied", .of = "additional"),
    RECORD(posterior, REAL, "Posterior probability of its source", .of = "additional"),
    END,
};

/* Both tables as spaces in which −½·measure is the log-likelihood of two records belonging to one person, up to a constant. Numbers first,
 * as the search adds them. */
typedef struct Match {
    Space released, additional;
    int64_t numbers, names;
    const char **name; /* of the columns compared */
    bool *gap;         /* axis → it says which numbers are missing, beside the axis of the numbers */
    const args *a;
    double *posterior;
    double farthest; /* numbers no farther apart than errors make them */
    int64_t most;    /* and no more categories changed */
} Match;

/* A column in both tables, released first, and its missing codes, coded alike: 0 where a value is present. */
typedef struct Twin {
    const Column *column[2];
    double *gap[2];
    int32_t gaps; /* missing codes that occur */
} Twin;

static Status find_gaps(Work *work, Twin *twin) {
    Status status = OK;
    const char **known = NULL;
    for (int t = 0; t < 2; t++) {
        const Column *column = twin->column[t];
        const MissingCodes codes = missing_codes(column);
        int32_t *place = NULL;
        const char **more = NULL;
        NEW(work, twin->gap[t], column->rows + 1);
        if (!column->missing) continue;
        NEW(work, place, codes.count + 1);
        NEW(work, more, twin->gaps + codes.count + 1);
        for (int32_t k = 0; k < twin->gaps; k++) more[k] = known[k];
        known = more;
        for (int64_t i = 0; i < column->rows; i++) {
            char number[33];
            if (!column_missing(column, i)) continue;
            const int32_t code = missing_code(&codes, column, i);
            const char *text = missing_code_text(column, code, number);
            for (int32_t k = 0; k < twin->gaps && !place[code]; k++)
                if (!strcmp(known[k], text)) place[code] = k + 1;
            if (!place[code]) {
                if (!(known[twin->gaps] = arena_text(work->arena, text))) TRY(out_of_memory(work->error));
                place[code] = ++twin->gaps;
            }
            twin->gap[t][i] = (double)place[code];
        }
    }
done:
    return status;
}

/* Numbers in units of the error. A missing number is as far from any number as two random values are: 2 standard deviations, squared
 * (docs/missing.md). */
static Status number_axis(Run *run, const args *a, const Twin *twin, double error, Match *m, Axis *r, Axis *o) {
    Status status = OK;
    const double *x[2];
    Moments moments;
    for (int t = 0; t < 2; t++) TRY(column_reals(&run->work, twin->column[t], &x[t]));
    TRY(moments_make(&run->work, x, 1, NULL, a->released->rows, &moments));
    double sd = moments.rows > 1 && moments.covariance[0] > 0 ? sqrt(moments.covariance[0]) : 1;
    for (int t = 0; t < 2; t++) {
        int64_t rows = twin->column[t]->rows;
        double *scaled = NULL, *half = NULL;
        Axis *axis = t ? o : r;
        NEW(&run->work, scaled, rows + 1);
        for (int64_t i = 0; i < rows; i++) {
            scaled[i] = twin->gap[t][i] > 0 ? INFINITY : x[t][i] / (sd * error);
            if (isfinite(scaled[i]) || twin->gap[t][i] > 0) continue;
            fail(run->work.error, BAD, "holds an infinite number, which has no distance from others");
            TRY(error_column(run->work.error, twin->column[t]->name));
        }
        axis[0] = (Axis){ .x = scaled, .gaps = twin->gaps > 0 };
        if (!twin->gaps) continue;
        NEW(&run->work, half, rows + 1);
        for (int64_t i = 0; i < rows; i++) half[i] = 1 / (error * error);
        axis[1] = (Axis){ .x = twin->gap[t], .half = half };
    }
    m->numbers++;
done:
    return status;
}

/* c values, each taken for another with probability ε/(c−1): records that differ are ε/((1−ε)(c−1)) times as likely as records that agree.
 * Each missing code is a value. */
static Status category_axis(Run *run, const args *a, const Twin *twin, Axis *r, Axis *o) {
    Status status = OK;
    JointCodes joint;
    TRY(joint_codes(&run->work, twin->column[0], twin->column[1], 0, 0, &joint));
    const double values = joint.count + twin->gaps;
    double ratio = a->error_rate / ((1 - a->error_rate) * fmax(1, values - 1)), cost = larger(0, -log(ratio));
    for (int t = 0; t < 2; t++) {
        int64_t rows = twin->column[t]->rows;
        double *code = NULL, *half = NULL;
        NEW(&run->work, code, rows + 1);
        NEW(&run->work, half, rows + 1);
        for (int64_t i = 0; i < rows; i++) {
            code[i] = joint.at[t][i] < 0 ? joint.count + twin->gap[t][i] - 1 : (double)joint.at[t][i];
            half[i] = cost;
        }
        *(t ? o : r) = (Axis){ .x = code, .half = half };
    }
done:
    return status;
}

/* The most categories that errors would change, at the same level as the distance of the numbers. */
static int64_t most_changed(double plausible, double rate, int64_t categories) {
    int64_t k = 0;
    while (k < categories && binomial_tails((double)k, (double)categories, rate).lower < plausible) k++;
    return k;
}

static Status match_make(Run *run, const args *a, Match *out) {
    Status status = OK;
    const char **names;
    int64_t count, at = 0;
    Axis *r = NULL, *o = NULL;
    int64_t axes = 0;
    TRY(common_columns(&run->work, a->released, a->additional, a->vars, &names, &count));
    NEW(&run->work, r, 2 * count + 1);
    NEW(&run->work, o, 2 * count + 1);
    NEW(&run->work, out->name, count + 1);
    NEW(&run->work, out->gap, 2 * count + 1);
    for (int nominal = 0; nominal < 2; nominal++)
        for (int64_t j = 0; j < count; j++) {
            const Column *x = table_column(a->released, names[j]), *y = table_column(a->additional, names[j]);
            if (x == a->id || (column_numeric(x) && column_numeric(y)) == nominal) continue;
            if (!nominal && a->error_sd.count > 1 && out->numbers >= a->error_sd.count) {
                fail(run->work.error, BAD, "one number, or one for each numeric column, is needed");
                TRY(error_parameter(run->work.error, "error-sd"));
            }
            double error = a->error_sd.count ? a->error_sd.at[a->error_sd.count > 1 ? out->numbers : 0] : 0.1;
            Twin twin = { .column = { x, y } };
            TRY(find_gaps(&run->work, &twin));
            TRY(nominal ? category_axis(run, a, &twin, &r[axes], &o[axes]) : number_axis(run, a, &twin, error, out, &r[axes], &o[axes]));
            if (!nominal && twin.gaps) out->gap[++axes] = true;
            axes++;
            out->name[at++] = names[j];
        }
    if (a->error_sd.count > 1 && a->error_sd.count != out->numbers) {
        fail(run->work.error, BAD, "one number, or one for each of the %lld numeric columns, is needed", (long long)out->numbers);
        TRY(error_parameter(run->work.error, "error-sd"));
    }
    out->a = a;
    out->names = at;
    double beyond = a->plausible < 1 ? 1 - a->plausible : 1e-15; /* far, yet not everywhere */
    if (out->numbers) TRY(chi_square_quantile((double)out->numbers, 1 - beyond, beyond, &out->farthest, run->work.error));
    out->most = most_changed(a->plausible, a->error_rate, at - out->numbers);
    out->released = (Space){ .metric = EUCLIDEAN, .rows = a->released->rows, .axes = axes, .axis = r };
    out->additional = (Space){ .metric = EUCLIDEAN, .rows = a->additional->rows, .axes = axes, .axis = o };
done:
    return status;
}

static bool near_enough(const Match *m, int64_t query, int64_t row) {
    double sum = 0;
    int64_t changed = 0;
    for (int64_t j = 0; j < m->released.axes; j++) {
        const Axis *one = &m->additional.axis[j], *other = &m->released.axis[j];
        double d = one->x[query] - other->x[row];
        if (!one->half) sum += isfinite(d) ? d * d : 0;
        else if (m->gap[j]) sum += d != 0 ? one->half[query] + other->half[row] : 0;
        else changed += d != 0;
    }
    return sum <= m->farthest && changed <= m->most;
}

typedef struct Counts {
    int64_t compared, matched, released, right;
} Counts;

static Status count_matches(Run *run, const args *a, const Match *m, const int64_t *nearest, double *linked, Counts *out) {
    Status status = OK;
    uint8_t *hit = NULL;
    JointCodes id = { 0 };
    NEW(&run->work, hit, a->released->rows + 1);
    if (a->id) TRY(joint_codes(&run->work, a->id, table_column(a->additional, a->id->name), 0, 0, &id));
    for (int64_t i = 0; i < a->additional->rows; i++) {
        linked[i] = NAN;
        if (isnan(m->posterior[i])) continue;
        out->compared++;
        linked[i] = m->posterior[i] > a->confidence && near_enough(m, i, nearest[i]);
        if (!(linked[i] > 0)) continue;
        out->matched++;
        hit[nearest[i]] = 1;
        if (a->id) out->right += id.at[0][nearest[i]] >= 0 && id.at[0][nearest[i]] == id.at[1][i];
    }
    for (int64_t i = 0; i < a->released->rows; i++) out->released += hit[i];
done:
    return status;
}

static void report(Run *run, const args *a, const Counts *c) {
    Interval interval = wilson_interval((double)c->matched, (double)c->compared);
    if (c->compared) result_real(run->result, "threatened", (double)c->matched / (double)c->compared);
    else result_null(run->result, "threatened", "One of the tables has no records.");
    result_real(run->result, "lower", c->compared ? interval.low : NAN);
    result_real(run->result, "upper", c->compared ? interval.high : NAN);
    result_integer(run->result, "matched", c->matched);
    result_real(run->result, "threatened_released", a->released->rows ? (double)c->released / (double)a->released->rows : NAN);
    if (a->id && c->matched) result_real(run->result, "correct", (double)c->right / (double)c->matched);
    else result_null(run->result, "correct", a->id ? "Nothing was matched." : "Without --id the correct matches are unknown.");
    result_integer(run->result, "compared", c->compared);
    result_note(run->result, "A missing value is compared as a value.");
}

/* Records that are the same on all columns have the same posterior: one of them, the lowest, is searched for and counted for all. */
static Status distinct(Run *run, const Table *table, const Match *m, Classes *out) {
    Status status = OK;
    Columns columns = { 0 };
    NEW(&run->work, columns.at, m->names + 1);
    for (int64_t j = 0; j < m->names; j++) columns.at[columns.count++] = table_column(table, m->name[j]);
    TRY(classes_make_by(&run->work, columns, CATEGORY_RULE, out));
done:
    return status;
}

static Status index_of(Run *run, const Space *space, const Classes *records, Neighbours **out) {
    Status status = OK;
    int64_t *row = NULL;
    NEW(&run->work, row, records->count + 1);
    for (int64_t g = 0; g < records->count; g++) row[g] = records->first[g];
    TRY(neighbours_make(&run->work, space, row, records->count, out));
done:
    return status;
}

/* What each group of equal records of the intruder's has: the nearest released record, and the posterior of it, all released records being
 * equally likely before: 1/Σ exp(−(m − m_least)/2). At the lowest record of each group. */
static Status find_sources(Run *run, const args *a, Match *m, const Classes *known, int64_t *nearest) {
    Status status = OK;
    Classes released;
    Neighbours *from, *in;
    double *measure = NULL, *times = NULL;
    TRY(distinct(run, a->released, m, &released));
    NEW(&run->work, measure, a->additional->rows);
    NEW(&run->work, times, a->released->rows);
    for (int64_t g = 0; g < released.count; g++) times[released.first[g]] = (double)released.size[g];
    TRY(index_of(run, &m->released, &released, &in));
    TRY(index_of(run, &m->additional, known, &from));
    TRY(neighbours_nearest(&run->work, from, in, false, (Nearest){ .row = nearest, .measure = measure }));
    TRY(neighbours_normal_sum(&run->work, from, in, released.count < a->released->rows ? times : NULL, measure, m->posterior));
    for (int64_t g = 0; g < known->count; g++) {
        int64_t i = known->first[g];
        m->posterior[i] = nearest[i] < 0 ? NAN : 1 / fmax(m->posterior[i], 1);
    }
done:
    return status;
}

typedef struct Matching {
    Match m;
    Counts counts;
    double *linked;
} Matching;

static Status match_all(Run *run, const args *a, Matching *out) {
    Status status = OK;
    Match *m = &out->m;
    Classes known;
    int64_t *nearest = NULL, n = a->additional->rows;
    TRY(match_make(run, a, m));
    NEW(&run->work, nearest, n + 1);
    NEW(&run->work, out->linked, n + 1);
    NEW(&run->work, m->posterior, n + 1);
    for (int64_t i = 0; i < n; i++) {
        nearest[i] = -1;
        m->posterior[i] = NAN;
    }
    if (n && a->released->rows) {
        TRY(distinct(run, a->additional, m, &known));
        TRY(find_sources(run, a, m, &known, nearest));
        for (int64_t i = 0; i < n; i++) {
            nearest[i] = nearest[known.first[known.of[i]]];
            m->posterior[i] = m->posterior[known.first[known.of[i]]];
        }
    }
    TRY(count_matches(run, a, m, nearest, out->linked, &out->counts));
done:
    return status;
}

/* ---- By the number of columns ---- */

/* All columns that are matched on, of the released table. */
static Status matched_columns(Run *run, const args *a, Columns *out) {
    Status status = OK;
    const char **names;
    int64_t count;
    TRY(common_columns(&run->work, a->released, a->additional, a->vars, &names, &count));
    *out = (Columns){ 0 };
    NEW(&run->work, out->at, count + 1);
    for (int64_t j = 0; j < count; j++) {
        const Column *column = table_column(a->released, names[j]);
        if (column != a->id) out->at[out->count++] = column;
    }
done:
    return status;
}

/* The columns whose bits are set, each number with its own error. */
static Status threatened_share(Run *run, const void *self, unsigned subset, double *out) {
    Status status = OK;
    const args *a = self;
    args with = *a;
    Run inner = *run;
    Matching found = { 0 };
    const Column *some[MOST_KEYS];
    double error[MOST_KEYS];
    int64_t numbers = 0;
    inner.work.arena = arena_new();
    if (!inner.work.arena) return out_of_memory(run->work.error);
    with.vars = (Columns){ 0, some };
    with.error_sd.count = 0;
    for (int64_t j = 0; j < a->vars.count; j++) {
        bool number = column_numeric(a->vars.at[j]) && column_numeric(table_column(a->additional, a->vars.at[j]->name));
        if (subset >> j & 1) {
            if (number && a->error_sd.count) error[with.error_sd.count++] = a->error_sd.at[a->error_sd.count > 1 ? numbers : 0];
            some[with.vars.count++] = a->vars.at[j];
        }
        numbers += number;
    }
    with.error_sd.at = error;
    TRY(match_all(&inner, &with, &found));
    *out = found.counts.compared ? (double)found.counts.matched / (double)found.counts.compared : 0;
done:
    arena_free(inner.work.arena);
    return status;
}

static Status discriminant_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    args with = *a;
    Matching found = { 0 };
    int64_t n = a->additional->rows;
    TRY(match_all(run, a, &found));
    report(run, a, &found.counts);
    TRY(put_reals(run, "additional", "posterior", found.m.posterior, n));
    TRY(put_reals(run, "additional", "linked", found.linked, n));
    if (!a->by_keys) return OK;
    TRY(matched_columns(run, a, &with.vars));
    TRY(by_number_of_keys(run, with.vars, "Threatened records by number of columns that an intruder has", threatened_share, &with));
done:
    return status;
}

const Method risk_discriminant = {
    .group = "risk",
    .name = "discriminant",
    .summary = "Matching by discriminant analysis: records of an outside file that match released ones",
    .source = "Paass 1988",
    .params = params,
    .size = sizeof(args),
    .traits = IDENTITY | CODES_AS_CATEGORIES,
    .run = discriminant_run,
    .values = values,
    .example = "scrim risk discriminant examples/clinic-released.csv examples/clinic.csv --vars sex,region,education,income,bmi --error-sd "
               "0.2 --id id",
};
