/* attack.worlds: Lee & Clifton's two examples, the worst response by search, bad input. */
#include "methods.h"

static void known_answers(void **state) {
    (void)state;
    table_from("w", "value\n2.5\n2.75\n4\n");
    run_ok("attack worlds --world-values w --scale 1.125 --response 5.041");
    static const double density[] = { 0.0464399, 0.0579964, 0.1761775 };
    for (int64_t i = 0; i < 3; i++) near(table_value("worlds", "density", i), density[i], 5e-8);
    near(value("confidence"), 0.627829, 1e-6);
    near(value("best_guess"), 4, 0);
    near(value("baseline"), 1 / 3.0, 1e-12);
    near(value("gain"), 0.627829 - 1 / 3.0, 1e-6);
    table_from("known", "x\n1\n3\n");
    table_from("u", "x\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    run_ok("attack worlds known --universe u --query mean(x) --scale 2.128628 --response 2");
    near(value("confidence"), 0.229438, 1e-6);
    near(table_value("worlds", "individual", 0), 2, 0);
    assert_int_equal(result_find_table(last_result, "worlds")->rows, 8);
}

/* No response gives more than worst_confidence, and one gives it. */
static void worst(void **state) {
    (void)state;
    table_from("w", "value\n0\n1\n1.5\n4\n9\n");
    table_from("p", "prior\n0.1\n0.2\n0.3\n0.25\n0.15\n");
    double most = 0, said = 0;
    for (int i = -40; i <= 130; i++) {
        char command[256];
        snprintf(command, sizeof command, "attack worlds --world-values w --priors p --scale 0.8 --response %.1f", i / 10.0);
        run_ok(command);
        most = fmax(most, value("confidence"));
        said = value("worst_confidence");
        near(value("baseline"), 0.3, 0);
    }
    near(most, said, 1e-12);
}

static void queries(void **state) {
    (void)state;
    table_from("known", "x\n1\n3\n4\n");
    table_from("u", "x\n1\n2\n3\n4\n5\n");
    static const struct {
        const char *query;
        double first, second;
    } list[] = { { "sum(x)", 10, 13 },
                 { "median(x)", 2.5, 3.5 },
                 { "'quantile(x, 1)'", 4, 5 },
                 { "sd(x)", 1.2909944487, 1.7078251277 },
                 { "count(x)", 4, 4 } };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char command[256];
        snprintf(command, sizeof command, "attack worlds known --universe u --query %s --scale 1 --response 3", list[i].query);
        run_ok(command);
        near(table_value("worlds", "value", 0), list[i].first, 1e-9);
        near(table_value("worlds", "value", 1), list[i].second, 1e-9);
    }
    run_bad("attack worlds known --universe u --query range(x) --scale 1 --response 3", "mean(x)");
    run_bad("attack worlds known --universe u --query 'quantile(x, 2)' --scale 1 --response 3", "mean(x)");
    run_bad("attack worlds known --universe u --scale 1 --response 3", "query");
    run_bad("attack worlds --scale 1 --response 3", "one of");
    run_bad("attack worlds --world-values u --scale 1 --response 3", "value");
    table_from("odd", "x\n1\n77\n");
    run_bad("attack worlds odd --universe u --query mean(x) --scale 1 --response 3", "not in the universe");
    table_from("w", "value\n1\n2\n");
    table_from("p", "prior\n0.5\n0.4\n");
    run_bad("attack worlds --world-values w --priors p --scale 1 --response 3", "add up");
}

/* Two of five people are not known: ten worlds. Beliefs of worlds and of people by hand; the responses that are tried never give more than the
 * largest over the worlds' values. */
static void several_unknown(void **state) {
    (void)state;
    const double u[5] = { 1, 2, 4, 7, 9 };
    table_from("known", "x\n3\n");
    table_from("u", "x\n1\n2\n3\n4\n7\n9\n");
    double most = 0, said = 0;
    for (int step = -10; step <= 60; step++) {
        char command[200];
        double response = step / 4.0, weight[10], total = 0, person[5] = { 0 };
        snprintf(command, sizeof command, "attack worlds known --universe u --unknown 2 --query mean(x) --scale 0.7 --response %g",
                 response);
        run_ok(command);
        int at = 0;
        for (int i = 0; i < 5; i++)
            for (int j = i + 1; j < 5; j++, at++) total += weight[at] = exp(-fabs(response - (3 + u[i] + u[j]) / 3) / 0.7);
        at = 0;
        for (int i = 0; i < 5; i++)
            for (int j = i + 1; j < 5; j++, at++) {
                near(table_value("worlds", "belief", at), weight[at] / total, 1e-12);
                person[i] += weight[at] / total, person[j] += weight[at] / total;
            }
        for (int i = 0; i < 5; i++) {
            near(table_value("people", "belief", i), person[i], 1e-12);
            near(table_value("people", "prior", i), 0.4, 1e-12);
            most = fmax(most, person[i]);
        }
        near(value("baseline"), 0.1, 1e-12);
        near(value("person_baseline"), 0.4, 1e-12);
        said = value("worst_person_confidence");
    }
    assert_true(most <= said + 1e-12 && said < 1);
    run_ok(
        "attack worlds known --universe u --unknown 2 --query median(x) --mechanism exponential --epsilon 1 --bounds x:1:9 --response 3");
    double sum = 0;
    for (int i = 0; i < 5; i++) sum += table_value("people", "belief", i);
    near(sum, 2, 1e-12);
    run_bad("attack worlds known --universe u --unknown 6 --query mean(x) --scale 1 --response 3", "fewer people");
    run_bad("attack worlds --world-values u --unknown 2 --scale 1 --response 3", "universe");
}

/* A median of three chosen by rank from 1 … 5: the probabilities of 3 by hand, where the losses of 1 … 5 are 0 0 0 1 1 with 2 as the third
 * record, 0 0 0 0 1 with 4, and 0 throughout with 5. */
static void exponential(void **state) {
    (void)state;
    double e = exp(-0.5), chance[] = { 1 / (3 + 2 * e), 1 / (4 + e), 0.2 }, sum = chance[0] + chance[1] + chance[2];
    table_from("known", "x\n1\n3\n");
    table_from("u", "x\n1\n2\n3\n4\n5\n");
    run_ok("attack worlds known --universe u --query median(x) --mechanism exponential --epsilon 1 --bounds x:1:5 --response 3");
    for (int i = 0; i < 3; i++) {
        near(table_value("worlds", "density", i), chance[i], 1e-12);
        near(table_value("worlds", "belief", i), chance[i] / sum, 1e-12);
    }
    assert_true(value("worst_confidence") >= value("confidence"));
    run_bad("attack worlds known --universe u --query mean(x) --mechanism exponential --epsilon 1 --bounds x:1:5 --response 3", "median");
    run_bad("attack worlds known --universe u --query median(x) --mechanism exponential --bounds x:1:5 --response 3", "epsilon");
    run_bad("attack worlds known --universe u --query median(x) --mechanism exponential --epsilon 1 --bounds x:5:1 --response 3", "upper");
    run_bad("attack worlds known --universe u --query mean(x) --response 3", "scale");
}

/* ---- an oracle of its own for the exponential mechanism ---- */

enum { WORLDS = 6, PLACES = 9 };
typedef struct Case {
    int known[4], knows, everyone[WORLDS + 4], all;
    int low, places; /* low, low + 1, … */
    double share, epsilon, prior[WORLDS];
} Case;

/* A record beyond the bounds counts at the nearest of them. */
static int clamped(const Case *c, int x) { return x < c->low ? c->low : x > c->low + c->places - 1 ? c->low + c->places - 1 : x; }

/* Weights of the answers in the world of this individual: records are counted one by one for each answer. The share is the whole number of
 * 2⁻⁵³ that the release takes; in 64 bits of mantissa everything here is exact. */
static void world_weights(const Case *c, int individual, double out[PLACES]) {
    double total = 0;
    const long double share = floorl(ldexpl(c->share, 53)) / 0x1p53L, m = c->knows + 1;
    for (int k = 0; k < c->places; k++) {
        int answer = c->low + k, below = clamped(c, individual)<answer, above = clamped(c, individual)> answer;
        for (int i = 0; i < c->knows; i++) {
            below += clamped(c, c->known[i]) < answer;
            above += clamped(c, c->known[i]) > answer;
        }
        long double loss = fmaxl(0, fmaxl(below - share * m, above - (1 - share) * m));
        total += out[k] = exp(-c->epsilon / 2 * (double)floorl(loss));
    }
    for (int k = 0; k < c->places; k++) out[k] /= total;
}

static void put_tables(const Case *c, const char *priors) {
    char known[128], people[256];
    size_t at = (size_t)snprintf(known, sizeof known, "x\n"), all = (size_t)snprintf(people, sizeof people, "x\n");
    for (int i = 0; i < c->knows; i++) at += (size_t)snprintf(known + at, sizeof known - at, "%d\n", c->known[i]);
    for (int i = 0; i < c->all; i++) all += (size_t)snprintf(people + all, sizeof people - all, "%d\n", c->everyone[i]);
    table_from("known", known);
    table_from("people", people);
    table_from("prior", priors);
}

static void random_case(RandomReader *reader, Case *c) {
    static const double shares[] = { 0, 0.1, 0.25, 0.5, 0.9, 1, 0.3 };
    int worlds = 2 + (int)reader_below(reader, WORLDS - 1);
    *c = (Case){ .knows = 1 + (int)reader_below(reader, 4),
                 .low = (int)reader_below(reader, 3),
                 .places = 2 + (int)reader_below(reader, PLACES - 1),
                 .share = shares[reader_below(reader, sizeof shares / sizeof *shares)],
                 .epsilon = (double)(1 + reader_below(reader, 40)) / 10 };
    for (int i = 0; i < c->knows; i++) c->everyone[c->all++] = c->known[i] = (int)reader_below(reader, 12);
    for (int i = 0; i < worlds; i++) c->everyone[c->all++] = (int)reader_below(reader, 12);
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void against_enumeration(const Case *c) {
    char command[512], priors[256];
    double weight[WORLDS][PLACES], worst = 0;
    int worlds = c->all - c->knows, individual[WORLDS], sum = worlds * (worlds + 1) / 2;
    size_t at = (size_t)snprintf(priors, sizeof priors, "prior\n");
    memcpy(individual, c->everyone + c->knows, sizeof *individual * (size_t)worlds);
    qsort(individual, (size_t)worlds, sizeof *individual, ascending);
    for (int w = 0; w < worlds; w++) {
        at += (size_t)snprintf(priors + at, sizeof priors - at, "%.17g\n", (w + 1.0) / sum);
        world_weights(c, individual[w], weight[w]);
    }
    put_tables(c, priors);
    for (int k = 0; k < c->places; k++) {
        double total = 0;
        for (int w = 0; w < worlds; w++) total += (w + 1.0) / sum * weight[w][k];
        for (int w = 0; w < worlds; w++) worst = fmax(worst, (w + 1.0) / sum * weight[w][k] / total);
    }
    for (int k = 0; k < c->places; k++) {
        double total = 0;
        snprintf(command, sizeof command,
                 "attack worlds known --universe people --query 'quantile(x, %g)' --mechanism exponential --epsilon %g --bounds x:%d:%d "
                 "--priors prior --response %d",
                 c->share, c->epsilon, c->low, c->low + c->places - 1, c->low + k);
        run_ok(command);
        for (int w = 0; w < worlds; w++) total += (w + 1.0) / sum * weight[w][k];
        for (int w = 0; w < worlds; w++) {
            near(table_value("worlds", "individual", w), individual[w], 0);
            near(table_value("worlds", "density", w), weight[w][k], 1e-12);
            near(table_value("worlds", "belief", w), (w + 1.0) / sum * weight[w][k] / total, 1e-12);
        }
        near(value("worst_confidence"), worst, 1e-12);
    }
}

static void exponential_by_enumeration(void **state) {
    (void)state;
    RandomStream stream = { 0 };
    RandomReader reader = reader_make(&stream);
    for (int i = 0; i < 300; i++) {
        Case c;
        random_case(&reader, &c);
        against_enumeration(&c);
    }
    /* nine records above the place of a decile of ten: the share of 2⁻⁵³ decides */
    Case
        edge = { .known = { 5, 5, 5, 5 }, .knows = 4, .everyone = { 5, 5, 5, 5, 5, 9 }, .all = 6, .places = 9, .share = 0.2, .epsilon = 2 };
    against_enumeration(&edge);
}

/* What the attacker takes for the mechanism is the mechanism: 4,000 releases of a decile of ten. By a χ² test with fixed seeds; a right
 * program would fail with fresh seeds once in a thousand times. */
static void exponential_as_released(void **state) {
    (void)state;
    enum { DRAWS = 4000, ANSWERS = 6 };
    int64_t seen[ANSWERS] = { 0 };
    double squares = 0, spare = 0;
    table_from("ten", "x\n1\n1\n2\n2\n3\n3\n4\n4\n5\n9\n");
    table_from("nine", "x\n1\n1\n2\n2\n3\n3\n4\n4\n5\n");
    table_from("people", "x\n0\n1\n1\n2\n2\n3\n3\n4\n4\n5\n9\n");
    for (int i = 0; i < DRAWS; i++) {
        run_ok_seeded((uint64_t)i,
                      "release query ten --query 'quantile(x, 0.1)' --bounds x:0:5 --epsilon 1 --no-ledger --insecure-reproducible");
        seen[(int)table_value("answers", "answer", 0)]++;
    }
    for (int k = 0; k < ANSWERS; k++) {
        char command[256];
        snprintf(command, sizeof command,
                 "attack worlds nine --universe people --query 'quantile(x, 0.1)' --mechanism exponential --epsilon 1 --bounds x:0:5 "
                 "--response %d",
                 k);
        run_ok(command);
        double expected = DRAWS * table_value("worlds", "density", 1); /* the individual 9 */
        squares += pow((double)seen[k] - expected, 2) / expected;
        spare += expected;
    }
    near(spare, DRAWS, 1e-6);
    assert_true(squares < 20.5); /* χ² with 5 degrees of freedom */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),          cmocka_unit_test(worst),       cmocka_unit_test(queries),
        cmocka_unit_test(several_unknown),        cmocka_unit_test(exponential), cmocka_unit_test(exponential_by_enumeration),
        cmocka_unit_test(exponential_as_released)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
