/* Singling out: predicates read off the release that match exactly one original record (Cohen & Nissim 2020). As an intruder can see, only
 * predicates that match exactly one released record are tried (Giomi et al. 2023). */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/proportion.h"
#include "math/order_statistics.h"
#include "math/special/log_gamma.h"
#include "method/method.h"
#include "classes/joint_codes.h"

typedef struct {
    const Table *released, *original, *holdout;
    Texts vars;
    int64_t attempts, columns;
} args;
static const Param params[] = {
    TABLE(args, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, holdout, "Holdout: records of the same population that are not in the original", .flags = REQUIRED | POSITIONAL),
    TEXTS(args, vars, "Columns for the predicates (default: all common columns)"),
    INT(args, attempts, 1000, 1, 1000000,
        "Predicates to try. Random conditions are drawn from released records until so many different ones match exactly one of these"),
    INT(args, columns, 3, 1, 64, "Columns in a predicate"),
    END,
};
static const Return values[] = {
    VALUE(attempts, INTEGER, "Different predicates tried: those that match exactly one released record", .flags = PUBLIC),
    VALUE(singled_out, INTEGER, "Predicates that match exactly one original record. Smaller is safer", .flags = PUBLIC),
    VALUE(rate, REAL, "Share of the tried predicates that match exactly one original record. Smaller is safer", .flags = PUBLIC),
    VALUE(baseline, REAL, "Expected share for as many other people of the population, from the holdout: success by chance",
          .flags = PUBLIC),
    VALUE(gain, REAL, "rate − baseline. 0 = safe", .flags = PUBLIC),
    VALUE(lower, REAL, "Lower end of the 95% confidence interval of the gain", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of the 95% confidence interval of the gain", .flags = PUBLIC),
    END,
};

/* One condition: equal to a code, or a number at or beyond a value, away from the release's median. */
typedef struct Condition {
    int64_t column, side;
    double value;
} Condition; /* side 0: equal, 1: ≥, −1: ≤ */
/* A column in the release, the original and the holdout: numbers as they are, the rest coded alike; NaN = missing. */
typedef struct Shared {
    bool number;
    const double *x[3];
    double median;
} Shared;

static Status coded(Run *run, const Column *released, const Column *other, double **first, double **second) {
    Status status = OK;
    JointCodes codes;
    TRY(joint_codes(&run->work, released, other, 0, 0, &codes));
    NEW(&run->work, *first, released->rows + 1);
    NEW(&run->work, *second, other->rows + 1);
    for (int64_t i = 0; i < released->rows; i++) (*first)[i] = codes.at[0][i] < 0 ? NAN : (double)codes.at[0][i];
    for (int64_t i = 0; i < other->rows; i++) (*second)[i] = codes.at[1][i] < 0 ? NAN : (double)codes.at[1][i];
done:
    return status;
}

static Status median_of(Run *run, const double *x, int64_t rows, double *out) {
    Status status = OK;
    double *copy = NULL;
    int64_t count = 0;
    TRY(work_check(&run->work));
    NEW(&run->work, copy, rows + 1);
    for (int64_t i = 0; i < rows; i++)
        if (!isnan(x[i])) copy[count++] = x[i];
    *out = count ? select_kth(copy, count, count / 2) : NAN;
done:
    arena_drop(run->work.arena, copy);
    return status;
}

static Status share(Run *run, const args *a, const char *name, Shared *out) {
    Status status = OK;
    const Column *column[3];
    const Table *table[] = { a->released, a->original, a->holdout };
    for (int t = 0; t < 3; t++) TRY(table_need(table[t], name, &column[t], run->work.error));
    out->number = column_numeric(column[0]) && column_numeric(column[1]) && column_numeric(column[2]);
    if (out->number) {
        for (int t = 0; t < 3; t++) TRY(column_reals(&run->work, column[t], &out->x[t]));
        TRY(median_of(run, out->x[0], a->released->rows, &out->median));
    } else { /* words of the two tables are coded against the release; the second coding is brought back to the first by the release's own
                cells */
        double *first, *second, *again, *third;
        TRY(coded(run, column[0], column[1], &first, &second));
        TRY(coded(run, column[0], column[2], &again, &third));
        double most = 0;
        for (int64_t i = 0; i < a->released->rows; i++) most = larger(most, isnan(again[i]) ? 0 : again[i]);
        for (int64_t i = 0; i < a->holdout->rows; i++) most = larger(most, isnan(third[i]) ? 0 : third[i]);
        double *back = NULL;
        NEW(&run->work, back, (int64_t)most + 2);
        for (int64_t v = 0; v <= (int64_t)most; v++) back[v] = -1; /* a word that the release lacks matches nothing */
        for (int64_t i = 0; i < a->released->rows; i++)
            if (!isnan(again[i])) back[(int64_t)again[i]] = first[i];
        for (int64_t i = 0; i < a->holdout->rows; i++)
            if (!isnan(third[i])) third[i] = back[(int64_t)third[i]];
        out->x[0] = first;
        out->x[1] = second;
        out->x[2] = third;
    }
done:
    return status;
}

static bool meets(const Condition *c, double x) {
    if (isnan(x)) return false;
    return c->side == 0 ? x == c->value : c->side > 0 ? x >= c->value : x <= c->value;
}

/* How many records of table t match, counted up to `most`; and how many were looked at (may be NULL). */
static int64_t matches(const Shared *shared, int t, int64_t rows, const Condition *conditions, int64_t count, int64_t most,
                       int64_t *looked) {
    int64_t found = 0, i = 0;
    for (; i < rows && found < most; i++) {
        bool all = true;
        for (int64_t j = 0; j < count && all; j++) all = meets(&conditions[j], shared[conditions[j].column].x[t][i]);
        found += all;
    }
    if (looked) *looked = i;
    return found;
}

/* Luck is told by the holdout at the size of the original, since a table twice as large is not singled out as often. Of a larger holdout:
 * the chance that a random subset of `sample` of its rows, of which `found` match, has exactly one match (hypergeometric). */
static double exactly_one(int64_t found, int64_t rows, int64_t sample) {
    if (sample >= rows) return found == 1;
    return exp(log_hypergeometric_term(1, (double)found, (double)(rows - found), (double)sample));
}

/* Of a smaller holdout: matches of a predicate among h records are Poisson with mean h x, and x is Gamma(a, b) over the predicates, by
 * moments: a = m^2/(v - m), b = h m/(v - m), with mean m and variance v of the matches. Given c matches, the chance of exactly one among n
 * records is n (a + c)/(b + h) ((b + h)/(b + h + n))^(a + c + 1); without overdispersion n x e^(-n x), x = m/h. */
typedef struct {
    double mean, variance, holdout, original;
} Luck;

static double lucky(const Luck *l, int64_t found) {
    double more = l->variance - l->mean, n = l->original;
    if (!(l->mean > 0)) return 0;
    if (!(more > 1e-9)) return n * l->mean / l->holdout * exp(-n * l->mean / l->holdout);
    double a = l->mean * l->mean / more + (double)found, b = l->holdout * l->mean / more + l->holdout;
    return n * a / b * pow(b / (b + n), a + 1);
}

/* A random released record, and the conditions that some of its columns give. False where a value is missing. */
static bool draw(RandomReader *reader, const args *a, const Shared *shared, int64_t columns, int64_t wanted, Condition *out) {
    int64_t row = (int64_t)reader_below(reader, (uint64_t)a->released->rows), chosen = 0;
    for (int64_t j = 0; j < columns && chosen < wanted;
         j++) { /* selection sampling: each subset equally likely, in the order of the columns */
        if ((int64_t)reader_below(reader, (uint64_t)(columns - j)) >= wanted - chosen) continue;
        double x = shared[j].x[0][row];
        if (isnan(x)) return false;
        out[chosen++] = (Condition){ j, !shared[j].number ? 0 : x >= shared[j].median ? 1 : -1, x };
    }
    return true;
}

/* Different predicates that match exactly one released record, in the order in which they were drawn, and an index of them. */
typedef struct Predicates {
    const args *a;
    const Shared *shared;
    int64_t columns, wanted, count, draws, slots;
    Condition *at; /* `wanted` for each */
    int64_t *slot;
} Predicates;

static void keep_new(Predicates *p, const Condition *drawn) {
    size_t bytes = (size_t)p->wanted * sizeof *drawn;
    uint64_t hash = 0;
    for (int64_t j = 0; j < p->wanted; j++) {
        uint64_t word;
        memcpy(&word, &drawn[j].value, sizeof word);
        hash = (hash ^ word ^ (uint64_t)(drawn[j].column * 4 + drawn[j].side + 1)) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    int64_t at = (int64_t)(hash & (uint64_t)(p->slots - 1));
    for (; p->slot[at] >= 0; at = (at + 1) & (p->slots - 1))
        if (!memcmp(p->at + p->slot[at] * p->wanted, drawn, bytes)) return;
    memcpy(p->at + p->count * p->wanted, drawn, bytes);
    p->slot[at] = p->count++;
}

typedef struct Batch {
    const Predicates *predicates;
    const Condition *drawn;
    int64_t *found, *looked;
} Batch;

static Status count_released(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Batch *b = self;
    const Predicates *p = b->predicates;
    for (int64_t i = first; i < last; i++)
        b->found[i] = matches(p->shared, 0, p->a->released->rows, b->drawn + i * p->wanted, p->wanted, 2, &b->looked[i]);
    return OK;
}

/* Few predicates of a large table match one record only, so that many are drawn: at most a thousand for each that is asked for, and until so
 * many records were looked at. */
static Status draw_predicates(Run *run, Predicates *p) {
    enum { AT_ONCE = 2048, EACH = 1000 };
    const double most_looked = 4e9;
    Status status = OK;
    double looked = 0;
    Condition *drawn = NULL;
    Batch batch = { .predicates = p };
    RandomStream stream = run_stream(run, NULL, "predicates");
    RandomReader reader = reader_make(&stream);
    for (p->slots = 16; p->slots < 2 * p->a->attempts; p->slots *= 2) {}
    NEW(&run->work, p->slot, p->slots);
    NEW(&run->work, p->at, p->a->attempts * p->wanted);
    NEW(&run->work, drawn, AT_ONCE * p->wanted);
    NEW(&run->work, batch.found, AT_ONCE);
    NEW(&run->work, batch.looked, AT_ONCE);
    batch.drawn = drawn;
    for (int64_t i = 0; i < p->slots; i++) p->slot[i] = -1;
    while (p->count < p->a->attempts && p->draws < p->a->attempts * EACH && looked < most_looked) {
        int64_t count = 0;
        for (int64_t i = 0; i < AT_ONCE; i++) count += draw(&reader, p->a, p->shared, p->columns, p->wanted, drawn + count * p->wanted);
        TRY(parallel_for(&run->work, count, 64, count_released, &batch));
        p->draws += AT_ONCE;
        for (int64_t i = 0; i < count; i++) {
            looked += (double)batch.looked[i];
            if (batch.found[i] == 1 && p->count < p->a->attempts) keep_new(p, drawn + i * p->wanted);
        }
        work_show(&run->work, "predicates", (double)p->count / (double)p->a->attempts);
        TRY(work_check(&run->work));
    }
done:
    return status;
}

typedef struct Count {
    int64_t original, holdout;
} Count;
typedef struct Counting {
    const Predicates *predicates;
    int64_t most;
    Count *found; /* by each predicate */
} Counting;

static Status count_matches(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Counting *c = self;
    const Predicates *p = c->predicates;
    for (int64_t i = first; i < last; i++) {
        const Condition *at = p->at + i * p->wanted;
        c->found[i].original = matches(p->shared, 1, p->a->original->rows, at, p->wanted, c->most, NULL);
        c->found[i].holdout = matches(p->shared, 2, p->a->holdout->rows, at, p->wanted, c->most, NULL);
    }
    return OK;
}

static Status judge(Run *run, const args *a, const Predicates *p) {
    Status status = OK;
    int64_t original = a->original->rows, holdout = a->holdout->rows, hits = 0;
    Luck luck_of = { .holdout = (double)holdout, .original = (double)original };
    double n = (double)p->count, rate = 0, luck = 0, only_now = 0, only_luck = 0;
    Counting counting = { .predicates = p, .most = original == holdout ? 2 : INT64_MAX };
    NEW(&run->work, counting.found, p->count + 1);
    TRY(parallel_for(&run->work, p->count, 4, count_matches, &counting));
    for (int64_t i = 0; i < p->count; i++) {
        double c = (double)counting.found[i].holdout;
        luck_of.mean += c;
        luck_of.variance += c * c;
    }
    luck_of.mean /= fmax(n, 1);
    luck_of.variance = luck_of.variance / fmax(n, 1) - luck_of.mean * luck_of.mean;
    for (int64_t i = 0; i < p->count; i++) {
        int64_t found = counting.found[i].original, other = counting.found[i].holdout;
        double now = found == 1, then = holdout < original ? lucky(&luck_of, other) : exactly_one(other, holdout, original);
        hits += found == 1;
        rate += now;
        luck += then;
        only_now += now * (1 - then);
        only_luck += then * (1 - now);
    }
    Interval gain = paired_interval(only_now, only_luck, n);
    result_integer(run->result, "attempts", p->count);
    result_integer(run->result, "singled_out", hits);
    result_real(run->result, "rate", n > 0 ? rate / n : 0);
    result_real(run->result, "baseline", n > 0 ? luck / n : 0);
    result_real(run->result, "gain", n > 0 ? (rate - luck) / n : 0);
    result_real(run->result, "lower", gain.low);
    result_real(run->result, "upper", gain.high);
    if (p->count < a->attempts)
        result_note(run->result, "%lld random predicates were drawn. %lld different ones of them match exactly one released record.",
                    (long long)p->draws, (long long)p->count);
    if (!holdout) result_note(run->result, "The holdout has no records, so the baseline is unknown.");
    else if (holdout != original)
        result_note(
            run->result,
            "The original has %lld records and the holdout %lld. The baseline is scaled to %lld records of the holdout's population.",
            (long long)original, (long long)holdout, (long long)original);
done:
    return status;
}

static Status singling_out_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    const char **names = NULL;
    Shared *shared = NULL;
    Columns vars = { 0 };
    int64_t columns;
    NEW(&run->work, vars.at, a->vars.count + 1);
    for (int64_t i = 0; i < a->vars.count; i++) TRY(table_need(a->released, a->vars.at[i], &vars.at[vars.count++], run->work.error));
    TRY(common_columns(&run->work, a->released, a->original, vars, &names, &columns));
    if (!a->released->rows) TRY(fail(run->work.error, BAD, "the release has no records from which predicates could be derived"));
    NEW(&run->work, shared, columns + 1);
    for (int64_t j = 0; j < columns; j++) TRY(share(run, a, names[j], &shared[j]));
    Predicates predicates = { .a = a, .shared = shared, .columns = columns, .wanted = a->columns < columns ? a->columns : columns };
    TRY(draw_predicates(run, &predicates));
    TRY(judge(run, a, &predicates));
done:
    return status;
}

const Method attack_singling_out = {
    .group = "attack",
    .name = "singling-out",
    .summary = "Singling-out attack: conditions that exactly one original record satisfies",
    .source = "Cohen & Nissim 2020; Giomi et al. 2023",
    .params = params,
    .size = sizeof(args),
    .traits = IDENTITY | RANDOM,
    .run = singling_out_run,
    .values = values,
    .example = "scrim attack singling-out examples/clinic-released.csv examples/clinic.csv examples/clinic-holdout.csv --vars "
               "sex,age,region,education,visits --seed 1",
};
