/* The ROC curve attack: the paper's examples, brute force on ten thousand small cases, curves as others write them, errors that name the
 * point. */
#include <gmp.h>
#include "methods.h"
#include "math/distributions.h"
#include "math/roc/roc.h"

typedef struct {
    double score;
    int status;
} Record;

static Table *two_columns(const char *name, const char *a, const double *x, const char *b, const double *y, const char *c, const double *z,
                          int64_t rows) {
    const char *names[] = { a, b, c };
    const double *given[] = { x, y, z };
    Column *made[3];
    Table *table;
    int64_t columns = c ? 3 : 2;
    for (int64_t k = 0; k < columns; k++) {
        assert_int_equal(column_new(REAL_TYPE, names[k], rows, &made[k], &last_error), OK);
        for (int64_t i = 0; i < rows; i++) made[k]->real[i] = given[k][i];
        column_seal(made[k]);
    }
    assert_int_equal(table_new(name, made, columns, rows, &table, &last_error), OK);
    for (int64_t k = 0; k < columns; k++) column_release(made[k]);
    return shelve(name, table);
}

static int descending(const void *x, const void *y) {
    const Record *a = x, *b = y;
    return (a->score < b->score) - (a->score > b->score);
}

/* The curve's points from sorted records, one per distinct score; returns how many. */
static int64_t curve_of(Record *data, int64_t n, double *fpr, double *tpr, double *threshold) {
    int64_t points = 1, tp = 0, fp = 0, P = 0;
    qsort(data, (size_t)n, sizeof *data, descending);
    for (int64_t i = 0; i < n; i++) P += data[i].status;
    fpr[0] = tpr[0] = 0;
    threshold[0] = data[0].score + 1;
    for (int64_t i = 0; i < n; i++) {
        tp += data[i].status;
        fp += !data[i].status;
        if (i + 1 < n && data[i + 1].score == data[i].score) continue;
        fpr[points] = (double)fp / (double)(n - P);
        tpr[points] = (double)tp / (double)P;
        threshold[points++] = data[i].score;
    }
    return points;
}

static void put_curve(Record *data, int64_t n) {
    static double fpr[4096], tpr[4096], threshold[4096];
    int64_t points = curve_of(data, n, fpr, tpr, threshold);
    two_columns("roc", "fpr", fpr, "tpr", tpr, NULL, NULL, points);
}

static void put_known(const Record *data, const bool *held, int64_t n) {
    static double t[4096], d[4096];
    int64_t k = 0;
    for (int64_t i = 0; i < n; i++)
        if (held[i]) {
            t[k] = data[i].score;
            d[k++] = data[i].status;
        }
    two_columns("known", "t", t, "d", d, NULL, NULL, k);
}

static const Record example[] = { { 2.98, 1 }, { 2.71, 1 }, { 1.50, 1 }, { 1.32, 0 }, { 1.05, 0 },
                                  { .61, 1 },  { .53, 0 },  { .51, 1 },  { -.20, 0 }, { -1.85, 0 } };

static void without(double score) {
    Record data[10];
    bool held[10];
    memcpy(data, example, sizeof data);
    put_curve(data, 10);
    for (int i = 0; i < 10; i++) held[i] = data[i].score != score;
    put_known(data, held, 10);
}

static void paper_example_1(void **state) {
    (void)state;
    without(.61);
    run_ok("attack roc roc --known known --score t --status d --n 10");
    assert_true(value("solutions") == 1 && value("missing") == 1 && value("missing_positives") == 1 && value("statuses_certain") == 1 &&
                value("positives") == 5);
    assert_true(table_value("missing", "status", 0) == 1 && table_value("missing", "probability", 0) == 1);
    near(table_value("missing", "lower", 0), .53, 0);
    near(table_value("missing", "upper", 0), 1.05, 0);
    without(2.71);
    run_ok("attack roc roc --known known --score t --status d"); /* every record twice gives the same curve: without n nothing is certain */
    assert_true(value("n") == 10 && value("solutions") == 3 && isnan(value("statuses_certain")) &&
                isnan(table_value("missing", "lower", 0)));
    run_ok("attack roc roc --known known --score t --status d --n 10");
    assert_true(value("solutions") == 3 && value("statuses_certain") == 1);
    near(table_value("missing", "lower", 0), 1.32, 0);
    assert_true(isnan(table_value("missing", "upper", 0)));
}

/* Ten are missing, nine of them of status 1, where one in ten has it: nine times as likely before anybody is placed. */
static void prevalence(void **state) {
    (void)state;
    Record data[14];
    bool held[14];
    for (int i = 0; i < 14; i++) {
        data[i] = (Record){ 14 - i, i < 9 || i == 10 };
        held[i] = i >= 10;
    }
    put_curve(data, 14);
    put_known(data, held, 14);
    run_ok("attack roc roc --known known --score t --status d --n 14 --prevalence 0.1");
    near(value("missing_share"), 0.9, 1e-12);
    near(value("times_prevalence"), 9, 1e-12);
    near(value("all_alike"), 0, 0);
    without(.61);
    run_ok("attack roc roc --known known --score t --status d --n 10");
    near(value("all_alike"), 1, 0);
    run_bad("attack roc roc --known known --score t --status d --n 10 --prevalence 0", "prevalence");
}

/* Small random numbers for cases, apart from the library's own. */
static uint64_t lcg_state;
static int64_t below(int64_t n) {
    lcg_state = lcg_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((lcg_state >> 33) % (uint64_t)n);
}

/* Brute force: each known group on some step, in order; every set of steps is tried. */
typedef struct {
    int a[16], b[16], steps, p[16], q[16], groups;
    double s[16];
    int64_t count;
    double positive[16];
    double lower[16], upper[16];
    int can0[16], can1[16];
} Brute;

static void brute_block(Brute *x, int *rank, int a, int b, double lower, double upper) {
    for (int k = 0; k < a + b; k++, (*rank)++) {
        x->positive[*rank] += (double)a / (a + b);
        x->can1[*rank] |= a > 0;
        x->can0[*rank] |= b > 0;
        x->lower[*rank] = fmin(x->lower[*rank], lower);
        x->upper[*rank] = fmax(x->upper[*rank], upper);
    }
}

static void brute(Brute *x) {
    for (int r = 0; r < 16; r++) {
        x->positive[r] = 0;
        x->can0[r] = x->can1[r] = 0;
        x->lower[r] = INFINITY;
        x->upper[r] = -INFINITY;
    }
    x->count = 0;
    for (unsigned mask = 0; mask < 1u << x->steps; mask++) {
        if (__builtin_popcount(mask) != x->groups) continue;
        bool fits = true;
        for (int j = 0, i = 0; j < x->steps; j++)
            if (mask >> j & 1) {
                fits = fits && x->p[i] <= x->a[j] && x->q[i] <= x->b[j];
                i++;
            }
        if (!fits) continue;
        x->count++;
        for (int j = 0, i = 0, rank = 0; j < x->steps; j++) {
            bool on = mask >> j & 1;
            if (on) {
                brute_block(x, &rank, x->a[j] - x->p[i], x->b[j] - x->q[i], x->s[i], x->s[i]);
                i++;
            } else brute_block(x, &rank, x->a[j], x->b[j], i < x->groups ? x->s[i] : -INFINITY, i ? x->s[i - 1] : INFINITY);
        }
    }
}

static void compare(const Brute *x, int64_t n, int64_t known, int64_t missing_positives) {
    int64_t m = n - known, certain = 0;
    assert_int_equal((int64_t)value("solutions"), x->count);
    near(value("solutions_log10"), log10((double)x->count), 1e-9);
    assert_int_equal((int64_t)value("missing"), m);
    assert_int_equal((int64_t)value("missing_positives"), missing_positives);
    for (int64_t r = 0; r < m; r++) {
        double p = table_value("missing", "probability", r), status = table_value("missing", "status", r);
        near(status == 1 ? p : 1 - p, x->positive[r] / (double)x->count, 1e-12);
        double lower = table_value("missing", "lower", r), upper = table_value("missing", "upper", r);
        assert_true(isinf(x->lower[r]) ? isnan(lower) : lower == x->lower[r]);
        assert_true(isinf(x->upper[r]) ? isnan(upper) : upper == x->upper[r]);
        certain += x->can0[r] != x->can1[r];
    }
    assert_int_equal((int64_t)value("statuses_certain"), certain);
}

static void groups_of(const Record *data, const bool *held, int64_t n, Brute *x) {
    x->steps = x->groups = 0;
    for (int64_t i = 0; i < n; i++) {
        bool fresh = !i || data[i].score != data[i - 1].score;
        if (fresh) {
            x->a[x->steps] = x->b[x->steps] = 0;
            x->steps++;
        }
        x->a[x->steps - 1] += data[i].status;
        x->b[x->steps - 1] += !data[i].status;
        if (!held[i]) continue;
        if (!x->groups || x->s[x->groups - 1] != data[i].score) {
            x->s[x->groups] = data[i].score;
            x->p[x->groups] = x->q[x->groups] = 0;
            x->groups++;
        }
        x->p[x->groups - 1] += data[i].status;
        x->q[x->groups - 1] += !data[i].status;
    }
}

static bool random_case(Record *data, bool *held, int64_t *n, int64_t *known, int64_t *missing_positives, int64_t *positives) {
    *n = 2 + below(11);
    int64_t range = 2 + below(20), keep = below(100);
    *known = *missing_positives = *positives = 0;
    for (int64_t i = 0; i < *n; i++) {
        data[i] = (Record){ (double)below(range), (int)below(2) };
        *positives += data[i].status;
    }
    if (!*positives || *positives == *n) return false;
    qsort(data, (size_t)*n, sizeof *data, descending);
    for (int64_t i = 0; i < *n; i++) {
        held[i] = below(100) < keep;
        *known += held[i];
        *missing_positives += !held[i] && data[i].status;
    }
    return true;
}

static void brute_force(void **state) {
    (void)state;
    Record data[16];
    bool held[16];
    int64_t n, known, missing_positives, positives;
    lcg_state = 20130701;
    for (int done = 0; done < 10000;) {
        if (!random_case(data, held, &n, &known, &missing_positives, &positives)) continue;
        Brute x;
        char command[128];
        groups_of(data, held, n, &x);
        brute(&x);
        put_curve(data, n);
        put_known(data, held, n);
        snprintf(command, sizeof command, "attack roc roc --known known --score t --status d --n %d --positives %d --collinear kept",
                 (int)n, (int)positives);
        run_ok(command);
        compare(&x, n, known, missing_positives);
        done++;
    }
}

/* Points on a straight line dropped: with distinct scores nothing is lost. */
static void collinear_dropped(void **state) {
    (void)state;
    Record data[16];
    bool held[16];
    double fpr[32], tpr[32], threshold[32];
    int64_t n, known, missing_positives, positives;
    lcg_state = 7;
    for (int done = 0; done < 1000;) {
        if (!random_case(data, held, &n, &known, &missing_positives, &positives)) continue;
        for (int64_t i = 0; i < n; i++) data[i].score = (double)(n - i);
        Brute x;
        char command[128];
        groups_of(data, held, n, &x);
        brute(&x);
        int64_t points = curve_of(data, n, fpr, tpr, threshold), kept = 1;
        for (int64_t k = 1; k < points; k++) {
            bool straight =
                k + 1 < points && ((fpr[k + 1] == fpr[k] && fpr[k] == fpr[k - 1]) || (tpr[k + 1] == tpr[k] && tpr[k] == tpr[k - 1]));
            if (!straight) {
                fpr[kept] = fpr[k];
                tpr[kept++] = tpr[k];
            }
        }
        two_columns("roc", "fpr", fpr, "tpr", tpr, NULL, NULL, kept);
        put_known(data, held, n);
        snprintf(command, sizeof command, "attack roc roc --known known --score t --status d --n %d --positives %d", (int)n,
                 (int)positives);
        run_ok(command);
        compare(&x, n, known, missing_positives);
        done++;
    }
}

/* A known tie of two inside a run of which the tie is not seen: it takes two of the run's places, side by side. */
static void ties_in_runs(void **state) {
    (void)state;
    two_columns("roc", "fpr", (double[]){ 0, 0, 1 }, "tpr", (double[]){ 0, 1, 1 }, NULL, NULL, 3);
    two_columns("known", "t", (double[]){ 5, 5, 1 }, "d", (double[]){ 1, 1, 0 }, NULL, NULL, 3);
    run_ok("attack roc roc --known known --score t --status d --n 6 --positives 4 --collinear dropped");
    assert_true(value("solutions") == 6 && value("missing") == 3 && value("statuses_certain") == 3);
    two_columns("roc", "fpr", (double[]){ 0, 0, .5, 1 }, "tpr", (double[]){ 0, .5, .5, 1 }, NULL, NULL, 4);
    two_columns("known", "t", (double[]){ 5, 5, 1 }, "d", (double[]){ 1, 1, 0 }, NULL, NULL, 3);
    run_ok("attack roc roc --known known --score t --status d --n 8 --positives 4 --collinear dropped");
    assert_true(value("solutions") == 3 &&
                value("statuses_certain") ==
                    0); /* both known ties may stand on the diagonal, were it more than collinear points that are missing */
}

/* Example 2's design: every solution set holds the truth, and the missing positives are always exact. */
static void example_2(void **state) {
    (void)state;
    double certain = 0;
    int all = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        Record data[100];
        bool held[100];
        int64_t order[100], missing_positives = 0;
        Seed key = seed_from_number(seed);
        RandomStream stream = stream_make(&key, "test", 0, "", "scores"), shuffle = stream_make(&key, "test", 0, "", "missing");
        RandomReader reader = reader_make(&stream);
        for (int i = 0; i < 100; i++) data[i] = (Record){ reader_normal(&reader) + (i < 50), i < 50 };
        Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
        assert_int_equal(stream_permutation(&work, &shuffle, 100, order), OK);
        arena_free(work.arena);
        put_curve(data, 100);
        for (int i = 0; i < 100; i++) held[order[i]] = i >= 10;
        put_known(data, held, 100);
        for (int i = 0; i < 100; i++) missing_positives += !held[i] && data[i].status;
        run_ok("attack roc roc --known known --score t --status d --n 100");
        assert_true(value("missing") == 10 && value("missing_positives") == (double)missing_positives);
        for (int i = 0, r = 0; i < 100; i++) {
            if (held[i]) continue;
            double p = table_value("missing", "probability", r), lower = table_value("missing", "lower", r),
                   upper = table_value("missing", "upper", r);
            if (p == 1) assert_true(table_value("missing", "status", r) == data[i].status);
            assert_true((isnan(lower) || lower < data[i].score) && (isnan(upper) || data[i].score < upper));
            r++;
        }
        certain += value("statuses_certain");
        all += value("statuses_certain") == 10;
    }
    near(certain / 1000, 8.4, 0.15);
    assert_true(all < 500);
}

/* A real test with many ties: s100b for a poor outcome after subarachnoid haemorrhage, any 20 records withheld. */
static void asah(void **state) {
    (void)state;
    Table *table = table_from_file("asah", "../shared/data/asah.csv");
    const Column *t = table_column(table, "s100b"), *d = table_column(table, "outcome");
    char text[33];
    Record data[113];
    for (uint64_t seed = 1; seed <= 50; seed++) {
        bool held[113];
        int64_t order[113], missing_positives = 0;
        for (int i = 0; i < 113; i++) data[i] = (Record){ column_number(t, i), !strcmp(column_cell(d, i, text), "Poor") };
        Seed key = seed_from_number(seed);
        RandomStream shuffle = stream_make(&key, "test", 0, "", "missing");
        Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
        assert_int_equal(stream_permutation(&work, &shuffle, 113, order), OK);
        arena_free(work.arena);
        put_curve(data, 113);
        for (int i = 0; i < 113; i++) held[order[i]] = i >= 20;
        put_known(data, held, 113);
        for (int i = 0; i < 113; i++) missing_positives += !held[i] && data[i].status;
        run_ok("attack roc roc --known known --score t --status d --n 113");
        assert_true(value("positives") == 41 && value("missing") == 20 && value("missing_positives") == (double)missing_positives);
        for (int i = 0, r = 0; i < 113; i++) {
            if (held[i]) continue;
            double lower = table_value("missing", "lower", r), upper = table_value("missing", "upper", r++);
            assert_true((isnan(lower) || lower <= data[i].score) && (isnan(upper) || data[i].score <= upper));
        }
    }
}

/* Words for statuses, scores turned round, rates in per cent from the other end, thresholds that are the scores or lie between them. */
static void as_others_write(void **state) {
    (void)state;
    without(.61);
    table_from("words", "t,d\n-2.98,ill\n-2.71,ill\n-1.50,ill\n-1.32,well\n-1.05,well\n-.53,well\n-.51,ill\n.20,well\n1.85,well\n");
    run_ok("attack roc roc --known words --score t --status d --n 10 --positive ill --direction lower");
    assert_true(value("solutions") == 1 && table_value("missing", "status", 0) == 1);
    near(table_value("missing", "lower", 0), -1.05, 0);
    near(table_value("missing", "upper", 0), -.53, 0);
    table_from("percent",
               "Sensitivities,Specificities\n100,0\n100,20\n100,40\n80,40\n80,60\n60,60\n60,80\n60,100\n40,100\n20,100\n0,100\n");
    run_ok("attack roc percent --known known --score t --status d");
    assert_true(value("n") == 10 && value("solutions") == 1);
    table_from("scores", "fpr,tpr,threshold\n0,0,inf\n0,.2,2.98\n0,.4,2.71\n0,.6,1.50\n.2,.6,1.32\n.4,.6,1.05\n.4,.8,.61\n.6,.8,.53\n.6,1,."
                         "51\n.8,1,-.20\n1,1,-1.85\n");
    run_ok("attack roc scores --known known --score t --status d --n 10");
    near(table_value("missing", "lower", 0), .61, 0);
    near(table_value("missing", "upper", 0), .61, 0);
    table_from("halfway", "fpr,tpr,threshold\n0,0,Inf\n0,.2,2.845\n0,.4,2.105\n0,.6,1.41\n.2,.6,1.185\n.4,.6,.83\n.4,.8,.57\n.6,.8,.52\n.6,"
                          "1,.155\n.8,1,-1.025\n1,1,-Inf\n");
    run_ok("attack roc halfway --known known --score t --status d --n 10");
    near(table_value("missing", "lower", 0), .61, 1e-12);
    near(table_value("missing", "upper", 0), .61, 1e-12);
}

/* Rounded, and read off a picture with errors. */
static void inexact(void **state) {
    (void)state;
    without(.61);
    table_from("rough", "fpr,tpr\n0,0\n0.01,.22\n0.03,.38\n0.02,.61\n.19,.62\n.41,.6\n.42,.79\n.58,.82\n.61,.97\n.8,1\n1,1\n");
    run_bad("attack roc rough --known known --score t --status d --n 10", "point");
    table_from("rough", "fpr,tpr\n0,0\n0.01,.22\n0.03,.38\n0.03,.61\n.19,.62\n.41,.62\n.42,.79\n.58,.82\n.61,.97\n.8,1\n1,1\n");
    run_ok("attack roc rough --known known --score t --status d --n 10 --tolerance 0.03");
    assert_true(value("solutions") == 1 && value("positives") == 5 && value("staircases") == 1);
    near(value("deviation"), .01 + .02 + .03 + .02 + .03 + .01 + .01 + .02 + .01 + .02 + .02 + .01 + .02 + .02 + .01 + .03, 1e-9);
    run_bad("attack roc rough --known known --score t --status d --tolerance 0.03", "n");
    table_from("beyond", "fpr,tpr\n0.01,-0.01\n-0.01,.21\n0,.39\n-0.02,.61\n.19,.6\n.41,.59\n.4,.79\n.61,.82\n.59,1.01\n.8,1.02\n1.01,."
                         "99\n"); /* over the edges, and falling here and there */
    run_bad("attack roc beyond --known known --score t --status d --n 10", "0 and 1");
    run_ok("attack roc beyond --known known --score t --status d --n 10 --tolerance 0.02");
    assert_true(value("solutions") == 1 && value("positives") == 5 && value("staircases") == 1);
    run_bad("attack roc rough --known known --score t --status d --n 10 --tolerance 0.001", "point");
    run_ok("attack roc beyond --known known --score t --status d --n 10 --tolerance 0.11"); /* half a step of the grid: other staircases
                                                                                               fit, and nothing is certain */
    assert_true(isnan(value("statuses_certain")) && isnan(value("gain")));
    table_from("sevenths", "fpr,tpr\n0,0\n0,.33\n.14,.33\n.29,.67\n.43,.67\n.57,.67\n.71,1\n1,1\n");
    table_from("three", "t,d\n9,1\n8,0\n1,0\n");
    run_ok("attack roc sevenths --known three --score t --status d --n 10 --digits 2");
    assert_true(value("positives") == 3 && value("negatives") == 7 && value("missing_positives") == 2);
}

static void random_search(void **state) {
    (void)state;
    without(.61);
    run_ok("attack roc roc --known known --score t --status d --n 10 --method mcmc");
    assert_true(value("deviation") == 0 && table_value("missing", "status", 0) == 1);
    near(table_value("missing", "lower", 0), .53, 0);
    near(table_value("missing", "upper", 0), 1.05, 0);
    double score = table_value("missing", "score", 0);
    assert_true(score > .53 && score < 1.05);
    assert_int_equal(result_find(last_result, "solutions")->kind, VALUE_NULL);
    without(2.71);
    run_ok("attack roc roc --known known --score t --status d --n 10 --method mcmc --max-steps 1");
    assert_true(value("steps") <= 1);
}

/* A smooth curve leaves the statuses open; what the simulation says of them must hold the truth about as often as it claims. */
static void smooth(void **state) {
    (void)state;
    int inside = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        double t[80], d[80], fpr[19], tpr[19], mean[2] = { 0 }, square[2] = { 0 }, missing_positives = 0;
        Seed key = seed_from_number(seed);
        RandomStream stream = stream_make(&key, "test", 0, "", "smooth");
        RandomReader reader = reader_make(&stream);
        for (int i = 0; i < 80; i++) {
            d[i] = reader_uniform(&reader) < 0.5;
            t[i] = reader_normal(&reader) + d[i];
        }
        double count[2] = { 0 };
        for (int i = 0; i < 80; i++) {
            int c = d[i] == 1;
            count[c]++;
            mean[c] += t[i];
        }
        for (int c = 0; c < 2; c++) mean[c] /= count[c];
        for (int i = 0; i < 80; i++) square[d[i] == 1] += (t[i] - mean[d[i] == 1]) * (t[i] - mean[d[i] == 1]);
        double s0 = sqrt(square[0] / (count[0] - 1)), s1 = sqrt(square[1] / (count[1] - 1));
        for (int k = 0; k < 19; k++) {
            fpr[k] = (k + 1) / 20.0;
            tpr[k] = 0.5 * erfc(-M_SQRT1_2 * ((mean[1] - mean[0]) / s1 + s0 / s1 * normal_quantile(fpr[k])));
        }
        two_columns("roc", "fpr", fpr, "tpr", tpr, NULL, NULL, 19);
        two_columns("known", "t", t, "d", d, NULL, NULL, 60);
        for (int i = 60; i < 80; i++) missing_positives += d[i];
        run_ok(seed % 4 ? "attack roc roc --known known --score t --status d --n 80 --curve binormal --draws 300"
                        : "attack roc roc --known known --score t --status d --n 80 --curve kernel --draws 300");
        assert_true(value("statuses_certain") == 0 && value("missing") == 20 && value("gain") >= 0 && value("accuracy") < 1);
        inside += value("missing_positives_lower") <= missing_positives && missing_positives <= value("missing_positives_upper");
    }
    assert_true(inside >= 16);
    run_ok("attack roc roc --known known --score t --status d --n 80 --curve binormal --positives 44 --draws 300");
    assert_true(value("missing_positives_lower") == value("missing_positives") &&
                value("missing_positives_upper") == value("missing_positives"));
    run_bad("attack roc roc --known known --score t --status d --curve binormal", "n");
}

static void bad_input(void **state) {
    (void)state;
    without(.61);
    table_from("falling", "fpr,tpr\n0,0\n.3,.2\n.1,.6\n1,1\n");
    run_bad("attack roc falling --known known --score t --status d --n 10", "point 3 of the curve: the false positive rate falls");
    table_from("off", "fpr,tpr\n0,0\n0,.2\n.2,.35\n1,1\n");
    run_bad("attack roc off --known known --score t --status d --n 10", "point 3 of the curve, (0.2, 0.35), is impossible");
    run_bad("attack roc roc --known known --score t --status d --n 8", "more than the 8");
    run_bad("attack roc roc --known known --score t --status d --n 11", "is impossible");
    table_from("wrong", "t,d\n5,0\n4,0\n3,0\n2,1\n1,1\n0,1\n");
    run_bad("attack roc roc --known wrong --score t --status d --n 10", "do not fit the curve");
    table_from("outside", "fpr,tpr\n0,0\n1.2,1\n");
    run_bad("attack roc outside --known known --score t --status d", "between 0 and 1");
    table_from("nothing", "x,y\n0,0\n");
    run_bad("attack roc nothing --known known --score t --status d", "fpr and tpr");
    table_from("empty", "fpr,tpr\n");
    run_bad("attack roc empty --known known --score t --status d", "no points");
    run_bad("attack roc roc --known known --score t --status t --n 10", "neither 0 nor 1");
}

/* No known records: the curve alone is the sequence of statuses. All known: nothing is missing. */
static void extremes(void **state) {
    (void)state;
    bool held[10] = { 0 };
    without(.61);
    put_known(example, held, 10);
    run_ok("attack roc roc --known known --score t --status d --n 10");
    assert_true(value("solutions") == 1 && value("missing") == 10 && value("statuses_certain") == 10);
    for (int i = 0; i < 10; i++) assert_true(table_value("missing", "status", i) == example[i].status);
    memset(held, 1, sizeof held);
    put_known(example, held, 10);
    run_ok("attack roc roc --known known --score t --status d --n 10");
    assert_true(value("solutions") == 1 && value("missing") == 0);
}

/* Long runs of one status: counts far beyond 2^64, in closed form, and beyond what one chunk holds. */
static void large_counts(void **state) {
    (void)state;
    enum { P = 6000, M = 1000 };
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    double *score = calloc(P, sizeof *score);
    int8_t *one = malloc(P);
    RocKnown all, known;
    RocSteps steps;
    RocAnswer answer;
    for (int i = 0; i < P; i++) {
        score[i] = i;
        one[i] = 1;
    }
    one[0] = 0;
    assert_int_equal(roc_known(&work, score, one, P, &all), OK);
    assert_int_equal(roc_steps(&work, &all, &steps), OK);
    for (int i = 1; i <= M; i++) one[i * 5] = -1;
    assert_int_equal(roc_known(&work, score, one, P, &known), OK);
    assert_int_equal(roc_embed(&work, &steps, &known, true, &answer), OK);
    double expected = (lgamma(P) - lgamma(M + 1) - lgamma(P - M)) / log(10); /* C(P−1, M) */
    near(answer.solutions_log10, expected, 1e-6);
    mpz_t choose;
    mpz_init(choose);
    mpz_bin_uiui(choose, P - 1, M);
    char *text = mpz_get_str(NULL, 10, choose);
    assert_string_equal(answer.solutions, text);
    free(text);
    mpz_clear(choose);
    assert_int_equal(answer.certain, M);
    for (int r = 0; r < M; r++) assert_true(answer.at[r].positive == 1);
    arena_free(work.arena);
    free(score);
    free(one);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(paper_example_1),
                                        cmocka_unit_test(prevalence),
                                        cmocka_unit_test(brute_force),
                                        cmocka_unit_test(collinear_dropped),
                                        cmocka_unit_test(ties_in_runs),
                                        cmocka_unit_test(example_2),
                                        cmocka_unit_test(asah),
                                        cmocka_unit_test(as_others_write),
                                        cmocka_unit_test(inexact),
                                        cmocka_unit_test(random_search),
                                        cmocka_unit_test(smooth),
                                        cmocka_unit_test(bad_input),
                                        cmocka_unit_test(extremes),
                                        cmocka_unit_test(large_counts) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
