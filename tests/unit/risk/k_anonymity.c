/* k-anonymity: the toy table of the individual-risk papers, both rules for missing keys, the edges. */
#include "methods.h"

static void francdat(void **state) {
    (void)state;
    table_from("data",
               "Key1,Key2,Key3,Key4,w\n1,2,5,1,18\n1,2,1,1,45.5\n1,2,1,1,39\n3,3,1,5,17\n4,3,1,4,541\n4,3,1,1,8\n6,2,1,5,5\n1,2,5,1,92\n");
    run_ok("risk k-anonymity data --keys Key1,Key2,Key3,Key4 --weight w");
    assert_true(value("k") == 1 && value("classes") == 6 && value("uniques") == 4 && value("below_2") == 4 && value("below_3") == 8 &&
                value("below_5") == 8);
    assert_int_equal(last_result->columns, 2);
    assert_string_equal(last_result->column[0].column->name, "fk");
    assert_string_equal(cells_of(last_result->column[0].column), "2 2 2 1 1 1 1 2");
    assert_string_equal(last_result->column[1].column->name, "Fk");
    assert_string_equal(cells_of(last_result->column[1].column), "110 84.5 84.5 17 541 8 5 110");
    assert_true(table_value("frequencies", "records", 0) == 4 && table_value("frequencies", "records", 1) == 4);
}

static void both_rules(void **state) {
    (void)state;
    table_from("data", "a,b\n1,x\n1,\n2,x\n,x\n2,y\n");
    run_ok("risk k-anonymity data --keys a,b --missing wildcard");
    assert_string_equal(cells_of(last_result->column[0].column), "3 3 2 4 1");
    assert_true(value("k") == 1 && value("classes") == 5);
    run_ok("risk k-anonymity data --keys a,b --missing category");
    assert_string_equal(cells_of(last_result->column[0].column), "1 1 1 1 1");
    assert_true(value("uniques") == 5);
    assert_null(result_find(last_result, "k_sdcmicro"));
}

/* Small random tables with missing keys: k and its fellows by the classes, whatever --missing says, fk and k_sdcmicro by every pair. */
static void against_every_pair(void **state) {
    (void)state;
    enum { MOST = 16, KEYS = 3 };
    uint64_t seed = 11;
    for (int round = 0; round < 400; round++) {
        int cell[MOST][KEYS], rows = 1 + round % MOST, k = MOST, k_wild = MOST, uniques = 0, below_3 = 0, classes = 0;
        char text[1000] = "a,b,c\n", fk[200] = "";
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < KEYS; j++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                cell[i][j] = (int)(seed >> 60) % 3;
                sprintf(text + strlen(text), cell[i][j] ? "%d%c" : "%.0d%c", cell[i][j], j + 1 < KEYS ? ',' : '\n');
            }
        for (int i = 0; i < rows; i++) {
            int alike = 0, agree = 0, first = 1;
            for (int o = 0; o < rows; o++) {
                bool same = true, fits = true;
                for (int j = 0; j < KEYS; j++) {
                    same &= cell[i][j] == cell[o][j];
                    fits &= cell[i][j] == cell[o][j] || !cell[i][j] || !cell[o][j];
                }
                alike += same;
                agree += fits;
                if (same && o < i) first = 0;
            }
            classes += first;
            uniques += alike == 1;
            below_3 += alike < 3;
            k = alike < k ? alike : k;
            k_wild = agree < k_wild ? agree : k_wild;
            sprintf(fk + strlen(fk), i ? " %d" : "%d", agree);
        }
        table_from("t", text);
        for (int wildcard = 0; wildcard < 2; wildcard++) {
            run_ok(wildcard ? "risk k-anonymity t --keys a,b,c --missing wildcard" : "risk k-anonymity t --keys a,b,c");
            assert_true(value("k") == k && value("uniques") == uniques && value("below_3") == below_3 && value("classes") == classes);
        }
        run_ok("risk k-anonymity t --keys a,b,c --missing wildcard");
        assert_true(value("k_sdcmicro") == k_wild);
        assert_string_equal(cells_of(last_result->column[0].column), fk);
    }
}

/* The definition that k by the original had: blanked records, however many they fit, are a class of their own. */
static void blanked_records_protect_nobody_else(void **state) {
    (void)state;
    table_from("released", "a,r\n1,\n1,n\n1,s\n1,s\n");
    run_ok("risk k-anonymity released --keys a,r");
    assert_true(value("k") == 1 && value("uniques") == 2 && value("classes") == 3);
    run_bad("risk k-anonymity released --keys a,r --original released", "original");
    run_bad("risk k-anonymity released --keys a,r --missing auto", "auto");
}

static void edges(void **state) {
    (void)state;
    table_from("none", "a,b\n");
    run_ok("risk k-anonymity none --keys a,b");
    assert_int_equal(result_find(last_result, "k")->kind, VALUE_NULL);
    assert_true(value("classes") == 0);
    table_from("blank", "a,b\n,\n,\n");
    run_ok("risk k-anonymity blank --keys a");
    assert_true(value("k") == 2 && value("classes") == 1);
    table_from("one", "a,b\n1,2\n");
    run_ok("risk k-anonymity one --keys a,b");
    assert_true(value("k") == 1);
    run_bad("risk k-anonymity one --keys c", "c");
    run_bad("risk k-anonymity one", "keys");
    run_bad("risk k-anonymity blank --keys a --weight b", "missing");
}

/* Every subset of four keys, the uniques of each counted pair by pair. */
static void by_keys(void **state) {
    (void)state;
    enum { N = 30, K = 4 };
    int cell[N][K];
    char text[2048] = "a,b,c,d\n";
    uint64_t seed = 5;
    for (int i = 0; i < N; i++) {
        char row[32];
        for (int j = 0; j < K; j++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            cell[i][j] = (int)(seed >> 60) % (2 + 2 * j);
        }
        sprintf(row, "%d,%d,%d,%d\n", cell[i][0], cell[i][1], cell[i][2], cell[i][3]);
        strcat(text, row);
    }
    table_from("t", text);
    run_ok("risk k-anonymity t --keys a,b,c,d --by-keys");
    for (int size = 1; size <= K; size++) {
        double share[6], worst = -1, least = 2;
        int count = 0;
        for (int subset = 1; subset < 1 << K; subset++) {
            int unique = 0;
            if (__builtin_popcount((unsigned)subset) != size) continue;
            for (int i = 0; i < N; i++) {
                int same = 0;
                for (int o = 0; o < N; o++) {
                    bool agree = true;
                    for (int j = 0; j < K; j++) agree &= !(subset >> j & 1) || cell[i][j] == cell[o][j];
                    same += agree;
                }
                unique += same == 1;
            }
            share[count++] = unique / (double)N;
            worst = fmax(worst, unique / (double)N);
            least = fmin(least, unique / (double)N);
        }
        near(table_value("by_keys", "least", size - 1), least, 1e-15);
        near(table_value("by_keys", "worst", size - 1), worst, 1e-15);
        assert_int_equal((int)table_value("by_keys", "subsets", size - 1), count);
        if (count == 1) near(table_value("by_keys", "median", size - 1), share[0], 1e-15);
    }
    near(table_value("by_keys", "worst", 3), value("uniques") / N, 1e-15);
    assert_int_equal(last_result->charts, 2);
    run_ok("risk k-anonymity t --keys a,b --by-keys --where 'a > 100'");
    run_ok("risk k-anonymity t --keys a,b");
    assert_null(result_find_table(last_result, "by_keys"));
    table_from("wide", "a,b,c,d,e,f,g,h,i,j,k,l,m\n1,1,1,1,1,1,1,1,1,1,1,1,1\n");
    run_bad("risk k-anonymity wide --keys a,b,c,d,e,f,g,h,i,j,k,l,m --by-keys", "at most 12");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_keys),
                                        cmocka_unit_test(francdat),
                                        cmocka_unit_test(both_rules),
                                        cmocka_unit_test(against_every_pair),
                                        cmocka_unit_test(blanked_records_protect_nobody_else),
                                        cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
