/* Declarations as JSON: what a form, a schema or a binding reads off. */
#include <jansson.h>
#include <string.h>
#include "testing.h"
#include "method/method.h"
#include "verb/verbs.h"

static json_t *described(const Method *method) {
    Buffer text = { 0 };
    json_error_t error;
    method_describe(method, &text);
    json_t *out = json_loads(buffer_get(&text), JSON_REJECT_DUPLICATES, &error);
    if (!out) fail_msg("%s.%s: %s", method->group, method->name, error.text);
    buffer_free(&text);
    return out;
}

static const char *text_of(const json_t *object, const char *name) { return json_string_value(json_object_get(object, name)); }

static json_t *named(const json_t *list, const char *name) {
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item)
        if (text_of(item, "name") && !strcmp(text_of(item, "name"), name)) return item;
    fail_msg("there is no '%s'", name);
    return NULL;
}

/* A default is of its parameter's kind, within the bounds, among the choices. */
static void default_fits(const json_t *param) {
    const json_t *preset = json_object_get(param, "default"), *least = json_object_get(param, "least"),
                 *most = json_object_get(param, "most");
    const char *kind = text_of(param, "kind"), *name = text_of(param, "name");
    bool number = !strcmp(kind, "int") || !strcmp(kind, "real"),
         whole = preset && json_is_real(preset) && json_real_value(preset) == (double)(int64_t)json_real_value(preset);
    if (!preset) return;
    if (number && !json_is_number(preset) && !(json_is_string(preset) && strstr(json_string_value(preset), "Infinity")))
        fail_msg("--%s: the default is no number", name);
    if (!strcmp(kind, "int") && !json_is_integer(preset) && !whole) fail_msg("--%s: the default is no whole number", name);
    if (!strcmp(kind, "flag") && !json_is_boolean(preset)) fail_msg("--%s: a flag is true or false", name);
    if (number && json_is_number(preset) && least && json_number_value(preset) < json_number_value(least))
        fail_msg("--%s: the default is below the least", name);
    if (number && json_is_number(preset) && most && json_number_value(preset) > json_number_value(most))
        fail_msg("--%s: the default is above the most", name);
    if (strcmp(kind, "choice")) return;
    size_t i;
    json_t *word;
    json_array_foreach (json_object_get(param, "choices"), i, word)
        if (!strcmp(json_string_value(word), json_string_value(preset))) return;
    fail_msg("--%s: the default is none of the choices", name);
}

static void one_holds(const Method *method) {
    json_t *all = described(method), *item;
    size_t i;
    json_array_foreach (json_object_get(all, "params"), i, item) default_fits(item);
    assert_int_equal(json_array_size(json_object_get(all, "common")), 5);
    assert_int_equal(json_is_true(json_object_get(all, "in_parts")), method->parts != NULL);
    size_t traits = 0; /* every one has a word */
    for (unsigned left = method->traits; left; left &= left - 1) traits++;
    assert_int_equal(json_array_size(json_object_get(all, "traits")) + json_array_size(json_object_get(all, "disclosure")), traits);
    const json_t *headline = json_object_get(all, "headline");
    if (json_is_object(headline)) { /* it is one of the values */
        bool found = false;
        json_array_foreach (json_object_get(all, "values"), i, item)
            found |= !strcmp(text_of(item, "kind"), "value") && !strcmp(text_of(item, "name"), text_of(headline, "value"));
        if (!found) fail_msg("%s: the headline is no value of it", text_of(all, "method"));
    }
    json_decref(all);
}

static void every_declaration_holds(void **state) {
    (void)state;
    for (int64_t i = 0; i < methods_count(); i++) one_holds(methods_at(i));
    for (int64_t i = 0; i < verbs_count(); i++) one_holds(verbs_at(i));
}

static void one_in_full(void **state) {
    (void)state;
    json_t *all = described(method_find("risk", "k-anonymity")), *params = json_object_get(all, "params"),
           *values = json_object_get(all, "values");
    assert_string_equal(text_of(all, "method"), "risk.k-anonymity");
    assert_string_equal(text_of(all, "command"), "risk k-anonymity");
    assert_string_equal(text_of(named(params, "keys"), "kind"), "columns");
    assert_string_equal(text_of(named(params, "keys"), "of"), "data");
    assert_string_equal(text_of(named(params, "missing"), "default"), "category");
    assert_string_equal(text_of(named(values, "k"), "type"), "integer");
    assert_string_equal(text_of(named(values, "k"), "better"), "more");
    assert_true(json_is_true(json_object_get(named(values, "k"), "public")));
    assert_true(json_is_false(json_object_get(named(values, "fk"), "public")));
    const json_t *columns = json_object_get(named(values, "frequencies"), "columns");
    assert_string_equal(text_of(json_array_get(columns, 1), "name"), "classes");
    assert_string_equal(text_of(json_array_get(columns, 1), "type"), "integer");
    assert_string_equal(json_string_value(json_array_get(json_object_get(all, "disclosure"), 0)), "identity");
    json_decref(all);
    all = described(verb_find("verb", "tune"));
    assert_string_equal(text_of(all, "method"), "tune");
    assert_true(json_is_true(json_object_get(all, "passes")));
    json_decref(all);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_declaration_holds), cmocka_unit_test(one_in_full) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
