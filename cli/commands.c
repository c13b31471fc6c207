/* The list of commands. */
#include "commands.h"
#include <string.h>
#include "recipe/verbs.h"

static const struct { const char *word, *group, *name; } shorts[] = { { "release", "release", "query" }, { "calibrate", "release", "calibrate" }, { "scrub", "scrub", "text" } };
enum { SHORTS = sizeof shorts / sizeof *shorts };
static const struct { const char *group, *about; } groups[] = {
    { "risk", "How exposed a table is" },          { "attack", "What an intruder would learn" }, { "protect", "A table in, a protected table out" },
    { "synth", "Synthetic data" },                 { "tabular", "Tables of counts and magnitudes" }, { "release", "Noisy statistics, and how much noise" },
    { "utility", "What is left to learn" },        { "scrub", "Free text" },
};

const char *group_about(const char *group) {
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (!strcmp(groups[i].group, group)) return groups[i].about;
    return NULL;
}

/* Short names whose method there is. */
static int64_t short_at(int64_t index) {
    for (int64_t i = 0; i < SHORTS; i++)
        if (method_find(shorts[i].group, shorts[i].name) && index-- == 0) return i;
    return -1;
}

int64_t commands_count(void) {
    int64_t count = methods_count() + verbs_count();
    for (int64_t i = 0; short_at(i) >= 0; i++) count++;
    return count;
}

Command commands_at(int64_t index) {
    if (index < methods_count()) {
        const Method *method = methods_at(index);
        return (Command){ method->group, method->name, method };
    }
    index -= methods_count();
    if (index < verbs_count()) {
        const Method *verb = verbs_at(index);
        bool one = !strcmp(verb->group, "verb");
        return (Command){ one ? verb->name : verb->group, one ? NULL : verb->name, verb };
    }
    int64_t at = short_at(index - verbs_count());
    return (Command){ shorts[at].word, NULL, method_find(shorts[at].group, shorts[at].name) };
}

static bool met_before(int64_t index) {
    const char *word = commands_at(index).first;
    for (int64_t i = 0; i < index; i++)
        if (!strcmp(commands_at(i).first, word)) return true;
    return false;
}

bool commands_first(int64_t index, const char **word, const char **about) {
    static const char *const own[][2] = { { "methods", "List the methods there are" }, { "help", "Help on the program, or on one command" }, { "completion", "Print the shell's completion script" } };
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
    case KIND_COLUMN: case KIND_COLUMNS: case KIND_GROUPS: case KIND_PAIRS: case KIND_EXPR: case KIND_FORMULA: return COMPLETES_COLUMNS;
    case KIND_TABLE: case KIND_TABLES: case KIND_LEDGER: case KIND_SCHEMA: case KIND_TEXT: return COMPLETES_FILES;
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
