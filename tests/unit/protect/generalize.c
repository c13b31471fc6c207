/* Optimal generalisation against an exhaustive search that counts every node from the definitions alone. */
#include "methods.h"

enum { ROWS = 60, KEYS = 3, NODES = 3 * 4 * 2 };
static const int levels[KEYS] = { 3, 4, 2 };
static const int leaves[KEYS] = { 5, 6, 3 }; /* one more than the data use */
/* key → level → leaf → value */
static const int value_of[KEYS][4][6] = { { { 0, 1, 2, 3, 4 }, { 0, 0, 1, 1, 1 }, { 0, 0, 0, 0, 0 } },
                                          { { 0, 1, 2, 3, 4, 5 }, { 0, 0, 1, 1, 2, 2 }, { 0, 0, 0, 0, 1, 1 }, { 0, 0, 0, 0, 0, 0 } },
                                          { { 0, 1, 2 }, { 0, 0, 0 } } };

static int key[KEYS][ROWS], sensitive[ROWS], rows;

static uint64_t word(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = (*state ^ (*state >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    return (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb) >> 20;
}

static void make_hierarchies(void) {
    char text[400];
    for (int k = 0; k < KEYS; k++) {
        size_t at = 0;
        for (int l = 0; l < levels[k]; l++) at += (size_t)sprintf(text + at, "%slevel%d", l ? "," : "", l);
        at += (size_t)sprintf(text + at, "\n");
        for (int v = 0; v < leaves[k]; v++) {
            for (int l = 0; l < levels[k]; l++) {
                if (l == levels[k] - 1) at += (size_t)sprintf(text + at, ",*");
                else at += (size_t)sprintf(text + at, "%s%c%d", l ? "," : "", "vwx"[l], value_of[k][l][v]);
            }
            at += (size_t)sprintf(text + at, "\n");
        }
        table_from((char[]){ (char)('a' + k), 0 }, text);
    }
    table_from("s", "level0,level1,level2\nq0,low,*\nq1,low,*\nq2,high,*\nq3,high,*\n");
}

static void make_data(uint64_t seed) {
    char text[ROWS * 20];
    size_t at = (size_t)sprintf(text, "a,b,c,s\n");
    rows = 20 + (int)(seed % 40);
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < KEYS; k++) {
            uint64_t top = (uint64_t)leaves[k] - 1, x = word(&seed) % top, y = word(&seed) % top;
            key[k][i] = (int)(x < y ? x : y);
            at += (size_t)sprintf(text + at, "v%d,", key[k][i]);
        }
        uint64_t x = word(&seed) % 4, y = word(&seed) % 4;
        sensitive[i] = (int)(x < y ? x : y);
        at += (size_t)sprintf(text + at, "q%d\n", sensitive[i]);
    }
    table_from("data", text);
}

typedef struct {
    int k;
    double l, c, t;
    int definition, distance;
    double limit;
    int loss;
} Case;

static double emd(const double *p, const double *q, int distance) {
    double sum = 0, cumulated = 0;
    if (distance == 0) {
        for (int v = 0; v < 4; v++) sum += fabs(p[v] - q[v]) / 2;
        return sum;
    }
    if (distance == 1) { /* the values that occur, in their order: all four do, or the last are absent */
        int m = 0;
        for (int v = 0; v < 4; v++) m += q[v] > 0;
        double present[4], whole[4];
        for (int v = 0, at = 0; v < 4; v++)
            if (q[v] > 0) {
                present[at] = p[v];
                whole[at++] = q[v];
            }
        for (int v = 0; v < m; v++) sum += fabs(cumulated += present[v] - whole[v]);
        return m > 1 ? sum / (m - 1) : 0;
    }
    double within = 0, between = fabs(p[0] + p[1] - q[0] - q[1]); /* low {0,1} and high {2,3}, under one root */
    for (int v = 0; v < 4; v += 2) {
        double x = p[v] - q[v], y = p[v + 1] - q[v + 1];
        if ((x > 0) != (y > 0)) within += fmin(fabs(x), fabs(y));
    }
    return within * 0.5 + between;
}

static bool class_holds(const int *member, int n, const Case *c) {
    double count[4] = { 0 }, p[4], q[4] = { 0 };
    if (n < c->k) return false;
    for (int i = 0; i < n; i++) count[sensitive[member[i]]]++;
    for (int i = 0; i < rows; i++) q[sensitive[i]] += 1.0 / rows;
    for (int v = 0; v < 4; v++) p[v] = count[v] / n;
    if (c->l > 0) {
        double distinct = 0, entropy = 0, sorted[4], tail = 0;
        for (int v = 0; v < 4; v++)
            if (count[v] > 0) {
                distinct++;
                entropy -= p[v] * log(p[v]);
            }
        memcpy(sorted, count, sizeof sorted);
        for (int i = 0; i < 4; i++)
            for (int j = i + 1; j < 4; j++)
                if (sorted[j] > sorted[i]) {
                    double x = sorted[i];
                    sorted[i] = sorted[j];
                    sorted[j] = x;
                }
        for (int i = (int)c->l - 1; i < 4; i++) tail += sorted[i];
        if (c->definition == 0 && distinct < c->l) return false;
        if (c->definition == 1 && exp(entropy) < c->l - 1e-9) return false;
        if (c->definition == 2 && !(sorted[0] < c->c * tail)) return false;
    }
    return isnan(c->t) || emd(p, q, c->distance) <= c->t + 1e-9;
}

/* The loss of one node, or NaN where it is not valid: straight from the definitions. */
static double node_loss(const int *level, const Case *c) {
    int general[KEYS][ROWS], member[ROWS], suppressed[ROWS] = { 0 }, s = 0, kept = 0;
    bool done[ROWS] = { false };
    double squares = 0, n = rows, score = 0, product = 1, mean = 0;
    for (int k = 0; k < KEYS; k++)
        for (int i = 0; i < rows; i++) general[k][i] = value_of[k][level[k]][key[k][i]];
    for (int i = 0; i < rows; i++) {
        if (done[i]) continue;
        int size = 0;
        for (int j = i; j < rows; j++) {
            bool same = true;
            for (int k = 0; k < KEYS; k++) same &= general[k][i] == general[k][j];
            if (same) {
                member[size++] = j;
                done[j] = true;
            }
        }
        if (class_holds(member, size, c)) {
            kept++;
            squares += (double)size * size;
            continue;
        }
        for (int m = 0; m < size; m++) suppressed[member[m]] = 1;
        s += size;
    }
    if (s > floor(c->limit * n + 1e-9)) return NAN;
    if (c->loss == 2) return n / (kept + (s > 0));
    if (c->loss == 3) return squares + n * s;
    for (int k = 0; k < KEYS; k++) {
        double A = 0, bits = 0, D = leaves[k];
        for (int i = 0; i < rows; i++) {
            int under = 0, original = 0, same = 0, among = 0;
            for (int v = 0; v < leaves[k]; v++) under += value_of[k][level[k]][v] == general[k][i];
            for (int j = 0; j < rows; j++) {
                original += key[k][j] == key[k][i];
                same += general[k][j] == general[k][i];
                among += suppressed[j] && general[k][j] == general[k][i];
            }
            A += suppressed[i] ? 1 : under / D;
            bits -= log2((double)original / same);
            if (suppressed[i]) bits -= log2((double)among / s);
        }
        double r = fmax(0, (A - n / D) / (n - n / D));
        product *= pow(r + 1, 1.0 / KEYS);
        mean += r / KEYS;
        if (c->loss == 4) score += ((n - s) * level[k] / (levels[k] - 1) + s) / n / KEYS;
        if (c->loss == 5) score += bits;
    }
    return c->loss == 0 ? product - 1 : c->loss == 1 ? mean : score;
}

static double exhaustive(const Case *c, int *ties) {
    double best = NAN;
    int level[KEYS];
    *ties = 0;
    for (level[0] = 0; level[0] < levels[0]; level[0]++)
        for (level[1] = 0; level[1] < levels[1]; level[1]++)
            for (level[2] = 0; level[2] < levels[2]; level[2]++) {
                double score = node_loss(level, c);
                if (isnan(score)) continue;
                if (isnan(best) || score < best - 1e-10 * fabs(best)) {
                    best = score;
                    *ties = 0;
                } else if (fabs(score - best) <= 1e-10 * fabs(best)) ++*ties;
            }
    return best;
}

static void try_case(const Case *c) {
    static const char *const loss[] = { "loss", "loss-mean", "aecs", "discernibility", "precision", "entropy" },
                             *const definition[] = { "distinct", "entropy", "recursive" },
                             *const distance[] = { "equal", "ordered", "hierarchical" };
    char command[400];
    size_t at = (size_t)sprintf(command, "protect generalize data --keys a,b,c --hierarchies a,b,c,s --k %d --loss %s --max-suppression %g",
                                c->k, loss[c->loss], c->limit);
    if (c->l > 0 || !isnan(c->t)) at += (size_t)sprintf(command + at, " --sensitive s");
    if (c->l > 0) at += (size_t)sprintf(command + at, " --l %g --definition %s", c->l, definition[c->definition]);
    if (c->l > 0 && c->definition == 2) at += (size_t)sprintf(command + at, " --c %g", c->c);
    if (!isnan(c->t)) sprintf(command + at, " --t %g --distance %s", c->t, distance[c->distance]);
    int ties;
    double wanted = exhaustive(c, &ties);
    if (isnan(wanted)) {
        run_bad(command, "no generalisation");
        return;
    }
    run_ok(command);
    if (fabs(value("score") - wanted) > 1e-9 * fabs(wanted) + 1e-12)
        fail_msg("%s: saw %.12g, wanted %.12g", command, value("score"), wanted);
    if ((value("tied") != 0) != (ties > 0)) fail_msg("%s: tied %g, wanted %d (score %.17g)", command, value("tied"), ties, value("score"));
    assert_true(value("lattice") == NODES && value("checked") + value("pruned") >= NODES);
}

static void equals_the_exhaustive_search(void **state) {
    (void)state;
    make_hierarchies();
    for (uint64_t seed = 0; seed < 25; seed++) {
        make_data(seed);
        for (int loss = 0; loss < 6; loss++)
            for (int limit = 0; limit < 3; limit++) {
                double share = limit == 0 ? 0 : limit == 1 ? 0.1 : 1;
                int k = 2 + (int)(seed % 4);
                try_case(&(Case){ .k = k, .t = NAN, .limit = share, .loss = loss });
                try_case(&(Case){ .k = k, .l = 2, .t = NAN, .definition = (int)(seed % 3), .c = 3, .limit = share, .loss = loss });
                try_case(&(Case){ .k = k, .t = 0.3, .distance = (int)(seed % 3), .limit = share, .loss = loss });
                try_case(&(Case){ .k = k, .l = 2, .t = 0.4, .limit = share, .loss = loss });
            }
    }
}

static bool same_keys(const Table *out, int64_t i, int64_t j) {
    bool same = true;
    for (int k = 0; k < KEYS; k++) {
        char x[33], y[33];
        const char *one = column_cell(out->column[k], i, x), *other = column_cell(out->column[k], j, y);
        same &= one && other ? !strcmp(one, other) : one == other;
    }
    return same;
}

/* Records of the output that are alike with one of them on all keys. */
static int64_t alike_with(const Table *out, int64_t i) {
    int64_t alike = 0;
    for (int64_t j = 0; j < out->rows; j++) alike += same_keys(out, i, j);
    return alike;
}

static bool is_blank(const Table *out, int64_t i) {
    int64_t missing = 0;
    for (int k = 0; k < KEYS; k++) missing += column_missing(out->column[k], i);
    assert_true(missing == 0 || missing == KEYS);
    return missing > 0;
}

/* Counted anew: every class of the release has l values, that of the suppressed records too, which is left out where it has fewer. */
static void too_alike_are_left_out(void **state) {
    (void)state;
    int left = 0;
    make_hierarchies();
    for (uint64_t seed = 0; seed < 80; seed++) {
        make_data(seed);
        run_ok("protect generalize data --keys a,b,c --hierarchies a,b,c --sensitive s --l 2 --max-suppression 0.2");
        const Table *out = last_result->output[0];
        const Column *sensitive = table_column(out, "s");
        for (int64_t i = 0; i < out->rows; i++) {
            bool other = column_missing(sensitive, i);
            for (int64_t j = 0; j < out->rows && !other; j++)
                other = same_keys(out, i, j) && !column_missing(sensitive, j) && sensitive->code[i] != sensitive->code[j];
            assert_true(other);
        }
        left += (int)value("left_out");
    }
    assert_true(left > 0);
}

/* Counted anew: every class of the release has k records, the suppressed ones included. Fewer than k are left out, and nobody else is; with
 * --keep-suppressed they stay, and are the smallest class. */
static void fewer_than_k_are_left_out(void **state) {
    (void)state;
    int left = 0, stayed = 0;
    make_hierarchies();
    for (int method = 0; method < 2; method++)
        for (uint64_t seed = 0; seed < 60; seed++) {
            char command[200];
            const int k = 2 + (int)(seed % 5);
            make_data(seed);
            for (int keep = 0; keep < 2; keep++) {
                snprintf(command, sizeof command, "protect %s data --keys a,b,c --hierarchies a,b,c --k %d --max-suppression 0.2%s",
                         method ? "datafly" : "generalize", k, keep ? " --keep-suppressed" : "");
                run_ok(command);
                const Table *out = output();
                int64_t smallest = INT64_MAX, blank = 0;
                for (int64_t i = 0; i < out->rows; i++) {
                    const int64_t alike = alike_with(out, i);
                    const bool suppressed = is_blank(out, i);
                    blank += suppressed;
                    if (alike < smallest) smallest = alike;
                    assert_true(alike >= k || (keep && suppressed));
                }
                const bool few = value("suppressed") > 0 && value("suppressed") < k;
                assert_true(value("smallest") == (double)smallest);
                assert_true(value("left_out") == (few && !keep ? value("suppressed") : 0));
                assert_true((double)blank == value("suppressed") - value("left_out"));
                assert_true((double)out->rows == rows - value("left_out"));
                assert_true(noted("Left out of the release") == (few && !keep) && noted("were kept") == (few && keep));
                left += few && !keep;
                stayed += blank >= k && !keep;
            }
        }
    assert_true(left >= 20 && stayed >= 5);
}

static void weights_of_keys(void **state) {
    (void)state;
    make_hierarchies();
    make_data(7);
    run_threads = 1;
    run_ok("protect generalize data --keys a,b,c --hierarchies a,b,c --k 4 --max-suppression 0.2 --weights a:3");
    run_threads = 2;
    double level = table_value("levels", "level", 0);
    run_ok("protect generalize data --keys a,b,c --hierarchies a,b,c --k 4 --max-suppression 0.2 --weights a:0.01");
    assert_true(table_value("levels", "level", 0) >= level);
}

static void missing_keys_and_presence(void **state) {
    (void)state;
    make_hierarchies();
    table_from("data", "a,b,c,s\nv0,v0,v0,q0\nv0,,v0,q1\nv1,v1,v1,q0\nv1,,v1,q1\n");
    run_ok("protect generalize data --keys a,b,c --hierarchies a,b,c --k 2 --max-suppression 0");
    assert_true(value("smallest") >= 2 && value("suppressed") == 0);
    table_from("all", "a,b,c\nv0,v0,v0\nv0,v1,v0\nv1,v1,v1\nv1,v1,v1\nv2,v2,v1\nv2,v2,v1\nv3,v3,v2\nv3,v3,v2\n");
    table_from("data", "a,b,c\nv0,v0,v0\nv1,v1,v1\nv2,v2,v1\n");
    run_ok("protect generalize data --keys a,b,c --hierarchies a,b,c --population all --delta-max 0.5");
    assert_true(value("suppressed") == 0);
    table_from("data", "a,b,c\nv0,v0,v0\nv0,v0,v0\n");
    run_bad("protect generalize data --keys a,b,c --hierarchies a,b,c --population all --delta-max 0.5", "population");
}

static void time_runs_out(void **state) {
    (void)state;
    make_hierarchies();
    make_data(5);
    run_ok("protect generalize data --keys a,b,c --hierarchies a,b,c --k 3 --max-suppression 1 --time-limit 0");
    assert_true(value("checked") < NODES && value("bound") <= value("score")); /* the best so far, and what is proven */
    double early = value("score"), bound = value("bound");
    run_ok("protect generalize data --keys a,b,c --hierarchies a,b,c --k 3 --max-suppression 1");
    assert_true(value("score") <= early && value("score") >= bound && value("bound") == value("score"));
}

/* Settled levels: of the nodes that keep the promise, the best that has them; and each such node by itself is itself. */
static void settled_levels(void **state) {
    (void)state;
    make_hierarchies();
    make_data(5);
    run_ok("protect generalize data --keys a,b,c --hierarchies a,b,c --k 3 --max-suppression 1 --runners-up 1000");
    const Table *best = result_find_table(last_result, "best");
    enum { SOME = 20 };
    int64_t count = best->rows < SOME ? best->rows : SOME;
    char node[SOME][33], command[256];
    double score[SOME];
    for (int64_t i = 0; i < count; i++) {
        char text[33];
        snprintf(node[i], sizeof node[i], "%s", column_cell(table_column(best, "levels"), i, text));
        score[i] = table_value("best", "score", i);
    }
    for (int64_t i = 0; i < count; i++) {
        int a, b, c;
        assert_int_equal(sscanf(node[i], "%d,%d,%d", &a, &b, &c), 3);
        snprintf(command, sizeof command,
                 "protect generalize data --keys a,b,c --hierarchies a,b,c --k 3 --max-suppression 1 --levels a:%d,b:%d,c:%d", a, b, c);
        run_ok(command);
        near(value("score"), score[i], 1e-12);
        assert_int_equal((int)table_value("levels", "level", 0), a);
        int64_t first = 0; /* the first of the list that has this level of b is the best of those */
        for (int x, y, z; sscanf(node[first], "%d,%d,%d", &x, &y, &z) == 3 && y != b;) first++;
        snprintf(command, sizeof command,
                 "protect generalize data --keys a,b,c --hierarchies a,b,c --k 3 --max-suppression 1 --levels b:%d", b);
        run_ok(command);
        near(value("score"), score[first], 1e-12);
    }
    run_bad("protect generalize data --keys a,b --hierarchies a,b --k 2 --levels z:1", "not a key");
    run_bad("protect generalize data --keys a,b --hierarchies a,b --k 2 --levels a:99", "last level");
    run_bad("protect generalize data --keys a,b --hierarchies a,b --k 2 --levels a:0.5", "whole");
}

static void bad_input(void **state) {
    (void)state;
    make_hierarchies();
    make_data(3);
    run_bad("protect generalize data --keys a,b --hierarchies a --k 2", "hierarchy for the key b");
    run_bad("protect generalize data --keys a,b --hierarchies a,b", "nothing to do");
    run_bad("protect generalize data --keys a,b --hierarchies a,b --l 2", "sensitive");
    run_bad("protect generalize data --keys a,b --hierarchies a,b --k 2 --weights z:2", "not a key");
    run_bad("protect generalize data --keys a,b --hierarchies a,b --k 2 --loss aecs --weights a:2", "loss");
    run_bad("protect generalize data --keys a,b --hierarchies a,b --k 1000", "no generalisation");
    run_bad("protect generalize data --keys a,s --hierarchies a,s --k 2 --l 2 --sensitive s", "also a key");
    table_from("b", "level0,level1\nv0,*\n");
    run_bad("protect generalize data --keys a,b --hierarchies a,b --k 2", "lacks a value");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(equals_the_exhaustive_search),
                                        cmocka_unit_test(fewer_than_k_are_left_out),
                                        cmocka_unit_test(too_alike_are_left_out),
                                        cmocka_unit_test(weights_of_keys),
                                        cmocka_unit_test(missing_keys_and_presence),
                                        cmocka_unit_test(time_runs_out),
                                        cmocka_unit_test(settled_levels),
                                        cmocka_unit_test(bad_input) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
