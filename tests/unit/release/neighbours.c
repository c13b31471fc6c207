/* Neighbours enumerated: tables of a few records of a small domain, every record replaced by every other (or taken out), and persons of
 * several records. Whatever is released, one person moves the numbers that get noise by no more than the noise was made for; all else
 * (measures, grids, scales, sentences) is the same; and the measures together cost no more than was promised. */
#include "base/random.h"
#include "math/privacy/partition_selection.h"
#include "methods.h"
#include "math/exponential_mechanism.h"
#include "release/query/query.h"

static const char *const queries[] = {
    "count()",
    "count() where s == 1",
    "sum(x)",
    "mean(x)",
    "variance(x)",
    "sd(x)",
    "mean(x); variance(x); sd(x)",
    "covariance(x, y)",
    "correlation(x, y)",
    "moment(x, 3)",
    "median(x)",
    "quantile(x, 0.25)",
    "winsorized(x, 0.2)",
    "trimmed(x, 0.2)",
    "histogram(g)",
    "histogram(x, 3)",
    "mean(x) by g",
    "median(y) by g",
    "count() by g; sum(y) by g [3]",
    "roc(x, s, 2)",
    "chisq(g, h)",
    "regression(y, x)",
    "regression(x, y, s)",
    "logistic(s, x, y)",
    "tree(y, 2)",
    "mean(y)",
    "variance(y)",
    "mean(y) where s == 1; median(y) where x > 0",
    "correlation(y, s)",
    "sum(y) where x > 0 [2]; count() [1]",
};
static const char schema_replace[] = "unit: replace-one\ncolumns:\n  x: {type: integer, bounds: [0, 4], missing: possible}\n  y: {type: "
                                     "real, bounds: [-1, 3]}\n  s: {type: integer, bounds: [0, 1]}\n  g: {categories: [a, b]}\n"
                                     "  h: {categories: [u, v], missing: possible}\n";
static const char *const xs[] = { "0", "1", "4", "9", "", "odd" }, *const ys[] = { "-1", "3", "0.3" }, *const ss[] = { "0", "1" },
                         *const gs[] = { "a", "b" }, *const hs[] = { "u", "v", "z" };
enum { DOMAIN = 12 };

static RandomReader reader;
static int below(int n) { return (int)(n * reader_uniform(&reader)); }
static void any_record(char *out, size_t size, const char *person) {
    snprintf(out, size, "%s,%s,%s,%s,%s,%s\n", person, xs[below(6)], ys[below(3)], ss[below(2)], gs[below(2)], hs[below(3)]);
}

typedef struct Made {
    Arena *arena;
    Error error;
    Result *result;
    Session session;
    Run run;
    ReleaseArgs args;
    Plan plan;
    Table *seen;
} Made;

static void make(Made *m, const char *text, const char *schema, const char *query, bool gaussian, int group) {
    const Schema *declared;
    *m = (Made){ .arena = arena_new(),
                 .error = ERROR_NONE,
                 .result = result_new("release.query"),
                 .session = { .seed = seed_from_number(1), .threads = 1 } };
    m->run = (Run){ .work = { .arena = m->arena, .error = &m->error, .threads = 1 },
                    .method = method_find("release", "query"),
                    .result = m->result,
                    .session = &m->session };
    assert_int_equal(schema_parse(&m->run.work, "schema", schema, strlen(schema), &declared), OK);
    assert_int_equal(schema_apply(&m->run.work, declared, table_from("data", text), &m->seen), OK);
    m->args = (ReleaseArgs){ .data = m->seen,
                             .schema = declared,
                             .query = query,
                             .max_records = 1,
                             .group = group,
                             .worlds = ABSENT,
                             .known = ABSENT,
                             .epsilon = gaussian ? NAN : 1,
                             .delta = NAN,
                             .zcdp = gaussian ? 0.5 : NAN,
                             .gdp = NAN,
                             .auc = NAN,
                             .prior = NAN,
                             .identifiability = NAN,
                             .no_ledger = true,
                             .insecure_reproducible = true }; /* the records of each person that count are drawn alike in both tables */
    if (plan_make(&m->plan, &m->run, &m->args)) fail_msg("%s: %s", query, m->error.message);
    for (int64_t b = 1; b < m->plan.measures; b++) { /* the information at coefficients that are the same for both */
        Measure *measure = &m->plan.measure[b];
        if (!measure->logistic || measure->choice) continue;
        for (int64_t i = 0; i < m->plan.measure[b - 1].count; i++)
            m->plan.measure[b - 1].value[i] = (Wide)((i - 1) / m->plan.measure[b - 1].step);
        fill_information(&m->plan.measure[b - 1], measure);
    }
}

static void unmake(Made *m) {
    plan_free(&m->plan);
    table_release(m->seen);
    result_free(m->result);
    arena_free(m->arena);
}

/* The largest difference of the losses of any place, summed over groups. */
static uint64_t choice_moves(const Measure *a, const Measure *b) {
    uint64_t sum = 0;
    for (int64_t g = 0; g < a->count; g++) {
        uint64_t most = 0;
        for (int64_t probe = 0; probe <= 64; probe++) {
            int64_t place = a->last < 64 ? (probe <= a->last ? probe : a->last) : a->last / 64 * probe;
            uint64_t loss[2];
            const Measure *both[] = { a, b };
            for (int k = 0; k < 2; k++) {
                int64_t under = 0, over = 0, m = both[k]->place_count[g];
                for (int64_t i = 0; i < m; i++) {
                    under += both[k]->places[g][i] < place;
                    over += both[k]->places[g][i] > place;
                }
                loss[k] = quantile_loss(under, over, m, a->number);
            }
            uint64_t moved = loss[0] > loss[1] ? loss[0] - loss[1] : loss[1] - loss[0];
            if (moved > most) most = moved;
        }
        sum += most;
    }
    return sum;
}

static void compare(const Made *one, const Made *other, const char *query, const char *what) {
    const Plan *p = &one->plan, *q = &other->plan;
    assert_int_equal(p->measures, q->measures);
    assert_int_equal(p->answers, q->answers);
    assert_string_equal(p->sentence, q->sentence);
    double epsilon = 0, rho = 0;
    for (int64_t k = 0; k < p->measures; k++) {
        const Measure *a = &p->measure[k], *b = &q->measure[k];
        bool same = a->count == b->count && a->exponent == b->exponent && a->l1 == b->l1 && a->l2_squared == b->l2_squared &&
                    a->exact == b->exact && a->scale_num == b->scale_num && a->scale_den == b->scale_den && a->divisor == b->divisor &&
                    a->last == b->last && !mpz_cmp(a->variance, b->variance) &&
                    (a->scale == b->scale || (isnan(a->scale) && isnan(b->scale))) && a->step == b->step && a->first == b->first;
        if (!same) fail_msg("%s (%s): measure %d shows which table it is", query, what, (int)k);
        unsigned __int128 l1 = 0, l2 = 0;
        for (int64_t i = 0; i < a->count && !(a->choice && a->logistic); i++) {
            Wide d = a->value[i] - b->value[i];
            unsigned __int128 size = d < 0 ? (unsigned __int128)-d : (unsigned __int128)d;
            l1 += size;
            l2 += size * size;
        }
        if (by_rank(a)) l1 = choice_moves(a, b);
        bool kept = a->exact ? !l1 : p->noise == DISCRETE_LAPLACE_NOISE || a->choice ? l1 <= a->l1 : l2 <= a->l2_squared;
        if (!kept)
            fail_msg("%s (%s): measure %d (%s) moves by %g, and is said to by %g", query, what, (int)k, a->part, (double)l1, (double)a->l1);
        if (a->exact) continue;
        epsilon += a->epsilon;
        rho += a->choice ? a->epsilon * a->epsilon / (by_rank(a) ? 8 : 2) : a->noncentrality;
    }
    assert_true(p->noise == DISCRETE_LAPLACE_NOISE ? epsilon <= 1 + 1e-9 : rho <= 0.5 * (1 + 1e-9));
}

/* Every record by every other, beside the same three others; under add-remove each against none. */
static void records(bool add_remove) {
    char schema[512], context[256], text[2048], record[DOMAIN][64];
    Made made[DOMAIN + 1];
    snprintf(schema, sizeof schema, "%s%s", add_remove ? "unit: add-remove" : "unit: replace-one", strchr(schema_replace, '\n'));
    for (size_t k = 0; k < sizeof queries / sizeof *queries; k++)
        for (int turn = 0; turn < 4; turn++) {
            size_t at = (size_t)snprintf(context, sizeof context, "id,x,y,s,g,h\n");
            int others = turn == 3 ? 1 : 3;
            for (int i = 0; i < others; i++) {
                any_record(context + at, sizeof context - at, "p");
                at += strlen(context + at);
            }
            for (int i = 0; i < DOMAIN; i++) {
                any_record(record[i], sizeof record[i], "p");
                snprintf(text, sizeof text, "%s%s", context, record[i]);
                make(&made[i], text, schema, queries[k], turn & 1, 1);
            }
            if (add_remove) make(&made[DOMAIN], context, schema, queries[k], turn & 1, 1);
            for (int i = 0; i < DOMAIN; i++)
                for (int j = add_remove ? DOMAIN : i + 1; j < (add_remove ? DOMAIN + 1 : DOMAIN); j++) {
                    snprintf(text, sizeof text, "%.60s / %.60s", record[i], j < DOMAIN ? record[j] : "none");
                    compare(&made[i], &made[j], queries[k], text);
                }
            for (int i = 0; i < DOMAIN + add_remove; i++) unmake(&made[i]);
        }
}

static void replaced(void **state) {
    (void)state;
    records(false);
}
static void removed(void **state) {
    (void)state;
    records(true);
}

/* One person's up to four records, of which two count, replaced by others or taken out; the order of rows kept. Two such persons where the
 * promise is for groups of two. */
static void persons(void **state) {
    (void)state;
    char schema[512], text[2][1024];
    for (int turn = 0; turn < 480; turn++) {
        bool add_remove = turn & 1;
        int group = 1 + (turn >> 1 & 1);
        const char *query = queries[(size_t)turn / 4 % (sizeof queries / sizeof *queries)];
        Made made[2];
        size_t at[2];
        snprintf(schema, sizeof schema, "%s\nperson: id\nmax-records: 2%s", add_remove ? "unit: add-remove" : "unit: replace-one",
                 strchr(schema_replace, '\n'));
        for (int k = 0; k < 2; k++) at[k] = (size_t)snprintf(text[k], sizeof text[k], "id,x,y,s,g,h\n");
        for (int i = 0; i < 9; i++) {
            int who = below(4); /* 0 and, in groups, 1 are those who change */
            const char *const names[] = { "9007199254740993", "12", "c", "7.50" };
            char line[64];
            any_record(line, sizeof line, names[who]);
            for (int k = 0; k < 2; k++) {
                if (k && who < group && (add_remove || below(4) == 0)) continue;
                if (k && who < group) any_record(line, sizeof line, names[who]);
                at[k] += (size_t)snprintf(text[k] + at[k], sizeof text[k] - at[k], "%s", line);
            }
        }
        for (int k = 0; k < 2; k++) {
            if (at[k] < 20) at[k] += (size_t)snprintf(text[k] + at[k], sizeof text[k] - at[k], "c,1,1,1,a,u\n");
            make(&made[k], text[k], schema, query, turn >> 2 & 1, group);
        }
        compare(&made[0], &made[1], query, add_remove ? "a person taken out" : "a person replaced");
        for (int k = 0; k < 2; k++) unmake(&made[k]);
    }
}

/* Private keys by the optimal rule: a key that n people have against one that a whole group more have, at what one key may cost; as zCDP
 * for one person, by the divergences themselves. */
static void private_keys(void **state) {
    (void)state;
    for (int turn = 0; turn < 24; turn++) {
        int group = 1 + turn % 4, sum;
        double e, d, most = 0;
        Made m = { .arena = arena_new(),
                   .error = ERROR_NONE,
                   .result = result_new("release.query"),
                   .session = { .seed = seed_from_number(1), .threads = 1 } };
        m.run = (Run){ .work = { .arena = m.arena, .error = &m.error, .threads = 1 },
                       .method = method_find("release", "query"),
                       .result = m.result,
                       .session = &m.session };
        m.args = (ReleaseArgs){ .data = table_from("data", "k\na\nb\na\n"),
                                .query = "count() by k",
                                .unit = ADD_REMOVE,
                                .max_records = 1,
                                .group = group,
                                .worlds = ABSENT,
                                .known = ABSENT,
                                .epsilon = turn < 12 ? 1 + turn : NAN,
                                .delta = turn % 3 ? 0.01 : 1e-6,
                                .zcdp = turn < 12 ? NAN : 0.05 * turn,
                                .gdp = NAN,
                                .auc = NAN,
                                .prior = NAN,
                                .identifiability = NAN,
                                .select = 1,
                                .no_ledger = true };
        if (plan_make(&m.plan, &m.run, &m.args)) fail_msg("%s", m.error.message);
        const Measure *b = &m.plan.measure[0];
        assert_true(b->select);
        selection_each(&m.plan, b, &e, &d);
        double whole = m.plan.threshold_delta, factor = exp(b->epsilon);
        for (sum = 0; sum < 300; sum++) {
            double few = selection_probability(e, d, sum), many = selection_probability(e, d, sum + group);
            assert_true(many <= factor * few + whole && 1 - few <= factor * (1 - many) + whole);
            most = fmax(most, many - factor * few);
            double kl = few > 0 && many < 1 ? many * log(many / few) + (1 - many) * log((1 - many) / (1 - few))
                                            : 0; /* ρ bounds it where δ is next to nothing */
            if (turn >= 12 && m.args.delta < 1e-5 && many > 0.01) assert_true(kl <= b->over / (double)b->share * m.args.zcdp * (1 + 1e-3));
        }
        assert_true(most > 0.2 * whole); /* and not by giving everything away */
        unmake(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(replaced), cmocka_unit_test(removed), cmocka_unit_test(persons),
                                        cmocka_unit_test(private_keys) };
    Seed seed = seed_from_number(77);
    RandomStream stream = stream_make(&seed, "test", 0, "neighbours", "");
    reader = reader_make(&stream);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
