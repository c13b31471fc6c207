/* Names of columns: what they are taken for in many languages, and the lists themselves. */
#include <stdlib.h>
#include <string.h>
#include "profile/column_names.h"
#include "testing.h"

static const char *called(const char *name) {
    NameConcepts concepts;
    concepts_of_name(name, &concepts);
    return concepts.count ? concept_word(concepts.at[0]) : "-";
}

static void check(const char *const (*cases)[2], size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(called(cases[i][0]), cases[i][1])) fail_msg("%s: %s, not %s", cases[i][0], called(cases[i][0]), cases[i][1]);
}
#define CHECK(cases) check(cases, sizeof cases / sizeof *cases)

/* One test for each list: words of each line, as people write them. */
static void test_identifiers(void **state) {
    (void)state;
    static const char *const cases[][2] = { { "lastName", "name" },
                                            { "LAST_NAME", "name" },
                                            { "Nachname", "name" },
                                            { "prénom", "name" },
                                            { "apellido1", "name" },
                                            { "cognome", "name" },
                                            { "achternaam", "name" },
                                            { "sobrenome", "name" },
                                            { "fornavn", "name" },
                                            { "Straße", "address" },
                                            { "Hauptstrasse", "address" },
                                            { "home_address", "address" },
                                            { "rue", "address" },
                                            { "calle", "address" },
                                            { "Telefonnummer", "phone" },
                                            { "phone2", "phone" },
                                            { "e-mail", "email" },
                                            { "MRN", "record" },
                                            { "encounter_id", "record" },
                                            { "numéro_dossier", "record" },
                                            { "ssn", "nationalid" },
                                            { "BSN", "nationalid" },
                                            { "date_of_birth", "birthdate" },
                                            { "Geburtsdatum", "birthdate" },
                                            { "IBAN", "account" },
                                            { "licence_plate", "vehicle" },
                                            { "name", "weakname" },
                                            { "nom", "weakname" },
                                            { "id", "weakrecord" } };
    CHECK(cases);
    assert_string_equal(called("country_name"), "place");
    assert_string_equal(called("drug_name"), "treatment");
    assert_string_equal(called("revenue"), "amount"); /* not rue */
}

static void test_people(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        { "hid", "household" },          { "SERIALNO", "household" },     { "Haushalts_ID", "household" },   { "PWGTP", "personweight" },
        { "PERWT", "personweight" },     { "WGTP", "householdweight" },   { "repwtp12", "replicateweight" }, { "fnlwgt", "weight" },
        { "sampling_weight", "weight" }, { "birth_weight", "bodyweight" }
    };
    static const char *const person[] = { "patient_id",  "SUBJID",  "USUBJID", "Patientennummer", "numero_paciente",
                                          "patient_nbr", "case.id", "mergeid", "PB030",           "personId" };
    static const char *const nobody[] = { "patient_age", "case_type", "ward", "id", "person_count", "age" };
    CHECK(cases);
    for (size_t i = 0; i < sizeof person / sizeof *person; i++)
        if (!name_of_person_number(person[i])) fail_msg("%s", person[i]);
    for (size_t i = 0; i < sizeof nobody / sizeof *nobody; i++)
        if (name_of_person_number(nobody[i])) fail_msg("%s", nobody[i]);
}

static void test_keys(void **state) {
    (void)state;
    static const char *const cases[][2] = { { "Geschlecht", "sex" },
                                            { "sexe", "sex" },
                                            { "gender", "sex" },
                                            { "edad", "age" },
                                            { "ageYears", "age" },
                                            { "age_at_diagnosis", "age" },
                                            { "AGEGR1", "age" },
                                            { "Alter", "age" },
                                            { "yob", "birthyear" },
                                            { "PLZ", "postcode" },
                                            { "zip3", "postcode" },
                                            { "código_postal", "postcode" },
                                            { "Familienstand", "marital" },
                                            { "état_civil", "marital" },
                                            { "native-country", "nationality" },
                                            { "race", "origin" },
                                            { "occupation", "occupation" },
                                            { "nace", "industry" },
                                            { "kommun", "place" } };
    CHECK(cases);
}

static void test_sensitive(void **state) {
    (void)state;
    static const char *const cases[][2] = { { "dxCode", "diagnosis" },     { "diag_1", "diagnosis" },     { "Hauptdiagnose", "diagnosis" },
                                            { "HIV_status", "diagnosis" }, { "medication", "treatment" }, { "income", "amount" },
                                            { "Einkommen", "amount" },     { "cholesterol", "lab" },      { "HbA1c", "lab" },
                                            { "smoker", "substance" },     { "vote", "politics" },        { "conviction", "crime" } };
    CHECK(cases);
}

static void test_statistics(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        { "AGEP", "age" },      { "RAC1P", "origin" },       { "HISP", "origin" },           { "MSP", "marital" },     { "PUMA", "place" },
        { "PINCP", "amount" },  { "DREM", "disability" },    { "SCHL", "education" },        { "OCCP", "occupation" }, { "PB150", "sex" },
        { "PB190", "marital" }, { "HATLEV1D", "education" }, { "gender_concept_id", "sex" }, { "STUDYID", "-" },       { "V025", "place" },
        { "DB040", "place" }
    };
    CHECK(cases);
    assert_string_equal(called("my_st"), "-"); /* short names count only as whole names */
}

static void test_values(void **state) {
    (void)state;
    assert_true(values_say_sex("m", "f"));
    assert_true(values_say_sex("Frau", "Mann"));
    assert_true(values_say_sex("weiblich", "m\xc3\xa4nnlich"));
    assert_false(values_say_sex("a", "b"));
    assert_false(values_say_sex("f", "w"));
    assert_true(value_says_neither("Divers"));
    assert_true(word_names_street("Mill-Street") || word_names_street("Street"));
    assert_true(word_names_street("Kirchgasse"));
    assert_false(word_names_street("Kirche"));
}

/* Labels count like names where they are short. */
static void test_labels(void **state) {
    (void)state;
    NameConcepts concepts;
    concepts_of_label("Age of the respondent", &concepts);
    assert_int_equal(concepts.at[0], CALLED_AGE);
    concepts_of_label("Postcode", &concepts);
    assert_int_equal(concepts.at[0], CALLED_POSTCODE);
    concepts_of_label("How often did you, or anyone you know, call your telephone company last month?", &concepts);
    assert_int_equal(concepts.count, 0);
}

/* No word has two meanings, and every line begins with one that is known. */
static void test_lists(void **state) {
    (void)state;
    static const char *const names[] = { "identifiers", "people", "keys", "sensitive", "statistics" };
    for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
        char *text = strdup(column_list(names[f])), *line_state = NULL;
        assert_non_null(text);
        for (char *line = strtok_r(text, "\n", &line_state); line; line = strtok_r(NULL, "\n", &line_state)) {
            char *word_state = NULL, *concept = NULL;
            if (*line == '#') continue;
            concept = strtok_r(line, " ", &word_state);
            (void)strtok_r(NULL, " ", &word_state); /* the language */
            if (!strcmp(concept, "person") || !strcmp(concept, "number")) continue;
            for (char *word = strtok_r(NULL, " ", &word_state); word; word = strtok_r(NULL, " ", &word_state)) {
                const char *plain = word + strspn(word, "=*");
                if (strcmp(called(plain), concept)) fail_msg("%s: %s is %s, not %s", names[f], plain, called(plain), concept);
            }
        }
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identifiers), cmocka_unit_test(test_people), cmocka_unit_test(test_keys),   cmocka_unit_test(test_sensitive),
        cmocka_unit_test(test_statistics),  cmocka_unit_test(test_values), cmocka_unit_test(test_labels), cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
