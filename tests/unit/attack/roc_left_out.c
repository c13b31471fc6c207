/* The ROC curve attack on curves of which points were left out, and on points read off a picture: brute force over every order, the same
 * answer as the exact curve where the errors are below half a step, and facts only where every number of positives agrees. */
#include "methods.h"

static uint64_t state_of_cases = 42;
static int64_t below(int64_t n) {
    state_of_cases = state_of_cases * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((state_of_cases >> 33) % (uint64_t)n);
}

enum { MOST = 128 };
typedef struct {
    int64_t n, positives, missing, points;
    double score[MOST];
    int status[MOST];
    bool gone[MOST];
    int64_t tp[MOST], fp[MOST]; /* of the points that are published */
} Study;

/* Distinct scores, descending. */
static bool random_study(Study *s, int64_t n, int64_t missing) {
    *s = (Study){ .n = n, .missing = missing };
    for (int64_t i = 0; i < n; i++) {
        s->score[i] = (double)(n - i);
        s->status[i] = (int)below(2);
        s->positives += s->status[i];
    }
    for (int64_t m = 0; m < missing;) {
        int64_t i = below(n);
        m += !s->gone[i];
        s->gone[i] = true;
    }
    return s->positives && s->positives < n;
}

/* Every record's point, of which inner ones are left out with this chance in four. */
static void publish(Study *s, int64_t chance) {
    int64_t tp = 0, fp = 0;
    s->points = 1;
    for (int64_t i = 0; i < s->n; i++) {
        tp += s->status[i];
        fp += !s->status[i];
        if (i + 1 < s->n && below(4) < chance) continue;
        s->tp[s->points] = tp;
        s->fp[s->points++] = fp;
    }
}

static void write_points(const Study *s, const char *format, double error) {
    char text[16384] = "fpr,tpr\n", line[64];
    for (int64_t k = 0; k < s->points; k++) {
        bool inner = k && k + 1 < s->points;
        double x = (double)s->fp[k] / (double)(s->n - s->positives) + (inner ? error * ((double)below(1999) - 999) / 1000 : 0),
               y = (double)s->tp[k] / (double)s->positives + (inner ? error * ((double)below(1999) - 999) / 1000 : 0);
        snprintf(line, sizeof line, format, x, y);
        strcat(text, line);
    }
    table_from("roc", text);
}

static void write_known(const Study *s) {
    char text[4096] = "t,d\n";
    for (int64_t i = 0; i < s->n; i++)
        if (!s->gone[i]) snprintf(text + strlen(text), sizeof text - strlen(text), "%g,%d\n", s->score[i], s->status[i]);
    table_from("known", text);
}

/* Known records one by one against every order of every bag; `ones`: the missing records' statuses so far. */
typedef struct {
    const Study *study;
    const int *known;
    int64_t count_known;
    double count, positive[MOST];
} Brute;
static void try_orders(Brute *b, int64_t k, int64_t a, int64_t c, int64_t held, unsigned ones, int64_t rank) {
    while (!a && !c && ++k < b->study->points) {
        a = b->study->tp[k] - b->study->tp[k - 1];
        c = b->study->fp[k] - b->study->fp[k - 1];
    }
    if (k >= b->study->points) {
        if (held < b->count_known) return;
        b->count++;
        for (int64_t r = 0; r < rank; r++) b->positive[r] += ones >> r & 1;
        return;
    }
    if (held < b->count_known && (b->known[held] ? a : c)) try_orders(b, k, a - b->known[held], c - !b->known[held], held + 1, ones, rank);
    if (a) try_orders(b, k, a - 1, c, held, ones | 1u << rank, rank + 1);
    if (c) try_orders(b, k, a, c - 1, held, ones, rank + 1);
}

static void brute_force(void **state) {
    (void)state;
    for (int done = 0; done < 1500;) {
        Study s;
        char command[160];
        if (!random_study(&s, 4 + below(6), 1 + below(3))) continue;
        publish(&s, 1 + below(3));
        write_points(&s, "%.17g,%.17g\n", 0);
        write_known(&s);
        int known[MOST];
        Brute b = { .study = &s, .known = known };
        for (int64_t i = 0; i < s.n; i++)
            if (!s.gone[i]) known[b.count_known++] = s.status[i];
        try_orders(&b, 0, 0, 0, 0, 0, 0);
        snprintf(command, sizeof command, "attack roc roc --known known --score t --status d --n %d --positives %d --collinear thinned",
                 (int)s.n, (int)s.positives);
        run_ok(command);
        assert_true(value("solutions") == b.count);
        near(value("solutions_log10"), log10(b.count), 1e-12);
        double certain = 0, p[MOST];
        for (int64_t r = 0; r < s.missing; r++) {
            certain += b.positive[r] == 0 || b.positive[r] == b.count;
            p[r] = table_value("missing", "status", r) == 1 ? table_value("missing", "probability", r)
                                                            : 1 - table_value("missing", "probability", r);
            near(p[r], b.positive[r] / b.count, 1e-12);
        }
        assert_true(value("statuses_certain") == certain);
        done++;
    }
}

/* 8 records, 4 exact points, 6 known: no order of single steps or ties holds them, and yet they are among those behind the curve. */
static void smallest_case(void **state) {
    (void)state;
    table_from("four", "fpr,tpr\n0,0\n0.25,0.5\n0.5,1\n1,1\n");
    table_from("six", "t,d\n9,1\n7,1\n6,1\n5,0\n3,0\n2,0\n");
    run_ok("attack roc four --known six --score t --status d --n 8 --positives 4");
    assert_true(value("missing") == 2 && value("missing_positives") == 1 && value("all_alike") == 0);
    assert_true(value("solutions") == 15 && /* every order of the bags (2, 1), (2, 1), (0, 2) written down by hand */
                value("statuses_certain") == 0);
    run_bad("attack roc four --known six --score t --status d --n 8 --positives 4 --method mcmc", "every point");
    run_bad("attack roc four --known six --score t --status d --n 8 --positives 4 --collinear kept", "--collinear thinned");
}

/* Errors below half a step: the staircase is known, and with it all that the exact curve tells. */
static void read_off_a_picture(void **state) {
    (void)state;
    for (int done = 0; done < 60;) {
        Study s;
        if (!random_study(&s, 60, 8)) continue;
        if (s.positives < 25 || s.positives > 35) continue;
        char exact[160], read_off[192];
        double seen[5], p[8];
        static const char *const names[] = { "statuses_certain", "solutions_log10", "accuracy", "missing_positives", "positives" };
        publish(&s, 0);
        write_known(&s);
        write_points(&s, "%.17g,%.17g\n", 0);
        snprintf(exact, sizeof exact, "attack roc roc --known known --score t --status d --n 60");
        run_ok(exact);
        for (int v = 0; v < 5; v++) seen[v] = value(names[v]);
        for (int r = 0; r < 8; r++) p[r] = table_value("missing", "probability", r);
        write_points(&s, "%.17g,%.17g\n", 0.004);
        snprintf(read_off, sizeof read_off, "%s --tolerance 0.004", exact);
        run_ok(read_off);
        for (int v = 0; v < 5; v++) near(value(names[v]), seen[v], 1e-9);
        for (int r = 0; r < 8; r++) near(table_value("missing", "probability", r), p[r], 1e-12);
        assert_true(value("staircases") == 1 && value("deviation") > 0);
        done++;
    }
}

/* A curve of three points fits many numbers of positives: what they disagree on is left open. */
static void facts_need_agreement(void **state) {
    (void)state;
    table_from("half", "fpr,tpr\n0,0\n0.25,0.5\n1,1\n");
    table_from("some", "t,d\n9,1\n8,0\n2,0\n1,0\n");
    run_ok("attack roc half --known some --score t --status d --n 12");
    assert_true(isnan(value("missing_positives")) && isnan(value("missing_share")) && value("all_alike") == 0); /* 3 or 7 of 8 */
    run_ok("attack roc half --known some --score t --status d --n 12 --positives 4");
    assert_true(value("missing_positives") == 3 && value("all_alike") == 0);
    near(value("missing_share"), 3.0 / 8, 1e-12);
    run_ok("attack roc half --known some --score t --status d"); /* without n nothing is a fact */
    assert_true(isnan(value("missing_positives")) && isnan(value("all_alike")));
}

/* Ten decimals are found in the file. */
static void decimals_found(void **state) {
    (void)state;
    Study s;
    while (!random_study(&s, 60, 6)) continue;
    publish(&s, 0);
    write_known(&s);
    write_points(&s, "%.10f,%.10f\n", 0);
    run_ok("attack roc roc --known known --score t --status d --n 60");
    assert_true(value("positives") == (double)s.positives);
}

/* 12 positives, 108 negatives: two decimals are half a step of 1/100. */
static void two_decimals(void **state) {
    (void)state;
    Study s = { .n = 120, .positives = 12, .missing = 4 };
    for (int64_t i = 0; i < s.n; i++) {
        s.score[i] = (double)(s.n - i);
        s.status[i] = i % 10 == 3;
        s.gone[i] = i % 31 == 7;
    }
    publish(&s, 0);
    write_known(&s);
    write_points(&s, "%.2f,%.2f\n", 0);
    run_ok("attack roc roc --known known --score t --status d --n 120");
    assert_true(value("missing") == 4 && value("positives") == 12 && value("staircases") >= 1);
    assert_true(isnan(value("statuses_certain")) && isnan(value("missing_positives")));
    run_ok("attack roc roc --known known --score t --status d --n 120 --positives 12");
    assert_true(value("missing_positives") == 0 && value("all_alike") == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(brute_force),        cmocka_unit_test(smallest_case),
                                        cmocka_unit_test(read_off_a_picture), cmocka_unit_test(facts_need_agreement),
                                        cmocka_unit_test(decimals_found),     cmocka_unit_test(two_decimals) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
