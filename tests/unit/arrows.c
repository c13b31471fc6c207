/* The arrows between rooms, and the conventions that a program can check: reads the source itself. */
#include <dirent.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "testing.h"

/* Which rooms each room's files may include; its own goes without saying. A new room must be given its place here and in src/README.md. */
static const struct {
    const char *room, *may;
} arrows[] = { { "base", "" },
               { "table", "base" },
               { "classes", "base table" },
               { "aggregate", "base table" },
               { "io", "base table" },
               { "ledger", "base table" },
               { "result", "base table" },
               { "math", "base table" },
               { "prose", "base" },
               { "render", "base table result" },
               { "intruder", "base table classes math" },
               { "profile", "base table prose" },
               { "method", "base table aggregate result" },
               { "protect", "base table classes math result method profile" },
               { "risk", "base table classes math intruder result method prose profile" },
               { "attack", "base table classes math result method" },
               { "utility", "base table classes math result method" },
               { "release", "base table math result method ledger" },               /* handed an open ledger, which it asks and debits */
               { "synth", "base table classes math result method ledger profile" }, /* as release: synth private debits one */
               { "tabular", "base table classes math result method ledger" },
               { "scrub", "base table math result method prose" },
               { "recipe", "base table result method io" },
               { "report", "base table classes math result method render recipe" },
               { "verb", "base table classes math result method io ledger render prose profile recipe report" },
               { "api", "base table result method io ledger render recipe report verb" },
               { NULL, NULL } };

static int broken;

static void complain(const char *path, int line, const char *what, const char *text) {
    print_error("%s:%d: %s%s\n", path, line, what, text);
    broken++;
}

/* Calls `see` for each line of each .c and .h file below a folder. */
typedef void See(const char *path, int number, const char *line, void *self);
static void walk(const char *folder, See *see, void *self) {
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[1024], line[4096];
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || stat(path, &about)) continue;
        if (S_ISDIR(about.st_mode)) {
            walk(path, see, self);
            continue;
        }
        const char *dot = strrchr(path, '.');
        if (!dot || (strcmp(dot, ".c") && strcmp(dot, ".h"))) continue;
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        int number = 0;
        while (fgets(line, sizeof line, file)) see(path, ++number, line, self);
        see(path, -number, NULL, self); /* its end */
        fclose(file);
    }
    closedir(dir);
}

static bool has_word(const char *list, const char *word, size_t length) {
    for (const char *at = list; (at = strstr(at, word)); at++) {

        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    }
    return false;
}

/* ---- arrows ---- */

/* The name that a line includes, however it is written: "# include", <name> or "name". */
static bool included(const char *line, char name[256]) {
    char opens[2];
    return line && sscanf(line, " # include %1[<\"]%255[^>\"]", opens, name) == 2;
}

static bool is_room(const char *name) {
    for (int i = 0; arrows[i].room; i++)
        if (!strcmp(arrows[i].room, name)) return true;
    return false;
}

static void arrow(const char *path, int number, const char *line, void *self) {
    char from[64], to[64], name[256];
    (void)self;
    if (!line || sscanf(path, "src/%63[^/]/", from) != 1) return;
    int place = 0;
    while (arrows[place].room && strcmp(arrows[place].room, from)) place++;
    if (!arrows[place].room) {
        if (number == 1) complain(path, number, "a room without arrows: ", from);
        return;
    }
    if (!included(line, name) || sscanf(name, "%63[^/]", to) != 1 || !strchr(name, '/') || !strcmp(from, to)) return;
    if (to[0] == '.') complain(path, number, "steps out of its folder: ", name);
    else if (is_room(to) && !has_word(arrows[place].may, to, strlen(to))) complain(path, number, "may not include ", to);
}

static void arrows_point_down(void **state) {
    (void)state;
    broken = 0;
    walk("src", arrow, NULL);
    assert_int_equal(broken, 0);
}

static void includes_no_family(const char *path, int number, const char *line, void *self) {
    static const char *const families[] = { "protect/", "risk/", "attack/", "utility/", "release/", "synth/", "tabular/", "scrub/" };
    char name[256];
    (void)self;
    if (!included(line, name)) return;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!strncmp(name, families[i], strlen(families[i]))) complain(path, number, "knows a family: ", families[i]);
}

static void recipes_know_no_method(void **state) {
    (void)state;
    broken = 0;
    walk("src/recipe", includes_no_family, NULL);
    walk("src/report", includes_no_family, NULL);
    walk("src/verb", includes_no_family, NULL);
    assert_int_equal(broken, 0);
}

/* The program knows the library by scrim.h alone (zstd's law): system headers, its own, and that one. */
static void program_line(const char *path, int number, const char *line, void *self) {
    char name[256], file[512], room[64];
    struct stat about;
    (void)self;
    if (!included(line, name)) return;
    if (strchr(line, '<')) {
        bool ours = sscanf(name, "%63[^/]", room) == 1 && strchr(name, '/') && is_room(room);
        if (ours || (strstr(name, "scrim") && strcmp(name, "scrim.h"))) complain(path, number, "knows more than scrim.h: ", name);
        return;
    }
    snprintf(file, sizeof file, "cli/%s", name);
    bool own = !stat(file, &about) || !strcmp(name, "serve.h"); /* of the server the program knows how it is called */
    if (!strncmp(path, "server/", 7)) {                         /* and the server how the program writes and what is registered */
        snprintf(file, sizeof file, "server/%s", name);
        own = !stat(file, &about) || !strcmp(name, "text.h") || !strcmp(name, "registry.h") || !strcmp(name, "web.h");
    }
    if (strchr(name, '/') || !own) complain(path, number, "includes what is not its own: ", name);
}

static void program_knows_scrim_h_alone(void **state) {
    (void)state;
    broken = 0;
    walk("cli", program_line, NULL);
    walk("server", program_line, NULL);
    assert_int_equal(broken, 0);
}

/* ---- sizes ---- */

typedef struct {
    int function;
    char name[128];
} Sizes;

/* A function begins at a line that starts with a letter and leads, at once or after lines of parameters, to one that ends in ") {"; it ends
 * at a lone "}". */
static void size(const char *path, int number, const char *line, void *self) {
    Sizes *s = self;
    if (!line) {
        if (-number > 600) complain(path, -number, "a file of more than 600 lines", "");
        s->function = 0;
        return;
    }
    size_t length = strcspn(line, "\n");
    if (number == 1 && strncmp(line, "/*", 2)) complain(path, number, "does not open with a line that says what it is", "");
    bool letter = (line[0] >= 'a' && line[0] <= 'z') || (line[0] >= 'A' && line[0] <= 'Z'),
         opens = length > 3 && line[length - 1] == '{' && line[length - 2] == ' ' && line[length - 3] == ')';
    if (letter && (opens || (length && line[length - 1] == ','))) {
        s->function = number;
        snprintf(s->name, sizeof s->name, "%.*s", (int)strcspn(line, "("), line);
    }
    if (line[0] != '}' || !s->function) return;
    if (number - s->function + 1 > 100) complain(path, s->function, "a function of more than 100 lines: ", s->name);
    s->function = 0;
}

static void files_and_functions_are_small(void **state) {
    (void)state;
    Sizes sizes = { 0 };
    broken = 0;
    walk("src", size, &sizes);
    walk("cli", size, &sizes);
    walk("server", size, &sizes);
    walk("tools", size, &sizes);
    assert_int_equal(broken, 0);
}

/* ---- what the library must not do ---- */

static const struct {
    const char *pattern, *what, *but; /* but in this file */
} banned[] = {
    { "(^|[^a-z_])(printf|puts|putchar|fprintf|perror)\\(", "the library never prints: ", NULL },
    { "(^|[^a-z_.>])(exit|abort|_exit)\\(", "the library never exits: ", "base/helper_process.c" /* the child that it forked */ },
    { "(^|[^a-z_])(strtod|strtof|atof|setlocale)\\(", "numbers are read by base/number_text.h, without a locale: ", NULL },
    { "(^|[^a-z_])(sprintf|gets|alloca)\\(", "there is a safe way: ", NULL },
    { "(result_note|result_null|fail|buffer_print|arena_print)\\(.*%[0-9.*]*l?[efgEG][^a-z]",
      "numbers are written by base/number_text.h, without a locale: ", NULL },
    { "include <(math|tgmath)\\.h>", "the processor must not choose exp and log, include base/elementary.h: ", NULL },
    { "(^|[^a-z_])(rand|srand|random|drand48)\\(",
      "random numbers come from base/random.h: ", "base/helper_process.c" /* tries its lock */ },
};
static regex_t patterns[sizeof banned / sizeof *banned];

static void library_line(const char *path, int number, const char *line, void *self) {
    (void)self;
    if (!line || !strncmp(line, " *", 2) || !strncmp(line, "/*", 2) || strstr(line, "FORMAT(") || strstr(path, "base/real_text.c") ||
        strstr(path, "base/elementary.h"))
        return;
    for (size_t i = 0; i < sizeof banned / sizeof *banned; i++)
        if (!regexec(&patterns[i], line, 0, NULL, 0) && !(banned[i].but && strstr(path, banned[i].but)))
            complain(path, number, banned[i].what, line);
}

static void library_keeps_quiet(void **state) {
    (void)state;
    broken = 0;
    for (size_t i = 0; i < sizeof banned / sizeof *banned; i++)
        assert_int_equal(regcomp(&patterns[i], banned[i].pattern, REG_EXTENDED | REG_NOSUB), 0);
    walk("src", library_line, NULL);
    for (size_t i = 0; i < sizeof banned / sizeof *banned; i++) regfree(&patterns[i]);
    assert_int_equal(broken, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(arrows_point_down), cmocka_unit_test(recipes_know_no_method),
                                        cmocka_unit_test(program_knows_scrim_h_alone), cmocka_unit_test(files_and_functions_are_small),
                                        cmocka_unit_test(library_keeps_quiet) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
