/* SUDA: against all subsets of keys (both rules for missing keys), sdcMicro's scores, DIS and contributions, threads, the edges. */
#include "methods.h"

enum { KEYS = 6, MOST = 80 };
static int cell[MOST][KEYS]; /* 0 = missing */

static Table *drawn(uint64_t number, int rows, int values, bool holes) {
    Seed seed = seed_from_number(number);
    RandomStream stream = stream_make(&seed, "test", 0, "suda", "draw");
    RandomReader reader = reader_make(&stream);
    char text[8192] = "a,b,c,d,e,f\n";
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < KEYS; j++) {
            cell[i][j] = 1 + (int)reader_below(&reader, (uint64_t)values);
            if (holes && !reader_below(&reader, 12)) cell[i][j] = 0;
            sprintf(text + strlen(text), cell[i][j] ? "%d%s" : "%.0d%s", cell[i][j], j < KEYS - 1 ? "," : "\n");
        }
    return table_from("t", text);
}

static bool alone(int rows, int i, int set, bool wildcard) {
    for (int k = 0; k < rows; k++) {
        bool same = k != i;
        for (int j = 0; same && j < KEYS; j++)
            if (set >> j & 1) same = cell[i][j] == cell[k][j] || (wildcard && (!cell[i][j] || !cell[k][j]));
        if (same) return false;
    }
    return true;
}

/* All sets of keys: unique, and no part unique. */
static int count_minimal(int rows, int i, int most, bool wildcard, double *score) {
    bool unique[1 << KEYS] = { false };
    int count = 0;
    *score = 0;
    for (int set = 1; set < 1 << KEYS; set++) {
        bool part = false;
        unique[set] = alone(rows, i, set, wildcard);
        for (int j = 0; j < KEYS; j++) part |= (set >> j & 1) && unique[set & ~(1 << j)];
        if (!unique[set] || part || __builtin_popcount((unsigned)set) > most) continue;
        double weight = 1;
        for (int k = __builtin_popcount((unsigned)set); k < most; k++) weight *= KEYS - k;
        *score += weight;
        count++;
    }
    return count;
}

static void all_subsets(void **state) {
    (void)state;
    for (int round = 0; round < 24; round++) {
        bool holes = round % 2, wildcard = round % 4 == 1;
        int rows = 20 + round * 2, most = 1 + round % KEYS, all = 0, records = 0;
        char command[128];
        drawn((uint64_t)round, rows, 2 + round % 4, holes);
        sprintf(command, "risk suda t --keys a,b,c,d,e,f --max-size %d --missing %s", most, wildcard ? "wildcard" : "category");
        run_ok(command);
        const Column *score = last_result->column[0].column, *msu = last_result->column[2].column;
        assert_string_equal(msu->name, "msu");
        for (int i = 0; i < rows; i++) {
            double wanted;
            int count = count_minimal(rows, i, most, wildcard, &wanted);
            assert_int_equal((int)column_integer(msu, i), count);
            near(score->real[i], wanted, 0);
            all += count;
            records += count > 0;
        }
        near(value("msus"), all, 0);
        near(value("records"), records, 0);
    }
}

/* sdcMicro's suda2: scores and contributions exact, DIS to its own single-precision rounding. */
static void against(const char *data, const char *peer, const char *contributions, const char *keys, const char *more) {
    char command[256];
    table_from_file("data", data);
    const Table *p = table_from_file("peer", peer), *c = table_from_file("contributions", contributions);
    sprintf(command, "risk suda data --keys %s %s", keys, more);
    run_ok(command);
    const Column *score = table_column(p, "score"), *dis = table_column(p, "disScore"), *share = table_column(c, "contribution");
    for (int64_t i = 0; i < p->rows; i++) {
        near(last_result->column[0].column->real[i], column_number(score, i), 1e-9);
        if (!isnan(column_number(dis, i))) near(last_result->column[1].column->real[i], column_number(dis, i), 1e-7);
    }
    for (int64_t k = 0; k < c->rows; k++) near(table_value("contributions", "contribution", k), column_number(share, k), 1e-9);
}

static void peers(void **state) {
    (void)state;
    const char *seven = "urbrur,roof,walls,water,electcon,relat,sex", *four = "water,electcon,relat,sex";
#define PEER(name) "../shared/reference/sdcmicro/" name ".csv", "../shared/reference/sdcmicro/" name "_attr.csv"
    against("../shared/data/sdcmicro_testdata2.csv", PEER("testdata2_suda_4k"), four, "--max-size 4");
    against("../shared/data/sdcmicro_testdata2.csv", PEER("testdata2_suda_4k_dis01"), four, "--dis-fraction 0.1 --max-size 4");
    against("../shared/data/sdcmicro_testdata2.csv", PEER("testdata2_suda_7k"), seven, "--max-size 7");
    against("../shared/data/sdcmicro_testdata.csv", PEER("testdata_suda_4k"), four, "--max-size 64");
    against("../shared/data/sdcmicro_testdata.csv", PEER("testdata_suda_7k"), seven, "--max-size 7");
}

static void same_for_any_threads(void **state) {
    (void)state;
    double seen[2][2];
    drawn(99, 80, 4, true);
    for (int t = 0; t < 2; t++) {
        run_threads = t ? 4 : 1;
        run_ok("risk suda t --keys a,b,c,d,e,f --max-size 6");
        seen[t][0] = value("mean_dis");
        seen[t][1] = table_value("contributions", "contribution", 2);
    }
    run_threads = 2;
    assert_true(seen[0][0] == seen[1][0] && seen[0][1] == seen[1][1]);
}

static void edges(void **state) {
    (void)state;
    table_from("none", "a,b\n");
    run_ok("risk suda none --keys a,b");
    near(value("msus"), 0, 0);
    table_from("one", "a,b\n1,2\n");
    run_ok("risk suda one --keys a,b");
    near(value("msus"), 2, 0); /* either key; the empty set does not count */
    table_from("same", "a,b\n1,1\n1,1\n");
    run_ok("risk suda same --keys a,b");
    near(value("records"), 0, 0);
    table_from("m", "a,b\n,\n,\n1,2\n");
    run_ok("risk suda m --keys a,b --missing wildcard");
    near(value("records"), 0, 0);
    run_ok("risk suda m --keys a,b --missing category");
    near(value("records"), 1, 0);
    drawn(3, 60, 3, false);
    run_ok("risk suda t --keys a,b,c,d,e,f"); /* three keys at most, unless asked for more */
    double three = value("msus");
    run_ok("risk suda t --keys a,b,c,d,e,f --max-size 3");
    near(value("msus"), three, 0);
    run_ok("risk suda t --keys a,b,c,d,e,f --max-size 6");
    assert_true(value("msus") > three);
    table_from("m", "a,b\n,\n,\n1,2\n");
    run_bad("risk suda m --keys a,b --max-size 0", "must be");
    run_bad("risk suda m --keys a,b --dis-fraction 1", "dis-fraction");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(all_subsets), cmocka_unit_test(peers), cmocka_unit_test(same_for_any_threads),
                                        cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
