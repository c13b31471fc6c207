/* An audit of the release: many draws from each of two neighbouring tables, for every query and promise, and a lower bound on ε from what
 * is seen. Faults planted on purpose must be caught. `test-statistical-release_audit 1000000 system` is the campaign of `make
 * audit-release`; without arguments it is the short form that `make check` runs. */
#include "math/special/beta.h"
#include "methods.h"
#include "math/privacy/compose.h"
#include "math/privacy/identifiability.h"
#include "release/query/query.h"

static int64_t draws = 100000;
static bool system_bits;

typedef enum { NO_FAULT, NEGATIVE_ZERO, NO_CLAMP, WRONG_SENSITIVITY, FLOAT_SAMPLER } Fault;
typedef struct Case {
    const char *query;
    const char *one, *other; /* the tables, as CSV text: they differ in one record, as far as they can */
    double epsilon, delta, zcdp, gdp, identifiability;
    bool add_remove, smooth;
    Fault fault;
    const char *name;
} Case;

/* One side: the plan, the true numbers, and what draws of it give. */
typedef struct Side {
    Arena *arena;
    Error error;
    Result *result;
    Session session;
    Run run;
    ReleaseArgs args;
    Plan plan;
    Pair bounds[4];
    Wide *true_value;
    double *score, *first;
} Side;

static void side_open(Side *s, const Case *c, const char *text, const char *name) {
    s->arena = arena_new();
    s->error = ERROR_NONE;
    s->result = result_new("release.query");
    s->session = (Session){ .seed = seed_from_number(1), .threads = 1 };
    s->run = (Run){ .work = { .arena = s->arena, .error = &s->error, .threads = 1 },
                    .method = method_find("release", "query"),
                    .result = s->result,
                    .session = &s->session };
    const char *names[] = { "x", "y", "s" };
    for (int i = 0; i < 3; i++) s->bounds[i] = (Pair){ .name = names[i], .number = { 0, i == 2 ? 1 : 10 } };
    s->args = (ReleaseArgs){ .data = table_from(name, text),
                             .query = c->query,
                             .bounds = { 3, s->bounds },
                             .unit = c->add_remove ? ADD_REMOVE : REPLACE_ONE,
                             .max_records = 1,
                             .group = 1,
                             .worlds = ABSENT,
                             .known = ABSENT,
                             .epsilon = c->epsilon ? c->epsilon : NAN,
                             .delta = c->delta ? c->delta : NAN,
                             .zcdp = c->zcdp ? c->zcdp : NAN,
                             .gdp = c->gdp ? c->gdp : NAN,
                             .auc = NAN,
                             .prior = NAN,
                             .identifiability = c->identifiability ? c->identifiability : NAN,
                             .smooth = c->smooth,
                             .no_ledger = true };
    if (c->identifiability) s->args.neighbours = WORLDS;
    if (plan_make(&s->plan, &s->run, &s->args)) fail_msg("%s: %s", c->query, s->error.message);
    int64_t numbers = 0, at = 0;
    for (int64_t b = 0; b < s->plan.measures; b++) numbers += s->plan.measure[b].count;
    s->true_value = calloc((size_t)numbers, sizeof *s->true_value);
    for (int64_t b = 0; b < s->plan.measures; b++)
        for (int64_t i = 0; i < s->plan.measure[b].count; i++) s->true_value[at++] = s->plan.measure[b].value[i];
    s->score = calloc((size_t)draws, sizeof *s->score);
    s->first = calloc((size_t)draws, sizeof *s->first);
}

static void side_close(Side *s) {
    plan_free(&s->plan);
    result_free(s->result);
    arena_free(s->arena);
    free(s->true_value);
    free(s->score);
    free(s->first);
}

/* What the faulty programs would do. */
static void plant(Side *s, Fault fault, bool other) {
    Measure *b = &s->plan.measure[0];
    if (fault == WRONG_SENSITIVITY) b->scale_num /= 2; /* half of what one person can move */
    if (fault == NO_CLAMP && other)
        s->true_value[0] += (Wide)ldexp(30, -b->exponent); /* a record of 40 counts as 40, where the bound is 10 */
}
static Wide zero_twice(RandomBits *bits, uint64_t num, uint64_t den) {
    Wide size;
    do assert_int_equal(draw_discrete_laplace(bits, num, den, &size), OK);
    while (size < 0);
    return bits_coin(bits) ? -size : size; /* −0 is 0: it comes twice as often */
}
static double float_laplace(RandomBits *bits, double scale) {
    double u = word_uniform(bits_word(bits));
    return u < 0.5 ? scale * log(2 * u) : -scale * log(2 * (1 - u));
}

static double spread_of(const Measure *b) {
    return b->scale_num ? (double)b->scale_num / (double)b->scale_den : sqrt(mpz_get_d(b->variance));
}

/* The log likelihood ratio of the other table to the one, by the noise that was promised: the best there is to tell them apart. */
static double log_ratio(const Side *s, const Side *one, const Side *other) {
    double sum = 0;
    int64_t at = 0;
    for (int64_t k = 0; k < s->plan.measures; k++) {
        const Measure *b = &s->plan.measure[k];
        double here = spread_of(&one->plan.measure[k]),
               there = spread_of(&other->plan.measure[k]); /* they differ under smooth sensitivity */
        for (int64_t i = 0; i < b->count; i++, at++) {
            double near = wide_real(b->value[i] - one->true_value[at], 0) / here,
                   far = wide_real(b->value[i] - other->true_value[at], 0) / there;
            if (!b->exact) sum += log(here / there) + (b->scale_num ? fabs(near) - fabs(far) : (near * near - far * far) / 2);
        }
    }
    return sum;
}

static void draw_side(Side *s, const Case *c, const Side *one, const Side *other, RandomBits *bits) {
    for (int64_t d = 0; d < draws; d++) {
        int64_t at = 0;
        for (int64_t k = 0; k < s->plan.measures; k++)
            for (int64_t i = 0; i < s->plan.measure[k].count; i++) s->plan.measure[k].value[i] = s->true_value[at++];
        Measure *b = &s->plan.measure[0];
        if (c->fault == NEGATIVE_ZERO) b->value[0] += zero_twice(bits, b->scale_num, b->scale_den);
        else if (c->fault != FLOAT_SAMPLER) assert_int_equal(draw_noise(&s->plan, bits), OK);
        s->first[d] = c->fault == FLOAT_SAMPLER ? wide_real(b->value[0], b->exponent) + float_laplace(bits, b->scale)
                                                : wide_real(b->value[0], b->exponent);
        s->score[d] = c->fault == FLOAT_SAMPLER || b->choice ? s->first[d] : log_ratio(s, one, other); /* a choice: its place */
    }
}

/* Events: the score beyond a threshold, one value hit exactly, numbers finer than some power of two. */
typedef struct Event {
    enum { ABOVE, BELOW, EQUAL, FINER } kind;
    double at;
} Event;
static bool happens(const Event *e, const Side *s, int64_t d) {
    if (e->kind == ABOVE) return s->score[d] >= e->at;
    if (e->kind == BELOW) return s->score[d] <= e->at;
    if (e->kind == EQUAL) return s->first[d] == e->at;
    double scaled = s->first[d] / e->at;
    return fabs(s->first[d]) < 0.5 && scaled != floor(scaled);
}
static int64_t count(const Event *e, const Side *s, int64_t from, int64_t to) {
    int64_t sum = 0;
    for (int64_t d = from; d < to; d++) sum += happens(e, s, d);
    return sum;
}
/* Clopper & Pearson: p is at least, at most this with confidence 1 − 0.0005 each, 99.9% for the two. */
static double beta_quantile(double p, double a, double b) {
    double low = 0, high = 1;
    for (int turn = 0; turn < 50; turn++) {
        double middle = (low + high) / 2;
        if (beta_tails(a, b, middle, 1 - middle).lower < p) low = middle;
        else high = middle;
    }
    return (low + high) / 2;
}
static double at_least(int64_t k, int64_t n) { return k ? beta_quantile(0.0005, (double)k, (double)(n - k + 1)) : 0; }
static double at_most(int64_t k, int64_t n) { return k < n ? beta_quantile(0.9995, (double)(k + 1), (double)(n - k)) : 1; }
static double epsilon_of(double p, double q, double delta) { return p > delta ? log((p - delta) / q) : 0; }

static int by_value(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static int list_events(const Side *one, const Side *other, Event *list) {
    enum { SAMPLE = 4000 };
    int events = 0;
    double *pool = malloc(2 * SAMPLE * sizeof *pool), *values = malloc(2 * SAMPLE * sizeof *values);
    int64_t step = draws / 2 / SAMPLE;
    for (int64_t i = 0; i < SAMPLE; i++) {
        pool[2 * i] = one->score[i * step], pool[2 * i + 1] = other->score[i * step];
        values[2 * i] = one->first[i * step], values[2 * i + 1] = other->first[i * step];
    }
    qsort(pool, 2 * SAMPLE, sizeof *pool, by_value);
    qsort(values, 2 * SAMPLE, sizeof *values, by_value);
    for (int q = 1; q < 40; q++) {
        double at = pool[2 * SAMPLE * q / 40];
        list[events++] = (Event){ ABOVE, at };
        list[events++] = (Event){ BELOW, at };
    }
    for (int64_t i = 0, run = 1; i + 1 < 2 * SAMPLE && events < 140; i++, run++) /* values that come often */
        if (values[i + 1] != values[i]) {
            if (run > SAMPLE / 40) list[events++] = (Event){ EQUAL, values[i] };
            run = 0;
        }
    for (int j = 40; j <= 60; j += 2) list[events++] = (Event){ FINER, ldexp(1, -j) };
    free(pool);
    free(values);
    return events;
}

/* The best event on the first half of the draws, judged on the second. */
static double lower_bound(const Side *one, const Side *other, double delta) {
    Event list[200], best = { ABOVE, 0 };
    int events = list_events(one, other, list);
    int64_t half = draws / 2;
    double most = -1;
    bool turned = false;
    for (int e = 0; e < events; e++) {
        int64_t a = count(&list[e], one, 0, half), b = count(&list[e], other, 0, half);
        double forth = epsilon_of(at_least(a, half), at_most(b, half), delta),
               back = epsilon_of(at_least(b, half), at_most(a, half), delta);
        if (fmax(forth, back) > most) {
            most = fmax(forth, back);
            best = list[e];
            turned = back > forth;
        }
    }
    int64_t n = draws - half, a = count(&best, turned ? other : one, half, draws), b = count(&best, turned ? one : other, half, draws);
    return epsilon_of(at_least(a, n), at_most(b, n), delta);
}

/* The ε that was promised, at the δ of the audit. */
static double promised(const Case *c, const Plan *plan, double *delta) {
    *delta = c->delta;
    if (c->identifiability) return plan->epsilon;
    if (c->epsilon) return c->epsilon;
    *delta = 0.01;
    Noise normal = { .family = GAUSSIAN_NOISE, .scale = 1, .shift = c->gdp };
    return c->gdp ? noise_epsilon_at(&normal, *delta) : zcdp_epsilon(c->zcdp, *delta);
}

static double audit(const Case *c, uint64_t seed, double *epsilon) {
    Side one = { 0 }, other = { 0 };
    RandomBits bits;
    double delta;
    Seed key = seed_from_number(seed);
    RandomStream stream = stream_make(&key, "audit", 0, c->query, "draws");
    RandomReader reader = reader_make(&stream);
    side_open(&one, c, c->one, "one");
    side_open(&other, c, c->other, "other");
    plant(&one, c->fault, false);
    plant(&other, c->fault, true);
    assert_int_equal(one.plan.measures, other.plan.measures);
    assert_int_equal(system_bits ? random_bits_open(&bits, &last_error) : random_bits_open_reader(&bits, &reader, &last_error), OK);
    draw_side(&one, c, &one, &other, &bits);
    draw_side(&other, c, &one, &other, &bits);
    *epsilon = promised(c, &one.plan, &delta);
    double bound = lower_bound(&one, &other, delta);
    random_bits_close(&bits);
    side_close(&one);
    side_close(&other);
    return bound;
}

#define ZEROS "x,y,s\n0,0,0\n0,0,0\n0,0,0\n0,0,0\n0,0,0\n0,0,0\n0,0,0\n"
#define NEIGHBOURS(a, b) .one = ZEROS a "\n", .other = ZEROS b "\n"
#define STEP(a, b)                                                                                                                         \
    .one = "x,y,s\n0,0,0\n0,0,0\n0,0,0\n" a "\n10,0,0\n10,0,0\n10,0,0\n10,0,0\n",                                                          \
    .other = "x,y,s\n0,0,0\n0,0,0\n0,0,0\n" b "\n10,0,0\n10,0,0\n10,0,0\n10,0,0\n"

static const Case cases[] = {
    { .query = "count() where s == 1", NEIGHBOURS("0,0,1", "0,0,0"), .epsilon = 1 },
    { .query = "count() where s == 1", NEIGHBOURS("0,0,1", "0,0,0"), .epsilon = 0.2, .add_remove = true },
    { .query = "sum(x)", NEIGHBOURS("10,0,0", "0,0,0"), .epsilon = 1 },
    { .query = "mean(x)", NEIGHBOURS("10,0,0", "0,0,0"), .epsilon = 1 },
    { .query = "mean(x)", NEIGHBOURS("10,0,0", "0,0,0"), .epsilon = 0.1 },
    { .query = "variance(x)", NEIGHBOURS("10,0,0", "0,0,0"), .epsilon = 1 },
    { .query = "sd(x)", NEIGHBOURS("10,0,0", "0,0,0"), .epsilon = 1 },
    { .query = "covariance(x, y)", NEIGHBOURS("10,10,0", "0,10,0"), .epsilon = 1 },
    { .query = "moment(x, 3)", NEIGHBOURS("10,0,0", "0,0,0"), .epsilon = 1 },
    { .query = "median(x)", STEP("0,0,0", "10,0,0"), .epsilon = 1 },
    { .query = "quantile(x, 0.5)", STEP("0,0,0", "10,0,0"), .epsilon = 1 },
    { .query = "winsorized(x, 0.2)", STEP("0,0,0", "10,0,0"), .epsilon = 1 },
    { .query = "trimmed(x, 0.25)", STEP("0,0,0", "10,0,0"), .epsilon = 1 },
    { .query = "histogram(s)", NEIGHBOURS("0,0,1", "0,0,0"), .epsilon = 1 },
    { .query = "mean(x) where s == 1", NEIGHBOURS("10,0,1", "0,0,1"), .epsilon = 1 },
    { .query = "mean(x) where s == 1", NEIGHBOURS("10,0,1", "0,0,0"), .epsilon = 1 },
    { .query = "variance(x) where s == 0", NEIGHBOURS("10,0,0", "0,0,1"), .epsilon = 1 },
    { .query = "covariance(x, y) where s == 0", NEIGHBOURS("10,10,0", "0,0,1"), .epsilon = 1 },
    { .query = "median(x) where s == 0", STEP("0,0,0", "10,0,0"), .epsilon = 1 },
    { .query = "mean(x); count() where s == 1", NEIGHBOURS("10,0,1", "0,0,0"), .epsilon = 1 },
    { .query = "mean(x)", NEIGHBOURS("10,0,0", "0,0,0"), .epsilon = 1, .delta = 0.01 },
    { .query = "histogram(s); mean(x)", NEIGHBOURS("10,0,1", "0,0,0"), .epsilon = 1, .delta = 0.01 },
    { .query = "sum(x)", NEIGHBOURS("10,0,0", "0,0,0"), .zcdp = 0.1 },
    { .query = "count() where s == 1", NEIGHBOURS("0,0,1", "0,0,0"), .gdp = 1 },
    { .query = "mean(x)", NEIGHBOURS("10,0,0", "0,0,0"), .identifiability = 0.25 },
    { .query = "median(x)", STEP("0,0,0", "10,0,0"), .identifiability = 0.25 },
    { .query = "median(x)", STEP("0,0,0", "10,0,0"), .epsilon = 1, .delta = 0.01, .smooth = true },
    { .query = "logistic(s, x)", STEP("5,0,1", "5,0,0"), .epsilon = 1 },
};
static const Case faults[] = {
    { .name = "negative zero twice", .query = "count() where s == 1", NEIGHBOURS("0,0,1", "0,0,0"), .epsilon = 1, .fault = NEGATIVE_ZERO },
    { .name = "missing clamp", .query = "sum(x)", NEIGHBOURS("0,0,0", "10,0,0"), .epsilon = 1, .fault = NO_CLAMP },
    { .name = "wrong sensitivity", .query = "mean(x)", NEIGHBOURS("10,0,0", "0,0,0"), .epsilon = 1, .fault = WRONG_SENSITIVITY },
    { .name = "floating-point sampler",
      .query = "count() where s == 1",
      NEIGHBOURS("0,0,1", "0,0,0"),
      .epsilon = 1,
      .fault = FLOAT_SAMPLER },
};

static void keeps_its_promises(void **state) {
    (void)state;
    print_message("%-32s %10s %12s\n", "query", "promised", "at least");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double epsilon, bound = audit(&cases[i], 100 + i, &epsilon);
        print_message("%-32s %10.4f %12.4f\n", cases[i].query, epsilon, bound);
        assert_true(bound <= epsilon);
    }
}

/* The bound is near the promise where one record does all it can: the audit would see a fault. */
static void is_no_blind_judge(void **state) {
    (void)state;
    static const int tight[] = { 0, 2, 3, 5, 6, 7, 8, 12, 13 };
    for (size_t i = 0; i < sizeof tight / sizeof *tight; i++) {
        double epsilon, bound = audit(&cases[tight[i]], 500 + i, &epsilon);
        assert_true(bound > 0.85 * epsilon);
    }
}

static void catches_faults(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        double epsilon, bound = audit(&faults[i], 900 + i, &epsilon);
        print_message("%-32s %10.4f %12.4f\n", faults[i].name, epsilon, bound);
        assert_true(bound > epsilon);
    }
}

/* A key that one person has appears in no more than a share δ of releases (half of the promise's δ is the noise's). */
static void rare_keys_stay_hidden(void **state) {
    (void)state;
    static const struct { double epsilon, zcdp, delta; } promise[] = { { 1, 0, 0.02 }, { 0, 0.1, 0.01 } };
    for (int k = 0; k < 2; k++) {
        Case c = { .query = "count() by g", .epsilon = promise[k].epsilon, .zcdp = promise[k].zcdp, .delta = promise[k].delta };
        Side side = { 0 };
        RandomBits bits;
        int64_t shown = 0;
        Seed key = seed_from_number(77);
        RandomStream stream = stream_make(&key, "audit", 0, "g", "rare");
        RandomReader reader = reader_make(&stream);
        side_open(&side, &c, "g\na\na\na\nrare\n", "keys");
        assert_int_equal(random_bits_open_reader(&bits, &reader, &last_error), OK);
        Measure *b = &side.plan.measure[0];
        double from = plan_threshold(&side.plan, b);
        for (int64_t d = 0; d < draws; d++) {
            for (int i = 0; i < 2; i++) b->value[i] = side.true_value[i];
            assert_int_equal(draw_noise(&side.plan, &bits), OK);
            shown += wide_real(b->value[1], b->exponent) >= from;
        }
        print_message("a key of one: %.5f of releases, promised %.5f\n", (double)shown / (double)draws, side.plan.threshold_delta);
        assert_true(at_least(shown, draws) <= side.plan.threshold_delta && shown > 0);
        random_bits_close(&bits);
        side_close(&side);
    }
}

int main(int argc, char **argv) {
    if (argc > 1) draws = atoll(argv[1]);
    system_bits = argc > 2;
    const struct CMUnitTest tests[] = { cmocka_unit_test(keeps_its_promises), cmocka_unit_test(is_no_blind_judge),
                                        cmocka_unit_test(catches_faults), cmocka_unit_test(rare_keys_stay_hidden) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
