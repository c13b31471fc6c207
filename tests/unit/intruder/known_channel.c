/* Likelihoods by what a release says was done, against distributions that are followed value by value here; and releases whose order
 * changed, judged by their treatments, against the same ones with an id. The oracle shares nothing with the library but the treatments. */
#include "methods.h"
#include "intruder/known_channel.h"

enum { VALUES = 6, TEXTS = 64, STEPS = 3, CASES = 3000 };

static uint64_t state = 20261120;
static int draw(int below) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)below);
}

/* ---- the oracle: chance[c][x] of text x for true value c ---- */

static char texts[TEXTS][16];
static int count;
static double chance[VALUES][TEXTS];
static int64_t original[VALUES];

static int text_at(const char *text) {
    for (int i = 0; i < count; i++)
        if (!strcmp(texts[i], text)) return i;
    assert_true(count < TEXTS);
    snprintf(texts[count], sizeof texts[0], "%s", text);
    return count++;
}

static bool number_of(const char *text, double *out) {
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end;
}

static void follow(const Treatment *t) {
    double next[VALUES][TEXTS] = { 0 }, share[TEXTS] = { 0 }, people = 0;
    const int before = count;
    for (int c = 0; c < VALUES; c++)
        for (int x = 0; x < before; x++) share[x] += chance[c][x] * (double)original[c], people += chance[c][x] * (double)original[c];
    for (int c = 0; c < VALUES; c++)
        for (int x = 0; x < before; x++) {
            const double p = chance[c][x];
            double number;
            int to = x, row = -1;
            char text[32];
            if (p == 0) continue;
            const bool numeric = number_of(texts[x], &number);
            for (int i = 0; t->from && i < t->count; i++)
                if (!strcmp(t->from[i], texts[x])) row = i;
            if (t->kind == TREATED_MAPPED && row >= 0) to = text_at(t->to[row]);
            if (t->kind == TREATED_CODED && numeric && number < t->low) to = text_at(t->to[0]);
            if (t->kind == TREATED_CODED && numeric && number > t->high) to = text_at(t->to[1]);
            if (t->kind == TREATED_ROUNDED_DOWN && numeric) {
                snprintf(text, sizeof text, "%d", (int)number / (int)t->amount * (int)t->amount);
                to = text_at(text);
            }
            if (t->kind == TREATED_MATRIX && row >= 0) {
                for (int i = 0; i < t->count; i++) next[c][text_at(t->from[i])] += p * t->matrix[row * t->count + i];
            } else if (t->kind == TREATED_SWAPPED) {
                next[c][x] += p * (1 - t->amount);
                for (int y = 0; y < before; y++) next[c][y] += p * t->amount * share[y] / people;
            } else next[c][to] += p;
        }
    memcpy(chance, next, sizeof chance);
}

/* ---- random steps ---- */

static Treatment *random_step(void) {
    static const char *const from[] = { "1", "3", "4", "6" }, *const to[] = { "6", "u", "v", "2" }, *const ends[] = { "2", "5" };
    double matrix[16];
    Treatment *made;
    switch (draw(5)) {
    case 0: return treatment_new(TREATED_MAPPED, 1 + draw(4), from, to, NULL);
    case 1:
        made = treatment_new(TREATED_CODED, 2, NULL, ends, NULL);
        made->low = 2;
        made->high = draw(2) ? 5 : NAN;
        return made;
    case 2: return treatment_of_amount(TREATED_ROUNDED_DOWN, 2 + draw(2));
    case 3:
        for (int i = 0; i < 4; i++) {
            const double stay = draw(5) / 4.0;
            for (int j = 0; j < 4; j++) matrix[4 * i + j] = i == j ? stay : (1 - stay) / 3;
        }
        return treatment_new(TREATED_MATRIX, 4, from, NULL, matrix);
    default: return treatment_of_amount(TREATED_SWAPPED, draw(5) / 4.0);
    }
}

static void check_case(Work *work) {
    const char *label[TEXTS];
    double number[TEXTS];
    int64_t now[TEXTS], had[TEXTS] = { 0 };
    Treatment *last = NULL;
    KnownChannel known;
    count = 0;
    memset(chance, 0, sizeof chance);
    for (int c = 0; c < VALUES; c++) {
        char text[16];
        snprintf(text, sizeof text, "%d", c + 1);
        chance[c][text_at(text)] = 1;
        original[c] = 1 + draw(4);
    }
    for (int s = 1 + draw(STEPS); s > 0; s--) {
        Treatment *step = random_step(), *next = treatment_after(step, last);
        follow(step);
        treatment_release(step);
        treatment_release(last);
        last = next;
    }
    for (int x = 0; x < count; x++) {
        label[x] = texts[x];
        now[x] = 1;
        had[x] = x < VALUES ? original[x] : 0;
        if (!number_of(texts[x], &number[x])) number[x] = NAN;
    }
    const KeyValues values = { count, label, number, had, now };
    assert_int_equal(known_channel(work, last, &values, &known), OK);
    assert_true(known.known);
    for (int c = 0; c < VALUES; c++) {
        double seen[TEXTS] = { 0 };
        for (int64_t e = known.start[c]; e < known.start[c + 1]; e++) {
            assert_true(e == known.start[c] || known.to[e] > known.to[e - 1]);
            seen[known.to[e]] = known.likelihood[e];
        }
        for (int x = 0; x < count; x++) near(seen[x], chance[c][x], 1e-12);
    }
    treatment_release(last);
}

static void test_enumerated(void **unused) {
    (void)unused;
    for (int i = 0; i < CASES; i++) {
        Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
        check_case(&work);
        arena_free(work.arena);
    }
}

static void test_not_described(void **unused) {
    (void)unused;
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    const char *const label[] = { "1" };
    const double number[] = { 1 };
    const int64_t one[] = { 1 };
    const KeyValues values = { 1, label, number, one, one };
    KnownChannel known;
    Treatment *steps[] = { NULL, treatment_of_amount(TREATED_OTHERWISE, 0), treatment_of_amount(TREATED_SHUFFLED, 0) };
    for (int i = 0; i < 3; i++) {
        assert_int_equal(known_channel(&work, steps[i], &values, &known), OK);
        assert_false(known.known);
        treatment_release(steps[i]);
    }
    arena_free(work.arena);
}

/* ---- releases in another order ---- */

static void random_table(int people) {
    static char text[4000];
    char *at = text + sprintf(text, "id,a,age\n");
    for (int i = 0; i < people; i++) at += sprintf(at, "%d,%c,%d\n", i, "xyz"[draw(3)], 20 + 7 * draw(9));
    table_from("o", text);
}

/* Takes the last output to be the release from here on. */
static void release_on(void) { shelve("r", table_retain(last_result->output[0])); }

/* The release as its file: in another order, and nobody says whose a record is. */
static Table *shelved;
static void forget_origin(void) {
    Table *mixed = table_retain(last_result->output[0]);
    free(mixed->origin);
    mixed->origin = NULL;
    mixed->reordered = true;
    shelve("r", mixed);
    shelved = mixed;
}

static void compare_orders(void) {
    run_ok("protect reorder r");
    forget_origin();
    run_ok("risk reidentification o r --keys a,age --id id");
    const double certain = value("certain"), class_certain = value("class_certain"), expected = value("expected");
    run_ok("risk reidentification o r --keys a,age");
    assert_string_equal(result_find(last_result, "truth")->text, "unknown");
    near(value("certain"), certain, 0);
    near(value("class_certain"), class_certain, 0);
    assert_true(value("expected") >= .6 * expected); /* own beliefs; the right guesses are a draw */
}

static void test_order_changed(void **unused) {
    (void)unused;
    static const char *const steps[] = { "protect top-bottom r --var age --top 60 --bottom 30", "protect round r --vars age --base 10",
                                         "protect recode r --var age --breaks 0,30,50", "protect recode r --var a --merge x,y=w",
                                         "protect pram r --vars a --keep 0.5" };
    for (int i = 0; i < 60; i++) {
        random_table(8 + draw(12));
        run_ok("protect round o --vars id --base 1");
        release_on();
        for (int s = 0; s < 5; s++) {
            if (draw(2)) continue;
            run_ok(steps[s]);
            release_on();
        }
        if (draw(2)) {
            run_ok("protect suppress r --keys a,age --k 2");
            release_on();
        }
        compare_orders();
    }
}

/* Numbers that were shuffled tell nothing, whether or not the release says so; numbers that were only reordered tell all. */
static void test_shuffled(void **unused) {
    (void)unused;
    static char text[20000];
    char *at = text + sprintf(text, "a,x,y,z\n");
    for (int i = 0; i < 200; i++) at += sprintf(at, "%c,%d.%d,%d,%d.5\n", "pq"[draw(2)], draw(900), draw(10), draw(5000), draw(700));
    table_from("o", text);
    run_ok("protect shuffle o --confidential x,y,z");
    release_on();
    run_ok("protect reorder r");
    forget_origin();
    run_ok("risk reidentification o r --keys a --vars x,y,z");
    assert_true(value("share") < .05);
    for (int64_t j = 0; j < shelved->columns; j++) {
        treatment_release(shelved->column[j]->treatment);
        shelved->column[j]->treatment = NULL;
    }
    shelved->released = false; /* as a file without a manifest */
    run_ok("risk reidentification o r --keys a --vars x,y,z");
    assert_true(value("share") < .05);
    run_ok("protect reorder o");
    forget_origin();
    run_ok("risk reidentification o r --keys a --vars x,y,z");
    assert_true(value("share") > .95);
    shelved->released = false;
    run_ok("risk reidentification o r --keys a --vars x,y,z");
    assert_true(value("share") > .95);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_enumerated), cmocka_unit_test(test_not_described),
                                        cmocka_unit_test(test_order_changed), cmocka_unit_test(test_shuffled) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
