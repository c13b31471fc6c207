/* risk safe-harbour: each of the eighteen kinds in a file that a careless user would have, and files that have none. */
#include "methods.h"

static const char *const kinds[] = { "names",           "areas",          "dates",        "phones",     "faxes",       "emails",
                                     "social_security", "record_numbers", "plan_numbers", "accounts",   "licences",    "vehicles",
                                     "devices",         "urls",           "ip_addresses", "biometrics", "photographs", "other_codes" };
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Only this kind is broken, by so many columns. */
static void only(const char *kind, int columns) {
    for (int k = 0; k < KINDS; k++) {
        int want = kind && !strcmp(kind, kinds[k]) ? columns : 0;
        if ((int)value(kinds[k]) != want) fail_msg("%s: %d columns, not %d", kinds[k], (int)value(kinds[k]), want);
    }
    assert_int_equal((int)value("broken"), kind ? 1 : 0);
}

/* A column of these values, twelve rows, beside harmless ones. */
static void column(const char *name, const char *const cells[12]) {
    char text[4096];
    int n = snprintf(text, sizeof text, "sex,bmi,visits,%s\n", name);
    for (int i = 0; i < 12; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s,%d.5,%d,%s\n", i % 2 ? "f" : "m", 20 + i % 5, i % 3, cells[i]);
    table_from("t", text);
    run_ok("risk safe-harbour t");
}
#define CELLS(name, ...) column(name, (const char *const[12]){ __VA_ARGS__ })

static void test_held(void **state) {
    (void)state;
    CELLS("code", "A10", "B20", "A10", "C30", "B20", "A10", "A10", "B20", "C30", "C30", "A10", "B20");
    only(NULL, 0);
    assert_int_equal((int)value("held"), 18);
    assert_int_equal((int)value("untold"), 0);
    CELLS("year", "1999", "2001", "2003", "1999", "2001", "2003", "1999", "2001", "2003", "1999", "2001", "2003");
    only(NULL, 0);
    CELLS("age", "20-29", "30-39", "90+", "20-29", "30-39", "90+", "20-29", "30-39", "90+", "20-29", "30-39", "90+");
    only(NULL, 0);
    CELLS("insurance", "public", "private", "none", "public", "private", "none", "public", "private", "none", "public", "private", "none");
    only(NULL, 0); /* a tariff is no number of a member */
}

static void test_by_name(void **state) {
    (void)state;
    CELLS("zip3", "036", "102", "203", "036", "102", "203", "036", "102", "203", "036", "102", "203");
    assert_true(isnan(value("areas"))); /* a number behind a name is no other name: who lives there is not known */
    CELLS("nachname", "Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "Iota", "Kappa", "Lambda", "My");
    only("names", 1);
    CELLS("mrn", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "b1", "b2", "b3");
    only("record_numbers", 1);
    CELLS("fax", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12");
    only("faxes", 1);
}

/* By what the cells are, whatever the column is called. */
static void test_by_values(void **state) {
    (void)state;
    CELLS("x", "a@b.org", "c@d.org", "e@f.com", "g@h.com", "i@j.net", "k@l.net", "m@n.org", "o@p.org", "q@r.org", "s@t.org", "u@v.org",
          "w@x.org");
    only("emails", 1);
    CELLS("x", "10.1.2.3", "10.1.2.4", "10.1.2.5", "10.1.2.6", "10.1.2.7", "10.1.2.8", "10.1.2.9", "10.1.3.1", "10.1.3.2", "10.1.3.3",
          "10.1.3.4", "10.1.3.5");
    only("ip_addresses", 1);
    CELLS("x", "a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg", "f.jpg", "g.jpg", "h.jpg", "i.jpg", "j.jpg", "k.jpg", "l.png");
    only("photographs", 1);
    CELLS("x", "912345670", "912345671", "912345672", "912345673", "912345674", "912345675", "912345676", "912345677", "912345678",
          "912345679", "912345680", "912345681");
    assert_int_equal((int)value("other_codes"), 1);
    assert_true(isnan(value("social_security"))); /* nine digits that are given out */
}

static void test_dates(void **state) {
    (void)state;
    CELLS("seen", "31/12/1999", "01/02/2000", "03/04/2001", "31/12/1999", "01/02/2000", "03/04/2001", "31/12/1999", "01/02/2000",
          "03/04/2001", "31/12/1999", "01/02/2000", "03/04/2001");
    only("dates", 1);
    CELLS("seen", "19990131", "20000229", "20010315", "19990131", "20000229", "20010315", "19990131", "20000229", "20010315", "19990131",
          "20000229", "20010315");
    only("dates", 1);
    CELLS("seen", "2019/03", "2019/04", "2020/05", "2019/03", "2019/04", "2020/05", "2019/03", "2019/04", "2020/05", "2019/03", "2019/04",
          "2020/05");
    only("dates", 1);
    CELLS("age", "20", "30", "90", "20", "30", "41", "20", "30", "41", "20", "30", "41");
    only("dates", 1);
    run_ok("risk safe-harbour t --oldest 90");
    only(NULL, 0);
    CELLS("x", "13121999", "14022000", "15032001", "16042002", "none", "13121999", "14022000", "15032001", "16042002", "none", "13121999",
          "14022000");
    only("dates", 1); /* four of five values */
    CELLS("x", "13121999", "14022000", "15032001", "never", "none", "13121999", "14022000", "15032001", "never", "none", "13121999",
          "14022000");
    assert_true(isnan(value("dates")) || !(int)value("dates"));
    CELLS("birthyear", "1905", "1999", "1980", "1990", "1999", "1980", "1990", "1999", "1980", "1990", "1999", "1980");
    only("dates", 1);
}

static void test_areas(void **state) {
    (void)state;
    CELLS("state", "TX", "NY", "CA", "TX", "NY", "CA", "TX", "NY", "CA", "TX", "NY", "CA");
    only(NULL, 0);
    assert_int_equal((int)value("untold"), 0);
    CELLS("county", "Adams", "Boone", "Clark", "Adams", "Boone", "Clark", "Adams", "Boone", "Clark", "Adams", "Boone", "Clark");
    assert_true(isnan(value("areas"))); /* cannot be told, which is not held */
    assert_int_equal((int)value("untold"), 1);
    assert_int_equal((int)value("held"), 17);
    run_ok("risk safe-harbour t --state-level county");
    assert_int_equal((int)value("held"), 18);
    table_from("p", "county,people\nAdams,20001\nBoone,20000\nClark,99999\n");
    run_ok("risk safe-harbour t --population p");
    only("areas", 1);
    CELLS("zip", "02138", "02139", "10001", "02138", "02139", "10001", "02138", "02139", "10001", "02138", "02139", "10001");
    only("areas", 1);
    CELLS("zip", "021**", "021**", "100**", "021**", "021**", "100**", "021**", "021**", "100**", "021**", "021**", "100**");
    assert_true(isnan(value("areas")));
    table_from("p", "zip,people\n021**,20001\n100**,20001\n");
    run_ok("risk safe-harbour t --population p");
    only(NULL, 0);
    table_from("p", "zip,people\n021**,20001\n100**,20000\n");
    run_ok("risk safe-harbour t --population p");
    only("areas", 1);
}

/* Notes: what is found is broken, what is not found cannot be told. */
static void test_prose(void **state) {
    (void)state;
    CELLS("note", "Seen by Dr. John Smith at noon today", "Call 555-123-4567 about the next visit", "No change since the visit before",
          "The knee is much better than it was", "Pain in the left foot when walking", "Sleeps well and eats a little more",
          "Fever went down after two more days", "Cough is nearly gone by this morning", "Wound is dry and closed at last now",
          "Asked for another week of sick leave", "Blood pressure was fine on both arms", "Wants to come back in three weeks time");
    assert_int_equal((int)value("names"), 1);
    assert_int_equal((int)value("phones"), 1);
    assert_true(isnan(value("ip_addresses")));
    assert_int_equal((int)value("held"), 0);
    assert_int_equal((int)value("broken") + (int)value("untold"), 18);
}

static void test_codes_allowed(void **state) {
    (void)state;
    CELLS("subject", "q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9", "r1", "r2", "r3");
    only("other_codes", 1);
    run_ok("risk safe-harbour t --codes subject");
    only(NULL, 0);
}

/* What was once called held. */
#define FOUR(a, b, c, d) a, b, c, d, a, b, c, d, a, b, c, d
static void not_held(const char *kind) {
    if (!(isnan(value(kind)) || value(kind) > 0)) fail_msg("%s is called held", kind);
    assert_int_equal((int)value("held"), 17);
}
static void test_not_held(void **state) {
    (void)state;
    CELLS("age", FOUR("93 years", "40 years", "33 years", "50 years"));
    only("dates", 1);
    CELLS("age", FOUR("90-94", "40-44", "33-39", "50-54"));
    only("dates", 1);
    CELLS("age", FOUR("85-94", "40-44", "33-39", "50-54"));
    not_held("dates");
    CELLS("age", FOUR("95+", "90-94", "33-39", "50-54"));
    only("dates", 1);
    CELLS("admitted", FOUR("201901", "201902", "201903", "202012"));
    only("dates", 1);
    CELLS("admitted", FOUR("20190103", "20190204", "20190305", "99999999"));
    only("dates", 1);
    CELLS("admitted", FOUR("2019Q1", "2019-Q2", "2019-W12", "2020Q3"));
    only("dates", 1);
    CELLS("admission_month", FOUR("1", "5", "9", "12"));
    not_held("dates");
    CELLS("admission_date", FOUR("43001", "43102", "43203", "43304"));
    not_held("dates");
    CELLS("birth_year", FOUR("1915", "1920", "1935", "1950"));
    not_held("dates");
    CELLS("plz", FOUR("10115", "80331", "20095", "10117"));
    only("areas", 1);
    CELLS("residence", FOUR("Boston", "Albany", "Salem", "Portland"));
    not_held("areas");
    CELLS("surname", FOUR("Xy", "Zw", "Uv", "Rs"));
    not_held("names");
    CELLS("phone", FOUR("yes", "no", "yes", "no"));
    only(NULL, 0);
    CELLS("balance", FOUR("-4611686018427188003", "-4611686018427188001", "-4611686018427187999", "-4611686018427187998"));
    near(value("dates"), 0, 0); /* less 2^62 months of 1999: a hundred times that is no day */
    table_from("t", "surname,dx\nSchmidt,a\n");
    run_ok("risk safe-harbour t");
    only("names", 1);
    table_from("t", "state,city\nMA,Boston\nNY,Albany\nMA,Boston\nNY,Albany\n");
    run_ok("risk safe-harbour t --geography state");
    not_held("areas");
    table_from("t", "x,dx\nJohn Smith,a\nMary Brown,b\nPeter Jones,a\nAnna Miller,b\n");
    run_ok("risk safe-harbour t");
    not_held("names");
}

/* Columns of careless users, whose names tell nothing. */
static void test_blank_names(void **state) {
    (void)state;
    CELLS("v", "01-03", "02-17", "12-05", "11-30", "01-03", "02-17", "12-05", "11-30", "01-03", "02-17", "12-05", "11-30");
    only("dates", 1);
    CELLS("v", FOUR("03.01.", "17.2.", "5.12.", "30.11."));
    not_held("dates");
    CELLS("v", FOUR("17/01", "28/02", "05/12", "30/11"));
    only("dates", 1);
    CELLS("v", FOUR("March", "April", "May", "June"));
    only("dates", 1);
    CELLS("v", FOUR("Jan", "Feb", "Mar", "Apr"));
    only("dates", 1);
    CELLS("v", FOUR("03JAN2019", "17FEB2019", "5MAR2020", "30NOV2020"));
    only("dates", 1);
    CELLS("v", FOUR("2019-003", "2019-048", "2019-365", "2020-366"));
    only("dates", 1);
    CELLS("v", FOUR("31121999", "01022000", "28022001", "15062002"));
    only("dates", 1);
    CELLS("v", FOUR("93 y", "40 y", "33 y", "50 y"));
    only("dates", 1);
    CELLS("v", FOUR("1920", "1985", "1990", "2001"));
    not_held("dates");
    CELLS("v", FOUR("93", "40", "33", "50"));
    not_held("dates");
    CELLS("v", FOUR("Boston", "Chicago", "Denver", "Dallas"));
    only("areas", 1);
    CELLS("v", FOUR("boston", "chicago", "denver", "dallas"));
    only("areas", 1);
    CELLS("v", FOUR("Boston MA", "Albany NY", "Salem OR", "Denver CO"));
    only("areas", 1);
    CELLS("v", FOUR("Adams County", "Boone County", "Clark County", "Douglas County"));
    only("areas", 1);
    CELLS("v", FOUR("Dunvale", "Ashby", "Millbrook", "Fernley"));
    assert_true(isnan(value("areas")) && !(value("names") == 0));
    CELLS("v", FOUR("12138", "10001", "60601", "94110"));
    not_held("areas");
    CELLS("v", FOUR("02138-1234", "10001-4321", "60601-0001", "94110-1111"));
    only("areas", 1);
    CELLS("v", FOUR("K1A 0B1", "M5V 3L9", "H2X 1Y4", "SW1A 1AA"));
    only("areas", 1);
    CELLS("v", FOUR("Dr. Smith", "Dr. Jones", "Dr. Brown", "Dr. Miller"));
    not_held("names");
    CELLS("employer", FOUR("Acme", "Globex", "Acme", "Initech"));
    not_held("names");
    CELLS("firm_size", FOUR("10", "20", "30", "40"));
    only(NULL, 0);
    CELLS("v", FOUR("ok", "none", "see Dr. John Smith again", "better"));
    not_held("names");
}

/* What looks a little like it and is none. */
static void test_look_alikes(void **state) {
    (void)state;
    CELLS("band", FOUR("1-4", "5-9", "10-14", "15-19"));
    only(NULL, 0);
    CELLS("eyes", FOUR("20/20", "20/40", "20/25", "20/30"));
    only(NULL, 0);
    CELLS("v", FOUR("Texas", "Ohio", "New York", "Washington"));
    only(NULL, 0);
    CELLS("v", FOUR("Germany", "France", "Italy", "Spain"));
    only(NULL, 0);
    CELLS("drug", FOUR("Aspirin", "Metformin", "Ibuprofen", "Lisinopril"));
    only(NULL, 0);
    CELLS("v", FOUR("Aspirin", "Metformin", "Ibuprofen", "Lisinopril"));
    only(NULL, 0); /* words that name nobody */
    CELLS("v", FOUR("Quorvax", "Zelmitor", "Brintapol", "Vuxemide"));
    assert_int_equal((int)value("untold"), 2); /* may be towns or people, for all that the lists know */
    run_ok("risk safe-harbour t --harmless v");
    assert_int_equal((int)value("held"), 18);
    run_bad("risk safe-harbour t --harmless nobody", "nobody");
}

static void test_empty(void **state) {
    (void)state;
    table_from("t", "a,b\n");
    run_ok("risk safe-harbour t");
    assert_int_equal((int)value("held"), 18);
}

/* Ages above 89 under the names that files give them. */
static void test_names_of_ages(void **state) {
    (void)state;
    static const char *const names[] = { "agegrp",      "ageband", "agecat",     "AGEGR1",   "agerange",
                                         "agecategory", "alder",   "ageatdeath", "age_group" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CELLS(names[i], "40-44", "85-89", "90-94", "95-99", "40-44", "85-89", "90-94", "95-99", "40-44", "85-89", "90-94", "95-99");
        only("dates", 1);
    }
    CELLS("percentage", "40-44", "85-89", "90-94", "95-99", "40-44", "85-89", "90-94", "95-99", "40-44", "85-89", "90-94", "95-99");
    only(NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_held),    cmocka_unit_test(test_names_of_ages), cmocka_unit_test(test_not_held),
        cmocka_unit_test(test_by_name), cmocka_unit_test(test_by_values),     cmocka_unit_test(test_dates),
        cmocka_unit_test(test_areas),   cmocka_unit_test(test_prose),         cmocka_unit_test(test_codes_allowed),
        cmocka_unit_test(test_empty),   cmocka_unit_test(test_blank_names),   cmocka_unit_test(test_look_alikes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
