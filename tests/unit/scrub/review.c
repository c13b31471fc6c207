/* scrub.review: what is asked, what the answers estimate, what is learned from them, and answers that are refused. */
#include "methods.h"

enum { ROOM = 1 << 18 };

/* The questions of the last result on the shelf, `answer` filled in by `say`. */
static void fill_in(const char *name, const char *(*say)(const Table *table, int64_t row)) {
    const Table *table = last_result->output[0];
    char **cells = calloc((size_t)table->rows + 1, sizeof *cells);
    Column *column;
    Table *made;
    for (int64_t row = 0; row < table->rows; row++) cells[row] = strdup(say(table, row));
    assert_int_equal(column_text("answer", (const char *const *)cells, table->rows, &column, &last_error), OK);
    assert_int_equal(table_with(table, &column, 1, &made, &last_error), OK);
    shelve(name, made);
    column_release(column);
    for (int64_t row = 0; row < table->rows; row++) free(cells[row]);
    free(cells);
}

static const char *cell_of(const Table *table, const char *column, int64_t row) {
    static char cell[33];
    const char *word = column_cell(table_column(table, column), row, cell);
    return word ? word : "";
}
static bool is_passage(const Table *table, int64_t row) { return !strcmp(cell_of(table, "state", row), "passage"); }
static const char *earlier(const Table *table, int64_t row) { return table_column(table, "answer") ? cell_of(table, "answer", row) : ""; }
static const char *all_right(const Table *table, int64_t row) { return is_passage(table, row) ? "none" : earlier(table, row); }
static const char *nothing(const Table *table, int64_t row) {
    (void)table, (void)row;
    return "";
}

static const char two_notes[] = "note\nSeen by Dr. Alan Whitfield on 03/14/2019. Keys with brackfen who sat down.\n"
                                "Mrs. Rose Whitfield called from 415-555-0182 and felt well.\n";

static void asks(void **state) {
    (void)state;
    table_from("notes", two_notes);
    run_ok("scrub review --notes notes");
    const Table *table = last_result->output[0];
    assert_int_equal((int)value("round"), 0);
    assert_int_equal((int)value("questions"), 2);
    assert_int_equal(last_result->outputs, 1);
    int64_t passages = 0, finds = 0;
    for (int64_t row = 0; row < table->rows; row++) {
        passages += is_passage(table, row);
        finds += !strcmp(cell_of(table, "state", row), "found");
        assert_true(column_number(table_column(table, "weight"), row) == 1); /* all are asked */
    }
    assert_int_equal(passages, 2);
    assert_int_equal(finds, 4);
    assert_non_null(strstr(cell_of(table, "text", 0), "Dr. [Alan Whitfield] on [03/14/2019]"));
    assert_int_equal(table->closed & 077, 077);
}

static void confirms(void **state) {
    (void)state;
    table_from("notes", two_notes);
    run_ok("scrub review --notes notes");
    fill_in("answers", all_right);
    run_ok("scrub review --notes notes --answers answers");
    assert_int_equal((int)value("round"), 1);
    assert_int_equal((int)value("answered"), 2);
    assert_int_equal((int)value("marks"), 4);
    assert_int_equal((int)value("missed"), 0);
    assert_true(value("recall_whole") == 1 && value("precision") == 1);
    near(value("recall_whole_low"), 4 / (4 + 1.959963984540054 * 1.959963984540054), 1e-12); /* Wilson's, 4 of 4 */
    assert_true(value("enough") == 0);
    assert_int_equal((int)value("passages"), 0); /* none is asked again */
    assert_int_equal(last_result->outputs, 2);
}

/* One name was missed, and one find is no identifier. */
static const char *corrects(const Table *table, int64_t row) {
    if (!strcmp(cell_of(table, "kind", row), "PHONE")) return "no";
    if (!is_passage(table, row)) return "";
    return strstr(cell_of(table, "text", row), "brackfen") ? "PERSON=brackfen" : "none";
}
/* A find is a part of what was typed. */
static const char *extends(const Table *table, int64_t row) {
    if (!is_passage(table, row)) return "";
    return strstr(cell_of(table, "text", row), "brackfen") ? "Whitfield] on | brackfen" : "none";
}
static const char *widens(const Table *table, int64_t row) {
    if (!is_passage(table, row)) return "";
    return strstr(cell_of(table, "text", row), "brackfen") ? "PERSON=Alan Whitfield on | brackfen" : "none";
}

static void counts(void **state) {
    (void)state;
    table_from("notes", two_notes);
    run_ok("scrub review --notes notes");
    fill_in("answers", corrects);
    fill_in("typed", extends);
    fill_in("wide", widens);
    run_ok("scrub review --notes notes --answers answers");
    assert_int_equal((int)value("marks"), 4);
    assert_int_equal((int)value("missed"), 1);
    near(value("recall_whole"), 0.75, 1e-12);
    near(value("precision"), 0.75, 1e-12);
    near(value("missed_in_all"), 1, 1e-12);
    run_bad("scrub review --notes notes --answers typed", "not in passage");
    run_ok("scrub review --notes notes --answers wide"); /* "on" was not found: the name counts once, as missed */
    assert_int_equal((int)value("marks"), 5);
    assert_int_equal((int)value("missed"), 2);
}

/* Notes in which a nickname that no list has follows the same words. */
static void nick_notes(const char *name, int from, int count) {
    static const char *const nicks[] = {
        "quillo", "brack", "zunder", "mopsel", "tarvin", "plonk", "gribble", "fennoch", "dorrit", "wixel"
    };
    static char text[ROOM];
    size_t n = (size_t)sprintf(text, "note\n");
    for (int i = 0; i < count; i++)
        n += (size_t)sprintf(text + n, "the keys were handed over to %s%c before lunch and the ward was calm\n", nicks[(from + i) % 10],
                             'a' + (from + i) / 10 % 26);
    table_from(name, text);
}
static const char *names_nick(const Table *table, int64_t row) {
    static char answer[64];
    if (!is_passage(table, row) || *earlier(table, row)) return earlier(table, row);
    const char *text = strstr(cell_of(table, "text", row), "over to ") + 8;
    if (*text == '[') return "none";
    snprintf(answer, sizeof answer, "PERSON=%.*s", (int)strcspn(text, " "), text);
    return answer;
}

/* What is typed is learned, and the next round measures the new model on passages that were not reviewed. */
static void learns(void **state) {
    (void)state;
    nick_notes("notes", 0, 200);
    run_ok("scrub review --notes notes --questions 60");
    fill_in("answers", names_nick);
    run_ok("scrub review --notes notes --answers answers --questions 60");
    assert_true(value("recall_whole") < 0.1);
    assert_int_equal((int)value("marks"), 60);
    assert_true(value("enough") == 0);
    assert_int_equal((int)value("passages"), 140);
    shelve("model", last_result->output[1]);
    table_retain(last_result->output[1]);
    fill_in("answers", names_nick);
    run_ok("scrub review --notes notes --answers answers --questions 60");
    assert_int_equal((int)value("round"), 2);
    assert_int_equal((int)value("answered"), 60);
    assert_true(value("recall_whole") > 0.9);
    nick_notes("others", 137, 30);
    run_ok("scrub text others --columns note --replace label --model model");
    int64_t gone = 0;
    for (int64_t row = 0; row < 30; row++) gone += strstr(cell_of(last_result->output[0], "note", row), "to [PERSON] before") != NULL;
    assert_true(gone >= 27);
}

/* The weights of the passages that are asked add up to all passages, on average: 300 draws, false alarm below 0.001. */
static void weighs(void **state) {
    (void)state;
    static char text[ROOM];
    size_t n = (size_t)sprintf(text, "note\n");
    for (int i = 0; i < 40; i++)
        n += (size_t)sprintf(
            text + n, i % 4 ? "all quiet on the ward tonight and the pain was less\n" : "Bed 4 handed to Zorbek%c at nine\n", 'a' + i % 26);
    table_from("notes", text);
    double sum = 0, squares = 0;
    for (int seed = 1; seed <= 300; seed++) {
        run_ok_seeded((uint64_t)seed, "scrub review --notes notes --questions 12");
        const Table *table = last_result->output[0];
        double weights = 0;
        assert_int_equal((int)value("questions"), 12);
        for (int64_t row = 0; row < table->rows; row++)
            if (is_passage(table, row)) weights += column_number(table_column(table, "weight"), row);
        sum += weights;
        squares += weights * weights;
    }
    double mean = sum / 300, error = sqrt((squares / 300 - mean * mean) / 300);
    assert_true(fabs(mean - 40) < 3.5 * error + 1e-9);
}

static const char *misspells(const Table *table, int64_t row) { return is_passage(table, row) ? "none" : "perhaps"; }

static void bad_input(void **state) {
    (void)state;
    table_from("notes", two_notes);
    run_ok("scrub review --notes notes");
    fill_in("blank", nothing);
    fill_in("vague", misspells);
    fill_in("answers", all_right);
    run_bad("scrub review --notes notes --answers blank", "no answer");
    run_bad("scrub review --notes notes --answers vague", "neither yes, no nor a kind");
    table_from("others", "note\nSeen by Dr. Adam Whitfield on 03/15/2019. Keys with brackfen who sat down.\nMrs. Bose Whitfield called "
                         "from 415-555-0183 and felt well.\n");
    run_bad("scrub review --notes others --answers answers", "other words");
    table_from("few", "note\nshort\n");
    run_bad("scrub review --notes few --answers answers", "no place");
    table_from("odd", "round,passage\n1,1\n");
    run_bad("scrub review --notes notes --answers odd", "row");
    table_from("empty", "note\n...\n- -\n");
    run_ok("scrub review --notes empty");
    assert_int_equal((int)value("questions"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(asks),   cmocka_unit_test(confirms), cmocka_unit_test(counts),
                                        cmocka_unit_test(learns), cmocka_unit_test(weighs),   cmocka_unit_test(bad_input) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
