/* The words by which people call a method or verb. */
#include <stdio.h>
#include <string.h>
#include "api/api.h"
#include "verb/verbs.h"

/* Among verbs, groups and the short words. */
static const char *nearest_command(const char *word) {
    const char *names[256] = { "help", "methods", "calibrate" };
    size_t count = 3;
    for (int64_t i = 0; i < verbs_count() && count < 256; i++)
        names[count++] = strcmp(verbs_at(i)->group, "verb") ? verbs_at(i)->group : verbs_at(i)->name;
    for (int64_t i = 0; i < methods_count() && count < 256; i++) names[count++] = methods_at(i)->group;
    return nearest_name(word, names, count);
}

static bool is_group(const char *word) {
    for (int64_t i = 0; i < methods_count(); i++)
        if (!strcmp(methods_at(i)->group, word)) return true;
    return false;
}

/* A group without one of its methods or verbs after it. */
static Status which_of(const char *group, const char *second, Error *error) {
    const char *names[256];
    char list[256] = "";
    size_t count = 0;
    for (int64_t i = 0; i < verbs_count(); i++)
        if (!strcmp(verbs_at(i)->group, group)) names[count++] = verbs_at(i)->name;
    if (!count) {
        fail(error, BAD, "which method of '%s'?", group);
        return error_advice(error, "`scrim methods %s` lists them.", group);
    }
    for (size_t i = 0; i < count; i++) snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
    if (!second[0]) fail(error, BAD, "%s what?", group);
    else fail(error, BAD, "%s has no '%s'", group, second);
    return error_advice(error, "There is: %s.", list);
}

/* A method named without its group. */
static Status without_group(const char *word, Error *error) {
    for (int64_t i = 0; i < methods_count(); i++)
        if (!strcmp(methods_at(i)->name, word)) {
            fail(error, BAD, "there is no command '%s'", word);
            return error_advice(error, "Did you mean '%s %s'?", methods_at(i)->group, word);
        }
    return OK;
}

/* release and calibrate are short for methods; other words are verbs or groups. `used` says how many words the name took. */
static Status find(int64_t argc, const char *const *argv, const Method **out, int64_t *used, Error *error) {
    const char *first = argc > 0 ? argv[0] : "", *second = argc > 1 ? argv[1] : "";
    *used = 2;
    if ((*out = method_find(first, second)) || (*out = verb_find(first, second))) return OK;
    if (!strcmp(first, "release") && !strcmp(second, "--check-schema") && (*out = method_find("release", "check-schema"))) return OK;
    *used = 1;
    if ((*out = verb_find("verb", first))) return OK;
    if (!strcmp(first, "release") && (*out = method_find("release", "query"))) return OK;
    if (!strcmp(first, "calibrate") && (*out = method_find("release", "calibrate"))) return OK;
    bool group = is_group(first), verbs = false;
    for (int64_t i = 0; i < verbs_count(); i++) verbs |= !strcmp(verbs_at(i)->group, first) && strcmp(first, "verb");
    if (second[0] == '-') second = "";
    if (verbs || (group && !second[0])) return which_of(first, second, error);
    if (without_group(first, error)) return BAD;
    const char *near = group ? NULL : nearest_command(first);
    if (near) {
        fail(error, BAD, "there is no command '%s'", first);
        return error_advice(error, "Did you mean '%s'?", near);
    }
    char dotted[160];
    snprintf(dotted, sizeof dotted, "%.70s.%.70s", first, second);
    return method_need(dotted, out, error);
}

scrim_status scrim_methods_find(int64_t count, const char *const *words, const char **method, int64_t *used, scrim_error *error) {
    Error local = ERROR_NONE;
    const Method *found = NULL;
    if (!method || !used || (count > 0 && !words)) return api_absent(error);
    for (int64_t i = 0; i < count && i < 2; i++)
        if (!words[i]) return api_absent(error);
    Status status = find(count, words, &found, used, &local);
    *method = NULL;
    for (int64_t i = 0; found && i < scrim_methods_count(); i++)
        if (api_method_at(i) == found) *method = scrim_methods_name(i);
    return api_error(status, &local, error);
}
