/* A method's file, its line in methods.def, its test and its page belong together: none may be without the others. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "testing.h"
#include "method/method.h"

static const char *const families[] = { "risk", "attack", "protect", "utility", "release", "synth", "tabular", "scrub" };
static int broken, seen;

static char *file_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return text;
}

/* Calls `see` for each .c file below a folder; a folder that is not there has none. */
typedef void See(const char *path, void *self);
static void walk(const char *folder, See *see, void *self) {
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[1024];
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        size_t length = strlen(path);
        if (entry->d_name[0] == '.' || stat(path, &about)) continue;
        if (S_ISDIR(about.st_mode)) walk(path, see, self);
        else if (!strcmp(path + length - 2, ".c")) see(path, self);
    }
    if (dir) closedir(dir);
}

/* `const Method risk_suda` in a file of the family is risk.suda of the registry. */
static void declared(const char *path, void *self) {
    const char *family = self;
    char *text = file_text(path), opening[64], name[64];
    snprintf(opening, sizeof opening, "\nconst Method %s_", family);
    for (const char *at = text; (at = strstr(at, opening)); at++) {
        if (sscanf(at + strlen(opening), "%63[a-z0-9_]", name) != 1) continue;
        for (char *c = name; *c; c++)
            if (*c == '_') *c = '-';
        seen++;
        if (method_find(family, name)) continue;
        print_error("%s: %s.%s is in no methods.def: METHOD(%s, …)\n", path, family, name, family);
        broken++;
    }
    free(text);
}

static void every_file_is_registered(void **state) {
    (void)state;
    broken = seen = 0;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        char folder[64];
        snprintf(folder, sizeof folder, "src/%s", families[i]);
        walk(folder, declared, (void *)(uintptr_t)families[i]);
    }
    for (int64_t i = 0; i < methods_count(); i++)
        for (int64_t j = 0; j < i; j++)
            if (methods_at(i) == methods_at(j)) {
                print_error("%s.%s is in methods.def twice\n", methods_at(i)->group, methods_at(i)->name);
                broken++;
            }
    assert_int_equal(broken, 0);
    assert_int_equal(seen, methods_count()); /* and nothing is registered that no file of its family declares */
}

typedef struct {
    const Method *method;
    bool found;
} Sought;

/* A test of several methods names each of them as commands do. */
static void mentions(const char *path, void *self) {
    Sought *sought = self;
    char *text = file_text(path), command[160], dotted[160], quoted[160];
    snprintf(command, sizeof command, "%s %s ", sought->method->group, sought->method->name);
    snprintf(dotted, sizeof dotted, "%s.%s\"", sought->method->group, sought->method->name);
    snprintf(quoted, sizeof quoted, "\"%s\"", sought->method->name);
    sought->found |= strstr(text, command) || strstr(text, dotted) || strstr(text, quoted);
    free(text);
}

static void every_method_is_tested(void **state) {
    (void)state;
    broken = 0;
    for (int64_t i = 0; i < methods_count(); i++) {
        const Method *m = methods_at(i);
        char path[256];
        struct stat about;
        Sought sought = { .method = m };
        snprintf(path, sizeof path, "tests/unit/%s/%s.c", m->group, m->name);
        for (char *c = path; *c; c++)
            if (*c == '-') *c = '_';
        if (stat(path, &about)) walk("tests/unit", mentions, &sought);
        else sought.found = true;
        if (!sought.found) {
            print_error("%s.%s has no test: %s\n", m->group, m->name, path);
            broken++;
        }
        snprintf(path, sizeof path, "docs/methods/%s-%s.md", m->group, m->name);
        if (stat(path, &about)) {
            print_error("%s.%s has no page: %s\n", m->group, m->name, path);
            broken++;
        }
    }
    assert_int_equal(broken, 0);
}

/* What the binder writes of a parameter lies within the arguments' struct: `.size` left out, or of another struct, would let it write
 * beyond. */
static void arguments_fit(void **state) {
    (void)state;
    for (int64_t i = 0; i < methods_count(); i++) {
        const Method *m = methods_at(i);
        for (const Param *p = m->params; p && p->kind; p++) {
            if (p->kind >= RULE_ONE_OF) continue;
            size_t width = p->kind == KIND_FLAG ? sizeof(bool) : p->kind == KIND_CHOICE ? sizeof(unsigned) : sizeof(void *);
            if (p->offset + width > m->size)
                fail_msg("%s.%s: --%s lies outside of its arguments: is .size there?", m->group, m->name, p->name);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(arguments_fit), cmocka_unit_test(every_file_is_registered),
                                        cmocka_unit_test(every_method_is_tested) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
