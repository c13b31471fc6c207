/* A memo: the same answers as without, made once; nothing of columns that are not its own; several threads; what fails is made again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "classes/equivalence_class.h"
#include "table/column_cache.h"
#include <cmocka.h> /* last: its fail() is a macro */

enum { ROWS = 5000 };
static Error error;

static Column *integers(const char *name, int64_t times, int64_t values) {
    Column *column;
    assert_int_equal(column_new(INTEGER_TYPE, name, ROWS, &column, &error), OK);
    for (int64_t i = 0; i < ROWS; i++) column->integer[i] = i * times % values;
    column_seal(column);
    return column;
}

static Table *table_made(void) {
    Column *column[] = { integers("a", 7, 31), integers("b", 3, 8), integers("c", 5, 11) };
    Table *table;
    assert_int_equal(table_new("t", column, 3, ROWS, &table, &error), OK);
    for (int j = 0; j < 3; j++) column_release(column[j]);
    return table;
}

static void same_answers(void **state) {
    (void)state;
    Table *table = table_made();
    Work plain = { .arena = arena_new(), .error = &error, .threads = 1 }, work = plain, later = { .error = &error, .threads = 1 };
    Columns keys = { .count = 3, .at = (const Column **)table->column };
    Classes expected, first, again;
    Codes codes, codes_again;
    const double *reals, *reals_again;
    assert_int_equal(cache_make(&work, (Columns){ .count = 3, .at = (const Column **)table->column }, &work.memo), OK);
    work.arena = arena_new();
    assert_int_equal(classes_make(&plain, keys, &expected), OK);
    assert_int_equal(classes_make(&work, keys, &first), OK);
    assert_int_equal(column_codes(&work, keys.at[0], &codes), OK);
    assert_int_equal(column_reals(&work, keys.at[1], &reals), OK);
    arena_free(work.arena); /* what is kept outlives who asked first */
    later.arena = arena_new();
    later.memo = work.memo;
    assert_int_equal(classes_make(&later, keys, &again), OK);
    assert_int_equal(column_codes(&later, keys.at[0], &codes_again), OK);
    assert_int_equal(column_reals(&later, keys.at[1], &reals_again), OK);
    assert_ptr_equal(first.of, again.of);
    assert_ptr_equal(codes.at, codes_again.at);
    assert_ptr_equal(reals, reals_again);
    assert_ptr_equal(again.codes[0].at, codes.at);
    assert_int_equal(again.count, expected.count);
    assert_memory_equal(again.of, expected.of, ROWS * sizeof *again.of);
    for (int64_t i = 0; i < ROWS; i++) assert_true(reals[i] == (double)column_integer(keys.at[1], i));
    assert_int_equal(classes_make_by(&later, keys, CATEGORY_RULE, &first), OK); /* another rule is another entry */
    assert_ptr_not_equal(first.of, again.of);
    assert_int_equal(classes_make(&later, (Columns){ 2, keys.at }, &first), OK); /* as are fewer keys */
    assert_true(first.count < again.count);
    cache_free(work.memo);
    cache_free(NULL);
    arena_free(later.arena);
    arena_free(plain.arena);
    table_release(table);
}

static void not_its_own(void **state) {
    (void)state;
    Table *table = table_made();
    Column *other = integers("d", 11, 13);
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    Codes a, b;
    assert_int_equal(cache_make(&work, (Columns){ .count = 3, .at = (const Column **)table->column }, &work.memo), OK);
    assert_int_equal(column_codes(&work, other, &a), OK);
    assert_int_equal(column_codes(&work, other, &b), OK);
    assert_ptr_not_equal(a.at, b.at);
    int64_t times[ROWS];
    for (int64_t i = 0; i < ROWS; i++) times[i] = 2;
    Classes once, twice;
    Columns keys = { .count = 3, .at = (const Column **)table->column };
    assert_int_equal(classes_make(&work, keys, &once), OK);
    work.times = times; /* rows that stand for two records each */
    assert_int_equal(classes_make(&work, keys, &twice), OK);
    assert_int_equal(twice.records, 2 * once.records);
    cache_free(work.memo);
    arena_free(work.arena);
    column_release(other);
    table_release(table);
}

static atomic_int made;
static Status slowly(Work *work, Columns columns, int how, void *out) {
    (void)work, (void)columns, (void)how;
    for (volatile int i = 0; i < 100000; i++) {}
    *(int *)out = atomic_fetch_add(&made, 1) + 1;
    return OK;
}
static Status never(Work *work, Columns columns, int how, void *out) {
    (void)work, (void)columns, (void)how, (void)out;
    return BAD;
}

typedef struct {
    Columns keys;
    ColumnCache *memo;
} Asking;
static Status ask(void *self, int64_t block, int64_t first, int64_t last, Error *e) {
    const Asking *asking = self;
    Work work = { .error = e, .threads = 1, .memo = asking->memo };
    int answer = 0;
    (void)block, (void)last;
    Status status = cache_take(&work, CACHE_CLASSES, (Columns){ 1, asking->keys.at + first % 3 }, WILDCARD, slowly, &answer, sizeof answer);
    return !status && answer >= 1 && answer <= 3 ? OK : FAILED;
}

static void at_once(void **state) {
    (void)state;
    Table *table = table_made();
    Work work = { .arena = arena_new(), .error = &error, .threads = 4 };
    Asking asking = { .keys = { .count = 3, .at = (const Column **)table->column } };
    int answer = 0;
    assert_int_equal(cache_make(&work, (Columns){ .count = 3, .at = (const Column **)table->column }, &asking.memo), OK);
    assert_int_equal(parallel_for(&work, 300, 1, ask, &asking), OK);
    assert_int_equal(atomic_load(&made), 3);
    work.memo = asking.memo;
    assert_int_equal(cache_take(&work, CACHE_REALS, asking.keys, WILDCARD, never, &answer, sizeof answer), BAD);
    assert_int_equal(cache_take(&work, CACHE_REALS, asking.keys, WILDCARD, slowly, &answer, sizeof answer), OK);
    assert_int_equal(answer, 4);
    cache_free(asking.memo);
    arena_free(work.arena);
    table_release(table);
}

static Status counted(Work *work, Columns columns, int how, void *out) {
    Status status = OK;
    char *block = NULL;
    int inner = 0;
    if (how) TRY(cache_take(work, CACHE_CLASSES, columns, how - 1, counted, &inner, sizeof inner)); /* made of another entry */
    NEW(work, block, 64);
    *(int *)out = atomic_fetch_add(&made, 1) + 1;
done:
    return status;
}

static int taken_by(ColumnCache *memo, const Column *column, int how) {
    Work work = { .arena = arena_new(), .error = &error, .threads = 1, .memo = memo };
    int answer = 0;
    assert_int_equal(cache_take(&work, how < 0 ? CACHE_CODES : CACHE_CLASSES, (Columns){ 1, &column }, how < 0 ? 0 : how, counted, &answer,
                                sizeof answer),
                     OK);
    arena_free(work.arena);
    return answer;
}

/* A part of the work that asks for nothing, or for this column's. */
static int part_ends(ColumnCache *memo, const Column *column, int how) {
    ColumnCache *own = cache_borrow(memo);
    int answer = column ? taken_by(own, column, how) : 0;
    cache_free(own);
    return answer;
}

static void parts_that_end(void **state) {
    (void)state;
    Table *table = table_made();
    const Column *a = table->column[0], *b = table->column[1];
    Work work = { .error = &error };
    ColumnCache *memo, *long_one;
    assert_null(cache_borrow(NULL));
    assert_int_equal(cache_make(&work, (Columns){ .count = 3, .at = (const Column **)table->column }, &memo), OK);
    atomic_store(&made, 0);
    assert_int_equal(part_ends(memo, a, 0), 1);
    assert_int_equal(part_ends(memo, a, 0), 1); /* kept for the next one */
    assert_int_equal(part_ends(memo, b, 0), 2);
    assert_int_equal(part_ends(memo, a, 0), 3); /* one did not ask: made anew */
    long_one = cache_borrow(memo);
    assert_int_equal(taken_by(long_one, a, 0), 3);
    assert_int_equal(taken_by(long_one, a, 0), 3);
    for (int i = 0; i < 5; i++) part_ends(memo, NULL, 0);
    assert_int_equal(part_ends(memo, a, 0), 3); /* someone still has it */
    assert_int_equal(part_ends(memo, b, 1), 5); /* and 4, of which it is made */
    assert_int_equal(taken_by(long_one, b, 1), 5);
    for (int i = 0; i < 5; i++) part_ends(memo, NULL, 0);
    assert_int_equal(part_ends(memo, b, 0), 4); /* what it is made of stays with it */
    cache_free(long_one);
    for (int i = 0; i < 5; i++) part_ends(memo, NULL, 0);
    assert_int_equal(taken_by(memo, b, 1), 7);
    assert_int_equal(taken_by(memo, b, 0), 6);
    for (int i = 0; i < 5; i++) part_ends(memo, NULL, 0);
    assert_int_equal(part_ends(memo, b, 1), 7);  /* the first memo holds what it took itself */
    assert_int_equal(part_ends(memo, a, -1), 8); /* codes: kept for the next one, too */
    assert_int_equal(part_ends(memo, a, -1), 8);
    long_one = cache_borrow(memo);
    assert_int_equal(part_ends(memo, a, -1), 8);
    assert_int_equal(part_ends(memo, a, -1), 9); /* but not beside others */
    cache_free(long_one);
    cache_free(memo);
    table_release(table);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(same_answers), cmocka_unit_test(not_its_own), cmocka_unit_test(at_once),
                                        cmocka_unit_test(parts_that_end) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
