/* Every protect method on numbers among which a file has letter codes: a missing code is written back as it was, in the record that has it.
 * It goes with its value where a method moves values between records. */
#include <unistd.h>
#include "methods.h"

enum { N = 240 };
typedef enum { IN_PLACE, MOVED } Kept;

/* k, g, hid, date, place and smoker are complete; of x, y and z 4% each are N, .a and empty. */
static Table *survey(void) {
    char name[] = "/tmp/scrim-codes-XXXXXX.csv";
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    Table *table;
    int file = mkstemps(name, 4);
    assert_true(file >= 0);
    FILE *out = fdopen(file, "w");
    fprintf(out, "k,g,hid,born,lat,lon,smoker,x,y,z\n");
    for (int i = 0; i < N; i++) {
        fprintf(out, "%c,%c,h%d,19%02d-03-%02d,%.4f,%.4f,%s", "abc"[i % 3], "uv"[i / 2 % 2], i / 2, 40 + i % 50, 1 + i % 28,
                47 + .001 * (i * 37 % 101), 8 + .001 * (i * 53 % 97), i % 3 ? "no" : "yes");
        for (int j = 0; j < 3; j++) {
            int of = (i * 7 + 40 * j) % 25;
            if (of < 3) fprintf(out, ",%s", of == 0 ? "N" : of == 1 ? ".a" : "");
            else fprintf(out, ",%d", 30 + j + i * (17 + 6 * j) % 83 + i % 7);
        }
        fprintf(out, "\n");
    }
    fclose(out);
    assert_int_equal(table_open(&work, name, &(CsvOptions){ 0 }, &table), OK);
    unlink(name);
    arena_free(work.arena);
    return shelve("data", table);
}

/* Of a missing cell N, .a, or nothing; of a present one NULL. */
static const char *code_of(const Column *column, int64_t row, char text[33]) {
    if (!column_missing(column, row)) return NULL;
    if (!column->reason || column->reason[row] < MISSING_CODE_FIRST) return "";
    return code_text(column->about->missing_of[column->reason[row] - MISSING_CODE_FIRST], text);
}

static void kept_in_place(const char *command, const Table *made, const Column *before, const Column *after) {
    char a[33], b[33];
    for (int64_t i = 0; i < after->rows; i++) {
        const char *was = code_of(before, made->origin ? made->origin[i] : i, a), *is = code_of(after, i, b);
        if ((was || is) && (!was || !is || strcmp(was, is)))
            fail_msg("%s: %s of record %d is '%s', was '%s'", command, after->name, (int)i, is ? is : "a number", was ? was : "a number");
    }
}

static int64_t with_code(const Column *column, const char *code) {
    int64_t count = 0;
    char text[33];
    for (int64_t i = 0; i < column->rows; i++) {
        const char *is = code_of(column, i, text);
        count += is && !strcmp(is, code);
    }
    return count;
}

static void kept_in_number(const char *command, const Column *before, const Column *after) {
    static const char *const code[] = { "N", ".a", "" };
    for (int c = 0; c < 3; c++)
        if (with_code(before, code[c]) != with_code(after, code[c]))
            fail_msg("%s: '%s' in %s %d times, was %d", command, code[c], after->name, (int)with_code(after, code[c]),
                     (int)with_code(before, code[c]));
}

static int held(const char *command, Kept kept, const Table *data) {
    int columns = 0;
    run_ok(command);
    for (int64_t t = 0; t < last_result->outputs; t++)
        for (const char *name = "x"; *name; name = *name == 'x' ? "y" : *name == 'y' ? "z" : "") {
            const Table *made = last_result->output[t];
            const Column *after = table_column(made, name), *before = table_column(data, name);
            if (!after || after->missing == 0) continue;
            columns++;
            if (kept == IN_PLACE) kept_in_place(command, made, before, after);
            else kept_in_number(command, before, after);
        }
    if (columns != 3) fail_msg("%s: %d of the columns x, y and z came out with missing values", command, columns);
    return columns;
}

static const struct {
    const char *command;
    Kept kept;
} commands[] = {
    { "drop data --vars hid", IN_PLACE },
    { "pseudonym data --vars hid", IN_PLACE },
    { "shift-dates data --vars born --subject hid --days 200", IN_PLACE },
    { "coarsen-dates data --vars born", IN_PLACE },
    { "limit-records data --person hid --most 1", IN_PLACE },
    { "reorder data", MOVED },
    { "recode data --var k --merge a,b=ab", IN_PLACE },
    { "top-bottom data --var x --top 60", IN_PLACE },
    { "suppress data --keys k,g --k 3", IN_PLACE },
    { "suppress-records data --where k=='a'", IN_PLACE },
    { "generalize data --keys k,g --hierarchies k,g --k 50", IN_PLACE },
    { "mondrian data --keys k,g --k 3", IN_PLACE },
    { "datafly data --keys k,g --hierarchies k,g --k 50", IN_PLACE },
    { "argus data --keys k,g --hierarchies k,g --k 3", IN_PLACE },
    { "microaggregate data --vars x", IN_PLACE },
    { "microaggregate data --vars x,y --method individual-ranking", IN_PLACE },
    { "noise data --vars x,y,z --amount 0.2", IN_PLACE },
    { "noise data --vars x,y,z --amount 0.2 --method correlated", IN_PLACE },
    { "noise data --vars x,y,z --amount 0.2 --method laplace", IN_PLACE },
    { "noise data --vars x,y,z --amount 0.2 --method own-distribution", IN_PLACE },
    { "noise data --vars x,y --amount 0.2 --where k=='a'", IN_PLACE },
    { "pram data --vars k,g --keep 0.5", IN_PLACE },
    { "round data --vars x,y,z --base 5", IN_PLACE },
    { "swap data --vars x,y --rate 0.5", MOVED },
    { "rank-swap data --vars x,y,z --range 20", IN_PLACE },
    { "target-swap data --geography g --household hid --keys k", IN_PLACE },
    { "shuffle data --confidential z --nonconfidential x,y", IN_PLACE },
    { "shuffle data --confidential y,z --nonconfidential x", IN_PLACE },
    { "nbrs data --vars x,y,z --neighbours 3 --metric gower", IN_PLACE },
    { "sample data --fraction 0.5", IN_PLACE },
    { "location data --lat lat --lon lon --subject hid --method noise --sigma 200", IN_PLACE },
    { "massc data --core k --noncore g --substitute-rate 0.2 --sample-rate 0.9", IN_PLACE },
    { "randomized-response data --var smoker --p 0.8", IN_PLACE },
    { "bootstrap data --vars x,y,z", IN_PLACE },
    { "distort data --vars x,y,z", IN_PLACE },
    { "carlson-salabasis data --vars x,y,z", IN_PLACE },
    { "resample data --vars x,y,z", IN_PLACE },
    { "slice data --groups x,k;y,g;z,smoker", MOVED },
    { "recombine data --groups x,y;z", MOVED },
    { "matrix-mask data --vars x,y,z --C zero", IN_PLACE },
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void helpers(void) {
    char text[4096], *at = text + sprintf(text, "x,y,z\n");
    for (int i = 0; i < N; i++) at += sprintf(at, "1,2,3\n");
    table_from("zero", text);
    table_from("k", "k,all\na,*\nb,*\nc,*\n");
    table_from("g", "g,all\nu,*\nv,*\n");
}

static void codes_are_written_back(void **state) {
    (void)state;
    const Table *data = survey();
    helpers();
    for (int64_t j = 7; j < 10; j++) {
        assert_true(column_numeric(data->column[j]));
        assert_true(with_code(data->column[j], "N") > 5 && with_code(data->column[j], ".a") > 5 && with_code(data->column[j], "") > 5);
    }
    for (int c = 0; c < COMMANDS; c++) {
        char whole[256];
        snprintf(whole, sizeof whole, "protect %s", commands[c].command);
        held(whole, commands[c].kept, data);
    }
}

/* No method is left out of the list. */
static void every_method_is_here(void **state) {
    (void)state;

    for (int64_t m = 0; m < methods_count(); m++) {
        const Method *method = methods_at(m);
        bool here = strcmp(method->group, "protect") != 0;
        size_t length = strlen(method->name);
        for (int c = 0; c < COMMANDS; c++)
            here |= !strncmp(commands[c].command, method->name, length) && commands[c].command[length] == ' ';
        if (!here) fail_msg("protect %s is not tested with missing codes", method->name);
    }
}

/* A column that was perturbed before keeps them in the next step too. */
static void after_an_earlier_step(void **state) {
    (void)state;
    const Table *data = survey();
    run_ok("protect noise data --vars x,y,z --amount 0.2");
    shelve("noisy", table_retain(output()));
    held("protect round noisy --vars x,y,z --base 5", IN_PLACE, data);
    held("protect rank-swap noisy --vars x,y --range 20", IN_PLACE, data);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(codes_are_written_back), cmocka_unit_test(every_method_is_here),
                                        cmocka_unit_test(after_an_earlier_step) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
