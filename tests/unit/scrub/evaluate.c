/* scrub.evaluate: counts by hand, kinds that count neither way, Garwood's interval, bad input. */
#include "methods.h"

static void by_hand(void **state) {
    (void)state;
    table_from("gold", "row,start,end,kind\n0,0,4,PERSON\n0,10,14,DATE\n1,5,9,PERSON\n2,0,3,TITLE\n3,7,9,AGE\n");
    table_from("found", "row,start,end,kind\n0,0,4,PERSON\n0,12,20,PERSON\n1,20,25,DATE\n2,0,3,PERSON\n3,7,9,AGE\n");
    run_ok("scrub evaluate gold found --ignore TITLE --notes 10");
    assert_true(fabs(value("recall") - 0.75) < 1e-12);    /* 3 of 4 */
    assert_true(fabs(value("precision") - 0.75) < 1e-12); /* 3 of 4: the one on TITLE counts neither way */
    assert_true(fabs(value("f2") - 0.75) < 1e-12);
    assert_true(fabs(value("recall_exact") - 0.5) < 1e-12); /* PERSON 0–4, AGE 7–9 */
    assert_true(value("missed") == 1 && value("false_finds") == 1);
    assert_true(fabs(value("missed_per_1000") - 100) < 1e-9);
    assert_true(fabs(value("missed_per_1000_low") - 2.5317807984) < 1e-6); /* χ²(0.025; 2)/20 · 1000 = −ln(0.975)/10 · 1000 */
    assert_true(fabs(value("missed_per_1000_high") - 557.164339) < 1e-4);  /* χ²(0.975; 4)/20 · 1000 */
    assert_true(fabs(value("notes_leaking") - 0.2) < 1e-12);               /* the mark at 10 is found from 12 on only */
    run_ok("scrub evaluate gold found --ignore TITLE --rename DATE:PERSON");
    assert_int_equal(result_find(last_result, "missed_per_1000")->kind, VALUE_NULL);
}

static void edges(void **state) {
    (void)state;
    table_from("gold", "row,start,end,kind\n0,0,4,PERSON\n");
    table_from("found", "row,start,end,kind\n1,0,4,PERSON\n");
    run_ok("scrub evaluate gold found");
    assert_true(value("recall") == 0 && value("precision") == 0 && value("f2") == 0);
    table_from("touch", "row,start,end,kind\n0,4,8,PERSON\n");
    run_ok("scrub evaluate gold touch"); /* ends are exclusive: these only touch */
    assert_true(value("recall") == 0);
    run_bad("scrub evaluate gold found --notes 0", "notes");
    run_bad("scrub evaluate gold found --id doc", "doc");
    table_from("broken", "row,start,end,kind\n0,x,4,PERSON\n");
    run_bad("scrub evaluate gold broken", "start");
    table_from("huge", "row,start,end,kind\n0,0,1e300,PERSON\n");
    run_bad("scrub evaluate gold huge", "end");
    table_from("empty", "row,start,end,kind\n0,4,4,PERSON\n");
    run_bad("scrub evaluate empty found", "holds nothing");
    table_from("turned", "row,start,end,kind\n0,4,8,PERSON\n0,9,3,DATE\n");
    run_bad("scrub evaluate gold turned", "row 2 ends before");
    table_from("nowhere", "row,start,end,kind\n0,4,8,PERSON\n,4,8,DATE\n");
    run_bad("scrub evaluate nowhere found", "lacks its note");
}

/* Thousands of small random samples against a count by every pair. */
static void by_every_pair(void **state) {
    (void)state;
    srand(7);
    for (int round = 0; round < 300; round++) {
        char text[2][2048];
        int n[2], row[2][12], start[2][12], end[2][12], hit = 0, right = 0;
        for (int t = 0; t < 2; t++) {
            size_t used = (size_t)sprintf(text[t], "row,start,end,kind\n");
            n[t] = 1 + rand() % 12;
            for (int i = 0; i < n[t]; i++) {
                row[t][i] = rand() % 3, start[t][i] = rand() % 20, end[t][i] = start[t][i] + 1 + rand() % 6;
                used += (size_t)sprintf(text[t] + used, "%d,%d,%d,K%d\n", row[t][i], start[t][i], end[t][i], rand() % 2);
            }
        }
        for (int t = 0; t < 2; t++)
            for (int i = 0; i < n[t]; i++) {
                bool any = false;
                for (int j = 0; j < n[!t]; j++) any |= row[t][i] == row[!t][j] && start[t][i] < end[!t][j] && start[!t][j] < end[t][i];
                *(t ? &right : &hit) += any;
            }
        table_from("gold", text[0]);
        table_from("found", text[1]);
        run_ok("scrub evaluate gold found");
        assert_true(fabs(value("recall") - (double)hit / n[0]) < 1e-12 && fabs(value("precision") - (double)right / n[1]) < 1e-12);
    }
}

/* One overlapping end is no whole find; letters and digits count where the notes are given, and places outside them are an error. */
static void whole(void **state) {
    (void)state;
    table_from("gold", "row,start,end,kind\n0,0,20,ADDRESS\n");
    table_from("found", "row,start,end,kind\n0,18,24,ADDRESS\n");
    run_ok("scrub evaluate gold found --notes 2");
    assert_true(value("recall") == 1 && value("recall_whole") == 0 && value("leaked") == 18 && value("notes_leaking") == 0.5);
    assert_int_equal(result_find(last_result, "recall_token")->kind, VALUE_NULL);
    table_from("notes", "note\nAna Ruiz; C/ Sol; 5 vino\nnada\n");
    table_from("marked", "row,start,end,kind\n0,0,8,NAME\n0,10,19,STREET\n");
    table_from("parts", "row,start,end,kind\n0,0,3,PERSON\n0,4,8,PERSON\n0,10,16,ADDRESS\n0,20,24,PERSON\n");
    run_ok("scrub evaluate marked parts --texts notes");
    assert_true(value("recall_whole") == 0.5 && value("leaked") == 1); /* the 5; neither the blank nor the commas */
    assert_true(fabs(value("recall_token") - 4 / 5.0) < 1e-12);        /* Ana Ruiz C Sol, not 5 */
    assert_true(fabs(value("precision_token") - 4 / 5.0) < 1e-12);     /* vino is no mark's */
    assert_true(value("notes_leaking") == 0.5);
    run_ok("scrub evaluate marked parts --texts notes --direct NAME");
    assert_true(value("notes_leaking") == 0);
    table_from("map", "kind,as\nNAME,PERSON\nSTREET,\n");
    run_ok("scrub evaluate marked parts --texts notes --map map");
    assert_true(value("recall_whole") == 1 && value("leaked") == 0);
    table_from("beyond", "row,start,end,kind\n0,20,90,NAME\n");
    run_bad("scrub evaluate beyond parts --texts notes", "ends at 90");
    table_from("other", "row,start,end,kind\n7,0,2,NAME\n");
    run_bad("scrub evaluate other parts --texts notes", "names a note");
    table_from("two", "row,column,start,end,kind\n0,a,0,8,PERSON\n0,b,0,8,PERSON\n");
    run_bad("scrub evaluate marked two", "column");
    run_ok("scrub evaluate marked two --column b");
    assert_true(value("precision") == 1 && value("recall_whole") == 0.5);
}

/* The same by brute force: small random spans, every code point by itself. */
static void whole_by_point(void **state) {
    (void)state;
    srand(11);
    for (int round = 0; round < 300; round++) {
        char text[2][2048];
        bool in[2][2][40] = { 0 };
        int n[2], row[2][12], start[2][12], end[2][12], full = 0, leaked = 0;
        for (int t = 0; t < 2; t++) {
            size_t used = (size_t)sprintf(text[t], "row,start,end,kind\n");
            n[t] = 1 + rand() % 9;
            for (int i = 0; i < n[t]; i++) {
                row[t][i] = rand() % 2, start[t][i] = rand() % 20, end[t][i] = start[t][i] + 1 + rand() % 9;
                for (int p = start[t][i]; p < end[t][i]; p++) in[t][row[t][i]][p] = true;
                used += (size_t)sprintf(text[t] + used, "%d,%d,%d,K\n", row[t][i], start[t][i], end[t][i]);
            }
        }
        for (int i = 0; i < n[0]; i++) {
            bool all = true;
            for (int p = start[0][i]; p < end[0][i]; p++) all &= in[1][row[0][i]][p];
            full += all;
        }
        for (int r = 0; r < 2; r++)
            for (int p = 0; p < 40; p++) leaked += in[0][r][p] && !in[1][r][p];
        table_from("gold", text[0]);
        table_from("found", text[1]);
        table_from("notes", "note\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n");
        for (int texts = 0; texts < 2; texts++) {
            run_ok(texts ? "scrub evaluate gold found --texts notes" : "scrub evaluate gold found");
            assert_true(fabs(value("recall_whole") - (double)full / n[0]) < 1e-12 && value("leaked") == leaked);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_hand), cmocka_unit_test(edges), cmocka_unit_test(by_every_pair),
                                        cmocka_unit_test(whole), cmocka_unit_test(whole_by_point) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
