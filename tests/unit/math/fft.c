/* Transforms against their definition, and there and back. */
#include <math.h>
#include <stdlib.h>
#include "tables.h"
#include "base/random.h"
#include "math/fft.h"

static void check(int64_t size, uint64_t number) {
    Work work = tables_work(1);
    Seed seed = seed_from_number(number);
    RandomStream stream = stream_make(&seed, "test", size, "", "fft");
    RandomReader reader = reader_make(&stream);
    Complex *x = calloc((size_t)size, sizeof *x), *y = calloc((size_t)size, sizeof *y);
    Fft fft;
    tables_ok(fft_make(&work, size, &fft));
    for (int64_t k = 0; k < size; k++) x[k] = y[k] = (Complex){ reader_normal(&reader), reader_normal(&reader) };
    fft_forward(&fft, y);
    for (int64_t k = 0; k<size; k += size> 64 ? size / 7 : 1) {
        double re = 0, im = 0;
        for (int64_t j = 0; j < size; j++) {
            double turn = -2 * M_PI * (double)((j * k) % size) / (double)size;
            re += x[j].re * cos(turn) - x[j].im * sin(turn);
            im += x[j].re * sin(turn) + x[j].im * cos(turn);
        }
        assert_true(fabs(y[k].re - re) < 1e-12 * (double)size && fabs(y[k].im - im) < 1e-12 * (double)size);
    }
    fft_inverse(&fft, y);
    for (int64_t k = 0; k < size; k++) assert_true(fabs(y[k].re - x[k].re) < 1e-13 && fabs(y[k].im - x[k].im) < 1e-13);
    fft_drop(&work, &fft);
    free(x);
    free(y);
    arena_free(work.arena);
}

static void transforms(void **state) {
    (void)state;
    for (int64_t size = 2; size <= 1 << 14; size *= 2) check(size, (uint64_t)size + 3);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(transforms) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
