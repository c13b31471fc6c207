/* μ-Argus: no pair (or triple) is rare afterwards; recoding comes before suppression; without hierarchies there is none. */
#include "methods.h"

static void make_data(void) {
    static char text[20000];
    uint64_t state = 11;
    size_t at = (size_t)sprintf(text, "a,b,c,d\n");
    for (int i = 0; i < 300; i++)
        for (int k = 0; k < 4; k++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            int x = (int)(state >> 40) % 8, y = (int)(state >> 50) % 8;
            at += (size_t)sprintf(text + at, "%d%c", x < y ? x : y, k < 3 ? ',' : '\n');
        }
    table_from("data", text);
    for (int k = 0; k < 4; k++)
        table_from((char[]){ (char)('a' + k), 0 },
                   "level0,level1,level2\n0,x0,*\n1,x0,*\n2,x1,*\n3,x1,*\n4,x2,*\n5,x2,*\n6,x2,*\n7,x2,*\n");
}

/* The least number of records that agree on some `size` keys. */
static int64_t least(const Table *t, int size) {
    int64_t k = INT64_MAX;
    for (int set = 0; set < 16; set++) {
        if (__builtin_popcount((unsigned)set) != size) continue;
        for (int64_t i = 0; i < t->rows; i++) {
            int64_t f = 0;
            for (int64_t j = 0; j < t->rows; j++) {
                bool agree = true;
                char x[33], y[33];
                for (int key = 0; key < 4; key++) {
                    if (!(set >> key & 1)) continue;
                    const char *u = column_cell(t->column[key], i, x), *v = column_cell(t->column[key], j, y);
                    agree &= !u || !v || !strcmp(u, v);
                }
                f += agree;
            }
            if (f < k) k = f;
        }
    }
    return k;
}

static void no_rare_combination_is_left(void **state) {
    (void)state;
    make_data();
    for (int size = 2; size <= 3; size++) {
        char command[200];
        sprintf(command, "protect argus data --keys a,b,c,d --hierarchies a,b,c,d --k 5 --combinations %d", size);
        run_ok(command);
        assert_true(least(output(), size) >= 5);
        assert_true(least(output(), size - 1) >= 5);
        assert_true(value("steps") > 0 && value("lower_bound") <= value("cells"));
        assert_true(value("unsafe") <= 0.05 * 300);
    }
    run_ok("protect argus data --keys a,b,c,d --k 5 --combinations 2");
    assert_true(value("steps") == 0 && least(output(), 2) >= 5);
    run_ok("protect argus data --keys a,b --k 5 --combinations 9");
    assert_true(least(output(), 2) >= 1);
    run_bad("protect argus data --keys a,b --k 500 --combinations 2", "records");
}

/* Without hierarchies much is blanked: where fewer than k records lost all their keys, they are not in the output, and every combination
 * that was asked for still has k records, a blank being a value. */
static void few_without_keys_are_left_out(void **state) {
    (void)state;
    enum { SOME = 24, SETS = 7 };
    int left = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        char text[1000] = "a,b,c\n", command[200];
        bool was_blank[SOME];
        size_t at = strlen(text);
        uint64_t word = seed;
        for (int cell = 0; cell < SOME * 3; cell++) {
            word = word * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const int x = (int)((word >> 40) % 5), y = (int)((word >> 50) % 5), missing = (word >> 33) % 5 == 0;
            was_blank[cell / 3] = missing && (cell % 3 == 0 || was_blank[cell / 3]);
            if (!missing) at += (size_t)sprintf(text + at, "v%d", x < y ? x : y);
            at += (size_t)sprintf(text + at, "%c", cell % 3 < 2 ? ',' : '\n');
        }
        table_from("data", text);
        for (int keep = 0; keep < 2; keep++) {
            const int size = 1 + (int)(seed % 2);
            snprintf(command, sizeof command, "protect argus data --keys a,b,c --k 4 --combinations %d%s", size,
                     keep ? " --keep-suppressed" : "");
            run_ok(command);
            const Table *out = output();
            int64_t blank = 0, suppressed = 0;
            for (int64_t i = 0; i < out->rows; i++) {
                const bool is_blank =
                    column_missing(out->column[0], i) && column_missing(out->column[1], i) && column_missing(out->column[2], i);
                blank += is_blank;
                suppressed += is_blank && !was_blank[out->origin ? out->origin[i] : i];
                for (int set = 1; set < SETS; set++) {
                    if (__builtin_popcount((unsigned)set) > size) continue;
                    int64_t f = 0;
                    for (int64_t j = 0; j < out->rows; j++) {
                        bool agree = true;
                        for (int key = 0; key < 3; key++) {
                            char x[33], y[33];
                            const char *u = column_cell(out->column[key], i, x), *v = column_cell(out->column[key], j, y);
                            if (set >> key & 1) agree &= u && v ? !strcmp(u, v) : u == v;
                        }
                        f += agree;
                    }
                    assert_true(f >= 4);
                }
            }
            assert_true(keep ? value("left_out") == 0 : blank >= 4 || !suppressed);
            assert_true((double)out->rows == SOME - value("left_out"));
            left += value("left_out") > 0;
        }
    }
    assert_true(left >= 5);
}

/* Several keys become one: region and job by hand, the combinations of one record folded. */
static void crosses(void **state) {
    (void)state;
    table_from("t", "region,job,sex,x\nn,a,f,1\nn,a,f,2\nn,b,m,3\ns,a,f,4\ns,a,m,5\ns,b,m,6\n,b,m,7\nn,,m,8\n");
    run_ok("protect argus t --keys region,job,sex --k 2 --combinations 1 --cross region,job");
    near(value("crossed"), 4, 0);
    near(value("folded"), 2, 0);
    assert_null(table_column(output(), "region"));
    assert_null(table_column(output(), "job"));
    assert_string_equal(cells_of(output_column("region.job")), "n.a n.a other s.a s.a other . .");
    assert_string_equal(cells_of(output_column("x")), "1 2 3 4 5 6 7 8");
    make_data();
    run_ok("protect argus data --keys a,b,c,d --hierarchies c,d --k 5 --combinations 2 --cross a,b");
    const Table *t = output();
    static const char *const names[] = { "a.b", "c", "d" };
    for (int one = 0; one < 3; one++)
        for (int other = 0; other < one; other++)
            for (int64_t i = 0; i < t->rows; i++) {
                int64_t f = 0;
                for (int64_t j = 0; j < t->rows; j++) {
                    bool agree = true;
                    for (int side = 0; side < 2; side++) {
                        char x[33], y[33];
                        const Column *column = table_column(t, names[side ? one : other]);
                        const char *u = column_cell(column, i, x), *v = column_cell(column, j, y);
                        agree &= !u || !v || !strcmp(u, v);
                    }
                    f += agree;
                }
                assert_true(f >= 5);
            }
    table_from("n", "x,g\n1,a\n1,a\n2,a\n2,a\n3,b\n3,b\n");
    run_ok("protect argus n --keys x,g --k 2 --cross x,g"); /* numbers, and no key left beside them */
    assert_string_equal(cells_of(output_column("x.g")), "1.a 1.a 2.a 2.a 3.b 3.b");
    run_bad("protect argus data --keys a,b --k 2 --cross a,c", "not a key");
    run_bad("protect argus data --keys a,b --k 2 --cross a", "two keys");
    run_bad("protect argus data --keys a,b,c --k 2 --cross 'a,b;b,c'", "twice");
    run_bad("protect argus data --keys a,b,c --k 2 --cross a,b --importance a", "importance");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(no_rare_combination_is_left), cmocka_unit_test(few_without_keys_are_left_out),
                                        cmocka_unit_test(crosses) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
