/* Homogeneity, background, skewness, similarity: the review's tables, a brute force over all pairs of records, the edges. */
#include "methods.h"

static const char TABLE_2A[] =
    "g,r,s\nM,W,Throat\nM,W,Prostate\nM,W,Lung\nM,B,Lung\nM,B,Prostate\nM,B,Lung\nM,B,Stomach\nF,W,Breast\nF,W,Lung\nF,W,Breast\n";
static const char TABLE_2B[] =
    "g,r,s\nM,W,Prostate\nM,W,Prostate\nM,W,Prostate\nM,B,Lung\nM,B,Prostate\nM,B,Lung\nM,B,Stomach\nF,W,Breast\nF,W,Lung\nF,W,Breast\n";
static const char TABLE_3B[] =
    "g,r,s\nM,W,Prostate Cancer\nM,W,Lung Cancer\nM,W,Gastritis\nM,B,Lung Cancer\nM,B,Gastric Ulcer\nM,B,Lung Cancer\nM,B,Gastritis\n"
    "F,W,Stomach Cancer\nF,W,Gastric Ulcer\nF,W,Gastritis\n";

static void review(void **state) {
    (void)state;
    table_from("a", TABLE_2A);
    run_ok("attack homogeneity a --keys g,r --sensitive s");
    assert_true(value("certain") == 0 && value("classes") == 0 && value("gain") == 0);
    run_ok("attack homogeneity a --keys g,r --sensitive s --certainty 0.6"); /* two of three women: breast */
    assert_true(value("certain") == 2 && value("classes") == 1);
    table_from("b", TABLE_2B);
    run_ok("attack homogeneity b --keys g,r --sensitive s");
    assert_true(value("certain") == 3 && value("classes") == 1 && value("baseline") == 0);
    near(value("gain"), 0.3, 1e-15);
    assert_true(value("lower") < 0.3 && value("upper") > 0.3);
    assert_string_equal(cells_of(last_result->column[0].column), "1 1 1 0 0 0 0 0 0 0");
    run_ok("attack background b --keys g,r --sensitive s --colluding 0");
    assert_true(value("certain") == 3);
    run_ok(
        "attack background b --keys g,r --sensitive s --colluding 1"); /* whoever knows the one woman with lung cancer knows the others */
    assert_true(value("certain") == 5);
    run_ok("attack background b --keys g,r --sensitive s --colluding 3"); /* k − 1 of the largest class collude: all are known */
    assert_true(value("certain") == 10);
}

static void similar(void **state) {
    (void)state;
    static const char hierarchy[] =
        "level0,level1\nProstate Cancer,prostate\nLung Cancer,lung\nGastritis,stomach\nGastric Ulcer,stomach\nStomach Cancer,stomach\n";
    table_from("b", TABLE_3B);
    table_from("s", hierarchy);
    run_ok("attack similarity b --keys g,r --sensitive s --hierarchies s"); /* every woman has a stomach disease */
    assert_true(value("exposed") == 3 && value("classes") == 1);
    run_bad("attack similarity b --keys g,r --sensitive s --hierarchies s --level 2", "levels 0 to 1");
    run_bad("attack similarity b --keys g,r --sensitive g --hierarchies s", "no hierarchy");
}

static void skewed(void **state) {
    (void)state;
    char text[4096] = "k,s\n";
    for (int i = 0; i < 100; i++) strcat(text, i == 0 || i == 50 ? "1,bad\n" : i < 4 ? "1,good\n" : "2,good\n");
    table_from("t", text);
    run_ok("attack skewness t --keys k --sensitive s --factor 10"); /* bad: 2% in the table, 2 of 5 in class 1 */
    assert_true(value("exposed") == 5 && value("classes") == 1);
    run_ok("attack skewness t --keys k --sensitive s --factor 30");
    assert_true(value("exposed") == 0);
    run_ok("attack skewness t --keys k --sensitive s --factor 10 --rare 0.01"); /* not rare enough */
    assert_true(value("exposed") == 0);
}

/* Random tables with missing keys: what agrees is found pair by pair. */
static void brute(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int round = 0; round < 60; round++) {
        enum { N = 40 };
        int a[N], b[N], s[N];
        char text[4096] = "a,b,s\n";
        for (int i = 0; i < N; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            a[i] = (int)(seed >> 33) % 5, b[i] = (int)(seed >> 41) % 4, s[i] = (int)(seed >> 50) % 3; /* 0 is missing */
            char row[64], x[8] = "", y[8] = "", z[8] = "";
            if (a[i]) sprintf(x, "%d", a[i]);
            if (b[i]) sprintf(y, "%d", b[i]);
            if (s[i]) sprintf(z, "v%d", s[i]);
            sprintf(row, "%s,%s,%s\n", x, y, z);
            strcat(text, row);
        }
        table_from("t", text);
        int64_t certain = 0, known = 0;
        for (int i = 0; i < N; i++) {
            int same = 0, total = 0;
            for (int j = 0; j < N; j++) {
                if ((a[i] && a[j] && a[i] != a[j]) || (b[i] && b[j] && b[i] != b[j])) continue;
                total += s[j] != 0; /* what is missing is unknown, and no diversity */
                same += s[i] == s[j];
            }
            certain += s[i] && same >= 0.75 * total;
            known += s[i] && total - same <= 2;
        }
        run_ok("attack homogeneity t --keys a,b --sensitive s --certainty 0.75 --missing wildcard");
        assert_true(value("certain") == certain);
        run_ok("attack background t --keys a,b --sensitive s --colluding 2 --missing wildcard");
        assert_true(value("certain") == known);
    }
}

/* Blanking a cell hides nobody: the attack finds the same records, blanked ones included, and a rare value is no rarer for it. */
static void blanking_hides_nobody(void **state) {
    (void)state;
    table_from("original", "k,s\n1,x\n1,x\n1,x\n2,x\n2,y\n2,z\n");
    run_ok("attack homogeneity original --keys k --sensitive s");
    assert_true(value("certain") == 3);
    Table *blanked = table_from("blanked", "k,s\n1,x\n1,\n1,x\n2,x\n2,y\n2,z\n");
    run_ok("attack homogeneity blanked --keys k --sensitive s"); /* as an original: of the second nobody knows anything */
    assert_true(value("certain") == 2);
    blanked->released = true;
    run_ok("attack homogeneity blanked --keys k --sensitive s");
    assert_true(value("certain") == 3);
    assert_string_equal(cells_of(last_result->column[0].column), "1 1 1 0 0 0");
    run_ok("attack background blanked --keys k --sensitive s --colluding 2");
    assert_true(value("certain") == 6);
    table_from("hidden", "k,s\n1,x\n1,\n1,\n2,x\n2,y\n2,\n")->released = true;
    run_ok("attack homogeneity hidden --keys k --sensitive s");
    assert_true(value("certain") == 3);
    run_ok("risk l-diversity hidden --keys k --sensitive s");
    assert_true(value("l") == 1);
    char text[4096] = "k,s\n";
    for (int i = 0; i < 100; i++) strcat(text, i == 0 || i == 50 ? "1,bad\n" : i < 4 ? "1,\n" : "2,good\n");
    table_from("skew", text);
    run_ok("attack skewness skew --keys k --sensitive s --factor 10");
    assert_true(value("exposed") == 2 && value("classes") == 1);
    run_ok("attack skewness skew --keys k --sensitive s --factor 40"); /* all that is known of class 1: 1 against 2/97 */
    assert_true(value("exposed") == 2);
}

static void edges(void **state) {
    (void)state;
    table_from("none", "k,s\n");
    run_ok("attack homogeneity none --keys k --sensitive s");
    assert_true(value("certain") == 0 && value("share") == 0);
    table_from("gone", "k,s\n1,\n1,\n");
    run_ok("attack homogeneity gone --keys k --sensitive s"); /* nothing to learn */
    assert_true(value("certain") == 0);
    table_from("same", "k,s\n1,x\n2,x\n");
    run_ok("attack homogeneity same --keys k --sensitive s"); /* sure before the release, too */
    assert_true(value("certain") == 2 && value("baseline") == 1 && value("gain") == 0);
    run_bad("attack homogeneity same --keys k", "sensitive");
    run_bad("attack homogeneity same --keys k --sensitive s --certainty 2", "from 0 to 1");
}

/* A number is learned when the shortest interval that holds the share asked for is within the tolerance: brute force over all intervals. */
static void numbers_are_learned(void **state) {
    (void)state;
    char text[4096] = "g,pay\n";
    for (int i = 0; i < 15; i++) sprintf(text + strlen(text), "a,%d\nb,%d\n", 50000 + i, 82000 + 997 * i);
    table_from("pay", text);
    run_ok("attack homogeneity pay --keys g --sensitive pay");
    assert_true(value("certain") == 15 && value("classes") == 1);
    run_ok("attack homogeneity pay --keys g --sensitive pay --tolerance pay:5");
    assert_true(value("certain") == 0);
    run_ok("attack homogeneity pay --keys g --sensitive pay --tolerance pay:13958");
    assert_true(value("certain") == 30);
    run_bad("attack homogeneity pay --keys g --sensitive pay --tolerance pay:-1", "at least 0");
    unsigned seed = 5;
    for (int round = 0; round < 300; round++) {
        int n = 4 + round % 9, x[13], expected = 0;
        double certainty = 0.5 + 0.1 * (round % 6), tolerance = 20 + round % 40;
        strcpy(text, "g,pay\n");
        for (int i = 0; i < n; i++) {
            seed = seed * 1103515245u + 12345u;
            x[i] = 1000 + (int)(seed >> 16) % 100;
            sprintf(text + strlen(text), "a,%d.5\n", x[i]);
        }
        table_from("few", text);
        int width = 1000, from = 0, to = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int inside = 0;
                for (int k = 0; k < n; k++) inside += x[k] >= x[i] && x[k] <= x[j];
                if (inside < certainty * n || x[j] < x[i]) continue;
                if (x[j] - x[i] < width || (x[j] - x[i] == width && x[i] < from)) width = x[j] - x[i], from = x[i], to = x[j];
            }
        for (int k = 0; k < n; k++) expected += width <= tolerance && x[k] >= from && x[k] <= to;
        char command[200];
        snprintf(command, sizeof command, "attack homogeneity few --keys g --sensitive pay --certainty %.1f --tolerance pay:%g", certainty,
                 tolerance);
        run_ok(command);
        near(value("certain"), expected, 0);
    }
}

/* Attribute disclosure does not depend on the order of the records. */
static void order_tells_nothing(void **state) {
    (void)state;
    table_from("a", "r,d\np,1x\np,1x\nq,2x\nq,2x\n");
    table_from("b", "r,d\nq,2x\np,1x\nq,2x\np,1x\n")->released = true;
    run_ok("attack homogeneity a --keys r --sensitive d");
    double certain = value("certain");
    run_ok("attack homogeneity b --keys r --sensitive d");
    near(value("certain"), certain, 0);
    near(certain, 4, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(review),
                                        cmocka_unit_test(similar),
                                        cmocka_unit_test(skewed),
                                        cmocka_unit_test(brute),
                                        cmocka_unit_test(blanking_hides_nobody),
                                        cmocka_unit_test(numbers_are_learned),
                                        cmocka_unit_test(order_tells_nothing),
                                        cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
