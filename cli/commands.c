/* The list of commands. */
#include "commands.h"
#include <string.h>

/* Words that are short for a method, where there is such a method. */
static const char *const shorts[] = { "release", "calibrate", "scrub" };
enum { SHORTS = sizeof shorts / sizeof *shorts };
static const struct {
    const char *group, *about;
} groups[] = {
    { "risk", "How exposed a table is" },
    { "attack", "What an intruder would learn" },
    { "protect", "A table in, a protected table out" },
    { "synth", "Synthetic data" },
    { "tabular", "Tables of counts and magnitudes" },
    { "release", "Noisy statistics, and how much noise" },
    { "utility", "What is left to learn" },
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

static bool met_before(int64_t index) {
    const char *word = commands_at(index).first;
    for (int64_t i = 0; i < index; i++)
        if (!strcmp(commands_at(i).first, word)) return true;
    return false;
}

bool commands_first(int64_t index, const char **word, const char **about) {
    static const char *const own[][2] = { { "methods", "List the methods there are" },
                                          { "help", "Help on the program, or on one command" },
                                          { "completion", "Print the shell's completion script" } };
    for (int64_t i = 0; i < commands_count(); i++) {
        if (met_before(i) || index-- > 0) continue;
        Command command = commands_at(i);
        *word = command.first;
        *about = group_about(command.first);
        if (!*about) *about = command.second ? "" : command.method->summary;
        return true;
    }
    if (index >= 3) return false;
    *word = own[index][0];
    *about = own[index][1];
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
