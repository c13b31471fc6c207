/* scrim inspect: counts, and roles suggested by name and by values. */
#define FIND_METHOD verb_find
#include "verb/verbs.h"
#include "methods.h"
#include <unistd.h>

static const char *role_of_column(const char *name) {
    const Table *columns = result_find_table(last_result, "profile");
    const Column *names = table_column(columns, "column"), *roles = table_column(columns, "role");
    char a[33], b[33];
    for (int64_t i = 0; i < columns->rows; i++)
        if (!strcmp(column_cell(names, i, a), name)) {
            const char *role = column_cell(roles, i, b);
            return role ? role : "-";
        }
    fail_msg("no column %s", name);
    return NULL;
}

static void test_counts(void **state) {
    (void)state;
    table_from("t", "g,x\na,1\na,2\nb,2\n,\n");
    run_ok("verb inspect t");
    assert_int_equal((int)value("records"), 4);
    assert_int_equal((int)value("missing"), 2);
    assert_int_equal((int)table_value("profile", "missing", 0), 1);
    assert_int_equal((int)table_value("profile", "distinct", 0), 2);
    assert_int_equal((int)table_value("profile", "uniques", 0), 1);
}

/* The project's example, whose roles are written down. */
static void test_clinic(void **state) {
    (void)state;
    table_from_file("clinic", "examples/clinic.csv");
    run_ok("verb inspect clinic");
    static const char *const wanted[][2] = {
        { "id", "identifiers" },  { "name", "identifiers" },    { "phone", "identifiers" }, { "birthdate", "identifiers" },
        { "lat", "identifiers" }, { "lon", "identifiers" },     { "sex", "keys" },          { "age", "keys" },
        { "region", "keys" },     { "education", "keys" },      { "occupation", "keys" },   { "marital", "keys" },
        { "income", "numeric" },  { "cholesterol", "numeric" }, { "bmi", "numeric" },       { "diagnosis", "sensitive" },
        { "w", "weight" },        { "hid", "household" },       { "smoker", "sensitive" },
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (strcmp(role_of_column(wanted[i][0]), wanted[i][1])) fail_msg("%s: %s", wanted[i][0], role_of_column(wanted[i][0]));
}

/* Whose a record is: a number of people that repeats, by its name in several languages; not an attribute of theirs. */
static void test_person(void **state) {
    (void)state;
    static const struct {
        const char *name;
        bool person;
    } cases[] = { { "patient", true },      { "patient_id", true },      { "SUBJID", true },
                  { "PersonNo", true },     { "Patientennummer", true }, { "numero_paciente", true },
                  { "patient_age", false }, { "case_type", false },      { "ward", false },
                  { "id", true },           { "ward_id", false },        { "site_id", false } };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[4000], *at = text + sprintf(text, "%s,sex\n", cases[c].name);
        for (int i = 0; i < 90; i++) at += sprintf(at, "%d,%c\n", 100 + i / 3, i % 2 ? 'f' : 'm');
        table_from("t", text);
        run_ok("verb inspect t");
        if (!strcmp(role_of_column(cases[c].name), "person") != cases[c].person)
            fail_msg("%s: %s", cases[c].name, role_of_column(cases[c].name));
    }
    char text[4000], *at = text + sprintf(text, "patient,sex\n");
    for (int i = 0; i < 90; i++) at += sprintf(at, "%d,%c\n", 100 + i, i % 2 ? 'f' : 'm'); /* once each: it names its record */
    table_from("t", text);
    run_ok("verb inspect t");
    assert_string_equal(role_of_column("patient"), "identifiers");
}

static bool asks_whose(void) {
    for (int64_t i = 0; i < last_result->notes; i++)
        if (strstr(last_result->note[i], "several records per person")) return true;
    return false;
}

/* Three records of each of a hundred people get a question; one record each, and records with a person's number, get none. */
static void test_repeated(void **state) {
    (void)state;
    for (int how = 0; how < 3; how++) {
        static char text[20000];
        char *at = text + sprintf(text, how == 2 ? "patient,dob,sex\n" : "x,dob,sex\n");
        for (int i = 0; i < 300; i++) {
            int person = how == 1 ? i : i / 3;
            at += sprintf(at, "%d,%d-%02d-%02d,%c\n", how == 2 ? person : i % 7, 1940 + person % 59, 1 + person % 12, 1 + person * 7 % 28,
                          person % 2 ? 'f' : 'm');
        }
        table_from("t", text);
        run_ok("verb inspect t");
        assert_int_equal(asks_whose(), how == 0);
    }
}

/* A table of columns that a function of the record makes. */
static void made_of(int records, const char *names, long (*cell)(int column, int record)) {
    static char text[400000];
    char *at = text + sprintf(text, "%s\n", names);
    int columns = 1;
    for (const char *c = names; *c; c++) columns += *c == ',';
    for (int i = 0; i < records; i++)
        for (int j = 0; j < columns; j++) at += sprintf(at, "%ld%c", cell(j, i), j == columns - 1 ? '\n' : ',');
    table_from("t", text);
    run_ok("verb inspect t");
}

/* Six columns of a thousand numbers that all differ: a register in order, one that was shuffled, every third number of one, one in blocks,
 * numbers of ten digits; and an amount, most of which lies at the low end. */
static long distinct_numbers(int column, int i) {
    long shuffled = (long)i * 367 % 1000;
    switch (column) {
    case 0: return 17 + 40L * i;
    case 1: return shuffled;
    case 2: return 5 + 3 * shuffled;
    case 3: return 1000 * (1 + shuffled / 125) + shuffled % 125;
    case 4: return 3141592653 + shuffled * 1000003;
    default: return shuffled < 700 ? 3 + 2 * shuffled : 1500 + 30 * (shuffled - 700);
    }
}

/* Whole numbers that all differ are serial numbers by their form, or amounts. */
static void test_amounts(void **state) {
    (void)state;
    made_of(1000, "register,shuffled,third,blocks,digits,amount", distinct_numbers);
    static const char *const serials[] = { "register", "shuffled", "third", "blocks", "digits" };
    for (size_t i = 0; i < sizeof serials / sizeof *serials; i++)
        if (strcmp(role_of_column(serials[i]), "identifiers")) fail_msg("%s: %s", serials[i], role_of_column(serials[i]));
    assert_string_equal(role_of_column("amount"), "numeric");
    table_from("few", "kilos,score\n61,7\n55,12\n98,3\n72,15\n64,9\n81,11\n77,2\n59,14\n90,1\n68,8\n"); /* all differ by chance */
    run_ok("verb inspect few");
    assert_string_equal(role_of_column("kilos"), "-");
}

/* Days by their form: no telephone numbers, no amounts, no identifiers. */
static void test_days(void **state) {
    (void)state;
    static char text[4000];
    strcpy(text, "seen,packed,phone\n");
    for (int i = 0; i < 60; i++)
        sprintf(text + strlen(text), "%02d.%02d.%d,%d%02d%02d,030-%03d %04d\n", 1 + i % 28, 1 + i % 12, 1940 + i, 1940 + i, 1 + i * 5 % 12,
                1 + i * 11 % 28, i * 37 % 1000, i * 7919 % 10000);
    table_from("t", text);
    run_ok("verb inspect t");
    assert_string_equal(role_of_column("seen"), "keys");
    assert_string_equal(role_of_column("packed"), "keys");
    assert_string_equal(role_of_column("phone"), "identifiers");
    assert_true(noted("'packed' is read as numbers: it holds days in another form"));
}

/* The type says where whole numbers are codes. */
static void test_codes(void **state) {
    (void)state;
    static char text[4000];
    strcpy(text, "kind,visits,x\n");
    for (int i = 0; i < 50; i++) sprintf(text + strlen(text), "%d,%d,%d\n", "31424"[i % 5] - '0', i % 4, i * 7 % 43);
    table_from("t", text);
    run_ok("verb inspect t");
    const Table *profile = result_find_table(last_result, "profile");
    char word[33];
    assert_string_equal(column_cell(profile->column[1], 0, word), "integer");
    assert_string_equal(column_cell(profile->column[2], 0, word), "nominal");
    assert_string_equal(column_cell(profile->column[2], 1, word), "numeric");
    assert_string_equal(column_cell(profile->column[2], 2, word), "numeric");
}

static void test_names_in_parts(void **state) {
    (void)state;
    table_from("t", "sampling_weight,birthYear,ori_hid,hours-per-week,same\n1.5,1970,1,40,x\n2,1970,1,38,x\n1,1981,2,40.5,x\n");
    run_ok("verb inspect t");
    assert_string_equal(role_of_column("sampling_weight"), "weight");
    assert_string_equal(role_of_column("birthYear"), "keys");
    assert_string_equal(role_of_column("ori_hid"), "household");
    assert_string_equal(role_of_column("hours-per-week"), "numeric");
    assert_string_equal(role_of_column("same"), "-");
    table_from("t", "zip3,sex1,w2,q7\n021,f,1.5,1\n036,m,2,2\n021,f,1,1\n"); /* digits behind a word; not behind a letter */
    run_ok("verb inspect t");
    assert_string_equal(role_of_column("zip3"), "keys");
    assert_string_equal(role_of_column("sex1"), "keys");
    assert_string_equal(role_of_column("w2"), "numeric");
}

/* What a file says of its columns is shown, and its weights are the weight whatever their name. */
static void test_labels(void **state) {
    (void)state;
    Table *t = table_from("t", "q1,sex,z\n1,f,1.5\n,m,2\n2,f,3.25\n");
    run_ok("verb inspect t");
    assert_null(result_find_table(last_result, "labels"));
    for (int i = 0; i < 3; i++) assert_non_null(t->column[i]->about = metadata_new());
    assert_int_equal(metadata_set(&t->column[0]->about->label, "Hours worked", &last_error), OK);
    assert_int_equal(metadata_add_label(t->column[0]->about, (CodeValue){ .value = 98 }, "refused", &last_error), OK);
    assert_int_equal(column_need_reason(t->column[0], &last_error), OK);
    assert_int_equal(metadata_reason(t->column[0]->about, (CodeValue){ .value = 98 }, &t->column[0]->reason[1], &last_error), OK);
    t->column[2]->about->weights = true;
    t->label = strdup("Survey of the town");
    run_ok("verb inspect t");
    const Table *labels = result_find_table(last_result, "labels");
    char text[33];
    assert_string_equal(column_cell(table_column(labels, "label"), 0, text), "Hours worked");
    assert_int_equal(labels->column[1]->missing, 2);
    assert_true(table_value("labels", "labelled_values", 0) == 1 && table_value("labels", "missing_for_a_reason", 0) == 1 &&
                table_value("labels", "missing_for_a_reason", 1) == 0);
    assert_string_equal(role_of_column("z"), "weight");
    bool said = false;
    for (int64_t i = 0; i < last_result->notes; i++) said |= strstr(last_result->note[i], "Survey of the town") != NULL;
    assert_true(said);
}

/* Words that stand for missing among numbers, and numbers that do. */
static void test_hints(void **state) {
    (void)state;
    table_from("t", "x,y,z,deg,age\n1,-8,1,-8,99\n2,3,2,-30,20\nNA,4,3,-8,95\n4,5,999,20,99\n5,6,999,30,40\n6,-8,4,5,41\n7,8,5,6,42\n8,9,1,"
                    "7,43\n9,1,2,8,1\n1,2,3,9,2\n");
    run_ok("verb inspect t");
    assert_true(noted("90% numbers, the rest 'NA': try --na NA."));
    assert_true(noted("'y': -8 (2 records)"));
    assert_true(noted("'z': 999 (2 records)"));
    assert_false(noted("'deg'")); /* other values are below zero too */
    assert_false(noted("'age'")); /* 99 beside 95 */
    table_from("w", "g,x\na,1\nb,2\n1,999\n2,3\n");
    run_ok("verb inspect w");
    assert_false(noted("--na"));
}

static void test_edges(void **state) {
    (void)state;
    table_from("empty", "x,y\n");
    run_ok("verb inspect empty");
    assert_int_equal((int)value("records"), 0);
    table_from("none", "x,y\n,\n,\n");
    run_ok("verb inspect none");
    assert_int_equal((int)value("missing"), 4);
    table_from("far", "v\n-1.7e308\n1.7e308\n1e300\n1e300\n"); /* farther apart than there are numbers */
    run_ok("verb inspect far");
    assert_int_equal((int)table_value("profile", "distinct", 0), 3);
    run_bad("verb inspect nowhere", "nowhere");
}

/* By values, whatever the language of the name; weights that are people's; and hints to read the file as it was meant. */
static void test_by_values(void **state) {
    (void)state;
    table_from("t", "correo,telefono,persona,web,weight,pwgt,tag\n"
                    "a@b.es,+34 600 111 222,Ana Ruiz,www.a.es,70,1.5,31/12/1999\nc@d.es,+34 600 111 223,Eva "
                    "Gil,www.b.es,81,2,01/02/2000\n"
                    "e@f.es,+34 600 111 224,Leo Paz,www.c.es,64,1,02/02/2000\ng@h.es,+34 600 111 225,Sol "
                    "Vega,www.d.es,90,4,03/02/2000\n"
                    "i@j.es,+34 600 111 226,Ada Mora,www.e.es,55,4,04/02/2000\nk@l.es,+34 600 111 227,Luz "
                    "Sanz,www.f.es,77,4,05/02/2000\n"
                    "m@n.es,+34 600 111 228,Pau Coll,www.g.es,68,9,06/02/2000\no@p.es,+34 600 111 229,Iker "
                    "Sol,www.h.es,72,4,07/02/2000\n"
                    "q@r.es,+34 600 111 230,Noa Rey,www.i.es,99,4,08/02/2000\ns@t.es,+34 600 111 231,Teo "
                    "Mas,www.j.es,61,5,09/02/2000\n");
    run_ok("verb inspect t");
    assert_string_equal(role_of_column("correo"), "identifiers");
    assert_string_equal(role_of_column("telefono"), "identifiers");
    assert_string_equal(role_of_column("persona"), "identifiers");
    assert_string_equal(role_of_column("web"), "identifiers");
    assert_string_not_equal(role_of_column("weight"), "weight"); /* kilograms */
    assert_string_equal(role_of_column("pwgt"), "weight");
    bool days = false;
    for (int64_t i = 0; i < last_result->notes; i++) {
        days |= strstr(last_result->note[i], "'tag' is read as words: it holds days") != NULL;
    }
    assert_true(days);
}

/* Records that are alone on a key, a pair and a triple, counted by hand. */
static void test_keys(void **state) {
    (void)state;
    table_from("t", "sex,age,region\nm,30,a\nm,30,b\nf,30,a\nf,41,a\nf,41,a\n");
    run_ok("verb inspect t");
    const Table *keys = result_find_table(last_result, "keys");
    assert_int_equal(keys->rows, 7);
    static const struct {
        const char *set;
        int alone;
    } wanted[] = { { "region", 1 },
                   { "sex", 0 },
                   { "age", 0 },
                   { "sex × region", 2 },
                   { "sex × age", 1 },
                   { "age × region", 1 },
                   { "sex × age × region", 3 } };
    char text[33];
    for (int i = 0; i < 7; i++) {
        assert_string_equal(column_cell(table_column(keys, "keys"), i, text), wanted[i].set);
        assert_int_equal((int)table_value("keys", "alone", i), wanted[i].alone);
    }
    near(table_value("values", "mean", 1), 34.4, 1e-12);
}

/* Columns drawn: every value is in one bin, whole numbers have bins of whole width, and two tables share theirs. */
static double summed(const Series *series) {
    double sum = 0;
    for (int64_t i = 0; i < series->count; i++) sum += series->y[i];
    return sum;
}

static void test_charts(void **state) {
    (void)state;
    table_from("t", "n,r,g,when\n1,0.5,a,2020-01-05\n2,,b,2020-03-01\n50,2.5,a,2021-01-01\n3,1,,2019-07-07\n");
    table_from("u", "n,r,g,other\n1,0.5,a,9\n90,1.5,c,9\n");
    run_ok("verb inspect t --charts --beside u");
    assert_int_equal((int)last_result->charts, 4);
    const Chart *n = last_result->chart[0], *r = last_result->chart[1], *g = last_result->chart[2], *when = last_result->chart[3];
    assert_int_equal(n->kind, CHART_HISTOGRAM);
    assert_string_equal(n->title, "n");
    assert_int_equal((int)n->series_count, 2);
    assert_true(summed(&n->series[0]) == 4 && summed(&n->series[1]) == 2);
    assert_true(n->series[0].x[0] == 1 && n->series[0].x[1] == 6 && n->series[0].x[n->series[0].count] > 90);
    assert_true(summed(&r->series[0]) == 3 && summed(&r->series[1]) == 2);
    assert_string_equal(r->x_label, "r (missing: 1 before, 0 after)");
    assert_int_equal(g->kind, CHART_BAR);
    assert_int_equal((int)g->series[0].count, 3);
    assert_string_equal(g->series[0].text[2], "c");
    assert_true(g->series[0].y[0] == 2 && g->series[1].y[2] == 1 && g->series[0].y[2] == 0);
    assert_int_equal((int)when->series_count, 1); /* the other table has no such column */
    run_ok("verb inspect t --charts --vars g");
    assert_int_equal((int)last_result->charts, 1);
    table_from_file("clinic", "examples/clinic.csv");
    run_ok("verb inspect clinic --charts --vars birthdate"); /* a day by its year, the commonest first */
    assert_string_equal(last_result->chart[0]->series[0].text[0], "1970");
    assert_true(last_result->chart[0]->series[0].y[0] == 15);
    table_from("many", "g,x\na,\nb,\nc,\nd,\ne,\nf,\ng,\nh,\ni,\nj,\nk,\nl,\nm,\nm,\n");
    run_ok("verb inspect many --charts"); /* x is nothing but missing, and not drawn */
    assert_int_equal((int)last_result->charts, 1);
    assert_string_equal(last_result->chart[0]->series[0].text[0], "m");
    assert_string_equal(last_result->chart[0]->series[0].text[11], "2 others");
    assert_true(summed(&last_result->chart[0]->series[0]) == 14);
    table_from("changed", "n\nlow\nhigh\nlow\nlow\n");
    run_ok("verb inspect t --charts --beside changed --vars n"); /* numbers became words: each has its own chart */
    assert_int_equal((int)last_result->charts, 2);
    assert_int_equal(last_result->chart[1]->kind, CHART_BAR);
    table_from("codes", "sex,n\n1,1\n2,2\n2,2\n");
    run_ok("verb inspect codes"); /* no mean of sex */
    assert_true(isnan(table_value("values", "mean", 0)));
    near(table_value("values", "mean", 1), 5. / 3, 1e-12);
    run_bad("verb inspect t --beside u", "charts");
}

/* Columns whose names tell nothing: by the form of their values. */
static void test_by_content(void **state) {
    (void)state;
    static const char *const given[] = { "Anna", "Karin", "Marek", "Paolo", "Lucia", "Pieter", "Ingrid", "Claire" };
    static const char *const street[] = { "12 Mill Street", "Hauptstrasse 5", "Calle Mayor 3", "7 Kirk Lane" };
    static const char *const icd[] = { "J45.0", "E11.9", "I10", "C50.1" };
    static const char *const snomed[] = { "22298006", "38341003", "73211009", "195967001" }; /* with their check digits */
    char text[20000], *at = text + sprintf(text, "a,b,c,d,e,f\n");
    for (int i = 0; i < 160; i++)
        at += sprintf(at, "%s,%s,%s,%s,%s,%s\n", given[i % 8], street[i % 4], icd[i * 7 % 4], i % 3 ? "Mann" : "Frau", snomed[i * 3 % 4],
                      i % 5 ? "red" : "blue");
    table_from("t", text);
    run_ok("verb inspect t");
    assert_string_equal(role_of_column("a"), "identifiers");
    assert_string_equal(role_of_column("b"), "identifiers");
    assert_string_equal(role_of_column("c"), "sensitive");
    assert_string_equal(role_of_column("d"), "keys");
    assert_string_equal(role_of_column("e"), "sensitive");
    assert_string_equal(role_of_column("f"), "-");
}

/* One weight, one person; what repeats exactly with the person is an identifier, what nearly does is not. */
static void test_settled(void **state) {
    (void)state;
    char text[20000], *at = text + sprintf(text, "patient,pseudo,nearly,PWGTP,WGTP,pwgtp1\n");
    for (int i = 0; i < 120; i++)
        at += sprintf(at, "%d,%d,%d,%d,%d,%d\n", 100 + i / 3, 5000 + i / 3 * 37 % 997, i == 5 ? 9999 : 5000 + i / 3 * 37 % 997, 30 + i % 50,
                      20 + i % 60, 10 + i % 70);
    table_from("t", text);
    run_ok("verb inspect t");
    assert_string_equal(role_of_column("patient"), "person");
    assert_string_equal(role_of_column("pseudo"), "identifiers");
    assert_string_not_equal(role_of_column("nearly"), "identifiers");
    assert_string_equal(role_of_column("PWGTP"), "weight");
    assert_string_equal(role_of_column("WGTP"), "other");
}

/* ---- --schema ---- */

static const char *schema_line_of(const char *name) {
    static char room[33];
    const Table *schema = result_find_table(last_result, "schema");
    for (int64_t i = 0; i < schema->rows; i++)
        if (!strcmp(table_cell(schema, "column", i, room), name)) {
            const char *line = table_cell(schema, "declaration", i, room);
            return line ? line : "-";
        }
    fail_msg("no column %s", name);
    return NULL;
}

static void line_is(const char *name, const char *wanted) { assert_string_equal(schema_line_of(name), wanted); }

/* Known answers: a name's own bounds, rounded ones, words of ten records or more, and what no schema has. */
static void test_schema(void **state) {
    (void)state;
    static char text[40000];
    char *at = text + sprintf(text, "age,income,year,share,debt,town,lastname,visited,constant\n");
    for (int i = 0; i < 300; i++)
        at += sprintf(at, "%d,%d,%d,0.%03d,%d,%s,Name%d,2020-01-%02d,7\n", 18 + i % 80, 1000 + 657 * i, 1950 + i % 61, i * 3,
                      i * 17 % 1201 - 300,
                      i < 9   ? "Rareton"
                      : i % 2 ? "Northam"
                              : "Southam",
                      i, 1 + i % 28);
    table_from("t", text);
    run_ok("verb inspect t --schema");
    line_is("age", "{type: integer, bounds: [0, 120], missing: possible}");
    line_is("income", "{type: integer, bounds: [0, 200000], missing: possible, confirm: bounds}");
    line_is("year", "{type: integer, bounds: [1900, 2100], missing: possible, confirm: bounds}");
    line_is("share", "{type: real, bounds: [0, 1], missing: possible, confirm: bounds}");
    line_is("debt", "{type: integer, bounds: [-2000, 2000], missing: possible, confirm: bounds}");
    line_is("town", "{categories: [\"Northam\", \"Southam\", other], missing: possible, confirm: categories}");
    line_is("lastname", "-");
    line_is("visited", "-");
    run_ok("verb inspect t");
    assert_null(result_find_table(last_result, "schema"));
}

/* Of random numbers of any size: the bounds enclose the values, are none of them (except 0), and have one digit or few. */
static void test_schema_bounds(void **state) {
    (void)state;
    uint64_t word = 11;
    for (int round = 0; round < 300; round++) {
        char text[4000] = "x\n", *at = text + 2, line[200];
        double least = INFINITY, most = -INFINITY, low, high, scale = pow(10, round % 13 - 6);
        for (int i = 0; i < 40; i++) {
            word = word * 6364136223846793005u + 1442695040888963407u;
            double value = ((double)(word >> 40) / (1 << 24) * 3 - (round % 3 ? 0 : 1)) * scale + (round % 5 ? 0 : 7 * scale);
            at += sprintf(at, "%.9g\n", value);
        }
        const Column *x = table_from("t", text)->column[0];
        for (int i = 0; i < 40; i++) {
            least = fmin(least, column_number(x, i));
            most = fmax(most, column_number(x, i));
        }
        run_ok("verb inspect t --schema");
        snprintf(line, sizeof line, "%s", schema_line_of("x"));
        assert_int_equal(sscanf(strchr(line, '['), "[%lf, %lf]", &low, &high), 2);
        if (!(low < least || (low == 0 && least >= 0)) || !(high > most)) fail_msg("%s for %g to %g", line, least, most);
        assert_true(high - low <= 15 * (most - least) || low == 0);
    }
}

/* The files of the reference collection: every number lies within its bounds, and no bound is an extreme but 0. */
static void test_schema_files(void **state) {
    (void)state;
    static const char *const files[] = { "../shared/data/adult.csv", "../shared/data/nist/tx2019.csv", "../shared/data/sd2011.csv" };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        if (access(files[f], R_OK)) skip();
        const Table *data = table_from_file("data", files[f]);
        run_ok("verb inspect data --schema");
        int numbers = 0;
        for (int64_t j = 0; j < data->columns; j++) {
            const Column *column = data->column[j];
            double low, high;
            const char *line = schema_line_of(column->name), *bounds = strstr(line, "bounds: [");
            if (!bounds) continue;
            numbers++;
            bool confirmed = !strstr(line, "confirm: bounds");
            assert_int_equal(sscanf(bounds, "bounds: [%lf, %lf]", &low, &high), 2);
            for (int64_t i = 0; i < column->rows; i++) {
                if (column_missing(column, i)) continue;
                double x = column_number(column, i);
                assert_true(x >= low && x <= high);
                if (!confirmed) assert_true(x < high && (x > low || low == 0));
            }
        }
        assert_true(numbers > 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_content),  cmocka_unit_test(test_settled), cmocka_unit_test(test_counts),
        cmocka_unit_test(test_clinic),      cmocka_unit_test(test_person),  cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_amounts),     cmocka_unit_test(test_days),    cmocka_unit_test(test_codes),
        cmocka_unit_test(test_by_values),   cmocka_unit_test(test_keys),    cmocka_unit_test(test_names_in_parts),
        cmocka_unit_test(test_labels),      cmocka_unit_test(test_hints),   cmocka_unit_test(test_edges),
        cmocka_unit_test(test_charts),      cmocka_unit_test(test_schema),  cmocka_unit_test(test_schema_bounds),
        cmocka_unit_test(test_schema_files)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
