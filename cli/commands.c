/* The list of commands. */
#include "commands.h"
#include <string.h>
#include "cli.h"

/* Words that are short for a method, where there is such a method. */
static const char *const shorts[] = { "release", "calibrate", "scrub" };
enum { SHORTS = sizeof shorts / sizeof *shorts };
static const struct {
    const char *group, *about;
} groups[] = {
    { "risk", "Disclosure risk of a table" },
    { "attack", "Simulated attacks of an intruder" },
    { "protect", "Protection methods for microdata" },
    { "synth", "Synthetic data" },
    { "tabular", "Protection of tables of counts and magnitudes" },
    { "release", "Statistics with a formal privacy guarantee" },
    { "utility", "Information loss and utility of a release" },
    { "scrub", "Free text" },
};

const char *group_about(const char *group) {
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (!strcmp(groups[i].group, group)) return groups[i].about;
    return NULL;
}

static const Method *short_of(const char *word) {
    const char *id = NULL;
    int64_t used;
    return scrim_methods_find(1, &word, &id, &used, NULL) || !strcmp(id, word)
               ? NULL
               : method_named(id); /* a verb of that name stands for itself */
}

/* Short names whose method there is. */
static int64_t short_at(int64_t index) {
    for (int64_t i = 0; i < SHORTS; i++)
        if (short_of(shorts[i]) && index-- == 0) return i;
    return -1;
}

int64_t commands_count(void) {
    int64_t count = methods_count();
    for (int64_t i = 0; short_at(i) >= 0; i++) count++;
    return count;
}

Command commands_at(int64_t index) {
    if (index < methods_count()) {
        const Method *method = methods_at(index);
        bool one = !strcmp(method->command, method->name);
        return (Command){ one ? method->name : method->group, one ? NULL : method->name, method };
    }
    const char *word = shorts[short_at(index - methods_count())];
    return (Command){ word, NULL, short_of(word) };
}

typedef struct {
    const char *word, *about;
} First;

static bool met_before(const First *known, int64_t count, const char *word) {
    for (int64_t i = 0; i < count; i++)
        if (!strcmp(known[i].word, word)) return true;
    return false;
}

/* Every first word once, in the order of the commands; the program's own at the end. */
static const First *first_words(int64_t *count) {
    static const First own[] = { { "methods", "List all methods" },
                                 { "help", "Help on the program, or on one command" },
                                 { "serve", "Workbench in the browser, on this computer only" },
                                 { "completion", "Print the shell's completion script" } };
    static First *known;
    static int64_t met;
    int64_t commands = commands_count();
    if (!known) {
        known = keep(((size_t)commands + sizeof own / sizeof *own) * sizeof *known);
        for (int64_t i = 0; i < commands; i++) {
            Command command = commands_at(i);
            if (met_before(known, met, command.first)) continue;
            const char *about = group_about(command.first);
            known[met++] = (First){ command.first, about ? about : command.second ? "" : command.method->summary };
        }
        for (size_t i = 0; i < sizeof own / sizeof *own; i++) known[met++] = own[i];
    }
    *count = met;
    return known;
}

bool commands_first(int64_t index, const char **word, const char **about) {
    int64_t count;
    const First *known = first_words(&count);
    if (index >= count) return false;
    *word = known[index].word;
    *about = known[index].about;
    return true;
}

Completes param_completes(const Param *param) {
    switch (param->kind) {
    case KIND_FLAG: return COMPLETES_NONE;
    case KIND_CHOICE: return COMPLETES_WORDS;
    case KIND_COLUMN:
    case KIND_COLUMNS:
    case KIND_GROUPS:
    case KIND_PAIRS:
    case KIND_EXPR:
    case KIND_FORMULA: return COMPLETES_COLUMNS;
    case KIND_TABLE:
    case KIND_TABLES:
    case KIND_LEDGER:
    case KIND_SCHEMA:
    case KIND_TEXT: return COMPLETES_FILES;
    default: return COMPLETES_ANY;
    }
}

void quote_shell(Buffer *out, const char *text) {
    buffer_char(out, '\'');
    for (; text && *text; text++) {
        if (*text == '\'') buffer_text(out, "'\\''");
        else buffer_char(out, *text);
    }
    buffer_char(out, '\'');
}
