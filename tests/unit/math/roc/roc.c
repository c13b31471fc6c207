/* ROC curves: areas, thinning, the attack on bags against brute force, smooth curves. */
#include <stdlib.h>
#include <string.h>
#include "math/roc/smooth.h"
#include "tables.h"

static uint64_t lcg_state = 11;
static int below(int n) {
    lcg_state = lcg_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((lcg_state >> 33) % (uint64_t)n);
}

static void areas(void **state) {
    (void)state;
    Work work = tables_work(1);
    RocKnown all;
    RocSteps steps, thin;
    tables_ok(roc_known(&work, (double[]){ 3, 2, 2, 1, NAN, 0 }, (int8_t[]){ 1, 1, 0, 0, 1, -1 }, 6, &all));
    assert_int_equal(all.records, 4);
    assert_int_equal(all.count, 3);
    tables_ok(roc_steps(&work, &all, &steps));
    assert_true(roc_area(&steps) == (2 + 1.5) / 4);
    tables_ok(roc_thin(&work, &steps, 2, &thin));
    assert_int_equal(thin.count, 2);
    assert_true(thin.at[0].positives == 2 && thin.at[0].negatives == 1 && thin.at[1].negatives == 1);
    arena_free(work.arena);
}

/* Every order of every bag, and every placement of the known in it. */
static void brute_bags(const RocSteps *bags, const int *known, int k, int n, double *positive, double *count) {
    *count = 0;
    memset(positive, 0, sizeof *positive * 16);
    for (unsigned labels = 0; labels < 1u << n; labels++) {
        int at = 0;
        bool right = true;
        for (int64_t j = 0; j < bags->count; j++) {
            int ones = 0, size = bags->at[j].positives + bags->at[j].negatives;
            for (int i = 0; i < size; i++) ones += labels >> (at + i) & 1;
            right = right && ones == bags->at[j].positives;
            at += size;
        }
        for (unsigned held = 0; right && held < 1u << n; held++) {
            if (__builtin_popcount(held) != k) continue;
            bool fits = true;
            int next = 0, rank = 0, missing[16];
            for (int i = 0; i < n; i++) {
                int label = labels >> i & 1;
                if (held >> i & 1) fits = fits && known[next++] == label;
                else missing[rank++] = label;
            }
            if (!fits) continue;
            ++*count;
            for (int r = 0; r < rank; r++) positive[r] += missing[r];
        }
    }
}

static void bags_by_brute_force(void **state) {
    (void)state;
    for (int trial = 0; trial < 300; trial++) {
        Work work = tables_work(1);
        int n = 3 + below(6), known[16], k = 0, positives = 0;
        double score[16], held_score[16], positive[16], count;
        int8_t status[16], held[16];
        RocKnown all, part;
        RocSteps steps, bags;
        RocAnswer answer;
        for (int i = 0; i < n; i++) {
            score[i] = n - i;
            status[i] = (int8_t)below(2);
            positives += status[i];
        }
        if (positives && positives < n) {
            for (int i = 0; i < n; i++)
                if (below(2)) {
                    known[k] = status[i];
                    held[k] = status[i];
                    held_score[k++] = score[i];
                }
            tables_ok(roc_known(&work, score, status, n, &all));
            tables_ok(roc_known(&work, held_score, held, k, &part));
            tables_ok(roc_steps(&work, &all, &steps));
            tables_ok(roc_thin(&work, &steps, 1 + below(4), &bags));
            tables_ok(roc_embed_bags(&work, &bags, &part, true, &answer));
            brute_bags(&bags, known, k, n, positive, &count);
            assert_true(fabs(answer.solutions_log10 - log10(count)) < 1e-9);
            for (int r = 0; r < n - k; r++) assert_true(fabs(answer.at[r].positive - positive[r] / count) < 1e-9);
        }
        arena_free(work.arena);
    }
}

static void smooth_curves(void **state) {
    (void)state;
    enum { N = 4000 };
    Work work = tables_work(1);
    double *score = calloc(N, sizeof *score), fpr[3] = { 0.1, 0.5, 0.9 }, tpr[3], again[3];
    int8_t *status = calloc(N, 1);
    Seed seed = seed_from_number(5);
    RandomStream stream = stream_make(&seed, "test", 0, "", "smooth");
    RandomReader reader = reader_make(&stream);
    RocKnown all;
    for (int i = 0; i < N; i++) {
        status[i] = i & 1;
        score[i] = reader_normal(&reader) + 1.5 * (i & 1);
    }
    tables_ok(roc_known(&work, score, status, N, &all));
    for (int kind = ROC_BINORMAL; kind <= ROC_KERNEL; kind++) {
        RocSmooth smooth;
        tables_ok(roc_smooth_make(&work, kind, &all, &smooth));
        roc_smooth_add_all(&smooth, &all);
        roc_smooth_rates(&smooth, fpr, 3, tpr);
        /* Φ(1.5 + Φ⁻¹(x)); the kernel widens both, by a few hundredths */
        assert_true(fabs(tpr[0] - 0.5866) < 0.04 && fabs(tpr[1] - 0.9332) < 0.03 && fabs(tpr[2] - 0.9973) < 0.01);
        assert_true(fabs(roc_smooth_area(&smooth) - 0.8556) < 0.02);
        roc_smooth_add(&smooth, 4, 0, 1);
        roc_smooth_add(&smooth, 4, 0, -1);
        roc_smooth_rates(&smooth, fpr, 3, again);
        for (int k = 0; k < 3; k++) assert_true(fabs(tpr[k] - again[k]) < 1e-12);
    }
    RocSmooth none;
    tables_ok(roc_known(&work, score, status, 2, &all));
    assert_int_equal(roc_smooth_make(&work, ROC_BINORMAL, &all, &none), BAD);
    arena_free(work.arena);
    free(score);
    free(status);
}

/* Of long curves the weights are counted in a corridor, statuses and intervals in the whole band. Thresholds that say nothing have every
 * state counted: the same answers. Gives how many statuses are certain. */
static int64_t check_corridor(const double *score, const int8_t *status, const int8_t *held, int64_t rows) {
    Work work = tables_work(1);
    RocKnown all, known;
    RocSteps steps;
    RocAnswer by[2];
    tables_ok(roc_known(&work, score, status, rows, &all));
    tables_ok(roc_known(&work, score, held, rows, &known));
    tables_ok(roc_steps(&work, &all, &steps));
    tables_ok(roc_embed(&work, &steps, &known, false, &by[0]));
    tables_ok(arena_array(work.arena, steps.count, sizeof *steps.low, &steps.low, work.error));
    tables_ok(arena_array(work.arena, steps.count, sizeof *steps.high, &steps.high, work.error));
    for (int64_t j = 0; j < steps.count; j++) steps.low[j] = -(steps.high[j] = INFINITY);
    tables_ok(roc_embed(&work, &steps, &known, false, &by[1]));
    assert_int_equal(by[0].certain, by[1].certain);
    assert_true(fabs(by[0].solutions_log10 - by[1].solutions_log10) < 1e-9);
    for (int64_t r = 0; r < by[0].missing; r++) {
        const RocMissing *x = &by[0].at[r], *y = &by[1].at[r];
        assert_true(x->may_be_0 == y->may_be_0 && x->may_be_1 == y->may_be_1 && x->lower == y->lower && x->upper == y->upper);
        assert_true(fabs(x->positive - y->positive) < 1e-10);
    }
    arena_free(work.arena);
    return by[0].certain;
}

static void corridors(void **state) {
    (void)state;
    enum { MANY = 5000 };
    static double score[MANY];
    static int8_t status[MANY], held[MANY];
    for (int round = 0; round < 12; round++) {
        for (int i = 0; i < MANY; i++) { /* distinct, and with ties */
            int range = round % 2 ? 1 << 30 : 3 * MANY;
            score[i] = below(range);
            bool late = score[i] > range / 2;
            status[i] = below(10) < (late ? 8 : 3);
            if (round == 6 || round == 7) status[i] = below(1500) > 0; /* some that are far from where they may be, and seldom */
            held[i] = below(10) < (round < 4 || round > 5 ? 2 : late ? 1 : 5) ? status[i] : -1;
        }
        for (int i = 0; round > 7 && i < MANY;
             i++) { /* ties of both so rare that there are 2^400 times as many ways to a group as past it */
            bool tied = i % 1000 > round - 7 && i % 1000 < 4;
            score[i] = tied ? i / 2 * 2 : i;
            status[i] = tied ? i % 2 : below(2);
            held[i] = tied ? (i / 1000 == 2 ? status[i] : -1) : below(10) < 3 ? status[i] : -1;
        }
        check_corridor(score, status, held, MANY);
    }
}

/* Twos of status 0, of which every third is known, and a single record of status 1 among them: an even number of missing records comes
 * before it, so that every other rank is certain. */
static void certain_by_ties(void **state) {
    (void)state;
    enum { MANY = 5001, SINGLE = 2500 };
    static double score[MANY];
    static int8_t status[MANY], held[MANY];
    for (int i = 0; i < MANY; i++) {
        int two = (i - (i > SINGLE)) / 2;
        score[i] = i == SINGLE ? two - 0.5 : two;
        status[i] = i == SINGLE;
        held[i] = i != SINGLE && two % 3 == 0 ? 0 : -1;
    }
    assert_in_range(check_corridor(score, status, held, MANY), 1600, 2500);
}

/* Known records of status 1 in long runs, and none between them: the way of the placements is a staircase, one stair to a stop. */
static void corridor_of_stairs(void **state) {
    (void)state;
    enum { STOPS = 64, RUN = 480, MANY = STOPS * 2 * RUN };
    static double score[MANY];
    static int8_t status[MANY], held[MANY];
    for (int i = 0; i < MANY; i++) {
        score[i] = i;
        status[i] = i / RUN % 2;
        held[i] = status[i] && below(100) >= 3 ? 1 : -1;
    }
    check_corridor(score, status, held, MANY);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(areas),
                                        cmocka_unit_test(corridors),
                                        cmocka_unit_test(certain_by_ties),
                                        cmocka_unit_test(corridor_of_stairs),
                                        cmocka_unit_test(bags_by_brute_force),
                                        cmocka_unit_test(smooth_curves) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
