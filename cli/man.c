/* The man page, scrim(1), from the registry. */
#include <string.h>
#include "commands.h"

/* Text of a line: backslashes and dashes are roff's own, and so is a dot or quote that begins a line. */
static void roff(Buffer *out, const char *text) {
    if (text && (*text == '.' || *text == '\'')) buffer_text(out, "\\&");
    for (; text && *text; text++) {
        if (*text == '\\') buffer_text(out, "\\e");
        else if (*text == '-') buffer_text(out, "\\-");
        else if (*text == '\n') buffer_char(out, ' ');
        else buffer_char(out, *text);
    }
}

static void entry(Buffer *out, const char *first, const char *second, const char *text) {
    buffer_text(out, ".TP\n.B ");
    roff(out, first);
    if (second) {
        buffer_char(out, ' ');
        roff(out, second);
    }
    buffer_char(out, '\n');
    roff(out, text);
    buffer_char(out, '\n');
}

static void methods(Buffer *out) {
    const char *word, *about;
    buffer_text(out, ".SH METHODS\n");
    for (int64_t i = 0; commands_first(i, &word, &about); i++) {
        if (!group_about(word)) continue;
        buffer_print(out, ".SS %s\n", word);
        roff(out, about);
        buffer_text(out, ".\n");
        for (int64_t j = 0; j < methods_count(); j++)
            if (!methods_at(j)->verb && !strcmp(methods_at(j)->group, word)) entry(out, word, methods_at(j)->name, methods_at(j)->summary);
    }
}

static void verbs(Buffer *out) {
    buffer_text(out, ".SH COMMANDS\n");
    for (int64_t i = 0; i < methods_count(); i++) {
        const Method *verb = methods_at(i);
        bool one = !strcmp(verb->command, verb->name);
        if (verb->verb) entry(out, one ? verb->name : verb->group, one ? NULL : verb->name, verb->summary);
    }
    entry(out, "methods", "[GROUP [METHOD]]", "List all methods; with --format json the declaration of one method");
    entry(out, "help", "[GROUP METHOD]", "Explain one method: its parameters, their defaults, and the values it returns");
    entry(out, "serve", "[FILE]", "Workbench in the browser, on this computer only; with --queries a server of noisy statistics");
    entry(out, "completion", "bash|zsh|fish", "Print the shell's completion script");
}

static void options(Buffer *out) {
    const char *name, *value, *help;
    buffer_text(out, ".SH OPTIONS\nOptions of every command.\n");
    for (const Param *p = common_params(); p->kind; p++) {
        entry(out, keep_text("--%s", p->name), p->kind == KIND_FLAG ? NULL : p->type, p->help);
    }
    for (size_t i = 0; options_at(i, &name, &value, &help); i++) entry(out, name, value, help);
}

void man_page(Buffer *out) {
    buffer_print(out, ".TH SCRIM 1 \"\" \"scrim %s\" \"User commands\"\n", scrim_version());
    buffer_text(out, ".SH NAME\nscrim \\- statistical disclosure control: protect data before release\n"
                     ".SH SYNOPSIS\n.B scrim\n.I GROUP METHOD INPUT\n[\\fB\\-\\-\\fIparameter value\\fR ...] [\\fB\\-o\\fR "
                     "\\fIOUT\\fR]\n.br\n.B scrim\n.I COMMAND\n[...]\n"
                     ".SH DESCRIPTION\n.B scrim\nmeasures the disclosure risk of confidential data, protects them before release,\n"
                     "simulates attacks on the release, and compares its utility with the original.\n"
                     "What a method takes and returns is printed by\n.BR \"scrim help\" \" \\fIGROUP METHOD\\fR.\n");
    verbs(out);
    methods(out);
    options(out);
    buffer_text(out, ".SH EXIT STATUS\n");
    entry(out, "0", NULL, "Done");
    entry(out, "1", NULL, "Failed: memory, disk, or a computation that does not converge");
    entry(out, "2", NULL, "Wrong usage or invalid input");
    entry(out, "3", NULL, "A policy is violated, or a privacy budget is too small");
    entry(out, "130", NULL, "Interrupted; no incomplete output remains");
    buffer_text(out, ".SH EXAMPLES\n");
    for (int64_t i = 0; i < methods_count(); i++) {
        const Method *m = methods_at(i);
        bool first = !i || strcmp(methods_at(i - 1)->group, m->group);
        if (m->verb || !first || !m->example) continue;
        buffer_text(out, ".PP\n.nf\n");
        roff(out, m->example);
        buffer_text(out, "\n.fi\n");
    }
}
