/* Every draw is finite or the method fails: methods that draw numbers, on columns of every size that a double has. A draw that is no number
 * must not pass for a missing value, nor infinity for a number. */
#include "methods.h"

enum { ROWS = 240 };

/* Three columns of the kind `k`, keys beside them, every twelfth cell of the first missing. */
static void make(int k) {
    Buffer text = { 0 };
    uint64_t w = 88172645463325252u + (uint64_t)k;
    buffer_print(&text, "x,y,z,g,h\n");
    for (int i = 0; i < ROWS; i++) {
        double v[3];
        for (int j = 0; j < 3; j++) {
            w ^= w << 13, w ^= w >> 7, w ^= w << 17;
            const double u = ((double)(w >> 11) + 0.5) * 0x1p-53;
            const double kinds[] = { u,
                                     u * 1e300,
                                     u * 1e-300,
                                     1e16 + 1e3 * u,
                                     j ? u : 7,                        /* constant */
                                     exp(700 * (2 * u - 1)),           /* 600 powers of ten */
                                     u < 0.97 ? 0 : 1e5 * u,           /* nearly all zero */
                                     (u < 0.5 ? -1 : 1) * 1.7e308 * u, /* differences overflow */
                                     -log(u) * (j == 1 ? 1e-160 : 1),  /* squares underflow */
                                     floor(u * 3) * 5e-324 };          /* denormal */
            v[j] = kinds[k];
        }
        if (i % 12 == 5) buffer_print(&text, ",");
        else buffer_print(&text, "%.17g,", v[0]);
        buffer_print(&text, "%.17g,%.17g,%c,%d\n", v[1], v[2], "pqr"[i % 3], i % 5);
    }
    table_from("t", buffer_get(&text));
    buffer_free(&text);
}
enum { KINDS = 10 };

/* What is present and finite before is so after; of new records nothing but what was missing may be. */
static void check(const char *command, const Table *before) {
    const Table *after = output();
    for (int64_t j = 0; j < after->columns; j++) {
        const Column *now = after->column[j], *then = table_column(before, now->name);
        if (!then || !column_numeric(now)) continue;
        const bool same_rows = now->rows == then->rows && !strstr(command, "synth ") && !strstr(command, "recombine");
        for (int64_t i = 0; i < now->rows; i++) {
            const bool allowed = same_rows ? column_missing(then, i) : then->missing > 0;
            const bool fine = column_missing(now, i) ? allowed : isfinite(column_number(now, i));
            if (!fine) print_error("%s: row %d of %s\n", command, (int)i, now->name);
            assert_true(fine);
        }
    }
}

static void test_draws(void **state) {
    (void)state;
    static const char *const commands[] = { "protect noise t --vars x,y,z --amount 0.3",
                                            "protect noise t --vars x,y,z --amount 0.3 --method correlated",
                                            "protect noise t --vars x,y,z --amount 0.3 --method own-distribution",
                                            "protect noise t --vars x,y,z --amount 0.3 --method laplace",
                                            "protect noise t --vars x,y,z --amount 0.3 --method kim",
                                            "protect noise t --vars x,y,z --amount 0.3 --method multiplicative",
                                            "protect distort t --vars x,y,z",
                                            "protect distort t --vars x,y,z --distribution normal",
                                            "protect distort t --vars x,y,z --distribution lognormal",
                                            "protect distort t --vars x,y,z --distribution gamma",
                                            "protect distort t --vars x,y,z --distribution weibull",
                                            "protect distort t --vars x,y,z --distribution exponential",
                                            "protect distort t --vars x,y,z --distribution kernel",
                                            "protect bootstrap t --vars x,y,z",
                                            "protect rank-swap t --vars x,y,z --range 5",
                                            "protect resample t --vars x,y,z",
                                            "protect carlson-salabasis t --vars x,y",
                                            "protect shuffle t --confidential x,y --nonconfidential z,h",
                                            "protect recombine t --groups x,y --match z --k 5",
                                            "protect massc t --core g,h",
                                            "synth cart t --vars x,y,z,g",
                                            "synth sequential t --vars x,y,z,g",
                                            "synth copula t --vars x,y,z,g" };
    int ran = 0, tried = 0;
    for (int k = 0; k < KINDS; k++) {
        make(k);
        for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
            tried++;
            const Status status = run_seeded(1, commands[c]);
            if (status && getenv("SAY")) print_message("%d %s: %s\n", k, commands[c], last_error.message);
            if (!status) check(commands[c], shelf[0]);
            else assert_true(strlen(last_error.message) > 10);
            ran += !status;
        }
    }
    assert_true(2 * ran > tried);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_draws) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
