/* Names of variables in SPSS, Stata and SAS files: what they allow, and what becomes of a name that they do not. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/text.h"
#include "io/stat/stat.h"

enum { LONGEST = 128 };

/* Words that the programs keep for themselves. */
static bool is_reserved(StatKind kind, const char *name) {
    static const char *const spss[] = { "all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with", NULL };
    static const char *const stata[] = { "_all", "_b", "byte", "_coef", "_cons", "double", "float", "if",    "in",   "int", "long",
                                         "_n",   "_N", "_pi",  "_pred", "_rc",   "_skip",  "strL",  "using", "with", NULL };
    if (kind == STAT_DTA && !strncmp(name, "str", 3) && name[3] && strspn(name + 3, "0123456789") == strlen(name + 3)) return true;
    if (kind == STAT_XPT || kind == STAT_SAS) return false;
    for (const char *const *word = kind == STAT_DTA ? stata : spss; *word; word++)
        if (kind == STAT_DTA ? !strcmp(name, *word) : !strcasecmp(name, *word)) return true;
    return false;
}

static bool allowed(StatKind kind, const char *at, int length, bool first) {
    bool wide = kind == STAT_SAV || kind == STAT_DTA; /* letters beyond ASCII */
    if (length > 1) return wide;
    unsigned char c = (unsigned char)*at;
    if (isalpha(c)) return true;
    if (first) return kind == STAT_SAV || kind == STAT_POR ? c == '@' : c == '_';
    return isdigit(c) || c == '_' || ((kind == STAT_SAV || kind == STAT_POR) && (c == '.' || c == '$' || c == '#' || c == '@'));
}

/* How many bytes, and how many characters, a name may have. */
static size_t most_bytes(StatKind kind, bool short_names) {
    return short_names || kind == STAT_POR ? 8 : kind == STAT_SAV ? 64 : kind == STAT_DTA ? LONGEST : 32;
}
static int most_letters(StatKind kind) { return kind == STAT_DTA ? 32 : 64; }

/* The name as it may be, cut to `room` bytes: other characters become _, and one stands before a first that may not begin. */
static void fit(StatKind kind, const char *name, size_t room, char out[LONGEST + 1]) {
    const char *end = name + strlen(name);
    size_t count = 0;
    int letters = 0;
    while (name < end) {
        int length = utf8_length(name, end), step = length ? length : 1;
        bool good = allowed(kind, name, step, count == 0), later = !good && count == 0 && allowed(kind, name, step, false);
        size_t need = (good ? (size_t)step : later ? (size_t)step + 1 : 1);
        if (count + need > room || letters >= most_letters(kind)) break;
        char filler = !count && (kind == STAT_SAV || kind == STAT_POR) ? '@' : '_';
        if (!good) out[count++] = filler;
        if (good || later) {
            memcpy(out + count, name, (size_t)step);
            count += (size_t)step;
        }
        letters++;
        name += step;
    }
    while (count > 1 && out[count - 1] == '.') count--;
    if (!count) out[count++] = 'V';
    out[count] = 0;
    for (char *c = out; kind == STAT_POR && *c; c++) *c = (char)toupper((unsigned char)*c);
}

typedef struct Used {
    const char **name;
    StatKind kind;
} Used;

static uint64_t hash_of(StatKind kind, const char *name) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)(kind == STAT_DTA ? *name : tolower((unsigned char)*name))) * UINT64_C(0x100000001b3);
    return hash;
}

/* SPSS and SAS do not tell A from a. */
static bool add_name(Used *used, uint64_t mask, const char *name) {
    for (uint64_t h = hash_of(used->kind, name);; h++) {
        const char **slot = &used->name[h & mask];
        if (!*slot) {
            *slot = name;
            return true;
        }
        if (used->kind == STAT_DTA ? !strcmp(*slot, name) : !strcasecmp(*slot, name)) return false;
    }
}

/* The fitted name; with a number at its end where it is taken or reserved. */
static Status choose(Work *work, Used *used, uint64_t mask, const char *name, bool short_names, const char **out) {
    char fitted[LONGEST + 1], numbered[LONGEST + 24], tail[24];
    size_t room = most_bytes(used->kind, short_names);
    fit(used->kind, name, room, fitted);
    for (int64_t number = is_reserved(used->kind, fitted) ? 1 : 0;; number++) {
        tail[0] = 0;
        if (number) snprintf(tail, sizeof tail, "_%lld", (long long)number);
        fit(used->kind, name, room - strlen(tail), fitted);
        snprintf(numbered, sizeof numbered, "%s%s", fitted, tail);
        char *copy = arena_text(work->arena, numbered);
        if (!copy) return out_of_memory(work->error);
        *out = copy;
        if (add_name(used, mask, copy)) return OK;
    }
}

/* Names that may stay do, whatever comes before them; the others are fitted around them. */
Status stat_names(Work *work, const Table *table, StatKind kind, bool short_names, const char ***out) {
    Status status = OK;
    uint64_t slots = 64;
    Used used = { .kind = kind };
    while (slots < 3 * (uint64_t)table->columns) slots *= 2;
    NEW(work, used.name, slots);
    NEW(work, *out, table->columns + 1);
    for (int64_t i = 0; i < table->columns; i++) {
        char fitted[LONGEST + 1];
        const char *name = table->column[i]->name;
        fit(kind, name, most_bytes(kind, short_names), fitted);
        if (!strcmp(fitted, name) && !is_reserved(kind, name) && add_name(&used, slots - 1, name)) (*out)[i] = name;
    }
    for (int64_t i = 0; i < table->columns; i++)
        if (!(*out)[i]) TRY(choose(work, &used, slots - 1, table->column[i]->name, short_names, &(*out)[i]));
done:
    arena_drop(work->arena, used.name);
    return status;
}
