/* Mondrian: boxes of at least k that hold their records, strict ones disjoint, promises beyond k, missing keys. */
#include "methods.h"

enum { ROWS = 500 };

static void make_data(int missing) {
    static char text[ROWS * 30];
    uint64_t state = 5;
    size_t at = (size_t)sprintf(text, "age,sex,income,s\n");
    for (int i = 0; i < ROWS; i++) {
        uint64_t w[4];
        for (int k = 0; k < 4; k++) w[k] = (state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407)) >> 33;
        if (missing && i % 50 == 0) at += (size_t)sprintf(text + at, ",");
        else at += (size_t)sprintf(text + at, "%d,", 18 + (int)(w[0] % 60));
        at +=
            (size_t)sprintf(text + at, "%c,%g,%c\n", "fmx"[w[1] % 8 == 0 ? 2 : w[1] % 2], (double)(w[2] % 4000) / 4 - 100, "pqr"[w[3] % 3]);
    }
    table_from("data", text);
}

static void bounds_of(const char *cell, double *low, double *high) {
    if (sscanf(cell, "[%lf,%lf]", low, high) == 2) return;
    *low = *high = strtod(cell, NULL);
}

static int64_t alike(const Table *t, int64_t i) {
    int64_t count = 0;
    for (int64_t j = 0; j < t->rows; j++) {
        bool same = true;
        for (int c = 0; c < 3; c++) {
            char x[33], y[33];
            const char *u = column_cell(t->column[c], i, x), *v = column_cell(t->column[c], j, y);
            same &= same_text(u, v);
        }
        count += same;
    }
    return count;
}

static void boxes_hold_their_records(void **state) {
    (void)state;
    for (int cut = 0; cut < 2; cut++) {
        make_data(0);
        Table *data = table_retain(shelf[0]);
        run_ok(cut ? "protect mondrian data --keys age,sex,income --k 7 --cut relaxed"
                   : "protect mondrian data --keys age,sex,income --k 7");
        const Table *out = output();
        for (int64_t i = 0; i < ROWS; i++) {
            double low, high;
            char x[33];
            bounds_of(column_cell(out->column[0], i, x), &low, &high);
            assert_true((double)column_integer(data->column[0], i) >= low && (double)column_integer(data->column[0], i) <= high);
            bounds_of(column_cell(out->column[2], i, x), &low, &high);
            assert_true(data->column[2]->real[i] >= low && data->column[2]->real[i] <= high);
            assert_non_null(strstr(column_cell(out->column[1], i, x), data->column[1]->words->word[data->column[1]->code[i]]));
            assert_true(alike(out, i) >= 7);
        }
        assert_true(value("smallest") >= 7 && value("classes") > 20 && value("loss") < 0.5);
        if (cut) assert_true(value("largest") <= 14);
        table_release(data);
    }
}

static void promises_beyond_k(void **state) {
    (void)state;
    make_data(0);
    run_ok("protect mondrian data --keys age,sex,income --k 5");
    double free_classes = value("classes");
    run_ok("protect mondrian data --keys age,sex,income --k 5 --l 3 --sensitive s");
    assert_true(value("classes") <= free_classes);
    const Table *out = output();
    for (int64_t i = 0; i < ROWS; i++) {
        bool seen[3] = { false };
        for (int64_t j = 0; j < ROWS; j++) {
            bool same = true;
            char x[33], y[33];
            for (int c = 0; c < 3; c++) same &= same_text(column_cell(out->column[c], i, x), column_cell(out->column[c], j, y));
            if (same) seen[out->column[3]->code[j]] = true;
        }
        assert_true(seen[0] && seen[1] && seen[2]);
    }
    run_ok("protect mondrian data --keys age,sex,income --k 5 --t 0.1 --sensitive s");
    assert_true(value("classes") < free_classes);
    run_bad("protect mondrian data --keys age,sex --k 5 --l 4 --sensitive s", "as a whole");
    run_bad("protect mondrian data --keys age,sex --k 5 --l 2", "sensitive");
    run_bad("protect mondrian data --keys age,sex --k 501", "as a whole");
}

static void missing_and_edges(void **state) {
    (void)state;
    make_data(1);
    run_ok("protect mondrian data --keys age,sex,income --k 5");
    for (int64_t i = 0; i < ROWS; i++) assert_true(alike(output(), i) >= 5);
    table_from("data", "a,b\n");
    run_ok("protect mondrian data --keys a,b");
    assert_true(value("classes") == 0);
    table_from("data", "a,b\n,1\n,1\n,1\n");
    run_ok("protect mondrian data --keys a,b --k 3");
    assert_true(value("classes") == 1);
    assert_string_equal(cells_of(output_column("b")), "1 1 1");
    assert_int_equal(output_column("b")->type, INTEGER_TYPE); /* nothing was widened */
}

/* Parting at the median and sorting find the same boxes: a promise that always holds has every range sorted. */
static void parted_as_sorted(void **state) {
    (void)state;
    enum { MANY = 4000 };
    static char text[MANY * 40];
    uint64_t word = 11;
    for (int round = 0; round < 12; round++) {
        int rows = round % 3 ? 40 + 90 * round : MANY;
        size_t at = (size_t)sprintf(text, "a,b,s\n");
        for (int i = 0; i < rows; i++) {
            word = word * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            int spread = round % 2 ? 12 : 1000000;
            at += (size_t)sprintf(text + at, "%d,%d,x\n", (int)((word >> 33) % (uint64_t)spread), (int)((word >> 12) % 7));
        }
        table_from("data", text);
        char parted[90], sorted[120];
        sprintf(parted, "protect mondrian data --keys a,b --k %d", 2 + round % 5);
        sprintf(sorted, "%s --sensitive s --l 1", parted);
        run_ok(parted);
        Table *first = table_retain((Table *)(uintptr_t)output());
        double classes = value("classes"), squares = value("discernibility");
        run_ok(sorted);
        assert_true(value("classes") == classes && value("discernibility") == squares);
        for (int c = 0; c < 2; c++)
            for (int64_t i = 0; i < rows; i++) {
                char x[33], y[33];
                assert_true(same_text(column_cell(first->column[c], i, x), column_cell(output()->column[c], i, y)));
            }
        table_release(first);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(boxes_hold_their_records), cmocka_unit_test(promises_beyond_k),
                                        cmocka_unit_test(parted_as_sorted), cmocka_unit_test(missing_and_edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
