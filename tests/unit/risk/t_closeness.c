/* t-closeness: the review's table 3B, and every distance against the transport problem solved by GLPK. */
#include "methods.h"
#include <glpk.h>

/* The least cost of turning shares p into shares q, cost d[i][j]: a linear program. */
static double transport(int m, const double *p, const double *q, double d[8][8]) {
    glp_term_out(GLP_OFF);
    glp_prob *lp = glp_create_prob();
    glp_set_obj_dir(lp, GLP_MIN);
    glp_add_rows(lp, 2 * m);
    glp_add_cols(lp, m * m);
    for (int i = 0; i < m; i++) {
        glp_set_row_bnds(lp, i + 1, GLP_FX, p[i], p[i]);
        glp_set_row_bnds(lp, m + i + 1, GLP_FX, q[i], q[i]);
        for (int j = 0; j < m; j++) {
            int column = i * m + j + 1, row[] = { 0, i + 1, m + j + 1 };
            glp_set_col_bnds(lp, column, GLP_LO, 0, 0);
            glp_set_obj_coef(lp, column, d[i][j]);
            glp_set_mat_col(lp, column, 2, row, (double[]){ 0, 1, 1 });
        }
    }
    glp_smcp how;
    glp_init_smcp(&how);
    how.msg_lev = GLP_MSG_OFF;
    assert_int_equal(glp_simplex(lp, &how), 0);
    double cost = glp_get_obj_val(lp);
    glp_delete_prob(lp);
    return cost;
}

/* Words that are numbers lie along the line as numbers do: 1, 2, 10 and not 1, 10, 2. */
static void ordered_numbers(void **state) {
    (void)state;
    table_from("n", "g,s\na,1\na,2\nb,10\nb,11\n");
    table_from("w", "g,s\na,1\na,2\nb,10\nb,11\n,x\n");
    run_ok("risk t-closeness n --keys g --sensitive s --distance ordered");
    near(value("t"), 1. / 3, 1e-12); /* (1/4 + 1/2 + 1/4) of three steps; 1/6 by bytes */
    run_ok("risk t-closeness w --keys g --sensitive s --distance ordered --where \"g == 'a' | g == 'b'\"");
    near(value("t"), 1. / 3, 1e-12);
}

static void review(void **state) {
    (void)state;
    table_from("b", "g,r,s\nM,W,Prostate Cancer\nM,W,Lung Cancer\nM,W,Gastritis\nM,B,Lung Cancer\nM,B,Gastric Ulcer\nM,B,Lung "
                    "Cancer\nM,B,Gastritis\nF,W,Stomach Cancer\nF,W,Gastric Ulcer\nF,W,Gastritis\n");
    run_ok("risk t-closeness b --keys g,r --sensitive s");
    const Column *t = last_result->column[0].column;
    near(t->real[0], 0.3, 1e-12);
    near(t->real[3], 0.25, 1e-12);
    near(t->real[7], 0.4, 1e-12);
    near(value("t"), 0.4, 1e-12);
}

/* Two classes over the values 1, 2, 4, 8, 16; hierarchy {1,2} {4,8,16} below a root. */
static void against_transport(void **state) {
    (void)state;
    static const double value_of[] = { 1, 2, 4, 8, 16 };
    static const int group[] = { 0, 0, 1, 1, 1 };
    uint64_t seed = 11;
    table_from("s", "level0,level1,level2\n1,low,*\n2,low,*\n4,high,*\n8,high,*\n16,high,*\n");
    for (int round = 0; round < 40; round++) {
        enum { N = 24, M = 5 };
        char text[1024] = "k,s\n";
        double p[M] = { 0 }, q[M] = { 0 }, first = 0;
        int k[N], v[N];
        for (int i = 0; i < N; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            k[i] = (int)(seed >> 40) % 3 != 0, v[i] = i < M ? i : (int)(seed >> 50) % M;
            sprintf(text + strlen(text), "%d,%g\n", k[i], value_of[v[i]]);
            q[v[i]] += 1.0 / N;
            first += k[i] == k[0];
        }
        for (int i = 0; i < N; i++)
            if (k[i] == k[0]) p[v[i]] += 1 / first;
        table_from("t", text);
        static const char *const names[] = { "equal", "ordered", "hierarchical --hierarchies s", "numeric" };
        for (int kind = 0; kind < 4; kind++) {
            double d[8][8] = { { 0 } };
            char command[128];
            for (int i = 0; i < M; i++)
                for (int j = 0; j < M; j++)
                    d[i][j] = kind == 0   ? i != j
                              : kind == 1 ? abs(i - j) / (M - 1.0)
                              : kind == 2 ? (i == j                 ? 0
                                             : group[i] == group[j] ? 0.5
                                                                    : 1)
                                          : fabs(value_of[i] - value_of[j]) / 15;
            snprintf(command, sizeof command, "risk t-closeness t --keys k --sensitive s --distance %s", names[kind]);
            run_ok(command);
            near(last_result->column[0].column->real[0], transport(M, p, q, d), 1e-9);
        }
    }
}

static void edges(void **state) {
    (void)state;
    table_from("none", "k,s\n");
    run_ok("risk t-closeness none --keys k --sensitive s");
    assert_int_equal(result_find(last_result, "t")->kind, VALUE_NULL);
    table_from("same", "k,s\n1,a\n2,a\n");
    run_ok("risk t-closeness same --keys k --sensitive s --distance ordered");
    assert_true(value("t") == 0);
    run_bad("risk t-closeness same --keys k --sensitive s --distance numeric", "numbers");
    run_bad("risk t-closeness same --keys k --sensitive s --distance hierarchical", "no hierarchy");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(ordered_numbers), cmocka_unit_test(review), cmocka_unit_test(against_transport),
                                        cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
