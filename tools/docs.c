/* Fills the reference part of docs/methods/GROUP-NAME.md, and the index, from the registry; or checks that they are current.
 * docs DIR writes; docs check DIR complains of each page that is absent, stale or of no method, and fails. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include "commands.h"

static const char *const opening = "<!-- reference -->\n", *const closing = "<!-- /reference -->";
typedef struct {
    const char *folder;
    bool check;
    int faults;
} Docs;

/* A cell of a table: bars would end it, and < would begin a tag. */
static void cell(Buffer *out, const char *text) {
    for (; text && *text; text++) {
        if (*text == '|') buffer_text(out, "\\|");
        else if (*text == '<') buffer_text(out, "&lt;");
        else buffer_char(out, *text);
    }
}

/* A paragraph in lines of at most 100 characters, broken at spaces outside `code`; further lines begin with `indent`. */
static void paragraph(const char *text, const char *indent, Buffer *out) {
    size_t column = 0, characters;
    for (const char *end; *text; text = end) {
        bool code = false;
        for (characters = 0, end = text; *end && (code || *end != ' '); end++) {
            code ^= *end == '`';
            characters += (*end & 0xC0) != 0x80;
        }
        if (column && column + 1 + characters > 100) {
            buffer_print(out, "\n%s", indent);
            column = strlen(indent);
        } else if (column) column++, buffer_char(out, ' ');
        buffer_add(out, text, (size_t)(end - text));
        column += characters;
        while (*end == ' ') end++;
    }
    buffer_char(out, '\n');
}

/* The default, but for an empty text. */
static const char *preset(const Param *p) { return p->preset && *p->preset ? p->preset : NULL; }

static void upper(const Param *p, Buffer *out) {
    for (const char *c = p->name; *c; c++) buffer_char(out, *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c);
}

static void option(const Param *p, Buffer *out) {
    if (p->flags & POSITIONAL) upper(p, out);
    else buffer_print(out, "--%s", p->name);
}

/* "from 2 to 100", "more than 0", "at most 1"; nothing where any number will do. */
static void bounds(const Param *p, Buffer *out) {
    char low[33], high[33];
    bool numbers = p->kind == KIND_INT || p->kind == KIND_REAL || p->kind == KIND_REALS, past = p->flags & EXCLUSIVE;
    bool least = numbers && p->least < p->most && p->least > -1e18, most = numbers && p->least < p->most && p->most < 1e9;
    if (!least && !most) return;
    buffer_text(out, ", ");
    number_text(p->least, low);
    number_text(p->most, high);
    if (least && most && !past) buffer_print(out, "%s to %s", low, high);
    else {
        if (least) buffer_print(out, "%s%s", past ? "more than " : "at least ", low);
        if (most) buffer_print(out, "%s%s%s", least ? " and " : "", past ? "less than " : "at most ", high);
    }
}

static void kind(const Param *p, Buffer *out) {
    static const char *const words[] = { [KIND_INT] = "whole number",
                                         [KIND_REAL] = "number",
                                         [KIND_REALS] = "numbers",
                                         [KIND_TEXTS] = "words",
                                         [KIND_GROUPS] = "groups of columns, `a,b;c,d`" };
    if (p->kind == KIND_CHOICE)
        for (int i = 0; p->words[i]; i++) buffer_print(out, "%s`%s`", i ? ", " : "", p->words[i]);
    else if (p->kind == KIND_PAIRS) buffer_print(out, "list of `name%s`", p->parts == 3 ? ":a:b:c" : p->parts == 2 ? ":a:b" : ":a");
    else buffer_text(out, p->kind < sizeof words / sizeof *words && words[p->kind] ? words[p->kind] : p->type);
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
    const char *text = preset(p);
    if (text) {
        buffer_char(out, '`');
        cell(out, text);
        buffer_char(out, '`');
    } else if (p->flags & REQUIRED) buffer_text(out, "needed");
    if (column && !text) buffer_print(out, "%srole `%s`", p->flags & REQUIRED ? ", or the " : "", p->role);
    buffer_text(out, " | ");
    cell(out, p->help);
    buffer_text(out, " |\n");
}

static void options_of(const Param *p, const char *joint, Buffer *out) {
    for (int i = 0; p->words[i]; i++) buffer_print(out, "%s`--%s`", i ? joint : "", p->words[i]);
}

static void rules(const Method *method, Buffer *page) {
    size_t before = page->count;
    for (const Param *p = method->params; p->kind; p++) {
        Buffer *out = &(Buffer){ 0 };
        if (p->kind == RULE_ONE_OF) {
            buffer_text(out, "- Exactly one of ");
            options_of(p, ", ", out);
        } else if (p->kind == RULE_ONLY_IF) {
            buffer_print(out, "- `--%s` only with `--%s` ", p->name, p->of);
            for (int i = 0; p->words[i]; i++) buffer_print(out, "%s`%s`", i ? ", " : "", p->words[i]);
        } else if (p->kind == RULE_ONLY_WITH) {
            buffer_print(out, "- `--%s` only with ", p->name);
            options_of(p, " or ", out);
        } else continue;
        buffer_char(out, '.');
        paragraph(buffer_get(out), "  ", page);
        buffer_free(out);
    }
    if (page->count > before) buffer_char(page, '\n');
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

static void traits(const Method *method, Buffer *page) {
    Buffer *out = &(Buffer){ 0 };
    if (method->source) buffer_print(out, "Source: %s.", method->source);
    for (int i = 0; method->disclosure[i]; i++) buffer_print(out, "%s%s", i ? ", " : " Disclosure it bears on: ", method->disclosure[i]);
    if (method->disclosure[0]) buffer_char(out, '.');
    if (method->random) buffer_text(out, " Draws random numbers: `--seed`.");
    if (method->frequency) buffer_print(out, " Counts frequencies: on a perturbed table use `scrim %s`.", method->instead);
    paragraph(buffer_get(out), "", page);
    buffer_free(out);
}

static void return_row(const Return *r, Buffer *out) {
    buffer_print(out, "| `%s` | ", r->name ? r->name : "-o");
    if (r->kind == RETURN_VALUE) buffer_text(out, r->type);
    else if (r->kind == RETURN_RECORD) buffer_print(out, "%s, per record", r->type);
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
    if (method->values->kind) {
        buffer_text(out, "| result | kind | meaning |\n|---|---|---|\n");
        for (const Return *r = method->values; r->kind; r++) return_row(r, out);
        buffer_char(out, '\n');
    }
    traits(method, out);
    if (method->example) buffer_print(out, "\n    %s\n\n", method->example);
}

static void index_rows(const char *group, Buffer *out) {
    buffer_text(out, "| method | what it does | source |\n|---|---|---|\n");
    for (int64_t i = 0; i < methods_count(); i++) {
        const Method *m = methods_at(i);
        if (m->verb || strcmp(m->group, group)) continue;
        buffer_print(out, "| [%s](%s-%s.md) | ", m->name, m->group, m->name);
        cell(out, m->summary);
        buffer_text(out, " | ");
        cell(out, m->source);
        buffer_text(out, " |\n");
    }
}

static void index_page(Buffer *out) {
    const char *word, *about;
    buffer_text(out, "# Methods\n\n");
    paragraph("Written by `scripts/docs` from the registry; do not edit it by hand. `scrim methods` prints the same list, "
              "`scrim help GROUP METHOD` each method's parameters.",
              "", out);
    for (int64_t g = 0; commands_first(g, &word, &about); g++) {
        if (!group_about(word)) continue;
        buffer_print(out, "\n## %s\n\n%s.\n\n", word, about);
        index_rows(word, out);
    }
    buffer_text(out, "\n## Every method\n\nBeside its own parameters every method takes these.\n\n| parameter | kind | default | meaning "
                     "|\n|---|---|---|---|\n");
    for (const Param *p = common_params(); p->kind; p++) param_row(p, out);
    buffer_text(out, "\n## Commands over many methods\n\n| command | what it does |\n|---|---|\n");
    for (int64_t i = 0; i < methods_count(); i++) {
        const Method *v = methods_at(i);
        if (!v->verb) continue;
        buffer_print(out, "| `scrim %s` | ", v->command);
        cell(out, v->summary);
        buffer_text(out, " |\n");
    }
}

static void fault(Docs *docs, const char *path, const char *what) {
    fprintf(stderr, "%s: %s\n", path, what);
    docs->faults++;
}

/* A file's bytes added to the buffer; false where it cannot be read. */
static bool read_file(const char *path, Buffer *out) {
    char bytes[65536];
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, file)) > 0;) buffer_add(out, bytes, count);
    return !fclose(file);
}

/* Writes what the file should hold, or complains that it does not. */
static void settle(Docs *docs, const char *path, Buffer *want) {
    Buffer have = { 0 };
    bool same = read_file(path, &have) && have.count == want->count && !memcmp(have.bytes, want->bytes, want->count);
    buffer_free(&have);
    if (same) return;
    if (docs->check) {
        fault(docs, path, "is not what the registry says; run scripts/docs");
        return;
    }
    FILE *file = fopen(path, "wb");
    bool wrote = file && fwrite(want->bytes, 1, want->count, file) == want->count;
    if ((file && fclose(file)) || !wrote) fault(docs, path, "cannot be written");
}

static void page(Docs *docs, const Method *method) {
    char path[512];
    Buffer have = { 0 }, want = { 0 };
    snprintf(path, sizeof path, "%s/%s-%s.md", docs->folder, method->group, method->name);
    if (!read_file(path, &have)) {
        fault(docs, path, "the method has no page");
        return;
    }
    const char *page = buffer_get(&have), *from = strstr(page, opening), *to = from ? strstr(from, closing) : NULL;
    if (!to) fault(docs, path, "has no <!-- reference --> … <!-- /reference --> part");
    else {
        buffer_add(&want, page, (size_t)(from - page) + strlen(opening));
        reference(method, &want);
        buffer_text(&want, to);
        settle(docs, path, &want);
    }
    buffer_free(&have);
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
    for (int64_t i = 0; i < methods_count(); i++)
        if (!methods_at(i)->verb) page(&docs, methods_at(i));
    strays(&docs);
    index_page(&index);
    snprintf(path, sizeof path, "%s/README.md", docs.folder);
    settle(&docs, path, &index);
    buffer_free(&index);
    keep_free();
    return docs.faults > 0;
}
