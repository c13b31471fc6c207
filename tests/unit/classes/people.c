/* Distinct people in each class: against counting by hand on small random tables. */
#include "methods.h"
#include "classes/equivalence_class.h"

static void against_every_row(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int round = 0; round < 500; round++) {
        enum { MOST = 20 };
        int key[MOST], who[MOST], rows = 1 + round % MOST;
        char text[400] = "key,who\n";
        for (int i = 0; i < rows; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            key[i] = (int)(seed >> 60) % 4;
            who[i] = (int)(seed >> 50) % 7; /* 0: no person is named */
            sprintf(text + strlen(text), who[i] ? "%d,%d\n" : "%d,%.0d\n", key[i], who[i]);
        }
        const Table *table = table_from("t", text);
        Arena *arena = arena_new();
        Work work = { .arena = arena, .error = &last_error };
        Classes classes;
        int64_t *people = NULL, *records = NULL;
        assert_int_equal(classes_make_by(&work, (Columns){ 1, (const Column *[]){ table->column[0] } }, CATEGORY_RULE, &classes), OK);
        assert_int_equal(classes_people(&work, &classes, table->column[1], &people), OK);
        assert_int_equal(classes_people(&work, &classes, NULL, &records), OK);
        for (int64_t c = 0; c < classes.count; c++) {
            int distinct = 0, size = 0;
            for (int i = 0; i < rows; i++) {
                bool first = classes.of[i] == c;
                size += first;
                for (int o = 0; o < i && who[i]; o++) first &= classes.of[o] != c || who[o] != who[i];
                distinct += first;
            }
            assert_int_equal(people[c], distinct);
            assert_int_equal(records[c], size);
        }
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(against_every_row) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
