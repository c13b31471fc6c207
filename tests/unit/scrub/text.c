/* scrub.text: what is found, what stays byte for byte, who stays who, dates that keep their distances, and text that no one should have to
 * read. */
#include "methods.h"

/* A table of one column "note" (and one "patient" by turns) from cells. */
static void notes(const char *const *cells, int64_t rows) {
    Column *columns[2];
    Table *table;
    assert_int_equal(column_text("note", cells, rows, &columns[0], &last_error), OK);
    assert_int_equal(column_new(INTEGER_TYPE, "patient", rows, &columns[1], &last_error), OK);
    for (int64_t i = 0; i < rows; i++) columns[1]->integer[i] = i % 2;
    assert_int_equal(table_new("data", columns, 2, rows, &table, &last_error), OK);
    column_release(columns[0]);
    column_release(columns[1]);
    shelve("data", table);
}

static const char *out_cell(int64_t row) {
    static char number[33];
    return column_cell(table_column(last_result->output[0], "note"), row, number);
}

static void becomes(const char *options, const char *text, const char *expected) {
    char command[1024];
    notes(&text, 1);
    snprintf(command, sizeof command, "scrub text data --columns note %s", options);
    run_ok(command);
    assert_string_equal(out_cell(0), expected);
}

static void kinds(void **state) {
    (void)state;
    becomes("--replace label", "Seen by Dr. Alan Whitfield on 03/14/2019. MRN 00482913.", "Seen by Dr. [PERSON] on [DATE]. MRN [RECORD].");
    becomes("--replace label", "Write to r.h@example.com or see https://www.example.org/cv?x=1.", "Write to [EMAIL] or see [URL].");
    becomes("--replace label", "SSN 219-09-9999, card 4111 1111 1111 1111, from 10.1.2.3.", "SSN [SSN], card [CARD], from [IP].");
    becomes("--replace label", "IBAN DE89 3704 0044 0532 0130 00 and DNI 12345678Z", "IBAN [IBAN] and DNI [NATIONAL_ID]");
    becomes("--replace label", "MAC 00:1b:63:84:45:e6, VIN 1HGCM82633A004352, serial number HX-2291-77.",
            "MAC [MAC], VIN [VEHICLE], serial number [DEVICE].");
    becomes("--replace label", "Call (415) 555-0182, fax 415-555-0199, zip 94105-1234.", "Call [PHONE], fax [FAX], zip [ZIP].");
    becomes("--replace label", "Die Patientin ist 84 Jahre alt. El paciente, de 47 años. Elle a 35 ans.",
            "Die Patientin ist [AGE] Jahre alt. El paciente, de [AGE] años. Elle a [AGE] ans.");
    becomes("--replace label", "on the 5th of May, 2021; 1 de junio de 2021; am 4. Juli 1951; le 3 avril 1988",
            "on the [DATE]; [DATE]; am [DATE]; le [DATE]");
}

static void ways(void **state) {
    (void)state;
    const char *text = "Mrs O'Neill, 93 years old, was seen on 2019-03-14.";
    becomes("--replace generalise --each PERSON:label", text, "Mrs [PERSON], 90+ years old, was seen on 2019.");
    becomes("--replace mask --kinds PERSON", text, "Mrs *******, 93 years old, was seen on 2019-03-14.");
    becomes("--replace remove --kinds DATE", text, "Mrs O'Neill, 93 years old, was seen on .");
    becomes("--replace generalise --kinds ZIP", "ZIP 62704 and zip code 03601", "ZIP 627** and zip code 000**");
    becomes("--replace label --each DATE:keep --kinds DATE,AGE", text, "Mrs O'Neill, [AGE] years old, was seen on 2019-03-14.");
    becomes("--replace label --kinds AGE --pattern 'STUDY=ST-[0-9]{3}'", "Study ST-123 of ST-9", "Study [STUDY] of ST-9");
}

/* Everything outside finds is copied: with --each …:keep for all kinds the text comes back as it was. */
static void byte_for_byte(void **state) {
    (void)state;
    const char *texts[] = { "",
                            " ",
                            "\n\r\n\t",
                            "Ünïcödé ☃ 😀 Dr. Müller",
                            "bad \xff\xfe\x80 bytes \xc3",
                            "a\xe2\x82",
                            "'''---...",
                            "John's son's e-mail: a@b.cd!",
                            "12/12/2012 12/12/2012 1.2.3.4.5.6" };
    char command[2048] =
        "scrub text data --columns note --each "
        "PERSON:keep,ADDRESS:keep,PLACE:keep,REGION:keep,ZIP:keep,DATE:keep,AGE:keep,PHONE:keep,FAX:keep,EMAIL:keep,SSN:keep,NATIONAL_ID:"
        "keep,RECORD:keep,"
        "PLAN:keep,ACCOUNT:keep,LICENCE:keep,VEHICLE:keep,DEVICE:keep,BIOMETRIC:keep,CARD:keep,IBAN:keep,IP:keep,MAC:keep,URL:keep,ID:keep";
    notes(texts, 9);
    run_ok(command);
    for (int64_t i = 0; i < 9; i++) assert_string_equal(out_cell(i), texts[i]);
}

/* Places are counted in code points, in order, without overlap, and the replacement is what stands in the output. */
static void places(void **state) {
    (void)state;
    const char *texts[] = { "Ä☃ Dr. Zoë Müller rief am 04.07.1951 an: 030 1234567.", "nothing here", "María nació en Madrid." };
    notes(texts, 3);
    run_ok("scrub text data --columns note --replace label --finds");
    assert_int_equal(last_result->outputs, 2);
    const Table *finds = last_result->output[1];
    char number[33];
    assert_true(finds->rows >= 4);
    assert_string_equal(column_cell(table_column(finds, "text"), 0, number), "Zoë Müller");
    assert_int_equal(column_integer(table_column(finds, "row"), 0), 0);
    assert_int_equal(column_integer(table_column(finds, "start"), 0), 7);
    assert_int_equal(column_integer(table_column(finds, "end"), 0), 17);
    assert_string_equal(column_cell(table_column(finds, "kind"), 0, number), "PERSON");
    assert_string_equal(column_cell(table_column(finds, "replacement"), 0, number), "[PERSON]");
    for (int64_t i = 1; i < finds->rows; i++)
        if (column_integer(table_column(finds, "row"), i) == column_integer(table_column(finds, "row"), i - 1))
            assert_true(column_integer(table_column(finds, "start"), i) >= column_integer(table_column(finds, "end"), i - 1));
    assert_string_equal(out_cell(1), texts[1]);
}

/* The same person keeps one name within a subject; another subject's has another; short forms and initials follow. */
static void who_is_who(void **state) {
    (void)state;
    const char *texts[] = { "Robert Hargreaves came. Mr Hargreaves left. Bob Hargreaves called. R. Hargreaves signed.",
                            "Mr Robert Hargreaves came.", "ROBERT HARGREAVES was seen by Robert Hargreaves." };
    notes(texts, 3);
    run_ok("scrub text data --columns note --subject patient --kinds PERSON");
    char given[64], surname[64], again[64], last[64], shorter[64], initial[8], upper[64];
    assert_int_equal(
        sscanf(out_cell(0), "%63s %63s came. Mr %63s left. %63s %63s called. %7s", given, surname, again, shorter, last, initial), 6);
    assert_string_equal(surname, again);
    assert_string_equal(surname, last);
    assert_int_equal(initial[0], given[0]);
    assert_string_not_equal(given, "Robert");
    assert_string_not_equal(surname, "Hargreaves");
    assert_null(strstr(out_cell(1), surname)); /* patient 1: drawn apart (and this seed draws another) */
    for (char *p = strcpy(upper, surname); *p; p++) *p = (char)(*p >= 'a' && *p <= 'z' ? *p - 32 : *p);
    assert_non_null(strstr(out_cell(2), upper));
    assert_non_null(strstr(out_cell(2), surname));
    char *first = strdup(out_cell(0));
    run_threads = 1;
    run_ok("scrub text data --columns note --subject patient --kinds PERSON");
    run_threads = 2;
    assert_string_equal(out_cell(0), first); /* the same seed, any number of threads */
    free(first);
}

/* A subject's dates move by one number of days, in whatever form they stand. */
static void intervals(void **state) {
    (void)state;
    const char *texts[] = { "Seen 2020-01-10 and 2020-02-10.", "x", "Back on 2020-03-01." };
    int y[3], m[3], d[3];
    notes(texts, 3);
    run_ok("scrub text data --columns note --subject patient --kinds DATE --shift 5");
    assert_int_equal(sscanf(out_cell(0), "Seen %d-%d-%d and %d-%d-%d.", &y[0], &m[0], &d[0], &y[1], &m[1], &d[1]), 6);
    assert_int_equal(sscanf(out_cell(2), "Back on %d-%d-%d.", &y[2], &m[2], &d[2]), 3);
    int shift = (m[0] - 1) * 31 + d[0] - 10, second = (m[1] - 2) * 31 + d[1] - 10;
    assert_true(shift && shift >= -5 && shift <= 5);
    assert_int_equal(shift, second);
    assert_int_equal((m[2] == 2 ? d[2] - 29 - 1 : d[2] - 1), shift); /* 2020 has a 29th of February */
}

/* A short weekday before a date is a find with it, or it would tell the shift but for whole weeks; elsewhere such words stay. */
static void short_weekdays(void **state) {
    (void)state;
    becomes("--replace label --kinds DATE", "Seen 20190314, 2019/03, 2019-03 and 14 March 2019 (Fri); not 20191399 or 2019/33.",
            "Seen [DATE], [DATE], [DATE] and [DATE] ([DATE]); not 20191399 or 2019/33.");
    becomes("--replace label --kinds DATE", "Born Jan. 5, '48; seen 14MAR2019, 14-Mar-19 and in March '19.",
            "Born [DATE]; seen [DATE], [DATE] and in [DATE].");
    becomes("--replace label --kinds DATE", "Seen in 2019/03. Back on Mon 4/1.", "Seen in [DATE]. Back on [DATE] [DATE].");
    becomes("--replace label --kinds DATE", "A dose of 1/2.", "A dose of 1/2.");
    becomes("--replace generalise --kinds AGE", "A 91yo F, 92 y/o, 93-yo and 35yo.", "A 90+yo F, 90+ y/o, 90+-yo and 35yo.");
    becomes("--replace label --kinds DATE", "Seen Fri 14 March 2019, Mo., 03.05.2021 and sat. 2020-05-02.",
            "Seen [DATE] [DATE], [DATE]., [DATE] and [DATE]. [DATE].");
    becomes("--replace label --kinds DATE", "She sat up in the sun. So 3 May do.", "She sat up in the sun. So [DATE] do.");
    const char *text = "Fri 14 March 2019";
    static const char *const names[] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
    static const int before[] = { 0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4 }; /* Sakamoto's table: day of the week from year, month and day */
    char day[8], month[16];
    int d, y, m = 0;
    notes(&text, 1);
    run_ok("scrub text data --columns note --kinds DATE");
    assert_int_equal(sscanf(out_cell(0), "%7s %d %15s %d", day, &d, month, &y), 4);
    static const char *const months[] = { "January", "February", "March",     "April",   "May",      "June",
                                          "July",    "August",   "September", "October", "November", "December" };
    while (m < 11 && strcmp(months[m], month)) m++;
    int year = y - (m < 2), moved = (year + year / 4 - year / 100 + year / 400 + before[m] + d) % 7;
    /* The 14th of March 2019 was a Thursday: the note is wrong by one day, and stays so. */
    assert_string_equal(day, names[(moved + 1) % 7]);
}

/* Names of the record's own column are found misspelt, in any case, without accents. */
static void known_names(void **state) {
    (void)state;
    table_from("data", "note,name\nspoke with fernandes and zarkovits about the bill,Fernández Zarkowitz\nspoke with fernandes,Smith\n");
    run_ok("scrub text data --columns note --known name --replace label --kinds PERSON --threshold 0.85");
    assert_string_equal(out_cell(0), "spoke with [PERSON] and [PERSON] about the bill");
    table_from("people", "surname\nQuimbleton\n");
    table_from("data", "note\nthe quimbletan case\n");
    run_ok("scrub text data --columns note --names people --replace label --kinds PERSON --threshold 0.85");
    assert_string_equal(out_cell(0), "the [PERSON] case");
    /* A known surname does not part the initial from it: both are of one person. */
    char given[64], surname[64], initial[64], again[64];
    table_from("data", "note,name\nRobert Jones came and R. Jones left.,Robert Jones\n");
    run_ok("scrub text data --columns note --known name --kinds PERSON --replace label");
    assert_string_equal(out_cell(0), "[PERSON] came and [PERSON] left.");
    run_ok("scrub text data --columns note --known name --kinds PERSON");
    assert_int_equal(sscanf(out_cell(0), "%63s %63s came and %63s %63s left.", given, surname, initial, again), 4);
    assert_int_equal(initial[0], given[0]);
    assert_string_equal(surname, again);
}

/* A name of the record is found as a common word, without its marks, inflected, turned round, and with its initials; other words stay. */
static void own_names(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        { "rose may seen today; mrs may well", "Rose May", "[PERSON] seen today; mrs [PERSON] well" },
        { "will young reviewed, mr young stable", "Will Young", "[PERSON] reviewed, mr [PERSON] stable" },
        { "pt sean o’brien went home", "Sean O'Brien", "pt [PERSON] went home" },
        { "grant; mark told of grants and OBRIEN", "Mark Grant-O'Brien", "[PERSON]; [PERSON] told of [PERSON] and [PERSON]" },
        { "seen: r. may; R.M. called; May R left", "Rose May", "seen: [PERSON]; [PERSON] called; [PERSON] left" },
        { "Joerg came with the jörgs on a map", "Jörg", "[PERSON] came with the [PERSON] on a map" },
        { "Li sah li und Anna van der Li", "Anna Li", "[PERSON] sah li und [PERSON]" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char table[256];
        snprintf(table, sizeof table, "note,name\n%s,%s\nmay will grant a rose,x\n", cases[i][0], cases[i][1]);
        for (char *p = table + 10; *p; p++) /* the notes hold commas; the helper's tables do not */
            if (*p == ',' && p[1] == ' ') *p = ';';
        table_from("data", table);
        run_ok("scrub text data --columns note --known name --replace label --kinds PERSON --language en");
        char expected[256];
        snprintf(expected, sizeof expected, "%s", cases[i][2]);
        for (char *p = expected; *p; p++)
            if (*p == ',' && p[1] == ' ') *p = ';';
        assert_string_equal(out_cell(0), expected);
        assert_string_equal(out_cell(1), "may will grant a rose"); /* another record's names are no names here */
    }
    bool told = false;
    for (int64_t i = 0; i < last_result->notes; i++) told |= strstr(last_result->note[i], "known names: name.") != NULL;
    assert_true(told);
}

/* Two columns of one patient: the order of days is decided by the patient's dates, then by all; what stays open becomes a label. */
static void date_orders(void **state) {
    (void)state;
    table_from("data", "id,note\na,25/12/2022 and 03/01/2023\na,05/01/2023\nb,12/25/2022 and 03/01/2023\nc,03/01/2023\n");
    int d[3], m[3], y[3];
    run_ok("scrub text data --columns note --subject id --language en --shift 1");
    assert_int_equal(sscanf(out_cell(0), "%d/%d/%d and %d/%d/%d", &d[0], &m[0], &y[0], &d[1], &m[1], &y[1]), 6);
    int day = d[0] - 25;
    assert_true((day == 1 || day == -1) && m[0] == 12 && d[1] == 3 + day && m[1] == 1);
    assert_int_equal(sscanf(out_cell(1), "%d/%d/%d", &d[2], &m[2], &y[2]), 3);
    assert_true(d[2] == 5 + day && m[2] == 1);
    assert_int_equal(sscanf(out_cell(2), "%d/%d/%d and %d/%d/%d", &m[0], &d[0], &y[0], &m[1], &d[1], &y[1]), 6);
    day = d[0] - 25;
    assert_true((day == 1 || day == -1) && m[0] == 12);
    assert_true(day == 1 ? m[1] == 3 && d[1] == 2 : m[1] == 2 && d[1] == 28); /* the day before 1 March, or after */
    assert_string_equal(out_cell(3), "[DATE]");                               /* the others disagree, and its own subject says nothing */
    run_ok("scrub text data --columns note --subject id --language en --date-order day");
    assert_string_not_equal(out_cell(3), "[DATE]");
    table_from("data", "note\n3 January 2023 (03/01/2023)\n01/02/2023\n");
    run_ok("scrub text data --columns note --language en --shift 1"); /* the same day in words says which it is */
    assert_string_not_equal(out_cell(1), "[DATE]");
    assert_non_null(strstr(out_cell(1), "/02/2023") ? strstr(out_cell(1), "/02/2023") : strstr(out_cell(1), "/01/2023"));
    table_from("data", "note\n01/02/2023\n");
    run_ok("scrub text data --columns note --language en");
    assert_string_equal(out_cell(0), "[DATE]");
    run_ok("scrub text data --columns note --language es --shift 1");
    assert_string_not_equal(out_cell(0), "[DATE]");
    table_from("data", "note\n2023-01-03. Jan 3; 2023\n");
    run_ok("scrub text data --columns note --language en --replace label");
    assert_string_equal(out_cell(0), "[DATE]. [DATE]; [DATE]");
}

/* Behind a label stands what it announces, to the end of the line or the next label, in every language. */
static void labels(void **state) {
    (void)state;
    const char *label = "--replace label";
    becomes(label, "Nombre: Luna.\nApellidos: Renedo Guerra.\nNASS: 26 63514095 04.\n",
            "Nombre: [PERSON].\nApellidos: [PERSON].\nNASS: [NATIONAL_ID].\n");
    becomes(label, "Domicilio: Calle Ficticia 9, 5 B..\nCP: 28999.\n", "Domicilio: [ADDRESS]..\nCP: [ZIP].\n");
    becomes(label, "Name: Bell, Rose   MRN: 48-1123", "Name: [PERSON]   MRN: [RECORD]");
    becomes(label, "Patient: Woman of 52 with cough. Surname: Grey DOB: 3.4.1950",
            "Patient: Woman of 52 with cough. Surname: [PERSON] DOB: [DATE]");
    becomes(label, "SV-Nr 7428 140717", "SV-Nr [NATIONAL_ID]");
    becomes(label, "Achternaam: de Wit\nBSN: 111222333\nGeboortedatum: 03-01-1950",
            "Achternaam: [PERSON]\nBSN: [NATIONAL_ID]\nGeboortedatum: [DATE]");
    becomes(label, "Cognome: Fiore\nCartella: 12/4471\n", "Cognome: [PERSON]\nCartella: [RECORD]\n");
    becomes("--replace label --language es", "NºCol: 28 28 56741. Servicio: Urologia.", "NºCol: [LICENCE]. Servicio: Urologia.");
    becomes(label, "Diagnosis: Cowden syndrome. Signo de Nikolsky positivo; Gemcitabina, Pseudomonas y beta-HCG.",
            "Diagnosis: Cowden syndrome. Signo de Nikolsky positivo; Gemcitabina, Pseudomonas y beta-HCG.");
}

/* A street goes on over number, floor and door; what is counted behind it does not belong to it. */
static void streets(void **state) {
    (void)state;
    const char *spanish = "--replace label --language es --kinds ADDRESS";
    becomes(spanish, "Vive en C/ Sol Mayor, 5, 2º B. Bien.", "Vive en [ADDRESS]. Bien.");
    becomes(spanish, "vive en la calle sinesio alto 63, 1B", "vive en la [ADDRESS]");
    becomes(spanish, "Avda. Carlos Alto, s/n. 28000", "[ADDRESS]. 28000");
    becomes(spanish, "Plaza de la Higuera 7, esc 2, piso 3, puerta A, tiene 3 hijos", "[ADDRESS], tiene 3 hijos");
    becomes(spanish, "AV de 20/40, GGT: 806 U/L, 49mm x 36mm", "AV de 20/40, GGT: 806 U/L, 49mm x 36mm");
    becomes("--replace label --kinds ADDRESS", "She moved to 14 Hollow Road, Apt 3B, with 2 cats", "She moved to [ADDRESS], with 2 cats");
}

/* Half of a known name with a hyphen is known, too. */
static void halves(void **state) {
    (void)state;
    table_from("data", "note,name\nspoke with quimbleton and vxelsmythe today,Quimbleton-Vxelsmythe\n");
    run_ok("scrub text data --columns note --known name --replace label --kinds PERSON --threshold 0.85");
    assert_string_equal(out_cell(0), "spoke with [PERSON] and [PERSON] today");
}

/* A misspelt known name is that person: one new name for both spellings, in every record of the subject; a name that is near none is
 * another's. */
static void misspelt(void **state) {
    (void)state;
    char first[64], second[64], third[64];
    table_from("data", "note,name,id\nMrs Hargreaves and Mrs Hargraeves and Mrs Novakova,Hargreaves,1\nMrs Hargreavs came,Hargreaves,1\n");
    run_ok("scrub text data --columns note --known name --subject id --kinds PERSON");
    assert_int_equal(sscanf(out_cell(0), "Mrs %63s and Mrs %63s and Mrs %63s", first, second, third), 3);
    assert_string_equal(first, second);
    assert_string_not_equal(first, third);
    assert_string_not_equal(first, "Hargreaves");
    assert_int_equal(sscanf(out_cell(1), "Mrs %63s came", second), 1);
    assert_string_equal(first, second);
    table_from("people", "name\nGüzelyürek\n");
    table_from("data", "note\nHerr Güzelyürek und Herr Guzelyurk\n");
    run_ok("scrub text data --columns note --names people --kinds PERSON");
    assert_int_equal(sscanf(out_cell(0), "Herr %63s und Herr %63s", first, second), 2);
    assert_string_equal(first, second);
}

/* Particles are of the name, wherever it begins; an initial follows a name with accents too. */
static void particles(void **state) {
    (void)state;
    char given[64], surname[64], initial[64], again[64];
    becomes("--replace label --kinds PERSON", "Dr. van der Berg saw Robert van der Berg. R. van der Berg signed. VAN DER BERG, ROBERT.",
            "Dr. [PERSON] saw [PERSON]. [PERSON] signed. [PERSON], [PERSON].");
    becomes("--replace label --kinds PERSON", "The van from the depot was late, la casa de la calle.",
            "The van from the depot was late, la casa de la calle.");
    const char *text = "José Hargreaves came. J. Hargreaves signed.";
    notes(&text, 1);
    run_ok("scrub text data --columns note --kinds PERSON");
    assert_int_equal(sscanf(out_cell(0), "%63s %63s came. %63s %63s signed.", given, surname, initial, again), 4);
    assert_memory_equal(initial, given, (size_t)(strchr(initial, '.') - initial));
    assert_string_equal(surname, again);
}

/* Ages over 89 in letters; what is no age, or below, stays. */
static void ages_in_letters(void **state) {
    (void)state;
    becomes("--replace generalise --kinds AGE", "A ninety-three-year-old, aged ninety-one; she is Ninety. ninety two years old.",
            "A 90+-year-old, aged 90+; she is 90+. 90+ years old.");
    becomes("--replace label --kinds AGE",
            "El paciente, de noventa y dos años. Sie ist dreiundneunzig Jahre alt. Elle a quatre-vingt-treize ans.",
            "El paciente, de [AGE] años. Sie ist [AGE] Jahre alt. Elle a [AGE] ans.");
    becomes("--replace label --kinds AGE", "I am ninety-one and well; I'm ninety one and ill. Ich bin einundneunzig und lebe allein.",
            "I am [AGE] and well; I'm [AGE] and ill. Ich bin [AGE] und lebe allein.");
    becomes("--replace label --kinds AGE", "It has ninety and more. ninety tablets for ninety days, hace noventa años, eighty years old",
            "It has ninety and more. ninety tablets for ninety days, hace noventa años, eighty years old");
}

/* The number after its cue, though it begins with one letter or with two digits. */
static void cued_numbers(void **state) {
    (void)state;
    becomes("--replace label", "License number A-99123, certificate number: 88-771-2, cert. no. 99871.",
            "License number [LICENCE], certificate number: [LICENCE], cert. no. [LICENCE].");
    becomes("--replace label --kinds RECORD,PLAN", "For patients 18-24 and a plan 10-12 see case 3.",
            "For patients 18-24 and a plan 10-12 see case 3.");
}

/* A number that is called somebody's id, in whatever form; a short one, or one that something else is counted by, is none. */
static void called_ids(void **state) {
    (void)state;
    becomes("--replace label", "BCBS ID XJH123456789, finger print id no. FP-8832119.", "BCBS ID [ID], finger print id no. [ID].");
    becomes("--replace label", "Use id 12 for the valid 884211 pages.", "Use id 12 for the valid 884211 pages.");
}

/* Ages beside a sex, in other languages, in letters and in decades; what is counted otherwise stays. */
static void ages(void **state) {
    (void)state;
    becomes("--replace label", "Pt is a 92F with a cough. 93yoM found on the floor.",
            "Pt is a [AGE]F with a cough. [AGE]yoM found on the floor.");
    becomes("--replace label", "Madame, 95 ans, vit seule. Pat., 93 Jahre, blass. Mujer, 91 años, viuda.",
            "Madame, [AGE] ans, vit seule. Pat., [AGE] Jahre, blass. Mujer, [AGE] años, viuda.");
    becomes("--replace label", "Dreiundneunzig-jährige Patientin, 77 J., in her 90s.", "[AGE]-jährige Patientin, [AGE] J., in her [AGE]s.");
    becomes("--replace label", "The disk holds 48M; 90F is hot. Il y a 20 ans. 5 Jahre lang. See ls(1).",
            "The disk holds 48M; 90F is hot. Il y a 20 ans. 5 Jahre lang. See ls(1).");
}

/* Numbers that a word announces: in groups, with capitals before them; and two in a row. */
static void announced_numbers(void **state) {
    (void)state;
    becomes("--replace label", "Rx# 7704415, policy number TX 77 3309 118, member id W229844017.",
            "Rx# [RECORD], policy number [PLAN], member id [PLAN].");
    becomes("--replace label", "SSN 418-72-0093 123-45-6789 and plate KXR 4471.", "SSN [SSN] [SSN] and plate [VEHICLE].");
    becomes("--replace label", "A hatchback, reg YK19 OZT, and part YK19 OZT.", "A hatchback, reg [VEHICLE], and part YK19 OZT.");
    becomes("--replace label", "Aktenzeichen: 12 Cs 447/21, Kennzeichen HH-XY 4471.", "Aktenzeichen: [RECORD], Kennzeichen [VEHICLE].");
    becomes("--replace label", "The report has 12 pages and case 7 is open.", "The report has 12 pages and case 7 is open.");
}

/* Numbers that someone says; counting to six is none. A plausible one is not made up. */
static void spoken_numbers(void **state) {
    (void)state;
    becomes("--replace label --kinds PHONE,CARD",
            "it's oh seven seven double oh, nine hundred, three one four. Count one, two, three, four, five, six!",
            "it's [PHONE]. Count one, two, three, four, five, six!");
    becomes("--replace label --kinds PHONE,CARD", "my card is four one one one, one one one one", "my card is [CARD]");
    becomes("--kinds PHONE", "Nummer null eins sieben eins, vier vier zwo, acht neun", "Nummer [PHONE]");
}

/* A form of address in small letters; an ordinary word behind it is no name. */
static void small_titles(void **state) {
    (void)state;
    becomes("--replace label", "omg mr fitzroqui gave us a test, the dr said so and dr will call",
            "omg mr [PERSON] gave us a test, the dr said so and dr will call");
    becomes("--replace label", "Reha abgesagt. Hrn. Szczepański angerufen.", "Reha abgesagt. Hrn. [PERSON] angerufen.");
}

/* What opens a note and is followed by a date is no name; the sentence keeps its full stop. */
static void openings(void **state) {
    (void)state;
    becomes("--replace label", "Ingresó el 12/03/2019. Operada el 3 de mayo.", "Ingresó el [DATE]. Operada el [DATE].");
    becomes("--replace label", "Admis le 12/03/2019. Revu le 3 mai. Opéré le 4 févr. 2020.",
            "Admis le [DATE]. Revu le [DATE]. Opéré le [DATE].");
    becomes("--replace label", "Seen 3 Feb. 14:05, and on 5 May.", "Seen [DATE], and on [DATE].");
}

/* Weeks, days of the year, Roman months, days and years in letters, months alone. */
static void rarer_dates(void **state) {
    (void)state;
    becomes("--replace label", "Seen 2019-W11, 2019-W11-3 and 2019-074.", "Seen [DATE], [DATE] and [DATE].");
    becomes("--replace label --kinds DATE,ZIP", "K Luk 2019-W11, Leeds 2019-W11-3", "K Luk [DATE], Leeds [DATE]"); /* no post code */
    becomes("--replace label", "On 3-V-1999, am 22.7. um acht, in June, since 1889.",
            "On [DATE], am [DATE] um acht, in [DATE], since [DATE].");
    becomes("--replace label", "vom 2. bis 11. Mai 2022, du 12 au 19 janvier 2022", "vom [DATE], du [DATE]");
    becomes("--replace label", "quince de enero de dos mil veinte", "[DATE]");
    becomes("--replace label", "Termin KW 33, placed 8/viii/2011, on October the ninth, to the end of March.",
            "Termin [DATE], placed [DATE], on [DATE], to the end of [DATE].");
    becomes("--replace label --kinds DATE", "Version 5.x.2011 draws 33 KW.", "Version 5.x.2011 draws 33 KW.");
    becomes("--replace label", "Section 3.2. says that it may march in 1800 steps.", "Section 3.2. says that it may march in 1800 steps.");
}

/* A capitalised word that is no name behind "the" is none elsewhere in the text, unless a title or a given name stands beside it. */
static void products(void **state) {
    (void)state;
    becomes("--replace label --kinds PERSON,PLACE", "Install the Fobrix package first. Fobrix is fast, and Fobrix can print.",
            "Install the Fobrix package first. Fobrix is fast, and Fobrix can print.");
    becomes("--replace label --kinds PERSON,PLACE", "Install the Fobrix package first. Mr. Fobrix made it.",
            "Install the Fobrix package first. Mr. [PERSON] made it.");
}

/* Ordinary words that a contract writes with capitals are terms; a name among them is still one. */
static void terms(void **state) {
    (void)state;
    becomes("--replace label --kinds PERSON,PLACE",
            "\"Contributor\" means the Licensor. Each Contributor shall keep the Waiver, and such Secondary Section is Opaque.",
            "\"Contributor\" means the Licensor. Each Contributor shall keep the Waiver, and such Secondary Section is Opaque.");
    becomes("--replace label --kinds PERSON,PLACE", "The Contributor, Margaret Whitfield, signed the Waiver for Mr. Baker.",
            "The Contributor, [PERSON], signed the Waiver for Mr. [PERSON].");
}

/* What a detector says (0.99 of an e-mail address) is calibrated: 1 / (1 + exp(−1.04 log(99) − 1.38)). The caller's own pattern is not. */
static void confidences(void **state) {
    (void)state;
    const char *text = "Write to ann@example.org about case-77.";
    notes(&text, 1);
    run_ok("scrub text data --columns note --replace label --finds --pattern CASE=case-[0-9]+");
    const Column *sure = table_column(last_result->output[1], "confidence");
    assert_int_equal(sure->rows, 2);
    assert_true(fabs(sure->real[0] - 0.998) < 1e-9 && fabs(sure->real[1] - 0.99) < 1e-9);
}

static void quiet(void **state) {
    (void)state;
    const char *text = "The pump was switched off because pressure in the second chamber rose above the limit. After cooling, the valve "
                       "opened again and water ran through the filter at a steady rate.";
    notes(&text, 1);
    run_ok("scrub text data --columns note");
    assert_true(value("finds") == 0);
    assert_string_equal(out_cell(0), text);
}

static void review(void **state) {
    (void)state;
    const char *text = "Dr. Alan Whitfield, 358 0594, in 1984 and 1999 people.";
    notes(&text, 1);
    run_ok("scrub text data --columns note --review 3");
    const Table *queue = result_find_table(last_result, "review");
    assert_non_null(queue);
    assert_true(queue->rows >= 1 && queue->rows <= 3);
}

static void bad_input(void **state) {
    (void)state;
    const char *text = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!";
    notes(&text, 1);
    run_bad("scrub text data --columns note --kinds NOSUCH", "NOSUCH");
    run_bad("scrub text data --columns note --pattern 'x'", "NAME=REGEX");
    run_bad("scrub text data --columns note --pattern 'X=('", "regular expression");
    run_bad("scrub text data --columns note --pattern 'PERSON=x'", "already");
    run_bad("scrub text data --columns note --each DATE:burn", "burn");
    run_bad("scrub text data --columns note --pattern 'X=^(a+)+$'", "steps");
    run_bad("scrub text data --columns nothing", "nothing");
    run_bad("scrub text data --columns note --pattern 'X=a\\C'", "regular expression"); /* it would cut a code point in two */
}

/* A long line without a blank, and one of nothing but digits and marks: an answer, soon. */
static void odd_text(void **state) {
    (void)state;
    size_t size = 1 << 20;
    char *text = malloc(size + 1);
    for (int form = 0; form < 4; form++) {
        for (size_t i = 0; i < size; i++)
            text[i] = form == 0   ? 'a'
                      : form == 1 ? "0123456789-/.: "[i * 7 % 15]
                      : form == 2 ? (char)(128 + i % 64)
                                  : "A. B-c'D@e.f "[i % 13];
        text[size] = 0;
        notes((const char *const *)&text, 1);
        run_ok("scrub text data --columns note --replace label");
    }
    free(text);
}

/* Dutch, Italian and Portuguese: months in words move as such, forms of address, relatives, and words of wards that name nobody. */
static void more_languages(void **state) {
    (void)state;
    becomes("--replace label", "Overleg met dr. Terpstra op 12 maart 2023, zus Marijke gebeld.",
            "Overleg met dr. [PERSON] op [DATE], zus [PERSON] gebeld.");
    becomes("--replace label", "Controllo il 8 maggio 2024, poi il 21/9. Malattia di Crohn, Humira. Cartella n. 2023/004418.",
            "Controllo il [DATE], poi il [DATE]. Malattia di Crohn, Humira. Cartella n. [RECORD].");
    becomes("--replace label", "Consulta a 5 de janeiro de 2024, filha Vânia presente. Técnica de Lichtenstein.",
            "Consulta a [DATE], filha [PERSON] presente. Técnica de Lichtenstein.");
    becomes("--replace label", "DNI pendiente, nº SS 28/12345678/40, CIP BBBB850412QR0021.",
            "DNI pendiente, nº SS [NATIONAL_ID], CIP [RECORD].");
    becomes("--replace label", "Vino con su hija lucia. The pt will go home.", "Vino con su hija [PERSON]. The pt will go home.");
    becomes("--replace label", "MRN, beds 18/24 on the ward.", "MRN, beds 18/24 on the ward.");
    static const char *const months[] = { "januari", "februari", "maart",     "april",   "mei",      "juni",
                                          "juli",    "augustus", "september", "oktober", "november", "december" };
    const char *text = "Gezien op 12 maart 2023 en op 14 maart 2023.";
    int day[2], year[2], known = 0;
    char month[2][20];
    notes(&text, 1);
    run_ok("scrub text data --columns note --kinds DATE --shift 9");
    assert_int_equal(
        sscanf(out_cell(0), "Gezien op %d %19s %d en op %d %19s %d.", &day[0], month[0], &year[0], &day[1], month[1], &year[1]), 6);
    for (int m = 0; m < 12; m++) known += !strcmp(month[0], months[m]);
    assert_true(known == 1 && year[0] == 2023);
    if (!strcmp(month[0], month[1])) assert_int_equal(day[1] - day[0], 2);
}

/* Numbers of share/scrub/national.txt: alone where their form says enough, with their check digits; else beside a word for them. */
static void national_numbers(void **state) {
    (void)state;
    becomes("--replace label", "x 131052-308T y 756.9217.0769.85 z RSSMRA85T10A562S and 1EG4-TE5-MK73.",
            "x [NATIONAL_ID] y [NATIONAL_ID] z [NATIONAL_ID] and [NATIONAL_ID].");
    becomes("--replace label", "x 131053-308T, y 811218-9875.", "x 131053-308T, y 811218-9875.");
    becomes("--replace label", "Tested 1234567FA twice.", "Tested 1234567FA twice.");
    becomes("--replace label", "PPSN 1234567FA on file.", "PPSN [NATIONAL_ID] on file.");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(kinds),
                                        cmocka_unit_test(cued_numbers),
                                        cmocka_unit_test(ages_in_letters),
                                        cmocka_unit_test(spoken_numbers),
                                        cmocka_unit_test(small_titles),
                                        cmocka_unit_test(openings),
                                        cmocka_unit_test(particles),
                                        cmocka_unit_test(ways),
                                        cmocka_unit_test(byte_for_byte),
                                        cmocka_unit_test(places),
                                        cmocka_unit_test(who_is_who),
                                        cmocka_unit_test(intervals),
                                        cmocka_unit_test(short_weekdays),
                                        cmocka_unit_test(known_names),
                                        cmocka_unit_test(own_names),
                                        cmocka_unit_test(labels),
                                        cmocka_unit_test(streets),
                                        cmocka_unit_test(date_orders),
                                        cmocka_unit_test(misspelt),
                                        cmocka_unit_test(halves),
                                        cmocka_unit_test(terms),
                                        cmocka_unit_test(ages),
                                        cmocka_unit_test(announced_numbers),
                                        cmocka_unit_test(rarer_dates),
                                        cmocka_unit_test(products),
                                        cmocka_unit_test(called_ids),
                                        cmocka_unit_test(confidences),
                                        cmocka_unit_test(quiet),
                                        cmocka_unit_test(review),
                                        cmocka_unit_test(bad_input),
                                        cmocka_unit_test(odd_text),
                                        cmocka_unit_test(more_languages),
                                        cmocka_unit_test(national_numbers) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
