/* Labels of forms: known whatever their case, accents and marks, and where they begin. */
#include <string.h>
#include "testing.h"
#include "prose/labels.h"

static Error error;
static LabelTable table, spanish;

static int open_tables(void **state) {
    (void)state;
    static Work work;
    work = (Work){ .arena = arena_new(), .error = &error };
    assert_int_equal(labels_read(&work, LANGUAGE_ANY, &table), OK);
    assert_int_equal(labels_read(&work, LANGUAGE_ES, &spanish), OK);
    return 0;
}

static void known(const LabelTable *of, const char *text, Label label, size_t start) {
    size_t at = 99;
    assert_int_equal(label_before(of, text, strlen(text), &at), label);
    if (label) assert_int_equal(at, start);
}

static void forms(void **state) {
    (void)state;
    known(&table, "Date of Birth", LABEL_DATE, 0);
    known(&table, "seen today. D.O.B.", LABEL_DATE, 12);
    known(&table, "NºCol", LABEL_LICENCE, 0);
    known(&table, "Médico  N.º Col.", LABEL_LICENCE, strlen("Médico  "));
    known(&table, "LOCALIDAD/ PROVINCIA", LABEL_PLACE, 0);
    known(&table, "Familie: SV-Nr", LABEL_NATIONAL, 9);
    known(&table, "Patiëntnummer", LABEL_RECORD, 0);
    known(&table, "Codice Fiscale", LABEL_NATIONAL, 0);
    known(&table, "blood pressure", LABEL_NONE, 0);
    known(&table, "", LABEL_NONE, 0);
    known(&table, "...", LABEL_NONE, 0);
    known(&table, "\xff\xfe Surname", LABEL_NAME, 3);
    known(&spanish, "Nachname", LABEL_NONE, 0); /* another language's */
    known(&spanish, "Apellidos", LABEL_NAME, 0);
    char longer[4096];
    memset(longer, 'a', sizeof longer);
    memcpy(longer + sizeof longer - 6, " Name", 6);
    size_t at;
    assert_int_equal(label_before(&table, longer, sizeof longer - 1, &at), LABEL_NAME);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(forms) };
    return cmocka_run_group_tests(tests, open_tables, NULL);
}
