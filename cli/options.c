/* Options that every command takes. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/number.h"
#include "cli.h"
#include "commands.h"

typedef enum { OPT_OUTPUT, OPT_FORMAT, OPT_SEED, OPT_SEED_FILE, OPT_THREADS, OPT_QUIET, OPT_HELP, OPT_SEPARATOR, OPT_DECIMAL, OPT_NA, OPT_TYPES, OPT_ENCODING, OPT_CODES, OPT_SHEET } Which;
static const struct { const char *name, *value, *help; Which which; } table[] = {
    { "--output", "FILE", "Where what was made goes (-o): .csv, .tsv, .gz, .zst the table; .html, .svg, .json the result; - standard output", OPT_OUTPUT },
    { "--format", "text|json|csv|html", "How the result is printed (default text)", OPT_FORMAT },
    { "--seed", "N", "A number to draw from: the same number gives the same bytes (guessable: not for a release)", OPT_SEED },
    { "--seed-file", "FILE", "A secret seed of 64 hexadecimal digits; made, with mode 0600, where there is none", OPT_SEED_FILE },
    { "--threads", "N", "Threads (default: all cores)", OPT_THREADS },
    { "--quiet", NULL, "No progress on standard error", OPT_QUIET },
    { "--help", NULL, "This help", OPT_HELP },
    { "--separator", "C", "CSV: the separator (default: found by itself among , ; tab |)", OPT_SEPARATOR },
    { "--decimal", "C", "CSV: the decimal mark (default .)", OPT_DECIMAL },
    { "--na", "A,B", "CSV: words that mean missing, beside the bare empty cell", OPT_NA },
    { "--types", "COLUMN:TYPE,…", "CSV: integer, real, category, text, date or datetime, instead of what the file suggests", OPT_TYPES },
    { "--encoding", "NAME", "CSV, SPSS, Stata, SAS: the file's encoding (default UTF-8, or what the file says)", OPT_ENCODING },
    { "--codes", NULL, "Labelled values are read as their codes, not as categories", OPT_CODES },
    { "--sheet", "NAME", "Excel: which sheet is read (default the first)", OPT_SHEET },
};

void options_help(Buffer *out) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", table[i].name, table[i].value ? " " : "", table[i].value ? table[i].value : "");
        buffer_print(out, "  %s%*s %s\n", left, 28 - utf8_width(left) > 0 ? 28 - utf8_width(left) : 0, "", table[i].help);
    }
}

bool options_at(size_t index, const char **name, const char **value, const char **help) {
    if (index >= sizeof table / sizeof *table) return false;
    *name = table[index].name;
    *value = table[index].value;
    *help = table[index].help;
    return true;
}

static Status take_list(Work *work, const char *value, const char ***items, int64_t *count) {
    Status status = OK;
    char *copy = arena_text(work->arena, value), *state = NULL;
    if (!copy) return fail(work->error, FAILED, "out of memory");
    NEW(work, *items, strlen(value) + 2);
    for (char *word = strtok_r(copy, ",", &state); word; word = strtok_r(NULL, ",", &state)) (*items)[(*count)++] = word;
done:
    return status;
}

static Status one_char(Work *work, const char *name, const char *value, char *out) {
    if (!strcmp(value, "tab") || !strcmp(value, "\\t")) value = "\t";
    if (strlen(value) != 1) { fail(work->error, BAD, "expects one character"); return error_parameter(work->error, name); }
    *out = value[0];
    return OK;
}

static Status take_format(Work *work, const char *value, Format *out) {
    static const char *const names[] = { "text", "json", "csv", "html" };
    for (unsigned i = 0; i < 4; i++)
        if (!strcmp(names[i], value)) { *out = (Format)i; return OK; }
    fail(work->error, BAD, "has no value '%s'", value);
    error_advice(work->error, "It takes text, json, csv or html.");
    return error_parameter(work->error, "format");
}

static Status take_threads(Work *work, const char *value, int *out) {
    int64_t n;
    if (!read_integer(value, value + strlen(value), &n) || n < 1 || n > 1024) {
        fail(work->error, BAD, "expects a whole number from 1 to 1024");
        return error_parameter(work->error, "threads");
    }
    *out = (int)n;
    return OK;
}

static Status take(Work *work, Options *o, Which which, const char *value) {
    switch (which) {
    case OPT_OUTPUT: o->outputs[o->output_count++] = value; return OK;
    case OPT_FORMAT: return take_format(work, value, &o->format);
    case OPT_SEED: o->seed = value; return OK;
    case OPT_SEED_FILE: o->seed_file = value; return OK;
    case OPT_THREADS: return take_threads(work, value, &o->threads);
    case OPT_QUIET: o->quiet = true; return OK;
    case OPT_HELP: o->help = true; return OK;
    case OPT_SEPARATOR: return one_char(work, "separator", value, &o->csv.separator);
    case OPT_DECIMAL: return one_char(work, "decimal", value, &o->csv.decimal);
    case OPT_NA: return take_list(work, value, &o->csv.na, &o->csv.na_count);
    case OPT_TYPES: return take_list(work, value, &o->csv.types, &o->csv.type_count);
    case OPT_ENCODING: o->csv.encoding = value; return OK;
    case OPT_CODES: o->csv.codes = true; return OK;
    case OPT_SHEET: o->csv.sheet = value; return OK;
    }
    return OK;
}

/* Which option a word is: its number in the table, or -1. `value` is what stands behind an equals sign. */
static int find(const char *word, const char **value) {
    *value = NULL;
    if (!strcmp(word, "-o")) return 0;
    if (!strcmp(word, "-h")) return OPT_HELP;
    if (!strcmp(word, "-q")) return OPT_QUIET;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t length = strlen(table[i].name);
        if (strncmp(word, table[i].name, length)) continue;
        if (word[length] == '=') *value = word + length + 1;
        if (!word[length] || *value) return (int)i;
    }
    return -1;
}

Status options_take(Work *work, int argc, char **argv, Options *o) {
    Status status = OK;
    *o = (Options){ .threads = (int)sysconf(_SC_NPROCESSORS_ONLN), .csv = { .decimal = '.' } };
    NEW(work, o->outputs, argc + 1);
    NEW(work, o->argv, argc + 2);
    bool options = true;
    for (int i = 0; i < argc; i++) {
        const char *value;
        int which = options ? find(argv[i], &value) : -1;
        if (!strcmp(argv[i], "--")) options = false;
        if (which < 0) { o->argv[o->argc++] = argv[i]; continue; }
        if (table[which].value && !value) {
            if (i + 1 >= argc) { fail(work->error, BAD, "needs a value"); TRY(error_parameter(work->error, table[which].name + 2)); }
            value = argv[++i];
        }
        TRY(take(work, o, table[which].which, value));
    }
    o->csv.threads = o->threads;
done:
    return status;
}
