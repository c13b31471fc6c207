/* Tokens: their form, where they stand, and that any bytes at all are cut in order, without overlap, and nothing but blanks lost. */
#include <stdlib.h>
#include <string.h>
#include "testing.h"
#include "prose/token.h"

static Tokens cut(const char *text, size_t size) {
    Tokens tokens = { 0 };
    Error error = { 0 };
    assert_int_equal(tokens_cut(text, size, &tokens, &error), OK);
    return tokens;
}

/* The text must fall into these words, told apart by '|', of these shapes. */
static void falls(const char *text, const char *words, const unsigned *shapes) {
    Tokens tokens = cut(text, strlen(text));
    int64_t i = 0;
    for (const char *p = words; *p; i++) {
        size_t n = strcspn(p, "|");
        if (i >= tokens.count) fail_msg("too few tokens: %s", text);
        const Token *t = &tokens.at[i];
        if (t->end - t->start != n || memcmp(text + t->start, p, n))
            fail_msg("token %d of '%s' is '%.*s'", (int)i, text, (int)(t->end - t->start), text + t->start);
        if (shapes && t->shape != shapes[i]) fail_msg("token %d of '%s' has shape %u, not %u", (int)i, text, t->shape, shapes[i]);
        p += n + (p[n] == '|');
    }
    assert_int_equal(i, tokens.count);
    tokens_free(&tokens);
}

static void shapes(void **state) {
    (void)state;
    falls("the Pump OFF McKay 山 W", "the|Pump|OFF|McKay|山|W",
          (unsigned[]){ SHAPE_LOWER, SHAPE_CAPITAL, SHAPE_UPPER, SHAPE_MIXED, SHAPE_UNCASED, SHAPE_INITIAL });
    falls("1 22 333 4444 55555 666666 5th", "1|22|333|4444|55555|666666|5th",
          (unsigned[]){ SHAPE_1, SHAPE_2, SHAPE_3, SHAPE_4, SHAPE_5, SHAPE_LONG, SHAPE_ALNUM });
    falls("Ångström ÉMILE übel", "Ångström|ÉMILE|übel", (unsigned[]){ SHAPE_CAPITAL, SHAPE_UPPER, SHAPE_LOWER });
    falls("a,\nb\n\nc", "a|,|\n|b|\n\n|c", (unsigned[]){ SHAPE_LOWER, SHAPE_MARK, SHAPE_LINE, SHAPE_LOWER, SHAPE_PARAGRAPH, SHAPE_LOWER });
}

static void apostrophes(void **state) {
    (void)state;
    falls("O'Neill and Smith-Jones", "O'Neill|and|Smith-Jones", (unsigned[]){ SHAPE_CAPITAL, SHAPE_LOWER, SHAPE_CAPITAL });
    falls("Anna's", "Anna|'s", NULL);
    falls("Anna’s", "Anna|’s", NULL);
    falls("l'hôpital d'Anna D'Angelo", "l'|hôpital|d'|Anna|D'Angelo", NULL);
    falls("end-", "end|-", NULL);
}

static void places(void **state) {
    (void)state;
    const char *text = "One two. Three\nfour";
    Tokens tokens = cut(text, strlen(text));
    assert_int_equal(tokens.count, 6);
    assert_int_equal(tokens.at[0].flags, TOKEN_SENTENCE | TOKEN_LINE_START);
    assert_int_equal(tokens.at[1].flags, TOKEN_SPACED);
    assert_int_equal(tokens.at[3].flags, TOKEN_SPACED | TOKEN_SENTENCE | TOKEN_LINE_END);
    assert_int_equal(tokens.at[5].flags, TOKEN_SENTENCE | TOKEN_LINE_START | TOKEN_LINE_END);
    tokens_free(&tokens);
}

/* A token's hash does not see case, and is the one that lists are looked up by. */
static void hashes(void **state) {
    (void)state;
    const char *text = "Müller MÜLLER müller Muller O'Neill O’NEILL";
    Tokens tokens = cut(text, strlen(text));
    assert_int_equal(tokens.count, 6);
    assert_true(tokens.at[0].hash == tokens.at[1].hash && tokens.at[1].hash == tokens.at[2].hash);
    assert_true(tokens.at[0].hash == letters_hash("mÜLLER", strlen("mÜLLER")));
    assert_true(tokens.at[3].hash != tokens.at[0].hash);
    assert_true(tokens.at[4].hash == tokens.at[5].hash);
    tokens_free(&tokens);
}

static void folds(void **state) {
    (void)state;
    char out[32];
    assert_int_equal(word_fold("MUÑOZ", strlen("MUÑOZ"), out, sizeof out), 5);
    assert_string_equal(out, "munoz");
    word_lower("ÉMILE", strlen("ÉMILE"), out, sizeof out);
    assert_string_equal(out, "émile");
    memset(out, '#', sizeof out);
    size_t used = word_lower("abcdefghijkl", 12, out, 9); /* a word too long for its room is cut, and nothing is written past it */
    assert_true(used > 0 && used <= 8 && !out[used]);
    assert_memory_equal(out, "abcdefghijkl", used);
    for (size_t i = 9; i < sizeof out; i++) assert_int_equal(out[i], '#');
}

/* Random bytes, rich in broken UTF-8: in order, apart, and every byte that no token has is a blank. The copy is as long as the text, so
 * that a byte read past it shows under ASan. */
static void any_bytes(void **state) {
    (void)state;
    static const unsigned char often[] = "aZ9' -.\n\r\t\xc3\xa9\xe2\x80\x99\xf0\x9f\xff\x80s";
    uint64_t word = 7;
    for (int round = 0; round < 3000; round++) {
        size_t size = (size_t)(round % 40);
        char *text = malloc(size ? size : 1);
        assert_non_null(text);
        for (size_t i = 0; i < size; i++) {
            word = word * 6364136223846793005u + 1442695040888963407u;
            text[i] = (char)(word >> 40 & 3 ? often[(word >> 33) % (sizeof often - 1)] : (word >> 33 & 255));
        }
        Tokens tokens = cut(text, size);
        size_t at = 0;
        for (int64_t t = 0; t <= tokens.count; t++) {
            size_t start = t < tokens.count ? tokens.at[t].start : size;
            assert_true(start >= at && start <= size);
            for (; at < start; at++) assert_true(text[at] == ' ' || text[at] == '\t');
            if (t < tokens.count) {
                assert_true(tokens.at[t].end > start && tokens.at[t].end <= size);
                at = tokens.at[t].end;
            }
        }
        tokens_free(&tokens);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(shapes), cmocka_unit_test(apostrophes), cmocka_unit_test(places),
                                        cmocka_unit_test(hashes), cmocka_unit_test(folds),       cmocka_unit_test(any_bytes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
