/* δ-presence: by hand, against all pairs with missing keys, the edges. */
#include "methods.h"

static void by_hand(void **state) {
    (void)state;
    table_from("d", "sex,town\nf,X\nf,X\nm,Y\n");
    table_from("p", "sex,town\nf,X\nf,X\nf,X\nf,X\nm,Y\nm,X\nm,X\n");
    run_ok("risk presence d --population p --keys sex,town");
    near(value("delta_min"), 0, 0); /* men in X */
    near(value("delta_max"), 1, 0); /* the man in Y */
    near(value("certain_present"), 1, 0);
    near(value("certain_absent"), 2, 0);
    near(value("classes"), 3, 0);
    near(value("unmatched"), 0, 0);
    assert_string_equal(cells_of(last_result->column[0].column), "0.5 0.5 1");
    run_ok("risk presence d --population p --keys sex");
    near(value("delta_min"), 1.0 / 3, 1e-15);
    near(value("delta_max"), 0.5, 0);
}

static bool agrees(const Table *a, int64_t i, const Table *b, int64_t k, bool wildcard) {
    for (int64_t j = 0; j < a->columns; j++) {
        bool x = column_missing(a->column[j], i), y = column_missing(b->column[j], k);
        if (x || y ? !(wildcard || (x && y)) : column_number(a->column[j], i) != column_number(b->column[j], k)) return false;
    }
    return true;
}

static Table *drawn(const char *name, RandomReader *reader, int rows) {
    char text[8192] = "a,b,c\n";
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 3; j++) {
            uint64_t v = reader_below(reader, 5);
            sprintf(text + strlen(text), v ? "%llu%s" : "%.0llu%s", (unsigned long long)v, j < 2 ? "," : "\n");
        }
    return table_from(name, text);
}

static void all_pairs(void **state) {
    (void)state;
    Seed seed = seed_from_number(7);
    RandomStream stream = stream_make(&seed, "test", 0, "p", "draw");
    RandomReader reader = reader_make(&stream);
    const Table *d = drawn("d", &reader, 40), *p = drawn("p", &reader, 90);
    for (int wildcard = 0; wildcard < 2; wildcard++) {
        double least = INFINITY, most = 0;
        for (int64_t i = 0; i < p->rows; i++) {
            int f = 0, F = 0;
            for (int64_t k = 0; k < d->rows; k++) f += agrees(p, i, d, k, wildcard);
            for (int64_t k = 0; k < p->rows; k++) F += agrees(p, i, p, k, wildcard);
            least = fmin(least, (double)f / F);
            most = fmax(most, (double)f / F);
        }
        run_ok(wildcard ? "risk presence d --population p --keys a,b,c --missing wildcard"
                        : "risk presence d --population p --keys a,b,c --missing category");
        near(value("delta_min"), least, 1e-15);
        near(value("delta_max"), most, 1e-15);
    }
}

static void edges(void **state) {
    (void)state;
    table_from("d", "a,b\n1,x\n2,y\n");
    table_from("none", "a,b\n");
    table_from("p", "a,b\n1,x\n1,x\n");
    run_ok("risk presence d --population none --keys a");
    assert_int_equal(result_find(last_result, "delta_max")->kind, VALUE_NULL);
    near(value("unmatched"), 2, 0);
    run_ok("risk presence none --population p --keys a");
    near(value("delta_max"), 0, 0);
    run_ok("risk presence d --population p --keys a");
    near(value("unmatched"), 1, 0);
    assert_string_equal(cells_of(last_result->column[0].column), "0.5 .");
    table_from("other", "z\n1\n");
    run_bad("risk presence d --population other --keys a", "no column 'a'");
    run_bad("risk presence d --keys a", "population");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_hand), cmocka_unit_test(all_pairs), cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
