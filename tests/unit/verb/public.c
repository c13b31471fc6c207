/* Public editions: no original extreme, no rare category, no seed, whatever the method. */
#include "methods.h"
#include "render/render.h"

/* 1234567.25 is the largest income, and Dunvale has one person. */
static void shelve_people(void) {
    static char text[20000];
    strcpy(text, "sex,age,town,income\n");
    for (int i = 0; i < 120; i++)
        sprintf(text + strlen(text), "%c,%d,%s,%s\n", "fm"[i % 2], 20 + i % 40,
                i == 5  ? "Dunvale"
                : i % 3 ? "Ashby"
                        : "Corfield",
                i == 5  ? "1234567.25"
                : i % 2 ? "1000.5"
                        : "2000.5");
    table_from("data", text);
}

static void looked_for(const char *command, bool expected_inside) {
    Buffer before = { 0 }, after = { 0 };
    run_ok_seeded(987654321, command);
    render_json(last_result, &before);
    result_public(last_result);
    render_json(last_result, &after);
    static const char *const secrets[] = { "1234567", "Dunvale", "987654321", NULL };
    bool inside = false;
    for (int i = 0; secrets[i]; i++) {
        inside |= strstr(buffer_get(&before), secrets[i]) != NULL;
        if (strstr(buffer_get(&after), secrets[i])) fail_msg("%s: the public edition tells %s", command, secrets[i]);
    }
    assert_true(!expected_inside || inside);
    assert_true(!last_result->notes && !last_result->params);
    buffer_free(&before);
    buffer_free(&after);
}

static void no_original_value(void **state) {
    (void)state;
    shelve_people();
    looked_for("protect top-bottom data --var income --top-quantile 0.99 --replace tail-mean", false);
    looked_for("protect pram data --vars town --keep 0.8", true);
    looked_for("protect noise data --vars income --amount 0.1", false);
    looked_for("protect microaggregate data --vars income --k 3", false);
    looked_for("protect recode data --var town --min-count 3 --other rest", false);
    looked_for("protect suppress data --keys sex,town --k 2", false);
    looked_for("risk k-anonymity data --keys sex,age,town", false);
    looked_for("risk detail data --keys sex,town --vars income", false);
    looked_for("risk residual data --keys sex", false);
    looked_for("attack regression data --predictors sex,age --sensitive town", true);
}

static void what_is_public_stays(void **state) {
    (void)state;
    shelve_people();
    run_ok("risk k-anonymity data --keys sex,town");
    result_public(last_result);
    assert_true(value("k") == 1 && result_find_table(last_result, "frequencies"));
}

/* Whatever method is added: no public table lists the values of a column. */
static void no_list_of_values(void **state) {
    (void)state;
    static const char *const lists[] = { "category:text", "value:text", "word:text", "label:text" };
    int64_t seen = 0;
    for (int64_t i = 0; i < methods_count(); i++)
        for (const Return *r = methods_at(i)->values; returns_more(r); r++) {
            if (r->kind != RETURN_TABLE || !(r->flags & PUBLIC)) continue;
            seen++;
            for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
                if (r->columns && strstr(r->columns, lists[k])) fail_msg("%s.%s: %s", methods_at(i)->group, methods_at(i)->name, r->name);
        }
    assert_true(seen > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(no_original_value), cmocka_unit_test(no_list_of_values),
                                        cmocka_unit_test(what_is_public_stays) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
