/* The arguments of scrub.text: kinds by their names, patterns by NAME=REGEX or from a table, names of another table. */
#include <ctype.h>
#include <string.h>
#include "method/secret_key.h"
#include "scrub/site_model.h"
#include "scrub/text/text.h"

static Status bad(Error *error, const char *parameter, const char *format, const char *what) {
    fail(error, BAD, format, what);
    return error_parameter(error, parameter);
}

/* A kind's name goes into labels and reports: capitals, digits and low lines. */
static bool is_kind_name(const char *name) {
    if (!isupper((unsigned char)name[0]) || strlen(name) > 30) return false;
    for (const char *p = name; *p; p++)
        if (!isupper((unsigned char)*p) && !isdigit((unsigned char)*p) && *p != '_') return false;
    return true;
}

static Status add_pattern(Run *run, const char *name, const char *regex, UserPattern *out, int *count) {
    Error *error = run->work.error;
    if (!is_kind_name(name)) return bad(error, "pattern", "has a name that is no kind: capitals, digits and _ make one (%s)", name);
    if (trace_named(NULL, name) >= 0) return bad(error, "pattern", "takes the name of a kind that there is already: %s", name);
    if (*count == USER_PATTERNS) return bad(error, "pattern", "%s", "is given more often than 32 times");
    for (int i = 0; i < *count; i++)
        if (!strcmp(out[i].name, name)) return bad(error, "pattern", "names %s twice", name);
    out[(*count)++] = (UserPattern){ name, regex };
    return OK;
}

static Status user_patterns(Run *run, const ScrubArgs *a, UserPattern *out, int *count) {
    Status status = OK;
    char cell[33];
    for (int64_t i = 0; i < a->pattern.count; i++) {
        char *text = arena_text(run->work.arena, a->pattern.at[i]), *equal = text ? strchr(text, '=') : NULL;
        if (!text) TRY(out_of_memory(run->work.error));
        if (!equal || equal == text || !equal[1]) TRY(bad(run->work.error, "pattern", "%s", "is NAME=REGEX"));
        *equal = 0;
        TRY(add_pattern(run, text, equal + 1, out, count));
    }
    if (a->patterns) {
        const Column *name, *regex;
        TRY(table_need(a->patterns, "name", &name, run->work.error));
        TRY(table_need(a->patterns, "regex", &regex, run->work.error));
        for (int64_t i = 0; i < a->patterns->rows; i++) {
            const char *word = column_cell(name, i, cell), *what = arena_text(run->work.arena, word ? word : "");
            const char *text = arena_text(run->work.arena, column_cell(regex, i, cell));
            if (!text || !what)
                TRY(fail(run->work.error, BAD, "row %lld of the patterns lacks a name or a regular expression", (long long)i + 1));
            TRY(add_pattern(run, what, text, out, count));
        }
    }
done:
    return status;
}

static Status wanted_kinds(Run *run, const ScrubArgs *a, Finder *finder) {
    if (!a->kinds.count) return OK;
    finder->kinds = 0;
    for (int64_t i = 0; i < a->kinds.count; i++) {
        int kind = trace_named(finder, a->kinds.at[i]);
        if (kind < 0) return bad(run->work.error, "kinds", "has no kind '%s'", a->kinds.at[i]);
        finder->kinds |= (uint64_t)1 << kind;
    }
    for (int i = 0; i < finder->user_patterns; i++) finder->kinds |= (uint64_t)1 << (TRACE_USER + i);
    return OK;
}

static Status how_each(Run *run, const ScrubArgs *a, const Finder *finder, Replacer *replacer) {
    static const char *const words[] = { "pseudo", "label", "mask", "hash", "remove", "generalise", "keep" };
    for (int64_t i = 0; i < a->each.count; i++) {
        int kind = trace_named(finder, a->each.at[i].name), how = -1;
        if (kind < 0) return bad(run->work.error, "each", "has no kind '%s'", a->each.at[i].name);
        for (int w = 0; w < REPLACEMENTS; w++)
            if (!strcmp(words[w], a->each.at[i].text[0])) how = w;
        if (how < 0)
            return bad(run->work.error, "each", "has no way '%s': pseudo, label, mask, hash, remove, generalise or keep",
                       a->each.at[i].text[0]);
        replacer->how[kind] = (uint8_t)how;
    }
    return OK;
}

static Status names_of_table(Run *run, const Table *table, Names *names) {
    Status status = OK;
    char cell[33];
    for (int64_t c = 0; c < table->columns; c++)
        for (int64_t i = 0; i < table->rows; i++) {
            const char *text = column_numeric(table->column[c]) ? NULL : column_cell(table->column[c], i, cell);
            if (text) TRY(names_add(&run->work, names, text));
        }
    TRY(names_index(&run->work, names));
done:
    return status;
}

Status scrub_prepare(Run *run, const ScrubArgs *a, Finder *finder, Replacer *replacer, Names *names) {
    Status status = OK;
    UserPattern user[USER_PATTERNS];
    int count = 0;
    TRY(user_patterns(run, a, user, &count));
    TRY(finder_open(&run->work, (Language)a->language, user, count, finder));
    finder->threshold = a->threshold;
    if (a->model) {
        uint64_t marked = 0;
        TRY(site_model_read(&run->work, a->model, &finder->model, &marked));
        finder->kinds |= marked; /* organisations, where the site marks them */
    }
    TRY(wanted_kinds(run, a, finder));
    if (a->names) {
        TRY(names_of_table(run, a->names, names));
        finder->known = names;
    }
    *replacer = replacer_make(finder, &run->session->seed, (How)a->replace, (Language)a->language, a->shift);
    TRY(shift_key(run, a->key, a->shift, NULL, &replacer->shift));
    TRY(how_each(run, a, finder, replacer));
done:
    return status;
}
