/* Help, read off the declarations. */
#include <glpk.h>
#include <gmp.h>
#include <gsl/gsl_version.h>
#include <jansson.h>
#include <libpq-fe.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>
#include <zlib.h>
#include <zstd.h>
#include "cli.h"
#include "commands.h"
#include "recipe/verbs.h"

void help_program(Buffer *out) {
    buffer_text(out, "scrim: release data without exposing anyone\n\n"
                     "  scrim inspect DATA                          profile a file, suggest roles\n"
                     "  scrim GROUP METHOD INPUT… [--parameter value…] [-o OUT]\n"
                     "  scrim methods [GROUP [METHOD]]              what there is\n"
                     "  scrim help GROUP METHOD                     one method, in full\n"
                     "  scrim completion bash|zsh|fish              completion for a shell\n\nGroups:\n");
    const char *word, *about;
    for (int64_t i = 0; commands_first(i, &word, &about); i++) {
        int64_t count = 0;
        for (int64_t j = 0; j < methods_count(); j++) count += !strcmp(methods_at(j)->group, word);
        if (count) buffer_print(out, "  %-10s %s (%lld)\n", word, about, (long long)count);
    }
    buffer_text(out, "\nVerbs:\n");
    for (int64_t i = 0; i < verbs_count(); i++) {
        const Method *verb = verbs_at(i);
        char name[64];
        snprintf(name, sizeof name, "%s%s%s", strcmp(verb->group, "verb") ? verb->group : "", strcmp(verb->group, "verb") ? " " : "", verb->name);
        buffer_print(out, "  %-18s %s\n", name, verb->summary);
    }
    buffer_text(out, "\nOptions of every command:\n");
    options_help(out);
}

void help_methods(const char *group, Buffer *out) {
    for (int64_t i = 0; i < methods_count(); i++) {
        const Method *m = methods_at(i);
        if (!group || !strcmp(m->group, group)) buffer_print(out, "%-8s %-20s %s\n", m->group, m->name, m->summary);
    }
}

static void one_param(const Param *p, Buffer *out) {
    char name[64], left[96];
    param_dashed(p, name);
    if (p->flags & POSITIONAL) {
        for (char *c = name; *c; c++) if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 32);
        snprintf(left, sizeof left, "%s%s", name, p->kind == KIND_TABLES ? " …" : "");
    } else snprintf(left, sizeof left, "--%s%s%s", name, p->kind == KIND_FLAG ? "" : " ", p->kind == KIND_FLAG ? "" : kind_name(p->kind));
    buffer_print(out, "  %-28s %s", left, p->help);
    if (p->kind == KIND_CHOICE) {
        buffer_text(out, ": ");
        for (int i = 0; p->words[i]; i++) buffer_print(out, "%s%s", i ? "|" : "", p->words[i]);
    }
    char number[33];
    const char *preset = param_preset(p, number);
    if (preset) buffer_print(out, " (default %s)", preset);
    buffer_char(out, '\n');
}

static void dashed_name(const char *name, Buffer *out) {
    char dashed[64];
    Param named = { .name = name };
    param_dashed(&named, dashed);
    buffer_print(out, "--%s", dashed);
}

static void one_rule(const Param *p, Buffer *out) {
    buffer_text(out, p->kind == RULE_ONE_OF ? "  Exactly one of: " : "  Only with ");
    if (p->kind == RULE_ONLY_IF) { dashed_name(p->of, out); buffer_char(out, ' '); }
    for (int i = 0; p->words[i]; i++) {
        if (i) buffer_text(out, p->kind == RULE_ONE_OF ? " " : " or ");
        if (p->kind == RULE_ONLY_IF) buffer_text(out, p->words[i]);
        else dashed_name(p->words[i], out);
    }
    if (p->kind != RULE_ONE_OF) { buffer_text(out, ": "); dashed_name(p->name, out); }
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
    buffer_print(out, "  %-28s %-10s %s\n", r->name ? r->name : "-o", r->kind == RETURN_VALUE ? type_name(r->type) : kind[r->kind], r->meaning);
}

void help_method(const Method *method, Buffer *out) {
    bool verb = !strcmp(method->group, "verb");
    buffer_print(out, "%s%s%s: %s\n", verb ? "" : method->group, verb ? "" : " ", method->name, method->summary);
    if (method->source) buffer_print(out, "(%s)\n", method->source);
    if (method->example) buffer_print(out, "\nExample:\n  %s\n", method->example);
    some_params(method, true, out);
    some_params(method, false, out);
    buffer_text(out, "\nEvery method:\n");
    for (const Param *p = common_params; p->kind; p++) one_param(p, out);
    options_help(out);
    if (method->values) buffer_text(out, "\nWhat comes back:\n");
    for (const Return *r = method->values; returns_more(r); r++) one_return(r, out);
}

void help_version(Buffer *out) {
    int pq = PQlibVersion();
    buffer_print(out, "scrim %s\nGSL %s, GLPK %s, GMP %s, libsodium %s,\n", SCRIM_VERSION, gsl_version, glp_version(), gmp_version, sodium_version_string());
    buffer_print(out, "Jansson %s, libyaml %s, zlib %s, zstd %s, SQLite %s, libpq %d.%d\nLicence GPL-3.0-or-later\n", jansson_version_str(), yaml_get_version_string(),
                 zlibVersion(), ZSTD_versionString(), sqlite3_libversion(), pq / 10000, pq % 10000);
}
