/* The optima that ARX finds on its Adult data (an exhaustive search agrees with it), for every loss, limit and privacy model. */
#include <jansson.h>
#include <math.h>
#include "io/open.h"
#include "methods.h"

static const char folder[] = "../shared/data/arx";

static Status open_texts(void *self, const char *name, Work *work, Tables *out, Error *error) {
    (void)self;
    Work with = *work;
    CsvOptions raw = { .raw = true };
    with.error = error;
    return folder_open(&with, name, &raw, &out->count, &out->name, &out->at);
}

static bool shelve_file(const char *name, const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) return false;
    fclose(file);
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 2 };
    CsvOptions options = { 0 };
    Table *table;
    assert_int_equal(table_open(&work, path, &options, &table), OK);
    arena_free(work.arena);
    shelve(name, table);
    return true;
}

/* "k:5+dl:3:occupation" as options; false where it is a model that we do not have. */
static bool options_of(const char *criteria, char *out) {
    char copy[200], *state;
    strcpy(copy, criteria);
    for (char *part = strtok_r(copy, "+", &state); part; part = strtok_r(NULL, "+", &state)) {
        char attribute[60] = "";
        double a = 0, b = 0;
        if (sscanf(part, "k:%lf", &a) == 1) out += sprintf(out, " --k %g", a);
        else if (sscanf(part, "dl:%lf:%59s", &a, attribute) == 2) out += sprintf(out, " --l %g --sensitive %s", a, attribute);
        else if (sscanf(part, "el:%lf:%59s", &a, attribute) == 2)
            out += sprintf(out, " --l %g --definition entropy --sensitive %s", a, attribute);
        else if (sscanf(part, "rl:%lf:%lf:%59s", &a, &b, attribute) == 3)
            out += sprintf(out, " --l %g --c %g --definition recursive --sensitive %s", b, a, attribute);
        else if (sscanf(part, "tc:%lf:%59s", &a, attribute) == 2) out += sprintf(out, " --t %g --sensitive %s", a, attribute);
        else if (sscanf(part, "th:%lf:%59s", &a, attribute) == 2)
            out += sprintf(out, " --t %g --distance hierarchical --sensitive %s", a, attribute);
        else if (sscanf(part, "dp:%lf:%lf", &a, &b) == 2) out += sprintf(out, " --population all --delta-min %g --delta-max %g", a, b);
        else return false;
    }
    return true;
}

static const char *loss_of(const char *metric) {
    static const char *const names[][2] = { { "loss_geo", "loss" },     { "loss_arith", "loss-mean" }, { "aecs", "aecs" },
                                            { "dm", "discernibility" }, { "prec", "precision" },       { "nue", "entropy" } };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(metric, names[i][0])) return names[i][1];
    return NULL;
}

static const char *text_of(const json_t *object, const char *name) { return json_string_value(json_object_get(object, name)); }
static double number_of(const json_t *object, const char *name) { return json_number_value(json_object_get(object, name)); }

/* Losses other than the default are tried at one limit of suppression, to keep the time in bounds. (ARX rejects a class of three equally
 * frequent values at entropy l = 3, by its rounding; that shows in two answers for aecs, at the limits 0.05 and 1, where ours are lower.)
 */
static bool check_one(const json_t *result) {
    char options[400], command[1000], keys[300] = "";
    const char *loss = loss_of(text_of(result, "metric")), *criteria = text_of(result, "criteria"), *key;
    json_t *level;
    if (!loss || !options_of(criteria, options)) return false;
    if (strcmp(criteria, "k:5") && strcmp(loss, "loss") && number_of(result, "suppression_limit") != 0.02) return false;
    json_object_foreach (json_object_get(result, "levels"), key, level) {
        if (keys[0]) strcat(keys, ",");
        strcat(keys, key);
    }
    bool part = strstr(criteria, "dp:") != NULL;
    sprintf(command, "protect generalize %s --keys %s --hierarchies %s%s --max-suppression %g --loss %s --runners-up 0",
            part ? "part" : "all", keys, folder, options, number_of(result, "suppression_limit"), loss);
    run_ok(command);
    double score = number_of(result, "score");
    if (fabs(value("score") - score) > 1e-9 * fabs(score)) fail_msg("%s: saw %.12g, wanted %.12g", command, value("score"), score);
    if (value("tied") == 0) {
        int64_t row = 0;
        json_object_foreach (json_object_get(result, "levels"), key, level)
            assert_true(table_value("levels", "level", row++) == (double)json_integer_value(level));
        assert_true(value("suppressed") == number_of(result, "suppressed_records"));
    }
    return true;
}

static void check_file(const char *path, int least) {
    json_error_t problem;
    json_t *root = json_load_file(path, 0, &problem);
    char arx[200];
    sprintf(arx, "%s/arx_adult.csv", folder);
    if (!root || !shelve_file("all", arx)) skip();
    int64_t rows[4000], count = 0; /* the data of the presence cases: every tenth record */
    for (int64_t i = 0; i < shelf[0]->rows; i += 10) rows[count++] = i;
    Table *part;
    assert_int_equal(table_take(shelf[0], rows, count, &part, &last_error), OK);
    shelve("part", part);
    test_host.texts = open_texts;
    run_threads = 1;
    int done = 0;
    size_t i;
    json_t *result;
    json_array_foreach (json_object_get(root, "results"), i, result) done += check_one(result);
    assert_true(done >= least);
    json_decref(root);
}

static void k_anonymity_under_every_loss(void **state) {
    (void)state;
    check_file("../shared/reference/arx/arx_kanon_adult8.json", 24);
}

static void other_models(void **state) {
    (void)state;
    check_file("../shared/reference/arx/arx_privacy_models_adult.json", 80);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(k_anonymity_under_every_loss), cmocka_unit_test(other_models) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
