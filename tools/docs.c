/* Fills the reference part of docs/methods/GROUP-NAME.md, and the index, from the registry; or checks that they are current.
 * docs DIR writes; docs check DIR complains of each page that is absent, stale or of no method, and fails. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include "base/file.h"
#include "base/number.h"
#include "commands.h"
#include "method/method.h"
#include "recipe/verbs.h"

static const char *const opening = "<!-- reference -->\n", *const closing = "<!-- /reference -->";
typedef struct { const char *folder; bool check; int faults; } Docs;

/* A cell of a table: bars would end it, and < would begin a tag. */
static void cell(Buffer *out, const char *text) {
    for (; text && *text; text++) {
        if (*text == '|') buffer_text(out, "\\|");
        else if (*text == '<') buffer_text(out, "&lt;");
        else buffer_char(out, *text);
    }
}

/* The default, but for an empty text. */
static const char *preset(const Param *p, char number[33]) {
    const char *text = param_preset(p, number);
    return text && *text ? text : NULL;
}

static void upper(const Param *p, Buffer *out) {
    for (const char *c = p->name; *c; c++) buffer_char(out, *c == '_' ? '-' : *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c);
}

static void option(const Param *p, Buffer *out) {
    char name[64];
    param_dashed(p, name);
    if (p->flags & POSITIONAL) upper(p, out);
    else buffer_print(out, "--%s", name);
}

/* "from 2 to 100", "more than 0", "at most 1"; nothing where any number will do. */
static void bounds(const Param *p, Buffer *out) {
    char low[33], high[33];
    bool numbers = p->kind == KIND_INT || p->kind == KIND_REAL || p->kind == KIND_REALS, past = p->flags & EXCLUSIVE;
    bool least = numbers && p->least < p->most && p->least > -1e18, most = numbers && p->least < p->most && p->most < 1e9;
    if (!least && !most) return;
    buffer_text(out, ", ");
    real_text(p->least, low);
    real_text(p->most, high);
    if (least && most && !past) buffer_print(out, "%s to %s", low, high);
    else {
        if (least) buffer_print(out, "%s%s", past ? "more than " : "at least ", low);
        if (most) buffer_print(out, "%s%s%s", least ? " and " : "", past ? "less than " : "at most ", high);
    }
}

static void kind(const Param *p, Buffer *out) {
    static const char *const words[] = { [KIND_INT] = "whole number", [KIND_REAL] = "number", [KIND_REALS] = "numbers", [KIND_TEXTS] = "words", [KIND_GROUPS] = "groups of columns, `a,b;c,d`" };
    if (p->kind == KIND_CHOICE)
        for (int i = 0; p->words[i]; i++) buffer_print(out, "%s`%s`", i ? ", " : "", p->words[i]);
    else if (p->kind == KIND_PAIRS) buffer_print(out, "list of `name%s`", p->parts == 3 ? ":a:b:c" : p->parts == 2 ? ":a:b" : ":a");
    else buffer_text(out, p->kind < sizeof words / sizeof *words && words[p->kind] ? words[p->kind] : kind_name(p->kind));
    if (p->of && p->of[0] && strcmp(p->of, "BOTH")) buffer_print(out, " of %s", p->of);
    if (p->flags & NUMERIC) buffer_text(out, ", numeric");
    bounds(p, out);
}

static void param_row(const Param *p, Buffer *out) {
    bool column = p->kind == KIND_COLUMN || p->kind == KIND_COLUMNS;
    buffer_text(out, "| `");
    option(p, out);
    buffer_text(out, "` | ");
    kind(p, out);
    buffer_text(out, " | ");
    char number[33];
    const char *text = preset(p, number);
    if (text) { buffer_char(out, '`'); cell(out, text); buffer_char(out, '`'); }
    else if (p->flags & REQUIRED) buffer_text(out, "needed");
    if (column && !text) buffer_print(out, "%srole `%s`", p->flags & REQUIRED ? ", or the " : "", p->role ? p->role : p->name);
    buffer_text(out, " | ");
    cell(out, p->help);
    buffer_text(out, " |\n");
}

static void options_of(const Param *p, const char *joint, Buffer *out) {
    for (int i = 0; p->words[i]; i++) {
        char dashed[64];
        Param named = { .name = p->words[i] };
        param_dashed(&named, dashed);
        buffer_print(out, "%s`--%s`", i ? joint : "", dashed);
    }
}

static void rules(const Method *method, Buffer *out) {
    size_t before = out->count;
    char dashed[64];
    for (const Param *p = method->params; p && p->kind; p++) {
        if (p->kind == RULE_ONE_OF) {
            buffer_text(out, "- Exactly one of ");
            options_of(p, ", ", out);
        } else if (p->kind == RULE_ONLY_IF) {
            param_dashed(p, dashed);
            buffer_print(out, "- `--%s` only with `--%s` ", dashed, p->of);
            for (int i = 0; p->words[i]; i++) buffer_print(out, "%s`%s`", i ? ", " : "", p->words[i]);
        } else if (p->kind == RULE_ONLY_WITH) {
            param_dashed(p, dashed);
            buffer_print(out, "- `--%s` only with ", dashed);
            options_of(p, " or ", out);
        } else continue;
        buffer_text(out, ".\n");
    }
    if (out->count > before) buffer_char(out, '\n');
}

static void usage(const Method *method, Buffer *out) {
    buffer_print(out, "\n    scrim %s %s", method->group, method->name);
    for (const Param *p = method->params; p && p->kind; p++)
        if (p->flags & POSITIONAL) {
            buffer_text(out, p->flags & REQUIRED ? " " : " [");
            upper(p, out);
            if (!(p->flags & REQUIRED)) buffer_char(out, ']');
        }
    for (const Param *p = method->params; p && p->kind; p++)
        if ((p->flags & REQUIRED) && !(p->flags & POSITIONAL)) {
            buffer_char(out, ' ');
            option(p, out);
            buffer_char(out, ' ');
            upper(p, out);
        }
    buffer_text(out, " [options]\n\n");
}

static void traits(const Method *method, Buffer *out) {
    static const struct { unsigned trait; const char *word; } kinds[] = { { IDENTITY, "identity" }, { ATTRIBUTE, "attribute" }, { INFERENTIAL, "inferential" }, { POPULATION, "population" } };
    bool some = false;
    if (method->source) buffer_print(out, "Source: %s.", method->source);
    for (size_t i = 0; i < 4; i++)
        if (method->traits & kinds[i].trait) {
            buffer_print(out, "%s%s", some ? ", " : " Disclosure it bears on: ", kinds[i].word);
            some = true;
        }
    if (some) buffer_char(out, '.');
    if (method->traits & RANDOM) buffer_text(out, " Draws random numbers: `--seed`.");
    if (method->traits & FREQUENCY) buffer_print(out, " Counts frequencies: on a perturbed table use `scrim %s`.", method->instead ? method->instead : "risk linkage");
    buffer_char(out, '\n');
}

static void return_row(const Return *r, Buffer *out) {
    buffer_print(out, "| `%s` | ", r->name ? r->name : "-o");
    if (r->kind == RETURN_VALUE) buffer_text(out, type_name(r->type));
    else if (r->kind == RETURN_RECORD) buffer_print(out, "%s, per record", type_name(r->type));
    else buffer_text(out, r->kind == RETURN_TABLE ? "table" : "output");
    buffer_text(out, " | ");
    cell(out, r->meaning);
    if (r->columns) buffer_print(out, " (`%s`)", r->columns);
    buffer_text(out, " |\n");
}

static void reference(const Method *method, Buffer *out) {
    usage(method, out);
    buffer_text(out, "| parameter | kind | default | meaning |\n|---|---|---|---|\n");
    for (const Param *p = method->params; p && p->kind; p++)
        if (p->kind < RULE_ONE_OF) param_row(p, out);
    buffer_char(out, '\n');
    rules(method, out);
    buffer_text(out, "The options of every method are in [the index](README.md#every-method).\n\n");
    if (returns_more(method->values)) {
        buffer_text(out, "| result | kind | meaning |\n|---|---|---|\n");
        for (const Return *r = method->values; returns_more(r); r++) return_row(r, out);
        buffer_char(out, '\n');
    }
    traits(method, out);
    if (method->example) buffer_print(out, "\n    %s\n\n", method->example);
}

static void index_rows(const char *group, Buffer *out) {
    buffer_text(out, "| method | what it does | source |\n|---|---|---|\n");
    for (int64_t i = 0; i < methods_count(); i++) {
        const Method *m = methods_at(i);
        if (strcmp(m->group, group)) continue;
        buffer_print(out, "| [%s](%s-%s.md) | ", m->name, m->group, m->name);
        cell(out, m->summary);
        buffer_text(out, " | ");
        cell(out, m->source);
        buffer_text(out, " |\n");
    }
}

static void index_page(Buffer *out) {
    const char *word, *about;
    buffer_text(out, "# Methods\n\nWritten by `scripts/docs` from the registry; do not edit it by hand. `scrim methods` prints the same list, `scrim help GROUP METHOD` each method's parameters.\n");
    for (int64_t g = 0; commands_first(g, &word, &about); g++) {
        if (!group_about(word)) continue;
        buffer_print(out, "\n## %s\n\n%s.\n\n", word, about);
        index_rows(word, out);
    }
    buffer_text(out, "\n## Every method\n\nBeside its own parameters every method takes these.\n\n| parameter | kind | default | meaning |\n|---|---|---|---|\n");
    for (const Param *p = common_params; p->kind; p++) param_row(p, out);
    if (!verbs_count()) return;
    buffer_text(out, "\n## Commands over many methods\n\n| command | what it does |\n|---|---|\n");
    for (int64_t i = 0; i < verbs_count(); i++) {
        const Method *v = verbs_at(i);
        bool two = strcmp(v->group, "verb");
        buffer_print(out, "| `scrim %s%s%s` | ", two ? v->group : "", two ? " " : "", v->name);
        cell(out, v->summary);
        buffer_text(out, " |\n");
    }
}

static void fault(Docs *docs, const char *path, const char *what) {
    fprintf(stderr, "%s: %s\n", path, what);
    docs->faults++;
}

/* Writes what the file should hold, or complains that it does not. */
static void settle(Docs *docs, const char *path, Buffer *want) {
    Bytes have = { 0 };
    Error error = ERROR_NONE;
    bool same = bytes_open(path, &have, &error) == OK && have.count == want->count && !memcmp(have.at, want->bytes, want->count);
    bytes_close(&have);
    if (same) return;
    if (docs->check) fault(docs, path, "is not what the registry says; run scripts/docs");
    else if (file_write(path, want->bytes, want->count, false, &error)) fault(docs, path, error.message);
}

static void page(Docs *docs, const Method *method) {
    char path[512];
    Bytes have = { 0 };
    Buffer want = { 0 };
    Error error = ERROR_NONE;
    snprintf(path, sizeof path, "%s/%s-%s.md", docs->folder, method->group, method->name);
    if (bytes_open(path, &have, &error)) { fault(docs, path, "the method has no page"); return; }
    const char *from = have.count ? memmem(have.at, have.count, opening, strlen(opening)) : NULL, *to = NULL;
    if (from) to = memmem(from, have.count - (size_t)(from - have.at), closing, strlen(closing));
    if (!to) fault(docs, path, "has no <!-- reference --> … <!-- /reference --> part");
    else {
        buffer_add(&want, have.at, (size_t)(from - have.at) + strlen(opening));
        reference(method, &want);
        buffer_add(&want, to, have.count - (size_t)(to - have.at));
    }
    bytes_close(&have);
    if (want.count) settle(docs, path, &want);
    buffer_free(&want);
}

/* A page that no method claims is a leftover, or its name is wrong. */
static void strays(Docs *docs) {
    DIR *folder = opendir(docs->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char path[512], group[64];
        const char *dash = strchr(entry->d_name, '-'), *end = strstr(entry->d_name, ".md");
        if (!end || !strcmp(entry->d_name, "README.md")) continue;
        bool known = false;
        for (int64_t i = 0; dash && i < methods_count(); i++) {
            const Method *m = methods_at(i);
            snprintf(group, sizeof group, "%s-%s.md", m->group, m->name);
            known |= !strcmp(group, entry->d_name);
        }
        snprintf(path, sizeof path, "%s/%.255s", docs->folder, entry->d_name);
        if (!known) fault(docs, path, "is the page of no method");
    }
    if (folder) closedir(folder);
}

int main(int argc, char **argv) {
    Docs docs = { .check = argc == 3 && !strcmp(argv[1], "check"), .folder = argc > 1 ? argv[argc - 1] : NULL };
    char path[512];
    Buffer index = { 0 };
    if (!docs.folder || (argc == 3 && !docs.check) || argc > 3) return fprintf(stderr, "usage: docs [check] docs/methods\n"), 2;
    for (int64_t i = 0; i < methods_count(); i++) page(&docs, methods_at(i));
    strays(&docs);
    index_page(&index);
    snprintf(path, sizeof path, "%s/README.md", docs.folder);
    settle(&docs, path, &index);
    buffer_free(&index);
    return docs.faults > 0;
}
