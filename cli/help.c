/* Help, read off the declarations. */
#include <stdio.h>
#include <string.h>
#include "cli.h"
#include "commands.h"
#include "serve.h"

void help_program(Buffer *out) {
    buffer_text(out, "scrim: release data without exposing anyone\n\n"
                     "  scrim inspect DATA                          profile a file, suggest roles\n"
                     "  scrim GROUP METHOD INPUT… [--parameter value…] [-o OUT]\n"
                     "  scrim methods [GROUP [METHOD]]              list of methods. --in-parts: those for tables larger than memory.\n"
                     "                                              --kind identity|attribute|inferential|population: those about this "
                     "kind of disclosure\n"
                     "  scrim help GROUP METHOD                     help of one method: parameters, defaults, results\n"
                     "  scrim serve [FILE]                          workbench in the browser\n"
                     "  scrim completion bash|zsh|fish              completion for a shell\n\nGroups:\n");
    const char *word, *about;
    for (int64_t i = 0; commands_first(i, &word, &about); i++) {
        int64_t count = 0;
        for (int64_t j = 0; j < methods_count(); j++) count += !methods_at(j)->verb && !strcmp(methods_at(j)->group, word);
        if (count) buffer_print(out, "  %-10s %s (%lld)\n", word, about, (long long)count);
    }
    buffer_text(out, "\nVerbs:\n");
    for (int64_t i = 0; i < methods_count(); i++)
        if (methods_at(i)->verb) buffer_print(out, "  %-18s %s\n", methods_at(i)->command, methods_at(i)->summary);
    buffer_text(out, "\nOptions of every command:\n");
    options_help(out);
}

void help_methods(const char *group, Buffer *out) {
    for (int64_t i = 0; i < methods_count(); i++) {
        const Method *m = methods_at(i);
        if (!m->verb && (!group || !strcmp(m->group, group))) buffer_print(out, "%-8s %-20s %s\n", m->group, m->name, m->summary);
    }
}

/* The four kinds of disclosure: who someone is, what is true of them, what may be guessed, and that they are there at all. */
bool help_bears_on(const Method *m, const char *kind) {
    for (int i = 0; m->disclosure && m->disclosure[i]; i++)
        if (!strcmp(m->disclosure[i], kind)) return true;
    return false;
}

void help_methods_of_kind(const char *group, const char *kind, Buffer *out) {
    for (int64_t i = 0; i < methods_count(); i++) {
        const Method *m = methods_at(i);
        if (!m->verb && (!group || !strcmp(m->group, group)) && help_bears_on(m, kind))
            buffer_print(out, "%-8s %-20s %s\n", m->group, m->name, m->summary);
    }
}

void help_methods_in_parts(Buffer *out) {
    for (int64_t i = 0; i < methods_count(); i++) {
        const Method *m = methods_at(i);
        const char *how = scrim_methods_in_parts(m->id);
        if (how && strcmp(how, "whole")) buffer_print(out, "%-8s %-20s %-9s %s\n", m->verb ? "" : m->group, m->name, how, m->summary);
    }
}

static void one_param(const Param *p, Buffer *out) {
    char left[96] = "";
    if (p->flags & POSITIONAL) {
        for (size_t i = 0; p->name[i] && i + 8 < sizeof left; i++)
            left[i] = (char)(p->name[i] >= 'a' && p->name[i] <= 'z' ? p->name[i] - 32 : p->name[i]);
        if (p->kind == KIND_TABLES) strcat(left, " …");
    } else snprintf(left, sizeof left, "--%s%s%s", p->name, p->kind == KIND_FLAG ? "" : " ", p->kind == KIND_FLAG ? "" : p->type);
    buffer_print(out, "  %-28s %s", left, p->help);
    if (p->kind == KIND_CHOICE) {
        buffer_text(out, ": ");
        for (int i = 0; p->words[i]; i++) buffer_print(out, "%s%s", i ? "|" : "", p->words[i]);
    }
    if (p->preset) buffer_print(out, " (default %s)", p->preset);
    buffer_char(out, '\n');
}

static void one_rule(const Param *p, Buffer *out) {
    buffer_text(out, p->kind == RULE_ONE_OF ? "  Exactly one of: " : "  Only with ");
    if (p->kind == RULE_ONLY_IF) buffer_print(out, "--%s ", p->of);
    for (int i = 0; p->words[i]; i++) {
        if (i) buffer_text(out, p->kind == RULE_ONE_OF ? " " : " or ");
        buffer_print(out, "%s%s", p->kind == RULE_ONLY_IF ? "" : "--", p->words[i]);
    }
    if (p->kind != RULE_ONE_OF) buffer_print(out, ": --%s", p->name);
    buffer_char(out, '\n');
}

static void some_params(const Method *method, bool required, Buffer *out) {
    bool any = false;
    for (const Param *p = method->params; p && p->kind; p++) {
        if (p->kind >= RULE_ONE_OF || !(p->flags & REQUIRED) == required) continue;
        if (!any) buffer_print(out, "\n%s:\n", required ? "Required" : "Optional");
        any = true;
        one_param(p, out);
    }
    if (required) return;
    for (const Param *p = method->params; p && p->kind; p++) {
        if (p->kind < RULE_ONE_OF) continue;
        one_rule(p, out);
    }
}

static void one_return(const Return *r, Buffer *out) {
    static const char *const kind[] = { [RETURN_TABLE] = "table", [RETURN_RECORD] = "per record", [RETURN_OUTPUT] = "output" };
    buffer_print(out, "  %-28s %-10s %s\n", r->name ? r->name : "-o", r->kind == RETURN_VALUE ? r->type : kind[r->kind], r->meaning);
}

void help_method(const Method *method, Buffer *out) {
    buffer_print(out, "%s: %s\n", method->command, method->summary);
    if (method->source) buffer_print(out, "(%s)\n", method->source);
    for (int i = 0; method->disclosure && method->disclosure[i]; i++)
        buffer_print(out, "%s%s%s",
                     !i                          ? "Bears on "
                     : method->disclosure[i + 1] ? ", "
                                                 : " and ",
                     method->disclosure[i], method->disclosure[i + 1] ? "" : " disclosure.\n");
    if (method->example) buffer_print(out, "\nExample:\n  %s\n", method->example);
    some_params(method, true, out);
    some_params(method, false, out);
    const char *how = scrim_methods_in_parts(method->id);
    if (how && strcmp(how, "whole")) buffer_print(out, "\nRuns in parts (%s): with --max-memory on tables larger than memory.\n", how);
    buffer_text(out, "\nEvery method:\n");
    for (const Param *p = common_params(); p->kind; p++)
        if (!method_param(method, p->name)) one_param(p, out);
    options_help(out);
    if (method->values->kind) buffer_text(out, "\nResults:\n");
    for (const Return *r = method->values; r->kind; r++) one_return(r, out);
}

void help_serve(Buffer *out) {
    const char *name, *value, *help;
    buffer_text(out, "serve: Workbench in the browser, on this computer only\n\n  scrim serve [FILE] [--port N] [--open]\n  scrim serve "
                     "--queries DATA… --ledger LEDGER --tokens FILE [--schema FILE]\n\nOptional:\n");
    for (size_t i = 0; serve_option(i, &name, &value, &help); i++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", name, value ? " " : "", value ? value : "");
        buffer_print(out, "  %-28s %s\n", left, help);
    }
    buffer_text(out, "\nThe options for reading files (--separator, --na, --types, …) apply to the files that are opened here.\n");
}

void help_version(Buffer *out) { buffer_print(out, "scrim %s\n%s\nLicence GPL-3.0-or-later\n", scrim_version(), scrim_libraries()); }
