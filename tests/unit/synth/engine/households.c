/* Households and repeated measures: drawn whole, what they share is shared, neighbours are tied, time goes on; bad input. */
#include "methods.h"

enum { HOUSES = 700 };

static uint64_t word = 4711;
static int below(int n) {
    word = word * 6364136223846793005u + 1442695040888963407u;
    return (int)((word >> 33) % (uint64_t)n);
}

/* A head, in most households a partner of about the age, and children born when the head was 20 to 35. */
static void make_households(void) {
    static char text[200000];
    char *at = text + sprintf(text, "hid,region,relation,age,w\n");
    for (int h = 0; h < HOUSES; h++) {
        int region = below(3), head = 25 + below(40), partner = below(4) > 0, children = partner ? below(4) : 0;
        at += sprintf(at, "H%d,r%d,head,%d,%d\n", 1000 - h, region, head, 1 + region);
        if (partner) at += sprintf(at, "H%d,r%d,partner,%d,%d\n", 1000 - h, region, head - 2 + below(5), 1 + region);
        for (int c = 0; c < children; c++) {
            int age = head - 20 - below(15);
            at += sprintf(at, "H%d,r%d,child,%d,%d\n", 1000 - h, region, age < 0 ? 0 : age, 1 + region);
        }
    }
    table_from("t", text);
}

static const char *cell(const char *name, int64_t row) {
    static char number[4][33];
    static int turn;
    return column_cell(output_column(name), row, number[turn++ % 4]);
}

static void check_households(void) {
    int64_t households = 0, partners = 0;
    for (int64_t i = 0; i < output()->rows; i++) {
        bool first = !i || strcmp(cell("hid", i), cell("hid", i - 1));
        households += first;
        partners += !strcmp(cell("relation", i), "partner");
        assert_int_equal(first, !strcmp(cell("relation", i), "head"));
        if (!first) assert_string_equal(cell("region", i), cell("region", i - 1));
    }
    assert_int_equal(households, HOUSES);
    near((double)partners / HOUSES, .75, .06);
    const Table *ties = result_find_table(last_result, "ties");
    assert_string_equal(table_cell(ties, "column", 1, (char[33]){ 0 }), "age");
    near(table_number(ties, "synthetic", 1), table_number(ties, "original", 1), .12);
}

static void test_households(void **state) {
    (void)state;
    make_households();
    run_ok("synth cart t --household hid --vars region,relation,age");
    check_households();
    assert_int_equal(output()->columns, 4);
    assert_string_equal(output()->column[0]->name, "hid");
    run_ok("synth sequential t --household hid --vars region,relation,age --visit relation --predictors age~relation+previous_age+members");
    check_households();
    run_ok("synth cart t --household hid --weight w --n 2000");
    int64_t of_2 = 0, all = 0;
    for (int64_t i = 0; i < output()->rows; i++) {
        if (strcmp(cell("relation", i), "head")) continue;
        all++;
        of_2 += !strcmp(cell("region", i), "r2");
    }
    assert_int_equal(all, 2000);
    near((double)of_2 / 2000, .5, .06); /* weights 1, 2, 3 of equally many households */
}

static void test_threads_and_sets(void **state) {
    (void)state;
    make_households();
    run_threads = 1;
    run_ok_seeded(7, "synth cart t --household hid --vars region,relation,age --m 2 --stacked");
    Table *one = table_retain(output());
    run_threads = 3;
    run_ok_seeded(7, "synth cart t --household hid --vars region,relation,age --m 2 --stacked");
    assert_true(table_equal(one, output()));
    int64_t sets[3] = { 0 };
    for (int64_t i = 0; i < output()->rows; i++) sets[column_integer(output_column("set"), i)]++;
    assert_int_equal(sets[1] + sets[2], output()->rows);
    assert_true(sets[1] > HOUSES && sets[2] > HOUSES && sets[1] != sets[2]);
    table_release(one);
    run_threads = 2;
}

/* Rules of what is shared, of one member, and of both levels at once. */
static void test_rules(void **state) {
    (void)state;
    make_households();
    table_from("r", "rule\nregion != 'r1'\nrelation == 'child' -> age < 18\nregion == 'r0' -> age < 60\n");
    run_ok("synth cart t --household hid --vars region,relation,age --rules r");
    for (int64_t i = 0; i < output()->rows; i++) {
        double age = column_number(output_column("age"), i);
        assert_string_not_equal(cell("region", i), "r1");
        if (!strcmp(cell("relation", i), "child")) assert_true(age < 18);
        if (!strcmp(cell("region", i), "r0")) assert_true(age < 60);
    }
}

/* The table with whole numbers as dates, as "t". */
static void date_column(const Table *from, const char *name) {
    Column *dates;
    Table *made;
    assert_int_equal(column_new(DATE_TYPE, name, from->rows, &dates, &last_error), OK);
    for (int64_t i = 0; i < from->rows; i++) dates->date[i] = (int32_t)table_number(from, name, i);
    assert_int_equal(table_with(from, &dates, 1, &made, &last_error), OK);
    column_release(dates);
    shelve("t", made);
}

/* Visits of a patient: dates go on, pressure follows the visit before. */
static void test_measures(void **state) {
    (void)state;
    static char text[200000];
    char *at = text + sprintf(text, "visit,patient,pressure,sex\n");
    for (int p = 0; p < 400; p++) {
        int visits = 1 + below(6), day = below(300), pressure = 100 + below(60), sex = below(2);
        for (int v = 0; v < visits; v++, day += 20 + below(20)) {
            pressure += below(7) - 3;
            at += sprintf(at, "%d,%d,%d,%d\n", day, p, pressure, sex);
        }
    }
    date_column(table_from("days", text), "visit");
    run_ok("synth cart t --household patient --order visit");
    assert_int_equal(output_column("visit")->type, DATE_TYPE);
    for (int64_t i = 1; i < output()->rows; i++) {
        if (column_integer(output_column("patient"), i) != column_integer(output_column("patient"), i - 1)) continue;
        assert_true(output_column("visit")->date[i] - output_column("visit")->date[i - 1] >= 20);
        assert_int_equal(column_integer(output_column("sex"), i), column_integer(output_column("sex"), i - 1));
    }
    const Table *ties = result_find_table(last_result, "ties");
    near(table_number(ties, "original", 0), .98, .02);
    near(table_number(ties, "synthetic", 0), .97, .03);
}

/* Patients in one file, some of whom never came, their visits in another. */
static void make_files(void) {
    static char patients[40000], visits[200000];
    char *p = patients + sprintf(patients, "arm,id,sex\n"), *v = visits + sprintf(visits, "id,visit,pressure\n");
    for (int i = 0; i < 600; i++) {
        int arm = below(3), sex = below(2), many = arm == 2 ? 0 : 1 + below(4);
        p += sprintf(p, "a%d,P%d,%c\n", arm, i, sex ? 'f' : 'm');
        for (int k = 0, day = below(100); k < many; k++, day += 10 + below(5))
            v += sprintf(v, "P%d,%d,%d\n", i, day, 100 + 50 * sex + below(20));
    }
    table_from("p", patients);
    table_from("v", visits);
}

/* Every visit's patient is in the patients' file, once; who never comes stays away; what a visit has goes with its patient. */
static void check_files(const Table *visits, const Table *patients, int64_t count) {
    assert_int_equal(patients->rows, count);
    assert_int_equal(patients->columns, 3);
    assert_string_equal(patients->column[0]->name, "arm");
    assert_int_equal(visits->columns, 3);
    int64_t at = 0, came = 0;
    char a[33], b[33];
    for (int64_t u = 0; u < count; u++) {
        const char *id = column_cell(table_column(patients, "id"), u, a);
        bool woman = table_cell(patients, "sex", u, (char[33]){ 0 })[0] == 'f',
             never = table_cell(patients, "arm", u, (char[33]){ 0 })[1] == '2';
        assert_int_equal(atoi(id), u + 1);
        int64_t first = at;
        for (; at < visits->rows && !strcmp(column_cell(table_column(visits, "id"), at, b), id); at++) {
            assert_int_equal(table_number(visits, "pressure", at) >= 150, woman);
            if (at > first) assert_true(table_number(visits, "visit", at) - table_number(visits, "visit", at - 1) >= 10);
        }
        assert_int_equal(at > first, !never);
        came += at > first;
    }
    assert_int_equal(at, visits->rows);
    near((double)came / (double)count, 2 / 3., .08);
}

static void test_two_files(void **state) {
    (void)state;
    make_files();
    run_ok("synth cart v --household id --households p --order visit --m 2");
    assert_int_equal(last_result->outputs, 4);
    check_files(last_result->output[0], last_result->output[1], 600);
    check_files(last_result->output[2], last_result->output[3], 600);
    near(value("households"), 600, 0);
    near(value("tables_made"), 4, 0);
    run_ok(
        "synth sequential v --household id --households p --order visit --models pressure:cart,members:cart --vars visit,pressure --n 900");
    check_files(last_result->output[0], last_result->output[1], 900);
    run_ok("synth cart v --household id --households p --order visit --m 2 --stacked");
    assert_int_equal(last_result->outputs, 2);
    assert_int_equal(last_result->output[1]->rows, 1200);
    assert_string_equal(last_result->output[1]->column[0]->name, "set");
    table_from("r", "rule\nsex == 'f' -> pressure < 160\narm != 'a1'\n");
    run_ok("synth cart v --household id --households p --order visit --rules r --evaluate");
    for (int64_t i = 0; i < last_result->output[0]->rows; i++) {
        double pressure = table_number(last_result->output[0], "pressure", i);
        assert_true(pressure < 160);
    }
    for (int64_t u = 0; u < 600; u++) assert_true(table_cell(last_result->output[1], "arm", u, (char[33]){ 0 })[1] != '1');
    table_from("r", "rule\npressure < 0\n");
    run_bad("synth cart v --household id --households p --rules r", "cannot be kept");
}

static void test_bad_files(void **state) {
    (void)state;
    table_from("v", "h,x,w\n1,2,1\n1,3,1\n2,5,1\n");
    run_bad("synth cart v --households v", "household");
    table_from("p", "h,y\n1,a\n2,b\n1,c\n");
    run_bad("synth cart v --household h --households p", "a second time");
    table_from("p", "h,y\n1,a\n3,b\n");
    run_bad("synth cart v --household h --households p", "lacks the household of a member");
    table_from("p", "h,y\n1,a\n,b\n2,c\n");
    run_bad("synth cart v --household h --households p", "without a number");
    table_from("p", "h,x\n1,1\n2,2\n");
    run_bad("synth cart v --household h --households p", "both files");
    table_from("p", "k,y\n1,1\n2,2\n");
    run_bad("synth cart v --household h --households p", "no column of the name");
    table_from("p", "h,y\n1,a\n2,b\n3,c\n");
    run_bad("synth cart v --household h --households p --weight w", "has no weight");
    table_from("p", "h,y\na,a\n2,b\n1,c\n");
    run_bad("synth cart v --household h --households p", "words in the other");
    table_from("p", "h,y\n");
    run_bad("synth cart v --household h --households p", "empty");
    table_from("p", "h\n1\n2\n");
    run_ok("synth cart v --household h --households p --weight w");
    table_from("v", "h,x\n");
    table_from("p", "h,y\n1,a\n");
    run_bad("synth cart v --household h --households p", "empty");
}

static void test_bad(void **state) {
    (void)state;
    table_from("t", "h,x,o,s\n1,2,a,x\n1,3,b,x\n2,5,c,y\n2,6,,y\n");
    run_bad("synth cart t --household h --strata s", "not in strata");
    run_bad("synth cart t --household h --order o", "numbers or dates");
    run_bad("synth cart t --household o", "without a household");
    run_bad("synth cart t --order x", "household");
    table_from("r", "rule\nx > 1\n");
    run_bad("synth cart t --household h --order x --rules r", "steps");
    run_bad("synth cart t --household h --visit h", "not synthesised");
    run_ok("synth cart t --household h");
    table_from("e", "h,x\n");
    run_bad("synth cart e --household h", "empty");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_households), cmocka_unit_test(test_threads_and_sets),
                                        cmocka_unit_test(test_rules),      cmocka_unit_test(test_measures),
                                        cmocka_unit_test(test_two_files),  cmocka_unit_test(test_bad_files),
                                        cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
