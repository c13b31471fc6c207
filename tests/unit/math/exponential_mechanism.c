/* Exact choices: their frequencies, extreme rates, and that every place of the exponential mechanism is reached as often as it should be.
 */
#include "math/exponential_mechanism.h"
#include <math.h>
#include "tables.h"

static void draw(Work *work, RandomBits *bits, uint64_t num, uint64_t den, const Choice *choice, int64_t count, int64_t draws,
                 int64_t *seen) {
    for (int64_t i = 0; i < count; i++) seen[i] = 0;
    for (int64_t i = 0; i < draws; i++) {
        int64_t chosen;
        tables_ok(exponential_mechanism(work, bits, num, den, choice, count, &chosen));
        assert_in_range(chosen, 0, count - 1);
        seen[chosen]++;
    }
}

/* χ² of 20,000 draws against the probabilities, fixed seed: beyond 40 on at most 9 degrees has a false-alarm rate below 1e-5. */
static void frequencies(void **state) {
    (void)state;
    static const struct {
        uint64_t num, den;
        Choice choice[6];
        int64_t count;
    } list[] = { { 1, 2, { { 1, 0 }, { 1, 1 }, { 1, 2 }, { 1, 3 } }, 4 },
                 { 3, 10, { { 5, 0 }, { 100, 4 }, { 1, 4 }, { 7, 9 }, { 1000, 20 } }, 5 },
                 { 1, 1, { { 1, 7 }, { 3, 8 } }, 2 },
                 { 1, UINT64_C(1) << 40, { { 2, 0 }, { 3, 1 }, { 5, 100 } }, 3 },
                 { 900, 1, { { 1, 0 }, { UINT64_C(1) << 40, 1 } }, 2 } };
    Work work = tables_work(1);
    RandomBits bits = { 0 };
    Seed seed = seed_from_number(11);
    RandomStream stream = stream_make(&seed, "test", 0, "", "");
    RandomReader reader = reader_make(&stream);
    tables_ok(random_bits_open_reader(&bits, &reader, &tables_error));
    for (size_t t = 0; t < sizeof list / sizeof *list; t++) {
        int64_t seen[6];
        double total = 0, sum = 0, rate = (double)list[t].num / (double)list[t].den;
        draw(&work, &bits, list[t].num, list[t].den, list[t].choice, list[t].count, 20000, seen);
        for (int64_t i = 0; i < list[t].count; i++) total += (double)list[t].choice[i].weight * exp(-rate * (double)list[t].choice[i].loss);
        for (int64_t i = 0; i < list[t].count; i++) {
            double wanted = 20000 * (double)list[t].choice[i].weight * exp(-rate * (double)list[t].choice[i].loss) / total;
            if (wanted < 1e-9) assert_int_equal(seen[i], 0);
            else sum += ((double)seen[i] - wanted) * ((double)seen[i] - wanted) / wanted;
        }
        assert_true(sum < 40);
    }
    random_bits_close(&bits);
    arena_free(work.arena);
}

static void refusals(void **state) {
    (void)state;
    Work work = tables_work(1);
    RandomBits bits = { 0 };
    const uint64_t words[] = { 1, 2 };
    int64_t chosen;
    tables_ok(random_bits_open_known(&bits, words, 2, &tables_error));
    assert_int_equal(exponential_mechanism(&work, &bits, 0, 1, &(Choice){ 1, 0 }, 1, &chosen), BAD);
    assert_int_equal(exponential_mechanism(&work, &bits, UINT64_MAX, 1, &(Choice){ 1, 0 }, 1, &chosen), BAD);
    assert_int_equal(exponential_mechanism(&work, &bits, 1, 1, &(Choice){ 1, 0 }, 1, &chosen), FAILED); /* the words run out */
    random_bits_close(&bits);
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(frequencies), cmocka_unit_test(refusals) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
